//! Conversions, and what they leave behind.

use std::path::Path;

use crate::folder::{CUBE_OBJ, Done, Folder};

/// A PNG of one pixel.
const PNG: &[u8] = b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\0\x01\0\0\0\x01\x08\x02\0\0\0\x90wS\xde\0\0\0\x0cIDATx\x9cc\xf8\xcf\xc0\0\0\x03\x01\x01\0\xc9\xfe\x92\xef\0\0\0\0IEND\xaeB`\x82";

/// A BMP of one pixel.
fn bmp([blue, green, red]: [u8; 3]) -> Vec<u8> {
    let words = |words: &[u32]| words.iter().flat_map(|word| word.to_le_bytes()).collect::<Vec<u8>>();
    let head = words(&[58, 0, 54, 40, 1, 1, 1 | 24 << 16, 0, 4, 0, 0, 0, 0]);
    [&b"BM"[..], &head, &[blue, green, red, 0]].concat()
}

#[test]
fn a_model_goes_through_every_format_and_comes_back() {
    let folder = Folder::with_cube();
    for (from, to) in [
        ("cube.wings", "a.glb"),
        ("a.glb", "b.gltf"),
        ("b.gltf", "c.obj"),
        ("c.obj", "d.wings"),
        ("d.wings", "e.wings"),
    ] {
        folder.run(["convert", from, "-o", to]).ends(0);
        let info = folder.run(["--json", to]).ends(0).object();
        let totals = if to.ends_with("wings") { &info["wings"]["totals"] } else { &info["scene"]["totals"] };
        assert_eq!((&totals["vertices"], &totals["faces"]), (&8.into(), &6.into()), "{from} to {to}: {info}");
        folder.run(["check", to]).ends(0);
    }
    folder.run(["roundtrip", "d.wings", "e.wings"]).ends(0);
    assert!(folder.names().contains(&"b.bin".to_owned()) && folder.names().contains(&"c.mtl".to_owned()));
}

#[test]
fn two_files_are_an_input_and_its_output() {
    let folder = Folder::with_cube();
    folder.run(["convert", "cube.wings", "out.glb"]).ends(0);
    assert!(folder.read("out.glb").starts_with(b"glTF"));
    // The second is never taken for an input, even if it is there.
    folder.run(["convert", "cube.wings", "out.glb"]).ends(1);
    folder.run(["convert", "cube.wings", "cube.wings"]).ends(2);
    folder.run(["convert", "cube.wings"]).ends(2);
    folder.run(["convert", "cube.wings", "out.glb", "other.glb"]).ends(2);
}

#[test]
fn two_files_are_both_inputs_where_the_format_or_a_dry_run_is_asked_for() {
    let folder = Folder::with_cube();
    folder.run(["convert", "cube.wings", "-o", "b.wings"]).ends(0);
    let before = folder.read("b.wings");
    let done = folder.run(["convert", "--force", "--to", "obj", "cube.wings", "b.wings"]).ends(2);
    assert!(done.talk.contains("no output given"), "{}", done.talk);
    for (inputs, help) in [
        (&["cube.wings", "new.png"][..], "-o new.png"),
        (&["cube.wings", "-"], "-d DIR"),
        (&[".", "new.png"], "-d DIR"),
        (&["cube.wings", "b.wings", "new.png"], "-d DIR"),
    ] {
        let done = folder.run([&["render"], inputs].concat()).ends(2);
        assert!(done.talk.contains(help), "{}", done.talk);
    }
    assert_eq!(folder.read("b.wings"), before);
    let done = folder.run(["convert", "--dry-run", "--json", "cube.wings", "b.wings"]).ends(0);
    assert_eq!(done.out.lines().count(), 2);
    folder.run(["convert", "--to", "obj", "cube.wings", "b.wings", "-d", "out"]).ends(0);
    assert!(folder.at("out/cube.obj").exists() && folder.at("out/b.obj").exists());
}

#[test]
fn equal_inputs_give_equal_bytes() {
    let folder = Folder::with_cube();
    for to in ["glb", "wings", "obj"] {
        let output = |name: &str| format!("{name}/cube.{to}");
        for name in ["one", "two"] {
            folder.run(["convert", "cube.wings", "-d", name, "--to", to]).ends(0);
        }
        assert_eq!(folder.read(output("one")), folder.read(output("two")), "{to}");
    }
}

#[test]
fn nothing_is_overwritten_without_force() {
    let folder = Folder::with_cube();
    folder.write("a.glb", "old");
    let done = folder.run(["convert", "cube.wings", "-o", "a.glb"]).ends(1);
    assert!(done.talk.contains("a.glb exists already") && done.talk.contains("--force"), "{}", done.talk);
    assert_eq!(folder.read("a.glb"), b"old");
    folder.run(["convert", "cube.wings", "-o", "a.glb", "--force"]).ends(0);
    assert!(folder.read("a.glb").starts_with(b"glTF"));
    // Nor is a file beside it; then nothing is written at all.
    folder.write("b.mtl", "old");
    folder.run(["convert", "cube.wings", "-o", "b.obj"]).ends(1);
    assert_eq!((folder.read("b.mtl"), folder.at("b.obj").exists()), (b"old".to_vec(), false));
}

#[test]
fn the_input_is_never_overwritten() {
    let folder = Folder::with_cube();
    let before = folder.read("cube.wings");
    for output in ["cube.wings", "./cube.wings", "../cube.wings"] {
        let output =
            if output.starts_with("..") { folder.at("cube.wings").display().to_string() } else { output.into() };
        let done = folder.run(["convert", "cube.wings", "--force", "-o", &output]).ends(2);
        assert!(done.talk.contains("would be overwritten"), "{}", done.talk);
    }
    #[cfg(unix)]
    {
        std::os::unix::fs::symlink("cube.wings", folder.at("link.wings")).unwrap();
        folder.run(["convert", "cube.wings", "--force", "-o", "link.wings"]).ends(2);
    }
    assert_eq!(folder.read("cube.wings"), before);
}

#[test]
fn a_failure_leaves_the_old_file() {
    let folder = Folder::with_cube();
    folder.write("a.glb", "old");
    folder.write("bad.gltf", "{\"asset\": {\"version\": \"2.0\"}, \"nodes\": [{\"mesh\": 7}]}");
    folder.run(["convert", "bad.gltf", "--force", "-o", "a.glb"]).ends(4);
    assert_eq!(folder.read("a.glb"), b"old");
    assert_eq!(folder.names(), ["a.glb", "bad.gltf", "cube.mtl", "cube.obj", "cube.wings"], "no temporary file stays");
}

#[test]
fn a_dry_run_writes_nothing_but_its_report() {
    let folder = Folder::with_cube();
    let args = ["convert", "--dry-run", "cube.wings", "-o", "a.obj", "--report", "r.json"];
    let done = folder.run(args).ends(0);
    assert!(done.talk.contains("(not written)"), "{}", done.talk);
    assert_eq!(folder.names(), ["cube.mtl", "cube.obj", "cube.wings", "r.json"]);
    let report: serde_json::Value = serde_json::from_slice(&folder.read("r.json")).unwrap();
    assert_eq!((&report["schema"], &report["written"]), (&"mapwright.convert/2".into(), &false.into()));
    assert_eq!((&report["source"]["faces"], &report["to"]), (&6.into(), &"obj".into()));
    let losses = report["losses"].as_array().unwrap().len() as u64;
    let counts = report["counts"].as_object().unwrap().values().filter_map(serde_json::Value::as_u64).sum::<u64>();
    assert_eq!(losses, counts);
    folder.run(args).ends(1);
    // There is no need to say where it would be written.
    let done = folder.run(["convert", "--dry-run", "cube.wings"]).ends(0);
    assert!(done.talk.starts_with("cube.wings → glb (not written)"), "{}", done.talk);
    let done = folder.run(["convert", "--dry-run", "--json", "--to", "obj", "."]).ends(0);
    assert!(done.json().iter().all(|line| line["to"] == "obj" && line["outputs"] == serde_json::json!([])), "{done:?}");
    assert_eq!(folder.names(), ["cube.mtl", "cube.obj", "cube.wings", "r.json"]);
}

#[test]
fn losses_are_summarized_on_stderr_and_complete_in_json() {
    let folder = Folder::new();
    folder.write("curve.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\nl 1 2\n");
    let done = folder.run(["convert", "curve.obj", "-o", "a.glb"]).ends(0);
    assert_eq!((done.out.as_str(), done.talk.lines().count()), ("", 4), "{}", done.talk);
    assert!(done.talk.contains("dropped       1, such as"), "{}", done.talk);
    let json = folder.run(["convert", "--json", "curve.obj", "-o", "b.glb"]).ends(0).object();
    assert_eq!((&json["counts"]["dropped"], &json["losses"][0]["kind"]), (&1.into(), &"dropped".into()));
    assert_eq!(json["outputs"][0]["path"], "b.glb");
    assert_eq!(folder.run(["convert", "-q", "curve.obj", "-o", "c.glb"]).ends(0).talk, "");
}

#[test]
fn size_and_axes_can_be_changed() {
    let folder = Folder::new();
    folder.write("a.obj", "o T\nv 1 2 3\nv 2 2 3\nv 1 3 3\nf 1 2 3\n");
    let first_vertex = |args: &[&str]| {
        let all = [&["convert", "a.obj", "-q", "-f", "-o", "b.obj"], args].concat();
        folder.run(all).ends(0);
        let text = String::from_utf8(folder.read("b.obj")).unwrap();
        text.lines().find(|line| line.starts_with("v ")).unwrap().to_owned()
    };
    assert_eq!(first_vertex(&[]), "v 1.0 2.0 3.0");
    assert_eq!(first_vertex(&["--scale", "0.5"]), "v 0.5 1.0 1.5");
    assert_eq!(first_vertex(&["--source-up", "z"]), "v 1.0 3.0 -2.0");
    assert_eq!(first_vertex(&["--target-up", "z"]), "v 1.0 -3.0 2.0");
    assert_eq!(first_vertex(&["--source-up", "z", "--target-up", "z"]), "v 1.0 2.0 3.0");
}

#[test]
fn single_objects_are_converted_by_name() {
    let folder = Folder::new();
    folder.write("two.obj", "o A\nv 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\no B\nv 0 0 1\nv 1 0 1\nv 0 1 1\nf 4 5 6\n");
    folder.run(["convert", "two.obj", "--only", "B", "-o", "b.wings"]).ends(0);
    // Excluded objects are no losses.
    folder.run(["convert", "b.wings", "two.obj", "-d", "glb", "--to", "glb"]).ends(0);
    folder.write(
        "lit.gltf",
        r#"{"asset":{"version":"2.0"},"extensionsUsed":["KHR_lights_punctual"],"scene":0,
        "scenes":[{"nodes":[0,1]}],"nodes":[{"name":"place"},
        {"name":"lamp","extensions":{"KHR_lights_punctual":{"light":0}}}],
        "extensions":{"KHR_lights_punctual":{"lights":[{"type":"point"}]}}}"#,
    );
    folder.run(["convert", "--strict", "lit.gltf", "-o", "lit.obj"]).ends(7);
    let nothing = folder.run(["convert", "--exclude", "*", "two.obj", "-o", "none.glb"]).ends(2);
    assert!(nothing.talk.contains("the selection leaves no object"), "{nothing:?}");
    folder.write("invalid.obj", "v 0 0 0\nf 1 2 3\n");
    let invalid = folder.run(["convert", "invalid.obj", "-o", "none.glb"]).ends(7);
    assert!(invalid.talk.contains("1 × face with an invalid vertex"), "{invalid:?}");
    assert!(!folder.at("none.glb").exists());
    folder.run(["convert", "--strict", "--allow-empty", "lit.gltf", "-o", "lit.obj"]).ends(3);
    let done =
        folder.run(["convert", "--strict", "lit.gltf", "--only", "place", "--to", "glb", "-o", "place.glb"]).ends(0);
    assert!(done.talk.contains("source        1 node\n"), "{}", done.talk);
    let info = folder.run(["--json", "b.wings"]).ends(0).object();
    assert_eq!((&info["wings"]["totals"]["objects"], &info["wings"]["objects"][0]["name"]), (&1.into(), &"B".into()));
}

#[test]
fn folders_keep_their_shape() {
    let folder = Folder::new();
    std::fs::create_dir_all(folder.at("in/sub")).unwrap();
    for name in ["in/a.obj", "in/sub/a.obj"] {
        folder.write(name, CUBE_OBJ);
    }
    folder.write("in/readme.txt", "not a model");
    let done = folder.run(["convert", "in", "-d", "out", "--to", "wings", "--report", "r.json"]).ends(0);
    assert!(done.talk.ends_with("1 skipped (no known format)\n"), "{}", done.talk);
    assert!(folder.at("out/a.wings").exists() && folder.at("out/sub/a.wings").exists());
    assert_eq!(String::from_utf8(folder.read("r.json")).unwrap().lines().count(), 2);
}

#[test]
fn outputs_are_not_read_as_inputs() {
    let folder = Folder::new();
    folder.write("a.obj", CUBE_OBJ);
    for _ in 0..2 {
        let done = folder.run(["convert", "--force", ".", "-d", "out", "--to", "glb"]).ends(0);
        assert_eq!(done.talk.lines().filter(|line| line.contains('→')).count(), 1, "{}", done.talk);
    }
    assert!(folder.at("out/a.glb").exists() && !folder.at("out/out").exists());
    // Into the folder that is read, by two names, or the one above it.
    folder.write("out/b.obj", CUBE_OBJ);
    let out = folder.at("out");
    for target in [Path::new("."), &out, Path::new("..")] {
        for _ in 0..2 {
            let args = ["convert", "--force", ".", "--to", "wings", "-d"];
            let done: Done = folder.command(args).arg(target).current_dir(&out).output().unwrap().into();
            let done = done.ends(0);
            assert_eq!(done.talk.lines().filter(|line| line.contains('→')).count(), 2, "{target:?}: {}", done.talk);
        }
        for name in ["a.wings", "b.wings"] {
            std::fs::remove_file(out.join(target).join(name)).unwrap();
        }
    }
}

#[test]
fn two_inputs_never_become_one_file() {
    let folder = Folder::with_cube();
    folder.run(["convert", "cube.obj", "cube.wings", "-d", "out", "--to", "glb"]).ends(0);
    assert!(folder.at("out/cube.obj.glb").exists() && folder.at("out/cube.wings.glb").exists());
    let again = ["convert", "cube.obj", "cube.wings", "-d", "out", "--to", "glb", "--skip-existing"];
    let done = folder.run(again).ends(0);
    assert_eq!(done.talk, "2 skipped (output exists)\n");
}

/// A triangle with the texture `tex.img`.
fn textured(folder: &Folder, names: &[&str]) {
    folder.write("m.mtl", "newmtl m\nmap_Kd tex.img\n");
    folder.write("tex.img", PNG);
    for name in names {
        folder.write(name, "mtllib m.mtl\nv 0 0 0\nv 1 0 0\nv 0 1 0\nvt 0 0\nusemtl m\nf 1/1 2/1 3/1\n");
    }
}

#[test]
fn outputs_never_share_a_name_with_their_side_files() {
    let folder = Folder::with_cube();
    for (output, to) in [("out.mtl", "obj"), ("out.bin", "gltf")] {
        for force in [&["--force"][..], &[]] {
            let args = [&["convert", "cube.obj", "-o", output, "--to", to], force].concat();
            assert!(folder.run(args).ends(2).talk.contains("twice"));
        }
    }
    assert_eq!(folder.names(), ["cube.mtl", "cube.obj", "cube.wings"]);
}

#[test]
fn nothing_that_is_read_is_overwritten() {
    let folder = Folder::with_cube();
    textured(&folder, &["m.obj"]);
    folder.run(["convert", "cube.obj", "-o", "cube.glb"]).ends(0);
    std::fs::create_dir(folder.at("d")).unwrap();
    std::fs::copy(folder.at("cube.glb"), folder.at("d/cube.wings.glb")).unwrap();
    let read_all = || {
        let mut names = folder.names();
        names.retain(|name| name != "d");
        names.push("d/cube.wings.glb".to_owned());
        names.iter().map(|name| folder.read(name)).collect::<Vec<Vec<u8>>>()
    };
    let before = read_all();
    for args in [
        // Another input, which comes later.
        &["cube.wings", "d/cube.wings.glb", "cube.obj", "-d", "d", "--to", "glb"][..],
        // The library of the input.
        &["cube.obj", "-o", "m.glb", "--report", "cube.obj"],
        &["cube.obj", "-o", "m.glb", "--report", "m.glb"],
        // Files that the input names.
        &["m.obj", "-o", "m.mtl", "--to", "glb"],
        &["m.obj", "-o", "tex.img", "--to", "wings"],
    ] {
        let done = folder.run([&["convert", "--force"], args].concat());
        assert!(matches!(done.code, Some(2 | 8)), "{args:?}: {done:?}");
        assert!(done.talk.contains("would be overwritten"), "{args:?}: {}", done.talk);
    }
    // Written as a report only when all else is done.
    let done = folder.run(["convert", "--force", "m.obj", "-o", "n.glb", "--report", "tex.img"]).ends(2);
    assert!(done.talk.contains("would be overwritten"), "{}", done.talk);
    std::fs::remove_file(folder.at("n.glb")).unwrap();
    assert_eq!(before, read_all());
}

#[test]
fn side_files_never_replace_what_later_inputs_read() {
    let folder = Folder::with_cube();
    std::fs::copy(folder.at("cube.wings"), folder.at("m.wings")).unwrap();
    textured(&folder, &["later.obj"]);
    let library = folder.read("m.mtl");
    let run = |later: &str| folder.run(["convert", "--force", "m.wings", later, "-d", ".", "--to", "obj"]);
    let done = run("later.obj").ends(8);
    assert!(done.talk.contains("m.mtl is an input or an earlier output"), "{}", done.talk);
    assert_eq!((folder.read("m.mtl"), folder.at("m.obj").exists()), (library.clone(), false));
    // The library itself as an input, of whatever format.
    run("m.mtl").ends(8);
    assert_eq!((folder.read("m.mtl"), folder.at("m.obj").exists()), (library.clone(), false));
    // Files that no input reads are replaced.
    std::fs::remove_file(folder.at("cube.obj")).unwrap();
    run("cube.wings").ends(0);
    assert!(folder.at("m.obj").exists() && folder.read("m.mtl") != library);
}

#[test]
fn an_image_of_several_inputs_is_written_if_one_of_them_fails() {
    let folder = Folder::new();
    textured(&folder, &["a.obj", "b.obj", "c.obj"]);
    std::fs::create_dir(folder.at("out")).unwrap();
    folder.write("out/a.obj", "old");
    let done = folder.run(["convert", "a.obj", "b.obj", "c.obj", "-d", "out", "--to", "obj"]).ends(8);
    assert!(done.talk.contains("exists already"), "{}", done.talk);
    assert!(folder.at("out/tex.png").exists());
    assert!(folder.at("out/b.obj").exists() && folder.at("out/c.obj").exists());
    // If two files differ, the later one gets another name, even if the first takes longer.
    let faces = "v 0 0 0\nv 1 0 0\nv 0 1 0\nf -3/1 -2/1 -1/1\n";
    let other = bmp([7, 8, 9]);
    for (name, times, image) in [("large", 10_000, PNG), ("small", 1, &*other)] {
        std::fs::create_dir(folder.at(name)).unwrap();
        folder.write(format!("{name}/m.mtl"), "newmtl m\nmap_Kd tex.png\n");
        folder.write(format!("{name}/tex.png"), image);
        folder.write(format!("{name}/{name}.obj"), format!("mtllib m.mtl\nvt 0 0\nusemtl m\n{}", faces.repeat(times)));
    }
    let args = ["convert", "--jobs", "2", "large/large.obj", "small/small.obj", "-d", "both", "--to", "obj"];
    let done = folder.run(args.into_iter().chain(["-v"])).ends(0);
    assert!(done.talk.contains("image \"tex.png\" renamed to \"small_tex.png\""), "{}", done.talk);
    assert_ne!(folder.read("both/tex.png"), folder.read("both/small_tex.png"));
    for (name, image) in [("large", "tex.png"), ("small", "small_tex.png")] {
        let library = String::from_utf8(folder.read(format!("both/{name}.mtl"))).unwrap();
        assert!(library.contains(&format!("map_Kd {image}\n")), "{library}");
    }
}

#[test]
fn standard_input_and_output_are_files_too() {
    let folder = Folder::with_cube();
    let done = folder.pipe(CUBE_OBJ.as_bytes(), ["convert", "-", "--to", "wings", "-o", "-"]).ends(0);
    assert!(done.bytes.starts_with(b"#!WINGS-1.0"), "{}", done.talk);
    let info = folder.pipe(&done.bytes, ["--json", "-"]).ends(0).object();
    assert_eq!((&info["file"], &info["wings"]["totals"]["faces"]), (&"standard input".into(), &6.into()));
    let done = folder.pipe(CUBE_OBJ.as_bytes(), ["convert", "-", "--to", "gltf", "-o", "-"]).ends(2);
    assert!(done.bytes.is_empty() && done.talk.contains("needs several files"), "{}", done.talk);
}

#[test]
fn images_of_other_folders_are_found_beside_the_file() {
    let folder = Folder::new();
    folder.write("tex.img", PNG);
    folder.write("cube.mtl", "newmtl red\nmap_Kd tex.img\n");
    folder.write("cube.obj", CUBE_OBJ);
    folder.run(["convert", "cube.obj", "-o", "a.glb"]).ends(0);
    let json = folder.run(["--json", "a.glb"]).ends(0).object();
    assert_eq!(json["scene"]["totals"]["images"], 1);
    // Other folders are read only on request.
    std::fs::create_dir(folder.at("sub")).unwrap();
    folder.write("sub/cube.mtl", "newmtl red\nmap_Kd ../tex.img\n");
    folder.write("sub/cube.obj", CUBE_OBJ);
    let images = |external: &str| {
        folder.run(["convert", "sub/cube.obj", "--external", external, "-f", "-o", "b.glb"]).ends(0);
        folder.run(["--json", "b.glb"]).ends(0).object()["scene"]["totals"]["images"].clone()
    };
    assert_eq!(["none", "beside", "any"].map(images), [0, 0, 1].map(serde_json::Value::from));
    // Text that only has the name or the signature of an image is not copied from anywhere.
    for secret in [b"the secret".to_vec(), [&PNG[..8], b"the secret"].concat(), b"BM the secret".to_vec()] {
        folder.write("tex.img", secret);
        assert_eq!(images("any"), 0);
        assert!(!folder.read("b.glb").windows(10).any(|bytes| bytes == b"the secret"));
    }
}

#[test]
fn documents_from_standard_input_read_no_other_files() {
    let folder = Folder::new();
    folder.write("tex.png", PNG);
    folder.write("cube.mtl", "newmtl red\nmap_Kd tex.png\n");
    let images = |args: &[&str]| {
        let args = ["convert", "--from", "obj", "-", "--to", "glb", "-f", "-o", "a.glb"].iter().chain(args);
        folder.pipe(CUBE_OBJ.as_bytes(), args).ends(0);
        folder.run(["--json", "a.glb"]).ends(0).object()["scene"]["totals"]["images"].clone()
    };
    assert_eq!((images(&[]), images(&["--external", "beside"])), (0.into(), 1.into()));
}

#[test]
fn raw_heights_are_written_for_engines_and_read_back() {
    let folder = Folder::new();
    folder.write("hill.asc", "ncols 3\nnrows 2\nxllcorner 200000\nyllcorner 0\ncellsize 10\n0 1 2\n3 4 255\n");
    let text = |name: &str| String::from_utf8(folder.read(name)).unwrap();
    let raw = ["--range", "0,65535", "--first-row", "south", "--byte-order", "big"];
    folder.run([&["convert", "hill.asc", "hill.r16"][..], &raw].concat()).ends(0);
    assert_eq!(folder.read("hill.r16"), [0, 3, 0, 4, 0, 255, 0, 0, 0, 1, 0, 2]);
    // The description beside the numbers states all of it.
    folder.run(["convert", "hill.r16", "again.asc"]).ends(0);
    let heights = "0.00 1.00 2.00 \n3.00 4.00 255.00 \n";
    assert!(text("again.asc").ends_with(heights), "{}", text("again.asc"));
    std::fs::remove_file(folder.at("hill.json")).unwrap();
    let unknown = folder.run(["convert", "hill.r16", "none.asc"]).ends(4);
    assert!(unknown.talk.contains("sizes that fit: 3x2") && unknown.talk.contains("--raw-size"), "{unknown:?}");
    let sized = [&["convert", "hill.r16", "sized.asc", "--raw-size", "3x2", "--cell", "10"][..], &raw].concat();
    folder.run(sized).ends(0);
    assert!(text("sized.asc").ends_with(heights));
    for (option, value, what) in [
        ("--raw-size", "3x2", "r16 and r32 as inputs"),
        ("--first-row", "south", "r16 and r32"),
        ("--byte-order", "big", "r16 and r32"),
        ("--for", "unity", "r16 as the output"),
    ] {
        let misplaced = folder.run(["convert", "hill.asc", "a.tif", option, value]).ends(2);
        assert!(misplaced.talk.contains(&format!("{option} applies to {what}")), "{misplaced:?}");
    }
    for (engine, bytes, words) in [
        ("unreal", 2 * 127 * 127, "enter in Unreal: scale X 15.873, Y 7.9365, Z 49.8063; location Z 12750"),
        ("unity", 2 * 33 * 33, "enter in Unity: terrain width 20, length 10, height 255; position Y 0"),
    ] {
        let name = format!("{engine}.r16");
        let made = folder.run(["convert", "hill.asc", &name, "--for", engine, "-v"]).ends(0);
        assert_eq!(folder.read(&name).len(), bytes);
        assert!(made.talk.contains(words) && made.talk.contains("3 × 2 heights resampled"), "{made:?}");
        folder.run(["convert", &name, &format!("{engine}.asc"), "--decimals", "all"]).ends(0);
    }
    // The heights of the corners stay.
    let rows = text("unity.asc");
    let first = rows.lines().find(|line| line.split(' ').count() > 30).unwrap();
    assert!(first.starts_with("0 ") && rows.trim_end().ends_with(" 255"), "{rows}");
    for name in ["b.bil", "f.flt", "r.r32"] {
        folder.run(["convert", "hill.asc", name]).ends(0);
        folder.run(["convert", name, "again.asc", "--force"]).ends(0);
        assert!(text("again.asc").ends_with(heights), "{name}");
    }
}

#[test]
fn heightmaps_are_converted_and_other_images_in_folders_are_not() {
    let folder = Folder::new();
    let asc = "ncols         2\nnrows         2\nxllcorner     200000.000000\nyllcorner     0.000000\n\
               cellsize      10.000000\nNODATA_value  -9999\n1.50 2.00 \n-74.80 3.25 \n";
    std::fs::create_dir(folder.at("hills")).unwrap();
    folder.write("hills/hill.asc", asc);
    folder.run(["convert", "hills/hill.asc", "hills/hill.tif"]).ends(0);
    folder.run(["convert", "hills/hill.tif", "again.asc"]).ends(0);
    assert_eq!(folder.read("again.asc"), asc.as_bytes());
    folder.run(["convert", "hills/hill.asc", "hills/hill.png"]).ends(0);
    assert!(folder.read("hills/hill.pgw").starts_with(b"10\n0\n0\n-10\n200005\n"));
    // An image that the command line names is a heightmap; one in a folder is a texture.
    folder.run(["convert", "hills/hill.png", "-o", "named.xyz"]).ends(0);
    assert!(folder.read("named.xyz").starts_with(b"200005 15 1.50\n"));
    std::fs::remove_file(folder.at("hills/hill.tif")).unwrap();
    folder.run(["convert", "hills", "-d", "out", "--to", "xyz"]).ends(0);
    folder.same("out/hill.xyz", "named.xyz");
    let failed = Folder::with_cube().run(["convert", "cube.obj", "cube.asc"]);
    assert!(failed.code == Some(7) && failed.talk.contains("asc files store terrain"), "{}", failed.talk);
}

#[test]
fn outputs_that_show_nothing_are_errors() {
    let folder = Folder::with_cube();
    let fixtures = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fixtures");
    for (fixture, name) in [("wrp/island.wrp", "island.wrp"), ("wmp/room.wmp", "room.wmp")] {
        folder.write(name, std::fs::read(fixtures.join(fixture)).unwrap());
    }
    folder.write("hill.asc", "ncols 2\nnrows 2\nxllcorner 0\nyllcorner 0\ncellsize 10\n1 2\n3 4\n");
    for (input, output, stored) in [
        ("cube.wings", "a.tmx", "tmx files store tile layers"),
        ("cube.wings", "a.wwd", "wwd files store tile layers"),
        ("island.wrp", "a.wings", "wings files store meshes"),
        ("hill.asc", "a.wings", "wings files store meshes"),
        ("cube.wings", "a.asc", "asc files store terrain"),
    ] {
        let failed = folder.run(["convert", input, output]).ends(7);
        assert!(failed.talk.contains(stored) && failed.talk.contains("--allow-empty"), "{failed:?}");
        assert!(!folder.at(output).exists());
    }
    let models = ["convert", "--only", "model=*", "room.wmp", "-o", "models.obj"];
    let failed = folder.run(models).ends(7);
    assert!(failed.talk.contains("contains entities"), "{failed:?}");
    folder.run(models.into_iter().chain(["--allow-empty"])).ends(0);
    // Bent quads are no brushes.
    folder.write("bent.obj", "v 0 0 0\nv 9 0 0\nv 9 9 1\nv 0 9 0\nf 1 2 3 4\n");
    folder.run(["convert", "bent.obj", "bent.map"]).ends(7);
}

#[test]
fn conversions_select_the_objects_of_queries() {
    let folder = Folder::with_cube();
    let fixtures = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fixtures");
    for (fixture, name) in [("wrp/island.wrp", "a.wrp"), ("wmp/room.wmp", "a.wmp"), ("wwd/claw.wwd", "a.wwd")] {
        folder.write(name, std::fs::read(fixtures.join(fixture)).unwrap());
    }
    for (file, query, kept) in [
        ("a.wrp", "not model=*briza*", "1 instance"),
        ("a.wrp", "index=0", "1 instance"),
        ("a.wmp", "kind=light", "1 light"),
        ("a.wmp", "flags=0", "brushes"),
        ("a.wwd", "logic=Elevator", "2 nodes"),
        ("a.wwd", "#3", "2 nodes"),
    ] {
        let found = folder.run(["query", "--json", query, file]).ends(0).object()["items"].as_array().unwrap().len();
        assert!(found > 0, "{query}");
        let done = folder.run(["convert", "--dry-run", "--to", "glb", "--only", query, file]).ends(0);
        assert!(done.talk.contains(kept), "{query}: {done:?}");
    }
    for option in ["--only", "--exclude"] {
        let failed = folder.run(["convert", option, "name=Cub", "cube.wings", "-o", "cube.glb"]).ends(2);
        assert!(failed.talk.contains("no object matches"), "{failed:?}");
    }
}

#[test]
fn files_of_interchange_formats_are_copied() {
    let folder = Folder::with_cube();
    textured(&folder, &["m.obj"]);
    std::fs::create_dir(folder.at("sub")).unwrap();
    folder.run(["convert", "m.obj", "sub/m.gltf"]).ends(0);
    let copied = |args: &[&str]| -> Vec<String> {
        let json = folder.run([&["info", "--json", "--force", "--copy-to", "out"], args].concat()).ends(0).object();
        let mut names: Vec<_> =
            json["copied"].as_array().unwrap().iter().map(|path| path.as_str().unwrap().to_owned()).collect();
        names.sort_unstable();
        names
    };
    assert_eq!(copied(&["m.obj"]), ["out/m.mtl", "out/m.obj", "out/tex.img"]);
    for name in ["m.obj", "m.mtl", "tex.img"] {
        assert!(folder.read(format!("out/{name}")) == folder.read(name), "{name}");
    }
    let gltf = copied(&["sub/m.gltf"]);
    assert!(gltf.contains(&"out/m.gltf".to_owned()) && gltf.contains(&"out/m.bin".to_owned()), "{gltf:?}");
    // Without other files, the file itself is copied.
    assert_eq!(copied(&["--external", "none", "m.obj"]), ["out/m.obj"]);
    assert_eq!(copied(&["cube.wings"]), ["out/cube.wings"]);
    // A text with a byte order mark is read as UTF-8, and copied as it is.
    let utf16: Vec<u8> =
        "\u{feff}v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n".encode_utf16().flat_map(u16::to_le_bytes).collect();
    folder.write("wide.obj", &utf16);
    assert_eq!(copied(&["--external", "none", "wide.obj"]), ["out/wide.obj"]);
    assert_eq!(folder.read("out/wide.obj"), utf16);
    let done = folder.pipe(&folder.read("m.obj"), ["info", "-", "--copy-to", "out"]).ends(7);
    assert!(done.talk.contains("no file to copy"), "{done:?}");
    // Copies never replace other files of the input.
    std::fs::create_dir(folder.at("sub/sub")).unwrap();
    folder.write("sub/t.obj", "mtllib sub/t.mtl\no T\nv 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n");
    folder.write("sub/sub/t.mtl", "newmtl a\n");
    folder.run(["info", "sub/t.obj", "--copy-to", "sub", "--force"]).ends(0);
    assert_eq!(folder.read("sub/sub/t.mtl"), b"newmtl a\n");
}
