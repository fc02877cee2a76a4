//! The statements of an OBJ file, with indices resolved.

use std::{borrow::Cow, collections::HashMap, ops::Range};

use super::{Budget, Skipped};
use crate::{Error, ErrorKind, Position};

/// What stands for "no texture coordinate", "no normal" and "no material".
pub(super) const NONE: u32 = u32::MAX;

/// A whole file.
#[derive(Default)]
pub(super) struct Statements {
    pub(super) positions: Vec<[f64; 3]>,
    /// As long as `positions`, or empty where no vertex has a colour.
    pub(super) colors: Vec<Option<[f32; 3]>>,
    pub(super) uvs: Vec<[f64; 2]>,
    pub(super) normals: Vec<[f64; 3]>,
    /// Vertex, texture coordinate, normal; counted from 0.
    pub(super) corners: Vec<[u32; 3]>,
    pub(super) faces: Vec<Face>,
    pub(super) sections: Vec<Section>,
    /// The names after `usemtl`, each once.
    pub(super) materials: Vec<String>,
    /// The lines after `mtllib`.
    pub(super) libraries: Vec<String>,
    pub(super) skipped: Skipped,
}

/// A face: its corners end here in [`Statements::corners`].
pub(super) struct Face {
    pub(super) end: usize,
    /// A place in [`Statements::materials`], or [`NONE`].
    pub(super) material: u32,
    /// The smoothing group; 0: off.
    pub(super) smoothing: u32,
}

/// What stands between two `o`, or two `g`.
#[derive(Default)]
pub(super) struct Section {
    pub(super) name: String,
    /// Whether it began with `o`.
    pub(super) is_object: bool,
    /// The vertices that it declares.
    pub(super) vertices: Range<usize>,
    /// Its faces.
    pub(super) faces: Range<usize>,
}

pub(super) fn read(data: &[u8], budget: &mut Budget) -> Result<Statements, Error> {
    let mut reader = Reader { material: NONE, ..Reader::default() };
    reader.all.sections.push(Section::default());
    for (line, text) in lines(data) {
        reader.statement(&text, line, budget).map_err(|error| error.at(Position::Line { line, column: 0 }))?;
    }
    reader.finish()
}

/// The lines of a text with their numbers from 1; a backslash at the end continues a line. Lines end with a line
/// feed, or with a carriage return in files that have no line feed.
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

fn trim(line: &[u8]) -> &[u8] {
    line.trim_ascii()
}

/// The first word of a line and the rest.
pub(super) fn keyword(text: &str) -> (&str, &str) {
    match text.split_once(|c: char| c.is_ascii_whitespace()) {
        Some((word, rest)) => (word, rest.trim()),
        None => (text, ""),
    }
}

#[derive(Default)]
struct Reader {
    all: Statements,
    /// Corners that name something that is not declared yet, with their line: files may put faces first.
    forward: Vec<(usize, u64)>,
    material_places: HashMap<String, u32>,
    material: u32,
    smoothing: u32,
    has_objects: bool,
}

impl Reader {
    fn statement(&mut self, text: &str, line: u64, budget: &mut Budget) -> Result<(), Error> {
        let (word, rest) = keyword(text);
        match word {
            "" => {}
            _ if word.starts_with('#') => {}
            "v" => self.vertex(rest, line)?,
            "vt" => {
                let ([u, v, w], _) = numbers::<3>(rest, 1, "vt")?;
                if w != 0.0 {
                    self.all.skipped.add("third coordinate of vt", line);
                }
                self.all.uvs.push([u, v]);
            }
            "vn" => self.all.normals.push(numbers::<3>(rest, 3, "vn")?.0),
            "f" => self.face(rest, line)?,
            "o" => {
                self.has_objects = true;
                self.section(rest, true, budget)?;
            }
            "g" if !self.has_objects => self.section(rest, false, budget)?,
            "g" if self.all.sections.last().is_some_and(|section| section.name == rest) => {}
            "s" => self.smoothing = rest.split_ascii_whitespace().next().and_then(|n| n.parse().ok()).unwrap_or(0),
            "usemtl" => self.use_material(rest, budget)?,
            "mtllib" => self.all.libraries.push(rest.to_owned()),
            _ => self.all.skipped.add(word, line),
        }
        Ok(())
    }

    fn vertex(&mut self, rest: &str, line: u64) -> Result<(), Error> {
        let ([x, y, z, a, b, c, d], count) = numbers::<7>(rest, 3, "v")?;
        // Three numbers; four with a weight; six with a colour; seven with both.
        let color = match count {
            6 => Some([a, b, c]),
            7 => Some([b, c, d]),
            _ => None,
        };
        if [4, 7].contains(&count) && a != 1.0 {
            self.all.skipped.add("weight of v", line);
        }
        if color.is_some() || !self.all.colors.is_empty() {
            self.all.colors.resize(self.all.positions.len(), None);
            #[allow(clippy::cast_possible_truncation)] // to the nearest f32: colours are no more exact in a scene
            self.all.colors.push(color.map(|color| color.map(|c| c as f32)));
        }
        self.all.positions.push([x, y, z]);
        Ok(())
    }

    fn face(&mut self, rest: &str, line: u64) -> Result<(), Error> {
        let counts = [self.all.positions.len(), self.all.uvs.len(), self.all.normals.len()];
        for word in rest.split_ascii_whitespace() {
            let mut corner = [NONE; 3];
            let mut parts = word.split('/');
            for (place, (index, count)) in corner.iter_mut().zip(counts).enumerate() {
                let part = parts.next().unwrap_or_default();
                if place > 0 && part.is_empty() {
                    continue;
                }
                let number: i64 = part.parse().map_err(|_| Error::malformed("f", format!("{word:?} is no corner")))?;
                let resolved = match number {
                    1.. => u32::try_from(number - 1).ok(),
                    0 => None,
                    // Relative to what was declared so far.
                    _ => usize::try_from(number.unsigned_abs())
                        .ok()
                        .and_then(|back| count.checked_sub(back))
                        .and_then(|index| u32::try_from(index).ok()),
                };
                *index = resolved
                    .filter(|&index| index != NONE)
                    .ok_or_else(|| Error::malformed("f", format!("index {number} points to nothing")))?;
            }
            if parts.next().is_some() {
                return Err(Error::malformed("f", format!("{word:?} is no corner")));
            }
            if corner.iter().zip(counts).any(|(&index, count)| index != NONE && index as usize >= count) {
                self.forward.push((self.all.corners.len(), line));
            }
            self.all.corners.push(corner);
        }
        let end = self.all.corners.len();
        let start = self.all.faces.last().map_or(0, |face| face.end);
        if end - start < 3 {
            self.all.corners.truncate(start);
            let kept = self.forward.partition_point(|&(corner, _)| corner < start);
            self.forward.truncate(kept);
            self.all.skipped.add("f with fewer than three corners", line);
            return Ok(());
        }
        self.all.faces.push(Face { end, material: self.material, smoothing: self.smoothing });
        Ok(())
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

    /// Checks what could only be checked at the end, as faces may stand before their vertices.
    fn finish(mut self) -> Result<Statements, Error> {
        self.end_section();
        let all = self.all;
        if !all.colors.is_empty() && all.colors.len() != all.positions.len() {
            return Err(Error::malformed("v", "colours and positions do not fit"));
        }
        if u32::try_from(all.positions.len()).is_err() || u32::try_from(all.faces.len()).is_err() {
            return Err(Error::new(ErrorKind::Limit { what: "vertices or faces", limit: u32::MAX.into() }, ""));
        }
        let counts = [all.positions.len(), all.uvs.len(), all.normals.len()];
        for (corner, line) in self.forward {
            let indices = all.corners.get(corner).into_iter().flatten();
            for (&index, &count) in indices.zip(&counts).filter(|(index, _)| **index != NONE) {
                if index as usize >= count {
                    let kind = ErrorKind::BadIndex { index: index.into(), count: count as u64 };
                    return Err(Error::new(kind, "f").at(Position::Line { line, column: 0 }));
                }
            }
        }
        Ok(all)
    }
}

/// Up to `N` numbers, and how many there are; a comment may follow.
fn numbers<const N: usize>(text: &str, least: usize, what: &'static str) -> Result<([f64; N], usize), Error> {
    let mut values = [0.0_f64; N];
    let mut count = 0;
    let words = text.split_ascii_whitespace().take_while(|word| !word.starts_with('#'));
    for (value, word) in values.iter_mut().zip(words) {
        *value = word.parse().map_err(|_| Error::malformed(what, format!("{word:?} is no number")))?;
        if !value.is_finite() {
            return Err(Error::new(ErrorKind::NotFinite(*value), what));
        }
        count += 1;
    }
    if count < least {
        return Err(Error::malformed(what, format!("{count} numbers where at least {least} belong")));
    }
    Ok((values, count))
}
