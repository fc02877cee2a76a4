//! Applies edits to a map and writes it: `cargo run --example vmf-rewrite -- IN OUT "set class=light: style=0"`.

use std::error::Error;
use std::{env, fs};

use mapwright_vmf::Document;
use mapwright_vmf::query::{EditObjects, EditOptions};

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = env::args().skip(1).collect();
    let [input, output, edits @ ..] = &arguments[..] else {
        return Err("expected at least two arguments: IN OUT [EDIT…]".into());
    };
    let mut map = Document::from_vec(fs::read(input)?)?;
    for edit in edits {
        println!("{}", map.apply(&edit.parse()?, &EditOptions::default())?);
    }
    fs::write(output, map.to_bytes()?)?;
    Ok(())
}
