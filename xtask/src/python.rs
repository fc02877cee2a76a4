//! `cargo xtask python`: builds the Python package, installs it into `python` of the target folder, and tests it.
//!
//! The package has a workspace and a lock file of its own, in `crates/python`. The build has the profile `dev`, or `release` with
//! `--release`. The wheel is in `python/dist` of the target folder. With `--portable` it is linked with zig, so that it runs on every Linux
//! with glibc 2.17. Without Python 3.11, or without the tools and a network, the command is skipped and reported.

use std::fs;
use std::path::PathBuf;

use crate::environment::Environment;
use crate::release::Zig;
use crate::run::{Outcome, cargo, show, skip};
use crate::workspace::{root, target};

/// The folder of the package.
const FOLDER: &str = "crates/python";

/// The tools and the packages that the tests need.
const REQUIREMENTS: [&str; 6] =
    ["maturin==1.16.0", "numpy==2.4.6", "pyarrow==26.0.1", "pytest==9.2.0", "mypy==2.4.1", "distributed==2026.8.0"];

pub(crate) fn python(args: &[String]) -> Outcome {
    if args.iter().any(|arg| !matches!(arg.as_str(), "--release" | "--portable")) {
        return Err("usage: cargo xtask python [--release] [--portable]".to_owned());
    }
    let has = |flag: &str| args.iter().any(|arg| arg == flag);
    fetch()?;
    let zig = if has("--portable") { Some(Zig::fetch()?) } else { None };
    build_and_test(if has("--release") { "release" } else { "dev" }, zig.as_ref())
}

/// Installs what is missing. [`run`] reports a failure, as it does not find the tools.
pub(crate) fn fetch() -> Outcome {
    environment()?.fetch();
    Ok(())
}

/// Checks, builds, installs and tests the package with the tools that are installed.
pub(crate) fn run(profile: &str) -> Outcome {
    build_and_test(profile, None)
}

fn build_and_test(profile: &str, zig: Option<&Zig>) -> Outcome {
    let environment = environment()?;
    let missing = environment.missing();
    if !missing.is_empty() {
        skip(format!("the Python package: {} not installed: cargo xtask python", missing.join(", ")));
        return Ok(());
    }
    let manifest = root().join(FOLDER).join("Cargo.toml");
    show(cargo(&["fmt", "--check", "--manifest-path"]).arg(&manifest))?;
    // Without the variable, pyo3 links a library of Python, which is not always installed.
    let mut lints = cargo(&["clippy", "--locked", "--manifest-path"]);
    lints.arg(&manifest).arg("--target-dir").arg(target()?).env("PYO3_BUILD_EXTENSION_MODULE", "1");
    show(lints.env("PYO3_PYTHON", environment.program("python")).args(["--", "-D", "warnings"]))?;

    let wheel = build(&environment, profile, zig)?;
    let install = ["--no-deps", "--no-index", "--force-reinstall"];
    show(environment.pip("install").args(install).arg(wheel))?;

    let test = |args: &[&str]| show(environment.python().args(args).current_dir(root().join(FOLDER)));
    test(&["-m", "pytest", "--quiet"])?;
    test(&["-m", "mypy", "python/mapwright", "tests", "conftest.py"])?;
    test(&["-m", "mypy.stubtest", "--mypy-config-file", "pyproject.toml", "mapwright"])
}

/// Builds the wheel without checks and tests. Returns `None` if the tools are not installed.
pub(crate) fn wheel(profile: &str) -> Result<Option<PathBuf>, String> {
    let environment = environment()?;
    let is_installed = environment.missing().is_empty();
    is_installed.then(|| build(&environment, profile, None)).transpose()
}

/// Builds the wheel, with `zig` for old versions of glibc, and returns its path.
fn build(environment: &Environment, profile: &str, zig: Option<&Zig>) -> Result<PathBuf, String> {
    let dist = environment.folder().join("dist");
    // The folder must contain no wheels of other builds.
    let _ = fs::remove_dir_all(&dist);
    let mut build = environment.python();
    build.args(["-m", "maturin", "build", "--quiet", "--locked", "--profile", profile, "--manifest-path"]);
    build.arg(root().join(FOLDER).join("Cargo.toml")).arg("--interpreter").arg(environment.program("python"));
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

fn environment() -> Result<Environment, String> {
    Environment::new("python", &REQUIREMENTS)
}
