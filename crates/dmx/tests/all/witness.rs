//! L7: a decoder in another language, written apart from this one, sees the same graphs.

use crate::support;

use std::fs;
use std::path::PathBuf;

use mapwright_dmx::{Document, Encoding};
use mapwright_testkit::witness::ask;
use mapwright_testkit::{corpus, files_below};

/// Runs the other decoder over files, printing all bytes instead of their hash, and text as the binary that it makes of it.
const SCRIPT: &str = "
import sys
sys.path.insert(0, sys.argv[1])
import dmx_dump
dmx_dump.short = bytes.hex
for file in sys.argv[2:]:
    print('file', file)
    try:
        data = open(file, 'rb').read()
        document = dmx_dump.load(data)
        if document.is_text:
            document = dmx_dump.load(dmx_dump.text_to_binary(data))
        print('\\n'.join(dmx_dump.dump(document, 1 << 60)))
    except Exception as error:
        print('refused', error)
";

#[test]
#[ignore = "needs the corpus"]
fn another_decoder_agrees_on_the_corpus() {
    let folders = ["dmx", "vmap"].into_iter().filter_map(corpus);
    let files: Vec<PathBuf> = folders.flat_map(|folder| files_below(&folder)).collect();
    if files.is_empty() {
        return;
    }
    let Some(output) = ask(SCRIPT, &files) else { return };
    let (mut same, mut refused) = (0, 0);
    for (section, file) in output.split("file /").skip(1).zip(&files) {
        let (name, expected) = section.split_once('\n').expect("a name");
        assert!(file.ends_with(name), "{name}");
        let bytes = fs::read(file).expect("it was read before");
        match Document::from_bytes(&bytes) {
            // It writes text as binary 9, which has no identities as values.
            Ok(document) if is_text(&document) && expected.contains("objectid exists only") => {}
            // Prefix attributes without an identity: this crate takes them for those of a file that has no copy of them, and
            // a name among them for an attribute.
            Ok(document) if is_text(&document) && !document.prefix.is_empty() && document.prefix_copy().is_none() => {}
            // It has numbers without quotes, which this crate lets pass.
            Ok(_) if name.ends_with("srct_unquoted_numbers.dmx") => {}
            Ok(mut document) => {
                document.set_encoding(to_binary(&document));
                let (expected, found): (Vec<_>, String) = (expected.lines().collect(), support::dump(&document));
                let found: Vec<_> = found.lines().collect();
                let without_id = |line: &str| line.rsplit_once(' ').map(|(rest, _)| rest.to_owned());
                for (expected, found) in expected.iter().zip(&found) {
                    // Text without identities: it writes zeros, this crate makes some up.
                    let same = if expected.ends_with(NIL) {
                        without_id(expected) == without_id(found)
                    } else {
                        expected == found
                    };
                    assert!(same, "{name}:\n- {expected}\n+ {found}");
                }
                assert_eq!(expected.len(), found.len(), "{name}");
                same += 1;
            }
            Err(error) => {
                assert!(expected.starts_with("refused"), "{name}: {error}");
                refused += 1;
            }
        }
    }
    println!("{same} files are equal, {refused} are rejected by both");
    assert!(same >= 50 && refused >= 10, "{same} {refused}");
}

const NIL: &str = "00000000-0000-0000-0000-000000000000";

fn is_text(document: &Document) -> bool {
    document.header.encoding.is_text()
}

fn to_binary(document: &Document) -> Encoding {
    if is_text(document) { Encoding::BINARY_9 } else { document.header.encoding }
}
