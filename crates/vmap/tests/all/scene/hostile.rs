//! Damaged and hostile maps.

use mapwright_scene::{Content, NodeId};
use mapwright_vmap::Document;
use mapwright_vmap::dmx::{ElementId, Reference, Value};
use mapwright_vmap::mesh::{BuildOptions, Mesh, Soup};
use mapwright_vmap::scene::{ExportOptions, ImportOptions, from_scene, merge_scene, to_scene};

use super::maps::{import, whole};
use super::scenes::rich;

fn map() -> Document {
    from_scene(&rich(), &ExportOptions::default()).unwrap().document
}

/// Reads a broken map, changes a name in it and reads it again.
fn survives(document: &Document) {
    let Ok(import) = to_scene(document, &ImportOptions::default()) else { return };
    whole(&import.scene);
    let mut scene = import.scene;
    let mut changed = document.clone();
    let first = scene.roots.first().copied();
    if let Some(node) = first.and_then(|id| scene.nodes.get_mut(id)) {
        node.name.push('x');
    }
    if merge_scene(&mut changed, &scene, &ExportOptions::default()).is_ok() {
        whole(&self::import(&changed));
    }
}

fn nodes(document: &Document) -> Vec<ElementId> {
    document.nodes().map(|visit| visit.node.id()).collect()
}

fn set(document: &mut Document, element: ElementId, name: &str, value: Value) {
    document.graph_mut().set(element, name, value);
}

fn refer(ids: &[ElementId]) -> Value {
    Value::ElementArray(ids.iter().map(|id| Reference::Element(*id)).collect())
}

#[test]
fn cyclic_children_terminate() {
    let base = map();
    let all = nodes(&base);
    for &parent in &all {
        for &child in all.iter().take(4) {
            let mut document = base.clone();
            set(&mut document, parent, "children", refer(&[child, parent, child, ElementId::ROOT, all[0]]));
            survives(&document);
        }
    }
}

#[test]
fn recursive_instances_terminate() {
    let base = map();
    let all = nodes(&base);
    let instance = *all.iter().find(|id| base.graph().element(**id).unwrap().is("CMapInstance")).unwrap();
    for &target in &all {
        let mut document = base.clone();
        set(&mut document, instance, "target", Value::Element(Reference::Element(target)));
        set(&mut document, target, "children", refer(&[instance]));
        survives(&document);
    }
}

#[test]
fn a_million_nested_nodes_do_not_overflow_the_stack() {
    let mut document = Document::new();
    let world = document.world().unwrap().node().id();
    let graph = document.graph_mut();
    let mut above = world;
    for _ in 0..200_000 {
        let id = graph.push("CMapGroup", "", mapwright_vmap::dmx::Guid::NIL);
        graph.set(above, "children", refer(&[id]));
        above = id;
    }
    let scene = import(&document);
    assert_eq!(scene.nodes.len(), 200_000);
    assert_eq!(scene.nodes[NodeId::new(0)].children.len(), 1);
}

/// A file stores a text once; a scene copies it for each use.
#[test]
fn long_texts_with_many_uses_are_reported_as_a_loss() {
    const MANY: usize = 4_000;
    let mut document = Document::new();
    let world = document.world().unwrap().node().id();
    let graph = document.graph_mut();
    let text = vec![b'a'; 1 << 16];
    let id = graph.intern(&text);
    let nodes: Vec<ElementId> = (0..MANY)
        .map(|_| {
            let node = graph.push(&text, &text, mapwright_vmap::dmx::Guid::NIL);
            graph.set(node, "texts", Value::StringArray([id; 2].into()));
            graph.set(node, &text, Value::Element(Reference::Element(ElementId::ROOT)));
            node
        })
        .collect();
    graph.set(world, "children", refer(&nodes));
    let import = to_scene(&document, &ImportOptions::default()).unwrap();
    assert_eq!(import.scene.nodes.len(), MANY);
    assert!(import.losses.iter().any(|loss| loss.text.contains("long strings")));
    let bytes: usize = import.losses.iter().map(|loss| loss.path.to_string().len() + loss.text.len()).sum();
    assert!(bytes < MANY * 1000, "{bytes}");
    let names: usize = import.scene.nodes.iter().map(|(_, node)| node.name.len()).sum();
    assert!(names > 1 << 16 && names < 100 << 20, "{names}");
    survives(&document);
}

#[test]
fn data_shared_by_sets_or_meshes_is_read_once() {
    let mut document = Document::new();
    document
        .edit(|map| {
            let world = map.world()?;
            let positions = vec![[0.0; 3], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]];
            let mut soup = Soup { positions, ..Soup::default() };
            soup.push_face(&[0, 1, 2]);
            let mesh = Mesh::build(&soup, &BuildOptions::default()).mesh;
            (0..3).try_for_each(|_| map.add_mesh(world, &mesh).map(|_| ()))
        })
        .unwrap();
    let meshes: Vec<ElementId> = document
        .graph()
        .iter()
        .filter(|element| element.is("CDmePolygonMesh"))
        .map(mapwright_vmap::dmx::ElementRef::id)
        .collect();
    let data = document.graph().element(meshes[0]).unwrap().get("faceData").unwrap().clone();
    meshes.iter().for_each(|mesh| set(&mut document, *mesh, "faceData", data.clone()));
    let top = document.root_selection_set().unwrap().element().id();
    let nodes = nodes(&document);
    let graph = document.graph_mut();
    let data = graph.push("CObjectSelectionSetDataElement", "", mapwright_vmap::dmx::Guid::NIL);
    graph.set(data, "selectedObjects", refer(&nodes[1..]));
    let sets: Vec<ElementId> =
        (0..3).map(|_| graph.push("CMapSelectionSet", "", mapwright_vmap::dmx::Guid::NIL)).collect();
    sets.iter().for_each(|set| graph.set(*set, "selectionSetData", Value::Element(Reference::Element(data))));
    graph.set(top, "children", refer(&sets));
    let import = to_scene(&document, &ImportOptions::default()).unwrap();
    assert_eq!(import.scene.meshes.len(), 1);
    assert_eq!(import.scene.sets.iter().map(|set| set.members.len()).collect::<Vec<_>>(), [3, 0, 0]);
    let count = |what: &str| import.losses.iter().filter(|loss| loss.text.contains(what)).count();
    assert_eq!((count("another mesh"), count("another set")), (2, 2));
    survives(&document);
}

#[test]
fn unknown_flags_survive() {
    let base = map();
    let manager = base.visibility().unwrap().element().id();
    let hidden = base.visibility().unwrap().hidden().next().unwrap().0.id();
    for flag in [-1, i32::MIN, 3, 4] {
        let mut document = base.clone();
        set(&mut document, manager, "nodes", refer(&[hidden]));
        set(&mut document, manager, "hiddenFlags", Value::IntArray([flag].into()));
        let scene = import(&document);
        let found: Vec<_> = scene.nodes.iter().filter_map(|(_, node)| node.properties.get("hiddenFlags")).collect();
        assert_eq!(found, [&mapwright_scene::Value::Int(flag.into())]);
        // They also survive in a new map.
        let again = from_scene(&scene, &ExportOptions::default()).unwrap().document;
        let flags: Vec<i32> = again.visibility().unwrap().hidden().map(|(_, flags)| flags.0).collect();
        assert_eq!(flags, [flag]);
    }
}

#[test]
fn nested_instances_are_not_expanded() {
    let mut document = Document::new();
    document
        .edit(|map| {
            let world = map.world()?;
            let mut group = map.add_group(world)?;
            for _ in 0..64 {
                let next = map.add_group(world)?;
                map.add_instance(next, group)?;
                map.add_instance(next, group)?;
                group = next;
            }
            map.add_instance(world, group).map(|_| ())
        })
        .unwrap();
    let scene = import(&document);
    assert_eq!(scene.nodes.len(), 65 + 128 + 1);
    assert_eq!(scene.roots.len(), 1);
}

#[test]
fn non_finite_transforms_are_repaired() {
    let base = map();
    for id in nodes(&base) {
        for (name, value) in [
            ("origin", Value::Vector3([f32::NAN, 0.0, 0.0])),
            ("origin", Value::Vector3([f32::MAX; 3])),
            ("angles", Value::QAngle([f32::INFINITY; 3])),
            ("scales", Value::Vector3([0.0; 3])),
            ("scales", Value::Vector3([f32::MIN_POSITIVE; 3])),
            ("scales", Value::Vector3([f32::MAX, 1.0, 1.0])),
            ("scales", Value::Vector3([1.0, -1.0, 0.0])),
        ] {
            let mut document = base.clone();
            set(&mut document, id, name, value);
            survives(&document);
        }
    }
}

#[test]
fn attributes_of_any_type_are_accepted() {
    let base = map();
    let text = |document: &mut Document| document.graph_mut().string_value("text");
    for element in 0..base.graph().elements.len() {
        let id = ElementId(u32::try_from(element).unwrap());
        let names: Vec<Vec<u8>> =
            base.graph().element(id).unwrap().attributes().map(|(name, _)| name.to_vec()).collect();
        for (place, name) in names.iter().enumerate() {
            // Change one attribute per map, so that all are reached.
            for kind in [(element + place) % 8, (element + place + 5) % 8] {
                let mut document = base.clone();
                let value = match kind {
                    0 => Value::Int(-1),
                    1 => text(&mut document),
                    2 => Value::Element(Reference::Element(ElementId::ROOT)),
                    3 => refer(&[id, ElementId::ROOT, id]),
                    4 => Value::IntArray(Box::new([7, -1, i32::MAX])),
                    5 => Value::Vector3Array(Box::new([[f32::NAN; 3]; 2])),
                    6 => Value::Element(Reference::Null),
                    _ => {
                        document.graph_mut().unset(id, name);
                        survives(&document);
                        continue;
                    }
                };
                document.graph_mut().set(id, name, value);
                survives(&document);
            }
        }
    }
}

#[test]
fn meshes_with_any_numbers_are_accepted() {
    let base = map();
    let streams: Vec<ElementId> = base
        .graph()
        .iter()
        .filter(|element| element.is("CDmePolygonMesh") || element.is("CDmePolygonMeshDataStream"))
        .map(mapwright_vmap::dmx::ElementRef::id)
        .take(16)
        .collect();
    for id in streams {
        let names: Vec<Vec<u8>> =
            base.graph().element(id).unwrap().attributes().map(|(name, _)| name.to_vec()).collect();
        for name in names {
            for change in 0..4_usize {
                let mut document = base.clone();
                match document.graph_mut().value_mut(id, &name) {
                    Some(Value::IntArray(items)) if !items.is_empty() => {
                        let place = change * 5 % items.len();
                        items[place] = [-1, 0, i32::MAX, i32::MIN][change];
                    }
                    Some(Value::Vector3Array(items)) if !items.is_empty() => {
                        items[0] = [[f32::NAN; 3], [0.0; 3], [f32::MAX; 3], [f32::NEG_INFINITY; 3]][change];
                    }
                    Some(Value::Vector2Array(items)) if !items.is_empty() => {
                        items[0] = [[f32::NAN; 2], [0.0; 2], [f32::MAX; 2], [f32::INFINITY; 2]][change];
                    }
                    Some(Value::Vector4Array(items)) if !items.is_empty() => {
                        items[0] = [[f32::NAN; 4], [0.0; 4], [f32::MAX; 4], [f32::INFINITY; 4]][change];
                    }
                    _ => continue,
                }
                survives(&document);
            }
        }
    }
    let scene = import(&base);
    assert!(scene.nodes.iter().any(|(_, node)| matches!(node.content, Content::Mesh(_))));
}
