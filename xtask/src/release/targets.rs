//! The systems that a release has programs for.

use std::process::Command;

use crate::run::capture;

/// The targets of a release, as `archive --target` takes them. The matrix of `.github/workflows/release.yml` lists the same ones.
#[cfg(test)]
pub(super) const TARGETS: [&str; 8] = [
    "x86_64-unknown-linux-gnu.2.17",
    "aarch64-unknown-linux-gnu.2.17",
    "x86_64-unknown-linux-musl",
    "aarch64-unknown-linux-musl",
    "x86_64-pc-windows-msvc",
    "aarch64-pc-windows-msvc",
    "x86_64-apple-darwin",
    "aarch64-apple-darwin",
];

/// A target of the compiler, with the oldest supported version of glibc.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Target {
    pub(crate) triple: String,
    /// `2.17` of `x86_64-unknown-linux-gnu.2.17`. Without it, programs need the glibc of the system that builds them.
    pub(crate) glibc: Option<String>,
}

impl Target {
    /// Parses a triple with the version of glibc after a point.
    pub(super) fn parse(text: &str) -> Result<Self, String> {
        let (triple, glibc) = text.split_once('.').map_or((text, None), |(triple, glibc)| (triple, Some(glibc)));
        let is_version = |glibc: &str| glibc.split('.').all(|number| number.parse::<u32>().is_ok());
        let is_known = triple.split('-').count() >= 3
            && glibc.is_none_or(|glibc| triple.ends_with("-linux-gnu") && is_version(glibc));
        if !is_known {
            return Err(format!("unknown target {text}: expected a triple such as x86_64-unknown-linux-gnu.2.17"));
        }
        Ok(Self { triple: triple.to_owned(), glibc: glibc.map(str::to_owned) })
    }

    /// Returns the target of this system.
    pub(crate) fn host() -> Result<Self, String> {
        let version = capture(Command::new("rustc").arg("-vV"))?;
        let triple = version.lines().find_map(|line| line.strip_prefix("host: "));
        Self::parse(triple.ok_or("`rustc -vV` does not name the host")?)
    }

    /// Returns `true` if this system runs programs of the target: processor and operating system are the same.
    pub(super) fn is_of_host(&self) -> Result<bool, String> {
        let host = Self::host()?;
        let processor = |target: &Self| target.triple.split('-').next().map(str::to_owned);
        let system = |target: &Self| ["-linux-", "-windows-", "-darwin"].map(|system| target.triple.contains(system));
        Ok(processor(self) == processor(&host) && system(self) == system(&host))
    }

    pub(super) fn is_windows(&self) -> bool {
        self.triple.contains("-windows-")
    }

    pub(super) fn is_linux(&self) -> bool {
        self.triple.contains("-linux-")
    }

    pub(super) fn is_musl(&self) -> bool {
        self.triple.ends_with("-musl")
    }

    pub(super) fn archive_suffix(&self) -> &'static str {
        if self.is_windows() { ".zip" } else { ".tar.gz" }
    }

    /// Returns the file name of a program.
    pub(super) fn file_name(&self, program: &str) -> String {
        format!("{program}{}", if self.is_windows() { ".exe" } else { "" })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::release::Release;
    use crate::workspace::{program_package, root};

    #[test]
    fn versions_of_glibc_are_split_off() {
        let target = Target::parse("aarch64-unknown-linux-gnu.2.17").unwrap();
        assert_eq!((target.triple.as_str(), target.glibc.as_deref()), ("aarch64-unknown-linux-gnu", Some("2.17")));
        assert_eq!(Target::parse("x86_64-apple-darwin").unwrap().glibc, None);
        for wrong in ["", "linux", "x86_64-apple-darwin.2.17", "x86_64-unknown-linux-gnu.new"] {
            assert!(Target::parse(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn the_workflow_builds_all_targets() {
        let workflow = std::fs::read_to_string(root().join(".github/workflows/release.yml")).unwrap();
        let built: Vec<&str> = workflow.lines().filter_map(|line| line.trim().strip_prefix("- target: ")).collect();
        assert_eq!(built, TARGETS);
    }

    /// Fills in a template of cargo-binstall.
    fn fill(template: &str, target: &Target, release: &Release) -> String {
        let filled = template
            .replace("{ repo }", &release.repository)
            .replace("{ version }", &release.version)
            .replace("{ target }", &target.triple)
            .replace("{ bin }", &release.program)
            .replace("{ binary-ext }", if target.is_windows() { ".exe" } else { "" });
        assert!(!filled.contains(['{', '}']), "{filled}");
        filled
    }

    #[test]
    fn cargo_binstall_finds_the_archives() {
        let release = Release::new().unwrap();
        let (_, package) = program_package().unwrap();
        let binstall = &package["metadata"]["binstall"];
        for target in TARGETS.map(|target| Target::parse(target).unwrap()) {
            let overrides = &binstall["overrides"][&target.triple];
            let setting = |key: &str| overrides[key].as_str().or(binstall[key].as_str()).unwrap();
            let format = if target.is_windows() { "zip" } else { "tgz" };
            assert_eq!(setting("pkg-fmt"), format, "{target:?}");
            let folder = format!("{}/releases/download/v{}", release.repository, release.version);
            let url = format!("{folder}/{}", release.archive_name(&target));
            assert_eq!(fill(setting("pkg-url"), &target, &release), url);
            let program = format!("{}/{}", release.stem(&target), target.file_name(&release.program));
            assert_eq!(fill(setting("bin-dir"), &target, &release), program);
        }
    }
}
