//! Inputs that are not what one hopes for, and readers that go away.

use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
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
    assert!(
        done.talk.contains("warning: cube.glb: the extension is that of glb, but the content is wings"),
        "{}",
        done.talk
    );
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
fn folders_may_contain_files_that_a_command_does_not_support() {
    let folder = Folder::with_cube();
    folder.write("cube.etf", [131, 106]);
    let skipped = "skipped (no known format), 1 skipped (not supported by this command)\n";
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
    assert!(folder.run(["dump", "."]).ends(7).talk.contains("no file is in a format that this command supports"));
}

#[test]
fn parallel_jobs_print_in_the_order_of_the_inputs() {
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
fn random_damage_is_refused_without_a_panic() {
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
    fn unreadable_files_are_reported() {
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
    fn new_files_have_the_permissions_that_the_umask_leaves() {
        let folder = Folder::with_cube();
        for (umask, expected) in [("027", 0o640), ("002", 0o664), ("077", 0o600)] {
            folder.shell(&format!("umask {umask}; \"$MAPWRIGHT\" convert cube.wings {umask}.glb")).ends(0);
            let made = std::fs::metadata(folder.at(format!("{umask}.glb"))).unwrap();
            assert_eq!(made.permissions().mode() & 0o7777, expected, "{umask}");
        }
    }

    #[test]
    fn a_limit_of_the_size_of_files_leaves_nothing_half_written() {
        let folder = Folder::with_cube();
        let mut cubes = String::new();
        for number in 0..200 {
            cubes += &format!("o {number}\nv 0 0 0\nv 1 0 0\nv 0 1 {number}\nf -3 -2 -1\n");
        }
        folder.write("cubes.obj", cubes);
        folder.write("old.glb", "old");
        let before = folder.names();
        let convert = "ulimit -f 1; \"$MAPWRIGHT\" convert -f cubes.obj";
        for name in ["new.glb", "old.glb", "new.obj"] {
            let done = folder.shell(&format!("{convert} {name}")).ends(1);
            assert!(done.talk.contains("cannot be written") && done.talk.contains("ulimit -f"), "{done:?}");
        }
        assert_eq!((folder.names(), folder.read("old.glb")), (before, b"old".to_vec()));
        folder.shell("ulimit -f 1; \"$MAPWRIGHT\" query kind=mesh --csv cubes.obj > a.csv; test $? = 1").ends(0);
    }

    #[test]
    fn a_link_to_nothing_is_written_through_with_force_alone() {
        let folder = Folder::with_cube();
        symlink("elsewhere.glb", folder.at("link.glb")).unwrap();
        let done = folder.run(["convert", "cube.wings", "link.glb"]).ends(1);
        assert!(done.talk.contains("--force replaces it") && !folder.at("elsewhere.glb").exists(), "{done:?}");
        folder.run(["convert", "--force", "cube.wings", "link.glb"]).ends(0);
        assert!(folder.at("elsewhere.glb").exists());
    }

    #[test]
    fn outputs_keep_the_permissions_of_old_files() {
        let folder = Folder::with_cube();
        folder.write("a.glb", "old");
        std::fs::set_permissions(folder.at("a.glb"), std::fs::Permissions::from_mode(0o640)).unwrap();
        folder.run(["convert", "cube.wings", "-f", "-o", "a.glb"]).ends(0);
        let mode = || std::fs::metadata(folder.at("a.glb")).unwrap().permissions().mode() & 0o7777;
        assert_eq!(mode(), 0o640);
        std::fs::set_permissions(folder.at("a.glb"), std::fs::Permissions::from_mode(0o6755)).unwrap();
        folder.run(["convert", "cube.wings", "-f", "-o", "a.glb"]).ends(0);
        assert_eq!(mode(), 0o755, "nothing new runs as somebody else");
        folder.run(["convert", "cube.wings", "-o", "/dev/null", "--to", "glb"]).ends(0);
    }
}

#[test]
fn outputs_need_an_existing_folder_and_a_suitable_extension() {
    let folder = Folder::with_cube();
    let done = folder.run(["convert", "cube.wings", "-o", "no/such/a.glb"]).ends(1);
    assert!(done.talk.contains("help: make the folder no/such first"), "{}", done.talk);
    for (name, page, better) in
        [("a.bmp", false, "a.png"), ("a.HTML", false, "a.png"), ("a.png", true, "a.html"), ("a.jpg", true, "a.html")]
    {
        let page = page.then_some("--html");
        let done = folder.run(["render", "cube.wings", "-o", name].into_iter().chain(page)).ends(2);
        assert!(done.talk.contains(&format!("use {better}\n")), "{}", done.talk);
        assert!(!folder.at(name).exists());
    }
    let done = folder.run(["render", "cube.wings", "--sheet", "a.bmp"]).ends(2);
    assert!(done.talk.contains("help: use a.png"), "{}", done.talk);
    folder.run(["render", "cube.wings", "-o", "a.PNG", "--fit", "16"]).ends(0);
    std::fs::create_dir(folder.at("none")).unwrap();
    for verb in ["build", "convert"] {
        let done = folder.run([verb, "none", "-o", "a.wings"]).ends(2);
        assert!(done.talk.contains("there is no input"), "{}", done.talk);
    }
    let done = folder.run(["query", "class=light", "none.wings"]).ends(1);
    assert!(!done.talk.contains("nothing is meant"), "{}", done.talk);
}

#[test]
fn unsuitable_inputs_are_reported_with_the_next_step() {
    let folder = Folder::with_cube();
    let done = folder.run(["build", "cube.wings", "-o", "again.wings"]).ends(4);
    assert!(done.talk.contains("pass one file from `mapwright dump --json FILE`"), "{}", done.talk);
    let json = folder.run(["dump", "--json", "cube.wings"]).ends(0).out.replace("mapwright.dump/1", "mapwright.dump/9");
    folder.write("later.json", json.as_bytes());
    let done = folder.run(["build", "later.json", "-o", "again.wings"]).ends(4);
    assert!(done.talk.contains("unknown schema \"mapwright.dump/9\": expected \"mapwright.dump/1\""), "{}", done.talk);

    let done = folder.run(["query", "nosuch=1", "cube.wings"]).ends(2);
    assert!(done.talk.contains("unknown field `nosuch`"), "{}", done.talk);
    let done = folder.run(["query", "", "cube.wings", "--fields", "name,colro"]).ends(2);
    assert!(done.talk.contains("unknown field `colro`; did you mean `color`?"), "{}", done.talk);

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

#[test]
fn names_of_any_length_are_shown() {
    let folder = Folder::new();
    let name = "n".repeat(70_000);
    let obj = |last: u8| format!("o {name}\nv 0 0 0\nv 1 0 0\nv 0 1 {last}\nusemtl m{name}\nf 1 2 3\n");
    folder.write("long.obj", obj(0));
    folder.write("other.obj", obj(1));
    for extension in ["obj", "glb", "wings", "vmap", "wmp", "map", "tmj"] {
        let [file, other] = ["long", "other"].map(|name| format!("{name}.{extension}"));
        if extension != "obj" {
            folder.run(["convert", "-q", "--allow-empty", "long.obj", &*file]).ends(0);
            folder.run(["convert", "-q", "--allow-empty", "other.obj", &*other]).ends(0);
        }
        for verb in [&["info"][..], &["info", "--table"], &["check"], &["roundtrip"], &["query", "kind=*"]] {
            let done = folder.run(verb.iter().copied().chain([&*file]));
            assert!(matches!(done.code, Some(0 | 7 | 9)), "{verb:?} {file}: {:?} {}", done.code, done.talk);
        }
        let done = folder.run(["diff", &*file, &*other]);
        assert!(matches!(done.code, Some(0 | 9)), "diff {file}: {:?} {}", done.code, done.talk);
    }
    let table = folder.run(["query", "kind=mesh", "long.obj"]).ends(0);
    assert!(table.out.lines().all(|line| line.chars().count() < 200) && table.out.contains("nn…  0"), "{table:?}");
    let csv = folder.run(["query", "--csv", "kind=mesh", "long.obj"]).ends(0);
    assert!(csv.out.contains(&name));

    let level = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fixtures/wwd/claw.wwd");
    let dump = folder.run(["dump".as_ref(), level.as_os_str()]).ends(0).out;
    let mut dump: serde_json::Value = serde_json::from_str(&dump).unwrap();
    let plane = &mut dump["level"]["planes"][1];
    plane["image_sets"] = serde_json::json!([name]);
    (plane["objects"][0]["logic"], plane["objects"][0]["image_set"]) = (name.clone().into(), name.into());
    folder.write("long.json", dump.to_string());
    folder.run(["build", "long.json", "-o", "long.wwd"]).ends(0);
    for verb in [&["info"][..], &["info", "--table"], &["check"], &["roundtrip"], &["query", "kind=entity"]] {
        folder.run(verb.iter().copied().chain(["long.wwd"])).ends(0);
    }
    folder.run(["diff".as_ref(), level.as_os_str(), "long.wwd".as_ref()]).ends(9);
}

#[test]
fn bidirectional_controls_are_escaped_except_in_json() {
    let folder = Folder::new();
    folder.write("a.obj", "o a\u{202e}b\u{9b}c\u{200b}\u{feff}d\nv 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n");
    let table = folder.run(["query", "kind=mesh", "a.obj"]).ends(0);
    assert!(table.out.contains(r"a\u{202e}b\u{9b}c\u{200b}\u{feff}d"), "{table:?}");
    folder.run(["convert", "-q", "a.obj", "a.wings"]).ends(0);
    let info = folder.run(["info", "a.wings"]).ends(0);
    assert!(info.out.contains(r"a\u{202e}b\u{9b}c\u{200b}\u{feff}d"), "{info:?}");
    // Programs get the name as it is.
    for option in ["--csv", "--json"] {
        let data = folder.run(["query", option, "kind=mesh", "a.obj"]).ends(0);
        assert!(data.out.contains("a\u{202e}b\u{9b}c\u{200b}\u{feff}d"), "{data:?}");
    }
    let wrong = folder.run(["info", "--\x1b[31m\u{202e}x"]).ends(2);
    assert!(!wrong.talk.contains(['\x1b', '\u{202e}']) && wrong.talk.contains("unknown option"), "{wrong:?}");
    folder.run(["query", "kind=mesh", "no\u{202e}file.obj"]).ends(1).talk.find(r"no\u{202e}file").unwrap();
}

#[test]
fn line_breaks_in_arguments_do_not_forge_errors() {
    let folder = Folder::new();
    let forged = "\nerror[io]: forged";
    for args in [
        vec!["info".to_owned(), format!("--x{forged}")],
        vec![format!("--x{forged}")],
        vec!["convert".to_owned(), "a.obj".to_owned(), "--to".to_owned(), format!("a{forged}")],
        vec!["render".to_owned(), "a.obj".to_owned(), format!("--crop={forged}")],
        vec!["convert".to_owned(), format!("--report=a{forged}"), "--jobs=x".to_owned()],
    ] {
        let wrong = folder.run(&args).ends(2);
        let errors: Vec<&str> = wrong.talk.lines().filter(|line| line.starts_with("error[")).collect();
        assert!(errors.len() == 1 && errors[0].starts_with("error[usage]: "), "{wrong:?}");
        assert!(wrong.talk.contains("\nhelp: "), "{wrong:?}");
    }
    let wrong = folder.run(["info", &format!("--x{forged}")]).ends(2);
    assert!(wrong.talk.contains(r"unknown option --x\nerror"), "{wrong:?}");
}

#[cfg(unix)]
#[test]
fn line_breaks_in_arguments_that_are_not_utf_8_do_not_forge_errors() {
    use std::os::unix::ffi::OsStrExt;
    let folder = Folder::new();
    let args = [&b"query"[..], b"kind=\xff\nerror[io]: forged", b"a.obj"].map(std::ffi::OsStr::from_bytes);
    let wrong = folder.run(args).ends(2);
    assert!(!wrong.talk.lines().any(|line| line.starts_with("error[io]")), "{wrong:?}");
}

#[test]
fn errors_show_the_file_that_is_wrong() {
    let folder = Folder::new();
    let map = "<map version='1.10' orientation='orthogonal' width='1' height='1' tilewidth='8' tileheight='8'>\n\
        <tileset firstgid='1' source='set.tsx'/>\n</map>\n";
    folder.write("map.tmx", map);
    folder.write("set.tsx", "<?xml version='1.0'?>\n<tileset name='a'></tile>\n");
    let convert = ["convert", "--dry-run", "--to", "glb", "map.tmx"];
    let done = folder.run(convert).ends(4);
    let place = "  --> set.tsx (named by map.tmx) at line 2, column 19\n   | 2  <tileset name='a'";
    assert!(done.talk.contains(place), "{done:?}");
    // The file itself is not damaged.
    folder.run(["info", "map.tmx"]).ends(0);
    folder.write("set.tsx", "\n\n{\"tilecount\": ?}\n");
    let done = folder.run(convert).ends(4);
    assert!(
        done.talk.contains("set.tsx (named by map.tmx) at line 3") && done.talk.contains("| 3  {\"tile"),
        "{done:?}"
    );
    // A library has no place of its own in the model, whose line this is not.
    folder.write("a.obj", "mtllib a.mtl\nv 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n");
    folder.write("a.mtl", (0..50).map(|number| format!("newmtl {number}\n")).collect::<String>());
    let done = folder.run(["info", "--limit-items", "20", "a.obj"]).ends(6);
    assert!(done.talk.contains("  --> a.mtl (named by a.obj)\n") && !done.talk.contains('|'), "{done:?}");
}

#[test]
fn spreadsheets_run_nothing_on_request() {
    let folder = Folder::new();
    folder.write("a.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\no =1+1\nf 1 2 3\no @a;=1\nf 1 2 3\no b\nf 1 2 3\n");
    let names = |option: &str| folder.run(["query", option, "--fields", "name", "kind=mesh", "a.obj"]).ends(0).out;
    assert_eq!(names("--csv"), "name\r\n=1+1\r\n@a;=1\r\nb\r\n");
    assert_eq!(names("--csv-safe"), "name\r\n'=1+1\r\n\"'@a;=1\"\r\nb\r\n");
    std::fs::rename(folder.at("a.obj"), folder.at("-a.obj")).unwrap();
    let list = folder.run(["info", "--csv-safe", "--", "-a.obj"]).ends(0);
    assert!(list.out.contains("\r\n'-a.obj,obj,"), "{list:?}");
    let terrain = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fixtures/wrp/island.wrp");
    folder.write("a.wrp", std::fs::read(terrain).unwrap());
    folder.run(["edit", "a.wrp", "-o", "b.wrp", "rename model * =evil"]).ends(0);
    let objects =
        |option: &[&str]| folder.run(["query", "--as", "csv", "b.wrp", "-o", "-"].iter().chain(option)).ends(0).out;
    assert!(objects(&[]).contains(",=evil,") && !objects(&["--csv-safe"]).contains(",=evil,"));
    assert!(objects(&["--csv-safe"]).contains(",'=evil,"));
    folder.run(["query", "--csv-safe", "--as", "json", "b.wrp", "-o", "-"]).ends(2);
    folder.run(["query", "--csv-safe", "--json", "kind=mesh", "a.wrp"]).ends(2);
}
