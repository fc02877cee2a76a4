//! The scene model of mapwright.

mod arena;
mod brush;
mod camera;
pub mod conventions;
mod edges;
mod entity;
mod geometry;
mod image;
mod instances;
mod light;
mod loss;
mod material;
mod mesh;
mod normals;
mod property;
mod scene;
mod sets;
mod terrain;
mod tiles;
pub mod transform;

pub use arena::{Arena, Id};
pub use brush::{Brush, BrushSide, TextureProjection};
pub use camera::{Camera, Projection};
pub use conventions::AxisChange;
pub use edges::EdgeSide;
pub use entity::{Connection, Entity, Path, PathEdge, PathPoint, Sound};
pub use image::{Image, ImageSource, PixelFormat, Pixels};
pub use instances::{InstanceSet, InstanceTransforms, Model};
pub use light::{Attenuation, IntensityUnit, Light, LightKind};
pub use loss::{Export, Import, Loss, LossKind, Losses};
pub use material::{AlphaMode, ClassicMaterial, Material, TextureSlot, TextureUsage, VertexColors, Wrap};
pub use mesh::{Attribute, ColorSet, Domain, FaceFlags, Faces, Mesh, Smoothing, UvOrigin, UvSet};
pub use property::{Properties, Value};
pub use scene::{
    BrushId, CameraId, ColorSpace, Content, EntityId, ImageId, InstanceSetId, LightId, MaterialId, MeshId, Node,
    NodeId, PathId, Prefab, Scene, SoundId, TerrainId, TileLayerId, TileSetId, Visit, Walk,
};
pub use sets::{Elements, NamedSet};
pub use terrain::{Diagonal, Heights, Terrain};
pub use tiles::{Cell, Collision, Tile, TileLayer, TileSet};
pub use transform::Transform;
