//! Where the result of a conversion goes.

use std::collections::HashMap;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use mapwright::interchange::Files;
use mapwright::{Error, SaveOptions, save_set};

use crate::args::Convert;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::inputs::Item;

/// Saves files, and keeps in mind which were saved beside others: several inputs may share a picture.
pub(super) struct Saver<'a> {
    pub(super) args: &'a Convert,
    beside: Mutex<HashMap<PathBuf, u64>>,
}

impl<'a> Saver<'a> {
    pub(super) fn new(args: &'a Convert) -> Self {
        Self { args, beside: Mutex::default() }
    }

    /// Saves what came of one input: the files beside it first.
    pub(super) fn save(&self, item: &Item, path: &Path, files: &Files) -> Result<(), Box<Failure>> {
        let folder = path.parent().unwrap_or(Path::new(""));
        if self.args.dir.is_some() {
            std::fs::create_dir_all(folder)
                .map_err(|error| Failure::other(&folder.display().to_string(), "io", Exit::Io, error.to_string()))?;
        }
        let beside: Vec<(PathBuf, &[u8])> =
            files.side.iter().map(|file| (folder.join(&file.name), &*file.data)).collect();
        let mut set: Vec<(&Path, &[u8])> = Vec::with_capacity(beside.len() + 1);
        for (path, data) in &beside {
            if self.is_new(item, path, data)? {
                set.push((path, data));
            }
        }
        set.push((path, &files.main));
        if let Some((path, _)) = set.iter().find(|(path, _)| is_same_file(&item.path, path)) {
            let message = format!("{} would be written over what is read", path.display());
            return Err(Failure::other(&item.name(), "usage", Exit::Usage, message));
        }
        let options = SaveOptions::default().with_overwrite(self.args.force);
        save_set(&set, options).map_err(|error| failure(item, &error))
    }

    /// Whether a file is still to be written; an error if another input has one of that name and other content.
    fn is_new(&self, item: &Item, path: &Path, data: &[u8]) -> Result<bool, Box<Failure>> {
        let mut hasher = DefaultHasher::new();
        data.hash(&mut hasher);
        let hash = hasher.finish();
        let mut beside = self.beside.lock().unwrap_or_else(PoisonError::into_inner);
        match beside.get(path) {
            None => {
                beside.insert(path.to_owned(), hash);
                Ok(true)
            }
            Some(&other) if other == hash => Ok(false),
            Some(_) => {
                let message = format!("{} is written for another input too, with other content", path.display());
                let failure = Failure::other(&item.name(), "usage", Exit::Usage, message);
                Err(failure.with_help("convert them into folders of their own"))
            }
        }
    }
}

/// Takes the bytes for standard output.
pub(super) fn alone<'f>(item: &Item, files: &'f Files) -> Result<&'f [u8], Box<Failure>> {
    if files.side.is_empty() {
        return Ok(&files.main);
    }
    let message = "the format has files beside it, which standard output cannot take".to_owned();
    let failure = Failure::other(&item.name(), "usage", Exit::Usage, message);
    Err(failure.with_help("write to a file with -o FILE"))
}

pub(super) fn failure(item: &Item, error: &Error) -> Box<Failure> {
    let failure = Failure::new(&item.name(), error);
    match error {
        Error::Exists(_) => failure.with_help("--force replaces it"),
        _ => failure,
    }
}

fn is_same_file(a: &Path, b: &Path) -> bool {
    matches!((a.canonicalize(), b.canonicalize()), (Ok(a), Ok(b)) if a == b)
}
