//! Prints the content of an image or animation: `cargo run --example wapart-dump -- FILE`.

use std::error::Error;
use std::{env, fs};

use mapwright_wapart::{Image, ani};

fn main() -> Result<(), Box<dyn Error>> {
    let path = env::args().nth(1).ok_or("expected one argument: FILE")?;
    let bytes = fs::read(&path)?;
    if !path.to_ascii_lowercase().ends_with(".ani") {
        let image = Image::from_file(path.as_bytes(), &bytes)?;
        let [x, y] = image.offset;
        println!("{} × {} pixels, offset {x}, {y}", image.width, image.height);
        return Ok(());
    }
    let animation = ani::Document::from_bytes(&bytes)?;
    for record in &animation.records {
        println!("{:?} {} for {} ms, {:?}", record.step, record.frame, record.duration_ms(), record.loop_mode);
    }
    for finding in animation.validate() {
        println!("{finding}");
    }
    Ok(())
}
