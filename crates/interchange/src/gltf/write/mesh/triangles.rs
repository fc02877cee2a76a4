//! The triangles of a primitive.

use std::sync::Arc;

use mapwright_io::parallel;

use super::{
    super::vertices::{has_short_indices, short_index},
    Surface,
};
use crate::{
    gltf::buffer::Computed,
    triangles::{Triangulator, split_quad},
};

/// Number of faces that a thread splits at a time.
const FACES: usize = 1 << 14;

/// The triangles of the faces of a primitive.
pub(super) struct Triangles<'a> {
    surface: Arc<Surface<'a>>,
    /// The row of each corner in its primitive.
    row_of: Arc<Vec<u32>>,
    faces: Vec<u32>,
    /// The number of indices of each part of [`FACES`] faces.
    counts: Vec<usize>,
    /// `true` for indices of 16 bits.
    is_short: bool,
}

impl<'a> Triangles<'a> {
    /// Creates the triangles of faces with `rows` rows.
    pub(super) fn new(surface: Arc<Surface<'a>>, row_of: Arc<Vec<u32>>, faces: Vec<u32>, rows: usize) -> Self {
        let corners = |face: &u32| surface.mesh.faces.get(*face as usize).map_or(0, <[u32]>::len);
        // A polygon with n corners has n − 2 triangles.
        let count = |part: &[u32]| part.iter().map(|face| corners(face).saturating_sub(2) * 3).sum();
        let counts = faces.chunks(FACES).map(count).collect();
        Self { surface, row_of, faces, counts, is_short: has_short_indices(rows) }
    }

    /// Returns the number of indices.
    pub(super) fn count(&self) -> usize {
        self.counts.iter().sum()
    }

    /// Returns three rows for each triangle.
    pub(super) fn indices(&self) -> Vec<u32> {
        let mut bytes = vec![0; self.count() * 4];
        self.write_as(&mut bytes, u32::to_le_bytes);
        bytes.as_chunks().0.iter().map(|word| u32::from_le_bytes(*word)).collect()
    }

    pub(super) fn into_computed(self) -> Computed<'a> {
        let length = self.count() * if self.is_short { 2 } else { 4 };
        let write = move |out: &mut [u8]| {
            if self.is_short {
                self.write_as(out, |index| short_index(index).to_le_bytes());
            } else {
                self.write_as(out, u32::to_le_bytes);
            }
        };
        Computed { length, write: Box::new(write) }
    }

    /// Writes all indices as numbers of `N` bytes.
    fn write_as<const N: usize>(&self, out: &mut [u8], to_bytes: impl Fn(u32) -> [u8; N] + Send + Sync) {
        let (mut out, mut parts) = (out.as_chunks_mut().0, Vec::with_capacity(self.counts.len()));
        for (faces, &count) in self.faces.chunks(FACES).zip(&self.counts) {
            let Some((part, rest)) = out.split_at_mut_checked(count) else { return };
            out = rest;
            parts.push((faces, part));
        }
        parallel::map(parts, |(faces, out)| self.write_part(faces, out, &to_bytes));
    }

    fn write_part<const N: usize>(&self, faces: &[u32], out: &mut [[u8; N]], to_bytes: impl Fn(u32) -> [u8; N]) {
        let mesh = &*self.surface.mesh;
        let (mut triangulator, mut points) = (Triangulator::new(), Vec::new());
        let mut out = out.as_chunks_mut::<3>().0.iter_mut();
        for &face in faces {
            let face = face as usize;
            let rows = mesh.faces.corner_range(face).and_then(|range| self.row_of.get(range)).unwrap_or_default();
            let position = |vertex: &u32| self.surface.position(*vertex);
            let mut put = |triangle: &[u32; 3]| {
                if let Some(place) = out.next() {
                    *place = triangle.map(|corner| to_bytes(rows.get(corner as usize).copied().unwrap_or_default()));
                }
            };
            match mesh.faces.get(face).unwrap_or_default() {
                [_, _, _] => put(&[0, 1, 2]),
                [a, b, c, d] => split_quad(&[a, b, c, d].map(position)).iter().for_each(put),
                vertices => {
                    points.clear();
                    points.extend(vertices.iter().map(position));
                    triangulator.split(&points).iter().for_each(put);
                }
            }
        }
    }
}
