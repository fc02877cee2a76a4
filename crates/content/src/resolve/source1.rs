//! Maps of Source 1: instances of other maps.

use std::collections::HashMap;
use std::sync::atomic::{AtomicUsize, Ordering};

use mapwright_scene::{Content, Entity, Import, Losses, Node, NodeId, Properties, Scene, Value};
use mapwright_vmf::{Document, scene};

use super::entity_names::NameAffixes;
use super::interchange::{find_model, load_model};
use super::loader::{LoadContext, Loader, Request, TextureContext, find_by_name};
use super::own_parts::{keep_nodes, remove_own_parts};
use super::variants::{Variants, override_texts};
use crate::names::extension;
use crate::report::{Outcome, ReferenceKind, ResolveReport};
use crate::textures::attach_logged_textures;
use crate::{ContentFile, ContentSource, path_key};

/// Finds and reads the maps of instances (`func_instance`): beside the map that contains them, or at their path below a root. Models are
/// glTF and OBJ files with the path of the model.
///
/// Names of entities get the name of the instance and `-` before them, or `-` and the name after them; an instance without a name is
/// `InstanceAuto` with its number. Inputs of entities in an instance (`instance:door;Open`) lead to them. Variables (`$name`) have their
/// values. Hidden objects, the world entity of the map and its declarations of variables are left out, and so are outputs of an instance,
/// which is a loss.
#[derive(Debug, Default)]
pub struct Source1 {
    /// Values of variables, with their names.
    variants: Variants<Vec<(String, String)>>,
    /// Number of instances so far.
    instances: AtomicUsize,
}

/// Classes of entities that only concern the instance: they declare its variables, and connect it with the other map.
const INSTANCE_CLASSES: [&str; 2] = ["func_instance_parms", IO_PROXY];
const IO_PROXY: &str = "func_instance_io_proxy";
/// The start of an input of an entity in an instance. The name of the entity, `;` and its input follow.
const INNER_INPUT: &str = "instance:";

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
            Some(Content::Prefab(prefab)) => self.variants.intern(override_texts(prefab)),
            _ => 0,
        }
    }

    fn name_affixes(&self, scene: &Scene, node: NodeId, _file: &Properties) -> NameAffixes {
        let instance = scene.nodes.get(node).filter(|node| matches!(node.content, Content::Prefab(_)));
        let number = self.instances.fetch_add(usize::from(instance.is_some()), Ordering::Relaxed).saturating_add(1);
        instance.map_or_else(NameAffixes::default, |instance| affixes_of(instance, number))
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
        let unknown = map.replace_variables(&values, context.max_bytes).map_err(|error| error.to_string())?;
        let mut import = scene::to_scene(&map, &scene::ImportOptions::default()).map_err(|error| error.to_string())?;
        if !unknown.is_empty() {
            let names: Vec<String> = unknown.iter().map(|name| format!("${name}")).collect();
            let text = format!("instance variables without a value, replaced by empty texts: {}", names.join(", "));
            import.losses.approximated("entities", text);
        }
        // The compiler leaves hidden objects out.
        let hidden = keep_nodes(&mut import.scene, |node| node.visible);
        if hidden > 0 {
            import.losses.dropped("nodes", format!("hidden objects of an instance: {hidden}"));
        }
        let is_class = |entity: &Entity, class: &str| entity.class.eq_ignore_ascii_case(class);
        if import.scene.entities.items().iter().any(|entity| is_class(entity, IO_PROXY)) {
            import.losses.dropped("entities", "outputs that lead out of an instance");
        }
        remove_own_parts(&mut import.scene, |_, entity| {
            entity.is_some_and(|entity| INSTANCE_CLASSES.iter().any(|class| is_class(entity, class)))
        });
        Ok(import)
    }

    /// Attaches images with the names of materials. Games have other files for materials, so images that do not exist are not missing.
    fn attach_textures(&self, scene: &mut Scene, context: &TextureContext<'_>, report: &mut ResolveReport) -> Losses {
        let attached = attach_logged_textures(scene, context.content, context.max_bytes, context.log, path_key);
        let mut losses = attached.add_to_report(scene, report, |outcome, _| *outcome != Outcome::Missing);
        for (id, node) in instances_of(scene) {
            if let Some(style) = style(node).filter(|style| style.trim().parse() != Ok(1_u8)) {
                let text = format!("names of entities in the instance {:?}: its style {style:?} is unknown", node.name);
                losses.approximated(format!("nodes[{}]", id.index()), text);
            }
        }
        connect_to_instances(scene);
        losses
    }
}

/// Finds the map of an instance. A map of the same name elsewhere is another map.
fn find_instance<'a>(request: &Request<'_>, content: &'a ContentSource) -> Option<ContentFile<'a>> {
    // The extension may be missing.
    let with_extension = format!("{}.vmf", request.path);
    let find = |find: &dyn Fn(&str) -> Option<ContentFile<'a>>| find(request.path).or_else(|| find(&with_extension));
    let beside = request.from.and_then(|from| {
        let folder = from.path().rfind('/').and_then(|slash| from.path().get(..=slash)).unwrap_or_default();
        find(&|path| content.find_in_root(from.root(), &format!("{folder}{path}")))
    });
    beside.or_else(|| find(&|path| content.find(path)))
}

/// Returns the nodes of resolved instances.
fn instances_of(scene: &Scene) -> impl Iterator<Item = (NodeId, &Node)> {
    let is_instance = |node: &Node| matches!(node.content, Content::Prefab(_)) && !node.children.is_empty();
    scene.nodes.iter().filter(move |(_, node)| is_instance(node))
}

/// Returns the style of names of an instance, unless names get a prefix or stay as they are. 1 is a suffix.
fn style(instance: &Node) -> Option<&str> {
    let style = instance.properties.iter().find(|(key, _)| key.eq_ignore_ascii_case("fixup_style"))?;
    style.1.as_text().filter(|style| !style.trim().is_empty())
}

/// Returns the texts around the names of entities in an instance.
fn affixes_of(instance: &Node, number: usize) -> NameAffixes {
    let none = NameAffixes { changes_nested: true, ..NameAffixes::default() };
    if instance.properties.get("fixupEntityNames").and_then(Value::as_bool) == Some(false) {
        return none;
    }
    let name = instance_name(instance).map_or_else(|| format!("InstanceAuto{number}"), str::to_owned);
    match style(instance).and_then(|style| style.trim().parse().ok()) {
        Some(1_u8) => NameAffixes { suffix: format!("-{name}"), ..none },
        _ => NameAffixes { prefix: format!("{name}-"), ..none },
    }
}

fn instance_name(instance: &Node) -> Option<&str> {
    instance.properties.get("targetName")?.as_text().filter(|name| !name.is_empty())
}

/// Makes connections to entities in an instance lead to the names that these have now.
fn connect_to_instances(scene: &mut Scene) {
    let named = instances_of(scene).filter_map(|(_, node)| Some((instance_name(node)?.to_ascii_lowercase(), node)));
    let affixes: HashMap<String, NameAffixes> = named.map(|(name, node)| (name, affixes_of(node, 0))).collect();
    if affixes.is_empty() {
        return;
    }
    let connections = scene.entities.iter_mut().flat_map(|(_, entity)| &mut entity.connections);
    for connection in connections {
        let inner = strip_prefix_ignoring_case(&connection.input, INNER_INPUT).and_then(|inner| inner.split_once(';'));
        let Some((name, input)) = inner else { continue };
        let Some(affixes) = affixes.get(&connection.target.to_ascii_lowercase()) else { continue };
        connection.target = name.to_owned();
        affixes.change(&mut connection.target);
        connection.input = input.to_owned();
    }
}

fn strip_prefix_ignoring_case<'a>(text: &'a str, prefix: &str) -> Option<&'a str> {
    let (start, rest) = text.split_at_checked(prefix.len())?;
    start.eq_ignore_ascii_case(prefix).then_some(rest)
}

#[cfg(all(test, feature = "fs"))]
mod tests;
