//! Changes a key of the first block of a KeyValues text: `cargo run --example keyvalues-rewrite -- IN OUT KEY VALUE`.

use std::error::Error;
use std::{env, fs};

use mapwright_keyvalues::kv1::{Document, Edit};

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = env::args().skip(1).collect();
    let [input, output, key, value] = &arguments[..] else {
        return Err("expected four arguments: IN OUT KEY VALUE".into());
    };

    let document = Document::from_bytes(&fs::read(input)?)?;
    let block = document.items().find(|item| item.is_block()).ok_or("the file has no block")?;
    let mut edit = Edit::new(&document);
    match block.get(key) {
        Some(item) => edit.set_value(item, value)?,
        None => edit.insert_key(Some(block), key, value)?,
    }
    fs::write(output, edit.apply()?.to_bytes()?)?;
    Ok(())
}
