//! Text of differences.

use std::fmt::{Display, Formatter, Result};

use mapwright_io::diff::{write_fields, write_lines};

use super::{Diff, NodeLabel};

impl Display for Diff {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        write_lines(f, "facts", &self.facts, |f, fact| write!(f, "{fact}"))?;
        write_lines(f, "changed nodes", &self.changed, |f, node| {
            write!(f, "~ {}: ", node.old)?;
            write_fields(f, &node.fields)
        })?;
        write_lines(f, "removed nodes", &self.removed, |f, node| write!(f, "- {node}"))?;
        write_lines(f, "added nodes", &self.added, |f, node| write!(f, "+ {node}"))?;
        write_lines(f, "changes of every save", &self.aside, |f, change| write!(f, "aside: {change}"))
    }
}

/// Prints class, name, number and position, such as `CMapEntity light_omni lamp #17 at 0, 0, 64`.
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
        // Round to a thousandth of an inch.
        let [x, y, z] = self.position.map(|part| (f64::from(part) * 1000.0).round() / 1000.0 + 0.0);
        write!(f, "at {x}, {y}, {z}")
    }
}
