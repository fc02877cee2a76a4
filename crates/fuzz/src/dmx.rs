//! Bodies for Valve DMX.

use mapwright_dmx::scene::{ImportOptions, to_scene};
use mapwright_dmx::{Document, Encoding, WriterProfile};
use mapwright_testkit::{Refusal, laws};

use crate::scene::check_whole;
use crate::target::{Target, refusal};

/// The targets of `mapwright-dmx`.
pub const TARGETS: &[Target] = &[
    Target { body: read, memory: 16, ..dmx("dmx_read") },
    Target { body: roundtrip, memory: 64, ..dmx("dmx_roundtrip") },
    Target { body: lay_out, memory: 64, ..dmx("dmx_lay_out") },
    Target { body: recode, memory: 256, ..dmx("dmx_recode") },
    Target { body: scene, memory: 256, ..dmx("dmx_scene") },
];

const fn dmx(name: &'static str) -> Target {
    Target { name, format: "dmx", files: "dmx", inputs: FILES, ..Target::NEW }
}

/// Each way to place strings, references of all kinds, and text.
const FILES: &[&[u8]] = &[
    b"<!-- DMXVersion binary_v1 -->\n\0\x01\0\0\0A\0\0GGGGGGGGGGGGGGGG\x01\0\0\0a\0\x05text\0",
    b"<!-- dmx encoding binary 2 format dmx 1 -->\n\0\x02\0A\0a\0\x01\0\0\0\0\0\0GGGGGGGGGGGGGGGG\x01\0\0\0\x01\0\x05text\0",
    b"<!-- dmx encoding binary 4 format dmx 1 -->\n\0\x03\0\0\0A\0a\0\0\x01\0\0\0\0\0\x02\0GGGGGGGGGGGGGGGG\x01\0\0\0\x01\0\x05\x02\0",
    b"<!-- dmx encoding binary 7 format dmx 1 -->\n\0\0\0\0\0\x02\0\0\0A\0a\0\x01\0\0\0\0\0\0\0\xff\xff\xff\xff\xff\xff\xff\xffGGGGGGGGGGGGGGGG\
      \x01\0\0\0\x01\0\0\0\x05\xff\xff\xff\xff",
    b"<!-- dmx encoding binary 9 format vmap 40 -->\n\0\x01\0\0\0\x01\0\0\0p\0\x10\x07\x03\0\0\0A\0a\0\0\x01\0\0\0\0\0\0\0\x02\0\0\0GGGGGGGGGGGGGGGG\
      \x01\0\0\0\x01\0\0\0\x21\x03\0\0\0\xff\xff\xff\xff\0\0\0\0\xfe\xff\xff\xff\
      00000000-0000-0000-0000-000000000001\0",
    b"<!-- dmx encoding keyvalues2 4 format vmap 40 -->\n\"A\"\n{\n\t\"id\" \"elementid\" \"00000000-0000-0000-0000-000000000001\"\n\
      \t\"a\" \"element_array\" [ \"B\" { \"x\" \"vector3\" \"1 2.5 -0\" }, \"element\" \"\" ]\n}\n",
    b"<!-- dmx encoding keyvalues2 4 format model 22 -->\n\"DmElement\"\n{\n\t\"model\" \"DmeModel\"\n\t{\n\
      \t\t\"children\" \"element_array\" [ \"DmeDag\" { \"shape\" \"DmeMesh\" {\n\
      \t\t\t\"bindState\" \"DmeVertexData\" { \"vertexFormat\" \"string_array\" [ \"position$0\", \"texcoord$0\" ]\n\
      \t\t\t\t\"position$0\" \"vector3_array\" [ \"0 0 1\", \"2 0 1\", \"2 3 1\" ] \"position$0Indices\" \"int_array\" [ \"0\", \"1\", \"2\" ]\n\
      \t\t\t\t\"texcoord$0\" \"vector2_array\" [ \"0 1\" ] \"texcoord$0Indices\" \"int_array\" [ \"0\", \"0\", \"0\" ] }\n\
      \t\t\t\"faceSets\" \"element_array\" [ \"DmeFaceSet\" { \"faces\" \"int_array\" [ \"0\", \"1\", \"2\", \"-1\" ]\n\
      \t\t\t\t\"material\" \"DmeMaterial\" { \"mtlName\" \"string\" \"wood.vmat\" } } ] } } ]\n\t}\n}\n",
];

fn document(bytes: &[u8]) -> Result<Document, Refusal> {
    Document::from_bytes(bytes).map_err(refusal)
}

/// Reads and looks at everything.
pub fn read(bytes: &[u8]) {
    let Some(document) = laws::total(bytes, document) else { return };
    let findings = document.validate();
    assert!(findings.iter().all(|finding| !finding.message.is_empty()), "a finding without a message");
    let attributes: usize = document.iter().map(|element| element.attributes().len()).sum();
    assert_eq!(attributes, document.elements.iter().map(|element| element.attributes.len()).sum::<usize>());
}

/// Checks that an accepted document comes back byte for byte.
pub fn roundtrip(bytes: &[u8]) {
    if laws::total(bytes, document).is_some() {
        laws::exact("the input", bytes, document, Document::to_bytes);
    }
}

/// Converts a model to a scene.
pub fn scene(bytes: &[u8]) {
    let Ok(document) = document(bytes) else { return };
    if let Ok(import) = to_scene(&document, &ImportOptions::default()) {
        check_whole(&import.scene);
    }
}

/// Laid out as a program does, a document is recognised as that program's, and an edit that changes nothing changes nothing.
pub fn lay_out(bytes: &[u8]) {
    let Ok(mut read) = document(bytes) else { return };
    if read.header.encoding.is_text() {
        return;
    }
    read.edit(|_| ());
    let edited = read.to_bytes().expect("a document that was read can be written");
    if read.profile().is_some() {
        assert!(edited == bytes, "an edit that changes nothing changes a file whose layout is known");
    }
    for profile in [WriterProfile::Valve, WriterProfile::DepthFirst, WriterProfile::BreadthFirst] {
        read.lay_out(profile);
        assert!(read.profile().is_some(), "a layout of {} is not recognised", profile.name());
        let written = read.to_bytes().expect("a laid out document can be written");
        laws::exact(profile.name(), &written, document, Document::to_bytes);
    }
}

/// Checks that a document survives the other encoding, if that can store it, and is stable from then on.
pub fn recode(bytes: &[u8]) {
    let Ok(mut read) = document(bytes) else { return };
    let to = if read.header.encoding.is_text() { Encoding::BINARY_9 } else { Encoding::KEYVALUES2_4 };
    read.set_encoding(to);
    let Ok(written) = read.to_bytes() else { return };
    laws::exact("the converted document", &written, document, Document::to_bytes);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_hand_made_inputs_are_documents() {
        for bytes in FILES {
            document(bytes).unwrap_or_else(|refusal| panic!("{}: {refusal:?}", bytes.escape_ascii()));
        }
    }

    #[test]
    fn the_last_file_is_a_model() {
        let model = Document::from_bytes(FILES.last().unwrap()).unwrap();
        let import = to_scene(&model, &ImportOptions::default()).unwrap();
        assert_eq!((import.scene.meshes.len(), import.scene.materials.len(), import.losses.len()), (1, 1, 0));
    }
}
