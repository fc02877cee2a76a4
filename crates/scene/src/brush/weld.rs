//! Welding of points at almost the same position.

use std::collections::HashMap;

use crate::transform::{dot, sub};

/// Returns the index of the welded point for each point, and the welded points in order of their first occurrence.
///
/// Points closer than the tolerance are welded, and so are chains of them. Copies of a point that differ by rounding are welded
/// together, so closed surfaces stay closed.
pub(super) fn weld(points: &[[f64; 3]], tolerance: f64) -> (Vec<u32>, Vec<[f64; 3]>) {
    let mut leaders: Vec<usize> = (0..points.len()).collect();
    // Cells of the size of the tolerance, with their points. Only some points of a dense cell are compared.
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
            // The leader is the first of the welded points.
            kept.extend(points.get(leader));
        }
        map.push(*number);
    }
    (map, kept)
}

/// Renumbers a ring and removes neighbours that were welded. Returns an empty ring if fewer than three corners are left.
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

// Numbers beyond the range are not finite or have no near neighbour.
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
        // Path halving, for later calls.
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
    fn chains_of_points_become_their_first_point() {
        let points = [0.0, 5.0, 0.9, 1.8, 5.0, 0.9].map(|x| [x, -7.0, 1e6]);
        let (map, kept) = weld(&points, 1.0);
        assert_eq!((map, kept), (vec![0, 1, 0, 0, 1, 0], vec![points[0], points[1]]));
        assert_eq!(weld(&[[1e300; 3], [-1e300; 3]], 1e-3).0, [0, 1]);
    }

    #[test]
    fn rings_lose_duplicates() {
        assert_eq!(ring([1, 1, 2, 3, 3, 1]), [1, 2, 3]);
        assert_eq!(ring([1, 2, 2, 1]), [] as [u32; 0]);
    }

    #[test]
    fn many_equal_points_are_welded_quickly() {
        let (map, kept) = weld(&vec![[0.5; 3]; 200_000], 0.01);
        assert_eq!((map.len(), kept.len()), (200_000, 1));
    }
}
