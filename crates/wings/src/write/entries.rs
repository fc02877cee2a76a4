//! What the lists of a scene hold, as the differential writer sees it.

use mapwright_etf::{Builder, Term, Tree};

use super::model::{
    Extras, edge_numbers, emit_edge, emit_face, emit_hard_edges, emit_material, emit_shape, emit_vertex,
};
use super::put::{Entries, Put};
use crate::read::{EdgeScan, Source, vertex_slot};
use crate::{Edge, ExtraOf, MaterialEntry, Name, Object, PropList, Shape, Side, WingedMesh, WriteError};

/// The list of shapes.
pub(super) struct Shapes;

impl Entries for Shapes {
    type Item = Shape;

    fn same(&self, _: usize, old: &Shape, new: &Shape) -> bool {
        // The writer looks into an object whose zeros may have changed their sign.
        old == new && !matches!(new, Shape::Object(_))
    }

    fn same_elsewhere(&self, old: &Shape, new: &Shape) -> bool {
        match (old, new) {
            (Shape::Object(a), Shape::Object(b)) => {
                a == b
                    && a.mesh.edges.iter().zip(&b.mesh.edges).all(|(a, b)| same_edge(a, b))
                    && a.mesh.vertices.iter().zip(&b.mesh.vertices).all(|(a, b)| same_position(a, b))
            }
            _ => old == new,
        }
    }

    fn change<'d>(
        &self,
        put: &mut Put<'d>,
        _: usize,
        term: Term<'d>,
        old: &Shape,
        new: &Shape,
    ) -> Result<(), WriteError> {
        match (old, new, term.as_tuple_of()) {
            (Shape::Object(old), Shape::Object(new), Some(parts)) => put.object(parts, old, new),
            _ => put.replace(term, |term| emit_shape(term, new)),
        }
    }

    fn emit(&self, term: &mut Builder, _: usize, shape: &Shape) {
        emit_shape(term, shape);
    }
}

/// The list of materials.
pub(super) struct Materials;

impl Entries for Materials {
    type Item = MaterialEntry;

    fn same(&self, _: usize, old: &MaterialEntry, new: &MaterialEntry) -> bool {
        old == new
    }

    fn change<'d>(
        &self,
        put: &mut Put<'d>,
        _: usize,
        term: Term<'d>,
        old: &MaterialEntry,
        new: &MaterialEntry,
    ) -> Result<(), WriteError> {
        match (old, new, term.as_tuple_of()) {
            (MaterialEntry::Material(old), MaterialEntry::Material(new), Some([name, props])) => {
                if old.name != new.name {
                    put.replace(name, |term| new.name.emit_atom(term))?;
                }
                put.props(props, &old.props, &new.props)
            }
            _ => put.replace(term, |term| emit_material(term, new)),
        }
    }

    fn emit(&self, term: &mut Builder, _: usize, entry: &MaterialEntry) {
        emit_material(term, entry);
    }
}

/// A property list.
pub(super) struct Props;

impl Entries for Props {
    type Item = Tree;

    fn same(&self, _: usize, old: &Tree, new: &Tree) -> bool {
        old == new
    }

    fn change<'d>(&self, put: &mut Put<'d>, _: usize, term: Term<'d>, _: &Tree, new: &Tree) -> Result<(), WriteError> {
        put.diff(term, new)
    }

    fn emit(&self, term: &mut Builder, _: usize, item: &Tree) {
        term.recode(item.root());
    }
}

/// What the entries of a mesh hold beside what is understood, before and after.
type Both<'m> = (&'m Extras<'m>, &'m Extras<'m>);

/// Whether an entry holds the same of what is not understood.
fn same_extras((old, new): Both<'_>, of: ExtraOf, index: usize) -> bool {
    old.of(of, index) == new.of(of, index)
}

/// Whether no entry holds anything that is not understood, so that entries may move.
fn no_extras((old, new): Both<'_>, of: ExtraOf) -> bool {
    old.all(of).is_empty() && new.all(of).is_empty()
}

/// The edges of a mesh.
pub(super) struct Edges<'m>(pub(super) Both<'m>);

impl Entries for Edges<'_> {
    type Item = Edge;

    fn same(&self, index: usize, old: &Edge, new: &Edge) -> bool {
        same_edge(old, new) && same_extras(self.0, ExtraOf::Edge, index)
    }

    fn same_elsewhere(&self, old: &Edge, new: &Edge) -> bool {
        same_edge(old, new) && no_extras(self.0, ExtraOf::Edge)
    }

    fn change<'d>(
        &self,
        put: &mut Put<'d>,
        index: usize,
        term: Term<'d>,
        old: &Edge,
        new: &Edge,
    ) -> Result<(), WriteError> {
        let same_kinds = [Side::Left, Side::Right].into_iter().all(|side| {
            let (old, new) = (old.wing(side), new.wing(side));
            old.uv.is_some() == new.uv.is_some() && old.color.is_some() == new.color.is_some()
        });
        let scan = EdgeScan::new(term, |_| ()).ok().filter(|_| same_kinds && same_extras(self.0, ExtraOf::Edge, index));
        let Some((scan, numbers)) = scan.and_then(|scan| Some((scan, scan.numbers?))) else {
            return put.replace(term, |term| self.emit(term, index, new));
        };
        for ((term, old), new) in numbers.into_iter().zip(edge_numbers(old)).zip(edge_numbers(new)) {
            if old != new {
                put.replace(term, |term| term.integer(new.into()))?;
            }
        }
        for side in [Side::Left, Side::Right] {
            let (old, new) = (old.wing(side), new.wing(side));
            if let (Some(source), Some(was), Some(uv)) = (scan.wing(side).uv, old.uv, new.uv)
                && was.map(f64::to_bits) != uv.map(f64::to_bits)
            {
                put.attribute(source, uv.map(f64::to_be_bytes).as_flattened());
            }
            if let (Some(source), Some(was), Some(color)) = (scan.wing(side).color, old.color, new.color)
                && was.map(f32::to_bits) != color.map(f32::to_bits)
            {
                let old_dialect = color.map(|channel| f64::from(channel).to_be_bytes());
                let today = color.map(f32::to_be_bytes);
                put.attribute(source, if source.old { old_dialect.as_flattened() } else { today.as_flattened() });
            }
        }
        Ok(())
    }

    fn emit(&self, term: &mut Builder, index: usize, edge: &Edge) {
        emit_edge(term, edge, self.0.1.of(ExtraOf::Edge, index));
    }
}

/// The faces of a mesh.
pub(super) struct Faces<'m>(pub(super) Both<'m>);

impl Entries for Faces<'_> {
    type Item = Option<Name>;

    fn same(&self, index: usize, old: &Option<Name>, new: &Option<Name>) -> bool {
        old == new && same_extras(self.0, ExtraOf::Face, index)
    }

    fn same_elsewhere(&self, old: &Option<Name>, new: &Option<Name>) -> bool {
        old == new && no_extras(self.0, ExtraOf::Face)
    }

    fn change<'d>(
        &self,
        put: &mut Put<'d>,
        index: usize,
        term: Term<'d>,
        _: &Option<Name>,
        new: &Option<Name>,
    ) -> Result<(), WriteError> {
        let material = |item: mapwright_etf::ListItem<'d>| {
            item.term()?.as_property().filter(|(key, _)| *key == *"material").map(|(_, value)| value)
        };
        // Of several the last one counts.
        let place = term.as_list().and_then(|list| list.items().filter_map(material).last());
        match (place, new) {
            (Some(place), Some(name)) if same_extras(self.0, ExtraOf::Face, index) => {
                put.replace(place, |term| name.emit_atom(term))
            }
            _ => put.replace(term, |term| self.emit(term, index, new)),
        }
    }

    fn emit(&self, term: &mut Builder, index: usize, material: &Option<Name>) {
        emit_face(term, material.as_ref(), self.0.1.of(ExtraOf::Face, index));
    }
}

/// The vertices of a mesh.
pub(super) struct Vertices<'m>(pub(super) Both<'m>);

impl Entries for Vertices<'_> {
    type Item = [f64; 3];

    fn same(&self, index: usize, old: &[f64; 3], new: &[f64; 3]) -> bool {
        same_position(old, new) && same_extras(self.0, ExtraOf::Vertex, index)
    }

    fn same_elsewhere(&self, old: &[f64; 3], new: &[f64; 3]) -> bool {
        same_position(old, new) && no_extras(self.0, ExtraOf::Vertex)
    }

    fn change<'d>(
        &self,
        put: &mut Put<'d>,
        index: usize,
        term: Term<'d>,
        _: &[f64; 3],
        new: &[f64; 3],
    ) -> Result<(), WriteError> {
        match vertex_slot(term, |_| ()) {
            Some(Ok((binary, _))) if same_extras(self.0, ExtraOf::Vertex, index) => {
                let source = Source { term: binary, start: 0, old: false };
                put.attribute(source, new.map(f64::to_be_bytes).as_flattened());
                Ok(())
            }
            _ => put.replace(term, |term| self.emit(term, index, new)),
        }
    }

    fn emit(&self, term: &mut Builder, index: usize, position: &[f64; 3]) {
        emit_vertex(term, position, self.0.1.of(ExtraOf::Vertex, index));
    }
}

impl<'d> Put<'d> {
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
        self.entries(&Edges(both), edges, &old.edges, &new.edges)?;
        self.entries(&Faces(both), faces, &old.faces, &new.faces)?;
        self.entries(&Vertices(both), vertices, &old.vertices, &new.vertices)?;
        if old.hard_edges != new.hard_edges || both.0.all(ExtraOf::HardEdge) != both.1.all(ExtraOf::HardEdge) {
            self.replace(hard, |term| emit_hard_edges(term, new))?;
        }
        Ok(())
    }

    pub(super) fn props(&mut self, list: Term<'d>, old: &PropList, new: &PropList) -> Result<(), WriteError> {
        self.entries(&Props, list, &old.items, &new.items)
    }
}

/// Whether two positions have the same bits; 0.0 and −0.0 do not.
fn same_position(a: &[f64; 3], b: &[f64; 3]) -> bool {
    a.map(f64::to_bits) == b.map(f64::to_bits)
}

fn same_edge(a: &Edge, b: &Edge) -> bool {
    let bits = |edge: &Edge| {
        [&edge.left, &edge.right]
            .map(|wing| (wing.uv.map(|uv| uv.map(f64::to_bits)), wing.color.map(|color| color.map(f32::to_bits))))
    };
    edge_numbers(a) == edge_numbers(b) && bits(a) == bits(b)
}
