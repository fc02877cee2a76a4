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
    let text = folder.run(["extract", "game.rez", "read.txt", "-o", "-"]).ends(0);
    assert_eq!(text.out, "text");
    let json = folder.run(["extract", "--json", "game.rez", "main.pal", "-o", "main.pal"]).ends(0).object();
    assert_eq!((&json["schema"], &json["bytes"]), (&"mapwright.extract/1".into(), &7.into()));
}

#[test]
fn extraction_without_a_result_is_an_error() {
    let folder = folder();
    folder.write("text.txt", "text");
    for (args, status, words) in [
        (&["game.rez", "none*", "-d", "out"][..], 2, "no file in the archive matches none*"),
        (&["game.rez/NONE", "-d", "out"], 2, "NONE is not a folder in the archive"),
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
    let mut archive = Document::new();
    archive.add("A.TXT", b"first".to_vec(), None).unwrap();
    archive.add("B.TXT", b"other".to_vec(), None).unwrap();
    let mut bytes = archive.to_bytes().unwrap();
    let name = bytes.windows(2).rposition(|pair| pair == b"B\0").unwrap();
    bytes[name] = b'A';
    folder.write("twice.rez", bytes);
    let done = folder.run(["extract", "twice.rez", "-d", "twice"]).ends(8);
    assert!(done.talk.contains("another file in the archive has the same path"), "{done:?}");
    assert_eq!(folder.read("twice/A.TXT"), b"first");
}
