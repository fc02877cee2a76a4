//! The document: an element graph with typed views.

mod assets;
mod census;
mod entity;
mod grid;
mod kind;
mod node;
mod nodes;
pub(crate) mod owners;
mod parts;
mod path;
mod root;
mod selection;
mod solid;
pub(crate) mod target_names;
pub(crate) mod value;
mod variables;
mod visibility;

use mapwright_dmx as dmx;
use mapwright_io::{Confidence, FormatInfo};

pub use assets::{Asset, AssetKind, AssetUse};
pub use census::{Census, MeshTotals};
pub use entity::{Connection, Entity, Plug};
pub use grid::{NavData, TileGrid, TileLayer};
pub use kind::NodeKind;
pub use node::{Binding, Node, NodeId, Transform};
pub use nodes::{Nodes, Visit};
pub use parts::{Cordon, GameObject, Group, Instance, Prefab, TileObject};
pub use path::{Cable, Path, PathNode};
pub use root::{Camera, InstanceData, Root, Thumbnail, World};
pub use selection::{FaceSelection, ObjectSelection, SelectionData, SelectionSet};
pub use solid::{MapMesh, StaticOverlay, TileMesh};
pub use target_names::Targets;
pub use value::Texts;
pub use variables::{Choice, ChoiceGroup, Variable, Variables};
pub use visibility::{HiddenFlags, Visibility};

/// Name, description and extensions of the format.
pub const FORMAT: FormatInfo = FormatInfo::new("vmap", "Source 2 Hammer map", &["vmap"]);

/// Name of the format in the header of a map.
const VMAP: &[u8] = b"vmap";

/// Detects maps by their first line.
pub fn sniff(bytes: &[u8]) -> Confidence {
    let is_map = dmx::Header::from_bytes(bytes).is_ok_and(|header| header.format == VMAP);
    if is_map { Confidence::Certain } else { Confidence::No }
}

/// A map: an element graph in which everything stays as it is until it is changed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Document {
    graph: dmx::Document,
}

impl Document {
    /// Returns the element graph, which contains the whole file.
    pub fn graph(&self) -> &dmx::Document {
        &self.graph
    }

    /// Returns the mutable element graph.
    pub fn graph_mut(&mut self) -> &mut dmx::Document {
        &mut self.graph
    }

    /// Returns the element graph by value.
    pub fn into_graph(self) -> dmx::Document {
        self.graph
    }

    /// Returns `true` if a graph is that of a map.
    pub(crate) fn is_map(graph: &dmx::Document) -> bool {
        graph.header.format == VMAP
    }

    pub(crate) fn new_unchecked(graph: dmx::Document) -> Self {
        Self { graph }
    }
}
