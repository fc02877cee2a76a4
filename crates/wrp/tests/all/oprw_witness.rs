//! An independent decoder of OPRW in another language reads the same values, from fixtures and from files that this crate packed.

use std::fmt::Write as _;
use std::path::PathBuf;

use mapwright_testkit::witness::{adler32, agree, ask, hex};
use mapwright_testkit::{corpus, files_below};
use mapwright_wrp::{Document, MapInfo, MapShape, Matrix, Oprw, Placements};

/// Prints the values that `wrp_dump.py` reads: a line per grid or list item.
const SCRIPT: &str = r#"
import sys, zlib
sys.path.insert(0, sys.argv[1])
import wrp_dump
for file in sys.argv[2:]:
    print("file", file)
    try:
        d = wrp_dump.load(file)[1]
    except Exception:
        print("refused")
        continue
    print("version", d["version"], "cell", d["cell"], "app", d.get("app_id"), *d["dims"])
    for grid in ("geography", "sound", "tex", "random", "grass", "prim_tex", "heights", "object_offsets", "map_offsets",
                 "persistent", "subdivision"):
        data = d.get(grid, {"data": b""})["data"]
        print(grid, len(data), zlib.adler32(data))
    for peak in d["peaks"]:
        print("peak", peak.hex())
    for name, flag in d["textures"]:
        print("material", name.hex(), flag)
    for name in d["models"]:
        print("model", name.hex())
    for object in d["objs"]:
        print("object", object[0] & 0xffffffff, object[1] & 0xffffffff, object[2].hex(), *object[3:])
    for class_, shape, place, id in d.get("entities", []):
        print("entity", class_.hex(), shape.hex(), place.hex(), id)
    rows = d["dims"][1]
    for cell, roads in enumerate(d.get("roads", [])):
        for points, types, id, model, matrix in roads:
            print("road", cell // rows, cell % rows, points.hex(), types.hex() or "-", id, "-" if model is None else model.hex(), matrix.hex())
    print("largest", d.get("max_object_id"))
    print("map", d.get("map_info", b"").hex())
    print("end", d["terminated"] if d.get("terminated", False) is not False else None, d["tail"].hex())
"#;

#[test]
#[ignore = "needs the corpus"]
fn another_decoder_reads_the_same_from_the_corpus() {
    let Some(folder) = corpus("wrp") else { return };
    let mut files = files_below(&folder);
    files.retain(|file| file.file_name().is_some_and(|name| name.to_string_lossy().contains("oprw")));
    assert!(files.len() >= 20, "only {} terrains", files.len());
    let changed: Vec<PathBuf> = files.iter().filter_map(|file| packed_again(file)).collect();
    files.extend(changed.iter().cloned());
    let Some(theirs) = ask(SCRIPT, &files) else { return };
    let mut ours = String::new();
    for file in &files {
        let _ = writeln!(ours, "file {}", file.display());
        match Document::from_bytes(&std::fs::read(file).expect("a file of the corpus")) {
            Ok(Document::Oprw(terrain)) => dump(&mut ours, &terrain),
            _ => ours.push_str("refused\n"),
        }
    }
    for file in changed {
        let _ = std::fs::remove_file(file);
    }
    agree(&ours, &theirs);
}

/// Writes a copy of the terrain in which every grid is changed and packed by this crate.
fn packed_again(file: &std::path::Path) -> Option<PathBuf> {
    let document = Document::from_bytes(&std::fs::read(file).ok()?).ok()?;
    let Document::Oprw(mut terrain) = document else { return None };
    for (place, height) in terrain.heights.iter_mut().enumerate() {
        *height += (place % 13) as f32;
    }
    for words in [&mut terrain.geography, &mut terrain.random, &mut terrain.object_offsets, &mut terrain.map_offsets] {
        words.iter_mut().step_by(11).for_each(|word| *word ^= 0x55);
    }
    terrain.cells.iter_mut().step_by(50).for_each(|cell| *cell ^= 1);
    let Oprw { sound, grass, primary_texture, persistent, subdivision, .. } = &mut terrain;
    for bytes in [sound, grass, primary_texture, persistent, subdivision] {
        bytes.iter_mut().step_by(90).for_each(|byte| *byte ^= 1);
    }
    terrain.packed.clear();
    let copy = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(file.file_name()?);
    std::fs::write(&copy, Document::Oprw(terrain).to_bytes().expect("it was read")).ok()?;
    Some(copy)
}

fn dump(out: &mut String, terrain: &Oprw) {
    let version = terrain.version.0;
    let option = |number: Option<String>| number.unwrap_or_else(|| "None".to_owned());
    let app = option(terrain.app_id.map(|id| id.to_string()));
    let ([a, b], [c, d]) = (terrain.land, terrain.terrain);
    let _ = writeln!(out, "version {version} cell {} app {app} {a} {b} {c} {d}", terrain.cell.to_bits());
    // Words that newer versions store in two bytes.
    let words = |words: &[u32]| -> Vec<u8> {
        let width = if version < 10 { 4 } else { 2 };
        words.iter().flat_map(|word| word.to_le_bytes().into_iter().take(width)).collect()
    };
    let long = |words: &[u32]| -> Vec<u8> { words.iter().flat_map(|word| word.to_le_bytes()).collect() };
    grid(out, "geography", &words(&terrain.geography));
    grid(out, "sound", &terrain.sound);
    grid(out, "tex", &terrain.cells.iter().flat_map(|cell| cell.to_le_bytes()).collect::<Vec<_>>());
    grid(out, "random", &words(&terrain.random));
    grid(out, "grass", &terrain.grass);
    grid(out, "prim_tex", &terrain.primary_texture);
    grid(out, "heights", &floats(&terrain.heights));
    grid(out, "object_offsets", &long(&terrain.object_offsets));
    grid(out, "map_offsets", &long(&terrain.map_offsets));
    grid(out, "persistent", &terrain.persistent);
    grid(out, "subdivision", &terrain.subdivision);
    for peak in &terrain.peaks {
        let _ = writeln!(out, "peak {}", hex(&floats(peak)));
    }
    for material in &terrain.materials {
        let _ = writeln!(out, "material {} {}", hex(&material.name), material.flag);
    }
    for model in &terrain.objects.models {
        let _ = writeln!(out, "model {}", hex(&model.bytes));
    }
    let Placements::Matrices(matrices) = &terrain.objects.placements else { panic!("upright objects") };
    let mut shapes = terrain.shapes.iter();
    for ((id, model), matrix) in terrain.objects.ids.iter().zip(&terrain.objects.model).zip(matrices) {
        let shape = shapes.next().map(ToString::to_string).unwrap_or_default();
        let _ = writeln!(out, "object {} {model} {} {shape}", id.cast_unsigned(), hex(&matrix.to_bytes()));
    }
    for it in &terrain.entities {
        let place = hex(&floats(&it.position));
        let _ = writeln!(out, "entity {} {} {place} {}", hex(&it.class), hex(&it.shape), it.object_id);
    }
    for road in &terrain.roads {
        let [x, z] = road.cell;
        let points: String = road.points.iter().map(|point| hex(&floats(&point.position))).collect();
        let kinds = hex(&road.points.iter().map(|point| point.kind).collect::<Vec<_>>());
        let kinds = if version < 24 { "-" } else { &kinds };
        let model = road.piece.as_ref().map_or_else(|| "-".to_owned(), |piece| hex(&piece.model));
        let matrix = road.piece.as_ref().map(|piece| Matrix::to_bytes(&piece.matrix).to_vec()).unwrap_or_default();
        let _ = writeln!(out, "road {x} {z} {points} {kinds} {} {model} {}", road.object_id, hex(&matrix));
    }
    let _ = writeln!(out, "largest {}", option(terrain.max_object_id.map(|id| id.to_string())));
    let things: String = terrain.map_info.iter().map(|thing| hex(&bytes_of(thing))).collect();
    let _ = writeln!(out, "map {things}{}", hex(&terrain.map_rest));
    let end = option(terrain.terminator.map(|number| number.to_string()));
    let _ = writeln!(out, "end {end} {}", hex(&terrain.after));
}

/// Encodes a map item as the specification describes it.
fn bytes_of(thing: &MapInfo) -> Vec<u8> {
    let mut bytes = thing.kind.to_le_bytes().to_vec();
    let parts = match &thing.shape {
        MapShape::Point { id, position } => [id.to_le_bytes().to_vec(), floats(position), Vec::new()],
        MapShape::Outline { id, corners } => [id.to_le_bytes().to_vec(), floats(corners.as_flattened()), Vec::new()],
        MapShape::Zone { color, indicator, numbers } => {
            [color.to_le_bytes().to_vec(), indicator.to_le_bytes().to_vec(), floats(numbers)]
        }
        MapShape::Area { id, corners, color } => {
            [id.to_le_bytes().to_vec(), floats(corners.as_flattened()), color.to_vec()]
        }
        MapShape::Line { id, numbers } => [id.to_le_bytes().to_vec(), floats(numbers), Vec::new()],
        MapShape::Track { id, numbers, flag } => [id.to_le_bytes().to_vec(), floats(numbers), vec![*flag]],
        MapShape::River { id, points } => {
            let count = u32::try_from(points.len()).expect("few").to_le_bytes().to_vec();
            [id.to_le_bytes().to_vec(), count, floats(points.as_flattened())]
        }
    };
    bytes.extend(parts.concat());
    bytes
}

fn grid(out: &mut String, name: &str, bytes: &[u8]) {
    let _ = writeln!(out, "{name} {} {}", bytes.len(), adler32(bytes));
}

fn floats(numbers: &[f32]) -> Vec<u8> {
    numbers.iter().flat_map(|number| number.to_le_bytes()).collect()
}
