//! Validation compared with the verdicts of Wings 3D 2.2.9, which loaded, checked, saved and loaded again each file of the tables
//! in `data`. Exactly those files that it refuses, crashes on, cannot use or cannot save have an error.

use crate::erlang;

use mapwright_io::{Finding, Severity};
use mapwright_testkit::{corpus, files_below, mutate};
use mapwright_wings::{Document, ObjectState, etf};

/// Probes of a tetrahedron with one change each, container included: name, verdict, change, and the file in hexadecimal.
const PROBES: &str = include_str!("data/probes.tsv");

/// Scenes of a tetrahedron: name, verdict, findings, and shapes, materials and properties in Erlang's syntax.
const CASES: &str = include_str!("data/cases.tsv");

fn rows<const N: usize>(table: &'static str) -> impl Iterator<Item = [&'static str; N]> {
    let cells =
        |line: &'static str| line.split('\t').collect::<Vec<_>>().try_into().expect("as many cells as the head has");
    table.lines().skip(1).map(cells)
}

fn bytes(hexadecimal: &str) -> Vec<u8> {
    let pairs = (0..hexadecimal.len()).step_by(2).map(|at| &hexadecimal[at..at + 2]);
    pairs.map(|pair| u8::from_str_radix(pair, 16).expect("two digits")).collect()
}

/// The findings about a file, or `None` if it cannot be read.
fn findings(file: &[u8]) -> Option<Vec<Finding>> {
    Some(Document::from_bytes(file).ok()?.validate())
}

fn is_sound(findings: Option<&Vec<Finding>>) -> bool {
    findings.is_some_and(|findings| findings.iter().all(|finding| finding.severity < Severity::Error))
}

#[test]
fn probes_have_the_verdicts_of_wings() {
    for [name, verdict, change, file] in rows(PROBES) {
        let found = findings(&bytes(file));
        assert_eq!(
            verdict == "ok",
            is_sound(found.as_ref()),
            "{name} ({change}): the verdict of Wings is {verdict}, not {found:#?}"
        );
    }
}

fn names() -> erlang::Names {
    erlang::Names::from([
        ("O", "{object,\"t\",W,[]}"),
        // The same, with a material on the first face.
        ("R", "{object,\"t\",{winged,ES,[[{material,red}],[],[],[]],VS,[]},[]}"),
        ("W", "{winged,ES,FS,VS,[]}"),
        ("ES", "[E0,E1,E2,E3,E4,E5]"),
        ("FS", "[[],[],[],[]]"),
        ("VS", "[V0,V1,V2,V3]"),
        ("E0", "[{edge,0,1,2,0,4,2,1,3}]"),
        ("E1", "[{edge,0,2,0,3,3,0,2,5}]"),
        ("E2", "[{edge,0,3,3,2,5,1,0,4}]"),
        ("E3", "[{edge,1,2,1,0,5,4,0,1}]"),
        ("E4", "[{edge,1,3,2,1,2,0,3,5}]"),
        ("E5", "[{edge,2,3,1,3,4,3,1,2}]"),
        ("V0", "[<<0,0,0,0,0,0,0,0,63,241,153,153,153,153,153,154,0,0,0,0,0,0,0,0>>]"),
        ("V1", "[<<0,0,0,0,0,0,0,0,191,224,0,0,0,0,0,0,63,242,102,102,102,102,102,102>>]"),
        ("V2", "[<<191,240,0,0,0,0,0,0,191,224,0,0,0,0,0,0,191,226,61,112,163,215,10,61>>]"),
        ("V3", "[<<63,240,0,0,0,0,0,0,191,224,0,0,0,0,0,0,191,226,61,112,163,215,10,61>>]"),
        ("GL", "[{diffuse,{1.0,0.0,0.0,1.0}},{emission,{0.0,0.0,0.0,1.0}},{metallic,0.1},{roughness,0.8}]"),
    ])
}

/// A file with a scene.
fn scene(shapes: &str, materials: &str, props: &str) -> Vec<u8> {
    let term = erlang::term(&format!("{{wings,2,{{{shapes},{materials},{props}}}}}"), &names());
    file(&etf::Document::new(term).to_bytes().expect("small"))
}

/// A file with a payload.
fn file(payload: &[u8]) -> Vec<u8> {
    let length = u32::try_from(payload.len()).expect("small").to_be_bytes();
    [&b"#!WINGS-1.0\r\n\x1a\x04"[..], &length, payload].concat()
}

#[test]
fn cases_have_the_verdicts_of_wings() {
    for [name, verdict, codes, shapes, materials, props] in rows(CASES) {
        let found = findings(&scene(shapes, materials, props)).unwrap_or_else(|| panic!("{name}: unreadable"));
        let severity = |finding: &Finding| format!("{} {}", finding.severity.name(), finding.code);
        let mut all: Vec<String> = found.iter().map(severity).collect();
        all.sort();
        all.dedup();
        assert_eq!(codes, all.join(", "), "{name}: {found:#?}");
        assert_eq!(
            verdict == "ok",
            is_sound(Some(&found)),
            "{name}: the verdict of Wings is {verdict}, not {found:#?}"
        );
    }
}

#[test]
#[ignore = "needs the corpus"]
fn corpus_files_have_no_errors() {
    let Some(folder) = corpus("wings") else { return };
    let is_real = |path: &std::path::PathBuf| {
        let name = path.to_string_lossy();
        name.ends_with(".wings") && !name.contains("probes") && !name.contains("version0") && !name.contains("version1")
    };
    for path in files_below(&folder).into_iter().filter(is_real) {
        let found = findings(&std::fs::read(&path).expect("the corpus is readable"));
        assert!(is_sound(found.as_ref()), "{}: {found:#?}", path.display());
    }
}

/// The text of the finding with a code about a scene.
fn printed(code: &str, shapes: &str, materials: &str, props: &str) -> String {
    let found = findings(&scene(shapes, materials, props)).expect("readable");
    let finding =
        found.iter().find(|finding| finding.code == code).unwrap_or_else(|| panic!("no {code} in {found:#?}"));
    finding.to_string()
}

#[test]
fn findings_have_a_description_a_location_and_a_consequence() {
    assert_eq!(
        printed("hard-range", "[O,{object,\"b\",{winged,ES,FS,VS,[0,9,10]},[]}]", "[]", "[]"),
        "error[hard-range]: a hard edge is not an edge of the object (2 times, the first here); Wings 3D loads the file and then \
         crashes on every save in shapes[1].mesh.hard_edges[1] at offset 769 (0x301) of the inflated data"
    );
    assert_eq!(
        printed("light-state", "[]", "[]", "[{lights,[{\"l\",[{visible,true}]}]}]"),
        "error[light-state]: visible and locked must both be true or false, or both be missing; Wings 3D crashes \
         on loading the file in props[0].lights[0] at offset 37 (0x25) of the inflated data"
    );
    assert_eq!(
        printed("vertex-malformed", "[{object,\"t\",{winged,ES,FS,[V0,[<<1>>],V2,V3],[]},[]}]", "[]", "[]"),
        "error[vertex-malformed]: the entry contains no binary of three finite numbers; Wings 3D crashes on loading the file in \
         shapes[0].mesh.vertices[1] at offset 287 (0x11f) of the inflated data"
    );
}

#[test]
fn many_findings_of_a_kind_are_counted() {
    let props: Vec<String> = (0..1000).map(|index| format!("{{zzz,{index}}}")).collect();
    let found = findings(&scene("[O]", "[]", &format!("[{}]", props.join(",")))).expect("readable");
    assert_eq!(found.len(), 101, "{found:#?}");
    assert_eq!(found[100].to_string(), "warning[prop-unknown]: and 900 more of these");
    // The most severe findings come first, in any order of the file.
    let found = findings(&scene("[O]", "[]", &format!("[{},{{lights,[1]}}]", props.join(",")))).expect("readable");
    assert_eq!((found.len(), found[0].code), (102, "light-shape"), "{found:#?}");
}

#[test]
fn findings_about_the_encoding_have_file_offsets() {
    let plain = etf::Document::from_bytes(&scene("[]", "[]", "[]")[19..]).expect("readable").into_tree();
    let file = file(&[&[131], plain.as_bytes(), &[0, 0]].concat());
    let found = findings(&file).expect("readable");
    let trailing = found.iter().find(|finding| finding.code == "trailing-bytes").expect("found");
    assert_eq!(trailing.at.expect("placed").offset, file.len() as u64 - 2);
}

#[test]
fn mutants_are_validated_without_a_panic() {
    let scenes = [
        scene(
            "[{object,\"t\",{winged,ES,FS,VS,[0,1]},[{plugin_states,[{a,1},{b,2}]},{holes,[0]},{num_hidden_faces,1},\
               {mirror_face,2},{state,{hidden,face,[1,2]}}]}]",
            "[{red,[{opengl,GL},{maps,[{diffuse,1}]}]}]",
            "[]",
        ),
        scene(
            "[]",
            "[{old,[{diffuse,{1.0,1.0,1.0}},{specular,{1.0,1.0,1.0}}]}]",
            "[{images,[{1,[{width,1},{height,1},\
               {samples_per_pixel,3},{pixels,<<1,2,3>>}]}]},{lights,[{\"l\",[{visible,true},{locked,false},{opengl,\
               [{type,spot},{position,{0.0,1.0,2.0}}]}]}]},{views,[{view,[{azimuth,1.0}]}]},{selection,{face,[{0,[1]}]}}]",
        ),
    ];
    for scene in scenes {
        let term = Document::from_bytes(&scene).expect("readable").payload().tree().as_bytes().to_vec();
        for mutant in mutate::numbers(&term).chain(mutate::random(&term, &[], 7).take(3000)) {
            let _ = findings(&file(&[&[131], &mutant[..]].concat()));
        }
    }
}

#[test]
fn damaged_payloads_have_different_codes() {
    let code = |payload: &[u8]| Document::from_bytes(&file(payload)).expect_err("damaged").kind().code();
    assert_eq!(code(&[131, 104, 3]), "truncated");
    assert_eq!(code(&[131, 80, 0, 0, 0, 9, 1, 2, 3]), "bad-zlib");
    assert_eq!(code(&[130]), "not-a-term");
}

#[test]
fn a_limit_of_this_crate_is_a_warning() {
    let unknown = "[],".repeat(1_000_000);
    let found = findings(&scene(&format!("[{{object,\"t\",{{winged,[],[[{unknown}]],[],[]}},[]}}]"), "[]", "[]"));
    let found = found.expect("readable");
    let limit = found.iter().find(|finding| finding.code == "limits").expect("found");
    assert_eq!(limit.severity, Severity::Warning);
    assert!(limit.message.contains("the rest was not checked"), "{limit}");
    assert!(is_sound(Some(&found)), "{found:#?}");
}

#[test]
fn the_model_looks_up_properties_like_wings() {
    let state = |props: &str| {
        let file = scene(&format!("[{{object,\"t\",W,{props}}}]"), "[]", "[]");
        let model = Document::from_bytes(&file).expect("readable").model().expect("understood");
        model.objects().next().expect("one").1.clone()
    };
    let hidden = |props: &str| state(props).state() == ObjectState::Hidden;
    assert!(hidden("[{state,hidden},{state,locked},state]"));
    for normal in ["[state,{state,hidden}]", "[{state},{state,hidden}]", "[{state,1,2},{state,hidden}]"] {
        assert!(!hidden(normal), "{normal}");
        let mut object = state(normal);
        object.set_state(&ObjectState::Hidden).expect("a value");
        assert_eq!(object.state(), ObjectState::Hidden, "{normal}");
        object.props.remove("state");
        assert_eq!(object.props.items, [], "{normal}");
    }
}
