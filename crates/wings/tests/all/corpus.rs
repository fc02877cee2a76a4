//! The writer on real files: untouched, edited and new ones. Skipped, with a message, without a corpus.

use mapwright_etf::WriterProfile;
use mapwright_testkit::{corpus, files_below};
use mapwright_wings::{Document, EncodeOptions};

/// Larger files take most of the time and cover nothing new. `cargo xtask corpus` checks them.
pub(crate) const LARGE: usize = 1 << 20;

/// The small files of the corpus, with their names.
fn files() -> Vec<(String, Vec<u8>)> {
    let Some(folder) = corpus("wings") else { return Vec::new() };
    let wings = files_below(&folder).into_iter().filter(|path| path.extension().is_some_and(|name| name == "wings"));
    let files = wings.map(|path| (path.display().to_string(), std::fs::read(&path).expect("the corpus is readable")));
    files.filter(|(_, bytes)| bytes.len() < LARGE).collect()
}

fn documents() -> Vec<(String, Vec<u8>, Document)> {
    let files = files();
    // Nearly all must be readable: a corpus of rejected files would prove nothing.
    let least = files.len() * 9 / 10;
    let read = |(name, bytes): (String, Vec<u8>)| {
        let document = Document::from_bytes(&bytes).ok()?;
        Some((name, bytes, document))
    };
    let documents: Vec<_> = files.into_iter().filter_map(read).collect();
    assert!(documents.len() >= least, "{} of {least}", documents.len());
    documents
}

#[test]
#[ignore = "needs the corpus"]
fn untouched_files_are_written_byte_for_byte() {
    for (name, bytes, document) in documents() {
        assert!(document.to_bytes().expect("writes") == bytes, "{name}");
    }
}

#[test]
#[ignore = "needs the corpus"]
fn only_probes_are_rejected() {
    for (name, bytes) in files() {
        if let Err(error) = Document::from_bytes(&bytes) {
            assert!(name.contains("probes"), "{name}: {error}");
        }
    }
}

#[test]
#[ignore = "needs the corpus"]
fn merging_an_unchanged_scene_changes_nothing() {
    for (name, bytes, mut document) in documents() {
        let Ok(model) = document.model() else { continue };
        document.set_model(&model).unwrap_or_else(|error| panic!("{name}: {error}"));
        assert!(document.to_bytes().expect("writes") == bytes, "{name}");
    }
}

#[test]
#[ignore = "needs the corpus"]
fn setting_the_same_model_changes_nothing() {
    let mut palettes = 0;
    for (name, _, document) in documents() {
        let Ok(model) = document.model() else { continue };
        let mut again = model.clone();
        if let Some(palette) = model.palette() {
            palettes += usize::from(palette.iter().any(Option::is_some));
            again.set_palette(Some(&palette)).expect("a palette");
        }
        again.set_scene_prefs(&model.scene_prefs()).expect("preferences");
        again.set_current_view(model.current_view()).expect("a number");
        assert!(again == model, "{name}");
    }
    assert!(palettes > 0 || files().is_empty());
}

#[test]
#[ignore = "needs the corpus"]
fn a_new_document_has_the_same_model() {
    for (name, bytes, document) in documents() {
        let Ok(model) = document.model() else { continue };
        let root = document.payload().tree().root();
        let options = EncodeOptions::default()
            .with_profile(WriterProfile::for_term(root))
            .with_packing(document.payload().packing().clone());
        let fresh = Document::from_model_with(&model, &options).unwrap_or_else(|error| panic!("{name}: {error}"));
        let mut again = fresh.model().unwrap_or_else(|error| panic!("{name}: {error}"));
        again.version = model.version;
        assert!(again == model, "{name}");
        // Wings has one way to write a scene, so every real file is reproduced from its model, including the compressed stream.
        // The synthetic ones are unusual on purpose.
        if !name.contains("synthetic") {
            assert!(fresh.to_bytes().expect("writes") == bytes, "{name}");
        }
    }
}

#[test]
#[ignore = "needs the corpus"]
fn moving_a_vertex_changes_only_its_bytes() {
    for (name, _, mut document) in documents() {
        let Ok(mut model) = document.model() else { continue };
        let before = document.payload().tree().clone();
        let Some(vertex) = model.shapes.iter_mut().rev().find_map(|shape| match shape {
            mapwright_wings::Shape::Object(object) => object.mesh.vertices.last_mut(),
            mapwright_wings::Shape::Other(_) => None,
        }) else {
            continue;
        };
        if model.version != 2 {
            continue;
        }
        vertex[1] = f64::from_bits(!vertex[1].to_bits() & 0xBFFF_FFFF_FFFF_FFFF);
        document.set_model(&model).unwrap_or_else(|error| panic!("{name}: {error}"));
        let after = document.payload().tree();
        assert_eq!(before.as_bytes().len(), after.as_bytes().len(), "{name}");
        let changed: Vec<_> =
            before.as_bytes().iter().zip(after.as_bytes()).enumerate().filter(|(_, (a, b))| a != b).collect();
        assert!((1..=8).contains(&changed.len()), "{name}: {}", changed.len());
        let span = changed.last().expect("one").0 - changed[0].0;
        assert!(span < 8, "{name}");
        assert!(document.model().expect("reads") == model, "{name}");
    }
}
