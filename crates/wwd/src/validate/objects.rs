//! Findings of objects.

use std::collections::HashMap;
use std::fmt;

use mapwright_io::Frame;
use mapwright_io::format_count;

use super::Report;
use crate::logics::{Game, logic};
use crate::{Object, ObjectType, Plane, Rect};

/// Maximum length of a string that the games read: their buffer has 1024 bytes, with a NUL at the end.
pub(crate) const MAX_TEXT: usize = 1023;

pub(super) fn check(plane: &Plane, game: Option<Game>, place: &[Frame], report: &mut Report) {
    if plane.objects.is_empty() {
        return;
    }
    if !plane.is_main() {
        let message = format_args!(
            "{} objects on a plane other than the main one: editors do not show them",
            plane.objects.len()
        );
        report.warning("objects-elsewhere", place, message);
    }
    let mut ids: HashMap<i32, u32> = HashMap::new();
    let [mut outside, mut nameless, mut unknown, mut short, mut user_hits] = [const { Occurrences::NONE }; 5];
    for (index, object) in plane.objects.iter().enumerate() {
        let count = ids.entry(object.id).or_default();
        *count = count.saturating_add(1);
        if !plane.contains(object.x, object.y) {
            outside.add(index);
        } else if object.logic.is_empty() {
            nameless.add(index);
        } else if game == Some(Game::Gruntz) && logic(&object.logic, Game::Gruntz).is_none() {
            unknown.add(index);
        }
        if object.logic == b"PathElevator" && steps(object) < 2 {
            short.add(index);
        }
        let place: Vec<Frame> = place.iter().cloned().chain([Frame::Field("objects"), Frame::Index(index)]).collect();
        texts(object, &place, report);
        if object.object_type.0 != 0 && object.object_type.name().is_none() {
            report.warning("object-type", &place, format_args!("unknown object type {:#x}", object.object_type.0));
        }
        if object.hit_type != ObjectType::ALL && object.hit_type.0 & ObjectType::USER_3.0 != 0 {
            user_hits.add(index);
        }
        if (object.move_res_x, object.move_res_y) != (0, 0) {
            let (x, y) = (object.move_res_x, object.move_res_y);
            report.warning(
                "object-move-res",
                &place,
                format_args!("move_res is {x}, {y}: all known objects but one have 0"),
            );
        }
    }
    let place = super::child_path(place, "objects");
    if outside.count > 0 {
        report.warning("object-outside", &place, format_args!("{outside} outside the plane: the game drops them"));
    }
    if nameless.count > 0 {
        report.warning("object-logic", &place, format_args!("{nameless} without a logic: the game drops them"));
    }
    if unknown.count > 0 {
        let message = format_args!("{unknown} with a logic that Gruntz does not have: the game drops them");
        report.warning("object-logic", &place, message);
    }
    if short.count > 0 {
        let message = format_args!("{short}: path elevators with fewer than two steps crash OpenClaw");
        report.note("elevator-path", &place, message);
    }
    if user_hits.count > 0 {
        let message =
            format_args!("{user_hits} with user 1 or 2 in hit_type: user 3 has the same bits, so hits are unreliable");
        report.warning("hit-type", &place, message);
    }
    let repeated = ids.values().filter(|count| **count > 1).count();
    if repeated > 0 {
        report.note("repeated-ids", &place, format_args!("{} used by several objects", format_count(repeated, "id")));
    }
}

/// The number of objects with a problem, and the first indices.
struct Occurrences {
    count: usize,
    first: Vec<usize>,
}

impl Occurrences {
    const NONE: Self = Self { count: 0, first: Vec::new() };

    fn add(&mut self, index: usize) {
        self.count = self.count.saturating_add(1);
        if self.first.len() < 5 {
            self.first.push(index);
        }
    }
}

impl fmt::Display for Occurrences {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let first: Vec<String> = self.first.iter().map(ToString::to_string).collect();
        let more = if self.count > first.len() { ", …" } else { "" };
        write!(f, "{} ({}{more})", format_count(self.count, "object"), first.join(", "))
    }
}

fn texts(object: &Object, place: &[Frame], report: &mut Report) {
    for (name, text) in [
        ("name", &object.name),
        ("logic", &object.logic),
        ("image_set", &object.image_set),
        ("animation", &object.animation),
    ] {
        if text.len() > MAX_TEXT {
            let message = format_args!("text of {} bytes is too long: the games read at most {MAX_TEXT}", text.len());
            report.warning("text-long", &super::child_path(place, name), message);
        }
        if text.contains(&0) {
            report.note(
                "text-nul",
                &super::child_path(place, name),
                "text contains a NUL: WapMap stores data after it",
            );
        } else if !text.is_ascii() {
            let message = format_args!("\"{}\" is in an unknown code page", text.escape_ascii());
            report.note("not-ascii", &super::child_path(place, name), message);
        }
    }
}

/// Counts the steps of a path elevator: pairs of direction and length in four rectangles, up to the first without a direction.
fn steps(object: &Object) -> usize {
    [object.rect_move, object.rect_hit, object.rect_attack, object.rect_clip]
        .iter()
        .flat_map(|Rect { left, right, .. }| [left, right])
        .take_while(|direction| **direction != 0)
        .count()
}
