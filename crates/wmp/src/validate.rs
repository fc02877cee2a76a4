//! Problems of maps: errors, data that the editor and the compiler misread, and suspicious values.

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
    /// Reports problems with their path, such as `blocks[3].faces[2]`. Indices are those in the lists of the document.
    ///
    /// | code | severity | problem |
    /// |---|---|---|
    /// | `member-missing`, `member-cycle`, `member-twice` | error | a member that does not exist, is an ancestor, or has another parent |
    /// | `vertex-range` | error | a vertex index out of range |
    /// | `number-nan` | error | a number that is not finite |
    /// | `counts`, `numbering`, `block-index`, `member-word` | warning | counts, numbers or kinds of members that differ from the tree: [`renumber`](Self::renumber) repairs them |
    /// | `orphan` | warning | a block, an entity or an object that is not below the root |
    /// | `face-vertices`, `face-degenerate`, `face-duplicate`, `face-not-planar` | warning | fewer than three different vertices, no area, the vertices of another face, vertices off the plane |
    /// | `block-open`, `block-concave` | warning | a block that is not closed or not convex, and is not marked as a mesh (flag 5) |
    /// | `block-convex` | warning | a convex block that is marked as a mesh |
    /// | `block-inside-out`, `block-flat`, `block-empty` | warning | negative volume, no volume, planes without a body |
    /// | `face-bare` | note | binary: faces without a texture |
    /// | `vectors-degenerate`, `scale-zero` | warning | a texture that becomes a line |
    /// | `texture-long` | warning | more than 15 bytes |
    /// | `name-long`, `file-long` | note | more than 19 or 12 bytes in models with eight skills, more than 32 in others |
    /// | `face-ambiguous` | note | faces at 45° without texture vectors, whose axes depend on rounding in the compiler |
    /// | `lock-no-effect` | note | 510: texture locks, which have no effect |
    /// | `flags` | warning | bits of unknown meaning |
    /// | `name-repeated` | note | a name that several entities have |
    /// | `path-missing`, `target-missing`, `edge-node` | warning | names that no entity has; an edge to a missing node |
    /// | `light-range` | warning | a light with a range of 0 |
    /// | `map-entity-turned` | note | a compiled map with twenty skills, whose heading a0 the compiler changes to 90° − a0 |
    /// | `wad-absolute`, `wad-temporary` | note | textures at an absolute path, or created by the build |
    /// | `chunk-unknown`, `lines-unknown` | warning | unknown bytes or lines, which are preserved |
    /// | `line-ends` | warning | mixed line ends |
    /// | `mesh-open`, `vertex-duplicate`, `plane-unused` | note | a mesh that is not closed; vertices at one position; A4: planes outside of the body |
    /// | `group-empty`, `group-unused` | note | a group without members, or with groups only |
    ///
    /// At most 100 findings of one code are listed individually.
    pub fn validate(&self) -> Vec<Finding> {
        self.report(None)
    }

    /// Reports problems, and referenced files that are missing (`model-missing`, `sound-missing`, `script-missing`, `wad-missing`,
    /// `folder-missing`) or have other letter case (`file-case`), both warnings. `look` looks for a file. Paths are as in the map.
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

/// Looks for a file.
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

    /// Adds a warning about the map as a whole, or one of its single parts.
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
