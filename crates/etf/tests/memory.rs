//! Peak memory, whatever the input declares. There is only one test because the counter covers the whole process.

#[path = "all/support.rs"]
mod support;

use mapwright_etf::{Document, ReadError, ReadOptions};
use mapwright_io::{Limits, Space};
use mapwright_testkit::{PeakAlloc, allowed_memory, peak_of, survives};
use support::{compressed, hex};

#[global_allocator]
static HEAP: PeakAlloc = PeakAlloc;

fn list(count: usize, element: impl Fn(usize) -> Vec<u8>) -> Vec<u8> {
    let mut bytes = [hex("6c"), u32::try_from(count).unwrap().to_be_bytes().to_vec()].concat();
    for index in 0..count {
        bytes.extend(element(index));
    }
    bytes.push(0x6A);
    bytes
}

/// Returns a map of `count` keys.
fn map(count: usize, key: impl Fn(usize) -> Vec<u8>) -> Vec<u8> {
    let mut bytes = [hex("74"), u32::try_from(count).unwrap().to_be_bytes().to_vec()].concat();
    for index in 0..count {
        bytes.extend(key(index));
        bytes.push(0x6A);
    }
    bytes
}

#[test]
fn memory_stays_a_small_multiple_of_the_input() {
    // Just above a power of two: the worst case of a growing list.
    const M: usize = (1 << 18) + 1;
    let number = |index: usize| u32::try_from(index).unwrap().to_be_bytes();
    let terms: Vec<(&str, Vec<u8>)> = vec![
        ("empty lists", list(8 * M, |_| vec![0x6A])),
        ("empty tuples", list(8 * M, |_| vec![0x68, 0])),
        ("tuples of one", list(4 * M, |_| hex("68 01 6a"))),
        ("tuples in tuples", list(200, |_| [hex("68 01").repeat(9_990), hex("6a")].concat())),
        ("deep, over the limit", [hex("68 01").repeat(M), hex("6a")].concat()),
        ("atoms", list(M, |index| [hex("77 04"), number(index % 100).to_vec()].concat())),
        ("small maps", list(M, |_| hex("74 00000002 61 01 6a 61 02 6a"))),
        ("small maps with tuples as keys", list(M, |_| hex("74 00000002 68 01 6a 6a 6a 6a"))),
        ("a map of many keys", map(M, |index| [hex("62"), number(index).to_vec()].concat())),
        ("a map of many equal keys", map(M, |_| hex("68 01 6a"))),
        ("a map of many short equal keys", map(M, |_| vec![0x6A])),
        (
            "maps in maps as keys",
            [hex("74 00000002 61 01 6a").repeat(9_990), hex("61 02"), hex("6a").repeat(9_990)].concat(),
        ),
        ("an integer of a million bytes", [hex("6f 00100000 00"), vec![0xFF; 1 << 20]].concat()),
        ("strings", list(300, |_| [hex("6b ffff"), vec![0; 65_535]].concat())),
        ("a binary of 32 MiB", [hex("6d 02000000"), vec![0; 32 << 20]].concat()),
    ];
    let check = |name: &str, stream: &[u8], inflated: usize, options: &ReadOptions| {
        let input = (stream, allowed_memory(stream.len() + inflated));
        let read = |bytes: &[u8]| Document::from_bytes_with(bytes, options);
        let validate = |document: &Document| document.validate().len();
        // A valid offset in the inflated data counts as the start of the file.
        let offset = |error: &ReadError| {
            error.position().map(|at| match at.space {
                Space::Inflated if at.offset <= inflated as u64 => 0,
                _ => at.offset,
            })
        };
        let _ = survives(&HEAP, name, input, read, Document::to_bytes, validate, offset);
    };
    let raised = ReadOptions::default().with_limits(Limits::default().with_max_depth(u32::MAX));
    for (name, term) in &terms {
        for options in [ReadOptions::default(), support::lenient(), raised.clone()] {
            check(name, &[&[131], term.as_slice()].concat(), 0, &options);
        }
        let mut stream = compressed(term, term.len());
        check(name, &stream, term.len(), &ReadOptions::default());
        // Bytes that are inflated in vain count; declared bytes do not.
        for (claim, inflated) in [(30_u32, 31), (1 << 30, term.len()), (u32::MAX, 0)] {
            stream[2..6].copy_from_slice(&claim.to_be_bytes());
            check(name, &stream, inflated, &ReadOptions::default());
        }
    }
    for claim in ["83 6c ffffffff 6a", "83 69 ffffffff", "83 74 ffffffff", "83 6d ffffffff", "83 6f ffffffff 00"] {
        let (_, peak) = peak_of(&HEAP, || Document::from_bytes(&hex(claim)).map(drop));
        assert!(peak < 4096, "{claim}: {peak} bytes");
    }
}
