//! Conflicts as text.

use std::fmt::{Display, Formatter, Result};

use mapwright_dmx::diff::{text, whole};
use mapwright_dmx::{ElementId, Reference, Value};

use super::records::{Kind, Records};
use super::trio::Trio;
use super::{Conflict, ConflictKind, Side, Two};
use crate::Mesh;
use crate::diff::NodeLabel;
use crate::diff::mesh::sum;
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

/// What a record is called: as ours has it, or the base, or theirs.
pub(super) fn label(trio: &Trio<'_>, who: usize) -> Option<NodeLabel> {
    let item = trio.items.get(who)?;
    let (records, id) = match (item.in_.ours, item.base, item.in_.theirs) {
        (Some(id), ..) => (&trio.sides.ours, id),
        (None, Some(id), _) => (&trio.base, id),
        (None, None, id) => (&trio.sides.theirs, id?),
    };
    // Of a part, what it is a part of.
    let owner = if item.kind.is_placed() { id } else { *records.parents.get(&id)? };
    if owner == ElementId::ROOT { None } else { Some(named(records, owner)) }
}

fn named(records: &Records<'_>, id: ElementId) -> NodeLabel {
    let Some(element) = records.map.graph().element(id) else {
        let (class, entity, name) = (String::new(), String::new(), String::new());
        return NodeLabel { class, entity, name, number: None, position: [0.0; 3] };
    };
    let label = NodeLabel::of(Node(element));
    match element.text("selectionSetName") {
        Some(name) if records.kind(id) == Some(Kind::Set) => NodeLabel { name: text(name), ..label },
        _ => label,
    }
}

/// The name of a record on a side.
pub(super) fn place(trio: &Trio<'_>, who: Option<usize>) -> String {
    who.and_then(|who| label(trio, who)).map_or_else(|| "none".to_owned(), |label| label.to_string())
}

/// A value, as far as it is shown.
pub(super) fn shown(records: &Records<'_>, value: Option<&Value>) -> String {
    let graph = records.map.graph();
    match value {
        None => "none".to_owned(),
        Some(Value::Element(Reference::Element(id))) => match graph.element(*id) {
            Some(_) if records.kind(*id) == Some(Kind::Node) => named(records, *id).to_string(),
            Some(element) if element.is("CDmePolygonMesh") => {
                Mesh::from_element(element).map_or_else(|_| text(element.class()), |mesh| sum(&mesh))
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

/// A conflict in which one side removed something.
pub(super) fn removed(trio: &Trio<'_>, who: usize, by: Side, other: String) -> Conflict {
    let mut sides = Two { ours: other.clone(), theirs: other };
    *sides.of_mut(by) = "removed".to_owned();
    let base = if trio.items.get(who).is_some_and(|item| item.base.is_some()) { "there" } else { "none" };
    Conflict {
        kind: ConflictKind::Removed,
        node: label(trio, who),
        field: String::new(),
        base: base.to_owned(),
        ours: sides.ours,
        theirs: sides.theirs,
    }
}

/// A conflict about the place of something.
pub(super) fn misplaced(trio: &Trio<'_>, who: usize) -> Conflict {
    let on = |side| place(trio, trio.parent(side, who));
    Conflict {
        kind: ConflictKind::Place,
        node: label(trio, who),
        field: "parent".to_owned(),
        base: place(trio, trio.parent_in_base(who)),
        ours: on(Side::Ours),
        theirs: on(Side::Theirs),
    }
}
