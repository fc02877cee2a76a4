//! Mistakes of newcomers: each fails with a message that states the next step.

use crate::folder::{Folder, fails};

#[test]
fn an_output_of_a_foreign_format_names_the_usual_way() {
    let folder = Folder::with_cube();
    for (output, parts) in [
        ("cube.fbx", &["cannot write .fbx (FBX scene)", "help: write glTF (.glb), and use Blender"][..]),
        ("cube.zip", &["cannot write .zip (ZIP archive)", "help: write the files, and pack them"]),
        (
            "cube.geojson",
            &["cannot write .geojson", "help: list the objects of a terrain with `mapwright query --as geojson`"],
        ),
        ("cube.csv", &["cannot write .csv", "mapwright query --as csv"]),
        ("cube.json", &["cannot write .json", "mapwright dump --json"]),
        ("cube.gbl", &["cannot write .gbl; supported: wings, vmap", "help: did you mean `.glb`?"]),
        ("cube", &["cube has no extension that selects the output format", "use --to FORMAT"]),
        ("cube.docx", &["cannot write .docx (Word document)", "mapwright query --as csv"]),
        ("cube.unknown", &["cannot write .unknown", "help: use --to FORMAT"]),
    ] {
        fails(&folder, &["convert", "cube.wings", "-o", output], 2, parts);
    }
    fails(&folder, &["convert", "cube.wings", "--to", "gltf2", "-o", "a.glb"], 2, &["did you mean `gltf`?"]);
}

#[test]
fn an_input_of_a_foreign_format_names_the_next_step() {
    let folder = Folder::new();
    for (name, bytes, parts) in [
        ("a.zip", &b"PK\x03\x04\x14\0"[..], ["cannot read this ZIP archive", "help: unpack it first"]),
        ("a.pbo", b"\0sreV\0\0\0\0", ["cannot read this PBO archive", "it may contain a terrain"]),
        ("a.bsp", b"VBSP\x15\0\0\0", ["cannot read this compiled Quake or Source map", "use the source"]),
        ("a.blend", b"BLENDER-v402", ["cannot read this Blender file", "export it from Blender as glTF"]),
        ("a.fbx", b"Kaydara FBX Binary  \0", ["cannot read this FBX scene", "help: use Blender"]),
        ("a.wmb", b"WMB7\0\0", ["cannot read this compiled Gamestudio map", "(.wmp)"]),
        ("a.p3d", b"MLOD\x01\x01", ["cannot read this Arma model", "convert the model to glTF"]),
        ("a.vpk", b"\x34\x12\xaa\x55\x02", ["cannot read this Valve archive", "Source 2 Viewer"]),
        ("a.vmap_c", b"\x10\0\0\0\x0c\0", ["cannot read this compiled Source 2 map", "decompile it"]),
        ("a.3ds", b"MM\x10\0", ["cannot read this 3D Studio scene", "glTF"]),
        ("a.gz", b"\x1f\x8b\x08", ["cannot read this gzip file", "unpack it first"]),
        ("a.dae", b"<?xml version=\"1.0\"?><COLLADA>", ["cannot read this Collada scene", "glTF"]),
        ("a.stl", b"solid cube", ["cannot read this STL mesh", "glTF"]),
    ] {
        folder.write(name, bytes);
        let done = fails(&folder, &["info", name], 5, &parts);
        assert_eq!(done.out, "");
    }
}

#[test]
fn an_empty_file_is_called_empty() {
    let folder = Folder::new();
    for name in ["a.wings", "a.vmap", "a.wwd", "a.wmp", "a.wrp", "a.obj", "a.xyzzy"] {
        folder.write(name, "");
        fails(&folder, &["info", name], 4, &["error[truncated]: the file is empty"]);
    }
}

#[test]
fn a_folder_as_output_takes_the_files() {
    let folder = Folder::with_cube();
    std::fs::create_dir(folder.at("out")).unwrap();
    folder.run(["convert", "cube.wings", "-o", "out", "--to", "glb"]).ends(0);
    folder.run(["convert", "cube.wings", "-o", "new/", "--to", "glb"]).ends(0);
    folder.run(["render", "cube.wings", "-o", "out"]).ends(0);
    for name in ["out/cube.glb", "new/cube.glb", "out/cube.png"] {
        assert!(folder.at(name).is_file(), "{name}");
    }
    fails(
        &folder,
        &["convert", "cube.wings", "out"],
        2,
        &["output folder out given without an output format", "add --to FORMAT"],
    );
    fails(
        &folder,
        &["convert", "cube.wings", "-o", "out"],
        2,
        &["output folder out given without an output format", "--to glb"],
    );
    fails(&folder, &["info", "cube.wings", "-o", "out"], 2, &["out is a folder"]);
}

#[test]
fn every_command_writes_to_a_file() {
    let folder = Folder::with_cube();
    for (index, args) in [
        &["info", "cube.wings"][..],
        &["info", "--table", "cube.wings"],
        &["check", "cube.wings"],
        &["diff", "cube.wings", "cube.wings"],
        &["query", "kind=mesh", "cube.wings"],
        &["dump", "cube.wings"],
        &["dump", "--schema", "wings"],
        &["roundtrip", "cube.wings"],
        &["formats"],
        &["completions", "bash"],
        &["man"],
    ]
    .into_iter()
    .enumerate()
    {
        let printed = folder.run(args);
        let name = format!("{index}.txt");
        let written = folder.run(args.iter().chain(&["-o", &name]));
        assert_eq!((written.code, written.out.as_str()), (printed.code, ""), "{args:?}: {written:?}");
        assert_eq!(String::from_utf8(folder.read(&name)).unwrap(), printed.out, "{args:?}");
        let again = folder.run(args.iter().chain(&["-o", &name]));
        assert!(again.code == Some(1) && again.talk.contains("--force replaces it"), "{args:?}: {again:?}");
        folder.run(args.iter().chain(&["--force", "-o", &name]));
    }
    fails(
        &folder,
        &["info", "cube.wings", "--force", "-o", "cube.wings"],
        2,
        &["is an input and would be overwritten"],
    );
}

#[test]
fn failed_files_are_listed_again() {
    let folder = Folder::with_cube();
    for index in 0..6 {
        folder.write(format!("bad{index}.wings"), "#!WINGS-1.0\r\n\x1a\x04");
    }
    let done = folder.run(["check", "."]).ends(8);
    let list = done.talk.split_once("failed files: ").unwrap().1;
    assert!(list.starts_with("./bad0.wings, ./bad1.wings, ") && list.contains("bad5.wings\n"), "{list}");
}

#[test]
fn all_losses_are_listed_on_request() {
    let folder = Folder::new();
    folder.write("curve.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\nl 1 2\n");
    for option in ["-v", "--verbose"] {
        let done = folder.run(["convert", option, "curve.obj", "-o", "a.glb", "--force"]).ends(0);
        assert!(done.talk.contains("  dropped       1\n") && done.talk.contains("\n    dropped: "), "{done:?}");
    }
    folder.run(["convert", "-v", "-q", "curve.obj", "-o", "b.glb"]).ends(2);
}

#[test]
fn text_from_powershell_is_read() {
    let folder = Folder::with_map();
    let utf16 = |text: &str| -> Vec<u8> {
        [0xfeff].into_iter().chain(text.encode_utf16()).flat_map(u16::to_le_bytes).collect()
    };
    let fixture = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fixtures/wwd/claw.wwd");
    std::fs::copy(fixture, folder.at("claw.wwd")).unwrap();
    let json = folder.run(["dump", "claw.wwd"]).ends(0).out;
    folder.write("claw.json", utf16(&json));
    folder.run(["build", "claw.json", "-o", "again.wwd"]).ends(0);
    assert_eq!(folder.read("again.wwd"), folder.read("claw.wwd"));
    folder.write("cube.obj", utf16(crate::folder::CUBE_OBJ));
    folder.run(["convert", "cube.obj", "cube.glb"]).ends(0);
    // A document would not come back byte for byte.
    folder.write("map16.txt", utf16(&String::from_utf8(folder.read("map.txt")).unwrap()));
    fails(
        &folder,
        &["convert", "map16.txt", "b.vmap"],
        4,
        &["the file is UTF-16 text, expected UTF-8", "-o FILE instead of >"],
    );
}

#[test]
fn tables_of_a_german_spreadsheet_are_imported() {
    let folder = Folder::new();
    let fixture = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fixtures/wrp/island.wrp");
    std::fs::copy(fixture, folder.at("island.wrp")).unwrap();
    folder.write("objects.csv", "\u{feff}id;model;x;y;z;yaw\r\n7;a.p3d;10,5;1,25;20;0\r\n");
    folder.run(["edit", "island.wrp", "-o", "new.wrp", "objects import objects.csv"]).ends(0);
    let table = folder.run(["query", "--csv", "--fields", "id,model,x,y,z", "new.wrp"]).ends(0);
    assert_eq!(table.out, "id,model,x,y,z\r\n7,a.p3d,10.5,1.25,20\r\n");
    folder.write("centres.csv", "\u{feff}model;cx;cy;cz\r\na.p3d;0,5;1,25;0\r\n");
    let list = folder.run(["query", "--as", "terrain-builder", "--centres", "centres.csv", "new.wrp"]).ends(0);
    assert!(list.out.ends_with(";0.000;\n") && list.talk.is_empty(), "{list:?}");
    folder.write("models.csv", "a.p3d;b.p3d\r\n");
    let renamed = folder.run(["edit", "new.wrp", "--dry-run", "models rename-table models.csv"]).ends(0);
    assert!(renamed.out.contains("1 object renamed"), "{renamed:?}");
}

#[test]
fn a_heightmap_that_cannot_be_read_gets_a_reason() {
    let folder = Folder::new();
    folder.write("short.asc", "ncols 3\nnrows 2\nxllcorner 0\nyllcorner 0\ncellsize 1\n1 2 3\n4 5\n");
    let parts = ["5 values, expected 6 (3 × 2); the last line is 7"];
    fails(&folder, &["convert", "short.asc", "short.glb"], 4, &parts);
    let cube = Folder::with_cube();
    cube.run(["render", "cube.wings", "-o", "color.png"]).ends(0);
    let parts =
        ["the image is RGB colour with 8 bits", "heightmaps must be greyscale", "help: convert it first: magick"];
    fails(&cube, &["convert", "--from", "heightpng", "color.png", "a.asc"], 7, &parts);
}

#[test]
fn misspelled_words_of_queries_get_a_suggestion() {
    let folder = Folder::new();
    let fixtures = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fixtures");
    std::fs::copy(fixtures.join("vmap/room.vmap"), folder.at("room.vmap")).unwrap();
    for (query, parts) in [
        ("kind=lihgt", "did you mean `light`?"),
        ("clas=light*", "unknown field `clas`; did you mean `class`?"),
        ("kind=light and visible=perhaps", "invalid value `perhaps` for `visible`"),
        ("kind=", "expected a value"),
    ] {
        fails(&folder, &["query", query, "room.vmap"], 2, &[parts]);
    }
    fails(&folder, &["query", "kind=light"], 2, &["no input given", "mapwright query [QUERY] FILE"]);
    fails(&folder, &["query", "rom.vmap"], 1, &["did you mean `room.vmap`?"]);
    fails(&folder, &["objects", "room.vmap"], 2, &["unknown command `objects`", "`mapwright query FILE --as csv`"]);
    let none = folder.run(["query", "class=light_enviroment", "room.vmap"]).ends(0);
    assert!(none.out.is_empty() && none.talk.starts_with("no objects match"), "{none:?}");
    let all = folder.run(["query", "room.vmap"]).ends(0);
    assert_eq!(all.out, folder.run(["query", "*", "room.vmap"]).ends(0).out);
}

#[test]
fn text_in_a_code_page_is_shown_and_read() {
    let folder = Folder::new();
    let fixture = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fixtures/wwd/claw.wwd");
    std::fs::copy(fixture, folder.at("claw.wwd")).unwrap();
    let escaped = [r"set level: name=\xcf\xf0\xe8\xe2\xe5\xf2", r"set logic=Soldier: name=\xc7\xe0\xec\xee\xea"];
    folder.run(["edit", "claw.wwd", "-o", "a.wwd"].iter().chain(&escaped)).ends(0);
    let plain = ["set level: name=Привет", "set logic=Soldier: name=Замок"];
    folder.run(["--encoding", "cp1251", "edit", "claw.wwd", "-o", "b.wwd"].iter().chain(&plain)).ends(0);
    assert!(folder.read("a.wwd") == folder.read("b.wwd"));
    let info = folder.run(["info", "a.wwd"]).ends(0);
    assert!(info.out.contains(r"\xcf\xf0\xe8"), "{info:?}");
    let shown = |args: &[&str], text: &str| {
        let done = folder.run(args.iter().chain(&["--encoding", "windows-1251"]));
        assert!(
            done.out.contains(text) && !done.out.contains(r"\xcf") && !done.out.contains(r"\xc7"),
            "{args:?}: {done:?}"
        );
    };
    shown(&["info", "a.wwd"], "Привет");
    shown(&["info", "--json", "a.wwd"], "\"Привет\"");
    shown(&["diff", "claw.wwd", "a.wwd"], "Замок");
    shown(&["query", "name=Зам*", "a.wwd", "--fields", "name"], "Замок\n");
    shown(&["query", "name=Замок", "a.wwd", "--json"], "\"name\":\"Замок\"");
    shown(&["query", "name=Замок", "a.wwd", "--csv", "--fields", "name"], "name\r\nЗамок\r\n");
    for (args, parts) in [
        (
            &["edit", "a.wwd", "-o", "c.wwd", "set level: name=日本", "--encoding", "cp1251"][..],
            "cannot be encoded in windows-1251",
        ),
        (&["query", "name=日本", "a.wwd", "--encoding", "cp1251"], "cannot be encoded in windows-1251"),
        (&["dump", "a.wwd", "--encoding", "cp1251"], "--encoding is for info, query"),
        (&["info", "a.wwd", "--encoding", "klingon"], "expected a code page"),
    ] {
        fails(&folder, args, 2, &[parts]);
    }
}

/// Copies fixtures into a folder, each under its own name.
fn with_fixtures(files: &[&str]) -> Folder {
    let folder = Folder::new();
    for file in files {
        let path = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fixtures").join(file);
        std::fs::copy(&path, folder.at(path.file_name().unwrap())).unwrap();
    }
    folder
}

#[test]
fn an_output_name_of_another_format_is_refused() {
    let folder = with_fixtures(&["wmp/room.wmp", "wwd/claw.wwd", "vmap/room.vmap"]);
    folder.run(["dump", "claw.wwd", "-o", "claw.json"]).ends(0);
    let edit = "set level: azimuth=45";
    let wwd = "the extension of new.wwd is that of wwd, but the document is wmp";
    fails(&folder, &["edit", "room.wmp", "-o", "new.wwd", edit], 2, &[wwd, "help: use new.wmp"]);
    let glb = "the extension of new.glb is that of glb, but the document is wwd";
    fails(&folder, &["build", "claw.json", "-o", "new.glb"], 2, &[glb, "help: use new.wwd"]);
    fails(&folder, &["check", "--fix", "claw.wwd", "-o", "new.wmp"], 2, &["but the document is wwd"]);
    let merge = ["merge", "room.vmap", "room.vmap", "room.vmap", "-o"];
    fails(&folder, &[&merge[..], &["new.glb"]].concat(), 2, &["but the document is vmap"]);
    fails(&folder, &[&merge[..], &["new.txt"]].concat(), 2, &["but the document is vmap"]);
    folder.run(merge.iter().chain(&["new.bak"])).ends(0);
    folder.run(["edit", "room.wmp", "-o", "new.$$M", edit]).ends(0);
    // The name of the input is not the fault of the command.
    std::fs::rename(folder.at("room.wmp"), folder.at("room.wwd")).unwrap();
    folder.run(["edit", "room.wwd", "--force", edit]).ends(0);
}

#[test]
fn a_txt_output_takes_element_graphs() {
    let folder = Folder::with_cube();
    let parts = ["cannot write wings files as .txt", "help: use --to kv2"];
    fails(&folder, &["convert", "cube.wings", "-o", "cube.txt"], 2, &parts);
    folder.run(["convert", "cube.wings", "--to", "kv2", "-o", "cube.txt"]).ends(0);
    let map = Folder::with_map();
    map.run(["convert", "map.vmap", "-o", "again.txt"]).ends(0);
}

#[test]
fn a_table_of_files_fails_as_info_does() {
    let folder = with_fixtures(&["wwd/claw.wwd"]);
    let level = folder.read("claw.wwd");
    for args in [&["info", "-"][..], &["info", "--table", "-"]] {
        let cut = folder.pipe(&level, args.iter().chain(&["--limit-input", "2000"])).ends(6);
        assert!(cut.out.is_empty(), "{cut:?}");
        let empty = folder.pipe(b"", args).ends(4);
        assert!(empty.talk.contains("error[truncated]: the file is empty"), "{empty:?}");
    }
    let table = folder.pipe(&level, ["info", "--table", "-"]).ends(0);
    assert!(table.out.contains(&level.len().to_string()), "{table:?}");
    folder.write("a.zip", b"PK\x03\x04\x14\0");
    for name in ["empty.wwd", "empty.obj"] {
        folder.write(name, "");
        fails(&folder, &["info", "--table", name], 4, &["error[truncated]: the file is empty"]);
    }
    fails(&folder, &["info", "--table", "a.zip"], 5, &["cannot read this ZIP archive", "unpack it first"]);
    fails(&folder, &["info", "--table", "clw.wwd"], 1, &["did you mean `claw.wwd`?"]);
}

#[test]
fn files_that_edits_read_fail_with_their_own_status() {
    let folder = with_fixtures(&["wrp/island.wrp", "wmp/room.wmp"]);
    folder.write("cut.wmp", &folder.read("room.wmp")[..200]);
    folder.write("bad.csv", "id;model;x\r\n1;a.p3d;far\r\n");
    let terrain = ["edit", "--dry-run", "island.wrp"];
    let of_terrain = |edit: &str, code, parts: &[&str]| {
        let done = fails(&folder, &[&terrain[..], &[edit]].concat(), code, parts);
        assert!(!done.talk.contains("error[usage]"), "{done:?}");
    };
    of_terrain("heights import nothere.asc", 1, &["error[io]", "--> nothere.asc"]);
    of_terrain("paste islnd.wrp 0,0", 1, &["--> islnd.wrp", "did you mean `island.wrp`?"]);
    of_terrain("objects import nothere.csv", 1, &["--> nothere.csv"]);
    of_terrain("objects import bad.csv", 4, &["error[malformed]", "--> bad.csv"]);
    fails(&folder, &["edit", "--dry-run", "room.wmp", "merge cut.wmp"], 4, &["--> cut.wmp"]);
    let other =
        fails(&folder, &[&terrain[..], &["paste room.wmp 0,0"]].concat(), 2, &["expected a terrain (wrp), found wmp"]);
    assert_eq!(other.talk.matches("room.wmp").count(), 1, "{other:?}");
}

#[test]
fn unknown_fields_are_reported_beside_failures() {
    let folder = with_fixtures(&["wmp/room.wmp", "dmx/prefix.dmx"]);
    folder.write("cut.wmp", "");
    fails(&folder, &["query", "knid=light", "room.wmp", "cut.wmp"], 8, &["unknown field `knid`", "1 ok, 1 failed"]);
    let alone = fails(&folder, &["query", "knid=light", "room.wmp", "room.wmp"], 2, &["unknown field `knid`"]);
    assert!(!alone.talk.contains(" ok"), "{alone:?}");
}

#[test]
fn queries_show_all_fields_and_refuse_missing_numbers() {
    let folder = with_fixtures(&["wmp/room.wmp", "wwd/claw.wwd"]);
    let all = folder.run(["query", "--csv", "--fields", "*", "claw.wwd"]).ends(0);
    let json = folder.run(["query", "--json", "claw.wwd"]).ends(0).object();
    let head: Vec<&str> = all.out.lines().next().unwrap().split(',').collect();
    let fields = json["items"][0].as_object().unwrap();
    assert!(fields.len() > 6 && fields.keys().all(|field| head.contains(&field.as_str())), "{head:?} {fields:?}");
    let same = folder.run(["query", "--json", "--fields", "*", "claw.wwd"]).ends(0).object();
    assert_eq!(same, json);
    let parts = ["a table with all fields takes one input", "--json"];
    fails(&folder, &["query", "--fields", "*", "claw.wwd", "room.wmp"], 2, &parts);
    let cube = Folder::with_cube();
    fails(&cube, &["query", "#2", "cube.obj"], 2, &["#2: objects of obj have no numbers"]);
}

#[test]
fn command_lines_with_one_place_too_few_are_explained() {
    let folder = with_fixtures(&["wwd/claw.wwd", "wmp/room.wmp"]);
    std::fs::create_dir(folder.at("levels")).unwrap();
    fails(&folder, &["edit", "levels", "-o", "a.wwd", "clean"], 2, &["levels is a folder; edit takes one file"]);
    let stdin = fails(&folder, &["edit", "--force", "-", "clean"], 2, &["no output given"]);
    assert!(!stdin.talk.contains("to replace"), "{stdin:?}");
    let dump = fails(&folder, &["dump", "claw.wwd", "room.wmp", "-o", "x.json"], 2, &["-o takes one input"]);
    assert!(dump.talk.contains("for each file"), "{dump:?}");
    fails(&folder, &["help", "edt"], 2, &["unknown command `edt`\n", "did you mean `mapwright edit`?"]);
    let parts = ["r.html: images are written as PNG", "help: add --html, or use r.png"];
    fails(&folder, &["render", "claw.wwd", "-o", "r.html"], 2, &parts);
    fails(&folder, &["render", "claw.wwd", "-o", "r.jpg"], 2, &["r.jpg: images are written as PNG", "use r.png"]);
    let to = fails(&folder, &["convert", "claw.wwd", "--to", "gltf2", "-o", "a.x"], 2, &["did you mean `gltf`?"]);
    assert!(!to.talk.contains("etf"), "{to:?}");
    fails(&folder, &["render", "room.wmp", "--view", "collision", "-o", "r.png"], 7, &["the view collision:"]);
}

#[test]
fn strict_readers_name_the_option_for_lenient_ones() {
    let folder = Folder::new();
    // A map with the key 1 twice.
    folder.write("twice.etf", [131, 116, 0, 0, 0, 2, 97, 1, 97, 1, 97, 1, 97, 2]);
    fails(&folder, &["info", "twice.etf"], 4, &["help: use --lenient to read terms that Erlang rejects"]);
    folder.run(["info", "--lenient", "twice.etf"]).ends(0);
}

#[test]
fn columns_of_formats_are_aligned() {
    let done = Folder::new().run(["formats"]).ends(0);
    let at = done.out.lines().next().unwrap().find("extensions").unwrap();
    for line in done.out.lines().skip(1) {
        assert!(line.is_char_boundary(at) && line[..at].ends_with("  ") && !line[at..].starts_with(' '), "{line}");
    }
}
