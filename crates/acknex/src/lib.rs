#![doc = include_str!("../README.md")]
// The whole crate handles untrusted bytes, so nothing may panic.
#![cfg_attr(
    not(test),
    deny(
        clippy::arithmetic_side_effects,
        clippy::indexing_slicing,
        clippy::unwrap_used,
        clippy::expect_used,
        clippy::panic
    )
)]

pub mod dds;
mod error;
mod header;
mod mesh;
pub mod model;
mod options;
mod pixels;
mod quake_palette;
#[cfg(feature = "scene")]
pub mod scene;
mod skin;
mod sprite;
pub mod terrain;
mod texture;
pub mod wad;
pub mod wmb;

pub use mapwright_io as io;

pub use error::{ReadError, ReadErrorKind};
pub use mesh::{Frame, Mesh, Repairs, Triangle};
pub use model::{Bone, Model, ModelVersion};
pub use options::ReadOptions;
pub use pixels::{Image, Palette, PixelFormat};
pub use skin::{Skin, SkinContent, SkinMaterial};
pub use sprite::Sprite;
pub use terrain::{Terrain, TerrainFrame, TerrainVersion};
pub use texture::Texture;
pub use wad::{Wad, WadVersion};
pub use wmb::{LevelMesh, Wmb, WmbVersion};
