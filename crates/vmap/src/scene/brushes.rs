//! Brushes → polygon meshes.

use mapwright_scene as scene;
use mapwright_scene::transform::{add, cross, dot, normalize, scale, sub};
use mapwright_scene::{Brush, BrushSide, Losses, Smoothing, Transform, UvSet};

use super::shapes::Shapes;

/// The most sides of a brush whose polygons are computed: that takes quadratic time.
const MOST_SIDES: usize = 1024;

/// A plane: outward unit normal and distance.
type Plane = ([f64; 3], f64);

/// The polygons of a brush, as the file stores them or where its planes meet, with texture coordinates.
pub(super) fn mesh(brush: &Brush, world: &Transform, shapes: &Shapes, path: &str, losses: &mut Losses) -> scene::Mesh {
    let mut mesh = scene::Mesh { smoothing: Smoothing::Flat, ..scene::Mesh::default() };
    let stored = brush.sides.iter().all(|side| side.corners.len() >= 3) && !brush.sides.is_empty();
    let mut sides = Vec::new();
    if stored {
        mesh.positions.clone_from(&brush.vertices);
        for side in &brush.sides {
            mesh.faces.push(&side.corners);
            sides.push(side);
        }
    } else if brush.sides.len() > MOST_SIDES {
        losses.dropped(path, format!("a brush of {} sides", brush.sides.len()));
    } else {
        let planes: Vec<Option<Plane>> = brush.sides.iter().map(plane).collect();
        for (index, side) in brush.sides.iter().enumerate() {
            let ring = planes.get(index).copied().flatten().map(|own| polygon(own, index, &planes)).unwrap_or_default();
            if ring.len() < 3 {
                losses.dropped(path, format!("side {index}, which is nowhere on the brush"));
                continue;
            }
            let face: Vec<u32> = ring.iter().map(|&p| vertex(&mut mesh.positions, p)).collect();
            mesh.faces.push(&face);
            sides.push(side);
        }
    }
    let mut uvs = Vec::with_capacity(mesh.faces.corner_count());
    for (side, face) in sides.iter().zip(mesh.faces.iter()) {
        let [width, height] = shapes.texture_size(side.material);
        for &vertex in face {
            let place = mesh.positions.get(vertex as usize).copied().unwrap_or_default();
            let place = if side.projection.local { place } else { world.point(place) };
            let [x, y] = side.projection.texel(place);
            uvs.push(Some([x / width, y / height]).filter(|uv| uv.iter().all(|c| c.is_finite())));
        }
    }
    mesh.uv_sets = vec![UvSet { corners: uvs, ..UvSet::default() }];
    mesh.face_materials = sides.iter().map(|side| side.material).collect();
    mesh.face_projections = sides.iter().map(|side| side.projection).collect();
    mesh
}

fn plane(side: &BrushSide) -> Option<Plane> {
    let [a, b, c] = side.plane;
    let normal = normalize(cross(sub(b, a), sub(c, a)))?;
    Some((normal, dot(normal, a)))
}

/// How far a point may be from a plane to be on it, relative to the largest coordinate.
const NEAR: f64 = 1e-9;

/// The part of a plane that is behind all others, counter-clockwise.
fn polygon(own: Plane, index: usize, planes: &[Option<Plane>]) -> Vec<[f64; 3]> {
    let (normal, distance) = own;
    let reach = planes.iter().flatten().fold(1.0_f64, |reach, plane| reach.max(plane.1.abs())) * 1e4;
    let away = if normal[0].abs() < 0.6 { [1.0, 0.0, 0.0] } else { [0.0, 1.0, 0.0] };
    let Some(first) = normalize(cross(normal, away)) else { return Vec::new() };
    let second = cross(normal, first);
    let middle = scale(normal, distance);
    let corner = |x: f64, y: f64| add(middle, add(scale(first, x * reach), scale(second, y * reach)));
    let mut ring = vec![corner(-1.0, -1.0), corner(1.0, -1.0), corner(1.0, 1.0), corner(-1.0, 1.0)];
    let near = NEAR * reach;
    for (other, plane) in planes.iter().enumerate().filter(|(other, _)| *other != index) {
        let Some((n, d)) = *plane else { continue };
        let same = dot(n, normal) > 1.0 - 1e-12 && (d - distance).abs() <= near;
        if same {
            // Of two sides on one plane the first has the polygon.
            if other < index {
                return Vec::new();
            }
            continue;
        }
        ring = clipped(&ring, n, d, near);
    }
    ring
}

/// What of a ring is behind a plane.
fn clipped(ring: &[[f64; 3]], normal: [f64; 3], distance: f64, near: f64) -> Vec<[f64; 3]> {
    let mut kept = Vec::with_capacity(ring.len() + 1);
    let follow = ring.iter().cycle().skip(1);
    for (&from, &to) in ring.iter().zip(follow) {
        let (a, b) = (dot(normal, from) - distance, dot(normal, to) - distance);
        if a <= near {
            kept.push(from);
        }
        if (a < -near && b > near) || (a > near && b < -near) {
            kept.push(add(from, scale(sub(to, from), a / (a - b))));
        }
    }
    kept
}

/// The vertex at a place: the one that is there, up to rounding.
fn vertex(vertices: &mut Vec<[f64; 3]>, place: [f64; 3]) -> u32 {
    let size = place.iter().fold(1.0_f64, |size, c| size.max(c.abs()));
    let near = |p: &[f64; 3]| p.iter().zip(place).all(|(a, b)| (a - b).abs() <= 1e-7 * size);
    let index = vertices.iter().position(near).unwrap_or_else(|| {
        vertices.push(place);
        vertices.len().saturating_sub(1)
    });
    u32::try_from(index).unwrap_or(u32::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn planes_meet_in_the_corners_of_a_box() {
        let side = |normal: [f64; 3], distance: f64| Some((normal, distance));
        let planes = [
            side([1.0, 0.0, 0.0], 3.0),
            side([-1.0, 0.0, 0.0], 1.0),
            side([0.0, 1.0, 0.0], 2.0),
            side([0.0, -1.0, 0.0], 2.0),
            side([0.0, 0.0, 1.0], 5.0),
            side([0.0, 0.0, -1.0], 0.0),
            // Does not touch it, and the same as the first.
            side([1.0, 0.0, 0.0], 9.0),
            side([1.0, 0.0, 0.0], 3.0),
        ];
        let rings: Vec<Vec<[f64; 3]>> =
            planes.iter().enumerate().map(|(index, plane)| polygon(plane.unwrap(), index, &planes)).collect();
        assert_eq!(rings.iter().map(Vec::len).collect::<Vec<_>>(), [4, 4, 4, 4, 4, 4, 0, 0]);
        let mut vertices = Vec::new();
        for ring in &rings {
            ring.iter().for_each(|&p| _ = vertex(&mut vertices, p));
        }
        assert_eq!(vertices.len(), 8);
        let [a, b, c] = [rings[4][0], rings[4][1], rings[4][2]];
        assert!(dot(cross(sub(b, a), sub(c, a)), [0.0, 0.0, 1.0]) > 0.0);
        assert!(rings[4].iter().all(|p| (p[2] - 5.0).abs() < 1e-9));
    }
}
