//! Finds the node of each element.

use mapwright_dmx::ElementId;

use super::Document;

/// Attributes that refer to other nodes.
const TO_NODES: [&[u8]; 3] = [b"children", b"target", b"sourceProxy"];

/// Returns the node of each element; a node belongs to itself. `None` for parts of the whole map, and
/// for elements that the world does not reach.
pub(crate) fn owners(map: &Document) -> Vec<Option<ElementId>> {
    let mut owners = vec![None; map.graph().elements.len()];
    for visit in map.nodes() {
        if let Some(owner) = owners.get_mut(visit.node.id().index()) {
            *owner = Some(visit.node.id());
        }
    }
    let mut next = Vec::new();
    for visit in map.nodes() {
        let parts = visit.node.element().attributes().filter(|(name, _)| !TO_NODES.contains(name));
        next.extend(parts.flat_map(|(_, value)| value.elements()));
        while let Some(id) = next.pop() {
            let Some(owner @ None) = owners.get_mut(id.index()) else { continue };
            *owner = Some(visit.node.id());
            if let Some(element) = map.graph().element(id) {
                next.extend(element.attributes().flat_map(|(_, value)| value.elements()));
            }
        }
    }
    owners
}
