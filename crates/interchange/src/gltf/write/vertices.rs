//! Vertices and triangles in the buffer.

use std::collections::BTreeMap;

use super::{Writer, push, tangents};
use crate::gltf::json::{Accessor, codes};

/// Vertices as rows of words, and triangles.
pub(super) struct Geometry<'g> {
    /// The rows: position, normal and other attributes.
    pub words: &'g [u32],
    /// Number of words in a row.
    pub width: usize,
    /// Three rows per triangle.
    pub indices: &'g [u32],
}

/// The attributes at the start of every row.
pub(super) const PLACED: [(&str, usize, &str); 2] = [("POSITION", 0, "VEC3"), ("NORMAL", 3, "VEC3")];

impl Geometry<'_> {
    fn rows(&self) -> usize {
        self.words.len().checked_div(self.width).unwrap_or(0)
    }
}

impl Writer<'_> {
    /// Writes geometry whose rows have attributes with these names, first words and shapes. Adds tangents if a first word of
    /// texture coordinates is given. Returns the accessors of the attributes and of the indices.
    pub(super) fn geometry(
        &mut self,
        geometry: &Geometry<'_>,
        names: impl IntoIterator<Item = (impl Into<String>, usize, &'static str)>,
        tangents: Option<usize>,
    ) -> (BTreeMap<String, u32>, u32) {
        let Geometry { words, width, indices } = *geometry;
        let rows = geometry.rows() as u64;
        let view = self.view(Some(width as u64 * 4), Some(codes::ARRAY_BUFFER), |bin| push_words(bin, words));
        let mut attributes = BTreeMap::new();
        for (name, first, shape) in names {
            let name = name.into();
            let accessor = self.accessor(view, first as u64 * 4, codes::FLOAT, shape, rows);
            if name == "POSITION"
                && let Some(accessor) = self.root.accessors.get_mut(accessor as usize)
            {
                (accessor.min, accessor.max) = bounds(words, width);
            }
            attributes.insert(name, accessor);
        }
        if let Some(uv) = tangents {
            let tangents = tangents::tangents(words, width, uv, indices);
            let words: Vec<u32> = tangents.iter().flatten().map(|number| number.to_bits()).collect();
            let view = self.view(None, Some(codes::ARRAY_BUFFER), |bin| push_words(bin, &words));
            attributes.insert("TANGENT".into(), self.accessor(view, 0, codes::FLOAT, "VEC4", rows));
        }
        (attributes, self.index_view(indices, geometry.rows()))
    }

    fn index_view(&mut self, indices: &[u32], rows: usize) -> u32 {
        // The largest 16-bit number restarts a strip in every mode, so it is not an index.
        let short = rows <= usize::from(u16::MAX);
        let view = self.view(None, Some(codes::ELEMENT_ARRAY_BUFFER), |bin| {
            if short {
                bin.reserve(indices.len() * 2);
                for &index in indices {
                    bin.extend_from_slice(&u16::try_from(index).unwrap_or(u16::MAX).to_le_bytes());
                }
            } else {
                push_words(bin, indices);
            }
        });
        let component = if short { codes::UNSIGNED_SHORT } else { codes::UNSIGNED_INT };
        self.accessor(view, 0, component, "SCALAR", indices.len() as u64)
    }

    /// Writes rows of numbers as a new view and accessor.
    pub(super) fn column(&mut self, words: &[u32], component: u32, shape: &str, rows: usize) -> u32 {
        let view = self.view(None, None, |bin| push_words(bin, words));
        self.accessor(view, 0, component, shape, rows as u64)
    }

    fn accessor(&mut self, view: u32, offset: u64, component_type: u32, shape: &str, count: u64) -> u32 {
        let accessor = Accessor {
            buffer_view: Some(view),
            byte_offset: offset,
            component_type,
            count,
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
    (least.map(f64::from).to_vec(), greatest.map(f64::from).to_vec())
}

/// Appends words to the buffer.
fn push_words(bin: &mut Vec<u8>, words: &[u32]) {
    let start = bin.len();
    bin.resize(start + words.len() * 4, 0);
    let places = bin.get_mut(start..).unwrap_or_default().as_chunks_mut().0;
    for (place, word) in places.iter_mut().zip(words) {
        *place = word.to_le_bytes();
    }
}
