//! An independent decoder in another language reads the same values from every level.

use std::fmt::Write as _;

use mapwright_testkit::witness::{adler32, agree, ask, hex};
use mapwright_testkit::{corpus, files_below};
use mapwright_wwd::{Checksum, Document, FieldValue, HeaderFlags, HeaderSize, ReadOptions, Shape};

/// Prints what `wwd_dump.py` reads: a line per record, its values in file order.
const SCRIPT: &str = r#"
import sys, zlib
sys.path.insert(0, sys.argv[1])
import wwd_dump
DERIVED = {"num_planes", "planes_offset", "tile_properties_offset", "size", "num_image_sets", "num_objects",
           "tiles_offset", "image_sets_offset", "objects_offset"}
def fields(record, table):
    out = []
    for name, _, kind in table:
        if name in DERIVED:
            continue
        value = record[name]
        if isinstance(kind, int):
            value = (value + b"\0" + record.get(name + "__slot_tail", b"")).rstrip(b"\0").hex()
        out.append(str(value))
    return " ".join(out)
for file in sys.argv[2:]:
    print("file", file)
    try:
        level = wwd_dump.Wwd(open(file, "rb").read(), strict_size="badsig" not in file)
    except Exception:
        print("refused")
        continue
    print("header", fields(level.header, wwd_dump.HEADER))
    for plane in level.planes:
        print("plane", fields(plane, wwd_dump.PLANE_F))
        print("tiles", len(plane["tile_bytes"]) // 4, zlib.adler32(plane["tile_bytes"]))
        print("sets", " ".join(name.hex() for name in plane["image_sets"]))
        for words, texts in plane["objects"]:
            print("object", " ".join(str(word) for at, word in enumerate(words) if not 1 <= at <= 4),
                  " ".join(text.hex() for text in texts))
    if level.tp_header is not None:
        print("table", " ".join(str(word) for word in level.tp_header))
        for kind, reserved, width, height, body in level.tileprops:
            print("tile", kind, reserved, width, height, body.hex() if kind == 3 else " ".join(map(str, body)))
    print("sums", " ".join(level.checksum_writers()))
    print("gaps", " ".join("%d-%d" % gap for gap in level.gaps()[0]))
    print("trailer", level.trailer.hex())
"#;

#[test]
#[ignore = "needs the corpus"]
fn another_decoder_agrees_on_the_corpus() {
    let Some(folder) = corpus("wwd") else { return };
    let mut files = files_below(&folder);
    files.retain(|file| file.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("wwd")));
    // The stated size is larger than what inflates: the game rejects it, and so does this crate; the other decoder warns.
    files.retain(|file| !file.ends_with("hostile_size_large.wwd"));
    let Some(theirs) = ask(SCRIPT, &files) else { return };
    let mut ours = String::new();
    for file in &files {
        let _ = writeln!(ours, "file {}", file.display());
        let mut options = ReadOptions::default();
        if file.to_string_lossy().contains("badsig") {
            options = options.with_header_size(HeaderSize::Any);
        }
        let bytes = std::fs::read(file).expect("a file of the corpus");
        match Document::from_bytes_with(&bytes, &options) {
            Ok(document) => dump(&mut ours, &document),
            Err(_) => ours.push_str("refused\n"),
        }
    }
    agree(&ours, &theirs);
    assert!(files.len() >= 90, "only {} levels", files.len());
}

fn dump(out: &mut String, document: &Document) {
    let header = &document.header;
    line(out, "header", mapwright_wwd::Header::FIELDS, |name| header.field(name));
    for plane in &document.planes {
        line(out, "plane", mapwright_wwd::Plane::FIELDS, |name| plane.field(name));
        let _ = writeln!(
            out,
            "tiles {} {}",
            plane.tiles.len(),
            adler32(&plane.tiles.iter().flat_map(|word| word.to_le_bytes()).collect::<Vec<u8>>())
        );
        let names: Vec<String> = plane.image_sets.iter().map(hex).collect();
        let _ = writeln!(out, "sets {}", names.join(" "));
        for object in &plane.objects {
            line(out, "object", mapwright_wwd::Object::FIELDS, |name| object.field(name));
        }
    }
    if let Some(table) = &document.tile_properties {
        let words = [table.size, table.reserved_04, u32::try_from(table.items.len()).expect("32 bits")];
        let words: Vec<String> = words.iter().chain(&table.reserved_0c).map(ToString::to_string).collect();
        let _ = writeln!(out, "table {}", words.join(" "));
        for item in &table.items {
            let body = match &item.shape {
                Shape::Single(attribute) => attribute.to_string(),
                Shape::Double { outside, inside, rect: r } => {
                    format!("{outside} {inside} {} {} {} {}", r.left, r.top, r.right, r.bottom)
                }
                Shape::Mask(pixels) => hex(pixels),
            };
            let (kind, reserved) = (item.shape.code(), item.reserved_04);
            let _ = writeln!(out, "tile {kind} {reserved} {} {} {body}", item.width, item.height);
        }
    }
    let stored = document.stored_block().expect("it was read");
    let main = document.to_main_block().expect("it was read");
    let compressed = header.flags.has(HeaderFlags::COMPRESS);
    let names = [
        (Checksum::Editor, "editor"),
        (Checksum::WapMap, "wapmap"),
        (Checksum::Libwap32, "libwap32"),
        (Checksum::Zero, "zero"),
    ];
    let agree = names.iter().filter(|(checksum, _)| checksum.compute(stored, &main, compressed) == header.checksum);
    let _ = writeln!(out, "sums {}", agree.map(|(_, name)| *name).collect::<Vec<_>>().join(" "));
    let residue = document.layout.iter().flat_map(|layout| &layout.residue);
    let gaps: Vec<String> =
        residue.map(|gap| format!("{}-{}", gap.offset, gap.offset as usize + gap.bytes.len())).collect();
    let _ = writeln!(out, "gaps {}", gaps.join(" "));
    let _ = writeln!(out, "trailer {}", hex(&document.trailer));
}

fn line(out: &mut String, record: &str, names: &[&str], field: impl Fn(&str) -> Option<FieldValue>) {
    out.push_str(record);
    for name in names {
        let _ = match field(name).expect("a field") {
            FieldValue::Word(word) => write!(out, " {word}"),
            FieldValue::Int(number) => write!(out, " {number}"),
            FieldValue::Rect(r) => write!(out, " {} {} {} {}", r.left, r.top, r.right, r.bottom),
            FieldValue::Text(text) => write!(out, " {}", hex(&text)),
            _ => unreachable!("a new type of field"),
        };
    }
    out.push('\n');
}
