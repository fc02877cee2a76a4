//! Models as scenes: files of the format `model`, which `.vmdl` sources name as meshes.
//!
//! | in the file | in the scene |
//! |---|---|
//! | mesh (`DmeMesh`) below a dag | node with the name of the dag, at the product of the transforms from the model to that dag; a skinned mesh at the transform of its own dag |
//! | positions, faces | positions and faces; faces with less than three corners or missing positions are dropped and reported |
//! | `texcoord$N` | UV sets; with `flipVCoordinates`, v counts from the bottom |
//! | `normal$0`, `color$0` | normals, colours |
//! | material of a face set | material with this path as reference; `\` becomes `/` |
//! | axis system | rotated to Z up and X forward as in Source, then to Y up |
//!
//! Lengths are inches. The model's scale is in the `.vmdl`. Reported as losses: skeleton, blend weights, morphs, animations and other
//! streams. [`AxisSystem`] names the axes of a file. This crate assumes that Valve's compiler rotates models in the same way.

#![allow(clippy::arithmetic_side_effects, reason = "computes with floats and counts items in memory")]

mod axes;
mod mesh;
mod tree;

pub use axes::AxisSystem;
pub use mapwright_scene;

use mapwright_scene::{Import, Losses, Scene};

use crate::{Document, ReadError};

/// Metres per inch.
pub const METRES_PER_UNIT: f64 = 0.0254;

mapwright_io::options! {
    /// Options for models.
    #[derive(Debug, Clone)]
    pub struct ImportOptions {
        /// Axes of the file. Default: the axes that the file stores, else Z up and X forward.
        pub axes: Option<AxisSystem> = None, with_axes(AxisSystem);
    }
}

/// Converts a model to a scene. A file without a model, such as one with only animations, becomes an empty scene, which is reported.
///
/// # Errors
/// If the file uses its elements so often that the scene would be far larger than the file.
pub fn to_scene(document: &Document, options: &ImportOptions) -> Result<Import, ReadError> {
    let mut losses = Losses::new();
    let scene = Scene { metres_per_unit: Some(METRES_PER_UNIT), ..Scene::default() };
    let root = document.root();
    let Some(model) = root.and_then(|root| root.child("model").or_else(|| root.child("skeleton"))) else {
        losses.dropped("", "the file contains no model");
        return Ok(Import { scene, losses });
    };
    let axes = options.axes.unwrap_or_else(|| AxisSystem::from_model(model, &mut losses));
    let mut builder = mesh::Builder::new(document, scene, losses, axes);
    // Transforms come from the tree, so each mesh is converted when the walk reaches its dag. A mesh with several dags is converted once.
    tree::visit(model, &mut builder)?;
    let Import { scene, mut losses } = builder.finish();
    tree::report_unread(document, model, &mut losses);
    Ok(Import { scene, losses })
}
