//! Vertices and triangles in the buffer.

use std::collections::BTreeMap;

use mapwright_io::math;

use super::{Writer, push, tangents};
use crate::gltf::{
    buffer::Block,
    json::{Accessor, codes},
};

/// Vertices as rows of words, and triangles.
pub(super) struct Geometry {
    /// The rows: position, normal and other attributes.
    pub words: Vec<u32>,
    /// Number of words in a row.
    pub width: usize,
    /// Three rows per triangle.
    pub indices: Vec<u32>,
}

/// Vertices and triangles as blocks of the buffer.
pub(super) struct GeometryBlocks<'a> {
    pub vertices: Block<'a>,
    /// Number of rows.
    pub rows: usize,
    /// Number of words in a row.
    pub width: usize,
    /// Minimum and maximum of the positions.
    pub bounds: Bounds,
    pub tangents: Option<Vec<[f32; 4]>>,
    /// Indices of the size of [`has_short_indices`].
    pub indices: Block<'a>,
    /// Number of indices.
    pub count: usize,
}

/// The attributes at the start of every row.
pub(super) const PLACED: [(&str, usize, &str); 2] = [("POSITION", 0, "VEC3"), ("NORMAL", 3, "VEC3")];

impl<'a> Writer<'a> {
    /// Writes geometry whose rows have attributes with these names, first words and shapes. Adds tangents if a first word of
    /// texture coordinates is given. Returns the accessors of the attributes and of the indices.
    pub(super) fn geometry(
        &mut self,
        Geometry { words, width, indices }: Geometry,
        names: impl IntoIterator<Item = (impl Into<String>, usize, &'static str)>,
        tangents: Option<usize>,
    ) -> (BTreeMap<String, u32>, u32) {
        let rows = words.len().checked_div(width).unwrap_or(0);
        let positions = words.chunks_exact(width).filter_map(<[u32]>::first_chunk);
        let blocks = GeometryBlocks {
            rows,
            width,
            bounds: Bounds::new(positions.map(|position| position.map(f32::from_bits))),
            tangents: tangents.map(|uv| tangents::tangents(&words, width, uv, &indices)),
            count: indices.len(),
            vertices: Block::Words(words),
            indices: if has_short_indices(rows) {
                let halves = indices.iter().map(|&index| short_index(index));
                Block::Bytes(halves.flat_map(u16::to_le_bytes).collect::<Vec<u8>>().into())
            } else {
                Block::Words(indices)
            },
        };
        self.geometry_blocks(blocks, names)
    }

    /// Writes blocks of geometry; see [`geometry`](Self::geometry).
    pub(super) fn geometry_blocks(
        &mut self,
        blocks: GeometryBlocks<'a>,
        names: impl IntoIterator<Item = (impl Into<String>, usize, &'static str)>,
    ) -> (BTreeMap<String, u32>, u32) {
        let GeometryBlocks { vertices, rows, width, bounds, tangents, indices, count } = blocks;
        let view = self.view(Some(width as u64 * 4), Some(codes::ARRAY_BUFFER), vertices);
        let mut attributes = BTreeMap::new();
        for (name, first, shape) in names {
            let name = name.into();
            let accessor = self.accessor(view, first as u64 * 4, codes::FLOAT, shape, rows);
            if name == "POSITION"
                && let Some(accessor) = self.root.accessors.get_mut(accessor as usize)
            {
                (accessor.min, accessor.max) = bounds.to_lists();
            }
            attributes.insert(name, accessor);
        }
        if let Some(tangents) = tangents {
            let words = tangents.iter().flatten().map(|number| number.to_bits()).collect();
            let view = self.view(None, Some(codes::ARRAY_BUFFER), Block::Words(words));
            attributes.insert("TANGENT".into(), self.accessor(view, 0, codes::FLOAT, "VEC4", rows));
        }
        let view = self.view(None, Some(codes::ELEMENT_ARRAY_BUFFER), indices);
        let component = if has_short_indices(rows) { codes::UNSIGNED_SHORT } else { codes::UNSIGNED_INT };
        (attributes, self.accessor(view, 0, component, "SCALAR", count))
    }

    /// Writes rows of numbers as a new view and accessor.
    pub(super) fn column(&mut self, words: Vec<u32>, component: u32, shape: &str, rows: usize) -> u32 {
        let view = self.view(None, None, Block::Words(words));
        self.accessor(view, 0, component, shape, rows)
    }

    fn accessor(&mut self, view: u32, offset: u64, component_type: u32, shape: &str, count: usize) -> u32 {
        let accessor = Accessor {
            buffer_view: Some(view),
            byte_offset: offset,
            component_type,
            count: count as u64,
            shape: shape.into(),
            ..Accessor::default()
        };
        push(&mut self.root.accessors, accessor)
    }
}

/// Rounds to 32 bits. Numbers beyond the range become infinite.
#[allow(clippy::cast_possible_truncation)]
pub(super) fn single(number: f64) -> f32 {
    number as f32
}

/// Returns a number, or 0 if it is negative.
pub(super) fn not_negative(number: f64) -> f64 {
    math::positive_zero(number.max(0.0))
}

/// Returns `true` if the indices of this many rows have 16 bits. The largest 16-bit number restarts a strip in every mode, so it is not an
/// index.
pub(super) fn has_short_indices(rows: usize) -> bool {
    rows <= usize::from(u16::MAX)
}

/// Converts an index to 16 bits.
pub(super) fn short_index(index: u32) -> u16 {
    u16::try_from(index).unwrap_or(u16::MAX)
}

/// The minimum and maximum of positions.
pub(super) struct Bounds([[f32; 3]; 2]);

impl Bounds {
    pub(super) fn new(positions: impl IntoIterator<Item = [f32; 3]>) -> Self {
        let empty = [[f32::INFINITY; 3], [f32::NEG_INFINITY; 3]];
        Self(positions.into_iter().fold(empty, |[least, greatest], [x, y, z]| {
            [
                [least[0].min(x), least[1].min(y), least[2].min(z)],
                [greatest[0].max(x), greatest[1].max(y), greatest[2].max(z)],
            ]
        }))
    }

    /// Returns the minimum and maximum as lists.
    fn to_lists(&self) -> (Vec<f64>, Vec<f64>) {
        let list = |numbers: [f32; 3]| numbers.map(|number| math::positive_zero(number.into())).to_vec();
        let [least, greatest] = self.0.map(list);
        (least, greatest)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bounds_contain_no_negative_zero() {
        for zeros in [[0.0_f32, -0.0], [-0.0, 0.0], [-0.0; 2]] {
            let (least, greatest) = Bounds::new(zeros.map(|zero| [zero, 1.5, zero])).to_lists();
            for bounds in [least, greatest] {
                let bits: Vec<u64> = bounds.into_iter().map(f64::to_bits).collect();
                assert_eq!(bits, [0.0_f64, 1.5, 0.0].map(f64::to_bits), "{zeros:?}");
            }
        }
        assert_eq!(not_negative(-0.0).to_bits(), 0);
        assert_eq!([-1.0, 2.0].map(not_negative), [0.0, 2.0]);
    }
}
