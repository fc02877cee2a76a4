//! New maps from scenes of other formats.

use mapwright_io::math;
use mapwright_scene::{
    Attribute, Brush, BrushSide, ColorSpace, Content, Diagonal, Domain, Entity, Heights, InstanceSet,
    InstanceTransforms, Light, LossKind, Mesh, Model, Node, Properties, Scene, Terrain, TextureProjection, Transform,
    Value, transform,
};
use mapwright_vmap::scene::{ExportOptions, from_scene};
use mapwright_vmap::{Document, MapOptions};

use super::maps::{import, whole_map};
use super::scenes::{INCH, cube, empty, rich};

fn export(scene: &Scene) -> (Document, Vec<String>) {
    let export = from_scene(scene, &ExportOptions::default()).unwrap();
    whole_map(&export.document);
    (export.document, export.losses.iter().map(ToString::to_string).collect())
}

fn only_mesh(document: &Document) -> Mesh {
    let scene = import(document);
    assert_eq!(scene.meshes.len(), 1);
    scene.meshes.items()[0].clone()
}

fn show(mesh: Mesh) -> Scene {
    let mut scene = empty();
    let id = scene.meshes.push(mesh);
    scene.add_node(None, Node::new("Mesh", Content::Mesh(id)));
    scene
}

#[test]
fn an_empty_map_is_an_empty_scene() {
    for version in [18, 28, 29, 30, 35, 40] {
        let map = Document::new_with(&MapOptions::default().with_format_version(version));
        let scene = import(&map);
        assert!(scene.nodes.is_empty() && scene.properties.is_empty(), "{version}: {scene:?}");
        let export = from_scene(
            &empty(),
            &ExportOptions::default().with_map(MapOptions::default().with_format_version(version)),
        );
        assert_eq!(export.unwrap().document.to_bytes().unwrap(), map.to_bytes().unwrap());
    }
}

#[test]
fn other_units_become_inches() {
    let mut scene = show(cube(1.0, None));
    scene.metres_per_unit = Some(1.0);
    let (document, _) = export(&scene);
    let again = import(&document);
    let visit = again.walk().next().unwrap();
    let corner = visit.world.point(again.meshes.items()[0].positions[7]);
    assert!(corner.iter().all(|c| (c - 1.0 / INCH).abs() < 1e-4), "{corner:?}");
}

/// The scales of all nodes of a class.
fn scales(document: &Document, class: &str) -> Vec<[f32; 3]> {
    let nodes = document.graph().iter().filter(|element| element.is(class));
    let scales = nodes.filter_map(|element| match element.get("scales") {
        Some(mapwright_vmap::dmx::Value::Vector3(scales)) => Some(*scales),
        _ => None,
    });
    scales.collect()
}

#[test]
fn units_and_scales_are_applied_to_the_vertices() {
    let mut scene = empty();
    scene.metres_per_unit = Some(1.0);
    let mesh = scene.meshes.push(cube(1.0, None));
    let place = |translation, scale| Transform::Trs { translation, rotation: [0.0, 0.0, 0.0, 1.0], scale };
    let group = Node { transform: place([1.0, 0.0, 0.0], [2.0; 3]), ..Node::new("group", Content::Group) };
    let group = scene.add_node(None, group);
    let mirrored = Node { transform: place([0.0, 1.0, 0.0], [-1.0, 1.0, 2.0]), ..Node::new("m", Content::Mesh(mesh)) };
    scene.add_node(Some(group), mirrored);
    scene.add_node(None, Node::new("plain", Content::Mesh(mesh)));
    let prop = Entity { class: "prop_static".into(), model: Some("a.vmdl".into()), ..Entity::default() };
    let prop = scene.entities.push(prop);
    let target = scene.entities.push(Entity { class: "info_target".into(), ..Entity::default() });
    for (name, entity) in [("prop", prop), ("target", target)] {
        let transform = place([0.0, 0.0, 1.0], [3.0; 3]);
        scene.add_node(None, Node { transform, ..Node::new(name, Content::Entity(entity)) });
    }
    let (document, losses) = export(&scene);
    assert_eq!(scales(&document, "CMapMesh"), [[1.0; 3]; 2], "{losses:?}");
    assert_eq!(scales(&document, "CMapEntity"), [[3.0; 3], [1.0; 3]]);
    for text in ["nodes[1]: scale of the node, applied to the vertices", "nodes[4]: scale of an object without a size"]
    {
        assert!(losses.iter().any(|loss| loss.contains(text)), "{text}: {losses:?}");
    }
    // Every point is where it was, and every face still points out.
    let points = |scene: &Scene, unit: f64| {
        let mut points = Vec::new();
        for visit in scene.walk() {
            if let Content::Mesh(id) = visit.node.content {
                let mesh = scene.meshes[id].transformed(&visit.world);
                let centre = mesh.positions.iter().fold([0.0; 3], |sum, p| transform::add(sum, *p));
                let centre = transform::scale(centre, 1.0 / mesh.positions.len() as f64);
                for (face, ring) in mesh.faces.iter().enumerate() {
                    let out = transform::sub(mesh.positions[ring[0] as usize], centre);
                    assert!(transform::dot(mesh.face_normal(face).unwrap(), out) > 0.0, "{}", visit.node.name);
                }
                // Adding 0 turns −0 into 0.
                points.extend(
                    mesh.positions.iter().map(|p| p.map(|c| format!("{:.3}", (c * unit * 1e3).round() / 1e3 + 0.0))),
                );
            }
        }
        points.sort_unstable();
        points
    };
    assert_eq!(points(&import(&document), INCH), points(&scene, 1.0));
}

#[test]
fn converted_colours_are_reported() {
    let reports = |losses: &[String]| losses.iter().any(|loss| loss.contains("colours, converted to sRGB"));
    let mut painted = show(cube(1.0, None));
    let mut plain = painted.clone();
    plain.meshes.iter_mut().for_each(|(_, mesh)| mesh.color_sets.clear());
    let mut lit = empty();
    let lamp = lit.lights.push(Light { color: [1.0, 0.5, 0.0, 1.0], ..Light::default() });
    lit.add_node(None, Node::new("lamp", Content::Light(lamp)));
    for scene in [&mut plain, &mut lit, &mut painted] {
        assert!(!reports(&export(scene).1));
        scene.color_space = ColorSpace::Linear;
    }
    assert!(!reports(&export(&plain).1) && reports(&export(&lit).1) && reports(&export(&painted).1));
    // The same is true for a merge into an existing map.
    let mut document = export(&plain).0;
    let losses = mapwright_vmap::scene::merge_scene(&mut document, &painted, &ExportOptions::default()).unwrap();
    assert!(reports(&losses.iter().map(ToString::to_string).collect::<Vec<_>>()), "{losses:?}");
}

#[test]
fn a_torus_stays_closed() {
    let (around, across) = (48_u32, 24_u32);
    let angle = |i: u32, n: u32| f64::from(i) / f64::from(n) * std::f64::consts::TAU;
    let mut mesh = Mesh::default();
    for i in 0..around {
        for j in 0..across {
            let (a, b) = (angle(i, around), angle(j, across));
            let ring = 100.0 + 30.0 * math::cos(b);
            mesh.positions.push([ring * math::cos(a), 30.0 * math::sin(b), ring * math::sin(a)]);
        }
    }
    for i in 0..around {
        for j in 0..across {
            let at = |i: u32, j: u32| (i % around) * across + j % across;
            mesh.faces.push(&[at(i, j), at(i, j + 1), at(i + 1, j + 1), at(i + 1, j)]);
        }
    }
    let faces = mesh.faces.clone();
    let (document, losses) = export(&show(mesh));
    assert!(!losses.iter().any(|loss| loss.starts_with("repaired")), "{losses:?}");
    let found = only_mesh(&document);
    assert_eq!(found.faces, faces);
    assert!(found.edge_sides().chunk_by(|a, b| a.vertices == b.vertices).all(|edge| edge.len() == 2));
}

#[test]
fn non_manifold_faces_are_repaired() {
    // Three faces at an edge, two cones that share a vertex, and a face that repeats a vertex.
    let positions = (0..12_i32).map(|i| [f64::from(i % 3), f64::from(i / 3 % 2), f64::from(i * i % 7)]).collect();
    let faces = [&[0, 1, 2][..], &[1, 0, 3], &[0, 1, 4], &[5, 6, 7], &[5, 8, 9], &[10, 11, 10, 2], &[0, 0, 1]];
    let mesh = Mesh { positions, faces: faces.into_iter().collect(), ..Mesh::default() };
    let (document, losses) = export(&show(mesh));
    assert!(losses.iter().filter(|loss| loss.starts_with("repaired")).count() >= 3, "{losses:?}");
    assert!(only_mesh(&document).faces.len() >= 5);
}

fn terrain(size: u32) -> Terrain {
    let heights = (0..size * size).map(|i| f32::from(u8::try_from(i * 7 % 5).unwrap())).collect();
    Terrain {
        diagonal: Diagonal::Anti,
        cell_size: [1, 1],
        cells: vec![0],
        materials: vec![None],
        properties: mapwright_scene::Properties::new(),
        ..Terrain::new([size, size], [8.0, -8.0], Heights::F32(heights))
    }
}

#[test]
fn a_terrain_of_a_hundred_thousand_faces_is_converted() {
    let mut scene = empty();
    let id = scene.terrains.push(terrain(225));
    scene.add_node(None, Node::new("ground", Content::Terrain(id)));
    let (document, losses) = export(&scene);
    assert!(losses.iter().any(|loss| loss.contains("as a mesh of triangles")), "{losses:?}");
    let mesh = only_mesh(&document);
    assert_eq!((mesh.faces.len(), mesh.positions.len()), (2 * 224 * 224, 225 * 225));
    assert!((0..mesh.faces.len()).all(|face| mesh.face_normal(face).unwrap()[1] > 0.0));
}

#[test]
fn a_brush_is_a_closed_mesh() {
    let projection = TextureProjection {
        u: [1.0, 0.0, 0.0, 0.0],
        v: [0.0, 1.0, 0.0, 0.0],
        offset: [0.0; 2],
        scale: [0.5; 2],
        rotation: 0.0,
        local: false,
    };
    let points = cube(32.0, None);
    let sides = points.faces.iter().map(|face| BrushSide {
        plane: [face[0], face[1], face[2]].map(|vertex| points.positions[vertex as usize]),
        corners: Vec::new(),
        projection,
        material: None,
        properties: mapwright_scene::Properties::new(),
    });
    let mut scene = empty();
    let id = scene.brushes.push(Brush { sides: sides.collect(), ..Brush::default() });
    scene.add_node(None, Node::new("brush", Content::Brush(id)));
    let (document, _) = export(&scene);
    let mesh = only_mesh(&document);
    assert_eq!((mesh.positions.len(), mesh.faces.len()), (8, 6));
    assert!(mesh.edge_sides().chunk_by(|a, b| a.vertices == b.vertices).all(|edge| edge.len() == 2));
    let centre = [16.0; 3];
    for face in 0..6 {
        let corner = mesh.positions[mesh.faces.get(face).unwrap()[0] as usize];
        let outward = mapwright_scene::transform::sub(corner, centre);
        assert!(mapwright_scene::transform::dot(mesh.face_normal(face).unwrap(), outward) > 0.0);
    }
    assert_eq!(mesh.face_projections[0].scale, [0.5; 2]);
}

#[test]
fn each_instance_of_a_set_becomes_a_node() {
    let mut scene = empty();
    let mesh = scene.meshes.push(cube(4.0, None));
    let maps = (0..100_u8).map(|i| [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0], [f64::from(i), 0.0, 0.0]]);
    let id = scene.instance_sets.push(InstanceSet {
        models: vec![Model::Mesh(mesh), Model::Reference("models/tree.vmdl".into())],
        model: (0..100).map(|i| i % 2).collect(),
        transforms: InstanceTransforms::Affine(maps.collect()),
        ..InstanceSet::default()
    });
    scene.add_node(
        None,
        Node { transform: Transform::translation([0.0, 5.0, 0.0]), ..Node::new("trees", Content::InstanceSet(id)) },
    );
    let (document, _) = export(&scene);
    let again = import(&document);
    assert_eq!(again.meshes.len(), 1);
    let instances: Vec<_> = again
        .walk()
        .filter(|visit| matches!(visit.node.content, Content::Instance(_)))
        .map(|v| v.world.origin())
        .collect();
    assert_eq!((instances.len(), instances[1]), (50, [2.0, 5.0, 0.0]));
    let models = again.entities.iter().filter(|(_, entity)| entity.model.as_deref() == Some("models/tree.vmdl"));
    assert_eq!(models.count(), 50);
}

#[test]
fn nodes_that_share_a_mesh_become_instances_unless_they_have_properties() {
    let mut scene = empty();
    let mesh = scene.meshes.push(cube(4.0, None));
    for x in [0.0, 10.0, 20.0] {
        let transform = Transform::translation([x, 0.0, 0.0]);
        scene.add_node(None, Node { transform, ..Node::new(format!("copy {x}"), Content::Mesh(mesh)) });
    }
    let (document, losses) = export(&scene);
    assert!(losses.iter().any(|loss| loss.contains("instances of a group")), "{losses:?}");
    let again = import(&document);
    assert_eq!(again.meshes.len(), 1);
    let places: Vec<_> = again
        .walk()
        .filter(|visit| matches!(visit.node.content, Content::Instance(_)))
        .map(|visit| (visit.node.name.clone(), visit.world.origin()[0]))
        .collect();
    assert_eq!(places, [("copy 0".into(), 0.0), ("copy 10".into(), 10.0), ("copy 20".into(), 20.0)]);
    let first = scene.roots[0];
    scene.nodes[first].properties.push("physicsType", "none");
    let (document, losses) = export(&scene);
    assert!(losses.iter().any(|loss| loss.contains("as one copy each")), "{losses:?}");
    assert_eq!(import(&document).meshes.len(), 3);
}

#[test]
fn content_without_a_counterpart_is_reported() {
    let mut scene = empty();
    scene.name = "level".into();
    let entity = Entity {
        class: "worldspawn".into(),
        properties: [("skyname", "sky")].into_iter().collect(),
        ..Entity::default()
    };
    let entity = scene.entities.push(entity);
    scene.add_node(None, Node::new("worldspawn", Content::Entity(entity)));
    scene.add_node(None, Node::new("start", Content::Marker));
    let shear =
        Transform::Matrix([[1.0, 0.0, 0.0, 0.0], [1.0, 1.0, 0.0, 0.0], [0.0, 0.0, 1.0, 0.0], [0.0, 0.0, 0.0, 1.0]]);
    scene.add_node(None, Node { transform: shear, ..Node::new("bent", Content::Group) });
    let export = from_scene(&scene, &ExportOptions::default()).unwrap();
    let texts: Vec<String> = export.losses.iter().map(ToString::to_string).collect();
    for (kind, what) in [
        (LossKind::Dropped, "name \"level\""),
        (LossKind::Approximated, "info_target"),
        (LossKind::Approximated, "sheared"),
    ] {
        assert!(texts.iter().any(|text| text.starts_with(kind.name()) && text.contains(what)), "{what}: {texts:?}");
    }
    let again = import(&export.document);
    let world = again.nodes.iter().next().unwrap().1;
    assert!(matches!(world.content, Content::Entity(_)) && world.name == "worldspawn");
    assert_eq!(again.nodes.len(), 3);
}

#[test]
fn converting_ten_thousand_nodes_is_linear() {
    let mut scene = empty();
    for i in 0..10_000_u32 {
        let entity = Entity {
            class: "info_target".into(),
            properties: [("n", i.to_string())].into_iter().collect(),
            ..Entity::default()
        };
        let id = scene.entities.push(entity);
        scene.add_node(None, Node { visible: i % 2 == 0, ..Node::new("info_target", Content::Entity(id)) });
    }
    let start = std::time::Instant::now();
    let (document, _) = export(&scene);
    let mut again = import(&document);
    let kept = again.roots.split_off(5_000);
    assert_eq!(kept.len(), 5_000);
    let mut document = document;
    mapwright_vmap::scene::merge_scene(&mut document, &again, &ExportOptions::default()).unwrap();
    assert_eq!(import(&document).nodes.len(), 5_000);
    assert!(start.elapsed().as_secs() < 60, "{:?}", start.elapsed());
    println!("{:?}", start.elapsed());
}

#[test]
fn names_with_zero_bytes_do_not_reach_the_file() {
    let mut scene = rich();
    let mesh = scene.meshes.iter_mut().next().unwrap().1;
    let values = vec![1.0; mesh.positions.len()];
    mesh.attributes.push(Attribute { name: "a\0:0".to_owned(), domain: Domain::Vertex, width: 1, values });
    let (mut class, mut name) = (Properties::new(), Properties::new());
    class.push("$class", "A\0");
    name.push("a\0b", 1);
    let properties = &mut scene.nodes[scene.roots[0]].properties;
    properties.push("one", Value::Map(class));
    properties.push("many", Value::List(vec![Value::Map(name)]));
    let (_, losses) = export(&scene);
    assert_eq!(losses.iter().filter(|loss| loss.contains("dropped")).count(), 3, "{losses:?}");
}

#[test]
fn materials_that_no_quad_of_a_terrain_shows_are_reported() {
    let mut scene = empty();
    let [shown, unused] = ["grass", "rock"].map(|name| scene.materials.push(mapwright_scene::Material::new(name)));
    let terrain = Terrain {
        cell_size: [1, 1],
        cells: vec![0],
        materials: vec![Some(shown), Some(unused)],
        ..Terrain::new([2, 2], [4.0, 4.0], Heights::F32(vec![0.0; 4]))
    };
    let terrain = scene.terrains.push(terrain);
    scene.add_node(None, Node::new("Ground", Content::Terrain(terrain)));
    let (_, losses) = export(&scene);
    let unused: Vec<&String> = losses.iter().filter(|loss| loss.contains("unused material")).collect();
    assert_eq!(unused, ["dropped: materials[1]: unused material"]);
}
