//! Reads and writes glTF 2.0: `.glb` files, or `.gltf` with files beside it.
//!
//! ```
//! use mapwright_interchange::gltf;
//! use mapwright_scene::NoFiles;
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
//! | node tree | nodes; hidden nodes are left out with their descendants, unless an option includes them |
//! | mesh | one primitive of triangles per material; only the surface: no holes, mirrors frozen |
//! | brush | a flat mesh of its polygons, with texture coordinates from its projections |
//! | n-gons | triangles, including those of concave polygons of up to 4096 vertices; `extras` restore the polygons |
//! | vertices | without duplicates; `_VERTEX` stores the vertex of the mesh |
//! | custom attributes | one for each mesh, because Blender confuses several; `extras` refer to the accessors of the others |
//! | hard edges | normals |
//! | UV sets | `TEXCOORD_n`, origin at the top left |
//! | colours | `COLOR_0` if the material uses them or there is none, else `_COLOR_n` |
//! | colour values | linear light |
//! | materials | metallic-roughness; classic terms in `extras` |
//! | separate metallic and roughness textures | one texture, blue and green |
//! | normal maps | with tangents |
//! | images | PNG and JPEG unchanged, pixels as PNG |
//! | lights | `KHR_lights_punctual` |
//! | instance sets | `EXT_mesh_gpu_instancing`; placeholder boxes of different sizes and colours for models in other files |
//! | numbers and order of instances | the columns `_ID` and `_ORDER`; models and ground contact in `extras` |
//! | terrains | nodes of at most 128 × 128 quads, each with a mesh of one primitive per material |
//! | water of terrains | a translucent rectangle |
//! | entities, prefabs, markers, paths, sounds, free properties | `extras` |
//! | unit | a root node that scales to metres, if the scene declares its unit |
//!
//! Everything else is reported as a [loss](mapwright_scene::Losses). `extras.mapwright` contains metadata with which [`to_scene`] restores
//! the scene; other programs ignore it. Such data is [preserved](mapwright_scene::LossKind::Preserved), or approximated if it looks
//! different in other programs.
//!
//! # Shear
//!
//! Nodes have no shear, and other programs decompose matrices. A node with a sheared transform gets an additional node around it; the
//! product of both transforms is that of the scene.
//!
//! # Terrains and instances
//!
//! Chunks of a terrain are child nodes of its node, with positions relative to their corner. A terrain of one chunk is on the node
//! itself. Normals follow the heights, so chunks meet without a seam. Texture coordinates advance by 1 per texture cell, u along the
//! columns and v along the rows. They continue from cell to cell, or restart in each cell if a texture of the material does not
//! repeat. If there are as many cells as heights, or a multiple of the cells, the last cells are cut. A quad has the material of the
//! cell in its middle. Cells without a material are ground without a material, since a hole would be visible through the water. If the
//! terrain is too large for one file, [`ExportOptions::terrain_step`] reduces it.
//!
//! Placeholders for models in other files are guessed from their names: tree, forest, bush, house, wall, rock, road or thing. The centre
//! of the box is the position of the instance. Instances that follow the ground are placed on a terrain below them, if it has the same
//! axes. Sheared matrices are approximated by the nearest translation, rotation and scale, because `EXT_mesh_gpu_instancing` has no
//! shear.
//!
//! [`ExportOptions::bake_boxes`] merges the boxes of a set into meshes. Blender creates an object for every instance, but then opens a
//! hundred thousand boxes in ten seconds.
//!
//! # What is read
//!
//! Both containers; buffers in the container, in other files and in `data:` URIs; all component types, normalised, strided and sparse;
//! triangles, strips and fans. Colours of scenes are linear. Texture transforms are applied to texture coordinates. A node with a
//! property `classname` is an entity. Animations, skins, morph targets, points and lines are reported as losses. A document that
//! *requires* an unknown extension is rejected, unless the extension only changes the look of materials.

mod buffer;
mod container;
mod edges;
mod json;
mod options;
mod read;
mod write;

use mapwright_scene::{Capabilities, Export, Feature, FileSource, Files, Import, Scene};

pub use options::{Container, ExportOptions, ImportOptions};

use crate::Error;

/// More sets do not fit into the 252 bytes that a vertex may have.
const MAX_UV_SETS: usize = 16;
const MAX_COLOR_SETS: usize = 6;

/// Writes a scene. Images that the scene only refers to are loaded from `files`.
///
/// Equal scenes and options give equal bytes.
///
/// # Errors
/// For a scene with an [error](mapwright_scene::Severity::Error); if a position, a transform or the unit does not fit into 32
/// bits; if a binary container would have 4 GiB or more.
pub fn from_scene(scene: &Scene, files: &dyn FileSource, options: &ExportOptions) -> Result<Export<Files>, Error> {
    write::from_scene(scene, files, options)
}

/// Reads a document, `.glb` or `.gltf`. Buffers and images in other files are loaded from `files`; missing images stay
/// references.
///
/// Nodes, meshes, materials, images, lights and cameras keep their order and numbers.
///
/// # Errors
/// If the document contradicts the format, with the path in the JSON and, if known, the position; if a buffer is missing; if
/// the document requires an unknown extension; if a limit of the options is reached.
pub fn to_scene(bytes: &[u8], files: &dyn FileSource, options: &ImportOptions) -> Result<Import, Error> {
    read::to_scene(bytes, files, options)
}

/// Returns `true` if a node of a document has a mesh. Buffers and images are not read.
///
/// # Errors
/// If the JSON or the container contradicts the format.
pub fn has_meshes(bytes: &[u8]) -> Result<bool, Error> {
    read::has_meshes(bytes)
}

/// Returns the features that a document can store with the default options, up to rounded numbers.
pub fn capabilities() -> Capabilities {
    capabilities_with(&ExportOptions::default())
}

/// Returns the features that a document can store.
fn capabilities_with(options: &ExportOptions) -> Capabilities {
    use Feature as F;
    const NOTE: &str = "stored in glTF `extras`, which most programs ignore";
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
        .preserved(&[F::LockedNodes, F::Markers, F::Sounds, F::Paths, F::Entities, F::Prefabs, F::SetNames], NOTE)
        .preserved(&[F::LightTerms, F::AimPoints], NOTE)
        .preserved(&[F::ClassicTerms, F::MaterialReferences, F::TextureSizes], NOTE)
        .approximated(F::Mirrors, "replaced by its reflection")
        .approximated(F::Brushes, "as a mesh")
        .approximated(F::Terrains, "as a mesh")
        .approximated(F::WaterLevels, "as a rectangle")
        .approximated(F::SeparateMetalRoughTextures, "merged into one");
    if options.hidden {
        capabilities = capabilities.approximated(F::HiddenNodes, "visible in other programs");
    }
    if options.polygons {
        capabilities
            .preserved(&[F::Polygons], "triangulated for other programs")
            .approximated(F::HiddenFaces, "visible in other programs")
    } else {
        capabilities.approximated(F::Polygons, "triangulated").approximated(F::HiddenFaces, "shown")
    }
}
