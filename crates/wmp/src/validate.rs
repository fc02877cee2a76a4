//! What is odd about a map: what the editor and the compiler stumble over, what is lost, what is suspicious.

mod entities;
mod faces;
mod files;
mod mesh;
mod structure;

use std::fmt;

use mapwright_io::{Finding, Findings, Frame, Severity};

pub use files::{FileKind, Presence};

use crate::{Document, Name};

impl Document {
    /// Reports what is odd, with its place: `blocks[3].faces[2]`. PartNumbers are those in the lists of the document.
    ///
    /// | code | severity | what |
    /// |---|---|---|
    /// | `member-missing`, `member-cycle`, `member-twice` | error | an object holds something that there is not, that holds it, or that another holds |
    /// | `vertex-range` | error | a face of vertices that its block does not have |
    /// | `number-nan` | error | a number that is none, or infinite |
    /// | `counts`, `numbering`, `block-index`, `member-word` | warning | counts of the header, numbers or words that are not those of the tree: [`renumber`](Self::renumber) repairs them |
    /// | `orphan` | warning | a block, an entity or an object that nothing holds |
    /// | `face-vertices`, `face-degenerate`, `face-duplicate`, `face-not-planar` | warning | fewer than three different vertices, no area, the vertices of another face, vertices off the plane |
    /// | `block-open`, `block-concave` | warning | a block that does not close or is not convex and is not marked as a mesh (flag 5) |
    /// | `block-convex` | warning | a block that is marked as a mesh, and is convex |
    /// | `block-inside-out`, `block-flat`, `block-empty` | warning | negative volume, none, planes without a body |
    /// | `face-bare` | warning | binary: faces without a texture |
    /// | `vectors-degenerate`, `scale-zero` | warning | a texture that is drawn to a line |
    /// | `texture-long`, `name-long`, `file-long` | warning | more than 15 bytes; more than 19 or 12 in a model of eight skills, than 32 in others |
    /// | `face-ambiguous` | warning | faces at 45° without texture vectors, whose axes the compiler chooses by noise |
    /// | `lock-no-effect` | warning | 510: a locked texture, which moves all the same |
    /// | `flags` | warning | bits that have no known meaning |
    /// | `name-repeated`, `path-missing`, `target-missing`, `edge-node` | warning | names that entities share, or that there are not; an edge to a node that its path does not have |
    /// | `light-range` | warning | a light that reaches nowhere |
    /// | `map-entity-turned` | warning | a compiled map of twenty skills, whose heading the compiler turns around |
    /// | `wad-absolute`, `wad-temporary` | warning | textures by a path of one machine, or of the build |
    /// | `chunk-unknown`, `lines-unknown` | warning | bytes or lines that are kept, and not known |
    /// | `line-ends` | warning | line ends of two kinds |
    /// | `mesh-open`, `vertex-duplicate`, `plane-unused` | note | a mesh that does not close; vertices in one place; A4: planes that bound nothing |
    /// | `group-empty`, `group-unused` | note | a group of nothing, or of nothing but such groups |
    ///
    /// At most 100 findings of one code are listed one by one.
    pub fn validate(&self) -> Vec<Finding> {
        self.report(None)
    }

    /// Reports what is odd, and files that a map names and that are not there: `file-missing`, and `file-case` for those that are there
    /// in other letters, both warnings. `look` says of a file whether it is there; paths are as the map has them.
    pub fn validate_with(&self, look: &dyn Fn(FileKind, &Name) -> Presence) -> Vec<Finding> {
        self.report(Some(look))
    }

    fn report(&self, look: Option<&Look<'_>>) -> Vec<Finding> {
        let mut report = Report::default();
        structure::check(self, &mut report);
        mesh::check(self, &mut report);
        faces::check(self, &mut report);
        entities::check(self, &mut report);
        files::check(self, look, &mut report);
        report.findings.finish()
    }
}

/// Says of a file whether it is there.
type Look<'a> = dyn Fn(FileKind, &Name) -> Presence + 'a;

#[derive(Default)]
struct Report {
    findings: Findings,
}

/// A part of a list, or of a list in that.
type Spot = (&'static str, usize, Option<(&'static str, usize)>);

impl Report {
    fn add(&mut self, code: &'static str, severity: Severity, spot: Option<Spot>, message: impl fmt::Display) {
        if let Some(finding) = self.findings.add(code, severity, message)
            && let Some((list, place, below)) = spot
        {
            let around = matches!(list, "wads" | "folders").then_some(Frame::Field("wed"));
            let below = below.into_iter().flat_map(|(list, place)| [Frame::Field(list), Frame::Index(place)]);
            finding.path = around.into_iter().chain([Frame::Field(list), Frame::Index(place)]).chain(below).collect();
        }
    }

    fn error(&mut self, code: &'static str, spot: Spot, message: impl fmt::Display) {
        self.add(code, Severity::Error, Some(spot), message);
    }

    fn warning(&mut self, code: &'static str, spot: Spot, message: impl fmt::Display) {
        self.add(code, Severity::Warning, Some(spot), message);
    }

    fn note(&mut self, code: &'static str, spot: Spot, message: impl fmt::Display) {
        self.add(code, Severity::Note, Some(spot), message);
    }

    /// A warning about the map as a whole, or one of its single parts.
    fn about(&mut self, code: &'static str, part: &'static str, message: impl fmt::Display) {
        if let Some(finding) = self.findings.add(code, Severity::Warning, message) {
            finding.path = [Frame::Field(part)].into_iter().collect();
        }
    }
}

fn block(place: usize) -> Spot {
    ("blocks", place, None)
}

fn face(block: usize, face: usize) -> Spot {
    ("blocks", block, Some(("faces", face)))
}

fn entity(place: usize) -> Spot {
    ("entities", place, None)
}

fn object(place: usize) -> Spot {
    ("objects", place, None)
}
