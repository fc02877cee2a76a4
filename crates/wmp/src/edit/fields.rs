//! Fields of blocks, groups and entities by their names.

use std::fmt;
use std::sync::Arc;

use mapwright_io::{FormattedNumber, escape_bytes, unescape_bytes};

use super::{EditError, Kind};
use crate::codes::{BlockFlags, FaceFlags, LightFlags, ModelFlags};
use crate::{Block, Dialect, Entity, EntityKind, Mesh, Name, Object, Shape};

/// What a field holds.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Value {
    /// A name.
    Name(Name),
    /// A number.
    Number(f64),
    /// Flags.
    Flags(u32),
    /// Three numbers.
    Vector([f64; 3]),
}

/// Names of flags.
type Flags = &'static [(u32, &'static str)];

/// What a field is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Type {
    Name,
    File,
    Texture,
    Number,
    /// A number without a fraction.
    Whole,
    Flags(Flags),
    Vector,
}

macro_rules! names {
    ($name:ident, $flags:ident) => {
        const $name: Flags = &{
            let mut names = [(0, ""); $flags::NAMED.len()];
            let mut at = 0;
            while at < names.len() {
                #[allow(clippy::indexing_slicing, reason = "evaluated by the compiler")]
                {
                    names[at] = ($flags::NAMED[at].0.0, $flags::NAMED[at].1);
                }
                at += 1;
            }
            names
        };
    };
}

names!(BLOCK_FLAGS, BlockFlags);
names!(FACE_FLAGS, FaceFlags);
names!(MODEL_FLAGS, ModelFlags);
names!(LIGHT_FLAGS, LightFlags);

/// The fields of a kind that can be set, and what they are.
pub(super) fn settable(kind: Kind) -> &'static [(&'static str, Type)] {
    use Type::{File, Flags, Name, Number, Texture, Vector, Whole};
    match kind {
        Kind::Block => &[("flags", Flags(BLOCK_FLAGS)), ("material", Name), ("texture", Texture)],
        Kind::Group => &[("name", Name)],
        Kind::Entity => &[("name", Name)],
        Kind::Level => &[
            ("wad", File),
            ("palette", File),
            ("nexus", Whole),
            ("azimuth", Number),
            ("elevation", Number),
            ("script", File),
            ("sun", Vector),
            ("ambient", Vector),
            ("fog1", Vector),
            ("fog2", Vector),
            ("fog3", Vector),
            ("fog4", Vector),
        ],
        Kind::Start | Kind::Path => &[("name", Name)],
        Kind::Light => &[("colour", Vector), ("range", Number), ("flags", Flags(LIGHT_FLAGS))],
        Kind::Sound => &[
            ("file", File),
            ("flags", Flags(&[])),
            ("volume", Number),
            ("pitch", Number),
            ("time", Number),
            ("range", Number),
        ],
        Kind::Model => &[
            ("name", Name),
            ("file", File),
            ("action", Name),
            ("flags", Flags(MODEL_FLAGS)),
            ("ambient", Number),
            ("albedo", Number),
            ("scale", Vector),
            ("path", Name),
            ("target", Name),
            ("material", Name),
            ("string1", Name),
            ("string2", Name),
            // skill1 to skill20 are told apart by their numbers.
            ("skill", Number),
        ],
        Kind::Region => &[("name", Name), ("minimum", Vector), ("maximum", Vector)],
    }
}

/// The fields of the level that resolved maps have.
pub(super) const RESOLVED_LEVEL: [&str; 4] = ["wad", "palette", "azimuth", "elevation"];

/// The fields of a kind that are asked for and not set.
pub(super) fn askable(kind: Kind) -> &'static [(&'static str, Type)] {
    use Type::{Flags, Name, Number, Vector};
    macro_rules! common {
        ($($more:tt)*) => {
            &[
                ("number", Number),
                ("group", Name),
                ("position", Vector),
                ("x", Number),
                ("y", Number),
                ("z", Number),
                $($more)*
            ]
        };
    }
    match kind {
        Kind::Block => {
            common!(("vertices", Number), ("faces", Number), ("face_flags", Flags(FACE_FLAGS)), ("face_material", Name))
        }
        Kind::Group => common!(("members", Number)),
        Kind::Path => common!(("nodes", Number), ("edges", Number)),
        _ => common!(),
    }
}

/// The number of a skill.
fn skill(field: &str) -> Option<usize> {
    let number: usize = field.strip_prefix("skill")?.parse().ok()?;
    number.checked_sub(1)
}

/// What a field is.
pub(super) fn kind_of(kind: Kind, field: &str, asked: bool) -> Result<Type, EditError> {
    let list = settable(kind).iter().chain(if asked { askable(kind) } else { &[] });
    let wanted = if kind == Kind::Model && skill(field).is_some() { "skill" } else { field };
    // Without its number it is none.
    let found = list.clone().find(|(name, _)| *name == wanted && field != "skill");
    found.map(|(_, of)| *of).ok_or_else(|| {
        let fields = list.map(|(name, _)| if *name == "skill" { "skill1…" } else { *name }).collect();
        EditError::NoField { kind: kind.word(), field: field.to_owned(), fields }
    })
}

/// Reads the value of a field.
pub(super) fn parse(field: &str, of: Type, text: &str) -> Result<Value, EditError> {
    let number = |text: &str| text.trim().parse().ok().filter(|number: &f64| number.is_finite());
    let read = match of {
        Type::Name | Type::File | Type::Texture => Some(Value::Name(name(text))),
        Type::Number => number(text).map(Value::Number),
        Type::Whole => text.trim().parse().ok().map(|number: i32| Value::Number(number.into())),
        Type::Flags(names) => flags(text, names).map(Value::Flags),
        Type::Vector => numbers(text).map(Value::Vector),
    };
    read.ok_or_else(|| {
        let expected = match of {
            Type::Flags([]) => "a number of 32 bits, also as 0x10 or 0b101".to_owned(),
            Type::Flags(names) => {
                let names: Vec<&str> = names.iter().map(|(_, name)| *name).collect();
                format!("a number of 32 bits, also as 0x10 or 0b101, or names joined by commas: {}", names.join(" "))
            }
            Type::Vector => "three numbers, as 0,0,64".to_owned(),
            Type::Whole => "a number without a fraction".to_owned(),
            _ => "a number".to_owned(),
        };
        EditError::Value { field: field.to_owned(), value: text.to_owned(), expected }
    })
}

/// A name as it is spelled. `ndef` is none, as in text maps.
fn name(text: &str) -> Name {
    if text == "ndef" { Name::NONE } else { unescape_bytes(text).as_slice().into() }
}

/// Three finite numbers.
pub(super) fn numbers(text: &str) -> Option<[f64; 3]> {
    let mut parts = text.split(',').map(|part| part.trim().parse().ok().filter(|number: &f64| number.is_finite()));
    let numbers = [parts.next()??, parts.next()??, parts.next()??];
    parts.next().is_none().then_some(numbers)
}

fn flags(text: &str, names: Flags) -> Option<u32> {
    text.split([',', '|']).try_fold(0, |bits, part| {
        let part = part.trim();
        let named = names.iter().find(|(_, name)| name.eq_ignore_ascii_case(part)).map(|(bits, _)| *bits);
        let number = || match (part.strip_prefix("0x"), part.strip_prefix("0b")) {
            (Some(digits), _) => u32::from_str_radix(digits, 16).ok(),
            (_, Some(digits)) => u32::from_str_radix(digits, 2).ok(),
            _ => part.parse().ok(),
        };
        Some(bits | named.or_else(number)?)
    })
}

/// A field of an entity, to be read or changed.
macro_rules! slots {
    ($function:ident, $slot:ident, $skills:path $(, $mutable:tt)?) => {
        /// Where a field is.
        enum $slot<'a> {
            Name(&'a $($mutable)? Name),
            Number(&'a $($mutable)? f64),
            Skill(&'a $($mutable)? FormattedNumber<f64>),
            Whole(&'a $($mutable)? i32),
            Flags(&'a $($mutable)? u32),
            Vector(&'a $($mutable)? [f64; 3]),
        }

        /// Finds a field.
        fn $function<'a>(kind: &'a $($mutable)? EntityKind, field: &str) -> Option<$slot<'a>> {
            use $slot::{Flags, Name, Number, Skill, Vector, Whole};
            Some(match kind {
                EntityKind::Level(level) => {
                    let colour = match field {
                        "wad" => return Some(Name(& $($mutable)? level.wad)),
                        "palette" => return Some(Name(& $($mutable)? level.palette)),
                        "script" => return Some(Name(& $($mutable)? level.script)),
                        "nexus" => return Some(Whole(& $($mutable)? level.nexus)),
                        "azimuth" => return Some(Number(& $($mutable)? level.azimuth)),
                        "elevation" => return Some(Number(& $($mutable)? level.elevation)),
                        "sun" => 0,
                        "ambient" => 1,
                        "fog1" => 2,
                        "fog2" => 3,
                        "fog3" => 4,
                        "fog4" => 5,
                        _ => return None,
                    };
                    let colours = & $($mutable)? level.colours;
                    Vector(colours.into_iter().nth(colour)?)
                }
                EntityKind::Start(start) if field == "name" => Name(& $($mutable)? start.name),
                EntityKind::Path(path) if field == "name" => Name(& $($mutable)? path.name),
                EntityKind::Region(region) => match field {
                    "name" => Name(& $($mutable)? region.name),
                    "minimum" => Vector(& $($mutable)? region.minimum),
                    "maximum" => Vector(& $($mutable)? region.maximum),
                    _ => return None,
                },
                EntityKind::Light(light) => match field {
                    "colour" => Vector(& $($mutable)? light.colour),
                    "range" => Number(& $($mutable)? light.range),
                    "flags" => match & $($mutable)? light.flags {
                        Some(flags) => Flags(& $($mutable)? flags.0),
                        None => return None,
                    },
                    _ => return None,
                },
                EntityKind::Sound(sound) => {
                    let [volume, pitch, time, range] = & $($mutable)? sound.numbers;
                    match field {
                        "file" => Name(& $($mutable)? sound.file),
                        "flags" => Flags(& $($mutable)? sound.flags.0),
                        "volume" => Number(volume),
                        "pitch" => Number(pitch),
                        "time" => Number(time),
                        "range" => Number(range),
                        _ => return None,
                    }
                }
                EntityKind::Model(model) => {
                    let tail = match field {
                        "name" => return Some(Name(& $($mutable)? model.name)),
                        "file" => return Some(Name(& $($mutable)? model.file)),
                        "action" => return Some(Name(& $($mutable)? model.action)),
                        "flags" => return Some(Flags(& $($mutable)? model.flags.0)),
                        "ambient" => return Some(Number(& $($mutable)? model.ambient)),
                        "scale" => return Some(Vector(& $($mutable)? model.scale)),
                        "albedo" => {
                            return match & $($mutable)? model.albedo {
                                Some(albedo) => Some(Number(albedo)),
                                None => None,
                            };
                        }
                        "path" => 0,
                        "target" => 1,
                        "material" => 2,
                        "string1" => 3,
                        "string2" => 4,
                        _ => {
                            let at = skill(field)?;
                            return $skills(& $($mutable)? model.skills).into_iter().nth(at).map(Skill);
                        }
                    };
                    let names = & $($mutable)? model.tail;
                    Name(names.into_iter().nth(tail)?)
                }
                _ => return None,
            })
        }
    };
}

slots!(find, Slot, Arc::as_ref);
slots!(find_mut, SlotMut, Arc::make_mut, mut);

/// A field of an entity; none where it has no such field.
pub(super) fn entity(entity: &Entity, field: &str) -> Option<Value> {
    match (&entity.kind, field) {
        (EntityKind::Path(path), "nodes") => return Some(count(path.nodes.len())),
        (EntityKind::Path(path), "edges") => return Some(count(path.edges.len())),
        // Names at the end are left out where they are none.
        (EntityKind::Model(_), "path" | "target" | "material" | "string1" | "string2") => {
            let name = match find(&entity.kind, field) {
                Some(Slot::Name(name)) => name.clone(),
                _ => Name::NONE,
            };
            return Some(Value::Name(name));
        }
        _ => {}
    }
    Some(match find(&entity.kind, field)? {
        Slot::Name(name) => Value::Name(name.clone()),
        Slot::Number(number) => Value::Number(*number),
        Slot::Skill(skill) => Value::Number(*skill.get()),
        Slot::Whole(number) => Value::Number((*number).into()),
        Slot::Flags(flags) => Value::Flags(*flags),
        Slot::Vector(vector) => Value::Vector(*vector),
    })
}

/// Sets a field of an entity, if it has it; whether it has.
pub(super) fn set_entity(dialect: Dialect, entity: &mut Entity, field: &str, value: &Value) -> bool {
    if let EntityKind::Model(model) = &mut entity.kind {
        // Names at the end are written as far as there are any.
        let most = match (dialect, model.skills.len()) {
            (Dialect::A4 | Dialect::A5, _) | (Dialect::Resolved, 0..20) => 0,
            (Dialect::A7, 0..20) => 2,
            _ => 5,
        };
        let wanted = match field {
            "path" | "target" => 2,
            "material" => 3,
            "string1" => 4,
            "string2" => 5,
            _ => 0,
        };
        // Text has two of them or all.
        let wanted = if dialect == Dialect::A7 && wanted > 2 { 5 } else { wanted };
        if wanted > model.tail.len() && wanted <= most {
            model.tail.resize(wanted, Name::NONE);
        }
    }
    match (find_mut(&mut entity.kind, field), value) {
        (Some(SlotMut::Name(old)), Value::Name(new)) => old.clone_from(new),
        (Some(SlotMut::Number(old)), Value::Number(new)) => *old = *new,
        (Some(SlotMut::Skill(old)), Value::Number(new)) => *old = FormattedNumber::new(*new),
        #[allow(clippy::cast_possible_truncation, reason = "what was read for it is whole, and fits")]
        (Some(SlotMut::Whole(old)), Value::Number(new)) => *old = *new as i32,
        (Some(SlotMut::Flags(old)), Value::Flags(new)) => *old = *new,
        (Some(SlotMut::Vector(old)), Value::Vector(new)) => *old = *new,
        _ => return false,
    }
    if let (Dialect::Binary, EntityKind::Model(model)) = (dialect, &mut entity.kind) {
        while model.tail.last().is_some_and(Name::is_empty) {
            model.tail.pop();
        }
    }
    true
}

/// A field of a block but for those of its faces, of which there are many.
pub(super) fn block(block: &Block, field: &str) -> Option<Value> {
    let (vertices, faces) = match &block.shape {
        Shape::Planes(faces) => (0, faces.len()),
        Shape::Mesh(Mesh { vertices, faces }) => (vertices.len(), faces.len()),
    };
    Some(match field {
        "flags" => Value::Flags(block.flags.0),
        "material" => Value::Name(block.material.clone()),
        "vertices" => count(vertices),
        "faces" => count(faces),
        _ => return None,
    })
}

/// What the faces of a block have in a field.
pub(super) fn faces<'a>(block: &'a Block, field: &'a str) -> Box<dyn Iterator<Item = Value> + 'a> {
    let of = move |texture: &Name, flags: FaceFlags, material: &Name| match field {
        "texture" => Some(Value::Name(texture.clone())),
        "face_flags" => Some(Value::Flags(flags.0)),
        "face_material" => Some(Value::Name(material.clone())),
        _ => None,
    };
    match &block.shape {
        Shape::Planes(faces) => {
            Box::new(faces.iter().filter_map(move |face| of(&face.texture, face.flags, &face.material)))
        }
        Shape::Mesh(mesh) => {
            Box::new(mesh.faces.iter().filter_map(move |face| of(&face.texture, face.flags, &face.material)))
        }
    }
}

/// Sets a field of a block; a texture of all its faces that have one.
pub(super) fn set_block(block: &mut Block, field: &str, value: &Value) {
    match (field, value) {
        ("flags", Value::Flags(flags)) => block.flags.0 = *flags,
        ("material", Value::Name(name)) => block.material.clone_from(name),
        ("texture", Value::Name(name)) => match &mut block.shape {
            Shape::Planes(faces) => faces.iter_mut().for_each(|face| face.texture.clone_from(name)),
            Shape::Mesh(mesh) => {
                mesh.faces.iter_mut().filter(|face| !face.bare).for_each(|face| face.texture.clone_from(name));
            }
        },
        _ => {}
    }
}

/// A field of a group.
pub(super) fn group(object: &Object, field: &str) -> Option<Value> {
    match field {
        "name" => Some(Value::Name(object.name.clone())),
        "members" => Some(count(object.members.len())),
        _ => None,
    }
}

pub(super) fn count(count: usize) -> Value {
    Value::Number(u32::try_from(count).map_or(f64::INFINITY, f64::from))
}

/// As it is written in edits.
impl fmt::Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Name(name) if name.is_empty() => f.write_str("ndef"),
            Self::Name(name) => f.write_str(&escape_bytes(name.as_bytes())),
            Self::Number(number) => write!(f, "{number}"),
            Self::Flags(flags) => write!(f, "{flags:#x}"),
            Self::Vector([x, y, z]) => write!(f, "{x},{y},{z}"),
        }
    }
}
