//! What to draw, and how.

use crate::{Orbit, Ratio};

/// What to draw, and how.
#[derive(Debug, Clone, Default)]
#[non_exhaustive]
pub struct RenderOptions {
    /// What the picture shows of tiles, of terrain or of solids.
    pub view: View,
    /// Which layers of tiles, or which terrains.
    pub layers: Layers,
    /// Which things of the game.
    pub things: Things,
    /// Which part of the level.
    pub area: Area,
    /// From where solids are seen.
    pub orbit: Orbit,
    /// Which faces of solids are seen.
    pub sides: Sides,
    /// Where layers stand that move at another pace than the camera.
    pub parallax: Parallax,
    /// How large.
    pub scale: Scale,
    /// How many pixels become one.
    pub filter: Filter,
    /// The largest number of pixels across and down. `None`: 32,768. It bounds memory, which holds some rows: those of solids take
    /// 96 MiB.
    pub max_size: Option<u32>,
    /// The colour where nothing is, as red, green and blue. `None`: a dark blue-grey.
    pub background: Option<[u8; 3]>,
    /// The colours that filled cells name, as red, green and blue. Without it they have made-up ones.
    pub palette: Vec<[u8; 3]>,
}

impl RenderOptions {
    /// The largest number of pixels across and down.
    pub(crate) fn limit(&self) -> u32 {
        self.max_size.unwrap_or(1 << 15)
    }
}

/// What the picture shows of tiles, of terrain or of solids. Of a scene that has tiles and terrain, it shows the tiles, unless only
/// terrain has that view; solids it shows where there is neither, or where they are asked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
#[non_exhaustive]
pub enum View {
    /// The pictures of tiles, and for those without one the colour of their number. Terrain as in [`Relief`](Self::Relief), with
    /// something of the colours of its texture cells. Solids as in [`Solid`](Self::Solid).
    #[default]
    Level,
    /// The colour of the number of a tile or of a texture cell, or of the name of a material, which is the same in all pictures.
    Numbers,
    /// What tiles are to the touch. Of all layers, only the main one has a say.
    Collision,
    /// As the level, but dim, with a mark for each thing. Terrain without the colours of its texture cells; solids are dim too.
    Objects,
    /// The heights of terrain: lit from the north-west, tinted by how high they are between the lowest and the highest of the scene,
    /// and blue below the sea.
    Relief,
    /// Meshes, brushes, instances and terrain in parallel projection, seen from the [`orbit`](RenderOptions::orbit), in the colours of
    /// their materials.
    Solid,
}

impl View {
    /// Whether scenes without tiles and terrain have this view too.
    pub(crate) const fn shows_solids(self) -> bool {
        !matches!(self, Self::Collision | Self::Relief)
    }
}

/// Which layers of tiles, or which terrains: of these, the first is the main one.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Default)]
#[non_exhaustive]
pub enum Layers {
    /// All that are visible, in the order in which they are drawn. The picture is as large as the main layer.
    #[default]
    All,
    /// The main layer: the one whose properties say so, or else the first that has things on it, or else the first that moves
    /// with the camera.
    Main,
    /// The layer at a place, counted from 0, even if it is hidden.
    At(usize),
    /// The first layer of that name, even if it is hidden.
    Named(String),
}

/// Which things of the game.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
#[non_exhaustive]
pub enum Things {
    /// None.
    Hidden,
    /// Their pictures where they have one; for others a mark in the colour and shape of their class, on top of all layers. The
    /// start has a cross.
    ///
    /// The picture of an entity is a tile of the first set of the scene that has the name of its
    /// [`model`](mapwright_scene::Entity::model), in upper or lower case: the tile at the number in its property `i`, or else the
    /// first with an image. Its middle stands at the place of the entity, moved by the properties `offset_x` and `offset_y` of the
    /// tile. The values 2 and 4 in the entity's property `draw_flags` flip it left to right and upside down. Where such a set has no
    /// images, the entity has the size of a tile and the colour of its number.
    ///
    /// On land, entities have a mark of their class, and instances a dot in the colour of their model: the name of its file up to the
    /// first digit, so that variants are alike. Of solids, lights, sounds, cameras, markers and references to other files have a
    /// mark too; marks are not hidden by what is before them.
    #[default]
    Drawn,
    /// A mark for each of them.
    Marked,
    /// Their pictures where they have one, and no marks: for pictures over which something else is to draw them, at
    /// [`Drawing::place`](crate::Drawing::place).
    Pictured,
}

impl Things {
    pub(crate) const fn has_marks(self) -> bool {
        matches!(self, Self::Drawn | Self::Marked)
    }
}

/// Which part of the level, in pixels with y down.
///
/// Of land, a pixel is a square as wide as a step between vertices of the first terrain, or the shorter of its two steps where they
/// differ, counted from the north-western corner of all terrains that are drawn. So 4096 × 4096 heights are 4096 × 4096 pixels; a
/// terrain covers a step behind its last vertices, as its texture cells do.
///
/// Of solids, a pixel is a unit of length in the picture, counted from the upper left corner of the picture of all of them, which has
/// a margin of 1/32 of its longest side. Marks may lie outside of it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
#[non_exhaustive]
pub enum Area {
    /// All of the main layer, or of the only one; all terrains that are drawn.
    #[default]
    Whole,
    /// From left and top so far right and down. What lies outside is background.
    Rectangle {
        /// Left and top.
        from: [i32; 2],
        /// Width and height.
        size: [u32; 2],
    },
    /// A screen of that width and height around the start, moved into the level where it would look out of it.
    AroundStart([u32; 2]),
}

/// Which faces of solids are seen.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
#[non_exhaustive]
pub enum Sides {
    /// All from both sides, but those that hide the inside of closed rooms. A level is closed where 8 of 10 things lie behind a face
    /// that is no terrain, and on or before the front of one. There, each face is left out that a tenth of the things lie behind, and
    /// two at least: a ceiling of many small faces stays. Things are what has a mark, but suns, light from everywhere,
    /// `worldspawn` and what is made of bodies. 4 are needed; of more than 32, some are looked for.
    #[default]
    Open,
    /// All from both sides.
    Both,
    /// The front, whatever the material says: rooms whose walls face inwards are open towards the eye. Terrain is seen from both sides.
    Front,
}

/// Where layers stand that move at another pace than the camera. No picture of a whole level can have them right: what they
/// cover depends on where the player is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
#[non_exhaustive]
pub enum Parallax {
    /// With their upper left corner in that of the level. Those that wrap repeat.
    #[default]
    Still,
    /// As the game draws a screen of the size of the picture, with the camera in its middle.
    Camera,
}

/// How large.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Scale {
    /// The largest 1/n with which the picture is at most so wide and high. Solids, which have no pixels of their own, are made as
    /// large as that.
    Fit(u32),
    /// As said; of solids, so many pixels for a unit of length.
    Exactly(Ratio),
}

impl Default for Scale {
    /// To fit 4096 pixels.
    fn default() -> Self {
        Self::Fit(4096)
    }
}

/// How many pixels become one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
#[non_exhaustive]
pub enum Filter {
    /// Their mean, each counted by how much of it is covered; of terrain, and of tiles much smaller than a pixel, at most 16 across.
    /// Between vertices of terrain, heights are interpolated.
    #[default]
    Mean,
    /// The one in the middle: no new colours.
    Nearest,
}

macro_rules! with {
    ($($name:ident, $field:ident: $type:ty, $some:expr;)*) => {
        impl RenderOptions {$(
            #[doc = concat!("Changes [`", stringify!($field), "`](Self::", stringify!($field), ").")]
            #[must_use]
            pub fn $name(mut self, $field: $type) -> Self {
                self.$field = $some($field);
                self
            }
        )*}
    };
}
with! {
    with_view, view: View, std::convert::identity;
    with_layers, layers: Layers, std::convert::identity;
    with_things, things: Things, std::convert::identity;
    with_area, area: Area, std::convert::identity;
    with_orbit, orbit: Orbit, std::convert::identity;
    with_sides, sides: Sides, std::convert::identity;
    with_parallax, parallax: Parallax, std::convert::identity;
    with_scale, scale: Scale, std::convert::identity;
    with_filter, filter: Filter, std::convert::identity;
    with_max_size, max_size: u32, Some;
    with_background, background: [u8; 3], Some;
    with_palette, palette: Vec<[u8; 3]>, std::convert::identity;
}
