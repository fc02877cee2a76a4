//! Rules for manifests and the files next to them.

use std::path::{Path, PathBuf};

use super::{Breach, text};
use crate::workspace::Package;

/// The file that gives the reason for every dependency.
const REASONS: &str = "crates/mapwright/manual/architecture.md";

pub(super) fn check(packages: &[Package], files: &[PathBuf]) -> Vec<Breach> {
    let mut breaches = Vec::new();
    let reasons = text(Path::new(REASONS));
    for package in packages {
        let manifest = package.folder.join("Cargo.toml");
        breaches.extend(check_text(&manifest, &text(&manifest), package.published.then_some(reasons.as_str())));
        if !package.published {
            continue;
        }
        for field in &package.missing {
            let text = format!("the field {field} is missing: published packages need it");
            breaches.push(Breach::new(&manifest, 0, "manifest", text));
        }
        for beside in ["README.md", "CHANGELOG.md"] {
            let path = package.folder.join(beside);
            if !files.contains(&path) {
                breaches.push(Breach::new(path, 0, "manifest", "is missing: every published package has one"));
            }
        }
        let readme = package.folder.join("README.md");
        if files.contains(&readme) && text(&readme).lines().count() < 10 {
            let wanted = "says too little: one sentence, an example, fidelity and limits, features";
            breaches.push(Breach::new(readme, 0, "manifest", wanted));
        }
        let lib = package.folder.join("src/lib.rs");
        if package.is_library && !text(&lib).contains("include_str!(\"../README.md\")") {
            let wanted =
                "the example of the README is not compiled: include it as documentation, or under cfg(doctest)";
            breaches.push(Breach::new(lib, 0, "readme-example", wanted));
        }
    }
    breaches
}

/// `reasons`: for a published package, the text with the reasons for its dependencies.
fn check_text(manifest: &Path, text: &str, reasons: Option<&str>) -> Vec<Breach> {
    let mut breaches = Vec::new();
    let mut section = "";
    let mut inherits_lints = false;
    for (index, line) in text.lines().enumerate() {
        let line = line.trim();
        if line.starts_with('[') {
            section = line;
            continue;
        }
        inherits_lints |= section == "[lints]" && line == "workspace = true";
        let is_entry = section.ends_with("dependencies]") && line.contains('=') && !line.starts_with('#');
        if is_entry && !line.contains("workspace = true") && !line.contains("path = ") {
            let wanted = "versions stand in the root manifest: write NAME.workspace = true";
            breaches.push(Breach::new(manifest, index + 1, "versions", wanted));
        }
        let name = line.split(['.', ' ', '=']).next().unwrap_or_default();
        let is_foreign = is_entry && section == "[dependencies]" && !name.starts_with("mapwright");
        if is_foreign && reasons.is_some_and(|reasons| !reasons.contains(&format!("`{name}`"))) {
            let wanted = format!("dependency {name} has no reason: add it to the table of dependencies in {REASONS}");
            breaches.push(Breach::new(manifest, index + 1, "dependencies", wanted));
        }
    }
    if !inherits_lints {
        breaches.push(Breach::new(manifest, 0, "lints", "the lints are not inherited: add [lints] workspace = true"));
    }
    // Tests read the fixtures of the workspace, which packages do not contain.
    let leaves_tests_out = text.lines().any(|line| {
        let list = line.strip_prefix("exclude = ").is_some_and(|list| list.contains("tests"));
        list || line.strip_prefix("include = ").is_some_and(|list| !list.contains("tests"))
    });
    if reasons.is_some() && text.contains("mapwright-testkit") && !leaves_tests_out {
        let wanted =
            "the package would contain tests that need the fixtures of the workspace: write exclude = [\"tests/\"]";
        breaches.push(Breach::new(manifest, 0, "package-tests", wanted));
    }
    breaches
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dependencies_are_explained() {
        let text = "[lints]\nworkspace = true\n\n[dependencies]\n# why\nx.workspace = true\ny = { workspace = true }\nmapwright-io.workspace = true\n\n[dev-dependencies]\nz.workspace = true\n";
        let found = check_text(Path::new("Cargo.toml"), text, Some("| `x` | for x |"));
        let found: Vec<_> = found.iter().map(|breach| (breach.line, breach.rule)).collect();
        assert_eq!(found, [(7, "dependencies")]);
    }

    #[test]
    fn manifests_are_read_line_by_line() {
        let good = "[package]\nexclude = [\"tests/\"]\n\n[lints]\nworkspace = true\n\n[dependencies]\n# why\nx.workspace = true\n\
                    y = { workspace = true, optional = true }\n\n[dev-dependencies]\nmapwright-testkit.workspace = true\n";
        assert_eq!(check_text(Path::new("Cargo.toml"), good, Some("`x`, `y`")), []);
        let bad = "[lints]\n\n[dependencies]\nx = \"1\"\n\n[dev-dependencies]\nmapwright-testkit.workspace = true\n";
        let found = check_text(Path::new("Cargo.toml"), bad, Some("`x`"));
        let found: Vec<_> = found.iter().map(|breach| (breach.line, breach.rule)).collect();
        assert_eq!(found, [(4, "versions"), (0, "lints"), (0, "package-tests")]);
    }
}
