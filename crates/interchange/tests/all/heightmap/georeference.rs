//! Positions, units, and coordinate reference systems.

use mapwright_interchange::{
    Category, Error,
    heightmap::{self, CRS_PROPERTY, ExportOptions, Format, ImportOptions, NoData, coordinate_system},
};
use mapwright_scene::NoFiles;
use mapwright_scene::*;
use tiff::{encoder::colortype, tags::Tag};

use super::read::{Directory, heights, place, tif};
use super::terrains::*;

/// Keys of GeoTIFF with short values.
fn keys(pairs: &[(u16, u16)]) -> Vec<u16> {
    let count = u16::try_from(pairs.len()).unwrap();
    [1, 1, 0, count].into_iter().chain(pairs.iter().flat_map(|&(key, value)| [key, 0, 1, value])).collect()
}

/// A grid of 3 × 2 heights whose north-western corner is at a place, with keys and the unit of heights.
fn raster([x, y]: [f64; 2], [dx, dy]: [f64; 2], pairs: &[(u16, u16)], unit: &str) -> Vec<u8> {
    tif::<colortype::Gray32Float>([3, 2], &[1.0, 2.0, 3.0, 4.0, 5.0, 6.0], |directory: &mut Directory<'_>| {
        directory.write_tag(Tag::ModelPixelScaleTag, &[dx, dy, 0.0][..]).unwrap();
        directory.write_tag(Tag::ModelTiepointTag, &[0.0, 0.0, 0.0, x, y, 0.0][..]).unwrap();
        directory.write_tag(Tag::GeoKeyDirectoryTag, &keys(pairs)[..]).unwrap();
        if !unit.is_empty() {
            let xml =
                format!("<GDALMetadata><Item name=\"U\" sample=\"0\" role=\"unittype\">{unit}</Item></GDALMetadata>");
            directory.write_tag(Tag::Unknown(42112), xml.as_str()).unwrap();
        }
    })
}

const UTM: [(u16, u16); 4] = [(1024, 1), (1025, 1), (3072, 32633), (3076, 9001)];
const AT_0: [f64; 2] = [0.0; 2];

fn read_at_0(bytes: &[u8]) -> (Scene, Vec<String>) {
    read_with(bytes, &ImportOptions::default().with_origin(AT_0)).unwrap()
}

fn error(bytes: &[u8]) -> Error {
    let error = heightmap::to_scene(bytes, &NoFiles, &ImportOptions::default()).unwrap_err();
    assert_eq!(error.category(), Category::Unsupported, "{error}");
    error
}

/// Rounds a height as terrains store it.
#[allow(clippy::cast_possible_truncation, reason = "that is what it is for")]
fn single(height: f64) -> f64 {
    f64::from(height as f32)
}

#[test]
fn degrees_are_rejected_with_the_zone_of_the_place() {
    let second = 1.0 / 3600.0;
    let geographic = [(1024, 2), (1025, 1), (2048, 4326), (2054, 9102)];
    for (place, step, command) in [
        ([15.0, 48.0], second, "EPSG:32633 -tr 30 30 "),
        ([-70.5, -33.0], 3.0 * second, "EPSG:32719 -tr 90 90 "),
        ([179.9999, 10.0], second, "EPSG:32601 -tr 30 30 "),
        ([-180.0, 10.0], 0.1, "EPSG:32601 -tr 11000 11000 "),
        ([8.0, 1.0], second / 3.0, "EPSG:32632 -tr 10 10 "),
    ] {
        let error = error(&raster(place, [step; 2], &geographic, ""));
        assert!(error.to_string().contains("degrees (EPSG:4326)"), "{error}");
        let expected = format!("convert with: gdalwarp -t_srs {command}-r bilinear -dstnodata -9999 in.tif out.tif");
        assert_eq!(error.help(), Some(expected));
    }
    // The model is not stated.
    error(&raster([15.0, 48.0], [second; 2], &[(2048, 4326)], ""));
    let geocentric = error(&raster([15.0, 48.0], [second; 2], &[(1024, 3)], ""));
    assert!(geocentric.to_string().contains("geocentric"), "{geocentric}");
    let unknown = error(&raster([0.0, 0.0], [1.0; 2], &[(1024, 1), (3072, 9999)], ""));
    assert_eq!(unknown.to_string(), "unknown unit of length of EPSG:9999");
}

#[test]
fn lengths_and_heights_have_their_own_units() {
    let foot = 1200.0 / 3937.0;
    let stated = raster([1000.0, 500.0], [10.0; 2], &[(1024, 1), (3072, 2263), (3076, 9003)], "");
    // The unit follows from the code alone.
    let by_code = raster([1000.0, 500.0], [10.0; 2], &[(1024, 1), (3072, 2263)], "");
    for file in [stated, by_code] {
        let (scene, losses) = read_at_0(&file);
        let terrain = &scene.terrains.items()[0];
        assert!((terrain.spacing[0] - 10.0 * foot).abs() < 1e-12, "{:?}", terrain.spacing);
        assert!((place(&scene)[0] - 1005.0 * foot).abs() < 1e-9, "{:?}", place(&scene));
        assert_eq!((heights(&scene)[0], scene.metres_per_unit), (4.0, Some(1.0)));
        assert!(losses[0].contains("vertical unit not stated"), "{losses:?}");
        let given = ImportOptions::default().with_origin(AT_0).with_height_unit(0.3048);
        let (scene, losses) = read_with(&file, &given).unwrap();
        assert_eq!(heights(&scene)[0], single(4.0 * 0.3048));
        assert!(!losses.iter().any(|loss| loss.contains("not stated")), "{losses:?}");
        // The numbers of the map come back.
        let (file, losses) = written(&scene, &options(Format::Tif).with_origin(AT_0));
        assert!(losses.is_empty(), "{losses:?}");
        assert_eq!(read_at_0(&file).0, scene);
        let (asc, losses) = written(&scene, &options(Format::Asc).with_origin(AT_0));
        assert!(text(&asc).contains("xllcorner     1000.000000\nyllcorner     480.000000\ncellsize      10.000000\n"));
        assert!(losses.iter().any(|loss| loss.starts_with("approximated: terrains[0]: lengths in the unit")));
        assert!(losses.iter().any(|loss| loss.starts_with("dropped: properties.crs: ")), "{losses:?}");
    }
    for (unit, metres) in [("ft", 0.3048), ("US survey foot", foot), ("cm", 0.01), ("metre", 1.0)] {
        let (scene, _) = read_at_0(&raster([0.0, 0.0], [10.0; 2], &UTM, unit));
        assert_eq!(scene.terrains.items()[0].spacing, [10.0, -10.0], "{unit}");
        assert_eq!(heights(&scene)[0], single(4.0 * metres), "{unit}");
    }
    assert_eq!(
        error(&raster([0.0, 0.0], [10.0; 2], &UTM, "fathom")).to_string(),
        "the unit of heights \"fathom\" is not supported in heights"
    );
    // Feet in both directions, as GDAL writes compound systems, and depths.
    for (vertical, metres) in [(8228, 0.3048), (6360, foot), (5336, -1.0), (5773, 1.0)] {
        let (scene, losses) =
            read_at_0(&raster([0.0, 0.0], [10.0; 2], &[(1024, 1), (3072, 2263), (4096, vertical)], ""));
        assert_eq!(heights(&scene)[0], single(4.0 * metres), "{vertical}");
        assert_eq!(losses.iter().any(|loss| loss.starts_with("approximated: crs")), metres != 1.0, "{losses:?}");
        let name = if metres == 1.0 { format!("EPSG:2263+{vertical}") } else { "EPSG:2263".to_owned() };
        assert_eq!(coordinate_system(&scene).unwrap().0, name);
    }
}

#[test]
fn the_system_of_esri_states_the_unit_of_heights() {
    let system = "ESRI PE String = PROJCS[\"Local\",GEOGCS[\"G\",UNIT[\"Degree\",0.0174532925199433]],\
                  UNIT[\"Meter\",1.0],VERTCS[\"V\",UNIT[\"Centimeter\",0.01]]]|";
    let length = u16::try_from(system.len()).unwrap();
    let file = tif::<colortype::Gray32Float>([2, 2], &[100.0, 200.0, 300.0, 400.0], |directory: &mut Directory<'_>| {
        directory.write_tag(Tag::ModelPixelScaleTag, &[10.0, 10.0, 0.0][..]).unwrap();
        directory.write_tag(Tag::ModelTiepointTag, &[0.0; 6][..]).unwrap();
        let keys = [1, 1, 0, 3, 1024, 0, 1, 1, 3072, 0, 1, 32767, 3073, 34737, length, 0_u16];
        directory.write_tag(Tag::GeoKeyDirectoryTag, &keys[..]).unwrap();
        directory.write_tag(Tag::GeoAsciiParamsTag, system).unwrap();
    });
    let (scene, losses) = read_at_0(&file);
    let mut found = heights(&scene);
    found.sort_by(f64::total_cmp);
    assert_eq!(found, [1.0, 2.0, 3.0, 4.0]);
    assert!(
        losses.iter().any(|loss| loss.starts_with("approximated: crs: the vertical system of Local")),
        "{losses:?}"
    );
}

#[test]
fn projection_files_state_the_units_of_lengths_and_heights() {
    const FOOT: &str = "UNIT[\"Foot_US\",0.3048006096012192]";
    let foot = 1200.0 / 3937.0;
    let map = |unit: &str| format!("PROJCS[\"Local\",GEOGCS[\"G\",UNIT[\"Degree\",0.0174532925199433]],{unit}]");
    let (metres, feet) = (map("UNIT[\"Meter\",1.0]"), map(FOOT));
    let newer = "COMPOUNDCRS[\"both\",PROJCRS[\"Local\",CS[Cartesian,2],LENGTHUNIT[\"metre\",1]],\
                 VERTCRS[\"depth\",CS[vertical,1],LENGTHUNIT[\"foot\",0.3048]]]";
    // The text, metres per unit of lengths and of heights, and the start of the loss.
    for (wkt, length, height, loss) in [
        (metres.clone(), 1.0, 1.0, None),
        (feet.clone(), foot, 1.0, Some("synthesized: heights: vertical unit not stated")),
        (format!("{feet},VERTCS[\"V\",UNIT[\"Meter\",1.0]]"), foot, 1.0, None),
        (format!("{metres},VERTCS[\"V\",{FOOT}]"), 1.0, foot, Some("approximated: crs: the vertical system of Local")),
        (
            format!("COMPD_CS[\"both\",{metres},VERT_CS[\"V\",{FOOT}]]"),
            1.0,
            foot,
            Some("approximated: crs: the vertical system of both"),
        ),
        (newer.to_owned(), 1.0, 0.3048, Some("approximated: crs: the vertical system of both")),
    ] {
        let files = |name: &str| (name == "a.prj").then(|| wkt.as_bytes().to_vec());
        let mut reading = ImportOptions::default().with_origin(AT_0);
        reading.projection_file = Some("a.prj".to_owned());
        let asc = b"ncols 2\nnrows 1\nxllcorner 0\nyllcorner 0\ncellsize 10\n1 2\n";
        let import = heightmap::to_scene(asc, &files, &reading).unwrap();
        let losses: Vec<String> = import.losses.iter().map(ToString::to_string).collect();
        let (scene, has_loss) = (import.scene, |loss: &str| losses.iter().any(|own| own.starts_with(loss)));
        assert!((scene.terrains.items()[0].spacing[0] - 10.0 * length).abs() < 1e-12, "{wkt}");
        assert_eq!(heights(&scene), [height, 2.0 * height].map(single), "{wkt}");
        assert_eq!(losses.iter().filter(|own| !own.starts_with("preserved")).count(), usize::from(loss.is_some()));
        assert!(loss.is_none_or(has_loss), "{losses:?}");
        // Heights that became metres are metres in the next file, too.
        if height != 1.0 {
            let export = heightmap::from_scene(&scene, &ExportOptions::default().with_origin(AT_0)).unwrap();
            let system = text(&export.document.side[0].data).to_owned();
            assert!(system.starts_with("PROJC") && system.ends_with("]]") && !system.contains("VERT"), "{system}");
        }
        let given = reading.with_height_unit(2.0);
        assert_eq!(heights(&heightmap::to_scene(asc, &files, &given).unwrap().scene), [2.0, 4.0], "{wkt}");
    }
}

#[test]
fn systems_with_an_unknown_unit_are_rejected() {
    let own = |unit| raster([0.0, 0.0], [1.0; 2], &[(1024, 1), (3072, 32767), (3076, unit)], "");
    assert_eq!(error(&own(9999)).to_string(), "unknown unit of length of unnamed");
    // The code of the system decides.
    let coded = raster([0.0, 0.0], [10.0; 2], &[(1024, 1), (3072, 32633), (3076, 9999)], "");
    assert_eq!(read_at_0(&coded).0.terrains.items()[0].spacing, [10.0, -10.0]);
}

#[test]
fn systems_are_kept_where_the_format_has_a_place() {
    let (scene, losses) = read_at_0(&raster([500_000.0, 5_400_000.0], [10.0; 2], &UTM, ""));
    assert!(losses.is_empty(), "{losses:?}");
    assert_eq!(coordinate_system(&scene), Some(("EPSG:32633".to_owned(), 1.0)));
    for format in FORMATS {
        let writing = options(format).with_origin(AT_0).with_name("hill");
        let export = heightmap::from_scene(&scene, &writing).unwrap();
        let files =
            |name: &str| export.document.side.iter().find(|side| side.name == name).map(|side| side.data.clone());
        let mut reading = ImportOptions::default().with_origin(AT_0);
        reading.projection_file = Some("hill.prj".to_owned());
        let back = heightmap::to_scene(&export.document.main, &files, &reading).unwrap().scene;
        let is_kept = format != Format::Xyz;
        assert_eq!(coordinate_system(&back) == coordinate_system(&scene), is_kept, "{format:?}");
        assert_eq!(back.properties == scene.properties, format == Format::Tif, "{format:?}");
        assert_eq!(back.metres_per_unit == scene.metres_per_unit, is_kept, "{format:?}");
        assert_eq!(back.nodes, scene.nodes, "{format:?}");
        let losses: Vec<String> = export.losses.iter().map(ToString::to_string).collect();
        let is_reported =
            losses.iter().any(|loss| loss == "dropped: properties.crs: coordinate reference system EPSG:32633");
        assert_eq!(is_reported, !is_kept, "{losses:?}");
        assert_eq!(files("hill.prj").is_some(), matches!(format, Format::Asc | Format::Png));
    }
    // A system that the file defines itself.
    let local: [(u16, u16); 5] = [(1024, 1), (1025, 1), (2048, 4326), (3072, 32767), (3076, 9002)];
    let (scene, _) = read_at_0(&raster([100.0, 50.0], [10.0; 2], &local, "m"));
    let (file, losses) = written(&scene, &options(Format::Tif).with_origin(AT_0));
    assert!(losses.is_empty() && scene.properties.get(CRS_PROPERTY).is_some(), "{losses:?}");
    assert_eq!(read_at_0(&file).0, scene);
    // Text of another program.
    let wkt =
        "PROJCS[\"Local\",GEOGCS[\"G\",UNIT[\"Degree\",0.0174532925199433]],UNIT[\"Foot_US\",0.3048006096012192]]";
    let files = |name: &str| (name == "a.prj").then(|| wkt.as_bytes().to_vec());
    let mut reading = ImportOptions::default().with_origin(AT_0);
    reading.projection_file = Some("a.prj".to_owned());
    let asc = b"ncols 2\nnrows 1\nxllcorner 0\nyllcorner 0\ncellsize 10\n1 2\n";
    let scene = heightmap::to_scene(asc, &files, &reading).unwrap().scene;
    assert_eq!(scene.terrains.items()[0].spacing, [10.0 * 0.304_800_609_601_219_2, -10.0 * 0.304_800_609_601_219_2]);
    let (tif, _) = written(&scene, &options(Format::Tif).with_origin(AT_0));
    assert_eq!(read_at_0(&tif).0, scene);
    let back = heightmap::from_scene(&read_at_0(&tif).0, &ExportOptions::default().with_origin(AT_0)).unwrap();
    assert_eq!(back.document.side[0].data, wkt.as_bytes());
    let degrees = |_: &str| Some(b"GEOGCS[\"GCS_WGS_1984\",UNIT[\"Degree\",0.0174532925199433]]".to_vec());
    let error =
        heightmap::to_scene(b"ncols 1\nnrows 1\nxllcorner 15\nyllcorner 48\ncellsize 0.01\n1", &degrees, &reading)
            .unwrap_err();
    assert!(error.help().unwrap().contains("EPSG:32633 -tr 1100 1100"), "{error}");
}

#[test]
fn all_formats_put_a_terrain_at_the_same_place() {
    let (scene, _) = read_at_0(&raster([500_000.0, 5_400_000.0], [10.0; 2], &UTM, ""));
    let writing = |format| options(format).with_origin(AT_0);
    let (tif, _) = written(&scene, &writing(Format::Tif));
    let numbers = |numbers: &[f64]| numbers.iter().flat_map(|number| number.to_le_bytes()).collect::<Vec<u8>>();
    // Corners of pixels.
    let tie = numbers(&[0.0, 0.0, 0.0, 500_000.0, 5_400_000.0, 0.0]);
    assert!(tif.windows(tie.len()).any(|bytes| bytes == tie), "the tie point");
    assert!(tif.windows(8).any(|bytes| bytes == [1, 4, 0, 0, 1, 0, 1, 0]), "pixels are areas");
    let (asc, _) = written(&scene, &writing(Format::Asc));
    assert!(text(&asc).contains("xllcorner     500000.000000\nyllcorner     5399980.000000\n"), "{}", text(&asc));
    // Centres of pixels.
    let export = heightmap::from_scene(&scene, &writing(Format::Png)).unwrap();
    assert_eq!(text(&export.document.side[0].data), "10\n0\n0\n-10\n500005\n5399995\n");
    let (xyz, _) = written(&scene, &writing(Format::Xyz));
    assert!(text(&xyz).starts_with("500005 5399995 1.00\n"), "{}", text(&xyz));
}

#[test]
fn grids_in_other_directions_are_read_and_rotated_ones_rejected() {
    let (north_up, _) = read_at_0(&raster([100.0, 50.0], [10.0; 2], &UTM, ""));
    let (south_up, losses) = read_at_0(&raster([100.0, 50.0], [10.0, -10.0], &UTM, ""));
    assert!(losses.is_empty(), "{losses:?}");
    assert_eq!((place(&north_up), place(&south_up)), ([105.0, 0.0, -35.0], [105.0, 0.0, -55.0]));
    // The first row of the file is the southern one.
    assert_eq!((heights(&north_up)[0], heights(&south_up)), (4.0, vec![1.0, 2.0, 3.0, 4.0, 5.0, 6.0]));
    let matrix = |numbers: [f64; 8]| {
        tif::<colortype::Gray8>([3, 2], &[1, 2, 3, 4, 5, 6], move |directory: &mut Directory<'_>| {
            let end = [0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 1.0];
            directory.write_tag(Tag::ModelTransformationTag, &[&numbers[..], &end].concat()[..]).unwrap();
        })
    };
    let (west, _) = read_at_0(&matrix([-10.0, 0.0, 0.0, 100.0, 0.0, -10.0, 0.0, 50.0]));
    assert_eq!((heights(&west), place(&west)), (vec![6.0, 5.0, 4.0, 3.0, 2.0, 1.0], [75.0, 0.0, -35.0]));
    let rotated = error(&matrix([10.0, 1.0, 0.0, 100.0, 1.0, -10.0, 0.0, 50.0]));
    assert!(rotated.help().unwrap().contains("gdalwarp -r bilinear"), "{rotated}");
    let control_points = tif::<colortype::Gray8>([1, 1], &[1], |directory: &mut Directory<'_>| {
        directory.write_tag(Tag::ModelTiepointTag, &[0.0; 18][..]).unwrap();
    });
    assert!(error(&control_points).help().unwrap().contains("gdalwarp -tps"));
}

#[test]
fn missing_parts_and_masked_pixels_have_no_height() {
    let whole = tif::<colortype::GrayI16>([2, 2], &[5, 6, 7, 8], |directory: &mut Directory<'_>| {
        directory.write_tag(Tag::GdalNodata, "-9999").unwrap();
    });
    // Without the only strip: its offset is 0.
    let entry = whole
        .windows(4)
        .position(|bytes| bytes == [0x11, 1, 4, 0])
        .or(whole.windows(4).position(|bytes| bytes == [0x11, 1, 3, 0]));
    let mut sparse = whole.clone();
    sparse[entry.unwrap() + 8..][..4].fill(0);
    let (scene, losses) = read(&sparse);
    assert!(heights(&scene).iter().all(|height| height.is_nan()), "{:?}", heights(&scene));
    assert!(losses.iter().any(|loss| loss.contains("4 samples without a height")), "{losses:?}");
    let filled = ImportOptions::default().with_no_data(NoData::Height(-20.0));
    assert_eq!(heights(&read_with(&sparse, &filled).unwrap().0), [-20.0; 4]);
    let error = read_with(&sparse, &ImportOptions::default().with_no_data(NoData::Interpolate)).unwrap_err();
    assert!(error.to_string().contains("no sample has a height"), "{error}");
}

#[test]
fn compression_that_is_not_supported_names_the_command() {
    let mut zstd = tif::<colortype::Gray8>([1, 1], &[1], |_| {});
    // Tag 259, a short.
    let entry = zstd.windows(8).position(|bytes| bytes == [3, 1, 3, 0, 1, 0, 0, 0]).unwrap();
    for (code, name) in [(50000_u16, "ZSTD"), (34887, "LERC"), (7, "JPEG")] {
        zstd[entry + 8..][..2].copy_from_slice(&code.to_le_bytes());
        let error = error(&zstd);
        assert_eq!(error.to_string(), format!("{name} compression is not supported"));
        let command = "convert with: gdal_translate -co COMPRESS=DEFLATE in.tif out.tif";
        assert_eq!(error.help().as_deref(), Some(command));
    }
}

/// The sums come from an independent implementation, of a hole of 2 × 3 in the ramp 0, 1, 2 … of 7 × 6.
#[test]
fn holes_are_interpolated() {
    let mut ramp: Vec<f32> = (0..42_u8).map(f32::from).collect();
    for hole in [16, 17, 18, 23, 24, 25] {
        ramp[hole] = f32::NAN;
    }
    let before = ramp.clone();
    assert!(heightmap::interpolate_missing(&mut ramp, 7));
    let sum: f64 = ramp.iter().map(|&height| f64::from(height)).sum();
    assert!((sum - SUM).abs() < 1e-4, "{sum}");
    assert!(before.iter().zip(&ramp).all(|(old, new)| old.is_nan() || old.to_bits() == new.to_bits()));
}

const SUM: f64 = 853.116_210_937_5;

#[test]
fn unsorted_keys_are_sorted() {
    let [model, raster_type, system, unit] = UTM;
    let (sorted, _) = read_at_0(&raster(AT_0, [10.0; 2], &UTM, ""));
    let (unsorted, _) = read_at_0(&raster(AT_0, [10.0; 2], &[model, unit, raster_type, system], ""));
    assert_eq!(unsorted.properties.get(CRS_PROPERTY), sorted.properties.get(CRS_PROPERTY));
}

#[test]
fn only_grey_images_with_a_position_are_georeferenced() {
    let placed = raster(AT_0, [10.0; 2], &UTM, "");
    assert!(heightmap::is_georeferenced(&placed));
    assert!(!heightmap::is_georeferenced(&tif::<colortype::Gray8>([1, 1], &[1], |_| {})));
    let colored = tif::<colortype::RGB8>([1, 1], &[1, 2, 3], |image| {
        image.write_tag(Tag::ModelPixelScaleTag, &[1.0, 1.0, 0.0][..]).unwrap();
    });
    assert!(!heightmap::is_georeferenced(&colored));
    for end in 0..placed.len() {
        let _ = heightmap::is_georeferenced(&placed[..end]);
    }
}
