//! Objects, and how their list ends.

use hashbrown::HashMap;

use super::Report;
use crate::Version;
use crate::document::{Document, Matrix, Oprw, Placement, Sentinel, Wvr, Wvr8};

/// The largest number of an object that the engine takes.
const LARGEST_ID: i32 = 16 << 20;
/// Shorter axes have no direction.
const SHORTEST: f64 = 1e-6;

pub(super) fn check(document: &Document, report: &mut Report) {
    let [width, depth] = document.extent();
    let cells = if let Document::Wvr(terrain) = document { terrain.size } else { [0, 0] }.map(f64::from);
    let objects = document.objects();
    for (place, object) in objects.iter().enumerate() {
        let place = ("objects", Some(place));
        let outside = match object.placement {
            Placement::Matrix(matrix) => check_matrix(&matrix, place, report) && !within(&matrix, width, depth),
            Placement::Heading(heading) => {
                let [x, y, z, turn] = [heading.x, heading.y, heading.z, heading.heading].map(f64::from);
                let finite = [x, y, z, turn].iter().all(|number| number.is_finite());
                if !finite {
                    report.error("obj-nan", place, "a place that is no number");
                }
                let [columns, rows] = cells;
                finite && !((0.0..=columns).contains(&x) && (0.0..=rows).contains(&z))
            }
        };
        if outside {
            report.warning("obj-off-map", place, "stands outside of the map");
        }
        if matches!(document, Document::Oprw(_)) && object.model.is_none() {
            report.error("model-index-out-of-range", place, "shows a model that the file does not name");
        }
        if let (Document::Wvr(_), Some(id)) = (document, object.id) {
            if id < 0 {
                report.error(
                    "id-negative",
                    place,
                    format_args!("the number {id}: the game takes it for a place in a list"),
                );
            }
            if id > LARGEST_ID {
                report.error("id-huge", place, format_args!("the number {id}: the game takes up to {LARGEST_ID}"));
            }
        }
    }
    repeated(&objects.ids, report);
    match document {
        Document::Wvr(terrain) => end_of_wvr(terrain, report),
        Document::Wvr8(terrain) => end_of_wvr8(terrain, report),
        Document::Oprw(terrain) => end_of_oprw(terrain, report),
    }
}

fn within(matrix: &Matrix, width: f64, depth: f64) -> bool {
    let [x, _, z] = matrix.position.map(f64::from);
    (0.0..=width).contains(&x) && (0.0..=depth).contains(&z)
}

/// Whether the matrix is one of numbers; reports what is odd about it.
fn check_matrix(matrix: &Matrix, place: (&'static str, Option<usize>), report: &mut Report) -> bool {
    if !matrix.is_finite() {
        report.error("obj-nan", place, "a matrix that is no number");
        return false;
    }
    let least = matrix.scales().into_iter().fold(f64::INFINITY, f64::min);
    if least < SHORTEST {
        report.error("obj-degenerate", place, "an axis without length");
    } else {
        if matrix.is_mirrored() {
            report.warning("obj-mirrored", place, "is mirrored: the game undoes that");
        }
        if matrix.is_sheared() {
            report.warning("obj-sheared", place, "is sheared: the game undoes that, but for forests");
        }
    }
    if matrix.fits_to_ground() {
        report.note("obj-fit-to-ground", place, "is put on the ground by the game");
    }
    true
}

fn repeated(ids: &[i32], report: &mut Report) {
    let mut first: HashMap<i32, usize> = HashMap::new();
    for (place, id) in ids.iter().enumerate() {
        if let Some(other) = first.get(id) {
            let text = format_args!("the number {id} is also that of objects[{other}]");
            report.warning("id-duplicate", ("objects", Some(place)), text);
        } else {
            first.insert(*id, place);
        }
    }
}

fn end_of_wvr(terrain: &Wvr, report: &mut Report) {
    let after = terrain.after.len();
    if terrain.version == Version::Wvr1 {
        if terrain.nets.is_none() {
            report.warning("nets-unreadable", ("after", None), "the roads could not be read: they are kept as bytes");
        }
        if after > 0 {
            report.warning("trailing-bytes", ("after", None), format_args!("{after} bytes at the end"));
        }
        return;
    }
    let Some(record) = &terrain.terminator else {
        let text = "no record without a name ends the list of objects: WrpTool writes none, the game does";
        report.note("terminator-missing", ("terminator", None), text);
        if after > 0 {
            report.warning(
                "partial-record",
                ("after", None),
                format_args!("{after} bytes of a record that is cut off"),
            );
        }
        return;
    };
    if record.iter().any(|&byte| byte != 0) {
        let text = "the record that ends the list of objects has old bytes";
        report.note("terminator-residue", ("terminator", None), text);
    }
    let size = terrain.version.record();
    for record in 0..after.checked_div(size).unwrap_or(0) {
        let text = format_args!("record {record} behind the end of the list, which the game does not read");
        report.warning("records-after-terminator", ("after", None), text);
    }
    if !after.is_multiple_of(size) {
        report.warning("trailing-bytes", ("after", None), format_args!("{after} bytes at the end"));
    }
}

fn end_of_wvr8(terrain: &Wvr8, report: &mut Report) {
    match &terrain.sentinel {
        None => report.warning("sentinel-missing", ("sentinel", None), "no object without a name ends the list"),
        Some(sentinel) => {
            if sentinel.matrix.numbers().iter().any(|number| number.to_bits() != Sentinel::WORD) {
                let text = "the numbers of the sentinel are not those of Bohemia's tools";
                report.note("sentinel-unusual", ("sentinel", None), text);
            }
            for object in 0..sentinel.followed_by.min(terrain.objects.len()) {
                let text = format_args!("object {object} behind the sentinel");
                report.warning("objects-after-sentinel", ("sentinel", None), text);
            }
        }
    }
    if !terrain.after.is_empty() {
        let text = format_args!("{} bytes at the end that are no object", terrain.after.len());
        report.warning("trailing-bytes", ("after", None), text);
    }
}

fn end_of_oprw(terrain: &Oprw, report: &mut Report) {
    if terrain.version.is_elder() && terrain.terminator.is_none() {
        report.note("terminator-missing", ("terminator", None), "no number below 0 ends the list of objects");
    }
    if let Some(size) = terrain.stated_road_size {
        let text = format_args!("the roads are stated to take {size} bytes, and take others");
        report.warning("road-net-size-wrong", ("roads", None), text);
    }
    if let Some(size) = terrain.stated_map_size {
        let text = format_args!("the map is stated to take {size} bytes, and ends before");
        report.warning("map-info-size-wrong", ("map_info", None), text);
    }
    if !terrain.after.is_empty() {
        let text = format_args!("{} bytes at the end", terrain.after.len());
        report.warning("trailing-bytes", ("after", None), text);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Source: "Objects": larger ids end the list of objects.
    #[test]
    fn the_largest_id_is_that_published() {
        assert_eq!(LARGEST_ID, 16_777_216);
    }
}
