//! Whatever a map says, it can be numbered, checked, compared, counted and edited.

use crate::maps;
use crate::strategies::binary as strategy;

use mapwright_wmp::Document;
use mapwright_wmp::diff::Diff;
use mapwright_wmp::edit::Edit;
use proptest::prelude::*;

use maps::village;

/// Edits of every kind; some mean nothing in some maps.
const EDITS: [&str; 10] = [
    "textures rename * other",
    "files rename * other.mdl",
    "wads shift C: D:",
    "set model * skill1+=5 flags-=SHADOW path=x where number>=0",
    "set block * flags=0 texture=x",
    "turn group * 10,20,30 about 1,2,3",
    "scale entity * 2,3,4 where x>0",
    "move block * 1,2,3 where texture=* faces<3",
    "delete group * where members>1 number>0",
    "extract group #1",
];

fn is_sound(map: &Document) {
    let mut numbered = map.clone();
    numbered.renumber();
    let once = numbered.clone();
    numbered.renumber();
    // Numbers that are none are not equal to themselves.
    assert_eq!(format!("{numbered:?}"), format!("{once:?}"));
    for finding in numbered.validate() {
        assert!(
            !["member-missing", "member-cycle", "member-twice", "numbering", "block-index", "member-word", "counts"]
                .contains(&finding.code),
            "{finding}"
        );
    }
    let _ = (map.validate(), map.census().to_string());
    let diff = Diff::between(map, map);
    assert!(diff.is_empty(), "{diff}");
    for text in EDITS {
        let mut edited = map.clone();
        let done = edited.apply(&text.parse::<Edit>().unwrap());
        if done.is_ok() {
            let _ = (Diff::between(map, &edited).to_string(), edited.to_bytes().is_ok());
        }
        let mut merged = map.clone();
        let _ = merged.merge(&edited, b"merged", [1.0, 0.0, 0.0]);
    }
}

#[test]
fn hostile_files_are_sound_if_they_can_be_read() {
    let Some(folder) = mapwright_testkit::corpus("wmp") else { return };
    let codes = |name: &str| -> Vec<&'static str> {
        let bytes = std::fs::read(folder.join("synthetic").join(name)).unwrap();
        let findings = Document::from_bytes(&bytes).unwrap().validate();
        findings.iter().map(|finding| finding.code).collect()
    };
    assert!(codes("hostile_cycle.wmp").contains(&"member-cycle"));
    assert!(codes("hostile_missing_member.wmp").contains(&"member-missing"));
    assert!(codes("hostile_owned_twice.wmp").contains(&"member-twice"));
    assert!(codes("hostile_zero_scale.wmp").contains(&"scale-zero"));
    for entry in std::fs::read_dir(folder.join("synthetic")).unwrap() {
        if let Ok(map) = Document::from_bytes(&std::fs::read(entry.unwrap().path()).unwrap()) {
            is_sound(&map);
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(64) })]

    #[test]
    fn any_map_is_sound(map in strategy::document()) {
        is_sound(&map);
    }

    #[test]
    fn maps_with_other_members_are_sound(
        dialect in prop::sample::select(&mapwright_wmp::Dialect::ALL[..]),
        changes in prop::collection::vec((0_usize..14, 0_usize..3, 0_u32..16), 1..8),
    ) {
        let mut map = village(dialect);
        let count = map.objects.len();
        for (object, member, number) in changes {
            if let Some(member) = map.objects[object % count].members.get_mut(member) {
                member.number = number;
            }
        }
        is_sound(&map);
    }
}
