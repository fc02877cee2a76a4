//! Standard output and standard error, without the panics of `println!`.

use std::fmt::Display;
use std::io::{self, IsTerminal, StdoutLock, Write};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, OnceLock, PoisonError};

use crate::encoding;
use crate::text::CleanBytes;

/// The content of the file that takes the place of standard output, if the command line names one.
static REDIRECTED: Mutex<Option<Vec<u8>>> = Mutex::new(None);

/// Collects all further output in memory, for [`take_redirected`]. `replaces`: it will replace a file.
pub(crate) fn redirect(replaces: bool) {
    *lock() = Some(Vec::new());
    *protected() = replaces.then(Vec::new);
}

/// Ends a [`redirect`] and returns the output since then.
pub(crate) fn take_redirected() -> Option<Vec<u8>> {
    lock().take()
}

/// The files that inputs refer to, which the file in place of standard output must not replace. `None`: nothing is replaced.
static PROTECTED: Mutex<Option<Vec<PathBuf>>> = Mutex::new(None);

/// Keeps the file that takes the place of standard output from replacing these files. They are only listed if it replaces any.
pub(crate) fn protect<F: IntoIterator<Item = PathBuf>>(files: impl FnOnce() -> F) {
    let is_needed = protected().is_some();
    if is_needed {
        let files = files();
        protected().get_or_insert_default().extend(files);
    }
}

fn protected() -> MutexGuard<'static, Option<Vec<PathBuf>>> {
    PROTECTED.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Returns `true` for a file that [`protect`] named, and forgets all of them.
pub(crate) fn is_protected(path: &Path) -> bool {
    let files = protected().take();
    let Ok(path) = path.canonicalize() else { return false };
    files.iter().flatten().any(|file| file.canonicalize().is_ok_and(|file| file == path))
}

fn lock() -> MutexGuard<'static, Option<Vec<u8>>> {
    REDIRECTED.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Standard output, buffered, or what takes its place. Files and pipes get the data itself. On terminals, control characters are
/// escaped.
pub(crate) struct Out {
    writer: io::BufWriter<StdoutLock<'static>>,
    terminal: Option<CleanBytes>,
    is_redirected: bool,
    /// The start of a line that has not ended: text in an encoding is decoded line by line.
    line: Vec<u8>,
}

impl Out {
    pub(crate) fn new() -> Self {
        let terminal = is_terminal().then(CleanBytes::default);
        let is_redirected = lock().is_some();
        Self {
            writer: io::BufWriter::with_capacity(1 << 16, io::stdout().lock()),
            terminal,
            is_redirected,
            line: Vec::new(),
        }
    }
}

/// Returns `true` if the output goes to a terminal.
pub(crate) fn is_terminal() -> bool {
    io::stdout().is_terminal() && lock().is_none()
}

/// Returns `true` for data that is not text: a terminal must not show it.
pub(crate) fn is_binary(data: &[u8]) -> bool {
    const SNIFFED_BYTES: usize = 1 << 13;
    let start = data.get(..SNIFFED_BYTES).unwrap_or(data);
    let cut_character = |error: std::str::Utf8Error| data.len() > SNIFFED_BYTES && error.error_len().is_none();
    start.contains(&0) || std::str::from_utf8(start).is_err_and(|error| !cut_character(error))
}

impl Out {
    fn write_plain(&mut self, bytes: &[u8]) -> io::Result<()> {
        if self.is_redirected {
            return lock().get_or_insert_default().write_all(bytes);
        }
        match &mut self.terminal {
            Some(clean) => self.writer.write_all(clean.next(bytes).as_bytes()),
            None => self.writer.write_all(bytes),
        }
    }
}

impl Write for Out {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if !encoding::is_selected() {
            return self.write_plain(bytes).map(|()| bytes.len());
        }
        self.line.extend_from_slice(bytes);
        if let Some(end) = self.line.iter().rposition(|&byte| byte == b'\n') {
            let rest = self.line.split_off(end + 1);
            let lines = std::mem::replace(&mut self.line, rest);
            self.write_plain(&encoding::decode_bytes(lines))?;
        }
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        let line = std::mem::take(&mut self.line);
        self.write_plain(&encoding::decode_bytes(line))?;
        if let Some(clean) = &mut self.terminal {
            self.writer.write_all(clean.finish().as_bytes())?;
        }
        self.writer.flush()
    }
}

/// Writes to standard error, and ignores a closed pipe.
pub(crate) fn print_message(text: impl Display) {
    let _ = write!(io::stderr().lock(), "{}", encoding::decode(&text.to_string()));
}

/// Returns a word in bold and colour if standard error is a terminal that supports it.
pub(crate) fn paint(word: &str, color: Color) -> String {
    static WANTED: OnceLock<bool> = OnceLock::new();
    let wanted = WANTED.get_or_init(|| {
        let refused = std::env::var_os("NO_COLOR").is_some_and(|value| !value.is_empty());
        let dumb = std::env::var_os("TERM").is_some_and(|value| value == "dumb");
        io::stderr().is_terminal() && !refused && !dumb
    });
    if *wanted { format!("\x1b[1;{}m{word}\x1b[0m", color as u8) } else { word.to_owned() }
}

/// A colour of words on terminals.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Color {
    Red = 31,
    Yellow = 33,
    Cyan = 36,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_is_not_binary() {
        let long = "ä".repeat(1 << 13);
        for text in ["", "a\tb\r\n", "\x1b[1m", "Grüße", &long, &long[..9000]] {
            assert!(!is_binary(text.as_bytes()), "{text:.20}");
        }
        for data in [&b"glTF\x02\0\0\0"[..], b"\x89PNG\r\n", b"a\xff", b"cut \xc3"] {
            assert!(is_binary(data), "{data:?}");
        }
    }
}
