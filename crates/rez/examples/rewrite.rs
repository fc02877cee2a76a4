//! Replaces or adds a file and moves nothing else: `cargo run --example rez-rewrite -- IN OUT PATH FILE`.

use std::error::Error;
use std::{env, fs};

use mapwright_rez::Document;

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = env::args().skip(1).collect();
    let [input, output, path, file] = &arguments[..] else {
        return Err("expected four arguments: IN OUT PATH FILE".into());
    };

    let mut document = Document::from_vec(fs::read(input)?)?;
    document.write_file(path, fs::read(file)?, None)?;
    fs::write(output, document.to_bytes()?)?;
    Ok(())
}
