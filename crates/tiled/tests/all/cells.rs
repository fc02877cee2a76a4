//! Cells in every encoding.

use crate::support;

use mapwright_tiled::io::{Budget, Category, Limits};
use mapwright_tiled::{Document, Gid, ReadError, ReadErrorKind};
use support::document;

/// The cells 1, 2, 3 and 4 with all flags. The zstd stream has one uncompressed block (RFC 8878).
const BASE64: &str = "AQAAAAIAAAADAAAABAAA8A==";
const ZLIB: &str = "eJxjZGBgYAJiZiBmYWD4AAABUAD7";
const ZSTD: &str = "KLUv/SAQgQAAAQAAAAIAAAADAAAABAAA8A==";

fn decode(document: &Document) -> Result<Vec<Gid>, ReadError> {
    let cells = document.as_map().unwrap().layers().next().unwrap().cells().unwrap();
    cells.chunks().next().unwrap().decode(&mut Budget::new(&Limits::service()))
}

/// Decodes the cells of a layer of 2×2.
fn decode_text(data: &str) -> Result<Vec<Gid>, ReadError> {
    let map = match data.starts_with('<') {
        true => format!("<map><layer width='2' height='2'>{data}</layer></map>"),
        false => format!("{{\"layers\":[{{\"type\":\"tilelayer\",\"width\":2,\"height\":2,{data}}}]}}"),
    };
    decode(&document(&map))
}

#[test]
fn every_encoding_gives_the_same_cells() {
    let expected = [1, 2, 3, 0xF000_0004].map(Gid);
    for data in [
        "<data><tile gid='1'/><!-- --><tile gid='2'/><tile gid='3'/><tile gid='4026531844'/></data>".to_owned(),
        "<data encoding='csv'>\n1,2,\r\n3, 4026531844\n</data>".to_owned(),
        "<data encoding='csv'>1,2,<!-- a -->3&#44;4026531844</data>".to_owned(),
        format!("<data encoding='base64'>\n   {BASE64}\n  </data>"),
        format!("<data encoding='base64' compression=''>{}\n{}</data>", &BASE64[..5], &BASE64[5..]),
        format!("<data encoding='base64' compression='zlib'>{ZLIB}</data>"),
        format!("<data encoding='base64' compression='zstd'>{ZSTD}</data>"),
        "\"data\":[1, 2,3,\n4026531844]".to_owned(),
        "\"data\":[1,2,3,-268435452]".to_owned(),
        format!("\"data\":\"{BASE64}\",\"encoding\":\"base64\",\"compression\":\"\""),
        format!("\"data\":\"{}\",\"encoding\":\"base64\",\"compression\":\"zlib\"", ZLIB.replace('/', "\\/")),
    ] {
        assert_eq!(decode_text(&data).unwrap_or_else(|error| panic!("{data}: {error}")), expected, "{data}");
    }
}

#[test]
fn invalid_cells_are_rejected() {
    use ReadErrorKind as K;
    type Is = fn(&K) -> bool;
    let cases: &[(&str, Is)] = &[
        ("<data encoding='csv'>1,2,3</data>", |kind| {
            matches!(kind, K::CellCount { found: 3, expected: 4, more: false })
        }),
        ("<data encoding='csv'></data>", |kind| matches!(kind, K::CellCount { found: 0, .. })),
        ("<data encoding='csv'>1,2,3,4,5</data>", |kind| matches!(kind, K::CellCount { found: 4, more: true, .. })),
        ("<data encoding='csv'>1,2,3,4,</data>", |kind| matches!(kind, K::CellCount { more: true, .. } | K::Cell(_))),
        ("<data encoding='csv'>1,,3,4</data>", |kind| matches!(kind, K::Cell(text) if text.is_empty())),
        ("<data encoding='csv'>1,2,3,4294967296</data>", |kind| matches!(kind, K::Cell(_))),
        ("<data><tile/></data>", |kind| matches!(kind, K::CellCount { found: 1, .. })),
        ("<data encoding='base64'>A</data>", |kind| matches!(kind, K::Base64)),
        ("<data encoding='base64'>AQAA</data>", |kind| matches!(kind, K::PartialCell { bytes: 3 })),
        ("<data encoding='hex'>00</data>", |kind| matches!(kind, K::Encoding(name) if name == "hex")),
        ("<data encoding='base64' compression='lzma'>AAAA</data>", |kind| matches!(kind, K::Compression(_))),
        ("<data encoding='base64' compression='zlib'>AAAA</data>", |kind| {
            matches!(kind, K::Stream { compression: "zlib", .. })
        }),
        ("<data encoding='base64' compression='gzip'>AAAA</data>", |kind| {
            matches!(kind, K::Stream { compression: "gzip", .. })
        }),
        ("<data encoding='base64' compression='zstd'>AAAA</data>", |kind| {
            matches!(kind, K::Stream { compression: "zstd", .. })
        }),
        ("\"data\":[1,2,3,[4]]", |kind| matches!(kind, K::Cell(_))),
    ];
    for (data, is_expected) in cases {
        let error = decode_text(data).expect_err(data);
        assert!(is_expected(error.kind()) && error.position().is_some(), "{data}: {error}");
    }
    for size in ["width='-1' height='2'", "width='2'", "width='a' height='2'"] {
        let error = decode(&document(&format!("<map><layer {size}><data/></layer></map>"))).unwrap_err();
        assert!(matches!(error.kind(), K::CellSize { .. }), "{error}");
    }
    let error =
        decode(&document("<map><layer width='50000' height='50000'><data encoding='csv'>1</data></layer></map>"))
            .unwrap_err();
    assert_eq!(error.category(), Category::Limit);
}
