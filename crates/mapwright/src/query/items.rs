//! What can be asked for: the nodes of a scene and the instances of its sets.

use std::borrow::Cow;
use std::ops::Range;

use mapwright_scene::{
    AxisChange, Content, InstanceSet, LightKind, MaterialId, Model, NodeId, Properties, Scene, Transform, Value, Visit,
    Walk,
};

use super::Query;
use super::expression::text_of;

/// A thing in a scene, with fields.
#[derive(Debug, Clone)]
pub struct Item<'a> {
    scene: &'a Scene,
    pub(super) visit: Visit<'a>,
    /// The instance of a set, and which of it is meant.
    pub(super) instance: Option<(&'a InstanceSet, usize)>,
    axes: AxisChange,
}

/// The items of a scene that a query means.
#[derive(Debug, Clone)]
pub struct Items<'a> {
    query: &'a Query,
    scene: &'a Scene,
    axes: AxisChange,
    walk: Walk<'a>,
    /// The set that is gone through, and what is left of it.
    set: Option<(Visit<'a>, &'a InstanceSet, Range<usize>)>,
}

/// The property of a light that is an entity of its game with that class.
pub(super) const CLASS: &str = "classname";

/// The words of kinds.
pub(super) const KINDS: [&str; 13] = [
    "group", "mesh", "brush", "terrain", "tiles", "instance", "light", "sound", "camera", "path", "marker", "entity",
    "prefab",
];

impl Query {
    /// The items of a scene that are meant, in the order of the scene. `axes` turns the axes of the file into those of the scene,
    /// see [`Format::axis_change`](crate::Format::axis_change).
    pub fn items<'a>(&'a self, scene: &'a Scene, axes: AxisChange) -> Items<'a> {
        Items { query: self, scene, axes, walk: scene.walk(), set: None }
    }
}

impl<'a> Iterator for Items<'a> {
    type Item = Item<'a>;

    fn next(&mut self) -> Option<Item<'a>> {
        loop {
            if let Some((visit, set, left)) = &mut self.set {
                let item = left.next().map(|at| Item {
                    scene: self.scene,
                    visit: visit.clone(),
                    instance: Some((set, at)),
                    axes: self.axes,
                });
                match item {
                    Some(item) if self.query.matches(&item) => return Some(item),
                    Some(_) => continue,
                    None => self.set = None,
                }
            }
            let visit = self.walk.next()?;
            if let Content::InstanceSet(id) = visit.node.content
                && let Some(set) = self.scene.instance_sets.get(id)
            {
                let count = set.transforms.len().min(set.model.len());
                self.set = Some((visit, set, 0..count));
                continue;
            }
            let item = Item { scene: self.scene, visit, instance: None, axes: self.axes };
            if self.query.matches(&item) {
                return Some(item);
            }
        }
    }
}

/// The names of what the scene says about a content in fields of its own.
pub(super) fn facts(content: &Content) -> &'static [&'static str] {
    match content {
        Content::Mesh(_) => &["vertices", "faces", "materials"],
        Content::Brush(_) => &["sides", "materials"],
        Content::Terrain(_) | Content::TileLayer(_) => &["columns", "rows"],
        Content::InstanceSet(_) => &["id", "model"],
        Content::Light(_) => &["shape", "color", "intensity", "range"],
        Content::Sound(_) => &["file", "volume", "range"],
        Content::Path(_) => &["points"],
        Content::Entity(_) => &["model"],
        Content::Prefab(_) => &["file"],
        _ => &[],
    }
}

impl<'a> Item<'a> {
    /// The fields that all items have; some have no key.
    pub const COMMON: [&'static str; 9] = ["kind", "class", "name", "key", "x", "y", "z", "visible", "locked"];

    /// The node; of an instance, that of its set.
    pub fn node(&self) -> NodeId {
        self.visit.id
    }

    /// The name of its node; may be empty.
    pub fn name(&self) -> &'a str {
        &self.visit.node.name
    }

    /// What it may have by what stands there.
    pub(super) fn facts(&self) -> &'static [&'static str] {
        facts(&self.visit.node.content)
    }

    /// Which instance of a set it is, if it is one.
    pub fn instance(&self) -> Option<usize> {
        self.instance.map(|(_, at)| at)
    }

    /// The place in the world, along the axes of the file.
    pub fn position(&self) -> [f64; 3] {
        self.axes.inverse().apply(self.world().origin()).map(|part| part + 0.0)
    }

    /// Where it stands in the scene.
    pub(crate) fn world(&self) -> Transform {
        match self.instance.and_then(|(set, at)| set.transforms.get(at)) {
            Some(own) => self.visit.world.then(&own),
            None => self.visit.world,
        }
    }

    /// The word of its kind.
    pub fn kind(&self) -> &'static str {
        match &self.visit.node.content {
            Content::Mesh(_) => "mesh",
            Content::Brush(_) => "brush",
            Content::Terrain(_) => "terrain",
            Content::TileLayer(_) => "tiles",
            Content::InstanceSet(_) | Content::Instance(_) => "instance",
            Content::Light(_) => "light",
            Content::Sound(_) => "sound",
            Content::Camera(_) => "camera",
            Content::Path(_) => "path",
            Content::Marker => "marker",
            Content::Entity(_) => "entity",
            Content::Prefab(_) => "prefab",
            _ => "group",
        }
    }

    /// A field; `None` if it has none of that name.
    pub fn get(&self, field: &str) -> Option<Cow<'a, Value>> {
        let node = self.visit.node;
        let own = |value: Value| Some(Cow::Owned(value));
        match field {
            "kind" => own(self.kind().into()),
            "class" => own(self.class().into_owned().into()),
            "name" => own(node.name.as_str().into()),
            "key" => own(node.key.as_deref()?.into()),
            "x" | "y" | "z" => {
                let [x, y, z] = self.position();
                own(match field {
                    "x" => x.into(),
                    "y" => y.into(),
                    _ => z.into(),
                })
            }
            "visible" => own(self.visit.visible.into()),
            "locked" => own(node.locked.into()),
            _ => self
                .fact(field)
                .map(Cow::Owned)
                .or_else(|| self.properties().find_map(|properties| properties.get(field)).map(Cow::Borrowed)),
        }
    }

    /// A field as text; empty if it has none of that name.
    pub fn text(&self, field: &str) -> String {
        self.get(field).map(|value| text_of(&value)).unwrap_or_default()
    }

    /// The names of all fields that it has, in order, each once.
    pub fn fields(&self) -> Vec<Cow<'a, str>> {
        let mut names: Vec<Cow<'a, str>> = Self::COMMON.map(Cow::Borrowed).to_vec();
        if self.visit.node.key.is_none() {
            names.retain(|name| name != "key");
        }
        let facts = self.facts().iter().filter(|name| self.fact(name).is_some()).map(|name| Cow::Borrowed(*name));
        let properties = self.properties().flat_map(Properties::iter).map(|(name, _)| Cow::Borrowed(name));
        let mut known: std::collections::HashSet<Cow<'a, str>> = names.iter().cloned().collect();
        names.extend(facts.chain(properties).filter(|name| known.insert(name.clone())));
        names
    }

    fn class(&self) -> Cow<'a, str> {
        match &self.visit.node.content {
            Content::Entity(id) => {
                self.scene.entities.get(*id).map_or("".into(), |entity| entity.class.as_str().into())
            }
            // Lights that are entities of their game.
            Content::Light(id) => {
                let class = self.scene.lights.get(*id).and_then(|light| light.properties.get(CLASS)?.as_text());
                class.unwrap_or(self.kind()).into()
            }
            _ if self.instance.is_some() => self.model().map_or("".into(), Into::into),
            _ => self.kind().into(),
        }
    }

    /// The model of an instance of a set.
    fn model(&self) -> Option<&'a str> {
        let (set, at) = self.instance?;
        match set.model_of(at)? {
            Model::Reference(name) => Some(name),
            Model::Mesh(id) => self.scene.meshes.get(*id).map(|mesh| mesh.name.as_str()),
        }
    }

    /// One of them, if it is said.
    pub(super) fn fact(&self, name: &str) -> Option<Value> {
        let scene = self.scene;
        match (&self.visit.node.content, name) {
            (Content::Mesh(id), _) => {
                let mesh = scene.meshes.get(*id)?;
                match name {
                    "vertices" => Some(count(mesh.positions.len())),
                    "faces" => Some(count(mesh.faces.len())),
                    "materials" => Some(self.materials(mesh.face_materials.iter().copied())),
                    _ => None,
                }
            }
            (Content::Brush(id), "sides") => Some(count(scene.brushes.get(*id)?.sides.len())),
            (Content::Brush(id), "materials") => {
                Some(self.materials(scene.brushes.get(*id)?.sides.iter().map(|side| side.material)))
            }
            (Content::Terrain(id), _) => along(scene.terrains.get(*id)?.size, name),
            (Content::TileLayer(id), _) => along(scene.tile_layers.get(*id)?.size, name),
            (Content::InstanceSet(_), "id") => {
                let (set, at) = self.instance?;
                set.ids.get(at).map(|id| (*id).into())
            }
            (Content::InstanceSet(_), "model") => self.model().map(Into::into),
            (Content::Light(id), _) => {
                let light = scene.lights.get(*id)?;
                match name {
                    "shape" => Some(shape(&light.kind).into()),
                    "color" => {
                        let [red, green, blue, _] = light.color;
                        Some(Value::List([red, green, blue].map(Value::Float).to_vec()))
                    }
                    "intensity" => Some(light.intensity.into()),
                    "range" => light.range.map(Into::into),
                    _ => None,
                }
            }
            (Content::Sound(id), _) => {
                let sound = scene.sounds.get(*id)?;
                match name {
                    "file" => Some(sound.reference.as_str().into()),
                    "volume" => sound.volume.map(Into::into),
                    "range" => sound.range.map(Into::into),
                    _ => None,
                }
            }
            (Content::Path(id), "points") => Some(count(scene.paths.get(*id)?.points.len())),
            (Content::Entity(id), "model") => Some(scene.entities.get(*id)?.model.as_deref()?.into()),
            (Content::Prefab(prefab), "file") => Some(prefab.reference.as_str().into()),
            _ => None,
        }
    }

    /// What else is said about the content, and about the node.
    fn properties(&self) -> impl Iterator<Item = &'a Properties> {
        let scene = self.scene;
        let own = match &self.visit.node.content {
            Content::Entity(id) => scene.entities.get(*id).map(|entity| &entity.properties),
            Content::Light(id) => scene.lights.get(*id).map(|light| &light.properties),
            Content::Sound(id) => scene.sounds.get(*id).map(|sound| &sound.properties),
            Content::Path(id) => scene.paths.get(*id).map(|path| &path.properties),
            Content::Mesh(id) => scene.meshes.get(*id).map(|mesh| &mesh.properties),
            Content::Brush(id) => scene.brushes.get(*id).map(|brush| &brush.properties),
            _ => None,
        };
        let node = self.instance.is_none().then_some(&self.visit.node.properties);
        own.into_iter().chain(node)
    }

    /// The names of materials, each once, in the order of the faces.
    fn materials(&self, ids: impl Iterator<Item = Option<MaterialId>>) -> Value {
        let mut seen = std::collections::HashSet::new();
        let new = ids.flatten().filter(|id| seen.insert(*id));
        let names = new.filter_map(|id| self.scene.materials.get(id)).map(|material| material.name.as_str().into());
        Value::List(names.collect())
    }
}

fn shape(kind: &LightKind) -> &str {
    match kind {
        LightKind::Ambient => "ambient",
        LightKind::Directional => "directional",
        LightKind::Point => "point",
        LightKind::Spot { .. } => "spot",
        LightKind::Area { .. } => "area",
        LightKind::Other(name) => name,
    }
}

fn along([columns, rows]: [u32; 2], name: &str) -> Option<Value> {
    match name {
        "columns" => Some(columns.into()),
        "rows" => Some(rows.into()),
        _ => None,
    }
}

fn count(count: usize) -> Value {
    Value::Int(i64::try_from(count).unwrap_or(i64::MAX))
}
