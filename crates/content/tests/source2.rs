//! Maps, materials and models of real projects, compared with independent decoders.
#![cfg(all(feature = "fs", feature = "vmap"))]

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};

use mapwright_content::resolve::{Outcome, ReferenceKind, ResolveOptions, ResolveReport, Source2, resolve};
use mapwright_content::{ContentSource, content_roots};
use mapwright_scene::{
    AlphaMode, Content, Entity, Material, Mesh, Node, NodeId, Scene, TextureUsage, Transform, UvSet, Value, angles,
};
use mapwright_testkit::corpus;
use mapwright_testkit::witness::{agree, ask};
use mapwright_vmap::scene::{AXES, METRES_PER_UNIT, to_scene};

/// A black PNG of one pixel.
const PNG: &[u8] = &[
    0x89, b'P', b'N', b'G', 13, 10, 26, 10, 0, 0, 0, 13, b'I', b'H', b'D', b'R', 0, 0, 0, 1, 0, 0, 0, 1, 8, 0, 0, 0, 0,
    0x3a, 0x7e, 0x9b, 0x55, 0, 0, 0, 10, b'I', b'D', b'A', b'T', 0x78, 0x9c, 0x63, 0x60, 0, 0, 0, 2, 0, 1, 0x48, 0xaf,
    0xa4, 0x71, 0, 0, 0, 0, b'I', b'E', b'N', b'D', 0xae, 0x42, 0x60, 0x82,
];

/// A file of the corpora at the path that it has in its repository.
struct Placed {
    repository: PathBuf,
    /// The path below the repository, with `/`.
    path: String,
}

impl Placed {
    fn file(&self) -> PathBuf {
        self.repository.join(&self.path)
    }

    /// Returns the content root of the file: the part of its path before a folder of content.
    fn root_and_path(&self) -> Option<(PathBuf, &str)> {
        let starts = ["maps/", "materials/", "models/", "particles/", "weapons/", "scenes/"];
        let lower = self.path.to_ascii_lowercase();
        let at = starts.iter().filter_map(|start| {
            lower.match_indices(start).map(|(at, _)| at).find(|at| *at == 0 || lower.as_bytes()[at - 1] == b'/')
        });
        let at = at.min()?;
        Some((self.repository.join(&self.path[..at]), &self.path[at..]))
    }
}

fn write(path: &Path, bytes: impl AsRef<[u8]>) {
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(path, bytes).unwrap();
}

/// Copies the files of the corpora to the paths that they have in their repositories. Other versions of a file are in a repository of
/// their own.
fn lay_out(folder: &Path) -> Option<Vec<Placed>> {
    let mut all = Vec::new();
    for name in ["vmap", "s2content", "dmxmodel"] {
        let corpus = corpus(name)?;
        let manifest = fs::read_to_string(corpus.join("MANIFEST.tsv")).unwrap();
        for line in manifest.lines().skip(1) {
            let fields: Vec<&str> = line.split('\t').collect();
            let (repository, commit, path) = match name {
                "vmap" => {
                    let (repository, path) = fields[3].split_once(':').unwrap();
                    let (repository, commit) = repository.split_once('@').unwrap();
                    (repository, commit, path)
                }
                _ => (fields[1], fields[2], fields[3]),
            };
            let (first, version) = (folder.join(repository), folder.join(format!("{repository}@{commit}")));
            let repository = if first.join(path).exists() { version } else { first };
            let placed = Placed { repository, path: path.to_owned() };
            write(&placed.file(), fs::read(corpus.join(fields[0])).unwrap());
            all.push(placed);
        }
    }
    Some(all)
}

fn read_map(path: &Path) -> Option<Scene> {
    let map = mapwright_vmap::Document::from_bytes(&fs::read(path).unwrap()).ok()?;
    Some(to_scene(&map, &Default::default()).unwrap().scene)
}

fn resolve_all(scene: &mut Scene, content: &ContentSource) -> ResolveReport {
    let report = resolve(scene, content, &Source2::default(), &ResolveOptions::default().with_max_depth(32));
    assert_eq!(scene.first_error(), None);
    report
}

fn empty() -> Scene {
    Scene { metres_per_unit: Some(METRES_PER_UNIT), ..Scene::default() }
}

/// Returns the paths of all files below a folder in lower case, with `/`.
fn lower_paths(root: &Path) -> BTreeSet<String> {
    let below = |path: PathBuf| path.strip_prefix(root).unwrap().to_str().unwrap().replace('\\', "/").to_lowercase();
    mapwright_testkit::files_below(root).into_iter().map(below).collect()
}

/// Returns the number of triangles of all meshes, also of those that Hammer hides.
fn triangles(scene: &Scene) -> u64 {
    let meshes = scene.walk().filter_map(|visit| match visit.node.content {
        Content::Mesh(mesh) => scene.meshes.get(mesh),
        _ => None,
    });
    meshes.map(|mesh| mesh.faces.iter().map(|face| face.len().saturating_sub(2)).sum::<usize>() as u64).sum()
}

/// Prints the triangles of each map without the tiles of Dota 2, which it does not decode.
const TRIANGLES: &str = "
import sys
sys.path.insert(0, sys.argv[1])
import vmap_check
for path, doc in vmap_check.documents(sys.argv[2:]):
    if any(element.cls == b'CDmeDotaTileGrid' for element in doc.elements): continue
    count = 0
    for mesh, node in vmap_check.meshes(doc):
        rings = vmap_check.loops({name: mesh.ints(name) for name in ('edgeNextIndices', 'faceEdgeIndices')})
        count += sum(max(len(ring) - 2, 0) for ring in rings)
    print(path, count, sep='\\t')
";

/// Real maps at their places: a map with its prefabs has the triangles of all of them.
#[test]
#[ignore = "needs the corpus"]
fn prefabs_of_real_maps_add_their_triangles() {
    let folder = tempfile::tempdir().unwrap();
    let Some(files) = lay_out(folder.path()) else { return };
    let maps: Vec<&Placed> = files.iter().filter(|file| file.path.to_lowercase().ends_with(".vmap")).collect();
    let readable: Vec<PathBuf> = maps.iter().map(|map| map.file()).filter(|path| read_map(path).is_some()).collect();
    let Some(expected) = ask(TRIANGLES, &readable) else { return };
    let expected: BTreeMap<PathBuf, u64> = expected
        .lines()
        .map(|line| line.split_once('\t').unwrap())
        .map(|(path, count)| (PathBuf::from(path).canonicalize().unwrap(), count.parse().unwrap()))
        .collect();
    let mut added = BTreeMap::new();
    for path in &readable {
        let path = path.canonicalize().unwrap();
        let roots = content_roots(&path);
        let Some(root) = roots.first() else { continue };
        let mut scene = read_map(&path).unwrap();
        let own = triangles(&scene);
        assert!(expected.get(&path).is_none_or(|count| *count == own), "{}: {own}", path.display());
        let content = ContentSource::open(&roots).unwrap();
        let report = resolve_all(&mut scene, &content);
        let mut sum = own;
        for reference in report.references.iter().filter(|it| it.kind == ReferenceKind::Prefab) {
            if let Outcome::Found(found) = &reference.outcome {
                let count = expected[&root.join(found).canonicalize().unwrap()];
                sum += count * reference.uses;
                added.insert((path.clone(), found.clone()), count);
            }
        }
        let model = |visit: &mapwright_scene::Visit<'_>| {
            visit
                .node
                .properties
                .get(Node::RESOLVED_FROM)
                .and_then(|it| it.as_text())
                .is_some_and(|it| it.to_ascii_lowercase().ends_with(".vmdl"))
        };
        assert!(!scene.walk().any(|visit| model(&visit)), "no map has a model that is in the corpus");
        assert_eq!(triangles(&scene), sum, "{}", path.display());
        // Files that exist are found, and each path is reported once.
        let existing = lower_paths(root);
        let mut paths = BTreeSet::new();
        for reference in &report.references {
            let key = reference.path.replace('\\', "/").to_lowercase();
            assert!(reference.outcome != Outcome::Missing || !existing.contains(&key), "{reference:?}");
            assert!(!matches!(reference.outcome, Outcome::Undecodable(_)), "{reference:?}");
            assert!(paths.insert((reference.kind, &reference.path)), "{reference:?}");
        }
    }
    let names: Vec<(&str, &str, u64)> = added
        .iter()
        .map(|((map, prefab), count)| (map.file_name().unwrap().to_str().unwrap(), &**prefab, *count))
        .collect();
    let expected = [
        ("de_garry.vmap", "maps/de_garry/prefabs/de_g_mid_to_a.vmap", 126),
        ("refinery.vmap", "maps/refinery/prefabs/env.vmap", 0),
        ("refinery.vmap", "maps/refinery/prefabs/refinery_a_site.vmap", 4241),
    ];
    assert_eq!(names, expected);
}

/// Prints the appearance of each material according to the table of roles of the specification.
const MATERIALS: &str = r"
import sys, posixpath
sys.path.insert(0, sys.argv[1])
import s2content_dump as s2
ROLES = {
  'color': 'TextureColor TextureColor1 TextureColorA TextureColor0 TextureLayer1Color Color Texture TextureAtlasColor SkyTexture',
  'normal': 'TextureNormal TextureNormal1 TextureNormalA TextureNormal0 TextureLayer1Normal Normal',
  'roughness': 'TextureRoughness TextureRoughness1 TextureRoughnessA TextureLayer1Roughness TextureGlossiness',
  'metalness': 'TextureMetalness TextureMetalness1 TextureMetalnessA',
  'occlusion': 'TextureAmbientOcclusion TextureAmbientOcclusion1 TextureAmbientOcclusionA TextureLayer1AmbientOcclusion AO',
  'opacity': 'TextureTranslucency TextureTranslucency1 TextureLayer1Translucency',
  'emission': 'TextureSelfIllumMask TextureEmissive* TextureSelfIllum',
}
NO_CONSTANT = ('default_cube.pfm', 'default_noise.tga', 'default_skin_diffusewarp.tga')
def same(name, key):
    name, key = name.lower(), key.lower()
    return name.startswith(key[:-1]) if key.endswith('*') else name == key
def rest(name):
    at = name.lower().find('texture')
    return name[at:] if at > 0 else ''
def value(text):
    path = text.strip().replace('\\', '/')
    if s2.IMG.search(path):
        if path.lower().startswith('materials/default/'):
            return None if posixpath.basename(path.lower()) in NO_CONSTANT else '-'
        return posixpath.basename(path).rsplit('.', 1)[0].lower()
    try: float(path)
    except ValueError: return '-' if s2.is_vector(path) else None
    return '-'
def pick(layer, role):
    keys = ROLES[role].split()
    for name_of in (lambda name: name, rest):
        for key in keys:
            if name_of is rest and not key.startswith('Texture'): continue
            for name, text in layer:
                if isinstance(text, str) and same(name_of(name), key) and value(text): return value(text)
    if role == 'color':
        for name, text in layer:
            if isinstance(text, str) and 'color' in name.lower() and s2.IMG.search(text): return value(text) or '-'
    return '-'
for path in sys.argv[2:]:
    data = open(path, 'rb').read()
    known = s2.vmat(data)
    layer = [items for name, items in s2.kv1_parse(data)[0] if name.lower().startswith('layer')][0]
    flag = {name.upper(): float(text) for name, text in layer if isinstance(text, str) and name.upper().startswith('F_')}
    number = {name.lower(): text for name, text in layer if isinstance(text, str)}
    print('file', path)
    alpha = 'blend' if flag.get('F_TRANSLUCENT') else 'mask' if flag.get('F_ALPHA_TEST') else 'opaque'
    cutoff = float(number.get('g_flalphatestreference', 0.5)) if alpha == 'mask' else 0
    print('alpha', alpha, '%.3f' % cutoff, 'double' if flag.get('F_RENDER_BACKFACES') else 'single')
    color = pick(layer, 'color')
    opacity = pick(layer, 'opacity') if alpha != 'opaque' else '-'
    print('color', opacity if color == '-' else color)
    for role in ('normal', 'roughness', 'metalness', 'occlusion'): print(role, pick(layer, role))
    print('emission', pick(layer, 'emission') if flag.get('F_SELF_ILLUM') else '-')
";

/// Prints the paths of the images of each material.
const IMAGES: &str = r"
import sys
sys.path.insert(0, sys.argv[1])
import s2content_dump as s2
for path in sys.argv[2:]:
    for image in s2.vmat(open(path, 'rb').read())['images'].values(): print(path, image, sep='\t')
";

/// Real materials at their places, with images at the paths that they name, look as an independent decoder and the published table of
/// roles state.
#[test]
#[ignore = "needs the corpus"]
fn real_materials_have_the_textures_of_another_decoder() {
    let folder = tempfile::tempdir().unwrap();
    let Some(files) = lay_out(folder.path()) else { return };
    let materials: Vec<&Placed> = files.iter().filter(|file| file.path.ends_with(".vmat")).collect();
    let paths: Vec<PathBuf> = materials.iter().map(|file| file.file()).collect();
    let (Some(expected), Some(images)) = (ask(MATERIALS, &paths), ask(IMAGES, &paths)) else { return };
    let roots: BTreeMap<PathBuf, (PathBuf, String)> = materials
        .iter()
        .map(|file| {
            let (root, path) = file.root_and_path().unwrap_or_else(|| panic!("{}", file.path));
            (file.file(), (root, path.to_owned()))
        })
        .collect();
    for line in images.lines() {
        let (file, image) = line.split_once('\t').unwrap();
        let image = image.replace('\\', "/");
        // Images that cannot be decoded are exported as PNG beside them.
        let name = match image.to_ascii_lowercase().ends_with(".psd") {
            true => format!("{}png", &image[..image.len() - 3]),
            false => image,
        };
        write(&roots[Path::new(file)].0.join(name), PNG);
    }
    let mut found = String::new();
    for path in &paths {
        let (root, name) = &roots[path];
        let mut scene = empty();
        let id = scene.materials.push(Material { reference: Some(name.clone()), ..Material::new(name.as_str()) });
        let corners = vec![Some([0.0, 0.0]), Some([1.0, 0.0]), Some([0.0, 1.0])];
        let mesh = scene.meshes.push(Mesh {
            positions: vec![[0.0; 3], [1.0, 0.0, 0.0], [0.0, 0.0, -1.0]],
            faces: [[0, 1, 2]].into_iter().collect(),
            face_materials: vec![Some(id)],
            uv_sets: vec![UvSet { corners: corners.into_iter().collect(), ..UvSet::default() }],
            ..Mesh::default()
        });
        scene.add_node(None, Node::new("", Content::Mesh(mesh)));
        let report = resolve_all(&mut scene, &ContentSource::open([root]).unwrap());
        let bad: Vec<_> = report.references.iter().filter(|it| !matches!(it.outcome, Outcome::Found(_))).collect();
        assert!(bad.is_empty(), "{}: {bad:?}", path.display());
        let material = &scene.materials.items()[0];
        let (alpha, cutoff) = match material.alpha {
            AlphaMode::Mask(cutoff) => ("mask", cutoff),
            AlphaMode::Blend => ("blend", 0.0),
            _ => ("opaque", 0.0),
        };
        let sides = if material.double_sided { "double" } else { "single" };
        let _ = writeln!(found, "file {}\nalpha {alpha} {cutoff:.3} {sides}", path.display());
        for (role, usage) in [
            ("color", TextureUsage::BaseColor),
            ("normal", TextureUsage::Normal),
            ("roughness", TextureUsage::Roughness),
            ("metalness", TextureUsage::Metallic),
            ("occlusion", TextureUsage::Occlusion),
            ("emission", TextureUsage::Emission),
        ] {
            let image = material.texture(&usage).map(|slot| scene.images[slot.image].name.to_lowercase());
            let stem = image.as_deref().map_or("-", |name| name.rsplit_once('.').map_or(name, |(stem, _)| stem));
            let _ = writeln!(found, "{role} {stem}");
        }
    }
    agree(&found, &expected);
    println!("{} materials are equal", paths.len());
}

/// Prints the origins of the entities of a class.
const ORIGINS: &str = "
import sys
sys.path.insert(0, sys.argv[1])
import vmap_check
for path, doc in vmap_check.documents(sys.argv[2:]):
    stack = [vmap_check.View(doc, 0).ref('world')]
    while stack:
        node = stack.pop()
        if node.has('entity_properties') and node.ref('entity_properties'):
            keys = node.ref('entity_properties')
            print(keys.text('classname'), *node.floats('origin'), keys.text('scale') if keys.has('scale') else '-')
        if node.has('children'): stack.extend(reversed(node.refs('children')))
";

/// A real 3D skybox is placed and scaled about its camera.
#[test]
#[ignore = "needs the corpus"]
fn a_real_skybox_is_shown_at_its_scale() {
    let folder = tempfile::tempdir().unwrap();
    let Some(files) = lay_out(folder.path()) else { return };
    let sky = files.iter().find(|file| file.path.ends_with("edinburgh_skybox.vmap")).unwrap();
    let Some(rows) = ask(ORIGINS, &[sky.file()]) else { return };
    let rows: Vec<(&str, [f64; 3], &str)> = rows
        .lines()
        .map(|line| {
            let fields: Vec<&str> = line.split(' ').collect();
            (fields[0], [1, 2, 3].map(|index: usize| fields[index].parse().unwrap()), fields[4])
        })
        .collect();
    let (_, camera, scale) = *rows.iter().find(|(class, ..)| *class == "sky_camera").unwrap();
    assert_eq!(scale, "16");
    let (root, path) = sky.root_and_path().unwrap();
    let mut scene = empty();
    // Maps store the path in lower case.
    let properties = [("targetMapName", path.to_ascii_lowercase().as_str())].into_iter().collect();
    let entity = Entity { class: "skybox_reference".to_owned(), properties, ..Entity::default() };
    let entity = scene.entities.push(entity);
    let place = Transform::Trs {
        translation: [100.0, 200.0, 300.0],
        rotation: angles::to_rotation([0.0, 90.0, 0.0]),
        scale: [1.0; 3],
    };
    let node = Node { transform: AXES.transform(&place), ..Node::new("", Content::Entity(entity)) };
    scene.add_node(None, node);
    let report = resolve_all(&mut scene, &ContentSource::open([&root]).unwrap());
    let prefab = report.references.iter().find(|it| it.kind == ReferenceKind::Prefab).unwrap();
    assert_eq!(prefab.outcome, Outcome::Found(path.to_owned()));
    let is_prop = |class: &str| class.starts_with("prop_");
    let mut found: Vec<[i64; 3]> = Vec::new();
    #[allow(clippy::cast_possible_truncation)]
    let rounded = |point: [f64; 3]| point.map(|part| part.round() as i64);
    for visit in scene.walk() {
        let Content::Entity(entity) = visit.node.content else { continue };
        if is_prop(&scene.entities[entity].class) {
            found.push(rounded(AXES.inverse().apply(visit.world.origin())));
        }
    }
    // O + R · 16 · (p − camera), with a rotation by 90° about the vertical axis.
    let mut expected: Vec<[i64; 3]> = rows
        .iter()
        .filter(|(class, ..)| is_prop(class))
        .map(|(_, [x, y, z], _)| {
            let [x, y, z] = [x - camera[0], y - camera[1], z - camera[2]].map(|part| part * 16.0);
            rounded([100.0 - y, 200.0 + x, 300.0 + z])
        })
        .collect();
    found.sort_unstable();
    expected.sort_unstable();
    assert_eq!(found, expected);
    assert!(found.len() > 10);
    assert!(
        report.losses.iter().any(|loss| loss.to_string().contains("lights of a 3D skybox: 7")),
        "{:?}",
        report.losses
    );
}

/// Real models with meshes in DMX files have their faces.
#[test]
#[ignore = "needs the corpus"]
fn real_models_are_placed() {
    let folder = tempfile::tempdir().unwrap();
    let Some(files) = lay_out(folder.path()) else { return };
    let mut placed = Vec::new();
    for model in files.iter().filter(|file| file.path.ends_with(".vmdl")) {
        let (root, path) = model.root_and_path().unwrap_or_else(|| panic!("{}", model.path));
        let mut scene = empty();
        let entity = Entity { class: "prop_static".to_owned(), model: Some(path.to_owned()), ..Entity::default() };
        let entity = scene.entities.push(entity);
        scene.add_node(None, Node::new("", Content::Entity(entity)));
        let report = resolve_all(&mut scene, &ContentSource::open([&root]).unwrap());
        let reference = report.references.iter().find(|it| it.path == path).unwrap();
        let name = path.rsplit('/').next().unwrap().to_owned();
        match &reference.outcome {
            Outcome::Found(_) => placed.push((name, triangles(&scene))),
            Outcome::Undecodable(_) => {}
            _ => panic!("{path} is missing"),
        }
    }
    // The other meshes are FBX files or not in the corpus. Spheres of 32 and 16 segments have 32 · 62 and 16 · 30 triangles.
    let expected = [
        ("human_farm.vmdl", 992),
        ("ai_attached_item_manager_custom.vmdl", 36 * 2),
        ("law_weapon_details.vmdl", 216),
        ("paintball.vmdl", 32 * 62),
        ("sphere_test.vmdl", 16 * 30),
    ];
    assert_eq!(placed, expected.map(|(name, count)| (name.to_owned(), count)));
}

/// Reads the map of the addon among the fixtures. Returns it with the content root of the addon.
fn house() -> (Scene, PathBuf) {
    let root = mapwright_testkit::fixtures("addon");
    (read_map(&root.join("maps/house.vmap")).unwrap(), root)
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
fn names_of_entities_get_the_number_of_their_prefab() {
    let (mut scene, root) = house();
    let doors: Vec<(NodeId, i64)> = scene
        .nodes
        .iter()
        .filter(|(_, node)| matches!(&node.content, Content::Prefab(prefab) if prefab.reference.contains("door")))
        .map(|(id, node)| (id, node.properties.get("nodeID").unwrap().as_int().unwrap()))
        .collect();
    let [(first, a), (second, b)] = doors[..] else { panic!("{doors:?}") };
    let before = scene.clone();
    resolve_all(&mut scene, &ContentSource::open([&root]).unwrap());
    let handle = scene.nodes.items().iter().find_map(|node| match &node.content {
        Content::Prefab(prefab) if prefab.reference.contains("handle") => node.properties.get("nodeID")?.as_int(),
        _ => None,
    });
    let handle = handle.unwrap();
    let mut expected: Vec<String> =
        [a, b].into_iter().flat_map(|id| [format!("{id}_leaf"), format!("{id}_{handle}_button")]).collect();
    expected.extend(["@lock", "@lock", "relay"].map(str::to_owned));
    expected.sort_unstable();
    assert_eq!(entity_names(&scene), expected);
    let mut targets = Vec::new();
    for visit in scene.walk() {
        let Content::Entity(id) = visit.node.content else { continue };
        let entity = &scene.entities[id];
        let target = entity.properties.get("target").and_then(Value::as_text).map(str::to_owned);
        targets.extend(target.into_iter().chain(entity.connections.iter().map(|it| it.target.clone())));
    }
    // The handle does not define the name of the leaf.
    let of_door = |id: i64| {
        let leaf = format!("{id}_leaf");
        [
            leaf.clone(),
            leaf,
            "@lock".to_owned(),
            "!self".to_owned(),
            "relay".to_owned(),
            format!("{id}_le*"),
            "leaf".to_owned(),
        ]
    };
    assert_eq!(targets, [of_door(a), of_door(b)].concat());
    assert!(scene.walk().any(|visit| visit.node.name == format!("{a}_leaf")));

    // Settings of prefabs.
    let mut scene = before;
    scene.nodes[first].properties.set("fixupEntityNames", false);
    scene.nodes[second].properties.set("useTargetNameAsPrefix", true);
    scene.nodes[second].properties.set("targetName", "north");
    resolve_all(&mut scene, &ContentSource::open([&root]).unwrap());
    let names = entity_names(&scene);
    for name in ["leaf", "north_leaf", &format!("{handle}_button"), &format!("north_{handle}_button")] {
        assert!(names.iter().any(|it| it == name), "{name}: {names:?}");
    }
}
