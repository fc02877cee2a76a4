//! Any map can be numbered, checked, compared, counted and edited.

use crate::maps;
use crate::strategies::binary as strategy;

use mapwright_wmp::Document;
use mapwright_wmp::diff::Diff;
use mapwright_wmp::query::{Edit, EditObjects, EditOptions};
use proptest::prelude::*;

use maps::village;

/// Edits of every kind. Some match nothing in some maps.
const EDITS: [&str; 10] = [
    "rename texture * other",
    "rename model * other.mdl",
    "wads shift C: D:",
    "set kind=model and number>=0: skill1+=5, flags-=SHADOW, path=x",
    "set kind=block: flags=0, texture=x",
    "turn kind=group: 10,20,30 about 1,2,3",
    "scale kind=entity and x>0: 2,3,4",
    "set kind=block and texture=* and faces<3: x+=1, y+=2, z+=3",
    "delete kind=group and members>1",
    "extract kind=group and number=1",
];

fn is_sound(map: &Document) {
    let mut numbered = map.clone();
    numbered.renumber();
    let once = numbered.clone();
    numbered.renumber();
    // NaN differs from itself.
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
        let done = edited.apply(&text.parse::<Edit>().unwrap(), &EditOptions::default());
        if done.is_ok() {
            let _ = (Diff::between(map, &edited).to_string(), edited.to_bytes().is_ok());
        }
        let mut merged = map.clone();
        let _ = merged.merge(&edited, b"merged", [1.0, 0.0, 0.0]);
    }
}

#[test]
#[ignore = "needs the corpus"]
fn hostile_corpus_files_are_sound_if_readable() {
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
