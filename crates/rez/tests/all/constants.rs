//! Compares the constants of the format with literals from its description.

use mapwright_rez::io::Confidence;
use mapwright_rez::{Document, EntryKind, FORMAT, FileType, MAX_DEPTH, Title, sniff};

/// Source: "Type", table of types and the rule for their text.
#[test]
fn types_have_the_published_values() {
    let published = [
        (FileType::PID, "PID", 0x0050_4944),
        (FileType::PCX, "PCX", 0x0050_4358),
        (FileType::RID, "RID", 0x0052_4944),
        (FileType::BMP, "BMP", 0x0042_4D50),
        (FileType::PAL, "PAL", 0x0050_414C),
        (FileType::CLT, "CLT", 0x0043_4C54),
        (FileType::WAV, "WAV", 0x0057_4156),
        (FileType::ANI, "ANI", 0x0041_4E49),
        (FileType::XMI, "XMI", 0x0058_4D49),
        (FileType::WWD, "WWD", 0x0057_5744),
        (FileType::TXT, "TXT", 0x0054_5854),
        (FileType::NONE, "", 0),
    ];
    for (file_type, extension, number) in published {
        assert_eq!(file_type, FileType(number), "{extension}");
        assert_eq!(file_type.extension(), extension.as_bytes());
        assert_eq!(FileType::from_extension(extension.as_bytes()), Some(file_type));
    }
    assert_eq!(FileType::PID.0.to_le_bytes(), [0x44, 0x49, 0x50, 0x00]);
    let leftovers = FileType::LEFTOVERS.map(FileType::extension);
    assert_eq!(leftovers, [&b"JBF"[..], b"DIR", b"AHU", b"ACO", b"APF", b"PSD"]);
    assert_eq!(FileType::from_extension(b"ABCD").map(FileType::extension), Some(b"ABCD".to_vec()));
    assert_eq!(FileType::from_extension(b"ABCDE"), None);
    // A zero inside a type is part of its text.
    assert_eq!(FileType(0x0041_0042).extension(), b"A\0B");
    assert_eq!(FileType::from_extension(b"A\0B"), Some(FileType(0x0041_0042)));
}

/// Source: "Directory block" and "Header".
#[test]
fn kinds_and_titles_have_the_published_values() {
    assert_eq!((EntryKind::FILE.0, EntryKind::DIRECTORY.0), (0, 1));
    assert_eq!(Title::REZ_MANAGER, b"RezMgr Version 1 Copyright (C) 1995 MONOLITH INC.");
    assert_eq!((FORMAT.name, FORMAT.extensions), ("rez", &["rez", "vrz"][..]));
    assert_eq!(MAX_DEPTH, 64);
}

/// Source: "Header": the bytes that Monolith's reader checks.
#[test]
fn archives_are_recognized_by_their_header() {
    let file = Document::new().to_bytes().unwrap();
    assert_eq!(sniff(&file), Confidence::Certain);
    assert_eq!(sniff(&file[..20]), Confidence::Certain);
    assert_eq!(sniff(&file[..10]), Confidence::No);
    assert_eq!(sniff(b""), Confidence::No);
    let mut other = file.clone();
    other[2..10].copy_from_slice(b"Another ");
    assert_eq!(sniff(&other), Confidence::Maybe);
    assert_eq!(sniff(&other[..100]), Confidence::No);
    for at in [0, 0x3F, 0x7E, 0x7F] {
        let mut other = file.clone();
        other[at] ^= 2;
        assert_eq!(sniff(&other), Confidence::No, "{at:#x}");
        assert!(Document::from_bytes(&other).is_err(), "{at:#x}");
    }
}
