//! New maps.

use mapwright_dmx::{self as dmx, ElementId, Encoding, Guid, Value, WriterProfile};

use super::{Editor, assets};
use crate::{Document, NodeId};

/// What a new map is to be.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct MapOptions {
    /// The version of the format: 40 for Counter-Strike 2, Deadlock and Dota 2 of today, 30 for s&box, 29 for Half-Life: Alyx.
    pub format_version: u32,
    /// The build of Hammer that the map says it was written by. `None`: one that writes the format.
    pub editor_build: Option<i32>,
    /// What the random identities of the elements are made of.
    pub seed: u64,
}

impl Default for MapOptions {
    fn default() -> Self {
        Self { format_version: 40, editor_build: None, seed: 0 }
    }
}

impl MapOptions {
    /// The same with another version of the format: 18 to 40.
    #[must_use]
    pub fn with_format_version(mut self, version: u32) -> Self {
        self.format_version = version;
        self
    }

    /// The same with another build.
    #[must_use]
    pub fn with_editor_build(mut self, build: i32) -> Self {
        self.editor_build = Some(build);
        self
    }

    /// The same with another seed.
    #[must_use]
    pub fn with_seed(mut self, seed: u64) -> Self {
        self.seed = seed;
        self
    }

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
    /// An empty map of format 40, as Hammer opens it. Its identities are always the same; to have others use
    /// [`new_with`](Self::new_with).
    #[allow(clippy::new_without_default, reason = "an empty map is not what everybody expects of a default")]
    pub fn new() -> Self {
        Self::new_with(&MapOptions::default())
    }

    /// An empty map: a world without nodes, a camera, and what Hammer needs besides. Attributes and their order are those that
    /// Hammer writes in maps of the format.
    pub fn new_with(options: &MapOptions) -> Self {
        let version = options.format_version;
        let graph = dmx::Document::new(Encoding::BINARY_9, "vmap", version, "CMapRootElement", Guid::NIL);
        let mut map = Self::of(graph);
        Editor::new(&mut map, Some(options.seed)).skeleton(options);
        map.graph_mut().lay_out(WriterProfile::Valve);
        map
    }
}

impl Editor<'_> {
    fn skeleton(&mut self, options: &MapOptions) {
        let guid = self.ids.guid(self.map);
        if let Some(root) = self.map.graph_mut().elements.first_mut() {
            root.id = Some(guid);
        }
        let patterns = self.patterns("CMapRootElement").unwrap_or_default();
        self.fill(ElementId::ROOT, patterns);
        self.set(ElementId::ROOT, "editorbuild", Value::Int(options.build()));
        let world = self.map.world().map(|world| (world.element().id(), world.entity()));
        let properties = world.and_then(|(_, entity)| entity).map(|entity| entity.properties().id());
        let world = world.map(|(world, _)| world);
        let visibility = self.map.visibility().map(|manager| manager.element().id());
        for (node, number) in [(world, NodeId::WORLD), (visibility, NodeId::VISIBILITY)] {
            let Some(node) = node else { continue };
            self.set(node, "nodeID", Value::Int(number.0));
            if self.map.graph().element(node).is_some_and(|node| node.get("referenceID").is_some()) {
                self.set(node, "referenceID", Value::UInt64(0));
            }
        }
        if let Some(properties) = properties {
            self.set_text(properties, "classname", b"worldspawn");
            self.set_text(properties, "targetname", b"");
        }
        if options.format_version >= 28 {
            let list = Value::StringArray(Box::default());
            self.map.graph_mut().set_prefix(assets::LIST, list.clone());
            let guid = self.ids.guid(self.map);
            let copy = self.map.graph_mut().push("DmElement", "", guid);
            self.map.graph_mut().set(copy, assets::LIST, list);
        }
    }
}
