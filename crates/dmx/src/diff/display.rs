//! Differences as text.

use std::fmt::{Display, Formatter, Result};

use super::{Diff, ElementLabel, FieldChange};

/// So many lines of one kind are shown; the rest is counted.
const SHOWN: usize = 200;

impl Display for Diff {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        for fact in &self.facts {
            writeln!(f, "{fact}")?;
        }
        for element in self.changed.iter().take(SHOWN) {
            write!(f, "~ {}: ", element.old)?;
            for (index, change) in element.fields.iter().take(SHOWN).enumerate() {
                write!(f, "{}{change}", if index == 0 { "" } else { "; " })?;
            }
            if let Some(more @ 1..) = element.fields.len().checked_sub(SHOWN) {
                write!(f, "; and {more} more fields")?;
            }
            writeln!(f)?;
        }
        more(f, "changed", self.changed.len())?;
        for (sign, what, elements) in [('-', "removed", &self.removed), ('+', "added", &self.added)] {
            for element in elements.iter().take(SHOWN) {
                writeln!(f, "{sign} {element}")?;
            }
            more(f, what, elements.len())?;
        }
        Ok(())
    }
}

fn more(f: &mut Formatter<'_>, what: &str, count: usize) -> Result {
    match count.checked_sub(SHOWN) {
        Some(more @ 1..) => writeln!(f, "… and {more} more {what} elements"),
        _ => Ok(()),
    }
}

/// As `origin: 0 0 64 → 0 0 96`.
impl Display for FieldChange {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        write!(f, "{}: {} → {}", self.field, self.old, self.new)
    }
}

/// Its class, name and place, as `DmeModel lamp #7`.
impl Display for ElementLabel {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        write!(f, "{} ", self.class)?;
        if !self.name.is_empty() {
            write!(f, "{} ", self.name)?;
        }
        write!(f, "#{}", self.index)
    }
}
