//! Reads a file or a stream into memory.

#[cfg(feature = "fs")]
use std::fs::File;
#[cfg(feature = "fs")]
use std::io;
use std::io::Read;
use std::path::Path;

#[cfg(feature = "fs")]
use crate::ContentSource;
use crate::encoding::{has_byte_order_mark, is_utf16, to_utf8};
use crate::{Error, Format, PREFIX, ReadOptions, detect};

/// A file in memory, with its format.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Input {
    /// All bytes.
    pub bytes: Vec<u8>,
    /// The format.
    pub format: Format,
    /// A text for people about a contradiction between content and extension.
    pub warning: Option<String>,
}

impl Input {
    /// Reads a file into memory. Without a format, it is detected. A path can lead into an archive:
    /// `CLAW.REZ/LEVEL1/WORLDS/WORLD.WWD`.
    ///
    /// # Errors
    /// [`Error::Io`], [`Error::UnknownFormat`] after reading the first bytes, or [`Error::InputLimit`].
    #[cfg(feature = "fs")]
    pub fn open(path: &Path, format: Option<Format>, options: &ReadOptions) -> Result<Self, Error> {
        Self::read(Self::open_reader(path)?, Some(path), format, options)
    }

    /// Opens a file, which can be in an archive.
    #[cfg(feature = "fs")]
    pub(crate) fn open_reader(path: &Path) -> io::Result<Box<dyn Read>> {
        // On some systems a folder can be opened, and reading it gives an unclear error.
        if path.is_dir() {
            return Err(io::ErrorKind::IsADirectory.into());
        }
        Ok(match ContentSource::open_archive_in(path)? {
            Some((archive, inner)) => {
                Box::new(io::Cursor::new(archive.find(&inner).ok_or(io::ErrorKind::NotFound)?.read()?))
            }
            None => Box::new(File::open(path)?),
        })
    }

    /// Reads a stream into memory. The path is only used to detect the format.
    ///
    /// # Errors
    /// [`Error::Io`], [`Error::UnknownFormat`] after reading the first bytes, or [`Error::InputLimit`].
    pub fn read(
        mut reader: impl Read,
        path: Option<&Path>,
        format: Option<Format>,
        options: &ReadOptions,
    ) -> Result<Self, Error> {
        let mut bytes = Vec::new();
        reader.by_ref().take(PREFIX as u64).read_to_end(&mut bytes)?;
        let limit = options.limits.max_input;
        let read_rest = |bytes: &mut Vec<u8>| -> Result<(), Error> {
            reader.take(limit.saturating_add(1).saturating_sub(bytes.len() as u64)).read_to_end(bytes)?;
            if bytes.len() as u64 > limit { Err(Error::InputLimit { limit }) } else { Ok(()) }
        };
        let found = |start: &[u8]| -> Result<(Format, Option<String>), Error> {
            if let Some(format) = format {
                return Ok((format, None));
            }
            let detection = detect(start, path);
            Ok((detection.format.ok_or(Error::UnknownFormat)?, detection.warning()))
        };
        if has_byte_order_mark(&bytes) {
            read_rest(&mut bytes)?;
            let text = to_utf8(&bytes).map_err(|_| Error::Utf16)?.into_owned();
            let (format, warning) = found(text.get(..PREFIX).unwrap_or(&text))?;
            // Documents are written back byte for byte, so their readers get the file itself.
            return match (format.access().lossless, is_utf16(&bytes)) {
                (true, true) => Err(Error::Utf16),
                (true, false) => Ok(Self { bytes, format, warning }),
                (false, _) => Ok(Self { bytes: text, format, warning }),
            };
        }
        let (format, warning) = found(&bytes)?;
        read_rest(&mut bytes)?;
        Ok(Self { bytes, format, warning })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use mapwright_io::Limits;

    #[test]
    fn endless_streams_exceed_the_limit() {
        let read = |format, options: &ReadOptions| Input::read(std::io::repeat(7), None, format, options);
        let options = ReadOptions::default().with_limits(Limits::default().with_max_input(10_000));
        assert!(matches!(read(None, &ReadOptions::default()), Err(Error::UnknownFormat)));
        assert!(matches!(read(Some(Format::Etf), &options), Err(Error::InputLimit { limit: 10_000 })));
    }

    #[test]
    fn inputs_up_to_the_limit_are_read() {
        let bytes = [131, 106];
        let read = |limit| {
            Input::read(
                &bytes[..],
                None,
                None,
                &ReadOptions::default().with_limits(Limits::default().with_max_input(limit)),
            )
        };
        assert_eq!(read(2).unwrap().bytes, bytes);
        assert!(read(1).is_err());
    }

    #[test]
    fn text_with_a_byte_order_mark_is_read_as_utf_8() {
        let read = |bytes: &[u8], name: &str| Input::read(bytes, Some(name.as_ref()), None, &ReadOptions::default());
        let utf16 = |text: &str| {
            [&[0xff, 0xfe][..], &text.encode_utf16().flat_map(u16::to_le_bytes).collect::<Vec<u8>>()].concat()
        };
        assert_eq!(read(&utf16("v 0 0 0\n"), "a.obj").unwrap().bytes, b"v 0 0 0\n");
        assert_eq!(read(b"\xef\xbb\xbfv 0 0 0\n", "a.obj").unwrap().bytes, b"v 0 0 0\n");
        let map = "<!-- dmx encoding keyvalues2 4 format vmap 40 -->\n";
        assert!(matches!(read(&utf16(map), "a.txt"), Err(Error::Utf16)));
    }

    #[cfg(feature = "fs")]
    #[test]
    fn folders_are_rejected() {
        let error = Input::open(Path::new("."), None, &ReadOptions::default()).unwrap_err();
        assert!(error.to_string().contains("directory"), "{error}");
    }
}
