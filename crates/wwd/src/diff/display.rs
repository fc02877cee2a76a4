//! Differences as text.

use std::fmt::{Display, Formatter, Result};

use super::{
    Diff, FieldChange, NamesChange, ObjectRef, ObjectsDiff, PlaneDiff, PlaneRef, TileChange, TilePropertiesDiff,
};
use crate::{Cell, Shape, TileProperty, escape_bytes};

impl Display for Diff {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        for change in &self.header {
            writeln!(f, "header: {change}")?;
        }
        for plane in &self.planes {
            plane.fmt(f)?;
        }
        for plane in &self.planes_removed {
            writeln!(f, "- plane {plane}")?;
        }
        for plane in &self.planes_added {
            writeln!(f, "+ plane {plane}")?;
        }
        if self.planes_reordered {
            writeln!(f, "planes: different order")?;
        }
        self.tile_properties.fmt(f)?;
        if let Some((old, new)) = &self.trailer {
            let what = if old.len() == new.len() { " with different contents" } else { "" };
            writeln!(f, "trailer: {} bytes → {} bytes{what}", old.len(), new.len())?;
        }
        if self.layout {
            writeln!(f, "layout: different offsets of sections")?;
        }
        if let Some((old, new)) = self.profile {
            writeln!(f, "profile: {old:?} → {new:?}")?;
        }
        Ok(())
    }
}

/// As `speed_x: 125 → 150`.
impl Display for FieldChange {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        write!(f, "{}: {} → {}", self.field, self.old, self.new)
    }
}

/// The index and the name.
impl Display for PlaneRef {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        write!(f, "#{} {}", self.index, escape_bytes(&self.name))
    }
}

/// The index, logic, image set and position.
impl Display for ObjectRef {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        let Self { index, logic, image_set, x, y } = self;
        write!(f, "#{index} {} {} at {x},{y}", escape_bytes(logic), escape_bytes(image_set))
    }
}

impl Display for PlaneDiff {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        let plane = &self.old;
        if self.old.index != self.new.index {
            writeln!(f, "plane {plane}: now {}", self.new)?;
        }
        for change in &self.fields {
            writeln!(f, "plane {plane}: {change}")?;
        }
        if let Some(NamesChange { old, new }) = &self.image_sets {
            let names = |names: &[Vec<u8>]| names.iter().map(|name| escape_bytes(name)).collect::<Vec<_>>().join(" ");
            writeln!(f, "plane {plane}: image sets: {} → {}", names(old), names(new))?;
        }
        for run in &self.cells {
            let (old, new) = (Cell::from_word(run.old), Cell::from_word(run.new));
            let columns = match run.count {
                1 => format!("column {}", run.column),
                count => format!("columns {}-{}", run.column, run.column.saturating_add(count).saturating_sub(1)),
            };
            writeln!(f, "plane {plane}: row {}, {columns}: {old} → {new}", run.row)?;
        }
        objects(f, plane, &self.objects)
    }
}

fn objects(f: &mut Formatter<'_>, plane: &PlaneRef, objects: &ObjectsDiff) -> Result {
    for object in &objects.changed {
        write!(f, "plane {plane}: ~ {}: ", object.old)?;
        for (index, change) in object.fields.iter().enumerate() {
            write!(f, "{}{change}", if index == 0 { "" } else { "; " })?;
        }
        writeln!(f)?;
    }
    for object in &objects.removed {
        writeln!(f, "plane {plane}: - {object}")?;
    }
    for object in &objects.added {
        writeln!(f, "plane {plane}: + {object}")?;
    }
    if objects.reordered {
        writeln!(f, "plane {plane}: objects: different order")?;
    }
    Ok(())
}

impl Display for TilePropertiesDiff {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        if let Some((old, new)) = self.table {
            let table = |exists: bool| if exists { "a table" } else { "none" };
            writeln!(f, "tile properties: {} → {}", table(old), table(new))?;
        }
        for change in &self.fields {
            writeln!(f, "tile properties: {change}")?;
        }
        for TileChange { tile, old, new } in &self.tiles {
            let item = |item: &Option<TileProperty>| item.as_ref().map_or_else(|| "none".to_owned(), property);
            writeln!(f, "tile {tile}: {} → {}", item(old), item(new))?;
        }
        Ok(())
    }
}

/// As `64x64 double 0, within 0,0,63,48 1`.
fn property(item: &TileProperty) -> String {
    let reserved = match item.reserved_04 {
        0 => String::new(),
        word => format!(" reserved_04 {word:#x}"),
    };
    let shape = match &item.shape {
        Shape::Single(attribute) => format!("single {attribute}"),
        Shape::Double { outside, inside, rect } => {
            format!("double {outside}, within {},{},{},{} {inside}", rect.left, rect.top, rect.right, rect.bottom)
        }
        Shape::Mask(pixels) => {
            format!("mask with the sum {}", pixels.iter().map(|&pixel| u64::from(pixel)).sum::<u64>())
        }
    };
    format!("{}x{} {shape}{reserved}", item.width, item.height)
}
