//! Reading and writing terrains of a million objects, against copying the bytes into fresh memory; and writing heightmaps.

use mapwright::io::math;
use mapwright_heightmap::{ExportOptions, Format};
use mapwright_testkit::mutate::Rng;
use mapwright_wrp::scene::{self, ImportOptions};
use mapwright_wrp::{Builder, Document, FORMAT, Matrix, Name, Objects, Wvr, Wvr8};

use super::{memory, race, ratio, speed, timed};

/// Objects of each terrain.
pub(super) const OBJECTS: i32 = 1_000_000;

pub(super) fn bench() -> Result<(), String> {
    let terrains = [("8WVR", eight(OBJECTS)), ("4WVR", four(OBJECTS))];
    let mut files = Vec::new();
    for (name, document) in terrains {
        let file = document.to_bytes().map_err(|error| error.to_string())?;
        println!("{name}: {} heights, {OBJECTS} objects, {} bytes.", document.ground().heights.len(), file.len());
        files.push((name, file));
    }
    println!(
        "\nMegabytes of file per second; the factor is how many times as long as copying the file into fresh memory.\n"
    );
    println!("| | | copy | factor |\n|---|---|---|---|");
    for (name, file) in &files {
        let document = Document::from_bytes(file).map_err(|error| error.to_string())?;
        let [copy, read, write] = race([
            &mut timed(|| file.clone()),
            &mut timed(|| Document::from_bytes(file)),
            &mut timed(|| document.to_bytes()),
        ]);
        for (verb, time) in [("read", read), ("write", write)] {
            println!(
                "| {verb} {name} | {} | {} | {} |",
                speed(file.len(), time),
                speed(file.len(), copy),
                ratio(time, copy)
            );
        }
    }
    println!("\nPeak memory of reading without the file itself, in multiples of its size:\n");
    for (name, file) in &files {
        println!("{name}\n");
        memory::table(&[FORMAT.name], file, file.len())?;
    }
    heightmaps()
}

/// Measures writing four million heights.
fn heightmaps() -> Result<(), String> {
    let terrain = Document::Wvr8(ground());
    let scene = scene::to_scene(&terrain, &ImportOptions::default()).map_err(|error| error.to_string())?.scene;
    println!("\nMegabytes of heightmap written per second:\n\n| | bytes | |\n|---|---|---|");
    for format in [Format::Asc, Format::Tif] {
        let options = ExportOptions::default().with_format(format);
        let write = || mapwright_heightmap::from_scene(&scene, &options);
        let bytes = write().map_err(|error| error.to_string())?.document.main.len();
        let [time] = race([&mut timed(write)]);
        println!("| {} | {bytes} | {} |", format.name(), speed(bytes, time));
    }
    Ok(())
}

/// Creates trees and houses on a square with the given side in metres.
fn objects(count: i32, side: u16) -> Objects {
    let mut rng = Rng::new(7);
    let mut below = |end: u16| u16::try_from(rng.below(end.into())).unwrap_or(0);
    let mut builder = Builder::default();
    let models = ["data3d\\str_smrk.p3d", "data3d\\kasna.p3d", "o\\tree\\les_singlestrom.p3d", "data3d\\domek.p3d"];
    let models = models.map(|name| builder.add_model(&Name::new(name)));
    for id in 0..count {
        let (sin, cos) = math::sin_cos(f64::from(below(6283)) / 1000.0);
        #[allow(clippy::cast_possible_truncation)]
        let (sin, cos) = (sin as f32, cos as f32);
        let matrix = Matrix {
            aside: [cos, 0.0, -sin],
            up: [0.0, 1.0, 0.0],
            dir: [sin, 0.0, cos],
            position: [side, 100, side].map(|end| f32::from(below(end))),
        };
        builder.push(models[usize::from(below(4))], matrix, Some(id));
    }
    builder.finish()
}

/// Creates a terrain. With a million objects, it has 98 MB: heights four times as fine as the materials.
pub(super) fn eight(count: i32) -> Document {
    let mut terrain = ground();
    terrain.objects = objects(count, 20_480);
    Document::Wvr8(terrain)
}

fn ground() -> Wvr8 {
    let mut terrain = Wvr8::new([512; 2], 40.0, 4);
    for (height, place) in terrain.heights.iter_mut().zip(0_u32..) {
        *height = f32::from(u16::try_from(place % 2048).unwrap_or(0)) * 0.25 - 50.0;
    }
    terrain.materials.push(vec![b"my\\a.rvmat".to_vec()]);
    terrain.cells.fill(1);
    terrain
}

/// Creates a terrain. With a million objects, it has 129 MB.
pub(super) fn four(count: i32) -> Document {
    let mut terrain = Wvr::new([512; 2]);
    for (height, place) in terrain.heights.iter_mut().zip(0_i32..) {
        *height = i16::try_from(place % 512 * 7 - 900).unwrap_or(0);
    }
    terrain.textures.fill(1);
    terrain.objects = objects(count, 25_600);
    Document::Wvr(terrain)
}
