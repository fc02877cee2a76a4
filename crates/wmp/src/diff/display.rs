//! Differences as text.

use std::fmt::{Display, Formatter, Result};

use mapwright_io::diff::{write_fields, write_lines};

use super::{Diff, ItemRef, ItemsDiff};

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
    write_lines(f, format_args!("changed {what}"), &items.changed, |f, item| {
        write!(f, "~ {}: ", item.old)?;
        write_fields(f, &item.fields)
    })?;
    write_lines(f, format_args!("removed {what}"), &items.removed, |f, item| write!(f, "- {item}"))?;
    write_lines(f, format_args!("added {what}"), &items.added, |f, item| write!(f, "+ {item}"))?;
    if items.reordered {
        writeln!(f, "{what} stand in another order")?;
    }
    Ok(())
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
