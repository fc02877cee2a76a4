//! The files to which a document refers, for summaries.

use std::fmt;

use serde::Serialize;

use crate::content::{Outcome, Reference, ResolveReport};

/// The files to which a document refers. Serialized, it is the field `references` of `mapwright info --json`; `Display` prints it for
/// people, and nothing if there are none.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(transparent)]
pub struct ReferencesInfo {
    /// The files, in the order in which they were found.
    pub references: Vec<ReferenceInfo>,
}

/// A file to which a document refers.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct ReferenceInfo {
    /// The kind of the file, as an identifier: `model`, `image-set`.
    pub kind: &'static str,
    /// The path as the document stores it.
    pub path: String,
    /// The number of uses.
    pub uses: u64,
    /// The file below its root. `None` for a file that is missing or cannot be decoded.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub file: Option<String>,
    /// The reason why a file that exists is not decoded.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub problem: Option<String>,
}

impl ReferencesInfo {
    /// Lists the references of a [report](crate::content::list_references).
    pub fn from_report(report: &ResolveReport) -> Self {
        Self { references: report.references.iter().map(ReferenceInfo::from).collect() }
    }
}

impl From<&Reference> for ReferenceInfo {
    fn from(Reference { kind, path, uses, outcome, .. }: &Reference) -> Self {
        let (file, problem) = match outcome {
            Outcome::Found(file) => (Some(file.clone()), None),
            Outcome::Undecodable(reason) => (None, Some(reason.clone())),
            _ => (None, None),
        };
        Self { kind: kind.code(), path: path.clone(), uses: *uses, file, problem }
    }
}

impl fmt::Display for ReferencesInfo {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.references.is_empty() {
            return Ok(());
        }
        let found = self.references.iter().filter(|reference| reference.file.is_some()).count();
        writeln!(f, "references: {}, found: {found}", self.references.len())?;
        for ReferenceInfo { kind, path, uses, file, problem } in &self.references {
            write!(f, "  {uses:>5} × {kind} {path}: ")?;
            match (file, problem) {
                (Some(file), _) => writeln!(f, "{file}")?,
                (None, Some(problem)) => writeln!(f, "not decoded: {problem}")?,
                (None, None) => writeln!(f, "missing")?,
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn references_have_their_results() {
        let reference = |path: &str, file: Option<&str>, problem: Option<&str>| ReferenceInfo {
            kind: "model",
            path: path.to_owned(),
            uses: 2,
            file: file.map(str::to_owned),
            problem: problem.map(str::to_owned),
        };
        let found = reference("a.mdl", Some("models/a.mdl"), None);
        let info = ReferencesInfo {
            references: vec![found, reference("b.mdl", None, Some("too short")), reference("c.mdl", None, None)],
        };
        let lines = "references: 3, found: 1\n      2 × model a.mdl: models/a.mdl\n      2 × model b.mdl: not decoded: \
                     too short\n      2 × model c.mdl: missing\n";
        assert_eq!(info.to_string(), lines);
        let json = serde_json::to_value(&info).unwrap();
        let expected = serde_json::json!({"kind": "model", "path": "a.mdl", "uses": 2, "file": "models/a.mdl"});
        assert_eq!(json[0], expected);
        assert_eq!(json[2], serde_json::json!({"kind": "model", "path": "c.mdl", "uses": 2}));
        assert_eq!(ReferencesInfo { references: Vec::new() }.to_string(), "");
    }
}
