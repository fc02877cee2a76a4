//! The laws of reading, and hostile input.

use mapwright_fgd::Definitions;
use mapwright_testkit::{laws, mutate};
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::select;

use crate::support::{FILE, read, visit};

/// Parts of files, which are put together in any order.
fn parts() -> impl Strategy<Value = Vec<u8>> {
    let parts = [
        "@",
        "PointClass",
        "@BaseClass = ",
        "=",
        "a",
        "B",
        "base(",
        "base(a, B)",
        "(",
        ")",
        "[",
        "]",
        "{",
        "}",
        ":",
        "+",
        ",",
        "|",
        "\"c d\"",
        "\"",
        " ",
        "\n",
        "// x\n",
        "input ",
        "output",
        "readonly",
        "(flags)",
        "= [",
        "1",
        "2^3",
        "@include \"x\"",
        "@exclude a",
        "@mapsize(1, 2)",
        "remove_key",
        "*",
        "é",
        "@OverrideClass",
        "@AutoVisGroup",
    ];
    vec(select(parts.to_vec()), 0..40).prop_map(|parts| parts.concat().into_bytes())
}

/// Reads bytes, and everything that views and definitions offer.
fn read_all(bytes: &[u8]) {
    let Some(document) = laws::total(bytes, read) else { return };
    assert_eq!(document.as_bytes(), bytes);
    visit(&document);
    let definitions = Definitions::new([("a.fgd", &document)]);
    assert!(definitions.findings().iter().all(|finding| !finding.message.is_empty()));
    for class in document.classes() {
        let resolved = definitions.resolve(&class.name()).expect("it is defined");
        assert!(resolved.keys().all(|key| resolved.key(&key.name()).is_some()));
    }
}

proptest! {
    #[test]
    fn any_bytes_are_read_or_rejected(bytes in vec(any::<u8>(), 0..200), parts in parts()) {
        read_all(&bytes);
        read_all(&parts);
    }

    #[test]
    fn damaged_files_are_read_or_rejected(seed: u64) {
        for mutant in mutate::random(FILE.as_bytes(), &[FILE.as_bytes().to_vec()], seed).take(20) {
            read_all(&mutant);
        }
    }
}

#[test]
fn prefixes_are_rejected_or_shorter_files() {
    let whole = read(FILE.as_bytes()).unwrap();
    laws::prefixes(FILE.as_bytes(), read, |prefix, document| {
        document.as_bytes() == prefix && visit(document) <= visit(&whole)
    });
}
