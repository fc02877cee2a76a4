//! Folders that the user names.

use std::collections::HashMap;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::folder::{files_below, read};

/// Folders with the files of a game, in the order in which they are searched.
///
/// The names of all files are read when a folder is added. A file is read only if it is needed. Clones share the names.
///
/// Paths are relative to a root, with `/` or `\` between names. Case does not matter. If names in one folder differ only in case, the
/// exact name takes precedence, then the first by bytes.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ContentSource {
    roots: Vec<Arc<Root>>,
}

#[derive(Debug, PartialEq, Eq)]
struct Root {
    path: PathBuf,
    /// Paths below the root, with `/`, sorted.
    files: Vec<String>,
    /// Index of the first file of each path in lower case.
    by_path: HashMap<String, usize>,
    /// Index of the least deep file of each name in lower case.
    by_name: HashMap<String, usize>,
}

/// A file of a [`ContentSource`].
#[derive(Debug, Clone, Copy)]
pub struct ContentFile<'a> {
    source: &'a ContentSource,
    root: usize,
    path: &'a str,
}

impl ContentSource {
    /// Opens folders.
    ///
    /// # Errors
    /// As [`add`](Self::add), for the first folder that fails.
    pub fn open<P: AsRef<Path>>(folders: impl IntoIterator<Item = P>) -> io::Result<Self> {
        let mut source = Self::default();
        folders.into_iter().try_for_each(|folder| source.add(folder.as_ref()))?;
        Ok(source)
    }

    /// Adds a folder, which is searched after those that are there. Links to folders and links out of the folder are not followed.
    ///
    /// # Errors
    /// If it is not a folder, contains no files, or contains more than 2²⁰ files and folders.
    pub fn add(&mut self, folder: &Path) -> io::Result<()> {
        let files: Vec<String> = files_below(folder)?.into_iter().collect();
        if files.is_empty() {
            return Err(io::Error::other("it contains no files"));
        }
        let (mut by_path, mut by_name) = (HashMap::with_capacity(files.len()), HashMap::new());
        let depth = |file: &str| file.matches('/').count();
        for (index, file) in files.iter().enumerate() {
            let path = file.to_ascii_lowercase();
            let name = path.rsplit('/').next().unwrap_or_default().to_owned();
            let nearest = by_name.entry(name).or_insert(index);
            if files.get(*nearest).is_some_and(|nearest| depth(file) < depth(nearest)) {
                *nearest = index;
            }
            by_path.entry(path).or_insert(index);
        }
        self.roots.push(Arc::new(Root { path: folder.to_owned(), files, by_path, by_name }));
        Ok(())
    }

    /// Returns `true` if there are no folders.
    pub fn is_empty(&self) -> bool {
        self.roots.is_empty()
    }

    /// Returns all files, root by root. In each root they are sorted by path.
    pub fn files(&self) -> impl Iterator<Item = ContentFile<'_>> {
        let roots = self.roots.iter().enumerate();
        roots
            .flat_map(move |(root, files)| files.files.iter().map(move |path| ContentFile { source: self, root, path }))
    }

    /// Finds a file by its path below a root. The first root that contains it takes precedence.
    pub fn find(&self, path: &str) -> Option<ContentFile<'_>> {
        let names = path.split(['/', '\\']).filter(|name| !matches!(*name, "" | "."));
        let path = names.collect::<Vec<_>>().join("/");
        let key = path.to_ascii_lowercase();
        self.first(|root| root.files.binary_search(&path).ok().or_else(|| root.by_path.get(&key).copied()))
    }

    /// Finds a file by its name alone, wherever it is below a root. The least deep one takes precedence, then the first by path.
    pub fn find_name(&self, name: &str) -> Option<ContentFile<'_>> {
        let name = name.to_ascii_lowercase();
        self.first(|root| root.by_name.get(&name).copied())
    }

    /// Returns the file whose index `find` returns for the first root that contains it.
    fn first(&self, find: impl Fn(&Root) -> Option<usize>) -> Option<ContentFile<'_>> {
        self.roots.iter().enumerate().find_map(|(root, files)| {
            let path = files.files.get(find(files)?)?;
            Some(ContentFile { source: self, root, path })
        })
    }
}

impl<'a> ContentFile<'a> {
    /// Returns the path below the root, with `/`.
    pub fn path(&self) -> &'a str {
        self.path
    }

    /// Returns the index of the root that contains the file.
    pub fn root(&self) -> usize {
        self.root
    }

    /// Returns the path of the file on disk.
    pub fn to_path_buf(&self) -> PathBuf {
        self.folder().join(self.path)
    }

    fn folder(&self) -> &'a Path {
        self.source.roots.get(self.root).map(|root| &*root.path).expect("a file belongs to a root")
    }

    /// Reads the file.
    ///
    /// # Errors
    /// If it was removed or replaced by a link out of the folder, has more than 128 MiB, or cannot be read.
    pub fn read(&self) -> io::Result<Vec<u8>> {
        read(self.folder(), self.path)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    #[test]
    fn files_are_found_in_the_order_of_the_roots_in_any_case() {
        let folder = tempfile::tempdir().unwrap();
        let at = |name: &str| folder.path().join(name);
        for name in ["a/Tex/BRICK.tga", "b/tex/brick.TGA", "b/deep/er/wall.png", "b/far/wall.png", "b/Z.png", "b/z.png"]
        {
            fs::create_dir_all(at(name).parent().unwrap()).unwrap();
            fs::write(at(name), name).unwrap();
        }
        let content = ContentSource::open([at("a"), at("b")]).unwrap();
        let find = |path: &str| content.find(path).map(|file| String::from_utf8(file.read().unwrap()).unwrap());
        assert_eq!(find("tex/brick.tga").as_deref(), Some("a/Tex/BRICK.tga"));
        assert_eq!(find("\\DEEP\\.\\er//wall.png").as_deref(), Some("b/deep/er/wall.png"));
        assert_eq!(
            [find("z.png"), find("Z.png"), find("Z.PNG")].map(Option::unwrap),
            ["b/z.png", "b/Z.png", "b/Z.png"]
        );
        for path in ["", "tex", "../a/Tex/BRICK.tga", "deep/../far/wall.png", "missing"] {
            assert_eq!(find(path), None, "{path}");
        }
        assert_eq!(content.find_name("WALL.png").map(|file| file.path()), Some("far/wall.png"));
        assert!(content.find_name("far/wall.png").is_none());
        let files: Vec<_> = content.files().map(|file| file.to_path_buf()).collect();
        assert_eq!((files.len(), &files[0]), (6, &at("a").join("Tex/BRICK.tga")));
    }

    #[test]
    fn missing_empty_and_wrong_roots_are_errors() {
        let folder = tempfile::tempdir().unwrap();
        fs::write(folder.path().join("file"), b"").unwrap();
        fs::create_dir(folder.path().join("empty")).unwrap();
        let error = |name: &str| ContentSource::open([folder.path().join(name)]).unwrap_err();
        assert_eq!(error("missing").kind(), io::ErrorKind::NotFound);
        assert_eq!(error("file").kind(), io::ErrorKind::NotADirectory);
        assert!(error("empty").to_string().contains("contains no files"));
        assert!(ContentSource::default().is_empty() && ContentSource::default().find("a").is_none());
    }
}
