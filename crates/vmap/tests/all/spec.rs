//! Views of a map that was written by hand after the specification.

use mapwright_vmap::dmx::{Encoding, LineEnd, Reference, Value};
use mapwright_vmap::io::{Category, Limits};
use mapwright_vmap::{
    AssetKind, Document, HiddenFlags, Node, NodeId, NodeKind, ReadOptions, SelectionData, Transform, WriteOptions,
};

const MAP: &str = r#"<!-- dmx encoding keyvalues2 4 format vmap 35 -->
"$prefix_element$"
{
    "id" "elementid" "00000000-0000-4000-8000-000000000001"
    "asset_preview_thumbnail" "binary" "FFD8FFE0"
    "asset_preview_thumbnail_format" "string" "jpg"
    "map_asset_references" "string_array" [ "materials/a.vmat", "lists/only.weird", "scripts/vscripts/lamps/on.lua" ]
}
"CMapRootElement"
{
    "isprefab" "int" "1"
    "editorbuild" "int" "9916"
    "snaprotationangle" "float" "22.5"
    "defaultcamera" "CStoredCamera" { "position" "vector3" "1 2 3" "lookat" "vector3" "4 5 6" }
    "3dcameras" "CStoredCameras" { "activecamera" "int" "0" "cameras" "element_array" [ "CStoredCamera" { "position" "vector3" "7 8 9" } ] }
    "world" "CMapWorld"
    {
        "nodeID" "int" "1"
        "referenceID" "uint64" "0x0"
        "mapUsageType" "string" "skybox"
        "entity_properties" "EditGameClassProps" { "classname" "string" "worldspawn" "skyname" "string" "s" }
        "children" "element_array"
        [
            "CMapEntity"
            {
                "name" "string" "a lamp"
                "origin" "vector3" "10 20 30"
                "angles" "qangle" "0 90 0"
                "scales" "vector3" "2 2 2"
                "nodeID" "int" "2"
                "referenceID" "uint64" "0xfedcba9876543210"
                "children" "element_array"
                [
                    "CMapMesh"
                    {
                        "nodeID" "int" "3"
                        "children" "element_array" [ ]
                        "disableShadows" "int" "1"
                        "tintColor" "color" "1 2 3 4"
                        "meshData" "CDmePolygonMesh"
                        {
                            "materials" "string_array" [ "materials/a.vmat", "Materials/B.vmat" ]
                            "faceEdgeIndices" "int_array" [ "0", "1", "2" ]
                            "edgeVertexIndices" "int_array" [ "0", "1", "2", "3" ]
                        }
                    }
                ]
                "editorOnly" "bool" "1"
                "force_hidden" "bool" "0"
                "transformLocked" "int" "1"
                "variableTargetKeys" "string_array" [ "brightness", "surplus" ]
                "variableNames" "string_array" [ "how bright" ]
                "relayPlugData" "DmePlugList"
                {
                    "names" "string_array" [ "PowerOn" ]
                    "dataTypes" "int_array" [ "-1" ]
                    "plugTypes" "int_array" [ "3" ]
                    "descriptions" "string_array" [ "a description" ]
                }
                "connectionsData" "element_array"
                [
                    "DmeConnectionData"
                    {
                        "outputName" "string" "OnUser1"
                        "targetType" "int" "7"
                        "targetName" "string" "door"
                        "inputName" "string" "Open"
                        "overrideParam" "string" "fast"
                        "delay" "float" "0.5"
                        "timesToFire" "int" "1"
                    }
                ]
                "entity_properties" "EditGameClassProps"
                {
                    "targetname" "string" "lamp"
                    "classname" "string" "light_omni"
                    "vscripts" "string" "other lamps/On"
                    "classname" "string" "twice"
                    "model" "string" "models/a.vmdl"
                    "ELEM_NAME__ENT_ATTR_TYPES" "DmElement" { "CheckAllTargets" "int" "0" }
                }
                "boneNames" "string_array" [ "hip" ]
                "bonePositions" "vector3_array" [ "1 1 1" ]
                "boneRotations" "quaternion_array" [ "0 0 0 1" ]
            },
            "CMapGroup" { "id" "elementid" "00000000-0000-4000-8000-000000000002" "nodeID" "int" "4" "children" "element_array" [ ] },
            "CMapInstance" { "nodeID" "int" "5" "children" "element_array" [ ] "target" "element" "00000000-0000-4000-8000-000000000002" },
            "CMapPrefab"
            {
                "id" "elementid" "00000000-0000-4000-8000-000000000003"
                "nodeID" "int" "6"
                "children" "element_array" [ ]
                "targetMapPath" "string" "maps/p.vmap"
                "variableOverrideNames" "string_array" [ "v" ]
                "variableOverrideValues" "string_array" [ "1" ]
                "displayColor" "color" "9 9 9 255"
                "loadIfNested" "bool" "0"
            },
            "CMapStaticOverlay" { "nodeID" "int" "7" "children" "element_array" [ ] "projectionMode" "int" "3" "projectionTargets" "int_array" [ "3" ] },
            "CMapCable"
            {
                "nodeID" "int" "8"
                "radius" "float" "0.5"
                "children" "element_array" [ "CMapPathNode" { "nodeID" "int" "9" "children" "element_array" [ ] "inTangent" "vector3" "0 0 1" "pinEnabled" "bool" "0" } ]
            },
            "CMapGameObject" { "nodeID" "int" "10" "children" "element_array" [ ] "m_GUID" "string" "g" "m_SerializedGameObject" "string" "{}" },
            "CMapCordon" { "name" "string" "box" "nodeID" "int" "11" "children" "element_array" [ ] "scales" "vector3" "64 64 64" },
            "CMapDotaTileGrid"
            {
                "nodeID" "int" "12"
                "children" "element_array" [ "CMapTileObject" { "nodeID" "int" "13" "children" "element_array" [ ] "targetMapPath" "string" "t.vmap" "tileSetMapIndex" "int" "1" } ]
                "layerData" "element_array" [ "CDmeDotaTileGrid" { "gridWidth" "int" "1" "gridHeight" "int" "2" "verticesHeight" "int_array" [ "5" ] "cellsHidden" "bool_array" [ "0", "1" ] } ]
            },
            "CMapNavData" { "nodeID" "int" "14" "children" "element_array" [ ] "navData" "CDmeNavData" { "settingsTileSize" "float" "128" } },
            "CMapTileMesh" { "nodeID" "int" "15" "children" "element_array" [ ] "tileSetMapNames" "string_array" [ "s.vmap" ] "tileMeshData" "CDmeTileMesh" { } },
            "CMapSmartProp" { "nodeID" "int" "16" "children" "element_array" [ ] "whatever" "int" "1" }
        ]
    }
    "visbility" "CVisibilityMgr"
    {
        "nodeID" "int" "0"
        "children" "element_array" [ ]
        "nodes" "element_array" [ "element" "00000000-0000-4000-8000-000000000003", "element" "00000000-0000-4000-8000-0000000000ff", "element" "00000000-0000-4000-8000-000000000002" ]
        "hiddenFlags" "int_array" [ "1", "4", "0" ]
    }
    "mapVariables" "CMapVariableSet"
    {
        "variableNames" "string_array" [ "how bright", "other" ]
        "variableValues" "string_array" [ "1.5", "models/c.vmdl" ]
        "variableTypeNames" "string_array" [ "float" ]
        "m_ChoiceGroups" "element_array"
        [
            "CMapVariableChoiceGroup"
            {
                "name" "string" "Group"
                "m_ChoiceVariables" "string_array" [ "other" ]
                "m_Choices" "element_array" [ "CMapVariableChoice" { "name" "string" "Yes" "m_ChoiceValues" "string_array" [ "2" ] } ]
                "m_ActiveValue" "string" "Yes"
            }
        ]
    }
    "rootSelectionSet" "CMapSelectionSet"
    {
        "children" "element_array"
        [
            "CMapSelectionSet"
            {
                "children" "element_array" [ ]
                "selectionSetName" "string" "set"
                "selectionSetData" "CObjectSelectionSetDataElement" { "selectedObjects" "element_array" [ "element" "00000000-0000-4000-8000-000000000002" ] }
            }
        ]
        "selectionSetData" "element" ""
    }
    "nodeInstanceData" "element_array" [ "CDmeNodeInstanceData" { "name" "string" "6.3" "vertexLightingData" "color_array" [ "1 2 3 4" ] } ]
}
"#;

fn map() -> Document {
    Document::from_bytes(MAP.as_bytes()).unwrap()
}

#[test]
fn root_and_prefix_are_read() {
    let map = map();
    let root = map.root().unwrap();
    assert!(root.is_prefab() && root.show_grid());
    assert_eq!((root.editor_build(), root.snap_rotation(), root.grid_spacing()), (9916, 22.5, 64.0));
    assert_eq!(root.default_camera().unwrap().look_at(), [4.0, 5.0, 6.0]);
    assert_eq!((root.active_camera(), root.cameras().next().unwrap().position()), (0, [7.0, 8.0, 9.0]));
    let data = root.instance_data().next().unwrap();
    assert_eq!((data.node_path(), data.colors()), (&b"6.3"[..], &[[1, 2, 3, 4]][..]));
    let world = map.world().unwrap();
    assert_eq!((world.usage(), world.fixup_entity_names()), (&b"skybox"[..], true));
    assert_eq!(world.entity().unwrap().get("skyname"), Some(&b"s"[..]));
    let thumbnail = map.thumbnail().unwrap();
    assert_eq!((thumbnail.bytes, thumbnail.format), (&[0xFF, 0xD8, 0xFF, 0xE0][..], &b"jpg"[..]));
    assert_eq!(
        map.asset_references().collect::<Vec<_>>(),
        [&b"materials/a.vmat"[..], b"lists/only.weird", b"scripts/vscripts/lamps/on.lua"]
    );
    assert_eq!(map.format_version(), 35);
}

#[test]
fn the_tree_is_read() {
    let map = map();
    let tree: Vec<_> = map
        .nodes()
        .map(|v| (v.node.node_id().unwrap().0, v.parent.and_then(Node::node_id).map(|p| p.0), v.depth))
        .collect();
    let expected = [
        (1, None, 0),
        (2, Some(1), 1),
        (3, Some(2), 2),
        (4, Some(1), 1),
        (5, Some(1), 1),
        (6, Some(1), 1),
        (7, Some(1), 1),
        (8, Some(1), 1),
        (9, Some(8), 2),
        (10, Some(1), 1),
        (11, Some(1), 1),
        (12, Some(1), 1),
        (13, Some(12), 2),
        (14, Some(1), 1),
        (15, Some(1), 1),
        (16, Some(1), 1),
    ];
    assert_eq!(tree, expected);
    let lamp = map.find(NodeId(2)).unwrap();
    assert_eq!(map.nodes_below(lamp.id()).count(), 2);
    assert!(map.find(NodeId(0)).is_none() && map.node(lamp.element().child("relayPlugData").unwrap().id()).is_none());
}

#[test]
fn entities_are_read() {
    let map = map();
    let node = map.find(NodeId(2)).unwrap();
    assert_eq!((node.name(), node.reference_id()), (&b"a lamp"[..], Some(0xfedc_ba98_7654_3210)));
    assert_eq!(node.transform(), Transform { origin: [10.0, 20.0, 30.0], angles: [0.0, 90.0, 0.0], scales: [2.0; 3] });
    assert!(node.editor_only() && node.transform_locked() && !node.force_hidden());
    // The shorter of two parallel arrays counts.
    let bindings: Vec<_> = node.bindings().map(|binding| (binding.key, binding.variable)).collect();
    assert_eq!(bindings, [(&b"brightness"[..], &b"how bright"[..])]);
    let plug = node.plugs().next().unwrap();
    assert_eq!(
        (plug.name, plug.data_type, plug.plug_type, plug.description),
        (&b"PowerOn"[..], Some(-1), Some(3), &b"a description"[..])
    );
    let output = node.connections().next().unwrap();
    assert_eq!((output.output(), output.target(), output.input()), (&b"OnUser1"[..], &b"door"[..], &b"Open"[..]));
    assert_eq!((output.parameter(), output.delay(), output.times_to_fire()), (&b"fast"[..], 0.5, 1));
    let NodeKind::Entity(entity) = node.kind() else { panic!() };
    let keys: Vec<_> = entity.keys().map(|(key, _)| key).collect();
    assert_eq!(keys, [&b"targetname"[..], b"classname", b"vscripts", b"classname", b"model"]);
    assert_eq!((entity.classname(), entity.targetname()), (&b"light_omni"[..], &b"lamp"[..]));
    assert_eq!(entity.typed_values().unwrap().int("CheckAllTargets"), Some(0));
    assert_eq!(entity.bones().next(), Some((&b"hip"[..], [1.0; 3], [0.0, 0.0, 0.0, 1.0])));
    assert_eq!(entity.hit_normal(), [0.0, 0.0, 1.0]);
}

#[test]
fn nodes_of_other_classes_are_read() {
    let map = map();
    let kind = |number| map.find(NodeId(number)).unwrap().kind();
    let NodeKind::Mesh(mesh) = kind(3) else { panic!() };
    assert!(mesh.disable_shadows() && mesh.bake_lighting());
    assert_eq!((mesh.tint_color(), mesh.fade_min(), mesh.physics_type()), ([1, 2, 3, 4], -1.0, &b"default"[..]));
    assert_eq!(mesh.materials().iter().collect::<Vec<_>>(), [&b"materials/a.vmat"[..], b"Materials/B.vmat"]);
    let NodeKind::Instance(instance) = kind(5) else { panic!() };
    assert_eq!(instance.target().unwrap().node_id(), Some(NodeId(4)));
    assert!(matches!(instance.target().unwrap().kind(), NodeKind::Group(_)));
    let NodeKind::Prefab(prefab) = kind(6) else { panic!() };
    assert_eq!((prefab.path(), prefab.color()), (&b"maps/p.vmap"[..], [9, 9, 9, 255]));
    assert_eq!(prefab.overrides().next(), Some((&b"v"[..], &b"1"[..])));
    assert!(!prefab.load_if_nested() && prefab.fixup_entity_names());
    let NodeKind::StaticOverlay(overlay) = kind(7) else { panic!() };
    assert_eq!((overlay.projection_mode(), overlay.projection_targets()), (3, &[3][..]));
    let NodeKind::Cable(cable) = kind(8) else { panic!() };
    let point = cable.path_nodes().next().unwrap();
    assert_eq!((cable.radius(), point.in_tangent(), point.pinned()), (0.5, [0.0, 0.0, 1.0], false));
    assert!(matches!(kind(9), NodeKind::PathNode(_)));
    let NodeKind::GameObject(object) = kind(10) else { panic!() };
    assert_eq!((object.guid(), object.json()), (&b"g"[..], &b"{}"[..]));
    let NodeKind::Cordon(cordon) = kind(11) else { panic!() };
    assert_eq!((cordon.node().name(), cordon.node().transform().scales), (&b"box"[..], [64.0; 3]));
    let NodeKind::TileGrid(grid) = kind(12) else { panic!() };
    let layer = grid.layers().next().unwrap();
    assert_eq!((layer.width(), layer.height(), layer.vertex_heights()), (1, 2, &[5][..]));
    assert_eq!(layer.hidden_cells().collect::<Vec<_>>(), [false, true]);
    let NodeKind::TileObject(object) = kind(13) else { panic!() };
    assert_eq!((object.path(), object.tile_set()), (&b"t.vmap"[..], 1));
    let NodeKind::NavData(nav) = kind(14) else { panic!() };
    assert_eq!(nav.settings().unwrap().number("settingsTileSize"), Some(128.0));
    let NodeKind::TileMesh(tiles) = kind(15) else { panic!() };
    assert_eq!(tiles.tile_sets().get(0), Some(&b"s.vmap"[..]));
    assert!(tiles.tiles().is_some());
    let NodeKind::Other(other) = kind(16) else { panic!() };
    assert_eq!(other.element().int("whatever"), Some(1));
}

/// Source: the page VMAP of the Source 2 wiki, attributes that the known maps leave empty.
#[test]
fn attributes_that_are_usually_empty_are_read() {
    let mut map = Document::new();
    let object = map
        .edit(|map| {
            let world = map.world()?;
            map.add_prefab(world, "maps/p.vmap")?;
            map.add_node(world, "CMapGameObject")
        })
        .unwrap();
    map.edit(|map| {
        let id_of = |class: &str| map.map().graph().iter().find(|element| element.is(class)).unwrap().id();
        let [root, world, prefab] = ["CMapRootElement", "CMapWorld", "CMapPrefab"].map(id_of);
        let graph = map.graph_mut();
        for (element, name, text) in [
            (root, "itemFile", "items.txt"),
            (object, "m_SerializedGameObject", r#"{"Components":[{"Model":"models/a.vmdl"}]}"#),
        ] {
            let value = graph.string_value(text);
            graph.set(element, name, value);
        }
        graph.set(root, "m_ReferencedMeshSnapshots", Value::ElementArray([Reference::Element(world)].into()));
        graph.set(prefab, "target", Value::Element(Reference::Element(world)));
    });
    let root = map.root().unwrap();
    assert_eq!((root.item_file(), root.referenced_mesh_snapshots().count()), (&b"items.txt"[..], 1));
    let prefab = map.find(NodeId(2)).unwrap();
    let NodeKind::Prefab(prefab) = prefab.kind() else { panic!() };
    assert!(prefab.target().is_some_and(|target| matches!(target.kind(), NodeKind::World(_))));
    // Game objects of s&box name their assets in JSON.
    let assets: Vec<_> = map.assets().iter().map(|asset| (asset.kind, asset.path.to_vec())).collect();
    assert!(assets.contains(&(AssetKind::Model, b"models/a.vmdl".to_vec())), "{assets:?}");
}

#[test]
fn visibility_selection_and_variables_are_read() {
    let map = map();
    let visibility = map.visibility().unwrap();
    let nodes: Vec<_> = visibility.nodes().map(|(node, flags)| (node.node_id().unwrap().0, flags)).collect();
    assert_eq!(nodes, [(6, HiddenFlags::SELECTION_SET), (4, HiddenFlags::VISIBLE)]);
    assert_eq!((visibility.entries().count(), visibility.hidden().count()), (3, 1));
    assert_eq!(visibility.flags(map.find(NodeId(2)).unwrap()), HiddenFlags::VISIBLE);
    let sets: Vec<_> = map.selection_sets().map(|(set, depth)| (set.set_name(), depth)).collect();
    assert_eq!(sets, [(&b""[..], 0), (b"set", 1)]);
    let (set, _) = map.selection_sets().last().unwrap();
    let SelectionData::Objects(objects) = set.data() else { panic!() };
    assert_eq!(objects.nodes().next().unwrap().node_id(), Some(NodeId(4)));
    let variables = map.variables().unwrap();
    let all: Vec<_> = variables.iter().map(|variable| (variable.name, variable.value, variable.type_name)).collect();
    assert_eq!(all, [(&b"how bright"[..], &b"1.5"[..], &b"float"[..]), (b"other", b"models/c.vmdl", b"")]);
    let group = variables.choice_groups().next().unwrap();
    let choice = group.choices().next().unwrap();
    assert_eq!(
        (group.element().name(), group.active(), choice.values().get(0)),
        (&b"Group"[..], &b"Yes"[..], Some(&b"2"[..]))
    );
}

#[test]
fn assets_and_census_are_computed() {
    let map = map();
    let assets: Vec<_> = map
        .assets()
        .into_iter()
        .map(|asset| (asset.kind, String::from_utf8_lossy(asset.path).into_owned(), asset.listed, asset.uses.len()))
        .collect();
    let expected = [
        (AssetKind::Material, "materials/a.vmat", true, 1),
        (AssetKind::Material, "Materials/B.vmat", false, 1),
        (AssetKind::Model, "models/a.vmdl", false, 1),
        (AssetKind::Model, "models/c.vmdl", false, 1),
        (AssetKind::Map, "maps/p.vmap", false, 1),
        (AssetKind::Map, "s.vmap", false, 1),
        (AssetKind::Map, "t.vmap", false, 1),
        (AssetKind::Other, "lists/only.weird", true, 0),
        (AssetKind::Other, "scripts/vscripts/lamps/on.lua", true, 1),
    ];
    assert_eq!(assets, expected.map(|(kind, path, listed, uses)| (kind, path.to_owned(), listed, uses)));
    let node = |path: &[u8]| map.assets().iter().find(|asset| asset.path == path).unwrap().uses[0].node;
    assert_eq!(node(b"materials/a.vmat").unwrap().node_id(), Some(NodeId(3)));
    assert_eq!(node(b"models/a.vmdl").unwrap().node_id(), Some(NodeId(2)));
    assert!(node(b"models/c.vmdl").is_none());
    let census = map.census();
    assert_eq!((census.nodes.values().sum::<usize>(), census.outputs, census.hidden), (16, 1, 1));
    assert_eq!(census.entities.into_iter().collect::<Vec<_>>(), [(&b"light_omni"[..], 1)]);
    let meshes = census.meshes;
    assert_eq!((meshes.meshes, meshes.edges, meshes.faces, meshes.materials), (1, 2, 3, 2));
}

#[test]
fn angles_match_the_game() {
    let turned = |angles: [f32; 3], point| Transform { angles, ..Transform::IDENTITY }.apply(point).map(f64::round);
    // Positive yaw turns left, pitch looks down, roll tilts right.
    assert_eq!(turned([0.0, 90.0, 0.0], [1.0, 0.0, 0.0]), [0.0, 1.0, 0.0]);
    assert_eq!(turned([90.0, 0.0, 0.0], [1.0, 0.0, 0.0]), [0.0, 0.0, -1.0]);
    assert_eq!(turned([0.0, 0.0, 90.0], [0.0, 1.0, 0.0]), [0.0, 0.0, 1.0]);
    let all = Transform { origin: [1.0, 2.0, 3.0], angles: [0.0, 90.0, 0.0], scales: [2.0, 3.0, 4.0] };
    assert_eq!(all.apply([1.0, 1.0, 1.0]).map(f64::round), [-2.0, 4.0, 7.0]);
}

#[test]
fn non_maps_are_rejected() {
    let dmx = b"<!-- dmx encoding keyvalues2 4 format pcf 5 -->\n\"A\" { }\n";
    assert!(Document::from_bytes(dmx).unwrap_err().to_string().contains("pcf"));
    assert!(
        Document::from_bytes(b"version https://git-lfs.github.com/spec/v1\n").unwrap_err().to_string().contains("LFS")
    );
    let sniff = mapwright_vmap::sniff;
    assert_eq!(sniff(MAP.as_bytes()), mapwright_vmap::io::Confidence::Certain);
    assert_eq!(sniff(dmx), mapwright_vmap::io::Confidence::No);
    // The white space that Valve accepts, in any amount.
    let long = format!("<!--{}dmx\x0Bencoding\x0Bbinary 9\tformat\x0Bvmap 40 -->\n", " ".repeat(300));
    assert_eq!(sniff(long.as_bytes()), mapwright_vmap::io::Confidence::Certain);
    assert_eq!(sniff(b"<!-- dmx encoding format vmap 9 40 -->\n"), mapwright_vmap::io::Confidence::No);
}

#[test]
fn readers_and_writers_apply_options() {
    let mut map = Document::new();
    map.graph_mut().set_encoding(Encoding::KEYVALUES2_4);
    let options = WriteOptions::default().with_line_end(LineEnd::CrLf);
    let mut written = Vec::new();
    map.write_to_with(&mut written, &options).unwrap();
    assert!(written.windows(2).any(|two| two == b"\r\n"), "the line end is heeded");
    assert!(written == map.to_bytes_with(&options).unwrap());
    let few = ReadOptions::default().with_limits(Limits::default().with_max_input(16));
    assert_eq!(Document::from_reader(MAP.as_bytes()).unwrap(), Document::from_bytes(MAP.as_bytes()).unwrap());
    assert_eq!(Document::from_vec(MAP.into()).unwrap(), Document::from_bytes(MAP.as_bytes()).unwrap());
    let none = ReadOptions::default().with_limits(Limits::default().with_max_items(0));
    assert_eq!(Document::from_vec_with(MAP.into(), &none).unwrap_err().category(), Category::Limit);
    assert_eq!(Document::from_reader_with(MAP.as_bytes(), &few).unwrap_err().category(), Category::Limit);
}
