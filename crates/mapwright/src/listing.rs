//! What a file is at a glance, for lists of many.

use std::fs::File;
use std::io::Read;
use std::path::Path;

use serde::Serialize;

use crate::{Error, Format, Input, ReadOptions, detect};

/// How much of a file is looked at first. Of known levels no more is needed.
const START: u64 = 1 << 14;

/// A file at a glance: of formats that begin with what matters only that is read.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct Listing {
    /// The format.
    pub format: Format,
    /// Bytes of the file.
    pub bytes: u64,
    /// The name that the file gives itself; of a terrain its variant, of a Gamestudio map its dialect. This and what follows:
    /// `None` for formats that are not looked into, and what a format has not.
    pub name: Option<String>,
    /// Who made it; of a Gamestudio map the program.
    pub author: Option<String>,
    /// When it was saved, as its program writes that.
    pub date: Option<String>,
    /// Columns and rows of the main plane, or of a terrain's heights.
    pub size: Option<[u32; 2]>,
    /// Planes.
    pub planes: Option<usize>,
    /// Objects; of a Gamestudio map blocks and entities.
    pub objects: Option<u64>,
}

impl Listing {
    /// Looks at a file. Its format is found unless it is given.
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
        match Self::of(&start, bytes, found, options) {
            // What matters stands further behind.
            Err(_) if bytes > start.len() as u64 => {
                let whole = Input::open(path, Some(found), options)?.bytes;
                Self::of(&whole, bytes, found, options)
            }
            result => result,
        }
    }

    /// Looks at the start of a file of a format and of so many bytes.
    ///
    /// # Errors
    /// Those of the format as far as it is read, also where the start is too short.
    pub fn of(start: &[u8], bytes: u64, format: Format, options: &ReadOptions) -> Result<Self, Error> {
        let bare =
            Self { format, bytes, name: None, author: None, date: None, size: None, planes: None, objects: None };
        match format {
            #[cfg(feature = "wwd")]
            Format::Wwd => {
                let level = mapwright_wwd::Overview::from_bytes_with(start, &options.wwd())?;
                let text = |bytes: &[u8]| Some(mapwright_wwd::escape_bytes(bytes));
                Ok(Self {
                    name: text(level.header.name.text()),
                    author: text(level.header.author.text()),
                    date: text(level.header.birth.text()),
                    size: level.main_plane().map(|plane| plane.size().into()),
                    planes: Some(level.planes.len()),
                    objects: Some(level.num_objects()),
                    ..bare
                })
            }
            #[cfg(feature = "wmp")]
            Format::Wmp => {
                let map = mapwright_wmp::Document::from_bytes_with(start, &options.wmp())?;
                Ok(Self {
                    name: Some(map.dialect.name().to_owned()),
                    author: Some(map.header.generator.to_string()),
                    date: Some(map.header.created.to_string()),
                    objects: Some((map.blocks.len() + map.entities.len()) as u64),
                    ..bare
                })
            }
            #[cfg(feature = "wrp")]
            Format::Wrp => {
                let terrain = mapwright_wrp::Document::from_bytes_with(start, &options.wrp())?;
                let objects = Some(terrain.objects().len() as u64);
                // A list may end anywhere: only all of the file says how many there are.
                let whole = start.len() as u64 == bytes;
                let objects = objects.filter(|_| whole).ok_or(Error::UnknownFormat)?;
                Ok(Self {
                    name: Some(terrain.variant()),
                    size: Some(terrain.ground().size),
                    objects: Some(objects),
                    ..bare
                })
            }
            _ => {
                let _ = (start, options);
                Ok(bare)
            }
        }
    }
}
