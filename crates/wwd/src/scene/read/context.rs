//! The state of reading a level.

use std::collections::HashMap;

use mapwright_scene::{Scene, TileSetId, Transform};

use super::super::AXES;
use super::super::fields::Fields;

/// A scene as it is read, and state that planes share.
pub(super) struct Reader<'a> {
    pub(super) scene: Scene,
    /// The tile set of each name.
    pub(super) sets: HashMap<&'a [u8], TileSetId>,
    /// Tiles that may still be created for cells.
    pub(super) tiles_left: usize,
    /// The fields of planes and objects that are properties.
    pub(super) plane: Fields,
    pub(super) object: Fields,
}

/// Returns the transform of a position in a level.
pub(super) fn to_transform(x: i32, y: i32, z: i32) -> Transform {
    // Adding 0 removes negative zeros.
    Transform::translation(AXES.apply([x, y, z].map(f64::from)).map(|number| number + 0.0))
}
