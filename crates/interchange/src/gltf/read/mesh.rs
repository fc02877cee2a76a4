//! Meshes.

use std::collections::{BTreeMap, HashMap};

use mapwright_io::format_count;
use mapwright_scene::{ColorSet, FaceFlags, Faces, Id, Mesh, Smoothing, UvOrigin, UvSet};

use super::{
    Reader,
    geometry::{Attributes, Faces as Rings},
    item,
    uv_sets::{self, UvSource},
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

/// A face of the mesh: a run of corners of a part.
struct Face {
    /// Index among the faces of the mesh.
    number: u32,
    part: usize,
    start: usize,
    len: usize,
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
            let Some(attributes) = self.attributes(&self.named_columns(primitive), sets, &path)? else { continue };
            if let Some(material) = primitive.material {
                item(&self.root.materials, material, &format!("{path}.material"))?;
                if let Some(colored) = self.colored.get_mut(material as usize) {
                    *colored |= primitive.attributes.contains_key("COLOR_0");
                }
            }
            let uv_plan = self.uv_plan(primitive).to_vec();
            parts.push(Part { rings, attributes, material: primitive.material, uv_plan });
        }
        let faces = sorted_faces(&parts);
        let mut out = Mesh { name: mesh.name.clone(), ..Mesh::default() };
        out.properties = json_to_properties(&mesh.extras.properties, &format!("{path}.extras"), &mut self.losses);
        let kept = self.vertices(&parts, faces, &mut out, path)?;
        columns(&parts, &kept, sets, &mut out)?;
        if let Some(note) = note {
            apply_metadata(note, &mut out);
        }
        shade(&parts, &kept, note, &mut out)?;
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

    /// Finds the corners that share a vertex, and creates the vertices and faces of the mesh without duplicate vertices.
    fn vertices(
        &mut self,
        parts: &[Part<'_>],
        faces: Vec<Face>,
        out: &mut Mesh,
        path: &str,
    ) -> Result<Vec<Face>, Error> {
        let mut known: HashMap<Key, u32> = HashMap::new();
        let mut vertices: Vec<(u32, [f64; 3])> = Vec::new();
        // Rows that are known already, for parts that use most of their rows.
        let dense = |part: &Part<'_>| part.attributes.position.count <= part.rings.corners.len();
        let mut rows: Vec<Vec<Option<u32>>> =
            parts.iter().map(|part| vec![None; if dense(part) { part.attributes.position.count } else { 0 }]).collect();
        let mut all = Vec::new();
        for face in &faces {
            let (Some(part), Some(rows)) = (parts.get(face.part), rows.get_mut(face.part)) else { continue };
            for &row in part.rings.corners.get(face.start..face.start + face.len).unwrap_or_default() {
                if let Some(Some(vertex)) = rows.get(row as usize) {
                    all.push(*vertex);
                    continue;
                }
                let position = part.attributes.position.get::<3>(row as usize)?;
                let number = part.attributes.vertex.as_ref().map(|column| column.index(row as usize)).transpose()?;
                let key = match number {
                    None if !self.options.weld => Key::Row(face.part, row),
                    // Adding 0 makes both zeros equal.
                    _ => Key::Place(position.map(|c| (c + 0.0).to_bits()), number),
                };
                let next = u32::try_from(vertices.len()).unwrap_or(u32::MAX);
                let vertex = *known.entry(key).or_insert_with(|| {
                    vertices.push((number.unwrap_or(next), position));
                    next
                });
                if let Some(row) = rows.get_mut(row as usize) {
                    *row = Some(vertex);
                }
                all.push(vertex);
            }
        }
        // The writer numbers vertices without gaps. This restores their indices.
        let mut order: Vec<u32> = (0_u32..).take(vertices.len()).collect();
        order.sort_by_key(|&vertex| vertices.get(vertex as usize).map(|(number, _)| *number));
        let mut places = vec![0; order.len()];
        for (place, &vertex) in (0_u32..).zip(&order) {
            if let Some(entry) = places.get_mut(vertex as usize) {
                *entry = place;
            }
        }
        out.positions = order.iter().filter_map(|&vertex| vertices.get(vertex as usize)).map(|(_, p)| *p).collect();
        let mut kept = Vec::with_capacity(faces.len());
        let mut rest = all.as_mut_slice();
        let mut last = vec![usize::MAX; out.positions.len()];
        let mut repeated = 0_usize;
        out.faces = Faces::with_capacity(faces.len(), rest.len());
        for (index, face) in faces.into_iter().enumerate() {
            let Some((ring, after)) = rest.split_at_mut_checked(face.len) else { break };
            rest = after;
            let mut repeats = false;
            for vertex in ring.iter_mut() {
                *vertex = places.get(*vertex as usize).copied().unwrap_or(0);
                if let Some(mark) = last.get_mut(*vertex as usize) {
                    repeats |= std::mem::replace(mark, index) == index;
                }
            }
            if repeats {
                repeated += 1;
            } else {
                out.faces.push(ring);
                kept.push(face);
            }
        }
        if repeated > 0 {
            self.losses.repaired(path, format!("{} with a repeated vertex left out", format_count(repeated, "face")));
        }
        Ok(kept)
    }
}

/// The identity of a vertex.
#[derive(PartialEq, Eq, Hash)]
enum Key {
    /// A position, and the vertex number that this crate wrote, if any.
    Place([u64; 3], Option<u32>),
    /// A row of a primitive.
    Row(usize, u32),
}

/// Returns the faces of all parts in the order of their numbers, or of the parts.
fn sorted_faces(parts: &[Part<'_>]) -> Vec<Face> {
    let mut faces = Vec::new();
    let mut next = 0_u32;
    for (part, Part { rings, .. }) in parts.iter().enumerate() {
        let mut start = 0;
        for (place, &size) in rings.sizes.iter().enumerate() {
            let len = size as usize;
            faces.push(Face { number: rings.numbers.get(place).copied().unwrap_or(next), part, start, len });
            start += len;
            next = next.saturating_add(1);
        }
    }
    faces.sort_by_key(|face| face.number);
    faces
}

/// Iterates over the part and row of each corner.
fn rows<'p, 'a>(parts: &'p [Part<'a>], faces: &'p [Face]) -> impl Iterator<Item = (&'p Part<'a>, usize)> {
    faces.iter().filter_map(|face| parts.get(face.part).map(|part| (face, part))).flat_map(|(face, part)| {
        let rows = part.rings.corners.get(face.start..face.start + face.len).unwrap_or_default();
        rows.iter().map(move |&row| (part, row as usize))
    })
}

/// Adds materials, texture coordinates and colours.
fn columns(parts: &[Part<'_>], faces: &[Face], [uv_sets, color_sets]: [usize; 2], out: &mut Mesh) -> Result<(), Error> {
    let material = |face: &Face| parts.get(face.part).and_then(|part| part.material).map(Id::new);
    if faces.iter().any(|face| material(face).is_some()) {
        out.face_materials = faces.iter().map(material).collect();
    }
    for set in 0..uv_sets {
        let mut corners = Vec::with_capacity(out.faces.corner_count());
        for (part, row) in rows(parts, faces) {
            let (source, transform) = uv_sets::source(&part.uv_plan, set);
            let column = part.attributes.uvs.get(source).and_then(Option::as_ref);
            let uv = column.map(|column| column.get::<2>(row)).transpose()?;
            corners.push(uv.map(|uv| transform.map_or(uv, |transform| transform.apply(uv))));
        }
        out.uv_sets.push(UvSet { corners, ..UvSet::default() });
    }
    for set in 0..color_sets {
        let mut corners = Vec::with_capacity(out.faces.corner_count());
        for (part, row) in rows(parts, faces) {
            let column = part.attributes.colors.get(set).and_then(Option::as_ref);
            let color = column.map(|column| {
                let [r, g, b, opacity] = column.get::<4>(row)?;
                #[allow(clippy::cast_possible_truncation)] // rounding is what is meant
                Ok::<_, Error>([r, g, b, if column.width() == 3 { 1.0 } else { opacity }].map(|channel| channel as f32))
            });
            corners.push(color.transpose()?);
        }
        out.color_sets.push(ColorSet { corners, ..ColorSet::default() });
    }
    Ok(())
}

/// Restores the metadata.
fn apply_metadata(note: &MeshNote, out: &mut Mesh) {
    for (set, note) in out.uv_sets.iter_mut().zip(&note.uv_sets) {
        set.name.clone_from(&note.name);
        for_each_in_runs(&note.unmapped, &mut set.corners, |corner| *corner = None);
        if note.lower_left {
            set.origin = UvOrigin::LowerLeft;
            set.corners.iter_mut().flatten().for_each(|[_, v]| *v = 1.0 - *v);
        }
    }
    for (set, note) in out.color_sets.iter_mut().zip(&note.color_sets) {
        set.name.clone_from(&note.name);
        for_each_in_runs(&note.uncolored, &mut set.corners, |corner| *corner = None);
    }
    if !note.hidden.is_empty() {
        out.face_flags = vec![FaceFlags::NONE; out.faces.len()];
        for_each_in_runs(&note.hidden, &mut out.face_flags, |flags| *flags = FaceFlags::HIDDEN);
    }
}

/// Applies a function to the items in runs. Runs that do not ascend are invalid and end it.
pub(super) fn for_each_in_runs<T>(runs: &[u32], items: &mut [T], act: impl FnMut(&mut T)) {
    let mut act = act;
    let (mut rest, mut place) = (items, 0_usize);
    for &[start, count] in runs.as_chunks::<2>().0 {
        let skipped = (start as usize).checked_sub(place);
        let Some((_, after)) = skipped.and_then(|skipped| rest.split_at_mut_checked(skipped)) else { return };
        let (run, after) = after.split_at_mut(after.len().min(count as usize));
        run.iter_mut().for_each(&mut act);
        place = start as usize + run.len();
        rest = after;
    }
}

/// Derives hard edges from normals. Normals are stored only if they do not follow from the edges.
fn shade(parts: &[Part<'_>], faces: &[Face], note: Option<&MeshNote>, out: &mut Mesh) -> Result<(), Error> {
    if parts.iter().all(|part| part.attributes.normal.is_none()) {
        // A mesh without normals is flat-shaded.
        out.smoothing = if out.faces.is_empty() { Smoothing::Smooth } else { Smoothing::Flat };
        return Ok(());
    }
    let mut normals = Vec::with_capacity(out.faces.corner_count());
    for (face, source) in faces.iter().enumerate() {
        let of_part = parts.get(source.part).and_then(|part| part.attributes.normal.as_ref());
        for (_, row) in rows(parts, std::slice::from_ref(source)) {
            normals.push(match of_part {
                Some(column) => column.get::<3>(row)?,
                None => out.face_normal(face).unwrap_or([0.0, 1.0, 0.0]),
            });
        }
    }
    let pairs = |list: &[u32]| -> Vec<[u32; 2]> {
        let exists = |&[a, b]: &[u32; 2]| a < b && (b as usize) < out.positions.len();
        list.as_chunks::<2>().0.iter().copied().filter(exists).collect()
    };
    let (hard, mut soft) =
        note.map_or_else(Default::default, |note| (pairs(&note.hard_edges), pairs(&note.soft_edges)));
    soft.sort_unstable();
    let mut edges = split_edges(out, &normals);
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
