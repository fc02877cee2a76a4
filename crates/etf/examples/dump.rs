//! Prints the term of a file as Erlang text: `cargo run --example etf-dump -- FILE [BYTES TO SKIP]`.
//!
//! The payload of a `.wings` file starts after 19 bytes.

use std::error::Error;
use std::{env, fs};

use mapwright_etf::{Document, Layout, Mode, ReadOptions, TextOptions, WriterProfile};

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = env::args().skip(1);
    let path = arguments.next().ok_or("which file?")?;
    let skipped: usize = arguments.next().map_or(Ok(0), |bytes| bytes.parse())?;
    let file = fs::read(path)?;
    let options = ReadOptions::default().with_mode(Mode::Lenient);
    let document = Document::from_bytes_with(file.get(skipped..).ok_or("the file is shorter")?, &options)?;

    let root = document.tree().root();
    match WriterProfile::detect(root) {
        Some(profile) => println!("% as {} writes it", profile.name()),
        None => println!(
            "% as no generation of Erlang writes it, {} being the nearest",
            WriterProfile::for_term(root).name()
        ),
    }
    for finding in document.validate() {
        println!("% {finding}");
    }
    let text = TextOptions::default().with_layout(Layout::Indented { width: 100 }).with_max_binary(64);
    println!("{}.", root.to_text_with(&text));
    Ok(())
}
