//! Inputs that are not what one hopes for, and readers that go away.

use std::io::{BufRead, BufReader};
use std::path::PathBuf;
use std::process::Stdio;

use crate::folder::{CUBE_OBJ, Folder};

#[test]
fn a_reader_that_goes_away_is_no_error() {
    let folder = Folder::with_cube();
    // Much more than a pipe holds.
    let names: Vec<String> = (0..2000).map(|_| "cube.wings".to_owned()).collect();
    for verb in ["dump", "info", "check", "roundtrip"] {
        let args = [verb.to_owned(), "--json".to_owned()].into_iter().chain(names.iter().cloned());
        let mut child = folder.command(args).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        let mut line = String::new();
        let mut reader = BufReader::new(child.stdout.take().unwrap());
        reader.read_line(&mut line).unwrap();
        drop(reader);
        let output = child.wait_with_output().unwrap();
        let talk = String::from_utf8_lossy(&output.stderr);
        assert_eq!((output.status.code(), &*talk), (Some(0), ""), "{verb}");
        assert!(line.starts_with("{\"schema\""), "{verb}: {line}");
    }
}

#[test]
fn closed_standard_error_is_no_error() {
    let folder = Folder::with_cube();
    let mut child = folder.command(["info", "none.wings"]).stderr(Stdio::piped()).spawn().unwrap();
    drop(child.stderr.take());
    assert_eq!(child.wait().unwrap().code(), Some(1));
}

#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_is_an_error() {
    let folder = Folder::with_cube();
    let full = std::fs::OpenOptions::new().write(true).open("/dev/full").unwrap();
    let output = folder.command(["dump", "cube.wings"]).stdout(full).output().unwrap();
    let talk = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.code() == Some(1) && talk.contains("standard output"), "{talk}");
}

#[cfg(target_os = "linux")]
#[test]
fn a_pipe_under_the_name_of_a_device_is_written_to() {
    let folder = Folder::with_cube();
    let output = folder.command(["convert", "cube.wings", "--to", "glb", "-o", "/dev/stdout"]).output().unwrap();
    assert!(output.status.success() && output.stdout.starts_with(b"glTF"), "{output:?}");
}

#[test]
fn no_colour_and_no_progress_in_pipes() {
    let folder = Folder::with_cube();
    let done = folder.run(["info", "cube.wings", "none.wings"]).ends(8);
    assert!(!done.out.contains('\x1b') && !done.talk.contains('\x1b'), "{done:?}");
    assert!(!folder.run(["--help"]).out.contains('\x1b'));
}

#[test]
fn names_of_files_cannot_speak_to_the_terminal() {
    let folder = Folder::new();
    folder.write("evil.obj", "o \x1b]0;title\x07\nv 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n");
    folder.run(["convert", "evil.obj", "-o", "evil.wings"]).ends(0);
    for verb in ["info", "check", "roundtrip"] {
        let done = folder.run([verb, "evil.wings"]).ends(0);
        assert!(!done.out.contains('\x1b') && !done.talk.contains('\x1b'), "{verb}: {done:?}");
    }
}

#[test]
fn a_wrong_extension_is_a_warning() {
    let folder = Folder::with_cube();
    std::fs::copy(folder.at("cube.wings"), folder.at("cube.glb")).unwrap();
    let done = folder.run(["info", "cube.glb"]).ends(0);
    assert!(done.talk.contains("warning: cube.glb: the extension says glb, but the content is wings"), "{}", done.talk);
    assert_eq!(folder.run(["info", "-q", "cube.glb"]).ends(0).talk, "");
    assert_eq!(folder.run(["info", "--from", "wings", "cube.glb"]).ends(0).talk, "");
    folder.run(["info", "--from", "etf", "cube.glb"]).ends(4);
}

#[test]
fn folders_are_all_files_in_them() {
    let folder = Folder::with_cube();
    folder.write("notes.txt", "nothing");
    std::fs::create_dir(folder.at("sub")).unwrap();
    std::fs::copy(folder.at("cube.wings"), folder.at("sub/a.wings")).unwrap();
    let done = folder.run(["info", "--json", "."]).ends(0);
    let files: Vec<PathBuf> = done.json().iter().map(|line| line["file"].as_str().unwrap().into()).collect();
    assert_eq!(files, ["./cube.obj", "./cube.wings", "./sub/a.wings"].map(PathBuf::from));
    assert_eq!(done.talk, "3 ok, 2 skipped (no known format)\n");
}

#[test]
fn folders_may_hold_what_a_verb_is_not_for() {
    let folder = Folder::with_cube();
    folder.write("cube.etf", [131, 106]);
    let skipped = "skipped (no known format), 1 skipped (not for this verb)\n";
    for verb in ["roundtrip", "dump"] {
        let done = folder.run([verb, "."]).ends(0);
        assert!(done.talk.ends_with(&format!("2 ok, 1 {skipped}")), "{verb}: {}", done.talk);
        folder.run([verb, "cube.obj"]).ends(7);
    }
    std::fs::remove_file(folder.at("cube.obj")).unwrap();
    let done = folder.run(["convert", ".", "-d", "out", "--to", "glb"]).ends(0);
    assert!(done.talk.ends_with(skipped), "{}", done.talk);
    for name in ["cube.etf", "cube.wings"] {
        std::fs::remove_file(folder.at(name)).unwrap();
    }
    std::fs::remove_dir_all(folder.at("out")).unwrap();
    for verb in ["info", "check", "roundtrip", "dump"] {
        assert!(folder.run([verb, "."]).ends(5).talk.contains("no file of a known format"));
    }
    folder.write("cube.obj", CUBE_OBJ);
    assert!(folder.run(["dump", "."]).ends(7).talk.contains("no file that this verb is for"));
}

#[test]
fn many_files_are_answered_in_order() {
    let folder = Folder::with_cube();
    for index in 0..40 {
        let objects = "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n".repeat(if index % 2 == 0 { 3000 } else { 1 });
        folder.write(format!("{index:02}.obj"), objects);
    }
    let done = folder.run(["info", "--json", "--jobs", "4", "."]).ends(0);
    let files: Vec<String> = done.json().iter().map(|line| line["file"].as_str().unwrap().to_owned()).collect();
    assert!(files.len() == 42 && files.is_sorted(), "{files:?}");
}

#[test]
fn random_bytes_are_refused_and_nothing_worse() {
    let folder = Folder::with_cube();
    let whole = folder.read("cube.wings");
    let mut state = 7_u32;
    for round in 0..60 {
        let mut bytes = whole.clone();
        for _ in 0..=round % 4 {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            let at = state as usize % bytes.len();
            bytes[at] ^= 1 << (state >> 29);
        }
        bytes.truncate(whole.len() - (round / 20) * 7);
        folder.write("x.wings", &bytes);
        for verb in ["info", "check", "roundtrip", "dump"] {
            let done = folder.run([verb, "--limit-inflated", "1M", "x.wings"]);
            assert!(matches!(done.code, Some(0 | 4 | 5 | 6 | 7 | 9)), "{round} {verb}: {done:?}");
        }
    }
}

#[cfg(unix)]
mod unix {
    use std::os::unix::fs::{PermissionsExt, symlink};

    use super::*;

    // Other systems refuse such names.
    #[cfg(target_os = "linux")]
    #[test]
    fn names_need_not_be_utf8() {
        use std::{ffi::OsStr, os::unix::ffi::OsStrExt};

        let folder = Folder::new();
        let name = OsStr::from_bytes(b"c\xfcbe.obj");
        folder.write(name, CUBE_OBJ);
        let done = folder.run([OsStr::new("info"), name]).ends(0);
        assert!(done.out.contains("6 faces"), "{done:?}");
        folder.run([OsStr::new("convert"), name, OsStr::new("-d"), OsStr::new("out"), OsStr::new("--to=glb")]).ends(0);
        assert!(folder.at("out").join(OsStr::from_bytes(b"c\xfcbe.glb")).exists());
        assert_eq!(folder.run(["info", "--json", "."]).ends(0).json().len(), 2);
    }

    #[test]
    fn links_are_followed_to_files_but_not_round_in_folders() {
        let folder = Folder::with_cube();
        symlink("cube.wings", folder.at("link.wings")).unwrap();
        symlink(".", folder.at("round")).unwrap();
        symlink("nowhere", folder.at("dangling.wings")).unwrap();
        folder.run(["info", "link.wings"]).ends(0);
        let done = folder.run(["info", "."]).ends(8);
        assert!(done.talk.ends_with("3 ok, 1 failed, 1 skipped (no known format)\n"), "{}", done.talk);
    }

    #[test]
    fn what_cannot_be_read_is_said() {
        let folder = Folder::with_cube();
        std::fs::set_permissions(folder.at("cube.wings"), std::fs::Permissions::from_mode(0o000)).unwrap();
        let done = folder.run(["info", "cube.wings"]);
        // The superuser may read everything.
        match done.code {
            Some(1) => assert!(done.talk.contains("error[io]"), "{}", done.talk),
            code => assert_eq!(code, Some(0)),
        }
    }

    #[test]
    fn outputs_keep_the_permissions_of_old_files() {
        let folder = Folder::with_cube();
        folder.write("a.glb", "old");
        std::fs::set_permissions(folder.at("a.glb"), std::fs::Permissions::from_mode(0o640)).unwrap();
        folder.run(["convert", "cube.wings", "-f", "-o", "a.glb"]).ends(0);
        assert_eq!(std::fs::metadata(folder.at("a.glb")).unwrap().permissions().mode() & 0o777, 0o640);
        folder.run(["convert", "cube.wings", "-o", "/dev/null", "--to", "glb"]).ends(0);
    }
}

#[test]
fn what_is_to_be_written_has_a_place_and_a_name_that_fits() {
    let folder = Folder::with_cube();
    let done = folder.run(["convert", "cube.wings", "-o", "no/such/a.glb"]).ends(1);
    assert!(done.talk.contains("help: make the folder no/such first"), "{}", done.talk);
    for (name, page, better) in
        [("a.bmp", false, "a.png"), ("a.HTML", false, "a.png"), ("a.png", true, "a.html"), ("a.jpg", true, "a.html")]
    {
        let page = page.then_some("--html");
        let done = folder.run(["render", "cube.wings", "-o", name].into_iter().chain(page)).ends(2);
        assert!(done.talk.contains(&format!("help: call it {better}")), "{}", done.talk);
        assert!(!folder.at(name).exists());
    }
    let done = folder.run(["render", "cube.wings", "--sheet", "a.bmp"]).ends(2);
    assert!(done.talk.contains("help: call it a.png"), "{}", done.talk);
    folder.run(["render", "cube.wings", "-o", "a.PNG", "--fit", "16"]).ends(0);
    std::fs::create_dir(folder.at("none")).unwrap();
    for verb in ["build", "convert"] {
        let done = folder.run([verb, "none", "-o", "a.wings"]).ends(2);
        assert!(done.talk.contains("there is no file to read"), "{}", done.talk);
    }
    let done = folder.run(["query", "class=light", "none.wings"]).ends(1);
    assert!(!done.talk.contains("nothing is meant"), "{}", done.talk);
}

#[test]
fn what_verbs_are_not_for_is_told_with_what_to_do() {
    let folder = Folder::with_cube();
    let done = folder.run(["build", "cube.wings", "-o", "again.wings"]).ends(4);
    assert!(done.talk.contains("what `mapwright dump --json FILE` writes"), "{}", done.talk);
    let json = folder.run(["dump", "--json", "cube.wings"]).ends(0).out.replace("mapwright.dump/1", "mapwright.dump/9");
    folder.write("later.json", json.as_bytes());
    let done = folder.run(["build", "later.json", "-o", "again.wings"]).ends(4);
    assert!(done.talk.contains("its schema is \"mapwright.dump/9\", and mapwright.dump/1 is read"), "{}", done.talk);

    let done = folder.run(["query", "nosuch=1", "cube.wings"]).ends(0);
    assert!(done.talk.contains("nothing there has a field nosuch"), "{}", done.talk);
    let done = folder.run(["query", "", "cube.wings", "--fields", "name,color"]).ends(0);
    assert!(
        done.talk.contains("nothing there has a field color") && !done.talk.contains("field name"),
        "{}",
        done.talk
    );

    folder.write("report.json", b"kept");
    let done =
        folder.run(["convert", "cube.wings", "--to", "glb", "-o", "cube.glb", "--report", "report.json"]).ends(1);
    assert!(done.talk.contains("--force replaces it"), "{}", done.talk);
    assert_eq!(folder.read("report.json"), b"kept");
    assert!(!folder.at("cube.glb").exists());

    folder.run(["man", "-d", "pages"]).ends(0);
    assert!(folder.run(["man", "-d", "pages"]).ends(1).talk.contains("--force replaces it"));
    folder.run(["man", "-d", "pages", "--force"]).ends(0);
    #[cfg(unix)]
    folder.run(["convert", "cube.wings", "--to", "obj", "-o", "/dev/null"]).ends(1);
}
