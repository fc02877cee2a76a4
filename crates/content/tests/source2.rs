//! Prefabs of real maps.
#![cfg(feature = "vmap")]

use std::fs;
use std::path::Path;

use mapwright_content::resolve::{Outcome, ReferenceKind, ResolveOptions, Source2, resolve};
use mapwright_content::{ContentSource, content_roots};
use mapwright_scene::{Content, Scene};

fn write(root: &Path, path: &str, bytes: impl AsRef<[u8]>) {
    let path = root.join(path);
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(path, bytes).unwrap();
}

/// Returns the number of triangles of all meshes, also of those that Hammer hides.
fn triangles(scene: &Scene) -> usize {
    let meshes = scene.walk().filter_map(|visit| match visit.node.content {
        Content::Mesh(mesh) => scene.meshes.get(mesh),
        _ => None,
    });
    meshes.map(|mesh| mesh.faces.iter().map(|face| face.len().saturating_sub(2)).sum::<usize>()).sum()
}

/// Real maps at their places: a map with its prefabs has the triangles of all of them.
#[test]
fn prefabs_of_real_maps_add_their_triangles() {
    let Some(corpus) = mapwright_testkit::corpus("vmap") else { return };
    let folder = tempfile::tempdir().unwrap();
    let manifest = fs::read_to_string(corpus.join("MANIFEST.tsv")).unwrap();
    for line in manifest.lines().skip(1) {
        let fields: Vec<&str> = line.split('\t').collect();
        let (file, origin) = (fields[0], fields[3]);
        if let Some((repository, path)) =
            origin.split_once(':').filter(|(name, _)| name.starts_with("Facepunch/sbox-hc1@"))
        {
            write(folder.path(), &format!("{}/{path}", &repository[..31]), fs::read(corpus.join(file)).unwrap());
        }
    }
    let root = folder.path().join("Facepunch/sbox-hc1@b506b8ad3b2b");
    let level = root.join("Assets/maps/refinery/refinery.vmap");
    let roots = content_roots(&level);
    assert_eq!(roots, [root.join("Assets").canonicalize().unwrap()]);
    let read = |path: &Path| {
        let map = mapwright_vmap::Document::from_bytes(&fs::read(path).unwrap()).unwrap();
        mapwright_vmap::scene::to_scene(&map, &Default::default()).unwrap().scene
    };
    let mut scene = read(&level);
    let own = triangles(&scene);
    let content = ContentSource::open(&roots).unwrap();
    let report = resolve(&mut scene, &content, &Source2::default(), &ResolveOptions::default());
    let (mut expected, mut found) = (own, 0);
    for reference in report.references.iter().filter(|it| it.kind == ReferenceKind::Prefab) {
        if let Outcome::Found(path) = &reference.outcome {
            found += 1;
            expected += triangles(&read(&roots[0].join(path))) * usize::try_from(reference.uses).unwrap();
        }
    }
    assert_eq!((found, triangles(&scene)), (2, expected));
    // An independent program counts as many in the three files.
    assert_eq!((own, expected), (86, 86 + 4241));
    // Each missing path is reported once.
    let mut paths: Vec<&str> = report.references.iter().map(|it| &*it.path).collect();
    let count = paths.len();
    paths.sort_unstable();
    paths.dedup();
    assert_eq!(paths.len(), count);
}
