//! Detection of the program that wrote a file.

use crate::Version;
use mapwright_io::FixedBytes;

use crate::document::{Document, Sentinel, Wvr};

impl Document {
    /// Returns the program that wrote the file, detected by its habits. `None` if there is no evidence.
    pub fn program(&self) -> Option<&'static str> {
        match self {
            Self::Wvr(terrain) => legacy_program(terrain),
            Self::Wvr8(terrain) => {
                let sentinel = terrain.sentinel?;
                let words = sentinel.matrix.numbers().map(f32::to_bits);
                if words == [Sentinel::WORD; 12] {
                    return Some("Bohemia's tools (Visitor 3, Buldozer, Terrain Builder)");
                }
                (words == [0xffc0_0000; 12] && sentinel.id == i32::MAX).then_some("bis-file-formats")
            }
            // Version 3 is also written by the game.
            Self::Oprw(terrain) => (!terrain.version.is_legacy()).then_some("Binarize"),
        }
    }
}

fn legacy_program(terrain: &Wvr) -> Option<&'static str> {
    if terrain.version != Version::Wvr4 {
        return Some("early Visitor");
    }
    // WrpTool fills unused slots with the last name, and writes no terminator.
    let last = terrain.names.last().map(FixedBytes::text).filter(|name| !name.is_empty());
    let filled = last.is_some_and(|name| terrain.names.iter().rev().take(64).all(|slot| slot.text() == name));
    if filled && terrain.terminator.is_none() {
        return Some("WrpTool");
    }
    // The game clears only the first byte of the last record and of unused slots.
    let stale = |name: &&FixedBytes<32>| name.text().is_empty() && name.raw.iter().any(|&byte| byte != 0);
    let record = terrain.terminator.as_ref().is_some_and(|record| record.iter().any(|&byte| byte != 0));
    (record && terrain.names.iter().any(|name| stale(&name))).then_some("the game's own editor")
}
