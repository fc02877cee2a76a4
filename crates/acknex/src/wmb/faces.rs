//! The faces of a compiled level.

use mapwright_io::{Budget, Context as _, Input};

use super::{List, Wmb, WmbVersion};
use crate::header::count;
use crate::skin::{error_at, to_usize};
use crate::{ReadError, ReadErrorKind};

/// The faces of a compiled level, in the coordinates of the map: X forward, Y left, Z up, in quants.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct LevelMesh {
    /// The vertices.
    pub positions: Vec<[f32; 3]>,
    /// The corners of all faces, one face after another.
    pub corners: Vec<FaceCorner>,
    /// The faces, including those that games do not draw.
    pub faces: Vec<LevelFace>,
}

/// A corner of a face.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct FaceCorner {
    /// Index of the vertex. It exists.
    pub vertex: u32,
    /// Texture coordinates: 0 to 1 over the image, v down. (0, 0) if the texture is missing.
    pub uv: [f32; 2],
}

/// A face: a convex polygon, clockwise as seen from outside.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct LevelFace {
    /// Number of corners, at least 3.
    pub corners: u32,
    /// Index for [`Wmb::texture`], if that texture exists.
    pub texture: Option<u32>,
    /// The flags. The low four bits are the kind of the face.
    pub flags: u32,
}

impl LevelFace {
    const KIND: u32 = 15;
    const SKY: u32 = 5;
    const TURBULENCE: u32 = 9;
    const NONE: u32 = 11;

    /// Returns `true` if games do not draw the face, which only stops movement.
    pub const fn is_hidden(&self) -> bool {
        self.flags & Self::KIND == Self::NONE
    }

    /// Returns `true` if games draw the sky in place of the face.
    pub const fn is_sky(&self) -> bool {
        self.flags & Self::KIND == Self::SKY
    }

    /// Returns `true` for water and other liquids.
    pub const fn is_turbulent(&self) -> bool {
        self.flags & Self::KIND == Self::TURBULENCE
    }
}

impl LevelMesh {
    /// Iterates over the faces with their corners.
    pub fn iter(&self) -> impl Iterator<Item = (LevelFace, &[FaceCorner])> {
        let mut rest = &*self.corners;
        self.faces.iter().map(move |face| {
            let (corners, after) = rest.split_at_checked(to_usize(face.corners)).unwrap_or((rest, &[]));
            rest = after;
            (*face, corners)
        })
    }
}

pub(super) fn read(level: &Wmb<'_>, budget: &mut Budget) -> Result<LevelMesh, ReadError> {
    let sizes: Vec<Option<[f32; 2]>> = (0..level.texture_count()).map(|index| texture_size(level, index)).collect();
    if level.version == WmbVersion::Wmb7 {
        read_blocks(&mut level.list(List::Blocks), &sizes, budget)
    } else {
        read_surfaces(level, &sizes, budget).in_field("faces")
    }
}

#[allow(clippy::cast_precision_loss, reason = "sides of images are small")]
fn texture_size(level: &Wmb<'_>, index: usize) -> Option<[f32; 2]> {
    let size = level.texture(index)?.size;
    size.iter().all(|side| *side > 0).then_some(size.map(|side| side as f32))
}

/// Reads the blocks of WMB7: vertices, triangles, and the textures and flags of triangles.
fn read_blocks(input: &mut Input<'_>, sizes: &[Option<[f32; 2]>], budget: &mut Budget) -> Result<LevelMesh, ReadError> {
    let mut mesh = LevelMesh::default();
    if input.is_empty() {
        return Ok(mesh);
    }
    let blocks = input.u32_le()?;
    for block in 0..input.count(blocks.into(), 40, "blocks")? {
        read_block(input, &mut mesh, sizes, budget).in_item("blocks", block)?;
    }
    Ok(mesh)
}

fn read_block(
    input: &mut Input<'_>,
    mesh: &mut LevelMesh,
    sizes: &[Option<[f32; 2]>],
    budget: &mut Budget,
) -> Result<(), ReadError> {
    // The box and the content.
    input.take(28)?;
    let [vertices, triangles, skins] = [input.u32_le()?, input.u32_le()?, input.u32_le()?];
    let vertices = count(input, vertices, 28, "vertices", budget)?;
    let first = mesh.positions.len();
    let mut uvs = Vec::with_capacity(vertices);
    for _ in 0..vertices {
        let mut record = input.sub(28)?;
        mesh.positions.push([record.f32_le()?, record.f32_le()?, record.f32_le()?]);
        uvs.push([record.f32_le()?, record.f32_le()?]);
    }
    let triangles = count(input, triangles, 12, "triangles", budget)?;
    let mut records = input.sub(triangles.saturating_mul(12))?;
    let skins = count(input, skins, 20, "skins", budget)?;
    let mut looks = Vec::with_capacity(skins);
    for _ in 0..skins {
        let mut record = input.sub(20)?;
        let texture = u32::from(record.u16_le()?);
        record.take(14)?;
        looks.push((texture, record.u32_le()?));
    }
    for _ in 0..triangles {
        let at = records.position();
        let mut record = records.sub(12)?;
        let corners = [record.u16_le()?, record.u16_le()?, record.u16_le()?];
        let skin = usize::from(record.u16_le()?);
        let missing = |what, index: usize, count: usize| {
            let (index, count) = (index as u64, count as u64);
            error_at(at, ReadErrorKind::Index { what, index, count })
        };
        let &(texture, flags) = looks.get(skin).ok_or_else(|| missing("skin", skin, looks.len()))?;
        for corner in corners.map(usize::from) {
            let uv = *uvs.get(corner).ok_or_else(|| missing("vertex", corner, uvs.len()))?;
            // Offsets have 32 bits, and a file has fewer vertices than bytes.
            let vertex = u32::try_from(first.saturating_add(corner)).unwrap_or(u32::MAX);
            mesh.corners.push(FaceCorner { vertex, uv });
        }
        let texture = Some(texture).filter(|texture| sizes.get(to_usize(*texture)).is_some_and(Option::is_some));
        mesh.faces.push(LevelFace { corners: 3, texture, flags });
    }
    Ok(())
}

/// The tables that faces of older levels refer to.
struct Tables<'a> {
    /// Indices of edges. A negative number is an edge in reverse direction.
    edge_list: Vec<i32>,
    edges: Input<'a>,
    /// The size of an index in the list of edges.
    index_size: usize,
    materials: Input<'a>,
    vertices: usize,
}

/// Reads the faces of WMB2 to WMB6: loops of edges, with texture vectors.
fn read_surfaces(level: &Wmb<'_>, sizes: &[Option<[f32; 2]>], budget: &mut Budget) -> Result<LevelMesh, ReadError> {
    let is_old = level.version == WmbVersion::Wmb2;
    let (face_size, index_size) = if is_old { (20, 2) } else { (24, 4) };
    let mut mesh = LevelMesh::default();
    let mut vertices = level.list(List::Vertices);
    let vertex_count = vertices.remaining() / 12;
    budget.take_items(vertex_count as u64, vertices.position())?;
    mesh.positions.reserve_exact(vertex_count);
    for _ in 0..vertex_count {
        mesh.positions.push([vertices.f32_le()?, vertices.f32_le()?, vertices.f32_le()?]);
    }
    let mut edge_list = level.list(List::Loops);
    let edge_count = edge_list.remaining() / 4;
    let tables = Tables {
        edge_list: edge_list.i32s_le(edge_count)?,
        edges: level.list(List::Edges),
        index_size,
        materials: level.list(List::Materials),
        vertices: vertex_count,
    };
    // Compilers write one entry for each corner. Without a limit, faces of a small file could share entries and have any number of corners.
    let max_corners = edge_count.saturating_mul(2).saturating_add(1 << 16);
    let mut faces = level.list(List::Faces);
    while faces.remaining() >= face_size {
        let at = faces.position();
        let mut record = faces.sub(face_size)?;
        // The plane and its side.
        record.take(4)?;
        let first = record.u32_le()?;
        let [corners, material] = [record.u16_le()?, record.u16_le()?];
        budget.take_items(corners.into(), at)?;
        if mesh.corners.len().saturating_add(corners.into()) > max_corners {
            return Err(error_at(at, ReadErrorKind::SharedEdges(max_corners)));
        }
        let error =
            |what, index: u64, count: usize| error_at(at, ReadErrorKind::Index { what, index, count: count as u64 });
        if corners < 3 {
            return Err(error_at(at, ReadErrorKind::FaceCorners(corners)));
        }
        let look = tables.look(material).ok_or_else(|| error("material", material.into(), tables.material_count()))?;
        let size = sizes.get(to_usize(look.texture)).copied().flatten();
        let range = to_usize(first)..to_usize(first).saturating_add(corners.into());
        let edges = tables.edge_list.get(range).ok_or_else(|| error("edge list", first.into(), edge_count))?;
        for &edge in edges {
            let vertex =
                tables.vertex(edge).ok_or_else(|| error("edge", edge.unsigned_abs().into(), tables.edge_count()))?;
            let position = mesh.positions.get(to_usize(vertex)).copied();
            let position = position.ok_or_else(|| error("vertex", vertex.into(), tables.vertices))?;
            mesh.corners.push(FaceCorner { vertex, uv: size.map_or([0.0; 2], |size| look.uv(position, size)) });
        }
        let texture = size.map(|_| look.texture);
        mesh.faces.push(LevelFace { corners: corners.into(), texture, flags: look.flags });
    }
    Ok(mesh)
}

/// Appearance of a face: texture vectors, texture and flags.
struct Look {
    vectors: [[f32; 4]; 2],
    texture: u32,
    flags: u32,
}

impl Look {
    /// Returns the texture coordinates of a position. The texture vectors map positions to texels.
    #[allow(clippy::cast_possible_truncation, reason = "rounds to single precision")]
    fn uv(&self, [x, y, z]: [f32; 3], [width, height]: [f32; 2]) -> [f32; 2] {
        let [x, y, z] = [x, y, z].map(f64::from);
        let [u, v] = self.vectors.map(|vector| {
            let [a, b, c, d] = vector.map(f64::from);
            a * x + b * y + c * z + d
        });
        [(u / f64::from(width)) as f32, (v / f64::from(height)) as f32]
    }
}

impl Tables<'_> {
    const MATERIAL: usize = 64;

    fn material_count(&self) -> usize {
        self.materials.remaining() / Self::MATERIAL
    }

    fn look(&self, index: u16) -> Option<Look> {
        let bytes = self.materials.peek().get(usize::from(index).checked_mul(Self::MATERIAL)?..)?;
        let mut input = Input::new(bytes.get(..Self::MATERIAL)?);
        let mut vectors = [[0.0; 4]; 2];
        for number in vectors.iter_mut().flatten() {
            *number = input.f32_le().ok()?;
        }
        Some(Look { vectors, texture: input.u32_le().ok()?, flags: input.u16_le().ok()?.into() })
    }

    fn edge_count(&self) -> usize {
        self.edges.remaining().checked_div(self.index_size.saturating_mul(2)).unwrap_or(0)
    }

    /// Returns the vertex at which an edge begins, in the direction of the edge.
    fn vertex(&self, edge: i32) -> Option<u32> {
        let size = self.index_size;
        let start = to_usize(edge.unsigned_abs()).checked_mul(size.checked_mul(2)?)?;
        let start = if edge < 0 { start.checked_add(size)? } else { start };
        let mut input = Input::new(self.edges.peek().get(start..)?);
        if size == 2 { input.u16_le().ok().map(u32::from) } else { input.u32_le().ok() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Source: face flags of libgamestudio; kinds of surfaces in Conitec's page "Group / Block Properties".
    #[test]
    fn kinds_of_faces_have_the_published_values() {
        let face = |flags| LevelFace { corners: 3, texture: None, flags };
        assert!(face(11).is_hidden() && face(75).is_hidden() && face(16395).is_hidden() && !face(3).is_hidden());
        assert!(face(5).is_sky() && face(9).is_turbulent() && !face(9).is_sky());
    }
}
