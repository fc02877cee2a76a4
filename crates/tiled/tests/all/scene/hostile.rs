//! Maps that lie.

use super::{from_scene, to_scene};
use mapwright_scene::NoFiles;
use mapwright_scene::{Scene, Severity, TileSet};
use mapwright_testkit::mutate::{Rng, mutant};
use mapwright_tiled::WriteErrorKind;
use mapwright_tiled::io::Category;
use proptest::{
    strategy::{Strategy, ValueTree},
    test_runner::TestRunner,
};

use super::{
    laws::all_options,
    levels::write,
    read::{map, read},
    strategies,
};

#[test]
fn deep_groups_are_rejected() {
    for depth in [47, 48, 60, 100] {
        let text = map(&format!("{}{}", "<group>".repeat(depth), "</group>".repeat(depth)));
        match read(&text) {
            Ok(_) => assert_eq!(depth, 47),
            Err(error) => assert_eq!(error.category(), Category::Limit, "{error}"),
        }
    }
    // Deeper values are text.
    let depth = 100;
    let value = format!("{}1{}", "{\"a\":".repeat(depth), "}".repeat(depth));
    let text = format!("{{\"type\":\"map\",\"properties\":[{{\"name\":\"v\",\"type\":\"class\",\"value\":{value}}}]}}");
    assert_eq!(read(&text).unwrap().scene.validate(), []);
}

#[test]
fn declared_sizes_take_no_memory() {
    let is_limit = |text: &str| {
        let error = read(text).unwrap_err();
        assert_eq!(error.category(), Category::Limit, "{error}");
        assert!(!error.path().is_empty());
    };
    is_limit(&map("<layer width=\"2147483647\" height=\"2147483647\"><data encoding=\"csv\">0</data></layer>"));
    is_limit(&map("<layer width=\"2147483647\" height=\"2147483647\"/>"));
    is_limit(&map("<layer><data encoding=\"csv\"><chunk x=\"-2147483648\" y=\"0\" width=\"1\" height=\"1\">1</chunk>\
         <chunk x=\"2147483647\" y=\"2147483647\" width=\"2147483647\" height=\"1\">1</chunk></data></layer>"));
    is_limit("<map><tileset firstgid=\"1\" tilecount=\"2147483647\"/></map>");
    is_limit("<map><tileset firstgid=\"1\"><tile id=\"2147483646\"/></tileset></map>");
    // As many as a set may have, but too often.
    let sets: String =
        (0..1000).map(|i| format!("<tileset firstgid=\"{}\" tilecount=\"65536\"/>", 1 + i * 65536)).collect();
    is_limit(&format!("<map>{sets}</map>"));
    // Tiles of missing sets exist only if they are shown.
    let sets: String =
        (0..3000).map(|i| format!("<tileset firstgid=\"{}\" source=\"a.tsx\"/>", 1 + i * 65536)).collect();
    let import = read(&format!("<map>{sets}</map>")).unwrap();
    assert!(import.scene.tile_sets.items().iter().all(|set| set.tiles.is_empty()));
    // Many tilesets and templates in other files.
    let sets: String = (0..5000).map(|i| format!("<tileset firstgid=\"{}\" source=\"{i}.tsx\"/>", 1 + i)).collect();
    assert_eq!(read(&format!("<map>{sets}</map>")).unwrap_err().category(), Category::Limit);
    // Missing cells of a layer are not allocated.
    let error = read(&map(
        "<layer width=\"8000\" height=\"8000\"><data encoding=\"base64\" compression=\"zlib\"></data></layer>",
    ));
    assert_eq!(error.unwrap_err().category(), Category::Malformed);
}

#[test]
fn sets_without_end_create_bounded_files() {
    let mut scene = Scene::default();
    for _ in 0..513 {
        scene.tile_sets.push(TileSet::default());
    }
    let error = from_scene(&scene, &NoFiles, &all_options()[0]).unwrap_err();
    assert!(matches!(error.kind(), WriteErrorKind::SceneLimit { what: "tile sets", .. }), "{error}");
}

#[test]
fn damaged_maps_are_read_or_rejected() {
    let mut runner = TestRunner::deterministic();
    let mut rng = Rng::new(7);
    let mut counts = [0, 0];
    for round in 0..24 {
        let scene = strategies::scene().new_tree(&mut runner).unwrap().current();
        let files = write(&scene, &all_options()[round % 4]);
        for _ in 0..60 {
            let damaged = mutant(&files.main, &[], &mut rng);
            match to_scene(&damaged, &NoFiles) {
                Ok(import) => {
                    let broken =
                        import.scene.validate().into_iter().find(|problem| problem.severity == Severity::Error);
                    assert!(broken.is_none(), "{broken:?}");
                    from_scene(&import.scene, &NoFiles, &all_options()[1]).unwrap();
                    counts[0] += 1;
                }
                Err(error) => {
                    assert!(!error.to_string().is_empty());
                    counts[1] += 1;
                }
            }
        }
    }
    assert!(counts.iter().all(|count| *count > 50), "{counts:?}");
}
