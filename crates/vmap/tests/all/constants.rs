//! Names and numbers of the format, compared with literals from its description.

use mapwright_vmap::mesh::{Hardness, Stream, StreamData};
use mapwright_vmap::{AssetKind, Document, HiddenFlags, NodeKind};

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
