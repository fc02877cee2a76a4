//! `cargo xtask conformance`: other programs judge what this project writes.
//!
//! | judge | what it is | judges |
//! |---|---|---|
//! | `wings` | the real Wings 3D, driven by `../shared/conformance/wings` | our `.wings`: loaded, saved, loaded again |
//! | `gltf` | Khronos' glTF validator from npm | our `.glb` of every model and map: no errors, no warnings |
//! | `tiled` | Tiled and its rasterizer | our maps of every level: opened without a word, and the same level when saved again; some drawn |
//! | `gdal` | GDAL | our heightmaps: size, place, range and scale; and that we read what it makes of them |
//! | `browser` | Chromium | our pages of a level of each format, from disk: drawn without an error, with and without WebGL |
//! | `dmx` | srctools from PyPI; the crate `datamodel` | our DMX: the same graph is seen |
//! | `files` | strace | the command on documents that name files elsewhere: it opens nothing outside their folder |
//!
//! A judge that is not here is skipped, loudly. `--install` fetches it (Debian packages `wings3d`, `tiled`, `gdal-bin`, `chromium` and `strace`, npm
//! package `gltf-validator` and PyPI package `srctools` into the target folder).

use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use crate::run::{Outcome, cargo, hold, profile, show, skip, workbench, works};
use crate::workspace::{beside, root, target};

/// A judge: gives whether it judged, for it may not be here.
type Judge = (&'static str, fn(folder: &Path) -> Result<bool, String>);

/// The packages of Debian that judges are of.
const PACKAGES: [(&str, &str); 5] =
    [("wings", "wings3d"), ("tiled", "tiled"), ("gdal", "gdal-bin"), ("browser", "chromium"), ("files", "strace")];

const JUDGES: [Judge; 7] = [
    ("wings", wings),
    ("gltf", gltf),
    ("dmx", dmx),
    ("tiled", tiled),
    ("gdal", gdal),
    ("browser", browser),
    ("files", files),
];

pub(crate) fn conformance(args: &[String]) -> Outcome {
    let (flags, names): (Vec<String>, Vec<String>) = args.iter().cloned().partition(|arg| arg.starts_with('-'));
    if flags.iter().any(|flag| flag != "--install") {
        return Err("usage: cargo xtask conformance [JUDGE]... [--install]".to_owned());
    }
    if let Some(unknown) = names.iter().find(|name| !JUDGES.iter().any(|(judge, _)| judge == name)) {
        let names = JUDGES.map(|(judge, _)| judge).join(", ");
        return Err(format!("there is no judge {unknown}; there are {names}"));
    }
    if !flags.is_empty() {
        fetch(&names)?;
    }
    run(&names)
}

/// Returns `true` if a program is named, or none is.
fn is_asked(names: &[String], judge: &str) -> bool {
    names.is_empty() || names.iter().any(|name| name == judge)
}

/// Installs what is missing for the judges of these names, or all if there are none, and can be had; of what cannot, they say that
/// it is not here.
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
    if is_asked(names, "dmx") && !has_srctools(&folder) {
        let _ = show(Command::new("python3").args(["-m", "venv"]).arg(folder.join("srctools")));
        let _ = show(Command::new(python(&folder)).args(["-m", "pip", "install", "--quiet", "srctools==2.7.0"]));
    }
    Ok(())
}

/// Asks the judges of these names, or all if there are none.
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

/// Has the real Wings load and save what we write.
fn wings(folder: &Path) -> Result<bool, String> {
    let driver = beside("conformance/wings");
    if !driver.join("wh").is_file() {
        eprintln!("{} is not there", driver.display());
        return Ok(false);
    }
    if !has_package("wings3d") {
        return Ok(false);
    }
    let build = folder.join("wh");
    show(Command::new(driver.join("build.sh")).arg(&build))?;
    let written = emptied(&folder.join("wings"))?;
    workbench("write", &["wings".to_owned(), written.display().to_string()])?;
    let files = files_in(&written)?;
    let mut verify = Command::new(driver.join("wh"));
    verify.env("WH_BUILD", &build).arg("verify").args(&files).stderr(Stdio::null());
    let output = verify.output().map_err(|error| format!("{} does not start: {error}", driver.display()))?;
    let verdicts = String::from_utf8_lossy(&output.stdout);
    let (good, bad): (Vec<&str>, Vec<&str>) = verdicts.lines().partition(|line| line.starts_with("OK"));
    bad.iter().for_each(|line| println!("{line}"));
    println!("Wings 3D loads, saves and loads again {} of {} files that we wrote", good.len(), files.len());
    if good.len() == files.len() { Ok(true) } else { Err("Wings 3D objects to files that we wrote".to_owned()) }
}

/// Has Khronos' validator look at the `.glb` of every model.
fn gltf(folder: &Path) -> Result<bool, String> {
    if !has_validator(folder) {
        return Ok(false);
    }
    let written = emptied(&folder.join("gltf"))?;
    workbench("write", &["gltf".to_owned(), written.display().to_string()])?;
    validate(folder, &written)?;
    Ok(true)
}

fn has_validator(folder: &Path) -> bool {
    folder.join("node_modules/gltf-validator").is_dir() && works("node", &["--version"])
}

/// Has the validator look at all files of a folder.
fn validate(folder: &Path, written: &Path) -> Outcome {
    let script = root().join("xtask/src/validate-gltf.js");
    let files = files_in(written)?;
    show(Command::new("node").env("NODE_PATH", folder.join("node_modules")).arg(script).args(&files))
}

/// `cargo xtask corpus`: what files keep, and what the validator says of the `.glb` that they become, if it is here.
pub(crate) fn corpus(args: &[String]) -> Outcome {
    let folder = target()?.join("conformance");
    let mut args = args.to_vec();
    let written = if has_validator(&folder) { Some(emptied(&folder.join("corpus"))?) } else { None };
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

/// Lets other readers of DMX print the contents of our files.
fn dmx(folder: &Path) -> Result<bool, String> {
    if !has_srctools(folder) {
        return Ok(false);
    }
    let written = emptied(&folder.join("dmx"))?;
    workbench("write", &["dmx".to_owned(), written.display().to_string()])?;
    let mut files = files_in(&written)?;
    files.retain(|file| file.extension().is_some_and(|extension| extension == "dmx"));
    show(Command::new(python(folder)).arg(root().join("xtask/src/read-srctools.py")).args(&files))?;
    Ok(true)
}

/// Python with srctools.
fn python(folder: &Path) -> PathBuf {
    folder.join("srctools").join(if cfg!(windows) { "Scripts/python.exe" } else { "bin/python" })
}

fn has_srctools(folder: &Path) -> bool {
    works(&python(folder).display().to_string(), &["-c", "import srctools.dmx"])
}

/// Has Tiled open, save again and draw our maps: the tests that do so with one level do it with all.
fn tiled(_: &Path) -> Result<bool, String> {
    if !has_package("tiled") {
        return Ok(false);
    }
    ask(test("all", "tiled::program::").env("MAPWRIGHT_TILED", "all"))?;
    Ok(true)
}

/// Runs the tests in which GDAL reads our heightmaps and writes others.
fn gdal(_: &Path) -> Result<bool, String> {
    if !has_package("gdal-bin") {
        return Ok(false);
    }
    ask(&mut test("all", "heightmap::gdal::"))?;
    Ok(true)
}

/// Has Chromium open our pages.
fn browser(_: &Path) -> Result<bool, String> {
    if !has_package("chromium") {
        return Ok(false);
    }
    ask(test("command", "a_browser_draws").env("MAPWRIGHT_BROWSER", "all"))?;
    Ok(true)
}

/// Traces the system calls of the command on documents that name files elsewhere.
fn files(_: &Path) -> Result<bool, String> {
    // Some systems have strace, but do not allow it.
    if !works("strace", &["-qq", "-o", "/dev/null", "true"]) {
        return Ok(false);
    }
    ask(test("command", "strangers::").env("MAPWRIGHT_STRACE", "all"))?;
    Ok(true)
}

/// Tests whose names begin so. They are those of the workspace, so that nothing is built with other features for them.
fn test(file: &str, name: &str) -> Command {
    let mut command = cargo(&["test", "--quiet", "--workspace"]);
    command.args(profile()).args(["--test", file, name, "--", "--nocapture"]);
    command
}

/// Runs tests, of which there must be some.
fn ask(tests: &mut Command) -> Outcome {
    let (output, outcome) = hold(tests)?;
    io::stdout().write_all(&output).map_err(|error| format!("what the tests say is not shown: {error}"))?;
    outcome?;
    if has_run(&String::from_utf8_lossy(&output)) { Ok(()) } else { Err("no test has such a name".to_owned()) }
}

fn has_run(output: &str) -> bool {
    output.lines().any(|line| line.starts_with("test result: ok. ") && !line.starts_with("test result: ok. 0 "))
}

/// Returns `true` if a Debian package is installed.
fn has_package(name: &str) -> bool {
    works("dpkg-query", &["--status", name])
}

fn emptied(folder: &Path) -> Result<PathBuf, String> {
    let _ = fs::remove_dir_all(folder);
    fs::create_dir_all(folder).map_err(|error| format!("{}: {error}", folder.display()))?;
    Ok(folder.to_owned())
}

fn files_in(folder: &Path) -> Result<Vec<PathBuf>, String> {
    let entries = fs::read_dir(folder).map_err(|error| format!("{}: {error}", folder.display()))?;
    let mut files: Vec<PathBuf> = entries.filter_map(Result::ok).map(|entry| entry.path()).collect();
    files.sort();
    if files.is_empty() {
        Err(format!("{} is empty: nothing was written to be judged", folder.display()))
    } else {
        Ok(files)
    }
}

#[cfg(test)]
mod tests {
    use super::has_run;

    #[test]
    fn nothing_is_no_judgement() {
        let none = "running 0 tests\ntest result: ok. 0 passed; 0 failed; 0 ignored; 0 measured; 9 filtered out\n";
        assert!(!has_run(none));
        assert!(has_run(&format!("{none}running 1 test\n.\ntest result: ok. 1 passed; 0 failed; 0 ignored\n")));
    }
}
