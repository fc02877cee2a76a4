//! Recovery of damaged files, and elements that replace each other.
#![cfg(feature = "scene")]

use mapwright_io::{Category, Limits};
use mapwright_scene::{Content, Losses, Material, Node, Scene};
use mapwright_testkit::mutate;
use mapwright_wings::scene::{ExportOptions, ImportOptions, from_scene, read_model, to_scene};
use mapwright_wings::{Document, ReadOptions, Rescued};

use crate::scenes::cube;

/// A file with this many cubes, the last of which have a material.
fn file(count: u8) -> Vec<u8> {
    let mut scene = Scene::default();
    let red = scene.materials.push(Material::new("red"));
    for index in 0..count {
        let mut mesh = cube();
        mesh.positions.iter_mut().flatten().for_each(|c| *c = (*c + f64::from(index)).sqrt());
        if index > 0 {
            mesh.face_materials = vec![Some(red); 6];
        }
        let mesh = scene.meshes.push(mesh);
        scene.add_node(None, Node::new(format!("cube {index}"), Content::Mesh(mesh)));
    }
    from_scene(&scene, &ExportOptions::default()).unwrap().document.to_bytes().unwrap()
}

fn rescue(bytes: &[u8]) -> Rescued<Document> {
    Document::rescue(bytes, &ReadOptions::default()).unwrap()
}

fn texts(losses: &Losses) -> Vec<String> {
    losses.iter().map(ToString::to_string).collect()
}

/// Checks that a file is written that can be read again, without errors for Wings. Returns the names of its objects.
fn names(rescued: &Rescued<Document>) -> Vec<String> {
    let bytes = rescued.document.to_bytes().unwrap();
    let document = Document::from_bytes(&bytes).unwrap();
    let errors = document.validate().into_iter().filter(|finding| finding.severity == mapwright_io::Severity::Error);
    assert_eq!(errors.count(), 0);
    document.model().unwrap().objects().map(|(_, object)| object.name.as_str().to_owned()).collect()
}

#[test]
fn headers_checksums_and_trailing_bytes_are_repaired() {
    let whole = file(3);
    let model = Document::from_bytes(&whole).unwrap().model().unwrap();
    let (mut length, mut checksum, mut magic) = (whole.clone(), whole.clone(), whole.clone());
    length[15..19].copy_from_slice(&5_u32.to_be_bytes());
    *checksum.last_mut().unwrap() ^= 1;
    // A transfer as text.
    magic.remove(11);
    let cut = whole[..whole.len() - 4].to_vec();
    let longer = [&whole[..], &[0; 100]].concat();
    for (bytes, expected) in [
        (length, vec!["repaired: header: 5 bytes are declared"]),
        (checksum, vec!["repaired: payload: the checksum differs"]),
        (magic, vec!["repaired: header: the first 19 bytes are damaged"]),
        (cut, vec!["repaired: header: ", "repaired: payload: the checksum is missing"]),
        (longer, vec!["repaired: header: ", "dropped: payload: 100 bytes after the compressed term"]),
    ] {
        assert!(Document::from_bytes(&bytes).is_err());
        let rescued = rescue(&bytes);
        let texts = texts(&rescued.losses);
        assert_eq!(texts.len(), expected.len(), "{texts:?}");
        assert!(texts.iter().zip(&expected).all(|(text, start)| text.starts_with(start)), "{texts:?}");
        assert!(rescued.document.model().unwrap() == model);
    }
    assert!(rescue(&whole).losses.is_empty());
    assert!(rescue(&whole).document.to_bytes().unwrap() == whole);
}

#[test]
fn whole_objects_of_a_cut_file_survive() {
    let whole = file(20);
    let mut counts = Vec::new();
    for part in 1..10 {
        let bytes = &whole[..whole.len() * part / 10];
        let rescued = match Document::rescue(bytes, &ReadOptions::default()) {
            Ok(rescued) => rescued,
            Err(error) => {
                assert!(error.to_string().starts_with("nothing can be rescued: no object is complete"), "{error}");
                counts.push(0);
                continue;
            }
        };
        let names = names(&rescued);
        let expected: Vec<String> = (0..names.len()).map(|index| format!("cube {index}")).collect();
        assert_eq!(names, expected);
        let texts = texts(&rescued.losses);
        let lost = format!("dropped: shapes: {} of 20 entries", 20 - names.len());
        assert!(texts.contains(&lost) || names.len() == 20, "{lost}: {texts:?}");
        assert!(texts.iter().any(|text| text.starts_with("dropped: materials: ")), "{texts:?}");
        // The faces keep their material.
        let model = rescued.document.model().unwrap();
        let has_red = model.materials().any(|material| material.name.as_str() == "red");
        assert_eq!(has_red, names.len() > 1, "{texts:?}");
        counts.push(names.len());
    }
    assert!(counts.is_sorted() && counts[8] > 10 && counts[4] > 3, "{counts:?}");
}

#[test]
fn damaged_files_never_stop_the_rescue_of_what_precedes() {
    let whole = file(6);
    assert!(mutate::byte_flips(&whole).all(|bytes| match Document::rescue(&bytes, &ReadOptions::default()) {
        Ok(rescued) => rescued.document.to_bytes().is_ok(),
        Err(error) => error.position().is_some(),
    }));
    for bytes in
        [&b""[..], b"#!WINGS", b"#!WINGS-1.0\r\n\x1a\x04", b"#!WINGS-1.0\r\n\x1a\x04\0\0\0\x05\x83P\0\0", b"PK\x03\x04"]
    {
        assert!(Document::rescue(bytes, &ReadOptions::default()).is_err());
    }
}

#[test]
fn limits_are_errors_also_in_damaged_files() {
    let whole = file(6);
    let declared = u32::from_be_bytes(*whole[21..].first_chunk().unwrap());
    let mut checksum = whole.clone();
    *checksum.last_mut().unwrap() ^= 1;
    // It declares fewer bytes than follow.
    let mut size = checksum.clone();
    size[21..25].copy_from_slice(&5_u32.to_be_bytes());
    let bytes = Limits::default().with_max_decompressed(u64::from(declared) - 1);
    let items = Limits::default().with_max_items(5);
    for (file, limits, message) in [
        (&whole, &bytes, format!("more than {} bytes after decompression", declared - 1)),
        (&size, &bytes, format!("more than {} bytes after decompression", declared - 1)),
        (&whole, &items, "more than 5 items".to_owned()),
        (&checksum, &items, "more than 5 items".to_owned()),
    ] {
        let error = Document::rescue(file, &ReadOptions::default().with_limits(limits.clone())).unwrap_err();
        assert_eq!(error.category(), Category::Limit, "{error}");
        assert!(error.to_string().contains(&message), "{error}");
    }
    assert_eq!(rescue(&size).losses.len(), 2);
}

#[test]
fn a_length_that_counts_the_header_is_explained() {
    let mut bytes = file(1);
    let length = u32::try_from(bytes.len()).unwrap();
    bytes[15..19].copy_from_slice(&length.to_be_bytes());
    let error = Document::from_bytes(&bytes).unwrap_err();
    assert!(error.help().is_some_and(|help| help.contains("must not include the header")), "{:?}", error.help());
    assert_eq!(rescue(&bytes).losses.len(), 1);
}

#[test]
fn replaced_elements_are_found_and_reported() {
    let whole = file(1);
    let document = Document::from_bytes(&whole).unwrap();
    let bytes = document.payload().tree().as_bytes().to_vec();
    // The first edge: a list of one element, which is then doubled.
    let edge = bytes.windows(8).position(|bytes| bytes == b"h\td\0\x04edg").unwrap();
    assert_eq!(bytes[edge - 5..edge], [108, 0, 0, 0, 1]);
    let end = edge + bytes[edge..].iter().position(|&byte| byte == 106).unwrap();
    let element = &bytes[edge..end];
    let doubled = [&bytes[..edge - 1], &[2], element, element, &bytes[end..]].concat();
    let tree = mapwright_wings::etf::Tree::from_bytes(&doubled).unwrap();
    let document = Document::from_payload(mapwright_wings::etf::Document::new(tree));
    let finding = document.validate().into_iter().find(|finding| finding.code == "element-duplicate").unwrap();
    assert_eq!(finding.severity, mapwright_io::Severity::Warning);
    assert_eq!(finding.path.to_string(), "shapes[0].mesh.edges[0]");
    let expected = "dropped: shapes[0].mesh: 1 element that a later one of the same entry replaces";
    assert_eq!(texts(&read_model(&document).unwrap().1), [expected], "lost if the model is written, too");
    let import = to_scene(&document, &ImportOptions::default()).unwrap();
    let texts = texts(&import.losses);
    assert!(texts.contains(&expected.to_owned()), "{texts:?}");
    assert!(to_scene(&Document::from_bytes(&whole).unwrap(), &ImportOptions::default()).unwrap().losses.is_empty());
}
