//! The faces of meshes and brushes as polygons in the space of the scene.

use std::collections::{BTreeMap, HashMap};

use mapwright::scene::transform::{cross, dot, normalize, sub};
use mapwright::scene::{Brush, FaceFlags, Material, MaterialId, Mesh, Scene, Transform};

/// Faces that one scene may have. Larger ones are not compared.
const MAX_FACES: usize = 400_000;

/// A face in the space of the scene.
pub(super) struct Polygon {
    /// Index of the item that shows the face.
    pub(super) owner: usize,
    points: Vec<[f64; 3]>,
    center: [f64; 3],
    material: String,
    material_index: Option<usize>,
    /// The coordinates of each set, relative to the top left.
    uv_sets: Vec<Vec<Option<[f64; 2]>>>,
    color_sets: Vec<Vec<Option<[f32; 4]>>>,
    normals: Vec<[f64; 3]>,
    is_hidden: bool,
    is_of_brush: bool,
}

#[derive(Default)]
pub(super) struct Surfaces {
    pub(super) polygons: Vec<Polygon>,
    pub(super) is_cut: bool,
}

/// A difference between a face and its counterpart, or a face without one.
pub(super) struct FaceDifference {
    pub(super) owner: usize,
    pub(super) field: &'static str,
    /// The index of the face's material, if the field is about it.
    pub(super) material: Option<usize>,
    pub(super) text: String,
}

impl Surfaces {
    /// Adds the faces of a mesh. Returns their centre.
    pub(super) fn add_mesh(
        &mut self,
        scene: &Scene,
        mesh: &Mesh,
        world: &Transform,
        unit: f64,
        owner: usize,
    ) -> [f64; 3] {
        let (mut low, mut high) = ([f64::INFINITY; 3], [f64::NEG_INFINITY; 3]);
        if self.polygons.len() + mesh.faces.len() > MAX_FACES {
            self.is_cut = true;
            return world.origin().map(|c| c * unit);
        }
        let all_normals = mesh.corner_normals();
        let mirrors = world.mirrors();
        for (face, vertices) in mesh.faces.iter().enumerate() {
            let corners = mesh.faces.corner_range(face).unwrap_or_default();
            let place = |vertex: &u32| {
                let place = mesh.positions.get(*vertex as usize).copied().unwrap_or_default();
                world.point(place).map(|c| c * unit)
            };
            let mut points: Vec<[f64; 3]> = vertices.iter().map(place).collect();
            for point in &points {
                for ((low, high), c) in low.iter_mut().zip(&mut high).zip(point) {
                    (*low, *high) = (low.min(*c), high.max(*c));
                }
            }
            let mut uv_sets: Vec<Vec<_>> =
                mesh.uv_sets.iter().map(|set| corners.clone().map(|corner| set.top_left(corner)).collect()).collect();
            let color = |set: &mapwright::scene::ColorSet, corner: usize| set.corners.get(corner);
            let mut color_sets: Vec<Vec<_>> = mesh
                .color_sets
                .iter()
                .map(|set| {
                    corners
                        .clone()
                        .map(|corner| {
                            color(set, corner).map(|[r, g, b, a]| {
                                let [r, g, b] = scene.color_space.to_linear([r, g, b].map(f64::from));
                                #[allow(clippy::cast_possible_truncation)]
                                let rgb = [r, g, b].map(|c| c as f32);
                                [rgb[0], rgb[1], rgb[2], a]
                            })
                        })
                        .collect()
                })
                .collect();
            let normal = |corner: usize| all_normals.get(corner).map_or([0.0; 3], |normal| world.normal(normal));
            let mut normals: Vec<[f64; 3]> = corners.clone().map(normal).collect();
            if mirrors {
                points.reverse();
                uv_sets.iter_mut().for_each(|set| set.reverse());
                color_sets.iter_mut().for_each(|set| set.reverse());
                normals.reverse();
            }
            #[allow(clippy::cast_precision_loss)]
            let count = points.len().max(1) as f64;
            let center = points.iter().fold([0.0; 3], |sum, p| [sum[0] + p[0], sum[1] + p[1], sum[2] + p[2]]);
            let material = material_name(scene, mesh.face_material(face));
            let is_hidden = mesh.flags(face).contains(FaceFlags::HIDDEN);
            let center = center.map(|c| c / count);
            self.polygons.push(Polygon {
                owner,
                points,
                center,
                material,
                material_index: mesh.face_material(face).map(mapwright::scene::Id::index),
                uv_sets,
                color_sets,
                normals,
                is_hidden,
                is_of_brush: false,
            });
        }
        if mesh.faces.is_empty() {
            return world.origin().map(|c| c * unit);
        }
        [0, 1, 2].map(|axis: usize| (low[axis] + high[axis]) / 2.0)
    }

    /// Adds the sides of a brush. Returns their centre.
    pub(super) fn add_brush(
        &mut self,
        scene: &Scene,
        brush: &Brush,
        world: &Transform,
        unit: f64,
        owner: usize,
    ) -> [f64; 3] {
        let Ok(polygons) = brush.polygons() else { return world.origin().map(|c| c * unit) };
        // Without the size of a texture, its coordinates are unknown.
        let size = |id: Option<MaterialId>| {
            let material = id.and_then(|id| scene.materials.get(id));
            material.and_then(|material| material.texture_size).map_or([f64::NAN; 2], |size| size.map(f64::from))
        };
        let mesh = brush.to_mesh(&polygons, world, size);
        let start = self.polygons.len();
        let center = self.add_mesh(scene, &mesh, world, unit, owner);
        self.polygons.iter_mut().skip(start).for_each(|polygon| polygon.is_of_brush = true);
        center
    }

    pub(super) fn points(&self) -> impl Iterator<Item = f64> {
        self.polygons.iter().flat_map(|polygon| polygon.points.iter().flatten().copied())
    }

    /// Compares all faces with those of another scene. `owners` are the counterparts of items. `exact` is the distance of equal points.
    pub(super) fn compare(&self, other: &Self, owners: &BTreeMap<usize, usize>, exact: f64) -> Vec<FaceDifference> {
        if self.is_cut || other.is_cut {
            return Vec::new();
        }
        let mut differences = Vec::new();
        let cell = |center: [f64; 3], by: [i64; 3]| {
            let size = exact * 8.0;
            #[allow(clippy::cast_possible_truncation)]
            let index = |axis: usize| (center[axis] / size).floor() as i64 + by[axis];
            [index(0), index(1), index(2)]
        };
        let mut is_used = vec![false; other.polygons.len()];
        let mut left: Vec<&Polygon> = self.polygons.iter().collect();
        // Objects may have faces at the same place. Those of the counterpart come first, then those of any object.
        for with_owner in [true, false] {
            // The lists contain only unused faces.
            let mut grid = HashMap::<(Option<usize>, [i64; 3]), Vec<usize>>::new();
            for (index, polygon) in other.polygons.iter().enumerate().filter(|(index, _)| !is_used[*index]) {
                let owner = with_owner.then_some(polygon.owner);
                grid.entry((owner, cell(polygon.center, [0; 3]))).or_default().push(index);
            }
            let mut next = Vec::new();
            for polygon in left {
                let mut best: Option<(usize, _, Vec<_>)> = None;
                let owner = owners.get(&polygon.owner).copied();
                let keys = NEIGHBOURS.map(|by| (owner.filter(|_| with_owner), cell(polygon.center, by)));
                for key in keys.into_iter().filter(|_| owner.is_some() || !with_owner) {
                    for &index in grid.get(&key).into_iter().flatten() {
                        let candidate = &other.polygons[index];
                        let Some(turn) = polygon.turn_to(candidate, exact) else { continue };
                        let found = polygon.compare(candidate, turn);
                        let is_equal = found.is_empty();
                        if best.as_ref().is_none_or(|(.., least)| found.len() < least.len()) {
                            best = Some((index, key, found));
                        }
                        if is_equal {
                            break;
                        }
                    }
                }
                let Some((index, key, found)) = best else {
                    next.push(polygon);
                    continue;
                };
                is_used[index] = true;
                grid.entry(key).or_default().retain(|other| *other != index);
                differences.extend(found.into_iter().map(|(field, text)| FaceDifference {
                    owner: polygon.owner,
                    field,
                    material: polygon.material_index.filter(|_| matches!(field, "face_materials" | "uv_sets")),
                    text,
                }));
            }
            left = next;
        }
        for polygon in left {
            let text = format!("no face with {} vertices around {:?}", polygon.points.len(), polygon.center);
            differences.push(FaceDifference { owner: polygon.owner, field: "faces", material: None, text });
        }
        let extra = is_used.iter().filter(|used| !**used).count();
        if extra > 0 && other.polygons.len() > self.polygons.len() {
            let example = is_used.iter().position(|used| !used).map(|index| &other.polygons[index]);
            let example = example.map(|polygon| (polygon.points.len(), polygon.center));
            let text = format!("{extra} faces are added, such as {example:?}");
            differences.push(FaceDifference { owner: usize::MAX, field: "faces", material: None, text });
        }
        differences
    }
}

/// The steps from a cell of a grid to itself and its neighbours.
pub(super) const NEIGHBOURS: [[i64; 3]; 27] = {
    let mut all = [[0; 3]; 27];
    let mut i = 0;
    while i < 27 {
        all[i] = [i as i64 % 3 - 1, i as i64 / 3 % 3 - 1, i as i64 / 9 - 1];
        i += 1;
    }
    all
};

fn material_name(scene: &Scene, id: Option<MaterialId>) -> String {
    let material: Option<&Material> = id.and_then(|id| scene.materials.get(id));
    material.map(|material| material.name.clone()).unwrap_or_default()
}

pub(super) fn near(a: [f64; 3], b: [f64; 3], exact: f64) -> bool {
    a.iter().zip(b).all(|(a, b)| (a - b).abs() <= exact || a == &b || a.is_nan() && b.is_nan())
}

impl Polygon {
    /// Returns the corner of the other polygon that is the first of this one, if both are equal.
    fn turn_to(&self, other: &Self, exact: f64) -> Option<usize> {
        let count = self.points.len();
        let is_equal = |turn: &usize| {
            let points = self.points.iter().enumerate();
            points.clone().all(|(i, &point)| near(point, other.points[(i + turn) % count], exact))
        };
        (count == other.points.len()).then(|| (0..count.max(1)).find(is_equal)).flatten()
    }

    /// Compares the data of two equal polygons.
    fn compare(&self, other: &Self, turn: usize) -> Vec<(&'static str, String)> {
        let mut found = Vec::new();
        let count = self.points.len();
        if self.material != other.material {
            found.push(("face_materials", format!("{:?} becomes {:?}", self.material, other.material)));
        }
        for (set, uvs) in self.uv_sets.iter().enumerate() {
            for (i, uv) in uvs.iter().enumerate() {
                let Some([u, v]) = uv else { continue };
                match other.uv_sets.get(set).map(|set| set[(i + turn) % count]) {
                    // The coordinates of a brush are unknown without the size of its texture.
                    Some(None) if other.is_of_brush => break,
                    Some(Some([x, y])) if (u - x).abs().max((v - y).abs()) <= 1e-3 * u.abs().max(v.abs()).max(1.0) => {}
                    Some(after) => {
                        found.push(("uv_sets", format!("set {set}: {uv:?} becomes {after:?}")));
                        break;
                    }
                    None => {
                        found.push(("uv_sets", format!("set {set} is missing")));
                        break;
                    }
                }
            }
        }
        for (set, colors) in self.color_sets.iter().enumerate() {
            for (i, color) in colors.iter().enumerate() {
                let after = other.color_sets.get(set).map(|set| set[(i + turn) % count]);
                let [a, b] = [color, &after.flatten()].map(|color| color.unwrap_or([1.0; 4]));
                if a.iter().zip(b).any(|(a, b)| (a - b).abs() > 0.004) {
                    found.push(("color_sets", format!("set {set}: {color:?} becomes {after:?}")));
                    break;
                }
            }
        }
        if self.is_hidden != other.is_hidden {
            found.push(("face_flags", "a hidden face is shown, or the reverse".into()));
        }
        let is_turned = |(i, normal): (usize, &[f64; 3])| dot(*normal, other.normals[(i + turn) % count]) < 0.995;
        if self.is_solid() && self.normals.iter().enumerate().any(is_turned) {
            found.push(("normals", "normals differ".into()));
        }
        found
    }

    /// Returns `true` if the polygon has an area, so that it has a normal.
    fn is_solid(&self) -> bool {
        let [Some(a), Some(b), Some(c)] = [0, 1, 2].map(|i| self.points.get(i)) else { return false };
        normalize(cross(sub(*b, *a), sub(*c, *a))).is_some() && self.normals.iter().all(|n| *n != [0.0; 3])
    }
}
