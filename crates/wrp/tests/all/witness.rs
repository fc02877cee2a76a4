//! An independent decoder in another language reads the same values from every terrain. OPRW has its own test.

use std::fmt::Write as _;

use mapwright_testkit::witness::{adler32, agree, ask, hex};
use mapwright_testkit::{corpus, files_below};
use mapwright_wrp::{Document, Name, Objects, Placements, Sentinel, Version, Wvr, Wvr8};

/// Prints the values that `wrp_dump.py` reads: a line per grid or list item, and the findings by name.
const SCRIPT: &str = r#"
import sys, zlib
sys.path.insert(0, sys.argv[1])
import wrp_dump
def grid(name, values):
    data = wrp_dump.le_bytes(values)
    print(name, len(data), zlib.adler32(data))
for file in sys.argv[2:]:
    print("file", file)
    try:
        d = wrp_dump.load(file)[1]
    except Exception:
        print("refused")
        continue
    print("variant", d["kind"])
    if d["kind"] == "8WVR":
        print("size", d["lx"], d["lz"], d["tx"], d["tz"], "%08x" % d["cell"])
        grid("heights", d["heights"])
        grid("cells", d["mat"])
        for material in d["mats"]:
            print("material", *(name.hex() or "-" for name in material))
        for i, (matrix, id, name) in enumerate(d["objs"]):
            print("sentinel" if i == d["sentinel"] else "object", matrix.hex(), id, name.hex())
    else:
        print("size", d["x"], d["z"])
        grid("heights", d["heights"])
        grid("cells", d["tex"])
        for name in d["names"]:
            print("slot", name.hex())
        for i, id, name, words in wrp_dump.wvr_objects(d):
            print("object", wrp_dump.hexwords(words), id, name.hex())
        end = d["terminator"]
        rest = [] if end is None else d["records"][end:]
        print("end", b"".join(rest).hex() + ("" if d["kind"] == "1WVR" else d["tail"].hex()))
        if d["nets"] is not None:
            for head, subs in d["nets"]["nets"]:
                print("net", head.hex(), *(sub.hex() for sub in subs))
            print("nets end", d["nets"]["end"].hex())
    if d["kind"] in ("8WVR", "1WVR"):
        print("tail", d["tail"].hex())
    if d["kind"] == "8WVR":
        for row in wrp_dump.asc(d, 200000.0, 0.0, 2).splitlines()[6:]:
            print("row", zlib.adler32(row.encode()))
"#;

#[test]
#[ignore = "needs the corpus"]
fn another_decoder_reads_the_same_from_the_corpus() {
    let Some(folder) = corpus("wrp") else { return };
    let mut files = files_below(&folder);
    files.retain(|file| file.extension().is_some_and(|extension| extension == "wrp"));
    files.retain(|file| file.file_name().is_some_and(|name| !name.to_string_lossy().contains("oprw")));
    let Some(theirs) = ask(SCRIPT, &files) else { return };
    let mut ours = String::new();
    for file in &files {
        let _ = writeln!(ours, "file {}", file.display());
        match Document::from_bytes(&std::fs::read(file).expect("a file of the corpus")) {
            Ok(document) => dump(&mut ours, &document),
            Err(_) => ours.push_str("refused\n"),
        }
    }
    agree(&ours, &theirs);
    assert!(files.len() >= 45, "only {} terrains", files.len());
}

fn dump(out: &mut String, document: &Document) {
    let _ = writeln!(out, "variant {}", document.variant());
    match document {
        Document::Wvr(terrain) => wvr(out, terrain),
        Document::Wvr8(terrain) => wvr8(out, terrain),
        Document::Oprw(_) => panic!("they were left out"),
    }
}

fn wvr(out: &mut String, terrain: &Wvr) {
    let [x, z] = terrain.size;
    let _ = writeln!(out, "size {x} {z}");
    grid(out, "heights", &terrain.heights.iter().flat_map(|height| height.to_le_bytes()).collect::<Vec<u8>>());
    grid(out, "cells", &terrain.textures.iter().flat_map(|texture| texture.to_le_bytes()).collect::<Vec<u8>>());
    for name in &terrain.names {
        let _ = writeln!(out, "slot {}", hex(&name.raw));
    }
    let width = terrain.version.record_size() - terrain.version.name_offset();
    for object in 0..terrain.objects.len() {
        let place = match &terrain.objects.placements {
            Placements::Matrices(matrices) => words(&matrices[object].to_bytes()),
            Placements::Headings(headings) => words(&headings[object].to_bytes()),
        };
        let id = terrain.objects.ids.get(object).map_or_else(|| "None".to_owned(), ToString::to_string);
        let name = model(&terrain.objects, object);
        let mut field = [&name.bytes[..], &name.rest].concat();
        field.resize(width, 0);
        let _ = writeln!(out, "object {place} {id} {}", hex(&field));
    }
    // The other decoder prints the roads of 1WVR before the trailing bytes, which it prints as records.
    let is_first = terrain.version == Version::Wvr1;
    let after = if is_first { &[][..] } else { &terrain.after };
    let _ = writeln!(out, "end {}{}", hex(terrain.terminator.as_deref().unwrap_or_default()), hex(after));
    if let Some(nets) = &terrain.nets {
        for net in &nets.nets {
            let parts: String = net.parts.iter().map(|part| format!(" {}", hex(&part.0))).collect();
            let _ = writeln!(out, "net {}{parts} {}", hex(&net.header), hex(&net.end));
        }
        let _ = writeln!(out, "nets end {}", hex(&nets.end));
    }
    if is_first {
        let _ = writeln!(out, "tail {}", hex(&terrain.after));
    }
}

fn wvr8(out: &mut String, terrain: &Wvr8) {
    let ([a, b], [c, d]) = (terrain.land, terrain.terrain);
    let _ = writeln!(out, "size {a} {b} {c} {d} {:08x}", terrain.cell.to_bits());
    grid(out, "heights", &terrain.heights.iter().flat_map(|height| height.to_le_bytes()).collect::<Vec<u8>>());
    grid(out, "cells", &terrain.cells.iter().flat_map(|cell| cell.to_le_bytes()).collect::<Vec<u8>>());
    for material in &terrain.materials {
        let names: Vec<String> = material.iter().map(|name| hex(name)).collect();
        let _ = writeln!(out, "material {}", names.join(" "));
    }
    let Placements::Matrices(matrices) = &terrain.objects.placements else { panic!("matrices") };
    let place = terrain.sentinel.map(|sentinel| matrices.len() - sentinel.followed_by);
    let end = |out: &mut String, at: usize| {
        if let Some(Sentinel { matrix, id, .. }) = terrain.sentinel.filter(|_| place == Some(at)) {
            let _ = writeln!(out, "sentinel {} {}", hex(&matrix.to_bytes()), id.cast_unsigned());
        }
    };
    for (object, matrix) in matrices.iter().enumerate() {
        end(out, object);
        let id = terrain.objects.ids[object].cast_unsigned();
        let _ =
            writeln!(out, "object {} {id} {}", hex(&matrix.to_bytes()), hex(&model(&terrain.objects, object).bytes));
    }
    end(out, matrices.len());
    let _ = writeln!(out, "tail {}", hex(&terrain.after));
    rows(out, terrain);
}

/// Prints the heights as Terrain Builder writes them, the northern row first.
fn rows(out: &mut String, terrain: &Wvr8) {
    let columns = (terrain.terrain[0] as usize).max(1);
    for row in terrain.heights.chunks(columns).rev() {
        let spell = |height: &f32| if height.is_nan() { "nan ".to_owned() } else { format!("{height:.2} ") };
        let _ = writeln!(out, "row {}", adler32(row.iter().map(spell).collect::<String>().as_bytes()));
    }
}

fn model(objects: &Objects, object: usize) -> &Name {
    &objects.models[objects.model[object] as usize]
}

fn grid(out: &mut String, name: &str, bytes: &[u8]) {
    let _ = writeln!(out, "{name} {} {}", bytes.len(), adler32(bytes));
}

fn words(bytes: &[u8]) -> String {
    let words = bytes.as_chunks::<4>().0.iter().map(|word| format!("{:08x}", u32::from_le_bytes(*word)));
    words.collect::<Vec<_>>().join(" ")
}

#[test]
#[ignore = "needs the corpus"]
fn a_corpus_terrain_matches_its_description() {
    let Some(folder) = corpus("wrp") else { return };
    let bytes = std::fs::read(folder.join("utes.wrp")).expect("a file of the corpus");
    let document = Document::from_bytes(&bytes).expect("a terrain");
    let Document::Wvr8(terrain) = &document else { panic!("an 8WVR") };
    assert_eq!(
        (terrain.land, terrain.terrain, terrain.cell, document.extent()),
        ([128; 2], [512; 2], 40.0, [5120.0; 2])
    );
    let ground = document.ground();
    let corners = [[0, 0], [511, 0], [0, 511], [511, 511]].map(|[x, z]| ground.vertex_height(x, z).map(f32::to_bits));
    assert_eq!(corners, [0xc2c7_cccd, 0xc2c6_0000, 0xc295_999a, 0xc2c6_0000].map(Some));
    assert_eq!(ground.vertex_height(468, 322).map(f32::to_bits), Some(0x8000_0000), "a zero below zero");
    assert_eq!(terrain.materials.len(), 256);
    let material = |cell: usize| terrain.material(terrain.cells[cell]).map(|name| name.ends_with(b"_L00.rvmat"));
    assert_eq!([material(0), material(127 * 128)], [Some(true); 2]);
    assert_eq!((terrain.objects.len(), terrain.objects.models.len()), (14_891, 128));
    let counts = terrain.objects.counts();
    let most = counts.iter().zip(&terrain.objects.models).max_by_key(|(count, _)| **count).expect("models");
    assert_eq!((*most.0, most.1.bytes.as_slice()), (3280, &b"dz\\plants\\bush\\b_betulahumilis_1s.p3d"[..]));
    let Placements::Matrices(matrices) = &terrain.objects.placements else { panic!("matrices") };
    assert_eq!((terrain.objects.ids[0], matrices[0].position), (0, [2964.2812, 39.0, 4507.674]));
    let sentinel = terrain.sentinel.expect("a sentinel");
    assert_eq!(sentinel, Sentinel { id: sentinel.id, ..Sentinel::new() });
}
