//! Maps resolved here, compared with those of the editor, and maps recovered from resolved ones.

use std::path::{Path, PathBuf};

use mapwright_testkit::{corpus, files_below, hexdiff};
use mapwright_wmp::{Dialect, Document, EntityKind, Face, MemberKind, Shape};

fn read(path: &Path) -> Option<Document> {
    Document::from_bytes(&std::fs::read(path).expect("a file of the corpus")).ok()
}

/// Writes and reads a map.
fn reread(map: &Document) -> Document {
    Document::from_bytes(&map.to_bytes().expect("it can be written")).expect("and be read again")
}

/// Returns the corpus maps that have a resolved map of the editor.
fn pairs() -> Option<Vec<(PathBuf, PathBuf)>> {
    let folder = corpus("wmp")?;
    let manifest = std::fs::read_to_string(folder.join("MANIFEST.tsv")).expect("the corpus has a list");
    let of = |line: &str| {
        let mut columns = line.split('\t');
        let (name, relation) = (columns.next()?, columns.nth(7)?);
        let made = relation.split("; ").filter_map(|relation| relation.strip_prefix("agrees:"));
        Some(made.map(|made| (folder.join(name), folder.join(made))).collect::<Vec<_>>())
    };
    Some(manifest.lines().skip(1).filter_map(of).flatten().collect())
}

#[test]
#[ignore = "needs the corpus"]
fn resolved_corpus_maps_equal_those_of_the_editor() {
    let Some(pairs) = pairs() else { return };
    let (mut blocks, mut places, mut vectors, mut edges, mut close) = ([0; 2], [0; 2], [0; 2], [0; 2], 0);
    let count = |counts: &mut [usize; 2], same: bool| counts[usize::from(same)] += 1;
    for (file, other) in pairs {
        let (Some(map), Some(theirs)) = (read(&file), read(&other)) else { panic!("{file:?} or {other:?}") };
        if theirs.dialect != Dialect::Resolved || map.dialect == Dialect::Resolved {
            continue;
        }
        let made = map.convert(Dialect::Resolved).document;
        let ours = reread(&made);
        assert_eq!((ours.blocks.len(), ours.entities.len()), (theirs.blocks.len(), theirs.entities.len()), "{file:?}");
        for (a, b) in ours.blocks.iter().zip(&theirs.blocks) {
            let (Shape::Mesh(a), Shape::Mesh(b)) = (&a.shape, &b.shape) else { panic!("meshes") };
            count(&mut blocks, a.vertices == b.vertices);
            for (a, b) in a.faces.iter().zip(&b.faces) {
                assert_eq!(a.corners, b.corners, "{file:?}");
                let numbers = |face: &Face| face.vectors.as_ref().expect("resolved maps have them").concat();
                let (a, b) = (numbers(a), numbers(b));
                count(&mut vectors, a.iter().map(|a| a.to_bits()).eq(b.iter().map(|b| b.to_bits())));
                close += usize::from(a.iter().zip(&b).all(|(a, b)| (a - b).abs() <= 1e-4 * (1.0 + b.abs())));
            }
        }
        for (a, b) in ours.objects.iter().zip(&theirs.objects).skip(1) {
            count(&mut places, a.position == b.position);
        }
        for (a, b) in ours.entities.iter().zip(&theirs.entities) {
            match (&a.kind, &b.kind) {
                (EntityKind::Light(a), EntityKind::Light(b)) => assert_eq!(a.colour, b.colour, "{file:?}"),
                (EntityKind::Path(a), EntityKind::Path(b)) => {
                    let lengths = a.edges.iter().zip(&b.edges);
                    let (same, all) = (lengths.clone().filter(|(a, b)| a == b).count(), lengths.count());
                    edges = [edges[0] + all - same, edges[1] + same];
                    count(&mut places, a.nodes.iter().map(|node| node.point).eq(b.nodes.iter().map(|node| node.point)));
                }
                (EntityKind::Model(a), EntityKind::Model(b)) => {
                    assert_eq!((&a.tail, a.albedo, a.flags), (&b.tail, b.albedo, b.flags), "{file:?} {}", a.name);
                    assert_eq!((a.scale, &a.action, &a.file), (b.scale, &b.action, &b.file), "{file:?} {}", a.name);
                }
                (a, b) => assert_eq!(std::mem::discriminant(a), std::mem::discriminant(b), "{file:?}"),
            }
        }
    }
    let counts = format!("{blocks:?} blocks, {places:?} places, {edges:?} edges, {vectors:?} vectors, {close} close");
    // Counts of differences and of equal values, down to the last printed digit.
    assert!(blocks[0] == 0 && blocks[1] > 500, "{counts}");
    // A rotated path differs in one digit.
    assert!(places[0] <= 1 && places[1] > 1000, "{counts}");
    assert!(edges[0] == 0 && edges[1] > 500, "{counts}");
    // Textures that were missing when the editor resolved the map became the default texture.
    assert!(vectors[1] > vectors[0] * 30 && close > vectors[1], "{counts}");
}

#[test]
#[ignore = "needs the corpus"]
fn corpus_maps_recovered_from_resolved_maps_resolve_to_them() {
    let Some(folder) = corpus("wmp") else { return };
    let mut maps = 0;
    for file in files_below(&folder) {
        let Some(map) = read(&file).filter(|map| map.dialect == Dialect::Resolved) else { continue };
        maps += 1;
        let recovered = map.convert(Dialect::A7).document;
        let name = file.display();
        assert_eq!(recovered.entities.len(), map.entities.len(), "{name}");
        let (a, b) = (map.resolve(), reread(&recovered).resolve());
        assert!(b.gaps.is_empty(), "{name}: {:?}", b.gaps);
        for (a, b) in a.entities.iter().zip(&b.entities) {
            let pairs = a.rotation.concat().into_iter().zip(b.rotation.concat());
            let turns = map.entities[a.entity].member_kind();
            let turned = matches!(turns, MemberKind::Model | MemberKind::Start);
            assert!(!turned || pairs.into_iter().all(|(a, b)| (a - b).abs() < 1e-5), "{name} {a:?} {b:?}");
            assert_eq!((&a.nodes, a.scale), (&b.nodes, b.scale), "{name}");
            assert!(a.position == b.position || !a.nodes.is_empty(), "{name}");
        }
        let again = recovered.convert(Dialect::Resolved).document;
        let [a, b] = [&map, &again].map(|map| reread(map).resolve());
        for (a, b) in a.blocks.iter().zip(&b.blocks) {
            assert_eq!((&a.vertices, &a.faces), (&b.vertices, &b.faces), "{name}");
        }
        // Angles of 360 degrees become 0 once.
        let text = again.to_bytes().expect("it can be written");
        let third = again.convert(Dialect::A7).document.convert(Dialect::Resolved).document;
        let third = third.to_bytes().expect("it can be written");
        assert!(third == text, "{name}: {:?}", hexdiff(&text, &third));
    }
    assert!(maps > 30, "{maps}");
}
