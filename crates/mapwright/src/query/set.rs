//! Changing what a query means.

use std::borrow::Cow;
use std::cell::LazyCell;
use std::collections::{BTreeMap, HashMap, HashSet};

use mapwright_io::{Assignment, Change};
use mapwright_scene::{AxisChange, Content, InstanceTransforms, Losses, NodeId, Properties, Scene, Transform, Value};

use super::items::CLASS;
use super::{Item, Query, QueryError};
use crate::{AnyDocument, Error};

/// What became of the items that were meant.
#[derive(Debug, Clone, Default)]
#[non_exhaustive]
pub struct Changed {
    /// So many were meant.
    pub matched: usize,
    /// Fields that the query asks for and that nothing has.
    pub unknown: Vec<String>,
    /// What the format cannot say of what they were to become; that stays as it was, or is as near as it can be.
    pub losses: Losses,
}

/// An item to be changed.
#[derive(Clone)]
struct Target {
    node: NodeId,
    instance: Option<usize>,
    kind: &'static str,
    /// Where it is to be in the world, along the axes of the file: at first where it was before anything above it moved.
    position: [f64; 3],
}

/// How places in the world and in the scene go together.
struct Frame {
    axes: AxisChange,
    parents: HashMap<NodeId, NodeId>,
}

impl Frame {
    fn new(scene: &Scene, axes: AxisChange) -> Self {
        Self { axes, parents: scene.walk().filter_map(|visit| Some((visit.id, visit.parent?))).collect() }
    }

    /// What a node stands in, inside out.
    fn above(&self, node: NodeId) -> impl Iterator<Item = NodeId> {
        std::iter::successors(self.parents.get(&node).copied(), |node| self.parents.get(node).copied())
    }

    /// What is around a target as the scene is now: of a node its parents, of an instance its node as well.
    fn around(&self, scene: &Scene, target: &Target) -> Transform {
        let outer = target.instance.is_some().then_some(target.node);
        let chain: Vec<NodeId> = outer.into_iter().chain(self.above(target.node)).collect();
        let own = |node: &NodeId| scene.nodes.get(*node).map(|node| node.transform);
        chain.iter().rev().filter_map(own).fold(Transform::IDENTITY, |around, own| around.then(&own))
    }
}

impl AnyDocument {
    /// Sets fields of all items that a query means: `name`, `x`, `y`, `z`, `visible`, `locked`, `range`, `intensity`, `color`,
    /// `volume`, `file`, `model`, `class`, and what else the format says of them. Everything else stays as it is, down to the byte.
    ///
    /// # Errors
    /// [`Error::Query`] for a field that cannot be set or does not take its value; [`Error::Unsupported`] for formats that are
    /// only read into scenes; those of writing. Nothing has changed then.
    pub fn set(&mut self, query: &Query, assignments: &[Assignment]) -> Result<Changed, Error> {
        let axes = self.format().axis_change();
        let before = match self {
            Self::Scene(_) => return Err(self.unsettable()),
            _ => self.to_scene()?.scene,
        };
        let unknown: Vec<String> = query.unknown_fields(&before, axes).into_iter().map(str::to_owned).collect();
        let frame = Frame::new(&before, axes);
        let all = Query::default();
        let target = |item: Item<'_>| {
            let (instance, position) = (item.instance(), item.position());
            Target { node: item.node(), instance, kind: item.kind(), position }
        };
        let targets: Vec<Target> = query.items(&before, axes).map(target).collect();
        let meant: HashSet<NodeId> = targets.iter().filter(|it| it.instance.is_none()).map(|it| it.node).collect();
        let fields: Vec<&str> = assignments.iter().map(|assignment| assignment.field.as_str()).collect();
        // What is meant below it has its place by it, and so hangs on whether the format lets it move.
        let is_moved = fields.iter().any(|field| axis(field).is_some());
        let carriers: HashSet<NodeId> = match is_moved {
            true => {
                targets.iter().flat_map(|target| frame.above(target.node)).filter(|it| meant.contains(it)).collect()
            }
            false => HashSet::new(),
        };
        let can_stay = !carriers.is_empty() || fields.iter().any(|field| axis(field).is_none());
        let untouched = can_stay.then(|| self.clone());
        // What stays as it is, with what is told of it.
        let mut held: BTreeMap<(NodeId, &str), (String, String)> = BTreeMap::new();
        loop {
            let mut scene = before.clone();
            for target in &targets {
                let mut target = target.clone();
                for assignment in assignments {
                    if !held.contains_key(&(target.node, assignment.field.as_str())) {
                        apply(&mut scene, &mut target, assignment, &frame)?;
                    }
                }
            }
            let mut losses = self.merge_scene(&scene)?;
            let found = self.to_scene()?.scene;
            let [was, wanted, arrived] = [&before, &scene, &found].map(|scene| nodes(&all, scene, axes));
            let shown = LazyCell::new(|| [&scene, &found].map(|scene| shown(scene, axes)));
            let is_same = |(a, b): (&Item<'_>, &Item<'_>)| a.kind() == b.kind() && a.text("key") == b.text("key");
            if wanted.len() != arrived.len() || !wanted.iter().zip(&arrived).all(is_same) {
                // The document counts its parts anew: which of them is which cannot be asked.
                held.into_values().for_each(|(name, what)| losses.dropped(name, what));
                return Ok(Changed { matched: targets.len(), unknown, losses });
            }
            let mut stay = BTreeMap::new();
            for ((was, wanted), arrived) in was.iter().zip(&wanted).zip(&arrived) {
                let node = wanted.node();
                if !meant.contains(&node) {
                    continue;
                }
                for field in fields.iter().copied().filter(|field| !held.contains_key(&(node, *field))) {
                    let texts = [was, wanted, arrived].map(|item| item.text(field));
                    let [before, asked, now] = &texts;
                    let is_there = match (axis(field), field) {
                        (Some(axis), _) => {
                            let [asked, now] = [wanted, arrived].map(Item::node);
                            let [in_scene, in_file] = &*shown;
                            let place = |shown: &HashMap<NodeId, [f64; 3]>, node| shown.get(&node)?.get(axis).copied();
                            place(in_scene, asked).zip(place(in_file, now)).is_some_and(|(a, b)| is_near(a, b))
                        }
                        (None, "intensity" | "color") => glow(wanted) == glow(arrived),
                        _ => false,
                    };
                    if is_there || is_close(asked, now) {
                        continue;
                    }
                    let stays = match axis(field) {
                        Some(_) => carriers.contains(&node) && is_close(before, now),
                        // Numbers that came no nearer to what was asked for.
                        None => is_farther(&texts),
                    };
                    let is = if stays { before } else { now };
                    let (name, what) = (name_of(&scene, node), format!("{field} is \"{is}\", not \"{asked}\""));
                    match stays {
                        true => _ = stay.insert((node, field), (name, what)),
                        false => losses.dropped(name, what),
                    }
                }
            }
            // The outermost first: what is in them had them in mind.
            let all: HashSet<NodeId> = stay.keys().map(|(node, _)| *node).collect();
            let inner: HashSet<NodeId> =
                all.iter().copied().filter(|node| frame.above(*node).any(|above| all.contains(&above))).collect();
            match &untouched {
                Some(untouched) if !stay.is_empty() => {
                    self.clone_from(untouched);
                    stay.retain(|(node, _), _| !inner.contains(node));
                    held.append(&mut stay);
                }
                _ => {
                    held.into_values().for_each(|(name, what)| losses.dropped(name, what));
                    return Ok(Changed { matched: targets.len(), unknown, losses });
                }
            }
        }
    }

    /// Puts a changed scene back into the document that it came from. What the scene says as before stays as it is.
    ///
    /// # Errors
    /// [`Error::Unsupported`] for formats that are only read into scenes; those of writing. Nothing has changed then.
    #[cfg_attr(
        not(any(feature = "wings", feature = "vmap", feature = "wwd", feature = "wmp", feature = "wrp")),
        expect(unused_variables, reason = "the formats that take scenes back are not there")
    )]
    pub fn merge_scene(&mut self, scene: &Scene) -> Result<Losses, Error> {
        match self {
            #[cfg(feature = "wings")]
            Self::Wings(document) => Ok(mapwright_wings::scene::merge_scene(document, scene, &Default::default())?),
            #[cfg(feature = "vmap")]
            Self::Vmap(document) => Ok(mapwright_vmap::scene::merge_scene(document, scene, &Default::default())?),
            #[cfg(feature = "wwd")]
            Self::Wwd(document) => Ok(mapwright_wwd::scene::merge_scene(document, scene, &Default::default())?),
            #[cfg(feature = "wmp")]
            Self::Wmp(document) => Ok(mapwright_wmp::scene::merge_scene(document, scene, &Default::default())?),
            #[cfg(feature = "wrp")]
            Self::Wrp(document) => Ok(mapwright_wrp::scene::merge_scene(document, scene, &Default::default())?),
            _ => Err(self.unsettable()),
        }
    }

    fn unsettable(&self) -> Error {
        Error::Unsupported { format: self.format(), what: "changed in place; convert them into a format of a level" }
    }
}

/// The nodes of a scene, without instances of sets.
fn nodes<'a>(all: &'a Query, scene: &'a Scene, axes: AxisChange) -> Vec<Item<'a>> {
    all.items(scene, axes).filter(|item| item.instance().is_none()).collect()
}

/// The way back to a node, or its place in the scene.
fn name_of(scene: &Scene, node: NodeId) -> String {
    let key = scene.nodes.get(node).and_then(|node| node.key.clone());
    key.unwrap_or_else(|| format!("nodes[{}]", node.index()))
}

/// Which axis of the file a field is, if it is one.
fn axis(field: &str) -> Option<usize> {
    ["x", "y", "z"].iter().position(|name| *name == field)
}

/// Whether two texts are the same, or numbers that single precision makes one.
fn is_close(a: &str, b: &str) -> bool {
    let number = |text: &str| text.parse::<f64>().ok();
    let parts = |text: &str| text.split(' ').map(number).collect::<Option<Vec<f64>>>();
    match (parts(a), parts(b)) {
        (Some(a), Some(b)) => a.len() == b.len() && a.iter().zip(&b).all(|(a, b)| is_near(*a, *b)),
        _ => a == b,
    }
}

/// Whether single precision makes two numbers one.
fn is_near(a: f64, b: f64) -> bool {
    (a - b).abs() <= 1e-5 * a.abs().max(b.abs()).max(1.0)
}

/// Whether a number is farther from what was asked for than it was before, or gone.
fn is_farther(texts: &[String; 3]) -> bool {
    match texts.each_ref().map(|text| text.parse::<f64>().ok()) {
        [Some(before), Some(asked), Some(now)] => (now - asked).abs() > (before - asked).abs(),
        [Some(_), Some(_), None] => true,
        _ => false,
    }
}

/// What a light gives, in each colour.
fn glow(item: &Item<'_>) -> Option<[u64; 3]> {
    let of = |field: &str| item.get(field).map(Cow::into_owned);
    let (Some(Value::Float(intensity)), Some(Value::List(color))) = (of("intensity"), of("color")) else { return None };
    let channels: Option<Vec<u64>> = color
        .iter()
        .map(|channel| match channel {
            // As single precision has it.
            #[allow(clippy::cast_possible_truncation)]
            Value::Float(channel) => Some(((channel * intensity) as f32).to_bits().into()),
            _ => None,
        })
        .collect();
    channels?.try_into().ok()
}

/// Where in the world, along the axes of the file, that stands which nodes show, themselves or in what is below them: formats put
/// the places of meshes into their vertices, and those of groups into what is in them.
fn shown(scene: &Scene, axes: AxisChange) -> HashMap<NodeId, [f64; 3]> {
    let frame = Frame::new(scene, axes);
    let mut shown = HashMap::new();
    for visit in scene.walk() {
        let first = match visit.node.content {
            Content::Group => continue,
            Content::Mesh(id) => scene.meshes.get(id).and_then(|mesh| mesh.positions.first().copied()),
            Content::Brush(id) => scene.brushes.get(id).and_then(|brush| {
                let plane = || brush.sides.first().map(|side| side.plane[0]);
                brush.vertices.first().copied().or_else(plane)
            }),
            Content::InstanceSet(id) => {
                scene.instance_sets.get(id).and_then(|set| set.transforms.get(0)).map(|first| first.origin())
            }
            _ => None,
        };
        let place = axes.inverse().apply(visit.world.point(first.unwrap_or_default()));
        for node in std::iter::once(visit.id).chain(frame.above(visit.id)) {
            if shown.contains_key(&node) {
                break;
            }
            shown.insert(node, place);
        }
    }
    shown
}

fn apply(scene: &mut Scene, target: &mut Target, assignment: &Assignment, frame: &Frame) -> Result<(), QueryError> {
    let field = assignment.field.as_str();
    if let Some(axis) = axis(field) {
        return place(scene, target, assignment, axis, frame);
    }
    let fixed =
        || QueryError::Fixed { field: field.to_owned(), of: format!("{} {}", article(target.kind), target.kind) };
    if target.instance.is_some() {
        return Err(fixed());
    }
    let Some(node) = scene.nodes.get_mut(target.node) else { return Ok(()) };
    match field {
        "kind" | "key" | "vertices" | "faces" | "sides" | "materials" | "columns" | "rows" | "points" | "shape"
        | "id" => {
            return Err(fixed());
        }
        "name" => {
            let old = node.name.clone();
            text(&mut node.name, assignment)?;
            // Formats that name meshes and nodes by one name are read as if they had two.
            if let Content::Mesh(id) = node.content
                && let Some(mesh) = scene.meshes.get_mut(id).filter(|mesh| mesh.name == old)
            {
                mesh.name.clone_from(&node.name);
            }
            return Ok(());
        }
        "visible" => return flag(&mut node.visible, assignment),
        "locked" => return flag(&mut node.locked, assignment),
        _ => {}
    }
    let node_has = node.properties.get(field).is_some();
    let own = match &mut node.content {
        Content::Light(id) => {
            let Some(light) = scene.lights.get_mut(*id) else { return Ok(()) };
            match field {
                "intensity" => return amount(&mut light.intensity, assignment),
                "range" => return maybe(&mut light.range, assignment),
                "color" => {
                    let [red, green, blue] = three(assignment)?;
                    let [.., fourth] = light.color;
                    light.color = [red, green, blue, fourth];
                    return Ok(());
                }
                "class" if light.properties.get(CLASS).is_some() => {
                    return property(&mut light.properties, CLASS, assignment);
                }
                _ => Some(&mut light.properties),
            }
        }
        Content::Sound(id) => {
            let Some(sound) = scene.sounds.get_mut(*id) else { return Ok(()) };
            match field {
                "file" => return text(&mut sound.reference, assignment),
                "volume" => return maybe(&mut sound.volume, assignment),
                "range" => return maybe(&mut sound.range, assignment),
                _ => Some(&mut sound.properties),
            }
        }
        Content::Entity(id) => {
            let Some(entity) = scene.entities.get_mut(*id) else { return Ok(()) };
            match field {
                "class" => return text(&mut entity.class, assignment),
                "model" if entity.model.is_some() || entity.properties.get("model").is_none() => {
                    return text(entity.model.get_or_insert_default(), assignment);
                }
                _ => Some(&mut entity.properties),
            }
        }
        Content::Prefab(prefab) if field == "file" => return text(&mut prefab.reference, assignment),
        Content::Path(id) => scene.paths.get_mut(*id).map(|path| &mut path.properties),
        Content::Mesh(id) => scene.meshes.get_mut(*id).map(|mesh| &mut mesh.properties),
        Content::Brush(id) => scene.brushes.get_mut(*id).map(|brush| &mut brush.properties),
        _ => None,
    };
    // A property of the node, unless the content has or takes it.
    match own {
        _ if field == "class" => Err(fixed()),
        Some(own) if own.get(field).is_some() || !node_has => property(own, field, assignment),
        _ => property(&mut node.properties, field, assignment),
    }
}

const fn article(kind: &str) -> &'static str {
    match kind.as_bytes() {
        [b'e' | b'i', ..] => "an",
        _ => "a",
    }
}

fn wrong(assignment: &Assignment, expected: &'static str) -> QueryError {
    QueryError::Value { field: assignment.field.clone(), value: assignment.value.clone(), expected }
}

/// What is said where a number is added to a text.
const TEXT: &str = "a text behind =; += and -= are for numbers";

fn text(old: &mut String, assignment: &Assignment) -> Result<(), QueryError> {
    match assignment.change {
        Change::Set => old.clone_from(&assignment.value),
        _ => return Err(wrong(assignment, TEXT)),
    }
    Ok(())
}

fn flag(old: &mut bool, assignment: &Assignment) -> Result<(), QueryError> {
    let expected = "true or false, behind =";
    match assignment.change {
        Change::Set => *old = assignment.value.parse().map_err(|_| wrong(assignment, expected))?,
        _ => return Err(wrong(assignment, expected)),
    }
    Ok(())
}

fn number(old: &mut f64, assignment: &Assignment) -> Result<(), QueryError> {
    let value: f64 = assignment
        .value
        .parse()
        .ok()
        .filter(|value: &f64| value.is_finite())
        .ok_or_else(|| wrong(assignment, "a number"))?;
    let new = match assignment.change {
        Change::Set => value,
        Change::Add => *old + value,
        Change::Take => *old - value,
    };
    *old = Some(new).filter(|new| new.is_finite()).ok_or_else(|| wrong(assignment, "a number that keeps it finite"))?;
    Ok(())
}

fn maybe(old: &mut Option<f64>, assignment: &Assignment) -> Result<(), QueryError> {
    let mut value = old.unwrap_or_default();
    amount(&mut value, assignment)?;
    *old = Some(value);
    Ok(())
}

/// A number of which there is nothing less than 0.
fn amount(old: &mut f64, assignment: &Assignment) -> Result<(), QueryError> {
    let mut value = *old;
    number(&mut value, assignment)?;
    *old = Some(value)
        .filter(|value| *value >= 0.0)
        .ok_or_else(|| wrong(assignment, "a number that keeps it 0 or more"))?;
    Ok(())
}

/// Three numbers with commas between them.
fn three(assignment: &Assignment) -> Result<[f64; 3], QueryError> {
    let numbers: Option<Vec<f64>> = assignment
        .value
        .split([',', ' '])
        .map(|part| part.parse().ok().filter(|value: &f64| value.is_finite()))
        .collect();
    let numbers: Option<[f64; 3]> = numbers.and_then(|numbers| numbers.try_into().ok());
    match (assignment.change, numbers) {
        (Change::Set, Some(numbers)) => Ok(numbers),
        _ => Err(wrong(assignment, "three numbers, as 1,0.5,0")),
    }
}

/// Sets a property, which keeps its kind; one that is not there yet is a text, and 0 for what is added to it.
fn property(properties: &mut Properties, field: &str, assignment: &Assignment) -> Result<(), QueryError> {
    let Some((_, old)) = properties.entries.iter_mut().find(|(name, _)| name == field) else {
        let value = match assignment.change {
            Change::Set => assignment.value.clone(),
            Change::Add | Change::Take => {
                let mut value = 0.0;
                number(&mut value, assignment)?;
                value.to_string()
            }
        };
        properties.push(field, value);
        return Ok(());
    };
    match old {
        Value::Bool(old) => flag(old, assignment),
        Value::Int(old) => {
            let value: i64 = assignment.value.parse().map_err(|_| wrong(assignment, "a whole number"))?;
            let new = match assignment.change {
                Change::Set => Some(value),
                Change::Add => old.checked_add(value),
                Change::Take => old.checked_sub(value),
            };
            *old = new.ok_or_else(|| wrong(assignment, "a whole number of 64 bits"))?;
            Ok(())
        }
        Value::Float(old) => number(old, assignment),
        Value::Text(old) if assignment.change == Change::Set => text(old, assignment),
        Value::Text(old) => {
            let mut value: f64 = old.parse().map_err(|_| wrong(assignment, TEXT))?;
            number(&mut value, assignment)?;
            *old = value.to_string();
            Ok(())
        }
        Value::List(values) if values.iter().all(|value| matches!(value, Value::Float(_))) && values.len() == 3 => {
            *old = Value::List(three(assignment)?.map(Value::Float).to_vec());
            Ok(())
        }
        Value::Bytes(_) | Value::List(_) | Value::Map(_) => {
            Err(wrong(assignment, "a value of several parts, which is for other verbs to set"))
        }
    }
}

/// Moves an item along an axis of the file. What moved with something above it is where it is to be already.
fn place(
    scene: &mut Scene,
    target: &mut Target,
    assignment: &Assignment,
    axis: usize,
    frame: &Frame,
) -> Result<(), QueryError> {
    let own = match target.instance {
        None => scene.nodes.get(target.node).map(|node| node.transform),
        Some(at) => set_of(scene, target.node).and_then(|set| set.get(at)),
    };
    let (Some(own), Some(wanted)) = (own, target.position.get_mut(axis)) else { return Ok(()) };
    number(wanted, assignment)?;
    let wanted = *wanted;
    let around = frame.around(scene, target);
    let now = frame.axes.inverse().apply(around.then(&own).origin());
    let mut way = [0.0; 3];
    let (Some(along), Some(now)) = (way.get_mut(axis), now.get(axis)) else { return Ok(()) };
    // Less is what turning there and back makes of numbers.
    if (wanted - now).abs() <= 1e-9 * wanted.abs().max(1.0) {
        return Ok(());
    }
    *along = wanted - now;
    let Some(way) = around.back(frame.axes.apply(way)) else {
        return Err(wrong(assignment, "a place in a space that is not flat"));
    };
    let moved = move_by(&own, way);
    match target.instance {
        None => {
            if let Some(node) = scene.nodes.get_mut(target.node) {
                node.transform = moved;
            }
        }
        Some(at) => {
            if let Some(set) = set_of(scene, target.node) {
                put(set, at, moved.origin());
            }
        }
    }
    Ok(())
}

fn set_of(scene: &mut Scene, node: NodeId) -> Option<&mut InstanceTransforms> {
    match scene.nodes.get(node)?.content {
        Content::InstanceSet(id) => scene.instance_sets.get_mut(id).map(|set| &mut set.transforms),
        _ => None,
    }
}

fn put(transforms: &mut InstanceTransforms, at: usize, origin: [f64; 3]) {
    let place = match transforms {
        InstanceTransforms::Trs { translations, .. } => translations.get_mut(at),
        InstanceTransforms::Affine(maps) => maps.get_mut(at).map(|[_, _, _, place]| place),
    };
    if let Some(place) = place {
        *place = origin;
    }
}

/// The transform with its origin elsewhere.
fn move_by(own: &Transform, [dx, dy, dz]: [f64; 3]) -> Transform {
    match *own {
        Transform::Trs { translation: [x, y, z], rotation, scale } => {
            Transform::Trs { translation: [x + dx, y + dy, z + dz], rotation, scale }
        }
        Transform::Matrix([a, b, c, [x, y, z, w]]) => Transform::Matrix([a, b, c, [x + dx, y + dy, z + dz, w]]),
    }
}
