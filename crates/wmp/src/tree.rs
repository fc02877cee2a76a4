//! The tree of objects, by index.

use hashbrown::HashMap;

use crate::{Document, Member, MemberKind, Object, Part};

/// The index of a block, an entity or an object in the lists of the document.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum PartIndex {
    /// A block.
    Block(usize),
    /// An entity.
    Entity(usize),
    /// An object.
    Object(usize),
}

impl PartIndex {
    /// Returns the key of the node that the part becomes in a scene. Objects become nodes where they are groups.
    pub(crate) fn node_key(self) -> String {
        match self {
            Self::Block(at) => format!("block/{at}"),
            Self::Entity(at) => format!("entity/{at}"),
            Self::Object(at) => format!("object/{at}"),
        }
    }
}

/// Indices by number. If several parts have one number, the first counts.
pub(crate) struct PartNumbers {
    blocks: HashMap<u32, usize>,
    entities: HashMap<u32, usize>,
    objects: HashMap<u32, usize>,
}

impl PartNumbers {
    pub(crate) fn new(document: &Document) -> Self {
        fn places(numbers: impl DoubleEndedIterator<Item = u32> + ExactSizeIterator) -> HashMap<u32, usize> {
            // In reverse, so that the first of several replaces the others.
            numbers.enumerate().rev().map(|(place, number)| (number, place)).collect()
        }
        Self {
            blocks: places(document.blocks.iter().map(|block| block.number)),
            entities: places(document.entities.iter().map(|entity| entity.number)),
            objects: places(document.objects.iter().map(|object| object.number)),
        }
    }

    /// Returns the index of a member, if it exists.
    pub(crate) fn find(&self, member: Member) -> Option<PartIndex> {
        match member.kind {
            MemberKind::Object => self.objects.get(&member.number).copied().map(PartIndex::Object),
            MemberKind::Block => self.blocks.get(&member.number).copied().map(PartIndex::Block),
            _ => self.entities.get(&member.number).copied().map(PartIndex::Entity),
        }
    }

    /// Returns the root: object 0, or else the first object.
    pub(crate) fn root(&self, document: &Document) -> Option<usize> {
        self.objects.get(&0).copied().or((!document.objects.is_empty()).then_some(0))
    }
}

/// The tree of objects, in preorder.
///
/// Each part has one parent, the first object that refers to it. Other references to it, and references to missing parts, are
/// left out. After the root and its descendants come objects without a parent with their descendants, then cycles.
pub(crate) struct Tree {
    /// Objects in preorder.
    pub(crate) order: Vec<usize>,
    /// The members of each object.
    pub(crate) members: Vec<Vec<PartIndex>>,
    /// The parent of each object.
    pub(crate) parents: Vec<Option<usize>>,
    /// The object that contains each block.
    pub(crate) blocks: Vec<Option<usize>>,
    /// The object that contains each entity.
    pub(crate) entities: Vec<Option<usize>>,
    /// The number of objects in `order` that descend from the root, including itself.
    pub(crate) rooted: usize,
}

impl Tree {
    pub(crate) fn new(document: &Document) -> Self {
        let places = PartNumbers::new(document);
        let count = document.objects.len();
        let mut tree = Self {
            order: Vec::with_capacity(count),
            members: vec![Vec::new(); count],
            parents: vec![None; count],
            blocks: vec![None; document.blocks.len()],
            entities: vec![None; document.entities.len()],
            rooted: 0,
        };
        let mut met = vec![false; count];
        if let Some(root) = places.root(document) {
            tree.walk(root, &document.objects, &places, &mut met);
        }
        tree.rooted = tree.order.len();
        let mut held = vec![false; count];
        for member in document.objects.iter().flat_map(|object| &object.members) {
            if let Some(PartIndex::Object(object)) = places.find(*member) {
                held[object] = true;
            }
        }
        // Objects without a parent first. Only cycles are left then.
        let free = (0..count).filter(|&object| !held[object]);
        for object in free.chain(0..count) {
            if !met[object] {
                tree.walk(object, &document.objects, &places, &mut met);
            }
        }
        tree
    }

    fn walk(&mut self, from: usize, objects: &[Part<Object>], places: &PartNumbers, met: &mut [bool]) {
        let mut open = vec![from];
        met[from] = true;
        while let Some(place) = open.pop() {
            self.order.push(place);
            let first = open.len();
            let mut held = Vec::new();
            for member in &objects[place].members {
                let Some(found) = places.find(*member) else { continue };
                let holder = match found {
                    PartIndex::Block(block) => &mut self.blocks[block],
                    PartIndex::Entity(entity) => &mut self.entities[entity],
                    // An object belongs to the first that lists it.
                    PartIndex::Object(object) if met[object] => continue,
                    PartIndex::Object(object) => {
                        met[object] = true;
                        open.push(object);
                        &mut self.parents[object]
                    }
                };
                if holder.is_none() {
                    *holder = Some(place);
                    held.push(found);
                }
            }
            self.members[place] = held;
            // In reverse, because the stack returns the last first.
            open[first..].reverse();
        }
    }

    /// Returns the members of an object.
    pub(crate) fn members_of(&self, object: usize) -> &[PartIndex] {
        self.members.get(object).map_or(&[], Vec::as_slice)
    }

    /// Returns the object that contains a part.
    pub(crate) fn holder(&self, place: PartIndex) -> Option<usize> {
        match place {
            PartIndex::Block(block) => self.blocks.get(block).copied().flatten(),
            PartIndex::Entity(entity) => self.entities.get(entity).copied().flatten(),
            PartIndex::Object(object) => self.parents.get(object).copied().flatten(),
        }
    }

    /// Iterates over an object and its ancestors.
    pub(crate) fn chain(&self, object: usize) -> impl Iterator<Item = usize> {
        std::iter::successors(Some(object), |&object| self.holder(PartIndex::Object(object)))
    }
}
