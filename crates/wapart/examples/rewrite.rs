//! Replaces a colour of an image and changes nothing else: `cargo run --example wapart-rewrite -- IN.PID OUT.PID FROM TO`.

use std::error::Error;
use std::{env, fs};

use mapwright_wapart::pid::Document;

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = env::args().skip(1).collect();
    let [input, output, from, to] = &arguments[..] else {
        return Err("expected four arguments: IN.PID OUT.PID FROM TO".into());
    };
    let (from, to): (u8, u8) = (from.parse()?, to.parse()?);

    let mut image = Document::from_bytes(&fs::read(input)?)?;
    let is_shown: Vec<bool> = image.skipped.iter().map(|skipped| !skipped).collect();
    for (pixel, index) in image.indices.iter_mut().enumerate() {
        if *index == from && is_shown.get(pixel).copied().unwrap_or(true) {
            *index = to;
        }
    }
    fs::write(output, image.to_bytes()?)?;
    Ok(())
}
