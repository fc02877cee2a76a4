//! Bodies for Tiled: documents, and maps as scenes.

use mapwright_scene::NoFiles;
use mapwright_testkit::{Refusal, laws};
use mapwright_tiled::diff::Diff;
use mapwright_tiled::edit::Edit;
use mapwright_tiled::{Document, ReadOptions, Syntax, scene};

use crate::scene::check_whole;
use crate::target::{self, Target};

/// The targets of Tiled. There is no target for writing scenes: images need much more memory than the input that requests them.
pub const TARGETS: &[Target] = &[
    Target { body: read, ..tiled("tiled_scene") },
    Target { body: syntax, ..tiled("tiled_syntax") },
    Target { body: document, ..tiled("tiled_document") },
    Target { body: edit, memory: 128, ..tiled("tiled_edit") },
];

const fn tiled(name: &'static str) -> Target {
    Target { name, format: "tiled", files: "tiled", inputs: FILES, memory: 64, inflation: Target::ZLIB, ..Target::NEW }
}

const FILES: &[&[u8]] = &[
    br#"<map width="2" height="1" tilewidth="8" tileheight="8"><properties><property name="a" value="=[1,{&quot;b&quot;:2.5}]"/>
    <property name="c" type="class"><properties><property name="d" type="float" value="1e9"/></properties></property></properties>
    <tileset firstgid="1" name="S" tilewidth="8" tileheight="8" tilecount="4" columns="2"><properties><property name="tiles"
    type="int" value="3"/></properties><tile id="1"><properties><property name="attribute" type="int" value="1"/></properties></tile>
    </tileset><tileset firstgid="5" name="words" tilecount="1"><properties><property name="words" type="bool" value="true"/>
    </properties><tile id="0"><properties><property name="word" value="0xeeeeeeee"/></properties></tile></tileset>
    <group name="G"><layer name="A" width="2" height="1" parallaxx="0.5"><data encoding="csv">2,5</data></layer>
    <objectgroup><properties><property name="belongs" value="layer"/></properties><object type="T" x="1" y="2"><point/></object>
    </objectgroup></group><layer><data encoding="base64" compression="zlib"><chunk x="-1" y="0" width="1" height="1">eJxjZGBgAAAACgAC
    </chunk></data></layer></map>"#,
    br#"{"type":"map","width":2,"height":1,"tilewidth":8,"tileheight":8,"tilesets":[{"firstgid":1,"name":"S","tilecount":2,
    "tiles":[{"id":0,"properties":[{"name":"mask","type":"string","value":"AAE="},{"name":"mask_width","type":"int","value":2}]}]}],
    "layers":[{"type":"group","layers":[{"type":"tilelayer","width":2,"height":1,"data":[1,2147483650]}]},
    {"type":"objectgroup","objects":[{"name":"o","x":1.5,"y":-2,"point":true,"properties":[{"name":"z","type":"float","value":3}]}]}]}"#,
];

/// Converts a map to a scene, which is valid, and writes its unchanged scene back, which changes nothing.
pub fn read(bytes: &[u8]) {
    let length = bytes.len() as u64;
    let limits = ReadOptions::default().limits.clone().with_max_items(5_000 + length / 64);
    let reading = ReadOptions::default().with_limits(limits);
    let options = scene::ImportOptions::default().with_max_bytes((4 << 20) + 16 * length);
    let Ok(document) = Document::from_bytes_with(bytes, &reading) else { return };
    let Ok(import) = scene::to_scene(&document, &NoFiles, &options) else { return };
    check_whole(&import.scene);
    let mut merged = document.clone();
    scene::merge_scene(&mut merged, &import.scene, &NoFiles, &options).expect("an unchanged scene can be merged");
    assert_eq!(merged.as_str(), document.as_str(), "an unchanged scene changes its map");
}

/// Writes an accepted file in the other language, and that in the first one.
pub fn syntax(bytes: &[u8]) {
    let Ok(document) = read_document(bytes) else { return };
    let other = if document.syntax() == Syntax::Xml { Syntax::Json } else { Syntax::Xml };
    let Ok(there) = document.to_syntax(other) else { return };
    let back = there.document.to_syntax(document.syntax()).expect("what was written can be written again");
    assert_eq!(back.document.kind(), document.kind(), "the kind changed");
}

fn read_document(bytes: &[u8]) -> Result<Document, Refusal> {
    Document::from_bytes(bytes).map_err(target::refusal)
}

/// Checks that an accepted file comes back byte for byte, also through its dump, and that items and findings are inside the text.
pub fn document(bytes: &[u8]) {
    let Some(document) = laws::total(bytes, read_document) else { return };
    laws::exact("the input", bytes, read_document, Document::to_bytes);
    assert!(document.items().all(|item| item.range().end <= bytes.len()), "an item outside of the text");
    assert!(document.validate().iter().all(|finding| !finding.message.is_empty()), "a finding without a message");
    let dump = serde_json::to_string(&document).expect("every document has a dump");
    let built: Document = serde_json::from_str(&dump).expect("a dump can be built");
    assert_eq!(built.as_str(), document.as_str(), "the dump gives another text");
    assert!(Diff::between(&document, &document).is_empty(), "a document differs from itself");
}

/// Checks that a new value does not change other values, and that a property that is added can be removed.
pub fn edit(bytes: &[u8]) {
    let Ok(document) = read_document(bytes) else { return };
    for (index, item) in document.items().enumerate().take(16) {
        let mut edit = Edit::new(&document);
        // Elements and objects have no value.
        if edit.set_value(item, "a\"<b>'").is_err() {
            continue;
        }
        let edited = edit.apply();
        // The type of a file or layer may be required.
        let Ok(edited) = edited else { continue };
        let texts = |document: &Document| document.items().map(|item| item.text().into_owned()).collect::<Vec<_>>();
        let (old, new) = (texts(&document), texts(&edited));
        assert_eq!(new.len(), old.len(), "an edit changes the number of items");
        assert_eq!(new[index], "a\"<b>'", "the value is not the new one");
        let is_same = |(other, (old, new)): (usize, (&String, &String))| other == index || old == new;
        assert!(old.iter().zip(&new).enumerate().all(is_same), "an edit changes another item");
    }
    for record in document.records().into_iter().take(4) {
        let mut edit = Edit::new(&document);
        if edit.set_property(record.item(), "fuzzed", 1).is_err() {
            continue;
        }
        let edited = edit.apply().expect("a property can be added");
        let index = document.records().iter().position(|other| *other == record).expect("it is a record");
        let added = edited.records()[index];
        let mut edit = Edit::new(&edited);
        assert!(edit.remove_property(added.item(), "fuzzed"), "the new property is missing");
        edit.apply().expect("a property can be removed");
    }
}
