//! The map: an element graph with typed views.

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
pub use value::Texts;
pub use variables::{Choice, ChoiceGroup, Variable, Variables};
pub use visibility::{HiddenFlags, Visibility};

/// How this format introduces itself.
pub const FORMAT: FormatInfo = FormatInfo::new("vmap", "Source 2 Hammer map", &["vmap"]);

/// The format that the header of a map names.
const VMAP: &[u8] = b"vmap";

/// Says whether bytes begin like a map. The first line suffices.
pub fn sniff(bytes: &[u8]) -> Confidence {
    let is_map = dmx::Header::from_bytes(bytes).is_ok_and(|header| header.format == VMAP);
    if is_map { Confidence::Certain } else { Confidence::No }
}

/// A map: its element graph, of which every attribute and element stays as it is unless it is changed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Document {
    graph: dmx::Document,
}

impl Document {
    /// The element graph, with everything that the file says.
    pub fn graph(&self) -> &dmx::Document {
        &self.graph
    }

    /// The element graph, to be changed by hand.
    pub fn graph_mut(&mut self) -> &mut dmx::Document {
        &mut self.graph
    }

    /// The element graph, by value.
    pub fn into_graph(self) -> dmx::Document {
        self.graph
    }

    /// Whether a graph is that of a map.
    pub(crate) fn is_map(graph: &dmx::Document) -> bool {
        graph.header.format == VMAP
    }

    pub(crate) fn of(graph: dmx::Document) -> Self {
        Self { graph }
    }
}
