//! Reading Quake maps against `quake-util`, and their conversion to scenes and back.

use std::fmt::Write;

use mapwright_qmap::Document;
use mapwright_qmap::scene::{self, ExportOptions, ImportOptions};

use super::{memory, race, ratio, speed, timed};

/// Numbers of brushes along one side of the smallest map, and the factors of the sizes.
const SIDE: i32 = 60;
const SIZES: [i32; 3] = [1, 4, 16];

pub(super) fn bench() -> Result<(), String> {
    println!(
        "Maps of boxes. Megabytes per second; the factor is how many times as long as `quake-util` takes to read the file.\n"
    );
    println!("| | file | | `quake-util` | factor |\n|---|---|---|---|---|");
    let mut largest = Vec::new();
    for size in SIZES {
        let file = boxes(SIDE * size.isqrt());
        let map = Document::from_bytes(&file).map_err(|error| error.to_string())?;
        let import = scene::to_scene(&map, &ImportOptions::default()).map_err(|error| error.to_string())?.scene;
        let [theirs, read, write, to_scene, from_scene] = race([
            &mut timed(|| quake_util::qmap::parse(&mut &file[..]).is_ok()),
            &mut timed(|| Document::from_bytes(&file)),
            &mut timed(|| map.to_bytes()),
            &mut timed(|| scene::to_scene(&map, &ImportOptions::default())),
            &mut timed(|| scene::from_scene(&import, &ExportOptions::default())),
        ]);
        let times = [("read", read), ("write untouched", write), ("to scene", to_scene), ("from scene", from_scene)];
        for (verb, time) in times {
            println!(
                "| {verb} | {:.1} MB | {} | {} | {} |",
                file.len() as f64 / 1e6,
                speed(file.len(), time),
                speed(file.len(), theirs),
                ratio(time, theirs)
            );
        }
        largest = file;
    }
    println!("\nPeak memory of reading without the file itself, in multiples of its size:\n");
    memory::table(&["map"], &largest, largest.len())
}

/// Returns a map of boxes on a square grid.
fn boxes(side: i32) -> Vec<u8> {
    let mut text = "// Game: Quake\n// Format: Standard\n// entity 0\n{\n\"classname\" \"worldspawn\"\n".to_owned();
    for index in 0..side * side {
        let (x, y) = (index % side * 64, index / side * 64);
        let (i, j) = (x + 32, y + 32);
        let faces = [
            format!("( {x} {y} 0 ) ( {x} {} 0 ) ( {x} {y} 1 )", y + 1),
            format!("( {x} {y} 0 ) ( {x} {y} 1 ) ( {} {y} 0 )", x + 1),
            format!("( {x} {y} 0 ) ( {} {y} 0 ) ( {x} {} 0 )", x + 1, y + 1),
            format!("( {i} {j} 32 ) ( {i} {} 32 ) ( {} {j} 32 )", j + 1, i + 1),
            format!("( {i} {j} 32 ) ( {} {j} 32 ) ( {i} {j} 33 )", i + 1),
            format!("( {i} {j} 32 ) ( {i} {j} 33 ) ( {i} {} 32 )", j + 1),
        ];
        let _ = writeln!(text, "// brush {index}\n{{");
        for face in faces {
            let _ = writeln!(text, "{face} stone{} 0 -4.5 45 0.5 2", index % 7);
        }
        text.push_str("}\n");
    }
    text.push_str("}\n");
    text.into_bytes()
}
