//! The bounded cursor over bytes.

use byteorder::{BigEndian, ByteOrder, LittleEndian};

use crate::{Fault, FaultKind, Position, Space};

/// A cursor over bytes that knows its position and never reads past the end.
///
/// A read advances the cursor only if it succeeds.
#[derive(Debug, Clone)]
pub struct Input<'a> {
    data: &'a [u8],
    at: usize,
    base: u64,
    space: Space,
}

macro_rules! numbers {
    ($($le:ident $be:ident $type:ty, $read:ident;)*) => { $(
        #[doc = concat!("Reads a little-endian `", stringify!($type), "`.\n\n# Errors\n[`FaultKind::Truncated`].")]
        #[inline]
        pub fn $le(&mut self) -> Result<$type, Fault> {
            self.take(size_of::<$type>()).map(LittleEndian::$read)
        }

        #[doc = concat!("Reads a big-endian `", stringify!($type), "`.\n\n# Errors\n[`FaultKind::Truncated`].")]
        #[inline]
        pub fn $be(&mut self) -> Result<$type, Fault> {
            self.take(size_of::<$type>()).map(BigEndian::$read)
        }
    )* };
}

macro_rules! lists {
    ($($le:ident $type:ty, $read_into:ident;)*) => { $(
        #[doc = concat!("Reads `count` little-endian `", stringify!($type), "`s.\n\n# Errors\n[`FaultKind::Truncated`].")]
        pub fn $le(&mut self, count: usize) -> Result<Vec<$type>, Fault> {
            let bytes = self.take(count.saturating_mul(size_of::<$type>()))?;
            let mut values = vec![<$type>::default(); count];
            LittleEndian::$read_into(bytes, &mut values);
            Ok(values)
        }
    )* };
}

impl<'a> Input<'a> {
    /// Creates a cursor at the start of a file.
    pub fn new(data: &'a [u8]) -> Self {
        Self::at_base(data, Position::file(0))
    }

    /// Creates a cursor over a part that begins at `base`. Positions include that offset.
    pub fn at_base(data: &'a [u8], base: Position) -> Self {
        Self { data, at: 0, base: base.offset, space: base.space }
    }

    /// Returns the position of the cursor.
    pub fn position(&self) -> Position {
        Position { offset: self.base.saturating_add(self.at as u64), space: self.space, text: None }
    }

    /// Returns the number of bytes before the cursor, counted from the start of `data`.
    pub fn consumed(&self) -> usize {
        self.at
    }

    /// Returns the number of bytes that are left.
    pub fn remaining(&self) -> usize {
        self.data.len().saturating_sub(self.at)
    }

    /// Returns `true` if no bytes are left.
    pub fn is_empty(&self) -> bool {
        self.remaining() == 0
    }

    /// Returns all bytes that are left, without advancing.
    pub fn peek(&self) -> &'a [u8] {
        self.data.get(self.at..).unwrap_or_default()
    }

    /// Reads `count` bytes.
    ///
    /// # Errors
    /// [`FaultKind::Truncated`].
    #[inline]
    pub fn take(&mut self, count: usize) -> Result<&'a [u8], Fault> {
        match self.peek().get(..count) {
            Some(bytes) => {
                self.at = self.at.saturating_add(count);
                Ok(bytes)
            }
            None => Err(self.truncated(count as u64)),
        }
    }

    /// Reads `N` bytes.
    ///
    /// # Errors
    /// [`FaultKind::Truncated`].
    #[inline]
    pub fn array<const N: usize>(&mut self) -> Result<[u8; N], Fault> {
        match self.peek().first_chunk::<N>() {
            Some(bytes) => {
                self.at = self.at.saturating_add(N);
                Ok(*bytes)
            }
            None => Err(self.truncated(N as u64)),
        }
    }

    /// Reads all bytes that are left.
    pub fn read_to_end(&mut self) -> &'a [u8] {
        let rest = self.peek();
        self.at = self.data.len();
        rest
    }

    /// Reads the next `count` bytes as a separate input.
    ///
    /// # Errors
    /// [`FaultKind::Truncated`].
    pub fn sub(&mut self, count: usize) -> Result<Input<'a>, Fault> {
        let base = self.position();
        self.take(count).map(|bytes| Input::at_base(bytes, base))
    }

    /// Checks a declared count against the bytes that are left. Use this for every capacity that a file declares.
    ///
    /// # Errors
    /// [`FaultKind::Count`] if fewer bytes are left than `declared` items of at least `min_item_size` bytes need.
    pub fn count(&self, declared: u64, min_item_size: usize, what: &'static str) -> Result<usize, Fault> {
        let available = self.remaining() as u64;
        let possible = available.checked_div(min_item_size as u64).unwrap_or(available);
        match usize::try_from(declared) {
            Ok(count) if declared <= possible => Ok(count),
            _ => Err(self.fault(FaultKind::Count { what, declared, possible, available })),
        }
    }

    /// Checks that no bytes are left.
    ///
    /// # Errors
    /// [`FaultKind::Trailing`].
    pub fn finish(&self) -> Result<(), Fault> {
        match self.remaining() {
            0 => Ok(()),
            count => Err(self.fault(FaultKind::Trailing { count: count as u64 })),
        }
    }

    /// Creates a fault at the position of the cursor.
    #[cold]
    pub fn fault(&self, kind: FaultKind) -> Fault {
        Fault { kind, at: self.position() }
    }

    #[cold]
    fn truncated(&self, needed: u64) -> Fault {
        self.fault(FaultKind::Truncated { needed, available: self.remaining() as u64 })
    }

    /// Reads a byte.
    ///
    /// # Errors
    /// [`FaultKind::Truncated`].
    #[inline]
    pub fn u8(&mut self) -> Result<u8, Fault> {
        self.array::<1>().map(|[byte]| byte)
    }

    /// Reads a signed byte.
    ///
    /// # Errors
    /// [`FaultKind::Truncated`].
    #[inline]
    pub fn i8(&mut self) -> Result<i8, Fault> {
        self.u8().map(u8::cast_signed)
    }

    numbers! {
        u16_le u16_be u16, read_u16;
        i16_le i16_be i16, read_i16;
        u32_le u32_be u32, read_u32;
        i32_le i32_be i32, read_i32;
        u64_le u64_be u64, read_u64;
        i64_le i64_be i64, read_i64;
        f32_le f32_be f32, read_f32;
        f64_le f64_be f64, read_f64;
    }

    lists! {
        u16s_le u16, read_u16_into;
        i16s_le i16, read_i16_into;
        u32s_le u32, read_u32_into;
        i32s_le i32, read_i32_into;
        u64s_le u64, read_u64_into;
        f32s_le f32, read_f32_into;
        f64s_le f64, read_f64_into;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_failed_read_does_not_move_the_cursor() {
        let mut input = Input::at_base(&[1, 2, 3], Position::file(100));
        assert_eq!(input.u16_be(), Ok(0x0102));
        let fault = input.u16_le().unwrap_err();
        assert_eq!(fault.at.offset, 102);
        assert_eq!(fault.kind, FaultKind::Truncated { needed: 2, available: 1 });
        assert_eq!(input.read_to_end(), [3]);
        assert_eq!(input.finish(), Ok(()));
    }

    #[test]
    fn a_count_is_bounded_by_the_remaining_bytes() {
        let input = Input::new(&[0; 10]);
        assert_eq!(input.count(5, 2, "items"), Ok(5));
        assert!(input.count(6, 2, "items").is_err());
        assert!(input.count(u64::MAX, 1, "items").is_err());
        assert_eq!(input.count(10, 0, "items"), Ok(10), "items without a size are bounded like bytes");
    }

    #[test]
    fn lists_equal_single_numbers() {
        let bytes: Vec<u8> = (0..32).collect();
        let (mut list, mut each) = (Input::new(&bytes), Input::new(&bytes));
        assert_eq!(list.u32s_le(7), (0..7).map(|_| each.u32_le()).collect());
        assert_eq!(list.i16s_le(2), (0..2).map(|_| each.i16_le()).collect());
        assert_eq!(list.remaining(), 0);
        assert!(list.f64s_le(usize::MAX).is_err() && list.f64s_le(0) == Ok(vec![]));
    }

    #[test]
    fn floats_keep_their_bits() {
        let nan = 0x7ff4_0000_0000_0001_u64;
        assert_eq!(Input::new(&nan.to_be_bytes()).f64_be().map(f64::to_bits), Ok(nan));
    }
}
