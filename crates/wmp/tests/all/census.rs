//! Statistics of maps.

use crate::maps;

use mapwright_wmp::{Dialect, FileKind, MemberKind};

use maps::{real, village};

#[test]
fn everything_is_counted() {
    let census = village(Dialect::A7).census();
    assert_eq!((census.blocks, census.faces, census.vertices, census.locked, census.meshes), (3, 18, 24, 1, 0));
    assert_eq!((census.groups, census.depth), (2, 3));
    assert_eq!(census.entities[..2], [(MemberKind::Level, 1), (MemberKind::Start, 1)]);
    assert_eq!(
        census.textures.iter().map(|(name, count)| (name.to_string(), *count)).collect::<Vec<_>>(),
        [("brick1".to_owned(), 6), ("brick2".to_owned(), 6), ("wood".to_owned(), 6)]
    );
    assert_eq!(census.files[0], (FileKind::Model, "guard.mdl".into(), 1));
    assert_eq!(census.extent, Some([[-200.0, -50.0, -0.0], [200.0, 308.0, 140.0]]));
    let text = census.to_string();
    assert!(
        text.starts_with("710 map of WMPIO V 1.30: 3 blocks with 18 faces, 1 locked, 2 groups, depth 3\n1 level\n"),
        "{text}"
    );
    assert!(text.ends_with("texture file C:\\games\\wads\\standard.wad\ntexture file local.wad\n"), "{text}");
}

#[test]
#[ignore = "needs the corpus"]
fn corpus_maps_match_the_manifest() {
    for map in real() {
        let census = map.map.census();
        let count =
            |word: &str| census.entities.iter().find(|(kind, _)| kind.word() == word).map_or(0, |(_, count)| *count);
        let mut checked = 0;
        for feature in map.features.split(' ') {
            let Some((name, value)) = feature.split_once('=') else { continue };
            let found = match name {
                "block" => census.blocks,
                "locked" => census.locked,
                "concave" => census.meshes,
                "wads" => census.wads.len(),
                "folders" => census.folders.len(),
                "object" if map.map.dialect != Dialect::Resolved => map.map.objects.len(),
                "depth" => census.depth,
                "level" | "start" | "light" | "sound" | "model" | "path" | "region" => count(name),
                _ => continue,
            };
            assert_eq!(found.to_string(), value, "{}: {name}", map.name);
            checked += 1;
        }
        assert!(checked > 0, "{}", map.name);
    }
}
