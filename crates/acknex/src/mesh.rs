//! Triangles with texture coordinates, as models and terrains have them.

use std::borrow::Cow;

use mapwright_io::FixedBytes;

/// A mesh of triangles with its animation frames: a group of a model, or a terrain.
///
/// Axes are X forward, Y left, Z up, in quants. Triangles are clockwise as seen from outside.
#[derive(Debug, Clone, PartialEq)]
pub struct Mesh {
    /// The name; mostly empty.
    pub name: FixedBytes<16>,
    /// The vertices in the first pose.
    pub positions: Vec<[f32; 3]>,
    /// The normal of each vertex, which points outwards and may have any length. Files store inward normals; the reader negates them.
    /// Empty if the file stores no normals, or only indices into a table.
    pub normals: Vec<[f32; 3]>,
    /// The triangles. Their vertices exist.
    pub triangles: Vec<Triangle>,
    /// The frames of the vertex animation. The first one is the first pose.
    pub frames: Vec<Frame>,
}

/// A triangle of a mesh.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Triangle {
    /// Indices of the vertices.
    pub vertices: [u32; 3],
    /// Texture coordinates of the corners: 0 to 1 over the image, v down. Values outside repeat the image. `None` if the triangle has no
    /// texture coordinates.
    pub uvs: Option<[[f32; 2]; 3]>,
    /// Index of a skin that exists in the file.
    pub skin: Option<u32>,
}

/// A pose of a mesh.
#[derive(Debug, Clone, PartialEq)]
pub struct Frame {
    /// The name. Frames of one animation have the same name with different numbers at the end.
    pub name: FixedBytes<16>,
    /// The vertices that [`positions`](Self::positions) replace. Empty if they replace all vertices, in order.
    pub vertices: Vec<u32>,
    /// Positions of vertices. Empty if the frame equals the first pose.
    pub positions: Vec<[f32; 3]>,
    /// Number of bones that the frame moves. This crate does not apply them.
    pub turned_bones: u32,
}

/// Counts records with invalid numbers that a reader replaced.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Repairs {
    /// Triangles with missing vertices, or with positions that are not finite. They were left out.
    pub triangles: usize,
    /// Texture coordinates that are missing or not finite. They became (0, 0).
    pub uvs: usize,
    /// Triangles whose skin is missing. They have no skin.
    pub skins: usize,
}

impl Mesh {
    pub(crate) const fn new(name: FixedBytes<16>) -> Self {
        Self { name, positions: Vec::new(), normals: Vec::new(), triangles: Vec::new(), frames: Vec::new() }
    }

    /// Returns the positions of all vertices in a frame. For a frame that does not exist, returns the first pose.
    pub fn pose(&self, frame: usize) -> Cow<'_, [[f32; 3]]> {
        let Some(frame) = self.frames.get(frame).filter(|frame| !frame.positions.is_empty()) else {
            return Cow::Borrowed(&self.positions);
        };
        let mut positions = self.positions.clone();
        if frame.vertices.is_empty() {
            positions.iter_mut().zip(&frame.positions).for_each(|(to, from)| *to = *from);
        }
        for (&vertex, position) in frame.vertices.iter().zip(&frame.positions) {
            if let Some(to) = usize::try_from(vertex).ok().and_then(|vertex| positions.get_mut(vertex)) {
                *to = *position;
            }
        }
        Cow::Owned(positions)
    }

    /// Removes triangles with missing vertices or positions that are not finite.
    pub(crate) fn repair(&mut self, repairs: &mut Repairs) {
        let positions = &self.positions;
        let is_usable = |&vertex: &u32| {
            let position = usize::try_from(vertex).ok().and_then(|vertex| positions.get(vertex));
            position.is_some_and(|position| position.iter().all(|number| number.is_finite()))
        };
        let before = self.triangles.len();
        self.triangles.retain(|triangle| triangle.vertices.iter().all(is_usable));
        repairs.triangles = repairs.triangles.saturating_add(before.saturating_sub(self.triangles.len()));
        let uvs = self.triangles.iter_mut().filter_map(|triangle| triangle.uvs.as_mut()).flatten();
        for uv in uvs.filter(|uv| uv.iter().any(|number| !number.is_finite())) {
            *uv = [0.0; 2];
            repairs.uvs = repairs.uvs.saturating_add(1);
        }
    }
}
