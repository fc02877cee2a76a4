//! Tilesets.

use std::borrow::Cow;

use super::record::{AttributeValue as _, record};
use super::{EditorSettings, Image, Layer, Properties, child, children};
use crate::codes::{Color, FillMode, ObjectAlignment, Orientation, TileRenderSize, WangSetKind};
use crate::document::{Item, ItemKind};

record! {
    /// A tileset of a map, or the root of a file with a tileset.
    Tileset<'a> {
        /// The global id of its first tile, in maps and templates.
        first_gid("firstgid"): u32 = 0;
        /// The file of the tileset, relative to the file of the map. The other attributes are in that file.
        source("source"): Cow<'a, str>;
        /// The version of the format, in files with a tileset.
        version("version"): Cow<'a, str>;
        /// The version of the program that wrote the file.
        tiled_version("tiledversion"): Cow<'a, str>;
        /// The name.
        name("name"): Cow<'a, str> = Cow::Borrowed("");
        /// The class.
        class("class"): Cow<'a, str> = Cow::Borrowed("");
        /// Width of a tile in pixels. The largest, if each tile has its own image.
        tile_width("tilewidth"): i32 = 0;
        /// Height of a tile in pixels. The largest, if each tile has its own image.
        tile_height("tileheight"): i32 = 0;
        /// Pixels between tiles in the image.
        spacing("spacing"): i32 = 0;
        /// Pixels around the tiles in the image.
        margin("margin"): i32 = 0;
        /// Number of tiles. Ids may be larger, if each tile has its own image.
        tile_count("tilecount"): i32 = 0;
        /// Number of columns in the image. 0 if each tile has its own image.
        columns("columns"): i32 = 0;
        /// The colour behind tiles in the editor.
        background_color("backgroundcolor"): Color;
        /// The point of tile objects that is at their position.
        object_alignment("objectalignment"): ObjectAlignment = ObjectAlignment::Unspecified;
        /// The size in which tiles are drawn.
        tile_render_size("tilerendersize"): TileRenderSize = TileRenderSize::Tile;
        /// The way in which tiles fill another size than their own.
        fill_mode("fillmode"): FillMode = FillMode::Stretch;
    }
}

impl<'a> Tileset<'a> {
    /// Returns the custom properties.
    pub fn properties(self) -> Properties<'a> {
        Properties::of(self.0)
    }

    /// Returns the shift of tiles in pixels, to the right and down.
    pub fn tile_offset(self) -> [i32; 2] {
        let offset = child(self.0, "tileoffset");
        ["x", "y"].map(|name| offset.and_then(|offset| offset.get(name)).and_then(i32::read).unwrap_or(0))
    }

    /// Returns the grid of the collision shapes.
    pub fn grid(self) -> Option<Grid<'a>> {
        child(self.0, "grid").map(Grid::new)
    }

    /// Returns the transformations that the editor may use for Wang sets.
    pub fn transformations(self) -> Option<Transformations<'a>> {
        child(self.0, "transformations").map(Transformations::new)
    }

    /// Returns the image of all tiles.
    pub fn image(self) -> Option<Image<'a>> {
        Image::of(self.0)
    }

    /// Iterates over the tiles with data of their own.
    pub fn tiles(self) -> impl Iterator<Item = Tile<'a>> + Clone {
        // JSON before version 1.2 has an object with the ids as keys.
        let object = self.0.get("tiles").filter(|tiles| tiles.kind() == ItemKind::Object);
        let old = object.into_iter().flat_map(Item::items).filter(|item| item.kind() == ItemKind::Object);
        children(self.0, "tile", "tiles").chain(old).map(Tile::new)
    }

    /// Iterates over the Wang sets.
    pub fn wang_sets(self) -> impl Iterator<Item = WangSet<'a>> + Clone {
        in_wrappers(self.0, "wangsets", "wangset").map(WangSet::new)
    }

    /// Iterates over the terrains, which are older than Wang sets.
    pub fn terrains(self) -> impl Iterator<Item = Terrain<'a>> + Clone {
        let terrains: Vec<_> = match self.0.kind() {
            ItemKind::Element => in_wrappers(self.0, "terraintypes", "terrain").collect(),
            _ => children(self.0, "terrain", "terrains").collect(),
        };
        terrains.into_iter().map(Terrain::new)
    }

    /// Returns the settings for the editor.
    pub fn editor_settings(self) -> EditorSettings<'a> {
        EditorSettings(child(self.0, "editorsettings"))
    }
}

/// Iterates over the elements in the elements around them, or over the items of an array.
fn in_wrappers<'a>(
    item: Item<'a>,
    wrapper: &'static str,
    element: &'static str,
) -> impl Iterator<Item = Item<'a>> + Clone {
    let is_xml = item.kind() == ItemKind::Element;
    let wrappers = item.items().filter(move |child| child.is(wrapper));
    wrappers.flat_map(Item::items).filter(move |child| match child.kind() {
        ItemKind::Element => child.is(element),
        ItemKind::Object => !is_xml,
        _ => false,
    })
}

record! {
    /// The grid of the collision shapes.
    Grid<'a> {
        /// The arrangement of cells.
        orientation("orientation"): Orientation = Orientation::Orthogonal;
        /// Width of a cell in pixels.
        width("width"): i32 = 0;
        /// Height of a cell in pixels.
        height("height"): i32 = 0;
    }
}

record! {
    /// The transformations that the editor may use for Wang sets.
    Transformations<'a> {
        /// `true` if tiles may be flipped horizontally.
        horizontal_flip("hflip"): bool = false;
        /// `true` if tiles may be flipped vertically.
        vertical_flip("vflip"): bool = false;
        /// `true` if tiles may be turned by 90 degrees.
        rotate("rotate"): bool = false;
        /// `true` if tiles without a transformation come first.
        prefer_untransformed("preferuntransformed"): bool = false;
    }
}

record! {
    /// A tile with data of its own.
    Tile<'a> {
        /// The probability in the editor.
        probability("probability"): f64 = 1.0;
        /// The column of its part of its own image, in pixels.
        x("x"): i32 = 0;
        /// The row of its part of its own image, in pixels.
        y("y"): i32 = 0;
        /// The width of its part of its own image, in pixels. Without it, the whole image.
        width("width"): i32 = 0;
        /// The height of its part of its own image, in pixels. Without it, the whole image.
        height("height"): i32 = 0;
    }
}

impl<'a> Tile<'a> {
    /// Returns the id in the tileset.
    pub fn id(self) -> i32 {
        // JSON before version 1.2 has the ids as keys.
        let key = || self.0.name().parse().ok();
        self.0.get("id").map_or_else(key, i32::read).unwrap_or(0)
    }

    /// Returns the item with the class: `class` in version 1.9, else `type`.
    pub fn class_item(self) -> Option<Item<'a>> {
        let is_set = |item: &Item<'_>| !item.text().is_empty();
        self.0.get("class").filter(is_set).or_else(|| self.0.get("type"))
    }

    /// Returns the class.
    pub fn class(self) -> Cow<'a, str> {
        self.class_item().map(Item::text).unwrap_or_default()
    }

    /// Returns the indices of the terrains of its corners, from the top left to the bottom right, in files before version 1.5.
    pub fn terrain(self) -> Option<[Option<u32>; 4]> {
        let mut corners = [None; 4];
        let mut numbers = self.0.get("terrain")?.number_tokens().map(|(_, token)| token.parse().ok());
        corners.iter_mut().for_each(|corner| *corner = numbers.next().flatten());
        Some(corners)
    }

    /// Returns the custom properties.
    pub fn properties(self) -> Properties<'a> {
        Properties::of(self.0)
    }

    /// Returns the image of the tile.
    pub fn image(self) -> Option<Image<'a>> {
        Image::of(self.0)
    }

    /// Returns the layer of collision shapes, in pixels of the tile.
    pub fn object_group(self) -> Option<Layer<'a>> {
        child(self.0, "objectgroup").map(Layer::new)
    }

    /// Iterates over the frames of the animation.
    pub fn animation(self) -> impl Iterator<Item = Frame<'a>> + Clone {
        in_wrappers(self.0, "animation", "frame").map(Frame::new)
    }
}

record! {
    /// A frame of an animation.
    Frame<'a> {
        /// The id of the tile in the tileset.
        tile_id("tileid"): i32 = 0;
        /// Milliseconds.
        duration("duration"): i32 = 0;
    }
}

record! {
    /// Tiles that the editor joins by the colours of their corners and edges.
    WangSet<'a> {
        /// The name.
        name("name"): Cow<'a, str> = Cow::Borrowed("");
        /// The class.
        class("class"): Cow<'a, str> = Cow::Borrowed("");
        /// The parts of tiles that have colours. Before version 1.5 the file does not store it.
        kind("type"): WangSetKind;
        /// The tile that represents the set. -1 is none.
        tile("tile"): i32 = -1;
    }
}

impl<'a> WangSet<'a> {
    /// Returns the custom properties.
    pub fn properties(self) -> Properties<'a> {
        Properties::of(self.0)
    }

    /// Iterates over the colours. The first has the number 1.
    pub fn colors(self) -> impl Iterator<Item = WangColor<'a>> + Clone {
        let items: Vec<_> = match self.0.kind() {
            ItemKind::Element => {
                self.0.elements().filter(|item| WangColorKind::from_element(&item.name()).is_some()).collect()
            }
            _ => children(self.0, "wangcolor", "colors").collect(),
        };
        items.into_iter().map(WangColor::new)
    }

    /// Iterates over the tiles.
    pub fn tiles(self) -> impl Iterator<Item = WangTile<'a>> + Clone {
        children(self.0, "wangtile", "wangtiles").map(WangTile::new)
    }
}

/// The parts of tiles that a colour of a Wang set is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum WangColorKind {
    /// Corners and edges.
    Any,
    /// Corners, in files before version 1.5.
    Corner,
    /// Edges, in files before version 1.5.
    Edge,
}

impl WangColorKind {
    fn from_element(name: &str) -> Option<Self> {
        match name {
            "wangcolor" => Some(Self::Any),
            "wangcornercolor" => Some(Self::Corner),
            "wangedgecolor" => Some(Self::Edge),
            _ => None,
        }
    }
}

record! {
    /// A colour of a Wang set.
    WangColor<'a> {
        /// The name.
        name("name"): Cow<'a, str> = Cow::Borrowed("");
        /// The class.
        class("class"): Cow<'a, str> = Cow::Borrowed("");
        /// The colour in the editor.
        color("color"): Color;
        /// The tile that represents the colour. -1 is none.
        tile("tile"): i32 = -1;
        /// The probability in the editor.
        probability("probability"): f64 = 0.0;
    }
}

impl<'a> WangColor<'a> {
    /// Returns the parts of tiles that the colour is for.
    pub fn kind(self) -> WangColorKind {
        WangColorKind::from_element(&self.0.name()).unwrap_or(WangColorKind::Any)
    }

    /// Returns the custom properties.
    pub fn properties(self) -> Properties<'a> {
        Properties::of(self.0)
    }
}

record! {
    /// A tile of a Wang set.
    WangTile<'a> {
        /// The id of the tile in the tileset.
        tile_id("tileid"): i32 = 0;
    }
}

impl WangTile<'_> {
    /// Returns the numbers of the colours, clockwise from the top: top, top right, right and so on. 0 is none. Returns `None` if they
    /// are invalid.
    pub fn colors(self) -> Option<[u32; 8]> {
        let item = self.0.get("wangid")?;
        let mut colors = [0; 8];
        // Before version 1.5, one hexadecimal digit each, the lowest first.
        if let Some(digits) = item.text().strip_prefix("0x") {
            let number = u32::from_str_radix(digits, 16).ok()?;
            for (shift, color) in (0..32).step_by(4).zip(&mut colors) {
                *color = number.checked_shr(shift).unwrap_or(0) & 15;
            }
            return Some(colors);
        }
        let mut numbers = item.number_tokens();
        for color in &mut colors {
            *color = numbers.next()?.1.parse().ok()?;
        }
        numbers.next().is_none().then_some(colors)
    }
}

record! {
    /// A terrain, in files before version 1.5.
    Terrain<'a> {
        /// The name.
        name("name"): Cow<'a, str> = Cow::Borrowed("");
        /// The tile that represents the terrain. -1 is none.
        tile("tile"): i32 = -1;
    }
}

impl<'a> Terrain<'a> {
    /// Returns the custom properties.
    pub fn properties(self) -> Properties<'a> {
        Properties::of(self.0)
    }
}
