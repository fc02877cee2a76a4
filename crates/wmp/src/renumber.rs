//! Numbers of parts, and counts of the header.

use crate::tree::{PartIndex, Tree};
use crate::{Block, Counts, Document, Entity, Member, MemberKind, Object, Part};

/// A part that has a number.
trait Numbered {
    fn number(&self) -> u32;
    fn set_number(&mut self, number: u32);
}

macro_rules! numbered {
    ($($name:ident),*) => {$(
        impl Numbered for $name {
            fn number(&self) -> u32 {
                self.number
            }

            fn set_number(&mut self, number: u32) {
                self.number = number;
            }
        }
    )*};
}

numbered!(Block, Entity, Object);

impl Document {
    /// Numbers and sorts blocks, entities and objects as the editor does: from 0, in preorder. Members, the numbers at the end of
    /// blocks and the counts of the header follow.
    ///
    /// Members that do not exist, or that have another parent already, are removed, so cycles are broken. Parts without a parent
    /// come last and stay without one. Parts that already have their number and index are not touched.
    pub fn renumber(&mut self) {
        let tree = Tree::new(self);
        // Blocks and entities of an object come before those of its child objects: the level of the root is entity 0.
        let held = tree.order.iter().filter_map(|&object| tree.members.get(object)).flatten();
        let (mut blocks, mut entities) = (Vec::new(), Vec::new());
        for place in held {
            match *place {
                PartIndex::Block(block) => blocks.push(block),
                PartIndex::Entity(entity) => entities.push(entity),
                PartIndex::Object(_) => {}
            }
        }
        let unheld = |holders: &[Option<usize>]| -> Vec<usize> {
            let rows = holders.iter().enumerate();
            rows.filter(|(_, holder)| holder.is_none()).map(|(place, _)| place).collect()
        };
        blocks.extend(unheld(&tree.blocks));
        entities.extend(unheld(&tree.entities));
        let numbers = [numbers(&blocks), numbers(&entities), numbers(&tree.order)];
        self.renumber_members(&tree, &numbers);
        arrange(&mut self.blocks, &blocks);
        arrange(&mut self.entities, &entities);
        arrange(&mut self.objects, &tree.order);
        for block in &mut self.blocks {
            if block.index.is_some_and(|index| index != block.number) {
                block.index = Some(block.number);
            }
        }
        self.recount();
    }

    /// Updates the counts of the header, if it has any.
    pub(crate) fn recount(&mut self) {
        let count = |count: usize| u32::try_from(count).unwrap_or(u32::MAX);
        let counts = Counts {
            blocks: count(self.blocks.len()),
            entities: count(self.entities.len()),
            objects: count(self.objects.len()),
        };
        if self.header.counts.is_some_and(|stated| stated != counts) {
            self.header.counts = Some(counts);
        }
    }

    fn renumber_members(&mut self, tree: &Tree, [blocks, entities, objects]: &[Vec<u32>; 3]) {
        let kinds: Vec<MemberKind> = self.entities.iter().map(|entity| entity.member_kind()).collect();
        for (object, held) in self.objects.iter_mut().zip(&tree.members) {
            let member = |place: &PartIndex| {
                let (kind, number) = match *place {
                    PartIndex::Block(block) => (MemberKind::Block, blocks.get(block)),
                    PartIndex::Entity(entity) => (kinds.get(entity).copied()?, entities.get(entity)),
                    PartIndex::Object(object) => (MemberKind::Object, objects.get(object)),
                };
                Some(Member { kind, number: *number? })
            };
            if !held.iter().map(member).eq(object.members.iter().map(|member| Some(*member))) {
                object.members = held.iter().filter_map(member).collect();
            }
        }
    }
}

/// Returns the new number of each index, given the indices in their new order.
fn numbers(order: &[usize]) -> Vec<u32> {
    let mut numbers = vec![0; order.len()];
    for (&place, new) in order.iter().zip(0..) {
        if let Some(number) = numbers.get_mut(place) {
            *number = new;
        }
    }
    numbers
}

/// Sorts and numbers parts.
fn arrange<T: Numbered>(parts: &mut Vec<Part<T>>, order: &[usize]) {
    if !order.is_sorted() {
        let mut old: Vec<Option<Part<T>>> = std::mem::take(parts).into_iter().map(Some).collect();
        parts.extend(order.iter().filter_map(|&place| old.get_mut(place)?.take()));
    }
    for (part, number) in parts.iter_mut().zip(0..) {
        // A mutable borrow would mark the part as changed.
        if part.number() != number {
            part.set_number(number);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Dialect, EntityKind, Light, Mesh};

    fn members(document: &mut Document, object: usize, members: &[(MemberKind, u32)]) {
        document.objects[object].members = members.iter().map(|&(kind, number)| Member { kind, number }).collect();
    }

    fn map(objects: u32, blocks: u32, entities: u32) -> Document {
        let mut document = Document::new(Dialect::A7);
        document.objects.extend((1..objects).map(|number| Part::new(Object::new(number))));
        document.blocks.extend((0..blocks).map(|number| Part::new(Block::new(number, Mesh::default()))));
        let light = || EntityKind::Light(Light::default());
        document.entities.extend((1..entities).map(|number| Part::new(Entity::new(number, light()))));
        document
    }

    fn all_members(document: &Document) -> Vec<Vec<(MemberKind, u32)>> {
        let members =
            |object: &Part<Object>| object.members.iter().map(|member| (member.kind, member.number)).collect();
        document.objects.iter().map(members).collect()
    }

    #[test]
    fn renumbering_keeps_ordered_maps() {
        use MemberKind::{Block, Level, Light, Object};
        let mut document = map(4, 1, 2);
        members(&mut document, 0, &[(Object, 1), (Level, 0)]);
        members(&mut document, 1, &[(Object, 2), (Object, 3)]);
        members(&mut document, 2, &[(Block, 0)]);
        members(&mut document, 3, &[(Light, 1)]);
        document.header.counts = Some(Counts { blocks: 1, entities: 2, objects: 4 });
        let before = document.clone();
        document.renumber();
        assert_eq!(document, before);
    }

    #[test]
    fn numbers_follow_the_tree() {
        use MemberKind::{Block, Level, Light, Object};
        let mut document = map(5, 3, 2);
        members(&mut document, 0, &[(Object, 4), (Object, 1), (Level, 0)]);
        members(&mut document, 4, &[(Object, 2), (Object, 3)]);
        members(&mut document, 1, &[(Block, 1)]);
        members(&mut document, 2, &[(Block, 2)]);
        // The kind of the entity counts, not that of the member.
        members(&mut document, 3, &[(Level, 1)]);
        document.objects[4].name = "group".into();
        document.blocks[2].flags.0 = 2;
        document.renumber();
        let expected = [
            vec![(Object, 1), (Object, 4), (Level, 0)],
            vec![(Object, 2), (Object, 3)],
            vec![(Block, 0)],
            vec![(Light, 1)],
            vec![(Block, 1)],
        ];
        assert_eq!(all_members(&document), expected);
        assert_eq!(document.objects[1].name, "group");
        assert_eq!(document.blocks[0].flags.0, 2);
        // Parts without a parent come last.
        let numbers: Vec<_> = document.blocks.iter().map(|block| (block.number, block.index)).collect();
        assert_eq!(numbers, [(0, Some(0)), (1, Some(1)), (2, Some(2))]);
        assert_eq!(document.header.counts, Some(Counts { blocks: 3, entities: 2, objects: 5 }));
    }

    #[test]
    fn members_that_break_the_tree_are_removed() {
        use MemberKind::{Block, Object};
        let mut document = map(6, 1, 1);
        members(&mut document, 0, &[(Object, 1), (Object, 0), (Object, 9), (Object, 1), (Block, 0)]);
        members(&mut document, 1, &[(Object, 0), (Block, 0)]);
        // Two objects that contain each other, one without a parent, and one that this contains.
        members(&mut document, 2, &[(Object, 3)]);
        members(&mut document, 3, &[(Object, 2)]);
        members(&mut document, 5, &[(Object, 4)]);
        document.renumber();
        let expected = [
            vec![(Object, 1), (Block, 0)],
            vec![],
            // 5 and 4.
            vec![(Object, 3)],
            vec![],
            // 2 and 3.
            vec![(Object, 5)],
            vec![],
        ];
        assert_eq!(all_members(&document), expected);
        let once = document.clone();
        document.renumber();
        assert_eq!(document, once);
    }

    #[test]
    fn deep_trees_do_not_recurse() {
        let mut document = map(100_000, 0, 1);
        for number in 1..100_000 {
            members(&mut document, number - 1, &[(MemberKind::Object, u32::try_from(number).unwrap())]);
        }
        document.objects.reverse();
        document.renumber();
        assert!(document.objects.iter().zip(0..).all(|(object, number)| object.number == number));
    }
}
