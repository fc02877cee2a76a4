//! Objects: their materials, hard edges and properties.

use std::cmp::Ordering;

use mapwright_etf::{ListItem, Term};
use mapwright_io::Context;

use super::lookup::{Lookup, find_key, has_key, integral, items, pair, proper};
use super::report::LoadOutcome::{Accepted, CrashOnLoad, CrashOnSave, DataLoss};
use super::report::{Location, Report, Tally};
use super::rings::Walk;
use super::term_order::compare_terms;
use super::{MaterialNames, geometry, selection};
use crate::read::ModelReader;
use crate::{Object, ReadError, SelectMode, WingedMesh};

/// A number of hidden faces that no object reaches. Wings allocates a list of that size.
const MANY: i64 = 10_000_000;

/// The elements of an object, for the check of references to them.
pub(super) struct ObjectFacts {
    /// The index of the object.
    pub(super) index: usize,
    edges: usize,
    /// `true` for vertices of edges. Wings drops the others on loading.
    used: Box<[bool]>,
    /// The numbers of the faces, ascending.
    faces: Box<[u32]>,
    /// Faces below this number are hidden.
    hidden: i64,
}

impl ObjectFacts {
    /// Returns `true` if an element exists and is not hidden.
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
    pub(super) facts: ObjectFacts,
}

/// Checks an object, which may have been read already. Records the materials that it uses.
///
/// # Errors
/// If the object cannot be read.
pub(super) fn check<'d>(
    report: &mut Report<'d>,
    reader: &ModelReader<'d>,
    location: &Location<'_, 'd>,
    (index, read): (usize, Option<&Object>),
    names: &mut MaterialNames<'_>,
) -> Result<Checked<'d>, ReadError> {
    let [name, term, props] = reader.object_parts(location.term)?;
    let mesh = match read {
        Some(object) => &object.mesh,
        None => &reader.read_mesh(term).in_field("mesh")?,
    };
    let walk = Walk::new(mesh);
    let mesh_place = location.field("mesh", term);
    let used = geometry::check(report, &mesh_place, mesh, &walk);
    check_materials(report, &mesh_place, mesh, walk.rings.faces.len(), names);
    check_hard_edges(report, &mesh_place, mesh);
    let mut facts =
        ObjectFacts { index, edges: mesh.edges.len(), used: used.into(), faces: walk.rings.faces.into(), hidden: 0 };
    let location = location.field("props", props);
    if proper(props).is_none() {
        report.add(&location, "not-a-list", CrashOnLoad, "the object's properties are not a proper list");
    } else {
        facts.hidden = check_hidden(report, &location, &facts);
        check_holes(report, &location, &facts);
        check_mirror(report, &location, &facts);
        check_state(report, &location, &facts);
        check_plugin_states(report, &location);
        check_unknown(report, &location);
    }
    Ok(Checked { name, facts })
}

fn check_materials<'d>(
    report: &mut Report<'d>,
    location: &Location<'_, 'd>,
    mesh: &WingedMesh,
    faces: usize,
    names: &mut MaterialNames<'_>,
) {
    let location = location.field("faces", location.term.element(2).unwrap_or(location.term));
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
        report.add_tally(&location, unknown, "material-unknown", DataLoss, what);
    }
    let first = mesh.faces.first().and_then(Option::as_ref);
    if first.is_some_and(|name| name.is_unusual() && names.known.contains_key(name)) {
        report.add(&location, "material-name", CrashOnLoad, "the name of the first face's material is not an atom");
    }
    let what = "a face has the material _hole_ of Wings 1.1.10 and older, which today makes it a hidden hole";
    report.add_tally(&location, holes, "hole-material", Accepted, what);
}

fn check_hard_edges<'d>(report: &mut Report<'d>, location: &Location<'_, 'd>, mesh: &WingedMesh) {
    let location = location.field("hard_edges", location.term.element(4).unwrap_or(location.term));
    let mut missing = Tally::default();
    let mut before = i64::MIN;
    let mut sorted = true;
    for (index, item) in items(location.term).enumerate() {
        match integral(item) {
            Some(id) if usize::try_from(id).is_ok_and(|id| id < mesh.edges.len()) => {
                sorted &= before <= id;
                before = id;
            }
            _ => missing.count(index),
        }
    }
    report.add_tally(&location, missing, "hard-range", CrashOnSave, "a hard edge is not an edge of the object");
    if !sorted {
        report.add(
            &location,
            "hard-unsorted",
            Accepted,
            "the hard edges are not in ascending order, in which Wings 3D writes them",
        );
    }
}

/// Checks and returns the number of hidden faces.
fn check_hidden<'d>(report: &mut Report<'d>, location: &Location<'_, 'd>, facts: &ObjectFacts) -> i64 {
    let value = match find_key(location.term, "num_hidden_faces") {
        Some(Lookup::Value(value)) => Some(value),
        Some(Lookup::Bare) => None,
        _ => return 0,
    };
    let location = location.field("num_hidden_faces", value.unwrap_or(location.term));
    let Some(count) = value.and_then(Term::as_integer).filter(|count| !count.negative) else {
        report.add(&location, "hidden-type", CrashOnLoad, "num_hidden_faces is not a natural number");
        return 0;
    };
    let count = count.to_i64().unwrap_or(i64::MAX);
    if count > MANY {
        let what = format!("num_hidden_faces is {count}, and Wings 3D allocates a list of that size");
        report.add(&location, "hidden-count", CrashOnLoad, what);
    } else if usize::try_from(count).is_ok_and(|count| count > facts.faces.len()) {
        let what = format!("num_hidden_faces is {count}, expected {}; Wings 3D hides all faces", facts.faces.len());
        report.add(&location, "hidden-count", DataLoss, what);
    }
    count
}

fn check_holes<'d>(report: &mut Report<'d>, location: &Location<'_, 'd>, facts: &ObjectFacts) {
    let value = match find_key(location.term, "holes") {
        Some(Lookup::Value(value)) => Some(value),
        Some(Lookup::Bare) => None,
        _ => return,
    };
    let location = location.field("holes", value.unwrap_or(location.term));
    let Some(list) = value.and_then(proper) else {
        // Without faces, Wings ignores the list.
        if !facts.faces.is_empty() {
            report.add(&location, "hole-shape", CrashOnLoad, "holes is not a proper list");
        }
        return;
    };
    let mut dropped = Tally::default();
    let mut before = i64::MIN;
    for (index, item) in list.enumerate() {
        // Wings assumes that the list is sorted.
        match integral(item) {
            Some(face) if face > before && face < facts.hidden && facts.has_face(face) => before = face,
            _ => dropped.count(index),
        }
    }
    let what = "a hole is not among the hidden faces, or not in ascending order; Wings 3D drops it";
    report.add_tally(&location, dropped, "hole-not-hidden", DataLoss, what);
}

fn check_mirror<'d>(report: &mut Report<'d>, location: &Location<'_, 'd>, facts: &ObjectFacts) {
    let value = match find_key(location.term, "mirror_face") {
        Some(Lookup::Value(value)) if value.is_atom("none") => return,
        Some(Lookup::Value(value)) => Some(value),
        Some(Lookup::Bare) => None,
        _ => return,
    };
    let location = location.field("mirror_face", value.unwrap_or(location.term));
    let face = value.and_then(|value| integral(ListItem::Term(value)));
    if !face.is_some_and(|face| facts.has(&SelectMode::Face, face)) {
        let what = "the mirror face is hidden or does not exist; Wings 3D drops it";
        report.add(&location, "mirror-invalid", DataLoss, what);
    } else if value.is_some_and(|value| value.as_integer().is_none()) {
        report.add(&location, "mirror-invalid", CrashOnSave, "the number of the mirror is a float");
    }
}

fn check_state<'d>(report: &mut Report<'d>, location: &Location<'_, 'd>, facts: &ObjectFacts) {
    let Some(value) = find_key(location.term, "state").and_then(Lookup::value) else { return };
    let location = location.field("state", value);
    let Some([_, mode, elements]) = value.as_tuple_of::<3>().filter(|[kind, ..]| kind.is_atom("hidden")) else {
        return;
    };
    if proper(elements).is_none() {
        let what = "the selection in the hidden state is not a proper list";
        report.add(&location, "state-shape", CrashOnLoad, what);
        return;
    }
    let Some(mode) = selection::read_mode(mode) else {
        let what = "invalid mode of the selection in the hidden state: expected vertex, edge, face or body";
        report.add(&location, "state-range", CrashOnSave, what);
        return;
    };
    let missing = selection::count_missing(facts, &mode, elements);
    let what = "the selection in the hidden state contains an element that does not exist or is hidden";
    report.add_tally(&location.field("elements", elements), missing, "state-range", CrashOnSave, what);
}

fn check_plugin_states<'d>(report: &mut Report<'d>, location: &Location<'_, 'd>) {
    let Some(value) = find_key(location.term, "plugin_states").and_then(Lookup::value) else { return };
    let location = location.field("plugin_states", value);
    let mut keys = Vec::new();
    let all_pairs = proper(value).is_some_and(|mut states| {
        states.all(|item| {
            let pair = pair(item);
            pair.map(|[key, _]| keys.push(key)).is_some()
        })
    });
    if !all_pairs {
        let what = "plugin_states is not a list of pairs; Wings 3D drops all of it";
        report.add(&location, "plugin-states", DataLoss, what);
        return;
    }
    let (mut lost, mut nameless) = (Tally::default(), Tally::default());
    for (index, key) in keys.iter().enumerate() {
        if !can_find(&keys, *key) {
            lost.count(index);
        }
        if key.as_atom().is_none() {
            nameless.count(index);
        }
    }
    let what = "plugin_states is not sorted by key";
    report.add_tally(&location, lost, "plugin-states-order", CrashOnSave, what);
    let what = "the key of a plug-in's data is not an atom; Wings 3D drops it on the next save";
    report.add_tally(&location, nameless, "plugin-states", DataLoss, what);
}

/// Returns `true` if a key can be found in a balanced tree of `keys`. Wings builds one without sorting them.
fn can_find(mut keys: &[Term<'_>], key: Term<'_>) -> bool {
    while let Some((smaller, [middle, bigger @ ..])) = keys.split_at_checked(keys.len() / 2) {
        keys = match compare_terms(ListItem::Term(key), ListItem::Term(*middle)) {
            Ordering::Less => smaller,
            Ordering::Greater => bigger,
            Ordering::Equal => return true,
        };
    }
    false
}

fn check_unknown<'d>(report: &mut Report<'d>, location: &Location<'_, 'd>) {
    const KNOWN: [&str; 6] = ["plugin_states", "holes", "mirror_face", "num_hidden_faces", "state", "mode"];
    let mut unknown = Tally::default();
    for (index, item) in items(location.term).enumerate() {
        if !item.term().is_some_and(|entry| KNOWN.iter().any(|key| has_key(entry, key))) {
            unknown.count(index);
        }
    }
    let what = "Wings 3D does not know a property of the object; it drops it on the next save";
    report.add_tally(location, unknown, "prop-unknown", DataLoss, what);
}
