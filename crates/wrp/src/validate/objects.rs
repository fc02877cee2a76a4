//! Objects, and the end of their list.

use hashbrown::HashMap;

use super::Report;
use crate::Version;
use crate::document::{Document, Matrix, Oprw, Placement, Sentinel, Wvr, Wvr8};
use crate::loss::counted;

/// Largest ID that the engine accepts.
const LARGEST_ID: i32 = 16 << 20;
const TRAILING: [&str; 2] = ["trailing byte", "trailing bytes"];
/// Axes shorter than this have no direction.
const SHORTEST: f64 = 1e-6;

pub(super) fn check(document: &Document, report: &mut Report) {
    let [width, depth] = document.extent();
    let cells = if let Document::Wvr(terrain) = document { terrain.size } else { [0, 0] }.map(f64::from);
    let objects = document.objects();
    for (place, object) in objects.iter().enumerate() {
        let place = ("objects", Some(place));
        let outside = match object.placement {
            Placement::Matrix(matrix) => check_matrix(&matrix, place, report) && !is_within(&matrix, width, depth),
            Placement::Heading(heading) => {
                let [x, y, z, turn] = [heading.x, heading.y, heading.z, heading.heading].map(f64::from);
                let finite = [x, y, z, turn].iter().all(|number| number.is_finite());
                if !finite {
                    report.error("obj-nan", place, "position is not finite");
                }
                let [columns, rows] = cells;
                finite && !((0.0..=columns).contains(&x) && (0.0..=rows).contains(&z))
            }
        };
        if outside {
            report.warning("obj-off-map", place, "object is outside the map");
        }
        if matches!(document, Document::Oprw(_)) && object.model.is_none() {
            report.error("model-index-out-of-range", place, "model index is out of range");
        }
        if let (Document::Wvr(_), Some(id)) = (document, object.id) {
            if id < 0 {
                report.error("id-negative", place, format_args!("ID {id} is negative: the game uses it as an index"));
            }
            if id > LARGEST_ID {
                report.error(
                    "id-huge",
                    place,
                    format_args!("ID {id} is too large: the game accepts up to {LARGEST_ID}"),
                );
            }
        }
    }
    check_duplicate_ids(&objects.ids, report);
    match document {
        Document::Wvr(terrain) => check_end_of_wvr(terrain, report),
        Document::Wvr8(terrain) => check_end_of_wvr8(terrain, report),
        Document::Oprw(terrain) => check_end_of_oprw(terrain, report),
    }
}

fn is_within(matrix: &Matrix, width: f64, depth: f64) -> bool {
    let [x, _, z] = matrix.position.map(f64::from);
    (0.0..=width).contains(&x) && (0.0..=depth).contains(&z)
}

/// Checks a matrix. Returns `true` if it is finite.
fn check_matrix(matrix: &Matrix, place: (&'static str, Option<usize>), report: &mut Report) -> bool {
    if !matrix.is_finite() {
        report.error("obj-nan", place, "matrix is not finite");
        return false;
    }
    let least = matrix.scales().into_iter().fold(f64::INFINITY, f64::min);
    if least < SHORTEST {
        report.error("obj-degenerate", place, "axis has no length");
    } else {
        if matrix.is_mirrored() {
            report.warning("obj-mirrored", place, "object is mirrored: the game removes the mirroring");
        }
        if matrix.is_sheared() {
            report.warning("obj-sheared", place, "object is sheared: the game removes the shear, except of forests");
        }
    }
    if matrix.fits_to_ground() {
        report.note("obj-fit-to-ground", place, "the game puts the object on the ground");
    }
    true
}

fn check_duplicate_ids(ids: &[i32], report: &mut Report) {
    let mut first: HashMap<i32, usize> = HashMap::new();
    for (place, id) in ids.iter().enumerate() {
        if let Some(other) = first.get(id) {
            let text = format_args!("ID {id} is also that of objects[{other}]");
            report.warning("id-duplicate", ("objects", Some(place)), text);
        } else {
            first.insert(*id, place);
        }
    }
}

fn check_end_of_wvr(terrain: &Wvr, report: &mut Report) {
    let after = terrain.after.len();
    if terrain.version == Version::Wvr1 {
        if terrain.nets.is_none() {
            report.warning("nets-unreadable", ("after", None), "roads cannot be read and are preserved as bytes");
        }
        if after > 0 {
            report.warning("trailing-bytes", ("after", None), counted(after, TRAILING));
        }
        return;
    }
    let Some(record) = &terrain.terminator else {
        let text = "the object list has no terminator, a record without a name: the game writes it, WrpTool does not";
        report.note("terminator-missing", ("terminator", None), text);
        if after > 0 {
            let bytes = counted(after, ["byte of a truncated record", "bytes of a truncated record"]);
            let text = format_args!("the file is truncated: {bytes} and no terminator end the object list");
            report.error("partial-record", ("after", None), text);
        }
        return;
    };
    if record.iter().any(|&byte| byte != 0) {
        let text = "the record that ends the object list contains old bytes";
        report.note("terminator-residue", ("terminator", None), text);
    }
    let size = terrain.version.record_size();
    for record in 0..after.checked_div(size).unwrap_or(0) {
        let text = format_args!("record {record} after the end of the list: the game does not read it");
        report.warning("records-after-terminator", ("after", None), text);
    }
    if !after.is_multiple_of(size) {
        report.warning("trailing-bytes", ("after", None), counted(after, TRAILING));
    }
}

fn check_end_of_wvr8(terrain: &Wvr8, report: &mut Report) {
    let after = terrain.after.len();
    match &terrain.sentinel {
        None if after > 0 => {
            let bytes = counted(after, ["byte of a truncated object", "bytes of a truncated object"]);
            let text = format_args!(
                "the file is truncated: {bytes} and no sentinel (an object without a name) end the object list"
            );
            report.error("partial-record", ("after", None), text);
            return;
        }
        None => report.warning(
            "sentinel-missing",
            ("sentinel", None),
            "the object list has no sentinel, an object without a name",
        ),
        Some(sentinel) => {
            if sentinel.matrix.numbers().iter().any(|number| number.to_bits() != Sentinel::WORD) {
                let text = "numbers of the sentinel differ from those of Bohemia's tools";
                report.note("sentinel-unusual", ("sentinel", None), text);
            }
            for object in 0..sentinel.followed_by.min(terrain.objects.len()) {
                let text = format_args!("object {object} after the sentinel");
                report.warning("objects-after-sentinel", ("sentinel", None), text);
            }
        }
    }
    if !terrain.after.is_empty() {
        let text = format_args!("{} after the objects", counted(terrain.after.len(), TRAILING));
        report.warning("trailing-bytes", ("after", None), text);
    }
}

fn check_end_of_oprw(terrain: &Oprw, report: &mut Report) {
    if terrain.version.is_legacy() && terrain.terminator.is_none() {
        report.note("terminator-missing", ("terminator", None), "the object list has no terminator, a negative ID");
    }
    if let Some(size) = terrain.stated_road_size {
        let text = format_args!("wrong size of the roads: the file stores {size} bytes");
        report.warning("road-net-size-wrong", ("roads", None), text);
    }
    if let Some(size) = terrain.stated_map_size {
        let text = format_args!("wrong size of the map: the file stores {size} bytes, and the map ends earlier");
        report.warning("map-info-size-wrong", ("map_info", None), text);
    }
    if !terrain.after.is_empty() {
        let text = counted(terrain.after.len(), TRAILING);
        report.warning("trailing-bytes", ("after", None), text);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Source: "Objects": larger IDs end the object list.
    #[test]
    fn the_largest_id_matches_the_description() {
        assert_eq!(LARGEST_ID, 16_777_216);
    }
}
