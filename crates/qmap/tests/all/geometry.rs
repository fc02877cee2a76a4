//! Planes, texture axes and polygons, by hand and against an independent decoder.

use std::fmt::Write as _;

use mapwright_qmap::geometry::{BrushProblem, TextureAxes, base_axes, clip_polygons};
use mapwright_qmap::query::{EditObjects, EditOptions};
use mapwright_qmap::{Document, Face, Patch, Plane, Primitive};
use mapwright_testkit::witness::ask;

use crate::support::{corpus_maps, cube, cube_at, map};

fn polygons(faces: &str) -> Result<Vec<Vec<[f64; 3]>>, BrushProblem> {
    let map = map(format!("{{ {{ {faces} }} }}"));
    let planes: Vec<_> = map.primitives().next().expect("a brush").faces().map(Face::half_space).collect();
    clip_polygons(&planes)
}

#[test]
fn a_cube_has_six_squares_that_are_clockwise_from_outside() {
    let polygons = polygons(&cube("t 0 0 0 1 1")).unwrap();
    assert_eq!(polygons.len(), 6);
    assert!(polygons.iter().all(|polygon| polygon.len() == 4));
    // The west side, seen from the west.
    assert!(polygons[0].iter().all(|corner| corner[0].abs() < 1e-9));
    let [a, b, c, ..] = polygons[0][..] else { panic!("a square") };
    let turn = (b[1] - a[1]) * (c[2] - b[2]) - (b[2] - a[2]) * (c[1] - b[1]);
    assert!(turn > 0.0, "north is to the left, so that the order from north to up is clockwise");
}

#[test]
fn faces_that_are_no_solid_are_reported() {
    let cube = cube("t 0 0 0 1 1");
    let lines: Vec<&str> = cube.lines().collect();
    assert_eq!(polygons(&lines[..5].join("\n")), Err(BrushProblem::Open));
    let far = "( 128 0 0 ) ( 128 1 0 ) ( 128 0 1 ) t 0 0 0 1 1";
    assert_eq!(polygons(&format!("{cube}{far}")), Err(BrushProblem::Empty), "the west of x = 128 is outside");
    assert_eq!(polygons(&format!("{}\n", cube.repeat(171))).map(|_| ()), Err(BrushProblem::TooManyFaces(1026)));
    // The second of two equal planes, and a face in a line, have no polygon.
    let odd = format!("{cube}{}\n( 0 0 0 ) ( 1 0 0 ) ( 2 0 0 ) t 0 0 0 1 1", lines[0]);
    let sizes: Vec<usize> = polygons(&odd).unwrap().iter().map(Vec::len).collect();
    assert_eq!(sizes, [4, 4, 4, 4, 4, 4, 0, 0]);
}

#[test]
fn planes_of_doom_3_equal_those_of_points() {
    let planes = ["-1 0 0 0", "0 -1 0 0", "0 0 -1 0", "2 0 0 -128", "0 1 0 -64", "0 0 1 -64"];
    let face = |plane: &str| format!("( {plane} ) ( ( 1 0 0 ) ( 0 1 0 ) ) \"a\" 0 0 0\n");
    let doom = polygons(&format!("brushDef3 {{ {} }}", planes.map(face).concat())).unwrap();
    let points = polygons(&cube("t 0 0 0 1 1")).unwrap();
    let sorted = |polygons: Vec<Vec<[f64; 3]>>| {
        let mut corners: Vec<_> = polygons.into_iter().flatten().map(|c| c.map(|part| part.round() + 0.0)).collect();
        corners.sort_by(|a, b| a.partial_cmp(b).expect("finite numbers"));
        corners
    };
    assert_eq!(sorted(doom), sorted(points));
}

#[test]
fn the_first_of_equal_base_axes_counts() {
    let half = 0.5_f64.sqrt();
    assert_eq!(base_axes([half, 0.0, half]), [[1.0, 0.0, 0.0], [0.0, -1.0, 0.0]]);
    assert_eq!(base_axes([half, half, 0.0]), [[0.0, 1.0, 0.0], [0.0, 0.0, -1.0]]);
    assert_eq!(base_axes([0.0, -half, -half]), [[1.0, 0.0, 0.0], [0.0, -1.0, 0.0]]);
}

#[test]
fn brushes_are_snapped_if_their_corners_are_near_the_grid() {
    let near = cube("t 0 0 0 1 1").replace(" 64 ", " 64.2 ").replace(" 65 ", " 65.2 ");
    let mut map = map(format!(
        "{{ \"classname\" \"worldspawn\" {{\n{near}}}\n{{\n{}}} }}",
        cube_at([128, 0, 0], 64, "t 0 0 0 1 1")
    ));
    let old = map.clone();
    let edited = map.apply(&"snap *: 1".parse().unwrap(), &EditOptions::default()).unwrap();
    assert_eq!((edited.to_string(), edited.losses.len()), ("1 of 2 brushes snapped".to_owned(), 0));
    let points = |map: &Document| map.primitives().flat_map(Primitive::faces).map(Face::plane).collect::<Vec<_>>();
    assert!(points(&map).iter().all(
        |plane| matches!(plane, Plane::Points(points) if points.iter().flatten().all(|part| part.fract() == 0.0))
    ));
    // Faces on the grid keep their points.
    assert_eq!(points(&map)[..3], points(&old)[..3]);
    assert_eq!(points(&map)[6..], points(&old)[6..]);

    let mut slanted = crate::support::map(format!(
        "{{ {{\n{}( 64 64 40.5 ) ( 64 32 64 ) ( 32 64 64 ) t 0 0 0 1 1\n}} }}",
        cube("t 0 0 0 1 1")
    ));
    let old = slanted.clone();
    let edited = slanted.apply(&"snap kind=brush: 64".parse().unwrap(), &EditOptions::default()).unwrap();
    assert_eq!((edited.losses.len(), slanted == old), (1, true), "a corner would move by half of the brush");
    assert!(slanted.apply(&"snap *: 0".parse().unwrap(), &EditOptions::default()).is_err());
}

#[test]
fn snapping_keeps_every_brush_of_the_corpus() {
    let solids = |map: &Document| {
        let planes = |primitive: Primitive<'_>| primitive.faces().map(Face::half_space).collect::<Vec<_>>();
        let brushes = map.primitives().filter(|primitive| primitive.kind().is_brush());
        let faces = brushes.map(|brush| {
            clip_polygons(&planes(brush))
                .map_or(0, |polygons| polygons.iter().filter(|polygon| !polygon.is_empty()).count())
        });
        faces.collect::<Vec<_>>()
    };
    let mut snapped = 0;
    for path in corpus_maps() {
        let map = Document::from_vec(std::fs::read(&path).expect("a file")).expect("a map");
        for step in ["1", "0.125"] {
            let mut new = map.clone();
            let options = EditOptions::default().with_allow_no_match(true);
            snapped +=
                new.apply(&format!("snap *: {step}").parse().expect("an edit"), &options).expect("applied").changed;
            assert_eq!(solids(&new), solids(&map), "{} {step}", path.display());
        }
    }
    assert!(corpus_maps().is_empty() || snapped > 20, "{snapped}");
}

#[test]
fn patches_are_divided_with_normals_on_the_visible_side() {
    // A floor whose outer groups go east and whose inner points go north.
    let row = |x: i32| format!("( ( {x} 0 0 0 0 ) ( {x} 8 0 0 0.5 ) ( {x} 16 0 0 1 ) )");
    let map = map(format!("{{ {{ patchDef2 {{ a ( 3 3 0 0 0 ) ( {} {} {} ) }} }} }}", row(0), row(8), row(16)));
    let patch = map.primitives().next().and_then(Primitive::patch).unwrap();
    let grid = patch.tessellate([2, 4], 100).unwrap();
    assert_eq!((grid.columns, grid.points.len()), (3, 15));
    assert_eq!((grid.points[1].position, grid.points[1].uv), ([8.0, 0.0, 0.0], [0.0, 0.0]));
    assert_eq!((grid.points[14].position, grid.points[14].uv), ([16.0, 16.0, 0.0], [0.0, 1.0]));
    assert!(grid.normals.iter().all(|normal| *normal == [0.0, 0.0, 1.0]), "it looks up");
    assert_eq!((patch.tessellate([2, 4], 14), patch.tessellate([0, 4], 100)), (None, None));
    let even = map_with_patch("2 1", "( ( 0 0 0 0 0 ) ) ( ( 0 0 0 0 0 ) )");
    assert_eq!(even.primitives().next().and_then(Primitive::patch).unwrap().tessellate([2, 2], 100), None);
    // A fan: all points of one side are the same, so the first row has no normal of its own.
    let tip = "( ( 0 0 0 0 0 ) ( 8 -8 0 0 0 ) ( 16 -16 0 0 0 ) )";
    let fan = map_with_patch(
        "3 3",
        &format!(
            "{tip} ( ( 0 0 0 0 0 ) ( 8 0 0 0 0 ) ( 16 0 0 0 0 ) ) ( ( 0 0 0 0 0 ) ( 8 8 0 0 0 ) ( 16 16 0 0 0 ) )"
        ),
    );
    let grid = fan.primitives().next().and_then(Primitive::patch).unwrap().tessellate([4, 4], 100).unwrap();
    assert!(grid.normals.iter().all(|normal| normal[2].abs() == 1.0), "{:?}", grid.normals);
}

fn map_with_patch(size: &str, rows: &str) -> Document {
    map(format!("{{ {{ patchDef2 {{ a ( {size} 0 0 0 ) ( {rows} ) }} }} }}"))
}

/// Prints the points of all patches.
const PATCH_DRIVER: &str = r#"
import sys
sys.path.insert(0, sys.argv[1])
import quake_map_dump as oracle
for path in sys.argv[2:]:
    print("file", path)
    for entity in oracle.parse(open(path, "rb").read())["entities"]:
        for primitive in entity["primitives"]:
            if "rows" in primitive:
                for row in oracle.tessellate(primitive, 8):
                    print("row", *(float(part).hex() for point in row for part in point))
"#;

#[test]
fn an_independent_decoder_divides_patches_in_the_same_way() {
    let files = corpus_maps();
    if files.is_empty() {
        return;
    }
    let Some(theirs) = ask(PATCH_DRIVER, &files) else { return };
    let mut theirs = theirs.lines();
    let mut count = 0;
    for path in &files {
        assert_eq!(theirs.next(), Some(&*format!("file {}", path.display())));
        let map = Document::from_vec(std::fs::read(path).expect("a file")).expect("a map");
        for patch in map.primitives().filter_map(Primitive::patch) {
            let grid = patch.tessellate([Patch::SEGMENTS; 2], 1 << 20).expect("a patch");
            for row in grid.points.chunks(grid.columns) {
                let line = theirs.next().and_then(|line| line.strip_prefix("row")).expect("a row");
                let exact: Vec<f64> = line.split_whitespace().map(parse_hex).collect();
                let ours: Vec<f64> = row.iter().flat_map(|point| [&point.position[..], &point.uv].concat()).collect();
                assert_eq!(ours.len(), exact.len());
                assert!(ours.iter().zip(&exact).all(|(a, b)| (a - b).abs() < 1e-9), "{}", path.display());
            }
            assert!(grid.normals.iter().filter(|normal| **normal != [0.0; 3]).count() * 10 > grid.normals.len() * 9);
            count += 1;
        }
    }
    assert!(theirs.next().is_none() && count > 100, "{count} patches");
}

#[test]
fn compiled_maps_have_the_same_texture_axes() {
    let Some(folder) = mapwright_testkit::corpus("quake-map") else { return };
    let lines = std::fs::read_to_string(folder.join("qbsp_texinfo.jsonl")).expect("a list");
    let mut found = 0;
    for line in lines.lines() {
        let line: serde_json::Value = serde_json::from_str(line).expect("JSON");
        let name = line["file"].as_str().expect("a name");
        let map = Document::from_vec(std::fs::read(folder.join(name)).expect("a file")).expect("a map");
        let axes: Vec<[[f64; 4]; 2]> = map
            .primitives()
            .flat_map(Primitive::faces)
            .filter_map(|face| match face.texture_axes()? {
                TextureAxes::Texels(axes) => Some(axes),
                // The compiler assumes 64 texels for textures that it does not find.
                TextureAxes::Repeats(axes) => Some(axes.map(|axis| axis.map(|part| part * 64.0))),
            })
            .collect();
        let pairs: Vec<[[f64; 4]; 2]> = serde_json::from_value(line["texinfo"].clone()).expect("pairs of axes");
        for pair in pairs {
            let is_near = |axes: &&[[f64; 4]; 2]| {
                axes.as_flattened().iter().zip(pair.as_flattened()).all(|(a, b)| (a - b).abs() < 1e-3)
            };
            assert!(axes.iter().any(|axes| is_near(&axes)), "{name}: {pair:?}");
            found += 1;
        }
    }
    assert!(found > 100, "{found}");
}

/// Prints the exact corners of brushes of up to 12 faces, and the texture axes of all faces with a plane.
const DRIVER: &str = r#"
import sys
sys.path.insert(0, sys.argv[1])
import quake_map_dump as oracle
for path in sys.argv[2:]:
    print("file", path)
    for entity in oracle.parse(open(path, "rb").read())["entities"]:
        for primitive in entity["primitives"]:
            if "faces" not in primitive:
                continue
            planes = oracle.planes(primitive)
            if len(planes) <= 12:
                corners = oracle.vertices([plane for plane in planes if any(plane[0])])
                print("corners", *(float(part).hex() for corner in sorted(corners) for part in corner))
            for face, plane in zip(primitive["faces"], planes):
                if any(plane[0]):
                    print("axes", *(float(part).hex() for axis in oracle.texvecs(face, plane, (1, 1)) for part in axis))
"#;

fn parse_hex(word: &str) -> f64 {
    let (sign, digits) = word.strip_prefix('-').map_or((1.0, word), |digits| (-1.0, digits));
    let (mantissa, exponent) = digits.trim_start_matches("0x").split_once('p').expect("an exponent");
    let (whole, fraction) = mantissa.split_once('.').expect("a point");
    let number = u64::from_str_radix(&format!("{whole}{fraction}"), 16).expect("digits") as f64;
    let exponent: i32 = exponent.parse().expect("an exponent");
    let exponent = exponent - 4 * i32::try_from(fraction.len()).expect("a length");
    (0..exponent.abs()).fold(sign * number, |number, _| if exponent < 0 { number / 2.0 } else { number * 2.0 })
}

#[test]
fn an_independent_decoder_finds_the_same_corners_and_axes() {
    let files = corpus_maps();
    if files.is_empty() {
        return;
    }
    let Some(theirs) = ask(DRIVER, &files) else { return };
    let mut theirs = theirs.lines();
    let (mut brushes, mut faces) = (0, 0);
    for path in &files {
        let name = format!("file {}", path.display());
        assert_eq!(theirs.next(), Some(&*name));
        let map = Document::from_vec(std::fs::read(path).expect("a file")).expect("a map");
        for primitive in map.primitives().filter(|primitive| primitive.kind().is_brush()) {
            let planes: Vec<_> = primitive.faces().map(Face::half_space).collect();
            if planes.len() <= 12 {
                let line = theirs.next().and_then(|line| line.strip_prefix("corners")).expect("corners");
                let numbers: Vec<f64> = line.split_whitespace().map(parse_hex).collect();
                let exact: Vec<[f64; 3]> = numbers.chunks(3).map(|c| [c[0], c[1], c[2]]).collect();
                let is_near = |a: &[f64; 3], b: &[f64; 3]| a.iter().zip(b).all(|(a, b)| (a - b).abs() < 1e-6);
                if let Ok(polygons) = clip_polygons(&planes) {
                    let ours: Vec<[f64; 3]> = polygons.into_iter().flatten().collect();
                    assert!(ours.iter().all(|a| exact.iter().any(|b| is_near(a, b))), "{name}: {ours:?} {exact:?}");
                    assert!(exact.iter().all(|a| ours.iter().any(|b| is_near(a, b))), "{name}: {ours:?} {exact:?}");
                    brushes += 1;
                } else {
                    assert!(exact.len() < 4, "{name}: a brush with {} corners is refused", exact.len());
                }
            }
            for face in primitive.faces() {
                let Some(axes) = face.texture_axes() else { continue };
                let (TextureAxes::Texels(axes) | TextureAxes::Repeats(axes)) = axes;
                let line = theirs.next().and_then(|line| line.strip_prefix("axes")).expect("axes");
                let exact: Vec<f64> = line.split_whitespace().map(parse_hex).collect();
                let differences = axes.as_flattened().iter().zip(&exact).map(|(ours, exact)| (ours - exact).abs());
                let mut report = String::new();
                let _ = write!(report, "{name}: {axes:?} {exact:?}");
                assert!(differences.fold(0.0, f64::max) < 1e-9, "{report}");
                faces += 1;
            }
        }
    }
    assert!(theirs.next().is_none() && brushes > 100 && faces > 1000, "{brushes} brushes, {faces} faces");
}
