//! Levels of Claw and Gruntz.
#![cfg(feature = "wwd")]

use std::fs;
use std::path::PathBuf;

use mapwright::scene::NoFiles;
use mapwright::wwd::HeaderSize;
use mapwright::{
    AnyDocument, ConvertOptions, Error, Format, JsonLayout, ReadOptions, Roundtrip, convert, roundtrip,
    write_level_json,
};
use mapwright_testkit::{files_below, mutate, workspace};

fn fixtures() -> impl Iterator<Item = (PathBuf, Vec<u8>)> {
    let files = files_below(&workspace().join("fixtures/wwd")).into_iter();
    let levels: Vec<PathBuf> = files.filter(|path| path.extension().is_some_and(|it| it == "wwd")).collect();
    assert!(levels.len() > 5);
    levels.into_iter().map(|path| (path.clone(), fs::read(path).unwrap()))
}

#[test]
fn levels_are_written_back_byte_for_byte() {
    for (path, bytes) in fixtures() {
        let found = roundtrip(&bytes, Format::Wwd, &ReadOptions::default()).unwrap();
        assert_eq!(found, Roundtrip::Exact, "{}", path.display());
    }
}

#[test]
fn unchanged_levels_are_not_converted() {
    for (path, bytes) in fixtures() {
        let document = AnyDocument::from_bytes(&bytes).unwrap();
        assert_eq!(document.format(), Format::Wwd);
        let conversion = convert(document, Format::Wwd, &NoFiles, &ConvertOptions::default()).unwrap();
        assert!(conversion.files.main == bytes && conversion.losses.is_empty(), "{}", path.display());
    }
}

#[test]
fn larger_headers_are_read_on_request() {
    let (_, mut bytes) = fixtures().next().unwrap();
    bytes[0..4].copy_from_slice(&44474_u32.to_le_bytes());
    let read = |options: &ReadOptions| AnyDocument::from_bytes_as(&bytes, Format::Wwd, options);
    let error = read(&ReadOptions::default()).unwrap_err();
    assert!(error.help().unwrap().contains("size of the header"), "{error}");
    let any = ReadOptions::default().with_header_size(HeaderSize::Any);
    assert_eq!(read(&any).unwrap().to_bytes().unwrap(), bytes);
}

#[test]
fn bytes_around_a_position_are_decompressed() {
    let (_, bytes) = fixtures().next().unwrap();
    let at = mapwright::io::Position::inflated(1524);
    let (start, around) = mapwright::bytes_around(&bytes, Format::Wwd, at, &ReadOptions::default()).unwrap();
    // The size of the header of the first plane.
    assert_eq!((start, &around[20..24]), (1504, &160_u32.to_le_bytes()[..]));
}

fn dumped(bytes: &[u8], layout: JsonLayout) -> String {
    let level = AnyDocument::from_bytes_as(bytes, Format::Wwd, &any_header()).unwrap().into_wwd().unwrap();
    let mut out = b"{\"format\":\"wwd\",\"level\":".to_vec();
    write_level_json(&mut out, &level, layout).unwrap();
    out.push(b'}');
    String::from_utf8(out).unwrap()
}

fn any_header() -> ReadOptions {
    ReadOptions::default().with_header_size(HeaderSize::Any)
}

fn built(json: &str) -> Result<Vec<u8>, Error> {
    AnyDocument::from_dump(json.as_bytes(), &ReadOptions::default())?.to_bytes()
}

#[test]
fn levels_are_restored_from_json() {
    for (path, bytes) in fixtures() {
        for layout in [JsonLayout::OneLine, JsonLayout::Lines] {
            assert!(built(&dumped(&bytes, layout)).unwrap() == bytes, "{}", path.display());
        }
    }
}

#[test]
fn blocks_of_unknown_compressors_are_preserved_in_json() {
    let (_, bytes) = fixtures().find(|(path, _)| path.ends_with("claw.wwd")).unwrap();
    let mut level = mapwright::wwd::Document::from_bytes(&bytes).unwrap();
    let main = level.to_main_block().unwrap();
    // A stream of one stored block, as no program writes it.
    let size = u16::try_from(main.len()).unwrap();
    let packed = level.stored_block().unwrap();
    let sum = &packed[packed.len() - 4..];
    let stream = [&[0x78, 1, 1][..], &size.to_le_bytes(), &(!size).to_le_bytes(), &main, sum].concat();
    let file = [&bytes[..1524], &stream].concat();
    let json = dumped(&file, JsonLayout::OneLine);
    assert!(json.contains("\"zlib\":\"780101"));
    assert!(built(&json).unwrap() == file);
    // An edit makes it a block of the editor, with its sum.
    let edited = built(&json.replacen("\"start_x\":", "\"author\":\"Me\",\"start_x\":", 1)).unwrap();
    assert!(edited[1524..] == stream, "the header is no part of the block");
    level.planes[0].z_coord += 1;
    let old = format!("\"z_coord\":{}", level.planes[0].z_coord - 1);
    let new = format!("\"z_coord\":{}", level.planes[0].z_coord);
    assert!(json.contains(&old));
    let edited = built(&json.replacen(&old, &new, 1)).unwrap();
    assert!(edited == level.to_bytes().unwrap());
}

#[test]
fn invalid_json_is_rejected_with_the_path() {
    let (_, bytes) = fixtures().find(|(path, _)| path.ends_with("claw.wwd")).unwrap();
    let json = dumped(&bytes, JsonLayout::OneLine);
    let refused = |from: &str, to: &str| {
        assert!(json.contains(from), "{from}");
        built(&json.replacen(from, to, 1)).unwrap_err()
    };
    for (from, to, says) in [
        ("\"name\":", "\"nmae\":", "header: unknown field `nmae`"),
        ("\"tiles\":[[", "\"tiles\":[[[4000000000,1],", "planes[0].tiles[0]: more cells than the "),
        (
            "\"objects\":[{",
            "\"objects\":[{\"user8\":9999999999,",
            "planes[1].objects[0].user8: invalid value: integer `9999999999`",
        ),
        ("\"single\":", "\"sinlge\":", "tile_properties.items[0].sinlge: unknown field `sinlge`"),
        (
            "\"tiles\":[[",
            "\"tiles\":[[true,",
            "planes[0].tiles[0][0]: invalid type: boolean `true`, expected a cell: the number of a",
        ),
        ("\"tiles\":[[", "\"tiles\":[[[3,[1,2]],", "planes[0].tiles[0][0][1]: invalid type: sequence, expected a cell"),
        (
            "\"tiles\":[[",
            "\"tiles\":[[\"filled\",",
            "planes[0].tiles[0][0]: invalid value: string \"filled\", expected a cell",
        ),
        ("\"tiles\":[[", "\"tiles\":[[[1],", "planes[0].tiles[0][0]: invalid length 1, expected a cell"),
        ("\"name\":\"", "\"name\":\"\u{142}", "header.name: 'ł' is not ASCII"),
    ] {
        let error = refused(from, to);
        assert!(error.message().contains(says), "{error}");
        assert_eq!(error.category(), mapwright::io::Category::Malformed);
    }
    assert!(matches!(refused("{", "["), Error::Dump { line: 1, .. }));
    assert!(matches!(built("{\"format\":\"glb\"}"), Err(Error::Unsupported { .. })));
    assert!(built("{\"format\":\"wwd\"}").unwrap_err().to_string().contains("missing \"level\""));
}

#[cfg(feature = "tiled")]
#[test]
fn levels_survive_tiled() {
    for (path, bytes) in fixtures() {
        for format in [Format::Tmx, Format::Tmj] {
            let level = AnyDocument::from_bytes(&bytes).unwrap();
            let map = convert(level.clone(), format, &NoFiles, &ConvertOptions::default()).unwrap().files.main;
            let map = AnyDocument::from_bytes(&map).unwrap();
            assert_eq!(map.format(), format);
            let back = convert(map, Format::Wwd, &NoFiles, &ConvertOptions::default()).unwrap();
            let level = level.into_wwd().unwrap();
            let found = mapwright::wwd::Document::from_bytes(&back.files.main).unwrap();
            assert_eq!(found.planes, level.planes, "{}", path.display());
            assert_eq!(found.tile_properties, level.tile_properties, "{}", path.display());
            if level.layout.is_none() {
                assert!(found.to_main_block().unwrap() == level.to_main_block().unwrap(), "{}", path.display());
            }
        }
    }
}

#[test]
fn unusual_levels_are_restored_from_json() {
    let mut done = 0;
    for (_, bytes) in fixtures() {
        for mutant in mutate::random(&bytes, &[], 4).take(100) {
            let Ok(level) = AnyDocument::from_bytes_as(&mutant, Format::Wwd, &any_header()) else { continue };
            let expected = level.to_bytes().unwrap();
            assert!(built(&dumped(&mutant, JsonLayout::OneLine)).unwrap() == expected);
            done += 1;
        }
    }
    assert!(done > 100, "{done}");
}

#[test]
fn any_json_gives_a_result_or_an_error() {
    let (_, bytes) = fixtures().find(|(path, _)| path.ends_with("moved.wwd")).unwrap();
    let json = dumped(&bytes, JsonLayout::OneLine);
    for mutant in mutate::random(json.as_bytes(), &[], 5).take(300) {
        if let Err(error) = AnyDocument::from_dump(&mutant, &ReadOptions::default()) {
            assert!(!error.message().is_empty());
        }
    }
    // A few bytes that ask for more than is allowed.
    let level = r#"{"format":"wwd","level":{"style":"editor","header":{"header_size":1524},"planes":[{"fields":
        {"tiles_wide":2147483647,"tiles_high":1},"image_sets":[],"tiles":[[[2147483647,0]]],"objects":[]}]}}"#;
    assert!(built(level).unwrap_err().to_string().contains("more cells and objects than the limit"));
}

#[test]
fn stored_blocks_in_json_are_limited() {
    let (_, bytes) = fixtures().find(|(path, _)| path.ends_with("claw.wwd")).unwrap();
    let mut level = mapwright::wwd::Document::from_bytes(&bytes).unwrap();
    // Sixteen thousand objects, stored as no program does.
    level.planes[1].objects = vec![mapwright::wwd::Object::default(); 1 << 14].into();
    level.header.checksum = 5;
    let stored = AnyDocument::from_bytes(&level.to_bytes().unwrap()).unwrap().into_wwd().unwrap();
    let json = dumped(&stored.to_bytes().unwrap(), JsonLayout::OneLine);
    let hex: String = stored.stored_block().unwrap().iter().map(|byte| format!("{byte:02x}")).collect();
    let json = json.replacen("\"by\":\"editor\"", &format!("\"zlib\":\"{hex}\""), 1);
    assert!(json.contains("\"zlib\""));
    assert!(built(&json).unwrap() == stored.to_bytes().unwrap());
    let mut options = ReadOptions::default();
    options.limits.max_items = 1 << 13;
    let error = AnyDocument::from_dump(json.as_bytes(), &options).unwrap_err();
    assert_eq!(error.category(), mapwright::io::Category::Limit, "{error}");
}

#[test]
fn objects_in_json_are_limited_like_cells() {
    let level = |objects: usize| {
        let objects = vec!["{}"; objects].join(",");
        format!(
            r#"{{"format":"wwd","level":{{"style":"editor","header":{{"header_size":1524}},"planes":[{{
            "fields":{{"tiles_wide":4,"tiles_high":1}},"image_sets":[],"tiles":[[[4,null]]],"objects":[{objects}]}}]}}}}"#
        )
    };
    let mut options = ReadOptions::default();
    options.limits.max_decompressed = 4 * (4 + 71);
    let built = |json: &str| AnyDocument::from_dump(json.as_bytes(), &options).map(drop);
    built(&level(1)).unwrap();
    let error = built(&level(2)).unwrap_err().to_string();
    assert!(error.contains("planes[0].objects[1]: more cells and objects than the limit"), "{error}");
}

#[cfg(feature = "tiled")]
#[test]
fn info_of_tiled_maps_lists_layers_and_tile_sets() {
    let (_, bytes) = fixtures().find(|(path, _)| path.ends_with("claw.wwd")).unwrap();
    let level = AnyDocument::from_bytes(&bytes).unwrap();
    let planes: Vec<(usize, [u32; 2])> = level
        .as_wwd()
        .unwrap()
        .planes
        .iter()
        .map(|plane| {
            let (columns, rows) = plane.size();
            (plane.tiles.iter().filter(|word| **word < 0xEEEE_EEEE).count(), [columns, rows])
        })
        .collect();
    let tmx = convert(level, Format::Tmx, &NoFiles, &ConvertOptions::default()).unwrap().files.main;
    let scene =
        AnyDocument::from_bytes_as(&tmx, Format::Tmx, &ReadOptions::default()).unwrap().into_scene().unwrap().scene;
    let info = mapwright::info::SceneInfo::new(&scene, mapwright::scene::AxisChange::NONE);
    assert_eq!(info.layers.iter().map(|layer| (layer.tiles, layer.size)).collect::<Vec<_>>(), planes);
    assert!(!info.tile_sets.is_empty() && info.tile_sets.iter().all(|set| set.tiles > 0), "{:?}", info.tile_sets);
    assert!(!info.entities.is_empty());
}
