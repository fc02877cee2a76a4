//! The statements of an OBJ file, with indices resolved.

use std::{borrow::Cow, collections::HashMap, ops::Range};

use super::{Budget, Skipped};
use mapwright_io::{LineColumn, Position};

use crate::{Error, ErrorKind};

/// Index for "no texture coordinate", "no normal" and "no material".
pub(super) const NONE: u32 = u32::MAX;

/// Position of vertices without three numbers, until no face has them.
const UNREADABLE: [f64; 3] = [f64::NAN; 3];

/// Loss text of faces whose vertices are invalid or missing.
const BAD_FACE: &str = "face with an invalid vertex: left out";

/// Loss texts of corners without a valid vertex, texture coordinate and normal. Only the first makes a face invalid.
const NO_REFERENCE: [&str; 3] =
    [BAD_FACE, "texture coordinate of a face that does not exist", "normal of a face that does not exist"];

/// A whole file.
#[derive(Default)]
pub(super) struct Statements {
    pub(super) positions: Vec<[f64; 3]>,
    /// As long as `positions`, or empty if no vertex has a colour.
    pub(super) colors: Vec<Option<[f32; 4]>>,
    pub(super) uvs: Vec<[f64; 2]>,
    pub(super) normals: Vec<[f64; 3]>,
    /// Vertex, texture coordinate, normal; counted from 0.
    pub(super) corners: Vec<[u32; 3]>,
    pub(super) faces: Vec<Face>,
    pub(super) sections: Vec<Section>,
    /// The names after `usemtl`, without duplicates.
    pub(super) materials: Vec<String>,
    /// The lines after `mtllib`.
    pub(super) libraries: Vec<String>,
    pub(super) skipped: Skipped,
    /// Invalid statements.
    pub(super) repaired: Skipped,
}

impl Statements {
    /// Returns the corners of a face.
    pub(super) fn face_corners(&self, face: usize) -> &[[u32; 3]] {
        let (start, end) = self.corner_range(face);
        self.corners.get(start..end).unwrap_or_default()
    }

    /// Returns the start and end of the corners of a face. For the index after the last face, both are the end.
    pub(super) fn corner_range(&self, face: usize) -> (usize, usize) {
        let start = face.checked_sub(1).and_then(|before| self.faces.get(before)).map_or(0, |before| before.end);
        (start, self.faces.get(face).map_or(start, |face| face.end))
    }
}

/// A face. `end` is the end of its corners in [`Statements::corners`].
pub(super) struct Face {
    pub(super) end: usize,
    /// Index into [`Statements::materials`], or [`NONE`].
    pub(super) material: u32,
    /// The smoothing group; 0: off.
    pub(super) smoothing: u32,
}

/// The part between two `o` or `g`.
#[derive(Default)]
pub(super) struct Section {
    pub(super) name: String,
    /// `true` if the section began with `o`.
    pub(super) is_object: bool,
    /// The vertices that it declares.
    pub(super) vertices: Range<usize>,
    /// The faces.
    pub(super) faces: Range<usize>,
}

pub(super) fn read(data: &[u8], budget: &mut Budget) -> Result<Statements, Error> {
    let mut reader = Reader { material: NONE, ..Reader::default() };
    reader.all.sections.push(Section::default());
    for (line, text) in lines(data) {
        reader.statement(&text, line, budget).map_err(|error| error.at(line_position(data, line)))?;
    }
    reader.finish(data)
}

fn not_obj(found: &str, expected: &'static str) -> Error {
    Error::without_position(ErrorKind::NotTheFormat { format: "OBJ", found: found.to_owned(), expected })
}

/// Iterates over the lines of a text with their numbers from 1. A backslash at the end continues a line. Lines end with a line
/// feed, or with a carriage return in files without line feeds.
pub(super) fn lines(data: &[u8]) -> impl Iterator<Item = (u64, Cow<'_, str>)> {
    let data = data.strip_prefix(b"\xef\xbb\xbf").unwrap_or(data);
    let end = if data.contains(&b'\n') { b'\n' } else { b'\r' };
    let mut lines = (1_u64..).zip(data.split(move |&byte| byte == end));
    std::iter::from_fn(move || {
        let (number, first) = lines.next()?;
        let Some(start) = trim(first).strip_suffix(b"\\") else {
            return Some((number, String::from_utf8_lossy(trim(first))));
        };
        let mut whole = start.to_vec();
        for (_, next) in lines.by_ref() {
            whole.push(b' ');
            let Some(part) = trim(next).strip_suffix(b"\\") else {
                whole.extend_from_slice(trim(next));
                break;
            };
            whole.extend_from_slice(part);
        }
        Some((number, Cow::Owned(String::from_utf8_lossy(&whole).into_owned())))
    })
}

/// The position of a line of [`lines`].
fn line_position(data: &[u8], line: u64) -> Position {
    let end = if data.contains(&b'\n') { b'\n' } else { b'\r' };
    let before = usize::try_from(line).unwrap_or(usize::MAX).saturating_sub(1);
    let offset = data.split_inclusive(|&byte| byte == end).take(before).map(<[u8]>::len).sum::<usize>() as u64;
    let text = Some(LineColumn { line: u32::try_from(line).unwrap_or(u32::MAX), column: 1 });
    Position { text, ..Position::file(offset) }
}

fn trim(line: &[u8]) -> &[u8] {
    line.trim_ascii()
}

/// Splits a line into its first word and the rest.
pub(super) fn keyword(text: &str) -> (&str, &str) {
    match text.split_once(|c: char| c.is_ascii_whitespace()) {
        Some((word, rest)) => (word, rest.trim()),
        None => (text, ""),
    }
}

#[derive(Default)]
struct Reader {
    all: Statements,
    /// Faces with later vertices, and their lines: files may store faces first.
    forward: Vec<(usize, u64)>,
    material_places: HashMap<String, u32>,
    material: u32,
    smoothing: u32,
    has_objects: bool,
    /// `true` if the file contains a statement of OBJ.
    is_obj: bool,
}

impl Reader {
    fn statement(&mut self, text: &str, line: u64, budget: &mut Budget) -> Result<(), Error> {
        let (word, rest) = keyword(text);
        // Names may contain this character.
        let data = rest.split('#').next().unwrap_or_default();
        match word {
            "" => return Ok(()),
            _ if word.starts_with('#') => return Ok(()),
            "v" => self.vertex(data, line),
            "vt" => {
                let ([u, v, w], _) = self.numbers(data, 1, line, "vt without a number: read as 0 0");
                if w != 0.0 {
                    self.all.skipped.add("third coordinate of vt", line);
                }
                self.all.uvs.push([u, v]);
            }
            "vn" => {
                let (normal, _) = self.numbers(data, 3, line, "vn without three numbers: ignored");
                self.all.normals.push(normal);
            }
            "f" => self.face(data, line),
            "o" => {
                self.has_objects = true;
                self.section(rest, true, budget)?;
            }
            "g" if !self.has_objects => self.section(rest, false, budget)?,
            "g" if self.all.sections.last().is_some_and(|section| section.name == rest) => {}
            "s" => self.smoothing = rest.split_ascii_whitespace().next().and_then(|n| n.parse().ok()).unwrap_or(0),
            "usemtl" => self.use_material(rest, budget)?,
            "mtllib" => self.all.libraries.push(rest.to_owned()),
            _ => {
                self.all.skipped.add(word, line);
                // Points, lines, curves and surfaces.
                self.is_obj |= ["p", "l", "vp", "cstype", "deg", "curv", "curv2", "surf", "parm"].contains(&word);
                return Ok(());
            }
        }
        if text.contains('\0') {
            self.all.repaired.add("line with a zero byte: read up to that byte", line);
        }
        self.is_obj = true;
        Ok(())
    }

    fn vertex(&mut self, data: &str, line: u64) {
        let ([x, y, z, a, b, c, d], count) =
            self.numbers(data, 3, line, "v without three numbers: its faces are left out");
        // Three numbers; four with a weight; six with a colour; seven with a colour and its opacity.
        let color = match count {
            6 => Some([a, b, c, 1.0]),
            7 => Some([a, b, c, d]),
            _ => None,
        };
        if count == 4 && a != 1.0 {
            self.all.skipped.add("weight of v", line);
        }
        if count == 5 || data.split_ascii_whitespace().nth(7).is_some() {
            self.all.skipped.add("v with more numbers than a position and a colour", line);
        }
        #[allow(clippy::cast_possible_truncation)] // to the nearest f32: colours are no more exact in a scene
        let color = color.map(|color| color.map(|c| c as f32));
        let seen = color.filter(|color| color.iter().all(|c| c.is_finite()));
        if color != seen {
            self.all.repaired.add("colour of v out of range: ignored", line);
        }
        if seen.is_some() || !self.all.colors.is_empty() {
            self.all.colors.resize(self.all.positions.len(), None);
            self.all.colors.push(seen);
        }
        // An unreadable vertex keeps its index. A face with it would reach to a point that the file does not contain.
        self.all.positions.push(if count == 0 { UNREADABLE } else { [x, y, z] });
    }

    /// Parses up to `N` numbers, and returns how many there are. Anything else ends them. Too few numbers count as 0: without
    /// the statement, all later indices would be wrong.
    fn numbers<const N: usize>(&mut self, data: &str, least: usize, line: u64, few: &str) -> ([f64; N], usize) {
        let mut values = [0.0_f64; N];
        let mut count = 0;
        for (value, word) in values.iter_mut().zip(data.split_ascii_whitespace()) {
            let Some(number) = word.parse().ok().filter(|number: &f64| number.is_finite()) else {
                if count >= least {
                    self.all.repaired.add("word that is not a number: ignored with the rest of its line", line);
                }
                break;
            };
            *value = number;
            count += 1;
        }
        if count < least {
            self.all.repaired.add(few, line);
            return ([0.0; N], 0);
        }
        (values, count)
    }

    fn face(&mut self, data: &str, line: u64) {
        let start = self.all.corners.len();
        let mut is_good = true;
        let mut is_forward = false;
        for word in data.split_ascii_whitespace() {
            let Some((corner, forward)) = self.corner(word, line) else {
                is_good = false;
                break;
            };
            is_forward |= forward;
            self.all.corners.push(corner);
        }
        let end = self.all.corners.len();
        if !is_good {
            self.all.repaired.add(BAD_FACE, line);
        } else if end - start < 3 {
            self.all.skipped.add("f with fewer than 3 vertices", line);
        } else {
            if is_forward {
                self.forward.push((self.all.faces.len(), line));
            }
            self.all.faces.push(Face { end, material: self.material, smoothing: self.smoothing });
            return;
        }
        self.all.corners.truncate(start);
    }

    /// Parses a corner. Returns `true` with it if it refers to later statements, and `None` if its vertex is invalid.
    fn corner(&mut self, word: &str, line: u64) -> Option<([u32; 3], bool)> {
        let counts = [self.all.positions.len(), self.all.uvs.len(), self.all.normals.len()];
        let mut corner = [NONE; 3];
        let mut parts = word.split('/');
        for ((index, count), text) in corner.iter_mut().zip(counts).zip(NO_REFERENCE) {
            let part = parts.next().unwrap_or_default();
            let is_vertex = text == BAD_FACE;
            if part.is_empty() && !is_vertex {
                continue;
            }
            let is_bad = |index: u32| is_vertex && self.all.positions.get(index as usize).is_some_and(is_unreadable);
            match resolve(part, count).filter(|&index| !is_bad(index)) {
                Some(resolved) => *index = resolved,
                None if is_vertex => return None,
                None => self.all.skipped.add(text, line),
            }
        }
        Some((corner, !in_range(corner, counts))).filter(|_| parts.next().is_none())
    }

    fn section(&mut self, name: &str, is_object: bool, budget: &mut Budget) -> Result<(), Error> {
        budget.take()?;
        self.end_section();
        let (vertex, face) = (self.all.positions.len(), self.all.faces.len());
        self.all.sections.push(Section {
            name: name.to_owned(),
            is_object,
            vertices: vertex..vertex,
            faces: face..face,
        });
        Ok(())
    }

    fn end_section(&mut self) {
        if let Some(section) = self.all.sections.last_mut() {
            section.vertices.end = self.all.positions.len();
            section.faces.end = self.all.faces.len();
        }
    }

    fn use_material(&mut self, name: &str, budget: &mut Budget) -> Result<(), Error> {
        if let Some(&place) = self.material_places.get(name) {
            self.material = place;
            return Ok(());
        }
        budget.take()?;
        let next = u32::try_from(self.all.materials.len()).unwrap_or(NONE);
        self.material_places.insert(name.to_owned(), next);
        self.all.materials.push(name.to_owned());
        self.material = next;
        Ok(())
    }

    /// Completes the checks that need all statements, because faces may come before their vertices.
    fn finish(mut self, data: &[u8]) -> Result<Statements, Error> {
        self.end_section();
        let mut all = self.all;
        let zero = data.iter().position(|&byte| byte == 0);
        if let Some(offset) = zero.filter(|_| !self.is_obj) {
            return Err(not_obj("a zero byte", "text").at(Position::file(offset as u64)));
        }
        let unknown = all.skipped.counts.values().map(|(_, line)| *line).min();
        if let Some(line) = unknown.filter(|_| !self.is_obj) {
            let error = not_obj("no line begins with a statement", "one such as v, f or o");
            return Err(error.at(line_position(data, line)));
        }
        if u32::try_from(all.positions.len()).is_err() || u32::try_from(all.faces.len()).is_err() {
            return Err(Error::without_position(ErrorKind::Limit {
                what: "vertices or faces",
                limit: u32::MAX.into(),
            }));
        }
        drop_attributes(&mut all, &self.forward);
        drop_faces(&mut all, &self.forward);
        all.positions.iter_mut().filter(|position| is_unreadable(position)).for_each(|position| *position = [0.0; 3]);
        Ok(all)
    }
}

/// Parses an index and counts it from 0. Negative ones are relative to the statements so far.
fn resolve(part: &str, count: usize) -> Option<u32> {
    let index = match part.parse().ok()? {
        number @ 1_i64.. => usize::try_from(number - 1).ok(),
        0 => None,
        number => usize::try_from(number.unsigned_abs()).ok().and_then(|back| count.checked_sub(back)),
    };
    index.and_then(|index| u32::try_from(index).ok()).filter(|&index| index != NONE)
}

/// Removes texture coordinates and normals that do not exist from corners.
fn drop_attributes(all: &mut Statements, forward: &[(usize, u64)]) {
    let counts = [usize::MAX, all.uvs.len(), all.normals.len()];
    for &(face, line) in forward {
        let (start, end) = all.corner_range(face);
        for corner in all.corners.get_mut(start..end).unwrap_or_default() {
            for ((index, count), text) in corner.iter_mut().zip(counts).zip(NO_REFERENCE) {
                if *index != NONE && *index as usize >= count {
                    *index = NONE;
                    all.skipped.add(text, line);
                }
            }
        }
    }
}

/// Removes faces with vertices that do not exist or are unreadable.
fn drop_faces(all: &mut Statements, forward: &[(usize, u64)]) {
    let counts = [all.positions.len(), all.uvs.len(), all.normals.len()];
    let bad: Vec<(usize, u64)> = forward
        .iter()
        .copied()
        .filter(|&(face, _)| {
            let mut corners = all.face_corners(face).iter();
            let is_readable = |[vertex, ..]: [u32; 3]| !all.positions.get(vertex as usize).is_some_and(is_unreadable);
            !corners.all(|&corner| in_range(corner, counts) && is_readable(corner))
        })
        .collect();
    if bad.is_empty() {
        return;
    }
    let mut corners = Vec::with_capacity(all.corners.len());
    let mut faces = Vec::with_capacity(all.faces.len());
    // Number of faces that stay before each face, and in total.
    let mut stay = Vec::with_capacity(all.faces.len() + 1);
    let mut left_out = bad.iter().peekable();
    for (place, face) in all.faces.iter().enumerate() {
        stay.push(faces.len());
        if let Some((_, line)) = left_out.next_if(|(bad, _)| *bad == place) {
            all.repaired.add(BAD_FACE, *line);
            continue;
        }
        corners.extend_from_slice(all.face_corners(place));
        faces.push(Face { end: corners.len(), ..*face });
    }
    stay.push(faces.len());
    let moved = |place: usize| stay.get(place).copied().unwrap_or(faces.len());
    for section in &mut all.sections {
        section.faces = moved(section.faces.start)..moved(section.faces.end);
    }
    (all.corners, all.faces) = (corners, faces);
}

fn is_unreadable(position: &[f64; 3]) -> bool {
    position.iter().any(|number| number.is_nan())
}

/// Returns `true` if all references of a corner exist.
fn in_range(corner: [u32; 3], counts: [usize; 3]) -> bool {
    corner.iter().zip(counts).all(|(&index, count)| index == NONE || (index as usize) < count)
}
