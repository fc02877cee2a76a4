//! Differences in Git, as the manual of the command sets it up.

use std::process::Command;

use crate::folder::Folder;

/// Git in the folder, with no settings but its own.
fn command(folder: &Folder, args: &[&str]) -> Command {
    let mut command = Command::new("git");
    command.current_dir(folder.at(".")).args(args);
    let nowhere = folder.at("no settings");
    command.env("GIT_CONFIG_GLOBAL", &nowhere).env("GIT_CONFIG_SYSTEM", &nowhere).env("GIT_CONFIG_NOSYSTEM", "1");
    command.env_remove("GIT_DIR").env_remove("GIT_WORK_TREE").env_remove("GIT_EXTERNAL_DIFF").env("GIT_PAGER", "cat");
    command
}

/// Returns `true` if Git is installed, and reports if not.
fn has_git() -> bool {
    let works = Command::new("git").arg("--version").output().is_ok_and(|done| done.status.success());
    if !works {
        eprintln!("SKIPPED: no git here");
    }
    works
}

/// Runs Git, and gives what it prints.
fn git(folder: &Folder, args: &[&str]) -> String {
    let done = command(folder, args).output().unwrap();
    let talk = String::from_utf8_lossy(&done.stderr);
    assert!(done.status.success(), "{args:?}: {talk}");
    String::from_utf8(done.stdout).unwrap()
}

/// Changes a file by what is dumped of it.
fn change(folder: &Folder, file: &str, old: &str, new: &str) {
    let dump = folder.run(["dump", "--json", file]).ends(0).out;
    assert!(dump.contains(old), "{dump}");
    folder.write("changed.json", dump.replace(old, new));
    folder.run(["build", "--force", "changed.json", "-o", file]).ends(0);
    std::fs::remove_file(folder.at("changed.json")).unwrap();
}

#[test]
fn git_shows_differences_in_words() {
    if !has_git() {
        return;
    }
    let folder = Folder::with_cube();
    folder.write("lamp.vmap", Folder::with_map().read("map.vmap"));
    folder.write(".gitattributes", "*.wings diff=mapwright\n*.vmap diff=mapwright\n");
    git(&folder, &["init", "--quiet"]);
    let program = env!("CARGO_BIN_EXE_mapwright");
    git(&folder, &["config", "diff.mapwright.textconv", &format!("'{program}' dump")]);
    git(&folder, &["add", ".gitattributes", "cube.wings", "lamp.vmap"]);
    let author = ["-c", "user.name=Me", "-c", "user.email=me@example.org"];
    git(&folder, &[&author[..], &["commit", "--quiet", "-m", "first"]].concat());
    assert_eq!(git(&folder, &["diff"]), "");
    change(&folder, "cube.wings", "{\"text\":\"Cube\"}", "{\"text\":\"Box\"}");
    change(&folder, "lamp.vmap", "models/lamp.vmdl", "models/lantern.vmdl");

    // As text, line by line.
    let diff = git(&folder, &["diff"]);
    for line in ["-", "+"]
        .into_iter()
        .zip(["\"Cube\"", "\"Box\""])
        .chain(["-", "+"].into_iter().zip(["lamp.vmdl", "lantern.vmdl"]))
    {
        let found = diff.lines().any(|found| found.starts_with(line.0) && found.contains(line.1));
        assert!(found, "{line:?}: {diff}");
    }
    assert!(!diff.contains("Binary files"), "{diff}");

    // In words.
    let command = format!("f() {{ '{program}' diff \"$2\" \"$5\" || true; }}; f");
    git(&folder, &["config", "diff.mapwright.command", &command]);
    let diff = git(&folder, &["diff"]);
    assert!(diff.contains("name: Cube → Box"), "{diff}");
    assert!(diff.contains("entity_properties.model: models/lamp.vmdl → models/lantern.vmdl"), "{diff}");
    let tool = format!("'{program}' diff");
    let diff = git(&folder, &["difftool", "--no-prompt", "--extcmd", &tool, "lamp.vmap"]);
    assert!(diff.contains("entity_properties.model: models/lamp.vmdl → models/lantern.vmdl"), "{diff}");
    // Files of one side, and unreadable ones, do not prevent the output of the others.
    std::fs::remove_file(folder.at("cube.wings")).unwrap();
    folder.write("broken.vmap", "version https://git-lfs.github.com/spec/v1\n");
    folder.write("new.vmap", folder.read("lamp.vmap"));
    git(&folder, &["add", "--all"]);
    let diff = git(&folder, &["diff", "--cached"]);
    assert!(diff.contains("new.vmap: added") && diff.contains(": removed, "), "{diff}");
    assert!(diff.contains("models/lamp.vmdl → models/lantern.vmdl"), "{diff}");
    // The log shows the text.
    assert!(git(&folder, &["log", "-p", "--textconv", "--no-ext-diff", "-1"]).contains("+"));
}

/// Runs Git where it may fail, and gives what it says.
fn try_git(folder: &Folder, args: &[&str]) -> (bool, String) {
    let done = command(folder, args).output().unwrap();
    let talk = [done.stdout, done.stderr].map(|bytes| String::from_utf8_lossy(&bytes).into_owned()).concat();
    (done.status.success(), talk)
}

#[test]
fn git_merges_maps() {
    if !has_git() {
        return;
    }
    let folder = Folder::with_map();
    folder.write(".gitattributes", "*.vmap merge=mapwright\n");
    git(&folder, &["init", "--quiet", "--initial-branch", "main"]);
    let program = env!("CARGO_BIN_EXE_mapwright");
    git(&folder, &["config", "merge.mapwright.driver", &format!("'{program}' merge --force %O %A %B")]);
    git(&folder, &["config", "user.name", "Me"]);
    git(&folder, &["config", "user.email", "me@example.org"]);
    git(&folder, &["add", ".gitattributes", "map.vmap"]);
    git(&folder, &["commit", "--quiet", "-m", "base"]);
    let set = |fields: &[&str]| {
        let edit = format!("set class=light_omni2: {}", fields.join(", "));
        folder.run(["edit", "--force", "--create-field", "map.vmap", &edit]).ends(0);
        git(&folder, &["commit", "--quiet", "-a", "-m", "changed"]);
    };
    let shown = || folder.run(["query", "class=light_omni2", "map.vmap", "--csv", "--fields", "x,model"]).ends(0).out;
    git(&folder, &["checkout", "--quiet", "-b", "side"]);
    set(&["model=models/lantern.vmdl"]);
    git(&folder, &["checkout", "--quiet", "main"]);
    set(&["x=100"]);
    git(&folder, &["merge", "--quiet", "--no-edit", "side"]);
    assert!(shown().contains("100,models/lantern.vmdl"), "{}", shown());
    assert_eq!(git(&folder, &["status", "--porcelain", "--untracked-files=no"]), "");

    // Only values that both sides changed remain as conflicts.
    git(&folder, &["checkout", "--quiet", "side"]);
    set(&["x=200", "model=models/torch.vmdl"]);
    git(&folder, &["checkout", "--quiet", "main"]);
    set(&["x=300"]);
    let (done, talk) = try_git(&folder, &["merge", "--no-edit", "side"]);
    assert!(!done && talk.contains("origin: base 1 2 3, ours 300 2 3, theirs 200 2 3"), "{talk}");
    assert!(talk.contains("CONFLICT (content)"), "{talk}");
    assert_eq!(git(&folder, &["status", "--porcelain", "--untracked-files=no"]), "UU map.vmap\n");
    assert!(shown().contains("300,models/torch.vmdl"), "{}", shown());
    for side in ["1", "2", "3"] {
        let blob = command(&folder, &["show", &format!(":{side}:map.vmap")]).output().unwrap();
        folder.write(format!("side{side}.vmap"), blob.stdout);
    }
    let sides = ["merge", "--prefer", "theirs", "side1.vmap", "side2.vmap", "side3.vmap", "-o", "map.vmap", "--force"];
    folder.run(sides).ends(0);
    assert!(shown().contains("200,models/torch.vmdl"), "{}", shown());
    git(&folder, &["commit", "--quiet", "-a", "--no-edit"]);
}
