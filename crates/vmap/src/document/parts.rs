//! Groups, instances, prefabs and other containers.

use super::node::Node;
use super::value::{Texts, node_view};

node_view! {
    /// A group of nodes. If the group is the target of an instance, Hammer only shows it through instances.
    Group {
        /// The name of a `CMapWorldLayer`. Default: empty.
        layer_name: &'a [u8] = "worldLayerName", b"";
        /// Deformation of the group. Default: 0. Since format 40. The meaning of the values is unknown.
        deformation_mode: i32 = "deformationMode", 0;
    }
}

node_view! {
    /// A copy of a group. World transform of its content: T(instance) · T(group)⁻¹ · T(child).
    Instance {
        /// Tint, multiplied with the colour. Default: 255 255 255 255. Since format 40.
        tint_color: [u8; 4] = "tintColor", [255; 4];
        /// `true` if the visibility computation ignores it. Default: `false`. Since format 40.
        vis_exclude: bool = "visexclude", false;
    }
}

impl<'a> Instance<'a> {
    /// Returns the group that is shown.
    pub fn target(self) -> Option<Node<'a>> {
        self.0.child("target").map(Node)
    }
}

node_view! {
    /// Another map, placed in this one.
    Prefab {
        /// Path of the map, relative to the content folder: `maps/prefabs/pillar.vmap`.
        path: &'a [u8] = "targetMapPath", b"";
        /// The name of the prefab. Default: empty.
        target_name: &'a [u8] = "targetName", b"";
        /// `true` if names of entities are made unique for each prefab. Default: `true`.
        fixup_entity_names: bool = "fixupEntityNames", true;
        /// `true` if the target name makes them unique instead of a number. Default: `false`. Since format 40.
        use_target_name_as_prefix: bool = "useTargetNameAsPrefix", false;
        /// `true` if the prefab is also loaded in a map that is a prefab itself. Default: `true`.
        load_if_nested: bool = "loadIfNested", true;
        /// `true` if the game loads the map at run time instead of compiling it into this one. Default: `false`.
        load_at_runtime: bool = "loadAtRuntime", false;
        /// Unknown. Default: `false`. Since format 40.
        runtime_entity: bool = "prefabRuntimeEntity", false;
        /// `true` if the visibility computation ignores it. Default: `false`.
        vis_exclude: bool = "visexclude", false;
    }
}

impl<'a> Prefab<'a> {
    /// Returns the embedded copy of the other map. `None` in all known maps.
    pub fn target(self) -> Option<Node<'a>> {
        self.0.child("target").map(Node)
    }

    /// Returns the variables of the prefab's map that this prefab sets: name and value.
    pub fn overrides(self) -> impl Iterator<Item = (&'a [u8], &'a [u8])> {
        let values = Texts::new(self.0, "variableOverrideValues");
        Texts::new(self.0, "variableOverrideNames").iter().zip(values.iter())
    }

    /// Returns the colour: `tintColor` since format 40, before that `displayColor`, which only Hammer shows. Default: 255 255 255 255.
    pub fn color(self) -> [u8; 4] {
        self.0.color("tintColor").or_else(|| self.0.color("displayColor")).unwrap_or([255; 4])
    }
}

node_view! {
    /// A prefab of a tile grid.
    TileObject {
        /// Path of the map with the tile set.
        path: &'a [u8] = "targetMapPath", b"";
        /// Index among the tile sets of the grid. Default: 0.
        tile_set: i32 = "tileSetMapIndex", 0;
        /// Unknown. Default: `false`.
        managed: bool = "managed", false;
    }
}

node_view! {
    /// A game object of s&box.
    GameObject {
        /// Identity as text. Default: empty.
        guid: &'a [u8] = "m_GUID", b"";
        /// The object as JSON. Default: empty. Only its asset paths are read, and the position, rotation and scale of a moved object.
        json: &'a [u8] = "m_SerializedGameObject", b"";
    }
}

node_view! {
    /// A box to which Hammer restricts view and compilation. The origin is its centre, the scales are its size. Its name is that of
    /// the node.
    Cordon {}
}
