//! Scaling of whole scenes.

use mapwright_scene::*;

/// A node with a translation, a rotation and a scale.
fn moved(content: Content) -> Node {
    let rotation = Transform::looking_along([1.0, 2.0, -3.0]);
    let transform = Transform::Trs { translation: [1.0, 2.0, 3.0], rotation, scale: [1.0, 2.0, 0.5] };
    Node { transform, ..Node::new("", content) }
}

#[test]
fn scaling_moves_everything_outward() {
    let mut scene = Scene { metres_per_unit: Some(0.5), ..Scene::default() };
    let root = scene.add_node(None, moved(Content::Group));
    scene.add_node(Some(root), moved(Content::Marker));
    let matrix = Transform::Matrix(moved(Content::Group).transform.matrix());
    scene.add_node(None, Node { transform: matrix, ..Node::new("", Content::Marker) });
    let mut scaled = scene.clone();
    scaled.scale(8.0);
    assert_eq!(scaled.metres_per_unit, Some(0.5));
    assert!(matches!(scaled.nodes[root].transform, Transform::Trs { .. }), "the rotation keeps its numbers");
    let point = [0.5, -7.0, 11.0];
    for (before, after) in scene.walk().zip(scaled.walk()) {
        // A power of two rounds nothing.
        assert_eq!(after.world.point(point), transform::scale(before.world.point(point), 8.0));
    }
}

#[test]
fn lengths_outside_transforms_are_multiplied() {
    let mut scene = Scene::default();
    let light = scene.lights.push(Light {
        range: Some(3.0),
        attenuation: Attenuation { constant: 1.0, linear: 2.0, quadratic: 3.0 },
        target: Some([1.0, 2.0, 3.0]),
        intensity: 7.0,
        ..Light::default()
    });
    let camera = scene.cameras.push(Camera { far: Some(50.0), target: Some([4.0, 5.0, 6.0]), ..Camera::default() });
    let flat = scene.cameras.push(Camera {
        projection: Projection::Orthographic { half_height: 2.5 },
        target: Some([4.0, 5.0, 6.0]),
        ..Camera::default()
    });
    scene.sounds.push(Sound { range: Some(5.0), ..Sound::default() });
    // Two nodes share one light, which must not be scaled twice.
    let root = scene.add_node(None, moved(Content::Light(light)));
    scene.add_node(None, moved(Content::Light(light)));
    scene.add_node(None, moved(Content::Camera(camera)));
    scene.add_node(Some(root), moved(Content::Camera(flat)));
    scene.scale(10.0);

    let light = &scene.lights[light];
    assert_eq!((light.range, light.target, light.intensity), (Some(30.0), Some([10.0, 20.0, 30.0]), 7.0));
    assert_eq!(light.attenuation, Attenuation { constant: 1.0, linear: 0.2, quadratic: 0.03 });
    let (camera, flat) = (&scene.cameras[camera], &scene.cameras[flat]);
    assert_eq!((camera.near, camera.far, camera.target), (1.0, Some(500.0), Some([40.0, 50.0, 60.0])));
    // Its target is in the space of a node that is scaled already.
    assert_eq!((flat.projection, flat.target), (Projection::Orthographic { half_height: 25.0 }, Some([4.0, 5.0, 6.0])));
    assert_eq!(scene.sounds.items()[0].range, Some(50.0));
}

#[test]
fn textures_stay_in_place_on_a_face() {
    let projection = |local| TextureProjection {
        u: [1.0, 2.0, 3.0, 4.0],
        v: [-1.0, 0.5, 0.25, 8.0],
        offset: [1.0, 2.0],
        scale: [0.5, 2.0],
        rotation: 0.25,
        local,
    };
    let mut scene = Scene::default();
    scene.meshes.push(Mesh { face_projections: vec![projection(false), projection(true)], ..Mesh::default() });
    scene.scale(8.0);
    let point = [3.0, 5.0, 7.0];
    let [world, local] = scene.meshes.items()[0].face_projections[..] else { unreachable!() };
    assert_eq!(world.texel(transform::scale(point, 8.0)), projection(false).texel(point));
    assert_eq!(local.texel(point), projection(true).texel(point));
}
