//! Texture projections.

use crate::shapes;

use mapwright_vmap::Mesh;
use mapwright_vmap::mesh::{Projection, Valve220};
use proptest::prelude::*;
use shapes::{graphs, meshes};

#[test]
fn new_faces_are_projected_along_the_nearest_axis() {
    let floor = Projection::along([0.1, 0.2, -0.9]);
    assert_eq!((floor.axis_u, floor.axis_v), ([1.0, 0.0, 0.0, 0.0], [0.0, -1.0, 0.0, 0.0]));
    let wall = Projection::along([-0.9, 0.2, 0.1]);
    assert_eq!((wall.axis_u, wall.axis_v), ([0.0, 1.0, 0.0, 0.0], [0.0, 0.0, -1.0, 0.0]));
    assert_eq!(Projection::along([0.0, 1.0, 0.0]).axis_u, [1.0, 0.0, 0.0, 0.0]);
    // 64 units at a quarter unit per texel are 256 texels of 512.
    assert_eq!(floor.project([64.0, 32.0, 7.0], [512.0; 2]), Some([0.5, -0.25]));
}

#[test]
fn scale_zero_projects_nothing() {
    let flat = Projection { scale: [0.0, 1.0], ..Projection::along([0.0, 0.0, 1.0]) };
    assert_eq!(flat.project([1.0; 3], [512.0; 2]), None);
    assert_eq!(Projection::along([0.0; 3]).project([1.0; 3], [512.0, 0.0]), None);
}

#[test]
fn bad_fits_have_a_residual() {
    let place = |x: f64, y: f64| [x, y, 5.0];
    let square = |uvs: [[f64; 2]; 4]| {
        let places = [place(0.0, 0.0), place(64.0, 0.0), place(64.0, 64.0), place(0.0, 64.0)];
        Projection::fit(&std::array::from_fn::<_, 4, _>(|i| (places[i], uvs[i])), [512.0; 2])
    };
    // The two triangles of the square need different projections.
    let bent = square([[0.0, 0.0], [1.0, 0.0], [1.0, 1.0], [1.0, 1.0]]).unwrap();
    assert!(bent.residual > 100.0, "{bent:?}");
    let constant = square([[0.25, 0.0], [0.25, 0.0], [0.25, 1.0], [0.25, 1.0]]).unwrap();
    assert_eq!(constant.projection.scale, [0.25, 0.125]);
    assert!(constant.residual > 1.0);
    let line = [([0.0; 3], [0.0; 2]), ([1.0; 3], [1.0; 2]), ([2.0; 3], [2.0; 2])];
    assert_eq!(Projection::fit(&line, [512.0; 2]), None);
    assert_eq!(Projection::fit(&[], [512.0; 2]), None);
    assert_eq!(Projection::fit(&[([f64::NAN; 3], [0.0; 2]); 4], [512.0; 2]), None);
}

/// The fit reproduces the coordinates of real faces wherever the stored axes do, for the texture sizes that editors use.
#[test]
#[ignore = "needs the corpus"]
fn faces_of_corpus_maps_are_fitted() {
    let (mut faces, mut stored, mut fitted) = (0, 0, 0);
    for (_, _, graph) in graphs() {
        for element in meshes(&graph) {
            let mesh = Mesh::from_element(element).unwrap();
            let polygons = mesh.polygons().unwrap();
            let (places, uvs) = (polygons.positions().unwrap(), polygons.texcoords(0).unwrap());
            for (face, corners) in polygons.iter().enumerate() {
                let corners: Vec<([f64; 3], [f64; 2])> = corners
                    .iter()
                    .map(|c| (places[c.vertex as usize].map(f64::from), uvs[c.corner as usize].map(f64::from)))
                    .collect();
                faces += 1;
                stored += usize::from(polygons.projection(face).is_some());
                let fit = Projection::fit(&corners, [512.0; 2]);
                fitted += usize::from(fit.is_some_and(|fit| fit.residual < 0.5));
            }
        }
    }
    println!("{faces} faces, {stored} with axes, {fitted} within half a texel of 512");
    assert_eq!(faces, stored);
    assert!(fitted * 10 >= faces * 8, "{fitted} of {faces}");
}

fn number() -> BoxedStrategy<f64> {
    (-256..256_i32).prop_map(|n| f64::from(n) / 8.0).boxed()
}

proptest! {
    /// The fit of projected coordinates gives the same projection.
    #[test]
    fn fit_inverts_project(
        origin in prop::array::uniform3(number()),
        sides in prop::array::uniform2(prop::array::uniform3(number())),
        uv in prop::array::uniform3(prop::array::uniform2(number())),
    ) {
        let corner = |i: usize| match i {
            0 => (origin, uv[0]),
            _ => (std::array::from_fn(|c| origin[c] + sides[i - 1][c]), uv[i]),
        };
        let corners = [corner(0), corner(1), corner(2)];
        let [a, b] = sides;
        let area = [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]];
        let fit = Projection::fit(&corners, [256.0, 128.0]);
        if area.iter().map(|c| c * c).sum::<f64>() > 64.0 && (0..2).all(|s| uv.iter().any(|other| other[s] != uv[0][s])) {
            let fit = fit.unwrap();
            // Three corners determine the projection, up to the precision of the file.
            let far = corners.iter().flat_map(|(_, uv)| uv).fold(1.0, |most: f64, c| most.max(c.abs()));
            let slope = fit.projection.scale.iter().fold(0.0, |most: f64, s| most.max(1.0 / f64::from(*s)));
            prop_assert!(fit.residual < 1e-4 * (far * 256.0 + slope * 64.0), "{fit:?}");
        }
    }

    /// The conversion to Valve 220 and back is exact.
    #[test]
    fn valve_220_survives_a_round_trip(u in prop::array::uniform4(any::<f32>()), v in prop::array::uniform4(any::<f32>()), s in prop::array::uniform2(-4.0..4.0_f32)) {
        let projection = Projection { axis_u: u, axis_v: v, scale: s };
        prop_assert_eq!(Projection::from(Valve220::from(projection)), projection);
    }
}
