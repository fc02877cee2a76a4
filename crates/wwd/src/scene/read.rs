//! Conversion from levels to scenes.

mod context;
mod planes;
mod properties;
mod tiles;

use std::collections::HashMap;

use mapwright_deflate::adler32;
use mapwright_io::Frame;
use mapwright_scene::{Content, Import, Losses, Node, Properties, Scene, Value};

use super::fields::{CHECKSUM_BLOCK, Fields, new_object};
use crate::{Checksum, Document, HeaderFlags, Plane, ReadError, WriterProfile, escape_bytes};
use context::{Reader, to_transform};
use properties::text;

/// Fields of a header, plane and object that scenes store otherwise than as properties.
const HEADER: &[&str] = &["name", "start_x", "start_y"];
const PLANE: &[&str] = &[
    "flags",
    "name",
    "width_px",
    "height_px",
    "tile_w",
    "tile_h",
    "tiles_wide",
    "tiles_high",
    "movement_x",
    "movement_y",
    "fill_color",
    "z_coord",
];
const OBJECT: &[&str] = &["id", "x", "y", "z", "draw_flags", "name", "logic", "image_set"];

/// Maximum number of tiles that are created for cells. Real levels have some thousands; without a limit a cell of four bytes could
/// create 65,536 tiles.
const MAX_TILES: usize = 1 << 18;

/// Converts a level to a scene.
pub(super) fn read_scene(document: &Document) -> Result<Import, ReadError> {
    let mut reader = Reader {
        scene: Scene { name: text(&document.header, "name"), ..Scene::default() },
        sets: HashMap::new(),
        tiles_left: MAX_TILES,
        plane: Fields::new(&Plane::default(), PLANE),
        object: Fields::new(&new_object(), OBJECT),
    };
    add_header(document, &mut reader.scene.properties);
    for (index, plane) in document.planes.iter().enumerate() {
        planes::add_plane(&mut reader, index, plane)
            .map_err(|error| error.wrap(Frame::Index(index)).wrap(Frame::Field("planes")))?;
    }
    let Reader { mut scene, .. } = reader;
    // The collision belongs to a tile set of the planes.
    tiles::add_tile_properties(document, &mut scene);
    // The start comes last, so that planes have the same indices among the roots as in the file.
    let start = to_transform(document.header.start_x, document.header.start_y, 0);
    scene.add_node(None, Node { transform: start, ..Node::new("start", Content::Marker) });
    let mut losses = Losses::new();
    if document.layout.is_some() {
        let checksum = if block_of_unusual_checksum(document).is_some() {
            ", and its checksum, which no known program computes"
        } else {
            ""
        };
        losses.dropped("", format!("offsets of the sections in the file{checksum}"));
    }
    Ok(Import { scene, losses })
}

/// Adds the header, the profile and the trailer.
fn add_header(document: &Document, properties: &mut Properties) {
    properties.push("format", "wwd");
    properties.push("profile", if document.profile == WriterProfile::WapMap { "wapmap" } else { "editor" });
    Fields::new(&Document::new().header, HEADER).to_properties(&document.header, properties);
    let trailer = &document.trailer;
    // Escaped binary data is unreadable and takes four times the space.
    let plain = trailer.iter().filter(|&&byte| matches!(byte, b' '..=b'~')).count();
    match trailer.len() {
        0 => {}
        length if plain >= length / 2 => properties.push("trailer", escape_bytes(trailer)),
        _ => properties.push("trailer", Value::Bytes(trailer.clone())),
    }
    if let Some(block) = block_of_unusual_checksum(document) {
        properties.push(CHECKSUM_BLOCK, block);
    }
}

/// Returns the Adler-32 of the main block if its checksum is not the one that the profile produces.
fn block_of_unusual_checksum(document: &Document) -> Option<u32> {
    let (stored, main) = (document.stored_block()?, document.to_main_block().ok()?);
    let compressed = document.header.flags.has(HeaderFlags::COMPRESS);
    let usual = Checksum::from(document.profile).compute(stored, &main, compressed);
    (usual != document.header.checksum).then(|| adler32(&main))
}
