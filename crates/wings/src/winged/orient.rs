//! Unifies windings, so that neighbouring faces agree on the outside.

use super::edges::EdgeIndex;
use super::polygons::Repairs;
use super::soup::{FaceSoup, to_u32};
use crate::RepairKind;

/// Unifies the windings across all edges that exactly two faces share. Returns `true` if faces were turned.
///
/// Consistent parts stay unchanged. The other closed parts are turned outside out. In other open parts, the minority of faces is
/// turned.
pub(super) fn orient_faces(
    soup: &mut FaceSoup,
    edges: &EdgeIndex,
    positions: &[[f64; 3]],
    repairs: &mut Repairs,
) -> bool {
    let is_same = |[a, b]: [u32; 2]| soup.vertex(a) == soup.vertex(b);
    if !edges.pairs().any(is_same) {
        return false;
    }
    let mut links: Vec<(u32, u32, bool)> = Vec::new();
    for [a, b] in edges.pairs() {
        let faces = [a, b].map(|half| soup.face[half as usize]);
        links.push((faces[0], faces[1], is_same([a, b])));
        links.push((faces[1], faces[0], is_same([a, b])));
    }
    links.sort_unstable();
    let mut open = vec![false; soup.ends.len()];
    for (_, halves) in edges.groups().filter(|(_, halves)| halves.len() != 2) {
        halves.for_each(|half| open[soup.face[half as usize] as usize] = true);
    }
    let neighbours = |face: u32| {
        let start = links.partition_point(|link| link.0 < face);
        links[start..].iter().take_while(move |link| link.0 == face)
    };
    let mut turned: Vec<Option<bool>> = vec![None; soup.ends.len()];
    let mut part = Vec::new();
    for seed in 0..to_u32(soup.ends.len()) {
        if turned[seed as usize].is_some() {
            continue;
        }
        part.clear();
        part.push(seed);
        turned[seed as usize] = Some(false);
        let mut one_sided = false;
        let mut reached = 0;
        while let Some(&face) = part.get(reached) {
            reached += 1;
            for &(_, other, same) in neighbours(face) {
                let wanted = turned[face as usize].map(|this| this != same);
                match turned[other as usize] {
                    None => {
                        turned[other as usize] = wanted;
                        part.push(other);
                    }
                    seen => one_sided |= seen != wanted,
                }
            }
        }
        if one_sided {
            repairs.add(RepairKind::OneSided, soup.source[seed as usize]);
        }
        let is_turned = |face: u32| turned[face as usize] == Some(true);
        let count = part.iter().filter(|&&face| is_turned(face)).count();
        if count == 0 {
            continue;
        }
        let closed = !one_sided && !part.iter().any(|&face| open[face as usize]);
        let volume: f64 = if closed {
            part.iter()
                .map(|&face| if is_turned(face) { -1.0 } else { 1.0 } * cone_volume(soup, face, seed, positions))
                .sum()
        } else {
            0.0
        };
        let other_way = if volume == 0.0 { count * 2 > part.len() } else { volume < 0.0 };
        for &face in &part {
            let turned = &mut turned[face as usize];
            *turned = turned.map(|turned| turned != other_way);
        }
    }
    let mut any = false;
    for (face, turned) in (0_u32..).zip(turned) {
        if turned == Some(true) {
            soup.turn(face);
            repairs.add(RepairKind::TurnedFace, soup.source[face as usize]);
            any = true;
        }
    }
    any
}

/// Returns six times the signed volume between a face and the first corner of another one.
fn cone_volume(soup: &FaceSoup, face: u32, apex: u32, positions: &[[f64; 3]]) -> f64 {
    let position = |half: u32| positions[soup.vertex(half) as usize];
    let apex = position(soup.start(apex));
    let relative = |half: u32| sub(position(half), apex);
    let start = soup.start(face);
    let fan =
        (start + 1..soup.end(face) - 1).map(|half| dot(relative(start), cross(relative(half), relative(half + 1))));
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
