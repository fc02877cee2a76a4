//! Made-up maps with files of all kinds.

mod hostile;

use std::fs;
use std::path::Path;

use mapwright_scene::{
    AlphaMode, Entity, ImageSource, Light, LightKind, Material, Mesh, Model, Node, Pixels, Prefab, Properties,
    TextureUsage, Transform, Visit,
};
use mapwright_vmap::scene::{AXES, ExportOptions, METRES_PER_UNIT, from_scene};

use super::super::{Reference, ResolveOptions, resolve};
use super::*;
use crate::path_key;
use crate::resolve::Outcome;

fn write(root: &Path, path: &str, bytes: impl AsRef<[u8]>) {
    let path = root.join(path);
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(path, bytes).unwrap();
}

/// Returns a triangle with texture coordinates and a material.
fn triangle(scene: &mut Scene, material: &str) -> Content {
    let material = scene.materials.push(Material { reference: Some(material.to_owned()), ..Material::new(material) });
    let mesh = Mesh {
        positions: vec![[0.0; 3], [1.0, 0.0, 0.0], [0.0, 0.0, -1.0]],
        faces: [[0, 1, 2]].into_iter().collect(),
        face_materials: vec![Some(material)],
        ..Mesh::default()
    };
    Content::Mesh(scene.meshes.push(mesh))
}

/// Returns a node at a position in the axes of maps.
fn node(name: &str, content: Content, position: [f64; 3]) -> Node {
    Node { transform: Transform::translation(AXES.apply(position)), ..Node::new(name, content) }
}

fn prefab(reference: &str, overrides: &[(&str, &str)]) -> Content {
    let overrides = overrides.iter().copied().collect();
    Content::Prefab(Prefab { reference: reference.to_owned(), overrides })
}

fn entity(scene: &mut Scene, class: &str, model: Option<&str>, keys: &[(&str, &str)]) -> Content {
    let properties: Properties = keys.iter().copied().collect();
    let model = model.map(str::to_owned);
    Content::Entity(scene.entities.push(Entity { class: class.to_owned(), model, properties, ..Entity::default() }))
}

fn empty() -> Scene {
    Scene { metres_per_unit: Some(METRES_PER_UNIT), ..Scene::default() }
}

fn save(scene: &Scene, root: &Path, path: &str) {
    let map = from_scene(scene, &ExportOptions::default()).unwrap().document;
    write(root, path, map.to_bytes().unwrap());
}

fn run(scene: &mut Scene, root: &Path) -> ResolveReport {
    let content = ContentSource::open([root]).unwrap();
    let report = resolve(scene, &content, &Source2::default(), &ResolveOptions::default().with_max_depth(32));
    assert_eq!(scene.first_error(), None);
    report
}

fn reference<'a>(report: &'a ResolveReport, path: &str) -> &'a Reference {
    let mut found = report.references.iter().filter(|it| path_key(&it.path) == path_key(path));
    let first = found.next().unwrap_or_else(|| panic!("{path} is not in {:?}", report.references));
    assert!(found.next().is_none(), "{path} is reported twice");
    first
}

/// Returns the positions of all meshes in the axes of maps, rounded.
fn places(scene: &Scene) -> Vec<[i64; 3]> {
    let is_mesh = |visit: &Visit<'_>| visit.visible && matches!(visit.node.content, Content::Mesh(_));
    #[allow(clippy::cast_possible_truncation)]
    let place = |visit: Visit<'_>| AXES.inverse().apply(visit.world.origin()).map(|part| part.round() as i64);
    scene.walk().filter(is_mesh).map(place).collect()
}

/// A black PNG with one opaque pixel.
const PNG: &[u8] = &[
    0x89, b'P', b'N', b'G', 13, 10, 26, 10, 0, 0, 0, 13, b'I', b'H', b'D', b'R', 0, 0, 0, 1, 0, 0, 0, 1, 8, 0, 0, 0, 0,
    0x3a, 0x7e, 0x9b, 0x55, 0, 0, 0, 10, b'I', b'D', b'A', b'T', 0x78, 0x9c, 0x63, 0x60, 0, 0, 0, 2, 0, 1, 0x48, 0xaf,
    0xa4, 0x71, 0, 0, 0, 0, b'I', b'E', b'N', b'D', 0xae, 0x42, 0x60, 0x82,
];

/// A TGA with one row of grey pixels.
fn tga(samples: &[u8]) -> Vec<u8> {
    let mut bytes = vec![0, 0, 3, 0, 0, 0, 0, 0, 0, 0, 0, 0, u8::try_from(samples.len()).unwrap(), 0, 1, 0, 8, 0x20];
    bytes.extend(samples);
    bytes
}

#[test]
fn prefabs_and_skyboxes_become_nodes_at_their_places() {
    let folder = tempfile::tempdir().unwrap();
    let root = folder.path();
    let mut inner = empty();
    let content = triangle(&mut inner, "materials/a.vmat");
    inner.add_node(None, node("inner", content, [0.0, 0.0, 7.0]));
    // A cycle, and a prefab that is not loaded in prefabs.
    inner.add_node(None, node("", prefab("maps/prefabs/outer.vmap", &[]), [0.0; 3]));
    let mut unnested = node("", prefab("maps/prefabs/unnested.vmap", &[]), [0.0; 3]);
    unnested.properties.push("loadIfNested", false);
    inner.add_node(None, unnested);
    save(&inner, root, "maps/prefabs/inner.vmap");

    let mut outer = empty();
    let content = triangle(&mut outer, "materials/a.vmat");
    outer.add_node(None, node("outer", content, [1.0, 0.0, 0.0]));
    outer.add_node(None, node("", prefab("maps/prefabs/inner.vmap", &[]), [0.0, 10.0, 0.0]));
    let light = outer.lights.push(Light { kind: LightKind::Point, ..Light::default() });
    outer.add_node(None, node("lamp", Content::Light(light), [0.0; 3]));
    save(&outer, root, "maps/prefabs/outer.vmap");

    let mut sky = empty();
    let content = triangle(&mut sky, "materials/a.vmat");
    sky.add_node(None, node("tower", content, [12.0, 3.0, 0.0]));
    let camera = entity(&mut sky, "sky_camera", None, &[("scale", "16")]);
    sky.add_node(None, node("", camera, [10.0, 0.0, 0.0]));
    save(&sky, root, "maps/sky.vmap");

    let mut scene = empty();
    let content = triangle(&mut scene, "materials/a.vmat");
    scene.add_node(None, node("own", content, [0.0; 3]));
    // Turned by 90° about the vertical axis: X of the prefab becomes Y.
    let mut turned = node("", prefab("Maps\\prefabs/OUTER.vmap", &[]), [100.0, 0.0, 0.0]);
    turned.transform = AXES.transform(&Transform::Trs {
        translation: [100.0, 0.0, 0.0],
        rotation: mapwright_scene::angles::to_rotation([0.0, 90.0, 0.0]),
        scale: [1.0; 3],
    });
    scene.add_node(None, turned);
    // The definition of an instance is not part of the tree.
    let definition = scene.nodes.push(Node::default());
    scene.add_node(Some(definition), node("", prefab("maps/prefabs/inner.vmap", &[]), [0.0; 3]));
    scene.add_node(None, node("", Content::Instance(definition), [0.0; 3]));
    let mut late = node("", prefab("maps/late.vmap", &[]), [0.0; 3]);
    late.properties.push("loadAtRuntime", true);
    scene.add_node(None, late);
    write(root, "maps/late.vmap", b"");
    for path in ["maps/missing.vmap", "maps/missing.vmap", "../secret.vmap"] {
        scene.add_node(None, node("", prefab(path, &[]), [0.0; 3]));
    }
    let skybox = entity(&mut scene, "skybox_reference", None, &[("targetMapName", "maps/sky.vmap")]);
    scene.add_node(None, node("", skybox, [0.0, 0.0, 5.0]));
    let before = scene.clone();
    let report = run(&mut scene, root);

    // Through the rotation, (1, 0, 0) is at (100, 1, 0) and (0, 10, 7) at (90, 0, 7). 16 · ((12, 3, 0) − (10, 0, 0)) is (32, 48, 0).
    assert_eq!(places(&scene), [[0, 0, 0], [100, 1, 0], [90, 0, 7], [32, 48, 5]]);
    assert_eq!(scene.materials.len(), 1, "materials with the same path are one");
    let lights = scene.walk().filter(|visit| matches!(visit.node.content, Content::Light(_))).count();
    assert_eq!((lights, scene.lights.len()), (1, 1));
    let in_definition =
        scene.nodes[definition].children.iter().flat_map(|id| scene.nodes[*id].children.clone()).count();
    assert!(in_definition > 0);
    assert_eq!(reference(&report, "maps/missing.vmap").uses, 2);
    assert_eq!(reference(&report, "../secret.vmap").outcome, Outcome::Missing);
    let reason = |path: &str| match &reference(&report, path).outcome {
        Outcome::Undecodable(reason) => reason.clone(),
        other => panic!("{path}: {other:?}"),
    };
    assert!(reason("maps/late.vmap").contains("at run time"));
    assert!(reason("maps/prefabs/outer.vmap").contains("contains itself"));
    assert!(!report.references.iter().any(|it| it.path.contains("unnested")));
    let missing: Vec<String> =
        report.losses.iter().map(ToString::to_string).filter(|text| text.contains("missing.vmap")).collect();
    assert_eq!(missing.len(), 1, "{missing:?}");

    // Resolving again adds nothing, and the added nodes can be removed.
    let nodes = scene.nodes.len();
    run(&mut scene, root);
    assert_eq!(scene.nodes.len(), nodes);
    let mut added = std::collections::HashSet::new();
    for visit in scene.walk() {
        if visit.node.is_resolved() || visit.parent.is_some_and(|parent| added.contains(&parent)) {
            added.insert(visit.id);
        }
    }
    assert_eq!(scene.walk().count() - added.len(), before.walk().count());
}

#[test]
fn overrides_of_prefabs_change_their_nodes() {
    let folder = tempfile::tempdir().unwrap();
    let root = folder.path();
    let mut inner = empty();
    let content = triangle(&mut inner, "materials/a.vmat");
    inner.add_node(None, node("optional", content, [0.0; 3]));
    let mut map = from_scene(&inner, &ExportOptions::default()).unwrap().document;
    let mesh = map.nodes().find_map(|visit| visit.node.mesh().map(|_| visit.node.id())).unwrap();
    map.edit(|map| {
        let variables = map.map().variables().unwrap().element().id();
        let graph = map.graph_mut();
        let lists = [
            (variables, "variableNames", "Hide"),
            (variables, "variableValues", "0"),
            (mesh, "variableTargetKeys", "Force Hidden"),
            (mesh, "variableNames", "Hide"),
        ];
        for (element, name, text) in lists {
            let value = graph.string_array([text]);
            graph.set(element, name, value);
        }
    });
    write(root, "maps/inner.vmap", map.to_bytes().unwrap());
    let mut scene = empty();
    scene.add_node(None, node("", prefab("maps/inner.vmap", &[("Hide", "1")]), [1.0, 0.0, 0.0]));
    scene.add_node(None, node("", prefab("maps/inner.vmap", &[]), [2.0, 0.0, 0.0]));
    scene.add_node(None, node("", prefab("maps/inner.vmap", &[("Hide", "0")]), [3.0, 0.0, 0.0]));
    run(&mut scene, root);
    assert_eq!(places(&scene), [[2, 0, 0], [3, 0, 0]]);
}

#[test]
fn materials_get_colours_and_textures() {
    let folder = tempfile::tempdir().unwrap();
    let root = folder.path();
    let vmat = |keys: &str| format!("Layer0\n{{\n\tshader \"vr_complex.vfx\"\n{keys}\n}}");
    write(
        root,
        "materials/full.vmat",
        vmat(
            "F_ALPHA_TEST 1\nF_RENDER_BACKFACES 1\nF_SELF_ILLUM 1\ng_vColorTint \"[1 0.5 0 0]\"\nTextureColor \"materials/c.tga\"\n\
             TextureTranslucency \"materials/t.tga\"\nTextureNormal \"Materials/N.png\"\nTextureMetalness \"[1 0 0 0]\"\n\
             TextureRoughness \"materials/default/default_rough.tga\"\nTextureAmbientOcclusion \"materials/gone.tga\"\n\
             TextureSelfIllumMask \"[0.25 0.25 0.25 0]\"",
        ),
    );
    write(root, "materials/c.tga", tga(&[10, 20]));
    write(root, "materials/t.tga", tga(&[0, 255, 0, 255]));
    write(
        root,
        "materials/t.txt",
        "\"settings\"\n{\n\"brightness\" \"-1\"\n\"brightness_offset\" \"1\"\n\"clampu\" \"1\"\n}",
    );
    write(root, "materials/n.png", PNG);
    write(root, "materials/art.vmat", vmat("TextureColor \"materials/art.psd\"\nTextureNormal \"materials/gone.tga\""));
    write(root, "materials/art.psd", b"8BPS");
    write(root, "materials/plain_color.png", PNG);
    write(root, "materials/cut.vmat", b"Layer0\n{");
    write(root, "materials/cut.tga", b"cut");
    write(root, "materials/bad.vmat", vmat("TextureColor \"materials/Cut.tga\""));
    write(root, "materials/hole.tga", b"cut");
    write(
        root,
        "materials/masked.vmat",
        vmat("F_ALPHA_TEST 1\nTextureColor \"materials/c.tga\"\nTextureTranslucency \"materials/hole.tga\""),
    );
    let mut scene = empty();
    for name in ["full", "art", "plain", "cut", "bad", "gone", "masked"] {
        let content = triangle(&mut scene, &format!("materials/{name}.vmat"));
        scene.add_node(None, Node::new(name, content));
    }
    let report = run(&mut scene, root);
    let material = |name: &str| {
        scene.materials.items().iter().find(|it| it.name.contains(name)).unwrap_or_else(|| panic!("{name}"))
    };

    let full = material("full");
    assert_eq!((full.alpha, full.double_sided, full.metallic, full.roughness), (AlphaMode::Mask(0.5), true, 1.0, 0.5));
    assert_eq!(full.texture_size, Some([2, 1]));
    // Colours are stored in sRGB.
    let rounded = |color: [f64; 4]| color.map(|part| (part * 1000.0).round() / 1000.0);
    assert_eq!(rounded(full.base_color), [1.0, 0.735, 0.0, 1.0]);
    assert_eq!(rounded(full.emissive), [0.537, 0.537, 0.537, 1.0]);
    let usages: Vec<&TextureUsage> = full.textures.iter().map(|slot| &slot.usage).collect();
    assert_eq!(usages, [&TextureUsage::BaseColor, &TextureUsage::Normal]);
    // The opacity is inverted by its settings, and its nearest pixels are used.
    let ImageSource::Pixels(Pixels { data, .. }) = &scene.images[full.textures[0].image].source else { panic!() };
    assert_eq!(data[..], [10, 10, 10, 255, 20, 20, 20, 255]);
    assert!(matches!(&scene.images[full.textures[1].image].source, ImageSource::Encoded { data, .. } if data == PNG));

    assert_eq!(material("plain").textures.len(), 1);
    assert_eq!(
        reference(&report, "materials/plain.vmat").outcome,
        Outcome::Found("materials/plain_color.png".to_owned())
    );
    let gone = reference(&report, "materials/gone.tga");
    assert_eq!((gone.uses, &gone.outcome), (2, &Outcome::Missing));
    assert_eq!(reference(&report, "materials/gone.vmat").outcome, Outcome::Missing);
    // A damaged opacity image leaves the colour.
    assert_eq!(material("masked").textures.len(), 1);
    assert!(matches!(reference(&report, "materials/c.tga").outcome, Outcome::Found(_)));
    for path in ["materials/art.psd", "materials/cut.vmat", "materials/Cut.tga", "materials/hole.tga"] {
        assert!(matches!(reference(&report, path).outcome, Outcome::Undecodable(_)), "{path}");
    }
    // The name of the file differs in case only, so it is no reference of its own.
    let is_cut = |reference: &&Reference| reference.path.eq_ignore_ascii_case("materials/cut.tga");
    assert_eq!(report.references.iter().filter(is_cut).count(), 1);
    let texts: Vec<String> = report.losses.iter().map(ToString::to_string).collect();
    for path in ["materials/gone.tga", "materials/art.psd", "materials/gone.vmat", "materials/Cut.tga"] {
        assert_eq!(texts.iter().filter(|text| text.contains(path)).count(), 1, "{path}: {texts:?}");
    }
}

#[test]
fn green_of_normal_maps_is_inverted_on_request() {
    let folder = tempfile::tempdir().unwrap();
    let root = folder.path();
    // One pixel of blue 200, green 100, red 50.
    let pixel = [0, 0, 2, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 1, 0, 24, 0x20, 200, 100, 50];
    for name in ["normal", "legacy"] {
        write(root, &format!("materials/{name}.tga"), pixel);
        let images = format!("TextureColor \"materials/{name}.tga\"\nTextureNormal \"materials/{name}.tga\"");
        write(root, &format!("materials/{name}.vmat"), format!("Layer0\n{{\nshader \"complex\"\n{images}\n}}"));
    }
    write(root, "materials/legacy.txt", "settings\n{\nlegacy_source1_inverted_normal 1\n}");
    // The setting applies to the colour of the second material, too.
    for (flips, expected) in [(false, [100, 100, 155, 155]), (true, [100, 155, 155, 100])] {
        let mut scene = empty();
        for name in ["normal", "legacy"] {
            let content = triangle(&mut scene, &format!("materials/{name}.vmat"));
            scene.add_node(None, Node::new("", content));
        }
        let content = ContentSource::open([root]).unwrap();
        let loader = Source2::default().with_flipped_green(flips);
        resolve(&mut scene, &content, &loader, &ResolveOptions::default());
        let green = scene.materials.items().iter().flat_map(|material| &material.textures).map(|slot| {
            let ImageSource::Pixels(pixels) = &scene.images[slot.image].source else { panic!() };
            assert_eq!([pixels.data[0], pixels.data[2]], [50, 200]);
            pixels.data[1]
        });
        assert_eq!(green.collect::<Vec<u8>>(), expected, "{flips}");
    }
}

/// A DMX model with one triangle, from (0, 0, 0) to (1, 0, 0) and (0, 2, 0).
const DMX: &str = r#"<!-- dmx encoding keyvalues2 4 format model 22 -->
"DmElement"
{
	"id" "elementid" "00000000-0000-0000-0000-000000000001"
	"model" "DmeModel"
	{
		"id" "elementid" "00000000-0000-0000-0000-000000000002"
		"children" "element_array"
		[
			"DmeDag"
			{
				"id" "elementid" "00000000-0000-0000-0000-000000000003"
				"name" "string" "part"
				"shape" "DmeMesh"
				{
					"id" "elementid" "00000000-0000-0000-0000-000000000004"
					"name" "string" "part"
					"bindState" "DmeVertexData"
					{
						"id" "elementid" "00000000-0000-0000-0000-000000000005"
						"vertexFormat" "string_array" [ "position$0" ]
						"position$0" "vector3_array" [ "0 0 0", "1 0 0", "0 2 0" ]
						"position$0Indices" "int_array" [ "0", "1", "2" ]
					}
					"faceSets" "element_array"
					[
						"DmeFaceSet"
						{
							"id" "elementid" "00000000-0000-0000-0000-000000000006"
							"material" "DmeMaterial"
							{
								"id" "elementid" "00000000-0000-0000-0000-000000000007"
								"mtlName" "string" "wood"
							}
							"faces" "int_array" [ "0", "1", "2", "-1" ]
						}
					]
				}
			}
		]
	}
}
"#;

/// Returns a `.vmdl` with a mesh file, at half the size, and the skin `dark`.
fn vmdl(file: &str) -> String {
    format!(
        "<!-- kv3 encoding:text:version{{e21c7f3c-8a33-41c5-9977-a76d3a32aa0d}} \
         format:modeldoc29:version{{3cec427c-1b0e-4d48-a90a-0436f33a6041}} -->\n\
         {{ rootNode = {{ _class = \"RootNode\" children = [\n\
         {{ _class = \"RenderMeshList\" children = [ {{ _class = \"RenderMeshFile\" filename = \"{file}\" import_scale = 0.5 }}, ] }},\n\
         {{ _class = \"MaterialGroupList\" children = [\n\
         {{ _class = \"DefaultMaterialGroup\" remaps = [ {{ from = \"wood.vmat\" to = \"materials/oak.vmat\" }} ] }},\n\
         {{ _class = \"MaterialGroup\" name = \"dark\" remaps = [ {{ from = \"materials/oak.vmat\" to = \"materials/dark.vmat\" }} ] }},\n\
         ] }},\n] }} }}"
    )
}

/// Returns the largest coordinates of all resolved meshes in the axes of maps, in hundredths.
fn extent(scene: &Scene) -> [i64; 3] {
    let mut most = [i64::MIN; 3];
    for visit in scene.walk() {
        let Content::Mesh(mesh) = visit.node.content else { continue };
        for point in &scene.meshes[mesh].positions {
            let point = AXES.inverse().apply(visit.world.point(*point));
            #[allow(clippy::cast_possible_truncation)]
            most.iter_mut().zip(point).for_each(|(most, part)| *most = (*most).max((part * 100.0).round() as i64));
        }
    }
    most
}

#[test]
fn models_are_placed_with_their_materials() {
    let folder = tempfile::tempdir().unwrap();
    let root = folder.path();
    write(root, "models/crate.vmdl", vmdl("models/crate.dmx"));
    write(root, "models/crate.dmx", DMX);
    write(root, "models/fbx.vmdl", vmdl("models/fbx.fbx"));
    write(root, "models/fbx.fbx", b"");
    write(root, "materials/oak.vmat", "Layer0\n{\n}");
    write(root, "models/old.obj", "v 0 0 0\nv 1 0 0\nv 0 2 3\nf 1 2 3\n");
    let mut scene = empty();
    for (model, skin) in [
        ("models/crate.vmdl", ""),
        ("models/crate.vmdl", ""),
        ("models/crate.vmdl", "Dark"),
        ("models/fbx.vmdl", ""),
        ("models/none.vmdl", ""),
        ("models/none.vmdl", ""),
    ] {
        let content = entity(&mut scene, "prop_static", Some(model), &[("skin", skin)]);
        scene.add_node(None, node("", content, [0.0; 3]));
    }
    let report = run(&mut scene, root);
    let crates = reference(&report, "models/crate.vmdl");
    assert_eq!((crates.uses, &crates.outcome), (3, &Outcome::Found("models/crate.vmdl".to_owned())));
    assert_eq!((places(&scene).len(), scene.meshes.len()), (3, 2), "uses with the same skin share their mesh");
    assert_eq!(extent(&scene), [50, 100, 0]);
    let mut materials: Vec<&str> = scene.materials.items().iter().filter_map(|it| it.reference.as_deref()).collect();
    materials.sort_unstable();
    assert_eq!(materials, ["materials/dark.vmat", "materials/oak.vmat"]);
    assert_eq!(reference(&report, "materials/dark.vmat").outcome, Outcome::Missing);
    assert!(
        matches!(&reference(&report, "models/fbx.vmdl").outcome, Outcome::Undecodable(reason) if reason.contains("FBX"))
    );
    assert_eq!(reference(&report, "models/none.vmdl").uses, 2);

    // A model in another format has the same axes.
    let mut scene = empty();
    let content = entity(&mut scene, "prop_static", Some("models/old.vmdl"), &[]);
    scene.add_node(None, node("", content, [0.0; 3]));
    let report = run(&mut scene, root);
    assert_eq!(reference(&report, "models/old.vmdl").outcome, Outcome::Found("models/old.obj".to_owned()));
    assert_eq!(extent(&scene), [100, 200, 300]);
    assert!(!scene.instance_sets.items().iter().any(|set| set.models.iter().any(|it| matches!(it, Model::Mesh(_)))));
}

#[test]
fn models_have_the_meshes_of_their_base_model() {
    let folder = tempfile::tempdir().unwrap();
    let root = folder.path();
    write(root, "models/crate.vmdl", vmdl("models/crate.dmx"));
    write(root, "models/crate.dmx", DMX);
    write(root, "materials/oak.vmat", "Layer0\n{\n}");
    let header = vmdl("").split_once('\n').unwrap().0.to_owned();
    let based = |base: &str, children: &str| {
        format!(
            "{header}\n{{ rootNode = {{ _class = \"RootNode\" base_model_name = \"{base}\" children = [ {children} ] }} }}"
        )
    };
    let scale = "{ _class = \"ModelModifier_ScaleAndMirror\" scale = 4.0 },";
    write(root, "models/large.vmdl", based("models/Crate.vmdl", scale));
    let moved = "{ _class = \"ModelModifier_Translate\" translation = [ 1.0, 0.0, 0.0 ] },";
    write(root, "models/moved.vmdl", based("models/large.vmdl", moved));
    write(root, "models/lost.vmdl", based("models/none.vmdl", ""));
    let mut scene = empty();
    for model in ["models/moved.vmdl", "models/lost.vmdl"] {
        let content = entity(&mut scene, "prop_static", Some(model), &[]);
        scene.add_node(None, node("", content, [0.0; 3]));
    }
    let report = run(&mut scene, root);
    // Half a unit and one unit, four times as large, then moved.
    assert_eq!((extent(&scene), places(&scene).len()), ([300, 400, 0], 1));
    let materials: Vec<&str> = scene.materials.items().iter().filter_map(|it| it.reference.as_deref()).collect();
    assert_eq!(materials, ["materials/oak.vmat"]);
    let lost = &reference(&report, "models/lost.vmdl").outcome;
    assert!(matches!(lost, Outcome::Undecodable(reason) if reason.contains("models/none.vmdl")), "{lost:?}");
}

#[test]
fn boxes_and_spheres_of_models_are_drawn() {
    let folder = tempfile::tempdir().unwrap();
    let root = folder.path();
    let shapes = "{ _class = \"RenderPrimitiveBox\" name = \"crate\" dimensions = [ 2.0, 4.0, 6.0 ] origin = [ 10.0, 0.0, 0.0 ] \
                  angles = [ 0.0, 90.0, 0.0 ] material_name = \"wood\" },\n\
                  { _class = \"RenderPrimitiveSphere\" radius = 1.0 disabled = true },\n\
                  { _class = \"RenderPrimitiveSphere\" name = \"empty\" radius = 0.0 },\n\
                  { _class = \"RenderPrimitiveCylinder\" radius = 1.0 },";
    let mesh = "{ _class = \"RenderMeshFile\" filename = \"models/a.dmx\" import_scale = 0.5 },";
    write(root, "models/a.vmdl", vmdl("models/a.dmx").replacen(mesh, shapes, 1));
    write(root, "materials/oak.vmat", "Layer0\n{\n}");
    let mut scene = empty();
    let content = entity(&mut scene, "prop_static", Some("models/a.vmdl"), &[]);
    scene.add_node(None, node("", content, [0.0; 3]));
    let report = run(&mut scene, root);
    assert_eq!(reference(&report, "models/a.vmdl").outcome, Outcome::Found("models/a.vmdl".to_owned()));
    // The box is turned by 90° about the vertical axis.
    assert_eq!((extent(&scene), scene.meshes.len()), ([1200, 100, 300], 1));
    assert_eq!(reference(&report, "materials/oak.vmat").uses, 1);
    let texts: Vec<String> = report.losses.iter().map(ToString::to_string).collect();
    for text in ["texture coordinates of boxes and spheres are assumed: 1", "\"empty\"", "RenderPrimitiveCylinder: 1"] {
        assert_eq!(texts.iter().filter(|it| it.contains(text)).count(), 1, "{text}: {texts:?}");
    }
    // Shapes count towards the limit.
    let options = ResolveOptions::default().with_max_bytes(1800);
    let content = ContentSource::open([root]).unwrap();
    let mut scene = empty();
    let prop = entity(&mut scene, "prop_static", Some("models/a.vmdl"), &[]);
    scene.add_node(None, node("", prop, [0.0; 3]));
    let report = resolve(&mut scene, &content, &Source2::default(), &options);
    let outcome = &reference(&report, "models/a.vmdl").outcome;
    assert!(matches!(outcome, Outcome::Undecodable(reason) if reason.contains("exceeds the limit")), "{outcome:?}");
}

#[test]
fn meshes_that_a_model_repeats_count_towards_the_limit() {
    let folder = tempfile::tempdir().unwrap();
    let root = folder.path();
    let file = "{ _class = \"RenderMeshFile\" filename = \"models/a.obj\" import_scale = 0.5 },";
    write(root, "models/a.obj", format!("#{}\nv 0 0 0\nv 1 0 0\nv 0 2 3\nf 1 2 3\n", " ".repeat(10_000)));
    for (repeats, is_found) in [(1, true), (100, false)] {
        write(root, "models/a.vmdl", vmdl("models/a.obj").replacen(file, &file.repeat(repeats), 1));
        let mut scene = empty();
        let content = entity(&mut scene, "prop_static", Some("models/a.vmdl"), &[]);
        scene.add_node(None, node("", content, [0.0; 3]));
        let options = ResolveOptions::default().with_max_bytes(500_000);
        let content = ContentSource::open([root]).unwrap();
        let report = resolve(&mut scene, &content, &Source2::default(), &options);
        let outcome = &reference(&report, "models/a.vmdl").outcome;
        match outcome {
            Outcome::Found(_) => assert!(is_found, "{repeats} times"),
            Outcome::Undecodable(reason) => assert!(!is_found && reason.contains("exceeds the limit"), "{reason}"),
            Outcome::Missing => panic!("missing"),
        }
    }
}

#[test]
fn exported_models_have_the_axes_of_their_program() {
    let gltf = |generator: &str| {
        // Three points: (0, 0, 0), (1, 0, 0), (0, 2, 3).
        let floats = [0.0_f32, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 2.0, 3.0];
        let bytes: Vec<u8> = floats.iter().flat_map(|number| number.to_le_bytes()).collect();
        let data = mapwright_interchange::encode_base64(&bytes);
        format!(
            "{{\"asset\":{{\"version\":\"2.0\",\"generator\":\"{generator}\"}},\"scene\":0,\"scenes\":[{{\"nodes\":[0]}}],\
             \"nodes\":[{{\"mesh\":0}}],\"meshes\":[{{\"primitives\":[{{\"attributes\":{{\"POSITION\":0}}}}]}}],\
             \"accessors\":[{{\"bufferView\":0,\"componentType\":5126,\"count\":3,\"type\":\"VEC3\",\"min\":[0,0,0],\"max\":[1,2,3]}}],\
             \"bufferViews\":[{{\"buffer\":0,\"byteLength\":36}}],\
             \"buffers\":[{{\"byteLength\":36,\"uri\":\"data:application/octet-stream;base64,{data}\"}}]}}"
        )
    };
    // A metre is 39.37 inches. (x, y, z) of the file is (x, −z, y), or (z, x, y) for Source 2 Viewer.
    let cases = [("Blender", [3937, 0, 7874]), ("Source 2 Viewer 9.0", [11811, 3937, 7874])];
    for (generator, expected) in cases {
        let folder = tempfile::tempdir().unwrap();
        write(folder.path(), "models/a.gltf", gltf(generator));
        let mut scene = empty();
        let content = entity(&mut scene, "prop_static", Some("models/a.vmdl"), &[]);
        scene.add_node(None, node("", content, [0.0; 3]));
        run(&mut scene, folder.path());
        assert_eq!(extent(&scene), expected, "{generator}");
    }
}

#[test]
fn compiled_textures_are_replaced_by_images_and_uvs_are_transformed() {
    let folder = tempfile::tempdir().unwrap();
    let root = folder.path();
    let keys = "TextureColor \"materials/a.vtex\"\ng_vTexCoordScale \"[2 4 0 0]\"\ng_vTexCoordOffset \"[0.5 0 0 0]\"";
    write(root, "materials/a.vmat", format!("Layer0\n{{\nshader \"complex\"\n{keys}\n}}"));
    write(root, "materials/a.png", PNG);
    let mut scene = empty();
    let content = triangle(&mut scene, "materials/a.vmat");
    if let Some((_, mesh)) = scene.meshes.iter_mut().next() {
        let corners = vec![Some([0.0, 0.0]), Some([1.0, 0.0]), Some([0.0, 1.0])];
        mesh.uv_sets.push(mapwright_scene::UvSet { corners: corners.into_iter().collect(), ..Default::default() });
    }
    scene.add_node(None, Node::new("", content));
    let report = run(&mut scene, root);
    assert_eq!(reference(&report, "materials/a.vtex").outcome, Outcome::Found("materials/a.png".to_owned()));
    let corners = &scene.meshes.items()[0].uv_sets[0].corners;
    assert!(corners.iter().eq([[0.5, 0.0], [2.5, 0.0], [0.5, 4.0]].map(Some)));
}

#[test]
fn the_files_of_a_map_are_listed_once_with_those_that_they_need() {
    let folder = tempfile::tempdir().unwrap();
    let root = folder.path();
    write(root, "models/crate.vmdl", vmdl("models/crate.dmx"));
    write(root, "models/crate.dmx", DMX);
    write(
        root,
        "materials/oak.vmat",
        "Layer0\n{\nTextureColor \"materials/oak.tga\"\nTextureNormal \"materials/default/default_normal.tga\"\n}",
    );
    write(root, "materials/oak.png", PNG);
    write(root, "sounds/bell.wav", b"");
    write(root, "sounds/door.sound", b"{}");
    let mut inner = empty();
    let content = triangle(&mut inner, "Materials/Oak.vmat");
    inner.add_node(None, Node::new("", content));
    inner.add_node(None, node("", prefab("maps/outer.vmap", &[]), [0.0; 3]));
    save(&inner, root, "maps/inner.vmap");
    let mut outer = empty();
    for model in ["models/crate.vmdl", "models/crate.vmdl", "models/none.vmdl"] {
        let content = entity(
            &mut outer,
            "prop_static",
            Some(model),
            &[("sound", "sounds/bell.vsnd"), ("event", "Sounds/door.sound")],
        );
        outer.add_node(None, node("", content, [0.0; 3]));
    }
    outer.add_node(None, node("", prefab("maps/inner.vmap", &[]), [0.0; 3]));
    save(&outer, root, "maps/outer.vmap");
    let content = ContentSource::open([root]).unwrap();
    let map = mapwright_vmap::Document::from_bytes(&fs::read(root.join("maps/outer.vmap")).unwrap()).unwrap();
    let list = list_map_assets(&map, &content, 1 << 20).assets;
    let mut rows: Vec<(&str, &str, usize, Option<&str>)> =
        list.iter().map(|it| (it.kind.name(), &*it.path, it.uses, it.find(&content).map(|file| file.path()))).collect();
    rows.sort_unstable();
    let expected = [
        ("image", "materials/oak.tga", 1, Some("materials/oak.png")),
        ("material", "materials/dark.vmat", 1, None),
        ("material", "materials/oak.vmat", 2, Some("materials/oak.vmat")),
        ("model", "models/crate.dmx", 1, Some("models/crate.dmx")),
        ("model", "models/crate.vmdl", 2, Some("models/crate.vmdl")),
        ("model", "models/none.vmdl", 1, None),
        ("prefab", "maps/inner.vmap", 1, Some("maps/inner.vmap")),
        ("prefab", "maps/outer.vmap", 1, Some("maps/outer.vmap")),
        ("sound", "Sounds/door.sound", 3, Some("sounds/door.sound")),
        ("sound", "sounds/bell.vsnd", 3, Some("sounds/bell.wav")),
    ];
    assert_eq!(rows, expected);
    assert!(!list_map_assets(&map, &content, 500).is_complete);
}

/// Returns the names of all entities, sorted.
fn entity_names(scene: &Scene) -> Vec<String> {
    let names = scene.walk().filter_map(|visit| {
        let Content::Entity(id) = visit.node.content else { return None };
        scene.entities[id].properties.get("targetname")?.as_text().map(str::to_owned)
    });
    let mut names: Vec<String> = names.filter(|name| !name.is_empty()).collect();
    names.sort_unstable();
    names
}

#[test]
fn maps_can_keep_the_names_of_their_entities() {
    let folder = tempfile::tempdir().unwrap();
    let root = folder.path();
    let mut inner = empty();
    let keys = [("targetname", "relay"), ("landmark", "relay"), ("message", "relay")];
    let content = entity(&mut inner, "logic_relay", None, &keys);
    inner.add_node(None, node("", content, [0.0; 3]));
    for (keeps, expected) in [(false, "7_relay"), (true, "relay")] {
        let mut map = from_scene(&inner, &ExportOptions::default()).unwrap().document;
        let world = map.world().unwrap().node().id();
        let graph = map.graph_mut();
        graph.set(world, "fixupEntityNames", mapwright_dmx::Value::Bool(u8::from(!keeps)));
        write(root, "maps/inner.vmap", map.to_bytes().unwrap());
        let mut scene = empty();
        let mut place = node("", prefab("maps/inner.vmap", &[]), [0.0; 3]);
        place.properties.set("nodeID", 7);
        scene.add_node(None, place);
        let report = run(&mut scene, root);
        assert_eq!(entity_names(&scene), [expected]);
        let is_reported = report.losses.iter().any(|loss| loss.text.contains("in the keys landmark change"));
        assert_eq!(is_reported, !keeps);
    }
    // Copies of entities count towards the limit of memory.
    let mut scene = empty();
    let mut place = node("", prefab("maps/inner.vmap", &[]), [0.0; 3]);
    place.properties.set("nodeID", 7);
    scene.add_node(None, place);
    let map = from_scene(&inner, &ExportOptions::default()).unwrap().document;
    write(root, "maps/inner.vmap", map.to_bytes().unwrap());
    let content = ContentSource::open([root]).unwrap();
    resolve(&mut scene, &content, &Source2::default(), &ResolveOptions::default());
    let added: Vec<NodeId> = scene.nodes.ids().collect();
    let mut rename = |prefix: &str, left| {
        let affixes = NameAffixes { prefix: prefix.to_owned(), ..NameAffixes::default() };
        let left = affixes.apply_to_nodes(&mut scene, &added, left, &mut Losses::new());
        (left.is_some(), entity_names(&scene))
    };
    assert_eq!(rename("8_", 100), (false, vec!["7_relay".to_owned()]));
    // Each copy of the prefix counts.
    assert_eq!(rename(&"x".repeat(20_000), 50_000), (false, vec!["7_relay".to_owned()]));
    assert_eq!(rename("8_", 50_000), (true, vec!["8_7_relay".to_owned()]));
}

#[test]
fn materials_without_extension_are_found_and_expressions_are_reported() {
    let folder = tempfile::tempdir().unwrap();
    let root = folder.path();
    let keys = "TextureColor \"materials/a.png\"\nDynamicParams\n{\ng_vColorTint \"float3(1, time(), 0)\"\n}";
    for name in ["Materials/Brick/wall.vmat", "materials/plain.vmat"] {
        write(root, name, format!("Layer0\n{{\nshader \"complex\"\n{keys}\n}}"));
    }
    write(root, "materials/a.png", PNG);
    let mut scene = empty();
    for name in ["materials/brick/wall", "BRICK\\WALL", "materials/plain.vmat", "materials/gone"] {
        let content = triangle(&mut scene, name);
        scene.add_node(None, Node::new(name, content));
    }
    let report = run(&mut scene, root);
    let found = Outcome::Found("Materials/Brick/wall.vmat".to_owned());
    for path in ["materials/brick/wall", "BRICK\\WALL"] {
        assert_eq!(reference(&report, path).outcome, found, "{path}");
    }
    assert_eq!(reference(&report, "materials/gone").outcome, Outcome::Missing);
    let expressions: Vec<_> = report.losses.iter().filter(|loss| loss.text.contains("expressions")).collect();
    assert_eq!(expressions.len(), 3, "{:?}", report.losses);
    assert!(expressions[0].text.ends_with("have their fixed values: g_vColorTint"), "{expressions:?}");
}
