//! Peak memory of hostile texts. There is only one test because the counter covers the whole process.

use mapwright_testkit::{PeakAlloc, allowed_memory, survives};
use mapwright_vmf::io::ErrorKind as _;
use mapwright_vmf::{DisplacementArray, Document, Entity, ReadError, ReadOptions, Solid};

#[global_allocator]
static HEAP: PeakAlloc = PeakAlloc;

#[test]
fn memory_stays_a_small_multiple_of_the_text() {
    // Just above a power of two: the worst case of a growing list.
    const M: usize = (1 << 20) + 1;
    let within =
        |start: &str, item: &str, end: &str| [start.as_bytes(), &item.as_bytes().repeat(M), end.as_bytes()].concat();
    let cases: Vec<(&str, Vec<u8>)> = vec![
        ("entities", within("", "entity{}", "")),
        ("hidden entities", within("hidden{", "entity{}", "}entity{}")),
        ("hidden blocks", within("world{", "hidden{solid{}}", "}")),
        ("keys", within("world{", "\"\"\"\"", "}")),
        ("bare keys", within("world{", "a b ", "}")),
        ("blocks without an end", within("world{", "a{", "")),
        ("solids", within("world{", "solid{}", "}")),
        ("sides", within("world{solid{", "side{}", "}}")),
        ("comments", within("world{}", "//\n", "")),
        ("a value", within("world{a \"", "1 ", "\"}")),
        ("outputs", within("entity{connections{", "a \",,,,\" ", "}}")),
        ("no map", within("", "a{}", "")),
        ("braces", within("", "{}", "")),
        ("quotes", within("", "\"\"", "")),
        ("points", within("world{solid{side{dispinfo{power 4 normals{row0 \"", "1 ", "\"}}}}}")),
    ];
    for (name, bytes) in &cases {
        let options = ReadOptions::default().with_max_text(usize::MAX);
        let read = |bytes: &[u8]| Document::from_bytes_with(bytes, &options);
        let visit = |map: &Document| {
            let sides = map.solids().flat_map(Solid::sides);
            let _ = sides.filter_map(|side| side.displacement()?.array(DisplacementArray::Normals)).count();
            let outputs = map.all_entities().flat_map(Entity::outputs);
            let _ = outputs.filter(|output| output.connection().is_none()).count();
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
