//! Objects: their materials, hard edges and properties.

use std::cmp::Ordering;

use mapwright_etf::{ListItem, Term};
use mapwright_io::Context;

use super::order::order;
use super::prop::{Found, has_key, integral, items, look_up, pair, proper};
use super::report::{Fate, Place, Report, Tally};
use super::rings::Walk;
use super::{MaterialNames, geometry, selection};
use crate::read::ModelReader;
use crate::{Object, ReadError, SelectMode, WingedMesh};

/// More hidden faces than any object can have: Wings makes a list of their numbers.
const MANY: i64 = 10_000_000;

/// What an object has, for those who refer to it.
pub(super) struct Facts {
    /// The number of the object.
    pub(super) index: usize,
    edges: usize,
    /// Which vertices some edge uses; Wings drops the others on loading.
    used: Box<[bool]>,
    /// The numbers of the faces, ascending.
    faces: Box<[u32]>,
    /// Faces below this number are hidden.
    hidden: i64,
}

impl Facts {
    /// Whether an element is there and not hidden.
    pub(super) fn has(&self, mode: &SelectMode, id: i64) -> bool {
        let index = usize::try_from(id).ok();
        match mode {
            SelectMode::Vertex => index.and_then(|index| self.used.get(index)) == Some(&true),
            SelectMode::Edge => index.is_some_and(|index| index < self.edges),
            SelectMode::Face => id >= self.hidden && self.has_face(id),
            SelectMode::Body | SelectMode::Other(_) => true,
        }
    }

    fn has_face(&self, id: i64) -> bool {
        u32::try_from(id).is_ok_and(|face| self.faces.binary_search(&face).is_ok())
    }
}

/// A checked object.
pub(super) struct Checked<'d> {
    pub(super) name: Term<'d>,
    pub(super) facts: Facts,
}

/// Checks the object of a number, whether it has been read or not, and notes which materials it uses.
///
/// # Errors
/// When it cannot be read.
pub(super) fn check<'d>(
    report: &mut Report<'d>,
    reader: &ModelReader<'d>,
    place: &Place<'_, 'd>,
    (index, read): (usize, Option<&Object>),
    names: &mut MaterialNames<'_>,
) -> Result<Checked<'d>, ReadError> {
    let [name, term, props] = reader.object_parts(place.term)?;
    let mesh = match read {
        Some(object) => &object.mesh,
        None => &reader.mesh(term).in_field("mesh")?,
    };
    let walk = Walk::new(mesh);
    let mesh_place = place.field("mesh", term);
    let used = geometry::check(report, &mesh_place, mesh, &walk);
    materials(report, &mesh_place, mesh, walk.rings.faces.len(), names);
    hard_edges(report, &mesh_place, mesh);
    let mut facts =
        Facts { index, edges: mesh.edges.len(), used: used.into(), faces: walk.rings.faces.into(), hidden: 0 };
    let place = place.field("props", props);
    if proper(props).is_none() {
        report.add(&place, "not-a-list", Fate::Load, "the object's properties are no proper list");
    } else {
        facts.hidden = hidden(report, &place, &facts);
        holes(report, &place, &facts);
        mirror(report, &place, &facts);
        state(report, &place, &facts);
        plugin_states(report, &place);
        unknown(report, &place);
    }
    Ok(Checked { name, facts })
}

fn materials<'d>(
    report: &mut Report<'d>,
    place: &Place<'_, 'd>,
    mesh: &WingedMesh,
    faces: usize,
    names: &mut MaterialNames<'_>,
) {
    let place = place.field("faces", place.term.element(2).unwrap_or(place.term));
    let mut last = None;
    let (mut holes, mut unknown, mut unknown_name) = (Tally::default(), Tally::default(), None);
    names.uses_default |= faces > mesh.faces.len();
    for (index, face) in mesh.faces.iter().enumerate() {
        let Some(name) = face else {
            names.uses_default = true;
            continue;
        };
        if name.as_str() == "_hole_" && names.known.contains_key(name) {
            holes.count(index);
        }
        if last.replace(name) == Some(name) {
            continue;
        }
        match names.known.get_mut(name) {
            Some(named) => named.is_used = true,
            None if name.as_str() == "default" => {}
            None => {
                unknown.count(index);
                unknown_name.get_or_insert(name);
            }
        }
    }
    if let Some(name) = unknown_name {
        let what = format!("the file has no material {name}; Wings 3D gives the face the material default");
        report.many(&place, unknown, "material-unknown", Fate::Lost, what);
    }
    let first = mesh.faces.first().and_then(Option::as_ref);
    if first.is_some_and(|name| name.is_odd() && names.known.contains_key(name)) {
        report.add(&place, "material-name", Fate::Load, "the name of the first face's material is no atom");
    }
    let what = "a face has the material _hole_ of Wings 1.1.10 and older, which today makes it a hidden hole";
    report.many(&place, holes, "hole-material", Fate::Note, what);
}

fn hard_edges<'d>(report: &mut Report<'d>, place: &Place<'_, 'd>, mesh: &WingedMesh) {
    let place = place.field("hard_edges", place.term.element(4).unwrap_or(place.term));
    let mut missing = Tally::default();
    let mut before = i64::MIN;
    let mut sorted = true;
    for (index, item) in items(place.term).enumerate() {
        match integral(item) {
            Some(id) if usize::try_from(id).is_ok_and(|id| id < mesh.edges.len()) => {
                sorted &= before <= id;
                before = id;
            }
            _ => missing.count(index),
        }
    }
    report.many(&place, missing, "hard-range", Fate::Save, "a hard edge is no edge of the object");
    if !sorted {
        report.add(&place, "hard-unsorted", Fate::Note, "the hard edges are not ascending, as Wings 3D writes them");
    }
}

/// Checks the number of hidden faces, and gives it.
fn hidden<'d>(report: &mut Report<'d>, place: &Place<'_, 'd>, facts: &Facts) -> i64 {
    let value = match look_up(place.term, "num_hidden_faces") {
        Some(Found::Value(value)) => Some(value),
        Some(Found::Bare) => None,
        _ => return 0,
    };
    let place = place.field("num_hidden_faces", value.unwrap_or(place.term));
    let Some(count) = value.and_then(Term::as_integer).filter(|count| !count.negative) else {
        report.add(&place, "hidden-type", Fate::Load, "num_hidden_faces is no natural number");
        return 0;
    };
    let count = count.to_i64().unwrap_or(i64::MAX);
    if count > MANY {
        let what = format!("num_hidden_faces is {count}, and Wings 3D makes a list of so many");
        report.add(&place, "hidden-count", Fate::Load, what);
    } else if usize::try_from(count).is_ok_and(|count| count > facts.faces.len()) {
        let what = format!("{count} of {} faces are to be hidden; Wings 3D hides all", facts.faces.len());
        report.add(&place, "hidden-count", Fate::Lost, what);
    }
    count
}

fn holes<'d>(report: &mut Report<'d>, place: &Place<'_, 'd>, facts: &Facts) {
    let value = match look_up(place.term, "holes") {
        Some(Found::Value(value)) => Some(value),
        Some(Found::Bare) => None,
        _ => return,
    };
    let place = place.field("holes", value.unwrap_or(place.term));
    let Some(list) = value.and_then(proper) else {
        // Without faces Wings does not look at it.
        if !facts.faces.is_empty() {
            report.add(&place, "hole-shape", Fate::Load, "holes is no proper list");
        }
        return;
    };
    let mut dropped = Tally::default();
    let mut before = i64::MIN;
    for (index, item) in list.enumerate() {
        // Wings takes the list for a sorted one.
        match integral(item) {
            Some(face) if face > before && face < facts.hidden && facts.has_face(face) => before = face,
            _ => dropped.count(index),
        }
    }
    let what = "a hole is not among the hidden faces, or not in ascending order; Wings 3D drops it";
    report.many(&place, dropped, "hole-not-hidden", Fate::Lost, what);
}

fn mirror<'d>(report: &mut Report<'d>, place: &Place<'_, 'd>, facts: &Facts) {
    let value = match look_up(place.term, "mirror_face") {
        Some(Found::Value(value)) if value.is_atom("none") => return,
        Some(Found::Value(value)) => Some(value),
        Some(Found::Bare) => None,
        _ => return,
    };
    let place = place.field("mirror_face", value.unwrap_or(place.term));
    let face = value.and_then(|value| integral(ListItem::Term(value)));
    if !face.is_some_and(|face| facts.has(&SelectMode::Face, face)) {
        let what = "the mirror is a hidden face or none; Wings 3D drops it";
        report.add(&place, "mirror-invalid", Fate::Lost, what);
    } else if value.is_some_and(|value| value.as_integer().is_none()) {
        report.add(&place, "mirror-invalid", Fate::Save, "the number of the mirror is a float");
    }
}

fn state<'d>(report: &mut Report<'d>, place: &Place<'_, 'd>, facts: &Facts) {
    let Some(value) = look_up(place.term, "state").and_then(Found::value) else { return };
    let place = place.field("state", value);
    let Some([_, mode, elements]) = value.as_tuple_of::<3>().filter(|[kind, ..]| kind.is_atom("hidden")) else {
        return;
    };
    if proper(elements).is_none() {
        let what = "the selection kept with the hidden state is no proper list";
        report.add(&place, "state-shape", Fate::Load, what);
        return;
    }
    let Some(mode) = selection::mode(mode) else {
        let what = "the selection kept with the hidden state is of none of the modes vertex, edge, face and body";
        report.add(&place, "state-range", Fate::Save, what);
        return;
    };
    let missing = selection::missing(facts, &mode, elements);
    let what = "the selection kept with the hidden state has an element that does not exist or is hidden";
    report.many(&place.field("elements", elements), missing, "state-range", Fate::Save, what);
}

fn plugin_states<'d>(report: &mut Report<'d>, place: &Place<'_, 'd>) {
    let Some(value) = look_up(place.term, "plugin_states").and_then(Found::value) else { return };
    let place = place.field("plugin_states", value);
    let mut keys = Vec::new();
    let all_pairs = proper(value).is_some_and(|mut states| {
        states.all(|item| {
            let pair = pair(item);
            pair.map(|[key, _]| keys.push(key)).is_some()
        })
    });
    if !all_pairs {
        let what = "plugin_states is no list of pairs; Wings 3D drops all of it";
        report.add(&place, "plugin-states", Fate::Lost, what);
        return;
    }
    let (mut lost, mut nameless) = (Tally::default(), Tally::default());
    for (index, key) in keys.iter().enumerate() {
        if !is_found(&keys, *key) {
            lost.count(index);
        }
        if key.as_atom().is_none() {
            nameless.count(index);
        }
    }
    let what = "plugin_states are not sorted by their keys";
    report.many(&place, lost, "plugin-states-order", Fate::Save, what);
    let what = "the key of a plug-in's data is no atom; Wings 3D drops it on the next save";
    report.many(&place, nameless, "plugin-states", Fate::Lost, what);
}

/// Whether a key is found in the balanced tree that Wings makes of a list which it takes for a sorted one.
fn is_found(mut keys: &[Term<'_>], key: Term<'_>) -> bool {
    while let Some((smaller, [middle, bigger @ ..])) = keys.split_at_checked(keys.len() / 2) {
        keys = match order(ListItem::Term(key), ListItem::Term(*middle)) {
            Ordering::Less => smaller,
            Ordering::Greater => bigger,
            Ordering::Equal => return true,
        };
    }
    false
}

fn unknown<'d>(report: &mut Report<'d>, place: &Place<'_, 'd>) {
    const KNOWN: [&str; 6] = ["plugin_states", "holes", "mirror_face", "num_hidden_faces", "state", "mode"];
    let mut unknown = Tally::default();
    for (index, item) in items(place.term).enumerate() {
        if !item.term().is_some_and(|entry| KNOWN.iter().any(|key| has_key(entry, key))) {
            unknown.count(index);
        }
    }
    let what = "Wings 3D does not know a property of the object; it drops it on the next save";
    report.many(place, unknown, "prop-unknown", Fate::Lost, what);
}
