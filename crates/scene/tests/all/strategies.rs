//! Random scenes.

use mapwright_scene::*;
use proptest::{collection::vec, option, prelude::*};

fn coordinate() -> BoxedStrategy<f64> {
    prop_oneof![4 => (-8_i8..8).prop_map(f64::from), 1 => -1e3..1e3, 1 => Just(f64::NAN), 1 => Just(1e300)].boxed()
}

/// A mesh that may be invalid in any way.
pub(crate) fn any_mesh() -> BoxedStrategy<Mesh> {
    let geometry = (vec(prop::array::uniform3(coordinate()), 0..8), vec(vec(0_u32..9, 0..6), 0..8));
    let columns = (vec(option::of((0_u32..3).prop_map(Id::new)), 0..8), vec(flags(), 0..8), option::of(0_u32..9));
    let corners = vec(option::of(prop::array::uniform2(coordinate())), 0..30);
    let edges = vec(prop::array::uniform2(0_u32..9), 0..6);
    let attribute = (
        prop_oneof![Just(Domain::Vertex), Just(Domain::Corner), Just(Domain::Face)],
        0_usize..4,
        vec(coordinate(), 0..30),
    );
    (geometry, columns, corners, edges, smoothing(), option::of(attribute))
        .prop_map(
            |((positions, faces), (face_materials, face_flags, mirror), uvs, hard_edges, smoothing, attribute)| Mesh {
                positions,
                faces: faces.into_iter().collect(),
                face_materials,
                face_flags,
                mirror,
                uv_sets: vec![UvSet { corners: uvs.into_iter().collect(), ..UvSet::default() }],
                soft_edges: hard_edges.clone(),
                hard_edges,
                smoothing,
                attributes: attribute
                    .map(|(domain, width, values)| Attribute { name: String::new(), domain, width, values })
                    .into_iter()
                    .collect(),
                ..Mesh::default()
            },
        )
        .boxed()
}

/// A valid mesh. It need not be a surface.
pub(crate) fn sound_mesh() -> BoxedStrategy<Mesh> {
    let positions = vec(prop::array::uniform3((-8_i8..8).prop_map(f64::from)), 6..12);
    let face = Just((0_u32..6).collect::<Vec<_>>()).prop_shuffle().prop_flat_map(|all| {
        (2..=all.len()).prop_map(move |count| all.iter().copied().take(count).collect::<Vec<_>>())
    });
    let faces = vec((face, flags()), 1..8);
    (positions, faces, smoothing(), any::<prop::sample::Index>(), any::<bool>(), any::<u64>())
        .prop_map(|(positions, faces, smoothing, mirror, mirrored, seed)| {
            let (faces, face_flags): (Vec<_>, Vec<_>) = faces.into_iter().unzip();
            let faces: Faces = faces.into_iter().collect();
            let corners = faces.corner_count();
            let mirror = mirrored.then(|| u32::try_from(mirror.index(faces.len())).unwrap());
            let numbers = |count: usize| (0..count).map(|i| i as f64).collect::<Vec<_>>();
            let attribute =
                |domain, rows: usize| Attribute { name: "a".into(), domain, width: 2, values: numbers(2 * rows) };
            let attributes = vec![
                attribute(Domain::Vertex, positions.len()),
                attribute(Domain::Corner, corners),
                attribute(Domain::Face, faces.len()),
            ];
            let mut mesh = Mesh {
                positions,
                face_flags,
                mirror,
                uv_sets: vec![UvSet {
                    corners: numbers(corners).into_iter().map(|i| (i % 5.0 != 4.0).then_some([i, -i])).collect(),
                    ..UvSet::default()
                }],
                color_sets: vec![ColorSet {
                    corners: CornerColumn::filled(Some([0.5; 4]), corners),
                    ..ColorSet::default()
                }],
                normals: Some(CornerColumn::filled(Some([0.0, 0.0, 1.0]), corners)),
                smoothing,
                attributes,
                faces,
                ..Mesh::default()
            };
            let mut edges: Vec<[u32; 2]> = mesh.edge_sides().iter().map(|side| side.vertices).collect();
            edges.dedup();
            let bit = |i: usize| seed >> (i % 64) & 1 == 1;
            mesh.hard_edges = edges.iter().enumerate().filter(|(i, _)| bit(*i)).map(|(_, edge)| *edge).collect();
            mesh.soft_edges = edges.iter().enumerate().filter(|(i, _)| !bit(*i)).map(|(_, edge)| *edge).collect();
            mesh
        })
        .boxed()
}

fn flags() -> BoxedStrategy<FaceFlags> {
    prop_oneof![
        4 => Just(FaceFlags::NONE),
        1 => Just(FaceFlags::HIDDEN),
        1 => Just(FaceFlags::HIDDEN.with(FaceFlags::HOLE)),
    ]
    .boxed()
}

fn smoothing() -> BoxedStrategy<Smoothing> {
    prop_oneof![Just(Smoothing::Smooth), Just(Smoothing::Flat), (0.0..3.0).prop_map(Smoothing::Angle)].boxed()
}

/// Nodes with arbitrary children, including cycles, duplicates and missing nodes.
pub(crate) fn any_tree() -> BoxedStrategy<Scene> {
    let links = || vec((0_u32..8).prop_map(Id::new), 0..3);
    (vec(links(), 0..8), links())
        .prop_map(|(nodes, roots)| Scene {
            nodes: nodes.into_iter().map(|children| Node { children, ..Node::default() }).collect(),
            roots,
            ..Scene::default()
        })
        .boxed()
}

/// A transform that does not collapse space.
pub(crate) fn transform() -> BoxedStrategy<Transform> {
    let scale = prop_oneof![0.1..10.0, -10.0..-0.1];
    (prop::array::uniform3(-10.0..10.0), prop::array::uniform3(-1.0..1.0), prop::array::uniform3(scale))
        .prop_map(|(translation, direction, scale)| Transform::Trs {
            translation,
            rotation: Transform::looking_along(direction),
            scale,
        })
        .boxed()
}
