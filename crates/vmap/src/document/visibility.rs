//! What Hammer shows.

use mapwright_dmx::{Reference, Value};

use super::Document;
use super::node::Node;
use super::root::{ints, part};
use super::value::node_view;

/// Why Hammer does not show a node. 2 and 3 have not been seen.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct HiddenFlags(pub i32);

impl HiddenFlags {
    /// It does.
    pub const VISIBLE: Self = Self(0);
    /// A selection set of it is hidden.
    pub const SELECTION_SET: Self = Self(1);
    /// It was hidden by itself.
    pub const QUICK_HIDE: Self = Self(4);

    /// The name of a known value.
    pub fn name(self) -> Option<&'static str> {
        match self {
            Self::VISIBLE => Some("visible"),
            Self::SELECTION_SET => Some("hidden by a selection set"),
            Self::QUICK_HIDE => Some("quick-hidden"),
            _ => None,
        }
    }

    /// Whether the node is shown.
    pub fn is_visible(self) -> bool {
        self == Self::VISIBLE
    }
}

node_view! {
    /// The visibility manager: which nodes Hammer hides. Nodes that it does not list are visible.
    Visibility {}
}

impl<'a> Visibility<'a> {
    /// The listed nodes, of this map and of prefabs, with their flags, as far as there are both.
    pub fn entries(self) -> impl Iterator<Item = (Reference, HiddenFlags)> {
        let nodes: &[Reference] = match self.0.get("nodes") {
            Some(Value::ElementArray(nodes)) => nodes,
            _ => &[],
        };
        nodes.iter().copied().zip(ints(self.0, "hiddenFlags").iter().map(|&flags| HiddenFlags(flags)))
    }

    /// The nodes of this map that are listed, with their flags.
    pub fn nodes(self) -> impl Iterator<Item = (Node<'a>, HiddenFlags)> {
        let node = move |reference| match reference {
            Reference::Element(id) => self.0.document().element(id).map(Node),
            Reference::Null | Reference::External(_) => None,
        };
        self.entries().filter_map(move |(reference, flags)| Some((node(reference)?, flags)))
    }

    /// The nodes of this map that are hidden.
    pub fn hidden(self) -> impl Iterator<Item = (Node<'a>, HiddenFlags)> {
        self.nodes().filter(|(_, flags)| !flags.is_visible())
    }

    /// The flags of a node. Looks through the list: for many nodes go through [`nodes`](Self::nodes) once.
    pub fn flags(self, node: Node<'_>) -> HiddenFlags {
        self.nodes().find(|(listed, _)| listed.id() == node.id()).map_or(HiddenFlags::VISIBLE, |(_, flags)| flags)
    }
}

impl Document {
    /// The visibility manager, `visbility` as Hammer spells it, or `visibility`, as ValveResourceFormat does.
    pub fn visibility(&self) -> Option<Visibility<'_>> {
        part(self, &["visbility", "visibility"]).map(Visibility)
    }
}
