//! Values that parts of a map share: most faces have the texture and the mapping of an earlier face, most models the skills of an
//! earlier model.

use std::sync::Arc;

use mapwright_io::FormattedNumber;

use crate::Name;

/// A cache of recently read values. Each value has one slot, which later values overwrite. A hit saves memory, a miss costs a
/// copy.
#[derive(Debug)]
pub(crate) struct Shared {
    /// Empty before the first name: the list is by far the longest, and a part that is read alone often has no name.
    names: Vec<Name>,
    vectors: Vec<Option<Arc<[[f64; 4]; 2]>>>,
    mappings: Vec<Option<Arc<[f64; 5]>>>,
    skills: Vec<Option<Arc<Vec<FormattedNumber<f64>>>>>,
}

/// Numbers of slots, as powers of two.
const NAMES: u32 = 10;
const VECTORS: u32 = 8;
const MAPPINGS: u32 = 6;
const SKILLS: u32 = 4;

impl Shared {
    pub(crate) fn new() -> Self {
        Self {
            names: Vec::new(),
            vectors: vec![None; 1 << VECTORS],
            mappings: vec![None; 1 << MAPPINGS],
            skills: vec![None; 1 << SKILLS],
        }
    }

    /// Returns a name.
    #[inline]
    pub(crate) fn name(&mut self, text: &[u8]) -> Name {
        let (words, rest) = text.as_chunks::<8>();
        let mut last = [0; 8];
        last.iter_mut().zip(rest).for_each(|(to, from)| *to = *from);
        let words = words.iter().chain([&last]).map(|word| u64::from_ne_bytes(*word));
        let place = place(words, NAMES);
        let Some(recent) = self.names.get_mut(place) else { return self.first(place, text) };
        if recent.as_bytes() != text {
            *recent = text.into();
        }
        recent.clone()
    }

    /// Returns the first name, and allocates the list.
    #[cold]
    fn first(&mut self, place: usize, text: &[u8]) -> Name {
        self.names = vec![Name::NONE; 1 << NAMES];
        let name = Name::from(text);
        if let Some(recent) = self.names.get_mut(place) {
            recent.clone_from(&name);
        }
        name
    }

    /// Returns a name from text. `ndef` and an empty text give an empty name.
    #[inline]
    pub(crate) fn name_or_none(&mut self, text: &[u8]) -> Name {
        if matches!(text, b"" | b"ndef") { Name::NONE } else { self.name(text) }
    }

    /// Returns texture vectors.
    #[inline]
    pub(crate) fn vectors(&mut self, value: [[f64; 4]; 2]) -> Arc<[[f64; 4]; 2]> {
        let bits = |value: &[[f64; 4]; 2]| value.map(|vector| vector.map(f64::to_bits));
        let own = bits(&value);
        let place = self.vectors.get_mut(place(own.as_flattened().iter().copied(), VECTORS));
        recent(place, |recent| bits(recent) == own, || value)
    }

    /// Returns the mapping of a texture.
    #[inline]
    pub(crate) fn mapping(&mut self, value: [f64; 5]) -> Arc<[f64; 5]> {
        let own = value.map(f64::to_bits);
        let place = self.mappings.get_mut(place(own.iter().copied(), MAPPINGS));
        recent(place, |recent| recent.map(f64::to_bits) == own, || value)
    }

    /// Returns skills without formatting of their own.
    pub(crate) fn skills(&mut self, value: &[f64]) -> Arc<Vec<FormattedNumber<f64>>> {
        let same = |recent: &Vec<FormattedNumber<f64>>| {
            recent.len() == value.len() && recent.iter().zip(value).all(|(a, b)| a.get().to_bits() == b.to_bits())
        };
        let place = self.skills.get_mut(place(value.iter().map(|number| number.to_bits()), SKILLS));
        recent(place, same, || value.iter().map(|number| FormattedNumber::new(*number)).collect())
    }
}

/// Returns the value of a slot, replaced if it differs.
#[inline]
fn recent<T>(place: Option<&mut Option<Arc<T>>>, same: impl Fn(&T) -> bool, make: impl FnOnce() -> T) -> Arc<T> {
    if let Some(Some(recent)) = &place
        && same(recent)
    {
        return Arc::clone(recent);
    }
    let made = Arc::new(make());
    if let Some(place) = place {
        *place = Some(Arc::clone(&made));
    }
    made
}

/// Returns the slot of a value, from its bits.
#[inline]
fn place(words: impl Iterator<Item = u64>, places: u32) -> usize {
    let mixed = words.fold(0_u64, |mixed, word| (mixed.rotate_left(5) ^ word).wrapping_mul(0x9E37_79B9_7F4A_7C15));
    // The highest bits depend on all others.
    usize::try_from(mixed.wrapping_shr(u64::BITS.wrapping_sub(places))).unwrap_or(0)
}

/// Returns the memory that a shared value takes: 0 if it was in the cache.
pub(crate) fn cost<T>(value: &Arc<T>) -> usize {
    // An allocation has two reference counts before the value. New values are referenced by the part and the cache.
    if Arc::strong_count(value) > 2 { 0 } else { size_of::<T>().saturating_add(16) }
}
