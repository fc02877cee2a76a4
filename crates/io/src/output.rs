//! The byte sink.

use std::fmt;

use bytemuck::must_cast_slice;
use byteorder::{BigEndian, ByteOrder, LittleEndian};

/// A growing buffer with the same methods as [`Input`](crate::Input).
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Output {
    data: Vec<u8>,
}

/// Room for a number that is written later. Returned by [`Output::reserve_u32`].
#[derive(Debug)]
#[must_use = "a reserved number is zero until it is patched"]
pub struct Patch {
    at: usize,
}

macro_rules! numbers {
    ($($le:ident $be:ident $type:ty, $write:ident;)*) => { $(
        #[doc = concat!("Writes a little-endian `", stringify!($type), "`.")]
        #[inline]
        pub fn $le(&mut self, value: $type) {
            let mut bytes = [0; size_of::<$type>()];
            LittleEndian::$write(&mut bytes, value);
            self.bytes(&bytes);
        }

        #[doc = concat!("Writes a big-endian `", stringify!($type), "`.")]
        #[inline]
        pub fn $be(&mut self, value: $type) {
            let mut bytes = [0; size_of::<$type>()];
            BigEndian::$write(&mut bytes, value);
            self.bytes(&bytes);
        }
    )* };
}

macro_rules! lists {
    ($($list:ident $type:ty, $number:ident;)*) => { $(
        #[doc = concat!("Writes little-endian `", stringify!($type), "`s.")]
        pub fn $list(&mut self, values: &[$type]) {
            if cfg!(target_endian = "little") {
                self.bytes(must_cast_slice(values));
            } else {
                values.iter().for_each(|value| self.$number(*value));
            }
        }
    )* };
}

impl Output {
    /// Creates an empty buffer.
    pub fn new() -> Self {
        Self::default()
    }

    /// Creates an empty buffer with room for `capacity` bytes.
    pub fn with_capacity(capacity: usize) -> Self {
        Self { data: Vec::with_capacity(capacity) }
    }

    /// Returns the number of bytes that were written so far.
    pub fn len(&self) -> usize {
        self.data.len()
    }

    /// Returns `true` if no bytes were written yet.
    pub fn is_empty(&self) -> bool {
        self.data.is_empty()
    }

    /// Returns the bytes that were written so far.
    pub fn as_bytes(&self) -> &[u8] {
        &self.data
    }

    /// Returns the buffer.
    pub fn into_bytes(self) -> Vec<u8> {
        self.data
    }

    /// Writes bytes as they are.
    #[inline]
    pub fn bytes(&mut self, bytes: &[u8]) {
        self.data.extend_from_slice(bytes);
    }

    /// Writes the first `count` bytes of an array, at most all of them. For short arrays this is faster than [`bytes`](Self::bytes),
    /// because a copy of constant size needs no call.
    #[inline]
    pub fn first_bytes<const N: usize>(&mut self, array: &[u8; N], count: usize) {
        let end = self.data.len().saturating_add(count);
        self.data.extend_from_slice(array);
        self.data.truncate(end);
    }

    /// Writes a byte.
    #[inline]
    pub fn u8(&mut self, value: u8) {
        self.data.push(value);
    }

    /// Writes a signed byte.
    #[inline]
    pub fn i8(&mut self, value: i8) {
        self.data.push(value.cast_unsigned());
    }

    numbers! {
        u16_le u16_be u16, write_u16;
        i16_le i16_be i16, write_i16;
        u32_le u32_be u32, write_u32;
        i32_le i32_be i32, write_i32;
        u64_le u64_be u64, write_u64;
        i64_le i64_be i64, write_i64;
        f32_le f32_be f32, write_f32;
        f64_le f64_be f64, write_f64;
    }

    lists! {
        u16s_le u16, u16_le;
        i16s_le i16, i16_le;
        u32s_le u32, u32_le;
        i32s_le i32, i32_le;
        u64s_le u64, u64_le;
        f32s_le f32, f32_le;
        f64s_le f64, f64_le;
    }

    /// Reserves room for a `u32` that is written later with a patch.
    pub fn reserve_u32(&mut self) -> Patch {
        let at = self.data.len();
        self.u32_le(0);
        Patch { at }
    }

    /// Writes a little-endian `u32` into its reserved room.
    pub fn patch_u32_le(&mut self, patch: Patch, value: u32) {
        self.patch(patch, value.to_le_bytes());
    }

    /// Writes a big-endian `u32` into its reserved room.
    pub fn patch_u32_be(&mut self, patch: Patch, value: u32) {
        self.patch(patch, value.to_be_bytes());
    }

    // Only `reserve_u32` creates a patch, so its room exists.
    #[expect(clippy::needless_pass_by_value, reason = "a patch is used only once")]
    fn patch(&mut self, patch: Patch, bytes: [u8; 4]) {
        if let Some(room) = self.data.get_mut(patch.at..).and_then(<[u8]>::first_chunk_mut) {
            *room = bytes;
        }
    }
}

impl fmt::Write for Output {
    /// Never fails.
    fn write_str(&mut self, text: &str) -> fmt::Result {
        self.bytes(text.as_bytes());
        Ok(())
    }
}

impl From<Output> for Vec<u8> {
    fn from(output: Output) -> Self {
        output.data
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn first_bytes_writes_at_most_the_whole_array() {
        let mut output = Output::new();
        output.first_bytes(b"abcd", 2);
        output.first_bytes(b"ef", 3);
        assert_eq!(output.as_bytes(), b"abef");
    }

    #[test]
    fn lists_equal_single_numbers() {
        let values: Vec<i32> = (0..37).map(|value| value * 1_000_003).collect();
        let (mut many, mut each) = (Output::new(), Output::new());
        many.i32s_le(&values);
        values.iter().for_each(|value| each.i32_le(*value));
        assert_eq!(many, each);
    }
}
