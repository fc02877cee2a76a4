//! L7: an independent decoder in another language finds the same triangles, texture coordinates and pixels.

use std::io::Write as _;
use std::path::PathBuf;
use std::process::Command;
use std::{fs, io};

use mapwright_acknex::{Image, Mesh, Model, Palette, Skin, SkinContent, Terrain, Triangle, Wad, Wmb, dds};
use mapwright_testkit::witness::hex;
use mapwright_testkit::{corpus, files_below, workspace};
use sha2::{Digest as _, Sha256};

use crate::support::greys;

/// Prints the skins and triangles of models and terrains, as the oracle reads them.
const DRIVER: &str = r#"
import hashlib, sys
sys.path.insert(0, sys.argv[1])
import acknex_mesh_dump as mesh, acknex_tex_dump as tex
for path in sys.argv[2:]:
    print("file", path)
    try:
        data = open(path, "rb").read()
        model = mesh.parse(data)
    except Exception as error:
        print("error")
        continue
    for skin in model["skins"]:
        if "file" in skin:
            print("skin external", skin["file"].encode("latin-1").hex())
        elif "same_as" in skin:
            print("skin same", skin["same_as"])
        elif "dds" in skin:
            width, height, pixels = tex.dds(skin["dds"])
            print("skin", width, height, hashlib.sha256(pixels).hexdigest())
        elif skin["width"] and "pixels" in skin:
            size = skin["width"], skin["height"]
            print("skin", *size, hashlib.sha256(tex.expand(skin["type"] & 7, *size, skin["pixels"])).hexdigest())
        else:
            print("skin none")
    frames = model["numframes"] if "numframes" in model else max((len(g["frames"]) for g in model["groups"]), default=0)
    for frame in sorted({0, frames // 2, max(frames - 1, 0)}):
        print("frame", frame)
        for points, uvs, skin in mesh.pose(model, frame):
            numbers = [c for p in points for c in p] + [c for uv in uvs or [] for c in uv]
            print("triangle", -1 if skin is None else skin, *map(repr, numbers))
"#;

/// Returns the folder of the oracles, if this machine has them and their interpreter.
fn oracles() -> Option<PathBuf> {
    let folder = workspace().parent()?.join("shared/oracles");
    let runs = Command::new("python3").arg("--version").output().is_ok_and(|output| output.status.success());
    if folder.join("acknex_mesh_dump.py").is_file() && runs {
        return Some(folder);
    }
    let _ = writeln!(io::stderr(), "SKIPPED: no python3 or no oracles to compare with");
    None
}

fn sha256(image: &Image) -> String {
    hex(&Sha256::digest(&image.rgba))
}

fn skin_line(skin: &Skin, palette: &Palette) -> String {
    match &skin.content {
        SkinContent::External(name) => format!("skin external {}", hex(name)),
        SkinContent::SameAs(skin) => format!("skin same {skin}"),
        SkinContent::Empty => "skin none".to_owned(),
        SkinContent::Pixels { .. } | SkinContent::Dds(_) => {
            let image = skin.image(Some(palette)).unwrap().unwrap();
            format!("skin {} {} {}", image.size[0], image.size[1], sha256(&image))
        }
    }
}

/// The skins of a file, and its meshes in a frame.
struct Decoded {
    skins: Vec<Skin>,
    meshes: Box<dyn Fn(usize) -> Vec<Mesh>>,
}

fn decode(bytes: &[u8]) -> Option<Decoded> {
    if let Ok(model) = Model::from_bytes(bytes) {
        let groups = model.groups;
        // Files of the corpus have no triangles that are repaired.
        let poses = move |frame: usize| {
            let pose = |group: &Mesh| {
                // The oracle shows the last pose of MDL2 to MDL5 for frames that do not exist; all groups have the same frames.
                Mesh { positions: group.pose(frame).into_owned(), ..group.clone() }
            };
            groups.iter().map(pose).collect()
        };
        return Some(Decoded { skins: model.skins, meshes: Box::new(poses) });
    }
    let terrain = Terrain::from_bytes(bytes).ok()?;
    let skins = terrain.skins.clone();
    Some(Decoded { skins, meshes: Box::new(move |frame| vec![terrain.to_mesh(frame)]) })
}

fn numbers(mesh: &Mesh, triangle: &Triangle) -> Vec<f64> {
    let positions = triangle.vertices.iter().flat_map(|&vertex| mesh.positions[vertex as usize]);
    positions.chain(triangle.uvs.into_iter().flatten().flatten()).map(f64::from).collect()
}

#[test]
#[ignore = "needs the corpus"]
fn another_decoder_finds_the_same_triangles_and_skins_in_the_corpus() {
    let (Some(folder), Some(oracles)) = (corpus("acknex"), oracles()) else { return };
    let is_mesh = |path: &PathBuf| {
        path.extension().is_some_and(|end| end.eq_ignore_ascii_case("mdl") || end.eq_ignore_ascii_case("hmp"))
    };
    let paths: Vec<PathBuf> = files_below(&folder).into_iter().filter(is_mesh).collect();
    let output = Command::new("python3").args(["-c", DRIVER]).arg(oracles).args(&paths).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let theirs = String::from_utf8(output.stdout).unwrap();
    let (mut triangles, mut skins, mut read, mut rejected) = (0, 0, 0, 0);
    for (path, part) in paths.iter().zip(theirs.split("file ").skip(1)) {
        let name = path.display();
        let mut lines = part.lines().skip(1).peekable();
        let decoded = decode(&fs::read(path).unwrap());
        if lines.peek() == Some(&"error") {
            assert!(decoded.is_none(), "{name} is accepted");
            rejected += 1;
            continue;
        }
        let Decoded { skins: ours, meshes } = decoded.unwrap_or_else(|| panic!("{name} is rejected"));
        for skin in &ours {
            assert_eq!(lines.next(), Some(&*skin_line(skin, &greys())), "{name}");
            skins += 1;
        }
        while let Some(line) = lines.next() {
            let frame = line.strip_prefix("frame ").unwrap_or_else(|| panic!("{name}: {line}")).parse().unwrap();
            for mesh in meshes(frame) {
                for triangle in &mesh.triangles {
                    let mut words =
                        lines.next().unwrap_or_else(|| panic!("{name}: too many triangles")).split(' ').skip(1);
                    let skin: i64 = words.next().unwrap().parse().unwrap();
                    assert_eq!(triangle.skin.map_or(-1, i64::from), skin, "{name}");
                    let theirs: Vec<f64> = words.map(|word| word.parse().unwrap()).collect();
                    let ours = numbers(&mesh, triangle);
                    let is_near = |(a, b): (&f64, &f64)| (a - b).abs() <= 1e-6 * a.abs().max(1.0);
                    let is_same = ours.len() == theirs.len() && ours.iter().zip(&theirs).all(is_near);
                    assert!(is_same, "{name} frame {frame}: {ours:?} {theirs:?}");
                    triangles += 1;
                }
            }
        }
        read += 1;
    }
    println!("{read} files read, {rejected} rejected, {skins} skins, {triangles} triangles");
    assert!(read >= 70 && rejected == 2 && triangles > 100_000);
}

/// Returns the lines of the expected textures of a file: name, width, height and digest.
fn expected<'a>(table: &'a str, file: &str) -> impl Iterator<Item = Vec<&'a str>> {
    let file = file.to_owned();
    table.lines().map(|line| line.split('\t').collect::<Vec<_>>()).filter(move |columns| columns[0] == file)
}

fn assert_texture(file: &str, columns: &[&str], name: &[u8], image: &Image) {
    let ours = [image.size[0].to_string(), image.size[1].to_string(), sha256(image)];
    assert_eq!(
        (columns[1].as_bytes(), [columns[2], columns[3], columns[6]]),
        (name, [0, 1, 2].map(|at| &*ours[at])),
        "{file}"
    );
}

#[test]
#[ignore = "needs the corpus"]
fn textures_of_the_corpus_have_the_expected_pixels() {
    let Some(folder) = corpus("acknex") else { return };
    let table = fs::read_to_string(folder.join("EXPECTED_tex.tsv")).unwrap();
    let (mut textures, mut images, mut levels) = (0, 0, 0);
    for path in files_below(&folder) {
        let bytes = fs::read(&path).unwrap();
        let file = path.strip_prefix(&folder).unwrap().display().to_string();
        let mut lines = expected(&table, &file);
        if dds::is_dds(&bytes) {
            assert_texture(&file, &lines.next().unwrap(), b"", &dds::decode(&bytes).unwrap());
            images += 1;
        } else if let Ok(wad) = Wad::from_bytes(&bytes) {
            // Archives of WAD7 contain Quake's palette.
            assert!(wad.palette.as_ref().is_none_or(|palette| *palette == Palette::quake()), "{file}");
            for texture in &wad.textures {
                assert_texture(
                    &file,
                    &lines.next().unwrap(),
                    texture.name.text(),
                    &texture.image(Some(&greys())).unwrap(),
                );
                textures += 1;
            }
        } else if let Ok(level) = Wmb::from_bytes(&bytes) {
            for texture in level.textures() {
                let palette = level.palette.clone().unwrap_or_else(greys);
                assert_texture(
                    &file,
                    &lines.next().unwrap(),
                    texture.name.text(),
                    &texture.image(Some(&palette)).unwrap(),
                );
                textures += 1;
            }
            if let Some(columns) = lines.next() {
                let mesh = level.faces().unwrap();
                assert_eq!(columns[2], format!("{} faces", mesh.faces.len()), "{file}");
                assert_eq!(
                    (columns[3], columns[4]),
                    (&*bound("low", &mesh, f32::min), &*bound("high", &mesh, f32::max)),
                    "{file}"
                );
                levels += 1;
            }
        } else {
            continue;
        }
        assert!(lines.next().is_none(), "{file}");
    }
    println!("{textures} textures, {images} DDS images, {levels} levels");
    assert!(textures >= 16 && images == 5 && levels >= 6);
}

/// Formats a bound as the oracle does. The corpus has whole and half numbers.
fn bound(name: &str, mesh: &mapwright_acknex::LevelMesh, choose: fn(f32, f32) -> f32) -> String {
    let corners = || mesh.corners.iter().map(|corner| mesh.positions[corner.vertex as usize]);
    let axis = |axis: usize| corners().map(|position| position[axis]).reduce(choose).unwrap();
    let numbers = [0, 1, 2].map(|at| format!("'{}'", axis(at)));
    format!("{name} [{}]", numbers.join(", "))
}
