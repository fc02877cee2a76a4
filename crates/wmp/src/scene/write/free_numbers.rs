//! Numbers for added parts.

use hashbrown::HashSet;

use crate::{Document, MemberKind};

/// Free numbers of the three lists of a document.
pub(super) struct FreeNumbers {
    pub(super) blocks: NumberPool,
    pub(super) entities: NumberPool,
    pub(super) objects: NumberPool,
}

impl FreeNumbers {
    /// Numbers that members refer to are taken even if no part has them: a new part with such a number would become that member.
    pub(super) fn new(document: &Document) -> Self {
        let members = |wanted: fn(MemberKind) -> bool| {
            let members = document.objects.iter().flat_map(|object| &object.members);
            members.filter(move |member| wanted(member.kind)).map(|member| member.number)
        };
        let is_entity = |kind| !matches!(kind, MemberKind::Object | MemberKind::Block);
        let blocks = document.blocks.iter().map(|block| block.number);
        let entities = document.entities.iter().map(|entity| entity.number);
        let objects = document.objects.iter().map(|object| object.number);
        Self {
            blocks: NumberPool::new(blocks.chain(members(|kind| kind == MemberKind::Block))),
            entities: NumberPool::new(entities.chain(members(is_entity))),
            objects: NumberPool::new(objects.chain(members(|kind| kind == MemberKind::Object))),
        }
    }
}

/// Free numbers of one list.
pub(super) struct NumberPool {
    taken: HashSet<u32>,
    next: u32,
}

impl NumberPool {
    /// New numbers follow the largest one that is taken.
    fn new(taken: impl Iterator<Item = u32>) -> Self {
        let taken: HashSet<u32> = taken.collect();
        let next = taken.iter().max().map_or(0, |last| last.wrapping_add(1));
        Self { taken, next }
    }

    pub(super) fn take(&mut self) -> u32 {
        // After the largest possible number, gaps are filled.
        while !self.taken.insert(self.next) {
            self.next = self.next.wrapping_add(1);
        }
        self.next
    }
}
