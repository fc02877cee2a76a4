//! L7: a decoder in another language, written apart from this one, sees the same graphs.

mod support;

use std::io::Write as _;
use std::path::PathBuf;
use std::process::Command;
use std::{fs, io};

use mapwright_dmx::Document;
use mapwright_testkit::{corpus, debugdiff, files_below, workspace};

/// Runs the other decoder over a file, printing all bytes instead of their hash. `None` if it refuses the file.
const SCRIPT: &str = "
import sys
sys.path.insert(0, sys.argv[1])
import dmx_dump
dmx_dump.short = bytes.hex
for file in sys.argv[2:]:
    print('file', file)
    try:
        print('\\n'.join(dmx_dump.dump(dmx_dump.load(open(file, 'rb').read()), 1 << 60)))
    except Exception as error:
        print('refused', error)
";

fn oracle(files: &[PathBuf]) -> Option<String> {
    let folder = workspace().parent()?.join("shared/oracles");
    let output = Command::new("python3").args(["-c", SCRIPT]).arg(&folder).args(files).output();
    match output {
        Ok(output) if folder.is_dir() => {
            assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
            Some(String::from_utf8(output.stdout).expect("the dump is ASCII"))
        }
        _ => {
            let _ = writeln!(io::stderr(), "SKIPPED: no python3 or no ../shared/oracles/dmx_dump.py to compare with");
            None
        }
    }
}

#[test]
fn another_decoder_sees_the_same() {
    let folders = ["dmx", "vmap"].into_iter().filter_map(corpus);
    let files: Vec<PathBuf> = folders.flat_map(|folder| files_below(&folder)).collect();
    if files.is_empty() {
        return;
    }
    let Some(output) = oracle(&files) else { return };
    let (mut same, mut refused) = (0, 0);
    for (section, file) in output.split("file /").skip(1).zip(&files) {
        let (name, expected) = section.split_once('\n').expect("a name");
        assert!(file.ends_with(name), "{name}");
        let bytes = fs::read(file).expect("it was read before");
        if is_text(&bytes) {
            continue;
        }
        match Document::from_bytes(&bytes) {
            Ok(document) => {
                let (expected, found): (Vec<_>, String) = (expected.lines().collect(), support::dump(&document));
                let found: Vec<_> = found.lines().collect();
                assert!(found == expected, "{name}: {}", debugdiff(&expected, &found));
                same += 1;
            }
            Err(error) => {
                assert!(expected.starts_with("refused"), "{name}: {error}");
                refused += 1;
            }
        }
    }
    println!("{same} files say the same, {refused} are refused by both");
    assert!(same >= 50 && refused >= 10, "{same} {refused}");
}

fn is_text(bytes: &[u8]) -> bool {
    bytes.starts_with(b"<!--") && !bytes.windows(2).take(400).any(|two| two == b"\n\0") && !bytes.is_empty()
}
