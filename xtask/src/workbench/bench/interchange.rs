//! Wavefront OBJ against `tobj`, glTF against `gltf`, GeoTIFF against `tiff` and PNG against `png`, each at three sizes: time and
//! memory must grow with the size.

use std::fmt::Write;
use std::io::Cursor;
use std::time::Duration;

use mapwright::io::math;
use mapwright_interchange::{gltf as glb, heightmap, obj};
use mapwright_scene::{Content, Heights, Import, NoFiles, Node, Scene, Terrain};
use rayon::{ThreadPool, ThreadPoolBuilder};

use super::{memory, race, ratio, speed, timed};

/// The number of quads along one side of the smallest mesh, and the factors of the sizes.
const SIDE: u32 = 250;
const SIZES: [u32; 3] = [1, 4, 16];

pub(super) fn bench() -> Result<(), String> {
    println!(
        "Megabytes of the file per second on one thread and on all, and its peak memory in multiples of the file.\n"
    );
    println!("| | file | one thread | all threads | peer | its speed | factors |\n|---|---|---|---|---|---|---|");
    let one = ThreadPoolBuilder::new().num_threads(1).build().map_err(|error| error.to_string())?;
    let mut peaks = Vec::new();
    for size in SIZES {
        meshes(size, &one, &mut peaks)?;
    }
    for size in SIZES {
        heightmaps(size, &one)?;
    }
    println!("\n| decoder | file | peak memory in multiples of it |\n|---|---|---|");
    for (way, bytes) in &peaks {
        println!("| {way} | {} | {} |", megabytes(bytes.len()), memory::measure(way, bytes, bytes.len())?);
    }
    Ok(())
}

/// Measures OBJ and glTF of a mesh.
fn meshes(size: u32, one: &ThreadPool, peaks: &mut Vec<(&'static str, Vec<u8>)>) -> Result<(), String> {
    let text = grid(SIDE * size.isqrt());
    let scene = read_obj(&text)?.scene;
    row("OBJ read", text.len(), one, || read_obj(&text), Some(("tobj", &mut timed(|| read_with_tobj(&text)))));
    let write = || obj::from_scene(&scene, &obj::ExportOptions::default());
    let written = write().map_err(|error| error.to_string())?.document.main.len();
    row("OBJ write", written, one, write, None);

    let write = || glb::from_scene(&scene, &NoFiles, &glb::ExportOptions::default());
    let file = write().map_err(|error| error.to_string())?.document.main;
    let plain = glb::ExportOptions::default().with_polygons(false);
    let plain = glb::from_scene(&scene, &NoFiles, &plain).map_err(|error| error.to_string())?.document.main;
    row("glb write", file.len(), one, write, None);
    row("glb read with polygons", file.len(), one, || read_glb(&file, true), None);
    for (what, weld) in [("glb read, welded", true), ("glb read, not welded", false)] {
        let theirs: &mut dyn FnMut() -> Duration = &mut timed(|| read_with_gltf(&plain));
        row(what, plain.len(), one, || read_glb(&plain, weld), Some(("gltf", theirs)));
    }
    peaks.extend([("obj", text.clone()), ("tobj", text)]);
    peaks.extend([("glb", plain.clone()), ("glb, not welded", plain.clone()), ("gltf", plain)]);
    Ok(())
}

/// Measures GeoTIFF and PNG of a terrain.
fn heightmaps(size: u32, one: &ThreadPool) -> Result<(), String> {
    let scene = terrain(SIDE * 2 * size.isqrt());
    for format in [heightmap::Format::Tif, heightmap::Format::Png] {
        let options = heightmap::ExportOptions::default().with_format(format);
        let write = || heightmap::from_scene(&scene, &options);
        let file = write().map_err(|error| error.to_string())?.document.main;
        let read = heightmap::ImportOptions::default().with_format(format);
        let read = || heightmap::to_scene(&file, &NoFiles, &read);
        read().map_err(|error| error.to_string())?;
        let (name, peer) = match format {
            heightmap::Format::Tif => ("GeoTIFF", "tiff"),
            _ => ("PNG", "png"),
        };
        let theirs: &mut dyn FnMut() -> Duration = &mut timed(|| pixels(format, &file));
        row(&format!("{name} read"), file.len(), one, read, Some((peer, theirs)));
        row(&format!("{name} write"), file.len(), one, write, None);
    }
    Ok(())
}

/// Measures a job on one thread and on all, and a peer beside it.
fn row<T: Send>(
    what: &str,
    bytes: usize,
    one: &ThreadPool,
    job: impl Fn() -> T + Sync,
    peer: Option<(&str, &mut dyn FnMut() -> Duration)>,
) {
    let (mut alone, mut together) = (timed(|| one.install(&job)), timed(&job));
    let start = format!("| {what} | {}", megabytes(bytes));
    let Some((name, theirs)) = peer else {
        let [alone, together] = race([&mut alone, &mut together]).map(|time| speed(bytes, time));
        println!("{start} | {alone} | {together} | | | |");
        return;
    };
    let [alone, together, theirs] = race([&mut alone, &mut together, theirs]);
    let factors = [alone, together].map(|ours| ratio(theirs, ours)).join(", ");
    let [alone, together, theirs] = [alone, together, theirs].map(|time| speed(bytes, time));
    println!("{start} | {alone} | {together} | {name} | {theirs} | {factors} |");
}

fn megabytes(bytes: usize) -> String {
    format!("{}.{} MB", bytes / 1_000_000, bytes / 100_000 % 10)
}

/// Reads an OBJ file with this project.
pub(super) fn read_obj(text: &[u8]) -> Result<Import, String> {
    obj::to_scene(text, &NoFiles, &obj::ImportOptions::default()).map_err(|error| error.to_string())
}

/// Reads an OBJ file with `tobj`.
pub(super) fn read_with_tobj(mut text: &[u8]) -> Result<Vec<tobj::Model>, String> {
    let options = tobj::LoadOptions::default();
    let (models, _) =
        tobj::load_obj_buf(&mut text, &options, |_| Ok(Default::default())).map_err(|error| error.to_string())?;
    Ok(models)
}

/// Reads a `.glb` with this project.
pub(super) fn read_glb(bytes: &[u8], weld: bool) -> Result<Import, String> {
    let options = glb::ImportOptions::default().with_weld(weld);
    glb::to_scene(bytes, &NoFiles, &options).map_err(|error| error.to_string())
}

/// Reads a `.glb` with `gltf`, and copies its attributes and indices.
pub(super) fn read_with_gltf(bytes: &[u8]) -> Result<usize, String> {
    let file = gltf::Gltf::from_slice(bytes).map_err(|error| error.to_string())?;
    let blob = file.blob.as_deref().unwrap_or_default();
    let mut columns = Vec::new();
    for primitive in file.meshes().flat_map(|mesh| mesh.primitives().collect::<Vec<_>>()) {
        let reader = primitive.reader(|_| Some(blob));
        columns.extend(reader.read_positions().map(|rows| rows.flatten().collect::<Vec<f32>>()));
        columns.extend(reader.read_normals().map(|rows| rows.flatten().collect()));
        columns.extend(reader.read_tex_coords(0).map(|rows| rows.into_f32().flatten().collect()));
        columns.extend(reader.read_indices().map(|rows| rows.into_u32().map(f32::from_bits).collect()));
    }
    Ok(columns.iter().map(Vec::len).sum())
}

/// Decodes the pixels of an image without an own copy in another type.
fn pixels(format: heightmap::Format, bytes: &[u8]) -> Result<usize, String> {
    if format == heightmap::Format::Tif {
        let mut decoder = tiff::decoder::Decoder::new(Cursor::new(bytes)).map_err(|error| error.to_string())?;
        return decoder.read_image().map(|_| bytes.len()).map_err(|error| error.to_string());
    }
    let mut reader = png::Decoder::new(Cursor::new(bytes)).read_info().map_err(|error| error.to_string())?;
    let mut pixels = vec![0; reader.output_buffer_size().ok_or("the image is too large")?];
    reader.next_frame(&mut pixels).map_err(|error| error.to_string())?;
    Ok(pixels.len())
}

/// Creates the text of a wavy grid of quads with texture coordinates and normals, with six decimals as Blender writes them.
pub(super) fn grid(side: u32) -> Vec<u8> {
    let mut text = String::from("o Grid\n");
    let places = || (0..=side).flat_map(|y| (0..=side).map(move |x| (f64::from(x), f64::from(y))));
    let height = |x: f64, y: f64| math::sin(x * 0.1) * math::cos(y * 0.13) * 3.0;
    for (x, y) in places() {
        let _ = writeln!(text, "v {:.6} {:.6} {:.6}", x * 0.25 - 31.0, height(x, y), y * -0.25);
    }
    for (x, y) in places() {
        let _ = writeln!(text, "vt {:.6} {:.6}", x / f64::from(side), y / f64::from(side));
    }
    for (x, y) in places() {
        let (dx, dy) = (height(x + 0.5, y) - height(x - 0.5, y), height(x, y + 0.5) - height(x, y - 0.5));
        let length = (dx * dx * 16.0 + dy * dy * 16.0 + 1.0).sqrt();
        let _ = writeln!(text, "vn {:.4} {:.4} {:.4}", -4.0 * dx / length, 1.0 / length, 4.0 * dy / length);
    }
    text.push_str("s 1\n");
    let row = side + 1;
    for corner in (0..side).flat_map(|y| (0..side).map(move |x| y * row + x + 1)) {
        text.push('f');
        for vertex in [corner, corner + 1, corner + row + 1, corner + row] {
            let _ = write!(text, " {vertex}/{vertex}/{vertex}");
        }
        text.push('\n');
    }
    text.into_bytes()
}

/// Creates a wavy terrain with heights in centimetres.
fn terrain(side: u32) -> Scene {
    #[expect(clippy::cast_possible_truncation, reason = "the heights are small numbers of centimetres")]
    let height = |x: u32, y: u32| {
        let (x, y) = (f64::from(x), f64::from(y));
        (math::sin(x * 0.1) * math::cos(y * 0.13) * 3000.0 + math::sin(x * y) * 50.0).round() as f32 / 100.0
    };
    let heights = Heights::F32((0..side).flat_map(|y| (0..side).map(move |x| height(x, y))).collect());
    let mut scene = Scene::default();
    let terrain = Terrain::new([side; 2], [10.0; 2], heights);
    let id = scene.terrains.push(terrain);
    scene.add_node(None, Node::new("ground", Content::Terrain(id)));
    scene
}
