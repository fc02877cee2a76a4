//! A4 and A5.

use std::sync::Arc;

use super::tree::{bake, part, remove, scales};
use super::{LOST_ALBEDO, drop_windows, forget_formatting, set_dialect};
use crate::document::PLAIN_MAPPING;
use crate::loss::{LossKind, Report};
use crate::resolve::convex::is_convex;
use crate::resolve::polygons::{HalfSpace, MAX_PLANES, intersect};
use crate::resolve::transform::{cross, dot, sub};
use crate::tree::PartIndex;
use crate::{Block, BlockFlags, Dialect, Document, Entity, EntityKind, Face, FaceFlags, Mesh, Name, PlaneFace, Shape};

/// The mirror bit in the second word of flags.
const MIRROR: u32 = 1 << 7;

/// Converts A4 to A5.
pub(super) fn to_a5(map: &mut Document, report: &mut Report) {
    drop_windows(map, report);
    part(map);
    bake(map);
    scales(map);
    for (at, block) in map.blocks.iter_mut().enumerate() {
        block_to_a5(block, at, report);
    }
    for (at, entity) in map.entities.iter_mut().enumerate() {
        match &mut entity.kind {
            EntityKind::Level(level) => {
                report.part(level.colours.len() < 6, LossKind::Synthesized, "entities", at, "colours of a level");
                let count = level.colours.len().max(6);
                level.colours.resize(count, [0.0; 3]);
            }
            EntityKind::Model(model) if model.skills.len() == 20 => {
                model.fill_albedo();
            }
            _ => {}
        }
    }
    forget_formatting(map);
    set_dialect(map, Dialect::A5);
}

fn block_to_a5(block: &mut Block, at: usize, report: &mut Report) {
    let Shape::Planes(planes) = &block.shape else { return };
    let many = planes.len() > MAX_PLANES;
    report.part(many, LossKind::Dropped, "blocks", at, "all sides of a block that has more than 1024");
    let planes = if many { &[][..] } else { planes.as_slice() };
    let sides: Vec<_> = planes.iter().map(|plane| HalfSpace::new(plane.points)).collect();
    let (vertices, polygons) = intersect(&sides);
    let mut faces = Vec::with_capacity(planes.len());
    for (plane, corners) in planes.iter().zip(polygons) {
        report.part(corners.is_empty(), LossKind::Dropped, "blocks", at, "a side outside of the body");
        if corners.is_empty() {
            continue;
        }
        report_unusual_side(plane, at, report);
        let mirror = if plane.flags2.0 & MIRROR == 0 { 0 } else { FaceFlags::MIRROR.0 };
        faces.push(Face {
            corners: corners.into(),
            mapping: Some(Arc::new(plane.mapping)),
            flags: FaceFlags(plane.flags.0 | mirror),
            ..Face::from_plane(plane)
        });
    }
    block.shape = Shape::Mesh(Mesh { vertices, faces });
}

/// Reports fields of a side that no later dialect stores.
pub(super) fn report_unusual_side(plane: &PlaneFace, at: usize, report: &mut Report) {
    let is_unusual = !plane.name.is_empty() || plane.number != 0.0 || plane.flags2.0 & !MIRROR != 0;
    report.part(is_unusual, LossKind::Dropped, "blocks", at, "name, number or second flags of a side");
}

/// Converts A5 to A4.
pub(super) fn from_a5(map: &mut Document, report: &mut Report) {
    drop_windows(map, report);
    if let Some(wed) = &mut map.wed {
        wed.wad_head.get_or_insert_with(|| "0 0 0 0 0".into());
        wed.bookmarks = Some(vec![";".into(); 7]);
    }
    let is_concave = |block: &Block| match &block.shape {
        Shape::Mesh(mesh) => block.flags.has(BlockFlags::CONCAVE) || !is_convex(mesh),
        Shape::Planes(_) => false,
    };
    let concave: Vec<bool> = map.blocks.iter().map(|block| is_concave(block)).collect();
    for (at, concave) in concave.iter().enumerate() {
        report.part(*concave, LossKind::Dropped, "blocks", at, "a body that is not convex");
    }
    for (at, block) in map.blocks.iter_mut().enumerate().filter(|(at, _)| concave.get(*at) == Some(&false)) {
        block_from_a5(block, at, report);
    }
    remove(map, |place| matches!(place, PartIndex::Block(block) if concave.get(block) == Some(&true)));
    for (at, entity) in map.entities.iter_mut().enumerate() {
        entity_from_a5(entity, at, report);
    }
    set_dialect(map, Dialect::A4);
}

fn block_from_a5(block: &mut Block, at: usize, report: &mut Report) {
    let Shape::Mesh(mesh) = &block.shape else { return };
    let mut planes = Vec::with_capacity(mesh.faces.len());
    for face in &mesh.faces {
        let corner = |corner: &u32| mesh.vertices.get(usize::try_from(*corner).ok()?).copied();
        let points: Vec<_> = face.corners.iter().filter_map(corner).collect();
        let Some(points) = widest(&points) else {
            report.part(true, LossKind::Dropped, "blocks", at, "a face without area");
            continue;
        };
        let before = face.mapping.as_deref().copied().unwrap_or(PLAIN_MAPPING);
        let [x, y, rotation, sx, sy] = before;
        let hundredths = |scale: f64| {
            let scale = (scale * 100.0).round() / 100.0;
            if scale == 0.0 { 0.01 } else { scale }
        };
        let mapping = [x.round(), y.round(), rotation.round(), hundredths(sx), hundredths(sy)];
        let near = mapping.iter().zip(&before).all(|(found, before)| (found - before).abs() < 1e-6);
        report.part(!near, LossKind::Approximated, "blocks", at, "fractions of offset, rotation or scale of a texture");
        planes.push(PlaneFace {
            mapping,
            flags: FaceFlags(face.flags.0 & !FaceFlags::MIRROR.0),
            flags2: FaceFlags(if face.flags.has(FaceFlags::MIRROR) { MIRROR } else { 0 }),
            ..PlaneFace::from_face(points, face)
        });
    }
    block.shape = Shape::Planes(planes);
}

/// Returns three points of a polygon that are far apart, in its order, or `None` if it has no area.
fn widest(points: &[[f64; 3]]) -> Option<[[f64; 3]; 3]> {
    let square = |vector: [f64; 3]| dot(vector, vector);
    let farthest = |size: &dyn Fn([f64; 3]) -> f64| {
        let sizes = points.iter().enumerate().map(|(at, point)| (at, size(*point)));
        sizes.max_by(|(_, a), (_, b)| a.total_cmp(b)).map(|(at, _)| at)
    };
    let first = *points.first()?;
    let far = farthest(&|point| square(sub(point, first)))?;
    let way = sub(*points.get(far)?, first);
    let wide = farthest(&|point| square(cross(way, sub(point, first))))?;
    let mut corners = [0, far, wide];
    corners.sort_unstable();
    let [a, b, c] = corners;
    let found = [*points.get(a)?, *points.get(b)?, *points.get(c)?];
    HalfSpace::new(found).map(|_| found)
}

fn entity_from_a5(entity: &mut Entity, at: usize, report: &mut Report) {
    // A4 stores no comments.
    entity.comment = Name::NONE;
    match &mut entity.kind {
        EntityKind::Light(light) => {
            let flags = light.flags.take().is_some_and(|flags| flags.0 != 0);
            report.part(flags, LossKind::Dropped, "entities", at, "flags of a light");
        }
        EntityKind::Model(model) => {
            report.part(model.drop_albedo(), LossKind::Dropped, "entities", at, LOST_ALBEDO);
            let more = model.skills.iter().skip(8).any(|skill| *skill.get() != 0.0);
            report.part(more, LossKind::Dropped, "entities", at, "skills of a model beyond eight");
            Arc::make_mut(&mut model.skills).resize(8, 0.0.into());
            model.flag_digits = Some(if model.flags.0 >> 16 != 0 {
                32
            } else if model.flags.0 >> 8 != 0 {
                16
            } else {
                8
            });
        }
        _ => {}
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Source: "A block, part by part", second flag word of A4.
    #[test]
    fn mirrors_of_a4_have_the_published_bit() {
        assert_eq!(MIRROR, 0x80);
    }
}
