//! Changing what a query means.

mod assign;
mod place;

use std::borrow::Cow;
use std::cell::LazyCell;
use std::collections::{BTreeMap, BTreeSet, HashSet};

use mapwright_io::{Assignment, Change, escape_bytes, unescape_bytes};
use mapwright_scene::{AxisChange, Losses, NodeId, Scene, Value};

use super::items::CLASS;
use super::{Item, Query};
use crate::{AnyDocument, Error};
use assign::assign;
use place::{Frame, Target, axis, shown};

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

/// What is told where the document counts its parts anew.
const UNCOMPARED: &str = "the format counts its parts anew: whether every field is what it was to be was not compared";

/// What is asked of a document.
struct Wish<'a> {
    before: &'a Scene,
    axes: AxisChange,
    frame: Frame,
    targets: Vec<Target>,
    assignments: &'a [Assignment],
    /// The nodes among the targets.
    meant: HashSet<NodeId>,
    /// Those of them that other targets have their places by, where places are set.
    carriers: HashSet<NodeId>,
}

/// A field of a node that is not what it was to be.
struct Miss<'a> {
    node: NodeId,
    field: &'a str,
    /// Whether it had better stay as it is.
    stays: bool,
    name: String,
    what: String,
}

/// What stays as it is.
type Held<'a> = BTreeMap<(NodeId, &'a str), Miss<'a>>;

impl AnyDocument {
    /// Sets fields of all items that a query means: `name`, `x`, `y`, `z`, `visible`, `locked`, `range`, `intensity`, `color`,
    /// `volume`, `file`, `model`, `class`, and what else the format says of them. Everything else stays as it is, down to the byte. Ranges
    /// and volumes that are not there stay so, whatever is added to them or taken from them, and that is told.
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
        let unknown = query.unknown_fields(&before, axes).into_iter().map(str::to_owned).collect();
        let wish = Wish::new(query, assignments, &before, axes);
        let mut held = Held::new();
        loop {
            let wanted = wish.scene(&held)?;
            let mut changed = self.clone();
            let mut losses = changed.merge_scene(&wanted)?;
            let misses = wish.misses(&wanted, &changed.to_scene()?.scene, &held);
            if misses.is_none() {
                losses.approximated("nodes", UNCOMPARED);
            }
            let (stay, told): (Vec<_>, Vec<_>) = misses.into_iter().flatten().partition(|miss| miss.stays);
            if stay.is_empty() {
                for Miss { name, what, .. } in told.into_iter().chain(held.into_values()) {
                    losses.dropped(name, what);
                }
                for (node, field) in wish.uncounted(&wanted) {
                    losses
                        .dropped(name_of(&wanted, node), format!("{field}: there is none that could be counted from"));
                }
                *self = changed;
                return Ok(Changed { matched: wish.targets.len(), unknown, losses });
            }
            held.extend(wish.outermost(stay).map(|miss| ((miss.node, miss.field), miss)));
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

impl<'a> Wish<'a> {
    fn new(query: &Query, assignments: &'a [Assignment], before: &'a Scene, axes: AxisChange) -> Self {
        let frame = Frame::new(before, axes);
        let target = |item: Item<'_>| {
            let (instance, position) = (item.instance(), item.position());
            Target { node: item.node(), instance, kind: item.kind(), position }
        };
        let targets: Vec<Target> = query.items(before, axes).map(target).collect();
        let meant: HashSet<NodeId> = targets.iter().filter(|it| it.instance.is_none()).map(|it| it.node).collect();
        let is_moved = assignments.iter().any(|assignment| axis(&assignment.field).is_some());
        let moved = targets.iter().filter(|_| is_moved);
        let carriers = moved.flat_map(|target| frame.above(target.node)).filter(|it| meant.contains(it)).collect();
        Self { before, axes, frame, targets, assignments, meant, carriers }
    }

    /// What is set, each field once.
    fn fields(&self) -> impl Iterator<Item = &'a str> + use<'a> {
        let fields: BTreeSet<&str> = self.assignments.iter().map(|assignment| assignment.field.as_str()).collect();
        fields.into_iter()
    }

    /// The scene as it is to be, but for what is held.
    fn scene(&self, held: &Held<'_>) -> Result<Scene, Error> {
        let mut scene = self.before.clone();
        for target in &self.targets {
            let mut target = target.clone();
            for assignment in self.assignments {
                if !held.contains_key(&(target.node, assignment.field.as_str())) {
                    assign(&mut scene, &mut target, assignment, &self.frame)?;
                }
            }
        }
        Ok(scene)
    }

    /// What is added to or taken from, and is not there.
    fn uncounted(&self, wanted: &Scene) -> Vec<(NodeId, &'a str)> {
        let changes = self.assignments.iter().filter(|assignment| assignment.change != Change::Set);
        let counted: BTreeSet<&str> = changes.map(|assignment| assignment.field.as_str()).collect();
        let (all, mut missing) = (Query::default(), Vec::new());
        if counted.is_empty() {
            return missing;
        }
        for item in nodes(&all, wanted, self.axes).iter().filter(|item| self.meant.contains(&item.node())) {
            let is_missing = |field: &&&str| item.facts().contains(*field) && item.fact(field).is_none();
            missing.extend(counted.iter().filter(is_missing).map(|field| (item.node(), *field)));
        }
        missing
    }

    /// What did not arrive in the document. `None` where that counts its parts anew: which of them is which cannot be asked.
    fn misses(&self, wanted: &Scene, arrived: &Scene, held: &Held<'_>) -> Option<Vec<Miss<'a>>> {
        let all = Query::default();
        let items = [self.before, wanted, arrived].map(|scene| nodes(&all, scene, self.axes));
        let [was, asked, now] = &items;
        let is_same = |(a, b): (&Item<'_>, &Item<'_>)| a.kind() == b.kind() && a.text("key") == b.text("key");
        if asked.len() != now.len() || !asked.iter().zip(now).all(is_same) {
            return None;
        }
        let shown = LazyCell::new(|| [wanted, arrived].map(|scene| shown(scene, self.axes)));
        // What kinds of things say which field.
        let said = LazyCell::new(|| {
            let fields: Vec<&str> = self.fields().collect();
            let pairs = was.iter().flat_map(|item| fields.iter().map(move |field| (item, *field)));
            let pairs = pairs.filter(|(item, field)| item.get(field).is_some());
            pairs.map(|(item, field)| (item.kind(), field)).collect::<HashSet<_>>()
        });
        let mut misses = Vec::new();
        for ((was, asked), now) in was.iter().zip(asked).zip(now) {
            let node = asked.node();
            if !self.meant.contains(&node) {
                continue;
            }
            for field in self.fields().filter(|field| !held.contains_key(&(node, *field))) {
                let texts = [was, asked, now].map(|item| item.text(field));
                let [before, wish, found] = &texts;
                let places = axis(field).and_then(|axis| {
                    let [wanted, arrived] = &*shown;
                    Some((*wanted.get(&asked.node())?.get(axis)?, *arrived.get(&now.node())?.get(axis)?))
                });
                let has_arrived = match places {
                    Some((wanted, arrived)) => is_near(wanted, arrived),
                    None => {
                        has_arrived(field, asked, now)
                            || (is_dropped(field, asked, now) && said.contains(&(now.kind(), field)))
                    }
                };
                let is_cut = is_cut(wish, found);
                if has_arrived && !is_cut {
                    continue;
                }
                let glows_otherwise = is_glow(field) && glow(was) != glow(now);
                let is_left = is_close(before, found) && !glows_otherwise;
                let stays = match is_left {
                    // What is meant below it has its place by it, and so hangs on whether the format lets it move.
                    true => axis(field).is_some() && self.carriers.contains(&node),
                    // A class of another kind would be one that nobody asked for.
                    false => is_cut || is_far(&texts) || matches!(field, "class" | CLASS),
                };
                let what = match stays || is_left {
                    true => format!("{field} stays \"{before}\": \"{wish}\" cannot be said"),
                    false => format!("{field} is \"{found}\" now, not \"{wish}\""),
                };
                misses.push(Miss { node, field, stays, name: name_of(wanted, node), what });
            }
        }
        Some(misses)
    }

    /// What is in nothing else of these, where places are meant: what is in them had them in mind.
    fn outermost(&self, misses: Vec<Miss<'a>>) -> impl Iterator<Item = Miss<'a>> {
        let all: HashSet<NodeId> = misses.iter().map(|miss| miss.node).collect();
        misses.into_iter().filter(move |miss| {
            axis(miss.field).is_none() || !self.frame.above(miss.node).any(|above| all.contains(&above))
        })
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

/// Whether two texts are the same, or numbers that are as near as formats keep them.
fn is_close(a: &str, b: &str) -> bool {
    match (numbers(a), numbers(b)) {
        (Some(x), Some(y)) => a == b || (x.len() == y.len() && x.iter().zip(&y).all(|(x, y)| is_near(*x, *y))),
        _ => a == b,
    }
}

/// Whether two numbers differ by no more than texts of few digits and single precision after some turns make of them.
fn is_near(a: f64, b: f64) -> bool {
    (a - b).abs() <= 1e-5 * a.abs().max(b.abs()).max(1.0)
}

/// Whether what was to be numbers is none, or farther off than the next whole one: it was out of bounds.
fn is_far([before, asked, now]: &[String; 3]) -> bool {
    match (numbers(asked), numbers(now)) {
        (Some(asked), Some(now)) => {
            let is_off = |(asked, now): (&f64, &f64)| (now - asked).abs() >= 1.0 && !is_near(*asked, *now);
            asked.len() == now.len() && asked.iter().zip(&now).any(is_off)
        }
        (Some(_), None) => !before.is_empty(),
        _ => false,
    }
}

/// Whether a number ended at the bound of its type.
fn is_cut(asked: &str, now: &str) -> bool {
    const WHOLE: [f64; 3] = [i32::MIN as f64, i32::MAX as f64, u32::MAX as f64];
    let (Ok(asked), Ok(now)) = (asked.parse::<f64>(), now.parse::<f64>()) else { return false };
    // What is nearest to the greatest of single precision is that.
    #[allow(clippy::cast_possible_truncation)]
    let is_infinite = (asked as f32).is_infinite();
    (WHOLE.contains(&now) && asked.round().abs() > now.abs()) || (now.abs() == f64::from(f32::MAX) && is_infinite)
}

/// Whether a text is zeros.
fn is_zero(text: &str) -> bool {
    numbers(text).is_some_and(|numbers| numbers.iter().all(|number| *number == 0.0))
}

/// The numbers of a text of nothing else.
fn numbers(text: &str) -> Option<Vec<f64>> {
    text.split(' ').map(|part| part.parse().ok()).collect()
}

/// Whether a field is what was asked for; places are compared where they are shown.
fn has_arrived(field: &str, asked: &Item<'_>, now: &Item<'_>) -> bool {
    let (wish, found) = (asked.text(field), now.text(field));
    // Texts are what they are, also where they look like numbers.
    let is_text = |item: &Item<'_>| matches!(item.get(field).as_deref(), Some(Value::Text(_)));
    match () {
        () if is_glow(field) && glow(asked).is_some_and(|asked| Some(asked) == glow(now)) => true,
        // Formats whose texts are bytes of no known encoding are read as those.
        () if is_text(asked) && is_text(now) => wish == found || found == escape_bytes(&unescape_bytes(&wish)),
        () => is_close(&wish, &found),
    }
}

/// Whether a field that was to be 0 is not said: that is how formats say 0 of things that can say it.
fn is_dropped(field: &str, asked: &Item<'_>, now: &Item<'_>) -> bool {
    now.get(field).is_none() && is_zero(&asked.text(field))
}

/// Whether a field is a part of what a light gives.
fn is_glow(field: &str) -> bool {
    matches!(field, "intensity" | "color")
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
