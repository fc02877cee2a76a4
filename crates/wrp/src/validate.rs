//! What is odd about a terrain: what the games stumble over, what is suspicious, and habits of programs worth knowing.

mod grids;
mod names;
mod objects;

use std::fmt;

use mapwright_io::{Finding, Findings, Frame, Severity};

use crate::Document;

impl Document {
    /// Reports what is odd, with its place: `objects[17]`.
    ///
    /// | code | severity | what |
    /// |---|---|---|
    /// | `grid-empty`, `grid-not-square`, `grid-not-power-of-two` | error | the games want a square of a power of two; at most one of the three |
    /// | `grid-over-2048` | error | 1WVR to 4WVR: the engine refuses more |
    /// | `cell-size` | error | cells that are no number of metres above 0 |
    /// | `grid-land-terrain-ratio` | warning | the height grid is not the same whole multiple of the material grid along both sides |
    /// | `height-nan` | error | 8WVR: a height that is no number, or infinite |
    /// | `tex-index-out-of-range` | error | a number beyond the table of textures, which is drawn as sea |
    /// | `tex-index-unnamed` | warning | the number of an empty slot |
    /// | `tex-name-unterminated`, `obj-name-unterminated` | warning | a name that fills its field |
    /// | `tex-name-residue`, `obj-name-residue` | note | bytes behind a name |
    /// | `tex-name-non-ascii`, `obj-name-non-ascii` | warning | bytes in a name that no code page is known for |
    /// | `tex-name-dollar` | warning | `$$` in a name, on which the game stops with a message |
    /// | `tex-table-filled-with-last-name` | note | WrpTool fills spare slots with the last name |
    /// | `material-index-out-of-range` | warning | a number beyond the table of materials |
    /// | `material-zero-not-null`, `material-multi-string` | warning, note | 8WVR: the first material has a name; a material of several files |
    /// | `obj-nan`, `obj-degenerate` | error | a place that is no number; an axis without length |
    /// | `obj-mirrored`, `obj-sheared` | warning | the game undoes both, but for the shear of forests |
    /// | `obj-fit-to-ground` | note | objects that the game puts on the ground |
    /// | `obj-off-map` | warning | objects outside |
    /// | `id-duplicate`, `id-negative`, `id-huge` | warning, error, error | numbers that repeat; below 0 or above 16,777,216, which 4WVR's game takes for places in a list |
    /// | `model-index-out-of-range` | error | OPRW: an object of a model that the file does not name |
    /// | `terminator-missing`, `terminator-residue`, `records-after-terminator` | note, note, warning | how the list of objects ends |
    /// | `partial-record`, `trailing-bytes` | warning | bytes at the end that are no record, without or with a terminator before them |
    /// | `sentinel-missing`, `sentinel-unusual`, `objects-after-sentinel` | warning, note, warning | 8WVR: how the list of objects ends |
    /// | `road-net-size-wrong`, `map-info-size-wrong` | warning | OPRW: sizes that are not those of the lists |
    /// | `nets-unreadable` | warning | 1WVR: roads that are kept as bytes |
    /// | `name-slots` | note | 2WVR: 256 slots of textures instead of 512 |
    ///
    /// At most 100 findings of one code are listed one by one.
    pub fn validate(&self) -> Vec<Finding> {
        let mut report = Report::default();
        grids::check(self, &mut report);
        names::check(self, &mut report);
        objects::check(self, &mut report);
        report.findings.finish()
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
