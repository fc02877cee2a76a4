//! Names longer than a 16-bit length, for strategies of formats.

use std::fmt::Debug;

use proptest::prelude::*;

/// Length of a long name in bytes: more than a 16-bit length.
pub const LONG_NAME: usize = 70_000;

/// One name in this many is long.
const RARITY: u32 = 100;

/// Replaces few names of a strategy by a [`long_name`].
pub fn with_long_names<T>(names: impl Strategy<Value = T> + 'static) -> BoxedStrategy<T>
where
    T: for<'a> From<&'a str> + Debug + 'static,
{
    prop_oneof![RARITY - 1 => names, 1 => (0..5_u8).prop_map(|first| T::from(&*long_name(first)))].boxed()
}

/// Returns a name of [`LONG_NAME`] lowercase letters. If `first` differs modulo 26, names differ in every letter, so truncated names
/// differ, too.
pub fn long_name(first: u8) -> String {
    let letters = (b'a'..=b'z').cycle().skip(usize::from(first) % 26);
    letters.map(char::from).take(LONG_NAME).collect()
}
