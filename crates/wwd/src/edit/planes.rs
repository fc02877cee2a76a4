//! Planes: finding, adding, removing, setting fields, resizing.

use mapwright_io::FixedBytes;

use mapwright_query::{Fields, SetFields, Value};

use super::{Assignment, EditError, MAX_CELLS};
use crate::document::OBJECT;
use crate::logics::{Game, Unit, places};
use crate::{Cell, Document, Object, Plane, escape_bytes, unescape_bytes};

/// Another size for a plane.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Resize {
    /// Columns of the new grid.
    pub columns: u32,
    /// Rows of the new grid.
    pub rows: u32,
    /// Position of the old grid on the new one.
    pub placement: Placement,
}

/// Position of the old grid on the new one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Placement {
    /// Edges or middles of both grids meet.
    Anchor(Anchor),
    /// The first cell of the old grid is at this column and row of the new one, which may be negative.
    Offset {
        /// The column.
        columns: i32,
        /// The row.
        rows: i32,
    },
}

/// The part of the old grid that is aligned with the same part of the new one.
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

    /// Returns the halves of the difference of the sizes that the old grid moves, across and down.
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

/// The result of resizing a plane.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Resized {
    /// Columns and rows that the old grid moved by.
    pub moved_by: (i32, i32),
    /// Cells of the old grid outside the new one, without empty ones.
    pub tiles_lost: u64,
    /// Cells of the new grid outside the old one. They are empty.
    pub cells_added: u64,
    /// Objects that moved with the grid.
    pub objects_moved: usize,
    /// Moved objects with positions in other fields, such as the ends of their way, which moved too.
    pub places_moved: usize,
    /// Moved objects of unknown logics, which may have positions in other fields. Those fields did not move.
    pub places_unknown: usize,
    /// Objects that are outside the plane now. The game drops them; the edit keeps them.
    pub objects_outside: usize,
    /// `true` if the start of the player moved.
    pub start_moved: bool,
}

impl Plane {
    /// Creates an empty plane that moves with the camera: all cells empty, no image sets, no objects.
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
        let grid = Grid::from_plane(&plane, columns, rows)?;
        plane.tiles = vec![Cell::EMPTY; grid.cells].into();
        grid.apply_to(&mut plane);
        Ok(plane)
    }

    /// Gives another version of this plane the size in pixels that follows from its tiles.
    pub(super) fn fit_grid(&self, new: &mut Self) -> Result<(), EditError> {
        if (new.tile_w, new.tile_h) == (self.tile_w, self.tile_h) {
            return Ok(());
        }
        if let Some(pixels) = [new.tile_w, new.tile_h].into_iter().find(|&pixels| pixels <= 0) {
            return Err(EditError::TileSize { pixels });
        }
        let (columns, rows) = self.size();
        Grid::from_plane(new, columns, rows)?.apply_to(new);
        Ok(())
    }
}

/// Returns a string in a slot, followed by a NUL.
pub(super) fn slot<const N: usize>(text: &[u8]) -> Result<FixedBytes<N>, EditError> {
    let problem = if text.contains(&0) { "contains a NUL" } else { "is too long for its slot" };
    let fits = !text.contains(&0) && text.len() < N;
    let slot = FixedBytes::from_text(text).filter(|_| fits);
    slot.ok_or_else(|| EditError::Name { name: escape_bytes(text), problem })
}

/// The numbers of a valid grid.
struct Grid {
    columns: i32,
    rows: i32,
    width_px: i32,
    height_px: i32,
    cells: usize,
}

impl Grid {
    /// Returns a grid with the tiles of a plane.
    fn from_plane(plane: &Plane, columns: u32, rows: u32) -> Result<Self, EditError> {
        let make = || {
            let cells = u64::from(columns).checked_mul(rows.into()).filter(|&cells| cells <= MAX_CELLS)?;
            let columns = i32::try_from(columns).ok()?;
            let rows = i32::try_from(rows).ok()?;
            let width_px = columns.checked_mul(plane.tile_w)?;
            let height_px = rows.checked_mul(plane.tile_h)?;
            Some(Self { columns, rows, width_px, height_px, cells: usize::try_from(cells).ok()? })
        };
        make().ok_or(EditError::Grid { columns, rows })
    }

    fn apply_to(&self, plane: &mut Plane) {
        plane.tiles_wide = self.columns;
        plane.tiles_high = self.rows;
        plane.width_px = self.width_px;
        plane.height_px = self.height_px;
    }
}

impl Document {
    /// Returns the index of a plane by its name, its index (`#0`), or of the main plane (`#main`).
    ///
    /// # Errors
    /// If no plane has the name, or several have it.
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

    /// Returns a plane by its index.
    pub(super) fn plane_mut(&mut self, index: usize) -> Result<&mut Plane, EditError> {
        let count = self.planes.len();
        self.planes.get_mut(index).ok_or(EditError::PlaneIndex { index, count })
    }

    /// Returns a plane by its index.
    pub(super) fn plane(&self, index: usize) -> Result<&Plane, EditError> {
        self.planes.get(index).ok_or(EditError::PlaneIndex { index, count: self.planes.len() })
    }

    /// Adds a plane at an index, which can be after the last. Planes are drawn in their order.
    ///
    /// # Errors
    /// If there is no such index, or if the plane does not have one word per cell.
    pub fn add_plane(&mut self, index: usize, plane: Plane) -> Result<(), EditError> {
        check_grid(&plane)?;
        if index > self.planes.len() {
            return Err(EditError::PlaneIndex { index, count: self.planes.len() });
        }
        self.planes.insert(index, plane);
        Ok(())
    }

    /// Removes a plane with its objects and returns it.
    ///
    /// # Errors
    /// If there is no such plane.
    pub fn remove_plane(&mut self, index: usize) -> Result<Plane, EditError> {
        self.plane(index)?;
        Ok(self.planes.remove(index))
    }

    /// Resizes a plane. Tiles on the new grid stay. If the old grid moves, objects move with it, and so do positions in fields of
    /// known logics and, on the main plane, the start of the player.
    ///
    /// A position in a field that would become 0, which means none, becomes 1.
    ///
    /// # Errors
    /// If there is no such plane, if the new grid is too large, or if something moves beyond 32 bits.
    pub fn resize_plane(&mut self, index: usize, resize: &Resize) -> Result<Resized, EditError> {
        let game = self.game().unwrap_or(Game::Claw);
        let plane = self.plane(index)?;
        check_grid(plane)?;
        let grid = Grid::from_plane(plane, resize.columns, resize.rows)?;
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
        grid.apply_to(plane);
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

/// Returns the first field that follows from the grid of a plane, if one is to be set.
pub(super) fn derived_field(assignments: &[Assignment]) -> Option<&str> {
    let derived = ["width_px", "height_px", "tiles_wide", "tiles_high"];
    let mut fields = assignments.iter().map(|assignment| assignment.field.as_str());
    fields.find(|field| derived.iter().any(|name| name.eq_ignore_ascii_case(field)))
}

/// Checks that the plane has one word per cell, which all operations on the grid assume.
pub(super) fn check_grid(plane: &Plane) -> Result<(), EditError> {
    if plane.has_all_cells() {
        return Ok(());
    }
    Err(EditError::Cells { columns: plane.tiles_wide, rows: plane.tiles_high, found: plane.tiles.len() })
}

/// Returns the columns and rows that the old grid moves by.
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

/// Returns the words of the new grid.
fn moved_tiles(plane: &Plane, grid: &Grid, (columns, rows): (i32, i32), resized: &mut Resized) -> Vec<u32> {
    let mut tiles = vec![Cell::EMPTY; grid.cells];
    let (old_columns, new_columns) = (plane.size().0 as usize, grid.columns.unsigned_abs() as usize);
    let all = plane.tiles.iter().filter(|&&word| word != Cell::EMPTY).count() as u64;
    let mut kept = 0_u64;
    let mut covered = 0_u64;
    // For two counts and an offset between them: the start in both, and the number that they share.
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

const POSITION: &str = "fields with positions are numbers of 32 bits";

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
        let index = OBJECT.find(field.name).expect(POSITION);
        let old = match Fields::get(object, index) {
            Some(Value::Int(old)) => i32::try_from(old).ok(),
            _ => None,
        };
        let old = old.expect(POSITION);
        if old == 0 || by == 0 {
            continue;
        }
        let new = match sum(field.name, old, by)? {
            0 => 1,
            new => new,
        };
        SetFields::set(object, index, &Value::from(new)).expect(POSITION);
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
