//! Constants of the format against literals from its description.
//!
//! Each list is complete: a constant without a literal fails as well.

use mapwright_wmp::{BlockFlags, Dialect, Document, FaceFlags, LightFlags, MemberKind, ModelFlags, SoundFlags};

/// Turns pairs of a bit number and a name into pairs of a value and a name.
fn values(bits: &[(u32, &'static str)]) -> Vec<(u32, &'static str)> {
    bits.iter().map(|&(bit, name)| (1 << bit, name)).collect()
}

/// Source: "Flags", face bits.
#[test]
fn face_flags_have_the_published_bits() {
    let named: Vec<_> = FaceFlags::KNOWN.iter().map(|(flag, name)| (flag.0, *name)).collect();
    let published = values(&[
        (0, "NON_SHADED"),
        (1, "FLAT"),
        (2, "SKY"),
        (3, "WATER"),
        (4, "DETAIL"),
        (6, "PASSABLE"),
        (13, "MIRROR"),
        (14, "SMOOTH"),
        (16, "FLAG1"),
        (17, "FLAG2"),
        (18, "FLAG3"),
        (19, "FLAG4"),
        (20, "FLAG5"),
        (21, "FLAG6"),
        (22, "FLAG7"),
        (23, "FLAG8"),
        (28, "LOCAL"),
    ]);
    assert_eq!(named, published);
}

/// Source: "Flags", block bits.
#[test]
fn block_flags_have_the_published_bits() {
    let named: Vec<_> = BlockFlags::KNOWN.iter().map(|(flag, name)| (flag.0, *name)).collect();
    let published = values(&[(1, "PASSABLE"), (2, "INVISIBLE"), (4, "DETAIL"), (5, "CONCAVE"), (16, "TEXTURE_LOCK")]);
    assert_eq!(named, published);
}

/// Source: "Flags", model bits: the entity flags of the engine.
#[test]
fn model_flags_have_the_published_bits() {
    let named: Vec<_> = ModelFlags::KNOWN.iter().map(|(flag, name)| (flag.0, *name)).collect();
    let published = values(&[
        (0, "FLAG1"),
        (1, "FLAG2"),
        (2, "FLAG3"),
        (3, "FLAG4"),
        (4, "FLAG5"),
        (5, "FLAG6"),
        (6, "FLAG7"),
        (7, "FLAG8"),
        (8, "INVISIBLE"),
        (9, "PASSABLE"),
        (10, "TRANSLUCENT"),
        (12, "OVERLAY"),
        (17, "UNLIT"),
        (18, "SHADOW"),
        (20, "NOFOG"),
        (21, "BRIGHT"),
        (22, "DECAL"),
        (24, "CAST"),
        (26, "POLYGON"),
    ]);
    assert_eq!(named, published);
}

/// Source: "Flags": the meaning of the bits of lights and sounds is not published.
#[test]
fn flags_of_lights_and_sounds_have_no_names() {
    assert_eq!(LightFlags::KNOWN, []);
    assert_eq!(SoundFlags::KNOWN, []);
}

/// Source: "Dialects and sniffing", version lines and first bytes.
#[test]
fn dialects_have_the_published_versions() {
    let names = Dialect::ALL.map(|dialect| (dialect, dialect.name()));
    let published = [
        (Dialect::A4, "a4"),
        (Dialect::A5, "510"),
        (Dialect::A7, "710"),
        (Dialect::Resolved, "711"),
        (Dialect::Binary, "wmpb"),
    ];
    assert_eq!(names, published);
}

/// Source: "Text grammar", member lines of objects.
#[test]
fn member_kinds_have_the_published_words() {
    let words = MemberKind::ALL.map(|kind| (kind, kind.word()));
    let published = [
        (MemberKind::Object, "object"),
        (MemberKind::Block, "block"),
        (MemberKind::Level, "level"),
        (MemberKind::Start, "start"),
        (MemberKind::Light, "light"),
        (MemberKind::Sound, "sound"),
        (MemberKind::Model, "model"),
        (MemberKind::Path, "path"),
        (MemberKind::Region, "region"),
    ];
    assert_eq!(words, published);
    for (kind, word) in published {
        assert_eq!(MemberKind::from_word(word.as_bytes()), Some(kind));
    }
}

/// Source: "$$M (version 711)", type numbers.
#[test]
fn sections_of_resolved_maps_have_the_published_types() {
    let place = "\t0 0 0\n\t0 0 0\n";
    let model = |skills: usize, tail: &str| {
        let skills = vec!["0"; skills].join(" ");
        format!("{place}\t1 1 1\n\ta.mdl\n\tname\n\tndef\n\t{skills}\n\t0000\n\t0\n{tail}")
    };
    let sections = [
        (0, MemberKind::Level, "\tmap.$$w\n\tpalette.pcx\n".to_owned()),
        (1, MemberKind::Start, format!("{place}\tname\n")),
        (2, MemberKind::Light, format!("{place}\t80.000000 80.000000 50.000000 200 0000\n")),
        (3, MemberKind::Model, model(8, "")),
        (4, MemberKind::Sound, format!("{place}\ta.wav\n\t0000\n\t50 100 0 800\n")),
        (6, MemberKind::Path, "\tname\n\t1\n\t3\n\t0 0 0\n\t0 0 0 0 0 0\n".to_owned()),
        (7, MemberKind::Model, model(20, "\t50\n\t0\n\t0\n")),
    ];
    let mut text = "// wmpio (1.30), 01.02.2020\n\nversion 711\n\n\n".to_owned();
    for (number, kind, body) in &sections {
        text.push_str(&format!("{{ //{}\n\t{number}\n{body}}}\n", kind.word()));
        if *kind == MemberKind::Level {
            text.push_str("{ //sun\n\t5\n\t45\n\t60\n}\n");
        }
    }
    let mut map = Document::from_bytes(text.as_bytes()).unwrap();
    let level = map.level().unwrap();
    assert_eq!((level.azimuth, level.elevation), (45.0, 60.0));
    let kinds = map.entities.iter().map(|entity| entity.member_kind());
    assert!(kinds.eq(sections.iter().map(|(_, kind, _)| *kind)), "{:?}", map.entities);
    map.forget_source();
    assert_eq!(String::from_utf8(map.to_bytes().unwrap()).unwrap(), text);
}
