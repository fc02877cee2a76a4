//! Converts displacement grids to polygons.

use std::collections::HashMap;

use super::Grid;
use crate::mesh::polygons::{Corner, Polygons, size};
use crate::mesh::projection::gradients;
use crate::mesh::vector::{Vec3, add, area, dot, narrow, scale, unit};
use crate::mesh::{Soup, Stream, StreamData};

impl Polygons<'_> {
    /// Replaces every face with grids by the quads of its grids. `None` if there is no such face, or if
    /// half-edges share a corner with a grid: then any number of faces could use the same large grid.
    ///
    /// Positions are interpolated between the corners, the midpoints of the edges and the centre of the face, then moved by the samples of
    /// `displacement:0`. Per-corner data comes from samples with the same name, or is interpolated between the corners.
    /// Normals of displaced faces are computed. No known map has displaced samples. It is unknown whether Hammer smooths
    /// positions, and in which space it displaces; this function uses the space of the positions.
    pub fn subdivided(&self) -> Option<Soup> {
        let grids = self.mesh().subdivision_data.grids()?;
        if grids.iter().all(Option::is_none) {
            return None;
        }
        let mut seen = vec![false; grids.len()];
        let mut corners = self.corners().iter().map(|corner| corner.corner as usize);
        let mut is_repeated = |corner: usize| seen.get_mut(corner).is_some_and(|seen| std::mem::replace(seen, true));
        if corners.any(|corner| matches!(grids.get(corner), Some(Some(_))) && is_repeated(corner)) {
            return None;
        }
        let mut evaluation = Evaluation::new(self, &grids)?;
        for (number, face) in self.iter().enumerate() {
            evaluation.face(number, face);
        }
        Some(evaluation.finish())
    }
}

/// Position of a corner of the result within a face.
#[derive(Clone, Copy)]
struct Location {
    face: usize,
    /// Nearest corner of the face.
    slot: usize,
    /// Sample; `None` at a corner of a face without grids.
    sample: Option<usize>,
    /// Fractions of the way to the midpoints of the next and the previous edge.
    along: [f64; 2],
}

/// The part of a face that locations share if they are the same vertex.
#[derive(PartialEq, Eq, Hash)]
enum Part {
    Vertex(u32),
    Edge(u32),
    Face(usize),
}

struct Evaluation<'a> {
    polygons: &'a Polygons<'a>,
    grids: &'a [Option<Grid>],
    displacement: Option<&'a [[f32; 3]]>,
    positions: Vec<[f32; 3]>,
    welded: HashMap<(Part, [u32; 3]), u32>,
    vertices: Vec<u32>,
    ends: Vec<usize>,
    locations: Vec<Location>,
    /// Original face of each face of the result.
    sources: Vec<usize>,
    /// `true` for displaced faces.
    displaced: Vec<bool>,
}

impl<'a> Evaluation<'a> {
    fn new(polygons: &'a Polygons<'a>, grids: &'a [Option<Grid>]) -> Option<Self> {
        let displacement = polygons.mesh().subdivision_data.stream("displacement:0");
        Some(Self {
            polygons,
            grids,
            displacement: displacement.and_then(|stream| stream.data.as_vector3s()),
            positions: polygons.positions()?,
            welded: HashMap::new(),
            vertices: Vec::new(),
            ends: Vec::new(),
            locations: Vec::new(),
            sources: Vec::new(),
            displaced: vec![false; polygons.len()],
        })
    }

    fn face(&mut self, face: usize, corners: &[Corner]) {
        let grid = |corner: &Corner| self.grids.get(corner.corner as usize).and_then(Option::as_ref);
        let grids: Option<Vec<&Grid>> = corners.iter().map(grid).collect();
        let grids =
            grids.filter(|grids| grids.iter().all(|grid| Some(grid.side) == grids.first().map(|grid| grid.side)));
        let Some(grids) = grids else {
            self.vertices.extend(corners.iter().map(|corner| corner.vertex));
            let place = |slot| Location { face, slot, sample: None, along: [0.0; 2] };
            self.locations.extend((0..corners.len()).map(place));
            self.ends.push(self.vertices.len());
            self.sources.push(face);
            return;
        };
        let ends: Vec<Vec3> = corners.iter().map(|corner| self.base(corner.vertex)).collect();
        let middle =
            self.middle(corners, &ends, grids.first().map_or(0, |grid| grid.samples.end)).unwrap_or(mean(&ends));
        for (slot, grid) in grids.into_iter().enumerate() {
            self.grid(face, slot, grid, corners, (&ends, middle));
        }
    }

    /// Returns the centre of a face if it is not the average of the corners. `end` is the end of one of its grids. The centre of
    /// quads is the average, but not that of a known face with six corners. There it follows from the texture coordinates of the
    /// sample.
    fn middle(&self, corners: &[Corner], ends: &[Vec3], end: usize) -> Option<Vec3> {
        let samples = self.polygons.mesh().subdivision_data.stream("texcoord:0").filter(|_| corners.len() != 4)?;
        let wanted = samples.data.as_vector2s()?.get(end.checked_sub(1)?)?.map(f64::from);
        let texcoords = self.polygons.texcoords(0)?;
        let texcoord = |corner: &Corner| texcoords.get(corner.corner as usize).map(|uv| uv.map(f64::from));
        let mapped: Option<Vec<(Vec3, [f64; 2])>> =
            ends.iter().zip(corners).map(|(&place, corner)| Some((place, texcoord(corner)?))).collect();
        let mapped = mapped?;
        let [u, v] = gradients(&mapped, unit(area(ends.iter().copied()))?, [1.0; 2])?;
        let miss = |place: Vec3, uv: [f64; 2]| [uv[0] - dot(place, u.0) - u.1, uv[1] - dot(place, v.0) - v.1];
        // Only an affine mapping can be inverted.
        if mapped.iter().any(|&(place, uv)| miss(place, uv).iter().any(|miss| miss.abs() > 1e-3)) {
            return None;
        }
        let average = mean(ends);
        let [miss_u, miss_v] = miss(average, wanted);
        let (uu, uv, vv) = (dot(u.0, u.0), dot(u.0, v.0), dot(v.0, v.0));
        let determinant = uu * vv - uv * uv;
        let along_u = scale(u.0, (miss_u * vv - miss_v * uv) / determinant);
        let along_v = scale(v.0, (miss_v * uu - miss_u * uv) / determinant);
        let middle = add(average, add(along_u, along_v));
        middle.iter().all(|c| c.is_finite()).then_some(middle)
    }

    fn base(&self, vertex: u32) -> Vec3 {
        self.positions.get(vertex as usize).map_or([0.0; 3], |place| place.map(f64::from))
    }

    /// Adds the quads of one corner.
    fn grid(&mut self, face: usize, slot: usize, grid: &Grid, corners: &[Corner], ends: (&[Vec3], Vec3)) {
        let side = grid.side;
        let last = to_number(side - 1);
        let mut vertices = Vec::with_capacity(side * side);
        let mut locations = Vec::with_capacity(side * side);
        for (sample, at) in grid.samples.clone().zip(0..) {
            let (i, j) = (at % side, at / side);
            let place =
                Location { face, slot, sample: Some(sample), along: [to_number(i) / last, to_number(j) / last] };
            let part = match (corners.get(slot), corners.get((slot + 1) % corners.len())) {
                (Some(corner), _) if i == 0 && j == 0 => Part::Vertex(corner.vertex),
                (_, Some(next)) if j == 0 => Part::Edge(next.half_edge / 2),
                (Some(corner), _) if i == 0 => Part::Edge(corner.half_edge / 2),
                _ => Part::Face(face),
            };
            let moved = self.displacement.and_then(|all| all.get(sample)).map_or([0.0; 3], |by| by.map(f64::from));
            if let Some(displaced) = self.displaced.get_mut(face).filter(|_| moved != [0.0; 3]) {
                *displaced = true;
            }
            let position = add(interpolate(place, ends), moved);
            vertices.push(self.vertex(part, narrow(position)));
            locations.push(place);
        }
        let quads = (0..side - 1).flat_map(|j| (0..side - 1).map(move |i| j * side + i));
        for at in quads {
            for at in [at, at + 1, at + side + 1, at + side] {
                self.vertices.extend(vertices.get(at));
                self.locations.extend(locations.get(at));
            }
            self.ends.push(self.vertices.len());
            self.sources.push(face);
        }
    }

    /// Returns the vertex at a position: an existing or a new one.
    fn vertex(&mut self, part: Part, position: [f32; 3]) -> u32 {
        if let Part::Vertex(vertex) = part
            && self.positions.get(vertex as usize) == Some(&position)
        {
            return vertex;
        }
        let next = u32::try_from(self.positions.len()).unwrap_or(u32::MAX);
        // Adding 0 turns −0 into 0.
        let vertex = *self.welded.entry((part, position.map(|c| (c + 0.0).to_bits()))).or_insert(next);
        if vertex == next {
            self.positions.push(position);
        }
        vertex
    }

    fn finish(self) -> Soup {
        let mesh = self.polygons.mesh();
        let whole = self.polygons.to_soup();
        let streams =
            mesh.face_vertex_data.streams.iter().filter(|stream| stream.data.len() >= size(&mesh.face_vertex_data));
        let mut corner_streams: Vec<Stream> = streams.map(|stream| self.corner_stream(stream)).collect();
        if let Some(stream) = corner_streams.iter_mut().find(|stream| stream.name == b"normal:0") {
            self.normals(&mut stream.data);
        }
        let gather = |stream: Stream| Stream { data: stream.data.gather(&self.sources), ..stream };
        let material = |&face: &usize| whole.face_materials.get(face).copied().unwrap_or_default();
        Soup {
            face_materials: self.sources.iter().map(material).collect(),
            face_streams: whole.face_streams.into_iter().map(gather).collect(),
            materials: whole.materials,
            edges: whole.edges,
            positions: self.positions,
            vertices: self.vertices,
            ends: self.ends,
            corner_streams,
        }
    }

    /// Evaluates a corner stream at all locations.
    fn corner_stream(&self, stream: &Stream) -> Stream {
        let subdivision = &self.polygons.mesh().subdivision_data;
        let samples =
            subdivision.streams.iter().find(|samples| samples.name == stream.name).map(|samples| &samples.data);
        let corner =
            |place: &Location, slot: usize| self.polygons.face(place.face).get(slot).map_or(0, |c| c.corner as usize);
        // Integers cannot be interpolated.
        let nearest = |place: &Location| corner(place, place.slot);
        let data = match (&stream.data, samples) {
            (StreamData::Vector2(items), Some(StreamData::Vector2(samples))) => {
                StreamData::Vector2(self.pick(items, Some(samples)))
            }
            (StreamData::Vector4(items), Some(StreamData::Vector4(samples))) => {
                StreamData::Vector4(self.pick(items, Some(samples)))
            }
            (StreamData::Vector2(items), _) => StreamData::Vector2(self.pick(items, None)),
            (StreamData::Vector3(items), _) => StreamData::Vector3(self.pick(items, None)),
            (StreamData::Vector4(items), _) => StreamData::Vector4(self.pick(items, None)),
            (StreamData::Float(_) | StreamData::Int(_), _) => {
                stream.data.gather(&self.locations.iter().map(nearest).collect::<Vec<usize>>())
            }
        };
        Stream { data, subdivision_binding: None, ..stream.clone() }
    }

    fn pick<const N: usize>(&self, items: &[[f32; N]], samples: Option<&Vec<[f32; N]>>) -> Vec<[f32; N]> {
        let mut ends: Vec<[f64; N]> = Vec::new();
        let mut of = None;
        let item = |place: &Location| {
            if let Some(sample) = samples.zip(place.sample).and_then(|(samples, at)| samples.get(at)) {
                return *sample;
            }
            if of.replace(place.face) != Some(place.face) {
                let corners = self.polygons.face(place.face).iter();
                let end =
                    |corner: &Corner| items.get(corner.corner as usize).map_or([0.0; N], |item| item.map(f64::from));
                ends = corners.map(end).collect();
            }
            narrow(interpolate(*place, (&ends, mean(&ends))))
        };
        self.locations.iter().map(item).collect()
    }

    /// Normalizes normals, and computes those of displaced faces.
    fn normals(&self, data: &mut StreamData) {
        let StreamData::Vector3(normals) = data else { return };
        let mut sums = vec![[0.0; 3]; self.positions.len()];
        let mut start = 0;
        for (&end, &source) in self.ends.iter().zip(&self.sources) {
            let vertices = self.vertices.get(start..end).unwrap_or_default();
            start = end;
            if self.displaced.get(source) == Some(&true) {
                let area = area(vertices.iter().map(|&vertex| self.base(vertex)));
                for &vertex in vertices {
                    if let Some(sum) = sums.get_mut(vertex as usize) {
                        *sum = add(*sum, area);
                    }
                }
            }
        }
        for ((normal, place), &vertex) in normals.iter_mut().zip(&self.locations).zip(&self.vertices) {
            let computed = self.displaced.get(place.face) == Some(&true);
            let sum = sums.get(vertex as usize).copied().filter(|_| computed);
            let direction = sum.filter(|sum| dot(*sum, *sum) > 0.0).unwrap_or(normal.map(f64::from));
            if place.sample.is_some() {
                *normal = unit(direction).map_or(*normal, narrow);
            }
        }
    }
}

/// Interpolates at a location of a face, given the values at its corners and its centre.
fn interpolate<const N: usize>(place: Location, (ends, middle): (&[[f64; N]], [f64; N])) -> [f64; N] {
    let count = ends.len();
    let (slot, [x, y]) = (place.slot, place.along);
    let get = |slot: usize| ends.get(slot % count.max(1)).copied().unwrap_or([0.0; N]);
    let (corner, next, previous) = (get(slot), get(slot + 1), get(slot + count.saturating_sub(1)));
    if place.sample.is_none() {
        return corner;
    }
    std::array::from_fn(|c| {
        let at = |item: &[f64; N]| item.get(c).copied().unwrap_or_default();
        // Use the same order for both faces of an edge, so that both get the same position.
        let half_way = |other: &[f64; N]| (at(&corner) + at(other)) / 2.0;
        at(&corner) * (1.0 - x) * (1.0 - y)
            + (half_way(&next) * x * (1.0 - y) + half_way(&previous) * (1.0 - x) * y)
            + at(&middle) * x * y
    })
}

/// Returns the average of items.
fn mean<const N: usize>(items: &[[f64; N]]) -> [f64; N] {
    let sum = |c: usize| items.iter().filter_map(|item| item.get(c)).sum::<f64>();
    std::array::from_fn(|c| sum(c) / to_number(items.len().max(1)))
}

/// Converts a small count to a number.
#[expect(clippy::cast_precision_loss, reason = "grids have fewer samples in a row than 2^52")]
fn to_number(count: usize) -> f64 {
    count as f64
}
