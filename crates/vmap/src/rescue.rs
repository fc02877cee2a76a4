//! Recovery of damaged maps.

use std::collections::{HashMap, HashSet};

use mapwright_dmx::{self as dmx, ElementId, ElementRef, Reference, Value, WriterProfile};
use mapwright_io::{Losses, Position, Rescued, Severity, format_count};

use crate::edit::{Editor, reached};
use crate::mesh::UnsharedMeshes;
use crate::{Document, ReadError, ReadErrorKind, ReadOptions};

impl Document {
    /// Reads as much of a damaged map as possible, as [`mapwright_dmx::Document::rescue`] does. Nodes that are cut off and have no
    /// children are left out, as are nodes whose mesh is not valid, with all nodes below them. Nodes whose parent is missing are then below
    /// the world, which is a new one if the world is missing.
    ///
    /// # Errors
    /// If the header is damaged, if neither the world nor a node is readable, or if reading would exceed the limits.
    pub fn rescue(bytes: &[u8], options: &ReadOptions) -> Result<Rescued<Self>, ReadError> {
        let rescued = dmx::Document::rescue(bytes, options).map_err(|error| error.map_kind(Into::into))?;
        let dmx::Rescued { document, mut losses, incomplete, .. } = rescued;
        let mut map = Self::from_graph(document)?;
        if !losses.is_empty() {
            let Some((orphan_count, is_new)) = Editor::new(&mut map, None).restore_world() else {
                let kind = ReadErrorKind::Unreadable;
                return Err(ReadError::new(kind, Position::file(0)).with_path("world"));
            };
            if is_new {
                losses.synthesized("world", "a new world: the world of the map is not readable");
            }
            if orphan_count > 0 {
                let text = format!("{} whose parent is missing", format_count(orphan_count as u64, "node"));
                losses.repaired("world.children", format!("{text}: now below the world"));
            }
            map.remove_damaged(&incomplete, &mut losses);
            if is_new {
                map.graph_mut().lay_out(WriterProfile::Valve);
            }
        }
        Ok(Rescued::new(map, losses))
    }

    /// Removes incomplete nodes without children, incomplete streams without data, and nodes without a valid mesh. The root and the
    /// world stay.
    fn remove_damaged(&mut self, incomplete: &[ElementId], losses: &mut Losses) {
        let nodes = self.nodes().skip(1).map(|visit| visit.node.id());
        let nodes: HashSet<ElementId> = nodes.filter(|id| *id != ElementId::ROOT).collect();
        let (mut unwanted, mut invalid) = (HashSet::new(), HashSet::new());
        for element in incomplete.iter().filter_map(|id| self.graph().element(*id)) {
            let is_leaf = || element.children("children").all(|child| unwanted.contains(&child.id()));
            let is_stream = element.is("CDmePolygonMeshDataStream");
            if nodes.contains(&element.id()) && is_leaf() || is_stream && element.get("data").is_none() {
                unwanted.insert(element.id());
            }
        }
        let (mut meshes, mut flaws) = (UnsharedMeshes::default(), HashMap::new());
        for node in self.nodes().map(|visit| visit.node.element()).filter(|node| nodes.contains(&node.id())) {
            let is_flawed = |data: ElementRef<'_>| {
                *flaws.entry(data.id()).or_insert_with(|| match meshes.read(data) {
                    Ok(mesh) => mesh.check().iter().any(|finding| finding.severity == Severity::Error),
                    // Intact maps can share data.
                    Err(error) => !matches!(error.kind(), ReadErrorKind::SharedData),
                })
            };
            if !unwanted.contains(&node.id())
                && node.get("meshData").is_some()
                && node.child("meshData").is_none_or(is_flawed)
            {
                invalid.insert(node.id());
            }
        }
        unwanted.extend(&invalid);
        let before = reached(self.graph(), vec![ElementId::ROOT], &HashSet::new());
        let after = reached(self.graph(), vec![ElementId::ROOT], &unwanted);
        for node in self.nodes().map(|visit| visit.node.element()) {
            let id = node.id();
            if after.get(id.index()) == Some(&true) {
                continue;
            }
            let name =
                node.int("nodeID").map_or_else(|| format!("elements[{}]", id.index()), |id| format!("nodes[{id}]"));
            let class = String::from_utf8_lossy(node.class());
            let text = match (invalid.contains(&id), unwanted.contains(&id)) {
                (true, _) => format!("the {class}: its mesh is not valid"),
                (_, true) => format!("the incomplete {class}"),
                _ => format!("the {class}: its parent is dropped"),
            };
            losses.dropped(name, text);
        }
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
