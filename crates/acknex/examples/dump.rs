//! Prints the content of models, terrains, archives and compiled levels: `cargo run --example acknex-dump -- FILE…`.

use std::error::Error;
use std::{env, fs};

use mapwright_acknex::{Model, Terrain, Wad, Wmb};

fn main() -> Result<(), Box<dyn Error>> {
    for path in env::args().skip(1) {
        let file = fs::read(&path)?;
        println!("{path}");
        match file.get(..3).unwrap_or_default() {
            b"HMP" => print_terrain(&Terrain::from_bytes(&file)?),
            b"WAD" => print_archive(&Wad::from_bytes(&file)?),
            b"WMB" => print_level(&Wmb::from_bytes(&file)?)?,
            _ => print_model(&Model::from_bytes(&file)?),
        }
    }
    Ok(())
}

fn print_model(model: &Model) {
    println!("  {}, {} bones, repairs: {:?}", model.version.name(), model.bones.len(), model.repairs);
    for skin in &model.skins {
        println!("  skin {:?}: {:?}, {:?}", skin.name, skin.format, skin.content);
    }
    for group in &model.groups {
        let (vertices, triangles, frames) = (group.positions.len(), group.triangles.len(), group.frames.len());
        println!("  group {:?}: {vertices} vertices, {triangles} triangles, {frames} frames", group.name);
    }
}

fn print_terrain(terrain: &Terrain) {
    let ([columns, rows], [width, depth]) = (terrain.size, terrain.cell);
    println!("  {}, {columns}×{rows} vertices, cells of {width}×{depth} quants", terrain.version.name());
    for skin in &terrain.skins {
        println!("  skin: {:?}, {:?}", skin.format, skin.content);
    }
}

fn print_archive(wad: &Wad<'_>) {
    println!("  {:?}, palette: {}", wad.version, wad.palette.is_some());
    for texture in &wad.textures {
        println!("  {texture:?}");
    }
}

fn print_level(level: &Wmb<'_>) -> Result<(), Box<dyn Error>> {
    println!("  {:?}, {} faces", level.version, level.faces()?.faces.len());
    for texture in level.textures() {
        println!("  {texture:?}");
    }
    Ok(())
}
