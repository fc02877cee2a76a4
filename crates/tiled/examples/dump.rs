//! Prints the content of a file of Tiled: `cargo run --example tiled-dump -- FILE`.

use std::error::Error;
use std::{env, fs};

use mapwright_tiled::Document;
use mapwright_tiled::query::Fields;

fn main() -> Result<(), Box<dyn Error>> {
    let path = env::args().nth(1).ok_or("which file?")?;
    let document = Document::from_bytes(&fs::read(path)?)?;
    println!("{} in {:?}, {} items", document.kind().name(), document.syntax(), document.item_count());
    for record in document.records() {
        let name = record.get_by_name("name").map(|name| name.to_string()).unwrap_or_default();
        println!("{} {} {name}", record.schema().kind, record.number().unwrap_or(0));
    }
    for finding in document.validate() {
        println!("{finding}");
    }
    Ok(())
}
