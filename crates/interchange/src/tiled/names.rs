//! The properties that have a meaning in maps that this crate writes, by what has them.
//!
//! They are what Tiled has no attribute for. Free properties of these names are spelled.

pub(super) const MAP: &[&str] = &["name", "metres_per_unit", "linear_colors"];
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
    // The place of a node.
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

/// Where a group or a layer of objects belongs that is no node of its own.
pub(super) const TO_LAYER: &str = "layer";
pub(super) const TO_GROUP: &str = "group";

/// The name of the group of what belongs to a tile layer.
pub(super) fn objects_of(layer: &str) -> String {
    format!("{layer} objects")
}
