//! Hostile input: each call returns a value or an error with a position, without a panic, on a small stack.

use crate::support;

use std::thread;
use std::time::Instant;

use mapwright_etf::{
    Document, Edit, Layout, Mode, ReadOptions, Stream, TextOptions, Tree, WriteOptions, WriterProfile,
};
use mapwright_io::{Category, Limits, Space};
use mapwright_testkit::{laws, mutate};
use support::{EVERY_TAG, compressed, every_tag, hex, read, read_lenient};

/// Runs on a stack that is too small for recursion over deep input.
fn on_a_small_stack(run: impl FnOnce() + Send + 'static) {
    thread::Builder::new().stack_size(128 << 10).spawn(run).unwrap().join().unwrap();
}

/// The limit is generous, for slow and busy machines. Quadratic time would take hours.
fn assert_fast(start: Instant) {
    assert!(start.elapsed().as_secs() < 120, "{:?}: the time must be linear", start.elapsed());
}

fn raised() -> ReadOptions {
    ReadOptions::default().with_limits(Limits::default().with_max_depth(u32::MAX))
}

/// A million of `open`, then `middle`, then a million of `close`.
fn nested(levels: usize, open: &str, middle: &str, close: &str) -> Vec<u8> {
    [hex(open).repeat(levels), hex(middle), hex(close).repeat(levels)].concat()
}

#[test]
fn impossible_counts_are_rejected_at_once() {
    for (bytes, offset) in [
        ("83 6c ffffffff 6a", 1),
        ("83 6c 10000000 6a", 1),
        ("83 69 ffffffff", 1),
        ("83 74 ffffffff", 1),
        ("83 74 80000000", 1),
        ("83 6d ffffffff", 1),
        ("83 6f ffffffff 00", 1),
        ("83 4d ffffffff 08", 1),
        ("83 6b ffff 00", 1),
        ("83 68 02 61 05 69 ffffffff 6a", 5),
    ] {
        let error = Document::from_bytes(&hex(bytes)).unwrap_err();
        assert_eq!(
            (error.position().unwrap().offset, error.category()),
            (offset, Category::Truncated),
            "{bytes}: {error}"
        );
    }
}

#[test]
fn tags_that_never_occur_in_files_are_rejected() {
    for tag in [68, 69, 82, 117] {
        let error = Document::from_bytes(&[131, 104, 1, tag, 0, 97, 5]).unwrap_err();
        assert_eq!(error.category(), Category::Malformed);
        assert_eq!(error.to_string(), format!("tag {tag} cannot start a term in a file at offset 3 (0x3) in [0]"));
    }
}

#[test]
fn wrong_declared_sizes_are_rejected() {
    let error = |bytes: &[u8]| Document::from_bytes(bytes).unwrap_err();
    let claims_4g = error(&compressed(&[97, 5], u32::MAX as usize));
    assert_eq!(claims_4g.category(), Category::Limit, "{claims_4g}");
    assert!(claims_4g.help().unwrap().contains("max_decompressed"));
    for declared in [1, 3, 500_000_000] {
        let error = error(&compressed(&[97, 5], declared));
        assert_eq!((error.category(), error.position().unwrap().offset), (Category::Malformed, 6), "{error}");
    }
    // 32 MiB with a declared size of 30 bytes.
    let zeros = [hex("6d 01fffffb"), vec![0; (32 << 20) - 5]].concat();
    let bomb = error(&compressed(&zeros, 30));
    assert_eq!((bomb.category(), bomb.position().unwrap().offset), (Category::Malformed, 6), "{bomb}");
    // The same with the right size, above the limit.
    let options = ReadOptions::default().with_limits(Limits::default().with_max_decompressed(16 << 20));
    let error = Document::from_bytes_with(&compressed(&zeros, 32 << 20), &options).unwrap_err();
    assert_eq!(error.category(), Category::Limit, "{error}");
}

#[test]
fn items_are_limited() {
    let options = ReadOptions::default().with_limits(Limits::default().with_max_items(1000));
    let list = |count: u32| [hex("6c"), count.to_be_bytes().to_vec(), vec![0x6A; count as usize + 1]].concat();
    assert!(Tree::from_bytes_with(&list(999), &options).is_ok());
    let error = Tree::from_bytes_with(&list(1000), &options).unwrap_err();
    assert_eq!(error.category(), Category::Limit);
}

#[test]
fn streams_are_limited() {
    let options = ReadOptions::default().with_limits(Limits::default().with_max_input(10)).with_mode(Mode::Lenient);
    let error = Document::from_reader_with(std::io::repeat(131), &options).unwrap_err();
    assert_eq!((error.category(), error.position().unwrap().offset), (Category::Limit, 10), "{error}");
    assert!(error.help().unwrap().contains("max_input"));
    // Exactly the limit, and with other options.
    let nan = hex("83 46 7ff8000000000000");
    assert!(Document::from_reader(&nan[..]).is_err());
    assert_eq!(Document::from_reader_with(&nan[..], &options).unwrap().to_bytes().unwrap(), nan);
}

#[test]
fn depth_is_limited() {
    for levels in [100_000, 1_000_000] {
        let deep = nested(levels, "6c 00000001", "6a", "6a");
        for stream in [[vec![131], deep.clone()].concat(), compressed(&deep, deep.len())] {
            on_a_small_stack(move || {
                let error = Document::from_bytes(&stream).unwrap_err();
                assert_eq!(error.category(), Category::Limit);
                assert!(error.to_string().contains("nested more than 10000 levels deep"), "{error}");
                let space = if stream[1] == 80 { Space::Inflated } else { Space::File };
                assert_eq!(error.position().unwrap().space, space);
                assert_eq!(error.path().frames().count(), 10_000);
            });
        }
    }
}

/// Every operation on terms a million deep, with a raised limit.
#[test]
fn deep_terms_are_read_printed_compared_copied_and_dropped() {
    const MANY: usize = 100_000;
    for (levels, open, middle, close) in [
        (1_000_000, "6c 00000001", "6a", "6a"),
        (1_000_000, "68 01", "6a", ""),
        (MANY, "69 00000001", "6a", ""),
        // Each list is the tail of the previous one.
        (MANY, "6c 00000001 61 01", "6a", ""),
        (MANY, "6c 00000000", "61 05", ""),
        (MANY, "74 00000001 61 01", "6a", ""),
        (MANY, "74 00000001", "6a", "61 01"),
        // Two keys of a map, one of them deep.
        (MANY, "74 00000002 61 01 6a", "61 02", "6a"),
        (MANY, "68 01 6c 00000001", "6a", "6a"),
    ] {
        let bytes = nested(levels, open, middle, close);
        on_a_small_stack(move || {
            let start = Instant::now();
            let tree = Tree::from_bytes_with(&bytes, &raised()).unwrap();
            assert_eq!(tree.as_bytes(), bytes);
            let root = tree.root();
            assert!(root.descendants().count() > levels);
            assert!(format!("{root:?}").len() < 500);
            assert!(!root.to_text().is_empty());
            let recoded = root.recode(WriterProfile::Otp17).unwrap();
            assert!(recoded.root().same_value(root));
            assert_eq!(WriterProfile::detect(recoded.root()), Some(WriterProfile::Otp17));
            let deepest = root.descendants().last().unwrap();
            assert!(deepest.path().to_string().len() < 2000);
            let mut edit = Edit::new(&tree);
            edit.replace(deepest, &Tree::default());
            drop(edit.apply().unwrap());
            let document = Document::new(tree.clone());
            assert!(document.validate().len() < 10);
            assert_eq!(document.tree(), &tree);
            drop((document, recoded, tree));
            assert_fast(start);
        });
    }
}

#[test]
fn indentation_of_deep_terms_is_limited() {
    on_a_small_stack(|| {
        let tree = Tree::from_bytes_with(&nested(20_000, "68 02 61 01", "6a", ""), &raised()).unwrap();
        let text = tree.root().to_text_with(&TextOptions::default().with_layout(Layout::Indented { width: 80 }));
        // All lines except the last, which closes all brackets.
        let (lines, _) = text.rsplit_once('\n').unwrap();
        assert!(lines.lines().count() > 19_000 && lines.lines().all(|line| line.len() < 200));
    });
}

#[test]
fn truncation_is_detected_at_every_byte() {
    let term = every_tag();
    let plain = [vec![131], term.clone()].concat();
    laws::prefixes(&plain, read, |_, _| false);
    laws::prefixes(&compressed(&term, term.len()), read, |_, _| false);
    for one in EVERY_TAG {
        laws::prefixes(&[vec![131], hex(one)].concat(), read_lenient, |_, _| false);
    }
}

#[test]
fn damage_is_an_error_or_another_term() {
    let term = every_tag();
    let plain = [vec![131], term.clone()].concat();
    let stream = compressed(&term, term.len());
    let mut accepted = 0;
    for sample in [plain, stream] {
        for mutant in mutate::bit_flips(&sample).chain(mutate::byte_flips(&sample)).chain(mutate::numbers(&sample)) {
            for read in [read, read_lenient] {
                if let Some(document) = laws::total(&mutant, read) {
                    accepted += 1;
                    laws::exact("mutant", &mutant, read, Document::to_bytes);
                    let root = document.tree().root();
                    let _ = (root.to_text(), document.validate(), root.recode(WriterProfile::Otp26));
                    assert!(root.same_value(document.tree().clone().root()));
                }
            }
        }
    }
    assert!(accepted > 1000, "{accepted}");
}

#[test]
fn random_damage_is_survived() {
    let seeds: Vec<Vec<u8>> = EVERY_TAG.iter().map(|term| [vec![131], hex(term)].concat()).collect();
    let whole = [vec![131], every_tag()].concat();
    for (seed, mutant) in mutate::random(&whole, &seeds, 1).take(20_000).enumerate() {
        if let Some(document) = laws::total(&mutant, read_lenient) {
            let written = document.to_bytes().unwrap();
            assert_eq!(written, mutant, "mutant {seed}");
        }
    }
}

/// Ten thousand nested LISTs without elements. Resolving each of them separately would be quadratic.
#[test]
fn chains_of_empty_lists_take_linear_time() {
    let chain = nested(9_000, "6c 00000000", "61 05", "");
    let many = [hex("69 000000c8"), chain.repeat(200)].concat();
    let start = Instant::now();
    let tree = Tree::from_bytes(&many).unwrap();
    assert_eq!(WriterProfile::detect(tree.root()), None);
    assert_eq!(tree.root().recode(WriterProfile::Otp17).unwrap().to_string(), format!("{{5{}}}", ",5".repeat(199)));
    let document = Document::new(tree);
    assert_eq!(document.validate().len(), 1);
    assert_fast(start);
}

/// A map of many keys with a long common prefix, one of them repeated. Sorting must not compare more than necessary.
#[test]
fn long_keys_are_compared_in_bounded_time() {
    let key = |number: u32| {
        [hex("6c 00000101"), vec![0x6A; 256], vec![0x62], number.to_be_bytes().to_vec(), hex("6a")].concat()
    };
    let map = |numbers: &[u32]| {
        let count = u32::try_from(numbers.len()).unwrap().to_be_bytes().to_vec();
        let pairs: Vec<u8> = numbers.iter().flat_map(|&number| [key(number), hex("6a")].concat()).collect();
        [hex("74"), count, pairs].concat()
    };
    let mut numbers: Vec<u32> = (0..3_000).map(|number: u32| number.wrapping_mul(2_654_435_761)).collect();
    let start = Instant::now();
    assert!(Tree::from_bytes(&map(&numbers)).is_ok());
    numbers.push(numbers[7]);
    let error = Tree::from_bytes(&map(&numbers)).unwrap_err();
    assert_eq!(error.to_string().split(" at ").next(), Some("map contains the same key twice"));
    assert_eq!(error.path().to_string(), "[3000].key");
    assert_fast(start);
}

#[test]
fn a_huge_integer_is_printed_fast() {
    let big = [hex("6f 00100000 00"), vec![0xFF; 1 << 20]].concat();
    let tree = Tree::from_bytes(&big).unwrap();
    let start = Instant::now();
    assert_eq!(tree.to_string(), format!("16#{}", "F".repeat(2 << 20)));
    assert!(tree.root().as_integer().unwrap().to_i64().is_none());
    assert_fast(start);
}

#[test]
fn any_term_can_be_compressed_again() {
    for term in EVERY_TAG {
        let document = read(&compressed(&hex(term), hex(term).len())).unwrap();
        let renewed = document.to_bytes_with(&WriteOptions::default().with_stream(Stream::Renew)).unwrap();
        assert_eq!(read(&renewed).unwrap().tree(), document.tree());
    }
}
