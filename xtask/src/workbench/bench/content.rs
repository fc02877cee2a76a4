//! A level of 3D Gamestudio with all of its files: decoding the files alone, against the whole conversion, and drawing it.

use std::path::{Path, PathBuf};
use std::{env, fs};

use mapwright::render::{RenderOptions, to_png};
use mapwright::scene::images::{decode_image, encode_all_png};
use mapwright::scene::{ImageSource, Losses, Pixels, Scene};
use mapwright_acknex::{Model, Palette, Terrain, Wad, Wmb, dds};
use mapwright_testkit::gamestudio::made_level;
use mapwright_wapart::pcx;
use rayon::prelude::*;

use super::{race, ratio, timed};
use crate::level::{MAX_BYTES, read_whole_level, to_glb};

/// The number of vertices per side of each model, and the number of pixels per side of each image.
const SIDE: u16 = 24;
const TEXELS: u16 = 256;

pub(super) fn bench() -> Result<(), String> {
    let folder = env::current_exe().map_err(|error| error.to_string())?.with_file_name("bench-content");
    let made = made_level(SIDE, TEXELS);
    made.write(&folder).map_err(|error| format!("{}: {error}", folder.display()))?;
    let paths: Vec<PathBuf> = made.files.iter().map(|(path, _)| folder.join(path)).collect();
    let level = folder.join("level.wmp");
    let scene = read_whole_level(&level)?;
    let file = to_glb(&scene)?;
    let [decoding, encoding, resolving, converting, drawing] = race([
        &mut timed(|| decode_all(&paths)),
        &mut timed(|| encode_all_png(own_pixels(&scene))),
        &mut timed(|| read_whole_level(&level)),
        &mut timed(|| read_whole_level(&level).and_then(|scene| to_glb(&scene))),
        &mut timed(|| {
            let mut png = Vec::new();
            read_whole_level(&level).and_then(|scene| {
                to_png(&scene, &RenderOptions::default(), &mut png).map_err(|error| error.to_string())
            })
        }),
    ]);
    println!(
        "A made level with {} files: {} models, {} images in other files, {} MB decoded; {} MB as `.glb`.\n",
        paths.len(),
        made.models.len(),
        made.skins.len() + made.sprites.len(),
        decode_all(&paths) / 1_000_000,
        file.len() / 1_000_000
    );
    println!("| | ms | over decoding |\n|---|---|---|");
    let rows = [
        ("decode the files alone", decoding),
        ("encode the decoded images alone as PNG, as `.glb` files need", encoding),
        ("read the level, resolve", resolving),
        ("read the level, resolve, write `.glb`", converting),
        ("read the level, resolve, draw", drawing),
    ];
    for (what, time) in rows {
        println!("| {what} | {:.1} | {} |", time.as_secs_f64() * 1e3, ratio(time, decoding));
    }
    fs::remove_dir_all(&folder).map_err(|error| format!("{}: {error}", folder.display()))
}

/// Returns the decoded images of a scene.
fn own_pixels(scene: &Scene) -> Vec<&Pixels> {
    let images = scene.images.items().iter();
    images
        .filter_map(|image| if let ImageSource::Pixels(pixels) = &image.source { Some(pixels) } else { None })
        .collect()
}

/// Reads and decodes all files on all processors. Returns the number of bytes of all images.
fn decode_all(paths: &[PathBuf]) -> usize {
    paths.par_iter().map(|path| decode(path).iter().map(Vec::len).sum::<usize>()).sum()
}

/// Decodes a file. Returns the pixels of its images.
fn decode(path: &Path) -> Vec<Vec<u8>> {
    let bytes = fs::read(path).unwrap_or_default();
    let palette = Some(Palette::quake());
    let textures = |textures: &mut dyn Iterator<Item = mapwright_acknex::Texture<'_>>| -> Vec<Vec<u8>> {
        textures.filter_map(|texture| Some(texture.image(palette.as_ref()).ok()?.rgba)).collect()
    };
    let skins = |skins: &[mapwright_acknex::Skin]| -> Vec<Vec<u8>> {
        skins.iter().filter_map(|skin| Some(skin.image(palette.as_ref()).ok()??.rgba)).collect()
    };
    if let Ok(model) = Model::from_bytes(&bytes) {
        return skins(&model.skins);
    }
    if let Ok(terrain) = Terrain::from_bytes(&bytes) {
        return skins(&terrain.skins);
    }
    if let Ok(wad) = Wad::from_bytes(&bytes) {
        return textures(&mut wad.textures.into_iter());
    }
    if let Ok(level) = Wmb::from_bytes(&bytes) {
        return textures(&mut level.textures());
    }
    if dds::is_dds(&bytes) {
        return dds::decode(&bytes).into_iter().map(|image| image.rgba).collect();
    }
    if let Ok(image) = pcx::Document::from_bytes(&bytes) {
        return image.rgb().or_else(|| image.indices()).into_iter().collect();
    }
    let name = path.display().to_string();
    let pixels = decode_image(&bytes, &name, MAX_BYTES, &name, &mut Losses::new());
    pixels.map(|pixels| pixels.data).into_iter().collect()
}
