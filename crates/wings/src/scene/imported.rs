//! A document and its scene, with the origin of each part of the scene.

use mapwright_scene::{Losses, MeshId, NodeId, Scene};

use crate::{Model, Rings};

/// A document that was converted to a scene. Nodes of objects, lights and views have their origin as key.
pub(super) struct ImportedScene {
    pub(super) model: Model,
    pub(super) scene: Scene,
    pub(super) losses: Losses,
    /// The index in the model of each material of the scene.
    pub(super) materials: Vec<usize>,
    /// The index in the model of each image of the scene. Images that are stored inside materials follow and have none.
    pub(super) images: Vec<usize>,
    /// The node of each shape of the model; `None` if the shape could not be read.
    pub(super) objects: Vec<Option<ImportedObject>>,
}

/// An object of the document in the scene.
pub(super) struct ImportedObject {
    pub(super) node: NodeId,
    pub(super) mesh: MeshId,
    pub(super) rings: Rings,
}
