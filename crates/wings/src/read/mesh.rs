//! Winged-edge meshes.

use mapwright_etf::{ListItem, Term};
use mapwright_io::Context;

use super::edge::{EdgeScan, EntryError, usual_edge, usual_vertex, vertex_slot};
use super::{ModelReader, TREE};
use crate::document::item_tree;
use crate::{Edge, Extra, ExtraList, Name, ReadError, Side, Wing, WingedMesh};

impl<'d> ModelReader<'d> {
    /// Reads `{winged,Edges,Faces,Vertices,HardEdges}`.
    pub(crate) fn read_mesh(&self, term: Term<'d>) -> Result<WingedMesh, ReadError> {
        let shape = || self.malformed(term, "object-shape", "expected a mesh {winged,Edges,Faces,Vertices,HardEdges}");
        let [tag, edges, faces, vertices, hard] = term.as_tuple_of().ok_or_else(shape)?;
        if !tag.is_atom("winged") {
            return Err(shape());
        }
        let mut mesh = WingedMesh::default();
        // Usual entries are larger than this. Others let the list grow.
        let capacity = |list: Term<'d>, size: usize| {
            let count = list.as_list().map_or(0, |list| list.items().size_hint().0);
            count.min(list.range().len().checked_div(size).unwrap_or(0))
        };
        mesh.edges.reserve_exact(capacity(edges, 64));
        self.read_entries(edges, "the edges are not a proper list", |index, item| {
            self.charge::<Edge>(edges, 0)?;
            mesh.edges.push(self.read_edge(item, edges, index, &mut mesh.extras).in_item("edges", index)?);
            Ok(())
        })?;
        let mut last = None;
        self.read_entries(faces, "the faces are not a proper list", |index, item| {
            self.charge::<Option<Name>>(faces, 0)?;
            let face = self.read_face(item, faces, index, &mut last, &mut mesh.extras).in_item("faces", index)?;
            mesh.faces.push(face);
            Ok(())
        })?;
        mesh.vertices.reserve_exact(capacity(vertices, 32));
        self.read_entries(vertices, "the vertices are not a proper list", |index, item| {
            self.charge::<[f64; 3]>(vertices, 0)?;
            let position = self.read_vertex(item, vertices, index, &mut mesh.extras).in_item("vertices", index)?;
            mesh.vertices.push(position);
            Ok(())
        })?;
        self.read_entries(hard, "the hard edges are not a proper list", |index, item| {
            self.charge::<u32>(hard, 0)?;
            match item.as_i64().and_then(|edge| u32::try_from(edge).ok()) {
                Some(edge) => mesh.hard_edges.push(edge),
                None => self.add_extra(&mut mesh.extras, ExtraList::HardEdge, index, item),
            }
            Ok(())
        })?;
        // Fails if an extra did not fit the memory.
        self.charge::<()>(term, 1)?;
        Ok(mesh)
    }

    /// Reads the entries of a proper list with their indices.
    fn read_entries(
        &self,
        term: Term<'d>,
        expected: &'static str,
        mut read: impl FnMut(usize, ListItem<'d>) -> Result<(), ReadError>,
    ) -> Result<(), ReadError> {
        let improper = || self.malformed(term, "not-a-list", expected);
        let mut items = term.as_list().ok_or_else(improper)?.items();
        let result = items.by_ref().enumerate().try_for_each(|(index, item)| read(index, item));
        // An improper list is reported even if an entry is invalid too.
        items.by_ref().for_each(drop);
        if items.tail().is_some() { Err(improper()) } else { result }
    }

    fn read_edge(
        &self,
        item: ListItem<'d>,
        list: Term<'d>,
        index: usize,
        extras: &mut Vec<Extra>,
    ) -> Result<Edge, ReadError> {
        let entry = item.term().ok_or_else(|| self.malformed(list, "edge-missing", "an edge's entry is not a list"))?;
        if let Some(edge) = usual_edge(entry.as_bytes()) {
            return Ok(edge);
        }
        let to_error = |to_error| {
            let (code, expected) = match to_error {
                EntryError::NotAList => ("edge-missing", "an edge's entry is not a list"),
                EntryError::OldSize => ("old-attribute-size", "wrong size of uv or color: expected 32 or 48 bytes"),
                EntryError::OldNotFinite => ("old-attribute-nan", "uv or color contains a number that is not finite"),
            };
            self.malformed(entry, code, expected)
        };
        let scan =
            EdgeScan::new(entry, |item| self.add_extra(extras, ExtraList::Edge, index, item)).map_err(to_error)?;
        let missing = || self.malformed(entry, "edge-missing", "the entry contains no {edge,…} of nine elements");
        let mut numbers = [0; 8];
        for (number, term) in numbers.iter_mut().zip(scan.numbers.ok_or_else(missing)?) {
            *number = self.read_id(term)?;
        }
        let wing = |side| Wing { uv: scan.uv(side), color: scan.color(side), ..Wing::default() };
        let mut edge = Edge { left: wing(Side::Left), right: wing(Side::Right), ..Edge::default() };
        edge.set_numbers(numbers);
        Ok(edge)
    }

    /// Reads the number of a vertex, an edge or a face.
    fn read_id(&self, term: Term<'d>) -> Result<u32, ReadError> {
        let id = term.as_i64().and_then(|id| u32::try_from(id).ok());
        id.ok_or_else(|| match term.as_integer() {
            None => self.malformed(term, "id-type", "the number of an element is not an integer"),
            Some(id) if id.negative => self.malformed(term, "id-negative", "the number of an element is negative"),
            Some(_) => self.malformed(term, "ring-broken", "the number of an element exceeds 32 bits"),
        })
    }

    fn read_face(
        &self,
        item: ListItem<'d>,
        list: Term<'d>,
        index: usize,
        last: &mut Option<(&'d [u8], Option<Name>)>,
        extras: &mut Vec<Extra>,
    ) -> Result<Option<Name>, ReadError> {
        let shape = || self.malformed(item.term().unwrap_or(list), "face-shape", "a face's entry is not a list");
        let entry = item.term().ok_or_else(shape)?;
        // Neighbouring faces usually share a material, and share its name.
        let bytes = entry.as_bytes();
        if let Some((_, face)) = last.as_ref().filter(|(known, _)| *known == bytes) {
            return Ok(face.clone());
        }
        let unknown = extras.len();
        let mut items = entry.as_list().ok_or_else(shape)?.items();
        let mut material = None;
        for item in items.by_ref() {
            match item.term().and_then(Term::as_property).filter(|(key, _)| *key == *"material") {
                Some((_, value)) => material = Some(value),
                None => self.add_extra(extras, ExtraList::Face, index, item),
            }
        }
        if items.tail().is_some() {
            return Err(shape());
        }
        let face = material.map(Name::from_atom);
        // Reading an empty list is as fast as comparing it, so it is not stored.
        if face.is_some() && extras.len() == unknown {
            *last = Some((bytes, face.clone()));
        }
        Ok(face)
    }

    fn read_vertex(
        &self,
        item: ListItem<'d>,
        list: Term<'d>,
        index: usize,
        extras: &mut Vec<Extra>,
    ) -> Result<[f64; 3], ReadError> {
        let code = "vertex-malformed";
        let entry = item.term().ok_or_else(|| self.malformed(list, code, "a vertex's entry is not a list"))?;
        if let Some(position) = usual_vertex(entry.as_bytes()) {
            return Ok(position);
        }
        match vertex_slot(entry, |item| self.add_extra(extras, ExtraList::Vertex, index, item)) {
            Some(Ok((_, position))) => Ok(position),
            Some(Err(())) => Err(self.malformed(entry, code, "the entry contains no binary of three finite numbers")),
            None => Err(self.malformed(entry, code, "a vertex's entry is not a list")),
        }
    }

    /// Stores an unknown term. If the memory does not suffice, the next `charge` fails.
    #[expect(clippy::cast_possible_truncation, reason = "a file of 4 GiB has fewer elements")]
    fn add_extra(&self, extras: &mut Vec<Extra>, list: ExtraList, index: usize, item: ListItem<'d>) {
        let size = item.term().map_or(2, |term| term.range().len());
        if self.try_charge::<Extra>(size.saturating_add(TREE)) {
            extras.push(Extra { list, index: index as u32, term: item_tree(item) });
        }
    }
}
