//! Every verb on a file that it likes.

use crate::folder::Folder;

#[test]
fn a_file_alone_is_summarized() {
    let folder = Folder::with_cube();
    let short = folder.run(["cube.wings"]).ends(0);
    assert_eq!(short.out, folder.run(["info", "cube.wings"]).out);
    let parts = ["cube.wings: Wings 3D scene, ", "1 object, 8 vertices, 12 edges, 6 faces", "6 × red", "otp17", "Y up"];
    for part in parts {
        assert!(short.out.contains(part), "{part}: {}", short.out);
    }
    assert_eq!(short.talk, "");
}

#[test]
fn info_as_json_has_a_schema() {
    let folder = Folder::with_cube();
    let json = folder.run(["--json", "cube.wings"]).ends(0).object();
    assert_eq!(json["schema"], "mapwright.info/1");
    assert_eq!((&json["file"], &json["format"]), (&"cube.wings".into(), &"wings".into()));
    assert_eq!(json["wings"]["totals"]["faces"], 6);
    assert_eq!(json["wings"]["objects"][0]["name"], "Cube");
    assert_eq!(json["wings"]["objects"][0]["uvs"], true);
    assert_eq!(json["bytes"], folder.read("cube.wings").len());
    let json = folder.run(["info", "--json", "cube.obj"]).ends(0).object();
    assert_eq!((&json["format"], &json["scene"]["totals"]["faces"]), (&"obj".into(), &6.into()));
    assert_eq!(json["scene"]["objects"][0]["materials"][0], serde_json::json!({"name": "red", "faces": 6}));
    assert_eq!(json["scene"]["bounds"], serde_json::json!([[-1.0, -1.0, -1.0], [1.0, 1.0, 1.0]]));
    let text = folder.run(["cube.obj"]).ends(0).out;
    for part in [
        "bounds           (-1, -1, -1) to (1, 1, 1)",
        "Cube         8      6  6 × red          1  yes",
        "red   (1, 0, 0, 1)",
    ] {
        assert!(text.contains(part), "{part}: {text}");
    }
}

#[test]
fn dump_shows_the_term() {
    let folder = Folder::with_cube();
    let text = folder.run(["dump", "cube.wings"]).ends(0).out;
    assert!(text.starts_with("{wings,\n 2,\n") && text.ends_with(".\n"), "{text}");
    let line = folder.run(["dump", "--layout", "compact", "cube.wings"]).ends(0).out;
    assert!(line.starts_with("{wings,2,{[{object,\"Cube\",{winged,") && line.lines().count() == 1, "{line}");
    let short = folder.run(["dump", "--max-binary", "4", "cube.wings"]).ends(0).out;
    assert!(short.contains("24 bytes, fnv1a") && !text.contains("fnv1a"), "{short}");
    let json = folder.run(["dump", "--json", "cube.wings"]).ends(0).object();
    assert_eq!(json["schema"], "mapwright.dump/1");
    assert_eq!((&json["term"]["tuple"][0], &json["term"]["tuple"][1]), (&"wings".into(), &2.into()));
}

#[test]
fn dump_prints_schemas() {
    let folder = Folder::new();
    for format in ["wings", "vmap", "dmx", "wwd", "wmp", "wrp", "rez", "etf"] {
        let schema = folder.run(["dump", "--schema", format]).ends(0).out;
        let schema: serde_json::Value = serde_json::from_str(&schema).unwrap();
        assert_eq!(schema["$id"], format!("urn:mapwright:dump:1:{format}"));
    }
    assert!(folder.run(["dump", "--schema", "obj"]).ends(7).talk.contains("obj files cannot be dumped"));
    folder.run(["dump", "--schema", "wwd", "level.wwd"]).ends(2);
    folder.run(["dump"]).ends(2);
}

#[test]
fn dump_accepts_any_term() {
    let folder = Folder::new();
    let done = folder.pipe(b"\x83h\x02d\x00\x02hik\x00\x03\x01\x02\x03", ["dump", "-"]).ends(0);
    assert_eq!(done.out, "{hi,[1,2,3]}.\n");
    folder.write("cube.obj", crate::folder::CUBE_OBJ);
    assert!(folder.run(["dump", "cube.obj"]).ends(7).talk.contains("obj files cannot be dumped"));
    // Nor is it read for that.
    folder.write("broken.gltf", r#"{"asset":{"version":"2.0"},"buffers":[{"uri":"none.bin","byteLength":4}]}"#);
    folder.run(["dump", "broken.gltf"]).ends(7);
}

#[test]
fn roundtrip_is_exact() {
    let folder = Folder::with_cube();
    let done = folder.run(["roundtrip", "cube.wings"]).ends(0);
    assert!(done.out.starts_with("cube.wings: byte for byte, wings, "), "{done:?}");
    assert_eq!(folder.run(["roundtrip", "-q", "cube.wings"]).ends(0).out, "");
    let json = folder.run(["roundtrip", "--json", "cube.wings"]).ends(0).object();
    assert_eq!((&json["schema"], &json["result"]), (&"mapwright.roundtrip/1".into(), &"exact".into()));
    assert!(
        folder.run(["roundtrip", "cube.obj"]).ends(7).talk.contains("obj files cannot be written back byte for byte")
    );
}

#[test]
fn roundtrip_ends_with_a_summary_of_the_files() {
    let folder = Folder::with_cube();
    let whole = folder.read("cube.wings");
    folder.write("cut.wings", &whole[..whole.len() - 1]);
    let done = folder.run(["roundtrip", "cut.wings"]).ends(4);
    assert!(done.out.is_empty() && done.talk.contains("error[truncated]"), "{done:?}");
    folder.run(["roundtrip", "--quiet", "cut.wings"]).ends(4);
    folder.run(["roundtrip", "cube.wings", "cube.wings"]).ends(0);
    let done = folder.run(["roundtrip", "cut.wings", "cube.wings"]).ends(8);
    assert!(done.talk.ends_with("1 ok, 1 failed\n"), "{}", done.talk);
}

#[test]
fn check_counts_what_it_finds() {
    let folder = Folder::with_cube();
    let done = folder.run(["check", "cube.wings"]).ends(0);
    assert!(done.out.starts_with("cube.wings: "), "{done:?}");
    let json = folder.run(["check", "--json", "cube.wings"]).ends(0).object();
    assert_eq!((&json["schema"], &json["errors"]), (&"mapwright.check/1".into(), &0.into()));
    assert!(json["findings"].is_array() && json["content_searched"] == false);
}

#[test]
fn check_exits_with_9_on_errors_and_with_strict_on_warnings() {
    let folder = Folder::new();
    // A float that is not finite, which only the lenient mode reads.
    folder.write("nan.etf", [&[131, 70][..], &f64::NAN.to_be_bytes()].concat());
    folder.run(["check", "nan.etf"]).ends(4);
    let done = folder.run(["check", "--lenient", "nan.etf"]).ends(9);
    assert!(done.out.contains("error[not-finite]"), "{done:?}");
    assert!(folder.run(["check", "--lenient", "--quiet", "nan.etf"]).ends(9).out.contains("error[not-finite]"));
    let json = folder.run(["check", "--lenient", "--json", "nan.etf"]).ends(9).object();
    assert_eq!((&json["errors"], &json["findings"][0]["code"]), (&1.into(), &"not-finite".into()));
    assert_eq!((&json["findings"][0]["offset"], &json["findings"][0]["space"]), (&1.into(), &"file".into()));
    // Text and binary floats in one term: {1.0,1.0}.
    let text = [&b"\x631.00000000000000000000e+00"[..], &[0; 5]].concat();
    folder.write("mixed.etf", [b"\x83h\x02", &text[..], &[70], &1.0_f64.to_be_bytes()].concat());
    let done = folder.run(["check", "mixed.etf"]).ends(0);
    assert!(done.out.contains("warning[mixed-floats]"), "{done:?}");
    assert_eq!(folder.run(["check", "--quiet", "mixed.etf"]).ends(0).out, "");
    assert!(folder.run(["check", "--strict", "--quiet", "mixed.etf"]).ends(9).out.contains("warning[mixed-floats]"));
}

#[test]
fn formats_are_listed() {
    let folder = Folder::new();
    let text = folder.run(["formats"]).ends(0).out;
    let json = folder.run(["formats", "--json"]).ends(0).object();
    assert_eq!(json["schema"], "mapwright.formats/1");
    for format in json["formats"].as_array().unwrap() {
        assert!(text.contains(format["name"].as_str().unwrap()));
        assert!(format["extensions"].as_array().is_some_and(|all| !all.is_empty()));
    }
    let names: Vec<&str> = json["formats"].as_array().unwrap().iter().filter_map(|row| row["name"].as_str()).collect();
    assert_eq!(
        names,
        [
            "wings",
            "vmap",
            "vmf",
            "dmx",
            "kv2",
            "wwd",
            "wmp",
            "wrp",
            "rez",
            "etf",
            "glb",
            "gltf",
            "obj",
            "map",
            "tmx",
            "tmj",
            "asc",
            "tif",
            "heightpng",
            "xyz",
            "bil",
            "flt",
            "r16",
            "r32",
            "cellpng"
        ]
    );
}

#[test]
fn every_command_has_help_with_examples() {
    let folder = Folder::new();
    for command in [
        "info",
        "convert",
        "check",
        "edit",
        "query",
        "diff",
        "merge",
        "render",
        "dump",
        "build",
        "roundtrip",
        "extract",
        "rescue",
        "formats",
    ] {
        for option in ["-h", "--help"] {
            let help = folder.run([command, option]).ends(0).out;
            assert!(help.contains("Examples:") && help.contains(&format!("mapwright {command}")), "{help}");
        }
    }
    for option in ["-h", "--help"] {
        assert!(folder.run([option]).ends(0).out.contains("Examples:"));
    }
    assert!(folder.run(["--version"]).ends(0).out.starts_with("mapwright "));
}

#[test]
fn short_help_fits_on_one_screen() {
    let folder = Folder::new();
    let overview = folder.run(["-h"]).ends(0).out;
    let commands = overview.split_once("Commands:").unwrap().1.lines().skip(1).take_while(|line| !line.is_empty());
    let names = commands.filter(|line| line.starts_with("  ") && !line.starts_with("   "));
    let names: Vec<&str> = names.map(|line| line.split_whitespace().next().unwrap()).collect();
    assert!(names.contains(&"convert") && names.contains(&"man"), "{names:?}");
    for command in names.iter().filter(|name| **name != "help") {
        let help = folder.run([command, "-h"]).ends(0).out;
        assert!(help.lines().count() <= 45, "{command}: {} lines\n{help}", help.lines().count());
        assert!(!help.contains("--limit-input"), "{help}");
    }
    assert!(overview.lines().count() <= 45, "{overview}");
}

#[test]
fn long_help_groups_options_by_format() {
    let folder = Folder::new();
    let help = folder.run(["convert", "--help"]).ends(0).out;
    for heading in [
        "Selection:",
        "Units and axes:",
        "Source 2 maps (vmap, kv2):",
        "Heightmaps and terrains (asc, tif, heightpng, xyz, bil, flt, r16, r32, wrp):",
    ] {
        assert!(help.contains(heading), "{heading}: {help}");
    }
    let (own, shared) = help.split_once("Common options:").unwrap();
    assert!(own.contains("--strict") && !own.contains("--limit-input") && shared.contains("--limit-input"), "{help}");
    assert!(folder.run(["--help"]).ends(0).out.contains("Exit status:"));
    assert!(help.lines().all(|line| line.chars().count() <= 120), "texts are wrapped where the terminal ends");
}
