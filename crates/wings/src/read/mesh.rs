//! The winged-edge mesh.

use mapwright_etf::{ListItem, ListItems, Term};
use mapwright_io::Context;

use super::edge::{Bad, EdgeScan, vertex_slot};
use super::{ModelReader, TREE};
use crate::document::item_tree;
use crate::{Edge, Extra, ExtraOf, Name, ReadError, Side, Wing, WingedMesh};

impl<'d> ModelReader<'d> {
    /// Reads `{winged,Edges,Faces,Vertices,HardEdges}`.
    pub(crate) fn mesh(&self, term: Term<'d>) -> Result<WingedMesh, ReadError> {
        let shape = || self.part(term, "object-shape", "a mesh is a tuple {winged,Edges,Faces,Vertices,HardEdges}");
        let [tag, edges, faces, vertices, hard] = term.as_tuple_of().ok_or_else(shape)?;
        if !tag.is_atom("winged") {
            return Err(shape());
        }
        let mut mesh = WingedMesh::default();
        for (index, item) in self.entries(edges, "the edges are no proper list")?.enumerate() {
            self.spend::<Edge>(edges, 0)?;
            let edge = self.edge(item, edges, index, &mut mesh.extras).in_item("edges", index)?;
            mesh.edges.push(edge);
        }
        let mut last = None;
        for (index, item) in self.entries(faces, "the faces are no proper list")?.enumerate() {
            self.spend::<Option<Name>>(faces, 0)?;
            let face = self.face(item, faces, index, &mut last, &mut mesh.extras).in_item("faces", index)?;
            mesh.faces.push(face);
        }
        for (index, item) in self.entries(vertices, "the vertices are no proper list")?.enumerate() {
            self.spend::<[f64; 3]>(vertices, 0)?;
            let position = self.vertex(item, vertices, index, &mut mesh.extras).in_item("vertices", index)?;
            mesh.vertices.push(position);
        }
        for (index, item) in self.entries(hard, "the hard edges are no proper list")?.enumerate() {
            self.spend::<u32>(hard, 0)?;
            match item.as_i64().and_then(|edge| u32::try_from(edge).ok()) {
                Some(edge) => mesh.hard_edges.push(edge),
                None => self.keep(&mut mesh.extras, ExtraOf::HardEdge, index, item),
            }
        }
        // Fails if an extra was not kept.
        self.spend::<()>(term, 1)?;
        Ok(mesh)
    }

    /// The items of a list that must be proper.
    fn entries(&self, term: Term<'d>, expected: &'static str) -> Result<ListItems<'d>, ReadError> {
        let list = term.as_list().filter(|list| list.tail().is_none());
        list.map(mapwright_etf::List::items).ok_or_else(|| self.part(term, "not-a-list", expected))
    }

    fn edge(
        &self,
        item: ListItem<'d>,
        list: Term<'d>,
        index: usize,
        extras: &mut Vec<Extra>,
    ) -> Result<Edge, ReadError> {
        let entry = item.term().ok_or_else(|| self.part(list, "edge-missing", "an edge's entry is no list"))?;
        let bad = |bad| {
            let (code, expected) = match bad {
                Bad::NotAList => ("edge-missing", "an edge's entry is no list"),
                Bad::OldSize => ("old-attribute-size", "uv has 32 bytes and color 48"),
                Bad::OldNan => ("old-attribute-nan", "uv or color holds a number that is not finite"),
            };
            self.part(entry, code, expected)
        };
        let scan = EdgeScan::new(entry, |item| self.keep(extras, ExtraOf::Edge, index, item)).map_err(bad)?;
        let missing = || self.part(entry, "edge-missing", "the entry holds no {edge,…} of nine elements");
        let mut numbers = [0; 8];
        for (number, term) in numbers.iter_mut().zip(scan.numbers.ok_or_else(missing)?) {
            *number = self.id(term)?;
        }
        let [start, end, left, right, left_predecessor, left_successor, right_predecessor, right_successor] = numbers;
        let wing = |side, face, predecessor, successor| Wing {
            face,
            predecessor,
            successor,
            uv: scan.uv(side),
            color: scan.color(side),
        };
        Ok(Edge {
            start,
            end,
            left: wing(Side::Left, left, left_predecessor, left_successor),
            right: wing(Side::Right, right, right_predecessor, right_successor),
        })
    }

    /// A number of a vertex, an edge or a face.
    fn id(&self, term: Term<'d>) -> Result<u32, ReadError> {
        let id = term.as_i64().and_then(|id| u32::try_from(id).ok());
        id.ok_or_else(|| match term.as_integer() {
            None => self.part(term, "id-type", "a number of an element is no integer"),
            Some(id) if id.negative => self.part(term, "id-negative", "a number of an element is negative"),
            Some(_) => self.part(term, "ring-broken", "a number of an element is far too large"),
        })
    }

    fn face(
        &self,
        item: ListItem<'d>,
        list: Term<'d>,
        index: usize,
        last: &mut Option<(&'d [u8], Name)>,
        extras: &mut Vec<Extra>,
    ) -> Result<Option<Name>, ReadError> {
        let shape = || self.part(item.term().unwrap_or(list), "face-shape", "a face's entry is no list");
        let mut items = item.term().and_then(Term::as_list).ok_or_else(shape)?.items();
        let mut material = None;
        for item in items.by_ref() {
            match item.term().and_then(Term::as_property).filter(|(key, _)| *key == *"material") {
                Some((_, value)) => material = Some(value),
                None => self.keep(extras, ExtraOf::Face, index, item),
            }
        }
        if items.tail().is_some() {
            return Err(shape());
        }
        Ok(material.map(|term| {
            // Neighbouring faces mostly share a material: one name serves them all.
            match last {
                Some((bytes, name)) if *bytes == term.as_bytes() => name.clone(),
                _ => {
                    let name = Name::from_atom(term);
                    *last = Some((term.as_bytes(), name.clone()));
                    name
                }
            }
        }))
    }

    fn vertex(
        &self,
        item: ListItem<'d>,
        list: Term<'d>,
        index: usize,
        extras: &mut Vec<Extra>,
    ) -> Result<[f64; 3], ReadError> {
        let code = "vertex-malformed";
        let entry = item.term().ok_or_else(|| self.part(list, code, "a vertex's entry is no list"))?;
        match vertex_slot(entry, |item| self.keep(extras, ExtraOf::Vertex, index, item)) {
            Some(Ok((_, position))) => Ok(position),
            Some(Err(())) => Err(self.part(entry, code, "the entry holds no binary of three finite numbers")),
            None => Err(self.part(entry, code, "a vertex's entry is no list")),
        }
    }

    /// Keeps what is not understood, as long as there is memory; if there is none, the next `spend` says so.
    #[expect(clippy::cast_possible_truncation, reason = "a file of 4 GiB has fewer elements")]
    fn keep(&self, extras: &mut Vec<Extra>, of: ExtraOf, index: usize, item: ListItem<'d>) {
        let size = item.term().map_or(2, |term| term.range().len());
        if self.take::<Extra>(size.saturating_add(TREE)) {
            extras.push(Extra { of, index: index as u32, term: item_tree(item) });
        }
    }
}
