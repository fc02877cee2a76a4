//! Whole documents as JSON.

#[cfg(feature = "dmx")]
mod graph;
mod term;

use std::io::{self, Write};

#[cfg(feature = "dmx")]
pub use graph::write_graph_json;
pub use term::write_term_json;

fn string(out: &mut dyn Write, text: &str) -> io::Result<()> {
    serde_json::to_writer(out, text).map_err(Into::into)
}

/// Hexadecimal digits, in pieces: binaries are megabytes.
fn hex(out: &mut dyn Write, bytes: &[u8]) -> io::Result<()> {
    const DIGITS: &[u8; 16] = b"0123456789abcdef";
    let digit = |nibble: u8| DIGITS.get(usize::from(nibble)).copied().unwrap_or_default();
    for piece in bytes.chunks(4096) {
        let text: Vec<u8> = piece.iter().flat_map(|byte| [digit(byte >> 4), digit(byte & 15)]).collect();
        out.write_all(&text)?;
    }
    Ok(())
}
