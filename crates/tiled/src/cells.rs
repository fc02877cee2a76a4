//! Cells of layers: decoding and encoding.

mod compression;

use base64::Engine as _;
use base64::alphabet::STANDARD;
use base64::engine::{DecodePaddingMode, GeneralPurpose, GeneralPurposeConfig};
use mapwright_io::{Budget, Position};

use crate::codes::{Compression, Encoding, Gid, LayerKind};
use crate::document::{Item, ItemKind};
use crate::read::Failure;
use crate::view::{AttributeValue, Layer, Map};
use crate::{ReadError, ReadErrorKind};

pub(crate) use compression::compress;

/// Writers disagree about padding, and some leave bits of the last character set.
const BASE64: GeneralPurpose = GeneralPurpose::new(
    &STANDARD,
    GeneralPurposeConfig::new()
        .with_decode_padding_mode(DecodePaddingMode::Indifferent)
        .with_decode_allow_trailing_bits(true),
);

/// The cells of a layer.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Cells<'a> {
    /// The layer.
    layer: Item<'a>,
    /// The item with the encoding: the element `data` in XML, the layer in JSON.
    data: Item<'a>,
}

/// The cells of a chunk, or of a layer without chunks.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Chunk<'a> {
    cells: Cells<'a>,
    /// The item with position and size: the chunk or the layer.
    place: Item<'a>,
    /// The item with the cells: an element, a text or an array.
    payload: Item<'a>,
}

impl<'a> Layer<'a> {
    /// Returns the cells of a layer of cells.
    pub fn cells(self) -> Option<Cells<'a>> {
        if self.kind() != LayerKind::Tiles {
            return None;
        }
        let layer = self.item();
        match layer.kind() {
            ItemKind::Element => layer.elements().find(|child| child.is("data")).map(|data| Cells { layer, data }),
            _ => layer.get("data").or_else(|| layer.get("chunks")).map(|_| Cells { layer, data: layer }),
        }
    }
}

impl<'a> Cells<'a> {
    fn is_xml(self) -> bool {
        self.data.kind() == ItemKind::Element
    }

    /// Returns the encoding. Returns `None` if it is unknown.
    pub fn encoding(self) -> Option<Encoding> {
        match self.data.get("encoding") {
            Some(encoding) => Encoding::read(encoding),
            None if self.is_xml() => Some(Encoding::Tiles),
            None => Some(Encoding::Csv),
        }
    }

    /// Returns the compression. Returns `None` if it is unknown.
    pub fn compression(self) -> Option<Compression> {
        self.data.get("compression").map_or(Some(Compression::None), Compression::read)
    }

    /// Returns `true` if the cells are in chunks. An empty layer of an infinite map has no chunks, and so no cells.
    pub fn has_chunks(self) -> bool {
        match self.is_xml() {
            true => {
                let is_infinite = || self.data.document().as_map().is_some_and(Map::infinite);
                let is_empty = || self.data.raw().trim_ascii().is_empty();
                self.data.elements().any(|child| child.is("chunk")) || (is_empty() && is_infinite())
            }
            false => self.data.get("chunks").is_some(),
        }
    }

    /// Returns the item with encoding and compression.
    pub(crate) const fn data(self) -> Item<'a> {
        self.data
    }

    /// Returns the item in which the chunks are: the element `data`, or the array.
    pub(crate) fn list(self) -> Option<Item<'a>> {
        if self.is_xml() { Some(self.data) } else { self.data.get("chunks") }
    }

    /// Iterates over the chunks, in the order of the file. Later chunks cover earlier ones. A layer without chunks is one chunk.
    pub fn chunks(self) -> impl Iterator<Item = Chunk<'a>> + Clone {
        let (is_xml, has_chunks) = (self.is_xml(), self.has_chunks());
        let list = self.list().filter(|_| has_chunks);
        let chunks = list.into_iter().flat_map(Item::items);
        let chunks = chunks.filter(move |item| match is_xml {
            true => item.kind() == ItemKind::Element && item.is("chunk"),
            false => item.kind() == ItemKind::Object,
        });
        let payload = move |item: Item<'a>| if is_xml { Some(item) } else { item.get("data") };
        let chunks = chunks.filter_map(move |place| Some(Chunk { cells: self, place, payload: payload(place)? }));
        let whole = Chunk { cells: self, place: self.layer, payload: payload(self.data).unwrap_or(self.data) };
        chunks.chain((!has_chunks).then_some(whole))
    }
}

impl<'a> Chunk<'a> {
    /// Returns the element or object of the chunk, or the layer.
    pub const fn item(self) -> Item<'a> {
        self.place
    }

    pub(crate) const fn payload(self) -> Item<'a> {
        self.payload
    }

    fn number(self, name: &str) -> Option<i32> {
        i32::read(self.place.get(name)?)
    }

    /// Returns the column and row of the first cell.
    pub fn origin(self) -> [i32; 2] {
        match self.cells.has_chunks() {
            true => ["x", "y"].map(|name| self.number(name).unwrap_or(0)),
            // The attributes of the layer are obsolete.
            false => [0, 0],
        }
    }

    /// Returns columns and rows.
    ///
    /// # Errors
    /// If one of them is missing, negative or no number.
    pub fn size(self) -> Result<[u32; 2], ReadError> {
        self.size_at().map_err(|failure| self.error(failure))
    }

    fn size_at(self) -> Result<[u32; 2], Failure> {
        let side = |name| {
            let number = self.number(name).and_then(|number| u32::try_from(number).ok());
            number.ok_or_else(|| (ReadErrorKind::CellSize { name }, self.place.range().start))
        };
        Ok([side("width")?, side("height")?])
    }

    /// Decodes the cells row by row, and counts them against the budget.
    ///
    /// # Errors
    /// If the number of cells is not that of the size; if the encoding or compression is unknown; if the cells are damaged; if the budget
    /// is exceeded.
    pub fn decode(self, budget: &mut Budget) -> Result<Vec<Gid>, ReadError> {
        self.decode_at(budget).map_err(|failure| self.error(failure))
    }

    fn error(self, (kind, at): Failure) -> ReadError {
        ReadError::new(kind, Position::in_text(self.place.document().as_str().as_bytes(), at))
    }

    /// Decodes the cells. Does not count the lines before an error.
    pub(crate) fn decode_at(self, budget: &mut Budget) -> Result<Vec<Gid>, Failure> {
        let [columns, rows] = self.size_at()?;
        let expected = u64::from(columns).saturating_mul(rows.into());
        let at = self.payload.value_range().start;
        let taken = budget.take_decompressed(expected.saturating_mul(4), Position::file(0));
        taken.map_err(|fault| (fault.kind.into(), at))?;
        let most = usize::try_from(expected).unwrap_or(usize::MAX).saturating_add(1);
        let found = match (self.payload.kind(), self.cells.encoding()) {
            (ItemKind::Array, _) => self.decode_numbers(most)?,
            (_, None) => {
                let name = self.cells.data.get("encoding").map(Item::text).unwrap_or_default();
                return Err((ReadErrorKind::Encoding(name.chars().take(40).collect()), at));
            }
            (_, Some(Encoding::Csv)) => self.decode_numbers(most)?,
            (_, Some(Encoding::Base64)) => self.decode_base64(most).map_err(|kind| (kind, at))?,
            (_, Some(Encoding::Tiles)) => self.decode_tiles(most),
        };
        if found.len() as u64 == expected {
            return Ok(found);
        }
        let more = found.len() as u64 > expected;
        let found = if more { expected } else { found.len() as u64 };
        Err((ReadErrorKind::CellCount { found, expected, more }, at))
    }

    /// Reads up to `most` elements `tile`. Without a valid `gid`, the cell is empty, as in Tiled.
    fn decode_tiles(self, most: usize) -> Vec<Gid> {
        let tiles = self.tiles().take(most);
        tiles.map(|tile| tile.get("gid").and_then(Gid::read).unwrap_or_default()).collect()
    }

    /// Iterates over the elements `tile`.
    pub(crate) fn tiles(self) -> impl Iterator<Item = Item<'a>> {
        self.payload.elements().filter(|child| child.is("tile"))
    }

    /// Returns `true` if the numbers of the cells are in the text without references or comments.
    pub(crate) fn is_plain(self) -> bool {
        self.payload.kind() != ItemKind::Element || !self.payload.raw().contains(['<', '&'])
    }

    /// Reads up to `most` numbers.
    fn decode_numbers(self, most: usize) -> Result<Vec<Gid>, Failure> {
        let number = |(at, token): (usize, &str)| {
            read_gid(token).ok_or_else(|| (ReadErrorKind::Cell(token.chars().take(40).collect()), at))
        };
        if self.is_plain() {
            return self.payload.number_tokens().take(most).map(number).collect();
        }
        // The numbers have no positions of their own.
        let (text, at) = (self.payload.text(), self.payload.value_range().start);
        let tokens = text.split(',').map(|token| number((at, token.trim_ascii())));
        tokens.take(if text.trim_ascii().is_empty() { 0 } else { most }).collect()
    }

    fn decode_base64(self, most: usize) -> Result<Vec<Gid>, ReadErrorKind> {
        let bytes = decode_base64(&self.payload.text()).ok_or(ReadErrorKind::Base64)?;
        let Some(compression) = self.cells.compression() else {
            let name = self.cells.data.get("compression").map(Item::text).unwrap_or_default();
            return Err(ReadErrorKind::Compression(name.chars().take(40).collect()));
        };
        // One more cell than expected shows that there are too many.
        let bytes = compression::decompress(bytes, compression, most.saturating_mul(4))
            .map_err(|reason| ReadErrorKind::Stream { compression: compression.name(), reason })?;
        let (cells, rest) = bytes.as_chunks::<4>();
        if !rest.is_empty() {
            return Err(ReadErrorKind::PartialCell { bytes: bytes.len() as u64 });
        }
        Ok(cells.iter().map(|cell| Gid(u32::from_le_bytes(*cell))).collect())
    }
}

/// Decodes base64 with white space around it or in it.
pub(crate) fn decode_base64(text: &str) -> Option<Vec<u8>> {
    let trimmed = text.trim_ascii();
    match trimmed.bytes().any(|byte| byte.is_ascii_whitespace()) {
        true => BASE64.decode(trimmed.bytes().filter(|byte| !byte.is_ascii_whitespace()).collect::<Vec<u8>>()).ok(),
        false => BASE64.decode(trimmed).ok(),
    }
}

/// Reads a cell of numbers with commas. Some programs write the flags as a sign.
fn read_gid(token: &str) -> Option<Gid> {
    let signed = || token.parse().ok().map(i32::cast_unsigned);
    token.parse().ok().or_else(signed).map(Gid)
}

/// Encodes cells in base64, compressed as Tiled does.
///
/// A `level` from 0 to 9 is that of the attribute `compressionlevel`; -1 is the default. `old` is the payload that is replaced: its gzip
/// header is used again.
pub(crate) fn encode_base64(gids: &[Gid], compression: Compression, level: i32, old: &str) -> String {
    let bytes: Vec<u8> = gids.iter().flat_map(|gid| gid.0.to_le_bytes()).collect();
    let old = if compression == Compression::Gzip { decode_base64(old).unwrap_or_default() } else { Vec::new() };
    BASE64.encode(compress(bytes, compression, level, &old))
}
