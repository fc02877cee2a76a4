//! Blocks.

use mapwright_io::{Context as _, Output};

use super::chunk::{ChunkWriter, close, count, doubles, fixed, open, require_absent, single, small};
use crate::chunk::{BLOCK, ENTRY, FACES, MAPPING, MATERIAL, NAME, POINTS, UVS, VECTORS};
use crate::{Block, Face, Mesh, Shape, WriteError};

/// Writes a block.
pub(super) fn write(out: &mut Output, block: &Block) -> Result<(), WriteError> {
    let mesh = match &block.shape {
        Shape::Mesh(mesh) => mesh,
        Shape::Planes(_) => return require_absent(false, "a block of planes"),
    };
    let chunk = open(out, BLOCK);
    out.u32_le(block.index.unwrap_or(block.number));
    out.u32_le(block.flags.0);
    let mut row = ChunkWriter::new(&block.extra);
    row.name(out, MATERIAL, &block.material)?;
    row.before(out);
    points(out, mesh.vertices.len(), mesh.vertices.iter())?;
    row.before(out);
    faces(out, mesh)?;
    for (number, face) in mesh.faces.iter().enumerate() {
        if face.bare {
            // A face without an entry has the default light.
            let is_bare = [Face::default(), Face::in_default_light()]
                .into_iter()
                .any(|bare| *face == Face { corners: face.corners.clone(), bare: true, ..bare });
            require_absent(is_bare, "texture, flags and light of a face without an entry").in_item("faces", number)?;
        } else {
            row.before(out);
            entry(out, number, face).in_item("faces", number)?;
        }
    }
    row.finish(out);
    close(out, chunk);
    Ok(())
}

/// Writes points after their count.
pub(super) fn points<'a>(
    out: &mut Output,
    number: usize,
    points: impl Iterator<Item = &'a [f64; 3]>,
) -> Result<(), WriteError> {
    let chunk = open(out, POINTS);
    out.u32_le(count(number, "points")?);
    points.for_each(|point| doubles(out, point));
    close(out, chunk);
    Ok(())
}

/// Writes the vertex indices of faces.
fn faces(out: &mut Output, mesh: &Mesh) -> Result<(), WriteError> {
    let chunk = open(out, FACES);
    out.u32_le(count(mesh.faces.len(), "faces")?);
    for (number, face) in mesh.faces.iter().enumerate() {
        out.u16_le(small(face.corners.len() as u64, "corners").in_item("faces", number)?);
        for corner in &face.corners {
            out.u16_le(small((*corner).into(), "vertices").in_item("faces", number)?);
        }
    }
    close(out, chunk);
    Ok(())
}

/// Writes the entry of a face: texture, flags and mapping.
fn entry(out: &mut Output, number: usize, face: &Face) -> Result<(), WriteError> {
    require_absent(face.material.is_empty(), "the material of a face")?;
    let chunk = open(out, ENTRY);
    out.u32_le(count(number, "faces")?);
    out.u32_le(face.flags.0);
    for part in face.light() {
        out.f32_le(single(part)?);
    }
    let mut row = ChunkWriter::new(&face.extra);
    row.name(out, NAME, &face.texture)?;
    if let Some(uvs) = &face.uvs {
        let (pairs, rest) = uvs.as_chunks::<2>();
        require_absent(rest.is_empty(), "an odd number of texture coordinates")?;
        row.before(out);
        fixed(out, UVS, size_of_val(pairs).saturating_add(size_of::<u32>()));
        out.u32_le(count(pairs.len(), "texture coordinates")?);
        doubles(out, uvs);
    }
    if let Some(vectors) = &face.vectors {
        row.doubles(out, VECTORS, vectors.as_flattened());
    }
    if let Some(mapping) = &face.mapping {
        row.doubles(out, MAPPING, mapping.as_slice());
    }
    row.finish(out);
    close(out, chunk);
    Ok(())
}
