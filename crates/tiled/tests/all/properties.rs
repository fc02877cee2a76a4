//! The laws of reading and writing.

use crate::support;

use mapwright_testkit::{laws, mutate};
use mapwright_tiled::{Document, Edit, ItemKind};
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::{Index, select};
use support::read;

/// Parts of both languages, which are put together in any order.
fn parts() -> impl Strategy<Value = Vec<u8>> {
    let parts = [
        "<map",
        "<map>",
        "</map>",
        "<a",
        "/>",
        ">",
        " b=\"",
        "\"",
        "'",
        " c='1'",
        "<!--",
        "-->",
        "<![CDATA[",
        "]]>",
        "<?",
        "?>",
        "&amp;",
        "&#9;",
        "&",
        "\r\n",
        "\u{FEFF}",
        "é",
        "<!DOCTYPE map>",
        "{",
        "}",
        "[",
        "]",
        ":",
        ",",
        "\"type\":\"map\"",
        "\"layers\":[",
        "\\u00",
        "1",
        "-2.5",
        "true",
        "null",
    ];
    vec(select(parts.to_vec()), 0..30).prop_map(|parts| parts.concat().into_bytes())
}

/// Maps in XML with every kind of markup.
fn xml() -> impl Strategy<Value = Vec<u8>> {
    let attribute = select(vec![" a=\"1\"", "\n b = '&lt;'", " é=\"\"", ""]);
    let text = select(vec!["", "\n ", "1,2,\r\n3", "&amp;", "<!-- < -->", "<![CDATA[ & ]]>", "<?p ?>", "]]"]);
    let element = attribute.clone().prop_map(|attribute| format!("<e{attribute}/>"));
    let element = element.prop_recursive(4, 30, 5, move |element| {
        (attribute.clone(), vec((text.clone(), element), 0..5), select(vec!["</f>", "</f >"])).prop_map(
            |(attribute, items, end)| {
                let items: String = items.into_iter().map(|(text, element)| format!("{text}{element}")).collect();
                format!("<f{attribute}>{items}{end}")
            },
        )
    });
    let before = select(vec!["", "\u{FEFF}<?xml version=\"1.0\"?>\n", "<!DOCTYPE map>\n<!-- a -->"]);
    (before, vec(element, 0..4), select(vec!["", "\n", "<!---->"]))
        .prop_map(|(before, elements, after)| format!("{before}<map>{}</map>{after}", elements.concat()).into_bytes())
}

/// Maps in JSON with every kind of value.
fn json() -> impl Strategy<Value = Vec<u8>> {
    let scalars = ["null", "true", "1", "-2.5e3", "0", "\"a\\n\\\"b\"", "\"\\ud83d\\ude00\"", "\"\"", "[1,2, 3]"];
    let value = select(scalars.to_vec()).prop_map(str::to_owned).prop_recursive(4, 40, 5, |value| {
        let member = (select(vec!["a", "", "é", "\\\""]), select(vec![":", " :\n"]), value.clone());
        let member = member.prop_map(|(key, colon, value)| format!("\"{key}\"{colon}{value}"));
        prop_oneof![
            (vec(member, 0..5), select(vec![",", ", \r\n"]))
                .prop_map(|(items, comma)| format!("{{{}}}", items.join(comma))),
            vec(value, 0..5).prop_map(|items| format!("[ {} ]", items.join(","))),
        ]
    });
    vec(value, 0..4)
        .prop_map(|values| format!("{{\"type\":\"map\", \"values\":[{}]}}\n", values.join(", ")).into_bytes())
}

/// Reads everything that items offer.
fn visit(document: &Document) {
    let mut open = vec![document.root().items()];
    let mut count = 1;
    while let Some(items) = open.last_mut() {
        let Some(item) = items.next() else {
            open.pop();
            continue;
        };
        count += 1;
        let (range, value) = (item.range(), item.value_range());
        assert!(
            range.start <= value.start && value.end <= range.end && range.end <= document.as_str().len(),
            "{item:?}"
        );
        let _ = (item.name().len(), item.text().len(), item.numbers().count(), item.position());
        open.push(item.items());
    }
    assert_eq!(count, document.item_count());
    assert!(document.validate().iter().all(|finding| !finding.message.is_empty()));
}

proptest! {
    #[test]
    fn any_bytes_are_read_or_rejected(bytes in vec(any::<u8>(), 0..200), parts in parts()) {
        let in_map = [b"<map>", &parts[..], b"</map>"].concat();
        let in_json = [b"{\"type\":\"map\",\"a\":", &parts[..], b"}"].concat();
        for bytes in [bytes, parts, in_map, in_json] {
            if let Some(document) = laws::total(&bytes, read) {
                visit(&document);
                laws::exact("the input", &bytes, read, Document::to_bytes);
            }
        }
    }

    #[test]
    fn legal_texts_round_trip(xml in xml(), json in json()) {
        for text in [xml, json] {
            laws::exact("the text", &text, read, Document::to_bytes);
            laws::stable(&text, read, Document::to_bytes);
            visit(&read(&text).unwrap());
        }
    }

    #[test]
    fn damaged_texts_are_stable(xml in xml(), json in json(), seed: u64) {
        for text in [xml, json] {
            for mutant in mutate::random(&text, std::slice::from_ref(&text), seed).take(20) {
                laws::stable(&mutant, read, Document::to_bytes);
            }
        }
    }

    #[test]
    fn prefixes_are_rejected_or_lack_only_what_follows_the_root(xml in xml(), json in json()) {
        for text in [xml, json] {
            let end = read(&text).unwrap().root().range().end;
            laws::prefixes(&text, read, |prefix, _| prefix.len() >= end);
        }
    }

    #[test]
    fn a_new_value_changes_only_its_item(xml in xml(), json in json(), place: Index, new in "[a-z<>&\"' \n]{0,4}") {
        for text in [xml, json] {
            let document = read(&text).unwrap();
            let texts = |document: &Document| document.items().map(|item| item.text().into_owned()).collect::<Vec<_>>();
            let index = place.index(document.item_count());
            let mut edit = Edit::new(&document);
            // Elements with elements, objects and arrays have no value. The type of a file must stay.
            if index < 2 || edit.set_value(document.items().nth(index).unwrap(), &*new).is_err() {
                continue;
            }
            let edited = edit.apply().unwrap();
            let (old, found) = (texts(&document), texts(&edited));
            prop_assert_eq!(&found[index], &new);
            prop_assert_eq!(found.len(), old.len());
            prop_assert!(old.iter().zip(&found).enumerate().all(|(other, (old, found))| other == index || old == found));
        }
    }

    #[test]
    fn an_item_that_is_added_and_removed_leaves_nothing(xml in xml(), place: Index) {
        let document = read(&xml).unwrap();
        let elements: Vec<_> = document.items().filter(|item| item.kind() == ItemKind::Element).collect();
        let parent = elements[place.index(elements.len())];
        let mut edit = Edit::new(&document);
        edit.insert(parent, parent.elements().last(), "<new/>").unwrap();
        let edited = edit.apply().unwrap();
        prop_assert_eq!(edited.item_count(), document.item_count() + 1);
        let mut edit = Edit::new(&edited);
        edit.remove(edited.items().find(|item| item.is("new")).unwrap());
        let removed = edit.apply().unwrap();
        let names = |document: &Document| document.items().map(|item| item.name().into_owned()).collect::<Vec<_>>();
        prop_assert_eq!(names(&removed), names(&document));
    }
}
