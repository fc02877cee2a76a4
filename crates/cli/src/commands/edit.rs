//! `mapwright edit`

use std::fmt::Write;
use std::io;

use mapwright::wwd::diff::Diff;
use mapwright::wwd::edit::Edit as LevelEdit;
use mapwright::{AnyDocument, Error, Format};
use serde::Serialize;

use super::{json_line, output, with_document_of};
use crate::args::{Edit, Global, Output};
use crate::batch::{self, Outcome};
use crate::exit::Exit;
use crate::failure::Failure;
use crate::inputs::{Item, expand};
use crate::out::say;
use crate::text::clean;

#[derive(Serialize)]
struct Report<'a> {
    schema: &'static str,
    file: String,
    format: Format,
    edits: &'a [Done],
    #[serde(skip_serializing_if = "Option::is_none")]
    output: Option<String>,
}

#[derive(Serialize)]
struct Done {
    edit: String,
    result: String,
}

pub(crate) fn run(args: &Edit, global: &Global) -> io::Result<Exit> {
    let wrong = |failure: Box<Failure>| {
        say(failure.text());
        Ok(failure.exit)
    };
    let edits = match edits(args) {
        Ok(edits) => edits,
        Err(failure) => return wrong(failure),
    };
    let items = expand(std::slice::from_ref(&args.file));
    // Without another place the input is replaced, if that is allowed.
    let to = match (&args.output, args.force) {
        (None, true) if args.file.as_os_str() != "-" => Some(args.file.clone()),
        (output, _) => output.clone(),
    };
    let writing = Output { output: to, dir: None, force: args.force };
    let places = match args.dry_run {
        true => vec![None; items.len()],
        false => match output::places(&writing, &items, None) {
            Ok(places) => places,
            Err(failure) => return wrong(failure.with_help("-o FILE, --force to replace the input, or --dry-run")),
        },
    };
    let to_stdout = !args.dry_run && places.contains(&None);
    if global.json && to_stdout {
        return wrong(output::wrong("--json and the file cannot both go to standard output"));
    }
    batch::run(&items, global, "odd", |index, item| {
        let takes = |format| format == Format::Wwd;
        with_document_of(item, args.from, global, takes, |input, mut document| {
            let before = document.clone();
            let done = match apply(item, &mut document, &edits) {
                Ok(done) => done,
                Err(failure) => return Outcome::failed(&failure),
            };
            let place = places.get(index).cloned().flatten();
            let mut data;
            // What cannot be written fails also where it only would be.
            let written = document.to_bytes().map_err(|error| Failure::new(&item.name(), &error));
            let put = |bytes| match args.dry_run {
                true => Ok(Vec::new()),
                false => output::put(item, place.as_deref(), bytes, &writing),
            };
            match written.and_then(put) {
                Ok(bytes) => data = bytes,
                Err(failure) => return Outcome::failed(&failure),
            }
            let mut said = String::new();
            for Done { edit, result } in &done {
                let _ = writeln!(said, "{}", clean(&format!("{edit}: {result}")));
            }
            if let (true, AnyDocument::Wwd(old), AnyDocument::Wwd(new)) = (args.dry_run, &before, &document) {
                for line in Diff::between(old, new).to_string().lines() {
                    let _ = writeln!(said, "  {}", clean(line));
                }
            }
            let output = place.map(|path| path.display().to_string());
            match (global.json, global.quiet || to_stdout) {
                (true, _) => {
                    let (file, format) = (item.name(), input.format);
                    data = json_line(&Report { schema: "mapwright.edit/1", file, format, edits: &done, output })
                        .into_bytes();
                }
                (false, false) => data = said.into_bytes(),
                (false, true) => {}
            }
            Outcome { data, ..Outcome::done(String::new()) }
        })
    })
}

/// All edits as they are written and as they are meant, those of the script first.
fn edits(args: &Edit) -> Result<Vec<(String, LevelEdit)>, Box<Failure>> {
    let mut lines = Vec::new();
    if let Some(path) = &args.script {
        let text = std::fs::read_to_string(path)
            .map_err(|error| Failure::new(&path.display().to_string(), &Error::Io(error)))?;
        // Editors of Windows begin texts with a mark.
        let said = text
            .strip_prefix('\u{feff}')
            .unwrap_or(&text)
            .lines()
            .map(str::trim)
            .filter(|line| !line.is_empty() && !line.starts_with('#'));
        lines.extend(said.map(str::to_owned));
    }
    lines.extend(args.edits.iter().cloned());
    if lines.is_empty() {
        return Err(output::wrong("there is nothing to edit").with_help("`mapwright edit --help` has the edits"));
    }
    let read = |line: String| match line.parse() {
        Ok(edit) => Ok((line, edit)),
        Err(error) => Err(output::wrong(&format!("{line}: {error}"))),
    };
    lines.into_iter().map(read).collect()
}

fn apply(item: &Item, document: &mut AnyDocument, edits: &[(String, LevelEdit)]) -> Result<Vec<Done>, Box<Failure>> {
    let format = document.format();
    let AnyDocument::Wwd(level) = document else {
        let error = Error::Unsupported { format, what: "edited; only levels can be" };
        return Err(Failure::new(&item.name(), &error));
    };
    let mut done = Vec::with_capacity(edits.len());
    for (line, edit) in edits {
        let result = level
            .apply(edit)
            .map_err(|error| Failure::other(&item.name(), "usage", Exit::Usage, format!("{line}: {error}")))?;
        done.push(Done { edit: line.clone(), result: result.to_string() });
    }
    Ok(done)
}
