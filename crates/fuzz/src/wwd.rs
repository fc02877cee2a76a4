//! Bodies for levels of the WAP32 engine.

use mapwright_testkit::{Refusal, hexdiff, laws};
use mapwright_wwd::scene::{ExportOptions, ImportOptions, from_scene, merge_scene, to_scene};
use mapwright_wwd::{Document, HeaderFlags, HeaderSize, ReadError, ReadOptions, Style, WriteOptions};

use crate::scene::check_whole;
use crate::target::{Target, refusal};

/// The targets of `mapwright-wwd`.
pub const TARGETS: &[Target] = &[
    Target { body: read, memory: 16, ..wwd("wwd_read") },
    Target { body: roundtrip, memory: 64, ..wwd("wwd_roundtrip") },
    Target { body: scene, memory: 256, ..wwd("wwd_scene") },
];

const fn wwd(name: &'static str) -> Target {
    Target { name, format: "wwd", files: "wwd", cut: plain, inflation: Target::ZLIB, ..Target::NEW }
}

/// The level without compression, so that mutants get past zlib.
fn plain(file: &[u8]) -> Option<Vec<u8>> {
    let mut document = Document::from_bytes(file).ok()?;
    document.header.flags = document.header.flags.with(HeaderFlags::COMPRESS, false);
    document.to_bytes().ok()
}

fn document(bytes: &[u8]) -> Result<Document, Refusal> {
    let any = ReadOptions::default().with_header_size(HeaderSize::Any);
    Document::from_bytes_with(bytes, &any).map_err(|error: ReadError| refusal(error))
}

/// Reads and looks at everything.
pub fn read(bytes: &[u8]) {
    let Some(document) = laws::total(bytes, document) else { return };
    let findings = document.validate();
    assert!(findings.iter().all(|finding| !finding.message.is_empty()), "a finding without a text");
    assert!(document.provenance().is_some(), "what was read has a stored block");
}

/// What is accepted comes back byte for byte, and stored anew it is the same level.
pub fn roundtrip(bytes: &[u8]) {
    let Some(read) = laws::total(bytes, document) else { return };
    laws::exact("the input", bytes, document, Document::to_bytes);
    for style in [Style::Editor, Style::WapMap] {
        let stored = read.to_bytes_with(&WriteOptions::default().with_style(Some(style)));
        let again = document(&stored.expect("what was read can be written"));
        let again = again.unwrap_or_else(|refusal| panic!("what was written is refused: {}", refusal.text));
        assert!(again.planes == read.planes && again.tile_properties == read.tile_properties, "the level changes");
    }
}

/// The scene of a level is whole, leaves the level as it is when put back, and gives the same level anew.
pub fn scene(bytes: &[u8]) {
    let Ok(mut read) = document(bytes) else { return };
    let import = to_scene(&read, &ImportOptions::default()).expect("a level is a scene");
    check_whole(&import.scene);
    merge_scene(&mut read, &import.scene, &ExportOptions::default()).expect("its own scene");
    let merged = read.to_bytes().expect("what was read can be written");
    assert!(hexdiff(bytes, &merged).is_none(), "its own scene changes a level");
    let anew = from_scene(&import.scene, &ExportOptions::default()).expect("the scene of a level");
    if read.layout.is_none() {
        assert!(anew.document.planes == read.planes, "a level made of a scene has other planes");
        assert!(anew.document.tile_properties == read.tile_properties, "a level made of a scene has other properties");
    }
}
