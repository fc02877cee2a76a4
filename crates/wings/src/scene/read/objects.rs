//! Objects → nodes with meshes.

use mapwright_scene::{Content, Node};

use super::folders::FolderGroups;
use super::materials::MaterialNames;
use super::meshes::read_mesh;
use crate::Shape;
use crate::scene::imported::{ImportedObject, ImportedScene};
use crate::scene::plugin_states::listed_folders;
use crate::scene::report::report_object_properties;

/// Reads the objects into nodes. Those in a folder become children of its group.
pub(super) fn read_objects(imported: &mut ImportedScene, names: &MaterialNames) {
    let mut groups = FolderGroups::default();
    for (index, shape) in imported.model.shapes.iter().enumerate() {
        let path = format!("shapes[{index}]");
        let object = match shape {
            Shape::Object(object) => object,
            Shape::Other(opaque) => {
                imported.losses.dropped(path, format!("unreadable object: {}", opaque.reason));
                imported.objects.push(None);
                continue;
            }
        };
        let (mesh, rings) = match read_mesh(object, names, &path, &mut imported.losses) {
            Ok(mesh) => mesh,
            Err(reason) => {
                imported.losses.dropped(path, format!("inconsistent object {:?}: {reason}", object.name));
                imported.objects.push(None);
                continue;
            }
        };
        report_object_properties(object, &path, &mut imported.losses);
        let mesh = imported.scene.meshes.push(mesh);
        let state = object.state();
        let node = Node {
            visible: state.is_visible(),
            locked: state.is_locked(),
            key: Some(path),
            ..Node::new(object.name.as_str(), Content::Mesh(mesh))
        };
        let folder = object.folder().map(|folder| groups.find_or_add(folder, &mut imported.scene));
        let node = imported.scene.add_node(folder, node);
        imported.objects.push(Some(ImportedObject { node, mesh, rings }));
    }
    // Groups of empty folders come after all objects.
    for folder in listed_folders(&imported.model) {
        groups.find_or_add(folder, &mut imported.scene);
    }
}
