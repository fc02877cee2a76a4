//! The objects of a scene, as a list for scripts.

use std::collections::HashMap;
use std::hash::Hash;

use mapwright_render::Drawing;
use mapwright_scene::{AxisChange, Content, InstanceSet, Model, NodeId, Scene, Value};
use serde::Serialize;
use serde_json::value::RawValue;

use super::MAX_EXACT;
use crate::query::{Item, all_items};

/// All objects, in rows of numbers and strings.
///
/// A row begins with six numbers: the index of its shape, the index of its class, its node in the model, its part of this node, and its
/// position in the image in pixels (right, down). A value for each field of its shape follows.
#[derive(Debug, Serialize)]
pub(super) struct ObjectList {
    /// The number of objects, including those that are not listed.
    pub(super) total: usize,
    pub(super) listed: usize,
    /// The number of nodes of the model that are nodes of the scene. Further nodes are parts of them.
    nodes: u32,
    /// The vectors in the model for one unit along each axis of the file.
    axes: [[f64; 3]; 3],
    classes: Box<RawValue>,
    /// Kinds of objects, with the names of their fields, and `true` for instances that the 3D view shows as bodies.
    shapes: Box<RawValue>,
    rows: Box<RawValue>,
}

/// Maximum length of a string in bytes. Longer ones are cut.
const MAX_TEXT: usize = 2000;

impl ObjectList {
    /// Lists objects until the rows and all names have `max_bytes` bytes.
    pub(super) fn new(scene: &Scene, axes: AxisChange, drawing: &Drawing<'_>, max_bytes: usize) -> Self {
        let (mut nodes, mut classes, mut shapes) = (Nodes::new(scene), UniqueList::default(), UniqueList::default());
        let (mut total, mut rows) = (0, List::default());
        for item in all_items(scene, axes) {
            total += 1;
            if rows.json.len() + classes.list.json.len() + shapes.list.json.len() > max_bytes {
                continue;
            }
            let class = item.text("class");
            let fields = listed_fields(&item, &class);
            let values: Vec<String> = fields.iter().map(|field| field_to_json(&item, field)).collect();
            let (node, part) = nodes.node_and_part(scene, &item);
            let [right, down] = drawing.to_image(item.world().origin()).map(round_to_json);
            let class = classes.index_of(truncate(class));
            let shape = shapes.index_of((item.kind(), fields, is_body(scene, &item)));
            let mut row = format!("[{shape},{class},{node},{part},{right},{down}");
            values.iter().for_each(|value| row.extend([",", value]));
            row.push(']');
            rows.push(&row);
        }
        let metres = scene.metres_per_unit.unwrap_or(1.0);
        let axes = [[metres, 0.0, 0.0], [0.0, metres, 0.0], [0.0, 0.0, metres]].map(|axis| axes.apply(axis));
        let (listed, nodes) = (rows.count, nodes.count);
        let [classes, shapes, rows] = [classes.list, shapes.list, rows].map(List::finish);
        Self { total, listed, nodes, axes, classes, shapes, rows }
    }
}

/// Returns `true` for an instance of a part of the scene, not of a model in another file.
fn is_body(scene: &Scene, item: &Item<'_>) -> bool {
    match scene.nodes.get(item.node()).map(|node| &node.content) {
        Some(Content::Instance(_)) => true,
        Some(&Content::InstanceSet(set)) => {
            let model = scene.instance_sets.get(set).zip(item.instance()).and_then(|(set, at)| set.model_of(at));
            matches!(model, Some(Model::Mesh(_)))
        }
        _ => false,
    }
}

/// Returns the fields that add information to kind and class.
fn listed_fields(item: &Item<'_>, class: &str) -> Vec<String> {
    let adds = |name: &str| match name {
        "kind" | "class" => false,
        "name" => !item.name().is_empty(),
        "visible" => item.text(name) == "false",
        "locked" => item.text(name) == "true",
        "model" => item.text(name) != class,
        _ => true,
    };
    item.fields().into_iter().filter(|name| adds(name)).map(|name| truncate(name.into_owned())).collect()
}

/// Returns a field as JSON: numbers that scripts do not round as numbers, everything else as text.
fn field_to_json(item: &Item<'_>, field: &str) -> String {
    let number = item.get(field).and_then(|value| match &*value {
        Value::Int(number) => {
            Some(*number).filter(|number| number.unsigned_abs() <= MAX_EXACT).map(|it| it.to_string())
        }
        Value::Float(number) => Some(*number).filter(|number| number.is_finite()).map(|number| number.to_string()),
        _ => None,
    });
    number.unwrap_or_else(|| serde_json::Value::from(truncate(item.text(field))).to_string())
}

fn truncate(mut text: String) -> String {
    if text.len() > MAX_TEXT {
        let end = (0..=MAX_TEXT).rev().find(|&end| text.is_char_boundary(end)).unwrap_or(0);
        text.truncate(end);
        text.push('…');
    }
    text
}

/// Returns JSON rounded to a tenth, which is enough for pixels.
fn round_to_json(number: f64) -> String {
    if number.is_finite() { ((number * 10.0).round() / 10.0).to_string() } else { "null".to_owned() }
}

/// A list in JSON that grows item by item.
#[derive(Default)]
struct List {
    json: String,
    count: usize,
}

impl List {
    fn push(&mut self, item: &str) {
        if self.count > 0 {
            self.json.push(',');
        }
        self.json.extend(["\n", item]);
        self.count += 1;
    }

    fn finish(self) -> Box<RawValue> {
        // Each item is valid JSON.
        RawValue::from_string(format!("[{}]", self.json)).unwrap_or_else(|_| RawValue::NULL.to_owned())
    }
}

/// A list without duplicates, in the order of their first occurrence.
struct UniqueList<T> {
    list: List,
    indices: HashMap<T, usize>,
}

impl<T> Default for UniqueList<T> {
    fn default() -> Self {
        Self { list: List::default(), indices: HashMap::new() }
    }
}

impl<T: Serialize + Eq + Hash> UniqueList<T> {
    fn index_of(&mut self, item: T) -> usize {
        *self.indices.entry(item).or_insert_with_key(|item| {
            // Texts can always be written.
            self.list.push(&serde_json::to_string(item).unwrap_or_default());
            self.list.count - 1
        })
    }
}

/// The nodes of the model: nodes that are reachable from the roots, in the order of the scene, and a part for each model of a set.
struct Nodes {
    indices: Vec<Option<u32>>,
    count: u32,
    /// The parts for the models of the set that was used last.
    parts: Option<(NodeId, Vec<Option<u32>>)>,
}

impl Nodes {
    fn new(scene: &Scene) -> Self {
        let mut indices = vec![None; scene.nodes.len()];
        for visit in scene.walk() {
            if let Some(index) = indices.get_mut(visit.id.index()) {
                *index = Some(0);
            }
        }
        let mut count = 0;
        for (number, index) in (0..).zip(indices.iter_mut().flatten()) {
            *index = number;
            count = number + 1;
        }
        Self { indices, count, parts: None }
    }

    /// Returns the node and the part of an object.
    fn node_and_part(&mut self, scene: &Scene, item: &Item<'_>) -> (u32, u32) {
        let node = item.node();
        let index = self.indices.get(node.index()).copied().flatten().unwrap_or_default();
        let set = scene.nodes.get(node).and_then(|node| match node.content {
            Content::InstanceSet(set) => scene.instance_sets.get(set),
            _ => None,
        });
        let Some((set, instance)) = set.zip(item.instance()) else { return (index, 0) };
        let (_, parts) = match self.parts.take().filter(|&(owner, _)| owner == node) {
            Some(parts) => self.parts.insert(parts),
            None => self.parts.insert((node, number_parts(set))),
        };
        let model = set.model.get(instance).and_then(|&model| parts.get(usize::try_from(model).ok()?));
        (index, model.copied().flatten().unwrap_or_default())
    }
}

/// Numbers the models of a set that have instances.
fn number_parts(set: &InstanceSet) -> Vec<Option<u32>> {
    let mut parts = vec![None; set.models.len()];
    for &model in &set.model {
        if let Some(part) = usize::try_from(model).ok().and_then(|model| parts.get_mut(model)) {
            *part = Some(0);
        }
    }
    for (number, part) in (0..).zip(parts.iter_mut().flatten()) {
        *part = number;
    }
    parts
}
