//! Read access to entities.

use std::borrow::Cow;
use std::fmt;

use mapwright_keyvalues::kv1::Item;

use super::editor::{EditorData, Group};
use super::output::Output;
use super::solid::Solid;
use super::value::{self, Member};
use crate::FixupStyle;

/// The world or an entity: keys with values, outputs and solids.
#[derive(Clone, Copy)]
pub struct Entity<'a> {
    member: Member<'a>,
    is_world: bool,
}

impl<'a> Entity<'a> {
    pub(crate) fn from_world(item: Item<'a>) -> Self {
        Self { member: Member { item, wrapper: None }, is_world: true }
    }

    pub(crate) fn from_member(member: Member<'a>) -> Self {
        Self { member, is_world: false }
    }

    /// Returns the block of the entity.
    pub fn item(self) -> Item<'a> {
        self.member.item
    }

    /// Returns the block that exists only for the entity: a block `hidden`, or else its own block.
    pub(crate) fn outer(self) -> Item<'a> {
        self.member.outer()
    }

    /// Returns `true` for the world.
    pub fn is_world(self) -> bool {
        self.is_world
    }

    /// Returns `true` if the entity is in a block `hidden`.
    pub fn is_hidden(self) -> bool {
        self.member.wrapper.is_some()
    }

    /// Returns the id. Files can contain an id several times.
    pub fn id(self) -> Option<i64> {
        value::integer(self.item(), "id")
    }

    /// Iterates over the keys with values, in the order of the text. A key can occur several times.
    pub fn keys(self) -> impl Iterator<Item = Item<'a>> + Clone {
        self.item().items().filter(|item| !item.is_block())
    }

    /// Returns the first key with a name, in any case.
    pub fn key(self, name: impl AsRef<[u8]>) -> Option<Item<'a>> {
        value::key(self.item(), name)
    }

    /// Returns the value of a key as text: UTF-8, else Windows-1252.
    pub fn text(self, name: &str) -> Option<Cow<'a, str>> {
        value::text(self.item(), name)
    }

    /// Returns the value of a key as numbers, if it consists of exactly N finite numbers.
    pub fn numbers<const N: usize>(self, name: &str) -> Option<[f64; N]> {
        value::numbers(self.item(), name)
    }

    /// Returns the class: the value of `classname`.
    pub fn class(self) -> Option<Cow<'a, str>> {
        self.text("classname")
    }

    /// Returns `true` if the entity has a class, in any case.
    pub fn is_class(self, class: &str) -> bool {
        self.class().is_some_and(|own| own.eq_ignore_ascii_case(class))
    }

    /// Returns the name to which other entities refer: the value of `targetname`.
    pub fn name(self) -> Option<Cow<'a, str>> {
        self.text("targetname")
    }

    /// Returns the position in units.
    pub fn origin(self) -> Option<[f64; 3]> {
        self.numbers("origin")
    }

    /// Returns pitch, yaw and roll in degrees. A positive pitch points down.
    pub fn angles(self) -> Option<[f64; 3]> {
        self.numbers("angles")
    }

    /// Iterates over the solids, in the order of the text. Hidden solids are among them.
    pub fn solids(self) -> impl Iterator<Item = Solid<'a>> + Clone {
        let is_hidden = self.is_hidden();
        value::members(self.item().items(), "solid").map(move |member| Solid::from_member(member, is_hidden))
    }

    /// Iterates over the outputs. Blocks among them, which some editors write, are left out.
    pub fn outputs(self) -> impl Iterator<Item = Output<'a>> + Clone {
        let blocks = value::blocks(self.item().items(), "connections");
        blocks.flat_map(Item::items).filter(|item| !item.is_block()).map(Output::from_key)
    }

    /// Iterates over the groups. Only the world contains groups.
    pub fn groups(self) -> impl Iterator<Item = Group<'a>> + Clone {
        value::members(self.item().items(), "group").map(|member| Group::from_block(member.item))
    }

    /// Returns the data of the editor.
    pub fn editor(self) -> Option<EditorData<'a>> {
        EditorData::of(self.item())
    }

    /// Returns an entity of the class `info_overlay` as an overlay.
    pub fn as_overlay(self) -> Option<Overlay<'a>> {
        self.is_class("info_overlay").then_some(Overlay { entity: self })
    }

    /// Returns an entity of the class `func_instance` as an instance.
    pub fn as_instance(self) -> Option<Instance<'a>> {
        self.is_class("func_instance").then_some(Instance { entity: self })
    }

    /// Returns the ids of the sides that a key lists: `sides` of overlays and cubemaps. Words that are not numbers are left out.
    pub fn side_ids(self, key: &str) -> Vec<i64> {
        let text = self.text(key).unwrap_or_default();
        text.split_ascii_whitespace().filter_map(value::parse_integer).collect()
    }
}

impl fmt::Debug for Entity<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Entity")
            .field("keys", &self.keys().collect::<Vec<_>>())
            .field("solids", &self.solids().count())
            .field("outputs", &self.outputs().count())
            .field("is_hidden", &self.is_hidden())
            .finish()
    }
}

/// An image on sides of solids: an entity of the class `info_overlay`.
#[derive(Debug, Clone, Copy)]
pub struct Overlay<'a> {
    entity: Entity<'a>,
}

impl<'a> Overlay<'a> {
    /// Returns the entity.
    pub fn entity(self) -> Entity<'a> {
        self.entity
    }

    /// Returns the material.
    pub fn material(self) -> Option<Cow<'a, str>> {
        self.entity.text("material")
    }

    /// Returns the ids of the sides that show the image.
    pub fn sides(self) -> Vec<i64> {
        self.entity.side_ids("sides")
    }

    /// Returns the centre and the axes of the plane of the overlay: `BasisOrigin`, `BasisU` and `BasisV`.
    pub fn basis(self) -> Option<[[f64; 3]; 3]> {
        let part = |key| self.entity.numbers(key);
        Some([part("BasisOrigin")?, part("BasisU")?, part("BasisV")?])
    }

    /// Returns the four corners.
    pub fn corners(self) -> Option<[[f64; 3]; 4]> {
        let [origin, u, v] = self.basis()?;
        let corner = |key| {
            let [along, across, _] = self.entity.numbers(key)?;
            let part = |origin: f64, u: f64, v: f64| origin + u * along + v * across;
            let ([x, y, z], [a, b, c], [d, e, f]) = (origin, u, v);
            Some([part(x, a, d), part(y, b, e), part(z, c, f)])
        };
        Some([corner("uv0")?, corner("uv1")?, corner("uv2")?, corner("uv3")?])
    }

    /// Returns the texture coordinates of the four corners, in repeats of the texture.
    pub fn texture_coordinates(self) -> Option<[[f64; 2]; 4]> {
        let number = |key| value::number(self.entity.item(), key);
        let (u0, u1, v0, v1) = (number("StartU")?, number("EndU")?, number("StartV")?, number("EndV")?);
        Some([[u0, v0], [u0, v1], [u1, v1], [u1, v0]])
    }
}

/// A copy of another map: an entity of the class `func_instance`.
#[derive(Debug, Clone, Copy)]
pub struct Instance<'a> {
    entity: Entity<'a>,
}

impl<'a> Instance<'a> {
    /// Returns the entity.
    pub fn entity(self) -> Entity<'a> {
        self.entity
    }

    /// Returns the path of the other map, relative to the folder of this one.
    pub fn file(self) -> Option<Cow<'a, str>> {
        self.entity.text("file")
    }

    /// Returns the way in which names are made unique. Returns `None` for an unknown number.
    pub fn fixup_style(self) -> Option<FixupStyle> {
        match value::text(self.entity.item(), "fixup_style") {
            Some(text) => FixupStyle::from_number(text.trim().parse().ok()?),
            None => Some(FixupStyle::default()),
        }
    }

    /// Iterates over the variables and their values: the keys `replace01` and so on. A variable has a `$` before its name.
    pub fn replacements(self) -> impl Iterator<Item = (String, String)> + use<'a> {
        let keys = self.entity.keys().filter(|key| is_replacement(&key.name_text()));
        let values = keys.filter_map(Item::text);
        values.map(|text| {
            let (name, value) = text.split_once([' ', '\t']).unwrap_or((&text, ""));
            (name.to_owned(), value.trim_start().to_owned())
        })
    }
}

/// Returns `true` for a key of an instance that gives a variable a value: `replace01` and so on.
pub(crate) fn is_replacement(key: &str) -> bool {
    key.to_ascii_lowercase().strip_prefix("replace").is_some_and(|digits| digits.bytes().all(|it| it.is_ascii_digit()))
}
