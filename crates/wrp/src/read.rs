//! Reads bytes into documents.

mod oprw;
mod wvr;
mod wvr8;

use hashbrown::HashMap;
use mapwright_io::{Budget, Confidence, Input, Position};

pub(crate) use oprw::{LONGEST_NAME, is_legacy_object};
pub(crate) use wvr::{find_ambiguity, is_model, is_part_end};
pub(crate) use wvr8::is_object;

use crate::document::Name;
use crate::{Document, ReadError, ReadErrorKind, ReadOptions, Version, lzss, sniff};

mapwright_io::read_functions!("a terrain");

impl Document {
    /// Reads a terrain with the given options.
    ///
    /// # Errors
    /// Fails if the bytes are not a terrain, or if a limit is exceeded.
    pub fn from_bytes_with(bytes: &[u8], options: &ReadOptions) -> Result<Self, ReadError> {
        if mapwright_io::is_git_lfs_pointer(bytes) {
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
            b"9VBW" => Err(error(ReadErrorKind::Undocumented("9VBW, a terrain of Virtual Battlespace"))),
            b"0WZD" => Err(error(ReadErrorKind::Undocumented("0WZD, a terrain of the DayZ tools"))),
            _ => Err(error(match lzss::packed_file_magic(bytes) {
                Some(magic) if sniff(&magic) == Confidence::Certain => ReadErrorKind::PackedFile(magic),
                _ => ReadErrorKind::Magic(magic),
            })),
        }
    }
}

/// Returns the number of cells of a grid. Checks that values of `size` bytes fit the remaining input.
fn count_cells(
    input: &Input<'_>,
    [columns, rows]: [u32; 2],
    size: usize,
    what: &'static str,
) -> Result<usize, ReadError> {
    Ok(input.count(u64::from(columns).saturating_mul(rows.into()), size, what)?)
}

/// Table of distinct model names.
struct NameTable<'a> {
    /// Index in the list for each name field of the file.
    indices: HashMap<&'a [u8], u32>,
    /// The last field and its index. Neighbours often have the same name.
    last: (&'a [u8], u32),
}

impl<'a> NameTable<'a> {
    fn new() -> Self {
        Self { indices: HashMap::new(), last: (&[], u32::MAX) }
    }

    /// Returns the index of a name in the list. Adds it with `make` if it is new.
    #[inline]
    fn index_of(&mut self, bytes: &'a [u8], list: &mut Vec<Name>, make: impl Fn(&[u8]) -> Name) -> u32 {
        let (last, index) = self.last;
        if last == bytes && index != u32::MAX {
            return index;
        }
        let index = *self.indices.entry(bytes).or_insert_with(|| {
            list.push(make(bytes));
            // A name takes more than one byte of the file, so there are fewer than 2^32.
            u32::try_from(list.len().saturating_sub(1)).unwrap_or(u32::MAX)
        });
        self.last = (bytes, index);
        index
    }
}
