//! Prints the classes of an FGD file: `cargo run --example fgd-dump -- FILE`.

use std::error::Error;
use std::{env, fs};

use mapwright_fgd::{Definitions, Document};

fn main() -> Result<(), Box<dyn Error>> {
    let path = env::args().nth(1).ok_or("expected one argument: FILE")?;
    let document = Document::from_bytes(&fs::read(&path)?)?;
    document.includes().for_each(|name| println!("include {name}"));
    for class in document.classes() {
        println!("{class:?}");
        class.members().for_each(|member| println!("    {member:?}"));
    }
    Definitions::new([(&*path, &document)]).findings().iter().for_each(|finding| println!("{finding}"));
    Ok(())
}
