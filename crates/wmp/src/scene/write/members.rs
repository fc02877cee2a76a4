//! Members of objects, and parts without a node.

use hashbrown::HashSet;

use super::context::Context;
use crate::scene::parts::sole_part;
use crate::tree::PartIndex;
use crate::{Member, MemberKind};

/// A change of the tree.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::scene) enum TreeChange {
    None,
    /// Objects have other members, or the same in another order.
    Reordered,
    /// Parts were removed.
    Removed,
}

/// Writes the members of objects, and removes parts whose node is gone.
pub(super) fn write_members(context: &mut Context<'_>) -> TreeChange {
    let removed: HashSet<PartIndex> =
        context.known.keys().filter(|part| !context.seen.contains(*part)).copied().collect();
    let mut change = TreeChange::None;
    for (at, parts) in std::mem::take(&mut context.members) {
        // Objects that were added have no members in the tree.
        let before = context.tree.members.get(at).map_or(&[][..], Vec::as_slice);
        let shown = parts_before_objects(before).into_iter().filter(|part| is_shown(context, *part));
        let mut now = parts_before_objects(&parts);
        if shown.eq(now.iter().copied()) {
            continue;
        }
        change = TreeChange::Reordered;
        // Members without a node stay, such as the level.
        now.extend(before.iter().filter(|part| !is_shown(context, **part) && !removed.contains(*part)));
        // Files list objects first, and the level of the root last.
        now.sort_by_key(|part| !matches!(part, PartIndex::Object(_)));
        context.document.objects[at].members = now.iter().map(|part| member(context, *part)).collect();
    }
    if !removed.is_empty() {
        // Last, because this moves the parts that all indices above refer to.
        remove_parts(context, &removed);
        change = TreeChange::Removed;
    }
    change
}

/// Returns `true` if a member had a node in the scene of the document.
fn is_shown(context: &Context<'_>, part: PartIndex) -> bool {
    let shown = match part {
        PartIndex::Object(at) if at < context.tree.members.len() => {
            sole_part(context.document, context.tree.members_of(at)).unwrap_or(part)
        }
        part => part,
    };
    context.known.contains_key(&shown)
}

fn member(context: &Context<'_>, part: PartIndex) -> Member {
    let document = &context.document;
    match part {
        PartIndex::Block(at) => Member { kind: MemberKind::Block, number: document.blocks[at].number },
        PartIndex::Entity(at) => {
            let entity = &document.entities[at];
            Member { kind: entity.member_kind(), number: entity.number }
        }
        PartIndex::Object(at) => Member { kind: MemberKind::Object, number: document.objects[at].number },
    }
}

/// Removes parts from the document, with the objects that only positioned them.
fn remove_parts(context: &mut Context<'_>, removed: &HashSet<PartIndex>) {
    let mut all = removed.clone();
    for &part in removed {
        if let Some(holder) = context.tree.holder(part)
            && sole_part(context.document, context.tree.members_of(holder)) == Some(part)
            && Some(&holder) != context.tree.order.first()
        {
            all.insert(PartIndex::Object(holder));
        }
    }
    let document = &mut *context.document;
    retain(&mut document.blocks, |at| !all.contains(&PartIndex::Block(at)));
    retain(&mut document.entities, |at| !all.contains(&PartIndex::Entity(at)));
    retain(&mut document.objects, |at| !all.contains(&PartIndex::Object(at)));
}

/// Returns members in the order of their nodes: blocks and entities, then objects.
fn parts_before_objects(parts: &[PartIndex]) -> Vec<PartIndex> {
    let mut parts = parts.to_vec();
    parts.sort_by_key(|part| matches!(part, PartIndex::Object(_)));
    parts
}

fn retain<T>(parts: &mut Vec<T>, keep: impl Fn(usize) -> bool) {
    let mut at = 0..;
    parts.retain(|_| at.next().is_some_and(&keep));
}
