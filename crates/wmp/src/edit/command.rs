//! Edits as data and as lines of text, so that programs and scripts share one language.

use std::fmt;
use std::str::FromStr;

use mapwright_io::{Pattern, unescape_bytes, words};

use super::assign::assignment;
use super::fields::numbers;
use super::{Assignment, Changed, Deleted, EditError, Kind, Motion, Moved, Selection};
use crate::Document;

/// An edit of a map. As text, words between white space; within names, white space is `\x20` or stands in quotes, and other bytes
/// are `\xHH`:
///
/// | text | does |
/// |---|---|
/// | `textures rename OLD NEW` | [renames](Document::rename_textures) textures; `*` stands for any part of OLD |
/// | `files rename OLD NEW` | [renames](Document::rename_files) files of models, sounds and the level |
/// | `wads rename OLD NEW` | [renames](Document::rename_wads) files and folders of textures |
/// | `wads shift C:\old D:\new` | [replaces](Document::shift_wads) the beginning of their paths |
/// | `set model #12 action=patrol skill1=5 …` | [sets](Document::set) fields |
/// | `delete group Tower` | [deletes](Document::delete) items, groups with what they hold |
/// | `move group Tower 0,0,64` | [moves](Document::transform) items by quants |
/// | `turn group Tower 90 [about 0,0,0]` | turns them by degrees to the left, or by `pan,tilt,roll` |
/// | `scale group Tower 2 [about 0,0,0]` | scales them, or along each axis as `1,1,2` |
/// | `extract group Tower` | [leaves](Document::extract) only that group |
///
/// Items are said by kind and number (`block #3`), name (`model guard*`) or both left out as `*`, and by conditions behind `where`:
/// `set model * ambient=0 where file=*.wmb x>100`, `delete light where range<10`. The kinds are those of [`Kind`], the fields those
/// that an unknown one is answered with.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub enum Edit {
    /// Renames textures.
    RenameTextures {
        /// Which.
        from: Pattern,
        /// The new name.
        to: Vec<u8>,
    },
    /// Renames files.
    RenameFiles {
        /// Which.
        from: Pattern,
        /// The new name.
        to: Vec<u8>,
    },
    /// Renames files and folders of textures.
    RenameWads {
        /// Which.
        from: Pattern,
        /// The new path.
        to: Vec<u8>,
    },
    /// Replaces the beginning of paths of textures.
    ShiftWads {
        /// The old beginning.
        from: Vec<u8>,
        /// The new one.
        to: Vec<u8>,
    },
    /// Sets fields.
    Set {
        /// Of what.
        items: Selection,
        /// The fields.
        fields: Vec<Assignment>,
    },
    /// Deletes items.
    Delete(Selection),
    /// Moves, turns or scales items.
    Transform {
        /// Which.
        items: Selection,
        /// How.
        motion: Motion,
    },
    /// Leaves only a group.
    Extract(Selection),
}

/// What an edit changed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Edited {
    /// So many faces have another texture.
    Textures(usize),
    /// So many files were renamed where they are named.
    Files(usize),
    /// So many files and folders of textures have another path.
    Wads(usize),
    /// Fields were set.
    Set(Changed),
    /// Items were deleted.
    Deleted(Deleted),
    /// Items were moved.
    Moved(Moved),
    /// A group is left, with so many blocks and entities.
    Extracted {
        /// Blocks.
        blocks: usize,
        /// Entities, the level among them.
        entities: usize,
    },
}

impl Document {
    /// Applies an edit.
    ///
    /// # Errors
    /// As the operation that it stands for; nothing has changed then.
    pub fn apply(&mut self, edit: &Edit) -> Result<Edited, EditError> {
        Ok(match edit {
            Edit::RenameTextures { from, to } => Edited::Textures(self.rename_textures(from, to)?),
            Edit::RenameFiles { from, to } => Edited::Files(self.rename_files(from, to)?),
            Edit::RenameWads { from, to } => Edited::Wads(self.rename_wads(from, to)?),
            Edit::ShiftWads { from, to } => Edited::Wads(self.shift_wads(from, to)?),
            Edit::Set { items, fields } => Edited::Set(self.set(items, fields)?),
            Edit::Delete(items) => Edited::Deleted(self.delete(items)?),
            Edit::Transform { items, motion } => Edited::Moved(self.transform(items, motion)?),
            Edit::Extract(items) => {
                *self = self.extract(items)?;
                Edited::Extracted { blocks: self.blocks.len(), entities: self.entities.len() }
            }
        })
    }
}

impl FromStr for Edit {
    type Err = EditError;

    fn from_str(text: &str) -> Result<Self, EditError> {
        let words = words(text);
        let wrong = |expected| EditError::Syntax { text: text.to_owned(), expected };
        let name = |word: &str| {
            let ascii = word.is_ascii().then(|| unescape_bytes(word));
            ascii.ok_or_else(|| wrong("an edit in ASCII, other bytes as \\xHH"))
        };
        let pattern = |word: &str| Ok::<_, EditError>(Pattern::new(&name(word)?));
        Ok(match words[..] {
            ["textures", "rename", from, to] => Self::RenameTextures { from: pattern(from)?, to: name(to)? },
            ["files", "rename", from, to] => Self::RenameFiles { from: pattern(from)?, to: name(to)? },
            ["wads", "rename", from, to] => Self::RenameWads { from: pattern(from)?, to: name(to)? },
            ["wads", "shift", from, to] => Self::ShiftWads { from: name(from)?, to: name(to)? },
            ["set", kind, ref rest @ ..] => {
                let (items, fields) = selection(text, kind, rest, |word| word.contains('='))?;
                if fields.is_empty() {
                    return Err(wrong("an edit with assignments, as action=patrol"));
                }
                Self::Set { items, fields: fields.iter().map(|word| assignment(word)).collect::<Result<_, _>>()? }
            }
            ["delete", kind, ref rest @ ..] => match selection(text, kind, rest, |_| false)? {
                (items, []) => Self::Delete(items),
                _ => return Err(wrong("delete KIND, a number or name, and conditions behind where")),
            },
            [verb @ ("move" | "turn" | "scale"), kind, ref rest @ ..] => {
                let (items, how) = selection(text, kind, rest, is_numbers)?;
                let motion = motion(verb, how).ok_or_else(|| {
                    wrong(match verb {
                        "move" => "an edit with quants along x, y and z, as 0,0,64",
                        "turn" => {
                            "an edit with degrees, as 90 or 0,45,0 for pan, tilt and roll, and perhaps about X,Y,Z"
                        }
                        _ => "an edit with a factor, as 2 or 1,1,2, and perhaps about X,Y,Z",
                    })
                })?;
                Self::Transform { items, motion }
            }
            ["extract", "group", ref rest @ ..] => match selection(text, "group", rest, |_| false)? {
                (items, []) => Self::Extract(items),
                _ => return Err(wrong("extract group, and its number or name")),
            },
            _ => {
                return Err(wrong(
                    "an edit: textures rename, files rename, wads rename|shift, set, delete, move, turn, scale, extract \
                     group, with what each of them takes",
                ));
            }
        })
    }
}

/// Whether a word is numbers with commas between them. Names that are say so by a star, or by their numbers.
fn is_numbers(word: &str) -> bool {
    word.split(',').all(|part| part.parse::<f64>().is_ok())
}

/// What is meant, and the words that say what becomes of it.
fn selection<'a>(
    text: &str,
    kind: &str,
    words: &'a [&'a str],
    is_what: impl Fn(&str) -> bool,
) -> Result<(Selection, &'a [&'a str]), EditError> {
    let kind: Kind = kind.parse()?;
    let mut parts = words.splitn(2, |word| *word == "where");
    let before = parts.next().unwrap_or_default();
    let conditions = parts.next();
    let (which, what) = match before.split_first() {
        Some((first, rest)) if !is_what(first) => (Some(*first), rest),
        _ => (None, before),
    };
    // Conditions that went missing do not mean all items.
    if conditions == Some(&[]) || (which.is_none() && conditions.is_none()) {
        let expected = "an edit that says which: a number as #3, a name, * for all, or conditions behind where";
        return Err(EditError::Syntax { text: text.to_owned(), expected });
    }
    Ok((Selection::read(kind, which, conditions.unwrap_or_default())?, what))
}

fn motion(verb: &str, words: &[&str]) -> Option<Motion> {
    let one = |word: &str| word.parse().ok().filter(|number: &f64| number.is_finite());
    let (how, about) = match *words {
        [how] => (how, None),
        [how, "about", point] => (how, Some(numbers(point)?)),
        _ => return None,
    };
    let motion = Motion { about, ..Motion::NONE };
    Some(match verb {
        "move" if about.is_none() => Motion { by: numbers(how)?, ..motion },
        "turn" => Motion { turn: one(how).map(|pan| [pan, 0.0, 0.0]).or_else(|| numbers(how))?, ..motion },
        "scale" => Motion { scale: one(how).map(|factor| [factor; 3]).or_else(|| numbers(how))?, ..motion },
        _ => return None,
    })
}

impl fmt::Display for Edited {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Textures(count) => write!(f, "textures of {count} faces renamed"),
            Self::Files(count) => write!(f, "{count} files renamed"),
            Self::Wads(count) => write!(f, "{count} paths of textures changed"),
            Self::Set(Changed { matched, changed, references }) => {
                write!(f, "{changed} of {matched} items changed")?;
                if *references > 0 {
                    write!(f, "; {references} models name them anew")?;
                }
                Ok(())
            }
            Self::Deleted(Deleted { blocks, entities, groups }) => {
                write!(f, "{blocks} blocks, {entities} entities and {groups} groups deleted")
            }
            Self::Moved(Moved { items, nowhere }) => {
                write!(f, "{items} items moved")?;
                if *nowhere > 0 {
                    write!(f, "; {nowhere} are held by nothing and have no place")?;
                }
                Ok(())
            }
            Self::Extracted { blocks, entities } => write!(f, "{blocks} blocks and {entities} entities left"),
        }
    }
}

impl fmt::Display for super::Merged {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { blocks, entities, groups, sources } = self;
        write!(f, "{blocks} blocks, {entities} entities, {groups} groups and {sources} paths of textures added")
    }
}
