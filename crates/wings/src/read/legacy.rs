//! Versions 0 and 1 of 2001, whose meshes are polygons, and materials without `opengl`.
//!
//! What is read here is brought up to version 2, since nobody can want to write the old versions: Wings has refused them
//! since 2003.

mod material;

use std::collections::BTreeSet;

use mapwright_etf::{List, Term, Tree};
use mapwright_io::{Category, Context, Frame};

use super::{ModelReader, Parts, REASON, opaque};
use crate::document::{build, numbers, value_tree};
use crate::{
    Built, MaterialEntry, Model, Name, Object, PolygonCorner, Polygons, PropList, ReadError, Repair, SelectMode,
    Selection, Shape, WingedMesh,
};

/// What building winged edges takes for a corner of a face, and what may be taken for it beside the multiple of the term:
/// enough for a model of 200,000 corners, and nobody made such a one in 2001.
const CORNER: usize = 400;
const FREE_MEMORY: u64 = 64 << 20;

/// What had to be put right in the objects of old files, by the number of the object.
pub(crate) type Repairs = Vec<(usize, Repair)>;

/// An object with what is selected of it.
struct OldObject {
    object: Object,
    selected: Option<Vec<i64>>,
    repairs: Vec<Repair>,
}

impl<'d> ModelReader<'d> {
    /// Reads the lists of a file of version 0 or 1.
    pub(crate) fn legacy(&self, parts: &Parts<'d>) -> Result<(Model, Repairs), ReadError> {
        let mut model = Model { version: parts.version, ..Model::default() };
        self.memory.set(self.memory.get().saturating_add(FREE_MEMORY));
        if let Some(term) = parts.materials {
            let list = self.prop_list(term, "the materials are no proper list").in_field("materials")?;
            let entries = list.items.into_iter().enumerate().map(|(index, item)| self.material(item, index, term));
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
            model.props = self.prop_list(term, "the scene properties are no proper list").in_field("props")?;
        }
        let mode = model.props.get("selmode").and_then(Term::as_atom).map(|mode| mode.name().into_owned());
        model.props.remove("selmode");
        let mode = SelectMode::from_name(mode.as_deref().unwrap_or("face"));

        let shapes = self.terms(parts.shapes, "the shapes are no proper list").in_field("shapes")?;
        let mut repairs = Vec::new();
        let mut members = Vec::new();
        for (index, term) in shapes.enumerate() {
            let term = term?;
            self.spend::<Shape>(parts.shapes, REASON)?;
            let read = if parts.version == 0 { self.object_0(term) } else { self.object_1(term, &mode) };
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
                Err(error) => Shape::Other(opaque(value_tree(term), error, "shapes", index)),
            });
        }
        // Of a mode that Wings does not know it would crash every save.
        if !members.is_empty() && !matches!(mode, SelectMode::Other(_)) {
            // Nothing in it can fail: the mode is one of Wings'.
            let _ = model.add_selection(&Selection { name: None, mode, members });
        }
        Ok((model, repairs))
    }

    /// `{object,Name,Matrix16,{winged,[{Material,[Vertex]}],[{X,Y,Z}]},Properties}`.
    fn object_0(&self, term: Term<'d>) -> Result<OldObject, ReadError> {
        let shape =
            || self.part(term, "object-shape", "an object is a tuple {object,Name,Matrix,{winged,…},Properties}");
        let [tag, name, matrix, mesh, props] = term.as_tuple_of().ok_or_else(shape)?;
        let [winged, faces, vertices] = mesh.as_tuple_of().ok_or_else(shape)?;
        if !tag.is_atom("object") || !winged.is_atom("winged") {
            return Err(shape());
        }
        let matrix = numbers(matrix)
            .ok_or_else(|| self.part(matrix, "object-shape", "a matrix is a tuple of sixteen numbers"))?;
        let mut polygons = Polygons::default();
        for (index, term) in self.terms(vertices, "the vertices are no proper list")?.enumerate() {
            let term = term?;
            let position = numbers(term)
                .ok_or_else(|| self.part(term, "vertex-malformed", "a vertex is a tuple of three numbers"))
                .in_item("vertices", index)?;
            // Lengths were ten times what they are now.
            polygons.positions.push(transform(&matrix, position).map(|c| c * 0.1));
        }
        self.faces(faces, &mut polygons)?;
        let mut props = self.prop_list(props, "the object's properties are no proper list").in_field("props")?;
        polygons.hard_edges = props.get("hard_edges").map(vertex_pairs).unwrap_or_default();
        props.remove("hard_edges");
        let built = WingedMesh::from_polygons(&polygons);
        let object = object(name, built.mesh, built.holes, props.items);
        Ok(OldObject { object, selected: None, repairs: built.repairs })
    }

    /// `{object,Name,{winged,[{Material,[Vertex]}],Vertices,[{Va,Vb}]},Properties}`.
    fn object_1(&self, term: Term<'d>, mode: &SelectMode) -> Result<OldObject, ReadError> {
        let shape = || self.part(term, "object-shape", "an object is a tuple {object,Name,{winged,…},Properties}");
        let [tag, name, mesh, props] = term.as_tuple_of().ok_or_else(shape)?;
        let [winged, faces, vertices, hard] = mesh.as_tuple_of().ok_or_else(shape)?;
        if !tag.is_atom("object") || !winged.is_atom("winged") {
            return Err(shape());
        }
        let binary = vertices.as_binary().filter(|bytes| bytes.len() % 24 == 0);
        let bytes = binary.ok_or_else(|| {
            self.part(vertices, "vertex-malformed", "the vertices are a binary of three 8-byte floats for each")
        })?;
        let mut polygons = Polygons::default();
        let float = |bytes: &[u8]| bytes.first_chunk().map_or(f64::NAN, |chunk| f64::from_be_bytes(*chunk));
        polygons.positions = bytes
            .chunks_exact(24)
            .map(|chunk| {
                let mut coordinates = chunk.chunks_exact(8).map(float);
                [(); 3].map(|()| coordinates.next().unwrap_or(f64::NAN))
            })
            .collect();
        self.faces(faces, &mut polygons)?;
        polygons.hard_edges = vertex_pairs(hard);
        let mut props = self.prop_list(props, "the object's properties are no proper list").in_field("props")?;
        let built = WingedMesh::from_polygons(&polygons);
        let selected = props.get("selected").map(|items| selected(items, mode, &built));
        props.remove("selected");
        let object = object(name, built.mesh, built.holes, props.items);
        Ok(OldObject { object, selected, repairs: built.repairs })
    }

    /// `[{Material,[Vertex]}]`.
    fn faces(&self, term: Term<'d>, polygons: &mut Polygons) -> Result<(), ReadError> {
        for (index, face) in self.terms(term, "the faces are no proper list")?.enumerate() {
            let face = face?;
            let read = || {
                let [material, ring] = face.as_tuple_of()?;
                let ring = ring.as_list().filter(|ring| ring.tail().is_none())?;
                Some((Name::from_atom(material), ring))
            };
            let (material, ring) = read()
                .ok_or_else(|| self.part(face, "face-shape", "a face is a pair of a material and a list of vertices"))
                .in_item("faces", index)?;
            for _ in ring.items() {
                self.spend::<()>(face, CORNER)?;
            }
            // A number that is none of a vertex is left to the builder, which leaves the face out.
            let vertices = ring
                .items()
                .map(|item| item.as_i64().and_then(|vertex| u32::try_from(vertex).ok()).unwrap_or(u32::MAX));
            polygons.push(vertices.map(PolygonCorner::new), (material.as_str() != "default").then_some(material));
        }
        Ok(())
    }

    /// The terms of a proper list; an element of a STRING has none.
    fn terms(
        &self,
        term: Term<'d>,
        expected: &'static str,
    ) -> Result<impl Iterator<Item = Result<Term<'d>, ReadError>>, ReadError> {
        let error = move || self.part(term, "not-a-list", expected);
        let list = term.as_list().filter(|list| list.tail().is_none()).ok_or_else(error)?;
        Ok(list.items().map(move |item| item.term().ok_or_else(error)))
    }
}

/// An object with the properties that Wings writes first.
fn object(name: Term<'_>, mesh: WingedMesh, holes: u32, props: Vec<Tree>) -> Object {
    let mut object = Object { name: Name::from_string(name), mesh, props: PropList::default() };
    // Integers and empty lists can always be spelled.
    let _ = build(|term| {
        term.begin_list();
        term.end_list();
    })
    .and_then(|empty| object.props.set("plugin_states", &empty));
    let _ = object.set_hidden_faces(holes, &(0..holes).collect::<Vec<u32>>());
    object.props.items.extend(props);
    object
}

/// Pairs of vertices, smaller first; what is no pair is left out.
fn vertex_pairs(term: Term<'_>) -> Vec<[u32; 2]> {
    let terms = term.as_list().and_then(List::terms).unwrap_or_default();
    terms.into_iter().filter_map(vertex_pair).collect()
}

fn vertex_pair(term: Term<'_>) -> Option<[u32; 2]> {
    let [a, b] = term.as_tuple_of()?;
    let [a, b] = [u32::try_from(a.as_i64()?).ok()?, u32::try_from(b.as_i64()?).ok()?];
    Some([a.min(b), a.max(b)])
}

/// The numbers that the selected elements have now. Those that are gone are left out.
fn selected(items: Term<'_>, mode: &SelectMode, built: &Built) -> Vec<i64> {
    let Some(list) = items.as_list() else { return Vec::new() };
    let number = |id: i64| u32::try_from(id).ok();
    match mode {
        SelectMode::Vertex => {
            let ids = list.to_integers().unwrap_or_default().into_iter().filter_map(number);
            places(built.vertices.iter().copied(), ids)
        }
        SelectMode::Face => {
            let ids = list.to_integers().unwrap_or_default().into_iter().filter_map(number);
            places(built.faces.iter().map(|face| face.unwrap_or(u32::MAX)), ids)
        }
        SelectMode::Edge => {
            let old = |vertex: u32| built.vertices.get(vertex as usize).copied().unwrap_or(u32::MAX);
            let edges = built.mesh.edges.iter().map(|edge| [old(edge.start), old(edge.end)]);
            let pairs = list.items().filter_map(|item| vertex_pair(item.term()?));
            places(edges.map(|[a, b]| [a.min(b), a.max(b)]), pairs)
        }
        _ => vec![0],
    }
}

/// Where the wanted items stand, ascending.
fn places<T: Ord>(items: impl Iterator<Item = T>, wanted: impl Iterator<Item = T>) -> Vec<i64> {
    let wanted: BTreeSet<T> = wanted.collect();
    (0..).zip(items).filter(|(_, item)| wanted.contains(item)).map(|(place, _)| place).collect()
}

/// A point through a matrix. Which elements are the translation is told by where the row `0 0 0 1` is; where both are
/// possible there is none, and the elements are taken by columns, as OpenGL has them.
fn transform(matrix: &[f64; 16], [x, y, z]: [f64; 3]) -> [f64; 3] {
    let [a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, _] = *matrix;
    if [m, n, o] == [0.0; 3] && [d, h, l] != [0.0; 3] {
        return [a * x + b * y + c * z + d, e * x + f * y + g * z + h, i * x + j * y + k * z + l];
    }
    [a * x + e * y + i * z + m, b * x + f * y + j * z + n, c * x + g * y + k * z + o]
}
