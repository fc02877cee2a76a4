//! Prints the content of a scene and the findings about it: `cargo run --example wings-dump -- FILE`.

use std::error::Error;
use std::{env, fs};

use mapwright_wings::{Document, Shape};

fn main() -> Result<(), Box<dyn Error>> {
    let path = env::args().nth(1).ok_or("usage: wings-dump FILE")?;
    let document = Document::from_bytes(&fs::read(path)?)?;
    let model = document.model()?;
    for (index, shape) in model.shapes.iter().enumerate() {
        match shape {
            Shape::Object(object) => {
                let mesh = &object.mesh;
                let (vertices, edges) = (mesh.vertices.len(), mesh.edges.len());
                println!("{index}: {:?}, {vertices} vertices, {edges} edges, {:?}", object.name, object.state());
            }
            Shape::Other(opaque) => println!("{index}: unreadable: {}", opaque.reason),
        }
    }
    for material in model.materials() {
        println!("material {:?}: diffuse {:?}", material.name, material.color("diffuse"));
    }
    for image in model.images() {
        println!("image {:?}", image.name());
    }
    for finding in document.validate() {
        println!("{finding}");
    }
    Ok(())
}
