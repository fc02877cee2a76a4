//! Lists the content of an archive: `cargo run --example rez-dump -- FILE`.

use std::error::Error;
use std::{env, fs};

use mapwright_rez::Document;

fn main() -> Result<(), Box<dyn Error>> {
    let path = env::args().nth(1).ok_or("expected one argument: FILE")?;
    let document = Document::from_vec(fs::read(path)?)?;
    for (item, file) in document.files() {
        println!("{:10} {}", file.size(), item.path_text());
    }
    let overview = document.overview();
    println!("{} files, {} directories, {} unused bytes", overview.files, overview.directories, overview.unused_bytes);
    for finding in document.validate() {
        println!("{finding}");
    }
    Ok(())
}
