//! Reads ESRI ASCII grids.

use mapwright_scene::{FileSource, Heights, Losses};

use super::{
    heights::{HeightmapData, Rounded, projection, spacing, to_metres_with},
    tokens::{Tokens, beyond_32_bits, number, shown},
};
use crate::{
    Error,
    error::malformed,
    heightmap::{CORNER_IS_POINT, Corner, ImportOptions},
};

/// Returns `true` if a text begins with a keyword of the header.
pub(super) fn is_head(bytes: &[u8]) -> bool {
    let mut tokens = Tokens::new(bytes, u8::is_ascii_whitespace);
    tokens.next().is_some_and(|word| Keyword::from_word(word).is_some())
}

/// Returns the value that marks points without a height, if the header contains one.
pub(in crate::heightmap) fn no_data_value(bytes: &[u8]) -> Option<f64> {
    let head = Head::read(&mut Tokens::new(bytes, u8::is_ascii_whitespace), &mut Losses::new()).ok()?;
    number(head.word(Keyword::NoData)?)
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Keyword {
    Columns,
    Rows,
    XCorner,
    YCorner,
    XCenter,
    YCenter,
    CellSize,
    Dx,
    Dy,
    NoData,
}

impl Keyword {
    const COUNT: usize = Self::NoData as usize + 1;

    fn from_word(word: &[u8]) -> Option<Self> {
        Some(match word.to_ascii_lowercase().as_slice() {
            b"ncols" => Self::Columns,
            b"nrows" => Self::Rows,
            b"xllcorner" => Self::XCorner,
            b"yllcorner" => Self::YCorner,
            b"xllcenter" | b"xllcentre" => Self::XCenter,
            b"yllcenter" | b"yllcentre" => Self::YCenter,
            b"cellsize" => Self::CellSize,
            b"dx" => Self::Dx,
            b"dy" => Self::Dy,
            b"nodata_value" | b"nodata" => Self::NoData,
            _ => return None,
        })
    }
}

/// The values of the keywords.
struct Head<'a> {
    values: [Option<&'a [u8]>; Keyword::COUNT],
}

impl<'a> Head<'a> {
    fn read(tokens: &mut Tokens<'a>, losses: &mut Losses) -> Result<Self, Error> {
        const UNKNOWN: u8 = 16;
        let mut values = [None; Keyword::COUNT];
        let mut unknown = 0_u8;
        // Words that are certainly not numbers; "nan" and "inf" are heights.
        while let Some(word) = tokens.peek().filter(|word| word.first().is_some_and(u8::is_ascii_alphabetic)) {
            if number::<f32>(word).is_some() {
                break;
            }
            tokens.next();
            let value = tokens.next().ok_or_else(|| tokens.error(word, "a keyword without a value"))?;
            match Keyword::from_word(word).map(|keyword| values.get_mut(keyword as usize)) {
                Some(Some(place)) if place.is_none() => *place = Some(value),
                None if unknown < UNKNOWN => {
                    unknown += 1;
                    losses.dropped("", format!("unknown keyword {} with the value {}", shown(word), shown(value)));
                }
                Some(_) => return Err(tokens.error(word, format!("{} twice", shown(word)))),
                None => return Err(tokens.error(word, format!("{} is neither a number nor a keyword", shown(word)))),
            }
        }
        Ok(Self { values })
    }

    fn word(&self, keyword: Keyword) -> Option<&'a [u8]> {
        self.values.get(keyword as usize).copied().flatten()
    }

    fn count(&self, keyword: Keyword, name: &str, tokens: &Tokens<'_>) -> Result<u32, Error> {
        let word = self.word(keyword).ok_or_else(|| malformed("", format!("{name} is missing in the header")))?;
        let wrong = || tokens.error(word, format!("{name} is {}: expected a whole number above 0", shown(word)));
        number(word).filter(|&count| count > 0).ok_or_else(wrong)
    }

    fn float(&self, keyword: Keyword, tokens: &Tokens<'_>) -> Result<Option<f64>, Error> {
        let Some(word) = self.word(keyword) else { return Ok(None) };
        number(word).map(Some).ok_or_else(|| tokens.error(word, format!("{} is not a number", shown(word))))
    }
}

pub(super) fn read(
    bytes: &[u8],
    files: &dyn FileSource,
    options: &ImportOptions,
    losses: &mut Losses,
) -> Result<HeightmapData, Error> {
    let mut tokens = Tokens::new(bytes, u8::is_ascii_whitespace);
    let head = Head::read(&mut tokens, losses)?;
    let columns = head.count(Keyword::Columns, "ncols", &tokens)?;
    let rows = head.count(Keyword::Rows, "nrows", &tokens)?;

    let stored = match [Keyword::CellSize, Keyword::Dx, Keyword::Dy].map(|keyword| head.float(keyword, &tokens)) {
        [Ok(Some(size)), Ok(None), Ok(None)] => Some([size; 2]),
        [Ok(None), Ok(Some(dx)), Ok(Some(dy))] => Some([dx, dy]),
        [Ok(None), Ok(None), Ok(None)] if options.spacing.is_none() => {
            return Err(malformed("", "cellsize is missing in the header"));
        }
        [Ok(None), Ok(None), Ok(None)] => None,
        [Ok(_), Ok(_), Ok(_)] => {
            return Err(malformed("cellsize", "conflicts with dx or dy, or only one of these is present"));
        }
        [size, dx, dy] => return Err(size.and(dx).and(dy).err().unwrap_or_else(|| malformed("cellsize", ""))),
    };
    let spacing = spacing(stored, options, losses)?;
    let half = match options.corner.unwrap_or_default() {
        Corner::Point => 0.0,
        Corner::Cell => 0.5,
    };
    if options.corner == Some(Corner::Point)
        && [Keyword::XCorner, Keyword::YCorner].iter().any(|keyword| head.word(*keyword).is_some())
    {
        losses.preserved("", CORNER_IS_POINT);
    }
    let place = |corner, center, step: f64| -> Result<Option<f64>, Error> {
        match (head.float(corner, &tokens)?, head.float(center, &tokens)?) {
            (Some(corner), None) => Ok(Some(corner + half * step)),
            (None, center) => Ok(center),
            (Some(_), Some(_)) => Err(malformed("xllcorner", "conflicts with the centre: expected only one of them")),
        }
    };
    let east = place(Keyword::XCorner, Keyword::XCenter, spacing[0])?;
    let north = place(Keyword::YCorner, Keyword::YCenter, spacing[1])?;
    let no_data = match head.word(Keyword::NoData) {
        Some(word) => {
            Some(number::<f32>(word).ok_or_else(|| tokens.error(word, format!("{} is not a number", shown(word))))?)
        }
        None => None,
    };

    let count = u64::from(columns) * u64::from(rows);
    let size = [columns, rows];
    // At least a digit for each height, and a space between them.
    if (tokens.remaining().len() as u64) < count.saturating_mul(2) - 1 {
        return Err(wrong_count(tokens.count(), size, bytes));
    }
    let heights = heights(&mut tokens, size, no_data, losses)?.map_err(|found| wrong_count(found, size, bytes))?;
    // Additional numbers within the file would move all later rows, so nothing tells which numbers are right.
    let beyond = tokens.count();
    if beyond > 0 {
        return Err(wrong_count(heights.len().saturating_add(beyond), size, bytes));
    }
    let mut heights = Heights::F32(heights);
    let corner = east.zip(north).map(|(east, north)| [east, north]);
    let mut crs = projection(files, options, corner, size, spacing)?;
    to_metres_with(&mut heights, &mut crs, options, losses);
    Ok(HeightmapData { columns, rows, heights, spacing, corner, metres_per_unit: None, crs })
}

/// Returns the error for missing and for additional heights.
fn wrong_count(found: usize, [columns, rows]: [u32; 2], text: &[u8]) -> Error {
    let count = u64::from(columns) * u64::from(rows);
    let last = text.trim_ascii_end().iter().filter(|&&byte| byte == b'\n').count() + 1;
    let text = format!("{found} values, expected {count} ({columns} × {rows}); the last line is {last}");
    malformed("heights", text)
}

/// Reads all heights, or returns how many there are if some are missing.
fn heights(
    tokens: &mut Tokens<'_>,
    [columns, rows]: [u32; 2],
    no_data: Option<f32>,
    losses: &mut Losses,
) -> Result<Result<Vec<f32>, usize>, Error> {
    let count = usize::try_from(u64::from(columns) * u64::from(rows)).unwrap_or(usize::MAX);
    let mut rounded = Rounded::default();
    let mut heights = Vec::with_capacity(count);
    while heights.len() < count {
        let Some(word) = tokens.next() else { return Ok(Err(heights.len())) };
        heights.push(
            height(word, no_data, &mut rounded)
                .ok_or_else(|| tokens.error(word, format!("{} is not a number", shown(word))))?,
        );
    }
    rounded.report("to 32 bits", losses);
    Ok(Ok(heights))
}

/// Parses a height. The no-data value becomes NaN.
pub(super) fn height(word: &[u8], no_data: Option<f32>, rounded: &mut Rounded) -> Option<f32> {
    let height: f32 = number(word)?;
    if no_data == Some(height) {
        return Some(f32::NAN);
    }
    if let Some(exact) = beyond_32_bits(word, height) {
        rounded.add(exact, f64::from(height));
    }
    Some(height)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Source: ESRI ASCII raster format, header keywords; `dx` and `dy` are those of GDAL.
    #[test]
    fn keywords_are_those_published() {
        type Is = fn(&Keyword) -> bool;
        let published: [(&str, Is); 10] = [
            ("ncols", |keyword| matches!(keyword, Keyword::Columns)),
            ("nrows", |keyword| matches!(keyword, Keyword::Rows)),
            ("xllcorner", |keyword| matches!(keyword, Keyword::XCorner)),
            ("yllcorner", |keyword| matches!(keyword, Keyword::YCorner)),
            ("xllcenter", |keyword| matches!(keyword, Keyword::XCenter)),
            ("yllcenter", |keyword| matches!(keyword, Keyword::YCenter)),
            ("cellsize", |keyword| matches!(keyword, Keyword::CellSize)),
            ("dx", |keyword| matches!(keyword, Keyword::Dx)),
            ("dy", |keyword| matches!(keyword, Keyword::Dy)),
            ("NODATA_value", |keyword| matches!(keyword, Keyword::NoData)),
        ];
        for (word, is) in published {
            assert!(Keyword::from_word(word.as_bytes()).is_some_and(|keyword| is(&keyword)), "{word}");
        }
    }
}
