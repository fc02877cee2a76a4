//! Recovery of damaged files.

use mapwright_scene::Losses;

use crate::{AnyDocument, Error, Format, ReadOptions};

/// The readable part of a damaged file.
#[derive(Debug)]
#[non_exhaustive]
pub struct Rescued {
    /// The document, which the program of the format can read.
    pub document: AnyDocument,
    /// The damaged and missing parts. Empty for a file without damage.
    pub lost: Losses,
}

impl Rescued {
    #[cfg(feature = "wings")]
    pub(crate) fn new(document: AnyDocument, lost: Losses) -> Self {
        Self { document, lost }
    }
}

/// Reads as much of a damaged file as possible. A file without damage is read as usual.
///
/// # Errors
/// [`Error::Unsupported`] for formats that cannot be rescued; the error of reading if nothing is readable.
pub fn rescue(bytes: &[u8], format: Format, options: &ReadOptions) -> Result<Rescued, Error> {
    match format.require()?.rescue {
        Some(rescue) => rescue(bytes, options),
        None => Err(Error::Unsupported { format, what: "rescued; supported: wings" }),
    }
}
