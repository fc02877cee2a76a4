//! Hostile files give an error or an archive, in bounded memory. There is only one test because it measures the heap.

#[path = "all/support.rs"]
mod support;

use mapwright_rez::diff::Diff;
use mapwright_rez::io::{Category, Limits};
use mapwright_rez::{Document, FileType, Layout, ReadError, ReadOptions, WriteOptions};
use mapwright_testkit::{PeakAlloc, allowed_memory, mutate, peak_of};
use support::{archive, directory, file, levels, to_u32, words};

#[global_allocator]
static HEAP: PeakAlloc = PeakAlloc;

fn survives(what: &str, bytes: &[u8]) -> Result<Document, ReadError> {
    let input = (bytes, allowed_memory(bytes.len()));
    let validate = |document: &Document| document.validate().len();
    let offset = |error: &ReadError| error.position().map(|at| at.offset);
    let result =
        mapwright_testkit::survives(&HEAP, what, input, Document::from_bytes, Document::to_bytes, validate, offset);
    if let Ok(document) = &result {
        let (packed, peak) =
            peak_of(&HEAP, || document.to_bytes_with(&WriteOptions::default().with_layout(Layout::Monolith)));
        assert!(peak <= input.1, "{what}: {peak} bytes at the peak of packing");
        assert!(packed.is_ok() == document.damage().next().is_none(), "{what}: damage must not be lost");
        assert!(Diff::between(document, document).is_empty(), "{what}: differs from itself");
    }
    result
}

#[test]
fn hostile_files() {
    damaged();
    dense();
    shared();
    limited();
    borrowed();
}

/// Flips every byte, replaces every number by unusual ones, and tries every prefix.
fn damaged() {
    let file = levels().to_bytes().unwrap();
    let numbers = (0..file.len()).flat_map(|at| mutate::number_at(&file, at, 4, false));
    for mutant in mutate::byte_flips(&file).chain(numbers) {
        let _ = survives("a damaged archive", &mutant);
    }
    for prefix in mutate::prefixes(&file) {
        let _ = survives("a beginning", prefix);
    }
}

fn root(entries: &[u8]) -> Vec<u8> {
    archive([168, to_u32(entries.len())], entries)
}

/// Archives with the largest number of items per byte.
fn dense() {
    const COUNT: usize = (1 << 20) + 1;
    let read = |what: &str, entry: &[u8]| {
        let document = survives(what, &root(&entry.repeat(COUNT))).expect(what);
        assert_eq!(document.root().entries().len(), COUNT, "{what}");
    };
    read("empty directories", &directory(0, 0, ""));
    read("directories outside", &directory(0, 1, ""));
    read("directories that are the root", &directory(168, 1 << 20, ""));
    read("empty files", &file(0, 0, "", 0));
    read("files outside", &file(4, 9, "", 0));
    read("files that are everything", &file(168, 1 << 24, "", FileType::PID.0));
    let keys = [words(&[0, 0, 0, 0, 0, 0, 3]), vec![0, 0], words(&[1, 2, 3])].concat();
    read("keys", &keys);
    // Deep directories with long names: paths of findings are long, too.
    let name = "N".repeat(40_000);
    let mut body = Vec::new();
    let mut entry = [file(4, 9, "OUT", 0), file(168, 1, "X", 0)].concat().repeat(50);
    for _ in 0..70 {
        let at = 168 + body.len();
        body.extend(&entry);
        entry = directory(at, entry.len(), &name);
    }
    let at = 168 + body.len();
    let size = entry.len();
    body.extend(entry);
    let document = survives("deep", &archive([to_u32(at), to_u32(size)], &body)).expect("deep");
    assert_eq!(document.overview().depth, 64);
}

/// Many files share the same bytes: packing must not multiply them.
fn shared() {
    let entries = file(168, 1 << 20, "A", 0).repeat(30_000);
    let mut body = vec![7; 1 << 20];
    let at = 168 + body.len();
    body.extend(&entries);
    let bytes = archive([to_u32(at), to_u32(entries.len())], &body);
    let document = survives("shared payloads", &bytes).expect("an archive");
    let packed = document.to_bytes_with(&WriteOptions::default().with_layout(Layout::Compact)).unwrap();
    assert_eq!(packed.len(), bytes.len());
}

fn limited() {
    let bytes = levels().to_bytes().unwrap();
    let limits = Limits::default();
    for limits in [limits.clone().with_max_items(11), limits.clone().with_max_input(100), limits.with_max_depth(1)] {
        let options = ReadOptions::default().with_limits(limits);
        let error = Document::from_reader_with(&bytes[..], &options).expect_err("a limit");
        assert_eq!(error.category(), Category::Limit, "{error}");
    }
}

/// Reading from owned or shared bytes takes memory for the directories only.
fn borrowed() {
    let mut document = levels();
    document.add("LARGE.WAV", vec![1; 64 << 20], None).unwrap();
    let bytes = document.to_bytes().unwrap();
    let (document, peak) = peak_of(&HEAP, || Document::from_vec(bytes).unwrap());
    assert!(peak < 16 << 10, "{peak} bytes");
    assert_eq!(document.find_file("large.wav").unwrap().data().unwrap().len(), 64 << 20);
    let (copy, peak) = peak_of(&HEAP, || document.clone());
    assert!(peak < 16 << 10, "{peak} bytes");
    assert!(copy.find("LARGE.WAV").is_some());
}
