//! Out and in again: the same scene.

use super::{from_scene, to_scene};
use mapwright_scene::NoFiles;
use mapwright_tiled::Syntax;
use mapwright_tiled::scene::{CellEncoding, ExportOptions};
use proptest::prelude::*;

use super::strategies;

pub(crate) fn all_options() -> [ExportOptions; 4] {
    let plain = ExportOptions::default().with_cells(CellEncoding::Plain);
    [
        ExportOptions::default(),
        ExportOptions::default().with_syntax(Syntax::Json),
        plain.clone(),
        plain.with_syntax(Syntax::Json),
    ]
}

proptest! {
    #[test]
    fn a_scene_of_tiles_comes_back_equal(scene in strategies::scene()) {
        for options in all_options() {
            let export = from_scene(&scene, &NoFiles, &options).unwrap();
            let back = to_scene(&export.document.main, &export.document).unwrap();
            prop_assert_eq!(&back.scene, &scene, "{}", String::from_utf8_lossy(&export.document.main));
            prop_assert!(back.losses.is_empty(), "{:#?}", back.losses);
            let again = from_scene(&back.scene, &NoFiles, &options).unwrap();
            prop_assert!(again.document == export.document);
        }
    }
}
