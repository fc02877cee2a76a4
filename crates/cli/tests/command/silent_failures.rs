//! Commands that once lost data or failed without a next step.

use std::path::Path;

use serde_json::Value;

use crate::folder::{Folder, fails};

/// A folder with a cube, a level, a map and a terrain.
fn folder() -> Folder {
    let folder = Folder::with_cube();
    for (name, fixture) in [
        ("room.vmap", "vmap/room.vmap"),
        ("room.wmp", "wmp/room.wmp"),
        ("island.wrp", "wrp/island.wrp"),
        ("claw.wwd", "wwd/claw.wwd"),
    ] {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fixtures").join(fixture);
        folder.write(name, std::fs::read(path).unwrap());
    }
    folder
}

#[test]
fn lists_without_objects_delete_nothing() {
    let folder = folder();
    for (name, text) in [
        ("a.json", "[]"),
        ("b.json", "{\"items\":[]}"),
        ("c.geojson", "{\"type\":\"FeatureCollection\",\"features\":[]}"),
        ("d.csv", "model,x,y,z\n"),
        ("e.txt", ""),
        ("f.lbt", "objects\nend objects\n"),
    ] {
        folder.write(name, text);
        let edit = format!("objects import {name}");
        let parts = ["the file contains no objects", name, "help: use the edit `delete *`"];
        fails(&folder, &["edit", "island.wrp", "-o", "new.wrp", &edit], 2, &parts);
    }
    for (name, text) in [("g.json", "{}"), ("h.geojson", "{\"type\":\"Feature\"}")] {
        folder.write(name, text);
        let edit = format!("objects import {name}");
        fails(
            &folder,
            &["edit", "island.wrp", "-o", "new.wrp", &edit],
            4,
            &["not a list of objects: expected `features`"],
        );
    }
}

#[test]
fn tables_with_wrong_columns_are_rejected() {
    let folder = folder();
    for (text, parts) in [
        ("model,x,y,z\na.p3d,100,5,20,300\n", &["line 2: 5 fields, expected 4; decimal commas need `;`"][..]),
        ("model,x,y,z,yaws\na.p3d,1,2,3,4\n", &["line 1, field 5: unknown column yaws; did you mean yaw?"]),
        ("model,x,y,z,colour\na.p3d,1,2,3,4\n", &["unknown column colour; expected index, id, model"]),
        ("model,x,y,z,x\na.p3d,1,2,3,4\n", &["line 1, field 5: duplicate column x"]),
        ("model,x,y,z\na.p3d,1,two,3\n", &["line 2, field 3: expected a number, found \"two\""]),
    ] {
        folder.write("list.csv", text);
        fails(&folder, &["edit", "island.wrp", "-o", "new.wrp", "objects import list.csv"], 4, parts);
    }
    folder.write("list.csv", "kind,model,x,y,z,key,\nobject,a.p3d,1,2,3,k,,\n");
    folder.run(["edit", "island.wrp", "-o", "one.wrp", "objects import list.csv"]).ends(0);
    // Unicode text of Excel: UTF-16 with tabs.
    let utf16: Vec<u8> =
        "\u{feff}model\tx\ty\tz\r\na.p3d\t1,5\t2\t3\r\n".encode_utf16().flat_map(u16::to_le_bytes).collect();
    folder.write("list.csv", utf16);
    folder.run(["edit", "island.wrp", "-o", "two.wrp", "objects import list.csv"]).ends(0);
    let x = folder.run(["query", "--json", "two.wrp"]).ends(0).object()["items"][0]["x"].clone();
    assert_eq!(x, 1.5);
}

#[test]
fn decimal_commas_of_points_are_read() {
    let folder = Folder::new();
    for text in [
        "1,5 2,5 3,5\n11,5 2,5 4,5\n",
        "1,5;2,5;3,5\n11,5;2,5;4,5\n",
        "1.5,2.5,3.5\n11.5,2.5,4.5\n",
        "1.5, 2.5, 3.5\n11.5, 2.5, 4.5\n",
    ] {
        folder.write("a.xyz", text);
        folder.run(["convert", "a.xyz", "a.asc", "--force"]).ends(0);
        let grid = String::from_utf8(folder.read("a.asc")).unwrap();
        assert!(grid.contains("3.5") && grid.contains("4.5"), "{text}: {grid}");
    }
}

#[test]
fn one_height_too_many_is_an_error() {
    let folder = Folder::new();
    let head = "ncols 3\nnrows 2\nxllcorner 0\nyllcorner 0\ncellsize 1\n";
    folder.write("long.asc", format!("{head}1 2 3\n4 5 6 7\n"));
    fails(&folder, &["convert", "long.asc", "a.xyz"], 4, &["7 values, expected 6 (3 × 2); the last line is 7"]);
    folder.write("head.asc", head.replace("ncols", "ncol") + "1 2 3\n4 5 6\n");
    fails(&folder, &["convert", "head.asc", "a.xyz"], 4, &["ncols is missing in the header"]);
    folder.write("size.asc", head.replace("ncols 3", "ncols -3") + "1 2 3\n4 5 6\n");
    fails(&folder, &["convert", "size.asc", "a.xyz"], 4, &["ncols is \"-3\": expected a whole number above 0"]);
}

#[test]
fn rounded_heights_are_reported() {
    let folder = folder();
    let done = folder.run(["edit", "--json", "island.wrp", "-o", "new.wrp", "heights shift 1"]).ends(0).object();
    let loss = &done["edits"][0]["losses"][0];
    assert_eq!((&loss["kind"], &loss["path"]), (&"approximated".into(), &"heights".into()));
    assert_eq!(loss["text"], "changed by 0.99 m instead of 1 m: heights have steps");
    let done = folder.run(["edit", "--json", "island.wrp", "-o", "exact.wrp", "heights shift 0.09"]).ends(0).object();
    assert_eq!(done["edits"][0]["losses"], Value::Array(Vec::new()));
}

#[test]
fn names_that_match_nothing_are_errors() {
    let folder = folder();
    folder.write("table.csv", "no.p3d,other.p3d\n");
    let edits = [
        ("island.wrp", "models rename-table table.csv", "such as no.p3d"),
        ("room.wmp", "wads shift a b", "begins with a"),
    ];
    for (file, edit, part) in edits {
        let extension = Path::new(file).extension().unwrap().to_str().unwrap();
        let output = format!("new.{extension}");
        fails(&folder, &["edit", file, "-o", &output, edit], 2, &[part]);
        folder.run(["edit", file, "-o", &output, edit, "--allow-no-match"]).ends(0);
        std::fs::remove_file(folder.at(&output)).unwrap();
    }
}

#[test]
fn unknown_edits_are_usage_errors_with_the_line_of_their_script() {
    let folder = folder();
    for file in ["cube.wings", "room.vmap", "claw.wwd", "room.wmp"] {
        fails(
            &folder,
            &["edit", file, "--dry-run", "sett *: x=1"],
            2,
            &["unknown edit `sett`", "; did you mean `set`?"],
        );
    }
    folder.write("script.txt", "# comment\n\nfoo\n");
    fails(&folder, &["edit", "cube.wings", "--dry-run", "--script", "script.txt"], 2, &["--> script.txt at line 3"]);
    folder.write("script.txt", "delete *\n");
    fails(&folder, &["edit", "cube.wings", "--dry-run", "--script", "script.txt"], 7, &["--> script.txt at line 1"]);
    let wrong_file = ["merge claw.wwd: ", "expected a Gamestudio map, found wwd"];
    let done = fails(&folder, &["edit", "room.wmp", "--dry-run", "merge claw.wwd"], 2, &wrong_file[1..]);
    assert!(done.talk.contains("--> claw.wwd"), "{done:?}");
}

#[test]
fn inputs_of_a_batch_are_converted_or_counted() {
    let folder = folder();
    std::fs::create_dir_all(folder.at("all/a")).unwrap();
    for (from, to) in [("cube.wings", "all/a/x.wings"), ("room.wmp", "all/y.wmp")] {
        std::fs::copy(folder.at(from), folder.at(to)).unwrap();
    }
    let done = folder.run(["convert", "all", "-d", "all", "--to", "wings"]).ends(0);
    assert!(done.talk.contains("1 skipped (in the output folder)"), "{done:?}");
}

#[test]
fn images_in_folders_are_skipped_for_the_true_reason() {
    let folder = Folder::new();
    std::fs::create_dir_all(folder.at("maps")).unwrap();
    folder.write("grid.asc", "ncols 3\nnrows 2\nxllcorner 0\nyllcorner 0\ncellsize 1\n1 2 3\n4 5 6\n");
    folder.run(["convert", "grid.asc", "maps/grid.png"]).ends(0);
    let skipped = "1 skipped (images, probably textures; --from reads them)";
    let done = folder.run(["info", "maps"]).ends(5);
    assert!(done.talk.contains(skipped), "{done:?}");
    // A grey TIFF file with a position on Earth is no texture.
    folder.run(["convert", "grid.asc", "maps/grid.tif"]).ends(0);
    let done = folder.run(["convert", "maps", "-d", "out", "--to", "asc"]).ends(0);
    assert!(done.talk.contains(skipped) && done.talk.contains("1 ok"), "{done:?}");
    assert!(folder.at("out/grid.asc").exists());
    let done = folder.run(["convert", "maps", "-d", "out", "--to", "glb"]).ends(7);
    assert!(done.talk.contains("1 skipped (not supported by this command)"), "{done:?}");
}

#[test]
fn failures_before_the_first_file_are_json_too() {
    let folder = folder();
    std::fs::create_dir(folder.at("empty")).unwrap();
    for args in [
        &["convert", "cube.wings", "--json"][..],
        &["convert", "cube.wings", "--json", "-o", "a.fbx"],
        &["convert", "cube.wings", "--json", "--to", "gltf2"],
        &["info", "--json", "empty"],
        &["query", "--json", "klass=1", "cube.wings"],
        &["--json", "covert"],
    ] {
        let done = folder.run(args);
        let error = done.object();
        assert_eq!(
            (&error["schema"], error["exit"].as_i64()),
            (&"mapwright.error/1".into(), done.code.map(i64::from)),
            "{args:?}"
        );
    }
    let done = folder.run(["info", "empty"]).ends(2);
    assert!(done.talk.contains("the folder contains no files\n  --> empty") && !done.talk.contains("ok"), "{done:?}");
}

#[test]
fn invalid_options_are_reported_like_all_other_errors() {
    let folder = folder();
    for (args, parts) in [
        (
            &["convert", "cube.wings", "--to", "gltf2", "-o", "a.glb"][..],
            &["error[usage]: invalid value `gltf2` for --to: expected one of wings", "help: did you mean `gltf`?"][..],
        ),
        (
            &["info", "cube.wings", "--cell", "-1"],
            &["invalid value `-1` for --cell: expected a number of metres above 0", "help: `mapwright info -h`"],
        ),
        (
            &["convert", "cube.wings", "a.glb", "--scale", "abc"],
            &["invalid value `abc` for --scale: expected a number"],
        ),
        (
            &["info", "cube.wings", "--limits", "strict"],
            &["invalid value `strict` for --limits: expected one of default, service"],
        ),
        (&["info", "cube.wings", "--jsn"], &["unknown option --jsn", "help: did you mean --json?"]),
        (&["info"], &["missing argument: expected <FILE>..."]),
        (&["convert", "cube.wings", "-o", "a.glb", "-d", "out"], &["--output and --dir cannot be used together"]),
    ] {
        fails(&folder, args, 2, parts);
    }
}

#[test]
fn swapped_and_missing_arguments_name_the_next_step() {
    let folder = folder();
    std::fs::create_dir(folder.at("fol")).unwrap();
    for (args, parts) in [
        (&["query", "claw.wwd", "logic=Elevator"][..], &["help: use `mapwright query 'logic=Elevator' claw.wwd`"][..]),
        (&["query", "Elevator", "claw.wwd"], &["help: use `name=Elevator`"]),
        (&["convert", "cube.wings", "fol"], &["output folder fol given without", "help: add --to FORMAT"]),
        (&["convert", "cube.wings", "new/"], &["output folder new/ given without", "help: add --to FORMAT"]),
        (
            &["convert", "cube.wings", "w.glb", "--dry-run"],
            &["w.glb does not exist: with --dry-run, all names are inputs", "help: use -o w.glb"],
        ),
        (&["convert", "cube.wings", "w.glb", "--to", "glb"], &["no output given", "help: use -o w.glb"]),
        (&["convert", "cube.wings", "a.html"], &["help: use `mapwright render --html FILE -o a.html`"]),
        (&["convert", "cube.wings", "a.jpg"], &["help: use `mapwright render FILE -o a.png`"]),
        (&["validate", "cube.wings"], &["help: `mapwright check`"]),
    ] {
        fails(&folder, args, 2, parts);
    }
    let done = folder.run(["convert", "cube.wings", "a.png"]);
    assert!(done.code != Some(0) && done.talk.contains("`mapwright render cube.wings -o a.png`"), "{done:?}");
    folder.run(["convert", "cube.wings", "fol", "--to", "glb"]).ends(0);
    assert!(folder.at("fol/cube.glb").exists());
    folder.run(["help", "help"]).ends(0);
}

#[test]
fn outputs_have_the_extension_of_their_content() {
    let folder = folder();
    for args in [
        &["render", "cube.wings", "-o", "a.glb"][..],
        &["query", "cube.wings", "-o", "a.png"],
        &["query", "cube.wings", "-o", "a.xlsx"],
        &["query", "--as", "geojson", "island.wrp", "-o", "a.csv"],
        &["edit", "room.vmap", "-o", "a.txt", "set name=*: name=a"],
    ] {
        fails(&folder, args, 2, &["a."]);
    }
    folder.run(["query", "--as", "geojson", "island.wrp", "-o", "a.json"]).ends(0);
    folder.run(["query", "cube.wings", "-o", "a.txt"]).ends(0);
}

#[test]
fn reports_are_checked_before_anything_is_written() {
    let folder = folder();
    fails(
        &folder,
        &["convert", "cube.wings", "a.glb", "--report", "no/such/report.json"],
        1,
        &["help: make the folder no/such first"],
    );
}

#[test]
fn dumps_that_describe_no_file_are_rejected() {
    let folder = folder();
    folder.write("empty.json", "");
    fails(&folder, &["build", "empty.json", "-o", "a.wings"], 4, &["the file is empty"]);
    let mut dump = folder.run(["dump", "--json", "cube.wings"]).ends(0).object();
    dump["term"] = 1.into();
    folder.write("one.json", dump.to_string());
    fails(&folder, &["build", "one.json", "-o", "a.wings"], 4, &["the dump does not describe a Wings 3D file"]);
}

#[test]
fn foreign_content_is_named_whatever_the_extension() {
    let folder = Folder::new();
    for (name, bytes, parts) in [
        ("a.wings", &b"PK\x03\x04\x14\0"[..], &["expected wings, found ZIP archive", "help: unpack it first"][..]),
        ("a.vmap", b"BLENDER-v402", &["expected vmap, found Blender file"]),
    ] {
        folder.write(name, bytes);
        let done = fails(&folder, &["info", name], 4, parts);
        assert!(!done.talk.contains("   | "), "{done:?}");
    }
    for (name, bytes, part) in [
        ("a.mdl", &b"IDST\x0a\0\0\0"[..], "Half-Life model"),
        ("a.xlsx", b"PK\x03\x04\x14\0", "Excel workbook"),
        ("scene", b"<?xml version=\"1.0\"?>\n<COLLADA>", "Collada scene"),
        ("a.blend", b"\x28\xb5\x2f\xfd", "Blender file"),
    ] {
        folder.write(name, bytes);
        fails(&folder, &["info", name], 5, &[part, "help: "]);
    }
}

#[test]
fn limits_are_stated_without_internal_names() {
    let folder = folder();
    let done = fails(
        &folder,
        &["info", "cube.wings", "--limit-depth", "2"],
        6,
        &["nested more than 2 levels deep", "--limit-depth"],
    );
    assert!(!done.talk.contains("max_depth") && !done.talk.contains("   | "), "{done:?}");
}

#[test]
fn help_shows_the_options_that_have_an_effect() {
    let folder = Folder::new();
    let help = |command: &str| folder.run([command, "--help"]).ends(0).out;
    assert!(help("convert").contains("--jobs") && help("convert").contains("--limit-output"));
    assert!(!help("formats").contains("--limit-") && help("formats").contains("--json"));
    assert!(!help("edit").contains("--jobs") && help("edit").contains("--encoding"));
    assert!(!help("build").contains("--cell "));
    let formats = folder.run(["formats"]).ends(0);
    let dmx = formats.out.lines().find(|line| line.starts_with("dmx")).unwrap();
    assert!(dmx.contains("kv2"), "{dmx}");
}

#[test]
fn a_next_step_of_several_failures_is_printed_once() {
    let folder = folder();
    folder.run(["convert", "cube.wings", "room.vmap", "-d", "out", "--to", "glb"]).ends(0);
    let again = folder.run(["convert", "cube.wings", "room.vmap", "-d", "out", "--to", "glb"]).ends(8);
    assert_eq!(again.talk.matches("--force replaces it").count(), 1, "{again:?}");
}

#[cfg(unix)]
#[test]
fn one_unreadable_folder_is_no_batch() {
    use std::os::unix::fs::PermissionsExt;
    let folder = folder();
    std::fs::create_dir(folder.at("closed")).unwrap();
    std::fs::set_permissions(folder.at("closed"), std::fs::Permissions::from_mode(0o000)).unwrap();
    // Root reads every folder, and finds this one empty.
    if std::fs::read_dir(folder.at("closed")).is_err() {
        folder.run(["info", "closed"]).ends(1);
    }
    std::fs::set_permissions(folder.at("closed"), std::fs::Permissions::from_mode(0o755)).unwrap();
}

#[test]
fn an_area_outside_of_the_level_is_an_error() {
    let folder = folder();
    for file in ["claw.wwd", "cube.wings"] {
        fails(
            &folder,
            &["render", file, "--crop", "99999,99999,10,10", "-o", "a.png"],
            2,
            &["the area is outside the scene"],
        );
    }
}

#[test]
fn images_that_would_show_nothing_are_errors() {
    let folder = Folder::new();
    let reason = "the image would show nothing: the faces have no area";
    for (name, text, reason) in [
        ("line.obj", "v 0 0 0\nv 1 1 1\nv 2 2 2\nf 1 2 3\n", reason),
        ("point.obj", "v 5 5 5\nv 5 5 5\nv 5 5 5\nf 1 2 3\n", reason),
        (
            "far.obj",
            "v 0 0 0\nv 1e35 0 0\nv 0 1e35 0\nf 1 2 3\n",
            "the coordinates of 1 face are not finite or beyond 1e30",
        ),
        (
            "empty.tmx",
            "<map width=\"1\" height=\"1\" tilewidth=\"8\" tileheight=\"8\"><layer width=\"1\" height=\"1\">\
             <data encoding=\"csv\">0</data></layer></map>",
            "the image would show nothing: the visible part of the level is empty",
        ),
    ] {
        folder.write(name, text);
        fails(&folder, &["render", name, "-o", "new/a.png"], 7, &[reason]);
        fails(&folder, &["render", name, "--sheet", "sheet.png"], 7, &[reason]);
    }
    assert!(!folder.at("sheet.png").exists());
}

#[test]
fn images_of_too_many_pixels_name_the_limit() {
    let folder = Folder::with_cube();
    let args = ["render", "cube.wings", "-o", "a.png", "--fit", "512", "--limit-output", "1M"];
    fails(
        &folder,
        &args,
        6,
        &["the image is too large: ", " x 512 pixels, at most 65536 pixels are allowed", "--limit-output"],
    );
    folder.run(["render", "cube.wings", "-o", "a.png", "--fit", "128", "--limit-output", "1M"]).ends(0);
}

#[test]
fn images_and_texture_coordinates_of_gltf_files_are_checked() {
    let folder = Folder::new();
    let gltf = |uvs: &str, image: &str| {
        format!(
            r#"{{"asset":{{"version":"2.0"}},"scene":0,"scenes":[{{"nodes":[0]}}],"nodes":[{{"mesh":0}}],
            "meshes":[{{"primitives":[{{"attributes":{{"POSITION":0{uvs}}}}}]}}],"images":[{{"uri":"{image}"}}],
            "buffers":[{{"byteLength":36,"uri":"data:application/octet-stream;base64,AAAAAAAAAAAAAAAAAACAPwAAAAAAAAAAAAAAAAAAgD8AAAAA"}}],
            "bufferViews":[{{"buffer":0,"byteLength":36}}],"accessors":[
            {{"bufferView":0,"componentType":5126,"count":3,"type":"VEC3"}},
            {{"bufferView":0,"componentType":5126,"count":2,"type":"VEC2"}},
            {{"bufferView":0,"componentType":5126,"count":9,"type":"VEC2"}}]}}"#
        )
    };
    folder.write("bad.png", b"\x89PNG\r\n\x1a\nnothing");
    for (uvs, image, code, path, text) in [
        ("", "away.png", "image-missing", "images[0]", "image \"away.png\": file not found"),
        ("", "bad.png", "image-damaged", "images[0]", "cannot be decoded"),
        ("", "data:image/png;base64,iVBORw0KGgo=", "image-damaged", "images[0]", "cannot be decoded"),
        (",\"TEXCOORD_0\":1", "", "import-loss", "", "TEXCOORD_0: texture coordinates left out: 2 rows, expected 3"),
        (",\"TEXCOORD_0\":2", "", "import-loss", "", "TEXCOORD_0: texture coordinates left out: the input ends early"),
        (",\"TEXCOORD_0\":7", "", "import-loss", "", "TEXCOORD_0: texture coordinates left out: index 7 out of range"),
    ] {
        let mut file = gltf(uvs, image);
        if image.is_empty() {
            file = file.replace(r#""images":[{"uri":""}],"#, "");
        }
        folder.write("a.gltf", file);
        let found = folder.run(["check", "--json", "a.gltf"]).ends(0).object();
        let findings = found["findings"].as_array().unwrap();
        assert_eq!(findings.len(), 1, "{found}");
        assert_eq!((&findings[0]["severity"], &findings[0]["code"]), (&"warning".into(), &code.into()), "{found}");
        assert_eq!(findings[0]["path"], path, "{found}");
        assert!(findings[0]["message"].as_str().unwrap().contains(text), "{found}");
    }
}

#[test]
fn suggested_names_have_one_extension() {
    let folder = folder();
    for (name, suggested) in [("a.vmap.wrp", "use a.vmap,"), ("a.wrp", "use a.vmap,")] {
        fails(&folder, &["rescue", "room.vmap", "-o", name], 2, &[suggested]);
    }
}
