//! `mapwright diff`

use std::fmt::{self, Write as _};
use std::io::{self, Write};
use std::path::Path;

use mapwright::dmx::diff::Diff as GraphDiff;
use mapwright::etf::diff::Diff as TermDiff;
use mapwright::vmap::diff::Diff as VmapDiff;
use mapwright::wings::diff::Diff as WingsDiff;
use mapwright::wmp::diff::Diff as MapDiff;
use mapwright::wrp::diff::Diff as TerrainDiff;
use mapwright::wwd::diff::Diff as LevelDiff;
use mapwright::{AnyDocument, Error, Format, Input, Place, Roundtrip, compare, write_level_diff_json};

use super::{item_options, with_input};
use crate::args::{Diff, Global};
use crate::batch::{self, Outcome, Sort};
use crate::exit::Exit;
use crate::failure::Failure;
use crate::inputs::Item;
use crate::text::{CleanLines, clean, hex_difference, size};

pub(crate) fn run(args: &Diff, global: &Global) -> io::Result<Exit> {
    let items: Vec<Item> = args.files.iter().map(|path| Item { path: path.clone(), folder: None }).collect();
    let [old, new] = <[Item; 2]>::try_from(items).expect("clap takes two files");
    batch::run(std::slice::from_ref(&new), global, "different", |_, new| {
        match [&old, new].map(|item| item.path == Path::new(ABSENT)) {
            [true, false] => return alone(new, "new", args, global),
            [false, true] => return alone(&old, "old", args, global),
            _ => {}
        }
        let sides = read(&old, args.from, global).and_then(|old| Ok((old, read(new, args.from, global)?)));
        match sides {
            Ok((old_side, new_side)) => outcome(&old, &old_side, new, &new_side, global),
            Err(outcome) => outcome,
        }
    })
}

/// What Git compares a file with that is on one side only.
const ABSENT: &str = "/dev/null";

/// A file that is on one side only: old or new.
fn alone(item: &Item, side: &str, args: &Diff, global: &Global) -> Outcome {
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
    Outcome { data: data.into_bytes(), ..Outcome::silent(Sort::Found) }
}

/// A file with what it says.
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

/// What differs between two documents of a format that has a comparison of its own.
pub(super) enum DocumentDiff {
    Level(LevelDiff),
    Terrain(TerrainDiff),
    Map(MapDiff),
    Vmap(VmapDiff),
    Graph(GraphDiff),
    Wings(WingsDiff),
    Term(TermDiff),
}

impl DocumentDiff {
    pub(super) fn between(old: &AnyDocument, new: &AnyDocument) -> Option<Self> {
        match (old, new) {
            (AnyDocument::Wwd(old), AnyDocument::Wwd(new)) => Some(Self::Level(LevelDiff::between(old, new))),
            (AnyDocument::Wrp(old), AnyDocument::Wrp(new)) => Some(Self::Terrain(TerrainDiff::between(old, new))),
            (AnyDocument::Wmp(old), AnyDocument::Wmp(new)) => Some(Self::Map(MapDiff::between(old, new))),
            (AnyDocument::Vmap(old), AnyDocument::Vmap(new)) => Some(Self::Vmap(VmapDiff::between(old, new))),
            (AnyDocument::Dmx(old), AnyDocument::Dmx(new)) => Some(Self::Graph(GraphDiff::between(old, new))),
            (AnyDocument::Wings(old), AnyDocument::Wings(new)) => Some(Self::Wings(WingsDiff::between(old, new))),
            (AnyDocument::Etf(old), AnyDocument::Etf(new)) => {
                Some(Self::Term(TermDiff::between(old.tree().root(), new.tree().root())))
            }
            _ => None,
        }
    }

    /// As a key of an object, behind others.
    pub(super) fn write_json(&self, out: &mut Vec<u8>) -> io::Result<()> {
        let key = match self {
            Self::Level(_) => "level",
            Self::Terrain(_) => "terrain",
            Self::Map(_) => "map",
            Self::Vmap(_) => "vmap",
            Self::Graph(_) => "graph",
            Self::Wings(_) => "wings",
            Self::Term(_) => "term",
        };
        write!(out, ",\"{key}\":")?;
        match self {
            Self::Level(level) => return write_level_diff_json(out, level),
            Self::Terrain(terrain) => serde_json::to_writer(out, terrain),
            Self::Map(map) => serde_json::to_writer(out, map),
            Self::Vmap(map) => serde_json::to_writer(out, map),
            Self::Graph(graph) => serde_json::to_writer(out, graph),
            Self::Wings(scene) => serde_json::to_writer(out, scene),
            Self::Term(term) => serde_json::to_writer(out, term),
        }
        .map_err(Into::into)
    }

    fn is_empty(&self) -> bool {
        match self {
            Self::Level(level) => level.is_empty(),
            Self::Terrain(terrain) => terrain.is_empty(),
            Self::Map(map) => map.is_empty(),
            Self::Vmap(map) => map.is_empty(),
            Self::Graph(graph) => graph.is_empty(),
            Self::Wings(scene) => scene.is_empty(),
            Self::Term(term) => term.is_empty(),
        }
    }
}

impl fmt::Display for DocumentDiff {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Level(level) => level.fmt(f),
            Self::Terrain(terrain) => terrain.fmt(f),
            Self::Map(map) => map.fmt(f),
            Self::Vmap(map) => map.fmt(f),
            Self::Graph(graph) => graph.fmt(f),
            Self::Wings(scene) => scene.fmt(f),
            Self::Term(term) => term.fmt(f),
        }
    }
}

fn outcome(old: &Item, old_side: &Side, new: &Item, new_side: &Side, global: &Global) -> Outcome {
    let same_bytes = old_side.bytes == new_side.bytes;
    if !same_bytes && old_side.format != new_side.format {
        let message = format!(
            "{} and {} are not compared: {} is {}",
            old_side.format,
            new_side.format,
            old.name(),
            old_side.format
        );
        let failure = Failure::other(&new.name(), "unsupported", Exit::Unsupported, message);
        let help = "convert one of them to the format of the other; --from FORMAT takes both for one format";
        return Outcome::failed(&failure.with_help(help));
    }
    let diff = DocumentDiff::between(&old_side.document, &new_side.document);
    // Formats without a comparison of their own have one of bytes, with its place.
    let found = (!same_bytes && diff.is_none() && old_side.format == new_side.format)
        .then(|| compare(&old_side.bytes, &old_side.document, &new_side.bytes, Some(&new_side.document)));
    let equal = match (&diff, &found) {
        (Some(diff), _) => diff.is_empty(),
        (None, Some(found)) => !matches!(found, Roundtrip::Different(_)),
        (None, None) => same_bytes,
    };
    let sort = if equal { Sort::Done } else { Sort::Found };
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

/// What every line for programs begins with.
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
        diff.write_json(&mut out)?;
    }
    if let Some(Roundtrip::Different(first) | Roundtrip::Payload(first)) = found {
        let path = serde_json::Value::from(first.path.to_string());
        write!(out, ",\"first\":{{\"at\":\"{}\",\"path\":{path}}}", Place::from(first.at))?;
    }
    out.extend_from_slice(b"}\n");
    Ok(out)
}
