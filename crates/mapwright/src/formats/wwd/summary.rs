//! The summary of a WAP32 level.

use std::collections::BTreeMap;

use mapwright_io::format_count;
use mapwright_wwd::census::{Dropped, LogicCount, PlaneCount, TreasureCount};
use mapwright_wwd::logics::{Game, attribute_name};
use mapwright_wwd::{
    Checksum, Document, HeaderFlags, Note, PlaneFlags, Program, Provenance, Shape, TileProperties, WriterProfile,
    escape_bytes,
};
use serde::Serialize;

/// A summary of a WAP32 level. Texts are encoded as by [`escape_bytes`](mapwright_wwd::escape_bytes).
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct WwdInfo {
    /// The name.
    pub name: String,
    /// The author.
    pub author: String,
    /// The date of saving, in the format of the program.
    pub birth: String,
    /// The game, if the header identifies it.
    pub game: Option<&'static str>,
    /// The number by which the game chooses the images of the level.
    pub level_number: Option<u32>,
    /// The program that wrote the file, if its traces identify one.
    pub writer: Option<&'static str>,
    /// The start position of the player: x and y in pixels.
    pub start: [i32; 2],
    /// The folder of tile images.
    pub image_dir: String,
    /// The palette.
    pub palette: String,
    /// The path of the archive on the computer of the author.
    pub rez_file: String,
    /// The program that the editor starts to test the level.
    pub launch_app: String,
    /// Folders of object images with their prefixes.
    pub image_folders: Vec<ImageFolder>,
    /// The planes in the order of the file.
    pub planes: Vec<WwdPlane>,
    /// Number of objects of all planes.
    pub objects: usize,
    /// Objects that the game removes.
    pub dropped: DroppedObjects,
    /// Objects by logic, the most frequent first.
    pub logics: Vec<LogicInfo>,
    /// Treasure of Claw, by value.
    pub treasure: Vec<TreasureInfo>,
    /// Points for all treasure.
    pub score: u64,
    /// The collision attributes of tiles.
    pub tile_properties: Option<TilePropertiesInfo>,
    /// `true` if the main block is compressed.
    pub compressed: bool,
    /// The checksum in the header.
    pub checksum: u32,
    /// Bytes after the stored block.
    pub trailer_bytes: usize,
    /// Notes of WapMap in these bytes, as text.
    pub notes: Vec<String>,
    /// `true` if sections are in an order that no known program writes.
    pub unusual_layout: bool,
    /// The traces of the program that wrote the file.
    pub provenance: Option<WwdProvenance>,
}

/// Traces of the program that wrote a file.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct WwdProvenance {
    /// Programs whose algorithm gives the checksum.
    pub checksums: Vec<&'static str>,
    /// The first two bytes of the zlib stream, hexadecimal.
    pub zlib_header: Option<String>,
    /// The program whose compressor gives the first block of the zlib stream, bit for bit.
    pub compressor: Option<&'static str>,
    /// The program that writes dates in this format.
    pub birth: Option<&'static str>,
}

/// A folder of object images.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct ImageFolder {
    /// The prefix of the names of its images.
    pub prefix: String,
    /// The folder.
    pub folder: String,
}

/// One plane.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct WwdPlane {
    /// The name.
    pub name: String,
    /// The names of the flags; flags without a name as a number.
    pub flags: Vec<String>,
    /// Columns and rows.
    pub size: [u32; 2],
    /// Width and height of a tile in pixels.
    pub tile_size: [i32; 2],
    /// Horizontal and vertical movement relative to the camera, in percent.
    pub movement: [i32; 2],
    /// The drawing order: the plane covers objects with a smaller value.
    pub z: i32,
    /// The names of the image sets.
    pub image_sets: Vec<String>,
    /// Number of objects.
    pub objects: usize,
    /// Number of cells with a tile.
    pub tiles: u64,
    /// Number of different tiles.
    pub different_tiles: usize,
    /// Number of empty cells.
    pub empty: u64,
    /// Number of cells with the fill colour.
    pub filled: u64,
}

/// Objects that the game removes, by the first reason that applies.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize)]
pub struct DroppedObjects {
    /// Objects outside of their plane.
    pub outside: usize,
    /// Objects without a logic.
    pub without_logic: usize,
    /// Objects with a logic that Gruntz does not know.
    pub unknown_logic: usize,
}

/// Objects of one logic.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct LogicInfo {
    /// The logic.
    pub logic: String,
    /// Number of objects.
    pub count: usize,
    /// The role in the game, if known.
    pub meaning: Option<&'static str>,
}

/// Treasure of one kind.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct TreasureInfo {
    /// The kind.
    pub treasure: &'static str,
    /// Number of pieces that lie in the level.
    pub lying: u64,
    /// Number of pieces carried by enemies, or in crates and statues.
    pub held: u64,
    /// Points for all of them.
    pub score: u64,
}

/// The collision attributes of tiles.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct TilePropertiesInfo {
    /// Number of tiles with the same attribute everywhere.
    pub single: usize,
    /// Number of tiles with one attribute inside a rectangle and another outside.
    pub double: usize,
    /// Number of tiles with a mask: an attribute for each pixel.
    pub mask: usize,
    /// Attributes with their number of tiles, except in masks.
    pub attributes: Vec<AttributeCount>,
}

/// The number of tiles with an attribute.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct AttributeCount {
    /// The attribute.
    pub attribute: i32,
    /// The name, if known.
    pub name: Option<&'static str>,
    /// Number of tiles.
    pub tiles: usize,
}

impl WwdInfo {
    /// Summarizes a level.
    pub fn new(level: &Document) -> Self {
        let (census, header) = (level.census(), &level.header);
        let provenance = level.provenance();
        let text = |bytes: &[u8]| escape_bytes(bytes);
        let folders = [
            (&header.prefix_1, &header.image_set_1),
            (&header.prefix_2, &header.image_set_2),
            (&header.prefix_3, &header.image_set_3),
            (&header.prefix_4, &header.image_set_4),
        ];
        let folders =
            folders.map(|(prefix, folder)| ImageFolder { prefix: text(prefix.text()), folder: text(folder.text()) });
        let Dropped { outside, without_logic, unknown_logic } = census.dropped;
        let game = census.game;
        Self {
            name: text(header.name.text()),
            author: text(header.author.text()),
            birth: text(header.birth.text()),
            game: game.map(Game::name),
            level_number: census.level_number,
            writer: provenance.as_ref().map(|it| it.program).filter(|&it| it != Program::Unknown).map(Program::name),
            provenance: provenance.as_ref().map(WwdProvenance::new),
            start: [header.start_x, header.start_y],
            image_dir: text(header.image_dir.text()),
            palette: text(header.pal_rez.text()),
            rez_file: text(header.rez_file.text()),
            launch_app: text(header.launch_app.text()),
            image_folders: folders.into_iter().filter(|it| !it.folder.is_empty() || !it.prefix.is_empty()).collect(),
            compressed: header.flags.has(HeaderFlags::COMPRESS),
            checksum: header.checksum,
            planes: census.planes.iter().map(WwdPlane::new).collect(),
            objects: census.objects,
            dropped: DroppedObjects { outside, without_logic, unknown_logic },
            logics: census.logics.iter().map(LogicInfo::new).collect(),
            treasure: census.treasure.iter().map(TreasureInfo::new).collect(),
            score: census.score(),
            tile_properties: level
                .tile_properties
                .as_ref()
                .map(|table| TilePropertiesInfo::new(table, game.unwrap_or(Game::Claw))),
            trailer_bytes: level.trailer.len(),
            notes: match level.notes() {
                Ok(notes) => notes.iter().flat_map(|notes| &notes.items).map(note_text).collect(),
                Err(error) => vec![error.to_string()],
            },
            unusual_layout: level.layout.is_some(),
        }
    }
}

fn writer_name(style: WriterProfile) -> &'static str {
    match style {
        WriterProfile::WapMap => Program::WapMap.name(),
        _ => Program::Editor.name(),
    }
}

impl WwdProvenance {
    fn new(provenance: &Provenance) -> Self {
        Self {
            checksums: provenance.checksums.iter().map(|checksum| Checksum::name(*checksum)).collect(),
            zlib_header: provenance.zlib_header.map(|[first, second]| format!("{first:02x}{second:02x}")),
            compressor: provenance.compressor.map(writer_name),
            birth: provenance.birth.map(writer_name),
        }
    }
}

impl WwdPlane {
    fn new(plane: &PlaneCount) -> Self {
        let known = PlaneFlags::KNOWN.iter().filter(|(flag, _)| plane.flags.has(*flag));
        let unknown = Some(plane.flags.unknown()).filter(|&bits| bits != 0).map(|bits| format!("{bits:#x}"));
        Self {
            name: escape_bytes(&plane.name),
            flags: known.map(|(_, name)| name.to_lowercase().replace('_', " ")).chain(unknown).collect(),
            size: plane.size.into(),
            tile_size: plane.tile_size.into(),
            movement: plane.movement.into(),
            z: plane.z_coord,
            image_sets: plane.image_sets.iter().map(|name| escape_bytes(name)).collect(),
            objects: plane.objects,
            tiles: plane.tiles,
            different_tiles: plane.used.len(),
            empty: plane.empty,
            filled: plane.filled,
        }
    }
}

impl LogicInfo {
    fn new(one: &LogicCount) -> Self {
        let meaning = one.info.map(|info| info.meaning).filter(|meaning| !meaning.is_empty());
        Self { logic: escape_bytes(&one.logic), count: one.count, meaning }
    }
}

impl TreasureInfo {
    fn new(one: &TreasureCount) -> Self {
        Self { treasure: one.treasure.name(), lying: one.lying, held: one.held, score: one.score() }
    }
}

impl TilePropertiesInfo {
    fn new(table: &TileProperties, game: Game) -> Self {
        let mut info = Self { single: 0, double: 0, mask: 0, attributes: Vec::new() };
        let mut attributes: BTreeMap<i32, usize> = BTreeMap::new();
        for item in &table.items {
            match item.shape {
                Shape::Single(attribute) => {
                    info.single += 1;
                    *attributes.entry(attribute).or_default() += 1;
                }
                Shape::Double { outside, inside, .. } => {
                    info.double += 1;
                    *attributes.entry(outside).or_default() += 1;
                    if inside != outside {
                        *attributes.entry(inside).or_default() += 1;
                    }
                }
                Shape::Mask(_) => info.mask += 1,
            }
        }
        let count = |(attribute, tiles)| AttributeCount { attribute, name: attribute_name(attribute, game), tiles };
        info.attributes = attributes.into_iter().map(count).collect();
        info
    }
}

fn note_text(note: &Note) -> String {
    match note {
        Note::About(about) => format!(
            "WapMap {} build {}; version {} build {} of the level; {}",
            escape_bytes(&about.wapmap_version),
            about.wapmap_build,
            escape_bytes(&about.map_version),
            about.map_build,
            if about.description.is_empty() { "no description".to_owned() } else { escape_bytes(&about.description) }
        ),
        Note::Guides(guides) => format_count(guides.len(), "guide"),
        Note::Favourites(places) => {
            let names: Vec<String> = places
                .iter()
                .map(|place| format!("{} at {},{}", escape_bytes(&place.name), place.x, place.y))
                .collect();
            format!("favourite places: {}", names.join("; "))
        }
        Note::Other { id, bytes } => format!("note of kind {id}, {}", format_count(bytes.len(), "byte")),
        _ => "unknown note".to_owned(),
    }
}
