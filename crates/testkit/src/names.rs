//! Names that are longer than a length of 16 bits counts, for the strategies of formats.

use std::fmt::Debug;

use proptest::prelude::*;

/// Bytes of a long name: more than a length of 16 bits counts.
pub const LONG_NAME: usize = 70_000;

/// One name of this number is long.
const RARITY: u32 = 100;

/// Gives names of a strategy, and rarely a [`long_name`] instead.
pub fn with_long_names<T>(names: impl Strategy<Value = T> + 'static) -> BoxedStrategy<T>
where
    T: for<'a> From<&'a str> + Debug + 'static,
{
    prop_oneof![RARITY - 1 => names, 1 => (0..5_u8).prop_map(|first| T::from(&*long_name(first)))].boxed()
}

/// A name of [`LONG_NAME`] small letters. Names with another `first` differ from the first letter on; a name that is cut differs, too.
pub fn long_name(first: u8) -> String {
    let letters = (b'a'..=b'z').cycle().skip(usize::from(first) % 26);
    letters.map(char::from).take(LONG_NAME).collect()
}
