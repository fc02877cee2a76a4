//! New maps.

use std::collections::HashSet;

use mapwright_dmx::{self as dmx, ElementId, ElementRef, Encoding, Guid, Reference, Value, WriterProfile};

use super::{Editor, assets};
use crate::schema::Fresh;
use crate::{Document, Node, NodeId};

mapwright_io::options! {
    /// Options of a new map.
    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    pub struct MapOptions {
        /// Version of the format, 18 to 40: 40 for Counter-Strike 2, Deadlock and Dota 2 today, 30 for s&box, 29 for Half-Life: Alyx.
        pub format_version: u32 = 40, with_format_version;
        /// Build of Hammer that the map states. `None`: one that writes the format.
        pub editor_build: Option<i32> = None, with_editor_build(i32);
        /// Seed for the random identities of the elements.
        pub seed: u64 = 0, with_seed;
    }
}

impl MapOptions {
    fn build(&self) -> i32 {
        self.editor_build.unwrap_or(match self.format_version {
            ..=18 => 7091,
            19..=28 => 8384,
            29 => 8632,
            30..=34 => 10091,
            35..=39 => 9916,
            _ => 10430,
        })
    }
}

impl Document {
    /// Creates an empty map of format 40, which Hammer can open. Its identities are always the same; for others use
    /// [`new_with`](Self::new_with).
    #[allow(clippy::new_without_default, reason = "an empty map with a world and a camera is no obvious default")]
    pub fn new() -> Self {
        Self::new_with(&MapOptions::default())
    }

    /// Creates an empty map: a world without nodes, a camera, and other parts that Hammer needs. Attributes and their order are those that
    /// Hammer writes in maps of the format.
    pub fn new_with(options: &MapOptions) -> Self {
        let version = options.format_version;
        let graph = dmx::Document::new(Encoding::BINARY_9, "vmap", version, "CMapRootElement", Guid::NIL);
        let mut map = Self::new_unchecked(graph);
        Editor::new(&mut map, Some(options.seed)).create_skeleton(options);
        map.graph_mut().lay_out(WriterProfile::Valve);
        map
    }
}

impl Editor<'_> {
    #[allow(clippy::expect_used, reason = "depends on constants of the schema only")]
    fn create_skeleton(&mut self, options: &MapOptions) {
        let guid = self.ids.new_guid(self.map);
        if let Some(root) = self.map.graph_mut().elements.first_mut() {
            root.id = Some(guid);
        }
        let patterns = self.patterns("CMapRootElement").expect("the schema has the class of the root");
        self.set_attributes(ElementId::ROOT, patterns);
        self.set(ElementId::ROOT, "editorbuild", Value::Int(options.build()));
        let world = self.map.world().expect("the schema gives roots a world").element().id();
        let visibility = self.map.visibility().expect("the schema gives roots a visibility manager").element().id();
        self.set_number(visibility, NodeId::VISIBILITY);
        self.prepare_world(world).expect("the schema gives worlds keys");
        if options.format_version >= 28 {
            let list = Value::StringArray(Box::default());
            self.map.graph_mut().set_prefix(assets::LIST, list.clone());
            let guid = self.ids.new_guid(self.map);
            let class = self.map.graph().header.prefix_class();
            let copy = self.map.graph_mut().push(class, "", guid);
            self.map.graph_mut().set(copy, assets::LIST, list);
        }
    }
    fn set_number(&mut self, node: ElementId, number: NodeId) {
        self.set(node, "nodeID", Value::Int(number.0));
        if self.map.graph().element(node).is_some_and(|node| node.get("referenceID").is_some()) {
            self.set(node, "referenceID", Value::UInt64(0));
        }
    }

    /// Sets the number and the keys of a new world.
    fn prepare_world(&mut self, world: ElementId) -> Option<()> {
        self.set_number(world, NodeId::WORLD);
        let keys = self.map.world()?.entity()?.properties().id();
        self.set_text(keys, "classname", b"worldspawn");
        self.set_text(keys, "targetname", b"");
        Some(())
    }

    /// Adds missing attributes of the root and a missing world to a damaged map. Moves nodes that no other node refers to below the world.
    /// Returns the number of moved nodes, and `true` if the world is new. Returns `None` if neither a world nor a node is left.
    pub(crate) fn restore_world(&mut self) -> Option<(usize, bool)> {
        let found = self.find_class("CMapWorld");
        let is_whole = found.is_some_and(|world| self.map.node(world).is_some());
        let orphans = self.orphans(is_whole);
        if found.is_none() && orphans.is_empty() {
            return None;
        }
        self.add_missing(ElementId::ROOT, "CMapRootElement");
        let world = self.map.world()?.element().id();
        self.add_missing(world, "CMapWorld");
        if found.is_none() {
            self.prepare_world(world);
        }
        for orphan in &orphans {
            self.adopt(world, *orphan);
        }
        self.flush();
        Some((orphans.len(), found.is_none()))
    }

    fn find_class(&self, class: &str) -> Option<ElementId> {
        self.map.graph().iter().find(|element| element.is(class)).map(ElementRef::id)
    }

    /// Adds the attributes of a class that an element lacks. The root gets parts that are in the map, other elements new ones.
    fn add_missing(&mut self, id: ElementId, class: &str) {
        for pattern in self.patterns(class).unwrap_or_default() {
            let value = self.map.graph().element(id).and_then(|element| element.get(&pattern.name));
            let is_null = value == Some(&Value::Element(Reference::Null));
            let part = match pattern.fresh {
                Fresh::Child(class, _) if id == ElementId::ROOT => self.find_class(class),
                _ => None,
            };
            match (value.is_none() || is_null && matches!(pattern.fresh, Fresh::Child(..)), part) {
                (false, _) => {}
                (true, Some(part)) => {
                    self.map.graph_mut().set(id, pattern.name, Value::Element(Reference::Element(part)));
                }
                (true, None) => self.set_attributes(id, vec![pattern]),
            }
        }
    }

    /// Returns the nodes that are not children of another node, except for the world and the visibility manager. If the children of the
    /// world are known (`has_children`), nodes that instances refer to are left out, too.
    fn orphans(&self, has_children: bool) -> Vec<ElementId> {
        let is_part = |node: &Node<'_>| node.element().is("CMapWorld") || node.element().is("CVisibilityMgr");
        let elements = self.map.graph().iter();
        let nodes: Vec<Node<'_>> = elements.filter_map(|element| self.map.node(element.id())).collect();
        let referring = nodes.iter().filter(|node| !node.element().is("CVisibilityMgr"));
        let attributes = referring.flat_map(|node| node.element().attributes());
        let attributes = attributes.filter(|(name, _)| has_children || *name == b"children");
        let referred: HashSet<ElementId> = attributes.flat_map(|(_, value)| value.elements()).collect();
        let orphans = nodes.iter().filter(|node| node.node_id().is_some() && !is_part(node));
        orphans.map(|node| node.id()).filter(|id| !referred.contains(id) && *id != ElementId::ROOT).collect()
    }
}
