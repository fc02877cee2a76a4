//! The scene model of `mapwright`: the content of a level or model, independent of its format.
//!
//! Format crates preserve documents without losing a byte. Conversions between formats go through a scene. The scene knows no format,
//! opens no files and has few dependencies: files come from a [`FileSource`]. The module `scene` of each format crate lists the counterparts of its data in a scene.
//!
//! ```
//! use mapwright_scene::{Content, Mesh, Node, Scene, Severity};
//!
//! let mut scene = Scene::default();
//! let mesh = scene.meshes.push(Mesh {
//!     name: "Triangle".into(),
//!     positions: vec![[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]],
//!     faces: [[0, 1, 2]].into_iter().collect(),
//!     ..Mesh::default()
//! });
//! scene.add_node(None, Node::new("Triangle", Content::Mesh(mesh)));
//!
//! assert!(scene.validate().iter().all(|finding| finding.severity < Severity::Error));
//! assert_eq!(scene.meshes[mesh].corner_normals().get(2), Some([0.0, 0.0, 1.0]));
//! ```
//!
//! # Structure
//!
//! Items are in [`Arena`]s of the [`Scene`], in the order in which they were added, and refer to each other by [`Id`]. The tree of
//! [`Node`]s places them; [`Scene::walk`] visits it. All fields are public. [`Scene::validate`] checks that they fit together;
//! exporters rely on its contract.
//!
//! All scenes have the same [coordinate frame](conventions): right-handed, Y up, −Z forward, counter-clockwise fronts, radians.
//! Lengths, colours and texture coordinates keep the values of the file, and the scene declares their meaning
//! ([`Scene::metres_per_unit`], [`Scene::color_space`], [`UvSet::origin`]). Converting them and back would not give the same numbers.
//!
//! # Losses
//!
//! Conversions return an [`Import`] or [`Export`] with [`Losses`]. Losses that follow from the [`Capabilities`] of a format are computed
//! in one place.
//!
//! # Limits and safety
//!
//! Broken scenes cause no panic, except indexing an [`Arena`] with an id of another one. Nothing recurses over data, with one
//! exception: [`Value`]s nest, up to [`Value::MAX_DEPTH`]. Meshes have at most 2³² − 1 vertices and faces. All operations take linear or
//! n·log n time.
//!
//! # Features
//!
//! * `images`: the module `images`, which decodes and encodes image files.
//! * `parallel`: normals are computed and images are encoded with all threads of `rayon`.
//! * `serde`: `Serialize` for all types of a scene. Ids are numbers, and properties are lists of pairs.
//!
//! # Layout
//!
//! | module | content |
//! |---|---|
//! | `arena` | arenas and ids |
//! | `scene`, `scale` | scene, nodes, traversal; scaling |
//! | [`transform`], [`conventions`] | transforms, vectors, axis changes, colour spaces |
//! | `mesh`, `edges`, `normals`, `geometry` | meshes and operations on them |
//! | `brush` | brushes: planes, polygons, conversion from and to meshes |
//! | `terrain`, `tiles`, `instances` | other shapes |
//! | `material`, `image`, `light`, `camera` | appearance |
//! | `images` | image files, with the feature `images` |
//! | `files`, `bounded_output` | files that a document consists of or refers to; output within a limit |
//! | `entity`, `property`, `sets` | game objects, free values, selections |
//! | `occurrences`, `estimate`, `rejections` | the size of a scene with expanded instances, and limits of exports |
//! | `import`, `capabilities`, `features`, `validate` | results of conversions |

#![cfg_attr(not(test), deny(clippy::indexing_slicing, clippy::unwrap_used, clippy::expect_used, clippy::panic))]

// Indices are constants, or loop over arrays of known length.
#[allow(clippy::indexing_slicing)]
pub mod angles;
mod arena;
mod bounded_output;
mod brush;
pub mod build;
mod camera;
mod capabilities;
mod cell_layout;
#[allow(clippy::indexing_slicing)]
pub mod conventions;
mod corner_column;
mod edges;
mod entity;
mod estimate;
mod features;
mod files;
mod geometry;
mod image;
#[cfg(feature = "images")]
pub mod images;
mod import;
mod instances;
mod light;
mod material;
mod math;
mod mesh;
mod normals;
mod occurrences;
mod placeholder;
mod property;
mod rejections;
mod relative;
mod scale;
mod scene;
mod sets;
mod terrain;
mod tiles;
#[allow(clippy::indexing_slicing)]
pub mod transform;
mod uv_sets;
mod validate;

pub use arena::{Arena, Id};
pub use bounded_output::BoundedOutput;
pub use brush::{Brush, BrushError, BrushPolygons, BrushSide, MeshBrush, TextureProjection};
pub use camera::{Camera, Projection};
pub use capabilities::{Capabilities, Feature, Support};
pub use cell_layout::{CellLayout, Stagger};
pub use conventions::AxisChange;
pub use corner_column::{CornerColumn, NO_ROW};
pub use edges::EdgeSide;
pub use entity::{Connection, Entity, Path, PathEdge, PathPoint, Sound};
pub use estimate::{Estimate, Excess, GrowthCheck, check_memory};
pub use files::{FileError, FileKind, FileSource, Files, MAX_FILE_STEM, NoFiles, SideFile, name_prefix};
pub use image::{Image, ImageSource, PixelFormat, Pixels};
pub use import::Import;
pub use instances::{InstanceSet, InstanceTransforms, Model};
pub use light::{Attenuation, IntensityUnit, Light, LightKind};
pub use mapwright_io::{Export, Finding, Loss, LossKind, Losses, Severity};
pub use material::{AlphaMode, ClassicMaterial, Material, TextureSlot, TextureUsage, VertexColors, Wrap};
pub use mesh::{Attribute, ColorSet, Domain, FaceFlags, Faces, Mesh, Smoothing, UvOrigin, UvSet};
pub use occurrences::{ExpandedCounts, MeshCounts, Occurrences};
pub use placeholder::PlaceholderBox;
pub use property::{Properties, Value};
pub use rejections::Rejections;
pub use scene::{
    BrushId, CameraId, ColorSpace, Content, EntityId, ImageId, InstanceSetId, LightId, MaterialId, MeshId, Node,
    NodeId, PathId, Prefab, Scene, SoundId, TerrainId, TileLayerId, TileSetId, Visit, Walk,
};
pub use sets::{Elements, NamedSet};
pub use terrain::{Diagonal, Heights, Terrain};
pub use tiles::{Cell, Collision, Tile, TileLayer, TileSet};
pub use transform::Transform;

#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
