//! Which files a command works on.

use std::collections::BTreeSet;
use std::fs;
use std::io::{self, Read, StdinLock};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};

use mapwright::{Error, Format, Input, PREFIX, ReadOptions, detect};

/// One file to work on.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Item {
    /// Where it is; `-` for standard input.
    pub(crate) path: PathBuf,
    /// What the command line named to find it, if that was a folder.
    pub(crate) folder: Option<PathBuf>,
}

impl Item {
    /// The name in messages.
    pub(crate) fn name(&self) -> String {
        if self.is_stdin() { "standard input".to_owned() } else { self.path.display().to_string() }
    }

    /// The path below the folder that was named, or the name of the file alone.
    pub(crate) fn below(&self) -> &Path {
        match &self.folder {
            Some(folder) => self.path.strip_prefix(folder).unwrap_or(&self.path),
            None => self.path.file_name().map_or(&self.path, Path::new),
        }
    }

    pub(crate) fn is_stdin(&self) -> bool {
        self.path.as_os_str() == "-"
    }

    /// Whether the start of the file, or its name, leads to a format that is converted to another.
    pub(crate) fn is_convertible(&self, to: Format) -> bool {
        let mut prefix = Vec::new();
        let read = fs::File::open(&self.path).and_then(|file| file.take(PREFIX as u64).read_to_end(&mut prefix));
        let is_fit = |format: Format| format.converts_to(to) && !self.is_only_a_picture(format);
        // What cannot be read is taken along, so that reading it says why.
        read.is_err() || detect(&prefix, Some(&self.path)).format.is_some_and(is_fit)
    }

    /// Takes the file into memory.
    pub(crate) fn open(&self, from: Option<Format>, options: &ReadOptions) -> Result<Input, Error> {
        self.look()?;
        let input = match self.is_stdin() {
            true => Input::read(stdin()?, None, from, options),
            false => Input::open(&self.path, from, options),
        }?;
        if from.is_none() && self.is_only_a_picture(input.format) { Err(Error::UnknownFormat) } else { Ok(input) }
    }

    /// Whether it is a picture of a folder: most of these are textures, not heights.
    fn is_only_a_picture(&self, format: Format) -> bool {
        self.folder.is_some() && format.is_image()
    }

    /// Of a folder that could not be looked into, why.
    pub(crate) fn look(&self) -> Result<(), Error> {
        if self.path.is_dir() {
            fs::read_dir(&self.path)?;
        }
        Ok(())
    }

    /// Takes the file into memory, whatever it is.
    pub(crate) fn bytes(&self, options: &ReadOptions) -> Result<Vec<u8>, Error> {
        self.look()?;
        let limit = options.limits.max_input;
        let mut bytes = Vec::new();
        let most = limit.saturating_add(1);
        match self.is_stdin() {
            true => stdin()?.take(most).read_to_end(&mut bytes)?,
            false => fs::File::open(&self.path)?.take(most).read_to_end(&mut bytes)?,
        };
        if bytes.len() as u64 > limit { Err(Error::InputLimit { limit }) } else { Ok(bytes) }
    }
}

/// Standard input, which has nothing left for whoever asks for it again.
pub(crate) fn stdin() -> io::Result<StdinLock<'static>> {
    static IS_TAKEN: AtomicBool = AtomicBool::new(false);
    match IS_TAKEN.swap(true, Ordering::Relaxed) {
        true => Err(io::Error::other("it can be read only once, and is named twice")),
        false => Ok(io::stdin().lock()),
    }
}

/// All files that the command line names, those of folders in order of their names.
///
/// A file that cannot be read is an item too: opening it reports the reason. In folders, links to folders, links that lead out of the
/// folder, pipes, devices and names that begin with a point are skipped.
pub(crate) fn expand(paths: &[PathBuf]) -> Vec<Item> {
    let mut items = Vec::new();
    for path in paths {
        if path.is_dir() {
            walk(path, &mut items);
        } else {
            items.push(Item { path: path.clone(), folder: None });
        }
    }
    items
}

fn walk(root: &Path, items: &mut Vec<Item>) {
    let item = |path| Item { path, folder: Some(root.to_owned()) };
    // What is still to be looked at, the next last.
    let mut stack = vec![root.to_owned()];
    while let Some(path) = stack.pop() {
        let is_folder = path == root || fs::symlink_metadata(&path).is_ok_and(|metadata| metadata.is_dir());
        if !is_folder {
            // Pipes and devices would keep the command waiting. A folder of strangers may link to files of others.
            let is_file = fs::metadata(&path).map_or(true, |metadata| metadata.is_file());
            if is_file && !leads_out(&path, root) {
                items.push(item(path));
            }
            continue;
        }
        let Ok(entries) = fs::read_dir(&path) else {
            items.push(item(path));
            continue;
        };
        let below: BTreeSet<PathBuf> = entries
            .filter_map(Result::ok)
            .filter(|entry| !entry.file_name().as_encoded_bytes().starts_with(b"."))
            .map(|entry| entry.path())
            .collect();
        stack.extend(below.into_iter().rev());
    }
}

/// Returns true for a link to a file outside a folder.
fn leads_out(path: &Path, root: &Path) -> bool {
    let is_link = fs::symlink_metadata(path).is_ok_and(|metadata| metadata.is_symlink());
    is_link && path.canonicalize().is_ok_and(|target| root.canonicalize().is_ok_and(|root| !target.starts_with(root)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn folders_are_walked_in_order() {
        let folder = tempfile::tempdir().unwrap();
        let at = |name: &str| folder.path().join(name);
        fs::create_dir_all(at("b/c")).unwrap();
        for name in ["z", "b/2", "b/c/1", "a", ".hidden"] {
            fs::write(at(name), b"").unwrap();
        }
        #[cfg(unix)]
        for (target, link) in [("..", "b/up"), ("../a", "b/in"), ("/etc/passwd", "b/out"), ("lost", "lost")] {
            std::os::unix::fs::symlink(target, at(link)).unwrap();
        }
        let paths: Vec<PathBuf> = expand(&[folder.path().to_owned()]).into_iter().map(|item| item.path).collect();
        // A link to nothing is kept: opening it reports the reason.
        let expected =
            if cfg!(unix) { vec!["a", "b/2", "b/c/1", "b/in", "lost", "z"] } else { vec!["a", "b/2", "b/c/1", "z"] };
        assert_eq!(paths, expected.into_iter().map(at).collect::<Vec<_>>());
        assert_eq!(expand(&[at("nowhere")]), [Item { path: at("nowhere"), folder: None }]);
    }
}
