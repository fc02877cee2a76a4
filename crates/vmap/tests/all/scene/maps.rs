//! Maps to test with.

use mapwright_scene::{Arena, Content, NodeId, Properties, Scene, Severity, Transform};
use mapwright_testkit as testkit;
use mapwright_vmap::scene::{ImportOptions, to_scene};
use mapwright_vmap::{Document, MapMesh, Mesh};

/// The readable maps of the corpus; none if it is missing.
pub(crate) fn real_maps() -> impl Iterator<Item = (String, Document)> {
    let folder = testkit::corpus("vmap");
    if folder.is_none() {
        eprintln!("SKIPPED: the corpus is not there");
    }
    let files = folder.map(|folder| testkit::files_below(&folder)).unwrap_or_default();
    files.into_iter().filter_map(|path| {
        let bytes = std::fs::read(&path).ok()?;
        let document = Document::from_bytes(&bytes).ok()?;
        assert!(document.to_bytes().unwrap() == bytes, "{}", path.display());
        Some((path.file_name()?.to_string_lossy().into_owned(), document))
    })
}

/// Reads the scene of a map, and asserts that it is valid.
pub(crate) fn import(document: &Document) -> Scene {
    let import = to_scene(document, &ImportOptions::default()).unwrap();
    whole(&import.scene);
    import.scene
}

/// Asserts that a scene is valid.
pub(crate) fn whole(scene: &Scene) {
    let broken: Vec<_> =
        scene.validate().into_iter().filter(|problem| problem.severity == Severity::Error).take(5).collect();
    assert!(broken.is_empty(), "{broken:?}");
}

/// Removes the links of a scene to its document.
pub(crate) fn plain(scene: &Scene) -> Scene {
    let mut scene = scene.clone();
    scene.nodes.iter_mut().for_each(|(_, node)| node.key = None);
    scene
}

/// Removes links and transforms from a scene, and returns the world transforms.
pub(crate) fn without_places(scene: &Scene) -> (Scene, Vec<[[f64; 4]; 4]>) {
    let mut scene = plain(scene);
    let mut places: Vec<_> = scene.nodes.iter().map(|(_, node)| node.transform.matrix()).collect();
    for point in scene.paths.iter_mut().flat_map(|(_, path)| &mut path.points) {
        places.push(Transform::translation(std::mem::take(&mut point.position)).matrix());
    }
    // The order of attributes in a new map is that of its format.
    let sort = |properties: &mut Properties| properties.entries.sort_by(|a, b| a.0.cmp(&b.0));
    sort(&mut scene.properties);
    scene.nodes.iter_mut().for_each(|(_, node)| sort(&mut node.properties));
    scene.paths.iter_mut().flat_map(|(_, path)| &mut path.points).for_each(|point| sort(&mut point.properties));
    scene.nodes.iter_mut().for_each(|(_, node)| node.transform = Transform::IDENTITY);
    scene.meshes.iter_mut().for_each(|(_, mesh)| mesh.attributes.sort_by(|a, b| a.name.cmp(&b.name)));
    (scene, places)
}

/// Asserts that two scenes are equal except for the last digits of transforms.
#[track_caller]
pub(crate) fn same(name: &str, expected: &Scene, found: &Scene) {
    let ((expected, places), (found, found_places)) = (without_places(expected), without_places(found));
    if expected != found {
        let difference: String = testkit::debugdiff(&expected, &found).chars().take(1500).collect();
        panic!("{name}: {difference}");
    }
    for (node, (a, b)) in places.iter().zip(&found_places).enumerate() {
        // Angles have single precision. Far from a rotated parent, that changes more than the last digit.
        let [ax, ay, az, place] = a;
        let [bx, by, bz, found] = b;
        let near = |a: &[f64; 4], b: &[f64; 4], far: f64| a.iter().zip(b).all(|(a, b)| (a - b).abs() <= far);
        let turned = near(ax, bx, 1e-5) && near(ay, by, 1e-5) && near(az, bz, 1e-5);
        assert!(turned && near(place, found, 0.02), "{name}: node {node}: {a:?} {b:?}");
    }
}

/// Asserts that a map survives a round trip, and that its meshes are valid.
pub(crate) fn whole_map(document: &Document) {
    let bytes = document.to_bytes().unwrap();
    let again = Document::from_bytes(&bytes).unwrap();
    assert!(again.to_bytes().unwrap() == bytes);
    for mesh in document.nodes().filter_map(|visit| visit.node.mesh()).filter_map(MapMesh::data) {
        let wrong: Vec<_> = Mesh::from_element(mesh)
            .unwrap()
            .check()
            .into_iter()
            .filter(|finding| finding.code != "mesh-flat")
            .take(3)
            .collect();
        assert!(wrong.is_empty(), "{wrong:?}");
    }
}

/// Sorts all items in the order in which nodes refer to them, as in scenes of maps.
pub(crate) fn canonical(scene: &Scene) -> Scene {
    let mut order: Vec<NodeId> = Vec::new();
    let mut stack: Vec<NodeId> = Vec::new();
    let push = |stack: &mut Vec<NodeId>, ids: &[NodeId]| stack.extend(ids.iter().rev());
    push(&mut stack, &scene.roots);
    let mut next = 0;
    loop {
        while let Some(id) = stack.pop() {
            if !order.contains(&id) {
                order.push(id);
                push(&mut stack, &scene.nodes[id].children);
            }
        }
        let Some(&id) = order.get(next) else { break };
        next += 1;
        if let Content::Instance(target) = scene.nodes[id].content {
            stack.push(target);
        }
    }
    let place = |id: &NodeId| NodeId::new(u32::try_from(order.iter().position(|o| o == id).unwrap()).unwrap());
    let mut new = Scene {
        nodes: Arena::new(),
        meshes: Arena::new(),
        entities: Arena::new(),
        lights: Arena::new(),
        cameras: Arena::new(),
        paths: Arena::new(),
        ..plain(scene)
    };
    new.roots = scene.roots.iter().map(place).collect();
    for id in &order {
        let mut node = scene.nodes[*id].clone();
        node.key = None;
        node.children = node.children.iter().map(place).collect();
        node.content = match node.content {
            Content::Mesh(id) => Content::Mesh(new.meshes.push(scene.meshes[id].clone())),
            Content::Entity(id) => Content::Entity(new.entities.push(scene.entities[id].clone())),
            Content::Light(id) => Content::Light(new.lights.push(scene.lights[id].clone())),
            Content::Camera(id) => Content::Camera(new.cameras.push(scene.cameras[id].clone())),
            Content::Path(id) => Content::Path(new.paths.push(scene.paths[id].clone())),
            Content::Instance(id) => Content::Instance(place(&id)),
            other => other,
        };
        new.nodes.push(node);
    }
    for set in &mut new.sets {
        set.members.iter_mut().for_each(|(node, _)| *node = place(node));
    }
    new
}
