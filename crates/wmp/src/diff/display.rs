//! Differences as text.

use std::fmt::{Display, Formatter, Result};

use super::{Diff, FieldChange, ItemRef, ItemsDiff};

/// So many lines of one kind are shown; the rest is counted.
const SHOWN: usize = 200;

impl Display for Diff {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        for fact in &self.facts {
            writeln!(f, "{fact}")?;
        }
        items(f, "groups", &self.groups)?;
        items(f, "blocks", &self.blocks)?;
        items(f, "entities", &self.entities)
    }
}

fn items(f: &mut Formatter<'_>, what: &str, items: &ItemsDiff) -> Result {
    for item in items.changed.iter().take(SHOWN) {
        write!(f, "~ {}: ", item.old)?;
        for (index, change) in item.fields.iter().take(SHOWN).enumerate() {
            write!(f, "{}{change}", if index == 0 { "" } else { "; " })?;
        }
        if let Some(more @ 1..) = item.fields.len().checked_sub(SHOWN) {
            write!(f, "; and {more} more fields")?;
        }
        writeln!(f)?;
    }
    more(f, &format!("changed {what}"), items.changed.len())?;
    for item in items.removed.iter().take(SHOWN) {
        writeln!(f, "- {item}")?;
    }
    more(f, &format!("removed {what}"), items.removed.len())?;
    for item in items.added.iter().take(SHOWN) {
        writeln!(f, "+ {item}")?;
    }
    more(f, &format!("added {what}"), items.added.len())?;
    if items.reordered {
        writeln!(f, "{what} stand in another order")?;
    }
    Ok(())
}

fn more(f: &mut Formatter<'_>, what: &str, count: usize) -> Result {
    match count.checked_sub(SHOWN) {
        Some(more @ 1..) => writeln!(f, "… and {more} more {what}"),
        _ => Ok(()),
    }
}

/// As `action: ndef → patrol`.
impl Display for FieldChange {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        write!(f, "{}: {} → {}", self.field, self.old, self.new)
    }
}

/// Its kind, number, name and place.
impl Display for ItemRef {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        // To the thousandth of a quant: numbers of single precision have decimals beyond those that are meant.
        let [x, y, z] = self.position.map(|part| (part * 1000.0).round() / 1000.0 + 0.0);
        write!(f, "{} #{}", self.kind, self.number)?;
        if !self.name.is_empty() {
            write!(f, " {}", self.name)?;
        }
        write!(f, " at {x}, {y}, {z}")
    }
}
