//! Maps that lie.

use mapwright_interchange::{Category, ErrorKind, tiled};
use mapwright_scene::{NoFiles, Scene, Severity, TileSet};
use mapwright_testkit::mutate::{Rng, mutant};
use proptest::{
    strategy::{Strategy, ValueTree},
    test_runner::TestRunner,
};
use tiled::ImportOptions;

use super::{
    laws::all_options,
    levels::write,
    read::{map, read},
    strategies,
};

#[test]
fn entities_are_not_expanded() {
    let bomb = "<!DOCTYPE map [<!ENTITY a \"aaaa\"><!ENTITY b \"&a;&a;&a;&a;\">]>\n<map><properties><property name=\"&b;\"/></properties></map>";
    let error = read(bomb).unwrap_err();
    assert!(error.category() == Category::Malformed && error.position().is_some(), "{error}");
    let error =
        read("<!DOCTYPE map [<!ENTITY a \"aaaa\">]>\n<map><properties><property>&a;</property></properties></map>")
            .unwrap_err();
    assert_eq!(error.to_string(), "the entity \"a\" is not known at line 2, column 28");
}

#[test]
fn deep_nesting_is_rejected() {
    for (open, close) in [
        ("<group>", "</group>"),
        ("<property type=\"class\"><properties>", "</properties></property>"),
        ("<x>", "</x>"),
    ] {
        for depth in [60, 100, 100_000] {
            let text = map(&format!("{}{}", open.repeat(depth), close.repeat(depth)));
            if let Err(error) = read(&text) {
                assert!(error.category() == Category::Limit && error.position().is_some(), "{error}");
            } else {
                assert!(depth == 60 && open != "<group>", "{open}");
            }
        }
    }
    for depth in [50, 100_000] {
        let open = "{\"type\":\"group\",\"layers\":[".repeat(depth);
        let _ = read(&format!("{{\"layers\":[{open}{}]}}", "]}".repeat(depth)));
        let value = "{\"a\":".repeat(depth);
        let _ = read(&format!("{{\"properties\":[{{\"value\":{value}1{}}}]}}", "}".repeat(depth)));
    }
}

#[test]
fn declared_sizes_take_no_memory() {
    let is_limit = |text: &str| {
        let error = read(text).unwrap_err();
        assert!(matches!(error.kind(), ErrorKind::Limit { .. }), "{error}");
        assert!(!error.path().is_empty());
    };
    is_limit(&map("<layer width=\"4294967295\" height=\"4294967295\"><data encoding=\"csv\">0</data></layer>"));
    is_limit(&map("<layer><data encoding=\"csv\"><chunk x=\"-2147483648\" y=\"0\" width=\"1\" height=\"1\">1</chunk>\
         <chunk x=\"2147483647\" y=\"2147483647\" width=\"4294967295\" height=\"1\">1</chunk></data></layer>"));
    is_limit("<map><tileset firstgid=\"1\" tilecount=\"4294967295\"/></map>");
    is_limit("<map><tileset firstgid=\"1\"><tile id=\"4294967295\"/></tileset></map>");
    // As many as a set may have, but too often.
    let sets: String =
        (0..1000).map(|i| format!("<tileset firstgid=\"{}\" tilecount=\"65536\"/>", 1 + i * 65536)).collect();
    is_limit(&format!("<map>{sets}</map>"));
    // Many small items.
    is_limit(&map(&"<a/>".repeat(200_000)));
    let attributes: String = (0..100_000).map(|i| format!(" a{i}=\"\"")).collect();
    is_limit(&map(&format!("<a{attributes}/>")));
    let json = format!("{{\"layers\":[{}{{}}]}}", "{},".repeat(200_000));
    assert_eq!(read(&json).unwrap_err().category(), Category::Limit);
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
    let error = tiled::from_scene(&scene, &NoFiles, &all_options()[0]).unwrap_err();
    assert!(matches!(error.kind(), ErrorKind::Limit { what: "tile sets", .. }), "{error}");
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
            match tiled::to_scene(&damaged, &NoFiles, &ImportOptions::default()) {
                Ok(import) => {
                    let broken =
                        import.scene.validate().into_iter().find(|problem| problem.severity == Severity::Error);
                    assert!(broken.is_none(), "{broken:?}");
                    tiled::from_scene(&import.scene, &NoFiles, &all_options()[1]).unwrap();
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
