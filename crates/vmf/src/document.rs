//! The text of a map with an index of its items, and typed views of them.

pub(crate) mod displacement;
pub(crate) mod editor;
pub(crate) mod entity;
pub(crate) mod output;
pub(crate) mod solid;
pub(crate) mod value;

use std::fmt;

use mapwright_io::{Confidence, FormatInfo};
use mapwright_keyvalues::kv1::{self, Item};

use crate::{Camera, Cordon, Entity, Solid, VisGroup};

/// Names and extensions of this format.
pub const FORMAT: FormatInfo = FormatInfo::new("vmf", "Source 1 map (Hammer)", &["vmf"]);

/// Names of blocks that maps begin with.
const FIRST_BLOCKS: [&str; 7] = ["versioninfo", "visgroups", "viewsettings", "world", "entity", "cameras", "cordons"];

/// Estimates whether bytes are a map: a KeyValues text whose first block has the name of a block of maps. The first lines suffice.
pub fn sniff(bytes: &[u8]) -> Confidence {
    if kv1::sniff(bytes) == Confidence::No {
        return Confidence::No;
    }
    let start = bytes.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(bytes);
    let lines = start.split(|&byte| byte == b'\n').map(<[u8]>::trim_ascii);
    let first = lines.into_iter().find(|line| !line.is_empty() && !line.starts_with(b"//")).unwrap_or_default();
    let is_separator = |byte: &u8| matches!(byte, b'"' | b'{' | b' ' | b'\t');
    let name = first.split(is_separator).find(|word| !word.is_empty()).unwrap_or_default();
    let position = FIRST_BLOCKS.iter().position(|known| name.eq_ignore_ascii_case(known.as_bytes()));
    match position {
        Some(0) => Confidence::Certain,
        Some(_) => Confidence::Maybe,
        None => Confidence::No,
    }
}

/// The text of a new map.
const NEW: &str = "versioninfo\n{\n\t\"editorversion\" \"400\"\n\t\"editorbuild\" \"8870\"\n\t\"mapversion\" \"1\"\n\
    \t\"formatversion\" \"100\"\n\t\"prefab\" \"0\"\n}\nvisgroups\n{\n}\nviewsettings\n{\n\t\"bSnapToGrid\" \"1\"\n\t\"bShowGrid\" \"1\"\n\
    \t\"bShowLogicalGrid\" \"0\"\n\t\"nGridSpacing\" \"64\"\n\t\"bShow3DGrid\" \"0\"\n}\nworld\n{\n\t\"id\" \"1\"\n\t\"mapversion\" \"1\"\n\
    \t\"classname\" \"worldspawn\"\n}\ncameras\n{\n\t\"activecamera\" \"-1\"\n}\ncordons\n{\n\t\"active\" \"0\"\n}\n";

/// A map: its text, and an index of its keys and blocks. It is written as it was read.
///
/// Views such as [`Entity`] and [`Side`](crate::Side) read the text where they are asked.
#[derive(Clone, PartialEq, Eq)]
pub struct Document {
    pub(crate) text: kv1::Document,
}

impl Document {
    /// Creates a map with an empty world, as Hammer does.
    #[expect(clippy::expect_used, reason = "the text is constant")]
    pub fn new() -> Self {
        Self::from_bytes(NEW.as_bytes()).expect("the text is a map")
    }

    /// Returns the text.
    pub fn as_bytes(&self) -> &[u8] {
        self.text.as_bytes()
    }

    /// Returns the keys and blocks of the text.
    pub fn text(&self) -> &kv1::Document {
        &self.text
    }

    /// Iterates over the blocks outside of other blocks that have a name, in any case.
    pub fn blocks<'a>(&'a self, name: &'a str) -> impl Iterator<Item = Item<'a>> + Clone {
        value::blocks(self.text.items(), name)
    }

    /// Returns the world, or the first of several.
    pub fn world(&self) -> Option<Entity<'_>> {
        self.blocks("world").next().map(Entity::from_world)
    }

    /// Iterates over the entities outside of the world, in the order of the text. Hidden entities are among them.
    pub fn entities(&self) -> impl Iterator<Item = Entity<'_>> + Clone {
        value::members(self.text.items(), "entity").map(Entity::from_member)
    }

    /// Iterates over the world and the entities, in the order of the text.
    pub fn all_entities(&self) -> impl Iterator<Item = Entity<'_>> + Clone {
        self.text.items().filter(|item| item.is_block()).flat_map(|item| {
            let is_world = item.is("world");
            let world = is_world.then(|| Entity::from_world(item));
            let others = (!is_world).then(|| value::member_or_hidden(item, "entity"));
            let others = others.into_iter().flatten();
            world.into_iter().chain(others.map(Entity::from_member))
        })
    }

    /// Iterates over the solids of the world and of all entities, in the order of the text.
    pub fn solids(&self) -> impl Iterator<Item = Solid<'_>> {
        self.all_entities().flat_map(Entity::solids)
    }

    /// Iterates over the visgroups that are in no other visgroup.
    pub fn visgroups(&self) -> impl Iterator<Item = VisGroup<'_>> + Clone {
        self.blocks("visgroups").flat_map(|block| value::blocks(block.items(), "visgroup")).map(VisGroup::from_block)
    }

    /// Iterates over the cordons: of `cordons`, or the only one of older maps.
    pub fn cordons(&self) -> impl Iterator<Item = Cordon<'_>> + Clone {
        let new = self.blocks("cordons").flat_map(|block| value::blocks(block.items(), "cordon"));
        self.blocks("cordon").chain(new).map(Cordon::from_block)
    }

    /// Iterates over the cameras.
    pub fn cameras(&self) -> impl Iterator<Item = Camera<'_>> + Clone {
        self.blocks("cameras").flat_map(|block| value::blocks(block.items(), "camera")).map(Camera::from_block)
    }

    /// Returns the index of the active camera. Returns `None` if no camera is active.
    pub fn active_camera(&self) -> Option<usize> {
        let index = self.blocks("cameras").find_map(|block| value::integer(block, "activecamera"))?;
        usize::try_from(index).ok()
    }

    /// Returns a number of the block `versioninfo`, such as `editorbuild` or `mapversion`.
    pub fn version(&self, key: &str) -> Option<i64> {
        self.blocks("versioninfo").find_map(|block| value::integer(block, key))
    }
}

impl Default for Document {
    fn default() -> Self {
        Self::new()
    }
}

impl fmt::Debug for Document {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.text.fmt(f)
    }
}
