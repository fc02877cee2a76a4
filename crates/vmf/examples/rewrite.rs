//! Reads a map and writes it again: `cargo run --example vmf-rewrite -- IN OUT`.

use std::error::Error;
use std::{env, fs};

use mapwright_vmf::Document;

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = env::args().skip(1).collect();
    let [input, output] = &arguments[..] else {
        return Err("expected two arguments: IN OUT".into());
    };
    let map = Document::from_vec(fs::read(input)?)?;
    fs::write(output, map.to_bytes()?)?;
    Ok(())
}
