//! Lights.

use mapwright_etf::{ListItem, Term};

use super::prop::{Found, look_up, pair, proper};
use super::report::{Fate, Place, Report};
use crate::document::numbers;

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

fn one(props: Term<'_>) -> Option<(&'static str, Fate, &'static str)> {
    let shape = |what| Some(("light-shape", Fate::Load, what));
    let (Some(visible), Some(locked)) = (look_up(props, "visible"), look_up(props, "locked")) else {
        return shape("the properties of a light are no proper list");
    };
    let states = (state(visible), state(locked));
    if !matches!(states, (Some(a), Some(b)) if a == b) {
        let what = "visible and locked are not both there as true or false, and not both missing";
        return Some(("light-state", Fate::Load, what));
    }
    let opengl = match look_up(props, "opengl") {
        Some(Found::Value(list)) => list,
        Some(Found::Bare) | None => return shape("opengl is no list"),
        Some(Found::Missing) => return None,
    };
    let Some(position) = look_up(opengl, "position") else { return shape("opengl is no proper list") };
    match position {
        Found::Bare => return shape("position stands alone"),
        Found::Missing => {}
        Found::Value(value) => match numbers::<3>(value) {
            None => return shape("position is no triple of numbers"),
            // The place of a light is the centre of the eight corners of a cube.
            Some(position) if position.iter().any(|x| x.abs() > f64::MAX / 16.0) => {
                return Some(("light-shape", Fate::Save, "the light is too far away to compute with"));
            }
            Some(_) => {}
        },
    }
    let tree =
        |value: Term<'_>| value.element(1).is_some_and(|node| node.is_atom("nil") || node.as_tuple_of::<4>().is_some());
    match look_up(opengl, "pst") {
        None | Some(Found::Missing) => {}
        Some(Found::Value(value)) if value.as_tuple_of::<2>().is_some() && tree(value) => {}
        Some(_) => return shape("pst is no gb_tree"),
    }
    let is_area = look_up(opengl, "type").and_then(Found::value).is_some_and(|kind| kind.is_atom("area"));
    if is_area && !has_mesh(opengl) {
        return shape("the mesh of an area light is no e3d_mesh with faces");
    }
    None
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

/// Whether an area light has a mesh that Wings can take, or none at all.
fn has_mesh(opengl: Term<'_>) -> bool {
    let entry =
        super::prop::items(opengl).filter_map(ListItem::term).find(|entry| super::prop::has_key(*entry, "mesh"));
    let Some(entry) = entry else { return true };
    let mesh = entry.as_tuple_of().and_then(|[_, mesh]| mesh.as_tuple_of::<9>());
    let Some([tag, _, _, _, _, _, faces, _, _]) = mesh else { return false };
    let is_face = |item: ListItem<'_>| {
        let face = item.term().and_then(Term::as_tuple);
        face.is_some_and(|mut elements| {
            elements.len() >= 6 && elements.next().is_some_and(|tag| tag.is_atom("e3d_face"))
        })
    };
    tag.is_atom("e3d_mesh") && proper(faces).is_some_and(|mut faces| faces.all(is_face))
}
