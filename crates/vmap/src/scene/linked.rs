//! A scene with links to the elements that it was read from.

use std::collections::HashMap;

use mapwright_dmx::ElementId;
use mapwright_scene::{NodeId, Scene};

/// A scene that was read from a map, with the element of each part.
pub(super) struct LinkedScene {
    pub(super) scene: Scene,
    /// Element of each node.
    pub(super) elements: Vec<ElementId>,
    /// Element whose children contain each node; `None` for cameras and for nodes in no list of children.
    pub(super) parents: Vec<Option<ElementId>>,
    /// Elements of the points of each path.
    pub(super) points: HashMap<NodeId, Vec<ElementId>>,
    /// The `CMapSelectionSet` of each set.
    pub(super) sets: Vec<ElementId>,
    /// The node of the world.
    pub(super) world: ElementId,
}
