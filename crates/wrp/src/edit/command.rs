//! Edits as data and as lines of text, so that programs and scripts share one language.

use std::fmt;
use std::str::FromStr;

use mapwright_io::{unescape_bytes, unquoted, words};

use super::{Condition, EditError, Pattern, Query, Set};
use crate::Document;

/// An edit of a terrain. As text, words between white space; within names, white space is `\x20` or stands in quotes, and other bytes
/// are `\xHH`:
///
/// | text | does |
/// |---|---|
/// | `heights shift 2.5` | [raises](Document::shift_heights) the ground by metres |
/// | `heights clamp -100 400` | [cuts](Document::clamp_heights) heights off |
/// | `sea raise 3` | [sinks](Document::raise_sea) the ground and objects |
/// | `resample 512x512` | [samples](Document::resample) heights anew |
/// | `crop 64,64 128x128` | [cuts](Document::crop) an area of cells out, from the south-west |
/// | `textures rename OLD NEW` | [renames](Document::rename_textures) textures or materials; `*` stands for any part of OLD |
/// | `models rename OLD NEW` | [renames](Document::rename_models) models |
/// | `objects remove where model=*les* y<0` | [removes](Document::remove_objects) those that a [`Query`] means |
/// | `objects set model=NAME y=32768 where …` | [sets](Document::set_objects) model, x, y, z or id; without `where` of all objects |
/// | `objects move 10,0,-5 where …` | [moves](Document::move_objects) them east, up and north |
/// | `objects renumber 1000` | [numbers](Document::renumber_objects) them anew, from 0 if not said |
/// | `objects drop-outside` | removes those that stand outside of the map |
/// | `clean` | [removes](Document::clean) bytes that programs left behind |
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub enum Edit {
    /// Raises the ground.
    ShiftHeights(f64),
    /// Cuts heights off.
    ClampHeights {
        /// Below, in metres.
        low: f64,
        /// Above, in metres.
        high: f64,
    },
    /// Shifts the level of the sea.
    RaiseSea(f64),
    /// Samples heights anew.
    Resample([u32; 2]),
    /// Cuts an area out.
    Crop {
        /// Its south-west cell.
        at: [u32; 2],
        /// Columns and rows.
        size: [u32; 2],
    },
    /// Renames textures or materials.
    RenameTextures {
        /// Which.
        from: Pattern,
        /// The new name.
        to: Vec<u8>,
    },
    /// Renames models.
    RenameModels {
        /// Which.
        from: Pattern,
        /// The new name.
        to: Vec<u8>,
    },
    /// Removes objects.
    RemoveObjects(Query),
    /// Sets fields of objects.
    SetObjects {
        /// What they become.
        sets: Vec<Set>,
        /// Which.
        query: Query,
    },
    /// Moves objects.
    MoveObjects {
        /// East, up and north, in metres.
        by: [f64; 3],
        /// Which.
        query: Query,
    },
    /// Numbers objects anew from that number on.
    RenumberObjects(i32),
    /// Removes objects outside of the map.
    DropOutside,
    /// Removes what programs left behind.
    Clean,
}

/// What an edit changed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Edited {
    /// So many heights are not as they were.
    Heights(usize),
    /// The grid has that size now.
    Resampled([u32; 2]),
    /// An area was cut out.
    Cropped {
        /// So many objects are gone.
        gone: usize,
        /// The size of the grid of heights now.
        size: [u32; 2],
    },
    /// So many textures or materials have another name.
    Textures(usize),
    /// So many objects show models of another name.
    Renamed(usize),
    /// So many objects were removed.
    Removed(usize),
    /// So many objects were set or moved.
    Changed(usize),
    /// So many objects have another number.
    Renumbered(usize),
    /// So many bytes were cleared.
    Cleaned(usize),
}

impl Document {
    /// Applies an edit.
    ///
    /// # Errors
    /// As the operation that it stands for; nothing has changed then.
    pub fn apply(&mut self, edit: &Edit) -> Result<Edited, EditError> {
        Ok(match edit {
            Edit::ShiftHeights(metres) => Edited::Heights(self.shift_heights(*metres)?),
            Edit::ClampHeights { low, high } => Edited::Heights(self.clamp_heights(*low, *high)?),
            Edit::RaiseSea(metres) => Edited::Heights(self.raise_sea(*metres)?),
            Edit::Resample(size) => {
                self.resample(*size)?;
                Edited::Resampled(*size)
            }
            Edit::Crop { at, size } => {
                let gone = self.crop(*at, *size)?;
                Edited::Cropped { gone, size: self.ground().size }
            }
            Edit::RenameTextures { from, to } => Edited::Textures(self.rename_textures(from, to)?),
            Edit::RenameModels { from, to } => Edited::Renamed(self.rename_models(from, to)?),
            Edit::RemoveObjects(query) => Edited::Removed(self.remove_objects(query)?),
            Edit::SetObjects { sets, query } => Edited::Changed(self.set_objects(sets, query)?),
            Edit::MoveObjects { by, query } => Edited::Changed(self.move_objects(*by, query)?),
            Edit::RenumberObjects(first) => Edited::Renumbered(self.renumber_objects(*first)?),
            Edit::DropOutside => {
                self.check_editable()?;
                let [width, depth] = self.extent();
                let before = self.objects().len();
                let inside = Query { conditions: vec![Condition::Region([0.0, 0.0, width, depth])] };
                let found = self.find_objects(&inside);
                self.keep_objects(|place| found.binary_search(&place).is_ok());
                Edited::Removed(before.saturating_sub(found.len()))
            }
            Edit::Clean => Edited::Cleaned(self.clean()),
        })
    }
}

impl FromStr for Edit {
    type Err = EditError;

    fn from_str(text: &str) -> Result<Self, EditError> {
        let words = words(text);
        let wrong = |expected| EditError::Syntax { text: text.to_owned(), expected };
        let metres = |word: &str| {
            word.parse().ok().filter(|number: &f64| number.is_finite()).ok_or_else(|| wrong("a number of metres"))
        };
        Ok(match words[..] {
            ["heights", "shift", by] => Self::ShiftHeights(metres(by)?),
            ["heights", "clamp", low, high] => Self::ClampHeights { low: metres(low)?, high: metres(high)? },
            ["sea", "raise", by] => Self::RaiseSea(metres(by)?),
            ["resample", size] => Self::Resample(pair(size, 'x').ok_or_else(|| wrong("a size, as 512x512"))?),
            ["crop", at, size] => Self::Crop {
                at: pair(at, ',').ok_or_else(|| wrong("a cell, as 64,64"))?,
                size: pair(size, 'x').ok_or_else(|| wrong("a size in cells, as 128x128"))?,
            },
            ["textures", "rename", from, to] => {
                Self::RenameTextures { from: Pattern::new(&unescape_bytes(from)), to: unescape_bytes(to) }
            }
            ["models", "rename", from, to] => {
                Self::RenameModels { from: Pattern::new(&unescape_bytes(from)), to: unescape_bytes(to) }
            }
            // Conditions that went missing do not mean all objects.
            ["objects", "remove", "where", ref conditions @ ..] if !conditions.is_empty() => {
                Self::RemoveObjects(query(conditions)?)
            }
            ["objects", "set", ref rest @ ..] => {
                let (sets, query) = parts(text, rest)?;
                if sets.is_empty() {
                    return Err(wrong("an edit with what objects get, as y=32768"));
                }
                Self::SetObjects { sets: sets.iter().map(|word| word.parse()).collect::<Result<_, _>>()?, query }
            }
            ["objects", "move", by, ref rest @ ..] => {
                let (more, query) = parts(text, rest)?;
                let by = numbers(by).unwrap_or_default();
                let (&[east, up, north], true) = (&by[..], more.is_empty()) else {
                    return Err(wrong("an edit with metres east, up and north, as 10,0,-5"));
                };
                Self::MoveObjects { by: [east, up, north], query }
            }
            ["objects", "renumber"] => Self::RenumberObjects(0),
            ["objects", "renumber", first] => {
                Self::RenumberObjects(first.parse().map_err(|_| wrong("an edit with a number of 32 bits"))?)
            }
            ["objects", "drop-outside"] => Self::DropOutside,
            ["clean"] => Self::Clean,
            _ => return Err(EditError::Unknown(text.to_owned())),
        })
    }
}

impl FromStr for Set {
    type Err = EditError;

    fn from_str(text: &str) -> Result<Self, EditError> {
        let wrong = |expected| EditError::Syntax { text: text.to_owned(), expected };
        let (field, value) = text.split_once('=').ok_or_else(|| wrong("a field and a value, as y=32768"))?;
        let value = unquoted(value);
        let number = || {
            let number = value.parse().ok().filter(|number: &f64| number.is_finite());
            number.ok_or_else(|| wrong("a field with a number"))
        };
        Ok(match field {
            "model" => Self::Model(unescape_bytes(value)),
            "x" => Self::X(number()?),
            "y" => Self::Y(number()?),
            "z" => Self::Z(number()?),
            "id" => Self::Id(value.parse().map_err(|_| wrong("an id of 32 bits"))?),
            _ => return Err(wrong("a field that can be set: model, x, y, z, id")),
        })
    }
}

/// Finite numbers with commas between them.
pub(super) fn numbers(text: &str) -> Option<Vec<f64>> {
    text.split(',').map(|part| part.parse().ok().filter(|number: &f64| number.is_finite())).collect()
}

fn pair(text: &str, between: char) -> Option<[u32; 2]> {
    let (first, second) = text.split_once(between)?;
    Some([first.parse().ok()?, second.parse().ok()?])
}

fn query(words: &[&str]) -> Result<Query, EditError> {
    words.iter().map(|word| word.parse()).collect()
}

/// The words before `where`, and the conditions behind it.
fn parts<'a>(text: &str, words: &'a [&'a str]) -> Result<(&'a [&'a str], Query), EditError> {
    let mut parts = words.splitn(2, |word| *word == "where");
    let before = parts.next().unwrap_or_default();
    match parts.next() {
        // Conditions that went missing do not mean all objects.
        Some([]) => Err(EditError::Syntax { text: text.to_owned(), expected: "an edit with conditions behind where" }),
        conditions => Ok((before, query(conditions.unwrap_or_default())?)),
    }
}

/// What the games do not take of a grid of heights, behind what else is said.
fn oddness([columns, rows]: [u32; 2]) -> &'static str {
    match () {
        () if columns != rows => "; warning: the games want a square",
        () if !columns.is_power_of_two() => "; warning: the games want a power of two on each side",
        () => "",
    }
}

impl fmt::Display for Edited {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Heights(count) => write!(f, "{count} heights changed"),
            Self::Resampled(size) => {
                let [columns, rows] = size;
                write!(f, "{columns} by {rows} heights{}", oddness(*size))
            }
            Self::Cropped { gone, size } => write!(f, "cut out; {gone} objects outside are gone{}", oddness(*size)),
            Self::Textures(count) => write!(f, "{count} textures renamed"),
            Self::Renamed(count) => write!(f, "models of {count} objects renamed"),
            Self::Removed(count) => write!(f, "{count} objects removed"),
            Self::Changed(count) => write!(f, "{count} objects changed"),
            Self::Renumbered(count) => write!(f, "{count} objects have another number"),
            Self::Cleaned(count) => write!(f, "{count} bytes cleared"),
        }
    }
}
