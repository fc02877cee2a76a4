//! `.vmap` ⇄ scene: what a map means.
//!
//! | in the file | in the scene |
//! |---|---|
//! | node | node; its place, which files tell in the world, in the space of its parent |
//! | name of a node | the name, else `targetname`, `classname` or the class; on the way back a node that is known by its `targetname` alone is renamed there, and outputs that still name it as it was are told |
//! | `transformLocked`, hidden flags | locked, not visible (flags other than 1 as property `hiddenFlags`) |
//! | other attributes of nodes | properties, if they do not say what they say as a rule; the class as `$class` where the content does not tell it |
//! | the world | entity `worldspawn`, beside its children, if it says anything; moved, it stays where it is, which is told |
//! | entity | entity: class, model, key values in order, outputs |
//! | light (`light_omni`, …) | light with all key values as properties; colour, brightness, range and cone from them |
//! | mesh, overlay, tile mesh | polygon mesh: texture coordinates, normals, painted colour, hard and soft edges, texture projections; other streams as attributes |
//! | group | group |
//! | instance | instance of a node; a group that is shown so has no place of its own |
//! | prefab, tile object | prefab with its overrides |
//! | path, cable | path; its path nodes as points |
//! | stored cameras | cameras, but for one where a new map has it |
//! | selection sets | named sets |
//! | nodes of other classes (settings of navigation, tile grids, game objects, cordons) | groups with everything they say as properties |
//! | map variables, settings of the map | properties of the scene |
//! | materials | materials by reference |
//!
//! Lengths are inches, Z is up. What is not in the scene is told as a loss: preview picture, list of assets, baked light, and,
//! unless [it is asked for](Subdivision::Fine), the subdivision of faces; also what no known map has: data of meshes and of selection
//! sets that others have, too, and long texts (of more than 128 bytes) that are repeated until all of them take more than eight times
//! the strings of the map and 64 MiB.

#![allow(clippy::arithmetic_side_effects, reason = "it computes with floats, and counts what is in memory")]

mod angles;
mod attributes;
mod bake;
mod brushes;
mod cameras;
mod columns;
mod entities;
mod from;
mod lights;
mod live;
mod loops;
mod meshes;
mod names;
mod paths;
mod sets;
mod shapes;
mod shown;
mod to;
mod tree;
mod values;

use std::borrow::Cow;

pub use mapwright_scene;
use mapwright_scene::{AxisChange, Capabilities, ColorSpace, Estimate, Export, Feature, Import, Losses, Scene};

use crate::{Document, EditOptions, MapOptions, ReadError, WriteError};

/// How the axes of files become those of scenes: (x, y, z) → (x, z, −y). Both are right-handed; in files Z is up and entities
/// look along X.
pub const AXES: AxisChange = AxisChange::Z_UP_TO_Y_UP;

/// Metres in a unit of length: a unit is an inch.
pub const METRES_PER_UNIT: f64 = 0.0254;

/// How to make a scene of a map.
#[derive(Debug, Clone, Default)]
#[non_exhaustive]
pub struct ImportOptions {
    /// What becomes of subdivided and displaced faces.
    pub subdivision: Subdivision,
}

/// What becomes of subdivided and displaced faces.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Subdivision {
    /// They stay as coarse as their corners, so that the scene can be put back into its map.
    #[default]
    Coarse,
    /// Their quads become faces, moved as the samples say: what players see.
    Fine,
}

impl ImportOptions {
    /// Changes [`subdivision`](Self::subdivision).
    #[must_use]
    pub fn with_subdivision(mut self, subdivision: Subdivision) -> Self {
        self.subdivision = subdivision;
        self
    }
}

/// How to make a map of a scene.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct ExportOptions {
    /// What a new map is to be.
    pub map: MapOptions,
    /// What the identities of new elements are made of when a map is changed.
    pub edit: EditOptions,
    /// Maximum size of the output in bytes, and of the memory to create it. An estimate is checked before anything is created.
    /// Default: 2 GiB.
    pub max_bytes: u64,
}

impl Default for ExportOptions {
    fn default() -> Self {
        Self { map: MapOptions::default(), edit: EditOptions::default(), max_bytes: Estimate::MAX_BYTES }
    }
}

impl ExportOptions {
    /// Changes [`map`](Self::map).
    #[must_use]
    pub fn with_map(mut self, map: MapOptions) -> Self {
        self.map = map;
        self
    }

    /// Changes [`edit`](Self::edit).
    #[must_use]
    pub fn with_edit(mut self, edit: EditOptions) -> Self {
        self.edit = edit;
        self
    }

    /// Changes [`max_bytes`](Self::max_bytes).
    #[must_use]
    pub fn with_max_bytes(mut self, max_bytes: u64) -> Self {
        self.max_bytes = max_bytes;
        self
    }
}

/// Makes a scene of a map.
///
/// # Errors
/// When the graph has no world. Parts that cannot be understood are losses.
pub fn to_scene(document: &Document, options: &ImportOptions) -> Result<Import, ReadError> {
    let reading = to::read(document, options.subdivision)?;
    Ok(Import { scene: reading.scene, losses: reading.losses })
}

/// Makes a new map of a scene. Lengths become inches if the scene says what its unit is.
///
/// Nodes of maps are moved, turned and scaled. Where the place of a mesh shears, as below a turned parent of uneven scale, the rest
/// goes into its vertices; of other nodes it is a loss.
///
/// # Errors
/// When the scene contradicts itself (see [`Scene::validate`]).
pub fn from_scene(scene: &Scene, options: &ExportOptions) -> Result<Export<Document>, WriteError> {
    let mut document = Document::new_with(&options.map);
    let losses = from::write(&mut document, &as_in_maps(scene), scene.color_space, None, options)?;
    Ok(Export { document, losses })
}

/// Puts a changed scene back into the map that it came from. What the scene says as before stays as it is, down to the byte; nodes
/// find their element by their [`key`](mapwright_scene::Node::key), selection sets by their place in the list. Nodes without a
/// key are new, and what neither roots nor instances lead to any more is removed. When it fails the map is as it was.
///
/// # Errors
/// As [`from_scene`], and when the map has no world.
pub fn merge_scene(document: &mut Document, scene: &Scene, options: &ExportOptions) -> Result<Losses, WriteError> {
    let base = to::read(document, Subdivision::Coarse).map_err(|error| error.map_kind(Into::into))?;
    let space = scene.color_space;
    let scene = as_in_maps(scene);
    if base.scene == *scene {
        return Ok(Losses::new());
    }
    let mut changed = document.clone();
    let losses = from::write(&mut changed, &scene, space, Some(&base), options)?;
    *document = changed;
    Ok(losses)
}

/// The scene in the unit and the colours of maps.
fn as_in_maps(scene: &Scene) -> Cow<'_, Scene> {
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
        for color in scene.meshes.iter_mut().flat_map(|(_, mesh)| &mut mesh.color_sets).flat_map(|set| &mut set.corners)
        {
            *color = color.map(|[r, g, b, a]| {
                let [r, g, b] = space.to_srgb([r, g, b].map(f64::from)).map(values::narrow);
                [r, g, b, a]
            });
        }
    }
    Cow::Owned(scene)
}

/// What a map can say of a scene.
pub fn capabilities() -> Capabilities {
    use Feature as F;
    Capabilities::none()
        .full(&[F::Unit, F::Hierarchy, F::Transforms, F::HiddenNodes, F::LockedNodes, F::NodeInstances, F::Prefabs])
        .full(&[F::Meshes, F::Polygons, F::Uvs, F::MoreUvSets, F::Colors, F::HardEdges, F::Normals, F::Projections])
        .full(&[F::Attributes, F::Entities, F::Paths, F::Materials, F::MaterialReferences, F::Sets])
        .full(&[F::DirectionalLights, F::PointLights, F::SpotLights, F::AreaLights, F::AmbientLights, F::Cameras])
        .full(&[F::AimPoints, F::NodeProperties, F::SceneProperties])
        // What these lose depends on the values: the parts that write them say so.
        .full(&[F::SetNames, F::MeshNames, F::MeshProperties, F::LightProperties, F::PartialUvs, F::OtherLights])
        .full(&[F::SharedMeshes])
        .full(&[F::LightFalloff, F::LightTerms])
        .approximated(F::Instances, "a node for each")
        .approximated(F::Brushes, "as a mesh")
        .approximated(F::Terrains, "as a mesh of triangles")
        .approximated(F::Markers, "as an info_target")
        .approximated(F::Mirrors, "made real")
        .approximated(F::Holes, "left open")
        .approximated(F::TextureSizes, "only used to fit projections")
        .approximated(F::LightUnits, "as plain brightness")
}

/// What a map cannot say that no capability tells; `space`: that of the colours before they became those of maps.
fn report(scene: &Scene, space: ColorSpace, losses: &mut Losses) {
    if scene.metres_per_unit.is_none() {
        losses.synthesized("metres_per_unit", "a unit is an inch");
    }
    let has_colors = !scene.lights.is_empty() || scene.meshes.iter().any(|(_, mesh)| !mesh.color_sets.is_empty());
    if space == ColorSpace::Linear && has_colors {
        losses.approximated("color_space", "colours, computed for a screen");
    }
}

#[cfg(test)]
mod tests {
    #[test]
    fn up_is_up_and_west_is_north() {
        assert_eq!(super::AXES.apply([1.0, 2.0, 3.0]), [1.0, 3.0, -2.0]);
        assert!(!super::AXES.reverses_winding());
    }
}
