//! Scene → document: into a new one, or into the one that the scene came from.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};

use mapwright_dmx::{ElementId, Value};
use mapwright_io::{Error, Position};
use mapwright_scene::{ColorSpace, Content, Estimate, Losses, MeshCounts, Model, Node, NodeId, Scene, Transform};

use super::live::{Live, live};
use super::shown::Definitions;
use super::to::Reading;
use super::values::{self, CLASS};
use super::{ExportOptions, angles, capabilities, names};
use crate::{Document, Editor, HiddenFlags, WriteError, WriteErrorKind};

/// Writes one scene.
pub(super) struct Writer<'a, 'e, 'm> {
    pub(super) scene: &'a Scene,
    pub(super) base: Option<&'a Reading>,
    pub(super) editor: &'e mut Editor<'m>,
    pub(super) losses: Losses,
    /// The nodes that count.
    pub(super) live: Vec<Live>,
    /// The element of each node.
    pub(super) elements: Vec<Option<ElementId>>,
    /// The node of the base that each node is.
    pub(super) old: Vec<Option<NodeId>>,
    /// Where each node of the base stands.
    old_worlds: Vec<Option<Transform>>,
    pub(super) world: ElementId,
    pub(super) definitions: Definitions,
    /// Nodes that are to be shown or hidden.
    hidden: Vec<(ElementId, HiddenFlags)>,
    /// Numbers that single precision cannot tell.
    pub(super) rounded: usize,
    /// Texts from which zero bytes were taken.
    pub(super) cut: usize,
}

/// Puts a scene, as in maps, into a document; what the base says the same stays as it is.
/// `space`: that of its colours before they became those of maps.
pub(super) fn write(
    document: &mut Document,
    scene: &Scene,
    space: ColorSpace,
    base: Option<&Reading>,
    options: &ExportOptions,
) -> Result<Losses, WriteError> {
    if let Some(finding) = scene.first_error() {
        return Err(Error::on_path(WriteErrorKind::Scene(finding.message), finding.path));
    }
    let paths = |document: &Document| -> HashSet<Vec<u8>> {
        document.assets().iter().map(|asset| asset.path.to_ascii_lowercase()).collect()
    };
    let known = if base.is_some() { paths(document) } else { HashSet::new() };
    let called = if base.is_some() { called(document) } else { BTreeSet::new() };
    let mut losses = capabilities().losses(scene);
    super::report(scene, space, &mut losses);
    document.edit_with(&options.edit, |editor| {
        let world = editor.world()?;
        let mut writer = Writer {
            scene,
            base,
            editor,
            losses,
            live: live(scene),
            elements: vec![None; scene.nodes.len()],
            old: vec![None; scene.nodes.len()],
            old_worlds: Vec::new(),
            world,
            definitions: Definitions::default(),
            hidden: Vec::new(),
            rounded: 0,
            cut: 0,
        };
        writer.all(options.max_bytes)?;
        writer.tell_uncalled(&called);
        writer.list_assets(&known)?;
        Ok(writer.losses)
    })
}

impl<'a> Writer<'a, '_, '_> {
    fn all(&mut self, max_bytes: u64) -> Result<(), WriteError> {
        self.find_old();
        self.find_shared();
        // Check the limit here: shared meshes are known now, and nothing is made yet.
        let checked = self.estimate().check(max_bytes);
        checked.map_err(|excess| Error::new(excess.into(), Position::file(0)))?;
        self.divide_places();
        self.add_nodes()?;
        self.define()?;
        let shapes = self.shapes();
        self.define_meshes(&shapes)?;
        for index in 0..self.live.len() {
            let Some(&live) = self.live.get(index) else { break };
            let (Some(node), Some(element)) = (self.scene.nodes.get(live.id), self.element(live.id)) else { continue };
            self.node(&live, node, element, &shapes)?;
        }
        if !self.hidden.is_empty() {
            self.editor.set_all_hidden(&self.hidden)?;
        }
        self.children();
        self.remove_rest()?;
        self.cameras()?;
        self.sets()?;
        self.rest();
        if self.rounded > 0 {
            let what = format!("{} numbers, in single precision", self.rounded);
            self.losses.approximated("", what);
        }
        if self.cut > 0 {
            self.losses.repaired("", format!("{} texts with a zero byte, without it", self.cut));
        }
        Ok(())
    }

    /// Estimates the size of the map, and the memory for its elements.
    fn estimate(&self) -> Estimate {
        let scene = self.scene;
        let mut shared = vec![false; scene.meshes.len()];
        let (mut size, mut sides, mut instances) = (MeshCounts::default(), 0_u64, 0_u64);
        let of = |id| scene.meshes.get(id).map_or_else(MeshCounts::default, MeshCounts::of);
        for live in &self.live {
            let Some(node) = scene.nodes.get(live.id) else { continue };
            match &node.content {
                content @ Content::Mesh(id) => {
                    let made = shared.get_mut(id.index()).filter(|_| self.definitions.shares(content));
                    if !made.is_some_and(|made| std::mem::replace(made, true)) {
                        size = size + of(*id);
                    }
                }
                Content::Brush(id) => {
                    let count = scene.brushes.get(*id).map_or(0, |brush| brush.sides.len());
                    sides = sides.saturating_add(count as u64);
                }
                Content::Terrain(id) => {
                    if let Some(terrain) = scene.terrains.get(*id) {
                        // Two triangles for every square between four heights.
                        let [columns, rows] = terrain.size.map(|count| u64::from(count.saturating_sub(1)));
                        let squares = MeshCounts::new(1, 2, 6);
                        size = size + squares.times(columns.saturating_mul(rows));
                    }
                }
                Content::InstanceSet(id) => {
                    if let Some(set) = scene.instance_sets.get(*id) {
                        instances = instances.saturating_add(set.transforms.len() as u64);
                        let meshes = set.models.iter();
                        let meshes =
                            meshes.filter_map(|model| if let Model::Mesh(id) = model { Some(*id) } else { None });
                        size = meshes.fold(size, |size, id| size + of(id));
                    }
                }
                _ => {}
            }
        }
        // A face corner stores six numbers of its half-edge, texture coordinates, a normal and a tangent. The memory includes all
        // intermediate forms; it was measured with a large height field.
        let estimate =
            Estimate::default().with(size.corners, 60, 250).with(size.vertices, 12, 86).with(size.faces, 4, 80);
        // A side of a brush has three corners or more. A node has some 20 attributes.
        let nodes = instances.saturating_add(self.live.len() as u64);
        estimate.with(sides, 180, 1000).with(nodes, 200, 2000)
    }

    /// The element of a node.
    pub(super) fn element(&self, id: NodeId) -> Option<ElementId> {
        self.elements.get(id.index()).copied().flatten()
    }

    /// Where a node stood in the base.
    pub(super) fn old_world(&self, id: NodeId) -> Option<Transform> {
        self.old_worlds.get(self.old.get(id.index()).copied().flatten()?.index()).copied().flatten()
    }

    /// What a node was in the base.
    pub(super) fn old_node(&self, id: NodeId) -> Option<&'a Node> {
        self.base?.scene.nodes.get(self.old.get(id.index()).copied().flatten()?)
    }

    /// Finds the nodes of the base by their keys. The first node of a key has it.
    fn find_old(&mut self) {
        let Some(base) = self.base else { return };
        self.old_worlds = vec![None; base.scene.nodes.len()];
        let mut keys: HashMap<&str, NodeId> = HashMap::new();
        for live in live(&base.scene) {
            if let Some(place) = self.old_worlds.get_mut(live.id.index()) {
                *place = Some(live.world);
            }
            if let Some(key) = base.scene.nodes.get(live.id).and_then(|node| node.key.as_deref()) {
                keys.insert(key, live.id);
            }
        }
        for live in &self.live {
            let Some(node) = self.scene.nodes.get(live.id) else { continue };
            let Some(&old) = node.key.as_deref().and_then(|key| keys.get(key)) else { continue };
            let same = base.scene.nodes.get(old).is_some_and(|old| is_alike(&old.content, &node.content));
            let element = base.elements.get(old.index()).copied().filter(|_| same);
            if let (Some(element), Some(key)) = (element, node.key.as_deref()) {
                keys.remove(key);
                if let (Some(place), Some(of)) =
                    (self.elements.get_mut(live.id.index()), self.old.get_mut(live.id.index()))
                {
                    (*place, *of) = (Some(element), Some(old));
                }
            }
        }
    }

    /// Adds the elements of new nodes, without anything in them.
    fn add_nodes(&mut self) -> Result<(), WriteError> {
        self.find_world();
        let mut others = Vec::new();
        for index in 0..self.live.len() {
            let Some(&live) = self.live.get(index) else { break };
            let Some(node) = self.scene.nodes.get(live.id).filter(|_| self.element(live.id).is_none()) else {
                continue;
            };
            let path = path(live.id);
            let usual = match &node.content {
                Content::Camera(_) if node.children.is_empty() => continue,
                content if self.definitions.shares(content) => Some("CMapInstance"),
                content => class(content),
            };
            let usual = match usual {
                Some(class) => class,
                // What the format has not, and nothing is below.
                None if node.children.is_empty() => continue,
                None => "CMapGroup",
            };
            let parent = self.parent(&live);
            let wanted = node.properties.get(CLASS).and_then(scene_text).filter(|wanted| *wanted != usual);
            let known = wanted.filter(|wanted| class_fits(&node.content, wanted));
            let made = known.and_then(|known| self.editor.add_node(parent, known).ok());
            let element = match (made, known) {
                (Some(element), _) => element,
                (None, Some(unknown)) if is_map_class(unknown) => {
                    let element = self.editor.add_node(parent, usual)?;
                    others.push((element, unknown));
                    element
                }
                _ => {
                    if let Some(class) = wanted {
                        self.losses.approximated(&path, format!("the class {class}, as {usual}"));
                    }
                    self.editor.add_node(parent, usual)?
                }
            };
            if let Some(place) = self.elements.get_mut(live.id.index()) {
                *place = Some(element);
            }
        }
        // Classes that are not known have what all nodes have, and what the scene says.
        for (element, class) in others {
            let graph = self.editor.graph_mut();
            let class = graph.intern(class);
            if let Some(element) = graph.elements.get_mut(element.index()) {
                element.class = class;
            }
            graph.unset(element, "deformationMode");
        }
        Ok(())
    }

    /// The node that stands for the world, if it is not the one of the base: the first root that is a `worldspawn`.
    fn find_world(&mut self) {
        if self.elements.contains(&Some(self.world)) {
            return;
        }
        let is_world = |live: &&Live| {
            let content = self.scene.nodes.get(live.id).map(|node| &node.content);
            let entity = match content {
                Some(Content::Entity(id)) => self.scene.entities.get(*id),
                _ => None,
            };
            live.parent.is_none() && live.shown && entity.is_some_and(|entity| entity.class == "worldspawn")
        };
        let Some(id) = self.live.iter().find(is_world).map(|live| live.id) else { return };
        if self.element(id).is_none()
            && let Some(place) = self.elements.get_mut(id.index())
        {
            *place = Some(self.world);
        }
    }

    /// The element that a new node is to be added below.
    pub(super) fn parent(&self, live: &Live) -> ElementId {
        // Cameras of the map are no nodes.
        let is_camera = |id: &NodeId| {
            let content = self.scene.nodes.get(*id).map(|node| &node.content);
            matches!(content, Some(Content::Camera(_))) && self.old_node(*id).is_some()
        };
        live.parent.filter(|id| !is_camera(id)).and_then(|parent| self.element(parent)).unwrap_or(self.world)
    }

    /// What a node says.
    fn node(
        &mut self,
        live: &Live,
        node: &'a Node,
        element: ElementId,
        shapes: &super::shapes::Shapes,
    ) -> Result<(), WriteError> {
        let path = path(live.id);
        let old = self.old_node(live.id);
        let skip = match &node.content {
            Content::Camera(_) if self.old.get(live.id.index()).is_some_and(Option::is_some) => return Ok(()),
            Content::Entity(id) => {
                self.entity(element, *id, old, &path)?;
                &names::ENTITY[..]
            }
            Content::Light(id) => {
                self.light(element, *id, old, &path)?;
                &names::LIGHT[..]
            }
            content if self.definitions.shares(content) => {
                self.shared_mesh(element, content);
                &names::INSTANCE[..]
            }
            Content::Mesh(_) | Content::Brush(_) | Content::Terrain(_) => {
                self.shape(live, element, node, old, shapes, &path)?;
                &names::MESH[..]
            }
            Content::Prefab(prefab) => {
                self.prefab(element, prefab, old, &path)?;
                &names::PREFAB[..]
            }
            Content::Instance(target) => {
                self.instance(live.id, element, *target);
                &names::INSTANCE[..]
            }
            Content::InstanceSet(id) => {
                self.instance_set(live, element, *id, shapes)?;
                &[][..]
            }
            Content::Marker => {
                self.marker(element, node)?;
                &names::ENTITY[..]
            }
            Content::Path(id) => {
                self.path(live, element, *id, old, &path)?;
                &names::PATH[..]
            }
            _ => &[][..],
        };
        self.place(live, node, element, &path);
        self.properties(element, &node.properties, old.map(|old| &old.properties), skip, &path);
        self.name(element, node, old, &path)?;
        if old.map_or(node.locked, |old| old.locked != node.locked) {
            self.set(element, "transformLocked", Value::Bool(u8::from(node.locked)));
        }
        self.visible(element, node, old);
        Ok(())
    }

    /// Writes a named place as an entity without a task.
    fn marker(&mut self, element: ElementId, node: &Node) -> Result<(), WriteError> {
        self.editor.set_key(element, "classname", "info_target")?;
        let name = self.plain(&node.name);
        self.editor.set_key(element, "targetname", name)
    }

    fn name(&mut self, element: ElementId, node: &Node, old: Option<&'a Node>, path: &str) -> Result<(), WriteError> {
        if old.is_some_and(|old| old.name == node.name) {
            return Ok(());
        }
        let found = self.editor.map().graph().element(element);
        let fallback = found.map(|node| values::text(names::fallback(node)));
        if node.name.is_empty() {
            self.losses.synthesized(path, "a name: that of its kind");
        }
        // What has its name in the game alone is called otherwise there.
        let entity = found.filter(|node| node.name().is_empty()).and_then(|node| crate::Node(node).entity());
        let called = entity.map(|entity| values::text(entity.targetname())).filter(|name| !name.is_empty());
        if old.is_some_and(|old| !node.name.is_empty() && called.as_ref() == Some(&old.name)) {
            let name = self.plain(&node.name);
            return self.editor.set_key(element, "targetname", name);
        }
        let name = if fallback.as_ref() == Some(&node.name) { String::new() } else { self.plain(&node.name) };
        self.editor.set_name(element, name)
    }

    /// Outputs say by name whom they are for, and stay as they are where nothing has the name any more.
    fn tell_uncalled(&mut self, before: &BTreeSet<Vec<u8>>) {
        let map = self.editor.map();
        let now = called(map);
        if before.is_subset(&now) {
            return;
        }
        let mut outputs: BTreeMap<&[u8], usize> = BTreeMap::new();
        for output in map.nodes().flat_map(|visit| visit.node.connections()) {
            let target = output.target().to_ascii_lowercase();
            if is_called(before, &target) && !is_called(&now, &target) {
                *outputs.entry(output.target()).or_default() += 1;
            }
        }
        for (name, count) in outputs {
            let (name, still) =
                (values::text(name), if count == 1 { "output still names" } else { "outputs still name" });
            let what = format!("{count} {still} \"{name}\", which nothing is called now: change the target, too");
            self.losses.dropped("", what);
        }
    }

    /// A text without zero bytes.
    pub(super) fn plain(&mut self, text: &str) -> String {
        let plain = text.replace('\0', "");
        self.cut += usize::from(plain.len() != text.len());
        plain
    }

    /// Whether the editor shows a node.
    fn visible(&mut self, element: ElementId, node: &Node, old: Option<&Node>) {
        let stated = |node: &Node| {
            let flag = node.properties.get("hiddenFlags").and_then(mapwright_scene::Value::as_int);
            flag.and_then(|flag| i32::try_from(flag).ok())
        };
        let usual = HiddenFlags::SELECTION_SET.0;
        let was = old.filter(|old| !old.visible).map_or(0, |old| stated(old).unwrap_or(usual));
        let is = match stated(node) {
            _ if node.visible => 0,
            // Hidden by nothing: as before.
            Some(0) if was != 0 => was,
            Some(0) | None => usual,
            Some(flag) => flag,
        };
        if was != is {
            self.hidden.push((element, HiddenFlags(is)));
        }
    }

    /// Where a node stands.
    fn place(&mut self, live: &Live, node: &Node, element: ElementId, path: &str) {
        let turned = |world: &Transform, node: &Node| match node.content {
            Content::Light(_) => angles::turned(world, &angles::BACK),
            _ => *world,
        };
        let old = self.old.get(live.id.index()).copied().flatten();
        let old = old.and_then(|old| {
            let world = self.old_worlds.get(old.index()).copied().flatten()?;
            Some(turned(&world, self.base?.scene.nodes.get(old)?))
        });
        let world = turned(&live.world, node);
        if old == Some(world) {
            return;
        }
        if element == self.world && old.is_some() {
            self.losses.dropped(path, "another place of the world itself, which stands where it is");
            return;
        }
        let (origin, rotation, scale) = angles::file_trs(&world).unwrap_or_else(|| {
            self.losses.approximated(path, "a transform that shears or collapses space, without that");
            angles::nearest_trs(&world)
        });
        let before = old.as_ref().and_then(angles::file_trs);
        let far = |a: &[f64], b: &[f64]| a.iter().zip(b).any(|(a, b)| (a - b).abs() > 1e-9 * a.abs().max(1.0));
        let is_new = old.is_none();
        if before.as_ref().is_none_or(|(old, _, _)| far(old, &origin)) {
            let value = origin.map(|c| self.narrow(c));
            let value = self.with_signs(element, "origin", value);
            self.set_usual(element, "origin", Value::Vector3(value), &Value::Vector3([0.0; 3]), is_new);
        }
        let same_turn = |old: &[f64; 4]| {
            let along: f64 = old.iter().zip(&rotation).map(|(a, b)| a * b).sum();
            along.abs() > 1.0 - 1e-15
        };
        if !before.as_ref().is_some_and(|(_, old, _)| same_turn(old)) {
            let value = angles::angles(rotation).map(values::narrow);
            let value = self.with_signs(element, "angles", value);
            self.set_usual(element, "angles", Value::QAngle(value), &Value::QAngle([0.0; 3]), is_new);
        }
        if before.as_ref().is_none_or(|(_, _, old)| far(old, &scale)) {
            let value = scale.map(|c| self.narrow(c));
            self.set_usual(element, "scales", Value::Vector3(value), &Value::Vector3([1.0; 3]), is_new);
        }
    }

    /// Numbers, zeros with the signs that they have in an attribute, if they are zeros there.
    fn with_signs(&mut self, element: ElementId, name: &str, new: [f32; 3]) -> [f32; 3] {
        let old = match self.editor.map().graph().element(element).and_then(|element| element.get(name)) {
            Some(Value::Vector3(old) | Value::QAngle(old)) => *old,
            _ => [0.0; 3],
        };
        let mut signed = new;
        for (new, old) in signed.iter_mut().zip(old) {
            *new = if *new == old { old } else { *new + 0.0 };
        }
        signed
    }

    /// Puts an element that is no node of the scene somewhere.
    pub(super) fn put_place(&mut self, element: ElementId, world: &Transform) {
        let (origin, rotation, scale) = angles::file_trs(world).unwrap_or_else(|| {
            self.losses.approximated("", "a transform that shears or collapses space, without that");
            angles::nearest_trs(world)
        });
        let origin = origin.map(|c| self.narrow(c));
        let scale = scale.map(|c| self.narrow(c));
        self.set(element, "origin", Value::Vector3(origin));
        self.set(element, "angles", Value::QAngle(angles::angles(rotation).map(values::narrow)));
        self.set(element, "scales", Value::Vector3(scale));
    }

    /// The nearest number of the file; counts those that are not the same.
    pub(super) fn narrow(&mut self, number: f64) -> f32 {
        let narrow = values::narrow(number);
        self.rounded += usize::from(is_rounded(number));
        narrow
    }

    /// Lists the assets that the map did not name before.
    fn list_assets(&mut self, known: &HashSet<Vec<u8>>) -> Result<(), WriteError> {
        let assets = self.editor.map().assets();
        let new = assets.into_iter().filter(|asset| !known.contains(&asset.path.to_ascii_lowercase()));
        let new: Vec<Vec<u8>> = new.map(|asset| asset.path.to_vec()).collect();
        new.into_iter().try_for_each(|path| self.editor.add_asset(path))
    }

    /// What the scene says as a whole.
    fn rest(&mut self) {
        let old = self.base.map(|base| &base.scene.properties);
        let properties = &self.scene.properties;
        self.properties(ElementId::ROOT, properties, old, &names::ROOT, "properties");
    }
}

/// Whether single precision changes a number by more than the last digits of double precision.
pub(super) fn is_rounded(number: f64) -> bool {
    (f64::from(values::narrow(number)) - number).abs() > 1e-10 * number.abs() + 1e-12
}

/// How losses name a node of the scene.
pub(super) fn path(id: NodeId) -> String {
    format!("nodes[{}]", id.index())
}

fn scene_text(value: &mapwright_scene::Value) -> Option<&str> {
    value.as_text()
}

/// Whether one element can say both.
fn is_alike(a: &Content, b: &Content) -> bool {
    match (a, b) {
        (Content::Light(_) | Content::Entity(_), Content::Light(_) | Content::Entity(_)) => true,
        _ => std::mem::discriminant(a) == std::mem::discriminant(b),
    }
}

/// The class that nodes of a content have; `None` for what maps do not have.
fn class(content: &Content) -> Option<&'static str> {
    Some(match content {
        Content::Group | Content::InstanceSet(_) => "CMapGroup",
        Content::Mesh(_) | Content::Brush(_) | Content::Terrain(_) => "CMapMesh",
        Content::Light(_) | Content::Entity(_) | Content::Marker => "CMapEntity",
        Content::Path(_) => "CMapPath",
        Content::Instance(_) => "CMapInstance",
        Content::Prefab(_) => "CMapPrefab",
        _ => return None,
    })
}

/// Whether a name is one that a class of nodes may have.
fn is_map_class(name: &str) -> bool {
    let rest = name.strip_prefix("CMap").filter(|rest| !["World", ""].contains(rest));
    rest.is_some_and(|rest| rest.len() < 64 && rest.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_'))
}

/// Whether nodes of a class can have a content.
fn class_fits(content: &Content, class: &str) -> bool {
    let is = |classes: &[&str]| classes.contains(&class);
    let path = names::is_path(class.as_bytes());
    let mesh = is(&["CMapMesh", "CMapStaticOverlay", "CMapTileMesh"]);
    let prefab = is(&["CMapPrefab", "CMapTileObject"]);
    match content {
        Content::Mesh(_) => mesh,
        Content::Path(_) => path,
        Content::Prefab(_) => prefab,
        Content::Group => !(path || mesh || prefab || is(&["CMapEntity", "CMapInstance"])),
        _ => false,
    }
}

/// By what names outputs find entities. In whatever case, as in the engines before: of Source 2 it
/// is not known.
fn called(map: &Document) -> BTreeSet<Vec<u8>> {
    let entities = map.nodes().filter_map(|visit| visit.node.entity());
    entities.map(|entity| entity.targetname().to_ascii_lowercase()).filter(|name| !name.is_empty()).collect()
}

/// Whether an output finds anything by its target, which may be the beginning of a name and a star.
fn is_called(names: &BTreeSet<Vec<u8>>, target: &[u8]) -> bool {
    match target.strip_suffix(b"*") {
        Some(start) => names.range(start.to_vec()..).next().is_some_and(|name| name.starts_with(start)),
        None => names.contains(target),
    }
}
