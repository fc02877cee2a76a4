//! Sets of limits, and limits of the whole command.

use std::process::{Child, Stdio};

use crate::folder::{Done, Folder};

/// A list in a list, and so on.
fn nested(levels: usize) -> Vec<u8> {
    let mut bytes = vec![131];
    bytes.extend([b'l', 0, 0, 0, 1].repeat(levels));
    bytes.extend([b'j'].repeat(levels + 1));
    bytes
}

#[test]
fn the_set_for_services_is_low_and_can_be_raised() {
    let folder = Folder::new();
    folder.write("deep.etf", nested(2000));
    folder.run(["info", "deep.etf"]).ends(0);
    let done = folder.run(["info", "--limits", "service", "deep.etf"]).ends(6);
    assert!(done.talk.contains("--limit-depth"), "{done:?}");
    folder.run(["info", "--limits", "service", "--limit-depth", "3k", "deep.etf"]).ends(0);
}

#[test]
fn the_set_for_services_reads_no_other_files() {
    let folder = Folder::with_cube();
    let is_missing = |options: &[&str]| {
        let args = ["convert", "--json", "--dry-run", "--to", "wings", "cube.obj"];
        folder.run(args.iter().chain(options)).ends(0).out.contains("cube.mtl")
    };
    assert!(!is_missing(&[]) && is_missing(&["--limits", "service"]));
    assert!(!is_missing(&["--limits", "service", "--external", "beside"]));
    let done = folder.run(["convert", "--limits", "service", "--dry-run", "--to", "wings", "cube.obj"]).ends(0);
    assert!(done.talk.contains("help: --external beside reads files"), "{done:?}");
    folder.write("up.obj", "mtllib ../up.mtl\nv 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n");
    let done = folder.run(["convert", "--dry-run", "--to", "wings", "up.obj"]).ends(0);
    assert!(done.talk.contains("help: --external any reads files"), "{done:?}");
}

/// Runs a command that waits for its standard input, which stays open.
fn wait(folder: &Folder, args: &[&str]) -> Done {
    let mut command = folder.command(args);
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child: Child = command.spawn().unwrap();
    let stdin = child.stdin.take();
    let done = child.wait_with_output().unwrap().into();
    drop(stdin);
    done
}

#[test]
fn the_time_of_the_command_is_limited() {
    let folder = Folder::new();
    let done = wait(&folder, &["convert", "--limit-time", "1", "--from", "obj", "-", "-o", "a.glb"]).ends(6);
    assert_eq!(
        done.talk,
        "error[limit]: time limit exceeded: 1 s\nhelp: raise it with --limit-time if the input is trusted\n"
    );
    folder.write("a.etf", nested(1));
    folder.run(["info", "--limit-time", "100", "a.etf"]).ends(0);
    folder.run(["info", "--limit-time", "0", "a.etf"]).ends(2);
}

/// A limit of processor time (`ulimit -t`) sends this signal.
#[cfg(unix)]
#[test]
fn the_limit_of_processor_time_has_its_own_message() {
    use std::io::Write;

    let folder = Folder::new();
    let mut command = folder.command(["info", "--from", "obj", "-"]);
    let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    // A pipe takes 64 KiB: once more is written, the command has started to read.
    let mut stdin = child.stdin.take().unwrap();
    stdin.write_all(&[b' '; 1 << 20]).unwrap();
    std::process::Command::new("kill").args(["-XCPU", &child.id().to_string()]).status().unwrap();
    let done = Done::from(child.wait_with_output().unwrap()).ends(6);
    assert!(done.talk.contains("processor time") && done.talk.contains("ulimit -t"), "{done:?}");
    drop(stdin);
}

#[test]
fn the_memory_of_the_command_is_limited() {
    let folder = Folder::new();
    folder.write("a.etf", nested(1));
    if !cfg!(target_os = "linux") {
        folder.run(["info", "--limit-memory", "1G", "a.etf"]).ends(2);
        return;
    }
    let done = wait(&folder, &["info", "--limit-memory", "100k", "-"]).ends(6);
    assert!(
        done.talk.contains("memory limit exceeded: 102400 bytes") && done.talk.contains("--limit-memory"),
        "{done:?}"
    );
    folder.run(["info", "--limit-memory", "1G", "a.etf"]).ends(0);
}
