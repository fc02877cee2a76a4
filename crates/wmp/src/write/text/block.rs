//! Blocks.

use mapwright_io::Context as _;

use super::numbers::Form;
use super::printer::Printer;
use super::unsupported_error;
use crate::{Block, Dialect, Face, Mesh, PlaneFace, Shape, WriteError};

/// Writes the contents of a block.
pub(super) fn block(out: &mut Printer, block: &Block) -> Result<(), WriteError> {
    if !block.extra.is_empty() {
        return Err(unsupported_error(out, "a chunk of a binary map"));
    }
    match &block.shape {
        Shape::Planes(faces) if out.dialect == Dialect::A4 => {
            for (index, face) in faces.iter().enumerate() {
                plane(out, face).in_item("faces", index)?;
            }
        }
        Shape::Mesh(shape) if out.dialect != Dialect::A4 => mesh(out, shape)?,
        Shape::Planes(_) => return Err(unsupported_error(out, "a block of planes")),
        Shape::Mesh(_) => return Err(unsupported_error(out, "a block of vertices and faces")),
    }
    out.line(b"{");
    out.depth = out.depth.saturating_add(1);
    out.flag_line(block.flags.0);
    out.name_line(&block.material).in_field("material")?;
    if let Some(index) = block.index {
        out.whole_line(index);
    }
    out.depth = out.depth.saturating_sub(1);
    out.line(b"}");
    Ok(())
}

/// Writes a side of an A4 block.
fn plane(out: &mut Printer, face: &PlaneFace) -> Result<(), WriteError> {
    out.indent();
    for point in &face.points {
        out.put(b"( ");
        out.numbers(point, Form::Plain)?;
        out.put(b" ) ");
    }
    out.word(&face.texture).in_field("texture")?;
    mapping(out, &face.mapping)?;
    light(out, face.flags.0, face.light())?;
    out.word(&face.material).in_field("material")?;
    out.put(b" ");
    out.word(&face.name).in_field("name")?;
    out.put(b" ");
    out.number(face.number, Form::Plain)?;
    out.put(b" ");
    out.flags(face.flags2.0);
    out.end();
    Ok(())
}

/// Writes offset, rotation and scale.
fn mapping(out: &mut Printer, mapping: &[f64; 5]) -> Result<(), WriteError> {
    let [x, y, rotation, scales @ ..] = mapping;
    for (values, form) in [(&[*x, *y, *rotation][..], Form::Whole), (scales, Form::Scale)] {
        out.put(b" ");
        out.numbers(values, form)?;
    }
    Ok(())
}

/// Writes flags and light.
fn light(out: &mut Printer, flags: u32, light: [f64; 2]) -> Result<(), WriteError> {
    out.put(b" : ");
    out.flags(flags);
    out.put(b" ");
    out.numbers(&light, Form::Plain)?;
    out.put(b" ");
    Ok(())
}

/// Writes vertices, three per line, and faces.
fn mesh(out: &mut Printer, mesh: &Mesh) -> Result<(), WriteError> {
    out.line(format!("vertices {}", mesh.vertices.len()));
    out.line(format!("faces {}", mesh.faces.len()));
    for (row, vertices) in mesh.vertices.chunks(3).enumerate() {
        out.indent();
        for (column, vertex) in vertices.iter().enumerate() {
            if column > 0 {
                out.put(b"   ");
            }
            let index = row.saturating_mul(3).saturating_add(column);
            out.numbers(vertex, Form::Plain).in_item("vertices", index)?;
        }
        out.end();
    }
    for (index, item) in mesh.faces.iter().enumerate() {
        face(out, item).in_item("faces", index)?;
    }
    Ok(())
}

fn face(out: &mut Printer, face: &Face) -> Result<(), WriteError> {
    if face.bare {
        return Err(unsupported_error(out, "a face without texture and flags"));
    }
    if !face.extra.is_empty() {
        return Err(unsupported_error(out, "a chunk of a binary map"));
    }
    out.indent();
    out.whole(face.corners.len());
    out.put(b" ");
    for corner in &face.corners {
        out.put(b" ");
        out.whole(corner);
    }
    out.put(b" : ");
    out.word(&face.texture).in_field("texture")?;
    if let Some(uvs) = &face.uvs {
        out.put(b" [ ");
        out.numbers(uvs, Form::Plain).in_field("uvs")?;
        out.put(b" ]");
    }
    for vector in face.vectors.iter().flat_map(|vectors| vectors.iter()) {
        out.put(b" ( ");
        out.numbers(vector, Form::Plain).in_field("vectors")?;
        out.put(b" )");
    }
    match &face.mapping {
        Some(numbers) => mapping(out, numbers).in_field("mapping")?,
        None if out.dialect == Dialect::Resolved || face.uvs.is_some() => {}
        None => return Err(unsupported_error(out, "a face without offset, rotation and scale")),
    }
    light(out, face.flags.0, face.light())?;
    out.word(&face.material).in_field("material")?;
    out.end();
    Ok(())
}
