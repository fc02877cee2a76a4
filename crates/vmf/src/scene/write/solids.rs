//! Brushes and convex meshes → solids.

use mapwright_io::format_count;
use mapwright_scene::{Brush, Content, Material, MaterialId, Mesh, MeshId, Transform, Value, Visit};

use super::plan::{Plan, PlannedSide, PlannedSolid, Surroundings};
use super::projections::{format_axes, to_scene_space};
use super::values::{clean_text, to_keys};
use crate::scene::AXES;
use crate::scene::conventions::{format_number, format_numbers};
use crate::scene::names::{COMMENTS, ID, SIDE_DEFAULTS};
use crate::scene::parts::Part;

/// The material of sides without one, as Hammer gives it to new solids.
const NO_MATERIAL: &str = "DEV/DEV_MEASUREWALL01A";
/// Assumed size of a texture of unknown size in texels.
const TEXTURE_SIZE: [f64; 2] = [64.0; 2];

/// Plans the solid of a brush or mesh.
pub(super) fn plan_solid<'a>(plan: &mut Plan<'a>, visit: &Visit<'a>, around: Surroundings, path: &str) {
    let source = plan.source(visit.node, Part::Solid);
    let planned = match &visit.node.content {
        Content::Brush(id) => plan.scene.brushes.get(*id).map(|brush| plan_brush(plan, brush, &visit.world, path)),
        Content::Mesh(id) => plan_mesh(plan, visit, *id, source, path),
        _ => None,
    };
    let Some((keys, sides)) = planned else { return };
    if !visit.node.name.is_empty() {
        plan.losses.dropped(path, "name of the solid");
    }
    plan.report_properties(visit.node, &[COMMENTS], path);
    if !visit.node.transform.is_identity() && around.owner.is_none() {
        plan.losses.preserved(path, "the transform, applied to the points");
    }
    let place = plan.place(visit, around);
    plan.solids.push(PlannedSolid { source, owner: around.owner, keys, sides, place });
}

type Body = (super::values::Keys, Option<Vec<PlannedSide>>);

fn plan_mesh<'a>(
    plan: &mut Plan<'a>,
    visit: &Visit<'a>,
    id: MeshId,
    source: Option<usize>,
    path: &str,
) -> Option<Body> {
    let mesh = plan.scene.meshes.get(id)?;
    if plan.is_overlay_quad(visit) {
        report_changed_quad(plan, visit, mesh, path);
        plan.used_materials.extend(mesh.face_materials.iter().flatten());
        return None;
    }
    // The solid of a displacement stays as it is while its mesh does.
    let before = source.and_then(|index| plan.base.as_ref()?.node(Part::Solid(index)));
    let old_mesh = before.and_then(|(node, _)| match &node.content {
        Content::Mesh(id) => plan.base.as_ref()?.scene.meshes.get(*id),
        _ => None,
    });
    if old_mesh == Some(mesh) && before.is_some_and(|(_, world)| world == visit.world) {
        plan.used_materials.extend(mesh.face_materials.iter().flatten());
        return Some((Vec::new(), None));
    }
    if plan.rejections.skips(id) {
        return None;
    }
    let surface = mesh.surface();
    let mut placed = surface.transformed(&visit.world).into_owned();
    let projections = std::mem::take(&mut placed.face_projections);
    placed.face_projections = projections.iter().map(|it| to_scene_space(it, &visit.world)).collect();
    let scene = plan.scene;
    let texture_size = |material: Option<MaterialId>| {
        let size =
            material.and_then(|id| scene.materials.get(id)).and_then(|material: &Material| material.texture_size);
        size.filter(|size| !size.contains(&0)).map_or(TEXTURE_SIZE, |size| size.map(f64::from))
    };
    match Brush::from_mesh(&placed, texture_size) {
        Ok(made) => {
            plan.rejections.accept(id);
            plan.losses.approximated(path, "convex mesh converted to a brush");
            let size = placed.positions.iter().flatten().fold(0.0_f64, |size, c| size.max(c.abs()));
            if made.shift > size * 1e-6 {
                plan.losses.approximated(path, format!("vertices, moved by up to {}", format_number(made.shift)));
            }
            if made.bent > 0 {
                let count = format_count(made.bent, "side");
                plan.losses.approximated(path, format!("texture coordinates of {count} that no projection matches"));
            }
            if made.merged > 0 {
                let count = format_count(made.merged, "face");
                plan.losses.dropped(path, format!("materials of {count} on a side of another one"));
            }
            let has_unknown_size = |material: &Option<MaterialId>| {
                material.and_then(|id| scene.materials.get(id)).is_none_or(|material| material.texture_size.is_none())
            };
            if !mesh.uv_sets.is_empty()
                && mesh.face_projections.is_empty()
                && mesh.face_materials.iter().any(has_unknown_size)
            {
                let text = "texture coordinates: size of textures in texels unknown, assumed: 64 × 64";
                plan.losses.synthesized(path, text);
            }
            Some(plan_brush(plan, &made.brush, &Transform::IDENTITY, path))
        }
        Err(error) => {
            plan.rejections.reject(id, placed.faces.len());
            if old_mesh.is_some() {
                plan.losses.dropped(path, format!("changes of a displacement or of an invalid solid: {error}"));
                return Some((Vec::new(), None));
            }
            let name = if mesh.name.is_empty() { String::new() } else { format!(" {:?}", mesh.name) };
            plan.losses.dropped(path, format!("mesh{name} cannot become a solid: {error}"));
            None
        }
    }
}

/// Reports a quad of an overlay that does not follow from the keys any more.
fn report_changed_quad(plan: &mut Plan<'_>, visit: &Visit<'_>, mesh: &Mesh, path: &str) {
    let part = visit.node.key.as_deref().and_then(Part::from_key);
    let before = part.and_then(|part| plan.base.as_ref()?.node(part));
    let Some((node, _)) = before else {
        plan.losses.preserved(path, "quad of an overlay, which follows from its keys");
        return;
    };
    let old = match &node.content {
        Content::Mesh(id) => plan.base.as_ref().and_then(|base| base.scene.meshes.get(*id)),
        _ => None,
    };
    if old != Some(mesh) {
        plan.losses.dropped(path, "changes of the quad of an overlay, which follows from its keys");
    }
}

fn plan_brush(plan: &mut Plan<'_>, brush: &Brush, world: &Transform, path: &str) -> Body {
    if !brush.name.is_empty() {
        plan.losses.dropped(path, "name of the brush");
    }
    let back = AXES.inverse();
    if brush.sides.iter().any(|side| side.material.is_none()) {
        plan.losses.synthesized(path, format!("a material for faces without one: {NO_MATERIAL}"));
    }
    let mut sides = Vec::with_capacity(brush.sides.len());
    for side in &brush.sides {
        // Maps are clockwise, scenes counter-clockwise. A mirror reverses the order again.
        let mut plane = side.plane.map(|point| back.apply(world.point(point)));
        if !world.mirrors() {
            plane.reverse();
        }
        let plane = plane.map(|point| format!("({})", format_numbers(point))).join(" ");
        let material = material_name(plan, side.material);
        plan.used_materials.extend(side.material);
        let [u, v] = format_axes(&to_scene_space(&side.projection, world));
        let mut keys: Vec<(String, String)> = [("plane", plane), ("material", material), ("uaxis", u), ("vaxis", v)]
            .map(|(key, value)| (key.to_owned(), value))
            .into();
        let mut others = to_keys(&side.properties, path, &mut plan.losses);
        others.retain(|(key, _)| key != ID);
        // Hammer writes these keys in this order. Scenes leave out their default.
        for (key, default) in SIDE_DEFAULTS {
            let stated = others.iter().position(|(name, _)| name.eq_ignore_ascii_case(key));
            keys.push(stated.map_or_else(|| (key.to_owned(), default.to_owned()), |index| others.remove(index)));
        }
        keys.append(&mut others);
        sides.push(PlannedSide { id: side.properties.get(ID).and_then(Value::as_int), keys });
    }
    plan.sides += sides.len() as u64;
    let mut keys = to_keys(&brush.properties, path, &mut plan.losses);
    keys.retain(|(key, _)| !key.eq_ignore_ascii_case(ID));
    (keys, Some(sides))
}

/// Returns the name of a material as maps store it.
fn material_name(plan: &mut Plan<'_>, id: Option<MaterialId>) -> String {
    let Some(material) = id.and_then(|id| plan.scene.materials.get(id)) else { return NO_MATERIAL.to_owned() };
    let path = id.map(|id| format!("materials[{}]", id.index())).unwrap_or_default();
    if material.name.is_empty() {
        plan.losses.synthesized(path, "name of the material: unnamed");
        return "unnamed".to_owned();
    }
    clean_text(&material.name, &path, &mut plan.losses)
}
