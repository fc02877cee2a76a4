//! The summary of an element graph.

use mapwright_dmx::{Document, Reference, Value};
use serde::Serialize;

use super::lossy;
use crate::info::UseCount;

/// A summary of an element graph.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct DmxInfo {
    /// The encoding and its version: `binary 9`, `keyvalues2 4`.
    pub encoding: String,
    /// The kind of content: `vmap`, `pcf`, `dmx`.
    pub format: String,
    /// The version of that kind.
    pub format_version: u32,
    /// The program with this order of elements and strings: `valve`, `depth-first`, `breadth-first`. `None` for text, and if no known
    /// program has it.
    pub profile: Option<&'static str>,
    /// Number of elements.
    pub elements: usize,
    /// Number of attributes of all elements.
    pub attributes: usize,
    /// Number of strings in the string table of a binary file.
    pub strings: usize,
    /// Number of references to elements of other files.
    pub external_references: usize,
    /// The attributes of the file as a whole.
    pub prefix: Vec<PrefixInfo>,
    /// Bytes after the end.
    pub trailing_bytes: usize,
    /// Elements by class, the most frequent first.
    pub classes: Vec<UseCount>,
}

/// An attribute of the file as a whole.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct PrefixInfo {
    /// The name.
    pub name: String,
    /// The type, as in text files: `string_array`.
    #[serde(rename = "type")]
    pub value_type: String,
}

impl DmxInfo {
    /// Summarizes an element graph.
    pub fn new(graph: &Document) -> Self {
        let values = || graph.elements.iter().flat_map(|element| &element.attributes);
        let prefix = graph.prefix.iter().flatten().map(|attribute| {
            let array = if attribute.value.array_len().is_some() { "_array" } else { "" };
            PrefixInfo {
                name: lossy(graph.string(attribute.name)),
                value_type: format!("{}{array}", attribute.value.value_type().name()),
            }
        });
        Self {
            encoding: graph.header.encoding.to_string(),
            format: lossy(&graph.header.format),
            format_version: graph.header.format_version,
            profile: graph.profile().map(mapwright_dmx::WriterProfile::name),
            elements: graph.elements.len(),
            attributes: values().count(),
            strings: graph.strings.table_len(),
            external_references: values().map(|attribute| count_external(&attribute.value)).sum(),
            prefix: prefix.collect(),
            trailing_bytes: graph.trailing.len(),
            classes: UseCount::count(graph.iter().map(mapwright_dmx::ElementRef::class), |class| lossy(class)),
        }
    }
}

fn count_external(value: &Value) -> usize {
    let is_external = |reference: &&Reference| matches!(reference, Reference::External(_));
    match value {
        Value::Element(reference) => usize::from(is_external(&reference)),
        Value::ElementArray(references) => references.iter().filter(is_external).count(),
        _ => 0,
    }
}
