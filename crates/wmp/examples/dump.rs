//! Prints the contents of a map: `cargo run --example wmp-dump -- FILE`.

use std::process::ExitCode;

use mapwright_wmp::{Document, EntityKind};

fn main() -> ExitCode {
    let Some(path) = std::env::args_os().nth(1) else {
        eprintln!("usage: wmp-dump FILE");
        return ExitCode::from(2);
    };
    let map = match std::fs::read(&path)
        .map_err(|error| error.to_string())
        .and_then(|bytes| Document::from_bytes(&bytes).map_err(|error| error.to_string()))
    {
        Ok(map) => map,
        Err(error) => {
            eprintln!("{}: {error}", path.display());
            return ExitCode::FAILURE;
        }
    };
    println!("{}: {} blocks, {} objects", map.dialect.name(), map.blocks.len(), map.objects.len());
    for entity in &map.entities {
        if let EntityKind::Model(model) = &entity.kind {
            println!("model {} {} {}", model.name, model.file, model.action);
        }
    }
    ExitCode::SUCCESS
}
