//! Applies edits in text form to a level.

use std::fmt;
use std::str::FromStr;

use mapwright_query::{
    Assigner, Assignment, EditObjects, Edited, Fields, Glob, Objects, QueryError, Text, Vocabulary, Words,
};

use super::views::{self, PLACED_OBJECT, PLACED_PLANE};
use super::{Anchor, Area, EditError, Placement, Resize, Resized, SetRenamed};
use crate::logics::attributes::COMMON;
use crate::{Checksum, Document, Header, HeaderFlags, Object, Plane, Rect, Shape};

/// Edits that only levels have.
const OWN_EDITS: [&str; 5] = [
    "plane resize PLANE COLUMNSxROWS [ANCHOR or COLUMN,ROW]",
    "tiles fill PLANE AREA CELL",
    "tiles replace PLANE CELL CELL [AREA]",
    "tiles copy PLANE AREA PLANE COLUMN,ROW",
    "tiles set TILE[-TILE] ATTRIBUTE [INSIDE LEFT,TOP,RIGHT,BOTTOM]",
];

const PLACE: &str = "the level has an object or a plane at each of its places";

/// The place of an object or a plane.
#[derive(Debug, Clone, Copy)]
enum Place {
    Plane(usize),
    Object(usize, usize),
}

impl Objects for Document {
    fn vocabulary(&self) -> Vocabulary {
        Vocabulary::new(views::schemas())
    }

    fn visit(&self, visitor: &mut dyn FnMut(&dyn Fields)) {
        views::visit(&self.planes, visitor);
    }
}

impl EditObjects for Document {
    fn set(&mut self, objects: &[usize], assignments: &[Assignment], create: bool) -> Result<Edited, QueryError> {
        let (mut assigner, mut edited, mut planes) = (Assigner::new(assignments, create), Vec::new(), Vec::new());
        for place in self.places(objects) {
            match place {
                Place::Object(plane, index) => {
                    let mut new = self.object(plane, index).clone();
                    if assigner.apply_as(&PLACED_OBJECT, &mut new)? {
                        edited.push((plane, index, new));
                    }
                }
                Place::Plane(index) => {
                    let (new, changed) = self.plane(index)?.with_fields(&mut assigner, assignments)?;
                    if changed {
                        planes.push((index, new));
                    }
                }
            }
        }
        let changed = edited.len().saturating_add(planes.len());
        let main_planes = self.count_main_planes();
        for (plane, index, new) in edited {
            let object = self.planes.get_mut(plane).and_then(|plane| plane.objects.get_mut(index));
            *object.expect(PLACE) = new;
        }
        for (index, new) in planes {
            self.planes.get_mut(index).expect(PLACE).take_fields(new);
        }
        Ok(self.with_main_plane_note(Edited::objects(changed, objects.len()), main_planes))
    }

    fn set_document(&mut self, assignments: &[Assignment], _: bool) -> Result<Edited, QueryError> {
        let mut new = self.header.clone();
        Assigner::new(assignments, false).apply(&mut new)?;
        let old = std::mem::replace(&mut self.header, new);
        let changed = Header::FIELDS.iter().filter(|field| old.field(field) != self.header.field(field)).count();
        let mut edited = Edited::new(changed, format!("{} changed", count(changed, "field")));
        if old.level_number() != self.header.level_number() {
            let [old, new] = [&old, &self.header]
                .map(|header| header.level_number().map_or("none".to_owned(), |number| number.to_string()));
            let note = format!("the level number was {old} and is {new}; the game chooses its images by it");
            edited = edited.with_note(note);
        }
        if assignments.iter().any(|assignment| assignment.field.eq_ignore_ascii_case("checksum"))
            && let Some(note) = self.checksum_note()
        {
            edited = edited.with_note(note);
        }
        Ok(edited)
    }

    fn delete(&mut self, objects: &[usize]) -> Result<Edited, QueryError> {
        let places = self.places(objects);
        let planes: Vec<usize> = places
            .iter()
            .filter_map(|place| if let Place::Plane(index) = place { Some(*index) } else { None })
            .collect();
        let objects: Vec<(usize, usize)> = places
            .iter()
            .filter_map(|place| match place {
                // Objects of deleted planes go with them.
                Place::Object(plane, index) if !planes.contains(plane) => Some((*plane, *index)),
                _ => None,
            })
            .collect();
        self.remove_objects_at(&objects);
        let main_planes = self.count_main_planes();
        let mut with_planes = 0_usize;
        for index in planes.iter().rev() {
            with_planes = with_planes.saturating_add(self.remove_plane(*index)?.objects.len());
        }
        let deleted = objects.len().saturating_add(planes.len());
        let mut edited = Edited { matched: Some(places.len()), changed: deleted, ..Edited::default() };
        edited.text = match (objects.len(), planes.len()) {
            (objects, 0) => format!("{} deleted", count(objects, "object")),
            (0, planes) => format!("{} deleted with {}", count(planes, "plane"), count(with_planes, "object")),
            (objects, planes) => {
                let with = count(with_planes, "object");
                format!("{} deleted, and {} with {with}", count(objects, "object"), count(planes, "plane"))
            }
        };
        Ok(self.with_main_plane_note(edited, main_planes))
    }

    fn duplicate(&mut self, objects: &[usize], assignments: &[Assignment]) -> Result<Edited, QueryError> {
        let (mut assigner, mut copies) = (Assigner::new(assignments, false), Vec::new());
        let has_id = has_id(assignments);
        let mut id = self.free_object_id();
        for place in self.places(objects) {
            let Place::Object(plane, index) = place else {
                return Err(QueryError::refused("planes cannot be duplicated: add a plane and copy its tiles"));
            };
            let mut copy = self.object(plane, index).clone();
            if !has_id {
                (copy.id, id) = (id, id.saturating_add(1));
            }
            assigner.apply_as(&PLACED_OBJECT, &mut copy)?;
            copies.push((plane, copy));
        }
        let added = copies.len();
        for (plane, copy) in copies {
            self.add_object(plane, copy)?;
        }
        Ok(Edited { matched: Some(objects.len()), ..Edited::new(added, format!("{} added", count(added, "object"))) })
    }

    fn add(&mut self, kind: &str, assignments: &[Assignment]) -> Result<Edited, QueryError> {
        let mut fields = assignments.to_vec();
        let mut take = |name: &str| {
            let at = fields.iter().position(|assignment| assignment.field.eq_ignore_ascii_case(name))?;
            Some(fields.remove(at).value)
        };
        match kind.to_ascii_lowercase().as_str() {
            "object" | "entity" => {
                let plane = match take("plane") {
                    Some(plane) => self.find_plane(&plane.to_string_lossy())?,
                    None => {
                        self.main_plane_index().ok_or_else(|| QueryError::refused("no main plane: add plane=NAME"))?
                    }
                };
                let mut object = Object::with_fields(&fields)?;
                if !has_id(&fields) {
                    object.id = self.free_object_id();
                }
                let index = self.add_object(plane, object)?;
                Ok(Edited::new(1, format!("object #{index} added to plane #{plane}")))
            }
            "plane" | "tiles" => {
                let size = take("size").ok_or_else(|| QueryError::refused("no size: add size=COLUMNSxROWS"))?;
                let (columns, rows) = pair(&size.to_string_lossy(), 'x')?;
                let usual = self.main_plane().and_then(|plane| u32::try_from(plane.tile_w).ok()).unwrap_or(64);
                let tile_size = take("tile").map_or(Ok(usual), |size| number(&size, "a size of tiles in pixels"))?;
                let at = take("at").map_or(Ok(self.planes.len()), |at| number(&at, "an index of a plane"))?;
                let name = take("name").unwrap_or_default();
                let name = bytes(&name)?;
                let plane = Plane::with_grid(name, columns, rows, tile_size)?;
                let (new, _) = plane.with_fields(&mut Assigner::new(&fields, false), &fields)?;
                let mut plane = plane;
                plane.take_fields(new);
                let main_planes = self.count_main_planes();
                self.add_plane(at, plane)?;
                Ok(self.with_main_plane_note(Edited::new(1, format!("plane #{at} added")), main_planes))
            }
            _ => Err(QueryError::refused(format!("unknown kind `{kind}`: expected `object` or `plane`"))),
        }
    }

    fn rename(&mut self, what: &str, from: &Text, to: &Text) -> Result<Edited, QueryError> {
        if !["image_set", "image", "texture", "material", "model"].iter().any(|word| word.eq_ignore_ascii_case(what)) {
            return Err(QueryError::refused(format!("unknown kind of name `{what}`: expected `image_set`")));
        }
        let (pattern, to) = (Glob::from(from), bytes(to)?);
        let sets = self.planes.iter().flat_map(|plane| plane.image_sets.iter());
        let objects = self.planes.iter().flat_map(|plane| &plane.objects).map(|object| object.image_set.as_slice());
        let mut names: Vec<Vec<u8>> =
            sets.chain(objects).filter(|name| pattern.matches(name)).map(<[u8]>::to_vec).collect();
        names.retain(|name| !name.is_empty());
        names.sort();
        names.dedup();
        let mut renamed = SetRenamed::default();
        let mut edited = self.clone();
        for name in names {
            let one = edited.rename_image_set(&name, to)?;
            renamed.plane_names = renamed.plane_names.saturating_add(one.plane_names);
            renamed.objects = renamed.objects.saturating_add(one.objects);
        }
        *self = edited;
        let SetRenamed { plane_names, objects } = renamed;
        let text = format!("{} of planes and {} renamed", count(plane_names, "image set"), count(objects, "object"));
        Ok(Edited::new(plane_names.saturating_add(objects), text))
    }

    fn apply_own(&mut self, edit: &Words) -> Result<Edited, QueryError> {
        let cells = |changed: usize| Edited::new(changed, format!("{} changed", count(changed, "cell")));
        Ok(match edit.to_strs()[..] {
            ["plane", "resize", plane, size, ref rest @ ..] => {
                let (columns, rows) = pair(size, 'x')?;
                if columns == 0 || rows == 0 {
                    return Err(syntax(size, "a size of at least 1x1 tiles").into());
                }
                let placement = match *rest {
                    [] => Placement::Anchor(Anchor::TopLeft),
                    [offset] if offset.contains(',') => {
                        let (columns, rows) = pair(offset, ',')?;
                        Placement::Offset { columns, rows }
                    }
                    [anchor] => Placement::Anchor(anchor.parse()?),
                    _ => return Err(edit.unknown(&OWN_EDITS)),
                };
                let resized = self.resize_plane(self.find_plane(plane)?, &Resize { columns, rows, placement })?;
                Edited::new(1, resized.to_string())
            }
            ["tiles", "fill", plane, area, cell] => {
                cells(self.fill_tiles(self.find_plane(plane)?, area.parse()?, cell.parse()?)?)
            }
            ["tiles", "replace", plane, from, to, ref area @ ..] if area.len() < 2 => {
                let index = self.find_plane(plane)?;
                let area = match area.first() {
                    Some(area) => area.parse()?,
                    None => Area::whole_plane(self.plane(index)?),
                };
                let replaced = self.replace_tiles(index, area, from.parse()?, to.parse()?)?;
                Edited { matched: Some(replaced), ..cells(replaced) }
            }
            ["tiles", "copy", from, area, to, at] => {
                let (from, to) = (self.find_plane(from)?, self.find_plane(to)?);
                cells(self.copy_tiles(from, area.parse()?, to, pair(at, ',')?)?)
            }
            ["tiles", "set", tiles, outside, ref inner @ ..] => {
                let outside = attribute(outside)?;
                let shape = match *inner {
                    [] => Shape::Single(outside),
                    [inside, rect] => Shape::Double { outside, inside: attribute(inside)?, rect: rectangle(rect)? },
                    _ => return Err(edit.unknown(&OWN_EDITS)),
                };
                let (first, last) = tiles.split_once('-').unwrap_or((tiles, tiles));
                let tile = |text: &str| text.parse().map_err(|_| syntax(text, "a number of a tile up to 65535"));
                let range = tile(first)?..=tile(last)?;
                if range.is_empty() {
                    return Err(syntax(tiles, "tiles in ascending order, such as 5-9").into());
                }
                let changed = self.set_tile_properties(range, &shape);
                let noun = if changed == 1 { "property" } else { "properties" };
                Edited::new(changed, format!("{changed} tile {noun} changed"))
            }
            _ => return Err(edit.unknown(&OWN_EDITS)),
        })
    }
}

fn syntax(text: &str, expected: &'static str) -> EditError {
    EditError::Syntax { text: text.to_owned(), expected }
}

/// Parses an attribute of tiles: its name in Claw, or its number.
fn attribute(text: &str) -> Result<i32, EditError> {
    let named = COMMON.iter().find(|(_, name)| name.eq_ignore_ascii_case(text)).map(|(number, _)| *number);
    named.or_else(|| text.parse().ok()).ok_or_else(|| syntax(text, "clear, solid, ground, climb, death or a number"))
}

/// Parses the sides of a rectangle.
fn rectangle(text: &str) -> Result<Rect, EditError> {
    let sides: Result<Vec<i32>, _> = text.split(',').map(|side| side.trim().parse()).collect();
    match sides.as_deref() {
        Ok(&[left, top, right, bottom]) => Ok(Rect { left, top, right, bottom }),
        _ => Err(syntax(text, "a rectangle in pixels: left,top,right,bottom")),
    }
}

impl Document {
    /// Returns the object at a place of this level.
    fn object(&self, plane: usize, index: usize) -> &Object {
        self.planes.get(plane).and_then(|plane| plane.objects.get(index)).expect(PLACE)
    }

    /// Returns the places of objects by their numbers, which are in order: each plane is followed by its objects.
    fn places(&self, numbers: &[usize]) -> Vec<Place> {
        let mut places = Vec::with_capacity(numbers.len());
        let mut numbers = numbers.iter().copied().peekable();
        let mut first = 0_usize;
        for (index, plane) in self.planes.iter().enumerate() {
            let end = first.saturating_add(1).saturating_add(plane.objects.len());
            while let Some(number) = numbers.next_if(|number| *number < end) {
                let at = number.saturating_sub(first);
                places.push(at.checked_sub(1).map_or(Place::Plane(index), |at| Place::Object(index, at)));
            }
            first = end;
        }
        places
    }

    fn count_main_planes(&self) -> usize {
        self.planes.iter().filter(|plane| plane.is_main()).count()
    }

    /// Adds a note if an edit changed the number of main planes from `before` to one that editors refuse.
    fn with_main_plane_note(&self, edited: Edited, before: usize) -> Edited {
        match self.count_main_planes() {
            1 => edited,
            now if now == before => edited,
            0 => edited.with_note(
                "no plane is the main plane now, and editors refuse the level; `set kind=plane and name=NAME: flags+=MAIN` makes \
                 another one the main plane",
            ),
            now => edited.with_note(format_args!(
                "{now} planes are main planes now: a level has one; `set kind=plane and name=NAME: flags-=MAIN` changes the others"
            )),
        }
    }

    /// Returns what happens to a checksum that was set, unless it is that of a known program.
    fn checksum_note(&self) -> Option<&'static str> {
        let (Some(stored), Ok(main)) = (self.stored_block(), self.to_main_block()) else {
            return Some("the checksum is computed again when the level is written, as its content has changed");
        };
        let compressed = self.header.flags.has(HeaderFlags::COMPRESS);
        let is_known = Checksum::ALL.iter().any(|way| way.compute(stored, &main, compressed) == self.header.checksum);
        (!is_known).then_some("the checksum is that of no known program; `check --fix` repairs it")
    }
}

impl Plane {
    /// Returns a plane with changed fields, but without tiles, image sets and objects; and `true` if a field has another value. The size
    /// in pixels follows the size of tiles.
    pub(super) fn with_fields(
        &self,
        assigner: &mut Assigner<'_>,
        assignments: &[Assignment],
    ) -> Result<(Self, bool), EditError> {
        if let Some(field) = super::planes::derived_field(assignments) {
            return Err(EditError::Derived { field: field.to_owned() });
        }
        let mut new = Self::get(&self.to_record_bytes());
        assigner.apply_as(&PLACED_PLANE, &mut new)?;
        self.fit_grid(&mut new)?;
        let changed = Self::FIELDS.iter().any(|field| new.field(field) != self.field(field));
        Ok((new, changed))
    }

    /// Takes the fields of another plane, but not its tiles, image sets and objects.
    pub(super) fn take_fields(&mut self, mut new: Self) {
        new.tiles = std::mem::take(&mut self.tiles);
        new.image_sets = std::mem::take(&mut self.image_sets);
        new.objects = std::mem::take(&mut self.objects);
        *self = new;
    }
}

fn has_id(assignments: &[Assignment]) -> bool {
    assignments.iter().any(|assignment| ["id", "number"].iter().any(|name| assignment.field.eq_ignore_ascii_case(name)))
}

/// Returns the bytes of a name, which are clear only in ASCII: a level does not store its code page.
fn bytes(text: &Text) -> Result<&[u8], EditError> {
    let expected = "ASCII, with other bytes as \\xHH";
    let bytes = text.is_ascii_source().then(|| text.as_bytes());
    bytes.ok_or_else(|| EditError::Syntax { text: text.to_string(), expected })
}

fn number<T: FromStr>(text: &Text, expected: &'static str) -> Result<T, EditError> {
    let number = text.as_str().and_then(|text| text.parse().ok());
    number.ok_or_else(|| EditError::Syntax { text: text.to_string(), expected })
}

fn pair<T: FromStr>(text: &str, separator: char) -> Result<(T, T), EditError> {
    let read = || {
        let (first, second) = text.split_once(separator)?;
        Some((first.parse().ok()?, second.parse().ok()?))
    };
    let expected = if separator == 'x' { "a size such as 24x8" } else { "a column and row such as 2,5" };
    read().ok_or_else(|| EditError::Syntax { text: text.to_owned(), expected })
}

/// Returns a number and a noun in the singular or plural.
fn count(number: usize, noun: &str) -> String {
    format!("{number} {noun}{}", if number == 1 { "" } else { "s" })
}

impl fmt::Display for Resized {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (columns, rows) = self.moved_by;
        write!(f, "plane resized: {} cells added, {} tiles lost", self.cells_added, self.tiles_lost)?;
        if self.moved_by != (0, 0) {
            write!(f, ", moved by {columns},{rows} with {}", count(self.objects_moved, "object"))?;
            write!(f, " ({} of them with positions in other fields)", self.places_moved)?;
        }
        if self.places_unknown > 0 {
            let count = count(self.places_unknown, "object");
            write!(f, "; {count} of unknown logics may have positions that did not move")?;
        }
        if self.objects_outside > 0 {
            write!(f, "; {} outside the plane, which the game drops", count(self.objects_outside, "object"))?;
        }
        Ok(())
    }
}
