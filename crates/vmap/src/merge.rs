//! Three-way merge of maps: combines the changes of two sides to the same base.
//!
//! ```
//! use mapwright_vmap::merge::{MergeOptions, merge};
//! use mapwright_vmap::{Document, Transform};
//!
//! let mut base = Document::new();
//! base.edit(|map| map.world().and_then(|world| map.add_entity(world, "light_omni")))?;
//! let lamp = |map: &Document| map.nodes().nth(1).map(|visit| visit.node.id()).ok_or("no lamp");
//! let (mut ours, mut theirs) = (base.clone(), base.clone());
//! let [one, other] = [lamp(&ours)?, lamp(&theirs)?];
//! ours.edit(|map| map.set_transform(one, Transform { origin: [0.0, 0.0, 64.0], ..Transform::IDENTITY }))?;
//! theirs.edit(|map| map.set_key(other, "brightness", "2"))?;
//!
//! let merged = merge(&base, &ours, &theirs, &MergeOptions::default())?;
//! assert!(merged.conflicts.is_empty());
//! let lamp = merged.document.nodes().nth(1).ok_or("no lamp")?.node;
//! assert_eq!(lamp.transform().origin, [0.0, 0.0, 64.0]);
//! assert_eq!(lamp.entity().and_then(|lamp| lamp.get("brightness")), Some(&b"2"[..]));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! Nodes are matched as in a [difference](crate::diff): by their reference ids, then by number and class, then by the identities of
//! their elements. Nodes that both sides added match if reference id, class and class name are equal. The result is *ours* with the
//! changes of *theirs* since the base:
//!
//! | part | unit of merging |
//! |---|---|
//! | nodes, their keys, the root, selection sets | each attribute and each key; an array is one value |
//! | parallel arrays, such as the names and values of variables | one value for all of them |
//! | other parts of a node: mesh, outputs, plugs; map variables | one value with everything in it |
//! | added, removed and moved nodes and sets | the tree; the order of children is kept |
//! | hidden nodes, members of selection sets, listed assets | each item |
//! | baked light, cameras, thumbnail, build of the editor | taken from the side that changed it, without a conflict |
//!
//! A node that theirs added keeps its number, reference id and identity unless ours uses them already. Then it gets new ones, and
//! overlay targets and baked light of theirs follow. Nodes of both sides keep the numbers and identities of ours, and the file keeps
//! its encoding. Elements below nodes that come from theirs may get new identities, as they do whenever Hammer saves.
//!
//! # Conflicts
//!
//! If both sides changed the same value in different ways, or one removed what the other changed or still needs, there is a
//! [`Conflict`], and the result takes the version of the [preferred](MergeOptions::prefer) side, by default ours. In detail:
//!
//! * A node that the preferred side removed stays removed. A node that the other side removed stays, with its ancestors and, if
//!   an instance shows it, with its content.
//! * If the preferred side removed a group, new content of the other side goes to the next group above it or to the world.
//!   New content of a removed entity, of a cable, or of an instance of a removed group is left out.
//! * A node that both sides moved, or that would be below itself, stays where the preferred side has it.
//!
//! # Laws
//!
//! If one side changed nothing, the result is the other side, byte for byte. If both sides are equal, the result is that map. The
//! result has no reference to a missing node unless the base has it.

#![allow(
    clippy::indexing_slicing,
    clippy::expect_used,
    reason = "indices of records are those that the comparison of the maps gave out"
)]

mod build;
mod copy;
mod display;
mod fields;
mod file_settings;
mod lists;
mod plan;
mod records;
mod three_way;

use mapwright_io::Position;

use crate::diff::NodeLabel;
use crate::{Document, WriteError, WriteErrorKind};
use three_way::ThreeWayDiff;

/// One of the maps that are merged.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize), serde(rename_all = "lowercase"))]
pub enum Side {
    /// The map that is kept.
    #[default]
    Ours,
    /// The map whose changes are applied.
    Theirs,
}

impl Side {
    fn other(self) -> Self {
        match self {
            Self::Ours => Self::Theirs,
            Self::Theirs => Self::Ours,
        }
    }
}

mapwright_io::options! {
    /// Options of [`merge`].
    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    pub struct MergeOptions {
        /// Side whose version the result takes in conflicts.
        pub prefer: Side = Side::default(), with_prefer;
    }
}

/// A merged map.
#[derive(Debug, Clone)]
pub struct Merge {
    /// The map. In conflicts it has the version of the preferred side.
    pub document: Document,
    /// Conflicts: first those of the tree, then those of fields, in the order of the nodes.
    pub conflicts: Vec<Conflict>,
}

/// A conflict between the changes of both sides. `Display` prints it as one line.
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct Conflict {
    /// Kind of conflict.
    pub kind: ConflictKind,
    /// The node or selection set; `None` for the map as a whole.
    pub node: Option<NodeLabel>,
    /// Name of the field, such as `origin`, `entity_properties.targetname`, `hidden`, `parent`; empty for a whole node.
    pub field: String,
    /// Value in the base, as text; `none` if it is missing.
    pub base: String,
    /// Value in ours.
    pub ours: String,
    /// Value in theirs.
    pub theirs: String,
}

/// Kind of conflict.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize), serde(rename_all = "lowercase"))]
#[non_exhaustive]
pub enum ConflictKind {
    /// Both sides gave a field different values.
    Field,
    /// Both sides moved a node to different parents, or the new parent no longer exists.
    Place,
    /// One side removed what the other changed or uses.
    Removed,
}

/// Merges two maps with a common base.
///
/// # Errors
/// If one of the maps has no world.
pub fn merge(base: &Document, ours: &Document, theirs: &Document, options: &MergeOptions) -> Result<Merge, WriteError> {
    let simple = |document: &Document| Ok(Merge { document: document.clone(), conflicts: Vec::new() });
    if theirs == base || theirs == ours {
        return simple(ours);
    }
    if ours == base {
        return simple(theirs);
    }
    let diff = ThreeWayDiff::new(base, ours, theirs)?;
    let mut conflicts = Vec::new();
    let plan = plan::Plan::new(&diff, options.prefer, &mut conflicts);
    let document = build::build(&diff, &plan, options.prefer, &mut conflicts);
    Ok(Merge { document, conflicts })
}

/// A value of each side.
#[derive(Debug, Clone, Copy, Default)]
struct PerSide<T> {
    ours: T,
    theirs: T,
}

impl<T> PerSide<T> {
    fn get(&self, side: Side) -> &T {
        match side {
            Side::Ours => &self.ours,
            Side::Theirs => &self.theirs,
        }
    }

    fn get_mut(&mut self, side: Side) -> &mut T {
        match side {
            Side::Ours => &mut self.ours,
            Side::Theirs => &mut self.theirs,
        }
    }
}

/// Returns an error without a position in a file.
fn error(kind: WriteErrorKind) -> WriteError {
    WriteError::new(kind, Position::default())
}
