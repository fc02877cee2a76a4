//! Differences as text.

use std::fmt::{Display, Formatter, Result};

use super::{Diff, NodeLabel};

/// So many lines of one kind are shown; the rest is counted.
const SHOWN: usize = 200;

impl Display for Diff {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        for fact in self.facts.iter().take(SHOWN) {
            writeln!(f, "{fact}")?;
        }
        more(f, "facts", self.facts.len())?;
        for node in self.changed.iter().take(SHOWN) {
            write!(f, "~ {}: ", node.old)?;
            for (index, change) in node.fields.iter().take(SHOWN).enumerate() {
                write!(f, "{}{change}", if index == 0 { "" } else { "; " })?;
            }
            if let Some(more @ 1..) = node.fields.len().checked_sub(SHOWN) {
                write!(f, "; and {more} more fields")?;
            }
            writeln!(f)?;
        }
        more(f, "changed nodes", self.changed.len())?;
        for (sign, what, nodes) in [('-', "removed nodes", &self.removed), ('+', "added nodes", &self.added)] {
            for node in nodes.iter().take(SHOWN) {
                writeln!(f, "{sign} {node}")?;
            }
            more(f, what, nodes.len())?;
        }
        for change in self.aside.iter().take(SHOWN) {
            writeln!(f, "aside: {change}")?;
        }
        more(f, "things aside", self.aside.len())
    }
}

fn more(f: &mut Formatter<'_>, what: &str, count: usize) -> Result {
    match count.checked_sub(SHOWN) {
        Some(more @ 1..) => writeln!(f, "… and {more} more {what}"),
        _ => Ok(()),
    }
}

/// Its class, name, number and place, as `CMapEntity light_omni lamp #17 at 0, 0, 64`.
impl Display for NodeLabel {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        for part in [&self.class, &self.entity, &self.name] {
            if !part.is_empty() {
                write!(f, "{part} ")?;
            }
        }
        if let Some(number) = self.number {
            write!(f, "#{number} ")?;
        }
        // To the thousandth of an inch.
        let [x, y, z] = self.position.map(|part| (f64::from(part) * 1000.0).round() / 1000.0 + 0.0);
        write!(f, "at {x}, {y}, {z}")
    }
}
