//! Mesh to graph.

use std::collections::HashMap;

use mapwright_dmx::{Document, ElementId, Guid, Reference, Value};

use super::from_element::{modelled, references, stream_data};
use super::{Mesh, Stream, SubdivisionBinding, SubdivisionData};

impl Mesh {
    /// Writes the mesh into an element of a graph, which may be new and empty, and changes only what says something else:
    /// putting what [`from_element`](Self::from_element) got changes nothing, and a moved vertex changes its 12 bytes.
    ///
    /// Streams are matched by name, the first of a name with the first; attributes that the mesh does not have, and streams of
    /// types that it does not have, stay where they are. New elements (data arrays, streams, bindings) take their identities
    /// from `guids`. Nothing happens if the graph does not have the element.
    ///
    /// Returns the elements of streams that the mesh no longer has. Nothing in the mesh refers to them any more, but they are
    /// still in the graph: [`Document::remove`](mapwright_dmx::Document::remove) removes them.
    pub fn write_to_element(
        &self,
        graph: &mut Document,
        mesh: ElementId,
        mut guids: impl FnMut() -> Guid,
    ) -> Vec<ElementId> {
        let mut put = Put { graph, guids: &mut guids, removed: Vec::new() };
        if put.graph.element(mesh).is_some() {
            put.mesh(mesh, self);
        }
        put.removed
    }
}

struct Put<'a> {
    graph: &'a mut Document,
    guids: &'a mut dyn FnMut() -> Guid,
    removed: Vec<ElementId>,
}

impl Put<'_> {
    fn mesh(&mut self, id: ElementId, mesh: &Mesh) {
        for (name, items) in mesh.index_arrays() {
            self.ints(id, name, items);
        }
        let same = self.graph.element(id).is_some_and(|element| {
            let stated = matches!(element.get("materials"), Some(Value::StringArray(_)));
            stated && element.texts("materials").eq(mesh.materials.iter().map(Vec::as_slice))
        });
        if !same {
            let value = self.graph.string_array(&mesh.materials);
            self.graph.set(id, "materials", value);
        }
        for (name, data) in mesh.data_arrays() {
            let array = self.child(id, name, "CDmePolygonMeshDataArray", "");
            self.int(array, "size", data.size, true);
            self.streams(array, &data.streams);
        }
        let data = &mesh.subdivision_data;
        let absent = self.graph.element(id).is_some_and(|element| element.child("subdivisionData").is_none());
        if *data != SubdivisionData::default() || !absent {
            let subdivision = self.child(id, "subdivisionData", "CDmePolygonMeshSubdivisionData", "");
            self.ints(subdivision, "subdivisionLevels", &data.levels);
            self.streams(subdivision, &data.streams);
        }
    }

    fn ints(&mut self, id: ElementId, name: &str, items: &[i32]) {
        let old = self.graph.element(id).and_then(|element| element.get(name));
        if !matches!(old, Some(Value::IntArray(old)) if **old == *items) {
            self.graph.set(id, name, Value::IntArray(items.into()));
        }
    }

    /// Sets a number; one that is not stated and 0 only if it has to be stated.
    fn int(&mut self, id: ElementId, name: &str, number: i32, state: bool) {
        match self.graph.element(id).and_then(|element| element.get(name)) {
            Some(Value::Int(old)) if *old == number => {}
            None if number == 0 && !state => {}
            _ => self.graph.set(id, name, Value::Int(number)),
        }
    }

    /// Sets a text; one that is not stated and empty only if it has to be stated.
    fn text(&mut self, id: ElementId, name: &str, text: &[u8], state: bool) {
        let element = self.graph.element(id);
        let same = element.is_some_and(|element| match element.get(name) {
            None => text.is_empty() && !state,
            Some(_) => element.text(name) == Some(text),
        });
        if !same {
            let value = self.graph.string_value(text);
            self.graph.set(id, name, value);
        }
    }

    /// The element that an attribute refers to, which is made if there is none.
    fn child(&mut self, id: ElementId, attribute: &str, class: &str, name: &str) -> ElementId {
        if let Some(child) = self.graph.element(id).and_then(|element| element.child(attribute)) {
            return child.id();
        }
        let child = self.graph.push(class, name, (self.guids)());
        self.graph.set(id, attribute, Value::Element(Reference::Element(child)));
        child
    }

    fn streams(&mut self, id: ElementId, streams: &[Stream]) {
        let element = self.graph.element(id);
        let old = element.and_then(|element| element.get("streams")).and_then(|value| references(value).ok());
        let stated = old.is_some();
        let old: Vec<Reference> = old.unwrap_or_default().to_vec();
        // The streams that are there, by name, until one of the mesh takes them; the last come first.
        let mut there: HashMap<Vec<u8>, Vec<ElementId>> = HashMap::new();
        let mut is_stream = vec![false; old.len()];
        for (place, stream) in modelled(self.graph, &old).collect::<Vec<_>>().into_iter().rev() {
            there.entry(stream.name().to_vec()).or_default().push(stream.id());
            if let Some(is_stream) = is_stream.get_mut(place) {
                *is_stream = true;
            }
        }
        let mut new = Vec::with_capacity(streams.len());
        for stream in streams {
            let id = match there.get_mut(&stream.name).and_then(Vec::pop) {
                Some(id) => id,
                None => self.graph.push("CDmePolygonMeshDataStream", &stream.name, (self.guids)()),
            };
            self.stream(id, stream);
            new.push(Reference::Element(id));
        }
        let mut removed: Vec<ElementId> = there.into_values().flatten().collect();
        removed.sort_unstable();
        self.removed.append(&mut removed);
        // The streams of the mesh take the places that such streams had; the rest follows behind.
        let mut new = new.into_iter();
        let mut all = Vec::with_capacity(old.len().max(streams.len()));
        for (&reference, is_stream) in old.iter().zip(is_stream) {
            if is_stream {
                all.extend(new.next());
            } else {
                all.push(reference);
            }
        }
        all.extend(new);
        if !stated || all != old {
            self.graph.set(id, "streams", Value::ElementArray(all.into()));
        }
    }

    fn stream(&mut self, id: ElementId, stream: &Stream) {
        let state = self.graph.element(id).is_some_and(|element| element.attributes().len() == 0);
        self.text(id, "standardAttributeName", &stream.standard_attribute_name, state);
        self.text(id, "semanticName", &stream.semantic_name, state);
        self.int(id, "semanticIndex", stream.semantic_index, state);
        self.int(id, "vertexBufferLocation", stream.vertex_buffer_location, state);
        self.int(id, "dataStateFlags", stream.data_state_flags, state);
        self.binding(id, stream.subdivision_binding, state);
        if self.graph.element(id).and_then(stream_data).as_ref() != Some(&stream.data) {
            self.graph.set(id, "data", stream.data.to_value());
        }
    }

    fn binding(&mut self, id: ElementId, binding: Option<SubdivisionBinding>, state: bool) {
        let bound = self.graph.element(id).is_some_and(|element| element.child("subdivisionBinding").is_some());
        if let Some(binding) = binding {
            let element =
                self.child(id, "subdivisionBinding", "CDmePolygonMeshSubdivisiondataBinding", "subdivisionBinding");
            self.int(element, "targetDataType", binding.target_data_type, !bound);
            self.int(element, "targetStreamIndex", binding.target_stream_index, !bound);
            self.int(element, "streamSourceType", binding.stream_source_type, !bound);
        } else if bound || state {
            self.graph.set(id, "subdivisionBinding", Value::Element(Reference::Null));
        }
    }
}
