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
    for args in [&["info"][..], &["check"], &["query", "*"], &["convert", "--to", "glb", "--dry-run", "--allow-empty"]]
    {
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
    let expected =
        [("info/1", 60), ("check/1", 60), ("query/1", 50), ("convert/2", 30), ("diff/1", 30), ("rescue/1", 20)];
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
