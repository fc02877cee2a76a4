//! Compression of the OPRW grids that are not trees.

use mapwright_io::Input;

use crate::{OprwVersion, ReadError, lzo, lzss};

/// Smaller blocks are not compressed.
const SMALLEST: usize = 1024;

/// Compression method of a block.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Method {
    Raw,
    Lzss,
    Lzo,
}

impl Method {
    /// Returns the method for a block of `size` bytes.
    pub(crate) fn for_block(version: OprwVersion, size: usize) -> Self {
        match () {
            () if size < SMALLEST => Self::Raw,
            () if version.has_lzo() => Self::Lzo,
            () => Self::Lzss,
        }
    }

    pub(crate) fn unpack(self, input: &mut Input<'_>, size: usize) -> Result<Vec<u8>, ReadError> {
        match self {
            Self::Raw => Ok(input.take(size)?.to_vec()),
            Self::Lzss => lzss::unpack(input, size),
            Self::Lzo => lzo::unpack(input, size),
        }
    }

    pub(crate) fn pack(self, bytes: Vec<u8>) -> Vec<u8> {
        match self {
            Self::Raw => bytes,
            Self::Lzss => lzss::pack(&bytes),
            Self::Lzo => lzo::pack(&bytes),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Source: "OPRW 2 and 3" and "OPRW 10 and later", packed blocks.
    #[test]
    fn blocks_are_packed_by_the_published_method() {
        for (version, size, method) in [
            (2, 1023, Method::Raw),
            (2, 1024, Method::Lzss),
            (22, 1023, Method::Raw),
            (22, 1024, Method::Lzss),
            (23, 1023, Method::Raw),
            (23, 1024, Method::Lzo),
        ] {
            assert_eq!(Method::for_block(OprwVersion(version), size), method, "OPRW {version}, {size} bytes");
        }
    }
}
