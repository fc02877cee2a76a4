//! L7: decoders in another language read the same content.

use crate::support;

use std::fmt::Write as _;

use mapwright_keyvalues::{Vmat, kv1, kv3};
use mapwright_testkit::witness::{agree, ask, hex};
use support::corpus_files;

/// Prints the items of KeyValues 1 with their depth, and of materials what is known of them.
const KV1: &str = "
import sys
sys.path.insert(0, sys.argv[1])
import s2content_dump, vmf_dump
raw = lambda text: text.encode('utf-8', 'surrogateescape').hex()
def show(items, depth):
    for key, value in items:
        if isinstance(value, vmf_dump.Block): value = value.items
        if isinstance(value, list):
            print(depth, raw(key), 'block')
            show(value, depth + 1)
        else: print(depth, raw(key), raw(value))
for file in sys.argv[2:]:
    print('file', file)
    data = open(file, 'rb').read()
    if file.endswith('.vmf'): show(vmf_dump.parse(data)[0].items, 0); continue
    show(s2content_dump.kv1_parse(data)[0], 0)
    if not file.endswith('.vmat'): continue
    material = s2content_dump.vmat(data)
    print('shader', raw(material['shader'] or ''))
    for key in material['features']: print('feature', raw(key))
    for key, value in material['images'].items(): print('image', raw(key), raw(value))
    for key in material['constants']: print('constant', raw(key))
    for key in material['blocks']: print('block', raw(key))
";

#[test]
#[ignore = "needs the corpus"]
fn another_decoder_agrees_on_the_corpus_of_keyvalues_1() {
    let mut files = corpus_files("s2content", &["vmat", "gi", "txt"]);
    files.extend(corpus_files("vmf", &["vmf"]));
    let Some(expected) = ask(KV1, &files).filter(|_| !files.is_empty()) else { return };
    let mut found = String::new();
    for path in &files {
        let _ = writeln!(found, "file {}", path.display());
        let is_map = path.extension().is_some_and(|extension| extension == "vmf");
        let options = if is_map { kv1::ReadOptions::vmf() } else { kv1::ReadOptions::default() };
        let document = kv1::Document::from_bytes_with(&std::fs::read(path).expect("reads"), &options).expect("reads");
        let mut open = vec![document.items()];
        while let Some(items) = open.last_mut() {
            let Some(item) = items.next() else {
                open.pop();
                continue;
            };
            let value = item.value().map_or_else(|| "block".to_owned(), |value| hex(&value));
            let _ = writeln!(found, "{} {} {value}", open.len() - 1, hex(&item.name()));
            if item.is_block() {
                open.push(item.items());
            }
        }
        if path.extension().is_some_and(|extension| extension == "vmat") {
            show_material(&mut found, &Vmat::from_kv1(&document).expect("has a layer"));
        }
    }
    agree(&found, &expected);
    println!("{} files are equal", files.len());
}

fn show_material(out: &mut String, material: &Vmat) {
    let _ = writeln!(out, "shader {}", hex(material.shader.as_deref().unwrap_or_default().as_bytes()));
    for feature in material.parameters.iter().filter(|parameter| parameter.name.starts_with("F_")) {
        let _ = writeln!(out, "feature {}", hex(feature.name.as_bytes()));
    }
    for image in material.images() {
        let _ = writeln!(out, "image {} {}", hex(image.name.as_bytes()), hex(image.text.as_bytes()));
    }
    for parameter in material.parameters.iter().filter(|parameter| parameter.name.contains("Texture")) {
        if matches!(parameter.value, mapwright_keyvalues::vmat::ParameterValue::Vector(_)) {
            let _ = writeln!(out, "constant {}", hex(parameter.name.as_bytes()));
        }
    }
    for block in &material.blocks {
        let _ = writeln!(out, "block {}", hex(block.name.as_bytes()));
    }
}

/// Prints the values of KV3 with their depth, also of a file with text after the root.
const KV3: &str = "
import sys, struct
sys.path.insert(0, sys.argv[1])
import s2content_dump
raw = lambda text: text.encode('utf-8', 'surrogateescape').hex()
def show(value, key, depth):
    head = '%d %s ' % (depth, '-' if key is None else raw(key))
    while isinstance(value, s2content_dump.Flagged): head += value.flag + ':'; value = value.value
    if isinstance(value, dict): value = list(value.items()) or {}
    if value == {} and not isinstance(value, list): print(head + 'object')
    elif isinstance(value, list) and value and isinstance(value[0], tuple):
        print(head + 'object')
        for name, item in value: show(item, name, depth + 1)
    elif isinstance(value, list):
        print(head + 'array')
        for item in value: show(item, None, depth + 1)
    elif value is None: print(head + 'null')
    elif value is True or value is False: print(head + str(value).lower())
    elif isinstance(value, int): print(head + str(value))
    elif isinstance(value, float): print(head + struct.pack('>d', value).hex())
    elif isinstance(value, bytes): print(head + 'binary ' + value.hex())
    else: print(head + 'text ' + raw(value))
for file in sys.argv[2:]:
    data = open(file, 'rb').read()
    if data.startswith(b'<!-- schema text'): continue
    print('file', file)
    match = s2content_dump.KV3_HEAD.match(data)
    print('header', *[part.decode() for part in match.groups()])
    show(s2content_dump.KV3(data, match.end()).value(), None, 0)
";

#[test]
#[ignore = "needs the corpus"]
fn another_decoder_agrees_on_the_corpus_of_kv3() {
    let files = corpus_files("s2content", &["vmdl"]);
    let Some(expected) = ask(KV3, &files).filter(|_| !files.is_empty()) else { return };
    let (mut found, mut count) = (String::new(), 0);
    for path in &files {
        let bytes = std::fs::read(path).expect("reads");
        if bytes.starts_with(b"<!-- schema text") {
            continue;
        }
        let document = kv3::Document::from_bytes(&bytes).expect("reads");
        let header = document.header();
        let _ = writeln!(found, "file {}", path.display());
        let [encoding, format] =
            [(&header.encoding, &header.encoding_version), (&header.format, &header.format_version)];
        let _ = writeln!(found, "header {} {} {} {}", encoding.0, encoding.1, format.0, format.1);
        let mut open = vec![vec![document.root()].into_iter()];
        while let Some(values) = open.last_mut() {
            let Some(value) = values.next() else {
                open.pop();
                continue;
            };
            let key = value.key().map_or_else(|| "-".to_owned(), |key| hex(&key));
            let flags: String = value.flags().map(|flag| format!("{flag}:")).collect();
            let data = match value.data() {
                kv3::Data::Object => "object".to_owned(),
                kv3::Data::Array => "array".to_owned(),
                kv3::Data::Null => "null".to_owned(),
                kv3::Data::Bool(value) => value.to_string(),
                kv3::Data::Int(value) => value.to_string(),
                kv3::Data::UInt(value) => value.to_string(),
                kv3::Data::Double(value) => hex(&value.to_be_bytes()),
                kv3::Data::Binary(bytes) => format!("binary {}", hex(&bytes)),
                kv3::Data::Text(text) => format!("text {}", hex(&text)),
            };
            let _ = writeln!(found, "{} {key} {flags}{data}", open.len() - 1);
            open.push(value.items().collect::<Vec<_>>().into_iter());
        }
        count += 1;
    }
    agree(&found, &expected);
    println!("{count} files are equal");
}
