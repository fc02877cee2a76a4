//! Findings of the file: header, layout, string table, bytes after the end.

use crate::{ElementId, WriteErrorKind, WriterProfile};
use mapwright_io::format_count;

use super::report::{FindingPlace, Report, short};

/// Names of attributes that Valve's programs have in memory and do not save. The names remain in the table.
const UNSAVED: &[&[u8]] = &[
    b"name",
    b"$prefix_attribute$",
    b"__bind",
    b"__RootNode",
    b"activeControlList",
    b"activeCurveList",
    b"bookmarkSet",
    b"componentSelection",
    b"componentVisibility",
    b"curveList",
    b"disableOverride",
    b"editLog",
    b"gameModel",
    b"type_dictionary",
];

pub(super) fn check(report: &mut Report<'_>) {
    let document = report.document;
    let encoding = document.header.encoding;
    if !document.header.is_writable() {
        report.error(
            "header-words",
            FindingPlace::Field("header"),
            "invalid header: its line would not read back equal",
        );
    }
    if document.elements.is_empty() {
        report.error("no-elements", FindingPlace::File, "the document has no elements and cannot be written");
    }
    if encoding.is_text() {
        line_ends(report);
        check_text(report);
        return;
    }
    if matches!(encoding.version, 6 | 8) {
        let what = "no real file of this version is known: its layout is inferred from other versions";
        report.warn("version-unverified", FindingPlace::Field("header"), what);
    }
    if !document.trailing.is_empty() {
        let what =
            format!("{} after the end, ignored by other programs", format_count(document.trailing.len(), "byte"));
        report.warn("trailing-bytes", FindingPlace::Field("trailing"), what);
    }
    unused_strings(report);
    let layout = match document.profile() {
        Some(WriterProfile::Valve) => "elements and strings are ordered as Valve's programs do",
        Some(WriterProfile::DepthFirst) => {
            "elements are ordered depth first and strings are sorted, as Blender Source Tools does"
        }
        Some(WriterProfile::BreadthFirst) => {
            "elements are ordered breadth first and strings are sorted, as srctools does"
        }
        None => "elements and strings have an unknown order: edits add to the end",
    };
    report.note("layout", FindingPlace::File, layout);
}

fn unused_strings(report: &mut Report<'_>) {
    // Curves have numbered names: keysTime_3.
    let is_known = |string: &[u8]| UNSAVED.contains(&string) || string.starts_with(b"keys");
    let mut unused = report.document.unused_strings().filter(|string| !is_known(string));
    if let Some(first) = unused.next() {
        let (count, first) = (unused.count().saturating_add(1), short(first));
        let what = format!("{} in the table, preserved; the first is {first:?}", format_count(count, "unused string"));
        report.note("strings-unused", FindingPlace::Field("strings"), what);
    }
}

/// Reports parts that text cannot represent. The document is written to find out: retained parts of a source can represent more than
/// new text.
fn check_text(report: &mut Report<'_>) {
    let document = report.document;
    let Err(error) = document.to_bytes() else { return };
    match error.kind() {
        WriteErrorKind::AmbiguousId(id) => {
            let mut owners = document.elements.iter().enumerate().filter(|(_, element)| element.id == Some(*id));
            let place =
                owners.next_back().map_or(FindingPlace::File, |(last, _)| FindingPlace::Element(ElementId::at(last)));
            report.error("guid-ambiguous", place, error.kind().to_string());
        }
        WriteErrorKind::NotInText(_) => report.error("not-in-text", FindingPlace::File, error.kind().to_string()),
        // Other errors are found in their places.
        _ => {}
    }
}

fn line_ends(report: &mut Report<'_>) {
    let Some(source) = report.document.source.as_deref() else { return };
    let lines = source.iter().filter(|byte| **byte == b'\n').count();
    let dos = source.windows(2).filter(|two| *two == b"\r\n").count();
    if dos > 0 && dos < lines {
        let what = format!("mixed line ends: CR LF in {dos} of {}, else LF", format_count(lines, "line"));
        report.warn("line-ends", FindingPlace::File, what);
    }
}
