//! Real files, if the corpus is present.

use crate::support;

use std::path::{Path, PathBuf};

use mapwright_keyvalues::vmat::{Role, Source};
use mapwright_keyvalues::{GameInfo, TextureSettings, Vmat, Vmdl, kv1, kv3};
use mapwright_testkit::hexdiff;
use support::corpus_files;

fn read(path: &Path) -> Vec<u8> {
    std::fs::read(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

fn assert_same(path: &Path, bytes: &[u8], written: &[u8]) {
    if let Some(diff) = hexdiff(bytes, written) {
        panic!("{}: {diff}", path.display());
    }
}

#[test]
#[ignore = "needs the corpus"]
fn texts_come_back_byte_for_byte() {
    let maps = corpus_files("vmf", &["vmf"]).into_iter().map(|path| (path, kv1::ReadOptions::vmf()));
    let others = corpus_files("s2content", &["vmat", "gi", "txt"]).into_iter();
    let others = others.map(|path| (path, kv1::ReadOptions::default()));
    for (path, options) in maps.chain(others) {
        let bytes = read(&path);
        let document = kv1::Document::from_bytes_with(&bytes, &options);
        let document = document.unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        assert_same(&path, &bytes, &document.to_bytes().expect("writes"));
        // An edit that changes nothing changes no byte.
        let edited = kv1::Edit::new(&document).apply().expect("applies");
        assert!(edited == document, "{}", path.display());
    }
    let mut legacy = 0;
    for path in corpus_files("s2content", &["vmdl"]) {
        let bytes = read(&path);
        if bytes.starts_with(b"<!-- schema text") {
            legacy += 1;
            continue;
        }
        let document = kv3::Document::from_bytes(&bytes).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        assert_same(&path, &bytes, &document.to_bytes().expect("writes"));
        let is_merged = path.ends_with("dotacraft_human_farm.vmdl");
        assert_eq!(document.validate().len(), usize::from(is_merged), "{}", path.display());
    }
    assert!(matches!(legacy, 0 | 5), "{legacy}");
}

#[test]
#[ignore = "needs the corpus"]
fn a_changed_key_of_a_map_changes_one_line() {
    for path in corpus_files("vmf", &["vmf"]) {
        let bytes = read(&path);
        let document = kv1::Document::from_bytes_with(&bytes, &kv1::ReadOptions::vmf()).expect("reads");
        let Some(world) = document.get("world") else { continue };
        let mut edit = kv1::Edit::new(&document);
        edit.set_value(world.get("classname").expect("every world has it"), "worldspawn2").expect("is a key");
        edit.insert_key(Some(world), "detailvbsp", "new.vbsp").expect("is a block");
        let edited = edit.apply().expect("applies");
        let text = |bytes: &[u8]| bytes.split(|&byte| byte == b'\n').map(<[u8]>::to_vec).collect::<Vec<_>>();
        let (old, mut new) = (text(&bytes), text(edited.as_bytes()));
        let end: &[u8] = if bytes.windows(2).any(|pair| pair == b"\r\n") { b"\r" } else { b"" };
        let added = [b"\t\"detailvbsp\" \"new.vbsp\"", end].concat();
        let index = new.iter().rposition(|line| *line == added).unwrap_or_else(|| panic!("{}", path.display()));
        new.remove(index);
        let changed: Vec<_> = old.iter().zip(&new).filter(|(old, new)| old != new).collect();
        assert_eq!((old.len(), changed.len()), (new.len(), 1), "{}", path.display());
    }
}

#[test]
#[ignore = "needs the corpus"]
fn materials_of_the_corpus_have_a_base_color() {
    let mut without = Vec::new();
    for path in corpus_files("s2content", &["vmat"]) {
        let material = Vmat::from_bytes(&read(&path)).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        assert!(material.shader_name().is_some(), "{}", path.display());
        match material.input(Role::BaseColor) {
            Some(input) => assert!(input.source != Source::Image(""), "{}", path.display()),
            None => without.push(path),
        }
    }
    println!("without a base colour: {without:?}");
    assert!(without.len() <= 4, "{without:?}");
}

#[test]
#[ignore = "needs the corpus"]
fn models_and_settings_of_the_corpus_are_read() {
    for path in corpus_files("s2content", &["vmdl"]) {
        let model = Vmdl::from_bytes(&read(&path)).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        let name = path.file_stem().unwrap_or_default().to_string_lossy();
        // Two models have only animations or particles, and two are spheres.
        let has_mesh = !["sbox-cinema_cinema_toilet", "sbox-hover_rocket_pack"].contains(&&*name);
        assert_eq!(!model.meshes.is_empty() || !model.primitives.is_empty(), has_mesh, "{name}");
    }
    let settings: Vec<PathBuf> = corpus_files("s2content", &["txt"]);
    for path in &settings {
        let settings =
            TextureSettings::from_bytes(&read(path)).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        assert!(settings.others.is_empty(), "{settings:?}");
    }
    for path in corpus_files("s2content", &["gi"]) {
        let game = GameInfo::from_bytes(&read(&path)).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        assert_eq!(game.content_roots(), ["content/hlvr", "content/core"], "{}", path.display());
    }
}
