//! Findings of maps.

use mapwright_qmap::Document;
use mapwright_qmap::io::Severity;

use crate::support::{corpus_maps, cube, cube_at, map};

/// Returns the findings of a map as `severity[code] in path at line`.
fn findings(text: impl AsRef<[u8]>) -> Vec<String> {
    let format = |finding: mapwright_qmap::io::Finding| {
        let line = finding.at.and_then(|at| at.text).map_or(0, |text| text.line);
        format!("{}[{}] {} line {line}", finding.severity.name(), finding.code, finding.path)
    };
    map(text).validate().into_iter().map(format).collect()
}

fn world(brushes: &str) -> String {
    format!("{{\n\"classname\" \"worldspawn\"\n{brushes}}}\n")
}

#[test]
fn a_valid_map_has_no_findings() {
    assert_eq!(findings(world(&format!("{{\n{}}}\n", cube("t 0 0 0 1 1")))), [""; 0]);
    assert_eq!(findings(Document::new().as_bytes()), [""; 0]);
    // Brushes on the clipboard are in no entity.
    assert_eq!(findings(format!("{{\n{}}}\n", cube("t 0 0 0 1 1"))), [""; 0]);
}

#[test]
fn entities_and_keys_are_checked() {
    let text = format!(
        "{{\n\"classname\" \"light\"\n\"a\" \"1\"\n\"a\" \"2\"\n}}\n{{ \"b\" \"c\" }}\n{}{}{{ \"classname\" \"x\" \"{}\" \"{}\" }}",
        world(""),
        world(""),
        "k".repeat(32),
        "v".repeat(1024)
    );
    let expected = [
        "warning[worldspawn-missing] entities[0] line 1",
        "warning[key-duplicate] entities[0] line 4",
        "warning[class-missing] entities[1] line 6",
        "warning[worldspawn-several] entities[3] line 10",
        "note[key-long] entities[4] line 13",
        "note[value-long] entities[4] line 13",
    ];
    assert_eq!(findings(text), expected);
}

#[test]
fn layers_and_groups_are_checked() {
    let text = format!(
        "{}{{ \"classname\" \"func_group\" \"_tb_type\" \"_tb_layer\" }}\n{}{}{{ \"classname\" \"light\" \"_tb_layer\" \"9\" }}",
        world(""),
        "{ \"classname\" \"func_group\" \"_tb_type\" \"_tb_group\" \"_tb_id\" \"1\" \"_tb_group\" \"1\" }\n",
        "{ \"classname\" \"func_group\" \"_tb_type\" \"_tb_group\" \"_tb_id\" \"1\" }\n",
    );
    let codes: Vec<_> = map(text).validate().into_iter().map(|finding| finding.code).collect();
    assert_eq!(codes, ["editor-id", "editor-id-duplicate", "editor-reference", "editor-cycle"]);
}

#[test]
fn the_format_comment_is_compared_with_the_faces() {
    let brush = world(&format!("{{\n{}}}\n", cube("t 0 0 0 1 1")));
    assert_eq!(findings(format!("// Format: Standard\n{brush}")), [""; 0]);
    assert_eq!(findings(format!("// Format: Valve\n{brush}")), ["warning[format-mismatch]  line 5"]);
    assert_eq!(findings(format!("// Format: Valve 220\n{brush}")), ["warning[format-unknown]  line 1"]);
}

#[test]
fn messages_state_what_is_wrong() {
    let message =
        |text: &str| map(text).validate().into_iter().last().map(|finding| finding.message).unwrap_or_default();
    assert_eq!(message(&world("{ mesh { a } }\n")), "the primitive mesh is preserved, but not read");
    let brush = world(&format!("{{\n{}}}\n", cube("t 0 0 0 1 1")));
    assert_eq!(
        message(&format!("// Format: Valve\n{brush}")),
        "format Valve needs Valve 220 textures: the faces have standard textures, which programs read"
    );
}

#[test]
fn brushes_are_checked() {
    let whole = cube("t 0 0 0 1 1");
    let lines: Vec<&str> = whole.lines().collect();
    let face = |line: &str| world(&format!("{{\n{whole}{line}\n}}\n"));
    for (text, expected) in [
        (
            face("( 0 0 0 ) ( 1 0 0 ) ( 2 0 0 ) t 0 0 0 1 1"),
            "warning[face-degenerate] entities[0].primitives[0].faces[6] line 10",
        ),
        (face(lines[1]), "warning[plane-duplicate] entities[0].primitives[0].faces[6] line 10"),
        (
            world(&format!("{{\n{}\n}}\n", lines[1..].join("\n"))),
            "warning[brush-open] entities[0].primitives[0] line 3",
        ),
        (
            face("( 128 0 0 ) ( 128 1 0 ) ( 128 0 1 ) t 0 0 0 1 1"),
            "warning[brush-empty] entities[0].primitives[0] line 3",
        ),
        (
            face("( -8 0 0 ) ( -8 1 0 ) ( -8 0 1 ) t 0 0 0 1 1"),
            "note[face-unused] entities[0].primitives[0].faces[6] line 10",
        ),
        (world("{ mesh { a } }\n"), "note[primitive-unknown] entities[0].primitives[0] line 3"),
        (
            world("{ patchDef2 { a ( 1 1 0 0 0 ) ( ( ( 0 0 0 0 0 ) ) ) } }\n"),
            "warning[patch-size] entities[0].primitives[0] line 3",
        ),
    ] {
        assert_eq!(findings(&text), [expected], "{text}");
    }
    let many = findings(world(&format!("{{\n{}}}\n", whole.repeat(22))));
    assert!(many.contains(&"warning[brush-faces] entities[0].primitives[0] line 3".to_owned()), "{many:?}");
}

#[test]
fn brushes_of_many_faces_are_checked_in_linear_time() {
    let start = std::time::Instant::now();
    let faces = (0..100_000).map(|z| format!("( 0 0 {z} ) ( 0 1 {z} ) ( 1 0 {z} ) t 0 0 0 1 1\n"));
    let found = findings(world(&format!("{{\n{}}}\n", faces.collect::<String>())));
    assert!(found.contains(&"warning[brush-faces] entities[0].primitives[0] line 3".to_owned()), "{found:?}");
    // Tops of a column with many sides: each one has a corner for each side, until a lower one clips it away.
    let side = |index: i32| {
        let (y, x) = mapwright_qmap::io::math::sin_cos(f64::from(index) / 512.0 * std::f64::consts::TAU);
        let [a, b] = [[x - y, y + x], [x, y]].map(|[x, y]| format!("{:.9} {:.9}", x * 512.0, y * 512.0));
        format!("( {a} 0 ) ( {b} 0 ) ( {b} 1 ) t 0 0 0 1 1\n")
    };
    let top = |index: i32| format!("( 1 0 {z} ) ( 0 0 {z} ) ( 0 1 {z} ) t 0 0 0 1 1\n", z = 1000 - index);
    let bottom = "( 0 1 0 ) ( 0 0 0 ) ( 1 0 0 ) t 0 0 0 1 1\n".to_owned();
    let column: String = (0..512).map(side).chain((0..511).map(top)).chain([bottom]).collect();
    assert!(!findings(world(&format!("{{\n{column}}}\n").repeat(40))).is_empty());
    // Comparing all faces takes 5 · 10⁹ steps, and clipping the columns 3 · 10⁹.
    assert!(start.elapsed() < std::time::Duration::from_secs(30), "{:?}", start.elapsed());
}

#[test]
fn numbers_and_textures_are_checked() {
    let first = |after: &str| findings(world(&format!("{{\n{}}}\n", cube(after)))).first().cloned().unwrap_or_default();
    assert_eq!(
        first("t [ 0 0 0 0 ] [ 0 -1 0 0 ] 0 1 1"),
        "warning[texture-axes] entities[0].primitives[0].faces[0] line 4"
    );
    assert_eq!(first("t 0 0 0 0 1"), "note[scale-zero] entities[0].primitives[0].faces[0] line 4");
    assert_eq!(first("t 2e9 0 0 1 1"), "error[number-range] entities[0].primitives[0].faces[0] line 4");
    assert_eq!(first("t 1e999 0 0 1 1"), "error[number-range] entities[0].primitives[0].faces[0] line 4");
    for (name, is_long) in
        [("a123456789012345", true), ("a12345678901234", false), ("a/1234567890123456789012345678901", true)]
    {
        assert_eq!(first(&format!("{name} 0 0 0 1 1")).starts_with("note[texture-long]"), is_long, "{name}");
    }
    let far = findings(world(&format!("{{\n{}}}\n", cube_at([5000, 0, 0], 8, "t 0 0 0 1 1"))));
    assert_eq!(far[0], "note[coordinate-far] entities[0].primitives[0].faces[0] line 4");
}

#[test]
fn corpus_maps_have_no_errors() {
    for path in corpus_maps() {
        let map = Document::from_vec(std::fs::read(&path).expect("a file")).expect("a map");
        let findings = map.validate();
        let bad = findings.iter().find(|finding| finding.severity == Severity::Error);
        assert!(bad.is_none(), "{}: {}", path.display(), bad.map(ToString::to_string).unwrap_or_default());
        let is_named = path.file_name().is_some_and(|name| name.to_string_lossy().contains("duplicate_plane"));
        assert_eq!(is_named, findings.iter().any(|finding| finding.code == "plane-duplicate"), "{}", path.display());
    }
}
