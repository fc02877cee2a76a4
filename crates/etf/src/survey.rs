//! Results of one walk over all terms of a tree, shared by profile detection, validation and counting.

use crate::profile::{CopiedTerms, ProfileCounts, ProfileSet};
use crate::{Descendants, Mode, Tag, Term, check};

/// Results of a walk over all terms.
#[derive(Debug, Clone, Default)]
pub(crate) struct Survey {
    /// Number of terms, including nested ones.
    pub(crate) terms: usize,
    /// Counts of the terms whose encoding depends on the profile.
    pub(crate) profile_counts: ProfileCounts,
    pub(crate) anomalies: Anomalies,
}

impl Survey {
    pub(crate) fn from_root(root: Term<'_>) -> Self {
        let (mut survey, mut copied) = (Self::default(), CopiedTerms::default());
        let mut terms = root.descendants();
        loop {
            if !copied.contains_next(&terms) {
                survey.skip_usual_terms(&mut terms);
            }
            let Some(term) = terms.next() else { return survey };
            survey.terms = survey.terms.saturating_add(1);
            let profiles = ProfileSet::for_term(term);
            if !copied.contains(term) {
                survey.profile_counts.count(profiles, 1);
            }
            survey.anomalies.check_term(term, profiles);
        }
    }

    /// Counts the most frequent terms of real files, which have no anomaly, without a view of each.
    fn skip_usual_terms(&mut self, terms: &mut Descendants<'_>) {
        let start = terms.remaining_bytes();
        let (mut rest, mut spans) = (start, 0_u32);
        let (mut others, mut latin1_atoms, mut utf8_atoms) = (0_u64, 0_u64, 0_u64);
        loop {
            let (next, count) = match *rest {
                [97, _, ref rest @ ..] | [106, ref rest @ ..] => (rest, &mut others),
                // Not 0..=255.
                [98, a, b, c, _, ref rest @ ..] if a | b | c != 0 => (rest, &mut others),
                [104, arity, ref rest @ ..] if arity > 0 => {
                    spans = spans.saturating_add(1);
                    (rest, &mut others)
                }
                [109, a, b, c, d, ref rest @ ..] => {
                    let Some(rest) = rest.get(u32::from_be_bytes([a, b, c, d]) as usize..) else { break };
                    (rest, &mut others)
                }
                [100, 0, length, ref rest @ ..] => match rest.split_at_checked(length.into()) {
                    Some((name, rest)) if is_plain(name) => (rest, &mut latin1_atoms),
                    _ => break,
                },
                [119, length, ref rest @ ..] => match rest.split_at_checked(length.into()) {
                    Some((name, rest)) if name.is_ascii() => (rest, &mut utf8_atoms),
                    _ => break,
                },
                _ => break,
            };
            *count = count.saturating_add(1);
            rest = next;
        }
        let counts =
            [(ProfileSet::ALL, others), (ProfileSet::LATIN1_ATOMS, latin1_atoms), (ProfileSet::UTF8_ATOMS, utf8_atoms)];
        for (profiles, count) in counts {
            self.profile_counts.count(profiles, count);
            self.terms = self.terms.saturating_add(usize::try_from(count).unwrap_or(usize::MAX));
        }
        terms.skip_terms(start.len().saturating_sub(rest.len()), spans);
    }
}

/// Terms with one kind of anomaly.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Occurrences {
    pub(crate) count: u64,
    /// Location of the first term; see [`Term::location`].
    pub(crate) first: Option<(u32, u32)>,
}

impl Occurrences {
    #[inline]
    pub(crate) fn count(&mut self, term: Term<'_>) {
        self.count = self.count.saturating_add(1);
        self.first.get_or_insert(term.location());
    }
}

/// Anomalies of single terms.
#[derive(Debug, Clone, Default)]
pub(crate) struct Anomalies {
    pub(crate) text_floats: Occurrences,
    pub(crate) binary_floats: Occurrences,
    /// Text floats that match no profile.
    pub(crate) unmatched_floats: Occurrences,
    /// Text floats that match none of `text_profiles`.
    pub(crate) mixed_floats: Occurrences,
    /// Profiles that match all text floats except `unmatched_floats` and `mixed_floats`.
    pub(crate) text_profiles: Option<ProfileSet>,
    /// Atoms with a Latin-1 character above 126.
    pub(crate) latin1: Occurrences,
    /// `true` if a map has several keys.
    pub(crate) has_keys: bool,
    /// Terms that Erlang rejects: code, message and terms.
    pub(crate) rejected: Vec<(&'static str, String, Occurrences)>,
}

impl Anomalies {
    #[inline]
    fn check_term(&mut self, term: Term<'_>, profiles: ProfileSet) {
        // Fast path for most terms of real files, which have no anomaly.
        match term.tag() {
            Tag::SMALL_INTEGER | Tag::INTEGER | Tag::NIL | Tag::BINARY | Tag::SMALL_TUPLE | Tag::LIST => {}
            Tag::ATOM if matches!(term.as_bytes(), [_, 0, _, name @ ..] if is_plain(name)) => {}
            _ => self.inspect(term, profiles),
        }
    }

    fn inspect(&mut self, term: Term<'_>, profiles: ProfileSet) {
        let rejected = check::check_leaf(term.as_bytes(), Mode::Strict);
        match term.tag() {
            Tag::NEW_FLOAT => self.binary_floats.count(term),
            Tag::FLOAT => {
                self.text_floats.count(term);
                if rejected.is_ok() {
                    self.check_text_float(term, profiles);
                }
            }
            Tag::ATOM | Tag::SMALL_ATOM => {
                let name = term.as_atom().map_or(&[][..], |atom| atom.as_bytes());
                if !is_plain(name) {
                    self.latin1.count(term);
                }
            }
            Tag::MAP => self.has_keys |= term.children().len() > 2,
            _ => {}
        }
        if let Err(kind) = rejected {
            let code = kind.code();
            match self.rejected.iter_mut().find(|(known, ..)| *known == code) {
                Some((.., occurrences)) => occurrences.count(term),
                None => {
                    let first = Occurrences { count: 1, first: Some(term.location()) };
                    self.rejected.push((code, kind.to_string(), first));
                }
            }
        }
    }

    fn check_text_float(&mut self, term: Term<'_>, profiles: ProfileSet) {
        if profiles == ProfileSet::NONE {
            return self.unmatched_floats.count(term);
        }
        let common = self.text_profiles.map_or(profiles, |earlier| earlier.and(profiles));
        if common == ProfileSet::NONE {
            self.mixed_floats.count(term);
        } else {
            self.text_profiles = Some(common);
        }
    }
}

/// Returns `true` if a Latin-1 name is the same in UTF-8.
fn is_plain(name: &[u8]) -> bool {
    name.iter().all(|&byte| byte <= 126)
}
