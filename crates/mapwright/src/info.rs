//! Summaries of documents, for people and programs.
//!
//! A summary consists of sections, each a struct of this module: [`SceneInfo`], [`TermInfo`] and those of the formats.
//! [`Info`] contains them as data, is serialized as JSON, and is printed as text by `Display`: long lists are cut, unless as `{:#}`.
//!
//! ```
//! use mapwright::AnyDocument;
//!
//! let info = AnyDocument::from_bytes(b"\x83h\x02d\x00\x05widtha\x07")?.info(None);
//! assert!(info.to_string().contains("packing          plain\n"), "{info}");
//! # Ok::<(), mapwright::Error>(())
//! ```

mod data;
#[cfg(feature = "textures")]
mod references;
mod scene;
mod text;

use std::collections::BTreeMap;

use mapwright_io::{Finding, Severity};
use serde::{Serialize, Serializer, ser::SerializeMap};

use crate::{AnyDocument, FilesBeside, Format};

pub use crate::formats::sections::*;
pub use data::Data;
#[cfg(feature = "textures")]
pub use references::{ReferenceInfo, ReferencesInfo};
pub use scene::{SceneInfo, SceneLayer, SceneMaterial, SceneObject, SceneTileSet};

/// A summary of a document. Serialized, it is the published form of `mapwright info --json`.
#[derive(Debug, Clone, PartialEq)]
pub struct Info {
    /// The format.
    pub format: Format,
    /// The name of the format in full.
    pub title: &'static str,
    /// The sections with their names, such as `term`, `wings` or `scene`.
    pub sections: Vec<(&'static str, Data)>,
    /// Handedness and the axis that points up, in formats with geometry.
    pub axes: Option<&'static str>,
    /// Metres per unit of length, if the file or its format states it.
    pub metres_per_unit: Option<f64>,
    /// The reason why a section is missing although the document could be read.
    pub problem: Option<String>,
    /// The number of findings of [`AnyDocument::validate`].
    pub findings: FindingCounts,
}

impl Info {
    /// Returns a section by its name.
    pub fn section(&self, name: &str) -> Option<&Data> {
        self.sections.iter().find(|(section, _)| *section == name).map(|(_, data)| data)
    }
}

impl Serialize for Info {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(None)?;
        map.serialize_entry("format", &self.format)?;
        map.serialize_entry("title", self.title)?;
        for (name, data) in &self.sections {
            map.serialize_entry(name, data)?;
        }
        map.serialize_entry("axes", &self.axes)?;
        map.serialize_entry("metres_per_unit", &self.metres_per_unit)?;
        if let Some(problem) = &self.problem {
            map.serialize_entry("problem", problem)?;
        }
        map.serialize_entry("findings", &self.findings)?;
        map.end()
    }
}

/// The part of a summary that the format of a document provides.
#[derive(Default)]
pub(crate) struct Summary {
    sections: Vec<(&'static str, Data)>,
    problem: Option<String>,
    findings: Option<Vec<Finding>>,
}

impl Summary {
    pub(crate) fn new() -> Self {
        Self::default()
    }

    /// Adds a section.
    pub(crate) fn with(mut self, name: &'static str, section: &impl Serialize) -> Self {
        self.sections.push((name, Data::from_serialize(section)));
        self
    }

    /// Adds the findings, if the summary needed them anyway.
    pub(crate) fn with_findings(mut self, findings: Vec<Finding>) -> Self {
        self.findings = Some(findings);
        self
    }

    /// Adds the reason why a section is missing.
    pub(crate) fn with_problem(mut self, problem: String) -> Self {
        self.problem = Some(problem);
        self
    }
}

/// The number of faces with a material.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct MaterialUse {
    /// Name of the material.
    pub name: String,
    /// Number of faces.
    pub faces: usize,
}

/// The number of occurrences of a name.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct UseCount {
    /// The name.
    pub name: String,
    /// Number of occurrences.
    pub count: usize,
}

impl UseCount {
    /// Counts keys, the most frequent first. Keys of the same frequency keep their order.
    pub fn count<K: Ord>(keys: impl IntoIterator<Item = K>, name: impl Fn(&K) -> String) -> Vec<Self> {
        let mut counts = BTreeMap::new();
        for key in keys {
            *counts.entry(key).or_insert(0) += 1;
        }
        Self::sorted(counts, name)
    }

    /// Lists counted keys, the most frequent first.
    pub fn sorted<K>(counts: BTreeMap<K, usize>, name: impl Fn(&K) -> String) -> Vec<Self> {
        let mut counts: Vec<Self> = counts.into_iter().map(|(key, count)| Self { name: name(&key), count }).collect();
        counts.sort_by_key(|one| std::cmp::Reverse(one.count));
        counts
    }
}

/// The number of findings by severity.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize)]
pub struct FindingCounts {
    /// Number of errors: the program of the format rejects the file or cannot save it.
    pub errors: usize,
    /// Number of warnings: data is lost, or has another effect than expected.
    pub warnings: usize,
    /// Number of notes: harmless peculiarities.
    pub notes: usize,
}

impl FindingCounts {
    /// Counts findings by severity.
    pub fn from_findings(findings: &[Finding]) -> Self {
        let mut counts = Self::default();
        for finding in findings {
            match finding.severity {
                Severity::Error => counts.errors += finding.count,
                Severity::Warning => counts.warnings += finding.count,
                _ => counts.notes += finding.count,
            }
        }
        counts
    }
}

impl AnyDocument {
    /// Summarizes the document. Images that it names are looked for in the files.
    pub fn info(&self, files: Option<&FilesBeside>) -> Info {
        let document = self.as_format_document();
        let Summary { sections, problem, findings } = document.summarize(files);
        let format = self.format();
        Info {
            format,
            title: format.info().title,
            sections,
            axes: format.axes(),
            metres_per_unit: document.metres_per_unit().or(format.entry().and_then(|entry| entry.metres_per_unit)),
            problem,
            findings: FindingCounts::from_findings(&findings.unwrap_or_else(|| match files {
                Some(files) => self.validate_with(files),
                None => self.validate(),
            })),
        }
    }
}

/// Returns the smallest box that contains two boxes, each given by its smallest and largest coordinates.
pub(crate) fn union([a, b]: [[f64; 3]; 2], [c, d]: [[f64; 3]; 2]) -> [[f64; 3]; 2] {
    let both = |a: [f64; 3], b: [f64; 3], pick: fn(f64, f64) -> f64| {
        let ([ax, ay, az], [bx, by, bz]) = (a, b);
        [pick(ax, bx), pick(ay, by), pick(az, bz)]
    };
    [both(a, c, f64::min), both(b, d, f64::max)]
}
