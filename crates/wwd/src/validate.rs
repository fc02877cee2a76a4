//! Findings: data that the games drop or fail on, that editors change, or that no known program writes.

mod file;
pub(crate) mod objects;
mod planes;
mod properties;

use std::fmt;

use mapwright_io::{Finding, Findings, Frame, Severity};

use crate::Document;

impl Document {
    /// Reports problems and unusual values with their paths: `planes[1].objects[17]`.
    ///
    /// | code | severity | finding |
    /// |---|---|---|
    /// | `header-size` | error | the declared size of the header is not 1524 bytes |
    /// | `block-longer` | error | the stored block is longer than the main block: Gruntz rejects the file |
    /// | `main-plane` | error | no main plane, or several |
    /// | `cannot-write` | error | the document is inconsistent |
    /// | `checksum` | warning | the checksum is not one of the original editors; a note if it is WapMap's |
    /// | `block-size` | warning | the declared size of an uncompressed main block is wrong |
    /// | `object-outside`, `object-logic` | warning | objects that the games drop: outside the plane, without a logic, or with one that Gruntz does not have |
    /// | `objects-elsewhere` | warning | objects on other planes than the main one |
    /// | `tile-range`, `no-properties` | warning | used tiles of the main plane without a property: Claw crashes; no tile properties at all |
    /// | `plane-empty`, `tile-size`, `pixel-size` | warning | a plane without tiles; tile sizes that are not square powers of two; a size in pixels that differs from that of the tiles |
    /// | `level-number` | warning | the name has no number, or another one than the image folder |
    /// | `text-long` | warning | a text of more than 1023 bytes, the most that the games read |
    /// | `image-set-name`, `image-sets` | warning | names that the games misread; not exactly one image set |
    /// | `mask-size` | warning | the width of a mask is not the largest power of two up to its height |
    /// | `elevator-path` | note | a path elevator with fewer than two steps, which crashes OpenClaw; original levels have them |
    /// | `slot-full`, `slot-residue` | warning | a text of the header fills its slot; bytes after the end of a text |
    /// | `hit-type` | warning | objects with user 1 or 2 in `hit_type`, whose bits user 3 shares |
    /// | `reserved`, `flags`, `fill-color`, `attribute`, `object-type`, `object-move-res` | warning | values that no program is known to write |
    /// | `cell-word` | warning | cells whose image set the plane does not have |
    /// | `layout` | warning | sections in an unusual order, with shared bytes, or with gaps |
    /// | `trailer` | note | bytes after the stored block; a warning if they are not WapMap's notes, if those are damaged, or if the file is not compressed |
    /// | `repeated-ids` | note | ids that several objects have, as in most levels |
    /// | `word-2d8` | note | a word of unknown meaning, 0 in most levels |
    /// | `not-ascii` | note | texts in an unknown code page |
    /// | `plane-order` | note | planes that are not in the order of their z |
    /// | `text-nul` | note | texts with a NUL, after which WapMap stores data |
    ///
    /// At most 100 findings of one code are listed one by one.
    pub fn validate(&self) -> Vec<Finding> {
        let mut report = Report::default();
        file::check(self, &mut report);
        let game = self.game();
        for (index, plane) in self.planes.iter().enumerate() {
            let place = [Frame::Field("planes"), Frame::Index(index)];
            planes::check(self, plane, &place, &mut report);
            objects::check(plane, game, &place, &mut report);
        }
        properties::check(self, &mut report);
        report.findings.finish()
    }
}

#[derive(Default)]
struct Report {
    findings: Findings,
}

impl Report {
    fn add(&mut self, code: &'static str, severity: Severity, place: &[Frame], message: impl fmt::Display) {
        if let Some(finding) = self.findings.add(code, severity, message) {
            finding.path = place.iter().cloned().collect();
        }
    }

    fn error(&mut self, code: &'static str, place: &[Frame], message: impl fmt::Display) {
        self.add(code, Severity::Error, place, message);
    }

    fn warning(&mut self, code: &'static str, place: &[Frame], message: impl fmt::Display) {
        self.add(code, Severity::Warning, place, message);
    }

    fn note(&mut self, code: &'static str, place: &[Frame], message: impl fmt::Display) {
        self.add(code, Severity::Note, place, message);
    }

    /// Reports a word that is 0 in all known files.
    fn reserved(&mut self, place: &[Frame], name: &'static str, word: u32) {
        if word != 0 {
            let place = child_path(place, name);
            self.warning("reserved", &place, format_args!("reserved value {word:#x}, expected 0"));
        }
    }

    /// Reports unusual contents of a slot of fixed size.
    fn slot(&mut self, place: &[Frame], name: &'static str, raw: &[u8], text: &[u8], residue: &[u8]) {
        let place = child_path(place, name);
        if text.len() == raw.len() {
            self.warning("slot-full", &place, "the text fills its slot: editors read on into the next field");
        }
        let start = residue.iter().take_while(|&&byte| byte == 0).count();
        let end = residue.iter().rev().take_while(|&&byte| byte == 0).count();
        let residue = residue.get(start..residue.len().saturating_sub(end)).unwrap_or_default();
        if !residue.is_empty() {
            self.warning(
                "slot-residue",
                &place,
                format_args!("\"{}\" after the end of the text", residue.escape_ascii()),
            );
        }
        if !text.is_ascii() {
            self.note("not-ascii", &place, format_args!("\"{}\" is in an unknown code page", text.escape_ascii()));
        }
    }
}

/// Returns the path of a part.
fn child_path(place: &[Frame], name: &'static str) -> Vec<Frame> {
    place.iter().cloned().chain([Frame::Field(name)]).collect()
}
