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

impl<D: Into<AnyDocument>> From<mapwright_io::Rescued<D>> for Rescued {
    fn from(rescued: mapwright_io::Rescued<D>) -> Self {
        Self { document: rescued.document.into(), lost: rescued.losses }
    }
}

impl Format {
    /// Returns `true` if [`rescue`] can read damaged files of this format.
    pub fn is_rescuable(self) -> bool {
        self.entry().is_some_and(|entry| entry.rescue.is_some())
    }
}

/// Reads as much of a damaged file as possible. A file without damage is read as usual.
///
/// # Errors
/// [`Error::Unsupported`] for formats that cannot be rescued; the error of reading if nothing is readable.
pub fn rescue(bytes: &[u8], format: Format, options: &ReadOptions) -> Result<Rescued, Error> {
    match format.require()?.rescue {
        Some(rescue) => rescue(bytes, options),
        None => Err(Error::Unsupported { format, what: "rescued; supported: wings, vmap, dmx, wwd" }),
    }
}
