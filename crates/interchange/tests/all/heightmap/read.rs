//! Heightmaps of other programs.

use std::io::Cursor;

use mapwright_interchange::{
    Category,
    heightmap::{self, Corner, ImportOptions, NoData, PixelHeights},
};
use mapwright_scene::NoFiles;
use mapwright_scene::*;
use tiff::{
    encoder::{TiffEncoder, colortype, compression::DeflateLevel},
    tags::Tag,
};

use super::terrains::*;

pub(crate) fn place(scene: &Scene) -> [f64; 3] {
    let [_, _, _, [x, y, z, _]] = scene.nodes.items()[0].transform.matrix();
    [x, y, z]
}

pub(crate) fn heights(scene: &Scene) -> Vec<f64> {
    let heights = &scene.terrains.items()[0].heights;
    (0..heights.len()).filter_map(|index| heights.get(index)).collect()
}

#[test]
fn heads_of_any_kind() {
    let corner_point = ImportOptions::default().with_corner(Corner::Point);
    let corner = "NCOLS 2\r\nNROWS 1\r\nXLLCORNER 200030\r\nYLLCORNER 40\r\nCELLSIZE 10\r\nNODATA_VALUE -1\r\n5 -1\r\n";
    let (scene, losses) = read_with(corner.as_bytes(), &corner_point).unwrap();
    assert_eq!((place(&scene), heights(&scene)[0]), ([30.0, 0.0, -40.0], 5.0));
    let area =
        "1 sample without a height: columns 1, rows 0 from the north-west; east 200040 to 200040, north 40 to 40";
    assert!(losses[0].starts_with("preserved: xllcorner and yllcorner are the south-western point"), "{losses:?}");
    assert_eq!(losses[1..], [format!("preserved: heights: {area}")]);
    let gis = ImportOptions::default().with_no_data(NoData::Height(7.5));
    let (scene, losses) = read_with(corner.as_bytes(), &gis).unwrap();
    assert_eq!((place(&scene), heights(&scene)), ([35.0, 0.0, -45.0], vec![5.0, 7.5]));
    let area = area.replace("40", "45");
    assert_eq!(losses, [format!("synthesized: heights: {area}: 7.5")]);

    let center = "ncols 1 nrows 2 xllcenter 10 yllcentre 20 dx 3 dy 4 1 2";
    let (scene, losses) = read_with(center.as_bytes(), &gis.with_origin([0.0; 2])).unwrap();
    assert_eq!((place(&scene), heights(&scene), losses.len()), ([10.0, 0.0, -20.0], vec![2.0, 1.0], 0));
    // A centre has one meaning.
    let (scene, losses) = read_with(center.as_bytes(), &corner_point.with_origin([0.0; 2])).unwrap();
    assert_eq!((place(&scene), losses.len()), ([10.0, 0.0, -20.0], 0));
    assert_eq!(scene.terrains.items()[0].spacing, [3.0, -4.0]);

    let bare = "ncols 2\nnrows 2\nscale 3\n1 2\n3 4\n";
    let missing = read_with(bare.as_bytes(), &ImportOptions::default()).unwrap_err();
    assert_eq!(missing.to_string(), "cellsize is missing in the header");
    let (scene, losses) = read_with(bare.as_bytes(), &ImportOptions::default().with_spacing([1.0; 2])).unwrap();
    assert_eq!((place(&scene), heights(&scene)), ([0.0; 3], vec![3.0, 4.0, 1.0, 2.0]));
    assert_eq!(
        losses,
        ["dropped: unknown keyword \"scale\" with the value \"3\"", "synthesized: the position: the origin"]
    );
}

#[test]
fn degrees_and_uneven_points_are_reported() {
    let grid = |corner: &str, step: &str| {
        let (_, losses) = read(format!("ncols 2\nnrows 1\n{corner}\ncellsize {step}\n1 2\n").as_bytes());
        losses.iter().any(|loss| loss.starts_with("approximated: position and spacing look like degrees"))
    };
    assert!(grid("xllcorner 13.4\nyllcorner 52.1", "0.000277"));
    assert!(grid("xllcenter -70.5\nyllcenter -33", "0.05"));
    for (corner, step) in [
        ("xllcorner 13.4\nyllcorner 52.1", "1"),
        ("xllcorner 500000\nyllcorner 5400000", "0.05"),
        ("xllcorner 0\nyllcorner 0", "0.05"),
    ] {
        assert!(!grid(corner, step), "{corner} {step}");
    }
    let (_, losses) = read(b"0 0 1\n10 0 2\n20.9 0 3\n");
    assert_eq!(losses, ["approximated: points moved along x to an even grid, by up to 4.50e-1"]);
    let (_, losses) = read(b"500000.1 0 1\n500000.2 0 2\n500000.3 0 3\n");
    assert_eq!(losses, [""; 0]);
}

#[test]
fn numbers_of_any_kind() {
    let (scene, losses) =
        read(b"ncols 4\nnrows 1\ncellsize 1\nxllcorner 0,5\nyllcorner 0\n1,25e2 nan +3 0.123456789012\n");
    assert_eq!((heights(&scene)[0], heights(&scene)[2]), (125.0, 3.0));
    assert!(heights(&scene)[1].is_nan());
    assert!(losses[0].starts_with("approximated: heights: 1 height rounded to 32 bits, by up to"), "{losses:?}");
    let (_, losses) = read(b"ncols 1\nnrows 1\ncellsize 1\nxllcorner 0\nyllcorner 0\n1234567e40\n");
    assert_eq!(losses[0], "approximated: heights: 1 height beyond 32 bits: infinite");
    assert!(losses[1].starts_with("preserved: heights: 1 sample without a height: "), "{losses:?}");
}

#[test]
fn invalid_grids_report_their_position() {
    for (grid, expected) in [
        ("ncols 2\nnrows 1\n1,5,2 2\n", "\"1,5,2\" is not a number at line 3, column 1"),
        ("ncols 2\nnrows 1\n1.5 x\n", "\"x\" is not a number at line 3, column 5"),
        ("ncols 2\nncols 1\n", "\"ncols\" twice at line 2, column 1"),
        ("ncols 2\nnrows -1\n", "nrows is \"-1\": expected a whole number above 0 at line 2, column 7"),
        ("ncols 0\nnrows 1\n", "ncols is \"0\": expected a whole number above 0 at line 1, column 7"),
        ("ncols 2\n1 2\n", "nrows is missing in the header"),
        ("ncols 2\nnrows 2\n1 2 345 \n", "3 values, expected 4 (2 × 2); the last line is 3 in heights"),
        ("ncols 1\nnrows 2\n1\n2\n3\n", "3 values, expected 2 (1 × 2); the last line is 5 in heights"),
        ("ncols 20\nnrows 20\n1 2\n", "2 values, expected 400 (20 × 20); the last line is 3 in heights"),
        ("ncols 1\nnrows 1\ncellsize 0\n1\n", "invalid distance between points: 0 and 0"),
        (
            "ncols 1\nnrows 1\ncellsize 1\ndx 1\n1\n",
            "conflicts with dx or dy, or only one of these is present in cellsize",
        ),
        (
            "ncols 1\nnrows 1\nxllcorner 1\nxllcenter 1\n1\n",
            "conflicts with the centre: expected only one of them in xllcorner",
        ),
        ("ncols 1\nnrows 1\nxllcorner inf\nyllcorner 1\n1\n", "invalid position or spacing of the grid: inf"),
    ] {
        let mut options = ImportOptions::default();
        options.spacing = (!grid.contains("cellsize")).then_some([1.0; 2]);
        let error = read_with(grid.as_bytes(), &options).unwrap_err();
        assert_eq!(error.to_string(), expected, "{grid:?}");
    }
}

#[test]
fn points_in_any_order_and_number_format() {
    let xyz = "X;Y;Z\n200010;0;4\n200000;0;3\n\n# a remark\n200000,10\t1 255 0 0\r\n200010 10 2";
    let (scene, losses) = read(xyz.as_bytes());
    assert_eq!((heights(&scene), place(&scene)), (vec![3.0, 4.0, 1.0, 2.0], [0.0; 3]));
    assert_eq!(losses, ["dropped: a header line that begins with \"X\"", "dropped: further columns in 1 line"]);
    let (scene, losses) = read(b"0 0 1\n1 0 2\n0 1 3\n0 0 9\n");
    assert_eq!((heights(&scene)[..3].to_vec(), losses.len()), (vec![9.0, 2.0, 3.0], 2));
    for decimal in ["0,5 2,5 3,5\n10,5 2,5 4,5\n", "0;2;3,5\r\n10;2;4,5\r\n", "# a, b\n0\t2\t3,5\n10\t2\t4,5"] {
        let (scene, losses) = read(decimal.as_bytes());
        assert_eq!((heights(&scene), losses.len()), (vec![3.5, 4.5], 0), "{decimal}");
    }
    for (xyz, expected) in [
        ("0 0 1\n1 0\n", "invalid line: expected three numbers, x, y and height at line 2, column 1"),
        ("0 0 1\n1 0 2\n3 0 2\n1.5 0 2\n", "y: "),
        ("0 0 1\n1 1 1\n2 2 1\n3 3 1\n4 4 1\n5 5 1\n", "6 points for a grid of 6 × 6: not a regular grid"),
        ("hello world\n", "no points in "),
        ("1 2 x\n", "not in XYZ format: found \"1\", expected a line of three numbers at line 1, column 1"),
        ("\0\u{1}\u{2}", "not in XYZ format"),
        ("", "no points in "),
    ] {
        match read_with(xyz.as_bytes(), &ImportOptions::default()) {
            Err(error) => assert!(error.to_string().contains(expected), "{xyz:?}: {error}"),
            Ok(_) => assert_eq!(expected, "y: ", "{xyz:?}"),
        }
    }
}

fn png(color: png::ColorType, depth: png::BitDepth, size: [u32; 2], data: &[u8]) -> Vec<u8> {
    let mut out = Vec::new();
    let mut encoder = png::Encoder::new(&mut out, size[0], size[1]);
    encoder.set_color(color);
    encoder.set_depth(depth);
    if color == png::ColorType::Indexed {
        encoder.set_palette(vec![0, 0, 0]);
    }
    let mut writer = encoder.write_header().unwrap();
    writer.write_image_data(data).unwrap();
    writer.finish().unwrap();
    out
}

#[test]
fn images_of_other_programs() {
    use png::{BitDepth, ColorType};
    let bytes = png(ColorType::Grayscale, BitDepth::Sixteen, [2, 1], &[0, 0, 255, 255]);
    let (scene, losses) = read(&bytes);
    assert_eq!((heights(&scene), losses.len()), (vec![0.0, 65535.0], 3), "{losses:?}");
    let options = ImportOptions::default().with_pixels(PixelHeights::Range([-10.0, 500.0])).with_spacing([2.0; 2]);
    assert_eq!(heights(&read_with(&bytes, &options).unwrap().0), [-10.0, 500.0]);
    let options = options.with_pixels(PixelHeights::Scale { scale: 0.5, offset: 1.0 });
    assert_eq!(heights(&read_with(&bytes, &options).unwrap().0), [1.0, 32768.5]);

    let world = |name: &str| (name == "a.pgw").then(|| b"30\n0\n0\n-20\n200100\n50\n".to_vec());
    let options = ImportOptions::default().with_world_file("a.pgw");
    let import = heightmap::to_scene(&bytes, &world, &options).unwrap();
    assert_eq!((place(&import.scene), import.scene.terrains.items()[0].spacing), ([100.0, 0.0, -50.0], [30.0, -20.0]));
    let turned = |_: &str| Some(b"30\n1\n1\n-20\n200100\n50\n".to_vec());
    let error = heightmap::to_scene(&bytes, &turned, &options).unwrap_err();
    assert_eq!(error.to_string(), "rotated grids are not supported");

    let bytes = png(ColorType::GrayscaleAlpha, BitDepth::Eight, [2, 1], &[0, 9, 255, 9]);
    let options = ImportOptions::default().with_pixels(PixelHeights::Range([0.0, 1.0]));
    let (scene, losses) = read_with(&bytes, &options).unwrap();
    assert_eq!(heights(&scene), [0.0, 1.0]);
    for part in ["opacity", "8 bits per height"] {
        assert!(losses.iter().any(|loss| loss.contains(part)), "{losses:?}");
    }
    for (color, depth, data) in [
        (ColorType::Rgb, BitDepth::Eight, &[1, 2, 3][..]),
        (ColorType::Indexed, BitDepth::Eight, &[0]),
        (ColorType::Grayscale, BitDepth::One, &[0]),
    ] {
        let error = read_with(&png(color, depth, [1, 1], data), &ImportOptions::default()).unwrap_err();
        assert_eq!(error.category(), Category::Unsupported, "{error}");
    }
}

pub(crate) type Directory<'a> =
    tiff::encoder::DirectoryEncoder<'a, &'a mut Cursor<Vec<u8>>, tiff::encoder::TiffKindStandard>;

/// A TIFF with tags of the caller.
pub(crate) fn tif<C: colortype::ColorType>(
    size: [u32; 2],
    pixels: &[C::Inner],
    tags: impl Fn(&mut Directory<'_>),
) -> Vec<u8>
where
    [C::Inner]: tiff::encoder::TiffValue,
{
    let mut out = Cursor::new(Vec::new());
    let compression = tiff::encoder::Compression::Deflate(DeflateLevel::Fast);
    let mut encoder = TiffEncoder::new(&mut out).unwrap().with_compression(compression);
    let mut image = encoder.new_image::<C>(size[0], size[1]).unwrap();
    tags(image.encoder());
    image.write_data(pixels).unwrap();
    out.into_inner()
}

#[test]
fn tiffs_of_other_programs() {
    let area = |directory: &mut Directory<'_>| {
        directory.write_tag(Tag::ModelPixelScaleTag, &[10.0, 20.0, 0.0][..]).unwrap();
        directory.write_tag(Tag::ModelTiepointTag, &[0.0, 0.0, 0.0, 200_000.0, 100.0, 0.0][..]).unwrap();
        directory.write_tag(Tag::GdalNodata, "-9999").unwrap();
    };
    let (scene, losses) = read(&tif::<colortype::Gray64Float>([2, 1], &[0.1, -9999.0], area));
    assert_eq!((place(&scene), scene.terrains.items()[0].spacing), ([5.0, 0.0, -90.0], [10.0, -20.0]));
    assert!(heights(&scene)[1].is_nan());
    assert!(losses[0].contains("1 height rounded to 32 bits, by up to 1.4"), "{losses:?}");

    let (scene, _) = read(&tif::<colortype::GrayI16>([2, 1], &[5, -9999], area));
    assert_eq!(heights(&scene)[0], 5.0);
    assert!(matches!(scene.terrains.items()[0].heights, Heights::F32(_)), "one is missing");
    let (scene, _) = read(&tif::<colortype::GrayI16>([2, 1], &[5, 6], area));
    assert_eq!(scene.terrains.items()[0].heights, Heights::Steps { step: 1.0, values: vec![5, 6] });
    let (scene, _) = read(&tif::<colortype::Gray16>([1, 2], &[65535, 0], area));
    assert_eq!(heights(&scene), [0.0, 65535.0]);
    let (scene, losses) = read(&tif::<colortype::GrayI32>([1, 1], &[16_777_217], |_| {}));
    assert_eq!(heights(&scene), [16_777_216.0]);
    assert_eq!(losses.len(), 3, "{losses:?}");

    let matrix = |directory: &mut Directory<'_>| {
        let numbers = [4.0, 0.0, 0.0, 200_002.0, 0.0, -4.0, 0.0, 6.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 1.0];
        directory.write_tag(Tag::ModelTransformationTag, &numbers[..]).unwrap();
        let scale = "<GDALMetadata><Item name=\"SCALE\" sample=\"0\" role=\"scale\">0.5</Item>\
                     <Item name=\"OFFSET\" sample=\"0\" role=\"offset\">100</Item></GDALMetadata>";
        directory.write_tag(Tag::Unknown(42112), scale).unwrap();
    };
    let (scene, _) = read(&tif::<colortype::Gray8>([1, 1], &[8], matrix));
    assert_eq!((heights(&scene), place(&scene)), (vec![104.0], [4.0, 0.0, -4.0]));

    let error = read_with(&tif::<colortype::RGB8>([1, 1], &[1, 2, 3], |_| {}), &ImportOptions::default()).unwrap_err();
    assert_eq!(error.category(), Category::Unsupported);
}

#[test]
fn heights_become_steps_where_asked_for() {
    let asc = b"ncols 4\nnrows 1\nxllcorner 200000\nyllcorner 0\ncellsize 1\nnodata_value -9999\n0.09 0.1 9000 -9999\n";
    let (scene, losses) = read_with(asc, &ImportOptions::default().with_step(0.045)).unwrap();
    let expected = Heights::Steps { step: 0.045, values: vec![2, 2, 32767, 0] };
    assert_eq!(scene.terrains.items()[0].heights, expected);
    assert_eq!(
        losses[1..],
        [
            "synthesized: heights: 1 point without a height: 0",
            "approximated: heights: 1 height clamped to -1474.560 … 1474.515",
            "approximated: heights: 2 heights rounded to steps of 0.045, by up to 1.00e-2"
        ]
    );
    assert!(heightmap::to_scene(asc, &NoFiles, &ImportOptions::default().with_step(0.0)).is_err());
}
