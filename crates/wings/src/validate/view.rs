//! Cameras.

use mapwright_etf::Term;

use super::prop::{Found, is_number, look_up, proper};
use super::report::{Fate, Place, Report};

/// Checks one property `views`. `kept` says whether one before left saved views behind, and is brought up to date.
pub(super) fn check<'d>(report: &mut Report<'d>, place: &Place<'_, 'd>, kept: &mut bool) {
    let Some(list) = proper(place.term) else {
        report.add(place, "view-shape", Fate::Load, "the views are no proper list");
        return;
    };
    let mut count = 0_usize;
    let mut live = 0;
    for (index, item) in list.enumerate() {
        let place = place.index(index, item.term().unwrap_or(place.term));
        let props = item.term().and_then(Term::as_property).filter(|(kind, _)| *kind == *"view");
        let Some((_, props)) = props else {
            report.add(&place, "view-shape", Fate::Load, "a view is a pair {view,Properties}");
            continue;
        };
        if index == 0 && is_live(props) {
            live = 1;
        }
        count = count.saturating_add(1);
        one(report, &place, props);
    }
    if *kept && count == 0 {
        report.add(place, "view-shape", Fate::Load, "an empty list of views follows one with views");
    }
    *kept |= count > live;
}

fn is_live(props: Term<'_>) -> bool {
    let name = look_up(props, "name").and_then(Found::value).and_then(Term::as_list);
    name.and_then(mapwright_etf::List::to_text).as_deref() == Some("current_view")
}

fn one<'d>(report: &mut Report<'d>, place: &Place<'_, 'd>, props: Term<'d>) {
    let Some(items) = proper(props) else {
        report.add(place, "view-shape", Fate::Load, "the properties of a view are no proper list");
        return;
    };
    // Of several of a key the last counts.
    let mut named = false;
    let mut told = [false; 5];
    for item in items {
        let Some((key, value)) = item.term().and_then(Term::as_property) else {
            report.add(place, "view-key", Fate::Load, "a property of a view is no pair");
            return;
        };
        match key.as_bytes() {
            b"name" => named = !value.is_atom("undefined"),
            b"aim" => told[0] = is_tuple::<3>(value),
            b"distance_to_aim" => told[1] = is_number(value),
            b"azimuth" => told[2] = is_number(value),
            b"elevation" => told[3] = is_number(value),
            b"tracking" if value.as_tuple_of::<2>().is_some() => told[4] = is_tuple::<2>(value),
            b"tracking" => {
                report.add(place, "view-key", Fate::Load, "the tracking of a view is no pair {X,Y}");
                return;
            }
            b"fov" | b"hither" | b"yon" => {}
            _ => {
                let what = format!("a view has the unknown property {}", key.name());
                report.add(place, "view-key", Fate::Load, what);
                return;
            }
        }
    }
    if !named && told.contains(&false) {
        let what = "a view has no name, and Wings 3D cannot make one, since aim, distance_to_aim, azimuth, elevation and \
                    tracking are not all there as numbers";
        report.add(place, "view-unnamed", Fate::Load, what);
    }
}

fn is_tuple<const N: usize>(term: Term<'_>) -> bool {
    term.as_tuple_of::<N>().is_some_and(|elements| elements.into_iter().all(is_number))
}
