//! `mapwright extract`

use std::collections::HashSet;
use std::io;
use std::path::{Path, PathBuf};

use mapwright::io::Category;
use mapwright::query::Glob;
use mapwright::rez::{Damage, Document, File, Item as Entry, ReadError, ReadErrorKind};
use mapwright::{AnyDocument, split_archive};
use serde::Serialize;

use super::{item_options, json_line, output, repeated_failure, with_input};
use crate::args::{Extract, Global};
use crate::batch::{self, Outcome, Sort};
use crate::exit::Exit;
use crate::failure::Failure;
use crate::inputs::Item;
use crate::text::clean;

#[derive(Serialize)]
struct Report {
    schema: &'static str,
    file: String,
    output: Option<String>,
    bytes: usize,
}

/// A file to extract.
struct Extracted<'a> {
    file: &'a File,
    /// The path below the folder in the archive, with slashes. It leads out of no folder.
    path: String,
    /// `true` if an earlier file has the same path, without regard to case.
    is_repeated: bool,
}

pub(crate) fn run(args: &Extract, global: &Global) -> io::Result<Exit> {
    // `CLAW.REZ/`, as shells complete it, is no path of a file.
    let path: PathBuf = args.archive.components().collect();
    let (root, folder) = match split_archive(&path) {
        Ok(Some(split)) => split,
        // Without an archive, reading the path reports the reason.
        Ok(None) => (&*args.archive, String::new()),
        Err(error) => {
            return output::wrong(&error.to_string()).with_file(&args.archive.display().to_string()).print(global);
        }
    };
    let archive = Item::new(root);
    let options = item_options(&archive, global);
    let read = with_input(
        &archive,
        None,
        &options,
        |_| true,
        |input| match AnyDocument::from_bytes_as(&input.bytes, input.format, &options)?.into_rez() {
            Ok(document) => Ok(document),
            Err(other) => Err(mapwright::Error::Unsupported { format: other.format(), what: "extracted from" }),
        },
    );
    let document = match read {
        Ok(document) => document,
        Err(outcome) => return batch::run(&[archive], global, None, |_, _| outcome.clone()),
    };
    extract(args, &document, &folder, global)
}

fn extract(args: &Extract, archive: &Document, folder: &str, global: &Global) -> io::Result<Exit> {
    let files = match select(archive, folder, &args.patterns) {
        Ok(files) => files,
        Err(failure) => return failure.with_file(&args.archive.display().to_string()).print(global),
    };
    let mut items: Vec<Item> =
        files.iter().map(|file| Item::in_folder(args.archive.join(&file.path), &args.archive)).collect();
    // The names of the files in a damaged directory are unknown, so the directory itself is reported.
    let is_of_file = |error: &ReadError| matches!(error.kind(), ReadErrorKind::Damage(Damage::PayloadOutside { .. }));
    let damage: Vec<ReadError> = archive.damage().filter(|error| !is_of_file(error)).collect();
    items
        .extend(damage.iter().map(|error| Item::in_folder(args.archive.join(error.path().to_string()), &args.archive)));
    let places = match (&args.output.output, &args.output.dir) {
        _ if items.is_empty() => {
            let message = "cannot read this REZ archive: it contains no files".to_owned();
            let name = args.archive.display().to_string();
            Err(Failure::other(&name, Category::Unsupported.name(), Exit::Unsupported, message))
        }
        (Some(_), _) if files.len() > 1 => Err(output::not_one(files.len())),
        (Some(path), _) => Ok(vec![(path.as_os_str() != "-").then(|| path.clone())]),
        (None, Some(folder)) => Ok(files.iter().map(|file| Some(folder.join(&file.path))).collect()),
        (None, None) => Err(output::wrong("no output given").with_help("use -d DIR, or -o FILE for one file")),
    };
    let places = places.and_then(|places: Vec<Option<PathBuf>>| {
        output::keep(std::slice::from_ref(&args.archive), &places)?;
        match global.json && places.contains(&None) {
            true => Err(output::wrong("--json and the file cannot both go to standard output")),
            false => Ok(places),
        }
    });
    let places = match places {
        Ok(places) => places,
        Err(failure) => return failure.print(global),
    };
    batch::run(&items, global, None, |index, item| {
        let (Some(file), Some(place)) = (files.get(index), places.get(index)) else {
            let error = index.checked_sub(files.len()).and_then(|index| damage.get(index));
            return error.map_or(Outcome::silent(Sort::Done), |error| {
                Outcome::failed(&Failure::of_archive(&item.name(), error))
            });
        };
        write(item, file, place.as_deref(), args, global).unwrap_or_else(|failure| Outcome::failed(&failure))
    })
}

fn write(
    item: &Item,
    extracted: &Extracted<'_>,
    place: Option<&Path>,
    args: &Extract,
    global: &Global,
) -> Result<Outcome, Box<Failure>> {
    if extracted.is_repeated {
        return Err(repeated_failure(item));
    }
    let data = extracted.file.data().map_err(|error| Failure::of_archive(&item.name(), &error))?;
    if let Some(skipped) = output::skipped(&args.output, place) {
        return Ok(skipped);
    }
    let shown = output::save_output(item, place, data.to_vec(), &args.output)?;
    let place = place.map(|path| path.display().to_string());
    let messages = match (&place, global.verbose && !global.json) {
        (Some(place), true) => format!("{}\n", clean(&format!("{} → {place}", item.name()))),
        _ => String::new(),
    };
    let report = Report { schema: "mapwright.extract/1", file: item.name(), output: place, bytes: data.len() };
    Ok(Outcome { data: shown, line: json_line(&report), messages, ..Outcome::silent(Sort::Done) })
}

/// Returns the files below a folder in the archive, or the file with this path, that match one of the patterns.
///
/// # Errors
/// If the folder does not exist, or a pattern matches no file.
fn select<'a>(archive: &'a Document, folder: &str, patterns: &[String]) -> Result<Vec<Extracted<'a>>, Box<Failure>> {
    let help = "`mapwright info -v ARCHIVE` lists the files";
    let below = |(entry, file): (Entry<'a>, &'a File)| {
        let path = entry.safe_path();
        let (start, rest) =
            path.split_at_checked(folder.len()).filter(|(start, _)| start.eq_ignore_ascii_case(folder))?;
        let path = match (folder, rest) {
            ("", path) => path,
            // The file itself.
            (_, "") => start.rsplit('/').next()?,
            _ => rest.strip_prefix('/')?,
        };
        Some(Extracted { file, path: path.to_owned(), is_repeated: false })
    };
    let mut files: Vec<Extracted<'a>> = archive.files().filter_map(below).collect();
    if files.is_empty() && !folder.is_empty() {
        return Err(output::wrong(&format!("the archive has no folder or file {folder}")).with_help(help));
    }
    let patterns: Vec<Pattern<'_>> = patterns.iter().map(|pattern| Pattern::new(pattern)).collect();
    for pattern in &patterns {
        if !files.iter().any(|file| pattern.matches(&file.path)) {
            let message = format!("no file in the archive matches {}", pattern.text);
            return Err(output::wrong(&message).with_help(help));
        }
    }
    files.retain(|file| patterns.is_empty() || patterns.iter().any(|pattern| pattern.matches(&file.path)));
    let mut taken = HashSet::new();
    for file in &mut files {
        file.is_repeated = !taken.insert(file.path.to_lowercase());
    }
    Ok(files)
}

/// A pattern for files in an archive.
struct Pattern<'a> {
    text: &'a str,
    glob: Glob,
    /// Matches the files below the folders that the pattern matches.
    below: Glob,
    is_name: bool,
}

impl<'a> Pattern<'a> {
    fn new(text: &'a str) -> Self {
        let path = text.replace('\\', "/");
        let path = path.trim_matches('/');
        Self {
            text,
            glob: Glob::new(path.as_bytes()),
            below: Glob::new(format!("{path}/*").as_bytes()),
            is_name: !path.contains('/'),
        }
    }

    fn matches(&self, path: &str) -> bool {
        let name = path.rsplit('/').next().filter(|_| self.is_name);
        let globs = [&self.glob, &self.below];
        globs.iter().any(|glob| glob.matches(path.as_bytes()))
            || name.is_some_and(|name| self.glob.matches(name.as_bytes()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn paths(archive: &Document, folder: &str, patterns: &[&str]) -> Vec<String> {
        let patterns: Vec<String> = patterns.iter().map(ToString::to_string).collect();
        let files = select(archive, folder, &patterns).unwrap();
        files.into_iter().map(|file| file.path).collect()
    }

    #[test]
    fn patterns_select_files_by_path_folder_and_name() {
        let mut archive = Document::new();
        for path in ["LEVEL1\\TILES\\001.PID", "LEVEL1\\MAIN.PAL", "GAME\\MAIN.PAL", "GAME\\NUL.TXT"] {
            archive.add(path, Vec::new(), None).unwrap();
        }
        assert_eq!(paths(&archive, "", &[]).len(), 4);
        assert_eq!(paths(&archive, "", &["level1"]), ["LEVEL1/TILES/001.PID", "LEVEL1/MAIN.PAL"]);
        assert_eq!(paths(&archive, "", &["main.pal"]), ["LEVEL1/MAIN.PAL", "GAME/MAIN.PAL"]);
        assert_eq!(paths(&archive, "level1", &["TILES\\*", "*.pal"]), ["TILES/001.PID", "MAIN.PAL"]);
        assert_eq!(paths(&archive, "GAME", &["%4e?l.txt"]), ["%4eUL.TXT"]);
        assert_eq!(paths(&archive, "level1/main.pal", &[]), ["MAIN.PAL"]);
        for (folder, pattern) in [("", "none"), ("LEVEL", "*"), ("LEVEL1/TILES", "MAIN.PAL"), ("LEVEL1/MAIN.PA", "*")] {
            assert!(select(&archive, folder, &[pattern.to_owned()]).is_err(), "{folder} {pattern}");
        }
    }
}
