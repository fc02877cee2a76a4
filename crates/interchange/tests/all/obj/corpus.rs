//! Files written by Wings 3D itself.

use mapwright_interchange::obj;
use mapwright_scene::*;
use mapwright_testkit::{corpus, files_below};

#[test]
#[ignore = "needs the corpus"]
fn the_exports_of_wings_are_read_and_written_again() {
    let Some(folder) = corpus("wings") else { return };
    let mut seen = 0;
    for file in files_below(&folder).iter().filter(|file| file.extension().is_some_and(|extension| extension == "obj"))
    {
        let data = std::fs::read(file).unwrap();
        let beside = |name: &str| std::fs::read(file.with_file_name(name)).ok();
        let import = obj::to_scene(&data, &beside, &obj::ImportOptions::default()).unwrap();
        assert_eq!(import.scene.validate(), [], "{}", file.display());

        // Wings counts vertices and faces of each object in a comment.
        let text = String::from_utf8_lossy(&data);
        let expected: Vec<String> =
            text.lines().filter(|line| line.contains(" vertices, ")).map(str::to_owned).collect();
        let found: Vec<String> = import
            .scene
            .meshes
            .iter()
            .map(|(_, mesh)| format!("#{} vertices, {} faces", mesh.positions.len(), mesh.faces.len()))
            .collect();
        assert_eq!(found, expected, "{}", file.display());
        assert!(import.losses.iter().all(|loss| loss.kind == LossKind::Synthesized), "{:#?}", import.losses);
        let images = import.scene.images.items();
        assert!(images.iter().all(|image| matches!(image.source, ImageSource::Pixels(_))), "{}", file.display());

        let export = obj::from_scene(&import.scene, &obj::ExportOptions::default()).unwrap();
        let again = obj::to_scene(&export.document.main, &export.document, &obj::ImportOptions::default()).unwrap();
        // `Ns` goes through a multiplication, so materials may differ in the last digit.
        assert_eq!(again.scene.meshes, import.scene.meshes, "{}", file.display());
        assert_eq!(again.scene.nodes, import.scene.nodes, "{}", file.display());
        assert_eq!(again.scene.images, import.scene.images, "{}", file.display());
        seen += 1;
    }
    assert!(seen > 0, "no OBJ file below {}", folder.display());
}
