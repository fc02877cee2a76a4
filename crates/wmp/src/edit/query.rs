//! Which items are meant.

use std::fmt;
use std::str::FromStr;

use mapwright_io::{Comparison, Pattern, quoted, unescape_bytes, words};

use super::fields::{self, Type, Value};
use super::transform::Spaces;
use super::{EditError, PartIndex};
use crate::tree::Tree;
use crate::{Dialect, Document, EntityKind, MemberKind};

/// What is meant.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Kind {
    /// Blocks.
    Block,
    /// Objects that are not the place of one block or entity.
    Group,
    /// Entities of every kind but levels.
    Entity,
    /// Levels.
    Level,
    /// Named positions.
    Start,
    /// Lights.
    Light,
    /// Sounds.
    Sound,
    /// Models.
    Model,
    /// Paths.
    Path,
    /// Regions.
    Region,
}

impl Kind {
    /// All of them.
    pub const ALL: [Self; 10] = [
        Self::Block,
        Self::Group,
        Self::Entity,
        Self::Level,
        Self::Start,
        Self::Light,
        Self::Sound,
        Self::Model,
        Self::Path,
        Self::Region,
    ];

    /// The word in edits.
    pub const fn word(self) -> &'static str {
        match self {
            Self::Block => "block",
            Self::Group => "group",
            Self::Entity => "entity",
            Self::Level => "level",
            Self::Start => "start",
            Self::Light => "light",
            Self::Sound => "sound",
            Self::Model => "model",
            Self::Path => "path",
            Self::Region => "region",
        }
    }

    /// The kind of an entity.
    pub(crate) const fn of(kind: &EntityKind) -> Self {
        match kind {
            EntityKind::Level(_) => Self::Level,
            EntityKind::Start(_) => Self::Start,
            EntityKind::Light(_) => Self::Light,
            EntityKind::Sound(_) => Self::Sound,
            EntityKind::Model(_) => Self::Model,
            EntityKind::Path(_) => Self::Path,
            EntityKind::Region(_) => Self::Region,
        }
    }
}

impl FromStr for Kind {
    type Err = EditError;

    fn from_str(text: &str) -> Result<Self, EditError> {
        let expected = "block, group, entity, level, start, light, sound, model, path or region";
        let found = Self::ALL.into_iter().find(|kind| kind.word() == text);
        found.ok_or_else(|| EditError::Syntax { text: text.to_owned(), expected })
    }
}

/// Items of a kind for which all conditions hold, written as `model #12`, `group Tower*`, `model where file=*.wmb x>100`, `block *`.
///
/// A number or a name with stars may stand behind the kind; conditions stand behind `where`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Selection {
    /// Of which kind.
    pub kind: Kind,
    /// The conditions.
    pub conditions: Vec<Condition>,
    /// Whether it is asked for by number or by a whole name, so that there has to be something.
    pub exact: bool,
}

/// A condition on a field of an item.
///
/// Fields are those that [`set`](super::Edit::Set) takes, and for all items `number`, `position`, its place in the world `x`, `y` and
/// `z`, and `group`, the name of a group around it; for blocks also `vertices`, `faces`, `face_flags` and `face_material`, for groups
/// `members`, for paths `nodes` and `edges`. Of faces it holds if it holds for one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Condition {
    /// The name of the field.
    pub field: String,
    /// How the field and the value compare.
    pub comparison: Comparison,
    /// The value, as it is written. In names `*` stands for any part.
    pub value: String,
}

/// A condition whose value was read.
struct Ready<'a> {
    field: &'a str,
    comparison: Comparison,
    value: Wanted,
}

enum Wanted {
    Name(Pattern),
    Is(Value),
}

impl Selection {
    /// All items of a kind.
    pub const fn all(kind: Kind) -> Self {
        Self { kind, conditions: Vec::new(), exact: false }
    }

    /// The item of that number.
    pub fn number(kind: Kind, number: u32) -> Self {
        let which = Condition { field: "number".into(), comparison: Comparison::Equal, value: number.to_string() };
        Self { kind, conditions: vec![which], exact: true }
    }

    /// Reads words that say what is meant of a kind: a number or name if there is one, and conditions.
    pub(super) fn read(kind: Kind, which: Option<&str>, conditions: &[&str]) -> Result<Self, EditError> {
        let mut selection = Self::all(kind);
        if let Some(which) = which {
            let (field, value) = match which.strip_prefix('#') {
                Some(number) => ("number", number),
                None => ("name", which),
            };
            selection.exact = !(field == "name" && value.contains('*'));
            // Blocks and lights have no names, but all of them can be meant.
            if which != "*" {
                let (field, value) = (field.to_owned(), value.to_owned());
                selection.conditions.push(Condition { field, comparison: Comparison::Equal, value });
            }
        }
        for condition in conditions {
            selection.conditions.push(condition.parse()?);
        }
        selection.ready()?;
        Ok(selection)
    }

    fn ready(&self) -> Result<Vec<Ready<'_>>, EditError> {
        let one = |condition: &'_ Condition| -> Result<(Comparison, Wanted), EditError> {
            let Condition { field, comparison, value } = condition;
            let of = if *comparison == Comparison::Equal && field == "name" && !has_name(self.kind) {
                return Err(EditError::Nothing { which: format!("{} with a name", self.kind.word()) });
            } else {
                fields::kind_of(self.kind, field, true)?
            };
            let fits = match of {
                Type::Name | Type::File | Type::Texture | Type::Vector => {
                    matches!(comparison, Comparison::Equal | Comparison::Different)
                }
                Type::Number | Type::Whole => *comparison != Comparison::Holds,
                Type::Flags(_) => true,
            };
            if !fits {
                let expected = match of {
                    Type::Number | Type::Whole => "= != < <= > >=",
                    _ => "= and !=",
                };
                return Err(EditError::Value {
                    field: field.clone(),
                    value: comparison.sign().to_owned(),
                    expected: format!("comparisons by {expected}"),
                });
            }
            let wanted = match of {
                Type::Name | Type::File | Type::Texture if value == "ndef" => Wanted::Name(Pattern::new(b"")),
                Type::Name | Type::File | Type::Texture => Wanted::Name(Pattern::new(&unescape_bytes(value))),
                of => Wanted::Is(fields::parse(field, of, value)?),
            };
            Ok((*comparison, wanted))
        };
        let ready = |condition| {
            let (comparison, value) = one(condition)?;
            Ok(Ready { field: &condition.field, comparison, value })
        };
        self.conditions.iter().map(ready).collect()
    }
}

fn has_name(kind: Kind) -> bool {
    fields::settable(kind).iter().any(|(name, _)| *name == "name")
}

impl Ready<'_> {
    fn holds(&self, found: &Value) -> bool {
        match (found, &self.value) {
            (Value::Name(found), Wanted::Name(pattern)) => {
                pattern.matches(found.as_bytes()) == (self.comparison == Comparison::Equal)
            }
            (Value::Number(found), Wanted::Is(Value::Number(value))) => self.comparison.is(found.partial_cmp(value)),
            (Value::Flags(found), Wanted::Is(Value::Flags(value))) if self.comparison == Comparison::Holds => {
                found & value == *value
            }
            (Value::Flags(found), Wanted::Is(Value::Flags(value))) => self.comparison.is(Some(found.cmp(value))),
            (Value::Vector(found), Wanted::Is(Value::Vector(value))) => {
                (found == value) == (self.comparison == Comparison::Equal)
            }
            _ => false,
        }
    }
}

impl Document {
    /// The items that a selection means, in the order of their lists.
    ///
    /// # Errors
    /// If a condition is on a field that there is not, or the field does not take its value; if nothing has a number or name that is
    /// asked for.
    pub fn find(&self, selection: &Selection) -> Result<Vec<PartIndex>, EditError> {
        let ready = selection.ready()?;
        let tree = Tree::new(self);
        let placed = ready.iter().any(|condition| matches!(condition.field, "x" | "y" | "z"));
        let spaces = placed.then(|| Spaces::of(self, &tree));
        let view = View { document: self, tree: &tree, spaces: spaces.as_ref() };
        let means = |place: &PartIndex| ready.iter().all(|condition| view.holds(*place, condition));
        let found: Vec<PartIndex> = match selection.kind {
            Kind::Block => (0..self.blocks.len()).map(PartIndex::Block).filter(means).collect(),
            Kind::Group => {
                let groups = (0..self.objects.len()).filter(|&object| self.is_group(object));
                groups.map(PartIndex::Object).filter(means).collect()
            }
            kind => {
                let of = |(place, entity): (usize, &crate::Part<crate::Entity>)| {
                    let own = Kind::of(&entity.kind);
                    let meant = if kind == Kind::Entity { own != Kind::Level } else { own == kind };
                    meant.then_some(PartIndex::Entity(place))
                };
                self.entities.iter().enumerate().filter_map(of).filter(means).collect()
            }
        };
        if found.is_empty() && selection.exact {
            return Err(EditError::Nothing { which: selection.to_string() });
        }
        Ok(found)
    }

    /// Whether an object is a group: the root, or not the place of one block or entity.
    pub(crate) fn is_group(&self, object: usize) -> bool {
        self.objects.get(object).is_some_and(|object| match object.members.as_slice() {
            [member] => object.number == 0 || matches!(member.kind, MemberKind::Object | MemberKind::Level),
            _ => true,
        })
    }
}

/// A map as conditions see it.
struct View<'a> {
    document: &'a Document,
    tree: &'a Tree,
    spaces: Option<&'a Spaces>,
}

impl View<'_> {
    fn holds(&self, place: PartIndex, condition: &Ready<'_>) -> bool {
        let field = condition.field;
        let holder = match place {
            PartIndex::Object(object) => Some(object),
            place => self.tree.holder(place),
        };
        let object = holder.and_then(|holder| self.document.objects.get(holder));
        match field {
            "group" => {
                let names = holder.into_iter().flat_map(|holder| self.tree.chain(holder)).filter_map(|around| {
                    // A group is not around itself.
                    let own = PartIndex::Object(around) == place || !self.document.is_group(around);
                    let object = self.document.objects.get(around).filter(|_| !own)?;
                    Some(Value::Name(object.name.clone()))
                });
                return if condition.comparison == Comparison::Equal {
                    names.into_iter().any(|name| condition.holds(&name))
                } else {
                    names.into_iter().all(|name| condition.holds(&name))
                };
            }
            "position" => return object.is_some_and(|object| condition.holds(&Value::Vector(object.position))),
            "x" | "y" | "z" => {
                let world = holder.and_then(|holder| self.spaces?.position(holder));
                let part = |[x, y, z]: [f64; 3]| {
                    if field == "x" {
                        x
                    } else if field == "y" {
                        y
                    } else {
                        z
                    }
                };
                return world.is_some_and(|world| condition.holds(&Value::Number(part(world))));
            }
            _ => {}
        }
        match place {
            PartIndex::Block(place) => self.document.blocks.get(place).is_some_and(|block| match field {
                "number" => condition.holds(&Value::Number(block.number.into())),
                "texture" | "face_flags" | "face_material" if condition.comparison == Comparison::Different => {
                    fields::faces(block, field).all(|value| condition.holds(&value))
                }
                "texture" | "face_flags" | "face_material" => {
                    fields::faces(block, field).any(|value| condition.holds(&value))
                }
                _ => fields::block(block, field).is_some_and(|value| condition.holds(&value)),
            }),
            PartIndex::Object(_) => object.is_some_and(|object| match field {
                "number" => condition.holds(&Value::Number(object.number.into())),
                _ => fields::group(object, field).is_some_and(|value| condition.holds(&value)),
            }),
            PartIndex::Entity(place) => self.document.entities.get(place).is_some_and(|entity| match field {
                "number" => condition.holds(&Value::Number(entity.number.into())),
                // Binary files have the scale at the node alone.
                "scale" if self.document.dialect == Dialect::Binary => {
                    object.is_some_and(|object| condition.holds(&Value::Vector(object.scale)))
                }
                _ => fields::entity(entity, field).is_some_and(|value| condition.holds(&value)),
            }),
        }
    }
}

impl FromStr for Condition {
    type Err = EditError;

    fn from_str(text: &str) -> Result<Self, EditError> {
        match Comparison::split(text) {
            Some((field, comparison, value)) => {
                Ok(Self { field: field.to_owned(), comparison, value: value.to_owned() })
            }
            None => {
                let expected = "a condition, as file=*.wmb or skill1>=5";
                Err(EditError::Syntax { text: text.to_owned(), expected })
            }
        }
    }
}

impl FromStr for Selection {
    type Err = EditError;

    fn from_str(text: &str) -> Result<Self, EditError> {
        let words = words(text);
        let expected = "a selection, as model #12, group Tower* or model where file=*.wmb";
        let wrong = || EditError::Syntax { text: text.to_owned(), expected };
        match words[..] {
            [kind] => Ok(Self::all(kind.parse()?)),
            [kind, "where", ref conditions @ ..] if !conditions.is_empty() => {
                Self::read(kind.parse()?, None, conditions)
            }
            [kind, which] if which != "where" => Self::read(kind.parse()?, Some(which), &[]),
            [kind, which, "where", ref conditions @ ..] if !conditions.is_empty() => {
                Self::read(kind.parse()?, Some(which), conditions)
            }
            _ => Err(wrong()),
        }
    }
}

impl fmt::Display for Condition {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}{}", self.field, self.comparison.sign(), quoted(&self.value))
    }
}

impl fmt::Display for Selection {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.kind.word())?;
        let mut rest = self.conditions.as_slice();
        if let [Condition { field, comparison: Comparison::Equal, value }, behind @ ..] = rest
            && matches!(field.as_str(), "number" | "name")
        {
            let value = if value.is_empty() { "\"\"".into() } else { quoted(value) };
            write!(f, " {}{value}", if field == "number" { "#" } else { "" })?;
            rest = behind;
        }
        for (index, condition) in rest.iter().enumerate() {
            write!(f, " {}{condition}", if index == 0 { "where " } else { "" })?;
        }
        Ok(())
    }
}
