//! Texture cells.

use mapwright_interchange::{
    Category,
    heightmap::cells::{ExportOptions, ImportOptions, from_scene, to_scene},
};
use mapwright_scene::*;
use mapwright_scene::{Files, NoFiles};
use mapwright_testkit::long_name;
use proptest::prelude::*;

use super::terrains::*;

/// Cells of that width, and as many materials, of which the first is none.
fn scene(width: u32, cells: &[u32], materials: usize) -> Scene {
    named_scene(width, cells, materials, "")
}

/// The same, of which the names of all materials begin with `prefix`.
fn named_scene(width: u32, cells: &[u32], materials: usize, prefix: &str) -> Scene {
    let height = u32::try_from(cells.len()).unwrap() / width;
    let mut scene = scene_of(terrain([0, 0], [40.0, 20.0], Heights::F32(vec![])));
    let mut list = Vec::new();
    for number in 0..materials {
        let named = || Material {
            reference: (number % 2 == 0).then(|| format!("{prefix}r{number}")),
            ..Material::new(format!("{prefix}m{number}"))
        };
        list.push((number > 0).then(|| scene.materials.push(named())));
    }
    for (_, terrain) in scene.terrains.iter_mut() {
        (terrain.cell_size, terrain.cells, terrain.materials) = ([width, height], cells.to_vec(), list.clone());
    }
    scene
}

fn written(scene: &Scene) -> (Files, Vec<String>) {
    let export = from_scene(scene, &ExportOptions::default()).unwrap();
    (export.document, export.losses.iter().map(ToString::to_string).collect())
}

fn read(files: &Files) -> Scene {
    let import = to_scene(&files.main, files, &ImportOptions::default()).unwrap();
    assert!(import.losses.is_empty(), "{:?}", import.losses);
    import.scene
}

#[test]
fn cells_are_an_image_with_a_legend() {
    let (files, losses) = written(&scene(2, &[0, 1, 2, 7], 3));
    let [legend] = &files.side[..] else { panic!("a legend") };
    assert_eq!(legend.name, "scene.json");
    assert_eq!(
        losses,
        ["dropped: terrains[0].heights: heights", "preserved: terrains[0].cells: 1 number without a material"]
    );
    let text = text(&legend.data).replace([' ', '\n'], "");
    assert!(text.starts_with(r##"{"cell_size":[40.0,20.0],"materials":[{"cell":0,"color":"#"##), "{text}");
    assert!(text.ends_with(r#""name":"m2","reference":"r2"}],"pixels":[0,1,2,7]}"#), "{text}");
    let mut reader = png::Decoder::new(std::io::Cursor::new(&files.main)).read_info().unwrap();
    assert_eq!(reader.info().color_type, png::ColorType::Indexed);
    // The north comes first.
    assert_eq!(reader.next_row().unwrap().unwrap().data(), [2, 3]);
    assert_eq!(read(&files), scene(2, &[0, 1, 2, 7], 3));
}

#[test]
fn many_materials_take_sixteen_bits() {
    let all: Vec<u32> = (0..512).collect();
    let whole = scene(16, &all, 512);
    let (files, _) = written(&whole);
    let reader = png::Decoder::new(std::io::Cursor::new(&files.main)).read_info().unwrap();
    assert_eq!(
        (reader.info().color_type, reader.info().bit_depth),
        (png::ColorType::Grayscale, png::BitDepth::Sixteen)
    );
    assert_eq!(read(&files), whole);
    let many: Vec<u32> = (0..65_537).collect();
    let error = from_scene(&scene(65_537, &many, 0), &ExportOptions::default()).unwrap_err();
    assert_eq!(error.to_string(), "an image of 65537 different cells is not supported in terrains[0].cells");
    let error = from_scene(&floats(1, &[1.0]), &ExportOptions::default()).unwrap_err();
    assert_eq!(error.category(), Category::Unsupported);
}

/// Saves the image as other programs may: with a reversed palette, and as colours.
#[test]
fn colors_count_where_programs_change_the_numbers() {
    let original = scene(3, &[0, 1, 2, 2, 9, 0], 3);
    let (files, _) = written(&original);
    let mut reader = png::Decoder::new(std::io::Cursor::new(&files.main)).read_info().unwrap();
    let mut pixels = vec![0; 6];
    reader.next_frame(&mut pixels).unwrap();
    let palette: Vec<[u8; 3]> =
        reader.info().palette.as_deref().unwrap().chunks(3).map(|color| color.try_into().unwrap()).collect();
    let saved = |color, data: &[u8], palette: &[[u8; 3]]| {
        let mut out = Vec::new();
        let mut encoder = png::Encoder::new(&mut out, 3, 2);
        encoder.set_color(color);
        if color == png::ColorType::Indexed {
            encoder.set_palette(palette.concat());
        }
        encoder.write_header().unwrap().write_image_data(data).unwrap();
        out
    };
    let options = ImportOptions::default().with_legend("scene.json");
    let turned: Vec<u8> = pixels.iter().map(|&pixel| 3 - pixel).collect();
    let turned = saved(png::ColorType::Indexed, &turned, &palette.iter().rev().copied().collect::<Vec<_>>());
    assert_eq!(to_scene(&turned, &files, &options).unwrap().scene, original);
    let rgb: Vec<u8> = pixels.iter().flat_map(|&pixel| palette[usize::from(pixel)]).collect();
    assert_eq!(to_scene(&saved(png::ColorType::Rgb, &rgb, &[]), &files, &options).unwrap().scene, original);
    let mut odd = rgb.clone();
    odd[..3].copy_from_slice(&[1, 2, 3]);
    let error = to_scene(&saved(png::ColorType::Rgb, &odd, &[]), &files, &options).unwrap_err();
    assert_eq!(error.to_string(), "the colour #010203 is not in the legend in pixels");
}

#[test]
fn without_a_legend_pixels_are_numbers() {
    let (files, _) = written(&scene(2, &[0, 1, 2, 7], 3));
    assert_eq!(to_scene(&files.main, &NoFiles, &ImportOptions::default()).unwrap_err().category(), Category::Io);
    let mut plain = Vec::new();
    let mut encoder = png::Encoder::new(&mut plain, 2, 1);
    encoder.set_color(png::ColorType::Grayscale);
    encoder.write_header().unwrap().write_image_data(&[5, 6]).unwrap();
    let import = to_scene(&plain, &NoFiles, &ImportOptions::default()).unwrap();
    assert_eq!((&import.scene.terrains.items()[0].cells[..], import.losses.len()), (&[5, 6][..], 2));
    for (legend, expected) in [
        ("{", "EOF while parsing an object at line 1, column 1 in \"l\": legend"),
        (r#"{"cell_size":[1,0]}"#, "1 and 0 in cell_size"),
        (r#"{"cell_size":[1,1],"pixels":[1]}"#, "index 5 out of range (1 items) in pixels"),
        (
            r#"{"cell_size":[1,1],"materials":[{"cell":0,"name":"a"},{"cell":0,"name":"b"}]}"#,
            "cell 0 twice in materials[1]",
        ),
        (
            r#"{"cell_size":[1,1],"materials":[{"cell":4294967295}]}"#,
            "index 4294967295 out of range (65536 items) in materials",
        ),
    ] {
        let source = |_: &str| Some(legend.as_bytes().to_vec());
        let error = to_scene(&plain, &source, &ImportOptions::default().with_legend("l")).unwrap_err();
        assert_eq!(error.to_string(), expected);
    }
}

proptest! {
    #[test]
    fn cells_come_back(
        width in 1..9_u32,
        rows in 1..9_u32,
        (materials, prefix) in prop_oneof![99 => (0..300_usize, Just(String::new())), 1 => (2..5_usize, Just(long_name(0)))],
        numbers in prop::collection::vec(prop_oneof![0..300_u32, any::<u32>()], 64),
    ) {
        let cells = &numbers[..(width * rows) as usize];
        let scene = named_scene(width, cells, materials, &prefix);
        let (files, _) = written(&scene);
        prop_assert_eq!(read(&files), scene);
    }
}
