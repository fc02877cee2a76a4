//! The attributes of a vertex, word by word.

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
        // Returns `true` if a corner has a value, or if one has none.
        let any = |indices: Option<&[u32]>, has_value: bool| {
            let indices = indices.unwrap_or_default();
            let found = |index: &u32| (*index != NO_ROW) == has_value;
            ranges().any(|range| indices.get(range).is_some_and(|indices| indices.iter().any(found)))
        };
        let uvs = |set: usize| mesh.uv_sets.get(set).map(|set| set.corners.indices());
        let of_colors = |set: usize| mesh.color_sets.get(set).map(|set| set.corners.indices());
        let has_gaps = |are_complete: &[bool], set: usize, indices: Option<&[u32]>| match are_complete.get(set) {
            Some(is_complete) => !is_complete && any(indices, false),
            None => true,
        };
        let needed = material.map_or(0, |material| material.uv_sets);
        let used = (0..surface.uv_sets.len()).rev().find(|&set| any(uvs(set), true)).map_or(0, |set| set + 1);
        let uv_sets = used.max(needed);
        let colors: Vec<usize> = (0..surface.color_sets.len()).filter(|&set| any(of_colors(set), true)).collect();
        let has_numbers = surface.numbers.is_some();
        Self {
            words: FIRST_UV + 2 * uv_sets + 4 * colors.len() + usize::from(has_numbers),
            made_up: (0..uv_sets).any(|set| has_gaps(&surface.uv_sets, set, uvs(set)))
                || colors.iter().any(|&set| has_gaps(&surface.color_sets, set, of_colors(set))),
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

    /// Returns `true` if two corners at a vertex have the same words.
    pub(super) fn is_same(&self, surface: &Surface<'_>, corner: usize, other: usize) -> bool {
        /// Corners with the same row have the same words, and others may have them as well.
        fn has_same_row<T>(column: &CornerColumn<T>, corner: usize, other: usize) -> bool {
            let indices = column.indices();
            indices.get(corner) == indices.get(other)
        }
        let mesh = &*surface.mesh;
        let same_uv = |set: usize| {
            mesh.uv_sets.get(set).is_none_or(|column| has_same_row(&column.corners, corner, other))
                || uv_words(mesh, set, corner) == uv_words(mesh, set, other)
        };
        let same_color = |&set: &usize| {
            mesh.color_sets.get(set).is_none_or(|column| has_same_row(&column.corners, corner, other))
                || self.color_words(mesh, set, corner) == self.color_words(mesh, set, other)
        };
        (has_same_row(&surface.normals, corner, other) || normal_words(surface, corner) == normal_words(surface, other))
            && (0..self.uv_sets).all(same_uv)
            && self.colors.iter().all(same_color)
    }

    /// Writes the words of a corner.
    pub(super) fn fill(&self, row: &mut [u32], surface: &Surface<'_>, corner: usize) {
        let mesh = &*surface.mesh;
        let vertex = mesh.faces.corners().get(corner).map_or(0, |&vertex| vertex as usize);
        let mut words = row.iter_mut();
        let mut put = |word: u32| {
            if let Some(place) = words.next() {
                *place = word;
            }
        };
        let position = mesh.positions.get(vertex).copied().unwrap_or_default();
        position.into_iter().for_each(|number| put(single(number).to_bits()));
        normal_words(surface, corner).into_iter().for_each(&mut put);
        for set in 0..self.uv_sets {
            uv_words(mesh, set, corner).into_iter().for_each(&mut put);
        }
        for &set in &self.colors {
            self.color_words(mesh, set, corner).into_iter().for_each(&mut put);
        }
        if let Some(&number) = surface.numbers.as_ref().and_then(|numbers| numbers.get(vertex)) {
            put(single(number.into()).to_bits());
        }
    }

    fn color_words(&self, mesh: &Mesh, set: usize, corner: usize) -> [u32; 4] {
        let color = mesh.color_sets.get(set).and_then(|set| set.corners.get(corner));
        let [r, g, b, opacity] = color.unwrap_or([1.0; 4]).map(|channel| f64::from(channel.clamp(0.0, 1.0)));
        let [r, g, b] = self.color_space.to_linear([r, g, b]);
        [r, g, b, opacity].map(|channel| single(channel).to_bits())
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

fn normal_words(surface: &Surface<'_>, corner: usize) -> [u32; 3] {
    surface.normals.get(corner).unwrap_or_default().map(f32::to_bits)
}

fn uv_words(mesh: &Mesh, set: usize, corner: usize) -> [u32; 2] {
    let uv = mesh.uv_sets.get(set).and_then(|set| set.top_left(corner));
    uv.unwrap_or_default().map(|number| finite(single(number)).to_bits())
}

/// Returns the number, or the nearest number that fits into 32 bits.
fn finite(number: f32) -> f32 {
    number.clamp(f32::MIN, f32::MAX)
}
