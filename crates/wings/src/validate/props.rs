//! Scene properties.

use mapwright_etf::{ListItem, Term};

use super::object::Facts;
use super::prop::{items, pair, proper};
use super::report::{Fate, Place, Report};
use super::selection::{Selection, Selections};
use super::{light, view};

/// Goes over the scene properties in their order, which matters to Wings.
pub(super) fn check<'d>(report: &mut Report<'d>, props: &Place<'_, 'd>, facts: &[Facts], objects: usize) {
    let mut selections = Selections::default();
    let mut palette = None;
    let mut lights = 0_i64;
    let mut views_kept = false;
    for (index, item) in items(props.term).enumerate() {
        let place = props.index(index, item.term().unwrap_or(props.term));
        let Some([key, value]) = pair(item) else {
            let what = "a scene property is no pair; Wings 3D drops it on the next save";
            report.add(&place, "prop-unknown", Fate::Lost, what);
            continue;
        };
        let place = props.index(index, value);
        let name = key.as_atom().map(mapwright_etf::Atom::name);
        let group = key.as_property().filter(|(kind, _)| *kind == *"selection_group");
        match (name.as_deref(), value.as_tuple_of()) {
            (Some("selection" | "saved_selection"), Some([mode, members])) => {
                let selection = Selection { place, mode, members, lights_before: lights };
                if !selection.check_shape(report) {
                } else if name.as_deref() == Some("selection") {
                    selections.live = Some(selection);
                } else {
                    selections.group(report, b"", selection);
                }
            }
            (None, Some([mode, members])) if group.is_some() => {
                let selection = Selection { place, mode, members, lights_before: lights };
                if selection.check_shape(report) {
                    selections.group(report, group.map_or(&[], |(_, name)| name.as_bytes()), selection);
                }
            }
            (Some("lights"), _) => lights = lights.saturating_add(light::check(report, &place.field("lights", value))),
            (Some("views"), _) => view::check(report, &place.field("views", value), &mut views_kept),
            (Some("palette"), _) => palette = Some(value),
            (Some("scene_prefs"), _) => {
                let is_pair = |item: ListItem<'_>| pair(item).is_some();
                if !proper(value).is_some_and(|mut prefs| prefs.all(is_pair)) {
                    let what = "scene_prefs is no proper list of pairs";
                    report.add(&place, "scene-prefs", Fate::Load, what);
                }
            }
            // Images are looked up before anything else.
            (Some("images" | "plugin_states" | "current_view"), _) => {}
            _ => unknown(report, &place, key),
        }
    }
    if let Some(value) = palette.filter(|value| proper(*value).is_none()) {
        report.add(&props.field("palette", value), "palette-shape", Fate::Save, "the palette is no proper list");
    }
    selections.check(report, facts, objects, lights);
}

fn unknown<'d>(report: &mut Report<'d>, place: &Place<'_, 'd>, key: Term<'d>) {
    let name = key.as_atom().map_or_else(|| "whose key is no atom".to_owned(), |atom| atom.name().into_owned());
    let what =
        format!("Wings 3D does not know the scene property {name}, or not of this form; it drops it on the next save");
    report.add(place, "prop-unknown", Fate::Lost, what);
}
