//! Kinds of nodes.

use super::grid::{NavData, TileGrid};
use super::node::Node;
use super::parts::{Cordon, GameObject, Group, Instance, Prefab, TileObject};
use super::path::{Cable, Path, PathNode};
use super::root::World;
use super::solid::{MapMesh, StaticOverlay, TileMesh};
use super::{entity::Entity, visibility::Visibility};

/// A node by its class. Classes are an open set: unknown ones are [`Other`](NodeKind::Other), with all their attributes.
#[derive(Debug, Clone, Copy)]
#[non_exhaustive]
pub enum NodeKind<'a> {
    /// `CMapWorld`.
    World(World<'a>),
    /// `CMapEntity`.
    Entity(Entity<'a>),
    /// `CMapMesh`.
    Mesh(MapMesh<'a>),
    /// `CMapStaticOverlay`.
    StaticOverlay(StaticOverlay<'a>),
    /// `CMapTileMesh`.
    TileMesh(TileMesh<'a>),
    /// `CMapGroup`, `CMapWorldLayer`.
    Group(Group<'a>),
    /// `CMapInstance`.
    Instance(Instance<'a>),
    /// `CMapPrefab`.
    Prefab(Prefab<'a>),
    /// `CMapGameObject` of s&box.
    GameObject(GameObject<'a>),
    /// `CMapCordon`.
    Cordon(Cordon<'a>),
    /// `CMapCable`.
    Cable(Cable<'a>),
    /// `CMapPath`, `CTrajectoryPath`.
    Path(Path<'a>),
    /// `CMapPathNode`, `CTrajectoryPathNode`.
    PathNode(PathNode<'a>),
    /// `CMapNavData`.
    NavData(NavData<'a>),
    /// `CMapDotaTileGrid`.
    TileGrid(TileGrid<'a>),
    /// `CMapTileObject`.
    TileObject(TileObject<'a>),
    /// `CVisibilityMgr`.
    Visibility(Visibility<'a>),
    /// Another class, or an entity without key values.
    Other(Node<'a>),
}

impl<'a> Node<'a> {
    /// Returns the view for the node's class.
    pub fn kind(self) -> NodeKind<'a> {
        let element = self.0;
        match self.class() {
            b"CMapWorld" => NodeKind::World(World(element)),
            b"CMapEntity" => self.entity().map_or(NodeKind::Other(self), NodeKind::Entity),
            b"CMapMesh" => NodeKind::Mesh(MapMesh(element)),
            b"CMapStaticOverlay" => NodeKind::StaticOverlay(StaticOverlay(element)),
            b"CMapTileMesh" => NodeKind::TileMesh(TileMesh(element)),
            b"CMapGroup" | b"CMapWorldLayer" => NodeKind::Group(Group(element)),
            b"CMapInstance" => NodeKind::Instance(Instance(element)),
            b"CMapPrefab" => NodeKind::Prefab(Prefab(element)),
            b"CMapGameObject" => NodeKind::GameObject(GameObject(element)),
            b"CMapCordon" => NodeKind::Cordon(Cordon(element)),
            b"CMapCable" => NodeKind::Cable(Cable(element)),
            b"CMapPath" | b"CTrajectoryPath" => NodeKind::Path(Path(element)),
            b"CMapPathNode" | b"CTrajectoryPathNode" => NodeKind::PathNode(PathNode(element)),
            b"CMapNavData" => NodeKind::NavData(NavData(element)),
            b"CMapDotaTileGrid" => NodeKind::TileGrid(TileGrid(element)),
            b"CMapTileObject" => NodeKind::TileObject(TileObject(element)),
            b"CVisibilityMgr" => NodeKind::Visibility(Visibility(element)),
            _ => NodeKind::Other(self),
        }
    }

    /// Returns the mesh of a mesh, an overlay or a tile mesh.
    pub fn mesh(self) -> Option<MapMesh<'a>> {
        self.child("meshData").map(|_| MapMesh(self.0))
    }
}
