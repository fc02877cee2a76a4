//! Lights.

use mapwright_scene as scene;
use mapwright_scene::{Attenuation, Content, IntensityUnit, LightKind, Losses, Scene, Transform, Visit, transform};

use super::context::{Entry, WriteContext, write_entries};
use super::terms::{MAX_ATOM, set_atom, set_float, set_floats, to_degrees};
use crate::scene::materials::CONSTANT_ATTENUATION;
use crate::scene::report::report_unread;
use crate::{Light, PropList, WriteError};

/// The maximum half angle of a cone, in degrees.
const MAX_CONE_ANGLE: f64 = 89.9;

/// Writes the lights.
pub(super) fn write_lights<'a>(context: &mut WriteContext<'a>, visits: &[Visit<'a>]) -> Result<(), WriteError> {
    let olds = context.model.lights();
    let content = |scene: &'a Scene, content: &Content| match content {
        Content::Light(id) => scene.lights.get(*id),
        _ => None,
    };
    let lights = write_entries(context, "lights", &olds, visits, content, |context, light, entry| {
        let Entry { visit, path, .. } = entry;
        let mut light = light.unwrap_or_else(|| Light::new(visit.node.name.as_str()));
        if visit.parent.is_some() {
            context.losses.approximated(path, "light in a group, moved out of it");
        }
        if !entry.is_unchanged() {
            if light.name.as_str() != visit.node.name {
                light.name = visit.node.name.as_str().into();
            }
            let mut opengl = light.opengl();
            write_light(context, &mut opengl, entry)?;
            light.set_properties(visit.visible, context.is_locked(visit.id), &opengl)?;
        }
        Ok(light)
    })?;
    if lights != olds {
        report_unread(&context.model, "lights", olds.len(), &mut context.losses);
        context.model.set_lights(&lights)?;
    }
    Ok(())
}

/// Writes the differences from the old light, or everything if there is none.
fn write_light(
    context: &mut WriteContext<'_>,
    opengl: &mut PropList,
    entry: &Entry<'_, '_, scene::Light>,
) -> Result<(), WriteError> {
    let Entry { visit, content: new, old, path } = entry;
    let is_changed = |same: fn(&scene::Light, &scene::Light) -> bool| old.is_none_or(|(_, old)| !same(old, new));
    let losses = &mut context.losses;
    let kind = match &new.kind {
        LightKind::Ambient => "ambient",
        LightKind::Directional => "infinite",
        LightKind::Point => "point",
        LightKind::Spot { .. } => "spot",
        LightKind::Area { mesh } => {
            if mesh.is_some() {
                losses.approximated(path, "surface of the light, as a square");
            }
            "area"
        }
        LightKind::Other(name) if name.chars().count() > MAX_ATOM => {
            losses.approximated(path, "kind of the light, whose name is too long");
            "point"
        }
        LightKind::Other(name) => name.as_str(),
    };
    let has_falloff = matches!(new.kind, LightKind::Point | LightKind::Spot { .. } | LightKind::Area { .. });
    if has_falloff && is_changed(|a, b| a.attenuation == b.attenuation && a.kind == b.kind) {
        set_float(opengl, "linear_attenuation", new.attenuation.linear)?;
        set_float(opengl, "quadratic_attenuation", new.attenuation.quadratic)?;
    }
    if let LightKind::Spot { inner, outer, exponent } = new.kind
        && is_changed(|a, b| a.kind == b.kind)
    {
        let angle = to_degrees(outer);
        if !(0.0..=MAX_CONE_ANGLE).contains(&angle) {
            losses.approximated(path, "angle of the cone, which is at most 89.9 degrees");
        }
        if inner != outer {
            losses.dropped(path, "inner angle of the cone");
        }
        set_float(opengl, "cone_angle", angle.clamp(0.0, MAX_CONE_ANGLE))?;
        set_float(opengl, "spot_exponent", exponent)?;
    }
    if is_changed(|a, b| a.kind == b.kind) {
        set_atom(opengl, "type", kind)?;
    }
    let old_transform = old.map(|(node, _)| node.transform);
    let is_moved = old_transform != Some(visit.node.transform) || visit.parent.is_some();
    let is_retargeted = is_changed(|a, b| a.target == b.target);
    if is_moved || is_retargeted {
        let above = context.world(visit.parent);
        let aim = Aim { above, old_transform, is_retargeted };
        write_aim(&mut context.losses, opengl, visit, new, &aim, path)?;
    }
    let has_same_colors = |a: &scene::Light, b: &scene::Light| {
        (a.color, a.ambient, a.specular, a.intensity) == (b.color, b.ambient, b.specular, b.intensity)
            && a.kind == b.kind
    };
    if is_changed(has_same_colors) {
        write_colors(context, opengl, new)?;
    }
    report_light(&mut context.losses, new, has_falloff, path);
    Ok(())
}

/// Writes the colours. Wings has no intensity, so it becomes part of the main colour.
fn write_colors(context: &WriteContext<'_>, opengl: &mut PropList, new: &scene::Light) -> Result<(), WriteError> {
    let space = context.scene.color_space;
    let srgb = |color| space.color_to_srgb(color);
    let is_ambient = new.kind == LightKind::Ambient;
    let factor = if new.unit == IntensityUnit::Relative { new.intensity } else { 1.0 };
    let [r, g, b, a] = new.color;
    let main = if factor == 1.0 { new.color } else { [r * factor, g * factor, b * factor, a] };
    if !is_ambient {
        set_floats(opengl, "diffuse", &srgb(main))?;
    }
    let ambient = if is_ambient { Some(main) } else { new.ambient };
    for (key, color) in [("ambient", ambient), ("specular", new.specular)] {
        match color {
            Some(color) => set_floats(opengl, key, &srgb(color))?,
            None => opengl.remove(key),
        }
    }
    Ok(())
}

/// The origin of the point that a light is aimed at.
struct Aim {
    /// From the space of the light's parent to that of the scene.
    above: Transform,
    /// The transform of the node in the base.
    old_transform: Option<Transform>,
    /// `true` if the target differs from that in the base.
    is_retargeted: bool,
}

/// Writes the position and the target in the space of the scene.
fn write_aim(
    losses: &mut Losses,
    opengl: &mut PropList,
    visit: &Visit<'_>,
    new: &scene::Light,
    aim: &Aim,
    path: &str,
) -> Result<(), WriteError> {
    let position = visit.world.origin();
    set_floats(opengl, "position", &position)?;
    let forward = visit.world.vector([0.0, 0.0, -1.0]);
    let stored = new.target.map(|target| aim.above.point(target));
    // The stored point is exact, unless the node was turned away from it since.
    let is_ahead = |direction: [f64; 3]| {
        let (wanted, found) = (transform::normalize(direction), transform::normalize(forward));
        wanted.zip(found).is_none_or(|(a, b)| transform::dot(a, b) > 1.0 - 1e-9)
    };
    let has_direction = matches!(new.kind, LightKind::Directional | LightKind::Spot { .. } | LightKind::Area { .. });
    let target = match stored {
        Some(target) if aim.is_retargeted || !has_direction || is_ahead(transform::sub(target, position)) => {
            Some(target)
        }
        Some(target) => {
            let offset = transform::sub(target, aim.old_transform.as_ref().map_or(position, Transform::origin));
            let distance = transform::dot(offset, offset).sqrt().max(1.0);
            let moved = Some(transform::add(position, offset)).filter(|_| is_ahead(offset));
            Some(moved.unwrap_or_else(|| point_ahead(position, forward, distance)))
        }
        None if has_direction => {
            losses.synthesized(path, "distance of the point that the light is aimed at");
            Some(point_ahead(position, forward, 1.0))
        }
        None => None,
    };
    if stored.is_some() && target != stored {
        losses.preserved(path, "direction of the light: its target moved with it");
    }
    match target {
        Some(target) => set_floats(opengl, "aim_point", &target),
        None => {
            opengl.remove("aim_point");
            Ok(())
        }
    }
}

fn report_light(losses: &mut Losses, new: &scene::Light, has_falloff: bool, path: &str) {
    if has_falloff && new.attenuation.constant != CONSTANT_ATTENUATION {
        losses.approximated(path, "constant attenuation: Wings always uses 0.8");
    } else if !has_falloff && new.attenuation != Attenuation::default() {
        losses.dropped(path, "attenuation of a light without falloff");
    }
    if new.unit == IntensityUnit::Photometric {
        losses.approximated(path, "intensity in physical units: set to full intensity");
    } else if new.intensity != 1.0 {
        losses.approximated(path, "intensity, as a brighter or darker colour");
    }
    if new.range.is_some() {
        losses.dropped(path, "range of the light");
    }
    if !new.properties.is_empty() {
        losses.dropped(path, "properties of the light");
    }
}

fn point_ahead(position: [f64; 3], direction: [f64; 3], distance: f64) -> [f64; 3] {
    let unit = transform::normalize(direction).unwrap_or([0.0, 0.0, -1.0]);
    transform::add(position, transform::scale(unit, distance))
}
