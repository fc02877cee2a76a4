//! Recovery of damaged levels.

use mapwright_testkit::{fixtures_as, mutate};
use mapwright_wwd::{Cell, Document, ReadOptions, Rescued};

fn rescue(bytes: &[u8]) -> Rescued<Document> {
    let rescued = Document::rescue(bytes, &ReadOptions::default()).unwrap();
    assert!(Document::from_bytes(&rescued.document.to_bytes().unwrap()).is_ok());
    rescued
}

#[test]
fn whole_parts_of_cut_levels_survive() {
    for (name, bytes, whole) in fixtures_as("wwd", Document::from_bytes) {
        assert!(rescue(&bytes).losses.is_empty());
        // The headers of the planes are at the end of this level.
        if name == "moved.wwd" {
            continue;
        }
        let start = whole.header.header_size as usize;
        let mut counts = Vec::new();
        for part in 1..=20 {
            let cut = &bytes[..start + (bytes.len() - start) * part / 21];
            if Document::from_bytes(cut).is_ok() {
                // Only bytes after the level are missing.
                continue;
            }
            let Ok(_) = Document::rescue(cut, &ReadOptions::default()) else {
                assert!(counts.is_empty(), "{name}: {part}");
                continue;
            };
            let rescued = rescue(cut);
            assert!(!rescued.losses.is_empty());
            for (found, plane) in rescued.document.planes.iter().zip(&whole.planes) {
                assert!(found.name == plane.name && found.tiles.len() == plane.tiles.len());
                let same = found.tiles.iter().zip(&*plane.tiles).take_while(|(found, word)| found == word).count();
                assert!(found.tiles[same..].iter().all(|word| *word == Cell::EMPTY), "{name}: {part}");
                assert!(plane.objects.starts_with(&found.objects), "{name}: {part}");
            }
            let objects = |level: &Document| level.planes.iter().map(|plane| plane.objects.len()).sum::<usize>();
            counts.push(objects(&rescued.document));
            assert!(counts.last() <= Some(&objects(&whole)));
        }
        assert!(counts.is_sorted() && !counts.is_empty(), "{name}: {counts:?}");
    }
}

#[test]
fn a_wrong_checksum_of_the_stream_changes_nothing() {
    for (name, mut bytes, whole) in fixtures_as("wwd", Document::from_bytes) {
        if name != "claw.wwd" {
            continue;
        }
        *bytes.last_mut().unwrap() ^= 1;
        assert!(Document::from_bytes(&bytes).is_err());
        let rescued = rescue(&bytes);
        assert!(rescued.document.planes == whole.planes && rescued.document.tile_properties == whole.tile_properties);
        let texts: Vec<String> = rescued.losses.iter().map(ToString::to_string).collect();
        assert_eq!(texts, ["repaired: main_block: the checksum differs: values may be damaged"]);
    }
}

#[test]
fn damaged_levels_are_rescued_or_refused() {
    for (name, bytes, _) in fixtures_as("wwd", Document::from_bytes) {
        for damaged in mutate::byte_flips(&bytes).step_by(3) {
            match Document::rescue(&damaged, &ReadOptions::default()) {
                Ok(rescued) => assert!(rescued.document.to_bytes().is_ok(), "{name}"),
                Err(error) => assert!(error.position().is_some(), "{name}: {error}"),
            }
        }
    }
}

#[test]
fn missing_cells_of_huge_planes_are_not_stored() {
    let (_, mut bytes, _) =
        fixtures_as("wwd", Document::from_bytes).into_iter().find(|(name, ..)| name == "plain.wwd").unwrap();
    // The columns and rows of the first plane.
    for at in [1524 + 0x60, 1524 + 0x64] {
        bytes[at..at + 4].copy_from_slice(&100_000_i32.to_le_bytes());
    }
    if let Ok(rescued) = Document::rescue(&bytes, &ReadOptions::default()) {
        assert!(
            rescued.losses.iter().any(|loss| loss.text == "a plane whose cells are missing"),
            "{:?}",
            rescued.losses
        );
        assert!(rescued.document.planes.iter().all(|plane| plane.tiles.len() < 1 << 20));
    }
}
