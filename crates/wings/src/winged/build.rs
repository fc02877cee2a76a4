//! Polygons → winged edges.

use super::orient::orient;
use super::pair::pair;
use super::polygons::Repairs;
use super::soup::Soup;
use crate::{Edge, PolygonCorner, Polygons, Repair, RepairKind, Wing, WingedMesh};

/// Winged edges, and how they follow from the polygons that they were built from.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Built {
    /// The mesh: closed and consistent whatever the polygons were.
    pub mesh: WingedMesh,
    /// How many hole faces were added to close it. They have the numbers from 0 on.
    pub holes: u32,
    /// The polygon that each face was; `None` for added holes.
    pub faces: Vec<Option<u32>>,
    /// The vertex of the input that each vertex was. Copies of one vertex follow all others.
    pub vertices: Vec<u32>,
    /// What had to be put right.
    pub repairs: Vec<Repair>,
}

impl WingedMesh {
    /// Builds winged edges from polygons, numbered as Wings numbers them: edges in ascending order of their vertices, from the smaller
    /// vertex to the larger; faces as they come, behind the holes that were added to close the surface.
    ///
    /// What winged edges cannot have is put right and recorded: bad faces are left out, windings made to agree, edges of many
    /// faces taken apart, borders closed by hole faces, and vertices doubled where parts meet that share no edge. Polygons
    /// that need nothing of this give the same numbers again after [`polygons`](Self::polygons).
    pub fn from_polygons(polygons: &Polygons) -> Built {
        let mut repairs = Repairs::default();
        let mut soup = Soup::new(polygons, &mut repairs);
        orient(&mut soup, polygons, &mut repairs);
        let mut partner = pair(&soup, polygons, &mut repairs);
        let real = soup.ends.len();
        close(&mut soup, &mut partner, &mut repairs);
        let vertices = split(&mut soup, &partner, real, polygons, &mut repairs);
        let mut built = assemble(&soup, &partner, real, polygons);
        built.mesh.hard_edges = hard_edges(&built.mesh, &vertices, polygons, &mut repairs);
        built.mesh.vertices = vertices.iter().map(|&vertex| polygons.positions[vertex as usize]).collect();
        built.vertices = vertices;
        built.repairs = repairs.finish();
        built
    }
}

/// Adds hole faces along the borders. Borders are walked from one half to the next around the same vertex, and a
/// ring is cut off whenever the walk comes back to a vertex, so every hole is a simple ring.
fn close(soup: &mut Soup, partner: &mut Vec<Option<usize>>, repairs: &mut Repairs) {
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
        // A hole runs against the half that it closes: from its end to its start, so it is walked by ends.
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

/// The order of faces in the mesh: added holes first.
fn face_order(soup: &Soup, real: usize) -> impl Iterator<Item = usize> + use<> {
    (real..soup.ends.len()).chain(0..real)
}

/// Gives every fan of faces around a vertex a vertex of its own, numbers the vertices densely, and returns which one of
/// the input each was.
fn split(
    soup: &mut Soup,
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

/// Numbers edges and faces.
fn assemble(soup: &Soup, partner: &[Option<usize>], real: usize, polygons: &Polygons) -> Built {
    let holes = soup.ends.len() - real;
    let face_number = |half: usize| {
        let face = soup.face[half];
        to_u32(if face < real { face + holes } else { face - real })
    };
    // Every edge by its left half.
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
    Built { mesh, holes: to_u32(holes), faces, ..Built::default() }
}

/// The edges between vertices that the polygons name, copies of those vertices included.
fn hard_edges(mesh: &WingedMesh, vertices: &[u32], polygons: &Polygons, repairs: &mut Repairs) -> Vec<u32> {
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

/// A count of something of which a file of 4 GiB has room for fewer.
fn to_u32(count: usize) -> u32 {
    u32::try_from(count).unwrap_or(u32::MAX)
}
