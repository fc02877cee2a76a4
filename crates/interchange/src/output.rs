//! Writes output to memory within a limit.

use std::{fmt, io};

use mapwright_scene::Excess;

use crate::{Error, error::exceeded};

/// A buffer with a maximum size. Bytes beyond it, or beyond the memory of the system, are not written; [`check`](Self::check)
/// returns that error.
#[derive(Debug)]
pub(crate) struct Output {
    bytes: Vec<u8>,
    max_bytes: u64,
    excess: Option<Excess>,
}

impl Output {
    pub(crate) fn new(max_bytes: u64) -> Self {
        Self { bytes: Vec::new(), max_bytes, excess: None }
    }

    /// Writes bytes, unless some did not fit before.
    pub(crate) fn push(&mut self, more: &[u8]) {
        if self.excess.is_none() && self.reserve(more.len()) {
            self.bytes.extend_from_slice(more);
        }
    }

    /// Returns `true` if there is room for more bytes.
    fn reserve(&mut self, more: usize) -> bool {
        let needed = (self.bytes.len() as u64).saturating_add(more as u64);
        if needed > self.max_bytes {
            self.excess = Some(Excess::Limit { needed, limit: self.max_bytes });
        } else if self.bytes.capacity() - self.bytes.len() < more
            // Twice the size may be too much if a little more is not.
            && self.bytes.try_reserve(more).is_err()
            && self.bytes.try_reserve_exact(more.max(1 << 20)).is_err()
        {
            self.excess = Some(Excess::Memory { needed });
        }
        self.excess.is_none()
    }

    /// Returns an error if some bytes did not fit.
    pub(crate) fn check(&self) -> Result<(), Error> {
        self.excess.map_or(Ok(()), |excess| Err(exceeded(excess)))
    }

    /// Returns the bytes, if all fitted.
    pub(crate) fn finish(self) -> Result<Vec<u8>, Error> {
        self.check().map(|()| self.bytes)
    }
}

impl fmt::Write for Output {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        self.push(text.as_bytes());
        if self.excess.is_some() { Err(fmt::Error) } else { Ok(()) }
    }
}

impl io::Write for Output {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.push(bytes);
        match self.excess {
            Some(excess) => Err(io::Error::new(io::ErrorKind::OutOfMemory, excess)),
            None => Ok(bytes.len()),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Category;

    #[test]
    fn bytes_beyond_the_limit_are_not_written() {
        let mut output = Output::new(5);
        output.push(b"abc");
        assert!(io::Write::write_all(&mut output, b"def").is_err());
        output.push(b"g");
        assert_eq!(output.bytes, b"abc");
        assert_eq!(output.finish().unwrap_err().category(), Category::Limit);
    }
}
