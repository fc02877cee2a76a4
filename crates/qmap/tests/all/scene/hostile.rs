//! Maps that lie.

use mapwright_qmap::io::Category;
use mapwright_qmap::scene::{ExportOptions, ImportOptions, from_scene};
use mapwright_qmap::{Document, ReadOptions, scene};
use mapwright_testkit::mutate::{Rng, mutant};

use super::read::{BOX, import};
use super::to_scene;

#[test]
fn brushes_and_patches_are_limited() {
    let face = "( 0 0 0 ) ( 0 1 0 ) ( 0 0 1 ) a 0 0 0 1 1\n";
    let losses = import(&format!("{{{{\n{}}}}}", face.repeat(2000))).unwrap().losses;
    assert!(losses.iter().any(|loss| loss.text.contains("a brush of 2000 faces: at most 1024")), "{losses:?}");
    let losses = import("{{\n( 0 0 1e10 ) ( 0 1 0 ) ( 0 0 1 ) a 0 0 0 1 1 } }").unwrap().losses;
    let texts: Vec<String> = losses.iter().map(ToString::to_string).collect();
    assert_eq!(texts, ["dropped: entities[0].primitives[0]: a brush with numbers beyond ±1e9"]);
    let row = format!("( {})\n", "( 0 0 0 0 0 ) ".repeat(99));
    let patch = format!("{{ patchDef2 {{ a ( 99 99 0 0 0 ) ( {}) }} }}\n", row.repeat(99));
    let document = Document::from_vec(format!("{{ {} }}", patch.repeat(3)).into_bytes()).unwrap();
    let options = ImportOptions::default().with_patch_segments(64).with_max_patch_points(25_000_000);
    let error = scene::to_scene(&document, &options).unwrap_err();
    assert_eq!((error.category(), &*error.path().to_string()), (Category::Limit, "entities[0].primitives[2]"));
    assert!(scene::to_scene(&document, &ImportOptions::default()).is_ok());
}

#[test]
fn long_and_deep_texts_take_linear_time() {
    let start = std::time::Instant::now();
    let options = ReadOptions::default().with_max_text(64 << 20);
    for text in [
        format!("{{\"{}\" \"\"}}", "a".repeat(10 << 20)),
        format!("{{{{ ( 0 0 0 ) ( 0 1 0 ) ( 0 0 1 ) {} 0 0 0 1 1 }}}}", "(".repeat(10 << 20)),
        format!("{{{{ ( 0 0 0 ) ( 0 1 0 ) ( 0 0 1 ) a 0 0 0 1 1 {}}}}}", "1 ".repeat(1 << 20)),
        format!("{{}} {}", "//\n".repeat(3 << 20)),
        "{}".repeat(500_000),
    ] {
        let document = Document::from_vec_with(text.into_bytes(), &options).unwrap();
        let import = scene::to_scene(&document, &ImportOptions::default()).unwrap();
        let _ = from_scene(&import.scene, &ExportOptions::default()).unwrap();
    }
    assert!(start.elapsed().as_secs() < 60, "{:?}", start.elapsed());
}

#[test]
fn mutants_do_no_harm() {
    let valve = "{\"mapversion\" \"220\"{\n(0 0 0)(0 1 0)(0 0 1)a [ 0 0.5 -2 3 ] [ 1 0 0 -4 ] 30 0.5 2 8 0 1.5 7\n}\n}\n{\"angle\" \"1\"}";
    let patch = "{ { patchDef3 { a ( 3 3 1 0 0 0 0 ) ( ( ( 0 0 0 0 0 ) ( 0 8 4 0 .5 ) ( 0 16 0 0 1 ) ) ( ( 8 0 0 .5 0 ) \
                 ( 8 8 4 .5 .5 ) ( 8 16 0 .5 1 ) ) ( ( 16 0 0 1 0 ) ( 16 8 4 1 .5 ) ( 16 16 0 1 1 ) ) ) } } }";
    let equation = "Version 2\n{ { brushDef3 { ( 0 0 1 -8 ) ( ( 1 0 0 ) ( 0 1 0 ) ) \"a\" 0 0 0 } } }";
    for text in [BOX, valve, patch, equation] {
        let mut rng = Rng::new(7);
        for _ in 0..1500 {
            let bytes = mutant(text.as_bytes(), &[], &mut rng);
            let Ok(import) = to_scene(&bytes) else { continue };
            let _ = from_scene(&import.scene, &ExportOptions::default()).unwrap();
        }
    }
}
