//! Options for rendering.

use crate::{Orbit, Ratio};

mapwright_io::options! {
    /// Options for rendering.
    #[derive(Debug, Clone)]
    pub struct RenderOptions {
        /// Content of the image.
        pub view: View = View::default(), with_view;
        /// Selection of tile layers or terrains.
        pub layers: Layers = Layers::default(), with_layers;
        /// Treatment of game objects.
        pub objects: Objects = Objects::default(), with_objects;
        /// Visible part of the level.
        pub area: Area = Area::default(), with_area;
        /// Direction from which solids are seen.
        pub orbit: Orbit = Orbit::default(), with_orbit;
        /// Draws hidden nodes, too.
        pub hidden: bool = false, with_hidden;
        /// Draws faces with [tool materials](mapwright_scene::Material::is_tool), too.
        pub tools: bool = false, with_tools;
        /// Visible sides of the faces of solids.
        pub sides: Sides = Sides::default(), with_sides;
        /// Position of layers that do not move with the camera.
        pub parallax: Parallax = Parallax::default(), with_parallax;
        /// Scale of the image.
        pub scale: Scale = Scale::default(), with_scale;
        /// Method for scaling down.
        pub filter: Filter = Filter::default(), with_filter;
        /// Maximum width and height in pixels. `None`: 32,768. It bounds the memory, which contains some rows. Those of solids take
        /// 96 MiB.
        pub max_size: Option<u32> = None, with_max_size(u32);
        /// Maximum number of pixels. `None`: only `max_size` limits them.
        pub max_pixels: Option<u64> = None, with_max_pixels(u64);
        /// Colour of empty areas, as red, green and blue. `None`: a dark blue-grey.
        pub background: Option<[u8; 3]> = None, with_background([u8; 3]);
        /// Palette of filled cells, as red, green and blue. If it is empty, their colours are generated.
        pub palette: Vec<[u8; 3]> = Vec::new(), with_palette;
        /// Lines of text in the lower left corner, such as the names of missing files. The first is a heading. They cover at most half of
        /// the width and a third of the height: lines that do not fit are counted. Small images have no legend.
        pub legend: Vec<String> = Vec::new(), with_legend;
    }
}

impl RenderOptions {
    /// Returns the maximum width and height in pixels.
    pub(crate) fn limit(&self) -> u32 {
        self.max_size.unwrap_or(1 << 15)
    }
}

/// Content of the image. If a scene contains tiles and terrain, tiles are drawn, unless only terrain has the view. Solids are drawn
/// if there is neither, or with [`Solid`](Self::Solid).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
#[non_exhaustive]
pub enum View {
    /// Images of tiles; those without one have the colour of their number. Terrain with the textures of its cells, lit as in
    /// [`Relief`](Self::Relief). Cells without a texture have the tints of that view, mixed with the colour of their number, and the sea is
    /// blue. Solids as in [`Solid`](Self::Solid).
    #[default]
    Level,
    /// Generated colours for the numbers of tiles and texture cells, and for the names of materials. Stable across images.
    Numbers,
    /// Collision attributes of the tiles of the main layer.
    Collision,
    /// Like [`Level`](Self::Level), but dimmed, with a mark for each object. Terrain has no colours of texture cells.
    Objects,
    /// Heights of terrain, lit from the north-west. Tints range from the lowest to the highest height of the scene. The sea is
    /// blue.
    Relief,
    /// Meshes, brushes, instances and terrain in parallel projection, seen from the [`orbit`](RenderOptions::orbit), in the colours
    /// of their materials.
    Solid,
}

impl View {
    /// Returns `true` if scenes without tiles and terrain have this view too.
    pub(crate) const fn shows_solids(self) -> bool {
        !matches!(self, Self::Collision | Self::Relief)
    }
}

/// Selection of tile layers or terrains. The first terrain is the main one.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Default)]
#[non_exhaustive]
pub enum Layers {
    /// All visible ones, in drawing order. The image has the size of the main layer.
    #[default]
    All,
    /// The main layer: the one with the property `main`, or else the first one with objects, or else the first one that moves with
    /// the camera.
    Main,
    /// The layer with an index, even if it is hidden.
    At(usize),
    /// The first layer with a name, even if it is hidden.
    Named(String),
}

/// Treatment of game objects.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
#[non_exhaustive]
pub enum Objects {
    /// Do not draw objects.
    Hidden,
    /// Draw images of objects. Objects without one are a mark in the colour and shape of their class, above all layers. The start is
    /// a cross.
    ///
    /// The image of an entity comes from the first tile set with the name of its [`model`](mapwright_scene::Entity::model), ignoring
    /// case: the tile with the number in its property `i`. Without that property, or if it is −1, the first tile with an image. It is
    /// centred at the entity and moved by the properties `offset_x` and `offset_y` of the tile. The values 2 and 4 in the property
    /// `draw_flags` of the entity flip it horizontally and vertically. If the set has no images, the entity has the size of a tile and
    /// the colour of its number. If it has images, but not that one, the entity has no image.
    ///
    /// An entity with the properties `tile_set` and `tile` shows that tile instead, from its position to the lower right, with the
    /// properties `width`, `height`, `rotation` and `flips` of objects of Tiled. It is drawn after the layers before it in the scene, and
    /// with a later y after the others of its group, unless their property `draworder` is `index`.
    ///
    /// On terrain, entities are marks. Instances are dots in the colour of their model, which is that of its file name up to the
    /// first digit, so that variants are equal. Among solids, lights, sounds, cameras, markers and references to other files are
    /// marks too. Marks are never hidden by solids.
    #[default]
    Drawn,
    /// Draw a mark for each object.
    Marked,
    /// Draw images of objects, but no marks. For images over which another program draws marks, at positions from
    /// [`Drawing::to_image`](crate::Drawing::to_image).
    Sprites,
}

impl Objects {
    pub(crate) const fn has_marks(self) -> bool {
        matches!(self, Self::Drawn | Self::Marked)
    }
}

/// Visible part of the level, in pixels with y down.
///
/// For terrain, a pixel is a square. Its side is the shorter step between vertices of the first terrain. Pixels are counted from the
/// north-western corner of all drawn terrains, so 4096 × 4096 heights are 4096 × 4096 pixels. A terrain extends one step beyond its
/// last vertices, as its texture cells do.
///
/// For solids, a pixel is a unit of length in the projection. Pixels are counted from the upper left corner of the image of all
/// solids, which has a margin of 1/32 of its longest side. Marks may lie outside.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
#[non_exhaustive]
pub enum Area {
    /// The complete main layer, the only layer, or all drawn terrains.
    #[default]
    Whole,
    /// A rectangle. Parts outside of the level are background.
    Rectangle {
        /// Left and top.
        from: [i32; 2],
        /// Width and height.
        size: [u32; 2],
    },
    /// A screen of a width and height around the start, moved into the level if it exceeds its border.
    AroundStart([u32; 2]),
}

/// Visible sides of the faces of solids.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
#[non_exhaustive]
pub enum Sides {
    /// Both sides, without the faces that hide the interior of closed rooms. A level is closed if 8 of 10 objects are hidden by a
    /// face that is not terrain, and are at or in front of the front of another one. In a closed level, a face is removed if it
    /// hides a tenth of the objects, and at least two if there are as many: a ceiling of many small faces stays. Objects are the start
    /// and those with a mark, except suns, ambient light, `worldspawn` and entities made of bodies. Of more than 32, a sample is used.
    #[default]
    Open,
    /// Both sides.
    Both,
    /// Only the front, for any material. Rooms whose walls face inwards are open towards the eye. Terrain has both sides.
    Front,
}

/// Position of layers that do not move with the camera. An image of a complete level cannot show them as the game does: their
/// position depends on that of the player.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
#[non_exhaustive]
pub enum Parallax {
    /// At the upper left corner of the level. Wrapping layers repeat.
    #[default]
    Still,
    /// As the game draws a screen of the size of the image, with the camera in its centre.
    Camera,
    /// Each place of the image shows what the game shows in the middle of the screen when the camera is there. A layer that moves at
    /// half of the speed is twice as large. A layer that does not move shows its first column or row everywhere.
    Stretched,
}

/// Scale of the image.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Scale {
    /// The largest scale 1/n with which the image fits within this width and height. Solids, which have no pixels, fill it exactly.
    Fit(u32),
    /// The largest scale n or 1/n with which the image fits within this width and height, so that small levels are enlarged.
    Fill(u32),
    /// A fixed scale. For solids in pixels per unit of length.
    Exactly(Ratio),
}

impl Default for Scale {
    /// Fits 4096 pixels.
    fn default() -> Self {
        Self::Fit(4096)
    }
}

/// Method for scaling down.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
#[non_exhaustive]
pub enum Filter {
    /// The mean of the covered pixels, weighted by area. For terrain, and for tiles much smaller than a pixel, of at most 16 × 16
    /// samples. Heights are interpolated between vertices.
    #[default]
    Mean,
    /// The pixel in the centre. Adds no new colours.
    Nearest,
}
