//! Raw heights and grids of ESRI, which have their descriptions in other files.

use mapwright_heightmap::{ByteOrder, Category, Format, ImportOptions, PixelHeights, RowOrder, from_scene, to_scene};
use mapwright_scene::{Heights, NoFiles};

use super::terrains::{bits, floats, options, scene_of, terrain};

fn reading(format: Format) -> ImportOptions {
    let mut options = ImportOptions::default().with_format(format);
    options.header_file = Some("scene.hdr".into());
    options.description_file = Some("scene.json".into());
    options
}

fn hill() -> mapwright_scene::Scene {
    floats(3, &[0.0, 1.5, -2.25, 100.0, 3.5, 7.0])
}

#[test]
fn grids_of_esri_come_back() {
    for format in [Format::Bil, Format::Flt] {
        let export = from_scene(&hill(), &options(format)).unwrap();
        assert!(export.losses.is_empty(), "{:?}", export.losses);
        let import = to_scene(&export.document.main, &export.document, &reading(format)).unwrap();
        assert!(import.losses.is_empty(), "{format:?}: {:?}", import.losses);
        assert_eq!(import.scene, hill(), "{format:?}");
    }
    let whole = scene_of(terrain([2, 2], [10.0; 2], Heights::Steps { step: 1.0, values: vec![-3, 4, 500, 0] }));
    let export = from_scene(&whole, &options(Format::Bil)).unwrap();
    assert_eq!(export.document.main.len(), 8, "integers of 16 bits");
    assert_eq!(to_scene(&export.document.main, &export.document, &reading(Format::Bil)).unwrap().scene, whole);
}

#[test]
fn missing_heights_of_floats_are_marked() {
    let scene = floats(2, &[1.0, f32::NAN, 3.0, 4.0]);
    for format in [Format::Bil, Format::Flt] {
        let export = from_scene(&scene, &options(format)).unwrap();
        let import = to_scene(&export.document.main, &export.document, &reading(format)).unwrap();
        assert_eq!(bits(&import.scene), bits(&scene), "{format:?}");
    }
}

/// Source: the header that GDAL 3.6 writes for 16-bit integers, and the one of ESRI for floats.
#[test]
fn headers_of_other_programs_are_read() {
    let header = "BYTEORDER M\nLAYOUT BIL\nNROWS 2\nNCOLS 2\nNBANDS 1\nNBITS 16\nBANDROWBYTES 6\nTOTALROWBYTES 6\n\
                  PIXELTYPE SIGNEDINT\nULXMAP 500000\nULYMAP 5400010\nXDIM 10\nYDIM 10\nSKIPBYTES 1\n";
    let bytes = [9, 0, 1, 0, 2, 7, 7, 0xff, 0xff, 0, 4];
    let files = |name: &str| (name == "scene.hdr").then(|| header.as_bytes().to_vec());
    let import = to_scene(&bytes, &files, &reading(Format::Bil).with_origin([500_000.0, 5_400_000.0])).unwrap();
    let terrain = &import.scene.terrains.items()[0];
    // Rows run north in scenes.
    assert_eq!(terrain.heights, Heights::Steps { step: 1.0, values: vec![-1, 4, 1, 2] });
    assert!(import.scene.nodes.items()[0].transform.is_identity());

    let header =
        "ncols 2\nnrows 1\nxllcorner 1000\nyllcorner 2000\ncellsize 10\nNODATA_value -9999\nbyteorder MSBFIRST\n";
    let bytes = [2.5_f32.to_be_bytes(), (-9999_f32).to_be_bytes()].concat();
    let files = |name: &str| (name == "scene.hdr").then(|| header.as_bytes().to_vec());
    let import = to_scene(&bytes, &files, &reading(Format::Flt).with_origin([1005.0, 2005.0])).unwrap();
    let Heights::F32(heights) = &import.scene.terrains.items()[0].heights else { panic!("floats") };
    assert!(heights[0] == 2.5 && heights[1].is_nan());
    assert!(import.scene.nodes.items()[0].transform.is_identity());
}

#[test]
fn broken_headers_are_rejected() {
    let cases = [
        ("ENVI\nsamples = 3\n", "headers of ENVI are not supported"),
        ("NROWS 2\n", "ncols is missing"),
        ("NROWS 2\nNCOLS x\n", "ncols is \"x\": expected a number"),
        ("NROWS 2\nNCOLS 2\nNBANDS 3\n", "the grid has 3 bands: expected one"),
        ("NROWS 2\nNCOLS 2\nNBITS 5\n", "\"unsignedint\" with 5 bits is not supported"),
        ("NROWS 2\nNCOLS 2\nNROWS 2\n", "nrows twice"),
        ("NROWS 2\nNCOLS 2\nBYTEORDER Q\n", "byteorder is \"Q\""),
        ("NROWS 2\nNCOLS 2\nTOTALROWBYTES 1\n", "rows of 1 bytes: expected at least 2"),
        ("NROWS 4000000000\nNCOLS 4000000000\n", "more than"),
        ("NROWS 3\nNCOLS 2\n", "6 bytes needed, 4 left"),
    ];
    for (header, expected) in cases {
        let files = |_: &str| Some(header.as_bytes().to_vec());
        let error = to_scene(&[0; 4], &files, &reading(Format::Bil)).unwrap_err();
        assert!(error.to_string().contains(expected), "{header:?}: {error}");
    }
    let error = to_scene(&[0; 4], &NoFiles, &reading(Format::Bil)).unwrap_err();
    assert_eq!(error.category(), Category::Io);
    for end in 0..40 {
        let header = &b"NROWS 2\nNCOLS 2\nNBITS 8\nPIXELTYPE SIGNEDINT\n"[..end];
        let files = |_: &str| Some(header.to_vec());
        let _ = to_scene(&[0; 4], &files, &reading(Format::Bil));
    }
}

#[test]
fn raw_heights_come_back() {
    for byte_order in [ByteOrder::Little, ByteOrder::Big] {
        for rows in [RowOrder::North, RowOrder::South] {
            let mut writing = options(Format::R32);
            (writing.byte_order, writing.rows) = (byte_order, rows);
            let export = from_scene(&hill(), &writing).unwrap();
            assert!(export.losses.is_empty(), "{:?}", export.losses);
            let import = to_scene(&export.document.main, &export.document, &reading(Format::R32)).unwrap();
            assert_eq!(import.scene, hill());

            writing.format = Format::R16;
            let export = from_scene(&hill(), &writing).unwrap();
            assert_eq!(export.document.main.len(), 12);
            let import = to_scene(&export.document.main, &export.document, &reading(Format::R16)).unwrap();
            let (was, is) = (hill(), import.scene);
            for index in 0..6 {
                let [was, is] = [&was, &is].map(|scene| scene.terrains.items()[0].heights.get(index).unwrap());
                assert!((was - is).abs() <= 102.25 / 65535.0 / 2.0 + 1e-5, "{was} {is}");
            }
        }
    }
}

#[test]
fn raw_heights_of_other_programs_need_their_meaning() {
    // Rows from the north: 0 1, 2 3.
    let little: Vec<u8> = (0..4_u16).flat_map(u16::to_le_bytes).collect();
    let import = to_scene(&little, &NoFiles, &reading(Format::R16)).unwrap();
    assert_eq!(import.scene.terrains.items()[0].heights, Heights::F32(vec![2.0, 3.0, 0.0, 1.0]));
    assert!(import.losses.iter().any(|loss| loss.to_string().contains("one unit of length per number")));

    let mut with = reading(Format::R16).with_pixels(PixelHeights::Range([-10.0, 65525.0]));
    with.rows = Some(RowOrder::South);
    with.size = Some([4, 1]);
    let import = to_scene(&little, &NoFiles, &with).unwrap();
    assert_eq!(import.scene.terrains.items()[0].heights, Heights::F32(vec![-10.0, -9.0, -8.0, -7.0]));

    let big: Vec<u8> = (100..356_u16).flat_map(u16::to_be_bytes).collect();
    let import = to_scene(&big, &NoFiles, &reading(Format::R16)).unwrap();
    assert!(import.losses.iter().any(|loss| loss.to_string().contains("the order of bytes")));

    // A square of bytes.
    let import = to_scene(&[7; 9], &NoFiles, &reading(Format::R16)).unwrap();
    assert_eq!(import.scene.terrains.items()[0].size, [3, 3]);

    let error = to_scene(&[0; 12], &NoFiles, &reading(Format::R16)).unwrap_err();
    assert!(error.to_string().contains("3x2"), "{error}");
    let unit: Vec<u8> = [0.0_f32, 0.5, 1.0, 0.25].iter().flat_map(|height| height.to_le_bytes()).collect();
    let error = to_scene(&unit, &NoFiles, &reading(Format::R32)).unwrap_err();
    assert!(error.help().unwrap().contains("pixels"), "{error}");
    // The description counts, not the range.
    let files = |_: &str| Some(b"{\"width\":2,\"height\":2,\"min\":0,\"max\":65535}".to_vec());
    for (bytes, format, first) in [(&little, Format::R16, 2.0), (&unit, Format::R32, 1.0)] {
        let mut with = reading(format).with_pixels(PixelHeights::Range([5.0, 6.0]));
        with.description_file = Some("a.json".into());
        let import = to_scene(bytes, &files, &with).unwrap();
        assert_eq!(import.scene.terrains.items()[0].heights.get(0), Some(first));
    }
    for broken in ["{", "{\"width\":-1}", "{\"width\":4,\"height\":4}"] {
        let files = |_: &str| Some(broken.as_bytes().to_vec());
        assert!(to_scene(&little, &files, &reading(Format::R16)).is_err(), "{broken}");
    }
}

#[test]
fn raw_files_have_no_missing_heights() {
    let scene = floats(2, &[1.0, f32::NAN, 3.0, 4.0]);
    for format in [Format::R16, Format::R32] {
        let error = from_scene(&scene, &options(format)).unwrap_err();
        assert!(error.to_string().contains("1 sample without a height"), "{error}");
    }
}
