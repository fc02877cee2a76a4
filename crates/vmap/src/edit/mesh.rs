//! Edits meshes of nodes.

use std::collections::HashMap;

use mapwright_dmx::{ElementId, ElementRef, Value};
use mapwright_io::Context;

use super::{Editor, error, text};
use crate::{Mesh, WriteError, WriteErrorKind};

impl Editor<'_> {
    /// Adds a node with a mesh below another. Its materials are added to the list of assets.
    ///
    /// # Errors
    /// If the parent is not a node or the name of a material or a stream contains a zero byte.
    pub fn add_mesh(&mut self, parent: ElementId, mesh: &Mesh) -> Result<ElementId, WriteError> {
        check_names(mesh)?;
        let node = self.add_node(parent, "CMapMesh")?;
        self.set_mesh(node, mesh)?;
        Ok(node)
    }

    /// Sets the mesh of a node; only differences are written. Its materials are added to the list of assets.
    ///
    /// # Errors
    /// If the element is not a node with a mesh, or if the name of a material or a stream contains a zero byte.
    pub fn set_mesh(&mut self, node: ElementId, mesh: &Mesh) -> Result<(), WriteError> {
        check_names(mesh)?;
        let found = self.node(node)?;
        let data = found.mesh().and_then(crate::MapMesh::data).map(ElementRef::id);
        let class = String::from_utf8_lossy(found.class()).into_owned();
        let data = data.ok_or_else(|| error(WriteErrorKind::NoMesh { class }))?;
        self.write_mesh(data, mesh);
        for material in &mesh.materials {
            self.add_asset(material)?;
        }
        Ok(())
    }

    /// Writes a mesh into its element.
    pub(super) fn write_mesh(&mut self, data: ElementId, mesh: &Mesh) {
        // New identities are needed while the graph is borrowed, so collect those in use before.
        let ids = &mut self.ids;
        ids.taken_ids(self.map);
        let removed = mesh.write_to_element(self.map.graph_mut(), data, || ids.next_guid());
        self.removed.extend(removed);
    }
}

/// Rejects names with zero bytes, which binary files cannot store.
fn check_names(mesh: &Mesh) -> Result<(), WriteError> {
    for (index, material) in mesh.materials.iter().enumerate() {
        text(material).in_item("materials", index)?;
    }
    let arrays = mesh.data_arrays().map(|(name, data)| (name, &data.streams));
    for (name, streams) in arrays.into_iter().chain([("subdivisionData", &mesh.subdivision_data.streams)]) {
        for (index, stream) in streams.iter().enumerate() {
            let names = [&stream.name, &stream.standard_attribute_name, &stream.semantic_name];
            names.into_iter().try_for_each(|name| text(name).map(drop)).in_item("streams", index).in_field(name)?;
        }
    }
    Ok(())
}

/// Returns the stream with the material indices in a `CDmePolygonMeshDataArray`.
fn material_stream(face_data: ElementRef<'_>) -> Option<ElementId> {
    face_data.children("streams").find(|stream| stream.name() == b"materialindex:0").map(ElementRef::id)
}

impl Editor<'_> {
    /// Removes repeated materials of meshes, as Hammer does. Meshes that share the stream of material indices with another mesh
    /// stay as they are.
    pub(super) fn merge_materials(&mut self, meshes: &[ElementId]) {
        let mut streams: HashMap<ElementId, Option<ElementId>> = HashMap::new();
        let mut users: HashMap<ElementId, usize> = HashMap::new();
        for face_data in self.map.graph().iter().filter_map(|mesh| mesh.child("faceData")) {
            if let Some(stream) = *streams.entry(face_data.id()).or_insert_with(|| material_stream(face_data)) {
                let count = users.entry(stream).or_default();
                *count = count.saturating_add(1);
            }
        }
        for &id in meshes {
            let graph = self.map.graph();
            let Some(mesh) = graph.element(id) else { continue };
            let (Some(Value::StringArray(all)), Some(face_data)) = (mesh.get("materials"), mesh.child("faceData"))
            else {
                continue;
            };
            let stream = streams.get(&face_data.id()).copied().flatten();
            if stream.is_some_and(|stream| users.get(&stream) != Some(&1)) {
                continue;
            }
            let mut once = Vec::with_capacity(all.len());
            let mut known = HashMap::new();
            let places: Vec<usize> = all
                .iter()
                .map(|material| {
                    *known.entry(graph.string(*material)).or_insert_with(|| {
                        once.push(*material);
                        once.len().saturating_sub(1)
                    })
                })
                .collect();
            if once.len() == all.len() {
                continue;
            }
            self.map.graph_mut().set(id, "materials", Value::StringArray(once.into()));
            let data = stream.and_then(|stream| self.map.graph_mut().value_mut(stream, "data"));
            let Some(Value::IntArray(indices)) = data else { continue };
            for index in indices.iter_mut() {
                let place = usize::try_from(*index).ok().and_then(|index| places.get(index));
                if let Some(Ok(place)) = place.map(|&place| i32::try_from(place)) {
                    *index = place;
                }
            }
        }
    }
}
