//! Differences as text.

use std::fmt;

use mapwright_io::spell;

use super::{Area, Diff, HeightArea, ObjectChange, ObjectRef};

/// So many lines of one kind are shown; the rest is counted.
const SHOWN: usize = 200;

impl fmt::Display for Diff {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for fact in &self.facts {
            writeln!(f, "{}: {} → {}", fact.name, fact.old, fact.new)?;
        }
        lines(f, "heights", &self.heights, |HeightArea { area, by: [least, most] }| {
            format!("heights: {area}, by {least} m to {most} m")
        })?;
        lines(f, "cells", &self.cells, |area| format!("cells: {area}"))?;
        lines(f, "names", &self.names, |name| {
            let text = |name: &Option<String>| name.as_ref().map_or("nothing".to_owned(), |name| format!("\"{name}\""));
            format!("name {}: {} → {}", name.place, text(&name.old), text(&name.new))
        })?;
        lines(f, "removed objects", &self.objects.removed, |object| format!("object removed: {object}"))?;
        lines(f, "added objects", &self.objects.added, |object| format!("object added: {object}"))?;
        lines(f, "changed objects", &self.objects.changed, change)?;
        if self.objects.reordered {
            writeln!(f, "objects stand in another order")?;
        }
        Ok(())
    }
}

fn lines<T>(f: &mut fmt::Formatter<'_>, what: &str, items: &[T], line: impl Fn(&T) -> String) -> fmt::Result {
    for item in items.iter().take(SHOWN) {
        writeln!(f, "{}", line(item))?;
    }
    match items.len().checked_sub(SHOWN) {
        Some(more @ 1..) => writeln!(f, "… and {more} more {what}"),
        _ => Ok(()),
    }
}

fn change(change: &ObjectChange) -> String {
    let ObjectChange { old, new, moved, turned } = change;
    let mut text = format!("object changed: {old}");
    if old.model != new.model {
        text.push_str(&format!(", is now {}", spell(&new.model)));
    }
    if let (Some(_), Some(id)) = (old.id.filter(|_| old.id != new.id), new.id) {
        text.push_str(&format!(", has the number {id}"));
    }
    if let Some([x, y, z]) = moved {
        text.push_str(&format!(", moved by {x}, {y}, {z}"));
    }
    if *turned {
        text.push_str(", turned");
    }
    if old.model == new.model && old.id == new.id && moved.is_none() && !turned {
        text.push_str(", has other bytes behind its name");
    }
    text
}

impl fmt::Display for Area {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let ([x, z], [columns, rows]) = (self.at, self.size);
        write!(f, "{x},{z} {columns}x{rows}: {} changed", self.changed)
    }
}

impl fmt::Display for ObjectRef {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [x, y, z] = self.position;
        write!(f, "#{}", self.index)?;
        if let Some(id) = self.id {
            write!(f, " (number {id})")?;
        }
        write!(f, " {} at {x}, {y}, {z}", spell(&self.model))
    }
}
