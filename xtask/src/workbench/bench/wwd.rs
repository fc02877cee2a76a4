//! Reading levels against only inflating their blocks with the same backend, and writing them against copying the bytes.

use std::hint::black_box;

use flate2::{Decompress, FlushDecompress};
use mapwright_testkit::{corpus, files_below, fixtures};
use mapwright_wwd::{Checksum, Document, WriterProfile};

use super::{race, ratio, speed, timed};

/// A compressed level.
struct Level {
    file: Vec<u8>,
    document: Document,
    main: Vec<u8>,
}

pub(super) fn bench() -> Result<(), String> {
    let (folder, name) = match corpus("wwd") {
        Some(folder) => (folder, "all compressed levels of the corpus"),
        None => (fixtures("wwd"), "the fixtures"),
    };
    let levels: Vec<Level> = files_below(&folder).iter().filter_map(|path| level(&std::fs::read(path).ok()?)).collect();
    let inflated: usize = levels.iter().map(|level| level.main.len()).sum();
    let stored: usize = levels.iter().map(|level| level.file.len()).sum();
    if levels.is_empty() {
        return Err(format!("no level below {}", folder.display()));
    }
    println!(
        "{name}: {} files of {stored} bytes, {inflated} bytes inflated. Megabytes of main block per second; the factor is how many \
         times as long.\n",
        levels.len()
    );
    println!("| | | beside | factor |\n|---|---|---|---|");
    let [alone, read] = race([
        &mut timed(|| levels.iter().map(|level| black_box(inflate(level)).len()).sum::<usize>()),
        &mut timed(|| levels.iter().filter(|level| black_box(Document::from_bytes(&level.file)).is_ok()).count()),
    ]);
    row("read, beside inflating alone", inflated, read, alone);
    let [alone, read] = race([
        &mut timed(|| levels.iter().map(inflate).collect::<Vec<_>>()),
        &mut timed(|| levels.iter().map(|level| Document::from_bytes(&level.file)).collect::<Vec<_>>()),
    ]);
    row("read and keep all, beside inflating and keeping all", inflated, read, alone);
    let [alone, looked] = race([
        &mut timed(|| levels.iter().map(|level| black_box(inflate(level)).len()).sum::<usize>()),
        &mut timed(|| levels.iter().map(|level| black_box(look_at_objects(&level.file))).sum::<usize>()),
    ]);
    row("read and look at every object, beside inflating alone", inflated, looked, alone);
    let [alone, copied] = race([
        &mut timed(|| levels.iter().map(|level| black_box(inflate(level)).len()).sum::<usize>()),
        &mut timed(|| levels.iter().map(|level| copied(&inflate(level))).sum::<usize>()),
    ]);
    row("inflate and copy once, beside inflating alone", inflated, copied, alone);
    let [copy, write] = race([
        &mut timed(|| levels.iter().map(|level| black_box(level.main.clone()).len()).sum::<usize>()),
        &mut timed(|| levels.iter().filter(|level| black_box(level.document.to_bytes()).is_ok()).count()),
    ]);
    row("write untouched, beside copying the main block", inflated, write, copy);
    let sum = |level: &Level| {
        let block = level.document.stored_block().unwrap_or_default();
        Checksum::Editor.compute(block, &level.main, true)
    };
    let [summed] = race([&mut timed(|| levels.iter().map(sum).fold(0_u32, u32::wrapping_add))]);
    println!("| compare the stored block with its checksum | {} | | |", speed(inflated, summed));
    for (profile, title) in
        [(WriterProfile::Editor, "store anew as the original editor"), (WriterProfile::WapMap, "store anew as WapMap")]
    {
        let [anew] = race([&mut timed(|| {
            levels.iter().take(8).map(|level| level.document.clone().store(profile).is_ok()).collect::<Vec<_>>()
        })]);
        let bytes = levels.iter().take(8).map(|level| level.main.len()).sum();
        println!("| {title} | {} | | |", speed(bytes, anew));
    }
    Ok(())
}

/// Counts the objects that are not at the origin, which reads each of them.
fn look_at_objects(file: &[u8]) -> usize {
    let document = Document::from_bytes(file).unwrap_or_default();
    document.planes.iter().flat_map(|plane| &plane.objects).filter(|object| (object.x, object.y) != (0, 0)).count()
}

fn copied(bytes: &[u8]) -> usize {
    black_box(black_box(bytes).to_vec()).len()
}

fn row(title: &str, bytes: usize, ours: std::time::Duration, beside: std::time::Duration) {
    println!("| {title} | {} | {} | {} |", speed(bytes, ours), speed(bytes, beside), ratio(ours, beside));
}

fn level(file: &[u8]) -> Option<Level> {
    let document = Document::from_bytes(file).ok()?;
    let main = document.to_main_block().ok()?;
    document.header.flags.has(mapwright_wwd::HeaderFlags::COMPRESS).then(|| Level {
        file: file.to_vec(),
        document,
        main,
    })
}

fn inflate(level: &Level) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(level.main.len());
    let stream = level.file.get(1524..).unwrap_or_default();
    // The streams were inflated before.
    let _ = Decompress::new(true).decompress_vec(stream, &mut bytes, FlushDecompress::Finish);
    bytes
}
