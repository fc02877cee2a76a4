//! Edits of KeyValues 1 change only what they must.

use mapwright_keyvalues::kv1::{Document, Edit, Item, ReadOptions};
use mapwright_keyvalues::{WriteError, WriteErrorKind};

fn edited(text: &str, change: impl for<'a> FnOnce(&mut Edit<'a>, &'a Document) -> Result<(), WriteError>) -> String {
    let document = Document::from_bytes(text.as_bytes()).unwrap();
    let mut edit = Edit::new(&document);
    change(&mut edit, &document).unwrap_or_else(|error| panic!("{text:?}: {error}"));
    let edited = edit.apply().unwrap_or_else(|error| panic!("{text:?}: {error}"));
    String::from_utf8(edited.to_bytes().unwrap()).unwrap()
}

fn find<'a>(document: &'a Document, path: &[&str]) -> Item<'a> {
    let (first, rest) = path.split_first().unwrap();
    rest.iter().fold(document.get(first).unwrap(), |item, name| item.get(name).unwrap())
}

#[test]
fn values_and_names_change_only_their_token() {
    let text = "Layer0 // x\n{\n\tF_X 1\r\n\t\"a\"\t\t\"b\" [$X]\n}";
    for (path, value, expected) in [
        (["Layer0", "f_x"], "0", "Layer0 // x\n{\n\tF_X 0\r\n\t\"a\"\t\t\"b\" [$X]\n}"),
        (["Layer0", "f_x"], "0 1", "Layer0 // x\n{\n\tF_X \"0 1\"\r\n\t\"a\"\t\t\"b\" [$X]\n}"),
        (["Layer0", "f_x"], "", "Layer0 // x\n{\n\tF_X \"\"\r\n\t\"a\"\t\t\"b\" [$X]\n}"),
        (["Layer0", "f_x"], "[a]", "Layer0 // x\n{\n\tF_X \"[a]\"\r\n\t\"a\"\t\t\"b\" [$X]\n}"),
        (["Layer0", "A"], "c", "Layer0 // x\n{\n\tF_X 1\r\n\t\"a\"\t\t\"c\" [$X]\n}"),
        (["Layer0", "A"], "b", text),
    ] {
        assert_eq!(edited(text, |edit, document| edit.set_value(find(document, &path), value)), expected);
    }
    let renamed = edited(text, |edit, document| edit.rename(find(document, &["Layer0"]), "Layer 1"));
    assert_eq!(renamed, text.replace("Layer0", "\"Layer 1\""));
}

#[test]
fn new_keys_have_the_layout_of_their_neighbours() {
    for (text, expected) in [
        ("a\n{\n\tx 1 // one\n}", "a\n{\n\tx 1 // one\n\tk v\n}"),
        (
            "a\r\n{\r\n  \"x\"\t\"1\"\r\n  b\r\n  {\r\n  }\r\n}\r\n",
            "a\r\n{\r\n  \"x\"\t\"1\"\r\n  \"k\"\t\"v\"\r\n  b\r\n  {\r\n  }\r\n}\r\n",
        ),
        ("a { x 1 }", "a { x 1 k v }"),
        ("\ta {}", "\ta {\n\t\t\"k\" \"v\"\n\t}"),
        ("\ta\n\t{\n\t}", "\ta\n\t{\n\t\t\"k\" \"v\"\n\t}"),
        ("a\n{ // note\n\tb\n\t{\n\t}\n}", "a\n{ // note\n\t\"k\" \"v\"\n\tb\n\t{\n\t}\n}"),
        ("a\n{\n\tx 1 [$X]\n}", "a\n{\n\tx 1 [$X]\n\tk v\n}"),
    ] {
        let found = edited(text, |edit, document| edit.insert_key(document.get("a"), "k", "v"));
        assert_eq!(found, expected, "{text:?}");
    }
    for (text, expected) in [("", "\"k\" \"v\"\n"), ("a b", "a b\nk v"), ("a { }", "a { }\n\"k\" \"v\"\n")] {
        assert_eq!(edited(text, |edit, _| edit.insert_key(None, "k", "v")), expected, "{text:?}");
    }
}

#[test]
fn blocks_are_added_after_any_item() {
    let text = "a\r\n{\r\n\tx 1 // one\r\n\tb\r\n\t{\r\n\t}\r\n\tc\r\n\t{\r\n\t}\r\n}\r\n";
    let block = edited(text, |edit, document| edit.insert_block_after(find(document, &["a", "b"]), "n", [("k", "v")]));
    let expected = text.replace("\tc\r\n", "\tn\r\n\t{\r\n\t\t\"k\" \"v\"\r\n\t}\r\n\tc\r\n");
    assert_eq!(block, expected);
    let after_key = edited(text, |edit, document| {
        edit.insert_text_after(find(document, &["a", "x"]), "n\r\n\t{\r\n\t}");
        Ok(())
    });
    assert_eq!(after_key, text.replace("\tb\r\n", "\tn\r\n\t{\r\n\t}\r\n\tb\r\n"));
}

#[test]
fn new_blocks_have_the_layout_of_their_neighbours() {
    let keys = [("id", "1"), ("a b", "c")];
    let text = "world\r\n{\r\n\t\"id\" \"1\"\r\n}\r\n";
    let found = edited(text, |edit, document| edit.insert_block(document.get("world"), "solid", keys));
    let block = "\tsolid\r\n\t{\r\n\t\t\"id\" \"1\"\r\n\t\t\"a b\" \"c\"\r\n\t}\r\n";
    assert_eq!(found, format!("world\r\n{{\r\n\t\"id\" \"1\"\r\n{block}}}\r\n"));
    let found = edited(text, |edit, _| edit.insert_block(None, "entity", keys));
    assert_eq!(found, format!("{text}entity\r\n{{\r\n\t\"id\" \"1\"\r\n\t\"a b\" \"c\"\r\n}}\r\n"));
}

#[test]
fn removed_items_take_their_line_with_them() {
    for (text, expected) in [
        ("a 1\nb 2\nc 3\n", "a 1\nc 3\n"),
        ("b 2\nc 3\n", "c 3\n"),
        ("a 1\r\n\tb 2\r\n", "a 1\r\n"),
        ("a 1\nb\n{\n\tx 1\n}\nc 3", "a 1\nc 3"),
        ("a 1 b 2 c 3", "a 1 c 3"),
        ("a 1 b 2", "a 1"),
        ("a 1 b\"2\"c 3", "a 1 c 3"),
        ("a 1\n// note\nb 2 // two\nc 3", "a 1\n// note\n // two\nc 3"),
        ("b 2 [$X]\nc 3", "c 3"),
    ] {
        let found = edited(text, |edit, document| {
            edit.remove(document.get("b").unwrap());
            Ok(())
        });
        assert_eq!(found, expected, "{text:?}");
    }
}

#[test]
fn changes_of_one_edit_are_independent() {
    let text = "a\n{\n\tx 1\n\ty 2\n}\n";
    let found = edited(text, |edit, document| {
        let a = document.get("a").unwrap();
        edit.remove(a.get("y").unwrap());
        edit.insert_key(Some(a), "z", "3")?;
        edit.insert_key(Some(a), "w", "4")?;
        edit.set_value(a.get("x").unwrap(), "5")
    });
    assert_eq!(found, "a\n{\n\tx 5\n\tz 3\n\tw 4\n}\n");
}

#[test]
fn all_keys_can_be_removed() {
    for text in ["a 1\nb { c 2 }\nd 3\n", "a 1\r\nb 2", "a 1 b 2"] {
        let rest = edited(text, |edit, document| {
            document.items().for_each(|item| edit.remove(item));
            Ok(())
        });
        assert_eq!(rest.trim(), "", "{text:?}");
    }
}

#[test]
fn impossible_edits_are_rejected() {
    let document = Document::from_bytes(b"a { x \"1\" }").unwrap();
    let a = document.get("a").unwrap();
    let mut edit = Edit::new(&document);
    assert!(matches!(edit.set_value(a, "1").unwrap_err().kind(), WriteErrorKind::Kind { .. }));
    assert!(matches!(edit.insert_key(a.get("x"), "k", "v").unwrap_err().kind(), WriteErrorKind::Kind { .. }));
    let quote = edit.set_value(a.get("x").unwrap(), "a\"b").unwrap_err();
    assert_eq!(quote.to_string(), "\"a\\\"b\" cannot be stored: the file has no escapes for quotes");
    edit.remove(a);
    edit.set_value(a.get("x").unwrap(), "2").unwrap();
    assert!(matches!(edit.apply().unwrap_err().kind(), WriteErrorKind::Overlap));

    let options = ReadOptions::default().with_escapes(true);
    let document = Document::from_bytes_with(b"x \"1\"", &options).unwrap();
    let mut edit = Edit::new(&document);
    edit.set_value(document.get("x").unwrap(), "a\"b\\\n").unwrap();
    assert_eq!(edit.apply().unwrap().as_bytes(), br#"x "a\"b\\\n""#);
}
