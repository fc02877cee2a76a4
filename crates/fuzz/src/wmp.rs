//! Bodies for maps of 3D Gamestudio.

use mapwright_testkit::{Refusal, hexdiff, laws};
use mapwright_wmp::diff::Diff;
use mapwright_wmp::scene::{ExportOptions, ImportOptions, merge_scene, to_scene};
use mapwright_wmp::{Dialect, Document, ReadError};

use crate::scene::check_whole;
use crate::target::{Target, refusal};

/// The targets of `mapwright-wmp`.
pub const TARGETS: &[Target] = &[
    Target { body: read, memory: 16, ..wmp("wmp_read") },
    Target { body: roundtrip, memory: 128, ..wmp("wmp_roundtrip") },
    Target { body: scene, memory: 512, ..wmp("wmp_scene") },
];

const fn wmp(name: &'static str) -> Target {
    Target { name, format: "wmp", files: "wmp", ..Target::NEW }
}

fn document(bytes: &[u8]) -> Result<Document, Refusal> {
    Document::from_bytes(bytes).map_err(|error: ReadError| refusal(error))
}

/// Reads and looks at everything.
pub fn read(bytes: &[u8]) {
    let Some(document) = laws::total(bytes, document) else { return };
    let findings = document.validate();
    assert!(findings.iter().all(|finding| !finding.message.is_empty()), "a finding without a message");
    let resolved = document.resolve();
    assert!(resolved.blocks.len() <= document.blocks.len(), "more blocks in the world than there are");
}

/// Checks that an accepted map comes back byte for byte, equals itself, is unchanged by formatting and numbering it again, and converts to
/// every dialect.
pub fn roundtrip(bytes: &[u8]) {
    let Some(read) = laws::total(bytes, document) else { return };
    laws::exact("the input", bytes, document, Document::to_bytes);
    assert!(Diff::between(&read, &read).is_empty(), "a map differs from itself");
    let mut reformatted = read.clone();
    reformatted.forget_source();
    // Numbers that text cannot represent are refused.
    if let Ok(written) = reformatted.to_bytes() {
        let again = Document::from_bytes(&written).expect("a written document can be read");
        assert!(again.to_bytes().is_ok_and(|bytes| bytes == written), "writing again changes the bytes");
    }
    let mut numbered = read.clone();
    numbered.renumber();
    let once = numbered.clone();
    numbered.renumber();
    assert!(once.to_bytes().ok() == numbered.to_bytes().ok(), "numbers change when they are counted again");
    for dialect in Dialect::ALL {
        let converted = read.convert(dialect).document;
        assert_eq!(converted.dialect, dialect, "another dialect than was asked for");
        if let Ok(written) = converted.to_bytes() {
            Document::from_bytes(&written).expect("a converted document can be read");
        }
    }
}

/// The scene of a map is whole, and leaves the map as it is when put back.
pub fn scene(bytes: &[u8]) {
    let Ok(mut read) = document(bytes) else { return };
    let Ok(mut import) = to_scene(&read, &ImportOptions::default()) else { return };
    check_whole(&import.scene);
    // With something else changed, so that every part is looked at.
    import.scene.name = "map".to_owned();
    if merge_scene(&mut read, &import.scene, &ExportOptions::default()).is_err() {
        return;
    }
    let merged = read.to_bytes().expect("a document that was read can be written");
    assert!(hexdiff(bytes, &merged).is_none(), "its own scene changes a map");
}
