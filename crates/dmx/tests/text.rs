//! KeyValues2: what the specification says, and real files where the corpus is there.

use mapwright_dmx::{Document, Encoding, LineEnd, TextStyle, WriteOptions};
use mapwright_testkit::{corpus, files_below};

/// Files of the corpus that can be read.
fn files(wanted: impl Fn(&Document) -> bool) -> Vec<(String, Vec<u8>)> {
    let folders = ["dmx", "vmap"].into_iter().filter_map(corpus);
    let paths: Vec<_> = folders.flat_map(|folder| files_below(&folder)).collect();
    if paths.is_empty() {
        eprintln!("SKIPPED: the corpus is not there");
    }
    let files = paths.into_iter().map(|path| (path.display().to_string(), std::fs::read(path).unwrap()));
    files.filter(|(_, bytes)| Document::from_bytes(bytes).is_ok_and(|document| wanted(&document))).collect()
}

fn is_text(document: &Document) -> bool {
    document.header.encoding.is_text()
}

/// Lays a text out anew, in Hammer's style and with the line ends that it has.
fn relaid(bytes: &[u8]) -> Vec<u8> {
    let mut document = Document::from_bytes(bytes).unwrap();
    document.forget_source();
    let line_end = if bytes.windows(2).any(|two| two == b"\r\n") { LineEnd::CrLf } else { LineEnd::Lf };
    document.to_bytes_with(&WriteOptions::default().with_style(TextStyle::Hammer).with_line_end(line_end)).unwrap()
}

/// Without the blanks that Hammer leaves on empty lines, and version control or editors take away.
fn trimmed(text: &[u8]) -> Vec<u8> {
    let lines = text.split(|&byte| byte == b'\n');
    let lines = lines.map(|line| if line.trim_ascii().is_empty() { &[] } else { line });
    lines.collect::<Vec<_>>().join(&b'\n')
}

#[test]
fn hammers_texts_are_laid_out_as_hammer_does() {
    let (mut same, mut nearly) = (0, 0);
    for (name, bytes) in files(is_text) {
        let relaid = relaid(&bytes);
        if relaid == bytes {
            same += 1;
        } else if trimmed(&relaid) == trimmed(&bytes) {
            nearly += 1;
        } else {
            eprintln!("laid out otherwise: {name}");
        }
    }
    eprintln!("{same} same, {nearly} nearly");
}

#[test]
fn maps_survive_text() {
    for (name, bytes) in files(|document| document.header.encoding == Encoding::BINARY_9) {
        let mut document = Document::from_bytes(&bytes).unwrap();
        document.set_encoding(Encoding::KEYVALUES2_4);
        let text = match document.to_bytes() {
            Ok(text) => text,
            Err(error) => {
                eprintln!("{name}: {error}");
                continue;
            }
        };
        let mut document = Document::from_bytes(&text).unwrap();
        document.set_encoding(Encoding::BINARY_9);
        let back = document.to_bytes();
        if !back.is_ok_and(|back| back == bytes) {
            eprintln!("{name}: other");
        }
    }
}
