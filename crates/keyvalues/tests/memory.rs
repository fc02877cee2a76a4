//! Peak memory and time of hostile texts. There is only one test because the counter covers the whole process.

#[path = "all/support.rs"]
mod support;

use mapwright_keyvalues::io::{ErrorKind, Limits};
use mapwright_keyvalues::{ReadError, Vmat, Vmdl, kv1, kv3};
use mapwright_testkit::{PeakAlloc, allowed_memory, peak_of, survives};
use support::text;

#[global_allocator]
static HEAP: PeakAlloc = PeakAlloc;

fn offset(error: &ReadError) -> Option<u64> {
    let _ = error.kind().help();
    error.position().map(|at| at.offset)
}

#[test]
fn memory_stays_a_small_multiple_of_the_text() {
    // Just above a power of two: the worst case of a growing list.
    const M: usize = (1 << 20) + 1;
    let deep = Limits::default().with_max_depth(u32::MAX);
    let cases: Vec<(&str, Vec<u8>)> = vec![
        ("empty keys", b"\"\"\"\"".repeat(M)),
        ("short keys", b"a\"\"".repeat(M)),
        ("blocks", b"a{}".repeat(M)),
        ("blocks in blocks", [b"a{".repeat(M), b"}".repeat(M)].concat()),
        ("blocks without an end", b"a{".repeat(M)),
        ("comments", b"//\n".repeat(M)),
        ("block comments", b"/**/".repeat(M)),
        ("conditions", b"a b[]\n".repeat(M)),
        ("a string without an end", [b"a \"", &b"b".repeat(4 * M)[..]].concat()),
        ("braces", b"{}".repeat(M)),
    ];
    for (name, bytes) in &cases {
        for limits in [kv1::ReadOptions::default().limits, deep.clone()] {
            let options = kv1::ReadOptions::default().with_limits(limits);
            let read = |bytes: &[u8]| kv1::Document::from_bytes_with(bytes, &options);
            let visit =
                |document: &kv1::Document| document.items().filter(|item| item.numbers().is_some()).count().min(1);
            let _ = survives(
                &HEAP,
                name,
                (bytes, allowed_memory(bytes.len())),
                read,
                kv1::Document::to_bytes,
                visit,
                offset,
            );
        }
    }
    let cases: Vec<(&str, Vec<u8>)> = vec![
        ("numbers", text(&format!("[{}]", "1,".repeat(M)))),
        ("members", text(&format!("{{{}}}", "a=1 ".repeat(M)))),
        ("arrays", text(&format!("[{}]", "[],".repeat(M)))),
        ("arrays in arrays", text(&format!("{}{}", "[".repeat(M), "]".repeat(M)))),
        ("arrays without an end", text(&"[".repeat(M))),
        ("objects in objects", text(&format!("{}{}", "{a=".repeat(M), "}".repeat(M)))),
        ("flags", text(&format!("{}1", "a:".repeat(M)))),
        ("words after the root", text(&format!("1 {}", "a ".repeat(M)))),
        ("quotes", text(&"\"".repeat(2 * M))),
        ("binary", text(&format!("#[{}]", "0".repeat(2 * M)))),
        ("meshes", text(&format!("[{}]", "{m_meshFile=\"\"},".repeat(M / 16)))),
    ];
    for (name, bytes) in &cases {
        for limits in [kv3::ReadOptions::default().limits, deep.clone()] {
            let options = kv3::ReadOptions::default().with_limits(limits);
            let read = |bytes: &[u8]| kv3::Document::from_bytes_with(bytes, &options);
            let validate = |document: &kv3::Document| document.validate().len();
            let _ = survives(
                &HEAP,
                name,
                (bytes, allowed_memory(bytes.len())),
                read,
                kv3::Document::to_bytes,
                validate,
                offset,
            );
        }
        // A list of meshes is larger than its text, but by no more than its structs are.
        let (_, peak) = peak_of(&HEAP, || Vmdl::from_bytes(bytes).map(drop));
        assert!(peak <= (16 << 20) + 64 * bytes.len(), "{name}: {peak} bytes");
    }
    let material = [b"Layer0{", &b"a b ".repeat(M)[..], b"}"].concat();
    let (_, peak) = peak_of(&HEAP, || Vmat::from_bytes(&material).map(drop));
    assert!(peak <= (16 << 20) + 64 * material.len(), "{peak} bytes");
}
