//! Compares the constants of the format with literals from its description.

use mapwright_wrp::io::Confidence;
use mapwright_wrp::{Matrix, Oprw, OprwVersion, PackedPart, Sentinel, Version, Wvr, sniff};

/// Source: "The family": magic numbers, texture slots and sizes of records; "Layout" of 4WVR and "2WVR, 3WVR, 1WVR" for the
/// offset of names.
#[test]
fn versions_have_the_published_layout() {
    let published = [
        (Version::Wvr1, b"1WVR", "1WVR", 256, 64, 16, false),
        (Version::Wvr2, b"2WVR", "2WVR", 512, 64, 16, false),
        (Version::Wvr3, b"3WVR", "3WVR", 512, 128, 48, false),
        (Version::Wvr4, b"4WVR", "4WVR", 512, 128, 52, true),
    ];
    for (version, magic, name, slots, record, name_at, has_ids) in published {
        assert_eq!((version.magic(), version.name()), (*magic, name));
        assert_eq!(
            (version.slot_count(), version.record_size(), version.name_offset()),
            (slots, record, name_at),
            "{name}"
        );
        assert_eq!(version.has_ids(), has_ids, "{name}");
    }
}

/// Source: "The family".
#[test]
fn magic_numbers_match_the_description() {
    for magic in [b"1WVR", b"2WVR", b"3WVR", b"4WVR", b"8WVR", b"OPRW", b"9VBW", b"0WZD"] {
        assert_eq!(sniff(magic), Confidence::Certain);
    }
    for magic in [b"0WVR", b"5WVR", b"6WVR", b"7WVR", b"9WVR", b"WRPO", b"RVW4"] {
        assert_eq!(sniff(magic), Confidence::No);
    }
}

/// Source: "The family", OPRW versions by name. The description does not name 19.
#[test]
fn oprw_versions_have_the_published_games() {
    assert_eq!(OprwVersion::COLD_WAR_CRISIS, OprwVersion(2));
    assert_eq!(OprwVersion::RESISTANCE, OprwVersion(3));
    assert_eq!(OprwVersion::ARMA_2, OprwVersion(24));
    assert_eq!(OprwVersion::ARMA_3, OprwVersion(25));
    let published = [
        (2..=2, "Operation Flashpoint: Cold War Crisis"),
        (3..=3, "Operation Flashpoint: Resistance"),
        (5..=12, "Operation Flashpoint for Xbox, Elite"),
        (15..=16, "Arma"),
        (17..=17, "Arma, Elite"),
        (18..=18, "Arma"),
        (20..=20, "Arma, islands of Sahrani"),
        (21..=23, "VBS2, beta of Arma 2"),
        (24..=24, "Arma 2"),
        (25..=25, "Arma 3, DayZ"),
        (26..=27, "VBS3"),
    ];
    for (versions, name) in published {
        for version in versions {
            assert_eq!(OprwVersion(version).name(), Some(name), "{version}");
        }
    }
    for version in [0, 1, 4, 13, 14, 28] {
        assert_eq!(OprwVersion(version).name(), None, "{version}");
    }
}

/// Source: "OPRW 2 and 3" and "OPRW 10 and later": 10 and 11 have no sizes, 26 and 27 another layout.
#[test]
fn known_oprw_versions_match_the_description() {
    let known = (0..40).filter(|&version| OprwVersion(version).is_known());
    assert!(known.eq([2, 3].into_iter().chain(12..=25)));
    let elder = (0..40).filter(|&version| OprwVersion(version).is_legacy() && OprwVersion(version).is_known());
    assert!(elder.eq([2, 3]));
}

/// Source: "Heights", "Geometry", "Texture indices" and "Objects" of 4WVR, "8WVR", "OPRW 2 and 3".
#[test]
#[allow(clippy::float_cmp, reason = "the numbers are exact")]
fn numbers_match_the_description() {
    assert_eq!(Wvr::HEIGHT_UNIT.to_bits(), 0x3D38_51EC);
    assert_eq!(Wvr::CELL, 50.0);
    assert_eq!(Wvr::SEA, 0);
    assert_eq!(Matrix::FIT_TO_GROUND, 32768.0);
    assert_eq!(Sentinel::WORD, 0x7FC8_7F88);
    assert_eq!(Oprw::LEGACY_CELL, 50.0);
    assert_eq!(Oprw::COLD_WAR_CRISIS_SIZE, 256);
}

/// Source: "OPRW 2 and 3" and "OPRW 10 and later", order of the packed parts.
#[test]
fn packed_parts_have_the_published_order() {
    let parts = PackedPart::ALL.map(|part| (part, part.name()));
    let published = [
        (PackedPart::Geography, "geography"),
        (PackedPart::Sound, "sound"),
        (PackedPart::Cells, "cells"),
        (PackedPart::Random, "random"),
        (PackedPart::Grass, "grass"),
        (PackedPart::PrimaryTexture, "primary_texture"),
        (PackedPart::Heights, "heights"),
        (PackedPart::ObjectOffsets, "object_offsets"),
        (PackedPart::MapOffsets, "map_offsets"),
        (PackedPart::Persistent, "persistent"),
        (PackedPart::Subdivision, "subdivision"),
    ];
    assert_eq!(parts, published);
}
