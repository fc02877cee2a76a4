//! Folders of the object list → groups.

use std::collections::HashMap;

use mapwright_scene::{Content, Node, NodeId, Scene};

/// The groups of folders, by name.
#[derive(Default)]
pub(super) struct FolderGroups(HashMap<String, NodeId>);

impl FolderGroups {
    /// Returns the group of a folder. Adds it to the scene on the first call.
    pub(super) fn find_or_add(&mut self, folder: String, scene: &mut Scene) -> NodeId {
        *self.0.entry(folder).or_insert_with_key(|name| scene.add_node(None, Node::new(name.clone(), Content::Group)))
    }
}
