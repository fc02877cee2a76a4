//! Sets a key of all entities of a class: `cargo run --example vmap-rewrite -- IN OUT CLASS KEY VALUE`.

use std::error::Error;
use std::{env, fs};

use mapwright_vmap::Document;

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = env::args().skip(1).collect();
    let [input, output, class, key, value] = &arguments[..] else {
        return Err("usage: vmap-rewrite IN OUT CLASS KEY VALUE".into());
    };
    let mut map = Document::from_bytes(&fs::read(input)?)?;
    let entities = map.nodes().filter_map(|visit| visit.node.entity());
    let chosen = entities.filter(|entity| entity.classname() == class.as_bytes());
    let chosen: Vec<_> = chosen.map(|entity| entity.node().id()).collect();
    map.edit(|map| chosen.iter().try_for_each(|entity| map.set_key(*entity, key, value)))?;
    fs::write(output, map.to_bytes()?)?;
    println!("{} entities", chosen.len());
    Ok(())
}
