//! Overviews match the documents.

use mapwright_testkit::{corpus, files_below, workspace};
use mapwright_wwd::{Document, ImageSets, Objects, Overview, Plane, ReadOptions, Tiles};

fn same(bytes: &[u8], start: usize) -> bool {
    let Ok(document) = Document::from_bytes(bytes) else { return false };
    let overview = Overview::from_bytes_with(&bytes[..bytes.len().min(start)], &ReadOptions::default());
    let Ok(overview) = overview else { return false };
    assert_eq!(overview.header, document.header);
    assert_eq!(overview.planes.len(), document.planes.len());
    for (found, plane) in overview.planes.iter().zip(&document.planes) {
        assert_eq!(found.num_objects as usize, plane.objects.len());
        let bare =
            Plane { tiles: Tiles::new(), image_sets: ImageSets::new(), objects: Objects::new(), ..plane.clone() };
        assert_eq!(found.plane, bare);
    }
    assert_eq!(overview.main_plane().map(|plane| plane.name), document.main_plane().map(|plane| plane.name));
    true
}

#[test]
fn an_overview_matches_the_document() {
    let mut seen = 0;
    let folders = [Some(workspace().join("fixtures/wwd")), corpus("wwd")];
    for path in folders.into_iter().flatten().flat_map(|folder| files_below(&folder)) {
        let bytes = std::fs::read(&path).unwrap();
        let whole = Document::from_bytes(&bytes).is_ok();
        assert_eq!(same(&bytes, usize::MAX), whole, "{}", path.display());
        seen += usize::from(same(&bytes, 8192));
    }
    assert!(seen >= 7, "{seen}");
}

#[test]
fn every_prefix_is_a_document_or_an_error() {
    let bytes = std::fs::read(workspace().join("fixtures/wwd/claw.wwd")).unwrap();
    for end in 0..bytes.len() {
        let _ = Overview::from_bytes_with(&bytes[..end], &ReadOptions::default());
    }
    let mut bytes = bytes;
    // Four billion planes.
    bytes[0x2DC..0x2E0].copy_from_slice(&[0xFF; 4]);
    assert!(Overview::from_bytes_with(&bytes, &ReadOptions::default()).is_err());
    bytes[0x2E0..0x2E4].copy_from_slice(&[0xFF; 4]);
    assert!(Overview::from_bytes_with(&bytes, &ReadOptions::default()).is_err());
}
