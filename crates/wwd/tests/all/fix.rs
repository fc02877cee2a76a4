//! Repairs remove the findings of validation and change nothing else.

use mapwright_testkit::{files_below, workspace};
use mapwright_wwd::io::Severity;
use mapwright_wwd::{Checksum, Document, FixOptions, Object};

fn read(name: &str) -> (Vec<u8>, Document) {
    let bytes = std::fs::read(workspace().join("fixtures/wwd").join(name)).unwrap();
    let document = Document::from_bytes(&bytes).unwrap();
    (bytes, document)
}

fn codes(document: &Document) -> Vec<&'static str> {
    document.validate().iter().map(|finding| finding.code).collect()
}

#[test]
fn valid_levels_stay_the_same() {
    for path in files_below(&workspace().join("fixtures/wwd")).iter().filter(|path| path.extension().is_some()) {
        let Ok(mut document) = Document::from_bytes(&std::fs::read(path).unwrap()) else { continue };
        let before = document.clone();
        let fixes = document.fix(&FixOptions::default());
        assert_eq!(document == before, fixes.is_empty(), "{}", path.display());
        assert_eq!(document.fix(&FixOptions::default()), [], "{}: twice", path.display());
    }
}

#[test]
fn the_checksum_is_repaired_and_nothing_else_changes() {
    let (bytes, mut document) = read("claw.wwd");
    document.header.checksum ^= 1;
    let broken = document.to_bytes().unwrap();
    let mut document = Document::from_bytes(&broken).unwrap();
    let fixes = document.fix(&FixOptions::default());
    assert_eq!(fixes.iter().map(|fix| fix.code).collect::<Vec<_>>(), ["checksum"]);
    assert!(document.to_bytes().unwrap() == bytes);
}

#[test]
fn a_checksum_without_its_last_term_is_named() {
    let (_, mut document) = read("claw.wwd");
    let main = document.to_main_block().unwrap();
    let sum = Checksum::WithoutLastTerm.compute(document.stored_block().unwrap(), &main, true);
    document.header.checksum = sum;
    let findings = document.validate();
    let found: Vec<_> = findings.iter().filter(|finding| finding.code == "checksum").collect();
    assert!(
        matches!(found[..], [finding] if finding.severity == Severity::Note && finding.message.contains("last term")),
        "{found:?}"
    );
}

#[test]
fn sizes_in_pixels_are_repaired() {
    let (_, mut document) = read("plain.wwd");
    document.planes[1].width_px += 7;
    document.header.main_block_size = 99;
    let fixes = document.fix(&FixOptions::default());
    let found: Vec<String> = fixes.iter().map(|fix| format!("{} {}", fix.code, fix.path)).collect();
    assert_eq!(found, ["pixel-size planes[1]", "block-size header.main_block_size"]);
    let plane = &document.planes[1];
    assert_eq!(plane.width_px, plane.tiles_wide * plane.tile_w);
    let written = Document::from_bytes(&document.to_bytes().unwrap()).unwrap();
    assert!(!codes(&written).iter().any(|code| ["checksum", "pixel-size", "block-size"].contains(code)));
}

#[test]
fn the_declared_size_of_a_compressed_block_is_ignored() {
    let (bytes, mut document) = read("claw.wwd");
    document.header.main_block_size = 5;
    assert!(document.to_bytes().unwrap() == bytes);
}

#[test]
fn objects_and_properties_are_repaired_on_request() {
    let (_, mut document) = read("claw.wwd");
    let main = document.main_plane_index().unwrap();
    let count = document.planes[main].objects.len();
    let lost = Object { x: -1, logic: b"Rat".to_vec(), ..Object::default() };
    document.planes[main].objects.insert(0, lost);
    document.planes[main].objects.push(Object::default());
    let items = document.tile_properties.as_ref().unwrap().items.len();
    document.planes[main].tiles[0] = u32::try_from(items).unwrap() + 2;
    assert_eq!(document.fix(&FixOptions::default()), []);
    let options = FixOptions::default().with_dropped_objects(true).with_missing_properties(true);
    let mut found: Vec<&str> = document.fix(&options).iter().map(|fix| fix.code).collect();
    found.dedup();
    assert_eq!(found, ["object-outside", "object-logic", "tile-range"]);
    assert!(document.planes[main].objects.len() <= count);
    let table = document.tile_properties.as_ref().unwrap();
    assert_eq!((table.items.len(), table.items[items].width), (items + 3, table.items[0].width));
    assert!(!codes(&document).iter().any(|code| ["object-outside", "object-logic", "tile-range"].contains(code)));
    document.tile_properties = None;
    assert_eq!(document.fix(&options)[0].code, "no-properties");
}

#[test]
fn a_changed_block_has_the_checksum_of_its_profile() {
    let (_, mut document) = read("wapmap.wwd");
    document.header.checksum = 1;
    let mut document = Document::from_bytes(&document.to_bytes().unwrap()).unwrap();
    document.planes[0].height_px += 1;
    document.fix(&FixOptions::default());
    let written = Document::from_bytes(&document.to_bytes().unwrap()).unwrap();
    let main = written.to_main_block().unwrap();
    let sum = Checksum::from(document.profile).compute(written.stored_block().unwrap(), &main, true);
    assert_eq!(written.header.checksum, sum);
}
