//! Problems of maps: data that editors and compilers misread, reject or drop, and suspicious values.

mod brushes;
mod entities;

use std::fmt;

use mapwright_io::{Finding, Findings, Frame, Position, Severity};

use crate::{Document, Entity, FORMATS, Primitive, PrimitiveKind};

impl Document {
    /// Reports problems with their path, such as `entities[3].primitives[2].faces[1]`, and their line and column.
    ///
    /// | code | severity | problem |
    /// |---|---|---|
    /// | `number-range` | error | a number beyond ±1e9, or too large for a double |
    /// | `worldspawn-missing` | warning | the first entity is not `worldspawn` |
    /// | `worldspawn-several` | warning | a further `worldspawn`: games read only the first one |
    /// | `class-missing` | warning | an entity without `classname` |
    /// | `key-duplicate` | warning | a key of an earlier pair: most programs read the first pair, Doom 3 the last |
    /// | `format-unknown`, `format-mismatch` | warning | a `// Format:` that TrenchBroom does not know, or that differs from the faces |
    /// | `editor-id`, `editor-id-duplicate`, `editor-reference`, `editor-cycle`, `editor-depth` | warning | layers and groups that cannot be applied |
    /// | `face-degenerate`, `plane-duplicate` | warning | three points in a line; the plane of an earlier face |
    /// | `brush-open`, `brush-empty`, `brush-faces` | warning | faces without a bounded space or without volume; more than 128 faces, which are not clipped |
    /// | `texture-axes` | warning | Valve 220: axes that are zero, parallel, or parallel to the normal, which compilers replace |
    /// | `patch-size` | warning | a number of control points that is even or below 3 |
    /// | `face-unused` | note | a face that the others clip away |
    /// | `scale-zero` | note | a texture scale of 0, which means 1 |
    /// | `coordinate-far` | note | a point beyond ±4096, where some games end |
    /// | `texture-long`, `key-long`, `value-long` | note | names and texts that some games cut |
    /// | `primitive-unknown` | note | a primitive that is preserved, but not read |
    ///
    /// At most 100 findings of one code are listed individually.
    pub fn validate(&self) -> Vec<Finding> {
        let mut report = Report { document: self, findings: Findings::default() };
        check_header(self, &mut report);
        entities::check(self, &mut report);
        for entity in self.entities() {
            for (index, primitive) in entity.primitives().enumerate() {
                brushes::check(entity, (index, primitive), &mut report);
            }
        }
        report.findings.finish()
    }
}

/// Checks the comment `// Format:`.
fn check_header(map: &Document, report: &mut Report<'_>) {
    let Some(format) = map.format() else { return };
    let name = FORMATS.into_iter().find(|name| name.as_bytes() == format);
    let Some(name) = name else {
        let message = format_args!("unknown format \"{}\": TrenchBroom rejects the file", mapwright_io::escape(format));
        report.add("format-unknown", Severity::Warning, &[], 0, message);
        return;
    };
    let is_valve = name.contains("Valve");
    // `Quake3` is the format of brush primitives, which may be mixed with the others.
    let plain = map.primitives().filter(|primitive| primitive.kind() == PrimitiveKind::Brush && name != "Quake3");
    if let Some(face) = plain.flat_map(Primitive::faces).find(|face| face.layout().is_valve != is_valve) {
        let (expected, found) = match is_valve {
            true => ("Valve 220", "standard"),
            false => ("standard", "Valve 220"),
        };
        let message = format_args!(
            "format {name} needs {expected} textures: the faces have {found} textures, which programs read"
        );
        report.add("format-mismatch", Severity::Warning, &[], face.range().start, message);
    }
}

/// The findings, and the map for positions.
struct Report<'a> {
    document: &'a Document,
    findings: Findings,
}

impl Report<'_> {
    /// Adds a finding of a part at an offset.
    fn add(
        &mut self,
        code: &'static str,
        severity: Severity,
        path: &[(&'static str, usize)],
        offset: usize,
        message: impl fmt::Display,
    ) {
        if let Some(finding) = self.findings.add(code, severity, message) {
            finding.path = path.iter().flat_map(|&(list, index)| [Frame::Field(list), Frame::Index(index)]).collect();
            finding.at = Some(Position::in_text(self.document.as_bytes(), offset));
        }
    }

    /// Adds a finding of an entity.
    fn add_entity(&mut self, code: &'static str, severity: Severity, entity: Entity<'_>, message: impl fmt::Display) {
        self.add(code, severity, &[("entities", entity.index())], entity.range().start, message);
    }
}
