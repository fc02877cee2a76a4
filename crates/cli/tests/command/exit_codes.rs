//! Every exit code, and what is said with it.

use crate::folder::Folder;

#[test]
fn code_1_a_file_cannot_be_read_or_written() {
    let folder = Folder::with_cube();
    let done = folder.run(["info", "nothing.wings"]).ends(1);
    assert!(done.talk.starts_with("error[io]: ") && done.talk.contains("--> nothing.wings"), "{}", done.talk);
    folder.run(["convert", "cube.wings", "-o", "no/such/folder/a.obj"]).ends(1);
    folder.run(["convert", "cube.wings", "-o", "cube.obj"]).ends(1);
}

#[test]
fn code_2_the_command_line_is_wrong() {
    let folder = Folder::with_cube();
    folder.run(["info"]).ends(2);
    folder.run(["info", "--no-such-option", "cube.wings"]).ends(2);
    folder.run(["info", "--from", "docx", "cube.wings"]).ends(2);
    folder.run(["--jobs", "0", "cube.wings"]).ends(2);
    folder.run(["convert", "cube.wings"]).ends(2);
    folder.run(["convert", "cube.wings", "-o", "cube"]).ends(2);
    folder.run(["convert", "cube.wings", "-o", "cube.docx"]).ends(2);
    folder.run(["convert", "cube.wings", "-o", "a.glb", "-d", "b"]).ends(2);
    folder.run(["convert", "cube.wings", "cube.obj", "-o", "a.glb"]).ends(2);
    folder.run(["convert", "cube.wings", "-d", "b"]).ends(2);
    folder.run(["convert", "cube.wings", "-o", "-"]).ends(2);
    folder.run(["convert", "cube.wings", "-o", "a.glb", "--report", "-"]).ends(2);
    folder.run(["convert", "cube.wings", "--only", "Sphere", "-o", "a.glb"]).ends(2);
    folder.run(["convert", "cube.wings", "--scale", "0", "-o", "a.glb"]).ends(2);
    let done = folder.run(["convert", "cube.wings", "--to", "obj", "-o", "a.glb"]).ends(2);
    assert!(done.talk.contains("the extension of a.glb is that of glb, but --to is obj"), "{}", done.talk);
    let none: [&str; 0] = [];
    folder.run(none).ends(2);
    assert_eq!(folder.names(), ["cube.mtl", "cube.obj", "cube.wings"]);
}

#[test]
fn code_3_strict_and_something_would_be_lost() {
    let folder = Folder::new();
    folder.write("curve.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\nl 1 2\n");
    let done = folder.run(["convert", "--strict", "curve.obj", "-o", "a.glb"]).ends(3);
    assert!(done.talk.contains("error[losses]") && done.talk.contains("dropped"), "{}", done.talk);
    let done = folder.run(["convert", "-q", "--strict", "curve.obj", "-o", "a.glb"]).ends(3);
    assert_eq!(done.talk, "error[losses]: 1 loss with --strict\n  --> curve.obj\n");
    assert_eq!(folder.names(), ["curve.obj"]);
    folder.run(["convert", "curve.obj", "-o", "a.glb"]).ends(0);
    // Polygons that other programs see as triangles, and edges that are said one by one, are all there.
    folder.write("quad.obj", "v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nf 1 2 3 4\n");
    let done = folder.run(["convert", "--strict", "quad.obj", "-o", "quad.glb"]).ends(0);
    assert!(done.talk.contains("preserved     2, such as"), "{}", done.talk);
}

#[test]
fn code_4_the_input_is_damaged() {
    let folder = Folder::with_cube();
    let whole = folder.read("cube.wings");
    folder.write("cut.wings", &whole[..whole.len() - 1]);
    let done = folder.run(["info", "cut.wings"]).ends(4);
    for part in ["error[truncated]", "--> cut.wings at offset 15 (0xf) in header", "00000000  23 21 57", "^^"] {
        assert!(done.talk.contains(part), "{part}: {}", done.talk);
    }
    assert_eq!(done.out, "");
    let json = folder.run(["--json", "cut.wings"]).ends(4).object();
    assert_eq!((&json["schema"], &json["exit"]), (&"mapwright.error/1".into(), &4.into()));
    assert_eq!((&json["category"], &json["offset"]), (&"truncated".into(), &15.into()));
    assert_eq!(json["path"], "header");
    folder.write("bad.gltf", "{\"asset\": {\"version\": \"2.0\"},\n\"nodes\": x}\n");
    let done = folder.run(["info", "bad.gltf"]).ends(4);
    assert!(done.talk.contains("line 2") && done.talk.contains("| 2  \"nodes\": x}"), "{}", done.talk);
    folder.write("empty.wings", "");
    folder.run(["info", "empty.wings"]).ends(4);
}

#[test]
fn code_5_the_format_is_not_known() {
    let folder = Folder::new();
    folder.write("random.bin", [0x17, 0x99, 0x00, 0xfe]);
    folder.write("empty", "");
    let done = folder.run(["info", "random.bin"]).ends(5);
    assert!(done.talk.contains("error[unknown-format]") && done.talk.contains("help: "), "{}", done.talk);
    let done = folder.run(["info", "empty"]).ends(4);
    assert!(done.talk.contains("error[truncated]: the file is empty"), "{}", done.talk);
    folder.pipe(b"", ["info", "-"]).ends(4);
    folder.run(["info", "."]).ends(5);
}

#[test]
fn code_6_a_limit_is_exceeded_and_can_be_raised() {
    let folder = Folder::with_cube();
    for limit in ["--limit-input=100", "--limit-inflated=100", "--limit-items=10", "--limit-depth=2"] {
        let done = folder.run([limit, "cube.wings"]).ends(6);
        let option = limit.split('=').next().unwrap();
        assert!(done.talk.contains("error[limit]") && done.talk.contains(option), "{limit}: {}", done.talk);
    }
    folder
        .run(["--limit-input=1M", "--limit-inflated=1M", "--limit-items=1M", "--limit-depth=200k", "cube.wings"])
        .ends(0);
}

#[test]
fn code_6_formats_for_interchange_have_the_same_limits() {
    let folder = Folder::with_cube();
    folder.write("groups.obj", format!("v 0 0 0\nv 1 0 0\nv 0 1 0\n{}", "o a\nf 1 2 3\n".repeat(100_001)));
    let done = folder.run(["check", "groups.obj"]).ends(6);
    assert!(done.talk.contains("--limit-items"), "{}", done.talk);
    folder.run(["check", "-q", "--limit-items=200k", "groups.obj"]).ends(0);
    folder.run(["convert", "cube.obj", "-o", "cube.glb"]).ends(0);
    for limit in ["--limit-items", "--limit-inflated"] {
        let done = folder.run([limit, "3", "cube.glb"]).ends(6);
        assert!(done.talk.contains(limit), "{}", done.talk);
    }
    // A file that is not there is not a damaged one.
    folder.run(["convert", "cube.obj", "-o", "a.gltf"]).ends(0);
    std::fs::remove_file(folder.at("a.bin")).unwrap();
    let done = folder.run(["info", "a.gltf"]).ends(1);
    assert!(done.talk.contains("a.bin") && done.talk.contains("help: "), "{}", done.talk);
}

#[test]
fn code_7_the_format_cannot_do_that() {
    let folder = Folder::with_cube();
    let done = folder.run(["convert", "cube.wings", "--to", "etf", "-o", "cube.etf"]).ends(7);
    assert!(done.talk.contains("cannot convert wings to etf"), "{}", done.talk);
    folder.write("a.etf", [131, 106]);
    folder.run(["convert", "a.etf", "-o", "a.glb"]).ends(7);
    folder.run(["convert", "cube.wings", "--target-up", "z", "-o", "cube.glb"]).ends(7);
    for scale in ["1e39", "1e-46"] {
        let done = folder.run(["convert", "cube.wings", "--scale", scale, "-o", "cube.glb"]).ends(7);
        assert!(done.talk.contains(&format!("error[unsupported]: -{scale} is out of range")), "{}", done.talk);
    }
}

#[test]
fn code_8_some_of_many_fail_and_the_rest_is_done() {
    let folder = Folder::with_cube();
    folder.write("bad.wings", "#!WINGS-1.0\r\n\x1a\x04");
    for verb in ["info", "check", "roundtrip", "dump"] {
        let done = folder.run([verb, "bad.wings", "cube.wings"]).ends(8);
        assert!(done.talk.contains("bad.wings") && !done.out.is_empty(), "{verb}: {done:?}");
    }
    let done = folder.run(["convert", "bad.wings", "cube.wings", "-d", "out", "--to", "glb"]).ends(8);
    assert!(
        done.talk.ends_with("1 ok, 1 failed\n") || done.talk.ends_with("1 with losses, 1 failed\n"),
        "{}",
        done.talk
    );
    assert!(folder.read("out/cube.glb").starts_with(b"glTF"));
    let done = folder.run(["info", "--fail-fast", "--jobs", "1", "bad.wings", "cube.wings"]).ends(8);
    assert_eq!(done.out, "");
}

#[test]
fn a_mistyped_command_runs_nothing() {
    let folder = Folder::with_cube();
    let done = folder.run(["covert", "cube.wings", "cube.glb"]).ends(2);
    assert!(done.talk.contains("unknown command `covert`") && done.talk.contains("`mapwright convert`"), "{done:?}");
    assert_eq!((done.out.as_str(), folder.names().len()), ("", 3));
    let done = folder.run(["chekc", "cube.obj"]).ends(2);
    assert!(done.talk.contains("`mapwright check`"), "{done:?}");
    let done = folder.run(["info", "nofile"]).ends(1);
    assert!(!done.talk.contains("command"), "{done:?}");
}

#[test]
fn a_mistyped_file_gets_a_suggestion() {
    let folder = Folder::with_cube();
    for args in [&["cub.wings"][..], &["info", "cub.wings"], &["convert", "cub.wings", "a.glb"]] {
        let done = folder.run(args).ends(1);
        assert!(done.talk.contains("help: did you mean `cube.wings`?"), "{done:?}");
    }
}
