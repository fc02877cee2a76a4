//! REZ archives as files, and the files in them.

use mapwright_rez::Document;

use crate::folder::Folder;

/// Creates `game.rez` with a palette, a text and a name that Windows does not allow.
fn folder() -> Folder {
    let folder = Folder::new();
    let mut archive = Document::new();
    for (path, data) in [("LEVEL1\\MAIN.PAL", "palette"), ("LEVEL1\\SUB\\READ.TXT", "text"), ("AUX.TXT", "device")] {
        archive.add(path, data.as_bytes().to_vec(), None).unwrap();
    }
    folder.write("game.rez", archive.to_bytes().unwrap());
    folder
}

#[test]
fn an_archive_is_listed_checked_compared_and_dumped() {
    let folder = folder();
    let info = folder.run(["info", "game.rez"]).ends(0).out;
    assert!(info.contains("LEVEL1/SUB/READ.TXT") && info.contains("files            3"), "{info}");
    let json = folder.run(["info", "--json", "game.rez"]).ends(0).object();
    let list = json["rez"]["list"].as_array().unwrap();
    let text = list.iter().find(|file| file["path"] == "LEVEL1/SUB/READ.TXT").unwrap();
    assert_eq!((&json["rez"]["files"], &text["bytes"]), (&3.into(), &4.into()));
    // The files in the archive are no levels.
    folder.run(["check", "game.rez"]).ends(0);
    let done = folder.run(["roundtrip", "game.rez"]).ends(0);
    assert!(done.talk.contains("1 ok, 3 skipped"), "{done:?}");
    folder.write("dump.json", folder.run(["dump", "--json", "game.rez"]).ends(0).out);
    folder.run(["build", "dump.json", "-o", "again.rez"]).ends(0);
    assert_eq!(folder.read("game.rez"), folder.read("again.rez"));
    let mut archive = Document::from_vec(folder.read("game.rez")).unwrap();
    archive.add("NEW.TXT", b"new".to_vec(), None).unwrap();
    folder.write("new.rez", archive.to_bytes().unwrap());
    let diff = folder.run(["diff", "game.rez", "new.rez"]).ends(9).out;
    assert!(diff.contains("+ NEW.TXT"), "{diff}");
    folder.write("cut.rez", &folder.read("game.rez")[..300]);
    folder.run(["check", "cut.rez"]).ends(9);
}

#[test]
fn files_are_extracted_to_their_paths() {
    let folder = folder();
    let done = folder.run(["extract", "game.rez", "-d", "all"]).ends(0);
    assert!(done.talk.contains("3 ok"), "{done:?}");
    assert_eq!(folder.read("all/LEVEL1/SUB/READ.TXT"), b"text");
    assert_eq!(folder.read("all/%41UX.TXT"), b"device");
    // Existing files need --force or --skip-existing.
    folder.run(["extract", "game.rez", "*.pal", "-d", "all"]).ends(8);
    folder.run(["extract", "game.rez", "*.pal", "-d", "all", "--skip-existing"]).ends(0);
    folder.run(["extract", "game.rez", "*.pal", "-d", "all", "--force"]).ends(0);
    folder.run(["extract", "game.rez/level1", "sub", "-d", "part"]).ends(0);
    assert_eq!(folder.read("part/SUB/READ.TXT"), b"text");
    assert!(!folder.at("part/MAIN.PAL").exists());
    // Shells complete the path of a folder with a separator.
    for path in ["game.rez/LEVEL1/SUB/", "game.rez/level1/sub/read.txt"] {
        let text = folder.run(["extract", path, "-o", "-"]).ends(0);
        assert_eq!(text.out, "text", "{path}");
    }
    folder.run(["info", "game.rez/"]).ends(0);
    let text = folder.run(["extract", "game.rez", "read.txt", "-o", "-"]).ends(0);
    assert_eq!(text.out, "text");
    let json = folder.run(["extract", "--json", "game.rez", "main.pal", "-o", "main.pal"]).ends(0).object();
    assert_eq!((&json["schema"], &json["bytes"]), (&"mapwright.extract/1".into(), &7.into()));
}

#[test]
fn names_in_archives_lead_out_of_no_folder() {
    let folder = crate::art::archive();
    let mut archive = folder.read("CLAW.REZ");
    let name = archive.windows(7).position(|bytes| bytes == b"LEVEL1\0").unwrap();
    archive[name..name + 6].copy_from_slice(b"../../");
    folder.write("odd.rez", &archive);
    folder.run(["convert", "odd.rez", "-d", "deep/out", "--to", "tmx"]).ends(0);
    folder.run(["extract", "odd.rez", "*.wwd", "-d", "deep/out"]).ends(0);
    for file in ["WORLDS/WORLD.tmx", "WORLDS/WORLD.WWD"] {
        assert!(folder.at(format!("deep/out/..%2f..%2f/{file}")).exists(), "{file}");
    }
    assert!(!folder.at("WORLDS").exists() && !folder.at("deep/WORLDS").exists());
    let check = folder.run(["check", "odd.rez"]);
    assert!(check.out.contains("unsafe-name") && check.out.contains("..%2f..%2f"), "{check:?}");
}

#[test]
fn damaged_directories_are_named_and_the_rest_is_extracted() {
    let folder = folder();
    let mut archive = folder.read("game.rez");
    let name = archive.windows(4).position(|bytes| bytes == b"SUB\0").unwrap();
    archive[name - 12..name - 8].copy_from_slice(&u32::MAX.to_le_bytes());
    folder.write("damaged.rez", &archive);
    let done = folder.run(["extract", "damaged.rez", "-d", "out"]).ends(8);
    assert!(done.talk.contains("directory block") && done.talk.contains("SUB"), "{done:?}");
    assert_eq!(folder.read("out/LEVEL1/MAIN.PAL"), b"palette");
}

/// Returns an archive with two files of the name `A` and the given extension.
fn with_two_files_of_one_name(extension: &str, first: &[u8], second: &[u8]) -> Vec<u8> {
    let mut archive = Document::new();
    archive.add(format!("A.{extension}"), first.to_vec(), None).unwrap();
    archive.add(format!("B.{extension}"), second.to_vec(), None).unwrap();
    let mut bytes = archive.to_bytes().unwrap();
    let name = bytes.windows(2).rposition(|pair| pair == b"B\0").unwrap();
    bytes[name] = b'A';
    bytes
}

#[test]
fn files_with_the_path_of_another_file_are_reported() {
    let folder = folder();
    let level = crate::art::archive().read("level.wwd");
    folder.write("twice.rez", with_two_files_of_one_name("WWD", &level, &level));
    for args in [&["convert", "--to", "tmx", "-d", "out"][..], &["render", "-d", "out"], &["check"], &["roundtrip"]] {
        let done = folder.run(args.iter().chain(&["twice.rez"])).ends(8);
        let message = "another file in the archive has the same path; the games find only that one";
        assert_eq!(done.talk.matches(message).count(), 1, "{args:?}: {done:?}");
    }
    assert!(folder.at("out/A.tmx").exists() && folder.at("out/A.png").exists());
    // Files that the command skips are skipped.
    folder.write("texts.rez", with_two_files_of_one_name("TXT", b"one", b"two"));
    folder.run(["check", "texts.rez"]).ends(0);
}

#[test]
fn paths_in_archives_can_contain_parent_folders() {
    let folder = folder();
    for path in ["game.rez/LEVEL1/../LEVEL1/SUB/READ.TXT", "game.rez/./level1/sub/../SUB/read.txt"] {
        assert_eq!(folder.run(["extract", path, "-o", "-"]).ends(0).out, "text", "{path}");
    }
    crate::folder::fails(&folder, &["extract", "game.rez/../game.rez/X", "-d", "x"], 2, &["leads out of the archive"]);
    let game = crate::art::archive();
    let name = "CLAW.REZ/LEVEL1/../LEVEL1/WORLDS/WORLD.WWD";
    game.run(["info", name]).ends(0);
    game.run(["convert", "CLAW.REZ/LEVEL1/WORLDS/..", "-d", "out", "--to", "tmx"]).ends(0);
    assert!(game.at("out/WORLDS/WORLD.tmx").exists());
    game.run(["render", "--content", "CLAW.REZ/GAME/..", name, "-o", "level.png"]).ends(0);
    crate::folder::fails(&game, &["info", "CLAW.REZ/LEVEL1/../../x"], 2, &["leads out of the archive"]);
    crate::folder::fails(&game, &["info", "level.wwd", "--content", "CLAW.REZ/.."], 1, &["leads out of the archive"]);
}

#[test]
fn commands_agree_on_the_category_of_a_damaged_archive() {
    let folder = folder();
    let whole = folder.read("game.rez");
    let patched = |at: usize, bytes: &[u8]| {
        let mut archive = whole.clone();
        archive[at..at + bytes.len()].copy_from_slice(bytes);
        archive
    };
    let level = crate::art::archive().read("level.wwd");
    let mut archive = Document::new();
    archive.add("A.WWD", level, None).unwrap();
    let mut payload = archive.to_bytes().unwrap();
    let entry = payload.windows(2).rposition(|pair| pair == b"A\0").unwrap() - 28;
    payload[entry + 4..entry + 8].copy_from_slice(&0x7FFF_0000_u32.to_le_bytes());
    let root_size = 0x87;
    for (name, bytes, category) in [
        ("short.rez", whole[..100].to_vec(), "truncated"),
        ("magic.rez", patched(0x3F, b"x"), "malformed"),
        ("version.rez", patched(0x7F, &[9]), "unsupported"),
        ("root.rez", patched(root_size, &u32::MAX.to_le_bytes()), "truncated"),
        ("payload.rez", payload, "truncated"),
        ("empty.rez", Document::new().to_bytes().unwrap(), "unsupported"),
    ] {
        folder.write(name, &bytes);
        let commands = [&["extract", "-d", "x"][..], &["convert", "--to", "tmx", "-d", "y"], &["render", "-d", "z"]];
        for command in commands {
            let done = folder.run(command.iter().chain(&["--json", name]));
            let error: Vec<_> = done.json().into_iter().filter(|line| line["schema"] == "mapwright.error/1").collect();
            assert_eq!(
                (error.len(), error[0]["category"].as_str()),
                (1, Some(category)),
                "{command:?} {name}: {done:?}"
            );
        }
    }
    // These reject the whole archive. `info` and `check` show what can be read of the others.
    for (name, category) in [("short.rez", "truncated"), ("magic.rez", "malformed"), ("version.rez", "unsupported")] {
        for command in ["info", "check"] {
            let error = folder.run([command, "--json", name]).object();
            assert_eq!(error["category"], category, "{command} {name}");
        }
    }
    let inside = folder.run(["info", "--json", "root.rez/A.WWD"]).ends(4).object();
    assert_eq!(inside["category"], "truncated");
    folder.run(["check", "root.rez"]).ends(9);
    let check = folder.run(["check", "--json", "payload.rez"]).ends(8);
    assert!(check.out.contains("file-outside") && check.out.contains(r#""category":"truncated""#), "{check:?}");
}

#[test]
fn a_level_is_converted_without_a_damaged_archive_of_content() {
    let folder = folder();
    folder.write("bad.rez", &folder.read("game.rez")[..300]);
    folder.write("level.wwd", crate::art::archive().read("level.wwd"));
    for command in [&["info"][..], &["check"], &["convert", "-o", "level.tmx"], &["render", "-o", "level.png"]] {
        let done =
            folder.run([command, &["level.wwd", "--content", "bad.rez", "--content", "game.rez"]].concat()).ends(0);
        let warnings = done.talk.lines().filter(|line| line.starts_with("warning: bad.rez: skipped: "));
        assert_eq!(warnings.count(), 1, "{command:?}: {done:?}");
    }
    let quiet = folder.run(["info", "--quiet", "level.wwd", "--content", "bad.rez", "--content", "game.rez"]).ends(0);
    assert_eq!(quiet.talk, "");
    // Without other content, the user would get a result without any.
    folder.run(["check", "--quiet", "level.wwd", "--content", "bad.rez"]).ends(4);
}

#[test]
fn extraction_without_a_result_is_an_error() {
    let folder = folder();
    folder.write("text.txt", "text");
    for (args, status, words) in [
        (&["game.rez", "none*", "-d", "out"][..], 2, "no file in the archive matches none*"),
        (&["game.rez/NONE", "-d", "out"], 2, "the archive has no folder or file NONE"),
        (&["game.rez"], 2, "no output given"),
        (&["game.rez", "-o", "one"], 2, "-o takes one input"),
        (&["missing.rez", "-d", "out"], 1, "file not found"),
        (&["text.txt", "-d", "out"], 5, "unknown format"),
        (&["game.rez", "main.pal", "-o", "game.rez", "--force"], 2, "is an input"),
    ] {
        let done = folder.run([&["extract"], args].concat()).ends(status);
        assert!(done.talk.contains(words), "{args:?}: {done:?}");
    }
    assert!(!folder.at("out").exists());
    // Of files with the same path, the first one is extracted.
    folder.write("twice.rez", with_two_files_of_one_name("TXT", b"first", b"other"));
    let done = folder.run(["extract", "twice.rez", "-d", "twice"]).ends(8);
    assert!(done.talk.contains("another file in the archive has the same path"), "{done:?}");
    assert_eq!(folder.read("twice/A.TXT"), b"first");
}
