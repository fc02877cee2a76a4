//! The attributes of a vertex, word by word.

use mapwright_scene::{ColorSpace, Mesh, NO_ROW};

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
        let has_numbers = surface.has_numbers;
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

    /// Returns `true` if all corners of each vertex have the same words.
    pub(super) fn follows_vertices(&self, surface: &Surface<'_>) -> bool {
        let mesh = &*surface.mesh;
        surface.normals_follow_vertices
            && mesh.uv_sets.iter().take(self.uv_sets).all(|set| follows_vertices(set.corners.indices(), mesh))
            && self
                .colors
                .iter()
                .all(|&set| mesh.color_sets.get(set).is_none_or(|set| follows_vertices(set.corners.indices(), mesh)))
    }

    /// Returns `true` if two corners at a vertex have the same words.
    pub(super) fn is_same(&self, surface: &Surface<'_>, corner: u32, other: u32) -> bool {
        /// Corners with the same row have the same words, and others may have them as well.
        fn has_same_row(indices: &[u32], corner: usize, other: usize) -> bool {
            indices.get(corner) == indices.get(other)
        }
        let (corner, other) = (corner as usize, other as usize);
        let mesh = &*surface.mesh;
        let same_uv = |set: usize| {
            mesh.uv_sets.get(set).is_none_or(|column| has_same_row(column.corners.indices(), corner, other))
                || uv(mesh, set, corner).map(f32::to_bits) == uv(mesh, set, other).map(f32::to_bits)
        };
        let same_color = |&set: &usize| {
            mesh.color_sets.get(set).is_none_or(|column| has_same_row(column.corners.indices(), corner, other))
                || self.color(mesh, set, corner).map(f32::to_bits) == self.color(mesh, set, other).map(f32::to_bits)
        };
        let normal = |corner: usize| surface.normal(corner).map(f32::to_bits);
        (has_same_row(surface.normal_rows(), corner, other) || normal(corner) == normal(other))
            && (0..self.uv_sets).all(same_uv)
            && self.colors.iter().all(same_color)
    }

    /// Writes the rows of corners, one column after another.
    pub(super) fn write(&self, out: &mut [u8], surface: &Surface<'_>, corners: &[u32]) {
        let mesh = &*surface.mesh;
        let vertex_of = |corner: u32| mesh.faces.corners().get(corner as usize).copied().unwrap_or(u32::MAX);
        let mut column = Columns { out: out.as_chunks_mut().0, width: self.words, corners };
        column
            .write(0, |corner| mesh.positions.get(vertex_of(corner) as usize).copied().unwrap_or_default().map(single));
        column.write(NORMAL, |corner| surface.normal(corner as usize));
        for set in 0..self.uv_sets {
            column.write(FIRST_UV + 2 * set, |corner| uv(mesh, set, corner as usize));
        }
        for (place, &set) in self.colors.iter().enumerate() {
            let first = FIRST_UV + 2 * self.uv_sets + 4 * place;
            column.write(first, |corner| self.color(mesh, set, corner as usize));
        }
        if self.has_numbers {
            column.write(self.words - 1, |corner| [single(surface.number(vertex_of(corner)).into())]);
        }
    }

    fn color(&self, mesh: &Mesh, set: usize, corner: usize) -> [f32; 4] {
        let color = mesh.color_sets.get(set).and_then(|set| set.corners.get(corner));
        let [r, g, b, opacity] = color.unwrap_or([1.0; 4]).map(|channel| f64::from(channel.clamp(0.0, 1.0)));
        let [r, g, b] = self.color_space.to_linear([r, g, b]);
        [r, g, b, opacity].map(single)
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

/// The columns of rows.
struct Columns<'a> {
    /// The words of the rows.
    out: &'a mut [[u8; 4]],
    /// Number of words in a row.
    width: usize,
    /// The corner of each row.
    corners: &'a [u32],
}

impl Columns<'_> {
    /// Writes a column whose first word in each row is given.
    fn write<const N: usize>(&mut self, first: usize, numbers_of: impl Fn(u32) -> [f32; N]) {
        for (row, &corner) in self.out.chunks_exact_mut(self.width).zip(self.corners) {
            if let Some(words) = row.get_mut(first..).and_then(<[_]>::first_chunk_mut) {
                *words = numbers_of(corner).map(f32::to_le_bytes);
            }
        }
    }
}

/// Returns `true` if all corners of each vertex have the same row of a column.
pub(super) fn follows_vertices(rows: &[u32], mesh: &Mesh) -> bool {
    /// A row that no column reaches.
    const UNKNOWN: u32 = NO_ROW - 1;
    let corners = mesh.faces.corners();
    // Files often have the same index for all attributes.
    if rows == corners {
        return true;
    }
    let mut row_of = vec![UNKNOWN; mesh.positions.len()];
    corners.iter().zip(rows).all(|(&vertex, &row)| match row_of.get_mut(vertex as usize) {
        Some(known) if *known == UNKNOWN => {
            *known = row;
            row != UNKNOWN
        }
        Some(known) => *known == row,
        None => false,
    })
}

fn uv(mesh: &Mesh, set: usize, corner: usize) -> [f32; 2] {
    let uv = mesh.uv_sets.get(set).and_then(|set| set.top_left(corner));
    uv.unwrap_or_default().map(|number| finite(single(number)))
}

/// Returns the number, or the nearest number that fits into 32 bits.
fn finite(number: f32) -> f32 {
    number.clamp(f32::MIN, f32::MAX)
}
