//! Written heightmaps byte for byte, and reported losses.

use mapwright_heightmap::{Category, Corner, ErrorKind, ExportOptions, Format, Numbers, capabilities};
use mapwright_scene::*;

use super::terrains::*;

#[test]
fn asc_has_the_north_first_and_a_space_after_every_height() {
    let scene = floats(2, &[1.0, -0.0, 30.5, 1234.567]);
    let (asc, losses) = written(&scene, &options(Format::Asc).with_corner(Corner::Point));
    assert_eq!(
        text(&asc),
        "ncols         2\nnrows         2\nxllcorner     200000.000000\nyllcorner     0.000000\ncellsize      10.000000\n\
         NODATA_value  -9999\n30.50 1234.57 \n1.00 -0.00 \n"
    );
    assert!(losses[0].starts_with("preserved: terrains[0]: xllcorner and yllcorner are the south-western point"));
    assert_eq!(losses[1..], ["approximated: terrains[0].heights: 1 height rounded to 0.01, by up to 2.98e-3"]);

    let gis = ExportOptions::default().with_origin([0.0; 2]).with_numbers(Numbers::Shortest);
    let (asc, losses) = written(&scene, &gis);
    assert_eq!(
        text(&asc),
        "ncols         2\nnrows         2\nxllcorner     -5.000000\nyllcorner     -5.000000\ncellsize      10.000000\n\
         NODATA_value  -9999\n30.5 1234.567 \n1 -0 \n"
    );
    assert!(losses.is_empty());
}

#[test]
fn missing_heights_are_reported() {
    let scene = floats(4, &[f32::NAN, f32::INFINITY, -9999.0, 1.0]);
    let (asc, losses) = written(&scene, &options(Format::Asc));
    assert!(asc.ends_with(b"\n-9999.00 -9999.00 -9999.00 1.00 \n"));
    assert_eq!(
        losses,
        [
            "approximated: terrains[0].heights: 1 infinite height: written as no-data points",
            "approximated: terrains[0].heights: 1 height equal to the no-data value -9999"
        ]
    );
    let (xyz, losses) = written(&scene, &options(Format::Xyz));
    assert_eq!((text(&xyz), losses.len()), ("200020 0 -9999.00\n200030 0 1.00\n", 2));
    assert!(losses[0].starts_with("dropped: terrains[0]: 2 points without a height"), "{losses:?}");
    let (_, losses) = written(&scene, &options(Format::Png));
    assert!(losses[0].contains("1 infinite height"), "{losses:?}");
    assert!(written(&scene, &options(Format::Tif)).1.is_empty());
    // Points without a height stay such points, and nothing is lost.
    let scene = floats(4, &[f32::NAN, 2.0, 3.0, 1.0]);
    assert_eq!(written(&scene, &options(Format::Asc)).1, [""; 0]);
    let (_, losses) = written(&scene, &options(Format::Png));
    assert!(losses.iter().all(|loss| !loss.contains("no-data")), "{losses:?}");
}

#[test]
fn cells_need_not_be_square() {
    let mut scene = floats(2, &[1.0, 2.0, 3.0, 4.0]);
    scene.terrains.iter_mut().for_each(|(_, terrain)| terrain.spacing = [2.5, -7.0]);
    let (asc, losses) = written(&scene, &options(Format::Asc));
    assert!(text(&asc).contains("\ndx            2.500000\ndy            7.000000\n"), "{}", text(&asc));
    assert_eq!(losses, ["preserved: terrains[0].spacing: as dx and dy, which few programs support"]);
    for format in FORMATS {
        let (file, _) = written(&scene, &options(format));
        assert_eq!(read(&file).0.terrains.items()[0].spacing, [2.5, -7.0], "{format:?}");
    }
}

#[test]
fn rows_that_run_south_and_columns_that_run_west_are_turned() {
    let mut scene = floats(2, &[1.0, 2.0, 3.0, 4.0]);
    scene.terrains.iter_mut().for_each(|(_, terrain)| terrain.spacing = [-10.0, 10.0]);
    let (asc, losses) = written(&scene, &options(Format::Asc).with_corner(Corner::Point));
    // The first height is in the north-east. The south-western point is 10 m west and south of it.
    assert!(text(&asc).contains("xllcorner     199990.000000\nyllcorner     -10.000000\n"), "{}", text(&asc));
    assert!(asc.ends_with(b"\n2.00 1.00 \n4.00 3.00 \n"), "{}", text(&asc));
    assert!(losses[0].contains("the order of rows and columns"), "{losses:?}");
}

#[test]
fn nodes_move_and_scale_the_map_but_do_not_turn_it() {
    let mut scene = floats(2, &[1.0, 2.0, 3.0, 4.0]);
    let root = scene.roots[0];
    scene.nodes[root].transform =
        Transform::Trs { translation: [100.0, 5.0, -30.0], rotation: [0.0, 0.0, 0.0, 1.0], scale: [2.0, 3.0, 0.5] };
    let (xyz, losses) = written(&scene, &options(Format::Xyz));
    assert_eq!(text(&xyz), "200100 35 14.00\n200120 35 17.00\n200100 30 8.00\n200120 30 11.00\n");
    assert_eq!(losses, ["approximated: terrains[0].heights: transformed with their node, and rounded"]);
    scene.nodes[root].transform =
        Transform::Trs { translation: [100.0, 0.0, 0.0], rotation: [0.0, 1.0, 0.0, 0.0], scale: [1.0; 3] };
    scene.nodes[root].transform =
        Transform::Matrix([[0.0, 0.0, 1.0, 0.0], [0.0, 1.0, 0.0, 0.0], [-1.0, 0.0, 0.0, 0.0], [0.0, 0.0, 0.0, 1.0]]);
    let (xyz, losses) = written(&scene, &options(Format::Xyz));
    assert!(text(&xyz).starts_with("200000 10 3.00\n"));
    assert!(losses[0].starts_with("dropped: terrains[0]: rotation and shear"), "{losses:?}");
}

#[test]
fn steps_stay_steps_when_they_are_scaled() {
    let mut scene = steps(every_step());
    let root = scene.roots[0];
    scene.nodes[root].transform =
        Transform::Trs { translation: [0.0; 3], rotation: [0.0, 0.0, 0.0, 1.0], scale: [2.0; 3] };
    let (file, _) = written(&scene, &options(Format::Tif));
    let back = &read(&file).0.terrains.items()[0].clone();
    assert_eq!(
        (back.spacing, back.heights.clone()),
        ([100.0, -100.0], Heights::Steps { step: 0.09, values: every_step() })
    );
}

#[test]
fn images_store_the_meaning_of_their_pixels() {
    let export =
        mapwright_heightmap::from_scene(&steps(every_step()), &options(Format::Png).with_name("hill")).unwrap();
    let [world] = &export.document.side[..] else { panic!("a world file") };
    assert_eq!((world.name.as_str(), text(&world.data)), ("hill.pgw", "50\n0\n0\n-50\n200000\n12750\n"));
    let reader = png::Decoder::new(std::io::Cursor::new(&export.document.main)).read_info().unwrap();
    let info = reader.info();
    assert_eq!((info.color_type, info.bit_depth), (png::ColorType::Grayscale, png::BitDepth::Sixteen));
    let texts: Vec<(&str, &str)> =
        info.uncompressed_latin1_text.iter().map(|chunk| (chunk.keyword.as_str(), chunk.text.as_str())).collect();
    assert_eq!(
        texts,
        [
            ("spacing_x", "50"),
            ("spacing_y", "50"),
            ("origin_x", "200000"),
            ("origin_y", "0"),
            ("height_scale", "0.045"),
            ("height_offset", "-1474.56"),
            ("height_zero", "32768")
        ]
    );
}

#[test]
fn the_lowest_of_two_zeros_is_the_positive_one() {
    for heights in [[0.0, -0.0, 0.0, -0.0], [-0.0, 0.0, -0.0, 0.0], [-0.0; 4]] {
        let export = mapwright_heightmap::from_scene(&floats(2, &heights), &options(Format::Png)).unwrap();
        let reader = png::Decoder::new(std::io::Cursor::new(&export.document.main)).read_info().unwrap();
        let texts = &reader.info().uncompressed_latin1_text;
        let offset = texts.iter().find(|chunk| chunk.keyword == "height_offset").unwrap();
        assert_eq!(offset.text, "0", "{heights:?}");
    }
}

#[test]
fn a_range_may_be_given_and_clamps() {
    let scene = floats(4, &[-50.0, 0.0, 50.0, 200.0]);
    let (file, losses) = written(&scene, &options(Format::Png).with_range([0.0, 65.535]));
    assert_eq!(losses, ["approximated: terrains[0].heights: 2 heights beyond the range, clamped to 0 … 65.535"]);
    assert_eq!(read(&file).0.terrains.items()[0].heights, Heights::F32(vec![0.0, 0.0, 50.0, 65.535]));
    // Steps leave their own pixels for a range that is given.
    let heights = Heights::Steps { step: 0.045, values: vec![-100, 0, 100, 0] };
    let stepped = scene_of(terrain([2, 2], [50.0; 2], heights));
    let metres = |scene: &Scene| -> Vec<f64> {
        (0..4).filter_map(|place| scene.terrains.items()[0].heights.get(place)).collect()
    };
    let (file, losses) = written(&stepped, &options(Format::Png).with_range([-1000.0, 1000.0]));
    let back = read(&file).0;
    assert!(matches!(back.terrains.items()[0].heights, Heights::F32(_)) && losses[0].contains("rounded"), "{losses:?}");
    let near = |(a, b): (f64, f64)| (a - b).abs() < 0.02;
    assert!(metres(&back).into_iter().zip(metres(&stepped)).all(near));
    let error = mapwright_heightmap::from_scene(&scene, &options(Format::Png).with_range([1.0, 0.0])).unwrap_err();
    assert_eq!(error.category(), Category::Unsupported);
}

#[test]
fn terrains_are_found_by_their_name() {
    let mut scene = floats(1, &[1.0]);
    let second = Terrain { name: "Second".into(), ..terrain([1, 1], [1.0; 2], Heights::F32(vec![2.0])) };
    let second = scene.terrains.push(second);
    scene.add_node(None, Node::new("Node", Content::Terrain(second)));
    let stored = Terrain { name: "Stored".into(), ..terrain([1, 1], [1.0; 2], Heights::F32(vec![3.0])) };
    scene.terrains.push(stored);
    for (name, height) in [("Second", "2.00"), ("Node", "2.00"), ("Stored", "3.00")] {
        let (xyz, losses) = written(&scene, &options(Format::Xyz).with_terrain(name));
        assert!(text(&xyz).ends_with(&format!(" {height}\n")), "{name}");
        assert_eq!(losses.iter().filter(|loss| loss.contains("another terrain")).count(), 2);
        assert!(losses.iter().any(|loss| loss.contains("].name: name")));
    }
    let error = mapwright_heightmap::from_scene(&scene, &ExportOptions::default().with_terrain("none")).unwrap_err();
    assert_eq!(error.to_string(), r#"no terrain has the name "none"; there are ["", "Second", "Stored"] in terrains"#);
    // Hidden terrains are skipped.
    let root = scene.roots[0];
    scene.nodes[root].visible = false;
    assert!(text(&written(&scene, &options(Format::Xyz)).0).ends_with(" 2.00\n"));

    let error = mapwright_heightmap::from_scene(&Scene::default(), &ExportOptions::default()).unwrap_err();
    assert!(matches!(error.kind(), ErrorKind::NoTerrain { wanted: None, .. }) && error.help().is_some());
    assert_eq!(error.to_string(), "the scene has no terrain in terrains");
    let empty = scene_of(terrain([0, 5], [1.0; 2], Heights::F32(vec![])));
    for format in FORMATS {
        let error = mapwright_heightmap::from_scene(&empty, &options(format)).unwrap_err();
        assert_eq!(error.to_string(), "a terrain without points is not supported in terrains[0]");
    }
}

#[test]
fn other_contents_of_a_scene_are_reported() {
    let mut scene = floats(2, &[1.0, 2.0, 3.0, 4.0]);
    scene.metres_per_unit = Some(0.5);
    scene.meshes.push(Mesh::default());
    for (_, terrain) in scene.terrains.iter_mut() {
        terrain.cell_size = [1, 1];
        terrain.cells = vec![0];
        terrain.sea_level = Some(0.0);
        terrain.diagonal = Diagonal::Anti;
    }
    for format in FORMATS {
        let (file, losses) = written(&scene, &options(format));
        let has = |part: &str| losses.iter().any(|loss| loss.starts_with("dropped") && loss.contains(part));
        for part in ["meshes[0]", "texture cells", "water level", "the diagonals of quads"] {
            assert!(has(part), "{format:?} {part} {losses:?}");
        }
        let keeps = matches!(format, Format::Png | Format::Tif);
        assert_eq!((read(&file).0.metres_per_unit, has("one unit is")), (keeps.then_some(0.5), !keeps));
        assert!(matches!(capabilities(format).support(Feature::Terrains), Support::Full));
    }
}

#[test]
fn failing_writers_are_reported() {
    struct Full;
    impl std::io::Write for Full {
        fn write(&mut self, _: &[u8]) -> std::io::Result<usize> {
            Err(std::io::Error::other("the disk is full"))
        }
        fn flush(&mut self) -> std::io::Result<()> {
            Ok(())
        }
    }
    for format in FORMATS {
        let error = mapwright_heightmap::write_to(&floats(1, &[1.0]), &options(format), Full).unwrap_err();
        assert_eq!((error.category(), error.to_string().contains("the disk is full")), (Category::Io, true), "{error}");
    }
}
