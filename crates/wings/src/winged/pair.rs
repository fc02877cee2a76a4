//! Pairs the halves of edges.

use super::edges::EdgeIndex;
use super::orient::{cross, dot, sub};
use super::polygons::Repairs;
use super::soup::{FaceSoup, NONE};
use crate::RepairKind;
use mapwright_io::math;

/// Returns the partner of each half: the opposite half between the same vertices. [`NONE`] at the border of the surface.
pub(super) fn pair_halves(
    soup: &FaceSoup,
    edges: &EdgeIndex,
    positions: &[[f64; 3]],
    repairs: &mut Repairs,
) -> Vec<u32> {
    let mut partner = vec![NONE; soup.vertices.len()];
    let mut pair = |[a, b]: [u32; 2]| {
        partner[a as usize] = b;
        partner[b as usize] = a;
    };
    for (edge, mut halves) in edges.groups() {
        let count = halves.len();
        match (halves.next(), halves.next()) {
            (Some(a), Some(b)) if count == 2 && soup.vertex(a) != soup.vertex(b) => pair([a, b]),
            (Some(a), Some(b)) => {
                repairs.add(RepairKind::ManyFaces, edge[0]);
                let all: Vec<u32> = [a, b].into_iter().chain(halves).collect();
                pair_around_edge(soup, positions, edge, &all).into_iter().for_each(&mut pair);
            }
            _ => {}
        }
    }
    partner
}

/// Pairs the halves of an edge with more than two faces. Solid space is between the faces of a pair, as between those of two
/// bodies that touch along the edge.
fn pair_around_edge(soup: &FaceSoup, positions: &[[f64; 3]], edge: [u32; 2], halves: &[u32]) -> Vec<[u32; 2]> {
    let [a, b] = edge.map(|vertex| positions[vertex as usize]);
    let along = sub(b, a);
    // Angles are measured in the plane across the edge, from an arbitrary direction and a second one at a right angle.
    let smallest = (0..3).min_by(|&i, &j| along[i].abs().total_cmp(&along[j].abs())).unwrap_or(0);
    let mut axis = [0.0; 3];
    axis[smallest] = 1.0;
    let zero = cross(along, axis);
    let quarter = cross(along, zero).map(|c| c / dot(along, along).sqrt());
    let mut sides: Vec<(f64, bool, u32)> = halves
        .iter()
        .map(|&half| {
            let forward = soup.vertex(half) == edge[0];
            let normal = normal(soup, soup.face[half as usize], positions);
            let inward = cross(normal, if forward { along } else { along.map(|c| -c) });
            (math::atan2(dot(inward, quarter), dot(inward, zero)), forward, half)
        })
        .collect();
    sides.sort_by(|a, b| a.0.total_cmp(&b.0).then((a.1, a.2).cmp(&(b.1, b.2))));
    // From a backward half, the solid extends to the next forward half. Angles are cyclic, so a second round pairs the rest.
    let mut open = Vec::new();
    let mut pairs = Vec::new();
    let mut used = vec![false; sides.len()];
    for round in 0..2 {
        for (place, &(_, forward, half)) in sides.iter().enumerate() {
            if used[place] {
                continue;
            }
            if !forward {
                if round == 0 {
                    open.push(place);
                }
            } else if let Some(before) = open.pop() {
                used[before] = true;
                used[place] = true;
                pairs.push([sides[before].2, half]);
            }
        }
    }
    pairs
}

/// Returns the normal of a face by Newell's method, of any length.
pub(super) fn normal(soup: &FaceSoup, face: u32, positions: &[[f64; 3]]) -> [f64; 3] {
    let position = |half: u32| positions[soup.vertex(half) as usize];
    let (start, end) = (soup.start(face), soup.end(face));
    let first = position(start);
    (start + 1..end - 1)
        .map(|half| cross(sub(position(half), first), sub(position(half + 1), first)))
        .fold([0.0; 3], |sum, c| [sum[0] + c[0], sum[1] + c[1], sum[2] + c[2]])
}
