//! Brushes and meshes → blocks.

use std::sync::Arc;

use mapwright_scene as scene;
use mapwright_scene::{Brush, Content, Losses, MaterialId, Properties, Scene, TextureProjection, Value};

use super::blocks::{local, lock};
use super::values::{changes, name, neat, number, push_number, unspelled, word};
use super::{AXES, shapes};
use crate::resolve::polygons::{HalfSpace, MOST_PLANES, intersect};
use crate::resolve::texture::{Mapping, base, finish};
use crate::resolve::{outward, single};
use crate::{Block, BlockFlags, Dialect, Face, FaceFlags, Mesh, Model, Name, PlaneFace, Shape};

/// The mapping that changes nothing.
pub(super) const PLAIN: [f64; 5] = [0.0, 0.0, 0.0, 1.0, 1.0];

/// The texture of faces without one.
const DEFAULT: &str = "#default";

/// The shape at a node in the axes of files: what brushes and meshes have in common.
#[derive(Debug, Clone, PartialEq, Default)]
pub(super) struct Form {
    pub(super) vertices: Vec<[f64; 3]>,
    pub(super) sides: Vec<Side>,
    pub(super) properties: Properties,
}

/// A face of it.
#[derive(Debug, Clone, PartialEq, Default)]
pub(super) struct Side {
    /// Three points, clockwise seen from outside; meshes have none.
    plane: Option<[[f64; 3]; 3]>,
    /// Clockwise seen from outside.
    corners: Vec<u32>,
    projection: Option<TextureProjection>,
    material: Option<Name>,
    /// The texture coordinates of a triangle.
    uvs: Option<Vec<f64>>,
    properties: Properties,
}

impl Form {
    /// The shape at a node, if it has one.
    pub(super) fn of(scene: &Scene, content: &Content) -> Option<Self> {
        match content {
            Content::Brush(id) => Some(Self::of_brush(scene, scene.brushes.get(*id)?)),
            Content::Mesh(id) => Some(Self::of_mesh(scene, scene.meshes.get(*id)?)),
            _ => None,
        }
    }

    fn of_brush(scene: &Scene, brush: &Brush) -> Self {
        let back = AXES.inverse();
        let side = |side: &scene::BrushSide| {
            let mut plane = side.plane.map(|point| back.apply(point));
            plane.reverse();
            Side {
                plane: Some(plane),
                corners: side.corners.iter().rev().copied().collect(),
                projection: Some(back.projection(&side.projection)),
                material: texture(scene, side.material),
                uvs: None,
                properties: side.properties.clone(),
            }
        };
        Self {
            vertices: brush.vertices.iter().map(|vertex| back.apply(*vertex)).collect(),
            sides: brush.sides.iter().map(side).collect(),
            properties: brush.properties.clone(),
        }
    }

    fn of_mesh(scene: &Scene, mesh: &scene::Mesh) -> Self {
        let back = AXES.inverse();
        let vertices: Vec<_> = mesh.positions.iter().map(|vertex| back.apply(*vertex)).collect();
        let sides = mesh.faces.iter().enumerate().map(|(at, corners)| {
            let uv = mesh.uv_sets.first().zip(mesh.faces.corner_range(at));
            let uvs: Option<Vec<[f64; 2]>> =
                uv.and_then(|(set, range)| range.rev().map(|corner| set.top_left(corner)).collect());
            let mut properties = Properties::new();
            for attribute in mesh.attributes.iter().filter(|attribute| attribute.width == 1) {
                let usual = if attribute.name == "albedo" { Model::ALBEDO } else { 0.0 };
                if attribute.domain == scene::Domain::Face
                    && let Some(value) = attribute.values.get(at)
                {
                    push_number(&mut properties, &attribute.name, *value, usual);
                }
            }
            let corners: Vec<u32> = corners.iter().rev().copied().collect();
            let material = mesh.face_material(at);
            let projection = mesh.face_projections.get(at).map(|projection| back.projection(projection));
            let projection = projection.or_else(|| {
                let size = material.and_then(|id| scene.materials.get(id))?.texture_size.unwrap_or([64; 2]);
                solve(&corners, &vertices, uvs.as_deref()?, size)
            });
            Side {
                plane: None,
                corners,
                projection,
                material: texture(scene, material),
                uvs: uvs.map(|uvs| uvs.concat()),
                properties,
            }
        });
        let sides = sides.collect();
        Self { vertices, sides, properties: mesh.properties.clone() }
    }

    /// Moves the shape by a matrix without a translation, with the textures that move with it.
    pub(super) fn bake(&mut self, matrix: &scene::Transform) {
        if matrix.is_identity() {
            return;
        }
        let go = |point: [f64; 3]| matrix.vector(point);
        self.vertices.iter_mut().for_each(|vertex| *vertex = go(*vertex));
        let [x, y, z] = matrix.linear();
        let volume = matrix.determinant();
        for side in &mut self.sides {
            side.plane = side.plane.map(|plane| plane.map(go));
            if matrix.mirrors() {
                side.plane.iter_mut().for_each(|plane| plane.reverse());
                side.corners.reverse();
            }
            let Some(projection) = side.projection.as_mut().filter(|projection| projection.local) else { continue };
            for axis in [&mut projection.u, &mut projection.v] {
                // The inverse transpose keeps what a moved point shows.
                let [a, b, c, constant] = *axis;
                let turned = |p: [f64; 3], q: [f64; 3], r: [f64; 3]| {
                    use scene::transform::{add, cross, scale};
                    add(add(scale(cross(q, r), a), scale(cross(r, p), b)), scale(cross(p, q), c))
                };
                let [a, b, c] = turned(x, y, z).map(|part| part / volume);
                *axis = [a, b, c, constant];
            }
        }
    }

    /// Whether its faces close a convex body, or it is one of planes alone.
    pub(super) fn is_convex(&self) -> bool {
        let faces = self.sides.iter().map(|side| Face { corners: side.corners.as_slice().into(), ..Face::default() });
        let mesh = Mesh { vertices: self.vertices.clone(), faces: faces.collect() };
        self.is_planes() || shapes::is_convex(&mesh)
    }

    fn is_planes(&self) -> bool {
        !self.sides.is_empty() && self.sides.iter().all(|side| side.corners.is_empty() && side.plane.is_some())
    }

    /// The polygons, computed where only planes are given.
    pub(super) fn with_polygons(mut self, path: &str, losses: &mut Losses) -> Self {
        if !self.is_planes() || self.sides.len() > MOST_PLANES {
            return self;
        }
        let planes: Vec<_> = self.sides.iter().map(|side| side.plane.and_then(HalfSpace::new)).collect();
        let (vertices, polygons) = intersect(&planes);
        self.vertices = vertices;
        for (side, polygon) in self.sides.iter_mut().zip(polygons) {
            side.corners = polygon;
        }
        let count = self.sides.len();
        self.sides.retain(|side| !side.corners.is_empty());
        if self.sides.len() < count {
            losses.dropped(path, format!("{} sides that bound nothing", count.saturating_sub(self.sides.len())));
        }
        self
    }
}

fn texture(scene: &Scene, material: Option<MaterialId>) -> Option<Name> {
    let material = scene.materials.get(material?)?;
    Some(unspelled(&texture_name(&material.name)))
}

/// The name of a texture: blanks would end it.
pub(super) fn texture_name(material: &str) -> String {
    material.replace(char::is_whitespace, "_")
}

/// The projection that gives the first three corners of a face their coordinates.
fn solve(corners: &[u32], vertices: &[[f64; 3]], uvs: &[[f64; 2]], size: [u32; 2]) -> Option<TextureProjection> {
    use crate::resolve::transform::{cross, dot, sub};
    let point = |corner: usize| vertices.get(usize::try_from(*corners.get(corner)?).ok()?).copied();
    let (a, b, c) = (point(0)?, point(1)?, point(2)?);
    let (e, f) = (sub(b, a), sub(c, a));
    let normal = cross(e, f);
    let area = dot(normal, normal);
    if !(area > 0.0 && area.is_finite()) {
        return None;
    }
    let axis = |part: usize| {
        let texels = f64::from(*size.get(part)?);
        let at = |corner: usize| Some(*uvs.get(corner)?.get(part)? * texels);
        let (start, along, up) = (at(0)?, at(1)?, at(2)?);
        let (p, q) = (cross(f, normal), cross(normal, e));
        let [x, y, z]: [f64; 3] = std::array::from_fn(|i| {
            (p.get(i).unwrap_or(&0.0) * (along - start) + q.get(i).unwrap_or(&0.0) * (up - start)) / area
        });
        Some([x, y, z, start - dot([x, y, z], a)])
    };
    let (u, v) = (axis(0)?, axis(1)?);
    Some(TextureProjection { u, v, offset: [0.0; 2], scale: [1.0; 2], rotation: 0.0, local: true })
}

/// Takes into a block what a shape says now and did not say before.
pub(super) struct Hearing<'a> {
    pub(super) dialect: Dialect,
    pub(super) path: &'a str,
    pub(super) losses: &'a mut Losses,
}

impl Hearing<'_> {
    pub(super) fn block(&mut self, block: &mut Block, before: &Form, now: &Form) {
        for (key, value) in changes(&before.properties, &now.properties) {
            let lock = lock(self.dialect);
            let taken = match key {
                "flags" => value.map_or(Some(0), word).map(|flags| {
                    block.flags = BlockFlags(flags & !lock | block.flags.0 & lock);
                }),
                "material" => value.map_or(Some(Name::NONE), name).map(|name| block.material = name),
                _ => None,
            };
            self.said(taken, key);
        }
        let (flags, is_planes) = (block.flags, matches!(block.shape, Shape::Planes(_)));
        match &mut block.shape {
            Shape::Planes(faces) => self.planes(faces, before, now),
            Shape::Mesh(mesh) => self.mesh(mesh, before, now),
        }
        if !is_planes {
            block.flags = self.locks(&mut block.shape, flags, before, now);
        }
    }

    fn said(&mut self, taken: Option<()>, key: &str) {
        if taken.is_none() {
            self.losses.dropped(self.path, format!("property {key}"));
        }
    }

    fn planes(&mut self, faces: &mut Vec<PlaneFace>, before: &Form, now: &Form) {
        faces.truncate(now.sides.len());
        let empty = Side::default();
        for (at, side) in now.sides.iter().enumerate() {
            let old = before.sides.get(at).unwrap_or(&empty);
            if at >= faces.len() {
                faces.push(PlaneFace {
                    points: [[0.0; 3]; 3],
                    texture: Name::NONE,
                    mapping: PLAIN,
                    flags: FaceFlags(0),
                    ambient: 0.0,
                    albedo: Model::ALBEDO,
                    material: Name::NONE,
                    name: Name::NONE,
                    number: 0.0,
                    flags2: FaceFlags(0),
                });
            }
            let Some(face) = faces.get_mut(at) else { continue };
            if side.plane != old.plane || side.plane.is_none() {
                let points = || {
                    side.corners.iter().filter_map(|corner| now.vertices.get(usize::try_from(*corner).ok()?).copied())
                };
                face.points = side.plane.unwrap_or_else(|| shapes::plane(&points().collect::<Vec<_>>()));
            }
            if side.material != old.material {
                face.texture = side.material.clone().unwrap_or_else(|| DEFAULT.into());
            }
            let normal = HalfSpace::new(face.points).map_or([0.0; 3], |plane| plane.normal);
            self.axes(old.projection, side.projection, normal);
            mapping(&mut face.mapping, old.projection, side.projection);
            for (key, value) in changes(&old.properties, &side.properties) {
                let taken = match key {
                    "flags" => value.map_or(Some(0), word).map(|flags| face.flags = FaceFlags(flags)),
                    "flags2" => value.map_or(Some(0), word).map(|flags| face.flags2 = FaceFlags(flags)),
                    "number" => value.map_or(Some(0.0), number).map(|number| face.number = number),
                    "name" => value.map_or(Some(Name::NONE), name).map(|name| face.name = name),
                    _ => shared(key, value, &mut face.ambient, &mut face.albedo, &mut face.material),
                };
                self.said(taken, key);
            }
        }
    }

    fn mesh(&mut self, mesh: &mut Mesh, before: &Form, now: &Form) {
        if before.vertices != now.vertices {
            mesh.vertices.resize(now.vertices.len(), [0.0; 3]);
            for (at, (vertex, new)) in mesh.vertices.iter_mut().zip(&now.vertices).enumerate() {
                if before.vertices.get(at) != Some(new) {
                    *vertex = *new;
                }
            }
        }
        mesh.faces.truncate(now.sides.len());
        let empty = Side::default();
        let shape = Mesh { vertices: now.vertices.clone(), faces: Vec::new() };
        for (at, side) in now.sides.iter().enumerate() {
            let is_new = at >= mesh.faces.len();
            let old = before.sides.get(at).filter(|_| !is_new).unwrap_or(&empty);
            if is_new {
                let bare = side.material.is_none() && self.dialect == Dialect::Binary;
                let mut face = Face { bare, albedo: Model::ALBEDO, ..Face::default() };
                if !bare {
                    face.texture = DEFAULT.into();
                    face.mapping = (self.dialect != Dialect::Resolved).then(|| Arc::new(PLAIN));
                }
                mesh.faces.push(face);
            }
            let Some(face) = mesh.faces.get_mut(at) else { continue };
            if *side != *old || is_new {
                let normal = outward(&shapes::points(&shape, &side.corners).unwrap_or_default());
                self.face(face, old, side, normal);
            }
        }
    }

    fn face(&mut self, face: &mut Face, old: &Side, side: &Side, normal: [f64; 3]) {
        if side.corners != old.corners {
            face.corners = side.corners.as_slice().into();
        }
        if side.material != old.material {
            match &side.material {
                Some(texture) => {
                    if face.bare {
                        face.mapping = Some(Arc::new(PLAIN));
                        face.vectors = Some(Arc::new(base(normal)));
                        (face.bare, face.albedo) = (false, Model::ALBEDO);
                    }
                    face.texture = texture.clone();
                }
                None => face.texture = DEFAULT.into(),
            }
        }
        if side.uvs != old.uvs {
            let fits =
                side.uvs.as_ref().filter(|uvs| uvs.len() == 6 && !matches!(self.dialect, Dialect::A4 | Dialect::A5));
            face.uvs = fits.map(|uvs| uvs.as_slice().into());
            if face.uvs.is_none() && side.uvs.is_some() {
                self.losses.approximated(self.path, "texture coordinates of corners, as axes");
            }
        }
        if side.projection != old.projection && !face.bare {
            self.projection(face, old.projection, side.projection, normal);
        }
        for (key, value) in changes(&old.properties, &side.properties) {
            let local = local(self.dialect);
            let taken = match key {
                // Without a texture it has no entry that could say it.
                _ if face.bare => None,
                "flags" => value.map_or(Some(0), word).map(|flags| {
                    face.flags = FaceFlags(flags & !local | face.flags.0 & local);
                }),
                _ => shared(key, value, &mut face.ambient, &mut face.albedo, &mut face.material),
            };
            self.said(taken, key);
        }
    }

    fn projection(
        &mut self,
        face: &mut Face,
        old: Option<TextureProjection>,
        new: Option<TextureProjection>,
        normal: [f64; 3],
    ) {
        match self.dialect {
            Dialect::A4 | Dialect::A5 => {
                self.axes(old, new, normal);
                mapping(Arc::make_mut(face.mapping.get_or_insert_with(|| Arc::new(PLAIN))), old, new);
            }
            Dialect::Resolved => {
                let numbers = new.map(numbers);
                let vectors = new.map(|new| [new.u, new.v]);
                let mapping =
                    Mapping { vectors: vectors.as_ref(), numbers: numbers.as_ref(), uvs: false, local: false };
                face.vectors = Some(Arc::new(finish(&mapping, normal, [0.0; 3]).map(|vector| vector.map(single))));
            }
            Dialect::A7 | Dialect::Binary => {
                let axes = |projection: Option<TextureProjection>| projection.map(|p| [p.u, p.v]);
                if axes(old) != axes(new) || face.vectors.is_none() {
                    face.vectors = Some(Arc::new(axes(new).unwrap_or_else(|| base(normal))));
                }
                mapping(Arc::make_mut(face.mapping.get_or_insert_with(|| Arc::new(PLAIN))), old, new);
            }
        }
    }

    /// Reports axes that a dialect without texture vectors cannot say.
    fn axes(&mut self, old: Option<TextureProjection>, new: Option<TextureProjection>, normal: [f64; 3]) {
        let Some(new) = new else { return };
        let same = old.is_some_and(|old| [old.u, old.v] == [new.u, new.v]);
        if !same && [new.u, new.v] != base(normal) {
            self.losses.dropped(self.path, "texture axes, which this dialect takes from the normal");
        }
        if new.local && !old.is_some_and(|old| old.local) {
            self.losses.dropped(self.path, "that the texture moves with the block");
        }
    }

    /// Sets which textures move with their block, where that changed.
    fn locks(&mut self, shape: &mut Shape, flags: BlockFlags, before: &Form, now: &Form) -> BlockFlags {
        let is_local = |side: &Side| side.projection.is_some_and(|projection| projection.local);
        let same = before.sides.len() == now.sides.len()
            && before.sides.iter().zip(&now.sides).all(|(a, b)| is_local(a) == is_local(b));
        if same || lock(self.dialect) == 0 {
            return flags;
        }
        if let Shape::Mesh(mesh) = shape {
            for (face, side) in mesh.faces.iter_mut().zip(&now.sides) {
                let mapped = face.uvs.is_some();
                let bit = if is_local(side) && !mapped { FaceFlags::LOCAL.0 } else { 0 };
                face.flags = FaceFlags(face.flags.0 & !FaceFlags::LOCAL.0 | bit);
            }
        }
        let all = !now.sides.is_empty() && now.sides.iter().all(is_local);
        BlockFlags(flags.0 & !BlockFlags::TEXTURE_LOCK.0 | if all { BlockFlags::TEXTURE_LOCK.0 } else { 0 })
    }
}

/// The five numbers of a projection.
fn numbers(projection: TextureProjection) -> [f64; 5] {
    let TextureProjection { offset: [x, y], scale: [sx, sy], rotation, .. } = projection;
    [x, y, neat(rotation.to_degrees()), sx, sy]
}

/// Sets the numbers that changed.
fn mapping(mapping: &mut [f64; 5], old: Option<TextureProjection>, new: Option<TextureProjection>) {
    let (old, new) = (old.map(numbers), new.map_or(PLAIN, numbers));
    for (at, (slot, number)) in mapping.iter_mut().zip(new).enumerate() {
        if old.and_then(|old| old.get(at).copied()) != Some(number) {
            *slot = number;
        }
    }
}

/// Takes a property that faces of all dialects have.
fn shared(key: &str, value: Option<&Value>, ambient: &mut f64, albedo: &mut f64, material: &mut Name) -> Option<()> {
    match key {
        "ambient" => *ambient = value.map_or(Some(0.0), number)?,
        "albedo" => *albedo = value.map_or(Some(Model::ALBEDO), number)?,
        "material" => *material = value.map_or(Some(Name::NONE), name)?,
        _ => return None,
    }
    Some(())
}
