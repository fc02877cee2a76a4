//! Reads grids of ESRI: numbers in one file (`.bil`, `.flt`), and a header beside it (`.hdr`).

use mapwright_io::FaultKind;
use mapwright_scene::{FileKind, FileSource, Heights, Losses};

use super::{
    heights::{HeightmapData, Rounded, projection, spacing, to_metres_with},
    numbers::NumberType,
    tokens::{number, shown},
};
use crate::{Error, ErrorKind, Format, ImportOptions, crs::needs_gdal, error::malformed};

/// Maximum number of bytes of a header.
const MAX_HEADER: usize = 1 << 16;
/// The value of missing heights in floats without a header line for it.
const NO_DATA_OF_FLOATS: f64 = -9999.0;

/// The lines of a header.
struct Header<'a> {
    lines: Vec<(String, &'a str)>,
}

impl<'a> Header<'a> {
    fn new(text: &'a str, losses: &mut Losses) -> Result<Self, Error> {
        if text.trim_start().starts_with("ENVI") {
            let command = "gdal_translate in.bil out.tif";
            return Err(needs_gdal("headers of ENVI are not supported".to_owned(), command));
        }
        let mut lines: Vec<(String, &str)> = Vec::new();
        for line in text.lines().map(str::trim).filter(|line| !line.is_empty()) {
            let (keyword, value) = line.split_once(|c: char| c.is_ascii_whitespace()).unwrap_or((line, ""));
            let keyword = keyword.to_ascii_lowercase();
            if !KEYWORDS.contains(&keyword.as_str()) {
                losses.dropped("header", format!("unknown keyword {}", shown(keyword.as_bytes())));
            } else if lines.iter().any(|(known, _)| *known == keyword) {
                return Err(malformed("", format!("{keyword} twice")));
            } else {
                lines.push((keyword, value.trim()));
            }
        }
        Ok(Self { lines })
    }

    fn text(&self, keywords: &[&str]) -> Option<&'a str> {
        self.lines.iter().find(|(keyword, _)| keywords.contains(&keyword.as_str())).map(|(_, value)| *value)
    }

    fn number<T: std::str::FromStr>(&self, keywords: &[&str]) -> Result<Option<T>, Error> {
        let Some(text) = self.text(keywords) else { return Ok(None) };
        let wrong =
            || malformed("", format!("{} is {}: expected a number", keywords.join(" or "), shown(text.as_bytes())));
        number(text.as_bytes()).map(Some).ok_or_else(wrong)
    }

    fn count(&self, keywords: &[&str]) -> Result<u32, Error> {
        let missing =
            || malformed("", format!("{} is missing: expected a whole number above 0", keywords.join(" or ")));
        self.number(keywords)?.filter(|count| *count > 0).ok_or_else(missing)
    }
}

const KEYWORDS: [&str; 25] = [
    "nrows",
    "ncols",
    "nbands",
    "nbits",
    "pixeltype",
    "byteorder",
    "layout",
    "skipbytes",
    "bandrowbytes",
    "totalrowbytes",
    "bandgapbytes",
    "ulxmap",
    "ulymap",
    "xdim",
    "ydim",
    "nodata",
    "nodata_value",
    "xllcorner",
    "yllcorner",
    "xllcenter",
    "yllcenter",
    "cellsize",
    "dx",
    "dy",
    "interleaving",
];

/// Returns the value that marks points without a height in a header.
fn no_data(header: &Header<'_>, is_float: bool) -> Result<Option<f64>, Error> {
    let stored = header.number(&["nodata", "nodata_value"])?;
    Ok(stored.or(is_float.then_some(NO_DATA_OF_FLOATS)))
}

/// Returns the type of the numbers.
fn number_type(header: &Header<'_>, format: Format) -> Result<NumberType, Error> {
    let bits = header.number(&["nbits"])?.unwrap_or(if format == Format::Flt { 32_u32 } else { 8 });
    let default = if format == Format::Flt { "float" } else { "unsignedint" };
    let kind = header.text(&["pixeltype"]).unwrap_or(default).to_ascii_lowercase();
    Ok(match (bits, kind.as_str()) {
        (8, "unsignedint") => NumberType::U8,
        (8, "signedint") => NumberType::I8,
        (16, "unsignedint") => NumberType::U16,
        (16, "signedint") => NumberType::I16,
        (32, "unsignedint") => NumberType::U32,
        (32, "signedint") => NumberType::I32,
        (32, "float") => NumberType::F32,
        (64, "float") => NumberType::F64,
        _ => {
            let text = format!("{} with {bits} bits", shown(kind.as_bytes()));
            return Err(Error::without_position(ErrorKind::Unsupported(text)));
        }
    })
}

/// Returns the distances between points, and the south-western point, which one of the two kinds of headers stores.
fn position(header: &Header<'_>, rows: u32) -> Result<([f64; 2], [f64; 2]), Error> {
    let size = header.number(&["cellsize"])?;
    let dx: f64 = header.number(&["xdim", "dx"])?.or(size).unwrap_or(1.0);
    let dy: f64 = header.number(&["ydim", "dy"])?.or(size).unwrap_or(1.0);
    // The first row is the northern one.
    let last_row = f64::from(rows.saturating_sub(1));
    let axis = |corner: &str, centre: &str, step: f64| -> Result<Option<f64>, Error> {
        let corner: Option<f64> = header.number(&[corner])?;
        Ok(corner.map(|corner| corner + step / 2.0).or(header.number(&[centre])?))
    };
    let x = match axis("xllcorner", "xllcenter", dx)? {
        Some(x) => x,
        None => header.number(&["ulxmap"])?.unwrap_or(0.0),
    };
    let y = match axis("yllcorner", "yllcenter", dy)? {
        Some(y) => y,
        None => header.number(&["ulymap"])?.unwrap_or(last_row) - last_row * dy,
    };
    Ok(([dx, dy], [x, y]))
}

pub(super) fn read(
    bytes: &[u8],
    files: &dyn FileSource,
    format: Format,
    options: &ImportOptions,
    losses: &mut Losses,
) -> Result<HeightmapData, Error> {
    let name = options.header_file.clone().unwrap_or_else(|| "heights.hdr".to_owned());
    let text = files
        .load(&name, FileKind::Data)
        .map_err(|reason| Error::without_position(ErrorKind::MissingFile { name: name.clone(), reason }))?;
    if text.len() > MAX_HEADER {
        let kind = ErrorKind::Limit { what: "bytes of a header", limit: MAX_HEADER as u64 };
        return Err(Error::without_position(kind).in_file(name));
    }
    let text = String::from_utf8_lossy(&text);
    let in_header = |error: Error| error.in_file(name.clone());
    let header = Header::new(&text, losses).map_err(in_header)?;
    let parsed = || -> Result<_, Error> {
        let columns = header.count(&["ncols"])?;
        let rows = header.count(&["nrows"])?;
        let bands = header.number(&["nbands"])?.unwrap_or(1_u32);
        if bands != 1 {
            let problem = format!("the grid has {bands} bands: expected one");
            return Err(needs_gdal(problem, "gdal_translate -b 1 in.bil out.tif"));
        }
        let kind = number_type(&header, format)?;
        let is_big_endian = match header.text(&["byteorder"]).unwrap_or("I").to_ascii_uppercase().as_str() {
            "I" | "LSBFIRST" => false,
            "M" | "MSBFIRST" => true,
            other => return Err(malformed("", format!("byteorder is {other:?}: expected I, M, LSBFIRST or MSBFIRST"))),
        };
        let row = u64::from(columns).saturating_mul(kind.size() as u64);
        let total = header.number(&["totalrowbytes"])?.or(header.number(&["bandrowbytes"])?).unwrap_or(row);
        if total < row {
            return Err(malformed("", format!("rows of {total} bytes: expected at least {row}")));
        }
        let skip = header.number(&["skipbytes"])?.unwrap_or(0_u64);
        let is_float = matches!(kind, NumberType::F32 | NumberType::F64);
        let no_data = no_data(&header, is_float && header.text(&["nbits"]).is_none())?;
        Ok(([columns, rows], kind, is_big_endian, [skip, total, row], no_data, position(&header, rows)?))
    };
    let ([columns, rows], kind, is_big_endian, [skip, total, row], no_data, (step, corner)) =
        parsed().map_err(in_header)?;

    let count = u64::from(columns).saturating_mul(u64::from(rows));
    if count.saturating_mul(4) > options.max_bytes {
        let kind = ErrorKind::Limit { what: "bytes of heights", limit: options.max_bytes };
        return Err(Error::without_position(kind));
    }
    let needed = skip.saturating_add(total.saturating_mul(u64::from(rows) - 1)).saturating_add(row);
    let available = bytes.len() as u64;
    if needed > available {
        return Err(Error::on_path(FaultKind::Truncated { needed, available }.into(), "heights"));
    }
    let body = usize::try_from(skip).ok().and_then(|skip| bytes.get(skip..)).unwrap_or_default();
    // Rows that are padded can be as long as the file, so no row is larger than it.
    let [total, row] = [total, row].map(|size| usize::try_from(size).unwrap_or(usize::MAX));
    let lines = body.chunks(total.max(1)).take(rows as usize).filter_map(|line| line.get(..row));
    let numbers = lines.flat_map(|line| line.chunks_exact(kind.size()));
    let numbers = numbers.filter_map(|bytes| kind.number(bytes, is_big_endian));
    let heights = match (kind, no_data) {
        #[allow(clippy::cast_possible_truncation)] // They were integers of 16 bits.
        (NumberType::I16, None) => Heights::Steps { step: 1.0, values: numbers.map(|number| number as i16).collect() },
        _ => {
            #[allow(clippy::cast_possible_truncation)] // As programs write it for floats of 32 bits.
            let no_data_of_32_bits = no_data.map(|height| f64::from(height as f32));
            let mut rounded = Rounded::default();
            let height = |number: f64| {
                let is_missing = no_data == Some(number) || no_data_of_32_bits == Some(number);
                if is_missing { f32::NAN } else { rounded.narrow(number) }
            };
            let heights = Heights::F32(numbers.map(height).collect());
            rounded.report("to 32 bits", losses);
            heights
        }
    };
    if available > needed.saturating_add((total - row) as u64) {
        losses.dropped("", format!("bytes after the heights: {}", available - needed));
    }
    let mut heights = heights;
    let spacing = spacing(Some(step), options, losses)?;
    let mut crs = projection(files, options, Some(corner), [columns, rows], spacing)?;
    to_metres_with(&mut heights, &mut crs, options, losses);
    Ok(HeightmapData { columns, rows, heights, spacing, corner: Some(corner), metres_per_unit: None, crs })
}
