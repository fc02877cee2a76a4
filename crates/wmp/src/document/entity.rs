//! The level, and what stands in it.

use std::sync::Arc;

use mapwright_io::FormattedNumber;

use super::{Chunk, MemberKind, Name};
use crate::codes::{LightFlags, ModelFlags, SoundFlags};

/// The level or something in it. Its place and angles are those of the object that holds it.
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(deny_unknown_fields))]
pub struct Entity {
    /// Its number: its place among the entities in all files of the editor. The level is 0.
    pub number: u32,
    /// Text: the comment behind the opening brace, which is the name once more.
    #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "crate::serial::is_default"))]
    pub comment: Name,
    /// What it is.
    pub kind: EntityKind,
    /// Text: lines behind those that are known.
    #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "crate::serial::is_default"))]
    pub lines: Vec<Name>,
    /// Binary: chunks that are not known.
    #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "crate::serial::is_default"))]
    pub extra: Vec<Chunk>,
}

/// What an entity is.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(rename_all = "lowercase"))]
pub enum EntityKind {
    /// Settings of the level.
    Level(Level),
    /// A named position.
    Start(Start),
    /// A light.
    Light(Light),
    /// A sound.
    Sound(Sound),
    /// A model, a sprite, a terrain or another compiled map.
    Model(Model),
    /// A path.
    Path(Path),
    /// A named box.
    Region(Region),
}

impl Entity {
    /// An entity without a comment.
    pub const fn new(number: u32, kind: EntityKind) -> Self {
        Self { number, comment: Name::NONE, kind, lines: Vec::new(), extra: Vec::new() }
    }

    /// What it is to the object that holds it.
    pub const fn member_kind(&self) -> MemberKind {
        match self.kind {
            EntityKind::Level(_) => MemberKind::Level,
            EntityKind::Start(_) => MemberKind::Start,
            EntityKind::Light(_) => MemberKind::Light,
            EntityKind::Sound(_) => MemberKind::Sound,
            EntityKind::Model(_) => MemberKind::Model,
            EntityKind::Path(_) => MemberKind::Path,
            EntityKind::Region(_) => MemberKind::Region,
        }
    }

    /// Its own name; none of levels, lights and sounds.
    pub const fn name(&self) -> &Name {
        match &self.kind {
            EntityKind::Start(start) => &start.name,
            EntityKind::Model(model) => &model.name,
            EntityKind::Path(path) => &path.name,
            EntityKind::Region(region) => &region.name,
            EntityKind::Level(_) | EntityKind::Light(_) | EntityKind::Sound(_) => &Name::NONE,
        }
    }
}

/// Settings of the level.
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(deny_unknown_fields))]
pub struct Level {
    /// Text: the textures of the build, as `office.$$w`.
    pub wad: Name,
    /// The file name of the palette.
    pub palette: Name,
    /// Megabytes that the engine sets aside, its nexus. Not in resolved maps.
    pub nexus: i32,
    /// Direction of the sun in degrees.
    #[cfg_attr(feature = "serde", serde(with = "crate::serial::exact"))]
    pub azimuth: f64,
    /// Height of the sun in degrees.
    #[cfg_attr(feature = "serde", serde(with = "crate::serial::exact"))]
    pub elevation: f64,
    /// The main script.
    pub script: Name,
    /// Colours of the sun, of ambient light and of up to four fogs, in this order: percent, in binary files 0 to 255.
    #[cfg_attr(feature = "serde", serde(with = "crate::serial::exact"))]
    pub colours: Vec<[f64; 3]>,
    /// Binary: the second word of the head; 0 in all files.
    #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "crate::serial::is_default"))]
    pub word_04: u32,
}

impl Default for Level {
    /// What the editor starts with.
    fn default() -> Self {
        Self {
            wad: Name::NONE,
            palette: "palette.pcx".into(),
            nexus: 30,
            azimuth: 0.0,
            elevation: 60.0,
            script: Name::NONE,
            colours: vec![[0.0; 3]; 6],
            word_04: 0,
        }
    }
}

impl Level {
    /// One that says what a resolved map says of it: its files and the sun.
    pub(crate) fn resolved() -> Self {
        Self { nexus: 0, colours: Vec::new(), ..Self::default() }
    }
}

/// A named position.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(deny_unknown_fields))]
pub struct Start {
    /// The name.
    pub name: Name,
    /// Binary: the second word of the head; 0 in all files.
    #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "crate::serial::is_default"))]
    pub word_04: u32,
}

/// A light.
#[derive(Debug, Clone, PartialEq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(deny_unknown_fields))]
pub struct Light {
    /// Red, green and blue: percent, in binary files 0 to 255.
    #[cfg_attr(feature = "serde", serde(with = "crate::serial::exact"))]
    pub colour: [f64; 3],
    /// How far it shines, in quants.
    #[cfg_attr(feature = "serde", serde(with = "crate::serial::exact"))]
    pub range: f64,
    /// Not known. `None` where the file has none: A4, and some of A5.
    #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "Option::is_none"))]
    pub flags: Option<LightFlags>,
}

/// A sound.
#[derive(Debug, Clone, PartialEq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(deny_unknown_fields))]
pub struct Sound {
    /// The file.
    pub file: Name,
    /// Not known; 1 in A5, 0 in A8.
    pub flags: SoundFlags,
    /// Volume in percent, pitch, time, range; whole numbers in binary files.
    #[cfg_attr(feature = "serde", serde(with = "crate::serial::exact"))]
    pub numbers: [f64; 4],
}

/// A model, a sprite, a terrain or another compiled map.
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(deny_unknown_fields))]
pub struct Model {
    /// Text: the scale once more; the object that holds it has the same in all files but five of A4, where this one counts.
    #[cfg_attr(feature = "serde", serde(with = "crate::serial::exact"))]
    pub scale: [f64; 3],
    /// The file.
    pub file: Name,
    /// The name.
    pub name: Name,
    /// The action: a function of the script.
    pub action: Name,
    /// Eight or twenty numbers for the action. In A4 as text: `010`. Models share them; `Arc::make_mut`
    /// changes one alone.
    #[cfg_attr(feature = "serde", serde(with = "crate::serial::exact"))]
    pub skills: Arc<Vec<FormattedNumber<f64>>>,
    /// What the engine makes of it.
    pub flags: ModelFlags,
    /// Ambient light in percent.
    #[cfg_attr(feature = "serde", serde(with = "crate::serial::exact"))]
    pub ambient: f64,
    /// Albedo in percent. `None` where the file has none: A4, and with eight skills A5.
    #[cfg_attr(
        feature = "serde",
        serde(with = "crate::serial::exact", default, skip_serializing_if = "Option::is_none")
    )]
    pub albedo: Option<f64>,
    /// Names of the path, the target, the material and two strings, as many as the file has. In a resolved map path and target
    /// are numbers.
    pub tail: Vec<Name>,
    /// Binary: the kind of file that the head says, where it is not that of the file's extension.
    #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "Option::is_none"))]
    pub media: Option<u32>,
    /// Text of A4: whether flags stand in quotes, and how many digits they have.
    #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "Option::is_none"))]
    pub flag_digits: Option<u8>,
}

impl Model {
    /// The albedo where a file does not say it.
    pub const ALBEDO: f64 = 50.0;
}

/// A path.
#[derive(Debug, Clone, PartialEq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(deny_unknown_fields))]
pub struct Path {
    /// The name.
    pub name: Name,
    /// A4 and A5: the number behind the name, 0 in all files.
    #[cfg_attr(feature = "serde", serde(with = "crate::serial::exact"))]
    pub number: f64,
    /// Nodes, in the space of the object that holds the path; in a resolved map in that of the world.
    pub nodes: Vec<PathNode>,
    /// Since A7: connections of nodes.
    pub edges: Vec<Edge>,
    /// Binary: the second word of the head; 0 in all files.
    #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "crate::serial::is_default"))]
    pub word_04: u32,
}

/// A node of a path.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(deny_unknown_fields))]
pub struct PathNode {
    /// Where.
    #[cfg_attr(feature = "serde", serde(with = "crate::serial::exact"))]
    pub point: [f64; 3],
    /// Since A7: numbers for scripts.
    #[cfg_attr(feature = "serde", serde(with = "crate::serial::exact"))]
    pub skills: [f64; 6],
}

/// A connection of two nodes.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(deny_unknown_fields))]
pub struct Edge {
    /// The node where it starts: from 1 in text, from 0 in binary files.
    pub from: u32,
    /// The node where it ends, counted alike.
    pub to: u32,
    /// The weight, 1; in a resolved map the length.
    #[cfg_attr(feature = "serde", serde(with = "crate::serial::exact"))]
    pub weight: f64,
    /// Bezier, weight and skill: 0 in all files.
    #[cfg_attr(feature = "serde", serde(with = "crate::serial::exact"))]
    pub numbers: [f64; 3],
}

/// A named box. Known from binary files.
#[derive(Debug, Clone, PartialEq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(deny_unknown_fields))]
pub struct Region {
    /// The name.
    pub name: Name,
    /// Its lowest corner in the world.
    #[cfg_attr(feature = "serde", serde(with = "crate::serial::exact"))]
    pub minimum: [f64; 3],
    /// Its highest corner.
    #[cfg_attr(feature = "serde", serde(with = "crate::serial::exact"))]
    pub maximum: [f64; 3],
    /// Binary: the second word of the head; 0 in all files.
    #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "crate::serial::is_default"))]
    pub word_04: u32,
}
