//! [`Model`] → new [`Document`], in the order of Wings 3D.

use mapwright_etf as etf;
use mapwright_etf::Builder;

use super::check::check_model;
use crate::{
    Document, Edge, EncodeOptions, Extra, ExtraList, MaterialEntry, Model, Name, Object, Shape, Side, WingedMesh,
    WriteError,
};

impl Document {
    /// Creates a document of version 2 with `otp17` terms, compressed.
    ///
    /// # Errors
    /// If a value cannot be encoded: a number that is not finite, or a material name of more than 255 characters.
    pub fn from_model(model: &Model) -> Result<Self, WriteError> {
        Self::from_model_with(model, &EncodeOptions::default())
    }

    /// Creates a document with the given options.
    ///
    /// # Errors
    /// As [`from_model`](Self::from_model).
    pub fn from_model_with(model: &Model, options: &EncodeOptions) -> Result<Self, WriteError> {
        check_model(model)?;
        let mut term = Builder::new(options.profile);
        term.tuple(3);
        term.atom("wings");
        term.integer(2);
        term.tuple(3);
        term.begin_list();
        model.shapes.iter().for_each(|shape| emit_shape(&mut term, shape));
        term.end_list();
        term.begin_list();
        model.materials.iter().for_each(|entry| emit_material(&mut term, entry));
        term.end_list();
        model.props.emit(&mut term);
        let tree = term.finish().map_err(|error| error.map_kind(Into::into))?;
        let mut payload = etf::Document::new(tree);
        payload.set_packing(options.packing.clone());
        Ok(Self::from_payload(payload))
    }
}

pub(super) fn emit_shape(term: &mut Builder, shape: &Shape) {
    match shape {
        Shape::Object(object) => emit_object(term, object),
        Shape::Other(opaque) => term.recode(opaque.term.root()),
    }
}

fn emit_object(term: &mut Builder, object: &Object) {
    term.tuple(4);
    term.atom("object");
    object.name.emit_string(term);
    emit_mesh(term, &object.mesh);
    object.props.emit(term);
}

pub(super) fn emit_material(term: &mut Builder, entry: &MaterialEntry) {
    match entry {
        MaterialEntry::Material(material) => {
            term.tuple(2);
            material.name.emit_atom(term);
            material.props.emit(term);
        }
        MaterialEntry::Other(opaque) => term.recode(opaque.term.root()),
    }
}

fn emit_mesh(term: &mut Builder, mesh: &WingedMesh) {
    let extras = Extras::new(&mesh.extras);
    term.tuple(5);
    term.atom("winged");
    term.begin_list();
    mesh.edges
        .iter()
        .enumerate()
        .for_each(|(index, edge)| emit_edge(term, edge, extras.entry_extras(ExtraList::Edge, index)));
    term.end_list();
    term.begin_list();
    for (index, face) in mesh.faces.iter().enumerate() {
        emit_face(term, face.as_ref(), extras.entry_extras(ExtraList::Face, index));
    }
    term.end_list();
    term.begin_list();
    for (index, vertex) in mesh.vertices.iter().enumerate() {
        emit_vertex(term, vertex, extras.entry_extras(ExtraList::Vertex, index));
    }
    term.end_list();
    emit_hard_edges(term, &mesh.hard_edges, &extras);
}

/// Writes an edge. Unknown terms come first, because the last term of a kind counts.
pub(super) fn emit_edge(term: &mut Builder, edge: &Edge, extras: &[&Extra]) {
    term.begin_list();
    extras.iter().for_each(|extra| term.recode(extra.term.root()));
    // The order of Wings since 1.1.5.
    let sides = [(Side::Right, "color_rt", "uv_rt"), (Side::Left, "color_lt", "uv_lt")];
    for (side, name, _) in sides {
        if let Some(color) = edge.wing(side).color {
            emit_attribute(term, name, color.map(f32::to_be_bytes).as_flattened());
        }
    }
    for (side, _, name) in sides {
        if let Some(uv) = edge.wing(side).uv {
            emit_attribute(term, name, uv.map(f64::to_be_bytes).as_flattened());
        }
    }
    term.tuple(9);
    term.atom("edge");
    edge_numbers(edge).into_iter().for_each(|number| term.integer(number.into()));
    term.end_list();
}

/// Returns the eight numbers of an `edge` tuple, in its order.
pub(super) fn edge_numbers(edge: &Edge) -> [u32; 8] {
    let Edge { start, end, left, right } = *edge;
    [start, end, left.face, right.face, left.predecessor, left.successor, right.predecessor, right.successor]
}

fn emit_attribute(term: &mut Builder, name: &str, bytes: &[u8]) {
    term.tuple(2);
    term.atom(name);
    term.binary(bytes);
}

pub(super) fn emit_face(term: &mut Builder, material: Option<&Name>, extras: &[&Extra]) {
    term.begin_list();
    extras.iter().for_each(|extra| term.recode(extra.term.root()));
    if let Some(name) = material {
        term.tuple(2);
        term.atom("material");
        name.emit_atom(term);
    }
    term.end_list();
}

pub(super) fn emit_vertex(term: &mut Builder, position: &[f64; 3], extras: &[&Extra]) {
    term.begin_list();
    extras.iter().for_each(|extra| term.recode(extra.term.root()));
    term.binary(position.map(f64::to_be_bytes).as_flattened());
    term.end_list();
}

pub(super) fn emit_hard_edges(term: &mut Builder, hard_edges: &[u32], extras: &Extras<'_>) {
    term.begin_list();
    let mut edges = hard_edges.iter();
    // Unknown terms keep their index as far as the list is long enough.
    for (written, extra) in extras.list_extras(ExtraList::HardEdge).iter().enumerate() {
        let before = (extra.index as usize).saturating_sub(written).saturating_sub(hard_edges.len() - edges.len());
        edges.by_ref().take(before).for_each(|&edge| term.integer(edge.into()));
        term.recode(extra.term.root());
    }
    edges.for_each(|&edge| term.integer(edge.into()));
    term.end_list();
}

/// Unknown terms by list and index.
pub(super) struct Extras<'m> {
    sorted: Vec<&'m Extra>,
}

impl<'m> Extras<'m> {
    pub(super) fn new(extras: &'m [Extra]) -> Self {
        let mut sorted: Vec<_> = extras.iter().collect();
        // A stable sort keeps the order within an entry.
        sorted.sort_by_key(|extra| (extra.list, extra.index));
        Self { sorted }
    }

    /// Returns the terms of one entry.
    pub(super) fn entry_extras(&self, list: ExtraList, index: usize) -> &[&'m Extra] {
        self.between((list, index), |extra, bound| extra <= bound)
    }

    /// Returns the terms of one list.
    pub(super) fn list_extras(&self, list: ExtraList) -> &[&'m Extra] {
        self.between((list, 0), |extra, bound| extra.0 <= bound.0)
    }

    fn between(&self, first: ListIndex, is_inside: impl Fn(ListIndex, ListIndex) -> bool) -> &[&'m Extra] {
        let place = |extra: &&Extra| (extra.list, extra.index as usize);
        let start = self.sorted.partition_point(|extra| place(extra) < first);
        let end = self.sorted.partition_point(|extra| is_inside(place(extra), first));
        self.sorted.get(start..end).unwrap_or_default()
    }
}

type ListIndex = (ExtraList, usize);
