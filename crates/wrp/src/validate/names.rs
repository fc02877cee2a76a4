//! Names of textures and models.

use mapwright_io::{FixedBytes, escape_bytes};

use super::Report;
use crate::Version;
use crate::document::{Document, Wvr};
use crate::loss::counted;

pub(super) fn check(document: &Document, report: &mut Report) {
    match document {
        Document::Wvr(terrain) => {
            check_textures(terrain, report);
            check_models(document, Some(terrain.version), report);
        }
        Document::Wvr8(_) => check_models(document, None, report),
        Document::Oprw(_) => {}
    }
    check_backslashes(document, report);
}

/// Checks for names that begin with a backslash, once for each name.
fn check_backslashes(document: &Document, report: &mut Report) {
    let text = |name: &[u8]| {
        let name = escape_bytes(name);
        format!("\"{name}\" begins with a backslash: names in the game are relative, such as data3d\\kasna.p3d")
    };
    if let Document::Wvr(terrain) = document {
        for (slot, name) in terrain.names.iter().enumerate().filter(|(_, name)| name.text().starts_with(b"\\")) {
            report.note("tex-name-backslash", ("names", Some(slot)), text(name.text()));
        }
    }
    let objects = document.objects();
    let mut is_known = vec![false; objects.models.len()];
    for (object, model) in objects.model.iter().enumerate() {
        let model = usize::try_from(*model).unwrap_or(usize::MAX);
        let Some(name) = objects.models.get(model).filter(|name| name.bytes.starts_with(b"\\")) else { continue };
        if is_known.get_mut(model).is_some_and(|known| !std::mem::replace(known, true)) {
            let uses = objects.model.iter().filter(|other| usize::try_from(**other) == Ok(model)).count();
            let text = format!("{}; {}", text(&name.bytes), counted(uses, ["object", "objects"]));
            report.note("obj-name-backslash", ("objects", Some(object)), text);
        }
    }
}

/// Reports control characters and bytes outside ASCII in a name. The codes are those of control characters and of other bytes.
fn report_bytes(name: &[u8], codes: [&'static str; 2], place: (&'static str, Option<usize>), report: &mut Report) {
    let [control, non_ascii] = codes;
    let shown = escape_bytes(name);
    if let Some(byte) = name.iter().find(|byte| byte.is_ascii_control()) {
        let kind = match byte {
            b'\n' => "line feed, ",
            b'\r' => "carriage return, ",
            b'\t' => "tab, ",
            _ => "",
        };
        let text = format_args!("\"{shown}\" contains a control character ({kind}0x{byte:02x})");
        report.warning(control, place, text);
    }
    if !name.is_ascii() {
        let text = format_args!("\"{shown}\" has bytes outside ASCII, whose code page is unknown");
        report.warning(non_ascii, place, text);
    }
}

fn check_textures(terrain: &Wvr, report: &mut Report) {
    for (slot, name) in terrain.names.iter().enumerate() {
        let (text, place) = (name.text(), ("names", Some(slot)));
        if text.len() == name.raw.len() {
            report.warning("tex-name-unterminated", place, format_args!("\"{}\" fills its slot", escape_bytes(text)));
        }
        if name.residue().iter().any(|&byte| byte != 0) {
            let text = format_args!("bytes of an older name follow \"{}\"", escape_bytes(text));
            report.note("tex-name-residue", place, text);
        }
        report_bytes(text, ["tex-name-control", "tex-name-non-ascii"], place, report);
        if text.windows(2).any(|pair| pair == b"$$") {
            report.warning(
                "tex-name-dollar",
                place,
                format_args!("\"{}\" contains $$, on which the game stops", escape_bytes(text)),
            );
        }
    }
    let (usual, found) = (Version::Wvr2.slot_count(), terrain.names.len());
    if terrain.version == Version::Wvr2 && found != usual {
        report.note("name-slots", ("names", None), format_args!("{found} texture slots: the engine reads {usual}"));
    }
    let last = terrain.names.last().map(FixedBytes::text).filter(|name| !name.is_empty());
    if let Some(name) = last
        && terrain.names.iter().rev().take(64).all(|slot| slot.text() == name)
    {
        let text = format_args!("unused slots repeat \"{}\", as WrpTool writes them", escape_bytes(name));
        report.note("tex-table-filled-with-last-name", ("names", None), text);
    }
}

/// Checks the model name of each object.
fn check_models(document: &Document, version: Option<Version>, report: &mut Report) {
    let width = version.map(|version| version.record_size().saturating_sub(version.name_offset()));
    for (place, object) in document.objects().iter().enumerate() {
        // OPRW may have objects without a model; `objects` reports them.
        let Some(name) = object.model else { continue };
        let (place, shown) = (("objects", Some(place)), escape_bytes(&name.bytes));
        if width == Some(name.bytes.len()) {
            report.warning("obj-name-unterminated", place, format_args!("\"{shown}\" fills its field"));
        }
        if !name.rest.is_empty() {
            report.note("obj-name-residue", place, format_args!("there are bytes of an older name after \"{shown}\""));
        }
        report_bytes(&name.bytes, ["obj-name-control", "obj-name-non-ascii"], place, report);
    }
}
