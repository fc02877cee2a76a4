//! Options for reading, and the functions that take them.

use mapwright_io::Limits;

mapwright_io::options! {
    /// Options for reading.
    #[derive(Debug, Clone, PartialEq, Eq)]
    pub struct ReadOptions {
        /// Limits of input and items. Vertices, triangles, heights and face corners count as items.
        pub limits: Limits = Limits::default(), with_limits;
    }
}

/// The largest number of groups, skins, bones or frames of a file.
const MAX_PARTS: u64 = 10_000;

/// Checks a number of parts against [`MAX_PARTS`]. Each may take only a few bytes in the file, so the size of the file is no limit.
pub(crate) fn check_parts(what: &'static str, count: u32) -> Result<usize, mapwright_io::FaultKind> {
    let asked = u64::from(count);
    match usize::try_from(count) {
        Ok(parts) if asked <= MAX_PARTS => Ok(parts),
        _ => Err(mapwright_io::FaultKind::Limit { what, asked, limit: MAX_PARTS }),
    }
}

/// Defines `from_bytes`, `from_reader` and `from_reader_with` for a type with `from_bytes_with`.
macro_rules! read_functions {
    ($type:ident, $file:literal) => {
        impl $type {
            #[doc = concat!("Reads ", $file, ".")]
            ///
            /// # Errors
            #[doc = concat!("If the bytes are not ", $file, ", or if reading would exceed the default limits.")]
            pub fn from_bytes(bytes: &[u8]) -> Result<Self, $crate::ReadError> {
                Self::from_bytes_with(bytes, &$crate::ReadOptions::default())
            }

            #[doc = concat!("Reads ", $file, " from a reader, up to its end.")]
            ///
            /// # Errors
            /// If the reader fails, and as [`from_bytes`](Self::from_bytes).
            pub fn from_reader(reader: impl std::io::Read) -> Result<Self, $crate::ReadError> {
                Self::from_reader_with(reader, &$crate::ReadOptions::default())
            }

            #[doc = concat!("Reads ", $file, " from a reader with the given options.")]
            ///
            /// # Errors
            /// If the reader fails or returns more bytes than the limit, and as [`from_bytes_with`](Self::from_bytes_with).
            pub fn from_reader_with(
                reader: impl std::io::Read,
                options: &$crate::ReadOptions,
            ) -> Result<Self, $crate::ReadError> {
                Self::from_bytes_with(&mapwright_io::read_all(reader, options.limits.max_input)?, options)
            }
        }
    };
}
pub(crate) use read_functions;
