//! Converts models, terrains, compiled levels and sprites to scenes.
//!
//! | in the file | in the scene |
//! |---|---|
//! | model | one mesh in the chosen frame |
//! | terrain | one mesh, or a heightmap with one texture cell |
//! | compiled level | one mesh; faces that games do not draw are left out by default |
//! | sprite | one mesh of rectangles, and the property `sprite` of its node |
//! | skin, texture | material with its image, or with the name of the image file |
//! | other animation frames | attributes `morph:NAME` of the mesh, if requested: offsets from the first pose |
//!
//! The root node has the name in the options. Its origin is the origin of the file, so that the transform of an entity places it.
//! Lengths are quants. The format does not define their size in metres.

mod geometry;
mod level;
mod materials;
mod model;
mod sprite;
mod terrain;

pub use mapwright_scene;
use mapwright_scene::{AlphaMode, AxisChange};

use crate::Palette;

pub use self::level::level_to_scene;
pub use self::model::model_to_scene;
pub use self::sprite::sprite_to_scene;
pub use self::terrain::terrain_to_scene;

/// The change of axes from files, where z points up, to scenes: (x, y, z) → (x, z, −y).
pub const AXES: AxisChange = AxisChange::Z_UP_TO_Y_UP;

mapwright_io::options! {
    /// Options for converting a file to a scene.
    #[derive(Debug, Clone, PartialEq)]
    pub struct ImportOptions {
        /// The name of the node and its mesh.
        pub name: String = String::new(), with_name(impl Into<String>);
        /// The palette of the level, for images with 8 bits per pixel.
        pub palette: Option<Palette> = None, with_palette(Option<Palette>);
        /// Treatment of transparent pixels.
        pub transparency: Transparency = Transparency::FromImage, with_transparency;
        /// The animation frame that is shown. A frame that does not exist shows the first pose.
        pub frame: usize = 0, with_frame;
        /// The storage of the other animation frames.
        pub frames: Frames = Frames::LeaveOut, with_frames;
        /// The form of terrains.
        pub terrain: TerrainForm = TerrainForm::Mesh, with_terrain;
        /// The treatment of faces of compiled levels that games do not draw.
        pub hidden_faces: HiddenFaces = HiddenFaces::LeaveOut, with_hidden_faces;
    }
}

/// Treatment of transparent pixels. It depends on the flags of the entity.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Transparency {
    /// Neither flag: images with opacity have holes, others are opaque.
    #[default]
    FromImage,
    /// The flag OVERLAY, and sprites: black pixels of images without opacity are holes.
    Overlay,
    /// The flag TRANSLUCENT: pixels are blended with the background.
    Translucent,
}

impl Transparency {
    /// Returns the alpha mode of a material. `lowest_opacity` is the lowest opacity of all pixels of its image.
    pub const fn alpha_mode(self, lowest_opacity: u8) -> AlphaMode {
        match self {
            Self::Translucent => AlphaMode::Blend,
            _ if lowest_opacity < u8::MAX => AlphaMode::Mask(0.5),
            _ => AlphaMode::Opaque,
        }
    }
}

/// The storage of animation frames.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Frames {
    /// They are left out and reported.
    #[default]
    LeaveOut,
    /// Attributes `morph:NAME` of vertices with three numbers.
    MorphTargets,
}

/// The form of terrains in a scene.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum TerrainForm {
    /// A mesh.
    #[default]
    Mesh,
    /// A heightmap, which other terrain formats can store. Terrains without a grid, or with cells of size 0, become meshes.
    Heightmap,
}

/// The treatment of faces that games do not draw: those that only stop movement, and those that show the sky.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum HiddenFaces {
    /// They are left out and reported.
    #[default]
    LeaveOut,
    /// They get the materials `none` and `sky`, which are marked as tools.
    Keep,
}
