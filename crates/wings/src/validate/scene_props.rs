//! Scene properties.

use mapwright_etf::{ListItem, Term};

use super::lookup::{items, pair, proper};
use super::object::ObjectFacts;
use super::report::LoadOutcome::{CrashOnLoad, CrashOnSave, DataLoss};
use super::report::{Location, Report};
use super::selection::{Selection, Selections};
use super::{light, view};

/// Checks the scene properties in their order, which matters to Wings.
pub(super) fn check<'d>(report: &mut Report<'d>, props: &Location<'_, 'd>, facts: &[ObjectFacts], objects: usize) {
    let mut selections = Selections::default();
    let mut palette = None;
    let mut lights = 0_i64;
    let mut has_views = false;
    for (index, item) in items(props.term).enumerate() {
        let location = props.index(index, item.term().unwrap_or(props.term));
        let Some([key, value]) = pair(item) else {
            let what = "a scene property is not a pair; Wings 3D drops it on the next save";
            report.add(&location, "prop-unknown", DataLoss, what);
            continue;
        };
        let location = props.index(index, value);
        let name = key.as_atom().map(mapwright_etf::Atom::name);
        let group = key.as_property().filter(|(kind, _)| *kind == *"selection_group");
        match (name.as_deref(), value.as_tuple_of()) {
            (Some("selection" | "saved_selection"), Some([mode, members])) => {
                let selection = Selection { location, mode, members, lights_before: lights };
                if !selection.check_shape(report) {
                } else if name.as_deref() == Some("selection") {
                    selections.live = Some(selection);
                } else {
                    selections.add_group(report, b"", selection);
                }
            }
            (None, Some([mode, members])) if group.is_some() => {
                let selection = Selection { location, mode, members, lights_before: lights };
                if selection.check_shape(report) {
                    selections.add_group(report, group.map_or(&[], |(_, name)| name.as_bytes()), selection);
                }
            }
            (Some("lights"), _) => {
                lights = lights.saturating_add(light::check(report, &location.field("lights", value)));
            }
            (Some("views"), _) => view::check(report, &location.field("views", value), &mut has_views),
            (Some("palette"), _) => palette = Some(value),
            (Some("scene_prefs"), _) => {
                let is_pair = |item: ListItem<'_>| pair(item).is_some();
                if !proper(value).is_some_and(|mut prefs| prefs.all(is_pair)) {
                    let what = "scene_prefs is not a proper list of pairs";
                    report.add(&location, "scene-prefs", CrashOnLoad, what);
                }
            }
            // Images were checked before.
            (Some("images" | "plugin_states" | "current_view"), _) => {}
            _ => report_unknown(report, &location, key),
        }
    }
    if let Some(value) = palette.filter(|value| proper(*value).is_none()) {
        report.add(&props.field("palette", value), "palette-shape", CrashOnSave, "the palette is not a proper list");
    }
    selections.check(report, facts, objects, lights);
}

fn report_unknown<'d>(report: &mut Report<'d>, location: &Location<'_, 'd>, key: Term<'d>) {
    let name =
        key.as_atom().map_or_else(|| "with a key that is not an atom".to_owned(), |atom| atom.name().into_owned());
    let what = format!("scene property {name} is unknown or has an unknown form; Wings 3D drops it on the next save");
    report.add(location, "prop-unknown", DataLoss, what);
}
