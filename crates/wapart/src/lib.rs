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

pub mod ani;
mod codes;
pub mod drawing;
mod error;
mod frames;
mod game;
mod image;
mod image_sets;
mod options;
mod palette;
pub mod pcx;
pub mod pid;
mod runs;

pub use mapwright_io as io;

pub use codes::{Event, LoopMode, PidFlags, PositionMode, RecordFlags, StepMode};
pub use error::{ReadError, ReadErrorKind, WriteError, WriteErrorKind};
pub use frames::{FrameSet, frame_number};
pub use game::Game;
pub use image::{Image, ImageFormat, MAX_PIXELS, Pixels, Transparency};
pub use image_sets::{ImageSet, ImageSets, file_key, gruntz_roots};
pub use options::{ReadOptions, WriteOptions, WriterProfile};
pub use palette::Palette;
pub use runs::RunCounts;
