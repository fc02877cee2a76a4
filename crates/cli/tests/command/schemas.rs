//! The output of commands matches the published schemas.

use std::collections::HashMap;
use std::path::PathBuf;

use jsonschema::Validator;
use mapwright_testkit::{files_below, workspace};
use serde_json::{Value as Json, json};

use crate::folder::Folder;

/// The validators of all output, by the name of the schema. Schemas allow more keys for later versions, but this version has no others.
fn validators() -> HashMap<String, (Validator, usize)> {
    let validators = mapwright::OUTPUT_SCHEMAS.map(|(_, text)| {
        let mut schema: Json = serde_json::from_str(text).unwrap();
        close(&mut schema);
        let name = schema["properties"]["schema"]["const"].as_str().unwrap().to_owned();
        (name, (jsonschema::validator_for(&schema).unwrap(), 0))
    });
    validators.into()
}

/// Forbids additional keys in all objects.
fn close(schema: &mut Json) {
    match schema {
        Json::Object(fields) => {
            fields.values_mut().for_each(close);
            if fields.get("properties").is_some_and(|properties| properties.get("type").is_none_or(Json::is_object)) {
                fields.insert("additionalProperties".to_owned(), json!(false));
            }
        }
        Json::Array(items) => items.iter_mut().for_each(close),
        _ => {}
    }
}

fn fixtures() -> Vec<PathBuf> {
    let files = files_below(&workspace().join("fixtures"));
    files.into_iter().filter(|file| file.extension().is_some_and(|extension| extension != "tsv")).collect()
}

/// Validates each line and counts the lines of each schema.
fn validate(folder: &Folder, args: &[&str], files: &[PathBuf], schemas: &mut HashMap<String, (Validator, usize)>) {
    let files = files.iter().map(|file| file.to_str().unwrap());
    let done = folder.run(args.iter().copied().chain(["--json"]).chain(files));
    let lines = done.out.lines().chain(done.talk.lines()).filter(|line| line.starts_with('{'));
    for line in lines {
        let json: Json = serde_json::from_str(line).unwrap();
        let name = json["schema"].as_str().unwrap();
        let (validator, count) = schemas.get_mut(name).unwrap_or_else(|| panic!("{name}"));
        *count += 1;
        if let Some(error) = validator.iter_errors(&json).next() {
            panic!("{args:?}: {}: {name}: {}: {error:.300}", json["file"], error.instance_path());
        }
    }
}

#[test]
fn output_for_all_fixtures_matches_the_schemas() {
    let folder = Folder::with_cube();
    let files = fixtures();
    let mut schemas = validators();
    for args in [
        &["info"][..],
        &["check"],
        &["query", "*"],
        &["convert", "--to", "glb", "--dry-run", "--allow-empty"],
        &["roundtrip"],
        &["dump"],
        &["render", "--fit", "32", "-d", "images"],
        &["render", "--fit", "32", "--html", "-d", "pages"],
        &["extract", "-d", "extracted", "--force"],
    ] {
        // `extract` takes one archive.
        let archives = || files.iter().filter(|file| file.extension().is_some_and(|it| it == "rez"));
        if args[0] == "extract" {
            archives().for_each(|file| validate(&folder, args, std::slice::from_ref(file), &mut schemas));
            continue;
        }
        validate(&folder, args, &files, &mut schemas);
    }
    for pair in files.windows(2).filter(|pair| pair[0].extension() == pair[1].extension()) {
        validate(&folder, &["diff"], pair, &mut schemas);
    }
    for file in &files {
        let name = file.file_name().unwrap().to_str().unwrap();
        let bytes = std::fs::read(file).unwrap();
        folder.write(name, &bytes[..bytes.len() * 3 / 4]);
        validate(&folder, &["rescue", "--force", "-o", "saved"], &[folder.at(name)], &mut schemas);
    }
    // Each document is dumped, built again and edited.
    for file in files.iter().filter(|file| !file.components().any(|part| part.as_os_str() == "regressions")) {
        let done = folder.run(["dump", "--json", file.to_str().unwrap()]);
        if done.code == Some(0) {
            folder.write("dump.json", done.out);
            validate(&folder, &["build", "--force", "-o", "built"], &[folder.at("dump.json")], &mut schemas);
        }
    }
    for (file, edit) in [
        ("wwd/claw.wwd", "set logic=*: x+=1"),
        ("wmp/room.wmp", "set kind=light: range=3.14159265"),
        ("vmap/room.vmap", "set class=*: x+=1"),
        ("wwd/gruntz.wwd", "set logic=*: x+=1"),
        ("wrp/island.wrp", "set model=*: x+=0.5"),
    ] {
        let path = workspace().join("fixtures").join(file);
        let path = path.to_str().unwrap();
        for end in [["--dry-run", "--quiet"], ["-o", "edited"]] {
            validate(&folder, &[&["edit", path, edit, "--force"], &end[..]].concat(), &[], &mut schemas);
        }
    }
    let map = workspace().join("fixtures/vmap/room.vmap");
    folder.write("base.vmap", std::fs::read(map).unwrap());
    for (side, x) in [("ours.vmap", "100"), ("theirs.vmap", "200")] {
        folder.run(["edit", "base.vmap", "-o", side, &format!("set class=*: x={x}")]).ends(0);
    }
    for end in [&["--dry-run"][..], &["-o", "merged.vmap", "--prefer", "ours"]] {
        let merge = [&["merge", "base.vmap", "ours.vmap", "theirs.vmap"][..], end].concat();
        validate(&folder, &merge, &[], &mut schemas);
    }
    let expected = [
        ("info/1", 60),
        ("check/1", 60),
        ("query/1", 50),
        ("convert/2", 30),
        ("diff/1", 30),
        ("rescue/1", 20),
        ("roundtrip/1", 50),
        ("dump/1", 50),
        ("build/1", 40),
        ("render/3", 60),
        ("edit/2", 10),
        ("merge/1", 2),
        ("extract/1", 20),
    ];
    for (name, least) in expected.into_iter().chain([("error/1", 10)]) {
        let (_, count) = schemas[&format!("mapwright.{name}")];
        assert!(count >= least, "{name}: {count}");
    }
}

#[test]
fn schemas_are_printed() {
    let folder = Folder::new();
    for (command, schema) in mapwright::OUTPUT_SCHEMAS {
        assert_eq!(folder.run(["formats", "--schema", command]).ends(0).out, schema);
    }
    folder.run(["formats", "--schema", "infos"]).ends(2);
}

#[test]
fn rare_values_match_the_schemas() {
    let folder = Folder::new();
    let mut schemas = validators();
    // Only one of two levels has a table of tile properties.
    let level = workspace().join("fixtures/wwd/claw.wwd");
    let reading = mapwright::wwd::ReadOptions::default();
    let mut bare = mapwright::wwd::Document::from_bytes_with(&std::fs::read(&level).unwrap(), &reading).unwrap();
    assert!(bare.tile_properties.take().is_some());
    folder.write("bare.wwd", bare.to_bytes_with(&mapwright::wwd::WriteOptions::default()).unwrap());
    validate(&folder, &["diff"], &[level, folder.at("bare.wwd")], &mut schemas);
    // JSON has no NaN.
    folder.write("a.asc", "ncols 2\nnrows 2\nxllcorner 0\nyllcorner 0\ncellsize 1\nNODATA_value nan\n1 2\n3 nan\n");
    validate(&folder, &["info"], &[folder.at("a.asc")], &mut schemas);
    // The image beside a scene is missing, then it is there.
    folder.write("a.obj", "mtllib a.mtl\nv 0 0 0\nv 1 0 0\nv 0 1 0\nvt 0 0\nusemtl m\nf 1/1 2/1 3/1\n");
    folder.write("a.mtl", "newmtl m\nmap_Kd wood.png\n");
    folder.run(["convert", "a.obj", "-o", "a.wings"]).ends(0);
    for is_there in [false, true] {
        if is_there {
            folder.write("wood.png", "an image");
        }
        let info = folder.run(["info", "--json", "a.wings"]).ends(0).object();
        assert_eq!(info["wings"]["images"][0]["found"].is_string(), is_there, "{info}");
        validate(&folder, &["info"], &[folder.at("a.wings")], &mut schemas);
    }
}
