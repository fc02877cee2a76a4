//! The result of reading a document into a scene.

use crate::{Losses, Scene};

/// A scene that was read from a document.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Import {
    /// The scene.
    pub scene: Scene,
    /// Differences between the document and the scene.
    pub losses: Losses,
}
