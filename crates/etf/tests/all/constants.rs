//! Compares the constants of the format with literals from its description.

use mapwright_etf::{Document, Tag, WriterProfile};

/// Source: "Tags". The description has four more tags, which do not occur in files: 68 and 69 of the distribution protocol,
/// `ATOM_CACHE_REF` (82) and the removed `FUN` (117).
#[test]
fn tags_have_the_published_numbers() {
    let published = [
        (Tag::NEW_FLOAT, 70, "NEW_FLOAT"),
        (Tag::BIT_BINARY, 77, "BIT_BINARY"),
        (Tag::COMPRESSED, 80, "COMPRESSED"),
        (Tag::NEW_PID, 88, "NEW_PID"),
        (Tag::NEW_PORT, 89, "NEW_PORT"),
        (Tag::NEWER_REFERENCE, 90, "NEWER_REFERENCE"),
        (Tag::SMALL_INTEGER, 97, "SMALL_INTEGER"),
        (Tag::INTEGER, 98, "INTEGER"),
        (Tag::FLOAT, 99, "FLOAT"),
        (Tag::ATOM, 100, "ATOM"),
        (Tag::REFERENCE, 101, "REFERENCE"),
        (Tag::PORT, 102, "PORT"),
        (Tag::PID, 103, "PID"),
        (Tag::SMALL_TUPLE, 104, "SMALL_TUPLE"),
        (Tag::LARGE_TUPLE, 105, "LARGE_TUPLE"),
        (Tag::NIL, 106, "NIL"),
        (Tag::STRING, 107, "STRING"),
        (Tag::LIST, 108, "LIST"),
        (Tag::BINARY, 109, "BINARY"),
        (Tag::SMALL_BIG, 110, "SMALL_BIG"),
        (Tag::LARGE_BIG, 111, "LARGE_BIG"),
        (Tag::NEW_FUN, 112, "NEW_FUN"),
        (Tag::EXPORT, 113, "EXPORT"),
        (Tag::NEW_REFERENCE, 114, "NEW_REFERENCE"),
        (Tag::SMALL_ATOM, 115, "SMALL_ATOM"),
        (Tag::MAP, 116, "MAP"),
        (Tag::ATOM_UTF8, 118, "ATOM_UTF8"),
        (Tag::SMALL_ATOM_UTF8, 119, "SMALL_ATOM_UTF8"),
        (Tag::V4_PORT, 120, "V4_PORT"),
        (Tag::LOCAL, 121, "LOCAL"),
    ];
    for (tag, number, name) in published {
        assert_eq!((tag.0, tag.name()), (number, Some(name)));
    }
    let named = (0..=u8::MAX).filter(|&number| Tag(number).name().is_some());
    assert!(named.eq(published.map(|(_, number, _)| number)));
}

/// Source: "Tags", notes on atoms and integers.
#[test]
fn tags_of_atoms_and_integers_match_the_description() {
    let atoms = (0..=u8::MAX).filter(|&number| Tag(number).is_atom());
    assert!(atoms.eq([100, 115, 118, 119]));
    let integers = (0..=u8::MAX).filter(|&number| Tag(number).is_integer());
    assert!(integers.eq([97, 98, 110, 111]));
}

/// Source: "Stream": byte 131 precedes the term.
#[test]
fn streams_begin_with_the_published_byte() {
    let nil = |version| Document::from_bytes(&[version, 106]);
    assert_eq!(nil(131).unwrap().to_bytes().unwrap(), [131, 106]);
    for version in (0..=u8::MAX).filter(|&version| version != 131) {
        assert!(nil(version).is_err(), "{version}");
    }
}

/// Source: "What `term_to_binary` writes", names of profiles, and "Text floats" for those with text.
#[test]
fn profiles_have_the_published_names() {
    let profiles = WriterProfile::ALL.map(|profile| (profile, profile.name(), profile.has_text_floats()));
    let published = [
        (WriterProfile::Otp16, "otp16", true),
        (WriterProfile::Otp16Win3, "otp16win3", true),
        (WriterProfile::Otp16Win2, "otp16win2", true),
        (WriterProfile::Otp17, "otp17", false),
        (WriterProfile::Otp26, "otp26", false),
    ];
    assert_eq!(profiles, published);
}
