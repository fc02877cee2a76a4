//! The state of writing a level.

use mapwright_scene::{Losses, Scene, TileLayer, Transform};

use super::super::fields::Fields;
use super::loss_count::LossCount;
use crate::{Document, Object};

/// The reason why references of the scene exist.
pub(super) const CHECKED: &str = "the scene was checked";

/// The level as it is written, and state that its parts share.
pub(super) struct Writer<'a> {
    pub(super) scene: &'a Scene,
    pub(super) document: Document,
    pub(super) losses: Losses,
    /// The tile layer of each plane.
    pub(super) layers: Vec<&'a TileLayer>,
    /// Objects without a plane.
    pub(super) unparented: Vec<Object>,
    /// The id of the next object without one.
    pub(super) free_id: i32,
    pub(super) has_start: bool,
    pub(super) plane: Fields,
    pub(super) object: Fields,
    /// Numbers that were rounded.
    pub(super) places: LossCount,
    pub(super) turned: LossCount,
    /// Strings that are not ASCII.
    pub(super) foreign: LossCount,
    /// Entities and tile layers that a node refers to.
    pub(super) entities: Vec<bool>,
    pub(super) tile_layers: Vec<bool>,
}

/// State inherited from the ancestors of a node, up to its plane.
#[derive(Clone, Copy)]
pub(super) struct Inherited {
    pub(super) plane: Option<usize>,
    pub(super) transform: Transform,
    pub(super) visible: bool,
}
