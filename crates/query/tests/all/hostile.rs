//! Any text is read in bounded time and depth.

use mapwright_query::{Assignment, Edit, Glob, Query};
use proptest::prelude::*;

#[test]
fn deep_queries_are_rejected() {
    for text in ["(".repeat(100_000), "!".repeat(100_000), "not ".repeat(100_000)] {
        let error = text.parse::<Query>().unwrap_err().to_string();
        assert!(error.contains("at most 100 nested parentheses and negations"), "{error}");
    }
    let nested = format!("{}a=1{}", "(".repeat(99), ")".repeat(99));
    assert_eq!(nested.parse::<Query>().unwrap().to_string(), "a=1");
}

#[test]
fn long_queries_are_read_in_linear_time() {
    let text = vec!["name=a"; 100_000].join(" or ");
    assert_eq!(text.parse::<Query>().unwrap().fields(), ["name"]);
}

#[test]
fn wildcards_match_parts() {
    for (pattern, text, matches) in [
        ("a.p3d", "A.P3D", true),
        ("a.p3d", "ab.p3d", false),
        ("*les*", "data3d\\les_su.p3d", true),
        ("*les", "les.p3d", false),
        ("data*les*p3d", "data3d\\les_su.p3d", true),
        ("ab*ba", "aba", false),
        ("ab*ba", "abba", true),
        ("*a*a*", "a", false),
        ("*", "", true),
        ("?", "", false),
        ("?", "\u{142}", true),
        ("\u{141}?d*", "\u{142}\u{f3}D\u{17a}", true),
    ] {
        assert_eq!(Glob::new(pattern.as_bytes()).matches(text.as_bytes()), matches, "{pattern} {text}");
    }
    assert!(Glob::new(b"T\xb3*").matches(b"t\xb3o"));
    assert!(!Glob::new(b"T\xb3*").matches(b"t\xb4o"));
    assert!(!Glob::literal(b"a*").matches(b"ab"));
}

fn text() -> impl Strategy<Value = String> {
    let words = prop::sample::select(vec![
        "a", "name", "=", "==", "!=", "<", ">=", "~", " in ", "(", ")", ",", " and ", " or ", " not ", "!", "&", "|",
        "#12", "*", "?", "'", "\"", "\\", "\\x", "b3", ":", ": ", "set ", "add ", "rename ", "+=", "-=", "-5",
        "\u{142}", " ",
    ]);
    prop::collection::vec(words, 0..24).prop_map(|words| words.concat())
}

proptest! {
    #[test]
    fn printed_queries_read_the_same(text in text()) {
        if let Ok(query) = text.parse::<Query>() {
            let printed = query.to_string();
            prop_assert_eq!(printed.parse::<Query>().map(|query| query.to_string()), Ok(printed));
        }
    }

    #[test]
    fn printed_edits_read_the_same(text in text()) {
        if let Ok(edit) = text.parse::<Edit>() {
            let printed = edit.to_string();
            prop_assert_eq!(printed.parse::<Edit>().map(|edit| edit.to_string()), Ok(printed));
        }
    }

    #[test]
    fn printed_assignments_are_equal(value in prop::collection::vec(any::<u8>(), 0..8)) {
        let assignment = Assignment::set("name", mapwright_query::Text::literal(value));
        prop_assert_eq!(assignment.to_string().parse::<Assignment>(), Ok(assignment));
    }

    #[test]
    fn literals_match_themselves(text in prop::collection::vec(any::<u8>(), 0..8)) {
        prop_assert!(Glob::literal(&text).matches(&text));
        prop_assert!(Glob::literal(&text).matches(&text.to_ascii_uppercase()));
        prop_assert!(Glob::new(&text).contained().matches(&text));
    }
}
