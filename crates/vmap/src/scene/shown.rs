//! Instances, prefabs and what is shown more than once.
//!
//! Hammer shows the group that an instance leads to through instances alone. So a group that a scene shows in its own place too gets
//! an instance there, and what is no group gets a group around it.

use std::collections::{BTreeMap, HashMap, HashSet};

use mapwright_dmx::{ElementId, Reference, Value};
use mapwright_scene as scene;
use mapwright_scene::{Content, InstanceSetId, MeshId, Model, Node, NodeId, Prefab, Transform};

use super::bake::shears;
use super::from::{Writer, path};
use super::live::Live;
use super::shapes::Shapes;
use crate::WriteError;

/// The groups that instances lead to.
#[derive(Default)]
pub(super) struct Definitions {
    /// By the node that is shown.
    groups: HashMap<NodeId, ElementId>,
    /// Parents that elements have for this in place of that of their node.
    pub(super) parents: HashMap<ElementId, ElementId>,
    /// Meshes that only new nodes show, and several of them: each in a group.
    meshes: HashMap<MeshId, Option<ElementId>>,
}

impl Definitions {
    /// Whether nodes show a mesh by instances.
    pub(super) fn shares(&self, content: &Content) -> bool {
        matches!(content, Content::Mesh(id) if self.meshes.contains_key(id))
    }
}

impl Writer<'_, '_, '_> {
    /// Finds meshes that several nodes show. Instances say nothing but where they stand, so nodes that say more get copies.
    pub(super) fn find_shared(&mut self) {
        let mut shown: BTreeMap<MeshId, (usize, bool)> = BTreeMap::new();
        for live in &self.live {
            let Some(node) = self.scene.nodes.get(live.id) else { continue };
            let Content::Mesh(id) = node.content else { continue };
            let (count, exact) = shown.entry(id).or_insert((0, true));
            *count += 1;
            *exact &= node.properties.is_empty() && self.element(live.id).is_none() && !shears(&live.world);
        }
        for (id, (count, exact)) in shown.into_iter().filter(|(_, (count, _))| *count > 1) {
            let how = if exact { "instances of a group" } else { "a copy for each" };
            let what = format!("{count} nodes that show the mesh: {how}");
            self.losses.approximated(format!("meshes[{}]", id.index()), what);
            if exact {
                self.definitions.meshes.insert(id, None);
            }
        }
    }

    /// Makes a group for every mesh that several nodes show.
    pub(super) fn define_meshes(&mut self, shapes: &Shapes) -> Result<(), WriteError> {
        let mut ids: Vec<MeshId> = self.definitions.meshes.keys().copied().collect();
        ids.sort_unstable();
        let mut made = Vec::with_capacity(ids.len());
        for &id in &ids {
            let group = self.editor.add_node(self.world, "CMapGroup")?;
            made.push((id, group, self.editor.add_node(group, "CMapMesh")?));
        }
        for (id, group, node) in made {
            let (world, baked) = (Transform::IDENTITY, Transform::IDENTITY);
            let place = Live { id: NodeId::new(u32::MAX), parent: None, world, baked, shown: false };
            let content = Node::new("", Content::Mesh(id));
            self.shape(&place, node, &content, None, shapes, &format!("meshes[{}]", id.index()))?;
            self.definitions.meshes.insert(id, Some(group));
        }
        Ok(())
    }

    /// Writes a node that shows a mesh by an instance.
    pub(super) fn shared_mesh(&mut self, element: ElementId, content: &Content) {
        let Content::Mesh(id) = content else { return };
        if let Some(group) = self.definitions.meshes.get(id).copied().flatten() {
            self.set(element, "target", Value::Element(Reference::Element(group)));
        }
    }

    /// Finds or makes a group for everything that an instance is to show.
    pub(super) fn define(&mut self) -> Result<(), WriteError> {
        let mut targets: Vec<NodeId> = Vec::new();
        let mut seen = HashSet::new();
        for live in &self.live {
            let Some(Content::Instance(target)) = self.scene.nodes.get(live.id).map(|node| &node.content) else {
                continue;
            };
            let same = self.old_target(live.id).is_some_and(|old| self.was(*target) == Some(old));
            if !same && seen.insert(*target) {
                targets.push(*target);
            }
        }
        let lives: HashMap<NodeId, Live> = self.live.iter().map(|live| (live.id, *live)).collect();
        for target in targets {
            let (Some(&live), Some(element)) = (lives.get(&target), self.element(target)) else { continue };
            let is_group = self.editor.map().graph().element(element).is_some_and(|node| node.is("CMapGroup"));
            let top = live.shown || live.parent.is_some();
            let parent = self.parent(&live);
            let group = if is_group {
                element
            } else {
                let group = self.editor.add_node(self.world, "CMapGroup")?;
                self.definitions.parents.insert(element, group);
                self.put_place(group, &live.world);
                self.losses.approximated(path(target), "shown more than once: through a group");
                group
            };
            if top {
                let instance = self.editor.add_node(parent, "CMapInstance")?;
                self.set(instance, "target", Value::Element(Reference::Element(group)));
                self.put_place(instance, &live.world);
                self.losses.approximated(path(target), "shown in its own place, too: by an instance");
            }
            self.definitions.groups.insert(target, group);
        }
        Ok(())
    }

    /// The node of the base that a node is.
    fn was(&self, id: NodeId) -> Option<NodeId> {
        self.old.get(id.index()).copied().flatten()
    }

    /// What an instance showed in the base.
    fn old_target(&self, id: NodeId) -> Option<NodeId> {
        match self.old_node(id)?.content {
            Content::Instance(target) => Some(target),
            _ => None,
        }
    }

    /// Writes what an instance shows.
    pub(super) fn instance(&mut self, id: NodeId, element: ElementId, target: NodeId) {
        let same = self.old_target(id).is_some_and(|old| self.was(target) == Some(old));
        if same {
            return;
        }
        match self.definitions.groups.get(&target) {
            Some(&group) => self.set(element, "target", Value::Element(Reference::Element(group))),
            None => self.losses.dropped(path(id), "an instance of something that maps do not have"),
        }
    }

    /// Writes a prefab.
    pub(super) fn prefab(
        &mut self,
        element: ElementId,
        prefab: &Prefab,
        old: Option<&Node>,
        path: &str,
    ) -> Result<(), WriteError> {
        let before = old.and_then(|old| if let Content::Prefab(prefab) = &old.content { Some(prefab) } else { None });
        if before.is_none_or(|before| before.reference != prefab.reference) {
            self.set_text(element, "targetMapPath", &prefab.reference);
        }
        if before.map_or(!prefab.overrides.is_empty(), |before| before.overrides != prefab.overrides) {
            let (mut names, mut values) = (Vec::new(), Vec::new());
            for (name, value) in prefab.overrides.iter() {
                let text = match value {
                    scene::Value::Text(text) => text.clone(),
                    scene::Value::Bool(flag) => u8::from(*flag).to_string(),
                    scene::Value::Int(number) => number.to_string(),
                    scene::Value::Float(number) => number.to_string(),
                    _ => {
                        self.losses.dropped(path, format!("override {name:?}, which is no text"));
                        continue;
                    }
                };
                if value.as_text().is_none() {
                    self.losses.approximated(path, format!("override {name:?}, as text"));
                }
                names.push(self.plain(name));
                values.push(self.plain(&text));
            }
            self.set_texts(element, "variableOverrideNames", &names);
            self.set_texts(element, "variableOverrideValues", &values);
        }
        Ok(())
    }

    /// Writes many instances as nodes below their group: meshes through groups of their own, models of the game as entities.
    pub(super) fn instance_set(
        &mut self,
        live: &Live,
        element: ElementId,
        id: InstanceSetId,
        shapes: &Shapes,
    ) -> Result<(), WriteError> {
        let scene = self.scene;
        let Some(set) = scene.instance_sets.get(id) else { return Ok(()) };
        let mut groups: Vec<Option<(ElementId, ElementId)>> = Vec::with_capacity(set.models.len());
        for model in &set.models {
            groups.push(match model {
                Model::Mesh(_) => {
                    let group = self.editor.add_node(self.world, "CMapGroup")?;
                    Some((group, self.editor.add_node(group, "CMapMesh")?))
                }
                Model::Reference(_) => None,
            });
        }
        let mut nodes: Vec<Option<ElementId>> = Vec::with_capacity(set.model.len());
        for &model in &set.model {
            nodes.push(match groups.get(model as usize) {
                Some(Some(_)) => Some(self.editor.add_node(element, "CMapInstance")?),
                Some(None) => Some(self.editor.add_entity(element, "prop_static")?),
                None => None,
            });
        }
        let path = path(live.id);
        for (model, group) in set.models.iter().zip(&groups) {
            if let (Model::Mesh(mesh), Some((group, node))) = (model, group) {
                let place = Live { world: Transform::IDENTITY, ..*live };
                self.put_place(*group, &Transform::IDENTITY);
                let content = Node::new("", Content::Mesh(*mesh));
                self.shape(&place, *node, &content, None, shapes, &path)?;
            }
        }
        for (index, (&model, node)) in set.model.iter().zip(nodes).enumerate() {
            let (Some(node), Some(transform)) = (node, set.transforms.get(index)) else { continue };
            self.put_place(node, &live.world.then(&transform));
            match (set.models.get(model as usize), groups.get(model as usize).copied().flatten()) {
                (Some(Model::Reference(model)), _) => {
                    let model = self.plain(model);
                    self.editor.set_key(node, "model", model)?;
                }
                (_, Some((group, _))) => self.set(node, "target", Value::Element(Reference::Element(group))),
                _ => {}
            }
        }
        Ok(())
    }
}
