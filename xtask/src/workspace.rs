//! The packages of the workspace.

use std::env;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use serde_json::Value;

use crate::run::{capture, cargo};

/// Returns the root of the workspace that cargo runs this program for. Several workspaces may share a target folder.
pub(crate) fn root() -> &'static Path {
    static ROOT: OnceLock<PathBuf> = OnceLock::new();
    ROOT.get_or_init(|| {
        let xtask = env::var_os("CARGO_MANIFEST_DIR").map_or_else(|| env!("CARGO_MANIFEST_DIR").into(), PathBuf::from);
        xtask.parent().unwrap_or(&xtask).to_owned()
    })
}

/// Returns the path of a folder beside the repository that may exist: real files, other programs.
pub(crate) fn shared_folder(name: &str) -> PathBuf {
    root().parent().unwrap_or(root()).join("shared").join(name)
}

/// Returns `true` if this machine has real files to test with.
pub(crate) fn has_corpus() -> bool {
    env::var_os("MAPWRIGHT_CORPUS").is_some() || shared_folder("corpus").is_dir()
}

/// A package, as `cargo metadata` describes it.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Package {
    pub(crate) name: String,
    pub(crate) version: String,
    /// Folder, relative to the root: `crates/wings`.
    pub(crate) folder: PathBuf,
    pub(crate) published: bool,
    pub(crate) is_library: bool,
    /// Features, each with the features that it enables.
    pub(crate) features: Vec<(String, Vec<String>)>,
    pub(crate) dependencies: Vec<Dependency>,
    /// The missing fields that a registry requires.
    pub(crate) missing: Vec<&'static str>,
}

/// A dependency of a package.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Dependency {
    pub(crate) name: String,
    pub(crate) is_dev: bool,
    pub(crate) is_internal: bool,
    /// The required version; `*` without one.
    pub(crate) version: String,
}

/// Reads all packages of the workspace.
pub(crate) fn packages() -> Result<Vec<Package>, String> {
    Ok(parse(&metadata()?))
}

/// Returns the program that `cargo run` starts.
pub(crate) fn program() -> Result<String, String> {
    parse_program(&metadata()?).map(|(program, _)| program)
}

/// Returns the program that `cargo run` starts, and its package, as `cargo metadata` describes it.
pub(crate) fn program_package() -> Result<(String, Value), String> {
    let metadata = metadata()?;
    parse_program(&metadata).map(|(program, package)| (program, package.clone()))
}

fn metadata() -> Result<Value, String> {
    let text = capture(&mut cargo(&["metadata", "--no-deps", "--format-version", "1"]))?;
    serde_json::from_str(&text).map_err(|error| format!("cargo metadata: {error}"))
}

/// Returns cargo's target folder.
pub(crate) fn target() -> Result<PathBuf, String> {
    let exe = env::current_exe().map_err(|error| error.to_string())?;
    // This program is in `<target>/<profile>/`.
    exe.ancestors().nth(2).map(Path::to_owned).ok_or_else(|| "this program is not in a target folder".to_owned())
}

fn parse(metadata: &Value) -> Vec<Package> {
    let root = Path::new(metadata["workspace_root"].as_str().unwrap_or_default());
    let mut packages: Vec<Package> = list(&metadata["packages"]).map(|package| parse_package(package, root)).collect();
    packages.sort_by(|a, b| a.folder.cmp(&b.folder));
    packages
}

/// Returns the only program of the default members, and its package.
fn parse_program(metadata: &Value) -> Result<(String, &Value), String> {
    let is_default = |package: &&Value| list(&metadata["workspace_default_members"]).any(|id| *id == package["id"]);
    let packages = list(&metadata["packages"]).filter(is_default);
    let targets = packages.flat_map(|package| list(&package["targets"]).map(move |target| (target, package)));
    let programs: Vec<_> = targets.filter(|(target, _)| list(&target["kind"]).any(|kind| kind == "bin")).collect();
    match programs.as_slice() {
        [(program, package)] => Ok((text(&program["name"]), package)),
        others => Err(format!("`cargo run` needs one program, but the default members have {}", others.len())),
    }
}

fn parse_package(package: &Value, root: &Path) -> Package {
    let manifest = Path::new(package["manifest_path"].as_str().unwrap_or_default());
    let folder = manifest.parent().unwrap_or(manifest);
    let wanted = ["description", "license", "repository", "readme", "rust_version", "keywords", "categories"];
    let is_empty = |field: &&str| {
        let value = &package[*field];
        value.is_null() || value.as_array().is_some_and(Vec::is_empty)
    };
    let features = package["features"].as_object().into_iter().flatten();
    let is_library = list(&package["targets"]).any(|target| list(&target["kind"]).any(|kind| kind == "lib"));
    // Without it, docs.rs would not show what features add.
    let shows_all = package["metadata"]["docs"]["rs"]["all-features"] == true;
    let docs = (is_library && !shows_all).then_some("[package.metadata.docs.rs] all-features = true");
    Package {
        name: text(&package["name"]),
        version: text(&package["version"]),
        folder: folder.strip_prefix(root).unwrap_or(folder).to_owned(),
        // `publish = false` is an empty list of registries.
        published: !package["publish"].as_array().is_some_and(Vec::is_empty),
        is_library,
        features: features.map(|(name, on)| (name.clone(), list(on).map(text).collect())).collect(),
        dependencies: list(&package["dependencies"]).map(parse_dependency).collect(),
        missing: wanted.into_iter().filter(is_empty).chain(docs).collect(),
    }
}

fn parse_dependency(dependency: &Value) -> Dependency {
    Dependency {
        name: text(&dependency["name"]),
        is_dev: dependency["kind"] == "dev",
        is_internal: dependency["path"].is_string(),
        version: text(&dependency["req"]),
    }
}

fn list(value: &Value) -> impl Iterator<Item = &Value> {
    value.as_array().into_iter().flatten()
}

fn text(value: &Value) -> String {
    value.as_str().unwrap_or_default().to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn metadata_is_understood() {
        let text = r#"{"workspace_root": "/w", "packages": [{
            "name": "mapwright-wings", "manifest_path": "/w/crates/wings/Cargo.toml", "publish": null,
            "targets": [{"kind": ["lib"]}], "features": {"default": [], "scene": ["dep:mapwright-scene"]},
            "dependencies": [
                {"name": "mapwright-etf", "kind": null, "path": "/w/crates/etf", "req": "^0.1.0"},
                {"name": "mapwright-testkit", "kind": "dev", "path": "/w/crates/testkit", "req": "*"},
                {"name": "thiserror", "kind": null, "req": "^2"}
            ],
            "description": "x", "license": "MIT", "repository": "r", "readme": null, "rust_version": "1.88",
            "keywords": ["a"], "categories": []
        }, {"name": "xtask", "manifest_path": "/w/xtask/Cargo.toml", "publish": []}]}"#;
        let packages = parse(&serde_json::from_str(text).unwrap());
        let wings = &packages[0];
        let docs = "[package.metadata.docs.rs] all-features = true";
        assert!(wings.published && wings.is_library && !packages[1].published);
        assert_eq!(
            (wings.folder.as_path(), wings.missing.as_slice()),
            (Path::new("crates/wings"), ["readme", "categories", docs].as_slice())
        );
        let names: Vec<_> = wings.dependencies.iter().map(|d| (d.name.as_str(), d.is_dev, d.is_internal)).collect();
        assert_eq!(
            names,
            [("mapwright-etf", false, true), ("mapwright-testkit", true, true), ("thiserror", false, false)]
        );
        let text = text.replace(
            "\"name\": \"mapwright-wings\"",
            r#""metadata": {"docs": {"rs": {"all-features": true}}}, "name": "w""#,
        );
        let packages = parse(&serde_json::from_str(&text).unwrap());
        assert_eq!(packages[0].missing, ["readme", "categories"]);
        assert_eq!(wings.features[1], ("scene".to_owned(), vec!["dep:mapwright-scene".to_owned()]));
    }

    #[test]
    fn the_default_members_have_exactly_one_program() {
        let text = r#"{"workspace_default_members": ["a", "b"], "packages": [
            {"id": "a", "targets": [{"kind": ["lib"], "name": "lib"}]},
            {"id": "b", "targets": [{"kind": ["bin"], "name": "tool"}]},
            {"id": "c", "targets": [{"kind": ["bin"], "name": "other"}]}
        ]}"#;
        let mut metadata: Value = serde_json::from_str(text).unwrap();
        let (program, package) = parse_program(&metadata).unwrap();
        assert_eq!((program.as_str(), &package["id"]), ("tool", &Value::from("b")));
        for members in [r#"["a"]"#, r#"["b", "c"]"#] {
            metadata["workspace_default_members"] = serde_json::from_str(members).unwrap();
            assert!(parse_program(&metadata).is_err());
        }
    }
}
