//! Bodies for Wings 3D scenes.

use mapwright_etf::{Mode, Stream};
use mapwright_interchange::obj;
use mapwright_scene::{Import, Scene};
use mapwright_testkit::{Refusal, debugdiff, laws};
use mapwright_wings::scene::{ExportOptions, ImportOptions, from_scene, merge_scene, to_scene};
use mapwright_wings::{Document, Model, ReadOptions, WriteOptions};

use crate::scene::check_whole;
use crate::target::{Target, refusal};

/// The targets of `mapwright-wings`.
pub const TARGETS: &[Target] = &[
    Target { body: read, memory: 16, ..wings("wings_read") },
    Target { body: roundtrip, memory: 64, ..wings("wings_roundtrip") },
    Target { body: term, memory: 64, cut: term_of, inputs: TERMS, inflation: 0, ..wings("wings_term") },
    Target { body: model, memory: 64, cut: term_of, inputs: TERMS, inflation: 0, ..wings("wings_model") },
    Target { body: scene, memory: 256, cut: term_of, inputs: TERMS, inflation: 0, ..wings("wings_scene") },
];

const fn wings(name: &'static str) -> Target {
    Target { name, format: "wings", files: "wings", inputs: FILES, inflation: Target::ZLIB, ..Target::NEW }
}

const FILES: &[&[u8]] = &[
    b"#!WINGS-1.0\r\n\x1a\x04\0\0\0\x15\x83h\x03d\0\x05wingsa\x02h\x03jjj\0\0\0",
    b"#!WINGS-1.0\r\n\x1a\x04\0\0\0\x12\x83h\x03d\0\x05wingsa\x02h\x03jjj",
];

/// Without the header and the 131: an empty scene, and an object with one edge, face and vertex.
const TERMS: &[&[u8]] = &[
    b"h\x03d\0\x05wingsa\x02h\x03jjj",
    b"h\x03d\0\x05wingsa\x02h\x03l\0\0\0\x01h\x04d\0\x06objectk\0\x01ah\x05d\0\x06winged\
      l\0\0\0\x01l\0\0\0\x01h\x09d\0\x04edgea\0a\x01a\0a\0a\0a\0a\0a\0jj\
      l\0\0\0\x01jjl\0\0\0\x01l\0\0\0\x01m\0\0\0\x18\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0jjjjjjj",
];

fn document(bytes: &[u8]) -> Result<Document, Refusal> {
    Document::from_bytes_with(bytes, &ReadOptions::default().with_mode(Mode::Lenient)).map_err(refusal)
}

/// Reads the document and its model.
pub fn read(bytes: &[u8]) {
    let strict = laws::total(bytes, |bytes| Document::from_bytes(bytes).map_err(refusal));
    let Some(lenient) = laws::total(bytes, document) else {
        assert!(strict.is_none(), "refused leniently, accepted strictly");
        return;
    };
    assert!(strict.is_none_or(|strict| strict == lenient), "the mode changes the document");
    laws::total(bytes, |_| lenient.model().map_err(refusal));
}

/// Checks that an accepted file is written byte for byte, and contains the same term after another compression.
pub fn roundtrip(bytes: &[u8]) {
    let Some(read) = laws::total(bytes, document) else { return };
    laws::exact("the input", bytes, document, Document::to_bytes);
    let renewed = read.to_bytes_with(&WriteOptions::default().with_stream(Stream::Renew));
    let renewed = renewed.expect("a document that was read can be written");
    let again =
        document(&renewed).unwrap_or_else(|refusal| panic!("the written document is refused: {}", refusal.text));
    assert!(again.payload().tree() == read.payload().tree(), "the term changes when it is compressed again");
}

/// Takes a bare term, so that mutants get past the header, and holds the scene that it may be to all laws of files.
pub fn term(term: &[u8]) {
    let file = file_of(term);
    read(&file);
    roundtrip(&file);
}

/// Checks that writing the model of a document back changes nothing, and that a new document of it has the same model.
pub fn model(term: &[u8]) {
    let file = file_of(term);
    let Ok(mut document) = document(&file) else { return };
    laws::total(&file, |_| Ok(document.validate()));
    let Ok(model) = document.model() else { return };
    if model.version == 2 {
        document.set_model(&model).expect("a model that was read can be set");
        laws::exact("the input", &file, |_| Ok(document), Document::to_bytes);
    }
    // A model that was read leniently may contain values without an encoding, such as floats that are not finite.
    let Ok(made) = Document::from_model(&model) else { return };
    let again = made.model().unwrap_or_else(|error| panic!("a created document is not a scene: {error}"));
    let expected = Model { version: 2, ..model };
    assert!(again == expected, "the model changes when it is written\n{}", debugdiff(&expected, &again));
}

/// Checks that merging the scene of a document back changes nothing, and that a new document of the scene is stable.
pub fn scene(term: &[u8]) {
    let file = file_of(term);
    let Ok(mut document) = document(&file) else { return };
    let Ok(Import { scene, .. }) = to_scene(&document, &ImportOptions::default()) else { return };
    check_whole(&scene);
    let _ = obj::from_scene(&scene, &obj::ExportOptions::default());
    if merge_scene(&mut document, &scene, &ExportOptions::default()).is_ok() {
        laws::exact("the input", &file, |_| Ok(document), Document::to_bytes);
    }
    let Ok(first) = from_scene(&scene, &ExportOptions::default()) else { return };
    let second = exported_again(&first.document);
    let third = exported_again(&second);
    assert!(
        second == third,
        "a second export differs from the first\n{}",
        debugdiff(&second.model().ok(), &third.model().ok())
    );
}

fn exported_again(document: &Document) -> Document {
    let import = to_scene(document, &ImportOptions::default());
    let import = import.unwrap_or_else(|error| panic!("the exported document is not a scene: {error}"));
    check_whole(&import.scene);
    let export = from_scene(&import.scene, &ExportOptions::default());
    export
        .unwrap_or_else(|error| panic!("the document that was exported and imported is not exported: {error}"))
        .document
}

/// A file that holds a bare term, uncompressed.
pub(crate) fn file_of(term: &[u8]) -> Vec<u8> {
    let length = u32::try_from(term.len() + 1).expect("inputs are short");
    [b"#!WINGS-1.0\r\n\x1a\x04", length.to_be_bytes().as_slice(), b"\x83", term].concat()
}

/// The uncompressed term of a file, without the 131.
pub(crate) fn term_of(file: &[u8]) -> Option<Vec<u8>> {
    Some(document(file).ok()?.payload().tree().as_bytes().to_vec())
}

/// Returns the scene of a file.
pub(crate) fn scene_of(file: &[u8]) -> Option<Scene> {
    Some(to_scene(&document(file).ok()?, &ImportOptions::default()).ok()?.scene)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_hand_made_inputs_are_scenes() {
        for bytes in FILES {
            document(bytes).unwrap_or_else(|refusal| panic!("{}: {refusal:?}", bytes.escape_ascii()));
        }
        for term in TERMS {
            let model = document(&file_of(term)).unwrap().model().unwrap();
            assert_eq!(model.objects().count(), usize::from(term.len() > 50), "{}", term.escape_ascii());
        }
    }
}
