//! The command `roundtrip`.

use std::fmt::Write;
use std::io;

use mapwright::excerpt::{hex_difference, text_line};
use mapwright::io::format_size;
use mapwright::{AnyDocument, Difference, Format, Place, Roundtrip, roundtrip};
use serde::Serialize;

use super::{item_options, json_line, referenced_files, warn, with_input};
use crate::args::{self, Global, Inputs};
use crate::batch::{self, Outcome, Sort};
use crate::exit::Exit;
use crate::failure::PlaceJson;
use crate::inputs::{Archives, Item, expand_as};
use crate::out::{self, Color, paint};
use crate::text::clean;

#[derive(Serialize)]
struct Report<'a> {
    schema: &'static str,
    file: String,
    format: Format,
    bytes: usize,
    /// `exact`, `payload` or `different`.
    result: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    difference: Option<DifferenceReport<'a>>,
}

#[derive(Serialize)]
struct DifferenceReport<'a> {
    #[serde(flatten)]
    place: PlaceJson,
    path: String,
    /// Offset of the first byte of the excerpts.
    start: u64,
    expected: &'a [u8],
    found: &'a [u8],
}

pub(crate) fn run(args: &args::Roundtrip, global: &Global) -> io::Result<Exit> {
    let inputs: &Inputs = &args.inputs;
    batch::run(&expand_as(&inputs.files, Archives::Both), global, Some("different"), |_, item| {
        let options = item_options(item, global);
        let done = with_input(
            item,
            inputs.from,
            &options,
            |format| format.access().lossless,
            |input| {
                out::protect(|| {
                    let document = AnyDocument::from_bytes_as(&input.bytes, input.format, &options);
                    document.map(|document| referenced_files(item, &document, global)).unwrap_or_default()
                });
                let result = roundtrip(&input.bytes, input.format, &options)?;
                let mut outcome = outcome(item, input.format, &input.bytes, &result, global);
                outcome.messages.insert_str(0, &warn(item, input, global.quiet));
                Ok(outcome)
            },
        );
        done.unwrap_or_else(|outcome| outcome)
    })
}

fn outcome(item: &Item, format: Format, bytes: &[u8], result: &Roundtrip, global: &Global) -> Outcome {
    let (name, words, difference) = match result {
        Roundtrip::Exact => ("exact", "byte for byte", None),
        Roundtrip::Payload(difference) => ("payload", "the same content in other bytes", Some(difference)),
        Roundtrip::Different(difference) => ("different", "different", Some(difference)),
    };
    let data = if global.json {
        json_line(&Report {
            schema: "mapwright.roundtrip/1",
            file: item.name(),
            format,
            bytes: bytes.len(),
            result: name,
            difference: difference.map(|difference| DifferenceReport {
                place: Place::from(difference.at).into(),
                path: difference.path.to_string(),
                start: difference.start,
                expected: &difference.expected,
                found: &difference.found,
            }),
        })
    } else if global.quiet && difference.is_none() {
        String::new()
    } else {
        format!("{}: {words}, {format}, {}\n", clean(&item.name()), format_size(bytes.len() as u64))
    };
    let messages = difference.map(|difference| text(item, bytes, difference)).unwrap_or_default();
    Outcome {
        messages,
        sort: if difference.is_some() { Sort::WithFindings } else { Sort::Done },
        ..Outcome::done(data)
    }
}

fn text(item: &Item, bytes: &[u8], difference: &Difference) -> String {
    let mut out = format!(
        "{}: {} differs at {}",
        paint("error[roundtrip]", Color::Red),
        clean(&item.name()),
        Place::from(difference.at)
    );
    if !difference.path.is_empty() {
        let _ = write!(out, " in {}", clean(&difference.path.to_string()));
    }
    out.push('\n');
    if let Place::Line { line, column } = Place::from(difference.at) {
        out.push_str(&text_line(bytes, line, column, "   | "));
    }
    out.push_str(&hex_difference(difference.start, &difference.expected, &difference.found, "   | "));
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use mapwright::io::{Frame, LineColumn, Position};

    #[test]
    fn a_difference_is_shown_with_its_place() {
        let item = Item::new("a.etf");
        let difference = Difference {
            at: Position::inflated(3),
            path: [Frame::Index(1)].into_iter().collect(),
            start: 0,
            expected: vec![1, 2, 3, 4],
            found: vec![1, 2, 3, 5],
        };
        let bytes = [1, 2, 3, 4];
        let lines = text(&item, &bytes, &difference);
        assert!(lines.starts_with("error[roundtrip]: a.etf differs at offset 3 (0x3) of the inflated data in [1]\n"));
        assert!(
            lines.contains("   | - 00000000  01 02 03 04") && lines.contains("   | + 00000000  01 02 03 05"),
            "{lines}"
        );
        let global = <crate::args::Cli as clap::Parser>::parse_from(["mapwright", "--json", "formats"]).global;
        let outcome = outcome(&item, Format::Etf, &bytes, &Roundtrip::Different(difference.clone()), &global);
        assert_eq!(outcome.sort, Sort::WithFindings);
        let json: serde_json::Value = serde_json::from_slice(&outcome.data).unwrap();
        assert_eq!((&json["difference"]["space"], &json["difference"]["path"]), (&"inflated".into(), &"[1]".into()));
        let at = Position { text: Some(LineColumn { line: 2, column: 3 }), ..Position::file(6) };
        let lines = text(&item, b"\"a\"\n\"bc\"\n", &Difference { at, ..difference });
        assert!(lines.contains("line 2, column 3 in [1]\n   | 2  \"bc\"\n   |      ^\n"), "{lines}");
    }
}
