//! The report of a conversion.

use std::fmt::Write;

use mapwright::io::format_size;
use mapwright::scene::{Loss, LossKind};
use mapwright::{Axis, Contents, Conversion, Format};
use serde::Serialize;

use super::plan::Target;
use crate::args::{Convert, Up};
use crate::commands::{json_line, unread_files_help};
use crate::inputs::Item;
use crate::out::{Color, paint};
use crate::text::{clean, contents_line};

/// The content of a report.
pub(super) struct Facts<'a> {
    pub(super) item: &'a Item,
    pub(super) from: Format,
    pub(super) target: &'a Target,
    pub(super) conversion: &'a Conversion,
    pub(super) args: &'a Convert,
    /// `true` if nothing was written because of losses.
    pub(super) refused: bool,
    /// `true` if all losses are listed below the summary.
    pub(super) is_verbose: bool,
}

#[derive(Serialize)]
struct Report<'a> {
    schema: &'static str,
    file: String,
    from: Format,
    to: Format,
    written: bool,
    outputs: Vec<Output>,
    scale: f64,
    source_up: &'static str,
    target_up: &'static str,
    source: Contents,
    counts: Counts,
    losses: &'a [Loss],
}

#[derive(Serialize)]
struct Output {
    path: String,
    bytes: usize,
}

#[derive(Serialize)]
struct Counts {
    dropped: usize,
    approximated: usize,
    synthesized: usize,
    repaired: usize,
    preserved: usize,
}

impl Facts<'_> {
    fn outputs(&self) -> Vec<Output> {
        let Some(path) = &self.target.path else { return Vec::new() };
        let files = &self.conversion.files;
        let main = Output { path: path.display().to_string(), bytes: files.main.len() };
        let side = files
            .side
            .iter()
            .map(|file| Output { path: path.with_file_name(&file.name).display().to_string(), bytes: file.data.len() });
        [main].into_iter().chain(side).collect()
    }

    fn source_up(&self) -> &'static str {
        up_axis(self.args.source_up, self.from)
    }

    fn target_up(&self) -> &'static str {
        up_axis(self.args.target_up, self.target.format)
    }

    fn count(&self, kind: LossKind) -> usize {
        self.conversion.losses.count(kind)
    }

    fn written(&self) -> bool {
        !self.refused && !self.args.dry_run
    }

    /// `cube.wings → cube.glb`
    fn heading(&self) -> String {
        let not = if self.written() { "" } else { " (not written)" };
        let target = match self.target.path {
            None if self.args.dry_run => self.target.format.to_string(),
            _ => self.target.name(),
        };
        clean(&format!("{} → {target}{not}", self.item.name()))
    }
}

/// Returns the axis that points up: the given one, or that of the format.
fn up_axis(given: Option<Up>, format: Format) -> &'static str {
    match given.map(Axis::from).or(format.up_axis()).unwrap_or_default() {
        Axis::Y => "y",
        Axis::Z => "z",
    }
}

/// Returns the line of JSON.
pub(super) fn json(facts: &Facts<'_>) -> String {
    json_line(&Report {
        schema: "mapwright.convert/2",
        file: facts.item.name(),
        from: facts.from,
        to: facts.target.format,
        written: facts.written(),
        outputs: facts.outputs(),
        scale: facts.args.scale,
        source_up: facts.source_up(),
        target_up: facts.target_up(),
        source: facts.conversion.source,
        counts: Counts {
            dropped: facts.count(LossKind::Dropped),
            approximated: facts.count(LossKind::Approximated),
            synthesized: facts.count(LossKind::Synthesized),
            repaired: facts.count(LossKind::Repaired),
            preserved: facts.count(LossKind::Preserved),
        },
        losses: &facts.conversion.losses.items,
    })
}

/// Returns a line for each loss.
pub(super) fn losses(facts: &Facts<'_>) -> String {
    let line = |loss| format!("    {}\n", clean(&format!("{loss}")));
    facts.conversion.losses.iter().map(line).collect()
}

/// Returns the line for one of many files.
pub(super) fn line(facts: &Facts<'_>) -> String {
    let counts: Vec<String> = LossKind::ALL
        .into_iter()
        .filter(|&kind| kind != LossKind::Preserved && facts.count(kind) > 0)
        .map(|kind| format!("{} {}", facts.count(kind), kind.name()))
        .collect();
    let losses = if counts.is_empty() { "nothing lost".to_owned() } else { counts.join(", ") };
    format!("{}: {losses}\n", facts.heading())
}

/// Returns a few lines, for a single file.
pub(super) fn summary(facts: &Facts<'_>) -> String {
    let bytes: usize = facts.outputs().iter().map(|output| output.bytes).sum();
    let mut out = format!(
        "{}: {} to {}, {}",
        facts.heading(),
        facts.from,
        facts.target.format,
        format_size(bytes.max(facts.conversion.files.main.len()) as u64),
    );
    // Tile levels have no up axis. Graphs that only change their encoding have no scale either.
    let are_tiles = [facts.from, facts.target.format]
        .iter()
        .all(|format| matches!(format, Format::Wwd | Format::Tmx | Format::Tmj));
    let _ = match facts.conversion.source.elements {
        0 if are_tiles && facts.args.scale == 1.0 => writeln!(out),
        0 if are_tiles => writeln!(out, "; scale {}", facts.args.scale),
        0 => writeln!(
            out,
            "; {} up to {} up, scale {}",
            facts.source_up().to_uppercase(),
            facts.target_up().to_uppercase(),
            facts.args.scale
        ),
        _ => writeln!(out),
    };
    let _ = writeln!(out, "  {:<13} {}", "source", contents_line(&facts.conversion.source));
    for kind in LossKind::ALL.into_iter().filter(|&kind| facts.count(kind) > 0) {
        // Whole objects come before their parts: their loss matters most.
        let example = facts.conversion.losses.iter().filter(|loss| loss.kind == kind).min_by_key(|loss| rank(loss));
        let example = example.filter(|_| !facts.is_verbose);
        let example = example.map(|loss| format!(", such as {}", clean(&place_and_text(loss))));
        let _ = writeln!(out, "  {:<13} {}{}", kind.name(), facts.count(kind), example.unwrap_or_default());
    }
    if facts.conversion.losses.is_empty() {
        out.push_str("  nothing lost\n");
    }
    for help in unread_files_help(&facts.conversion.losses) {
        let _ = writeln!(out, "  {}: {help}", paint("help", Color::Cyan));
    }
    out
}

/// Ranks losses for the choice of an example: missing files and models beyond the limit of nodes come first, then losses of the whole
/// level, geometry, objects, images and materials.
fn rank(Loss { path, .. }: &Loss) -> usize {
    const ORDER: [&[&str]; 6] = [
        &["content"],
        &[],
        &["terrains", "tile_layers", "meshes", "brushes"],
        &[],
        &["images", "tile_sets"],
        &["materials", "sets"],
    ];
    if path.is_empty() {
        return 1;
    }
    let mut frames = path.frames();
    let first = frames.next().and_then(|frame| frame.name());
    if first == Some("nodes") && frames.next().is_none() {
        return 0;
    }
    ORDER.iter().position(|lists| lists.iter().any(|list| first == Some(list))).unwrap_or(3)
}

fn place_and_text(loss: &Loss) -> String {
    let text = loss.text_with_count();
    if loss.path.is_empty() { text } else { format!("{}: {text}", loss.path) }
}
