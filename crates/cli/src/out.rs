//! Standard output and standard error, without the panics of `println!`.

use std::fmt::Display;
use std::io::{self, IsTerminal, StdoutLock, Write};
use std::sync::OnceLock;

use crate::text::CleanBytes;

/// Standard output, buffered. Files and pipes get the data itself. On terminals, control characters are escaped.
pub(crate) struct Out {
    writer: io::BufWriter<StdoutLock<'static>>,
    terminal: Option<CleanBytes>,
}

impl Out {
    pub(crate) fn new() -> Self {
        let stdout = io::stdout();
        let terminal = stdout.is_terminal().then(CleanBytes::default);
        Self { writer: io::BufWriter::with_capacity(1 << 16, stdout.lock()), terminal }
    }
}

impl Write for Out {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match &mut self.terminal {
            Some(clean) => self.writer.write_all(clean.next(bytes).as_bytes()).map(|()| bytes.len()),
            None => self.writer.write(bytes),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        if let Some(clean) = &mut self.terminal {
            self.writer.write_all(clean.finish().as_bytes())?;
        }
        self.writer.flush()
    }
}

/// Says something on standard error. Who closes that does not want to hear it.
pub(crate) fn say(text: impl Display) {
    let _ = write!(io::stderr().lock(), "{text}");
}

/// A word in bold and colour, if standard error is a terminal that wants it.
pub(crate) fn paint(word: &str, color: Color) -> String {
    static WANTED: OnceLock<bool> = OnceLock::new();
    let wanted = WANTED.get_or_init(|| {
        let refused = std::env::var_os("NO_COLOR").is_some_and(|value| !value.is_empty());
        let dumb = std::env::var_os("TERM").is_some_and(|value| value == "dumb");
        io::stderr().is_terminal() && !refused && !dumb
    });
    if *wanted { format!("\x1b[1;{}m{word}\x1b[0m", color as u8) } else { word.to_owned() }
}

/// The colours that words have on terminals.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Color {
    Red = 31,
    Yellow = 33,
    Cyan = 36,
}
