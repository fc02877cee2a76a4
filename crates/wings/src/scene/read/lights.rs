//! Lights.

use mapwright_scene as scene;
use mapwright_scene::{Attenuation, Content, LightKind, Losses, Node, Transform, transform};

use super::numbers::{color, finite, finite_tuple};
use crate::scene::imported::ImportedScene;
use crate::scene::materials::CONSTANT_ATTENUATION;
use crate::scene::report::report_other_keys;
use crate::{Light, LightType, PropList};

/// Reads the lights into nodes.
pub(super) fn read_lights(imported: &mut ImportedScene) {
    for (index, light) in imported.model.lights().iter().enumerate() {
        let path = format!("lights[{index}]");
        let opengl = light.opengl();
        report_properties(light, &opengl, &path, &mut imported.losses);
        let position = opengl.get("position").and_then(finite_tuple).unwrap_or([0.0, 3.0, 0.0]);
        let target: Option<[f64; 3]> = opengl.get("aim_point").and_then(finite_tuple);
        let id = imported.scene.lights.push(read_light(light, &opengl, target));
        let forward = transform::sub(target.unwrap_or_default(), position);
        let rotation = Transform::looking_along(forward);
        let node = Node {
            transform: Transform::Trs { translation: position, rotation, scale: [1.0; 3] },
            visible: light.flag("visible"),
            locked: light.flag("locked"),
            key: Some(path),
            ..Node::new(light.name.as_str(), Content::Light(id))
        };
        imported.scene.add_node(None, node);
    }
}

fn read_light(light: &Light, opengl: &PropList, target: Option<[f64; 3]>) -> scene::Light {
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
    let has_falloff = matches!(kind, LightKind::Point | LightKind::Spot { .. } | LightKind::Area { .. });
    let is_ambient = kind == LightKind::Ambient;
    let main = if is_ambient {
        color(opengl, "ambient").unwrap_or([0.1, 0.1, 0.1, 1.0])
    } else {
        color(opengl, "diffuse").unwrap_or([1.0; 4])
    };
    let attenuation = Attenuation {
        constant: CONSTANT_ATTENUATION,
        linear: number("linear_attenuation").unwrap_or(0.0),
        quadratic: number("quadratic_attenuation").unwrap_or(0.0),
    };
    scene::Light {
        kind,
        color: main,
        attenuation: if has_falloff { attenuation } else { Attenuation::default() },
        target,
        ambient: if is_ambient { None } else { color(opengl, "ambient") },
        specular: color(opengl, "specular"),
        ..scene::Light::default()
    }
}

/// Reports the properties of a light that scenes cannot store.
fn report_properties(light: &Light, opengl: &PropList, path: &str, losses: &mut Losses) {
    report_other_keys(&light.props, &["visible", "locked", "opengl"], path, "plug-in settings", losses);
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
    report_other_keys(opengl, &READ, path, "unknown properties", losses);
    let is_empty = |pst: mapwright_etf::Term<'_>| pst.element(0).and_then(mapwright_etf::Term::as_i64) == Some(0);
    if opengl.get("pst").is_some_and(|pst| !is_empty(pst)) {
        losses.dropped(path, "data of plug-ins about the light");
    }
}
