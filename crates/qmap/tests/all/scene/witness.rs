//! Other programs read the same scene from a text.

use std::collections::BTreeMap;

use mapwright_qmap::scene as map;
use mapwright_qmap::scene::mapwright_scene::*;
use proptest::{collection::vec, strategy::Strategy, strategy::ValueTree, test_runner::TestRunner};
use shambler::{GeoMap, brush::brush_hulls, face::face_planes, face::face_vertices};

use super::laws::brush;

/// Compares the polygons of a scene with those that other programs make of its text.
fn compare(scene: &Scene, spelling: map::ProjectionFormat) {
    let options = map::ExportOptions::default().with_projection(spelling);
    let bytes = map::from_scene(scene, &options).unwrap().document.as_bytes().to_vec();
    let text = std::str::from_utf8(&bytes).unwrap();

    let parsed = quake_util::qmap::parse(&mut &bytes[..]).unwrap_or_else(|error| panic!("{error}"));
    let counted: Vec<usize> = parsed.entities.iter().flat_map(|entity| &entity.brushes).map(Vec::len).collect();
    let expected: Vec<usize> = scene.brushes.items().iter().map(|brush| brush.sides.len()).collect();
    assert_eq!(counted, expected);

    let parsed: shambler::shalrath::repr::Map = text.parse().unwrap_or_else(|_| panic!("it is not parsed: {text}"));
    let geometry = GeoMap::new(parsed);
    assert_eq!(geometry.entity_brushes.values().flatten().count(), expected.len());
    let planes = face_planes(&geometry.face_planes);
    let hulls = brush_hulls(&geometry.brush_faces, &planes);
    let (vertices, _) = face_vertices(&geometry.brush_faces, &planes, &hulls);
    let names: BTreeMap<_, _> =
        geometry.face_textures.iter().map(|(face, id)| (face, &geometry.textures[id])).collect();
    let mut faces = 0;
    for (brush, ids) in scene.brushes.items().iter().zip(geometry.brush_faces.values()) {
        let polygons = brush.polygons().unwrap();
        assert_eq!(brush.sides.len(), ids.len());
        for ((side, ring), id) in brush.sides.iter().zip(&polygons.sides).zip(ids) {
            let name = side.material.map_or("__TB_empty", |id| &scene.materials[id].name);
            assert_eq!(*names[id], name);
            let theirs: Vec<[f64; 3]> = vertices[id].iter().map(|p| [p.x, p.z, -p.y].map(f64::from)).collect();
            let ours = ring.iter().map(|&vertex| polygons.vertices[vertex as usize]);
            assert_eq!(ring.is_empty(), theirs.len() < 3, "{ring:?} {theirs:?}");
            faces += usize::from(!ring.is_empty());
            for point in ours {
                let off =
                    |other: &[f64; 3]| transform::sub(*other, point).iter().fold(0.0_f64, |off, c| off.max(c.abs()));
                let nearest = theirs.iter().map(off).fold(f64::MAX, f64::min);
                assert!(nearest < 1e-2, "{point:?} is not among {theirs:?}");
            }
        }
    }
    assert!(faces >= expected.len() * 4);
}

#[test]
fn other_programs_see_the_same_brushes() {
    let mut runner = TestRunner::deterministic();
    let mut scene = Scene::default();
    for name in ["brick", "*water", "{fence"] {
        scene.materials.push(Material::new(name));
    }
    let world = scene.entities.push(Entity { class: "worldspawn".into(), ..Entity::default() });
    let world = scene.add_node(None, Node::new("", Content::Entity(world)));
    let wall = scene.entities.push(Entity { class: "func_wall".into(), ..Entity::default() });
    let wall = scene.add_node(None, Node::new("", Content::Entity(wall)));
    let brushes = vec(brush(64), 60).new_tree(&mut runner).unwrap().current();
    for (index, mut brush) in brushes.into_iter().enumerate() {
        for side in &mut brush.sides {
            // Without what one of them does not know.
            side.properties = Properties::new();
        }
        // Theirs are numbers of 32 bits, and planes that are almost parallel never meet: not too large, and no slivers.
        let polygons = brush.polygons().unwrap();
        let shortest = polygons.sides.iter().flat_map(|ring| ring.iter().zip(ring.iter().cycle().skip(1)));
        let shortest = shortest.map(|(&a, &b)| {
            let way = transform::sub(polygons.vertices[a as usize], polygons.vertices[b as usize]);
            transform::dot(way, way).sqrt()
        });
        let large = polygons.vertices.iter().flatten().any(|c| c.abs() > 256.0);
        if large || shortest.fold(f64::MAX, f64::min) < 0.5 {
            continue;
        }
        let brush = scene.brushes.push(brush);
        scene.add_node(Some(if index < 20 { world } else { wall }), Node::new("", Content::Brush(brush)));
    }
    assert!(scene.brushes.len() > 20, "{}", scene.brushes.len());
    for spelling in [map::ProjectionFormat::Standard, map::ProjectionFormat::Valve] {
        compare(&scene, spelling);
    }
}
