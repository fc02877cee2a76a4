//! Encodings of values by generation of Erlang.

use std::fmt::Write as _;

use crate::scalar::trim_high_zeros;
use crate::survey::Survey;
use crate::{Descendants, Tag, Term, Value, encode};

/// Generation of Erlang whose `term_to_binary` output is reproduced. The output also depends on the platform.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum WriterProfile {
    /// OTP up to 16: text floats with 21 digits, Latin-1 atoms.
    Otp16,
    /// OTP up to 16 on Windows with an old C library: text floats with 17 digits and three-digit exponents.
    Otp16Win3,
    /// OTP up to 16 on Windows with a newer C library: text floats with 17 digits and two-digit exponents.
    Otp16Win2,
    /// OTP 17 to 25: binary floats, Latin-1 atoms.
    Otp17,
    /// OTP 26 and later: binary floats, UTF-8 atoms.
    Otp26,
}

impl WriterProfile {
    /// Every profile, oldest first.
    pub const ALL: [Self; 5] = [Self::Otp16, Self::Otp16Win3, Self::Otp16Win2, Self::Otp17, Self::Otp26];

    /// Order of preference if several profiles match. Most readers understand binary floats and Latin-1 atoms, and text
    /// floats rarely come from Windows.
    const PREFERRED: [Self; 5] = [Self::Otp17, Self::Otp26, Self::Otp16, Self::Otp16Win3, Self::Otp16Win2];

    /// Returns the name, for example `otp17`.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Otp16 => "otp16",
            Self::Otp16Win3 => "otp16win3",
            Self::Otp16Win2 => "otp16win2",
            Self::Otp17 => "otp17",
            Self::Otp26 => "otp26",
        }
    }

    /// Returns the profile under which [`Builder::recode`](crate::Builder::recode) reproduces the term byte for byte, `None`
    /// if there is none.
    ///
    /// A term may match several profiles; a term without floats and atoms matches all. The result is then the first of
    /// `otp17`, `otp26`, `otp16`, `otp16win3`, `otp16win2`.
    pub fn detect(term: Term<'_>) -> Option<Self> {
        let (best, deviations) = Self::nearest(term);
        (deviations == 0).then_some(best)
    }

    /// Returns the profile for new terms inside this one: the profile that encodes the fewest of its terms differently.
    pub fn for_term(term: Term<'_>) -> Self {
        Self::nearest(term).0
    }

    /// Returns the nearest profile and the number of terms that it encodes differently. The result for a root is cached.
    pub(crate) fn nearest(term: Term<'_>) -> (Self, u64) {
        match term.whole_tree() {
            Some(tree) => tree.survey().profile_counts.find_nearest(),
            None => Survey::from_root(term).profile_counts.find_nearest(),
        }
    }

    /// Returns the first term, in file order, that the profile encodes differently.
    pub fn first_deviation(self, term: Term<'_>) -> Option<Term<'_>> {
        let mut copied = CopiedTerms::default();
        let mut terms = term.descendants();
        loop {
            self.skip_own_terms(&mut terms);
            let term = terms.next()?;
            if !copied.contains(term) && !ProfileSet::for_term(term).contains(self) {
                return Some(term);
            }
        }
    }

    /// Skips the most frequent terms of real files as long as they have the encoding of this profile.
    fn skip_own_terms(self, terms: &mut Descendants<'_>) {
        let (has_binary_floats, has_latin1_atoms) = (!self.has_text_floats(), self != Self::Otp26);
        let start = terms.remaining_bytes();
        let (mut rest, mut spans) = (start, 0_u32);
        loop {
            rest = match *rest {
                [97, _, ref rest @ ..] | [106, ref rest @ ..] => rest,
                // Not 0..=255.
                [98, a, b, c, _, ref rest @ ..] if a | b | c != 0 => rest,
                [104, arity, ref rest @ ..] if arity > 0 => {
                    spans = spans.saturating_add(1);
                    rest
                }
                [100, high, low, ref rest @ ..] if has_latin1_atoms => {
                    rest.get(u16::from_be_bytes([high, low]).into()..).unwrap_or_default()
                }
                // The exponent of floats that are not finite is all ones.
                [70, a, b, _, _, _, _, _, _, ref rest @ ..] if has_binary_floats && (a << 1, b >> 4) != (0xFE, 0xF) => {
                    rest
                }
                _ => break,
            };
        }
        terms.skip_terms(start.len().saturating_sub(rest.len()), spans);
    }

    /// Returns `true` if the profile writes floats as text.
    pub const fn has_text_floats(self) -> bool {
        matches!(self, Self::Otp16 | Self::Otp16Win3 | Self::Otp16Win2)
    }

    /// Returns the text of tag 99 without the NULs. `None` if the profile writes binary floats.
    pub(crate) fn float_text(self, value: f64) -> Option<String> {
        let (digits, padding, exponent_digits) = match self {
            Self::Otp16 => (20, "", 2),
            Self::Otp16Win3 => (16, "0000", 3),
            Self::Otp16Win2 => (16, "0000", 2),
            Self::Otp17 | Self::Otp26 => return None,
        };
        // C's printf always writes the sign of the exponent, and a minimum number of digits.
        let mut text = format!("{value:.digits$e}");
        let exponent = text.split_once('e').map_or(String::new(), |(_, exponent)| exponent.to_owned());
        let (sign, exponent) = exponent.strip_prefix('-').map_or(('+', &*exponent), |exponent| ('-', exponent));
        text.truncate(text.find('e').unwrap_or(text.len()));
        let _ = write!(text, "{padding}e{sign}{exponent:0>exponent_digits$}");
        Some(text)
    }
}

/// Number of terms for each set of matching profiles.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct ProfileCounts([u64; 1 << WriterProfile::ALL.len()]);

impl ProfileCounts {
    #[inline]
    pub(crate) fn count(&mut self, profiles: ProfileSet, terms: u64) {
        if let Some(count) = self.0.get_mut(usize::from(profiles.0)) {
            *count = count.saturating_add(terms);
        }
    }

    /// Returns the profile that encodes the fewest terms differently, and the number of those terms.
    fn find_nearest(&self) -> (WriterProfile, u64) {
        let deviating = |profile| {
            let counts = (0..).map(ProfileSet).zip(self.0);
            counts.filter(|(profiles, _)| !profiles.contains(profile)).map(|(_, count)| count).sum()
        };
        // `min_by_key` returns the first of several minima.
        let best = WriterProfile::PREFERRED.into_iter().map(|profile| (profile, deviating(profile)));
        best.min_by_key(|&(_, count)| count).unwrap_or((WriterProfile::Otp17, 0))
    }
}

/// Detects terms whose encoding does not depend on the profile, in a walk in file order: the terms inside a fun are copied
/// with it.
#[derive(Default)]
pub(crate) struct CopiedTerms {
    /// End of the last fun.
    end: usize,
}

impl CopiedTerms {
    #[inline]
    pub(crate) fn contains(&mut self, term: Term<'_>) -> bool {
        if (term.location().0 as usize) < self.end {
            return true;
        }
        if term.tag() == Tag::NEW_FUN {
            self.end = term.range().end;
        }
        false
    }

    /// Returns `true` if the next term is inside a fun.
    pub(crate) fn contains_next(&self, terms: &Descendants<'_>) -> bool {
        terms.offset() < self.end
    }
}

/// Set of profiles that encode one term, apart from its children, in the bytes that it has.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct ProfileSet(u8);

impl ProfileSet {
    pub(crate) const NONE: Self = Self(0);
    pub(crate) const ALL: Self = Self(0b11111);
    const BINARY_FLOATS: Self = Self(1 << WriterProfile::Otp17 as u8 | 1 << WriterProfile::Otp26 as u8);
    pub(crate) const LATIN1_ATOMS: Self = Self(Self::ALL.0 ^ 1 << WriterProfile::Otp26 as u8);
    /// Short ASCII atoms with the tag for UTF-8.
    pub(crate) const UTF8_ATOMS: Self = Self(1 << WriterProfile::Otp26 as u8);

    #[inline]
    pub(crate) fn for_term(term: Term<'_>) -> Self {
        Self::for_leaf(term).unwrap_or_else(|| Self::for_other(term))
    }

    /// Returns the set for the most frequent leaves of real files, quickly.
    #[inline]
    pub(crate) fn for_leaf(term: Term<'_>) -> Option<Self> {
        Some(match term.tag() {
            Tag::SMALL_INTEGER | Tag::NIL | Tag::BINARY => Self::ALL,
            Tag::INTEGER => Self::all_if(term.as_i64().is_some_and(|value| !(0..=255).contains(&value))),
            Tag::NEW_FLOAT if term.as_f64().is_some_and(f64::is_finite) => Self::BINARY_FLOATS,
            // The reader accepted the atom, so it is not too long.
            Tag::ATOM => Self::LATIN1_ATOMS,
            _ => return None,
        })
    }

    fn for_other(term: Term<'_>) -> Self {
        match term.tag() {
            Tag::SMALL_TUPLE | Tag::MAP => Self::ALL,
            Tag::LARGE_TUPLE => Self::all_if(term.children().len() > 255),
            Tag::STRING => Self::all_if(term.as_bytes().len() > 3),
            Tag::LIST => Self::all_if(is_plain_list(term)),
            Tag::FLOAT => Self::for_text_float(term),
            _ => match term.value() {
                Value::Integer(value) => Self::all_if(is_encoded_by(term, |out| {
                    encode::write_integer(out, value.negative, &value.magnitude());
                })),
                Value::Float(value) if value.is_finite() => {
                    Self::filter(|profile| is_encoded_by(term, |out| encode::write_float(out, profile, value)))
                }
                Value::Bits { last: 0 | 8.., .. } | Value::Float(_) => Self::NONE,
                Value::Atom(atom) => {
                    let name = atom.name();
                    Self::filter(|profile| is_encoded_by(term, |out| encode::write_atom(out, profile, &name)))
                }
                Value::Bits { bytes, last } => {
                    Self::all_if(is_encoded_by(term, |out| encode::write_bits(out, bytes, last)))
                }
                Value::Export(export) => {
                    Self::filter(|profile| is_encoded_by(term, |out| encode::write_export(out, profile, export)))
                }
                // A binary with the tag of a bit string.
                Value::Binary(_) => Self::NONE,
                // Copied unchanged.
                _ => Self::ALL,
            },
        }
    }

    fn for_text_float(term: Term<'_>) -> Self {
        let text = trim_high_zeros(term.as_bytes().get(1..).unwrap_or_default());
        let Some(value) = term.as_f64().filter(|value| value.is_finite()) else { return Self::NONE };
        // Only the two Windows profiles pad their digits with zeros.
        let padded = text.windows(5).any(|part| part == b"0000e");
        Self::filter(|profile| {
            (padded || profile == WriterProfile::Otp16)
                && profile.float_text(value).is_some_and(|expected| expected.as_bytes() == text)
        })
    }

    fn filter(fits: impl Fn(WriterProfile) -> bool) -> Self {
        Self(
            WriterProfile::ALL
                .into_iter()
                .filter(|&profile| fits(profile))
                .fold(0, |all, profile| all | 1 << profile as u8),
        )
    }

    pub(crate) fn and(self, other: Self) -> Self {
        Self(self.0 & other.0)
    }

    fn all_if(fits: bool) -> Self {
        if fits { Self::ALL } else { Self::NONE }
    }

    pub(crate) fn contains(self, profile: WriterProfile) -> bool {
        self.0 & 1 << profile as u8 != 0
    }
}

/// Returns `true` if `write` writes the bytes of the term.
fn is_encoded_by(term: Term<'_>, write: impl FnOnce(&mut Vec<u8>)) -> bool {
    let mut out = Vec::new();
    write(&mut out);
    out == term.as_bytes()
}

/// Returns `true` if a writer encodes the elements as this LIST. A writer uses a STRING if all of them are bytes, joins a
/// tail that is a list, and writes only the tail if there are no elements.
fn is_plain_list(list: Term<'_>) -> bool {
    let mut children = list.children();
    let count = children.len().saturating_sub(1);
    if count == 0 {
        return false;
    }
    let only_bytes = children.by_ref().take(count).all(|element| element.tag() == Tag::SMALL_INTEGER);
    match children.last().map(Term::tag) {
        Some(Tag::LIST | Tag::STRING) => false,
        Some(Tag::NIL) => !only_bytes || count > usize::from(u16::MAX),
        _ => true,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn profiles(profiles: ProfileSet) -> Vec<WriterProfile> {
        WriterProfile::ALL.into_iter().filter(|&profile| profiles.contains(profile)).collect()
    }

    /// Source: "What `term_to_binary` writes".
    #[test]
    fn floats_and_atoms_are_written_by_the_published_profiles() {
        use WriterProfile::{Otp16, Otp16Win2, Otp16Win3, Otp17, Otp26};
        assert_eq!(profiles(ProfileSet::BINARY_FLOATS), [Otp17, Otp26]);
        assert_eq!(profiles(ProfileSet::LATIN1_ATOMS), [Otp16, Otp16Win3, Otp16Win2, Otp17]);
        assert_eq!(profiles(ProfileSet::ALL), WriterProfile::ALL);
        assert_eq!(profiles(ProfileSet::NONE), []);
    }

    /// Source: "Text floats (tag 99)", examples of the three profiles.
    #[test]
    fn text_floats_have_the_published_forms() {
        let published = [
            (WriterProfile::Otp16, Some("8.13333333333333352577e-01")),
            (WriterProfile::Otp16Win3, Some("8.13333333333333350000e-001")),
            (WriterProfile::Otp16Win2, Some("8.13333333333333350000e-01")),
            (WriterProfile::Otp17, None),
            (WriterProfile::Otp26, None),
        ];
        for (profile, text) in published {
            assert_eq!(profile.float_text(0.813_333_333_333_333_4).as_deref(), text, "{profile:?}");
        }
    }
}
