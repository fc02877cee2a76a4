//! Differences as text.

use std::fmt::{Display, Formatter, Result};

use mapwright_io::diff::{write_fields, write_lines};

use super::{Diff, ItemRef, ItemsDiff};

impl Display for Diff {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        items(f, "object", &self.objects)?;
        items(f, "material", &self.materials)?;
        write_lines(f, "properties", &self.properties, |f, change| write!(f, "{change}"))?;
        self.term.fmt(f)
    }
}

fn items(f: &mut Formatter<'_>, what: &str, items: &ItemsDiff) -> Result {
    write_lines(f, format_args!("changed {what}s"), &items.changed, |f, item| {
        write!(f, "~ {what} {}: ", item.old)?;
        write_fields(f, &item.fields)
    })?;
    write_lines(f, format_args!("removed {what}s"), &items.removed, |f, item| write!(f, "- {what} {item}"))?;
    write_lines(f, format_args!("added {what}s"), &items.added, |f, item| write!(f, "+ {what} {item}"))?;
    if items.reordered {
        writeln!(f, "{what}s stand in another order")?;
    }
    Ok(())
}

/// Its number and name, as `#2 cube1`.
impl Display for ItemRef {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        write!(f, "#{}", self.number)?;
        if self.name.is_empty() { Ok(()) } else { write!(f, " {}", self.name) }
    }
}
