//! Edits change only what they must.

use crate::support;

use mapwright_tiled::edit::{NewShape, Scalar};
use mapwright_tiled::io::{Budget, Limits};
use mapwright_tiled::view::{Layer, Tile};
use mapwright_tiled::{Document, Edit, Gid, WriteError, WriteErrorKind};
use support::{document, find};

type Change<'c> = &'c dyn for<'a> Fn(&mut Edit<'a>, &'a Document) -> Result<(), WriteError>;

fn edited(text: &str, change: Change<'_>) -> String {
    let document = document(text);
    let mut edit = Edit::new(&document);
    change(&mut edit, &document).unwrap_or_else(|error| panic!("{error}: {text}"));
    edit.apply().unwrap_or_else(|error| panic!("{error}: {text}")).as_str().to_owned()
}

fn layer(document: &Document) -> Layer<'_> {
    document.as_map().unwrap().layers().next().unwrap()
}

#[test]
fn attributes_change_only_their_value() {
    for (text, name, value, expected) in [
        ("<map  width = '1.50'\n/>", "width", Scalar::from(1.5), "<map  width = '1.50'\n/>"),
        ("<map  width = '1.50'\n/>", "width", Scalar::from(2), "<map  width = '2'\n/>"),
        ("<map a=\"1\" b='2'/>", "a", "x\"y'".into(), "<map a=\"x&quot;y'\" b='2'/>"),
        ("<map a=\"1\" b='2'/>", "b", "x\"y'".into(), "<map a=\"1\" b='x\"y&apos;'/>"),
        ("<map a=\"1\" b='2' />", "c", true.into(), "<map a=\"1\" b='2' c=\"1\" />"),
        ("<map><a/></map>", "c", "".into(), "<map c=\"\"><a/></map>"),
        ("<map a='true'/>", "a", false.into(), "<map a='false'/>"),
        ("<map a='1'/>", "a", true.into(), "<map a='1'/>"),
        (r#"{"type":"map", "a" : 1.50}"#, "a", 1.5.into(), r#"{"type":"map", "a" : 1.50}"#),
        (r#"{"type":"map", "a" : 1.50}"#, "a", "é\"".into(), r#"{"type":"map", "a" : "é\""}"#),
        ("{\"type\":\"map\",\n  \"a\": 1\n}", "b", true.into(), "{\"type\":\"map\",\n  \"a\": 1,\n  \"b\": true\n}"),
    ] {
        assert_eq!(edited(text, &|edit, document| edit.set(document.root(), name, value.clone())), expected);
    }
    let text = "<map><text a='1'>a&amp;b</text></map>";
    assert_eq!(
        edited(text, &|edit, document| edit.set_value(find(document, &["text"]), "<c>\n")),
        "<map><text a='1'>&lt;c&gt;\n</text></map>"
    );
}

#[test]
fn items_are_removed_with_their_line() {
    let xml = "<map a='1'\n b='2'>\n <!-- c -->\n <x/> <y/>\n <z>\n </z>\n</map>";
    let json = "{\"type\":\"map\",\n \"a\":[{\"x\":1}, {},\n  {}],\n \"b\":2\n}";
    for (text, path, expected) in [
        (xml, &["b"][..], "<map a='1'>\n <!-- c -->\n <x/> <y/>\n <z>\n </z>\n</map>"),
        (xml, &["y"], "<map a='1'\n b='2'>\n <!-- c -->\n <x/>\n <z>\n </z>\n</map>"),
        (xml, &["z"], "<map a='1'\n b='2'>\n <!-- c -->\n <x/> <y/>\n</map>"),
        (json, &["a", "0"], "{\"type\":\"map\",\n \"a\":[ {},\n  {}],\n \"b\":2\n}"),
        (json, &["a", "2"], "{\"type\":\"map\",\n \"a\":[{\"x\":1}, {}],\n \"b\":2\n}"),
        (json, &["a", "0", "x"], "{\"type\":\"map\",\n \"a\":[{}, {},\n  {}],\n \"b\":2\n}"),
        (json, &["a"], "{\"type\":\"map\",\n \"b\":2\n}"),
        (json, &["b"], "{\"type\":\"map\",\n \"a\":[{\"x\":1}, {},\n  {}]\n}"),
    ] {
        let change: Change<'_> = &|edit, document| {
            edit.remove(find(document, path));
            Ok(())
        };
        assert_eq!(edited(text, change), expected, "{path:?}");
    }
}

#[test]
fn several_items_are_removed_with_their_commas() {
    for (start, space, end) in [("", "", ""), ("", " ", ""), (" ", "  ", "\n "), ("\r\n  ", "\r\n  ", "\r\n ")] {
        for (brackets, items) in
            [(["[", "]"], ["{}", "\"b\"", "[1, 2]"]), (["{", "}"], ["\"a\":1", "\"b\": 2", "\"c\":[3]"])]
        {
            let text = |kept: &[&str]| {
                let inner = kept.join(&[",", space].concat());
                format!("{{\"type\":\"map\", \"x\":{}{start}{inner}{end}{}, \"y\":1}}", brackets[0], brackets[1])
            };
            for kept in 0_u32..8 {
                let is_kept = |index: &usize| kept >> index & 1 == 1;
                let change: Change<'_> = &|edit, document| {
                    for index in (0..3).rev().filter(|index| !is_kept(index)) {
                        edit.remove(find(document, &["x", &index.to_string()]));
                    }
                    Ok(())
                };
                let found = edited(&text(&items), change);
                let expected: Vec<&str> = (0..3).filter(is_kept).map(|index| items[index]).collect();
                let value = |text: &str| serde_json::from_str::<serde_json::Value>(text).unwrap();
                assert_eq!(value(&found), value(&text(&expected)), "{found}");
                // The layout of the first item may change with it.
                assert!(!is_kept(&0) || found == text(&expected), "{found}");
            }
        }
    }
    let nested = "{\"type\":\"map\",\"a\":[{\"b\":1},2]}";
    let change: Change<'_> = &|edit, document| {
        edit.remove(find(document, &["a", "0", "b"]));
        edit.remove(find(document, &["a"]));
        Ok(())
    };
    assert_eq!(edited(nested, change), "{\"type\":\"map\"}");
}

#[test]
fn new_items_have_the_layout_of_their_neighbours() {
    let first = |text: &str| edited(text, &|edit, document| edit.insert(document.root(), None, "<n/>"));
    let after = |text: &str| {
        edited(text, &|edit, document| edit.insert(document.root(), document.root().elements().last(), "<n/>"))
    };
    assert_eq!(first("<map/>"), "<map><n/></map>");
    assert_eq!(first("<map a='1' />\n"), "<map a='1'>\n <n/>\n</map>\n");
    assert_eq!(first("<map>\r\n</map>\r\n"), "<map>\r\n <n/>\r\n</map>\r\n");
    assert_eq!(first("<map>\n\t<a/>\n</map>"), "<map>\n\t<n/>\n\t<a/>\n</map>");
    assert_eq!(after("<map>\n\t<a/><!-- b -->\n</map>"), "<map>\n\t<a/>\n\t<n/><!-- b -->\n</map>");
    assert_eq!(after("<map><a/></map>"), "<map><a/><n/></map>");
    let array = |text: &str, after: bool| {
        edited(text, &|edit, document| {
            let list = find(document, &["a"]);
            edit.insert(list, list.items().last().filter(|_| after), "{}")
        })
    };
    assert_eq!(array(r#"{"type":"map","a":[1 ]}"#, true), r#"{"type":"map","a":[1 ,{}]}"#);
    assert_eq!(array(r#"{"type":"map","a":[ ]}"#, true), r#"{"type":"map","a":[{}]}"#);
    assert_eq!(
        array("{\"type\":\"map\",\"a\":[\n  {\"b\":1}\n ]}", true),
        "{\"type\":\"map\",\"a\":[\n  {\"b\":1},\n  {}\n ]}"
    );
    assert_eq!(array(r#"{"type":"map","a":[{"b":1}]}"#, false), r#"{"type":"map","a":[{},{"b":1}]}"#);
}

#[test]
fn properties_keep_their_types() {
    let set = |text: &str, name: &str, value: Scalar<'static>| {
        edited(text, &|edit, document| edit.set_property(document.root(), name, value.clone()))
    };
    let xml = "<map>\n <properties>\n  <property name=\"a\" type=\"bool\" value=\"true\"/>\n  <property name=\"t\">x\ny</property>\n </properties>\n</map>";
    assert_eq!(set(xml, "a", false.into()), xml.replace("\"true\"", "\"false\""));
    assert_eq!(set(xml, "a", true.into()), xml);
    assert_eq!(set(xml, "t", "<z>".into()), xml.replace("x\ny", "&lt;z&gt;"));
    let added = "y</property>\n  <property name=\"n\" type=\"float\" value=\"0.5\"/>\n";
    assert_eq!(set(xml, "n", 0.5.into()), xml.replace("y</property>\n", added));
    let map = "<map>\n <layer/>\n</map>";
    let properties =
        "<map>\n <properties>\n  <property name=\"n&amp;\" value=\"v\"/>\n </properties>\n <layer/>\n</map>";
    assert_eq!(set(map, "n&", "v".into()), properties);
    assert_eq!(
        set("<map/>", "n", "1\n2".into()),
        "<map><properties><property name=\"n\">1\n2</property></properties></map>"
    );
    let json =
        "{\"type\":\"map\",\n \"properties\":[\n  {\n   \"name\":\"a\",\n   \"type\":\"int\",\n   \"value\":1\n  }]\n}";
    assert_eq!(set(json, "a", 2.into()), json.replace(":1", ":2"));
    let expected =
        json.replace("  }]", "  },\n  {\n   \"name\":\"b\",\n   \"type\":\"bool\",\n   \"value\":true\n  }]");
    assert_eq!(set(json, "b", true.into()), expected);
    assert_eq!(
        set(r#"{"type":"map"}"#, "b", "c".into()),
        r#"{"type":"map","properties":[{"name":"b", "type":"string", "value":"c"}]}"#
    );
    let failed = |text: &str, name: &str, value: Scalar<'static>| {
        let document = document(text);
        Edit::new(&document).set_property(document.root(), name, value).unwrap_err()
    };
    assert!(matches!(failed(xml, "a", 1.into()).kind(), WriteErrorKind::Value { expected: "true or false", .. }));
    assert!(matches!(failed(xml, "n", "\0".into()).kind(), WriteErrorKind::Text { character: '\0', .. }));
    let class = "<map><properties><property name='c' type='class'/></properties></map>";
    assert!(matches!(failed(class, "c", 1.into()).kind(), WriteErrorKind::Value { .. }));
}

#[test]
fn several_items_can_be_added_to_an_empty_one() {
    let set = |text: &str| {
        edited(text, &|edit, document| {
            let layer = layer(document);
            edit.set_property(layer.item(), "a", 1)?;
            edit.set_property(layer.item(), "b", "x")?;
            edit.add_object(layer, &[], None)?;
            edit.add_object(layer, &[], None)?;
            Ok(())
        })
    };
    let properties = "\n  <properties>\n   <property name=\"a\" type=\"int\" value=\"1\"/>\n   <property name=\"b\" value=\"x\"/>\n  </properties>";
    let objects = "\n  <object id=\"1\"/>\n  <object id=\"2\"/>";
    let expected = format!("<map>\n <objectgroup>{properties}{objects}\n </objectgroup>\n</map>");
    assert_eq!(set("<map>\n <objectgroup/>\n</map>"), expected);
    assert_eq!(
        set(r#"{"layers":[{"type":"objectgroup","objects":[]}]}"#),
        r#"{"layers":[{"type":"objectgroup","objects":[{"id":1},{"id":2}],"properties":[{"name":"a", "type":"int", "value":1},{"name":"b", "type":"string", "value":"x"}]}]}"#
    );
    assert_eq!(
        set(r#"{"layers":[{"type":"objectgroup"}]}"#),
        r#"{"layers":[{"type":"objectgroup","objects":[{"id":1},{"id":2}],"properties":[{"name":"a", "type":"int", "value":1},{"name":"b", "type":"string", "value":"x"}]}]}"#
    );
    // The lists exist already, with and without items.
    for (list, comma) in [("", ""), ("{\"id\":0}", ",")] {
        let json = format!(r#"{{"layers":[{{"type":"objectgroup","objects":[{list}],"properties":[{list}]}}]}}"#);
        let found: serde_json::Value = serde_json::from_str(&set(&json)).unwrap();
        let layer = &found["layers"][0];
        let expected = format!(r#"[{list}{comma}{{"id":1}},{{"id":2}}]"#);
        assert_eq!(layer["objects"], serde_json::from_str::<serde_json::Value>(&expected).unwrap());
        assert_eq!(layer["properties"].as_array().unwrap().len(), 2 + comma.len());
    }
    let listed = "<map>\n <objectgroup>\n  <properties/>\n </objectgroup>\n</map>";
    assert_eq!(set(listed), expected);
    let filled = "<map>\n <objectgroup>\n  <object id=\"4\"/>\n </objectgroup>\n</map>";
    let objects = "\n  <object id=\"4\"/>\n  <object id=\"5\"/>\n  <object id=\"6\"/>";
    assert_eq!(set(filled), format!("<map>\n <objectgroup>{properties}{objects}\n </objectgroup>\n</map>"));
}

#[test]
fn properties_are_removed_with_their_list() {
    let xml = "<map>\n <properties>\n  <property name='a'/>\n  <property name='b'/>\n </properties>\n</map>";
    let remove = |text: &str, name: &str| {
        edited(text, &|edit, document| {
            assert!(edit.remove_property(document.root(), name));
            assert!(!edit.remove_property(document.root(), "missing"));
            Ok(())
        })
    };
    let one = remove(xml, "a");
    assert_eq!(one, "<map>\n <properties>\n  <property name='b'/>\n </properties>\n</map>");
    assert_eq!(remove(&one, "b"), "<map>\n</map>");
    let two = "<map><properties><property name='a'/></properties><properties/></map>";
    assert_eq!(remove(two, "a"), "<map><properties/></map>");
}

/// Sets a cell, and sets it back.
fn set_and_reset(text: &str, at: [i32; 2]) -> (String, String) {
    let set = |text: &str, gid: Gid| edited(text, &|edit, document| edit.set_cells(layer(document), &[(at, gid)]));
    let changed = set(text, Gid(0x8000_0007));
    let reset = set(&changed, Gid(3));
    (changed, reset)
}

#[test]
fn cells_keep_encoding_and_layout() {
    let map = |data: &str| format!("<map><layer width='2' height='2'>{data}</layer></map>");
    let csv = map("<data encoding='csv'>\r\n1,2,\r\n 3 , 4\r\n</data>");
    let (changed, reset) = set_and_reset(&csv, [0, 1]);
    assert_eq!((changed, reset), (csv.replace('3', "2147483655"), csv));
    let tiles = map("<data><tile gid='1'/>\n<tile/><tile gid=\"3\"/><tile/></data>");
    let (changed, reset) = set_and_reset(&tiles, [0, 1]);
    assert_eq!((changed, reset), (tiles.replace("\"3\"", "\"2147483655\""), tiles.clone()));
    let (changed, _) = set_and_reset(&tiles, [1, 1]);
    assert_eq!(changed, tiles.replace("<tile/></data>", "<tile gid=\"2147483655\"/></data>"));
    let json = r#"{"layers":[{"type":"tilelayer","width":2,"height":2,"data":[1, 2,3,4]}]}"#;
    let (changed, reset) = set_and_reset(json, [0, 1]);
    assert_eq!((changed, reset), (json.replace(",3,", ",2147483655,"), json.to_owned()));
    let comments = map("<data encoding='csv'>1,2,<!-- -->3,4</data>");
    let (changed, _) = set_and_reset(&comments, [0, 1]);
    assert_eq!(changed, map("<data encoding='csv'>1,2,2147483655,4</data>"));
    for (compression, payload) in [
        ("", "AQAAAAIAAAADAAAABAAAAA=="),
        ("zlib", "eJxjZGBgYAJiZiBmAWIAAGAACw=="),
        ("gzip", "H4sIAAAAAAAAA2NkYGBgAmJmIGYBYgDv1AWvEAAAAA=="),
    ] {
        let data = format!("<data encoding='base64' compression='{compression}'>\n   {payload}\n  </data>");
        let (changed, reset) = set_and_reset(&map(&data), [0, 1]);
        assert!(
            changed.contains("'>\n   ") && changed.contains("\n  </data>") && !changed.contains(payload),
            "{changed}"
        );
        assert_eq!(reset, map(&data), "{compression}");
    }
    let zstd = map("<data encoding='base64' compression='zstd'>KLUv/SAQgQAAAQAAAAIAAAADAAAABAAAAA==</data>");
    let (changed, _) = set_and_reset(&zstd, [0, 1]);
    let (changed, mut budget) = (document(&changed), mapwright_tiled::io::Budget::new(&Default::default()));
    let gids = layer(&changed).cells().unwrap().chunks().next().unwrap().decode(&mut budget).unwrap();
    assert_eq!(gids, [1, 2, 0x8000_0007, 4].map(Gid));
}

#[test]
fn cells_of_chunks_are_found_by_their_position() {
    let chunks = "<map infinite='1'><layer><data encoding='csv'><chunk x='-2' y='-1' width='2' height='1'>1,2</chunk>\
        <chunk x='0' y='0' width='1' height='1'>3</chunk></data></layer></map>";
    let set = |cells: &[([i32; 2], Gid)]| edited(chunks, &|edit, document| edit.set_cells(layer(document), cells));
    assert_eq!(
        set(&[([-1, -1], Gid(8)), ([0, 0], Gid(9)), ([-2, -1], Gid(1))]),
        chunks.replace("1,2", "1,8").replace(">3<", ">9<")
    );
    let document = document(chunks);
    let error = Edit::new(&document).set_cells(layer(&document), &[([1, 0], Gid(1))]).unwrap_err();
    assert!(matches!(error.kind(), WriteErrorKind::NoCell([1, 0])), "it would cover other cells: {error}");
}

#[test]
fn many_cells_of_many_chunks_are_set_in_little_time() {
    const SIDE: i32 = 128;
    let chunks: String = (0..SIDE * SIDE)
        .map(|index| {
            format!(
                "<chunk x='{}' y='{}' width='4' height='4'>{}0</chunk>",
                index % SIDE * 4 - 9,
                index / SIDE * 4,
                "0,".repeat(15)
            )
        })
        .collect();
    let text = format!("<map infinite='1'><layer><data encoding='csv'>{chunks}</data></layer></map>");
    let cells: Vec<_> =
        (0..16 * SIDE * SIDE).map(|index| ([index % (4 * SIDE) - 9, index / (4 * SIDE)], Gid(1))).collect();
    let start = std::time::Instant::now();
    let found = edited(&text, &|edit, document| edit.set_cells(layer(document), &cells));
    assert!(found == text.replace("0,", "1,").replace(">0", ">1").replace("0</chunk", "1</chunk"));
    // Searching all chunks for each cell takes several times as long.
    assert!(start.elapsed().as_secs() < 4, "{:?}", start.elapsed());
}

#[test]
fn chunks_of_any_size_are_found() {
    let chunks = |chunks: &[([i32; 2], [i32; 2])]| {
        let chunk = |(at, size): &([i32; 2], [i32; 2])| {
            let cells = vec!["0"; usize::try_from(size[0] * size[1]).unwrap()].join(",");
            let ([x, y], [width, height]) = (at, size);
            format!("<chunk x='{x}' y='{y}' width='{width}' height='{height}'>{cells}</chunk>")
        };
        let chunks: String = chunks.iter().map(chunk).collect();
        format!("<map infinite='1'><layer><data encoding='csv'>{chunks}</data></layer></map>")
    };
    // A grid, other sizes, other positions, a chunk that covers another one, and no cells.
    for (text, at, changed) in [
        (chunks(&[([-2, -2], [2, 2]), ([0, 2], [2, 2])]), [1, 3], 7),
        (chunks(&[([-2, -2], [2, 2]), ([0, 2], [1, 2])]), [0, 3], 5),
        (chunks(&[([0, 0], [2, 2]), ([3, 1], [2, 2])]), [3, 2], 6),
        (chunks(&[([0, 0], [1, 2]), ([0, 0], [1, 2])]), [0, 1], 3),
        (chunks(&[([0, 0], [2, 2]), ([1, 1], [2, 2])]), [1, 1], 4),
        (chunks(&[([0, 0], [0, 0]), ([9, 9], [0, 0])]), [0, 1], 16),
    ] {
        let found = edited(&text, &|edit, document| edit.set_cells(layer(document), &[(at, Gid(8))]));
        let document = document(&found);
        let chunks = layer(&document).cells().unwrap().chunks();
        let cells = chunks.flat_map(|chunk| chunk.decode(&mut Budget::new(&Limits::default())).unwrap());
        let cells: Vec<_> = cells.collect();
        assert_eq!(cells.iter().position(|gid| gid.0 == 8), Some(changed), "{found}");
    }
}

#[test]
fn infinite_maps_get_new_chunks() {
    let xml = "<map infinite='1'>\n <editorsettings><chunksize width='2' height='2'/></editorsettings>\n <layer width='9' height='9'>\n  \
        <data encoding='csv'>\n   <chunk x='0' y='0' width='2' height='2'>\n1,2,\n3,4\n</chunk>\n  </data>\n </layer>\n</map>";
    let cells = [([-1, -3], Gid(7)), ([3, 0], Gid(8)), ([-2, -4], Gid(9)), ([8, 8], Gid(0))];
    let set = |text: &str| edited(text, &|edit, document| edit.set_cells(layer(document), &cells));
    let new = "</chunk>\n   <chunk x=\"-2\" y=\"-4\" width=\"2\" height=\"2\">\n9,0,\n0,7\n</chunk>\n   \
        <chunk x=\"2\" y=\"0\" width=\"2\" height=\"2\">\n0,8,\n0,0\n</chunk>";
    assert_eq!(set(xml), xml.replace("</chunk>", new));
    let empty =
        "<map infinite='1'><layer width='9' height='9'><data encoding='base64' compression='zlib'/></layer></map>";
    assert!(document(empty).validate().iter().all(|finding| finding.code != "cells-invalid"));
    let filled = document(&set(empty));
    let chunks: Vec<_> =
        layer(&filled).cells().unwrap().chunks().map(|chunk| (chunk.origin(), chunk.size().unwrap())).collect();
    assert_eq!(chunks, [([-16, -16], [16, 16]), ([0, 0], [16, 16])]);
    let json =
        r#"{"infinite":true,"layers":[{"type":"tilelayer","chunks":[{"data":[1],"height":1,"width":1,"x":0,"y":0}]}]}"#;
    let one = edited(json, &|edit, document| edit.set_cells(layer(document), &[([-1, 20], Gid(5))]));
    assert!(
        one.contains(r#""y":0},{"data":[0,"#) && one.ends_with(r#""height":16,"width":16,"x":-16,"y":16}]}]}"#),
        "{one}"
    );
    let finite = document("<map><layer width='1' height='1'><data encoding='csv'>1</data></layer></map>");
    for gid in [0, 1] {
        let error = Edit::new(&finite).set_cells(layer(&finite), &[([1, 0], Gid(gid))]).unwrap_err();
        assert!(matches!(error.kind(), WriteErrorKind::NoCell([1, 0])), "{error}");
    }
}

#[test]
fn objects_get_new_ids() {
    let xml = "<map nextobjectid='3'>\n <objectgroup>\n  <object id=\"7\" x=\"1\">\n   <point/>\n  </object>\n </objectgroup>\n</map>";
    let added = edited(xml, &|edit, document| {
        let layer = layer(document);
        assert_eq!(edit.add_object(layer, &[("name", "N".into()), ("gid", Gid(5).into())], None)?, 8);
        assert_eq!(edit.duplicate_object(layer.objects().next().unwrap())?, 9);
        Ok(())
    });
    let copy = "  </object>\n  <object id=\"8\" name=\"N\" gid=\"5\"/>\n  <object id=\"9\" x=\"1\">\n   <point/>\n  </object>\n";
    assert_eq!(added, xml.replace("'3'", "'10'").replace("  </object>\n", copy));
    let json =
        "{\"type\":\"map\",\"layers\":[{\"type\":\"objectgroup\",\"objects\":[\n  {\n   \"id\":1,\n   \"x\":2\n  }]}]}";
    let added = edited(json, &|edit, document| {
        let layer = layer(document);
        edit.add_object(layer, &[("x", 0.5.into())], Some(NewShape::Ellipse))?;
        edit.duplicate_object(layer.objects().next().unwrap())?;
        Ok(())
    });
    let new = "  },\n  {\n   \"id\":2,\n   \"x\":0.5,\n   \"ellipse\":true\n  },\n  {\n   \"id\":3,\n   \"x\":2\n  }]";
    assert_eq!(added, json.replace("  }]", new));
}

#[test]
fn objects_are_added_only_to_layers_of_objects() {
    for text in [
        "<map><layer width='1' height='1'><data>0</data></layer></map>",
        "<map><group/></map>",
        r#"{"layers":[{"type":"tilelayer","width":1,"height":1,"data":[0]}]}"#,
    ] {
        let document = document(text);
        let error = Edit::new(&document).add_object(layer(&document), &[], None).unwrap_err();
        assert!(matches!(error.kind(), WriteErrorKind::Kind { expected: "a layer of objects", .. }), "{error}");
    }
}

#[test]
fn collision_shapes_have_ids_of_their_tile() {
    let tileset = "<tileset><tile id='0'><objectgroup><object id='7'/></objectgroup></tile>\
        <tile id='1'><objectgroup><object id='1'/></objectgroup></tile></tileset>";
    let add = |text: &str| {
        edited(text, &|edit, document| {
            let tileset = document.as_tileset().or_else(|| document.as_map()?.tilesets().next()).unwrap();
            let groups: Vec<_> = tileset.tiles().filter_map(Tile::object_group).collect();
            assert_eq!(edit.duplicate_object(groups[0].objects().next().unwrap())?, 8);
            assert_eq!(edit.add_object(groups[1], &[], None)?, 2);
            assert_eq!(edit.add_object(groups[0], &[], None)?, 9);
            if let Some(map) = document.as_map() {
                assert_eq!(edit.add_object(map.layers().next().unwrap(), &[], None)?, 4);
            }
            Ok(())
        })
    };
    let expected = tileset.replace("'7'/>", "'7'/><object id='8'/><object id=\"9\"/>");
    let expected = expected.replace("'1'/></objectgroup", "'1'/><object id=\"2\"/></objectgroup");
    assert_eq!(add(tileset), expected);
    let map = format!("<map nextobjectid='4'>{tileset}<objectgroup><object id='2'/></objectgroup></map>");
    let expected =
        map.replace(tileset, &expected).replace("'4'", "'5'").replace("'2'/></", "'2'/><object id=\"4\"/></");
    assert_eq!(add(&map), expected);
}

#[test]
fn objects_need_a_free_id() {
    for text in [
        "<map><objectgroup><object id='2147483646'/></objectgroup></map>",
        "<map nextobjectid='2147483646'><objectgroup><object id='1'/></objectgroup></map>",
    ] {
        let document = document(text);
        let mut edit = Edit::new(&document);
        let object = layer(&document).objects().next().unwrap();
        let used = i32::from(!text.contains("next"));
        for id in 0..1 - used {
            assert_eq!(edit.duplicate_object(object).unwrap(), 2_147_483_646 + id);
        }
        let error = edit.duplicate_object(object).unwrap_err();
        assert!(matches!(error.kind(), WriteErrorKind::NoObjectId), "{error}");
        assert!(edit.apply().is_ok());
    }
}

#[test]
fn overlapping_and_impossible_edits_are_rejected() {
    let document = document("<map a='1'><b/></map>");
    let mut edit = Edit::new(&document);
    edit.set(document.root(), "a", 2).unwrap();
    edit.remove(find(&document, &["a"]));
    assert!(matches!(edit.apply().unwrap_err().kind(), WriteErrorKind::Overlap));
    let mut edit = Edit::new(&document);
    assert!(matches!(edit.set_value(document.root(), 1).unwrap_err().kind(), WriteErrorKind::Kind { .. }));
    assert!(matches!(edit.set(find(&document, &["a"]), "b", 1).unwrap_err().kind(), WriteErrorKind::Kind { .. }));
    for name in ["", "c=\"1\" d", "c/><d", "1c", "c d"] {
        let error = edit.set(document.root(), name, 1).unwrap_err();
        assert!(matches!(error.kind(), WriteErrorKind::Name(found) if found == name), "{error}");
    }
    assert!(matches!(edit.set(document.root(), "a", f64::NAN).unwrap_err().kind(), WriteErrorKind::Number(_)));
    edit.insert(document.root(), None, "<c>").unwrap();
    assert!(matches!(edit.apply().unwrap_err().kind(), WriteErrorKind::Invalid(_)));
    let unchanged = Edit::new(&document).apply().unwrap();
    assert_eq!(unchanged, document);
}
