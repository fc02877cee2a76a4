//! What is odd about a level: what the games drop or stumble over, what editors change, what no known program writes.

mod file;
mod objects;
mod planes;
mod properties;

use std::fmt;

use mapwright_io::{Finding, Findings, Frame, Severity};

use crate::Document;

impl Document {
    /// Reports what is odd, with its place: `planes[1].objects[17]`.
    ///
    /// | code | severity | what |
    /// |---|---|---|
    /// | `header-size` | error | the header has another size than 1524 bytes |
    /// | `block-longer` | error | the stored block is longer than the main block: Gruntz refuses the file |
    /// | `main-plane` | error | no main plane, or several |
    /// | `cannot-write` | error | the document contradicts itself |
    /// | `checksum` | warning | the checksum is that of no editor; a note if it is WapMap's |
    /// | `block-size` | warning | the size of the main block is stated although it is not compressed, and is another |
    /// | `object-outside`, `object-logic` | warning | objects that the games drop: outside the plane, without a logic, with one that Gruntz does not have |
    /// | `objects-elsewhere` | warning | objects on other planes than the main one |
    /// | `tile-range`, `no-properties` | warning | tiles of the main plane without a property, which crashes Claw; no table at all |
    /// | `plane-empty`, `tile-size`, `pixel-size` | warning | a plane without tiles; tiles that are not square powers of two; a plane that is not as large as its tiles |
    /// | `level-number` | warning | the name without a number, or with another than that of the image folder |
    /// | `text-long` | warning | a text of 1024 bytes or more, which the games copy into 1024 |
    /// | `image-set-name`, `image-sets` | warning | names that the games cut; more or fewer than one |
    /// | `mask-size` | warning | a mask whose width is not the greatest power of two up to its height |
    /// | `elevator-path` | warning | a path elevator with fewer than two steps |
    /// | `slot-full`, `slot-residue` | warning | a text of the header that fills its slot; bytes behind its end |
    /// | `reserved`, `flags`, `fill-color`, `attribute`, `object-type`, `object-move-res` | warning | values that no program is known to write |
    /// | `cell-word` | warning | cells whose image set is none of the plane's |
    /// | `layout` | warning | sections in another order than that of all known programs, shared, or with gaps |
    /// | `trailer` | note | bytes behind the stored block; a warning if they are not WapMap's notes, if those are torn, or if the file is not compressed |
    /// | `repeated-ids` | note | ids that objects share, as in most levels |
    /// | `word-2d8` | note | a word of unknown meaning that is mostly 0 |
    /// | `not-ascii` | note | texts in an unknown code page |
    /// | `plane-order` | note | planes that do not stand in the order of their z |
    /// | `text-nul` | note | texts with a NUL, behind which WapMap keeps data |
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

    /// A word that is 0 in all known files.
    fn reserved(&mut self, place: &[Frame], name: &'static str, word: u32) {
        if word != 0 {
            let place = below(place, name);
            self.warning("reserved", &place, format_args!("{word:#x} where all known files have 0"));
        }
    }

    /// A slot of fixed size.
    fn slot(&mut self, place: &[Frame], name: &'static str, raw: &[u8], text: &[u8], residue: &[u8]) {
        let place = below(place, name);
        if text.len() == raw.len() {
            self.warning("slot-full", &place, "a text that fills its slot: editors read on into the next field");
        }
        let start = residue.iter().take_while(|&&byte| byte == 0).count();
        let end = residue.iter().rev().take_while(|&&byte| byte == 0).count();
        let residue = residue.get(start..residue.len().saturating_sub(end)).unwrap_or_default();
        if !residue.is_empty() {
            self.warning(
                "slot-residue",
                &place,
                format_args!("\"{}\" behind the end of the text", residue.escape_ascii()),
            );
        }
        if !text.is_ascii() {
            self.note(
                "not-ascii",
                &place,
                format_args!("\"{}\" is in a code page that the file does not name", text.escape_ascii()),
            );
        }
    }
}

/// The place of a part.
fn below(place: &[Frame], name: &'static str) -> Vec<Frame> {
    place.iter().cloned().chain([Frame::Field(name)]).collect()
}
