//! Reads heights from lines of x, y and height.

use std::borrow::Cow;

use mapwright_io::format_count;
use mapwright_scene::{Heights, Losses};

use super::{
    asc::height,
    axis::Axis,
    heights::{HeightmapData, Rounded, spacing, to_metres},
    tokens::{Tokens, number, shown},
};
use crate::{Error, ErrorKind, ImportOptions, error::malformed};

/// The shortest line: three digits, two spaces, a line end.
const SHORTEST: usize = 6;

/// At least one of this many grid points must exist. Points along a diagonal would otherwise be a grid of their square.
const SPARSEST: u64 = 4;

pub(super) fn read(bytes: &[u8], options: &ImportOptions, losses: &mut Losses) -> Result<HeightmapData, Error> {
    let mut rounded = Rounded::default();
    let points = points(&with_decimal_points(bytes), &mut rounded, losses)?;
    let x = Axis::new("x", points.iter().map(|point| point.0).collect())?;
    let y = Axis::new("y", points.iter().map(|point| point.1).collect())?;
    let shifts = [
        ("x", x.largest_shift(points.iter().map(|point| point.0))),
        ("y", y.largest_shift(points.iter().map(|point| point.1))),
    ];
    for (name, shift) in shifts.into_iter().filter_map(|(name, shift)| Some((name, shift?))) {
        losses.approximated("", format!("points moved along {name} to an even grid, by up to {shift:.2e}"));
    }
    let cells = u64::from(x.count) * u64::from(y.count);
    if cells / SPARSEST > points.len() as u64 {
        let text = format!(
            "{} for a grid of {} × {}: not a regular grid",
            format_count(points.len(), "point"),
            x.count,
            y.count
        );
        return Err(malformed("", text));
    }
    // A single row has the step of the columns, and vice versa.
    let stored = match (x.step, y.step) {
        (None, None) => None,
        (dx, dy) => dx.or(dy).zip(dy.or(dx)).map(|(dx, dy)| [dx, dy]),
    };
    let spacing = spacing(stored, options, losses)?;
    let mut heights = vec![f32::NAN; usize::try_from(cells).unwrap_or(usize::MAX)];
    let mut twice = 0_u64;
    let mut filled = vec![false; heights.len()];
    for &(east, north, height) in &points {
        let (Some(column), Some(row)) = (x.index(east), y.index(north)) else { continue };
        let southward = u64::from(y.count.saturating_sub(1).saturating_sub(row));
        let Ok(index) = usize::try_from(southward * u64::from(x.count) + u64::from(column)) else { continue };
        if let (Some(place), Some(filled)) = (heights.get_mut(index), filled.get_mut(index)) {
            twice += u64::from(std::mem::replace(filled, true));
            *place = height;
        }
    }
    if twice > 0 {
        losses.repaired(
            "",
            format!("{}: the last height at each position is used", format_count(twice, "duplicate point")),
        );
    }
    let mut heights = Heights::F32(heights);
    rounded.report("to 32 bits", losses);
    to_metres(&mut heights, options.height_unit, losses);
    let corner = Some([x.first, y.first]);
    Ok(HeightmapData { columns: x.count, rows: y.count, heights, spacing, corner, metres_per_unit: None, crs: None })
}

/// Replaces all commas by points if a line has decimal commas, which many GIS programs write in Germany. Without such a line, commas
/// separate numbers and stay.
fn with_decimal_points(text: &[u8]) -> Cow<'_, [u8]> {
    let is_decimal = |word: &[u8]| {
        let mut parts = word.split(|&byte| byte == b',');
        let ends_in_digit = |part: &[u8]| part.last().is_some_and(u8::is_ascii_digit);
        let (whole, digits, more) = (parts.next(), parts.next(), parts.next());
        whole.is_some_and(ends_in_digit) && digits.is_some_and(ends_in_digit) && more.is_none() && !word.contains(&b'.')
    };
    // Commas may also separate only the coordinates, so one of them alone decides nothing.
    let has_decimal_commas = |line: &[u8]| {
        let mut words = Tokens::new(line, |byte| byte.is_ascii_whitespace() || *byte == b';');
        let point = [words.next(), words.next(), words.next()].map(|word| word.map(is_decimal));
        matches!(point, [Some(_), Some(_), Some(true)] | [Some(true), Some(true), Some(_)])
    };
    match text.contains(&b',') && text.split(|&byte| byte == b'\n').any(has_decimal_commas) {
        true => Cow::Owned(text.iter().map(|&byte| if byte == b',' { b'.' } else { byte }).collect()),
        false => Cow::Borrowed(text),
    }
}

fn points(bytes: &[u8], rounded: &mut Rounded, losses: &mut Losses) -> Result<Vec<(f64, f64, f32)>, Error> {
    let is_blank = |byte: &u8| byte.is_ascii_whitespace() || matches!(byte, b',' | b';');
    let text = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
    let count = text.iter().filter(|&&byte| byte == b'\n').count().min(text.len() / SHORTEST);
    let mut points = Vec::with_capacity(count.saturating_add(1));
    let (mut head, mut wider) = (None, 0_u64);
    let whole = Tokens::new(text, is_blank);
    for line in text.split(|&byte| byte == b'\n') {
        let mut words = Tokens::new(line, is_blank);
        let Some(first) = words.next().filter(|word| !word.starts_with(b"#")) else { continue };
        let is_name = |word: &[u8]| word.is_ascii() && word.iter().any(u8::is_ascii_alphabetic);
        if points.is_empty() && head.is_none() && is_name(first) && number::<f64>(first).is_none() {
            head = Some(first);
            continue;
        }
        let point = words
            .next()
            .zip(words.next())
            .and_then(|(second, third)| Some((number(first)?, number(second)?, height(third, None, rounded)?)));
        points.push(point.ok_or_else(|| not_xyz(&whole, first, points.is_empty()))?);
        wider += u64::from(words.next().is_some());
    }
    if let Some(first) = head {
        losses.dropped("", format!("a header line that begins with {}", shown(first)));
    }
    if wider > 0 {
        losses.dropped("", format!("further columns in {}", format_count(wider, "line")));
    }
    Ok(points)
}

fn not_xyz(whole: &Tokens<'_>, word: &[u8], is_first: bool) -> Error {
    let error = whole.error(word, "invalid line: expected three numbers, x, y and height");
    match (is_first, error.position()) {
        (true, Some(position)) => {
            let kind =
                ErrorKind::NotTheFormat { format: "XYZ", found: shown(word), expected: "a line of three numbers" };
            Error::new(kind, position)
        }
        _ => error,
    }
}
