//! Real terrains.

use std::fs;

use mapwright_heightmap::{Corner, Format, ImportOptions, Numbers};
use mapwright_scene::{Heights, Scene};

use super::terrains::{bits, options, read, read_with, scene_of, terrain, written};

/// The heights of `utes.wrp`: an 8WVR of 512 × 512 points, 10 m apart.
pub(crate) fn utes() -> Option<Scene> {
    let file = fs::read(mapwright_testkit::corpus("wrp")?.join("utes.wrp")).unwrap();
    let heights =
        file[24..][..512 * 512 * 4].chunks_exact(4).map(|bytes| f32::from_le_bytes(bytes.try_into().unwrap()));
    let mut scene = scene_of(terrain([512; 2], [10.0; 2], Heights::F32(heights.collect())));
    scene.metres_per_unit = Some(1.0);
    Some(scene)
}

/// The grid that Terrain Builder made of it.
fn utes_asc() -> Option<Vec<u8>> {
    Some(fs::read(mapwright_testkit::corpus("wrp")?.join("utes_terrain.asc")).unwrap())
}

#[test]
#[ignore = "needs the corpus"]
fn utes_is_written_as_terrain_builder_writes_it() {
    let (Some(scene), Some(expected)) = (utes(), utes_asc()) else { return };
    let (asc, losses) = written(&scene, &options(Format::Asc).with_corner(Corner::Point));
    assert_eq!(expected.len(), 1_797_295);
    if let Some(difference) = mapwright_testkit::hexdiff(&expected, &asc) {
        panic!("{difference}");
    }
    let losses: Vec<_> = losses.iter().filter(|loss| !loss.starts_with("preserved: ")).collect();
    assert_eq!(losses, ["dropped: metres_per_unit: one unit is 1 m"]);
}

#[test]
#[ignore = "needs the corpus"]
fn the_grid_of_terrain_builder_is_read_to_the_bit() {
    let (Some(scene), Some(asc)) = (utes(), utes_asc()) else { return };
    let (back, losses) = read(&asc);
    assert_eq!((bits(&back), losses), (bits(&scene), vec![]));
    assert!(bits(&back).contains(&(-0.0_f32).to_bits()), "one height of utes is −0.0");
}

#[test]
#[ignore = "needs the corpus"]
fn utes_comes_back_from_every_format() {
    let Some(scene) = utes() else { return };
    for (options, expected) in [
        (options(Format::Tif), vec![]),
        (options(Format::Xyz), vec!["dropped: metres_per_unit: one unit is 1 m"]),
        (options(Format::Asc).with_numbers(Numbers::Shortest), vec!["dropped: metres_per_unit: one unit is 1 m"]),
    ] {
        let (file, losses) = written(&scene, &options);
        let (back, read_losses) = read(&file);
        assert_eq!((losses, read_losses), (expected.iter().map(ToString::to_string).collect(), vec![]), "{options:?}");
        assert_eq!(bits(&back), bits(&scene), "{options:?}");
        assert_eq!(back.nodes, scene.nodes);
    }
    let (file, losses) = written(&scene, &options(Format::Png));
    assert_eq!(losses.len(), 1, "{losses:?}");
    assert!(losses[0].contains("rounded to steps of 2.80e-3, by up to 1.4"), "{losses:?}");
    let (back, _) = read(&file);
    let Heights::F32(heights) = &back.terrains.items()[0].heights else { panic!("floats") };
    let off = (0..heights.len())
        .map(|index| f64::from(heights[index]) - scene.terrains.items()[0].heights.get(index).unwrap());
    assert!(off.into_iter().all(|off| off.abs() <= 0.001406), "half a step, and rounding to 32 bits");
    // As steps it is what Operation Flashpoint would have.
    let (stepped, losses) =
        read_with(&written(&scene, &options(Format::Tif)).0, &ImportOptions::default().with_step(0.045)).unwrap();
    assert!(matches!(stepped.terrains.items()[0].heights, Heights::Steps { .. }));
    assert!(losses[0].contains("to steps of 0.045, by up to 2.0"), "{losses:?}");
}
