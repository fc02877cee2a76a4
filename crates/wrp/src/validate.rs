//! Findings about a terrain: content that the games reject, suspicious content, and habits of programs.

mod grids;
mod names;
mod objects;

use std::collections::BTreeMap;
use std::fmt;

use mapwright_io::{Finding, Findings, Frame, Severity};

use crate::Document;
use crate::loss::counted;

impl Document {
    /// Validates the terrain. Findings have a path such as `objects[17]`.
    ///
    /// | code | severity | when |
    /// |---|---|---|
    /// | `grid-empty`, `grid-not-square`, `grid-not-power-of-two` | error | the grid is not a square with a power of two as its side, which the games require; at most one of the three |
    /// | `grid-over-2048` | error | 1WVR to 4WVR: the grid is larger than the engine accepts |
    /// | `cell-size` | error | the cell size is not a positive number of metres |
    /// | `grid-land-terrain-ratio` | warning | the height grid is not the same integer multiple of the material grid along both sides |
    /// | `height-nan` | error | 8WVR: heights are NaN or infinite |
    /// | `height-minus-one` | note | 1WVR to 4WVR: heights are −1 step, whose meaning public descriptions call unclear |
    /// | `tex-index-out-of-range` | error | a texture index is out of range: the game draws sea, or for 512 reads past the end of its table |
    /// | `tex-index-unnamed` | warning | a texture index refers to an empty slot |
    /// | `tex-index-sea` | note | 2WVR to 4WVR: cells have index 0, which is the sea without a surface of land |
    /// | `tex-name-backslash`, `obj-name-backslash` | note | a name begins with a backslash, which names of the game do not |
    /// | `tex-name-unterminated`, `obj-name-unterminated` | warning | a name fills its field |
    /// | `tex-name-residue`, `obj-name-residue` | note | there are bytes after a name |
    /// | `tex-name-non-ascii`, `obj-name-non-ascii` | warning | a name has bytes outside ASCII, whose code page is unknown |
    /// | `tex-name-control`, `obj-name-control` | warning | a name contains a control character, such as a line feed |
    /// | `tex-name-dollar` | warning | a name contains `$$`, on which the game stops with a message |
    /// | `tex-table-filled-with-last-name` | note | unused slots repeat the last name, as WrpTool writes them |
    /// | `material-index-out-of-range` | warning | a material index is out of range |
    /// | `material-zero-not-null`, `material-multi-string` | note | 8WVR: the first material has a name; a material has several files |
    /// | `obj-nan`, `obj-degenerate` | error | a position or matrix is not finite; an axis has no length |
    /// | `obj-mirrored`, `obj-sheared` | warning | the game removes mirroring and shear, except the shear of forests |
    /// | `obj-fit-to-ground` | note | the game puts the object on the ground |
    /// | `obj-off-map` | warning | the object is outside the map |
    /// | `id-duplicate`, `id-negative`, `id-huge` | warning, error, error | an ID repeats; it is negative or above 16,777,216, and the game of 4WVR uses it as an index |
    /// | `model-index-out-of-range` | error | OPRW: the model index of an object is out of range |
    /// | `terminator-missing`, `terminator-residue`, `records-after-terminator` | note, note, warning | the object list has an unusual end |
    /// | `partial-record`, `trailing-bytes` | error, warning | trailing bytes are not a record, without or with a terminator before them |
    /// | `sentinel-missing`, `sentinel-unusual`, `objects-after-sentinel` | warning, note, warning | 8WVR: the object list has an unusual end |
    /// | `road-net-size-wrong`, `map-info-size-wrong` | warning | OPRW: a stored size does not match its list |
    /// | `nets-unreadable` | warning | 1WVR: the roads cannot be read and are preserved as bytes |
    /// | `name-slots` | note | 2WVR: there are 256 texture slots instead of 512 |
    ///
    /// Findings about heights and cells are grouped by value, with the first place as their path and the area on the map. At most 100
    /// findings per code are listed individually.
    pub fn validate(&self) -> Vec<Finding> {
        let mut report = Report::default();
        grids::check(self, &mut report);
        names::check(self, &mut report);
        objects::check(self, &mut report);
        report.findings.finish()
    }
}

/// The places of a grid with the same finding.
#[derive(Debug, Clone, Copy)]
struct Area {
    count: usize,
    /// The first place, row by row from the south-west.
    first: usize,
    /// The smallest and the largest column and row.
    low: [usize; 2],
    high: [usize; 2],
}

impl Area {
    /// Adds a place to the area of its kind.
    fn add<K: Ord>(areas: &mut BTreeMap<K, Self>, kind: K, place: usize, columns: u32) {
        let columns = usize::try_from(columns).unwrap_or(usize::MAX).max(1);
        let at = [place.checked_rem(columns).unwrap_or(0), place.checked_div(columns).unwrap_or(0)];
        let area = areas.entry(kind).or_insert(Self { count: 0, first: place, low: at, high: at });
        area.count = area.count.saturating_add(1);
        area.low = [area.low[0].min(at[0]), area.low[1].min(at[1])];
        area.high = [area.high[0].max(at[0]), area.high[1].max(at[1])];
    }

    /// Describes the number of places, and the area on the map that contains them. `width` is 1 for cells and 0 for vertices.
    fn describe(&self, names: [&str; 2], step: [f64; 2], width: f64) -> String {
        #[allow(clippy::cast_precision_loss)] // Grids have fewer than 2³² columns.
        let metres = |index: usize, step: f64, more: f64| ((index as f64 + more) * step * 1000.0).round() / 1000.0;
        let [x, z] = step;
        format!(
            "{}, x {} to {} m, z {} to {} m",
            counted(self.count, names),
            metres(self.low[0], x, 0.0),
            metres(self.high[0], x, width),
            metres(self.low[1], z, 0.0),
            metres(self.high[1], z, width),
        )
    }
}

#[derive(Default)]
struct Report {
    findings: Findings,
}

impl Report {
    fn add(
        &mut self,
        code: &'static str,
        severity: Severity,
        place: (&'static str, Option<usize>),
        message: impl fmt::Display,
    ) {
        if let Some(finding) = self.findings.add(code, severity, message) {
            let (field, index) = place;
            finding.path = [Frame::Field(field)].into_iter().chain(index.map(Frame::Index)).collect();
        }
    }

    fn error(&mut self, code: &'static str, place: (&'static str, Option<usize>), message: impl fmt::Display) {
        self.add(code, Severity::Error, place, message);
    }

    fn warning(&mut self, code: &'static str, place: (&'static str, Option<usize>), message: impl fmt::Display) {
        self.add(code, Severity::Warning, place, message);
    }

    fn note(&mut self, code: &'static str, place: (&'static str, Option<usize>), message: impl fmt::Display) {
        self.add(code, Severity::Note, place, message);
    }
}
