//! The statements of an OBJ file, with indices resolved.

use std::{collections::HashMap, ops::Range};

use mapwright_io::{Position, parallel};

use super::{
    Budget, Skipped,
    lines::{Lines, line_position},
    part::{BAD_FACE, NO_REFERENCE, Part, SectionStart},
};
use crate::{Error, ErrorKind};

/// Index for "no texture coordinate", "no normal" and "no material".
pub(super) const NONE: u32 = u32::MAX;

/// Minimum bytes of text that are read as a part of their own.
const PART: usize = 1 << 21;

/// A whole file.
#[derive(Debug, Default, PartialEq)]
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

/// A face. `end` is the end of its corners in [`Statements::corners`].
#[derive(Debug, PartialEq)]
pub(super) struct Face {
    pub(super) end: usize,
    /// Index into [`Statements::materials`], or [`NONE`].
    pub(super) material: u32,
    /// The smoothing group; 0: off.
    pub(super) smoothing: u32,
}

/// The part between two `o` or `g`.
#[derive(Debug, Default, PartialEq)]
pub(super) struct Section {
    pub(super) name: String,
    /// `true` if the section began with `o`.
    pub(super) is_object: bool,
    /// The vertices that it declares.
    pub(super) vertices: Range<usize>,
    /// The faces.
    pub(super) faces: Range<usize>,
}

/// Reads a file.
pub(super) fn read(data: &[u8], budget: &mut Budget) -> Result<Statements, Error> {
    // Small files start no threads.
    let size = if data.len() > PART && parallel::threads() > 1 { PART } else { usize::MAX };
    read_parts(data, size, budget)
}

/// Reads parts of at least `size` bytes at the same time. The result does not depend on the size.
fn read_parts(data: &[u8], size: usize, budget: &mut Budget) -> Result<Statements, Error> {
    let lines = Lines::new(data);
    let has_zeros = memchr::memchr(0, data).is_some();
    let limit = budget.left;
    let parts = lines.clone().parts(size);
    let is_alone = parts.len() == 1;
    let mut parts = parallel::map(parts, |lines| Part::read(lines, is_alone, has_zeros, limit));
    if parts.iter().any(Option::is_none) {
        parts = vec![Part::read(lines, true, has_zeros, limit)];
    }
    let mut reader = Reader::default();
    reader.reserve(&parts);
    reader.all.sections.push(Section::default());
    for part in parts.into_iter().flatten() {
        reader.append(part, data, budget)?;
    }
    reader.finish(data)
}

fn not_obj(found: &str, expected: &'static str) -> Error {
    Error::without_position(ErrorKind::NotTheFormat { format: "OBJ", found: found.to_owned(), expected })
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

/// Joins the parts of a file.
#[derive(Default)]
struct Reader {
    all: Statements,
    /// The indices of materials.
    material_places: HashMap<String, u32>,
    /// The last material, if there is one.
    material: Option<u32>,
    /// The last smoothing group.
    smoothing: u32,
    has_objects: bool,
    /// `true` if the file contains a statement of OBJ.
    is_obj: bool,
    /// The number of lines so far.
    lines: u64,
    /// The largest vertex, texture coordinate and normal of a corner.
    largest: [Option<u32>; 3],
    /// Vertices without three numbers.
    unreadable: Vec<u32>,
    /// Places of faces whose line does not follow the line of the face before, with their lines.
    face_lines: Vec<(usize, u64)>,
}

impl Reader {
    /// Reserves memory for the columns of several parts.
    fn reserve(&mut self, parts: &[Option<Part>]) {
        let sum = |length: fn(&Part) -> usize| parts.iter().flatten().map(length).fold(0, usize::saturating_add);
        if parts.len() > 1 {
            self.all.positions.reserve_exact(sum(|part| part.positions.len()));
            self.all.uvs.reserve_exact(sum(|part| part.uvs.len()));
            self.all.normals.reserve_exact(sum(|part| part.normals.len()));
            self.all.corners.reserve_exact(sum(|part| part.corners.len()));
            self.all.faces.reserve_exact(sum(|part| part.faces.len()));
        }
    }

    fn append(&mut self, part: Part, data: &[u8], budget: &mut Budget) -> Result<(), Error> {
        let [vertex, face, corner] = [self.all.positions.len(), self.all.faces.len(), self.all.corners.len()];
        let lines = self.lines;
        self.lines = self.lines.saturating_add(part.lines);
        let mut taken = self.append_sections(part.sections, lines);
        let places = self.append_materials(part.materials, lines, &mut taken);
        // The error is about the first line beyond the limit.
        taken.sort_unstable();
        for line in taken {
            budget.take().map_err(|error| error.at(line_position(data, line)))?;
        }

        let mut faces = part.faces;
        for (place, face) in faces.iter_mut().enumerate() {
            face.end = face.end.saturating_add(corner);
            face.material = if place < part.faces_before_material {
                self.material.unwrap_or(NONE)
            } else {
                places.get(face.material as usize).copied().unwrap_or(NONE)
            };
            if place < part.faces_before_smoothing {
                face.smoothing = self.smoothing;
            }
        }
        let last = part.material.map(|material| places.get(material as usize).copied().unwrap_or(NONE));
        self.material = last.or(self.material);
        self.smoothing = part.smoothing.unwrap_or(self.smoothing);
        for (all, of_part) in self.largest.iter_mut().zip(part.largest) {
            *all = (*all).max(of_part);
        }
        let place = |vertex: usize| u32::try_from(vertex).unwrap_or(NONE);
        self.unreadable.extend(part.unreadable.iter().map(|&bad| place(vertex.saturating_add(bad))));
        let face_lines = part.face_lines.iter();
        self.face_lines
            .extend(face_lines.map(|&(place, line)| (face.saturating_add(place), lines.saturating_add(line))));
        self.is_obj |= part.is_obj;
        self.all.libraries.extend(part.libraries);
        self.all.skipped.append(part.skipped, lines);
        self.all.repaired.append(part.repaired, lines);
        if !part.colors.is_empty() || !self.all.colors.is_empty() {
            self.all.colors.resize(vertex, None);
            self.all.colors.extend(part.colors);
            self.all.colors.resize(vertex.saturating_add(part.positions.len()), None);
        }
        append(&mut self.all.positions, part.positions);
        append(&mut self.all.uvs, part.uvs);
        append(&mut self.all.normals, part.normals);
        append(&mut self.all.corners, part.corners);
        append(&mut self.all.faces, faces);
        Ok(())
    }

    /// Adds the sections of a part. The columns do not have its statements yet. Returns the lines of the sections.
    fn append_sections(&mut self, sections: Vec<SectionStart>, lines_before: u64) -> Vec<u64> {
        let [vertex, face] = [self.all.positions.len(), self.all.faces.len()];
        let mut taken = Vec::new();
        for section in sections {
            let line = lines_before.saturating_add(section.line);
            if !section.is_object && self.has_objects {
                // A group of an object.
                if self.all.sections.last().is_some_and(|last| last.name != section.name) {
                    self.all.skipped.add("g", line);
                }
                continue;
            }
            taken.push(line);
            self.has_objects |= section.is_object;
            self.all.sections.push(Section {
                name: section.name,
                is_object: section.is_object,
                // The ends follow from the next section.
                vertices: vertex.saturating_add(section.vertex)..0,
                faces: face.saturating_add(section.face)..0,
            });
        }
        taken
    }

    /// Adds the materials of a part that earlier parts do not have, and their lines to `taken`. Returns the index of each material.
    fn append_materials(&mut self, materials: Vec<(String, u64)>, lines_before: u64, taken: &mut Vec<u64>) -> Vec<u32> {
        let mut places = Vec::with_capacity(materials.len());
        for (name, line) in materials {
            let next = u32::try_from(self.all.materials.len()).unwrap_or(NONE);
            let place = *self.material_places.entry(name).or_insert_with_key(|name| {
                taken.push(lines_before.saturating_add(line));
                self.all.materials.push(name.clone());
                next
            });
            places.push(place);
        }
        places
    }

    /// Completes the checks that need all statements, because faces may come before their vertices.
    fn finish(mut self, data: &[u8]) -> Result<Statements, Error> {
        let mut ends = (self.all.positions.len(), self.all.faces.len());
        for section in self.all.sections.iter_mut().rev() {
            (section.vertices.end, section.faces.end) = ends;
            ends = (section.vertices.start, section.faces.start);
        }
        let zero = memchr::memchr(0, data);
        if let Some(offset) = zero.filter(|_| !self.is_obj) {
            return Err(not_obj("a zero byte", "text").at(Position::file(offset as u64)));
        }
        let unknown = self.all.skipped.counts.values().map(|(_, line)| *line).min();
        if let Some(line) = unknown.filter(|_| !self.is_obj) {
            let error = not_obj("no line begins with a statement", "one such as v, f or o");
            return Err(error.at(line_position(data, line)));
        }
        if u32::try_from(self.all.positions.len()).is_err() || u32::try_from(self.all.faces.len()).is_err() {
            return Err(Error::without_position(ErrorKind::Limit {
                what: "vertices or faces",
                limit: u32::MAX.into(),
            }));
        }
        let counts = [self.all.positions.len(), self.all.uvs.len(), self.all.normals.len()];
        let exceeds = |(largest, count): (Option<u32>, usize)| largest.is_some_and(|largest| largest as usize >= count);
        let [vertices, uvs, normals] = [0, 1, 2].map(|column: usize| {
            self.largest.get(column).copied().zip(counts.get(column).copied()).is_some_and(exceeds)
        });
        if uvs || normals {
            self.drop_attributes(counts);
        }
        if vertices || !self.unreadable.is_empty() {
            self.drop_faces();
        }
        Ok(self.all)
    }

    /// Returns the line of a face.
    fn face_line(&self, face: usize) -> u64 {
        let after = self.face_lines.partition_point(|&(first, _)| first <= face);
        let before = after.checked_sub(1).and_then(|place| self.face_lines.get(place));
        before.map_or(0, |&(first, line)| line.saturating_add((face - first) as u64))
    }

    /// Removes texture coordinates and normals that do not exist from corners.
    fn drop_attributes(&mut self, counts: [usize; 3]) {
        for face in 0..self.all.faces.len() {
            let (start, end) = self.all.corner_range(face);
            let mut missing = [0_usize; 3];
            for corner in self.all.corners.get_mut(start..end).unwrap_or_default() {
                for ((index, count), missing) in corner.iter_mut().zip(counts).zip(&mut missing).skip(1) {
                    if *index != NONE && *index as usize >= count {
                        *index = NONE;
                        *missing += 1;
                    }
                }
            }
            for (count, text) in missing.into_iter().zip(NO_REFERENCE).filter(|(count, _)| *count > 0) {
                let line = self.face_line(face);
                self.all.skipped.add_many(text, count, line);
            }
        }
    }

    /// Removes faces with vertices that do not exist or have no numbers.
    fn drop_faces(&mut self) {
        let all = &self.all;
        let count = all.positions.len();
        let is_bad =
            |[vertex, ..]: &[u32; 3]| *vertex as usize >= count || self.unreadable.binary_search(vertex).is_ok();
        let mut corners = Vec::with_capacity(all.corners.len());
        let mut faces = Vec::with_capacity(all.faces.len());
        let mut left_out = Vec::new();
        // Number of faces that stay before each face, and in total.
        let mut stay = Vec::with_capacity(all.faces.len() + 1);
        for (place, face) in all.faces.iter().enumerate() {
            stay.push(faces.len());
            let of_face = all.face_corners(place);
            if of_face.iter().any(is_bad) {
                left_out.push(self.face_line(place));
                continue;
            }
            corners.extend_from_slice(of_face);
            faces.push(Face { end: corners.len(), ..*face });
        }
        stay.push(faces.len());
        let moved = |place: usize| stay.get(place).copied().unwrap_or(faces.len());
        for section in &mut self.all.sections {
            section.faces = moved(section.faces.start)..moved(section.faces.end);
        }
        (self.all.corners, self.all.faces) = (corners, faces);
        left_out.into_iter().for_each(|line| self.all.repaired.add(BAD_FACE, line));
    }
}

/// Appends a column of a part. The column of the only part is kept as it is.
fn append<T>(all: &mut Vec<T>, part: Vec<T>) {
    if all.capacity() == 0 {
        *all = part;
    } else {
        all.extend(part);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read_with(text: &str, size: usize, limit: usize) -> Result<Statements, String> {
        let mut budget = Budget { left: limit, limit };
        read_parts(text.as_bytes(), size, &mut budget).map_err(|error| error.to_string())
    }

    #[test]
    fn parts_give_the_same_result_as_the_whole_file() {
        let text = "f 1 2 9\nv 0 0 0\nv 1 0 0 1 0 0\nv 0 1 0\n\ng a\nusemtl red\ns 1\nf 1/1 2/1/1 3/7/7\nvt 0 0 1\nvn 0 0 1\n\
                    f 1 2 3\nl 1 2\nv x\no b\nusemtl blue\nf 1 2 4\ng c\ng b\nf 3 2 \\\n1\nusemtl red\ns off\nunknown\n\
                    f 1 2 7\nv 1 1 1\nv 2 2 2 0.5 0.5 0.5 1\nmtllib a.mtl\nf 5 6 1\n\0\nf 0 1 2\no d\nf 1 2 3\nf 9 9 9\n";
        let whole = read_with(text, usize::MAX, 100).unwrap();
        assert_eq!((whole.faces.len(), whole.sections.len(), whole.materials.len()), (5, 4, 2));
        // Negative indices depend on the lines before the part.
        let relative = text.replace("f 3 2 ", "f -1 -2 ");
        let whole_relative = read_with(&relative, usize::MAX, 100).unwrap();
        for size in 1..text.len() {
            assert_eq!(read_with(text, size, 100).as_ref(), Ok(&whole), "{size}");
            assert_eq!(read_with(&relative, size, 100).as_ref(), Ok(&whole_relative), "{size}");
            for limit in 0..6 {
                assert_eq!(read_with(text, size, limit), read_with(text, usize::MAX, limit), "{size}, {limit}");
            }
        }
    }
}
