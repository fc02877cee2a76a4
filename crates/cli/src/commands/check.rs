//! `mapwright check`

mod definitions;
mod fix;

use std::fmt::Write;
use std::io;
use std::path::PathBuf;

use mapwright::content::{find_missing_files, list_references};
use mapwright::fgd::Definitions;
use mapwright::info::FindingCounts;
use mapwright::io::format_count;
use mapwright::io::{Finding, Severity};
use mapwright::wwd::{Fix, HeaderSize};
use mapwright::{AnyDocument, ContentSource, Error, Format, Place};
use serde::Serialize;

use super::{item_options, json_line, level_path, read_options, with_document_of};
use crate::args::{Check, Global};
use crate::batch::{self, Outcome, Sort};
use crate::exit::Exit;
use crate::failure::{Failure, PlaceJson};
use crate::inputs::{Archives, Item, expand_as};
use crate::out;
use crate::text::clean;
use fix::Plan;

#[derive(Serialize)]
struct Report<'a> {
    schema: &'static str,
    file: String,
    format: Format,
    #[serde(flatten)]
    counts: FindingCounts,
    /// `true` if there was content, in which the files of levels are looked for.
    content_searched: bool,
    findings: Vec<Row<'a>>,
    /// The repairs.
    #[serde(skip_serializing_if = "Option::is_none")]
    fixes: Option<Vec<FixRow>>,
    /// The path of the repaired file.
    #[serde(skip_serializing_if = "Option::is_none")]
    output: Option<String>,
}

#[derive(Serialize)]
struct FixRow {
    code: &'static str,
    path: String,
    message: String,
}

#[derive(Serialize)]
struct Row<'a> {
    severity: &'static str,
    code: &'static str,
    message: &'a str,
    /// Number of occurrences.
    count: usize,
    /// The first place.
    #[serde(flatten)]
    first: PlaceRow,
    /// The first places of a kind.
    #[serde(skip_serializing_if = "Option::is_none")]
    places: Option<Vec<PlaceRow>>,
}

#[derive(Serialize)]
struct PlaceRow {
    path: String,
    #[serde(flatten)]
    place: Option<PlaceJson>,
}

impl PlaceRow {
    fn new(finding: &Finding) -> Self {
        Self { path: finding.path.to_string(), place: finding.at.map(|at| Place::from(at).into()) }
    }
}

pub(crate) fn run(args: &Check, global: &Global) -> io::Result<Exit> {
    let error = if args.strict { Severity::Warning } else { Severity::Error };
    let items = expand_as(&args.inputs.files, if args.fix { Archives::Folders } else { Archives::Both });
    let plan = match args.fix.then(|| Plan::new(args, &items)).transpose() {
        Ok(plan) => plan,
        Err(failure) => return failure.print(global),
    };
    let files = match definitions::read(&args.fgd, global) {
        Ok(files) => files,
        Err(failure) => return failure.print(global),
    };
    let definitions = Definitions::new(files.iter().map(|(name, document)| (&**name, document)));
    let has_definitions = !args.fgd.is_empty();
    batch::run(&items, global, Some("with errors"), |index, item| {
        let takes = |format: Format| {
            (plan.is_none() || format == Format::Wwd)
                && (!has_definitions || matches!(format, Format::Vmap | Format::Vmf))
        };
        with_document_of(item, args.inputs.from, global, takes, |input, mut document| {
            let repaired = match plan.as_ref().map(|plan| plan.apply(index, item, &mut document)).transpose() {
                Ok(repaired) => repaired,
                Err(failure) => return Outcome::failed(&failure),
            };
            // Findings look at the file that there is now.
            let again = repaired.as_ref().filter(|(fixes, _)| !fixes.is_empty()).and_then(|_| {
                let options = read_options(global).with_header_size(HeaderSize::Any);
                AnyDocument::from_bytes_as(&document.to_bytes().ok()?, input.format, &options).ok()
            });
            let files = item_options(item, global).files();
            let checked = again.as_ref().unwrap_or(&document);
            let mut findings = checked.validate_with(&files);
            if has_definitions {
                let Some(entities) = checked.validate_entities(&definitions, &files) else {
                    let error =
                        Error::Unsupported { format: input.format, what: "checked with --fgd; supported: vmap, vmf" };
                    return Outcome::failed(&Failure::new(&item.name(), &error));
                };
                findings.extend(definitions.findings());
                findings.extend(entities);
            }
            out::protect(|| files.into_loaded());
            let content = item.content(&global.content);
            if !content.is_empty() {
                let max_bytes = global.limits.conversion().max_pixel_bytes;
                findings.extend(find_missing_files(checked, level_path(item, global).as_deref(), &content, max_bytes));
            }
            let bad = findings.iter().any(|finding| finding.severity >= error);
            let data = if global.json {
                json(item, input.format, !content.is_empty(), &findings, args.all, repaired.as_ref())
            } else {
                let fixed = repaired.as_ref().map(|repaired| fixed(item, repaired, args.dry_run)).unwrap_or_default();
                let unchecked = if global.quiet { None } else { unchecked_files(checked, &content) };
                let help = unchecked.map(|unchecked| format!("  help: {unchecked}\n")).unwrap_or_default();
                fixed + &text(item, &findings, error, args.all, global) + &help
            };
            Outcome { sort: if bad { Sort::WithFindings } else { Sort::Done }, ..Outcome::done(data) }
        })
    })
}

/// The next step for levels of Claw and Gruntz.
const LEVEL_FILES_HELP: &str = "not looked for: images, animations and sounds that the level names; --content CLAW.REZ names the \
     archive of the game, or a folder with its files";

/// Returns the next step if a level names files that were not looked for.
fn unchecked_files(document: &AnyDocument, content: &ContentSource) -> Option<String> {
    if !content.is_empty() {
        return None;
    }
    match document.format() {
        Format::Wwd => Some(LEVEL_FILES_HELP.to_owned()),
        // Without a path and content, all references are listed and none is looked for.
        Format::Vmap | Format::Wmp | Format::Vmf => {
            match list_references(document, None, content, 0).references.len() {
                0 => None,
                count => Some(format!(
                    "not looked for: {} that the level names; --content PATH names the folder with the content of the game",
                    format_count(count, "file"),
                )),
            }
        }
        _ => None,
    }
}

fn json(
    item: &Item,
    format: Format,
    content_searched: bool,
    findings: &[Finding],
    all: bool,
    repaired: Option<&(Vec<Fix>, Option<PathBuf>)>,
) -> String {
    let counts = FindingCounts::from_findings(findings);
    let kinds = kinds(findings, all);
    let findings = kinds.iter().filter_map(|kind| row(kind, all)).collect();
    let fixes = repaired.map(|(fixes, _)| {
        let row = |fix: &Fix| FixRow { code: fix.code, path: fix.path.to_string(), message: fix.message.clone() };
        fixes.iter().map(row).collect()
    });
    let output = repaired.and_then(|(_, place)| Some(place.as_ref()?.display().to_string()));
    json_line(&Report {
        schema: "mapwright.check/1",
        file: item.name(),
        format,
        counts,
        content_searched,
        findings,
        fixes,
        output,
    })
}

/// Returns the entry of a kind. `all`: the kind is a single finding.
fn row<'a>(kind: &[&'a Finding], all: bool) -> Option<Row<'a>> {
    let first = kind.first()?;
    Some(Row {
        severity: first.severity.name(),
        code: first.code,
        message: &first.message,
        count: total(kind),
        first: PlaceRow::new(first),
        places: (!all).then(|| kind.iter().take(MAX_PLACES).map(|finding| PlaceRow::new(finding)).collect()),
    })
}

/// Returns a line for each repair.
fn fixed(item: &Item, (fixes, place): &(Vec<Fix>, Option<PathBuf>), dry_run: bool) -> String {
    let to = place.as_ref().map(|place| format!(", written to {}", place.display())).unwrap_or_default();
    let would = if dry_run { " would be" } else { "" };
    let mut out =
        clean(&format!("{}: {}{would} repaired{to}", item.name(), format_count(fixes.len(), "problem"))) + "\n";
    for fix in fixes {
        let _ = writeln!(out, "  {}", clean(&format!("fixed[{}]: {fix}", fix.code)));
    }
    out
}

/// Maximum number of places that are shown for findings of one kind.
const MAX_PLACES: usize = 3;

/// One entry for each kind of finding, the worst first, and their numbers. Quiet, only those at least as bad as `error`. `all`: one
/// entry for each finding.
fn text(item: &Item, findings: &[Finding], error: Severity, all: bool, global: &Global) -> String {
    let mut out = String::new();
    let counts = FindingCounts::from_findings(findings);
    if !global.quiet {
        let FindingCounts { errors, warnings, notes } = counts;
        let counts = [(errors, "error"), (warnings, "warning"), (notes, "note")];
        let counts = counts.into_iter().filter(|(count, _)| *count > 0);
        let numbers: Vec<String> = counts.map(|(count, severity)| format_count(count, severity)).collect();
        let verdict = if numbers.is_empty() { "no findings".to_owned() } else { numbers.join(", ") };
        let _ = writeln!(out, "{}: {verdict}", clean(&item.name()));
    }
    for kind in kinds(findings, all) {
        let Some(Finding { code, severity, message, .. }) = kind.first() else { continue };
        if global.quiet && *severity < error {
            continue;
        }
        let indent = if global.quiet { format!("{}: ", item.name()) } else { "  ".to_owned() };
        let total = total(&kind);
        let count = if total > 1 { format!(" ({total} findings of this kind)") } else { String::new() };
        let _ = writeln!(out, "{}", clean(&format!("{indent}{}[{code}]: {message}{count}", severity.name())));
        let places = kind.iter().map(|finding| place(finding)).filter(|place| !place.is_empty());
        places.take(MAX_PLACES).for_each(|place| out += &(place + "\n"));
        if let Some(more @ 1..) = total.checked_sub(MAX_PLACES).filter(|_| !all) {
            let _ = writeln!(out, "    … and {more} more (--all)");
        }
    }
    out
}

/// Groups findings by severity and code, the worst first. `all`: each finding is a group.
fn kinds(findings: &[Finding], all: bool) -> Vec<Vec<&Finding>> {
    let mut sorted: Vec<&Finding> = findings.iter().collect();
    sorted.sort_by_key(|finding| std::cmp::Reverse(finding.severity));
    let mut kinds: Vec<Vec<&Finding>> = Vec::new();
    for finding in sorted {
        let kind = |kind: &&mut Vec<&Finding>| {
            !all && kind.first().is_some_and(|first| (first.severity, first.code) == (finding.severity, finding.code))
        };
        match kinds.iter_mut().find(kind) {
            Some(kind) => kind.push(finding),
            None => kinds.push(vec![finding]),
        }
    }
    kinds
}

/// Counts the occurrences of a kind. Validators shorten long lists: their last finding counts the rest.
fn total(kind: &[&Finding]) -> usize {
    kind.iter().map(|finding| finding.count).sum()
}

/// Returns the position of a finding, as the end of its line.
fn place(finding: &Finding) -> String {
    let path = if finding.path.is_empty() { String::new() } else { format!(" {}", clean(&finding.path.to_string())) };
    let at = finding.at.map(|at| format!(" at {}", Place::from(at))).unwrap_or_default();
    if path.is_empty() && at.is_empty() { String::new() } else { format!("    -->{path}{at}") }
}
