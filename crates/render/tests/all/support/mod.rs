//! What several test files need.
#![allow(dead_code, reason = "every test file takes what it needs")]

use mapwright_render::{Drawing, Picture, RenderOptions};
use mapwright_scene::{Diagonal, Heights, Scene, Terrain};

pub(crate) type Rgb = [u8; 3];

pub(crate) const BACKGROUND: Rgb = [1, 2, 3];

/// What a picture shows, and its pixels row by row.
pub(crate) fn rows(scene: &Scene, options: &RenderOptions) -> (Picture, Vec<Vec<Rgb>>) {
    let mut drawing = Drawing::new(scene, options).expect("a picture");
    let picture = drawing.picture();
    let mut rows = Vec::new();
    while let Some(row) = drawing.next_row() {
        rows.push(row.as_chunks().0.to_vec());
    }
    assert_eq!(rows.len(), picture.height as usize);
    assert!(rows.iter().all(|row| row.len() == picture.width as usize));
    (picture, rows)
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
