//! Prints the size, position and heights of a heightmap: `cargo run --example heightmap-dump -- FILE`.

use std::error::Error;
use std::{env, fs};

use mapwright_heightmap::{ImportOptions, coordinate_system, is_missing, to_scene};
use mapwright_scene::NoFiles;

fn main() -> Result<(), Box<dyn Error>> {
    let path = env::args().nth(1).ok_or("which file?")?;
    let import = to_scene(&fs::read(path)?, &NoFiles, &ImportOptions::default().with_origin([0.0; 2]))?;
    let (_, terrain) = import.scene.terrains.iter().next().ok_or("no terrain")?;
    let visit = import.scene.walk().next().ok_or("no node")?;
    let ([columns, rows], [dx, dy]) = (terrain.size, terrain.spacing.map(f64::abs));
    let [east, _, south] = visit.world.origin();
    println!("{columns} × {rows} points, {dx} × {dy} apart, south-western point at {east}, {}", -south);
    if let Some((name, metres)) = coordinate_system(&import.scene) {
        println!("coordinate reference system {name}, {metres} m per unit");
    }
    #[expect(clippy::cast_possible_truncation, reason = "heights are 32-bit floats, or smaller")]
    let heights: Vec<f32> =
        (0..terrain.heights.len()).filter_map(|index| terrain.heights.get(index)).map(|height| height as f32).collect();
    let known = heights.iter().copied().filter(|height| !is_missing(*height));
    let (low, high) = known.fold((f32::MAX, f32::MIN), |(low, high), height| (low.min(height), high.max(height)));
    let missing = heights.iter().filter(|height| is_missing(**height)).count();
    println!("heights from {low} to {high}; {missing} points without a height");
    for loss in &import.losses {
        println!("{loss}");
    }
    Ok(())
}
