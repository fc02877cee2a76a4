//! Maps of the project's own, in binary and in text.
#![cfg(feature = "vmap")]

use std::fs;

use mapwright::dmx::{LineEnd, TextStyle, WriteOptions};
use mapwright::info::{UseCount, VmapInfo};
use mapwright::io::Severity;
use mapwright::scene::LossKind;
use mapwright::scene::NoFiles;
use mapwright::{AnyDocument, Conversion, ConvertOptions, Format, convert, write_graph_json};
use mapwright_testkit::{corpus, files_below, workspace};

fn fixture(path: &str) -> Vec<u8> {
    fs::read(workspace().join("fixtures").join(path)).unwrap_or_else(|error| panic!("{path}: {error}"))
}

fn convert_to(bytes: &[u8], format: Format, options: &ConvertOptions) -> Conversion {
    convert(AnyDocument::from_bytes(bytes).unwrap(), format, &NoFiles, options).unwrap()
}

#[test]
fn binary_and_text_contain_the_same_map() {
    let (binary, text) = (fixture("vmap/room.vmap"), fixture("vmap/room.vmap.txt"));
    let options = ConvertOptions::default();
    for (from, format, expected) in [
        (&binary, Format::KeyValues2, &text),
        (&text, Format::KeyValues2, &text),
        (&text, Format::Vmap, &binary),
        (&binary, Format::Vmap, &binary),
    ] {
        let conversion = convert_to(from, format, &options);
        assert!(conversion.files.main == **expected, "{format}");
        assert!(conversion.losses.is_empty() && conversion.files.side.is_empty());
        assert!(conversion.source.elements > 50 && conversion.source.meshes == 0);
    }
}

#[test]
fn text_options_are_applied() {
    let binary = fixture("vmap/room.vmap");
    let options = WriteOptions::default().with_style(TextStyle::Hammer).with_line_end(LineEnd::CrLf);
    let conversion = convert_to(&binary, Format::KeyValues2, &ConvertOptions::default().with_text(options.clone()));
    let text = String::from_utf8(conversion.files.main).unwrap();
    assert_eq!(text.matches('\n').count(), text.matches("\r\n").count());
    let lossy = AnyDocument::from_bytes(&binary).unwrap().graph().unwrap().lossy_floats(TextStyle::Hammer);
    let told: Vec<String> = conversion.losses.iter().map(ToString::to_string).collect();
    assert_eq!(told.len(), usize::from(lossy > 0), "{told:?}");
    // Also what is text already.
    let again =
        convert_to(&fixture("vmap/room.vmap.txt"), Format::KeyValues2, &ConvertOptions::default().with_text(options));
    assert_eq!(String::from_utf8(again.files.main).unwrap(), text);
}

#[test]
fn losses_of_text_are_reported() {
    let losses = |path: &str| {
        let conversion = convert_to(&fixture(path), Format::KeyValues2, &ConvertOptions::default());
        conversion.losses.iter().map(|loss| (loss.kind, loss.path.to_string())).collect::<Vec<_>>()
    };
    let odd = losses("dmx/odd.dmx");
    assert!(odd.contains(&(LossKind::Dropped, "trailing".to_owned())), "{odd:?}");
    assert!(odd.contains(&(LossKind::Dropped, "strings".to_owned())), "{odd:?}");
    let sorted = losses("dmx/sorted.dmx");
    assert!(sorted.contains(&(LossKind::Approximated, "elements".to_owned())), "{sorted:?}");
    assert_eq!(losses("vmap/room.vmap"), []);
}

#[test]
fn encodings_suit_the_same_programs() {
    for (path, format, encoding) in [
        ("dmx/binary5.dmx", Format::KeyValues2, "keyvalues2 1"),
        ("dmx/binary9.dmx", Format::KeyValues2, "keyvalues2 4"),
        ("dmx/flat.dmx", Format::Dmx, "binary 5"),
        ("dmx/binary3.dmx", Format::Dmx, "binary 3"),
        ("vmap/room29.vmap", Format::KeyValues2, "keyvalues2 4"),
    ] {
        let conversion = convert_to(&fixture(path), format, &ConvertOptions::default());
        let document = AnyDocument::from_bytes(&conversion.files.main).unwrap();
        assert_eq!(document.graph().unwrap().header.encoding.to_string(), encoding, "{path}");
    }
}

#[test]
fn maps_are_summarized() {
    let document = AnyDocument::from_bytes(&fixture("vmap/room.vmap")).unwrap();
    let vmap = VmapInfo::new(document.as_vmap().unwrap());
    assert_eq!((vmap.format_version, vmap.totals.meshes, vmap.totals.faces, vmap.totals.vertices), (40, 4, 24, 32));
    assert_eq!((vmap.totals.entities, vmap.totals.outputs, vmap.totals.hidden), (3, 1, 1));
    assert_eq!(vmap.totals.bounds, Some([[-128.0; 3], [128.0; 3]]));
    assert!(vmap.entities.contains(&UseCount { name: "light_omni2".to_owned(), count: 1 }));
    assert!(vmap.nodes.contains(&UseCount { name: "CMapInstance".to_owned(), count: 1 }));
    let model = vmap.assets.iter().find(|asset| asset.kind == "models").unwrap();
    assert_eq!((model.path.as_str(), model.uses), ("models/props/chair.vmdl", 1));
    let info = document.info(None);
    let graph = info.section("dmx").unwrap();
    assert_eq!(["encoding", "profile"].map(|key| graph.get(key).unwrap().as_text()), [Some("binary 9"), Some("valve")]);
    assert!(info.section("vmap").is_some() && info.section("wings").is_none());
    assert_eq!((info.axes, info.metres_per_unit), (Some("right-handed, Z up, inches"), Some(0.0254)));
}

#[test]
fn fixture_maps_have_no_errors() {
    for name in ["empty.vmap", "room.vmap", "room18.vmap", "room29.vmap", "room.vmap.txt"] {
        let findings = AnyDocument::from_bytes(&fixture(&format!("vmap/{name}"))).unwrap().validate();
        let bad = findings.iter().find(|finding| finding.severity == Severity::Error);
        assert_eq!(bad, None, "{name}");
    }
}

#[test]
fn graphs_as_json_have_all_elements_and_attributes() {
    let document = AnyDocument::from_bytes(&fixture("vmap/room.vmap")).unwrap();
    let graph = document.graph().unwrap();
    let mut out = Vec::new();
    write_graph_json(&mut out, graph).unwrap();
    let json: serde_json::Value = serde_json::from_slice(&out).unwrap();
    let elements = json["elements"].as_array().unwrap();
    assert_eq!(elements.len(), graph.elements.len());
    for (json, element) in elements.iter().zip(graph.iter()) {
        assert_eq!(json["class"].as_str().unwrap().as_bytes(), element.class());
        let names = json["attributes"].as_array().unwrap().iter().map(|attribute| attribute["name"].as_str().unwrap());
        assert!(names.map(str::as_bytes).eq(element.attributes().map(|(name, _)| name)));
    }
}

#[test]
#[ignore = "needs the corpus"]
fn losses_of_corpus_files_are_reported_exactly_if_bytes_change() {
    let (mut exact, mut lossy, mut wrong) = (0, 0, Vec::new());
    let [Some(maps), Some(others)] = ["vmap", "dmx"].map(corpus) else { return };
    for path in [maps, others].iter().flat_map(|folder| files_below(folder)) {
        let bytes = fs::read(&path).unwrap();
        let Ok(document) = AnyDocument::from_bytes(&bytes) else { continue };
        let Some(header) = document.graph().map(|graph| graph.header.clone()) else { continue };
        if header.encoding.is_text() {
            continue;
        }
        let format = document.format();
        let text = convert_to(&bytes, Format::KeyValues2, &ConvertOptions::default());
        let read = AnyDocument::from_bytes(&text.files.main).unwrap();
        let back = match convert(read, format, &NoFiles, &ConvertOptions::default()) {
            Ok(back) => back,
            Err(error) => {
                wrong.push(format!("{}: {} {error}", path.display(), header.encoding));
                continue;
            }
        };
        let same = back.files.main == bytes;
        *(if same { &mut exact } else { &mut lossy }) += 1;
        if (text.losses.is_empty() && back.losses.is_empty()) != same {
            wrong.push(format!("{}: {} {same}, {:?} {:?}", path.display(), header.encoding, text.losses, back.losses));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(exact > 30 && lossy > 10, "{exact} exact, {lossy} not");
}

#[test]
fn a_moved_copy_of_the_prefix_is_reported() {
    let file = [
        b"<!-- dmx encoding binary 9 format dmx 1 -->\n\0\x01\0\0\0\x01\0\0\0k\0\x04\x01".as_slice(),
        b"\x09\0\0\0A\0\0m\0$prefix_attribute$\0n\0name\0K\0DmElement\0k\0\x03\0\0\0",
        // The root, what it refers to, and the copy.
        b"\0\0\0\0\x01\0\0\0aaaaaaaaaaaaaaaa\x06\0\0\0\x01\0\0\0bbbbbbbbbbbbbbbb\x07\0\0\0\x01\0\0\0cccccccccccccccc",
        b"\x02\0\0\0\x04\0\0\0\x02\x07\0\0\0\x02\0\0\0\x01\x01\0\0\0\0\0\0\0\x01\0\0\0\x08\0\0\0\x04\x01",
    ]
    .concat();
    let text = convert_to(&file, Format::KeyValues2, &ConvertOptions::default());
    let losses: Vec<_> = text.losses.iter().map(|loss| (loss.kind, loss.path.to_string())).collect();
    assert_eq!(losses, [(LossKind::Approximated, "prefix".to_owned())]);
    assert!(convert_to(&text.files.main, Format::Dmx, &ConvertOptions::default()).files.main != file);
}

#[test]
fn binary_encodings_support_all_types_of_the_text() {
    use mapwright::dmx::{Document, ElementId, Encoding, EncodingName, Guid, Value};
    let file = |version, value: &Value| {
        let binary = Encoding { name: EncodingName::Binary, version };
        let mut graph = Document::new(binary, "dmx", 1, "DmElement", Guid([7; 16]));
        graph.set(ElementId::ROOT, "value", value.clone());
        graph.lay_out(mapwright::dmx::WriterProfile::Valve);
        graph.to_bytes().unwrap()
    };
    let (id, number) = (Value::ObjectId(Guid([1; 16])), Value::Int(1));
    for (version, value, losses) in [(1, &id, 1), (2, &id, 0), (2, &number, 1), (5, &number, 0), (7, &number, 1)] {
        let file = file(version, value);
        let text = convert_to(&file, Format::KeyValues2, &ConvertOptions::default());
        assert_eq!(text.losses.len(), losses, "{version}: {:?}", text.losses);
        let back = convert_to(&text.files.main, Format::Dmx, &ConvertOptions::default()).files.main;
        assert_eq!(back == file, losses == 0, "{version}");
    }
}
