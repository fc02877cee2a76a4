//! `mapwright diff`

use std::fmt::Write as _;
use std::io::{self, Write};
use std::path::Path;

use mapwright::{AnyDocument, DocumentDiff, Error, Format, Input, Place, Roundtrip, compare};

use super::{item_options, with_input};
use crate::args::{Diff, Global};
use crate::batch::{self, Outcome, Sort};
use crate::exit::Exit;
use crate::failure::Failure;
use crate::inputs::Item;
use crate::text::{CleanLines, clean, hex_difference, size};

pub(crate) fn run(args: &Diff, global: &Global) -> io::Result<Exit> {
    let [old, new] = [&args.old, &args.new].map(Item::new);
    batch::run(std::slice::from_ref(&new), global, Some("different"), |_, new| {
        match [&old, new].map(|item| item.path == Path::new(ABSENT)) {
            [true, false] => return report_one_sided(new, "new", args, global),
            [false, true] => return report_one_sided(&old, "old", args, global),
            _ => {}
        }
        let sides = read(&old, args.from, global).and_then(|old| Ok((old, read(new, args.from, global)?)));
        match sides {
            Ok((old_side, new_side)) => outcome(&old, &old_side, new, &new_side, global),
            Err(outcome) => outcome,
        }
    })
}

/// The path that Git passes for a file that does not exist on one side.
const ABSENT: &str = "/dev/null";

/// A file that is on one side only: old or new.
fn report_one_sided(item: &Item, side: &str, args: &Diff, global: &Global) -> Outcome {
    let Side { format, bytes, .. } = match read(item, args.from, global) {
        Ok(side) => side,
        Err(outcome) => return outcome,
    };
    let data = if global.json {
        json_start(&[(side, item)], format, false, false) + "}\n"
    } else if global.quiet {
        String::new()
    } else {
        let what = if side == "new" { "added" } else { "removed" };
        format!("{}: {what}, {} of {format}\n", clean(&item.name()), size(bytes.len() as u64))
    };
    Outcome { data: data.into_bytes(), ..Outcome::silent(Sort::WithFindings) }
}

/// A file and its content.
struct Side {
    bytes: Vec<u8>,
    format: Format,
    document: AnyDocument,
}

fn read(item: &Item, from: Option<Format>, global: &Global) -> Result<Side, Outcome> {
    let options = item_options(item, global);
    with_input(
        item,
        from,
        &options,
        |_| true,
        |Input { bytes, format, .. }| {
            let document = AnyDocument::from_bytes_as(bytes, *format, &options)?;
            Ok::<_, Error>(Side { bytes: bytes.clone(), format: *format, document })
        },
    )
}

fn outcome(old: &Item, old_side: &Side, new: &Item, new_side: &Side, global: &Global) -> Outcome {
    let same_bytes = old_side.bytes == new_side.bytes;
    if !same_bytes && old_side.format != new_side.format {
        let message = format!("cannot compare {} with {}", old_side.format, new_side.format);
        let failure = Failure::other(&new.name(), "unsupported", Exit::Unsupported, message);
        let help = "convert one of them to the format of the other; --from FORMAT reads both as one format";
        return Outcome::failed(&failure.with_help(help));
    }
    let diff = old_side.document.diff(&new_side.document);
    // Formats without a comparison of their own have one of bytes, with its place.
    let found = (!same_bytes && diff.is_none() && old_side.format == new_side.format)
        .then(|| compare(&old_side.bytes, &old_side.document, &new_side.bytes, Some(&new_side.document)));
    let equal = match (&diff, &found) {
        (Some(diff), _) => diff.is_empty(),
        (None, Some(found)) => !matches!(found, Roundtrip::Different(_)),
        (None, None) => same_bytes,
    };
    let sort = if equal { Sort::Done } else { Sort::WithFindings };
    let data = if global.json {
        json(old, old_side, new, new_side, equal, diff.as_ref(), found.as_ref()).unwrap_or_default()
    } else if global.quiet {
        Vec::new()
    } else {
        text(old, old_side, new, new_side, diff.as_ref(), found.as_ref()).into_bytes()
    };
    Outcome { data, ..Outcome::silent(sort) }
}

fn text(
    old: &Item,
    old_side: &Side,
    new: &Item,
    new_side: &Side,
    diff: Option<&DocumentDiff>,
    found: Option<&Roundtrip>,
) -> String {
    if old_side.bytes == new_side.bytes {
        return String::new();
    }
    let mut out = format!("--- {}\n+++ {}\n", clean(&old.name()), clean(&new.name()));
    match (diff, found) {
        (Some(diff), _) => {
            if diff.is_empty() {
                out.push_str("the same content, stored in other bytes\n");
            }
            // Writing to a string does not fail. Of the same content there may be something to say still.
            let _ = write!(CleanLines::new(&mut out, ""), "{diff}");
        }
        (None, Some(Roundtrip::Payload(_))) => out.push_str("the same content in other bytes\n"),
        (None, Some(Roundtrip::Different(difference))) => {
            let path = difference.path.to_string();
            let path = if path.is_empty() { path } else { format!(" in {}", clean(&path)) };
            let _ = writeln!(out, "first difference at {}{path}", Place::from(difference.at));
            out += &hex_difference(difference.start, &difference.expected, &difference.found, "   | ");
        }
        _ => {}
    }
    out
}

/// Returns the first fields of the line of JSON.
fn json_start(sides: &[(&str, &Item)], format: Format, equal: bool, same_bytes: bool) -> String {
    let mut out = "{\"schema\":\"mapwright.diff/1\"".to_owned();
    for (side, item) in sides {
        let _ = write!(out, ",\"{side}\":{}", serde_json::Value::from(item.name()));
    }
    let _ = write!(out, ",\"format\":\"{format}\",\"equal\":{equal},\"same_bytes\":{same_bytes}");
    out
}

fn json(
    old: &Item,
    old_side: &Side,
    new: &Item,
    new_side: &Side,
    equal: bool,
    diff: Option<&DocumentDiff>,
    found: Option<&Roundtrip>,
) -> io::Result<Vec<u8>> {
    let same_bytes = old_side.bytes == new_side.bytes;
    let mut out = json_start(&[("old", old), ("new", new)], new_side.format, equal, same_bytes).into_bytes();
    if let Some(diff) = diff {
        diff.write_json_field(&mut out)?;
    }
    if let Some(Roundtrip::Different(first) | Roundtrip::Payload(first)) = found {
        let path = serde_json::Value::from(first.path.to_string());
        write!(out, ",\"first\":{{\"at\":\"{}\",\"path\":{path}}}", Place::from(first.at))?;
    }
    out.extend_from_slice(b"}\n");
    Ok(out)
}
