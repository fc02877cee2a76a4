//! Helpers for several test files.
#![allow(dead_code, reason = "every test file takes what it needs")]

use mapwright_render::{Drawing, RenderInfo, RenderOptions};
use mapwright_scene::{Diagonal, Heights, Scene, Terrain};

pub(crate) type Rgb = [u8; 3];

pub(crate) const BACKGROUND: Rgb = [1, 2, 3];

/// Renders a scene to its rows of pixels.
pub(crate) fn rows(scene: &Scene, options: &RenderOptions) -> (RenderInfo, Vec<Vec<Rgb>>) {
    let mut drawing = Drawing::new(scene, options).expect("an image");
    let info = drawing.info();
    let mut rows = Vec::new();
    while let Some(row) = drawing.next_row() {
        rows.push(row.as_chunks().0.to_vec());
    }
    assert_eq!(rows.len(), info.height as usize);
    assert!(rows.iter().all(|row| row.len() == info.width as usize));
    (info, rows)
}

/// Heights with steps of 10 whose rows run north, as in wrp.
pub(crate) fn terrain(size: [u32; 2], heights: Vec<f32>) -> Terrain {
    Terrain {
        name: "island".into(),
        diagonal: Diagonal::Anti,
        sea_level: Some(0.0),
        ..Terrain::new(size, [10.0, -10.0], Heights::F32(heights))
    }
}
