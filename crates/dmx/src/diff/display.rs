//! Differences as text.

use std::fmt::{Display, Formatter, Result};

use mapwright_io::diff::{write_fields, write_lines};

use super::{Diff, ElementLabel};

impl Display for Diff {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        for fact in &self.facts {
            writeln!(f, "{fact}")?;
        }
        write_lines(f, "changed elements", &self.changed, |f, element| {
            write!(f, "~ {}: ", element.old)?;
            write_fields(f, &element.fields)
        })?;
        write_lines(f, "removed elements", &self.removed, |f, element| write!(f, "- {element}"))?;
        write_lines(f, "added elements", &self.added, |f, element| write!(f, "+ {element}"))
    }
}

/// The class, name and index, such as `DmeModel lamp #7`.
impl Display for ElementLabel {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        write!(f, "{} ", self.class)?;
        if !self.name.is_empty() {
            write!(f, "{} ", self.name)?;
        }
        write!(f, "#{}", self.index)
    }
}
