//! The files of `mapwright check --fgd`.

use std::collections::HashSet;
use std::fs::File;
use std::path::{Path, PathBuf};

use mapwright::fgd::{Document, ReadOptions};
use mapwright::io::{ErrorKind, Limits};
use mapwright::scene::FileKind;
use mapwright::{ContentSource, Error, External, FilesBeside};

use crate::args::Global;
use crate::commands::read_options;
use crate::exit::Exit;
use crate::failure::Failure;

/// Maximum number of files. Games have less than 20.
const MAX_FILES: usize = 1000;

/// A file whose included files are being read.
struct Open {
    name: String,
    document: Document,
    /// The names of included files that were not read yet, the first one last.
    includes: Vec<String>,
}

/// Reads files of definitions and those that they include, in the order in which they apply. Included files are in the folder of the given
/// file or below it; those that are missing are left out.
pub(super) fn read(paths: &[PathBuf], global: &Global) -> Result<Vec<(String, Document)>, Box<Failure>> {
    let limits = read_options(global).limits;
    let mut files = Vec::new();
    let mut known = HashSet::new();
    for path in paths {
        // The check for links is that of files beside a document.
        let beside = FilesBeside::new(Some(path), External::Beside, ContentSource::default(), limits.max_input);
        let mut open = Vec::new();
        if known.insert(identity(path)) {
            open.push(read_file(path, &limits)?);
        }
        while let Some(file) = open.last_mut() {
            let Some(include) = file.includes.pop() else {
                files.extend(open.pop().map(|file| (file.name, file.document)));
                continue;
            };
            let Some(include) = match_case(path.parent().unwrap_or(Path::new("")), &include) else { continue };
            let Ok(found) = beside.find(&include, FileKind::Data) else { continue };
            if known.len() < MAX_FILES && known.insert(identity(&found)) {
                open.push(read_file(&found, &limits)?);
            }
        }
    }
    Ok(files)
}

/// Returns the name of a file in a folder or below it as the system has it. Windows, for which the files are written, ignores case.
fn match_case(folder: &Path, name: &str) -> Option<String> {
    let mut folder = if folder.as_os_str().is_empty() { PathBuf::from(".") } else { folder.to_owned() };
    let mut parts = Vec::new();
    for part in name.split(['/', '\\']).filter(|part| !part.is_empty() && *part != ".") {
        if part == ".." {
            return None;
        }
        let entries = std::fs::read_dir(&folder).ok()?.take(100_000).filter_map(Result::ok);
        let names = entries.filter_map(|entry| entry.file_name().into_string().ok());
        // If several match, the one with the same case wins.
        let same: Vec<String> = names.filter(|name| name.to_lowercase() == part.to_lowercase()).collect();
        let found = same.iter().find(|name| *name == part).or(same.first())?;
        folder.push(found);
        parts.push(found.clone());
    }
    Some(parts.join("/"))
}

/// Returns a path that is the same for all names of a file.
fn identity(path: &Path) -> PathBuf {
    path.canonicalize().unwrap_or_else(|_| path.to_owned())
}

fn read_file(path: &Path, limits: &Limits) -> Result<Open, Box<Failure>> {
    let name = path.display().to_string();
    let file = File::open(path).map_err(|error| Failure::new(&name, &Error::Io(error)))?;
    let document = Document::from_reader_with(file, &ReadOptions::default().with_limits(limits.clone()));
    let document = document.map_err(|error| {
        let category = error.category();
        let failure = Failure::other(&name, category.name(), Exit::from_category(category), error.to_string());
        match error.kind().help() {
            Some(help) => failure.with_help(&help),
            None => failure,
        }
    })?;
    let mut includes: Vec<String> = document.includes().map(std::borrow::Cow::into_owned).collect();
    includes.reverse();
    Ok(Open { name, document, includes })
}
