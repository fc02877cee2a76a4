//! State that the steps of reading share.

use std::collections::{HashMap, HashSet};

use mapwright_dmx::{Document as Graph, ElementId, ElementRef, Guid};
use mapwright_scene::{Losses, MaterialId, MeshId, Node, NodeId, Scene};

use super::super::conventions::METRES_PER_UNIT;
use super::super::linked::LinkedScene;
use super::super::options::Subdivision;
use super::values::ValueReader;
use crate::mesh::UnsharedMeshes;
use crate::{Document, Visibility};

/// A map that is read as a scene.
pub(super) struct ReadContext<'a> {
    pub(super) graph: &'a Graph,
    pub(super) linked: LinkedScene,
    pub(super) losses: Losses,
    pub(super) values: ValueReader,
    /// Node of each element.
    pub(super) nodes: HashMap<ElementId, NodeId>,
    /// Material of each reference.
    pub(super) materials: HashMap<String, MaterialId>,
    /// Mesh of each `CDmePolygonMesh` and of each layer of a tile grid; `None` if it cannot be read.
    pub(super) meshes: HashMap<ElementId, Option<MeshId>>,
    pub(super) unshared: UnsharedMeshes,
    pub(super) subdivision: Subdivision,
    /// Flags of hidden nodes.
    pub(super) hidden: HashMap<ElementId, i32>,
    /// Numbers of nodes that overlays refer to.
    pub(super) overlay_targets: HashSet<i32>,
    guids: HashSet<Guid>,
}

impl<'a> ReadContext<'a> {
    pub(super) fn new(
        document: &'a Document,
        root: ElementRef<'a>,
        world: ElementRef<'a>,
        subdivision: Subdivision,
    ) -> Self {
        let graph = document.graph();
        let hidden = document.visibility().into_iter().flat_map(Visibility::hidden);
        Self {
            graph,
            linked: LinkedScene {
                scene: Scene { metres_per_unit: Some(METRES_PER_UNIT), ..Scene::default() },
                elements: Vec::new(),
                parents: Vec::new(),
                points: HashMap::new(),
                sets: Vec::new(),
                world: world.id(),
            },
            losses: Losses::new(),
            values: ValueReader::new(graph, HashSet::from([root.id(), world.id()])),
            nodes: HashMap::new(),
            materials: HashMap::new(),
            meshes: HashMap::new(),
            unshared: UnsharedMeshes::default(),
            subdivision,
            hidden: hidden.map(|(node, flags)| (node.id(), flags.0)).collect(),
            overlay_targets: HashSet::new(),
            guids: HashSet::new(),
        }
    }

    /// Adds a node to the scene. `listed_in` is the element whose children contain it. `parent` is the parent in the scene: `Some(None)`
    /// for roots, `None` for nodes that only instances show.
    pub(super) fn add_node(
        &mut self,
        element: ElementId,
        listed_in: Option<ElementId>,
        parent: Option<Option<NodeId>>,
        mut node: Node,
    ) -> NodeId {
        let guid = self.graph.element(element).and_then(ElementRef::guid).filter(|&guid| guid != Guid::NIL);
        node.key = Some(match guid {
            Some(guid) if self.guids.insert(guid) => guid.to_string(),
            _ => format!("elements[{}]", element.index()),
        });
        let id = match parent {
            Some(parent) => self.linked.scene.add_node(parent, node),
            None => self.linked.scene.nodes.push(node),
        };
        self.linked.elements.push(element);
        self.linked.parents.push(listed_in);
        self.nodes.insert(element, id);
        id
    }
}
