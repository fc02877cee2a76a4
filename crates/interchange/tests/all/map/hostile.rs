//! Maps that lie.

use mapwright_interchange::{Category, map};
use mapwright_testkit::mutate::{Rng, mutant};

use super::read::{BOX, import};

#[test]
fn files_that_are_not_maps_are_rejected_with_their_position() {
    let face = "( 0 0 0 ) ( 0 1 0 ) ( 0 0 1 ) a";
    let error_of = |text: &str| import(text).unwrap_err().to_string();
    assert!(error_of("v 0 0 0").contains("not in map format: found \"v\", expected '{' at line 1, column 1"));
    assert_eq!(error_of("{\n{"), "unexpected end of file in the brush opened at line 2, column 1 at line 2, column 2");
    assert_eq!(
        error_of("{\n\"a\" \"b\""),
        "unexpected end of file in the entity opened at line 1, column 1 at line 2, column 8"
    );
    assert_eq!(error_of("{ \"a\" }"), "expected the value of the key \"a\", found '}' at line 1, column 7");
    assert_eq!(error_of("{ \"a"), "unterminated text: expected a quote at line 1, column 3");
    assert_eq!(
        error_of("{{ ( 0 0 nan ) }}"),
        "expected a coordinate, found \"nan\", which is not a finite number at line 1, column 10"
    );
    assert!(error_of("{{ ( 0 0 1e999 ) }}").contains("is not a finite number"));
    assert!(error_of(&format!("{{{{ ( 0 0 {} ) }}}}", "9".repeat(400))).contains("is not a finite number"));
    assert!(error_of(&format!("{{{{ {face} 0 0 0 1 inf }}}}")).contains("is not a finite number"));
    assert!(error_of(&format!("{{{{ {face} 0 0 0 1 1 x }}}}")).contains("expected a number after a texture"));
    assert!(error_of(&format!("{{{{ {face} [ 1 0 0 ]")).contains("expected a number of a texture axis, found ']'"));
    assert!(error_of("{} }").contains("of the next entity"));
    assert!(error_of("{{ ( 0 0 0 ) ( 0 1 0 ) ( 0 0 1 )").contains("name of a texture"));
    assert!(
        error_of("{{ patchDef2 { { }").contains("unexpected end of file in the braces opened at line 1, column 14")
    );
    for error in [import("{"), import("{ x }"), import("{{ ( 1 }}")] {
        assert_eq!(error.unwrap_err().category(), Category::Malformed);
    }
}

#[test]
fn numbers_of_objects_are_limited() {
    let face = "( 0 0 0 ) ( 0 1 0 ) ( 0 0 1 ) a 0 0 0 1 1\n";
    let error = import(&format!("{{{{\n{}}}}}", face.repeat(1_000_000))).unwrap_err();
    assert_eq!(error.to_string(), "more than 1024 sides in a brush at line 1026, column 1");
    assert!(error.help().unwrap().contains("max_sides"));
    let error = import(&"{}".repeat(100_000)).unwrap_err();
    assert_eq!(error.category(), Category::Limit);
    assert!(error.help().unwrap().contains("max_objects"));
    let options = map::ImportOptions::default().with_max_objects(Some(3)).with_max_sides(2);
    assert!(map::to_scene(b"{}{}{}", &options).is_ok() && map::to_scene(b"{}{}{}{}", &options).is_err());
}

#[test]
fn long_and_deep_texts_take_linear_time() {
    let start = std::time::Instant::now();
    for text in [
        " ".repeat(10 << 20),
        format!("{{\"{}\" \"\"}}", "a".repeat(10 << 20)),
        format!("{{{{ ( {} ) }}}}", "1".repeat(10 << 20)),
        format!("{{{{ ( 0 0 0 ) ( 0 1 0 ) ( 0 0 1 ) {} 0 0 0 1 1 }}}}", "(".repeat(10 << 20)),
        "{".repeat(10 << 20),
        format!("{{{{ patchDef2 {}", "{".repeat(10 << 20)),
        format!("{{{{ ( 0 0 0 ) ( 0 1 0 ) ( 0 0 1 ) a 0 0 0 1 1 {}", "1 ".repeat(5 << 20)),
        "//".repeat(5 << 20),
    ] {
        let _ = import(&text);
    }
    assert!(start.elapsed().as_secs() < 30, "{:?}", start.elapsed());
}

#[test]
fn mutants_and_prefixes_do_no_harm() {
    let valve = "{\"mapversion\" \"220\"{\n(0 0 0)(0 1 0)(0 0 1)a [ 0 0.5 -2 3 ] [ 1 0 0 -4 ] 30 0.5 2 8 0 1.5 7\n}\n}\n{\"angle\" \"1\"}";
    for text in [BOX, valve] {
        for end in 0..text.len() {
            if let Err(error) = import(&text[..end]) {
                assert!(error.position().is_some(), "{error}");
            }
        }
        let mut rng = Rng::new(7);
        for _ in 0..3000 {
            let bytes = mutant(text.as_bytes(), &[], &mut rng);
            let Ok(import) = map::to_scene(&bytes, &map::ImportOptions::default()) else { continue };
            let _ = map::from_scene(&import.scene, &map::ExportOptions::default()).unwrap();
        }
    }
}
