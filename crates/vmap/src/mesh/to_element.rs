//! Writes meshes to element graphs.

use std::collections::HashMap;

use mapwright_dmx::{Document, ElementId, Guid, Reference, Value};

use super::from_element::{modelled, references, stream_data};
use super::{Mesh, Stream, SubdivisionBinding, SubdivisionData};

impl Mesh {
    /// Writes the mesh into an element of a graph, which can be new and empty. Only differences are written:
    /// the result of [`from_element`](Self::from_element) changes nothing, and a moved vertex changes its 12 bytes.
    ///
    /// Streams are matched by name and order. Other attributes, and streams of
    /// other types, stay unchanged. New elements (data arrays, streams, bindings) get their identities
    /// from `guids`. Does nothing if the graph does not have the element.
    ///
    /// Returns the elements of removed streams. The mesh no longer refers to them, but they are
    /// still in the graph; [`Document::remove`](mapwright_dmx::Document::remove) removes them.
    pub fn write_to_element(
        &self,
        graph: &mut Document,
        mesh: ElementId,
        mut guids: impl FnMut() -> Guid,
    ) -> Vec<ElementId> {
        let mut writer = MeshWriter { graph, guids: &mut guids, removed: Vec::new() };
        if writer.graph.element(mesh).is_some() {
            writer.write_mesh(mesh, self);
        }
        writer.removed
    }
}

struct MeshWriter<'a> {
    graph: &'a mut Document,
    guids: &'a mut dyn FnMut() -> Guid,
    removed: Vec<ElementId>,
}

impl MeshWriter<'_> {
    fn write_mesh(&mut self, id: ElementId, mesh: &Mesh) {
        for (name, items) in mesh.index_arrays() {
            self.set_ints(id, name, items);
        }
        let same = self.graph.element(id).is_some_and(|element| {
            let is_list = matches!(element.get("materials"), Some(Value::StringArray(_)));
            is_list && element.texts("materials").eq(mesh.materials.iter().map(Vec::as_slice))
        });
        if !same {
            let value = self.graph.string_array(&mesh.materials);
            self.graph.set(id, "materials", value);
        }
        for (name, data) in mesh.data_arrays() {
            let array = self.get_or_create_child(id, name, "CDmePolygonMeshDataArray", "");
            self.set_int(array, "size", data.size, true);
            self.write_streams(array, &data.streams);
        }
        let data = &mesh.subdivision_data;
        let absent = self.graph.element(id).is_some_and(|element| element.child("subdivisionData").is_none());
        if *data != SubdivisionData::default() || !absent {
            let subdivision = self.get_or_create_child(id, "subdivisionData", "CDmePolygonMeshSubdivisionData", "");
            self.set_ints(subdivision, "subdivisionLevels", &data.levels);
            self.write_streams(subdivision, &data.streams);
        }
    }

    fn set_ints(&mut self, id: ElementId, name: &str, items: &[i32]) {
        let old = self.graph.element(id).and_then(|element| element.get(name));
        if !matches!(old, Some(Value::IntArray(old)) if **old == *items) {
            self.graph.set(id, name, Value::IntArray(items.into()));
        }
    }

    /// Sets an integer. A missing attribute with value 0 is only added if `is_required`.
    fn set_int(&mut self, id: ElementId, name: &str, number: i32, is_required: bool) {
        match self.graph.element(id).and_then(|element| element.get(name)) {
            Some(Value::Int(old)) if *old == number => {}
            None if number == 0 && !is_required => {}
            _ => self.graph.set(id, name, Value::Int(number)),
        }
    }

    /// Sets a string. A missing attribute with an empty value is only added if `is_required`.
    fn set_text(&mut self, id: ElementId, name: &str, text: &[u8], is_required: bool) {
        let element = self.graph.element(id);
        let same = element.is_some_and(|element| match element.get(name) {
            None => text.is_empty() && !is_required,
            Some(_) => element.text(name) == Some(text),
        });
        if !same {
            let value = self.graph.string_value(text);
            self.graph.set(id, name, value);
        }
    }

    /// Returns the element that an attribute refers to. Creates it if it is missing.
    fn get_or_create_child(&mut self, id: ElementId, attribute: &str, class: &str, name: &str) -> ElementId {
        if let Some(child) = self.graph.element(id).and_then(|element| element.child(attribute)) {
            return child.id();
        }
        let child = self.graph.push(class, name, (self.guids)());
        self.graph.set(id, attribute, Value::Element(Reference::Element(child)));
        child
    }

    fn write_streams(&mut self, id: ElementId, streams: &[Stream]) {
        let element = self.graph.element(id);
        let old = element.and_then(|element| element.get("streams")).and_then(|value| references(value).ok());
        let has_list = old.is_some();
        let old: Vec<Reference> = old.unwrap_or_default().to_vec();
        // Existing streams by name, in reverse order, until a stream of the mesh takes them.
        let mut existing: HashMap<Vec<u8>, Vec<ElementId>> = HashMap::new();
        let mut is_stream = vec![false; old.len()];
        for (place, stream) in modelled(self.graph, &old).collect::<Vec<_>>().into_iter().rev() {
            existing.entry(stream.name().to_vec()).or_default().push(stream.id());
            if let Some(is_stream) = is_stream.get_mut(place) {
                *is_stream = true;
            }
        }
        let mut new = Vec::with_capacity(streams.len());
        for stream in streams {
            let id = match existing.get_mut(&stream.name).and_then(Vec::pop) {
                Some(id) => id,
                None => self.graph.push("CDmePolygonMeshDataStream", &stream.name, (self.guids)()),
            };
            self.write_stream(id, stream);
            new.push(Reference::Element(id));
        }
        let mut removed: Vec<ElementId> = existing.into_values().flatten().collect();
        removed.sort_unstable();
        self.removed.append(&mut removed);
        // Streams of the mesh take the positions of existing ones; others follow.
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
        if !has_list || all != old {
            self.graph.set(id, "streams", Value::ElementArray(all.into()));
        }
    }

    fn write_stream(&mut self, id: ElementId, stream: &Stream) {
        let is_required = self.graph.element(id).is_some_and(|element| element.attributes().len() == 0);
        self.set_text(id, "standardAttributeName", &stream.standard_attribute_name, is_required);
        self.set_text(id, "semanticName", &stream.semantic_name, is_required);
        self.set_int(id, "semanticIndex", stream.semantic_index, is_required);
        self.set_int(id, "vertexBufferLocation", stream.vertex_buffer_location, is_required);
        self.set_int(id, "dataStateFlags", stream.data_state_flags, is_required);
        self.write_binding(id, stream.subdivision_binding, is_required);
        if self.graph.element(id).and_then(stream_data).as_ref() != Some(&stream.data) {
            self.graph.set(id, "data", stream.data.to_value());
        }
    }

    fn write_binding(&mut self, id: ElementId, binding: Option<SubdivisionBinding>, is_required: bool) {
        let is_bound = self.graph.element(id).is_some_and(|element| element.child("subdivisionBinding").is_some());
        if let Some(binding) = binding {
            let element = self.get_or_create_child(
                id,
                "subdivisionBinding",
                "CDmePolygonMeshSubdivisiondataBinding",
                "subdivisionBinding",
            );
            self.set_int(element, "targetDataType", binding.target_data_type, !is_bound);
            self.set_int(element, "targetStreamIndex", binding.target_stream_index, !is_bound);
            self.set_int(element, "streamSourceType", binding.stream_source_type, !is_bound);
        } else if is_bound || is_required {
            self.graph.set(id, "subdivisionBinding", Value::Element(Reference::Null));
        }
    }
}
