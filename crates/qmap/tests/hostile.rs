//! Peak memory of hostile texts. There is only one test because the counter covers the whole process.

use mapwright_qmap::io::ErrorKind as _;
use mapwright_qmap::{Document, ReadError, ReadOptions};
use mapwright_testkit::{PeakAlloc, allowed_memory, survives};

#[global_allocator]
static HEAP: PeakAlloc = PeakAlloc;

#[test]
fn memory_stays_a_small_multiple_of_the_text() {
    // Just above a power of two: the worst case of a growing list.
    const M: usize = (1 << 20) + 1;
    let within =
        |start: &str, item: &str, end: &str| [start.as_bytes(), &item.as_bytes().repeat(M), end.as_bytes()].concat();
    let cases: Vec<(&str, Vec<u8>)> = vec![
        ("entities", within("", "{}", "")),
        ("entities at the limit", b"{}".repeat(1 << 20)),
        ("keys", within("{", "\"\"\"\"", "}")),
        ("bare keys", within("{", "a b ", "}")),
        ("brushes", within("{", "{}", "}")),
        ("brushes without an end", within("{", "{", "")),
        ("fragments", within("", "{(0 0 0)(0 0 0)(0 0 0)a 0 0 0 0 0}", "")),
        ("distinct keys", {
            let mut text = b"{".to_vec();
            (0..M / 4).for_each(|number| text.extend_from_slice(format!("{number:x} a\n").as_bytes()));
            [text, b"}".to_vec()].concat()
        }),
        ("faces", within("{{", "(0 0 0)(0 0 0)(0 0 0)a 0 0 0 0 0\n", "}}")),
        ("words of a face", within("{{(0 0 0)(0 0 0)(0 0 0)a 0 0 0 0 0", " 0", "}}")),
        ("keys of a brush", within("{{", "\"\"\"\"", "}}")),
        ("comments", within("", "//\n", "")),
        ("comments in a face", within("{{(0 0 0)(0 0 0)", "//\n", "(0 0 0)a 0 0 0 0 0}}")),
        ("spaces in a point", within("{{(0 ", " ", "0 0)(0 0 0)(0 0 0)a 0 0 0 0 0}}")),
        ("parentheses", within("{{", "(", "}}")),
        ("backslashes", within("{\"a\"\"", "\\\"", "\"}")),
        ("quotes", b"\"".repeat(2 * M)),
        ("a number", within("{{(", "1", " 0 0)")),
        ("blocks", within("{{mesh{", "{}", "}}}")),
        ("other primitives", within("{", "{a{}}", "}")),
        ("small patches", within("{", "{patchDef2{a(0 0 0 0 0)()}}", "}")),
    ];
    for (name, bytes) in &cases {
        let options = ReadOptions::default().with_max_text(usize::MAX);
        let read = |bytes: &[u8]| Document::from_bytes_with(bytes, &options);
        let visit = |map: &Document| {
            let _ = (map.editor_tree(), map.radiant_layers());
            map.validate().len()
        };
        let offset = |error: &ReadError| {
            let _ = error.kind().help();
            error.position().map(|at| at.offset)
        };
        let allowed = allowed_memory(bytes.len());
        let _ = survives(&HEAP, name, (bytes, allowed), read, Document::to_bytes, visit, offset);
    }
}
