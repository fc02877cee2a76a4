//! Written heightmaps come back.

use mapwright_heightmap::{Corner, ExportOptions, Format, ImportOptions, Numbers};
use mapwright_scene::*;
use proptest::prelude::*;

use super::terrains::*;

#[test]
fn every_step_comes_back_from_every_format() {
    let scene = steps(every_step());
    for format in [Format::Png, Format::Tif] {
        let (file, losses) = written(&scene, &options(format));
        assert_eq!(read(&file), (scene.clone(), vec![]), "{format:?}");
        assert!(losses.is_empty(), "{losses:?}");
    }
    for format in [Format::Asc, Format::Xyz] {
        for numbers in [Numbers::Hundredths, Numbers::Shortest] {
            let (file, losses) = written(&scene, &options(format).with_numbers(numbers));
            let (back, _) = read_with(&file, &ImportOptions::default().with_step(0.045)).unwrap();
            assert_eq!(back, scene, "{format:?} {numbers:?}");
            assert_eq!(
                losses,
                [
                    "preserved: terrains[0].heights: height steps of 0.045 written as numbers; reading them with this step gives identical heights"
                ]
            );
        }
    }
}

fn size() -> BoxedStrategy<[u32; 2]> {
    [1..12_u32, 1..12_u32].boxed()
}

/// Numbers that survive being added to each other.
fn length() -> BoxedStrategy<f64> {
    (-1_000_000..1_000_000_i32).prop_map(|eighths| f64::from(eighths) / 8.0).boxed()
}

fn step() -> BoxedStrategy<f64> {
    (1..4000_u32).prop_map(|eighths| f64::from(eighths) / 8.0).boxed()
}

fn any_f32() -> BoxedStrategy<f32> {
    prop_oneof![any::<u32>().prop_map(f32::from_bits), -2000.0..2000.0_f32, Just(-0.0), Just(f32::NAN)].boxed()
}

fn scenes(height: BoxedStrategy<f32>) -> BoxedStrategy<Scene> {
    let floats = move |count| prop::collection::vec(height.clone(), count).prop_map(Heights::F32).boxed();
    let steps = |count| {
        let values = prop::collection::vec(any::<i16>(), count);
        (values, 0.001..10.0_f64).prop_map(|(values, step)| Heights::Steps { step, values }).boxed()
    };
    let parts = (size(), [step(), step()], [length(), length()], any::<bool>());
    parts
        .prop_flat_map(move |(size, spacing, [x, z], is_float)| {
            let count = (size[0] * size[1]) as usize;
            let heights = if is_float { floats(count) } else { steps(count) };
            heights.prop_map(move |heights| {
                let mut scene = scene_of(terrain(size, spacing, heights));
                let root = scene.roots[0];
                if [x, z] != [0.0; 2] {
                    scene.nodes[root].transform = Transform::translation([x, 0.0, z]);
                }
                scene
            })
        })
        .boxed()
}

/// Compares heights by their bits.
fn same(back: &Scene, scene: &Scene) -> Result<(), TestCaseError> {
    let (a, b) = (&back.terrains.items()[0], &scene.terrains.items()[0]);
    prop_assert_eq!((a.size, a.spacing), (b.size, b.spacing));
    prop_assert_eq!(&back.nodes, &scene.nodes);
    if let Heights::F32(_) = b.heights {
        prop_assert_eq!(bits(back), bits(scene));
    } else {
        prop_assert_eq!(&a.heights, &b.heights);
    }
    Ok(())
}

proptest! {
    #[test]
    fn tiff_keeps_every_bit(mut scene in scenes(any_f32()), metres in prop::option::of(0.001..100.0_f64)) {
        scene.metres_per_unit = metres;
        let (file, losses) = written(&scene, &options(Format::Tif));
        prop_assert!(losses.is_empty(), "{:?}", losses);
        let (back, _) = read(&file);
        same(&back, &scene)?;
        prop_assert_eq!(back.metres_per_unit, metres);
    }

    #[test]
    fn texts_of_as_few_digits_as_needed_keep_finite_heights(
        scene in scenes(any_f32().prop_filter("finite and a height", |height| height.is_finite() && *height != -9999.0).boxed()),
        is_asc in any::<bool>(),
        corner in prop_oneof![Just(Corner::Point), Just(Corner::Cell)],
        numbers in prop_oneof![Just(Numbers::Shortest), Just(Numbers::Hundredths)],
    ) {
        let format = if is_asc { Format::Asc } else { Format::Xyz };
        let (file, losses) = written(&scene, &options(format).with_numbers(numbers).with_corner(corner));
        let mut reading = ImportOptions::default().with_corner(corner);
        let Terrain { size, spacing, heights, .. } = &scene.terrains.items()[0];
        if let Heights::Steps { step, .. } = heights {
            reading = reading.with_step(*step);
        }
        if !is_asc && (size[0] == 1 || size[1] == 1) {
            reading = reading.with_spacing([spacing[0], -spacing[1]]);
        }
        let (back, _) = read_with(&file, &reading).unwrap();
        if losses.iter().all(|loss| loss.starts_with("preserved")) {
            same(&back, &scene)?;
        }
    }

    #[test]
    fn images_keep_steps_and_report_the_error_of_floats(
        scene in scenes(prop_oneof![-2000.0..2000.0_f32, Just(f32::NAN), any::<f32>()].boxed()),
    ) {
        let (file, losses) = written(&scene, &options(Format::Png));
        let (back, _) = read(&file);
        let (a, b) = (&back.terrains.items()[0].heights, &scene.terrains.items()[0].heights);
        if let Heights::Steps { .. } = b {
            return same(&back, &scene);
        }
        let finite = || (0..b.len()).filter_map(|index| b.get(index)).filter(|height| height.is_finite());
        let (low, high) = (finite().fold(f64::INFINITY, f64::min), finite().fold(f64::NEG_INFINITY, f64::max));
        let half = (high - low) / 65534.0 / 2.0;
        for index in 0..b.len() {
            let (read, was) = (a.get(index).unwrap(), b.get(index).unwrap());
            if was.is_finite() {
                let rounding = low.abs().max(high.abs()) * 1e-7;
                prop_assert!((read - was).abs() <= half * 1.000001 + rounding + 1e-45, "{} {}", read, was);
            } else {
                prop_assert!(read.is_nan());
                prop_assert!(was.is_nan() || !losses.is_empty());
            }
        }
        prop_assert!(low < high || losses.is_empty() || finite().count() < b.len());
    }

    #[test]
    fn the_same_scene_gives_the_same_bytes_and_never_panics(
        mut scene in scenes(any_f32()),
        spacing in prop_oneof![any::<[f64; 2]>(), [-9.0..9.0_f64, -9.0..9.0_f64]],
        matrix in prop::option::of(prop::array::uniform4(prop::array::uniform4(-2.0..2.0_f64))),
        which in 0..4_usize,
        range in prop::option::of([any::<f64>(), any::<f64>()]),
    ) {
        scene.terrains.iter_mut().for_each(|(_, terrain)| terrain.spacing = spacing);
        let root = scene.roots[0];
        scene.nodes[root].transform = matrix.map_or(Transform::IDENTITY, Transform::Matrix);
        let mut options: ExportOptions = options(FORMATS[which]);
        options.range = range;
        let once = mapwright_heightmap::from_scene(&scene, &options);
        prop_assert_eq!(&once, &mapwright_heightmap::from_scene(&scene, &options));
    }

    #[test]
    fn any_float_that_is_printed_is_read_to_the_bit(heights in prop::collection::vec(any::<f32>(), 1..40)) {
        let printed: Vec<String> = heights.iter().filter(|height| height.is_finite()).map(|height| format!("{height:e}")).collect();
        prop_assume!(!printed.is_empty());
        let asc = format!("NCOLS {}\r\nnrows\t1\nCellSize 2\n{}", printed.len(), printed.join("\r\n"));
        let (scene, _) = read(asc.as_bytes());
        let expected: Vec<u32> = heights.iter().filter(|height| height.is_finite()).map(|height| height.to_bits()).collect();
        prop_assert_eq!(bits(&scene), expected);
    }
}
