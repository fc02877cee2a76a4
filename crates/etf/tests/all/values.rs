//! Equality of values, and repeated keys of maps.

use crate::support;

use mapwright_etf::{ReadErrorKind, Term, Tree, Value};
use support::{hex, lenient};

fn tree(bytes: &str) -> Tree {
    Tree::from_bytes_with(&hex(bytes), &lenient()).unwrap()
}

/// Groups of terms: equal inside a group, different between groups.
const GROUPS: &[&[&str]] = &[
    &["61 05", "62 00000005", "6e 01 00 05", "6e 03 00 050000", "6f 00000002 00 0500", "6c 00000000 61 05"],
    &["62 fffffffb", "6e 01 01 05", "6e 01 ff 05"],
    &["61 00", "6e 00 00", "6e 01 01 00"],
    &["6e 09 00 000000000000000001", "6f 0000000a 00 00000000000000000100"],
    &["46 3ff8000000000000", "63 312e35 00000000000000000000000000000000000000000000000000000000"],
    &["46 4014000000000000"],
    &["46 0000000000000000", "46 8000000000000000"],
    &["46 7ff8000000000000", "46 7ff0000000000000"],
    &["64 0001 e9", "73 01 e9", "76 0002 c3a9", "77 02 c3a9"],
    &["64 0001 61", "73 01 61", "76 0001 61", "77 01 61"],
    &["77 01 fe", "76 0001 fe"],
    &["77 01 ff"],
    &["77 03 efbfbd"],
    &["6a", "6b 0000", "6c 00000000 6a", "6c 00000000 6b 0000"],
    &[
        "6b 0002 0102",
        "6c 00000002 6101 6102 6a",
        "6c 00000001 6101 6b 0001 02",
        "6c 00000001 62 00000001 6c 00000001 6102 6a",
    ],
    &["6b 0003 010203"],
    &["6c 00000001 6101 6102", "6c 00000001 6101 6c 00000000 6102"],
    &["6c 00000002 6101 6102 6103"],
    &["68 01 6101", "69 00000001 6101"],
    &["68 00", "69 00000000"],
    &["6d 00000001 ff", "4d 00000001 08 ff"],
    &["4d 00000001 03 e0", "4d 00000001 03 ff"],
    &["4d 00000001 04 e0"],
    &["4d 00000002 03 ffe0"],
    &["74 00000000"],
    &["74 00000001 6101 6102", "74 00000001 62 00000001 6102"],
    &["74 00000002 6101 6102 6103 6104", "74 00000002 6103 6104 6101 6102", "74 00000002 62 00000003 6104 6101 6102"],
    &["74 00000002 6101 6104 6103 6102"],
    // A key repeated in one order and in the other.
    &["74 00000002 6101 6102 6101 6103"],
    &["74 00000002 6101 6103 6101 6102"],
    &["67 64 0001 61 00000001 00000002 03", "58 77 01 61 00000001 00000002 00000003"],
    &["66 64 0001 61 00000001 03", "59 64 0001 61 00000001 00000003", "78 64 0001 61 0000000000000001 00000003"],
    &["65 64 0001 61 00000001 03", "72 0001 64 0001 61 03 00000001", "5a 0001 64 0001 61 00000003 00000001"],
    &["71 64 0001 6d 64 0001 66 6101", "71 77 01 6d 77 01 66 62 00000001"],
    &["71 64 0001 6d 64 0001 66 6102"],
    &["79 01"],
];

#[test]
fn typed_views_agree_with_the_value() {
    for bytes in GROUPS.iter().copied().flatten() {
        // A list without elements has the value of its tail.
        for tree in [tree(bytes), tree(&format!("6c 00000000 {bytes}"))] {
            let (term, value) = (tree.root(), tree.root().value());
            let atom = if let Value::Atom(atom) = value { Some(atom) } else { None };
            assert_eq!(term.as_atom(), atom, "{bytes}");
            let binary = if let Value::Binary(binary) = value { Some(binary) } else { None };
            assert_eq!(term.as_binary(), binary, "{bytes}");
            let tuple = if let Value::Tuple(tuple) = value { Some(tuple.map(Term::range).collect()) } else { None };
            assert_eq!(term.as_tuple().map(|tuple| tuple.map(Term::range).collect::<Vec<_>>()), tuple, "{bytes}");
            let list = if let Value::List(list) = value { Some(list.items().count()) } else { None };
            assert_eq!(term.as_list().map(|list| list.items().count()), list, "{bytes}");
        }
    }
    assert!(tree("68 00").root().as_tuple_of::<0>().is_some());
    let three = tree("68 03 61 01 68 01 6a 61 02");
    assert!(three.root().as_tuple_of::<2>().is_none() && three.root().as_tuple_of::<4>().is_none());
    let elements = three.root().as_tuple_of::<3>().unwrap().map(|element| element.to_string());
    assert_eq!(elements, ["1", "{[]}", "2"]);
}

#[test]
fn encodings_of_one_value_are_equal_and_no_others() {
    let groups: Vec<Vec<Tree>> = GROUPS.iter().map(|group| group.iter().map(|bytes| tree(bytes)).collect()).collect();
    for (i, group) in groups.iter().enumerate() {
        for (j, other) in groups.iter().enumerate() {
            for a in group {
                for b in other {
                    assert_eq!(a.root().same_value(b.root()), i == j, "{a} (group {i}) and {b} (group {j})");
                }
            }
        }
    }
}

#[test]
fn values_are_compared_inside_terms() {
    // {K, [M]} with maps in either order, nested in a key of a map.
    let in_key = |first: &str, second: &str| {
        format!("74 00000002 68 02 6101 6c 00000001 74 00000002 {first} {second} 6a 6107 6108 6109")
    };
    let (one, two) = ("74 00000002 6101 6a 6102 6a 61 05", "6c 00000001 6101 6a 61 06");
    let (a, b) = (tree(&in_key(one, two)), tree(&in_key(two, &one.replace("6101 6a 6102 6a", "6102 6b 0000 6101 6a"))));
    assert!(a.root().same_value(b.root()));
    let c = tree(&in_key(one, &two.replace("61 06", "61 07")));
    assert!(!a.root().same_value(c.root()));
}

/// A map of two keys.
fn two_keys(a: &str, b: &str) -> String {
    format!("74 00000002 {a} 6101 {b} 6102")
}

#[test]
fn repeated_keys_are_rejected_in_any_encoding() {
    // The last three groups cannot be read in the strict mode, or cannot occur twice in a map.
    let strict = |bytes: &str| Tree::from_bytes(&hex(bytes)).is_ok();
    let mut pairs = 0;
    for (i, group) in GROUPS.iter().enumerate() {
        for a in *group {
            for (j, other) in GROUPS.iter().enumerate() {
                for b in other.iter().filter(|b| strict(a) && strict(b)) {
                    let found = Tree::from_bytes(&hex(&two_keys(a, b)));
                    match found {
                        Ok(_) => assert_ne!(i, j, "{a} and {b}"),
                        Err(error) => {
                            assert!(matches!(error.kind(), ReadErrorKind::DuplicateKey), "{error}");
                            assert_eq!(i, j, "{a} and {b}");
                        }
                    }
                    pairs += 1;
                }
            }
        }
    }
    assert!(pairs > 2500, "{pairs}");
}

#[test]
fn the_error_has_the_position_of_the_second_key() {
    let bytes = hex("68 02 6a 74 00000003 6101 6a 6102 6a 62 00000001 6a");
    let error = Tree::from_bytes(&bytes).unwrap_err();
    assert_eq!(error.to_string(), "map contains the same key twice at offset 14 (0xe) in [1][2].key");
    assert!(Tree::from_bytes_with(&bytes, &lenient()).is_ok());
    // A map inside a key that repeats one.
    let inner = format!("74 00000001 {} 6101", two_keys("61 01", "62 00000001"));
    assert_eq!(Tree::from_bytes(&hex(&inner)).unwrap_err().path().to_string(), "[0].key[1].key");
}

/// `#{#{…} => 1, 2 => 3}`, 1,000 maps deep, as both keys of a map, once with the pairs in reverse order.
#[test]
fn maps_nested_in_keys_are_compared_in_linear_time() {
    let nested = |turned: bool| {
        let (mut front, mut back) = (Vec::new(), Vec::new());
        for _ in 0..1000 {
            front.extend(hex(if turned { "74 00000002 6102 6103" } else { "74 00000002" }));
            back.extend(hex(if turned { "6101" } else { "6101 6102 6103" }));
        }
        [front, vec![0x6A], back].concat()
    };
    let both = [hex("74 00000002"), nested(false), hex("6a"), nested(true), hex("6a")].concat();
    let error = Tree::from_bytes(&both).unwrap_err();
    assert!(matches!(error.kind(), ReadErrorKind::DuplicateKey));
    let differ = [hex("74 00000002"), nested(false), hex("6a 68 01"), nested(true), hex("6a")].concat();
    assert!(Tree::from_bytes(&differ).is_ok());
}

/// A binary tree of maps with two keys each. Repeating the comparisons of inner maps would be quadratic.
#[test]
fn a_tree_of_maps_takes_linear_time() {
    let mut key = vec![0x61, 0];
    for level in 1..17 {
        // The two keys differ only at their ends, in {Level}.
        let other = [hex("6c 00000001"), key.clone(), vec![0x61, level]].concat();
        let first = [hex("6c 00000001"), key, hex("6100")].concat();
        key = [hex("74 00000002"), first, hex("6a"), other, hex("6a")].concat();
    }
    assert!(key.len() > 1_000_000, "{}", key.len());
    let tree = Tree::from_bytes(&key).unwrap();
    assert!(tree.root().same_value(tree.clone().root()));
}
