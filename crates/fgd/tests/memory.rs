//! Peak memory of hostile files. There is only one test because the counter covers the whole process.

use mapwright_fgd::{Document, ReadError};
use mapwright_testkit::{PeakAlloc, allowed_memory, survives};

#[global_allocator]
static HEAP: PeakAlloc = PeakAlloc;

#[test]
fn memory_stays_a_small_multiple_of_the_text() {
    // Just above a power of two: the worst case of a growing list.
    const M: usize = (1 << 20) + 1;
    let class = |members: Vec<u8>| [b"@A=a[", &members[..], b"]"].concat();
    let cases: Vec<(&str, Vec<u8>)> = vec![
        ("items", b"@a".repeat(M)),
        ("classes", b"@a=b".repeat(M)),
        ("keys", class(b"a()".repeat(M))),
        ("ports", class(b"input a ".repeat(M))),
        ("choices", class([b"a()=[", &b"1,".repeat(M)[..], b"]"].concat())),
        ("texts", class([b"a()", &b":a".repeat(M)[..]].concat())),
        ("parts of a text", class([b"a():\"\"", &b"+\"\"".repeat(M)[..]].concat())),
        ("flags", class([b"a()", &b"readonly ".repeat(M)[..]].concat())),
        ("groups", class([b"a()", &b"[]".repeat(M)[..]].concat())),
        ("groups in groups", class([b"a(", &b"(".repeat(M)[..], &b")".repeat(M)[..], b")"].concat())),
        ("groups without an end", class(b"a((".repeat(M))),
        ("helpers", [b"@a ", &b"b ".repeat(M)[..], b"=c"].concat()),
        ("bases", [b"@a base(", &b"b ".repeat(M)[..], b")=c"].concat()),
        ("extensions", class(b"@a\n".repeat(M))),
        ("comments", b"//\n".repeat(M)),
        ("a string without an end", [b"@include \"", &b"@".repeat(4 * M)[..]].concat()),
        ("strings", b"\"\"".repeat(M)),
    ];
    for (name, bytes) in &cases {
        let write = |document: &Document| Ok::<_, ()>(document.as_bytes().to_vec());
        let visit = |document: &Document| {
            let members = document.classes().flat_map(|class| class.members());
            members.count().min(1)
        };
        let offset = |error: &ReadError| error.position().map(|at| at.offset);
        let _ = survives(&HEAP, name, (bytes, allowed_memory(bytes.len())), Document::from_bytes, write, visit, offset);
    }
}
