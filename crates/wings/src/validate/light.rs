//! Lights.

use mapwright_etf::{ListItem, Term};

use super::lookup::{Lookup, find_key, has_key, items, pair, proper};
use super::report::LoadOutcome::{self, CrashOnLoad, CrashOnSave};
use super::report::{Location, Report};
use super::{area_light, gb_tree};
use crate::document::numbers;

/// The keys that Wings looks up in `opengl`, besides `mesh`.
const KEYS: [&str; 11] = [
    "type",
    "position",
    "diffuse",
    "ambient",
    "specular",
    "aim_point",
    "linear_attenuation",
    "quadratic_attenuation",
    "cone_angle",
    "spot_exponent",
    "pst",
];

/// A code, the reaction of Wings, and a description.
type Fault = (&'static str, LoadOutcome, &'static str);

/// Checks one property `lights`. Returns the number of lights that it adds.
pub(super) fn check<'d>(report: &mut Report<'d>, location: &Location<'_, 'd>) -> i64 {
    let Some(list) = proper(location.term) else {
        report.add(location, "light-shape", CrashOnLoad, "the lights are not a proper list");
        return 0;
    };
    let mut count = 0_i64;
    for (index, item) in list.enumerate() {
        count = count.saturating_add(1);
        let location = location.index(index, item.term().unwrap_or(location.term));
        let Some([_, props]) = pair(item) else {
            report.add(&location, "light-shape", CrashOnLoad, "a light is a pair {Name,Properties}");
            continue;
        };
        if let Some((code, outcome, what)) = check_light(props) {
            report.add(&location, code, outcome, what);
        }
    }
    count
}

fn check_light(props: Term<'_>) -> Option<Fault> {
    let shape = |what| Some(("light-shape", CrashOnLoad, what));
    if proper(props).is_none() {
        return shape("the properties of a light are not a proper list");
    }
    let find = |key| find_key(props, key).unwrap_or(Lookup::Missing);
    let states = (read_state(find("visible")), read_state(find("locked")));
    if !matches!(states, (Some(a), Some(b)) if a == b) {
        let what = "visible and locked must both be true or false, or both be missing";
        return Some(("light-state", CrashOnLoad, what));
    }
    let opengl = match find("opengl") {
        Lookup::Value(list) => list,
        Lookup::Bare => return shape("opengl has no list"),
        Lookup::Missing => return None,
    };
    // An improper list is valid if every lookup ends before its tail.
    if KEYS.iter().any(|key| find_key(opengl, key).is_none()) {
        return shape("opengl is not a proper list");
    }
    let kind = find_key(opengl, "type").and_then(Lookup::value);
    let is_area = kind.is_some_and(|kind| kind.is_atom("area"));
    let mesh = items(opengl).filter_map(ListItem::term).find(|entry| is_area && has_key(*entry, "mesh"));
    if let Some(entry) = mesh {
        let Some([_, mesh]) = entry.as_tuple_of() else { return shape("mesh is not a pair") };
        if let Some((outcome, what)) = area_light::find_fault(mesh) {
            return Some(("light-shape", outcome, what));
        }
    } else if is_area && find_key(opengl, "mesh").is_none() {
        return shape("opengl is not a proper list");
    }
    check_position(opengl, is_area, mesh.is_some()).or_else(|| {
        let outcome = match find_key(opengl, "pst")? {
            Lookup::Missing => None,
            Lookup::Bare => Some(CrashOnLoad),
            Lookup::Value(pst) => gb_tree::find_fault(pst, is_area),
        };
        outcome.map(|outcome| ("light-shape", outcome, "pst is not a gb_tree"))
    })
}

/// Checks the position of a light.
fn check_position(opengl: Term<'_>, is_area: bool, has_mesh: bool) -> Option<Fault> {
    let shape = |what| Some(("light-shape", CrashOnLoad, what));
    let value = match find_key(opengl, "position")? {
        Lookup::Bare => return shape("position has no value"),
        Lookup::Missing => return None,
        Lookup::Value(value) => value,
    };
    if has_mesh {
        // Wings computes the position from the mesh.
        return if value.as_tuple_of::<3>().is_some() { None } else { shape("position is not a triple") };
    }
    // Wings averages the corners of a cube, or of a square.
    let corners = if is_area { 4.0 } else { 8.0 };
    match numbers::<3>(value) {
        None => shape("position is not a triple of numbers"),
        Some(position) if position.iter().any(|x| x.abs() > f64::MAX / corners) => {
            Some(("light-shape", CrashOnSave, "the position of the light is beyond the range of floats"))
        }
        Some(_) => None,
    }
}

/// Returns `true` for a boolean, `false` for a missing value or an empty list, and `None` for anything else.
fn read_state(found: Lookup<'_>) -> Option<bool> {
    match found {
        Lookup::Missing => Some(false),
        Lookup::Bare => Some(true),
        Lookup::Value(value) if value.is_atom("true") || value.is_atom("false") => Some(true),
        Lookup::Value(value) => value.as_list().is_some_and(mapwright_etf::List::is_empty).then_some(false),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Source: "Lights", keys of all types but `mesh`.
    #[test]
    fn keys_are_those_published() {
        let mut keys = KEYS;
        keys.sort_unstable();
        let published = [
            "aim_point",
            "ambient",
            "cone_angle",
            "diffuse",
            "linear_attenuation",
            "position",
            "pst",
            "quadratic_attenuation",
            "specular",
            "spot_exponent",
            "type",
        ];
        assert_eq!(keys, published);
    }
}
