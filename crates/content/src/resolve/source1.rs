//! Maps of Source 1: instances of other maps.

use std::sync::atomic::{AtomicUsize, Ordering};

use mapwright_scene::{Content, Entity, Import, Losses, Node, NodeId, Properties, Scene, Value};
use mapwright_vmf::{Document, scene};

use super::entity_names::NameAffixes;
use super::interchange::{find_model, load_model};
use super::loader::{LoadContext, Loader, Request, TextureContext, find_by_name};
use super::own_parts::remove_own_parts;
use super::variants::{Variants, override_texts};
use crate::names::extension;
use crate::report::{Outcome, ReferenceKind, ResolveReport};
use crate::textures::attach_logged_textures;
use crate::{ContentFile, ContentSource};

/// Finds and reads the maps of instances (`func_instance`): beside the map that contains them, or at their path below a root. Models are
/// glTF and OBJ files with the path of the model.
///
/// An instance gets what the compiler makes of it: names of entities have the name of the instance and `-` before them, or `-` and the name
/// after them; an instance without a name is `InstanceAuto1` and so on. Variables (`$name`) have their values. The world entity of its map
/// and the entities that only concern instances are left out.
#[derive(Debug, Default)]
pub struct Source1 {
    /// Values of variables, with their names.
    variants: Variants<Vec<(String, String)>>,
    /// Number of instances without a name.
    unnamed: AtomicUsize,
}

/// Classes of entities of the map of an instance that only concern the instance: they declare its variables, and lead outputs out of it.
const INSTANCE_CLASSES: [&str; 2] = ["func_instance_parms", IO_PROXY];
const IO_PROXY: &str = "func_instance_io_proxy";

impl Loader for Source1 {
    fn find<'a>(&self, request: &Request<'_>, content: &'a ContentSource) -> Option<ContentFile<'a>> {
        match request.kind {
            ReferenceKind::Prefab => find_instance(request, content).filter(|file| extension(file.path()) == "vmf"),
            ReferenceKind::Model => find_model(request.path, content),
            _ => find_by_name(request, content),
        }
    }

    fn variant(&self, scene: &Scene, node: NodeId) -> u32 {
        match scene.nodes.get(node).map(|node| &node.content) {
            // Also without values: variables without one become empty.
            Some(Content::Prefab(prefab)) => self.variants.number(override_texts(prefab)),
            _ => 0,
        }
    }

    fn name_affixes(&self, scene: &Scene, node: NodeId, _file: &Properties) -> NameAffixes {
        let mut affixes = NameAffixes { changes_nested: true, ..NameAffixes::default() };
        let Some(node) = scene.nodes.get(node).filter(|node| matches!(node.content, Content::Prefab(_))) else {
            return affixes;
        };
        if node.properties.get("fixupEntityNames").and_then(Value::as_bool) == Some(false) {
            return affixes;
        }
        let name = node.properties.get("targetName").and_then(Value::as_text).filter(|name| !name.is_empty());
        let name = name.map_or_else(
            || format!("InstanceAuto{}", self.unnamed.fetch_add(1, Ordering::Relaxed).saturating_add(1)),
            str::to_owned,
        );
        match style(node) {
            Some("1") => affixes.suffix = format!("-{name}"),
            _ => affixes.prefix = format!("{name}-"),
        }
        affixes
    }

    fn keeps_lights(&self, file: ContentFile<'_>) -> bool {
        extension(file.path()) == "vmf"
    }

    fn load(&self, bytes: &[u8], context: &LoadContext<'_>) -> Result<Import, String> {
        if extension(context.file.path()) != "vmf" {
            return load_model(bytes, context);
        }
        let mut map = Document::from_bytes(bytes).map_err(|error| error.to_string())?;
        let values = self.variants.get(context.variant).unwrap_or_default();
        map.replace_variables(&values).map_err(|error| error.to_string())?;
        let mut import = scene::to_scene(&map, &scene::ImportOptions::default()).map_err(|error| error.to_string())?;
        let has_outputs = |it: &&Entity| it.class.eq_ignore_ascii_case(IO_PROXY) && !it.connections.is_empty();
        if import.scene.entities.items().iter().any(|entity| has_outputs(&entity)) {
            import.losses.dropped("entities", "outputs that lead out of an instance");
        }
        remove_own_parts(&mut import.scene, |_, entity| {
            let is_class = |class: &&str| entity.is_some_and(|entity| entity.class.eq_ignore_ascii_case(class));
            INSTANCE_CLASSES.iter().any(|class| is_class(&class))
        });
        Ok(import)
    }

    /// Attaches images with the names of materials. Games have other files for materials, so images that do not exist are not missing.
    fn attach_textures(&self, scene: &mut Scene, context: &TextureContext<'_>, report: &mut ResolveReport) -> Losses {
        let attached = attach_logged_textures(scene, context.content, context.max_bytes, context.log);
        let mut losses = attached.report(scene, report, |outcome| *outcome != Outcome::Missing);
        for (id, node) in scene.nodes.iter().filter(|(_, node)| !node.children.is_empty()) {
            if !matches!(node.content, Content::Prefab(_)) {
                continue;
            }
            if let Some(style) = style(node).filter(|style| *style != "1") {
                let text = format!("names of entities in the instance {:?}: its style {style:?} is unknown", node.name);
                losses.approximated(format!("nodes[{}]", id.index()), text);
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

/// Returns the style of names of an instance, unless names get a prefix or stay as they are. A suffix is `1`.
fn style(instance: &Node) -> Option<&str> {
    instance.properties.get("fixup_style")?.as_text().map(str::trim)
}

#[cfg(all(test, feature = "fs"))]
mod tests;
