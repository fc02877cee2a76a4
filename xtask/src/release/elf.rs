//! The system libraries that a Linux program needs, as `readelf` lists them.

use std::path::Path;
use std::process::Command;

use super::Target;
use crate::run::{Outcome, capture};

/// The libraries that a program needs, and their versions.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Needs {
    /// File names such as `libc.so.6`.
    pub(super) libraries: Vec<String>,
    /// The highest version of a symbol of glibc.
    pub(super) glibc: Option<Vec<u32>>,
    /// Versions of symbols that are not numbers, such as `ABI_DT_RELR`. Only new versions of glibc have them.
    pub(super) unnumbered: Vec<String>,
}

impl Needs {
    pub(super) fn new(binary: &Path) -> Result<Self, String> {
        let mut readelf = Command::new("readelf");
        readelf.args(["--wide", "--dynamic", "--version-info"]).arg(binary).env("LC_ALL", "C");
        Ok(Self::parse(&capture(&mut readelf)?))
    }

    /// Parses the output of `readelf`.
    fn parse(text: &str) -> Self {
        let mut needs = Self::default();
        for line in text.lines() {
            if let Some((_, library)) = line.split_once("(NEEDED)").and_then(|(_, rest)| rest.split_once('[')) {
                needs.libraries.push(library.trim_end_matches(']').to_owned());
            }
            let Some((_, rest)) = line.split_once("Name: GLIBC_") else { continue };
            // A program starts without a weak version.
            if rest.contains("Flags: WEAK") {
                continue;
            }
            let name = rest.split_whitespace().next().unwrap_or_default();
            match parse_version(name) {
                Some(version) => needs.glibc = needs.glibc.max(Some(version)),
                None => needs.unnumbered.push(name.to_owned()),
            }
        }
        needs
    }

    /// Returns the reason why a program does not run on all systems of a target.
    fn fault(&self, target: &Target) -> Option<String> {
        if target.is_musl() {
            return self
                .libraries
                .first()
                .map(|library| format!("needs {library}: a program with musl must be static"));
        }
        let wanted = target.glibc.as_deref()?;
        if let Some(name) = self.unnumbered.first() {
            return Some(format!("needs GLIBC_{name}: expected at most version {wanted}"));
        }
        let is_newer = self.glibc > parse_version(wanted);
        is_newer.then(|| format!("needs {}: expected at most version {wanted}", self.describe()))
    }

    fn describe(&self) -> String {
        self.glibc.as_ref().map_or_else(|| "no glibc".to_owned(), |version| format!("glibc {}", join(version)))
    }

    /// Returns the packages that a Debian package of the program depends on, separated by commas.
    pub(super) fn debian_packages(&self) -> Result<String, String> {
        let mut packages = Vec::new();
        for library in &self.libraries {
            let package = match library.as_str() {
                "libgcc_s.so.1" => "libgcc-s1".to_owned(),
                "libc.so.6" | "libm.so.6" | "libdl.so.2" | "libpthread.so.0" | "librt.so.1" | "libutil.so.1" => self
                    .glibc
                    .as_ref()
                    .map_or_else(|| "libc6".to_owned(), |version| format!("libc6 (>= {})", join(version))),
                loader if loader.starts_with("ld-linux") => continue,
                other => return Err(format!("the Debian package of {other} is not known")),
            };
            packages.push(package);
        }
        packages.sort();
        packages.dedup();
        Ok(packages.join(", "))
    }
}

/// Checks that a program for Linux runs on every system of its target.
pub(super) fn check(binary: &Path, target: &Target) -> Outcome {
    if !target.is_musl() && target.glibc.is_none() {
        return Ok(());
    }
    let needs = Needs::new(binary)?;
    match needs.fault(target) {
        Some(fault) => Err(format!("{} {fault}", binary.display())),
        None => {
            let libraries =
                if needs.libraries.is_empty() { "no libraries".to_owned() } else { needs.libraries.join(", ") };
            println!("{}: needs {}, {libraries}", binary.display(), needs.describe());
            Ok(())
        }
    }
}

fn parse_version(text: &str) -> Option<Vec<u32>> {
    text.split('.').map(|number| number.parse().ok()).collect()
}

fn join(version: &[u32]) -> String {
    version.iter().map(u32::to_string).collect::<Vec<_>>().join(".")
}

#[cfg(test)]
mod tests {
    use super::*;

    const OUTPUT: &str = "\
Dynamic section at offset 0x15c8860 contains 29 entries:
 0x0000000000000001 (NEEDED)             Shared library: [libgcc_s.so.1]
 0x0000000000000001 (NEEDED)             Shared library: [libm.so.6]
 0x0000000000000001 (NEEDED)             Shared library: [libc.so.6]
 0x0000000000000015 (DEBUG)              0x0

Version needs section '.gnu.version_r' contains 3 entries:
  000000: Version: 1  File: libm.so.6  Cnt: 1
  0x0010:   Name: GLIBC_2.9  Flags: none  Version: 6
  0x0020: Version: 1  File: libc.so.6  Cnt: 2
  0x0030:   Name: GLIBC_2.17  Flags: none  Version: 4
  0x0040:   Name: GLIBC_2.28  Flags: WEAK  Version: 5
  0x0050:   Name: GLIBC_2.2.5  Flags: none  Version: 3
";

    fn target(text: &str) -> Target {
        Target::parse(text).unwrap()
    }

    #[test]
    fn the_highest_version_counts() {
        let needs = Needs::parse(OUTPUT);
        assert_eq!(needs.libraries, ["libgcc_s.so.1", "libm.so.6", "libc.so.6"]);
        assert_eq!(needs.glibc, Some(vec![2, 17]));
        assert_eq!(needs.debian_packages().unwrap(), "libc6 (>= 2.17), libgcc-s1");
        let static_program = Needs::parse("There is no dynamic section in this file.\n");
        assert_eq!(static_program, Needs::default());
        assert_eq!(static_program.debian_packages().unwrap(), "");
        assert!(Needs::parse("(NEEDED) Shared library: [libz.so.1]").debian_packages().unwrap_err().contains("libz"));
    }

    #[test]
    fn programs_run_on_all_systems_of_their_target() {
        let needs = Needs::parse(OUTPUT);
        assert_eq!(needs.fault(&target("x86_64-unknown-linux-gnu.2.17")), None);
        assert_eq!(needs.fault(&target("x86_64-unknown-linux-gnu.2.28")), None);
        let fault = needs.fault(&target("x86_64-unknown-linux-gnu.2.12")).unwrap();
        assert_eq!(fault, "needs glibc 2.17: expected at most version 2.12");
        assert!(needs.fault(&target("x86_64-unknown-linux-musl")).unwrap().contains("must be static"));
        assert_eq!(Needs::default().fault(&target("x86_64-unknown-linux-musl")), None);
        let newer = Needs::parse("  0x0010:   Name: GLIBC_ABI_DT_RELR  Flags: none  Version: 6\n");
        assert!(newer.fault(&target("x86_64-unknown-linux-gnu.2.17")).unwrap().contains("GLIBC_ABI_DT_RELR"));
    }
}
