//! Terrains to test with, and short ways in and out.

use mapwright_interchange::{
    Error,
    heightmap::{self, ExportOptions, Format, ImportOptions},
};
use mapwright_scene::NoFiles;
use mapwright_scene::*;

pub(crate) const FORMATS: [Format; 4] = [Format::Asc, Format::Png, Format::Tif, Format::Xyz];

/// A terrain as importers make it.
pub(crate) fn terrain(size: [u32; 2], spacing: [f64; 2], heights: Heights) -> Terrain {
    Terrain::new(size, [spacing[0], -spacing[1]], heights)
}

pub(crate) fn scene_of(terrain: Terrain) -> Scene {
    let mut scene = Scene::default();
    let terrain = scene.terrains.push(terrain);
    scene.add_node(None, Node::new("", Content::Terrain(terrain)));
    scene
}

/// Every height that steps can be, on a square.
pub(crate) fn every_step() -> Vec<i16> {
    (i16::MIN..=i16::MAX).collect()
}

pub(crate) fn steps(values: Vec<i16>) -> Scene {
    scene_of(terrain([256, 256], [50.0; 2], Heights::Steps { step: 0.045, values }))
}

/// A scene of floats; rows from south to north.
pub(crate) fn floats(columns: u32, heights: &[f32]) -> Scene {
    let rows = u32::try_from(heights.len()).unwrap() / columns;
    scene_of(terrain([columns, rows], [10.0; 2], Heights::F32(heights.to_vec())))
}

pub(crate) fn options(format: Format) -> ExportOptions {
    ExportOptions::default().with_format(format)
}

/// The file, and the losses in words.
pub(crate) fn written(scene: &Scene, options: &ExportOptions) -> (Vec<u8>, Vec<String>) {
    let export = heightmap::from_scene(scene, options).unwrap();
    (export.document.main, export.losses.iter().map(ToString::to_string).collect())
}

pub(crate) fn read_with(bytes: &[u8], options: &ImportOptions) -> Result<(Scene, Vec<String>), Error> {
    let import = heightmap::to_scene(bytes, &NoFiles, options)?;
    assert!(import.scene.validate().iter().all(|problem| problem.severity < Severity::Error));
    Ok((import.scene, import.losses.iter().map(ToString::to_string).collect()))
}

pub(crate) fn read(bytes: &[u8]) -> (Scene, Vec<String>) {
    read_with(bytes, &ImportOptions::default()).unwrap()
}

/// The bits of heights, in which no number is like itself too.
pub(crate) fn bits(scene: &Scene) -> Vec<u32> {
    match &scene.terrains.items()[0].heights {
        Heights::F32(heights) => heights.iter().map(|height| height.to_bits()).collect(),
        Heights::Steps { .. } => panic!("floats are expected"),
    }
}

pub(crate) fn text(bytes: &[u8]) -> &str {
    std::str::from_utf8(bytes).unwrap()
}
