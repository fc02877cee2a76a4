//! Peak memory and time of hostile texts. There is only one test because the counter covers the whole process.

use mapwright_testkit::{PeakAlloc, allowed_memory, peak_of, survives};
use mapwright_tiled::io::{ErrorKind, Limits};
use mapwright_tiled::{Document, ReadError, ReadOptions};

#[global_allocator]
static HEAP: PeakAlloc = PeakAlloc;

fn validate(document: &Document) -> usize {
    document.validate().len()
}

fn offset(error: &ReadError) -> Option<u64> {
    let _ = error.kind().help();
    error.position().map(|at| at.offset)
}

#[test]
fn memory_stays_a_small_multiple_of_the_text() {
    // Just above a power of two: the worst case of a growing list.
    const M: usize = (1 << 20) + 1;
    let xml = |inner: String| format!("<map>{inner}</map>").into_bytes();
    let json = |inner: String| format!("{{\"type\":\"map\",\"a\":[{inner}]}}").into_bytes();
    let attributes: String = (0..1000).map(|number| format!(" a{number}=\"\"")).collect();
    let cases: Vec<(&str, Vec<u8>)> = vec![
        ("empty elements", xml("<a/>".repeat(M))),
        ("elements", xml("<a></a>".repeat(M))),
        ("elements in elements", xml(["<a>".repeat(M), "</a>".repeat(M)].concat())),
        ("elements without an end", xml("<a>".repeat(M))),
        ("attributes", xml(format!("<a{attributes}/>").repeat(M / 8000))),
        ("too many attributes", xml(format!("<a{}/>", " a=''".repeat(M)))),
        ("equals signs", xml("=".repeat(4 * M))),
        ("references", xml("&lt;".repeat(M))),
        ("references without an end", xml("&".repeat(M))),
        ("comments", xml("<!---->".repeat(M))),
        ("comments without an end", xml("<!-".repeat(M))),
        ("a doctype without an end", format!("<!DOCTYPE {}", "''".repeat(M)).into_bytes()),
        ("numbers", json("1,".repeat(M) + "1")),
        ("objects", json("{},".repeat(M) + "1")),
        ("strings", json("\"\",".repeat(M) + "1")),
        ("members", json(format!("{{{}\"b\":1}}", "\"\":1,".repeat(M)))),
        ("arrays in arrays", json(["[".repeat(M), "]".repeat(M)].concat())),
        ("arrays without an end", json("[".repeat(M))),
        ("booleans", json("true,".repeat(M) + "1")),
        ("tilesets", xml("<tileset firstgid='1'/>".repeat(M / 8))),
        ("objects of a layer", xml(format!("<objectgroup>{}</objectgroup>", "<object id='1'/>".repeat(M / 8)))),
        ("layers of cells", xml("<layer width='9' height='9'><data/></layer>".repeat(M / 32))),
        ("properties", xml(format!("<properties>{}</properties>", "<property type='object'/>".repeat(M / 16)))),
        ("groups in groups", xml(["<group>".repeat(M / 8), "</group>".repeat(M / 8)].concat())),
        (
            "points",
            xml(format!("<objectgroup><object><polygon points='{}'/></object></objectgroup>", "0,0 ".repeat(M))),
        ),
        ("escapes", json(format!("\"{}\"", "\\n".repeat(M)))),
    ];
    // Few items take little memory, even if the text may have many.
    let few = ReadOptions::default().with_limits(Limits::default().with_max_items(10));
    for bytes in [xml("<a/>".repeat(M)), xml("<".repeat(M)), json("{},".repeat(M) + "1"), json("[".repeat(M))] {
        let (result, peak) = peak_of(&HEAP, || Document::from_bytes_with(&bytes, &few));
        assert!(result.is_err() && peak < 4096, "{peak} bytes: {result:?}");
    }
    let deep = Limits::default().with_max_depth(u32::MAX);
    for (name, bytes) in &cases {
        // Arrays directly in arrays take two bytes each.
        for (limits, factor) in [(ReadOptions::default().limits, 1), (deep.clone(), 2)] {
            let options = ReadOptions::default().with_limits(limits);
            let read = |bytes: &[u8]| Document::from_bytes_with(bytes, &options);
            let input = (&bytes[..], factor * allowed_memory(bytes.len()));
            let _ = survives(&HEAP, name, input, read, Document::to_bytes, validate, offset);
        }
    }
}
