//! `set` for formats whose objects are those of their scene: changes the scene, merges it, and compares the result.

use std::borrow::Cow;
use std::cell::LazyCell;
use std::collections::{BTreeSet, HashSet};

use mapwright_io::{escape_bytes, unescape_bytes};
use mapwright_query::{AssignOp, Assignment, EditOptions, Edited, Query, QueryError};
use mapwright_scene::{AxisChange, Loss, NodeId, Scene, Value};

use super::assign::{assign, invalid_value};
use super::pose::move_projections;
use super::position::{Frame, Target, axis, visible_positions};
use crate::query::{Item, all_items, has_pose, item_schema, pose_field, scene_vocabulary};
use crate::{AnyDocument, Error, Format};

/// The report for documents whose parts are numbered again, so that they cannot be compared.
const NOT_COMPARED: &str = "the format numbers its parts again: the result was not compared with the edit";

/// A `set` on a scene.
struct SetRequest<'a> {
    before: &'a Scene,
    axes: AxisChange,
    frame: Frame,
    targets: Vec<Target>,
    assignments: &'a [Assignment],
    /// The nodes among the targets.
    nodes: HashSet<NodeId>,
}

/// A field that does not have the value of the edit.
struct UnappliedField {
    node: NodeId,
    path: String,
    text: String,
    /// `true` if the format cannot store the value; otherwise it is rounded.
    is_refused: bool,
}

impl AnyDocument {
    /// Sets fields of the objects of the scene that a query matches.
    pub(super) fn set_in_scene(
        &mut self,
        query: &Query,
        assignments: &[Assignment],
        options: &EditOptions,
    ) -> Result<Edited, Error> {
        let axes = self.format().axis_change();
        let before = self.to_scene()?.scene;
        let vocabulary = scene_vocabulary(&before, axes);
        let unknown = assignments.iter().find(|assignment| !vocabulary.contains(&assignment.field));
        if let Some(assignment) = unknown.filter(|_| !options.create_fields) {
            return Err(vocabulary.unknown_field(&assignment.field).into());
        }
        let selection = query.bind(&vocabulary)?;
        let items = all_items(&before, axes).filter(|item| selection.matches(item));
        let request = SetRequest::new(items, assignments, &before, axes);
        // The reader cannot find an origin again, so that the position would always be 0.
        let is_position = |it: &&Assignment| it.op == AssignOp::Set && axis(&it.field).is_some();
        let has_mesh = request.targets.iter().any(|target| target.kind == "mesh");
        if let Some(position) =
            assignments.iter().find(is_position).filter(|_| self.format() == Format::Wings && has_mesh)
        {
            return Err(invalid_value(position, "+= or -=: meshes of Wings store vertices, not a position").into());
        }
        let matched = request.targets.len();
        if matched == 0 && options.allow_no_match {
            return Ok(Edited::objects(0, 0));
        }
        query.check_match_count(matched)?;
        // Scenes of other formats omit fields that have their default, so that a missing one is no new key.
        let create = options.create_fields || self.format() != Format::Vmap;
        let wanted = request.changed_scene(create)?;
        let mut changed = self.clone();
        let mut losses = changed.merge_scene(&wanted)?;
        let mut changed_count = request.count_changed(&wanted);
        match request.unapplied_fields(&wanted, &changed.to_scene()?.scene) {
            None => losses.approximated("nodes", NOT_COMPARED),
            Some(fields) => {
                if let Some(field) = fields.iter().find(|field| field.is_refused) {
                    let others = fields.iter().filter(|field| field.is_refused).count().saturating_sub(1);
                    let others = if others == 0 { String::new() } else { format!(" (and {others} more)") };
                    return Err(QueryError::refused(format!("{}: {}{others}", field.path, field.text)).into());
                }
                for world in fields.iter().filter(|field| field.text == UNMOVED_WORLD) {
                    changed_count = changed_count.saturating_sub(1);
                    // The writer reports the same at the place of the node in the scene.
                    let place = format!("nodes[{}]", world.node.index());
                    let is_same = |loss: &Loss| loss.path.to_string() == place && loss.text.starts_with("transform ");
                    losses.items.retain(|loss| !is_same(loss));
                }
                fields.into_iter().for_each(|field| losses.approximated(field.path, field.text));
            }
        }
        *self = changed;
        Ok(Edited { losses, ..Edited::objects(changed_count, matched) })
    }
}

impl<'a> SetRequest<'a> {
    fn new<'s>(
        items: impl Iterator<Item = Item<'s>>,
        assignments: &'a [Assignment],
        before: &'a Scene,
        axes: AxisChange,
    ) -> Self {
        let has_pose = has_pose(axes);
        let target = |item: Item<'_>| Target {
            node: item.node(),
            kind: item.kind(),
            position: item.position(),
            has_pose,
            pose: item.pose().filter(|_| has_pose),
        };
        let targets: Vec<Target> = items.map(target).collect();
        let nodes = targets.iter().map(|target| target.node).collect();
        Self { before, axes, frame: Frame::new(before, axes), targets, assignments, nodes }
    }

    /// Returns the assigned fields, each once.
    fn fields(&self) -> impl Iterator<Item = &'a str> + use<'a> {
        let schema = item_schema(self.axes);
        let name =
            |field: &'a str| schema.find(field).and_then(|index| schema.field(index)).map_or(field, |field| field.name);
        let fields: BTreeSet<&str> = self.assignments.iter().map(|assignment| name(&assignment.field)).collect();
        fields.into_iter()
    }

    /// Returns the scene with the assignments applied.
    fn changed_scene(&self, create: bool) -> Result<Scene, Error> {
        let mut scene = self.before.clone();
        for target in &self.targets {
            let mut target = target.clone();
            for assignment in self.assignments {
                assign(&mut scene, &mut target, assignment, &self.frame, create)?;
            }
        }
        if self.targets.iter().any(|target| target.has_pose) {
            move_projections(self.before, &mut scene);
        }
        Ok(scene)
    }

    /// Counts the targets that the edit changes.
    fn count_changed(&self, wanted: &Scene) -> usize {
        let [old, new] = [self.before, wanted].map(|scene| all_items(scene, self.axes));
        let is_changed = |(old, new): &(Item<'_>, Item<'_>)| {
            let has_changed = |field| old.text(field) != new.text(field);
            self.nodes.contains(&new.node()) && self.fields().any(has_changed)
        };
        old.zip(new).filter(is_changed).count()
    }

    /// Returns the fields that do not have the value of the edit in the new document. `None` if its parts are numbered again, so that they
    /// cannot be compared.
    fn unapplied_fields(&self, wanted: &Scene, new: &Scene) -> Option<Vec<UnappliedField>> {
        let [old_items, wanted_items, new_items] =
            [self.before, wanted, new].map(|scene| all_items(scene, self.axes).collect::<Vec<_>>());
        let is_same = |(a, b): (&Item<'_>, &Item<'_>)| a.kind() == b.kind() && a.text("key") == b.text("key");
        if wanted_items.len() != new_items.len() || !wanted_items.iter().zip(&new_items).all(is_same) {
            return None;
        }
        let positions = LazyCell::new(|| [wanted, new].map(|scene| visible_positions(scene, self.axes)));
        let mut unapplied = Vec::new();
        for ((old, asked), now) in old_items.iter().zip(&wanted_items).zip(&new_items) {
            let node = asked.node();
            if !self.nodes.contains(&node) {
                continue;
            }
            for field in self.fields() {
                let texts = [old, asked, now].map(|item| item.text(field));
                let [before, wish, found] = &texts;
                let places = axis(field).and_then(|axis| {
                    let [wanted, new] = &*positions;
                    Some((*wanted.get(&asked.node())?.get(axis)?, *new.get(&now.node())?.get(axis)?))
                });
                let is_applied = match places {
                    Some((wanted, new)) => is_near(wanted, new),
                    None if pose_field(field).is_some() => has_near_place(asked, now),
                    None => is_applied(field, asked, now),
                };
                let is_clamped = is_clamped(wish, found);
                if is_applied && !is_clamped {
                    continue;
                }
                let other_light = is_emission_field(field) && emission(old) != emission(now);
                let is_unchanged = is_close(before, found) && !other_light;
                // A class of another kind would be one that the edit does not name.
                let is_refused = is_unchanged || is_clamped || is_out_of_range(&texts) || field == "class";
                let is_world = places.is_some() && asked.text("class") == "worldspawn";
                let path = path_of(wanted, node);
                // A query of all entities matches the world as well. The others move without it.
                if is_world && is_refused && self.targets.len() > 1 {
                    if unapplied.last().is_none_or(|field: &UnappliedField| field.path != path) {
                        let text = UNMOVED_WORLD.to_owned();
                        unapplied.push(UnappliedField { node, path, text, is_refused: false });
                    }
                    continue;
                }
                let text = match is_refused {
                    true if is_world => {
                        "worldspawn cannot be moved: add `and class!=worldspawn` to the query".to_owned()
                    }
                    true => format!("cannot set {field} to \"{wish}\": the format cannot store it"),
                    false => format!("{field} is \"{found}\" instead of \"{wish}\""),
                };
                unapplied.push(UnappliedField { node, path, text, is_refused });
            }
        }
        Some(unapplied)
    }
}

/// Loss text for the world, if an edit moves other objects as well.
const UNMOVED_WORLD: &str = "worldspawn cannot be moved: it stays where it is";

/// Returns the path to a node in the document, or its index in the scene.
fn path_of(scene: &Scene, node: NodeId) -> String {
    let key = scene.nodes.get(node).and_then(|node| node.key.clone());
    key.unwrap_or_else(|| format!("nodes[{}]", node.index()))
}

/// Returns `true` if two strings are equal, or numbers that are equal within the precision of formats.
fn is_close(a: &str, b: &str) -> bool {
    match (numbers(a), numbers(b)) {
        (Some(x), Some(y)) => a == b || (x.len() == y.len() && x.iter().zip(&y).all(|(x, y)| is_near(*x, *y))),
        _ => a == b,
    }
}

/// Returns `true` if two numbers differ by no more than text of few digits and rotations in single precision explain.
fn is_near(a: f64, b: f64) -> bool {
    (a - b).abs() <= 1e-5 * a.abs().max(b.abs()).max(1.0)
}

/// Returns `true` if two objects have nearly the same transform.
fn has_near_place(a: &Item<'_>, b: &Item<'_>) -> bool {
    let numbers = |item: &Item<'_>| item.world().matrix().into_iter().flatten();
    numbers(a).zip(numbers(b)).all(|(a, b)| is_near(a, b))
}

/// Returns `true` if numbers differ by 1 or more from those of the edit, so that they were not rounded but out of range.
fn is_out_of_range([before, asked, now]: &[String; 3]) -> bool {
    match (numbers(asked), numbers(now)) {
        (Some(asked), Some(now)) => {
            let is_off = |(asked, now): (&f64, &f64)| (now - asked).abs() >= 1.0 && !is_near(*asked, *now);
            asked.len() == now.len() && asked.iter().zip(&now).any(is_off)
        }
        (Some(_), None) => !before.is_empty(),
        _ => false,
    }
}

/// Returns `true` if a number was clamped to the range of its type.
fn is_clamped(asked: &str, now: &str) -> bool {
    const WHOLE: [f64; 3] = [i32::MIN as f64, i32::MAX as f64, u32::MAX as f64];
    let (Ok(asked), Ok(now)) = (asked.parse::<f64>(), now.parse::<f64>()) else { return false };
    #[allow(clippy::cast_possible_truncation)]
    let is_infinite = (asked as f32).is_infinite();
    (WHOLE.contains(&now) && asked.round().abs() > now.abs()) || (now.abs() == f64::from(f32::MAX) && is_infinite)
}

/// Returns the numbers in text that contains nothing else.
fn numbers(text: &str) -> Option<Vec<f64>> {
    text.split(' ').map(|part| part.parse().ok()).collect()
}

/// Returns `true` if a field has the value of the edit. Positions are compared elsewhere.
fn is_applied(field: &str, asked: &Item<'_>, now: &Item<'_>) -> bool {
    let (wish, found) = (asked.text(field), now.text(field));
    // Text that looks like a number is text.
    let is_text = |item: &Item<'_>| matches!(item.get(field).as_deref(), Some(Value::Text(_)));
    match () {
        () if is_emission_field(field) && emission(asked).is_some_and(|asked| Some(asked) == emission(now)) => true,
        // Formats with text in an unknown encoding are read as bytes.
        () if is_text(asked) && is_text(now) => wish == found || found == escape_bytes(&unescape_bytes(&wish)),
        () => is_close(&wish, &found),
    }
}

/// Returns `true` if a field is a part of the emitted light.
fn is_emission_field(field: &str) -> bool {
    matches!(field, "intensity" | "color")
}

/// Returns the emitted light of each colour channel.
fn emission(item: &Item<'_>) -> Option<[u64; 3]> {
    let of = |field: &str| item.get(field).map(Cow::into_owned);
    let (Some(Value::Float(intensity)), Some(Value::List(color))) = (of("intensity"), of("color")) else { return None };
    let channels: Option<Vec<u64>> = color
        .iter()
        .map(|channel| match channel {
            // In single precision, as formats store it.
            #[allow(clippy::cast_possible_truncation)]
            Value::Float(channel) => Some(((channel * intensity) as f32).to_bits().into()),
            _ => None,
        })
        .collect();
    channels?.try_into().ok()
}
