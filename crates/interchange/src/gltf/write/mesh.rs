//! Meshes.

mod triangles;

use std::{borrow::Cow, collections::BTreeMap, sync::Arc};

use mapwright_io::{format_count, parallel};
use mapwright_scene::{
    CornerColumn, FaceFlags, Losses, Mesh, NO_ROW, Scene, Smoothing, UvOrigin,
    transform::{dot, normalize},
};

use super::{
    Writer,
    layout::{Layout, VERTEX_NUMBERS, follows_vertices},
    material::Written,
    push,
    rows::Rows,
    runs,
    simple::simple_faces,
    tangents::tangents,
    vertices::{Bounds, GeometryBlocks, single},
};
use crate::{
    Error, ErrorKind,
    gltf::{
        ExportOptions, MAX_COLOR_SETS, MAX_UV_SETS,
        buffer::{Block, Computed},
        edges::split_edges,
        json::{self, ColorNote, Extras, Json, MeshNote, Primitive, PrimitiveNote, UvNote, properties_to_json},
    },
    triangles::{MAX_EARS, Triangulator},
};
use triangles::Triangles;

/// Number of rows that a thread fills at a time.
const ROWS: usize = 1 << 12;

/// Whole numbers up to this are exact as 32-bit floats.
const MAX_EXACT: usize = 1 << 24;

/// A mesh to write: its surface and its numbers.
pub(super) struct Surface<'m> {
    pub mesh: Cow<'m, Mesh>,
    /// Normals, and the index of that of each corner if the mesh has none. Otherwise they are rows of those of the mesh.
    normals: Vec<[f32; 3]>,
    computed_rows: Option<Vec<u32>>,
    /// `true` if all corners of each vertex have the same row of normals.
    pub normals_follow_vertices: bool,
    /// `true` if the numbers of vertices are written.
    pub has_numbers: bool,
    /// The number of each vertex. Empty: that of the mesh.
    numbers: Vec<u32>,
    /// For each written UV set, `true` if it maps all corners.
    pub uv_sets: Vec<bool>,
    /// For each written colour set, `true` if all corners have a colour.
    pub color_sets: Vec<bool>,
}

impl Surface<'_> {
    /// Returns the row of the normal of each corner.
    pub(super) fn normal_rows(&self) -> &[u32] {
        let stored = self.mesh.normals.as_ref().map(CornerColumn::indices);
        self.computed_rows.as_deref().or(stored).unwrap_or_default()
    }

    /// Returns the normal of a corner.
    pub(super) fn normal(&self, corner: usize) -> [f32; 3] {
        self.normal_rows().get(corner).map(|&row| self.normal_of_row(row)).unwrap_or_default()
    }

    fn normal_of_row(&self, row: u32) -> [f32; 3] {
        self.normals.get(row as usize).copied().unwrap_or_default()
    }

    /// Returns the number of a vertex in the document.
    pub(super) fn number(&self, vertex: u32) -> u32 {
        self.numbers.get(vertex as usize).copied().unwrap_or(vertex)
    }

    fn vertex(&self, corner: u32) -> u32 {
        self.mesh.faces.corners().get(corner as usize).copied().unwrap_or(u32::MAX)
    }

    fn position(&self, vertex: u32) -> [f64; 3] {
        self.mesh.positions.get(vertex as usize).copied().unwrap_or_default()
    }
}

/// A mesh whose vertices are known. Its numbers are computed when the file is written.
pub(super) struct PreparedMesh<'m> {
    surface: Arc<Surface<'m>>,
    /// The row of each corner in its primitive.
    row_of: Arc<Vec<u32>>,
    primitives: Vec<PreparedPrimitive>,
    /// `true` if the primitives have all faces in their order.
    in_order: bool,
    /// Edges between different normals, if numbers are written.
    split_edges: Vec<[u32; 2]>,
    /// The report of polygons with a fallback triangulation.
    triangulator: Triangulator,
}

struct PreparedPrimitive {
    material: Option<Written>,
    layout: Layout,
    faces: Vec<u32>,
    /// A corner for each row.
    corners: Vec<u32>,
    /// Pairs of a number of corners and the number of such polygons.
    polygons: Vec<u32>,
}

/// The data that meshes are prepared with.
#[derive(Clone, Copy)]
pub(super) struct Preparation<'a> {
    pub scene: &'a Scene,
    pub options: &'a ExportOptions,
    /// The written materials.
    pub materials: &'a [Option<Written>],
}

impl Preparation<'_> {
    /// Prepares a mesh and reports losses. Returns `None` if nothing of it is visible.
    pub(super) fn prepare<'m>(
        self,
        mesh: &'m Mesh,
        path: &str,
        losses: &mut Losses,
    ) -> Result<Option<PreparedMesh<'m>>, Error> {
        let surface = match mesh.surface() {
            Cow::Borrowed(whole) => simple_faces(whole, path, losses),
            Cow::Owned(part) => Cow::Owned(simple_faces(&part, path, losses).into_owned()),
        };
        if surface.faces.is_empty() {
            losses.dropped(path, "a mesh without faces");
            return Ok(None);
        }
        let corner_count = surface.faces.corner_count();
        if u32::try_from(corner_count).is_err() {
            let kind = ErrorKind::Limit { what: "face corners of a mesh", limit: u32::MAX.into() };
            return Err(Error::on_path(kind, format!("{path}.faces")));
        }
        let surface = self.surface(surface, path, losses)?;
        let mesh = &*surface.mesh;
        let mut groups = by_material(mesh);
        if !self.options.tools {
            let materials = self.scene.materials.items();
            groups.retain(|(index, _)| index.and_then(|index| materials.get(index)).is_none_or(|found| !found.is_tool));
        }
        let in_order = groups.iter().flat_map(|(_, faces)| faces).is_sorted();
        let mut rows = Rows::new(mesh.positions.len());
        let mut row_of = vec![0; corner_count];
        let mut triangulator = Triangulator::new();
        let primitives = groups.into_iter().map(|(material, faces)| {
            let material = material.and_then(|index| self.materials.get(index).copied().flatten());
            let layout = Layout::new(&surface, self.scene.color_space, material, &faces);
            rows.reserve(faces.len().saturating_mul(4));
            let polygons = number_rows(&surface, &layout, &faces, &mut rows, &mut row_of);
            // Triangles are computed when the file is written, after losses are reported.
            if polygons.iter().step_by(2).any(|&corners| corners as usize > MAX_EARS) {
                count_fans(mesh, &faces, &mut triangulator);
            }
            PreparedPrimitive { material, layout, corners: rows.take(|corner| surface.vertex(corner)), faces, polygons }
        });
        let primitives = primitives.collect();
        let split_edges = if self.options.polygons && surface.has_numbers && !surface.normals_follow_vertices {
            let normal = |row| surface.normal_of_row(row).map(f64::from);
            split_edges(mesh, surface.normal_rows(), normal)
        } else {
            Vec::new()
        };
        let (surface, row_of) = (Arc::new(surface), Arc::new(row_of));
        Ok(Some(PreparedMesh { surface, row_of, primitives, in_order, split_edges, triangulator }))
    }

    /// Prepares a mesh, checks it and reports losses.
    fn surface<'m>(self, mut mesh: Cow<'m, Mesh>, path: &str, losses: &mut Losses) -> Result<Surface<'m>, Error> {
        if mesh.uv_sets.iter().any(|set| set.has_partial_faces(&mesh.faces)) {
            let Mesh { faces, uv_sets, .. } = mesh.to_mut();
            uv_sets.iter_mut().for_each(|set| set.clear_partial_faces(faces));
        }
        let (mut rounded, mut is_finite) = (false, true);
        for &number in mesh.positions.as_flattened() {
            let written = single(number);
            is_finite &= written.is_finite();
            rounded |= f64::from(written) != number;
        }
        if !is_finite
            && let Some(&number) = mesh.positions.as_flattened().iter().find(|number| !single(**number).is_finite())
        {
            return Err(Error::on_path(ErrorKind::NotFinite(number), format!("{path}.positions")));
        }
        let mut numbers = mesh.positions.iter().flatten().filter(|number| **number != 0.0);
        if let Some(&number) = numbers.next().filter(|_| mesh.positions.iter().flatten().all(|&c| single(c) == 0.0)) {
            // All of the mesh would be one point.
            return Err(Error::on_path(ErrorKind::NotFinite(number), format!("{path}.positions")));
        }
        if rounded {
            losses.approximated(path, "positions rounded to 32 bits");
        }
        // Normals that came from 32 bits are unchanged.
        let is_unit = |normal: [f64; 3]| (dot(normal, normal) - 1.0).abs() <= 4.0 * f64::from(f32::EPSILON);
        let unit = |normal: [f64; 3]| {
            let unit = if is_unit(normal) { normal } else { normalize(normal).unwrap_or([0.0, 1.0, 0.0]) };
            unit.map(single)
        };
        let (normals, computed_rows) = match &mesh.normals {
            Some(normals) => {
                let rows = normals.rows();
                (parallel::collect(rows.len(), |row| rows.get(row).copied().map(unit).unwrap_or_default()), None)
            }
            None => {
                let (rows, of_corners) = mesh.corner_normals_with(unit).into_parts();
                (rows, Some(of_corners))
            }
        };
        let of_corners = computed_rows.as_deref().or(mesh.normals.as_ref().map(CornerColumn::indices));
        let normals_follow_vertices = follows_vertices(of_corners.unwrap_or_default(), &mesh);
        let (numbers, unused) = number_vertices(&mesh);
        if unused > 0 {
            losses.dropped(path, format!("{} without a face", format_count(unused, "vertex")));
        }
        let has_numbers = self.options.polygons && mesh.positions.len() <= MAX_EXACT;
        let uv_sets = mesh.uv_sets.len().min(MAX_UV_SETS);
        let color_sets = mesh.color_sets.len().min(MAX_COLOR_SETS);
        if uv_sets < mesh.uv_sets.len() || color_sets < mesh.color_sets.len() {
            losses.dropped(path, "sets of texture coordinates or colours beyond the limit per vertex");
        }
        let beyond = |channel: &f32| !(0.0..=1.0).contains(channel);
        if mesh.color_sets.iter().flat_map(|set| set.corners.iter()).flatten().flatten().any(|channel| beyond(&channel))
        {
            losses.repaired(path, "colours beyond 0 to 1");
        }
        if mesh.smoothing != Smoothing::Smooth {
            losses.preserved(path, "hard edges: now stored for each edge");
        } else if !mesh.soft_edges.is_empty() {
            losses.dropped(path, "soft edges, which are the default in a smooth mesh");
        }
        let uv_sets = mesh.uv_sets.iter().take(uv_sets).map(|set| set.corners.is_complete()).collect();
        let color_sets = mesh.color_sets.iter().take(color_sets).map(|set| set.corners.is_complete()).collect();
        Ok(Surface { mesh, normals, computed_rows, normals_follow_vertices, has_numbers, numbers, uv_sets, color_sets })
    }
}

impl<'a> Writer<'a> {
    /// Writes a mesh and returns its index.
    pub(super) fn mesh(&mut self, mesh: &Mesh, prepared: PreparedMesh<'a>, path: &str) -> u32 {
        let mut primitives = Vec::new();
        // Importers of Blender 4.5 and 5.0 confuse the custom attributes of a mesh that has more than one.
        let layouts = || prepared.primitives.iter().map(|primitive| &primitive.layout);
        let hidden_colors = layouts().filter_map(Layout::first_hidden_colors).min();
        let custom = hidden_colors.map_or(VERTEX_NUMBERS.to_owned(), |set| format!("_COLOR_{set}"));
        let made_up = layouts().any(|layout| layout.made_up);
        let PreparedMesh { surface, row_of, primitives: all, in_order, split_edges, triangulator } = prepared;
        for primitive in all {
            let mut primitive = self.primitive(&surface, &row_of, primitive, in_order);
            self.move_columns(&mut primitive, &custom, path);
            primitives.push(primitive);
        }
        triangulator.report(path, &mut self.losses);
        if made_up {
            self.losses.synthesized(path, "texture coordinates (0, 0) and white for corners that have none");
        }
        let properties = properties_to_json(&mesh.properties, &format!("{path}.properties"), &mut self.losses);
        let note = self.options.polygons.then(|| self.mesh_note(&surface, &split_edges, path));
        let extras = Extras::new(properties, note);
        push(&mut self.root.meshes, json::Mesh { name: mesh.name.clone(), primitives, extras })
    }

    /// Moves custom attributes other than one from a primitive to its metadata, which other programs ignore.
    fn move_columns(&mut self, primitive: &mut Primitive, custom: &str, path: &str) {
        let is_other = |name: &String| name.starts_with('_') && name != custom;
        let columns: BTreeMap<String, u32> = primitive
            .attributes
            .iter()
            .filter(|(name, _)| is_other(name))
            .map(|(name, at)| (name.clone(), *at))
            .collect();
        if columns.is_empty() {
            return;
        }
        primitive.attributes.retain(|name, _| !columns.contains_key(name));
        let shows_colors = columns.keys().any(|name| name != VERTEX_NUMBERS);
        if self.options.polygons {
            primitive.extras.note.get_or_insert_default().columns = columns;
            if shows_colors {
                self.losses.preserved(path, "colour sets that are not visible: stored outside the attributes");
            }
        } else if shows_colors {
            self.losses.dropped(path, "colour sets after the first, which are not visible");
        }
    }

    /// Returns the metadata of the mesh, other than that of primitives.
    fn mesh_note(&mut self, surface: &Surface<'_>, split_edges: &[[u32; 2]], path: &str) -> MeshNote {
        let mesh = &surface.mesh;
        let mut note = MeshNote { normals: mesh.normals.is_some(), ..MeshNote::default() };
        let missing = |indices: &[u32], is_complete: bool| match is_complete {
            true => Vec::new(),
            false => runs(indices.iter().map(|&row| row == NO_ROW)),
        };
        for (set, &is_complete) in mesh.uv_sets.iter().zip(&surface.uv_sets) {
            note.uv_sets.push(UvNote {
                name: set.name.clone(),
                lower_left: set.origin == UvOrigin::LowerLeft,
                unmapped: missing(set.corners.indices(), is_complete),
            });
        }
        for (set, &is_complete) in mesh.color_sets.iter().zip(&surface.color_sets) {
            let uncolored = missing(set.corners.indices(), is_complete);
            note.color_sets.push(ColorNote { name: set.name.clone(), uncolored });
        }
        note.hidden = runs(mesh.face_flags.iter().map(|flags| flags.contains(FaceFlags::HIDDEN)));
        if surface.has_numbers {
            let hard = &mesh.hard_edges;
            let name = |edge: &[u32; 2]| edge.map(|vertex| surface.number(vertex));
            let without = |edges: &[[u32; 2]], others: &[[u32; 2]]| -> Vec<u32> {
                edges.iter().filter(|edge| others.binary_search(edge).is_err()).flat_map(name).collect()
            };
            note.hard_edges = without(hard, split_edges);
            if mesh.smoothing == Smoothing::Smooth {
                note.soft_edges = without(split_edges, hard);
            }
        } else {
            self.losses.approximated(path, "vertices keep their positions, but get new numbers");
        }
        note
    }

    fn primitive(
        &mut self,
        surface: &Arc<Surface<'a>>,
        row_of: &Arc<Vec<u32>>,
        PreparedPrimitive { material, layout, faces, corners, polygons }: PreparedPrimitive,
        in_order: bool,
    ) -> Primitive {
        let is_polygonal = polygons.iter().step_by(2).any(|&corners| corners != 3);
        let note = PrimitiveNote {
            polygons: if is_polygonal { polygons } else { Vec::new() },
            faces: if in_order { Vec::new() } else { face_runs(&faces) },
            ..PrimitiveNote::default()
        };
        let has_note = self.options.polygons && !(note.polygons.is_empty() && note.faces.is_empty());
        let names = layout.attributes();
        let uv = material.and_then(|material| layout.uv(material.normal_map?));
        let rows = Vertices { surface: Arc::clone(surface), layout, corners };
        let triangles = Triangles::new(Arc::clone(surface), Arc::clone(row_of), faces, rows.corners.len());
        let blocks = GeometryBlocks {
            rows: rows.corners.len(),
            width: rows.layout.words,
            bounds: rows.bounds(),
            tangents: uv.map(|uv| tangents(&rows.words(), rows.layout.words, uv, &triangles.indices())),
            count: triangles.count(),
            vertices: Block::Computed(rows.into_computed()),
            indices: Block::Computed(triangles.into_computed()),
        };
        let (attributes, indices) = self.geometry_blocks(blocks, names);
        Primitive {
            attributes,
            indices: Some(indices),
            material: material.map(|material| material.index),
            extras: Extras::new(Json::Null, has_note.then_some(note)),
            ..Primitive::default()
        }
    }
}

/// The rows of a primitive.
struct Vertices<'a> {
    surface: Arc<Surface<'a>>,
    layout: Layout,
    /// The corner of each row.
    corners: Vec<u32>,
}

impl<'a> Vertices<'a> {
    fn bounds(&self) -> Bounds {
        let vertices = self.corners.iter().map(|&corner| self.surface.vertex(corner));
        Bounds::new(vertices.map(|vertex| self.surface.position(vertex).map(single)))
    }

    /// Returns the number of bytes of all rows.
    fn length(&self) -> usize {
        self.corners.len() * self.layout.words * 4
    }

    fn write(&self, out: &mut [u8]) {
        parallel::fill(out, ROWS * self.layout.words * 4, |number, part| {
            let corners = self.corners.get(number * ROWS..).unwrap_or_default();
            self.layout.write(part, &self.surface, corners);
        });
    }

    /// Returns the words of all rows.
    fn words(&self) -> Vec<u32> {
        let mut bytes = vec![0; self.length()];
        self.write(&mut bytes);
        bytes.as_chunks().0.iter().map(|word| u32::from_le_bytes(*word)).collect()
    }

    fn into_computed(self) -> Computed<'a> {
        Computed { length: self.length(), write: Box::new(move |out| self.write(out)) }
    }
}

/// Finds the rows of the corners of a primitive. Returns pairs of a number of corners and the number of such polygons.
fn number_rows(surface: &Surface<'_>, layout: &Layout, faces: &[u32], rows: &mut Rows, row_of: &mut [u32]) -> Vec<u32> {
    let mesh = &*surface.mesh;
    let follows_vertices = layout.follows_vertices(surface);
    let mut polygons = Vec::new();
    for &face in faces {
        let (Some(range), Some(vertices)) = (mesh.faces.corner_range(face as usize), mesh.faces.get(face as usize))
        else {
            continue;
        };
        count_polygon(&mut polygons, vertices.len());
        // The number of corners was checked.
        let first = u32::try_from(range.start).unwrap_or(u32::MAX);
        let places = row_of.get_mut(range).unwrap_or_default();
        for ((corner, &vertex), place) in (first..).zip(vertices).zip(places) {
            *place = if follows_vertices {
                rows.insert_vertex(vertex, corner)
            } else {
                rows.insert(vertex, corner, |other| layout.is_same(surface, corner, other))
            };
        }
    }
    polygons
}

/// Counts polygons with a fallback triangulation.
fn count_fans(mesh: &Mesh, faces: &[u32], triangulator: &mut Triangulator) {
    let rings = faces.iter().filter_map(|&face| mesh.faces.get(face as usize));
    for ring in rings.filter(|ring| ring.len() > MAX_EARS) {
        let point = |&vertex: &u32| mesh.positions.get(vertex as usize).copied().unwrap_or_default();
        triangulator.split(&ring.iter().map(point).collect::<Vec<_>>());
    }
}

/// Numbers the vertices of faces in order without gaps. Also returns the number of unused vertices. Without them, there are no numbers,
/// because vertices keep theirs.
fn number_vertices(mesh: &Mesh) -> (Vec<u32>, usize) {
    let mut is_used = vec![false; mesh.positions.len()];
    for &vertex in mesh.faces.corners() {
        if let Some(is_used) = is_used.get_mut(vertex as usize) {
            *is_used = true;
        }
    }
    let unused = is_used.iter().filter(|is_used| !**is_used).count();
    if unused == 0 {
        return (Vec::new(), 0);
    }
    let mut next = 0;
    let number = |is_used| {
        let number = next;
        next += u32::from(is_used);
        number
    };
    (is_used.into_iter().map(number).collect(), unused)
}

/// Groups faces by material, in the order of their first face.
fn by_material(mesh: &Mesh) -> Vec<(Option<usize>, Vec<u32>)> {
    let mut groups: Vec<(Option<usize>, Vec<u32>)> = Vec::new();
    let mut places = BTreeMap::new();
    let mut last = None;
    for (number, face) in (0_u32..).zip(0..mesh.faces.len()) {
        let material = mesh.face_material(face).map(mapwright_scene::Id::index);
        let place = match last {
            Some((known, place)) if known == material => place,
            _ => *places.entry(material).or_insert_with(|| {
                groups.push((material, Vec::new()));
                groups.len() - 1
            }),
        };
        last = Some((material, place));
        if let Some((_, faces)) = groups.get_mut(place) {
            faces.push(number);
        }
    }
    groups
}

/// Adds a polygon to pairs of a number of corners and the number of such polygons.
fn count_polygon(polygons: &mut Vec<u32>, corners: usize) {
    let corners = u32::try_from(corners).unwrap_or(u32::MAX);
    if let [.., last, count] = polygons.as_mut_slice()
        && *last == corners
    {
        *count += 1;
    } else {
        polygons.extend([corners, 1]);
    }
}

/// Returns pairs of a start and a count for runs of ascending faces.
fn face_runs(faces: &[u32]) -> Vec<u32> {
    let mut runs: Vec<u32> = Vec::new();
    for &face in faces {
        if let [.., start, count] = runs.as_mut_slice()
            && face - *start == *count
        {
            *count += 1;
        } else {
            runs.extend([face, 1]);
        }
    }
    runs
}
