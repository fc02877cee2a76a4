//! An independent decoder in another language reads, finds, packs and patches the same.

use std::fmt::Write as _;

use mapwright_rez::{Document, EntryRef, Layout, WriteOptions};
use mapwright_testkit::witness::{adler32, agree, ask, hex};
use mapwright_testkit::{corpus, files_below};

/// Prints the header, all entries, look-ups of all paths and of altered ones, and checksums of packed and patched archives.
const SCRIPT: &str = r#"
import sys, zlib
sys.path.insert(0, sys.argv[1])
import rez_dump as R
def packed(name, make):
    data = bytearray(make())
    data[0xA7] = 0
    print(name, len(data), zlib.adler32(data))
for file in sys.argv[2:]:
    print("file", file)
    raw = open(file, "rb").read()
    try:
        r = R.Rez(raw)
    except R.Bad:
        print("refused")
        continue
    h = r.h
    print("header", h["title"].hex(), h["user_title"].hex(), *(h[n] for n, _ in R.FIELDS), h["sorted"])
    print("errors", len(r.errors))
    files = []
    for path, e in r.root.walk():
        full = b"\\".join(path + ((e.name,) if isinstance(e, R.Dir) else (e.full(),)))
        if isinstance(e, R.Dir):
            print("directory", full.hex() or "-", e.pos, e.size, e.time)
        else:
            print("entry", full.hex() or "-", e.kind, e.pos, e.size, e.time, e.id, e.type, e.desc.hex() or "-", *e.keys)
            outside = e.size and (e.pos < 168 or e.pos + e.size > len(raw))
            print("data", "outside" if outside else zlib.adler32(r.data(e)))
            files.append(full)
        for asked in (full, full.lower(), full.replace(b"\\", b"/") + b"X"):
            f = r.find(asked)
            print("find", "-" if f is None else "directory" if isinstance(f, R.Dir) else "file %d" % f.pos)
    gaps, over = r.gaps()
    print("gaps", len(gaps), sum(b - a for a, b in gaps))
    if r.errors or over:
        continue
    packed("monolith", lambda: R.write(R.Rez(raw).root, h, raw))
    packed("compact", lambda: R.write(R.Rez(raw).root, h, raw, False))
    found = [p for p in files if isinstance(r.find(p), R.File) and r.find(p).size > 3]
    changes = [(b"NEW\\A.TXT", b"first")]
    if len(found) > 2:
        changes += [(found[0], b"abc"), (found[-1], bytes(100000)), (found[1], None)]
    changes += [(b"new\\DEEP\\B", b"second"), (b"C.LONGER", b"")]
    print("patched", *(lambda b: (len(b), zlib.adler32(b)))(R.patch(R.Rez(raw), changes, 77)))
"#;

#[test]
#[ignore = "needs the corpus"]
fn another_decoder_agrees_about_the_corpus() {
    let Some(folder) = corpus("rez") else { return };
    let mut files = files_below(&folder);
    files.retain(|file| file.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("rez")));
    assert!(files.len() >= 39, "only {} archives", files.len());
    let Some(theirs) = ask(SCRIPT, &files) else { return };
    let mut ours = String::new();
    for file in &files {
        let _ = writeln!(ours, "file {}", file.display());
        match Document::from_vec(std::fs::read(file).expect("a file of the corpus")) {
            Ok(document) => dump(&mut ours, &document),
            Err(_) => ours.push_str("refused\n"),
        }
    }
    agree(&ours, &theirs);
}

fn or_dash(bytes: &[u8]) -> String {
    if bytes.is_empty() { "-".to_owned() } else { hex(bytes) }
}

fn dump(out: &mut String, document: &Document) {
    let (header, stored) = (&document.header, document.stored_header().unwrap());
    let _ = writeln!(
        out,
        "header {} {} 1 {} {} {} {} {} {} {} {} {} {}",
        hex(&header.title.0),
        hex(&header.user_title.0),
        stored.root_position,
        stored.root_size,
        document.root().time,
        stored.next_write_position,
        header.time,
        stored.largest_keys,
        stored.largest_directory_name,
        stored.largest_file_name,
        stored.largest_description,
        stored.is_sorted
    );
    let _ = writeln!(out, "errors {}", document.damage().count());
    let mut files = Vec::new();
    for item in document.walk() {
        let path = item.path();
        match item.entry {
            EntryRef::Directory(directory) => {
                let [position, size] = directory.stored_block().unwrap();
                let _ = writeln!(out, "directory {} {position} {size} {}", or_dash(&path), directory.time);
            }
            EntryRef::File(file) => {
                let keys: String = file.keys.iter().map(|key| format!(" {key}")).collect();
                let _ = writeln!(
                    out,
                    "entry {} {} {} {} {} {} {} {}{keys}",
                    or_dash(&path),
                    file.kind.0,
                    file.stored_position().unwrap(),
                    file.size(),
                    file.time,
                    file.id,
                    file.file_type.0,
                    or_dash(&file.description)
                );
                let data = file.data().map_or_else(|_| "outside".to_owned(), |data| adler32(data).to_string());
                let _ = writeln!(out, "data {data}");
                files.push(path.clone());
            }
        }
        let slashes: Vec<u8> = path.iter().map(|&byte| if byte == b'\\' { b'/' } else { byte }).collect();
        for asked in [path.clone(), path.to_ascii_lowercase(), [slashes, b"X".to_vec()].concat()] {
            let found = match document.find(&asked) {
                None => "-".to_owned(),
                Some(EntryRef::Directory(_)) => "directory".to_owned(),
                Some(EntryRef::File(file)) => format!("file {}", file.stored_position().unwrap()),
            };
            let _ = writeln!(out, "find {found}");
        }
    }
    let overview = document.overview();
    let _ = writeln!(out, "gaps {} {}", overview.unused_ranges, overview.unused_bytes);
    let has_overlap = document.validate().iter().any(|finding| finding.code == "overlap");
    if document.damage().next().is_some() || has_overlap {
        return;
    }
    for (name, layout) in [("monolith", Layout::Monolith), ("compact", Layout::Compact)] {
        let mut bytes = document.to_bytes_with(&WriteOptions::default().with_layout(layout)).unwrap();
        // The other decoder always promises contiguous directories.
        bytes[0xA7] = 0;
        let _ = writeln!(out, "{name} {} {}", bytes.len(), adler32(&bytes));
    }
    let is_large = |path: &&Vec<u8>| document.find_file(path).is_some_and(|file| file.size() > 3);
    let found: Vec<&Vec<u8>> = files.iter().filter(is_large).collect();
    let (mut edited, time) = (document.clone(), Some(77));
    edited.write_file(r"NEW\A.TXT", b"first", time).unwrap();
    if let [first, second, .., last] = found[..] {
        edited.write_file(first, b"abc", time).unwrap();
        edited.write_file(last, vec![0; 100_000], time).unwrap();
        edited.remove(second).unwrap();
    }
    edited.write_file(r"new\DEEP\B", b"second", time).unwrap();
    edited.write_file("C.LONGER", b"", time).unwrap();
    let bytes = edited.to_bytes().unwrap();
    let _ = writeln!(out, "patched {} {}", bytes.len(), adler32(&bytes));
    assert_eq!(Document::from_vec(bytes).unwrap(), edited);
}
