//! Boxes and spheres of models.

use std::collections::HashMap;
use std::f64::consts::{PI, TAU};

use mapwright_io::math;
use mapwright_keyvalues::Vmdl;
use mapwright_keyvalues::vmdl::{MaterialLookup, PrimitiveShape, RenderPrimitive};
use mapwright_scene::{
    AxisChange, Content, CornerColumn, Losses, Material, MaterialId, Mesh, Node, Scene, Transform, UvSet, angles,
};

use super::super::cache::BEYOND_LIMIT;

/// The range of the number of segments of a sphere. Known files have 16 and 32.
const SEGMENTS: [u32; 2] = [3, 256];
/// The class names of shapes begin with this.
const SHAPE: &str = "RenderPrimitive";
/// The change of axes between models and scenes.
const AXES: AxisChange = AxisChange::Z_UP_TO_Y_UP;
/// Roughly the memory of a corner of a face, in bytes.
const CORNER_BYTES: usize = 96;

/// Adds the boxes and spheres of a model to its scene. Returns the problems of those that cannot be drawn.
pub(super) fn add(
    scene: &mut Scene,
    model: &Vmdl,
    lookup: &MaterialLookup<'_>,
    left: &mut usize,
    path: &str,
    losses: &mut Losses,
) -> Vec<String> {
    let mut problems = Vec::new();
    let mut materials: HashMap<String, MaterialId> = HashMap::new();
    let mut count = 0_usize;
    for shape in model.primitives.iter().filter(|shape| !shape.is_disabled) {
        let Some(mut mesh) = build(shape) else {
            problems.push(format!("shape {:?} with the size {:?}: it must be positive", shape.name, shape.shape));
            continue;
        };
        let Some(rest) = left.checked_sub(mesh.faces.corner_count().saturating_mul(CORNER_BYTES)) else {
            problems.push(format!("shape {:?}: {BEYOND_LIMIT}", shape.name));
            break;
        };
        *left = rest;
        if !shape.material.is_empty() {
            let reference = lookup.resolve(&shape.material, path);
            let material = *materials.entry(reference).or_insert_with_key(|reference| {
                let name = reference.clone();
                scene.materials.push(Material { reference: Some(name.clone()), ..Material::new(name) })
            });
            mesh.face_materials = vec![Some(material); mesh.faces.len()];
        }
        let mesh = scene.meshes.push(mesh);
        let place =
            Transform::Trs { translation: shape.origin, rotation: angles::to_rotation(shape.angles), scale: [1.0; 3] };
        let node = Node { transform: AXES.transform(&place), ..Node::new(shape.name.as_str(), Content::Mesh(mesh)) };
        scene.add_node(None, node);
        count = count.saturating_add(1);
    }
    if count > 0 {
        losses.approximated("", format!("texture coordinates of boxes and spheres are assumed: {count}"));
    }
    for (class, count) in model.others.iter().filter(|(class, _)| class.starts_with(SHAPE)) {
        losses.dropped("", format!("shapes of the class {class}: {count}"));
    }
    problems
}

/// Returns the mesh of a shape around the origin. `None` for sizes that are not positive.
fn build(shape: &RenderPrimitive) -> Option<Mesh> {
    let is_length = |length: &f64| length.is_finite() && *length > 0.0;
    match shape.shape {
        PrimitiveShape::Box(size) => size.iter().all(is_length).then(|| build_box(size)),
        PrimitiveShape::Sphere(radius) => is_length(&radius).then(|| build_sphere(radius, shape)),
        _ => None,
    }
}

/// Collects the faces of a mesh.
#[derive(Default)]
struct Faces {
    mesh: Mesh,
    normals: CornerColumn<[f64; 3]>,
    uvs: CornerColumn<[f64; 2]>,
}

impl Faces {
    /// Adds a vertex in the axes of models.
    fn vertex(&mut self, point: [f64; 3]) -> u32 {
        self.mesh.positions.push(AXES.apply(point));
        u32::try_from(self.mesh.positions.len().saturating_sub(1)).unwrap_or(u32::MAX)
    }

    /// Adds a face: for each corner the vertex, the normal in the axes of models, and the texture coordinates.
    fn push(&mut self, corners: &[(u32, [f64; 3], [f64; 2])]) {
        self.mesh.faces.push(&corners.iter().map(|(vertex, ..)| *vertex).collect::<Vec<_>>());
        self.normals.extend(corners.iter().map(|(_, normal, _)| Some(AXES.apply(*normal))));
        self.uvs.extend(corners.iter().map(|(.., uv)| Some(*uv)));
    }

    fn finish(self) -> Mesh {
        let uv_sets = vec![UvSet { corners: self.uvs, ..UvSet::default() }];
        Mesh { normals: Some(self.normals), uv_sets, ..self.mesh }
    }
}

/// Returns a box with its lengths along the axes. Each side shows the whole texture.
fn build_box(size: [f64; 3]) -> Mesh {
    let [x, y, z] = size.map(|length| length / 2.0);
    let mut faces = Faces::default();
    let sides = [
        ([1.0, 0.0, 0.0], [[x, -y, -z], [x, y, -z], [x, y, z], [x, -y, z]]),
        ([-1.0, 0.0, 0.0], [[-x, y, -z], [-x, -y, -z], [-x, -y, z], [-x, y, z]]),
        ([0.0, 1.0, 0.0], [[x, y, -z], [-x, y, -z], [-x, y, z], [x, y, z]]),
        ([0.0, -1.0, 0.0], [[-x, -y, -z], [x, -y, -z], [x, -y, z], [-x, -y, z]]),
        ([0.0, 0.0, 1.0], [[-x, -y, z], [x, -y, z], [x, y, z], [-x, y, z]]),
        ([0.0, 0.0, -1.0], [[-x, y, -z], [x, y, -z], [x, -y, -z], [-x, -y, -z]]),
    ];
    for (normal, points) in sides {
        let uvs = [[0.0, 1.0], [1.0, 1.0], [1.0, 0.0], [0.0, 0.0]];
        let corners = points.map(|point| faces.vertex(point)).into_iter().zip(uvs);
        faces.push(&corners.map(|(vertex, uv)| (vertex, normal, uv)).collect::<Vec<_>>());
    }
    faces.finish()
}

/// Returns a sphere of quads, with triangles at its poles on the vertical axis.
fn build_sphere(radius: f64, shape: &RenderPrimitive) -> Mesh {
    let [columns, rows] = shape.segments.map(|count| count.clamp(SEGMENTS[0], SEGMENTS[1]));
    let mut faces = Faces::default();
    let direction = |column: u32, row: u32| {
        let (around, down) = (TAU * f64::from(column) / f64::from(columns), PI * f64::from(row) / f64::from(rows));
        [math::cos(around) * math::sin(down), math::sin(around) * math::sin(down), math::cos(down)]
    };
    let uv = |column: f64, row: u32| {
        let [u, v] = shape.max_uv;
        [u * column / f64::from(columns), v * f64::from(row) / f64::from(rows)]
    };
    let poles = [[0.0, 0.0, 1.0], [0.0, 0.0, -1.0]];
    let [top, bottom] = poles.map(|normal| (faces.vertex(normal.map(|part| part * radius)), normal));
    let ring = |faces: &mut Faces, row: u32| -> Vec<u32> {
        (0..columns).map(|column| faces.vertex(direction(column, row).map(|part| part * radius))).collect()
    };
    let mut above: Vec<u32> = Vec::new();
    for row in 1..=rows {
        let below = if row < rows { ring(&mut faces, row) } else { Vec::new() };
        for column in 0..columns {
            let next = if column.saturating_add(1) < columns { column.saturating_add(1) } else { 0 };
            let corner = |ring: &[u32], from: u32, column: u32, at: f64, row: u32| {
                ring.get(from as usize).map(|vertex| (*vertex, direction(column, row), uv(at, row)))
            };
            let (left, right) = (f64::from(column), f64::from(column) + 1.0);
            let upper = row.saturating_sub(1);
            let mut corners = Vec::with_capacity(4);
            match row {
                1 => corners.push((top.0, top.1, uv(left + 0.5, 0))),
                _ => corners.extend(corner(&above, column, column, left, upper)),
            }
            if row == rows {
                corners.push((bottom.0, bottom.1, uv(left + 0.5, rows)));
            } else {
                corners.extend(corner(&below, column, column, left, row));
                corners.extend(corner(&below, next, next, right, row));
            }
            if row > 1 {
                corners.extend(corner(&above, next, next, right, upper));
            }
            faces.push(&corners);
        }
        above = below;
    }
    faces.finish()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns the volume of a closed mesh, positive if its faces are counter-clockwise seen from outside.
    fn volume(mesh: &Mesh) -> f64 {
        let mut sum = 0.0;
        for face in mesh.faces.iter() {
            let at = |index: usize| mesh.positions[face[index] as usize];
            for index in 2..face.len() {
                let ([a, b, c], [d, e, f], [g, h, i]) = (at(0), at(index - 1), at(index));
                sum += a * (e * i - f * h) - b * (d * i - f * g) + c * (d * h - e * g);
            }
        }
        sum / 6.0
    }

    #[test]
    fn shapes_are_closed_and_face_outwards() {
        let model = Vmdl::from_bytes(
            br#"<!-- kv3 encoding:text:version{e21c7f3c-8a33-41c5-9977-a76d3a32aa0d} format:modeldoc29:version{3cec427c-1b0e-4d48-a90a-0436f33a6041} -->
{ rootNode = { children = [
    { _class = "RenderPrimitiveBox" dimensions = [ 2.0, 3.0, 4.0 ] },
    { _class = "RenderPrimitiveSphere" radius = 2.0 segments_u = 64 segments_v = 32 max_u = 2.0 max_v = 3.0 },
    { _class = "RenderPrimitiveSphere" radius = 1.0 segments_u = 0 segments_v = 4000000000 },
    { _class = "RenderPrimitiveSphere" radius = -1.0 },
] } }"#,
        )
        .unwrap();
        let meshes: Vec<Option<Mesh>> = model.primitives.iter().map(build).collect();
        let [Some(cube), Some(sphere), Some(fine), None] = meshes.as_slice() else { panic!("{}", meshes.len()) };
        assert!((volume(cube) - 24.0).abs() < 1e-9);
        let expected = 4.0 / 3.0 * PI * 8.0;
        assert!((volume(sphere) / expected - 1.0).abs() < 0.01, "{} {expected}", volume(sphere));
        assert_eq!(sphere.faces.len(), 64 * 32);
        assert_eq!(fine.faces.len(), 3 * 256);
        for mesh in [cube, sphere, fine] {
            let normals = mesh.normals.as_ref().unwrap();
            assert_eq!(normals.len(), mesh.faces.corner_count());
            assert_eq!(mesh.uv_sets[0].corners.len(), normals.len());
            // The normal points away from the centre.
            for (index, face) in mesh.faces.iter().enumerate() {
                for (corner, vertex) in mesh.faces.corner_range(index).unwrap().zip(face) {
                    let point = mesh.positions[*vertex as usize];
                    let dot: f64 = point.iter().zip(normals.get(corner).unwrap()).map(|(a, b)| a * b).sum();
                    assert!(dot > 0.0, "{point:?}");
                }
            }
        }
        let most = |axis: usize| sphere.uv_sets[0].corners.iter().flatten().map(|uv| uv[axis]).fold(0.0, f64::max);
        assert_eq!([most(0), most(1)], [2.0, 3.0]);
    }
}
