//! A5 and 710.

use mapwright_io::math;

use std::sync::Arc;

use super::binary::signed;
use super::tree::{bake, part, turn};
use super::{LOST_ALBEDO, drop_windows, forget_formatting, set_dialect};
use crate::document::PLAIN_MAPPING;
use crate::loss::{LossKind, Report};
use crate::resolve::texture::{Vectors, default_axes, is_local};
use crate::resolve::transform::dot;
use crate::resolve::{ResolvedBlock, outward};
use crate::{Block, BlockFlags, Dialect, Document, Entity, EntityKind, Face, FaceFlags, Name, Shape};

/// Converts A5 to 710.
pub(super) fn to_a7(map: &mut Document, report: &mut Report) {
    drop_windows(map, report);
    part(map);
    bake(map);
    turn(map, Dialect::A7);
    for (at, block) in map.blocks.iter_mut().enumerate() {
        block_to_a7(block, at, report);
    }
    for (at, entity) in map.entities.iter_mut().enumerate() {
        entity_to_a7(entity, at, report);
    }
    forget_formatting(map);
    set_dialect(map, Dialect::A7);
}

fn block_to_a7(block: &mut Block, at: usize, report: &mut Report) {
    drop_locks(block, at, report);
    let Shape::Mesh(mesh) = &mut block.shape else { return };
    let vertices = &mesh.vertices;
    for face in &mut mesh.faces {
        let corner = |corner: &u32| vertices.get(usize::try_from(*corner).ok()?).copied();
        let points: Vec<_> = face.corners.iter().filter_map(corner).collect();
        let normal = outward(&points);
        let [x, y, z] = normal.map(f64::abs);
        let tie = (x - y).abs() <= x * 1e-6 && z < x * (1.0 - 1e-6);
        report.part(
            tie,
            LossKind::Approximated,
            "blocks",
            at,
            "the axes of a texture at 45°: the compiler's choice depends on rounding",
        );
        face.vectors = Some(Arc::new(default_axes(normal)));
        face.mapping.get_or_insert_with(|| Arc::new(PLAIN_MAPPING));
    }
}

fn entity_to_a7(entity: &mut Entity, at: usize, report: &mut Report) {
    match &mut entity.kind {
        EntityKind::Level(level) => {
            report.part(level.colours.len() < 6, LossKind::Synthesized, "entities", at, "colours of a level");
            let count = level.colours.len().max(6);
            level.colours.resize(count, [0.0; 3]);
            level.colours.iter_mut().for_each(|colour| *colour = colour.map(signed));
        }
        EntityKind::Light(light) => {
            light.colour = light.colour.map(signed);
            light.flags.get_or_insert_default();
        }
        EntityKind::Path(path) => {
            report.part(path.number != 0.0, LossKind::Dropped, "entities", at, "the number after the name of a path");
            path.number = 0.0;
        }
        EntityKind::Model(model) => {
            model.fill_albedo();
            let count = model.tail.len().max(2);
            model.tail.resize(count, Name::NONE);
        }
        EntityKind::Start(_) | EntityKind::Sound(_) | EntityKind::Region(_) => {}
    }
}

/// Converts 710 to A5.
pub(super) fn from_a7(map: &mut Document, report: &mut Report) {
    drop_windows(map, report);
    if let Some(wed) = &mut map.wed {
        let folders = std::mem::take(&mut wed.folders).len();
        report.count(LossKind::Dropped, "wed", folders, "texture folders");
    }
    part(map);
    let resolved = map.resolve();
    turn(map, Dialect::A5);
    for resolved in &resolved.blocks {
        if let Some(block) = map.blocks.get_mut(resolved.block) {
            textures(block, resolved, report);
        }
    }
    let mut placed = vec![false; map.blocks.len()];
    for resolved in &resolved.blocks {
        placed.get_mut(resolved.block).iter_mut().for_each(|placed| **placed = true);
    }
    for (at, (block, placed)) in map.blocks.iter().zip(placed).enumerate() {
        let Shape::Mesh(mesh) = &block.shape else { continue };
        let lost = !placed && mesh.faces.iter().any(|face| face.vectors.is_some());
        report.part(lost, LossKind::Dropped, "blocks", at, "texture vectors of a block that is not below the root");
    }
    for (at, block) in map.blocks.iter_mut().enumerate() {
        block_from_a7(block, at, report);
    }
    for (at, entity) in map.entities.iter_mut().enumerate() {
        entity_from_a7(entity, at, report);
    }
    forget_formatting(map);
    set_dialect(map, Dialect::A5);
}

/// Converts texture vectors to offset, rotation and scale on the axes that follow from the normal.
fn textures(block: &mut Block, resolved: &ResolvedBlock, report: &mut Report) {
    let flags = block.flags;
    let Shape::Mesh(mesh) = &mut block.shape else { return };
    for (face, world) in mesh.faces.iter_mut().zip(&resolved.faces) {
        let axes = default_axes(world.normal);
        let near = |vectors: &Vectors| {
            let pairs = vectors.iter().flatten().zip(axes.iter().flatten());
            pairs.into_iter().all(|(found, wanted)| (found - wanted).abs() < 1e-6)
        };
        let plain = face.uvs.is_none() && face.vectors.as_deref().is_none_or(near) && face.mapping.is_some();
        if plain && !is_local(Dialect::A7, flags, face.flags) {
            continue;
        }
        let on = world.corners.first().and_then(|corner| resolved.vertices.get(usize::try_from(*corner).ok()?));
        let (mapping, exact) = fit(&world.vectors, &axes, world.normal, on.copied().unwrap_or_default());
        face.mapping = Some(Arc::new(mapping));
        report.part(!exact, LossKind::Approximated, "blocks", resolved.block, "a skewed texture");
    }
}

/// Returns the mapping that makes axes equal to finished vectors on a plane, and `true` if it is exact.
fn fit(vectors: &Vectors, axes: &Vectors, normal: [f64; 3], on: [f64; 3]) -> ([f64; 5], bool) {
    let [u_axis, v_axis] = axes.map(|[x, y, z, _]| [x, y, z]);
    // The third axis, along which the texture is projected.
    let along = [0, 1, 2].map(|axis| f64::from(u_axis.get(axis) == Some(&0.0) && v_axis.get(axis) == Some(&0.0)));
    let slope = dot(normal, along);
    let distance = dot(normal, on);
    // On the plane, a step along this axis equals a step across it.
    let flat = |[x, y, z, constant]: [f64; 4]| {
        let vector = [x, y, z];
        let share = if slope == 0.0 { 0.0 } else { dot(vector, along) / slope };
        let across = dot(vector, u_axis) - share * dot(normal, u_axis);
        let down = dot(vector, v_axis) - share * dot(normal, v_axis);
        [across, down, constant + share * distance]
    };
    let [[ua, ub, x], [va, vb, y]] = vectors.map(flat);
    let rotation = math::atan2(-ub, ua);
    let (sin, cos) = math::sin_cos(rotation);
    let length = math::hypot(ua, ub);
    let height = va * sin + vb * cos;
    let skew = va * cos - vb * sin;
    let scale = |length: f64| if length == 0.0 || !length.is_finite() { 1.0 } else { length.recip() };
    let exact = skew.abs() <= 1e-6 * height.abs().max(1e-6) && length > 0.0 && height != 0.0;
    let degrees = rotation.to_degrees().rem_euclid(360.0);
    ([x, y, if degrees < 360.0 { degrees } else { 0.0 }, scale(length), scale(height)], exact)
}

/// Removes the locks of textures, which have no effect in A5.
fn drop_locks(block: &mut Block, at: usize, report: &mut Report) {
    let mut locked = block.flags.has(BlockFlags::TEXTURE_LOCK);
    block.flags = BlockFlags(block.flags.0 & !BlockFlags::TEXTURE_LOCK.0);
    if let Shape::Mesh(mesh) = &mut block.shape {
        for face in &mut mesh.faces {
            locked |= face.flags.has(FaceFlags::LOCAL);
            face.flags = FaceFlags(face.flags.0 & !FaceFlags::LOCAL.0);
        }
    }
    report.part(locked, LossKind::Dropped, "blocks", at, "texture locks, which have no effect in A5");
}

fn block_from_a7(block: &mut Block, at: usize, report: &mut Report) {
    drop_locks(block, at, report);
    let concave = block.flags.has(BlockFlags::CONCAVE);
    report.part(concave, LossKind::Approximated, "blocks", at, "a body that is not convex, which no known A5 has");
    let Shape::Mesh(mesh) = &mut block.shape else { return };
    for face in &mut mesh.faces {
        let Face { vectors, uvs, .. } = face;
        *vectors = None;
        report.part(uvs.take().is_some(), LossKind::Dropped, "blocks", at, "texture coordinates");
    }
}

fn entity_from_a7(entity: &mut Entity, at: usize, report: &mut Report) {
    // Only 710 stores zeros of colours with a sign.
    let unsigned = |part: f64| part + 0.0;
    match &mut entity.kind {
        EntityKind::Level(level) => level.colours.iter_mut().for_each(|colour| *colour = colour.map(unsigned)),
        EntityKind::Light(light) => light.colour = light.colour.map(unsigned),
        EntityKind::Path(path) => {
            let skills = path.nodes.iter().any(|node| node.skills != [0.0; 6]);
            report.part(skills, LossKind::Dropped, "entities", at, "numbers of the nodes of a path");
            report.part(!path.edges.is_empty(), LossKind::Dropped, "entities", at, "edges of a path");
            path.edges.clear();
            path.nodes.iter_mut().for_each(|node| node.skills = [0.0; 6]);
        }
        EntityKind::Model(model) => {
            if model.skills.len() != 20 {
                report.part(model.drop_albedo(), LossKind::Dropped, "entities", at, LOST_ALBEDO);
            }
            let named = model.tail.iter().any(|name| !name.is_empty());
            report.part(named, LossKind::Dropped, "entities", at, "path, target, material or strings of a model");
            model.tail.clear();
        }
        EntityKind::Start(_) | EntityKind::Sound(_) | EntityKind::Region(_) => {}
    }
}
