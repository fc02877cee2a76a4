//! Meshes.

use std::collections::{BTreeMap, HashMap};
use std::iter::repeat_n;
use std::ops::Range;

use mapwright_io::{format_count, parallel};
use mapwright_scene::{ColorSet, CornerColumn, FaceFlags, Faces, Id, Mesh, NO_ROW, Smoothing, UvOrigin, UvSet};

use super::{
    Reader,
    accessor::Rows,
    geometry::{Attributes, Faces as Rings, too_many},
    item,
    uv_sets::{self, UvSource},
    weld::first_equal,
};
use crate::{
    Error,
    gltf::{
        MAX_COLOR_SETS, MAX_UV_SETS,
        edges::{differ, split_edges},
        json::{self, MeshNote, json_to_properties},
    },
};

/// A primitive without its attributes.
struct Part<'a> {
    rings: Rings,
    attributes: Attributes<'a>,
    material: Option<u32>,
    /// The UV sets that the textures of the material use.
    uv_plan: Vec<UvSource>,
}

/// Faces of the mesh that follow each other in a part.
struct Run<'p, 'a> {
    part: &'p Part<'a>,
    /// Number of the part in the mesh.
    number: usize,
    /// Number of corners of each face.
    sizes: &'p [u32],
    /// The row of each corner.
    rows: &'p [u32],
}

impl Part<'_> {
    /// Returns `true` if there are no more rows than corners. Primitives of some programs share their rows, and use few of them each.
    fn uses_most_rows(&self) -> bool {
        self.attributes.count <= self.rings.corners.len()
    }
}

/// The starts of the names of attributes, before the number of a set.
const UV_SETS: [&str; 1] = ["TEXCOORD_"];
const COLOR_SETS: [&str; 2] = ["COLOR_", "_COLOR_"];

/// Returns the number of the set that an attribute stores.
fn set_number(name: &str, starts: &[&str]) -> Option<usize> {
    starts.iter().find_map(|start| name.strip_prefix(start)?.parse().ok())
}

impl<'a> Reader<'a> {
    pub(super) fn meshes(&mut self) -> Result<(), Error> {
        let root = self.root;
        let is_placeholder = |mesh: &json::Mesh| mesh.extras.note.as_ref().is_some_and(|note| note.placeholder);
        let count = root.meshes.iter().rposition(|mesh| !is_placeholder(mesh)).map_or(0, |last| last + 1);
        for (index, mesh) in root.meshes.iter().enumerate().take(count) {
            let note = mesh.extras.note.as_deref();
            let path = format!("meshes[{index}]");
            let mesh = self.mesh(mesh, note, &path)?;
            self.scene.meshes.push(mesh);
        }
        Ok(())
    }

    fn mesh(&mut self, mesh: &'a json::Mesh, note: Option<&MeshNote>, path: &str) -> Result<Mesh, Error> {
        // Some files begin at 1 or leave out numbers.
        let sets = |starts: &[&str]| {
            let names = mesh.primitives.iter().flat_map(|primitive| primitive.attributes.keys());
            names.filter_map(|name| set_number(name, starts)).max().map_or(0, |last| last.saturating_add(1))
        };
        let found = [sets(&UV_SETS), sets(&COLOR_SETS)];
        let [uv_sets, color_sets] = match note {
            // The writer adds one set for programs that need it. Others were added later, by another program.
            Some(note) => {
                let [uv_sets, color_sets] = found.map(|count| if count > 1 { count } else { 0 });
                [uv_sets.max(note.uv_sets.len()), color_sets.max(note.color_sets.len())]
            }
            None => found,
        };
        let needed = mesh.primitives.iter().map(|primitive| uv_sets::needed_sets(self.uv_plan(primitive)));
        let uv_sets = uv_sets.max(needed.max().unwrap_or(0));
        if uv_sets > MAX_UV_SETS || color_sets > MAX_COLOR_SETS {
            self.losses.dropped(path, format!("all but {MAX_UV_SETS} UV sets and {MAX_COLOR_SETS} colour sets"));
        }
        let sets = [uv_sets.min(MAX_UV_SETS), color_sets.min(MAX_COLOR_SETS)];
        let mut parts = Vec::new();
        for (index, primitive) in mesh.primitives.iter().enumerate() {
            let path = format!("{path}.primitives[{index}]");
            self.lost_attributes(primitive, note.is_some(), &path);
            self.lost_extras(&primitive.extras.properties, &format!("{path}."));
            let Some(rings) = self.faces(primitive, sets, &path)? else { continue };
            let Some(attributes) = self.attributes(&self.named_columns(primitive), rings.corners.len(), sets, &path)?
            else {
                continue;
            };
            if let Some(material) = primitive.material {
                item(&self.root.materials, material, &format!("{path}.material"))?;
                if let Some(colored) = self.colored.get_mut(material as usize) {
                    *colored |= primitive.attributes.contains_key("COLOR_0");
                }
            }
            let uv_plan = self.uv_plan(primitive).to_vec();
            parts.push(Part { rings, attributes, material: primitive.material, uv_plan });
        }
        let mut out = Mesh { name: mesh.name.clone(), ..Mesh::default() };
        out.properties = json_to_properties(&mesh.extras.properties, &format!("{path}.extras"), &mut self.losses);
        let runs = self.faces_and_vertices(&parts, &mut out, path)?;
        columns(&parts, &runs, sets, &mut out, path)?;
        if let Some(note) = note {
            apply_metadata(note, &mut out);
        }
        shade(&parts, &runs, note, &mut out, path)?;
        Ok(out)
    }

    /// Returns the UV sets that the textures of a primitive use.
    fn uv_plan(&self, primitive: &json::Primitive) -> &[UvSource] {
        let plan = primitive.material.and_then(|material| self.uv_plans.get(material as usize));
        plan.map(Vec::as_slice).unwrap_or_default()
    }

    /// Returns the attributes of a primitive, and the columns of its metadata that fit them.
    fn named_columns(&self, primitive: &json::Primitive) -> BTreeMap<String, u32> {
        let accessor = |index: &u32| self.root.accessors.get(*index as usize);
        let rows = primitive.attributes.get("POSITION").and_then(accessor).map(|accessor| accessor.count);
        let fits = |(name, index): &(&String, &u32)| {
            let shape = if *name == "_VERTEX" { "SCALAR" } else { "VEC4" };
            accessor(index).is_some_and(|accessor| Some(accessor.count) == rows && accessor.shape == shape)
        };
        let columns = primitive.extras.note.iter().flat_map(|note| &note.columns).filter(fits);
        columns.chain(&primitive.attributes).map(|(name, index)| (name.clone(), *index)).collect()
    }

    /// Reports attributes that are not read. Tangents of this crate follow from other attributes. Sets beyond the supported
    /// number have a report of their own.
    fn lost_attributes(&mut self, primitive: &json::Primitive, is_ours: bool, path: &str) {
        for name in primitive.attributes.keys() {
            let known = ["POSITION", "NORMAL", "_VERTEX"].contains(&name.as_str()) || (is_ours && name == "TANGENT");
            if !known && set_number(name, &UV_SETS).or_else(|| set_number(name, &COLOR_SETS)).is_none() {
                self.losses.dropped(format!("{path}.attributes"), format!("the attribute {name}"));
            }
        }
    }

    /// Creates the faces and the vertices of the mesh, without duplicate vertices. Returns the faces in their order.
    fn faces_and_vertices<'p>(
        &mut self,
        parts: &'p [Part<'a>],
        out: &mut Mesh,
        path: &str,
    ) -> Result<Vec<Run<'p, 'a>>, Error> {
        let mut runs = sorted_runs(parts);
        let (mut vertices, mut corners) = match rows_as_vertices(parts, &runs) {
            Some(found) => found,
            None => Vertices::find(parts, &runs)?,
        };
        vertices.join_equal(self.options.weld, &mut corners);
        out.positions = vertices.into_positions(&mut corners);
        let sizes = runs.iter().flat_map(|run| run.sizes).map(|&size| size as usize);
        out.faces = Faces::from_corners(corners, sizes).unwrap_or_default();
        let repeats = || (0..out.faces.len()).map(|face| out.faces.has_repeat(face));
        let repeated = repeats().filter(|&repeats| repeats).count();
        if repeated > 0 {
            let repeats: Vec<bool> = repeats().collect();
            let kept = out.faces.iter().zip(&repeats).filter(|(_, repeats)| !**repeats);
            out.faces = kept.map(|(face, _)| face).collect();
            runs = without(&runs, &repeats);
            self.losses.repaired(path, format!("{} with a repeated vertex left out", format_count(repeated, "face")));
        }
        Ok(runs)
    }
}

/// Returns all rows and the row of each corner, if these are what [`Vertices::find`] would find: no row has a number, and corners use the
/// rows of each part for the first time in their order, without gaps.
fn rows_as_vertices(parts: &[Part<'_>], runs: &[Run<'_, '_>]) -> Option<(Vertices, Vec<u32>)> {
    let in_order = runs.iter().map(|run| run.number).eq(0..parts.len());
    let is_plain = |part: &Part<'_>| part.attributes.vertex.is_none() && part.attributes.position.plain() > 0;
    if !in_order || !parts.iter().all(is_plain) {
        return None;
    }
    let mut positions = Vec::new();
    let mut corners = Vec::with_capacity(runs.iter().map(|run| run.rows.len()).sum());
    for (part, run) in parts.iter().zip(runs) {
        let column = &part.attributes.position;
        let first = u32::try_from(positions.len()).ok()?;
        let mut next = 0;
        for &row in run.rows {
            if row >= next {
                if row > next {
                    return None;
                }
                next += 1;
            }
            corners.push(first.checked_add(row)?);
        }
        if next as usize != column.plain() {
            return None;
        }
        let rows = parallel::collect(column.plain(), |row| column.plain_row(row));
        if positions.is_empty() { positions = rows } else { positions.extend(rows) }
    }
    Some((Vertices { positions, numbers: Vec::new() }, corners))
}

/// Returns runs without the marked faces.
fn without<'p, 'a>(runs: &[Run<'p, 'a>], marks: &[bool]) -> Vec<Run<'p, 'a>> {
    let mut kept = Vec::with_capacity(runs.len());
    let mut marks = marks.iter();
    for run in runs {
        let mut rest = Run { ..*run };
        let mut place = 0;
        for _ in run.sizes {
            if marks.next() == Some(&true) {
                let (before, after) = rest.split(place);
                kept.push(before);
                rest = after.split(1).1;
                place = 0;
            } else {
                place += 1;
            }
        }
        kept.push(rest);
    }
    kept.retain(|run| !run.sizes.is_empty());
    kept
}

impl<'p, 'a> Run<'p, 'a> {
    /// Returns the whole of a part.
    fn new((number, part): (usize, &'p Part<'a>)) -> Self {
        Self { part, number, sizes: &part.rings.sizes, rows: &part.rings.corners }
    }

    /// Splits a run before a face.
    fn split(&self, face: usize) -> (Self, Self) {
        let (sizes, later_sizes) = self.sizes.split_at_checked(face).unwrap_or((self.sizes, &[]));
        let corners = sizes.iter().map(|&size| size as usize).sum();
        let (rows, later_rows) = self.rows.split_at_checked(corners).unwrap_or((self.rows, &[]));
        (Self { sizes, rows, ..*self }, Self { sizes: later_sizes, rows: later_rows, ..*self })
    }
}

/// The vertices of a mesh.
struct Vertices {
    positions: Vec<[f64; 3]>,
    /// The numbers that this crate wrote. Empty: none.
    numbers: Vec<Option<u32>>,
}

impl Vertices {
    /// Returns each row that corners use, in the order of their first use, and the row of each corner.
    fn find(parts: &[Part<'_>], runs: &[Run<'_, '_>]) -> Result<(Self, Vec<u32>), Error> {
        /// A row whose vertex is unknown.
        const NONE: u32 = u32::MAX;
        let mut corners = Vec::with_capacity(runs.iter().map(|run| run.rows.len()).sum());
        // The vertices of known rows: a list for parts that use most of their rows.
        let rows = |part: &Part<'_>| if part.uses_most_rows() { part.attributes.count } else { 0 };
        let mut dense: Vec<Vec<u32>> = parts.iter().map(|part| vec![NONE; rows(part)]).collect();
        let mut sparse: HashMap<(usize, u32), u32> = HashMap::new();
        let expected = dense.iter().map(Vec::len).sum();
        let mut found = Self { positions: Vec::with_capacity(expected), numbers: Vec::with_capacity(expected) };
        for run in runs {
            let mut known = dense.get_mut(run.number);
            for &row in run.rows {
                let entry = known.as_mut().and_then(|known| known.get_mut(row as usize));
                let entry = entry.unwrap_or_else(|| sparse.entry((run.number, row)).or_insert(NONE));
                if *entry == NONE {
                    *entry = u32::try_from(found.positions.len()).unwrap_or(NONE);
                    let Attributes { position, vertex, .. } = &run.part.attributes;
                    found.positions.push(position.get(row as usize)?);
                    found.numbers.push(vertex.as_ref().map(|column| column.index(row as usize)).transpose()?);
                }
                corners.push(*entry);
            }
        }
        Ok((found, corners))
    }

    /// Joins rows with an equal position and number, and those without a number only if they are welded.
    fn join_equal(&mut self, weld: bool, corners: &mut [u32]) {
        if !weld && self.numbers.iter().all(Option::is_none) {
            return;
        }
        let first = first_equal(&self.positions, &self.numbers, weld);
        let mut vertices: Vec<u32> = Vec::with_capacity(first.len());
        let mut count = 0;
        for (row, same) in (0_u32..).zip(&first) {
            // The first of equal rows has a vertex already.
            vertices.push(vertices.get(*same as usize).copied().unwrap_or(count));
            count += u32::from(*same == row);
        }
        if count as usize == first.len() {
            return;
        }
        let mut rows = (0_u32..).zip(&first).map(|(row, same)| row == *same);
        self.positions.retain(|_| rows.next() == Some(true));
        let mut rows = (0_u32..).zip(&first).map(|(row, same)| row == *same);
        self.numbers.retain(|_| rows.next() == Some(true));
        for corner in corners {
            *corner = vertices.get(*corner as usize).copied().unwrap_or(0);
        }
    }

    /// Returns the positions in the order of their numbers, and turns corners to it: the writer numbers vertices without gaps.
    fn into_positions(self, corners: &mut [u32]) -> Vec<[f64; 3]> {
        if self.numbers.iter().all(Option::is_none) {
            return self.positions;
        }
        let number = |vertex: u32| self.numbers.get(vertex as usize).copied().flatten().unwrap_or(vertex);
        let mut order: Vec<u32> = (0_u32..).take(self.numbers.len()).collect();
        if order.is_sorted_by_key(|&vertex| number(vertex)) {
            return self.positions;
        }
        order.sort_by_key(|&vertex| number(vertex));
        let mut places = vec![0; order.len()];
        for (place, &vertex) in (0_u32..).zip(&order) {
            if let Some(entry) = places.get_mut(vertex as usize) {
                *entry = place;
            }
        }
        for corner in corners {
            *corner = places.get(*corner as usize).copied().unwrap_or(0);
        }
        order.iter().filter_map(|&vertex| self.positions.get(vertex as usize).copied()).collect()
    }
}

/// Returns the faces of all parts in the order of their numbers, or of the parts.
fn sorted_runs<'p, 'a>(parts: &'p [Part<'a>]) -> Vec<Run<'p, 'a>> {
    let whole = || parts.iter().enumerate().map(Run::new);
    if parts.iter().all(|part| part.rings.numbers.is_empty()) {
        return whole().collect();
    }
    let mut faces = Vec::new();
    let mut next = 0_u32;
    for mut rest in whole() {
        let part = rest.part;
        for place in 0..part.rings.sizes.len() {
            let (face, after) = rest.split(1);
            faces.push((part.rings.numbers.get(place).copied().unwrap_or(next), face));
            rest = after;
            next = next.saturating_add(1);
        }
    }
    if faces.is_sorted_by_key(|(number, _)| *number) {
        return whole().collect();
    }
    faces.sort_by_key(|(number, _)| *number);
    faces.into_iter().map(|(_, face)| face).collect()
}

/// Adds materials, texture coordinates and colours.
fn columns(
    parts: &[Part<'_>],
    runs: &[Run<'_, '_>],
    [uv_sets, color_sets]: [usize; 2],
    out: &mut Mesh,
    path: &str,
) -> Result<(), Error> {
    if parts.iter().any(|part| part.material.is_some()) && runs.iter().any(|run| run.part.material.is_some()) {
        let materials = runs.iter().flat_map(|run| repeat_n(run.part.material.map(Id::new), run.sizes.len()));
        out.face_materials = materials.collect();
    }
    for set in 0..uv_sets {
        let mut corners = Gathered::new(parts.len(), path);
        for run in runs {
            let (source, transform) = uv_sets::source(&run.part.uv_plan, set);
            let column = run.part.attributes.uvs.get(source).and_then(Option::as_ref);
            corners.add(run, column, |uv| transform.map_or(uv, |transform| transform.apply(uv)))?;
        }
        out.uv_sets.push(UvSet { corners: corners.finish(), ..UvSet::default() });
    }
    for set in 0..color_sets {
        let mut corners = Gathered::new(parts.len(), path);
        for run in runs {
            let column = run.part.attributes.colors.get(set).and_then(Option::as_ref);
            let has_opacity = column.is_some_and(|column| column.width() == 4);
            corners.add(run, column, |[r, g, b, opacity]| {
                #[allow(clippy::cast_possible_truncation)] // rounding is what is meant
                let color = [r, g, b, if has_opacity { opacity } else { 1.0 }].map(|channel| channel as f32);
                color
            })?;
        }
        out.color_sets.push(ColorSet { corners: corners.finish(), ..ColorSet::default() });
    }
    Ok(())
}

/// A column of corners that is made from runs of faces.
struct Gathered<'p, T> {
    rows: Vec<T>,
    indices: Vec<u32>,
    /// The first row of each part whose rows are complete.
    starts: Vec<Option<u32>>,
    /// The path of the mesh.
    path: &'p str,
}

impl<'p, T: Copy + Send> Gathered<'p, T> {
    fn new(parts: usize, path: &'p str) -> Self {
        Self { rows: Vec::new(), indices: Vec::new(), starts: vec![None; parts], path }
    }

    /// Adds the values of a run of faces. Without a column, its corners have no values.
    ///
    /// # Errors
    /// If a value is invalid, or if there are more rows than 32-bit indices.
    fn add<const N: usize>(
        &mut self,
        run: &Run<'_, '_>,
        column: Option<&Rows<'_, N>>,
        convert: impl Fn([f64; N]) -> T + Send + Sync,
    ) -> Result<(), Error> {
        let Some(column) = column else {
            self.indices.extend(repeat_n(NO_ROW, run.rows.len()));
            return Ok(());
        };
        if column.plain() == 0 {
            for &row in run.rows {
                self.push(convert(column.get(row as usize)?))?;
            }
            return Ok(());
        }
        let next = self.next_row()?;
        let start = self.starts.get_mut(run.number).map_or(next, |start| *start.get_or_insert(next));
        if start == next {
            let rows = parallel::collect(column.plain(), |row| convert(column.plain_row(row)));
            if self.rows.is_empty() { self.rows = rows } else { self.rows.extend(rows) }
        }
        // The last row has an index, and with it all of them.
        self.next_row()?;
        self.indices.extend(run.rows.iter().map(|row| start.saturating_add(*row)));
        Ok(())
    }

    /// Adds a corner with a value of its own.
    fn push(&mut self, value: T) -> Result<(), Error> {
        self.indices.push(self.next_row()?);
        self.rows.push(value);
        Ok(())
    }

    /// Returns the index of the next row.
    fn next_row(&self) -> Result<u32, Error> {
        u32::try_from(self.rows.len()).ok().filter(|&row| row < NO_ROW).ok_or_else(|| too_many(self.path))
    }

    fn finish(self) -> CornerColumn<T> {
        CornerColumn::from_rows(self.rows, self.indices).unwrap_or_default()
    }
}

/// Restores the metadata.
fn apply_metadata(note: &MeshNote, out: &mut Mesh) {
    for (set, note) in out.uv_sets.iter_mut().zip(&note.uv_sets) {
        set.name.clone_from(&note.name);
        ascending_ranges(&note.unmapped).for_each(|corners| set.corners.clear(corners));
        if note.lower_left {
            set.origin = UvOrigin::LowerLeft;
            set.corners.rows_mut().iter_mut().for_each(|[_, v]| *v = 1.0 - *v);
        }
    }
    for (set, note) in out.color_sets.iter_mut().zip(&note.color_sets) {
        set.name.clone_from(&note.name);
        ascending_ranges(&note.uncolored).for_each(|corners| set.corners.clear(corners));
    }
    if !note.hidden.is_empty() {
        out.face_flags = vec![FaceFlags::NONE; out.faces.len()];
        for_each_in_runs(&note.hidden, &mut out.face_flags, |flags| *flags = FaceFlags::HIDDEN);
    }
}

/// Applies a function to the items in runs.
pub(super) fn for_each_in_runs<T>(runs: &[u32], items: &mut [T], mut act: impl FnMut(&mut T)) {
    for run in ascending_ranges(runs) {
        let run = run.start..run.end.min(items.len());
        items.get_mut(run).unwrap_or_default().iter_mut().for_each(&mut act);
    }
}

/// Returns the ranges of runs: pairs of a start and a count. A run that does not ascend is invalid and ends them.
fn ascending_ranges(runs: &[u32]) -> impl Iterator<Item = Range<usize>> {
    runs.as_chunks::<2>().0.iter().scan(0_usize, |end, &[start, count]| {
        let start = (start as usize >= *end).then_some(start as usize)?;
        *end = start.saturating_add(count as usize);
        Some(start..*end)
    })
}

/// Derives hard edges from normals. Normals are stored only if they do not follow from the edges.
fn shade(
    parts: &[Part<'_>],
    runs: &[Run<'_, '_>],
    note: Option<&MeshNote>,
    out: &mut Mesh,
    path: &str,
) -> Result<(), Error> {
    if parts.iter().all(|part| part.attributes.normal.is_none()) {
        // A mesh without normals is flat-shaded.
        out.smoothing = if out.faces.is_empty() { Smoothing::Smooth } else { Smoothing::Flat };
        return Ok(());
    }
    let mut normals = Gathered::new(parts.len(), path);
    let mut face = 0;
    for run in runs {
        if let Some(column) = &run.part.attributes.normal {
            normals.add(run, Some(column), |normal| normal)?;
        } else {
            for (place, &size) in run.sizes.iter().enumerate() {
                let normal = out.face_normal(face + place).unwrap_or([0.0, 1.0, 0.0]);
                (0..size).try_for_each(|_| normals.push(normal))?;
            }
        }
        face += run.sizes.len();
    }
    let normals = normals.finish();
    let pairs = |list: &[u32]| -> Vec<[u32; 2]> {
        let exists = |&[a, b]: &[u32; 2]| a < b && (b as usize) < out.positions.len();
        list.as_chunks::<2>().0.iter().copied().filter(exists).collect()
    };
    let (hard, mut soft) =
        note.map_or_else(Default::default, |note| (pairs(&note.hard_edges), pairs(&note.soft_edges)));
    soft.sort_unstable();
    let normal_of = |row: u32| normals.rows().get(row as usize).copied().unwrap_or_default();
    let mut edges = split_edges(out, normals.indices(), normal_of);
    edges.extend(hard);
    edges.sort_unstable();
    edges.dedup();
    edges.retain(|edge| soft.binary_search(edge).is_err());
    out.hard_edges = edges;
    // This crate stores if the mesh had normals. Normals of other programs are stored if they do not follow from the edges.
    let own = match note {
        Some(note) => note.normals,
        None => !out.follows_edges(&normals, |a, b| !differ(a, b)),
    };
    if own {
        out.normals = Some(normals);
    }
    Ok(())
}
