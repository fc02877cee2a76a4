//! Prints the content of a material, model, map or other text: `cargo run --example keyvalues-dump -- FILE`.

use std::error::Error;
use std::{env, fs};

use mapwright_keyvalues::io::Confidence;
use mapwright_keyvalues::{Vmdl, kv1, kv3};

fn main() -> Result<(), Box<dyn Error>> {
    let path = env::args().nth(1).ok_or("expected one argument: FILE")?;
    let file = fs::read(&path)?;
    if path.ends_with(".vmdl") {
        println!("{:#?}", Vmdl::from_bytes(&file)?);
    }
    if kv3::sniff(&file) == Confidence::No {
        let options = if path.ends_with(".vmf") { kv1::ReadOptions::vmf() } else { kv1::ReadOptions::default() };
        let document = kv1::Document::from_bytes_with(&file, &options)?;
        let mut open = vec![document.items()];
        while let Some(items) = open.last_mut() {
            let Some(item) = items.next() else {
                open.pop();
                continue;
            };
            println!("{:indent$}{item:?}", "", indent = 4 * (open.len() - 1));
            open.push(item.items());
        }
    } else {
        let document = kv3::Document::from_bytes(&file)?;
        document.validate().iter().for_each(|finding| println!("{finding}"));
        document.values().for_each(|value| println!("{}: {value:?}", value.position()));
    }
    Ok(())
}
