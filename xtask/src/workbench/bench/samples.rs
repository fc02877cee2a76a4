//! What is measured: the largest files of the local corpus, or a torus made here.

use std::cmp::Reverse;
use std::fs;
use std::path::Path;

use mapwright_etf::{Builder, Document, Packing, Profile};
use mapwright_testkit::{corpus, files_below};

/// How many files of the corpus are measured.
const COUNT: usize = 6;

/// A file.
pub(super) struct Sample {
    pub(super) name: String,
    pub(super) file: Vec<u8>,
    /// The uncompressed term in it, with the 131 in front.
    pub(super) term: Vec<u8>,
}

/// The samples, the largest first.
pub(super) fn samples() -> Result<Vec<Sample>, String> {
    let mut samples = match corpus("wings") {
        Some(folder) => {
            let mut files = files_below(&folder);
            files.retain(|file| file.extension().is_some_and(|extension| extension == "wings"));
            // What is no whole term, a probe of damage perhaps, is no sample.
            files.iter().filter_map(|file| read(file).ok()).collect()
        }
        None => vec![sample("a torus made here".to_owned(), torus(300, 100)?)?],
    };
    samples.sort_by_key(|sample| Reverse(sample.term.len()));
    samples.truncate(COUNT);
    Ok(samples)
}

fn read(path: &Path) -> Result<Sample, String> {
    let file = fs::read(path).map_err(|error| format!("{}: {error}", path.display()))?;
    sample(path.file_name().unwrap_or_default().to_string_lossy().into_owned(), file)
}

/// Bytes of a file before its payload: 15 of magic and 4 of length.
pub(super) const HEADER: usize = 19;

fn sample(name: String, file: Vec<u8>) -> Result<Sample, String> {
    let payload = file.get(HEADER..).unwrap_or_default();
    let document = Document::from_bytes(payload).map_err(|error| format!("{name}: {error}"))?;
    let term = [&[131], document.tree().as_bytes()].concat();
    Ok(Sample { name, file, term })
}

/// A `.wings` file like that of a torus of so many by so many faces, as OTP 17 to 25 spell it: for measuring only, since
/// its edges have the sizes of a torus' edges but not their order.
fn torus(around: u32, across: u32) -> Result<Vec<u8>, String> {
    let mut term = Builder::new(Profile::Otp17);
    let face = |i: u32, j: u32| i64::from((i % around) * across + j % across);
    term.tuple(3);
    term.atom("wings");
    term.integer(2);
    term.tuple(3);
    term.begin_list();
    term.tuple(4);
    term.atom("object");
    term.text("torus");
    term.tuple(5);
    term.atom("winged");
    term.begin_list();
    for i in 0..around {
        for j in 0..across {
            // One edge along each direction; corners and faces have the same numbers on a torus.
            for (to, right) in [(face(i + 1, j), face(i, j + across - 1)), (face(i, j + 1), face(i + around - 1, j))] {
                let [at, next, last] = [face(i, j), face(i + 1, j + 1), face(i + around - 1, j + across - 1)];
                term.begin_list();
                term.tuple(9);
                term.atom("edge");
                for number in [at, to, at, right, 2 * last, 2 * next, 2 * last + 1, 2 * next + 1] {
                    term.integer(number);
                }
                term.end_list();
            }
        }
    }
    term.end_list();
    term.begin_list();
    (0..around * across).for_each(|_| empty_list(&mut term));
    term.end_list();
    term.begin_list();
    for i in 0..around {
        let u = f64::from(i) / f64::from(around) * std::f64::consts::TAU;
        for j in 0..across {
            let v = f64::from(j) / f64::from(across) * std::f64::consts::TAU;
            let radius = 2.0 + v.cos();
            let place = [radius * u.cos(), v.sin(), radius * u.sin()].map(f64::to_be_bytes);
            term.begin_list();
            term.binary(place.as_flattened());
            term.end_list();
        }
    }
    term.end_list();
    empty_list(&mut term); // hard edges
    empty_list(&mut term); // properties of the object
    term.end_list();
    empty_list(&mut term); // materials
    empty_list(&mut term); // properties of the scene
    let tree = term.finish().map_err(|error| error.to_string())?;
    let mut document = Document::new(tree);
    document.set_packing(Packing::Compressed { trailing: Vec::new() });
    let payload = document.to_bytes().map_err(|error| error.to_string())?;
    let length = u32::try_from(payload.len()).map_err(|error| error.to_string())?;
    Ok([b"#!WINGS-1.0\r\n\x1a\x04", length.to_be_bytes().as_slice(), &payload].concat())
}

fn empty_list(term: &mut Builder) {
    term.begin_list();
    term.end_list();
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_torus_is_a_scene_with_one_object() {
        let file = torus(6, 4).unwrap();
        let model = mapwright_wings::Document::from_bytes(&file).unwrap().model().unwrap();
        assert_eq!(model.objects().count(), 1);
        assert_eq!(sample("torus".to_owned(), file).unwrap().term[0], 131);
    }
}
