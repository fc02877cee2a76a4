//! Images of games, in levels that the tests make.

use std::fs;

use mapwright::io::FixedBytes;
use mapwright::scene::images::decode_png;
use mapwright::wwd::{Cell, Document, Object, Plane, PlaneFlags};
use mapwright_testkit::corpus;

use crate::folder::Folder;

/// A PID image: every pixel stands for itself, colours are below 192.
fn pid(size: [i32; 2], offset: [i32; 2], colors: &[u8]) -> Vec<u8> {
    let words = [10, 1, size[0], size[1], offset[0], offset[1], 0, 0];
    words.into_iter().flat_map(i32::to_le_bytes).chain(colors.iter().copied()).collect()
}

/// A PCX file of four by four pixels of one colour, red, green and blue one after the other.
fn pcx(color: [u8; 3]) -> Vec<u8> {
    let mut file = vec![0; 128];
    file[..4].copy_from_slice(&[10, 5, 1, 8]);
    (file[8], file[10], file[65], file[66]) = (3, 3, 3, 4);
    let row = color.map(|part| [0xC4, part]).concat();
    file.extend(row.repeat(4));
    file
}

/// The colours of the palette are their number, 255 less their number, 7.
fn palette() -> Vec<u8> {
    (0..=255).flat_map(|index: u8| [index, 255 - index, 7]).collect()
}

/// A level with tiles 1, 2 and one that is filled, and with what is given in the last cell. A coin stands at 6, 6.
fn level(last: Cell, image_sets: &[&str]) -> Vec<u8> {
    let mut level = Document::new();
    level.header.image_dir = FixedBytes::from_text(br"\LEVEL1\TILES").unwrap();
    level.header.pal_rez = FixedBytes::from_text(br"LEVEL1\PALETTES\MAIN.PAL").unwrap();
    level.header.image_set_1 = FixedBytes::from_text(b"GAME_IMAGES").unwrap();
    level.header.prefix_1 = FixedBytes::from_text(b"GAME").unwrap();
    // Its mark would cover what is to be seen.
    level.header.start_x = 1000;
    let mut plane = Plane::with_grid(b"Action", 2, 2, 4).unwrap();
    plane.flags = PlaneFlags::MAIN;
    plane.fill_color = 33;
    plane.image_sets.push(b"ACTION").unwrap();
    let tile = |frame| Cell::Tile { image_set: 0, frame };
    plane.tiles = [tile(1), tile(2), Cell::Fill, last].map(Cell::word).to_vec().into();
    let object = |image_set: &&str| Object {
        logic: b"Treasure".to_vec(),
        image_set: image_set.as_bytes().to_vec(),
        x: 6,
        y: 6,
        i: -1,
        ..Object::default()
    };
    plane.objects = image_sets.iter().map(object).collect();
    level.planes.push(plane);
    level.to_bytes().unwrap()
}

/// A folder with levels and the images of the game.
fn game() -> Folder {
    let folder = Folder::new();
    for path in ["art/LEVEL1/TILES/ACTION", "art/LEVEL1/PALETTES", "art/GAME/IMAGES/COIN"] {
        fs::create_dir_all(folder.at(path)).unwrap();
    }
    folder.write("art/LEVEL1/TILES/ACTION/001.PID", pid([4, 4], [0, 0], &[5; 16]));
    folder.write("art/LEVEL1/TILES/ACTION/TILE002.PCX", pcx([200, 100, 50]));
    folder.write("art/LEVEL1/PALETTES/MAIN.PAL", palette());
    // A transparent pixel, and one pixel to the right of its place.
    folder.write("art/GAME/IMAGES/COIN/001.PID", pid([2, 2], [1, 0], &[9, 0, 9, 9]));
    folder.write("level.wwd", level(Cell::Empty, &["GAME_COIN"]));
    folder.write("poor.wwd", level(Cell::Tile { image_set: 0, frame: 9 }, &["GAME_COIN", "GAME_SKULL"]));
    folder
}

/// The colours of places in a PNG file.
fn pixels<const N: usize>(png: &[u8], places: [[usize; 2]; N]) -> [[u8; 3]; N] {
    let pixels = decode_png(png, 1 << 20).unwrap();
    let channels = pixels.format.channels();
    places.map(|[x, y]| {
        let at = (y * pixels.width as usize + x) * channels;
        pixels.data[at..at + 3].try_into().unwrap()
    })
}

const FIVE: [u8; 3] = [5, 250, 7];
const NINE: [u8; 3] = [9, 246, 7];

#[test]
fn levels_are_drawn_with_the_images_of_the_game() {
    let folder = game();
    let render = ["render", "--content", "art", "--scale", "1", "--plane", "#main", "level.wwd", "-o"];
    let done = folder.run(render.into_iter().chain(["all.png"])).ends(0);
    assert!(!done.talk.contains("warning"), "{done:?}");
    let png = folder.read("all.png");
    let places = [[0, 0], [3, 3], [4, 0], [0, 4], [6, 5], [6, 6], [7, 6]];
    let drawn = pixels(&png, places);
    assert_eq!(drawn[..4], [FIVE, FIVE, [200, 100, 50], [33, 222, 7]], "PID, PCX, filled");
    assert_eq!([drawn[4], drawn[5], drawn[6]], [NINE; 3]);
    assert_ne!(pixels(&png, [[7, 5], [5, 6]]), [NINE; 2], "transparent, and beside it");
    // As a stream it is the same.
    assert!(folder.run(render.into_iter().chain(["-"])).ends(0).bytes == png);
    folder.run(["render", "--scale", "1", "--plane", "#main", "level.wwd", "-o", "without.png"]).ends(0);
    assert_ne!(pixels(&folder.read("without.png"), [[0, 0]]), [FIVE]);
    let json = folder.run(["render", "--json", "--content", "art", "level.wwd", "-o", "json.png"]).ends(0).object();
    assert_eq!((&json["sprites"], &json["marks"]), (&1.into(), &0.into()));
    assert!(json["losses"].as_array().unwrap().is_empty(), "{json}");
}

#[test]
fn images_and_pages_have_a_legend_of_what_is_missing() {
    const INK: [u8; 3] = [0xD0, 0xD4, 0xDC];
    let folder = game();
    let render = |name: &str, options: &[&str]| {
        let args = ["render", "--json", "--content", "art", "--force", "--fit", "640", "poor.wwd", "-o", name];
        folder.run(args.iter().chain(options)).ends(0).object()
    };
    let has_legend = |name: &str, side: usize| {
        let image = decode_png(&folder.read(name), 1 << 22).unwrap();
        let channels = image.format.channels();
        let pixel = |[x, y]: [usize; 2]| &image.data[(y * side + x) * channels..][..3];
        // The text is above the lower left corner.
        (side - 80..side).any(|y| (8..160).any(|x| pixel([x, y]) == INK))
    };
    let json = render("poor.png", &[]);
    let missing = serde_json::json!([
        {"kind": "image", "path": "ACTION 9", "uses": 1},
        {"kind": "image-set", "path": "GAME_SKULL", "uses": 1},
    ]);
    assert_eq!(json["missing"], missing);
    assert!(has_legend("poor.png", 640));
    // It can be left out, does not fit into small images, and complete levels need none.
    render("plain.png", &["--no-marks"]);
    assert!(!has_legend("plain.png", 640));
    folder.run(["render", "--content", "art", "--fit", "240", "poor.wwd", "-o", "small.png"]).ends(0);
    assert!(!has_legend("small.png", 240));
    folder.run(["render", "--content", "art", "--fit", "640", "level.wwd", "-o", "whole.png"]).ends(0);
    assert!(!has_legend("whole.png", 640));
    folder.run(["render", "--html", "--content", "art", "poor.wwd", "-o", "poor.html"]).ends(0);
    let html = String::from_utf8(folder.read("poor.html")).unwrap();
    let list = r#""missing":["Missing: 1 image, 1 image set","image ACTION 9","image set GAME_SKULL"]"#;
    assert!(
        html.contains(list),
        "{}",
        html.split("\"missing\"").nth(1).unwrap_or_default().get(..200).unwrap_or_default()
    );
}

#[test]
fn files_that_are_not_looked_for_are_named() {
    let folder = game();
    let hint = "help: not looked for: images, animations and sounds that the level names; --content CLAW.REZ";
    assert!(folder.run(["check", "poor.wwd"]).ends(0).out.contains(hint));
    for args in [&["check", "--content", "art", "poor.wwd"][..], &["check", "--quiet", "poor.wwd"]] {
        assert!(!folder.run(args).ends(0).out.contains("not looked for"), "{args:?}");
    }
}

#[test]
fn outputs_never_replace_files_that_inputs_refer_to() {
    let folder = game();
    let image = "art/LEVEL1/TILES/ACTION/001.PID";
    let before = folder.read(image);
    for args in [
        &["info", "--content", "art", "level.wwd", "-o", image, "--force"][..],
        &["info", "--content", "art", "--json", "level.wwd", "-o", image, "--force"],
    ] {
        let done = folder.run(args).ends(2);
        assert!(done.talk.contains("is a file that an input refers to"), "{done:?}");
    }
    assert!(folder.read(image) == before);
    // The texture of one input has the name of the image of another one.
    let obj = "mtllib a.mtl\nv 0 0 0\nv 1 0 0\nv 0 1 0\nvt 0 0\nusemtl skin\nf 1/1 2/1 3/1\n";
    folder.write("first.obj", obj.replace("a.mtl", "none.mtl"));
    folder.write("second.obj", obj);
    folder.write("a.mtl", "newmtl skin\nmap_Kd first.png\n");
    folder.run(["render", "level.wwd", "-o", "first.png"]).ends(0);
    let texture = folder.read("first.png");
    let done = folder.run(["render", "first.obj", "second.obj", "-d", ".", "--force", "--jobs", "1"]).ends(2);
    assert!(done.talk.contains("is an input and would be overwritten"), "{done:?}");
    assert!(folder.read("first.png") == texture && !folder.at("second.png").exists());
}

#[test]
#[cfg(unix)]
fn links_out_of_content_folders_are_followed_with_external_any() {
    let folder = game();
    fs::rename(folder.at("art/LEVEL1"), folder.at("LEVEL1")).unwrap();
    std::os::unix::fs::symlink("../LEVEL1", folder.at("art/LEVEL1")).unwrap();
    let render = |external: &str| {
        let args =
            ["render", "--json", "--content", "art", "--external", external, "level.wwd", "-o", "a.png", "--force"];
        folder.run(args).ends(0).object()["losses"].as_array().unwrap().len()
    };
    assert_eq!((render("beside"), render("any")), (2, 0));
}

#[test]
#[cfg(unix)]
fn a_link_out_of_a_content_folder_is_named_with_the_option_that_follows_it() {
    let folder = game();
    fs::rename(folder.at("art/LEVEL1/TILES/ACTION/001.PID"), folder.at("001.PID")).unwrap();
    std::os::unix::fs::symlink("../../../../001.PID", folder.at("art/LEVEL1/TILES/ACTION/001.PID")).unwrap();
    let done = folder.run(["render", "--content", "art", "level.wwd", "-o", "a.png"]).ends(0);
    assert!(done.talk.contains("--external any reads files outside"), "{done:?}");
}

#[test]
fn missing_images_are_warnings_without_an_error() {
    let folder = game();
    folder.write("art/LEVEL1/TILES/ACTION/001.PID", b"not an image");
    let done = folder.run(["render", "--content", "art", "poor.wwd", "-o", "poor.png"]).ends(0);
    for part in ["001.PID: ", "\"ACTION\": 1 (9)", "without an image: 1 (\"GAME_SKULL\")"] {
        assert!(done.talk.contains("warning: poor.wwd: ") && done.talk.contains(part), "{part}: {done:?}");
    }
    assert_eq!(folder.run(["render", "--quiet", "--content", "art", "poor.wwd", "-o", "quiet.png"]).ends(0).talk, "");
    let json = folder.run(["render", "--json", "--content", "art", "poor.wwd", "-o", "json.png"]).ends(0).object();
    assert_eq!(json["losses"].as_array().unwrap().len(), 3, "{json}");
    // Those of another game: a warning says why.
    fs::rename(folder.at("art/LEVEL1"), folder.at("art/LEVEL2")).unwrap();
    let json = folder.run(["convert", "--json", "--content", "art", "poor.wwd", "poor.tmx"]).ends(0).object();
    assert!(json["losses"].to_string().contains("tiles without images: folder LEVEL1/TILES not found"), "{json}");
}

#[test]
fn maps_of_tiled_get_the_images_of_the_game() {
    let folder = game();
    folder.run(["convert", "--strict", "--content", "art", "level.wwd", "level.tmx"]).ends(0);
    // Tiles 0 to 2, two in a row.
    assert_eq!(pixels(&folder.read("level-ACTION.png"), [[4, 0], [0, 4]]), [FIVE, [200, 100, 50]]);
    let drawn = ["render", "--scale", "1", "--plane", "#main", "level.tmx", "-o", "tmx.png"];
    folder.run(drawn).ends(0);
    assert_eq!(pixels(&folder.read("tmx.png"), [[0, 0], [4, 0]]), [FIVE, [200, 100, 50]]);
    // The level names the images.
    folder.run(["convert", "--strict", "level.tmx", "back.wwd"]).ends(0);
    assert_eq!(folder.run(["diff", "level.wwd", "back.wwd"]).ends(0).out, "");
    folder.run(["convert", "--strict", "--content", "art", "poor.wwd", "poor.tmx"]).ends(3);
    let losses = || {
        let json = folder.run(["render", "--json", "level.tmx", "-o", "tmx.png", "--force"]).ends(0).object();
        json["losses"].as_array().unwrap().iter().map(|loss| loss["text"].to_string()).collect::<String>()
    };
    assert!(!losses().contains("level-ACTION.png"));
    fs::remove_file(folder.at("level-ACTION.png")).unwrap();
    assert!(losses().contains("level-ACTION.png"));
    // A level contains no images.
    folder.run(["convert", "--content", "art", "level.wwd", "same.wwd"]).ends(0);
    assert!(folder.read("same.wwd") == folder.read("level.wwd"));
}

#[test]
fn wrong_folders_are_reported_before_anything_is_read() {
    let folder = game();
    fs::create_dir(folder.at("empty")).unwrap();
    for (wrong, why) in [("nowhere", "--> nowhere"), ("empty", "it contains no files"), ("level.wwd", "--> level.wwd")]
    {
        for verb in ["render", "convert"] {
            let done = folder.run([verb, "--content", wrong, "level.wwd", "-o", "out.png", "--force"]);
            let done = done.ends(1);
            assert!(done.talk.contains(why) && done.talk.contains("help: name a folder"), "{done:?}");
        }
    }
    assert!(!folder.at("out.png").exists());
}

#[test]
fn content_folders_are_searched_in_order_by_all_formats() {
    let folder = game();
    fs::create_dir_all(folder.at("mod/level1/tiles/action")).unwrap();
    folder.write("mod/level1/tiles/action/001.pid", pid([4, 4], [0, 0], &[9; 16]));
    let render = ["render", "--scale", "1", "--plane", "#main", "level.wwd", "--content"];
    for (order, color) in [(["mod", "art"], NINE), (["art", "mod"], FIVE)] {
        let [first, second] = order;
        folder.run(render.into_iter().chain([first, "--content", second, "-o", "a.png", "--force"])).ends(0);
        assert_eq!(pixels(&folder.read("a.png"), [[0, 0]]), [color], "{order:?}");
    }
    // An image of a Tiled map that is not beside it.
    folder.run(["convert", "--content", "art", "level.wwd", "map.tmx"]).ends(0);
    fs::create_dir(folder.at("images")).unwrap();
    fs::rename(folder.at("map-ACTION.png"), folder.at("images/MAP-action.PNG")).unwrap();
    folder
        .run(["render", "--scale", "1", "--plane", "#main", "map.tmx", "--content", "images", "-o", "map.png"])
        .ends(0);
    assert_eq!(pixels(&folder.read("map.png"), [[0, 0]]), [FIVE]);
    let done = folder.run(["render", "--content", "art", ".", "-d", "pictures"]).ends(0);
    assert!(done.talk.contains("3 ok"), "{done:?}");
}

#[test]
fn undrawable_inputs_have_their_own_exit_codes() {
    let folder = game();
    let large = ["render", "--scale", "1", "--crop", "0,0,40000,10", "level.wwd", "-d", "none"];
    let done = folder.run(large).ends(6);
    assert!(done.talk.contains("error[limit]") && done.talk.contains("help: draw it smaller with --fit"), "{done:?}");
    folder.write("none.wwd", Document::new().to_bytes().unwrap());
    let done = folder.run(["render", "none.wwd", "-d", "none"]).ends(7);
    assert!(done.talk.contains("nothing to draw") && done.talk.contains("help: "), "{done:?}");
    assert!(!folder.at("none").exists(), "no folder is made for nothing");
    // The old file stays.
    folder.write("old.png", "old");
    folder.run(["render", "none.wwd", "-o", "old.png", "--force"]).ends(7);
    folder.run(["render", "level.wwd", "-o", "old.png"]).ends(1);
    assert_eq!(folder.read("old.png"), b"old");
    folder.run(["render", "level.wwd", "-o", "old.png", "--force"]).ends(0);
    assert!(folder.read("old.png").starts_with(b"\x89PNG"));
}

/// The game in an archive, with its level.
pub(crate) fn archive() -> Folder {
    let folder = game();
    let mut archive = mapwright_rez::Document::new();
    for path in [
        "LEVEL1/TILES/ACTION/001.PID",
        "LEVEL1/TILES/ACTION/TILE002.PCX",
        "LEVEL1/PALETTES/MAIN.PAL",
        "GAME/IMAGES/COIN/001.PID",
    ] {
        archive.add(path.replace('/', "\\"), folder.read(format!("art/{path}")), None).unwrap();
    }
    archive.add("LEVEL1\\WORLDS\\WORLD.WWD", folder.read("level.wwd"), None).unwrap();
    folder.write("CLAW.REZ", archive.to_bytes().unwrap());
    fs::remove_dir_all(folder.at("art")).unwrap();
    folder
}

#[test]
fn archives_are_read_as_folders_are() {
    let folder = archive();
    let level = "CLAW.REZ/LEVEL1/WORLDS/WORLD.WWD";
    folder.run(["render", level, "--scale", "1", "--plane", "#main", "-o", "level.png"]).ends(0);
    assert_eq!(pixels(&folder.read("level.png"), [[0, 0], [4, 0]]), [FIVE, [200, 100, 50]]);
    assert_eq!(folder.run(["diff", "level.wwd", "CLAW.REZ/level1/WORLDS/world.wwd"]).ends(0).out, "");
    for path in ["CLAW.REZ", "CLAW.REZ/LEVEL1", "CLAW.REZ/level1/worlds"] {
        let done = folder.run(["info", "--table", path]).ends(0);
        assert!(done.out.contains("WORLD.WWD") && done.out.lines().count() == 2, "{path}: {done:?}");
    }
    let done = folder.run(["convert", "CLAW.REZ", "-d", "out", "--to", "tmx"]).ends(0);
    assert!(done.talk.contains("1 ok"), "{done:?}");
    assert_eq!(pixels(&folder.read("out/LEVEL1/WORLDS/WORLD-ACTION.png"), [[4, 0]]), [FIVE]);
    folder.run(["query", "logic=*", level]).ends(0);
    folder.run(["check", "CLAW.REZ"]).ends(0);
    // As content of a level that is elsewhere.
    folder
        .run(["render", "level.wwd", "--content", "CLAW.REZ", "--scale", "1", "--plane", "#main", "-o", "b.png"])
        .ends(0);
    assert!(folder.read("b.png") == folder.read("level.png"));
}

#[test]
fn archives_are_never_overwritten_and_their_faults_are_named() {
    let folder = archive();
    let (before, level) = (folder.read("CLAW.REZ"), "CLAW.REZ/LEVEL1/WORLDS/WORLD.WWD");
    for (verb, status) in [("convert", 7), ("render", 2)] {
        folder.run([verb, level, "-o", "CLAW.REZ", "--force"]).ends(status);
    }
    assert!(folder.read("CLAW.REZ") == before);
    let done = folder.run(["info", "CLAW.REZ/LEVEL1/WORLDS/NONE.WWD"]).ends(1);
    assert!(done.talk.contains("file not found"), "{done:?}");
    let done = folder.run(["edit", level, "set logic=*: x+=1", "--force"]).ends(2);
    assert!(done.talk.contains("files in archives are not replaced") && done.talk.contains("use -o FILE"), "{done:?}");
    for output in [["-o", "CLAW.REZ/new.tmx"], ["-d", "CLAW.REZ/new"], ["-d", "CLAW.REZ"]] {
        let done = folder.run([&["convert", level, "--to", "tmx"], &output[..]].concat()).ends(1);
        assert!(done.talk.contains("help: a part of the path is a file"), "{done:?}");
    }
    // A directory with a damaged block: its files must not be missing without a report.
    let mut damaged = before.clone();
    let name = before.windows(6).position(|bytes| bytes == b"WORLDS").unwrap();
    damaged[name - 12..name - 8].copy_from_slice(&u32::MAX.to_le_bytes());
    folder.write("damaged.rez", &damaged);
    let done = folder.run(["convert", "damaged.rez", "-d", "out", "--to", "tmx"]).ends(4);
    assert!(done.talk.contains("cannot read this REZ archive: directory block"), "{done:?}");
    folder.write("cut.rez", &before[..300]);
    let done = folder.run(["info", "cut.rez/LEVEL1/WORLDS/WORLD.WWD"]).ends(4);
    assert!(done.talk.contains("error[truncated]: cannot read this REZ archive: "), "{done:?}");
}

#[test]
fn images_without_decoration_show_only_what_the_game_draws() {
    let folder = game();
    // Frame 9 does not exist, so the object shows nothing. Nothing covers the last cell.
    let mut level = Document::from_bytes(&level(Cell::Empty, &["GAME_COIN"])).unwrap();
    level.planes[0].objects.iter_mut().for_each(|object| object.i = 9);
    level.header.start_x = 6;
    folder.write("gap.wwd", level.to_bytes().unwrap());
    let render = ["render", "--content", "art", "--scale", "1", "gap.wwd", "-o"];
    folder.run(render.into_iter().chain(["bare.png", "--no-marks", "--background", "#010203"])).ends(0);
    let bare = folder.read("bare.png");
    assert_eq!(pixels(&bare, [[3, 3], [6, 6]]), [FIVE, [1, 2, 3]]);
    folder.run(render.into_iter().chain(["marks.png"])).ends(0);
    assert_ne!(pixels(&folder.read("marks.png"), [[6, 6]]), [[1, 2, 3]]);
    let wrong = folder.run(render.into_iter().chain(["wrong.png", "--background", "+10203"])).ends(2);
    assert!(wrong.talk.contains("expected six hexadecimal digits"), "{wrong:?}");
}

#[test]
fn levels_look_as_another_program_draws_them() {
    let Some(rez) = corpus("rez") else { return };
    let folder = Folder::new();
    // The other program draws on black, and draws neither marks nor the start.
    let render = ["render", "--scale", "1", "--no-marks", "--background", "000000", "--force", "-o", "out.png"];
    let claw = rez.join("synthetic/tiny_claw.rez/LEVEL1/WORLDS/WORLD.WWD").display().to_string();
    let gruntz = rez.join("synthetic/tiny_gruntz.rez/AREA1/WORLDZ/LEVEL1.WWD").display().to_string();
    let images: [(&str, &str, &[&str]); 5] = [
        (&claw, "tiny_claw", &[]),
        (&claw, "tiny_claw_editor", &["--hidden"]),
        (&claw, "tiny_claw_view_200_40_320_200", &["--parallax", "camera", "--crop", "200,40,320,200"]),
        (&gruntz, "tiny_gruntz", &[]),
        (&gruntz, "tiny_gruntz_editor", &["--hidden"]),
    ];
    for (level, image, options) in images {
        folder.run(render.into_iter().chain(options.iter().copied()).chain([level])).ends(0);
        let colors = |png: &[u8]| {
            let pixels = decode_png(png, 1 << 24).unwrap();
            let colors = pixels.data.chunks(pixels.format.channels()).map(|color| [color[0], color[1], color[2]]);
            ([pixels.width, pixels.height], colors.collect::<Vec<_>>())
        };
        let (size, drawn) = colors(&folder.read("out.png"));
        let (expected_size, expected) = colors(&fs::read(rez.join(format!("pictures/{image}.png"))).unwrap());
        assert_eq!(size, expected_size, "{image}");
        let different = drawn.iter().zip(&expected).position(|(drawn, expected)| drawn != expected);
        assert_eq!(different, None, "{image}");
    }
}

#[test]
fn files_that_the_content_lacks_are_findings() {
    let folder = game();
    let plain = folder.run(["check", "--json", "poor.wwd"]).ends(0).object();
    let done = folder.run(["check", "--json", "--content", "art", "poor.wwd"]).ends(0).object();
    let [plain, findings] = [&plain, &done].map(|report| report["findings"].as_array().unwrap());
    let new = findings.iter().filter(|finding| !plain.contains(finding));
    let codes: Vec<_> = new.map(|finding| (&finding["code"], &finding["path"], &finding["count"])).collect();
    assert_eq!(
        codes,
        [
            (&"tile-missing".into(), &"planes[0].tiles".into(), &1.into()),
            (&"image-set-missing".into(), &"planes[0].objects[1].image_set".into(), &1.into()),
        ]
    );
    let text = folder.run(["check", "--strict", "--content", "art", "poor.wwd"]).ends(9);
    assert!(text.out.contains("warning[image-set-missing]: image set \"GAME_SKULL\" does not exist"), "{text:?}");
}

#[test]
fn levels_become_models_with_the_images_of_the_game() {
    let folder = archive();
    let level = "CLAW.REZ/LEVEL1/WORLDS/WORLD.WWD";
    for model in ["level.glb", "level.obj"] {
        folder.run(["convert", level, model]).ends(0);
        let check = folder.run(["check", model]).ends(0);
        assert!(check.out.contains("no findings"), "{check:?}");
        let info = folder.run(["info", model]).ends(0);
        // The plane with two tiles, a filled cell and an empty one; the coin.
        assert!(info.out.contains("Action") && info.out.contains("Treasure"), "{info:?}");
        assert!(info.out.contains("3 materials, 3 images"), "{info:?}");
    }
    // Without the images there is nothing to show.
    let done = folder.run(["convert", "level.wwd", "bare.glb"]).ends(7);
    assert!(done.talk.contains("help: ") && done.talk.contains("--content CLAW.REZ"), "{done:?}");
    let done = folder.run(["render", "level.wwd", "-o", "bare.png"]).ends(0);
    assert_eq!(done.talk.matches("--content CLAW.REZ").count(), 1, "{done:?}");
}

#[test]
fn objects_without_an_image_are_no_models() {
    let folder = game();
    let json = folder.run(["convert", "--json", "--content", "art", "poor.wwd", "poor.glb"]).ends(0).object();
    assert!(json["losses"].to_string().contains("GAME_SKULL"), "{json}");
    let json = folder.run(["render", "--json", "--fit", "64", "poor.glb", "-o", "poor.png"]).ends(0).object();
    assert_eq!(json["boxes"], 0, "{json}");
    let glb = folder.read("poor.glb");
    let image_set = b"\"model\":\"GAME_SKULL\"";
    assert!(glb.windows(image_set.len()).any(|part| part == image_set), "the name is preserved");
}

#[test]
fn the_files_of_a_level_are_listed_and_copied() {
    let folder = game();
    let list = folder.run(["info", "--json", "--content", "art", "poor.wwd", "--copy-to", "copy"]).ends(0).object();
    let rows: Vec<_> = list["references"].as_array().unwrap().iter().collect();
    let row = |path: &str| rows.iter().find(|row| row["path"] == path).unwrap_or_else(|| panic!("{path}: {list}"));
    let palette = row("LEVEL1/PALETTES/MAIN.PAL");
    assert_eq!((&palette["kind"], &palette["file"]), (&"other".into(), &"LEVEL1/PALETTES/MAIN.PAL".into()));
    let coin = row("GAME/IMAGES/COIN/001.PID");
    assert_eq!((&coin["kind"], &coin["file"], &coin["uses"]), (&"image".into(), &coin["path"], &1.into()));
    for missing in ["GAME_SKULL", "ACTION 9"] {
        assert!(row(missing)["file"].is_null(), "{list}");
    }
    let mut copied: Vec<_> = list["copied"].as_array().unwrap().iter().map(|path| path.as_str().unwrap()).collect();
    copied.sort_unstable();
    let expected = [
        "GAME/IMAGES/COIN/001.PID",
        "LEVEL1/PALETTES/MAIN.PAL",
        "LEVEL1/TILES/ACTION/001.PID",
        "LEVEL1/TILES/ACTION/TILE002.PCX",
        "poor.wwd",
    ];
    assert_eq!(copied, expected.map(|path| format!("copy/{path}")));
    for path in expected {
        let source = if path == "poor.wwd" { path.to_owned() } else { format!("art/{path}") };
        assert_eq!(folder.read(format!("copy/{path}")), folder.read(source), "{path}");
    }
    // The findings of `check` are not repeated.
    let check = folder.run(["check", "--json", "--content", "art", "poor.wwd"]).ends(0);
    assert!(!check.out.contains("\"image-missing\""), "{check:?}");
    // Images are not overwritten by what is made of them.
    let image = "art/LEVEL1/TILES/ACTION/001.PID";
    let before = folder.read(image);
    for (to, level) in [("tmx", "level.wwd"), ("glb", "level.wwd")] {
        let done = folder.run(["convert", "--content", "art", level, "--to", to, "--force", "-o", image]).ends(2);
        assert!(done.talk.contains("would be overwritten"), "{done:?}");
    }
    assert!(folder.read(image) == before);
    // A level in an archive keeps its path.
    let folder = archive();
    let level = "LEVEL1/WORLDS/WORLD.WWD";
    folder.run(["info", &format!("CLAW.REZ/{level}"), "--copy-to", "copy"]).ends(0);
    assert_eq!(folder.read(format!("copy/{level}")), folder.read("level.wwd"));
    folder.run(["render", "--content", "copy", &format!("copy/{level}"), "-o", "copy.png"]).ends(0);
    let before = folder.read("CLAW.REZ");
    fs::rename(folder.at("CLAW.REZ"), folder.at("game")).unwrap();
    for args in [["convert", "level.wwd", "--to", "glb"], ["render", "level.wwd", "--fit", "64"]] {
        let done = folder.run([&args[..], &["--content", "game", "--force", "-o", "game"]].concat()).ends(2);
        assert!(done.talk.contains("would be overwritten"), "{done:?}");
    }
    assert!(folder.read("game") == before);
}

#[test]
fn objects_are_tiles_in_maps_of_tiled_and_come_back() {
    let folder = game();
    let mut level = Document::from_bytes(&level(Cell::Empty, &["GAME_COIN", "game_coin", "GAME_NONE"])).unwrap();
    let objects = &mut level.planes[0].objects;
    let flags = |bits: u32| mapwright::wwd::DrawFlags(bits);
    (objects[1].draw_flags, objects[1].height, objects[1].x) = (flags(2 | 8), 3, 20);
    let bytes = level.to_bytes().unwrap();
    folder.write("in.wwd", &bytes);
    folder.run(["convert", "in.wwd", "map.tmx", "--content", "art"]).ends(0);
    let map = String::from_utf8(folder.read("map.tmx")).unwrap();
    assert!(map.contains(r#"name="GAME_COIN""#) && map.contains("map-GAME_COIN-"), "{map}");
    assert_eq!(map.matches(" gid=\"").count(), 2, "{map}");
    folder.run(["convert", "--strict", "map.tmx", "back.wwd"]).ends(0);
    assert_eq!(folder.read("back.wwd"), bytes);
    // A tile that is flipped and moved in Tiled.
    let first = map.split("<object ").nth(1).unwrap();
    let value = |name: &str| first.split(&format!(" {name}=\"")).nth(1).unwrap().split('"').next().unwrap();
    let (gid, x): (u32, i32) = (value("gid").parse().unwrap(), value("x").parse().unwrap());
    let changed =
        first.replacen(&format!("gid=\"{gid}\" x=\"{x}\""), &format!("gid=\"{}\" x=\"{}\"", gid | 1 << 30, x + 5), 1);
    assert_ne!(changed, first);
    folder.write("map.tmx", map.replace(first, &changed));
    folder.run(["convert", "map.tmx", "back.wwd", "--force"]).ends(0);
    let back = Document::from_bytes(&folder.read("back.wwd")).unwrap();
    level.planes[0].objects[0].x += 5;
    level.planes[0].objects[0].draw_flags = flags(4);
    assert_eq!(back.planes[0].objects, level.planes[0].objects);
}
