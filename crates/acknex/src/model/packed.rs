//! Reads models with packed vertices: IDPO and MDL2 to MDL5.

use mapwright_io::{Budget, Context as _, Fault, FixedBytes, Input};

use super::{Model, ModelVersion};
use crate::header::{Header, count};
use crate::mesh::{Frame, Mesh, Repairs, Triangle};
use crate::options::check_parts;
use crate::skin::{error_at, read_skin, texel_size, to_usize};
use crate::{PixelFormat, ReadError, ReadErrorKind, Skin};

/// Reads a model after its magic word.
pub(super) fn read(input: &mut Input<'_>, version: ModelVersion, budget: &mut Budget) -> Result<Model, ReadError> {
    let header = Header::read(input)?;
    let frames = check_parts("frames", header.frames).map_err(|kind| input.fault(kind))?;
    let has_vertex_uvs = matches!(version, ModelVersion::Quake | ModelVersion::Mdl2);
    let skins = check_parts("skins", header.skins).map_err(|kind| input.fault(kind))?;
    let skins = (0..skins).map(|skin| read_model_skin(input, version, &header).in_item("skins", skin));
    let skins = skins.collect::<Result<Vec<Skin>, _>>()?;
    let mut repairs = Repairs::default();
    let mut mesh = Mesh::new(FixedBytes { raw: [0; 16] });
    mesh.triangles = if has_vertex_uvs {
        read_seamed_triangles(input, &header, &skins, budget).in_field("triangles")?
    } else {
        read_indexed_triangles(input, &header, &skins, budget, &mut repairs).in_field("triangles")?
    };
    for frame in 0..frames {
        read_frame(input, version, &header, &mut mesh, budget).in_item("frames", frame)?;
    }
    Ok(Model { version, skins, bones: Vec::new(), groups: vec![mesh], repairs })
}

fn read_model_skin(input: &mut Input<'_>, version: ModelVersion, header: &Header) -> Result<Skin, ReadError> {
    let at = input.position();
    let mut code = input.u32_le()?;
    let mut size = header.skin_size;
    if version == ModelVersion::Mdl5 {
        size = [input.u32_le()?, input.u32_le()?];
    }
    let mut more = 0;
    match version {
        // A group of images that Quake shows in turn. Only the first one is read.
        ModelVersion::Quake if code == 1 => {
            let images = input.u32_le()?;
            more = images.checked_sub(1).ok_or_else(|| type_error(at, "skin group", images))?;
            input.take(to_usize(images).saturating_mul(4))?;
            code = PixelFormat::PALETTE;
        }
        ModelVersion::Quake | ModelVersion::Mdl2 if !matches!(code, PixelFormat::PALETTE | PixelFormat::RGB565) => {
            return Err(type_error(at, "skin", code));
        }
        _ => {}
    }
    let skin = read_skin(input, PixelFormat(code), size, FixedBytes { raw: [0; 16] }, false)?;
    let [width, height] = size.map(to_usize);
    input.take(width.saturating_mul(height).saturating_mul(to_usize(more)))?;
    Ok(skin)
}

fn type_error(at: mapwright_io::Position, what: &'static str, code: u32) -> ReadError {
    error_at(at, ReadErrorKind::Type { what, code })
}

/// Reads one texture coordinate for each vertex, and triangles. A vertex on the seam stores the coordinates for the front; those for the
/// back are half an image to the right.
fn read_seamed_triangles(
    input: &mut Input<'_>,
    header: &Header,
    skins: &[Skin],
    budget: &mut Budget,
) -> Result<Vec<Triangle>, ReadError> {
    let vertices = count(input, header.vertices, 12, "texture coordinates", budget)?;
    let uvs = input.i32s_le(vertices.saturating_mul(3))?;
    let count = count(input, header.triangles, 16, "triangles", budget)?;
    let skin = (!skins.is_empty()).then_some(0);
    let size = texel_size(skins);
    let mut triangles = Vec::with_capacity(count);
    for _ in 0..count {
        let is_front = input.u32_le()? != 0;
        let vertices = [input.u32_le()?, input.u32_le()?, input.u32_le()?];
        let uvs = size.map(|size| {
            vertices.map(|vertex| {
                let Some([on_seam, u, v]) = record(&uvs, vertex) else { return [0.0; 2] };
                let shift = if on_seam != 0 && !is_front { size[0] / 2.0 } else { 0.0 };
                texel_uv([f64::from(u) + shift, v.into()], size)
            })
        });
        triangles.push(Triangle { vertices, uvs, skin });
    }
    Ok(triangles)
}

/// Returns the record with this index from a list of records of `N` numbers.
fn record<const N: usize, T: Copy>(numbers: &[T], index: u32) -> Option<[T; N]> {
    numbers.get(to_usize(index).checked_mul(N)?..)?.first_chunk().copied()
}

/// Converts texture coordinates in texels. They refer to the middle of a texel.
#[allow(clippy::cast_possible_truncation, reason = "rounds to single precision")]
fn texel_uv([u, v]: [f64; 2], [width, height]: [f64; 2]) -> [f32; 2] {
    [((u + 0.5) / width) as f32, ((v + 0.5) / height) as f32]
}

/// Reads a separate list of texture coordinates, and triangles with indices into it. Also used for early terrains.
pub(crate) fn read_indexed_triangles(
    input: &mut Input<'_>,
    header: &Header,
    skins: &[Skin],
    budget: &mut Budget,
    repairs: &mut Repairs,
) -> Result<Vec<Triangle>, ReadError> {
    let coordinates = count(input, header.uvs, 4, "texture coordinates", budget)?;
    let uvs = input.i16s_le(coordinates.saturating_mul(2))?;
    let count = count(input, header.triangles, 12, "triangles", budget)?;
    let skin = (!skins.is_empty()).then_some(0);
    let size = texel_size(skins).filter(|_| !uvs.is_empty());
    let mut triangles = Vec::with_capacity(count);
    for _ in 0..count {
        let vertices = [input.u16_le()?, input.u16_le()?, input.u16_le()?].map(u32::from);
        let corners = [input.u16_le()?, input.u16_le()?, input.u16_le()?].map(u32::from);
        let uvs = size.map(|size| {
            corners.map(|corner| match record(&uvs, corner) {
                Some([u, v]) => texel_uv([f64::from(u), f64::from(v)], size),
                None => {
                    repairs.uvs = repairs.uvs.saturating_add(1);
                    [0.0; 2]
                }
            })
        });
        triangles.push(Triangle { vertices, uvs, skin });
    }
    Ok(triangles)
}

/// Reads a frame. The first one becomes the first pose.
fn read_frame(
    input: &mut Input<'_>,
    version: ModelVersion,
    header: &Header,
    mesh: &mut Mesh,
    budget: &mut Budget,
) -> Result<(), ReadError> {
    let at = input.position();
    let mut code = input.u32_le()?;
    let mut more: u32 = 0;
    if version == ModelVersion::Quake && code != 0 {
        // A group of frames that Quake shows in turn. Only the first one is read.
        let frames = input.u32_le()?;
        more = frames.checked_sub(1).ok_or_else(|| type_error(at, "frame group", frames))?;
        input.take(to_usize(frames).saturating_mul(4).saturating_add(8))?;
        code = 0;
    }
    let width: usize = match code {
        0 => 4,
        2 => 8,
        _ => return Err(type_error(at, "frame", code)),
    };
    // The stored box is wrong in many files.
    input.take(width.saturating_mul(2))?;
    let name = FixedBytes { raw: input.array()? };
    let positions = read_packed(input, header, width, budget)?;
    if mesh.frames.is_empty() {
        mesh.positions = positions;
        mesh.frames.push(Frame { name, vertices: Vec::new(), positions: Vec::new(), turned_bones: 0 });
    } else {
        mesh.frames.push(Frame { name, vertices: Vec::new(), positions, turned_bones: 0 });
    }
    let size =
        width.saturating_mul(2).saturating_add(16).saturating_add(width.saturating_mul(to_usize(header.vertices)));
    input.take(size.saturating_mul(to_usize(more)))?;
    Ok(())
}

/// Reads vertices of 4 or 8 bytes.
pub(crate) fn read_packed(
    input: &mut Input<'_>,
    header: &Header,
    width: usize,
    budget: &mut Budget,
) -> Result<Vec<[f32; 3]>, ReadError> {
    let vertices = count(input, header.vertices, width, "vertices", budget)?;
    let read = |_| -> Result<[f32; 3], Fault> {
        let raw = if width == 4 {
            let [x, y, z, _normal] = input.array()?;
            [x, y, z].map(u16::from)
        } else {
            let [x, y, z, _normal] = [input.u16_le()?, input.u16_le()?, input.u16_le()?, input.u16_le()?];
            [x, y, z]
        };
        Ok(header.unpack(raw))
    };
    Ok((0..vertices).map(read).collect::<Result<_, _>>()?)
}
