//! A DMX element graph and how it is packed.

use mapwright_dmx::{Document, Reference, Value};
use serde::Serialize;

use super::{UseCount, lossy};

/// What a DMX file holds, whatever it is about.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct DmxInfo {
    /// The encoding and its version: `binary 9`, `keyvalues2 4`.
    pub encoding: String,
    /// What the elements are about: `vmap`, `pcf`, `dmx`.
    pub format: String,
    /// The version of that.
    pub format_version: u32,
    /// The program whose order elements and strings have: `valve`, `depth-first`, `breadth-first`; missing for text, and where
    /// no known program orders them so.
    pub profile: Option<&'static str>,
    /// Elements.
    pub elements: usize,
    /// Attributes of all elements.
    pub attributes: usize,
    /// Strings of the string table, of a binary file that has one.
    pub strings: usize,
    /// References to elements of other files.
    pub external_references: usize,
    /// The attributes of the file as a whole.
    pub prefix: Vec<PrefixInfo>,
    /// Bytes behind the end.
    pub trailing_bytes: usize,
    /// Elements by class, the most frequent first.
    pub classes: Vec<UseCount>,
}

/// An attribute of the file as a whole.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct PrefixInfo {
    /// The name.
    pub name: String,
    /// The type, as text files spell it: `string_array`.
    #[serde(rename = "type")]
    pub value_type: String,
}

impl DmxInfo {
    pub(crate) fn new(graph: &Document) -> Self {
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
            external_references: values().map(|attribute| external(&attribute.value)).sum(),
            prefix: prefix.collect(),
            trailing_bytes: graph.trailing.len(),
            classes: UseCount::of(graph.iter().map(mapwright_dmx::ElementRef::class), |class| lossy(class)),
        }
    }
}

fn external(value: &Value) -> usize {
    let is_external = |reference: &&Reference| matches!(reference, Reference::External(_));
    match value {
        Value::Element(reference) => usize::from(is_external(&reference)),
        Value::ElementArray(references) => references.iter().filter(is_external).count(),
        _ => 0,
    }
}
