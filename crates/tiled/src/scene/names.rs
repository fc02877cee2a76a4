//! Names of properties with a meaning in maps that this crate writes, by their owner.
//!
//! They represent data that Tiled has no attribute for. Free properties with these names are encoded.

pub(super) const MAP: &[&str] = &["name", "metres_per_unit", "linear_colors", ASSIGNED_IDS];
/// Property of the map with the ids of objects that the writer assigned.
pub(super) const ASSIGNED_IDS: &str = "assigned_ids";
/// Free property with the id of an object, or with the id of a layer if it is not the number after the previous layer's id.
pub(super) const ID: &str = "id";
pub(super) const LAYER: &[&str] = &[
    "layer_name",
    "z",
    "fill",
    "wrap_x",
    "wrap_y",
    "tile_width",
    "tile_height",
    "tile_sets",
    "parallax_x",
    "parallax_y",
    // The transform of a node.
    "exact_x",
    "exact_y",
    "depth",
    "transform",
];
pub(super) const GROUP: &[&str] = &["belongs", "exact_x", "exact_y", "depth", "transform"];
pub(super) const OBJECT: &[&str] = &["marker", "model", "locked", "exact_x", "exact_y", "z", "transform"];
pub(super) const TILESET: &[&str] = &["tiles", "drawn", "words"];
pub(super) const TILE: &[&str] = &[
    "attribute",
    "outside",
    "inside",
    "left",
    "top",
    "right",
    "bottom",
    "mask",
    "mask_words",
    "mask_width",
    "mask_height",
    "image",
    "image_name",
    "word",
];

/// Values of `belongs` for groups and object layers that are not nodes.
pub(super) const TO_LAYER: &str = "layer";
pub(super) const TO_GROUP: &str = "group";

/// Returns the name of the group for child nodes of a tile layer.
pub(super) fn objects_of(layer: &str) -> String {
    format!("{layer} objects")
}
