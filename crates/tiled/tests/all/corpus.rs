//! Real files, if the corpus is present.

use crate::support;

use std::path::PathBuf;

use mapwright_testkit::{corpus, files_below, laws};
use mapwright_tiled::io::{Budget, Confidence, Limits};
use mapwright_tiled::view::Layer;
use mapwright_tiled::{Cells, Document, DocumentKind, Edit, Gid, sniff};

/// Returns the files of the corpus. Returns `None` if its folder is missing, which is reported.
fn files() -> Option<Vec<PathBuf>> {
    let files = files_below(&corpus("tiled")?).into_iter();
    let is_text = |path: &PathBuf| {
        let extensions = ["tmx", "tsx", "tx", "tmj", "tsj", "tj", "json", "world"];
        path.extension().is_some_and(|found| extensions.iter().any(|it| found == *it))
    };
    Some(files.filter(is_text).collect())
}

#[test]
#[ignore = "needs the corpus"]
fn real_files_come_back_byte_for_byte() {
    let Some(files) = files() else { return };
    let mut counts = [0; 4];
    for path in files {
        let name = path.display().to_string();
        let bytes = std::fs::read(&path).unwrap_or_else(|error| panic!("{name}: {error}"));
        laws::exact(&name, &bytes, support::read, Document::to_bytes);
        assert_eq!(sniff(&bytes), Confidence::Maybe, "{name}");
        let document = Document::from_bytes(&bytes).expect("was read before");
        let kind = document.kind();
        counts[kind as usize] += 1;
        let is_expected = match path.extension().and_then(|extension| extension.to_str()) {
            Some("tmx") => kind == DocumentKind::Map,
            Some("tsx") => kind == DocumentKind::Tileset,
            Some("tx") => kind == DocumentKind::Template,
            Some("world") => kind == DocumentKind::World,
            _ => true,
        };
        assert!(is_expected, "{name}: {kind:?}");
        for item in document.items() {
            let text = &document.as_str()[item.range()];
            assert!(text.contains(&*item.name()) || text.contains('\\'), "{name}: {item:?}");
            let _ = item.text();
        }
    }
    println!("maps, tilesets, templates, worlds: {counts:?}");
    assert!(counts.iter().zip([50, 10, 5, 3]).all(|(count, least)| *count >= least), "{counts:?}");
}

#[test]
#[ignore = "needs the corpus"]
fn cells_of_real_maps_are_decoded() {
    let Some(files) = files() else { return };
    let (mut layers, mut filled) = (0, 0);
    for path in files {
        let document = Document::from_bytes(&std::fs::read(&path).expect("is a file")).expect("reads");
        let Some(map) = document.as_map() else { continue };
        let mut budget = Budget::new(&Limits::default());
        for cells in map.all_layers().filter_map(Layer::cells) {
            layers += 1;
            for chunk in cells.chunks() {
                let gids = chunk.decode(&mut budget).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
                filled += gids.iter().filter(|gid| !gid.is_empty()).count();
            }
        }
    }
    println!("{layers} layers, {filled} filled cells");
    assert!(layers >= 70 && filled >= 25_000);
}

#[test]
#[ignore = "needs the corpus"]
fn a_cell_that_is_changed_and_changed_back_leaves_no_trace() {
    let Some(files) = files() else { return };
    let (mut same, mut other) = (0, Vec::new());
    for path in files {
        let document = Document::from_bytes(&std::fs::read(&path).expect("is a file")).expect("reads");
        let Some(map) = document.as_map() else { continue };
        for (index, layer) in map.all_layers().enumerate() {
            let Some(chunk) = layer.cells().and_then(|cells| cells.chunks().last()) else { continue };
            let cells = chunk.decode(&mut Budget::new(&Limits::default())).expect("was decoded before");
            let (at, Some(&old)) = (chunk.origin(), cells.first()) else { continue };
            let set = |document: &Document, gid: Gid| {
                let layer = document.as_map().expect("a map").all_layers().nth(index).expect("the layer");
                let mut edit = Edit::new(document);
                edit.set_cells(layer, &[(at, gid)]).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
                edit.apply().unwrap_or_else(|error| panic!("{}: {error}", path.display()))
            };
            let changed = set(&document, Gid(old.0 ^ 1));
            assert!(changed != document, "{}", path.display());
            let reset = set(&changed, old);
            match reset == document {
                true => same += 1,
                false => {
                    other.push(format!("{} {:?}", path.display(), layer.cells().and_then(Cells::compression)));
                }
            }
        }
    }
    // Zstandard has many streams for the same cells.
    assert!(other.iter().all(|layer| layer.contains("Zstd")), "{other:#?}");
    println!("{same} layers are the same, others: {other:?}");
    assert!(same >= 70);
}
