//! The laws of reading and writing.

use crate::support;

use mapwright_keyvalues::{GameInfo, TextureSettings, Vmat, Vmdl, kv1, kv3};
use mapwright_testkit::{laws, mutate};
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::{Index, select};
use support::{read_kv1, read_kv3, text};

/// Parts of KeyValues 1, which are put together in any order.
fn kv1_parts() -> impl Strategy<Value = Vec<u8>> {
    let parts = [
        "a",
        "Layer0",
        "\"b c\"",
        "\"\"",
        "{",
        "}",
        " ",
        "\n",
        "\r\n\t",
        "// x\n",
        "/* y */",
        "[$X]",
        "[1 2]",
        "/",
        "\\",
        "\"d\\\"",
        "\u{FEFF}",
        "é",
        "settings",
        "GameInfo",
        "TextureColor",
        "1.5",
        "#include",
    ];
    vec(select(parts.to_vec()), 0..30).prop_map(|parts| parts.concat().into_bytes())
}

/// Documents of KeyValues 1 with blocks, comments and conditions.
fn kv1_text() -> impl Strategy<Value = Vec<u8>> {
    let name = select(vec!["a", "B", "\"c d\"", "\"\""]);
    let key = (name.clone(), select(vec![" ", "\t\t", "\n"]), name.clone(), select(vec!["\n", " // x\n", " [$X]\r\n"]));
    let key = key.prop_map(|(name, space, value, end)| [name, space, value, end].concat());
    let items = key.prop_recursive(4, 30, 5, move |item| {
        (name.clone(), select(vec!["{", "\n\t{\n"]), vec(item, 0..5), select(vec!["}", "\n}\n"]))
            .prop_map(|(name, open, items, close)| [name, open, &items.concat(), close].concat())
    });
    vec(items, 0..5).prop_map(|items| items.join(" ").into_bytes())
}

/// Documents of KV3 with values of every kind.
fn kv3_text() -> impl Strategy<Value = Vec<u8>> {
    let scalars = [
        "null",
        "true",
        "1",
        "-2.5e3",
        "0x1F",
        "nan",
        "\"a\\n\\\"b\"",
        "\"\"\"\nc\n\"\"\"",
        "#[ 00 fF ]",
        "resource:\"d\"",
        "a:b:1",
        "18446744073709551615",
    ];
    let value = select(scalars.to_vec()).prop_map(str::to_owned).prop_recursive(4, 40, 5, |value| {
        let key = select(vec!["a", "_b.c", "\"d e\"", "true"]);
        let member = (key, select(vec![" = ", "=\n", "/*x*/= // y\n"]), value.clone());
        let member = member.prop_map(|(key, equals, value)| [key, equals, &value].concat());
        let object = (vec(member, 0..5), select(vec![" ", "\n\t", ", "]));
        let array = (vec(value, 0..5), select(vec!["", ","]), select(vec![", ", ",\r\n"]));
        prop_oneof![
            object.prop_map(|(members, separator)| format!("{{ {} }}", members.join(separator))),
            array.prop_map(|(items, end, separator)| {
                let end = if items.is_empty() { "" } else { end };
                format!("[ {}{end} ]", items.join(separator))
            }),
        ]
    });
    value.prop_map(|value| text(&value))
}

/// Reads everything that views and validation offer.
fn visit_kv1(document: &kv1::Document) {
    let mut open = vec![document.items()];
    let mut count = 0;
    while let Some(items) = open.last_mut() {
        let Some(item) = items.next() else {
            open.pop();
            continue;
        };
        count += 1;
        assert!(item.range().end <= document.as_bytes().len() && item.range().start < item.range().end);
        assert_eq!(item.is_block(), item.value().is_none());
        let _ = (item.name_text().len(), item.numbers(), item.condition(), item.comments().count(), item.position());
        open.push(item.items());
    }
    assert_eq!(count, document.item_count());
}

fn visit_kv3(document: &kv3::Document) {
    let mut open = vec![document.root().items()];
    let mut count = 1;
    while let Some(values) = open.last_mut() {
        let Some(value) = values.next() else {
            open.pop();
            continue;
        };
        count += 1;
        assert!(value.range().end <= document.as_bytes().len() && value.range().start < value.range().end);
        let _ = (value.data(), value.flag(), value.key_text().map(|key| key.len()), value.position());
        open.push(value.items());
    }
    assert_eq!(count, document.value_count());
    assert!(document.validate().len() <= 1);
}

proptest! {
    #[test]
    fn any_bytes_are_read_or_rejected(bytes in vec(any::<u8>(), 0..200), parts in kv1_parts()) {
        let after = [support::HEADER.as_bytes(), &bytes].concat();
        let other = [support::HEADER.as_bytes(), &parts].concat();
        for bytes in [&bytes, &parts, &after, &other] {
            if let Some(document) = laws::total(bytes, read_kv1) {
                visit_kv1(&document);
            }
            if let Some(document) = laws::total(bytes, read_kv3) {
                visit_kv3(&document);
            }
            for error in [Vmat::from_bytes(bytes).err(), Vmdl::from_bytes(bytes).err(), GameInfo::from_bytes(bytes).err(),
                          TextureSettings::from_bytes(bytes).err()].into_iter().flatten() {
                prop_assert!(!error.to_string().is_empty());
            }
        }
    }

    #[test]
    fn legal_texts_round_trip(one in kv1_text(), three in kv3_text()) {
        laws::exact("KeyValues 1", &one, read_kv1, kv1::Document::to_bytes);
        laws::stable(&one, read_kv1, kv1::Document::to_bytes);
        visit_kv1(&read_kv1(&one).unwrap());
        laws::exact("KV3", &three, read_kv3, kv3::Document::to_bytes);
        laws::stable(&three, read_kv3, kv3::Document::to_bytes);
        visit_kv3(&read_kv3(&three).unwrap());
    }

    #[test]
    fn damaged_texts_are_stable(one in kv1_text(), three in kv3_text(), seed: u64) {
        for mutant in mutate::random(&one, std::slice::from_ref(&one), seed).take(20) {
            laws::stable(&mutant, read_kv1, kv1::Document::to_bytes);
        }
        for mutant in mutate::random(&three, std::slice::from_ref(&three), seed).take(20) {
            laws::stable(&mutant, read_kv3, kv3::Document::to_bytes);
        }
    }

    #[test]
    fn prefixes_are_rejected_or_shorter_texts(one in kv1_text(), three in kv3_text()) {
        laws::prefixes(&one, read_kv1, |prefix, document| document.as_bytes() == prefix);
        // Only a number or word as the root may be shorter.
        laws::prefixes(&three, read_kv3, |_, document| document.value_count() == 1);
    }

    #[test]
    fn a_new_value_changes_only_its_token(one in kv1_text(), three in kv3_text(), place: Index, new in "[a-z ]{0,4}") {
        let document = read_kv1(&one).unwrap();
        let items: Vec<kv1::Item<'_>> = keys(&document);
        if !items.is_empty() {
            let item = items[place.index(items.len())];
            let mut edit = kv1::Edit::new(&document);
            edit.set_value(item, &new).unwrap();
            let edited = edit.apply().unwrap();
            let again = keys(&edited);
            prop_assert_eq!(again.len(), items.len());
            for (index, (old, found)) in items.iter().zip(&again).enumerate() {
                let expected = if index == place.index(items.len()) { new.clone().into_bytes() } else { old.value().unwrap().into_owned() };
                prop_assert_eq!(&*found.value().unwrap(), &expected[..]);
                prop_assert_eq!((old.name_token(), old.lead()), (found.name_token(), found.lead()));
            }
        }
        let document = read_kv3(&three).unwrap();
        let values: Vec<kv3::Value<'_>> = document.values().collect();
        let index = place.index(values.len());
        let mut edit = kv3::Edit::new(&document);
        if edit.set(values[index], &*new).is_ok() {
            let edited = edit.apply().unwrap();
            prop_assert_eq!(edited.value_count(), values.len());
            let found = edited.values().nth(index).unwrap();
            prop_assert!(found.as_text().as_deref() == Some(&*new));
            prop_assert_eq!((found.flag(), found.key()), (values[index].flag(), values[index].key()));
        }
    }

    #[test]
    fn an_item_that_is_added_and_removed_leaves_nothing(one in kv1_text(), place: Index) {
        let document = read_kv1(&one).unwrap();
        let mut blocks = vec![None];
        blocks.extend(document.walk().filter(|item| item.is_block()).map(Some));
        let parent = blocks[place.index(blocks.len())];
        let mut edit = kv1::Edit::new(&document);
        edit.insert_key(parent, "new key", "v").unwrap();
        let edited = edit.apply().unwrap();
        prop_assert_eq!(edited.item_count(), document.item_count() + 1);
        let added = edited.walk().find(|item| item.is("new key")).unwrap();
        prop_assert!(added.text().as_deref() == Some("v"));
        let mut edit = kv1::Edit::new(&edited);
        edit.remove(added);
        let removed = edit.apply().unwrap();
        let names = |document: &kv1::Document| document.walk().map(|item| item.name_token().to_vec()).collect::<Vec<_>>();
        prop_assert_eq!(names(&removed), names(&document));
    }
}

fn keys(document: &kv1::Document) -> Vec<kv1::Item<'_>> {
    document.walk().filter(|item| !item.is_block()).collect()
}
