//! Scaling of whole scenes.

use std::collections::BTreeSet;

use crate::{Content, Light, Projection, Scene, Transform, transform};

impl Scene {
    /// Multiplies every length of the scene: objects become larger, or the unit of length smaller.
    /// [`metres_per_unit`](Self::metres_per_unit) is unchanged; the caller sets it if the unit changes.
    ///
    /// The roots get the factor as their scale, so that their descendants keep their numbers: meshes, terrains, tiles, paths,
    /// instances, and models of other files. Numbers that no transform affects are multiplied: the view ranges of cameras, the
    /// ranges of lights and sounds, targets of roots, and texture projections in the space of the scene. Intensities are not
    /// lengths, and the meaning of free properties is unknown: both are unchanged.
    ///
    /// The factor must be positive and finite. Otherwise the scene becomes [invalid](Self::validate).
    pub fn scale(&mut self, factor: f64) {
        let (mut lights, mut cameras) = (BTreeSet::new(), BTreeSet::new());
        for &root in &self.roots {
            let Some(node) = self.nodes.get_mut(root) else { continue };
            node.transform.scale(factor);
            match node.content {
                Content::Light(id) => _ = lights.insert(id),
                Content::Camera(id) => _ = cameras.insert(id),
                _ => {}
            }
        }
        for (id, light) in self.lights.iter_mut() {
            light.scale(factor);
            light.target =
                light.target.map(|point| if lights.contains(&id) { transform::scale(point, factor) } else { point });
        }
        for (id, camera) in self.cameras.iter_mut() {
            if let Projection::Orthographic { half_height } = &mut camera.projection {
                *half_height *= factor;
            }
            camera.near *= factor;
            camera.far = camera.far.map(|far| far * factor);
            camera.target =
                camera.target.map(|point| if cameras.contains(&id) { transform::scale(point, factor) } else { point });
        }
        for (_, sound) in self.sounds.iter_mut() {
            sound.range = sound.range.map(|range| range * factor);
        }
        let mut sides =
            self.brushes.iter_mut().flat_map(|(_, brush)| &mut brush.sides).map(|side| &mut side.projection);
        let faces = self.meshes.iter_mut().flat_map(|(_, mesh)| &mut mesh.face_projections);
        for projection in faces.chain(&mut sides).filter(|projection| !projection.local) {
            for [x, y, z, _] in [&mut projection.u, &mut projection.v] {
                [x, y, z].into_iter().for_each(|axis| *axis /= factor);
            }
        }
    }
}

impl Light {
    /// Scales the lengths of a light.
    fn scale(&mut self, factor: f64) {
        self.range = self.range.map(|range| range * factor);
        self.attenuation.linear /= factor;
        self.attenuation.quadratic /= factor * factor;
    }
}

impl Transform {
    /// Adds a scale around the transform. Its variant is unchanged.
    fn scale(&mut self, factor: f64) {
        match self {
            Self::Trs { translation, scale, .. } => {
                *translation = transform::scale(*translation, factor);
                *scale = transform::scale(*scale, factor);
            }
            Self::Matrix(matrix) => matrix.iter_mut().for_each(|[x, y, z, _]| {
                [x, y, z].into_iter().for_each(|number| *number *= factor);
            }),
        }
    }
}
