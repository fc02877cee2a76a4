//! The steps of the manual for adding a format, checked for every format.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use mapwright::Format;
use mapwright_testkit::{files_below, workspace};

fn read(path: &str) -> String {
    let path = workspace().join("crates/mapwright").join(path);
    fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

#[test]
fn every_feature_of_a_format_is_in_the_manifest_and_the_readme() {
    let (manifest, readme) = (read("Cargo.toml"), read("README.md"));
    let features: BTreeSet<&str> = Format::ALL.iter().filter_map(|format| format.feature()).collect();
    assert!(features.len() > 10, "{features:?}");
    for feature in features {
        assert!(manifest.contains(&format!("\n{feature} = [")), "feature {feature}");
        let default = manifest.split("default = [").nth(1).and_then(|rest| rest.split(']').next()).unwrap();
        assert!(default.contains(&format!("\"{feature}\"")), "default feature {feature}");
        assert!(readme.contains(&format!("\n| `{feature}` | yes | ")), "row of {feature} in the table of features");
    }
}

#[test]
fn every_file_of_a_format_is_compiled_under_one_cfg() {
    let table = read("src/formats.rs");
    let folder = workspace().join("crates/mapwright/src/formats");
    let modules: Vec<String> = fs::read_dir(folder)
        .unwrap()
        .filter_map(|entry| Some(entry.unwrap().file_name().to_str()?.strip_suffix(".rs")?.to_owned()))
        .collect();
    assert!(modules.len() > 10, "{modules:?}");
    for module in modules {
        let declaration = format!("mod {module};");
        let mut lines = table.lines();
        let before: Vec<&str> = lines.by_ref().take_while(|line| !line.ends_with(&declaration)).collect();
        let cfg = before.last().copied().unwrap_or_default();
        let is_optional = cfg.starts_with("#[cfg(feature = \"");
        // Erlang terms and archives are part of every build.
        let is_always_built = ["etf", "rez"].contains(&module.as_str());
        assert!(is_optional || is_always_built, "{module} is not compiled under a cfg: {cfg}");
        assert!(table.contains(&format!("=> {module}::")), "the table has no row for {module}");
        let own = read(&format!("src/formats/{module}.rs"));
        if let Some(feature) = cfg.split('"').nth(1) {
            let repeated = format!("cfg(feature = \"{feature}\")");
            assert!(!own.contains(&repeated), "{module} repeats {repeated}");
        }
    }
}

#[test]
fn only_the_file_of_a_format_uses_its_crate() {
    let root = workspace().join("crates/mapwright/src");
    // The crate is re-exported, and options have its types.
    let shared = [Path::new("lib.rs"), Path::new("options.rs")];
    for (format, name) in [
        ("wings", "wings"),
        ("vmap", "vmap"),
        ("vmf", "vmf"),
        ("wwd", "wwd"),
        ("wmp", "wmp"),
        ("wrp", "wrp"),
        ("map", "qmap"),
    ] {
        let name = format!("mapwright_{name}");
        let own = [format!("formats/{format}.rs"), format!("formats/{format}/")];
        for file in files_below(&root).into_iter().filter(|file| file.extension().is_some_and(|it| it == "rs")) {
            let path = file.strip_prefix(&root).unwrap();
            let text = path.to_str().unwrap().replace('\\', "/");
            if shared.contains(&path) || own.iter().any(|own| text.starts_with(own)) {
                continue;
            }
            assert!(!fs::read_to_string(&file).unwrap().contains(&name), "{text} uses {name}");
        }
    }
}
