//! Versions 0 and 1 of 2001, whose meshes are polygons, and materials without `opengl`.
//!
//! Reading upgrades them to version 2. The old versions are never written: Wings has refused them since 2003.

mod material;

use std::collections::BTreeSet;

use mapwright_etf::{List, Term, Tree};
use mapwright_io::{Category, Context, Frame};

use super::edge::doubles;
use super::{ModelReader, REASON, SceneLists, to_opaque};
use crate::document::{build, numbers, value_tree};
use crate::{
    BuiltMesh, MaterialEntry, Model, Name, Object, PolygonCorner, Polygons, PropList, ReadError, Repair, SelectMode,
    Selection, Shape, WingedMesh,
};

/// Memory for building the winged edges of a face corner, and memory that a legacy model may take in addition to the multiple
/// of its term. It suffices for 200,000 corners, more than models of 2001 had.
const CORNER: usize = 400;
const FREE_MEMORY: u64 = 64 << 20;

/// Repairs of the objects of old files, with the index of the object.
pub(crate) type Repairs = Vec<(usize, Repair)>;

/// An object and its selected elements.
struct OldObject {
    object: Object,
    selected: Option<Vec<i64>>,
    repairs: Vec<Repair>,
}

impl<'d> ModelReader<'d> {
    /// Reads the lists of a file of version 0 or 1.
    pub(crate) fn read_legacy(&self, parts: &SceneLists<'d>) -> Result<(Model, Repairs), ReadError> {
        let mut model = Model { version: parts.version, ..Model::default() };
        self.memory.set(self.memory.get().saturating_add(FREE_MEMORY));
        if let Some(term) = parts.materials {
            let list = self.read_prop_list(term, "the materials are not a proper list").in_field("materials")?;
            let entries = list.items.into_iter().enumerate().map(|(index, item)| self.read_material(item, index, term));
            model.materials = entries.collect();
            for entry in &mut model.materials {
                if let MaterialEntry::Material(material) = entry
                    && let Some(upgraded) = material.upgraded()
                {
                    *material = upgraded;
                }
            }
        }
        if let Some(term) = parts.props {
            model.props = self.read_prop_list(term, "the scene properties are not a proper list").in_field("props")?;
        }
        let mode = model.props.get("selmode").and_then(Term::as_atom).map(|mode| mode.name().into_owned());
        model.props.remove("selmode");
        let mode = SelectMode::from_name(mode.as_deref().unwrap_or("face"));

        let shapes = self.terms(parts.shapes, "the shapes are not a proper list").in_field("shapes")?;
        let mut repairs = Vec::new();
        let mut members = Vec::new();
        for (index, term) in shapes.enumerate() {
            let term = term?;
            self.charge::<Shape>(parts.shapes, REASON)?;
            let read = if parts.version == 0 { self.read_object_0(term) } else { self.read_object_1(term, &mode) };
            model.shapes.push(match read {
                Ok(old) => {
                    repairs.extend(old.repairs.into_iter().map(|repair| (index, repair)));
                    let selected = old.selected.map(|elements| (i64::try_from(index).unwrap_or(i64::MAX), elements));
                    members.extend(selected);
                    Shape::Object(old.object)
                }
                Err(error) if error.category() == Category::Limit => {
                    return Err(error.wrap(Frame::Index(index)).wrap(Frame::Field("shapes")));
                }
                Err(error) => Shape::Other(to_opaque(value_tree(term), error, "shapes", index)),
            });
        }
        // A live selection of an unknown mode would make Wings crash on every save.
        if !members.is_empty() && !matches!(mode, SelectMode::Other(_)) {
            // Cannot fail: the mode is known and all elements are integers.
            let _ = model.add_selection(&Selection { name: None, mode, members });
        }
        Ok((model, repairs))
    }

    /// `{object,Name,Matrix16,{winged,[{Material,[Vertex]}],[{X,Y,Z}]},Properties}`.
    fn read_object_0(&self, term: Term<'d>) -> Result<OldObject, ReadError> {
        let shape =
            || self.malformed(term, "object-shape", "expected an object {object,Name,Matrix,{winged,…},Properties}");
        let [tag, name, matrix, mesh, props] = term.as_tuple_of().ok_or_else(shape)?;
        let [winged, faces, vertices] = mesh.as_tuple_of().ok_or_else(shape)?;
        if !tag.is_atom("object") || !winged.is_atom("winged") {
            return Err(shape());
        }
        let matrix = numbers(matrix)
            .ok_or_else(|| self.malformed(matrix, "object-shape", "expected a matrix of sixteen numbers"))?;
        let mut polygons = Polygons::default();
        for (index, term) in self.terms(vertices, "the vertices are not a proper list")?.enumerate() {
            let term = term?;
            let position = numbers(term)
                .ok_or_else(|| self.malformed(term, "vertex-malformed", "expected a vertex of three numbers"))
                .in_item("vertices", index)?;
            // Lengths were ten times the current ones.
            polygons.positions.push(transform(&matrix, position).map(|c| c * 0.1));
        }
        self.read_faces(faces, &mut polygons)?;
        let mut props =
            self.read_prop_list(props, "the object's properties are not a proper list").in_field("props")?;
        polygons.hard_edges = props.get("hard_edges").map(vertex_pairs).unwrap_or_default();
        props.remove("hard_edges");
        let built = WingedMesh::from_polygons(&polygons);
        let object = new_object(name, built.mesh, built.holes, props.items);
        Ok(OldObject { object, selected: None, repairs: built.repairs })
    }

    /// `{object,Name,{winged,[{Material,[Vertex]}],Vertices,[{Va,Vb}]},Properties}`.
    fn read_object_1(&self, term: Term<'d>, mode: &SelectMode) -> Result<OldObject, ReadError> {
        let shape = || self.malformed(term, "object-shape", "expected an object {object,Name,{winged,…},Properties}");
        let [tag, name, mesh, props] = term.as_tuple_of().ok_or_else(shape)?;
        let [winged, faces, vertices, hard] = mesh.as_tuple_of().ok_or_else(shape)?;
        if !tag.is_atom("object") || !winged.is_atom("winged") {
            return Err(shape());
        }
        let binary = vertices.as_binary().filter(|bytes| bytes.len() % 24 == 0);
        let bytes = binary.ok_or_else(|| {
            self.malformed(vertices, "vertex-malformed", "expected vertices as a binary of three 8-byte floats each")
        })?;
        let positions = bytes.chunks_exact(24).filter_map(doubles).collect();
        let mut polygons = Polygons { positions, ..Polygons::default() };
        self.read_faces(faces, &mut polygons)?;
        polygons.hard_edges = vertex_pairs(hard);
        let mut props =
            self.read_prop_list(props, "the object's properties are not a proper list").in_field("props")?;
        let built = WingedMesh::from_polygons(&polygons);
        let selected = props.get("selected").map(|items| find_selected(items, mode, &built));
        props.remove("selected");
        let object = new_object(name, built.mesh, built.holes, props.items);
        Ok(OldObject { object, selected, repairs: built.repairs })
    }

    /// `[{Material,[Vertex]}]`.
    fn read_faces(&self, term: Term<'d>, polygons: &mut Polygons) -> Result<(), ReadError> {
        for (index, face) in self.terms(term, "the faces are not a proper list")?.enumerate() {
            let face = face?;
            let read = || {
                let [material, ring] = face.as_tuple_of()?;
                let ring = ring.as_list().filter(|ring| ring.tail().is_none())?;
                Some((Name::from_atom(material), ring))
            };
            let (material, ring) = read()
                .ok_or_else(|| self.malformed(face, "face-shape", "expected a face {Material,[Vertex]}"))
                .in_item("faces", index)?;
            for _ in ring.items() {
                self.charge::<()>(face, CORNER)?;
            }
            // The builder skips faces with an invalid vertex.
            let vertices = ring
                .items()
                .map(|item| item.as_i64().and_then(|vertex| u32::try_from(vertex).ok()).unwrap_or(u32::MAX));
            polygons.push(vertices.map(PolygonCorner::new), (material.as_str() != "default").then_some(material));
        }
        Ok(())
    }

    /// Iterates over the terms of a proper list. An element of a STRING is an error.
    fn terms(
        &self,
        term: Term<'d>,
        expected: &'static str,
    ) -> Result<impl Iterator<Item = Result<Term<'d>, ReadError>>, ReadError> {
        let error = move || self.malformed(term, "not-a-list", expected);
        let list = term.as_list().filter(|list| list.tail().is_none()).ok_or_else(error)?;
        Ok(list.items().map(move |item| item.term().ok_or_else(error)))
    }
}

/// Creates an object with the properties that Wings writes first.
fn new_object(name: Term<'_>, mesh: WingedMesh, holes: u32, props: Vec<Tree>) -> Object {
    let mut object = Object { name: Name::from_string(name), mesh, props: PropList::default() };
    // Cannot fail: any integer and an empty list can be encoded.
    let _ = build(|term| {
        term.begin_list();
        term.end_list();
    })
    .and_then(|empty| object.props.set("plugin_states", &empty));
    let _ = object.set_hidden_faces(holes, &(0..holes).collect::<Vec<u32>>());
    object.props.items.extend(props);
    object
}

/// Reads pairs of vertices, the smaller one first. Other items are skipped.
fn vertex_pairs(term: Term<'_>) -> Vec<[u32; 2]> {
    let terms = term.as_list().and_then(List::terms).unwrap_or_default();
    terms.into_iter().filter_map(vertex_pair).collect()
}

fn vertex_pair(term: Term<'_>) -> Option<[u32; 2]> {
    let [a, b] = term.as_tuple_of()?;
    let [a, b] = [u32::try_from(a.as_i64()?).ok()?, u32::try_from(b.as_i64()?).ok()?];
    Some([a.min(b), a.max(b)])
}

/// Returns the new numbers of the selected elements. Removed elements are skipped.
fn find_selected(items: Term<'_>, mode: &SelectMode, built: &BuiltMesh) -> Vec<i64> {
    let Some(list) = items.as_list() else { return Vec::new() };
    let number = |id: i64| u32::try_from(id).ok();
    match mode {
        SelectMode::Vertex => {
            let ids = list.to_integers().unwrap_or_default().into_iter().filter_map(number);
            find_places(built.vertices.iter().copied(), ids)
        }
        SelectMode::Face => {
            let ids = list.to_integers().unwrap_or_default().into_iter().filter_map(number);
            find_places(built.faces.iter().map(|face| face.unwrap_or(u32::MAX)), ids)
        }
        SelectMode::Edge => {
            let old = |vertex: u32| built.vertices.get(vertex as usize).copied().unwrap_or(u32::MAX);
            let edges = built.mesh.edges.iter().map(|edge| [old(edge.start), old(edge.end)]);
            let pairs = list.items().filter_map(|item| vertex_pair(item.term()?));
            find_places(edges.map(|[a, b]| [a.min(b), a.max(b)]), pairs)
        }
        _ => vec![0],
    }
}

/// Returns the indices of the wanted items, ascending.
fn find_places<T: Ord>(items: impl Iterator<Item = T>, wanted: impl Iterator<Item = T>) -> Vec<i64> {
    let wanted: BTreeSet<T> = wanted.collect();
    (0..).zip(items).filter(|(_, item)| wanted.contains(item)).map(|(place, _)| place).collect()
}

/// Transforms a point by a matrix. The row `0 0 0 1` shows if the matrix is stored by rows. Otherwise it is stored by columns,
/// as in OpenGL.
fn transform(matrix: &[f64; 16], [x, y, z]: [f64; 3]) -> [f64; 3] {
    let [a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, _] = *matrix;
    if [m, n, o] == [0.0; 3] && [d, h, l] != [0.0; 3] {
        return [a * x + b * y + c * z + d, e * x + f * y + g * z + h, i * x + j * y + k * z + l];
    }
    [a * x + e * y + i * z + m, b * x + f * y + j * z + n, c * x + g * y + k * z + o]
}
