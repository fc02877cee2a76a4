//! The tree of nodes, their numbers and identities.

use std::collections::{HashMap, HashSet};

use mapwright_dmx::{ElementId, ElementRef, Reference};

use super::report::{Place, Report, lossy, marked};
use crate::{Node, NodeId, SelectionData};

pub(super) fn check(report: &mut Report<'_>) {
    let map = report.map;
    if map.world().is_none() {
        report.error("world-missing", Place::Root("world"), "the root has no world: Hammer cannot open the map");
    }
    if !matches!(map.format_version(), 16 | 18 | 20 | 28 | 29 | 30 | 35 | 39 | 40) {
        let message = format!("no map of format {} is known", map.format_version());
        report.note("format-version", Place::File, message);
    }
    numbers(report);
    children(report);
    strays(report);
}

/// All nodes, also those that the world does not reach.
fn nodes<'a>(report: &Report<'a>) -> impl Iterator<Item = Node<'a>> + use<'a> {
    let is_node = |element: &ElementRef<'_>| element.get("children").is_some() && !element.is("CMapSelectionSet");
    report.map.graph().iter().filter(is_node).map(Node)
}

fn numbers(report: &mut Report<'_>) {
    let mut by_number: HashMap<NodeId, ElementId> = HashMap::new();
    let mut by_reference: HashMap<u64, ElementId> = HashMap::new();
    for node in nodes(report) {
        let element = node.element();
        match node.node_id() {
            None => report.warn("node-id-missing", Place::Element(element), "the node has no number"),
            Some(number) => {
                if let Some(first) = by_number.insert(number, node.id()) {
                    let message = format!("elements {} and {} have the number {number}", first.0, node.id().0);
                    report.warn("node-id-twice", Place::Attribute(element, "nodeID"), message);
                }
            }
        }
        let no_identity = element.is("CMapWorld") || element.is("CVisibilityMgr") || report.map.format_version() < 18;
        match node.reference_id() {
            None | Some(0) if no_identity => {}
            None | Some(0) => {
                report.warn(
                    "reference-id-missing",
                    Place::Attribute(element, "referenceID"),
                    "the node has no identity",
                );
            }
            Some(reference) => {
                if let Some(first) = by_reference.insert(reference, node.id()) {
                    let message = format!("elements {} and {} have the same identity", first.0, node.id().0);
                    report.warn("reference-id-twice", Place::Attribute(element, "referenceID"), message);
                }
            }
        }
    }
}

/// Children of two nodes, and of themselves.
fn children(report: &mut Report<'_>) {
    let count = report.map.graph().elements.len();
    let mut parents = vec![0_u32; count];
    for node in nodes(report) {
        for child in node.children() {
            if let Some(parents) = parents.get_mut(child.id().index()) {
                *parents = parents.saturating_add(1);
                if *parents == 2 {
                    let message = "the node is a child of several nodes, or of one several times";
                    report.warn("node-shared", Place::Element(child.element()), message);
                }
            }
        }
    }
    let mut states = vec![State::New; count];
    for start in nodes(report) {
        // A depth-first search: a child that is still open is above its parent.
        let mut path: Vec<(Node<'_>, Vec<Node<'_>>)> = Vec::new();
        let mut found = Some(start);
        loop {
            if let Some(node) = found.take() {
                match states.get_mut(node.id().index()) {
                    Some(state @ State::New) => {
                        *state = State::Open;
                        path.push((node, node.children().collect()));
                    }
                    Some(State::Open) => {
                        report.warn("node-cycle", Place::Element(node.element()), "the node is below itself");
                    }
                    Some(State::Done) | None => {}
                }
            }
            let Some((node, rest)) = path.last_mut() else { break };
            found = rest.pop();
            if found.is_none() {
                if let Some(state) = states.get_mut(node.id().index()) {
                    *state = State::Done;
                }
                path.pop();
            }
        }
    }
}

/// How far the search for cycles is with a node.
#[derive(Clone, Copy)]
enum State {
    New,
    Open,
    Done,
}

/// References to nodes that are not in the tree.
fn strays(report: &mut Report<'_>) {
    let map = report.map;
    let in_tree = marked(map.graph().elements.len(), map.nodes().map(|visit| visit.node.id()));
    let is_stray = |id: ElementId| in_tree.get(id.index()) != Some(&true);
    if let Some(visibility) = map.visibility() {
        for (index, (entry, _)) in visibility.entries().enumerate() {
            if matches!(entry, Reference::Element(id) if is_stray(id)) {
                let message = "the visibility manager lists a node that is not below the world";
                report.warn("node-stray", Place::Item(visibility.element(), "nodes", index), message);
            }
        }
    }
    // Sets may share what they hold.
    let mut seen = HashSet::new();
    for (set, _) in map.selection_sets() {
        let SelectionData::Objects(objects) = set.data() else { continue };
        if !seen.insert(objects.element().id()) {
            continue;
        }
        for (index, node) in objects.nodes().enumerate() {
            if is_stray(node.id()) {
                let message =
                    format!("the selection set {:?} has a node that is not below the world", lossy(set.set_name()));
                report.warn("node-stray", Place::Item(objects.element(), "selectedObjects", index), message);
            }
        }
    }
}
