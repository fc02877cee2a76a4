//! `mapwright info`

mod dmx;
mod scene;
mod table;
mod wings;
mod wmp;
mod wrp;
mod wwd;

use std::fmt::Write;
use std::io;

use mapwright::FilesBeside;
use mapwright::info::{FindingCounts, Info, MaterialUse, TermInfo};
use mapwright::io::escape;
use serde::Serialize;

use super::{item_options, json_line, with_document};
use crate::args::{self, Global};
use crate::batch::{self, Outcome};
use crate::exit::Exit;
use crate::inputs::{Item, expand};
use crate::text::{clean, count, quoted, size};

#[derive(Serialize)]
struct Report<'a> {
    schema: &'static str,
    file: String,
    bytes: usize,
    #[serde(flatten)]
    info: &'a Info,
}

pub(crate) fn run(args: &args::Info, global: &Global) -> io::Result<Exit> {
    if args.table || args.csv.is_wanted() {
        return table::run(args, global);
    }
    let inputs = &args.inputs;
    batch::run(&expand(&inputs.files), global, "odd", |_, item| {
        with_document(item, inputs.from, global, |input, document| {
            let info = document.info(Some(&FilesBeside::new(&item_options(item, global))));
            let bytes = input.bytes.len();
            Outcome::done(match global.json {
                true => json_line(&Report { schema: "mapwright.info/1", file: item.name(), bytes, info: &info }),
                false => text(item, bytes, &info),
            })
        })
    })
}

fn text(item: &Item, bytes: usize, info: &Info) -> String {
    let mut out = String::new();
    let version = info.wings.as_ref().map(|wings| u32::from(wings.version));
    let version = version.or(info.vmap.as_ref().map(|vmap| vmap.format_version));
    let version = version.map(|version| format!(", version {version}")).unwrap_or_default();
    let _ = writeln!(out, "{}: {}{version}, {}", clean(&item.name()), info.title, size(bytes as u64));
    if let Some(problem) = &info.problem {
        line(&mut out, "problem", &clean(problem));
    }
    if let Some(wings) = &info.wings {
        let writer = match wings.writer {
            Some(releases) => format!("Wings 3D {releases}"),
            None => "any release of Wings 3D".to_owned(),
        };
        line(&mut out, "written by", &writer);
    }
    if let Some(term) = &info.term {
        line(&mut out, "term", &term_line(term));
        if info.wings.is_none() {
            line(&mut out, "begins", &term.start);
        }
    }
    if let Some(graph) = &info.dmx {
        dmx::graph(&mut out, graph, info.vmap.is_some());
    }
    if let Some(vmap) = &info.vmap {
        dmx::map(&mut out, vmap);
    }
    if let Some(wings) = &info.wings {
        wings::text(&mut out, wings);
    }
    if let Some(level) = &info.wwd {
        wwd::text(&mut out, level);
    }
    if let Some(map) = &info.wmp {
        wmp::text(&mut out, map);
    }
    if let Some(terrain) = &info.wrp {
        wrp::text(&mut out, terrain);
    }
    if let Some(scene) = &info.scene {
        scene::text(&mut out, scene);
    }
    if let Some(axes) = info.axes {
        let unit = info.metres_per_unit.map_or("no unit".to_owned(), |metres| format!("1 unit is {metres} m"));
        line(&mut out, "frame", &format!("{axes}, {unit}"));
    }
    let FindingCounts { errors, warnings, notes } = info.findings;
    let findings = match errors + warnings + notes {
        0 => "nothing found".to_owned(),
        _ => [count(errors, "error"), count(warnings, "warning"), count(notes, "note")].join(", "),
    };
    line(&mut out, "check", &findings);
    out
}

fn term_line(term: &TermInfo) -> String {
    let profile = match term.profile {
        Some(profile) => profile.to_owned(),
        None => format!("no profile, nearest {}", term.nearest_profile),
    };
    let packed = term.packed_bytes.map(|bytes| format!("{} packed, ", size(bytes as u64))).unwrap_or_default();
    let trailing = match term.trailing_bytes {
        0 => String::new(),
        bytes => format!(", {} behind it", size(bytes as u64)),
    };
    let terms = count(term.terms, "term");
    format!("{}, {profile}, {packed}{}, {terms}{trailing}", term.packing, size(term.bytes as u64))
}

/// A line of the summary.
fn line(out: &mut String, title: &str, text: &str) {
    let _ = writeln!(out, "  {title:<11} {text}");
}

/// Lines of a list below its title; of very long lists the first.
fn list(out: &mut String, title: &str, lines: &[String]) {
    const SHOWN: usize = 100;
    if lines.is_empty() {
        return;
    }
    let _ = writeln!(out, "  {title} ({})", lines.len());
    for line in lines.iter().take(SHOWN) {
        let _ = writeln!(out, "    {line}");
    }
    if let Some(more) = lines.len().checked_sub(SHOWN).filter(|&more| more > 0) {
        let _ = writeln!(out, "    … and {more} more; --json shows all");
    }
}

/// Materials with the numbers of their faces; nothing where there are none.
fn used(materials: &[MaterialUse]) -> Option<String> {
    let all = materials.iter().map(|used| format!("{} × {}", used.faces, escape(used.name.as_bytes())));
    Some(all.collect::<Vec<_>>().join(", ")).filter(|text| !text.is_empty())
}

/// Names in quotes, with commas.
fn names(names: &[String]) -> String {
    names.iter().map(|name| quoted(name)).collect::<Vec<_>>().join(", ")
}
