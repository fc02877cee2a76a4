//! The Debian package.

use std::fs;
use std::io::Write as _;
use std::path::Path;
use std::process::Command;

use flate2::{Compression, GzBuilder};

use super::contents::{Contents, Entry, THIRD_PARTY};
use super::elf::Needs;
use super::{Release, Target, failed, set_mode};
use crate::run::show;
use crate::workspace::root;

/// The folders of completion scripts. Debian has none for the other shells.
const COMPLETIONS: [(&str, &str, &str); 3] = [
    ("bash", "usr/share/bash-completion/completions", ""),
    ("fish", "usr/share/fish/vendor_completions.d", ".fish"),
    ("zsh", "usr/share/zsh/vendor-completions", ""),
];

/// The package of a release for one architecture.
pub(super) struct Package<'a> {
    release: &'a Release,
    version: String,
    architecture: &'static str,
    /// The packages that it needs, separated by commas.
    depends: String,
}

impl<'a> Package<'a> {
    pub(super) fn new(release: &'a Release, target: &Target, needs: &Needs) -> Result<Self, String> {
        let depends = needs.debian_packages()?;
        Ok(Self { release, version: release.version.clone(), architecture: architecture(target)?, depends })
    }

    pub(super) fn file_name(&self) -> String {
        format!("{}_{}_{}.deb", self.release.program, self.version, self.architecture)
    }

    /// Builds the package from files in an empty folder, and returns its bytes.
    pub(super) fn build(&self, contents: &Contents, staged: &Path, time: u64, level: u32) -> Result<Vec<u8>, String> {
        let files = files(self.release, contents)?;
        let size = files.iter().map(|file| file.bytes.len()).sum();
        let control = Entry::text("DEBIAN/control", self.control(size).into_bytes());
        files.iter().chain([&control]).try_for_each(|file| stage(staged, file))?;
        let made = staged.with_extension("deb");
        let mut dpkg = Command::new("dpkg-deb");
        dpkg.args(["--root-owner-group", "-Zxz", &format!("-z{level}"), "--build"]).arg(staged).arg(&made);
        // The bytes depend on the number of threads.
        show(dpkg.env("SOURCE_DATE_EPOCH", time.to_string()).env("DPKG_DEB_THREADS_MAX", "1"))?;
        fs::read(&made).map_err(|error| failed(&made, &error))
    }

    /// Returns the control file of a package whose files have `size` bytes.
    fn control(&self, size: usize) -> String {
        let Self { version, architecture, .. } = self;
        let Release { program, description, repository, authors, .. } = self.release;
        let depends = if self.depends.is_empty() { String::new() } else { format!("Depends: {}\n", self.depends) };
        let (size, summary) = (size.div_ceil(1024), self.release.summary());
        format!(
            "Package: {program}\nVersion: {version}\nArchitecture: {architecture}\nMaintainer: {authors}\n\
             Installed-Size: {size}\n{depends}Section: graphics\nPriority: optional\nHomepage: {repository}\n\
             Description: {summary}\n {description}.\n"
        )
    }
}

/// Returns the name of an architecture in Debian.
fn architecture(target: &Target) -> Result<&'static str, String> {
    match target.triple.split('-').next() {
        Some("x86_64") if target.is_linux() => Ok("amd64"),
        Some("aarch64") if target.is_linux() => Ok("arm64"),
        _ => Err(format!("Debian packages of {} are not supported", target.triple)),
    }
}

/// Returns the files of the package.
fn files(release: &Release, contents: &Contents) -> Result<Vec<Entry>, String> {
    let Release { program, .. } = release;
    let mut files = vec![Entry::program(format!("usr/bin/{program}"), contents.program.bytes.clone())];
    for page in &contents.manual {
        files.push(Entry::text(format!("usr/share/man/man1/{}.gz", page.path), gzip(&page.bytes)?));
    }
    for (wanted, folder, suffix) in COMPLETIONS {
        let script = contents.completions.iter().find(|(shell, _)| *shell == wanted);
        let (_, script) = script.ok_or_else(|| format!("no completion script for {wanted}"))?;
        let name = if wanted == "zsh" { format!("_{program}") } else { format!("{program}{suffix}") };
        files.push(Entry::text(format!("{folder}/{name}"), script.bytes.clone()));
    }
    let documents = format!("usr/share/doc/{program}");
    for document in &contents.documents {
        let name = match &*document.path {
            "CHANGELOG.md" => "changelog.gz".to_owned(),
            THIRD_PARTY => format!("{THIRD_PARTY}.gz"),
            _ => continue,
        };
        files.push(Entry::text(format!("{documents}/{name}"), gzip(&document.bytes)?));
    }
    files.push(Entry::text(format!("{documents}/copyright"), copyright(release)?.into_bytes()));
    Ok(files)
}

/// Compresses a file without its name and time.
fn gzip(bytes: &[u8]) -> Result<Vec<u8>, String> {
    let mut encoder = GzBuilder::new().write(Vec::new(), Compression::best());
    encoder.write_all(bytes).and_then(|()| encoder.finish()).map_err(|error| format!("gzip: {error}"))
}

/// Returns the copyright file. Debian has the text of the Apache licence in a folder of its own.
fn copyright(release: &Release) -> Result<String, String> {
    let path = root().join("LICENSE-MIT");
    let mit = fs::read_to_string(&path).map_err(|error| failed(&path, &error))?;
    let Release { license, repository, .. } = release;
    Ok(format!(
        "Source: {repository}\nLicence: {license}\n\n{mit}\n\
         The Apache License, Version 2.0, is in /usr/share/common-licenses/Apache-2.0.\n"
    ))
}

/// Writes a file below a folder, with fixed permissions of the file and its folders.
fn stage(folder: &Path, file: &Entry) -> Result<(), String> {
    let path = folder.join(&file.path);
    let parent = path.parent().unwrap_or(folder);
    fs::create_dir_all(parent).map_err(|error| failed(parent, &error))?;
    fs::write(&path, &file.bytes).map_err(|error| failed(&path, &error))?;
    set_mode(&path, file.mode())?;
    parent.ancestors().take_while(|parent| parent.starts_with(folder)).try_for_each(|parent| set_mode(parent, 0o755))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn release() -> Release {
        Release {
            program: "tool".to_owned(),
            version: "1.0.0".to_owned(),
            description: "The tool command: read files".to_owned(),
            license: "MIT".to_owned(),
            repository: "https://example.org/tool".to_owned(),
            authors: "The authors".to_owned(),
        }
    }

    #[test]
    fn control_files_state_what_the_program_needs() {
        let (release, target) = (release(), Target::parse("x86_64-unknown-linux-gnu").unwrap());
        let needs = Needs { libraries: vec!["libc.so.6".to_owned()], glibc: Some(vec![2, 17]), ..Needs::default() };
        let package = Package::new(&release, &target, &needs).unwrap();
        assert_eq!(package.file_name(), "tool_1.0.0_amd64.deb");
        let wanted = "\
Package: tool
Version: 1.0.0
Architecture: amd64
Maintainer: The authors
Installed-Size: 3
Depends: libc6 (>= 2.17)
Section: graphics
Priority: optional
Homepage: https://example.org/tool
Description: read files
 The tool command: read files.
";
        assert_eq!(package.control(2049), wanted);
        let of_static = Package::new(&release, &target, &Needs::default()).unwrap();
        assert!(!of_static.control(1).contains("Depends"));
    }

    #[test]
    fn architectures_have_the_names_of_debian() {
        let name = |target| architecture(&Target::parse(target).unwrap());
        assert_eq!(name("x86_64-unknown-linux-musl").unwrap(), "amd64");
        assert_eq!(name("aarch64-unknown-linux-gnu.2.17").unwrap(), "arm64");
        assert!(name("x86_64-apple-darwin").unwrap_err().contains("not supported"));
    }
}
