//! Planes: found, added, removed, set, given another size.

use mapwright_io::FixedBytes;

use super::assign::{apply, ready};
use super::value::{get, set};
use super::{Assignment, EditError, MOST_CELLS};
use crate::logics::{Game, Unit, places};
use crate::{Cell, Document, FieldValue, Object, Plane, escape_bytes, unescape_bytes};

/// Another size for a plane.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Resize {
    /// Columns of the new grid.
    pub columns: u32,
    /// Rows of the new grid.
    pub rows: u32,
    /// Where the old grid lies on the new one.
    pub placement: Placement,
}

/// Where the old grid lies on the new one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Placement {
    /// Its edges or middles meet.
    Anchor(Anchor),
    /// Its first cell has this column and row, which may be negative.
    Offset {
        /// The column.
        columns: i32,
        /// The row.
        rows: i32,
    },
}

/// Which part of the old grid stays at the same part of the new one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Anchor {
    /// The corner at the top left: nothing moves.
    #[default]
    TopLeft,
    /// The middle of the top.
    Top,
    /// The corner at the top right.
    TopRight,
    /// The middle of the left side.
    Left,
    /// The middle; half a cell to the top left if the sizes differ by an odd number.
    Center,
    /// The middle of the right side.
    Right,
    /// The corner at the bottom left.
    BottomLeft,
    /// The middle of the bottom.
    Bottom,
    /// The corner at the bottom right.
    BottomRight,
}

impl Anchor {
    /// All of them with their names.
    pub const ALL: [(Self, &str); 9] = [
        (Self::TopLeft, "top-left"),
        (Self::Top, "top"),
        (Self::TopRight, "top-right"),
        (Self::Left, "left"),
        (Self::Center, "center"),
        (Self::Right, "right"),
        (Self::BottomLeft, "bottom-left"),
        (Self::Bottom, "bottom"),
        (Self::BottomRight, "bottom-right"),
    ];

    /// How many halves of the difference of the sizes the old grid moves, across and down.
    const fn halves(self) -> (i64, i64) {
        match self {
            Self::TopLeft => (0, 0),
            Self::Top => (1, 0),
            Self::TopRight => (2, 0),
            Self::Left => (0, 1),
            Self::Center => (1, 1),
            Self::Right => (2, 1),
            Self::BottomLeft => (0, 2),
            Self::Bottom => (1, 2),
            Self::BottomRight => (2, 2),
        }
    }
}

impl std::str::FromStr for Anchor {
    type Err = EditError;

    fn from_str(text: &str) -> Result<Self, EditError> {
        let expected = "an anchor: top-left, top, top-right, left, center, right, bottom-left, bottom or bottom-right";
        let found = Self::ALL.into_iter().find(|(_, name)| *name == text);
        found.map(|(anchor, _)| anchor).ok_or_else(|| EditError::Syntax { text: text.to_owned(), expected })
    }
}

/// What another size of a plane changed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Resized {
    /// By how many columns and rows the old grid moved.
    pub moved_by: (i32, i32),
    /// Cells of the old grid that are not on the new one, without empty ones.
    pub tiles_lost: u64,
    /// Cells of the new grid that were not on the old one; they are empty.
    pub cells_added: u64,
    /// Objects that moved with the grid.
    pub objects_moved: usize,
    /// Of those, objects of which also other fields that hold a place moved: ends of their way, where they lead.
    pub places_moved: usize,
    /// Objects that moved, and might hold a place in other fields: their logic is not known. Those fields are as they were.
    pub places_unknown: usize,
    /// Objects that are now outside the plane, where the game drops them. None is removed.
    pub objects_outside: usize,
    /// Whether the start of the player moved.
    pub start_moved: bool,
}

impl Plane {
    /// An empty plane that moves with the camera: all cells empty, no image sets, no objects.
    ///
    /// # Errors
    /// If the name is longer than 63 bytes, if tiles have no pixels, or if the grid is too large.
    pub fn with_grid(name: &[u8], columns: u32, rows: u32, tile_size: u32) -> Result<Self, EditError> {
        if tile_size == 0 {
            return Err(EditError::TileSize { pixels: 0 });
        }
        let mut plane = Self {
            name: slot(name)?,
            tile_w: i32::try_from(tile_size).map_err(|_| EditError::Grid { columns, rows })?,
            tile_h: i32::try_from(tile_size).map_err(|_| EditError::Grid { columns, rows })?,
            movement_x: 100,
            movement_y: 100,
            ..Self::default()
        };
        let grid = Grid::of(&plane, columns, rows)?;
        plane.tiles = vec![Cell::EMPTY; grid.cells].into();
        grid.put(&mut plane);
        Ok(plane)
    }

    /// Sets fields but those of the grid, which follow from it; how many changed.
    pub(super) fn assign(&mut self, assignments: &[Assignment]) -> Result<usize, EditError> {
        if let Some(size) = assignments.iter().find(|assignment| DERIVED.contains(&assignment.field.as_str())) {
            return Err(EditError::Derived { field: size.field.clone() });
        }
        let ready = ready(self, assignments)?;
        // The fields alone, without what is large.
        let mut new = Self::get(&self.put());
        apply(&mut new, &ready)?;
        if (new.tile_w, new.tile_h) != (self.tile_w, self.tile_h) {
            if let Some(pixels) = [new.tile_w, new.tile_h].into_iter().find(|&pixels| pixels <= 0) {
                return Err(EditError::TileSize { pixels });
            }
            let (columns, rows) = self.size();
            Grid::of(&new, columns, rows)?.put(&mut new);
        }
        let changed = Self::FIELDS.iter().filter(|field| new.field(field) != self.field(field)).count();
        new.tiles = std::mem::take(&mut self.tiles);
        new.image_sets = std::mem::take(&mut self.image_sets);
        new.objects = std::mem::take(&mut self.objects);
        *self = new;
        Ok(changed)
    }
}

/// A text in a slot with a NUL behind it.
pub(super) fn slot<const N: usize>(text: &[u8]) -> Result<FixedBytes<N>, EditError> {
    let problem = if text.contains(&0) { "holds a NUL" } else { "is too long for its slot" };
    let fits = !text.contains(&0) && text.len() < N;
    let slot = FixedBytes::from_text(text).filter(|_| fits);
    slot.ok_or_else(|| EditError::Name { name: escape_bytes(text), problem })
}

/// The numbers of a grid that can be.
struct Grid {
    columns: i32,
    rows: i32,
    width_px: i32,
    height_px: i32,
    cells: usize,
}

impl Grid {
    /// A grid with the tiles of a plane.
    fn of(plane: &Plane, columns: u32, rows: u32) -> Result<Self, EditError> {
        let make = || {
            let cells = u64::from(columns).checked_mul(rows.into()).filter(|&cells| cells <= MOST_CELLS)?;
            let columns = i32::try_from(columns).ok()?;
            let rows = i32::try_from(rows).ok()?;
            let width_px = columns.checked_mul(plane.tile_w)?;
            let height_px = rows.checked_mul(plane.tile_h)?;
            Some(Self { columns, rows, width_px, height_px, cells: usize::try_from(cells).ok()? })
        };
        make().ok_or(EditError::Grid { columns, rows })
    }

    fn put(&self, plane: &mut Plane) {
        plane.tiles_wide = self.columns;
        plane.tiles_high = self.rows;
        plane.width_px = self.width_px;
        plane.height_px = self.height_px;
    }
}

impl Document {
    /// The place of a plane: by its name, by its place (`#0`), or the main plane (`#main`).
    ///
    /// # Errors
    /// If there is none, or if several have the name.
    pub fn find_plane(&self, which: &str) -> Result<usize, EditError> {
        let planes = |indices: &mut dyn Iterator<Item = usize>| {
            let named = |index: usize| {
                let name = self.planes.get(index).map(|plane| escape_bytes(plane.name.text())).unwrap_or_default();
                format!("#{index} {name}")
            };
            indices.map(named).collect::<Vec<_>>().join(", ")
        };
        let none = || EditError::NoPlane { which: which.to_owned(), planes: planes(&mut (0..self.planes.len())) };
        if let Some(place) = which.strip_prefix('#') {
            let index = if place == "main" { self.main_plane_index() } else { place.parse().ok() };
            return index.filter(|&index| index < self.planes.len()).ok_or_else(none);
        }
        let name = unescape_bytes(which);
        let mut found = (0..self.planes.len())
            .filter(|&index| self.planes.get(index).is_some_and(|plane| plane.name.text() == name));
        let first = found.next().ok_or_else(none)?;
        match found.next() {
            None => Ok(first),
            Some(second) => {
                let planes = planes(&mut [first, second].into_iter().chain(found));
                Err(EditError::ManyPlanes { which: which.to_owned(), planes })
            }
        }
    }

    /// A plane by its place.
    pub(super) fn plane_mut(&mut self, index: usize) -> Result<&mut Plane, EditError> {
        let count = self.planes.len();
        self.planes.get_mut(index).ok_or(EditError::PlaneIndex { index, count })
    }

    /// A plane by its place.
    pub(super) fn plane(&self, index: usize) -> Result<&Plane, EditError> {
        self.planes.get(index).ok_or(EditError::PlaneIndex { index, count: self.planes.len() })
    }

    /// Adds a plane at a place, which may be behind the last: planes are drawn in their order.
    ///
    /// # Errors
    /// If there is no such place, or if the plane has not as many cells as its grid.
    pub fn add_plane(&mut self, index: usize, plane: Plane) -> Result<(), EditError> {
        check_grid(&plane)?;
        if index > self.planes.len() {
            return Err(EditError::PlaneIndex { index, count: self.planes.len() });
        }
        self.planes.insert(index, plane);
        Ok(())
    }

    /// Removes a plane with its objects, and gives it.
    ///
    /// # Errors
    /// If there is no such plane.
    pub fn remove_plane(&mut self, index: usize) -> Result<Plane, EditError> {
        self.plane(index)?;
        Ok(self.planes.remove(index))
    }

    /// Sets fields of a plane; how many changed. The size in pixels follows the size of tiles.
    ///
    /// # Errors
    /// If there is no such plane, if a field does not take its value, or if it is the size of the grid.
    pub fn set_plane(&mut self, index: usize, assignments: &[Assignment]) -> Result<usize, EditError> {
        self.plane_mut(index)?.assign(assignments)
    }

    /// Sets fields of the header; how many changed.
    ///
    /// # Errors
    /// If a field does not take its value.
    pub fn set_header(&mut self, assignments: &[Assignment]) -> Result<usize, EditError> {
        let mut new = self.header.clone();
        apply(&mut new, &ready(&self.header, assignments)?)?;
        let changed = crate::Header::FIELDS.iter().filter(|field| new.field(field) != self.header.field(field)).count();
        self.header = new;
        Ok(changed)
    }

    /// Gives a plane another size. Tiles are kept as far as they are on the new grid. When the old grid moves, objects move with
    /// it, fields of known logics that hold a place as well, and on the main plane the start of the player.
    ///
    /// A place in a field that would move to 0, which stands for none, moves to 1.
    ///
    /// # Errors
    /// If there is no such plane, if the new grid is too large, or if something moves beyond 32 bits.
    pub fn resize_plane(&mut self, index: usize, resize: &Resize) -> Result<Resized, EditError> {
        let game = self.game().unwrap_or(Game::Claw);
        let plane = self.plane(index)?;
        check_grid(plane)?;
        let grid = Grid::of(plane, resize.columns, resize.rows)?;
        let (columns, rows) = offset(plane, resize)?;
        let mut resized = Resized { moved_by: (columns, rows), ..Resized::default() };
        let tiles = moved_tiles(plane, &grid, (columns, rows), &mut resized);
        let by = (pixels("x", columns, plane.tile_w)?, pixels("y", rows, plane.tile_h)?);
        let mut objects = Vec::new();
        if by != (0, 0) {
            objects.clone_from(&plane.objects);
            for object in &mut objects {
                move_object(object, by, game, &mut resized)?;
            }
            resized.objects_moved = objects.len();
        }
        let start = if plane.is_main() && by != (0, 0) {
            resized.start_moved = true;
            Some((sum("start_x", self.header.start_x, by.0)?, sum("start_y", self.header.start_y, by.1)?))
        } else {
            None
        };
        let plane = self.plane_mut(index)?;
        plane.tiles = tiles.into();
        grid.put(plane);
        if by != (0, 0) {
            plane.objects = objects.into();
        }
        let outside = |object: &&Object| !plane.contains(object.x, object.y);
        resized.objects_outside = plane.objects.iter().filter(outside).count();
        if let Some(start) = start {
            (self.header.start_x, self.header.start_y) = start;
        }
        Ok(resized)
    }
}

/// Fields of a plane that its grid gives.
const DERIVED: [&str; 4] = ["width_px", "height_px", "tiles_wide", "tiles_high"];

/// Whether the words are as many as the grid has cells, as all that works on the grid takes for given.
pub(super) fn check_grid(plane: &Plane) -> Result<(), EditError> {
    if plane.has_all_cells() {
        return Ok(());
    }
    Err(EditError::Cells { columns: plane.tiles_wide, rows: plane.tiles_high, found: plane.tiles.len() })
}

/// By how many columns and rows the old grid moves.
fn offset(plane: &Plane, resize: &Resize) -> Result<(i32, i32), EditError> {
    match resize.placement {
        Placement::Offset { columns, rows } => Ok((columns, rows)),
        Placement::Anchor(anchor) => {
            let (columns, rows) = plane.size();
            let (across, down) = anchor.halves();
            let part = |new: u32, old: u32, halves: i64| {
                let by = i64::from(new).saturating_sub(old.into()).saturating_mul(halves).div_euclid(2);
                i32::try_from(by).map_err(|_| EditError::Grid { columns: resize.columns, rows: resize.rows })
            };
            Ok((part(resize.columns, columns, across)?, part(resize.rows, rows, down)?))
        }
    }
}

/// The words of the new grid.
fn moved_tiles(plane: &Plane, grid: &Grid, (columns, rows): (i32, i32), resized: &mut Resized) -> Vec<u32> {
    let mut tiles = vec![Cell::EMPTY; grid.cells];
    let (old_columns, new_columns) = (plane.size().0 as usize, grid.columns.unsigned_abs() as usize);
    let all = plane.tiles.iter().filter(|&&word| word != Cell::EMPTY).count() as u64;
    let mut kept = 0_u64;
    let mut covered = 0_u64;
    // Of two counts and an offset between them: where both begin, and how many they share.
    let shared = |old: usize, new: usize, offset: i32| {
        let skip = offset.unsigned_abs() as usize;
        let (from, to) = if offset < 0 { (skip, 0) } else { (0, skip) };
        (from, to, old.saturating_sub(from).min(new.saturating_sub(to)))
    };
    let (from_column, to_column, width) = shared(old_columns, new_columns, columns);
    let (from_row, to_row, height) = shared(plane.size().1 as usize, grid.rows.unsigned_abs() as usize, rows);
    let old = plane.tiles.chunks_exact(old_columns.max(1)).skip(from_row);
    let new = tiles.chunks_exact_mut(new_columns.max(1)).skip(to_row);
    for (old, new) in old.zip(new).take(height) {
        let old = old.iter().skip(from_column);
        for (old, new) in old.zip(new.iter_mut().skip(to_column)).take(width) {
            *new = *old;
            covered = covered.saturating_add(1);
            kept = kept.saturating_add(u64::from(*old != Cell::EMPTY));
        }
    }
    resized.tiles_lost = all.saturating_sub(kept);
    resized.cells_added = (grid.cells as u64).saturating_sub(covered);
    tiles
}

fn move_object(object: &mut Object, by: (i32, i32), game: Game, resized: &mut Resized) -> Result<(), EditError> {
    object.x = sum("x", object.x, by.0)?;
    object.y = sum("y", object.y, by.1)?;
    let Some(places) = places(object, game) else {
        let fields = [object.min_x, object.max_x, object.min_y, object.max_y, object.speed_x, object.speed_y];
        let suspect = fields.iter().any(|&field| field != 0);
        resized.places_unknown = resized.places_unknown.saturating_add(suspect.into());
        return Ok(());
    };
    let mut moved = false;
    for field in places {
        let by = if field.unit == Unit::X { by.0 } else { by.1 };
        let Some(FieldValue::Int(old)) = get(object, field.name) else { continue };
        if old == 0 || by == 0 {
            continue;
        }
        let new = match sum(field.name, old, by)? {
            0 => 1,
            new => new,
        };
        set(object, field.name, FieldValue::Int(new))?;
        moved = true;
    }
    resized.places_moved = resized.places_moved.saturating_add(moved.into());
    Ok(())
}

fn pixels(field: &str, cells: i32, size: i32) -> Result<i32, EditError> {
    let value = i64::from(cells).saturating_mul(size.into());
    i32::try_from(value).map_err(|_| EditError::Range { field: field.to_owned(), value })
}

fn sum(field: &str, number: i32, by: i32) -> Result<i32, EditError> {
    let value = i64::from(number).saturating_add(by.into());
    i32::try_from(value).map_err(|_| EditError::Range { field: field.to_owned(), value })
}
