//! Polygons → winged edges.

use super::FaceColumns;
use super::edges::{EdgeIndex, left_halves};
use super::orient::orient_faces;
use super::pair::pair_halves;
use super::polygons::Repairs;
use super::soup::{FaceSoup, NONE, to_u32};
use crate::{Edge, Polygons, Repair, RepairKind, Wing, WingedMesh};

/// Winged edges that were built from polygons, with the origins of their elements.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct BuiltMesh {
    /// The mesh. It is closed and consistent for any polygons.
    pub mesh: WingedMesh,
    /// Number of hole faces that were added to close the mesh. They come first.
    pub holes: u32,
    /// The polygon that each face comes from; `None` for added holes.
    pub faces: Vec<Option<u32>>,
    /// The vertex of the input that each vertex comes from. Copies of vertices follow all others.
    pub vertices: Vec<u32>,
    /// Changes that were necessary.
    pub repairs: Vec<Repair>,
}

impl WingedMesh {
    /// Builds winged edges from polygons with the numbering of Wings. Edges are sorted by their vertices and lead from the smaller
    /// one to the larger. Faces keep their order, after the holes that close the surface.
    ///
    /// Polygons that winged edges cannot represent are repaired, with a record: invalid faces are left out, windings are unified,
    /// edges of many faces are split, borders are closed by hole faces, and vertices are copied where parts without a common edge
    /// meet. Polygons that need no repair have the same numbers again after [`polygons`](Self::polygons).
    pub fn from_polygons(polygons: &Polygons) -> BuiltMesh {
        let vertices: Vec<u32> = polygons.corners.iter().map(|corner| corner.vertex).collect();
        let topology = Topology::new(FaceColumns {
            positions: &polygons.positions,
            vertices: &vertices,
            ends: &polygons.ends,
            order: None,
            hard_edges: &polygons.hard_edges,
        });
        let attributes = |corner: u32| {
            let corner = &polygons.corners[corner as usize];
            (corner.uv, corner.color)
        };
        let material = |face: Option<u32>| polygons.materials.get(face? as usize).cloned().flatten();
        let edges = (0..topology.edge_count()).map(|edge| topology.edge(edge, attributes)).collect();
        let faces: Vec<Option<u32>> = topology.faces().collect();
        let vertices = topology.positions(&polygons.positions).collect();
        let Topology { holes, vertices: sources, hard_edges, repairs, .. } = topology;
        let materials = faces.iter().copied().map(material).collect();
        let mesh = WingedMesh { edges, faces: materials, vertices, hard_edges, extras: Vec::new() };
        BuiltMesh { mesh, holes, faces, vertices: sources, repairs }
    }
}

/// Winged edges that were built from polygons, in columns of 32-bit numbers. Attributes of corners stay in the input.
#[derive(Debug)]
pub(crate) struct Topology {
    soup: FaceSoup,
    /// The opposite half of each half.
    partner: Vec<u32>,
    /// The left half of each edge.
    lefts: Vec<u32>,
    /// The edge of each half.
    edge_of: Vec<u32>,
    /// Number of hole faces that were added to close the mesh. They come first in the mesh, and last in the soup.
    pub(crate) holes: u32,
    /// The vertex of the input that each vertex comes from. Copies of vertices follow all others.
    pub(crate) vertices: Vec<u32>,
    /// Numbers of the hard edges, ascending.
    pub(crate) hard_edges: Vec<u32>,
    /// Changes that were necessary.
    pub(crate) repairs: Vec<Repair>,
}

impl Topology {
    /// Builds winged edges as [`WingedMesh::from_polygons`] does.
    pub(crate) fn new(input: FaceColumns<'_>) -> Self {
        let mut repairs = Repairs::default();
        let mut soup = FaceSoup::new(input, &mut repairs);
        let vertex_count = input.positions.len();
        let mut edges = soup.unique_edges(vertex_count, &mut repairs);
        if orient_faces(&mut soup, &edges, input.positions, &mut repairs) {
            edges = EdgeIndex::new(&soup, vertex_count);
        }
        let mut partner = pair_halves(&soup, &edges, input.positions, &mut repairs);
        drop(edges);
        let real = to_u32(soup.ends.len());
        close_borders(&mut soup, &mut partner, vertex_count, &mut repairs);
        let vertices = split_vertices(&mut soup, &partner, real, vertex_count, &mut repairs);
        let holes = to_u32(soup.ends.len()) - real;
        // An edge is found once, by its left half.
        let lefts = left_halves(&soup, vertices.len(), |half| face_number(&soup, holes, half));
        let mut edge_of = vec![0_u32; soup.vertices.len()];
        for (edge, &half) in (0_u32..).zip(&lefts) {
            edge_of[half as usize] = edge;
            edge_of[partner[half as usize] as usize] = edge;
        }
        let mut topology =
            Self { soup, partner, lefts, edge_of, holes, vertices, hard_edges: Vec::new(), repairs: Vec::new() };
        topology.hard_edges = topology.find_hard_edges(input.hard_edges, &mut repairs);
        topology.repairs = repairs.finish();
        topology
    }

    /// Returns the number of edges.
    pub(crate) fn edge_count(&self) -> u32 {
        to_u32(self.lefts.len())
    }

    /// Returns the number of faces.
    pub(crate) fn face_count(&self) -> u32 {
        to_u32(self.soup.ends.len())
    }

    /// Returns an edge. `attributes` returns the texture coordinates and the colour of a corner of the input.
    pub(crate) fn edge(&self, number: u32, attributes: impl Fn(u32) -> (Option<[f64; 2]>, Option<[f32; 3]>)) -> Edge {
        let soup = &self.soup;
        let left = self.lefts[number as usize];
        let right = self.partner[left as usize];
        let wing = |half: u32| {
            let (uv, color) = match soup.corners[half as usize] {
                NONE => (None, None),
                corner => attributes(corner),
            };
            Wing {
                face: face_number(soup, self.holes, half),
                predecessor: self.edge_of[soup.next(half) as usize],
                successor: self.edge_of[soup.previous(half) as usize],
                uv,
                color,
            }
        };
        let [start, end] = self.edge_vertices(number);
        Edge { start, end, left: wing(left), right: wing(right) }
    }

    /// Returns the vertices of an edge.
    pub(crate) fn edge_vertices(&self, number: u32) -> [u32; 2] {
        let left = self.lefts[number as usize];
        [self.soup.vertex(left), self.soup.vertex(self.partner[left as usize])]
    }

    /// Returns the face of the input that a face comes from; `None` for added holes.
    pub(crate) fn face_source(&self, number: u32) -> Option<u32> {
        Some(self.soup.source[number.checked_sub(self.holes)? as usize])
    }

    /// Iterates over the faces of the input that the faces come from; `None` for added holes.
    pub(crate) fn faces(&self) -> impl Iterator<Item = Option<u32>> {
        (0..self.face_count()).map(|face| self.face_source(face))
    }

    /// Iterates over the positions of the vertices.
    pub(crate) fn positions<'p>(&'p self, positions: &'p [[f64; 3]]) -> impl Iterator<Item = [f64; 3]> + 'p {
        self.vertices.iter().map(|&vertex| positions[vertex as usize])
    }

    /// Returns the edges between the vertices that the input specifies, or between copies of those.
    fn find_hard_edges(&self, hard_edges: &[[u32; 2]], repairs: &mut Repairs) -> Vec<u32> {
        if hard_edges.is_empty() {
            return Vec::new();
        }
        let mut wanted: Vec<([u32; 2], bool)> =
            hard_edges.iter().map(|&[a, b]| ([a.min(b), a.max(b)], false)).collect();
        wanted.sort_unstable();
        wanted.dedup();
        let mut hard = Vec::new();
        for number in 0..self.edge_count() {
            let [a, b] = self.edge_vertices(number).map(|vertex| self.vertices[vertex as usize]);
            if let Ok(place) = wanted.binary_search_by_key(&[a.min(b), a.max(b)], |wanted| wanted.0) {
                wanted[place].1 = true;
                hard.push(number);
            }
        }
        for ([a, _], _) in wanted.iter().filter(|(_, found)| !found) {
            repairs.add(RepairKind::LostHardEdge, *a);
        }
        hard
    }
}

/// Returns the number of the face of a half in the mesh: added holes come first.
fn face_number(soup: &FaceSoup, holes: u32, half: u32) -> u32 {
    let face = soup.face[half as usize];
    let real = to_u32(soup.ends.len()) - holes;
    if face < real { face + holes } else { face - real }
}

/// Adds hole faces along the borders. Borders are followed from one half to the next around the same vertex. A ring is cut off
/// when the path returns to a vertex, so every hole is a simple ring.
fn close_borders(soup: &mut FaceSoup, partner: &mut Vec<u32>, vertex_count: usize, repairs: &mut Repairs) {
    let halves = soup.len();
    let mut places = vec![0_u32; vertex_count];
    let mut walked = vec![false; halves as usize];
    let mut path: Vec<u32> = Vec::new();
    let mut rings: Vec<Vec<u32>> = Vec::new();
    for seed in 0..halves {
        if partner[seed as usize] != NONE || walked[seed as usize] {
            continue;
        }
        // A hole runs opposite to the half that it closes, so the path consists of the ends of halves.
        let mut half = seed;
        while !std::mem::replace(&mut walked[half as usize], true) {
            let [start, end] = soup.ends_of(half);
            if path.is_empty() {
                places[end as usize] = 1;
            }
            path.push(half);
            match places[start as usize] {
                0 => places[start as usize] = to_u32(path.len() + 1),
                place => {
                    let ring = path.split_off(place as usize - 1);
                    for &half in &ring {
                        places[soup.ends_of(half)[1] as usize] = 0;
                    }
                    if !path.is_empty() {
                        places[start as usize] = place;
                    }
                    rings.push(ring);
                }
            }
            half = soup.previous(half);
            while partner[half as usize] != NONE {
                half = soup.previous(partner[half as usize]);
            }
        }
    }
    for ring in rings {
        if let [a, b] = *ring {
            partner[a as usize] = b;
            partner[b as usize] = a;
            continue;
        }
        let first = soup.len();
        let vertices: Vec<u32> = ring.iter().map(|&half| soup.ends_of(half)[1]).collect();
        repairs.add(RepairKind::OpenSurface, vertices[0]);
        soup.push(vertices.into_iter().map(|vertex| (vertex, NONE)), NONE);
        for (added, &half) in (first..).zip(&ring) {
            partner[half as usize] = added;
            partner.push(half);
        }
    }
}

/// Gives every fan of faces around a vertex its own vertex, and numbers the vertices densely. Returns the vertex of the input
/// that each vertex comes from.
fn split_vertices(
    soup: &mut FaceSoup,
    partner: &[u32],
    real: u32,
    vertex_count: usize,
    repairs: &mut Repairs,
) -> Vec<u32> {
    let mut used = vec![false; vertex_count];
    soup.vertices.iter().for_each(|&vertex| used[vertex as usize] = true);
    let mut number = vec![0_u32; vertex_count];
    let mut source = Vec::with_capacity(vertex_count);
    for (vertex, &used) in (0_u32..).zip(&used) {
        if used {
            number[vertex as usize] = to_u32(source.len());
            source.push(vertex);
        } else {
            repairs.add(RepairKind::UnusedVertex, vertex);
        }
    }
    let mut done = vec![false; soup.vertices.len()];
    // In the order of the faces in the mesh: added holes first.
    for face in (real..to_u32(soup.ends.len())).chain(0..real) {
        for seed in soup.start(face)..soup.end(face) {
            if done[seed as usize] {
                continue;
            }
            let old = soup.vertex(seed);
            let vertex = if std::mem::take(&mut used[old as usize]) {
                number[old as usize]
            } else {
                repairs.add(RepairKind::SplitVertex, old);
                source.push(old);
                to_u32(source.len() - 1)
            };
            let mut half = seed;
            while !std::mem::replace(&mut done[half as usize], true) {
                soup.vertices[half as usize] = vertex;
                half = partner[soup.previous(half) as usize];
            }
        }
    }
    source
}
