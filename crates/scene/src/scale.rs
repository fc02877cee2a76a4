//! Scaling of whole scenes.

use crate::{Content, Heights, InstanceTransforms, Light, Node, Projection, Scene, Transform, transform};

impl Scene {
    /// Multiplies every length of the scene: objects become larger, or the unit of length smaller.
    /// [`metres_per_unit`](Self::metres_per_unit) is unchanged; the caller sets it if the unit changes.
    ///
    /// The factor is applied to vertices, heights, points, ranges, targets, and the translations of nodes and instances. Rotations
    /// and scales of nodes are unchanged, except that tile layers get the factor as the scale of a node, because their cells are
    /// whole numbers. Models and prefabs of other files keep their size. Intensities are not lengths, and the meaning of free
    /// properties is unknown: both are unchanged.
    ///
    /// The factor must be positive and finite. Otherwise the scene becomes [invalid](Self::validate).
    pub fn scale(&mut self, factor: f64) {
        let scale = |point: &mut [f64; 3]| *point = transform::scale(*point, factor);
        for (_, node) in self.nodes.iter_mut() {
            match &mut node.transform {
                Transform::Trs { translation, .. } => scale(translation),
                Transform::Matrix([_, _, _, [x, y, z, _]]) => [x, y, z].into_iter().for_each(|c| *c *= factor),
            }
        }
        self.scale_tile_layers(factor);
        for (_, mesh) in self.meshes.iter_mut() {
            mesh.positions.iter_mut().for_each(scale);
        }
        for (_, brush) in self.brushes.iter_mut() {
            brush.vertices.iter_mut().chain(brush.sides.iter_mut().flat_map(|side| &mut side.plane)).for_each(scale);
        }
        for (_, terrain) in self.terrains.iter_mut() {
            terrain.spacing = terrain.spacing.map(|spacing| spacing * factor);
            terrain.sea_level = terrain.sea_level.map(|level| level * factor);
            match &mut terrain.heights {
                #[allow(clippy::cast_possible_truncation, reason = "heights are as exact as before")]
                Heights::F32(heights) => heights.iter_mut().for_each(|h| *h = (f64::from(*h) * factor) as f32),
                Heights::Steps { step, .. } => *step *= factor,
            }
        }
        for (_, set) in self.instance_sets.iter_mut() {
            match &mut set.transforms {
                InstanceTransforms::Trs { translations, .. } => translations.iter_mut().for_each(scale),
                InstanceTransforms::Affine(maps) => maps.iter_mut().for_each(|[_, _, _, origin]| scale(origin)),
            }
        }
        for point in self.paths.iter_mut().flat_map(|(_, path)| &mut path.points) {
            scale(&mut point.position);
            point.tangents.iter_mut().flatten().for_each(scale);
        }
        for (_, light) in self.lights.iter_mut() {
            light.scale(factor);
        }
        for (_, camera) in self.cameras.iter_mut() {
            if let Projection::Orthographic { half_height } = &mut camera.projection {
                *half_height *= factor;
            }
            camera.near *= factor;
            camera.far = camera.far.map(|far| far * factor);
            camera.target.iter_mut().for_each(scale);
        }
        for (_, sound) in self.sounds.iter_mut() {
            sound.range = sound.range.map(|range| range * factor);
        }
        let sides = self.brushes.iter_mut().flat_map(|(_, brush)| &mut brush.sides).map(|side| &mut side.projection);
        let faces = self.meshes.iter_mut().flat_map(|(_, mesh)| &mut mesh.face_projections);
        for projection in faces.chain(sides) {
            for [x, y, z, _] in [&mut projection.u, &mut projection.v] {
                [x, y, z].into_iter().for_each(|axis| *axis /= factor);
            }
        }
    }

    /// Gives each tile layer a scaled node: its own, or a new child if other nodes are below it.
    fn scale_tile_layers(&mut self, factor: f64) {
        let is_layer = |(_, node): &(_, &Node)| matches!(node.content, Content::TileLayer(_));
        let layers: Vec<_> = self.nodes.iter().filter(is_layer).map(|(id, _)| id).collect();
        let size = Transform::Trs { translation: [0.0; 3], rotation: [0.0, 0.0, 0.0, 1.0], scale: [factor; 3] };
        for id in layers {
            let Some(node) = self.nodes.get_mut(id) else { continue };
            if node.children.is_empty() {
                node.transform = match node.transform {
                    Transform::Trs { translation, rotation, scale } => {
                        Transform::Trs { translation, rotation, scale: transform::scale(scale, factor) }
                    }
                    matrix @ Transform::Matrix(_) => matrix.compose(&size),
                };
                continue;
            }
            let content = std::mem::take(&mut node.content);
            let layer = Node { transform: size, ..Node::new(node.name.clone(), content) };
            self.add_node(Some(id), layer);
        }
    }
}

impl Light {
    /// Scales the lengths of a light.
    fn scale(&mut self, factor: f64) {
        self.range = self.range.map(|range| range * factor);
        self.target = self.target.map(|point| transform::scale(point, factor));
        self.attenuation.linear /= factor;
        self.attenuation.quadratic /= factor * factor;
    }
}
