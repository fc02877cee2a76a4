//! Differences as text.

use std::fmt::{Display, Formatter, Result};

use super::{Diff, ItemRef, ItemsDiff};

/// So many lines of one kind are shown; the rest is counted.
const SHOWN: usize = 200;

impl Display for Diff {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        items(f, "object", &self.objects)?;
        items(f, "material", &self.materials)?;
        for change in self.properties.iter().take(SHOWN) {
            writeln!(f, "{change}")?;
        }
        more(f, "properties", self.properties.len())?;
        self.term.fmt(f)
    }
}

fn items(f: &mut Formatter<'_>, what: &str, items: &ItemsDiff) -> Result {
    for item in items.changed.iter().take(SHOWN) {
        write!(f, "~ {what} {}: ", item.old)?;
        for (index, change) in item.fields.iter().take(SHOWN).enumerate() {
            write!(f, "{}{change}", if index == 0 { "" } else { "; " })?;
        }
        if let Some(more @ 1..) = item.fields.len().checked_sub(SHOWN) {
            write!(f, "; and {more} more fields")?;
        }
        writeln!(f)?;
    }
    more(f, &format!("changed {what}s"), items.changed.len())?;
    for (sign, how, all) in [('-', "removed", &items.removed), ('+', "added", &items.added)] {
        for item in all.iter().take(SHOWN) {
            writeln!(f, "{sign} {what} {item}")?;
        }
        more(f, &format!("{how} {what}s"), all.len())?;
    }
    if items.reordered {
        writeln!(f, "{what}s stand in another order")?;
    }
    Ok(())
}

fn more(f: &mut Formatter<'_>, what: &str, count: usize) -> Result {
    match count.checked_sub(SHOWN) {
        Some(more @ 1..) => writeln!(f, "… and {more} more {what}"),
        _ => Ok(()),
    }
}

/// Its number and name, as `#2 cube1`.
impl Display for ItemRef {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        write!(f, "#{}", self.number)?;
        if self.name.is_empty() { Ok(()) } else { write!(f, " {}", self.name) }
    }
}
