//! Bodies for KeyValues 1 and KV3 text, and for materials and models.

use mapwright_keyvalues::{GameInfo, TextureSettings, Vmat, Vmdl, kv1, kv3};
use mapwright_testkit::{Refusal, laws};

use crate::target::{Target, refusal};

/// The targets of `mapwright-keyvalues`.
pub const TARGETS: &[Target] = &[
    Target { body: read, ..keyvalues("keyvalues_read") },
    Target { body: roundtrip, memory: 64, ..keyvalues("keyvalues_roundtrip") },
    Target { body: edit, memory: 64, ..keyvalues("keyvalues_edit") },
    Target { body: views, memory: 256, ..keyvalues("keyvalues_views") },
];

const fn keyvalues(name: &'static str) -> Target {
    Target { name, format: "keyvalues", files: "s2content", inputs: FILES, ..Target::NEW }
}

/// Texts with each kind of token and value.
const FILES: &[&[u8]] = &[
    b"// a\nLayer0\r\n{\r\n\tshader \"vr_complex.vfx\" // b\r\n\tF_X 1\n\tTextureColor \"a.tga\" [$X]\n\tB [!$Y] { c \"[1 2 3]\" } }",
    b"\"settings\" { \"brightness\" \"-1\" /* x */ } #include \"b\"",
    b"\"GameInfo\" { FileSystem { SearchPaths { Game hlvr Game core Mod \"\" } } }",
    b"<!-- kv3 encoding:text:version{e21c7f3c-8a33-41c5-9977-a76d3a32aa0d} format:modeldoc29:version{3cec427c-1b0e-4d48-a90a-0436f33a6041} -->\n\
      {\n\t_class = \"RenderMeshFile\" filename = resource:\"a.dmx\" import_rotation = [ 0, 9.5e1, -0x1F, ]\n\t\"b c\" = \"\"\"\nd\n\"\"\" // e\n\
      \tf = #[ 00 ff ] g = null /* h */ i = [ true, nan, { }, ] }\nj = 1\n",
    b"<!-- schema text {7e125a45-3d83-4043-b292-9e24f8ef27b4} generic {} -->\nCVmesh { string m_meshFile = \"a.fbx\" float(3) v = ( 1, 2 ) }",
];

fn read_kv1(bytes: &[u8]) -> Result<kv1::Document, Refusal> {
    kv1::Document::from_bytes(bytes).map_err(refusal)
}

fn read_kv3(bytes: &[u8]) -> Result<kv3::Document, Refusal> {
    kv3::Document::from_bytes(bytes).map_err(refusal)
}

/// Reads a text with every grammar. The views must agree with the number of items and stay inside the text.
pub fn read(bytes: &[u8]) {
    for options in
        [kv1::ReadOptions::default(), kv1::ReadOptions::vmf(), kv1::ReadOptions::default().with_escapes(true)]
    {
        let read = |bytes: &[u8]| kv1::Document::from_bytes_with(bytes, &options).map_err(refusal);
        if let Some(document) = laws::total(bytes, read) {
            let mut count = 0;
            let mut open = vec![document.items()];
            while let Some(items) = open.last_mut() {
                let Some(item) = items.next() else {
                    open.pop();
                    continue;
                };
                assert!(
                    !item.name_token().is_empty() && item.range().end <= bytes.len(),
                    "an item outside of the text"
                );
                count += 1;
                open.push(item.items());
            }
            assert_eq!(count, document.item_count());
        }
    }
    if let Some(document) = laws::total(bytes, read_kv3) {
        assert!(document.validate().iter().all(|finding| !finding.message.is_empty()), "a finding without a message");
        assert!(document.values().all(|value| value.range().end <= bytes.len()), "a value outside of the text");
    }
}

/// Checks that an accepted text comes back byte for byte.
pub fn roundtrip(bytes: &[u8]) {
    if laws::total(bytes, read_kv1).is_some() {
        laws::exact("the input", bytes, read_kv1, kv1::Document::to_bytes);
        laws::stable(bytes, read_kv1, kv1::Document::to_bytes);
    }
    if laws::total(bytes, read_kv3).is_some() {
        laws::exact("the input", bytes, read_kv3, kv3::Document::to_bytes);
    }
}

/// Checks that a new value does not change other values.
pub fn edit(bytes: &[u8]) {
    if let Ok(document) = read_kv1(bytes) {
        let old: Vec<_> = document.walk().collect();
        for (index, item) in old.iter().enumerate().filter(|(_, item)| !item.is_block()).take(8) {
            let mut edit = kv1::Edit::new(&document);
            edit.set_value(*item, "a b").expect("it is a key");
            let edited = edit.apply().expect("a key can have any text without quotes");
            let new: Vec<_> = edited.walk().collect();
            assert_eq!(new.len(), old.len(), "an edit changes the number of items");
            for (other, (old, new)) in old.iter().zip(&new).enumerate() {
                let expected = if other == index { Some(b"a b".as_slice().into()) } else { old.value() };
                assert!(new.value() == expected && new.name() == old.name(), "an edit changes another item");
            }
        }
    }
    if let Ok(document) = read_kv3(bytes) {
        for (index, value) in document.values().enumerate().take(8) {
            let mut edit = kv3::Edit::new(&document);
            if edit.set(value, "a\"b").is_ok() {
                let edited = edit.apply().expect("any value can be a string");
                assert_eq!(edited.value_count(), document.value_count(), "an edit changes the number of values");
                let new = edited.values().nth(index).expect("the number is the same");
                assert_eq!(new.data(), kv3::Data::Text(b"a\"b".as_slice().into()));
            }
        }
    }
}

/// Reads materials, models, settings and search paths.
pub fn views(bytes: &[u8]) {
    if let Some(material) = laws::total(bytes, |bytes| Vmat::from_bytes(bytes).map_err(refusal)) {
        let _ = (
            material.input(mapwright_keyvalues::vmat::Role::BaseColor),
            material.shader_name(),
            material.uv_transform(),
        );
    }
    if let Some(model) = laws::total(bytes, |bytes| Vmdl::from_bytes(bytes).map_err(refusal)) {
        assert!(model.visible_meshes().count() <= model.meshes.len());
        assert!(model.resolve_material("a", Some("b"), "c/d.vmdl").to_ascii_lowercase().ends_with(".vmat"));
    }
    let _ = laws::total(bytes, |bytes| GameInfo::from_bytes(bytes).map_err(refusal));
    let _ = laws::total(bytes, |bytes| TextureSettings::from_bytes(bytes).map_err(refusal));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_hand_made_texts_are_read() {
        for bytes in FILES {
            let is_read = read_kv1(bytes).is_ok() || Vmdl::from_bytes(bytes).is_ok();
            assert!(is_read, "{}", bytes.escape_ascii());
        }
    }
}
