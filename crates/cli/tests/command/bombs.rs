//! Small files that expand, with little memory: the command refuses them, and an allocation never aborts it.

use crate::folder::Folder;

#[test]
fn the_output_is_limited_by_an_option() {
    let folder = Folder::with_cube();
    for target in ["wings", "vmap", "kv2", "wmp", "wwd", "map", "glb", "gltf", "obj"] {
        let output = format!("small.{target}");
        let done = folder.run(["convert", "--allow-empty", "--limit-output", "20", "cube.obj", "-o", &output]).ends(6);
        assert!(done.talk.contains("--limit-output"), "{target}: {}", done.talk);
        folder.run(["convert", "--allow-empty", "-q", "--limit-output", "1M", "cube.obj", "-o", &output]).ends(0);
    }
    // In its own format a file is not estimated, but measured.
    folder.run(["convert", "--limit-output", "20", "cube.wings", "-o", "again.wings"]).ends(6);
    folder.run(["convert", "--limit-output", "1M", "cube.wings", "-o", "again.wings"]).ends(0);
}

/// Tests with limited memory, which need a shell.
#[cfg(unix)]
mod with_little_memory {
    use std::process::Command;

    use crate::folder::Folder;

    /// The target formats.
    const TARGETS: [&str; 21] = [
        "wings",
        "vmap",
        "kv2",
        "wmp",
        "wrp",
        "wwd",
        "map",
        "glb",
        "gltf",
        "obj",
        "tmx",
        "tmj",
        "asc",
        "xyz",
        "tif",
        "png",
        "bil",
        "flt",
        "r16",
        "r32",
        "cells.png",
    ];

    /// A binary glTF of one mesh that is shown often: by nodes, or by the rows of one set.
    fn instances(copies: u32, vertices: u32, by_set: bool) -> Vec<u8> {
        let positions = (0..vertices).flat_map(|vertex| [vertex / 2, vertex % 2, 0]);
        let indices = (0..vertices - 2).flat_map(|vertex| [vertex, vertex + 1, vertex + 2]);
        let places = (0..copies).flat_map(|copy| [copy, 2, 0]);
        let floats = |numbers: &mut dyn Iterator<Item = u32>| numbers.flat_map(|n| (n as f32).to_le_bytes()).collect();
        let parts: [Vec<u8>; 3] = [
            floats(&mut positions.into_iter()),
            indices.flat_map(u32::to_le_bytes).collect(),
            floats(&mut places.into_iter()),
        ];
        let [a, b, c] = [parts[0].len(), parts[1].len(), parts[2].len()];
        let views = format!(
            r#"[{{"buffer":0,"byteLength":{a}}},{{"buffer":0,"byteOffset":{a},"byteLength":{b}}},{{"buffer":0,"byteOffset":{},"byteLength":{c}}}]"#,
            a + b
        );
        let accessors = format!(
            r#"[{{"bufferView":0,"componentType":5126,"count":{vertices},"type":"VEC3","min":[0,0,0],"max":[{},1,0]}},{{"bufferView":1,"componentType":5125,"count":{},"type":"SCALAR"}},{{"bufferView":2,"componentType":5126,"count":{copies},"type":"VEC3"}}]"#,
            (vertices - 1) / 2,
            3 * (vertices - 2),
        );
        let (nodes, roots) = if by_set {
            let set = r#"{"mesh":0,"extensions":{"EXT_mesh_gpu_instancing":{"attributes":{"TRANSLATION":2}}}}"#;
            (set.to_owned(), "0".to_owned())
        } else {
            let nodes: Vec<String> = (0..copies).map(|x| format!(r#"{{"mesh":0,"translation":[{x},2,0]}}"#)).collect();
            (nodes.join(","), (0..copies).map(|node| node.to_string()).collect::<Vec<_>>().join(","))
        };
        let mut json = format!(
            r#"{{"asset":{{"version":"2.0"}},"extensionsUsed":["EXT_mesh_gpu_instancing"],"meshes":[{{"name":"m","primitives":[{{"attributes":{{"POSITION":0}},"indices":1}}]}}],"nodes":[{nodes}],"scenes":[{{"nodes":[{roots}]}}],"scene":0,"bufferViews":{views},"accessors":{accessors},"buffers":[{{"byteLength":{}}}]}}"#,
            a + b + c
        );
        json.push_str(&" ".repeat(json.len().next_multiple_of(4) - json.len()));
        let bin = parts.concat();
        let mut glb = b"glTF".to_vec();
        for word in [2, 28 + json.len() + bin.len(), json.len()] {
            glb.extend(u32::try_from(word).unwrap().to_le_bytes());
        }
        glb.extend_from_slice(b"JSON");
        glb.extend_from_slice(json.as_bytes());
        glb.extend(u32::try_from(bin.len()).unwrap().to_le_bytes());
        glb.extend_from_slice(b"BIN\0");
        glb.extend(bin);
        glb
    }

    /// A TIFF of heights that are all 0. It is not compressed, but a map of it would still be a hundred times as large.
    fn heights(side: u32) -> Vec<u8> {
        let size = side * side * 4;
        let tags: [(u16, u16, u32); 9] = [
            (256, 4, side),
            (257, 4, side),
            (258, 3, 32),
            (259, 3, 1),
            (262, 3, 1),
            (273, 4, 8),
            (278, 4, side),
            (279, 4, size),
            (339, 3, 3),
        ];
        let mut tif = b"II*\0".to_vec();
        tif.extend((8 + size).to_le_bytes());
        tif.resize(8 + size as usize, 0);
        tif.extend(u16::try_from(tags.len()).unwrap().to_le_bytes());
        for (tag, kind, value) in tags {
            tif.extend(tag.to_le_bytes());
            tif.extend(kind.to_le_bytes());
            tif.extend(1_u32.to_le_bytes());
            tif.extend(value.to_le_bytes());
        }
        tif.extend([0; 4]);
        tif
    }

    /// Runs the command with 2 GiB of memory. It must succeed, name a limit, or report that it does not support this.
    fn run(folder: &Folder, args: &[&str]) -> i32 {
        let script =
            if cfg!(target_os = "linux") { "ulimit -v 2097152; exec \"$0\" \"$@\"" } else { "exec \"$0\" \"$@\"" };
        let mut command = Command::new("sh");
        command.args(["-c", script, env!("CARGO_BIN_EXE_mapwright")]).args(args).current_dir(folder.at(""));
        let output = command.output().unwrap();
        let talk = String::from_utf8_lossy(&output.stderr);
        let code = output.status.code().unwrap_or(-1);
        assert!([0, 6, 7].contains(&code), "{args:?}: {code}: {talk}");
        if code == 6 {
            let named = ["--limit-", "memory"];
            assert!(named.iter().any(|name| talk.contains(name)), "{args:?}: {talk}");
        }
        code
    }

    fn convert(folder: &Folder, file: &str, target: &str) -> i32 {
        run(folder, &["convert", "-q", "--force", file, "-o", &format!("out.{target}")])
    }

    #[test]
    fn multiplied_instances_are_refused_or_written() {
        let folder = Folder::new();
        folder.write("nodes.glb", instances(10_000, 10_000, false));
        folder.write("set.glb", instances(10_000, 10_000, true));
        for file in ["nodes.glb", "set.glb"] {
            TARGETS.iter().for_each(|target| _ = convert(&folder, file, target));
            run(&folder, &["info", file]);
            run(&folder, &["check", file]);
        }
        folder.write("some.glb", instances(1000, 100, false));
        run(&folder, &["query", "", "some.glb"]);
        run(&folder, &["query", "--json", "", "nodes.glb"]);
        run(&folder, &["render", "--force", "some.glb", "-o", "a.png"]);
        run(&folder, &["render", "--html", "--force", "some.glb", "-o", "a.html"]);
        for target in ["wings", "obj"] {
            assert_eq!(convert(&folder, "nodes.glb", target), 6, "{target}");
        }
        for target in ["vmap", "glb"] {
            assert_eq!(convert(&folder, "nodes.glb", target), 0, "{target}");
        }
        // Flat meshes are no solids.
        for target in ["map", "wmp"] {
            assert_eq!(convert(&folder, "nodes.glb", target), 7, "{target}");
        }
    }

    #[test]
    fn heights_that_become_meshes_are_refused_or_written() {
        let folder = Folder::new();
        folder.write("large.tif", heights(2000));
        folder.write("small.tif", heights(200));
        for target in ["wings", "vmap", "kv2", "wmp", "wwd", "map", "obj"] {
            convert(&folder, "large.tif", target);
        }
        assert_eq!(convert(&folder, "large.tif", "vmap"), 6);
        TARGETS.iter().for_each(|target| _ = convert(&folder, "small.tif", target));
        run(&folder, &["render", "--force", "small.tif", "-o", "a.png"]);
    }
}
