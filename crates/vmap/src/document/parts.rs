//! Nodes that put others together: groups, instances, prefabs.

use super::node::Node;
use super::value::{Texts, node_view};

node_view! {
    /// A group of nodes. If an instance has it for its target, the group is the *definition* of what the instance shows.
    Group {
        /// The name of a `CMapWorldLayer` (empty).
        layer_name: &'a [u8] = "worldLayerName", b"";
        /// How the group deforms (0). Format 40 on; not known.
        deformation_mode: i32 = "deformationMode", 0;
    }
}

node_view! {
    /// The content of a group once more: T(instance) · T(group)⁻¹ · T(child).
    Instance {
        /// A colour that multiplies (255 255 255 255). Format 40 on.
        tint_color: [u8; 4] = "tintColor", [255; 4];
    }
}

impl<'a> Instance<'a> {
    /// The group that is shown.
    pub fn target(self) -> Option<Node<'a>> {
        self.0.child("target").map(Node)
    }
}

node_view! {
    /// Another map, placed in this one.
    Prefab {
        /// The map, relative to the content folder: `maps/prefabs/pillar.vmap`.
        path: &'a [u8] = "targetMapPath", b"";
        /// The name of the prefab (empty).
        target_name: &'a [u8] = "targetName", b"";
        /// Whether names of entities are made unique for each prefab (yes).
        fixup_entity_names: bool = "fixupEntityNames", true;
        /// Whether that is done with the target name and not with a unique number (no). Format 40 on.
        use_target_name_as_prefix: bool = "useTargetNameAsPrefix", false;
        /// Whether the prefab is also loaded in a map that is a prefab itself (yes).
        load_if_nested: bool = "loadIfNested", true;
        /// Whether the game loads the map by itself: it is not compiled into this one (no).
        load_at_runtime: bool = "loadAtRuntime", false;
        /// Not known (no). Format 40 on.
        runtime_entity: bool = "prefabRuntimeEntity", false;
        /// Whether the visibility computation leaves it out (no).
        vis_exclude: bool = "visexclude", false;
    }
}

impl<'a> Prefab<'a> {
    /// The values that the prefab gives to variables of its map: name and value.
    pub fn overrides(self) -> impl Iterator<Item = (&'a [u8], &'a [u8])> {
        let values = Texts::of(self.0, "variableOverrideValues");
        Texts::of(self.0, "variableOverrideNames").iter().zip(values.iter())
    }

    /// The colour: `tintColor` from format 40 on, `displayColor`, which only Hammer shows, before (255 255 255 255).
    pub fn color(self) -> [u8; 4] {
        self.0.color("tintColor").or_else(|| self.0.color("displayColor")).unwrap_or([255; 4])
    }
}

node_view! {
    /// A prefab of a tile grid.
    TileObject {
        /// The map with the tile set.
        path: &'a [u8] = "targetMapPath", b"";
        /// Which of the grid's tile sets this is (0).
        tile_set: i32 = "tileSetMapIndex", 0;
        /// Not known (no).
        managed: bool = "managed", false;
    }
}

node_view! {
    /// A game object of s&box.
    GameObject {
        /// Its identity, as text (empty).
        guid: &'a [u8] = "m_GUID", b"";
        /// The object as JSON (empty). The text is not looked into.
        json: &'a [u8] = "m_SerializedGameObject", b"";
    }
}

node_view! {
    /// A box to which Hammer restricts view and compilation: the origin is its centre, the scales are its size, its name is that of
    /// the node.
    Cordon {}
}
