//! What documents mean, and back.
#![cfg(feature = "scene")]

#[allow(dead_code)]
mod scenes;

use std::path::{Path, PathBuf};
use std::process::Command;

use mapwright_scene::{Content, FaceFlags, Mesh, Node, Scene, Transform};
use mapwright_wings::Document;
use mapwright_wings::scene::{ExportOptions, ImportOptions, Mirror, from_scene, merge_scene, to_scene};
use proptest::strategy::{Strategy, ValueTree};
use proptest::test_runner::TestRunner;
use scenes::{cube, import, mesh_value, scene_of};

fn wings_files(folder: &Path, files: &mut Vec<PathBuf>) {
    let mut entries: Vec<PathBuf> =
        std::fs::read_dir(folder).into_iter().flatten().flatten().map(|e| e.path()).collect();
    entries.sort();
    for path in entries {
        match path.is_dir() {
            true => wings_files(&path, files),
            false if path.extension().is_some_and(|extension| extension == "wings") => files.push(path),
            false => {}
        }
    }
}

/// The files of the corpus; says so if there are none.
fn corpus(part: &str) -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/corpus/wings").join(part);
    let mut files = Vec::new();
    wings_files(&folder, &mut files);
    if files.is_empty() {
        eprintln!("SKIPPED: no corpus at {}", folder.display());
    }
    files
}

#[test]
fn every_file_means_a_whole_scene_and_merging_it_back_changes_no_byte() {
    for file in corpus("") {
        let bytes = std::fs::read(&file).unwrap();
        let Ok(mut document) = Document::from_bytes(&bytes) else { continue };
        let Ok(read) = to_scene(&document, &ImportOptions::default()) else { continue };
        let problems = read.scene.validate();
        let broken: Vec<_> = problems.iter().filter(|p| p.severity == mapwright_scene::Severity::Broken).collect();
        assert!(broken.is_empty(), "{}: {broken:?}", file.display());
        let losses = merge_scene(&mut document, &read.scene, &ExportOptions::default()).unwrap();
        assert!(losses.is_empty());
        assert_eq!(document.to_bytes().unwrap(), bytes, "{}", file.display());
    }
}

/// A change that is taken back makes the way through the whole writer, not only the comparison.
#[test]
fn a_new_node_beside_the_old_ones_leaves_them_as_they_are() {
    for file in corpus("") {
        let Ok(document) = Document::from_bytes(&std::fs::read(&file).unwrap()) else { continue };
        let Ok(model) = document.model() else { continue };
        if model.version != 2 || file.components().any(|part| part.as_os_str() == "probes") {
            continue;
        }
        let mut scene = import(&document);
        let mesh = scene.meshes.push(cube());
        scene.add_node(None, Node::new("new", Content::Mesh(mesh)));
        let mut changed = document.clone();
        merge_scene(&mut changed, &scene, &ExportOptions::default()).unwrap();
        let after = changed.model().unwrap();
        assert_eq!(after.shapes[..model.shapes.len()], model.shapes, "{}", file.display());
        assert_eq!(after.shapes.len(), model.shapes.len() + 1);
        assert_eq!(after.materials, model.materials, "{}", file.display());
        assert_eq!((after.lights(), after.views(), after.images()), (model.lights(), model.views(), model.images()));
    }
}

/// Documents that the real program is asked about, if the variable `MAPWRIGHT_WH` names a program that loads, checks and
/// saves files in Wings 3D: `verify FILE…`, a line that begins with `OK` for each.
struct Written {
    folder: PathBuf,
    files: Vec<PathBuf>,
}

impl Written {
    fn new(name: &str) -> Self {
        let folder = std::env::temp_dir().join(format!("mapwright-wings-{name}-{}", std::process::id()));
        std::fs::create_dir_all(&folder).unwrap();
        Self { folder, files: Vec::new() }
    }

    fn add(&mut self, document: &Document) {
        let path = self.folder.join(format!("{}.wings", self.files.len()));
        std::fs::write(&path, document.to_bytes().unwrap()).unwrap();
        self.files.push(path);
    }

    fn verify(self) {
        if let Some(program) = std::env::var_os("MAPWRIGHT_WH") {
            let output = Command::new(program).arg("verify").args(&self.files).output().unwrap();
            let text = String::from_utf8_lossy(&output.stdout);
            let bad: Vec<&str> = text.lines().filter(|line| !line.starts_with("OK")).collect();
            assert!(output.status.success() && bad.is_empty(), "{bad:#?} {}", String::from_utf8_lossy(&output.stderr));
            assert_eq!(text.lines().count(), self.files.len());
            eprintln!("{} files are fine", self.files.len());
        } else {
            eprintln!("SKIPPED: MAPWRIGHT_WH does not name a program that verifies files in Wings 3D");
        }
        std::fs::remove_dir_all(&self.folder).unwrap();
    }
}

#[test]
fn documents_made_of_scenes_mean_the_same_and_please_the_program() {
    let mut written = Written::new("corpus");
    for file in corpus("") {
        if file.components().any(|part| part.as_os_str() == "probes") {
            continue;
        }
        let document = Document::from_bytes(&std::fs::read(&file).unwrap()).unwrap();
        let scene = import(&document);
        let export = from_scene(&scene, &ExportOptions::default()).unwrap();
        written.add(&export.document);
        let again = import(&export.document);
        let name = file.display();
        assert_eq!(again.meshes.len(), scene.meshes.len(), "{name}");
        let repaired = export.losses.count(mapwright_scene::LossKind::Repaired);
        let nodes = |scene: &Scene| -> Vec<(String, bool, bool, usize)> {
            scene.walk().map(|v| (v.node.name.clone(), v.node.visible, v.node.locked, v.node.children.len())).collect()
        };
        assert_eq!(nodes(&again), nodes(&scene), "{name}");
        if repaired == 0 {
            let order = |scene: &Scene| -> Vec<usize> {
                scene
                    .walk()
                    .filter_map(|visit| match visit.node.content {
                        Content::Mesh(mesh) => Some(mesh.index()),
                        _ => None,
                    })
                    .collect()
            };
            for (old, new) in order(&scene).into_iter().zip(order(&again)) {
                let (old, new) = (&scene.meshes.items()[old], &again.meshes.items()[new]);
                assert_eq!(new.positions, old.positions, "{name}");
                assert_eq!((&new.hard_edges, new.mirror), (&old.hard_edges, old.mirror), "{name}");
                if old.uv_sets.is_empty()
                    || !export.losses.iter().any(|loss| loss.text.contains("texture coordinates of"))
                {
                    assert_eq!(mesh_value(new).faces, mesh_value(old).faces, "{name}");
                    assert_eq!(mesh_value(new).uv_sets, mesh_value(old).uv_sets, "{name}");
                    assert_eq!(mesh_value(new).color_sets, mesh_value(old).color_sets, "{name}");
                }
            }
        }
        assert_eq!(again.images, scene.images, "{name}");
        assert_eq!(again.materials, scene.materials, "{name}");
        assert_eq!((&again.lights, &again.cameras), (&scene.lights, &scene.cameras), "{name}");
    }
    written.verify();
}

/// A mesh of faces given by their vertices.
fn mesh(positions: &[[f64; 3]], faces: &[&[u32]]) -> Mesh {
    Mesh { positions: positions.to_vec(), faces: faces.iter().collect(), ..Mesh::default() }
}

/// A torus of quads; `wings` is how many of its rings are there, so that fewer than `around` leave it open.
fn torus(around: u32, across: u32, there: u32) -> Mesh {
    let at = |i: u32, j: u32| {
        let turn = |k: u32, n: u32| f64::from(k % n) / f64::from(n) * std::f64::consts::TAU;
        let (a, b) = (turn(i, around), turn(j, across));
        [(2.0 + b.cos()) * a.cos(), b.sin(), -(2.0 + b.cos()) * a.sin()]
    };
    let id = |i: u32, j: u32| i % around * across + j % across;
    let faces: Vec<[u32; 4]> = (0..there)
        .flat_map(|i| (0..across).map(move |j| [id(i, j), id(i + 1, j), id(i + 1, j + 1), id(i, j + 1)]))
        .collect();
    let positions = (0..around).flat_map(|i| (0..across).map(move |j| at(i, j))).collect();
    Mesh { positions, faces: faces.into_iter().collect(), ..Mesh::default() }
}

/// A cube as glTF has it: triangles with vertices of their own on every side, and normals.
fn split_cube() -> Mesh {
    let whole = cube();
    let mut mesh = Mesh { normals: Some(Vec::new()), ..Mesh::default() };
    for face in 0..whole.faces.len() {
        let first = u32::try_from(mesh.positions.len()).unwrap();
        let ring = whole.faces.get(face).unwrap();
        mesh.positions.extend(ring.iter().map(|&vertex| whole.positions[vertex as usize]));
        for triangle in [[0, 1, 2], [0, 2, 3]] {
            mesh.faces.push(&triangle.map(|corner| first + corner));
            mesh.normals.as_mut().unwrap().extend([whole.face_normal(face).unwrap(); 3]);
        }
    }
    mesh
}

#[test]
fn meshes_from_elsewhere_become_objects_that_the_program_takes() {
    let mut written = Written::new("meshes");
    let mut check = |mesh: Mesh, faces: usize, holes: usize, vertices: usize| {
        let export = from_scene(&scene_of(mesh), &ExportOptions::default()).unwrap();
        written.add(&export.document);
        let model = export.document.model().unwrap();
        let (_, object) = model.objects().next().unwrap();
        let found = (object.mesh.faces.len(), object.holes().len(), object.mesh.vertices.len());
        assert_eq!(found, (faces, holes, vertices), "{:?}", export.losses);
        (object.mesh.hard_edges.len(), export.losses)
    };
    let (hard, losses) = check(cube(), 6, 0, 8);
    assert!(hard == 0 && losses.is_empty());
    assert!(check(torus(24, 12, 24), 288, 0, 288).1.is_empty());
    let (_, losses) = check(torus(24, 12, 20), 242, 2, 21 * 12);
    assert_eq!(losses.count(mapwright_scene::LossKind::MadeUp), 1);
    // The seams of the sides are welded and become hard, the diagonals stay soft.
    let (hard, losses) = check(split_cube(), 12, 0, 8);
    assert_eq!((hard, losses.count(mapwright_scene::LossKind::MadeUp)), (12, 0));
    // A concave polygon with its back missing, a fan of three wings, a sheet with a hole.
    let points: Vec<[f64; 3]> = (0..16).map(|i| [f64::from(i % 4), f64::from(i / 4), 0.0]).collect();
    check(mesh(&points, &[&[0, 2, 6, 5, 9, 8]]), 2, 1, 6);
    let wings = mesh(&cube().positions, &[&[0, 1, 2], &[1, 0, 4], &[1, 0, 7]]);
    check(wings, 5, 2, 7);
    let squares: Vec<Vec<u32>> = [0, 1, 2, 4, 6, 8, 9, 10].map(|v| vec![v, v + 1, v + 5, v + 4]).to_vec();
    let squares: Vec<&[u32]> = squares.iter().map(Vec::as_slice).collect();
    check(mesh(&points, &squares), 10, 2, 16);
    written.verify();
}

#[test]
fn transforms_are_applied_and_mirrors_keep_the_outside_outside() {
    let mut scene = scene_of(cube());
    let node = scene.roots[0];
    let group = scene
        .nodes
        .push(Node { transform: Transform::translation([10.0, 0.0, 0.0]), ..Node::new("g", Content::Group) });
    scene.nodes[group].children.push(node);
    scene.roots = vec![group];
    scene.nodes[node].transform =
        Transform::Trs { translation: [0.0; 3], rotation: [0.0, 0.0, 0.0, 1.0], scale: [-2.0, 1.0, 1.0] };
    let export = from_scene(&scene, &ExportOptions::default()).unwrap();
    let again = import(&export.document);
    let mesh = &again.meshes.items()[0];
    assert!(mesh.positions.contains(&[8.0, 0.0, 0.0]) && mesh.positions.contains(&[10.0, 1.0, 1.0]));
    let outside = (0..6).all(|face| {
        let centre = mesh.faces.get(face).unwrap().iter().map(|&v| mesh.positions[v as usize]);
        let [x, y, z] = centre.fold([0.0; 3], |s, p| [s[0] + p[0] / 4.0, s[1] + p[1] / 4.0, s[2] + p[2] / 4.0]);
        let normal = mesh.face_normal(face).unwrap();
        (x - 9.0) * normal[0] + (y - 0.5) * normal[1] + (z - 0.5) * normal[2] > 0.0
    });
    assert!(outside && export.losses.iter().any(|loss| loss.text.contains("transform")));
}

#[test]
fn scenes_of_every_construct_please_the_program() {
    let mut written = Written::new("scenes");
    let mut runner = TestRunner::deterministic();
    for _ in 0..60 {
        let scene = scenes::scene().new_tree(&mut runner).unwrap().current();
        written.add(&from_scene(&scene, &ExportOptions::default()).unwrap().document);
    }
    written.verify();
}

/// What the program does not let anyone select, it cannot save as selected.
#[test]
fn sets_hold_only_what_can_be_selected() {
    use mapwright_scene::{Elements, NamedSet};
    let mut written = Written::new("sets");
    let set = |scene: &mut Scene, elements: Elements| {
        let members = vec![(scene.roots[0], elements)];
        scene.sets = vec![NamedSet { members, ..NamedSet::default() }];
    };
    let mut check = |document: &Document, losses: &mapwright_scene::Losses, left: &[i64]| {
        let selections = document.model().unwrap().selections();
        let ids: Vec<i64> = selections.iter().flat_map(|s| &s.members).flat_map(|(_, ids)| ids.clone()).collect();
        assert_eq!(ids, left);
        assert!(losses.iter().any(|loss| loss.text.contains("1 elements of the selection")), "{losses:?}");
        let errors: Vec<_> =
            document.validate().into_iter().filter(|f| f.severity == mapwright_io::Severity::Error).collect();
        assert!(errors.is_empty(), "{errors:?}");
        written.add(document);
    };
    // A face that is hidden, in a new document and in one that had it before.
    let mut scene = scene_of(torus(24, 12, 24));
    let mut merged = from_scene(&scene, &ExportOptions::default()).unwrap().document;
    let mut changed = import(&merged);
    for scene in [&mut scene, &mut changed] {
        scene.meshes.iter_mut().for_each(|(_, mesh)| mesh.face_flags = vec![FaceFlags::HIDDEN]);
        scene.meshes.iter_mut().for_each(|(_, mesh)| mesh.face_flags.resize(24 * 12, FaceFlags::NONE));
        set(scene, Elements::Faces(vec![0, 1]));
    }
    let export = from_scene(&scene, &ExportOptions::default()).unwrap();
    check(&export.document, &export.losses, &[1]);
    let losses = merge_scene(&mut merged, &changed, &ExportOptions::default()).unwrap();
    check(&merged, &losses, &[1]);
    // Nothing but what is hidden: no selection at all.
    set(&mut scene, Elements::Faces(vec![0]));
    let export = from_scene(&scene, &ExportOptions::default()).unwrap();
    check(&export.document, &export.losses, &[]);
    // A vertex that no face has.
    let mut scene = scene_of(cube());
    scene.meshes.iter_mut().for_each(|(_, mesh)| mesh.positions.push([9.0; 3]));
    set(&mut scene, Elements::Vertices(vec![3, 8]));
    let export = from_scene(&scene, &ExportOptions::default()).unwrap();
    check(&export.document, &export.losses, &[3]);
    written.verify();
}

/// A file has one live selection; the program takes the last.
#[test]
fn of_several_live_selections_the_last_is_kept() {
    use mapwright_scene::{Elements, NamedSet};
    let mut scene = scene_of(cube());
    let node = scene.roots[0];
    let set = |name: &str, members: Vec<Elements>| NamedSet {
        name: name.to_owned(),
        members: members.into_iter().map(|elements| (node, elements)).collect(),
        ..NamedSet::default()
    };
    scene.sets = vec![
        set("", vec![Elements::Node]),
        set("", vec![Elements::Vertices(vec![1]), Elements::Faces(vec![2])]),
        set("group", vec![Elements::Node]),
        set("", vec![Elements::Faces(Vec::new())]),
    ];
    // The last of all selects nothing, so that it is none.
    let export = from_scene(&scene, &ExportOptions::default()).unwrap();
    let left = export.document.model().unwrap().selections();
    let left: Vec<_> = left.iter().map(|s| (s.name.as_ref().map(|n| n.as_str()), s.mode.name())).collect();
    assert_eq!(left, [(Some("group"), "body"), (None, "face")]);
    let told: Vec<_> = export.losses.iter().map(|loss| (loss.path.as_str(), &loss.text[..9])).collect();
    assert_eq!(told, [("sets[0]", "body sele"), ("sets[1]", "vertex se")]);
}

#[test]
fn many_sets_of_a_large_mesh_take_no_time() {
    use mapwright_scene::{Elements, NamedSet};
    let mut scene = scene_of(torus(150, 150, 150));
    let members = vec![(scene.roots[0], Elements::Edges(vec![[0, 1]]))];
    let set = |index: u32| NamedSet { name: index.to_string(), members: members.clone(), ..NamedSet::default() };
    scene.sets = (0..40_000).map(set).collect();
    let start = std::time::Instant::now();
    let export = from_scene(&scene, &ExportOptions::default()).unwrap();
    assert!(start.elapsed().as_secs() < 5, "{:?}", start.elapsed());
    assert!(export.losses.is_empty(), "{:?}", export.losses.iter().next());
}

#[test]
fn groups_in_groups_become_folders_of_bounded_names() {
    let mut scene = Scene::default();
    let mut group = None;
    for depth in 0..20_000 {
        let mesh = scene.meshes.push(cube());
        group = Some(scene.add_node(group, Node::new(format!("g{depth}"), Content::Group)));
        if depth % 200 == 1 {
            scene.add_node(group, Node::new("it", Content::Mesh(mesh)));
        }
    }
    let export = from_scene(&scene, &ExportOptions::default()).unwrap();
    let folders: Vec<String> = export.document.model().unwrap().objects().filter_map(|(_, o)| o.folder()).collect();
    assert_eq!((folders.len(), folders[0].as_str()), (100, "g0/g1"));
    assert!(folders[99].ends_with("/g19800/g19801") && folders.iter().all(|folder| folder.len() <= 255));
    let lost = export.losses.iter().filter(|loss| loss.text.contains("outer groups")).count();
    assert_eq!(lost, 100);
}

#[test]
fn a_scene_that_contradicts_itself_is_refused() {
    let mut scene = scene_of(cube());
    scene.meshes[mapwright_scene::Id::new(0)].faces.push(&[0, 1, 99]);
    let error = from_scene(&scene, &ExportOptions::default()).unwrap_err();
    assert!(error.to_string().contains("meshes[0].faces"), "{error}");
}

/// Faces with their vertices, texture coordinates and colours as an independent reader prints them, bit for bit. The
/// variable `MAPWRIGHT_WINGS_DUMP` names it: `dump --full FILE` prints lines `face N Material Flags Corner…`.
#[test]
fn an_independent_reader_finds_the_same_corners() {
    let Some(reader) = std::env::var_os("MAPWRIGHT_WINGS_DUMP") else {
        eprintln!("SKIPPED: MAPWRIGHT_WINGS_DUMP does not name an independent reader");
        return;
    };
    let hex = |bytes: &[u8]| bytes.iter().map(|byte| format!("{byte:02x}")).collect::<String>();
    let (mut files, mut count) = (0, 0_usize);
    for file in corpus("") {
        let Ok(document) = Document::from_bytes(&std::fs::read(&file).unwrap()) else { continue };
        let probe = file.components().any(|part| part.as_os_str() == "probes");
        if probe || document.model().unwrap().version != 2 || file.ends_with("torus_100k.wings") {
            continue;
        }
        let output = Command::new(&reader).args(["dump", "--full"]).arg(&file).output().unwrap();
        let text = String::from_utf8_lossy(&output.stdout);
        let mut objects: Vec<Vec<&str>> = Vec::new();
        for line in text.lines().map(str::trim_start) {
            if line.starts_with("object ") {
                objects.push(Vec::new());
            } else if let (true, Some(faces)) = (line.starts_with("face "), objects.last_mut()) {
                faces.push(line);
            }
        }
        let scene = import(&document);
        let mut meshes: Vec<(usize, Mesh)> = Vec::new();
        for visit in scene.walk() {
            if let (Content::Mesh(mesh), Some(key)) = (&visit.node.content, &visit.node.key) {
                let number = key.trim_start_matches("shapes[").trim_end_matches(']').parse().unwrap();
                meshes.push((number, mesh_value(&scene.meshes[*mesh])));
            }
        }
        assert_eq!(meshes.len(), objects.len(), "{}", file.display());
        for (number, mesh) in meshes {
            let colored = !mesh.color_sets.is_empty();
            let mut ours: Vec<String> = Vec::new();
            for face in 0..mesh.faces.len() {
                let corner = |corner: usize| {
                    let mut text = mesh.faces.corners()[corner].to_string();
                    if let Some([u, v]) = mesh.uv_sets.first().and_then(|set| set.corners[corner]) {
                        text += &format!("/{},{}", hex(&u.to_be_bytes()), hex(&v.to_be_bytes()));
                    }
                    if let Some([r, g, b, _]) = mesh.color_sets.first().and_then(|set| set.corners[corner]) {
                        text += &format!("#{}", [r, g, b].map(|c| hex(&c.to_be_bytes())).join(","));
                    }
                    text
                };
                ours.push(mesh.faces.corner_range(face).unwrap().map(corner).collect::<Vec<_>>().join(" "));
            }
            let white = |corner: &str| match colored && !corner.contains('#') {
                true => format!("{corner}#3f800000,3f800000,3f800000"),
                false => corner.to_owned(),
            };
            // Names of materials can hold blanks: corners are what begins with a digit behind the flags.
            let theirs = |line: &&str| {
                let words: Vec<&str> = line.split(' ').collect();
                let corners = words.iter().rposition(|word| !word.starts_with(|c: char| c.is_ascii_digit())).unwrap();
                words[corners + 1..].iter().map(|corner| white(corner)).collect::<Vec<_>>().join(" ")
            };
            let theirs: Vec<String> = objects[number].iter().map(theirs).collect();
            assert_eq!(ours, theirs, "{} object {number}", file.display());
            count += ours.len();
        }
        files += 1;
    }
    eprintln!("{count} faces of {files} files agree");
}

/// A document of one material and a cube.
fn with_material(opengl: &[(&str, &[f64])], merge: impl FnOnce(&mut mapwright_wings::Model)) -> Scene {
    let mut model = from_scene(&scene_of(cube()), &ExportOptions::default()).unwrap().document.model().unwrap();
    let mut material = mapwright_wings::Material::new("m");
    for (key, values) in opengl {
        match **values {
            [value] => material.set_number(key, value).unwrap(),
            [r, g, b, a] => material.set_color(key, [r, g, b, a]).unwrap(),
            _ => unreachable!(),
        }
    }
    model.materials.push(mapwright_wings::MaterialEntry::Material(material));
    merge(&mut model);
    import(&Document::from_model(&model).unwrap())
}

#[test]
fn older_materials_become_physical_ones_as_the_program_makes_them() {
    // No specular colour: 0.1; one along the diffuse colour: 1 − acos(1)·2/π = 1; one across it: 0.
    let metallic = |opengl: &[(&str, &[f64])]| with_material(opengl, |_| ()).materials.items()[0].metallic;
    assert_eq!(metallic(&[]), 0.1);
    let grey: &[f64] = &[0.5, 0.5, 0.5, 1.0];
    assert!((metallic(&[("diffuse", grey), ("specular", &[1.0; 4])]) - 1.0).abs() < 1e-7);
    assert!(metallic(&[("diffuse", &[1.0, 0.0, 0.0, 1.0]), ("specular", &[0.0, 1.0, 0.0, 1.0])]).abs() < 1e-12);
    // cos = 0.3, so 1 − acos(0.3)·2/π.
    let third = metallic(&[("diffuse", &[1.0, 0.0, 0.0, 1.0]), ("specular", &[0.3, 0.0, 0.0, 1.0])]);
    assert!((third - 0.193_973_368_04).abs() < 1e-10, "{third}");
    assert_eq!(metallic(&[("specular", &[1.0; 4]), ("metallic", &[0.25])]), 0.25);

    let scene = with_material(&[("diffuse", &[0.1, 0.2, 0.3, 0.5]), ("shininess", &[0.75])], |_| ());
    let material = &scene.materials.items()[0];
    // A shininess that says no more than the roughness is not kept apart.
    assert_eq!((material.roughness, material.classic), (0.25, None));
    assert_eq!((material.alpha, material.double_sided), (mapwright_scene::AlphaMode::Blend, false));
    assert_eq!((material.base_color, material.emissive), ([0.1, 0.2, 0.3, 0.5], [0.0, 0.0, 0.0, 1.0]));
}

#[test]
fn holes_of_files_before_1_1_11_are_holes() {
    let scene = with_material(&[], |model| {
        model.materials.push(mapwright_wings::MaterialEntry::Material(mapwright_wings::Material::new("_hole_")));
        if let mapwright_wings::Shape::Object(object) = &mut model.shapes[0] {
            object.mesh.faces[3] = Some("_hole_".into());
            object.mesh.faces[4] = Some("m".into());
        }
    });
    let mesh = &scene.meshes.items()[0];
    assert!(mesh.flags(3).contains(FaceFlags::HOLE) && mesh.flags(4).is_empty());
    assert_eq!((scene.materials.len(), mesh.face_material(3), mesh.surface().faces.len()), (1, None, 5));
    let export = from_scene(&scene, &ExportOptions::default()).unwrap();
    let (_, object) = export.document.model().unwrap().objects().next().map(|(i, o)| (i, o.clone())).unwrap();
    assert_eq!((object.hidden_faces(), object.holes()), (1, vec![0]));
}

/// Two cubes in one object, of which a face has the number of a face of the other: the program sees the first ring of it.
#[test]
fn a_face_of_two_rings_is_the_one_that_the_program_sees() {
    let mut both = cube();
    both.positions.extend(cube().positions.iter().map(|[x, y, z]| [x + 5.0, *y, *z]));
    let second: Vec<Vec<u32>> = both.faces.iter().map(|face| face.iter().map(|vertex| vertex + 8).collect()).collect();
    second.iter().for_each(|face| both.faces.push(face));
    let mut model = from_scene(&scene_of(both), &ExportOptions::default()).unwrap().document.model().unwrap();
    let mapwright_wings::Shape::Object(object) = &mut model.shapes[0] else { unreachable!() };
    for edge in &mut object.mesh.edges {
        for wing in [&mut edge.left, &mut edge.right] {
            wing.face = if wing.face == 11 { 0 } else { wing.face };
        }
    }
    object.mesh.faces.truncate(11);
    assert!(object.mesh.rings().is_err());
    let mut written = Written::new("rings");
    let mut document = Document::from_model(&model).unwrap();
    written.add(&document);
    let read = to_scene(&document, &ImportOptions::default()).unwrap();
    let mesh = &read.scene.meshes.items()[0];
    assert_eq!((mesh.faces.len(), mesh.faces.get(0).unwrap()), (11, cube().faces.get(0).unwrap()));
    assert!(read.losses.iter().any(|loss| loss.text.starts_with("edges of 1 faces")), "{:?}", read.losses);
    // A change elsewhere leaves the second ring as it is; a new document has a hole there.
    let mut moved = read.scene.clone();
    moved.meshes.iter_mut().for_each(|(_, mesh)| mesh.positions[0] = [-1.0; 3]);
    merge_scene(&mut document, &moved, &ExportOptions::default()).unwrap();
    let mapwright_wings::Shape::Object(object) = &mut model.shapes[0] else { unreachable!() };
    object.mesh.vertices[0] = [-1.0; 3];
    assert_eq!(document.model().unwrap().shapes, model.shapes);
    let export = from_scene(&read.scene, &ExportOptions::default()).unwrap();
    assert_eq!(import(&export.document).meshes.items()[0].faces.len(), 12);
    written.add(&export.document);
    written.verify();
}

/// What goes when parts are written anew is told.
#[test]
fn a_merge_tells_what_it_leaves_out() {
    use mapwright_scene::{Elements, NamedSet};
    use mapwright_wings::{Extra, ExtraOf, Image, ImageSource, ObjectState, SelectMode, Selection, Shape, etf};
    let build = |make: &dyn Fn(&mut etf::Builder)| {
        let mut term = etf::Builder::new(etf::Profile::Otp17);
        make(&mut term);
        term.finish().unwrap()
    };
    let odd = || {
        build(&|term| {
            term.tuple(2);
            term.atom("odd");
            term.atom("thing");
        })
    };
    let mut model = from_scene(&scene_of(cube()), &ExportOptions::default()).unwrap().document.model().unwrap();
    let Shape::Object(object) = &mut model.shapes[0] else { unreachable!() };
    object.mesh.extras.push(Extra { of: ExtraOf::Face, index: 1, term: odd() });
    object.set_state(&ObjectState::HiddenSelected { mode: SelectMode::Face, elements: vec![0] }).unwrap();
    let mut image = Image::new(1, "picture", &ImageSource::External { path: "a.png".into() }).unwrap();
    image.props.items.push(odd());
    model.set_images(&[image]).unwrap();
    let odd_list = |first: Option<etf::Term<'_>>| {
        build(&|term| {
            term.begin_list();
            first.and_then(etf::Term::as_list).and_then(etf::List::terms).into_iter().flatten().for_each(|old| {
                term.recode(old);
            });
            term.atom("odd");
            term.end_list();
        })
    };
    let images = odd_list(model.props.get("images"));
    model.props.set("images", &images).unwrap();
    model.props.set("lights", &odd_list(None)).unwrap();
    model.props.set("views", &odd_list(None)).unwrap();
    let mode = SelectMode::Other("odd".into());
    model.add_selection(&Selection { name: Some("s".into()), mode, members: vec![(0, vec![0])] }).unwrap();
    let mut document = Document::from_model(&model).unwrap();
    let read = to_scene(&document, &ImportOptions::default()).unwrap();
    let mut scene = read.scene;
    let node = scene.roots[0];
    scene.meshes.iter_mut().for_each(|(_, mesh)| mesh.face_flags = vec![FaceFlags::HIDDEN; 2]);
    scene.meshes.iter_mut().for_each(|(_, mesh)| mesh.face_flags.resize(6, FaceFlags::NONE));
    scene.images.iter_mut().for_each(|(_, image)| image.name.push('x'));
    let light = scene.lights.push(mapwright_scene::Light::default());
    scene.add_node(None, Node::new("light", Content::Light(light)));
    let camera = scene.cameras.push(mapwright_scene::Camera::default());
    scene.add_node(None, Node::new("camera", Content::Camera(camera)));
    scene.sets.push(NamedSet { members: vec![(node, Elements::Node)], ..NamedSet::default() });
    let losses = merge_scene(&mut document, &scene, &ExportOptions::default()).unwrap();
    for losses in [&read.losses, &losses] {
        for (path, text) in [
            ("", "1 unknown terms in entries of the mesh"),
            ("", "the selection that the object had when it was hidden"),
            ("images[0]", "unknown properties odd"),
            ("props.images", "1 entries"),
            ("props.lights", "1 entries"),
            ("props.views", "1 entries"),
            ("selections", "selection"),
        ] {
            let told = losses.iter().any(|loss| loss.path.starts_with(path) && loss.text.contains(text));
            assert!(told, "{path} {text}: {losses:#?}");
        }
    }
}

#[test]
fn a_mirror_can_be_frozen() {
    let mut mesh = cube();
    mesh.mirror = Some(5);
    let document = from_scene(&scene_of(mesh), &ExportOptions::default()).unwrap().document;
    assert_eq!(import(&document).meshes.items()[0].mirror, Some(5));
    let options = ImportOptions::default().with_mirror(Mirror::Freeze);
    let frozen = to_scene(&document, &options).unwrap().scene;
    assert_eq!((frozen.meshes.items()[0].mirror, frozen.meshes.items()[0].faces.len()), (None, 10));
}

#[test]
fn one_moved_vertex_changes_its_bytes_only() {
    let mut scene = scene_of(cube());
    scene.materials.push(mapwright_scene::Material::new("unused"));
    let mut options = ExportOptions::default();
    options.encode = options.encode.with_packing(mapwright_wings::etf::Packing::Plain);
    let mut document = from_scene(&scene, &options).unwrap().document;
    let before = document.to_bytes().unwrap();
    let mut scene = import(&document);
    let (_, mesh) = scene.meshes.iter_mut().next().unwrap();
    mesh.positions[7] = [2.0, 1.0, 1.0];
    let losses = merge_scene(&mut document, &scene, &options).unwrap();
    let after = document.to_bytes().unwrap();
    // 1.0 is 3F F0 …, 2.0 is 40 00 ….
    assert_eq!((before.len(), losses.len()), (after.len(), 0));
    assert_eq!(before.iter().zip(&after).filter(|(a, b)| a != b).count(), 2);
}

#[test]
fn names_of_materials_become_atoms_of_their_own() {
    let mut scene = scene_of(cube());
    for name in
        ["red", "red", "red2", "", "dark red", "dark red 7", "dark red", "_hole_", &"x".repeat(300), &"x".repeat(300)]
    {
        scene.materials.push(mapwright_scene::Material::new(name));
    }
    let export = from_scene(&scene, &ExportOptions::default()).unwrap();
    let model = export.document.model().unwrap();
    let names: Vec<String> = model.materials().map(|material| material.name.to_string()).collect();
    assert_eq!(names[..8], ["red", "red2", "red3", "material", "dark red", "dark red 7", "dark red 2", "_hole_2"]);
    assert!(names[8] == "x".repeat(255) && names[9].len() < 255 && names[9].ends_with('2'));
}
