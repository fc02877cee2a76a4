//! The summary of a Gamestudio map.

use mapwright_wmp::{Dialect, Document, EntityKind, FileKind, LineEnd, Name};
use serde::Serialize;

use crate::info::UseCount;

/// A summary of a Gamestudio map. Texts are encoded as by [`escape_bytes`](mapwright_io::escape_bytes).
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct WmpInfo {
    /// The dialect: `a4`, `510`, `710`, `711`, `wmpb`.
    pub dialect: &'static str,
    /// The program that wrote the file, as the file states.
    pub generator: String,
    /// The date of writing, such as `31.07.2001`.
    pub created: String,
    /// The line ending: `lf` or `crlf`; `None` for binary files.
    pub line_end: Option<&'static str>,
    /// Settings of the level, if the map has any.
    pub level: Option<WmpLevel>,
    /// Number of blocks.
    pub blocks: usize,
    /// Number of blocks that are marked as not convex.
    pub concave: usize,
    /// Number of faces of all blocks.
    pub faces: usize,
    /// Number of vertices of all blocks. A4 stores none.
    pub vertices: usize,
    /// Number of groups.
    pub groups: usize,
    /// Depth of nested groups.
    pub depth: usize,
    /// Smallest and largest coordinates of all blocks and entities, in quants. `None` for an empty map.
    pub extent: Option<[[f64; 3]; 2]>,
    /// Entities by kind.
    pub entities: Vec<UseCount>,
    /// Textures by number of faces, the most frequent first.
    pub textures: Vec<UseCount>,
    /// Files of models, sprites and terrains by number of uses, the most frequent first.
    pub models: Vec<UseCount>,
    /// Actions by number of uses, the most frequent first.
    pub actions: Vec<UseCount>,
    /// Files and folders of textures.
    pub sources: Vec<String>,
}

/// Settings of a level.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct WmpLevel {
    /// The main script.
    pub script: String,
    /// The file of the palette.
    pub palette: String,
    /// Size of the memory of the engine (nexus) in megabytes. A resolved map does not state it.
    pub nexus: i32,
    /// Direction of the sun in degrees.
    pub azimuth: f64,
    /// Height of the sun above the horizon in degrees.
    pub elevation: f64,
}

impl WmpInfo {
    /// Summarizes a map.
    pub fn new(map: &Document) -> Self {
        let census = map.census();
        let count = |(name, count): &(Name, usize)| UseCount { name: name.to_string(), count: *count };
        let models = census.files.iter().filter(|(kind, ..)| *kind == FileKind::Model);
        let actions = map.entities.iter().filter_map(|entity| match &entity.kind {
            EntityKind::Model(model) if !model.action.is_empty() => Some(&model.action),
            _ => None,
        });
        let level = map.level().map(|level| WmpLevel {
            script: level.script.to_string(),
            palette: level.palette.to_string(),
            nexus: level.nexus,
            azimuth: level.azimuth,
            elevation: level.elevation,
        });
        Self {
            dialect: map.dialect.name(),
            generator: map.header.generator.to_string(),
            created: map.header.created.to_string(),
            line_end: (map.dialect != Dialect::Binary).then_some(match map.line_end {
                LineEnd::Lf => "lf",
                LineEnd::Crlf => "crlf",
            }),
            level,
            blocks: census.blocks,
            concave: census.meshes,
            faces: census.faces,
            vertices: census.vertices,
            groups: census.groups,
            depth: census.depth,
            extent: census.extent,
            entities: census
                .entities
                .iter()
                .map(|(kind, count)| UseCount { name: kind.word().to_owned(), count: *count })
                .collect(),
            textures: census.textures.iter().map(count).collect(),
            models: models.map(|(_, name, count)| UseCount { name: name.to_string(), count: *count }).collect(),
            actions: UseCount::count(actions, ToString::to_string),
            sources: census.wads.iter().chain(&census.folders).map(Name::to_string).collect(),
        }
    }
}
