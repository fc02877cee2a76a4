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

/// The attributes at the start of every row.
pub(super) const PLACED: [(&str, usize, &str); 2] = [("POSITION", 0, "VEC3"), ("NORMAL", 3, "VEC3")];

impl Writer<'_> {
    /// Writes geometry whose rows have attributes with these names, first words and shapes. Adds tangents if a first word of
    /// texture coordinates is given. Returns the accessors of the attributes and of the indices.
    pub(super) fn geometry(
        &mut self,
        Geometry { words, width, indices }: Geometry,
        names: impl IntoIterator<Item = (impl Into<String>, usize, &'static str)>,
        tangents: Option<usize>,
    ) -> (BTreeMap<String, u32>, u32) {
        let rows = words.len().checked_div(width).unwrap_or(0);
        let bounds = bounds(&words, width);
        let tangents = tangents.map(|uv| tangents::tangents(&words, width, uv, &indices));
        let view = self.view(Some(width as u64 * 4), Some(codes::ARRAY_BUFFER), Block::Words(words));
        let mut attributes = BTreeMap::new();
        for (name, first, shape) in names {
            let name = name.into();
            let accessor = self.accessor(view, first as u64 * 4, codes::FLOAT, shape, rows);
            if name == "POSITION"
                && let Some(accessor) = self.root.accessors.get_mut(accessor as usize)
            {
                (accessor.min, accessor.max) = (bounds.0.clone(), bounds.1.clone());
            }
            attributes.insert(name, accessor);
        }
        if let Some(tangents) = tangents {
            let words = tangents.iter().flatten().map(|number| number.to_bits()).collect();
            let view = self.view(None, Some(codes::ARRAY_BUFFER), Block::Words(words));
            attributes.insert("TANGENT".into(), self.accessor(view, 0, codes::FLOAT, "VEC4", rows));
        }
        (attributes, self.index_view(indices, rows))
    }

    fn index_view(&mut self, indices: Vec<u32>, rows: usize) -> u32 {
        let count = indices.len();
        // The largest 16-bit number restarts a strip in every mode, so it is not an index.
        let is_short = rows <= usize::from(u16::MAX);
        let block = if is_short {
            let halves = indices.iter().map(|&index| u16::try_from(index).unwrap_or(u16::MAX));
            Block::Bytes(halves.flat_map(u16::to_le_bytes).collect::<Vec<u8>>().into())
        } else {
            Block::Words(indices)
        };
        let view = self.view(None, Some(codes::ELEMENT_ARRAY_BUFFER), block);
        let component = if is_short { codes::UNSIGNED_SHORT } else { codes::UNSIGNED_INT };
        self.accessor(view, 0, component, "SCALAR", count)
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

/// Returns the minimum and maximum of the positions at the start of rows.
fn bounds(words: &[u32], width: usize) -> (Vec<f64>, Vec<f64>) {
    let (mut least, mut greatest) = ([f32::INFINITY; 3], [f32::NEG_INFINITY; 3]);
    for row in words.chunks_exact(width) {
        for ((least, greatest), &word) in least.iter_mut().zip(&mut greatest).zip(row) {
            let number = f32::from_bits(word);
            *least = least.min(number);
            *greatest = greatest.max(number);
        }
    }
    let list = |numbers: [f32; 3]| numbers.map(|number| math::positive_zero(number.into())).to_vec();
    (list(least), list(greatest))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bounds_contain_no_negative_zero() {
        for zeros in [[0.0_f32, -0.0], [-0.0, 0.0], [-0.0; 2]] {
            let words: Vec<u32> =
                zeros.iter().flat_map(|zero| [zero.to_bits(), 1.5_f32.to_bits(), zero.to_bits()]).collect();
            let (least, greatest) = bounds(&words, 3);
            for bounds in [least, greatest] {
                let bits: Vec<u64> = bounds.into_iter().map(f64::to_bits).collect();
                assert_eq!(bits, [0.0_f64, 1.5, 0.0].map(f64::to_bits), "{zeros:?}");
            }
        }
        assert_eq!(not_negative(-0.0).to_bits(), 0);
        assert_eq!([-1.0, 2.0].map(not_negative), [0.0, 2.0]);
    }
}
