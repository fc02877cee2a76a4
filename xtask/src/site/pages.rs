//! The pages of the site: its own sources, and files of the repository that `SUMMARY.md` lists or pages include.
//!
//! A line of a page can be a directive:
//!
//! | directive | replaced by |
//! |---|---|
//! | `{{include FILE}}`, `{{include FILE#section}}` | the file without its title, or a section without its heading; `FILE#` is the text before the first section |
//! | `{{list FILE#section TEXT}}` | the list items of the section that contain the text |
//! | `{{formats}}` | the table of formats that the command prints |
//! | `{{app}}` | a link to the web page, or the command that builds it |
//! | `{{commands}}` in `SUMMARY.md` | a page for each command, with its help |
//!
//! Comments before blocks state how the block is tested: `no_run: REASON`; `output: shown` to print its output below it;
//! `run_with: FILES` to run it with files that another command builds, if they exist; `file: NAME` for a script that such a block
//! starts. Links lead to pages, to copies of fixtures and of files that the commands of the page make, or to the repository.

use std::collections::{BTreeMap, BTreeSet};
use std::ffi::OsStr;
use std::fmt::Write as _;
use std::fs;
use std::path::{Component, Path, PathBuf};

use serde_json::Value;

use super::markdown::{self, Block, Heading, Part};
use super::{SOURCES, Shell, copy};
use crate::run::{Outcome, skip};
use crate::workspace::{Package, packages, root};

const README: &str = "README.md";

/// A page of the book.
struct Page {
    title: String,
    /// The Markdown file, relative to the root of the repository.
    source: PathBuf,
    /// The file in the sources of the book.
    path: PathBuf,
}

/// The place of a file or a section.
struct Place {
    /// The file in the sources of the book.
    path: PathBuf,
    /// The anchor of the heading; empty at the start of a page.
    anchor: String,
}

struct Book<'a> {
    shell: &'a Shell<'a>,
    /// The folder of the sources of the book.
    folder: &'a Path,
    has_app: bool,
    pages: Vec<Page>,
    /// The pages of files and sections, by file and anchor, and the headings on pages that include them.
    places: BTreeMap<(PathBuf, String), Place>,
    packages: Vec<Package>,
    /// The address of the repository.
    repository: String,
}

/// Writes the sources of the book, and returns the number of pages.
pub(super) fn write(shell: &Shell<'_>, folder: &Path, has_app: bool) -> Result<usize, String> {
    let manifest = read(Path::new("Cargo.toml"))?;
    let repository = manifest.split_once("repository = \"").and_then(|(_, rest)| rest.split_once('"'));
    let (repository, _) = repository.ok_or("Cargo.toml does not state the repository")?;
    let mut book = Book {
        shell,
        folder,
        has_app,
        pages: Vec::new(),
        places: BTreeMap::new(),
        packages: packages()?,
        repository: repository.to_owned(),
    };
    let summary = book.read_summary()?;
    book.find_places()?;
    book.check_blocks()?;
    book.save(Path::new("SUMMARY.md"), &summary)?;
    for page in &book.pages {
        let text = book.render_page(page)?;
        book.save(&page.path, &text)?;
    }
    Ok(markdown::targets(&summary).len())
}

impl Book<'_> {
    /// Reads the list of pages. Returns it with the paths in the book, and with the pages of commands, which it writes.
    fn read_summary(&mut self) -> Result<String, String> {
        let file = sources().join("SUMMARY.md");
        let mut summary = String::new();
        for line in read(&file)?.lines() {
            if line.trim() == "{{commands}}" {
                let indent = &line[..line.len() - line.trim_start().len()];
                for name in self.commands()? {
                    let path = Path::new("command").join(&name).with_extension("md");
                    let help = self.command(&format!("mapwright {name} --help"))?;
                    self.save(&path, &format!("# mapwright {name}\n\n```text\n{help}```\n"))?;
                    let _ = writeln!(summary, "{indent}- [{name}]({})", path.display());
                }
                continue;
            }
            let mut pages = Vec::new();
            let item = line.trim_start();
            summary += &line[..line.len() - item.len()];
            summary += &markdown::replace_targets(item, |target| {
                let source = resolve(&file, target);
                let path = page_path(&source);
                pages.push((source, path.clone()));
                Ok(path.display().to_string())
            })?;
            summary.push('\n');
            let title = line.split_once('[').and_then(|(_, rest)| rest.split_once(']')).map_or("", |(title, _)| title);
            let page = |(source, path)| Page { title: title.to_owned(), source, path };
            self.pages.extend(pages.into_iter().map(page));
        }
        Ok(summary)
    }

    /// Returns the names of the commands that the help lists.
    fn commands(&self) -> Result<Vec<String>, String> {
        let help = self.command("mapwright help")?;
        let lines = help.lines().skip_while(|line| *line != "Commands:").skip(1).take_while(|line| !line.is_empty());
        // Texts that continue in the next line are indented further.
        let rows = lines.filter_map(|line| line.strip_prefix("  ").filter(|row| !row.starts_with(' ')));
        let names = rows.filter_map(|row| row.split(' ').next()).filter(|name| *name != "help");
        match names.map(str::to_owned).collect::<Vec<_>>() {
            names if names.is_empty() => Err("`mapwright help` lists no commands".to_owned()),
            names => Ok(names),
        }
    }

    /// Runs a command in the folder of no page.
    fn command(&self, line: &str) -> Result<String, String> {
        let nowhere = Path::new("");
        fs::create_dir_all(self.shell.folder(nowhere)).map_err(|error| error.to_string())?;
        self.shell.run(nowhere, line)
    }

    /// Finds the place of each file and each section that is part of the book.
    fn find_places(&mut self) -> Outcome {
        for page in &self.pages {
            let place = Place { path: page.path.clone(), anchor: String::new() };
            self.places.insert((page.source.clone(), String::new()), place);
        }
        for page in self.pages.iter().filter(|page| is_own(&page.source)) {
            let mut anchor = String::new();
            for part in markdown::parts(&read(&page.source)?) {
                let text = match part {
                    Part::Text(text) => text,
                    Part::Heading(Heading { level, title, .. }) => {
                        anchor = if level == 1 { String::new() } else { markdown::slug(title) };
                        continue;
                    }
                    Part::Block(_) => continue,
                };
                // The text before the first section of a file is not the file.
                let directives = text.lines().filter_map(directive).filter(|(name, _)| *name == "include");
                for (_, argument) in directives.filter(|(_, argument)| !argument.ends_with('#')) {
                    let (file, section) = argument.split_once('#').unwrap_or((argument, ""));
                    let place = || Place { path: page.path.clone(), anchor: anchor.clone() };
                    self.places.entry((PathBuf::from(file), section.to_owned())).or_insert_with(place);
                }
            }
        }
        Ok(())
    }

    /// Fails if a block is neither tested nor marked with a reason.
    fn check_blocks(&self) -> Outcome {
        let files: BTreeSet<&PathBuf> = self.places.keys().map(|(file, _)| file).collect();
        let mut wrong = String::new();
        for file in files.into_iter().filter(|file| root().join(file).is_file()) {
            let docs = documentation(file);
            let text = read(file)?;
            for block in markdown::blocks(&text) {
                if let Some(problem) = check_block(file, &block, &docs) {
                    let _ = write!(wrong, "\n{}:{}: {problem}", file.display(), block.line);
                }
            }
        }
        if wrong.is_empty() { Ok(()) } else { Err(format!("blocks that no test runs:{wrong}")) }
    }

    fn render_page(&self, page: &Page) -> Result<String, String> {
        let text = read(&page.source)?;
        let outputs = if is_own(&page.source) { self.run_blocks(page, &text)? } else { BTreeMap::new() };
        if is_own(&page.source) {
            return self.render(page, &page.source, &text, 0, &outputs);
        }
        let (level, body) = without_title(&text);
        let body = self.render(page, &page.source, body, 1 - level, &outputs)?;
        Ok(format!("# {}\n\n{}", page.title, body.trim_start()))
    }

    /// Renders a part of a file for a page: directives, headings of other levels, links, and blocks with their outputs.
    fn render(
        &self,
        page: &Page,
        source: &Path,
        text: &str,
        shift: isize,
        outputs: &BTreeMap<String, String>,
    ) -> Result<String, String> {
        let mut result = String::new();
        let mut level = 1;
        for part in markdown::parts(text) {
            let text = match part {
                Part::Text(text) => text,
                Part::Heading(heading) => {
                    level = heading.level.saturating_add_signed(shift).clamp(1, 6);
                    let title = markdown::replace_targets(heading.title, |target| self.link(page, source, target))?;
                    let _ = writeln!(result, "{} {title}", "#".repeat(level));
                    continue;
                }
                Part::Block(block) => {
                    // Blocks of documentation of Rust have no language.
                    let language = if block.language.is_empty() { "rust" } else { block.language };
                    let _ = write!(result, "```{language}\n{}```\n", block.code);
                    if let Some(output) = outputs.get(block.code) {
                        let _ = write!(result, "\n```text\n{output}```\n");
                    }
                    continue;
                }
            };
            // Links may be broken into lines, so their targets are replaced before the text is divided into lines.
            let text = markdown::replace_targets(text, |target| self.link(page, source, target))?;
            for line in text.split_inclusive('\n') {
                if let Some((name, argument)) = directive(line).filter(|_| is_own(source)) {
                    result += &self.replace_directive(page, name, argument, level)?;
                } else {
                    result += line;
                }
            }
        }
        Ok(result)
    }

    fn replace_directive(&self, page: &Page, name: &str, argument: &str, level: usize) -> Result<String, String> {
        match name {
            "include" => self.include(page, argument, level),
            "list" => {
                let (place, text) = argument.split_once(' ').unwrap_or((argument, ""));
                let (file, anchor) = place.split_once('#').unwrap_or((place, ""));
                let all = read(Path::new(file))?;
                let (_, section) = section(file, &all, anchor)?;
                let items = section.lines().filter(|line| line.starts_with("- ") && line.contains(text));
                match items.collect::<Vec<_>>() {
                    items if items.is_empty() => Err(format!("{place} has no list item with {text:?}")),
                    items => Ok(items.join("\n") + "\n"),
                }
            }
            "formats" => self.formats(),
            "app" if self.has_app => Ok(format!("[Open the page]({}app/index.html)\n", up(&page.path))),
            "app" => Ok(
                "This copy of the site was built without the page. `cargo xtask wasm --install` builds the page, and \
                         `cargo xtask site` then adds it.\n"
                    .to_owned(),
            ),
            _ => Err(format!("{}: unknown directive {name}", page.source.display())),
        }
    }

    fn include(&self, page: &Page, argument: &str, level: usize) -> Result<String, String> {
        let (file, anchor) = argument.split_once('#').unwrap_or((argument, ""));
        let source = Path::new(file);
        let text = read(source)?;
        let (own, text) = if argument.contains('#') {
            section(file, &text, anchor)?
        } else {
            let (level, body) = without_title(&text);
            (level.unsigned_abs(), body)
        };
        let shift = level.cast_signed() - own.cast_signed();
        Ok(self.render(page, source, text, shift, &BTreeMap::new())?.trim_start().to_owned())
    }

    /// Returns the table of formats.
    fn formats(&self) -> Result<String, String> {
        let text = self.command("mapwright formats --json")?;
        let json: Value = serde_json::from_str(&text).map_err(|error| format!("mapwright formats: {error}"))?;
        let mut table =
            "| name | format | extensions | byte-exact | to and from the scene |\n|---|---|---|---|---|\n".to_owned();
        for format in json["formats"].as_array().into_iter().flatten() {
            let text = |key: &str| format[key].as_str().unwrap_or_default().to_owned();
            let is = |key: &str| format[key] == true;
            let extensions = format["extensions"].as_array().into_iter().flatten().filter_map(Value::as_str);
            let extensions: Vec<String> = extensions.map(|extension| format!("`.{extension}`")).collect();
            let scene = match (is("import"), is("export")) {
                (true, true) => "both",
                (true, false) => "to",
                (false, true) => "from",
                (false, false) => "–",
            };
            let exact = if is("lossless") { "yes" } else { "–" };
            let (name, title) = (text("name"), text("title"));
            let _ = writeln!(table, "| `{name}` | {title} | {} | {exact} | {scene} |", extensions.join(" "));
        }
        Ok(table)
    }

    /// Runs the blocks of a page. Returns the outputs to show, by the code of the block.
    fn run_blocks(&self, page: &Page, text: &str) -> Result<BTreeMap<String, String>, String> {
        let mut outputs = BTreeMap::new();
        let is_run = |block: &Block<'_>| block.language == "sh" && block.marked("no_run").is_none();
        if !markdown::blocks(text).any(|block| is_run(&block)) {
            return Ok(outputs);
        }
        self.shell.prepare(&page.path, &self.linked_fixtures(page, text))?;
        for block in markdown::blocks(text).filter(|block| is_run(block) && block.marked("run_with").is_none()) {
            let output = self.shell.run(&page.path, block.code)?;
            if block.marked("output").is_some() {
                outputs.insert(block.code.to_owned(), output);
            }
        }
        // In one shell, because the first commands prepare the environment of the others.
        let mut script = String::new();
        for block in markdown::blocks(text) {
            if let Some(name) = block.marked("file") {
                self.shell.write(&page.path, name, block.code)?;
            } else if let Some(files) = block.marked("run_with") {
                if self.shell.run(&page.path, &format!("ls {files}")).is_err() {
                    skip(format!("examples of {}: no {files}", page.source.display()));
                    return Ok(outputs);
                }
                script += block.code;
            }
        }
        self.shell.run(&page.path, &script)?;
        Ok(outputs)
    }

    /// Returns the fixtures that a page links to.
    fn linked_fixtures(&self, page: &Page, text: &str) -> Vec<PathBuf> {
        let texts = markdown::parts(text).into_iter().filter_map(|part| match part {
            Part::Text(text) => Some(text),
            _ => None,
        });
        let files = texts.flat_map(markdown::targets).map(|target| resolve(&page.source, target));
        let files = files.filter(|file| file.starts_with("fixtures")).map(|file| root().join(file));
        files.filter(|file| file.is_file()).collect()
    }

    /// Returns the target of a link in the book.
    fn link(&self, page: &Page, source: &Path, target: &str) -> Result<String, String> {
        if target.starts_with('#') || target.contains("://") {
            return Ok(target.to_owned());
        }
        if let Some(path) = target.strip_prefix("crate::") {
            return self.link_of_rustdoc(page, source, path);
        }
        let (file, anchor) = target.split_once('#').unwrap_or((target, ""));
        let file = resolve(source, file);
        // READMEs describe their folders.
        let file = if root().join(&file).is_dir() && self.places.contains_key(&(file.join(README), String::new())) {
            file.join(README)
        } else {
            file
        };
        let section = Some(anchor).filter(|anchor| !anchor.is_empty());
        let section = section.and_then(|anchor| self.places.get(&(file.clone(), anchor.to_owned())));
        let whole = || self.places.get(&(file.clone(), String::new()));
        let place = match section {
            Some(place) => Some((&place.path, place.anchor.as_str())),
            None => whole().map(|place| (&place.path, if anchor.is_empty() { &place.anchor } else { anchor })),
        };
        if let Some((path, anchor)) = place {
            return Ok(format!("{}{}{}", up(&page.path), path.display(), fragment(anchor)));
        }
        let copied = if self.shell.folder(&page.path).join(target).is_file() && is_own(source) {
            Some((self.shell.folder(&page.path).join(target), PathBuf::from("made").join(page.path.with_extension(""))))
        } else if file.starts_with("fixtures") && root().join(&file).is_file() {
            Some((root().join(&file), PathBuf::from("samples")))
        } else if file.extension().is_some_and(|extension| extension == "png") && root().join(&file).is_file() {
            Some((root().join(&file), PathBuf::from("images")))
        } else {
            None
        };
        if let Some((from, folder)) = copied {
            let path = folder.join(from.file_name().unwrap_or_default());
            copy(&from, &self.folder.join(&path))?;
            return Ok(format!("{}{}", up(&page.path), path.display()));
        }
        let full = root().join(&file);
        let has_anchor = || {
            let text = fs::read_to_string(&full).unwrap_or_default();
            anchor.is_empty() || markdown::headings(&text).any(|heading| markdown::slug(heading.title) == anchor)
        };
        if !full.exists() || !has_anchor() {
            return Err(format!("{}: dead link {target}", source.display()));
        }
        let kind = if full.is_dir() { "tree" } else { "blob" };
        Ok(format!("{}/{kind}/main/{}{}", self.repository, file.display(), fragment(anchor)))
    }

    /// Returns the page of the manual, or the search of the documentation, which needs no kind of item.
    fn link_of_rustdoc(&self, page: &Page, source: &Path, path: &str) -> Result<String, String> {
        let package = self.packages.iter().find(|package| source.starts_with(&package.folder));
        let package = package.ok_or_else(|| format!("{}: no crate for crate::{path}", source.display()))?;
        if let Some(name) = path.strip_prefix("manual::") {
            let file = package.folder.join("manual").join(name).with_extension("md");
            if let Some(place) = self.places.get(&(file, String::new())) {
                return Ok(format!("{}{}", up(&page.path), place.path.display()));
            }
        }
        let (name, item) = (&package.name, path.trim_end_matches("()"));
        Ok(format!("https://docs.rs/{name}/latest/{}/?search={item}", name.replace('-', "_")))
    }

    fn save(&self, path: &Path, text: &str) -> Outcome {
        let file = self.folder.join(path);
        let folder = file.parent().unwrap_or(self.folder);
        fs::create_dir_all(folder).map_err(|error| format!("{}: {error}", folder.display()))?;
        fs::write(&file, text).map_err(|error| format!("{}: {error}", file.display()))
    }
}

fn sources() -> PathBuf {
    Path::new(SOURCES).join("src")
}

/// Returns `true` for a file that only the site has.
fn is_own(source: &Path) -> bool {
    source.starts_with(SOURCES)
}

/// Reads a file of the repository.
fn read(file: &Path) -> Result<String, String> {
    fs::read_to_string(root().join(file)).map_err(|error| format!("{}: {error}", file.display()))
}

/// Returns the section of a file, with the level of its heading.
fn section<'a>(file: &str, text: &'a str, anchor: &str) -> Result<(usize, &'a str), String> {
    markdown::section(text, anchor).ok_or_else(|| format!("{file} has no section #{anchor}"))
}

/// Returns the level of the title, and the text after it. Pages of the manual are modules, which have no title.
fn without_title(text: &str) -> (isize, &str) {
    match markdown::headings(text).next() {
        Some(Heading { range, level: 1, .. }) if text[..range.start].trim().is_empty() => (1, &text[range.end..]),
        _ => (0, text),
    }
}

/// Returns the name and the argument of a directive.
fn directive(line: &str) -> Option<(&str, &str)> {
    let text = line.trim().strip_prefix("{{")?.strip_suffix("}}")?;
    Some(text.split_once(' ').unwrap_or((text, "")))
}

/// Returns the file that a link leads to, relative to the root of the repository.
fn resolve(source: &Path, target: &str) -> PathBuf {
    let mut path = source.parent().unwrap_or(source).to_owned();
    for component in Path::new(target).components() {
        match component {
            Component::ParentDir => {
                path.pop();
            }
            Component::CurDir => {}
            component => path.push(component),
        }
    }
    path
}

/// Returns the path in the book of a file of the repository. READMEs get the names of their folders.
fn page_path(source: &Path) -> PathBuf {
    if let Ok(own) = source.strip_prefix(sources()) {
        return own.to_owned();
    }
    let path = if source.file_name() == Some(OsStr::new(README)) {
        source.parent().unwrap_or(source).with_extension("md")
    } else {
        source.to_owned()
    };
    // Hosts of static sites leave out hidden folders.
    path.strip_prefix(".github").map_or(path.clone(), Path::to_owned)
}

/// Returns the end of an address that leads to an anchor.
fn fragment(anchor: &str) -> String {
    if anchor.is_empty() { String::new() } else { format!("#{anchor}") }
}

/// Returns the path from a page to the root of the book.
fn up(page: &Path) -> String {
    "../".repeat(page.components().count() - 1)
}

/// Returns the sources of the crate that may include a file as documentation.
fn documentation(file: &Path) -> String {
    let Some(package) = file.ancestors().find(|folder| root().join(folder).join("Cargo.toml").is_file()) else {
        return String::new();
    };
    let sources = ["src/lib.rs", "src/manual.rs"].map(|name| read(&package.join(name)).unwrap_or_default());
    let inner = file.strip_prefix(package).unwrap_or(file);
    let included = format!("include_str!(\"../{}\")", inner.display());
    sources.into_iter().find(|source| source.contains(&included)).unwrap_or_default()
}

/// Returns the problem of a block that no test runs.
fn check_block(file: &Path, block: &Block<'_>, documentation: &str) -> Option<String> {
    if block.marked("no_run").is_some() {
        return None;
    }
    let is_run = match block.language {
        // A test of the command runs the commands in all documents.
        "sh" | "text" | "json" | "toml" => true,
        // The documentation tests of the crate.
        "rust" | "" => !documentation.is_empty(),
        // An example starts the script.
        "python" | "js" if block.marked("file").is_some() => true,
        // The documentation tests of the package.
        "python" => file.starts_with("crates/python") && block.code.starts_with(">>> "),
        // A test of the npm package.
        "js" => file == Path::new("crates/wasm/README.md"),
        _ => false,
    };
    let wanted = "state the reason in the line before: <!-- no_run: REASON -->";
    (!is_run).then(|| format!("no test runs blocks of {:?} in this file: {wanted}", block.language))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns `true` if a test runs the only block of a text, or it has a reason why not.
    fn is_run(file: &str, text: &str, documentation: &str) -> bool {
        let block = markdown::blocks(text).next().unwrap();
        check_block(Path::new(file), &block, documentation).is_none()
    }

    #[test]
    fn blocks_are_run_or_have_a_reason() {
        let site = "xtask/site/src/a.md";
        assert!(is_run(site, "```sh\nmapwright help\n```\n", ""));
        for language in ["bash", "", "rust", "python", "js"] {
            let text = format!("```{language}\na\n```\n");
            assert!(!is_run(site, &text, ""), "{language}");
            assert!(is_run(site, &format!("<!-- no_run: slow -->\n{text}"), ""), "{language}");
            assert!(!is_run(site, &format!("<!-- no_run: -->\n{text}"), ""), "{language}");
        }
        assert!(is_run(site, "<!-- file: a.py -->\n```python\na\n```\n", ""));
        assert!(is_run("crates/wings/README.md", "```rust\na\n```\n", "#![doc = include_str!(\"../README.md\")]"));
        assert!(is_run("crates/python/README.md", "```python\n>>> 1\n1\n```\n", ""));
        assert!(!is_run("crates/python/README.md", "```python\n1\n```\n", ""));
    }

    #[test]
    fn the_documentation_of_crates_includes_readmes_and_the_manual() {
        for file in ["crates/wings/README.md", "crates/mapwright/manual/untrusted.md"] {
            assert!(!documentation(Path::new(file)).is_empty(), "{file}");
        }
        for file in ["README.md", "crates/wings/CHANGELOG.md", "xtask/site/src/start.md"] {
            assert!(documentation(Path::new(file)).is_empty(), "{file}");
        }
    }

    #[test]
    fn files_have_paths_in_the_book() {
        for (file, path) in [
            ("xtask/site/src/start.md", "start.md"),
            ("crates/wings/README.md", "crates/wings.md"),
            ("crates/mapwright/manual/fidelity.md", "crates/mapwright/manual/fidelity.md"),
            (".github/CONTRIBUTING.md", "CONTRIBUTING.md"),
        ] {
            assert_eq!(page_path(Path::new(file)), Path::new(path));
        }
        assert_eq!((up(Path::new("start.md")).as_str(), up(Path::new("crates/wings.md")).as_str()), ("", "../"));
        assert_eq!(resolve(Path::new("a/b/c.md"), "../d/./e.md"), Path::new("a/d/e.md"));
    }

    #[test]
    fn the_crates_of_formats_are_pages() {
        let summary = read(&sources().join("SUMMARY.md")).unwrap();
        let formats = fs::read_dir(root().join("crates/mapwright/src/formats")).unwrap();
        let names = formats.map(|entry| entry.unwrap().path().file_stem().unwrap().to_string_lossy().into_owned());
        let readmes = names.map(|name| format!("crates/{name}/{README}"));
        let readmes: Vec<_> = readmes.filter(|readme| root().join(readme).is_file()).collect();
        assert!(readmes.len() > 5, "{readmes:?}");
        for readme in readmes {
            assert!(summary.contains(&format!("(../../../{readme})")), "{readme}");
        }
    }

    #[test]
    fn directives_are_lines_of_their_own() {
        assert_eq!(directive("{{include README.md#install}}\n"), Some(("include", "README.md#install")));
        assert_eq!(directive("  {{app}}"), Some(("app", "")));
        assert_eq!(directive("see {{app}}"), None);
    }
}
