//! Conversion between maps and scenes.
//!
//! | in the map | in the scene |
//! |---|---|
//! | node | node. Maps store absolute transforms; scenes store them relative to the parent |
//! | name of a node | the name, else `targetname`, `classname` or the class. Renaming a node that only has a `targetname` changes that key; outputs that still use the old name are reported |
//! | `transformLocked`, hidden flags | locked, not visible (flags other than 1 as property `hiddenFlags`) |
//! | other attributes of nodes | properties, unless they have their default value; the class as `$class` if the content does not imply it |
//! | the world | entity `worldspawn` beside its children, if it differs from an empty world. It cannot be moved; an attempt is reported |
//! | entity | entity: class, model, key values in order, outputs (`DmeConnectionData`; `targetType` is 7 in all known files) |
//! | light (`light_omni`, …) | light with all key values as properties; colour, brightness, range and cone derived from them |
//! | mesh, overlay, tile mesh | polygon mesh: texture coordinates, normals, painted colour, hard and soft edges, texture projections; `smoothingAngle` for other edges; other streams, such as `tangent` and `blendweights`, as attributes |
//! | group | group |
//! | instance | instance of a node; a group used by instances is not shown at its own position |
//! | prefab, tile object | prefab with its overrides |
//! | path, cable | path; its path nodes as points |
//! | stored cameras | cameras, except for one at the default position |
//! | selection sets | named sets |
//! | nodes of other classes (navigation settings, tile grids, game objects, cordons) | groups with all attributes as properties |
//! | map variables, settings of the map | properties of the scene |
//! | materials | materials by reference |
//!
//! Lengths are inches, Z is up. Reported as losses: preview image, list of assets, baked light and,
//! unless [requested](Subdivision::Fine), the subdivision of faces. Two more losses occur in no known map: data shared between meshes
//! or between selection sets, and long strings (over 128 bytes) whose copies would exceed eight times the strings of the map plus 64 MiB.

#![allow(clippy::arithmetic_side_effects, reason = "counts items in memory and computes with floats")]

mod capabilities;
mod conventions;
mod defaults;
mod light_keys;
mod linked;
mod names;
mod options;
mod read;
mod stored_cameras;
mod streams;
mod tile_surface;
mod transforms;
mod write;

use std::borrow::Cow;

pub use mapwright_scene;
use mapwright_scene::{ColorSpace, Export, Import, Losses, Scene};

pub use capabilities::capabilities;
pub use conventions::{AXES, METRES_PER_UNIT};
pub use names::NODE_NUMBER;
pub use options::{ExportOptions, ImportOptions, Subdivision};

use crate::{Document, ReadError, WriteError};

/// Converts a map to a scene.
///
/// # Errors
/// If the graph has no world. Parts that cannot be read are losses.
pub fn to_scene(document: &Document, options: &ImportOptions) -> Result<Import, ReadError> {
    let (linked, losses) = read::read_scene(document, options.subdivision)?;
    Ok(Import { scene: linked.scene, losses })
}

/// Creates a map from a scene. Lengths become inches if the scene states its unit.
///
/// Hammer transforms have no shear, and its meshes have the scale 1. Shear and scale of a mesh are applied to its vertices, and so are
/// those of its parents. The scale of an entity with a model stays; for other nodes, shear and scale are losses.
///
/// # Errors
/// If the scene is inconsistent (see [`Scene::validate`]), or if the map would exceed [`ExportOptions::max_bytes`].
pub fn from_scene(scene: &Scene, options: &ExportOptions) -> Result<Export<Document>, WriteError> {
    let mut document = Document::new_with(&options.map);
    let losses = write::write_scene(&mut document, &to_map_units(scene), scene.color_space, None, options)?;
    Ok(Export { document, losses })
}

/// Writes a changed scene back into the map that it was read from. Unchanged parts of the scene keep their bytes. Nodes
/// find their element by their [`key`](mapwright_scene::Node::key), selection sets by their index. Nodes without a
/// key are new; elements that neither roots nor instances reach any more are removed. If an error occurs, the map is unchanged.
///
/// # Errors
/// As [`from_scene`], and if the map has no world.
pub fn merge_scene(document: &mut Document, scene: &Scene, options: &ExportOptions) -> Result<Losses, WriteError> {
    let (base, _) = read::read_scene(document, Subdivision::Coarse).map_err(|error| error.map_kind(Into::into))?;
    let color_space = scene.color_space;
    let scene = to_map_units(scene);
    if base.scene == *scene {
        return Ok(Losses::new());
    }
    let mut changed = document.clone();
    let losses = write::write_scene(&mut changed, &scene, color_space, Some(&base), options)?;
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
    if space == ColorSpace::Linear {
        for (_, light) in scene.lights.iter_mut() {
            light.color = space.color_to_srgb(light.color);
        }
        for set in scene.meshes.iter_mut().flat_map(|(_, mesh)| &mut mesh.color_sets) {
            set.convert_to_srgb(space);
        }
    }
    Cow::Owned(scene)
}
