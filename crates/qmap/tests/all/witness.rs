//! L7: an independent decoder in another language finds the same parts, words and numbers.

use std::fmt::Write as _;

use mapwright_qmap::{ControlPoint, Document, Face, KeyValue, Mapping, Plane, Primitive};
use mapwright_testkit::witness::{agree, ask, hex};

use crate::support::corpus_maps;

/// Prints every part of the maps, as the oracle reads them. Numbers are printed as the text has them, and as Python parses them.
const DRIVER: &str = r#"
import sys
sys.path.insert(0, sys.argv[1])
import quake_map_dump as oracle
hexed = lambda text: text.encode("latin-1").hex()
both = lambda words: " ".join(f"{word}={float(word).hex()}" for word in words)
def print_pairs(pairs):
    for key, value in pairs:
        print("pair", hexed(key), hexed(value))
for path in sys.argv[2:]:
    print("file", path)
    map = oracle.parse(open(path, "rb").read())
    print("version", map["version"])
    for comment in map["header"]:
        print("comment", hexed(comment))
    for layer in map["layers"]:
        print("layer", hexed(layer))
    for entity in map["entities"]:
        print("entity")
        print_pairs(entity["pairs"])
        for primitive in entity["primitives"]:
            print("primitive", primitive["kind"])
            print_pairs(primitive.get("pairs", []))
            for face in primitive.get("faces", []):
                points = face.get("points") or [face["plane"]]
                print("face", both(number for point in points for number in point))
                print("matrix", both(number for row in face.get("matrix", []) for number in row))
                print("texture", hexed(face["texture"]), face["quoted"])
                axes = [number for axis in face.get("axes", []) for number in axis]
                mapping = [*axes, *face.get("shift", []), *([face["rotation"]] if "rotation" in face else []), *face.get("scale", [])]
                print("mapping", both(mapping))
                print("extra", *[hexed(word) for word in face["extra"]])
            if "rows" in primitive:
                print("texture", hexed(primitive["texture"]), primitive["quoted"])
                print("info", both(primitive["info"]))
                for row in primitive["rows"]:
                    for point in row:
                        print("point", both(point))
"#;

#[test]
fn an_independent_decoder_finds_the_same_content() {
    let files = corpus_maps();
    if files.is_empty() {
        return;
    }
    let Some(theirs) = ask(DRIVER, &files) else { return };
    let mut ours = String::new();
    for path in &files {
        let bytes = std::fs::read(path).expect("a file");
        let map = Document::from_vec(bytes).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        let _ = writeln!(ours, "file {}", path.display());
        print_map(&map, &mut ours);
    }
    agree(&ours, &theirs);
}

fn print_map(map: &Document, out: &mut String) {
    let version = map.version().map_or_else(|| "None".to_owned(), |version| version.to_string());
    let _ = writeln!(out, "version {version}");
    let is_known = |comment: &&[u8]| comment.starts_with(b"// Game:") || comment.starts_with(b"// Format:");
    for comment in map.header_comments().filter(is_known) {
        let _ = writeln!(out, "comment {}", hex(comment));
    }
    let layer_comments = map.entities().flat_map(|entity| {
        entity.comments().chain(entity.primitives().flat_map(Primitive::comments)).collect::<Vec<_>>()
    });
    for comment in layer_comments.filter(|comment| comment.starts_with(b"//@$&")) {
        let _ = writeln!(out, "layer {}", hex(comment));
    }
    for entity in map.entities() {
        out.push_str("entity\n");
        entity.pairs().for_each(|pair| print_pair(pair, out));
        for primitive in entity.primitives() {
            let _ = writeln!(out, "primitive {}", primitive.kind().name());
            primitive.pairs().for_each(|pair| print_pair(pair, out));
            primitive.faces().for_each(|face| print_face(face, out));
            if let Some(patch) = primitive.patch() {
                let _ = writeln!(out, "texture {}", texture(patch.texture_token()));
                let [u, v] = patch.subdivisions().unwrap_or_default();
                let known = [patch.row_count() as f64, patch.column_count() as f64, u, v];
                let info = patch.info_words().count();
                let known = known.into_iter().chain([0.0; 3]).take(info);
                let _ = writeln!(out, "info {}", both(patch.info_words(), known));
                let words: Vec<&[u8]> = patch.point_words().collect();
                assert_eq!(words.len(), patch.row_count() * patch.column_count() * 5);
                for (words, ControlPoint { position: [x, y, z], uv: [u, v] }) in words.chunks(5).zip(patch.points()) {
                    let _ = writeln!(out, "point {}", both(words.iter().copied(), [x, y, z, u, v]));
                }
            }
        }
    }
}

fn print_pair(pair: KeyValue<'_>, out: &mut String) {
    let _ = writeln!(out, "pair {} {}", hex(pair.key()), hex(pair.value()));
}

fn print_face(face: Face<'_>, out: &mut String) {
    let words: Vec<&[u8]> = face.plane_words().collect();
    let numbers = match face.plane() {
        Plane::Points(points) => points.as_flattened().to_vec(),
        Plane::Equation(numbers) => numbers.to_vec(),
    };
    let (plane, matrix) = words.split_at(numbers.len());
    let _ = writeln!(out, "face {}", both(plane.iter().copied(), numbers));
    let (rows, mapping) = match face.mapping() {
        Mapping::Matrix(rows) => (rows.as_flattened().to_vec(), vec![]),
        Mapping::Standard { shift: [s, t], rotation, scale: [x, y] } => (vec![], vec![s, t, rotation, x, y]),
        Mapping::Valve { u, v, rotation, scale } => (vec![], [&u[..], &v, &[rotation], &scale].concat()),
    };
    let _ = writeln!(out, "matrix {}", both(matrix.iter().copied(), rows));
    let _ = writeln!(out, "texture {}", texture(face.texture_token()));
    let _ = writeln!(out, "mapping {}", both(face.mapping_words(), mapping));
    let extra: Vec<String> = face.extra().map(hex).collect();
    let _ = writeln!(out, "extra {}", extra.join(" "));
}

fn texture(token: &[u8]) -> String {
    match token {
        [b'"', inner @ .., b'"'] => format!("{} True", hex(inner)),
        _ => format!("{} False", hex(token)),
    }
}

/// Formats numbers as the text has them, and their values as `float.hex()` of Python.
fn both<'a>(words: impl Iterator<Item = &'a [u8]>, numbers: impl IntoIterator<Item = f64>) -> String {
    let words: Vec<&[u8]> = words.collect();
    let numbers: Vec<f64> = numbers.into_iter().collect();
    assert_eq!(words.len(), numbers.len());
    let both = words.into_iter().zip(numbers);
    let texts = both.map(|(word, number)| format!("{}={}", word.escape_ascii(), float_hex(number)));
    texts.collect::<Vec<_>>().join(" ")
}

fn float_hex(number: f64) -> String {
    let bits = number.to_bits();
    let sign = if number.is_sign_negative() { "-" } else { "" };
    let (exponent, mantissa) = ((bits >> 52) & 0x7ff, bits & ((1 << 52) - 1));
    match exponent {
        0 if mantissa == 0 => format!("{sign}0x0.0p+0"),
        0 => format!("{sign}0x0.{mantissa:013x}p-1022"),
        _ => format!("{sign}0x1.{mantissa:013x}p{:+}", exponent.cast_signed() - 1023),
    }
}
