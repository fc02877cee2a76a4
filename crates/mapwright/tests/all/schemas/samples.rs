//! Dumps of every format: those of the fixtures, and some by hand for what fixtures do not have.

use mapwright::wwd::{FieldValue, Header, Object, Plane};
use mapwright::{AnyDocument, Format, ReadOptions};
use mapwright_testkit::workspace;
use serde_json::{Map, Value as Json, json};

use super::dumps_below;

/// Names and dumps.
pub(crate) fn samples(format: Format) -> Vec<(String, Json)> {
    let mut samples: Vec<(String, Json)> =
        by_hand(format).into_iter().map(|json| ("by hand".to_owned(), json)).collect();
    for (name, json) in &samples {
        let built = AnyDocument::from_dump(json.to_string().as_bytes(), &ReadOptions::default());
        built.unwrap_or_else(|error| panic!("{format}: {name}: {error}"));
    }
    let folder = workspace().join("fixtures").join(format.name());
    if folder.is_dir() {
        samples.extend(dumps_below(&folder).filter(|(of, ..)| *of == format).map(|(_, name, json)| (name, json)));
    }
    assert!(!samples.is_empty(), "{format}");
    samples
}

fn by_hand(format: Format) -> Vec<Json> {
    match format {
        Format::Etf | Format::Wings => terms(format),
        Format::Dmx | Format::Vmap => graphs(format),
        Format::Wwd => vec![level()],
        Format::Wmp => vec![map()],
        Format::Map => quake_maps(),
        Format::Vmf => vec![source_map()],
        Format::Wrp => terrains(),
        Format::Rez => vec![archive(), shared_payload()],
        Format::Tmx => tiled_xml(),
        Format::Tmj => tiled_json(),
        _ => Vec::new(),
    }
}

fn terms(format: Format) -> Vec<Json> {
    let every = json!([
        7, -7, 1.5, "atom", [], [1, "a"], { "tuple": [1, []] }, { "text": "hi" }, { "list": [1], "tail": 2 },
        { "list": [1] }, { "map": [["key", { "map": [] }]] }, { "binary": "00ff" }, { "bits": "e0", "last": 3 },  { "term": "7", "etf": "6107" }, { "etf": "6107" }
    ]);
    vec![
        json!({ "schema": "mapwright.dump/1", "file": "by hand", "format": format.name(), "term": every }),
        json!({ "format": format.name(), "term": 7, "encoding": { "profile": "otp26", "packing": "plain" } }),
        json!({ "format": format.name(), "term": 7, "encoding": { "source": { "bytes": "8362000000072a" } } }),
        json!({ "format": format.name(), "term": { "float": "inf" }, "encoding": { "source": { "bytes": "83467ff0000000000000" } } }),
    ]
}

fn tiled_xml() -> Vec<Json> {
    let text = "<?xml version='1.0'?>\n<map width=\"2\" height='1' ><!-- a --><layer/>\n</map >\n";
    let one = super::dump(&AnyDocument::from_bytes_as(text.as_bytes(), Format::Tmx, &ReadOptions::default()).unwrap());
    let parts = json!(["\n", { "start": "tileset", "attributes": [["name", "a"], ["b", "c", " b='c'"]], "space": " ", "empty": true }]);
    vec![one, json!({ "format": "tmx", "tiled": { "syntax": "xml", "parts": parts } })]
}

fn tiled_json() -> Vec<Json> {
    let file = |text: &str| json!({ "schema": "mapwright.dump/1", "file": "by hand", "format": "tmj", "tiled": { "syntax": "json", "text": text } });
    vec![file("{ \"type\":\"map\" }\n"), file("{\"type\":\"world\",\"maps\":[]}")]
}

fn graphs(format: Format) -> Vec<Json> {
    let id = "00000000-0000-0000-0000-000000000001";
    let values = [
        ("element", json!(0)),
        ("element", json!(null)),
        ("element", json!({ "external": id })),
        ("int", json!(-7)),
        ("time", json!(15)),
        ("float", json!(0.5)),
        ("float", json!({ "bits": "7fc00000" })),
        ("bool", json!(true)),
        ("bool", json!(2)),
        ("string", json!("text")),
        ("string", json!({ "bytes": "ff" })),
        ("binary", json!("00ff")),
        ("elementid", json!(id)),
        ("color", json!([1, 2, 3, 4])),
        ("vector2", json!([1, 2.5])),
        ("vector3", json!([1, 2.5, 3])),
        ("qangle", json!([1, 2.5, 3])),
        ("vector4", json!([1, 2.5, 3, 4])),
        ("quaternion", json!([1, 2.5, 3, 4])),
        ("matrix", json!([1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1])),
        ("uint64", json!("0xff")),
        ("uint8", json!(255)),
    ];
    let attribute = |(index, (kind, value)): (usize, &(&str, Json))| {
        let array = json!({ "name": format!("{index} array"), "type": format!("{kind}_array"), "value": [value] });
        [json!({ "name": index.to_string(), "type": kind, "value": value }), array]
    };
    let attributes: Vec<Json> = values.iter().enumerate().flat_map(attribute).collect();
    let graph = |encoding: &str, attributes: Json| {
        json!({
            "encoding": encoding, "format": format.name(), "format_version": 1, "strings": [], "trailing": "00",
            "prefix": [[{ "name": "p", "type": "int", "value": 1 }]],
            "elements": [{ "class": "A", "name": "", "id": id, "link": 1, "attributes": attributes }],
        })
    };
    let text = format!("<!-- dmx encoding keyvalues2 1 format {format} 1 -->\n\"A\"\n{{\n\"b\" \"int\" \"01\"\n}}\n");
    let source = AnyDocument::from_bytes(text.as_bytes()).unwrap();
    let mut older = super::dump(&source);
    older["encoding"] = json!({ "source": older["graph"].as_object_mut().unwrap().remove("source") });
    vec![
        json!({ "format": format.name(), "graph": graph("binary 9", attributes.into()) }),
        super::dump(&source),
        json!({ "format": format.name(), "graph": graph("binary 5", json!([])), "encoding": null }),
        older,
    ]
}

/// Every field of every record.
fn level() -> Json {
    let all = |names: &[&str], value: &dyn Fn(&str) -> Option<FieldValue>| -> Json {
        let fields = names.iter().map(|name| {
            let value = match value(name) {
                Some(FieldValue::Word(_)) => json!(1),
                Some(FieldValue::Int(_)) => json!(-1),
                Some(FieldValue::Rect(_)) => json!([-1, 2, 3, 4]),
                _ => json!("A\\xb3"),
            };
            (name.to_string(), value)
        });
        fields.collect::<Map<_, _>>().into()
    };
    let (header, plane, object) = (Header::default(), Plane::default(), Object::default());
    let mut header = all(Header::FIELDS, &|name| header.field(name));
    header["header_size"] = 1524.into();
    let mut fields = all(Plane::FIELDS, &|name| plane.field(name));
    (fields["tiles_wide"], fields["tiles_high"]) = (2.into(), 2.into());
    let object = all(Object::FIELDS, &|name| object.field(name));
    json!({ "format": "wwd", "level": {
        "profile": "wapmap", "stored": { "adler32": 1, "by": "editor", "zlib": "00" }, "header": header,
        "planes": [{ "fields": fields, "image_sets": ["A"], "tiles": [[1, null], [[2, "fill"]]], "objects": [object, {}] }],
        "tile_properties": { "size": 32, "reserved_04": 1, "reserved_0c": [0, 0, 0, 0, 0], "items": [
            { "size": [1, 2], "reserved_04": 1, "single": 1 }, { "size": [1, 2], "double": [0, 1], "rect": [0, 0, 1, 1] },
            { "size": [2, 1], "mask": "0001" }] },
        "trailer": "<\\x00>",
        "layout": { "planes_offset": 1524, "planes": [{ "tiles_offset": 1, "image_sets_offset": 2, "objects_offset": 3,
            "num_objects": 4 }], "tile_properties_offset": 0, "main_block_size": 2,
            "residue": [{ "offset": 1524, "bytes": "00ff" }] } } })
}

/// Every field of an archive.
fn archive() -> Json {
    let header = json!({ "title": "RezMgr Version 1", "user_title": "A\\xb3", "line_breaks": "\\x0d\\x0a\\x0d\\x0a\\x0d\\x0a",
        "time": 1, "root_time": 2 });
    let file = json!({ "file": { "name": "001", "level": 1, "type": "PID", "kind": 2, "time": 3, "id": 4, "description": "d",
        "keys": [5], "position": 168, "data": "00ff" } });
    json!({ "format": "rez", "archive": { "header": header, "layout": "compact",
        "entries": [{ "directory": { "name": "TILES", "level": 0, "time": 6 } }, file] } })
}

/// An archive in which two files have the same bytes.
fn shared_payload() -> Json {
    let mut archive = mapwright::rez::Document::new();
    archive.add("A.TXT", b"data".to_vec(), None).unwrap();
    archive.add("B.TXT", b"more".to_vec(), None).unwrap();
    let mut bytes = archive.to_bytes().unwrap();
    let range = |position: u8| [position, 0, 0, 0, 4, 0, 0, 0];
    let entry = bytes.windows(8).position(|found| found == range(172)).expect("payloads follow the header");
    bytes[entry..entry + 8].copy_from_slice(&range(168));
    super::dump(&AnyDocument::from_bytes(&bytes).unwrap())
}

/// Content that no map of the fixtures has.
fn map() -> Json {
    let chunks = json!([{ "index": 0, "bytes": "\\x01\\x00" }]);
    let entity = |kind: Json| json!({ "number": 1, "comment": "c", "kind": kind, "lines": ["line"], "extra": chunks });
    let level = json!({ "wad": "", "palette": "p", "nexus": -1, "azimuth": "010", "elevation": "0x7ff8000000000001", "script": "",
        "colours": [[1, 2, 3]], "word_04": 1 });
    let model = json!({ "scale": [1, 1, 1], "file": "f", "name": "n", "action": "a", "skills": [1, "010"], "flags": 1,
        "ambient": 1, "albedo": 2, "tail": ["t"], "media": 1, "flag_digits": 4 });
    let face = json!({ "corners": [0, 1, 2], "texture": "t", "uvs": [0, 0.5], "vectors": [[1, 0, 0, 0], [0, 1, 0, 0]],
        "mapping": [0, 0, 0, 1, 1], "flags": 1, "ambient": 1, "albedo": 1, "material": "m", "bare": true, "extra": chunks });
    let side = json!({ "points": [[0, 0, 0], [1, 0, 0], [0, 1, 0]], "texture": "t", "mapping": [0, 0, 0, 1, 1], "flags": 1,
        "ambient": 1, "albedo": 1, "material": "m", "name": "n", "number": 1, "flags2": 1 });
    let block =
        |shape: Json| json!({ "number": 1, "shape": shape, "flags": 1, "material": "m", "index": 1, "extra": chunks });
    json!({ "format": "wmp", "map": {
        "dialect": "wmpb", "line_end": "lf",
        "header": { "generator": "g", "created": "c", "counts": { "blocks": 1, "entities": 1, "objects": 1 }, "words": [1, 2, 3],
            "extra": chunks, "around": chunks },
        "wed": { "palette": "\\x00", "wad_head": "0", "wads": [{ "path": "p", "enabled": 1 }], "folders": [{ "path": "p",
            "enabled": 1 }], "bookmarks": [";"], "views": ["v"], "extra": chunks },
        "blocks": [block(json!({ "mesh": { "vertices": [[0, 0, 0]], "faces": [face] } })), block(json!({ "planes": [side] }))],
        "entities": [
            entity(json!({ "level": level })), entity(json!({ "start": { "name": "n", "word_04": 1 } })),
            entity(json!({ "light": { "colour": [1, 2, 3], "range": 1.5, "flags": 1 } })),
            entity(json!({ "sound": { "file": "f", "flags": 1, "numbers": [1, 2, 3, 4] } })), entity(json!({ "model": model })),
            entity(json!({ "path": { "name": "n", "number": 1, "nodes": [{ "point": [1, 2, 3], "skills": [1, 2, 3, 4, 5, 6] }],
                "edges": [{ "from": 1, "to": 2, "weight": 1, "numbers": [0, 0, 0] }], "word_04": 1 } })),
            entity(json!({ "region": { "name": "n", "minimum": [0, 0, 0], "maximum": [1, 1, 1], "word_04": 1 } }))],
        "objects": [{ "number": 1, "name": "n", "position": [1, 2, 3], "angles": [1, 2, 3], "scale": [1, 1, 1],
            "members": [{ "kind": "block", "number": 1 }], "kind": 1, "word_04": 1, "extra": chunks }] } })
}

/// Maps with every kind of part.
fn quake_maps() -> Vec<Json> {
    let points = [[0, 0, 0], [0, 1, 0], [0, 0, 1]];
    let standard = json!({ "kind": "face", "lead": "\n\n", "points": points, "texture": "a", "shift": [0, 1.5], "rotation": 45,
        "scale": [1, 1], "extra": ["0", "1", "2"], "text": "( 0 0 0 ) ( 0 1 0 ) ( 0 0 1 ) a 0 1.50 45 1 1 0 1 2" });
    let valve = json!({ "kind": "face", "points": points, "texture": "b c", "axes": [[0, 1, 0, 0], [0, 0, 1, 0]], "rotation": 0,
        "scale": [1, 1] });
    let matrix = json!([[1, 0, 0], [0, 1, 0.5]]);
    let primitive = json!({ "kind": "face", "points": points, "matrix": matrix, "texture": "a" });
    let equation = json!({ "kind": "face", "plane": [0, 0, 1, -8], "matrix": matrix, "texture": "a" });
    let key = json!({ "kind": "key", "lead": "\n", "key": "k", "value": "v", "text": "k v" });
    let rows = [[[0, 0, 0, 0, 0], [1, 0, 0, 0, 1], [2, 0, 0, 0, 2]]; 3];
    let patch = json!({ "kind": "patchDef2", "lead": "\n", "texture": "a", "info": [3, 3, 0, 0, 0], "points": rows, "keys": [["k", "v"]],
        "text": null });
    let fixed = json!({ "kind": "patchDef3", "texture": "a", "info": [3, 3, 1, 1, 0, 0, 0], "points": rows });
    let parts = json!([key,
        { "kind": "brush", "lead": "\n", "head": "{", "parts": [key, standard, valve], "tail": "\n }" },
        { "kind": "brushDef", "parts": [primitive] }, { "kind": "brushDef3", "parts": [equation] }, patch, fixed,
        { "kind": "other", "lead": "\n", "text": "{ mesh { a } }" }]);
    vec![
        json!({ "format": "map", "quake_map": { "line_end": "\n", "tail": "\n// end", "entities": [
            { "lead": "// Game: Quake\n", "parts": parts, "tail": "\n" }] } }),
        json!({ "schema": "mapwright.dump/1", "file": "by hand", "format": "map", "quake_map": { "line_end": "\n", "entities": [
            { "fragment": true, "lead": "", "parts": [{ "kind": "brush", "lead": "", "parts": [standard] }], "tail": "" },
            { "parts": [] }] } }),
    ]
}

/// A map with a layout of its own.
fn source_map() -> Json {
    let key = json!({ "lead": "\\x0a  ", "key": "id", "value": "1", "text": "id 1" });
    json!({ "schema": "mapwright.dump/1", "file": "by hand", "format": "vmf", "map": {
        "line_end": "\\x0a", "escapes": true, "tail": " // end",
        "items": [{ "block": "world", "text": "world {", "items": [key], "tail": " " }] } })
}

/// Content that no terrain of the fixtures has.
fn terrains() -> Vec<Json> {
    let matrix = [1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0];
    let objects = json!({ "models": [{ "bytes": "m", "rest": "\\x00r" }], "model": [0], "placements": { "matrices": [matrix] },
        "ids": [-1] });
    let corners = [[0, 0], [1, 0], [1, 1], [0, 1]];
    let shapes = [
        (0, json!({ "point": { "id": 1, "position": [1, 2] } })),
        (24, json!({ "outline": { "id": 1, "corners": corners } })),
        (25, json!({ "zone": { "color": 1, "indicator": 1, "numbers": [1, 2, 3, 4] } })),
        (3, json!({ "area": { "id": 1, "corners": corners, "color": [1, 2, 3, 4] } })),
        (34, json!({ "line": { "id": 1, "numbers": [1, 2, 3, 4] } })),
        (35, json!({ "track": { "id": 1, "numbers": [1, 2, 3, 4, 5, 6], "flag": 1 } })),
        (44, json!({ "river": { "id": 1, "points": [[1, 2]] } })),
    ];
    let map_info: Vec<Json> = shapes.iter().map(|(kind, shape)| json!({ "kind": kind, "shape": shape })).collect();
    let oprw = json!({
        "version": 25, "app_id": 1, "land": [1, 1], "terrain": [1, 1], "cell": 50, "geography": [1], "sound": [1],
        "peaks": [[1, 2, 3]], "cells": [1], "random": [1], "grass": [1], "primary_texture": [1], "heights": ["0x7fc87f88"],
        "materials": [{ "name": "m", "flag": 1 }], "objects": objects, "shapes": [2],
        "entities": [{ "class": "c", "shape": "s", "position": [1, 2, 3], "object_id": 1 }], "object_offsets": [0],
        "map_offsets": [0], "persistent": [1], "subdivision": [1], "max_object_id": 1,
        "roads": [{ "cell": [0, 0], "points": [{ "position": [1, 2, 3], "kind": 1 }], "object_id": 1, "piece": { "model": "m",
            "matrix": matrix } }],
        "stated_road_size": 1, "map_info": map_info, "map_rest": "r", "stated_map_size": 1, "terminator": -1, "after": "a",
        "packed": [{ "part": "PrimaryTexture", "bytes": "\\x00" }],
    });
    let road = json!({ "nets": [{ "header": "h", "parts": ["p"], "end": "e" }], "end": "EndOfNets" });
    let headings = json!({ "models": [], "model": [0], "placements": { "headings": [[1, 2, 3, 4]] } });
    let wvr = json!({
        "version": "wvr1", "size": [1, 1], "heights": [-1], "textures": [1], "names": ["n"], "objects": headings, "nets": road,
        "terminator": "t", "after": "a", "cell": 50, "height_unit": 0.045,
    });
    let wvr8 = json!({
        "land": [1, 1], "terrain": [1, 1], "cell": 50, "heights": [1.5], "cells": [1], "materials": [["m"]], "objects": objects,
        "sentinel": { "followed_by": 1, "matrix": matrix, "id": -1 }, "after": "a",
    });
    [("oprw", oprw), ("wvr", wvr), ("wvr8", wvr8)]
        .map(|(name, terrain)| json!({ "format": "wrp", "terrain": { name: terrain } }))
        .into()
}
