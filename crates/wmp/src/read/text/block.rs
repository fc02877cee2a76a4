//! Blocks.

use mapwright_io::Context as _;

use super::context::ParseContext;
use super::geometry::{Geometry, Token};
use super::lexer::{Lines, expected};
use crate::read::shared::{Shared, cost};
use crate::{Block, BlockFlags, Corners, Dialect, Face, Mesh, PlaneFace, ReadError, ReadErrorKind, Shape};

/// Reads the contents of a block and its closing brace.
pub(super) fn block(
    lines: &mut Lines<'_>,
    number: u32,
    dialect: Dialect,
    context: &mut ParseContext<'_>,
) -> Result<Block, ReadError> {
    context.count(1, lines.at())?;
    let start = lines.at();
    let shape = match dialect {
        Dialect::A4 => Shape::Planes(planes(lines, context)?),
        _ => Shape::Mesh(mesh(lines, dialect, context).map_err(|error| explain(error, lines, start))?),
    };
    open(lines).map_err(|error| if dialect == Dialect::A4 { error } else { explain(error, lines, start) })?;
    let flags = BlockFlags(lines.want("flags of a block")?.flags().in_field("flags")?);
    let material = context.shared.name_or_none(lines.want("the material of a block, or `ndef`")?.text);
    let index = match lines.until_close("a block")? {
        Some(line) => Some(line.whole("the number of a block")?),
        None => None,
    };
    if index.is_some() {
        close(lines)?;
    }
    close(lines)?;
    Ok(Block { number, shape, flags, material, index, extra: Vec::new() })
}

/// Reads the brace before the flags of a block.
fn open(lines: &mut Lines<'_>) -> Result<(), ReadError> {
    let line = lines.want("the flags of a block in braces")?;
    if line.text == b"{" { Ok(()) } else { Err(expected("`{` after the faces of a block", line.text, line.at)) }
}

fn close(lines: &mut Lines<'_>) -> Result<(), ReadError> {
    match lines.until_close("a block")? {
        None => Ok(()),
        Some(line) => Err(expected("the end of a block", line.text, line.at)),
    }
}

/// Reads the sides of an A4 block.
fn planes(lines: &mut Lines<'_>, context: &mut ParseContext<'_>) -> Result<Vec<PlaneFace>, ReadError> {
    let mut faces = Vec::new();
    loop {
        let mut geometry = Geometry::new(lines);
        if geometry.next_in_lines() != Token::Open {
            return Ok(faces);
        }
        let face = plane(&mut geometry, &mut context.shared).in_item("faces", faces.len())?;
        context.count(1, geometry.at())?;
        context.push(&mut faces, face, geometry.end())?;
        lines.seek(geometry.end());
    }
}

/// Reads the line of a side after its first parenthesis.
fn plane(geometry: &mut Geometry<'_>, shared: &mut Shared) -> Result<PlaneFace, ReadError> {
    let mut points = [[0.0; 3]; 3];
    for (index, point) in points.iter_mut().enumerate() {
        if index > 0 {
            geometry.want(Token::Open, "a point in parentheses")?;
        }
        *point = geometry.numbers("a coordinate")?;
        geometry.want(Token::Close, "`)` after a point")?;
    }
    let texture = shared.name_or_none(geometry.word(TEXTURE)?);
    let mapping = geometry.numbers(MAPPING)?;
    geometry.want(Token::Colon, "`:` and flags")?;
    let flags = geometry.flags()?;
    let light = geometry.numbers(LIGHT)?;
    let material = shared.name_or_none(geometry.word("a material, or `ndef`")?);
    let name = shared.name_or_none(geometry.word("a name, or `ndef`")?);
    let number = geometry.number("a number")?;
    let flags2 = geometry.flags()?;
    geometry.line_end()?;
    let mut face =
        PlaneFace { points, texture, mapping, flags, material, name, number, flags2, ..PlaneFace::default() };
    face.set_light(light);
    Ok(face)
}

const TEXTURE: &str = "the name of a texture";
const LIGHT: &str = "ambient light and albedo";
const MAPPING: &str = "offset, rotation and scale of a texture";

/// Reads vertices and faces.
fn mesh(lines: &mut Lines<'_>, dialect: Dialect, context: &mut ParseContext<'_>) -> Result<Mesh, ReadError> {
    let mut geometry = Geometry::new(lines);
    // The shortest vertex is `0 0 0` and a space, the shortest face of a body `3 0 1 2:a :0 0 0 b` and a line end.
    let vertices = count(&mut geometry, b"vertices", "vertices", 6)?;
    let faces = count(&mut geometry, b"faces", "faces", 13)?;
    context.count((vertices as u64).saturating_add(faces as u64), geometry.at())?;
    context.memory(vertices.saturating_mul(size_of::<[f64; 3]>()), geometry.at())?;
    let mut mesh = Mesh { vertices: Vec::with_capacity(vertices), faces: Vec::new() };
    let least = geometry.left() / 48;
    context.reserve(&mut mesh.faces, u32::try_from(faces.min(least)).unwrap_or(u32::MAX), geometry.end())?;
    for index in 0..vertices {
        mesh.vertices.push(vertex(&mut geometry).in_item("vertices", index)?);
    }
    geometry.line_end()?;
    for index in 0..faces {
        let face = face(&mut geometry, vertices, dialect, context).in_item("faces", index)?;
        context.memory(size(&face), geometry.end())?;
        context.push(&mut mesh.faces, face, geometry.end())?;
    }
    lines.seek(geometry.end());
    Ok(mesh)
}

/// Replaces an error of a block whose count of vertices or faces differs from its lines by an error of the count. Limits stay.
#[cold]
fn explain(error: ReadError, lines: &Lines<'_>, start: usize) -> ReadError {
    let is_limit = matches!(error.kind(), ReadErrorKind::Input(_));
    if is_limit { error } else { count_error(lines, start).unwrap_or(error) }
}

/// Returns the error for a count of vertices or faces that differs from the lines of the block.
fn count_error(lines: &Lines<'_>, start: usize) -> Option<ReadError> {
    let mut lines = lines.clone();
    lines.seek(start);
    let mut counts = [(0_u32, start); 2];
    for (place, word) in counts.iter_mut().zip([&b"vertices"[..], b"faces"]) {
        let line = lines.next()?;
        let mut words = line.words();
        let (digits, at) = words.next().filter(|(first, _)| *first == word).and_then(|_| words.next())?;
        *place = (super::numbers::whole(digits)?, at);
    }
    let [(vertices, vertices_at), (faces, faces_at)] = counts;
    let (mut numbers, mut found) = (0_u64, 0_u64);
    while let Some(line) = lines.next().filter(|line| !matches!(line.text, b"{" | b"}")) {
        if line.text.contains(&b':') {
            found = found.saturating_add(1);
        } else if found == 0 {
            numbers = numbers.saturating_add(line.words().count() as u64);
        }
    }
    // Incomplete positions, or a face without a colon.
    if numbers % 3 != 0 {
        return None;
    }
    let wrong = [("vertices", vertices, numbers / 3, vertices_at), ("faces", faces, found, faces_at)];
    let (what, declared, found, at) =
        wrong.into_iter().find(|(_, declared, found, _)| u64::from(*declared) != *found)?;
    Some(super::lexer::fail(ReadErrorKind::Count { what, declared: declared.into(), found }, at))
}

/// Returns the memory that vectors and mapping of a face take.
fn size(face: &Face) -> usize {
    let vectors = face.vectors.as_ref().map_or(0, cost);
    let mapping = face.mapping.as_ref().map_or(0, cost);
    vectors.saturating_add(mapping)
}

/// Reads a word and the count after it.
fn count(geometry: &mut Geometry<'_>, word: &[u8], what: &'static str, least: usize) -> Result<usize, ReadError> {
    if geometry.next_in_lines() != Token::Word || geometry.slice() != word {
        return Err(geometry.unexpected(if what == "faces" {
            "`faces` and their count"
        } else {
            "`vertices` and their count"
        }));
    }
    let declared = geometry.whole("a count")?;
    geometry.count(what, declared, least)
}

/// Reads three numbers. Lines may end anywhere between vertices.
#[inline]
fn vertex(geometry: &mut Geometry<'_>) -> Result<[f64; 3], ReadError> {
    let x = geometry.number_in_lines("a vertex")?;
    let [y, z] = geometry.numbers("a coordinate")?;
    Ok([x, y, z])
}

/// Reads a line: vertex indices, texture, texture coordinates, vectors, mapping, flags, light and material.
fn face(
    geometry: &mut Geometry<'_>,
    vertices: usize,
    dialect: Dialect,
    context: &mut ParseContext<'_>,
) -> Result<Face, ReadError> {
    let first = geometry.next_in_lines();
    let corners = corners(geometry, first, vertices, context)?;
    let texture = context.shared.name_or_none(geometry.word(TEXTURE)?);
    let mut token = geometry.next();
    let mut uvs = None;
    if token == Token::OpenList {
        uvs = Some(coordinates(geometry, context)?);
        token = geometry.next();
    }
    let mut vectors = None;
    if token == Token::Open {
        let first = vector(geometry)?;
        geometry.want(Token::Open, "a second texture vector")?;
        vectors = Some(context.shared.vectors([first, vector(geometry)?]));
        token = geometry.next();
    }
    let mut mapping = None;
    if token == Token::Number {
        let first = geometry.as_number(token, MAPPING)?;
        let [b, c, d, e] = geometry.numbers(MAPPING)?;
        mapping = Some(context.shared.mapping([first, b, c, d, e]));
        token = geometry.next();
    } else if dialect != Dialect::Resolved && uvs.is_none() {
        return Err(geometry.unexpected(MAPPING));
    }
    if token != Token::Colon {
        return Err(geometry.unexpected("`:` and flags"));
    }
    let flags = geometry.flags()?;
    let light = geometry.numbers(LIGHT)?;
    let material = context.shared.name_or_none(geometry.word("a material, or `ndef`")?);
    geometry.line_end()?;
    let mut face = Face { corners, texture, uvs, vectors, mapping, flags, material, ..Face::default() };
    face.set_light(light);
    Ok(face)
}

/// Reads a count, and vertex indices up to a colon.
fn corners(
    geometry: &mut Geometry<'_>,
    first: Token,
    vertices: usize,
    context: &mut ParseContext<'_>,
) -> Result<Corners, ReadError> {
    let declared = geometry.as_whole(first, "a face: the count of its vertices")?;
    let start = geometry.at();
    let count = geometry.count("vertices of a face", declared, 2)?;
    let mut corners = Corners::new();
    while let Some(corner) = geometry.whole_or(Token::Colon, "the number of a vertex, or `:`")? {
        if usize::try_from(corner).map_or(true, |corner| corner >= vertices) {
            let kind = ReadErrorKind::Vertex { index: corner.into(), vertices };
            return Err(super::lexer::fail(kind, geometry.at()));
        }
        context.push_few(corners.inner_mut(), corner, geometry.end())?;
    }
    if corners.len() == count {
        return Ok(corners);
    }
    let kind =
        ReadErrorKind::Count { what: "vertices of a face", declared: declared.into(), found: corners.len() as u64 };
    Err(super::lexer::fail(kind, start))
}

/// Reads numbers up to a bracket.
fn coordinates(geometry: &mut Geometry<'_>, context: &mut ParseContext<'_>) -> Result<Box<[f64]>, ReadError> {
    let count = geometry.words_before(b']');
    context.memory(count.saturating_mul(size_of::<f64>()), geometry.end())?;
    let mut numbers = Vec::with_capacity(count);
    loop {
        let token = geometry.next();
        if token == Token::CloseList {
            return Ok(numbers.into_boxed_slice());
        }
        numbers.push(geometry.as_number(token, "a texture coordinate, or `]`")?);
    }
}

/// Reads four numbers after a parenthesis.
fn vector(geometry: &mut Geometry<'_>) -> Result<[f64; 4], ReadError> {
    let numbers = geometry.numbers("four numbers of a texture vector")?;
    geometry.want(Token::Close, "`)` after a texture vector")?;
    Ok(numbers)
}
