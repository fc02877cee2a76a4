//! Hostile maps.

use std::time::{Duration, Instant};

use mapwright_vmap::Document;
use mapwright_vmap::diff::Diff;
use mapwright_vmap::dmx::{ElementId, Guid, Reference, Value};
use mapwright_vmap::merge::{MergeOptions, Side, merge};
use proptest::prelude::*;

use super::changes::{Change, apply, change};
use super::laws::saved_again;
use super::map;

/// A changed reference.
type Wire = (usize, usize, usize, usize);

/// Returns the map with references to random elements.
fn add_references(map: &Document, wires: &[Wire]) -> Document {
    let mut map = map.clone();
    let graph = map.graph_mut();
    let count = graph.elements.len();
    for &(element, attribute, index, to) in wires {
        let to = Reference::Element(ElementId(u32::try_from(to % count).unwrap()));
        let attributes = &mut graph.elements[element % count].attributes;
        let places: Vec<usize> = (0..attributes.len())
            .filter(|at| matches!(attributes[*at].value, Value::Element(_) | Value::ElementArray(_)))
            .collect();
        let Some(place) = places.get(attribute % places.len().max(1)) else { continue };
        match &mut attributes[*place].value {
            Value::Element(reference) => *reference = to,
            Value::ElementArray(references) => {
                let mut all = references.to_vec();
                let at = index % (all.len() + 1);
                all.splice(at..(at + 1).min(all.len()), [to]);
                *references = all.into();
            }
            _ => {}
        }
    }
    map
}

fn changed(map: &Document, changes: &[Change], seed: u64) -> Document {
    let mut map = map.clone();
    changes.iter().zip(seed..).for_each(|(change, seed)| apply(&mut map, change, Some(seed)));
    map
}

fn wires() -> BoxedStrategy<Vec<Wire>> {
    prop::collection::vec(any::<Wire>(), 0..6).boxed()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(128))]

    #[test]
    fn graphs_that_are_not_trees_are_merged(
        before in prop::collection::vec(change(), 0..6),
        sides in prop::array::uniform2(prop::collection::vec(change(), 0..6)),
        wires in prop::array::uniform3(wires()),
    ) {
        let base = add_references(&changed(&map(), &before, 1000), &wires[0]);
        let ours = add_references(&changed(&map(), &sides[0], 2000), &wires[1]);
        let theirs = add_references(&changed(&map(), &sides[1], 3000), &wires[2]);
        for prefer in [Side::Ours, Side::Theirs] {
            let options = MergeOptions::default().with_prefer(prefer);
            for (ours, theirs) in [(&ours, &theirs), (&saved_again(&base), &theirs), (&ours, &saved_again(&base))] {
                if let Ok(merged) = merge(&base, ours, theirs, &options) {
                    let read = Document::from_bytes(&merged.document.to_bytes().unwrap()).unwrap();
                    let elements = read.graph().elements.len();
                    let leads = |id: ElementId| id.index() < elements;
                    prop_assert!(read.graph().iter().all(|element| element.attributes().all(|(_, value)| value.elements().all(leads))));
                    let _ = merged.conflicts.iter().map(ToString::to_string).count();
                    // A repeated merge changes nothing.
                    let again = merge(&base, ours, &saved_again(&base), &options).unwrap();
                    prop_assert!(again.conflicts.is_empty(), "{:?}", super::conflict_texts(&again));
                    let diff = Diff::between(ours, &again.document);
                    prop_assert!(diff.is_empty(), "{diff}");
                }
            }
        }
    }
}

/// Shared data is compared once, and so are long names; otherwise this would take hours.
#[test]
fn data_shared_by_many_nodes_is_read_once() {
    let make = |origin: u8| {
        let mut map = Document::new();
        map.edit(|map| {
            let world = map.world().unwrap();
            let first = map.add_mesh(world, &mapwright_vmap::Mesh::default()).unwrap();
            let data = map.map().node(first).unwrap().mesh().unwrap().data().unwrap().id();
            let graph = map.graph_mut();
            graph.set(data, "faceEdgeIndices", Value::IntArray(vec![i32::from(origin); 100_000].into()));
            let long = graph.string_value(vec![b'a'; 1 << 20]);
            let nodes: Vec<ElementId> = (0..20_000_u32)
                .map(|number| graph.push("CMapEntity", "", Guid::from_hash(&number.to_le_bytes())))
                .collect();
            for (number, node) in (0..).zip(&nodes) {
                graph.set(*node, "nodeID", Value::Int(10 + number));
                graph.set(*node, "children", Value::ElementArray([Reference::Element(first); 2].into()));
                graph.set(*node, "meshData", Value::Element(Reference::Element(data)));
                graph.set(*node, "long", long.clone());
                graph.set(*node, "origin", Value::Vector3([f32::from(origin); 3]));
            }
            let children = nodes.into_iter().map(Reference::Element).collect();
            graph.set(world, "children", Value::ElementArray(children));
        });
        map
    };
    let maps = [0, 1, 2].map(make);
    let [base, ours, theirs] = &maps;
    let started = Instant::now();
    let merged = merge(base, ours, theirs, &MergeOptions::default()).unwrap();
    assert!(started.elapsed() < Duration::from_secs(20), "{:?}", started.elapsed());
    // Each node has another origin and another mesh.
    assert!(merged.conflicts.len() > 20_000, "{}", merged.conflicts.len());
}

/// A chain of nested nodes.
#[test]
fn deep_trees_do_not_overflow_the_stack() {
    let make = |order: &mut dyn Iterator<Item = u32>| {
        let mut map = Document::new();
        let world = map.world().unwrap().node().id();
        let graph = map.graph_mut();
        let mut above = world;
        for number in order {
            let node = graph.push("CMapGroup", "", Guid::from_hash(&number.to_le_bytes()));
            graph.set(node, "nodeID", Value::Int(i32::try_from(number).unwrap() + 2));
            graph.set(node, "children", Value::ElementArray(Box::default()));
            graph.set(above, "children", Value::ElementArray([Reference::Element(node)].into()));
            above = node;
        }
        map
    };
    const DEPTH: u32 = 50_000;
    let (base, turned) = (make(&mut (0..DEPTH)), make(&mut (0..DEPTH).rev()));
    let mixed = make(&mut (0..DEPTH).map(|number| number ^ 1));
    let started = Instant::now();
    for prefer in [Side::Ours, Side::Theirs] {
        let merged = merge(&base, &turned, &mixed, &MergeOptions::default().with_prefer(prefer)).unwrap();
        assert_eq!(merged.document.nodes().count(), DEPTH as usize + 1);
    }
    assert!(started.elapsed() < Duration::from_secs(20), "{:?}", started.elapsed());
}
