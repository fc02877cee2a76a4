//! The lists of a scene and of its meshes, for [`Edits`].

use mapwright_etf::{Builder, Term, Tree};

use super::edits::{Edits, ListKind};
use super::model::{
    Extras, edge_numbers, emit_edge, emit_face, emit_hard_edges, emit_material, emit_shape, emit_vertex,
};
use crate::read::{AttributeSource, EdgeScan, vertex_slot};
use crate::{Edge, ExtraList, MaterialEntry, Name, Object, PropList, Shape, Side, WingedMesh, WriteError};

/// The list of shapes.
pub(super) struct Shapes;

impl ListKind for Shapes {
    type Item = Shape;

    fn eq_at_index(&self, _: usize, old: &Shape, new: &Shape) -> bool {
        // Objects are compared part by part: `==` does not distinguish 0.0 and −0.0.
        old == new && !matches!(new, Shape::Object(_))
    }

    fn eq_ignoring_index(&self, old: &Shape, new: &Shape) -> bool {
        match (old, new) {
            (Shape::Object(a), Shape::Object(b)) => {
                a == b
                    && a.mesh.edges.iter().zip(&b.mesh.edges).all(|(a, b)| has_same_edge(a, b))
                    && a.mesh.vertices.iter().zip(&b.mesh.vertices).all(|(a, b)| has_same_position(a, b))
            }
            _ => old == new,
        }
    }

    fn change<'d>(
        &self,
        edits: &mut Edits<'d>,
        _: usize,
        term: Term<'d>,
        old: &Shape,
        new: &Shape,
    ) -> Result<(), WriteError> {
        match (old, new, term.as_tuple_of()) {
            (Shape::Object(old), Shape::Object(new), Some(parts)) => edits.object(parts, old, new),
            _ => edits.replace(term, |term| emit_shape(term, new)),
        }
    }

    fn emit(&self, term: &mut Builder, _: usize, shape: &Shape) {
        emit_shape(term, shape);
    }
}

/// The list of materials.
pub(super) struct Materials;

impl ListKind for Materials {
    type Item = MaterialEntry;

    fn eq_at_index(&self, _: usize, old: &MaterialEntry, new: &MaterialEntry) -> bool {
        old == new
    }

    fn change<'d>(
        &self,
        edits: &mut Edits<'d>,
        _: usize,
        term: Term<'d>,
        old: &MaterialEntry,
        new: &MaterialEntry,
    ) -> Result<(), WriteError> {
        match (old, new, term.as_tuple_of()) {
            (MaterialEntry::Material(old), MaterialEntry::Material(new), Some([name, props])) => {
                if old.name != new.name {
                    edits.replace(name, |term| new.name.emit_atom(term))?;
                }
                edits.props(props, &old.props, &new.props)
            }
            _ => edits.replace(term, |term| emit_material(term, new)),
        }
    }

    fn emit(&self, term: &mut Builder, _: usize, entry: &MaterialEntry) {
        emit_material(term, entry);
    }
}

/// A property list.
pub(super) struct Props;

impl ListKind for Props {
    type Item = Tree;

    fn eq_at_index(&self, _: usize, old: &Tree, new: &Tree) -> bool {
        old == new
    }

    fn change<'d>(
        &self,
        edits: &mut Edits<'d>,
        _: usize,
        term: Term<'d>,
        _: &Tree,
        new: &Tree,
    ) -> Result<(), WriteError> {
        edits.replace_differences(term, new)
    }

    fn emit(&self, term: &mut Builder, _: usize, item: &Tree) {
        term.recode(item.root());
    }
}

/// Unknown terms of a mesh, old and new.
type Both<'m> = (&'m Extras<'m>, &'m Extras<'m>);

/// Returns `true` if an entry contains the same unknown terms as before.
fn has_same_extras((old, new): Both<'_>, list: ExtraList, index: usize) -> bool {
    old.entry_extras(list, index) == new.entry_extras(list, index)
}

/// Returns `true` if no entry contains unknown terms. They are stored by index, so entries with them cannot move.
fn has_no_extras((old, new): Both<'_>, list: ExtraList) -> bool {
    old.list_extras(list).is_empty() && new.list_extras(list).is_empty()
}

/// The edges of a mesh.
pub(super) struct Edges<'m>(pub(super) Both<'m>);

impl ListKind for Edges<'_> {
    type Item = Edge;

    fn eq_at_index(&self, index: usize, old: &Edge, new: &Edge) -> bool {
        has_same_edge(old, new) && has_same_extras(self.0, ExtraList::Edge, index)
    }

    fn eq_ignoring_index(&self, old: &Edge, new: &Edge) -> bool {
        has_same_edge(old, new) && has_no_extras(self.0, ExtraList::Edge)
    }

    fn change<'d>(
        &self,
        edits: &mut Edits<'d>,
        index: usize,
        term: Term<'d>,
        old: &Edge,
        new: &Edge,
    ) -> Result<(), WriteError> {
        let same_kinds = [Side::Left, Side::Right].into_iter().all(|side| {
            let (old, new) = (old.wing(side), new.wing(side));
            old.uv.is_some() == new.uv.is_some() && old.color.is_some() == new.color.is_some()
        });
        let scan =
            EdgeScan::new(term, |_| ()).ok().filter(|_| same_kinds && has_same_extras(self.0, ExtraList::Edge, index));
        let Some((scan, numbers)) = scan.and_then(|scan| Some((scan, scan.numbers?))) else {
            return edits.replace(term, |term| self.emit(term, index, new));
        };
        for ((term, old), new) in numbers.zip(edge_numbers(old)).zip(edge_numbers(new)) {
            if old != new {
                edits.replace(term, |term| term.integer(new.into()))?;
            }
        }
        for side in [Side::Left, Side::Right] {
            let (old, new) = (old.wing(side), new.wing(side));
            if let (Some(source), Some(was), Some(uv)) = (scan.wing(side).uv, old.uv, new.uv)
                && was.map(f64::to_bits) != uv.map(f64::to_bits)
            {
                edits.replace_attribute(source, uv.map(f64::to_be_bytes).as_flattened());
            }
            if let (Some(source), Some(was), Some(color)) = (scan.wing(side).color, old.color, new.color)
                && was.map(f32::to_bits) != color.map(f32::to_bits)
            {
                let old_dialect = color.map(|channel| f64::from(channel).to_be_bytes());
                let today = color.map(f32::to_be_bytes);
                edits.replace_attribute(
                    source,
                    if source.old { old_dialect.as_flattened() } else { today.as_flattened() },
                );
            }
        }
        Ok(())
    }

    fn emit(&self, term: &mut Builder, index: usize, edge: &Edge) {
        emit_edge(term, edge, self.0.1.entry_extras(ExtraList::Edge, index));
    }
}

/// The faces of a mesh.
pub(super) struct Faces<'m>(pub(super) Both<'m>);

impl ListKind for Faces<'_> {
    type Item = Option<Name>;

    fn eq_at_index(&self, index: usize, old: &Option<Name>, new: &Option<Name>) -> bool {
        old == new && has_same_extras(self.0, ExtraList::Face, index)
    }

    fn eq_ignoring_index(&self, old: &Option<Name>, new: &Option<Name>) -> bool {
        old == new && has_no_extras(self.0, ExtraList::Face)
    }

    fn change<'d>(
        &self,
        edits: &mut Edits<'d>,
        index: usize,
        term: Term<'d>,
        _: &Option<Name>,
        new: &Option<Name>,
    ) -> Result<(), WriteError> {
        let material = |item: mapwright_etf::ListItem<'d>| {
            item.term()?.as_property().filter(|(key, _)| *key == *"material").map(|(_, value)| value)
        };
        // Wings uses the last one.
        let place = term.as_list().and_then(|list| list.items().filter_map(material).last());
        match (place, new) {
            (Some(place), Some(name)) if has_same_extras(self.0, ExtraList::Face, index) => {
                edits.replace(place, |term| name.emit_atom(term))
            }
            _ => edits.replace(term, |term| self.emit(term, index, new)),
        }
    }

    fn emit(&self, term: &mut Builder, index: usize, material: &Option<Name>) {
        emit_face(term, material.as_ref(), self.0.1.entry_extras(ExtraList::Face, index));
    }
}

/// The vertices of a mesh.
pub(super) struct Vertices<'m>(pub(super) Both<'m>);

impl ListKind for Vertices<'_> {
    type Item = [f64; 3];

    fn eq_at_index(&self, index: usize, old: &[f64; 3], new: &[f64; 3]) -> bool {
        has_same_position(old, new) && has_same_extras(self.0, ExtraList::Vertex, index)
    }

    fn eq_ignoring_index(&self, old: &[f64; 3], new: &[f64; 3]) -> bool {
        has_same_position(old, new) && has_no_extras(self.0, ExtraList::Vertex)
    }

    fn change<'d>(
        &self,
        edits: &mut Edits<'d>,
        index: usize,
        term: Term<'d>,
        _: &[f64; 3],
        new: &[f64; 3],
    ) -> Result<(), WriteError> {
        match vertex_slot(term, |_| ()) {
            Some(Ok((binary, _))) if has_same_extras(self.0, ExtraList::Vertex, index) => {
                let source = AttributeSource { term: binary, start: 0, old: false };
                edits.replace_attribute(source, new.map(f64::to_be_bytes).as_flattened());
                Ok(())
            }
            _ => edits.replace(term, |term| self.emit(term, index, new)),
        }
    }

    fn emit(&self, term: &mut Builder, index: usize, position: &[f64; 3]) {
        emit_vertex(term, position, self.0.1.entry_extras(ExtraList::Vertex, index));
    }
}

impl<'d> Edits<'d> {
    pub(super) fn object(&mut self, parts: [Term<'d>; 4], old: &Object, new: &Object) -> Result<(), WriteError> {
        let [_, name, mesh, props] = parts;
        if old.name != new.name {
            self.replace(name, |term| new.name.emit_string(term))?;
        }
        if let Some([_, edges, faces, vertices, hard]) = mesh.as_tuple_of() {
            self.mesh([edges, faces, vertices, hard], &old.mesh, &new.mesh)?;
        }
        self.props(props, &old.props, &new.props)
    }

    fn mesh(&mut self, parts: [Term<'d>; 4], old: &WingedMesh, new: &WingedMesh) -> Result<(), WriteError> {
        let [edges, faces, vertices, hard] = parts;
        let extras = (Extras::new(&old.extras), Extras::new(&new.extras));
        let both = (&extras.0, &extras.1);
        self.change_list(&Edges(both), edges, &old.edges, &new.edges)?;
        self.change_list(&Faces(both), faces, &old.faces, &new.faces)?;
        self.change_list(&Vertices(both), vertices, &old.vertices, &new.vertices)?;
        if old.hard_edges != new.hard_edges
            || both.0.list_extras(ExtraList::HardEdge) != both.1.list_extras(ExtraList::HardEdge)
        {
            self.replace(hard, |term| emit_hard_edges(term, &new.hard_edges, both.1))?;
        }
        Ok(())
    }

    pub(super) fn props(&mut self, list: Term<'d>, old: &PropList, new: &PropList) -> Result<(), WriteError> {
        self.change_list(&Props, list, &old.items, &new.items)
    }
}

/// Compares the bits of positions: 0.0 and −0.0 differ.
fn has_same_position(a: &[f64; 3], b: &[f64; 3]) -> bool {
    a.map(f64::to_bits) == b.map(f64::to_bits)
}

fn has_same_edge(a: &Edge, b: &Edge) -> bool {
    let bits = |edge: &Edge| {
        [&edge.left, &edge.right]
            .map(|wing| (wing.uv.map(|uv| uv.map(f64::to_bits)), wing.color.map(|color| color.map(f32::to_bits))))
    };
    edge_numbers(a) == edge_numbers(b) && bits(a) == bits(b)
}
