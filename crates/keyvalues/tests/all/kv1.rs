//! The grammar of KeyValues 1.

use mapwright_keyvalues::io::{Category, Confidence, Limits};
use mapwright_keyvalues::kv1::{Document, Item, ReadOptions, sniff};
use mapwright_keyvalues::{ReadError, ReadErrorKind};

fn document(text: &str) -> Document {
    Document::from_bytes(text.as_bytes()).unwrap_or_else(|error| panic!("{text:?}: {error}"))
}

/// Formats items with their structure.
fn outline(items: mapwright_keyvalues::kv1::Items<'_>) -> String {
    let item = |item: Item<'_>| match item.text() {
        Some(text) => format!("{}={text}", item.name_text()),
        None => format!("{}({})", item.name_text(), outline(item.items())),
    };
    items.map(item).collect::<Vec<_>>().join(" ")
}

fn error(text: &[u8], options: &ReadOptions) -> ReadError {
    Document::from_bytes_with(text, options).expect_err(&text.escape_ascii().to_string())
}

#[test]
fn content_is_a_value_with_its_quotes_or_the_text_between_braces() {
    let text = "a { b \"c d\" e{} } f g";
    let document = document(text);
    let contents: Vec<&str> = document.walk().map(|item| &text[item.content_range()]).collect();
    assert_eq!(contents, [" b \"c d\" e{} ", "\"c d\"", "", "g"]);
    assert!(!document.has_escapes());
}

#[test]
fn items_are_keys_and_blocks() {
    for (text, expected) in [
        ("", ""),
        (" // nothing\n", ""),
        ("a b", "a=b"),
        ("\"a b\"\t\"c\nd\"", "a b=c\nd"),
        ("a{b{c d}}e f", "a(b(c=d)) e=f"),
        ("a\"b\"c\"d\"", "a=b c=d"),
        ("\u{FEFF}a{}", "a()"),
        // A quote that a mapper typed: two keys without values.
        ("\"comments\" \"\"other\"\"", "comments= other="),
        ("a http://b // c\nd e", "a=http://b d=e"),
        ("a /b", "a=/b"),
        ("a / b c", "a=/ b=c"),
        ("a /*b*/ c", "a=c"),
        ("a/*b*/ c", "a/*b*/=c"),
    ] {
        assert_eq!(outline(document(text).items()), expected, "{text:?}");
    }
}

#[test]
fn bytes_that_are_not_utf8_are_text() {
    let document = Document::from_bytes(b"\"a\x80\" \xFF\xFE\x81 // \xE9\xFF\nb /* \xC3\x28 */ c").unwrap();
    assert_eq!(outline(document.items()), "a€=ÿþ\u{81} b=c");
    assert_eq!(*document.get(b"A\x80").unwrap().value().unwrap(), *b"\xFF\xFE\x81");
}

#[test]
fn names_have_no_case_and_may_repeat() {
    let document = document("Game a\nblock { X 1 x 2 }\nGAME b");
    assert_eq!(document.get("game").and_then(Item::text).as_deref(), Some("a"));
    assert_eq!(document.items().filter(|item| item.is("game")).count(), 2);
    let block = document.get("BLOCK").unwrap();
    assert_eq!((block.get("x").and_then(Item::number), block.get("y").is_none()), (Some(1.0), true));
    assert_eq!(document.item_count(), 5);
}

#[test]
fn comments_belong_to_the_next_item() {
    let document = document("// head\na 1 // one\n/* two */ b 2\nc { // three\n d 4 } // five\n");
    let comments: Vec<Vec<&[u8]>> = document.items().map(|item| item.comments().collect()).collect();
    assert_eq!(comments, [vec![&b"// head"[..]], vec![b"// one", b"/* two */"], vec![]]);
    let d = document.get("c").unwrap().items().next().unwrap();
    assert_eq!((d.comments().collect::<Vec<_>>(), d.lead()), (vec![&b"// three"[..]], &b" // three\n "[..]));
}

#[test]
fn conditions_are_tokens_beside_values_and_blocks() {
    let document = document("a 1 [$X360]\nb [!$PS3] { c 2 }\n#include \"other.txt\"\nd 3");
    let found: Vec<_> = document.items().map(|item| (outline(item.items()), item.condition())).collect();
    let expected: [(&str, Option<&[u8]>); 4] =
        [("", Some(b"[$X360]")), ("c=2", Some(b"[!$PS3]")), ("", None), ("", None)];
    assert_eq!(found, expected.map(|(text, condition)| (text.to_owned(), condition)));
    assert_eq!(document.get("b").unwrap().lead(), b"\n");
    assert_eq!(document.get("#include").unwrap().text().as_deref(), Some("other.txt"));
    // In maps, brackets are text.
    let vmf = ReadOptions::vmf();
    assert_eq!(outline(Document::from_bytes_with(b"a [1] b /*c", &vmf).unwrap().items()), "a=[1] b=/*c");
}

#[test]
fn escapes_count_only_on_request() {
    let plain = Document::from_bytes(br#""path" "C:\" b c"#).unwrap();
    assert_eq!(outline(plain.items()), r"path=C:\ b=c");
    let options = ReadOptions::default().with_escapes(true);
    let escaped = Document::from_bytes_with(br#""quoted" "a\"b\\c\nd\x""#, &options).unwrap();
    assert_eq!(outline(escaped.items()), "quoted=a\"b\\c\nd\\x");
    assert!(Document::from_bytes_with(br#""path" "C:\""#, &options).is_err());
}

#[test]
fn numbers_are_read_with_their_brackets() {
    let document = document("a \"[1 0.5 -2e1]\" b \"(0 0 64)\" c 7 d \"[1 x]\" e \"\" f { }");
    let numbers: Vec<_> = document.items().map(Item::numbers).collect();
    assert_eq!(numbers, [Some(vec![1.0, 0.5, -20.0]), Some(vec![0.0, 0.0, 64.0]), Some(vec![7.0]), None, None, None]);
}

#[test]
fn errors_state_their_line() {
    let default = ReadOptions::default();
    for (text, expected) in [
        ("a\n \"b", "string has no end at line 2, column 2"),
        ("a /* b", "comment has no end at line 1, column 3"),
        ("a b [c", "condition has no end at line 1, column 5"),
        ("a", "the text ends early: expected a value or a block after the name at line 1, column 2"),
        ("a {\nb c", "the text ends early: expected `}` at line 2, column 4"),
        ("a b\n}", "unexpected `}`: expected a name at line 2, column 1"),
        ("{", "unexpected `{`: expected a name at line 1, column 1"),
        ("a }", "unexpected `}`: expected a value or a block after the name at line 1, column 3"),
        ("a [x] b", "unexpected text: expected a block after the condition at line 1, column 7"),
        ("a [x] [y]", "unexpected condition: expected a block after the condition at line 1, column 7"),
        ("a b [x] [y]", "unexpected condition: expected a name at line 1, column 9"),
    ] {
        assert_eq!(error(text.as_bytes(), &default).to_string(), expected, "{text:?}");
    }
    assert!(matches!(error(b"\xFF\xFEa\0", &default).kind(), ReadErrorKind::Utf16));
    let pointer = b"version https://git-lfs.github.com/spec/v1\noid sha256:0\nsize 1\n";
    assert!(matches!(error(pointer, &default).kind(), ReadErrorKind::LfsPointer));
}

#[test]
fn limits_are_kept() {
    let deep = [b"a{".repeat(65), b"}".repeat(65)].concat();
    let default = ReadOptions::default();
    assert_eq!(error(&deep, &default).category(), Category::Limit);
    let raised = default.clone().with_limits(Limits::default().with_max_depth(65));
    assert!(Document::from_bytes_with(&deep, &raised).is_ok());
    let few = default.clone().with_limits(Limits::default().with_max_items(2));
    assert_eq!(error(b"a b c d e f", &few).category(), Category::Limit);
    assert!(Document::from_bytes_with(b"a b c { }", &few).is_ok());
    let short = default.with_max_text(3);
    assert_eq!(error(b"a \"bcd\"", &short).category(), Category::Limit);
}

#[test]
fn texts_are_recognized_by_their_first_block() {
    assert_eq!(sniff(b"// x\nLayer0\n{"), Confidence::Maybe);
    assert_eq!(sniff(b"\"settings\" [$X] {"), Confidence::Maybe);
    for other in [&b""[..], b"a b", b"{\"a\": 1}", b"<!-- kv3", b"\x89PNG"] {
        assert_eq!(sniff(other), Confidence::No, "{}", other.escape_ascii());
    }
}
