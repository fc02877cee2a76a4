//! Conversions of corpus maps, read by an independent decoder.

use crate::support;

use std::fs;
use std::path::PathBuf;

use mapwright_testkit::witness;
use mapwright_wmp::{Dialect, Document};
use support::maps;

/// Compares the scenes of pairs of files, and prints the differences.
const SCENES: &str = r#"
import sys
sys.dont_write_bytecode = True
sys.path.insert(0, sys.argv[1])
sys.setrecursionlimit(5000)
import wmp_dump as w
for a, b in zip(sys.argv[2::2], sys.argv[3::2]):
    r, worst, notes = w.compare(w.load_scene(a), w.load_scene(b), 0.05)
    bad = sorted(k for k in r if "differs" in k and r[k])
    bad += [k for k in ("blocks", "entities") if r[k + "_a"] != r[k + "_b"]]
    print(" ".join([b.rsplit("/", 1)[1]] + bad))
"#;

/// Converts binary maps to text, and prints the differences to ours.
const TEXT: &str = r#"
import sys
sys.dont_write_bytecode = True
sys.path.insert(0, sys.argv[1])
import wmp_dump as w
for a, b in zip(sys.argv[2::2], sys.argv[3::2]):
    out, loss = w.wmpb_to_text(w.load(a)[1])
    theirs = w.join(out, w.emit_text(out)).split(b"\n")
    ours = open(b, "rb").read().split(b"\n")
    lines = [i + 1 for i, (x, y) in enumerate(zip(theirs, ours)) if x != y]
    print(b.rsplit("/", 1)[1] + (" lines %s" % lines[:5] if lines or len(theirs) != len(ours) else ""))
"#;

/// The decoder takes most of its time for larger maps.
const LARGE: usize = 40_000;

/// Converts the small corpus maps of some dialects, and writes pairs of the old and the new file to a folder.
fn converted(from: &[Dialect], target: Dialect) -> Option<Vec<PathBuf>> {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(format!("{}-{}", from[0].name(), target.name()));
    fs::create_dir_all(&folder).expect("a folder for tests");
    let mut pairs = Vec::new();
    for (name, path, bytes) in maps(|bytes| bytes.len() < LARGE)? {
        let map = Document::from_bytes(&bytes).unwrap_or_else(|error| panic!("{name}: {error}"));
        if !from.contains(&map.dialect) {
            continue;
        }
        let bytes = map.convert(target).document.to_bytes().unwrap_or_else(|error| panic!("{name}: {error}"));
        let file = folder.join(name.replace('/', "_"));
        fs::write(&file, bytes).expect("a file for tests");
        pairs.extend([path, file]);
    }
    assert!(!pairs.is_empty(), "no maps of {from:?}");
    Some(pairs)
}

/// Runs the decoder, and returns the lines with unknown differences.
fn odd(script: &str, pairs: &[PathBuf], known: &[&str]) -> Option<Vec<String>> {
    let reported = witness::ask(script, pairs)?;
    assert_eq!(reported.lines().count() * 2, pairs.len());
    let line = |line: &str| line.split(' ').filter(|word| !known.contains(word)).collect::<Vec<_>>().join(" ");
    Some(reported.lines().map(line).filter(|line| line.contains(' ')).collect())
}

#[test]
#[ignore = "needs the corpus"]
fn binary_corpus_maps_become_the_same_text() {
    let Some(pairs) = converted(&[Dialect::Binary], Dialect::A7) else { return };
    let Some(odd) = odd(TEXT, &pairs, &[]) else { return };
    assert!(odd.is_empty(), "{odd:#?}");
}

#[test]
#[ignore = "needs the corpus"]
fn conversions_of_corpus_maps_keep_the_scene() {
    // Faces without an entry get the name of the default texture.
    let named = &["texture_name_differs"][..];
    for (from, target, known) in [
        (&[Dialect::Binary][..], Dialect::A7, named),
        (&[Dialect::A7], Dialect::Binary, &[]),
        (&[Dialect::A5, Dialect::A4], Dialect::A7, &[]),
        (&[Dialect::A5, Dialect::A4], Dialect::Binary, &[]),
        (&[Dialect::A4], Dialect::A5, &[]),
        (&[Dialect::Resolved], Dialect::A7, &[]),
        (&[Dialect::Resolved], Dialect::Binary, &[]),
        (&[Dialect::A4, Dialect::A7, Dialect::Binary], Dialect::Resolved, named),
        // In single precision, faces at 45 degrees fall to either side.
        (&[Dialect::A5], Dialect::Resolved, &["texture_differs"]),
        // Mappings are rounded to whole texels and hundredths.
        (&[Dialect::A5], Dialect::A4, &["texture_differs"]),
    ] {
        let Some(pairs) = converted(from, target) else { return };
        let Some(odd) = odd(SCENES, &pairs, known) else { return };
        assert!(odd.is_empty(), "{from:?} to {target:?}: {odd:#?}");
    }
}
