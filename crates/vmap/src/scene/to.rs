//! Document → scene: the nodes.

use std::collections::{HashMap, HashSet};

use mapwright_dmx::{ElementId, ElementRef, Guid, Value};
use mapwright_io::{Context, Position};
use mapwright_scene as scene;
use mapwright_scene::{Content, Losses, MaterialId, MeshId, Node, NodeId, Prefab, Properties, Scene, Transform};

use super::values::{CLASS, Values};
use super::{AXES, METRES_PER_UNIT, Subdivision, angles, cameras, entities, lights, loops, meshes, names, paths, sets};
use crate::mesh::Owned;
use crate::validate::lossy;
use crate::{Document, HiddenFlags, ReadError, ReadErrorKind, Visibility};

/// A document that was read into a scene, and where in it the parts of the scene come from.
pub(super) struct Reading {
    pub(super) scene: Scene,
    pub(super) losses: Losses,
    /// The element of each node.
    pub(super) elements: Vec<ElementId>,
    /// The element that has each node among its children; `None`: none, or it is a camera.
    pub(super) parents: Vec<Option<ElementId>>,
    /// The elements of the points of paths.
    pub(super) points: HashMap<NodeId, Vec<ElementId>>,
    /// The `CDmePolygonMesh` of each mesh.
    pub(super) meshes: Vec<ElementId>,
    /// The `CMapSelectionSet` of each set.
    pub(super) sets: Vec<ElementId>,
    /// The node of the world.
    pub(super) world: ElementId,
}

/// Reads one document.
pub(super) struct Reader<'a> {
    pub(super) graph: &'a mapwright_dmx::Document,
    pub(super) reading: Reading,
    pub(super) values: Values,
    pub(super) nodes: HashMap<ElementId, NodeId>,
    pub(super) materials: HashMap<String, MaterialId>,
    pub(super) mesh_ids: HashMap<ElementId, Option<MeshId>>,
    pub(super) owned: Owned,
    pub(super) subdivision: Subdivision,
    keys: HashSet<Guid>,
    hidden: HashMap<ElementId, i32>,
}

/// A node of the tree of elements.
struct Found {
    element: ElementId,
    /// The place of its parent; `None`: the world, or nothing.
    parent: Option<usize>,
    /// Whether a list of children leads to it.
    listed: bool,
}

pub(super) fn read(document: &Document, subdivision: Subdivision) -> Result<Reading, ReadError> {
    let graph = document.graph();
    let missing = |what| Err(ReadError::new(ReadErrorKind::MissingAttribute, Position::file(0))).in_field(what);
    let Some(root) = graph.root() else { return missing("root") };
    let Some(world) = root.child("world") else { return missing("world") };
    let scene = Scene { metres_per_unit: Some(METRES_PER_UNIT), ..Scene::default() };
    let reading = Reading {
        scene,
        losses: Losses::new(),
        elements: Vec::new(),
        parents: Vec::new(),
        points: HashMap::new(),
        meshes: Vec::new(),
        sets: Vec::new(),
        world: world.id(),
    };
    let mut reader = Reader {
        graph,
        reading,
        values: Values::new(graph, HashSet::from([root.id(), world.id()])),
        nodes: HashMap::new(),
        materials: HashMap::new(),
        mesh_ids: HashMap::new(),
        owned: Owned::default(),
        subdivision,
        keys: HashSet::new(),
        hidden: document.visibility().map_or_else(HashMap::new, hidden),
    };
    let (found, points) = reader.find(world);
    reader.world(world);
    reader.build(&found, points);
    reader.instances(&found);
    cameras::read(&mut reader, root);
    sets::read(&mut reader, root);
    reader.rest(root);
    if reader.values.left_out > 0 {
        let what =
            format!("{} long texts: the file repeats such texts more often than can be copied", reader.values.left_out);
        reader.reading.losses.dropped("", what);
    }
    Ok(reader.reading)
}

/// The flags of nodes that are not shown.
fn hidden(visibility: Visibility<'_>) -> HashMap<ElementId, i32> {
    visibility.hidden().map(|(node, flags)| (node.id(), flags.0)).collect()
}

impl<'a> Reader<'a> {
    /// All nodes below the world and all that instances show, parents before children; and the points of paths.
    fn find(&mut self, world: ElementRef<'a>) -> (Vec<Found>, HashMap<ElementId, Vec<ElementId>>) {
        let mut found: Vec<Found> = Vec::new();
        let mut points: HashMap<ElementId, Vec<ElementId>> = HashMap::new();
        let mut stack: Vec<(ElementId, Option<usize>, bool)> = Vec::new();
        let below = |node: ElementRef<'a>, parent, stack: &mut Vec<_>| {
            stack.extend(node.children("children").rev().map(|child| (child.id(), parent, true)));
        };
        below(world, None, &mut stack);
        let mut next = 0;
        loop {
            while let Some((id, parent, listed)) = stack.pop() {
                let Some(node) = self.graph.element(id) else { continue };
                if !self.values.seen.insert(id) {
                    self.reading.losses.dropped(names::path(node), "another place among children");
                    continue;
                }
                let above = parent.and_then(|parent: usize| self.graph.element(found.get(parent)?.element));
                if let Some(above) =
                    above.filter(|above| names::is_path(above.class()) && names::is_point(node.class()))
                {
                    points.entry(above.id()).or_default().push(id);
                    continue;
                }
                below(node, Some(found.len()), &mut stack);
                found.push(Found { element: id, parent, listed });
            }
            // What instances show need not stand anywhere else.
            let Some(node) = found.get(next) else { break };
            next += 1;
            if let Some(target) = self.target(node.element).filter(|target| !self.values.seen.contains(&target.id())) {
                stack.push((target.id(), None, false));
            }
        }
        (found, points)
    }

    /// What an instance shows.
    fn target(&self, id: ElementId) -> Option<ElementRef<'a>> {
        self.graph.element(id).filter(|node| node.is("CMapInstance"))?.child("target")
    }

    /// The entity of the world itself, unless it says nothing.
    fn world(&mut self, world: ElementRef<'a>) {
        let node = self.node(world, angles_of(world).unwrap_or_default());
        let plain = match &node.content {
            Content::Entity(id) => self.reading.scene.entities.get(*id).is_none_or(|entity| {
                let keys = &entity.properties;
                let nameless = keys.len() == 1 && keys.get("targetname").and_then(scene::Value::as_text) == Some("");
                entity.class == "worldspawn" && (keys.is_empty() || nameless) && entity.connections.is_empty()
            }),
            _ => true,
        };
        if plain && node.properties.is_empty() && node.transform.is_identity() && node.visible && !node.locked {
            self.reading.scene.entities = scene::Arena::new();
            return;
        }
        self.add(world.id(), None, Some(None), node);
    }

    fn build(&mut self, found: &[Found], mut points: HashMap<ElementId, Vec<ElementId>>) {
        let definitions: HashSet<ElementId> = found
            .iter()
            .filter_map(|found| self.target(found.element))
            .filter(|target| target.is("CMapGroup"))
            .map(ElementRef::id)
            .collect();
        // The node of each place, with the nearest one up from it that does not collapse space: what stands below stands there.
        let mut nodes: Vec<(NodeId, Option<(NodeId, Transform)>)> = Vec::with_capacity(found.len());
        let mut collapsed = 0_usize;
        for entry in found {
            let Some(element) = self.graph.element(entry.element) else { continue };
            let above = entry.parent.and_then(|parent| nodes.get(parent));
            let defines = definitions.contains(&entry.element);
            let anchor = above.filter(|_| !defines).and_then(|(_, anchor)| anchor.as_ref());
            let world = self.place(element);
            let parent_world = anchor.map_or(Transform::IDENTITY, |(_, world)| *world);
            let transform = angles::local(&parent_world, &world).unwrap_or_else(|| {
                self.reading.losses.repaired(names::path(element), "a place that numbers cannot tell");
                Transform::IDENTITY
            });
            if above.is_some_and(|(node, _)| anchor.is_none_or(|(anchor, _)| anchor != node)) && !defines {
                collapsed += 1;
            }
            let node = self.node(element, transform);
            let own_points = points.remove(&entry.element).unwrap_or_default();
            if let Content::Path(path) = node.content {
                paths::points(self, path, &world, &own_points);
            }
            let shown = (!defines && (entry.listed || entry.parent.is_some())).then(|| anchor.map(|(id, _)| *id));
            let parent = match (entry.listed, entry.parent) {
                (false, _) => None,
                (true, Some(parent)) => found.get(parent).map(|parent| parent.element),
                (true, None) => Some(self.reading.world),
            };
            // What is below a light does not turn with it.
            let own = if let Content::Light(_) = node.content { angles::turned(&world, &angles::AHEAD) } else { world };
            let id = self.add(entry.element, parent, shown, node);
            if !own_points.is_empty() {
                self.reading.points.insert(id, own_points);
            }
            let solid = own.determinant().is_normal() && angles::local(&own, &Transform::IDENTITY).is_some();
            let anchor = if solid { Some((id, own)) } else { anchor.copied() };
            nodes.push((id, anchor));
        }
        if collapsed > 0 {
            let what = format!("{collapsed} nodes below ones that collapse space, which stand beside them");
            self.reading.losses.approximated("nodes", what);
        }
        if !definitions.is_empty() {
            let what = format!("{} groups that instances show: only there, not where they stand", definitions.len());
            self.reading.losses.approximated("nodes", what);
        }
    }

    /// Where a node stands in the world of the scene.
    fn place(&mut self, node: ElementRef<'a>) -> Transform {
        angles_of(node).unwrap_or_else(|| {
            self.reading.losses.repaired(names::path(node), "a place with numbers that are not finite, as the origin");
            Transform::IDENTITY
        })
    }

    /// Adds a node: as a child, as a root, or where nothing leads to it.
    pub(super) fn add(
        &mut self,
        element: ElementId,
        parent: Option<ElementId>,
        shown: Option<Option<NodeId>>,
        mut node: Node,
    ) -> NodeId {
        let guid = self.graph.element(element).and_then(ElementRef::guid).filter(|&guid| guid != Guid::NIL);
        node.key = Some(match guid {
            Some(guid) if self.keys.insert(guid) => guid.to_string(),
            _ => format!("elements[{}]", element.index()),
        });
        let id = match shown {
            Some(above) => self.reading.scene.add_node(above, node),
            None => self.reading.scene.nodes.push(node),
        };
        self.reading.elements.push(element);
        self.reading.parents.push(parent);
        self.nodes.insert(element, id);
        id
    }

    /// A node without its children.
    fn node(&mut self, element: ElementRef<'a>, transform: Transform) -> Node {
        let (content, usual, skip): (Content, &str, &[&str]) = match element.class() {
            b"CMapEntity" | b"CMapWorld" if element.child("entity_properties").is_some() => {
                match lights::read(self, element) {
                    Some(light) => (Content::Light(light), "CMapEntity", &names::LIGHT),
                    None => (Content::Entity(entities::read(self, element)), "CMapEntity", &names::ENTITY),
                }
            }
            b"CMapInstance" => (Content::Group, "CMapInstance", &names::INSTANCE),
            b"CMapPrefab" | b"CMapTileObject" => (Content::Prefab(self.prefab(element)), "CMapPrefab", &names::PREFAB),
            class if names::is_path(class) => (paths::read(self, element), "CMapPath", &names::PATH),
            _ => match element.child("meshData").and_then(|mesh| meshes::find(self, element, mesh)) {
                Some(mesh) => (Content::Mesh(mesh), "CMapMesh", &names::MESH),
                // What is left of a mesh that cannot be read is none.
                None if element.child("meshData").is_some() => (Content::Group, "CMapGroup", &["meshData"]),
                None => (Content::Group, "CMapGroup", &[]),
            },
        };
        let mut properties = Properties::new();
        if !element.is(usual) && !element.is("CMapWorld") {
            properties.entries.extend(self.values.text(element.class()).map(|class| (CLASS.to_owned(), class.into())));
        }
        self.attributes(element, skip, &mut properties);
        let flag = self.hidden.get(&element.id()).copied().unwrap_or(0);
        if ![HiddenFlags::VISIBLE, HiddenFlags::SELECTION_SET].contains(&HiddenFlags(flag)) {
            properties.push("hiddenFlags", flag);
        }
        let transform = match content {
            Content::Light(_) => angles::turned(&transform, &angles::AHEAD),
            _ => transform,
        };
        Node {
            transform,
            visible: flag == 0,
            locked: matches!(element.get("transformLocked"), Some(Value::Bool(flag)) if *flag != 0),
            properties,
            ..Node::new(self.values.text(names::name(element)).unwrap_or_default(), content)
        }
    }

    /// What the attributes of a node say that do not say what they say as a rule.
    pub(super) fn attributes(&mut self, element: ElementRef<'a>, skip: &[&str], properties: &mut Properties) {
        let skipped = |name: &[u8]| names::PLACE.iter().chain(skip).any(|skip| skip.as_bytes() == name);
        for (name, value) in element.attributes() {
            if skipped(name) || names::is_usual(element, name, value) {
                continue;
            }
            let path = || format!("{}.{}", names::path(element), lossy(name));
            if let Some(value) = self.values.read(element, value, 0, &path, &mut self.reading.losses) {
                properties.entries.extend(self.values.text(name).map(|name| (name, value)));
            }
        }
    }

    fn prefab(&mut self, element: ElementRef<'a>) -> Prefab {
        let (names, values) = (element.texts("variableOverrideNames"), element.texts("variableOverrideValues"));
        if names.len() != values.len() {
            self.reading.losses.repaired(names::path(element), "more names than values of overrides, or fewer");
        }
        if element.child("target").is_some() {
            self.reading.losses.dropped(names::path(element), "a copy of the prefab");
        }
        Prefab {
            reference: self.values.text(element.text("targetMapPath").unwrap_or_default()).unwrap_or_default(),
            overrides: names
                .zip(values)
                .filter_map(|(name, value)| Some((self.values.text(name)?, self.values.text(value)?)))
                .collect(),
        }
    }

    /// Lets instances show what they show, where that comes to an end.
    fn instances(&mut self, found: &[Found]) {
        for entry in found {
            let (Some(&id), Some(element)) = (self.nodes.get(&entry.element), self.graph.element(entry.element)) else {
                continue;
            };
            if !element.is("CMapInstance") {
                continue;
            }
            let target = element.child("target").and_then(|target| self.nodes.get(&target.id()));
            let content = target.map(|&target| Content::Instance(target));
            if content.is_none() {
                self.reading
                    .losses
                    .dropped(names::path(element), "an instance of nothing, or of something outside the world");
            }
            if let (Some(node), Some(content)) = (self.reading.scene.nodes.get_mut(id), content) {
                node.content = content;
            }
        }
        for id in loops::cut(&mut self.reading.scene) {
            let element = self.reading.elements.get(id.index()).and_then(|&element| self.graph.element(element));
            let path = element.map_or_else(String::new, names::path);
            self.reading.losses.dropped(path, "an instance of something that it is part of");
        }
    }

    /// What else the file says.
    fn rest(&mut self, root: ElementRef<'a>) {
        let mut properties = Properties::new();
        self.attributes(root, &names::ROOT, &mut properties);
        self.reading.scene.properties = properties;
        for (name, what) in [("nodeInstanceData", "baked light of nodes"), ("m_ReferencedMeshSnapshots", "snapshots")] {
            let count = root.get(name).and_then(Value::array_len).unwrap_or(0);
            if count > 0 {
                self.reading.losses.dropped(name, format!("{what}: {count}"));
            }
        }
        for (name, what) in
            [("asset_preview_thumbnail", "the preview picture"), ("map_asset_references", "the list of files in use")]
        {
            if self.graph.prefix_value(name).is_some() {
                self.reading.losses.dropped(name, what);
            }
        }
    }
}

/// Where an element says that it stands, in the world of the scene; `None` if the numbers are not finite.
pub(super) fn angles_of(element: ElementRef<'_>) -> Option<Transform> {
    let read = |name: &str, usual: f64| match element.get(name) {
        Some(Value::Vector3(numbers) | Value::QAngle(numbers)) => numbers.map(f64::from),
        _ => [usual; 3],
    };
    let world = angles::world(read("origin", 0.0), read("angles", 0.0), read("scales", 1.0));
    angles::is_finite(&world).then_some(world)
}

/// A point of the file in the scene.
pub(super) fn point(point: [f32; 3]) -> [f64; 3] {
    AXES.apply(point.map(f64::from))
}
