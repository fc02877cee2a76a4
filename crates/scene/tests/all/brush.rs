//! Planes, polygons and meshes describe the same brush.

use std::f64::consts::TAU;

use mapwright_io::math;
use mapwright_scene::transform::{add, cross, dot, normalize, scale, sub};
use mapwright_scene::*;
use proptest::{collection::vec, prelude::*};

const PROJECTION: TextureProjection = TextureProjection {
    u: [1.0, 0.0, 0.0, 0.0],
    v: [0.0, 1.0, 0.0, 0.0],
    offset: [0.0; 2],
    scale: [1.0; 2],
    rotation: 0.0,
    local: false,
};

fn side(plane: [[f64; 3]; 3]) -> BrushSide {
    BrushSide { plane, corners: Vec::new(), projection: PROJECTION, material: None, properties: Properties::new() }
}

/// Creates a side from its outward normal and a point on it.
fn facing(normal: [f64; 3], on: [f64; 3]) -> BrushSide {
    let normal = normalize(normal).unwrap();
    let away = if normal[0].abs() < 0.6 { [1.0, 0.0, 0.0] } else { [0.0, 1.0, 0.0] };
    let first = cross(normal, away);
    side([on, add(on, scale(first, 40.0)), add(on, scale(cross(normal, first), 40.0))])
}

fn brush(sides: impl IntoIterator<Item = BrushSide>) -> Brush {
    Brush { sides: sides.into_iter().collect(), ..Brush::default() }
}

const AXES: [[f64; 3]; 6] =
    [[1.0, 0.0, 0.0], [-1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, -1.0, 0.0], [0.0, 0.0, 1.0], [0.0, 0.0, -1.0]];

fn cuboid(middle: [f64; 3], half: f64) -> Vec<BrushSide> {
    AXES.iter().map(|&axis| facing(axis, add(middle, scale(axis, half)))).collect()
}

fn mesh(brush: &Brush) -> Mesh {
    brush.to_mesh(&brush.polygons().unwrap(), &Transform::IDENTITY, |_| [64.0; 2])
}

#[test]
fn a_box_on_whole_numbers_has_exact_corners() {
    let brush = brush(cuboid([1000.0, -24.0, 8.0], 8.0));
    let polygons = brush.polygons().unwrap();
    assert_eq!((polygons.vertices.len(), polygons.clipped_away().count()), (8, 0));
    assert!(polygons.vertices.iter().flatten().all(|c| c.fract() == 0.0), "{:?}", polygons.vertices);
    let mesh = mesh(&brush);
    assert_eq!((mesh.volume(), mesh.is_closed(), mesh.is_convex(1e-9)), (4096.0, true, true));
    let uvs = &mesh.uv_sets[0];
    assert_eq!(uvs.corners.get(0).map(|[u, v]| [u * 64.0, v * 64.0]), {
        let [x, y, _] = mesh.positions[mesh.faces.corners()[0] as usize];
        Some([x, y])
    });
}

#[test]
fn clipped_sides_are_reported() {
    let mut sides = cuboid([0.0; 3], 8.0);
    sides.push(facing([1.0, 0.0, 0.0], [9.0, 0.0, 0.0]));
    sides.push(facing([1.0, 0.0, 0.0], [8.0, 3.0, 1.0]));
    // One plane touches an edge; another has three points on a line.
    sides.push(facing([1.0, 1.0, 0.0], [8.0, 8.0, 0.0]));
    sides.push(side([[0.0; 3], [1.0; 3], [2.0; 3]]));
    let polygons = brush(sides).polygons().unwrap();
    assert_eq!(polygons.clipped_away().collect::<Vec<_>>(), [6, 7, 8, 9]);
    assert_eq!(polygons.vertices.len(), 8);
}

#[test]
fn stored_polygons_take_precedence_over_planes() {
    let mut stored = brush(cuboid([0.0; 3], 8.0));
    let polygons = stored.polygons().unwrap();
    stored.vertices = polygons.vertices.iter().map(|p| scale(*p, 2.0)).collect();
    for (side, ring) in stored.sides.iter_mut().zip(&polygons.sides).skip(1) {
        side.corners.clone_from(ring);
    }
    let again = stored.polygons().unwrap();
    assert_eq!((again.vertices, again.sides[0].len(), &again.sides[1..]), (stored.vertices, 0, &polygons.sides[1..]));
}

#[test]
fn planes_that_enclose_nothing_are_rejected() {
    let cube = || cuboid([0.0; 3], 8.0);
    assert_eq!(brush([]).polygons(), Err(BrushError::Flat));
    assert_eq!(brush(cube().into_iter().skip(1)).polygons(), Err(BrushError::Unbounded));
    let beyond = facing([-1.0, 0.0, 0.0], [9.0, 0.0, 0.0]);
    assert_eq!(brush(cube().into_iter().chain([beyond])).polygons(), Err(BrushError::Flat));
    let sides = vec![facing([1.0, 0.0, 0.0], [1.0; 3]); Brush::MAX_SIDES + 1];
    assert_eq!(brush(sides).polygons(), Err(BrushError::TooManySides(Brush::MAX_SIDES + 1)));
}

#[test]
fn the_maximum_number_of_sides_is_fast() {
    let count = Brush::MAX_SIDES - 2;
    let round = (0..count).map(|i| math::sin_cos(i as f64 * TAU / count as f64)).map(|(y, x)| [x, y, 0.0]);
    let sides = round.map(|normal| facing(normal, scale(normal, 4096.0))).chain(cuboid([0.0; 3], 64.0).split_off(4));
    let start = std::time::Instant::now();
    let polygons = brush(sides).polygons().unwrap();
    assert_eq!((polygons.vertices.len(), polygons.clipped_away().count()), (2 * count, 0));
    assert!(start.elapsed().as_secs() < 5, "{:?}", start.elapsed());
}

/// The planes of an older editor: their points are whole numbers of thousandths, 500 units away.
#[test]
fn noise_in_the_points_does_not_open_a_brush() {
    for seed in 1..200_u32 {
        let mut random = seed;
        let mut noise = || {
            random = random.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            f64::from(random >> 16) / 65536.0 * 2e-3 - 1e-3
        };
        // An octahedron: four planes meet at each vertex.
        let normals = (0..8_u32).map(|i| [i & 1, i >> 1 & 1, i >> 2].map(|bit| f64::from(bit) * 2.0 - 1.0));
        let sides = normals.map(|normal| {
            let mut side = facing(normal, scale(normal, 32.0));
            let [a, b, c] = side.plane;
            side.plane =
                [a, add(a, scale(sub(b, a), 12.0)), add(a, scale(sub(c, a), 12.0))].map(|p| p.map(|c| c + noise()));
            side
        });
        let mesh = mesh(&brush(sides));
        assert_eq!((mesh.positions.len(), mesh.is_closed()), (6, true), "{seed}");
    }
}

#[test]
fn meshes_that_are_not_brushes_are_rejected() {
    let cube = mesh(&brush(cuboid([0.0; 3], 8.0)));
    let from = |mesh: &Mesh| Brush::from_mesh(mesh, |_| [64.0; 2]).map(|made| made.brush.sides.len());
    assert_eq!(from(&cube), Ok(6));
    assert_eq!(from(&cube.keep_faces(|face| face > 0)), Err(BrushError::Open));
    let mut turned = cube.clone();
    turned.reverse_winding();
    assert_eq!((from(&turned), turned.volume()), (Err(BrushError::Concave), -4096.0));
    let mut dented = cube.clone();
    let quad = dented.faces.get(0).unwrap().to_vec();
    let mut faces: Vec<Vec<u32>> = dented.faces.iter().skip(1).map(<[u32]>::to_vec).collect();
    faces.extend((0..4).map(|i| vec![quad[i], quad[(i + 1) % 4], 8]));
    dented.positions.push([0.0; 3]);
    dented.faces = faces.into_iter().collect();
    dented.uv_sets.clear();
    assert_eq!(from(&dented), Err(BrushError::Concave));
    assert_eq!(from(&Mesh::default()), Err(BrushError::Open));
}

#[test]
fn triangles_of_one_side_become_one_side() {
    let cube = mesh(&brush(cuboid([0.0; 3], 8.0)));
    let mut soup = Mesh { smoothing: Smoothing::Flat, ..Mesh::default() };
    let mut uvs = Vec::new();
    for face in 0..6 {
        let range = cube.faces.corner_range(face).unwrap();
        for triangle in [[0, 1, 2], [0, 2, 3]] {
            let start = u32::try_from(soup.positions.len()).unwrap();
            for corner in triangle.map(|i| range.start + i) {
                soup.positions.push(cube.positions[cube.faces.corners()[corner] as usize]);
                uvs.push(cube.uv_sets[0].corners.get(corner));
            }
            soup.faces.push(&[start, start + 1, start + 2]);
        }
    }
    soup.uv_sets = vec![UvSet { corners: uvs.into_iter().collect(), ..UvSet::default() }];
    let made = Brush::from_mesh(&soup, |_| [64.0; 2]).unwrap();
    assert_eq!((made.brush.sides.len(), made.merged), (6, 0));
    // Texture coordinates along the sides of the box are one texel a unit across the two that face along z; on the others
    // one of them does not change, which is no projection within the side.
    assert_eq!(made.bent, 4);
    for side in &made.brush.sides[4..] {
        assert_eq!(side.projection.texel([3.0, 5.0, 8.0]), [3.0, 5.0]);
    }
}

/// Planes around a ball, within a box.
fn convex() -> BoxedStrategy<Brush> {
    let normal = prop::array::uniform3(-1.0..1.0_f64).prop_filter("a direction", |n| dot(*n, *n) > 0.05);
    let place = prop::array::uniform3(-4096_i32..4096).prop_map(|p| p.map(f64::from));
    (vec((normal, 0.5..1.0_f64), 0..24), place, prop::sample::select(vec![0.5, 8.0, 64.0, 1000.0]))
        .prop_map(|(planes, middle, size)| {
            let round = planes.into_iter().map(|(normal, distance)| {
                let normal = normalize(normal).unwrap();
                facing(normal, add(middle, scale(normal, distance * size)))
            });
            brush(cuboid(middle, size).into_iter().chain(round))
        })
        .boxed()
}

proptest! {
    #[test]
    fn the_polygons_of_a_brush_close_it(brush in convex()) {
        let mesh = mesh(&brush);
        let size = brush.sides[0].plane[0].iter().fold(1.0_f64, |size, c| size.max(c.abs()));
        prop_assert!(mesh.is_closed());
        prop_assert!(mesh.volume() > 0.0);
        prop_assert!(mesh.is_convex(0.02 + size * 1e-9));
        // Euler: V − E + F = 2.
        prop_assert_eq!(mesh.positions.len() + mesh.faces.len(), mesh.faces.corner_count() / 2 + 2);
    }

    #[test]
    fn planes_to_polygons_to_planes_is_the_same_brush(brush in convex()) {
        let first = mesh(&brush);
        // Welded vertices have moved, and with them the planes of narrow sides.
        let edges = first.edge_sides();
        let ends = edges.iter().map(|edge| edge.vertices.map(|vertex| first.positions[vertex as usize]));
        let shortest = ends.map(|[a, b]| dot(sub(a, b), sub(a, b))).fold(f64::MAX, f64::min).sqrt();
        prop_assume!(shortest > 0.1);
        // Almost equal sides become one.
        let normals: Vec<[f64; 3]> = (0..first.faces.len()).filter_map(|face| first.face_normal(face)).collect();
        let alike = |(at, n): (usize, &[f64; 3])| normals.iter().skip(at + 1).any(|m| dot(*n, *m) > 0.998);
        prop_assume!(!normals.iter().enumerate().any(alike));
        let made = Brush::from_mesh(&first, |_| [64.0; 2]).unwrap();
        prop_assert_eq!(made.brush.sides.len(), first.faces.len());
        let second = mesh(&made.brush);
        prop_assert!((first.volume() - second.volume()).abs() <= first.volume() * 2e-3);
        for (face, side) in made.brush.sides.iter().enumerate() {
            let [a, b, c] = side.plane;
            let normal = normalize(cross(sub(b, a), sub(c, a))).unwrap();
            prop_assert!(dot(normal, first.face_normal(face).unwrap()) > 0.999);
        }
        // If sides meet at a small angle, a vertex may move along them, but never far outside of any of them.
        for (corners, sides) in [(&first, &second), (&second, &first)] {
            for face in 0..sides.faces.len() {
                let normal = sides.face_normal(face).unwrap();
                let on = sides.positions[sides.faces.get(face).unwrap()[0] as usize];
                let out = corners.positions.iter().map(|p| dot(sub(*p, on), normal)).fold(f64::MIN, f64::max);
                prop_assert!(out < 0.1, "{out}");
            }
        }
    }
}
