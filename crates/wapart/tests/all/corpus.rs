//! The files of the corpus, if it is present.

use mapwright_testkit::{corpus, files_below, laws};
use mapwright_wapart::{ani, pcx, pid};

use crate::support::{read_ani, read_pcx, read_pid};

#[test]
#[ignore = "needs the corpus"]
fn corpus_files_come_back_byte_for_byte() {
    let mut counts = [0; 3];
    for folder in ["wapart", "acknex"] {
        let Some(folder) = corpus(folder) else { return };
        for path in files_below(&folder) {
            let name = path.display().to_string();
            let extension = path.extension().unwrap_or_default().to_string_lossy().to_ascii_lowercase();
            let bytes = || std::fs::read(&path).expect("a file of the corpus");
            match &*extension {
                "pid" => {
                    counts[0] += 1;
                    laws::exact(&name, &bytes(), read_pid, pid::Document::to_bytes);
                }
                "pcx" => {
                    counts[1] += 1;
                    laws::exact(&name, &bytes(), read_pcx, pcx::Document::to_bytes);
                }
                "ani" => {
                    counts[2] += 1;
                    laws::exact(&name, &bytes(), read_ani, ani::Document::to_bytes);
                }
                _ => {}
            }
        }
    }
    assert_eq!(counts, [3, 15, 16]);
}

/// Checks that packing without the stored encoding reproduces the files of the original programs.
#[test]
#[ignore = "needs the corpus"]
fn packing_the_pixels_of_the_corpus_again_gives_the_same_bytes() {
    let Some(folder) = corpus("wapart") else { return };
    for path in files_below(&folder).into_iter().filter(|path| path.extension().is_some_and(|name| name == "PID")) {
        let bytes = std::fs::read(&path).expect("a file of the corpus");
        let read = read_pid(&bytes).expect("an image");
        let mut image = pid::Document::new(read.width, read.height, read.indices);
        (image.offset, image.fill, image.flags) = (read.offset, read.fill, read.flags);
        (image.skipped, image.palette) = (read.skipped, read.palette);
        assert!(image.to_bytes().expect("an image") == bytes, "{}", path.display());
    }
}
