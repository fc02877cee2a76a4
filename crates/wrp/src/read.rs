//! Bytes to document.

mod oprw;
mod wvr;
mod wvr8;

use std::io::Read;

use hashbrown::HashMap;
use mapwright_io::{Budget, Confidence, Input, Position, read_all};

pub(crate) use oprw::{LONGEST_NAME, is_elder_object};
pub(crate) use wvr::{ambiguous, is_end, is_model};
pub(crate) use wvr8::is_object;

use crate::document::Name;
use crate::{Document, ReadError, ReadErrorKind, ReadOptions, Version, lzss, sniff};

impl Document {
    /// Reads a terrain.
    ///
    /// # Errors
    /// If the bytes are not a terrain, or if reading would exceed the default limits.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, ReadError> {
        Self::from_bytes_with(bytes, &ReadOptions::default())
    }

    /// Reads a terrain as told.
    ///
    /// # Errors
    /// If the bytes are not a terrain, or if reading would exceed the limits.
    pub fn from_bytes_with(bytes: &[u8], options: &ReadOptions) -> Result<Self, ReadError> {
        if bytes.starts_with(b"version https://git-lfs") {
            return Err(ReadError::new(ReadErrorKind::LfsPointer, Position::file(0)));
        }
        let mut input = Input::new(bytes);
        let mut budget = Budget::new(&options.limits);
        let magic = input.array()?;
        let error = |kind| ReadError::new(kind, Position::file(0));
        match &magic {
            b"1WVR" => wvr::read(&mut input, Version::Wvr1, options, &mut budget).map(Self::Wvr),
            b"2WVR" => wvr::read(&mut input, Version::Wvr2, options, &mut budget).map(Self::Wvr),
            b"3WVR" => wvr::read(&mut input, Version::Wvr3, options, &mut budget).map(Self::Wvr),
            b"4WVR" => wvr::read(&mut input, Version::Wvr4, options, &mut budget).map(Self::Wvr),
            b"8WVR" => wvr8::read(&mut input, &mut budget).map(Self::Wvr8),
            b"OPRW" => oprw::read(&mut input, &mut budget).map(Self::Oprw),
            b"9VBW" => Err(error(ReadErrorKind::Sibling("9VBW, a terrain of Virtual Battlespace"))),
            b"0WZD" => Err(error(ReadErrorKind::Sibling("0WZD, a terrain of the DayZ tools"))),
            _ => Err(error(match lzss::wrapped_magic(bytes) {
                Some(magic) if sniff(&magic) == Confidence::Certain => ReadErrorKind::Wrapped(magic),
                _ => ReadErrorKind::Magic(magic),
            })),
        }
    }

    /// Reads a terrain to its end.
    ///
    /// # Errors
    /// If the reader fails, and as [`from_bytes`](Self::from_bytes).
    pub fn from_reader(reader: impl Read) -> Result<Self, ReadError> {
        Self::from_reader_with(reader, &ReadOptions::default())
    }

    /// Reads a terrain to its end as told.
    ///
    /// # Errors
    /// If the reader fails or gives more than is taken, and as [`from_bytes_with`](Self::from_bytes_with).
    pub fn from_reader_with(reader: impl Read, options: &ReadOptions) -> Result<Self, ReadError> {
        Self::from_bytes_with(&read_all(reader, options.limits.max_input)?, options)
    }
}

/// The number of cells of a grid whose values of `size` bytes must be in what is left.
fn cells(input: &Input<'_>, [columns, rows]: [u32; 2], size: usize, what: &'static str) -> Result<usize, ReadError> {
    Ok(input.count(u64::from(columns).saturating_mul(rows.into()), size, what)?)
}

/// The names of objects, each kept once.
struct Names<'a> {
    /// Each field or name as it stands in the file, and its place in the list.
    places: HashMap<&'a [u8], u32>,
    /// The last one: neighbours are often alike.
    last: (&'a [u8], u32),
}

impl<'a> Names<'a> {
    fn new() -> Self {
        Self { places: HashMap::new(), last: (&[], u32::MAX) }
    }

    /// The place of a name in the list; `make` makes it if it is new.
    #[inline]
    fn place(&mut self, bytes: &'a [u8], list: &mut Vec<Name>, make: impl Fn(&[u8]) -> Name) -> u32 {
        let (last, place) = self.last;
        if last == bytes && place != u32::MAX {
            return place;
        }
        let place = *self.places.entry(bytes).or_insert_with(|| {
            list.push(make(bytes));
            // A name takes more than one byte of the file: fewer than 2^32 of 4 GiB.
            u32::try_from(list.len().saturating_sub(1)).unwrap_or(u32::MAX)
        });
        self.last = (bytes, place);
        place
    }
}
