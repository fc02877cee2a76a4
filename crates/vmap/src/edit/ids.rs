//! Numbers and identities of new elements.

use std::collections::HashSet;

use mapwright_dmx::{Guid, Value};

use crate::{Document, NodeId};

/// Gives out numbers and identities that a map does not have yet.
#[derive(Debug)]
pub(super) struct Ids {
    random: u64,
    taken: Option<Taken>,
}

/// What a map has. Found when it is first needed.
#[derive(Debug)]
pub(super) struct Taken {
    highest: i32,
    numbers: HashSet<i32>,
    references: HashSet<u64>,
    guids: HashSet<Guid>,
}

impl Ids {
    pub(super) fn new(map: &Document, seed: Option<u64>) -> Self {
        let random = seed.unwrap_or_else(|| {
            let graph = map.graph();
            let root = graph.root().and_then(mapwright_dmx::ElementRef::guid).unwrap_or_default();
            let [a, b, c, d, e, f, g, h, ..] = root.0;
            u64::from_le_bytes([a, b, c, d, e, f, g, h]).wrapping_add(graph.elements.len() as u64)
        });
        Self { random, taken: None }
    }

    /// The next number of the splitmix64 sequence.
    fn next(&mut self) -> u64 {
        self.random = self.random.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut number = self.random;
        number = (number ^ number >> 30).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        number = (number ^ number >> 27).wrapping_mul(0x94D0_49BB_1331_11EB);
        number ^ number >> 31
    }

    /// Looks at what the map has, once. The map's elements may only become more by what is given out here.
    pub(super) fn taken(&mut self, map: &Document) -> &mut Taken {
        self.taken.get_or_insert_with(|| Taken::of(map))
    }

    /// A number that no node has: one more than the highest, as Hammer never uses one again.
    pub(super) fn number(&mut self, map: &Document) -> i32 {
        let taken = self.taken(map);
        // Beyond the last number there are those that other programs skipped; a map has fewer elements than there are numbers.
        let number = match taken.highest.checked_add(1) {
            Some(number) => number,
            None => (2..i32::MAX).find(|number| !taken.numbers.contains(number)).unwrap_or(i32::MAX),
        };
        taken.highest = taken.highest.max(number);
        taken.numbers.insert(number);
        number
    }

    /// The number that a node of another map has, if no node has it here, or one that is free.
    pub(super) fn claim_number(&mut self, map: &Document, number: i32) -> i32 {
        let taken = self.taken(map);
        if !taken.numbers.insert(number) {
            return self.number(map);
        }
        taken.highest = taken.highest.max(number);
        number
    }

    /// Lets others have the number and the identity of a node.
    pub(super) fn release(&mut self, map: &Document, number: Option<i32>, reference: Option<u64>) {
        let taken = self.taken(map);
        number.map(|number| taken.numbers.remove(&number));
        reference.map(|reference| taken.references.remove(&reference));
    }

    /// The identity that a node of another map has, if no node has it here.
    pub(super) fn claim_reference(&mut self, map: &Document, reference: u64) -> Option<u64> {
        self.taken(map).references.insert(reference).then_some(reference)
    }

    /// The identity that an element of another map has, if no element has it here, or one that is free.
    pub(super) fn claim_guid(&mut self, map: &Document, guid: Option<Guid>) -> Guid {
        match guid {
            Some(guid) if self.taken(map).guids.insert(guid) => guid,
            _ => self.guid(map),
        }
    }

    /// A random identity that no node has.
    pub(super) fn reference(&mut self, map: &Document) -> u64 {
        loop {
            let reference = self.next();
            if reference != 0 && self.taken(map).references.insert(reference) {
                return reference;
            }
        }
    }

    /// A random identity, of version 4, that no element has.
    pub(super) fn guid(&mut self, map: &Document) -> Guid {
        self.taken(map);
        self.next_guid()
    }

    /// The same while the map is in use, which was looked at before.
    pub(super) fn next_guid(&mut self) -> Guid {
        loop {
            let [one, two] = [self.next(), self.next()].map(u64::to_le_bytes);
            let mut guid = [0; 16];
            guid.iter_mut().zip(one.into_iter().chain(two)).for_each(|(byte, random)| *byte = random);
            // Version and variant, where a binary file holds them.
            let [_, _, _, _, _, _, _, version, variant, ..] = &mut guid;
            *version = *version & 0x0F | 0x40;
            *variant = *variant & 0x3F | 0x80;
            if self.taken.as_mut().is_none_or(|taken| taken.guids.insert(Guid(guid))) {
                return Guid(guid);
            }
        }
    }
}

impl Taken {
    fn of(map: &Document) -> Self {
        let mut taken = Self {
            highest: NodeId::WORLD.0,
            numbers: HashSet::new(),
            references: HashSet::new(),
            guids: map.graph().elements.iter().filter_map(|element| element.id).collect(),
        };
        for element in map.graph().iter() {
            if let Some(number) = element.int("nodeID") {
                taken.highest = taken.highest.max(number);
                taken.numbers.insert(number);
            }
            if let Some(Value::UInt64(reference)) = element.get("referenceID") {
                taken.references.insert(*reference);
            }
        }
        taken
    }
}
