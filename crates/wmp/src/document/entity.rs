//! The level, and its entities.

use std::sync::Arc;

use mapwright_io::FormattedNumber;
use mapwright_query::{FieldValue, SetFields, Value, ValueError, fields};

use super::{Chunk, Dialect, MemberKind, Name};
use crate::codes::{LightFlags, ModelFlags, SoundFlags};

/// The level or an entity in it. The object that contains it has its position and angles.
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(deny_unknown_fields))]
pub struct Entity {
    /// Number. In all files of the editor this is its index. The level is 0.
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
    /// Returns the fields.
    pub(crate) fn fields(&self) -> &dyn SetFields {
        match self {
            Self::Level(level) => level,
            Self::Start(start) => start,
            Self::Light(light) => light,
            Self::Sound(sound) => sound,
            Self::Model(model) => model,
            Self::Path(path) => path,
            Self::Region(region) => region,
        }
    }

    /// Returns a mutable reference to the fields.
    pub(crate) fn fields_mut(&mut self) -> &mut dyn SetFields {
        match self {
            Self::Level(level) => level,
            Self::Start(start) => start,
            Self::Light(light) => light,
            Self::Sound(sound) => sound,
            Self::Model(model) => model,
            Self::Path(path) => path,
            Self::Region(region) => region,
        }
    }

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

    /// Returns a mutable reference to the name, for kinds that have one.
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

    /// Returns the name. Levels, lights and sounds have none.
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

    /// The fields for the names at the end.
    pub(crate) const TAIL: [&'static str; 5] = ["path", "target", "material", "string1", "string2"];

    /// Returns a field of the model that the dialect has no place for: the albedo, or the last of the names.
    pub(crate) fn unsupported_field(&self, dialect: Dialect) -> Option<&'static str> {
        let skills = self.skills.len();
        let has_albedo = match dialect {
            Dialect::A4 => false,
            Dialect::A5 | Dialect::Resolved => skills >= 20,
            Dialect::A7 | Dialect::Binary => true,
        };
        if self.albedo.is_some() && !has_albedo {
            return Some("albedo");
        }
        let most = match (dialect, skills) {
            (Dialect::A4 | Dialect::A5, _) | (Dialect::Resolved, 0..20) => 0,
            (Dialect::A7, 0..20) => 2,
            _ => Self::TAIL.len(),
        };
        let last = self.tail.iter().rposition(|name| !name.is_empty())?;
        Self::TAIL.get(last).copied().filter(|_| last >= most)
    }

    /// Creates a model with a number of skills.
    pub fn new(skills: usize) -> Self {
        Self {
            scale: [1.0; 3],
            file: Name::NONE,
            name: Name::NONE,
            action: Name::NONE,
            skills: Arc::new(vec![FormattedNumber::new(0.0); skills]),
            flags: ModelFlags(0),
            ambient: 0.0,
            albedo: None,
            tail: Vec::new(),
            media: None,
            flag_digits: None,
        }
    }

    /// Sets the albedo to the default if it is missing. Returns `true` if it was.
    pub(crate) fn fill_albedo(&mut self) -> bool {
        let missing = self.albedo.is_none();
        self.albedo.get_or_insert(Self::ALBEDO);
        missing
    }

    /// Removes the albedo. Returns `true` if it was not the default.
    pub(crate) fn drop_albedo(&mut self) -> bool {
        self.albedo.take().is_some_and(|albedo| albedo != Self::ALBEDO)
    }

    /// Returns ambient light and albedo, in the order of all encodings.
    pub(crate) fn light(&self) -> [f64; 2] {
        [self.ambient, self.albedo.unwrap_or(Self::ALBEDO)]
    }

    /// Sets ambient light and albedo.
    pub(crate) fn set_light(&mut self, [ambient, albedo]: [f64; 2]) {
        (self.ambient, self.albedo) = (ambient, Some(albedo));
    }

    fn skill(&self, at: usize) -> Option<Value<'_>> {
        self.skills.get(at)?.get().to_value()
    }

    fn set_skill(&mut self, at: usize, value: &Value<'_>) -> Result<(), ValueError> {
        let count = self.skills.len();
        let missing = || ValueError::new(format!("a skill up to skill{count}"));
        let skill = Arc::make_mut(&mut self.skills).get_mut(at).ok_or_else(missing)?;
        let mut number = *skill.get();
        number.set_value(value)?;
        *skill = FormattedNumber::new(number);
        Ok(())
    }

    /// Returns one of the names at the end. Files omit trailing empty names.
    fn tail_name(&self, at: usize) -> Option<Value<'_>> {
        self.tail.get(at).unwrap_or(const { &Name::NONE }).to_value()
    }

    fn set_tail_name(&mut self, at: usize, value: &Value<'_>) -> Result<(), ValueError> {
        let mut name = Name::NONE;
        name.set_value(value)?;
        if self.tail.len() <= at {
            if name.is_empty() {
                return Ok(());
            }
            // Text stores either the first two names or all five.
            self.tail.resize(if at < 2 { 2 } else { Self::TAIL.len() }, Name::NONE);
        }
        self.tail[at] = name;
        Ok(())
    }
}

fn missing_colour() -> ValueError {
    ValueError::new("a level that stores this colour")
}

impl Level {
    fn colour(&self, at: usize) -> Option<Value<'_>> {
        self.colours.get(at)?.to_value()
    }

    fn set_colour(&mut self, at: usize, value: &Value<'_>) -> Result<(), ValueError> {
        self.colours.get_mut(at).ok_or_else(missing_colour)?.set_value(value)
    }
}

fields! {
    /// Fields of the level.
    static LEVEL: "level" = Level {
        /// Name of the palette.
        palette: Name;
        /// Textures of the build.
        wad: Name;
        /// Azimuth of the sun.
        azimuth: f64 { unit: "degrees" };
        /// Elevation of the sun.
        elevation: f64 { unit: "degrees" };
        /// Engine memory.
        nexus: i32 { unit: "megabytes" };
        /// Main script.
        script: Name;
        /// Colour of the sun, in percent; in binary files 0 to 255.
        sun: [f64; 3] => get(|level| level.colour(0)) set(|level, value| level.set_colour(0, value));
        /// Colour of ambient light.
        ambient: [f64; 3] => get(|level| level.colour(1)) set(|level, value| level.set_colour(1, value));
        /// Colour of the first fog.
        fog1: [f64; 3] => get(|level| level.colour(2)) set(|level, value| level.set_colour(2, value));
        /// Colour of the second fog.
        fog2: [f64; 3] => get(|level| level.colour(3)) set(|level, value| level.set_colour(3, value));
        /// Colour of the third fog.
        fog3: [f64; 3] => get(|level| level.colour(4)) set(|level, value| level.set_colour(4, value));
        /// Colour of the fourth fog.
        fog4: [f64; 3] => get(|level| level.colour(5)) set(|level, value| level.set_colour(5, value));
    }
}

fields! {
    /// Fields of starts.
    pub(crate) static START: "start" = Start {}
}

fields! {
    /// Fields of lights.
    pub(crate) static LIGHT: "light" = Light {
        /// Red, green and blue in percent; in binary files 0 to 255.
        colour | color: [f64; 3];
        /// Radius.
        range | radius: f64 { unit: "quants" };
        /// Unknown flags.
        flags: Option<LightFlags>;
    }
}

fields! {
    /// Fields of sounds.
    pub(crate) static SOUND: "sound" = Sound {
        /// File.
        file | sound: Name;
        /// Unknown flags.
        flags: SoundFlags;
        /// Volume.
        volume: f64 { unit: "percent" } => get(|sound| sound.numbers[0].to_value())
            set(|sound, value| sound.numbers[0].set_value(value));
        /// Pitch.
        pitch: f64 { default: "0" } => get(|sound| sound.numbers[1].to_value())
            set(|sound, value| sound.numbers[1].set_value(value));
        /// Time.
        time: f64 { default: "0" } => get(|sound| sound.numbers[2].to_value())
            set(|sound, value| sound.numbers[2].set_value(value));
        /// Range.
        range | radius: f64 { unit: "quants" } => get(|sound| sound.numbers[3].to_value())
            set(|sound, value| sound.numbers[3].set_value(value));
    }
}

fields! {
    /// Fields of models.
    pub(crate) static MODEL: "model" = Model {
        /// File.
        file | model: Name;
        /// Action: a function of the script.
        action: Name;
        /// Properties.
        flags: ModelFlags;
        /// Ambient light.
        ambient: f64 { unit: "percent", default: "0" };
        /// Albedo.
        albedo: Option<f64> { unit: "percent", default: "50" };
        /// Scale on each axis.
        scale: [f64; 3];
        /// Name of a path.
        path: Name => get(|model| model.tail_name(0)) set(|model, value| model.set_tail_name(0, value));
        /// Name of a target.
        target: Name => get(|model| model.tail_name(1)) set(|model, value| model.set_tail_name(1, value));
        /// Material.
        material: Name => get(|model| model.tail_name(2)) set(|model, value| model.set_tail_name(2, value));
        /// First string for the action.
        string1 | string_1: Name => get(|model| model.tail_name(3)) set(|model, value| model.set_tail_name(3, value));
        /// Second string for the action.
        string2 | string_2: Name => get(|model| model.tail_name(4)) set(|model, value| model.set_tail_name(4, value));
        /// Number 1 for the action.
        skill1: f64 => get(|model| model.skill(0)) set(|model, value| model.set_skill(0, value));
        /// Number 2 for the action.
        skill2: f64 => get(|model| model.skill(1)) set(|model, value| model.set_skill(1, value));
        /// Number 3 for the action.
        skill3: f64 => get(|model| model.skill(2)) set(|model, value| model.set_skill(2, value));
        /// Number 4 for the action.
        skill4: f64 => get(|model| model.skill(3)) set(|model, value| model.set_skill(3, value));
        /// Number 5 for the action.
        skill5: f64 => get(|model| model.skill(4)) set(|model, value| model.set_skill(4, value));
        /// Number 6 for the action.
        skill6: f64 => get(|model| model.skill(5)) set(|model, value| model.set_skill(5, value));
        /// Number 7 for the action.
        skill7: f64 => get(|model| model.skill(6)) set(|model, value| model.set_skill(6, value));
        /// Number 8 for the action.
        skill8: f64 => get(|model| model.skill(7)) set(|model, value| model.set_skill(7, value));
        /// Number 9 for the action.
        skill9: f64 => get(|model| model.skill(8)) set(|model, value| model.set_skill(8, value));
        /// Number 10 for the action.
        skill10: f64 => get(|model| model.skill(9)) set(|model, value| model.set_skill(9, value));
        /// Number 11 for the action.
        skill11: f64 => get(|model| model.skill(10)) set(|model, value| model.set_skill(10, value));
        /// Number 12 for the action.
        skill12: f64 => get(|model| model.skill(11)) set(|model, value| model.set_skill(11, value));
        /// Number 13 for the action.
        skill13: f64 => get(|model| model.skill(12)) set(|model, value| model.set_skill(12, value));
        /// Number 14 for the action.
        skill14: f64 => get(|model| model.skill(13)) set(|model, value| model.set_skill(13, value));
        /// Number 15 for the action.
        skill15: f64 => get(|model| model.skill(14)) set(|model, value| model.set_skill(14, value));
        /// Number 16 for the action.
        skill16: f64 => get(|model| model.skill(15)) set(|model, value| model.set_skill(15, value));
        /// Number 17 for the action.
        skill17: f64 => get(|model| model.skill(16)) set(|model, value| model.set_skill(16, value));
        /// Number 18 for the action.
        skill18: f64 => get(|model| model.skill(17)) set(|model, value| model.set_skill(17, value));
        /// Number 19 for the action.
        skill19: f64 => get(|model| model.skill(18)) set(|model, value| model.set_skill(18, value));
        /// Number 20 for the action.
        skill20: f64 => get(|model| model.skill(19)) set(|model, value| model.set_skill(19, value));
    }
}

fields! {
    /// Fields of paths.
    pub(crate) static PATH: "path" = Path {
        /// Number of nodes.
        nodes: u32 => get(|path| Some(path.nodes.len().into()));
        /// Number of edges.
        edges: u32 => get(|path| Some(path.edges.len().into()));
    }
}

fields! {
    /// Fields of regions.
    pub(crate) static REGION: "region" = Region {
        /// Minimum in world space.
        minimum: [f64; 3] { unit: "quants" };
        /// Maximum in world space.
        maximum: [f64; 3] { unit: "quants" };
    }
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
