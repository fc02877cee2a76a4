//! Points that are meant to be one.

use std::collections::HashMap;

use crate::transform::{dot, sub};

/// For each point the place of the one that it becomes, and those that are left in order of their first occurrence.
///
/// Points closer than the tolerance become one, and so do chains of them: copies of a point that differ by rounding always
/// go the same way, so that what was closed stays closed.
pub(super) fn weld(points: &[[f64; 3]], tolerance: f64) -> (Vec<u32>, Vec<[f64; 3]>) {
    let mut leaders: Vec<usize> = (0..points.len()).collect();
    // Cells of the size of the tolerance, with the points in them; of a dense heap only some stand for all.
    let mut cells: HashMap<[i64; 3], Vec<usize>> = HashMap::new();
    for (index, &point) in points.iter().enumerate() {
        let cell = point.map(|c| cell(c, tolerance));
        let mut is_new = true;
        for near in neighbours(cell) {
            for &other in cells.get(&near).into_iter().flatten() {
                let Some(&place) = points.get(other) else { continue };
                let way = sub(place, point);
                let distance = dot(way, way).sqrt();
                if distance <= tolerance {
                    join(&mut leaders, index, other);
                    is_new &= distance > tolerance / 4.0;
                }
            }
        }
        if is_new {
            cells.entry(cell).or_default().push(index);
        }
    }
    let mut kept = Vec::new();
    let mut numbers = vec![u32::MAX; points.len()];
    let mut map = Vec::with_capacity(points.len());
    for index in 0..points.len() {
        let leader = leader(&mut leaders, index);
        let Some(number) = numbers.get_mut(leader) else { continue };
        if *number == u32::MAX {
            *number = u32::try_from(kept.len()).unwrap_or(u32::MAX);
            // The leader is the first of its points.
            kept.extend(points.get(leader));
        }
        map.push(*number);
    }
    (map, kept)
}

/// A ring with its points renumbered, without neighbours that became one; empty if fewer than three are left.
pub(super) fn ring(corners: impl IntoIterator<Item = u32>) -> Vec<u32> {
    let mut ring: Vec<u32> = corners.into_iter().collect();
    ring.dedup();
    while ring.len() > 1 && ring.first() == ring.last() {
        ring.pop();
    }
    if ring.len() < 3 {
        ring.clear();
    }
    ring
}

// A number beyond the range is one that no other is near to, or not finite.
#[allow(clippy::cast_possible_truncation)]
fn cell(c: f64, tolerance: f64) -> i64 {
    ((c / tolerance).floor() as i64).clamp(i64::MIN / 2, i64::MAX / 2)
}

fn neighbours([x, y, z]: [i64; 3]) -> impl Iterator<Item = [i64; 3]> {
    (0..27).map(move |i| [x + i % 3 - 1, y + i / 3 % 3 - 1, z + i / 9 - 1])
}

fn leader(leaders: &mut [usize], mut index: usize) -> usize {
    while let Some(&above) = leaders.get(index)
        && above != index
    {
        // Halves the way for those who come later.
        let next = leaders.get(above).copied().unwrap_or(above);
        if let Some(entry) = leaders.get_mut(index) {
            *entry = next;
        }
        index = next;
    }
    index
}

fn join(leaders: &mut [usize], a: usize, b: usize) {
    let (a, b) = (leader(leaders, a), leader(leaders, b));
    if let Some(entry) = leaders.get_mut(a.max(b)) {
        *entry = a.min(b);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn chains_become_their_first_point() {
        let points = [0.0, 5.0, 0.9, 1.8, 5.0, 0.9].map(|x| [x, -7.0, 1e6]);
        let (map, kept) = weld(&points, 1.0);
        assert_eq!((map, kept), (vec![0, 1, 0, 0, 1, 0], vec![points[0], points[1]]));
        assert_eq!(weld(&[[1e300; 3], [-1e300; 3]], 1e-3).0, [0, 1]);
    }

    #[test]
    fn rings_lose_doubles() {
        assert_eq!(ring([1, 1, 2, 3, 3, 1]), [1, 2, 3]);
        assert_eq!(ring([1, 2, 2, 1]), [] as [u32; 0]);
    }

    #[test]
    fn a_heap_of_one_point_is_quick() {
        let (map, kept) = weld(&vec![[0.5; 3]; 200_000], 0.01);
        assert_eq!((map.len(), kept.len()), (200_000, 1));
    }
}
