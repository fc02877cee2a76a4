//! Out and in again: the same scene.

use mapwright_interchange::tiled;
use mapwright_scene::NoFiles;
use proptest::prelude::*;

use super::strategies;
use tiled::{CellEncoding, ExportOptions, Format, ImportOptions};

pub(crate) fn all_options() -> [ExportOptions; 4] {
    let plain = ExportOptions::default().with_cells(CellEncoding::Plain);
    [
        ExportOptions::default(),
        ExportOptions::default().with_format(Format::Tmj),
        plain.clone(),
        plain.with_format(Format::Tmj),
    ]
}

proptest! {
    #[test]
    fn a_scene_of_tiles_comes_back_equal(scene in strategies::scene()) {
        for options in all_options() {
            let export = tiled::from_scene(&scene, &NoFiles, &options).unwrap();
            let back = tiled::to_scene(&export.document.main, &export.document, &ImportOptions::default()).unwrap();
            prop_assert_eq!(&back.scene, &scene, "{}", String::from_utf8_lossy(&export.document.main));
            prop_assert!(back.losses.is_empty(), "{:#?}", back.losses);
            let again = tiled::from_scene(&back.scene, &NoFiles, &options).unwrap();
            prop_assert!(again.document == export.document);
        }
    }
}
