//! `mapwright diff`

use std::fmt::Write;
use std::io;
use std::path::Path;

use mapwright::diff::FileDiff;
use mapwright::io::format_size;
use mapwright::{AnyDocument, Error, Format, Input};

use super::{item_options, referenced_files, with_input};
use crate::args::{Diff, Global};
use crate::batch::{self, Outcome, Sort};
use crate::exit::Exit;
use crate::failure::Failure;
use crate::inputs::Item;
use crate::out;
use crate::text::{CleanLines, clean};

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
        json(&[(side, item)], |out| {
            io::Write::write_fmt(out, format_args!("\"format\":\"{format}\",\"equal\":false,\"same_bytes\":false"))
        })
    } else if global.quiet {
        Vec::new()
    } else {
        let what = if side == "new" { "added" } else { "removed" };
        format!("{}: {what}, {} of {format}\n", clean(&item.name()), format_size(bytes.len() as u64)).into_bytes()
    };
    Outcome { data, ..Outcome::silent(Sort::WithFindings) }
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
            out::protect(|| referenced_files(item, &document, global));
            Ok::<_, Error>(Side { bytes: bytes.clone(), format: *format, document })
        },
    )
}

fn outcome(old: &Item, old_side: &Side, new: &Item, new_side: &Side, global: &Global) -> Outcome {
    let sides = [old_side, new_side].map(|side| (side.bytes.as_slice(), &side.document));
    let diff = match FileDiff::between(sides[0], sides[1]) {
        Ok(diff) => diff,
        Err(error) => {
            let failure = Failure::new(&new.name(), &error);
            let help = "convert one of them to the format of the other; --from FORMAT reads both as one format";
            return Outcome::failed(&failure.with_help(help));
        }
    };
    let sort = if diff.is_equal() { Sort::Done } else { Sort::WithFindings };
    let data = if global.json {
        json(&[("old", old), ("new", new)], |out| diff.write_json_fields(out))
    } else if global.quiet || diff.has_same_bytes() {
        Vec::new()
    } else {
        let mut out = format!("--- {}\n+++ {}\n", clean(&old.name()), clean(&new.name()));
        // Writing to a string does not fail.
        let _ = write!(CleanLines::new(&mut out, ""), "{diff}");
        out.into_bytes()
    };
    Outcome { data, ..Outcome::silent(sort) }
}

/// Returns the line of JSON with these files and the given fields. Writing to memory does not fail.
fn json(sides: &[(&str, &Item)], write_fields: impl FnOnce(&mut Vec<u8>) -> io::Result<()>) -> Vec<u8> {
    let mut out = br#"{"schema":"mapwright.diff/1","#.to_vec();
    for (side, item) in sides {
        let _ = io::Write::write_fmt(&mut out, format_args!("\"{side}\":{},", serde_json::Value::from(item.name())));
    }
    let _ = write_fields(&mut out);
    out.extend_from_slice(b"}\n");
    out
}
