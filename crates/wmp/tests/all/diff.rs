//! Differences between maps.

use crate::maps;

use mapwright_wmp::diff::Diff;
use mapwright_wmp::query::{EditObjects, EditOptions};
use mapwright_wmp::{Dialect, Document, EntityKind, Light, LightFlags};

use maps::{Item, add_item, real, village};

fn edited(map: &Document, edits: &[&str]) -> Document {
    let mut map = map.clone();
    for edit in edits {
        map.apply(&edit.parse().unwrap(), &EditOptions::default()).unwrap_or_else(|error| panic!("{edit}: {error}"));
    }
    map
}

fn lines(old: &Document, new: &Document) -> Vec<String> {
    Diff::between(old, new).to_string().lines().map(str::to_owned).collect()
}

#[test]
fn equal_maps_have_no_differences() {
    for dialect in Dialect::ALL {
        let map = village(dialect);
        assert!(Diff::between(&map, &map).is_empty());
        // Items are not identified by their numbers.
        if dialect != Dialect::Resolved {
            let mut other = map.clone();
            other.blocks.swap(0, 1);
            let (first, second) = (other.blocks[0].number, other.blocks[1].number);
            (other.blocks[0].number, other.blocks[1].number) = (second, first);
            for object in &mut other.objects {
                for member in object.members.iter_mut().filter(|member| member.kind == mapwright_wmp::MemberKind::Block)
                {
                    member.number = if member.number < 2 { 1 - member.number } else { member.number };
                }
            }
            assert_eq!(lines(&map, &other), ["blocks are in another order"], "{dialect:?}");
        }
    }
}

#[test]
fn items_are_matched_before_their_fields_are_compared() {
    let mut two = village(Dialect::A7);
    for (range, place) in [(100.0, [9.0, 9.0, 9.0]), (150.0, [50.0, 9.0, 9.0])] {
        let light = Light { colour: [100.0; 3], range, flags: Some(LightFlags(0)) };
        add_item(&mut two, 0, Item::Entity(EntityKind::Light(light)), place);
    }
    let new = edited(&two, &["set kind=light: range+=50"]);
    let reported = lines(&two, &new);
    assert!(reported.len() == 3 && reported.iter().all(|line| line.contains(": range: ")), "{reported:?}");
}

#[test]
fn edits_appear_as_differences() {
    let map = village(Dialect::A7);
    let new = edited(
        &map,
        &[
            "set level: script=office.wdl, sun=\"1,2,3\"",
            "rename wad local.wad other.wad",
            "set name=guard: action=patrol, skill3=7, flags+=SHADOW",
            "set kind=path and name=round: name=square",
            "move name=Tower: 0,0,64",
            "turn kind=start and name=entry: 90",
            "rename texture wood steel",
            "move texture=brick2: 1,0,0",
            "delete kind=light and range>0",
        ],
    );
    let wanted = [
        "texture files: C:\\games\\wads\\standard.wad | local.wad → C:\\games\\wads\\standard.wad | other.wad",
        "level script: ndef → office.wdl",
        "level sun: 0, 0, 0 → 1, 2, 3",
        "~ group #2 Tower at 100, 200, 0: position: 100, 200, 0 → 100, 200, 64",
        "~ block #1 wood at 10, -20, 4: texture of face 0: wood → steel; texture of face 1: wood → steel; texture of face 2: \
         wood → steel; texture of face 3: wood → steel; texture of face 4: wood → steel; texture of face 5: wood → steel",
        "~ block #2 brick2 at 0, 300, 32: position: 0, 300, 32 → 1, 300, 32",
        "~ model #1 guard at 20, 0, 8: action: ndef → patrol; flags: 0x0 → 0x40000; skill3: 0 → 7",
        "~ path #4 round at 5, 6, 7: name: round → square",
        "~ start #5 entry at 0, -50, 0: angles: 0, 0, 0 → 1.5707963267948966, 0, 0",
        "- light #3 at 0, 0, 140",
    ];
    assert_eq!(lines(&map, &new), wanted);
    // In the other direction, the light is new.
    assert_eq!(lines(&new, &map).last().unwrap(), "+ light #3 at 0, 0, 140");
}

#[cfg(feature = "serde")]
#[test]
fn differences_are_data() {
    let map = village(Dialect::A7);
    let diff = Diff::between(&map, &edited(&map, &["delete kind=light and range>0"]));
    let data = serde_json::to_value(&diff).unwrap();
    assert_eq!(data["entities"]["removed"][0]["kind"], "light");
    assert_eq!(data["entities"]["removed"][0]["number"], 3);
}

#[test]
fn entities_without_a_name_are_described() {
    let map = village(Dialect::Binary);
    let mut other = map.clone();
    other.objects[3].word_04 = 7;
    assert_eq!(lines(&map, &other), ["other parts: unchanged → changed"]);
    let new = edited(&map, &["delete kind=group and name=Tower"]);
    let diff = Diff::between(&map, &new);
    assert_eq!((diff.groups.removed.len(), diff.blocks.removed.len(), diff.entities.removed.len()), (1, 2, 4));
    assert_eq!((diff.groups.changed.len(), diff.blocks.changed.len(), diff.entities.changed.len()), (0, 0, 0));
    let merged = {
        let mut merged = new.clone();
        let tower = map.extract(map.find(&"kind=group and name=Tower".parse().unwrap()).unwrap()[0]).unwrap();
        merged.merge(&tower, b"Keep", [0.0; 3]).unwrap();
        merged
    };
    let diff = Diff::between(&map, &merged);
    assert!(diff.blocks.removed.is_empty() && diff.blocks.added.is_empty(), "{diff}");
    assert_eq!(diff.blocks.changed[0].fields[0].to_string(), "group: (group)/Tower → Keep/(group)/Tower");
}

#[test]
fn dialects_are_compared_in_world_space() {
    let map = village(Dialect::A7);
    // The two differ only in the dialect.
    let reported = lines(&map, &village(Dialect::Binary));
    let wanted = "+ region #7 water at 0, 0, 0";
    assert!(
        reported.contains(&"dialect: 710 → wmpb".to_owned()) && reported.contains(&wanted.to_owned()),
        "{reported:#?}"
    );
    // Colours of lights are bytes there, which cannot represent the percentages of the village.
    assert!(reported.iter().all(|line| !line.starts_with("~ block") && !line.starts_with("~ model")), "{reported:#?}");
}

#[test]
#[ignore = "needs the corpus"]
fn corpus_maps_of_one_level_differ_little() {
    let maps = real();
    let pairs = |name: &str| maps.iter().find(|map| map.name == name);
    let mut changed = Vec::new();
    for map in &maps {
        let Some(other) = map.agrees.as_deref().and_then(pairs) else { continue };
        let diff = Diff::between(&map.map, &other.map);
        let items = [&diff.blocks, &diff.entities];
        assert!(items.iter().all(|items| items.added.is_empty() && items.removed.is_empty()), "{}: {diff}", map.name);
        assert_eq!((diff.facts.len(), &diff.facts[0].field[..]), (1, "dialect"), "{}: {diff}", map.name);
        if !items.iter().all(|items| items.changed.is_empty()) {
            changed.push(map.name.as_str());
        }
    }
    // Textures that were missing at build time, and fields that were set after it.
    let known = [
        "unstated/marble_level6.bak",
        "unstated/marble_level9.bak",
        "unstated/physxcar_1.bak",
        "unstated/satmond_house.dollarM",
        "unstated/satmond_house.wmp",
    ];
    assert!(maps.is_empty() || changed == known, "{changed:?}");
}
