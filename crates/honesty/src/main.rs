//! `cargo xtask corpus --honest`: converts every file to every target, and compares the scene that arrives with that of the file.

use std::collections::BTreeMap;
use std::path::Path;
use std::process::ExitCode;
use std::time::Instant;
use std::{env, fs};

use mapwright::{AnyDocument, Format, ReadOptions, detect};
use mapwright_honesty::check;
use mapwright_testkit::files_below;

/// Larger files are skipped: their scenes need gigabytes.
const MAX_FILE: usize = 3 << 20;

/// A kind of difference that no loss covers.
struct Fault {
    count: usize,
    files: usize,
    example: String,
}

fn main() -> ExitCode {
    let args: Vec<String> = env::args().skip(1).collect();
    match run(&args) {
        Ok(()) => ExitCode::SUCCESS,
        Err(message) => {
            eprintln!("error: {message}");
            ExitCode::FAILURE
        }
    }
}

fn run(args: &[String]) -> Result<(), String> {
    let targets: Vec<Format> = Format::ALL.iter().copied().filter(|to| to.access().export).collect();
    let (targets, folders) = match args {
        [flag, name, rest @ ..] if flag == "--to" => {
            (vec![Format::from_name(name).ok_or_else(|| format!("unknown format {name}"))?], rest)
        }
        _ => (targets, args),
    };
    if folders.is_empty() || folders.iter().any(|arg| arg.starts_with('-')) {
        return Err("usage: cargo xtask corpus --honest [--to FORMAT] DIR...".to_owned());
    }
    let scratch = std::env::temp_dir().join(format!("mapwright-honest-{}", std::process::id()));
    let mut faults = BTreeMap::<String, Fault>::new();
    let (mut files, mut pairs, mut refused, mut partial, mut reported) = (0, 0, 0, 0, 0_usize);
    let start = Instant::now();
    for path in folders.iter().flat_map(|arg| files_below(Path::new(arg))) {
        let bytes = fs::read(&path).map_err(|error| format!("{}: {error}", path.display()))?;
        let Some(from) = detect(&bytes, Some(&path)).format.filter(|format| format.access().import) else { continue };
        if bytes.len() > MAX_FILE {
            println!("SKIPPED {}: {} bytes, more than {MAX_FILE}", path.display(), bytes.len());
            continue;
        }
        let reading = ReadOptions::default().with_path(&path);
        // Other commands check files that cannot be read.
        let Ok(document) = AnyDocument::from_vec_as(bytes, from, &reading) else { continue };
        files += 1;
        for &to in &targets {
            fs::create_dir_all(&scratch).map_err(|error| error.to_string())?;
            let began = Instant::now();
            match check(&document, to, &scratch) {
                Ok(result) => {
                    pairs += 1;
                    partial += usize::from(!result.is_complete);
                    reported += result.differences.len() - result.unreported.len();
                    let mut is_new = BTreeMap::new();
                    for difference in result.unreported.into_iter().take(10_000) {
                        let key = format!("{from} → {to}: {}", difference.kind);
                        let example = || format!("{}: {}: {}", path.display(), difference.path, difference.text);
                        let fault = faults.entry(key.clone());
                        let fault = fault.or_insert_with(|| Fault { count: 0, files: 0, example: example() });
                        fault.count += 1;
                        fault.files += usize::from(is_new.insert(key, ()).is_none());
                    }
                }
                Err(_) => refused += 1,
            }
            if began.elapsed().as_secs() > 5 {
                println!("SLOW {} → {to}: {:.1?}", path.display(), began.elapsed());
            }
            fs::remove_dir_all(&scratch).map_err(|error| error.to_string())?;
        }
    }
    let mut sorted: Vec<_> = faults.iter().collect();
    sorted.sort_by_key(|(_, fault)| std::cmp::Reverse(fault.files));
    for (kind, fault) in sorted {
        println!("UNREPORTED {kind}: {} in {} files, such as {}", fault.count, fault.files, fault.example);
    }
    let unreported: usize = faults.values().map(|fault| fault.count).sum();
    println!(
        "{files} files, {pairs} pairs of file and target, {refused} refused conversions, {partial} compared in part"
    );
    println!("{reported} reported differences, {unreported} unreported, {:.0?}", start.elapsed());
    match (unreported, pairs) {
        (0, 1..) => Ok(()),
        (0, _) => Err("no file could be converted".to_owned()),
        _ => Err(format!("{unreported} differences are not reported, see above")),
    }
}
