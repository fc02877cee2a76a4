//! Prints the content of a map: `cargo run --example qmap-dump -- FILE`.

use std::error::Error;
use std::{env, fs};

use mapwright_qmap::Document;

fn main() -> Result<(), Box<dyn Error>> {
    let path = env::args().nth(1).ok_or("expected one argument: FILE")?;
    let map = Document::from_bytes(&fs::read(path)?)?;
    for entity in map.entities() {
        println!("entity {}", entity.index());
        entity.pairs().for_each(|pair| println!("  {pair:?}"));
        for primitive in entity.primitives() {
            println!("  {}", primitive.kind().name());
            primitive.faces().for_each(|face| println!("    {face:?}"));
            if let Some(patch) = primitive.patch() {
                println!("    {} × {} control points", patch.row_count(), patch.column_count());
            }
        }
    }
    Ok(())
}
