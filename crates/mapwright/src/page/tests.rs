//! Tests of pages that need no browser.

use mapwright_render::Scale;
use mapwright_scene::{
    Diagonal, Entity, Heights, InstanceSet, InstanceTransforms, Mesh, Model, NoFiles, Node, NodeId, Terrain, TileLayer,
    Transform,
};
use serde_json::Value as Json;

use super::*;
use crate::AnyDocument;

/// Returns the summary of an Erlang term, the smallest document.
fn info() -> Info {
    AnyDocument::from_bytes(b"\x83a\x07").unwrap().info(None)
}

fn page(name: &str, scene: &Scene, options: &PageOptions) -> Page {
    let losses = Losses { items: Vec::new() };
    let source = Source { name, bytes: 3, info: &info(), scene, losses: &losses, missing: &[] };
    Page::new(&source, &NoFiles, options).unwrap()
}

fn html(page: &Page) -> String {
    let mut bytes = Vec::new();
    page.write_to(&mut bytes).unwrap();
    String::from_utf8(bytes).unwrap()
}

/// Returns the data for the scripts of a page.
fn data(page: &Page) -> Json {
    let html = html(page);
    let (_, after) = html.split_once(r#"id="data">"#).unwrap();
    serde_json::from_str(after.split_once("</script>").unwrap().0).unwrap()
}

/// Returns the JSON of the model.
fn model(page: &Page) -> Json {
    let bytes = page.model.as_deref().unwrap();
    let length = u32::from_le_bytes(bytes[12..16].try_into().unwrap()) as usize;
    serde_json::from_slice(&bytes[20..20 + length]).unwrap()
}

fn index(number: &Json) -> usize {
    number.as_u64().and_then(|number| number.try_into().ok()).unwrap()
}

fn triangle(scene: &mut Scene, name: &str) -> Content {
    let positions = vec![[0.0; 3], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]];
    let mesh = Mesh { name: name.into(), positions, faces: [[0, 1, 2]].into_iter().collect(), ..Mesh::default() };
    Content::Mesh(scene.meshes.push(mesh))
}

fn entity(scene: &mut Scene, class: &str) -> Content {
    Content::Entity(scene.entities.push(Entity { class: class.into(), ..Entity::default() }))
}

fn add(scene: &mut Scene, parent: Option<NodeId>, name: &str, content: Content) -> NodeId {
    scene.add_node(parent, Node::new(name, content))
}

/// Returns a scene with a triangle and its child, an officer on the lower edge.
fn small() -> Scene {
    let mut scene = Scene::default();
    let content = triangle(&mut scene, "roof");
    let roof = add(&mut scene, None, "roof", content);
    let content = entity(&mut scene, "Officer");
    let officer = add(&mut scene, Some(roof), "", content);
    scene.nodes[officer].transform = Transform::translation([0.5, 0.0, 0.0]);
    scene
}

#[test]
fn pages_are_self_contained() {
    let page = page("a.obj", &small(), &PageOptions::default());
    let html = html(&page);
    assert!(page.model_bytes().is_some() && html.contains("default-src 'none'"));
    for word in ["http:", "https:", "url(", "@import", "import(", "fetch(", "XMLHttpRequest", "WebSocket", "<iframe"] {
        assert!(!html.contains(word), "{word}");
    }
    for name in ["src=\"", "href=\""] {
        assert!(html.split(name).skip(1).all(|value| value.starts_with("data:")), "{name}");
    }
    // Data of the document is always shown as text.
    for word in ["innerHTML", "outerHTML", "insertAdjacentHTML", "document.write", "eval(", "new Function", "srcdoc"] {
        assert!(!html.contains(word), "{word}");
    }
    assert!(!html.contains("{{"), "all placeholders are replaced");
    let again = super::tests::page("a.obj", &small(), &PageOptions::default());
    assert!(self::html(&again) == html, "equal scenes give equal pages");
}

#[test]
fn the_policy_allows_only_the_script_and_style_of_the_page() {
    use sha2::{Digest, Sha256};
    let html = html(&page("a.obj", &small(), &PageOptions::default()));
    for (element, hash) in [("style", STYLE_HASH), ("script", SCRIPT_HASH)] {
        let (_, after) = html.split_once(&format!("<{element}>")).unwrap();
        let (content, _) = after.split_once(&format!("</{element}>")).unwrap();
        // Browsers normalise line ends before they compute the hash.
        let found = encode_base64(&Sha256::digest(content.replace("\r\n", "\n")));
        assert_eq!(hash, found, "the hash of {element} in page.rs");
        assert!(html.contains(&format!("{element}-src 'sha256-{hash}';")));
    }
    assert!(!html.contains("unsafe-"));
    // `style` attributes and event handlers would need an unsafe policy.
    let (markup, _) = html.split_once("<script type").unwrap();
    let is_handler = |after: &str| after.trim_start_matches(|c: char| c.is_ascii_alphabetic()).starts_with('=');
    assert!(!markup.contains(" style=") && !markup.split(" on").skip(1).any(is_handler), "{markup}");
    for script in SCRIPTS {
        assert!(!script.contains("style:") && !script.contains("\"style\""));
    }
}

#[test]
fn names_are_never_markup() {
    let evil = "</script><script>alert(1)</script><!--<script>\"'&\u{2028}{{data}}";
    let mut scene = small();
    scene.nodes.iter_mut().for_each(|(_, node)| node.name = evil.into());
    scene.nodes.iter_mut().for_each(|(_, node)| node.properties.push(evil, evil));
    scene.entities.iter_mut().for_each(|(_, entity)| entity.class = evil.into());
    let plain = html(&page("a", &small(), &PageOptions::default()));
    let page = page(evil, &scene, &PageOptions::default());
    let html = html(&page);
    for word in ["<script", "</script", "<!--"] {
        assert_eq!(html.matches(word).count(), plain.matches(word).count(), "{word}");
    }
    let data = data(&page);
    assert_eq!((&data["file"], &data["objects"]["classes"][1]), (&evil.into(), &evil.into()));
    assert!(data["objects"]["rows"][0].as_array().unwrap().contains(&evil.into()));
    assert!(data["objects"]["shapes"][0][1].as_array().unwrap().contains(&evil.into()));
}

#[test]
fn objects_have_their_nodes_and_their_positions_in_the_image() {
    let mut scene = Scene::default();
    // No root leads to this node, so the model does not contain it.
    scene.nodes.push(Node::new("lost", Content::Group));
    let content = triangle(&mut scene, "tree");
    let Content::Mesh(tree) = content else { panic!("a mesh") };
    let first = add(&mut scene, None, "first", content);
    let content = entity(&mut scene, "Officer");
    let officer = add(&mut scene, Some(first), "officer", content);
    scene.nodes[officer].visible = false;
    let models = vec![Model::Reference("unused".into()), Model::Reference("rock".into()), Model::Mesh(tree)];
    let at = |x: f64| [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0], [x, 0.0, 0.0]];
    let transforms = InstanceTransforms::Affine([1.0, 2.0, 3.0].map(at).to_vec());
    let set = InstanceSet { models, model: vec![2, 1, 2], transforms, ..InstanceSet::default() };
    let set = Content::InstanceSet(scene.instance_sets.push(set));
    add(&mut scene, None, "set", set);

    let page = page("a", &scene, &PageOptions::default());
    let (data, model) = (data(&page), model(&page));
    let objects = &data["objects"];
    assert_eq!((page.objects(), &objects["total"], &objects["nodes"]), (5, &5.into(), &3.into()));
    let rows: Vec<&Vec<Json>> = objects["rows"].as_array().unwrap().iter().map(|row| row.as_array().unwrap()).collect();
    let field = |row: &[Json], name: &str| {
        let fields = objects["shapes"][index(&row[0])][1].as_array().unwrap();
        fields.iter().position(|field| field == name).map(|index| row[6 + index].clone())
    };
    let named: Vec<_> = rows.iter().map(|row| &model["nodes"][index(&row[2])]["name"]).collect();
    assert_eq!(named, ["first", "officer", "set", "set", "set"]);
    assert_eq!(field(rows[1], "visible"), Some("false".into()));
    assert_eq!(field(rows[0], "visible"), None);
    // The second model of the set is the second child of its node.
    let parts: Vec<_> = rows[2..].iter().map(|row| (row[3].as_u64().unwrap(), field(row, "x").unwrap())).collect();
    assert_eq!(parts, [(1, 1.into()), (0, 2.into()), (1, 3.into())]);
    let children = &model["nodes"][2]["children"];
    let children: Vec<_> = children.as_array().unwrap().iter().map(|node| &model["nodes"][index(node)]).collect();
    assert_eq!((children.len(), &children[0]["name"]), (2, &"rock".into()));
    // Equal distances are equal in the image.
    let right = |row: &[Json]| row[4].as_f64().unwrap();
    let step = right(rows[3]) - right(rows[2]);
    assert!(step != 0.0 && (right(rows[4]) - right(rows[3]) - step).abs() < 0.2, "{step}");
}

#[test]
fn only_models_in_other_files_have_no_body() {
    let mut scene = Scene { metres_per_unit: Some(0.5), ..Scene::default() };
    let content = triangle(&mut scene, "tree");
    let Content::Mesh(tree) = content else { panic!("a mesh") };
    let first = add(&mut scene, None, "first", content);
    add(&mut scene, None, "again", Content::Instance(first));
    let models = vec![Model::Reference("rock".into()), Model::Mesh(tree)];
    let at = |x: f64| [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0], [x, 0.0, 0.0]];
    let transforms = InstanceTransforms::Affine([7.0, 8.0].map(at).to_vec());
    let set = InstanceSet { models, model: vec![0, 1], transforms, ..InstanceSet::default() };
    let set = Content::InstanceSet(scene.instance_sets.push(set));
    let set = add(&mut scene, None, "set", set);
    scene.nodes[set].transform = Transform::translation([100.0, 0.0, 0.0]);
    let objects = data(&page("a", &scene, &PageOptions::default()))["objects"].clone();
    let shape = |row: &Json| objects["shapes"][index(&row[0])].clone();
    let rows = objects["rows"].as_array().unwrap();
    let bodies: Vec<_> = rows.iter().map(|row| (shape(row)[0].clone(), shape(row)[2] == true)).collect();
    let instance = |is_body: bool| ("instance".into(), is_body);
    assert_eq!(bodies, [("mesh".into(), false), instance(true), instance(false), instance(true)]);
    // A marker is at the position of the instance, not of its set, in metres.
    let x = shape(&rows[2])[1].as_array().unwrap().iter().position(|field| field == "x").unwrap();
    assert_eq!((rows[2][6 + x].as_f64(), objects["axes"][0][0].as_f64()), (Some(107.0), Some(0.5)));
}

#[test]
fn integers_that_scripts_would_round_are_text() {
    let mut scene = small();
    let numbers = [("most", 1 << 53), ("more", (1 << 53) + 1), ("least", i64::MIN), ("few", -5)];
    let roof = scene.roots[0];
    numbers.iter().for_each(|&(name, number)| scene.nodes[roof].properties.push(name, number));
    let row = data(&page("a", &scene, &PageOptions::default()))["objects"]["rows"][0].clone();
    let row = row.as_array().unwrap();
    let expected = serde_json::json!([9_007_199_254_740_992_i64, "9007199254740993", "-9223372036854775808", -5]);
    assert_eq!(&row[row.len() - 4..], expected.as_array().unwrap());
    let mut written = Vec::new();
    let all = (u64::MAX, i64::MIN, 1_u64 << 53, -1_i8, "a");
    all.serialize(&mut Serializer::with_formatter(&mut written, ExactIntegers)).unwrap();
    let expected = r#"["18446744073709551615","-9223372036854775808",9007199254740992,-1,"a"]"#;
    assert_eq!(String::from_utf8(written).unwrap(), expected);
}

#[test]
fn names_count_towards_the_limit_of_the_list() {
    let mut scene = Scene::default();
    for number in 0..100 {
        let content = entity(&mut scene, &format!("{number}{}", "class".repeat(20)));
        let node = add(&mut scene, None, "", content);
        scene.nodes[node].properties.push(format!("{number}{}", "field".repeat(20)), 1);
    }
    let limit = 5000;
    let page = page("a", &scene, &PageOptions::default().with_max_list_bytes(limit));
    let objects = data(&page)["objects"].clone();
    let bytes = ["classes", "shapes", "rows"].map(|part| objects[part].to_string().len()).iter().sum::<usize>();
    assert!((10..40).contains(&page.objects()) && (limit..limit + 500).contains(&bytes), "{} {bytes}", page.objects());
}

#[test]
fn expanded_nodes_follow_all_nodes_of_the_scene() {
    let mut scene = Scene::default();
    let group = scene.nodes.push(Node::new("template", Content::Group));
    let content = triangle(&mut scene, "roof");
    add(&mut scene, Some(group), "roof", content);
    add(&mut scene, None, "instance", Content::Instance(group));
    let page = page("a", &scene, &PageOptions::default());
    let (data, model) = (data(&page), model(&page));
    assert_eq!((&data["objects"]["nodes"], &data["objects"]["rows"][0][2]), (&1.into(), &0.into()));
    assert_eq!(
        (&model["nodes"][0]["name"], &model["nodes"][0]["children"]),
        (&"instance".into(), &serde_json::json!([1]))
    );
    assert_eq!(model["nodes"][1]["mesh"], 0);
}

#[test]
fn large_content_is_left_out_and_reported() {
    let small = small();
    let options = PageOptions::default().with_max_model_bytes(100).with_max_list_bytes(1);
    let little = page("a", &small, &options);
    let notes = data(&little)["notes"].to_string();
    assert!(notes.contains("There is no 3D view") && notes.contains("the first 1 of 2 objects"), "{notes}");
    assert_eq!((little.model_bytes(), little.objects()), (None, 1));
    // Then the image has the markers.
    assert_eq!((little.image().marks, page("a", &small, &PageOptions::default()).image().marks), (1, 0));

    let mut land = Scene::default();
    let size = [600, 600];
    let terrain = Terrain {
        name: "land".into(),
        diagonal: Diagonal::Anti,
        ..Terrain::new(size, [1.0; 2], Heights::F32(vec![1.0; 360_000]))
    };
    let terrain = land.terrains.push(terrain);
    add(&mut land, None, "land", Content::Terrain(terrain));
    let large = page("a", &land, &PageOptions::default());
    assert!(data(&large)["notes"].to_string().contains("shows one of 2 heights"));
    assert!(large.model_bytes().is_some_and(|bytes| bytes < 8 << 20), "{:?}", large.model_bytes());
}

#[test]
fn levels_of_tiles_have_only_an_image() {
    let mut scene = Scene::default();
    let layer = TileLayer { size: [4, 2], tile_size: [64, 64], cells: vec![1; 8], ..TileLayer::default() };
    let layer = scene.tile_layers.push(layer);
    let layer = add(&mut scene, None, "Action", Content::TileLayer(layer));
    let content = entity(&mut scene, "Officer");
    let officer = add(&mut scene, Some(layer), "", content);
    scene.nodes[officer].transform = Transform::translation([128.0, -32.0, 0.0]);
    let render = RenderOptions::default().with_scale(Scale::Fit(128));
    let page = page("a", &scene, &PageOptions::default().with_render(render));
    assert_eq!((page.model_bytes(), page.image().width, page.image().marks), (None, 128, 0));
    let data = data(&page);
    assert_eq!((&data["flat"], &data["notes"]), (&true.into(), &serde_json::json!([])));
    assert_eq!((&data["objects"]["rows"][1][4], &data["objects"]["rows"][1][5]), (&64.into(), &16.into()));
}
