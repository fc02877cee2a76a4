//! `cargo xtask conformance`: other programs judge what this project writes.
//!
//! | judge | program | checks |
//! |---|---|---|
//! | `wings` | the real Wings 3D, driven by `../shared/conformance/wings` | our `.wings`: loaded, saved, loaded again |
//! | `gltf` | Khronos' glTF validator from npm | our `.glb` of every model and map: no errors, no warnings |
//! | `tiled` | Tiled and its rasterizer | our maps of every level: opened without a message, and equal after being saved again; some are drawn |
//! | `gdal` | GDAL | our heightmaps: size, position, range and scale; we read the files that it writes |
//! | `browser` | Chromium | our pages of a level of each format, from disk: drawn without an error, with and without WebGL |
//! | `dmx` | srctools from PyPI; the crate `datamodel` | our DMX: both read the same graph |
//! | `blender` | Blender 4.5 and 5.0 as the PyPI package `bpy`, each with two hash seeds | our `.glb`: imported with the same numbers of objects, triangles, materials, images, UV sets and colours |
//! | `extension` | the same | our extension for Blender, as `cargo xtask blender` |
//! | `wasm` | Node, Chromium | our npm package and web page, as `cargo xtask wasm`: the same bytes as the command |
//! | `files` | strace | the command on documents that name files elsewhere: it opens nothing outside their folder |
//!
//! A missing judge is skipped and reported. `--install` fetches it (Debian packages `wings3d`, `tiled`, `gdal-bin`, `chromium` and `strace`, npm
//! package `gltf-validator` and PyPI packages `srctools` and `bpy` into the target folder). `blender`, `extension` and `wasm` run only if
//! they are named: Blender takes 2 GB and Python 3.11, and the module takes long to build.

use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use crate::blender as extension;
use crate::environment::Environment;
use crate::run::{Outcome, cargo, honesty, profile, run_captured, show, skip, succeeds, workbench};
use crate::wasm;
use crate::workspace::{has_corpus, root, shared_folder, target};

/// A judge. It returns `false` if its program is missing.
type Judge = (&'static str, fn(folder: &Path) -> Result<bool, String>);

/// The Debian packages of the judges.
const PACKAGES: [(&str, &str); 5] =
    [("wings", "wings3d"), ("tiled", "tiled"), ("gdal", "gdal-bin"), ("browser", "chromium"), ("files", "strace")];

const JUDGES: [Judge; 10] = [
    ("wings", wings),
    ("gltf", gltf),
    ("dmx", dmx),
    ("tiled", tiled),
    ("gdal", gdal),
    ("browser", browser),
    ("files", files),
    ("blender", blender),
    ("extension", |_| extension::is_complete("dev")),
    // It reports itself what is missing.
    ("wasm", |_| wasm::run().map(|()| true)),
];

/// Judges that run only if they are named, because they are large.
const ON_REQUEST: [&str; 3] = ["blender", "extension", "wasm"];

pub(crate) fn conformance(args: &[String]) -> Outcome {
    let (flags, names): (Vec<String>, Vec<String>) = args.iter().cloned().partition(|arg| arg.starts_with('-'));
    if flags.iter().any(|flag| flag != "--install") {
        return Err("usage: cargo xtask conformance [JUDGE]... [--install]".to_owned());
    }
    if let Some(unknown) = names.iter().find(|name| !JUDGES.iter().any(|(judge, _)| judge == name)) {
        let names = JUDGES.map(|(judge, _)| judge).join(", ");
        return Err(format!("unknown judge {unknown}: expected one of {names}"));
    }
    if !flags.is_empty() {
        fetch(&names)?;
    }
    run(&names)
}

/// Returns `true` if a judge is named, or none is and it runs without a request.
fn is_asked(names: &[String], judge: &str) -> bool {
    names.is_empty() && !ON_REQUEST.contains(&judge) || names.iter().any(|name| name == judge)
}

/// Installs the missing programs of the named judges, or of all without names. A judge whose program cannot be installed reports that.
pub(crate) fn fetch(names: &[String]) -> Outcome {
    let asked = PACKAGES.into_iter().filter(|(judge, _)| is_asked(names, judge)).map(|(_, package)| package);
    let missing: Vec<&str> = asked.filter(|package| !has_package(package)).collect();
    if !missing.is_empty() {
        let _ = show(Command::new("apt-get").args(["update", "-qq"]));
        let install = ["install", "--yes", "-qq", "--no-install-recommends"];
        let _ = show(Command::new("apt-get").args(install).args(missing).stdout(Stdio::null()));
    }
    let folder = target()?.join("conformance");
    if is_asked(names, "gltf") && !has_validator(&folder) {
        fs::create_dir_all(&folder).map_err(|error| format!("{}: {error}", folder.display()))?;
        let npm = ["install", "--silent", "--no-save", "--prefix", ".", "gltf-validator@2.0.0-dev.3.10"];
        let _ = show(Command::new("npm").args(npm).current_dir(&folder));
    }
    if is_asked(names, "dmx") {
        srctools()?.fetch();
    }
    if is_asked(names, "blender") || is_asked(names, "extension") {
        extension::fetch()?;
    }
    if is_asked(names, "wasm") {
        wasm::fetch()?;
    }
    Ok(())
}

/// Runs the named judges, or all without names.
pub(crate) fn run(names: &[String]) -> Outcome {
    let folder = target()?.join("conformance");
    for (name, judge) in JUDGES.iter().filter(|(name, _)| is_asked(names, name)) {
        eprintln!("-- {name}");
        if !judge(&folder)? {
            skip(format!(
                "the judge {name} is not here, so nothing was asked of it: cargo xtask conformance --install"
            ));
        }
    }
    Ok(())
}

/// Loads and saves our files with the real Wings 3D.
fn wings(folder: &Path) -> Result<bool, String> {
    let driver = shared_folder("conformance/wings");
    if !driver.join("wh").is_file() {
        eprintln!("{} is not there", driver.display());
        return Ok(false);
    }
    if !has_package("wings3d") {
        return Ok(false);
    }
    let build = folder.join("wh");
    show(Command::new(driver.join("build.sh")).arg(&build))?;
    let written = create_empty_folder(&folder.join("wings"))?;
    workbench("write", &["wings".to_owned(), written.display().to_string()])?;
    let files = files_in(&written)?;
    let mut verify = Command::new(driver.join("wh"));
    verify.env("WH_BUILD", &build).arg("verify").args(&files).stderr(Stdio::null());
    let output = verify.output().map_err(|error| format!("{} does not start: {error}", driver.display()))?;
    let verdicts = String::from_utf8_lossy(&output.stdout);
    let (good, bad): (Vec<&str>, Vec<&str>) = verdicts.lines().partition(|line| line.starts_with("OK"));
    bad.iter().for_each(|line| println!("{line}"));
    println!("Wings 3D loads, saves and reloads {} of our {} files", good.len(), files.len());
    if good.len() == files.len() { Ok(true) } else { Err("Wings 3D rejects some of our files".to_owned()) }
}

/// Runs the validator of Khronos on the `.glb` of every model.
fn gltf(folder: &Path) -> Result<bool, String> {
    if !has_validator(folder) {
        return Ok(false);
    }
    let written = create_empty_folder(&folder.join("gltf"))?;
    workbench("write", &["gltf".to_owned(), written.display().to_string()])?;
    validate(folder, &written)?;
    Ok(true)
}

fn has_validator(folder: &Path) -> bool {
    folder.join("node_modules/gltf-validator").is_dir() && succeeds("node", &["--version"])
}

/// Runs the validator on all files of a folder.
fn validate(folder: &Path, written: &Path) -> Outcome {
    let script = root().join("xtask/src/validate-gltf.js");
    let files = files_in(written)?;
    show(Command::new("node").env("NODE_PATH", folder.join("node_modules")).arg(script).args(&files))
}

/// `cargo xtask corpus`: checks the laws on real files, and runs the validator on their `.glb` if it is installed.
pub(crate) fn corpus(args: &[String]) -> Outcome {
    if let [flag, rest @ ..] = args
        && flag == "--honest"
    {
        return honesty(rest);
    }
    let folder = target()?.join("conformance");
    let mut args = args.to_vec();
    let written = if has_validator(&folder) { Some(create_empty_folder(&folder.join("corpus"))?) } else { None };
    if let Some(written) = &written {
        args.splice(0..0, ["--keep-glb".to_owned(), written.display().to_string()]);
    }
    workbench("corpus", &args)?;
    match written {
        Some(written) => validate(&folder, &written),
        None => {
            skip("the .glb of the corpus: they were made, but no validator is here to look at them".to_owned());
            Ok(())
        }
    }
}

/// Compares the contents of our files as other DMX readers print them.
fn dmx(folder: &Path) -> Result<bool, String> {
    let srctools = srctools()?;
    if !srctools.missing().is_empty() {
        return Ok(false);
    }
    let written = create_empty_folder(&folder.join("dmx"))?;
    workbench("write", &["dmx".to_owned(), written.display().to_string()])?;
    let mut files = files_in(&written)?;
    files.retain(|file| file.extension().is_some_and(|extension| extension == "dmx"));
    show(srctools.python().arg(root().join("xtask/src/read-srctools.py")).args(&files))?;
    Ok(true)
}

/// Imports the `.glb` of every model with Blender, and those of the corpus if it is there.
fn blender(folder: &Path) -> Result<bool, String> {
    let blenders = extension::installed()?;
    if blenders.len() < extension::VERSIONS.len() {
        return Ok(false);
    }
    let written = create_empty_folder(&folder.join("blender"))?;
    workbench("write", &["gltf".to_owned(), written.display().to_string()])?;
    let mut files = files_in(&written)?;
    if has_corpus() {
        let kept = create_empty_folder(&folder.join("blender-corpus"))?;
        let args = ["--keep-glb".to_owned(), kept.display().to_string(), shared_folder("corpus").display().to_string()];
        workbench("corpus", &args)?;
        files.extend(files_in(&kept)?);
    }
    let script = root().join("xtask/src/import-blender.py");
    let mut all = Ok(());
    // The importer keeps names in sets, whose order depends on the seed.
    for (blender, seed) in blenders.iter().flat_map(|blender| [(blender, "0"), (blender, "1")]) {
        let mut import = blender.environment.python();
        let (output, outcome) = run_captured(import.env("PYTHONHASHSEED", seed).arg(&script).args(&files))?;
        // The importer prints a line for each step.
        let output = String::from_utf8_lossy(&output);
        output
            .lines()
            .filter(|line| line.starts_with("=="))
            .for_each(|line| println!("{}", line.trim_start_matches("== ")));
        all = all.and(outcome);
    }
    all.map(|()| true)
}

fn srctools() -> Result<Environment, String> {
    Environment::new("conformance/srctools", &["srctools==2.7.0"])
}

/// Opens, saves and draws our maps with Tiled. The tests that do so with one level use all levels here.
fn tiled(_: &Path) -> Result<bool, String> {
    if !has_package("tiled") {
        return Ok(false);
    }
    ask(test("all", "scene::program::").env("MAPWRIGHT_TILED", "all"))?;
    Ok(true)
}

/// Runs the tests in which GDAL reads our heightmaps and writes others.
fn gdal(_: &Path) -> Result<bool, String> {
    if !has_package("gdal-bin") {
        return Ok(false);
    }
    ask(&mut test("all", "gdal::"))?;
    Ok(true)
}

/// Opens our pages with Chromium.
fn browser(_: &Path) -> Result<bool, String> {
    if !has_package("chromium") {
        return Ok(false);
    }
    ask(test("command", "a_browser_draws").env("MAPWRIGHT_BROWSER", "all"))?;
    Ok(true)
}

/// Traces the system calls of the command on documents that name files elsewhere.
fn files(_: &Path) -> Result<bool, String> {
    // Some systems have strace, but forbid tracing.
    if !succeeds("strace", &["-qq", "-o", "/dev/null", "true"]) {
        return Ok(false);
    }
    ask(test("command", "strangers::").env("MAPWRIGHT_STRACE", "all"))?;
    Ok(true)
}

/// Runs the tests with this prefix, built for the whole workspace. Other features would require another build.
fn test(file: &str, name: &str) -> Command {
    let mut command = cargo(&["test", "--quiet", "--workspace"]);
    command.args(profile()).args(["--test", file, name, "--", "--nocapture"]);
    if has_corpus() {
        command.arg("--include-ignored");
    }
    command
}

/// Runs tests. Fails if there are none.
fn ask(tests: &mut Command) -> Outcome {
    let (output, outcome) = run_captured(tests)?;
    io::stdout().write_all(&output).map_err(|error| format!("the output of the tests cannot be shown: {error}"))?;
    outcome?;
    if has_run(&String::from_utf8_lossy(&output)) { Ok(()) } else { Err("no test has that name".to_owned()) }
}

fn has_run(output: &str) -> bool {
    output.lines().any(|line| line.starts_with("test result: ok. ") && !line.starts_with("test result: ok. 0 "))
}

/// Returns `true` if a Debian package is installed.
fn has_package(name: &str) -> bool {
    succeeds("dpkg-query", &["--status", name])
}

fn create_empty_folder(folder: &Path) -> Result<PathBuf, String> {
    let _ = fs::remove_dir_all(folder);
    fs::create_dir_all(folder).map_err(|error| format!("{}: {error}", folder.display()))?;
    Ok(folder.to_owned())
}

fn files_in(folder: &Path) -> Result<Vec<PathBuf>, String> {
    let entries = fs::read_dir(folder).map_err(|error| format!("{}: {error}", folder.display()))?;
    let mut files: Vec<PathBuf> = entries.filter_map(Result::ok).map(|entry| entry.path()).collect();
    files.sort();
    if files.is_empty() { Err(format!("{} is empty: expected files to check", folder.display())) } else { Ok(files) }
}

#[cfg(test)]
mod tests {
    use super::has_run;

    #[test]
    fn a_run_without_tests_is_not_a_pass() {
        let none = "running 0 tests\ntest result: ok. 0 passed; 0 failed; 0 ignored; 0 measured; 9 filtered out\n";
        assert!(!has_run(none));
        assert!(has_run(&format!("{none}running 1 test\n.\ntest result: ok. 1 passed; 0 failed; 0 ignored\n")));
    }
}
