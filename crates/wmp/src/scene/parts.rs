//! Nodes and the parts of a map that they came from.

use crate::tree::PartIndex;
use crate::{Document, MemberKind};

/// The key of the node for the sun.
pub(super) const SUN: &str = "sun";

/// The key of the node for ambient light.
pub(super) const AMBIENT: &str = "ambient";

/// Reads the key of a node.
pub(super) fn parse_key(key: &str) -> Option<PartIndex> {
    let (kind, at) = key.split_once('/')?;
    let at = at.parse().ok()?;
    match kind {
        "block" => Some(PartIndex::Block(at)),
        "entity" => Some(PartIndex::Entity(at)),
        "object" => Some(PartIndex::Object(at)),
        _ => None,
    }
}

/// Returns the block or entity that an object with these members only positions. Such an object has no node of its own; any other is
/// a group.
pub(super) fn sole_part(document: &Document, members: &[PartIndex]) -> Option<PartIndex> {
    match *members {
        [part @ PartIndex::Block(_)] => Some(part),
        [part @ PartIndex::Entity(at)] => (document.entities[at].member_kind() != MemberKind::Level).then_some(part),
        _ => None,
    }
}
