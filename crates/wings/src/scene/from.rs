//! Scene → document: into an empty one, or into the one that the scene came from.

use std::collections::{HashMap, HashSet};

use mapwright_io::Error;
use mapwright_scene::{
    ColorSpace, Content, Estimate, ImageSource, Losses, MeshCounts, Node, NodeId, Scene, Transform, Visit,
};

use super::objects::Written;
use super::terms::make;
use super::to::{Reading, keys};
use super::{ExportOptions, capabilities};
use crate::{Model, Object, Shape, WingedMesh, WriteError, WriteErrorKind};

/// Writes one scene.
pub(super) struct Writer<'a> {
    pub(super) scene: &'a Scene,
    pub(super) base: Option<&'a Reading>,
    pub(super) options: &'a ExportOptions,
    pub(super) model: Model,
    pub(super) losses: Losses,
    /// The number in the file of each image of the scene.
    pub(super) image_ids: Vec<Option<i64>>,
    /// Which shapes of the document have a node again.
    pub(super) used_shapes: Vec<bool>,
    /// Whether a node or one above it is locked.
    pub(super) locked: Vec<bool>,
    /// The objects in the order of the file, by their place in the order of the scene; `None`: one that was never in it.
    pub(super) order: Vec<Option<usize>>,
    worlds: Vec<Transform>,
    keys: HashMap<&'a str, NodeId>,
}

/// The model of a scene; what the base says the same stays as it is.
pub(super) fn write(
    scene: &Scene,
    base: Option<&Reading>,
    options: &ExportOptions,
) -> Result<(Model, Losses), WriteError> {
    if let Some(finding) = scene.first_error() {
        return Err(Error::on_path(WriteErrorKind::Scene(finding.message), finding.path));
    }
    estimate(scene).check(options.max_bytes).map_err(|excess| Error::without_position(excess.into()))?;
    let mut losses = capabilities().losses(scene);
    if scene.color_space == ColorSpace::Linear && !(scene.materials.is_empty() && scene.lights.is_empty()) {
        losses.approximated("color_space", "colours, computed for a screen");
    }
    if !scene.properties.is_empty() {
        losses.dropped("properties", "properties of the scene");
    }
    if !scene.name.is_empty() {
        losses.dropped("name", "name of the scene");
    }
    let mut writer = Writer {
        scene,
        base,
        options,
        model: match base {
            Some(base) => base.model.clone(),
            None => Model { version: 2, ..Model::default() },
        },
        losses,
        image_ids: Vec::new(),
        used_shapes: base.map_or_else(Vec::new, |base| vec![false; base.objects.len()]),
        locked: vec![false; scene.nodes.len()],
        order: Vec::new(),
        worlds: vec![Transform::IDENTITY; scene.nodes.len()],
        keys: base.map_or_else(HashMap::new, |base| keys(&base.scene)),
    };
    writer.all()?;
    Ok((writer.model, writer.losses))
}

/// The size of the terms, before they are packed, and the memory for winged edges and terms. Every node has a mesh of its own.
fn estimate(scene: &Scene) -> Estimate {
    // In the file, an edge is a tuple of eight numbers, which two corners share; a vertex is a binary of 24 bytes. In memory, an
    // edge takes 120 bytes. The rest was measured.
    let shown = scene.occurrences().counts(scene);
    let MeshCounts { vertices, faces, corners, .. } = shown.meshes;
    let estimate = Estimate::default().with(corners, 0, 118).with(vertices, 0, 130).with(faces, 0, 61);
    // Pixels are in the model, in the terms and in the payload.
    let pixels = scene.images.items().iter().map(|image| match &image.source {
        ImageSource::Pixels(pixels) => pixels.data.len() as u64,
        _ => 0,
    });
    // Names are in the model, in the terms and in the payload.
    let names = shown.names.saturating_add(shown.material_names);
    estimate.with(shown.nodes, 0, 400).with(names, 0, 3).with(pixels.fold(0, u64::saturating_add), 1, 3)
}

impl<'a> Writer<'a> {
    fn all(&mut self) -> Result<(), WriteError> {
        let empty = make(|term| {
            term.begin_list();
            term.end_list();
        })?;
        if self.base.is_none() {
            // In the order in which Wings writes them.
            self.model.props.set("scene_prefs", &empty)?;
            self.model.props.set("plugin_states", &empty)?;
        }
        let (mut meshes, mut lights, mut cameras) = (Vec::new(), Vec::new(), Vec::new());
        for visit in self.scene.walk() {
            let locked = visit.node.locked || self.above_locked(visit.parent);
            if let Some(place) = self.locked.get_mut(visit.id.index()) {
                *place = locked;
            }
            if let Some(place) = self.worlds.get_mut(visit.id.index()) {
                *place = visit.world;
            }
            match visit.node.content {
                Content::Mesh(mesh) => meshes.push((visit, mesh)),
                Content::Light(_) => lights.push(visit),
                Content::Camera(_) => cameras.push(visit),
                _ => {}
            }
        }
        let folders = self.folders();
        self.report_roots();
        self.cameras(&cameras)?;
        self.images()?;
        let names = self.materials()?;
        let mut shown = vec![0_usize; self.scene.meshes.len()];
        let mut objects = Vec::with_capacity(meshes.len());
        for (visit, mesh) in &meshes {
            if let Some(count) = shown.get_mut(mesh.index()) {
                *count += 1;
            }
            objects.extend(self.object(visit, *mesh, &folders, &names)?);
        }
        for (mesh, count) in shown.iter().enumerate().filter(|(_, count)| **count != 1) {
            let path = format!("meshes[{mesh}]");
            match count {
                0 => self.losses.dropped(path, "mesh that no node shows"),
                _ => self.losses.approximated(path, format!("mesh of {count} nodes, as so many objects")),
            }
        }
        self.shapes(&mut objects);
        self.lights(&lights)?;
        self.list_folders(&folders)?;
        self.sets(&objects)
    }

    /// Puts the objects where they were, and new ones behind them.
    fn shapes(&mut self, objects: &mut [Written]) {
        // Selections look at the objects afterwards. Where there are none, objects are not held twice.
        let is_needed = !self.scene.sets.is_empty() || self.base.is_some();
        let take = |written: &mut Written| match is_needed {
            true => written.object.clone(),
            false => std::mem::replace(&mut written.object, Object::new("", WingedMesh::default())),
        };
        let olds = std::mem::take(&mut self.model.shapes);
        // The order of the nodes counts where it is not the one that the file led to.
        let now: Vec<usize> = objects.iter().filter_map(|object| object.old).collect();
        let kept: HashSet<usize> = now.iter().copied().collect();
        let led_to: Vec<usize> = self.base.map_or_else(Vec::new, |base| {
            let places = base.objects.iter().enumerate();
            let numbers: HashMap<NodeId, usize> =
                places.filter_map(|(number, place)| Some((place.as_ref()?.node, number))).collect();
            let walk = base.scene.walk().filter_map(|visit| numbers.get(&visit.id).copied());
            walk.filter(|number| kept.contains(number)).collect()
        });
        let by_old: HashMap<usize, usize> =
            objects.iter().enumerate().filter_map(|(index, object)| Some((object.old?, index))).collect();
        let mut shapes = Vec::with_capacity(objects.len());
        let unread = |index: usize| self.base.is_some_and(|base| base.objects.get(index).is_some_and(Option::is_none));
        let mut order = Vec::new();
        for (number, shape) in olds.into_iter().enumerate() {
            let written = by_old.get(&number).and_then(|&index| Some((index, objects.get_mut(index)?)));
            match written.filter(|_| now == led_to) {
                Some((index, written)) => {
                    order.push(Some(index));
                    shapes.push(Shape::Object(take(written)));
                }
                None if unread(number) => {
                    order.push(None);
                    shapes.push(shape);
                }
                None => {}
            }
        }
        for (index, written) in objects.iter_mut().enumerate() {
            if now != led_to || written.old.is_none() {
                order.push(Some(index));
                shapes.push(Shape::Object(take(written)));
            }
        }
        self.model.shapes = shapes;
        self.order = order;
    }

    /// Files have objects, then empty folders, lights and views.
    fn report_roots(&mut self) {
        let rank = |id: &NodeId| match self.scene.nodes.get(*id).map(|node| (&node.content, node.children.is_empty())) {
            Some((Content::Light(_), _)) => 2,
            Some((Content::Camera(_), _)) => 3,
            Some((Content::Group, true)) => 1,
            _ => 0,
        };
        if self.base.is_none() && !self.scene.roots.iter().map(rank).is_sorted() {
            self.losses.approximated("roots", "order of the nodes: objects come first, then lights, then cameras");
        }
    }

    pub(super) fn above_locked(&self, parent: Option<NodeId>) -> bool {
        parent.is_some_and(|parent| self.locked.get(parent.index()).copied().unwrap_or_default())
    }

    /// From the space of a node to that of the scene.
    pub(super) fn world(&self, node: Option<NodeId>) -> Transform {
        node.and_then(|node| self.worlds.get(node.index()).copied()).unwrap_or_default()
    }

    /// The entry of a list that a key leads to, with the node that it was. Only the first that asks gets it.
    pub(super) fn old_node(&mut self, key: Option<&'a str>, list: &str) -> Option<(usize, &'a Node)> {
        let key = key?;
        let number = key.strip_prefix(list)?.strip_prefix('[')?.strip_suffix(']')?.parse().ok()?;
        let node = self.keys.remove(key)?;
        Some((number, self.base?.scene.nodes.get(node)?))
    }

    /// The entries of a list that nodes stand for: those that the document has in its order, behind them the new ones.
    pub(super) fn entries<T: Clone, C>(
        &mut self,
        list: &str,
        olds: &[T],
        found: &[Visit<'a>],
        content: fn(&'a Scene, &Content) -> Option<&'a C>,
        mut write: impl FnMut(&mut Self, Option<T>, &Entry<'_, 'a, C>) -> Result<T, WriteError>,
    ) -> Result<Vec<T>, WriteError> {
        let mut written: Vec<(usize, T)> = Vec::new();
        for visit in found {
            let Some(new) = content(self.scene, &visit.node.content) else { continue };
            let old = self.old_node(visit.node.key.as_deref(), list);
            let old = old.and_then(|(index, node)| Some((index, node, content(&self.base?.scene, &node.content)?)));
            let index = old.map_or(usize::MAX, |(index, ..)| index);
            let path = format!("nodes[{}]", visit.id.index());
            let entry = Entry { visit, new, old: old.map(|(_, node, content)| (node, content)), path };
            written.push((index, write(self, olds.get(index).cloned(), &entry)?));
        }
        written.sort_by_key(|(index, _)| *index);
        Ok(written.into_iter().map(|(_, entry)| entry).collect())
    }
}

/// A node that stands for an entry of a list, with what it shows.
pub(super) struct Entry<'v, 'a, C> {
    pub(super) visit: &'v Visit<'a>,
    pub(super) new: &'a C,
    /// The node that the entry was read into, and what it showed.
    pub(super) old: Option<(&'a Node, &'a C)>,
    pub(super) path: String,
}

impl<C: PartialEq> Entry<'_, '_, C> {
    /// Whether all is as it was.
    pub(super) fn is_same(&self) -> bool {
        let Self { visit, new, old, .. } = self;
        old.is_some_and(|(node, content)| *node == *visit.node && content == *new) && visit.parent.is_none()
    }
}
