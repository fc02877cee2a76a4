//! Columns of numbers in buffers.

use super::{Reader, item};
use crate::{
    Error, ErrorKind,
    error::malformed,
    gltf::json::{BufferView, codes},
};
use mapwright_io::FaultKind;

/// The type of one number.
#[derive(Clone, Copy)]
enum Component {
    I8,
    U8,
    I16,
    U16,
    U32,
    F32,
}

impl Component {
    fn new(code: u32, path: &str) -> Result<Self, Error> {
        Ok(match code {
            codes::BYTE => Self::I8,
            codes::UNSIGNED_BYTE => Self::U8,
            codes::SHORT => Self::I16,
            codes::UNSIGNED_SHORT => Self::U16,
            codes::UNSIGNED_INT => Self::U32,
            codes::FLOAT => Self::F32,
            _ => return Err(malformed(format!("{path}.componentType"), format!("{code} is not a component type"))),
        })
    }

    const fn size(self) -> usize {
        match self {
            Self::I8 | Self::U8 => 1,
            Self::I16 | Self::U16 => 2,
            Self::U32 | Self::F32 => 4,
        }
    }

    /// Reads a number from bytes, of which there are enough.
    fn read(self, bytes: &[u8], normalized: bool) -> f64 {
        let word = |bytes: &[u8]| bytes.try_into().map_or(0, u16::from_le_bytes);
        let long = |bytes: &[u8]| bytes.try_into().map_or(0, u32::from_le_bytes);
        let first = bytes.first().copied().unwrap_or(0);
        let (number, largest) = match self {
            Self::I8 => (f64::from(first.cast_signed()), 127.0),
            Self::U8 => (f64::from(first), 255.0),
            Self::I16 => (f64::from(word(bytes).cast_signed()), 32_767.0),
            Self::U16 => (f64::from(word(bytes)), 65_535.0),
            Self::U32 => (f64::from(long(bytes)), f64::from(u32::MAX)),
            Self::F32 => return f64::from(f32::from_bits(long(bytes))),
        };
        if normalized { (number / largest).max(-1.0) } else { number }
    }
}

/// A column of rows with one to four numbers. All rows are within the buffer.
pub(super) struct Column<'b> {
    /// Number of rows.
    pub count: usize,
    path: String,
    component: Component,
    normalized: bool,
    width: usize,
    stride: usize,
    /// Empty: all numbers are 0.
    data: &'b [u8],
    sparse: Option<Replaced<'b>>,
}

/// Rows that replace others.
struct Replaced<'b> {
    count: usize,
    component: Component,
    indices: &'b [u8],
    values: &'b [u8],
}

impl Replaced<'_> {
    /// Returns the index of the replaced row.
    fn index(&self, place: usize) -> u32 {
        let size = self.component.size();
        let start = place * size;
        #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)] // the types of indices are unsigned
        let index = self.indices.get(start..start + size).map_or(0, |bytes| self.component.read(bytes, false) as u32);
        index
    }

    /// Returns the index of the replacement for a row.
    fn find(&self, row: usize) -> Option<usize> {
        let (mut low, mut high) = (0, self.count);
        while low < high {
            let middle = low + (high - low) / 2;
            match (self.index(middle) as usize).cmp(&row) {
                std::cmp::Ordering::Equal => return Some(middle),
                std::cmp::Ordering::Less => low = middle + 1,
                std::cmp::Ordering::Greater => high = middle,
            }
        }
        None
    }
}

impl Column<'_> {
    /// Returns the first numbers of a row. Missing numbers are 0.
    ///
    /// # Errors
    /// If the row does not exist or a number is not finite.
    pub(super) fn get<const N: usize>(&self, row: usize) -> Result<[f64; N], Error> {
        if row >= self.count {
            let kind = ErrorKind::BadIndex { index: row as u64, count: self.count as u64 };
            return Err(Error::on_path(kind, &self.path));
        }
        let size = self.component.size();
        let bytes = match &self.sparse {
            Some(sparse) if let Some(place) = sparse.find(row) => {
                sparse.values.get(place * self.width * size..).unwrap_or_default()
            }
            _ => self.data.get(row * self.stride..).unwrap_or_default(),
        };
        let mut numbers = [0.0; N];
        for (number, bytes) in numbers.iter_mut().zip(bytes.chunks_exact(size)).take(self.width) {
            *number = self.component.read(bytes, self.normalized);
            if !number.is_finite() {
                return Err(malformed(format!("{}[{row}]", self.path), format!("{number} is not a finite number")));
            }
        }
        Ok(numbers)
    }

    /// Returns the whole number in a row of a column of indices.
    #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)] // 32 bits at most, and not negative
    pub(super) fn index(&self, row: usize) -> Result<u32, Error> {
        self.get::<1>(row).map(|[number]| number as u32)
    }

    /// Returns `true` if the first rows are `N` finite 32-bit floats each. A number that is not finite is an error only where a row is
    /// used.
    fn is_plain<const N: usize>(&self, rows: usize) -> bool {
        let row = N * size_of::<f32>();
        let length = rows.checked_sub(1).and_then(|last| last.checked_mul(self.stride)?.checked_add(row)).unwrap_or(0);
        let Some(data) = self.data.get(..length) else { return false };
        let is_finite = |numbers: &[[u8; 4]]| {
            let infinite =
                |bytes: &[u8; 4]| u32::from_le_bytes(*bytes) & f32::INFINITY.to_bits() == f32::INFINITY.to_bits();
            // Without an early exit, the compiler can check several numbers at once.
            !numbers.iter().fold(false, |found, number| found | infinite(number))
        };
        matches!(self.component, Component::F32)
            && self.width == N
            && self.sparse.is_none()
            && if self.stride == row {
                is_finite(data.as_chunks().0)
            } else {
                data.chunks(self.stride).all(|bytes| is_finite(bytes.get(..row).unwrap_or_default().as_chunks().0))
            }
    }

    /// Returns a row of 32-bit floats. A missing row is 0.
    fn floats<const N: usize>(&self, row: usize) -> [f32; N] {
        let bytes = row.checked_mul(self.stride).and_then(|start| self.data.get(start..)).unwrap_or_default();
        let numbers = bytes.as_chunks::<4>().0.first_chunk::<N>();
        numbers.map_or([0.0; N], |numbers| numbers.map(f32::from_le_bytes))
    }

    /// Returns the numbers of a column of unsigned integers.
    ///
    /// # Errors
    /// As [`get`](Self::get).
    pub(super) fn indices(&self) -> Result<Vec<u32>, Error> {
        let size = self.component.size();
        let bytes = self.data.get(..self.count.saturating_mul(size)).unwrap_or_default();
        match self.component {
            Component::U32 if self.stride == size && self.sparse.is_none() && bytes.len() / size == self.count => {
                Ok(bytes.as_chunks().0.iter().map(|bytes| u32::from_le_bytes(*bytes)).collect())
            }
            Component::U16 if self.stride == size && self.sparse.is_none() && bytes.len() / size == self.count => {
                Ok(bytes.as_chunks().0.iter().map(|bytes| u16::from_le_bytes(*bytes).into()).collect())
            }
            _ => (0..self.count).map(|row| self.index(row)).collect(),
        }
    }
}

/// A column of rows for the vertices of a primitive.
pub(super) struct Rows<'b, const N: usize> {
    column: Column<'b>,
    /// The number of rows that corners may use, if most of them are used and all are finite 32-bit floats. Otherwise 0.
    plain: usize,
}

impl<'b, const N: usize> Rows<'b, N> {
    /// Creates the column for a number of vertices. Further rows are of other primitives.
    pub(super) fn new(column: Column<'b>, are_used: bool, vertices: usize) -> Self {
        let is_plain = are_used && column.count >= vertices && column.is_plain::<N>(vertices);
        Self { plain: if is_plain { vertices } else { 0 }, column }
    }

    /// Returns the number of rows that corners may use, if it is worthwhile to read all of them and none is an error. Otherwise 0.
    pub(super) fn plain(&self) -> usize {
        self.plain
    }

    /// Returns the number of values in a row.
    pub(super) fn width(&self) -> usize {
        self.column.width
    }

    /// Returns the numbers of a row. Missing numbers are 0.
    ///
    /// # Errors
    /// As [`Column::get`].
    pub(super) fn get(&self, row: usize) -> Result<[f64; N], Error> {
        if row < self.plain { Ok(self.plain_row(row)) } else { self.column.get(row) }
    }

    /// Returns the numbers of one of the [plain](Self::plain) rows.
    pub(super) fn plain_row(&self, row: usize) -> [f64; N] {
        self.column.floats(row).map(f64::from)
    }
}

impl<'a> Reader<'a> {
    /// Returns an accessor as a column of rows with one of the given widths.
    pub(super) fn column(&self, index: u32, widths: &[usize]) -> Result<Column<'a>, Error> {
        let path = format!("accessors[{index}]");
        let accessor = item(&self.root.accessors, index, &path)?;
        let width = match accessor.shape.as_str() {
            "SCALAR" => 1,
            "VEC2" => 2,
            "VEC3" => 3,
            "VEC4" => 4,
            _ => 0,
        };
        if !widths.contains(&width) {
            return Err(malformed(format!("{path}.type"), format!("{} is not allowed here", accessor.shape)));
        }
        if let Some(sparse) = &accessor.sparse {
            // Every use of the accessor searches them, so they are checked each time.
            self.spend(sparse.count, 8, &path)?;
        }
        let component = Component::new(accessor.component_type, &path)?;
        let row = (width * component.size()) as u64;
        let (data, stride) = match accessor.buffer_view {
            Some(view) => {
                let (data, stride) = self.view(view)?;
                let stride = stride.unwrap_or(row);
                if stride < row {
                    return Err(malformed(&path, "rows that overlap"));
                }
                let length = accessor.count.saturating_sub(1).saturating_mul(stride).saturating_add(row);
                (slice(data, accessor.byte_offset, if accessor.count == 0 { 0 } else { length }, &path)?, stride)
            }
            None => (&[][..], row),
        };
        let sparse = match &accessor.sparse {
            None => None,
            Some(sparse) => {
                let kind = Component::new(sparse.indices.component_type, &format!("{path}.sparse.indices"))?;
                if !matches!(kind, Component::U8 | Component::U16 | Component::U32) {
                    return Err(malformed(format!("{path}.sparse.indices"), "indices that are not unsigned"));
                }
                let part = |view: u32, offset: u64, size: u64| {
                    let (data, _) = self.view(view)?;
                    slice(data, offset, sparse.count.saturating_mul(size), &format!("{path}.sparse"))
                };
                let replaced = Replaced {
                    count: size(sparse.count, &path)?,
                    component: kind,
                    indices: part(sparse.indices.buffer_view, sparse.indices.byte_offset, kind.size() as u64)?,
                    values: part(sparse.values.buffer_view, sparse.values.byte_offset, row)?,
                };
                let rows = (0..replaced.count).map(|place| replaced.index(place));
                if !rows.clone().is_sorted_by(|a, b| a < b)
                    || rows.max().is_some_and(|row| u64::from(row) >= accessor.count)
                {
                    return Err(malformed(format!("{path}.sparse.indices"), "not ascending, or beyond the rows"));
                }
                Some(replaced)
            }
        };
        Ok(Column {
            count: size(accessor.count, &path)?,
            path,
            component,
            normalized: accessor.normalized,
            width,
            stride: size(stride, "bufferViews")?,
            data,
            sparse,
        })
    }

    /// Returns the bytes of a buffer view, and its stride.
    pub(super) fn view(&self, index: u32) -> Result<(&'a [u8], Option<u64>), Error> {
        let path = format!("bufferViews[{index}]");
        let view: &BufferView = item(&self.root.buffer_views, index, &path)?;
        let buffer = item(self.buffers, view.buffer, &format!("{path}.buffer"))?;
        Ok((slice(buffer, view.byte_offset, view.byte_length, &path)?, view.byte_stride))
    }
}

fn size(number: u64, path: &str) -> Result<usize, Error> {
    usize::try_from(number).map_err(|_| malformed(path, "larger than memory"))
}

fn slice<'b>(data: &'b [u8], offset: u64, length: u64, path: &str) -> Result<&'b [u8], Error> {
    let range = || {
        let start = usize::try_from(offset).ok()?;
        data.get(start..start.checked_add(usize::try_from(length).ok()?)?)
    };
    range().ok_or_else(|| {
        let left = (data.len() as u64).saturating_sub(offset);
        Error::on_path(FaultKind::Truncated { needed: length, available: left }.into(), path)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_rows_of_a_primitive_are_checked() {
        let data: Vec<u8> = [1.0_f32, 2.0, 3.0, f32::NAN].into_iter().flat_map(f32::to_le_bytes).collect();
        let column = |count: usize| Column {
            count,
            path: String::new(),
            component: Component::F32,
            normalized: false,
            width: 1,
            stride: 4,
            data: &data,
            sparse: None,
        };
        assert_eq!(Rows::<1>::new(column(4), true, 3).plain(), 3);
        let rows = Rows::<1>::new(column(4), true, 4);
        assert_eq!((rows.plain(), rows.get(2).unwrap()), (0, [3.0]), "a number is not finite");
        assert!(rows.get(3).is_err());
        let apart = Column { stride: 8, ..column(2) };
        let rows = Rows::<1>::new(apart, true, 2);
        assert_eq!((rows.plain(), rows.plain_row(1)), (2, [3.0]));
    }

    /// Source: glTF 2.0 specification, "Accessor data types": sizes, and the numbers of normalised ones.
    #[test]
    fn component_types_have_the_published_sizes() {
        let published: [(u32, usize, &[u8], f64, f64); 6] = [
            (5120, 1, &[0x81], -127.0, -1.0),
            (5121, 1, &[0xFF], 255.0, 1.0),
            (5122, 2, &[0x01, 0x80], -32_767.0, -1.0),
            (5123, 2, &[0xFF, 0xFF], 65_535.0, 1.0),
            (5125, 4, &[0xFF; 4], 4_294_967_295.0, 1.0),
            (5126, 4, &[0, 0, 0x80, 0x3F], 1.0, 1.0),
        ];
        for (code, size, bytes, plain, normalized) in published {
            let component = Component::new(code, "").unwrap();
            assert_eq!(component.size(), size, "{code}");
            assert_eq!(component.read(bytes, false).to_bits(), plain.to_bits(), "{code}");
            assert_eq!(component.read(bytes, true).to_bits(), normalized.to_bits(), "{code}");
        }
        assert!(Component::new(5124, "").is_err(), "32-bit signed integers are not allowed");
    }
}
