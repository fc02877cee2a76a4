//! References of made-up scenes.

use std::fs;
use std::path::Path;

use mapwright_scene::{
    Diagonal, Entity, Heights, ImageSource, Import, InstanceSet, InstanceTransforms, Material, MeshId, Properties,
    Sound, Terrain, TextureUsage, Transform,
};

use super::*;
use crate::ContentFile;

const TRIANGLE: &str = "v 0 0 0\nv 1 0 0\nv 0 1 0\nvt 0 0\nusemtl bark\nf 1/1 2/1 3/1\n";

/// Writes a file below a folder.
fn write(folder: &Path, path: &str, bytes: impl AsRef<[u8]>) {
    let path = folder.join(path);
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(path, bytes).unwrap();
}

/// An uncompressed TGA image of one pixel.
fn tga() -> Vec<u8> {
    let mut bytes = vec![0; 18];
    (bytes[2], bytes[12], bytes[14], bytes[16]) = (2, 1, 1, 24);
    [bytes, vec![3, 2, 1]].concat()
}

/// A folder with models: `tree.obj` with a texture, `pair.obj` with two meshes, and a damaged one.
fn folder() -> (tempfile::TempDir, ContentSource) {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    write(at, "Models/Tree.obj", format!("mtllib tree.mtl\n{TRIANGLE}"));
    write(at, "Models/tree.mtl", "newmtl bark\nmap_Kd C:\\art\\bark.tga\n");
    write(at, "textures/BARK.tga", tga());
    write(at, "models/pair.obj", "o a\nv 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\no b\nf 3 2 1\n");
    write(at, "models/bad.glb", b"glTF\x02\0\0\0\xff\xff\xff\xff");
    write(at, "steps.wav", b"");
    let content = ContentSource::open([at]).unwrap();
    (folder, content)
}

fn add_entity(scene: &mut Scene, model: &str) -> NodeId {
    let entity = Entity { model: Some(model.to_owned()), ..Entity::default() };
    let entity = scene.entities.push(entity);
    scene.add_node(None, Node::new("", Content::Entity(entity)))
}

fn resolve_with(scene: &mut Scene, content: &ContentSource, options: &ResolveOptions) -> ResolveReport {
    let report = resolve(scene, content, &Interchange::default(), options);
    assert_eq!(scene.first_error(), None);
    report
}

fn child(scene: &Scene, id: NodeId) -> &Node {
    &scene.nodes[scene.nodes[id].children[0]]
}

fn losses(report: &ResolveReport) -> Vec<String> {
    report.losses.iter().map(ToString::to_string).collect()
}

#[test]
fn uses_of_a_model_share_its_mesh_and_image() {
    let (_folder, content) = folder();
    let mut scene = Scene::default();
    let trees = ["models\\tree.p3d", "MODELS/TREE.P3D"].map(|model| add_entity(&mut scene, model));
    add_entity(&mut scene, "models/missing.p3d");
    add_entity(&mut scene, "models/bad.p3d");
    let sound = scene.sounds.push(Sound { reference: "sound/steps.wav".into(), ..Sound::default() });
    scene.add_node(None, Node::new("", Content::Sound(sound)));

    let report = resolve_with(&mut scene, &content, &ResolveOptions::default());
    let meshes = trees.map(|tree| child(&scene, tree).content.clone());
    let Content::Mesh(mesh) = meshes[0] else { panic!("a mesh: {meshes:?}") };
    assert_eq!(meshes[0], meshes[1]);
    assert!(trees.iter().all(|tree| child(&scene, *tree).is_resolved()));
    let material = &scene.materials[scene.meshes[mesh].face_material(0).unwrap()];
    let image = material.texture(&TextureUsage::BaseColor).unwrap().image;
    let ImageSource::Pixels(pixels) = &scene.images[image].source else { panic!("pixels") };
    assert_eq!((pixels.data.as_slice(), scene.images.len()), (&[1, 2, 3][..], 1));
    let outcomes: Vec<_> = report.references.iter().map(|it| (it.kind.name(), &*it.path, it.outcome.clone())).collect();
    let found = |path: &str| Outcome::Found(path.to_owned());
    assert_eq!(outcomes[0], ("sound", "sound/steps.wav", found("steps.wav")));
    assert_eq!(outcomes[1], ("image", "C:\\art\\bark.tga", found("textures/BARK.tga")));
    assert_eq!(outcomes[2], ("model", "models\\tree.p3d", found("Models/Tree.obj")));
    assert_eq!(report.references[2].uses, 2, "one model in two spellings");
    assert_eq!(outcomes[3], ("model", "models/missing.p3d", Outcome::Missing));
    assert!(matches!(&outcomes[4], ("model", "models/bad.p3d", Outcome::Undecodable(_))));
    assert_eq!((outcomes.len(), report.missing(ReferenceKind::Model)), (5, 1));
    let texts = losses(&report);
    assert_eq!(texts.len(), 3, "{texts:?}");
    assert_eq!(texts[0], "dropped: content: model \"models/missing.p3d\": no such file; uses: 1");

    // A second pass adds nothing.
    let resolved = scene.clone();
    resolve_with(&mut scene, &content, &ResolveOptions::default());
    assert_eq!(scene, resolved);
}

#[test]
fn escaped_paths_lead_to_files_in_utf_8() {
    let folder = tempfile::tempdir().unwrap();
    // Files for the name in UTF-8, for a folder that looks like an escaped byte, and for the last part of each escaped path.
    for path in ["tex/živá.tga", "data/xface.tga", "z/xa1.tga", "z/x5cxface.tga"] {
        write(folder.path(), path, tga());
    }
    for path in ["data/xfence.obj", "z/x5cxfence.obj"] {
        write(folder.path(), path, "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n");
    }
    let content = ContentSource::open([folder.path()]).unwrap();
    let mut scene = Scene::default();
    let paths: [&[u8]; 3] = ["tex\\živá.paa".as_bytes(), b"data\\xface.paa", b"tex\\\x9eiv\xa1.paa"];
    let mut terrain = Terrain {
        name: String::new(),
        size: [4, 2],
        spacing: [1.0; 2],
        heights: Heights::F32(vec![0.0; 8]),
        cell_size: [3, 1],
        cells: vec![0, 1, 2],
        diagonal: Diagonal::default(),
        materials: Vec::new(),
        sea_level: None,
        attributes: Vec::new(),
        properties: Properties::new(),
    };
    for path in paths {
        let path = mapwright_io::escape_bytes(path);
        let material = Material { reference: Some(path), ..Material::default() };
        terrain.materials.push(Some(scene.materials.push(material)));
    }
    let terrain = scene.terrains.push(terrain);
    scene.add_node(None, Node::new("", Content::Terrain(terrain)));
    add_entity(&mut scene, &mapwright_io::escape_bytes(b"data\\xfence.p3d"));
    let report = resolve_with(&mut scene, &content, &ResolveOptions::default());
    let outcomes: Vec<_> = report.references.iter().map(|it| it.outcome.clone()).collect();
    let found = |path: &str| Outcome::Found(path.to_owned());
    assert_eq!(outcomes, [found("data/xfence.obj"), found("tex/živá.tga"), found("data/xface.tga"), Outcome::Missing]);
}

#[test]
fn instance_sets_get_one_mesh_of_each_model() {
    let (_folder, content) = folder();
    let mut scene = Scene::default();
    let models = ["models/pair.p3d", "models/none.p3d"].map(|path| Model::Reference(path.into()));
    let set = scene.instance_sets.push(InstanceSet {
        models: models.to_vec(),
        model: vec![0, 1, 0],
        transforms: InstanceTransforms::Affine(vec![[[0.0; 3]; 4]; 3]),
        ..InstanceSet::default()
    });
    scene.add_node(None, Node::new("", Content::InstanceSet(set)));
    let report = resolve_with(&mut scene, &content, &ResolveOptions::default());
    let resolved = &scene.instance_sets[set].models;
    let Model::Mesh(mesh) = resolved[0] else { panic!("a mesh: {resolved:?}") };
    assert_eq!((scene.meshes[mesh].faces.len(), &resolved[1]), (2, &models[1]));
    assert_eq!(scene.meshes.len(), 1, "the two parts are not needed any more");
    assert_eq!(report.references.iter().map(|it| it.uses).collect::<Vec<_>>(), [2, 1]);
    let source = scene.meshes[mesh].properties.get(Node::RESOLVED_FROM).and_then(|it| it.as_text());
    assert_eq!(source, Some("models/pair.p3d"));
}

/// Each file is one line: the names of models of entities. A line with `+` is a mesh.
struct Lines;

impl Loader for Lines {
    fn find<'a>(&self, request: &Request<'_>, content: &'a ContentSource) -> Option<ContentFile<'a>> {
        find_by_name(request, content)
    }

    fn load(&self, bytes: &[u8], _context: &LoadContext<'_>) -> Result<Import, String> {
        let mut scene = Scene { metres_per_unit: Some(0.5), ..Scene::default() };
        for word in std::str::from_utf8(bytes).unwrap().split_whitespace() {
            if word == "+" {
                let mesh = mapwright_scene::Mesh { positions: vec![[2.0; 3]], ..Default::default() };
                let mesh = scene.meshes.push(mesh);
                scene.add_node(None, Node::new("", Content::Mesh(mesh)));
            } else {
                add_entity(&mut scene, word);
            }
        }
        Ok(scene).map(|scene| Import { scene, losses: Losses::new() })
    }
}

#[test]
fn nested_files_are_resolved_up_to_a_depth_and_never_contain_themselves() {
    let folder = tempfile::tempdir().unwrap();
    for (path, text) in
        [("house", "deep/roof"), ("deep/roof", "tile"), ("deep/tile", "+"), ("tile", ""), ("a", "b"), ("b", "A")]
    {
        write(folder.path(), path, text);
    }
    let content = ContentSource::open([folder.path()]).unwrap();
    let mut scene = Scene { metres_per_unit: Some(1.0), ..Scene::default() };
    let house = add_entity(&mut scene, "house");
    let report = resolve(&mut scene, &content, &Lines, &ResolveOptions::default());
    let roof = scene.nodes[house].children[0];
    let tile = scene.nodes[roof].children[0];
    let Content::Mesh(mesh) = child(&scene, tile).content else { panic!("the tile beside the roof") };
    // Two units of half a metre are one metre.
    assert_eq!((scene.meshes[mesh].positions[0], losses(&report).len()), ([1.0; 3], 0));

    let mut scene = Scene::default();
    add_entity(&mut scene, "a");
    let report = resolve(&mut scene, &content, &Lines, &ResolveOptions::default());
    assert_eq!(losses(&report), ["dropped: content: model \"a\": it contains itself; uses: 2"]);

    let mut scene = Scene::default();
    add_entity(&mut scene, "house");
    let report = resolve(&mut scene, &content, &Lines, &ResolveOptions::default().with_max_depth(2));
    assert_eq!(losses(&report), ["dropped: content: model \"tile\": nested more than 2 files deep; uses: 1"]);
}

#[test]
fn files_beyond_a_limit_are_reported() {
    let (_folder, content) = folder();
    let mut scene = Scene::default();
    for _ in 0..3 {
        add_entity(&mut scene, "models/tree.p3d");
    }
    let before = scene.clone();
    let mut limited = before.clone();
    let report = resolve_with(&mut limited, &content, &ResolveOptions::default().with_max_bytes(100));
    let text =
        "dropped: content: model \"models/tree.p3d\": it exceeds the limit of all models and images together; uses: 3";
    assert!(losses(&report).contains(&text.to_owned()), "{:?}", losses(&report));
    assert_eq!(limited.nodes, before.nodes);
    let mut limited = before.clone();
    let report = resolve_with(&mut limited, &content, &ResolveOptions::default().with_max_nodes(2));
    assert_eq!(limited.nodes.len(), 5);
    assert!(losses(&report)[0].ends_with("limit of 2 nodes; uses without a model: 1"), "{:?}", losses(&report));
}

#[test]
fn flattened_meshes_keep_their_outside() {
    let (_folder, content) = folder();
    let mut scene = Scene::default();
    let entity = add_entity(&mut scene, "models/pair.p3d");
    resolve_with(&mut scene, &content, &ResolveOptions::default());
    let children = scene.nodes[entity].children.clone();
    let mirrored = Transform::Trs { translation: [0.0; 3], rotation: [0.0, 0.0, 0.0, 1.0], scale: [-1.0, 1.0, 1.0] };
    let part = |id: NodeId, transform| Node { transform, children: Vec::new(), ..scene.nodes[id].clone() };
    let nodes = vec![part(children[0], Transform::IDENTITY), part(children[1], mirrored)];
    let template =
        merge::Template::new(nodes, vec![NodeId::new(0), NodeId::new(1)], mapwright_scene::Properties::new());
    let mesh: MeshId = flatten::flatten(&mut scene, &template, "pair").unwrap();
    let mesh = &scene.meshes[mesh];
    // The second triangle was turned over; its reflection is turned over again.
    assert_eq!(mesh.faces.get(0), Some(&[0, 1, 2][..]));
    let second: Vec<[f64; 3]> = mesh.faces.get(1).unwrap().iter().map(|it| mesh.positions[*it as usize]).collect();
    assert_eq!(second, [[0.0, 0.0, 0.0], [-1.0, 0.0, 0.0], [0.0, 1.0, 0.0]]);
}
