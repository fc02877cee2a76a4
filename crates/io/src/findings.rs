//! Collection of findings.

use std::cmp::Reverse;
use std::fmt;

use crate::{Finding, Severity};

/// A list of findings of bounded length: the first hundred of each code and severity are listed, the rest is counted.
///
/// ```
/// use mapwright_io::{Findings, Frame, Severity};
///
/// let mut findings = Findings::default();
/// for tile in 0..1000_usize {
///     // Only listed findings need a path.
///     if let Some(finding) = findings.add("tile-empty", Severity::Note, format_args!("tile {tile} is empty")) {
///         finding.path = [Frame::Field("tiles"), Frame::Index(tile)].into_iter().collect();
///     }
/// }
/// findings.add("no-name", Severity::Warning, "the map has no name");
///
/// let list = findings.finish();
/// assert_eq!(list.len(), 102);
/// assert_eq!(list[0].to_string(), "warning[no-name]: the map has no name");
/// assert_eq!(list[1].to_string(), "note[tile-empty]: tile 0 is empty in tiles[0]");
/// assert_eq!(list[101].to_string(), "note[tile-empty]: and 900 more of these");
/// ```
#[derive(Debug, Clone, Default)]
pub struct Findings {
    listed: Vec<Finding>,
    /// Each code and severity, with the number of its findings.
    counts: Vec<(&'static str, Severity, usize)>,
}

impl Findings {
    /// Maximum number of listed findings of one code and severity.
    pub const MAX_LISTED: usize = 100;

    /// Adds a finding about the whole document. Returns it if it is listed, so that the caller can set path and position. The message is
    /// formatted only then.
    pub fn add(&mut self, code: &'static str, severity: Severity, message: impl fmt::Display) -> Option<&mut Finding> {
        let known = self.counts.iter_mut().find(|(other, bad, _)| *other == code && *bad == severity);
        let earlier = match known {
            Some((.., count)) => {
                let earlier = *count;
                *count = count.saturating_add(1);
                earlier
            }
            None => {
                self.counts.push((code, severity, 1));
                0
            }
        };
        if earlier >= Self::MAX_LISTED {
            return None;
        }
        self.listed.push(Finding::new(code, severity, message.to_string()));
        self.listed.last_mut()
    }

    /// Returns all findings: the most severe first, otherwise in the order in which they were added. For each code with more findings than
    /// are listed, one finding after those of its severity states their number.
    pub fn finish(mut self) -> Vec<Finding> {
        for (code, severity, count) in self.counts {
            if let Some(more @ 1..) = count.checked_sub(Self::MAX_LISTED) {
                let finding = Finding::new(code, severity, format!("and {more} more of these"));
                self.listed.push(Finding { count: more, ..finding });
            }
        }
        self.listed.sort_by_key(|finding| Reverse(finding.severity));
        self.listed
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::cell::Cell;

    #[test]
    fn a_hundred_of_each_are_listed_and_the_most_severe_come_first() {
        let mut findings = Findings::default();
        for (code, severity, count) in [
            ("note", Severity::Note, Findings::MAX_LISTED),
            ("odd", Severity::Warning, Findings::MAX_LISTED + 1),
            ("bad", Severity::Error, 1),
            // The same code can have several severities.
            ("odd", Severity::Error, 2),
        ] {
            let listed = (0..count).filter(|number| findings.add(code, severity, number).is_some()).count();
            assert_eq!(listed, count.min(Findings::MAX_LISTED));
        }
        let list = findings.finish();
        assert_eq!(list.iter().map(|finding| finding.count).sum::<usize>(), Findings::MAX_LISTED * 2 + 4);
        let list: Vec<String> = list.iter().map(ToString::to_string).collect();
        assert_eq!(list[..3], ["error[bad]: 0", "error[odd]: 0", "error[odd]: 1"]);
        assert_eq!(list[3..5], ["warning[odd]: 0", "warning[odd]: 1"]);
        assert_eq!(list[103..105], ["warning[odd]: and 1 more of these", "note[note]: 0"]);
        assert_eq!((list.len(), &*list[203]), (204, "note[note]: 99"));
    }

    #[test]
    fn messages_that_are_not_listed_are_not_formatted() {
        struct Message(Cell<usize>);
        impl fmt::Display for Message {
            fn fmt(&self, _: &mut fmt::Formatter<'_>) -> fmt::Result {
                self.0.set(self.0.get() + 1);
                Ok(())
            }
        }
        let message = Message(Cell::new(0));
        let mut findings = Findings::default();
        for _ in 0..1000 {
            findings.add("odd", Severity::Note, &message);
        }
        assert_eq!(message.0.get(), Findings::MAX_LISTED);
    }
}
