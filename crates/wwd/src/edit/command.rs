//! Edits as data and as lines of text, so that programs and scripts share one language.

use std::fmt;
use std::str::FromStr;

use mapwright_io::{unquoted, words};

use super::assign::assignment;
use super::{
    Anchor, Area, Assignment, Changed, EditError, LevelRenamed, Placement, Query, Resize, Resized, SetRenamed,
};
use crate::{Cell, Checksum, Document, HeaderFlags, Object, Plane, escape_bytes, unescape_bytes};

/// An edit of a level. As text, words between white space (a space within a word is `\x20`, or the word or value stands in quotes):
///
/// | text | does |
/// |---|---|
/// | `plane add NAME 24x8 [tile=64] [at=1] [z_coord=9000 …]` | [adds](Document::add_plane) an empty plane, behind the others or at a place |
/// | `plane remove PLANE` | [removes](Document::remove_plane) it with its objects |
/// | `plane resize PLANE 24x8 [bottom-right]` | [gives](Document::resize_plane) it another size, with the old grid at an [`Anchor`] |
/// | `plane resize PLANE 24x8 [-2,5]` | … or with its first cell at a column and row |
/// | `plane set PLANE movement_x=50 …` | [sets](Document::set_plane) fields |
/// | `tiles fill PLANE 0,0,24,8 17` | [fills](Document::fill_tiles) an [`Area`] with a [`Cell`] |
/// | `tiles replace PLANE 17 empty [0,0,24,8]` | [replaces](Document::replace_tiles) cells of all the plane or of an area |
/// | `tiles copy PLANE 0,0,2,2 PLANE 5,6` | [copies](Document::copy_tiles) an area to a column and row |
/// | `objects add PLANE logic=Rat x=100 …` | [adds](Document::add_object) an object, with a free id if none is given |
/// | `objects remove where logic=Rat …` | [removes](Document::remove_objects) those that a [`Query`] means |
/// | `objects set speed_x=150 … where logic=Elevator …` | [sets](Document::set_objects) fields; without `where` of all objects |
/// | `images rename OLD NEW` | [renames](Document::rename_image_set) an image set in planes and objects |
/// | `level rename NAME` | [renames](Document::rename_level) the level |
/// | `level set author=Me …` | [sets](Document::set_header) fields of the header |
///
/// Planes are found as [`find_plane`](Document::find_plane) does: by name, `#1` or `#main`.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum Edit {
    /// Adds an empty plane.
    AddPlane {
        /// Its name.
        name: Vec<u8>,
        /// Columns and rows.
        size: (u32, u32),
        /// Pixels of a tile; those of the main plane if not said.
        tile_size: Option<u32>,
        /// Its place; behind the others if not said.
        at: Option<usize>,
        /// Other fields.
        fields: Vec<Assignment>,
    },
    /// Removes a plane.
    RemovePlane {
        /// Which.
        plane: String,
    },
    /// Gives a plane another size.
    ResizePlane {
        /// Which.
        plane: String,
        /// The size.
        resize: Resize,
    },
    /// Sets fields of a plane.
    SetPlane {
        /// Which.
        plane: String,
        /// The fields.
        fields: Vec<Assignment>,
    },
    /// Makes all cells of a rectangle the same.
    FillTiles {
        /// On which plane.
        plane: String,
        /// The rectangle.
        area: Area,
        /// The cell.
        cell: Cell,
    },
    /// Makes cells that are like one like another.
    ReplaceTiles {
        /// On which plane.
        plane: String,
        /// What they are.
        from: Cell,
        /// What they become.
        to: Cell,
        /// Where; on all the plane if not said.
        area: Option<Area>,
    },
    /// Copies the cells of a rectangle.
    CopyTiles {
        /// From which plane.
        from: String,
        /// The rectangle.
        area: Area,
        /// To which plane.
        to: String,
        /// To which column and row.
        at: (u32, u32),
    },
    /// Adds an object.
    AddObject {
        /// To which plane.
        plane: String,
        /// Its fields.
        fields: Vec<Assignment>,
    },
    /// Removes objects.
    RemoveObjects {
        /// Which.
        query: Query,
    },
    /// Sets fields of objects.
    SetObjects {
        /// Which.
        query: Query,
        /// The fields.
        fields: Vec<Assignment>,
    },
    /// Gives an image set another name.
    RenameImageSet {
        /// The old name.
        from: Vec<u8>,
        /// The new name.
        to: Vec<u8>,
    },
    /// Gives the level another name.
    RenameLevel {
        /// The name.
        name: Vec<u8>,
    },
    /// Sets fields of the header.
    SetHeader {
        /// The fields.
        fields: Vec<Assignment>,
    },
}

/// What an edit changed.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum Edited {
    /// A plane was added at this place.
    PlaneAdded(usize),
    /// A plane of this name was removed, with so many objects.
    PlaneRemoved {
        /// Its name.
        name: Vec<u8>,
        /// Its objects.
        objects: usize,
        /// Whether the level had a main plane and has none now.
        was_main: bool,
    },
    /// A plane has another size.
    PlaneResized(Resized),
    /// So many fields of a plane are not as they were.
    Fields(usize),
    /// Fields of the header were set.
    Header {
        /// How many are not as they were.
        changed: usize,
        /// What becomes of a checksum that was set, if it was.
        checksum: Option<ChecksumSet>,
    },
    /// So many cells are not as they were.
    Cells(usize),
    /// An object was added to a plane, at these places.
    ObjectAdded {
        /// The plane.
        plane: usize,
        /// The place among its objects.
        index: usize,
    },
    /// So many objects were removed.
    ObjectsRemoved(usize),
    /// Objects were set.
    ObjectsSet(Changed),
    /// An image set has another name.
    ImageSetRenamed(SetRenamed),
    /// The level has another name.
    LevelRenamed(LevelRenamed),
}

/// What becomes of a checksum that was set.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum ChecksumSet {
    /// It is that of a known program.
    Known,
    /// It is that of no known program.
    Unknown,
    /// It is made anew on writing, as the stored block has changed.
    Replaced,
}

impl Document {
    /// Applies an edit.
    ///
    /// # Errors
    /// As the operation that it stands for; nothing has changed then.
    pub fn apply(&mut self, edit: &Edit) -> Result<Edited, EditError> {
        Ok(match edit {
            Edit::AddPlane { name, size: (columns, rows), tile_size, at, fields } => {
                let usual = self.main_plane().and_then(|plane| u32::try_from(plane.tile_w).ok()).unwrap_or(64);
                let mut plane = Plane::with_grid(name, *columns, *rows, tile_size.unwrap_or(usual))?;
                plane.assign(fields)?;
                let at = at.unwrap_or(self.planes.len());
                self.add_plane(at, plane)?;
                Edited::PlaneAdded(at)
            }
            Edit::RemovePlane { plane } => {
                let plane = self.remove_plane(self.find_plane(plane)?)?;
                let was_main = plane.is_main() && self.main_plane().is_none();
                Edited::PlaneRemoved { name: plane.name.text().to_vec(), objects: plane.objects.len(), was_main }
            }
            Edit::ResizePlane { plane, resize } => {
                Edited::PlaneResized(self.resize_plane(self.find_plane(plane)?, resize)?)
            }
            Edit::SetPlane { plane, fields } => Edited::Fields(self.set_plane(self.find_plane(plane)?, fields)?),
            Edit::FillTiles { plane, area, cell } => {
                Edited::Cells(self.fill_tiles(self.find_plane(plane)?, *area, *cell)?)
            }
            Edit::ReplaceTiles { plane, from, to, area } => {
                let index = self.find_plane(plane)?;
                let area = match area {
                    Some(area) => *area,
                    None => Area::all(self.plane(index)?),
                };
                Edited::Cells(self.replace_tiles(index, area, *from, *to)?)
            }
            Edit::CopyTiles { from, area, to, at } => {
                Edited::Cells(self.copy_tiles(self.find_plane(from)?, *area, self.find_plane(to)?, *at)?)
            }
            Edit::AddObject { plane, fields } => {
                let plane = self.find_plane(plane)?;
                let mut object = Object::with_fields(fields)?;
                if !fields.iter().any(|assignment| assignment.field == "id") {
                    object.id = self.free_object_id();
                }
                Edited::ObjectAdded { plane, index: self.add_object(plane, object)? }
            }
            Edit::RemoveObjects { query } => Edited::ObjectsRemoved(self.remove_objects(query)),
            Edit::SetObjects { query, fields } => Edited::ObjectsSet(self.set_objects(query, fields)?),
            Edit::RenameImageSet { from, to } => Edited::ImageSetRenamed(self.rename_image_set(from, to)?),
            Edit::RenameLevel { name } => Edited::LevelRenamed(self.rename_level(name)?),
            Edit::SetHeader { fields } => {
                let changed = self.set_header(fields)?;
                let is_set = fields.iter().any(|assignment| assignment.field == "checksum");
                Edited::Header { changed, checksum: is_set.then(|| self.checksum_set()) }
            }
        })
    }

    fn checksum_set(&self) -> ChecksumSet {
        let (Some(stored), Ok(main)) = (self.stored_block(), self.to_main_block()) else {
            return ChecksumSet::Replaced;
        };
        let compressed = self.header.flags.has(HeaderFlags::COMPRESS);
        let is_known = Checksum::ALL.iter().any(|way| way.compute(stored, &main, compressed) == self.header.checksum);
        if is_known { ChecksumSet::Known } else { ChecksumSet::Unknown }
    }
}

impl FromStr for Edit {
    type Err = EditError;

    fn from_str(text: &str) -> Result<Self, EditError> {
        let words = words(text);
        let wrong = |expected| EditError::Syntax { text: text.to_owned(), expected };
        Ok(match words[..] {
            ["plane", "add", name, size, ref rest @ ..] => {
                let (mut tile_size, mut at, mut fields) = (None, None, Vec::new());
                for word in rest {
                    if let Some(pixels) = word.strip_prefix("tile=") {
                        tile_size = Some(pixels.parse().map_err(|_| wrong("a size of tiles in pixels"))?);
                    } else if let Some(place) = word.strip_prefix("at=") {
                        at = Some(place.parse().map_err(|_| wrong("a place of a plane"))?);
                    } else {
                        fields.push(assignment(word)?);
                    }
                }
                Self::AddPlane { name: bytes(name)?, size: pair(size, 'x')?, tile_size, at, fields }
            }
            ["plane", "remove", plane] => Self::RemovePlane { plane: plane.to_owned() },
            ["plane", "resize", plane, size, ref rest @ ..] => {
                let (columns, rows) = pair(size, 'x')?;
                let placement = match *rest {
                    [] => Placement::Anchor(Anchor::TopLeft),
                    [offset] if offset.contains(',') => {
                        let (columns, rows) = pair(offset, ',')?;
                        Placement::Offset { columns, rows }
                    }
                    [anchor] => Placement::Anchor(anchor.parse()?),
                    _ => return Err(wrong("plane resize PLANE COLUMNSxROWS, and an anchor or COLUMN,ROW")),
                };
                Self::ResizePlane { plane: plane.to_owned(), resize: Resize { columns, rows, placement } }
            }
            ["plane", "set", plane, ref fields @ ..] => {
                Self::SetPlane { plane: plane.to_owned(), fields: assignments(text, fields)? }
            }
            ["tiles", "fill", plane, area, cell] => {
                Self::FillTiles { plane: plane.to_owned(), area: area.parse()?, cell: cell.parse()? }
            }
            ["tiles", "replace", plane, from, to, ref area @ ..] if area.len() < 2 => Self::ReplaceTiles {
                plane: plane.to_owned(),
                from: from.parse()?,
                to: to.parse()?,
                area: area.first().map(|area| area.parse()).transpose()?,
            },
            ["tiles", "copy", from, area, to, at] => {
                Self::CopyTiles { from: from.to_owned(), area: area.parse()?, to: to.to_owned(), at: pair(at, ',')? }
            }
            ["objects", "add", plane, ref fields @ ..] => {
                Self::AddObject { plane: plane.to_owned(), fields: assignments(text, fields)? }
            }
            ["objects", "remove", "where", ref conditions @ ..] if !conditions.is_empty() => {
                Self::RemoveObjects { query: query(conditions)? }
            }
            ["objects", "set", ref rest @ ..] => {
                let mut parts = rest.splitn(2, |word| *word == "where");
                let fields = assignments(text, parts.next().unwrap_or_default())?;
                // Conditions that went missing do not mean all objects.
                let query = match parts.next() {
                    Some([]) => return Err(wrong("an edit with conditions behind where, as logic=Elevator")),
                    conditions => query(conditions.unwrap_or_default())?,
                };
                Self::SetObjects { query, fields }
            }
            ["images", "rename", from, to] => Self::RenameImageSet { from: bytes(from)?, to: bytes(to)? },
            ["level", "rename", _, ..] => {
                // All that follows, as it stands.
                let (_, name) = text.split_once("rename").unwrap_or_default();
                Self::RenameLevel { name: bytes(unquoted(name.trim()))? }
            }
            ["level", "set", ref fields @ ..] => Self::SetHeader { fields: assignments(text, fields)? },
            _ => {
                return Err(wrong(
                    "an edit: plane add|remove|resize|set, tiles fill|replace|copy, objects add|remove where|set, \
                     images rename, level rename|set, with what each of them takes",
                ));
            }
        })
    }
}

fn bytes(text: &str) -> Result<Vec<u8>, EditError> {
    let ascii = text.is_ascii().then(|| unescape_bytes(text));
    ascii.ok_or_else(|| EditError::Syntax { text: text.to_owned(), expected: "ASCII and bytes as \\xHH" })
}

fn pair<T: FromStr>(text: &str, between: char) -> Result<(T, T), EditError> {
    let read = || {
        let (first, second) = text.split_once(between)?;
        Some((first.parse().ok()?, second.parse().ok()?))
    };
    read().ok_or_else(|| EditError::Syntax {
        text: text.to_owned(),
        expected: if between == 'x' { "a size, as 24x8" } else { "a column and row, as 2,5" },
    })
}

/// The assignments of an edit.
fn assignments(edit: &str, words: &[&str]) -> Result<Vec<Assignment>, EditError> {
    if words.is_empty() {
        let expected = "an edit with assignments, as speed_x=150";
        return Err(EditError::Syntax { text: edit.to_owned(), expected });
    }
    words.iter().map(|word| assignment(word)).collect()
}

fn query(words: &[&str]) -> Result<Query, EditError> {
    words.iter().map(|word| word.parse()).collect()
}

impl fmt::Display for Edited {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::PlaneAdded(at) => write!(f, "plane #{at} added"),
            Self::PlaneRemoved { name, objects, was_main } => {
                write!(f, "plane {} removed with {objects} objects", escape_bytes(name))?;
                if *was_main {
                    f.write_str("; no plane is the main plane now, and editors refuse the level: ")?;
                    f.write_str("plane set PLANE flags+=MAIN makes another one it")?;
                }
                Ok(())
            }
            Self::PlaneResized(resized) => write!(f, "{resized}"),
            Self::Fields(count) => write!(f, "{count} fields changed"),
            Self::Header { changed, checksum } => {
                write!(f, "{changed} fields changed")?;
                match checksum {
                    None | Some(ChecksumSet::Known) => Ok(()),
                    Some(ChecksumSet::Unknown) => {
                        f.write_str("; no known program makes that checksum: check --fix does")
                    }
                    Some(ChecksumSet::Replaced) => {
                        f.write_str("; the checksum is made anew when the level is written, as its content has changed")
                    }
                }
            }
            Self::Cells(count) => write!(f, "{count} cells changed"),
            Self::ObjectAdded { plane, index } => write!(f, "object #{index} added to plane #{plane}"),
            Self::ObjectsRemoved(count) => write!(f, "{count} objects removed"),
            Self::ObjectsSet(Changed { matched, changed }) => write!(f, "{changed} of {matched} objects changed"),
            Self::ImageSetRenamed(SetRenamed { plane_names, objects }) => {
                write!(f, "{plane_names} image sets of planes and {objects} objects renamed")
            }
            Self::LevelRenamed(renamed) => write!(f, "{renamed}"),
        }
    }
}

impl fmt::Display for Resized {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (columns, rows) = self.moved_by;
        write!(f, "plane resized: {} cells added, {} tiles lost", self.cells_added, self.tiles_lost)?;
        if self.moved_by != (0, 0) {
            write!(f, ", moved by {columns},{rows} with {} objects", self.objects_moved)?;
            write!(f, " ({} of them with places in other fields)", self.places_moved)?;
        }
        if self.places_unknown > 0 {
            let count = self.places_unknown;
            write!(f, "; {count} objects of unknown logics may hold places that did not move")?;
        }
        if self.objects_outside > 0 {
            write!(f, "; {} objects are outside, where the game drops them", self.objects_outside)?;
        }
        Ok(())
    }
}

impl fmt::Display for LevelRenamed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("level renamed")?;
        if self.number_changed() {
            let number = |number: Option<u32>| number.map_or("none".to_owned(), |number| number.to_string());
            let (old, new) = (number(self.old_number), number(self.new_number));
            write!(f, "; its number was {old} and is {new}, by which the game chooses its images")?;
        }
        Ok(())
    }
}
