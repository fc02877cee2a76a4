//! `cargo xtask fixtures`: creates `fixtures/` with a MANIFEST for each format. The bytes are the same in every run.

pub(crate) mod addon;
pub(crate) mod dmx;
mod game;
pub(crate) mod map;
pub(crate) mod rez;
pub(crate) mod vmap;
pub(crate) mod vmf;
pub(crate) mod wings;
pub(crate) mod wmp;
pub(crate) mod wrp;
pub(crate) mod wwd;

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

use mapwright_testkit::{files_below, hexdiff, workspace};

/// A file of `fixtures/`.
struct Fixture {
    /// `<format>/<path>`.
    path: &'static str,
    /// The description for the MANIFEST.
    origin: &'static str,
    /// The function that creates it; `None` for a file that another program created for this project, which stays unchanged.
    make: Option<fn() -> Vec<u8>>,
}

/// The fixtures of all formats.
fn all_fixtures() -> impl Iterator<Item = &'static Fixture> {
    let formats = [
        addon::FIXTURES,
        dmx::FIXTURES,
        map::FIXTURES,
        rez::FIXTURES,
        vmap::FIXTURES,
        vmf::FIXTURES,
        wings::FIXTURES,
        wmp::FIXTURES,
        wrp::FIXTURES,
        wwd::FIXTURES,
    ];
    formats.into_iter().flatten()
}

/// The folder of inputs that once broke a fuzz target. This program lists them, but does not create them.
const REGRESSIONS: &str = "regressions/";

pub(crate) fn fixtures(args: &[String]) -> Result<(), String> {
    let is_check = match args {
        [] => false,
        [flag] if flag == "--check" => true,
        _ => return Err("usage: cargo xtask fixtures [--check]".to_owned()),
    };
    let root = workspace().join("fixtures");
    let mut formats: BTreeSet<&str> =
        all_fixtures().filter_map(|fixture| Some(fixture.path.split_once('/')?.0)).collect();
    // A folder may only contain regressions.
    let present: Vec<String> = fs::read_dir(&root).into_iter().flatten().filter_map(folder_name).collect();
    formats.extend(present.iter().map(String::as_str));
    let mut differences = Vec::new();
    for format in &formats {
        for (path, bytes) in folder(format, &root.join(format))? {
            let path = root.join(format).join(path);
            if is_check {
                let found = fs::read(&path).unwrap_or_default();
                differences.extend(hexdiff(&bytes, &found).map(|diff| format!("{}: {diff}", path.display())));
            } else {
                let parent = path.parent().unwrap_or(&root);
                fs::create_dir_all(parent)
                    .and_then(|()| fs::write(&path, bytes))
                    .map_err(|error| format!("{}: {error}", path.display()))?;
            }
        }
    }
    println!("fixtures: {} files of {}", all_fixtures().count(), Vec::from_iter(formats).join(", "));
    if differences.is_empty() {
        return Ok(());
    }
    Err(format!("{}\nfixtures/ is out of date: run `cargo xtask fixtures`", differences.join("\n")))
}

/// Returns the files to write into the folder of a format: the generated ones, and the MANIFEST of all.
fn folder(format: &str, folder: &Path) -> Result<BTreeMap<String, Vec<u8>>, String> {
    let mut written = BTreeMap::new();
    let mut origins = BTreeMap::new();
    for fixture in all_fixtures() {
        let Some(path) = fixture.path.strip_prefix(format).and_then(|path| path.strip_prefix('/')) else { continue };
        let (size, is_made) = match fixture.make {
            Some(make) => {
                let bytes = make();
                let size = bytes.len() as u64;
                (size, written.insert(path.to_owned(), bytes).is_none())
            }
            None => (size_of(&folder.join(path))?, true),
        };
        if !is_made || origins.insert(path.to_owned(), (size, fixture.origin.to_owned())).is_some() {
            return Err(format!("{} is listed twice in the table of fixtures", fixture.path));
        }
    }
    let present = if folder.is_dir() { files_below(folder) } else { Vec::new() };
    for file in present {
        let path = file.strip_prefix(folder).unwrap_or(&file).display().to_string().replace('\\', "/");
        if let Some(name) = path.strip_prefix(REGRESSIONS) {
            let target = name.rsplit_once('-').map_or(name, |(target, _)| target);
            origins.insert(path.clone(), (size_of(&file)?, format!("found by cargo xtask fuzz {target}")));
        } else if !origins.contains_key(&path) {
            return Err(format!(
                "{} is not in the table of fixtures (xtask/src/workbench/fixtures.rs)",
                file.display()
            ));
        }
    }
    let lines = origins.iter().map(|(path, (size, origin))| format!("{path}\t{size}\t{origin}\n"));
    let manifest = format!("file\tbytes\torigin\n{}", lines.collect::<String>());
    written.insert("MANIFEST.tsv".to_owned(), manifest.into_bytes());
    Ok(written)
}

fn size_of(file: &Path) -> Result<u64, String> {
    fs::metadata(file).map(|meta| meta.len()).map_err(|error| format!("{}: {error}", file.display()))
}

fn folder_name(entry: std::io::Result<fs::DirEntry>) -> Option<String> {
    let entry = entry.ok()?;
    entry.path().is_dir().then(|| entry.file_name().to_string_lossy().into_owned())
}
