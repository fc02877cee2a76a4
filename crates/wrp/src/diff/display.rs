//! Differences as text.

use std::fmt;

use mapwright_io::diff::write_lines;
use mapwright_io::escape_bytes;

use super::{Area, Diff, HeightArea, ObjectChange, ObjectRef};

impl fmt::Display for Diff {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for fact in &self.facts {
            writeln!(f, "{}: {} → {}", fact.name, fact.old, fact.new)?;
        }
        write_lines(f, "heights", &self.heights, |f, HeightArea { area, by: [least, most] }| {
            write!(f, "heights: {area}, by {least} m to {most} m")
        })?;
        write_lines(f, "cells", &self.cells, |f, area| write!(f, "cells: {area}"))?;
        write_lines(f, "names", &self.names, |f, name| {
            let text = |name: &Option<String>| name.as_ref().map_or("none".to_owned(), |name| format!("\"{name}\""));
            write!(f, "name {}: {} → {}", name.place, text(&name.old), text(&name.new))
        })?;
        write_lines(f, "removed objects", &self.objects.removed, |f, object| write!(f, "object removed: {object}"))?;
        write_lines(f, "added objects", &self.objects.added, |f, object| write!(f, "object added: {object}"))?;
        write_lines(f, "changed objects", &self.objects.changed, write_change)?;
        if self.objects.reordered {
            writeln!(f, "objects reordered")?;
        }
        Ok(())
    }
}

fn write_change(f: &mut fmt::Formatter<'_>, change: &ObjectChange) -> fmt::Result {
    let ObjectChange { old, new, moved, turned } = change;
    write!(f, "object changed: {old}")?;
    if old.model != new.model {
        write!(f, ", new model {}", escape_bytes(&new.model))?;
    }
    if let (Some(_), Some(id)) = (old.id.filter(|_| old.id != new.id), new.id) {
        write!(f, ", new ID {id}")?;
    }
    if let Some([x, y, z]) = moved {
        write!(f, ", moved by {x}, {y}, {z}")?;
    }
    if *turned {
        f.write_str(", rotated")?;
    }
    if old.model == new.model && old.id == new.id && moved.is_none() && !turned {
        f.write_str(", different residue after its name")?;
    }
    Ok(())
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
            write!(f, " (ID {id})")?;
        }
        write!(f, " {} at {x}, {y}, {z}", escape_bytes(&self.model))
    }
}
