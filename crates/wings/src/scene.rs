//! `.wings` ⇄ scene: what a document means.
//!
//! | in the file | in the scene |
//! |---|---|
//! | object | node with a mesh; hidden and locked as flags; a folder is a group around it |
//! | winged edges | polygons, from the lowest-numbered edge on; hard edges by their vertices |
//! | hidden faces, holes, mirror face | face flags, [`mirror`](mapwright_scene::Mesh::mirror) |
//! | UVs | one set with its origin at the lower left, values untouched |
//! | colours | one set; in an object that has any colour, a corner without one is white |
//! | material | base colour, emission, metallic and roughness (computed as Wings does where a file is older), the older terms where they say more |
//! | image | pixels from the top row on, or a path |
//! | light | node at its position, turned to its aim, which is also kept exactly |
//! | view | camera, with the orbit that Wings stores among its properties |
//! | selection, groups | named sets; the selection is the one without a name |
//! | `default` | a material only where the file has one; faces without a material have none. Wings 2.1 and later show their own in its place |
//!
//! Wings stores vertices in the space of the scene, without transforms and without a unit.

mod cameras;
mod folders;
mod from;
mod images;
mod lights;
mod materials;
mod meshes;
mod objects;
mod sets;
mod terms;
mod to;

pub use mapwright_scene;
use mapwright_scene::{AxisChange, Capabilities, Estimate, Export, Feature, Import, Losses, Scene};

use crate::{Document, EncodeOptions, ReadError, WriteError};

/// How the axes of files become those of scenes: not at all. Both are right-handed with Y up, and a camera without
/// rotation looks along −Z.
pub const AXES: AxisChange = AxisChange::NONE;

/// How to make a scene of a document.
#[derive(Debug, Clone, Default)]
#[non_exhaustive]
pub struct ImportOptions {
    /// What becomes of virtual mirrors.
    pub mirror: Mirror,
}

/// What becomes of virtual mirrors.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Mirror {
    /// They stay virtual.
    #[default]
    Keep,
    /// Both halves become real, as when Wings exports.
    Freeze,
}

impl ImportOptions {
    /// Changes [`mirror`](Self::mirror).
    #[must_use]
    pub fn with_mirror(mut self, mirror: Mirror) -> Self {
        self.mirror = mirror;
        self
    }
}

/// How to make a document of a scene.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct ExportOptions {
    /// How the document is spelled and packed. The default is what every Wings since 1.5 reads.
    pub encode: EncodeOptions,
    /// When vertices at the same place become one.
    pub weld: Weld,
    /// Maximum size of the output in bytes, and of the memory to create it. An estimate is checked before anything is created.
    /// Default: 2 GiB.
    pub max_bytes: u64,
}

impl Default for ExportOptions {
    fn default() -> Self {
        Self { encode: EncodeOptions::default(), weld: Weld::default(), max_bytes: Estimate::MAX_BYTES }
    }
}

/// When vertices at the same place become one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Weld {
    /// In a mesh that is open, if that closes some of it: other formats split vertices where texture coordinates or
    /// normals differ.
    #[default]
    Open,
    /// Never.
    Never,
}

impl ExportOptions {
    /// Changes [`encode`](Self::encode).
    #[must_use]
    pub fn with_encode(mut self, encode: EncodeOptions) -> Self {
        self.encode = encode;
        self
    }

    /// Changes [`weld`](Self::weld).
    #[must_use]
    pub fn with_weld(mut self, weld: Weld) -> Self {
        self.weld = weld;
        self
    }

    /// Changes [`max_bytes`](Self::max_bytes).
    #[must_use]
    pub fn with_max_bytes(mut self, max_bytes: u64) -> Self {
        self.max_bytes = max_bytes;
        self
    }
}

/// Makes a scene of a document.
///
/// # Errors
/// When the term as a whole is not that of a scene. Parts that cannot be understood are losses.
pub fn to_scene(document: &Document, options: &ImportOptions) -> Result<Import, ReadError> {
    let mut reading = to::read(document)?;
    if options.mirror == Mirror::Freeze {
        for (_, mesh) in reading.scene.meshes.iter_mut() {
            if mesh.mirror.is_some() {
                *mesh = mesh.freeze_mirror().into_owned();
            }
        }
    }
    Ok(Import { scene: reading.scene, losses: reading.losses })
}

/// Makes a new document of a scene.
///
/// # Errors
/// When the scene contradicts itself (see [`Scene::validate`]), or a number cannot be spelled.
pub fn from_scene(scene: &Scene, options: &ExportOptions) -> Result<Export<Document>, WriteError> {
    let (model, losses) = from::write(scene, None, options)?;
    Ok(Export { document: Document::from_model_with(&model, &options.encode)?, losses })
}

/// Puts a changed scene back into the document that it came from. What the scene says as before stays as it is, down
/// to the byte; nodes find their object, light or view by their [`key`](mapwright_scene::Node::key), materials and images by their
/// place. Nodes without a key are new, and what no node leads to any more is removed.
///
/// # Errors
/// As [`from_scene`], when the document cannot be understood, and when it is of version 0 or 1 and something changed.
pub fn merge_scene(document: &mut Document, scene: &Scene, options: &ExportOptions) -> Result<Losses, WriteError> {
    let base = to::read(document).map_err(|error| error.map_kind(Into::into))?;
    if base.scene == *scene {
        return Ok(Losses::new());
    }
    let (model, losses) = from::write(scene, Some(&base), options)?;
    document.set_model(&model)?;
    Ok(losses)
}

/// What a document can say of a scene.
pub fn capabilities() -> Capabilities {
    use Feature as F;
    Capabilities::none()
        .full(&[F::Hierarchy, F::Transforms, F::HiddenNodes, F::LockedNodes, F::Meshes, F::Polygons])
        .full(&[F::Uvs, F::Colors, F::HardEdges, F::HiddenFaces, F::Holes, F::Mirrors])
        .full(&[F::AmbientLights, F::DirectionalLights, F::PointLights, F::SpotLights, F::AreaLights, F::OtherLights])
        .full(&[F::LightFalloff, F::LightTerms, F::AimPoints, F::Cameras])
        .full(&[F::Materials, F::MetallicRoughness, F::Emission, F::ClassicTerms, F::Alpha, F::DoubleSided])
        .full(&[F::VertexColorModes, F::BaseColorTextures, F::NormalTextures, F::BumpTextures])
        .full(&[F::SeparateMetalRoughTextures, F::OcclusionTextures, F::EmissionTextures, F::GlossTextures])
        .full(&[F::OtherTextures, F::OpacityTextures, F::EmbeddedImages, F::ExternalImages, F::Sets])
        // What these lose depends on the values: the parts that write them say so.
        .full(&[F::PartialUvs, F::Normals, F::LightProperties, F::TwoCornerFaces, F::SceneProperties])
        .full(&[F::SceneNames, F::MeshNames, F::SharedMeshes, F::LightUnits])
        .approximated(F::OrthographicCameras, "made perspective")
        .approximated(F::AlphaMask, "blended")
        .approximated(F::MetallicRoughnessTextures, "used for both, as if each were alone in it")
}

#[cfg(test)]
mod tests {
    #[test]
    fn the_axes_stay() {
        assert_eq!(super::AXES.apply([1.0, 2.0, 3.0]), [1.0, 2.0, 3.0]);
        assert!(!super::AXES.reverses_winding());
    }
}
