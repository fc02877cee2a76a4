//! A Gamestudio map.

use mapwright_wmp::{Dialect, Document, EntityKind, FileKind, LineEnd, Name};
use serde::Serialize;

use super::UseCount;

/// What a map holds. Texts are spelled as [`spell`](mapwright_io::escape_bytes) does.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct WmpInfo {
    /// The dialect: `a4`, `510`, `710`, `711`, `wmpb`.
    pub dialect: &'static str,
    /// The program that wrote the file, as it says.
    pub generator: String,
    /// The day on which it was written, as `31.07.2001`.
    pub created: String,
    /// How lines end: `lf` or `crlf`; missing in binary files.
    pub line_end: Option<&'static str>,
    /// Settings of the level; missing in maps without one.
    pub level: Option<WmpLevel>,
    /// Blocks.
    pub blocks: usize,
    /// Of these, blocks that say that they are not convex.
    pub concave: usize,
    /// Faces of all blocks.
    pub faces: usize,
    /// Vertices of all blocks; A4 has none.
    pub vertices: usize,
    /// Groups of objects.
    pub groups: usize,
    /// How deep groups are in each other.
    pub depth: usize,
    /// The lowest and the highest corner of all blocks and entities in the world, in quants; missing where there is none.
    pub extent: Option<[[f64; 3]; 2]>,
    /// Entities by their kind.
    pub entities: Vec<UseCount>,
    /// Textures by the number of faces that have them, the most frequent first.
    pub textures: Vec<UseCount>,
    /// Files of models, sprites and terrains by use, the most frequent first.
    pub models: Vec<UseCount>,
    /// Actions by use, the most frequent first.
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
    /// Megabytes of the engine's nexus; a resolved map does not say.
    pub nexus: i32,
    /// Direction of the sun in degrees.
    pub azimuth: f64,
    /// Height of the sun in degrees.
    pub elevation: f64,
}

impl WmpInfo {
    pub(super) fn new(map: &Document) -> Self {
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
            actions: UseCount::of(actions, ToString::to_string),
            sources: census.wads.iter().chain(&census.folders).map(Name::to_string).collect(),
        }
    }
}
