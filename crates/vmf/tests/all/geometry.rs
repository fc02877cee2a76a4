//! Polygons of solids and points of displacements.

use std::fmt::Write as _;

use mapwright_testkit::witness::{agree, ask};
use mapwright_vmf::Document;
use mapwright_vmf::geometry::{DisplacementGrid, DisplacementProblem, HalfSpace, MAX_SIDES, SolidProblem};

use crate::support::{box_sides, corpus_map, corpus_maps, map, world};
use crate::witness::float_hex;

fn polygons(sides: &str) -> Result<Vec<Vec<[f64; 3]>>, SolidProblem> {
    map(world(sides)).solids().next().expect("a solid").polygons()
}

#[test]
fn polygons_of_a_box_are_clockwise_rectangles() {
    let text = world(&box_sides([-8, 0, 0], [64, 128, 256], 1, ""));
    let map = map(&text);
    let solid = map.solids().next().unwrap();
    let polygons = solid.polygons().unwrap();
    assert_eq!(polygons.len(), 6);
    for (polygon, side) in polygons.iter().zip(solid.sides()) {
        let &[a, b, c, _] = polygon.as_slice() else { panic!("{polygon:?}") };
        let own = side.half_space().unwrap();
        // The corners give the same plane as the points of the file, and all are on it.
        assert_eq!(HalfSpace::from_points([a, b, c]).unwrap().normal, own.normal);
        assert!(polygon.iter().all(|&corner| own.distance_to(corner) == 0.0));
    }
    let mut top = polygons[0].clone();
    top.sort_by(|a, b| a.partial_cmp(b).unwrap());
    assert_eq!(top, [[-8.0, 0.0, 256.0], [-8.0, 128.0, 256.0], [64.0, 0.0, 256.0], [64.0, 128.0, 256.0]]);
}

#[test]
fn solids_that_enclose_no_body_are_rejected() {
    let good = box_sides([0, 0, 0], [64, 64, 64], 1, "");
    let without = |count: usize| {
        let sides: Vec<&str> = good.split_inclusive("\t\t}\n").collect();
        sides[count..].concat()
    };
    let side = |plane: &str| format!("side\n{{\n\"plane\" \"{plane}\"\n}}\n");
    for (sides, expected) in [
        (without(1), SolidProblem::Open),
        (without(4), SolidProblem::FewFaces(2)),
        (String::new(), SolidProblem::FewFaces(0)),
        (without(0) + &side("(0 0 0) (1 1 1) (2 2 2)"), SolidProblem::NoPlane(6)),
        (without(0) + &side("(0 0 0) (1 1)"), SolidProblem::NoPlane(6)),
        (without(0) + &side("(0 0 0) (1e300 0 0) (0 1e300 0)"), SolidProblem::NoPlane(6)),
        (without(0) + &side("(1 3 64) (9 3 64) (9 2 64)"), SolidProblem::SamePlane(0, 6)),
        (side("(0 0 0) (1 0 0) (0 1 0)").repeat(MAX_SIDES + 1), SolidProblem::TooManySides(MAX_SIDES + 1)),
    ] {
        assert_eq!(polygons(&sides), Err(expected), "{sides}");
    }
    // A plane that only touches the body has no polygon.
    let touching = polygons(&(good.clone() + &side("(0 0 70) (0 1 70) (1 0 70)"))).unwrap();
    assert_eq!(touching.iter().map(Vec::len).collect::<Vec<_>>(), [4, 4, 4, 4, 4, 4, 0]);
}

#[test]
fn texels_follow_from_axes_shifts_and_scales() {
    let axes = "\"uaxis\" \"[0 1 0 16] 0.25\"\n\"vaxis\" \"[0 0 -1 -8] 0\"\n";
    let map = map(world(&box_sides([0, 0, 0], [64, 64, 64], 1, axes)));
    let side = map.solids().next().unwrap().sides().next().unwrap();
    // A scale of 0 counts as 1.
    assert_eq!(side.texels([5.0, 32.0, 64.0]), Some([144.0, -72.0]));
}

fn rows(numbers: &str, count: usize) -> String {
    (0..count).map(|row| format!("\"row{row}\" \"{numbers}\" ")).collect()
}

/// The points of a displacement on top of a box of 64 units.
fn grid(content: &str) -> Result<DisplacementGrid, DisplacementProblem> {
    let sides = box_sides([0, 0, 0], [64, 64, 64], 1, "");
    let sides = sides.replacen("\t\t}\n", &format!("dispinfo {{ {content} }}\n\t\t}}\n"), 1);
    let map = map(world(&sides));
    let solid = map.solids().next().unwrap();
    let side = solid.sides().next().unwrap();
    let displacement = side.displacement().unwrap();
    let grid = displacement.grid(&solid.polygons().unwrap()[0], side.half_space().unwrap().normal);
    assert!(displacement.problem() == grid.as_ref().err().copied() || grid == Err(DisplacementProblem::Corners(4)));
    grid
}

#[test]
fn displacements_move_the_points_of_a_grid() {
    let arrays = format!(
        "normals {{ {} }} distances {{ \"row0\" \"0 0 0\" \"row1\" \"0 2 0\" \"row2\" \"0 0 8\" }} offsets {{ {} }} alphas {{ {} }}",
        rows("0 0 1 0 0 1 1 0 0", 3),
        rows("0 0 0 0 0 0 0 1 0", 3),
        rows("0 128 255", 3)
    );
    // The nearest corner is the first one. Rows run to the next corner clockwise: from (64, 0) to (0, 0), seen from above.
    let grid = grid(&format!("power 1 startposition \"[60 5 64]\" elevation 10 {arrays}")).unwrap();
    assert_eq!((grid.size, grid.points.len(), grid.alphas[..3].to_vec()), (3, 9, vec![0.0, 128.0, 255.0]));
    assert_eq!(grid.flat_points[0], [64.0, 0.0, 64.0]);
    assert_eq!((grid.flat_points[6], grid.flat_points[8]), ([0.0, 0.0, 64.0], [0.0, 64.0, 64.0]));
    assert_eq!(grid.points[0], [64.0, 0.0, 74.0]);
    assert_eq!(grid.points[4], [32.0, 32.0, 76.0]);
    assert_eq!(grid.points[8], [8.0, 65.0, 74.0]);
    // Diagonals alternate, and triangles are clockwise as seen from above.
    let triangles: Vec<_> = grid.triangles().collect();
    assert_eq!(triangles[..4], [[0, 3, 4], [0, 4, 1], [1, 4, 2], [4, 5, 2]]);
    assert_eq!(triangles[4..], [[3, 6, 4], [6, 7, 4], [4, 7, 8], [4, 8, 5]]);
    let normal =
        |[a, b, c]: [usize; 3]| HalfSpace::from_points([a, b, c].map(|index| grid.flat_points[index])).unwrap();
    assert!(triangles.into_iter().all(|triangle| normal(triangle).normal == [0.0, 0.0, 1.0]));
}

#[test]
fn displacements_with_wrong_arrays_are_rejected() {
    let (normals, distances) = (rows("0 0 1 0 0 1 0 0 1", 3), rows("0 0 0", 3));
    let valid = format!("normals {{ {normals} }} distances {{ {distances} }}");
    assert!(grid(&format!("power 1 {valid}")).is_ok());
    for (content, expected) in [
        (format!("power 5 {valid}"), DisplacementProblem::Power),
        (valid.clone(), DisplacementProblem::Power),
        (format!("power 1 distances {{ {distances} }}"), DisplacementProblem::Missing("normals")),
        (format!("power 1 normals {{ {normals} }}"), DisplacementProblem::Missing("distances")),
        (format!("power 2 {valid}"), DisplacementProblem::Rows("normals")),
        (format!("power 1 {valid} alphas {{ {} }}", rows("1 2", 3)), DisplacementProblem::Rows("alphas")),
        (format!("power 1 {valid} offsets {{ }}"), DisplacementProblem::Rows("offsets")),
    ] {
        assert_eq!(grid(&content), Err(expected), "{content}");
    }
    let map = map(format!("world {{ solid {{ side {{ dispinfo {{ power 1 {valid} }} }} }} }}"));
    let displacement = map.solids().next().unwrap().sides().next().unwrap().displacement().unwrap();
    assert_eq!(displacement.grid(&[[0.0; 3]; 3], [0.0; 3]), Err(DisplacementProblem::Corners(3)));
}

/// Prints the polygons, texels and points of displacements, as the oracle computes them.
const DRIVER: &str = r#"
import sys
sys.path.insert(0, sys.argv[1])
import vmf_dump as oracle
floats = lambda found: " ".join((float(number) + 0.0).hex() for number in found)
def members(block, name):
    for child in block.blocks(name, "hidden"):
        yield from [child] if child.name.lower() == name else child.blocks(name)
def print_solid(solid):
    print("solid", solid.get("id"))
    for side, plane, polygon in oracle.solid_faces(solid):
        print("side", side.get("id"), floats([*plane[0], plane[1]]))
        for corner in polygon:
            print("corner", floats(corner), floats(oracle.uv(side, corner)))
        if side.blocks("dispinfo"):
            power, points, alphas = oracle.disp_grid(side, polygon)
            print("grid", power)
            for row, alphas in zip(points, alphas):
                for point, alpha in zip(row, alphas):
                    print("point", floats(point), float(alpha).hex())
for path in sys.argv[2:]:
    print("file", path)
    root, _ = oracle.parse(open(path, "rb").read())
    for block in root.blocks("world", "entity", "hidden"):
        for owner in [block] if block.name.lower() != "hidden" else block.blocks("entity"):
            for solid in members(owner, "solid"):
                print_solid(solid)
"#;

#[test]
fn an_independent_program_computes_the_same_geometry() {
    let files = corpus_maps();
    if files.is_empty() {
        return;
    }
    let Some(theirs) = ask(DRIVER, &files) else { return };
    let mut ours = String::new();
    for path in &files {
        let _ = writeln!(ours, "file {}", path.display());
        print_solids(&corpus_map(path), &mut ours);
    }
    agree(&ours, &theirs);
}

fn print_solids(map: &Document, out: &mut String) {
    let floats = |numbers: &[f64]| {
        // Negative zeros are equal to others.
        numbers.iter().map(|number| float_hex(number + 0.0)).collect::<Vec<_>>().join(" ")
    };
    for solid in map.solids() {
        let _ = writeln!(out, "solid {}", solid.id().expect("an id"));
        let polygons = solid.polygons().unwrap_or_else(|problem| panic!("{problem}: {solid:?}"));
        for (side, polygon) in solid.sides().zip(polygons) {
            let HalfSpace { normal: [x, y, z], distance } = side.half_space().expect("a plane");
            let _ = writeln!(out, "side {} {}", side.id().expect("an id"), floats(&[x, y, z, distance]));
            for &corner in &polygon {
                let texels = side.texels(corner).expect("axes");
                let _ = writeln!(out, "corner {} {}", floats(&corner), floats(&texels));
            }
            if let Some(displacement) = side.displacement() {
                let grid =
                    displacement.grid(&polygon, [x, y, z]).unwrap_or_else(|problem| panic!("{problem}: {side:?}"));
                let _ = writeln!(out, "grid {}", displacement.power().expect("a power"));
                for (point, alpha) in grid.points.iter().zip(&grid.alphas) {
                    let _ = writeln!(out, "point {} {}", floats(point), float_hex(*alpha));
                }
            }
        }
    }
}
