//! Lights and cameras.

use std::f64::consts::{FRAC_PI_2, PI};

use mapwright_scene::{Attenuation, Camera, Content, IntensityUnit, Light, LightKind, Projection};

use super::{Writer, push, vertices::not_negative};
use crate::gltf::json::{
    self, CameraNote, Extras, LightNote, Lights, Orthographic, Perspective, RootExtensions, Spot, properties_to_json,
};

/// The largest length that other programs can read.
const LONGEST: f64 = f32::MAX as f64;

impl Writer<'_> {
    pub(super) fn lights(&mut self) {
        let shown = self.shown(self.scene.lights.len(), |content| match content {
            Content::Light(id) => vec![*id],
            _ => Vec::new(),
        });
        let mut lights = Vec::new();
        for ((id, light), shown) in self.scene.lights.iter().zip(shown) {
            let light = if shown { self.light(light, &format!("lights[{}]", id.index())) } else { None };
            self.places.lights.push(light.map(|light| push(&mut lights, light)));
        }
        if !lights.is_empty() {
            self.uses_extension("KHR_lights_punctual");
            self.root.extensions = Some(RootExtensions { lights: Some(Lights { lights }) });
        }
    }

    fn light(&mut self, light: &Light, path: &str) -> Option<json::Light> {
        let mut note = LightNote {
            relative: light.unit == IntensityUnit::Relative,
            color_alpha: (light.color[3] != 1.0).then_some(light.color[3]),
            target: light.target,
            ambient: light.ambient,
            specular: light.specular,
            ..LightNote::default()
        };
        let Attenuation { constant, linear, quadratic } = light.attenuation;
        if light.attenuation != Attenuation::default() {
            note.attenuation = Some([constant, linear, quadratic]);
        }
        let (kind, spot) = match light.kind {
            LightKind::Directional => ("directional", None),
            LightKind::Point => ("point", None),
            LightKind::Spot { inner, outer, exponent } => {
                note.exponent = (exponent != 0.0).then_some(exponent);
                ("spot", Some(self.spot(inner, outer, path)))
            }
            // The capabilities report this.
            LightKind::Ambient | LightKind::Area { .. } | LightKind::Other(_) => return None,
        };
        if note.attenuation.is_some() || note.exponent.is_some() {
            self.losses.approximated(path, "light falloff: other programs use the square of the distance");
        }
        if note.relative {
            self.losses.approximated(path, "intensity without a unit; other programs read candela or lux");
        }
        let [r, g, b, _] = light.color;
        let color = self.scene.color_space.to_linear([r, g, b]);
        let color = self.clamped(color, path, "colour");
        if light.intensity < 0.0 {
            self.losses.repaired(path, "negative intensity: set to 0");
        }
        if light.range.is_some_and(|range| range <= 0.0) {
            self.losses.repaired(path, "a range that is not positive was left out");
        }
        let properties = properties_to_json(&light.properties, &format!("{path}.properties"), &mut self.losses);
        Some(json::Light {
            name: String::new(),
            color: (color != [1.0; 3]).then_some(color),
            intensity: (light.intensity != 1.0).then_some(not_negative(light.intensity)),
            kind: kind.into(),
            range: light
                .range
                .filter(|&range| range > 0.0 && kind != "directional")
                .map(|range| self.length(range, path)),
            spot,
            extras: Extras::new(properties, Some(note)),
        })
    }

    /// glTF requires 0 ≤ inner < outer ≤ π/2.
    fn spot(&mut self, inner: f64, outer: f64, path: &str) -> Spot {
        let legal_outer = outer.clamp(1e-6, FRAC_PI_2);
        let legal_inner = inner.clamp(0.0, legal_outer * (1.0 - 1e-9));
        if (legal_inner, legal_outer) != (inner, outer) {
            self.losses.repaired(path, "invalid spot angles: expected inner < outer ≤ π/2");
        }
        Spot { inner_cone_angle: Some(legal_inner), outer_cone_angle: Some(legal_outer) }
    }

    pub(super) fn cameras(&mut self) {
        let shown = self.shown(self.scene.cameras.len(), |content| match content {
            Content::Camera(id) => vec![*id],
            _ => Vec::new(),
        });
        for ((id, camera), shown) in self.scene.cameras.iter().zip(shown) {
            let place = shown.then(|| {
                let camera = self.camera(camera, &format!("cameras[{}]", id.index()));
                push(&mut self.root.cameras, camera)
            });
            self.places.cameras.push(place);
        }
    }

    fn camera(&mut self, camera: &Camera, path: &str) -> json::Camera {
        /// Near plane for cameras with a near plane that is not in front of them.
        const NEAR: f64 = 0.1;
        /// Factor from the near plane to the far plane for cameras without a far plane.
        const FAR: f64 = 10_000.0;
        let aspect = camera.aspect.filter(|&aspect| aspect > 0.0);
        let mut near = self.length(camera.near, path);
        let far = camera.far.map(|far| self.length(far, path));
        let mut out = json::Camera::default();
        let mut note = CameraNote { target: camera.target, ..CameraNote::default() };
        match camera.projection {
            Projection::Perspective { fov_y } => {
                if near <= 0.0 {
                    near = NEAR;
                    self.losses.repaired(path, "the near plane must be in front of the camera");
                }
                let yfov = fov_y.clamp(1e-6, PI - 1e-6);
                if yfov != fov_y {
                    self.losses.repaired(path, "the field of view must be between 0 and π");
                }
                let zfar = far.filter(|&far| far > near);
                out.kind = "perspective".into();
                out.perspective = Some(Perspective { aspect_ratio: aspect, yfov, zfar, znear: near });
            }
            Projection::Orthographic { half_height } => {
                if near < 0.0 {
                    near = 0.0;
                    self.losses.repaired(path, "the near plane must not be behind the camera");
                }
                let ymag = if half_height == 0.0 { 1.0 } else { self.length(half_height, path) };
                if half_height == 0.0 {
                    self.losses.repaired(path, "invalid height of the image");
                }
                note.no_aspect = aspect.is_none();
                let zfar = far.filter(|&far| far > near).unwrap_or_else(|| {
                    note.no_far = true;
                    self.losses.synthesized(path, "a far plane, which orthographic cameras of glTF must have");
                    near + near.max(NEAR) * FAR
                });
                out.kind = "orthographic".into();
                let xmag = (ymag * aspect.unwrap_or(1.0)).clamp(-LONGEST, LONGEST);
                out.orthographic = Some(Orthographic { xmag, ymag, zfar, znear: near });
            }
        }
        if camera.far.is_some_and(|far| far <= camera.near) {
            self.losses.repaired(path, "a far plane that is not beyond the near one was left out");
        }
        if camera.aspect.is_some_and(|aspect| aspect <= 0.0) {
            self.losses.repaired(path, "invalid aspect ratio");
        }
        let properties = properties_to_json(&camera.properties, &format!("{path}.properties"), &mut self.losses);
        let has_note = note.target.is_some() || note.no_aspect || note.no_far;
        out.extras = Extras::new(properties, has_note.then_some(note));
        out
    }

    /// Converts a length to metres in 32 bits, and reports changes.
    fn length(&mut self, length: f64, path: &str) -> f64 {
        let metres = length * self.metres;
        let clamped = metres.clamp(-LONGEST, LONGEST);
        if clamped != metres {
            self.losses.repaired(path, "a length that exceeds 32 bits");
        }
        clamped
    }

    /// Clamps numbers to 0 to 1, and reports changes.
    pub(super) fn clamped<const N: usize>(&mut self, numbers: [f64; N], path: &str, what: &str) -> [f64; N] {
        let clamped = numbers.map(|number| number.clamp(0.0, 1.0));
        if clamped != numbers {
            self.losses.repaired(path, format!("{what} beyond 0 to 1"));
        }
        clamped
    }
}
