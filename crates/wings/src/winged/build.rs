//! Polygons → winged edges.

use super::orient::orient_faces;
use super::pair::pair_halves;
use super::polygons::Repairs;
use super::soup::FaceSoup;
use crate::{Edge, PolygonCorner, Polygons, Repair, RepairKind, Wing, WingedMesh};

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
        let mut repairs = Repairs::default();
        let mut soup = FaceSoup::new(polygons, &mut repairs);
        orient_faces(&mut soup, polygons, &mut repairs);
        let mut partner = pair_halves(&soup, polygons, &mut repairs);
        let real = soup.ends.len();
        close_borders(&mut soup, &mut partner, &mut repairs);
        let vertices = split_vertices(&mut soup, &partner, real, polygons, &mut repairs);
        let mut built = build_mesh(&soup, &partner, real, polygons);
        built.mesh.hard_edges = find_hard_edges(&built.mesh, &vertices, polygons, &mut repairs);
        built.mesh.vertices = vertices.iter().map(|&vertex| polygons.positions[vertex as usize]).collect();
        built.vertices = vertices;
        built.repairs = repairs.finish();
        built
    }
}

/// Adds hole faces along the borders. Borders are followed from one half to the next around the same vertex. A ring is cut off
/// when the path returns to a vertex, so every hole is a simple ring.
fn close_borders(soup: &mut FaceSoup, partner: &mut Vec<Option<usize>>, repairs: &mut Repairs) {
    let halves = partner.len();
    let most = soup.corners.iter().map(|corner| corner.vertex).max().map_or(0, |vertex| vertex as usize + 1);
    let mut places = vec![0_usize; most];
    let mut walked = vec![false; halves];
    let mut path: Vec<usize> = Vec::new();
    let mut rings: Vec<Vec<usize>> = Vec::new();
    for seed in 0..halves {
        if partner[seed].is_some() || walked[seed] {
            continue;
        }
        // A hole runs opposite to the half that it closes, so the path consists of the ends of halves.
        let mut half = seed;
        while !walked[half] {
            walked[half] = true;
            let [start, end] = soup.vertices(half);
            if path.is_empty() {
                places[end as usize] = 1;
            }
            path.push(half);
            match places[start as usize] {
                0 => places[start as usize] = path.len() + 1,
                place => {
                    let ring = path.split_off(place - 1);
                    for &half in &ring {
                        places[soup.vertices(half)[1] as usize] = 0;
                    }
                    if !path.is_empty() {
                        places[start as usize] = place;
                    }
                    rings.push(ring);
                }
            }
            half = soup.previous(half);
            while let Some(other) = partner[half] {
                half = soup.previous(other);
            }
        }
    }
    for ring in rings {
        if let [a, b] = *ring {
            partner[a] = Some(b);
            partner[b] = Some(a);
            continue;
        }
        let first = soup.corners.len();
        let corners: Vec<PolygonCorner> = ring.iter().map(|&half| PolygonCorner::new(soup.vertices(half)[1])).collect();
        repairs.add(RepairKind::OpenSurface, corners[0].vertex);
        soup.push(corners, u32::MAX);
        for (place, &half) in ring.iter().enumerate() {
            partner[half] = Some(first + place);
            partner.push(Some(half));
        }
    }
}

/// Returns the order of faces in the mesh: added holes first.
fn face_order(soup: &FaceSoup, real: usize) -> impl Iterator<Item = usize> + use<> {
    (real..soup.ends.len()).chain(0..real)
}

/// Gives every fan of faces around a vertex its own vertex, and numbers the vertices densely. Returns the vertex of the input
/// that each vertex comes from.
fn split_vertices(
    soup: &mut FaceSoup,
    partner: &[Option<usize>],
    real: usize,
    polygons: &Polygons,
    repairs: &mut Repairs,
) -> Vec<u32> {
    let count = polygons.positions.len();
    let mut used = vec![false; count];
    soup.corners.iter().for_each(|corner| used[corner.vertex as usize] = true);
    let mut number = vec![0_u32; count];
    let mut source = Vec::with_capacity(count);
    for (vertex, &used) in (0_u32..).zip(&used) {
        if used {
            number[vertex as usize] = to_u32(source.len());
            source.push(vertex);
        } else {
            repairs.add(RepairKind::UnusedVertex, vertex);
        }
    }
    let mut done = vec![false; soup.corners.len()];
    for face in face_order(soup, real) {
        for seed in soup.start(face)..soup.ends[face] {
            if done[seed] {
                continue;
            }
            let old = soup.corners[seed].vertex;
            let vertex = if std::mem::take(&mut used[old as usize]) {
                number[old as usize]
            } else {
                repairs.add(RepairKind::SplitVertex, old);
                source.push(old);
                to_u32(source.len() - 1)
            };
            let mut half = seed;
            while !done[half] {
                done[half] = true;
                soup.corners[half].vertex = vertex;
                half = partner[soup.previous(half)].unwrap_or(half);
            }
        }
    }
    source
}

/// Creates the mesh, and numbers its edges and faces.
fn build_mesh(soup: &FaceSoup, partner: &[Option<usize>], real: usize, polygons: &Polygons) -> BuiltMesh {
    let holes = soup.ends.len() - real;
    let face_number = |half: usize| {
        let face = soup.face[half];
        to_u32(if face < real { face + holes } else { face - real })
    };
    // An edge is found once, by its left half.
    let left = |half: &usize| {
        let [start, end] = soup.vertices(*half);
        start < end
    };
    let mut lefts: Vec<usize> = (0..soup.corners.len()).filter(left).collect();
    lefts.sort_by_key(|&half| (soup.vertices(half), face_number(half)));
    let mut edge_of = vec![0_u32; soup.corners.len()];
    for (edge, &half) in (0_u32..).zip(&lefts) {
        edge_of[half] = edge;
        edge_of[partner[half].unwrap_or(half)] = edge;
    }
    let wing = |half: usize| Wing {
        face: face_number(half),
        predecessor: edge_of[soup.next(half)],
        successor: edge_of[soup.previous(half)],
        uv: soup.corners[half].uv,
        color: soup.corners[half].color,
    };
    let edge = |&half: &usize| {
        let [start, end] = soup.vertices(half);
        Edge { start, end, left: wing(half), right: wing(partner[half].unwrap_or(half)) }
    };
    let mesh = WingedMesh {
        edges: lefts.iter().map(edge).collect(),
        faces: face_order(soup, real)
            .map(|face| polygons.materials.get(soup.source[face] as usize).cloned().flatten())
            .collect(),
        ..WingedMesh::default()
    };
    let faces = face_order(soup, real).map(|face| (face < real).then(|| soup.source[face])).collect();
    BuiltMesh { mesh, holes: to_u32(holes), faces, ..BuiltMesh::default() }
}

/// Returns the edges between the vertices that the polygons specify, or between copies of those.
fn find_hard_edges(mesh: &WingedMesh, vertices: &[u32], polygons: &Polygons, repairs: &mut Repairs) -> Vec<u32> {
    let mut wanted: Vec<([u32; 2], bool)> =
        polygons.hard_edges.iter().map(|&[a, b]| ([a.min(b), a.max(b)], false)).collect();
    wanted.sort_unstable();
    wanted.dedup();
    let mut hard = Vec::new();
    for (number, edge) in (0_u32..).zip(&mesh.edges) {
        let [a, b] = [vertices[edge.start as usize], vertices[edge.end as usize]];
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

/// Converts a count. A file of 4 GiB has room for fewer elements.
fn to_u32(count: usize) -> u32 {
    u32::try_from(count).unwrap_or(u32::MAX)
}
