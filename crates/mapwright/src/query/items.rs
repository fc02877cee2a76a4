//! Nodes of a scene and instances of its sets, with fields.

use std::borrow::Cow;
use std::ops::Range;

use mapwright_query::{Field, FieldType, Fields, Query, QueryError, Schema, Selection, Vocabulary};
use mapwright_scene::{
    AxisChange, Content, InstanceSet, MaterialId, Model, NodeId, Properties, Scene, Transform, Value, Visit, Walk,
};

use super::pose::{POSE, Pose, has_pose, pose_field};

/// A node of a scene or an instance of a set.
#[derive(Debug, Clone)]
pub struct Item<'a> {
    scene: &'a Scene,
    pub(crate) visit: Visit<'a>,
    /// The set and the index, for an instance of a set.
    pub(crate) instance: Option<(&'a InstanceSet, usize)>,
    axes: AxisChange,
}

/// The items of a scene that a query matches.
#[derive(Debug, Clone)]
pub struct Items<'a> {
    /// `None` for all.
    selection: Option<Selection>,
    scene: &'a Scene,
    axes: AxisChange,
    walk: Walk<'a>,
    /// The current set, and its instances that were not visited yet.
    set: Option<(Visit<'a>, &'a InstanceSet, Range<usize>)>,
}

/// The property that contains the class of a light, if it is an entity of its game.
pub(crate) const CLASS: &str = "classname";

/// The words of kinds.
const KINDS: &[&str] = &[
    "group", "mesh", "brush", "terrain", "tiles", "instance", "light", "sound", "camera", "path", "marker", "entity",
    "prefab",
];

/// Fields of items. Properties are free keys.
pub(crate) static ITEM: Schema = {
    const COUNT: FieldType = FieldType::Int { min: 0, max: i64::MAX };
    const AMOUNT: FieldType = FieldType::Float { min: 0.0, max: f64::MAX };
    const TEXT: FieldType = FieldType::TEXT;
    const FIELDS: &[Field] = &[
        Field::new("kind", &[], FieldType::Choice(KINDS), false, "Kind of the object."),
        Field::new("class", &[CLASS], TEXT, true, "Class of an entity, model of an instance, otherwise the kind."),
        Field::new("name", &[], TEXT, true, "Name of the node."),
        Field::new("key", &[], TEXT, false, "Path in the document."),
        Field::new("x", &[], FieldType::F64, true, "Position in the world along the first axis of the file."),
        Field::new("y", &[], FieldType::F64, true, "Position in the world along the second axis of the file."),
        Field::new("z", &[], FieldType::F64, true, "Position in the world along the third axis of the file."),
        Field::new("visible", &[], FieldType::Bool, true, "The node and all above it are visible."),
        Field::new("locked", &[], FieldType::Bool, true, "Editors do not let users change it."),
        Field::new("vertices", &[], COUNT, false, "Number of vertices."),
        Field::new("faces", &[], COUNT, false, "Number of faces."),
        Field::new("sides", &[], COUNT, false, "Number of sides of a brush."),
        Field::new("materials", &["material", "texture"], TEXT, false, "Names of its materials."),
        Field::new("columns", &[], COUNT, false, "Columns of a terrain or of tiles."),
        Field::new("rows", &[], COUNT, false, "Rows of a terrain or of tiles."),
        Field::new("id", &["number"], FieldType::Any, false, "Number of an instance."),
        Field::new("model", &[], TEXT, true, "File or name of the model."),
        Field::new("shape", &[], TEXT, false, "Shape of a light: ambient, directional, point, spot, area."),
        Field::new("color", &["colour"], FieldType::Any, true, "Red, green and blue of a light, from 0 to 1."),
        Field::new("intensity", &[], AMOUNT, true, "Intensity of a light."),
        Field::new("range", &[], AMOUNT, true, "Distance that a light or sound reaches."),
        Field::new("file", &[], TEXT, true, "File of a sound or prefab."),
        Field::new("volume", &[], AMOUNT, true, "Volume of a sound."),
        Field::new("points", &[], COUNT, false, "Number of points of a path."),
    ];
    Schema::new("object", FIELDS).with_free_keys()
};

/// The fields of items with a pose.
static POSED_ITEM: Schema = Schema::extending("object", &ITEM, POSE);

/// Returns the fields of the items of files with these axes.
pub(crate) fn item_schema(axes: AxisChange) -> &'static Schema {
    if has_pose(axes) { &POSED_ITEM } else { &ITEM }
}

/// Returns the items of a scene that a query matches, in the order of the scene. `axes` are those of the file; see
/// [`Format::axis_change`](crate::Format::axis_change). Fields that no item has match nothing.
///
/// # Errors
/// [`QueryError::Value`] for a value that a field cannot have.
pub fn items<'a>(query: &Query, scene: &'a Scene, axes: AxisChange) -> Result<Items<'a>, QueryError> {
    let selection = query.bind(&Vocabulary::new([item_schema(axes)]).with_any_key())?;
    Ok(Items { selection: Some(selection), ..all_items(scene, axes) })
}

/// Returns all items of a scene, in the order of the scene.
pub fn all_items(scene: &Scene, axes: AxisChange) -> Items<'_> {
    Items { selection: None, scene, axes, walk: scene.walk(), set: None }
}

impl Items<'_> {
    fn matches(&self, item: &Item<'_>) -> bool {
        self.selection.as_ref().is_none_or(|selection| selection.matches(item))
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
                    Some(item) if self.matches(&item) => return Some(item),
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
            if self.matches(&item) {
                return Some(item);
            }
        }
    }
}

/// Returns the names of the fields that a content has besides its properties.
pub(crate) fn facts(content: &Content) -> &'static [&'static str] {
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
    /// Fields that all items have, except that some have no key.
    const COMMON: [&'static str; 9] = ["kind", "class", "name", "key", "x", "y", "z", "visible", "locked"];

    /// Returns the node; for an instance, the node of its set.
    pub fn node(&self) -> NodeId {
        self.visit.id
    }

    /// Returns the name of its node, which may be empty.
    pub fn name(&self) -> &'a str {
        &self.visit.node.name
    }

    /// Returns the names of the fields of its content.
    pub(crate) fn facts(&self) -> &'static [&'static str] {
        facts(&self.visit.node.content)
    }

    /// Returns the index of an instance in its set.
    pub fn instance(&self) -> Option<usize> {
        self.instance.map(|(_, at)| at)
    }

    /// Returns the index of an instance in the list of the file.
    pub(crate) fn instance_row(&self) -> Option<u32> {
        let (set, at) = self.instance?;
        set.order.get(at).copied().or_else(|| u32::try_from(at).ok())
    }

    /// Returns the key of its node, which its document gave.
    pub(crate) fn key(&self) -> Option<&'a str> {
        self.visit.node.key.as_deref()
    }

    /// Returns the position in the world, along the axes of the file.
    pub fn position(&self) -> [f64; 3] {
        self.axes.inverse().apply(self.world().origin()).map(|part| part + 0.0)
    }

    /// Returns the transform to the scene.
    pub(crate) fn world(&self) -> Transform {
        match self.instance.and_then(|(set, at)| set.transforms.get(at)) {
            Some(own) => self.visit.world.compose(&own),
            None => self.visit.world,
        }
    }

    /// Returns the word of its kind.
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

    /// Returns a field, or `None` if it has none of that name.
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
            _ => {
                let own = self.content_field(field).map(Cow::Owned);
                let own = own.or_else(|| self.property(field).map(Cow::Borrowed));
                own.or_else(|| self.pose_field(field).map(Cow::Owned))
            }
        }
    }

    /// Returns a field of its pose.
    fn pose_field(&self, field: &str) -> Option<Value> {
        let field = pose_field(field).filter(|_| has_pose(self.axes))?;
        if field == "origin" {
            return Some(Value::List(self.position().map(Value::Float).to_vec()));
        }
        self.pose()?.get(field)
    }

    /// Returns its pose; `None` if its transform shears or collapses space.
    pub(crate) fn pose(&self) -> Option<Pose> {
        Pose::new(&self.world(), &self.visit.node.content, self.axes)
    }

    /// Returns a field as text, which is empty if it has none of that name.
    pub fn text(&self, field: &str) -> String {
        self.get(field).map(|value| to_text(&value)).unwrap_or_default()
    }

    /// Returns the names of all fields that it has, in order, each once.
    pub fn fields(&self) -> Vec<Cow<'a, str>> {
        let mut names: Vec<Cow<'a, str>> = Self::COMMON.map(Cow::Borrowed).to_vec();
        if self.visit.node.key.is_none() {
            names.retain(|name| name != "key");
        }
        if has_pose(self.axes) && self.pose().is_some() {
            names.extend(["angles", "scales"].map(Cow::Borrowed));
        }
        let facts =
            self.facts().iter().filter(|name| self.content_field(name).is_some()).map(|name| Cow::Borrowed(*name));
        let properties = self.properties().flat_map(Properties::iter).map(|(name, _)| Cow::Borrowed(name));
        let mut known: std::collections::HashSet<Cow<'a, str>> = names.iter().cloned().collect();
        names.extend(facts.chain(properties).filter(|name| known.insert(name.clone())));
        names
    }

    /// Returns a property. One of exactly this name comes before one with other capitals.
    fn property(&self, name: &str) -> Option<&'a Value> {
        let exact = self.properties().find_map(|properties| properties.get(name));
        exact.or_else(|| {
            let mut all = self.properties().flat_map(Properties::iter);
            all.find(|(key, _)| key.eq_ignore_ascii_case(name)).map(|(_, value)| value)
        })
    }

    /// Iterates over the names of its properties.
    pub(crate) fn keys(&self) -> impl Iterator<Item = &'a str> {
        self.properties().flat_map(Properties::iter).map(|(name, _)| name)
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

    /// Returns the model of an instance of a set.
    fn model(&self) -> Option<&'a str> {
        let (set, at) = self.instance?;
        match set.model_of(at)? {
            Model::Reference(name) => Some(name),
            Model::Mesh(id) => self.scene.meshes.get(*id).map(|mesh| mesh.name.as_str()),
        }
    }

    /// Returns a field of its content, if it has a value.
    pub(crate) fn content_field(&self, name: &str) -> Option<Value> {
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
            (Content::Terrain(id), _) => side_length(scene.terrains.get(*id)?.size, name),
            (Content::TileLayer(id), _) => side_length(scene.tile_layers.get(*id)?.size, name),
            (Content::InstanceSet(_), "id") => {
                let (set, at) = self.instance?;
                set.ids.get(at).map(|id| (*id).into())
            }
            (Content::InstanceSet(_), "model") => self.model().map(Into::into),
            (Content::Light(id), _) => {
                let light = scene.lights.get(*id)?;
                match name {
                    "shape" => Some(light.kind.name().into()),
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

    /// Iterates over the properties of the content and of the node.
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

    /// Returns the names of materials, each once, in the order of the faces.
    fn materials(&self, ids: impl Iterator<Item = Option<MaterialId>>) -> Value {
        let mut seen = std::collections::HashSet::new();
        let new = ids.flatten().filter(|id| seen.insert(*id));
        let names = new.filter_map(|id| self.scene.materials.get(id)).map(|material| material.name.as_str().into());
        Value::List(names.collect())
    }
}

impl Fields for Item<'_> {
    fn schema(&self) -> &'static Schema {
        item_schema(self.axes)
    }

    fn get(&self, index: usize) -> Option<mapwright_query::Value<'_>> {
        self.get(self.schema().field(index)?.name).map(to_query_value)
    }

    fn get_free(&self, key: &str) -> Option<mapwright_query::Value<'_>> {
        self.property(key).map(|value| to_query_value(Cow::Borrowed(value)))
    }

    fn free_keys(&self) -> Vec<Cow<'_, str>> {
        self.keys().map(Cow::Borrowed).collect()
    }
}

fn to_query_value(value: Cow<'_, Value>) -> mapwright_query::Value<'_> {
    let numbers = |values: &[Value]| values.iter().map(Value::as_f64).collect::<Option<Vec<f64>>>();
    match value {
        Cow::Borrowed(Value::Text(text)) => text.as_str().into(),
        Cow::Borrowed(Value::Bytes(bytes)) => bytes.as_slice().into(),
        Cow::Owned(Value::Text(text)) => text.into(),
        Cow::Owned(Value::Bytes(bytes)) => bytes.into(),
        value => match &*value {
            Value::Bool(flag) => (*flag).into(),
            Value::Int(number) => (*number).into(),
            Value::Float(number) => (*number).into(),
            Value::List(values) => match numbers(values) {
                Some(numbers) => numbers.into(),
                None => mapwright_query::Value::Any(
                    values.iter().map(|value| to_query_value(Cow::Borrowed(value)).into_owned()).collect(),
                ),
            },
            value => to_text(value).into(),
        },
    }
}

/// Returns a value as text. Values of a list are separated by spaces.
pub(crate) fn to_text(value: &Value) -> String {
    match value {
        Value::Bool(flag) => flag.to_string(),
        Value::Int(number) => number.to_string(),
        Value::Float(number) => number.to_string(),
        Value::Text(text) => text.clone(),
        Value::Bytes(bytes) => mapwright_io::escape_bytes(bytes),
        Value::List(values) => values.iter().map(to_text).collect::<Vec<_>>().join(" "),
        Value::Map(pairs) => {
            pairs.iter().map(|(name, value)| format!("{name}={}", to_text(value))).collect::<Vec<_>>().join(" ")
        }
    }
}

fn side_length([columns, rows]: [u32; 2], name: &str) -> Option<Value> {
    match name {
        "columns" => Some(columns.into()),
        "rows" => Some(rows.into()),
        _ => None,
    }
}

fn count(count: usize) -> Value {
    Value::Int(i64::try_from(count).unwrap_or(i64::MAX))
}
