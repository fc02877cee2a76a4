//! Prints the items of a file of Tiled: `cargo run --example tiled-dump -- FILE`.

use std::error::Error;
use std::{env, fs};

use mapwright_tiled::Document;

fn main() -> Result<(), Box<dyn Error>> {
    let path = env::args().nth(1).ok_or("which file?")?;
    let document = Document::from_bytes(&fs::read(path)?)?;
    println!("{} in {:?}, {} items", document.kind().name(), document.syntax(), document.item_count());
    for item in document.items() {
        println!("{item:?}");
    }
    Ok(())
}
