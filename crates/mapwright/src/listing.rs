//! One line about a file, for lists of many.

#[cfg(feature = "fs")]
use std::fs::File;
#[cfg(feature = "fs")]
use std::io::Read;
#[cfg(feature = "fs")]
use std::path::Path;

use serde::Serialize;

use crate::{Error, Format, ReadOptions};
#[cfg(feature = "fs")]
use crate::{Input, detect};

/// The number of bytes that are read first. Known levels need no more.
#[cfg(feature = "fs")]
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
    /// The columns of a table of listings, with their meaning for people. [`cells`](Self::cells) returns a row.
    pub const COLUMNS: [(&str, &str); 9] = [
        ("format", "name of the format"),
        ("variant", "variant of a terrain, dialect of a Gamestudio map"),
        ("bytes", "size of the file"),
        ("name", "name of a level (wwd)"),
        ("author", "author of a level (wwd)"),
        ("date", "date when a level (wwd) or Gamestudio map was saved"),
        ("size", "columns and rows of the main plane or of the heights"),
        ("planes", "number of planes of a level (wwd)"),
        ("objects", "number of objects; blocks and entities of a Gamestudio map"),
    ];

    /// Returns `true` for a column of numbers.
    pub fn is_number(column: &str) -> bool {
        matches!(column, "bytes" | "planes" | "objects")
    }

    /// Returns the texts of the [columns](Self::COLUMNS). A field without a value is empty.
    pub fn cells(&self) -> [String; 9] {
        fn text(value: Option<impl ToString>) -> String {
            value.map(|value| value.to_string()).unwrap_or_default()
        }
        [
            self.format.to_string(),
            text(self.variant.as_ref()),
            self.bytes.to_string(),
            text(self.name.as_ref()),
            text(self.author.as_ref()),
            text(self.date.as_ref()),
            text(self.size.map(|[columns, rows]| format!("{columns}x{rows}"))),
            text(self.planes),
            text(self.objects),
        ]
    }

    /// Summarizes a file. Without a format, it is detected.
    ///
    /// # Errors
    /// As [`Input::open`], and those of the format as far as it is read.
    #[cfg(feature = "fs")]
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cells_are_those_of_the_columns() {
        let listing = Listing::from_start(&[131, 106], 2, Format::Etf, &ReadOptions::default()).unwrap();
        let listing = Listing { name: Some("Level".to_owned()), size: Some([3, 4]), planes: Some(5), ..listing };
        let names = Listing::COLUMNS.map(|(name, _)| name);
        let cells: Vec<(&str, String)> = names.into_iter().zip(listing.cells()).collect();
        let json = serde_json::to_value(&listing).unwrap();
        for (name, cell) in cells {
            let expected = match &json[name] {
                serde_json::Value::Null => String::new(),
                serde_json::Value::String(text) => text.clone(),
                serde_json::Value::Array(size) => format!("{}x{}", size[0], size[1]),
                number => number.to_string(),
            };
            assert_eq!((name, cell), (name, expected));
        }
    }
}
