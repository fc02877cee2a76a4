//! The laws of reading and writing, for documents with every part of the formats.

use mapwright_testkit::{laws, mutate};
use mapwright_wapart::{Game, Image, ImageSets, Palette, ani, pcx, pid};
use proptest::prelude::*;

use crate::strategies;
use crate::support::{read_ani, read_pcx, read_pid};

proptest! {
    #![proptest_config(ProptestConfig::with_cases(128))]

    #[test]
    fn pid_images_round_trip(image in strategies::pid()) {
        let bytes = laws::model(&image, read_pid, pid::Document::to_bytes);
        laws::exact("an image", &bytes, read_pid, pid::Document::to_bytes);
        laws::stable(&bytes, read_pid, pid::Document::to_bytes);
        // Bytes after the last pixel can be cut.
        laws::prefixes(&bytes, read_pid, |_, shorter| !image.trailing.is_empty() && shorter.indices == image.indices);
        let mut written = Vec::new();
        image.write_to(&mut written).expect("a vector takes all");
        prop_assert!(written == bytes && pid::Document::from_reader(&bytes[..]).expect("an image") == image);
    }

    #[test]
    fn pcx_images_round_trip(image in strategies::pcx()) {
        let bytes = laws::model(&image, read_pcx, pcx::Document::to_bytes);
        laws::exact("an image", &bytes, read_pcx, pcx::Document::to_bytes);
        laws::stable(&bytes, read_pcx, pcx::Document::to_bytes);
        // Without its start, a palette is bytes after the last row.
        let has_end = image.palette.is_some() || !image.trailing.is_empty();
        laws::prefixes(&bytes, read_pcx, |_, shorter| has_end && shorter.rows == image.rows);
        let pixels = (image.width() * image.height()) as usize;
        let found = image.indices().map(|indices| indices.len()).or(image.rgb().map(|rgb| rgb.len() / 3));
        prop_assert_eq!(found, Some(pixels));
    }

    #[test]
    fn animations_round_trip(animation in strategies::ani()) {
        let bytes = laws::model(&animation, read_ani, ani::Document::to_bytes);
        laws::exact("an animation", &bytes, read_ani, ani::Document::to_bytes);
        laws::stable(&bytes, read_ani, ani::Document::to_bytes);
        laws::prefixes(&bytes, read_ani, |_, shorter| {
            !animation.trailing.is_empty() && shorter.records == animation.records
        });
        prop_assert!(animation.validate().iter().all(|finding| !finding.message.is_empty()));
    }

    #[test]
    fn an_edit_of_a_pixel_changes_only_its_row(image in strategies::pid(), place in any::<prop::sample::Index>()) {
        let bytes = image.to_bytes().expect("a document");
        let mut edited = read_pid(&bytes).expect("an image");
        let place = place.index(edited.indices.len());
        if edited.skipped.get(place) == Some(&true) {
            return Ok(());
        }
        edited.indices[place] ^= 0x21;
        let changed = edited.to_bytes().expect("a document");
        let again = read_pid(&changed).expect("an image");
        prop_assert!(again == edited && again != image);
        // Rows before it have the same bytes.
        let row = place / image.width as usize;
        let same = bytes.iter().zip(&changed).take_while(|(old, new)| old == new).count();
        let before = packed_size(image, row);
        prop_assert!(same >= before, "{} of {} bytes", same, before);
    }

    #[test]
    fn damaged_files_give_a_document_or_an_error(image in strategies::pid(), seed in any::<u64>()) {
        let bytes = image.to_bytes().expect("a document");
        for mutant in mutate::random(&bytes, &[], seed).take(20) {
            let Some(read) = laws::total(&mutant, read_pid) else { continue };
            laws::exact("a damaged image", &mutant, read_pid, pid::Document::to_bytes);
            let pixels = read.indices.len();
            prop_assert!(Image::from(read).to_rgba(Game::Gruntz, None).len() == 4 * pixels);
        }
    }

    #[test]
    fn any_bytes_give_a_document_or_an_error(bytes in prop::collection::vec(any::<u8>(), 0..200)) {
        for name in ["A.PID", "A.PCX", "A.RID"] {
            let _ = Image::from_file(name.as_bytes(), &bytes);
        }
        prop_assert!(Palette::from_bytes(&bytes).is_err());
        laws::total(&bytes, read_ani);
    }

    #[test]
    fn any_paths_can_be_indexed(paths in prop::collection::vec("[A_/\\\\.0-1é]{0,12}(\\.PID)?", 0..20), root in "[A_/\\\\]{0,5}") {
        let mut sets = ImageSets::new(&paths);
        sets.add_root(root.as_bytes(), b"");
        for set in sets.iter() {
            prop_assert_eq!(sets.get(&set.key), Some(set));
            prop_assert!(set.frames.iter().all(|(_, file)| paths[file].ends_with("PID")) && !set.frames.is_empty());
        }
    }
}

/// Returns the size of the header and the pixels of the first rows.
fn packed_size(mut image: pid::Document, rows: usize) -> usize {
    if rows == 0 {
        return 32;
    }
    image.height = u32::try_from(rows).expect("it is small");
    image.indices.truncate(rows * image.width as usize);
    image.skipped.truncate(image.indices.len());
    image.trailing.clear();
    image.set_palette(None);
    image.to_bytes().expect("a part of an image").len()
}
