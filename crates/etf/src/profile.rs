//! Which generation of Erlang writes a term in which bytes.

use std::fmt::Write as _;

use crate::scalar::trim;
use crate::survey::Survey;
use crate::{Tag, Term, Value, encode};

/// Which Erlang's way of writing is followed: what `term_to_binary` gives differs between generations and platforms.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Profile {
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

impl Profile {
    /// Every profile, oldest first.
    pub const ALL: [Self; 5] = [Self::Otp16, Self::Otp16Win3, Self::Otp16Win2, Self::Otp17, Self::Otp26];

    /// Which one is taken when several fit: binary floats and Latin-1 atoms are what most readers understand, and text
    /// floats rarely come from Windows.
    const PREFERRED: [Self; 5] = [Self::Otp17, Self::Otp26, Self::Otp16, Self::Otp16Win3, Self::Otp16Win2];

    /// The name: `otp17`.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Otp16 => "otp16",
            Self::Otp16Win3 => "otp16win3",
            Self::Otp16Win2 => "otp16win2",
            Self::Otp17 => "otp17",
            Self::Otp26 => "otp26",
        }
    }

    /// The profile that writes exactly these bytes: [`Builder::recode`](crate::Builder::recode) under it copies the term
    /// byte for byte. `None` if no profile does.
    ///
    /// A term may fit several profiles, one without floats and atoms fits all: then the first of `otp17`, `otp26`,
    /// `otp16`, `otp16win3`, `otp16win2` is given.
    pub fn detect(term: Term<'_>) -> Option<Self> {
        let (best, deviations) = Self::nearest(term);
        (deviations == 0).then_some(best)
    }

    /// The profile for new terms that go into this one: the one that writes the fewest of its terms in other bytes.
    pub fn of(term: Term<'_>) -> Self {
        Self::nearest(term).0
    }

    /// The same, with how many terms it writes in other bytes. Of whole trees it is looked for once.
    pub(crate) fn nearest(term: Term<'_>) -> (Self, u64) {
        match term.whole() {
            Some(tree) => tree.survey().spellings.nearest(),
            None => Survey::of(term).spellings.nearest(),
        }
    }

    /// The first of the term and the terms in it that the profile writes in other bytes.
    pub fn first_deviation(self, term: Term<'_>) -> Option<Term<'_>> {
        let mut copied = Copied::default();
        term.descendants().find(|&term| !copied.has(term) && !Writers::of(term).contains(self))
    }

    /// Whether the profile writes floats as text.
    pub const fn has_text_floats(self) -> bool {
        matches!(self, Self::Otp16 | Self::Otp16Win3 | Self::Otp16Win2)
    }

    /// The text of tag 99, up to the NULs; `None` where the profile writes floats in binary.
    pub(crate) fn float_text(self, value: f64) -> Option<String> {
        let (digits, padding, exponent_digits) = match self {
            Self::Otp16 => (20, "", 2),
            Self::Otp16Win3 => (16, "0000", 3),
            Self::Otp16Win2 => (16, "0000", 2),
            Self::Otp17 | Self::Otp26 => return None,
        };
        // As C's printf: the exponent has its sign always and a number of digits at least.
        let mut text = format!("{value:.digits$e}");
        let exponent = text.split_once('e').map_or(String::new(), |(_, exponent)| exponent.to_owned());
        let (sign, exponent) = exponent.strip_prefix('-').map_or(('+', &*exponent), |exponent| ('-', exponent));
        text.truncate(text.find('e').unwrap_or(text.len()));
        let _ = write!(text, "{padding}e{sign}{exponent:0>exponent_digits$}");
        Some(text)
    }
}

/// How many terms are spelled as just these profiles spell them, for each set of profiles.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Spellings([u64; 1 << Profile::ALL.len()]);

impl Spellings {
    #[inline]
    pub(crate) fn count(&mut self, writers: Writers) {
        if let Some(count) = self.0.get_mut(usize::from(writers.0)) {
            *count = count.saturating_add(1);
        }
    }

    /// The profile that writes the fewest terms in other bytes, and how many they are.
    fn nearest(&self) -> (Profile, u64) {
        let deviating = |profile| {
            let spelled = (0..).map(Writers).zip(self.0);
            spelled.filter(|(writers, _)| !writers.contains(profile)).map(|(_, count)| count).sum()
        };
        // The first of several smallest.
        let best = Profile::PREFERRED.into_iter().map(|profile| (profile, deviating(profile)));
        best.min_by_key(|&(_, count)| count).unwrap_or((Profile::Otp17, 0))
    }
}

/// The terms that a profile has no say in, when all are gone through in the order of the bytes: what is in a fun is copied
/// with it.
#[derive(Default)]
pub(crate) struct Copied {
    /// Where the last fun ends.
    end: usize,
}

impl Copied {
    #[inline]
    pub(crate) fn has(&mut self, term: Term<'_>) -> bool {
        if (term.place().0 as usize) < self.end {
            return true;
        }
        if term.tag() == Tag::NEW_FUN {
            self.end = term.range().end;
        }
        false
    }
}

/// The profiles that spell one term as it is spelled, apart from the terms in it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Writers(u8);

impl Writers {
    pub(crate) const NONE: Self = Self(0);
    const ALL: Self = Self(0b11111);
    const BINARY_FLOATS: Self = Self(1 << Profile::Otp17 as u8 | 1 << Profile::Otp26 as u8);
    const LATIN1_ATOMS: Self = Self(Self::ALL.0 ^ 1 << Profile::Otp26 as u8);

    #[inline]
    pub(crate) fn of(term: Term<'_>) -> Self {
        Self::of_leaf(term).unwrap_or_else(|| Self::of_other(term))
    }

    /// The same for the leaves that fill real files, at little cost.
    #[inline]
    pub(crate) fn of_leaf(term: Term<'_>) -> Option<Self> {
        Some(match term.tag() {
            Tag::SMALL_INTEGER | Tag::NIL | Tag::BINARY => Self::ALL,
            Tag::INTEGER => Self::when(term.as_i64().is_some_and(|value| !(0..=255).contains(&value))),
            Tag::NEW_FLOAT if term.as_f64().is_some_and(f64::is_finite) => Self::BINARY_FLOATS,
            // Latin-1, and no longer than a profile would have it, or it had not been read.
            Tag::ATOM => Self::LATIN1_ATOMS,
            _ => return None,
        })
    }

    fn of_other(term: Term<'_>) -> Self {
        match term.tag() {
            Tag::SMALL_TUPLE | Tag::MAP => Self::ALL,
            Tag::LARGE_TUPLE => Self::when(term.children().len() > 255),
            Tag::STRING => Self::when(term.as_bytes().len() > 3),
            // One of no elements is its tail.
            Tag::LIST => Self::when(term.children().len() > 1 && is_plain_list(term)),
            Tag::FLOAT => Self::text_float(term),
            _ => match term.value() {
                Value::Integer(value) => {
                    Self::when(spells(term, |out| encode::integer(out, value.negative, &value.magnitude())))
                }
                Value::Float(value) if value.is_finite() => {
                    Self::all_that(|profile| spells(term, |out| encode::float(out, profile, value)))
                }
                Value::Bits { last: 0 | 8.., .. } | Value::Float(_) => Self::NONE,
                Value::Atom(atom) => {
                    let name = atom.name();
                    Self::all_that(|profile| spells(term, |out| encode::atom(out, profile, &name)))
                }
                Value::Bits { bytes, last } => Self::when(spells(term, |out| encode::bits(out, bytes, last))),
                Value::Export(export) => {
                    Self::all_that(|profile| spells(term, |out| encode::export(out, profile, export)))
                }
                // Spelled as a bit string.
                Value::Binary(_) => Self::NONE,
                // Copied as it is.
                _ => Self::ALL,
            },
        }
    }

    fn text_float(term: Term<'_>) -> Self {
        let text = trim(term.as_bytes().get(1..).unwrap_or_default());
        let Some(value) = term.as_f64().filter(|value| value.is_finite()) else { return Self::NONE };
        // Both Windows profiles pad their digits.
        let padded = text.windows(5).any(|part| part == b"0000e");
        Self::all_that(|profile| {
            (padded || profile == Profile::Otp16)
                && profile.float_text(value).is_some_and(|spelled| spelled.as_bytes() == text)
        })
    }

    fn all_that(fits: impl Fn(Profile) -> bool) -> Self {
        Self(Profile::ALL.into_iter().filter(|&profile| fits(profile)).fold(0, |all, profile| all | 1 << profile as u8))
    }

    pub(crate) fn and(self, other: Self) -> Self {
        Self(self.0 & other.0)
    }

    fn when(fits: bool) -> Self {
        if fits { Self::ALL } else { Self::NONE }
    }

    pub(crate) fn contains(self, profile: Profile) -> bool {
        self.0 & 1 << profile as u8 != 0
    }
}

/// Whether these are the bytes of the term.
fn spells(term: Term<'_>, write: impl FnOnce(&mut Vec<u8>)) -> bool {
    let mut out = Vec::new();
    write(&mut out);
    out == term.as_bytes()
}

/// Whether the elements of a LIST must stand in one: in a STRING if all are bytes, in the same LIST if its tail is one.
fn is_plain_list(list: Term<'_>) -> bool {
    let mut children = list.children();
    let count = children.len().saturating_sub(1);
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

    fn profiles(writers: Writers) -> Vec<Profile> {
        Profile::ALL.into_iter().filter(|&profile| writers.contains(profile)).collect()
    }

    /// Source: "What `term_to_binary` writes".
    #[test]
    fn floats_and_atoms_are_written_by_the_published_profiles() {
        use Profile::{Otp16, Otp16Win2, Otp16Win3, Otp17, Otp26};
        assert_eq!(profiles(Writers::BINARY_FLOATS), [Otp17, Otp26]);
        assert_eq!(profiles(Writers::LATIN1_ATOMS), [Otp16, Otp16Win3, Otp16Win2, Otp17]);
        assert_eq!(profiles(Writers::ALL), Profile::ALL);
        assert_eq!(profiles(Writers::NONE), []);
    }

    /// Source: "Text floats (tag 99)", examples of the three profiles.
    #[test]
    fn text_floats_have_the_published_forms() {
        let published = [
            (Profile::Otp16, Some("8.13333333333333352577e-01")),
            (Profile::Otp16Win3, Some("8.13333333333333350000e-001")),
            (Profile::Otp16Win2, Some("8.13333333333333350000e-01")),
            (Profile::Otp17, None),
            (Profile::Otp26, None),
        ];
        for (profile, text) in published {
            assert_eq!(profile.float_text(0.813_333_333_333_333_4).as_deref(), text, "{profile:?}");
        }
    }
}
