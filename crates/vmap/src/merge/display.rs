//! Descriptions of conflicts.

use std::fmt::{Display, Formatter, Result};

use mapwright_dmx::diff::{text, whole};
use mapwright_dmx::{ElementId, Reference, Value};

use super::records::{Kind, Records};
use super::three_way::ThreeWayDiff;
use super::{Conflict, ConflictKind, PerSide, Side};
use crate::Mesh;
use crate::diff::NodeLabel;
use crate::diff::mesh::summary;
use crate::document::Node;

/// As `CMapEntity light_omni lamp #3 at 0, 0, 0: origin: base 0 0 0, ours 0 0 64, theirs 0 0 96`.
impl Display for Conflict {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        if let Some(node) = &self.node {
            write!(f, "{node}: ")?;
        }
        if !self.field.is_empty() {
            write!(f, "{}: ", self.field)?;
        }
        write!(f, "base {}, ours {}, theirs {}", self.base, self.ours, self.theirs)
    }
}

/// Returns the label of a record in ours, else in the base, else in theirs.
pub(super) fn label(diff: &ThreeWayDiff<'_>, record: usize) -> Option<NodeLabel> {
    let versions = &diff.records[record];
    let (records, id) = match (versions.elements.ours, versions.base, versions.elements.theirs) {
        (Some(id), ..) => (&diff.sides.ours, id),
        (None, Some(id), _) => (&diff.base, id),
        (None, None, id) => (&diff.sides.theirs, id?),
    };
    // A part has the label of its owner.
    let owner = if versions.kind.is_in_tree() { id } else { *records.parents.get(&id)? };
    if owner == ElementId::ROOT { None } else { Some(label_of_element(records, owner)) }
}

fn label_of_element(records: &Records<'_>, id: ElementId) -> NodeLabel {
    let Some(element) = records.map.graph().element(id) else {
        let (class, entity, name) = (String::new(), String::new(), String::new());
        return NodeLabel { class, entity, name, number: None, position: [0.0; 3] };
    };
    let label = NodeLabel::new(Node(element));
    match element.text("selectionSetName") {
        Some(name) if records.kind(id) == Some(Kind::Set) => NodeLabel { name: text(name), ..label },
        _ => label,
    }
}

/// Returns the name of a record as text.
pub(super) fn record_name(diff: &ThreeWayDiff<'_>, record: Option<usize>) -> String {
    record.and_then(|record| label(diff, record)).map_or_else(|| "none".to_owned(), |label| label.to_string())
}

/// Formats a value for a conflict.
pub(super) fn value_text(records: &Records<'_>, value: Option<&Value>) -> String {
    let graph = records.map.graph();
    match value {
        None => "none".to_owned(),
        Some(Value::Element(Reference::Element(id))) => match graph.element(*id) {
            Some(_) if records.kind(*id) == Some(Kind::Node) => label_of_element(records, *id).to_string(),
            Some(element) if element.is("CDmePolygonMesh") => {
                Mesh::from_element(element).map_or_else(|_| text(element.class()), |mesh| summary(&mesh))
            }
            Some(element) => text(element.class()),
            None => "null".to_owned(),
        },
        Some(Value::Element(Reference::Null)) => "null".to_owned(),
        Some(Value::ElementArray(items)) => format!("{} elements", items.len()),
        Some(value) if value.array_len().is_some() => whole(graph, value),
        Some(value) => {
            let text = whole(graph, value);
            let name = value.value_type().name();
            text.strip_prefix(name).map(str::trim_start).map(str::to_owned).unwrap_or(text)
        }
    }
}

/// Returns a conflict about a removed record.
pub(super) fn removal_conflict(diff: &ThreeWayDiff<'_>, record: usize, by: Side, other: String) -> Conflict {
    let mut sides = PerSide { ours: other.clone(), theirs: other };
    *sides.get_mut(by) = "removed".to_owned();
    let base = if diff.records[record].base.is_some() { "there" } else { "none" };
    Conflict {
        kind: ConflictKind::Removed,
        node: label(diff, record),
        field: String::new(),
        base: base.to_owned(),
        ours: sides.ours,
        theirs: sides.theirs,
    }
}

/// Returns a conflict about the parent of a record.
pub(super) fn placement_conflict(diff: &ThreeWayDiff<'_>, record: usize) -> Conflict {
    let on = |side| record_name(diff, diff.parent(side, record));
    Conflict {
        kind: ConflictKind::Place,
        node: label(diff, record),
        field: "parent".to_owned(),
        base: record_name(diff, diff.parent_in_base(record)),
        ours: on(Side::Ours),
        theirs: on(Side::Theirs),
    }
}
