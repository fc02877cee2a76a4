//! `cargo xtask blender`: builds the extension for Blender, and tests it in Blender.
//!
//! | step | result |
//! |---|---|
//! | build the wheel of the Python package, with the profile `dev`, or `release` with `--release` | `python/dist` of the target folder |
//! | validate and build the extension with Blender's own tool | `blender/dist/mapwright-VERSION.zip` |
//! | for each version of Blender: install the extension into an empty user folder, and run `crates/blender/tests` | a report |
//!
//! Blender is the PyPI package `bpy`, which needs Python 3.11 and takes 1 GB for each version. `--install` fetches it, and the tools for
//! the wheel. Without one of them, the step is skipped and reported. Tests of real files take a bounded time.

use std::env::consts::{ARCH, OS};
use std::fs;
use std::path::{Path, PathBuf};

use crate::environment::Environment;
use crate::run::{Outcome, capture, show, skip};
use crate::workspace::{has_corpus, root, shared_folder, target};

/// The versions of Blender: the last with long-term support, and the last.
pub(crate) const VERSIONS: [&str; 2] = ["4.5.15", "5.0.1"];

/// The folder of the crate.
const FOLDER: &str = "crates/blender";

const MANIFEST: &str = "blender_manifest.toml";

/// The line of the manifest that is replaced by the platforms and the wheel.
const PLACE_OF_WHEEL: &str = "# `cargo xtask blender` adds the platforms and the wheel.";

/// The time for tests of real files in each version, in seconds.
const SECONDS: &str = "60";

/// An installed Blender.
pub(crate) struct Blender {
    version: &'static str,
    pub(crate) environment: Environment,
}

pub(crate) fn blender(args: &[String]) -> Outcome {
    if args.iter().any(|arg| arg != "--install" && arg != "--release") {
        return Err("usage: cargo xtask blender [--install] [--release]".to_owned());
    }
    let has = |flag: &str| args.iter().any(|arg| arg == flag);
    if has("--install") {
        fetch()?;
    }
    if !is_complete(if has("--release") { "release" } else { "dev" })? {
        skip("the extension for Blender: a tool is missing: cargo xtask blender --install".to_owned());
    }
    Ok(())
}

/// Installs the missing versions of Blender and the tools for the wheel. A failure is reported when they are needed.
pub(crate) fn fetch() -> Outcome {
    crate::python::fetch()?;
    for version in VERSIONS {
        environment(version)?.fetch();
    }
    Ok(())
}

/// Returns the installed versions of Blender.
pub(crate) fn installed() -> Result<Vec<Blender>, String> {
    let all = VERSIONS.map(|version| Ok(Blender { version, environment: environment(version)? }));
    let all: Vec<Blender> = all.into_iter().collect::<Result<_, String>>()?;
    Ok(all.into_iter().filter(|blender| blender.environment.missing().is_empty()).collect())
}

/// Returns the environment of a version of Blender.
fn environment(version: &str) -> Result<Environment, String> {
    let folder = format!("conformance/blender-{version}");
    // Blender has this version of Python.
    Ok(Environment::new(&folder, &[&format!("bpy=={version}"), "pytest==9.2.0"])?.with_system("python3.11"))
}

/// Builds and tests the extension. Returns `false` if a tool is missing.
pub(crate) fn is_complete(profile: &str) -> Result<bool, String> {
    let blenders = installed()?;
    let Some(tool) = blenders.last() else { return Ok(false) };
    let Some(wheel) = crate::python::wheel(profile)? else { return Ok(false) };
    let extension = build(tool, &wheel)?;
    println!("{}", extension.display());
    blenders.iter().try_for_each(|blender| test(blender, &extension))?;
    if !has_corpus() {
        skip("imports of real files into Blender: the corpus is missing".to_owned());
    }
    Ok(blenders.len() == VERSIONS.len())
}

/// Builds the extension with the tool of Blender. Returns the path of the archive.
fn build(blender: &Blender, wheel: &Path) -> Result<PathBuf, String> {
    let folder = target()?.join("blender");
    let (source, dist) = (folder.join("source"), folder.join("dist"));
    let wheel_name = wheel.file_name().unwrap_or_default().to_string_lossy();
    for made in [&source, &dist] {
        let _ = fs::remove_dir_all(made);
    }
    fs::create_dir_all(source.join("wheels")).map_err(|error| format!("{}: {error}", source.display()))?;
    fs::create_dir_all(&dist).map_err(|error| format!("{}: {error}", dist.display()))?;
    let files = root().join(FOLDER).join("addon");
    let entries = fs::read_dir(&files).map_err(|error| format!("{}: {error}", files.display()))?;
    for file in entries.filter_map(Result::ok).map(|entry| entry.path()).filter(|path| path.is_file()) {
        copy(&file, &source.join(file.file_name().unwrap_or_default()))?;
    }
    copy(wheel, &source.join("wheels").join(&*wheel_name))?;
    let manifest = source.join(MANIFEST);
    let text = fs::read_to_string(&manifest).map_err(|error| format!("{}: {error}", manifest.display()))?;
    let text = add_wheel(&text, &wheel_name, &platform(OS, ARCH))?;
    fs::write(&manifest, text).map_err(|error| format!("{}: {error}", manifest.display()))?;

    let scripts =
        capture(blender.environment.python().args(["-c", "import bpy; print(bpy.utils.system_resource('SCRIPTS'))"]))?;
    let program = Path::new(scripts.trim()).join("addons_core/bl_pkg/cli/blender_ext.py");
    let tool = || {
        let mut tool = blender.environment.python();
        tool.arg(&program);
        tool
    };
    show(tool().arg("validate").arg(&source))?;
    show(tool().args(["build", "--source-dir"]).arg(&source).arg("--output-dir").arg(&dist))?;
    let mut built = fs::read_dir(&dist).map_err(|error| format!("{}: {error}", dist.display()))?;
    let built = built.next().and_then(Result::ok).ok_or("Blender's tool built no extension")?;
    Ok(built.path())
}

/// Adds the platform and the wheel to the manifest, which must have the version of the wheel.
fn add_wheel(manifest: &str, wheel: &str, platform: &str) -> Result<String, String> {
    let version = wheel.split('-').nth(1).unwrap_or_default();
    if !manifest.lines().any(|line| line == format!("version = \"{version}\"")) {
        return Err(format!("{FOLDER}/addon/{MANIFEST} must have the version {version} of the wheel"));
    }
    if !manifest.contains(PLACE_OF_WHEEL) {
        return Err(format!("{FOLDER}/addon/{MANIFEST} has no line {PLACE_OF_WHEEL:?}"));
    }
    let lines = format!("platforms = [\"{platform}\"]\nwheels = [\"./wheels/{wheel}\"]");
    Ok(manifest.replace(PLACE_OF_WHEEL, &lines))
}

/// Returns the name of a platform in manifests.
fn platform(os: &str, arch: &str) -> String {
    let arch = match arch {
        "x86_64" => "x64",
        "aarch64" => "arm64",
        other => other,
    };
    format!("{os}-{arch}")
}

/// Installs the extension into an empty user folder of Blender, and runs the tests there.
fn test(blender: &Blender, extension: &Path) -> Outcome {
    let user = target()?.join("blender").join(format!("user-{}", blender.version));
    let _ = fs::remove_dir_all(&user);
    fs::create_dir_all(&user).map_err(|error| format!("{}: {error}", user.display()))?;
    let mut tests = blender.environment.python();
    tests.args(["-B", "-m", "pytest", "--quiet", "-p", "no:cacheprovider"]).arg(root().join(FOLDER).join("tests"));
    tests.env("MAPWRIGHT_EXTENSION", extension).env("BLENDER_USER_RESOURCES", &user);
    if has_corpus() && std::env::var_os("MAPWRIGHT_CORPUS").is_none() {
        tests.env("MAPWRIGHT_CORPUS", shared_folder("corpus"));
    }
    // Python would also import modules from the folder of the caller.
    show(tests.env("MAPWRIGHT_SECONDS", SECONDS).current_dir(root()))
}

fn copy(from: &Path, to: &Path) -> Outcome {
    fs::copy(from, to).map(|_| ()).map_err(|error| format!("{}: {error}", from.display()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_manifest_gets_the_wheel_of_its_version() {
        let manifest = fs::read_to_string(root().join(FOLDER).join("addon").join(MANIFEST)).unwrap();
        let version = manifest.lines().find_map(|line| line.strip_prefix("version = ")).unwrap().trim_matches('"');
        let wheel = format!("mapwright-{version}-cp39-abi3-linux_x86_64.whl");
        let text = add_wheel(&manifest, &wheel, &platform("linux", "x86_64")).unwrap();
        assert!(text.contains("platforms = [\"linux-x64\"]") && text.contains(&format!("\"./wheels/{wheel}\"")));
        // Keys of the manifest itself come before its tables.
        assert!(text.find("wheels = ") < text.find("[permissions]"));
        assert!(add_wheel(&manifest, "mapwright-99.0.0-cp39-abi3-any.whl", "linux-x64").is_err());
        assert!(add_wheel(&text, &wheel, "linux-x64").is_err());
    }
}
