//! Maps of Source 1: instances of other maps.

use mapwright_scene::{Content, Import, Losses, Node, NodeId, Properties, Scene, Value};
use mapwright_vmf::{Document, scene};

use super::interchange::{find_model, load_model};
use super::loader::{LoadContext, Loader, Request, TextureContext, find_by_name};
use crate::names::extension;
use crate::report::{Outcome, ReferenceKind, ResolveReport};
use crate::textures::attach_logged_textures;
use crate::{ContentFile, ContentSource};

/// Finds and reads the maps of instances (`func_instance`): beside the map that contains them, or at their path below a root. Models are
/// glTF and OBJ files with the path of the model.
///
/// Names of entities get the name of the instance and `-` before them if the instance asks for a prefix. Other styles of names, and variables
/// (`$name`), which keep their names, are losses.
#[derive(Debug, Clone, Copy, Default)]
#[non_exhaustive]
pub struct Source1 {}

impl Loader for Source1 {
    fn find<'a>(&self, request: &Request<'_>, content: &'a ContentSource) -> Option<ContentFile<'a>> {
        match request.kind {
            ReferenceKind::Prefab => find_instance(request, content).filter(|file| extension(file.path()) == "vmf"),
            ReferenceKind::Model => find_model(request.path, content),
            _ => find_by_name(request, content),
        }
    }

    fn name_prefix(&self, scene: &Scene, node: NodeId, _file: &Properties) -> Option<String> {
        let node = scene.nodes.get(node).filter(|node| matches!(node.content, Content::Prefab(_)))?;
        let name = node.properties.get("targetName")?.as_text().filter(|name| !name.is_empty())?;
        let keeps_names = node.properties.get("fixupEntityNames").and_then(Value::as_bool) == Some(false);
        (!keeps_names && !has_other_names(node)).then(|| format!("{name}-"))
    }

    fn keeps_lights(&self, file: ContentFile<'_>) -> bool {
        extension(file.path()) == "vmf"
    }

    fn load(&self, bytes: &[u8], context: &LoadContext<'_>) -> Result<Import, String> {
        if extension(context.file.path()) != "vmf" {
            return load_model(bytes, context);
        }
        let map = Document::from_bytes(bytes).map_err(|error| error.to_string())?;
        scene::to_scene(&map, &scene::ImportOptions::default()).map_err(|error| error.to_string())
    }

    /// Attaches images with the names of materials. Games have other files for materials, so images that do not exist are not missing.
    fn attach_textures(&self, scene: &mut Scene, context: &TextureContext<'_>, report: &mut ResolveReport) -> Losses {
        let attached = attach_logged_textures(scene, context.content, context.max_bytes, context.log);
        for (_, name, outcome) in attached.outcomes {
            if outcome != Outcome::Missing {
                report.add(ReferenceKind::Material, &name, outcome);
            }
        }
        let mut losses = attached.losses;
        for (id, node) in scene.nodes.iter().filter(|(_, node)| !node.children.is_empty()) {
            let Content::Prefab(instance) = &node.content else { continue };
            let path = format!("nodes[{}]", id.index());
            if !instance.overrides.is_empty() {
                losses.dropped(path.as_str(), "values of the variables of an instance: its map keeps their names");
            }
            if has_other_names(node) {
                losses.approximated(path.as_str(), "names of entities in an instance: as in its map");
            }
        }
        losses
    }
}

/// Finds the map of an instance. A map of the same name elsewhere is another map.
fn find_instance<'a>(request: &Request<'_>, content: &'a ContentSource) -> Option<ContentFile<'a>> {
    let beside = request.from.and_then(|from| {
        let folder = from.path().rfind('/').and_then(|slash| from.path().get(..=slash)).unwrap_or_default();
        content.find_in_root(from.root(), &format!("{folder}{}", request.path))
    });
    beside.or_else(|| content.find(request.path))
}

/// Returns `true` if the names of entities get no prefix but another change. Only such styles are a property.
fn has_other_names(instance: &Node) -> bool {
    instance.properties.get("fixup_style").is_some()
}
