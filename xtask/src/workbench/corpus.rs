//! `cargo xtask corpus`: checks every file below some folders against the laws of its format.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::{env, fs};

use mapwright::info::FindingCounts;
use mapwright::{AnyDocument, ConvertOptions, Format, JsonLayout, ReadOptions, convert, detect};
use mapwright_scene::NoFiles;
use mapwright_testkit::{files_below, hexdiff};

use crate::verdicts;

/// A law. Returns `Ok(false)` if it does not apply to the document.
type Law = fn(&File) -> Result<bool, String>;

const LAWS: [(&str, Law); 4] =
    [("written back", written_back), ("dump and build", dumped_and_built), ("scene", own_scene), ("glb", glb)];

/// A file that was read.
struct File {
    bytes: Vec<u8>,
    document: AnyDocument,
    /// `true` if the program that owns the format accepts the file. Other files may have no scene.
    is_sound: bool,
    /// The path of its glTF file, if one is written.
    glb: Option<PathBuf>,
}

/// The results of all files of a format.
#[derive(Default)]
struct Row {
    files: usize,
    bytes: usize,
    /// The number of files that keep and that break each law.
    laws: [(usize, usize); LAWS.len()],
    refused_as_listed: usize,
    refused: usize,
}

pub(crate) fn corpus(args: &[String]) -> Result<(), String> {
    let (keep, folders) = match args {
        [flag, folder, rest @ ..] if flag == "--keep-glb" => (Some(Path::new(folder)), rest),
        _ => (None, args),
    };
    if folders.is_empty() || folders.iter().any(|arg| arg.starts_with('-')) {
        return Err("usage: cargo xtask corpus DIR...".to_owned());
    }
    let mut rows = BTreeMap::<&str, Row>::new();
    let mut unknown = 0_usize;
    for (index, path) in folders.iter().flat_map(|arg| files_in(Path::new(arg))).enumerate() {
        let bytes = fs::read(&path).map_err(|error| format!("{}: {error}", path.display()))?;
        // Interchange formats are only read into scenes.
        let format = detect(&bytes, Some(&path)).format.filter(|format| format.access().lossless);
        let Some(format) = format else {
            unknown += 1;
            continue;
        };
        let row = rows.entry(format.name()).or_default();
        match AnyDocument::from_bytes_as(&bytes, format, &ReadOptions::default()) {
            Ok(document) => {
                let stem = path.file_stem().unwrap_or_default().to_string_lossy();
                let glb = keep.map(|folder| folder.join(format!("{index:03}-{stem}.glb")));
                let is_sound = FindingCounts::from_findings(&document.validate()).errors == 0;
                row.add(&path, &File { bytes, document, is_sound, glb });
            }
            Err(_) if verdicts::is_refusal_listed(&path) => row.refused_as_listed += 1,
            Err(error) => {
                row.refused += 1;
                println!("REJECTED {}: {error}", path.display());
            }
        }
    }
    print(&rows, unknown);
    let broken: usize = rows.values().map(Row::broken).sum();
    match (broken, rows.values().any(|row| row.files > 0)) {
        (0, true) => Ok(()),
        (0, false) => Err("no file has a known format".to_owned()),
        (count, _) => Err(format!("{count} laws are broken, see above")),
    }
}

fn files_in(path: &Path) -> Vec<PathBuf> {
    let here = env::current_dir().unwrap_or_default().join(path);
    files_below(&fs::canonicalize(&here).unwrap_or(here))
}

impl Row {
    fn add(&mut self, path: &Path, file: &File) {
        self.files += 1;
        self.bytes += file.bytes.len();
        for ((name, law), (kept, broken)) in LAWS.iter().zip(&mut self.laws) {
            match law(file) {
                Ok(true) => *kept += 1,
                Ok(false) => {}
                Err(error) => {
                    *broken += 1;
                    println!("BROKEN {name}, {}: {error}", path.display());
                }
            }
        }
    }

    fn broken(&self) -> usize {
        self.refused + self.laws.iter().map(|(_, broken)| broken).sum::<usize>()
    }
}

/// Prints a table with a line for each format, and the sum.
fn print(rows: &BTreeMap<&str, Row>, unknown: usize) {
    let mut sum = Row::default();
    print!("| format | files | bytes |");
    LAWS.iter().for_each(|(name, _)| print!(" {name} |"));
    println!(" rejected as listed | rejected |\n|---|---|---|{}---|---|", "---|".repeat(LAWS.len()));
    for (name, row) in rows {
        line(name, row);
        sum.files += row.files;
        sum.bytes += row.bytes;
        sum.refused_as_listed += row.refused_as_listed;
        sum.refused += row.refused;
        for (sum, law) in sum.laws.iter_mut().zip(row.laws) {
            *sum = (sum.0 + law.0, sum.1 + law.1);
        }
    }
    line("all", &sum);
    println!("{unknown} files have no lossless format");
}

fn line(name: &str, row: &Row) {
    print!("| {name} | {} | {} |", row.files, row.bytes);
    for (kept, broken) in row.laws {
        match kept + broken {
            0 => print!(" – |"),
            asked => print!(" {kept} of {asked} |"),
        }
    }
    println!(" {} | {} |", row.refused_as_listed, row.refused);
}

/// An unchanged document is written as the same bytes.
fn written_back(file: &File) -> Result<bool, String> {
    same(&file.bytes, &file.document)
}

/// A document from its dump is written as the same bytes.
fn dumped_and_built(file: &File) -> Result<bool, String> {
    let mut json = Vec::new();
    let layout = JsonLayout::OneLine;
    file.document.write_dump(&mut json, layout).map_err(|error| error.to_string())?;
    same(&file.bytes, &AnyDocument::from_dump(&json, &ReadOptions::default()).map_err(|error| error.to_string())?)
}

/// The scene is valid, and merging it back changes nothing.
fn own_scene(file: &File) -> Result<bool, String> {
    if !file.document.format().access().import || file.document.is_part_of_level() {
        return Ok(false);
    }
    let scene = match file.document.to_scene() {
        Ok(import) => import.scene,
        Err(_) if !file.is_sound => return Ok(false),
        Err(error) => return Err(error.to_string()),
    };
    if let Some(finding) = scene.first_error() {
        return Err(finding.to_string());
    }
    let mut merged = file.document.clone();
    merged.merge_scene(&scene).map_err(|error| error.to_string())?;
    same(&file.bytes, &merged)
}

/// The document can be converted to glTF, which the validator checks later.
fn glb(file: &File) -> Result<bool, String> {
    if !file.document.format().converts_to(Format::Glb) || file.document.is_part_of_level() {
        return Ok(false);
    }
    // An empty level has an empty file.
    let options = ConvertOptions::default().with_allow_empty(true);
    let glb = match convert(file.document.clone(), Format::Glb, &NoFiles, &options) {
        Ok(conversion) => conversion.files.main,
        Err(_) if !file.is_sound => return Ok(false),
        Err(error) => return Err(error.to_string()),
    };
    if let Some(path) = &file.glb {
        fs::write(path, glb).map_err(|error| format!("{}: {error}", path.display()))?;
    }
    Ok(true)
}

fn same(bytes: &[u8], document: &AnyDocument) -> Result<bool, String> {
    let written = document.to_bytes().map_err(|error| format!("cannot be written: {error}"))?;
    hexdiff(bytes, &written).map_or(Ok(true), Err)
}
