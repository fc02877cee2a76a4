//! Documents of other programs.

use mapwright_interchange::gltf::{ExportOptions, ImportOptions, from_scene, to_scene};
use mapwright_scene::NoFiles;
use mapwright_scene::*;

use super::{
    documents::{floats, glb, json, mesh},
    scenes::textured,
};

fn read(bytes: &[u8]) -> Import {
    to_scene(bytes, &NoFiles, &ImportOptions::default()).unwrap()
}

fn first_mesh(bytes: &[u8]) -> Mesh {
    read(bytes).scene.meshes.items()[0].clone()
}

/// Five points: a unit square and one beside it.
const POINTS: [f32; 15] = [0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 1.0, 1.0, 0.0, 2.0, 0.0, 0.0];
const POSITION: &str = r#"{"bufferView":0,"componentType":5126,"count":5,"type":"VEC3"}"#;

fn with_indices(indices: &[u8], mode: u32) -> Mesh {
    let mut bin = floats(&POINTS);
    bin.extend(indices);
    let accessors =
        format!(r#"{POSITION},{{"bufferView":1,"componentType":5121,"count":{},"type":"SCALAR"}}"#, indices.len());
    let primitive = format!(r#"{{"attributes":{{"POSITION":0}},"indices":1,"mode":{mode}}}"#);
    first_mesh(&mesh(&bin, &[(0, 60, ""), (60, indices.len(), "")], &accessors, &primitive))
}

fn faces(mesh: &Mesh) -> Vec<Vec<[f64; 3]>> {
    mesh.faces.iter().map(|face| face.iter().map(|&vertex| mesh.positions[vertex as usize]).collect()).collect()
}

#[test]
fn strips_and_fans_face_one_way() {
    let points: Vec<[f64; 3]> = POINTS.as_chunks::<3>().0.iter().map(|p| p.map(f64::from)).collect();
    let at = |list: [usize; 3]| list.map(|i| points[i]).to_vec();
    let strip = with_indices(&[0, 1, 2, 3], 5);
    assert_eq!(faces(&strip), [at([0, 1, 2]), at([2, 1, 3])]);
    // Without normals a mesh is to be shown flat.
    assert_eq!((strip.smoothing, strip.positions.len()), (Smoothing::Flat, 4));
    assert_eq!(faces(&with_indices(&[0, 1, 3, 2], 6)), [at([0, 1, 3]), at([0, 3, 2])]);
    assert_eq!(faces(&with_indices(&[0, 1, 2, 2, 1, 3], 4)), [at([0, 1, 2]), at([2, 1, 3])]);
    // Strips are joined by triangles that are lines.
    assert_eq!(faces(&with_indices(&[0, 1, 2, 2, 3, 4], 5)).len(), 2);
}

#[test]
fn points_and_lines_are_reported_as_lost() {
    let document = mesh(&floats(&POINTS), &[(0, 60, "")], POSITION, r#"{"attributes":{"POSITION":0},"mode":1}"#);
    let import = read(&document);
    assert!(import.scene.meshes.items()[0].faces.is_empty());
    assert_eq!(import.losses.items[0].to_string(), "dropped: meshes[0].primitives[0]: points or lines");
}

#[test]
fn sets_after_a_missing_number_are_read() {
    let mut bin = floats(&POINTS);
    bin.extend(floats(&[0.5; 20]));
    let sets = r#"{"bufferView":1,"componentType":5126,"count":5,"type":"VEC2"},
        {"bufferView":1,"componentType":5126,"count":5,"type":"VEC4"}"#;
    let read_sets = |names: &str| {
        let primitive = format!(r#"{{"attributes":{{"POSITION":0{names}}},"mode":6}}"#);
        let document = mesh(&bin, &[(0, 60, ""), (60, 80, "")], &format!("{POSITION},{sets}"), &primitive);
        let import = read(&document);
        let mesh = &import.scene.meshes.items()[0];
        let losses: Vec<String> = import.losses.iter().map(ToString::to_string).collect();
        ([mesh.uv_sets.len(), mesh.color_sets.len()], losses)
    };
    assert_eq!(read_sets(r#","TEXCOORD_0":1,"TEXCOORD_1":1,"COLOR_0":2"#), ([2, 1], vec![]));
    assert_eq!(read_sets(r#","COLOR_1":2,"TEXCOORD_0":1,"TEXCOORD_2":1"#), ([3, 2], vec![]));
    let (sets, losses) = read_sets(r#","TEXCOORD_20":1"#);
    assert_eq!((sets, losses), ([16, 0], vec!["dropped: meshes[0]: all but 16 UV sets and 6 colour sets".to_owned()]));
    let (_, losses) = read_sets(r#","TEXCOORD_X":1,"_COLOR_OLD":2"#);
    assert_eq!(losses.len(), 2, "{losses:?}");
}

#[test]
fn instances_without_a_transform_are_one_mesh() {
    let primitive = r#"{"attributes":{"POSITION":0},"mode":6}"#;
    let document = mesh(&floats(&POINTS), &[(0, 60, "")], POSITION, primitive);
    let size = u32::from_le_bytes(document[12..16].try_into().unwrap()) as usize;
    let with = |attributes: &str| {
        let node =
            format!(r#"{{"mesh":0,"extensions":{{"EXT_mesh_gpu_instancing":{{"attributes":{{{attributes}}}}}}}}}"#);
        let text = String::from_utf8(document[20..20 + size].to_vec()).unwrap().replacen(r#"{"mesh":0}"#, &node, 1);
        read(&glb(&text, &document[28 + size..]))
    };
    let plain = with("");
    assert_eq!((&plain.scene.nodes.items()[0].content, plain.losses.len()), (&Content::Mesh(Id::new(0)), 0));
    // Other programs use this name for numbers of another kind.
    let import = with(r#""TRANSLATION":0,"_ID":0"#);
    let losses: Vec<String> = import.losses.iter().map(ToString::to_string).collect();
    let lost = "dropped: nodes[0]: the attribute _ID of instances: it is not a column of whole numbers";
    assert_eq!(losses, [lost]);
    assert_eq!(import.scene.instance_sets.items()[0].model.len(), 5);
}

#[test]
fn sets_that_other_programs_add_are_read() {
    let scene = textured();
    let export = from_scene(&scene, &NoFiles, &ExportOptions::default()).unwrap().document.main;
    // The same column again, as a set that the metadata does not know.
    let size = u32::from_le_bytes(export[12..16].try_into().unwrap()) as usize;
    let mut json: serde_json::Value = serde_json::from_slice(&export[20..20 + size]).unwrap();
    for primitive in json["meshes"][0]["primitives"].as_array_mut().unwrap() {
        let first = primitive["attributes"]["TEXCOORD_0"].clone();
        primitive["attributes"]["TEXCOORD_2"] = first;
    }
    let import = read(&glb(&json.to_string(), &export[28 + size..]));
    let [before, after] = [&scene, &import.scene].map(|scene| &scene.meshes.items()[0].uv_sets);
    assert_eq!((before.len(), after.len()), (2, 3));
    assert_eq!((&after[0].name, &after[2].name), (&"first".to_owned(), &String::new()));
    assert!(import.losses.is_empty(), "{:?}", import.losses);
}

#[test]
fn vertices_at_one_position_are_welded_by_default() {
    let square = [0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 1.0, -0.0, 1.0, 0.0, 0.0, 1.0, 1.0, 0.0];
    let accessor = r#"{"bufferView":0,"componentType":5126,"count":6,"type":"VEC3"}"#;
    let document = mesh(&floats(&square), &[(0, 72, "")], accessor, r#"{"attributes":{"POSITION":0}}"#);
    assert_eq!(first_mesh(&document).positions.len(), 4);
    let apart = to_scene(&document, &NoFiles, &ImportOptions::default().with_weld(false)).unwrap();
    assert_eq!(apart.scene.meshes.items()[0].positions.len(), 6);
}

#[test]
fn normalised_strided_and_sparse_numbers_are_read() {
    // A triangle; per vertex a position of three shorts in eight bytes; UVs of normalised bytes; sparse positions.
    let mut bin = Vec::new();
    for [x, y, z] in [[0_i16, 0, 0], [100, 0, 0], [0, 100, 0]] {
        bin.extend([x, y, z, 77].iter().flat_map(|n| n.to_le_bytes()));
    }
    bin.extend([0, 255, 0, 0, 255, 0, 0, 0, 51, 0, 0, 0]);
    bin.extend([2, 0, 0, 0]);
    bin.extend([7_i16, 8, 9, 0].iter().flat_map(|n| n.to_le_bytes()));
    let views = [(0, 24, r#","byteStride":8"#), (24, 12, r#","byteStride":4"#), (36, 1, ""), (40, 6, "")];
    let accessors = r#"
        {"bufferView":0,"componentType":5122,"count":3,"type":"VEC3","sparse":{"count":1,
            "indices":{"bufferView":2,"componentType":5121},"values":{"bufferView":3}}},
        {"bufferView":1,"componentType":5121,"count":3,"type":"VEC2","normalized":true}"#;
    let mesh = first_mesh(&mesh(&bin, &views, accessors, r#"{"attributes":{"POSITION":0,"TEXCOORD_0":1}}"#));
    assert_eq!(mesh.positions, [[0.0; 3], [100.0, 0.0, 0.0], [7.0, 8.0, 9.0]]);
    assert!(mesh.uv_sets[0].corners.iter().eq([[0.0, 1.0], [1.0, 0.0], [0.2, 0.0]].map(Some)));
}

#[test]
fn numbers_without_a_buffer_are_zero() {
    let accessor = r#"{"componentType":5126,"count":3,"type":"VEC3"}"#;
    let document = mesh(&floats(&POINTS), &[(0, 60, "")], accessor, r#"{"attributes":{"POSITION":0}}"#);
    let import = read(&document);
    assert!(import.scene.meshes.items()[0].faces.is_empty());
    assert!(import.losses.items[0].text.contains("repeated vertex"));
}

#[test]
fn colours_show_where_a_primitive_has_them() {
    let mut bin = floats(&POINTS[..9]);
    bin.extend([255, 0, 51, 0, 0, 255, 0, 0, 0, 0, 0, 0]);
    let text = json(
        r#""scenes":[{}],"meshes":[{"primitives":[{"attributes":{"POSITION":0,"COLOR_0":1},"material":0}]}],
        "materials":[{"name":"paint"}],"images":[{"uri":"a%20b.png"}],"buffers":[{"byteLength":48}],
        "bufferViews":[{"buffer":0,"byteLength":36},{"buffer":0,"byteOffset":36,"byteLength":12,"byteStride":4}],
        "accessors":[{"bufferView":0,"componentType":5126,"count":3,"type":"VEC3"},
        {"bufferView":1,"componentType":5121,"count":3,"type":"VEC3","normalized":true}]"#,
    );
    let scene = read(&glb(&text, &bin)).scene;
    let mesh = &scene.meshes.items()[0];
    assert_eq!(mesh.color_sets[0].corners.get(0), Some([1.0, 0.0, 0.2, 1.0]));
    assert_eq!(scene.materials.items()[0].vertex_colors, VertexColors::Multiply);
    assert_eq!((scene.color_space, scene.metres_per_unit), (ColorSpace::Linear, Some(1.0)));
    assert_eq!(scene.images.items()[0].source, ImageSource::External { path: "a b.png".into() });
}

/// A triangle with two UV sets and a material.
fn with_texture(material: &str, extensions: &str) -> Import {
    let mut bin = floats(&POINTS[..9]);
    bin.extend(floats(&[0.0, 0.0, 1.0, 0.0, 0.0, 1.0, 0.5, 0.5, 0.5, 0.5, 0.5, 0.5]));
    let text = json(&format!(
        r#""scenes":[{{"nodes":[0]}}],"nodes":[{{"mesh":0}}],{extensions}"materials":[{material}],
        "meshes":[{{"primitives":[{{"attributes":{{"POSITION":0,"TEXCOORD_0":1,"TEXCOORD_1":2}},"material":0}}]}}],
        "textures":[{{"source":0}}],"images":[{{"uri":"a.png"}}],"buffers":[{{"byteLength":84}}],
        "bufferViews":[{{"buffer":0,"byteLength":36}},{{"buffer":0,"byteOffset":36,"byteLength":48}}],
        "accessors":[{{"bufferView":0,"componentType":5126,"count":3,"type":"VEC3"}},
        {{"bufferView":1,"componentType":5126,"count":3,"type":"VEC2"}},
        {{"bufferView":1,"byteOffset":24,"componentType":5126,"count":3,"type":"VEC2"}}]"#,
    ));
    read(&glb(&text, &bin))
}

fn uv(import: &Import, set: usize) -> Vec<[f64; 2]> {
    import.scene.meshes.items()[0].uv_sets[set].corners.iter().flatten().collect()
}

#[test]
fn uv_sets_may_begin_at_1() {
    let mut bin = floats(&POINTS[..9]);
    bin.extend(floats(&[0.5, 0.25, 1.0, 0.25, 0.5, 1.0]));
    let text = json(
        r#""scenes":[{"nodes":[0]}],"nodes":[{"mesh":0}],"meshes":[{"primitives":[{"attributes":{"POSITION":0,"TEXCOORD_1":1}}]}],
        "buffers":[{"byteLength":60}],"bufferViews":[{"buffer":0,"byteLength":36},{"buffer":0,"byteOffset":36,"byteLength":24}],
        "accessors":[{"bufferView":0,"componentType":5126,"count":3,"type":"VEC3"},
        {"bufferView":1,"componentType":5126,"count":3,"type":"VEC2"}]"#,
    );
    assert_eq!(uv(&read(&glb(&text, &bin)), 1), [[0.5, 0.25], [1.0, 0.25], [0.5, 1.0]]);
}

/// Source: `KHR_texture_transform`, and what Blender and three.js make of it.
#[test]
fn texture_transforms_are_applied_to_texture_coordinates() {
    let transform = |text: &str| format!(r#"{{"index":0,"extensions":{{"KHR_texture_transform":{{{text}}}}}}}"#);
    let material = |base: &str| format!(r#"{{"pbrMetallicRoughness":{{"baseColorTexture":{base}}}}}"#);
    let used = r#""extensionsUsed":["KHR_texture_transform"],"#;
    let scaled = with_texture(&material(&transform(r#""offset":[0.5,0.25],"scale":[2,4]"#)), used);
    assert_eq!(uv(&scaled, 0), [[0.5, 0.25], [2.5, 0.25], [0.5, 4.25]]);
    assert_eq!((uv(&scaled, 1), scaled.scene.meshes.items()[0].uv_sets.len()), (vec![[0.5; 2]; 3], 2));
    assert_eq!(scaled.losses.lost_count(), 0, "{:?}", scaled.losses);
    // A quarter turn: u points up the image, v to the right.
    let turned = with_texture(&material(&transform(r#""rotation":1.5707963267948966"#)), used);
    let expected = [[0.0, 0.0], [0.0, -1.0], [1.0, 0.0]];
    let close = |a: &[f64; 2], b: &[f64; 2]| a.iter().zip(b).all(|(a, b)| (a - b).abs() < 1e-12);
    assert!(uv(&turned, 0).iter().zip(&expected).all(|(a, b)| close(a, b)), "{:?}", uv(&turned, 0));
    // Another set, as the extension states.
    let moved = with_texture(&material(&transform(r#""texCoord":1,"offset":[1,1]"#)), used);
    assert_eq!((uv(&moved, 0)[1], uv(&moved, 1)[1]), ([1.0, 0.0], [1.5, 1.5]));
    assert_eq!(moved.scene.materials.items()[0].textures[0].uv_set, 1);
}

#[test]
fn textures_with_different_transforms_get_different_sets() {
    let scale = r#""extensions":{"KHR_texture_transform":{"scale":[3,3]}}"#;
    let material = format!(
        r#"{{"pbrMetallicRoughness":{{"baseColorTexture":{{"index":0,{scale}}}}},"emissiveTexture":{{"index":0,{scale}}},
        "occlusionTexture":{{"index":0}}}}"#
    );
    let import = with_texture(&material, "");
    let sets: Vec<usize> = import.scene.materials.items()[0].textures.iter().map(|slot| slot.uv_set).collect();
    // Base colour, occlusion, emission.
    assert_eq!(sets, [0, 2, 0]);
    assert_eq!((uv(&import, 0)[1], uv(&import, 2)[1]), ([3.0, 0.0], [1.0, 0.0]));
}

#[test]
fn required_extensions_of_materials_are_read() {
    let required = |name: &str| format!(r#""extensionsUsed":["{name}"],"extensionsRequired":["{name}"],"#);
    let old = r#"{"extensions":{"KHR_materials_pbrSpecularGlossiness":{"diffuseFactor":[0.5,0.25,1,0.75],
        "diffuseTexture":{"index":0,"texCoord":1},"glossinessFactor":0.75}}}"#;
    let import = with_texture(old, &required("KHR_materials_pbrSpecularGlossiness"));
    let material = &import.scene.materials.items()[0];
    assert_eq!((material.base_color, material.metallic, material.roughness), ([0.5, 0.25, 1.0, 0.75], 0.0, 0.25));
    assert_eq!((&material.textures[0].usage, material.textures[0].uv_set), (&TextureUsage::BaseColor, 1));
    let reports = |import: &Import, text: &str| import.losses.iter().any(|loss| loss.to_string().starts_with(text));
    assert!(reports(&import, "approximated: materials[0]: specular and glossiness"));
    let unlit = with_texture(r#"{"extensions":{"KHR_materials_unlit":{}}}"#, &required("KHR_materials_unlit"));
    assert!(reports(&unlit, "dropped: materials[0]: shown without lighting"));
    let coat = with_texture(r#"{"name":"paint"}"#, &required("KHR_materials_clearcoat"));
    assert!(reports(&coat, "dropped: extensionsUsed[0]: the extension KHR_materials_clearcoat"));
    assert_eq!(coat.scene.materials.items()[0].name, "paint");
}

#[test]
fn old_versions_and_trailing_bytes_are_named() {
    let error = |bytes: &[u8]| to_scene(bytes, &NoFiles, &ImportOptions::default()).unwrap_err();
    let old = error(br#"{"asset":{"version":"1.0"},"meshes":{}}"#);
    assert_eq!(old.to_string(), "glTF version 1.0 is not supported in asset.version");
    assert!(old.help().is_some_and(|help| help.contains("glTF 2.0")));
    let mut container = glb(&json(r#""scenes":[{}]"#), &[]);
    container[4] = 1;
    assert!(error(&container).to_string().starts_with("glTF version 1 is not supported"));
    assert!(error(&container).help().is_some());
    container[4] = 2;
    container.extend(b"junk!");
    let losses: Vec<String> = read(&container).losses.iter().map(ToString::to_string).collect();
    assert_eq!(losses, ["dropped: 5 bytes after the end of the container"]);
    // Chunks of a later version.
    let mut chunks = glb(&json(r#""scenes":[{}]"#), &[]);
    for kind in *b"ab" {
        chunks.extend([4, 0, 0, 0, kind, 0, 0, 0, 1, 2, 3, 4]);
    }
    let length = u32::try_from(chunks.len()).unwrap().to_le_bytes();
    chunks[8..12].copy_from_slice(&length);
    let losses: Vec<String> = read(&chunks).losses.iter().map(ToString::to_string).collect();
    assert_eq!(losses, ["dropped: 2 chunks of an unknown kind"]);
}

#[test]
fn plain_classes_make_entities() {
    let text = json(
        r#""scenes":[{"nodes":[0,1]}],"nodes":[{"name":"crate","extras":{"classname":"prop_static",
        "model":"models/crate.vmdl","skin":"2"}},{"name":"other","extras":{"classname":7}}]"#,
    );
    let scene = read(text.as_bytes()).scene;
    let Content::Entity(id) = scene.nodes.items()[0].content else { panic!("{:?}", scene.nodes) };
    let entity = &scene.entities[id];
    assert_eq!((entity.class.as_str(), entity.model.as_deref()), ("prop_static", Some("models/crate.vmdl")));
    assert_eq!(entity.properties, [("skin", "2")].into_iter().collect());
    assert!(scene.nodes.items()[0].properties.is_empty());
    assert_eq!((&scene.nodes.items()[1].content, scene.entities.len()), (&Content::Group, 1));
}

#[test]
fn normals_become_hard_edges_where_they_split() {
    // A roof of two quads as triangles, each with its own normals: the ridge is hard, the diagonals are not.
    let s = std::f32::consts::FRAC_1_SQRT_2;
    let (left, right) = ([-s, s, 0.0], [s, s, 0.0]);
    let corners = [
        ([0.0, 1.0, 0.0], left),
        ([-1.0, 0.0, 0.0], left),
        ([-1.0, 0.0, 1.0], left),
        ([0.0, 1.0, 1.0], left),
        ([0.0, 1.0, 1.0], right),
        ([1.0, 0.0, 1.0], right),
        ([1.0, 0.0, 0.0], right),
        ([0.0, 1.0, 0.0], right),
    ];
    let mut bin: Vec<u8> = corners.iter().flat_map(|(p, n)| floats(&[*p, *n].concat())).collect();
    bin.extend([0_u16, 1, 2, 0, 2, 3, 4, 5, 6, 4, 6, 7].iter().flat_map(|i| i.to_le_bytes()));
    let views = [(0, 192, r#","byteStride":24"#), (192, 24, "")];
    let accessors = r#"{"bufferView":0,"componentType":5126,"count":8,"type":"VEC3"},
        {"bufferView":0,"byteOffset":12,"componentType":5126,"count":8,"type":"VEC3"},
        {"bufferView":1,"componentType":5123,"count":12,"type":"SCALAR"}"#;
    let primitive = r#"{"attributes":{"POSITION":0,"NORMAL":1},"indices":2}"#;
    let mesh = first_mesh(&mesh(&bin, &views, accessors, primitive));
    assert_eq!(mesh.positions.len(), 6);
    assert_eq!(mesh.hard_edges, [[0, 3]]);
    assert_eq!((mesh.normals, mesh.smoothing), (None, Smoothing::Smooth));
}

#[test]
fn a_node_may_have_several_contents() {
    let text = json(
        r#""scene":0,"scenes":[{"name":"s","nodes":[1],"extras":{"k":[1,2.5,null,"x"]}}],"nodes":[{"name":"other"},
        {"name":"n","camera":0,"extensions":{"KHR_lights_punctual":{"light":0}},"matrix":[2,0,0,0,0,1,0,0,0,0,1,0,5,6,7,1]}],
        "cameras":[{"type":"perspective","perspective":{"yfov":1,"znear":0.5}}],
        "extensions":{"KHR_lights_punctual":{"lights":[{"type":"spot","spot":{},"intensity":2.0}]}},
        "extensionsUsed":["KHR_lights_punctual","EXT_unknown"],"animations":[{}],"skins":[{"joints":[0]}]"#,
    );
    let Import { scene, losses } = read(text.as_bytes());
    assert_eq!(scene.name, "s");
    let expected = Value::List(vec![Value::Int(1), Value::Float(2.5), Value::Text("x".into())]);
    assert_eq!(scene.properties.get("k"), Some(&expected));
    assert_eq!(scene.roots, [NodeId::new(1)]);
    assert_eq!(scene.nodes[NodeId::new(1)].transform.origin(), [5.0, 6.0, 7.0]);
    assert_eq!(scene.nodes[NodeId::new(1)].content, Content::Camera(CameraId::new(0)));
    assert_eq!(scene.nodes[NodeId::new(2)].content, Content::Light(LightId::new(0)));
    assert!(scene.nodes[NodeId::new(1)].children == [NodeId::new(2)]);
    assert!(matches!(scene.lights.items()[0].kind, LightKind::Spot { inner: 0.0, .. }));
    let lost: Vec<String> = losses.iter().map(|loss| loss.path.to_string()).collect();
    assert_eq!(lost, ["extensionsUsed[1]", "animations", "skins", "scene.extras.k", "nodes"]);
    assert_eq!((&*losses.items[1].text, &*losses.items[2].text), ("1 animation", "1 skin"));
}

#[test]
fn a_copy_of_compressed_geometry_is_read() {
    let primitive = r#"{"attributes":{"POSITION":0},"mode":6,
        "extensions":{"KHR_draco_mesh_compression":{"bufferView":0,"attributes":{"POSITION":0}}}}"#;
    let document = mesh(&floats(&POINTS), &[(0, 60, "")], POSITION, primitive);
    let import = read(&document);
    assert_eq!((import.scene.meshes.items()[0].faces.len(), import.losses.items), (3, vec![]));
    // Without its bytes, all points would be at the origin.
    let position = POSITION.replace(r#""bufferView":0,"#, "");
    let import = read(&mesh(&floats(&POINTS), &[(0, 60, "")], &position, primitive));
    assert!(import.scene.meshes.items()[0].positions.is_empty());
    let losses: Vec<String> = import.losses.iter().map(ToString::to_string).collect();
    assert_eq!(losses, ["dropped: meshes[0].primitives[0]: compressed geometry"]);
}

#[test]
fn images_are_decoded_on_request() {
    let png = "data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";
    let text = json(&format!(r#""scenes":[{{}}],"images":[{{"uri":"{png}"}}]"#));
    let image = &read(text.as_bytes()).scene.images.items()[0].source.clone();
    assert!(matches!(image, ImageSource::Encoded { media_type, .. } if media_type == "image/png"));
    let options = ImportOptions::default().with_decode_images(true);
    let image = to_scene(text.as_bytes(), &NoFiles, &options).unwrap().scene.images.items()[0].source.clone();
    assert!(matches!(image, ImageSource::Pixels(Pixels { width: 1, height: 1, .. })), "{image:?}");
}
