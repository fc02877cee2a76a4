//! Unifies windings, so that neighbouring faces agree on the outside.

use super::polygons::Repairs;
use super::soup::FaceSoup;
use crate::{Polygons, RepairKind};

/// Unifies the windings across all edges that exactly two faces share.
///
/// Consistent parts stay unchanged. The other closed parts are turned outside out. In other open parts, the minority of faces is
/// turned.
pub(super) fn orient_faces(soup: &mut FaceSoup, polygons: &Polygons, repairs: &mut Repairs) {
    let edges = soup.edges();
    let mut disagree = false;
    let mut links: Vec<(usize, usize, bool)> = Vec::with_capacity(edges.len());
    for group in edges.chunk_by(|a, b| a.0 == b.0) {
        let &[(_, a), (_, b)] = group else { continue };
        let same = soup.corners[a].vertex == soup.corners[b].vertex;
        disagree |= same;
        links.push((soup.face[a], soup.face[b], same));
        links.push((soup.face[b], soup.face[a], same));
    }
    if !disagree {
        return;
    }
    links.sort_unstable();
    let mut open = vec![false; soup.ends.len()];
    for group in edges.chunk_by(|a, b| a.0 == b.0).filter(|group| group.len() != 2) {
        group.iter().for_each(|&(_, half)| open[soup.face[half]] = true);
    }
    let neighbours = |face: usize| {
        let start = links.partition_point(|link| link.0 < face);
        links[start..].iter().take_while(move |link| link.0 == face)
    };
    let mut turned: Vec<Option<bool>> = vec![None; soup.ends.len()];
    let mut part = Vec::new();
    for seed in 0..soup.ends.len() {
        if turned[seed].is_some() {
            continue;
        }
        part.clear();
        part.push(seed);
        turned[seed] = Some(false);
        let mut one_sided = false;
        let mut reached = 0;
        while let Some(&face) = part.get(reached) {
            reached += 1;
            for &(_, other, same) in neighbours(face) {
                let wanted = turned[face].map(|this| this != same);
                match turned[other] {
                    None => {
                        turned[other] = wanted;
                        part.push(other);
                    }
                    seen => one_sided |= seen != wanted,
                }
            }
        }
        if one_sided {
            repairs.add(RepairKind::OneSided, soup.source[seed]);
        }
        let is_turned = |face: usize| turned[face] == Some(true);
        let count = part.iter().filter(|&&face| is_turned(face)).count();
        if count == 0 {
            continue;
        }
        let closed = !one_sided && !part.iter().any(|&face| open[face]);
        let volume: f64 = if closed {
            part.iter()
                .map(|&face| if is_turned(face) { -1.0 } else { 1.0 } * cone_volume(soup, face, seed, polygons))
                .sum()
        } else {
            0.0
        };
        let other_way = if volume == 0.0 { count * 2 > part.len() } else { volume < 0.0 };
        for &face in &part {
            turned[face] = turned[face].map(|turned| turned != other_way);
        }
    }
    for (face, turned) in turned.into_iter().enumerate() {
        if turned == Some(true) {
            soup.turn(face);
            repairs.add(RepairKind::TurnedFace, soup.source[face]);
        }
    }
}

/// Returns six times the signed volume between a face and the first corner of another one.
fn cone_volume(soup: &FaceSoup, face: usize, apex: usize, polygons: &Polygons) -> f64 {
    let position = |half: usize| polygons.positions[soup.corners[half].vertex as usize];
    let apex = position(soup.start(apex));
    let relative = |half: usize| sub(position(half), apex);
    let start = soup.start(face);
    let fan =
        (start + 1..soup.ends[face] - 1).map(|half| dot(relative(start), cross(relative(half), relative(half + 1))));
    fan.sum()
}

pub(super) fn sub(a: [f64; 3], b: [f64; 3]) -> [f64; 3] {
    [a[0] - b[0], a[1] - b[1], a[2] - b[2]]
}

pub(super) fn dot(a: [f64; 3], b: [f64; 3]) -> f64 {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

pub(super) fn cross(a: [f64; 3], b: [f64; 3]) -> [f64; 3] {
    [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
}
