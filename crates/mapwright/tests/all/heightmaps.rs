//! Heightmaps in and out of the facade.
#![cfg(all(feature = "heightmap", feature = "obj"))]

use std::fs;

use mapwright::scene::NoFiles;
use mapwright::{AnyDocument, ConvertOptions, Error, Format, ReadOptions, convert, detect};

const ASC: &str = "ncols         3\nnrows         2\nxllcorner     200000.000000\nyllcorner     0.000000\n\
                   cellsize      10.000000\nNODATA_value  -9999\n1.50 2.00 -0.00 \n-74.80 3.25 4.00 \n";

fn read(bytes: &[u8], format: Format) -> AnyDocument {
    AnyDocument::from_bytes_as(bytes, format, &ReadOptions::default()).unwrap()
}

#[test]
fn content_or_name_determine_the_kind_of_heightmap() {
    let found = |bytes: &[u8], name: &str| detect(bytes, Some(name.as_ref())).format;
    assert_eq!(found(ASC.as_bytes(), "a"), Some(Format::Asc));
    assert_eq!(found(b"NROWS\t2\r\n", "a.obj"), Some(Format::Asc));
    assert_eq!(found(b"ncolsx 2", "a"), None);
    assert_eq!(found(b"II*\0", "a"), Some(Format::Tif));
    assert_eq!(found(b"MM\0+", "a.dat"), Some(Format::Tif));
    // Only the name identifies these as heightmaps.
    assert_eq!([found(b"1 2 3\n", "a.txt"), found(b"1 2 3\n", "a.xyz")], [None, Some(Format::Xyz)]);
    let png = b"\x89PNG\r\n\x1a\n";
    assert_eq!([found(png, "a"), found(png, "a.PNG")], [None, Some(Format::HeightPng)]);
    assert!(Format::HeightPng.is_image() && !Format::Asc.is_image());
}

#[test]
fn heightmaps_survive_every_kind() {
    let original = read(ASC.as_bytes(), Format::Asc).into_scene().unwrap().scene;
    for to in [Format::Tif, Format::Xyz, Format::Asc] {
        let options = ConvertOptions::default();
        let conversion = convert(read(ASC.as_bytes(), Format::Asc), to, &NoFiles, &options).unwrap();
        assert!(conversion.losses.is_empty(), "{to}: {:?}", conversion.losses);
        let there = read(&conversion.files.main, to);
        assert_eq!(there.to_scene().unwrap().scene, original, "{to}");
        let back = convert(there, Format::Asc, &NoFiles, &options).unwrap();
        assert_eq!(String::from_utf8(back.files.main).unwrap(), ASC, "{to}");
    }
    let options = ConvertOptions::default().with_stem("hill");
    let conversion = convert(read(ASC.as_bytes(), Format::Asc), Format::HeightPng, &NoFiles, &options).unwrap();
    assert_eq!(conversion.files.side[0].name, "hill.pgw");
    assert_eq!(conversion.losses.lost_count(), 1);
}

#[test]
fn headers_beside_numbers_are_read() {
    let folder = tempfile::tempdir().unwrap();
    let original = read(ASC.as_bytes(), Format::Asc).into_scene().unwrap().scene;
    let round_trip = |to: Format, writing: &ConvertOptions| {
        let made = convert(read(ASC.as_bytes(), Format::Asc), to, &NoFiles, writing).unwrap();
        let path = folder.path().join("hill").with_extension(to.name());
        fs::write(&path, &made.files.main).unwrap();
        assert_eq!(made.files.side.len(), 1, "{to}");
        fs::write(folder.path().join(&made.files.side[0].name), &made.files.side[0].data).unwrap();
        let input = mapwright::Input::open(&path, None, &ReadOptions::default()).unwrap();
        assert_eq!(input.format, to);
        let document = AnyDocument::from_bytes_as(&input.bytes, to, &ReadOptions::default().with_path(&path)).unwrap();
        (made, document.into_scene().unwrap().scene)
    };
    let options = ConvertOptions::default().with_stem("hill");
    for to in [Format::Bil, Format::Flt, Format::R32] {
        let (made, scene) = round_trip(to, &options);
        assert!(made.losses.is_empty(), "{to}: {:?}", made.losses);
        assert_eq!(scene, original, "{to}");
    }
    let (made, scene) = round_trip(Format::R16, &options);
    assert_eq!(made.losses.lost_count(), 1, "rounded to steps");
    let [there, back] = [&original, &scene].map(|scene| &scene.terrains.items()[0]);
    assert_eq!((there.size, there.spacing), (back.size, back.spacing));
    let step = f64::from(4.0_f32 + 74.8) / 65535.0;
    for vertex in 0..there.heights.len() {
        let difference = there.heights.get(vertex).unwrap() - back.heights.get(vertex).unwrap();
        assert!(difference.abs() <= step, "{vertex}: {difference}");
    }
    // Without the description, only squares have a known size.
    fs::remove_file(folder.path().join("hill.json")).unwrap();
    let error = AnyDocument::from_bytes_as(&made.files.main, Format::R16, &ReadOptions::default()).unwrap_err();
    assert!(error.to_string().contains("sizes that fit: 3x2"), "{error}");
    let mut sized = ReadOptions::default();
    sized.heightmap.size = Some([3, 2]);
    AnyDocument::from_bytes_as(&made.files.main, Format::R16, &sized).unwrap();
}

#[test]
fn world_files_beside_images_are_read() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("hill.png");
    let options = ConvertOptions::default().with_stem("hill");
    let files = convert(read(ASC.as_bytes(), Format::Asc), Format::HeightPng, &NoFiles, &options).unwrap().files;
    // Without the values of the image itself.
    let name = files.main.windows(9).position(|bytes| bytes == b"spacing_x").unwrap();
    let mut image = files.main.clone();
    let end = image.windows(4).position(|bytes| bytes == b"IDAT").unwrap() - 4;
    image.drain(name - 8..end);
    fs::write(&path, &image).unwrap();
    fs::write(path.with_extension("pgw"), &files.side[0].data).unwrap();
    let reading = ReadOptions::default().with_path(&path);
    let document = AnyDocument::from_bytes_as(&image, Format::HeightPng, &reading).unwrap();
    assert_eq!(document.side_files(), [folder.path().join(".").join("hill.pgw")]);
    assert_eq!(document.to_scene().unwrap().scene.terrains.items()[0].spacing, [10.0, -10.0]);
}

#[test]
fn scenes_without_terrain_have_no_heightmap() {
    let obj = read(b"v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n", Format::Obj);
    let error = convert(obj, Format::Asc, &NoFiles, &ConvertOptions::default()).unwrap_err();
    let text = "the output would show nothing of the source, which contains meshes: asc files store terrain";
    assert_eq!(error.to_string(), text);
    assert!(matches!(error, Error::Empty { .. }) && error.help().is_some());
    let error = AnyDocument::from_bytes_as(b"ncols 1", Format::HeightPng, &ReadOptions::default()).unwrap_err();
    assert_eq!(error.category(), mapwright::io::Category::Malformed);
}

#[test]
fn missing_heights_and_their_value_are_summarized() {
    let info = |text: &str| {
        let document = read(text.as_bytes(), Format::Asc);
        serde_json::to_value(document.info(None)).unwrap()["heightmap"].clone()
    };
    let without = ASC.replace("-74.80", "-9999").replace("2.00", "nan");
    let found = info(&without);
    assert_eq!((&found["no_data"], &found["no_data_value"]), (&2.into(), &(-9999.0).into()), "{found}");
    let found = info(&ASC.replace("NODATA_value  -9999\n", ""));
    assert_eq!((&found["no_data"], found.get("no_data_value")), (&0.into(), None), "{found}");
    // JSON has no NaN.
    let found = info(&ASC.replace("NODATA_value  -9999", "NODATA_value  nan"));
    assert_eq!(found.get("no_data_value"), Some(&serde_json::Value::Null), "{found}");
    let schema = mapwright::OUTPUT_SCHEMAS.iter().find(|(command, _)| *command == "info").unwrap().1;
    let schema: serde_json::Value = serde_json::from_str(schema).unwrap();
    let validator = jsonschema::validator_for(&schema["properties"]["heightmap"]).unwrap();
    assert!(validator.is_valid(&found), "{found}");
    // The other format that stores one.
    let tif = convert(read(without.as_bytes(), Format::Asc), Format::Tif, &NoFiles, &ConvertOptions::default());
    let found = serde_json::to_value(read(&tif.unwrap().files.main, Format::Tif).info(None)).unwrap();
    assert_eq!(found["heightmap"]["no_data"], 2, "{found}");
}

#[test]
fn web_mercator_is_named_with_its_factor_and_a_command() {
    // Latitude 60° at longitude 15°: distances are twice as long.
    let [east, north] = [1_669_792.36, 8_399_737.89];
    let grid = format!("ncols 2\nnrows 2\nxllcorner {east}\nyllcorner {north}\ncellsize 20\n1 2\n3 4\n");
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.asc");
    fs::write(&path, &grid).unwrap();
    let losses = |name: &str| {
        let wkt = format!("PROJCS[\"{name}\",GEOGCS[\"GCS_WGS_1984\",UNIT[\"Degree\",0.0174]],UNIT[\"Meter\",1.0]]");
        fs::write(path.with_extension("prj"), wkt).unwrap();
        let reading = ReadOptions::default().with_path(&path);
        let document = AnyDocument::from_bytes_as(grid.as_bytes(), Format::Asc, &reading).unwrap();
        document.into_scene().unwrap().losses.iter().map(ToString::to_string).collect::<Vec<_>>()
    };
    let command = "gdalwarp -t_srs EPSG:32633 -tr 10 10 -r bilinear -dstnodata -9999 in.tif out.tif";
    let text =
        "preserved: Web Mercator stretches distances by 1/cos(latitude), here by 2.00 at 60.0°; reproject with: ";
    assert_eq!(losses("WGS_1984_Web_Mercator_Auxiliary_Sphere"), [format!("{text}{command}")]);
    assert!(losses("WGS_1984_UTM_Zone_33N").is_empty());
}
