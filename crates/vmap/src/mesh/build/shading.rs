//! Computes missing texture coordinates, normals, tangents and projections.

use mapwright_io::math;

use std::collections::HashMap;

use super::rings::{NONE, Rings};
use super::{BuildOptions, Soup};
use crate::mesh::projection::{Projection, gradients};
use crate::mesh::vector::{Vec3, add, area, cross, dot, narrow, scale, sub, unit};
use crate::mesh::{Hardness, StreamData};

/// Data of halves, at their starts, and of rings.
pub(super) struct Shading {
    pub(super) texcoords: Vec<[f32; 2]>,
    pub(super) normals: Vec<[f32; 3]>,
    pub(super) tangents: Vec<[f32; 4]>,
    pub(super) axes: [Vec<[f32; 4]>; 2],
    pub(super) scales: Vec<[f32; 2]>,
}

const UP: Vec3 = [0.0, 0.0, 1.0];

impl Shading {
    pub(super) fn new(
        soup: &Soup,
        rings: &Rings,
        hardness: &HashMap<[u32; 2], Hardness>,
        options: &BuildOptions,
    ) -> Self {
        let place = |half: usize| soup.positions[rings.vertices[half] as usize].map(f64::from);
        let halves = |ring: usize| rings.start(ring)..rings.ends[ring];
        let areas: Vec<Vec3> = (0..rings.ends.len()).map(|ring| area(halves(ring).map(place))).collect();
        let normals = corner_values(soup, rings, "normal:0", StreamData::as_vector3s)
            .unwrap_or_else(|| smooth_normals(rings, &areas, hardness, options.smoothing_angle));
        let given_texcoords = corner_values(soup, rings, "texcoord:0", StreamData::as_vector2s);
        let has_texcoords = given_texcoords.is_some();
        let mut texcoords = given_texcoords.unwrap_or_else(|| vec![[0.0; 2]; rings.vertices.len()]);
        let mut tangents = vec![[0.0; 4]; rings.vertices.len()];
        let (mut axes, mut scales) = ([Vec::new(), Vec::new()], Vec::new());
        let mut corners: Vec<(Vec3, [f64; 2])> = Vec::new();
        for (ring, &area) in areas.iter().enumerate() {
            let normal = unit(area).unwrap_or(UP);
            let along = Projection::along(normal);
            if !has_texcoords {
                for half in halves(ring) {
                    texcoords[half] = narrow(along.project(place(half), options.texture_size).unwrap_or_default());
                }
            }
            corners.clear();
            corners.extend(halves(ring).map(|half| (place(half), texcoords[half].map(f64::from))));
            let fit = if has_texcoords { Projection::fit(&corners, options.texture_size) } else { None };
            let projection = fit.map_or(along, |fit| fit.projection);
            axes[0].push(projection.axis_u);
            axes[1].push(projection.axis_v);
            scales.push(projection.scale);
            let (tangent, across) = directions(&corners, normal, &along);
            for half in halves(ring) {
                tangents[half] = to_tangent(tangent, across, unit(normals[half].map(f64::from)).unwrap_or(normal));
            }
        }
        Self { texcoords, normals, tangents, axes, scales }
    }
}

/// Returns a corner stream of the soup for each half.
fn corner_values<T: Copy + Default>(
    soup: &Soup,
    rings: &Rings,
    name: &str,
    items: fn(&StreamData) -> Option<&[T]>,
) -> Option<Vec<T>> {
    let stream = soup.corner_streams.iter().find(|stream| stream.name == name.as_bytes())?;
    let items = items(&stream.data)?;
    Some(rings.corners.iter().map(|&corner| items.get(corner).copied().unwrap_or_default()).collect())
}

/// Returns the direction in the plane of a face in which U grows and V is constant, and the direction in which V grows.
fn directions(corners: &[(Vec3, [f64; 2])], normal: Vec3, along: &Projection) -> (Vec3, Vec3) {
    let axis = |[x, y, z, _]: [f32; 4]| [x, y, z].map(f64::from);
    let default = (axis(along.axis_u), axis(along.axis_v));
    let Some([(u, _), (v, _)]) = gradients(corners, normal, [1.0; 2]) else { return default };
    match (unit(u), unit(v)) {
        (Some(u), Some(v)) => {
            let tangent = cross(v, normal);
            (if dot(tangent, u) < 0.0 { scale(tangent, -1.0) } else { tangent }, v)
        }
        (Some(u), None) => (u, cross(u, normal)),
        (None, Some(v)) => (cross(v, normal), v),
        (None, None) => default,
    }
}

/// Makes a tangent perpendicular to a normal. The sign of w is that of V.
fn to_tangent(tangent: Vec3, across: Vec3, normal: Vec3) -> [f32; 4] {
    let flat = |direction: Vec3| unit(sub(direction, scale(normal, dot(normal, direction))));
    let [x, y, z] =
        flat(tangent).or_else(|| flat(cross(across, normal))).or_else(|| flat([1.0, 0.0, 0.0])).unwrap_or(UP);
    let w = if dot(cross(normal, [x, y, z]), across) > 0.0 { 1.0 } else { -1.0 };
    narrow([x, y, z, w])
}

/// Computes normals weighted by area. Faces share them across edges that are soft, or automatic and flat enough.
fn smooth_normals(
    rings: &Rings,
    areas: &[Vec3],
    hardness: &HashMap<[u32; 2], Hardness>,
    degrees: f64,
) -> Vec<[f32; 3]> {
    let least = math::cos(degrees.to_radians());
    let normals: Vec<Vec3> = areas.iter().map(|&area| unit(area).unwrap_or(UP)).collect();
    let is_smooth = |half: usize| match rings.partner[half] {
        NONE => false,
        other => match hardness.get(&rings.edge(half)) {
            Some(&Hardness::HARD) => false,
            Some(&Hardness::SOFT) => true,
            _ => dot(normals[rings.ring[half]], normals[rings.ring[other]]) >= least,
        },
    };
    // Decide once for each half.
    let smooth: Vec<bool> = (0..rings.vertices.len()).map(is_smooth).collect();
    let mut found = vec![[0.0_f32; 3]; rings.vertices.len()];
    let mut done = vec![false; rings.vertices.len()];
    let mut group = Vec::new();
    for seed in 0..rings.vertices.len() {
        if done[seed] {
            continue;
        }
        group.clear();
        // Walk around the vertex to an edge that is not smooth, then in the other direction.
        let mut half = seed;
        loop {
            done[half] = true;
            group.push(half);
            let before = rings.previous(half);
            if !smooth[before] || done[rings.partner[before]] {
                break;
            }
            half = rings.partner[before];
        }
        let mut half = seed;
        while smooth[half] {
            half = rings.next(rings.partner[half]);
            if std::mem::replace(&mut done[half], true) {
                break;
            }
            group.push(half);
        }
        let sum = group.iter().fold([0.0; 3], |sum, &half| add(sum, areas[rings.ring[half]]));
        for &half in &group {
            // If faces fold back, the shared normal can point to the wrong side.
            let own = normals[rings.ring[half]];
            found[half] = narrow(unit(sum).filter(|&normal| dot(normal, own) > 0.0).unwrap_or(own));
        }
    }
    found
}
