//! Assigns numbers and identities to new elements.

use std::collections::HashSet;

use mapwright_dmx::{Guid, Value};
use mapwright_io::{Input, Output};

use crate::{Document, NodeId};

/// Assigns numbers and identities that are not in use.
#[derive(Debug)]
pub(super) struct Ids {
    random: u64,
    taken: Option<Taken>,
}

/// Numbers and identities in use. Collected at the first use.
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
            let half = Input::new(&root.0).u64_le().unwrap_or_default();
            half.wrapping_add(graph.elements.len() as u64)
        });
        Self { random, taken: None }
    }

    /// Returns the next number of the splitmix64 sequence.
    fn next(&mut self) -> u64 {
        self.random = self.random.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut number = self.random;
        number = (number ^ number >> 30).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        number = (number ^ number >> 27).wrapping_mul(0x94D0_49BB_1331_11EB);
        number ^ number >> 31
    }

    /// Collects the numbers and identities of the map once. Later elements must get theirs from here.
    pub(super) fn taken_ids(&mut self, map: &Document) -> &mut Taken {
        self.taken.get_or_insert_with(|| Taken::new(map))
    }

    /// Returns a free number: one more than the highest, as Hammer never uses a number again.
    pub(super) fn new_number(&mut self, map: &Document) -> i32 {
        let taken = self.taken_ids(map);
        // After the highest possible number, use gaps that other programs left. A map has fewer elements than there are numbers.
        let number = match taken.highest.checked_add(1) {
            Some(number) => number,
            None => (2..i32::MAX).find(|number| !taken.numbers.contains(number)).unwrap_or(i32::MAX),
        };
        taken.highest = taken.highest.max(number);
        taken.numbers.insert(number);
        number
    }

    /// Reserves the number of a node of another map. Returns a free one if it is taken.
    pub(super) fn claim_number(&mut self, map: &Document, number: i32) -> i32 {
        let taken = self.taken_ids(map);
        if !taken.numbers.insert(number) {
            return self.new_number(map);
        }
        taken.highest = taken.highest.max(number);
        number
    }

    /// Frees the number and the reference id of a node.
    pub(super) fn release(&mut self, map: &Document, number: Option<i32>, reference: Option<u64>) {
        let taken = self.taken_ids(map);
        number.map(|number| taken.numbers.remove(&number));
        reference.map(|reference| taken.references.remove(&reference));
    }

    /// Reserves the reference id of a node of another map; `None` if it is taken.
    pub(super) fn claim_reference(&mut self, map: &Document, reference: u64) -> Option<u64> {
        self.taken_ids(map).references.insert(reference).then_some(reference)
    }

    /// Reserves the identity of an element of another map. Returns a free one if it is taken.
    pub(super) fn claim_guid(&mut self, map: &Document, guid: Option<Guid>) -> Guid {
        match guid {
            Some(guid) if self.taken_ids(map).guids.insert(guid) => guid,
            _ => self.new_guid(map),
        }
    }

    /// Returns a new random reference id.
    pub(super) fn new_reference(&mut self, map: &Document) -> u64 {
        loop {
            let reference = self.next();
            if reference != 0 && self.taken_ids(map).references.insert(reference) {
                return reference;
            }
        }
    }

    /// Returns a new random identity of version 4.
    pub(super) fn new_guid(&mut self, map: &Document) -> Guid {
        self.taken_ids(map);
        self.next_guid()
    }

    /// Returns a new identity without access to the map. [`taken_ids`](Self::taken_ids) must have been called.
    pub(super) fn next_guid(&mut self) -> Guid {
        loop {
            let mut random = Output::with_capacity(16);
            random.u64_le(self.next());
            random.u64_le(self.next());
            let mut guid = [0; 16];
            guid.copy_from_slice(random.as_bytes());
            // Set version and variant at their positions in binary files.
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
    fn new(map: &Document) -> Self {
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
