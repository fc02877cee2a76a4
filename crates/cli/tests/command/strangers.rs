//! Files of strangers that name files elsewhere: no run opens what is outside the folder of the document, or contacts another host.
//!
//! `cargo xtask conformance files` traces the system calls of every run with strace; without it, nothing is traced.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::io::Write as _;
use std::path::{Component, Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use mapwright::interchange::encode_base64;

/// A part of each name of another host. No system call may contain it.
const HOST: &str = "stranger-host";
/// Every file outside the folder of the documents contains this, and no output may.
const SECRET: &str = "TOPSECRET";
/// A run takes some milliseconds: after this time it waits for a pipe or reads a device without an end.
const PATIENCE: Duration = Duration::from_secs(20);
/// After this number of failures no more are looked for.
const SHOWN: usize = 60;

/// Files that the runtime and the system libraries open.
const SYSTEM: &[&str] = &[
    "/lib",
    "/lib32",
    "/lib64",
    "/usr/lib",
    "/usr/lib64",
    "/usr/share",
    "/usr/local/lib",
    "/etc/ld.so.cache",
    "/etc/ld.so.preload",
    "/proc/self/maps",
    "/proc/self/cgroup",
    "/proc/self/mountinfo",
    "/proc/self/exe",
    "/proc/self/auxv",
    "/proc/self/status",
    "/proc/cpuinfo",
    "/proc/meminfo",
    "/proc/stat",
    "/proc/sys/vm",
    "/sys/devices/system/cpu",
    "/sys/fs/cgroup",
    "/sys/kernel/mm",
    "/dev/null",
    "/dev/urandom",
];

/// Calls that open, create, remove or replace what they name. All others only look.
const OPENING: &[&str] = &[
    "open",
    "openat",
    "openat2",
    "creat",
    "truncate",
    "rename",
    "renameat",
    "renameat2",
    "link",
    "linkat",
    "symlink",
    "symlinkat",
    "unlink",
    "unlinkat",
    "mkdir",
    "mkdirat",
    "rmdir",
    "mknod",
    "mknodat",
    "chmod",
    "fchmodat",
    "chown",
    "fchownat",
    "utimensat",
];

/// The names of files in documents, each with a short name for the case.
fn references(root: &Path) -> Vec<(&'static str, String)> {
    let secret = root.join("secretdir").display().to_string();
    let cases = [
        ("relative", "../../secretdir/secret.png".to_owned()),
        ("absolute", format!("{secret}/secret.png")),
        ("percent", "%2e%2e/%2e%2e/secretdir/secret.png".to_owned()),
        ("percent_slash", "..%2f..%2fsecretdir%2fsecret.png".to_owned()),
        ("percent_twice", "%252e%252e/%252e%252e/secretdir/secret.png".to_owned()),
        ("backslash", "..\\..\\secretdir\\secret.png".to_owned()),
        ("below_and_up", "sub/../../../secretdir/secret.png".to_owned()),
        ("file_uri", format!("file://{secret}/secret.png")),
        ("file_uri_local", format!("file:{secret}/secret.png")),
        ("nul", "ok.png%00../../secretdir/secret.txt".to_owned()),
        ("tga", format!("{secret}/db.tga")),
        ("bmp", format!("{secret}/BMnotes.txt")),
        ("text", format!("{secret}/secret.txt")),
        ("text_relative", "../../secretdir/secret.txt".to_owned()),
        ("neighbour", "../job2/other.png".to_owned()),
        ("sibling_prefix", "../job1-old/other.png".to_owned()),
        ("current", "decoy.png".to_owned()),
        ("current_below", "art/decoy.png".to_owned()),
        ("system", "/etc/passwd".to_owned()),
        ("drive", format!("C:{secret}/secret.png")),
        ("drive_backslash", "C:\\art\\decoy.png".to_owned()),
        ("share", format!("\\\\{HOST}\\share\\x.png")),
        ("share_slash", format!("//{HOST}/share/x.png")),
        ("share_uri", format!("file://{HOST}/share/x.png")),
        ("share_long", format!("\\\\?\\UNC\\{HOST}\\share\\x.png")),
        ("device_name", format!("\\\\.\\pipe\\{HOST}")),
        ("process", "/proc/self/cwd/decoy.png".to_owned()),
        ("process_root", format!("/proc/self/root{secret}/secret.png")),
        ("link", "link.tga".to_owned()),
        ("link_png", "linkpng.png".to_owned()),
        ("link_text", "link.txt".to_owned()),
        ("link_folder", "linkdir/secret.png".to_owned()),
        ("pipe", "fifo.png".to_owned()),
        ("endless", "/dev/zero".to_owned()),
    ];
    cases.to_vec()
}

/// A PNG of one pixel with a comment. The sums do not matter: nothing may get as far as to read them.
fn png(comment: &str) -> Vec<u8> {
    let pixel = b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\0\x01\0\0\0\x01\x10\0\0\0\0\x6a\xee\x47\x16".to_vec();
    let length = u32::try_from(comment.len()).unwrap() + 8;
    let text = [&length.to_be_bytes(), &b"tEXtComment\0"[..], comment.as_bytes(), &[0; 4]].concat();
    let end = b"\0\0\0\x0bIDAT\x78\x9c\x63\x60\x10\x64\0\0\0\x18\0\x09\0\0\0\0\0\0\0\0IEND\xaeB`\x82";
    [pixel, text, end.to_vec()].concat()
}

/// Writes the documents into `in/job1`, what they must not reach around it, and gives the documents, those of one kind together.
#[cfg(unix)]
fn write_cases(root: &Path) -> Vec<Vec<PathBuf>> {
    use std::os::unix::fs::symlink;
    let put = |name: &str, data: &[u8]| {
        let path = root.join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, data).unwrap();
    };
    put("secretdir/secret.png", &png(SECRET));
    put("secretdir/secret.txt", format!("newmtl m\n{SECRET} root:x:0:0\n").as_bytes());
    put("secretdir/db.tga", format!("{SECRET}, a dump of a database\n").as_bytes());
    put("secretdir/BMnotes.txt", format!("BM {SECRET}\n").as_bytes());
    put("in/job2/other.png", &png(SECRET));
    put("in/job1-old/other.png", &png(SECRET));
    put("current/decoy.png", &png(SECRET));
    put("current/art/decoy.png", &png(SECRET));
    put("in/job1/ok.png", &png("fine"));
    let job = root.join("in/job1");
    for (link, target) in
        [("link.tga", "secret.txt"), ("linkpng.png", "secret.png"), ("link.txt", "secret.txt"), ("linkdir", "")]
    {
        symlink(root.join("secretdir").join(target), job.join(link)).unwrap();
    }
    assert!(Command::new("mkfifo").arg(job.join("fifo.png")).status().unwrap().success());

    let triangle: Vec<u8> =
        [0.0_f32, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0, 0.0].iter().flat_map(|x| x.to_le_bytes()).collect();
    let inline = format!("data:application/octet-stream;base64,{}", encode_base64(&triangle));
    let mut documents: BTreeMap<(String, String), Vec<PathBuf>> = BTreeMap::new();
    for (case, reference) in references(root) {
        let mut document = |name: String, text: String| {
            put(&format!("in/job1/{name}"), text.as_bytes());
            let (kind, extension) = (name.split('_').next().unwrap(), name.rsplit('.').next().unwrap());
            documents.entry((kind.to_owned(), extension.to_owned())).or_default().push(job.join(&name));
        };
        let json = reference.replace('\\', "\\\\");
        // Only URIs of glTF are encoded.
        let plain = reference.replace("%2e", ".").replace("%2f", "/").replace("%00", "");
        document(
            format!("image_{case}.gltf"),
            gltf(
                &inline,
                &format!(
                    r#","images":[{{"uri":"{json}"}}],"textures":[{{"source":0}}],
            "materials":[{{"pbrMetallicRoughness":{{"baseColorTexture":{{"index":0}}}}}}]"#
                ),
            ),
        );
        document(format!("buffer_{case}.gltf"), gltf(&json, r#","materials":[{}]"#));
        put(&format!("in/job1/map_{case}.mtl"), format!("newmtl m\nmap_Kd {plain}\nnorm {plain}\n").as_bytes());
        document(format!("map_{case}.obj"), obj(&format!("map_{case}.mtl")));
        document(format!("library_{case}.obj"), obj(&plain));
        document(
            format!("image_{case}.tmx"),
            tmx(
                &format!(
                    r#"<tileset firstgid="1" name="t" tilewidth="1" tileheight="1" tilecount="1" columns="1"><image source="{plain}" width="1" height="1"/></tileset>"#
                ),
                "",
            ),
        );
        document(format!("source_{case}.tmx"), tmx(&format!(r#"<tileset firstgid="1" source="{plain}"/>"#), ""));
        document(
            format!("template_{case}.tmx"),
            tmx(
                r#"<tileset firstgid="1" name="t" tilewidth="1" tileheight="1" tilecount="1" columns="1"/>"#,
                &format!(
                    r#"<objectgroup id="2" name="o"><object id="1" template="{plain}" x="0" y="0"/></objectgroup>"#
                ),
            ),
        );
    }
    documents.into_values().collect()
}

/// A triangle whose positions are in the buffer of that URI.
fn gltf(buffer: &str, more: &str) -> String {
    format!(
        r#"{{"asset":{{"version":"2.0"}},"scene":0,"scenes":[{{"nodes":[0]}}],"nodes":[{{"mesh":0}}],
        "meshes":[{{"primitives":[{{"attributes":{{"POSITION":0}},"material":0}}]}}],"bufferViews":[{{"buffer":0,"byteLength":36}}],
        "accessors":[{{"bufferView":0,"componentType":5126,"count":3,"type":"VEC3","min":[0,0,0],"max":[1,1,0]}}],
        "buffers":[{{"uri":"{buffer}","byteLength":36}}]{more}}}"#
    )
}

fn obj(library: &str) -> String {
    format!("mtllib {library}\nv 0 0 0\nv 1 0 0\nv 0 1 0\nvt 0 0\nvt 1 0\nvt 0 1\nusemtl m\nf 1/1 2/2 3/3\n")
}

fn tmx(tileset: &str, group: &str) -> String {
    format!(
        r#"<map version="1.10" orientation="orthogonal" width="1" height="1" tilewidth="1" tileheight="1">{tileset}<layer id="1" name="l" width="1" height="1"><data encoding="csv">1</data></layer>{group}</map>"#
    )
}

/// The commands that read documents, with what they write into `out`.
fn commands(documents: &[PathBuf], out: &Path) -> Vec<Vec<String>> {
    let out = out.display().to_string();
    let documents: Vec<String> = documents.iter().map(|document| document.display().to_string()).collect();
    let with = |words: &[&str]| words.iter().map(|&word| word.to_owned()).chain(documents.clone()).collect::<Vec<_>>();
    let mut commands = vec![with(&["info"]), with(&["check"]), with(&["query", "kind=mesh"])];
    commands.extend([with(&["render", "-d", &out]), with(&["render", "--html", "-d", &out])]);
    for format in ["glb", "gltf", "obj", "wings", "tmx"] {
        commands.push(with(&["convert", "--to", format, "-d", &out]));
    }
    commands.extend(documents.chunks(2).map(|pair| {
        let (old, new) = (pair.first().unwrap(), pair.last().unwrap());
        ["diff", old, new].map(str::to_owned).to_vec()
    }));
    commands
}

/// A call that names a path, as strace wrote it.
#[derive(Debug)]
struct Call {
    name: String,
    /// The paths that the call names, from the root.
    paths: Vec<PathBuf>,
    /// The path of what it opened, after all links.
    opened: Option<PathBuf>,
}

/// Reads a line that `strace -f -y -xx` wrote. `current` is the folder that relative paths start from.
fn parse_call(line: &str, current: &Path) -> Option<Call> {
    let (_, line) = line.split_once(char::is_whitespace)?;
    let line = line.trim_start();
    let opened = line
        .rsplit_once(" = ")
        .and_then(|(_, result)| result.split_once('<'))
        .map(|(_, path)| PathBuf::from(unescape(path.split('>').next().unwrap_or_default())));
    // The paths of a call that another thread interrupted were in an earlier line.
    if let Some(resumed) = line.strip_prefix("<... ") {
        let name = resumed.split(' ').next()?.to_owned();
        return Some(Call { name, paths: Vec::new(), opened });
    }
    let (name, args) = line.split_once('(')?;
    // The loader starts the program; its arguments are no files that it opens. The other call returns a path.
    if matches!(name, "execve" | "getcwd") {
        return None;
    }
    let args = args.rsplit_once(" = ").map_or(args, |(args, _)| args);
    let mut base = current.to_owned();
    let mut paths = Vec::new();
    for part in args.split_inclusive(['>', '"']) {
        if let Some((_, folder)) = part.strip_suffix('>').and_then(|part| part.rsplit_once('<')) {
            base = PathBuf::from(unescape(folder));
        } else if let Some(text) = part.strip_suffix('"').filter(|text| text.starts_with("\\x")) {
            paths.push(base.join(unescape(text)));
        }
    }
    if name.starts_with("readlink") {
        // The second is what the link contains.
        paths.truncate(1);
    }
    Some(Call { name: name.to_owned(), paths, opened })
}

/// Bytes as `\x2f\x61`.
fn unescape(text: &str) -> String {
    let digits = text.split("\\x").skip(1);
    let bytes: Vec<u8> = digits.filter_map(|digits| u8::from_str_radix(digits.get(..2)?, 16).ok()).collect();
    String::from_utf8_lossy(&bytes).into_owned()
}

/// The path without `.` and `..`, without a look at the disk.
fn normalise(path: &Path) -> PathBuf {
    let mut normal = PathBuf::new();
    for part in path.components() {
        match part {
            Component::ParentDir => drop(normal.pop()),
            Component::CurDir => {}
            part => normal.push(part),
        }
    }
    normal
}

/// Names the folder of a process as a process names its own.
fn own_process(path: &Path) -> PathBuf {
    let rest = path.strip_prefix("/proc").ok().and_then(|below| {
        let mut parts = below.components();
        let number = parts.next()?.as_os_str().to_str()?;
        number.bytes().all(|byte| byte.is_ascii_digit()).then(|| parts.as_path().to_owned())
    });
    rest.map_or_else(|| path.to_owned(), |rest| Path::new("/proc/self").join(rest))
}

/// Returns the problem of a call, if there is one.
fn judge(call: &Call, roots: &[&Path]) -> Option<String> {
    let is_allowed = |path: &Path| {
        let path = own_process(&normalise(path));
        roots.iter().any(|root| path.starts_with(root)) || SYSTEM.iter().any(|system| path.starts_with(system))
    };
    let is_opening = OPENING.contains(&call.name.as_str());
    for path in &call.paths {
        let text = path.to_string_lossy();
        if text.contains(HOST) || text.starts_with("//") {
            return Some(format!("{} names another host: {text}", call.name));
        }
        if is_opening && !is_allowed(path) {
            return Some(format!("{} of {text}", call.name));
        }
    }
    let opened = call.opened.as_deref().filter(|opened| opened.is_absolute() && !is_allowed(opened))?;
    Some(format!("{} opened {}", call.name, opened.display()))
}

/// Runs a command under strace, and gives what is wrong with the run.
fn trace(args: &[String], root: &Path, roots: &[&Path]) -> BTreeSet<String> {
    let (log, current) = (root.join("trace"), root.join("current"));
    let mut strace = Command::new("strace");
    strace.args(["-f", "-qq", "-y", "-xx", "-s", "4096", "-e", "trace=%file", "-e", "signal=none", "-o"]).arg(&log);
    strace.arg(env!("CARGO_BIN_EXE_mapwright")).args(args).current_dir(&current).stdin(Stdio::null());
    // Cargo names folders of its own there, in which the loader would look for system libraries.
    strace.env_remove("LD_LIBRARY_PATH");
    let [out, err] = ["stdout", "stderr"].map(|name| root.join(name));
    strace.stdout(fs::File::create(&out).unwrap()).stderr(fs::File::create(&err).unwrap());
    let mut child = strace.spawn().unwrap();
    let start = Instant::now();
    let status = loop {
        match child.try_wait().unwrap() {
            Some(status) => break Some(status),
            None if start.elapsed() > PATIENCE => break None,
            None => std::thread::sleep(Duration::from_millis(1)),
        }
    };
    let mut wrong = BTreeSet::new();
    if status.is_none() {
        // strace takes the program that it follows with it only if it is asked to, not if it is killed.
        let _ = Command::new("kill").arg(child.id().to_string()).status();
        let _ = child.wait();
        wrong.insert(format!("takes more than {} s", PATIENCE.as_secs()));
    }
    if status.is_some_and(|status| status.code().is_none_or(|code| code == 70)) {
        wrong.insert(format!("ends with {}", status.unwrap()));
    }
    let log = fs::read_to_string(&log).unwrap();
    wrong.extend(log.lines().filter_map(|line| judge(&parse_call(line, &current)?, roots)));
    let written = fs::read_dir(root.join("out")).unwrap().map(|entry| entry.unwrap().path());
    for path in written.chain([out, err]).filter(|path| path.is_file()) {
        let bytes = fs::read(&path).unwrap();
        // In a URI, the mark is at any of three places within a group.
        let encoded = (0..3).map(|skipped| encode_base64(&[&vec![b' '; skipped], SECRET.as_bytes()].concat()));
        let mut marks = encoded.map(|text| text.trim_end_matches('=').get(4..12).unwrap_or_default().to_owned());
        let contains = |mark: &str| bytes.windows(mark.len()).any(|window| window == mark.as_bytes());
        if contains(SECRET) || marks.any(|mark| contains(&mark)) {
            wrong.insert(format!("{} contains bytes of a file elsewhere", path.file_name().unwrap().display()));
        }
    }
    wrong
}

#[cfg(unix)]
#[test]
fn no_run_opens_files_outside_the_folder() {
    if std::env::var_os("MAPWRIGHT_STRACE").is_none() {
        // Not eprintln!, which the test harness swallows.
        let _ = writeln!(std::io::stderr(), "SKIPPED: no trace asked for (cargo xtask conformance files)");
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let root = folder.path().canonicalize().unwrap();
    let kinds = write_cases(&root);
    let (job, out) = (root.join("in/job1"), root.join("out"));
    let mut runs = 0;
    let mut run = |args: &[String]| {
        let _ = fs::remove_dir_all(&out);
        fs::create_dir(&out).unwrap();
        runs += 1;
        trace(args, &root, &[&job, &out])
    };
    let mut failed = Vec::new();
    for documents in &kinds {
        for args in commands(documents, &out) {
            if run(&args).is_empty() || failed.len() >= SHOWN {
                continue;
            }
            // One at a time, to name the document.
            let (files, words): (Vec<_>, Vec<_>) =
                args.iter().cloned().partition(|arg| arg.starts_with(&*job.to_string_lossy()));
            for file in BTreeSet::from_iter(files) {
                let name = Path::new(&file).file_name().unwrap().display().to_string();
                let mut args = words.clone();
                // A difference is that of a document from itself.
                args.extend(vec![file; if words == ["diff"] { 2 } else { 1 }]);
                failed.extend(run(&args).into_iter().map(|wrong| format!("{name}: {}: {wrong}", words.join(" "))));
            }
        }
    }
    let count: usize = kinds.iter().map(Vec::len).sum();
    println!("{runs} runs on {count} documents that name files elsewhere, {} failures", failed.len());
    assert!(failed.is_empty(), "{}", failed.join("\n"));
}

#[test]
fn lines_of_strace_are_understood() {
    let current = Path::new("/here");
    let call = |line: &str| parse_call(line, current).unwrap();
    let open = call(r#"12  openat(AT_FDCWD<\x2f\x68>, "\x61", O_RDONLY|O_CLOEXEC) = 3<\x2f\x68\x2f\x61>"#);
    assert_eq!((&*open.name, &*open.paths, open.opened), ("openat", &["/h/a".into()][..], Some("/h/a".into())));
    let failed = call(r#"12 stat("\x2f\x2f\x68", 0x7ffe) = -1 ENOENT (No such file or directory)"#);
    assert_eq!((&*failed.paths, failed.opened), (&["//h".into()][..], None));
    let link = call(r#"12 readlink("\x6c", "\x2f\x65", 4096) = 2"#);
    assert_eq!(link.paths, [PathBuf::from("/here/l")]);
    let begun = call(r#"12 openat(AT_FDCWD<\x2f\x68>, "\x61", O_RDONLY <unfinished ...>"#);
    assert_eq!((&*begun.paths, begun.opened), (&["/h/a".into()][..], None));
    let resumed = call(r"12 <... openat resumed>) = 3<\x2f\x68\x2f\x61>");
    assert_eq!((&*resumed.name, resumed.opened), ("openat", Some("/h/a".into())));
    assert!(parse_call(r#"12 execve("\x61", ["\x61"], 0x7ffe) = 0"#, current).is_none());
}

#[test]
fn system_calls_are_checked_by_their_real_path() {
    let roots = [Path::new("/job"), Path::new("/out")];
    let wrong = |name: &str, path: &str, opened: Option<&str>| {
        judge(&Call { name: name.into(), paths: vec![path.into()], opened: opened.map(PathBuf::from) }, &roots)
            .is_some()
    };
    assert!(!wrong("openat", "/job/a.png", Some("/job/a.png")) && !wrong("openat", "/lib/libc.so", None));
    assert!(!wrong("stat", "/elsewhere/a", None) && !wrong("rename", "/out/a", None));
    assert!(wrong("openat", "/job/../a", None) && wrong("openat", "/jobs/a", None) && wrong("unlink", "/a", None));
    assert!(wrong("openat", "/job/link", Some("/secret")), "a link leads out");
    assert!(!wrong("openat", "/proc/self/maps", Some("/proc/12/maps")) && wrong("openat", "/proc/12/cwd/a", None));
    assert!(wrong("openat", "/proc/self/cwd/a", None) && wrong("open", "/dev/zero", None));
    assert!(wrong("stat", "//x/share", None) && wrong("readlink", "/job/\\\\stranger-host\\a", None));
}
