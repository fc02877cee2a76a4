//! Levels of Claw and Gruntz.

use crate::folder::{Folder, fails};

/// A folder with the levels of these names.
fn with(names: &[&str]) -> Folder {
    let folder = Folder::new();
    for name in names {
        let path = mapwright_testkit::workspace().join("fixtures/wwd").join(name);
        folder.write(name, std::fs::read(&path).unwrap());
    }
    folder
}

/// Every level that the project made.
const ALL: [&str; 8] =
    ["claw.wwd", "gruntz.wwd", "masks.wwd", "moved.wwd", "odd.wwd", "plain.wwd", "trailing.wwd", "wapmap.wwd"];

#[test]
fn levels_come_back() {
    let folder = with(&ALL);
    folder.run(["roundtrip", "."]).ends(0);
}

#[test]
fn dump_and_build_give_the_file_again() {
    let folder = with(&ALL);
    std::fs::create_dir(folder.at("dumps")).unwrap();
    for name in ALL {
        let dump = folder.run(["dump", name]).ends(0);
        assert!(dump.out.lines().count() > 10, "{name}");
        folder.write(format!("dumps/{name}.json"), dump.bytes);
        let line = folder.run(["dump", "--json", name]).ends(0);
        assert_eq!((line.out.lines().count(), &line.object()["schema"]), (1, &"mapwright.dump/1".into()));
        let built = folder.pipe(&line.bytes, ["build", "-", "-o", "-"]).ends(0);
        assert!(built.bytes == folder.read(name), "{name}");
    }
    // The name of a file precedes its output only if there are several.
    let named = |args: &[&str]| -> Vec<String> {
        let dumps = folder.run(args).ends(0).out;
        let names = dumps.lines().filter_map(|line| line.split_once("\"file\":\"")?.1.split('"').next());
        names.map(str::to_owned).collect()
    };
    assert_eq!(named(&["dump", "--json", "./claw.wwd"]), ["./claw.wwd"]);
    std::fs::create_dir(folder.at("one")).unwrap();
    folder.write("one/claw.wwd", folder.read("claw.wwd"));
    let [one, two] = ["./claw.wwd", "one/claw.wwd"];
    assert_eq!(named(&["dump", two]), ["claw.wwd"]);
    assert_eq!(named(&["dump", one, two]), [one, two]);
    assert_eq!(named(&["dump", "one"]), [two]);
    folder.run(["build", "dumps", "-d", "built"]).ends(0);
    for name in ALL {
        assert!(folder.read(format!("built/{name}.wwd")) == folder.read(name), "{name}");
    }
    let again = folder.run(["build", "dumps", "-d", "built"]).ends(8);
    assert!(again.talk.contains("--force replaces it"), "{again:?}");
}

#[test]
fn an_edited_dump_makes_an_edited_level() {
    let folder = with(&["claw.wwd"]);
    let dump = folder.run(["dump", "claw.wwd"]).ends(0).out;
    folder.write("claw.json", dump.replace("\"movement_x\":50", "\"movement_x\":60"));
    let report = folder.run(["build", "--json", "claw.json", "-o", "new.wwd"]).ends(0).object();
    assert_eq!((&report["schema"], &report["output"]), (&"mapwright.build/1".into(), &"new.wwd".into()));
    folder.run(["roundtrip", "new.wwd"]).ends(0);
    let checked = folder.run(["check", "--json", "new.wwd"]).ends(0).object();
    assert!(!checked["findings"].as_array().unwrap().iter().any(|one| one["code"] == "checksum"), "{checked}");
    folder.write("bad.json", dump.replace("\"movement_x\"", "\"movment_x\""));
    let bad = folder.run(["build", "bad.json", "-o", "bad.wwd"]).ends(4);
    assert!(bad.talk.contains("unknown field `movment_x`"), "{bad:?}");
    folder.write("torn.json", &dump[..100]);
    let torn = folder.run(["build", "torn.json", "-o", "bad.wwd"]).ends(4);
    assert!(torn.talk.contains(" at line "), "{torn:?}");
    folder.run(["build", "claw.json"]).ends(2);
}

#[test]
fn a_larger_header_is_read_on_request() {
    let folder = with(&["claw.wwd"]);
    let mut bytes = folder.read("claw.wwd");
    bytes[..4].copy_from_slice(&44474_u32.to_le_bytes());
    folder.write("odd.wwd", bytes);
    let refused = folder.run(["info", "odd.wwd"]).ends(4);
    assert!(refused.talk.contains("help: --any-header-size reads it as if the size was 1524"), "{refused:?}");
    folder.run(["roundtrip", "--any-header-size", "odd.wwd"]).ends(0);
}

#[test]
fn info_describes_the_writer_and_the_content_of_levels() {
    let folder = with(&["claw.wwd", "wapmap.wwd"]);
    let text = folder.run(["claw.wwd"]).ends(0).out;
    let parts =
        ["WAP32 level", "writer           \"WapWorld or GLE\"", "game             Claw", "planes (3)", "logics ("];
    for part in parts {
        assert!(text.contains(part), "{part}: {text}");
    }
    let json = folder.run(["info", "--json", "claw.wwd"]).ends(0).object();
    let level = &json["wwd"];
    assert_eq!((&level["game"], &level["level_number"]), (&"Claw".into(), &1.into()));
    assert_eq!(level["provenance"]["checksums"][0], "WapWorld and GLE");
    assert_eq!(level["planes"].as_array().unwrap().len(), 3);
    let objects: u64 = level["planes"].as_array().unwrap().iter().map(|plane| plane["objects"].as_u64().unwrap()).sum();
    assert_eq!(level["objects"], objects);
    let counted: u64 = level["logics"].as_array().unwrap().iter().map(|logic| logic["count"].as_u64().unwrap()).sum();
    assert_eq!(counted, objects);
    let text = folder.run(["wapmap.wwd"]).ends(0).out;
    for part in ["writer           WapMap", "notes "] {
        assert!(text.contains(part), "{part}: {text}");
    }
}

#[test]
fn formats_have_levels() {
    let formats = Folder::new().run(["formats", "--json"]).ends(0).object();
    let level = formats["formats"].as_array().unwrap().iter().find(|format| format["name"] == "wwd").unwrap();
    assert_eq!((&level["lossless"], &level["import"], &level["export"]), (&true.into(), &true.into(), &true.into()));
}

/// A level with a checksum of no program and a plane of a wrong size.
fn broken(folder: &Folder, name: &str) {
    let dump = folder.run(["dump", "--json", "claw.wwd"]).ends(0).out;
    let built = folder.pipe(dump.replacen("\"width_px\":", "\"width_px\":1", 1).as_bytes(), ["build", "-", "-o", "-"]);
    let mut bytes = built.ends(0).bytes;
    bytes[0x2EC] ^= 1;
    folder.write(name, bytes);
}

#[test]
fn check_repairs_levels() {
    let folder = with(&["claw.wwd"]);
    broken(&folder, "broken.wwd");
    let before = folder.read("broken.wwd");
    let found = folder.run(["check", "--strict", "broken.wwd"]).ends(9);
    assert!(found.out.contains("warning[checksum]") && found.out.contains("warning[pixel-size]"), "{found:?}");
    let dry = folder.run(["check", "--fix", "--dry-run", "broken.wwd"]).ends(0);
    assert!(dry.out.contains("broken.wwd: 2 problems would be repaired\n"), "{dry:?}");
    folder.run(["check", "--fix", "broken.wwd"]).ends(2);
    assert!(folder.read("broken.wwd") == before);
    let json = folder.run(["check", "--fix", "--json", "broken.wwd", "-o", "mended.wwd"]).ends(0).object();
    assert_eq!((json["fixes"].as_array().unwrap().len(), &json["output"]), (2, &"mended.wwd".into()));
    assert!(folder.read("mended.wwd") == folder.read("claw.wwd"), "what was broken is as it was");
    folder.run(["check", "--fix", "broken.wwd", "-o", "mended.wwd"]).ends(1);
    folder.run(["check", "--fix", "--force", "."]).ends(0);
    assert!(folder.read("broken.wwd") == folder.read("claw.wwd"));
    folder.run(["check", "--fix", "--force", "broken.wwd"]).ends(0);
    folder.run(["check", "--drop-objects", "broken.wwd"]).ends(2);
    folder.write("cube.obj", crate::folder::CUBE_OBJ);
    folder.run(["check", "--fix", "--force", "cube.obj"]).ends(7);
}

#[test]
fn levels_are_listed_by_their_headers() {
    let folder = with(&ALL);
    folder.write("cube.obj", crate::folder::CUBE_OBJ);
    folder.write("notes.txt", "nothing");
    let table = folder.run(["info", "--table", "."]).ends(0);
    let lines: Vec<&str> = table.out.lines().collect();
    assert_eq!(lines.len(), ALL.len() + 2, "{table:?}");
    assert!(lines[0].starts_with("file ") && lines[0].ends_with(" objects"));
    let csv = folder.run(["info", "--csv", "--jobs", "2", "."]).ends(0).out;
    assert!(csv.starts_with("file,format,variant,bytes,name,author,date,size,planes,objects\r\n"));
    assert!(csv.contains(",\"October 28, 1997\","), "{csv}");
    for one in folder.run(["info", "--table", "--json", "."]).ends(0).json() {
        assert_eq!(one["schema"], "mapwright.table/2");
        if one["format"] == "wwd" {
            let info = folder.run(["info", "--json", one["file"].as_str().unwrap()]).ends(0).object();
            assert_eq!((&one["objects"], &one["bytes"]), (&info["wwd"]["objects"], &info["bytes"]));
            assert_eq!((&one["name"], &one["date"]), (&info["wwd"]["name"], &info["wwd"]["birth"]));
            assert_eq!(one["planes"], info["wwd"]["planes"].as_array().unwrap().len());
        }
    }
    // Data after the headers is not read.
    let bytes = folder.read("claw.wwd");
    folder.write("cut.wwd", &bytes[..bytes.len() - 30]);
    folder.run(["info", "cut.wwd"]).ends(4);
    assert_eq!(folder.run(["info", "--table", "--json", "cut.wwd"]).ends(0).object()["planes"], 3);
    let piped = folder.pipe(&bytes, ["info", "--table", "--json", "-"]).ends(0).object();
    assert_eq!(piped["bytes"], bytes.len());
    folder.run(["info", "--table", "--json", "nowhere.wwd"]).ends(1);
}

#[test]
fn levels_are_edited_and_compared() {
    let folder = with(&["claw.wwd"]);
    let edit = "set level: author=Me";
    // Dumps as text do not say where the file is.
    let text = folder.run(["dump", "./claw.wwd"]).ends(0).out;
    assert!(text.contains("\"file\":\"claw.wwd\""), "{text:.200}");
    let twice = folder.pipe(&folder.read("claw.wwd"), ["info", "--table", "-", "-"]);
    assert!(twice.talk.contains("only once"), "{}", twice.talk);
    let text = folder.pipe(&folder.read("claw.wwd"), ["dump", "-"]).ends(0).out;
    assert!(text.contains("\"file\":\"standard input\""), "{text:.200}");
    let dry = folder.run(["edit", "--dry-run", "claw.wwd", edit]).ends(0);
    assert!(dry.out.starts_with("set level: author=Me: 1 field changed\n  header: author: "), "{dry:?}");
    let done = folder.run(["edit", "claw.wwd", edit, "tiles fill #main 0,0,2,1 empty", "-o", "new.wwd"]).ends(0);
    assert_eq!(done.out.lines().count(), 2);
    assert_eq!(folder.run(["diff", "claw.wwd", "claw.wwd"]).ends(0).out, "");
    let diff = folder.run(["diff", "claw.wwd", "new.wwd"]).ends(9);
    assert!(diff.out.starts_with("--- claw.wwd\n+++ new.wwd\nheader: author: "), "{diff:?}");
    let json = folder.run(["diff", "--json", "claw.wwd", "new.wwd"]).ends(9).object();
    assert_eq!((&json["schema"], &json["equal"]), (&"mapwright.diff/1".into(), &false.into()));
    assert_eq!(json["level"]["header"][0]["new"], "Me");
    assert_eq!(json["level"]["planes"].as_array().unwrap().len(), 1);
    for (sides, side) in [(["/dev/null", "new.wwd"], "new"), (["new.wwd", "/dev/null"], "old")] {
        let json = folder.run(["diff", "--json"].into_iter().chain(sides)).ends(9).object();
        assert_eq!((&json[side], &json["format"], &json["equal"]), (&"new.wwd".into(), &"wwd".into(), &false.into()));
        assert_eq!(json.as_object().unwrap().len(), 5, "{json}");
    }
    folder.run(["roundtrip", "new.wwd"]).ends(0);
    // The way back.
    let old = folder.run(["info", "--json", "claw.wwd"]).object()["wwd"]["author"].as_str().unwrap().to_owned();
    folder.write("script.txt", format!("\u{feff}# as it was\n\nset level: author=\"{old}\"\n"));
    folder.run(["edit", "--force", "--script", "script.txt", "new.wwd"]).ends(0);
    let json = folder.run(["diff", "--json", "claw.wwd", "new.wwd"]).ends(9).object();
    assert!(!json["level"]["header"].as_array().unwrap().iter().any(|one| one["field"] == "author"), "{json}");
}

#[test]
fn an_edit_that_cannot_be_done_writes_nothing() {
    let folder = with(&["claw.wwd"]);
    let before = folder.read("claw.wwd");
    let wrong =
        folder.run(["edit", "--force", "claw.wwd", "set level: author=Me", "tiles fill Nowhere 0,0,1,1 1"]).ends(2);
    assert!(wrong.talk.contains("no plane is named \"Nowhere\""), "{wrong:?}");
    folder.run(["edit", "claw.wwd", "set level: author=Me"]).ends(2);
    folder.run(["edit", "--force", "claw.wwd"]).ends(2);
    let odd = folder.run(["edit", "--dry-run", "claw.wwd", "set level: header_size=3"]).ends(2);
    assert!(odd.talk.contains("`header_size` cannot be set"), "{odd:?}");
    let wrong = folder.run(["edit", "--force", "claw.wwd", "planes fly"]).ends(2);
    assert!(wrong.talk.contains("unknown edit"), "{wrong:?}");
    assert!(folder.read("claw.wwd") == before);
    folder.write("cube.obj", crate::folder::CUBE_OBJ);
    folder.run(["edit", "--force", "cube.obj", "set level: author=Me"]).ends(7);
    let piped = folder.pipe(&before, ["edit", "-", "set level: author=Me", "-o", "-"]).ends(0);
    assert!(piped.bytes != before && piped.bytes.starts_with(&before[..4]));
}

#[test]
fn terms_are_compared_part_by_part() {
    let folder = Folder::with_cube();
    folder.write("a.etf", b"\x83h\x02a\x01a\x02");
    folder.write("b.etf", b"\x83h\x02a\x01a\x03");
    let diff = folder.run(["diff", "a.etf", "b.etf"]).ends(9);
    assert_eq!(diff.out, "--- a.etf\n+++ b.etf\n[1]: 2 → 3\n");
    folder.run(["diff", "a.etf", "a.etf"]).ends(0);
    let json = folder.run(["diff", "--json", "a.etf", "b.etf"]).ends(9).object();
    assert_eq!(json["term"]["changes"], serde_json::json!([{"field": "[1]", "old": "2", "new": "3"}]));
    let other = folder.run(["diff", "a.etf", "cube.wings"]).ends(7);
    assert!(other.talk.contains("error[unsupported]: cannot compare etf with wings"), "{other:?}");
    assert!(other.talk.contains("help: convert one of them"), "{other:?}");
    assert_eq!(folder.run(["diff", "--json", "a.etf", "cube.wings"]).ends(7).object()["exit"], 7);
    folder.run(["diff", "a.etf", "nowhere.etf"]).ends(1);
}

#[test]
fn levels_become_tiled_maps_and_levels_again() {
    let folder = with(&["claw.wwd", "wapmap.wwd"]);
    for name in ["claw", "wapmap"] {
        for format in ["tmx", "tmj"] {
            let (level, map, back) =
                (format!("{name}.wwd"), format!("{name}.{format}"), format!("{name}-{format}.wwd"));
            let report = folder.run(["convert", "--json", "--force", &level, &map]).ends(0).object();
            assert!(report["outputs"].as_array().unwrap().len() > 1, "tiles have images beside the map: {report}");
            folder.run(["convert", "--strict", &map, &back]).ends(0);
            assert_eq!(folder.run(["diff", &level, &back]).ends(0).code, Some(0));
        }
    }
}

#[test]
fn names_of_any_length_are_shown() {
    use mapwright::wwd::{Document, Plane};
    let mut level = Document::new();
    let mut plane = Plane::with_grid(b"Action", 1, 1, 64).unwrap();
    // More than what can be said as the width of a column.
    plane.image_sets.push(&[b'A'; 70_000]).unwrap();
    level.planes.push(plane);
    let folder = Folder::new();
    folder.write("long.wwd", level.to_bytes().unwrap());
    let info = folder.run(["info", "long.wwd"]).ends(0);
    assert!(info.out.contains("AAAA"), "{info:?}");
}

#[test]
fn levels_are_drawn() {
    let folder = with(&["claw.wwd", "gruntz.wwd"]);
    let report = folder.run(["render", "--json", "--scale", "1/2", "claw.wwd", "-o", "all.png"]).ends(0).object();
    assert_eq!((&report["schema"], &report["scale"]), (&"mapwright.render/3".into(), &0.5.into()));
    let png = folder.read("all.png");
    let size = |at: usize| u32::from_be_bytes(png[at..at + 4].try_into().unwrap());
    assert!(png.starts_with(b"\x89PNG") && report["width"] == size(16) && report["height"] == size(20), "{report}");
    assert_eq!(report["size"][0].as_u64().unwrap(), 2 * u64::from(size(16)));
    let mut pictures = vec![png];
    for view in ["tiles", "collision", "objects"] {
        let piped = folder.run(["render", "--view", view, "--scale", "50%", "claw.wwd", "-o", "-"]).ends(0).bytes;
        assert!(piped.starts_with(b"\x89PNG"));
        pictures.push(piped);
    }
    assert!(pictures[1] != pictures[2], "tiles are not collision");
    let part =
        ["render", "--json", "--plane", "#main", "--crop", "-8,0,40,30", "--scale", "1", "claw.wwd", "-o", "part.png"];
    let part = folder.run(part).ends(0).object();
    assert_eq!((&part["width"], &part["height"], &part["from"][0]), (&40.into(), &30.into(), &(-8).into()));
    folder.run(["render", "--plane", "Nowhere", "claw.wwd", "-o", "no.png"]).ends(2);
    let turned = folder.run(["render", "--azimuth", "10", "claw.wwd", "-o", "turned.png"]).ends(0);
    assert!(turned.talk.contains("--azimuth and --elevation have no effect"), "{turned:?}");
    folder.run(["render", "--crop", "0,0,0,9", "claw.wwd", "-o", "no.png"]).ends(2);
    folder.run(["convert", "claw.wwd", "claw.tmx"]).ends(0);
    folder.run(["render", ".", "-d", "pictures", "--fit", "64"]).ends(0);
    assert!(folder.at("pictures/claw.tmx.png").exists() && folder.at("pictures/claw.wwd.png").exists());
    assert!(folder.read("pictures/gruntz.png").starts_with(b"\x89PNG"));
    folder.run(["render", "claw.wwd", "-o", "all.png"]).ends(1);
    folder.run(["render", "--view", "solid", "claw.wwd", "-o", "no.png"]).ends(7);
}

/// A block of a map, between two corners.
fn block([low, high]: [[i32; 3]; 2]) -> String {
    let plane = |[x, y, z]: [i32; 3], one: usize, other: usize| {
        let point = |axis: Option<usize>| {
            let step = |at: usize| i32::from(axis == Some(at));
            format!("( {} {} {} )", x + step(0), y + step(1), z + step(2))
        };
        format!("{} {} {} brick 0 0 0 1 1\n", point(None), point(Some(one)), point(Some(other)))
    };
    let planes = [(1, 2), (2, 0), (0, 1)].map(|(one, other)| plane(low, one, other) + &plane(high, other, one));
    format!("{{\n{}}}\n", planes.concat())
}

#[test]
fn closed_rooms_are_opened_unless_they_are_to_be_closed() {
    let folder = with(&["claw.wwd"]);
    let blocks = [[[0, 0, -16], [512, 512, 0]], [[0, 0, 128], [512, 512, 144]]].map(block).concat();
    let lamps = [200, 220, 240, 260].map(|x| format!("{{\n\"classname\" \"lamp\"\n\"origin\" \"{x} 300 24\"\n}}\n"));
    folder.write("room.map", format!("{{\n\"classname\" \"worldspawn\"\n{blocks}}}\n{}", lamps.concat()));
    let drawn = |options: &[&str]| {
        let args = ["render", "--fit", "100", "room.map", "-o", "-"];
        let done = folder.run(args.iter().chain(options)).ends(0);
        (done.bytes, done.talk)
    };
    let (open, talk) = drawn(&[]);
    assert!(talk.contains("room.map: without 2 faces that hid the inside (--closed draws them)"), "{talk}");
    let (closed, talk) = drawn(&["--closed"]);
    assert!(talk.is_empty() && closed != open, "{talk}");
    assert_eq!(drawn(&["--quiet"]), (open, String::new()));
    let report = folder.run(["render", "--json", "room.map", "-o", "room.png"]).ends(0).object();
    assert_eq!((&report["cutaway_faces"], &report["bodies"]), (&2.into(), &2.into()));
    let idle = folder.run(["render", "--closed", "claw.wwd", "-o", "claw.png"]).ends(0);
    assert!(idle.talk.contains("--closed has no effect"), "{}", idle.talk);
}

#[test]
fn solids_are_drawn_from_any_side() {
    let folder = Folder::new();
    folder.write("cube.obj", crate::folder::CUBE_OBJ);
    for name in ["cube.glb", "cube.vmap", "cube.wings", "cube.wmp", "cube.map"] {
        folder.run(["convert", "cube.obj", name]).ends(0);
    }
    let report = folder.run(["render", "--json", "--fit", "170", "cube.obj", "-o", "cube.png"]).ends(0).object();
    assert_eq!((&report["bodies"], &report["left_out"], &report["height"]), (&1.into(), &0.into(), &170.into()));
    let pixel = report["units_per_pixel"].as_f64().unwrap();
    let png = folder.read("cube.png");
    // A cube looks the same from all corners; from above it is a square.
    let turned = ["render", "--view", "solid", "--fit", "170", "--azimuth", "-45", "cube.obj", "-o", "-"];
    assert!(folder.run(turned).ends(0).bytes == png);
    let above = ["render", "--json", "--fit", "170", "--azimuth", "0", "--elevation", "90", "cube.obj", "-o", "a.png"];
    let above = folder.run(above).ends(0).object();
    assert_eq!((&above["width"], &above["height"]), (&170.into(), &170.into()));
    assert!(above["units_per_pixel"].as_f64().unwrap() < pixel, "{above}");
    let closed = folder.run(["render", "--cutaway", "--fit", "170", "cube.obj", "-o", "-"]).ends(0);
    assert!(closed.bytes == png, "fronts are outside");
    folder.run(["render", "--elevation", "91", "cube.obj", "-o", "no.png"]).ends(2);
    let idle = folder.run(["render", "--plane", "Nowhere", "--fit", "170", "cube.obj", "-o", "-"]).ends(0);
    assert!(idle.bytes == png && idle.talk.contains("--plane has no effect"), "{idle:?}");
    folder.run(["render", "--view", "relief", "cube.obj", "-o", "no.png"]).ends(7);
    // Every format of solids can be drawn, also in folders.
    std::fs::remove_file(folder.at("cube.png")).unwrap();
    std::fs::remove_file(folder.at("a.png")).unwrap();
    for name in ["cube.glb", "cube.vmap", "cube.wings", "cube.wmp", "cube.map"] {
        let report =
            folder.run(["render", "--json", "--fit", "64", name, "-d", "pictures", "--force"]).ends(0).object();
        assert_eq!((&report["bodies"], &report["height"]), (&1.into(), &64.into()), "{report}");
    }
    // All on one sheet.
    std::fs::remove_dir_all(folder.at("pictures")).unwrap();
    let sheet = folder.run(["render", ".", "--sheet", "all.png", "--fit", "64"]).ends(0);
    let png = folder.read("all.png");
    let size = |at: usize| u32::from_be_bytes(png[at..at + 4].try_into().unwrap());
    assert_eq!((size(16), size(20)), (3 * 72 + 8, 2 * 104 + 8), "{sheet:?}");
    folder.run(["render", "cube.obj", "--sheet", "all.png"]).ends(1);
    assert!(folder.run(["render", "cube.obj", "cube.wmp", "--sheet", "-"]).ends(0).bytes.starts_with(b"\x89PNG"));
    folder.write("empty.obj", "# nothing\n");
    let empty = folder.run(["render", "empty.obj", "-o", "empty.png"]).ends(7);
    assert!(empty.talk.contains("nothing to draw") && empty.talk.contains("no faces"), "{empty:?}");
}

#[test]
fn errors_in_edit_scripts_name_the_line() {
    let folder = with(&["claw.wwd"]);
    folder.write("script.txt", "# first\n\nset level: author=Me\r\n  planes fly\n");
    let wrong = folder.run(["edit", "--dry-run", "--script", "script.txt", "claw.wwd"]).ends(2);
    assert!(wrong.talk.contains("planes fly") && wrong.talk.contains("--> script.txt at line 4\n"), "{wrong:?}");
    folder.write("script.txt", "set level: author=Me\ntiles fill Nowhere 0,0,1,1 1\n");
    let wrong = folder.run(["edit", "--dry-run", "--json", "--script", "script.txt", "claw.wwd"]).ends(2).object();
    assert_eq!((&wrong["file"], &wrong["line"]), (&"script.txt".into(), &2.into()));
    folder.write("script.txt", b"set level: author=Me\nset level: author=T\xb3o\n");
    let wrong = folder.run(["edit", "--dry-run", "--script", "script.txt", "claw.wwd"]).ends(4);
    assert!(wrong.talk.contains("at line 2\n") && wrong.talk.contains("help: save the script as UTF-8"), "{wrong:?}");
    let piped = folder.pipe(b"set level: author=Me\n", ["edit", "--dry-run", "--script", "-", "claw.wwd"]).ends(0);
    assert!(piped.out.starts_with("set level: author=Me: 1 field changed\n  header: author: "), "{piped:?}");
    let wrong = folder.pipe(b"level fly\n", ["edit", "--dry-run", "--script", "-", "claw.wwd"]).ends(2);
    assert!(wrong.talk.contains("--> standard input at line 1\n"), "{wrong:?}");
    folder.pipe(b"", ["edit", "--dry-run", "--script", "-", "-"]).ends(2);
}

#[test]
fn conversions_between_levels_report_no_axis() {
    let folder = with(&["claw.wwd"]);
    let map = folder.run(["convert", "claw.wwd", "claw.tmx"]).ends(0);
    assert!(!map.talk.contains("Y up") && !map.talk.contains("scale"), "{map:?}");
    // glTF stores the entities, but shows nothing of them.
    let empty = folder.run(["convert", "claw.wwd", "claw.glb"]).ends(7);
    assert!(empty.talk.contains("contains tile layers") && empty.talk.contains("--allow-empty"), "{empty:?}");
    let mesh = folder.run(["convert", "--allow-empty", "claw.wwd", "claw.glb"]).ends(0);
    assert!(mesh.talk.contains("; Y up to Y up, scale 1"), "{mesh:?}");
}

#[test]
fn a_checksum_of_no_program_comes_back_from_tiled() {
    let folder = with(&["claw.wwd"]);
    folder.run(["edit", "claw.wwd", "set level: checksum=5", "-o", "five.wwd"]).ends(0);
    folder.run(["convert", "five.wwd", "five.tmx"]).ends(0);
    folder.run(["convert", "--strict", "five.tmx", "back.wwd"]).ends(0);
    assert!(folder.read("back.wwd") == folder.read("five.wwd"));
}

#[test]
fn tilesets_and_worlds_of_a_folder_are_skipped() {
    let folder = Folder::new();
    std::fs::create_dir(folder.at("maps")).unwrap();
    let map = "<map orientation='orthogonal' width='1' height='1' tilewidth='8' tileheight='8'>\n \
        <tileset firstgid='1' source='set.tsx'/>\n <objectgroup id='1'><object id='1' x='0' y='0' width='8' height='8'/>\
        </objectgroup>\n</map>\n";
    folder.write("maps/island.tmx", map);
    folder.write("maps/set.tsx", "<tileset name='set' tilewidth='8' tileheight='8' tilecount='1' columns='1'/>\n");
    folder.write("maps/all.world", r#"{"maps":[{"fileName":"island.tmx","x":0,"y":0}],"type":"world"}"#);
    let converted = folder.run(["convert", "maps", "-d", "out", "--to", "glb"]).ends(0);
    assert!(converted.talk.contains("2 skipped (not supported by this command)"), "{converted:?}");
    assert_eq!(std::fs::read_dir(folder.at("out")).unwrap().count(), 1);
    let drawn = folder.run(["render", "maps", "-d", "pictures"]).ends(0);
    assert!(drawn.talk.contains("2 skipped (not supported by this command)"), "{drawn:?}");
    fails(&folder, &["convert", "maps/set.tsx", "set.glb"], 7, &["a tileset cannot be converted to a scene"]);
}

#[test]
fn files_of_tiled_maps_are_listed_checked_and_copied() {
    let folder = Folder::new();
    for part in ["maps", "sets"] {
        std::fs::create_dir(folder.at(part)).unwrap();
    }
    let set = "<tileset name='set' tilewidth='8' tileheight='8' tilecount='1' columns='1'>\
        <image source='art/tiles.png' width='8' height='8'/></tileset>\n";
    let map = |set: &str| {
        format!(
            "<map orientation='orthogonal' width='1' height='1' tilewidth='8' tileheight='8'>\n \
             <tileset firstgid='1' source='{set}'/>\n</map>\n"
        )
    };
    folder.write("maps/island.tmx", map("set.tsx"));
    folder.write("maps/set.tsx", set);
    folder.write("maps/all.world", r#"{"maps":[{"fileName":"island.tmx","x":0,"y":0}],"type":"world"}"#);
    // The image of the tileset is missing for each file that leads to it.
    for name in ["maps/island.tmx", "maps/set.tsx", "maps/all.world"] {
        let checked = folder.run(["check", name]).ends(0);
        assert!(checked.out.contains("warning[image-missing]: image \"art/tiles.png\""), "{name}: {checked:?}");
    }
    std::fs::create_dir(folder.at("maps/art")).unwrap();
    folder.write("maps/art/tiles.png", png());
    assert!(folder.run(["check", "maps/all.world"]).ends(0).out.contains("no findings"));
    let whole = std::fs::read(folder.at("maps/art/tiles.png")).unwrap();
    folder.write("maps/art/tiles.png", &whole[..whole.len() - 20]);
    let damaged = folder.run(["check", "maps/all.world"]).ends(0);
    assert!(
        damaged.out.contains("warning[image-damaged]: image \"art/tiles.png\": the image is damaged"),
        "{damaged:?}"
    );
    folder.write("maps/art/tiles.png", whole);
    folder.run(["info", "maps/all.world", "--copy-to", "copies"]).ends(0);
    for name in ["all.world", "island.tmx", "set.tsx", "art/tiles.png"] {
        assert!(folder.at("copies").join(name).is_file(), "{name}");
    }
    // A tileset outside of the folder of the map keeps its place beside that folder.
    folder.write("maps/outside.tmx", map("../sets/set.tsx"));
    folder.write("sets/set.tsx", set.replace("art/tiles.png", "../maps/art/tiles.png"));
    let refused = folder.run(["info", "maps/outside.tmx", "--copy-to", "inside"]).ends(0);
    assert!(refused.out.contains("../sets/set.tsx"), "{refused:?}");
    folder.run(["info", "--external", "any", "maps/outside.tmx", "--copy-to", "both"]).ends(0);
    for name in ["maps/outside.tmx", "sets/set.tsx", "maps/art/tiles.png"] {
        assert!(folder.at("both").join(name).is_file(), "{name}");
    }
    let copied = folder.run(["check", "--external", "any", "both/maps/outside.tmx"]).ends(0);
    assert!(copied.out.contains("no findings"), "{copied:?}");
    // A damaged tileset and a missing image are one finding each, also with content. A world that contains itself ends.
    folder.write("maps/set.tsx", "<tileset name='a'></tile>\n");
    folder.write(
        "maps/all.world",
        r#"{"maps":[{"fileName":"all.world"},{"fileName":"island.tmx"},{"fileName":"a.tmx"}],"type":"world"}"#,
    );
    for content in [&["check"][..], &["check", "--content", "sets"]] {
        let damaged = folder.run([content, &["maps/all.world"]].concat()).ends(0);
        for code in ["warning[file-damaged]: file \"set.tsx\"", "warning[file-missing]: file \"a.tmx\""] {
            assert_eq!(damaged.out.matches(code).count(), 1, "{damaged:?}");
        }
        assert!(damaged.out.contains("2 warnings"), "{damaged:?}");
    }
}

#[test]
fn textures_of_quake_maps_are_checked() {
    let folder = Folder::new();
    let fixture = mapwright_testkit::workspace().join("fixtures/map/room.map");
    folder.write("room.map", std::fs::read(fixture).unwrap());
    std::fs::create_dir(folder.at("textures")).unwrap();
    folder.write("textures/other.png", png());
    let checked = folder.run(["check", "--content", "textures", "room.map"]).ends(0);
    assert!(checked.out.contains("material \"stone\": no texture with this name"), "{checked:?}");
    assert!(!checked.out.contains("clip") && !checked.out.contains("sky"), "tools need no texture: {checked:?}");
}

/// A file with one pixel.
fn png() -> Vec<u8> {
    let pixels =
        mapwright::scene::Pixels { width: 1, height: 1, format: mapwright::scene::PixelFormat::L8, data: vec![7] };
    mapwright::scene::images::encode_png(&pixels).unwrap()
}

#[test]
fn instances_of_source_1_maps_are_placed_checked_and_copied() {
    let folder = Folder::new();
    std::fs::create_dir(folder.at("instances")).unwrap();
    let fixture = mapwright_testkit::workspace().join("fixtures/vmf/room.vmf");
    folder.write("instances/room.vmf", std::fs::read(fixture).unwrap());
    let instance = |id: u32, file: &str| {
        format!(
            "entity\n{{\n\"id\" \"{id}\"\n\"classname\" \"func_instance\"\n\"targetname\" \"hut{id}\"\n\"file\" \"{file}\"\n\
             \"origin\" \"{id} 0 0\"\n}}\n"
        )
    };
    let world = "world\n{\n\"id\" \"1\"\n\"classname\" \"worldspawn\"\n}\n";
    let map = [world, &instance(2, "instances/room.vmf"), &instance(1000, "instances\\\\room.vmf")].concat();
    folder.write("town.vmf", &map);
    folder.write("hut.vmf", [world, &instance(2, "instances/room.vmf")].concat());
    let totals = |file: &str, target: &str| {
        folder.run(["convert", file, target]).ends(0);
        let totals = &folder.run(["info", "--json", target]).ends(0).object()["scene"]["totals"];
        ["nodes", "faces"].map(|name| totals[name].as_u64().unwrap())
    };
    let [room, hut, town] = [("instances/room.vmf", "room.glb"), ("hut.vmf", "hut.glb"), ("town.vmf", "town.glb")]
        .map(|(a, b)| totals(a, b));
    assert!(room[1] > 0 && hut[1] == room[1] && town[1] > hut[1], "{room:?} {hut:?} {town:?}");
    assert_eq!(town[0], 2 * hut[0]);
    // Formats that cannot refer to other maps contain them.
    let map = |source: &str, target: &str| {
        let losses = folder.run(["convert", "--json", source, target]).ends(0).object()["losses"].to_string();
        assert!(!losses.contains("room.vmf of"), "{losses}");
        String::from_utf8(folder.read(target)).unwrap()
    };
    let sides = |map: &str| map.lines().filter(|line| line.starts_with("( ")).count();
    let [one, two] = [map("instances/room.vmf", "room.map"), map("town.vmf", "town.map")];
    assert!(sides(&one) > 0 && sides(&two) == 2 * sides(&one), "{two}");
    assert!(["hut2-", "hut1000-"].iter().all(|name| two.contains(name)) && !two.contains("resolved"), "{two}");
    assert_eq!(two.matches("worldspawn").count(), 1);
    let none = folder.run(["convert", "--external", "none", "--json", "--allow-empty", "town.vmf", "none.map"]).ends(0);
    assert!(none.object()["losses"].to_string().contains("1 file that the level refers to"), "{none:?}");
    folder.write("instances/porch.vmf", [world, &instance(2, "../instances/room.vmf")].concat());
    folder.write("nested.vmf", [world, &instance(2, "instances/porch.vmf")].concat());
    assert_eq!(totals("nested.vmf", "nested.glb")[1], room[1]);
    // An instance of the map itself ends at once, and a missing one is reported. A map of the same name elsewhere is another one.
    let lost = [instance(2, "bad.vmf"), instance(3, "gone.vmf"), instance(4, "other/room.vmf")].concat();
    folder.write("bad.vmf", [world, &lost].concat());
    let bad = folder.run(["convert", "--json", "--allow-empty", "bad.vmf", "bad.glb"]).ends(0).object();
    let losses = bad["losses"].to_string();
    assert!(["gone.vmf", "bad.vmf", "other/room.vmf"].iter().all(|name| losses.contains(name)), "{losses}");
    let checked = folder.run(["check", "--content", ".", "bad.vmf"]).ends(0);
    assert!(checked.out.contains("prefab-missing") && checked.out.contains("gone.vmf"), "{checked:?}");
    let with_variable = instance(2, "instances/room.vmf").replace("\"file\"", "\"replace01\" \"$color red\"\n\"file\"");
    folder.write("red.vmf", [world, &with_variable].concat());
    let red = folder.run(["convert", "--json", "red.vmf", "red.glb"]).ends(0).object()["losses"].to_string();
    assert!(!red.contains("variable"), "{red}");
    folder.run(["info", "town.vmf", "--copy-to", "copies"]).ends(0);
    assert!(folder.at("copies/town.vmf").is_file() && folder.at("copies/instances/room.vmf").is_file());
}
