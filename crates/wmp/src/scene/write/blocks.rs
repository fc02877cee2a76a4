//! Shapes → blocks. Only what changed is written, so that other numbers keep their digits.

use std::sync::Arc;

use mapwright_scene::TextureProjection;

use super::report::PartReport;
use super::shape::{NodeShape, Side};
use crate::document::{DEFAULT_TEXTURE, PLAIN_MAPPING};
use crate::resolve::polygons::HalfSpace;
use crate::resolve::texture::{Mapping, default_axes, finish};
use crate::resolve::{outward, single};
use crate::scene::fields::apply_field;
use crate::scene::shapes;
use crate::scene::texture_lock::{block_lock, face_lock};
use crate::scene::values::{flags_from, name_from, round_noise};
use crate::{Block, BlockFlags, Dialect, Face, FaceFlags, Mesh, Name, PlaneFace, Shape};

/// Applies what differs between two shapes to a block.
pub(super) fn apply_shape(block: &mut Block, before: &NodeShape, now: &NodeShape, report: &mut PartReport<'_>) {
    if now.has_soft_edges && !before.has_soft_edges {
        report.approximated("soft edges, as hard edges");
    }
    // The lock is not a property: it follows from the projections of all sides.
    let lock = block_lock(report.dialect);
    report.apply_properties(&before.properties, &now.properties, |key, value| {
        match key {
            "flags" => block.flags.0 = value.map_or(Some(0), flags_from)? & !lock | block.flags.0 & lock,
            "material" => block.material = value.map_or(Some(Name::NONE), name_from)?,
            _ => return None,
        }
        Some(())
    });
    match &mut block.shape {
        Shape::Planes(faces) => apply_planes(faces, before, now, report),
        Shape::Mesh(mesh) => {
            apply_mesh(mesh, before, now, report);
            // After the faces, because each of them may be new.
            apply_locks(&mut block.flags, mesh, before, now, report.dialect);
        }
    }
}

fn apply_planes(faces: &mut Vec<PlaneFace>, before: &NodeShape, now: &NodeShape, report: &mut PartReport<'_>) {
    faces.resize_with(now.sides.len(), PlaneFace::default);
    let empty = Side::default();
    for (at, (face, side)) in faces.iter_mut().zip(&now.sides).enumerate() {
        let old = before.sides.get(at).unwrap_or(&empty);
        if side.plane != old.plane || side.plane.is_none() {
            face.points = side.plane.unwrap_or_else(|| {
                let points: Vec<_> = side.corners.iter().map(|corner| now.vertices[*corner as usize]).collect();
                shapes::plane(&points)
            });
        }
        if side.material != old.material {
            face.texture = side.material.clone().unwrap_or_else(|| DEFAULT_TEXTURE.into());
        }
        let normal = HalfSpace::new(face.points).map_or([0.0; 3], |plane| plane.normal);
        report_axes(old.projection, side.projection, normal, report);
        apply_mapping(&mut face.mapping, old.projection, side.projection);
        report.apply_properties(&old.properties, &side.properties, |key, value| {
            apply_field(face, key, value, |field| field == "texture")
        });
    }
}

fn apply_mesh(mesh: &mut Mesh, before: &NodeShape, now: &NodeShape, report: &mut PartReport<'_>) {
    if before.vertices != now.vertices {
        mesh.vertices.resize(now.vertices.len(), [0.0; 3]);
        for (at, (vertex, new)) in mesh.vertices.iter_mut().zip(&now.vertices).enumerate() {
            if before.vertices.get(at) != Some(new) {
                *vertex = *new;
            }
        }
    }
    mesh.faces.truncate(now.sides.len());
    let known = mesh.faces.len();
    mesh.faces.extend(now.sides[known..].iter().map(|side| new_face(side, report.dialect)));
    let empty = Side::default();
    for (at, (face, side)) in mesh.faces.iter_mut().zip(&now.sides).enumerate() {
        let old = if at < known { &before.sides[at] } else { &empty };
        if *side != *old || at >= known {
            let points: Vec<_> = side.corners.iter().map(|corner| now.vertices[*corner as usize]).collect();
            apply_side(face, old, side, outward(&points), report);
        }
    }
}

fn new_face(side: &Side, dialect: Dialect) -> Face {
    // Only binary maps have faces without a texture.
    let bare = side.material.is_none() && dialect == Dialect::Binary;
    let mut face = Face { bare, ..Face::in_default_light() };
    if !bare {
        face.texture = DEFAULT_TEXTURE.into();
        face.mapping = (dialect != Dialect::Resolved).then(|| Arc::new(PLAIN_MAPPING));
    }
    face
}

fn apply_side(face: &mut Face, old: &Side, side: &Side, normal: [f64; 3], report: &mut PartReport<'_>) {
    let dialect = report.dialect;
    if side.corners != old.corners {
        face.corners = side.corners.as_slice().into();
    }
    if side.material != old.material {
        // A face that gets its first texture needs everything that describes one.
        if face.bare && side.material.is_some() {
            face.mapping = Some(Arc::new(PLAIN_MAPPING));
            face.vectors = Some(Arc::new(default_axes(normal)));
            face.bare = false;
            face.set_light(Face::in_default_light().light());
        }
        face.texture = side.material.clone().unwrap_or_else(|| DEFAULT_TEXTURE.into());
    }
    if side.uvs != old.uvs {
        let fits = side.uvs.as_ref().filter(|uvs| uvs.len() == 6 && !matches!(dialect, Dialect::A4 | Dialect::A5));
        face.uvs = fits.map(|uvs| uvs.as_slice().into());
        if face.uvs.is_none() && side.uvs.is_some() {
            report.approximated("texture coordinates of corners, as axes");
        }
    }
    if side.projection != old.projection && !face.bare {
        apply_projection(face, old.projection, side.projection, normal, report);
    }
    let lock = face_lock(dialect);
    report.apply_properties(&old.properties, &side.properties, |key, value| match key {
        // Faces without a texture store no properties.
        _ if face.bare => None,
        "flags" => {
            face.flags.0 = value.map_or(Some(0), flags_from)? & !lock | face.flags.0 & lock;
            Some(())
        }
        _ => apply_field(face, key, value, |field| field == "texture"),
    });
}

fn apply_projection(
    face: &mut Face,
    old: Option<TextureProjection>,
    new: Option<TextureProjection>,
    normal: [f64; 3],
    report: &mut PartReport<'_>,
) {
    let axes = |projection: Option<TextureProjection>| projection.map(|projection| [projection.u, projection.v]);
    match report.dialect {
        Dialect::A4 | Dialect::A5 => report_axes(old, new, normal, report),
        Dialect::Resolved => {
            // Resolved maps store vectors that include the mapping.
            let (vectors, numbers) = (axes(new), new.map(mapping_numbers));
            let mapping = Mapping { vectors: vectors.as_ref(), numbers: numbers.as_ref(), uvs: false, local: false };
            face.vectors = Some(Arc::new(finish(&mapping, normal, [0.0; 3]).map(|vector| vector.map(single))));
            return;
        }
        Dialect::A7 | Dialect::Binary => {
            if axes(old) != axes(new) || face.vectors.is_none() {
                face.vectors = Some(Arc::new(axes(new).unwrap_or_else(|| default_axes(normal))));
            }
        }
    }
    apply_mapping(Arc::make_mut(face.mapping.get_or_insert_with(|| Arc::new(PLAIN_MAPPING))), old, new);
}

/// Reports axes and locks that a dialect without texture vectors cannot store.
fn report_axes(
    old: Option<TextureProjection>,
    new: Option<TextureProjection>,
    normal: [f64; 3],
    report: &mut PartReport<'_>,
) {
    let Some(new) = new else { return };
    let same = old.is_some_and(|old| [old.u, old.v] == [new.u, new.v]);
    if !same && [new.u, new.v] != default_axes(normal) {
        report.dropped("texture axes, which follow from the normal in this dialect");
    }
    if new.local && !old.is_some_and(|old| old.local) {
        report.dropped("the lock of a texture to its block");
    }
}

/// Locks textures to the block where that changed.
fn apply_locks(flags: &mut BlockFlags, mesh: &mut Mesh, before: &NodeShape, now: &NodeShape, dialect: Dialect) {
    let is_local = |side: &Side| side.projection.is_some_and(|projection| projection.local);
    let same = before.sides.iter().map(is_local).eq(now.sides.iter().map(is_local));
    if same || block_lock(dialect) == 0 {
        return;
    }
    let with = |flags: u32, flag: u32, on: bool| flags & !flag | if on { flag } else { 0 };
    for (face, side) in mesh.faces.iter_mut().zip(&now.sides) {
        // Stored texture coordinates move with the block anyway.
        face.flags = FaceFlags(with(face.flags.0, FaceFlags::LOCAL.0, is_local(side) && face.uvs.is_none()));
    }
    let all = !now.sides.is_empty() && now.sides.iter().all(is_local);
    *flags = BlockFlags(with(flags.0, BlockFlags::TEXTURE_LOCK.0, all));
}

/// Returns offset, rotation in degrees and scale of a projection.
fn mapping_numbers(projection: TextureProjection) -> [f64; 5] {
    let TextureProjection { offset: [x, y], scale: [sx, sy], rotation, .. } = projection;
    [x, y, round_noise(rotation.to_degrees()), sx, sy]
}

/// Sets the numbers of a mapping that changed.
fn apply_mapping(mapping: &mut [f64; 5], old: Option<TextureProjection>, new: Option<TextureProjection>) {
    let (old, new) = (old.map(mapping_numbers), new.map_or(PLAIN_MAPPING, mapping_numbers));
    for (at, (slot, number)) in mapping.iter_mut().zip(new).enumerate() {
        if old.is_none_or(|old| old[at] != number) {
            *slot = number;
        }
    }
}
