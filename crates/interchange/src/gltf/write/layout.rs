//! The attributes of a vertex, word by word.

use std::ops::Range;

use mapwright_scene::{ColorSpace, CornerColumn, Mesh, NO_ROW};

use super::{material::Written, mesh::Surface, vertices::single};

const NORMAL: usize = 3;
const FIRST_UV: usize = 6;

/// The attribute for the numbers of vertices.
pub(super) const VERTEX_NUMBERS: &str = "_VERTEX";

/// The words of a vertex: position, normal, coordinates of each UV set, colours, number of the vertex.
pub(super) struct Layout {
    /// Number of words.
    pub words: usize,
    /// `true` if some corners get synthesized texture coordinates or colours.
    pub made_up: bool,
    uv_sets: usize,
    /// The colour sets that are written.
    colors: Vec<usize>,
    /// `true` if the first of them is visible.
    shown_colors: bool,
    color_space: ColorSpace,
    has_numbers: bool,
}

impl Layout {
    /// Creates the layout for the faces of a material: UV sets up to the last one that a face or the material uses, because
    /// numbers must not have gaps, and colours that a corner has.
    pub(super) fn new(
        surface: &Surface<'_>,
        color_space: ColorSpace,
        material: Option<Written>,
        faces: &[u32],
    ) -> Self {
        let mesh = &*surface.mesh;
        let ranges = || faces.iter().filter_map(|&face| mesh.faces.corner_range(face as usize));
        let maps = |set: usize| ranges().any(|range| is_mapped(mesh, set, &range));
        let needed = material.map_or(0, |material| material.uv_sets);
        let used = (0..surface.uv_sets).rev().find(|&set| maps(set)).map_or(0, |set| set + 1);
        let uv_sets = used.max(needed);
        let has = |set: usize, wanted: bool| {
            let Some(set) = mesh.color_sets.get(set) else { return false };
            ranges().any(|range| set.corners.range(range).any(|color| color.is_some() == wanted))
        };
        let colors: Vec<usize> = (0..surface.color_sets).filter(|&set| has(set, true)).collect();
        let has_numbers = surface.numbers.is_some();
        Self {
            words: FIRST_UV + 2 * uv_sets + 4 * colors.len() + usize::from(has_numbers),
            made_up: (0..uv_sets).any(|set| ranges().any(|range| !is_mapped(mesh, set, &range)))
                || colors.iter().any(|&set| has(set, false)),
            uv_sets,
            colors,
            // Colours without a material are visible: every program shows `COLOR_0`.
            shown_colors: material.is_none_or(|material| material.colors),
            color_space,
            has_numbers,
        }
    }

    /// Returns the first word of the coordinates of a UV set.
    pub(super) fn uv(&self, set: usize) -> Option<usize> {
        (set < self.uv_sets).then_some(FIRST_UV + 2 * set)
    }

    /// Returns the UV sets that map all corners of a face, as bits.
    pub(super) fn mapped(&self, mesh: &Mesh, range: &Range<usize>) -> u32 {
        (0..self.uv_sets).filter(|&set| is_mapped(mesh, set, range)).fold(0, |bits, set| bits | 1 << set)
    }

    /// Returns `true` if two corners at a vertex have the same words, because they have the same rows in all columns. Others may have
    /// the same words as well.
    pub(super) fn has_same_rows(&self, surface: &Surface<'_>, corner: usize, other: usize) -> bool {
        fn same<T>(column: &CornerColumn<T>, corner: usize, other: usize) -> bool {
            let indices = column.indices();
            indices.get(corner).zip(indices.get(other)).is_some_and(|(a, b)| a == b)
        }
        let mesh = &*surface.mesh;
        // Corners of partly mapped faces lose their coordinates.
        !self.made_up
            && same(&surface.normals, corner, other)
            && mesh.uv_sets.iter().take(self.uv_sets).all(|set| same(&set.corners, corner, other))
            && self
                .colors
                .iter()
                .all(|&set| mesh.color_sets.get(set).is_none_or(|set| same(&set.corners, corner, other)))
    }

    /// Writes the words of a corner.
    pub(super) fn fill(&self, row: &mut [u32], surface: &Surface<'_>, corner: usize, vertex: u32, mapped: u32) {
        let mesh = &*surface.mesh;
        let mut words = row.iter_mut();
        let mut put = |word: u32| {
            if let Some(place) = words.next() {
                *place = word;
            }
        };
        let position = mesh.positions.get(vertex as usize).copied().unwrap_or_default();
        position.into_iter().for_each(|number| put(single(number).to_bits()));
        let normal = surface.normals.get(corner).unwrap_or_default();
        normal.into_iter().for_each(|number| put(number.to_bits()));
        for set in 0..self.uv_sets {
            let uv = mesh.uv_sets.get(set).filter(|_| mapped >> set & 1 == 1).and_then(|set| set.top_left(corner));
            uv.unwrap_or_default().into_iter().for_each(|number| put(finite(single(number)).to_bits()));
        }
        for &set in &self.colors {
            let color = mesh.color_sets.get(set).and_then(|set| set.corners.get(corner));
            let [r, g, b, opacity] = color.unwrap_or([1.0; 4]).map(|channel| f64::from(channel.clamp(0.0, 1.0)));
            let linear = self.color_space.to_linear([r, g, b]);
            linear.into_iter().chain([opacity]).for_each(|channel| put(single(channel).to_bits()));
        }
        if let Some(numbers) = &surface.numbers {
            let number = numbers.get(vertex as usize).copied().unwrap_or(vertex);
            put(single(number.into()).to_bits());
        }
    }

    /// Returns the name, first word and shape of each attribute.
    pub(super) fn attributes(&self) -> Vec<(String, usize, &'static str)> {
        let mut all = vec![("POSITION".to_owned(), 0, "VEC3"), ("NORMAL".to_owned(), NORMAL, "VEC3")];
        all.extend((0..self.uv_sets).map(|set| (format!("TEXCOORD_{set}"), FIRST_UV + 2 * set, "VEC2")));
        let first_color = FIRST_UV + 2 * self.uv_sets;
        for (place, &set) in self.colors.iter().enumerate() {
            // Every program multiplies `COLOR_0` with the base colour. Invisible colours need another name.
            let hidden = if set == 0 && self.shown_colors { "" } else { "_" };
            all.push((format!("{hidden}COLOR_{set}"), first_color + 4 * place, "VEC4"));
        }
        if self.has_numbers {
            all.push((VERTEX_NUMBERS.to_owned(), self.words - 1, "SCALAR"));
        }
        all
    }

    /// Returns the first colour set that is not visible.
    pub(super) fn first_hidden_colors(&self) -> Option<usize> {
        self.colors.iter().copied().find(|&set| set > 0 || !self.shown_colors)
    }
}

/// Returns `true` if a UV set maps all corners of a face.
fn is_mapped(mesh: &Mesh, set: usize, range: &Range<usize>) -> bool {
    let indices = mesh.uv_sets.get(set).and_then(|set| set.corners.indices().get(range.clone()));
    indices.is_some_and(|indices| !indices.contains(&NO_ROW))
}

/// Returns for each corner if a UV set maps its whole face.
pub(super) fn mapped_corners(mesh: &Mesh, set: usize) -> impl Iterator<Item = bool> {
    (0..mesh.faces.len()).filter_map(|face| mesh.faces.corner_range(face)).flat_map(move |range| {
        let mapped = is_mapped(mesh, set, &range);
        range.map(move |_| mapped)
    })
}

/// Returns the number, or the nearest number that fits into 32 bits.
fn finite(number: f32) -> f32 {
    number.clamp(f32::MIN, f32::MAX)
}
