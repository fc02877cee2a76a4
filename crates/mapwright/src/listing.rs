//! One line about a file, for lists of many.

use std::fs::File;
use std::io::Read;
use std::path::Path;

use serde::Serialize;

use crate::{Error, Format, Input, ReadOptions, detect};

/// The number of bytes that are read first. Known levels need no more.
const START: u64 = 1 << 14;

/// A short summary of a file. If a format begins with what the summary needs, only that is read.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct Listing {
    /// The format.
    pub format: Format,
    /// Size of the file in bytes.
    pub bytes: u64,
    /// The variant of a terrain, or the dialect of a Gamestudio map. This and the following fields are `None` if the format has no such
    /// field, or if its files are not read for a listing.
    pub variant: Option<String>,
    /// The name that the file states.
    pub name: Option<String>,
    /// The author.
    pub author: Option<String>,
    /// The date of saving, in the format of the program.
    pub date: Option<String>,
    /// Columns and rows of the main plane, or of the heights of a terrain.
    pub size: Option<[u32; 2]>,
    /// Number of planes.
    pub planes: Option<usize>,
    /// Number of objects; blocks and entities of a Gamestudio map.
    pub objects: Option<u64>,
}

impl Listing {
    /// Summarizes a file. Without a format, it is detected.
    ///
    /// # Errors
    /// As [`Input::open`], and those of the format as far as it is read.
    pub fn open(path: &Path, format: Option<Format>, options: &ReadOptions) -> Result<Self, Error> {
        if path.is_dir() {
            return Err(std::io::Error::from(std::io::ErrorKind::IsADirectory).into());
        }
        let mut file = File::open(path)?;
        let mut start = Vec::new();
        file.by_ref().take(START).read_to_end(&mut start)?;
        let found = format.or_else(|| detect(&start, Some(path)).format).ok_or(Error::UnknownFormat)?;
        let bytes = match file.metadata() {
            Ok(metadata) if metadata.is_file() => metadata.len(),
            _ => start.len() as u64,
        };
        match Self::from_start(&start, bytes, found, options) {
            // The format needs more than the start.
            Err(_) if bytes > start.len() as u64 => {
                let whole = Input::open(path, Some(found), options)?.bytes;
                Self::from_start(&whole, bytes, found, options)
            }
            result => result,
        }
    }

    /// Summarizes a file of `bytes` bytes by its first bytes.
    ///
    /// # Errors
    /// Errors of the format, including one if `start` is too short.
    pub fn from_start(start: &[u8], bytes: u64, format: Format, options: &ReadOptions) -> Result<Self, Error> {
        let mut listing = Self {
            format,
            bytes,
            variant: None,
            name: None,
            author: None,
            date: None,
            size: None,
            planes: None,
            objects: None,
        };
        if let Some(list) = format.require()?.list {
            list(&mut listing, start, options)?;
        }
        Ok(listing)
    }
}
