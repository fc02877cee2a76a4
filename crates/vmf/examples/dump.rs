//! Prints the content of a map: `cargo run --example vmf-dump -- FILE`.

use std::error::Error;
use std::{env, fs};

use mapwright_vmf::Document;

fn main() -> Result<(), Box<dyn Error>> {
    let path = env::args().nth(1).ok_or("expected one argument: FILE")?;
    let map = Document::from_vec(fs::read(path)?)?;
    for entity in map.all_entities() {
        println!("{}{}", entity.class().unwrap_or_default(), if entity.is_hidden() { " (hidden)" } else { "" });
        entity.keys().for_each(|key| println!("  {key:?}"));
        entity.outputs().for_each(|output| println!("  output {output:?}"));
        for solid in entity.solids() {
            println!("  solid {}", solid.id().unwrap_or_default());
            solid.sides().for_each(|side| println!("    {side:?}"));
        }
    }
    Ok(())
}
