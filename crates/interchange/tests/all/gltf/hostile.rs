//! Documents that lie: an error with its path and place, or a scene; never a panic, never memory without end.

use mapwright_interchange::{
    Category, Error, Position,
    gltf::{ExportOptions, ImportOptions, from_scene, to_scene},
};
use mapwright_io::LineColumn;
use mapwright_scene::{ColorSpace, Content, Import, NoFiles, Node, Scene, Severity, Transform};
use mapwright_testkit::mutate;
use proptest::prelude::*;

use super::{
    documents::{floats, glb, json, mesh},
    scenes::{colored, instanced, scene_with_all_nodes, textured},
};

fn error(bytes: &[u8]) -> Error {
    to_scene(bytes, &NoFiles, &ImportOptions::default()).unwrap_err()
}

#[track_caller]
fn fails(parts: &str, expected: &str) {
    assert_eq!(error(json(parts).as_bytes()).to_string(), expected);
}

/// No importer makes a scene that exporters refuse.
#[track_caller]
fn whole(scene: &Scene) {
    let problems = scene.validate();
    assert_eq!(problems.iter().find(|problem| problem.severity == Severity::Error), None);
}

/// Reads a document of these parts. Returns the scene and the losses.
#[track_caller]
fn reads(parts: &str) -> Import {
    let import = to_scene(json(parts).as_bytes(), &NoFiles, &ImportOptions::default()).unwrap();
    whole(&import.scene);
    import
}

#[test]
fn numbers_that_overflow_when_they_are_computed_are_repaired() {
    for metres in ["0", "-1", "1e-320"] {
        let note = format!(
            r#""scenes":[{{"extras":{{"mapwright":{{"version":1,"metres_per_unit":{metres}}}}}}}],
            "cameras":[{{"type":"perspective","perspective":{{"yfov":1,"znear":1}}}}]"#
        );
        let Import { scene, losses } = reads(&note);
        assert_eq!((scene.metres_per_unit, losses.len()), (Some(1.0), 1), "{losses:?}");
    }
    let small = reads(
        r#""scenes":[{"extras":{"mapwright":{"version":1,"metres_per_unit":1e-300}}}],
        "cameras":[{"type":"perspective","perspective":{"yfov":1,"znear":1e300,"zfar":1e301}}],
        "extensions":{"KHR_lights_punctual":{"lights":[{"type":"point","range":1e300}]}}"#,
    );
    assert_eq!(small.losses.len(), 3, "{:?}", small.losses);
    assert_eq!(small.scene.lights.items()[0].range, Some(f64::MAX));
    let bright = reads(
        r#""materials":[{"emissiveFactor":[1e200,0,0],"extensions":{"KHR_materials_emissive_strength":{"emissiveStrength":1e200}}}]"#,
    );
    assert_eq!(bright.scene.materials.items()[0].emissive[0], f64::MAX);
}

#[test]
fn overflowing_light_is_written_as_a_finite_number() {
    let mut scene = colored();
    scene.color_space = ColorSpace::Srgb;
    scene.materials.iter_mut().for_each(|(_, material)| material.emissive = [1e200, 0.0, 0.0, 1.0]);
    let export = from_scene(&scene, &NoFiles, &ExportOptions::default()).unwrap();
    let back = to_scene(&export.document.main, &NoFiles, &ImportOptions::default()).unwrap().scene;
    assert!(back.materials.items().iter().any(|material| material.emissive[0] > 1e300));
}

#[test]
fn notes_of_others_are_properties() {
    let note =
        |note: &str| reads(&format!(r#""scenes":[{{"nodes":[0]}}],"nodes":[{{"extras":{{"mapwright":{note}}}}}]"#));
    for foreign in [r#""1.2""#, "7", "[]", r#"{"hidden":"yes"}"#, r#"{"entity":{}}"#, r#"{"prefab":{}}"#] {
        let Import { scene, losses } = note(foreign);
        assert!(scene.nodes.items()[0].properties.get("mapwright").is_some(), "{foreign}");
        assert_eq!(losses.items[0].path, "nodes[0].extras.mapwright", "{foreign}");
    }
    let Import { scene, losses } = note(r#"{"hidden":true,"added later":1}"#);
    assert!(losses.is_empty() && scene.nodes.items()[0].properties.is_empty() && !scene.nodes.items()[0].visible);
    let later = reads(r#""scenes":[{"extras":{"mapwright":{"version":2,"metres_per_unit":1}}}]"#);
    assert_eq!(later.losses.items[0].text, "metadata of a later version: additional data is not read");
}

#[test]
fn data_without_a_place_in_scenes_is_reported_as_lost() {
    let document = r#"{"asset":{"version":"2.0","copyright":"(c) me","extras":{"a":1}},"extras":{"a":1},"samplers":[{"magFilter":9728}],
        "textures":[{"extras":{"a":1}}],"images":[{"uri":"a.png","extras":{"a":1}}],"scenes":[{}],
        "cameras":[{"name":"eye","type":"perspective","perspective":{"yfov":1,"znear":1}}],
        "extensions":{"KHR_lights_punctual":{"lights":[{"name":"sun","type":"point"}]}},
        "meshes":[{"primitives":[{"attributes":{"POSITION":0,"TANGENT":1},"extras":{"a":1}}]}],
        "accessors":[{"componentType":5126,"count":0,"type":"VEC3"},{"componentType":5126,"count":0,"type":"VEC4"}]}"#;
    let losses = to_scene(document.as_bytes(), &NoFiles, &ImportOptions::default()).unwrap().losses;
    let lost: Vec<String> = losses.iter().map(|loss| loss.path.to_string()).collect();
    let expected = [
        "asset.copyright",
        "samplers[0]",
        "extras",
        "asset.extras",
        "textures[0].extras",
        "images[0].extras",
        "images[0]",
        "meshes[0].primitives[0].attributes",
        "meshes[0].primitives[0].extras",
        "extensions.KHR_lights_punctual.lights[0].name",
        "cameras[0].name",
    ];
    assert_eq!(lost, expected);
}

#[test]
fn a_rotation_of_seven_digits_is_a_rotation() {
    let mut scene = Scene::default();
    let id = scene.add_node(None, Node::new("turned", Content::Group));
    let rotation = [0.0, 0.600_000_4, 0.0, 0.8];
    let transform = Transform::Trs { translation: [0.0; 3], rotation, scale: [1.0; 3] };
    scene.nodes[id].transform = transform;
    let export = from_scene(&scene, &NoFiles, &ExportOptions::default()).unwrap();
    assert!(export.losses.is_empty(), "{:?}", export.losses);
    let back = to_scene(&export.document.main, &NoFiles, &ImportOptions::default()).unwrap().scene;
    assert_eq!(back.nodes.items()[0].transform, transform);
}

#[test]
fn changes_to_the_node_of_the_unit_are_kept() {
    let read = |unit: &str| {
        reads(&format!(
            r#""scenes":[{{"nodes":[1],"extras":{{"mapwright":{{"version":1,"metres_per_unit":0.5}}}}}}],
            "nodes":[{{"name":"child"}},{{"name":"metres","children":[0],"scale":[0.5,0.5,0.5]{unit}}}]"#
        ))
    };
    let ours = read(r#","extras":{"mapwright":{"unit":true}}"#);
    assert_eq!((ours.scene.nodes.len(), ours.scene.metres_per_unit, ours.losses.len()), (1, Some(0.5), 0));
    let changes = [
        r#","extras":{"mapwright":{"unit":true}},"translation":[1,2,3]"#,
        r#","extras":{"mapwright":{"unit":true},"key":1}"#,
        r#","extras":{"mapwright":{"unit":true}},"rotation":[1,0,0,0]"#,
        "",
    ];
    for change in changes {
        let Import { scene, losses } = read(change);
        assert_eq!((scene.nodes.len(), scene.metres_per_unit, losses.len()), (2, Some(1.0), 1), "{change}");
        assert_eq!(scene.walk().count(), 2);
    }
}

#[test]
fn repeated_data_takes_bounded_time_and_memory() {
    let name = "n".repeat(100_000);
    let nulls = vec![r#"{"a":null}"#; 50_000].join(",");
    let start = std::time::Instant::now();
    let Import { losses, .. } = reads(&format!(r#""scenes":[{{"extras":{{"{name}":[{nulls}]}}}}]"#));
    assert_eq!(losses.items[0].text, "a property without a value, and 49999 more");
    // Long paths lose their middle.
    let path = losses.items[0].path.to_string();
    assert!(path.starts_with("scene.extras.\"nnn") && path.contains("n…n") && path.ends_with("nnn\".a"), "{path}");
    // Runs that overlap, over many corners.
    let runs = vec!["0,300000"; 30_000].join(",");
    let mesh = format!(
        r#""meshes":[{{"primitives":[{{"attributes":{{"POSITION":0,"TEXCOORD_0":1}}}}],
        "extras":{{"mapwright":{{"uv_sets":[{{"unmapped":[{runs}]}}]}}}}}}],
        "accessors":[{{"componentType":5126,"count":300000,"type":"VEC3"}},{{"componentType":5126,"count":300000,"type":"VEC2"}}]"#
    );
    to_scene(json(&mesh).as_bytes(), &NoFiles, &ImportOptions::default().with_weld(false)).unwrap();
    assert!(start.elapsed().as_secs() < 5, "{:?}", start.elapsed());
}

#[test]
fn errors_have_a_message_and_a_path() {
    fails(r#""nodes":[{"mesh":3}],"scenes":[{"nodes":[0]}]"#, "index 3 out of range (0 items) in nodes[0].mesh");
    fails(r#""scenes":[{"nodes":[7]}]"#, "index 7 out of range (0 items) in scenes.nodes");
    fails(r#""scene":1,"scenes":[{}]"#, "index 1 out of range (1 items) in scene");
    fails(r#""nodes":[{"children":[0]}]"#, "cycle of nodes in nodes");
    fails(r#""nodes":[{"children":[1]},{"children":[0]}]"#, "cycle of nodes in nodes");
    fails(r#""nodes":[{"children":[2]},{"children":[2]},{}]"#, "the node has two parents in nodes[2]");
    fails(r#""nodes":[{"children":[1]},{}],"scenes":[{"nodes":[1]}]"#, "node 1 has a parent in scenes.nodes");
    fails(r#""nodes":[{}],"scenes":[{"nodes":[0,0]}]"#, "duplicate node in scenes.nodes");
    fails(r#""buffers":[{"byteLength":4}]"#, "the document has no bytes for the buffer in buffers[0]");
    let short = "the input ends early: 4000000000000 bytes needed, 3 left in buffers[0]";
    fails(r#""buffers":[{"byteLength":4000000000000,"uri":"data:;base64,AAAA"}]"#, short);
    fails(r#""buffers":[{"byteLength":4,"uri":"data:;base64,A"}]"#, "a data URI that is not base64 in buffers[0].uri");
    fails(
        r#""extensionsRequired":["KHR_draco_mesh_compression"]"#,
        "the extension KHR_draco_mesh_compression, which the document requires, is not supported in extensionsRequired[0]",
    );
    let old = br#"{"asset":{"version":"1.0"}}"#;
    assert_eq!(error(old).category(), Category::Unsupported);
    let syntax = error(b"{\n\"asset\":{\"version\":2}}");
    assert_eq!(syntax.position().and_then(|at| at.text), Some(LineColumn { line: 2, column: 20 }));
    let inside = error(&glb(r#"{"asset":{"version":2}}"#, &[]));
    assert_eq!(inside.position(), Some(Position::file(20 + 20)), "{inside}");
}

#[test]
fn columns_beyond_their_buffer_are_rejected() {
    let bin = floats(&[0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0, 0.0, f32::NAN]);
    let good = r#"{"bufferView":0,"componentType":5126,"count":3,"type":"VEC3"}"#;
    let cases = [
        (
            r#"{"bufferView":0,"componentType":5126,"count":4,"type":"VEC3"}"#,
            "the input ends early: 48 bytes needed, 40 left in accessors[0]",
        ),
        (
            r#"{"bufferView":0,"byteOffset":99,"componentType":5126,"count":1,"type":"VEC3"}"#,
            "the input ends early: 12 bytes needed, 0 left in accessors[0]",
        ),
        (
            r#"{"bufferView":0,"componentType":5126,"count":18446744073709551615,"type":"VEC3"}"#,
            "the input ends early: 18446744073709551615 bytes needed, 40 left in accessors[0]",
        ),
        (
            r#"{"bufferView":0,"byteOffset":4,"componentType":5126,"count":3,"type":"VEC3"}"#,
            "NaN is not a finite number in accessors[0][2]",
        ),
        (
            r#"{"bufferView":5,"componentType":5126,"count":3,"type":"VEC3"}"#,
            "index 5 out of range (1 items) in bufferViews[5]",
        ),
        (
            r#"{"bufferView":0,"componentType":1,"count":3,"type":"VEC3"}"#,
            "1 is not a component type in accessors[0].componentType",
        ),
        (
            r#"{"bufferView":0,"componentType":5126,"count":3,"type":"MAT4"}"#,
            "MAT4 is not allowed here in accessors[0].type",
        ),
        (r#"{"componentType":5126,"count":99999999999,"type":"VEC3"}"#, "more than"),
    ];
    for (accessor, expected) in cases {
        let document = mesh(&bin, &[(0, 40, "")], accessor, r#"{"attributes":{"POSITION":0}}"#);
        let error = error(&document).to_string();
        assert!(error.starts_with(expected), "{error}");
    }
    let mut bin = bin;
    bin.extend([0, 1, 9, 0]);
    let accessors = format!(r#"{good},{{"bufferView":1,"componentType":5121,"count":3,"type":"SCALAR"}}"#);
    let primitive = r#"{"attributes":{"POSITION":0},"indices":1}"#;
    let document = mesh(&bin, &[(0, 40, ""), (40, 3, "")], &accessors, primitive);
    assert_eq!(error(&document).to_string(), "index 9 out of range (3 items) in accessors[1][2]");
}

#[test]
fn one_column_used_again_and_again_is_counted() {
    let bin = floats(&[0.0; 30_000]);
    let accessor = r#"{"bufferView":0,"componentType":5126,"count":10000,"type":"VEC3"}"#;
    let primitive = r#"{"attributes":{"POSITION":0}}"#;
    let many = vec![primitive; 1000].join(",");
    let error = error(&mesh(&bin, &[(0, 120_000, "")], accessor, &many));
    assert_eq!(error.category(), Category::Limit);
    let few = ImportOptions::default().with_max_bytes(10_000 * 256 - 1);
    let error = to_scene(&mesh(&bin, &[(0, 120_000, "")], accessor, primitive), &NoFiles, &few).unwrap_err();
    assert_eq!(error.to_string(), "more than 2559999 bytes of geometry and images in meshes[0].primitives[0]");
}

#[test]
fn many_small_objects_and_deep_nesting_are_limited() {
    let many = json(&format!(r#""nodes":[{}]"#, vec!["{}"; 400_000].join(",")));
    assert_eq!(error(many.as_bytes()).category(), Category::Limit);
    let deep = json(&format!(r#""scenes":[{{"extras":{}{}}}]"#, "[".repeat(100_000), "]".repeat(100_000)));
    assert_eq!(error(deep.as_bytes()).category(), Category::Malformed);
    // A long chain of nodes is no nesting of the text, and takes no stack.
    let chain: Vec<String> = (1..90_000).map(|child| format!(r#"{{"children":[{child}]}}"#)).collect();
    let chain = json(&format!(r#""scenes":[{{"nodes":[0]}}],"nodes":[{},{{}}]"#, chain.join(",")));
    let import = to_scene(chain.as_bytes(), &NoFiles, &ImportOptions::default()).unwrap();
    let export = from_scene(&import.scene, &NoFiles, &ExportOptions::default()).unwrap();
    let again = to_scene(&export.document.main, &NoFiles, &ImportOptions::default()).unwrap();
    assert_eq!(again.scene.nodes.len(), 90_000);
}

#[test]
fn every_prefix_of_a_container_is_an_error() {
    let export = from_scene(&colored(), &NoFiles, &ExportOptions::default()).unwrap().document;
    for prefix in mutate::prefixes(&export.main) {
        let error = error(prefix);
        assert!(matches!(error.category(), Category::Truncated | Category::Malformed), "{}: {error}", prefix.len());
    }
}

#[test]
fn damaged_documents_do_no_harm() {
    for scene in [textured(), colored(), scene_with_all_nodes(), instanced()] {
        let document = from_scene(&scene, &NoFiles, &ExportOptions::default()).unwrap().document.main;
        for damaged in mutate::random(&document, &[], 7).take(1500) {
            if let Ok(import) = to_scene(&damaged, &NoFiles, &ImportOptions::default()) {
                whole(&import.scene);
                if let Ok(export) = from_scene(&import.scene, &NoFiles, &ExportOptions::default()) {
                    whole(&to_scene(&export.document.main, &NoFiles, &ImportOptions::default()).unwrap().scene);
                }
            }
        }
    }
}

proptest! {
    #[test]
    fn any_bytes_do_not_panic(bytes in proptest::collection::vec(any::<u8>(), 0..200)) {
        let _ = to_scene(&bytes, &NoFiles, &ImportOptions::default());
        let _ = to_scene(&[&b"glTF\x02\0\0\0"[..], &bytes].concat(), &NoFiles, &ImportOptions::default());
    }
}

#[test]
fn files_of_other_formats_are_rejected() {
    let not = |found: &str| {
        format!("not in glTF format: found {found}, expected \"glTF\" (.glb) or \"{{\" (.gltf) at offset 0 (0x0)")
    };
    for (bytes, found) in [
        (&b""[..], "it is empty"),
        (b"PK\x03\x04rest", r#"it begins with "PK\x03\x04""#),
        (b"gl", r#"it begins with "gl""#),
        (b"[{}]", r#"it begins with "[{}]""#),
    ] {
        let error = error(bytes);
        assert_eq!((error.to_string(), error.category()), (not(found), Category::Malformed));
        assert!(error.help().is_some());
    }
}
