//! Recovery of damaged maps.

use std::collections::HashSet;

use mapwright_dmx::{self as dmx, ElementId, ElementRef, Reference, Value};
use mapwright_io::{Losses, Position, Rescued, Severity, format_count};

use crate::edit::reached;
use crate::mesh::UnsharedMeshes;
use crate::{Document, ReadError, ReadErrorKind, ReadOptions};

impl Document {
    /// Reads as much of a damaged map as possible, as [`mapwright_dmx::Document::rescue`] does. Nodes that are cut off and have no
    /// children are left out, as are nodes whose mesh is not valid.
    ///
    /// # Errors
    /// If the header is damaged, if the world is not readable, or if reading would exceed the limits.
    pub fn rescue(bytes: &[u8], options: &ReadOptions) -> Result<Rescued<Self>, ReadError> {
        let rescued = dmx::Document::rescue(bytes, options).map_err(|error| error.map_kind(Into::into))?;
        let dmx::Rescued { document, mut losses, incomplete, .. } = rescued;
        let mut map = Self::from_graph(document)?;
        if !losses.is_empty() {
            if map.world().is_none() {
                let kind = ReadErrorKind::Unreadable;
                return Err(ReadError::new(kind, Position::file(0)).with_path("world"));
            }
            map.remove_damaged(&incomplete, &mut losses);
        }
        Ok(Rescued::new(map, losses))
    }

    /// Removes elements that are incomplete, and nodes without a valid mesh. The root and the world stay, as do incomplete nodes with
    /// children.
    fn remove_damaged(&mut self, incomplete: &[ElementId], losses: &mut Losses) {
        let world = self.world().map(|world| world.element().id());
        let mut unwanted = HashSet::new();
        for &id in incomplete {
            let children = self.graph().element(id).and_then(|element| element.get("children"));
            let has_children = children.is_some_and(|list| list.elements().any(|child| !unwanted.contains(&child)));
            if id != ElementId::ROOT && Some(id) != world && !has_children {
                unwanted.insert(id);
            }
        }
        let mut meshes = UnsharedMeshes::default();
        for node in self.nodes().map(|visit| visit.node.element()) {
            let is_flawed = |data: ElementRef<'_>| match meshes.read(data) {
                Ok(mesh) => mesh.check().iter().any(|finding| finding.severity == Severity::Error),
                Err(_) => true,
            };
            if unwanted.contains(&node.id())
                || node.get("meshData").is_some() && node.child("meshData").is_none_or(is_flawed)
            {
                unwanted.insert(node.id());
                let name = node
                    .int("nodeID")
                    .map_or_else(|| format!("elements[{}]", node.id().index()), |id| format!("nodes[{id}]"));
                losses.dropped(name, format!("the incomplete {}", String::from_utf8_lossy(node.class())));
            }
        }
        let before = reached(self.graph(), vec![ElementId::ROOT], &HashSet::new());
        let after = reached(self.graph(), vec![ElementId::ROOT], &unwanted);
        let graph = self.graph_mut();
        graph.remove(|id| before.get(id.index()) == Some(&true) && after.get(id.index()) != Some(&true));
        let lists = [graph.strings.find(b"children"), graph.strings.find(b"streams")];
        for (index, element) in graph.elements.iter_mut().enumerate() {
            for attribute in element.attributes.iter_mut().filter(|attribute| lists.contains(&Some(attribute.name))) {
                let Value::ElementArray(items) = &mut attribute.value else { continue };
                let nulls = items.iter().filter(|item| **item == Reference::Null).count();
                if nulls > 0 {
                    *items = items.iter().copied().filter(|item| *item != Reference::Null).collect();
                    let [what, name] = match Some(attribute.name) == lists[0] {
                        true => ["missing node", "children"],
                        false => ["missing mesh stream", "streams"],
                    };
                    losses.dropped(format!("elements[{index}].{name}"), format_count(nulls as u64, what));
                }
            }
        }
    }
}
