//! Columns with a value for each corner of a mesh.

use std::ops::Range;

/// The row index of a corner without a value. No row has it.
pub const NO_ROW: u32 = u32::MAX;

/// A value for each corner of a mesh, or none.
///
/// As in OBJ files, the values are *rows*, and each corner has the index of its row, so that corners with the same value can share a
/// row. Rows may repeat, and some may be unused. Two columns are equal if their corners have equal values.
#[derive(Debug, Clone)]
pub struct CornerColumn<T> {
    rows: Vec<T>,
    /// The row of each corner, or [`NO_ROW`].
    indices: Vec<u32>,
}

impl<T> CornerColumn<T> {
    /// Creates a column without corners.
    pub const fn new() -> Self {
        Self { rows: Vec::new(), indices: Vec::new() }
    }

    /// Creates a column from rows and the index of the row of each corner, [`NO_ROW`] for corners without a value. Returns `None` if a
    /// row is missing.
    pub fn from_rows(rows: Vec<T>, indices: Vec<u32>) -> Option<Self> {
        let exists = |&index: &u32| index == NO_ROW || (index as usize) < rows.len();
        indices.iter().all(exists).then_some(Self { rows, indices })
    }

    /// Returns the rows and the index of the row of each corner; see [`from_rows`](Self::from_rows).
    pub fn into_parts(self) -> (Vec<T>, Vec<u32>) {
        (self.rows, self.indices)
    }

    /// Returns the number of corners.
    pub const fn len(&self) -> usize {
        self.indices.len()
    }

    /// Returns `true` if there are no corners.
    pub const fn is_empty(&self) -> bool {
        self.indices.is_empty()
    }

    /// Returns the rows.
    pub fn rows(&self) -> &[T] {
        &self.rows
    }

    /// Returns the rows, to change the values of all corners.
    pub fn rows_mut(&mut self) -> &mut [T] {
        &mut self.rows
    }

    /// Returns the index of the row of each corner, or [`NO_ROW`].
    pub fn indices(&self) -> &[u32] {
        &self.indices
    }

    /// Returns `true` if all corners have a value.
    pub fn is_complete(&self) -> bool {
        !self.indices.contains(&NO_ROW)
    }

    /// Returns `true` if a corner has a value.
    pub fn has_values(&self) -> bool {
        self.indices.iter().any(|&index| index != NO_ROW)
    }

    /// Returns the number of bytes of rows and indices.
    pub const fn memory(&self) -> usize {
        size_of_val(self.rows.as_slice()).saturating_add(size_of_val(self.indices.as_slice()))
    }

    /// Adds a corner, with a row of its own if it has a value.
    pub fn push(&mut self, value: Option<T>) {
        let index = value.map_or(NO_ROW, |value| {
            self.rows.push(value);
            // More rows would need more than 64 GB.
            u32::try_from(self.rows.len() - 1).unwrap_or(NO_ROW)
        });
        self.indices.push(index);
    }

    /// Sets the value of a corner, which gets a row of its own; its former row stays. A missing corner is ignored.
    pub fn set(&mut self, corner: usize, value: Option<T>) {
        let Some(place) = self.indices.get_mut(corner) else { return };
        *place = NO_ROW;
        if let Some(value) = value {
            *place = u32::try_from(self.rows.len()).unwrap_or(NO_ROW);
            self.rows.push(value);
        }
    }

    /// Removes the values of some corners.
    pub fn clear(&mut self, corners: Range<usize>) {
        let corners = corners.start..corners.end.min(self.indices.len());
        self.indices.get_mut(corners).unwrap_or_default().fill(NO_ROW);
    }

    /// Removes all corners but the first `corners`.
    pub fn truncate(&mut self, corners: usize) {
        self.indices.truncate(corners);
    }
}

impl<T: Copy> CornerColumn<T> {
    /// Creates a column with the same value for all corners.
    pub fn filled(value: Option<T>, corners: usize) -> Self {
        let index = if value.is_some() { 0 } else { NO_ROW };
        Self { rows: value.into_iter().collect(), indices: vec![index; corners] }
    }

    /// Returns the value of a corner. A missing corner has none.
    pub fn get(&self, corner: usize) -> Option<T> {
        self.value(*self.indices.get(corner)?)
    }

    /// Iterates over the values of all corners, in order.
    pub fn iter(&self) -> impl DoubleEndedIterator<Item = Option<T>> + ExactSizeIterator + Clone {
        self.indices.iter().map(|&index| self.value(index))
    }

    /// Iterates over the values of some corners. Missing corners are left out.
    pub fn range(
        &self,
        corners: Range<usize>,
    ) -> impl DoubleEndedIterator<Item = Option<T>> + ExactSizeIterator + Clone {
        let corners = corners.start..corners.end.min(self.indices.len());
        self.indices.get(corners).unwrap_or_default().iter().map(|&index| self.value(index))
    }

    /// Returns a column with the values of some corners, in any order. Missing corners are left out.
    #[must_use]
    pub fn pick(&self, corners: impl IntoIterator<Item = usize>) -> Self {
        let indices: Vec<u32> = corners.into_iter().filter_map(|corner| self.indices.get(corner).copied()).collect();
        if indices.len() >= self.rows.len() {
            return Self { rows: self.rows.clone(), indices };
        }
        // The parts of a mesh do not have all of its rows.
        indices.iter().map(|&index| self.value(index)).collect()
    }

    /// Returns a column with other values for the same corners. The function is applied to rows.
    #[must_use]
    pub fn map<U>(&self, change: impl FnMut(T) -> U) -> CornerColumn<U> {
        CornerColumn { rows: self.rows.iter().copied().map(change).collect(), indices: self.indices.clone() }
    }

    fn value(&self, index: u32) -> Option<T> {
        self.rows.get(index as usize).copied()
    }
}

impl<T> Default for CornerColumn<T> {
    fn default() -> Self {
        Self::new()
    }
}

impl<T: Copy + PartialEq> PartialEq for CornerColumn<T> {
    fn eq(&self, other: &Self) -> bool {
        self.iter().eq(other.iter())
    }
}

impl<T> FromIterator<Option<T>> for CornerColumn<T> {
    fn from_iter<I: IntoIterator<Item = Option<T>>>(values: I) -> Self {
        let mut column = Self::new();
        column.extend(values);
        column
    }
}

impl<T> Extend<Option<T>> for CornerColumn<T> {
    fn extend<I: IntoIterator<Item = Option<T>>>(&mut self, values: I) {
        let values = values.into_iter();
        let count = values.size_hint().0;
        self.rows.reserve(count);
        self.indices.reserve(count);
        values.for_each(|value| self.push(value));
    }
}

/// Creates a column in which each corner has a row of its own.
impl<T> From<Vec<T>> for CornerColumn<T> {
    fn from(rows: Vec<T>) -> Self {
        let indices = (0..rows.len()).map(|index| u32::try_from(index).unwrap_or(NO_ROW)).collect();
        Self { rows, indices }
    }
}

#[cfg(feature = "serde")]
impl<T: Copy + serde::Serialize> serde::Serialize for CornerColumn<T> {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self.iter())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn column() -> CornerColumn<f32> {
        CornerColumn::from_rows(vec![1.0, 2.0, 9.0], vec![1, 0, NO_ROW, 1]).unwrap()
    }

    #[test]
    fn corners_share_rows() {
        let column = column();
        assert_eq!((column.len(), column.get(0), column.get(2), column.get(4)), (4, Some(2.0), None, None));
        assert_eq!(column.iter().collect::<Vec<_>>(), [Some(2.0), Some(1.0), None, Some(2.0)]);
        assert_eq!(column.range(1..9).collect::<Vec<_>>(), [Some(1.0), None, Some(2.0)]);
        assert_eq!(column.range(5..9).len(), 0);
        assert!(CornerColumn::from_rows(vec![1.0], vec![1]).is_none());
    }

    #[test]
    fn columns_are_equal_by_the_values_of_corners() {
        let other: CornerColumn<f32> = [Some(2.0), Some(1.0), None, Some(2.0)].into_iter().collect();
        assert_eq!(column(), other);
        assert_ne!(column(), column().pick([0, 1, 2]));
        assert_eq!(CornerColumn::filled(Some(1.0), 2), vec![1.0, 1.0].into());
    }

    #[test]
    fn a_changed_corner_gets_a_row_of_its_own() {
        let mut column = column();
        column.set(0, Some(5.0));
        column.set(7, Some(5.0));
        column.clear(1..2);
        column.clear(8..9);
        assert_eq!(column.iter().collect::<Vec<_>>(), [Some(5.0), None, None, Some(2.0)]);
        column.truncate(1);
        assert_eq!((column.len(), column.has_values()), (1, true));
        assert!(column.is_complete() && !self::column().is_complete());
    }

    #[test]
    fn picked_corners_are_in_the_order_of_the_request() {
        let all = [3, 2, 1, 0, 9, 0];
        assert_eq!(
            column().pick(all).iter().collect::<Vec<_>>(),
            [2.0, 0.0, 1.0, 2.0, 2.0].map(|v| Some(v).filter(|v| *v > 0.0))
        );
        let few = column().pick([1]);
        assert_eq!((few.rows(), few.indices()), (&[1.0][..], &[0][..]));
    }
}
