//! `fixtures/` contains only files that the project generated: the MANIFEST of each folder describes how.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use super::{Breach, text};
use crate::workspace::root;

/// The list of a folder: one line per file with its path, size and origin, separated by tabs, under a line of titles.
const MANIFEST: &str = "MANIFEST.tsv";
/// Maximum size of a fixture in bytes. The repository stays small.
const LARGEST: u64 = 1 << 20;

pub(super) fn check(files: &[PathBuf]) -> Vec<Breach> {
    let mut folders: BTreeMap<PathBuf, Vec<PathBuf>> = BTreeMap::new();
    let mut breaches = Vec::new();
    for file in files.iter().filter_map(|file| file.strip_prefix("fixtures").ok()) {
        let mut parts = file.components();
        let format = parts.next();
        let rest = parts.as_path();
        if rest == Path::new("") {
            let text = "is in no folder of a format: move it into one";
            breaches.push(Breach::new(Path::new("fixtures").join(file), 0, "fixtures", text));
        } else if let Some(format) = format {
            folders.entry(Path::new("fixtures").join(format)).or_default().push(rest.to_owned());
        }
    }
    for (folder, files) in folders {
        let sizes = files.into_iter().filter(|file| file != Path::new(MANIFEST)).map(|file| {
            let size = fs::metadata(root().join(&folder).join(&file)).map_or(0, |meta| meta.len());
            (file, size)
        });
        breaches.extend(check_folder(&folder, &text(&folder.join(MANIFEST)), &sizes.collect()));
    }
    breaches
}

fn check_folder(folder: &Path, manifest: &str, files: &BTreeMap<PathBuf, u64>) -> Vec<Breach> {
    let mut breaches = Vec::new();
    let mut listed = BTreeSet::new();
    for (index, line) in manifest.lines().enumerate().skip(1) {
        let mut columns = line.split('\t');
        let (file, size, origin) = (columns.next().unwrap_or_default(), columns.next(), columns.next());
        let path = folder.join(MANIFEST);
        if origin.is_none_or(str::is_empty) {
            breaches.push(Breach::new(&path, index + 1, "fixtures", "a line has a file, its size and how it was made"));
        }
        match files.get(Path::new(file)) {
            None => {
                breaches.push(Breach::new(&path, index + 1, "fixtures", format!("{file} is listed, but missing")));
            }
            Some(real) if size.and_then(|size| size.parse().ok()) != Some(*real) => {
                let text = format!("{file} has {real} bytes: run cargo xtask fixtures");
                breaches.push(Breach::new(&path, index + 1, "fixtures", text));
            }
            Some(_) => {}
        }
        listed.insert(Path::new(file));
    }
    for (file, size) in files {
        if !listed.contains(file.as_path()) {
            let text =
                "is not in the MANIFEST: only files that the project made itself belong here (cargo xtask fixtures)";
            breaches.push(Breach::new(folder.join(file), 0, "fixtures", text));
        }
        if *size > LARGEST {
            let text = format!("has {size} bytes, at most {LARGEST} are allowed");
            breaches.push(Breach::new(folder.join(file), 0, "fixtures", text));
        }
    }
    breaches
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn folder_and_manifest_agree() {
        let files = BTreeMap::from([("torus.wings".into(), 7), ("regressions/wings_read-1".into(), 9)]);
        let check = |manifest: &str| {
            let found = check_folder(Path::new("fixtures/wings"), manifest, &files);
            found.into_iter().map(|breach| (breach.line, breach.file)).collect::<Vec<_>>()
        };
        let path = PathBuf::from("fixtures/wings/MANIFEST.tsv");
        let good = "file\tbytes\torigin\ntorus.wings\t7\tmade\nregressions/wings_read-1\t9\tfuzzing\n";
        assert_eq!(check(good), []);
        assert_eq!(check(&good.replace("\t7\t", "\t8\t")), [(2, path.clone())]);
        assert_eq!(check(&good.replace("\tfuzzing", "")), [(3, path.clone())]);
        assert_eq!(check(&format!("{good}gone.wings\t1\tmade\n")), [(4, path)]);
        assert_eq!(check("").len(), 2);
    }
}
