//! Writes new documents whose term is too large for memory.

use std::ops::Range;

use mapwright_io::{Deflater, parallel};

use crate::read::MAGIC;
use crate::{Builder, Tag, WriteError, WriteErrorKind, WriterProfile};

/// Number of elements of a list that are built together.
const CHUNK: usize = 1 << 13;
/// Maximum number of threads for which elements are built ahead, so that memory is bounded on all machines.
const MAX_THREADS: usize = 16;

/// Writes a term in file order, compressed as by [`Compressor::Fast`](crate::Compressor::Fast), without keeping it in memory.
///
/// Lists have a known length, and the elements of long ones are built by several threads with the feature `parallel`. The bytes are those
/// of a [`Document`](crate::Document) with the same term and packing.
///
/// ```
/// use mapwright_etf::{StreamWriter, WriterProfile};
///
/// let squares = StreamWriter::write_document(Vec::new(), WriterProfile::Otp17, |term| {
///     term.tuple(2)?;
///     term.term(|term| term.atom("squares"))?;
///     term.list(100_000, |term, range| {
///         range.for_each(|index| {
///             term.begin_list();
///             term.integer(index as i64 * index as i64);
///             term.end_list();
///         })
///     })
/// })?;
/// assert!(squares.len() < 500_000);
/// # Ok::<(), mapwright_etf::WriteError>(())
/// ```
#[derive(Debug)]
pub struct StreamWriter {
    profile: WriterProfile,
    sink: Sink,
    /// Number of bytes of the term so far.
    length: u64,
    open: Vec<Open>,
    is_complete: bool,
}

/// An unfinished tuple or list.
#[derive(Debug)]
struct Open {
    is_list: bool,
    /// Number of elements to come.
    left: usize,
    /// `true` if all elements so far are small integers.
    is_string: bool,
}

#[derive(Debug)]
enum Sink {
    Plain(Vec<u8>),
    Deflated(Deflater),
}

impl StreamWriter {
    /// Writes a document after the bytes in `out`. `write` writes the term. It is called a second time if compression does not make the
    /// term smaller.
    ///
    /// # Errors
    /// [`WriteErrorKind::Unbalanced`] if there is not exactly one complete term, [`WriteErrorKind::TooLarge`] if it exceeds 4 GiB, and
    /// the errors of `write`.
    pub fn write_document(
        mut out: Vec<u8>,
        profile: WriterProfile,
        write: impl Fn(&mut Self) -> Result<(), WriteError>,
    ) -> Result<Vec<u8>, WriteError> {
        let start = out.len();
        out.push(MAGIC);
        let plain_prefix = out.clone();
        // The size follows when it is known.
        out.extend_from_slice(&[Tag::COMPRESSED.0, 0, 0, 0, 0]);
        let head = out.len();
        let (mut out, length) = Self::new(profile, Sink::Deflated(Deflater::new(out))).run(&write)?;
        // Erlang writes 131 and the plain term if that is shorter than 131, 80, size and stream.
        if length < (out.len().saturating_sub(head) as u64).saturating_add(5) {
            return Ok(Self::new(profile, Sink::Plain(plain_prefix)).run(&write)?.0);
        }
        let declared = u32::try_from(length).map_err(|_| too_large(length))?;
        if let Some(field) = out.get_mut(start.saturating_add(2)..).and_then(<[u8]>::first_chunk_mut) {
            *field = declared.to_be_bytes();
        }
        Ok(out)
    }

    fn new(profile: WriterProfile, sink: Sink) -> Self {
        Self { profile, sink, length: 0, open: Vec::new(), is_complete: false }
    }

    /// Writes the term. Returns the bytes with those before it, and the length of the term.
    fn run(mut self, write: impl Fn(&mut Self) -> Result<(), WriteError>) -> Result<(Vec<u8>, u64), WriteError> {
        write(&mut self)?;
        if !self.is_complete || !self.open.is_empty() {
            return Err(unbalanced());
        }
        let out = match self.sink {
            Sink::Plain(out) => out,
            Sink::Deflated(deflater) => deflater.finish(),
        };
        Ok((out, self.length))
    }

    /// Begins a tuple. Its elements follow.
    ///
    /// # Errors
    /// As [`write_document`](Self::write_document).
    pub fn tuple(&mut self, arity: u8) -> Result<(), WriteError> {
        self.begin(false)?;
        self.write(&[Tag::SMALL_TUPLE.0, arity])?;
        self.open.push(Open { is_list: false, left: arity.into(), is_string: false });
        self.close_tuples();
        Ok(())
    }

    /// Begins a list of `count` terms, which follow, and then [`end_list`](Self::end_list). At least one is no integer from 0 to 255,
    /// because Erlang encodes other lists as strings.
    ///
    /// # Errors
    /// As [`write_document`](Self::write_document).
    pub fn begin_list(&mut self, count: usize) -> Result<(), WriteError> {
        self.begin_list_of(count, count)
    }

    /// Begins a list of `count` terms, of which `left` are added one by one.
    fn begin_list_of(&mut self, count: usize, left: usize) -> Result<(), WriteError> {
        self.begin(false)?;
        if count > 0 {
            // Each element has a byte at least.
            let length = u32::try_from(count).map_err(|_| too_large(count as u64))?;
            self.write(&[Tag::LIST.0])?;
            self.write(&length.to_be_bytes())?;
        }
        self.open.push(Open { is_list: true, left, is_string: left > 0 });
        Ok(())
    }

    /// Ends a list.
    ///
    /// # Errors
    /// As [`write_document`](Self::write_document), and [`WriteErrorKind::IntegerList`] for a list of integers from 0 to 255.
    pub fn end_list(&mut self) -> Result<(), WriteError> {
        let list = self.open.pop_if(|open| open.is_list && open.left == 0).ok_or_else(unbalanced)?;
        if list.is_string {
            return Err(WriteError::without_position(WriteErrorKind::IntegerList));
        }
        self.write(&[Tag::NIL.0])?;
        self.close_tuples();
        Ok(())
    }

    /// Adds a whole term.
    ///
    /// # Errors
    /// As [`Builder::finish`].
    pub fn term(&mut self, build: impl FnOnce(&mut Builder)) -> Result<(), WriteError> {
        let mut builder = Builder::new(self.profile);
        build(&mut builder);
        let term = builder.finish()?;
        self.begin(term.as_bytes().first() == Some(&Tag::SMALL_INTEGER.0))?;
        self.write(term.as_bytes())?;
        self.close_tuples();
        Ok(())
    }

    /// Adds a whole list of `count` terms that are not integers. `build` adds the terms of a range; it is called for several ranges at the
    /// same time.
    ///
    /// # Errors
    /// As [`Builder::finish`], and if `build` does not add one term for each index.
    pub fn list(
        &mut self,
        count: usize,
        build: impl Fn(&mut Builder, Range<usize>) + Send + Sync,
    ) -> Result<(), WriteError> {
        self.begin_list_of(count, 0)?;
        let profile = self.profile;
        let make_chunk = |range: Range<usize>| {
            let length = range.len();
            let mut builder = Builder::new(profile);
            builder.begin_list();
            build(&mut builder, range);
            builder.end_list();
            let bytes = builder.finish()?.into_bytes();
            let expected = u32::try_from(length).unwrap_or(u32::MAX).to_be_bytes();
            let is_whole = bytes.first() == Some(&Tag::LIST.0) && bytes.get(1..5) == Some(&expected);
            is_whole.then_some(bytes).ok_or_else(unbalanced)
        };
        let batch = CHUNK.saturating_mul(parallel::threads().min(MAX_THREADS).saturating_mul(2));
        for first in (0..count).step_by(batch) {
            let end = count.min(first.saturating_add(batch));
            let starts = (first..end).step_by(CHUNK);
            let ranges = starts.map(|start| start..end.min(start.saturating_add(CHUNK))).collect();
            for chunk in parallel::map(ranges, make_chunk) {
                let chunk = chunk?;
                // Without the head of the list and its end.
                self.write(chunk.get(5..chunk.len().saturating_sub(1)).unwrap_or_default())?;
            }
        }
        self.end_list()
    }

    fn write(&mut self, bytes: &[u8]) -> Result<(), WriteError> {
        self.length = self.length.saturating_add(bytes.len() as u64);
        if self.length > u32::MAX.into() {
            return Err(too_large(self.length));
        }
        match &mut self.sink {
            Sink::Plain(out) => out.extend_from_slice(bytes),
            Sink::Deflated(deflater) => deflater.write(bytes),
        }
        Ok(())
    }

    /// Counts a term that begins in the tuple or list that contains it.
    fn begin(&mut self, is_small_integer: bool) -> Result<(), WriteError> {
        match self.open.last_mut() {
            Some(Open { left: left @ 1.., is_string, .. }) => {
                *left = left.saturating_sub(1);
                *is_string &= is_small_integer;
            }
            None if !self.is_complete => self.is_complete = true,
            _ => return Err(unbalanced()),
        }
        Ok(())
    }

    /// Ends the tuples that are complete.
    fn close_tuples(&mut self) {
        while self.open.pop_if(|open| !open.is_list && open.left == 0).is_some() {}
    }
}

fn unbalanced() -> WriteError {
    WriteError::without_position(WriteErrorKind::Unbalanced)
}

fn too_large(size: u64) -> WriteError {
    WriteError::without_position(WriteErrorKind::TooLarge { size })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Document, Packing};

    /// Adds the elements of a range: tuples with noise of `noise` bytes.
    fn add_tuples(term: &mut Builder, range: Range<usize>, noise: usize) {
        for index in range {
            let mut state = u32::try_from(index).unwrap();
            let bytes: Vec<u8> = std::iter::repeat_with(|| {
                state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
                (state >> 24) as u8
            })
            .take(noise)
            .collect();
            term.tuple(3);
            term.integer(i64::try_from(index).unwrap());
            term.atom("element");
            term.binary(&bytes);
        }
    }

    #[test]
    fn streams_are_those_of_documents() {
        // Long, empty and incompressible lists. The last has fewer bytes than a compressed one.
        for (count, noise) in [(200_000, 0), (0, 0), (3, 1), (CHUNK, 200), (CHUNK + 1, 0), (100, 100_000)] {
            let written = StreamWriter::write_document(b"head".to_vec(), WriterProfile::Otp17, |term| {
                term.tuple(3)?;
                term.tuple(0)?;
                term.begin_list(2)?;
                term.term(|term| term.text("text"))?;
                term.list(count, |term, range| add_tuples(term, range, noise))?;
                term.end_list()?;
                term.term(|term| term.integer(7))
            });
            let mut builder = Builder::new(WriterProfile::Otp17);
            builder.tuple(3);
            builder.tuple(0);
            builder.begin_list();
            builder.text("text");
            builder.begin_list();
            add_tuples(&mut builder, 0..count, noise);
            builder.end_list();
            builder.end_list();
            builder.integer(7);
            let mut document = Document::new(builder.finish().unwrap());
            document.set_packing(Packing::compressed(crate::Compressor::Fast));
            assert!(written.unwrap() == [&b"head"[..], &document.to_bytes().unwrap()].concat(), "{count} {noise}");
        }
    }

    #[test]
    fn incomplete_and_surplus_terms_are_errors() {
        let write = |write: fn(&mut StreamWriter) -> Result<(), WriteError>| {
            let written = StreamWriter::write_document(Vec::new(), WriterProfile::Otp26, write);
            assert!(matches!(written.unwrap_err().kind(), WriteErrorKind::Unbalanced));
        };
        write(|_| Ok(()));
        write(|term| term.tuple(1));
        write(|term| term.begin_list(0));
        write(StreamWriter::end_list);
        write(|term| {
            term.begin_list(1)?;
            term.end_list()
        });
        write(|term| {
            term.begin_list(1)?;
            term.tuple(0)?;
            term.tuple(0)?;
            term.end_list()
        });
        write(|term| {
            term.tuple(0)?;
            term.tuple(0)
        });
        let string = StreamWriter::write_document(Vec::new(), WriterProfile::Otp26, |term| {
            term.begin_list(1)?;
            term.term(|term| term.integer(255))?;
            term.end_list()
        });
        assert!(matches!(string.unwrap_err().kind(), WriteErrorKind::IntegerList));
        // An element for each index, and no string.
        write(|term| term.list(2, |term, _| term.atom("one")));
        write(|term| term.list(2, |term, range| range.for_each(|_| term.integer(1))));
    }
}
