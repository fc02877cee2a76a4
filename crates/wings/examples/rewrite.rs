//! Moves every vertex of a scene up and keeps everything else: `cargo run --example wings-rewrite -- IN OUT HEIGHT`.

use std::error::Error;
use std::{env, fs};

use mapwright_wings::{Document, Shape};

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = env::args().skip(1).collect();
    let [input, output, height] = &arguments[..] else { return Err("usage: wings-rewrite IN OUT HEIGHT".into()) };
    let height: f64 = height.parse()?;

    let mut document = Document::from_bytes(&fs::read(input)?)?;
    let mut model = document.model()?;
    for shape in &mut model.shapes {
        if let Shape::Object(object) = shape {
            object.mesh.vertices.iter_mut().for_each(|position| position[1] += height);
        }
    }
    document.set_model(&model)?;
    fs::write(output, document.to_bytes()?)?;
    Ok(())
}
