//! Text made to break a reader gives an error or a map, in bounded memory. One test, because it measures the heap.

#[path = "all/support.rs"]
mod support;

use mapwright_testkit::{PeakAlloc, allowed_memory, corpus, files_below, mutate};
use mapwright_wmp::io::Category;
use mapwright_wmp::{Document, ReadError, ReadErrorKind};

#[global_allocator]
static HEAP: PeakAlloc = PeakAlloc;

fn survives(what: &str, bytes: &[u8]) -> Result<Document, ReadError> {
    let input = (bytes, allowed_memory(bytes.len()));
    let offset = |error: &ReadError| error.position().map(|at| at.offset);
    let validate = |document: &Document| document.validate().len();
    mapwright_testkit::survives(&HEAP, what, input, Document::from_bytes, Document::to_bytes, validate, offset)
}

const HEAD: &str = "// WMP2\nversion 710\n";
const TAIL: &str = "{\n0\na\n}\n}\n";

fn refused(text: &str) -> (ReadErrorKind, String) {
    let error = survives(text, text.as_bytes()).expect_err(text);
    let at = error.position().and_then(|at| at.text).expect("line and column");
    let path = format!("{}:{} {}", at.line, at.column, error.path());
    (error.into_kind(), path)
}

#[test]
fn hostile_texts() {
    dense();
    wrong();
    unusual_files();
    damaged();
    made();
}

/// More items than bytes: the densest possible map is read, denser text is rejected, in bounded memory.
fn dense() {
    let count = 12_000_000;
    let many = |item: &str| format!("{HEAD}{}", item.repeat(count / item.len()));
    let faces = |face: &str| {
        let faces = count / face.len();
        format!("{HEAD}block 0 {{\nvertices 1 faces {faces}\n0 0 0\n{}{TAIL}", face.repeat(faces))
    };
    let inside =
        |before: &str, item: &str, after: &str| format!("{HEAD}{before}{}{after}", item.repeat(count / item.len()));
    let resolved = |before: &str, item: &str, after: &str| {
        format!("// a\nversion 711\n{before}{}{after}", item.repeat(count / item.len()))
    };
    let flat = "1 0 :a :0 0 0 b\n";
    let flats = format!("{{\n0\na\na\n{{\nvertices 1 faces {}\n0 0 0\n", count / flat.len());
    let texts = [
        ("starts", many("start 0 {\na\n}\n")),
        ("models", many("model 0 {\n0 0 0\na\na\na\n0\n0\n0\n}\n")),
        ("objects", many("object 0 {\n(0 0 0)(0 0 0)(0 0 0)\n}\n")),
        ("blocks", many("block 0 {\nvertices 0 faces 0\n{\n0\na\n}\n}\n")),
        ("faces without corners", faces("0 :a 0 0 0 0 0:0 0 0 b\n")),
        ("short faces", faces("1 0 :a 0 0 0 0 0:0 0 0 b\n")),
        ("faces with vectors", faces("1 0 :a (0 0 0 0)(0 0 0 0)0 0 0 0 0:0 0 0 b\n")),
        ("triangles", faces("3 0 0 0 :a 0 0 0 0 0:0 0 0 b\n")),
        ("coordinates", faces("1 0 :a [ 0 ]0 0 0 0 0:0 0 0 b\n")),
        (
            "many coordinates",
            inside("block 0 {\nvertices 1 faces 1\n0 0 0\n1 0 :a [", " 0", "] 0 0 0 0 0:0 0 0 b\n{\n0\na\n}\n}\n"),
        ),
        (
            "corners",
            inside("block 0 {\nvertices 1 faces 1\n0 0 0\n6000000", " 0", " :a 0 0 0 0 0:0 0 0 b\n{\n0\na\n}\n}\n"),
        ),
        ("members", inside("object 0 {\n(0 0 0)(0 0 0)(0 0 0)\nblock 0", ",0", "\n}\n")),
        ("skills", inside("model 0 {\n0 0 0\na\na\na\n", "0 ", "0\n0\n0\n}\n")),
        ("lines", inside("start 0 {\na\n", "b\n", "}\n")),
        ("colours", inside("level 0 {\na\na\n0\n0\n0\na\n", "0 0 0\n", "}\n")),
        ("points", inside("path 0 {\na\n2000000\n6000000\n", "0 0 0\n", "}\n")),
        ("WADs", inside("wed {\nwad {\n", "<a>\n", "}\n}\n")),
        ("windows", inside("wed {\nview {\n", "b\n", "}\n}\n")),
        ("palette", inside("wed {\npalette {\n", "b\n", "}\n}\n")),
        ("unknown sections", many("a {\n}\n")),
        ("resolved starts", resolved("", "{\n1\n0 0 0\n0 0 0\na\n}\n", "")),
        ("resolved blocks", resolved("{\n0\na\na\n", "{\nvertices 0 faces 0\n{\n0\na\n}\n}\n", "}\n")),
        ("resolved faces", resolved(&flats, flat, "{\n0\na\n}\n}\n}\n")),
        (
            "planes",
            format!(
                "// WMP2\nblock 0 {{\n{}{TAIL}",
                "(0 0 0)(0 0 0)(0 0 0)a 0 0 0 0 0:0 0 0 b c 0 0\n".repeat(count / 49)
            ),
        ),
    ];
    for (what, text) in texts {
        if let Err(error) = survives(what, text.as_bytes()) {
            assert!(matches!(error.category(), Category::Limit | Category::Truncated), "{what}: {error}");
        }
    }
}

/// Invalid text gives an error with its position.
fn wrong() {
    let block = |body: &str| format!("{HEAD}block 0 {{\n{body}");
    let (kind, at) = refused(&block("vertices 4000000000\nfaces 1\n0 0 0\n"));
    assert!(matches!(kind, ReadErrorKind::Input(_)) && at == "4:10 blocks[0]", "{kind} {at}");
    let (kind, at) = refused(&block("vertices 1\nfaces 4000000000\n0 0 0\n"));
    assert!(matches!(kind, ReadErrorKind::Input(_)) && at == "5:7 blocks[0]", "{kind} {at}");
    let (kind, at) = refused(&block(&format!("vertices 2\nfaces 0\n0 0 0\n{TAIL}")));
    assert!(matches!(kind, ReadErrorKind::Expected { .. }) && at == "7:1 blocks[0].vertices[1]", "{kind} {at}");
    let face = |face: &str| block(&format!("vertices 3\nfaces 1\n0 0 0 0 0 0 0 0 0\n{face}\n{TAIL}"));
    let (kind, at) = refused(&face("3 0 1 3 : a 0 0 0 1 1 : 0 0 0 ndef"));
    assert!(matches!(kind, ReadErrorKind::Vertex { index: 3, vertices: 3 }) && at == "7:7 blocks[0].faces[0]", "{at}");
    let (kind, _) = refused(&face("4 0 1 2 : a 0 0 0 1 1 : 0 0 0 ndef"));
    assert!(matches!(kind, ReadErrorKind::Count { declared: 4, found: 3, .. }), "{kind}");
    for line in [
        "3 0 1 2 : a : 0 0 0 ndef",
        "3 0 1 2 : a 0 0 0 1 : 0 0 0 ndef",
        "3 0 1 -2 : a 0 0 0 1 1 : 0 0 0 ndef",
        "3 0 1 2 : a 0 0 0 1 1 : 2 0 0 ndef",
        "3 0 1 2 : a 0 0 0 1 1e999 : 0 0 0 ndef",
        "3 0 1 2 :",
        "3 0 1 2",
        "3 0 1 2 : a nan 0 0 1 1 : 0 0 0 n",
        "3 0 1 2 : a ( 0 0 0 ) ( 0 0 0 0 ) 0 0 0 1 1 : 0 0 0 ndef",
        "3 0 1 2 : a 0 0 0 1 1 : 0 0 0 ndef more",
        "3 0 1 2 : a [ 0 0 0 1 1 : 0 0 0 n",
        "3 0 1 2 : a 0 0 0 1 1 : 0 0 0",
    ] {
        let (kind, at) = refused(&face(line));
        assert!(
            matches!(kind, ReadErrorKind::Expected { .. }) && at.ends_with("blocks[0].faces[0]"),
            "{line}: {kind} {at}"
        );
    }
    for body in [
        "",
        "vertices",
        "vertices 0",
        "vertices 0 faces 0",
        "vertices 0 faces 0\n{",
        "vertices 0 faces 0\n{\n0\nndef\n",
        "vertices 0 faces 0\n{\n0\nndef\n}\n",
        "vertices 0 faces 0\n{\n0\nndef\n0\n0\n}\n}\n",
        "vertices 0 faces 0\n}\n",
    ] {
        let (_, at) = refused(&block(body));
        assert!(at.contains("blocks[0]"), "{body}: {at}");
    }
    for id in ["-1", "4294967296", "1.5", "x", ""] {
        refused(&format!("{HEAD}start {id} {{\na\n}}\n"));
        refused(&format!("{HEAD}object 0 {{\n(0 0 0) (0 0 0) (1 1 1)\nblock {id}\n}}\n"));
    }
    for text in [
        "object 0 {\n}\n",
        "object 0 {\n(0 0 0) (0 0 0) (1 1)\n}\n",
        "object 0 {\n(0 0 0) (0 0 0) (1 1 1\n}\n",
        "start 0 {\n}\n",
        "level 0 {\n<a>\n<b>\n",
        "light 0 {\n1 2 3\n}\n",
        "path 0 {\na\n2\n7\n}\n",
        "path 0 {\na\n4000000000\n4294967295\n0 0 0\n}\n",
        "wed {\npalette {\nxx\n}\n}\n",
        "wed {\nwad {\n",
        "a\n",
        "}\n",
        "start 0 0 {\na\n}\n",
        "sound 0 {\n<a>\n1\n1 2 3\n}\n",
        "unknown {\n",
    ] {
        refused(&format!("{HEAD}{text}"));
    }
    let (kind, at) = refused(&format!("{HEAD}start 0 {{\na\nb\n"));
    assert!(matches!(kind, ReadErrorKind::Unclosed { .. }) && at == "6:1 entities[0]", "{kind} {at}");
    let (_, at) = refused("// Wed\nversion 711\n{\n0\na\nb\n{\nvertices 0 faces 0\n}\n}\n");
    assert_eq!(at, "9:1 blocks[0]");
    for text in [
        "{\n5\n1\n2\n}\n",
        "{\n9\n}\n",
        "{\n0\na\nb\nc\n}\n",
        "{\n0\na\nb\n}\n{\n0\na\nb\n}\n",
        "{\n5\n1\n2\n3\n}\n",
        "a\n",
        "{\n1\n0 0\n0 0 0\na\n}\n",
    ] {
        refused(&format!("// Wed\nversion 711\n{text}"));
    }
}

/// Unusual text is preserved.
fn unusual_files() {
    let zeros = "0".repeat(400);
    let preserved = [
        format!(
            "{HEAD}start 4294967295 {{\na\n}}\nobject 007 {{\n({zeros}1 0.{zeros}1 -0)(0 0 0)(1 1 1)\nstart 0004294967295\n}}"
        ),
        format!("{HEAD}{}{}start 0 {{\na\n}}\n", "a {\n".repeat(200_000), "}\n".repeat(200_000)),
        format!("{HEAD}start 0 {{\na\n{}{}}}\n", "b {\n".repeat(1000), "}\n".repeat(1000)),
        format!("{HEAD}start 0 {{\na/{}\n}}\n", " /a".repeat(3_000_000)),
        format!("{HEAD}wed {{\n}}\nwed {{\nother {{\n}}\n}}\n// {}", "x ".repeat(5_000_000)),
        format!("{HEAD}light 0 {{\n1e2 .5 5. 1e-7\n}}\n"),
        format!("\u{feff}{HEAD}start 0 {{ // a\na b, c\n}}\n"),
        "// WMP2\r\n\r\nblocks 0\r\n".to_owned(),
        "blocks 0".to_owned(),
    ];
    for text in preserved {
        let what = &text[..text.len().min(200)];
        let mut map = survives(what, text.as_bytes()).unwrap_or_else(|error| panic!("{what}: {error}"));
        for part in &mut map.blocks {
            let _ = &mut **part;
        }
        for part in &mut map.entities {
            let _ = &mut **part;
        }
        for part in &mut map.objects {
            let _ = &mut **part;
        }
        let _ = &mut *map.header;
        assert!(map.to_bytes().unwrap_or_else(|error| panic!("{what}: {error}")) == text.as_bytes(), "{what}");
    }
    for text in [
        "a".repeat(10_000_000),
        format!("{HEAD}{}", "a".repeat(10_000_000)),
        format!("{HEAD}block 0 {{ {}", "(".repeat(10_000_000)),
        format!("{HEAD}block 0 {{\nvertices 1 faces 1 {}", "9".repeat(10_000_000)),
        format!("{HEAD}object 0 {{\n(0 0 0 {}", "<".repeat(10_000_000)),
        format!("{HEAD}object 0 {{\n(0 0 0)(0 0 0)(0 0 0)\n{}", "object ".repeat(1_500_000)),
        format!("{HEAD}{}", "{".repeat(10_000_000)),
    ] {
        survives("a long line", text.as_bytes()).expect_err("no map");
    }
}

/// Every flipped byte and every truncation.
fn damaged() {
    let small = format!(
        "{HEAD}blocks 1\nwed {{\npalette {{\n00 ff\n}}\nwad {{\n0 0\n<a> 1\n}}\n}}\nblock 0 {{\nvertices 1 faces 1\n0 0 0\n1 0 : a [ 0 1 ] ( 1 0 0 0 ) ( 0 1 0 0 ) \
         0 0 0 1 1 : 0000 0 50 ndef // x\n{{\n0\nndef\n0\n}}\n}}\nlevel 0 {{ // Root\n<a>\n<b>\n1\n2\n3\n<c>\n1 2 3\n}}\n\
         model 1 {{\n1 1 1\n<a>\nb\nc\n1 2 3\n'0001'\n0\n50\nndef\n}}\nobject 0 {{\n(0 0 0) (0 0 0) (1 1 1)\nblock 0, 1\n}}\n"
    );
    let resolved = "// Wed (6)\nversion 711\n{ // a\n0\na\nb\n{ // 0\nvertices 1 faces 1\n0 0 0\n1 0 : a : 0 0 50 ndef\n{\n0\nndef\n}\n}\n}\n{\n5\n1\n2\n}\n\
                    {\n6\na\n1\n5\n0 0 0\n0 0 0 0 0 0\n1 1 1 0 0 0\n}\n";
    for text in [small.as_str(), resolved] {
        survives("a small map", text.as_bytes()).expect("a map");
        for mutant in mutate::byte_flips(text.as_bytes()).chain(mutate::bit_flips(text.as_bytes())) {
            let _ = survives("a damaged map", &mutant);
        }
        for prefix in mutate::prefixes(text.as_bytes()) {
            let _ = survives("a beginning", prefix);
        }
    }
}

/// The hostile files of the corpus.
fn made() {
    let Some(folder) = corpus("wmp") else { return };
    let mut read = 0;
    for path in files_below(&folder.join("synthetic")) {
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        if name.starts_with("hostile_") || name.starts_with("other_") {
            let bytes = std::fs::read(&path).expect("a file");
            let is_refused =
                ["empty", "index_range", "unclosed", "vertex_count", "other_"].iter().any(|part| name.contains(part));
            let found = survives(&name, &bytes);
            assert!(name.contains("wmpb") || found.is_err() == is_refused, "{name}: {:?}", found.err());
            read += 1;
        }
    }
    assert!(read >= 15, "only {read} files");
}
