//! Checks the tree of nodes, their numbers and identities.

use std::collections::{HashMap, HashSet};

use mapwright_dmx::{ElementId, ElementRef, Reference};

use super::report::{Location, Report, lossy, marked};
use crate::{Node, NodeId, SelectionData};

pub(super) fn check(report: &mut Report<'_>) {
    let map = report.map;
    if map.world().is_none() {
        report.error("world-missing", Location::Root("world"), "the root has no world, so Hammer cannot open the map");
    }
    if !matches!(map.format_version(), 16 | 18..=20 | 28 | 29 | 30 | 35 | 39 | 40) {
        let message = format!("unknown format version {}", map.format_version());
        report.note("format-version", Location::File, message);
    }
    check_numbers(report);
    check_children(report);
    check_stray_references(report);
}

/// Returns all nodes, including those that the world does not reach.
fn all_nodes<'a>(report: &Report<'a>) -> impl Iterator<Item = Node<'a>> + use<'a> {
    let is_node = |element: &ElementRef<'_>| element.get("children").is_some() && !element.is("CMapSelectionSet");
    report.map.graph().iter().filter(is_node).map(Node)
}

fn check_numbers(report: &mut Report<'_>) {
    let mut by_number: HashMap<NodeId, ElementId> = HashMap::new();
    let mut by_reference: HashMap<u64, ElementId> = HashMap::new();
    for node in all_nodes(report) {
        let element = node.element();
        match node.node_id() {
            None => report.warn("node-id-missing", Location::Element(element), "the node has no number"),
            Some(number) => {
                if let Some(first) = by_number.insert(number, node.id()) {
                    let message = format!("elements {} and {} have the same number {number}", first.0, node.id().0);
                    report.warn("node-id-twice", Location::Attribute(element, "nodeID"), message);
                }
            }
        }
        let no_identity = element.is("CMapWorld") || element.is("CVisibilityMgr") || report.map.format_version() < 18;
        match node.reference_id() {
            None | Some(0) if no_identity => {}
            None | Some(0) => {
                // Maps of format 20 lack them, and Hammer loads maps without any.
                report.note(
                    "reference-id-missing",
                    Location::Attribute(element, "referenceID"),
                    "the node has no identity",
                );
            }
            Some(reference) => {
                if let Some(first) = by_reference.insert(reference, node.id()) {
                    let message = format!("repeated identity: elements {} and {}", first.0, node.id().0);
                    report.warn("reference-id-twice", Location::Attribute(element, "referenceID"), message);
                }
            }
        }
    }
}

/// Reports children of several nodes and of their own descendants.
fn check_children(report: &mut Report<'_>) {
    let count = report.map.graph().elements.len();
    let mut parents = vec![0_u32; count];
    for node in all_nodes(report) {
        for child in node.children() {
            if let Some(parents) = parents.get_mut(child.id().index()) {
                *parents = parents.saturating_add(1);
                if *parents == 2 {
                    let message = "the node is listed as a child more than once";
                    report.warn("node-shared", Location::Element(child.element()), message);
                }
            }
        }
    }
    let mut states = vec![State::New; count];
    for start in all_nodes(report) {
        // Depth-first search: a child that is still open is an ancestor.
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
                        report.warn("node-cycle", Location::Element(node.element()), "the node is its own descendant");
                    }
                    Some(State::Done) | None => {}
                }
            }
            let Some((node, children)) = path.last_mut() else { break };
            found = children.pop();
            if found.is_none() {
                if let Some(state) = states.get_mut(node.id().index()) {
                    *state = State::Done;
                }
                path.pop();
            }
        }
    }
}

/// State of a node in the search for cycles.
#[derive(Clone, Copy)]
enum State {
    New,
    Open,
    Done,
}

/// Reports references to nodes outside the tree.
fn check_stray_references(report: &mut Report<'_>) {
    let map = report.map;
    let in_tree = marked(map.graph().elements.len(), map.nodes().map(|visit| visit.node.id()));
    let is_stray = |id: ElementId| in_tree.get(id.index()) != Some(&true);
    if let Some(visibility) = map.visibility() {
        for (index, (entry, _)) in visibility.entries().enumerate() {
            if matches!(entry, Reference::Element(id) if is_stray(id)) {
                let message = "the visibility manager lists a node outside the world";
                report.warn("node-stray", Location::Item(visibility.element(), "nodes", index), message);
            }
        }
    }
    // Sets can share their members.
    let mut seen = HashSet::new();
    for (set, _) in map.selection_sets() {
        let SelectionData::Objects(objects) = set.data() else { continue };
        if !seen.insert(objects.element().id()) {
            continue;
        }
        for (index, node) in objects.nodes().enumerate() {
            if is_stray(node.id()) {
                let message =
                    format!("the selection set {:?} contains a node outside the world", lossy(set.set_name()));
                report.warn("node-stray", Location::Item(objects.element(), "selectedObjects", index), message);
            }
        }
    }
}
