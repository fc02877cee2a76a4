//! Prints statistics and findings of a level: `cargo run --example wwd-dump -- FILE`.

use std::error::Error;
use std::{env, fs};

use mapwright_wwd::Document;

fn main() -> Result<(), Box<dyn Error>> {
    let path = env::args().nth(1).ok_or("which file?")?;
    let document = Document::from_bytes(&fs::read(path)?)?;
    let header = &document.header;
    println!("{:?} by {:?}, {:?}, {:?}", header.name, header.author, header.birth, header.flags);
    for plane in &document.planes {
        let (columns, rows) = plane.size();
        println!("{:?}: {columns} × {rows} tiles, {:?}, {} objects", plane.name, plane.flags, plane.objects.len());
        for object in &plane.objects {
            let (logic, image_set) = (object.logic.escape_ascii(), object.image_set.escape_ascii());
            println!("    {logic} at {}, {}: {image_set}", object.x, object.y);
        }
    }
    for finding in document.validate() {
        println!("{finding}");
    }
    Ok(())
}
