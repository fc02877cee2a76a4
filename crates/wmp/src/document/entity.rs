//! The level, and its entities.

use std::sync::Arc;

use mapwright_io::FormattedNumber;

use super::{Chunk, MemberKind, Name};
use crate::codes::{LightFlags, ModelFlags, SoundFlags};

/// The level or an entity in it. The object that contains it has its position and angles.
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(deny_unknown_fields))]
pub struct Entity {
    /// Its number. In all files of the editor this is its index. The level is 0.
    pub number: u32,
    /// Text: the comment after the opening brace, which repeats the name.
    #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "crate::serial::is_default"))]
    pub comment: Name,
    /// The kind, with its fields.
    pub kind: EntityKind,
    /// Text: unknown lines after the known ones.
    #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "crate::serial::is_default"))]
    pub lines: Vec<Name>,
    /// Binary: unknown chunks.
    #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "crate::serial::is_default"))]
    pub extra: Vec<Chunk>,
}

/// The kind of an entity, with its fields.
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

impl EntityKind {
    /// Returns the name, for kinds that have one.
    pub const fn name(&self) -> Option<&Name> {
        match self {
            Self::Start(start) => Some(&start.name),
            Self::Model(model) => Some(&model.name),
            Self::Path(path) => Some(&path.name),
            Self::Region(region) => Some(&region.name),
            Self::Level(_) | Self::Light(_) | Self::Sound(_) => None,
        }
    }

    /// Returns the name for changes, for kinds that have one.
    pub const fn name_mut(&mut self) -> Option<&mut Name> {
        match self {
            Self::Start(start) => Some(&mut start.name),
            Self::Model(model) => Some(&mut model.name),
            Self::Path(path) => Some(&mut path.name),
            Self::Region(region) => Some(&mut region.name),
            Self::Level(_) | Self::Light(_) | Self::Sound(_) => None,
        }
    }
}

impl Entity {
    /// Creates an entity without a comment.
    pub const fn new(number: u32, kind: EntityKind) -> Self {
        Self { number, comment: Name::NONE, kind, lines: Vec::new(), extra: Vec::new() }
    }

    /// Returns the kind that a member for this entity has.
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

    /// Its name. Levels, lights and sounds have none.
    pub fn name(&self) -> &Name {
        self.kind.name().unwrap_or(const { &Name::NONE })
    }
}

/// Settings of the level.
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(deny_unknown_fields))]
pub struct Level {
    /// Text: the textures of the build, such as `office.$$w`.
    pub wad: Name,
    /// The file name of the palette.
    pub palette: Name,
    /// Engine memory (nexus) in megabytes. Not in resolved maps.
    pub nexus: i32,
    /// Azimuth of the sun in degrees.
    #[cfg_attr(feature = "serde", serde(with = "crate::serial::exact"))]
    pub azimuth: f64,
    /// Elevation of the sun in degrees.
    #[cfg_attr(feature = "serde", serde(with = "crate::serial::exact"))]
    pub elevation: f64,
    /// The main script.
    pub script: Name,
    /// Colours of the sun, of ambient light and of up to four fogs, in this order. Percent, in binary files 0 to 255.
    #[cfg_attr(feature = "serde", serde(with = "crate::serial::exact"))]
    pub colours: Vec<[f64; 3]>,
    /// Binary: the second word of the entity. 0 in all files.
    #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "crate::serial::is_default"))]
    pub word_04: u32,
}

impl Default for Level {
    /// Creates the level of a new map.
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
    /// Creates a level with the settings that resolved maps have: files and the sun.
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
    /// Binary: the second word of the entity. 0 in all files.
    #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "crate::serial::is_default"))]
    pub word_04: u32,
}

/// A light.
#[derive(Debug, Clone, PartialEq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(deny_unknown_fields))]
pub struct Light {
    /// Red, green and blue in percent, in binary files 0 to 255.
    #[cfg_attr(feature = "serde", serde(with = "crate::serial::exact"))]
    pub colour: [f64; 3],
    /// Radius in quants.
    #[cfg_attr(feature = "serde", serde(with = "crate::serial::exact"))]
    pub range: f64,
    /// Unknown. `None` where the file has none: A4, and some A5.
    #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "Option::is_none"))]
    pub flags: Option<LightFlags>,
}

/// A sound.
#[derive(Debug, Clone, PartialEq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(deny_unknown_fields))]
pub struct Sound {
    /// The file.
    pub file: Name,
    /// Unknown. 1 in A5, 0 in A8.
    pub flags: SoundFlags,
    /// Volume in percent, pitch, time and range. Whole numbers in binary files.
    #[cfg_attr(feature = "serde", serde(with = "crate::serial::exact"))]
    pub numbers: [f64; 4],
}

/// A model, a sprite, a terrain or another compiled map.
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(deny_unknown_fields))]
pub struct Model {
    /// Text: the scale again. It equals that of the object in all files but five of A4, where this one counts.
    #[cfg_attr(feature = "serde", serde(with = "crate::serial::exact"))]
    pub scale: [f64; 3],
    /// The file.
    pub file: Name,
    /// The name.
    pub name: Name,
    /// The action: a function of the script.
    pub action: Name,
    /// Eight or twenty numbers for the action. A4 stores them as text, such as `010`. Models share them: use `Arc::make_mut` to
    /// change one alone.
    #[cfg_attr(feature = "serde", serde(with = "crate::serial::exact"))]
    pub skills: Arc<Vec<FormattedNumber<f64>>>,
    /// Properties of the model, such as passable.
    pub flags: ModelFlags,
    /// Ambient light in percent.
    #[cfg_attr(feature = "serde", serde(with = "crate::serial::exact"))]
    pub ambient: f64,
    /// Albedo in percent. `None` where the file has none: A4, and A5 with eight skills.
    #[cfg_attr(
        feature = "serde",
        serde(with = "crate::serial::exact", default, skip_serializing_if = "Option::is_none")
    )]
    pub albedo: Option<f64>,
    /// Names of the path, the target, the material and two strings. The file may have fewer. In resolved maps, path and target
    /// are numbers.
    pub tail: Vec<Name>,
    /// Binary: the kind of file in the head, if it differs from that of the file's extension.
    #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "Option::is_none"))]
    pub media: Option<u32>,
    /// Text of A4: the number of digits of flags in quotes.
    #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "Option::is_none"))]
    pub flag_digits: Option<u8>,
}

impl Model {
    /// The default albedo in percent.
    pub const ALBEDO: f64 = 50.0;
}

/// A path.
#[derive(Debug, Clone, PartialEq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(deny_unknown_fields))]
pub struct Path {
    /// The name.
    pub name: Name,
    /// A4 and A5: the number after the name. 0 in all files.
    #[cfg_attr(feature = "serde", serde(with = "crate::serial::exact"))]
    pub number: f64,
    /// Nodes in the space of the object that contains the path. In resolved maps, in world space.
    pub nodes: Vec<PathNode>,
    /// Since A7: connections of nodes.
    pub edges: Vec<Edge>,
    /// Binary: the second word of the entity. 0 in all files.
    #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "crate::serial::is_default"))]
    pub word_04: u32,
}

/// A node of a path.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(deny_unknown_fields))]
pub struct PathNode {
    /// The position.
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
    /// The number of the first node. Text counts from 1, binary files from 0.
    pub from: u32,
    /// The number of the second node.
    pub to: u32,
    /// The weight: 1, in resolved maps the length.
    #[cfg_attr(feature = "serde", serde(with = "crate::serial::exact"))]
    pub weight: f64,
    /// Bezier, weight and skill. 0 in all files.
    #[cfg_attr(feature = "serde", serde(with = "crate::serial::exact"))]
    pub numbers: [f64; 3],
}

/// A named box. Only binary files are known to have them.
#[derive(Debug, Clone, PartialEq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(deny_unknown_fields))]
pub struct Region {
    /// The name.
    pub name: Name,
    /// The minimum in world space.
    #[cfg_attr(feature = "serde", serde(with = "crate::serial::exact"))]
    pub minimum: [f64; 3],
    /// The maximum in world space.
    #[cfg_attr(feature = "serde", serde(with = "crate::serial::exact"))]
    pub maximum: [f64; 3],
    /// Binary: the second word of the entity. 0 in all files.
    #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "crate::serial::is_default"))]
    pub word_04: u32,
}
