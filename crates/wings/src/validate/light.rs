//! Lights.

use mapwright_etf::{ListItem, Term};

use super::prop::{Found, has_key, items, look_up, pair, proper};
use super::report::{Fate, Place, Report};
use super::{area, tree};
use crate::document::numbers;

/// What Wings looks up in `opengl`, besides `mesh`.
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

/// A code, what comes of it, and what is wrong.
type Fault = (&'static str, Fate, &'static str);

/// Checks one property `lights`; says how many lights it makes.
pub(super) fn check<'d>(report: &mut Report<'d>, place: &Place<'_, 'd>) -> i64 {
    let Some(list) = proper(place.term) else {
        report.add(place, "light-shape", Fate::Load, "the lights are no proper list");
        return 0;
    };
    let mut count = 0_i64;
    for (index, item) in list.enumerate() {
        count = count.saturating_add(1);
        let place = place.index(index, item.term().unwrap_or(place.term));
        let Some([_, props]) = pair(item) else {
            report.add(&place, "light-shape", Fate::Load, "a light is a pair {Name,Properties}");
            continue;
        };
        if let Some((code, fate, what)) = one(props) {
            report.add(&place, code, fate, what);
        }
    }
    count
}

fn one(props: Term<'_>) -> Option<Fault> {
    let shape = |what| Some(("light-shape", Fate::Load, what));
    if proper(props).is_none() {
        return shape("the properties of a light are no proper list");
    }
    let find = |key| look_up(props, key).unwrap_or(Found::Missing);
    let states = (state(find("visible")), state(find("locked")));
    if !matches!(states, (Some(a), Some(b)) if a == b) {
        let what = "visible and locked are not both there as true or false, and not both missing";
        return Some(("light-state", Fate::Load, what));
    }
    let opengl = match find("opengl") {
        Found::Value(list) => list,
        Found::Bare => return shape("opengl stands alone, without a list"),
        Found::Missing => return None,
    };
    // An improper list is fine as long as no search comes to its end.
    if KEYS.iter().any(|key| look_up(opengl, key).is_none()) {
        return shape("opengl is no proper list");
    }
    let kind = look_up(opengl, "type").and_then(Found::value);
    let is_area = kind.is_some_and(|kind| kind.is_atom("area"));
    let mesh = items(opengl).filter_map(ListItem::term).find(|entry| is_area && has_key(*entry, "mesh"));
    if let Some(entry) = mesh {
        let Some([_, mesh]) = entry.as_tuple_of() else { return shape("mesh is no pair") };
        if let Some((fate, what)) = area::fault(mesh) {
            return Some(("light-shape", fate, what));
        }
    } else if is_area && look_up(opengl, "mesh").is_none() {
        return shape("opengl is no proper list");
    }
    position(opengl, is_area, mesh.is_some()).or_else(|| {
        let fate = match look_up(opengl, "pst")? {
            Found::Missing => None,
            Found::Bare => Some(Fate::Load),
            Found::Value(pst) => tree::fault(pst, is_area),
        };
        fate.map(|fate| ("light-shape", fate, "pst is no gb_tree"))
    })
}

/// Checks the place of a light.
fn position(opengl: Term<'_>, is_area: bool, has_mesh: bool) -> Option<Fault> {
    let shape = |what| Some(("light-shape", Fate::Load, what));
    let value = match look_up(opengl, "position")? {
        Found::Bare => return shape("position stands alone"),
        Found::Missing => return None,
        Found::Value(value) => value,
    };
    if has_mesh {
        // The mesh says where the light is.
        return if value.as_tuple_of::<3>().is_some() { None } else { shape("position is no triple") };
    }
    // The place is the centre of the corners of a cube, or of a square.
    let corners = if is_area { 4.0 } else { 8.0 };
    match numbers::<3>(value) {
        None => shape("position is no triple of numbers"),
        Some(position) if position.iter().any(|x| x.abs() > f64::MAX / corners) => {
            Some(("light-shape", Fate::Save, "the light is too far away to compute with"))
        }
        Some(_) => None,
    }
}

/// Missing, or the truth value; `None` for anything else.
fn state(found: Found<'_>) -> Option<bool> {
    match found {
        Found::Missing => Some(false),
        Found::Bare => Some(true),
        Found::Value(value) if value.is_atom("true") || value.is_atom("false") => Some(true),
        Found::Value(value) => value.as_list().is_some_and(mapwright_etf::List::is_empty).then_some(false),
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
