//! Visibility of nodes in Hammer.

use mapwright_dmx::{Reference, Value};

use super::Document;
use super::node::Node;
use super::root::{ints, root_child};
use super::value::node_view;

/// The reason why Hammer hides a node. Observed values: 0, 1, 4.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct HiddenFlags(pub i32);

impl HiddenFlags {
    /// Visible.
    pub const VISIBLE: Self = Self(0);
    /// A selection set with the node is hidden.
    pub const SELECTION_SET: Self = Self(1);
    /// The node itself was hidden.
    pub const QUICK_HIDE: Self = Self(4);

    /// Returns the name of a known value.
    pub fn name(self) -> Option<&'static str> {
        match self {
            Self::VISIBLE => Some("visible"),
            Self::SELECTION_SET => Some("hidden by a selection set"),
            Self::QUICK_HIDE => Some("quick-hidden"),
            _ => None,
        }
    }

    /// Returns `true` if the node is visible.
    pub fn is_visible(self) -> bool {
        self == Self::VISIBLE
    }
}

node_view! {
    /// The visibility manager: the list of nodes with their hidden flags. Other nodes are visible.
    Visibility {}
}

impl<'a> Visibility<'a> {
    /// Returns the listed nodes of this map and of prefabs with their flags. The shorter of the two arrays counts.
    pub fn entries(self) -> impl Iterator<Item = (Reference, HiddenFlags)> {
        let nodes: &[Reference] = match self.0.get("nodes") {
            Some(Value::ElementArray(nodes)) => nodes,
            _ => &[],
        };
        nodes.iter().copied().zip(ints(self.0, "hiddenFlags").iter().map(|&flags| HiddenFlags(flags)))
    }

    /// Returns the listed nodes of this map with their flags.
    pub fn nodes(self) -> impl Iterator<Item = (Node<'a>, HiddenFlags)> {
        let node = move |reference| match reference {
            Reference::Element(id) => self.0.document().element(id).map(Node),
            Reference::Null | Reference::External(_) => None,
        };
        self.entries().filter_map(move |(reference, flags)| Some((node(reference)?, flags)))
    }

    /// Returns the hidden nodes of this map.
    pub fn hidden(self) -> impl Iterator<Item = (Node<'a>, HiddenFlags)> {
        self.nodes().filter(|(_, flags)| !flags.is_visible())
    }

    /// Finds the flags of a node in linear time. For many nodes, iterate over [`nodes`](Self::nodes) once.
    pub fn flags(self, node: Node<'_>) -> HiddenFlags {
        self.nodes().find(|(listed, _)| listed.id() == node.id()).map_or(HiddenFlags::VISIBLE, |(_, flags)| flags)
    }
}

impl Document {
    /// Returns the visibility manager: attribute `visbility` in Hammer, `visibility` in ValveResourceFormat.
    pub fn visibility(&self) -> Option<Visibility<'_>> {
        root_child(self, &["visbility", "visibility"]).map(Visibility)
    }
}
