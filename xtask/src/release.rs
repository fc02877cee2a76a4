//! The files of a release: archives, Debian packages, and the manifests of package managers.
//!
//! | command | writes |
//! |---|---|
//! | `cargo xtask archive` | `mapwright-VERSION-TARGET.tar.gz`, or `.zip` for Windows |
//! | `cargo xtask deb` | `mapwright_VERSION_ARCHITECTURE.deb` |
//! | `cargo xtask manifests DIR` | manifests for Homebrew, Scoop and winget, from the checksums in DIR |
//!
//! The first two write `SHA256SUMS` beside their files. The same program and the same commit give the same bytes: files have the time
//! of the commit, or that of `SOURCE_DATE_EPOCH`. `.github/workflows/release.yml` runs these commands for every target.

mod archive;
mod build;
mod checksums;
mod contents;
mod deb;
mod elf;
mod licenses;
mod managers;
mod targets;
mod versions;

use std::env;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::environment::SYSTEM_PYTHON;
use crate::run::{Outcome, capture, native_command, show, skip, succeeds};
use crate::workspace::{program_package, root, target};

pub(crate) use build::Zig;
pub(crate) use managers::manifests;
pub(crate) use targets::Target;
pub(crate) use versions::versions;

use contents::Contents;

/// A release of the command, as its manifest describes it.
struct Release {
    program: String,
    version: String,
    description: String,
    license: String,
    repository: String,
    authors: String,
}

impl Release {
    fn new() -> Result<Self, String> {
        let (program, package) = program_package()?;
        let text = |key: &str| package[key].as_str().unwrap_or_default().to_owned();
        Ok(Self {
            program,
            version: text("version"),
            description: text("description"),
            license: text("license"),
            repository: text("repository"),
            authors: package["authors"][0].as_str().unwrap_or_default().to_owned(),
        })
    }

    /// Returns what the program does, in lower case and without a full stop.
    fn summary(&self) -> &str {
        self.description.split_once(": ").map_or(self.description.as_str(), |(_, summary)| summary)
    }

    /// Returns the name of an archive without its suffix. It is also the folder in the archive.
    fn stem(&self, target: &Target) -> String {
        format!("{}-{}-{}", self.program, self.version, target.triple)
    }

    fn archive_name(&self, target: &Target) -> String {
        format!("{}{}", self.stem(target), target.archive_suffix())
    }
}

/// The arguments of `archive` and `deb`.
struct Options {
    target: Target,
    /// A program that is already built.
    binary: Option<PathBuf>,
    out: PathBuf,
    profile: String,
    /// The level of compression, from 0 to 9.
    level: u32,
}

/// Compresses as far as possible.
const BEST: u32 = 9;

impl Options {
    fn parse(args: &[String]) -> Result<Self, String> {
        let (out, profile) = (target()?.join("dist"), "release".to_owned());
        let mut options = Self { target: Target::host()?, binary: None, out, profile, level: BEST };
        let mut rest = args.iter();
        while let Some(flag) = rest.next() {
            let value = rest.next().ok_or_else(|| format!("{flag} needs a value"))?;
            match flag.as_str() {
                "--target" => options.target = Target::parse(value)?,
                "--binary" => options.binary = Some(value.into()),
                "--out" => options.out = value.into(),
                "--profile" => options.profile.clone_from(value),
                _ => {
                    return Err(format!("unknown option {flag}: expected --target, --binary, --out or --profile"));
                }
            }
        }
        Ok(options)
    }

    /// Returns the program, which is built if none is given, after a check of the system that it needs.
    fn program(&self) -> Result<PathBuf, String> {
        let binary = match &self.binary {
            Some(binary) => binary.clone(),
            None => build::build(&self.target, &self.profile)?,
        };
        elf::check(&binary, &self.target)?;
        Ok(binary)
    }
}

/// `cargo xtask archive`.
pub(crate) fn archive(args: &[String]) -> Outcome {
    if args == ["--check"] {
        return check();
    }
    write_archive(&Options::parse(args)?)
}

/// `cargo xtask deb`.
pub(crate) fn deb(args: &[String]) -> Outcome {
    write_deb(&Options::parse(args)?)
}

fn write_archive(options: &Options) -> Outcome {
    let release = Release::new()?;
    let binary = options.program()?;
    let contents = Contents::new(&release, &options.target, &binary)?;
    let path = options.out.join(release.archive_name(&options.target));
    let folder = release.stem(&options.target);
    let bytes = if options.target.is_windows() {
        archive::zip(&folder, &contents.archived(), time()?, options.level)?
    } else {
        archive::tar_gz(&folder, &contents.archived(), time()?, options.level)?
    };
    finish(options, &path, &bytes)?;
    let unpacked = create_empty_folder("unpacked-archive")?;
    if unpack(&path, &unpacked)? {
        let program = unpacked.join(folder).join(options.target.file_name(&release.program));
        run_on_fixture(&program, &options.target)?;
    }
    Ok(())
}

fn write_deb(options: &Options) -> Outcome {
    if !succeeds("dpkg-deb", &["--version"]) {
        skip("the Debian package: dpkg-deb is not installed".to_owned());
        return Ok(());
    }
    let release = Release::new()?;
    let binary = options.program()?;
    let package = deb::Package::new(&release, &options.target, &elf::Needs::new(&binary)?)?;
    let contents = Contents::new(&release, &options.target, &binary)?;
    let bytes = package.build(&contents, &create_empty_folder("staged-deb")?, time()?, options.level)?;
    let path = options.out.join(package.file_name());
    finish(options, &path, &bytes)?;
    let unpacked = create_empty_folder("unpacked-deb")?;
    show(Command::new("dpkg-deb").arg("-x").arg(&path).arg(&unpacked))?;
    run_on_fixture(&unpacked.join("usr/bin").join(&release.program), &options.target)
}

/// Writes a file of the release, and the checksums of all of them.
fn finish(options: &Options, path: &Path, bytes: &[u8]) -> Outcome {
    fs::create_dir_all(&options.out).map_err(|error| failed(&options.out, &error))?;
    fs::write(path, bytes).map_err(|error| failed(path, &error))?;
    checksums::write(&options.out)?;
    println!("{}: {} bytes", path.display(), bytes.len());
    Ok(())
}

/// Unpacks an archive with another program than this one. Returns `false` if there is none.
fn unpack(archive: &Path, folder: &Path) -> Result<bool, String> {
    if archive.extension().is_some_and(|extension| extension == "zip") {
        if !succeeds(SYSTEM_PYTHON, &["--version"]) {
            skip(format!("unpacking of {}: Python is not installed", archive.display()));
            return Ok(false);
        }
        show(Command::new(SYSTEM_PYTHON).args(["-m", "zipfile", "-e"]).arg(archive).arg(folder))?;
    } else {
        show(Command::new("tar").arg("-xzf").arg(archive).arg("-C").arg(folder))?;
    }
    Ok(true)
}

/// Runs an unpacked program on a fixture, if it is a program for this system.
fn run_on_fixture(program: &Path, target: &Target) -> Outcome {
    // Python unpacks zip files without permissions.
    set_mode(program, 0o755)?;
    if !contents::runs(program) && !target.is_of_host()? {
        skip(format!("a run of {}: it is for another system", program.display()));
        return Ok(());
    }
    let version = capture(Command::new(program).arg("--version"))?;
    let fixture = root().join("fixtures/wings/torus.wings");
    let info = capture(Command::new(program).arg("info").arg(&fixture))?;
    if !info.contains("torus") {
        return Err(format!("{} info {} does not name the torus:\n{info}", program.display(), fixture.display()));
    }
    println!("{}: runs, {}", program.display(), version.trim());
    Ok(())
}

/// Sets the permissions of a file, where the system has them.
fn set_mode(path: &Path, mode: u32) -> Outcome {
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt as _;
        fs::set_permissions(path, fs::Permissions::from_mode(mode)).map_err(|error| failed(path, &error))?;
    }
    #[cfg(not(unix))]
    let _ = (path, mode);
    Ok(())
}

/// `cargo xtask archive --check`: makes each kind of file twice from a build for tests, unpacks and runs it, and compares the bytes.
pub(crate) fn check() -> Outcome {
    let binary = native_command()?;
    let run = |name: &str| {
        let out = create_empty_folder(name)?;
        let options = |target| {
            let (binary, out) = (Some(binary.clone()), out.clone());
            // The best compression would take a minute.
            Options { target, binary, out, profile: String::new(), level: 1 }
        };
        write_archive(&options(Target::host()?))?;
        // The format of archives for Windows, with the program of this system.
        if !Target::host()?.is_windows() {
            write_archive(&options(Target::parse("x86_64-pc-windows-msvc")?))?;
        }
        if Target::host()?.is_linux() {
            write_deb(&options(Target::host()?))?;
        }
        Ok::<_, String>(out)
    };
    let [first, second] = [run("release-1")?, run("release-2")?];
    let names = checksums::names(&first)?;
    for name in &names {
        let read = |folder: &Path| fs::read(folder.join(name)).map_err(|error| failed(&folder.join(name), &error));
        if read(&first)? != read(&second)? {
            return Err(format!("{name} has other bytes when it is made again"));
        }
    }
    if succeeds("sha256sum", &["--version"]) {
        show(Command::new("sha256sum").args(["--check", "--quiet", checksums::NAME]).current_dir(&first))?;
    }
    println!("{} files of a release have the same bytes when they are made again", names.len());
    Ok(())
}

/// Returns the time of all files in seconds since 1970.
fn time() -> Result<u64, String> {
    let text = match env::var("SOURCE_DATE_EPOCH") {
        Ok(text) => text,
        Err(_) => capture(Command::new("git").args(["log", "-1", "--format=%ct"]).current_dir(root()))?,
    };
    text.trim().parse().map_err(|_| format!("invalid SOURCE_DATE_EPOCH {text:?}: expected seconds since 1970"))
}

/// Creates an empty folder in `release-files` of the target folder.
fn create_empty_folder(name: &str) -> Result<PathBuf, String> {
    let folder = target()?.join("release-files").join(name);
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).map_err(|error| failed(&folder, &error))?;
    Ok(folder)
}

fn failed(path: &Path, error: &std::io::Error) -> String {
    format!("{}: {error}", path.display())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn options_are_pairs() {
        let parse = |text: &str| Options::parse(&text.split_whitespace().map(str::to_owned).collect::<Vec<_>>());
        let options = parse("--target x86_64-unknown-linux-gnu.2.17 --binary a/b --profile dev").unwrap();
        assert_eq!(options.target.triple, "x86_64-unknown-linux-gnu");
        assert_eq!((options.binary.as_deref(), options.profile.as_str()), (Some(Path::new("a/b")), "dev"));
        assert!(options.out.ends_with("dist"));
        assert_eq!(parse("").unwrap().profile, "release");
        assert!(parse("--binary").err().unwrap().contains("needs a value"));
        assert!(parse("--what x").err().unwrap().contains("unknown option --what"));
        assert!(parse("--target wasm").err().unwrap().contains("unknown target wasm"));
    }
}
