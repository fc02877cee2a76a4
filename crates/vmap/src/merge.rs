//! Three-way merge of maps: what two sides made of the same map goes into one.
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
//! Nodes are the same as in a [difference](crate::diff): by their reference ids, then by number and class, then by the identities of
//! their elements. What both sides added is the same if reference id, class and class name are. The result is *ours* with what
//! *theirs* changed since the base:
//!
//! | what | how |
//! |---|---|
//! | nodes, their keys, the root, selection sets | attribute by attribute, key by key; an array is one value |
//! | arrays that go together, as names and values of variables | all of them are one value |
//! | what else belongs to a node: its mesh, outputs, plugs; map variables | one value with all that is in it |
//! | nodes and sets that were added, removed, or moved to another parent | the tree; the order of children is kept |
//! | hidden nodes, members of selection sets, listed assets | one by one |
//! | baked light, cameras, thumbnail, build of the editor | that of the side that changed it, without a conflict |
//!
//! A node that theirs added keeps its number, reference id and identity unless ours has them already; then it gets new ones, and
//! targets of overlays and baked light of theirs follow. Nodes that both have keep the numbers and identities of ours, and the file
//! its encoding. Elements below nodes that come from theirs may get new identities, as they do whenever Hammer saves.
//!
//! # Conflicts
//!
//! Where both sides changed the same thing in different ways, or one removed what the other changed or still needs, there is a
//! [`Conflict`], and the result has what the [preferred](MergeOptions::prefer) side has: ours, if nothing else is said. In detail:
//!
//! * a node that the preferred side removed stays removed; one that the other side removed stays, with what it stands below and, if
//!   an instance shows it, with what is in it;
//! * what the other side put into a group that the preferred side removed goes to the next group or the world above it; what it put
//!   into an entity, a cable or an instance of something removed is left out;
//! * a node that both moved, or that would be below itself, stays where the preferred side has it.
//!
//! # Laws
//!
//! If one side changed nothing, the result is the other one, byte for byte, and if both are the same it is that. Nothing in the
//! result refers to a node that is not there unless that was so before.

mod build;
mod copy;
mod display;
mod facts;
mod fields;
mod lists;
mod plan;
mod records;
mod trio;

use mapwright_io::Position;

use crate::diff::NodeLabel;
use crate::{Document, WriteError, WriteErrorKind};
use trio::Trio;

/// One of the maps that are merged.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize), serde(rename_all = "lowercase"))]
pub enum Side {
    /// The one that is kept.
    #[default]
    Ours,
    /// The one whose changes are taken.
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

/// How maps are merged.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[non_exhaustive]
pub struct MergeOptions {
    /// What stands in the result where there is a conflict.
    pub prefer: Side,
}

impl MergeOptions {
    /// The same with another side for conflicts.
    #[must_use]
    pub fn with_prefer(mut self, side: Side) -> Self {
        self.prefer = side;
        self
    }
}

/// A merged map.
#[derive(Debug, Clone)]
pub struct Merge {
    /// The map, with what the preferred side has where there are conflicts.
    pub document: Document,
    /// What could not be merged: first what stands where and what is there at all, then the fields, by the order of the nodes.
    pub conflicts: Vec<Conflict>,
}

/// Something that both sides changed in different ways. It prints as a line.
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct Conflict {
    /// What kind.
    pub kind: ConflictKind,
    /// The node or selection set; `None` for what concerns the map as a whole.
    pub node: Option<NodeLabel>,
    /// The field, as `origin`, `entity_properties.targetname`, `hidden`, `parent`; empty for a whole node.
    pub field: String,
    /// What it was, as text; `none` if it was not there.
    pub base: String,
    /// What ours made of it.
    pub ours: String,
    /// What theirs made of it.
    pub theirs: String,
}

/// What kind of conflict.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize), serde(rename_all = "lowercase"))]
#[non_exhaustive]
pub enum ConflictKind {
    /// Both gave a field another value.
    Field,
    /// Both gave a node another place in the tree, or the place of one is not there any more.
    Place,
    /// One removed what the other changed or uses.
    Removed,
}

/// Merges two maps that come from the same one.
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
    let trio = Trio::of(base, ours, theirs)?;
    let mut conflicts = Vec::new();
    let plan = plan::Plan::of(&trio, options.prefer, &mut conflicts);
    let document = build::build(&trio, &plan, options.prefer, &mut conflicts);
    Ok(Merge { document, conflicts })
}

/// Something of both sides.
#[derive(Debug, Clone, Copy, Default)]
struct Two<T> {
    ours: T,
    theirs: T,
}

impl<T> Two<T> {
    fn of(&self, side: Side) -> &T {
        match side {
            Side::Ours => &self.ours,
            Side::Theirs => &self.theirs,
        }
    }

    fn of_mut(&mut self, side: Side) -> &mut T {
        match side {
            Side::Ours => &mut self.ours,
            Side::Theirs => &mut self.theirs,
        }
    }
}

/// An error of merging, which has no place in a file.
fn error(kind: WriteErrorKind) -> WriteError {
    WriteError::new(kind, Position::default())
}
