//! Builds a scene from the statements of an OBJ file.

use std::collections::HashMap;

use mapwright_scene::{
    ColorSet, ColorSpace, Content, CornerColumn, EdgeSide, Faces, Import, LossKind, Losses, Material, MaterialId, Mesh,
    NO_ROW, Node, Scene, Smoothing, UvOrigin, UvSet, VertexColors,
    transform::{dot, normalize, sub},
};

use super::{
    Budget, mtl,
    statements::{NONE, Section, Statements},
};
use crate::{
    Error,
    obj::{ImportOptions, mtl::NO_MATERIAL},
};

/// Normals with a smaller squared distance are equal.
const SAME_NORMAL: f64 = 1e-7;

pub(super) fn build(
    all: &Statements,
    files: mtl::Load<'_>,
    options: &ImportOptions,
    budget: &mut Budget,
) -> Result<Import, Error> {
    let mut scene = Scene { color_space: ColorSpace::Srgb, ..Scene::default() };
    let mut losses = Losses::new();
    let named = mtl::read_libraries(&all.libraries, files, options, budget, &mut scene, &mut losses)?;
    let materials = materials(all, &named, &mut scene, &mut losses);
    all.skipped.report("", LossKind::Dropped, &mut losses);
    all.repaired.report("", LossKind::Repaired, &mut losses);

    let mut used = vec![false; all.positions.len()];
    for [vertex, _, _] in &all.corners {
        if let Some(flag) = used.get_mut(*vertex as usize) {
            *flag = true;
        }
    }
    let normals: Vec<Option<[f64; 3]>> = all.normals.iter().map(|&normal| unit(normal)).collect();
    for section in &all.sections {
        let vertices = Vertices::new(all, section, &used);
        if !section.is_object && vertices.numbers.is_empty() {
            continue;
        }
        let path = format!("meshes[{}]", scene.meshes.len());
        let mesh = mesh(all, section, &vertices, &normals, &materials, &path, &mut losses);
        if !mesh.color_sets.is_empty() {
            for id in mesh.face_materials.iter().flatten() {
                if let Some(material) = scene.materials.get_mut(*id) {
                    material.vertex_colors = VertexColors::Multiply;
                }
            }
        }
        let id = scene.meshes.push(mesh);
        scene.add_node(None, Node::new(section.name.clone(), Content::Mesh(id)));
    }
    Ok(Import { scene, losses })
}

/// Creates the material of each name after `usemtl`. Unknown names get a default material, except the names that programs write
/// for "none".
fn materials(
    all: &Statements,
    named: &HashMap<String, MaterialId>,
    scene: &mut Scene,
    losses: &mut Losses,
) -> Vec<Option<MaterialId>> {
    let mut find = |name: &String| match named.get(name) {
        Some(&id) => Some(id),
        None if NO_MATERIAL.contains(&name.as_str()) => None,
        None => {
            let id = scene.materials.push(Material::new(name));
            losses.synthesized(
                format!("materials[{}]", id.index()),
                format!("no library describes the material {name:?}"),
            );
            Some(id)
        }
    };
    all.materials.iter().map(&mut find).collect()
}

/// The vertices of a section in ascending order: those of its faces, and those that it declares and no face of the file uses.
struct Vertices {
    numbers: Vec<u32>,
    /// The number of the first vertex.
    first: u32,
    /// The place in `numbers` of each vertex from the first to the last. Empty if most of these are in other sections.
    places: Vec<u32>,
}

impl Vertices {
    fn new(all: &Statements, section: &Section, used: &[bool]) -> Self {
        let corners = all.corner_range(section.faces.start).0..all.corner_range(section.faces.end).0;
        let corners = all.corners.get(corners).unwrap_or_default();
        let of_faces = || corners.iter().map(|[vertex, _, _]| *vertex);
        let is_loose = |vertex: &usize| used.get(*vertex) == Some(&false);
        let loose = || section.vertices.clone().filter(is_loose).filter_map(|vertex| u32::try_from(vertex).ok());
        let (mut first, mut last, mut count) = (u32::MAX, 0, 0_usize);
        for vertex in of_faces().chain(loose()) {
            (first, last, count) = (first.min(vertex), last.max(vertex), count + 1);
        }
        let span = last.saturating_sub(first) as usize;
        if count == 0 || span / 4 > count {
            let mut numbers: Vec<u32> = of_faces().chain(loose()).collect();
            numbers.sort_unstable();
            numbers.dedup();
            return Self { numbers, first, places: Vec::new() };
        }
        let mut places = vec![NONE; span + 1];
        for vertex in of_faces().chain(loose()) {
            if let Some(place) = places.get_mut((vertex - first) as usize) {
                *place = 0;
            }
        }
        let mut numbers = Vec::with_capacity(count.min(places.len()));
        for (vertex, place) in (first..).zip(&mut places).filter(|(_, place)| **place != NONE) {
            *place = u32::try_from(numbers.len()).unwrap_or(NONE);
            numbers.push(vertex);
        }
        Self { numbers, first, places }
    }

    /// Returns the positions of these vertices from the list of the whole file.
    fn positions(&self, all: &[[f64; 3]]) -> Vec<[f64; 3]> {
        let mut positions = Vec::with_capacity(self.numbers.len());
        positions.extend(self.numbers.iter().filter_map(|&vertex| all.get(vertex as usize)));
        positions
    }

    fn place(&self, vertex: u32) -> Option<u32> {
        if self.places.is_empty() {
            return self.numbers.binary_search(&vertex).ok().and_then(|place| u32::try_from(place).ok());
        }
        self.places.get(vertex.checked_sub(self.first)? as usize).copied()
    }
}

fn mesh(
    all: &Statements,
    section: &Section,
    vertices: &Vertices,
    normals: &[Option<[f64; 3]>],
    materials: &[Option<MaterialId>],
    path: &str,
    losses: &mut Losses,
) -> Mesh {
    let (first, end) = (all.corner_range(section.faces.start).0, all.corner_range(section.faces.end).0);
    let corners = all.corners.get(first..end).unwrap_or_default();
    let section_faces = all.faces.get(section.faces.clone()).unwrap_or_default();

    let of_faces = corners.iter().map(|[vertex, _, _]| vertices.place(*vertex).unwrap_or(NONE)).collect();
    let sizes = section.faces.clone().map(|face| all.face_corners(face).len());
    let faces = Faces::from_corners(of_faces, sizes).unwrap_or_default();
    let mut mesh =
        Mesh { name: section.name.clone(), positions: vertices.positions(&all.positions), faces, ..Mesh::default() };
    let face_material = |face: &super::statements::Face| materials.get(face.material as usize).copied().flatten();
    if section_faces.iter().any(|face| face_material(face).is_some()) {
        mesh.face_materials = section_faces.iter().map(face_material).collect();
    }
    if corners.iter().any(|[_, uv, _]| *uv != NONE) {
        let corners = column(&all.uvs, corners.iter().map(|[_, uv, _]| *uv));
        mesh.uv_sets = vec![UvSet { name: String::new(), origin: UvOrigin::LowerLeft, corners }];
    }
    let color = |vertex: u32| all.colors.get(vertex as usize).copied().flatten();
    if corners.iter().any(|[vertex, _, _]| color(*vertex).is_some()) {
        let of_vertices: CornerColumn<_> = vertices.numbers.iter().map(|&vertex| color(vertex)).collect();
        let corners = of_vertices.pick(mesh.faces.corners().iter().map(|&vertex| vertex as usize));
        mesh.color_sets = vec![ColorSet { name: String::new(), corners }];
    }
    match corner_normals(normals, corners) {
        Some(normals) => shade_by_normals(&mut mesh, corners, normals),
        None => {
            if corners.iter().any(|[_, _, normal]| *normal != NONE) {
                losses.dropped(
                    path,
                    format!("normals of {:?}: not on every corner, or without a direction", section.name),
                );
            }
            let groups: Vec<u32> = section_faces.iter().map(|face| face.smoothing).collect();
            shade_by_groups(&mut mesh, &groups);
        }
    }
    mesh
}

/// Returns the direction of a normal. Unit vectors are unchanged: dividing would change the last digits.
fn unit(normal: [f64; 3]) -> Option<[f64; 3]> {
    if (dot(normal, normal) - 1.0).abs() < 1e-9 { Some(normal) } else { normalize(normal) }
}

/// Returns a column with the rows of a list that belongs to all sections. Each corner has an index there, or [`NONE`].
fn column<T: Copy>(all: &[T], indices: impl Iterator<Item = u32> + Clone) -> CornerColumn<T> {
    let (mut first, mut end, mut count) = (NONE, 0, 0_usize);
    for index in indices.clone().filter(|index| *index != NONE) {
        (first, end, count) = (first.min(index), end.max(index + 1), count + 1);
    }
    // Sections usually have their own rows, one after another.
    let rows = all.get(first as usize..end as usize).filter(|rows| rows.len() / 2 <= count);
    let shared = rows.and_then(|rows| {
        let indices = indices.clone().map(|index| if index == NONE { NO_ROW } else { index - first });
        CornerColumn::from_rows(rows.to_vec(), indices.collect())
    });
    shared.unwrap_or_else(|| indices.map(|index| all.get(index as usize).copied()).collect())
}

/// Returns the unit normal of each corner, if all corners have one.
fn corner_normals(normals: &[Option<[f64; 3]>], corners: &[[u32; 3]]) -> Option<CornerColumn<[f64; 3]>> {
    if corners.first().is_none_or(|[_, _, normal]| *normal == NONE) {
        return None;
    }
    let indices = corners.iter().map(|[_, _, normal]| *normal);
    let is_complete = indices.clone().all(|normal| normals.get(normal as usize).copied().flatten().is_some());
    is_complete.then(|| column(normals, indices).map(Option::unwrap_or_default))
}

/// Returns the edges between two faces that are hard. A face with a duplicate vertex in a row has no edge there.
fn hard_edges(mesh: &Mesh, is_hard: impl Fn(&EdgeSide, &EdgeSide) -> bool) -> Vec<[u32; 2]> {
    let mut hard = Vec::new();
    mesh.for_each_edge(|sides| {
        if let [a, b] = sides
            && a.vertices[0] != a.vertices[1]
            && is_hard(a, b)
        {
            hard.push(a.vertices);
        }
    });
    hard
}

/// Marks edges as hard if normals differ across them. Normals that follow from the edges are removed.
fn shade_by_normals(mesh: &mut Mesh, corners: &[[u32; 3]], normals: CornerColumn<[f64; 3]>) {
    let is_same = |a: [f64; 3], b: [f64; 3]| dot(sub(a, b), sub(a, b)) < SAME_NORMAL;
    let same = |a: usize, b: usize| match (normals.get(a), normals.get(b)) {
        (Some(a), Some(b)) => is_same(a, b),
        _ => true,
    };
    if is_split(mesh, corners) {
        mesh.hard_edges = hard_edges(mesh, |a, b| {
            let ([a0, a1], [b0, b1]) = (a.corners(), b.corners());
            !same(a0, b0) || !same(a1, b1)
        });
    }
    let follows = mesh.follows_edges(&normals, is_same);
    mesh.normals = (!follows).then_some(normals);
}

/// Returns `true` if corners at one vertex refer to different normals. Otherwise no edge is hard, and this is faster to find than edges.
fn is_split(mesh: &Mesh, corners: &[[u32; 3]]) -> bool {
    let mut normals = vec![NONE; mesh.positions.len()];
    mesh.faces.corners().iter().zip(corners).any(|(&vertex, &[_, _, normal])| match normals.get_mut(vertex as usize) {
        Some(first) if *first == NONE => {
            *first = normal;
            false
        }
        Some(first) => *first != normal,
        None => false,
    })
}

/// Marks edges as hard between different smoothing groups, and around faces without one.
fn shade_by_groups(mesh: &mut Mesh, groups: &[u32]) {
    let first = groups.first().copied().unwrap_or(0);
    if groups.iter().all(|&group| group == first) {
        if first == 0 {
            mesh.smoothing = Smoothing::Flat;
        }
        return;
    }
    let group = |face: u32| groups.get(face as usize).copied().unwrap_or(0);
    mesh.hard_edges = hard_edges(mesh, |a, b| group(a.face) != group(b.face) || group(a.face) == 0);
}
