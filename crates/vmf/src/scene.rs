//! Conversion between maps and scenes.
//!
//! | in the map | in the scene |
//! |---|---|
//! | the world | entity `worldspawn` beside its solids, if it has keys of its own |
//! | solid | brush with planes and polygons. Its texture axes are the projections, in units and texels |
//! | `rotation`, `lightmapscale`, `smoothing_groups` other than 0, 16, 0 | properties of the side, as are unknown keys |
//! | id of a side that an entity lists | property `id` of the side |
//! | displacements of a solid | mesh of triangles, as games split them; the weight of the second texture, from 0 to 1, is the first number of the attribute `VertexPaintBlendParams` |
//! | invalid solid with the vertices of Hammer++ | mesh of its polygons |
//! | material | material of that name |
//! | entity | entity at `origin` with `angles`; its other keys except `id` and `model` are properties |
//! | brush entity | entity at `origin`, with its brushes below it. Planes and `angles` keep their numbers |
//! | `info_overlay` | entity with the quad of its corners below it |
//! | `light`, `light_spot`, `light_environment`, `light_directional` | light with its keys as properties. Brightness and falloff are such that 255 is full light at a distance of 100 units |
//! | `func_instance` | prefab: `file`, and the variables of `replace01`… without `$`. Its name is the property `targetName`. Its names are fixed unless the property `fixupEntityNames` is `false`; postfixes have the property `fixup_style` |
//! | outputs | connections. If the map separates fields by the byte 0x1B, the scene has the property `output_separator` |
//! | block `hidden` | not visible |
//! | group | group, which has no name |
//! | visgroups | named sets; the property `within` is the index of the parent |
//! | cameras | cameras; the active one has the property `active` |
//! | cordons | list `cordons` of properties of the scene |
//! | `prefab`, `nGridSpacing`, `bShowGrid` | properties `isprefab`, `gridspacing`, `showgrid` of the scene, unless they are 0, 64 and 1 |
//! | comments of the mapper | property `comments` of the node |
//!
//! Lengths are inches, Z is up. Reported as losses: settings and colours of the editor, solids that are no bodies, sides of solids with
//! displacements that games do not draw, outputs with fewer than five fields and blocks that no editor of Valve writes.
//!
//! A scene becomes a map where it is convex: brushes and closed convex meshes become solids with new ids. Markers become `info_target`,
//! paths become `path_corner`. Everything else is a reported loss.

#![allow(clippy::arithmetic_side_effects, reason = "counts items in memory and computes with floats")]

mod capabilities;
mod conventions;
mod light_keys;
mod names;
mod options;
mod parts;
mod read;
mod write;

use std::borrow::Cow;

pub use mapwright_scene;
use mapwright_scene::{ColorSpace, Export, Import, Losses, Scene};

pub use capabilities::capabilities;
pub use conventions::{AXES, METRES_PER_UNIT};
pub use options::{ExportOptions, ImportOptions};

use crate::{Document, ReadError, WriteError};

/// Converts a map to a scene.
///
/// # Errors
/// None. Data that a scene cannot represent is left out and reported.
pub fn to_scene(document: &Document, _options: &ImportOptions) -> Result<Import, ReadError> {
    Ok(read::read_scene(document))
}

/// Creates a map from a scene. Lengths become inches if the scene states its unit.
///
/// # Errors
/// If the scene contradicts itself (see [`Scene::validate`]), or if the map would exceed [`ExportOptions::max_bytes`].
pub fn from_scene(scene: &Scene, options: &ExportOptions) -> Result<Export<Document>, WriteError> {
    let (document, losses) = write::write_scene(&to_map_units(scene), options)?;
    Ok(Export { document, losses })
}

/// Applies a changed scene to the map that it came from. Parts of the map that are the same in both scenes keep their bytes. Nodes find
/// their part by their [`key`](mapwright_scene::Node::key). Nodes without a key are new; parts without a node are removed.
///
/// # Errors
/// As [`from_scene`]. The map is unchanged then.
pub fn merge_scene(document: &mut Document, scene: &Scene, options: &ExportOptions) -> Result<Losses, WriteError> {
    let base = read::read_scene(document).scene;
    let scene = to_map_units(scene);
    if base == *scene {
        return Ok(Losses::new());
    }
    let (changed, losses) = write::merge_scene(document, &base, &scene, options)?;
    *document = changed;
    Ok(losses)
}

/// Returns the scene with lengths in inches and colours in sRGB.
fn to_map_units(scene: &Scene) -> Cow<'_, Scene> {
    let metres =
        scene.metres_per_unit.filter(|&metres| metres != METRES_PER_UNIT && metres.is_finite() && metres > 0.0);
    if metres.is_none() && scene.color_space == ColorSpace::Srgb {
        return Cow::Borrowed(scene);
    }
    let mut scene = scene.clone();
    if let Some(metres) = metres {
        scene.scale(metres / METRES_PER_UNIT);
        scene.metres_per_unit = Some(METRES_PER_UNIT);
    }
    let space = std::mem::take(&mut scene.color_space);
    for (_, light) in scene.lights.iter_mut() {
        light.color = space.color_to_srgb(light.color);
    }
    Cow::Owned(scene)
}
