//! Names of textures and models.

use mapwright_io::{FixedBytes, escape};

use super::Report;
use crate::Version;
use crate::document::{Document, Wvr};

pub(super) fn check(document: &Document, report: &mut Report) {
    match document {
        Document::Wvr(terrain) => {
            textures(terrain, report);
            models(document, Some(terrain.version), report);
        }
        Document::Wvr8(_) => models(document, None, report),
        Document::Oprw(_) => {}
    }
}

/// Whether a name has bytes of no known code page.
fn is_odd(name: &[u8]) -> bool {
    name.iter().any(|byte| !(32..=126).contains(byte))
}

fn textures(terrain: &Wvr, report: &mut Report) {
    for (slot, name) in terrain.names.iter().enumerate() {
        let (text, place) = (name.text(), ("names", Some(slot)));
        if text.len() == name.raw.len() {
            report.warning("tex-name-unterminated", place, format_args!("\"{}\" fills its slot", escape(text)));
        }
        if name.residue().iter().any(|&byte| byte != 0) {
            let text = format_args!("bytes of an older name behind \"{}\"", escape(text));
            report.note("tex-name-residue", place, text);
        }
        if is_odd(text) {
            let text = format_args!("\"{}\" has bytes of an unknown code page", escape(text));
            report.warning("tex-name-non-ascii", place, text);
        }
        if text.windows(2).any(|pair| pair == b"$$") {
            report.warning("tex-name-dollar", place, format_args!("\"{}\" has $$: the game stops", escape(text)));
        }
    }
    let (usual, found) = (Version::Wvr2.slots(), terrain.names.len());
    if terrain.version == Version::Wvr2 && found != usual {
        report.note("name-slots", ("names", None), format_args!("{found} slots: the engine reads {usual}"));
    }
    let last = terrain.names.last().map(FixedBytes::text).filter(|name| !name.is_empty());
    if let Some(name) = last
        && terrain.names.iter().rev().take(64).all(|slot| slot.text() == name)
    {
        let text = format_args!("spare slots repeat \"{}\", as WrpTool writes them", escape(name));
        report.note("tex-table-filled-with-last-name", ("names", None), text);
    }
}

/// Names of models, said of each object.
fn models(document: &Document, version: Option<Version>, report: &mut Report) {
    let width = version.map(|version| version.record().saturating_sub(version.name_at()));
    for (place, object) in document.objects().iter().enumerate() {
        let Some(name) = object.model else { continue };
        let (place, shown) = (("objects", Some(place)), escape(&name.bytes));
        if width == Some(name.bytes.len()) {
            report.warning("obj-name-unterminated", place, format_args!("\"{shown}\" fills its field"));
        }
        if !name.rest.is_empty() {
            report.note("obj-name-residue", place, format_args!("bytes of an older name behind \"{shown}\""));
        }
        if is_odd(&name.bytes) {
            let text = format_args!("\"{shown}\" has bytes of an unknown code page");
            report.warning("obj-name-non-ascii", place, text);
        }
    }
}
