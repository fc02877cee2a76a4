//! Raises every object of a terrain and changes nothing else: `cargo run --example wrp-rewrite -- IN OUT METRES`.

use std::error::Error;
use std::{env, fs};

use mapwright_wrp::{Document, Placements};

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = env::args().skip(1).collect();
    let [input, output, metres] = &arguments[..] else { return Err("which file, where to, how far?".into()) };
    let metres: f32 = metres.parse()?;

    let mut document = Document::from_bytes(&fs::read(input)?)?;
    match &mut document.objects_mut().placements {
        Placements::Matrices(matrices) => {
            for matrix in matrices.iter_mut().filter(|matrix| !matrix.fits_to_ground()) {
                matrix.position[1] += metres;
            }
        }
        Placements::Headings(headings) => headings.iter_mut().for_each(|heading| heading.y += metres),
    }
    fs::write(output, document.to_bytes()?)?;
    Ok(())
}
