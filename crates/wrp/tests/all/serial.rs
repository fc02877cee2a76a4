//! Documents as JSON.
#![cfg(feature = "serde")]

use mapwright_testkit::{corpus, files_below};
use mapwright_wrp::{Builder, Document, Matrix, Name, Wvr, Wvr8};

fn again(document: &Document) -> Document {
    let json = serde_json::to_string(document).unwrap();
    serde_json::from_str(&json).unwrap_or_else(|error| panic!("{error}: {}", &json[..json.len().min(2000)]))
}

#[test]
#[ignore = "needs the corpus"]
fn every_corpus_terrain_round_trips() {
    let Some(folder) = corpus("wrp") else { return };
    let mut exact = 0;
    for path in files_below(&folder) {
        let bytes = std::fs::read(&path).unwrap();
        let Ok(document) = Document::from_bytes(&bytes) else { continue };
        assert!(again(&document).to_bytes().unwrap() == bytes, "{}", path.display());
        exact += 1;
    }
    assert!(exact > 50);
}

#[test]
fn unusual_numbers_and_bytes_round_trip() {
    let mut builder = Builder::default();
    let model = builder.add_model(&Name { bytes: b"a\xff\\x41.p3d".to_vec(), rest: b"\0old".to_vec() });
    let mut matrix = Matrix::from_position([-0.0, f32::INFINITY, f32::from_bits(1)]);
    matrix.up = [f32::from_bits(0x7fa0_0001), f32::MAX, 0.1];
    builder.push(model, matrix, Some(-7));
    let terrain = Document::Wvr(Wvr { objects: builder.finish(), ..Wvr::new([1, 1]) });
    assert!(again(&terrain) == terrain);
    let mut terrain = Wvr8::new([16, 16], 40.0, 16);
    let mut bits = 1_u32;
    for height in &mut terrain.heights {
        *height = f32::from_bits(bits);
        bits = bits.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
    }
    let terrain = Document::Wvr8(terrain);
    assert!(again(&terrain) == terrain);
}

#[test]
fn json_of_no_terrain_is_rejected() {
    for (json, expected) in [
        ("{}", "expected value"),
        (r#"{"wvr8":{"cell":"x"}}"#, "0x7fc00000"),
        (r#"{"wvr":{"version":"wvr9"}}"#, "unknown variant"),
        (r#"{"wvr":{"version":"wvr4","sizes":[1,1]}}"#, "unknown field `sizes`"),
    ] {
        let error = serde_json::from_str::<Document>(json).unwrap_err().to_string();
        assert!(error.contains(expected), "{error}");
    }
}
