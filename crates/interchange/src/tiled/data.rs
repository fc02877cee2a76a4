//! Encoding of the cells of layers.

use std::io::{Read, Write};

use flate2::{Compression, read::MultiGzDecoder, read::ZlibDecoder, write::ZlibEncoder};

use super::model::Data;
use crate::{Error, ErrorKind, base64, error::malformed};

/// The bits of a cell that flip or rotate its tile. The other bits are the tile.
pub(super) const FLIPS: u32 = 0xF000_0000;

/// Encodes cells as base64 of a zlib stream.
pub(super) fn pack(gids: &[u32]) -> String {
    let mut encoder = ZlibEncoder::new(Vec::new(), Compression::default());
    for part in gids.chunks(4096) {
        let bytes: Vec<u8> = part.iter().flat_map(|gid| gid.to_le_bytes()).collect();
        // Writing to memory never fails.
        let _ = encoder.write_all(&bytes);
    }
    base64::encode(&encoder.finish().unwrap_or_default())
}

/// Encodes cells as numbers, row by row.
pub(super) fn plain(gids: &[u32], columns: usize) -> String {
    let rows = gids.chunks(columns.max(1)).map(|row| {
        let row: Vec<String> = row.iter().map(u32::to_string).collect();
        row.join(",")
    });
    rows.collect::<Vec<String>>().join(",\n")
}

/// Decodes `count` cells. The caller has checked that there is memory for them.
pub(super) fn unpack(
    data: Option<Data>,
    encoding: &str,
    compression: &str,
    count: usize,
    path: &str,
) -> Result<Vec<u32>, Error> {
    let gids = match (data, encoding) {
        (None, _) => Vec::new(),
        (Some(Data::Gids(gids)), _) => gids,
        (Some(Data::Text(text)), "csv") => csv(&text, count, path)?,
        (Some(Data::Text(text)), "base64") => packed(&text, compression, count, path)?,
        (Some(Data::Text(text)), "") if text.trim().is_empty() => Vec::new(),
        (Some(Data::Text(_)), _) => {
            let kind = ErrorKind::Unsupported(format!("the encoding {encoding:?} of cells"));
            return Err(Error::on_path(kind, path));
        }
    };
    if gids.len() == count {
        Ok(gids)
    } else {
        let more = if gids.len() > count { " or more" } else { "" };
        Err(malformed(path, format!("{}{more} cells, expected {count}", gids.len())))
    }
}

/// Parses numbers, at most one more than expected.
fn csv(text: &str, count: usize, path: &str) -> Result<Vec<u32>, Error> {
    let text = text.trim();
    if text.is_empty() {
        return Ok(Vec::new());
    }
    let number = |(index, number): (usize, &str)| {
        let number = number.trim();
        number.parse().map_err(|_| malformed(format!("{path}[{index}]"), format!("{number:?} is not a cell")))
    };
    text.split(',').take(count.saturating_add(1)).enumerate().map(number).collect()
}

fn packed(text: &str, compression: &str, count: usize, path: &str) -> Result<Vec<u32>, Error> {
    let digits: Vec<u8> = text.bytes().filter(|byte| !byte.is_ascii_whitespace()).collect();
    let bytes = base64::decode(&digits).ok_or_else(|| malformed(path, "invalid base64"))?;
    let mut cells = Vec::new();
    // One more byte than expected shows that there are too many.
    let limit = (count as u64).saturating_mul(4).saturating_add(1);
    let inflated = match compression {
        "" => {
            cells = bytes;
            Ok(0)
        }
        _ if bytes.is_empty() => Ok(0),
        "zlib" => ZlibDecoder::new(bytes.as_slice()).take(limit).read_to_end(&mut cells),
        "gzip" => MultiGzDecoder::new(bytes.as_slice()).take(limit).read_to_end(&mut cells),
        _ => {
            let text = format!("{compression} compression of cells (Tiled: Map > Map Properties > Tile Layer Format)");
            return Err(Error::on_path(ErrorKind::Unsupported(text), path));
        }
    };
    inflated.map_err(|error| malformed(path, format!("the {compression} stream of the cells: {error}")))?;
    if cells.len() % 4 != 0 && cells.len() as u64 != limit {
        return Err(malformed(path, format!("{} bytes of cells are not a whole number of cells", cells.len())));
    }
    let (cells_of_four, rest) = cells.as_chunks::<4>();
    let more = (!rest.is_empty()).then_some(0);
    Ok(cells_of_four.iter().map(|&cell| u32::from_le_bytes(cell)).chain(more).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Source: TMX map format, "Tile flipping": horizontal, vertical, diagonal, and rotated hexagonal 120.
    #[test]
    fn flips_have_the_published_bits() {
        assert_eq!(FLIPS, 0x8000_0000 | 0x4000_0000 | 0x2000_0000 | 0x1000_0000);
    }
}
