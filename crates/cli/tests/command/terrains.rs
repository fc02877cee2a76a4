//! Terrains of Operation Flashpoint and its heirs.

use mapwright::wrp::io::FixedBytes;
use mapwright::wrp::{Builder, Document, Matrix, Name, Wvr};

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
        let model = builder.model(&Name::new(name));
        builder.push(model, Matrix::at(place), Some(id));
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
fn a_terrain_is_told_in_words_and_comes_back() {
    let folder = folder();
    let info = folder.run(["info", "island.wrp"]).ends(0);
    for part in ["4WVR", "16 × 16", "3, 1 of them put on the ground", "1 × data3d\\dum.p3d", "to 67.5 m"] {
        assert!(info.out.contains(part), "{part}: {info:?}");
    }
    let json = folder.run(["info", "--json", "--cell", "12.5", "island.wrp"]).ends(0).object();
    assert_eq!((&json["wrp"]["extent"][0], &json["wrp"]["objects"]), (&200.0.into(), &3.into()));
    folder.run(["roundtrip", "island.wrp"]).ends(0);
    let list = folder.run(["list", "island.wrp"]).ends(0);
    assert!(list.out.contains("16x16"), "{list:?}");
    let check = folder.run(["check", "--json", "island.wrp"]).ends(0).object();
    let codes: Vec<&str> =
        check["findings"].as_array().unwrap().iter().map(|one| one["code"].as_str().unwrap()).collect();
    assert_eq!(codes, ["obj-off-map", "tex-name-residue", "obj-fit-to-ground"]);
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
    assert!(none.talk.contains("height field"), "{none:?}");
}

#[test]
fn terrains_are_edited_and_compared() {
    let folder = folder();
    folder.write("models.csv", "data3d\\str_*,data3d\\new.p3d\n");
    let edits = ["objects move 1,0,0 where id=7", "models rename-table models.csv", "heights shift 4.5"];
    let done = folder.run(["edit", "island.wrp", "-o", "new.wrp"].into_iter().chain(edits)).ends(0);
    for part in ["1 objects changed", "names of 1 objects changed", "256 heights changed"] {
        assert!(done.out.contains(part), "{part}: {done:?}");
    }
    let diff = folder.run(["diff", "island.wrp", "new.wrp"]).ends(9);
    for part in ["heights: 0,0 16x16: 256 changed, by 4.5", "moved by 1, 0, 0", "is now data3d\\new.p3d"] {
        assert!(diff.out.contains(part), "{part}: {diff:?}");
    }
    let json = folder.run(["diff", "--json", "island.wrp", "new.wrp"]).ends(9).object();
    assert_eq!(json["terrain"]["heights"][0]["area"]["changed"], 256);
    folder.run(["diff", "island.wrp", "island.wrp"]).ends(0);
    let dry = folder.run(["edit", "--dry-run", "island.wrp", "objects drop-outside"]).ends(0);
    assert!(dry.out.contains("object removed: #2"), "{dry:?}");
    let wrong = folder.run(["edit", "--dry-run", "island.wrp", "heights shift x"]).ends(2);
    assert!(wrong.talk.contains("a number of metres"), "{wrong:?}");
    folder.run(["edit", "--dry-run", "island.wrp", "paste island.wrp 20,20"]).ends(0);
}

#[test]
fn objects_go_out_and_come_back() {
    let folder = folder();
    let csv = folder.run(["objects", "island.wrp"]).ends(0);
    assert_eq!(csv.out.lines().count(), 4);
    folder.write("objects.csv", &csv.bytes);
    folder.run(["edit", "island.wrp", "-o", "same.wrp", "objects import objects.csv"]).ends(0);
    assert!(folder.read("same.wrp") == folder.read("island.wrp"));
    let json = folder.run(["objects", "--as", "json", "island.wrp"]).ends(0);
    let json: serde_json::Value = serde_json::from_str(&json.out).unwrap();
    assert_eq!((&json[1]["model"], &json[0]["x"]), (&"data3d\\les_su.p3d".into(), &400.0.into()));
    let points = folder.run(["objects", "--as", "geojson", "island.wrp"]).ends(0);
    let points: serde_json::Value = serde_json::from_str(&points.out).unwrap();
    assert_eq!(points["features"][0]["geometry"]["coordinates"], serde_json::json!([400.0, 410.0, 70.5]));
    folder.write("centres.csv", "model,cx,cy,cz\ndata3d\\dum.p3d,0,3,0\n");
    let list = folder.run(["objects", "--as", "terrain-builder", "--centres", "centres.csv", "island.wrp"]).ends(0);
    assert!(list.out.starts_with("\"dum\";200400.000;410.000;0.000;0.000;0.000;1.000;67.500;\n"), "{list:?}");
    folder.run(["objects", "--as", "lbt", "island.wrp", "-o", "objects.lbt"]).ends(0);
    folder.run(["edit", "island.wrp", "--dry-run", "objects import objects.lbt"]).ends(0);
    folder.write("bad.csv", "model,x,y,z\na,1,2,b\n");
    let bad = folder.run(["edit", "island.wrp", "--dry-run", "objects import bad.csv"]).ends(2);
    assert!(bad.talk.contains("line 2, field 4"), "{bad:?}");
    // What is read is never written over.
    for verb in ["objects", "render"] {
        folder.run([verb, "--force", "island.wrp", "-o", "island.wrp"]).ends(2);
    }
    folder.write(
        "swap.csv",
        "\u{feff}\"data3d\\dum.p3d\",data3d\\les_su.p3d\ndata3d\\les_su.p3d,data3d\\dum.p3d\nno.p3d,x.p3d\n",
    );
    let swapped = folder.run(["edit", "island.wrp", "--dry-run", "models rename-table swap.csv"]).ends(0);
    for part in ["names of 2 objects changed; 1 rows", "dum.p3d at 400, 70.5, 410, is now data3d\\les_su.p3d"] {
        assert!(swapped.out.contains(part), "{swapped:?}");
    }
    folder.write("plain.txt", "hello");
    folder.run(["objects", "plain.txt"]).ends(5);
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
    assert!(wrong.talk.contains("--bake-boxes is for glTF"), "{wrong:?}");
}
