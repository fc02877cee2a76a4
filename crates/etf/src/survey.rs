//! What one walk over all terms of a tree finds, for all who ask.

use crate::profile::{Copied, Spellings, Writers};
use crate::{Mode, Tag, Term, check};

/// What a walk over all terms finds.
#[derive(Debug, Clone, Default)]
pub(crate) struct Survey {
    /// Terms, all that stand in others included.
    pub(crate) terms: usize,
    /// Who spells those that a profile has a say in.
    pub(crate) spellings: Spellings,
    pub(crate) oddities: Oddities,
}

impl Survey {
    pub(crate) fn of(root: Term<'_>) -> Self {
        let (mut survey, mut copied) = (Self::default(), Copied::default());
        for term in root.descendants() {
            survey.terms = survey.terms.saturating_add(1);
            let writers = Writers::of(term);
            if !copied.has(term) {
                survey.spellings.count(writers);
            }
            survey.oddities.term(term, writers);
        }
        survey
    }
}

/// Places of one sort of oddity.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Places {
    pub(crate) count: u64,
    /// As [`Term::place`] gives it.
    pub(crate) first: Option<(u32, u32)>,
}

impl Places {
    #[inline]
    pub(crate) fn count(&mut self, term: Term<'_>) {
        self.count = self.count.saturating_add(1);
        self.first.get_or_insert(term.place());
    }
}

/// What is odd about terms by themselves.
#[derive(Debug, Clone, Default)]
pub(crate) struct Oddities {
    pub(crate) text_floats: Places,
    pub(crate) binary_floats: Places,
    /// Text floats that no profile writes.
    pub(crate) odd_floats: Places,
    /// Text floats that the first profile of `text_profiles` does not write.
    pub(crate) other_floats: Places,
    pub(crate) text_profiles: Option<Writers>,
    /// Atoms with a Latin-1 character above 126.
    pub(crate) latin1: Places,
    /// Whether there is a map that could repeat a key.
    pub(crate) has_keys: bool,
    /// What Erlang refuses: code, message and places.
    pub(crate) refused: Vec<(&'static str, String, Places)>,
}

impl Oddities {
    #[inline]
    fn term(&mut self, term: Term<'_>, writers: Writers) {
        // Most terms of real files, of which nothing can be odd here.
        match term.tag() {
            Tag::SMALL_INTEGER | Tag::INTEGER | Tag::NIL | Tag::BINARY | Tag::SMALL_TUPLE | Tag::LIST => {}
            Tag::ATOM if matches!(term.as_bytes(), [_, 0, _, name @ ..] if is_plain(name)) => {}
            _ => self.look_at(term, writers),
        }
    }

    fn look_at(&mut self, term: Term<'_>, writers: Writers) {
        let refused = check::leaf(term.as_bytes(), Mode::Strict);
        match term.tag() {
            Tag::NEW_FLOAT => self.binary_floats.count(term),
            Tag::FLOAT => {
                self.text_floats.count(term);
                if refused.is_ok() {
                    self.text_float(term, writers);
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
        if let Err(kind) = refused {
            let code = kind.code();
            match self.refused.iter_mut().find(|(known, ..)| *known == code) {
                Some((.., places)) => places.count(term),
                None => self.refused.push((code, kind.to_string(), Places { count: 1, first: Some(term.place()) })),
            }
        }
    }

    fn text_float(&mut self, term: Term<'_>, writers: Writers) {
        if writers == Writers::NONE {
            return self.odd_floats.count(term);
        }
        let common = self.text_profiles.map_or(writers, |profiles| profiles.and(writers));
        if common == Writers::NONE {
            self.other_floats.count(term);
        } else {
            self.text_profiles = Some(common);
        }
    }
}

/// Whether Latin-1 is read alike by programs that expect UTF-8.
fn is_plain(name: &[u8]) -> bool {
    name.iter().all(|&byte| byte <= 126)
}
