//! Three-way merges.

use crate::changes;
mod corpus;
mod edits;
mod hostile;
mod laws;
use crate::maps;

use std::collections::HashSet;

use mapwright_vmap::diff::Diff;
use mapwright_vmap::dmx::{ElementId, ElementRef};
use mapwright_vmap::io::Severity;
use mapwright_vmap::merge::{Conflict, Merge, MergeOptions, Side, merge};
use mapwright_vmap::{Document, EditOptions, Editor, NodeId, Transform, WriteError};

/// A map with two groups with a lamp each (numbers 2 to 5), a mesh (6) and an overlay (7).
fn map() -> Document {
    let mut map = Document::new();
    map.edit(|map| {
        let world = map.world()?;
        for name in ["lamp_1", "lamp_2"] {
            let group = map.add_group(world)?;
            let lamp = map.add_entity(group, "light_omni")?;
            map.set_key(lamp, "targetname", name)?;
        }
        map.add_node(world, "CMapMesh")?;
        map.add_node(world, "CMapStaticOverlay").map(drop)
    })
    .unwrap();
    map
}

fn at(x: f32) -> Transform {
    Transform { origin: [x, 0.0, 0.0], ..Transform::IDENTITY }
}

fn node(map: &Document, number: i32) -> ElementId {
    map.find(NodeId(number)).unwrap_or_else(|| panic!("no node {number}")).id()
}

/// Returns the map after a change. New identities come from a seed.
fn edited(
    map: &Document,
    seed: u64,
    change: impl FnOnce(&mut Editor<'_>, &Document) -> Result<(), WriteError>,
) -> Document {
    let mut edited = map.clone();
    edited.edit_with(&EditOptions::default().with_seed(seed), |editor| change(editor, map)).unwrap();
    edited
}

fn merged(base: &Document, ours: &Document, theirs: &Document, prefer: Side) -> Merge {
    let merged = merge(base, ours, theirs, &MergeOptions::default().with_prefer(prefer)).unwrap();
    whole(&merged.document);
    merged
}

fn conflict_texts(merge: &Merge) -> Vec<String> {
    merge.conflicts.iter().map(Conflict::to_string).collect()
}

/// Asserts that the map survives a round trip, that numbers are unique, and that there are no dangling references or unused elements.
fn whole(map: &Document) {
    let read = Document::from_bytes(&map.to_bytes().unwrap()).unwrap();
    assert!(read.graph().elements == map.graph().elements);
    let numbers: Vec<NodeId> = read.nodes().filter_map(|visit| visit.node.node_id()).collect();
    assert_eq!(numbers.iter().collect::<HashSet<_>>().len(), numbers.len());
    let guids: HashSet<_> = read.graph().iter().map(ElementRef::guid).collect();
    assert_eq!(guids.len(), read.graph().elements.len(), "identities are unique");
    let odd = [
        "mesh-stream-missing",
        "mesh-unreadable",
        "not-finite",
        "entity-class",
        "attribute-name",
        "attribute-case",
        "binding-variable",
    ];
    for finding in read.validate() {
        assert!(finding.severity == Severity::Note || odd.contains(&finding.code), "{finding}");
    }
}

/// Asserts that two maps are equal except for numbers of new nodes and for the order.
fn assert_equal_but_for_order(one: &Document, other: &Document) {
    let diff = Diff::between(one, other);
    assert!(diff.facts.is_empty() && diff.added.is_empty() && diff.removed.is_empty(), "{diff}");
    for change in diff.changed {
        for field in change.fields {
            let is_order = ["nodeID", "order of children"].contains(&field.field.as_str());
            assert!(is_order || field.field.starts_with("projectionTargets"), "{}: {field}", change.old);
        }
    }
}
