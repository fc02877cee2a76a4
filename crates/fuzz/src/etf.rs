//! Bodies for the Erlang External Term Format.

use mapwright_etf::{
    Builder, Document, Edit, Mode, ReadOptions, Stream, Tree, WriteError, WriteOptions, WriterProfile,
};
use mapwright_testkit::{Refusal, laws};

use crate::target::{Target, refusal};
use crate::wings;

/// The targets of `mapwright-etf`.
pub const TARGETS: &[Target] = &[
    Target { body: read, ..etf("etf_read") },
    Target { body: roundtrip, memory: 64, ..etf("etf_roundtrip") },
    Target { body: recode, memory: 64, ..etf("etf_recode") },
    Target { body: edit, memory: 64, ..etf("etf_edit") },
];

/// The largest terms at hand are those of Wings 3D.
const fn etf(name: &'static str) -> Target {
    let cut = |file: &[u8]| Some([&[131], wings::term_of(file)?.as_slice()].concat());
    Target { name, format: "etf", files: "wings", inputs: TERMS, cut, inflation: Target::ZLIB, ..Target::NEW }
}

/// Every tag at least once.
const TERMS: &[&[u8]] = &[
    b"\x83a\x07",
    b"\x83b\xff\xff\xff\xfe",
    b"\x83n\x09\x01\0\0\0\0\0\0\0\0\x01",
    b"\x83o\0\0\0\x02\0\x01\x02",
    b"\x83F\x3f\xf0\0\0\0\0\0\0",
    b"\x83c1.50000000000000000000e+00\0\0\0\0\0",
    b"\x83h\x03d\0\x05wingsa\x02h\x01l\0\0\0\x01s\x01aj",
    b"\x83i\0\0\0\x01v\0\x02\xc3\xa9",
    b"\x83l\0\0\0\x02k\0\x03abcjw\x02ok",
    b"\x83t\0\0\0\x01d\0\x01kM\0\0\0\x01\x03\xe0",
    b"\x83m\0\0\0\x18\x3f\xf0\0\0\0\0\0\0\xbf\xf0\0\0\0\0\0\0\0\0\0\0\0\0\0\0",
    b"\x83h\x04gd\0\x01n\0\0\0\x01\0\0\0\0\x01Xd\0\x01n\0\0\0\x01\0\0\0\0\0\0\0\x01fd\0\x01n\0\0\0\x01\x01Yd\0\x01n\0\0\0\x01\0\0\0\x01",
    b"\x83h\x04ed\0\x01n\0\0\0\x01\x01r\0\x01d\0\x01n\x01\0\0\0\x01Z\0\x01d\0\x01n\0\0\0\x01\0\0\0\x01qd\0\x01md\0\x01fa\x01",
    b"\x83P\x00\x00\x00\x17\x78\x9c\xcb\x60\x4e\x61\x60\x2d\xcf\xcc\x4b\x2f\x4e\x64\xca\x60\xcc\x61\x60\x60\x60\x2c\x66\x4c\xcc\x02\x00\x45\x21\x05\x75",
];

fn document(bytes: &[u8], mode: Mode) -> Result<Document, Refusal> {
    Document::from_bytes_with(bytes, &ReadOptions::default().with_mode(mode)).map_err(refusal)
}

/// Reads in both modes and visits every term; what is accepted strictly is accepted leniently as the same document.
pub fn read(bytes: &[u8]) {
    let strict = laws::total(bytes, |bytes| document(bytes, Mode::Strict));
    let lenient = laws::total(bytes, |bytes| document(bytes, Mode::Lenient));
    let Some(lenient) = lenient else {
        assert!(strict.is_none(), "refused leniently, accepted strictly");
        return;
    };
    assert!(strict.is_none_or(|strict| strict == lenient), "the mode changes the document");
    let mut terms = vec![lenient.tree().root()];
    while let Some(term) = terms.pop() {
        assert!(!term.as_bytes().is_empty(), "a term without bytes");
        let _ = (term.value(), term.as_i64(), term.as_f64(), term.as_atom().map(|atom| atom.name().len()));
        terms.extend(term.children());
    }
}

/// Checks that an accepted term is written byte for byte, and is the same term after another compression.
pub fn roundtrip(bytes: &[u8]) {
    let read = |bytes: &[u8]| document(bytes, Mode::Lenient);
    if laws::total(bytes, read).is_none() {
        return;
    }
    laws::exact("the input", bytes, read, Document::to_bytes);
    let renew = |document: &Document| document.to_bytes_with(&WriteOptions::default().with_stream(Stream::Renew));
    let tree = |bytes: &[u8]| read(bytes).map(|document| (document.tree().clone(), document.trailing().to_vec()));
    let before = tree(bytes).expect("it was read before");
    let renewed = renew(&read(bytes).expect("it was read before")).expect("a document that was read can be written");
    assert!(tree(&renewed) == Ok(before), "the term changes when it is compressed again");
}

/// Checks that a value keeps its value in the encoding of every profile, and that any encoding of it gives the same bytes in a profile.
pub fn recode(bytes: &[u8]) {
    let Ok(document) = document(bytes, Mode::Strict) else { return };
    let Ok(newest) = recoded(document.tree(), WriterProfile::Otp26) else { return };
    for profile in WriterProfile::ALL {
        let tree = recoded(document.tree(), profile).expect("one profile can encode it, so all can");
        let again = recoded(&tree, profile).expect("it was encoded before");
        assert!(again == tree, "{} does not agree with itself", profile.name());
        let back = recoded(&tree, WriterProfile::Otp26).expect("it was encoded before");
        assert!(back == newest, "{} changes the value", profile.name());
    }
}

fn recoded(tree: &Tree, profile: WriterProfile) -> Result<Tree, WriteError> {
    let mut builder = Builder::new(profile);
    builder.recode(tree.root());
    builder.finish()
}

/// Replacing a part of the root changes the bytes of that part only.
pub fn edit(bytes: &[u8]) {
    let Ok(document) = document(bytes, Mode::Lenient) else { return };
    let tree = document.tree();
    let mut nine = Builder::new(WriterProfile::Otp17);
    nine.integer(9);
    let nine = nine.finish().expect("an integer is a term");
    for part in tree.root().children().take(8) {
        let mut edit = Edit::new(tree);
        edit.replace(part, &nine);
        // A term that is referred to by its kind, such as the node of a pid, cannot become an integer.
        let Ok(edited) = edit.apply() else { continue };
        let (old, range) = (tree.as_bytes(), part.range());
        let expected = [&old[..range.start], nine.as_bytes(), &old[range.end..]].concat();
        assert!(edited.as_bytes() == expected, "an edit changes other bytes");
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_hand_made_terms_are_terms() {
        for bytes in TERMS {
            document(bytes, Mode::Strict).unwrap_or_else(|refusal| panic!("{}: {refusal:?}", bytes.escape_ascii()));
        }
    }
}
