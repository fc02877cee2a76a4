//! Names and numbers of the format, compared with literals from its description.

use mapwright_vmap::mesh::{Hardness, Stream, StreamData};
use mapwright_vmap::{AssetKind, Document, HiddenFlags, MapOptions, Node, NodeKind, Output};

/// Source: "Root", flags of `CVisibilityMgr`.
#[test]
fn hidden_flags_have_the_published_values() {
    let published = [
        (HiddenFlags::VISIBLE, 0, "visible"),
        (HiddenFlags::SELECTION_SET, 1, "hidden by a selection set"),
        (HiddenFlags::QUICK_HIDE, 4, "quick-hidden"),
    ];
    for (flags, value, name) in published {
        assert_eq!((flags.0, flags.name()), (value, Some(name)));
    }
    let named = (-1..100).filter(|&value| HiddenFlags(value).name().is_some());
    assert!(named.eq([0, 1, 4]));
    assert!(HiddenFlags(0).is_visible() && !HiddenFlags(1).is_visible() && !HiddenFlags(4).is_visible());
}

/// Source: "Streams", flags of edges.
#[test]
fn edges_have_the_published_hardness() {
    let published = [(Hardness::AUTOMATIC, 0, "AUTOMATIC"), (Hardness::HARD, 1, "HARD"), (Hardness::SOFT, 2, "SOFT")];
    for (hardness, value, name) in published {
        assert_eq!((hardness.0, hardness.name()), (value, Some(name)));
    }
    let named = (-1..100).filter(|&value| Hardness(value).name().is_some());
    assert!(named.eq([0, 1, 2]));
}

/// Source: "Streams", standard attribute names, buffer locations and state flags.
#[test]
fn streams_have_the_published_attributes() {
    let published = [
        ("position", 0, "position", 0, 3),
        ("flags", 0, "flags", 0, 3),
        ("textureScale", 0, "textureScale", 0, 0),
        ("textureAxisU", 0, "textureAxisU", 0, 0),
        ("textureAxisV", 0, "textureAxisV", 0, 0),
        ("materialindex", 0, "materialindex", 0, 8),
        ("lightmapScaleBias", 0, "lightmapScaleBias", 0, 1),
        ("texcoord", 0, "texcoord", 0, 1),
        ("normal", 0, "normal", 0, 1),
        ("tangent", 0, "tangent", 0, 1),
        ("VertexPaintTintColor", 0, "", 1, 1),
        ("VertexPaintBlendParams", 0, "", 1, 1),
        ("VertexPaintBlendParams1", 0, "", 1, 1),
        ("PerVertexLighting", 0, "", 1, 1),
        ("blendweights", 0, "blendweight0", 0, 1),
        ("blendindices", 0, "blendindex0", 0, 1),
    ];
    for (semantic, index, standard, location, flags) in published {
        let stream = Stream::new(semantic, index, StreamData::Int(Vec::new()));
        assert_eq!(stream.name, format!("{semantic}:{index}").into_bytes());
        assert_eq!((&stream.semantic_name[..], stream.semantic_index), (semantic.as_bytes(), index));
        assert_eq!(stream.standard_attribute_name, standard.as_bytes(), "{semantic}");
        assert_eq!((stream.vertex_buffer_location, stream.data_state_flags), (location, flags), "{semantic}");
    }
}

/// Source: "Node classes".
#[test]
fn classes_have_the_published_kinds() {
    type Is = fn(&NodeKind<'_>) -> bool;
    let published: [(&str, Is); 21] = [
        ("CMapWorld", |kind| matches!(kind, NodeKind::World(_))),
        ("CMapEntity", |kind| matches!(kind, NodeKind::Entity(_))),
        ("CMapMesh", |kind| matches!(kind, NodeKind::Mesh(_))),
        ("CMapStaticOverlay", |kind| matches!(kind, NodeKind::StaticOverlay(_))),
        ("CMapTileMesh", |kind| matches!(kind, NodeKind::TileMesh(_))),
        ("CMapGroup", |kind| matches!(kind, NodeKind::Group(_))),
        ("CMapWorldLayer", |kind| matches!(kind, NodeKind::Group(_))),
        ("CMapInstance", |kind| matches!(kind, NodeKind::Instance(_))),
        ("CMapPrefab", |kind| matches!(kind, NodeKind::Prefab(_))),
        ("CMapGameObject", |kind| matches!(kind, NodeKind::GameObject(_))),
        ("CMapCordon", |kind| matches!(kind, NodeKind::Cordon(_))),
        ("CMapCable", |kind| matches!(kind, NodeKind::Cable(_))),
        ("CMapPath", |kind| matches!(kind, NodeKind::Path(_))),
        ("CTrajectoryPath", |kind| matches!(kind, NodeKind::Path(_))),
        ("CMapPathNode", |kind| matches!(kind, NodeKind::PathNode(_))),
        ("CTrajectoryPathNode", |kind| matches!(kind, NodeKind::PathNode(_))),
        ("CMapNavData", |kind| matches!(kind, NodeKind::NavData(_))),
        ("CMapDotaTileGrid", |kind| matches!(kind, NodeKind::TileGrid(_))),
        ("CMapTileObject", |kind| matches!(kind, NodeKind::TileObject(_))),
        ("CVisibilityMgr", |kind| matches!(kind, NodeKind::Visibility(_))),
        ("CMapSmartProp", |kind| matches!(kind, NodeKind::Other(_))),
    ];
    for (class, is) in published {
        let text = format!(
            "<!-- dmx encoding keyvalues2 4 format vmap 40 -->\n\"CMapRootElement\" {{ \"world\" \"CMapWorld\" {{ \"nodeID\" \
             \"int\" \"1\" \"children\" \"element_array\" [ \"{class}\" {{ \"nodeID\" \"int\" \"2\" \"children\" \
             \"element_array\" [ ] \"entity_properties\" \"EditGameClassProps\" {{ }} }} ] }} }}\n"
        );
        let map = Document::from_bytes(text.as_bytes()).unwrap();
        let node = map.nodes().find(|visit| visit.depth == 1 && visit.node.class() == class.as_bytes());
        assert!(node.is_some_and(|visit| is(&visit.node.kind())), "{class}");
    }
}

/// Source: extensions of Source 2 content, which give the type of an asset.
#[test]
fn extensions_have_the_published_asset_kinds() {
    let published = [
        ("vmat", AssetKind::Material, "materials"),
        ("vmdl", AssetKind::Model, "models"),
        ("vmap", AssetKind::Map, "maps"),
        ("vsnd", AssetKind::Sound, "sounds"),
        ("vsndevts", AssetKind::Sound, "sounds"),
        ("vpcf", AssetKind::Particles, "particles"),
        ("vtex", AssetKind::Texture, "textures"),
    ];
    for (extension, kind, name) in published {
        assert_eq!(AssetKind::from_path(format!("a/b.{extension}").as_bytes()), Some(kind), "{extension}");
        assert_eq!(kind.name(), name);
    }
}

/// Text of a value in the tables below.
trait Show {
    fn show(&self) -> String;
}

macro_rules! show_as_debug {
    ($($type:ty),*) => { $( impl Show for $type { fn show(&self) -> String { format!("{self:?}") } } )* };
}

show_as_debug!(bool, i32, f64, [f32; 3], [u8; 4], &[i32]);

impl Show for &[u8] {
    fn show(&self) -> String {
        String::from_utf8_lossy(self).into_owned()
    }
}

/// Compares the methods of a view with literals.
macro_rules! assert_values {
    ($view:expr, $($method:ident: $expected:literal),* $(,)?) => {{
        $( assert_eq!($view.$method().show(), $expected, stringify!($method)); )*
    }};
}

/// Asserts the published defaults of a view that are independent of the format.
fn check_defaults(node: Node<'_>) {
    match node.kind() {
        NodeKind::Mesh(mesh) => assert_values!(mesh,
            disable_shadows: "false", bake_lighting: "true", cube_map: "", emissive_lighting: "true",
            emissive_boost: "1.0", lighting_dummy: "false", vis_exclude: "false", disable_merging: "false",
            render_with_dynamic: "false", render_to_cube_maps: "true", precompute_light_probes: "true",
            keep_vertices: "false", fade_min: "-1.0", fade_max: "0.0", disable_height_displacement: "false",
            smoothing_angle: "40.0", tint_color: "[255, 255, 255, 255]", render_amount: "255",
            physics_type: "default", physics_group: "", physics_interacts_as: "", physics_interacts_with: "",
            physics_interacts_exclude: "", physics_simplification: "false", physics_simplification_error: "0.0",
        ),
        NodeKind::StaticOverlay(overlay) => assert_values!(overlay,
            projection_far: "0.0", projection_targets: "[]", projection_mode: "0", project_on_back_faces: "false",
            render_order: "0", disabled_in_low_quality: "false",
        ),
        NodeKind::Prefab(prefab) => assert_values!(prefab,
            path: "", target_name: "", fixup_entity_names: "true", use_target_name_as_prefix: "false",
            load_if_nested: "true", load_at_runtime: "false", runtime_entity: "false", vis_exclude: "false",
        ),
        NodeKind::Cable(cable) => assert_values!(cable,
            interpolation: "1", material: "", lighting_origin: "", tint_color: "[255, 255, 255, 255]", sides: "8",
            tessellation_spacing: "1.0", radius: "1.0", texture_orientation: "0", texture_scale: "0.25",
            texture_repeats: "1.0", texture_offset_along: "0.0", texture_offset_around: "0.0", collision: "false",
            physics_simplification_error: "2.0",
        ),
        NodeKind::PathNode(point) => assert_values!(point,
            path_node_name: "", in_tangent: "[0.0, 0.0, 0.0]", out_tangent: "[0.0, 0.0, 0.0]", in_tangent_type: "1",
            out_tangent_type: "1", tint_color: "[255, 255, 255, 255]", pinned: "true", radius_scale: "1.0",
        ),
        NodeKind::World(world) => assert_values!(world, next_decal: "0", fixup_entity_names: "true", usage: "standard"),
        kind => panic!("{kind:?}"),
    }
    assert_values!(node, editor_only: "false", force_hidden: "false", transform_locked: "false");
}

/// Source: "Node classes", defaults in brackets, and the most frequent values in the schema of 331 maps. All 10 meshes of formats 35
/// and 40 have `emissiveLightingEnabled` 1.
#[test]
fn new_nodes_and_missing_attributes_have_the_published_defaults() {
    let classes = ["CMapMesh", "CMapStaticOverlay", "CMapPrefab", "CMapCable", "CMapPathNode"];
    for format in [18, 28, 29, 30, 35, 39, 40] {
        let mut map = Document::new_with(&MapOptions::default().with_format_version(format));
        map.edit(|map| {
            let world = map.world().unwrap();
            classes.iter().for_each(|class| _ = map.add_node(world, class).unwrap());
        });
        map.nodes().for_each(|visit| check_defaults(visit.node));
        // Only format 30, that of s&box, has tags.
        let mesh = map.nodes().find_map(|visit| visit.node.mesh()).unwrap();
        assert_eq!(mesh.physics_tags(), if format == 30 { &b"solid"[..] } else { b"" });

        let nodes: Vec<_> = map.nodes().map(|visit| visit.node.id()).collect();
        for node in nodes {
            let names = map.graph().element(node).unwrap().attributes().map(|(name, _)| name.to_vec());
            for name in names.filter(|name| name != b"children").collect::<Vec<_>>() {
                map.graph_mut().unset(node, name);
            }
        }
        assert_eq!(map.nodes().count(), classes.len() + 1);
        map.nodes().for_each(|visit| check_defaults(visit.node));
    }
}

/// Source: "Root" and "Outputs", defaults in brackets.
#[test]
fn root_and_outputs_have_the_published_defaults() {
    let mut map = Document::new();
    let root = map.root().unwrap();
    assert_values!(root,
        is_prefab: "false", editor_version: "400", show_grid: "true", show_3d_grid: "true", snap_rotation: "15.0",
        grid_spacing: "64.0", is_cordoning: "false", cordons_visible: "false", active_camera: "-1",
    );
    assert_values!(root.default_camera().unwrap(), position: "[0.0, -1000.0, 1000.0]", look_at: "[0.0, 0.0, 0.0]");
    map.edit(|map| {
        let entity = map.add_entity(map.world().unwrap(), "func_button").unwrap();
        map.add_output(entity, &Output::new("OnPressed", "lamp", "Toggle")).unwrap();
    });
    let output = map.nodes().find_map(|visit| visit.node.connections().next()).unwrap();
    assert_values!(output,
        output: "OnPressed", target_type: "7", target: "lamp", input: "Toggle", parameter: "", delay: "0.0",
        times_to_fire: "-1",
    );
}
