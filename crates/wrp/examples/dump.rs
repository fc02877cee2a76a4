//! Prints the content of a terrain: `cargo run --example wrp-dump -- FILE`.

use std::error::Error;
use std::{env, fs};

use mapwright_wrp::Document;

fn main() -> Result<(), Box<dyn Error>> {
    let path = env::args().nth(1).ok_or("which file?")?;
    let document = Document::from_bytes(&fs::read(path)?)?;
    let [columns, rows] = document.ground().size;
    let [width, depth] = document.extent();
    println!("{}: {columns} × {rows} heights, {width} × {depth} m", document.variant());
    let objects = document.objects();
    for (model, count) in objects.models.iter().zip(objects.counts()) {
        println!("{count:8} {model}");
    }
    for finding in document.validate() {
        println!("{finding}");
    }
    Ok(())
}
