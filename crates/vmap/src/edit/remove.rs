//! Removes nodes.

use std::collections::HashSet;

use mapwright_dmx::{ElementId, ElementRef, Reference, Value};

use super::tree::retain_references;
use super::{Editor, error};
use crate::{Node, WriteError, WriteErrorKind};

impl Editor<'_> {
    /// Removes a node, its descendants, and all references to them: entries of the visibility manager and of selection sets, targets of
    /// overlays, preview lighting.
    ///
    /// # Errors
    /// If the element is not a node, if it is the world or the visibility manager, or if a remaining instance shows a removed
    /// group.
    pub fn remove(&mut self, node: ElementId) -> Result<(), WriteError> {
        self.remove_all(&HashSet::from([node]))
    }

    /// Removes many nodes in linear time. None may be below another.
    pub(crate) fn remove_all(&mut self, tops: &HashSet<ElementId>) -> Result<(), WriteError> {
        self.flush();
        self.parents = None;
        tops.iter().try_for_each(|top| self.check_movable(*top))?;
        let below = tops.iter().flat_map(|top| self.map.nodes_below(*top)).map(|visit| visit.node.id());
        let removed_nodes = self.only_below(tops, below.collect());
        let gone: HashSet<&ElementId> = self.removed.iter().chain(&removed_nodes).collect();
        let instances = self.map.graph().iter().filter(|element| element.is("CMapInstance"));
        for instance in instances.filter(|instance| !gone.contains(&instance.id())) {
            if instance.child("target").is_some_and(|target| removed_nodes.contains(&target.id())) {
                let instance = Node(instance).node_id().map_or(0, |id| id.0);
                return Err(error(WriteErrorKind::Shown { instance }));
            }
        }
        self.forget(removed_nodes);
        Ok(())
    }

    /// Removes nodes and selection sets with all references to them.
    pub(crate) fn forget(&mut self, removed_nodes: HashSet<ElementId>) {
        let numbers: HashSet<i32> =
            removed_nodes.iter().filter_map(|id| self.map.node(*id)?.node_id()).map(|number| number.0).collect();
        self.drop_hidden_flags(&removed_nodes);
        self.drop_references(&removed_nodes);
        self.drop_numbers(&numbers);
        self.removed.extend(removed_nodes);
    }

    /// Returns the descendants that have no other parent.
    fn only_below(&self, tops: &HashSet<ElementId>, below: HashSet<ElementId>) -> HashSet<ElementId> {
        let Ok(world) = self.world() else { return below };
        let mut next = vec![world];
        let mut kept = HashSet::from([world]);
        while let Some(id) = next.pop() {
            let children = self.map.node(id).into_iter().flat_map(Node::children).map(Node::id);
            next.extend(children.filter(|child| !tops.contains(child) && kept.insert(*child)));
        }
        below.into_iter().filter(|id| !kept.contains(id)).collect()
    }

    /// Removes the hidden flags of nodes, so that `nodes` and `hiddenFlags` stay parallel.
    fn drop_hidden_flags(&mut self, removed_nodes: &HashSet<ElementId>) {
        let Some(manager) = self.map.visibility() else { return };
        let (manager, mut entries) = (manager.element(), Vec::new());
        let Some(Value::ElementArray(nodes)) = manager.get("nodes") else { return };
        let is_removed =
            |reference: &Reference| matches!(reference, Reference::Element(id) if removed_nodes.contains(id));
        if !nodes.iter().any(is_removed) {
            return;
        }
        if let Some(Value::IntArray(flags)) = manager.get("hiddenFlags") {
            let keeps = |index: usize| !nodes.get(index).is_some_and(is_removed);
            entries.extend(flags.iter().enumerate().filter(|(index, _)| keeps(*index)).map(|(_, flag)| *flag));
        }
        let manager = manager.id();
        self.set(manager, "hiddenFlags", Value::IntArray(entries.into()));
    }

    /// Removes all references to nodes, except for those within removed nodes.
    fn drop_references(&mut self, removed_nodes: &HashSet<ElementId>) {
        for (index, element) in self.map.graph_mut().elements.iter_mut().enumerate() {
            if u32::try_from(index).is_ok_and(|index| removed_nodes.contains(&ElementId(index))) {
                continue;
            }
            for attribute in &mut element.attributes {
                match &mut attribute.value {
                    Value::Element(reference) => {
                        if matches!(reference, Reference::Element(id) if removed_nodes.contains(id)) {
                            *reference = Reference::Null;
                        }
                    }
                    Value::ElementArray(references) => {
                        let has = |id: &Reference| matches!(id, Reference::Element(id) if removed_nodes.contains(id));
                        if references.iter().any(has) {
                            *references = retain_references(references, |id| removed_nodes.contains(&id));
                        }
                    }
                    _ => {}
                }
            }
        }
    }

    /// Removes references by number: targets of overlays, preview lighting.
    fn drop_numbers(&mut self, numbers: &HashSet<i32>) {
        let overlays = self.map.graph().iter().filter(|element| {
            matches!(element.get("projectionTargets"), Some(Value::IntArray(targets))
                if targets.iter().any(|target| numbers.contains(target)))
        });
        for overlay in overlays.map(ElementRef::id).collect::<Vec<_>>() {
            if let Some(Value::IntArray(targets)) = self.map.graph_mut().value_mut(overlay, "projectionTargets") {
                *targets = targets.iter().copied().filter(|target| !numbers.contains(target)).collect();
            }
        }
        let Some(root) = self.map.root() else { return };
        let of_removed = |path: &[u8]| {
            let first = path.split(|&byte| byte == b'.').next().unwrap_or_default();
            let number = std::str::from_utf8(first).ok().and_then(|number| number.parse().ok());
            number.is_some_and(|number| numbers.contains(&number))
        };
        let data = root.instance_data().filter(|data| of_removed(data.node_path()));
        let data: HashSet<ElementId> = data.map(|data| data.element().id()).collect();
        let root = root.element().id();
        if data.is_empty() {
            return;
        }
        if let Some(Value::ElementArray(all)) = self.map.graph_mut().value_mut(root, "nodeInstanceData") {
            *all = retain_references(all, |id| data.contains(&id));
        }
        self.removed.extend(data);
    }

    /// Ends the edit: removes elements that are only used by removed ones.
    pub(super) fn finish(mut self) {
        self.flush();
        self.list_assets();
        if self.removed.is_empty() {
            return;
        }
        let graph = self.map.graph();
        let none = HashSet::new();
        let used = reached(graph, vec![ElementId::ROOT], &none);
        let gone = reached(graph, std::mem::take(&mut self.removed), &none);
        let flag = |flags: &[bool], id: ElementId| flags.get(id.index()).copied().unwrap_or(false);
        self.map.graph_mut().remove(|id| flag(&gone, id) && !flag(&used, id));
    }
}

/// Returns `true` for each element that can be reached from the given ones without passing through an excluded one.
pub(crate) fn reached(
    graph: &mapwright_dmx::Document,
    mut next: Vec<ElementId>,
    excluded: &HashSet<ElementId>,
) -> Vec<bool> {
    let mut seen = vec![false; graph.elements.len()];
    while let Some(id) = next.pop() {
        let (Some(element), Some(seen)) = (graph.elements.get(id.index()), seen.get_mut(id.index())) else { continue };
        if !excluded.contains(&id) && !std::mem::replace(seen, true) {
            next.extend(element.attributes.iter().flat_map(|attribute| attribute.value.elements()));
        }
    }
    seen
}
