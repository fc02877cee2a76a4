//! Differences between terrains.

use mapwright_wrp::diff::Diff;
use mapwright_wrp::query::{EditObjects, EditOptions};
use mapwright_wrp::{Builder, Document, Matrix, Name, Wvr};

fn island(count: i32) -> Document {
    let mut terrain = Wvr::new([4, 4]);
    let mut builder = Builder::default();
    for id in 0..count {
        let model = builder.add_model(&Name::new(format!("data3d\\{}.p3d", id % 3)));
        let [x, z] = [id % 100, id / 100].map(|place| f32::from(i16::try_from(place).unwrap()));
        builder.push(model, Matrix::from_position([x, 0.0, z]), Some(id));
    }
    terrain.objects = builder.finish();
    Document::Wvr(terrain)
}

fn diff(edits: &[&str]) -> String {
    let old = island(6);
    let mut new = old.clone();
    for edit in edits {
        new.apply(&edit.parse().unwrap(), &EditOptions::default()).unwrap();
    }
    let diff = Diff::between(&old, &new);
    assert_eq!(diff.is_empty(), old == new);
    diff.to_string()
}

#[test]
fn a_terrain_does_not_differ_from_itself() {
    assert_eq!(diff(&[]), "");
    let document = island(0);
    assert!(Diff::between(&document, &document).is_empty());
}

#[test]
fn objects_are_matched_by_their_fields() {
    assert_eq!(diff(&["delete id=2"]), "object removed: #2 (ID 2) data3d\\2.p3d at 2, 0, 0\n");
    assert_eq!(diff(&["move id=4: 1,2,3"]), "object changed: #4 (ID 4) data3d\\1.p3d at 4, 0, 0, moved by 1, 2, 3\n");
    assert_eq!(diff(&["set id=4: id=99"]), "object changed: #4 (ID 4) data3d\\1.p3d at 4, 0, 0, new ID 99\n");
    assert_eq!(
        diff(&["set id=4: model=new.p3d"]),
        "object changed: #4 (ID 4) data3d\\1.p3d at 4, 0, 0, new model new.p3d\n"
    );
    assert_eq!(diff(&["objects renumber 100"]).lines().count(), 6);
}

#[test]
fn grids_and_names_are_compared() {
    let text = diff(&["crop 0,0 2x4"]);
    assert_eq!(text.lines().next(), Some("heights: 4×4 → 2×4"), "{text}");
    let old = island(0);
    let mut new = old.clone();
    let Document::Wvr(terrain) = &mut new else { panic!("a 4WVR") };
    terrain.heights[5] = 200;
    terrain.heights[6] = -100;
    terrain.textures[0] = 3;
    terrain.names[3].raw[..5].copy_from_slice(b"a.paa");
    terrain.terminator = None;
    let text = Diff::between(&old, &new).to_string();
    let expected =
        ["heights: 1,1 2x1: 2 changed, by -4.5 m to 9 m", "cells: 0,0 1x1: 1 changed", "name 3: \"\" → \"a.paa\""];
    assert_eq!(text.lines().skip(1).collect::<Vec<_>>(), expected);
    assert!(text.starts_with("end of the objects: "));
}

#[test]
fn many_objects_are_compared_fast() {
    let old = island(100_000);
    let mut new = old.clone();
    new.apply(&"delete x=7".parse().unwrap(), &EditOptions::default()).unwrap();
    new.apply(&"objects renumber".parse().unwrap(), &EditOptions::default()).unwrap();
    let diff = Diff::between(&old, &new);
    assert_eq!((diff.objects.removed.len(), diff.objects.added.len()), (1000, 0));
    assert!(diff.to_string().lines().count() < 500);
}
