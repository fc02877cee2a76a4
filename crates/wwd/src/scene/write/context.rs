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
    /// `true` for a scene that was not read from a level.
    pub(super) is_foreign: bool,
    pub(super) document: Document,
    pub(super) losses: Losses,
    /// The tile layer of each plane.
    pub(super) layers: Vec<&'a TileLayer>,
    /// The position of the tile layer of each plane in the scene.
    pub(super) origins: Vec<Origin>,
    /// Objects without a plane, with the root nodes above them.
    pub(super) unparented: Vec<(usize, Object)>,
    /// The start of the player, with the root node above it and its path.
    pub(super) start: Option<(usize, [f64; 2], String)>,
    /// The id of the next object without one.
    pub(super) free_id: i32,
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

/// The position of a tile layer in the scene. A plane of a level has none: its first cell is at 0.
#[derive(Clone)]
pub(super) struct Origin {
    pub(super) path: String,
    /// The root node above the layer.
    pub(super) root: usize,
    /// Offset of the layer from its group, and of its group. In pixels, y down.
    pub(super) own: [f64; 2],
    pub(super) group: [f64; 2],
}

impl Origin {
    /// Returns the offset between the level and nodes below a root node. Only nodes of the same group share its offset.
    pub(super) fn offset_of(&self, root: usize) -> [f64; 2] {
        let ([x, y], [group_x, group_y]) = (self.own, self.group);
        if root == self.root { [x + group_x, y + group_y] } else { self.own }
    }
}

/// State inherited from the ancestors of a node, up to its plane.
#[derive(Clone, Copy)]
pub(super) struct Inherited {
    /// Index of the root node.
    pub(super) root: usize,
    pub(super) plane: Option<usize>,
    pub(super) transform: Transform,
    pub(super) visible: bool,
}
