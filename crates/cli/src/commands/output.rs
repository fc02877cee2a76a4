//! Where verbs write that make one file of each input.

use std::collections::HashSet;
use std::path::{Path, PathBuf};

use mapwright::{SaveOptions, save};

use crate::args::{Change, Output};
use crate::exit::Exit;
use crate::failure::Failure;
use crate::inputs::Item;

/// Where the files of all inputs go: `None` is standard output.
pub(super) fn places(
    output: &Output,
    items: &[Item],
    extension: impl Fn(&Item) -> Option<&'static str>,
) -> Result<Vec<Option<PathBuf>>, Box<Failure>> {
    match (&output.output, &output.dir) {
        (Some(path), _) if items.len() == 1 => Ok(vec![(path.as_os_str() != "-").then(|| path.clone())]),
        (Some(_), _) => Err(not_one(items.len())),
        (None, Some(folder)) => {
            let mut taken = HashSet::new();
            let below = |item: &Item| {
                let path = below(folder, item, extension(item));
                // Of `a.wmp` and `a.bak` the second keeps its extension.
                let longer = extension(item).map(|extension| {
                    let mut name = below(folder, item, None).into_os_string();
                    name.push(format!(".{extension}"));
                    PathBuf::from(name)
                });
                let free = std::iter::once(path.clone()).chain(longer).find(|path| taken.insert(path.clone()));
                let twice = || wrong(&format!("{} would be written twice", path.display()));
                free.map(Some).ok_or_else(|| twice().with_help("write the inputs into folders of their own"))
            };
            items.iter().map(below).collect()
        }
        (None, None) => Err(no_output(items.iter().map(|item| &item.path))),
    }
}

/// Where the results of a change go.
pub(super) struct Writing {
    output: Output,
    /// Of each input; none for standard output, and where nothing is written.
    pub(super) places: Vec<Option<PathBuf>>,
    pub(super) to_stdout: bool,
    dry_run: bool,
}

impl Writing {
    /// Without another place the file is replaced, if that is allowed; `name` is what users call it.
    pub(super) fn of(how: &Change, file: &Path, name: &str, items: &[Item], json: bool) -> Result<Self, Box<Failure>> {
        let to = match (&how.output, how.force) {
            (None, true) if file.as_os_str() != "-" => Some(file.to_owned()),
            (output, _) => output.clone(),
        };
        let output = Output { output: to, dir: None, force: how.force };
        let places = match how.dry_run {
            true => vec![None; items.len()],
            false => places(&output, items, |_| None)
                .map_err(|failure| failure.with_help(&format!("-o FILE, --force to replace {name}, or --dry-run")))?,
        };
        let to_stdout = !how.dry_run && places.contains(&None);
        if json && to_stdout {
            return Err(wrong("--json and the file cannot both go to standard output"));
        }
        Ok(Self { output, places, to_stdout, dry_run: how.dry_run })
    }

    /// As [`put`], or nothing where nothing is to be written.
    pub(super) fn put(&self, item: &Item, place: Option<&Path>, bytes: Vec<u8>) -> Result<Vec<u8>, Box<Failure>> {
        if self.dry_run { Ok(Vec::new()) } else { put(item, place, bytes, &self.output) }
    }
}

/// Refuses places that are files which are read.
pub(super) fn keep(read: &[PathBuf], places: &[Option<PathBuf>]) -> Result<(), Box<Failure>> {
    let whole = |path: &PathBuf| std::fs::canonicalize(path).ok();
    let read: HashSet<PathBuf> = read.iter().filter_map(whole).collect();
    match places.iter().flatten().find(|place| whole(place).is_some_and(|place| read.contains(&place))) {
        Some(place) => Err(wrong(&format!("{} is read, and would be written over", place.display()))
            .with_help("write to another file")),
        None => Ok(()),
    }
}

/// Files keep their places below the folders that were named.
pub(super) fn below(folder: &Path, item: &Item, extension: Option<&str>) -> PathBuf {
    let path = folder.join(if item.is_stdin() { Path::new("stdin") } else { item.below() });
    extension.map_or_else(|| path.clone(), |extension| path.with_extension(extension))
}

/// Saves what was made of an input, or gives it for standard output.
pub(super) fn put(item: &Item, place: Option<&Path>, bytes: Vec<u8>, output: &Output) -> Result<Vec<u8>, Box<Failure>> {
    let Some(path) = place else { return Ok(bytes) };
    let options = prepare(item, path, output)?;
    save(path, &bytes, options).map_err(|error| Failure::new(&item.name(), &error))?;
    Ok(Vec::new())
}

/// Makes the folder that something is saved in.
pub(super) fn prepare(item: &Item, path: &Path, output: &Output) -> Result<SaveOptions, Box<Failure>> {
    if output.dir.is_some() {
        let folder = path.parent().unwrap_or(Path::new(""));
        std::fs::create_dir_all(folder).map_err(|error| {
            let message = format!("the folder {} cannot be made: {error}", folder.display());
            Failure::other(&item.name(), "io", Exit::Io, message)
        })?;
    }
    Ok(SaveOptions::default().with_overwrite(output.force))
}

/// What is said where nothing says where to write: the second of two files may have been meant to, if it is not there.
pub(super) fn no_output<'a>(files: impl IntoIterator<Item = &'a PathBuf>) -> Box<Failure> {
    let mut files = files.into_iter();
    let failure = wrong("it is not said where to write");
    match (files.next(), files.next(), files.next()) {
        (Some(input), Some(path), None) if !input.is_dir() && !path.exists() && *path != Path::new("-") => {
            failure.with_help(&format!("-o {} to write that file", path.display()))
        }
        _ => failure.with_help("-o FILE for one file, -d DIR for folders and several files"),
    }
}

/// What is said where one file is to be written and there is not one to be read.
pub(super) fn not_one(count: usize) -> Box<Failure> {
    match count {
        0 => wrong("there is no file to read").with_help("of a folder, files are taken that the verb is for"),
        _ => wrong(&format!("-o takes one file, and there are {count}")).with_help("several go to -d DIR"),
    }
}

pub(super) fn wrong(message: &str) -> Box<Failure> {
    Failure::other("the command line", "usage", Exit::Usage, message.to_owned())
}
