//! Maps.

use std::borrow::Cow;

use super::record::{AttributeValue as _, record};
use super::{Layer, Properties, Tileset, child, children};
use crate::codes::{Color, LayerKind, Orientation, RenderOrder, StaggerAxis, StaggerIndex};
use crate::document::{Item, ItemKind};

record! {
    /// A map.
    Map<'a> {
        /// The version of the format.
        version("version"): Cow<'a, str>;
        /// The version of the program that wrote the file.
        tiled_version("tiledversion"): Cow<'a, str>;
        /// The class.
        class("class"): Cow<'a, str> = Cow::Borrowed("");
        /// The arrangement of cells.
        orientation("orientation"): Orientation;
        /// The order in which tiles are drawn, in orthogonal maps only.
        render_order("renderorder"): RenderOrder = RenderOrder::RightDown;
        /// The level of zlib or Zstandard for cells. -1 is the default of the program.
        compression_level("compressionlevel"): i32 = -1;
        /// Number of columns. Infinite maps have more.
        width("width"): i32 = 0;
        /// Number of rows. Infinite maps have more.
        height("height"): i32 = 0;
        /// Width of a cell in pixels.
        tile_width("tilewidth"): i32 = 0;
        /// Height of a cell in pixels.
        tile_height("tileheight"): i32 = 0;
        /// `true` if cells are stored in chunks without limits.
        infinite("infinite"): bool = false;
        /// Length of the straight side of a hexagon in pixels.
        hex_side_length("hexsidelength"): i32 = 0;
        /// The direction along which cells are shifted.
        stagger_axis("staggeraxis"): StaggerAxis = StaggerAxis::Y;
        /// The rows or columns that are shifted.
        stagger_index("staggerindex"): StaggerIndex = StaggerIndex::Odd;
        /// Shift of each row to the right in pixels, in oblique maps.
        skew_x("skewx"): i32 = 0;
        /// Shift of each column down in pixels, in oblique maps.
        skew_y("skewy"): i32 = 0;
        /// x of the point where parallax has no effect, in pixels.
        parallax_origin_x("parallaxoriginx"): f64 = 0.0;
        /// y of the point where parallax has no effect, in pixels.
        parallax_origin_y("parallaxoriginy"): f64 = 0.0;
        /// The colour behind all layers.
        background_color("backgroundcolor"): Color;
        /// The id of the next new layer.
        next_layer_id("nextlayerid"): i32 = 0;
        /// The id of the next new object.
        next_object_id("nextobjectid"): i32 = 0;
    }
}

impl<'a> Map<'a> {
    /// Returns the custom properties.
    pub fn properties(self) -> Properties<'a> {
        Properties::of(self.0)
    }

    /// Iterates over the tilesets, in the map and in other files.
    pub fn tilesets(self) -> impl Iterator<Item = Tileset<'a>> + Clone {
        children(self.0, "tileset", "tilesets").map(Tileset::new)
    }

    /// Iterates over the layers that are in no group, from the bottom up.
    pub fn layers(self) -> impl Iterator<Item = Layer<'a>> + Clone {
        layers(self.0)
    }

    /// Iterates over all layers, each group before the layers in it.
    pub fn all_layers(self) -> impl Iterator<Item = Layer<'a>> {
        // A layer is in groups only, so the other items can be skipped.
        let mut open = vec![items_of_layers(self.0)];
        std::iter::from_fn(move || {
            loop {
                match open.last_mut()?.next() {
                    Some(item) => {
                        let Some(layer) = Layer::from_item(item) else { continue };
                        if layer.kind() == LayerKind::Group {
                            open.push(items_of_layers(item));
                        }
                        return Some(layer);
                    }
                    None => drop(open.pop()),
                }
            }
        })
    }

    /// Returns the settings for the editor.
    pub fn editor_settings(self) -> EditorSettings<'a> {
        EditorSettings(child(self.0, "editorsettings"))
    }
}

/// Returns the items among which the layers of a map or group are.
fn items_of_layers(item: Item<'_>) -> crate::document::Items<'_> {
    match item.kind() {
        ItemKind::Element => item.items(),
        _ => item.get("layers").map_or_else(|| item.no_items(), Item::items),
    }
}

/// Iterates over the layers of a map or group.
pub(super) fn layers(item: Item<'_>) -> impl Iterator<Item = Layer<'_>> + Clone {
    items_of_layers(item).filter_map(Layer::from_item)
}

/// Settings of a map or tileset that only the editor uses.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct EditorSettings<'a>(pub(super) Option<Item<'a>>);

impl<'a> EditorSettings<'a> {
    /// Returns `true` if the file has such settings.
    pub const fn is_present(self) -> bool {
        self.0.is_some()
    }

    fn get(self, part: &str, name: &str) -> Option<Item<'a>> {
        child(self.0?, part)?.get(name)
    }

    /// Returns columns and rows of new chunks of infinite maps.
    pub fn chunk_size(self) -> [i32; 2] {
        ["width", "height"].map(|name| self.get("chunksize", name).and_then(i32::read).unwrap_or(16))
    }

    /// Returns the file that the editor exports to.
    pub fn export_target(self) -> Option<Cow<'a, str>> {
        self.get("export", "target").map(Item::text)
    }

    /// Returns the format that the editor exports to.
    pub fn export_format(self) -> Option<Cow<'a, str>> {
        self.get("export", "format").map(Item::text)
    }
}
