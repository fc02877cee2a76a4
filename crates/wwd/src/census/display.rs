//! Statistics as tables.

use std::fmt::{Display, Formatter, Result};

use mapwright_io::align_columns;

use super::Census;
use crate::escape_bytes;

impl Display for Census {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        let game = self.game.map_or("unknown game", |game| game.name());
        match self.level_number {
            Some(number) => writeln!(f, "{game}, level {number}")?,
            None => writeln!(f, "{game}, no level number")?,
        }
        let planes = self.planes.iter().enumerate().map(|(index, plane)| {
            let sets: Vec<String> = plane.image_sets.iter().map(|name| escape_bytes(name)).collect();
            vec![
                format!("#{index}"),
                escape_bytes(&plane.name),
                format!("{}x{}", plane.size.0, plane.size.1),
                format!("{}x{}", plane.tile_size.0, plane.tile_size.1),
                format!("{},{}", plane.movement.0, plane.movement.1),
                plane.z_coord.to_string(),
                plane.tiles.to_string(),
                plane.used.len().to_string(),
                plane.filled.to_string(),
                plane.objects.to_string(),
                sets.join(" "),
                format!("{:?}", plane.flags),
            ]
        });
        let head = [
            "plane",
            "name",
            "cells",
            "tile",
            "moves",
            "z",
            "tiles",
            "kinds",
            "filled",
            "objects",
            "image sets",
            "flags",
        ];
        table(f, &head, planes)?;
        writeln!(f)?;
        let logics = self.logics.iter().map(|logic| {
            let meaning = logic.info.map_or("", |info| info.meaning);
            let name = if logic.logic.is_empty() { "(none)".to_owned() } else { escape_bytes(&logic.logic) };
            vec![logic.count.to_string(), name, meaning.to_owned()]
        });
        table(f, &["objects", "logic", "meaning"], logics)?;
        let dropped = [
            (self.dropped.outside, "outside their plane"),
            (self.dropped.without_logic, "without a logic"),
            (self.dropped.unknown_logic, "with a logic that the game does not know"),
        ];
        for (count, what) in dropped.into_iter().filter(|(count, _)| *count > 0) {
            writeln!(f, "{count} {what}: the game drops them")?;
        }
        if !self.treasure.is_empty() {
            writeln!(f)?;
            let treasure = self.treasure.iter().map(|count| {
                let [lying, held, score] = [count.lying, count.held, count.score()].map(|number| number.to_string());
                vec![count.treasure.to_string(), lying, held, score]
            });
            table(f, &["treasure", "lying", "held", "score"], treasure)?;
            writeln!(f, "score of all treasure: {}", self.score())?;
        }
        if let Some(properties) = self.properties {
            let (single, double, mask) = (properties.single, properties.double, properties.mask);
            writeln!(f, "\ntile properties: {single} single, {double} double, {mask} mask")?;
        }
        Ok(())
    }
}

/// Writes a table with a header row.
fn table(f: &mut Formatter<'_>, head: &[&str], rows: impl Iterator<Item = Vec<String>>) -> Result {
    let mut all = vec![head.iter().map(|&cell| cell.to_owned()).collect::<Vec<_>>()];
    all.extend(rows);
    align_columns(&all, |_| false).iter().try_for_each(|line| writeln!(f, "{line}"))
}
