//! Edits written as text do what they say.

use crate::strategies;

use mapwright_wwd::edit::{Edit, EditError, Edited};
use mapwright_wwd::{Document, PlaneFlags};
use proptest::prelude::*;

/// Applies lines to a level, and gives what each says.
fn apply(document: &mut Document, lines: &[&str]) -> Vec<String> {
    let one = |line: &&str| {
        let edit: Edit = line.parse().unwrap_or_else(|error| panic!("{line}: {error}"));
        document.apply(&edit).unwrap_or_else(|error| panic!("{line}: {error}")).to_string()
    };
    lines.iter().map(one).collect()
}

#[test]
fn words_and_values_may_stand_in_quotes() {
    let mut document = Document::new();
    apply(
        &mut document,
        &[
            "plane add \"Front\" 2x2",
            "objects add Front logic='Big Door' x=1",
            "objects set name=\"a  b\" where logic=\"Big Door\" plane='Front'",
            "level rename \"Two  words\"",
        ],
    );
    let object = &document.planes[0].objects[0];
    assert_eq!((&object.logic[..], &object.name[..]), (&b"Big Door"[..], &b"a  b"[..]));
    assert_eq!(document.header.name.text(), b"Two  words");
    apply(&mut document, &["level rename Rock 'n' \"Roll\""]);
    assert_eq!(document.header.name.text(), b"Rock 'n' \"Roll\"");
    // They are printed as they are read.
    for text in ["logic=\"\\x22a\\x22\"", "name='\"a\"'", "name=a\\x20b", "name=\"\"a\" logic=b\""] {
        let query: mapwright_wwd::edit::Query = text.parse().unwrap();
        assert_eq!(query.to_string().parse::<mapwright_wwd::edit::Query>().unwrap(), query, "{text} {query}");
    }
}

#[test]
fn what_is_odd_about_an_edit_is_said() {
    let mut document = Document::new();
    let said = apply(
        &mut document,
        &[
            "plane add Action 2x2 flags=MAIN",
            "plane add Back 2x2",
            "level set checksum=5",
            "plane remove Back",
            "plane remove #main",
        ],
    );
    assert!(
        said[2].ends_with("; the checksum is made anew when the level is written, as its content has changed"),
        "{said:?}"
    );
    assert_eq!(said[3], "plane Back removed with 0 objects");
    assert!(said[4].contains("; no plane is the main plane now") && said[4].contains("flags+=MAIN"), "{said:?}");
    let refused = |document: &mut Document, line: &str| document.apply(&line.parse().unwrap()).unwrap_err().to_string();
    assert_eq!(
        refused(&mut document, "plane add New 2x2 tile=0"),
        "tiles of 0 pixels: say 64, as Claw has, or 32, as Gruntz"
    );
    apply(&mut document, &["plane add New 2x2"]);
    assert!(refused(&mut document, "plane set New tile_w=-1").starts_with("tiles of -1 pixels"));
    let mut read = Document::from_bytes(&document.to_bytes().unwrap()).unwrap();
    let right = read.header.checksum;
    let said = apply(&mut read, &["level set checksum=5", &format!("level set checksum={right}")]);
    assert_eq!(said, ["1 fields changed; no known program makes that checksum: check --fix does", "1 fields changed"]);
}

#[test]
fn a_level_is_made_of_lines() {
    let mut document = Document::new();
    let said = apply(
        &mut document,
        &[
            "level rename Claw - Level 3",
            "level set author=A\\x20B image_dir=\\LEVEL3\\TILES",
            "plane add Action 6x4 tile=32 flags=MAIN",
            "plane add Back 2x2 at=0 movement_x=50",
            "plane set Back z_coord=-999 flags+=WRAP_X",
            "tiles fill Action 0,3,6,1 17",
            "tiles replace #main 17 18 2,3,1,1",
            "tiles replace #main 18 fill",
            "tiles copy Action 1,3,2,1 Back 0,1",
            "objects add Action logic=Rat image_set=LEVEL_RAT x=70 y=10 min_x=32",
            "objects add Action logic=Soldier image_set=LEVEL_SOLDIER x=100 y=10",
            "objects set speed_x=150 where logic=Rat x>=10",
            "objects set z=4000",
            "images rename LEVEL_RAT LEVEL_PUNKRAT",
            "objects remove where logic=Soldier",
            "plane resize Action 7x4 right",
            "plane resize Action 6x4 -1,0",
            "level rename Claw - Level 4",
            "plane remove Back",
        ],
    );
    let expected = [
        "level renamed; its number was none and is 3, by which the game chooses its images",
        "2 fields changed",
        "plane #0 added",
        "plane #0 added",
        "2 fields changed",
        "6 cells changed",
        "1 cells changed",
        "1 cells changed",
        "2 cells changed",
        "object #0 added to plane #1",
        "object #1 added to plane #1",
        "1 of 1 objects changed",
        "2 of 2 objects changed",
        "0 image sets of planes and 1 objects renamed",
        "1 objects removed",
        "plane resized: 4 cells added, 0 tiles lost, moved by 1,0 with 1 objects (1 of them with places in other fields)",
        "plane resized: 0 cells added, 0 tiles lost, moved by -1,0 with 1 objects (1 of them with places in other fields)",
        "level renamed; its number was 3 and is 4, by which the game chooses its images",
        "plane Back removed with 0 objects",
    ];
    assert_eq!(said, expected);
    let [plane] = &document.planes[..] else { panic!("one plane") };
    assert_eq!((plane.tile_w, plane.width_px, plane.flags), (32, 192, PlaneFlags::MAIN));
    assert_eq!(plane.tiles[18..], [17, 17, 0xEEEE_EEEE, 17, 17, 17]);
    let [rat] = &plane.objects[..] else { panic!("one object") };
    assert_eq!((rat.id, rat.x, rat.min_x, rat.speed_x, rat.z, rat.i), (1, 70, 32, 150, 4000, -1));
    assert_eq!(rat.image_set, b"LEVEL_PUNKRAT");
    assert_eq!((document.header.author.text(), document.header.name.text()), (&b"A B"[..], &b"Claw - Level 4"[..]));
    let again = Document::from_bytes(&document.to_bytes().unwrap()).unwrap();
    assert_eq!(again.planes, document.planes);
}

#[test]
fn what_is_no_edit_is_refused() {
    for line in [
        "",
        "plane",
        "plane add A",
        "plane add A 4",
        "plane add A 4x-1",
        "plane add A 4x4 tile=x",
        "plane resize A 4x4 middle",
        "plane resize A 4x4 top left",
        "plane set A",
        "tiles fill A 0,0,1 3",
        "tiles replace A 1 2 0,0,1,1 5",
        "objects remove",
        "objects remove where",
        "objects set",
        "objects set where x=1",
        "objects set x=1 where y",
        "level rename T\u{142}o",
        "images rename A",
        "object remove where x=1",
        "objects set x=1 where",
        "level rename",
    ] {
        assert!(line.parse::<Edit>().is_err(), "{line}");
    }
    let error = "objects set speed=1 where nothing=2".parse::<Edit>().unwrap_err();
    assert!(error.to_string().starts_with("there is no field nothing: fields are id "), "{error}");
    let error = "plane set Action".parse::<Edit>().unwrap_err();
    assert_eq!(error.to_string(), "\"plane set Action\" is not an edit with assignments, as speed_x=150");
}

#[test]
fn an_edit_that_fails_changes_nothing() {
    let mut document = Document::new();
    apply(&mut document, &["plane add Action 6x4 flags=MAIN", "objects add Action x=2147483647"]);
    let before = document.clone();
    for line in [
        "plane add Front 70000x70000",
        "plane add Front 4x4 at=2",
        "plane add Front 4x4 tiles_wide=5",
        "plane remove Front",
        "plane resize Action 7x4 right",
        "tiles fill Action 0,0,7,1 1",
        "tiles copy Action 0,0,2,2 Action 5,3",
        "objects add Action id=1 x=y",
        "objects add Front x=1",
        "objects set z=1 x+=1",
        "images rename \\x00 A",
        "level rename 0123456789012345678901234567890123456789012345678901234567890123",
        "level set start_x=1 nothing=2",
    ] {
        let edit: Edit = line.parse().unwrap();
        assert!(document.apply(&edit).is_err(), "{line}");
        assert_eq!(document, before, "{line}");
    }
    let edit: Edit = "plane remove Front".parse().unwrap();
    assert!(matches!(document.apply(&edit), Err(EditError::NoPlane { .. })));
    let edit: Edit = "objects set z=0".parse().unwrap();
    assert!(matches!(document.apply(&edit), Ok(Edited::ObjectsSet(_))));
}

proptest! {
    #[test]
    fn any_text_is_answered(
        verb in prop::sample::select(vec![
            "plane add", "plane remove", "plane resize", "plane set", "tiles fill", "tiles replace", "tiles copy",
            "objects add", "objects remove where", "objects set", "images rename", "level rename", "level set",
        ]),
        words in prop::collection::vec(prop_oneof![
            Just("#0".to_owned()), Just("where".to_owned()), "[0-9]{1,2}x[0-9]{1,2}", "[0-4],[0-4],[0-2],[0-2]", "-?[0-9]{1,10},-?[0-9]{1,10}",
            "(x|tile_w|flags|name|i|start_x)[-+]?=-?[0-9]{1,10}", "(x|logic|z)[<>=~]{1,2}[0-9]{0,3}", "[0-9]{1,3}", "\\PC{0,5}",
        ], 0..5),
        mut document in strategies::document(),
    ) {
        let line = format!("{verb} {}", words.join(" "));
        let before = document.clone();
        if let Ok(edit) = line.parse::<Edit>() {
            match document.apply(&edit) {
                Ok(edited) => prop_assert!(!edited.to_string().is_empty()),
                Err(_) => prop_assert_eq!(document, before),
            }
        }
    }
}
