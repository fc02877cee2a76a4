//! Lights and cameras.

use std::f64::consts::FRAC_PI_4;

use mapwright_scene::{Attenuation, Camera, IntensityUnit, Light, LightKind, Projection};

use super::Reader;
use crate::gltf::json::{self, Lights, json_to_properties};

impl Reader<'_> {
    /// Returns the lights of the document.
    pub(super) fn light_list(&self) -> &[json::Light] {
        let lights: Option<&Lights> = self.root.extensions.as_ref().and_then(|extensions| extensions.lights.as_ref());
        lights.map(|lights| lights.lights.as_slice()).unwrap_or_default()
    }

    pub(super) fn lights(&mut self) {
        for (index, light) in self.light_list().to_vec().into_iter().enumerate() {
            let light = self.light(light, &format!("extensions.KHR_lights_punctual.lights[{index}]"));
            self.scene.lights.push(light);
        }
    }

    fn light(&mut self, light: json::Light, path: &str) -> Light {
        self.lost_name(&light.name, path);
        let note = light.extras.note.unwrap_or_default();
        let kind = match light.kind.as_str() {
            "directional" => LightKind::Directional,
            "point" => LightKind::Point,
            "spot" => {
                let spot = light.spot.unwrap_or_default();
                LightKind::Spot {
                    inner: spot.inner_cone_angle.unwrap_or(0.0),
                    outer: spot.outer_cone_angle.unwrap_or(FRAC_PI_4),
                    exponent: note.exponent.unwrap_or(0.0),
                }
            }
            other => LightKind::Other(other.to_owned()),
        };
        let [r, g, b] = light.color.unwrap_or([1.0; 3]);
        let attenuation =
            note.attenuation.map(|[constant, linear, quadratic]| Attenuation { constant, linear, quadratic });
        Light {
            kind,
            color: [r, g, b, note.color_alpha.unwrap_or(1.0)],
            intensity: light.intensity.unwrap_or(1.0),
            unit: if note.relative { IntensityUnit::Relative } else { IntensityUnit::Photometric },
            attenuation: attenuation.unwrap_or_default(),
            range: light.range.map(|range| self.length(range, path)),
            target: note.target,
            ambient: note.ambient,
            specular: note.specular,
            properties: json_to_properties(&light.extras.properties, &format!("{path}.extras"), &mut self.losses),
        }
    }

    pub(super) fn cameras(&mut self) {
        for (index, camera) in self.root.cameras.iter().enumerate() {
            let camera = self.camera(camera.clone(), &format!("cameras[{index}]"));
            self.scene.cameras.push(camera);
        }
    }

    fn camera(&mut self, camera: json::Camera, path: &str) -> Camera {
        self.lost_name(&camera.name, path);
        let note = camera.extras.note.unwrap_or_default();
        let mut out = match (camera.perspective, camera.orthographic) {
            (Some(lens), _) => Camera {
                projection: Projection::Perspective { fov_y: lens.yfov },
                near: self.length(lens.znear, path),
                far: lens.zfar.map(|far| self.length(far, path)),
                aspect: lens.aspect_ratio,
                ..Camera::default()
            },
            (None, Some(lens)) => Camera {
                projection: Projection::Orthographic { half_height: self.length(lens.ymag, path) },
                near: self.length(lens.znear, path),
                far: Some(self.length(lens.zfar, path)).filter(|_| !note.no_far),
                aspect: Some(lens.xmag / lens.ymag).filter(|aspect| aspect.is_finite() && !note.no_aspect),
                ..Camera::default()
            },
            (None, None) => {
                self.losses.repaired(path, "a camera without a lens");
                Camera::default()
            }
        };
        out.target = note.target;
        out.properties = json_to_properties(&camera.extras.properties, &format!("{path}.extras"), &mut self.losses);
        out
    }
}
