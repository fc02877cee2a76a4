//! Decoded images as colours.

use mapwright_wapart::io::Category;
use mapwright_wapart::{Game, Image, Palette, Pixels};

use crate::support::{palette_bytes, pcx_file, pid_file};

const CLEAR: [u8; 4] = [0; 4];

/// A palette whose colour 2 is the key of Gruntz.
fn keyed_palette() -> Palette {
    let mut palette = Palette::from_bytes(&palette_bytes()).unwrap();
    palette.colors_mut()[2] = [255, 0, 132];
    palette
}

fn rgba(name: &str, file: &[u8], game: Game) -> Vec<[u8; 4]> {
    let image = Image::from_file(name.as_bytes(), file).unwrap();
    image.to_rgba(game, Some(&keyed_palette())).as_chunks().0.to_vec()
}

/// Index 0, 1 and the colour key.
fn row() -> [[u8; 4]; 3] {
    [[0, 255, 7, 255], [1, 254, 7, 255], [255, 0, 132, 255]]
}

/// Source: "Which pixels are transparent".
#[test]
fn each_game_has_its_own_transparent_colour() {
    let [zero, one, key] = row();
    for (flags, gruntz) in [(1, [zero, one, CLEAR]), (0, [zero, one, key])] {
        let file = pid_file(flags, [3, 1], [0; 2], &[0, 1, 2]);
        assert_eq!(rgba("A.PID", &file, Game::Gruntz), gruntz, "{flags}");
        assert_eq!(rgba("A.PID", &file, Game::Claw), [CLEAR, one, key], "{flags}");
    }
    // Literals of skip-coded images are opaque in both games, whatever their colour.
    let file = pid_file(0x21, [4, 1], [0; 2], &[3, 0, 1, 2, 0x81]);
    for game in [Game::Claw, Game::Gruntz] {
        assert_eq!(rgba("A.pid", &file, game), [zero, one, key, CLEAR]);
    }
    let file = pcx_file([3, 1], 1, 4, 1, &[0, 1, 2, 0]);
    assert_eq!(rgba("A.PCX", &file, Game::Gruntz), [zero, one, CLEAR]);
    assert_eq!(rgba("A.PCX", &file, Game::Claw), [CLEAR, one, key]);
    // A pixel of the key and a black one.
    let file = pcx_file([2, 1], 3, 2, 1, &[0xC1, 255, 0, 0, 0, 132, 0]);
    assert_eq!(rgba("A.PCX", &file, Game::Gruntz), [CLEAR, [0, 0, 0, 255]]);
    assert_eq!(rgba("A.PCX", &file, Game::Claw), [key, [0, 0, 0, 255]]);
}

#[test]
fn light_is_white_with_its_strength_as_opacity() {
    // The fill colour of skipped pixels is no strength.
    let mut file = pid_file(0x165, [3, 1], [0; 2], &[2, 0, 200, 0x81]);
    file[24] = 9;
    let expected = [[255, 255, 255, 0], [255, 255, 255, 200], [255, 255, 255, 0]];
    assert_eq!(rgba("A.PID", &file, Game::Gruntz), expected);
    assert_eq!(rgba("A.PID", &file, Game::Claw), expected);
    let image = Image::from_file(b"A.PID", &file).unwrap();
    assert!(matches!(&image.pixels, Pixels::Light(strengths) if **strengths == [0, 200, 0]) && !image.needs_palette());
}

#[test]
fn the_palette_of_the_image_takes_precedence() {
    let mut file = pid_file(0x81, [2, 1], [0; 2], &[5, 2]);
    file.extend([9; 768]);
    let image = Image::from_file(b"A.PID", &file).unwrap();
    assert_eq!(image.to_rgba(Game::Gruntz, Some(&keyed_palette())), [9, 9, 9, 255, 9, 9, 9, 255]);
    assert!(!image.needs_palette() && image.game() == Game::Claw);
    let end = file.len() - 3;
    file[end..].copy_from_slice(&[255, 0, 132]);
    assert_eq!(Image::from_file(b"A.PID", &file).unwrap().game(), Game::Gruntz);
    let file = pid_file(1, [2, 1], [0; 2], &[5, 200 - 64]);
    let image = Image::from_file(b"A.PID", &file).unwrap();
    assert!(image.needs_palette());
    assert_eq!(image.to_rgba(Game::Claw, None), [5, 5, 5, 255, 136, 136, 136, 255], "grey");
}

#[test]
fn extensions_name_the_format() {
    let file = pid_file(0, [2, 1], [3, -4], &[1, 2]);
    let image = Image::from_file(b"a.b/FRAME.Rid", &file).unwrap();
    assert_eq!((image.width, image.height, image.offset), (2, 1, [3, -4]));
    for name in ["A.BMP", "A.TXT", "PID", ""] {
        let error = Image::from_file(name.as_bytes(), &file).unwrap_err();
        assert_eq!(error.category(), Category::Unsupported, "{name}");
    }
}

/// Source: "Which game".
#[test]
fn directories_of_tiles_name_the_game() {
    for (directory, game) in [
        ("\\LEVEL1\\TILES", Some(Game::Claw)),
        ("LEVEL14_TILES", Some(Game::Claw)),
        ("\\AREA1\\TILEZ", Some(Game::Gruntz)),
        ("area8\\tilez", Some(Game::Gruntz)),
        ("\\AREAS\\TILEZ", None),
        ("\\LEVEL", None),
        ("", None),
        ("\\DUNGEON1\\TILES", None),
    ] {
        assert_eq!(Game::from_image_dir(directory.as_bytes()), game, "{directory}");
    }
}
