//! Moves the blocks of a map up by a quant: `cargo run --example wmp-rewrite -- IN OUT`.

use mapwright_wmp::{Document, Shape};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut paths = std::env::args_os().skip(1);
    let (Some(from), Some(to)) = (paths.next(), paths.next()) else { return Err("usage: wmp-rewrite IN OUT".into()) };
    let mut map = Document::from_bytes(&std::fs::read(from)?)?;
    for block in &mut map.blocks {
        if let Shape::Mesh(mesh) = &mut block.shape {
            mesh.vertices.iter_mut().for_each(|[_, _, z]| *z += 1.0);
        }
    }
    std::fs::write(to, map.to_bytes()?)?;
    Ok(())
}
