//! Times of the command: its start, `info` of a folder, and the steps of converting large files.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};
use std::{env, fs};

use mapwright::{AnyDocument, ConvertOptions, Format, Input, ReadOptions, SaveOptions, convert, detect, save};
use mapwright_scene::NoFiles;
use mapwright_testkit::{corpus, files_below, workspace};

use super::{dmx, race, timed, timed_with, wrp};

/// The number of measured starts.
const STARTS: usize = 30;

pub(super) fn bench() -> Result<(), String> {
    let command = built()?;
    let mut starts = (0..STARTS).map(|_| run(&command, &["--version"])).collect::<Result<Vec<_>, _>>()?;
    starts.sort();
    println!("| | ms |\n|---|---|");
    println!("| start, median of {STARTS} (`--version`) | {} |", ms(starts[STARTS / 2]));
    if let Some(folder) = corpus("").filter(|folder| folder.is_dir()) {
        let (files, reading) = (files_below(&folder), ReadOptions::default());
        let document = |file: &PathBuf| {
            let input = Input::open(file, None, &reading).ok()?;
            AnyDocument::from_vec_as(input.bytes, input.format, &reading).ok()
        };
        let [read, parse, info] = race([
            &mut timed(|| files.iter().filter_map(|file| fs::read(file).ok()).map(|bytes| bytes.len()).sum::<usize>()),
            &mut timed(|| files.iter().filter_map(document).count()),
            &mut || run(&command, &["info", &folder.display().to_string()]).unwrap_or(Duration::MAX),
        ]);
        println!("| read the {} files of the corpus | {} |", files.len(), ms(read));
        println!("| parse these files | {} |", ms(parse));
        println!("| run `info` on them | {} |", ms(info));
    }
    let folder = env::current_exe().map_err(|error| error.to_string())?.with_file_name("bench-command");
    fs::create_dir_all(&folder).map_err(|error| format!("{}: {error}", folder.display()))?;
    let (_, map) = dmx::sample()?;
    let map = map.to_bytes().map_err(|error| error.to_string())?;
    steps(&command, &folder, &map, Format::Glb)?;
    let terrain = wrp::eight(wrp::OBJECTS).to_bytes().map_err(|error| error.to_string())?;
    steps(&command, &folder, &terrain, Format::Tif)?;
    fs::remove_dir_all(&folder).map_err(|error| format!("{}: {error}", folder.display()))
}

/// Compares a conversion with its steps, and prints the share of each step.
fn steps(command: &Path, folder: &Path, bytes: &[u8], to: Format) -> Result<(), String> {
    let from = detect(bytes, None).format.ok_or("the sample has an unknown format")?;
    let failed = |error: &dyn std::fmt::Display| error.to_string();
    let source = folder.join(format!("large.{from}"));
    let target = folder.join(format!("large.{to}"));
    fs::write(&source, bytes).map_err(|error| failed(&error))?;
    let paths = [&source, &target].map(|path| path.display().to_string());
    let whole = || run(command, &["convert", "--force", "--quiet", &paths[0], &paths[1]]);
    let (reading, converting) = (ReadOptions::default(), ConvertOptions::default());
    let document = AnyDocument::from_bytes_as(bytes, from, &reading).map_err(|error| failed(&error))?;
    let made = convert(document.clone(), to, &NoFiles, &converting).map_err(|error| failed(&error))?.files.main;
    let overwrite = SaveOptions::default().with_overwrite(true);
    whole()?;
    let [whole, read, parse, scene, all, saved] = race([
        &mut || whole().unwrap_or(Duration::MAX),
        &mut timed(|| fs::read(&source)),
        &mut timed_with(
            || fs::read(&source).unwrap_or_default(),
            |bytes| AnyDocument::from_vec_as(bytes, from, &reading),
        ),
        &mut timed(|| document.to_scene()),
        &mut timed_with(|| document.clone(), |document| convert(document, to, &NoFiles, &converting)),
        &mut timed(|| save(&target, &made, overwrite)),
    ]);
    println!("\n`convert` of {} MB `.{from}` into {} MB `.{to}`:\n", bytes.len() / 1_000_000, made.len() / 1_000_000);
    println!("| | ms | share of the steps |\n|---|---|---|");
    let steps = [
        ("read the file", read),
        ("parse it", parse),
        ("convert it to a scene", scene),
        ("write the scene", all.saturating_sub(scene)),
        ("save it", saved),
    ];
    let sum: Duration = steps.iter().map(|(_, time)| *time).sum();
    println!("| the whole command | {} | |", ms(whole));
    for (what, time) in steps {
        println!("| {what} | {} | {:.0} % |", ms(time), 100.0 * time.as_secs_f64() / sum.as_secs_f64());
    }
    Ok(())
}

/// Builds the command with the release profile.
fn built() -> Result<PathBuf, String> {
    let cargo = env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let args = ["build", "--quiet", "--release", "--package", "mapwright-cli"];
    let status = Command::new(cargo).args(args).current_dir(workspace()).status();
    let path = env::current_exe().map_err(|error| error.to_string())?;
    let path = path.with_file_name(format!("mapwright{}", env::consts::EXE_SUFFIX));
    match status {
        Ok(status) if status.success() && path.is_file() => Ok(path),
        _ => Err("the command cannot be built: cargo build --release --package mapwright-cli".to_owned()),
    }
}

/// Measures the time of the command, ignoring its output.
fn run(command: &Path, args: &[&str]) -> Result<Duration, String> {
    let start = Instant::now();
    let status = Command::new(command).args(args).stdout(Stdio::null()).stderr(Stdio::null()).status();
    let status = status.map_err(|error| format!("{}: {error}", command.display()))?;
    // Some files of the corpus must be rejected, so `info` fails.
    if status.success() || args.first() == Some(&"info") {
        return Ok(start.elapsed());
    }
    Err(format!("{} {} failed ({status})", command.display(), args.join(" ")))
}

fn ms(time: Duration) -> String {
    format!("{:.1}", time.as_secs_f64() * 1e3)
}
