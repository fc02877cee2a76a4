//! Reading meshes from graphs and writing them back.

use crate::shapes;

use mapwright_dmx as dmx;
use mapwright_dmx::{ElementId, ElementRef, Guid, Reference, Value};
use mapwright_vmap::Mesh;
use mapwright_vmap::mesh::{Stream, StreamData, SubdivisionBinding};
use shapes::{graphs, meshes};

/// Returns the elements of all meshes of a graph.
fn ids(graph: &dmx::Document) -> Vec<ElementId> {
    meshes(graph).map(ElementRef::id).collect()
}

fn no_guid() -> Guid {
    panic!("nothing new is needed")
}

/// Generates consecutive identities.
fn guids() -> impl FnMut() -> Guid {
    let mut next = 0_u32;
    move || {
        next += 1;
        Guid::from_hash(&next.to_le_bytes())
    }
}

#[test]
#[ignore = "needs the corpus"]
fn an_unchanged_mesh_changes_no_byte_of_a_corpus_map() {
    let mut count = 0;
    for (name, _, mut graph) in graphs() {
        let bytes = graph.to_bytes().unwrap();
        for id in ids(&graph) {
            let mesh = Mesh::from_element(graph.element(id).unwrap()).unwrap_or_else(|error| panic!("{name}: {error}"));
            assert_eq!(mesh.write_to_element(&mut graph, id, no_guid), []);
            count += 1;
        }
        assert!(graph.to_bytes().unwrap() == bytes, "{name}");
    }
    println!("{count} meshes");
}

#[test]
#[ignore = "needs the corpus"]
fn meshes_of_corpus_maps_have_no_findings() {
    for (name, _, graph) in graphs() {
        for id in ids(&graph) {
            let mesh = Mesh::from_element(graph.element(id).unwrap()).unwrap();
            let flaws: Vec<String> = mesh.check().iter().map(ToString::to_string).collect();
            assert!(flaws.is_empty(), "{name}, element {}: {flaws:#?}", id.0);
            let closed = mesh.edge_face_indices.iter().filter(|&&face| face >= 0).count();
            assert_eq!(mesh.polygons().unwrap().corners().len(), closed, "{name}");
        }
    }
}

#[test]
#[ignore = "needs the corpus"]
fn a_moved_vertex_of_a_corpus_map_changes_its_twelve_bytes() {
    for (name, bytes, mut graph) in graphs() {
        let Some(&id) = ids(&graph).last() else { continue };
        if graph.header.encoding.is_text() {
            continue;
        }
        let mut mesh = Mesh::from_element(graph.element(id).unwrap()).unwrap();
        let stream = mesh.vertex_data.stream_mut("position:0").unwrap();
        let StreamData::Vector3(positions) = &mut stream.data else { panic!("{name}") };
        let old = *positions.last().unwrap();
        let new = old.map(|c| f32::from_bits(!c.to_bits()));
        *positions.last_mut().unwrap() = new;
        mesh.write_to_element(&mut graph, id, no_guid);
        let after = graph.to_bytes().unwrap();
        let changed: Vec<usize> = (0..bytes.len()).filter(|&at| bytes[at] != after[at]).collect();
        assert_eq!((after.len(), changed.len()), (bytes.len(), 12), "{name}");
        assert_eq!(changed[11] - changed[0], 11, "{name}");
    }
}

/// A triangle with streams of every kind.
fn triangle() -> Mesh {
    let mut mesh = Mesh {
        vertex_edge_indices: vec![0, 3, 5],
        edge_face_indices: vec![0, -1, -1, 0, -1, 0],
        materials: vec![b"materials/a.vmat".to_vec(), vec![0xFF]],
        ..Mesh::default()
    };
    mesh.vertex_data.size = 3;
    mesh.vertex_data.streams = vec![Stream::new("position", 0, StreamData::Vector3(vec![[1.0, -0.0, f32::NAN]; 3]))];
    mesh.face_vertex_data.streams = vec![
        Stream::new("blendweights", 0, StreamData::Float(vec![0.5])),
        Stream::new("blendindices", 0, StreamData::Int(vec![1])),
        Stream::new("texcoord", 0, StreamData::Vector2(vec![[0.5; 2]])),
        Stream::new("tangent", 0, StreamData::Vector4(vec![[0.5; 4]])),
    ];
    mesh.face_vertex_data.streams[2].subdivision_binding =
        Some(SubdivisionBinding { target_data_type: 1, ..SubdivisionBinding::default() });
    mesh
}

fn document() -> dmx::Document {
    dmx::Document::new(dmx::Encoding::BINARY_9, "vmap", 29, "CMapRootElement", Guid::NIL)
}

#[test]
fn a_new_element_gets_all_attributes() {
    let mut graph = document();
    let id = graph.push("CDmePolygonMesh", "meshData", Guid::from_hash(b"mesh"));
    let mesh = triangle();
    mesh.write_to_element(&mut graph, id, guids());
    let element = graph.element(id).unwrap();
    assert_eq!(Mesh::from_element(element).unwrap(), mesh);
    let names: Vec<&[u8]> = element.attributes().map(|(name, _)| name).collect();
    assert_eq!(names[0], b"vertexEdgeIndices");
    assert_eq!(names[10..], [&b"materials"[..], b"vertexData", b"faceVertexData", b"edgeData", b"faceData"]);
    let stream = element.child("faceVertexData").unwrap().children("streams").next().unwrap();
    assert_eq!((stream.name(), stream.attributes().len()), (&b"blendweights:0"[..], 7));
    assert_eq!(stream.text("standardAttributeName"), Some(&b"blendweight0"[..]));
    let count = graph.elements.len();
    mesh.write_to_element(&mut graph, id, no_guid);
    assert_eq!(graph.elements.len(), count);
}

#[test]
fn unknown_streams_and_attributes_stay_in_place() {
    let mut graph = document();
    let id = graph.push("CDmePolygonMesh", "meshData", Guid::from_hash(b"mesh"));
    let mut mesh = triangle();
    mesh.write_to_element(&mut graph, id, guids());
    graph.set(id, "unknown", Value::Int(7));
    let array = graph.element(id).unwrap().child("faceVertexData").unwrap().id();
    let other = graph.push("CDmePolygonMeshDataStream", "texcoord:0", Guid::from_hash(b"other"));
    graph.set(other, "data", Value::ColorArray([[1; 4]].into()));
    let old: Vec<ElementId> = graph.element(array).unwrap().children("streams").map(ElementRef::id).collect();
    let list = [old[0], other, old[1], old[2], old[3]].map(Reference::Element);
    graph.set(array, "streams", Value::ElementArray([list.as_slice(), &[Reference::Null]].concat().into()));
    // Missing attributes of a stream stay missing.
    graph.unset(old[2], "vertexBufferLocation");
    assert_eq!(Mesh::from_element(graph.element(id).unwrap()).unwrap(), mesh);
    let before = graph.clone();
    mesh.write_to_element(&mut graph, id, no_guid);
    assert!(graph == before);

    // Remove one stream, add one, swap two.
    let mut streams = std::mem::take(&mut mesh.face_vertex_data.streams);
    streams.remove(0);
    streams.swap(0, 1);
    streams.push(Stream::new("normal", 0, StreamData::Vector3(vec![])));
    streams.push(Stream::new("VertexPaintTintColor", 0, StreamData::Vector4(vec![])));
    streams[0].subdivision_binding = None;
    mesh.face_vertex_data.streams = streams;
    assert_eq!(mesh.write_to_element(&mut graph, id, guids()), [old[0]]);
    assert_eq!(Mesh::from_element(graph.element(id).unwrap()).unwrap(), mesh);
    let Some(Value::ElementArray(after)) = graph.element(array).unwrap().get("streams") else { panic!() };
    assert_eq!(after[..2], [Reference::Element(old[2]), Reference::Element(other)]);
    assert_eq!(after[2..4], [Reference::Element(old[1]), Reference::Element(old[3])]);
    assert_eq!((after[5], after.len()), (Reference::Null, 7));
    assert_eq!(graph.element(id).unwrap().get("unknown"), Some(&Value::Int(7)));
    assert!(graph.element(old[2]).unwrap().get("vertexBufferLocation").is_none());
}

#[test]
fn a_repeated_stream_counts_once() {
    let mut graph = document();
    let id = graph.push("CDmePolygonMesh", "meshData", Guid::from_hash(b"mesh"));
    let mut mesh = triangle();
    mesh.write_to_element(&mut graph, id, guids());
    let array = graph.element(id).unwrap().child("vertexData").unwrap();
    let (array, stream) = (array.id(), array.children("streams").next().unwrap().id());
    let list = Value::ElementArray(vec![Reference::Element(stream); 100_000].into());
    graph.set(array, "streams", list.clone());
    assert_eq!(Mesh::from_element(graph.element(id).unwrap()).unwrap(), mesh);
    mesh.vertex_data.streams.push(Stream::new("other", 0, StreamData::Int(vec![1])));
    mesh.write_to_element(&mut graph, id, guids());
    let Some(Value::ElementArray(references)) = graph.element(array).unwrap().get("streams") else { panic!() };
    assert_eq!(references.len(), 100_001);
    assert_eq!(Mesh::from_element(graph.element(id).unwrap()).unwrap(), mesh);
}

#[test]
fn errors_have_a_path() {
    let mut graph = document();
    let id = graph.push("CDmePolygonMesh", "meshData", Guid::from_hash(b"mesh"));
    triangle().write_to_element(&mut graph, id, guids());
    let error = |graph: &dmx::Document| Mesh::from_element(graph.element(id).unwrap()).unwrap_err().to_string();
    let stream = graph.element(id).unwrap().child("faceVertexData").unwrap().children("streams").nth(1).unwrap().id();
    graph.set(stream, "semanticIndex", Value::Float(1.0));
    let text = error(&graph);
    assert!(text.starts_with("wrong attribute type: expected int, found float"), "{text}");
    assert!(text.ends_with(" in faceVertexData.streams[1].semanticIndex"), "{text}");
    graph.unset(id, "edgeNextIndices");
    let text = error(&graph);
    assert!(text.starts_with("missing attribute") && text.ends_with(" in edgeNextIndices"), "{text}");
    graph.set(id, "edgeNextIndices", Value::FloatArray([].into()));
    assert!(error(&graph).starts_with("wrong attribute type: expected int_array, found float_array"));
}

/// Names are copied, but files store each string once.
#[test]
fn long_names_with_many_uses_are_rejected() {
    let mut graph =
        dmx::Document::new(dmx::Encoding::BINARY_9, "vmap", 29, "CMapRootElement", Guid::from_hash(b"root"));
    let id = graph.push("CDmePolygonMesh", "", Guid::from_hash(b"mesh"));
    let mut mesh = Mesh { materials: vec![vec![b'a'; 100_000]; 10], ..Mesh::default() };
    mesh.write_to_element(&mut graph, id, guids());
    assert_eq!(Mesh::from_element(graph.element(id).unwrap()).unwrap(), mesh);
    mesh.materials.push(mesh.materials[0].clone());
    mesh.write_to_element(&mut graph, id, guids());
    let error = Mesh::from_element(graph.element(id).unwrap()).unwrap_err();
    assert!(error.to_string().ends_with("in materials"), "{error}");
    mesh.materials.clear();
    let stream =
        Stream { standard_attribute_name: vec![b'a'; 500_000], ..Stream::new("x", 0, StreamData::Int(vec![])) };
    mesh.face_data.streams = (0..3).map(|index| Stream { name: vec![index], ..stream.clone() }).collect();
    mesh.write_to_element(&mut graph, id, guids());
    let error = Mesh::from_element(graph.element(id).unwrap()).unwrap_err();
    assert!(error.to_string().contains("faceData.streams[2].standardAttributeName"), "{error}");
}

/// Source: "Anatomy of a Hammer mesh", whose quad has no other streams.
#[test]
fn a_mesh_with_positions_alone_is_read() {
    let (mut graph, id) = {
        let mut map = mapwright_vmap::Document::new();
        let mesh = map.edit(|map| {
            let world = map.map().world().unwrap().element().id();
            map.add_mesh(world, &shapes::quad())
        });
        mesh.unwrap();
        let graph = map.graph().clone();
        // Editing moved the elements.
        let node = graph.iter().find(|element| element.is("CMapMesh")).unwrap();
        let id = node.child("meshData").unwrap().id();
        (graph, id)
    };
    for name in ["faceVertexData", "edgeData", "faceData"] {
        graph.unset(id, name);
    }
    graph.set(id, "subdivisionData", Value::Element(Reference::Null));
    let mesh = Mesh::from_element(graph.element(id).unwrap()).unwrap();
    let polygons = mesh.polygons().unwrap();
    let faces: Vec<Vec<u32>> = polygons.iter().map(|face| face.iter().map(|corner| corner.vertex).collect()).collect();
    assert_eq!(faces, [[0, 1, 3, 2]]);
    let warnings = mesh.check().into_iter().filter(|finding| finding.severity > mapwright_io::Severity::Note);
    assert_eq!(warnings.map(|finding| finding.to_string()).collect::<Vec<_>>(), Vec::<String>::new());
    graph.unset(id, "vertexData");
    assert!(Mesh::from_element(graph.element(id).unwrap()).is_err());
}
