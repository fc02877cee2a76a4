//! Files assembled from any numbers contain these numbers; any bytes are read or rejected.

use mapwright_acknex::{Model, Terrain, Wad};
use mapwright_testkit::laws;
use proptest::collection::vec;
use proptest::prelude::*;

use crate::support::*;

fn finite() -> impl Strategy<Value = f32> {
    prop_oneof![-1e6_f32..1e6, Just(0.0), Just(-0.0)]
}

fn point() -> impl Strategy<Value = [f32; 3]> {
    [finite(), finite(), finite()]
}

proptest! {
    #[test]
    fn models_contain_the_numbers_that_they_are_made_of(
        positions in vec(point(), 1..20),
        uvs in vec([finite(), finite()], 1..20),
        picks in vec(([any::<u16>(), any::<u16>(), any::<u16>()], any::<[u16; 3]>()), 0..20),
    ) {
        let count = |list: usize| u32::try_from(list).unwrap();
        let (vertices, coordinates) = (u16::try_from(positions.len()).unwrap(), u16::try_from(uvs.len()).unwrap());
        let triangles: Vec<_> =
            picks.iter().map(|(v, t)| (v.map(|index| index % vertices), t.map(|index| index % coordinates))).collect();
        let counts = [0, count(uvs.len()), count(triangles.len()), count(positions.len()), 0];
        let file = group(mdl7_header(0, 1, SIZES), "a", counts).f32(uvs.as_flattened());
        let file = triangles.iter().fold(file, |file, (vertices, uvs)| triangle26(file, *vertices, *uvs, -1));
        let file = positions.iter().fold(file, |file, position| vertex26(file, *position, 0));
        let model = Model::from_bytes(&file.0).unwrap();
        let mesh = &model.groups[0];
        prop_assert_eq!(&mesh.positions, &positions);
        prop_assert_eq!(mesh.triangles.len(), triangles.len());
        for (found, (vertices, corners)) in mesh.triangles.iter().zip(&triangles) {
            prop_assert_eq!(found.vertices, vertices.map(u32::from));
            prop_assert_eq!(found.uvs, Some(corners.map(|corner| uvs[usize::from(corner)])));
        }
        laws::prefixes(&file.0, |bytes| Model::from_bytes(bytes).map_err(refusal), |_, _| false);
    }

    #[test]
    fn terrains_contain_the_heights_that_they_are_made_of(
        columns in 2_u8..6,
        rows in 1_u8..6,
        steps in vec(any::<u16>(), 36),
    ) {
        let cells = usize::from(columns) * usize::from(rows);
        let steps = &steps[..cells];
        let counts = [i32::try_from(cells).unwrap(), 0, 1, 0];
        let file = Bytes::new("HMP7").header([3.0, 5.0, columns.into()], 0, [0, 0], counts);
        let file = file.u32(&[2]).bytes(&[0; 16]).name("a");
        let file = steps.iter().fold(file, |file, step| file.u16(&[*step, 0]));
        let terrain = Terrain::from_bytes(&file.0).unwrap();
        prop_assert_eq!(&*terrain.frames[0].steps, steps);
        let mesh = terrain.to_mesh(0);
        prop_assert_eq!(mesh.triangles.len(), 2 * (usize::from(columns) - 1) * (usize::from(rows) - 1));
        // The middle of the bounds is the origin.
        let sum = |axis: usize| mesh.positions.iter().map(|position| position[axis]).sum::<f32>();
        prop_assert_eq!((sum(0), sum(1)), (0.0, 0.0));
        // Triangles are clockwise as seen from above.
        for triangle in &mesh.triangles {
            let [a, b, c] = triangle.vertices.map(|vertex| mesh.positions[vertex as usize]);
            prop_assert!((b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]) < 0.0);
        }
    }

    #[test]
    fn textures_contain_the_colours_that_they_are_made_of(pixels in vec(any::<[u8; 4]>(), 6)) {
        let stored: Vec<u8> = pixels.iter().flat_map(|[r, g, b, a]| [*b, *g, *r, *a]).collect();
        let file = archive("WAD7", &[(5, "a", texture("a", [3, 2], [5, 0, 0, 0], &stored))]);
        let wad = Wad::from_bytes(&file).unwrap();
        prop_assert_eq!(&wad.textures[0].image(None).unwrap().rgba, pixels.as_flattened());
    }

    #[test]
    fn any_bytes_are_read_or_rejected(bytes in vec(any::<u8>(), 0..200), kind in 0..6_usize) {
        let magic = [&b"MDL7"[..], b"MDL5", b"IDPO", b"HMP7", b"HMP4", b"WAD7"][kind];
        let bytes = [magic, &bytes].concat();
        laws::total(&bytes, |bytes| Model::from_bytes(bytes).map_err(refusal));
        laws::total(&bytes, |bytes| Terrain::from_bytes(bytes).map_err(refusal));
        laws::total(&bytes, |bytes| Wad::from_bytes(bytes).map(drop).map_err(refusal));
    }
}
