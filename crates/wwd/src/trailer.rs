//! WapMap's notes after the stored block.

use mapwright_io::{Input, Output, open_code};

use crate::Document;

/// The tag at the start of WapMap's notes.
pub(crate) const BEGIN: &[u8] = b"<wm_meta>";
/// The end of WapMap's notes.
pub(crate) const END: &[u8] = b"</wm_meta>";

/// Returns the index of the notes at the end of an uncompressed main block, or its length if there are none. The notes contain their
/// own length before the end.
pub(crate) fn trailer_start(bytes: &[u8]) -> usize {
    let start = || {
        let before = bytes.strip_suffix(END)?;
        let size = usize::try_from(Input::new(before.last_chunk::<4>()?).u32_le().ok()?).ok()?;
        let start = bytes.len().checked_sub(size)?;
        bytes.get(start..)?.starts_with(BEGIN).then_some(start)
    };
    start().unwrap_or(bytes.len())
}

/// WapMap's notes about a level. They follow the stored block, where the games do not read.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Notes {
    /// The notes in order, without the two that contain the total size.
    pub items: Vec<Note>,
}

/// One of WapMap's notes.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum Note {
    /// The version of WapMap, and a description of the level.
    About(About),
    /// Guide lines.
    Guides(Vec<Guide>),
    /// Bookmarked positions.
    Favourites(Vec<Favourite>),
    /// A note of an unknown kind, or one with missing or additional bytes.
    Other {
        /// The kind.
        id: u8,
        /// The bytes.
        bytes: Vec<u8>,
    },
}

/// The version of WapMap, and a description of the level.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct About {
    /// Build number of WapMap.
    pub wapmap_build: i32,
    /// Version of WapMap, such as `MAINDEV`.
    pub wapmap_version: Vec<u8>,
    /// Build number of the level.
    pub map_build: i32,
    /// Version of the level, such as `1.0`.
    pub map_version: Vec<u8>,
    /// Description of the level.
    pub description: Vec<u8>,
}

open_code! {
    /// Direction of a guide line.
    #[derive(Default)]
    pub struct GuideDirection(u8) {
        /// The line is vertical.
        VERTICAL = 0,
        /// The line is horizontal.
        HORIZONTAL = 1,
    }
}

/// A guide line.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct Guide {
    /// Direction of the line.
    pub direction: GuideDirection,
    /// Position in pixels from the left of a vertical line, from the top of a horizontal one.
    pub position: i32,
}

/// A bookmarked position.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Favourite {
    /// The name. WapMap uses 63 bytes.
    pub name: Vec<u8>,
    /// Position in pixels from the left.
    pub x: u32,
    /// Position in pixels from the top.
    pub y: u32,
}

/// An error of reading or writing notes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum NotesError {
    /// The bytes start like notes, but are damaged.
    #[error("damaged notes at byte {at} of the trailer")]
    Damaged {
        /// Offset from the start of the trailer.
        at: usize,
    },
    /// A string contains a NUL, which ends strings.
    #[error("invalid text: it contains a NUL")]
    Nul,
    /// The size of the notes exceeds 32 bits.
    #[error("notes too long: the format stores 32-bit counts")]
    TooLong,
}

/// Kinds of notes. The first and the last contain the total size.
const FIRST: u8 = 0;
const LAST: u8 = 1;
const ABOUT: u8 = 2;
const GUIDES: u8 = 3;
const FAVOURITES: u8 = 4;

impl Document {
    /// Reads WapMap's notes from the [`trailer`](Self::trailer). Returns `None` if it does not start like notes.
    ///
    /// # Errors
    /// If the notes are damaged, or if their declared size is wrong.
    pub fn notes(&self) -> Result<Option<Notes>, NotesError> {
        if !self.trailer.starts_with(BEGIN) {
            return Ok(None);
        }
        let mut input = Input::new(&self.trailer);
        read(&mut input, self.trailer.len()).map(Some).ok_or(NotesError::Damaged { at: input.consumed() })
    }

    /// Replaces the [`trailer`](Self::trailer) by notes, or clears it. Notes that were read are written as the same bytes.
    ///
    /// # Errors
    /// If a string contains a NUL, or if the size exceeds 32 bits.
    pub fn set_notes(&mut self, notes: Option<&Notes>) -> Result<(), NotesError> {
        self.trailer = match notes {
            Some(notes) => write(notes)?,
            None => Vec::new(),
        };
        Ok(())
    }
}

/// Reads notes, so that writing them gives the same bytes.
fn read(input: &mut Input<'_>, size: usize) -> Option<Notes> {
    input.take(BEGIN.len()).ok()?;
    let is_total =
        |bytes: &[u8]| bytes.len() == 4 && Input::new(bytes).u32_le().is_ok_and(|total| total as usize == size);
    if !matches!(block(input)?, (FIRST, bytes) if is_total(bytes)) {
        return None;
    }
    let mut items = Vec::new();
    loop {
        match block(input)? {
            // A note of this kind that is not the last one is preserved as `Note::Other`.
            (LAST, bytes) if is_total(bytes) && input.peek() == END => return Some(Notes { items }),
            (id, bytes) => items.push(note(id, bytes)),
        }
    }
}

fn block<'a>(input: &mut Input<'a>) -> Option<(u8, &'a [u8])> {
    let mut ahead = input.clone();
    let id = ahead.u8().ok()?;
    let size = usize::try_from(ahead.u32_le().ok()?).ok()?;
    let bytes = ahead.take(size).ok()?;
    *input = ahead;
    Some((id, bytes))
}

fn note(id: u8, bytes: &[u8]) -> Note {
    let mut input = Input::new(bytes);
    let known = match id {
        ABOUT => about(&mut input).map(Note::About),
        GUIDES => list(&mut input, 5, guide).map(Note::Guides),
        FAVOURITES => list(&mut input, 9, favourite).map(Note::Favourites),
        _ => None,
    };
    known.filter(|_| input.is_empty()).unwrap_or_else(|| Note::Other { id, bytes: bytes.to_vec() })
}

fn about(input: &mut Input<'_>) -> Option<About> {
    Some(About {
        wapmap_build: input.i32_le().ok()?,
        wapmap_version: text(input)?,
        map_build: input.i32_le().ok()?,
        map_version: text(input)?,
        description: text(input)?,
    })
}

fn guide(input: &mut Input<'_>) -> Option<Guide> {
    Some(Guide { direction: GuideDirection(input.u8().ok()?), position: input.i32_le().ok()? })
}

fn favourite(input: &mut Input<'_>) -> Option<Favourite> {
    Some(Favourite { name: text(input)?, x: input.u32_le().ok()?, y: input.u32_le().ok()? })
}

/// Reads a count and that many items, each of at least `size` bytes.
fn list<T>(input: &mut Input<'_>, size: usize, item: impl Fn(&mut Input<'_>) -> Option<T>) -> Option<Vec<T>> {
    let count = input.u32_le().ok()?;
    let count = input.count(count.into(), size, "notes").ok()?;
    (0..count).map(|_| item(input)).collect()
}

/// Reads a string that ends with a NUL.
fn text(input: &mut Input<'_>) -> Option<Vec<u8>> {
    let length = input.peek().iter().position(|&byte| byte == 0)?;
    let text = input.take(length).ok()?.to_vec();
    input.u8().ok()?;
    Some(text)
}

fn write(notes: &Notes) -> Result<Vec<u8>, NotesError> {
    let blocks = notes.items.iter().map(note_bytes).collect::<Result<Vec<_>, _>>()?;
    // The two notes with the total size take nine bytes each, the others five and their contents.
    let sizes = blocks.iter().map(|(_, bytes)| bytes.len().saturating_add(5));
    let size = sizes.fold(BEGIN.len().saturating_add(END.len()).saturating_add(18), usize::saturating_add);
    let mut total = Output::new();
    total.u32_le(count(size)?);
    let size = total.into_bytes();
    let mut output = Output::new();
    output.bytes(BEGIN);
    for (id, bytes) in [(FIRST, &size[..])].into_iter().chain(blocks.iter().map(|(id, bytes)| (*id, &bytes[..]))) {
        write_block(&mut output, id, bytes)?;
    }
    write_block(&mut output, LAST, &size)?;
    output.bytes(END);
    Ok(output.into_bytes())
}

fn write_block(output: &mut Output, id: u8, bytes: &[u8]) -> Result<(), NotesError> {
    output.u8(id);
    output.u32_le(count(bytes.len())?);
    output.bytes(bytes);
    Ok(())
}

/// Returns the kind of a note and its bytes.
fn note_bytes(note: &Note) -> Result<(u8, Vec<u8>), NotesError> {
    let mut output = Output::new();
    let id = match note {
        Note::About(about) => {
            output.i32_le(about.wapmap_build);
            write_text(&mut output, &about.wapmap_version)?;
            output.i32_le(about.map_build);
            write_text(&mut output, &about.map_version)?;
            write_text(&mut output, &about.description)?;
            ABOUT
        }
        Note::Guides(guides) => {
            output.u32_le(count(guides.len())?);
            for guide in guides {
                output.u8(guide.direction.0);
                output.i32_le(guide.position);
            }
            GUIDES
        }
        Note::Favourites(favourites) => {
            output.u32_le(count(favourites.len())?);
            for favourite in favourites {
                write_text(&mut output, &favourite.name)?;
                output.u32_le(favourite.x);
                output.u32_le(favourite.y);
            }
            FAVOURITES
        }
        Note::Other { id, bytes } => {
            output.bytes(bytes);
            *id
        }
    };
    Ok((id, output.into_bytes()))
}

fn write_text(output: &mut Output, text: &[u8]) -> Result<(), NotesError> {
    if text.contains(&0) {
        return Err(NotesError::Nul);
    }
    output.bytes(text);
    output.u8(0);
    Ok(())
}

fn count(count: usize) -> Result<u32, NotesError> {
    u32::try_from(count).map_err(|_| NotesError::TooLong)
}
