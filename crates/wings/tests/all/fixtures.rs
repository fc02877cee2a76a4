//! The project's own files, which `cargo xtask fixtures` creates. Edited or not, they keep their bytes, and Wings 3D accepts
//! them.

use mapwright_io::Severity;
use mapwright_testkit::fixtures_as;
use mapwright_wings::{Document, Model, Shape};

fn documents() -> Vec<(String, Vec<u8>, Document)> {
    let all = fixtures_as("wings", Document::from_bytes);
    assert!(all.len() >= 15, "only {} fixtures", all.len());
    all
}

fn model(name: &str, document: &Document) -> Model {
    document.model().unwrap_or_else(|error| panic!("{name}: {error}"))
}

#[test]
fn unchanged_fixtures_are_written_byte_for_byte() {
    for (name, bytes, mut document) in documents() {
        assert!(document.to_bytes().expect("small") == bytes, "{name}");
        let model = model(&name, &document);
        document.set_model(&model).unwrap_or_else(|error| panic!("{name}: {error}"));
        assert!(document.to_bytes().expect("small") == bytes, "{name}: put back");
    }
}

#[test]
fn fixtures_contain_no_opaque_terms() {
    for (name, _, document) in documents() {
        let model = model(&name, &document);
        assert!(model.shapes.iter().all(|shape| matches!(shape, Shape::Object(_))), "{name}");
        for (index, object) in model.objects() {
            assert!(object.mesh.rings().is_ok(), "{name}: object {index}");
            assert!(object.mesh.extras.is_empty(), "{name}: object {index}");
        }
    }
}

#[test]
fn only_the_oldest_versions_have_errors() {
    for (name, _, document) in documents() {
        let findings = document.validate();
        let known = document.model().map(|model| document.validate_model(&model));
        assert_eq!(format!("{known:?}"), format!("{:?}", Ok::<_, ()>(&findings)), "{name}");
        let errors: Vec<_> = findings.iter().filter(|finding| finding.severity == Severity::Error).collect();
        match name.as_str() {
            "version0.wings" | "version1.wings" => {
                assert!(matches!(errors[..], [error] if error.code == "version"), "{name}: {errors:#?}");
            }
            _ => assert!(errors.is_empty(), "{name}: {errors:#?}"),
        }
    }
}
