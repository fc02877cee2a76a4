//! Writes the tree of nodes: lists of children, and removal of old nodes.

use std::collections::{HashMap, HashSet};

use mapwright_dmx::{ElementId, Reference, Value};
use mapwright_scene::Content;

use super::context::WriteContext;
use crate::WriteError;

/// Writes the children of each node in the order of the scene. Other items of the lists keep their place.
pub(super) fn write_children(context: &mut WriteContext<'_, '_, '_>) {
    let mut wanted: HashMap<ElementId, Vec<ElementId>> = HashMap::new();
    let mut ours: HashSet<ElementId> = HashSet::new();
    let mut kept_in: HashMap<ElementId, ElementId> = HashMap::new();
    let (mut roots, mut definitions) = (Vec::new(), Vec::new());
    for reachable in &context.reachable {
        let Some(element) = context.element(reachable.id).filter(|&element| element != context.world) else { continue };
        if let Content::Camera(_) = context.scene.nodes[reachable.id].content {
            continue;
        }
        ours.insert(element);
        let old = context.old[reachable.id.index()];
        let old_parent = context.base.zip(old).and_then(|(base, old)| base.parents[old.index()]);
        if let Some(&group) = context.groups.wrapped.get(&element) {
            wanted.entry(group).or_default().push(element);
        } else if reachable.parent.is_some() {
            wanted.entry(context.parent_element(reachable)).or_default().push(element);
        } else if reachable.has_root {
            roots.push((reachable.id, element));
        } else {
            // Scenes have no parent for what only instances show. It stays where it was, even outside all lists.
            match (old_parent, old) {
                (Some(parent), _) => _ = kept_in.insert(element, parent),
                (None, Some(_)) => {}
                (None, None) => definitions.push((reachable.id, element)),
            }
        }
    }
    // New groups that only instances show go between the roots, in the order of their ids.
    definitions.sort_unstable();
    let mut definitions = definitions.into_iter().peekable();
    let top = wanted.entry(context.world).or_default();
    for (id, element) in roots {
        top.extend(std::iter::from_fn(|| definitions.next_if(|(other, _)| *other < id)).map(|(_, element)| element));
        top.push(element);
    }
    top.extend(definitions.map(|(_, element)| element));
    let removed: HashSet<ElementId> = context.base.map_or_else(HashSet::new, |base| {
        base.elements.iter().copied().filter(|element| !ours.contains(element)).collect()
    });
    let groups = context.groups.wrapped.values().copied();
    let nodes = context.reachable.iter().filter_map(|reachable| context.element(reachable.id));
    let parents: HashSet<ElementId> = nodes.chain([context.world]).chain(groups).collect();
    let mut parents: Vec<ElementId> = parents.into_iter().collect();
    parents.sort_unstable();
    for parent in parents {
        let children = context.element_ref(parent).and_then(|node| node.get("children"));
        // Elements of stored cameras have no children.
        let Some(Value::ElementArray(old)) = children else { continue };
        let mut next = wanted.remove(&parent).unwrap_or_default().into_iter().map(Reference::Element);
        let mut new: Vec<Reference> = Vec::with_capacity(old.len());
        for &reference in old {
            match reference {
                Reference::Element(id) if kept_in.get(&id) == Some(&parent) => new.push(reference),
                Reference::Element(id) if removed.contains(&id) || kept_in.contains_key(&id) => {}
                Reference::Element(id) if ours.contains(&id) => new.extend(next.next()),
                _ => new.push(reference),
            }
        }
        new.extend(next);
        if **old != *new {
            context.editor.graph_mut().set(parent, "children", Value::ElementArray(new.into()));
        }
    }
}

/// Removes the nodes of the base that the scene no longer has.
pub(super) fn remove_unreferenced_elements(context: &mut WriteContext<'_, '_, '_>) -> Result<(), WriteError> {
    let Some(base) = context.base else { return Ok(()) };
    let removed = context.removed_elements();
    let mut tops = HashSet::new();
    for (&element, parent) in base.elements.iter().zip(&base.parents).filter(|(element, _)| removed.contains(element)) {
        let is_camera = context.element_ref(element).is_some_and(|element| element.is("CStoredCamera"));
        if element == context.world {
            context.losses.dropped("", "removal of the world's entity, which every map needs");
        } else if parent.is_none_or(|parent| !removed.contains(&parent)) && !is_camera {
            tops.insert(element);
        }
    }
    if !tops.is_empty() {
        context.editor.remove_all(&tops)?;
    }
    Ok(())
}
