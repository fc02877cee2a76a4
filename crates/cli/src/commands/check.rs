//! `mapwright check`

use std::fmt::Write;
use std::io;

use mapwright::info::FindingCounts;
use mapwright::io::{Finding, Severity};
use mapwright::{Format, Place};
use serde::Serialize;

use super::{json_line, with_document};
use crate::args::{Check, Global};
use crate::batch::{self, Outcome, Sort};
use crate::exit::Exit;
use crate::failure::PlaceJson;
use crate::inputs::{Item, expand};
use crate::text::{clean, count};

#[derive(Serialize)]
struct Report<'a> {
    schema: &'static str,
    file: String,
    format: Format,
    #[serde(flatten)]
    counts: FindingCounts,
    findings: Vec<Row<'a>>,
}

#[derive(Serialize)]
struct Row<'a> {
    severity: &'static str,
    code: &'static str,
    message: &'a str,
    path: String,
    #[serde(flatten)]
    place: Option<PlaceJson>,
}

pub(crate) fn run(args: &Check, global: &Global) -> io::Result<Exit> {
    let error = if args.strict { Severity::Warning } else { Severity::Error };
    batch::run(&expand(&args.inputs.files), global, "with errors", |_, item| {
        with_document(item, args.inputs.from, global, |input, document| {
            let findings = document.validate();
            let counts = FindingCounts::of(&findings);
            let bad = findings.iter().any(|finding| finding.severity >= error);
            let data = if global.json {
                json(item, input.format, counts, &findings)
            } else {
                text(item, &findings, error, global)
            };
            Outcome { sort: if bad { Sort::Found } else { Sort::Done }, ..Outcome::done(data) }
        })
    })
}

fn json(item: &Item, format: Format, counts: FindingCounts, findings: &[Finding]) -> String {
    let findings = findings.iter().map(|finding| Row {
        severity: finding.severity.name(),
        code: finding.code,
        message: &finding.message,
        path: finding.path.to_string(),
        place: finding.at.map(|at| Place::from(at).into()),
    });
    let findings = findings.collect();
    json_line(&Report { schema: "mapwright.check/1", file: item.name(), format, counts, findings })
}

/// One line for each finding, the worst first, and their numbers. Quiet, only those at least as bad as `error`.
fn text(item: &Item, findings: &[Finding], error: Severity, global: &Global) -> String {
    let mut out = String::new();
    let counts = FindingCounts::of(findings);
    if !global.quiet {
        let FindingCounts { errors, warnings, notes } = counts;
        let numbers = [count(errors, "error"), count(warnings, "warning"), count(notes, "note")];
        let verdict = if findings.is_empty() { "nothing found".to_owned() } else { numbers.join(", ") };
        let _ = writeln!(out, "{}: {verdict}", clean(&item.name()));
    }
    let mut sorted: Vec<&Finding> = findings.iter().collect();
    sorted.sort_by_key(|finding| std::cmp::Reverse(finding.severity));
    for finding in sorted {
        if !global.quiet || finding.severity >= error {
            let indent = if global.quiet { format!("{}: ", item.name()) } else { "  ".to_owned() };
            let Finding { code, severity, message, .. } = finding;
            let _ = writeln!(
                out,
                "{}{}",
                clean(&format!("{indent}{}[{code}]: {message}", severity.name())),
                place(finding)
            );
        }
    }
    out
}

/// Where a finding stands, as the end of its line.
fn place(finding: &Finding) -> String {
    let path = if finding.path.is_empty() { String::new() } else { format!(" {}", clean(&finding.path.to_string())) };
    let at = finding.at.map(|at| format!(" at {}", Place::from(at))).unwrap_or_default();
    if path.is_empty() && at.is_empty() { String::new() } else { format!("\n    -->{path}{at}") }
}
