//! Writes output to memory within a limit.

use std::{fmt, io};

use crate::Excess;

/// A buffer with a maximum size. Bytes beyond it, or beyond the memory of the system, are not written; [`check`](Self::check)
/// returns that error.
#[derive(Debug)]
pub struct BoundedOutput {
    /// Full parts. One buffer that grows would be copied again and again.
    parts: Vec<Vec<u8>>,
    /// The bytes after them.
    bytes: Vec<u8>,
    /// Number of bytes of all parts.
    length: u64,
    max_bytes: u64,
    excess: Option<Excess>,
}

/// Size of a full part.
const PART: usize = 1 << 18;

impl BoundedOutput {
    /// Creates an empty buffer for at most `max_bytes` bytes.
    pub fn new(max_bytes: u64) -> Self {
        Self { parts: Vec::new(), bytes: Vec::new(), length: 0, max_bytes, excess: None }
    }

    /// Writes bytes, unless some did not fit before.
    pub fn push(&mut self, more: &[u8]) {
        if self.reserve(more.len()) {
            if self.bytes.len() >= PART {
                self.parts.push(std::mem::take(&mut self.bytes));
            }
            match self.bytes.try_reserve(more.len()) {
                Ok(()) => self.bytes.extend_from_slice(more),
                Err(_) => self.excess = Some(Excess::Memory { needed: self.length }),
            }
        }
    }

    /// Writes bytes, which are not copied until the end.
    pub fn push_part(&mut self, part: Vec<u8>) {
        if self.reserve(part.len()) {
            self.parts.extend([std::mem::take(&mut self.bytes), part]);
        }
    }

    /// Returns `true` if more bytes are within the limit, and counts them.
    fn reserve(&mut self, more: usize) -> bool {
        let needed = self.length.saturating_add(more as u64);
        if self.excess.is_none() && needed > self.max_bytes {
            self.excess = Some(Excess::Limit { needed, limit: self.max_bytes });
        }
        if self.excess.is_none() {
            self.length = needed;
        }
        self.excess.is_none()
    }

    /// Returns an error if some bytes did not fit.
    ///
    /// # Errors
    /// The limit or the memory that did not suffice.
    pub fn check(&self) -> Result<(), Excess> {
        self.excess.map_or(Ok(()), Err)
    }

    /// Returns the bytes, if all fitted.
    ///
    /// # Errors
    /// Errors of [`check`](Self::check), and [`Excess::Memory`] if there is no memory to join the parts.
    pub fn finish(mut self) -> Result<Vec<u8>, Excess> {
        self.check()?;
        if self.parts.is_empty() {
            return Ok(self.bytes);
        }
        self.parts.push(self.bytes);
        let mut all = Vec::new();
        let room = usize::try_from(self.length).ok().and_then(|length| all.try_reserve_exact(length).ok());
        room.ok_or(Excess::Memory { needed: self.length })?;
        for part in self.parts {
            all.extend_from_slice(&part);
        }
        Ok(all)
    }
}

impl fmt::Write for BoundedOutput {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        self.push(text.as_bytes());
        if self.excess.is_some() { Err(fmt::Error) } else { Ok(()) }
    }
}

impl io::Write for BoundedOutput {
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

    #[test]
    fn bytes_beyond_the_limit_are_not_written() {
        let mut output = BoundedOutput::new(5);
        output.push(b"abc");
        assert!(io::Write::write_all(&mut output, b"def").is_err());
        output.push(b"g");
        output.push_part(b"g".to_vec());
        assert_eq!((output.length, output.bytes.as_slice()), (3, &b"abc"[..]));
        assert_eq!(output.finish(), Err(Excess::Limit { needed: 6, limit: 5 }));
    }

    #[test]
    fn parts_keep_their_order() {
        let mut output = BoundedOutput::new(1 << 20);
        output.push(b"a");
        output.push_part(b"b".to_vec());
        output.push(b"c");
        output.push(&[b'd'; PART]);
        output.push(b"e");
        let bytes = output.finish().unwrap();
        assert_eq!((&bytes[..4], bytes.last(), bytes.len()), (&b"abcd"[..], Some(&b'e'), PART + 4));
    }
}
