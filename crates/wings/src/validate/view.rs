//! Cameras.

use mapwright_etf::Term;

use super::lookup::{Lookup, find_key, is_number, proper};
use super::report::LoadOutcome::CrashOnLoad;
use super::report::{Location, Report};

/// Checks one property `views`. `has_views` is `true` after a property with saved views.
pub(super) fn check<'d>(report: &mut Report<'d>, location: &Location<'_, 'd>, has_views: &mut bool) {
    let Some(list) = proper(location.term) else {
        report.add(location, "view-shape", CrashOnLoad, "the views are not a proper list");
        return;
    };
    let mut count = 0_usize;
    let mut live = 0;
    for (index, item) in list.enumerate() {
        let location = location.index(index, item.term().unwrap_or(location.term));
        let props = item.term().and_then(Term::as_property).filter(|(kind, _)| *kind == *"view");
        let Some((_, props)) = props else {
            report.add(&location, "view-shape", CrashOnLoad, "a view is a pair {view,Properties}");
            continue;
        };
        if index == 0 && is_live(props) {
            live = 1;
        }
        count = count.saturating_add(1);
        check_view(report, &location, props);
    }
    if *has_views && count == 0 {
        report.add(location, "view-shape", CrashOnLoad, "an empty list of views follows one with views");
    }
    *has_views |= count > live;
}

fn is_live(props: Term<'_>) -> bool {
    let name = find_key(props, "name").and_then(Lookup::value).and_then(Term::as_list);
    name.and_then(mapwright_etf::List::to_text).as_deref() == Some("current_view")
}

fn check_view<'d>(report: &mut Report<'d>, location: &Location<'_, 'd>, props: Term<'d>) {
    let Some(items) = proper(props) else {
        report.add(location, "view-shape", CrashOnLoad, "the properties of a view are not a proper list");
        return;
    };
    // If several have one key, the last one counts.
    let mut named = false;
    let mut are_numbers = [false; 5];
    for item in items {
        let Some((key, value)) = item.term().and_then(Term::as_property) else {
            report.add(location, "view-key", CrashOnLoad, "a property of a view is not a pair");
            return;
        };
        match key.as_bytes() {
            b"name" => named = !value.is_atom("undefined"),
            b"aim" => are_numbers[0] = is_tuple::<3>(value),
            b"distance_to_aim" => are_numbers[1] = is_number(value),
            b"azimuth" => are_numbers[2] = is_number(value),
            b"elevation" => are_numbers[3] = is_number(value),
            b"tracking" if value.as_tuple_of::<2>().is_some() => are_numbers[4] = is_tuple::<2>(value),
            b"tracking" => {
                report.add(location, "view-key", CrashOnLoad, "the tracking of a view is not a pair {X,Y}");
                return;
            }
            b"fov" | b"hither" | b"yon" => {}
            _ => {
                let what = format!("a view has the unknown property {}", key.name());
                report.add(location, "view-key", CrashOnLoad, what);
                return;
            }
        }
    }
    if !named && are_numbers.contains(&false) {
        let what = "a view has no name, and Wings 3D cannot generate one: aim, distance_to_aim, azimuth, elevation and \
                    tracking must all be numbers";
        report.add(location, "view-unnamed", CrashOnLoad, what);
    }
}

fn is_tuple<const N: usize>(term: Term<'_>) -> bool {
    term.as_tuple_of::<N>().is_some_and(|elements| elements.into_iter().all(is_number))
}
