//! The files that commands write: one for each input.

use std::collections::{HashMap, HashSet};
use std::path::{Path, PathBuf};

use mapwright::{Error, Format, SaveOptions, save};

use crate::args::{Change, Output};
use crate::batch::{Outcome, Sort};
use crate::exit::Exit;
use crate::failure::Failure;
use crate::inputs::Item;
use crate::out::is_binary;

/// Returns the output path of each input; `None` is standard output. Inputs that `is_written` rejects need no path of their own.
pub(super) fn places(
    output: &Output,
    items: &[Item],
    extension: impl Fn(&Item) -> Option<&'static str>,
    is_written: impl Fn(&Item) -> bool,
) -> Result<Vec<Option<PathBuf>>, Box<Failure>> {
    match (&output.output, &output.dir) {
        (Some(_), _) if items.iter().all(Item::is_empty_folder) => Err(not_one(0)),
        (Some(path), _) if items.len() == 1 => Ok(vec![(path.as_os_str() != "-").then(|| path.clone())]),
        (Some(_), _) => Err(not_one(items.len())),
        (None, Some(folder)) => {
            Ok(distinct_paths(folder, items, extension, is_written).into_iter().map(Some).collect())
        }
        (None, None) => Err(no_output(items.iter().map(|item| &item.path))),
    }
}

/// Returns a path in a folder for each item, without two equal ones among the items that `is_written` selects.
///
/// Files keep their paths below the folders that were named, and get the extension of the output. Where that gives one path to several
/// items, all of them keep their extension before it (`a.vmap.glb`), then their parent folder, then they get a number.
pub(super) fn distinct_paths(
    folder: &Path,
    items: &[Item],
    extension: impl Fn(&Item) -> Option<&'static str>,
    is_written: impl Fn(&Item) -> bool,
) -> Vec<PathBuf> {
    let written: Vec<bool> = items.iter().map(|item| !item.is_repeated() && is_written(item)).collect();
    let path = |index: usize, item: &Item, level: usize| {
        let name = if item.is_stdin() { Path::new("stdin") } else { item.relative_path() };
        let parent = item.path.parent().and_then(Path::file_name).filter(|_| level >= 2 && item.folder.is_none());
        let path = parent.map_or_else(|| folder.to_owned(), |parent| folder.join(parent)).join(name);
        let number = if level >= 3 { format!("-{}", index + 1) } else { String::new() };
        match (extension(item), level) {
            (Some(extension), 0) => path.with_extension(extension),
            (None, 0..3) => path,
            (extension, _) => {
                let end = extension.map(|extension| format!(".{extension}")).unwrap_or_default();
                let mut name = path.into_os_string();
                name.push(number + &end);
                name.into()
            }
        }
    };
    let mut levels = vec![0; items.len()];
    loop {
        let paths: Vec<PathBuf> =
            items.iter().enumerate().map(|(index, item)| path(index, item, levels[index])).collect();
        // File systems may ignore case.
        let keys: Vec<String> = paths.iter().map(|path| path.to_string_lossy().to_lowercase()).collect();
        let mut uses: HashMap<&str, usize> = HashMap::new();
        for (key, _) in keys.iter().zip(&written).filter(|(_, written)| **written) {
            *uses.entry(key).or_default() += 1;
        }
        let mut is_changed = false;
        for ((level, key), written) in levels.iter_mut().zip(&keys).zip(&written) {
            if *written && *level < 3 && uses.get(key.as_str()).is_some_and(|&uses| uses > 1) {
                *level += 1;
                is_changed = true;
            }
        }
        if !is_changed {
            return paths;
        }
    }
}

/// Returns the outcome for an input whose output exists already, with --skip-existing.
pub(super) fn skipped(output: &Output, path: Option<&Path>) -> Option<Outcome> {
    path.filter(|path| output.skip_existing && path.exists()).map(|_| Outcome::silent(Sort::Existing))
}

/// The files that a command writes after a change.
pub(super) struct Writing {
    output: Output,
    /// The path of each input; `None` for standard output and for a dry run.
    pub(super) places: Vec<Option<PathBuf>>,
    pub(super) to_stdout: bool,
    dry_run: bool,
}

impl Writing {
    /// Plans the output. Without another path, `file` is replaced if that is allowed; messages call it `name`.
    pub(super) fn new(how: &Change, file: &Path, name: &str, items: &[Item], json: bool) -> Result<Self, Box<Failure>> {
        let to = match (&how.output, how.force) {
            (None, true) if file.as_os_str() != "-" => Some(file.to_owned()),
            (output, _) => output.clone(),
        };
        let output = Output { output: to, dir: None, force: how.force, skip_existing: false };
        let places = match how.dry_run {
            true => vec![None; items.len()],
            false => places(&output, items, |_| None, |_| true).map_err(|failure| match file.as_os_str() == "-" {
                true => failure.with_help("use -o FILE, or --dry-run"),
                false => failure.with_help(&format!("-o FILE, --force to replace {name}, or --dry-run")),
            })?,
        };
        let to_stdout = !how.dry_run && places.contains(&None);
        if json && to_stdout {
            return Err(wrong("--json and the file cannot both go to standard output"));
        }
        Ok(Self { output, places, to_stdout, dry_run: how.dry_run })
    }

    /// Writes as [`save_document`] does, except in a dry run.
    pub(super) fn save_document(
        &self,
        item: &Item,
        place: Option<&Path>,
        format: Format,
        bytes: Vec<u8>,
    ) -> Result<Vec<u8>, Box<Failure>> {
        if self.dry_run { Ok(Vec::new()) } else { save_document(item, place, format, bytes, &self.output) }
    }
}

/// Refuses output paths that are inputs.
pub(super) fn keep(inputs: &[PathBuf], places: &[Option<PathBuf>]) -> Result<(), Box<Failure>> {
    keep_files(inputs, "an input", places)
}

/// Refuses output paths that are among files, which messages call `name`.
pub(super) fn keep_files(files: &[PathBuf], name: &str, places: &[Option<PathBuf>]) -> Result<(), Box<Failure>> {
    let whole = |path: &PathBuf| std::fs::canonicalize(path).ok();
    let files: HashSet<PathBuf> = files.iter().filter_map(whole).collect();
    match places.iter().flatten().find(|place| whole(place).is_some_and(|place| files.contains(&place))) {
        Some(place) => Err(wrong(&format!("{} is {name} and would be overwritten", place.display()))
            .with_help("write to another file")),
        None => Ok(()),
    }
}

/// Saves a document as [`put`] does. Refuses a path with the extension of another format, unless the input has that extension too.
pub(super) fn save_document(
    item: &Item,
    place: Option<&Path>,
    format: Format,
    bytes: Vec<u8>,
    output: &Output,
) -> Result<Vec<u8>, Box<Failure>> {
    if let Some(path) = place
        && let Some(named) = Format::from_path(path)
        && !format.suits(path)
        && !(named == Format::KeyValues2 && matches!(format, Format::Vmap | Format::Dmx) && !is_binary(&bytes))
        && path.extension() != item.path.extension()
    {
        let message = format!("the extension of {} is that of {named}, but the document is {format}", path.display());
        let extension = format.info().extensions.first().copied().unwrap_or(format.name());
        // The name without its last extension may be right already.
        let stem = path.with_extension("");
        let name = if format.suits(&stem) { stem } else { path.with_extension(extension) };
        let help = format!("use {}, and `mapwright convert` for other formats", name.display());
        return Err(Failure::other(&item.name(), "usage", Exit::Usage, message).with_help(&help));
    }
    save_output(item, place, bytes, output)
}

/// Saves the result for an input, or returns it for standard output.
pub(super) fn save_output(
    item: &Item,
    place: Option<&Path>,
    bytes: Vec<u8>,
    output: &Output,
) -> Result<Vec<u8>, Box<Failure>> {
    let Some(path) = place else { return Ok(bytes) };
    if item.is_archived() && path == item.path {
        let failure =
            Failure::other(&item.name(), "usage", Exit::Usage, "files in archives are not replaced".to_owned());
        return Err(failure.with_help("use -o FILE"));
    }
    let options = prepare(item, path, output)?;
    save(path, &bytes, options).map_err(|error| Failure::new(&item.name(), &error))?;
    Ok(Vec::new())
}

/// Creates the folder of an output file.
pub(super) fn prepare(item: &Item, path: &Path, output: &Output) -> Result<SaveOptions, Box<Failure>> {
    if output.dir.is_some() {
        create_folder(item, path.parent().unwrap_or(Path::new("")))?;
    }
    Ok(SaveOptions::default().with_overwrite(output.force))
}

/// Creates a folder for the outputs of an input, and those above it.
pub(super) fn create_folder(item: &Item, folder: &Path) -> Result<(), Box<Failure>> {
    let failed = |error| Failure::new(&item.name(), &Error::Save { path: folder.to_owned(), error });
    std::fs::create_dir_all(folder).map_err(failed)
}

/// Returns the failure for a missing output. If the second of two files does not exist, it was probably meant as the output.
pub(super) fn no_output<'a>(files: impl IntoIterator<Item = &'a PathBuf>) -> Box<Failure> {
    let mut files = files.into_iter();
    let failure = wrong("no output given");
    match (files.next(), files.next(), files.next()) {
        (Some(input), Some(path), None) if !input.is_dir() && !path.exists() && *path != Path::new("-") => {
            let path = path.display();
            failure.with_help(&format!("use -o {path} to write that file; with --to, both names are inputs"))
        }
        (Some(input), Some(path), None) if !input.is_dir() && path.is_dir() => {
            failure.with_help(&format!("use -d {} --to FORMAT to write into that folder", path.display()))
        }
        _ => failure.with_help("use -o FILE for one file, or -d DIR for many"),
    }
}

/// Returns the failure for one output file and no or several inputs.
pub(super) fn not_one(count: usize) -> Box<Failure> {
    match count {
        0 => wrong("there is no input").with_help("in a folder, only files that the command supports are read"),
        _ => wrong(&format!("-o takes one input, and there are {count}")).with_help("use -d DIR for several"),
    }
}

/// Returns the failure for an invalid command line.
pub(super) fn wrong(message: &str) -> Box<Failure> {
    Failure::usage(message)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(files: &[(&str, Option<&str>)], extension: Option<&'static str>) -> Vec<String> {
        let item = |(path, folder): &(&str, Option<&str>)| match folder {
            Some(folder) => Item::in_folder(*path, *folder),
            None => Item::new(*path),
        };
        let items: Vec<Item> = files.iter().map(item).collect();
        let paths = distinct_paths(Path::new("out"), &items, |_| extension, |item| !item.path.ends_with("skipped"));
        paths.iter().map(|path| path.display().to_string().replace('\\', "/")).collect()
    }

    #[test]
    fn output_names_never_collide() {
        assert_eq!(names(&[("a.vmap", None), ("b.wmp", None)], Some("glb")), ["out/a.glb", "out/b.glb"]);
        let both = [("d/a.vmap", Some("d")), ("d/a.wmp", Some("d")), ("d/c/a.wmp", Some("d"))];
        assert_eq!(names(&both, Some("glb")), ["out/a.vmap.glb", "out/a.wmp.glb", "out/c/a.glb"]);
        assert_eq!(names(&[("x/a.wmp", None), ("y/a.wmp", None)], Some("glb")), ["out/x/a.wmp.glb", "out/y/a.wmp.glb"]);
        assert_eq!(names(&[("x/a.wmp", None), ("y/a.wmp", None)], None), ["out/x/a.wmp", "out/y/a.wmp"]);
        assert_eq!(names(&[("a.wmp", None), ("./a.wmp", None)], Some("glb")), ["out/a.wmp-1.glb", "out/a.wmp-2.glb"]);
        assert_eq!(names(&[("A.wmp", None), ("a.vmap", None)], Some("glb")), ["out/A.wmp.glb", "out/a.vmap.glb"]);
    }

    #[test]
    fn names_of_skipped_files_are_free() {
        let files = [("d/a.vmap", Some("d")), ("d/a.skipped/skipped", Some("d"))];
        assert_eq!(names(&files, Some("glb"))[0], "out/a.glb");
    }
}
