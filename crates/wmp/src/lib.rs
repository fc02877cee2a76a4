//! Maps of 3D Gamestudio (`.wmp` of WED, Acknex A4 to A8): read, edited, checked and written without losing a byte.

// Bytes of unknown origin come through here: what can fail is said in the type.
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

mod chunk;
mod codes;
mod convert;
pub mod diff;
mod document;
pub mod edit;
mod error;
mod kind;
mod loss;
mod options;
mod read;
mod renumber;
pub mod resolve;
mod sniff;
mod tree;
mod validate;
mod write;

pub use mapwright_io as io;

pub use codes::{BlockFlags, FaceFlags, LightFlags, ModelFlags, SoundFlags};
pub use document::{
    Block, Chunk, Counts, Dialect, Document, Edge, Entity, EntityKind, FORMAT, Face, Header, Level, Light, LineEnd,
    Member, MemberKind, Mesh, Model, Name, Object, Part, Path, PathNode, PlaneFace, Region, Shape, Sound, Start,
    TextureSource, Wed,
};
pub use error::{ReadError, ReadErrorKind, WriteError, WriteErrorKind};
pub use loss::{Converted, Loss, LossKind};
pub use options::ReadOptions;
pub use resolve::Resolved;
pub use sniff::{Other, sniff};
pub use validate::{FileKind, Presence};
