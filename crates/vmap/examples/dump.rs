//! Prints the nodes, assets and findings of a map: `cargo run --example vmap-dump -- FILE`.

use std::error::Error;
use std::{env, fs};

use mapwright_vmap::{Document, NodeKind};

fn main() -> Result<(), Box<dyn Error>> {
    let path = env::args().nth(1).ok_or("usage: vmap-dump FILE")?;
    let map = Document::from_bytes(&fs::read(path)?)?;
    println!("format {}", map.format_version());
    for visit in map.nodes() {
        let node = visit.node;
        let number = node.node_id().map_or_else(|| "-".to_owned(), |number| number.to_string());
        print!("{}{number} {} {:?}", "  ".repeat(visit.depth), text(node.class()), node.transform().origin);
        match node.kind() {
            NodeKind::Entity(entity) => println!(" {} {:?}", text(entity.classname()), text(entity.targetname())),
            NodeKind::Mesh(mesh) => println!(" {:?}", mesh.materials()),
            NodeKind::Prefab(prefab) => println!(" {}", text(prefab.path())),
            _ => println!(),
        }
    }
    for asset in map.assets() {
        println!("{}: {} ({} times)", asset.kind.name(), text(asset.path), asset.uses.len());
    }
    for finding in map.validate() {
        println!("{finding}");
    }
    Ok(())
}

fn text(bytes: &[u8]) -> std::borrow::Cow<'_, str> {
    String::from_utf8_lossy(bytes)
}
