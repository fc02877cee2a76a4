//! glTF 2.0, as `.glb` or as `.gltf` with files beside it, out and in.
//!
//! ```
//! use mapwright_interchange::{NoFiles, gltf};
//! use mapwright_scene::{Content, Mesh, Node, Scene};
//!
//! let mut scene = Scene::default();
//! let mesh = scene.meshes.push(Mesh {
//!     positions: vec![[0.0; 3], [2.0, 0.0, 0.0], [2.0, 1.0, 0.0], [1.0, 1.0, 0.0], [0.0, 2.0, 0.0]],
//!     faces: [[0, 1, 2, 3, 4]].into_iter().collect(),
//!     ..Mesh::default()
//! });
//! scene.add_node(None, Node::new("L", Content::Mesh(mesh)));
//!
//! let glb = gltf::from_scene(&scene, &NoFiles, &gltf::ExportOptions::default())?;
//! let back = gltf::to_scene(&glb.document.main, &NoFiles, &gltf::ImportOptions::default())?;
//! assert_eq!(back.scene.meshes.items(), scene.meshes.items());
//! # Ok::<(), mapwright_interchange::Error>(())
//! ```
//!
//! # What is written
//!
//! | scene | glTF |
//! |---|---|
//! | node tree | nodes; hidden ones and what is below them left out, unless an option says otherwise |
//! | mesh | one primitive per material, of triangles; the surface only: no holes, mirrors frozen |
//! | brush | a flat mesh of its polygons, with the texture coordinates that its projections give |
//! | n-gons | triangles of a correct triangulation, also where concave, up to 4096 corners; `extras` say how they make polygons |
//! | vertices | each different one once; `_VERTEX` says which are one vertex of the mesh |
//! | hard edges | normals |
//! | UV sets | `TEXCOORD_n`, origin at the top left |
//! | colours | `COLOR_0` where the material shows them, else `_COLOR_n` |
//! | colour values | linear light |
//! | materials | metallic-roughness; classic terms in `extras` |
//! | separate metallic and roughness pictures | one picture, blue and green |
//! | normal maps | with tangents |
//! | images | PNG and JPEG as they are, pixels as PNG |
//! | lights | `KHR_lights_punctual` |
//! | instance sets | `EXT_mesh_gpu_instancing`; boxes of different sizes and colours stand for models that are elsewhere |
//! | numbers and order of instances | the columns `_ID` and `_ORDER`; models and ground contact in `extras` |
//! | height fields | nodes of at most 128 × 128 quads, each with a mesh of one primitive per material |
//! | water of height fields | a translucent rectangle |
//! | entities, prefabs, markers, free properties | `extras` |
//! | unit | a root node that scales to metres, where the scene says what its unit is |
//!
//! Everything else, and everything that only comes near, is in the [losses](mapwright_scene::Losses). What stands in `extras.mapwright`
//! is for [`to_scene`] to give the same scene back; other programs pass over it. What they therefore do not see is among the
//! losses as [kept](mapwright_scene::LossKind::Preserved), or as approximated where it looks different to them.
//!
//! # Height fields and instances
//!
//! Chunks of a height field stand below its node, with positions that count from their corner; a field of one chunk is on the node
//! itself. Normals follow the heights, so that chunks meet without a seam. Texture coordinates are 1 for each texture cell,
//! u along the columns and v along the rows; they go on from cell to cell, or begin anew in each where a picture of the
//! material does not repeat. Where there are as many cells as heights, or heights are a multiple of the cells, the last cells are cut.
//! A quad has the material of the cell in which its middle lies. Cells without a material are land without a material, since
//! a hole would be seen through the water. Where all of it is too large for one file, [`ExportOptions::terrain_step`] thins it out.
//!
//! What stands for a model that is elsewhere is a guess from its name: tree, forest, bush, house, wall, rock, road or
//! thing. The box has its middle where the instance is; instances that are to be on the ground stand on it where a height field
//! with the same axes is below them. `EXT_mesh_gpu_instancing` has no shear: matrices that do become the nearest that it has.
//!
//! [`ExportOptions::bake_boxes`] makes meshes of the boxes of a set. Blender, which makes an object of every instance, opens a
//! hundred thousand in ten seconds then.
//!
//! # What is read
//!
//! Both containers; buffers in the container, beside it and in `data:` URIs; all component types, normalised, strided and sparse;
//! triangles, strips and fans. Scenes come back in linear colours. Animations, skins, morph targets, points and lines are reported as
//! losses; a document that *requires* an extension that this crate does not know is refused.

mod container;
mod edges;
mod json;
mod options;
mod read;
mod write;

use mapwright_scene::{Capabilities, Export, Feature, Import, Scene};

pub use options::{Container, ExportOptions, ImportOptions};

use crate::{Error, FileSource, Files};

/// More sets than these do not fit the 252 bytes that a vertex may have.
const MAX_UV_SETS: usize = 16;
const MAX_COLOR_SETS: usize = 6;

/// Writes a scene. Pictures that the scene only names are taken from `files`, if it has them.
///
/// Equal scenes and options give equal bytes.
///
/// # Errors
/// When the scene has a [broken](mapwright_scene::Severity::Broken) part; when a position, a transform or the unit does not fit
/// 32 bits; when a binary container would have 4 GiB or more.
pub fn from_scene(scene: &Scene, files: &dyn FileSource, options: &ExportOptions) -> Result<Export<Files>, Error> {
    write::from_scene(scene, files, options)
}

/// Reads a document, `.glb` or `.gltf`. Buffers and pictures beside it are taken from `files`; pictures that are not
/// there stay references.
///
/// Nodes, meshes, materials, images, lights and cameras keep their order and numbers.
///
/// # Errors
/// When the document contradicts the format: with the path in the JSON and, where there is one, the place in the bytes. When
/// a buffer cannot be had. When the document requires an unknown extension. When a limit of the options is reached.
pub fn to_scene(bytes: &[u8], files: &dyn FileSource, options: &ImportOptions) -> Result<Import, Error> {
    read::to_scene(bytes, files, options)
}

/// What a document can say with the default options: what comes back equal, up to numbers that are rounded.
pub fn capabilities() -> Capabilities {
    capabilities_with(&ExportOptions::default())
}

/// What a document can say.
fn capabilities_with(options: &ExportOptions) -> Capabilities {
    use Feature as F;
    const NOTE: &str = "in a note that other programs pass over";
    let mut capabilities = Capabilities::none()
        .full(&[F::Hierarchy, F::Transforms, F::Instances, F::Unit])
        .full(&[F::Meshes, F::Uvs, F::MoreUvSets, F::Colors, F::MoreColorSets, F::HardEdges, F::Normals])
        .full(&[F::DirectionalLights, F::PointLights, F::SpotLights, F::LightFalloff, F::LightUnits])
        .full(&[F::Cameras, F::OrthographicCameras, F::Materials, F::MetallicRoughness, F::Emission])
        .full(&[F::Alpha, F::AlphaMask, F::DoubleSided, F::VertexColorModes])
        .full(&[F::BaseColorTextures, F::NormalTextures, F::MetallicRoughnessTextures, F::OcclusionTextures])
        .full(&[F::EmissionTextures, F::TextureSettings, F::TextureUvSets, F::EmbeddedImages, F::ExternalImages])
        .full(&[F::SceneProperties, F::NodeProperties, F::MeshProperties, F::MaterialProperties, F::LightProperties])
        .full(&[F::BrushProperties])
        .full(&[F::SceneNames, F::MeshNames, F::SharedMeshes])
        .preserved(&[F::LockedNodes, F::Markers, F::Entities, F::Prefabs, F::SetNames], NOTE)
        .preserved(&[F::LightTerms, F::AimPoints], NOTE)
        .preserved(&[F::ClassicTerms, F::MaterialReferences, F::TextureSizes], NOTE)
        .approximated(F::Mirrors, "frozen")
        .approximated(F::Brushes, "a mesh")
        .approximated(F::Terrains, "a mesh")
        .approximated(F::WaterLevels, "a rectangle")
        .approximated(F::SeparateMetalRoughTextures, "merged into one");
    if options.hidden {
        capabilities = capabilities.approximated(F::HiddenNodes, "shown by other programs");
    }
    if options.polygons {
        capabilities
            .preserved(&[F::Polygons], "triangles to other programs")
            .approximated(F::HiddenFaces, "shown by other programs")
    } else {
        capabilities.approximated(F::Polygons, "triangulated").approximated(F::HiddenFaces, "shown")
    }
}
