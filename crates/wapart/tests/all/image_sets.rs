//! Frame numbers and keys of image sets.

use mapwright_wapart::{FrameSet, ImageSets, file_key, frame_number, gruntz_roots};

/// Source: "Frame numbers".
#[test]
fn the_first_digits_of_a_name_are_its_number() {
    for (name, number) in [
        ("001.PID", Some(1)),
        ("TILE017.PCX", Some(17)),
        ("A005.PID", Some(5)),
        ("ARROW1X2.PID", Some(1)),
        ("SHORTCUT TO FINAL13.LNK", Some(13)),
        ("FRONTPLANT.PID", Some(0)),
        ("A.P1D", Some(0)),
        ("74", Some(74)),
        ("", Some(0)),
        ("65535.PID", Some(65_535)),
        ("65536.PID", None),
        ("00000000000000000001.PID", Some(1)),
        ("99999999999999999999.PID", None),
    ] {
        assert_eq!(frame_number(name.as_bytes()), number, "{name}");
    }
}

#[test]
fn the_format_decides_between_files_of_one_number() {
    let names = ["401.RID", "401.PCX", "401.bmp", "401.pid", "A401.PID", "402.PCX", "B402.PCX", "403.TXT", "70000.PID"];
    let frames = FrameSet::from_names(names);
    assert_eq!(frames.iter().collect::<Vec<_>>(), [(401, 3), (402, 5)]);
    assert_eq!((frames.len(), frames.bounds(), frames.is_empty()), (2, Some([401, 402]), false));
    assert_eq!(FrameSet::from_names(&names[..3]).get(401), Some(2));
    assert_eq!(FrameSet::from_names(&names[..2]).get(401), Some(1));
    let empty = FrameSet::from_names([""; 0]);
    assert_eq!((empty.bounds(), empty.at_rest(-1), empty.is_empty()), (None, None, true));
}

/// Source: "Which frame an object shows at rest".
#[test]
fn gaps_show_nothing() {
    let frames = FrameSet::from_names(["FRAME002.PID", "FRAME004.PID"]);
    let shown = [-2, -1, 0, 1, 2, 3, 4, 5].map(|i| frames.at_rest(i).map(|(number, _)| number));
    assert_eq!(shown, [None, Some(2), None, None, Some(2), None, Some(4), None]);
    let unnumbered = FrameSet::from_names(["WALL.PID"]);
    assert_eq!(
        (unnumbered.at_rest(-1), unnumbered.at_rest(0), unnumbered.at_rest(1)),
        (Some((0, 0)), Some((0, 0)), None)
    );
}

/// Source: "Keys".
#[test]
fn keys_are_the_directories_below_a_root() {
    let paths = [
        "game\\LEVEL1\\IMAGES\\ARROWSIGN\\LR\\ARROW1X2.PID",
        "game/LEVEL1/IMAGES/ARROWSIGN_LR/002.PID",
        "game/LEVEL1/IMAGES/ARROWSIGN_LR/001.PID",
        "game/LEVEL1/IMAGES/NOTES/README.TXT",
        "game/LEVEL1/IMAGES/001.PID",
        "game/LEVEL1/IMAGES-OLD/X/001.PID",
        "game/LEVEL1/TILES/ACTION/012.PID",
        "game/old/LEVEL1/TILES/BACK/012.PID",
        "LEVEL1",
        "",
    ];
    let mut sets = ImageSets::new(paths);
    assert!(sets.add_root(b"\\level1\\images", b"LEVEL"));
    assert!(sets.add_root(b"LEVEL1_TILES", b""));
    assert!(
        !sets.add_root(b"\\LEVEL2\\IMAGES", b"LEVEL") && !sets.add_root(b"", b"X") && !sets.add_root(b"VEL1", b"X")
    );
    let keys: Vec<String> = sets.iter().map(|set| String::from_utf8_lossy(&set.key).into_owned()).collect();
    assert_eq!(keys, ["ACTION", "LEVEL", "LEVEL_ARROWSIGN_LR"], "the least deep root; no set without images");
    // `A\B` and `A_B` have the same key: frames of the second fill free numbers.
    let set = sets.get(b"level_arrowsign_lr").unwrap();
    assert_eq!(set.frames.iter().collect::<Vec<_>>(), [(1, 0), (2, 1)]);
    assert_eq!(set.key, b"LEVEL_ARROWSIGN_LR", "another case than asked");
    assert_eq!(sets.get(b"ACTION").unwrap().frames.get(12), Some(6));
    assert!(sets.get(b"LEVEL_X").is_none() && sets.get(b"").is_none());
}

#[test]
fn deep_directories_are_ignored() {
    let deep = |depth: usize| format!("{}001.PID", "A/".repeat(depth));
    let mut sets = ImageSets::new([deep(64), deep(65), deep(100_000)]);
    assert!(sets.add_root(b"A", b""));
    assert_eq!(sets.iter().count(), 1);
}

#[test]
fn animations_and_sounds_have_keys_of_files() {
    assert_eq!(file_key(b"GRUNTZ", b"NORMALGRUNT\\NORTH/WALK.ANI"), b"GRUNTZ_NORMALGRUNT_NORTH_WALK");
    assert_eq!(file_key(b"", b"A.WAV"), b"A");
    let roots = gruntz_roots(3).map(|(directory, prefix)| format!("{directory}={prefix}"));
    assert_eq!(roots, ["AREA3\\TILEZ=", "AREA3\\IMAGEZ=LEVEL", "GAME\\IMAGEZ=GAME", "GRUNTZ\\IMAGEZ=GRUNTZ"]);
}
