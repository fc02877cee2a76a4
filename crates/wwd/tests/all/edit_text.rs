//! Edits as text.

use crate::{strategies, support};

use mapwright_wwd::edit::{Edit, EditObjects, EditOptions, Objects, Query};
use mapwright_wwd::{Document, FieldValue, Object, PlaneFlags};
use proptest::prelude::*;

/// Applies lines to a level, and returns their reports.
fn apply(document: &mut Document, lines: &[&str]) -> Vec<String> {
    let one = |line: &&str| support::edit(document, line).unwrap_or_else(|error| panic!("{line}: {error}")).to_string();
    lines.iter().map(one).collect()
}

#[test]
fn words_and_values_can_be_quoted() {
    let mut document = Document::new();
    apply(
        &mut document,
        &[
            "add plane name=\"Front\", size=2x2",
            "add object plane=Front, logic='Big Door', x=1",
            "set logic=\"big door\" and plane='Front': name=\"a  b\"",
            "set level: name=\"Two  words\"",
        ],
    );
    let object = &document.planes[0].objects[0];
    assert_eq!((&object.logic[..], &object.name[..]), (&b"Big Door"[..], &b"a  b"[..]));
    assert_eq!(document.header.name.text(), b"Two  words");
    apply(&mut document, &["set level: name=Rock 'n' \"Roll\""]);
    assert_eq!(document.header.name.text(), b"Rock 'n' \"Roll\"");
}

#[test]
fn reports_warn_about_side_effects() {
    let mut document = Document::new();
    let reports = apply(
        &mut document,
        &[
            "add plane name=Action, size=2x2, flags=MAIN",
            "add plane name=Back, size=2x2",
            "set level: checksum=5",
            "delete kind=plane and name=Back",
            "delete kind=plane and name=action",
        ],
    );
    assert!(
        reports[2].ends_with("; the checksum is computed again when the level is written, as its content has changed"),
        "{reports:?}"
    );
    assert_eq!(reports[3], "1 plane deleted with 0 objects");
    assert!(
        reports[4].contains("; no plane is the main plane now") && reports[4].contains("flags+=MAIN"),
        "{reports:?}"
    );
    let reports = apply(
        &mut document,
        &[
            "add plane name=A, size=1x1, flags=MAIN",
            "add plane name=B, size=1x1",
            "set kind=plane: flags=MAIN",
            "set kind=plane: movement_x=5",
            "set name=B: flags-=MAIN",
        ],
    );
    let has_note: Vec<bool> =
        reports.iter().map(|report| report.contains("; 2 planes are main planes now: ")).collect();
    assert_eq!(has_note, [false, false, true, false, false], "{reports:?}");
    apply(&mut document, &["delete kind=plane"]);
    let error = support::edit(&mut document, "add plane name=New, size=2x2, tile=0").unwrap_err();
    assert_eq!(error.to_string(), "invalid tile size 0: expected 64 (Claw) or 32 (Gruntz)");
    apply(&mut document, &["add plane name=New, size=2x2"]);
    let error = support::edit(&mut document, "set name=New: tile_w=-1").unwrap_err();
    assert!(error.to_string().starts_with("invalid tile size -1"), "{error}");
    let mut read = Document::from_bytes(&document.to_bytes().unwrap()).unwrap();
    let right = read.header.checksum;
    let reports = apply(&mut read, &["set level: checksum=5", &format!("set level: checksum={right}")]);
    assert_eq!(
        reports,
        ["1 field changed; the checksum is that of no known program; `check --fix` repairs it", "1 field changed"]
    );
}

#[test]
fn lines_create_a_level() {
    let mut document = Document::new();
    let reports = apply(
        &mut document,
        &[
            "set level: name=Claw - Level 3",
            "set level: author=A\\x20B, image_dir=\\LEVEL3\\TILES",
            "add plane name=Action, size=6x4, tile=32, flags=MAIN",
            "add plane: name=Back, size=2x2, at=0, movement_x=50",
            "set kind=plane and name=Back: z_coord=-999, flags+=WRAP_X",
            "tiles fill Action 0,3,6,1 17",
            "tiles replace #main 17 18 2,3,1,1",
            "tiles replace #main 18 fill",
            "tiles copy Action 1,3,2,1 Back 0,1",
            "add object plane=Action, logic=Rat, image_set=LEVEL_RAT, x=70, y=10, min_x=32",
            "add object logic=Soldier, model=LEVEL_SOLDIER, x=100, y=10",
            "set class=Rat && x>=10: speed_x=150",
            "set kind=object: z=4000",
            "rename image_set level_rat LEVEL_PUNKRAT",
            "duplicate logic=Soldier: x+=5",
            "delete logic=Soldier",
            "plane resize Action 7x4 right",
            "plane resize Action 6x4 -1,0",
            "set level: name=Claw - Level 4",
            "delete name=Back",
        ],
    );
    let expected = [
        "1 field changed; the level number was none and is 3; the game chooses its images by it",
        "2 fields changed",
        "plane #0 added",
        "plane #0 added",
        "1 of 1 object changed",
        "6 cells changed",
        "1 cell changed",
        "1 cell changed",
        "2 cells changed",
        "object #0 added to plane #1",
        "object #1 added to plane #1",
        "1 of 1 object changed",
        "2 of 2 objects changed",
        "0 image sets of planes and 1 object renamed",
        "1 object added",
        "2 objects deleted",
        "plane resized: 4 cells added, 0 tiles lost, moved by 1,0 with 1 object (1 of them with positions in other fields)",
        "plane resized: 0 cells added, 0 tiles lost, moved by -1,0 with 1 object (1 of them with positions in other fields)",
        "1 field changed; the level number was 3 and is 4; the game chooses its images by it",
        "1 plane deleted with 0 objects",
    ];
    assert_eq!(reports, expected);
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
fn failed_edits_change_nothing() {
    let mut document = Document::new();
    apply(&mut document, &["add plane name=Action, size=6x4, flags=MAIN", "add object x=2147483647, logic=Rat"]);
    let before = document.clone();
    for (line, expected) in [
        ("", "expected an edit"),
        ("plane", "invalid words after `plane`"),
        ("add plane name=A", "no size"),
        ("add plane name=A, size=4", "expected a size such as 24x8"),
        ("add plane name=A, size=4x-1", "expected a size such as 24x8"),
        ("add plane name=A, size=4x4, tile=x", "expected a size of tiles in pixels"),
        ("add plane name=Front, size=70000x70000", "invalid grid size 70000×70000"),
        ("add plane name=Front, size=4x4, at=2", "plane index 2 out of range"),
        ("add plane name=Front, size=4x4, tiles_wide=5", "`tiles_wide` follows from the grid"),
        ("add light x=5", "unknown kind `light`"),
        ("add object plane=Front, x=1", "no plane is named \"Front\""),
        ("add object id=1, x=y", "invalid value `y` for `x`"),
        ("plane resize A 4x4 middle", "expected an anchor"),
        ("plane resize A 4x4 top left", "invalid words after `plane`"),
        ("plane resize Action 7x4 right", "for `x`: expected 32 bits"),
        ("tiles fill A 0,0,1 3", "no plane is named \"A\""),
        ("tiles fill Action 0,0,1 3", "expected a rectangle"),
        ("tiles fill Action 0,0,7,1 1", "area 0,0,7,1 outside the grid"),
        ("tiles replace A 1 2 0,0,1,1 5", "invalid words after `tiles`"),
        ("tiles replace Action 9999 1", "nothing matches: 0 cells changed"),
        ("plane resize Action 0x10", "expected a size of at least 1x1 tiles"),
        ("tiles copy Action 0,0,2,2 Action 5,3", "area 5,3,2,2 outside the grid"),
        ("delete", "expected a query"),
        ("delete kind=plane: x=1", "expected only a query"),
        ("delete logic=Soldier", "no object matches `logic=Soldier`"),
        ("set kind=object", "expected `:` and assignments"),
        ("set kind=object:", "expected an assignment"),
        ("set: x=1", "unknown edit"),
        ("set kind=object: z=1, x+=1", "for `x`: expected"),
        ("set kind=object: plane=Front", "`plane` cannot be set"),
        ("set *: x=1", "objects of the kind `plane` have no field `x`"),
        ("set kind=plane: width_px=5", "`width_px` follows from the grid"),
        ("set lgoic=Rat: x=1", "unknown field `lgoic`; did you mean `logic`?"),
        ("set logic=Rat: sped_x=1", "unknown field `sped_x`; did you mean `speed_x`?"),
        ("set kind=objct: x=1", "did you mean `object`?"),
        ("set level: header_size=9999", "`header_size` cannot be set"),
        ("set level: main_block_size=5", "`main_block_size` cannot be set"),
        ("set level: start_x=1, nothing=2", "objects of the kind `level` have no field `nothing`"),
        ("set level: name=T\u{142}o", "for `name`: expected"),
        ("set level: prefix_1=123456789012345678901234567890123", "text of at most 32 bytes"),
        ("rename image_set A", "expected KIND OLD NEW"),
        ("rename image_set \\x01 A", "no image_set is named"),
        ("rename sound A B", "unknown kind of name `sound`"),
    ] {
        let error = support::edit(&mut document, line).unwrap_err().to_string();
        assert!(error.contains(expected), "{line}: {error}");
        assert_eq!(document, before, "{line}");
    }
}

#[test]
fn published_user_flags_have_names() {
    // Source: "Record", `user_flags`: bit k - 1 is flag k.
    let mut document = Document::new();
    apply(&mut document, &["add plane name=Action, size=1x1", "add object plane=Action"]);
    for bit in 0..12 {
        apply(&mut document, &[&format!("set kind=object: user_flags=FLAG_{}", bit + 1)]);
        assert_eq!(document.planes[0].objects[0].user_flags.0, 1 << bit);
    }
    // Source: "Record", values of `object_type` and `hit_type`.
    let published = [
        ("GENERIC", 0x001),
        ("PLAYER", 0x002),
        ("ENEMY", 0x004),
        ("POWERUP", 0x008),
        ("SHOT", 0x010),
        ("P_SHOT", 0x020),
        ("E_SHOT", 0x040),
        ("SPECIAL", 0x080),
        ("USER_1", 0x100),
        ("USER_2", 0x200),
        ("USER_3", 0x300),
        ("USER_4", 0x400),
        ("ALL", 0xFFFF_FFFF),
    ];
    for (name, value) in published {
        apply(&mut document, &[&format!("set kind=object: hit_type={name}")]);
        assert_eq!(document.planes[0].objects[0].hit_type.0, value, "{name}");
    }
}

proptest! {
    #[test]
    fn queries_and_edits_select_the_same_objects(
        document in strategies::document(), object in strategies::object(), field in prop::sample::select(Object::FIELDS),
    ) {
        // Every object with that value, whatever it is.
        let mut document = document;
        document.add_plane(0, mapwright_wwd::Plane::with_grid(b"New", 1, 1, 64).unwrap()).unwrap();
        let value = object.field(field).unwrap();
        document.add_object(0, object).unwrap();
        let text = match &value {
            FieldValue::Rect(rect) => format!("'{},{},{},{}'", rect.left, rect.top, rect.right, rect.bottom),
            FieldValue::Text(text) => mapwright_wwd::query::Text::literal(text.clone()).to_string(),
            other => other.to_string(),
        };
        let query: Query = format!("kind=object and {field}={text}").parse().unwrap();
        let found = document.select(&query).unwrap();
        prop_assert!(found.contains(&1), "{} {:?}", query, found);
        let edit: Edit = format!("set {query}: {field}={text}").parse().unwrap();
        let edited = document.apply(&edit, &EditOptions::default()).unwrap();
        prop_assert_eq!(edited.matched, Some(found.len()));
    }

    #[test]
    fn any_edit_succeeds_or_changes_nothing(
        command in prop::sample::select(vec![
            "add plane", "add object", "plane resize", "tiles fill", "tiles replace", "tiles copy", "delete", "set", "set level:",
            "duplicate", "rename image_set",
        ]),
        words in prop::collection::vec(prop_oneof![
            Just("#0".to_owned()), Just(":".to_owned()), Just(",".to_owned()), "size=[0-9]{1,2}x[0-9]{1,2}", "[0-4],[0-4],[0-2],[0-2]",
            "-?[0-9]{1,10},-?[0-9]{1,10}", "(x|tile_w|flags|name|i|start_x)[-+]?=-?[0-9]{1,10}", "(x|logic|z)[<>=~]{1,2}[0-9]{0,3}",
            "[0-9]{1,3}", "\\PC{0,5}",
        ], 0..5),
        mut document in strategies::document(),
    ) {
        let line = format!("{command} {}", words.join(" "));
        let before = document.clone();
        match support::edit(&mut document, &line) {
            Ok(edited) => prop_assert!(!edited.to_string().is_empty()),
            Err(_) => prop_assert_eq!(document, before),
        }
    }
}
