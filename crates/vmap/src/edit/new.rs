//! New maps.

use mapwright_dmx::{self as dmx, ElementId, Encoding, Guid, Value, WriterProfile};

use super::{Editor, assets};
use crate::{Document, NodeId};

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
        let world = self.map.world().expect("the schema gives roots a world");
        let keys = world.entity().expect("the schema gives worlds keys").properties().id();
        let world = world.element().id();
        let visibility = self.map.visibility().expect("the schema gives roots a visibility manager").element().id();
        for (node, number) in [(world, NodeId::WORLD), (visibility, NodeId::VISIBILITY)] {
            self.set(node, "nodeID", Value::Int(number.0));
            if self.map.graph().element(node).is_some_and(|node| node.get("referenceID").is_some()) {
                self.set(node, "referenceID", Value::UInt64(0));
            }
        }
        self.set_text(keys, "classname", b"worldspawn");
        self.set_text(keys, "targetname", b"");
        if options.format_version >= 28 {
            let list = Value::StringArray(Box::default());
            self.map.graph_mut().set_prefix(assets::LIST, list.clone());
            let guid = self.ids.new_guid(self.map);
            let class = self.map.graph().header.prefix_class();
            let copy = self.map.graph_mut().push(class, "", guid);
            self.map.graph_mut().set(copy, assets::LIST, list);
        }
    }
}
