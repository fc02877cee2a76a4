//! Restores polygons from triangles.

use std::collections::BTreeMap;

/// Returns the polygons of triangles in the order of the writer. `runs` are pairs of a number of corners `n` and a number of
/// polygons with `n − 2` triangles each. Returns `None` if they do not match the triangles.
///
/// The result is the corners of all polygons, and the number of corners of each.
pub(super) fn polygons(triangles: &[[u32; 3]], runs: &[u32]) -> Option<(Vec<u32>, Vec<u32>)> {
    let mut rest = triangles;
    let (mut all, mut sizes) = (Vec::with_capacity(triangles.len() * 2), Vec::with_capacity(triangles.len()));
    for run in runs.chunks(2) {
        let &[corners, count] = run else { return None };
        let parts = usize::try_from(corners).ok()?.checked_sub(2).filter(|&parts| parts > 0)?;
        for _ in 0..count {
            let (triangles, after) = rest.split_at_checked(parts)?;
            if !fan(triangles, &mut all) {
                all.extend(outline(triangles)?);
            }
            sizes.push(corners);
            rest = after;
        }
    }
    rest.is_empty().then_some((all, sizes))
}

/// Adds the corners of a fan around its first corner. Returns `false` and adds nothing if the triangles are not a fan.
fn fan(triangles: &[[u32; 3]], all: &mut Vec<u32>) -> bool {
    let Some(&[centre, mut last, _]) = triangles.first() else { return false };
    let start = all.len();
    all.extend([centre, last]);
    for &[a, b, c] in triangles {
        if a != centre || b != last {
            all.truncate(start);
            return false;
        }
        all.push(c);
        last = c;
    }
    true
}

/// Returns the outline of triangles that form one polygon, from the first corner of the first triangle. It follows the sides of
/// only one triangle.
fn outline(triangles: &[[u32; 3]]) -> Option<Vec<u32>> {
    let sides = || triangles.iter().flat_map(|&[a, b, c]| [[a, b], [b, c], [c, a]]);
    let mut sorted: Vec<[u32; 2]> = sides().collect();
    sorted.sort_unstable();
    let mut following = BTreeMap::new();
    for [from, to] in sides() {
        if sorted.binary_search(&[to, from]).is_err() && following.insert(from, to).is_some() {
            return None;
        }
    }
    let &[start, ..] = triangles.first()?;
    let mut ring = vec![start];
    let mut corner = *following.get(&start)?;
    while corner != start && ring.len() < triangles.len() + 2 {
        ring.push(corner);
        corner = *following.get(&corner)?;
    }
    (corner == start && ring.len() == triangles.len() + 2).then_some(ring)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fans_and_other_triangulations_come_back() {
        assert_eq!(polygons(&[[7, 8, 9], [7, 9, 3]], &[4, 1]), Some((vec![7, 8, 9, 3], vec![4])));
        assert_eq!(
            polygons(&[[0, 1, 3], [1, 2, 3], [9, 8, 7]], &[4, 1, 3, 1]),
            Some((vec![0, 1, 2, 3, 9, 8, 7], vec![4, 3]))
        );
        assert_eq!(
            polygons(&[[0, 1, 5], [2, 3, 4], [1, 2, 5], [2, 4, 5]], &[6, 1]),
            Some((vec![0, 1, 2, 3, 4, 5], vec![6]))
        );
    }

    #[test]
    fn notes_that_contradict_the_file_are_ignored() {
        for runs in [&[4, 2][..], &[4], &[3, 1], &[2, 1], &[0, 1], &[5, 1], &[u32::MAX, u32::MAX], &[4, u32::MAX]] {
            assert_eq!(polygons(&[[0, 1, 2], [0, 2, 3]], runs), None, "{runs:?}");
        }
        // Triangles that do not touch, and triangles that only share a point.
        assert_eq!(polygons(&[[0, 1, 2], [3, 4, 5]], &[4, 1]), None);
        assert_eq!(polygons(&[[0, 1, 2], [2, 4, 5]], &[4, 1]), None);
    }
}
