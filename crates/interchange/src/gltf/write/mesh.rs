//! Meshes.

use std::{borrow::Cow, collections::BTreeMap};

use mapwright_io::{format_count, parallel};
use mapwright_scene::{
    CornerColumn, FaceFlags, Mesh, Smoothing, UvOrigin,
    transform::{dot, normalize},
};

use super::{
    Writer,
    layout::{Layout, VERTEX_NUMBERS},
    material::Written,
    push,
    rows::Rows,
    runs,
    simple::simple_faces,
    vertices::{Geometry, single},
};
use crate::{
    Error, ErrorKind,
    gltf::{
        MAX_COLOR_SETS, MAX_UV_SETS,
        edges::split_edges,
        json::{self, ColorNote, Extras, Json, MeshNote, Primitive, PrimitiveNote, UvNote, properties_to_json},
    },
    triangles::Triangulator,
};

/// Number of rows that a thread fills at a time.
const ROWS: usize = 1 << 12;

/// Whole numbers up to this are exact as 32-bit floats.
const MAX_EXACT: usize = 1 << 24;

/// A mesh to write: its surface and its numbers.
pub(super) struct Surface<'m> {
    pub mesh: Cow<'m, Mesh>,
    /// Normal of each corner.
    pub normals: CornerColumn<[f32; 3]>,
    /// The number of each vertex, if numbers are written.
    pub numbers: Option<Vec<u32>>,
    /// For each written UV set, `true` if it maps all corners.
    pub uv_sets: Vec<bool>,
    /// For each written colour set, `true` if all corners have a colour.
    pub color_sets: Vec<bool>,
}

impl Writer<'_> {
    /// Writes a mesh. Returns `None` if nothing of it is visible.
    pub(super) fn mesh(&mut self, mesh: &Mesh, path: &str) -> Result<Option<u32>, Error> {
        let surface = match mesh.surface() {
            Cow::Borrowed(whole) => simple_faces(whole, path, &mut self.losses),
            Cow::Owned(part) => Cow::Owned(simple_faces(&part, path, &mut self.losses).into_owned()),
        };
        if surface.faces.is_empty() {
            self.losses.dropped(path, "a mesh without faces");
            return Ok(None);
        }
        let surface = self.surface(surface, path)?;
        let mut primitives = Vec::new();
        let mut made_up = false;
        let mut groups = by_material(&surface.mesh);
        if !self.options.tools {
            let materials = &self.scene.materials.items();
            groups.retain(|(index, _)| index.and_then(|index| materials.get(index)).is_none_or(|found| !found.is_tool));
        }
        let in_order = groups.iter().flat_map(|(_, faces)| faces).is_sorted();
        let mut buffers = PrimitiveBuffers {
            rows: Rows::new(surface.mesh.positions.len()),
            row_of: vec![0; surface.mesh.faces.corner_count()],
            triangulator: Triangulator::new(),
        };
        let layouts: Vec<(Option<Written>, Layout)> = groups
            .iter()
            .map(|(material, faces)| {
                let material = material.and_then(|index| self.places.materials.get(index).copied().flatten());
                (material, Layout::new(&surface, self.scene.color_space, material, faces))
            })
            .collect();
        // Importers of Blender 4.5 and 5.0 confuse the custom attributes of a mesh that has more than one.
        let hidden_colors = layouts.iter().filter_map(|(_, layout)| layout.first_hidden_colors()).min();
        let custom = hidden_colors.map_or(VERTEX_NUMBERS.to_owned(), |set| format!("_COLOR_{set}"));
        for ((_, faces), (material, layout)) in groups.iter().zip(&layouts) {
            made_up |= layout.made_up;
            let mut primitive = self.primitive(&surface, layout, *material, faces, in_order, &mut buffers);
            self.move_columns(&mut primitive, &custom, path);
            primitives.push(primitive);
        }
        buffers.triangulator.report(path, &mut self.losses);
        if made_up {
            self.losses.synthesized(path, "texture coordinates (0, 0) and white for corners that have none");
        }
        let properties = properties_to_json(&mesh.properties, &format!("{path}.properties"), &mut self.losses);
        let note = if self.options.polygons { Some(self.mesh_note(&surface, path)) } else { None };
        let extras = Extras::new(properties, note);
        Ok(Some(push(&mut self.root.meshes, json::Mesh { name: mesh.name.clone(), primitives, extras })))
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

    /// Prepares a mesh, checks it and reports losses.
    fn surface<'m>(&mut self, mut mesh: Cow<'m, Mesh>, path: &str) -> Result<Surface<'m>, Error> {
        if mesh.uv_sets.iter().any(|set| set.has_partial_faces(&mesh.faces)) {
            let Mesh { faces, uv_sets, .. } = mesh.to_mut();
            uv_sets.iter_mut().for_each(|set| set.clear_partial_faces(faces));
        }
        let mut rounded = false;
        for number in mesh.positions.iter().flatten() {
            let written = single(*number);
            if !written.is_finite() {
                return Err(Error::on_path(ErrorKind::NotFinite(*number), format!("{path}.positions")));
            }
            rounded |= f64::from(written) != *number;
        }
        let mut numbers = mesh.positions.iter().flatten().filter(|number| **number != 0.0);
        if let Some(&number) = numbers.next().filter(|_| mesh.positions.iter().flatten().all(|&c| single(c) == 0.0)) {
            // All of the mesh would be one point.
            return Err(Error::on_path(ErrorKind::NotFinite(number), format!("{path}.positions")));
        }
        if rounded {
            self.losses.approximated(path, "positions rounded to 32 bits");
        }
        // Normals that came from 32 bits are unchanged.
        let is_unit = |normal: [f64; 3]| (dot(normal, normal) - 1.0).abs() <= 4.0 * f64::from(f32::EPSILON);
        let unit = |normal: [f64; 3]| {
            let unit = if is_unit(normal) { normal } else { normalize(normal).unwrap_or([0.0, 1.0, 0.0]) };
            unit.map(single)
        };
        let normals = match &mesh.normals {
            Some(normals) => Cow::Borrowed(normals),
            None => Cow::Owned(mesh.corner_normals()),
        };
        let normals = normals.map(unit);
        let (numbers, unused) = number_vertices(&mesh);
        if unused > 0 {
            self.losses.dropped(path, format!("{} without a face", format_count(unused, "vertex")));
        }
        let numbers = (self.options.polygons && numbers.len() <= MAX_EXACT).then_some(numbers);
        let uv_sets = mesh.uv_sets.len().min(MAX_UV_SETS);
        let color_sets = mesh.color_sets.len().min(MAX_COLOR_SETS);
        if uv_sets < mesh.uv_sets.len() || color_sets < mesh.color_sets.len() {
            self.losses.dropped(path, "sets of texture coordinates or colours beyond the limit per vertex");
        }
        let beyond = |channel: &f32| !(0.0..=1.0).contains(channel);
        if mesh.color_sets.iter().flat_map(|set| set.corners.iter()).flatten().flatten().any(|channel| beyond(&channel))
        {
            self.losses.repaired(path, "colours beyond 0 to 1");
        }
        if mesh.smoothing != Smoothing::Smooth {
            self.losses.preserved(path, "hard edges: now stored for each edge");
        } else if !mesh.soft_edges.is_empty() {
            self.losses.dropped(path, "soft edges, which are the default in a smooth mesh");
        }
        let uv_sets = mesh.uv_sets.iter().take(uv_sets).map(|set| set.corners.is_complete()).collect();
        let color_sets = mesh.color_sets.iter().take(color_sets).map(|set| set.corners.is_complete()).collect();
        Ok(Surface { mesh, normals, numbers, uv_sets, color_sets })
    }

    /// Returns the metadata of the mesh, other than that of primitives.
    fn mesh_note(&mut self, surface: &Surface<'_>, path: &str) -> MeshNote {
        let mesh = &surface.mesh;
        let mut note = MeshNote { normals: mesh.normals.is_some(), ..MeshNote::default() };
        for set in mesh.uv_sets.iter().take(surface.uv_sets.len()) {
            note.uv_sets.push(UvNote {
                name: set.name.clone(),
                lower_left: set.origin == UvOrigin::LowerLeft,
                unmapped: runs(set.corners.iter().map(|uv| uv.is_none())),
            });
        }
        for set in mesh.color_sets.iter().take(surface.color_sets.len()) {
            let uncolored = runs(set.corners.iter().map(|color| color.is_none()));
            note.color_sets.push(ColorNote { name: set.name.clone(), uncolored });
        }
        note.hidden = runs((0..mesh.faces.len()).map(|face| mesh.flags(face).contains(FaceFlags::HIDDEN)));
        if let Some(numbers) = &surface.numbers {
            let split = split_edges(mesh, &surface.normals.map(|normal| normal.map(f64::from)));
            let hard = &mesh.hard_edges;
            let name = |edge: &[u32; 2]| edge.map(|vertex| numbers.get(vertex as usize).copied().unwrap_or(vertex));
            let without = |edges: &[[u32; 2]], others: &[[u32; 2]]| -> Vec<u32> {
                edges.iter().filter(|edge| others.binary_search(edge).is_err()).flat_map(name).collect()
            };
            note.hard_edges = without(hard, &split);
            if mesh.smoothing == Smoothing::Smooth {
                note.soft_edges = without(&split, hard);
            }
        } else {
            self.losses.approximated(path, "vertices keep their positions, but get new numbers");
        }
        note
    }

    fn primitive(
        &mut self,
        surface: &Surface<'_>,
        layout: &Layout,
        material: Option<Written>,
        faces: &[u32],
        in_order: bool,
        buffers: &mut PrimitiveBuffers,
    ) -> Primitive {
        let mesh = &surface.mesh;
        let mut polygons = Vec::new();
        for &face in faces {
            let (Some(range), Some(vertices)) = (mesh.faces.corner_range(face as usize), mesh.faces.get(face as usize))
            else {
                continue;
            };
            count_polygon(&mut polygons, vertices.len());
            for (corner, &vertex) in range.zip(vertices) {
                let row = buffers.rows.insert(vertex, corner, |other| layout.is_same(surface, corner, other));
                if let Some(place) = buffers.row_of.get_mut(corner) {
                    *place = row;
                }
            }
        }
        let corners = buffers.rows.take(|corner| mesh.faces.corners().get(corner).copied().unwrap_or(u32::MAX));
        let mut words = vec![0; corners.len() * layout.words];
        parallel::fill(&mut words, ROWS * layout.words, |number, part| {
            let corners = corners.get(number * ROWS..).unwrap_or_default();
            for (row, &corner) in part.chunks_exact_mut(layout.words).zip(corners) {
                layout.fill(row, surface, corner);
            }
        });
        let indices = triangles(mesh, faces, &buffers.row_of, &mut buffers.triangulator);
        let tangents = material.and_then(|material| layout.uv(material.normal_map?));
        let geometry = Geometry { words, width: layout.words, indices };
        let (attributes, indices) = self.geometry(geometry, layout.attributes(), tangents);
        let is_polygonal = polygons.iter().step_by(2).any(|&corners| corners != 3);
        let note = PrimitiveNote {
            polygons: if is_polygonal { polygons } else { Vec::new() },
            faces: if in_order { Vec::new() } else { face_runs(faces) },
            ..PrimitiveNote::default()
        };
        let has_note = self.options.polygons && !(note.polygons.is_empty() && note.faces.is_empty());
        Primitive {
            attributes,
            indices: Some(indices),
            material: material.map(|material| material.index),
            extras: Extras::new(Json::Null, has_note.then_some(note)),
            ..Primitive::default()
        }
    }
}

/// Buffers of the primitives of a mesh, which use them one after another.
struct PrimitiveBuffers {
    rows: Rows,
    /// The row of each corner in its primitive.
    row_of: Vec<u32>,
    triangulator: Triangulator,
}

/// Returns the rows of the triangles of faces.
fn triangles(mesh: &Mesh, faces: &[u32], row_of: &[u32], triangulator: &mut Triangulator) -> Vec<u32> {
    /// Number of faces that a thread splits at a time.
    const FACES: usize = 1 << 14;
    let split = |faces: &[u32]| {
        let mut triangulator = Triangulator::new();
        let mut indices = Vec::with_capacity(faces.len() * 6);
        let mut points = Vec::new();
        for &face in faces {
            let face = face as usize;
            let rows = mesh.faces.corner_range(face).and_then(|range| row_of.get(range)).unwrap_or_default();
            if rows.len() == 3 {
                indices.extend_from_slice(rows);
                continue;
            }
            let vertices = mesh.faces.get(face).unwrap_or_default();
            points.clear();
            points.extend(vertices.iter().map(|&v| mesh.positions.get(v as usize).copied().unwrap_or_default()));
            for triangle in triangulator.split(&points) {
                indices.extend(triangle.iter().filter_map(|&corner| rows.get(corner as usize)));
            }
        }
        (indices, triangulator)
    };
    let parts = parallel::map(faces.chunks(FACES).collect(), split);
    let mut all = Vec::with_capacity(parts.iter().map(|(indices, _)| indices.len()).sum());
    for (indices, part) in parts {
        all.extend_from_slice(&indices);
        triangulator.add_report(&part);
    }
    all
}

/// Numbers the vertices of faces in order without gaps. Also returns the number of unused vertices.
fn number_vertices(mesh: &Mesh) -> (Vec<u32>, usize) {
    let mut numbers = vec![0_u32; mesh.positions.len()];
    for &vertex in mesh.faces.corners() {
        if let Some(number) = numbers.get_mut(vertex as usize) {
            *number = 1;
        }
    }
    let mut next = 0;
    let mut unused = 0;
    for number in &mut numbers {
        let is_used = *number == 1;
        *number = next;
        next += u32::from(is_used);
        unused += usize::from(!is_used);
    }
    (numbers, unused)
}

/// Groups faces by material, in the order of their first face.
fn by_material(mesh: &Mesh) -> Vec<(Option<usize>, Vec<u32>)> {
    let mut groups: Vec<(Option<usize>, Vec<u32>)> = Vec::new();
    let mut places = BTreeMap::new();
    for (number, face) in (0_u32..).zip(0..mesh.faces.len()) {
        let material = mesh.face_material(face).map(mapwright_scene::Id::index);
        let place = *places.entry(material).or_insert_with(|| {
            groups.push((material, Vec::new()));
            groups.len() - 1
        });
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
