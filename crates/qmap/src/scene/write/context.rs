//! State of writing a scene.

use std::collections::{HashMap, HashSet};

use mapwright_io::format_count;
use mapwright_scene::images::TextureSizes;
use mapwright_scene::{Content, Losses, MaterialId, NodeId, Rejections, Scene, Value, Visit};

use super::items::Item;
use super::materials::{mapped_materials, texture_names};
use crate::WriteError;
use crate::scene::classes::{GAME, GROUP, metres_per_unit};
use crate::scene::textures::PATCH;
use crate::scene::{ExportOptions, capabilities};

/// The entities that a node and its children belong to, as indices of items.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Owner {
    /// The entity that gets brushes.
    pub(super) item: usize,
    /// The layer or group of the editor around it.
    pub(super) group: Option<usize>,
    /// `true` below an entity of the game, which cannot contain groups.
    pub(super) is_entity: bool,
}

/// Numbers of layers and groups of the editor.
#[derive(Debug, Clone, Default)]
pub(super) struct GroupIds {
    /// The numbers in the document, by the key of the node.
    pub(super) known: HashMap<String, u64>,
    /// The keys of the nodes of brushes outside of entities.
    pub(super) fragments: HashSet<String>,
    /// The largest number that is in use.
    pub(super) last: u64,
}

impl GroupIds {
    /// Returns the number of a layer or group: that of the document, or a new one.
    pub(super) fn take(&mut self, key: Option<&str>) -> u64 {
        key.and_then(|key| self.known.remove(key)).unwrap_or_else(|| {
            self.last = self.last.saturating_add(1);
            self.last
        })
    }
}

/// The scene and the entities that are made of it.
pub(super) struct Context<'a> {
    pub(super) scene: &'a Scene,
    pub(super) options: &'a ExportOptions,
    pub(super) losses: Losses,
    pub(super) items: Vec<Item>,
    pub(super) has_world: bool,
    /// The owners of nodes with children, for these children.
    pub(super) owners: HashMap<NodeId, Owner>,
    /// The key and number with which members refer to a layer or group.
    pub(super) group_keys: HashMap<usize, (&'static str, u64)>,
    pub(super) group_ids: GroupIds,
    /// Nodes that are left out with their children.
    hidden: HashMap<NodeId, ()>,
    /// Names of the textures of materials.
    pub(super) textures: Vec<String>,
    pub(super) sizes: TextureSizes,
    /// Materials of written faces.
    pub(super) used_materials: Vec<MaterialId>,
    /// Number of faces.
    pub(super) faces: u64,
    /// Meshes that cannot become brushes.
    pub(super) rejections: Rejections,
}

impl<'a> Context<'a> {
    pub(super) fn new(scene: &'a Scene, options: &'a ExportOptions, group_ids: GroupIds) -> Self {
        let mut losses = capabilities().losses(scene);
        remove_stored(scene, &mut losses);
        let textures = texture_names(scene, &mut losses);
        let sizes = TextureSizes::new(scene, &mapped_materials(scene), &mut losses);
        Self {
            scene,
            options,
            losses,
            items: vec![Item { class: "worldspawn".into(), ..Item::default() }],
            has_world: false,
            owners: HashMap::new(),
            group_keys: HashMap::new(),
            group_ids,
            hidden: HashMap::new(),
            textures,
            sizes,
            used_materials: Vec::new(),
            faces: 0,
            rejections: Rejections::new(scene),
        }
    }

    /// Writes a node, after the nodes above it.
    pub(super) fn write_node(&mut self, visit: &Visit<'a>) -> Result<(), WriteError> {
        let path = format!("nodes[{}]", visit.id.index());
        let is_below_hidden = visit.parent.is_some_and(|parent| self.hidden.contains_key(&parent));
        if is_below_hidden || !(visit.node.visible || is_layer(visit.node)) {
            self.hidden.insert(visit.id, ());
            let text = match visit.node.visible {
                true => format!("{:?} is below a hidden node", visit.node.name),
                false => "hidden node".to_owned(),
            };
            self.losses.dropped(path, text);
            return Ok(());
        }
        if visit.node.locked && !is_layer(visit.node) {
            self.losses.dropped(&*path, "lock of a node");
        }
        let owner = visit.parent.and_then(|parent| self.owners.get(&parent)).copied().unwrap_or_default();
        if !visit.node.children.is_empty() {
            self.owners.insert(visit.id, owner);
        }
        let has_no_keys = matches!(visit.node.content, Content::Brush(_) | Content::Mesh(_) | Content::Path(_));
        if has_no_keys && !visit.node.properties.is_empty() {
            self.losses.dropped(&*path, "properties of the node");
        }
        match &visit.node.content {
            Content::Group => self.group(visit, owner, &path),
            Content::Brush(id) => {
                if let Some(brush) = self.scene.brushes.get(*id) {
                    if !visit.world.is_identity() {
                        self.losses.preserved(&*path, "the transform, applied to the points");
                    }
                    if !visit.node.name.is_empty() {
                        self.losses.dropped(&*path, "name of the brush");
                    }
                    self.brush(owner, visit, brush, &visit.world, &path)?;
                }
            }
            Content::Mesh(id) => self.mesh(owner, visit, *id, &path)?,
            Content::Light(id) => self.light(visit, owner, *id, &path),
            Content::Entity(id) => self.entity(visit, owner, *id, &path),
            Content::Marker => self.marker(visit, owner, &path),
            Content::Path(id) => self.path(visit, owner, *id),
            // The capabilities report other contents.
            _ => {}
        }
        Ok(())
    }

    /// Adds an entity, and the key of the layer or group around it. Returns its index.
    pub(super) fn add_item(&mut self, mut item: Item, owner: Owner) -> usize {
        if let Some((key, id)) = owner.group.and_then(|group| self.group_keys.get(&group)) {
            item.keys.push(((*key).to_owned(), id.to_string()));
        }
        self.items.push(item);
        self.items.len() - 1
    }

    /// Reports losses that depend on values.
    pub(super) fn report(&mut self) {
        self.rejections.report_skipped(self.scene, "a brush", &mut self.losses);
        let game = self.scene.properties.get(GAME).and_then(Value::as_text);
        let unit = metres_per_unit(game);
        if let Some(metres) = self.scene.metres_per_unit.filter(|metres| *metres != unit) {
            let text = format!("one unit is {metres} m, which the file does not store; games use about {unit}");
            self.losses.approximated("metres_per_unit", text);
        }
        self.scene.report_unused_materials(std::mem::take(&mut self.used_materials), &mut self.losses);
        for (id, material) in self.scene.materials.iter() {
            if material.base_color != [1.0; 4] {
                self.losses.dropped(format!("materials[{}]", id.index()), format!("colour of {:?}", material.name));
            }
        }
        for (id, light) in self.scene.lights.iter() {
            if light.color.iter().take(3).any(|c| !(0.0..=1.0).contains(c)) {
                self.losses.approximated(format!("lights[{}]", id.index()), "colour of the light, limited to 0 to 1");
            }
            if light.attenuation != mapwright_scene::Attenuation::default() || light.intensity != 1.0 {
                self.losses.dropped(format!("lights[{}]", id.index()), "intensity and falloff of the light");
            }
        }
        let others = self.scene.properties.iter().filter(|(key, _)| *key != GAME).count();
        if others > 0 {
            let text = format!("{} of the scene", format_count(others, "property"));
            self.losses.dropped("properties", text);
        }
    }
}

/// Returns `true` for a layer, which may be hidden and locked.
pub(super) fn is_layer(node: &mapwright_scene::Node) -> bool {
    node.content == Content::Group && node.properties.get(GROUP).and_then(Value::as_text) == Some("layer")
}

/// Removes the losses of features that the format does not store in general, but for groups and patches.
fn remove_stored(scene: &Scene, losses: &mut Losses) {
    losses.items.retain(|loss| {
        let mut frames = loss.path.frames();
        let list = frames.next().and_then(|frame| frame.name());
        let index = match frames.next() {
            Some(mapwright_io::Frame::Index(index)) => u32::try_from(*index).ok(),
            _ => None,
        };
        let text = &*loss.text;
        match (list, index) {
            // Reported after the properties that are stored.
            (Some("properties"), None) => false,
            (Some("nodes"), Some(index)) => {
                let Some(node) = scene.nodes.get(NodeId::new(index)) else { return true };
                let is_stored = node.content == Content::Group && text.contains("properties ")
                    || is_layer(node) && (text.contains("hidden node") || text.contains("lock"));
                !is_stored
            }
            (Some("meshes"), Some(index)) => {
                let mesh = scene.meshes.get(mapwright_scene::MeshId::new(index));
                let is_patch = mesh.is_some_and(|mesh| mesh.properties.get(PATCH).is_some());
                !(is_patch && (text.contains("normals") || text.contains("properties ")))
            }
            _ => true,
        }
    });
}
