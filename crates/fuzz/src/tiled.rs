//! Bodies for Tiled maps, TMX and TMJ.

use mapwright_interchange::{NoFiles, tiled};
use mapwright_testkit::laws;

use crate::scene::{check_whole, refusal};
use crate::target::Target;

/// The targets of Tiled. There is no target for writing: images need much more memory than the input that requests them.
pub const TARGETS: &[Target] = &[Target {
    name: "tiled_read",
    format: "tiled",
    files: "tiled",
    body: read,
    inputs: FILES,
    memory: 64,
    inflation: Target::ZLIB,
    ..Target::NEW
}];

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

/// Reads. An accepted input is a valid scene.
pub fn read(bytes: &[u8]) {
    let length = bytes.len() as u64;
    let options = tiled::ImportOptions::default().with_max_bytes((4 << 20) + 16 * length);
    let options = options.with_max_objects(5_000 + length / 64);
    if let Some(import) = laws::total(bytes, |bytes| tiled::to_scene(bytes, &NoFiles, &options).map_err(refusal)) {
        check_whole(&import.scene);
    }
}
