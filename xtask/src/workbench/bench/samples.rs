//! Samples to measure: the largest files of the local corpus, or a generated torus.

use std::cmp::Reverse;
use std::fs;
use std::path::Path;

use mapwright_testkit::{corpus, files_below};
use mapwright_wings::Document;

use crate::fixtures::wings;

/// The number of corpus files that are measured.
const COUNT: usize = 6;

/// A file.
pub(super) struct Sample {
    pub(super) name: String,
    pub(super) file: Vec<u8>,
    /// Its uncompressed term, beginning with 131.
    pub(super) term: Vec<u8>,
    /// The zlib stream of the term, if the file has one.
    pub(super) stream: Option<Vec<u8>>,
}

/// Returns the samples, largest first.
pub(super) fn samples() -> Result<Vec<Sample>, String> {
    let mut samples = match corpus("wings") {
        Some(folder) => {
            let mut files = files_below(&folder);
            files.retain(|file| file.extension().is_some_and(|extension| extension == "wings"));
            // Damaged files are no samples.
            files.iter().filter_map(|file| read(file).ok()).collect()
        }
        None => vec![sample("a torus made here".to_owned(), wings::torus_alone(300, 100))?],
    };
    samples.sort_by_key(|sample| Reverse(sample.term.len()));
    samples.truncate(COUNT);
    Ok(samples)
}

fn read(path: &Path) -> Result<Sample, String> {
    let file = fs::read(path).map_err(|error| format!("{}: {error}", path.display()))?;
    sample(path.file_name().unwrap_or_default().to_string_lossy().into_owned(), file)
}

fn sample(name: String, file: Vec<u8>) -> Result<Sample, String> {
    let document = Document::from_bytes(&file).map_err(|error| format!("{name}: {error}"))?;
    let payload = document.payload();
    let term = [&[131], payload.tree().as_bytes()].concat();
    let stream = payload.stream().map(<[u8]>::to_vec);
    Ok(Sample { name, file, term, stream })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_torus_is_a_scene_with_one_object() {
        let sample = sample("torus".to_owned(), wings::torus_alone(6, 4)).unwrap();
        assert_eq!(Document::from_bytes(&sample.file).unwrap().model().unwrap().objects().count(), 1);
        assert_eq!((sample.term[0], &sample.stream.unwrap()[..1]), (131, &[0x78][..]));
    }
}
