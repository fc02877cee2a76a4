//! The byte sink.

use std::fmt;

/// A growing buffer with the same vocabulary as [`Input`](crate::Input).
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Output {
    data: Vec<u8>,
}

/// The place of a number that is written later, given by [`Output::reserve_u32`].
#[derive(Debug)]
#[must_use = "a reserved number is zero until it is patched"]
pub struct Patch {
    at: usize,
}

macro_rules! numbers {
    ($($le:ident $be:ident $type:ty;)*) => { $(
        #[doc = concat!("Writes a little-endian `", stringify!($type), "`.")]
        #[inline]
        pub fn $le(&mut self, value: $type) {
            self.data.extend_from_slice(&value.to_le_bytes());
        }

        #[doc = concat!("Writes a big-endian `", stringify!($type), "`.")]
        #[inline]
        pub fn $be(&mut self, value: $type) {
            self.data.extend_from_slice(&value.to_be_bytes());
        }
    )* };
}

impl Output {
    /// An empty buffer.
    pub fn new() -> Self {
        Self::default()
    }

    /// An empty buffer with room for `capacity` bytes.
    pub fn with_capacity(capacity: usize) -> Self {
        Self { data: Vec::with_capacity(capacity) }
    }

    /// Bytes written so far.
    pub fn len(&self) -> usize {
        self.data.len()
    }

    /// Returns `true` if nothing was written yet.
    pub fn is_empty(&self) -> bool {
        self.data.is_empty()
    }

    /// Returns the bytes that were written so far.
    pub fn as_bytes(&self) -> &[u8] {
        &self.data
    }

    /// The buffer.
    pub fn into_bytes(self) -> Vec<u8> {
        self.data
    }

    /// Writes bytes as they are.
    #[inline]
    pub fn bytes(&mut self, bytes: &[u8]) {
        self.data.extend_from_slice(bytes);
    }

    /// Writes the first bytes of an array, at most all of them. Where there are few this is faster than [`bytes`](Self::bytes): a
    /// copy whose size is known beforehand needs no call.
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
        u16_le u16_be u16;
        i16_le i16_be i16;
        u32_le u32_be u32;
        i32_le i32_be i32;
        u64_le u64_be u64;
        i64_le i64_be i64;
        f32_le f32_be f32;
        f64_le f64_be f64;
    }

    /// Writes little-endian `i16`s.
    pub fn i16s_le(&mut self, values: &[i16]) {
        self.items(values, i16::to_le_bytes);
    }

    /// Writes little-endian `u16`s.
    pub fn u16s_le(&mut self, values: &[u16]) {
        self.items(values, u16::to_le_bytes);
    }

    /// Writes little-endian `i32`s.
    pub fn i32s_le(&mut self, values: &[i32]) {
        self.items(values, i32::to_le_bytes);
    }

    /// Writes little-endian `f32`s.
    pub fn f32s_le(&mut self, values: &[f32]) {
        self.items(values, f32::to_le_bytes);
    }

    fn items<T: Copy, const N: usize>(&mut self, values: &[T], bytes: impl Fn(T) -> [u8; N]) {
        self.data.reserve(values.len().saturating_mul(N));
        // Many at once: this is a plain copy once compiled.
        let (batches, rest) = values.as_chunks::<16>();
        for batch in batches {
            self.data.extend_from_slice(batch.map(&bytes).as_flattened());
        }
        for value in rest {
            self.data.extend_from_slice(&bytes(*value));
        }
    }

    /// Leaves room for a `u32` that is known later.
    pub fn reserve_u32(&mut self) -> Patch {
        let at = self.data.len();
        self.u32_le(0);
        Patch { at }
    }

    /// Writes a little-endian `u32` into its reserved place.
    pub fn patch_u32_le(&mut self, patch: Patch, value: u32) {
        self.patch(patch, value.to_le_bytes());
    }

    /// Writes a big-endian `u32` into its reserved place.
    pub fn patch_u32_be(&mut self, patch: Patch, value: u32) {
        self.patch(patch, value.to_be_bytes());
    }

    // A patch is made by `reserve_u32` alone and moves out when used: its place exists.
    #[expect(clippy::needless_pass_by_value, reason = "a patch is used up")]
    fn patch(&mut self, patch: Patch, bytes: [u8; 4]) {
        if let Some(place) = self.data.get_mut(patch.at..).and_then(<[u8]>::first_chunk_mut) {
            *place = bytes;
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
    fn no_more_of_an_array_is_written_than_asked_for_or_there() {
        let mut output = Output::new();
        output.first_bytes(b"abcd", 2);
        output.first_bytes(b"ef", 3);
        assert_eq!(output.as_bytes(), b"abef");
    }

    #[test]
    fn many_numbers_are_written_as_each_of_them() {
        let values: Vec<i32> = (0..37).map(|value| value * 1_000_003).collect();
        let (mut many, mut each) = (Output::new(), Output::new());
        many.i32s_le(&values);
        values.iter().for_each(|value| each.i32_le(*value));
        assert_eq!(many, each);
    }
}
