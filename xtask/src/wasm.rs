//! `cargo xtask wasm`: builds the module for browsers and Node, the npm package and the web page, and tests them.
//!
//! | step | needs |
//! |---|---|
//! | module | the target `wasm32-unknown-unknown` of rustup, and `wasm-bindgen` of the version in `crates/wasm/Cargo.toml` |
//! | tests, comparison with the command | Node |
//! | package from a tarball | npm |
//! | web page | Debian package `chromium`, npm package `playwright-core` |
//!
//! A step whose programs are missing is skipped and reported. `--install` fetches them: into the target folder, but Chromium with apt-get.

use std::env;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use crate::run::{Outcome, capture, cargo, native_command, show, skip, succeeds};
use crate::workspace::{has_corpus, root, shared_folder, target};

const TARGET: &str = "wasm32-unknown-unknown";
const CRATE: &str = "crates/wasm";
const PLAYWRIGHT: &str = "playwright-core@1.65.1";
/// The statement of the constants with the hashes of the style and the script of pages.
const PAGE: &str = "crates/mapwright/src/page.rs";

pub(crate) fn wasm(args: &[String]) -> Outcome {
    match args {
        [] => {}
        [flag] if flag == "--install" => fetch()?,
        _ => return Err("usage: cargo xtask wasm [--install]".to_owned()),
    }
    run()
}

/// The folders of the results.
struct Folders {
    /// Programs.
    tools: PathBuf,
    /// Builds of cargo.
    build: PathBuf,
    /// The npm package.
    package: PathBuf,
    /// The web page.
    site: PathBuf,
}

impl Folders {
    fn new() -> Result<Self, String> {
        let folder = target()?.join("wasm");
        let [tools, build, package, site] = ["tools", "build", "package", "site"].map(|name| folder.join(name));
        Ok(Self { tools, build, package, site })
    }

    fn wasm_bindgen(&self) -> PathBuf {
        self.tools.join("bin").join(format!("wasm-bindgen{}", env::consts::EXE_SUFFIX))
    }
}

/// Installs the missing programs. One that cannot be installed is reported when it is needed.
pub(crate) fn fetch() -> Outcome {
    let folders = Folders::new()?;
    let version = wasm_bindgen_version()?;
    if !has_target() {
        let _ = show(Command::new("rustup").args(["target", "add", TARGET]));
    }
    if !has_wasm_bindgen(&folders.wasm_bindgen(), &version) {
        let install = ["install", "wasm-bindgen-cli", "--quiet", "--version", &version];
        // Optimization takes longer than it saves.
        let profile = ["--profile", "dev", "--no-track", "--force", "--bin", "wasm-bindgen"];
        let mut install = cargo(&install);
        install.args(profile).arg("--root").arg(&folders.tools).arg("--target-dir").arg(folders.tools.join("build"));
        let _ = show(&mut install);
    }
    if !has_playwright(&folders) {
        fs::create_dir_all(&folders.tools).map_err(|error| format!("{}: {error}", folders.tools.display()))?;
        let npm = ["install", "--silent", "--no-save", "--prefix", ".", PLAYWRIGHT];
        let _ = show(Command::new("npm").args(npm).current_dir(&folders.tools));
    }
    if chromium().is_none() {
        let install = ["install", "--yes", "-qq", "--no-install-recommends", "chromium"];
        let _ = show(Command::new("apt-get").args(["update", "-qq"]));
        let _ = show(Command::new("apt-get").args(install).stdout(Stdio::null()));
    }
    Ok(())
}

/// Builds and tests, as far as the programs are here.
pub(crate) fn run() -> Outcome {
    let folders = Folders::new()?;
    let version = wasm_bindgen_version()?;
    let missing = [
        (!has_target()).then(|| format!("the target {TARGET}")),
        (!has_wasm_bindgen(&folders.wasm_bindgen(), &version)).then(|| format!("wasm-bindgen {version}")),
    ];
    let missing: Vec<String> = missing.into_iter().flatten().collect();
    if !missing.is_empty() {
        skip(format!("the npm package and the web page: missing {}: cargo xtask wasm --install", missing.join(", ")));
        return Ok(());
    }
    let module = build(&folders)?;
    copy_files(&folders, &module)?;
    if !succeeds("node", &["--version"]) {
        skip("tests of the npm package and the web page: Node is not installed".to_owned());
        return Ok(());
    }
    let command = native_command()?;
    test(&folders, &command)
}

/// Builds the module, and its bindings into a folder, which it returns.
fn build(folders: &Folders) -> Result<PathBuf, String> {
    let manifest = root().join(CRATE).join("Cargo.toml").display().to_string();
    show(&mut cargo(&["fmt", "--check", "--manifest-path", &manifest]))?;
    let options = ["--locked", "--manifest-path", &manifest, "--target", TARGET];
    let started = |command: &str| {
        let mut cargo = cargo(&[command]);
        cargo.args(options).arg("--target-dir").arg(&folders.build);
        cargo
    };
    show(started("clippy").args(["--", "-D", "warnings"]))?;
    show(started("build").arg("--release"))?;
    let module = folders.package.join("module");
    let _ = fs::remove_dir_all(&folders.package);
    let mut bindings = Command::new(folders.wasm_bindgen());
    // Names of functions take two fifths of the module.
    bindings.args([
        "--target",
        "web",
        "--out-name",
        "mapwright",
        "--remove-name-section",
        "--remove-producers-section",
    ]);
    bindings.arg("--out-dir").arg(&module);
    show(bindings.arg(folders.build.join(TARGET).join("release/mapwright_wasm.wasm")))?;
    Ok(module)
}

/// Completes the package, and the web page with the same module.
fn copy_files(folders: &Folders, module: &Path) -> Outcome {
    let source = root().join(CRATE);
    copy_all(&source.join("package"), &folders.package)?;
    for name in ["README.md", "CHANGELOG.md"] {
        copy(&source.join(name), &folders.package.join(name))?;
    }
    for name in ["LICENSE-APACHE", "LICENSE-MIT"] {
        copy(&root().join(name), &folders.package.join(name))?;
    }
    let _ = fs::remove_dir_all(&folders.site);
    copy_all(&source.join("web"), &folders.site)?;
    copy_all(module, &folders.site.join("module"))?;
    // The policy of the page also applies to the frame of the view, whose style and script it names by their hashes.
    let page = folders.site.join("index.html");
    let text = fs::read_to_string(&page).map_err(|error| format!("{}: {error}", page.display()))?;
    let hashes = fs::read_to_string(root().join(PAGE)).map_err(|error| format!("{PAGE}: {error}"))?;
    let text = ["style", "script"].into_iter().try_fold(text, |text, name| {
        let constant = format!("{}_HASH", name.to_uppercase());
        let hash = text_of_constant(&hashes, &constant).ok_or_else(|| format!("{PAGE} has no constant {constant}"))?;
        Ok::<_, String>(text.replace(&format!("{{{{{name}-hash}}}}"), hash))
    })?;
    fs::write(&page, text).map_err(|error| format!("{}: {error}", page.display()))
}

/// Returns the text of a constant in a Rust source.
fn text_of_constant<'a>(source: &'a str, name: &str) -> Option<&'a str> {
    let (_, after) = source.split_once(&format!("{name}: &str = \""))?;
    Some(after.split_once('"')?.0)
}

fn test(folders: &Folders, command: &Path) -> Outcome {
    let tests = root().join(CRATE).join("tests");
    let node = || {
        let mut node = Command::new("node");
        node.env("MAPWRIGHT_PACKAGE", &folders.package).env("MAPWRIGHT_SITE", &folders.site);
        node.env("MAPWRIGHT_COMMAND", command).env("MAPWRIGHT_TOOLS", &folders.tools).current_dir(root());
        node
    };
    show(node().arg("--test").arg(tests.join("document.test.mjs")))?;
    show(node().arg(tests.join("compare.mjs")).arg("all").arg(root().join("fixtures")))?;
    if has_corpus() {
        let corpus = env::var_os("MAPWRIGHT_CORPUS").map_or_else(|| shared_folder("corpus"), PathBuf::from);
        show(node().arg(tests.join("compare.mjs")).arg("glb").arg(corpus))?;
    } else {
        skip("a comparison of the command and the module over the corpus, which is missing".to_owned());
    }
    if succeeds("npm", &["--version"]) {
        show(node().arg("--test").arg(tests.join("package.test.mjs")))?;
    } else {
        skip("a test of the npm package from its tarball: npm is not installed".to_owned());
    }
    let Some(chromium) = chromium().filter(|_| has_playwright(folders)) else {
        skip(format!("tests of the web page: Chromium or {PLAYWRIGHT} is missing: cargo xtask wasm --install"));
        return Ok(());
    };
    show(node().env("MAPWRIGHT_CHROMIUM", chromium).arg("--test").arg(tests.join("web.test.mjs")))
}

/// Returns the version of wasm-bindgen that the manifest requires. The program must be of the same version.
fn wasm_bindgen_version() -> Result<String, String> {
    let manifest = Path::new(CRATE).join("Cargo.toml");
    let text =
        fs::read_to_string(root().join(&manifest)).map_err(|error| format!("{}: {error}", manifest.display()))?;
    let version = text.split_once("wasm-bindgen = \"=").and_then(|(_, after)| after.split_once('"'));
    version.map(|(version, _)| version.to_owned()).ok_or_else(|| {
        format!("{} does not require one version of wasm-bindgen: write \"=VERSION\"", manifest.display())
    })
}

fn has_target() -> bool {
    let output = Command::new("rustc").args(["--print", "target-libdir", "--target", TARGET]).output();
    output.is_ok_and(|found| Path::new(String::from_utf8_lossy(&found.stdout).trim()).is_dir())
}

fn has_wasm_bindgen(program: &Path, version: &str) -> bool {
    program.is_file()
        && capture(Command::new(program).arg("--version"))
            .is_ok_and(|text| text.trim() == format!("wasm-bindgen {version}"))
}

fn has_playwright(folders: &Folders) -> bool {
    folders.tools.join("node_modules/playwright-core/package.json").is_file()
}

/// Returns the name of an installed Chromium.
fn chromium() -> Option<&'static str> {
    ["chromium", "chromium-browser", "google-chrome"].into_iter().find(|name| succeeds(name, &["--version"]))
}

/// Copies the files of a folder, which has no folders.
fn copy_all(from: &Path, to: &Path) -> Outcome {
    fs::create_dir_all(to).map_err(|error| format!("{}: {error}", to.display()))?;
    let entries = fs::read_dir(from).map_err(|error| format!("{}: {error}", from.display()))?;
    entries.filter_map(Result::ok).try_for_each(|entry| copy(&entry.path(), &to.join(entry.file_name())))
}

fn copy(from: &Path, to: &Path) -> Outcome {
    fs::copy(from, to).map(|_| ()).map_err(|error| format!("{}: {error}", from.display()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_version_of_wasm_bindgen_is_that_of_the_manifest() {
        assert!(wasm_bindgen_version().unwrap().split('.').count() == 3);
    }

    #[test]
    fn pages_state_the_hashes_of_their_style_and_script() {
        let source = fs::read_to_string(root().join(PAGE)).unwrap();
        for name in ["STYLE_HASH", "SCRIPT_HASH"] {
            assert_eq!(text_of_constant(&source, name).unwrap().len(), 44, "{name}");
        }
        assert_eq!(text_of_constant("const A: &str = \"b\";", "B"), None);
    }
}
