//! A part of an OBJ file, read on its own.

use std::collections::HashMap;

use super::{
    Skipped,
    lines::{Lines, Words, keyword},
    statements::{Face, NONE},
};

/// Loss text of faces whose vertices are invalid or missing.
pub(super) const BAD_FACE: &str = "face with an invalid vertex: left out";

/// Loss texts of corners without a valid vertex, texture coordinate and normal. Only the first makes a face invalid.
pub(super) const NO_REFERENCE: [&str; 3] =
    [BAD_FACE, "texture coordinate of a face that does not exist", "normal of a face that does not exist"];

/// The statements of some lines. Line numbers begin with 1, places of vertices and faces with 0.
#[derive(Default)]
pub(super) struct Part {
    pub(super) positions: Vec<[f64; 3]>,
    /// The colours up to the last vertex with one.
    pub(super) colors: Vec<Option<[f32; 4]>>,
    pub(super) uvs: Vec<[f64; 2]>,
    pub(super) normals: Vec<[f64; 3]>,
    /// Indices of the whole file, counted from 0.
    pub(super) corners: Vec<[u32; 3]>,
    /// The faces; their material is a place in `materials`.
    pub(super) faces: Vec<Face>,
    pub(super) sections: Vec<SectionStart>,
    /// The names after `usemtl`, without duplicates, and their lines.
    pub(super) materials: Vec<(String, u64)>,
    pub(super) libraries: Vec<String>,
    pub(super) skipped: Skipped,
    pub(super) repaired: Skipped,
    /// The number of lines.
    pub(super) lines: u64,
    /// The number of faces before the first `usemtl`, and before the first `s`.
    pub(super) faces_before_material: usize,
    pub(super) faces_before_smoothing: usize,
    /// The last material and smoothing group, if there is one.
    pub(super) material: Option<u32>,
    pub(super) smoothing: Option<u32>,
    /// `true` if the lines contain a statement of OBJ.
    pub(super) is_obj: bool,
    /// The largest vertex, texture coordinate and normal of a corner.
    pub(super) largest: [Option<u32>; 3],
    /// Vertices without three numbers.
    pub(super) unreadable: Vec<usize>,
    /// Places of faces whose line does not follow the line of the face before, with their lines.
    pub(super) face_lines: Vec<(usize, u64)>,
}

/// The start of a section: `o` or `g`.
pub(super) struct SectionStart {
    pub(super) name: String,
    pub(super) is_object: bool,
    pub(super) line: u64,
    /// The number of vertices and faces before it.
    pub(super) vertex: usize,
    pub(super) face: usize,
}

impl Part {
    /// Reads a part. `limit` is the maximum number of its sections and materials. Returns `None` if the statements mean something
    /// else after other parts, and the part is not the whole file.
    pub(super) fn read(lines: Lines<'_>, is_whole: bool, has_zeros: bool, limit: usize) -> Option<Self> {
        let mut reader = Reader { is_whole, limit, ..Reader::default() };
        let mut lines = lines;
        for (line, text) in lines.by_ref() {
            reader.statement(&text, line, has_zeros);
            if reader.needs_whole_file {
                return None;
            }
            if reader.is_full {
                break;
            }
        }
        if !is_whole && (reader.part.skipped.is_full() || reader.is_full) {
            return None;
        }
        let mut part = reader.part;
        let faces = part.faces.len();
        part.lines = lines.line_count();
        if part.material.is_none() {
            part.faces_before_material = faces;
        }
        if part.smoothing.is_none() {
            part.faces_before_smoothing = faces;
        }
        Some(part)
    }
}

#[derive(Default)]
struct Reader {
    part: Part,
    is_whole: bool,
    has_objects: bool,
    material_places: HashMap<String, u32>,
    /// The line after the last face.
    face_line: u64,
    limit: usize,
    /// `true` if there are more sections and materials than the limit.
    is_full: bool,
    /// `true` if a statement depends on lines before the part.
    needs_whole_file: bool,
}

impl Reader {
    #[inline]
    fn statement(&mut self, text: &[u8], line: u64, has_zeros: bool) {
        let (word, rest) = keyword(text);
        match word {
            [] | [b'#', ..] => return,
            b"v" => self.vertex(rest, line),
            b"vt" => {
                let ([u, v, w], _) = self.numbers(rest, 1, line, "vt without a number: read as 0 0");
                if w != 0.0 {
                    self.part.skipped.add("third coordinate of vt", line);
                }
                self.part.uvs.push([u, v]);
            }
            b"vn" => {
                let (normal, _) = self.numbers(rest, 3, line, "vn without three numbers: ignored");
                self.part.normals.push(normal);
            }
            b"f" => self.face(rest, line),
            _ => {
                if !self.rare_statement(word, rest, line) {
                    return;
                }
            }
        }
        if has_zeros && text.contains(&0) {
            self.part.repaired.add("line with a zero byte: read up to that byte", line);
        }
        self.part.is_obj = true;
    }

    /// Reads a statement that is not repeated for each vertex or face. Returns `false` for unknown ones.
    #[cold]
    fn rare_statement(&mut self, word: &[u8], rest: &[u8], line: u64) -> bool {
        // Names may contain the character of comments.
        let rest = String::from_utf8_lossy(rest);
        let rest = rest.trim();
        match word {
            b"o" => {
                self.has_objects = true;
                self.section(rest, true, line);
            }
            b"g" if !self.has_objects => self.section(rest, false, line),
            b"g" if self.part.sections.last().is_some_and(|section| section.name == rest) => {}
            b"s" => {
                let group = rest.split('#').next().unwrap_or_default().split_ascii_whitespace().next();
                if self.part.smoothing.is_none() {
                    self.part.faces_before_smoothing = self.part.faces.len();
                }
                self.part.smoothing = Some(group.and_then(|group| group.parse().ok()).unwrap_or(0));
            }
            b"usemtl" => self.use_material(rest, line),
            b"mtllib" => self.part.libraries.push(rest.to_owned()),
            _ => {
                self.part.skipped.add(&String::from_utf8_lossy(word), line);
                // Points, lines, curves and surfaces.
                const KNOWN: [&[u8]; 9] = [b"p", b"l", b"vp", b"cstype", b"deg", b"curv", b"curv2", b"surf", b"parm"];
                self.part.is_obj |= KNOWN.contains(&word);
                return false;
            }
        }
        true
    }

    #[inline]
    fn vertex(&mut self, data: &[u8], line: u64) {
        let ([x, y, z, a, b, c, d], count) =
            self.numbers(data, 3, line, "v without three numbers: its faces are left out");
        if count == 3 {
            self.part.positions.push([x, y, z]);
            return;
        }
        // Three numbers; four with a weight; six with a colour; seven with a colour and its opacity.
        let color = match count {
            6 => Some([a, b, c, 1.0]),
            7 => Some([a, b, c, d]),
            _ => None,
        };
        if count == 4 && a != 1.0 {
            self.part.skipped.add("weight of v", line);
        }
        if count == 5 || count == 7 && Words(data).nth(7).is_some() {
            self.part.skipped.add("v with more numbers than a position and a colour", line);
        }
        // An unreadable vertex keeps its index. A face with it would reach to a point that the file does not contain.
        if count == 0 {
            self.part.unreadable.push(self.part.positions.len());
        }
        #[allow(clippy::cast_possible_truncation)] // to the nearest f32: colours are no more exact in a scene
        let color = color.map(|color| color.map(|c| c as f32));
        let seen = color.filter(|color| color.iter().all(|c| c.is_finite()));
        if color != seen {
            self.part.repaired.add("colour of v out of range: ignored", line);
        }
        if seen.is_some() {
            self.part.colors.resize(self.part.positions.len(), None);
            self.part.colors.push(seen);
        }
        self.part.positions.push([x, y, z]);
    }

    /// Parses up to `N` numbers, and returns how many there are. Anything else ends them. Too few numbers count as 0: without
    /// the statement, all later indices would be wrong.
    #[inline]
    fn numbers<const N: usize>(&mut self, data: &[u8], least: usize, line: u64, few: &str) -> ([f64; N], usize) {
        let mut values = [0.0_f64; N];
        let mut count = 0;
        let mut words = Words(data);
        for value in &mut values {
            let Some(number) = words.number() else { break };
            *value = number;
            count += 1;
        }
        if count < N && words.next().is_some() && count >= least {
            self.part.repaired.add("word that is not a number: ignored with the rest of its line", line);
        }
        if count < least {
            self.part.repaired.add(few, line);
            return ([0.0; N], 0);
        }
        (values, count)
    }

    #[inline]
    fn face(&mut self, data: &[u8], line: u64) {
        let start = self.part.corners.len();
        let mut is_good = true;
        for word in Words(data) {
            let Some(corner) = self.corner(word, line) else {
                is_good = false;
                break;
            };
            self.part.corners.push(corner);
        }
        let end = self.part.corners.len();
        if !is_good {
            self.part.repaired.add(BAD_FACE, line);
        } else if end - start < 3 {
            self.part.skipped.add("f with fewer than 3 vertices", line);
        } else {
            for corner in self.part.corners.get(start..).unwrap_or_default() {
                for (largest, index) in self.part.largest.iter_mut().zip(corner) {
                    if *index != NONE {
                        *largest = (*largest).max(Some(*index));
                    }
                }
            }
            if line != self.face_line {
                self.part.face_lines.push((self.part.faces.len(), line));
            }
            self.face_line = line.saturating_add(1);
            let (material, smoothing) = (self.part.material.unwrap_or(NONE), self.part.smoothing.unwrap_or(0));
            self.part.faces.push(Face { end, material, smoothing });
            return;
        }
        self.part.corners.truncate(start);
    }

    /// Parses a corner. Returns `None` if its vertex is invalid.
    #[inline]
    fn corner(&mut self, word: &[u8], line: u64) -> Option<[u32; 3]> {
        let counts = [self.part.positions.len(), self.part.uvs.len(), self.part.normals.len()];
        let mut corner = [NONE; 3];
        let mut parts = word.split(|&byte| byte == b'/');
        for (column, (index, count)) in corner.iter_mut().zip(counts).enumerate() {
            let part = parts.next().unwrap_or_default();
            if part.is_empty() && column > 0 {
                continue;
            }
            match self.index(part, count) {
                Some(resolved) => *index = resolved,
                None if column == 0 => return None,
                None => self.part.skipped.add(NO_REFERENCE.get(column).copied().unwrap_or_default(), line),
            }
        }
        parts.next().is_none().then_some(corner)
    }

    /// Parses an index and counts it from 0. Negative ones are relative to the statements so far.
    #[inline]
    fn index(&mut self, part: &[u8], count: usize) -> Option<u32> {
        if let Some(number) = small(part) {
            return number.checked_sub(1);
        }
        let index = match std::str::from_utf8(part).ok()?.parse().ok()? {
            number @ 1_i64.. => usize::try_from(number - 1).ok(),
            0 => None,
            number => {
                self.needs_whole_file |= !self.is_whole;
                usize::try_from(number.unsigned_abs()).ok().and_then(|back| count.checked_sub(back))
            }
        };
        index.and_then(|index| u32::try_from(index).ok()).filter(|&index| index != NONE)
    }

    fn section(&mut self, name: &str, is_object: bool, line: u64) {
        self.count_item();
        let (vertex, face) = (self.part.positions.len(), self.part.faces.len());
        self.part.sections.push(SectionStart { name: name.to_owned(), is_object, line, vertex, face });
    }

    fn use_material(&mut self, name: &str, line: u64) {
        if self.part.material.is_none() {
            self.part.faces_before_material = self.part.faces.len();
        }
        if let Some(&place) = self.material_places.get(name) {
            self.part.material = Some(place);
            return;
        }
        self.count_item();
        let next = u32::try_from(self.part.materials.len()).unwrap_or(NONE);
        self.material_places.insert(name.to_owned(), next);
        self.part.materials.push((name.to_owned(), line));
        self.part.material = Some(next);
    }

    /// Counts a section or material. More than the limit are an error, so the rest is not read.
    fn count_item(&mut self) {
        self.is_full = self.part.sections.len().saturating_add(self.part.materials.len()) > self.limit;
    }
}

/// Parses a number of up to nine digits without a sign.
#[inline]
fn small(text: &[u8]) -> Option<u32> {
    if text.is_empty() || text.len() > 9 {
        return None;
    }
    let mut number = 0_u32;
    for byte in text {
        let digit = byte.wrapping_sub(b'0');
        if digit > 9 {
            return None;
        }
        number = number.wrapping_mul(10).wrapping_add(digit.into());
    }
    Some(number)
}
