//! Bytes behind the stored block: WapMap's notes.

use mapwright_io::{Input, Output, open_code};

use crate::Document;

/// What WapMap's notes begin with.
pub(crate) const BEGIN: &[u8] = b"<wm_meta>";
/// What they end with.
pub(crate) const END: &[u8] = b"</wm_meta>";

/// Where the notes start that stand at the end of a main block that is not compressed; its length if there are none. They say
/// their own length before the end.
pub(crate) fn trailer_start(bytes: &[u8]) -> usize {
    let start = || {
        let before = bytes.strip_suffix(END)?;
        let size = usize::try_from(u32::from_le_bytes(*before.last_chunk()?)).ok()?;
        let start = bytes.len().checked_sub(size)?;
        bytes.get(start..)?.starts_with(BEGIN).then_some(start)
    };
    start().unwrap_or(bytes.len())
}

/// WapMap's notes: what it keeps about a level behind the stored block, where games do not look.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Notes {
    /// The notes in order, without the two that say the size of all.
    pub items: Vec<Note>,
}

/// One of WapMap's notes.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum Note {
    /// Which WapMap wrote it, and what the author says about the level.
    About(About),
    /// Lines to align to.
    Guides(Vec<Guide>),
    /// Places to come back to.
    Favourites(Vec<Favourite>),
    /// A note of another kind, or one that holds more or less than it should.
    Other {
        /// Its kind.
        id: u8,
        /// Its bytes.
        bytes: Vec<u8>,
    },
}

/// Which WapMap wrote it, and what the author says about the level.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct About {
    /// The build of WapMap.
    pub wapmap_build: i32,
    /// The version of WapMap, as `MAINDEV`.
    pub wapmap_version: Vec<u8>,
    /// How often the level was built.
    pub map_build: i32,
    /// The version of the level, as `1.0`.
    pub map_version: Vec<u8>,
    /// A description.
    pub description: Vec<u8>,
}

open_code! {
    /// How a line lies.
    #[derive(Default)]
    pub struct GuideDirection(u8) {
        /// From top to bottom.
        VERTICAL = 0,
        /// From left to right.
        HORIZONTAL = 1,
    }
}

/// A line to align to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct Guide {
    /// How it lies.
    pub direction: GuideDirection,
    /// Pixels from the top, or from the left.
    pub position: i32,
}

/// A place to come back to.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Favourite {
    /// Its name, of which WapMap uses 63 bytes.
    pub name: Vec<u8>,
    /// Pixels from the left.
    pub x: u32,
    /// Pixels from the top.
    pub y: u32,
}

/// Why there are no notes to read or to write.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum NotesError {
    /// The bytes begin as notes do, but do not go on like them.
    #[error("the notes are torn at byte {at} of the trailer")]
    Torn {
        /// Bytes before the place, from the start of the trailer.
        at: usize,
    },
    /// A text holds a NUL, with which it would end.
    #[error("a text of the notes cannot hold a NUL")]
    Nul,
    /// More than 32 bits count.
    #[error("the notes are too long: the format counts with 32 bits")]
    TooLong,
}

/// Kinds of notes: the first and the last say the size of all.
const FIRST: u8 = 0;
const LAST: u8 = 1;
const ABOUT: u8 = 2;
const GUIDES: u8 = 3;
const FAVOURITES: u8 = 4;

impl Document {
    /// WapMap's notes in the [`trailer`](Self::trailer); `None` if it is empty or begins otherwise.
    ///
    /// # Errors
    /// If they are torn, or if another size is said of them than they have.
    pub fn notes(&self) -> Result<Option<Notes>, NotesError> {
        if !self.trailer.starts_with(BEGIN) {
            return Ok(None);
        }
        let mut input = Input::new(&self.trailer);
        read(&mut input, self.trailer.len()).map(Some).ok_or(NotesError::Torn { at: input.consumed() })
    }

    /// Replaces the [`trailer`](Self::trailer) by notes, or by nothing. Notes that were read become the bytes that they were.
    ///
    /// # Errors
    /// If a text holds a NUL, or if the notes are longer than 32 bits count.
    pub fn set_notes(&mut self, notes: Option<&Notes>) -> Result<(), NotesError> {
        self.trailer = match notes {
            Some(notes) => write(notes)?,
            None => Vec::new(),
        };
        Ok(())
    }
}

/// Reads the notes, each of which becomes the same bytes when it is written.
fn read(input: &mut Input<'_>, size: usize) -> Option<Notes> {
    input.take(BEGIN.len()).ok()?;
    let all = |bytes: &[u8]| bytes.try_into().is_ok_and(|bytes| u32::from_le_bytes(bytes) as usize == size);
    if !matches!(block(input)?, (FIRST, bytes) if all(bytes)) {
        return None;
    }
    let mut items = Vec::new();
    loop {
        match block(input)? {
            // One that is not the last is kept as it is.
            (LAST, bytes) if all(bytes) && input.peek() == END => return Some(Notes { items }),
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

/// A count, and so many items of so many bytes at least.
fn list<T>(input: &mut Input<'_>, size: usize, item: impl Fn(&mut Input<'_>) -> Option<T>) -> Option<Vec<T>> {
    let count = input.u32_le().ok()?;
    let count = input.count(count.into(), size, "notes").ok()?;
    (0..count).map(|_| item(input)).collect()
}

/// A text with a NUL behind it.
fn text(input: &mut Input<'_>) -> Option<Vec<u8>> {
    let length = input.peek().iter().position(|&byte| byte == 0)?;
    let text = input.take(length).ok()?.to_vec();
    input.u8().ok()?;
    Some(text)
}

fn write(notes: &Notes) -> Result<Vec<u8>, NotesError> {
    let blocks = notes.items.iter().map(note_bytes).collect::<Result<Vec<_>, _>>()?;
    // The two that say the size have nine bytes each, the others five and what they hold.
    let sizes = blocks.iter().map(|(_, bytes)| bytes.len().saturating_add(5));
    let size = sizes.fold(BEGIN.len().saturating_add(END.len()).saturating_add(18), usize::saturating_add);
    let size = count(size)?.to_le_bytes();
    let mut output = Output::new();
    output.bytes(BEGIN);
    for (id, bytes) in [(FIRST, &size[..])].into_iter().chain(blocks.iter().map(|(id, bytes)| (*id, &bytes[..]))) {
        put_block(&mut output, id, bytes)?;
    }
    put_block(&mut output, LAST, &size)?;
    output.bytes(END);
    Ok(output.into_bytes())
}

fn put_block(output: &mut Output, id: u8, bytes: &[u8]) -> Result<(), NotesError> {
    output.u8(id);
    output.u32_le(count(bytes.len())?);
    output.bytes(bytes);
    Ok(())
}

/// The kind of a note and its bytes.
fn note_bytes(note: &Note) -> Result<(u8, Vec<u8>), NotesError> {
    let mut output = Output::new();
    let id = match note {
        Note::About(about) => {
            output.i32_le(about.wapmap_build);
            put_text(&mut output, &about.wapmap_version)?;
            output.i32_le(about.map_build);
            put_text(&mut output, &about.map_version)?;
            put_text(&mut output, &about.description)?;
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
                put_text(&mut output, &favourite.name)?;
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

fn put_text(output: &mut Output, text: &[u8]) -> Result<(), NotesError> {
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
