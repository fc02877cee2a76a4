//! Meshes of nodes.

use std::collections::HashMap;

use mapwright_dmx::{ElementId, ElementRef};

use super::{Editor, error};
use crate::mesh::StreamData;
use crate::{Mesh, WriteError, WriteErrorKind};

impl Editor<'_> {
    /// Adds a node with a mesh below another. The materials are listed among the assets.
    ///
    /// # Errors
    /// If the parent is no node or the name of a material holds a zero byte.
    pub fn add_mesh(&mut self, parent: ElementId, mesh: &Mesh) -> Result<ElementId, WriteError> {
        check(mesh)?;
        let node = self.add_node(parent, "CMapMesh")?;
        self.set_mesh(node, mesh)?;
        Ok(node)
    }

    /// Gives a node another mesh, and changes only what is different. The materials are listed among the assets.
    ///
    /// # Errors
    /// If the element is no node with a mesh, or if the name of a material holds a zero byte.
    pub fn set_mesh(&mut self, node: ElementId, mesh: &Mesh) -> Result<(), WriteError> {
        check(mesh)?;
        let found = self.node(node)?;
        let data = found.mesh().and_then(crate::MapMesh::data).map(ElementRef::id);
        let class = String::from_utf8_lossy(found.class()).into_owned();
        let data = data.ok_or_else(|| error(WriteErrorKind::NoMesh { class }))?;
        self.put_mesh(data, mesh);
        for material in &mesh.materials {
            self.add_asset(material)?;
        }
        Ok(())
    }

    /// Writes a mesh into its element.
    pub(super) fn put_mesh(&mut self, data: ElementId, mesh: &Mesh) {
        // Identities are given out while the graph is changed: what the map has is found before.
        let ids = &mut self.ids;
        ids.taken(self.map);
        let removed = mesh.put(self.map.graph_mut(), data, || ids.next_guid());
        self.removed.extend(removed);
    }
}

fn check(mesh: &Mesh) -> Result<(), WriteError> {
    mesh.materials.iter().try_for_each(|material| super::text(material).map(|_| ()))
}

/// Lists each material of a mesh once, as Hammer does. Says whether there was one twice.
pub(super) fn merge_materials(mesh: &mut Mesh) -> bool {
    let mut once: Vec<Vec<u8>> = Vec::new();
    let mut places = Vec::with_capacity(mesh.materials.len());
    let mut known = HashMap::new();
    for material in &mesh.materials {
        let place = *known.entry(material.clone()).or_insert_with(|| {
            once.push(material.clone());
            once.len().saturating_sub(1)
        });
        places.push(place);
    }
    if once.len() == mesh.materials.len() {
        return false;
    }
    mesh.materials = once;
    if let Some(StreamData::Int(indices)) = mesh.face_data.stream_mut("materialindex:0").map(|stream| &mut stream.data)
    {
        for index in indices {
            let place = usize::try_from(*index).ok().and_then(|index| places.get(index));
            if let Some(Ok(place)) = place.map(|&place| i32::try_from(place)) {
                *index = place;
            }
        }
    }
    true
}
