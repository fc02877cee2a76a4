//! Rings of imports: files of a scene conversion that import each other, directly or through others.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use super::{Breach, text};

/// Files with their texts, by path.
type Sources<'a> = BTreeMap<&'a Path, &'a str>;

/// Finds files below a `src/scene` folder that import each other. Such files can only be understood together.
pub(super) fn check(files: &[PathBuf]) -> Vec<Breach> {
    let texts: Vec<(&PathBuf, String)> =
        files.iter().filter(|file| is_scene(file)).map(|file| (file, text(file))).collect();
    check_sources(&texts.iter().map(|(file, text)| (file.as_path(), text.as_str())).collect())
}

fn is_scene(file: &Path) -> bool {
    let folders: Vec<_> = file.iter().collect();
    let is_below = folders.windows(2).any(|pair| pair[0] == "src" && pair[1] == "scene");
    is_below && file.extension().is_some_and(|extension| extension == "rs")
}

fn check_sources(files: &Sources<'_>) -> Vec<Breach> {
    let modules: BTreeMap<PathBuf, &Path> = files.keys().map(|&file| (file.with_extension(""), file)).collect();
    let imports: BTreeMap<&Path, BTreeSet<&Path>> =
        files.iter().map(|(&file, text)| (file, imported(file, text, &modules))).collect();
    let mut breaches = Vec::new();
    for (&file, direct) in &imports {
        // Each ring is reported once, for its first file.
        let ring = direct.iter().find(|&&other| other > file && reaches(other, file, &imports));
        if let Some(other) = ring {
            let wanted =
                format!("imports {}, which imports it: move the common code into another file", other.display());
            breaches.push(Breach::new(file, 0, "import-rings", wanted));
        }
    }
    breaches
}

/// Returns `true` if one file imports another, directly or through others.
fn reaches(from: &Path, to: &Path, imports: &BTreeMap<&Path, BTreeSet<&Path>>) -> bool {
    let mut seen = BTreeSet::new();
    let mut stack = vec![from];
    while let Some(file) = stack.pop() {
        if file == to {
            return true;
        }
        if seen.insert(file) {
            stack.extend(imports.get(file).into_iter().flatten());
        }
    }
    false
}

/// Returns the files that a file imports or names in a path.
fn imported<'a>(file: &Path, text: &str, modules: &BTreeMap<PathBuf, &'a Path>) -> BTreeSet<&'a Path> {
    let module = file.with_extension("");
    let code: String = text.lines().filter(|line| !line.trim_start().starts_with("//")).collect::<Vec<_>>().join("\n");
    let tests = code.find("#[cfg(test)]").unwrap_or(code.len());
    let paths = paths(&code[..tests]);
    paths.iter().filter_map(|path| resolve(&module, path, modules)).filter(|&found| found != file).collect()
}

/// Returns the paths that begin with `crate`, `super` or `self`, or in a `use` with any name, with the groups of a `use` expanded.
fn paths(code: &str) -> Vec<Vec<String>> {
    let mut found = Vec::new();
    for statement in code.split(';') {
        let statement = statement
            .rsplit_once("\nuse ")
            .map(|(_, tree)| tree)
            .or_else(|| statement.trim_start().strip_prefix("use "));
        if let Some(tree) = statement {
            expand(tree, &[], &mut found);
        }
    }
    for word in code.split(|c: char| !(c.is_alphanumeric() || c == '_' || c == ':')) {
        // The start of a group is no path by itself.
        if word.contains("::") && !word.ends_with("::") {
            found.push(word.split("::").map(str::to_owned).collect());
        }
    }
    found
}

/// Expands a tree such as `super::{a, b::{c, d}}`.
fn expand(tree: &str, prefix: &[String], found: &mut Vec<Vec<String>>) {
    let (names, group) = match tree.split_once('{') {
        Some((names, group)) => (names, group.trim_end().strip_suffix('}')),
        None => (tree, None),
    };
    let names = names.split("::").map(|name| name.split_whitespace().next().unwrap_or_default());
    let path: Vec<String> =
        prefix.iter().cloned().chain(names.filter(|name| !name.is_empty()).map(str::to_owned)).collect();
    let Some(group) = group else { return found.push(path) };
    let (mut depth, mut start) = (0_usize, 0);
    for (at, c) in group.char_indices().chain([(group.len(), ',')]) {
        match c {
            '{' => depth += 1,
            '}' => depth = depth.saturating_sub(1),
            ',' if depth == 0 => {
                if let Some(item) = group.get(start..at).map(str::trim).filter(|item| !item.is_empty()) {
                    expand(item, &path, found);
                }
                start = at + 1;
            }
            _ => {}
        }
    }
}

/// Returns the file of the innermost module that a path names.
fn resolve<'a>(module: &Path, path: &[String], modules: &BTreeMap<PathBuf, &'a Path>) -> Option<&'a Path> {
    let root = module.ancestors().find(|folder| folder.ends_with("src"))?;
    let mut names = path.iter().map(String::as_str).peekable();
    let mut at = module.to_owned();
    match names.peek()? {
        &"crate" => {
            names.next();
            at = root.to_owned();
        }
        &"self" => {
            names.next();
        }
        &"super" => {
            while names.next_if_eq(&"super").is_some() {
                at.pop();
            }
        }
        // A child module, or another crate.
        name => {
            if !modules.contains_key(&at.join(name)) {
                return None;
            }
        }
    }
    for name in names {
        let inner = at.join(name);
        let is_folder = modules.keys().any(|module| module.starts_with(&inner));
        if !is_folder {
            break;
        }
        at = inner;
    }
    modules.get(&at).copied()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rings(sources: &[(&str, &str)]) -> Vec<String> {
        let sources: Sources<'_> =
            sources.iter().map(|&(file, text)| (Path::new(file), text)).filter(|(file, _)| is_scene(file)).collect();
        check_sources(&sources).iter().map(|breach| breach.file.display().to_string()).collect()
    }

    #[test]
    fn files_that_import_each_other_are_found() {
        let read = ("c/src/scene/read.rs", "use nodes::read_nodes;\nmod nodes;\nmod values;");
        let nodes = ("c/src/scene/read/nodes.rs", "use super::values::{self, Value};");
        assert_eq!(rings(&[read, nodes, ("c/src/scene/read/values.rs", "use crate::Error;")]), [""; 0]);
        let values = ("c/src/scene/read/values.rs", "fn f() { super::nodes::g() }");
        assert_eq!(rings(&[read, nodes, values]), ["c/src/scene/read/nodes.rs"]);
        let parent = ("c/src/scene/read/values.rs", "use super::{Reader, nodes::x};");
        assert!(!rings(&[read, nodes, parent]).is_empty());
        let comment = (
            "c/src/scene/read/values.rs",
            "// super::nodes::x\n#[cfg(test)]\nmod tests { use super::super::nodes::x; }",
        );
        assert_eq!(rings(&[read, nodes, comment]), [""; 0]);
    }

    #[test]
    fn only_scenes_are_checked() {
        assert_eq!(rings(&[("c/src/a.rs", "use crate::b::x;"), ("c/src/b.rs", "use crate::a::x;")]), [""; 0]);
    }

    #[test]
    fn groups_are_expanded() {
        let path = |text: &str| text.split("::").map(str::to_owned).collect::<Vec<_>>();
        assert_eq!(
            paths("use super::{a, b::{c, d as e}};")[..3],
            [path("super::a"), path("super::b::c"), path("super::b::d")]
        );
    }
}
