//! Saves the results of conversions.

use std::collections::{HashMap, HashSet};
use std::hash::{DefaultHasher, Hash, Hasher};
use std::path::{Path, PathBuf};

use mapwright::interchange::obj;
use mapwright::scene::Files;
use mapwright::{SaveOptions, save_set};

use super::plan::Target;
use crate::args::Convert;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::inputs::Item;

/// Saves files, and protects those that are inputs or were saved before.
pub(super) struct Saver<'a> {
    pub(super) args: &'a Convert,
    read: HashSet<PathBuf>,
    /// The saved files with hashes of their content: several inputs may share an image.
    saved: HashMap<PathBuf, u64>,
}

impl<'a> Saver<'a> {
    pub(super) fn new(args: &'a Convert, inputs: impl IntoIterator<Item = PathBuf>) -> Self {
        let mut saver = Self { args, read: HashSet::new(), saved: HashMap::new() };
        saver.protect(inputs);
        saver
    }

    /// Protects files that an input refers to. Fails if one of them was overwritten before.
    pub(super) fn protect_read(&mut self, item: &Item, files: &[PathBuf]) -> Result<(), Box<Failure>> {
        for path in files.iter().filter_map(|path| path.canonicalize().ok()) {
            if self.saved.contains_key(&path) {
                let message = format!("{} is read for it, but was written for another input", path.display());
                let failure = Failure::other(&item.name(), "usage", Exit::Usage, message);
                return Err(failure.with_help("write into another folder"));
            }
        }
        self.protect(files);
        Ok(())
    }

    /// Protects files from being overwritten.
    pub(super) fn protect<P: AsRef<Path>>(&mut self, files: impl IntoIterator<Item = P>) {
        self.read.extend(files.into_iter().filter_map(|path| path.as_ref().canonicalize().ok()));
    }

    /// Returns `true` if an output would replace a file from before this run that a later input may refer to: an additional output file, or
    /// a file in one of the folders.
    pub(super) fn replaces_old<'p>(
        &self,
        target: &Target,
        files: &Files,
        mut folders: impl Iterator<Item = &'p Path>,
    ) -> bool {
        let old = |path: &Path| path.canonicalize().ok().filter(|path| !self.saved.contains_key(path));
        let Some(path) = target.path.as_ref().filter(|_| self.args.output.force && !self.args.dry_run) else {
            return false;
        };
        let whole = |folder: &Path| match folder.as_os_str().is_empty() {
            true => Path::new(".").canonicalize(),
            false => folder.canonicalize(),
        };
        let is_in_folder =
            |old: PathBuf| folders.any(|folder| whole(folder).is_ok_and(|folder| old.starts_with(folder)));
        files.side.iter().any(|file| old(&path.with_file_name(&file.name)).is_some())
            || old(path).is_some_and(is_in_folder)
    }

    /// Returns `true` for a file that was read or saved.
    pub(super) fn is_protected(&self, path: &Path) -> bool {
        path.canonicalize().is_ok_and(|path| self.read.contains(&path) || self.saved.contains_key(&path))
    }

    /// Renames the images of an OBJ file whose names belong to images of other inputs. Returns the old and the new names.
    pub(super) fn separate_images(&self, path: &Path, files: &mut Files) -> Vec<(String, String)> {
        let mut renamed = Vec::new();
        let stem = path.file_stem().unwrap_or_default().to_string_lossy();
        let is_taken = |name: &str, data: &[u8]| {
            let path = path.with_file_name(name).canonicalize().ok();
            path.and_then(|path| self.saved.get(&path)).is_some_and(|saved| *saved != hash(data))
        };
        let taken = files.side.iter().filter(|file| is_taken(&file.name, &file.data));
        for (old, data) in taken.map(|file| (file.name.clone(), file.data.clone())).collect::<Vec<_>>() {
            let names = (1_u32..).map(|number| match number {
                1 => format!("{stem}_{old}"),
                number => format!("{stem}_{number}_{old}"),
            });
            for new in names.filter(|new| !is_taken(new, &data)).take(files.side.len()) {
                if obj::rename_image(files, &old, &new) {
                    renamed.push((old, new));
                    break;
                }
            }
        }
        renamed
    }

    /// Saves the outputs of one input, the main file last.
    pub(super) fn save(&mut self, item: &Item, path: &Path, files: &Files) -> Result<(), Box<Failure>> {
        let folder = path.parent().unwrap_or(Path::new(""));
        if self.args.output.dir.is_some() {
            std::fs::create_dir_all(folder)
                .map_err(|error| format!("cannot create the folder {}: {error}", folder.display()))
                .map_err(|message| Failure::other(&item.name(), "io", Exit::Io, message))?;
        }
        let beside: Vec<PathBuf> = files.side.iter().map(|file| folder.join(&file.name)).collect();
        let mut set: Vec<(&Path, &[u8])> = Vec::with_capacity(beside.len() + 1);
        for (path, file) in beside.iter().zip(&files.side) {
            if !self.was_saved(item, path, &file.data)? {
                set.push((path, &file.data));
            }
        }
        set.push((path, &files.main));
        if let Some((path, _)) = set.iter().find(|(path, _)| self.is_protected(path)) {
            return Err(overwrite_failure(item, path));
        }
        let options = SaveOptions::default().with_overwrite(self.args.output.force);
        save_set(&set, options).map_err(|error| Failure::new(&item.name(), &error))?;
        for (path, data) in set {
            // Devices may be written again.
            if let Some(path) = path.canonicalize().ok().filter(|path| path.is_file()) {
                self.saved.insert(path, hash(data));
            }
        }
        Ok(())
    }

    /// Returns `true` if a file with this content was saved before. Fails if the content differs.
    fn was_saved(&self, item: &Item, path: &Path, data: &[u8]) -> Result<bool, Box<Failure>> {
        match path.canonicalize().ok().and_then(|path| self.saved.get(&path)) {
            None => Ok(false),
            Some(&saved) if saved == hash(data) => Ok(true),
            Some(_) => {
                let message = format!("{} was already written with other content for another input", path.display());
                let failure = Failure::other(&item.name(), "usage", Exit::Usage, message);
                Err(failure.with_help("convert the inputs into different folders"))
            }
        }
    }
}

fn hash(data: &[u8]) -> u64 {
    let mut hasher = DefaultHasher::new();
    data.hash(&mut hasher);
    hasher.finish()
}

/// Returns the failure for an output that would replace an input or an earlier output.
pub(super) fn overwrite_failure(item: &Item, path: &Path) -> Box<Failure> {
    let message = format!("{} is an input or an earlier output and would be overwritten", path.display());
    Failure::other(&item.name(), "usage", Exit::Usage, message).with_help("write into another folder")
}

/// Returns the bytes for standard output.
pub(super) fn single_output<'f>(item: &Item, files: &'f Files) -> Result<&'f [u8], Box<Failure>> {
    if files.side.is_empty() {
        return Ok(&files.main);
    }
    let message = "the format needs several files, and standard output takes one".to_owned();
    let failure = Failure::other(&item.name(), "usage", Exit::Usage, message);
    Err(failure.with_help("use -o FILE"))
}
