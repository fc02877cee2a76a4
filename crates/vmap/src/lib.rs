//! Source 2 Hammer maps.

mod document;
mod edit;
mod error;
pub mod mesh;
mod options;
mod read;
mod schema;
mod validate;
mod write;

pub use mapwright_dmx as dmx;
pub use mapwright_io as io;

pub use document::{
    Asset, AssetKind, AssetUse, Binding, Cable, Camera, Census, Choice, ChoiceGroup, Connection, Cordon, Document,
    Entity, FORMAT, FaceSelection, GameObject, Group, HiddenFlags, Instance, InstanceData, MapMesh, MeshTotals,
    NavData, Node, NodeId, NodeKind, Nodes, ObjectSelection, Path, PathNode, Plug, Prefab, Root, SelectionData,
    SelectionSet, StaticOverlay, Texts, Thumbnail, TileGrid, TileLayer, TileMesh, TileObject, Transform, Variable,
    Variables, Visibility, Visit, World, sniff,
};
pub use edit::{EditOptions, Editor, MapOptions, Output};
pub use error::{ReadError, ReadErrorKind, WriteError, WriteErrorKind};
pub use mesh::Mesh;
pub use options::{ReadOptions, WriteOptions};
