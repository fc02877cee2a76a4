//! Findings of planes and their tiles.

use std::collections::BTreeMap;

use mapwright_io::Frame;
use mapwright_io::format_count;

use super::Report;
use crate::{Cell, Document, Plane};

pub(super) fn check(document: &Document, plane: &Plane, place: &[Frame], report: &mut Report) {
    for (name, word) in [
        ("reserved_04", plane.reserved_04),
        ("reserved_0c", plane.reserved_0c),
        ("reserved_94", plane.reserved_94),
        ("reserved_98", plane.reserved_98),
        ("reserved_9c", plane.reserved_9c),
    ] {
        report.reserved(place, name, word);
    }
    report.slot(place, "name", &plane.name.raw, plane.name.text(), plane.name.residue());
    if plane.flags.unknown() != 0 {
        report.warning("flags", place, format_args!("unknown flags {:#x}", plane.flags.unknown()));
    }
    if plane.fill_color > 255 {
        report.warning(
            "fill-color",
            place,
            format_args!("fill colour {} out of range: palettes have 256 colours", plane.fill_color),
        );
    }
    sizes(plane, place, report);
    image_sets(plane, place, report);
    tiles(document, plane, place, report);
}

fn sizes(plane: &Plane, place: &[Frame], report: &mut Report) {
    if plane.tiles.is_empty() {
        report.warning("plane-empty", place, "plane without tiles");
    }
    let (width, height) = (plane.tile_w, plane.tile_h);
    if width != height || width <= 0 || !width.unsigned_abs().is_power_of_two() {
        let message = format_args!("tile size {width}×{height}: the engine draws squares of a power of two");
        report.warning("tile-size", place, message);
    }
    let pixels = [i64::from(plane.tiles_wide), i64::from(plane.tiles_high)];
    let expected = [pixels[0].saturating_mul(width.into()), pixels[1].saturating_mul(height.into())];
    if expected != [i64::from(plane.width_px), i64::from(plane.height_px)] {
        let message = format_args!(
            "declared size in pixels is {}×{}, expected {}×{}",
            plane.width_px, plane.height_px, expected[0], expected[1]
        );
        report.warning("pixel-size", place, message);
    }
}

fn image_sets(plane: &Plane, place: &[Frame], report: &mut Report) {
    let names: Vec<&[u8]> = plane.image_sets.iter().take(10).collect();
    if !matches!(names.as_slice(), [name] if !name.is_empty()) {
        let message = format_args!(
            "{}: the games use exactly one: {}",
            format_count(plane.image_sets.len(), "image set"),
            names.iter().map(|name| format!("\"{}\"", name.escape_ascii())).collect::<Vec<_>>().join(", ")
        );
        report.warning("image-sets", place, message);
    }
    for name in names {
        if name.iter().any(|byte| !(0x30..=0x7F).contains(byte)) || name.len() >= 128 {
            let message = format_args!(
                "the games misread the name \"{}\": expected at most 127 letters and digits",
                name.escape_ascii()
            );
            report.warning("image-set-name", place, message);
        }
    }
}

fn tiles(document: &Document, plane: &Plane, place: &[Frame], report: &mut Report) {
    let properties = document.tile_properties.as_ref().map_or(0, |table| table.items.len());
    let image_sets = plane.image_sets.len();
    let mut beyond: BTreeMap<u16, usize> = BTreeMap::new();
    let mut foreign: BTreeMap<u32, usize> = BTreeMap::new();
    // Most grids consist of runs of one word.
    for run in plane.tiles.chunk_by(|a, b| a == b) {
        let word = run.first().expect("a run has at least one cell");
        let Cell::Tile { image_set, frame } = Cell::from_word(*word) else { continue };
        if usize::from(image_set) >= image_sets.max(1) {
            count(foreign.entry(*word).or_default(), run.len());
        } else if plane.is_main() && properties > 0 && usize::from(frame) >= properties {
            count(beyond.entry(frame).or_default(), run.len());
        }
    }
    let place = super::child_path(place, "tiles");
    if !beyond.is_empty() {
        let message = format_args!(
            "{} of tiles without a property ({properties} are defined): Claw crashes there",
            summarize_cells(&beyond, ToString::to_string)
        );
        report.warning("tile-range", &place, message);
    }
    if !foreign.is_empty() {
        let words = summarize_cells(&foreign, |word| format!("{word:#010x}"));
        report.warning("cell-word", &place, format_args!("image sets that the plane does not have: {words}"));
    }
}

/// Formats the number of cells and their first words.
fn summarize_cells<T>(words: &BTreeMap<T, usize>, format_word: impl Fn(&T) -> String) -> String {
    let all = words.values().copied().fold(0, usize::saturating_add);
    let first: Vec<String> = words.keys().take(5).map(format_word).collect();
    let more = if words.len() > first.len() { ", …" } else { "" };
    format!("{} ({}{more})", format_count(all, "cell"), first.join(", "))
}

fn count(sum: &mut usize, more: usize) {
    *sum = sum.saturating_add(more);
}
