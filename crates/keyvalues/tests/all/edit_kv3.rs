//! Edits of KV3 text change only what they must.

use crate::support;

use mapwright_keyvalues::kv3::{Document, Edit, Scalar};
use mapwright_keyvalues::{WriteError, WriteErrorKind};
use support::{HEADER, text};

fn edited(value: &str, change: impl for<'a> FnOnce(&mut Edit<'a>, &'a Document) -> Result<(), WriteError>) -> String {
    let document = Document::from_bytes(&text(value)).unwrap();
    let mut edit = Edit::new(&document);
    change(&mut edit, &document).unwrap_or_else(|error| panic!("{value:?}: {error}"));
    let edited = edit.apply().unwrap_or_else(|error| panic!("{value:?}: {error}"));
    String::from_utf8(edited.to_bytes().unwrap()).unwrap().split_off(HEADER.len())
}

#[test]
fn values_change_only_their_token() {
    let old = "{ // x\n\ta = 1.50\n\tb = resource:\"c\" // y\n\td = \"\"\"\ne\n\"\"\"\n}";
    for (key, new, expected) in [
        ("a", Scalar::Double(2.0), old.replace("1.50", "2.0")),
        ("a", Scalar::Double(1.5), old.to_owned()),
        ("a", Scalar::Int(-7), old.replace("1.50", "-7")),
        ("a", Scalar::Double(f64::NEG_INFINITY), old.replace("1.50", "-1e999")),
        ("a", Scalar::Null, old.replace("1.50", "null")),
        ("a", Scalar::Bool(true), old.replace("1.50", "true")),
        ("a", Scalar::Double(f64::NAN), old.replace("1.50", "nan")),
        ("b", Scalar::from("d\"'\n"), old.replace("\"c\"", "\"d\\\"'\\n\"")),
        ("b", Scalar::from("c"), old.to_owned()),
        ("d", Scalar::from("f\n\"g\" "), old.replace("\ne\n", "\nf\n\"g\" \n")),
        ("d", Scalar::from("\"\"\""), old.replace("\"\"\"\ne\n\"\"\"", "\"\\\"\\\"\\\"\"")),
    ] {
        let found = edited(old, |edit, document| edit.set(document.root().get(key).unwrap(), new));
        assert_eq!(found, expected, "{key} {new:?}");
    }
}

#[test]
fn members_and_items_are_added_in_the_layout_of_their_neighbours() {
    for (old, expected) in [
        ("{\r\n\ta = 1\r\n}\r\n", "{\r\n\ta = 1\r\n\t\"k k\" = 2\r\n}\r\n"),
        ("{ a = 1 }", "{ a = 1 \"k k\" = 2 }"),
        ("{ }", "{\n\t\"k k\" = 2\n }"),
        ("{\n}", "{\n\t\"k k\" = 2\n}"),
    ] {
        let found = edited(old, |edit, document| edit.insert(document.root(), "k k", 2_i64));
        assert_eq!(found, expected, "{old:?}");
    }
    for (old, expected) in [
        ("[ 1, 2 ]", "[ 1, 2, true ]"),
        ("[\n\t1,\n\t2,\n]", "[\n\t1,\n\t2,\n\ttrue,\n]"),
        ("[\n\t1,\n\t[ 2 ]\n]", "[\n\t1,\n\t[ 2 ],\n\ttrue\n]"),
        ("[  ]", "[\n\ttrue,\n  ]"),
    ] {
        let found = edited(old, |edit, document| edit.push(document.root(), true));
        assert_eq!(found, expected, "{old:?}");
    }
}

#[test]
fn removed_values_take_their_line_and_comma_with_them() {
    for (old, expected) in [
        ("{\n\ta = 1\n\tb = { x = 1 }\n\tc = 2\n}", "{\n\ta = 1\n\tc = 2\n}"),
        ("{ a = 1, b = 2, c = 3 }", "{ a = 1, c = 3 }"),
        ("{ b = 1 }", "{ }"),
    ] {
        let found = edited(old, |edit, document| {
            edit.remove(document.root().get("b").unwrap());
            Ok(())
        });
        assert_eq!(found, expected, "{old:?}");
    }
    let found = edited("[ 1, 2, ]", |edit, document| {
        edit.remove(document.root().items().next().unwrap());
        edit.remove(document.root());
        Ok(())
    });
    assert_eq!(found, "[ 2, ]");
}

#[test]
fn impossible_edits_are_rejected() {
    let document = Document::from_bytes(&text("{ a = [ ] }")).unwrap();
    let root = document.root();
    let mut edit = Edit::new(&document);
    let is_kind = |result: Result<(), WriteError>| matches!(result.unwrap_err().kind(), WriteErrorKind::Kind { .. });
    assert!(is_kind(edit.set(root, 1.0)) && is_kind(edit.set(root.get("a").unwrap(), 1.0)));
    assert!(is_kind(edit.push(root, 1.0)) && is_kind(edit.insert(root.get("a").unwrap(), "b", 1.0)));
}
