//! Terrains in words.

use mapwright::info::WrpInfo;

use super::{line, list};
use crate::text::{clean, count, size};

pub(super) fn text(out: &mut String, terrain: &WrpInfo) {
    let games = terrain.games.map(|games| format!(": {games}")).unwrap_or_default();
    line(out, "variant", &format!("{}{games}", terrain.variant));
    if let Some(program) = terrain.program {
        line(out, "written by", program);
    }
    let ([columns, rows], [width, depth]) = (terrain.heights, terrain.extent);
    line(out, "heights", &format!("{columns} × {rows}, {}", range(terrain)));
    let [columns, rows] = terrain.cells;
    let cells = format!("{columns} × {rows} cells of {} m: {width} m × {depth} m", terrain.cell);
    line(out, "ground", &format!("{cells}, {}", count(terrain.materials, "texture")));
    let fit = match terrain.fit_to_ground {
        0 => String::new(),
        fit => format!(", {fit} of them put on the ground by the game"),
    };
    line(out, "objects", &format!("{}{fit}; the list ends {}", terrain.objects, ending(terrain)));
    if terrain.roads > 0 {
        line(out, "roads", &count(terrain.roads, "road"));
    }
    if terrain.residue > 0 {
        line(out, "residue", &format!("old bytes behind {}", count(terrain.residue, "name")));
    }
    let models = terrain.models.iter().map(|one| format!("{} × {}", one.count, clean(&one.model)));
    list(out, "models", &models.collect::<Vec<_>>());
}

fn range(terrain: &WrpInfo) -> String {
    let Some([low, high]) = terrain.range else { return "none".to_owned() };
    let [columns, rows] = terrain.heights.map(u64::from);
    let below = terrain.below_sea as u64 * 100 / (columns * rows).max(1);
    format!("from {low} m to {high} m, {below} % below the sea")
}

fn ending(terrain: &WrpInfo) -> String {
    let after = match terrain.bytes_after {
        0 => String::new(),
        bytes => format!(", {} behind it", size(bytes as u64)),
    };
    let with = if terrain.end.starts_with("a ") || terrain.end.starts_with("an ") { "with " } else { "" };
    format!("{with}{}{after}", terrain.end)
}
