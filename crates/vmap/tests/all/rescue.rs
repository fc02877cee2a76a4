//! Recovery of damaged maps.

use mapwright_testkit::{fixtures, mutate};
use mapwright_vmap::dmx::{ElementId, Reference, Value};
use mapwright_vmap::io::Severity;
use mapwright_vmap::{Document, Mesh, ReadOptions, Rescued};

fn fixture(name: &str) -> Vec<u8> {
    std::fs::read(fixtures("vmap").join(name)).expect("a fixture")
}

/// Rescues a map, which then has no errors.
fn rescue(bytes: &[u8]) -> Rescued<Document> {
    let rescued = Document::rescue(bytes, &ReadOptions::default()).unwrap();
    let map = Document::from_bytes(&rescued.document.to_bytes().unwrap()).unwrap();
    let errors: Vec<_> = map.validate().into_iter().filter(|finding| finding.severity == Severity::Error).collect();
    assert!(errors.is_empty(), "{errors:?}");
    rescued
}

/// The meshes of a map with the numbers of their nodes.
fn meshes(map: &Document) -> Vec<(i32, Mesh)> {
    let nodes = map.nodes().map(|visit| visit.node);
    nodes
        .filter_map(|node| Some((node.node_id()?.0, Mesh::from_element(node.element().child("meshData")?).unwrap())))
        .collect()
}

#[test]
fn whole_meshes_of_a_cut_text_survive() {
    let whole = fixture("room.vmap.txt");
    let text = String::from_utf8(whole.clone()).unwrap();
    let all = meshes(&Document::from_bytes(&whole).unwrap());
    assert!(rescue(&whole).losses.is_empty() && all.len() == 4);
    let mut counts = Vec::new();
    for part in 1..=20 {
        let cut = &text[..text.len() * part / 21];
        let found = meshes(&rescue(cut.as_bytes()).document);
        assert!(found.iter().all(|mesh| all.contains(mesh)));
        // A mesh is complete if the end of its block has the indentation of its class.
        let complete = text.match_indices("\"CMapMesh\"").filter(|(start, _)| {
            let indentation = text[..*start].len() - text[..*start].trim_end_matches('\t').len();
            let end = format!("\n{}}}", "\t".repeat(indentation));
            text[*start..].find(&end).is_some_and(|end_at| start + end_at + end.len() <= cut.len())
        });
        assert_eq!(found.len(), complete.count(), "{part}");
        counts.push(found.len());
    }
    assert!(counts.is_sorted() && counts[19] == all.len() - 1, "{counts:?}");
}

#[test]
fn whole_meshes_of_a_cut_binary_map_survive() {
    let whole = fixture("room.vmap");
    let all = meshes(&Document::from_bytes(&whole).unwrap());
    let mut counts = Vec::new();
    for part in 1..=20 {
        let cut = &whole[..whole.len() * part / 21];
        if Document::rescue(cut, &ReadOptions::default()).is_ok() {
            let rescued = rescue(cut);
            let found = meshes(&rescued.document);
            assert!(!rescued.losses.is_empty());
            // The last mesh can lack streams.
            let is_equal = |mesh: &&(i32, Mesh)| all.contains(mesh);
            let complete = found.iter().filter(is_equal).count();
            let lacks_streams = rescued.losses.iter().any(|loss| loss.text.contains("missing mesh stream"));
            assert_eq!(lacks_streams, complete < found.len(), "{:?}", rescued.losses);
            assert!(complete + 1 >= found.len());
            counts.push(complete);
        } else {
            assert!(counts.is_empty());
        }
    }
    assert!(counts.is_sorted() && counts.len() > 12 && counts[counts.len() - 1] >= all.len() - 2, "{counts:?}");
}

/// The fixture with its world as the last element, and the number of bytes of the world's attributes.
fn map_with_last_world() -> (Vec<u8>, usize) {
    let mut map = Document::from_bytes(&fixture("room.vmap")).unwrap();
    let world = map.world().unwrap();
    let element = world.node().element();
    let (old, id) = (element.id(), element.guid().unwrap());
    let attributes: Vec<_> = element.attributes().map(|(name, value)| (name.to_vec(), value.clone())).collect();
    let graph = map.graph_mut();
    let new = graph.push("CMapWorld", "", id);
    let before = graph.to_bytes().unwrap().len();
    for (name, value) in attributes {
        graph.set(new, name, value);
    }
    let size = graph.to_bytes().unwrap().len() - before;
    graph.set(ElementId::ROOT, "world", Value::Element(Reference::Element(new)));
    graph.remove(|id| id == old);
    (map.to_bytes().unwrap(), size)
}

#[test]
fn nodes_of_a_binary_map_without_its_world_survive() {
    let (whole, size) = map_with_last_world();
    let all = meshes(&Document::from_bytes(&whole).unwrap());
    assert!(all.len() == 4 && size > 200);
    for removed in (1..size).step_by(7) {
        let rescued = rescue(&whole[..whole.len() - removed]);
        assert_eq!(meshes(&rescued.document).len(), all.len(), "{removed}: {:?}", losses(&rescued));
    }
    // The attributes of the world and of the element before it are missing.
    for removed in (size + 5..size + 300).step_by(11) {
        let rescued = rescue(&whole[..whole.len() - removed]);
        assert!(meshes(&rescued.document).len() + 1 >= all.len(), "{removed}: {:?}", losses(&rescued));
        let losses = losses(&rescued);
        let new = "synthesized: world: a new world: the world of the map is not readable";
        assert!(losses.iter().any(|loss| loss == new), "{losses:?}");
        assert!(losses.iter().any(|loss| loss.ends_with("whose parent is missing: now below the world")), "{losses:?}");
        let entity = rescued.document.world().unwrap().entity().unwrap();
        assert_eq!(entity.classname(), b"worldspawn");
    }
}

#[test]
fn damaged_bytes_of_a_binary_map_cost_one_node_at_most() {
    let whole = fixture("room.vmap");
    let all = meshes(&Document::from_bytes(&whole).unwrap()).len();
    let (mut rescued_count, start) = (0, whole.len() / 2);
    for bytes in mutate::byte_flips(&whole).skip(start).step_by(61) {
        if Document::from_bytes(&bytes).is_ok() {
            continue;
        }
        let rescued = rescue(&bytes);
        assert!(meshes(&rescued.document).len() + 1 >= all && !rescued.losses.is_empty(), "{:?}", rescued.losses);
        rescued_count += 1;
    }
    assert!(rescued_count > 20, "{rescued_count}");
}

#[test]
#[ignore = "needs the corpus"]
fn cut_maps_of_the_corpus_are_rescued() {
    let Some(folder) = mapwright_testkit::corpus("vmap") else { return };
    let (mut whole_count, mut refused) = (0, Vec::new());
    for file in std::fs::read_dir(folder).unwrap() {
        let path = file.unwrap().path();
        let bytes = std::fs::read(&path).unwrap();
        if Document::from_bytes(&bytes).is_err() {
            continue;
        }
        whole_count += 1;
        for percent in [95, 75, 50] {
            let cut = &bytes[..bytes.len() / 100 * percent];
            match Document::rescue(cut, &ReadOptions::default()) {
                Ok(_) => drop(rescue(cut)),
                Err(error) => refused.push(format!("{} at {percent} %: {error}", path.display())),
            }
        }
    }
    println!("{} of {} cut maps rescued; {refused:#?}", whole_count * 3 - refused.len(), whole_count * 3);
    // Of small maps, half of the bytes are names and headers.
    assert!(whole_count > 10 && refused.len() < whole_count, "{refused:#?}");
    assert!(!refused.iter().any(|file| file.contains("at 95 %")), "{refused:#?}");
}

#[test]
fn damaged_bytes_of_a_text_cost_one_node_at_most() {
    let whole = fixture("room.vmap.txt");
    let all = meshes(&Document::from_bytes(&whole).unwrap()).len();
    let (mut rescued_count, start) = (0, whole.len() / 8);
    for bytes in mutate::byte_flips(&whole).skip(start).step_by(211) {
        if Document::from_bytes(&bytes).is_ok() {
            continue;
        }
        let rescued = rescue(&bytes);
        assert!(meshes(&rescued.document).len() + 2 >= all && !rescued.losses.is_empty(), "{:?}", rescued.losses);
        rescued_count += 1;
    }
    assert!(rescued_count > 50, "{rescued_count}");
}

/// The text of a map, in which one part is replaced.
fn damaged_text(map: &Document, from: &str, to: &str) -> Vec<u8> {
    let text = String::from_utf8(map.to_bytes().unwrap()).unwrap();
    let damaged = text.replacen(from, to, 1);
    assert!(damaged != text);
    damaged.into_bytes()
}

fn losses(rescued: &Rescued<Document>) -> Vec<String> {
    rescued.losses.iter().map(ToString::to_string).collect()
}

#[test]
fn elements_whose_end_alone_is_damaged_survive() {
    let text = String::from_utf8(fixture("room.vmap.txt")).unwrap();
    let whole = Document::from_bytes(text.as_bytes()).unwrap();
    let classes = |map: &Document| -> Vec<Vec<u8>> {
        map.nodes().filter_map(|visit| Some(visit.node.entity()?.classname().to_vec())).collect()
    };
    for (name, count) in [("meshData", 4), ("entity_properties", 3), ("defaultcamera", 1)] {
        let starts: Vec<usize> = text.match_indices(&format!("\"{name}\" \"")).map(|(start, _)| start).collect();
        assert!(starts.len() >= count, "{name}: {starts:?}");
        for start in starts {
            let line = text[..start].rfind('\n').unwrap();
            let end = format!("{}}}", &text[line..start]);
            let brace = start + text[start..].find(&end).unwrap() + end.len() - 1;
            let mut damaged = text.clone();
            damaged.replace_range(brace..=brace, "|");
            let rescued = rescue(damaged.as_bytes());
            let map = &rescued.document;
            assert_eq!(meshes(map), meshes(&whole), "{name}: {:?}", rescued.losses);
            assert_eq!(classes(map), classes(&whole), "{name}: {:?}", rescued.losses);
            assert_eq!(map.graph().elements.len(), whole.graph().elements.len(), "{name}: {:?}", rescued.losses);
            assert_eq!(rescued.losses.len(), 1, "{:?}", rescued.losses);
        }
    }
}

#[test]
fn nodes_below_a_mesh_that_is_not_valid_are_reported() {
    let mut map = Document::from_bytes(&fixture("room.vmap.txt")).unwrap();
    let mesh = map.nodes().find(|visit| visit.node.mesh().is_some()).unwrap().node.id();
    map.edit(|map| map.add_entity(mesh, "info_target").map(drop)).unwrap();
    let below = map.node(mesh).unwrap().children().next().unwrap().node_id().unwrap();
    let rescued = rescue(&damaged_text(&map, "\"6\",", "\"x\","));
    let losses = losses(&rescued);
    for loss in [
        "dropped: nodes[2]: the CMapMesh: its mesh is not valid".to_owned(),
        format!("dropped: nodes[{}]: the CMapEntity: its parent is dropped", below.0),
    ] {
        assert!(losses.contains(&loss), "{loss} is not in {losses:?}");
    }
}

#[test]
fn nodes_that_share_a_mesh_survive() {
    for name in ["meshData", "vertexData"] {
        let mut map = Document::from_bytes(&fixture("room.vmap.txt")).unwrap();
        let meshes =
            |map: &Document| map.nodes().filter(|visit| visit.node.element().child("meshData").is_some()).count();
        let with_name: Vec<_> = map.graph().iter().filter(|element| element.child(name).is_some()).collect();
        let (shared, other) = (with_name[0].child(name).unwrap().id(), with_name[1].id());
        map.graph_mut().set(other, name, Value::Element(Reference::Element(shared)));
        let damaged = damaged_text(&map, "\"smoothingAngle\" \"float\" \"40\"", "\"smoothingAngle\" \"float\" \"x\"");
        let rescued = Document::rescue(&damaged, &ReadOptions::default()).unwrap();
        assert_eq!(meshes(&rescued.document), meshes(&map), "{name}: {:?}", rescued.losses);
        assert_eq!(rescued.losses.len(), 1, "{name}: {:?}", rescued.losses);
    }
}

#[test]
fn maps_without_a_world_are_refused() {
    let whole = fixture("room.vmap.txt");
    let world = whole.windows(9).position(|bytes| bytes == b"CMapWorld").unwrap();
    let error = Document::rescue(&whole[..world], &ReadOptions::default()).unwrap_err();
    assert_eq!(error.kind().to_string(), "nothing can be rescued: neither the world nor a node is readable");
    assert!(Document::rescue(b"PK\x03\x04", &ReadOptions::default()).is_err());
}
