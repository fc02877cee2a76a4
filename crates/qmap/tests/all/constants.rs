//! Numbers and names of the format, as their sources publish them.

use mapwright_qmap::{Contents, FORMATS, SurfaceFlags};

/// Source: Quake 2 `q_shared.h` and the names that map compilers use.
#[test]
fn bits_of_faces_have_the_published_values() {
    let contents = Contents::NAMES.iter().map(|(bit, name)| format!("{name} {bit}")).collect::<Vec<_>>();
    let expected = [
        "SOLID 1",
        "WINDOW 2",
        "AUX 4",
        "LAVA 8",
        "SLIME 16",
        "WATER 32",
        "MIST 64",
        "AREAPORTAL 32768",
        "PLAYERCLIP 65536",
        "MONSTERCLIP 131072",
        "CURRENT_0 262144",
        "CURRENT_90 524288",
        "CURRENT_180 1048576",
        "CURRENT_270 2097152",
        "CURRENT_UP 4194304",
        "CURRENT_DOWN 8388608",
        "ORIGIN 16777216",
        "MONSTER 33554432",
        "CORPSE 67108864",
        "DETAIL 134217728",
        "TRANSLUCENT 268435456",
        "LADDER 536870912",
    ];
    assert_eq!(contents, expected);
    let flags = SurfaceFlags::NAMES.iter().map(|(bit, name)| format!("{name} {bit}")).collect::<Vec<_>>();
    let expected = [
        "LIGHT 1",
        "SLICK 2",
        "SKY 4",
        "WARP 8",
        "TRANS33 16",
        "TRANS66 32",
        "FLOWING 64",
        "NODRAW 128",
        "HINT 256",
        "SKIP 512",
    ];
    assert_eq!(flags, expected);
}

/// Source: TrenchBroom, `MapFormat.cpp`.
#[test]
fn formats_have_the_names_that_trenchbroom_reads() {
    let expected = "Standard Quake2 Quake2 (Valve) Quake3 Quake3 (legacy) Quake3 (Valve) Valve Hexen2 Daikatana";
    assert_eq!(FORMATS.join(" "), expected);
}
