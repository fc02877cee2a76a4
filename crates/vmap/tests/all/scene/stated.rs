//! Scenes that kept properties of a map on their way through another format.

use mapwright_scene::{Content, Entity, LossKind, Node, Properties, Scene, Value};
use mapwright_vmap::dmx::Value as Attribute;
use mapwright_vmap::scene::{ExportOptions, ImportOptions, from_scene, to_scene};
use mapwright_vmap::{Document, Mesh};

use super::maps::whole_map;
use super::scenes::{cube, empty, material};

/// Codes of the findings in a map, except for those that the writer cannot avoid.
fn findings(document: &Document) -> Vec<&'static str> {
    let codes = document.validate().into_iter().map(|finding| finding.code);
    codes.filter(|code| !["text-floats", "layout"].contains(code)).collect()
}

fn export(scene: &Scene) -> (Document, Vec<String>) {
    let export = from_scene(scene, &ExportOptions::default()).unwrap();
    whole_map(&export.document);
    let dropped = export.losses.iter().filter(|loss| loss.kind == LossKind::Dropped);
    (export.document.clone(), dropped.map(ToString::to_string).collect())
}

fn floats(count: u8) -> Value {
    Value::List((0..count).map(|i| Value::Float(f64::from(i))).collect())
}

#[test]
fn values_get_the_types_of_the_format_and_replace_defaults() {
    let mut scene = empty();
    let texts = |text: &str| Value::List(vec![text.into()]);
    let empty = || Value::List(Vec::new());
    let variables: Properties = [
        ("$class", "CMapVariableSet".into()),
        ("variableNames", texts("height")),
        ("variableValues", texts("1")),
        ("variableTypeNames", texts("int")),
        ("variableTypeParameters", texts("")),
        ("m_ChoiceGroups", empty()),
    ]
    .into_iter()
    .collect();
    scene.properties.push("mapVariables", variables);
    scene.properties.push("snaprotationangle", 30.0);
    let entity = scene.entities.push(Entity { class: "prop_ragdoll".into(), ..Entity::default() });
    let bones = [("boneNames", texts("hand")), ("bonePositions", floats(3)), ("boneRotations", floats(4))];
    let properties = bones.into_iter().collect();
    scene.add_node(None, Node { properties, ..Node::new("doll", Content::Entity(entity)) });
    let (document, dropped) = export(&scene);
    assert_eq!((findings(&document), dropped), (vec![], vec![]));
    let root = document.graph().root().unwrap();
    assert_eq!(root.get("snaprotationangle"), Some(&Attribute::Int(30)));
    assert_eq!(document.variables().unwrap().iter().count(), 1);
}

#[test]
fn attributes_of_the_file_are_not_properties() {
    let mut scene = empty();
    let names = ["editorbuild", "editorversion", "world", "visbility", "nodeInstanceData"];
    names.iter().for_each(|name| scene.properties.push(*name, 7));
    let (document, dropped) = export(&scene);
    assert_eq!(dropped.iter().filter(|loss| loss.contains("the name is reserved")).count(), 5, "{dropped:?}");
    assert_eq!(document.root().unwrap().editor_build(), Document::new().root().unwrap().editor_build());
    assert!(document.world().is_some());
    // They are not properties of the map's scene either.
    assert!(to_scene(&document, &ImportOptions::default()).unwrap().scene.properties.is_empty());
}

#[test]
fn assets_are_listed() {
    let mut scene = empty();
    let brick = scene.materials.push(material("dev/brick"));
    let mesh = scene.meshes.push(cube(64.0, Some(brick)));
    scene.add_node(None, Node::new("box", Content::Mesh(mesh)));
    for (class, key, value) in [
        ("prop_static", "model", "models/crate.vmdl"),
        ("env_sky", "skyname", "materials/sky.vmat"),
        ("info_particle_system", "effect_name", "particles/fire.vpcf"),
    ] {
        let properties = [(key, value)].into_iter().collect();
        let entity = scene.entities.push(Entity { class: class.into(), properties, ..Entity::default() });
        scene.add_node(None, Node::new(class, Content::Entity(entity)));
    }
    let (document, _) = export(&scene);
    let listed: Vec<&[u8]> = document.asset_references().collect();
    let wanted = ["materials/dev/brick.vmat", "materials/sky.vmat", "models/crate.vmdl", "particles/fire.vpcf"]
        .map(str::as_bytes);
    assert_eq!(listed.len(), wanted.len(), "{listed:?}");
    assert!(wanted.iter().all(|path| listed.contains(path)), "{listed:?}");
}

#[test]
fn a_cable_without_a_path_becomes_a_group_without_attributes_of_cables() {
    let mut scene = empty();
    let properties = [
        ("$class", Value::from("CMapCable")),
        ("radius", 2.5.into()),
        ("numSides", 6.into()),
        ("entity_properties", Properties::new().into()),
        ("deformationMode", 1.into()),
        ("note", "kept".into()),
    ];
    let properties = properties.into_iter().collect();
    scene.add_node(None, Node { properties, ..Node::new("cable", Content::Group) });
    let (document, dropped) = export(&scene);
    assert!(dropped.len() == 1 && dropped[0].contains("3 attributes of class CMapCable"), "{dropped:?}");
    let node = document.nodes().last().unwrap().node;
    assert!(node.element().is("CMapGroup"));
    assert_eq!(node.element().text("note"), Some(&b"kept"[..]));
    assert_eq!(node.element().get("deformationMode"), Some(&Attribute::Int(1)));
    assert!(node.element().get("radius").is_none() && node.element().get("entity_properties").is_none());
}

#[test]
fn an_unreadable_mesh_leaves_no_trace() {
    let mut scene = empty();
    let mesh = scene.meshes.push(cube(64.0, None));
    let properties = [("physicsType", "none")].into_iter().collect();
    scene.add_node(None, Node { properties, ..Node::new("box", Content::Mesh(mesh)) });
    let (mut map, _) = export(&scene);
    let mesh = map.graph().iter().find(|element| element.is("CDmePolygonMesh")).unwrap().id();
    map.graph_mut().unset(mesh, "vertexData");
    assert!(Mesh::from_element(map.graph().element(mesh).unwrap()).is_err());
    let import = to_scene(&map, &ImportOptions::default()).unwrap();
    assert!(import.losses.iter().any(|loss| loss.text.contains("unreadable mesh")), "{:?}", import.losses);
    let node = import.scene.nodes.iter().next().unwrap().1;
    assert!(matches!(node.content, Content::Group) && node.properties.get("meshData").is_none(), "{node:?}");
    let (document, dropped) = export(&import.scene);
    assert_eq!(findings(&document), Vec::<&str>::new());
    assert!(dropped.iter().any(|loss| loss.contains("of class CMapMesh")), "{dropped:?}");
}
