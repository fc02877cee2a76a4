//! Lights.

use mapwright_scene as scene;
use mapwright_scene::{
    Attenuation, Content, IntensityUnit, LightKind, Losses, Node, Scene, Transform, Visit, transform,
};

use super::from::{Entry, Writer};
use super::materials::MAX_ATOM;
use super::terms::{all_finite, color, finite, other_keys, report_unread, set_atom, set_float, set_floats, to_degrees};
use super::to::Reading;
use crate::{Light, LightType, PropList, WriteError};

/// The constant term of the attenuation, which is not in files.
const CONSTANT: f64 = 0.8;
/// The largest half angle of a cone, in degrees.
const WIDEST: f64 = 89.9;

/// Reads the lights into nodes.
pub(super) fn read(reading: &mut Reading) {
    for (index, light) in reading.model.lights().iter().enumerate() {
        let path = format!("lights[{index}]");
        let opengl = light.opengl();
        report(light, &opengl, &path, &mut reading.losses);
        let position = opengl.get("position").and_then(all_finite).unwrap_or([0.0, 3.0, 0.0]);
        let target = opengl.get("aim_point").and_then(all_finite);
        let id = reading.scene.lights.push(read_one(light, &opengl, target));
        let node = Node {
            transform: looking(position, target.unwrap_or_default()),
            visible: light.flag("visible"),
            locked: light.flag("locked"),
            key: Some(path),
            ..Node::new(light.name.as_str(), Content::Light(id))
        };
        reading.scene.add_node(None, node);
    }
}

fn read_one(light: &Light, opengl: &PropList, target: Option<[f64; 3]>) -> scene::Light {
    let number = |key: &str| opengl.get(key).and_then(finite);
    let kind = match light.kind() {
        LightType::Ambient => LightKind::Ambient,
        LightType::Infinite => LightKind::Directional,
        LightType::Point => LightKind::Point,
        LightType::Spot => {
            let angle = number("cone_angle").unwrap_or(30.0).to_radians();
            LightKind::Spot { inner: angle, outer: angle, exponent: number("spot_exponent").unwrap_or(0.0) }
        }
        LightType::Area => LightKind::Area { mesh: None },
        LightType::Other(name) => LightKind::Other(name),
    };
    let fades = matches!(kind, LightKind::Point | LightKind::Spot { .. } | LightKind::Area { .. });
    let is_ambient = kind == LightKind::Ambient;
    let main = if is_ambient {
        color(opengl, "ambient").unwrap_or([0.1, 0.1, 0.1, 1.0])
    } else {
        color(opengl, "diffuse").unwrap_or([1.0; 4])
    };
    let attenuation = Attenuation {
        constant: CONSTANT,
        linear: number("linear_attenuation").unwrap_or(0.0),
        quadratic: number("quadratic_attenuation").unwrap_or(0.0),
    };
    scene::Light {
        kind,
        color: main,
        attenuation: if fades { attenuation } else { Attenuation::default() },
        target,
        ambient: if is_ambient { None } else { color(opengl, "ambient") },
        specular: color(opengl, "specular"),
        ..scene::Light::default()
    }
}

/// At a place, turned to a point.
fn looking(position: [f64; 3], target: [f64; 3]) -> Transform {
    let rotation = Transform::looking_along(transform::sub(target, position));
    Transform::Trs { translation: position, rotation, scale: [1.0; 3] }
}

fn report(light: &Light, opengl: &PropList, path: &str, losses: &mut Losses) {
    other_keys(&light.props, &["visible", "locked", "opengl"]).report(path, "plug-in settings", losses);
    const READ: [&str; 12] = [
        "type",
        "position",
        "aim_point",
        "diffuse",
        "ambient",
        "specular",
        "linear_attenuation",
        "quadratic_attenuation",
        "cone_angle",
        "spot_exponent",
        "pst",
        "mesh",
    ];
    if opengl.get("mesh").is_some() {
        losses.approximated(path, "surface of the light, as a square");
    }
    other_keys(opengl, &READ).report(path, "unknown properties", losses);
    let is_empty = |pst: mapwright_etf::Term<'_>| pst.element(0).and_then(mapwright_etf::Term::as_i64) == Some(0);
    if opengl.get("pst").is_some_and(|pst| !is_empty(pst)) {
        losses.dropped(path, "settings that plug-ins keep with the light");
    }
}

impl<'a> Writer<'a> {
    /// Writes the lights.
    pub(super) fn lights(&mut self, found: &[Visit<'a>]) -> Result<(), WriteError> {
        let olds = self.model.lights();
        let light = |scene: &'a Scene, content: &Content| match content {
            Content::Light(id) => scene.lights.get(*id),
            _ => None,
        };
        let lights = self.entries("lights", &olds, found, light, |writer, light, entry| {
            let Entry { visit, path, .. } = entry;
            let mut light = light.unwrap_or_else(|| Light::new(visit.node.name.as_str()));
            if visit.parent.is_some() {
                writer.losses.approximated(path, "light in a group, beside it");
            }
            if !entry.is_same() {
                if light.name.as_str() != visit.node.name {
                    light.name = visit.node.name.as_str().into();
                }
                let mut opengl = light.opengl();
                writer.write_light(&mut opengl, entry)?;
                let locked = visit.node.locked || writer.above_locked(visit.parent);
                light.set(visit.visible, locked, &opengl)?;
            }
            Ok(light)
        })?;
        if lights != olds {
            report_unread(&self.model, "lights", olds.len(), &mut self.losses);
            self.model.set_lights(&lights)?;
        }
        Ok(())
    }

    /// Writes what differs from the old light, or everything if there is none.
    fn write_light(&mut self, opengl: &mut PropList, entry: &Entry<'_, 'a, scene::Light>) -> Result<(), WriteError> {
        let Entry { visit, new, old, path } = entry;
        let changed = |same: fn(&scene::Light, &scene::Light) -> bool| old.is_none_or(|(_, old)| !same(old, new));
        let kind = match &new.kind {
            LightKind::Ambient => "ambient",
            LightKind::Directional => "infinite",
            LightKind::Point => "point",
            LightKind::Spot { .. } => "spot",
            LightKind::Area { mesh } => {
                if mesh.is_some() {
                    self.losses.approximated(path, "surface of the light, as a square");
                }
                "area"
            }
            LightKind::Other(name) if name.chars().count() > MAX_ATOM => {
                self.losses.approximated(path, "kind of the light, whose name is too long");
                "point"
            }
            LightKind::Other(name) => name.as_str(),
        };
        let fades = matches!(new.kind, LightKind::Point | LightKind::Spot { .. } | LightKind::Area { .. });
        if fades && changed(|a, b| a.attenuation == b.attenuation && a.kind == b.kind) {
            set_float(opengl, "linear_attenuation", new.attenuation.linear)?;
            set_float(opengl, "quadratic_attenuation", new.attenuation.quadratic)?;
        }
        if let LightKind::Spot { inner, outer, exponent } = new.kind
            && changed(|a, b| a.kind == b.kind)
        {
            let angle = to_degrees(outer);
            if !(0.0..=WIDEST).contains(&angle) {
                self.losses.approximated(path, "angle of the cone, which is at most 89.9 degrees");
            }
            if inner != outer {
                self.losses.dropped(path, "inner angle of the cone");
            }
            set_float(opengl, "cone_angle", angle.clamp(0.0, WIDEST))?;
            set_float(opengl, "spot_exponent", exponent)?;
        }
        if changed(|a, b| a.kind == b.kind) {
            set_atom(opengl, "type", kind)?;
        }
        let was = old.map(|(node, _)| node.transform);
        let moved = was != Some(visit.node.transform) || visit.parent.is_some();
        let aimed = changed(|a, b| a.target == b.target);
        if moved || aimed {
            self.write_aim(opengl, visit, new, was.as_ref(), aimed)?;
        }
        let space = self.scene.color_space;
        let srgb = |color| space.color_to_srgb(color);
        let is_ambient = new.kind == LightKind::Ambient;
        let look = |a: &scene::Light, b: &scene::Light| {
            (a.color, a.ambient, a.specular, a.intensity) == (b.color, b.ambient, b.specular, b.intensity)
                && a.kind == b.kind
        };
        if changed(look) {
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
        }
        self.report_light(new, fades, path);
        Ok(())
    }

    /// Where it is and what it is aimed at, in the space of the scene; `was`: where it was, if it is not new.
    fn write_aim(
        &mut self,
        opengl: &mut PropList,
        visit: &Visit<'_>,
        new: &scene::Light,
        was: Option<&Transform>,
        aimed: bool,
    ) -> Result<(), WriteError> {
        let position = visit.world.origin();
        set_floats(opengl, "position", &position)?;
        let above = self.world(visit.parent);
        let forward = visit.world.vector([0.0, 0.0, -1.0]);
        let stored = new.target.map(|target| above.point(target));
        // The exact point is right unless the node was turned away from it since.
        let ahead_is = |way: [f64; 3]| {
            let (wanted, found) = (transform::normalize(way), transform::normalize(forward));
            wanted.zip(found).is_none_or(|(a, b)| transform::dot(a, b) > 1.0 - 1e-9)
        };
        let turns = matches!(new.kind, LightKind::Directional | LightKind::Spot { .. } | LightKind::Area { .. });
        let target = match stored {
            Some(target) if aimed || !turns || ahead_is(transform::sub(target, position)) => Some(target),
            Some(target) => {
                let away = transform::sub(target, was.map_or(position, Transform::origin));
                let distance = transform::dot(away, away).sqrt().max(1.0);
                let carried = Some(transform::add(position, away)).filter(|_| ahead_is(away));
                Some(carried.unwrap_or_else(|| ahead(position, forward, distance)))
            }
            None if turns => {
                self.losses.synthesized(
                    format!("nodes[{}]", visit.id.index()),
                    "distance of the point that the light is aimed at",
                );
                Some(ahead(position, forward, 1.0))
            }
            None => None,
        };
        if stored.is_some() && target != stored {
            let what = "the direction of the light: the point that it is aimed at moved with it";
            self.losses.preserved(format!("nodes[{}]", visit.id.index()), what);
        }
        match target {
            Some(target) => set_floats(opengl, "aim_point", &target),
            None => {
                opengl.remove("aim_point");
                Ok(())
            }
        }
    }

    fn report_light(&mut self, new: &scene::Light, fades: bool, path: &str) {
        if fades && new.attenuation.constant != CONSTANT {
            self.losses.approximated(path, "constant term of the attenuation, which is 0.8");
        } else if !fades && new.attenuation != Attenuation::default() {
            self.losses.dropped(path, "attenuation of a light that does not fade");
        }
        if new.unit == IntensityUnit::Photometric {
            self.losses.approximated(path, "intensity in physical units, as full light");
        } else if new.intensity != 1.0 {
            self.losses.approximated(path, "intensity, as a brighter or darker colour");
        }
        if new.range.is_some() {
            self.losses.dropped(path, "range of the light");
        }
        if !new.properties.is_empty() {
            self.losses.dropped(path, "properties of the light");
        }
    }
}

/// A point at a distance along a direction.
fn ahead(from: [f64; 3], direction: [f64; 3], distance: f64) -> [f64; 3] {
    let unit = transform::normalize(direction).unwrap_or([0.0, 0.0, -1.0]);
    transform::add(from, transform::scale(unit, distance))
}
