//! Blocks.

use mapwright_io::{Context as _, Fault};

use super::Reader;
use super::chunk::{ChunkReader, Raw, counted, doubles, length, next};
use crate::chunk::{ENTRY, FACES, MAPPING, MATERIAL, NAME, POINTS, UVS, VECTORS};
use crate::{Block, BlockFlags, Face, FaceFlags, Mesh, Name, ReadError, ReadErrorKind, Shape};

/// Reads a block.
pub(super) fn read<'a>(raw: &Raw<'a>, number: u32, reader: &mut Reader<'_>) -> Result<Block, ReadError> {
    let mut input = raw.body.clone();
    let (index, flags) = (input.u32_le()?, BlockFlags(input.u32_le()?));
    let mut material = Name::NONE;
    let mut mesh = Mesh::default();
    let mut seen = [false; 2];
    let mut row = ChunkReader::default();
    while let Some(chunk) = next(&mut input)? {
        let [vertices, faces] = &mut seen;
        match chunk.id {
            MATERIAL => row.name(&chunk, &mut material, reader.shared),
            POINTS if !*vertices => {
                mesh.vertices = points(&chunk, "vertices", reader).in_field("vertices")?;
                *vertices = true;
                row.known();
            }
            FACES if !*faces => match self::faces(&chunk, raw.whole.len(), reader).in_field("faces")? {
                Some(list) => {
                    mesh.faces = list;
                    *faces = true;
                    row.known();
                }
                None => row.keep(&chunk),
            },
            ENTRY => entry(&chunk, &mut mesh.faces, reader, &mut row)?,
            _ => row.keep(&chunk),
        }
    }
    let vertices = mesh.vertices.len();
    let outside = |face: &Face| face.corners.iter().copied().find(|corner| length(*corner) >= vertices);
    if let Some((at, index)) = mesh.faces.iter().enumerate().find_map(|(at, face)| Some((at, outside(face)?))) {
        let error = ReadError::new(ReadErrorKind::Vertex { index: index.into(), vertices }, raw.body.position());
        return Err(error).in_item("faces", at);
    }
    Ok(Block { number, shape: Shape::Mesh(mesh), flags, material, index: Some(index), extra: row.finish() })
}

/// Reads points after their count.
pub(super) fn points(raw: &Raw<'_>, what: &'static str, reader: &mut Reader<'_>) -> Result<Vec<[f64; 3]>, Fault> {
    let mut body = raw.body.clone();
    let count = counted(&mut body, size_of::<[f64; 3]>(), what)?;
    reader.budget.take_items(count as u64, body.position())?;
    let mut points = Vec::with_capacity(count);
    for _ in 0..count {
        points.push(doubles(&mut body)?);
    }
    Ok(points)
}

/// Reads the vertex indices of faces. Returns `None` if they would take far more memory than the block has bytes, because then
/// this is not a list of faces.
fn faces(raw: &Raw<'_>, room: usize, reader: &mut Reader<'_>) -> Result<Option<Vec<Face>>, Fault> {
    let mut body = raw.body.clone();
    let declared = body.u32_le()?;
    let count = body.count(declared.into(), size_of::<u16>(), "faces")?;
    reader.budget.take_items(count as u64, body.position())?;
    if !reader.spare.try_charge(count.saturating_mul(size_of::<Face>()), room) {
        return Ok(None);
    }
    let mut faces = Vec::with_capacity(count);
    for _ in 0..count {
        let corners = body.u16_le()?;
        let bytes = body.take(usize::from(corners).saturating_mul(size_of::<u16>()))?;
        // One bounds check per face, because faces are most of a file.
        let corners = bytes.as_chunks::<2>().0.iter().map(|bytes| u16::from_le_bytes(*bytes).into()).collect();
        faces.push(Face { corners, bare: true, ..Face::default() });
    }
    body.finish()?;
    Ok(Some(faces))
}

/// Reads the entry of a face: texture, flags and mapping. It is preserved as unknown if there is no such face, or if the face has
/// an entry already.
fn entry<'a>(
    raw: &Raw<'a>,
    faces: &mut [Face],
    reader: &mut Reader<'_>,
    around: &mut ChunkReader,
) -> Result<(), ReadError> {
    let mut input = raw.body.clone();
    let number = length(input.u32_le()?);
    let Some(face) = faces.get_mut(number).filter(|face| face.bare) else {
        around.keep(raw);
        return Ok(());
    };
    around.known();
    face.bare = false;
    face.flags = FaceFlags(input.u32_le()?);
    face.set_light([input.f32_le()?.into(), input.f32_le()?.into()]);
    let mut row = ChunkReader::default();
    while let Some(chunk) = next(&mut input).in_item("faces", number)? {
        let mut body = chunk.body.clone();
        match chunk.id {
            NAME => row.name(&chunk, &mut face.texture, reader.shared),
            UVS if face.uvs.is_none() => {
                let count =
                    counted(&mut body, size_of::<[f64; 2]>(), "texture coordinates").in_item("faces", number)?;
                let mut uvs = Vec::with_capacity(count.saturating_mul(2));
                for _ in 0..count {
                    uvs.extend(doubles::<2>(&mut body)?);
                }
                face.uvs = Some(uvs.into());
                row.known();
            }
            VECTORS if face.vectors.is_none() && body.remaining() == size_of::<[f64; 8]>() => {
                face.vectors = Some(reader.shared.vectors([doubles(&mut body)?, doubles(&mut body)?]));
                row.known();
            }
            MAPPING if face.mapping.is_none() && body.remaining() == size_of::<[f64; 5]>() => {
                face.mapping = Some(reader.shared.mapping(doubles(&mut body)?));
                row.known();
            }
            _ => row.keep(&chunk),
        }
    }
    face.extra = row.finish().into();
    Ok(())
}
