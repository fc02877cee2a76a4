//! Bodies for Forge Game Data.

use mapwright_fgd::{Definitions, Document};
use mapwright_testkit::{Refusal, laws};

use crate::target::{Target, refusal};

/// The targets of `mapwright-fgd`.
pub const TARGETS: &[Target] =
    &[Target { body: read, ..fgd("fgd_read") }, Target { body: resolve, memory: 1024, ..fgd("fgd_resolve") }];

const fn fgd(name: &'static str) -> Target {
    Target { name, format: "fgd", files: "fgd", inputs: FILES, ..Target::NEW }
}

/// Files with each kind of item and member.
const FILES: &[&[u8]] = &[
    b"@include \"a.fgd\"\n@exclude b // c\n@mapsize(-1, 1) @version(2) @EntityGroup \"A\" { b = true }\n\
      @AutoVisGroup = \"A\" [ \"B\" [ \"c\" ] ] @MaterialExclusion [ \"a\" ]",
    b"@BaseClass = A [ a(string) : \"A\" : : \"b\" +\n\"c\" b(remove_key) ]\n\
      @PointClass base(A, C) size(-8 -8 -8, 8 8 8) metadata { a = \"b\" } = b : \"B\" : \"C\" [\n\
      a(*integer) readonly [ group=\"A\" ] { b = c } : \"A\" : -1\n b(flags) = [ 1 : \"A\" : 1 2^3 : \"B\" [a, !b], ]\n\
      input A(void) : \"A\" output B[c](float) { d = e } c(choices) : \"C\" : 0 = [ 0: \"A\" \"b\" : \"B\" : \"c\" ] @snippet a\n]\n\
      @OverrideClass base(b) = A [ c[a](resource:model) ]",
];

fn read_document(bytes: &[u8]) -> Result<Document, Refusal> {
    Document::from_bytes(bytes).map_err(refusal)
}

/// Reads a file. The views must agree with the text.
pub fn read(bytes: &[u8]) {
    if let Some(document) = laws::total(bytes, read_document) {
        assert!(document.as_bytes() == bytes, "another text");
        for class in document.classes() {
            assert!(class.members().count() <= bytes.len() && class.helpers().count() <= bytes.len());
        }
    }
}

/// Resolves the classes of a file.
pub fn resolve(bytes: &[u8]) {
    let Ok(document) = read_document(bytes) else { return };
    let definitions = Definitions::new([("a.fgd", &document)]);
    assert!(definitions.findings().iter().all(|finding| !finding.message.is_empty()), "a finding without a message");
    for name in definitions.class_names().take(16) {
        let class = definitions.resolve(name).expect("it is defined");
        assert!(class.keys().all(|key| class.key(&key.name()).is_some()), "a key is not found");
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_hand_made_files_are_read() {
        for bytes in FILES {
            assert!(read_document(bytes).is_ok(), "{}", bytes.escape_ascii());
        }
    }
}
