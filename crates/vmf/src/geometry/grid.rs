//! Points of displacements.

use super::{add, length, scale, sub};
use crate::{Displacement, DisplacementArray};

/// The points of a displacement. Rows run from the first corner to the second, points in a row from the first corner to the fourth.
#[derive(Debug, Clone, PartialEq)]
pub struct DisplacementGrid {
    /// The number of rows, and of points in each row.
    pub size: usize,
    /// The points, row by row.
    pub points: Vec<[f64; 3]>,
    /// The points before they are moved. They determine the texture coordinates.
    pub flat_points: Vec<[f64; 3]>,
    /// The weights of the second texture, from 0 to 255. Empty if the map does not have them.
    pub alphas: Vec<f64>,
}

/// The reason why the points of a displacement cannot be computed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, thiserror::Error)]
#[non_exhaustive]
pub enum DisplacementProblem {
    /// A power outside of 1 to 4.
    #[error("the displacement has no power from 1 to 4")]
    Power,
    /// A side without exactly four corners.
    #[error("the side of the displacement has {0} corners: expected 4")]
    Corners(usize),
    /// A missing array.
    #[error("the displacement has no `{0}`")]
    Missing(&'static str),
    /// An array with other rows than the power requires.
    #[error("the rows of `{0}` do not have the numbers that the power requires")]
    Rows(&'static str),
}

impl Displacement<'_> {
    /// Returns the numbers of an array, or `None` if it is missing.
    fn checked_array(self, array: DisplacementArray) -> Result<Option<Vec<f64>>, DisplacementProblem> {
        match self.block(array) {
            Some(_) => self.array(array).map(Some).ok_or(DisplacementProblem::Rows(array.name())),
            None => Ok(None),
        }
    }

    /// Returns the first problem of power and arrays.
    pub fn problem(self) -> Option<DisplacementProblem> {
        if self.power().is_none() {
            return Some(DisplacementProblem::Power);
        }
        let required = [DisplacementArray::Normals, DisplacementArray::Distances];
        let missing = required.into_iter().find(|array| self.block(*array).is_none());
        let missing = missing.map(|array| DisplacementProblem::Missing(array.name()));
        missing.or_else(|| DisplacementArray::ALL.into_iter().find_map(|array| self.checked_array(array).err()))
    }

    /// Returns the points of the displacement. `polygon` is that of its side, `normal` the normal of the side.
    ///
    /// # Errors
    /// If the polygon does not have four corners, or if power or arrays are invalid.
    pub fn grid(self, polygon: &[[f64; 3]], normal: [f64; 3]) -> Result<DisplacementGrid, DisplacementProblem> {
        let size = self.point_count().ok_or(DisplacementProblem::Power)?;
        let corners = <[[f64; 3]; 4]>::try_from(polygon).map_err(|_| DisplacementProblem::Corners(polygon.len()))?;
        let [first, second, third, fourth] = start_at(corners, self.start_position().unwrap_or_default());
        let required =
            |array: DisplacementArray| self.checked_array(array)?.ok_or(DisplacementProblem::Missing(array.name()));
        let (normals, distances) = (required(DisplacementArray::Normals)?, required(DisplacementArray::Distances)?);
        let offsets = self.checked_array(DisplacementArray::Offsets)?;
        let alphas = self.checked_array(DisplacementArray::Alphas)?.unwrap_or_default();
        let elevation = scale(normal, self.elevation().unwrap_or(0.0));

        let count = size.saturating_mul(size);
        let (mut points, mut flat_points) = (Vec::with_capacity(count), Vec::with_capacity(count));
        let mut moves = normals.as_chunks::<3>().0.iter().zip(&distances);
        let mut offsets = offsets.as_deref().unwrap_or_default().as_chunks::<3>().0.iter();
        #[allow(clippy::cast_precision_loss)] // At most 17 points.
        let fraction = |index: usize| index as f64 / size.saturating_sub(1) as f64;
        let between = |from: [f64; 3], to: [f64; 3], at: f64| add(from, scale(sub(to, from), at));
        for row in 0..size {
            let (start, end) = (between(first, second, fraction(row)), between(fourth, third, fraction(row)));
            for column in 0..size {
                let flat = between(start, end, fraction(column));
                let moved = moves.next().map_or(flat, |(&normal, &distance)| add(flat, scale(normal, distance)));
                let moved = offsets.next().map_or(moved, |&offset| add(moved, offset));
                points.push(add(moved, elevation));
                flat_points.push(flat);
            }
        }
        Ok(DisplacementGrid { size, points, flat_points, alphas })
    }
}

/// Rotates corners so that the one nearest to a position is the first.
fn start_at(mut corners: [[f64; 3]; 4], position: [f64; 3]) -> [[f64; 3]; 4] {
    let mut nearest = (0, f64::INFINITY);
    for (index, &corner) in corners.iter().enumerate() {
        let distance = length(sub(corner, position));
        if distance < nearest.1 {
            nearest = (index, distance);
        }
    }
    corners.rotate_left(nearest.0);
    corners
}

impl DisplacementGrid {
    /// Iterates over the triangles as indices of points, clockwise as seen from outside. The diagonals of squares alternate.
    pub fn triangles(&self) -> impl Iterator<Item = [usize; 3]> + use<> {
        let size = self.size;
        let squares = size.saturating_sub(1);
        let at = move |row: usize, column: usize| row.saturating_mul(size).saturating_add(column);
        (0..squares).flat_map(move |row| (0..squares).map(move |column| (row, column))).flat_map(
            move |(row, column)| {
                let (next_row, next_column) = (row.saturating_add(1), column.saturating_add(1));
                let [a, b, c, d] =
                    [at(row, column), at(next_row, column), at(next_row, next_column), at(row, next_column)];
                let is_even = row.saturating_add(column).is_multiple_of(2);
                if is_even { [[a, b, c], [a, c, d]] } else { [[a, b, d], [b, c, d]] }
            },
        )
    }
}
