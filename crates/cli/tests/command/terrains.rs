//! Terrains of Operation Flashpoint and its heirs.

use mapwright::wrp::io::FixedBytes;
use mapwright::wrp::{Builder, Document, Matrix, Name, Wvr, Wvr8};

use crate::folder::Folder;

/// An island with a house, a forest on the ground, and a tree outside of the map.
fn island() -> Document {
    let mut terrain = Wvr::new([16, 16]);
    for (place, height) in terrain.heights.iter_mut().enumerate() {
        let (x, z) = (place % 16, place / 16);
        *height = 1500 - 40 * i16::try_from(x.abs_diff(8).pow(2) + z.abs_diff(8).pow(2)).unwrap();
    }
    terrain.names[1] = FixedBytes { raw: *b"landtext\\pi.paa\0old.paa\0\0\0\0\0\0\0\0\0" };
    terrain.textures = terrain.heights.iter().map(|height| i16::from(*height > 0)).collect();
    let mut builder = Builder::default();
    for (name, id, place) in [
        ("data3d\\dum.p3d", 7, [400.0, 70.5, 410.0]),
        ("data3d\\les_su.p3d", 8, [450.0, Matrix::FIT_TO_GROUND, 500.0]),
        ("data3d\\str_smrk.p3d", 9, [-20.0, -3.0, 500.0]),
    ] {
        let model = builder.add_model(&Name::new(name));
        builder.push(model, Matrix::from_position(place), Some(id));
    }
    terrain.objects = builder.finish();
    Document::Wvr(terrain)
}

fn folder() -> Folder {
    let folder = Folder::new();
    folder.write("island.wrp", island().to_bytes().unwrap());
    folder
}

#[test]
fn terrains_are_summarized_and_written_back() {
    let folder = folder();
    let info = folder.run(["info", "island.wrp"]).ends(0);
    for part in ["4WVR", "(16, 16)", "fit to ground    1", "1 × data3d\\dum.p3d", ", 67.5)"] {
        assert!(info.out.contains(part), "{part}: {info:?}");
    }
    let json = folder.run(["info", "--json", "--cell", "12.5", "island.wrp"]).ends(0).object();
    assert_eq!((&json["wrp"]["extent"][0], &json["wrp"]["objects"]), (&200.0.into(), &3.into()));
    folder.run(["roundtrip", "island.wrp"]).ends(0);
    let list = folder.run(["info", "--table", "island.wrp"]).ends(0);
    assert!(list.out.contains("16x16"), "{list:?}");
    let check = folder.run(["check", "--json", "island.wrp"]).ends(0).object();
    let codes: Vec<&str> =
        check["findings"].as_array().unwrap().iter().map(|one| one["code"].as_str().unwrap()).collect();
    assert_eq!(codes, ["obj-off-map", "tex-index-sea", "tex-name-residue", "obj-fit-to-ground"]);
}

#[test]
fn dump_and_build_give_the_file_again() {
    let folder = folder();
    let dump = folder.run(["dump", "island.wrp"]).ends(0);
    folder.write("island.json", &dump.bytes);
    folder.run(["build", "island.json", "-o", "again.wrp"]).ends(0);
    assert!(folder.read("again.wrp") == folder.read("island.wrp"));
    folder.write("bad.json", dump.out.replace("\"heights\"", "\"hights\""));
    let bad = folder.run(["build", "bad.json", "-o", "bad.wrp"]).ends(4);
    assert!(bad.talk.contains("heights"), "{bad:?}");
}

#[test]
fn variants_become_each_other() {
    let folder = folder();
    let there = folder.run(["convert", "--variant", "8wvr", "island.wrp", "8.wrp"]).ends(0);
    assert!(there.talk.contains("dropped       1") && there.talk.contains("approximated  1"), "{there:?}");
    folder.run(["convert", "--variant", "4wvr", "8.wrp", "4.wrp"]).ends(0);
    let diff = folder.run(["diff", "island.wrp", "4.wrp"]).ends(9);
    let lines: Vec<&str> = diff.out.lines().skip(2).collect();
    assert_eq!(lines.len(), 2, "{lines:?}");
    assert!(lines[0].contains("\\x00old.paa"), "bytes behind a name: {lines:?}");
    assert!(lines[1].contains("les_su") && lines[1].contains("moved by 0, -3"), "{lines:?}");
    folder.run(["convert", "--variant", "4wvr", "island.wrp", "island.glb"]).ends(2);
    folder.run(["convert", "island.wrp", "island.glb"]).ends(0);
    let none = folder.run(["convert", "island.glb", "back.wrp"]).ends(7);
    assert!(none.talk.contains("heightmap"), "{none:?}");
}

#[test]
fn terrains_are_edited_and_compared() {
    let folder = folder();
    folder.write("models.csv", "data3d\\str_*,data3d\\new.p3d\n");
    let edits = ["move id=7: 1,0,0", "models rename-table models.csv", "heights shift 4.5"];
    let done = folder.run(["edit", "island.wrp", "-o", "new.wrp"].into_iter().chain(edits)).ends(0);
    for part in ["1 object moved", "1 object renamed", "256 heights changed"] {
        assert!(done.out.contains(part), "{part}: {done:?}");
    }
    let diff = folder.run(["diff", "island.wrp", "new.wrp"]).ends(9);
    for part in ["heights: 0,0 16x16: 256 changed, by 4.5", "moved by 1, 0, 0", "new model data3d\\new.p3d"] {
        assert!(diff.out.contains(part), "{part}: {diff:?}");
    }
    let json = folder.run(["diff", "--json", "island.wrp", "new.wrp"]).ends(9).object();
    assert_eq!(json["terrain"]["heights"][0]["area"]["changed"], 256);
    folder.run(["diff", "island.wrp", "island.wrp"]).ends(0);
    let dry = folder.run(["edit", "--dry-run", "island.wrp", "objects drop-outside"]).ends(0);
    assert!(dry.out.contains("object removed: #2"), "{dry:?}");
    let wrong = folder.run(["edit", "--dry-run", "island.wrp", "heights shift x"]).ends(2);
    assert!(wrong.talk.contains("expected a number of metres"), "{wrong:?}");
    let outside = folder.run(["edit", "--dry-run", "island.wrp", "paste island.wrp 20,20"]).ends(2);
    assert!(outside.talk.contains("nothing to paste"), "{outside:?}");
    folder.run(["edit", "--dry-run", "--allow-no-match", "island.wrp", "paste island.wrp 20,20"]).ends(0);
}

#[test]
fn exported_object_lists_can_be_imported_again() {
    let folder = folder();
    let csv = folder.run(["query", "--csv", "island.wrp"]).ends(0);
    assert_eq!(csv.out.lines().count(), 4);
    folder.write("objects.csv", &csv.bytes);
    folder.run(["edit", "island.wrp", "-o", "same.wrp", "objects import objects.csv"]).ends(0);
    assert!(folder.read("same.wrp") == folder.read("island.wrp"));
    let json = folder.run(["query", "--as", "json", "island.wrp"]).ends(0);
    for args in [["query", "--json", "island.wrp"], ["--json", "query", "island.wrp"]] {
        assert!(folder.run(args).ends(0).bytes == json.bytes, "{args:?}");
    }
    let items = &json.object()["items"];
    assert_eq!((&items[1]["model"], &items[0]["x"]), (&"data3d\\les_su.p3d".into(), &400.0.into()));
    let points = folder.run(["query", "--as", "geojson", "island.wrp"]).ends(0);
    let points: serde_json::Value = serde_json::from_str(&points.out).unwrap();
    assert_eq!(points["features"][0]["geometry"]["coordinates"], serde_json::json!([400.0, 410.0, 70.5]));
    for list in ["csv", "json", "geojson"] {
        let name = format!("objects.{list}");
        folder.run(["query", "*", "island.wrp", "--force", "-o", &name]).ends(0);
        let edit = format!("objects import {name}");
        folder.run(["edit", "island.wrp", "-o", "same.wrp", "--force", &edit]).ends(0);
        assert!(folder.read("same.wrp") == folder.read("island.wrp"), "{list}");
    }
    folder.write("bad.json", "[\n{\"model\":1}]");
    let bad = folder.run(["edit", "island.wrp", "--dry-run", "objects import bad.json"]).ends(4);
    assert!(bad.talk.contains("bad.json at line 2, column 10"), "{bad:?}");
    folder.write("centres.csv", "model,cx,cy,cz\ndata3d\\dum.p3d,0,3,0\n");
    let list = folder.run(["query", "--as", "terrain-builder", "--centres", "centres.csv", "island.wrp"]).ends(0);
    assert!(list.out.starts_with("\"dum\";200400.000;410.000;0.000;0.000;0.000;1.000;67.500;\n"), "{list:?}");
    assert!(list.talk.contains("1 object with an unknown bounding centre"), "{list:?}");
    folder.run(["query", "island.wrp", "-o", "objects.lbt"]).ends(0);
    folder.run(["edit", "island.wrp", "--dry-run", "objects import objects.lbt"]).ends(0);
    folder.write("bad.csv", "model,x,y,z\na,1,2,b\n");
    let bad = folder.run(["edit", "island.wrp", "--dry-run", "objects import bad.csv"]).ends(4);
    assert!(bad.talk.contains("line 2, field 4"), "{bad:?}");
    // Inputs are never overwritten.
    for verb in ["query", "render"] {
        folder.run([verb, "--force", "island.wrp", "-o", "island.wrp"]).ends(2);
    }
    folder.write(
        "swap.csv",
        "\u{feff}\"data3d\\dum.p3d\",data3d\\les_su.p3d\ndata3d\\les_su.p3d,data3d\\dum.p3d\nno.p3d,x.p3d\n",
    );
    let swapped = folder.run(["edit", "island.wrp", "--dry-run", "models rename-table swap.csv"]).ends(0);
    for part in ["2 objects renamed; 1 row changed nothing", "dum.p3d at 400, 70.5, 410, new model data3d\\les_su.p3d"]
    {
        assert!(swapped.out.contains(part), "{swapped:?}");
    }
    folder.write("plain.txt", "hello");
    folder.run(["query", "--as", "geojson", "plain.txt"]).ends(5);
}

#[test]
fn lists_contain_what_a_query_selects() {
    let folder = folder();
    folder.write("other.wrp", folder.read("island.wrp"));
    let points = folder.run(["query", "--as", "geojson", "x>=0 and ground=false", "island.wrp"]).ends(0);
    let points: serde_json::Value = serde_json::from_str(&points.out).unwrap();
    let models: Vec<&str> = points["features"]
        .as_array()
        .unwrap()
        .iter()
        .map(|point| point["properties"]["model"].as_str().unwrap())
        .collect();
    assert_eq!(models, ["data3d\\dum.p3d"]);
    let list = folder.run(["query", "--as", "lbt", "model=*smrk*", "island.wrp"]).ends(0);
    assert_eq!(list.out, "objects\n1 0 0 0 1 0 0 0 1 -20 -3 500 0 data3d\\str_smrk.p3d\nend objects\n");
    let table = folder.run(["query", "--csv", "index=0", "island.wrp"]).ends(0);
    let matrix =
        "3f800000 00000000 00000000 00000000 3f800000 00000000 00000000 00000000 3f800000 43c80000 428d0000 43cd0000";
    let row = format!("0,7,data3d\\dum.p3d,400,70.5,410,0,0,0,1,{matrix}\r\n");
    assert_eq!(table.out, format!("index,id,model,x,y,z,yaw,pitch,roll,scale,matrix\r\n{row}"));
    // One list for each input.
    for (list, name) in [("csv", "island.csv"), ("geojson", "other.geojson"), ("terrain-builder", "other.txt")] {
        folder.run(["query", "--as", list, "island.wrp", "other.wrp", "-d", "lists"]).ends(0);
        assert!(folder.at("lists").join(name).is_file(), "{name}");
    }
    assert_eq!(String::from_utf8(folder.read("lists/island.csv")).unwrap().lines().count(), 4);
    let many = folder.run(["query", "--csv", "island.wrp", "other.wrp"]).ends(0);
    assert!(many.out.starts_with("file,index,id,") && many.out.lines().count() == 7, "{many:?}");
    for (args, parts) in [
        (&["query", "--as", "lbt", "island.wrp", "other.wrp"][..], ["takes one input, and there are 2", "use -d DIR"]),
        (&["query", "--as", "lbt", "--csv", "island.wrp"], ["--as lbt and --csv cannot be used together", "leave one"]),
        (&["query", "--relative", "island.wrp"], ["are for --as terrain-builder", "add --as terrain-builder"]),
        (&["query", "--as", "geojson", "modle=a", "island.wrp"], ["unknown field `modle`", "did you mean `model`?"]),
        (&["query", "island.wrp", "-d", "lists"], ["-d needs a format", "add --as csv"]),
    ] {
        let wrong = folder.run(args).ends(2);
        assert!(parts.iter().all(|part| wrong.talk.contains(part)), "{args:?}: {wrong:?}");
    }
    folder.write("cube.obj", crate::folder::CUBE_OBJ);
    let wrong = folder.run(["query", "--as", "geojson", "cube.obj"]).ends(7);
    assert!(wrong.talk.contains("only terrains are") && wrong.talk.contains("help: use --as csv"), "{wrong:?}");
}

#[test]
fn terrains_are_drawn_from_above() {
    let folder = folder();
    for view in ["composed", "tiles", "relief", "objects"] {
        let drawn = folder.run(["render", "--view", view, "--scale", "4", "island.wrp", "-o", &format!("{view}.png")]);
        assert!(drawn.ends(0).talk.contains("64 × 64 pixels"), "{view}");
        assert!(folder.read(format!("{view}.png")).starts_with(b"\x89PNG"));
    }
    let none = folder.run(["render", "--view", "collision", "island.wrp", "-o", "none.png"]).ends(7);
    assert!(none.talk.contains("help: "), "{none:?}");
}

#[test]
fn every_height_survives_every_heightmap() {
    let folder = Folder::new();
    let mut terrain = Wvr::new([256, 256]);
    folder.write("flat.wrp", Document::Wvr(terrain.clone()).to_bytes().unwrap());
    terrain.heights = (i16::MIN..=i16::MAX).collect();
    folder.write("all.wrp", Document::Wvr(terrain).to_bytes().unwrap());
    for name in ["all.asc", "all.tif", "all.png", "all.xyz"] {
        folder.run(["convert", "all.wrp", name]).ends(0);
        let edit = format!("heights import {name}");
        folder.run(["edit", "flat.wrp", "-o", "again.wrp", "--force", &edit]).ends(0);
        assert!(folder.read("again.wrp") == folder.read("all.wrp"), "{name}");
    }
    let size = folder.run(["edit", "--dry-run", "flat.wrp", "resample 64x64", "heights import all.asc"]).ends(2);
    assert!(size.talk.contains("resample"), "{size:?}");
}

#[test]
fn boxes_of_models_are_instanced_or_baked() {
    let folder = folder();
    folder.run(["convert", "island.wrp", "instanced.gltf"]).ends(0);
    folder.run(["convert", "island.wrp", "baked.gltf", "--bake-boxes"]).ends(0);
    let has = |file: &str| String::from_utf8(folder.read(file)).unwrap().contains("EXT_mesh_gpu_instancing");
    assert!(has("instanced.gltf") && !has("baked.gltf"));
    let wrong = folder.run(["convert", "island.wrp", "island.asc", "--bake-boxes"]).ends(2);
    assert!(wrong.talk.contains("--bake-boxes applies to glTF"), "{wrong:?}");
}

#[test]
fn heightmaps_are_written_and_read_as_options_say() {
    let folder = folder();
    folder
        .run(["convert", "--corner", "cell", "--origin", "1000,0", "--decimals", "all", "island.wrp", "a.asc"])
        .ends(0);
    let text = String::from_utf8(folder.read("a.asc")).unwrap();
    assert!(text.contains("xllcorner     975.000000\nyllcorner     -25.000000\n"), "{text}");
    assert!(text.contains(" 65.7 ") && !text.contains("65.70"), "{text}");
    // The way back needs the same words.
    folder.run(["convert", "--corner", "cell", "--origin", "1000,0", "a.asc", "b.wrp"]).ends(0);
    folder.run(["convert", "b.wrp", "b.asc"]).ends(0);
    folder.run(["convert", "island.wrp", "c.asc"]).ends(0);
    assert!(folder.read("b.asc") == folder.read("c.asc"));
    folder.run(["convert", "--range", "-200,200", "island.wrp", "a.png"]).ends(0);
    folder.run(["convert", "--range", "-200,200", "--cell", "25", "a.png", "d.asc"]).ends(0);
    let text = String::from_utf8(folder.read("d.asc")).unwrap();
    assert!(text.contains("cellsize      25.000000") && text.contains(" 65.70 "), "{text}");
    for (options, name, what) in [
        (["--corner", "cell"], "a.tif", "ESRI ASCII grids"),
        (["--origin", "1,2"], "a.glb", "heightmaps"),
        (["--decimals", "2"], "a.tif", "asc and xyz"),
        (["--range", "1,2"], "a.asc", "heightpng"),
        (["--range", "2,1"], "a.png", "the heights of black"),
    ] {
        let wrong = folder.run(["convert", "--force"].into_iter().chain(options).chain(["island.wrp", name])).ends(2);
        assert!(wrong.talk.contains(what), "{wrong:?}");
    }
}

#[test]
fn texture_cells_become_an_image_and_come_back() {
    let folder = folder();
    folder.run(["convert", "island.wrp", "island.cells.png"]).ends(0);
    folder.run(["convert", "--to", "cellpng", "island.wrp", "-o", "cells.png"]).ends(0);
    assert!(folder.read("cells.json") == folder.read("island.cells.json"));
    let same = folder.run(["edit", "island.wrp", "-o", "same.wrp", "cells import cells.png"]).ends(0);
    assert!(same.out.contains("0 cells changed"), "{same:?}");
    assert!(folder.read("same.wrp") == folder.read("island.wrp"));
    let legend = String::from_utf8(folder.read("cells.json")).unwrap();
    folder.write("cells.json", legend.replace("landtext\\\\pi.paa", "landtext\\\\new.paa"));
    folder.run(["edit", "island.wrp", "-o", "new.wrp", "cells import cells.png"]).ends(0);
    let diff = folder.run(["diff", "island.wrp", "new.wrp"]).ends(9);
    assert!(diff.out.contains("new.paa") && !diff.out.contains("cells:"), "{diff:?}");
    // Neither the image nor its legend is overwritten.
    for name in ["cells.png", "cells.json"] {
        let wrong = folder.run(["edit", "--force", "island.wrp", "-o", name, "cells import cells.png"]).ends(2);
        assert!(wrong.talk.contains("is an input"), "{wrong:?}");
    }
    let size = folder.run(["edit", "--dry-run", "island.wrp", "crop 0,0 8x8", "cells import cells.png"]).ends(2);
    assert!(size.talk.contains("16 by 16 pixels for 8 by 8 cells"), "{size:?}");
    let alone = folder.run(["convert", "cells.png", "alone.wrp"]).ends(7);
    assert!(alone.talk.contains("heightmap"), "{alone:?}");
    let info = folder.run(["info", "cells.png"]).ends(0);
    assert!(!info.talk.contains("warning"), "{info:?}");
}

#[test]
fn files_that_edits_read_are_never_overwritten() {
    let folder = folder();
    folder.write("other.wrp", folder.read("island.wrp"));
    folder.run(["query", "island.wrp", "-o", "objects.csv"]).ends(0);
    folder.run(["convert", "island.wrp", "heights.asc"]).ends(0);
    folder.write("names.csv", "data3d\\str_*,b\n");
    folder.write("centres.csv", "model,cx,cy,cz\n");
    folder.write("list.txt", "\"dum\";200001;2;0;0;0;1;0;\n");
    folder.write("edits.txt", "clean\n");
    for (edit, name) in [
        ("paste other.wrp 0,0", "other.wrp"),
        ("objects import objects.csv", "objects.csv"),
        ("objects import list.txt centres=centres.csv", "centres.csv"),
        ("heights import heights.asc", "heights.asc"),
        ("models rename-table names.csv", "names.csv"),
    ] {
        let before = folder.read(name);
        let wrong = folder.run(["edit", "--force", "island.wrp", "-o", name, edit]).ends(2);
        assert!(wrong.talk.contains(&format!("{name} is an input")) && folder.read(name) == before, "{wrong:?}");
    }
    folder.run(["edit", "--force", "island.wrp", "-o", "edits.txt", "--script", "edits.txt"]).ends(2);
    let itself = folder.run(["edit", "--force", "island.wrp", "paste island.wrp 1,1"]).ends(2);
    assert!(itself.talk.contains("write to another file"), "{itself:?}");
    folder.run(["edit", "--force", "island.wrp", "-o", "new.wrp", "paste island.wrp 1,1"]).ends(0);
}

#[test]
fn a_dry_run_reports_the_same_in_json() {
    let folder = folder();
    let dry = folder.run(["edit", "--dry-run", "--json", "island.wrp", "objects drop-outside"]).ends(0).object();
    assert_eq!(dry["edits"][0]["result"], "1 object deleted");
    assert_eq!(dry["terrain"]["objects"]["removed"][0]["index"], 2);
    let wet = folder.run(["edit", "--json", "island.wrp", "-o", "new.wrp", "clean"]).ends(0).object();
    assert!(wet["terrain"].is_null() && wet["output"] == "new.wrp");
    let wrong = folder.run(["edit", "--dry-run", "island.wrp", "sink heights 3"]).ends(2);
    for edit in ["crop", "drop-outside", "clean", "cells import", "paste", "rename-table"] {
        assert!(wrong.talk.contains(edit), "{edit}: {wrong:?}");
    }
    let wrong = folder.run(["edit", "--dry-run", "island.wrp", "heights import"]).ends(2);
    assert!(wrong.talk.contains("heights clamp LOW HIGH, heights import FILE"), "{wrong:?}");
    assert!(!wrong.talk.contains("cells import"), "{wrong:?}");
}

#[test]
fn ground_becomes_a_mesh_or_an_error() {
    let folder = folder();
    folder.run(["convert", "island.wrp", "island.obj"]).ends(0);
    let text = String::from_utf8(folder.read("island.obj")).unwrap();
    let lines = |start: &str| text.lines().filter(|line| line.starts_with(start)).count();
    assert_eq!((lines("v "), lines("f ")), (256, 450));
    assert!(text.contains("usemtl pi.paa"), "{text}");
    for name in ["island.wings", "island.wwd"] {
        let failed = folder.run(["convert", "island.wrp", name]).ends(7);
        assert!(failed.talk.contains("terrain, instances of models"), "{failed:?}");
        assert!(!folder.at(name).exists());
        let lost = folder.run(["convert", "--allow-empty", "island.wrp", name]).ends(0);
        let line = lost.talk.lines().find(|line| line.trim_start().starts_with("dropped")).unwrap();
        assert!(line.contains("such as terrains[0]: terrain"), "{line}");
        folder.run(["convert", "--allow-empty", "--strict", "--force", "island.wrp", name]).ends(3);
    }
    for (edit, warned) in [("crop 0,0 12x12", Some("powers of two")), ("crop 0,0 8x4", Some("square"))] {
        let done = folder.run(["edit", "--dry-run", "island.wrp", edit]).ends(0);
        assert_eq!(done.out.contains("warning: "), warned.is_some(), "{done:?}");
        assert!(warned.is_none_or(|warned| done.out.contains(warned)), "{done:?}");
    }
}

/// A grid with a missing height, in steps of 10 m.
const HOLE: &str =
    "ncols 3\nnrows 3\nxllcorner 500000\nyllcorner 5400000\ncellsize 10\nNODATA_value -9999\n1 2 3\n4 -9999 6\n7 8 9\n";

#[test]
fn missing_heights_are_filled_or_rejected() {
    let folder = Folder::new();
    folder.write("hole.asc", HOLE);
    let refused = folder.run(["convert", "hole.asc", "a.wrp"]).ends(7);
    for part in
        ["1 of 9 samples have no height (the first at column 1, row 1 from the north-west)", "--nodata interpolate"]
    {
        assert!(refused.talk.contains(part), "{part}: {refused:?}");
    }
    for (how, height) in [("-20", -20.0), ("interpolate", 5.0)] {
        let place = ["--origin", "500000,5400000", "--crop", "2"];
        folder.run(["convert", "--force", "--nodata", how, "hole.asc", "a.wrp"].into_iter().chain(place)).ends(0);
        let terrain = Document::from_bytes(&folder.read("a.wrp")).unwrap();
        assert_eq!(terrain.ground().size, [2, 2]);
        let filled = f64::from(terrain.ground().vertex_height(1, 1).unwrap());
        assert!((filled - height).abs() < 1.5, "{filled} instead of {height}");
    }
    folder.run(["convert", "--nodata", "3", "a.wrp", "b.asc"]).ends(2);
    let info = folder.run(["info", "hole.asc"]).ends(0);
    for part in
        ["size             (3, 3)", "cell             (10, 10)", "range            (1, 9)", "no data          1"]
    {
        assert!(info.out.contains(part), "{part}: {info:?}");
    }
    let check = folder.run(["check", "hole.asc"]).ends(0);
    assert!(check.out.contains("1 sample without a height: columns 1, rows 1 from the north-west"), "{check:?}");
}

#[test]
fn terrains_with_missing_heights_are_filled_by_edits() {
    let folder = Folder::new();
    let mut terrain = Wvr8::new([4, 4], 40.0, 1);
    terrain.heights = (0..16_u8).map(f32::from).collect();
    (terrain.heights[5], terrain.heights[10]) = (f32::NAN, f32::NEG_INFINITY);
    folder.write("holes.wrp", Document::Wvr8(terrain).to_bytes().unwrap());
    let check = folder.run(["check", "holes.wrp"]).ends(9);
    assert!(check.out.contains("no height: 2 heights, x 40 to 80 m, z 40 to 80 m"), "{check:?}");
    let done = folder.run(["edit", "holes.wrp", "-o", "sea.wrp", "heights fill -20"]).ends(0);
    assert!(done.out.contains("2 heights filled"), "{done:?}");
    folder.run(["edit", "holes.wrp", "-o", "filled.wrp", "heights fill interpolate"]).ends(0);
    let height = |name: &str, x: u32| {
        let terrain = Document::from_bytes(&folder.read(name)).unwrap();
        terrain.ground().vertex_height(x, x).unwrap()
    };
    assert_eq!((height("sea.wrp", 1), height("sea.wrp", 2), height("sea.wrp", 3)), (-20.0, -20.0, 15.0));
    assert!((height("filled.wrp", 1) - 5.0).abs() < 3.0 && (height("filled.wrp", 2) - 10.0).abs() < 3.0);
    folder.run(["check", "filled.wrp"]).ends(0);
    folder.run(["edit", "--dry-run", "holes.wrp", "heights fill high"]).ends(2);
}

#[test]
fn positions_of_objects_are_written_and_read_on_the_map() {
    let folder = folder();
    let origin = ["--origin", "500000,5400000"];
    for (format, part) in [
        ("csv", ",500400,70.5,5400410,"),
        ("json", "\"x\":500400.0"),
        ("geojson", "500400.0,5400410.0,70.5"),
        ("terrain-builder", "\"dum\";500400.000;5400410.000;"),
    ] {
        let list = folder.run(["query", "island.wrp", "--as", format].into_iter().chain(origin)).ends(0);
        assert!(list.out.contains(part), "{part}: {list:?}");
        if format != "terrain-builder" {
            let name = format!("objects.{format}");
            folder.write(&name, &list.bytes);
            let import = format!("objects import {name} origin=500000,5400000");
            folder.run(["edit", "--force", "island.wrp", "-o", "same.wrp", &import]).ends(0);
            assert!(folder.read("same.wrp") == folder.read("island.wrp"), "{format}");
        }
    }
    folder.run(["query", "island.wrp", "--as", "lbt"].into_iter().chain(origin)).ends(2);
    folder.run(["query", "island.wrp"].into_iter().chain(origin)).ends(2);
}

#[test]
fn new_terrains_are_exact_and_name_what_the_games_require() {
    let folder = Folder::new();
    let rows: String =
        (0..33).map(|row| (0..33).map(|column| format!("{} ", row * 33 + column)).collect::<String>() + "\n").collect();
    folder.write("ramp.asc", format!("ncols 33\nnrows 33\nxllcorner 200000\nyllcorner 0\ncellsize 10\n{rows}"));
    let whole = folder.run(["convert", "-v", "ramp.asc", "a.wrp"]).ends(0);
    assert!(whole.talk.contains("--size 32 resamples, --crop 32 cuts"), "{whole:?}");
    let ground = |name: &str| {
        let terrain = Document::from_bytes(&folder.read(name)).unwrap();
        let ground = terrain.ground();
        (terrain.variant(), ground.size, ground.step, ground.vertex_height(31, 0))
    };
    assert_eq!(ground("a.wrp"), ("8WVR".to_owned(), [33, 33], [10.0; 2], Some(1087.0)));
    folder.run(["convert", "--crop", "32", "ramp.asc", "b.wrp"]).ends(0);
    assert_eq!(ground("b.wrp"), ("8WVR".to_owned(), [32, 32], [10.0; 2], Some(1087.0)));
    folder.run(["convert", "--size", "64", "ramp.asc", "c.wrp"]).ends(0);
    assert_eq!(ground("c.wrp").1, [64, 64]);
    for name in ["b.wrp", "c.wrp"] {
        folder.run(["check", name]).ends(0);
    }
    folder.write("wide.asc", "ncols 2\nnrows 1\nxllcorner 0\nyllcorner 0\ndx 10\ndy 30\n1 2\n");
    let wide = folder.run(["convert", "wide.asc", "d.wrp"]).ends(7);
    assert!(wide.talk.contains("10 × 30 m are not squares") && wide.talk.contains("gdalwarp -tr 10 10"), "{wide:?}");
}

#[test]
fn models_of_the_content_replace_boxes() {
    let folder = Folder::new();
    let fixture = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fixtures/wrp/island.wrp");
    folder.write("island.wrp", std::fs::read(fixture).unwrap());
    std::fs::create_dir_all(folder.at("models/Data3D")).unwrap();
    folder.write("models/Data3D/str_briza.obj", "o trunk\nv 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\no crown\nf 3 2 1\n");
    let convert = ["convert", "--json", "--content", "models", "island.wrp"];
    let json = folder.run(convert.into_iter().chain(["island.glb"])).ends(0).object();
    let losses: Vec<&str> = json["losses"].as_array().unwrap().iter().filter_map(|it| it["text"].as_str()).collect();
    let missing: Vec<&&str> =
        losses.iter().filter(|text| text.contains(".p3d") && text.contains("no such file")).collect();
    assert_eq!(missing, [&"model \"data3d\\\\dum_rasovy.p3d\": no such file; uses: 1"]);
    // A copy has the terrain, and the models with their files.
    folder.write("models/Data3D/str_briza.mtl", "newmtl a\n");
    let model = String::from_utf8(folder.read("models/Data3D/str_briza.obj")).unwrap();
    folder.write("models/Data3D/str_briza.obj", format!("mtllib str_briza.mtl\n{model}"));
    let info = ["info", "--json", "--content", "models", "--copy-to", "copy", "island.wrp"];
    let copied = folder.run(info).ends(0).object()["copied"].to_string();
    assert_eq!(copied, r#"["copy/Data3D/str_briza.obj","copy/Data3D/str_briza.mtl","copy/island.wrp"]"#);
    // Eight trees share one mesh of both parts.
    let glb = folder.read("island.glb");
    let start = b"\"resolved_from\":\"data3d\\\\str_briza.p3d\"";
    assert_eq!(glb.windows(start.len()).filter(|part| *part == start).count(), 1);
    folder.run(convert.into_iter().chain(["island.obj"])).ends(0);
    let obj = String::from_utf8(folder.read("island.obj")).unwrap();
    let objects = obj.lines().filter(|line| line.starts_with("o ") && *line != "o terrain").count();
    assert_eq!(objects, 8, "{obj}");
    // Other formats of levels refer to the model again.
    folder.run(["convert", "island.wrp", "plain.glb"]).ends(0);
    let level = |name: &str| {
        let target = format!("{name}.vmap");
        folder.run(["convert", name, &target]).ends(0);
        folder.run(["info", "--json", &target]).ends(0).object()["vmap"].clone()
    };
    assert_eq!(level("island.glb"), level("plain.glb"));
}

#[test]
fn textures_of_cells_are_references() {
    let folder = folder();
    std::fs::create_dir_all(folder.at("content/landtext")).unwrap();
    folder.run(["render", "island.wrp", "-o", "content/landtext/pi.png"]).ends(0);
    // An image with the same path comes before one with the same name.
    folder.run(["render", "island.wrp", "--fit", "32", "-o", "content/pi.paa.png"]).ends(0);
    let info = folder.run(["info", "--json", "--content", "content", "island.wrp"]).ends(0).object();
    let files = info["references"].as_array().unwrap();
    let texture = files.iter().find(|it| it["path"] == "landtext\\pi.paa").unwrap();
    assert_eq!((&texture["kind"], &texture["file"]), (&"material".into(), &"landtext/pi.png".into()), "{info}");
    for name in ["landtext/pi.png", "pi.paa.png"] {
        std::fs::remove_file(folder.at("content").join(name)).unwrap();
    }
    folder.write("content/other.txt", "");
    let check = folder.run(["check", "--content", "content", "island.wrp"]).ends(0);
    assert!(check.out.contains(r#"material "landtext\\pi.paa": no texture with this name"#), "{check:?}");
}
