//! Hostile files give an error or a document, in bounded memory. There is only one test because it measures the heap.

#[path = "all/support.rs"]
mod support;

use mapwright_testkit::{PeakAlloc, allowed_memory, mutate, peak_of, survives};
use mapwright_wapart::io::Limits;
use mapwright_wapart::{Game, Image, ReadError, ReadOptions, ani, pcx, pid};
use support::{ani_file, palette_bytes, pcx_file, pid_file};

#[global_allocator]
static HEAP: PeakAlloc = PeakAlloc;

/// Returns the allowed memory for a file of this many pixels. A byte unpacks to at most 127 pixels.
fn allowed(bytes: &[u8], pixels: u64) -> usize {
    let most = bytes.len().saturating_mul(127);
    allowed_memory(bytes.len() + usize::try_from(pixels).map_or(most, |pixels| pixels.min(most)))
}

fn offset(error: &ReadError) -> Option<u64> {
    error.position().map(|at| at.offset)
}

fn word(bytes: &[u8], at: usize) -> u64 {
    bytes.get(at..at + 4).map_or(0, |word| u32::from_le_bytes(word.try_into().expect("a word")).into())
}

fn survives_pid(what: &str, bytes: &[u8]) -> Result<pid::Document, ReadError> {
    let allowed = allowed(bytes, word(bytes, 8).saturating_mul(word(bytes, 12)));
    let validate = |image: &pid::Document| image.validate().len();
    let read =
        survives(&HEAP, what, (bytes, allowed), pid::Document::from_bytes, pid::Document::to_bytes, validate, offset);
    if let Ok(image) = &read {
        let image = Image::from(image.clone());
        let (_, peak) = peak_of(&HEAP, || image.to_rgba(Game::Gruntz, None));
        assert!(peak <= allowed, "{what}: {peak} bytes for colours");
    }
    read
}

fn survives_pcx(what: &str, bytes: &[u8]) -> Result<pcx::Document, ReadError> {
    let validate = |image: &pcx::Document| image.validate().len();
    let input = (bytes, allowed(bytes, u64::MAX));
    survives(&HEAP, what, input, pcx::Document::from_bytes, pcx::Document::to_bytes, validate, offset)
}

fn survives_ani(what: &str, bytes: &[u8]) -> Result<ani::Document, ReadError> {
    let validate = |animation: &ani::Document| animation.validate().len();
    let input = (bytes, allowed_memory(bytes.len()));
    survives(&HEAP, what, input, ani::Document::from_bytes, ani::Document::to_bytes, validate, offset)
}

#[test]
fn hostile_files() {
    damaged();
    bombs();
    endless_lists();
    limited();
}

/// Every byte flipped, every number replaced by unusual ones.
fn damaged() {
    let packed = [pid_file(1, [3, 2], [0; 2], &[0xC4, 200, 1, 2]), palette_bytes()].concat();
    let skips = pid_file(0x165, [3, 2], [0; 2], &[2, 200, 201, 128 + 4]);
    for file in [packed, skips] {
        for mutant in mutate::byte_flips(&file).chain(mutate::numbers(&file)) {
            let _ = survives_pid("a damaged PID", &mutant);
        }
    }
    for planes in [1, 3] {
        let file = [pcx_file([3, 2], planes, 4, 1, &[0xD8, 7]), vec![12], palette_bytes()].concat();
        for mutant in mutate::byte_flips(&file).chain(mutate::numbers(&file[..140])) {
            let _ = survives_pcx("a damaged PCX", &mutant);
        }
    }
    let file = ani_file(b"NAME", [2, 3, 0, 0, 7, 100, 0, 0, 0, 0], b"A B\0");
    for mutant in mutate::byte_flips(&file).chain(mutate::numbers(&file)) {
        let _ = survives_ani("a damaged ANI", &mutant);
    }
}

/// The most pixels per byte, and runs without pixels.
fn bombs() {
    let side = 4096;
    let runs = usize::try_from(side * side).expect("it is small").div_ceil(127);
    survives_pid("skips of 2^24 pixels", &pid_file(0x20, [side, side], [0; 2], &vec![0xFF; runs])).expect("an image");
    let runs = usize::try_from(side * side).expect("it is small").div_ceil(63);
    survives_pid("runs of 2^24 pixels", &pid_file(0, [side, side], [0; 2], &[0xFF, 7].repeat(runs))).expect("an image");
    survives_pid("too many pixels", &pid_file(0x20, [side, side + 1], [0; 2], &vec![0xFF; 200_000]))
        .expect_err("a limit");
    survives_pid("too few runs", &pid_file(0x20, [side, side], [0; 2], &vec![0xFF; 132_000])).expect_err("an end");
    let empty = [vec![0xC0; 2_000_000], vec![0xC1, 5]].concat();
    let image = survives_pid("runs without pixels", &pid_file(0, [1, 1], [0; 2], &empty)).expect("an image");
    assert_eq!((image.count_runs().empty, &*image.indices), (1_000_000, &[5][..]));
    let empty = [vec![0x80; 2_000_000], vec![0x81]].concat();
    survives_pid("skips without pixels", &pid_file(0x20, [1, 1], [0; 2], &empty)).expect("an image");
    let runs = [0xFF, 7].repeat(usize::from(u16::MAX) * 200 / 63 + 1);
    survives_pcx("rows that are mostly padding", &pcx_file([1, 200], 1, u16::MAX, 1, &runs)).expect("an image");
}

/// Many short items.
fn endless_lists() {
    let mut file = ani_file(b"", [2, 0, 0, 0, 0, 0, 0, 0, 0, 0], b"A\0");
    let record = file.split_off(32);
    for (count, what) in [(100_000_usize, "many records"), (100_001, "more records than there are")] {
        file.truncate(32);
        file[12..16].copy_from_slice(&u32::try_from(count).expect("it is small").to_le_bytes());
        file.extend(record.repeat(100_000));
        assert_eq!(survives_ani(what, &file).is_ok(), count == 100_000, "{what}");
    }
    let long = ani_file(&[b'A'; 1_000_000], [2, 0, 0, 0, 0, 0, 0, 0, 0, 0], &[&[b'B'; 1_000_000][..], b"\0"].concat());
    survives_ani("long texts", &long).expect("an animation");
}

fn limited() {
    let options = ReadOptions::default().with_limits(Limits::default().with_max_items(1));
    let animation = ani::Document { records: vec![ani::Record::default(); 2], ..ani::Document::default() };
    let error = ani::Document::from_bytes_with(&animation.to_bytes().expect("an animation"), &options);
    assert_eq!(error.expect_err("a limit").category().name(), "limit");
    let options = ReadOptions::default().with_limits(Limits::default().with_max_input(40));
    let file = pcx_file([2, 1], 1, 2, 1, &[0xC2, 5]);
    let error = pcx::Document::from_reader_with(&file[..], &options);
    assert_eq!(error.expect_err("a limit").category().name(), "limit");
}
