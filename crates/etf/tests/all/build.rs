//! Building and changing terms.

use crate::support;

use mapwright_etf::{Builder, Document, Edit, Packing, ReadErrorKind, Tag, Tree, WriteErrorKind, WriterProfile};
use support::{hex, lenient, ranges};

fn built(profile: WriterProfile, build: impl FnOnce(&mut Builder)) -> Vec<u8> {
    let mut builder = Builder::new(profile);
    build(&mut builder);
    builder.finish().unwrap().into_bytes()
}

#[test]
fn integers_take_the_fewest_bytes() {
    let integer = |value| built(WriterProfile::Otp17, |term| term.integer(value));
    assert_eq!(integer(255), hex("61 ff"));
    assert_eq!(integer(256), hex("62 00000100"));
    assert_eq!(integer(-1), hex("62 ffffffff"));
    assert_eq!(integer(i32::MAX.into()), hex("62 7fffffff"));
    assert_eq!(integer(i32::MIN.into()), hex("62 80000000"));
    assert_eq!(integer(i64::from(i32::MAX) + 1), hex("6e 04 00 00000080"));
    assert_eq!(integer(i64::from(i32::MIN) - 1), hex("6e 04 01 01000080"));
    assert_eq!(integer(i64::MIN), hex("6e 08 01 0000000000000080"));
    let big = |magnitude: &[u8]| built(WriterProfile::Otp17, |term| term.big(true, magnitude));
    assert_eq!(big(&[0; 300]), hex("61 00"));
    assert_eq!(big(&[5, 0, 0, 0, 0]), hex("62 fffffffb"));
    assert_eq!(big(&[1; 255])[..3], hex("6e ff 01"));
    assert_eq!(big(&[1; 256])[..6], hex("6f 00000100 01"));
}

#[test]
fn floats_are_encoded_by_profile() {
    let float = |profile, value| built(profile, |term| term.float(value));
    let text = |profile, value| {
        let bytes = float(profile, value);
        assert_eq!((bytes[0], bytes.len()), (Tag::FLOAT.0, 32));
        String::from_utf8(bytes[1..].to_vec()).unwrap().trim_end_matches('\0').to_owned()
    };
    assert_eq!(text(WriterProfile::Otp16, 0.813_333_333_333_333_4), "8.13333333333333352577e-01");
    assert_eq!(text(WriterProfile::Otp16Win3, 0.813_333_333_333_333_4), "8.13333333333333350000e-001");
    assert_eq!(text(WriterProfile::Otp16Win2, 0.813_333_333_333_333_4), "8.13333333333333350000e-01");
    assert_eq!(text(WriterProfile::Otp16, -0.0), "-0.00000000000000000000e+00");
    assert_eq!(text(WriterProfile::Otp16, -2.225e-308), "-2.22499999999999987236e-308");
    assert_eq!(text(WriterProfile::Otp16Win2, 1e22), "1.00000000000000000000e+22");
    assert_eq!(float(WriterProfile::Otp17, 1.5), hex("46 3ff8000000000000"));
    assert_eq!(float(WriterProfile::Otp26, 1.5), hex("46 3ff8000000000000"));
}

#[test]
fn atoms_are_encoded_by_profile() {
    let atom = |profile, name: &str| built(profile, |term| term.atom(name));
    assert_eq!(atom(WriterProfile::Otp17, "é"), hex("64 0001 e9"));
    assert_eq!(atom(WriterProfile::Otp26, "é"), hex("77 02 c3a9"));
    assert_eq!(atom(WriterProfile::Otp16, "Ж"), hex("77 02 d096"));
    assert_eq!(atom(WriterProfile::Otp26, &"é".repeat(128))[..3], hex("76 0100"));
    let too_long = |profile| {
        let mut builder = Builder::new(profile);
        builder.atom(&"a".repeat(70_000));
        builder.finish().unwrap_err()
    };
    for profile in WriterProfile::ALL {
        assert!(matches!(too_long(profile).kind(), WriteErrorKind::NotATerm(_)), "{}", profile.name());
    }
}

#[test]
fn lists_become_strings_as_in_erlang() {
    let list = |build: &dyn Fn(&mut Builder)| {
        built(WriterProfile::Otp17, |term| {
            term.begin_list();
            build(term);
            term.end_list();
        })
    };
    assert_eq!(list(&|_| {}), hex("6a"));
    assert_eq!(list(&|term| term.integer(0)), hex("6b 0001 00"));
    assert_eq!(list(&|term| term.integer(256)), hex("6c 00000001 62 00000100 6a"));
    let bytes = |count: usize| list(&|term| (0..count).for_each(|_| term.integer(1)));
    assert_eq!(bytes(65_535)[..3], hex("6b ffff"));
    assert_eq!(bytes(65_536)[..7], hex("6c 00010000 6101"));
    // A byte inside a tuple is not a byte of the list.
    let nested = list(&|term| {
        term.tuple(1);
        term.integer(7);
    });
    assert_eq!(nested, hex("6c 00000001 68 01 6107 6a"));
    // A copied byte counts as a byte; a copied term in an unusual encoding does not.
    let seven = Tree::from_bytes(&hex("61 07")).unwrap();
    let unusual = Tree::from_bytes(&hex("6c 00000000 61 07")).unwrap();
    assert_eq!(list(&|term| term.copy(seven.root())), hex("6b 0001 07"));
    assert_eq!(list(&|term| term.copy(unusual.root())), hex("6c 00000001 6c 00000000 6107 6a"));
    assert_eq!(list(&|term| term.recode(unusual.root())), hex("6b 0001 07"));
    assert_eq!(list(&|term| term.text("aЖ")), hex("6c 00000001 6c 00000002 6161 62 00000416 6a 6a"));
    let improper = built(WriterProfile::Otp17, |term| {
        term.begin_list();
        term.integer(1);
        term.integer(2);
        term.end_improper_list();
    });
    assert_eq!(improper, hex("6c 00000001 6101 6102"));
}

#[test]
fn misuse_is_an_error_without_a_panic() {
    let error = |build: &dyn Fn(&mut Builder)| {
        let mut builder = Builder::new(WriterProfile::Otp17);
        build(&mut builder);
        builder.finish().unwrap_err()
    };
    let unbalanced: [&dyn Fn(&mut Builder); 7] = [
        &|term| term.tuple(1),
        &|term| term.map(1),
        &|term| term.begin_list(),
        &|term| term.end_list(),
        &|term| term.end_improper_list(),
        &|term| {
            term.begin_list();
            term.end_improper_list();
        },
        &|term| {
            term.begin_list();
            term.tuple(2);
            term.integer(1);
            term.end_list();
        },
    ];
    for build in unbalanced {
        assert!(matches!(error(build).kind(), WriteErrorKind::Unbalanced));
    }
    let refused: [&dyn Fn(&mut Builder); 7] = [
        &|_| {},
        &|term| {
            term.integer(1);
            term.integer(2);
        },
        &|term| term.float(f64::NAN),
        &|term| term.float(f64::INFINITY),
        &|term| term.bits(&[1], 0),
        &|term| term.bits(&[1], 9),
        &|term| {
            term.map(2);
            (0..4).for_each(|_| term.integer(1));
        },
    ];
    for build in refused {
        assert!(matches!(error(build).kind(), WriteErrorKind::NotATerm(_)));
    }
    // A built term has a path, but no position in a file.
    let inside = error(&|term| {
        term.tuple(2);
        term.integer(1);
        term.float(f64::NAN);
    });
    assert_eq!((inside.position(), inside.to_string().as_str()), (None, "float is not finite in [1]"));
}

#[test]
fn a_built_term_has_the_index_of_a_read_one() {
    let source = hex("68 02 68 01 61 07 6c 00000001 68 01 74 00000001 6a 68 01 6a 68 01 6a");
    let source = Tree::from_bytes(&source).unwrap();
    let mut term = Builder::new(WriterProfile::Otp17);
    term.tuple(6);
    // More terms than one piece of an index contains.
    term.begin_list();
    for number in 0..10_000 {
        term.tuple(2);
        term.integer(number);
        term.text(if number % 2 == 0 { "" } else { "text" });
    }
    term.end_list();
    // Neither an empty list nor a string contains terms.
    term.begin_list();
    term.end_list();
    term.text("text");
    term.map(1);
    term.tuple(0);
    term.begin_list();
    term.tuple(1);
    term.map(0);
    term.atom("tail");
    term.end_improper_list();
    source.root().children().for_each(|part| term.copy(part));
    let tree = term.finish().unwrap();
    assert_eq!(ranges(&tree), ranges(&Tree::from_bytes(tree.as_bytes()).unwrap()));
}

#[test]
fn copies_of_the_lenient_mode_are_checked() {
    let copied = |bytes: &str| {
        let tree = Tree::from_bytes_with(&hex(bytes), &lenient()).unwrap();
        let mut term = Builder::new(WriterProfile::Otp17);
        term.tuple(2);
        term.integer(1);
        term.copy(tree.root().element(0).unwrap());
        term.finish()
    };
    assert_eq!(copied("68 02 61 02 46 7ff8000000000000").unwrap().as_bytes(), hex("68 02 61 01 61 02"));
    let error = copied("68 02 68 01 46 7ff8000000000000 61 02").unwrap_err();
    assert_eq!(error.to_string(), "float is not finite in [1][0]");
    let error = copied("68 01 74 00000002 61 01 6a 61 01 6a").unwrap_err();
    assert!(matches!(error.kind(), WriteErrorKind::NotATerm(ReadErrorKind::DuplicateKey)), "{error}");
}

#[test]
fn unused_bits_are_zero() {
    let bits = |bytes: &[u8], last| built(WriterProfile::Otp17, |term| term.bits(bytes, last));
    assert_eq!(bits(&[0xFF, 0xFF], 3), hex("4d 00000002 03 ffe0"));
    assert_eq!(bits(&[0xFF], 8), hex("6d 00000001 ff"));
    assert_eq!(bits(&[], 3), hex("6d 00000000"));
}

#[test]
fn terms_of_the_lenient_mode_are_not_recoded() {
    for bytes in ["46 7ff8000000000000", "4d 00000001 09 ff"] {
        let tree = Tree::from_bytes_with(&hex(bytes), &lenient()).unwrap();
        assert!(matches!(tree.root().recode(WriterProfile::Otp17).unwrap_err().kind(), WriteErrorKind::NotATerm(_)));
        assert_eq!(WriterProfile::detect(tree.root()), None);
    }
}

#[test]
fn profiles_are_detected() {
    let detect = |bytes: &str| WriterProfile::detect(Tree::from_bytes(&hex(bytes)).unwrap().root());
    assert_eq!(detect("61 05"), Some(WriterProfile::Otp17), "matches all profiles: the preferred one");
    assert_eq!(detect("64 0001 61"), Some(WriterProfile::Otp17));
    assert_eq!(detect("77 01 61"), Some(WriterProfile::Otp26));
    assert_eq!(detect("77 02 d096"), Some(WriterProfile::Otp17));
    for (profile, other) in WriterProfile::ALL.into_iter().flat_map(|a| WriterProfile::ALL.map(|b| (a, b))) {
        let tree = Tree::from_bytes(&built(profile, |term| {
            term.tuple(2);
            term.atom("a");
            term.float(0.1);
        }));
        let tree = tree.unwrap();
        assert_eq!(WriterProfile::detect(tree.root()), Some(profile));
        assert_eq!(other.first_deviation(tree.root()).is_none(), profile == other);
    }
    // Terms that match no profile, and the first term that the nearest profile encodes differently.
    for bytes in [
        "62 00000005",
        "6e 01 00 05",
        "6e 04 01 00000080",
        "6f 00000005 00 0000000001",
        "6e 05 02 0000000001",
        "73 01 61",
        "76 0001 61",
        "69 00000000",
        "6b 0000",
        "6c 00000000 6a",
        "6c 00000001 6101 6a",
        "6c 00000001 6a 6b 0001 01",
        "6c 00000001 6a 6c 00000001 6a 6a",
        "4d 00000001 08 ff",
        "4d 00000001 03 ff",
        "4d 00000000 00",
        "63 312e35 00000000000000000000000000000000000000000000000000000000",
        "71 73 01 61 73 01 61 61 01",
    ] {
        let tree = Tree::from_bytes(&hex(bytes)).unwrap();
        assert_eq!(WriterProfile::detect(tree.root()), None, "{bytes}");
        for profile in WriterProfile::ALL {
            assert_ne!(tree.root().recode(profile).unwrap(), tree, "{bytes}");
        }
    }
    // 99 binary floats in a tuple against one text float.
    let mixed = hex(&format!("68 64 {} 63 312e35 {}", "46 3ff8000000000000".repeat(99), "00".repeat(28)));
    let mixed = Tree::from_bytes(&mixed).unwrap();
    assert_eq!(
        (WriterProfile::detect(mixed.root()), WriterProfile::for_term(mixed.root())),
        (None, WriterProfile::Otp17)
    );
    let deviation = WriterProfile::Otp17.first_deviation(mixed.root()).unwrap();
    assert_eq!((deviation.path().to_string(), deviation.range().start), ("[99]".to_owned(), 2 + 99 * 9));
}

#[test]
fn the_first_deviation_follows_any_number_of_regular_terms() {
    // [{a, 300, 1.5, 7}] and one more element.
    let regular = "68 04 64 0001 61 62 0000012c 46 3ff8000000000000 61 07";
    for (bytes, is_regular) in [
        ("62 00000100", true),
        ("62 ffffffff", true),
        ("62 000000ff", false),
        ("46 7fefffffffffffff", true),
        ("46 ffefffffffffffff", true),
        ("46 7ff0000000000000", false),
        ("46 fff8000000000000", false),
        ("77 01 61", false),
    ] {
        let tree = hex(&format!("6c 00000002 {regular} {bytes} 6a"));
        let tree = Tree::from_bytes_with(&tree, &lenient()).unwrap();
        let deviation = WriterProfile::Otp17.first_deviation(tree.root());
        assert_eq!(deviation.map(|term| term.path().to_string()), (!is_regular).then(|| "[1]".to_owned()), "{bytes}");
        // The older and the newer encoding deviate earlier.
        for (profile, path) in [(WriterProfile::Otp16, "[0][2]"), (WriterProfile::Otp26, "[0][0]")] {
            assert_eq!(profile.first_deviation(tree.root()).unwrap().path().to_string(), path, "{bytes}");
        }
    }
}

#[test]
fn an_edit_changes_nothing_else() {
    // {7 as INTEGER, [1 as SMALL_BIG | {a}]}
    let bytes = hex("68 02 62 00000007 6c 00000001 6e 02 00 0100 68 01 64 0001 61");
    let tree = Tree::from_bytes(&bytes).unwrap();
    let mut edit = Edit::new(&tree);
    assert!(edit.is_empty());
    let tail = tree.root().element(1).unwrap().as_list().unwrap().tail().unwrap();
    edit.replace(tail, &tail.to_tree());
    assert!(edit.is_empty(), "equal bytes are no change");
    edit.replace(tail.element(0).unwrap(), &tree);
    edit.replace(tree.root().element(0).unwrap(), &Tree::default());
    let changed = edit.apply().unwrap();
    assert_eq!(changed.to_string(), "{[],[1|{{7,[1|{a}]}}]}");
    let expected = [hex("68 02 6a 6c 00000001 6e 02 00 0100 68 01"), bytes].concat();
    assert_eq!(changed.as_bytes(), expected);
    assert_eq!(changed, Tree::from_bytes(&expected).unwrap());
}

#[test]
fn invalid_edits_are_rejected() {
    let tree = Tree::from_bytes(&hex("68 02 61 01 61 02")).unwrap();
    let apply = |ranges: &[(usize, usize)], with: &[u8]| {
        let mut edit = Edit::new(&tree);
        for &(start, end) in ranges {
            edit.replace_bytes(start..end, with);
        }
        edit.apply()
    };
    assert_eq!(apply(&[(1, 2), (3, 4)], &[2]).unwrap().to_string(), "{2,2}");
    assert!(matches!(apply(&[(2, 4), (3, 5)], &[1]).unwrap_err().kind(), WriteErrorKind::Overlap));
    assert!(matches!(apply(&[(2, 4), (2, 4)], &[97, 9]).unwrap_err().kind(), WriteErrorKind::Overlap));
    assert!(matches!(apply(&[(5, 9)], &[1]).unwrap_err().kind(), WriteErrorKind::OutOfTree));
    assert!(matches!(apply(&[(4, 2)], &[1]).unwrap_err().kind(), WriteErrorKind::OutOfTree));
    let other = tree.clone();
    let mut edit = Edit::new(&tree);
    edit.replace(other.root(), &Tree::default());
    assert!(matches!(edit.apply().unwrap_err().kind(), WriteErrorKind::OutOfTree));
    let error = apply(&[(2, 3)], &[0]).unwrap_err();
    assert!(matches!(error.kind(), WriteErrorKind::NotATerm(ReadErrorKind::Tag { .. })), "{error}");
}

#[test]
fn a_part_can_be_copied_into_a_tree() {
    let bytes = hex("68 03 68 01 6a 6c 00000002 68 01 6101 74 00000001 6a 68 01 6a 6a 68 01 6102");
    let tree = Tree::from_bytes(&bytes).unwrap();
    for term in tree.root().descendants() {
        let own = term.to_tree();
        assert_eq!(own.as_bytes(), term.as_bytes());
        let read = Tree::from_bytes(term.as_bytes()).unwrap();
        assert_eq!(ranges(&own), ranges(&read));
        assert_eq!(own.to_string(), term.to_string());
    }
}

#[test]
fn a_changed_document_drops_its_stream() {
    let bytes = hex("83 50 00000002 789c4b64050000c90067 ff");
    let mut document = Document::from_bytes(&bytes).unwrap();
    document.set_tree(Tree::from_bytes(&hex("61 05")).unwrap());
    assert_eq!(document.to_bytes().unwrap(), bytes, "an equal term preserves the stream");
    document.set_tree(Tree::from_bytes(&hex("61 06")).unwrap());
    assert!(document.stream().is_none());
    // A short term is smaller without compression.
    assert_eq!(document.to_bytes().unwrap(), hex("83 61 06 ff"));
    document.set_trailing(Vec::new());
    document.set_packing(Packing::Plain);
    let mut written = Vec::new();
    document.write_to(&mut written).unwrap();
    assert_eq!(written, hex("83 61 06"));
    assert_eq!(Document::from_reader(&written[..]).unwrap(), document);
}
