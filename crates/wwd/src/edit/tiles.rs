//! Tiles: filling, replacing, copying.

use std::fmt;
use std::ops::RangeInclusive;
use std::str::FromStr;

use super::EditError;
use super::planes::check_grid;
use crate::{Cell, Document, Plane, Shape, TileProperties, TileProperty};

/// A rectangle of cells, written as `column,row,columns,rows`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Area {
    /// The first column.
    pub column: u32,
    /// The first row.
    pub row: u32,
    /// Number of columns.
    pub columns: u32,
    /// Number of rows.
    pub rows: u32,
}

impl Area {
    /// Returns the area of all cells of a plane.
    pub fn whole_plane(plane: &Plane) -> Self {
        let (columns, rows) = plane.size();
        Self { column: 0, row: 0, columns, rows }
    }

    /// Checks that the area is entirely within the grid of a plane.
    fn check(self, plane: &Plane) -> Result<(), EditError> {
        check_grid(plane)?;
        let (columns, rows) = plane.size();
        let within = |from: u32, count: u32, of: u32| from.checked_add(count).is_some_and(|end| end <= of);
        if within(self.column, self.columns, columns) && within(self.row, self.rows, rows) {
            return Ok(());
        }
        Err(EditError::Outside { area: self, columns, rows })
    }

    /// Iterates over the cells of the area on a plane that contains it.
    fn cells(self, plane: &mut Plane) -> impl Iterator<Item = &mut u32> {
        let columns = plane.size().0.max(1) as usize;
        let rows = plane.tiles.chunks_exact_mut(columns).skip(self.row as usize).take(self.rows as usize);
        rows.flat_map(move |row| row.iter_mut().skip(self.column as usize).take(self.columns as usize))
    }
}

impl Document {
    /// Gives tiles other attributes, and returns the number of changed ones. Missing tile properties are added, clear and of the size of
    /// the main plane's tiles.
    pub fn set_tile_properties(&mut self, tiles: RangeInclusive<u16>, shape: &Shape) -> usize {
        let pixels = |size: i32| u32::try_from(size).ok().filter(|size| *size > 0).unwrap_or(64);
        let (width, height) = self.main_plane().map_or((64, 64), |plane| (pixels(plane.tile_w), pixels(plane.tile_h)));
        if tiles.is_empty() {
            return 0;
        }
        let items = &mut self.tile_properties.get_or_insert_with(TileProperties::default).items;
        if items.len() <= usize::from(*tiles.end()) {
            let clear = TileProperty { reserved_04: 0, width, height, shape: Shape::Single(0) };
            items.resize(usize::from(*tiles.end()).saturating_add(1), clear);
        }
        let mut changed = 0_usize;
        for item in items.get_mut(usize::from(*tiles.start())..=usize::from(*tiles.end())).into_iter().flatten() {
            if item.shape != *shape {
                item.shape.clone_from(shape);
                changed = changed.saturating_add(1);
            }
        }
        changed
    }
}

impl FromStr for Area {
    type Err = EditError;

    fn from_str(text: &str) -> Result<Self, EditError> {
        let numbers: Result<Vec<u32>, _> = text.split(',').map(|number| number.trim().parse()).collect();
        match numbers.as_deref() {
            Ok(&[column, row, columns, rows]) => Ok(Self { column, row, columns, rows }),
            _ => {
                let expected = "a rectangle of cells: column,row,columns,rows";
                Err(EditError::Syntax { text: text.to_owned(), expected })
            }
        }
    }
}

impl fmt::Display for Area {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{},{},{},{}", self.column, self.row, self.columns, self.rows)
    }
}

/// As it is written for edits: `empty`, `fill`, the frame of the first image set, or `1:17` for the frame of another.
impl fmt::Display for Cell {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Empty => f.write_str("empty"),
            Self::Fill => f.write_str("fill"),
            Self::Tile { image_set: 0, frame } => write!(f, "{frame}"),
            Self::Tile { image_set, frame } => write!(f, "{image_set}:{frame}"),
        }
    }
}

impl FromStr for Cell {
    type Err = EditError;

    fn from_str(text: &str) -> Result<Self, EditError> {
        let read = || {
            Some(match text {
                "empty" => Self::Empty,
                "fill" => Self::Fill,
                _ => match text.split_once(':') {
                    Some((image_set, frame)) => {
                        Self::Tile { image_set: image_set.parse().ok()?, frame: frame.parse().ok()? }
                    }
                    None => Self::Tile { image_set: 0, frame: text.parse().ok()? },
                },
            })
        };
        let expected = "a cell: empty, fill, a frame from 0 to 65535, or image set and frame as 1:17";
        read().ok_or_else(|| EditError::Syntax { text: text.to_owned(), expected })
    }
}

impl Document {
    /// Makes all cells of a rectangle the same; how many changed.
    ///
    /// # Errors
    /// If there is no such plane, or if the rectangle is not all on its grid.
    pub fn fill_tiles(&mut self, plane: usize, area: Area, cell: Cell) -> Result<usize, EditError> {
        self.change_tiles(plane, area, |word| *word = cell.word())
    }

    /// Makes all cells of a rectangle that are like one like another; how many changed.
    ///
    /// # Errors
    /// If there is no such plane, or if the rectangle is not all on its grid.
    pub fn replace_tiles(&mut self, plane: usize, area: Area, from: Cell, to: Cell) -> Result<usize, EditError> {
        self.change_tiles(plane, area, |word| {
            if *word == from.word() {
                *word = to.word();
            }
        })
    }

    /// Copies the cells of a rectangle to a rectangle of the same size on the same or another plane, which may overlap; how many
    /// changed. Words are copied as they are: their image sets are those of the new plane.
    ///
    /// # Errors
    /// If there is no such plane, or if a rectangle is not all on its grid.
    pub fn copy_tiles(
        &mut self,
        from: usize,
        area: Area,
        to: usize,
        (column, row): (u32, u32),
    ) -> Result<usize, EditError> {
        let from = self.plane_mut(from)?;
        area.check(from)?;
        let words: Vec<u32> = area.cells(from).map(|word| *word).collect();
        let mut words = words.into_iter();
        self.change_tiles(to, Area { column, row, ..area }, |word| {
            if let Some(new) = words.next() {
                *word = new;
            }
        })
    }

    fn change_tiles(&mut self, plane: usize, area: Area, mut change: impl FnMut(&mut u32)) -> Result<usize, EditError> {
        let plane = self.plane_mut(plane)?;
        area.check(plane)?;
        let mut changed = 0_usize;
        for word in area.cells(plane) {
            let old = *word;
            change(word);
            changed = changed.saturating_add(usize::from(*word != old));
        }
        Ok(changed)
    }
}
