//! The grammar.

use std::borrow::Cow;

use mapwright_fgd::io::Limits;
use mapwright_fgd::{Document, Key, Member, ReadOptions};

use crate::support::{FILE, class, document, error, key};

#[test]
fn items_of_a_file_are_read() {
    let file = document(FILE);
    assert!(file.includes().eq(["base.fgd"]) && file.excludes().eq(["env_sun"]));
    assert_eq!(file.map_size(), Some([-16384, 16384]));
    let names: Vec<String> = file.classes().map(|class| format!("{} {}", class.kind(), class.name())).collect();
    assert_eq!(names, ["BaseClass Named", "PointClass light_omni", "OverrideClass other"]);
    assert_eq!(file.as_bytes(), FILE.as_bytes());
}

#[test]
fn classes_have_helpers_and_bases() {
    let file = document(FILE);
    let class = class(&file, "light_omni");
    assert_eq!(class.description().as_deref(), Some("A lamp, in two parts."));
    assert!(class.bases().eq(["Named", "Angles", "Third"]));
    let helpers: Vec<String> = class.helpers().map(|helper| format!("{helper:?}")).collect();
    assert_eq!(helpers[2..4], [r#"size("-8", "-8", "-8", "8", "8", "8")"#, r#"unknown("c")"#]);
    assert_eq!(helpers[4..], ["halfgridsnap()", r#"metadata("entity_tool_name", "Lamp")"#]);
    assert_eq!(class.position().to_string(), "line 12, column 3");
}

#[test]
fn keys_have_types_flags_texts_and_choices() {
    let file = document(FILE);
    let class = class(&file, "light_omni");
    let texts = |key: Key<'_>| [key.label(), key.default(), key.help()].map(|text| text.map(Cow::into_owned));
    let some = |texts: [&str; 3]| texts.map(|text| Some(text.to_owned()).filter(|text| !text.is_empty()));
    let radius = key(&class, "radius");
    assert_eq!((radius.value_type(), texts(radius)), ("float".to_owned(), some(["Radius", "-1.5", "In inches."])));
    assert!(radius.flags().eq(["min", "0"]));
    let targets = key(&class, "targets");
    assert_eq!((targets.value_type(), texts(targets)), ("target_destination".to_owned(), some(["Targets", "", ""])));
    assert!(targets.flags().eq(["readonly"]));
    assert_eq!(key(&class, "input").value_type(), "string");
    let model = key(&class, "model");
    assert_eq!((model.value_type(), texts(model)), ("resource:model".to_owned(), some(["Model", "ab.vmdl", ""])));
    let name = class_key(&file, "Named", "targetname");
    assert_eq!(texts(name), some(["Name", "", "The name."]));

    let flags = key(&class, "spawnflags");
    assert!(flags.choices().map(|flag| flag.flag()).eq([Some(1), Some(8), Some(16)]));
    assert!(flags.choices().map(|flag| flag.default()).eq([Some("1".into()), Some("0".into()), None]));
    let style = key(&class, "style");
    assert!(style.has_choices() && style.choices().map(|choice| choice.value()).eq(["0", "-1", "four"]));
    assert_eq!(style.choices().nth(1).unwrap().label().as_deref(), Some("None"));
}

fn class_key<'a>(file: &'a Document, class_name: &str, name: &str) -> Key<'a> {
    key(&class(file, class_name), name)
}

#[test]
fn inputs_and_outputs_have_types() {
    let file = document(FILE);
    let ports: Vec<String> = class(&file, "light_omni")
        .members()
        .filter_map(|member| match member {
            Member::Key(_) => None,
            Member::Input(port) => {
                Some(format!("input {} {} {:?}", port.name(), port.value_type(), port.description()))
            }
            Member::Output(port) => Some(format!("output {} {}", port.name(), port.value_type())),
        })
        .collect();
    assert_eq!(ports, ["input TurnOn void Some(\"Turns it on.\")", "output OnChange float", "output OnLast void"]);
}

#[test]
fn a_member_after_a_key_without_texts_is_not_a_flag() {
    let file = document(
        "@PointClass = a [ b(float)\n input C(void) d(x) readonly\n e[tag](y) f(z)\n readonly : \"F\" g(w) input H(void) ]",
    );
    let names: Vec<_> = class(&file, "a")
        .members()
        .map(|member| match member {
            Member::Key(key) => key.name(),
            Member::Input(port) | Member::Output(port) => port.name(),
        })
        .collect();
    assert_eq!(names, ["b", "C", "d", "e", "f", "g", "H"]);
    assert!(class_key(&file, "a", "d").flags().eq(["readonly"]) && class_key(&file, "a", "e").flags().next().is_none());
    assert!(class_key(&file, "a", "f").flags().eq(["readonly"]));
}

#[test]
fn a_missing_text_before_the_next_member_is_none() {
    let file = document("@PointClass = a [ b(float) : \"B\" :\n c(float) : : 5 ]");
    assert_eq!(class_key(&file, "a", "b").default(), None);
    assert_eq!(class_key(&file, "a", "c").default().as_deref(), Some("5"));
}

#[test]
fn text_is_utf8_or_windows_1252() {
    let read = |text: &[u8]| Document::from_bytes(text).unwrap();
    let description = |file: &Document| file.classes().next().unwrap().description().unwrap().into_owned();
    assert_eq!(description(&read("\u{FEFF}@A = b : \"žluť\"".as_bytes())), "žluť");
    assert_eq!(description(&read(b"@A = b : \"5 \x80\"")), "5 €");
}

#[test]
fn errors_have_a_position() {
    assert_eq!(error("x"), "unexpected word: expected `@` at line 1, column 1");
    assert_eq!(
        error("@PointClass = a\n[ b"),
        "the text ends early: expected `(` and the type of the key at line 2, column 4"
    );
    assert_eq!(error("@PointClass = a\n [ b(c) : \"d ]"), "string has no end at line 2, column 11");
    assert_eq!(
        error("@PointClass base(A)\n@PointClass = b"),
        "unexpected `@`: expected `=` and the name of the class at line 2, column 1"
    );
    assert_eq!(error("@A = a [ b(c) : , ]"), "unexpected separator: expected a text after `:` at line 1, column 17");
    assert_eq!(error("@A = a [ b(c) = 1 ]"), "unexpected word: expected `[` and choices at line 1, column 17");
    assert_eq!(error("@A a(b = c"), "the text ends early: expected `)` at line 1, column 11");
    assert!(Document::from_bytes(b"\xFF\xFE@\0").is_err());
    let pointer = b"version https://git-lfs.github.com/spec/v1\noid sha256:4d7a214614ab2935c943f9e0ff69d22eadbb8f32b1258daaa5e2ca24d17e2393\nsize 12345\n";
    assert!(Document::from_bytes(pointer).unwrap_err().to_string().contains("Git LFS"));
}

#[test]
fn items_are_limited() {
    let options = ReadOptions::default().with_limits(Limits::default().with_max_items(4));
    let read = |text: &str| Document::from_bytes_with(text.as_bytes(), &options);
    assert!(read("@A = a [ b(flags) = [ 1 2 ] ]").is_ok());
    let error = read("@A = a [ b(flags) = [ 1 2 3 ] ]").unwrap_err();
    assert!(error.to_string().starts_with("the input has more than 4 items"), "{error}");
}
