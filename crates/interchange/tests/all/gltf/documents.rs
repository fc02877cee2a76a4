//! Documents made by hand, with what the tests need to make them.

use std::fmt::Write;

/// A container of JSON and bytes, spelt out.
pub(crate) fn glb(json: &str, bin: &[u8]) -> Vec<u8> {
    let mut json = json.as_bytes().to_vec();
    json.resize(json.len().next_multiple_of(4), b' ');
    let mut padded = bin.to_vec();
    padded.resize(bin.len().next_multiple_of(4), 0);
    let total = 20 + json.len() + if bin.is_empty() { 0 } else { 8 + padded.len() };
    let word = |number: usize| u32::try_from(number).unwrap().to_le_bytes();
    let mut out = b"glTF\x02\0\0\0".to_vec();
    out.extend(word(total));
    out.extend(word(json.len()));
    out.extend(b"JSON");
    out.extend(json);
    if !bin.is_empty() {
        out.extend(word(padded.len()));
        out.extend(b"BIN\0");
        out.extend(padded);
    }
    out
}

/// The JSON of a document with these parts besides `asset`.
pub(crate) fn json(parts: &str) -> String {
    format!(r#"{{"asset":{{"version":"2.0"}},{parts}}}"#)
}

/// The bytes of floats.
pub(crate) fn floats(numbers: &[f32]) -> Vec<u8> {
    numbers.iter().flat_map(|number| number.to_le_bytes()).collect()
}

/// A document of one mesh of one primitive: views over the buffer as `(offset, length, rest)`, accessors and the
/// primitive as JSON.
pub(crate) fn mesh(bin: &[u8], views: &[(usize, usize, &str)], accessors: &str, primitive: &str) -> Vec<u8> {
    let mut list = String::new();
    for (offset, length, rest) in views {
        let comma = if list.is_empty() { "" } else { "," };
        write!(list, r#"{comma}{{"buffer":0,"byteOffset":{offset},"byteLength":{length}{rest}}}"#).unwrap();
    }
    let json = json(&format!(
        r#""scene":0,"scenes":[{{"nodes":[0]}}],"nodes":[{{"mesh":0}}],"meshes":[{{"primitives":[{primitive}]}}],
        "accessors":[{accessors}],"bufferViews":[{list}],"buffers":[{{"byteLength":{}}}]"#,
        bin.len()
    ));
    glb(&json, bin)
}
