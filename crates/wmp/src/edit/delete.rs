//! Deleted blocks, entities and groups.

use hashbrown::HashMap;

use super::{EditError, PartIndex};
use crate::tree::{PartNumbers, Tree};
use crate::{Dialect, Document, EntityKind, MemberKind, Name};

/// Counts of deleted parts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Deleted {
    /// Number of blocks.
    pub blocks: usize,
    /// Number of entities.
    pub entities: usize,
    /// Number of groups, without the objects that only position a block or entity.
    pub groups: usize,
}

/// Flags for parts to be deleted.
pub(super) struct DeletionSet {
    pub(super) blocks: Vec<bool>,
    pub(super) entities: Vec<bool>,
    pub(super) objects: Vec<bool>,
}

impl DeletionSet {
    pub(super) fn none(document: &Document) -> Self {
        Self {
            blocks: vec![false; document.blocks.len()],
            entities: vec![false; document.entities.len()],
            objects: vec![false; document.objects.len()],
        }
    }

    pub(super) fn get(&self, place: PartIndex) -> bool {
        let flag = match place {
            PartIndex::Block(block) => self.blocks.get(block),
            PartIndex::Entity(entity) => self.entities.get(entity),
            PartIndex::Object(object) => self.objects.get(object),
        };
        flag == Some(&true)
    }

    /// Marks a part. Returns `true` if it was not marked.
    pub(super) fn mark(&mut self, place: PartIndex) -> bool {
        let flag = match place {
            PartIndex::Block(block) => self.blocks.get_mut(block),
            PartIndex::Entity(entity) => self.entities.get_mut(entity),
            PartIndex::Object(object) => self.objects.get_mut(object),
        };
        flag.is_some_and(|flag| !std::mem::replace(flag, true))
    }
}

impl Document {
    /// Deletes parts, groups with their contents, and numbers the others.
    ///
    /// # Errors
    /// For the root, and for the level of a resolved map.
    pub fn delete_parts(&mut self, parts: &[PartIndex]) -> Result<Deleted, EditError> {
        let tree = Tree::new(self);
        let mut deleted_parts = DeletionSet::none(self);
        let mut deleted = Deleted::default();
        let mut open = parts.to_vec();
        let mut from = 0_usize;
        while let Some(place) = open.get(from).copied() {
            from = from.saturating_add(1);
            if tree.order.first().is_some_and(|root| place == PartIndex::Object(*root)) {
                return Err(EditError::Required { what: "the root", why: "it contains the whole map" });
            }
            if !deleted_parts.mark(place) {
                continue;
            }
            let count = match place {
                PartIndex::Block(_) => &mut deleted.blocks,
                PartIndex::Entity(_) => &mut deleted.entities,
                PartIndex::Object(object) => {
                    open.extend(tree.members.get(object).into_iter().flatten());
                    if !self.is_group(object) {
                        continue;
                    }
                    &mut deleted.groups
                }
            };
            *count = count.saturating_add(1);
            // The object that only positions a block or entity is deleted with it.
            if let Some(holder) = tree.holder(place)
                && !matches!(place, PartIndex::Object(_))
                && !self.is_group(holder)
            {
                deleted_parts.mark(PartIndex::Object(holder));
            }
        }
        let is_level =
            |(entity, flag): (&crate::Part<crate::Entity>, &bool)| *flag && entity.member_kind() == MemberKind::Level;
        if self.dialect == Dialect::Resolved && self.entities.iter().zip(&deleted_parts.entities).any(is_level) {
            return Err(EditError::Required { what: "the level", why: "it contains the blocks of a resolved map" });
        }
        self.remove(&deleted_parts);
        Ok(deleted)
    }

    /// Removes parts from the lists, and numbers the others.
    pub(super) fn remove(&mut self, deleted_parts: &DeletionSet) {
        let places = PartNumbers::new(self);
        for object in &mut self.objects {
            let goes = |member: &crate::Member| places.find(*member).is_some_and(|place| deleted_parts.get(place));
            if object.members.iter().any(goes) {
                object.members.retain(|member| !goes(member));
            }
        }
        let paths = self.path_numbers();
        fn keep<T>(list: &mut Vec<T>, deleted_parts: &[bool]) {
            let mut goes = deleted_parts.iter();
            list.retain(|_| goes.next() != Some(&true));
        }
        keep(&mut self.blocks, &deleted_parts.blocks);
        keep(&mut self.entities, &deleted_parts.entities);
        keep(&mut self.objects, &deleted_parts.objects);
        self.refer_to_paths(&paths);
        self.renumber();
    }

    /// Returns the numbers of the paths, in the order in which models of a resolved map count them.
    pub(super) fn path_numbers(&self) -> Vec<u32> {
        let paths = self.entities.iter().filter(|entity| matches!(entity.kind, EntityKind::Path(_)));
        paths.map(|path| path.number).collect()
    }

    /// Updates references from models of a resolved map to paths, whose index may have changed.
    pub(super) fn refer_to_paths(&mut self, old: &[u32]) {
        if self.dialect != Dialect::Resolved {
            return;
        }
        let mut new = HashMap::new();
        for (number, place) in self.path_numbers().into_iter().zip(1_usize..) {
            new.entry(number).or_insert(place);
        }
        let renamed = |name: &Name| -> Option<Name> {
            let place: usize = std::str::from_utf8(name.as_bytes()).ok()?.parse().ok()?;
            let number = old.get(place.checked_sub(1)?)?;
            // The number of a deleted path becomes 0, which means none.
            let place = new.get(number).copied().unwrap_or_default();
            Some(place.to_string().as_str().into()).filter(|new| new != name)
        };
        for entity in &mut self.entities {
            let EntityKind::Model(model) = &entity.kind else { continue };
            let Some(new) = model.tail.first().and_then(renamed) else { continue };
            if let EntityKind::Model(model) = &mut entity.kind
                && let Some(path) = model.tail.first_mut()
            {
                *path = new;
            }
        }
    }
}
