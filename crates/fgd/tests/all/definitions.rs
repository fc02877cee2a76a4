//! Inheritance.

use mapwright_fgd::{Definitions, Document, MAX_DEPTH};

use crate::support::document;

/// Returns the default of a key, or `-` if the class does not have it.
fn default(definitions: &Definitions<'_>, class: &str, key: &str) -> String {
    let key = definitions.resolve(class).unwrap_or_else(|| panic!("no class {class}")).key(key);
    key.map_or("-".to_owned(), |key| key.default().unwrap_or_default().into_owned())
}

fn findings(definitions: &Definitions<'_>) -> Vec<String> {
    definitions.findings().iter().map(ToString::to_string).collect()
}

fn definitions(file: &Document) -> Definitions<'_> {
    Definitions::new([("a.fgd", file)])
}

#[test]
fn own_keys_and_later_bases_win() {
    let file = document(
        "@BaseClass = A [ x(s) : : \"A\" y(s) : : \"A\" z(s) : : \"A\" input I(void) ]
         @BaseClass base(a) = B [ y(s) : : \"B\" z(s) : : \"B\" input i(float) ]
         @BaseClass = C [ z(s) : : \"C\" output O(void) ]
         @PointClass base(B, C) base(A) = d [ z(s) : : \"d1\" Z(s) : : \"d\" ]
         @PointClass base(A, B) = e",
    );
    let definitions = definitions(&file);
    // A is a base again after C.
    assert_eq!(["x", "Y", "z"].map(|key| default(&definitions, "D", key)), ["A", "A", "d"]);
    assert_eq!(["x", "y", "z"].map(|key| default(&definitions, "e", key)), ["A", "B", "B"]);
    let class = definitions.resolve("e").unwrap();
    assert!(class.is_complete() && class.input("I").unwrap().value_type() == "float");
    let class = definitions.resolve("d").unwrap();
    assert_eq!((class.name(), class.kind(), class.member_count()), ("d", "PointClass", 5));
    assert!(class.output("o").is_some() && class.input("o").is_none() && definitions.resolve("f").is_none());
    assert_eq!(findings(&definitions), [""; 0]);
}

#[test]
fn later_definitions_replace_and_overrides_add() {
    let first =
        document("@PointClass = a [ x(s) : : 1 y(s) : : 1 ] @PointClass = b [ x(s) ] @BaseClass = C [ z(s) : : 2 ]");
    let second = document("@OverrideClass base(C) = A [ y(s) : : 2 ] @SolidClass = b [ y(s) ]");
    let definitions = Definitions::new([("1.fgd", &first), ("2.fgd", &second)]);
    assert_eq!(["x", "y", "z"].map(|key| default(&definitions, "a", key)), ["1", "2", "2"]);
    assert_eq!(["x", "y"].map(|key| default(&definitions, "b", key)), ["-", ""]);
    assert_eq!(definitions.resolve("b").unwrap().kind(), "SolidClass");
    assert!(definitions.class_names().eq(["a", "b", "C"]));
}

#[test]
fn excluded_classes_are_hidden_until_they_are_defined_again() {
    let first = document("@PointClass = a [ x(s) : : 1 ] @PointClass = b [ x(s) ]");
    let second = document("@exclude A @exclude b @exclude c @SolidClass = b @PointClass base(a) = d");
    let definitions = Definitions::new([("1.fgd", &first), ("2.fgd", &second)]);
    let is_excluded = ["a", "B", "c", "d", "e"].map(|name| definitions.is_excluded(name));
    assert_eq!(is_excluded, [true, false, true, false, false]);
    assert!(definitions.class_names().eq(["b", "d"]));
    // Excluded classes can still be bases.
    assert_eq!(default(&definitions, "d", "x"), "1");
    assert!(definitions.resolve("a").is_some() && definitions.resolve("c").is_none());
}

#[test]
fn removed_keys_are_not_inherited() {
    let file = document(
        "@BaseClass = A [ x(s) : : A y(s) : : A ]
         @BaseClass = B [ x(s) : : B ]
         @PointClass base(A) = c [ x(remove_key) ]
         @PointClass base(B, c) = d
         @PointClass base(c) = e [ x(s) : : e ]
         @OverrideClass = B [ x(remove_key) ]",
    );
    let definitions = definitions(&file);
    assert_eq!(["x", "y"].map(|key| default(&definitions, "c", key)), ["-", "A"]);
    assert_eq!(default(&definitions, "e", "x"), "e");
    // An override removes keys of the class that it adds to. c removes only what it inherits itself.
    assert_eq!(["B", "d"].map(|class| default(&definitions, class, "x")), ["-", "-"]);
    let file = document(
        "@BaseClass = A [ x(s) : : A ] @BaseClass = B [ x(s) : : B ] @BaseClass base(A) = C [ x(remove_key) ]
                         @PointClass base(B, C) = d",
    );
    assert_eq!(default(&self::definitions(&file), "d", "x"), "B");
}

#[test]
fn flags_of_bases_are_merged() {
    let file = document(
        "@BaseClass = A [ spawnflags(flags) = [ 1 : \"a\" : 0 4 : \"b\" : 0 ] n(integer) ]
         @PointClass base(A) = b [ spawnflags(flags) = [ 2^8 : \"c\" : 1 ] n(flags) = [ 1 ] ]",
    );
    let definitions = definitions(&file);
    let class = definitions.resolve("b").unwrap();
    assert_eq!(["SpawnFlags", "n", "m"].map(|key| class.flag_mask(key)), [Some(256 + 4 + 1), Some(1), None]);
}

#[test]
fn missing_bases_are_reported_once_and_make_classes_incomplete() {
    let file = document(
        "@PointClass base(Gone) = a [ x(s) ] @PointClass base(gone, a) = b @PointClass base(b) = c @PointClass = d
         @OverrideClass = e [ y(s) ]",
    );
    let definitions = definitions(&file);
    assert_eq!(
        findings(&definitions),
        [
            "warning[fgd-base]: a.fgd: base class \"Gone\" of \"a\" is not defined",
            "note[fgd-override]: a.fgd: class \"e\" is overridden but not defined"
        ]
    );
    let is_complete = ["a", "b", "c", "d", "e"].map(|name| definitions.resolve(name).unwrap().is_complete());
    assert_eq!(is_complete, [false, false, false, true, false]);
    assert_eq!(default(&definitions, "c", "x"), "");
}

#[test]
fn cycles_are_errors() {
    let file = document("@A base(c) = a [ x(s) ] @A base(a) = b @A base(b) = c @A base(a) = d @A base(e) = e");
    let definitions = definitions(&file);
    assert_eq!(
        findings(&definitions),
        [
            "error[fgd-cycle]: class \"a\" inherits from itself through \"b\"",
            "error[fgd-cycle]: class \"e\" inherits from itself"
        ]
    );
    let is_complete = ["a", "b", "c", "d", "e"].map(|name| definitions.resolve(name).unwrap().is_complete());
    assert_eq!(is_complete, [false; 5]);
    assert_eq!(default(&definitions, "d", "x"), "");
}

#[test]
fn long_rows_of_bases_are_errors() {
    let mut text = "@A = c0 [ x(s) ]".to_owned();
    for number in 1..=MAX_DEPTH + 5 {
        text += &format!("@A base(c{}) = c{number} ", number - 1);
    }
    let file = document(&text);
    let definitions = definitions(&file);
    let message =
        format!("error[fgd-depth]: class \"c{MAX_DEPTH}\" inherits from more than {MAX_DEPTH} classes in a row");
    assert_eq!(findings(&definitions), [message]);
    let is_complete = [MAX_DEPTH - 1, MAX_DEPTH, MAX_DEPTH + 5]
        .map(|number| definitions.resolve(&format!("c{number}")).unwrap().is_complete());
    assert_eq!(is_complete, [true, false, false]);
}

#[test]
fn bases_that_meet_again_take_linear_time() {
    // Each class inherits twice from the one before it: 2^60 paths.
    let mut text = "@A = c0 [ x(s) ]".to_owned();
    for number in 1..=60 {
        text += &format!("@A base(c{0}, c{0}) = c{number} ", number - 1);
    }
    assert_eq!(default(&definitions(&document(&text)), "c60", "x"), "");
}

#[test]
fn missing_files_are_reported_once() {
    let first = document("@include \"Base.fgd\" @include \"gone.fgd\" @include \"GONE.fgd\"");
    let base = document("@PointClass = a");
    let definitions = Definitions::new([("core/base.FGD", &base), ("first.fgd", &first)]);
    assert!(!definitions.is_complete());
    assert_eq!(findings(&definitions), ["note[fgd-include]: first.fgd: the included file \"gone.fgd\" was not read"]);
    assert!(Definitions::new([("base.fgd", &base)]).is_complete());
}
