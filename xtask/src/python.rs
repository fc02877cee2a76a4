//! `cargo xtask python`: builds the Python package, installs it into `python` of the target folder, and tests it.
//!
//! The package has a workspace and a lock file of its own, in `crates/python`. The build has the profile `dev`, or `release` with
//! `--release`. The wheel is in `python/dist` of the target folder. With `--portable` it is linked with zig, so that it runs on every Linux with
//! glibc 2.17. Without Python 3.9, or without the tools and a network, the command
//! is skipped and reported.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::release::Zig;
use crate::run::{Outcome, cargo, show, skip, succeeds};
use crate::workspace::{root, target};

/// The folder of the package.
const FOLDER: &str = "crates/python";

/// The tools and the packages that the tests need, with the names of their modules.
const NEEDED: [(&str, &str); 6] = [
    ("maturin", "maturin"),
    ("numpy", "numpy"),
    ("pyarrow", "pyarrow"),
    ("pytest", "pytest"),
    ("mypy", "mypy"),
    ("distributed", "distributed"),
];

pub(crate) fn python(args: &[String]) -> Outcome {
    if args.iter().any(|arg| !matches!(arg.as_str(), "--release" | "--portable")) {
        return Err("usage: cargo xtask python [--release] [--portable]".to_owned());
    }
    let has = |flag: &str| args.iter().any(|arg| arg == flag);
    fetch()?;
    let zig = if has("--portable") { Some(Zig::fetch()?) } else { None };
    build_and_test(if has("--release") { "release" } else { "dev" }, zig.as_ref())
}

/// Creates the environment, and installs what is missing. [`run`] reports a failure, as it does not find the tools.
pub(crate) fn fetch() -> Outcome {
    let folder = folder()?;
    let python = interpreter(&folder);
    if !python.is_file() {
        let system = if cfg!(windows) { "python" } else { "python3" };
        let _ = show(Command::new(system).args(["-m", "venv"]).arg(&folder));
    }
    if python.is_file() && !missing(&python).is_empty() {
        let install = ["-m", "pip", "install", "--quiet", "--disable-pip-version-check"];
        let _ = show(Command::new(&python).args(install).args(NEEDED.map(|(package, _)| package)));
    }
    Ok(())
}

/// Checks, builds, installs and tests the package with the tools that are installed.
pub(crate) fn run(profile: &str) -> Outcome {
    build_and_test(profile, None)
}

fn build_and_test(profile: &str, zig: Option<&Zig>) -> Outcome {
    let folder = folder()?;
    let python = interpreter(&folder);
    if !python.is_file() {
        skip("the Python package: no environment: `cargo xtask python` makes it".to_owned());
        return Ok(());
    }
    let missing = missing(&python);
    if !missing.is_empty() {
        skip(format!("the Python package: {} not installed: cargo xtask python", missing.join(", ")));
        return Ok(());
    }
    let manifest = root().join(FOLDER).join("Cargo.toml");
    show(cargo(&["fmt", "--check", "--manifest-path"]).arg(&manifest))?;
    // Without the variable, pyo3 links a library of Python, which is not always installed.
    let mut lints = cargo(&["clippy", "--locked", "--manifest-path"]);
    lints.arg(&manifest).arg("--target-dir").arg(target()?).env("PYO3_BUILD_EXTENSION_MODULE", "1");
    show(lints.env("PYO3_PYTHON", &python).args(["--", "-D", "warnings"]))?;

    let wheel = build(&python, profile, zig)?;
    let mut install = Command::new(&python);
    install.args(["-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--no-deps", "--no-index"]);
    show(install.arg("--force-reinstall").arg(wheel))?;

    let test = |args: &[&str]| show(Command::new(&python).args(args).current_dir(root().join(FOLDER)));
    test(&["-m", "pytest", "--quiet"])?;
    test(&["-m", "mypy", "python/mapwright", "tests", "conftest.py"])?;
    test(&["-m", "mypy.stubtest", "--mypy-config-file", "pyproject.toml", "mapwright"])
}

/// Builds the wheel without checks and tests. Returns `None` if the tools are not installed.
pub(crate) fn wheel(profile: &str) -> Result<Option<PathBuf>, String> {
    let python = interpreter(&folder()?);
    let is_installed = python.is_file() && !missing(&python).contains(&"maturin");
    is_installed.then(|| build(&python, profile, None)).transpose()
}

/// Builds the wheel, with `zig` for old versions of glibc, and returns its path.
fn build(python: &Path, profile: &str, zig: Option<&Zig>) -> Result<PathBuf, String> {
    let dist = folder()?.join("dist");
    // The folder must contain no wheels of other builds.
    let _ = fs::remove_dir_all(&dist);
    let mut build = Command::new(python);
    build.args(["-m", "maturin", "build", "--quiet", "--locked", "--profile", profile, "--manifest-path"]);
    build.arg(root().join(FOLDER).join("Cargo.toml")).arg("--interpreter").arg(python);
    build.arg("--out").arg(&dist).arg("--target-dir").arg(target()?);
    if let Some(zig) = zig {
        // maturin compares the versions of all symbols with this tag.
        build.args(["--zig", "--compatibility", "manylinux_2_17"]).env("PATH", zig.path()?);
    }
    show(build.current_dir(root()))?;
    let failed = |error| format!("{} cannot be listed: {error}", dist.display());
    let mut files = fs::read_dir(&dist).map_err(failed)?.filter_map(Result::ok).map(|file| file.path());
    let wheel = files.find(|file| file.extension().is_some_and(|extension| extension == "whl"));
    wheel.ok_or_else(|| format!("{} has no wheel after a build", dist.display()))
}

/// Returns the folder of the environment.
fn folder() -> Result<PathBuf, String> {
    Ok(target()?.join("python"))
}

fn interpreter(folder: &Path) -> PathBuf {
    folder.join(if cfg!(windows) { "Scripts/python.exe" } else { "bin/python" })
}

/// Returns the packages that are not installed.
fn missing(python: &Path) -> Vec<&'static str> {
    let has = |module: &str| succeeds(&python.display().to_string(), &["-c", &format!("import {module}")]);
    NEEDED.iter().filter(|(_, module)| !has(module)).map(|(package, _)| *package).collect()
}
