//! What changes of meshes refuse, and what they change of materials.

use mapwright_vmap::dmx::{ElementId, Reference, Value};
use mapwright_vmap::mesh::{Stream, StreamData};
use mapwright_vmap::{Document, Mesh};

#[test]
fn two_materials_become_one() {
    let mut map = Document::new();
    let mut mesh = Mesh { materials: vec![b"a.vmat".to_vec(), b"b.vmat".to_vec()], ..Mesh::default() };
    mesh.face_data.size = 3;
    let data = StreamData::Int(vec![1, 0, 1]);
    mesh.face_data.streams.push(Stream::new("materialindex", 0, data));
    map.edit(|map| {
        let world = map.world()?;
        map.add_mesh(world, &mesh)
    })
    .unwrap();
    assert_eq!(map.asset_references().collect::<Vec<_>>(), [b"a.vmat", b"b.vmat"]);
    // Once in the mesh and once in the list.
    assert_eq!(map.edit(|map| map.rename_asset("a.vmat", "b.vmat")).unwrap(), 2);
    let data = map.nodes().find_map(|visit| visit.node.mesh()).unwrap().data().unwrap();
    let mesh = Mesh::from_element(data).unwrap();
    assert_eq!(mesh.materials, [b"b.vmat"]);
    assert_eq!(mesh.face_data.stream("materialindex:0").unwrap().data.as_ints().unwrap(), [0, 0, 0]);
    assert_eq!(map.asset_references().collect::<Vec<_>>(), [b"b.vmat"]);
}

#[test]
fn names_of_streams_with_zero_bytes_are_refused() {
    let stream = |name: &str| Stream { name: name.into(), ..Stream::new("paint", 0, StreamData::Float(Vec::new())) };
    let mut map = Document::new();
    let bytes = map.to_bytes().unwrap();
    let mut meshes = vec![Mesh { materials: vec![b"a".to_vec(), b"b\0".to_vec()], ..Mesh::default() }; 5];
    let [_, first, second, third, fourth] = &mut meshes[..] else { panic!() };
    for mesh in [&mut *first, &mut *second, &mut *third, &mut *fourth] {
        mesh.materials.clear();
    }
    first.vertex_data.streams = vec![stream("a:0"), stream("b\0:0")];
    second.face_vertex_data.streams = vec![Stream { semantic_name: b"\0".to_vec(), ..stream("a:0") }];
    third.face_data.streams = vec![Stream { standard_attribute_name: b"\0".to_vec(), ..stream("a:0") }];
    fourth.subdivision_data.streams = vec![stream("\0")];
    let paths = ["materials[1]", "vertexData.streams[1]", "faceVertexData.streams[0]", "faceData.streams[0]"];
    for (mesh, path) in meshes.iter().zip(paths.into_iter().chain(["subdivisionData.streams[0]"])) {
        let error = map.edit(|map| map.world().and_then(|world| map.add_mesh(world, mesh))).unwrap_err();
        assert_eq!(error.path().to_string(), path, "{error}");
        assert!(map.to_bytes().unwrap() == bytes);
    }
}

#[test]
fn materials_of_faces_that_meshes_share_stay() {
    let mut map = Document::new();
    let mut mesh = Mesh { materials: vec![b"a.vmat".to_vec(), b"b.vmat".to_vec()], ..Mesh::default() };
    mesh.face_data.streams = vec![Stream::new("materialindex", 0, StreamData::Int(vec![1, 0]))];
    map.edit(|map| map.world().and_then(|world| map.add_mesh(world, &mesh).and_then(|_| map.add_mesh(world, &mesh))))
        .unwrap();
    let data: Vec<ElementId> = map.nodes().filter_map(|visit| Some(visit.node.mesh()?.data()?.id())).collect();
    let shared = map.graph().element(data[0]).unwrap().child("faceData").unwrap().id();
    map.graph_mut().set(data[1], "faceData", Value::Element(Reference::Element(shared)));
    let mut map = Document::from_bytes(&map.to_bytes().unwrap()).unwrap();
    map.edit(|map| map.rename_asset("a.vmat", "b.vmat")).unwrap();
    for mesh in map.nodes().filter_map(|visit| visit.node.mesh()?.data()) {
        let mesh = Mesh::from_element(mesh).unwrap();
        assert_eq!(mesh.materials, [b"b.vmat", b"b.vmat"]);
        assert_eq!(mesh.face_data.streams[0].data, StreamData::Int(vec![1, 0]));
    }
}
