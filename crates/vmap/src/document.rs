//! The map: an element graph with typed views.

use mapwright_dmx as dmx;
use mapwright_io::{Confidence, FormatInfo};

/// How this format introduces itself.
pub const FORMAT: FormatInfo = FormatInfo::new("vmap", "Source 2 Hammer map", &["vmap"]);

/// The format that the header of a map names.
const VMAP: &[u8] = b"vmap";

/// Says whether bytes begin like a map. The first line suffices.
pub fn sniff(bytes: &[u8]) -> Confidence {
    let line = bytes.get(..256).unwrap_or(bytes);
    let mut words =
        line.split(u8::is_ascii_whitespace).skip_while(|word| !word.eq_ignore_ascii_case(b"format")).skip(1);
    if words.next() == Some(VMAP) { dmx::sniff(bytes) } else { Confidence::No }
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
