//! Moves every object of a level and leaves everything else as it is: `cargo run --example wwd-rewrite -- IN OUT X Y`.

use std::error::Error;
use std::{env, fs};

use mapwright_wwd::Document;

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = env::args().skip(1).collect();
    let [input, output, x, y] = &arguments[..] else { return Err("which file, where to, how far?".into()) };
    let (x, y): (i32, i32) = (x.parse()?, y.parse()?);

    let mut document = Document::from_bytes(&fs::read(input)?)?;
    for object in document.planes.iter_mut().flat_map(|plane| &mut plane.objects) {
        object.x = object.x.saturating_add(x);
        object.y = object.y.saturating_add(y);
    }
    // Compressed and summed up as the program would that wrote the file.
    fs::write(output, document.to_bytes()?)?;
    Ok(())
}
