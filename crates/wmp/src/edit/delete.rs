//! Blocks, entities and groups that go.

use hashbrown::HashMap;

use super::{EditError, Kind, PartIndex, Selection};
use crate::tree::{PartNumbers, Tree};
use crate::{Dialect, Document, EntityKind, Name};

/// What went.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Deleted {
    /// Blocks.
    pub blocks: usize,
    /// Entities.
    pub entities: usize,
    /// Groups; the places of blocks and entities go with them and are not counted.
    pub groups: usize,
}

/// Whether something of each list goes.
pub(super) struct Doomed {
    pub(super) blocks: Vec<bool>,
    pub(super) entities: Vec<bool>,
    pub(super) objects: Vec<bool>,
}

impl Doomed {
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

    /// Marks something; whether it was not yet.
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
    /// Deletes the items that a selection means, groups with all that they hold, and numbers what is left.
    ///
    /// # Errors
    /// If the selection means the root or is not one.
    pub fn delete(&mut self, selection: &Selection) -> Result<Deleted, EditError> {
        let found = self.find(selection)?;
        let tree = Tree::new(self);
        let mut doomed = Doomed::none(self);
        let mut deleted = Deleted::default();
        let mut open = found;
        let mut from = 0_usize;
        while let Some(place) = open.get(from).copied() {
            from = from.saturating_add(1);
            if place == PartIndex::Object(tree.order.first().copied().unwrap_or_default()) {
                return Err(EditError::Stays { what: "the root", why: "it holds the whole map" });
            }
            if !doomed.mark(place) {
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
            // The place of one block or entity goes with it.
            if let Some(holder) = tree.holder(place)
                && !matches!(place, PartIndex::Object(_))
                && !self.is_group(holder)
            {
                doomed.mark(PartIndex::Object(holder));
            }
        }
        if selection.kind == Kind::Level && self.dialect == Dialect::Resolved && deleted.entities > 0 {
            return Err(EditError::Stays { what: "the level", why: "it holds the blocks of a resolved map" });
        }
        self.remove(&doomed);
        Ok(deleted)
    }

    /// Takes parts out of the lists, and numbers what is left.
    pub(super) fn remove(&mut self, doomed: &Doomed) {
        let places = PartNumbers::new(self);
        for object in &mut self.objects {
            let goes = |member: &crate::Member| places.find(*member).is_some_and(|place| doomed.get(place));
            if object.members.iter().any(goes) {
                object.members.retain(|member| !goes(member));
            }
        }
        let paths = self.path_numbers();
        fn keep<T>(list: &mut Vec<T>, doomed: &[bool]) {
            let mut goes = doomed.iter();
            list.retain(|_| goes.next() != Some(&true));
        }
        keep(&mut self.blocks, &doomed.blocks);
        keep(&mut self.entities, &doomed.entities);
        keep(&mut self.objects, &doomed.objects);
        self.refer_to_paths(&paths);
        self.renumber();
    }

    /// The numbers of the paths, in the order in which models of a resolved map count them.
    pub(super) fn path_numbers(&self) -> Vec<u32> {
        let paths = self.entities.iter().filter(|entity| matches!(entity.kind, EntityKind::Path(_)));
        paths.map(|path| path.number).collect()
    }

    /// Lets models of a resolved map name by their new places the paths that had other places in the list.
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
