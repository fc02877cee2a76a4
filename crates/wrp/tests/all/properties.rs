//! The laws of reading and writing, for documents with every part of the format.

use crate::strategies;
use crate::support;

use mapwright_testkit::mutate::Rng;
use mapwright_testkit::{hexdiff, laws, mutate};
use mapwright_wrp::convert::ConvertOptions;
use mapwright_wrp::diff::Diff;
use mapwright_wrp::{Document, Matrix, Placements, Version, lists, sniff};
use proptest::prelude::*;
use support::read;

/// Returns the number of bytes before the first list that reaches to the end of the file. A prefix of that length is a terrain.
fn shortest(document: &Document) -> Option<usize> {
    match document {
        Document::Wvr(terrain) => Some(12 + 4 * terrain.heights.len() + 32 * terrain.names.len()),
        Document::Wvr8(terrain) => {
            let strings = terrain.materials.iter().flatten().map(|string| 4 + string.len());
            let materials = 4 + 4 * terrain.materials.len() + strings.sum::<usize>();
            Some(24 + 4 * terrain.heights.len() + 2 * terrain.cells.len() + materials)
        }
        Document::Oprw(_) => None,
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(256))]

    #[test]
    fn documents_round_trip(document in strategies::document()) {
        let bytes = laws::model(&document, read, Document::to_bytes);
        laws::exact("a document", &bytes, read, Document::to_bytes);
        laws::stable(&bytes, read, Document::to_bytes);
        prop_assert_eq!(sniff(&bytes[..4]), mapwright_wrp::io::Confidence::Certain);
        let mut written = Vec::new();
        document.write_to(&mut written).expect("a vector takes all");
        prop_assert!(written == bytes && Document::from_reader(&bytes[..]).expect("a terrain") == document);
        prop_assert!(Diff::between(&document, &document).is_empty());
        prop_assert!(document.validate().iter().all(|finding| !finding.message.is_empty()));
    }

    #[test]
    fn an_edit_changes_only_its_bytes_and_can_be_undone(document in strategies::document(), place in any::<prop::sample::Index>()) {
        let bytes = document.to_bytes().expect("a document");
        let mut edited = read(&bytes).expect("a terrain");
        // A height or a number of an object, in variants without packed grids.
        let (change, width): (fn(&mut Document, usize) -> bool, _) = match &edited {
            Document::Wvr(_) => (flip_step, 2),
            Document::Wvr8(_) => (flip_height, 4),
            Document::Oprw(_) => (flip_matrix, 4),
        };
        let place = place.index(1000);
        if change(&mut edited, place) {
            let changed = edited.to_bytes().expect("a document");
            let places: Vec<usize> = (0..bytes.len()).filter(|at| bytes[*at] != changed[*at]).collect();
            prop_assert!(changed.len() == bytes.len() && !places.is_empty());
            prop_assert!(places[places.len() - 1] - places[0] < width, "{:?}", places);
            prop_assert!(read(&changed).expect("a terrain") == edited);
            prop_assert!(!Diff::between(&document, &edited).is_empty());
            change(&mut edited, place);
            prop_assert_eq!(hexdiff(&bytes, &edited.to_bytes().expect("a document")), None);
        }
    }

    #[test]
    fn damaged_terrains_are_read_or_rejected(document in strategies::document(), seed in any::<u64>()) {
        let bytes = document.to_bytes().expect("a document");
        let mut rng = Rng::new(seed);
        for _ in 0..8 {
            let mutant = mutate::mutant(&bytes, &[], &mut rng);
            if let Some(document) = laws::total(&mutant, read) {
                laws::exact("a mutant", &mutant, read, Document::to_bytes);
                prop_assert!(document.validate().iter().all(|finding| !finding.message.is_empty()));
            }
        }
    }

    #[test]
    fn converted_terrains_can_be_written(document in strategies::document()) {
        // Cell size and height unit are options, not part of the file.
        let four = document.to_wvr4(&ConvertOptions::default());
        let bytes = Document::Wvr(four.document).to_bytes().expect("a 4WVR");
        prop_assert!(matches!(read(&bytes), Ok(Document::Wvr(terrain)) if terrain.version == Version::Wvr4));
        let eight = document.to_wvr8();
        prop_assert!(eight.losses.iter().chain(&four.losses).all(|loss| !loss.text.is_empty()));
        laws::model(&Document::Wvr8(eight.document), read, Document::to_bytes);
    }

    #[test]
    fn lists_preserve_all_bits(document in strategies::document()) {
        let mut csv = Vec::new();
        lists::write_csv(document.rows(), &mut csv).expect("a vector takes all");
        // A list requires a name for each object, but some documents have objects without one.
        let is_named = |object: mapwright_wrp::Object<'_>| object.model.is_some_and(|name| !name.bytes.is_empty());
        let named = document.objects().iter().all(is_named);
        prop_assert_eq!(lists::read_csv(&csv).is_ok(), named);
        let Ok(back) = lists::read_csv(&csv) else { return Ok(()) };
        let Placements::Matrices(found) = &back.placements else { panic!("matrices") };
        prop_assert!(found[..] == document.matrices()[..]);
        let names = |objects: &mapwright_wrp::Objects| {
            objects.iter().map(|object| object.model.map(|name| name.bytes.clone()).unwrap_or_default()).collect::<Vec<_>>()
        };
        prop_assert_eq!(names(&back), names(document.objects()));
        if !document.objects().ids.is_empty() {
            prop_assert_eq!(&back.ids, &document.objects().ids);
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    #[test]
    fn prefixes_are_rejected_or_shorter(document in strategies::document()) {
        let bytes = document.to_bytes().expect("a document");
        let least = shortest(&document);
        laws::prefixes(&bytes, read, |prefix, document| {
            // A 2WVR that ends within its names may be read as one with half as many.
            let is_half = matches!(document, Document::Wvr(terrain) if terrain.names.len() == 256);
            let written = document.to_bytes().expect("it was read");
            hexdiff(prefix, &written).is_none() && least.is_none_or(|least| prefix.len() >= least || is_half)
        });
        for end in least.into_iter().flat_map(|least| least..bytes.len()) {
            prop_assert!(read(&bytes[..end]).is_ok(), "{} of {} bytes", end, bytes.len());
        }
    }
}

fn flip_step(document: &mut Document, place: usize) -> bool {
    let Document::Wvr(terrain) = document else { return false };
    let count = terrain.heights.len().max(1);
    terrain.heights.get_mut(place % count).map(|height| *height ^= 0x0101).is_some()
}

fn flip_height(document: &mut Document, place: usize) -> bool {
    let Document::Wvr8(terrain) = document else { return false };
    let count = terrain.heights.len().max(1);
    let height = terrain.heights.get_mut(place % count);
    height.map(|height| *height = f32::from_bits(height.to_bits() ^ 0x8000_0001)).is_some()
}

fn flip_matrix(document: &mut Document, place: usize) -> bool {
    let Placements::Matrices(matrices) = &mut document.objects_mut().placements else { return false };
    let count = matrices.len().max(1);
    let Some(matrix) = matrices.get_mut(place % count) else { return false };
    let mut numbers = matrix.numbers();
    numbers[place % 12] = f32::from_bits(numbers[place % 12].to_bits() ^ 0x8000_0001);
    *matrix = Matrix::from_numbers(numbers);
    true
}

#[cfg(feature = "scene")]
mod scenes {
    use mapwright_wrp::scene::{ExportOptions, ImportOptions, merge_scene, to_scene};

    use super::*;

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(128))]

        #[test]
        fn merging_an_unchanged_scene_back_changes_nothing(document in strategies::document()) {
            let bytes = document.to_bytes().expect("a document");
            let mut scene = to_scene(&document, &ImportOptions::default()).expect("a scene").scene;
            // Change something else, so that every part is compared.
            scene.name = "island".to_owned();
            let mut merged = document.clone();
            merge_scene(&mut merged, &scene, &ExportOptions::default()).expect("its own scene");
            prop_assert_eq!(hexdiff(&bytes, &merged.to_bytes().expect("a document")), None);
        }
    }
}
