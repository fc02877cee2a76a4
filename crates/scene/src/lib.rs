//! The scene model of `mapwright`: what a level or model means, whatever format it
//! came from.
//!
//! A format crate keeps its document without losing a byte; the scene is where documents of different formats meet. It
//! knows no format, reads no file, and has no dependency of weight. Its types have room for five formats (Wings 3D
//! `.wings`, Source 2 `.vmap`, 3D GameStudio WMP, WAP32 WWD, Real Virtuality WRP), and the docs of each item say what it is in each
//! of them.
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
//! assert_eq!(scene.meshes[mesh].corner_normals(), [[0.0, 0.0, 1.0]; 3]);
//! ```
//!
//! # Shape
//!
//! Items stand in [`Arena`]s of the [`Scene`], in the order in which they were added, and point to each other by [`Id`].
//! The tree of [`Node`]s says where they stand; [`Scene::walk`] goes through it. All fields are public:
//! [`Scene::validate`] says whether they fit together, and its contract is what exporters rely on.
//!
//! The frame is fixed by [`conventions`]: right-handed, Y up, −Z forward, counter-clockwise fronts, radians. Lengths,
//! colours and texture coordinates keep the values of the file, and the scene *declares* how to read them
//! ([`Scene::metres_per_unit`], [`Scene::color_space`], [`UvSet::origin`]): a change there and back would not give the
//! same numbers.
//!
//! # Losses
//!
//! Conversions answer with an [`Import`] or [`Export`], which carries [`Losses`]. What a target cannot say is computed
//! in one place, from its [`Capabilities`].
//!
//! # Limits and safety
//!
//! Nothing here panics on a broken scene except indexing an [`Arena`] with a foreign id, which says so. Nothing recurses over data, with one exception:
//! [`Value`]s nest, and whoever makes them keeps to [`Value::MAX_DEPTH`]. Meshes have at most 2³² − 1 vertices and
//! faces. All operations take linear or n·log n time.
//!
//! # Features
//!
//! * `serde`: `Serialize` for everything in a scene, for dumps. Ids are numbers, properties lists of pairs.
//!
//! # Layout
//!
//! | module | what |
//! |---|---|
//! | `arena` | arenas and ids |
//! | `scene`, `scale` | scene, nodes, walking; other units of length |
//! | [`transform`], [`conventions`] | transforms, vectors, axis changes, colour spaces |
//! | `mesh`, `edges`, `normals`, `geometry` | meshes and what can be done with them |
//! | `brush` | brushes: planes, their polygons, and meshes out of them and into them |
//! | `terrain`, `tiles`, `instances` | other shapes |
//! | `material`, `image`, `light`, `camera` | how it looks |
//! | `entity`, `property`, `sets` | things of the game, free values, selections |
//! | `shown`, `estimate`, `rejections` | the size of a scene with all copies, and limits of exports |
//! | `import`, `capabilities`, `uses`, `validate` | what goes wrong |

#![cfg_attr(not(test), deny(clippy::indexing_slicing, clippy::unwrap_used, clippy::expect_used, clippy::panic))]

mod arena;
mod brush;
mod camera;
mod capabilities;
// Their indices are constants, or run through arrays of known length.
#[allow(clippy::indexing_slicing)]
pub mod conventions;
mod edges;
mod entity;
mod estimate;
mod geometry;
mod image;
mod import;
mod instances;
mod light;
mod material;
mod mesh;
mod normals;
mod property;
mod rejections;
mod scale;
mod scene;
mod sets;
mod shown;
mod terrain;
mod tiles;
#[allow(clippy::indexing_slicing)]
pub mod transform;
mod uses;
mod validate;

pub use arena::{Arena, Id};
pub use brush::{Brush, BrushError, BrushPolygons, BrushSide, MeshBrush, TextureProjection};
pub use camera::{Camera, Projection};
pub use capabilities::{Capabilities, Feature, Support};
pub use conventions::AxisChange;
pub use edges::EdgeSide;
pub use entity::{Connection, Entity, Path, PathEdge, PathPoint, Sound};
pub use estimate::{Estimate, Excess, GrowthCheck, check_memory};
pub use image::{Image, ImageSource, PixelFormat, Pixels};
pub use import::Import;
pub use instances::{InstanceSet, InstanceTransforms, Model};
pub use light::{Attenuation, IntensityUnit, Light, LightKind};
pub use mapwright_io::{Export, Finding, Loss, LossKind, Losses, Severity};
pub use material::{AlphaMode, ClassicMaterial, Material, TextureSlot, TextureUsage, VertexColors, Wrap};
pub use mesh::{Attribute, ColorSet, Domain, FaceFlags, Faces, Mesh, Smoothing, UvOrigin, UvSet};
pub use property::{Properties, Value};
pub use rejections::Rejections;
pub use scene::{
    BrushId, CameraId, ColorSpace, Content, EntityId, ImageId, InstanceSetId, LightId, MaterialId, MeshId, Node,
    NodeId, PathId, Prefab, Scene, SoundId, TerrainId, TileLayerId, TileSetId, Visit, Walk,
};
pub use sets::{Elements, NamedSet};
pub use shown::{MeshCounts, Shown, ShownCounts};
pub use terrain::{Diagonal, Heights, Terrain};
pub use tiles::{Cell, Collision, Tile, TileLayer, TileSet};
pub use transform::Transform;

#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
