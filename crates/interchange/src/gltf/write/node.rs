//! The tree.

use mapwright_scene::{
    Content, Entity, LossKind, Node, NodeId, Path, Scene, Sound, Transform,
    transform::{cross, dot, normalize, scale, sub},
};

use super::{Writer, ground::Ground, push, vertices::single};
use crate::{
    Error, ErrorKind,
    gltf::{
        ExportOptions,
        json::{
            ConnectionNote, EntityNote, Extras, Json, LightIndex, NodeExtensions, NodeNote, PathNote, PathPointNote,
            PrefabNote, SoundNote, properties_to_json,
        },
    },
};

/// Returns the nodes to write: reachable ones, without hidden nodes and their descendants.
pub(super) fn included_nodes(scene: &Scene, options: &ExportOptions) -> Vec<bool> {
    let mut included = vec![false; scene.nodes.len()];
    for visit in scene.walk() {
        if let Some(included) = included.get_mut(visit.id.index()) {
            *included = visit.visible || options.hidden;
        }
    }
    included
}

impl Writer<'_> {
    pub(super) fn nodes(&mut self) -> Result<(), Error> {
        self.places.ground = Ground::new(self.scene, &self.included);
        let places = &mut self.places;
        for &included in &self.included {
            places.nodes.push(included.then_some(places.node_count));
            places.node_count += u32::from(included);
        }
        self.split_sheared_nodes()?;
        for (id, node) in self.scene.nodes.iter() {
            if self.node_index(id).is_some() {
                let node = self.node(id, node, &format!("nodes[{}]", id.index()))?;
                self.root.nodes.push(node);
            }
        }
        // Additional nodes.
        self.root.nodes.append(&mut self.places.below);
        let mut roots: Vec<u32> = self.scene.roots.iter().filter_map(|&root| self.outer_index(root)).collect();
        if !fits(self.metres) {
            return Err(Error::on_path(ErrorKind::NotFinite(self.metres), "metres_per_unit"));
        }
        if self.metres != 1.0 && !roots.is_empty() {
            let note = NodeNote { unit: true, ..NodeNote::default() };
            let unit = crate::gltf::json::Node {
                name: crate::gltf::json::Node::UNIT.into(),
                children: std::mem::take(&mut roots),
                scale: Some([self.metres; 3]),
                extras: Extras::new(Json::Null, Some(note)),
                ..Default::default()
            };
            roots.push(push(&mut self.root.nodes, unit));
        }
        self.root.scenes.push(crate::gltf::json::Scene { nodes: roots, ..Default::default() });
        Ok(())
    }

    fn node_index(&self, id: NodeId) -> Option<u32> {
        self.places.nodes.get(id.index()).copied().flatten()
    }

    /// Adds a node around each node with a sheared transform. Together, the two have the same transform: nodes of glTF have no shear,
    /// and other programs decompose a matrix.
    fn split_sheared_nodes(&mut self) -> Result<(), Error> {
        for (id, node) in self.scene.nodes.iter() {
            let Some(index) = self.node_index(id) else { continue };
            if node.transform.to_trs().is_some() {
                continue;
            }
            let (outer, inner) = node.transform.split_shear();
            if inner.is_identity() {
                continue;
            }
            let path = format!("nodes[{}]", id.index());
            let mut around = crate::gltf::json::Node {
                name: node.name.clone(),
                children: vec![index],
                extras: Extras::new(Json::Null, Some(NodeNote::default())),
                ..Default::default()
            };
            self.transform(&outer, &path, &mut around)?;
            self.losses.approximated(format!("{path}.transform"), "glTF has no shear: expressed by an additional node");
            let around = self.places.node_count.saturating_add(push(&mut self.places.below, around));
            self.places.sheared.insert(id, (around, inner));
        }
        Ok(())
    }

    /// Returns the index of a node, or of the node that was added around it.
    fn outer_index(&self, id: NodeId) -> Option<u32> {
        self.places.sheared.get(&id).map(|(around, _)| *around).or_else(|| self.node_index(id))
    }

    fn node(&mut self, place: NodeId, node: &Node, path: &str) -> Result<crate::gltf::json::Node, Error> {
        let mut out = crate::gltf::json::Node {
            name: node.name.clone(),
            children: node.children.iter().filter_map(|&child| self.outer_index(child)).collect(),
            ..Default::default()
        };
        let transform = self.places.sheared.get(&place).map_or(node.transform, |(_, inner)| *inner);
        self.transform(&transform, path, &mut out)?;
        let mut note = NodeNote { hidden: !node.visible, locked: node.locked, ..NodeNote::default() };
        match &node.content {
            Content::Mesh(id) => out.mesh = self.places.meshes.get(id.index()).copied().flatten(),
            Content::Terrain(id) => self.show_terrain(*id, &mut out),
            Content::Camera(id) => out.camera = self.places.cameras.get(id.index()).copied().flatten(),
            Content::Light(id) => {
                if let Some(light) = self.places.lights.get(id.index()).copied().flatten() {
                    let extensions = NodeExtensions { light: Some(LightIndex { light }), ..Default::default() };
                    out.extensions = Some(Box::new(extensions));
                }
            }
            Content::InstanceSet(id) => {
                if let Some(set) = self.scene.instance_sets.get(*id) {
                    let path = format!("instance_sets[{}]", id.index());
                    self.instance_set(set, place, &path, &mut out, &mut note);
                }
            }
            Content::Marker => note.marker = true,
            Content::Entity(id) => {
                let entity = self.scene.entities.get(*id).map(|entity| self.entity(entity, &format!("{path}.content")));
                note.entity = entity.map(Box::new);
            }
            Content::Sound(id) => {
                note.sound = self.scene.sounds.get(*id).map(|sound| Box::new(self.sound(sound, path)));
            }
            Content::Path(id) => note.path = self.scene.paths.get(*id).map(|route| Box::new(self.path(route, path))),
            Content::Prefab(prefab) => {
                let overrides = properties_to_json(&prefab.overrides, &format!("{path}.content"), &mut self.losses);
                note.prefab = Some(Box::new(PrefabNote { reference: prefab.reference.clone(), overrides }));
            }
            // The capabilities report unsupported contents. The node stays for its children.
            _ => {}
        }
        let properties = properties_to_json(&node.properties, &format!("{path}.properties"), &mut self.losses);
        let has_content = note.entity.is_some() || note.prefab.is_some() || note.instances.is_some();
        let has_route = note.sound.is_some() || note.path.is_some();
        // Without metadata, a class makes an entity.
        let has_class = node.properties.get("classname").is_some();
        let has_note = note.hidden || note.locked || note.marker || has_content || has_route || has_class;
        out.extras = Extras::new(properties, has_note.then_some(note));
        Ok(out)
    }

    fn sound(&mut self, sound: &Sound, path: &str) -> SoundNote {
        SoundNote {
            reference: sound.reference.clone(),
            volume: sound.volume.and_then(|volume| self.finite(volume, path)),
            range: sound.range.and_then(|range| self.finite(range, path)),
            properties: properties_to_json(&sound.properties, &format!("{path}.content"), &mut self.losses),
        }
    }

    fn path(&mut self, route: &Path, path: &str) -> PathNote {
        let content = format!("{path}.content");
        let mut points = Vec::with_capacity(route.points.len());
        for point in &route.points {
            let properties = properties_to_json(&point.properties, &content, &mut self.losses);
            let mut number = |number: f64| self.finite(number, path).unwrap_or(0.0);
            let position = point.position.map(&mut number);
            let tangents = point.tangents.map(|tangents| tangents.map(|tangent| tangent.map(&mut number)));
            points.push(PathPointNote { position, tangents, properties });
        }
        let mut edges = Vec::with_capacity(route.edges.len());
        for edge in &route.edges {
            edges.push((edge.from, edge.to, self.finite(edge.weight, path).unwrap_or(0.0)));
        }
        let properties = properties_to_json(&route.properties, &content, &mut self.losses);
        PathNote { name: route.name.clone(), points, edges, closed: route.closed, properties }
    }

    /// Returns a number if JSON can store it.
    fn finite(&mut self, number: f64, path: &str) -> Option<f64> {
        if !number.is_finite() {
            self.losses.repaired(path, "a number that is not finite");
        }
        Some(number).filter(|number| number.is_finite())
    }

    fn entity(&mut self, entity: &Entity, path: &str) -> EntityNote {
        let properties = properties_to_json(&entity.properties, &format!("{path}.properties"), &mut self.losses);
        let connections = entity.connections.iter().map(|connection| ConnectionNote {
            output: connection.output.clone(),
            target: connection.target.clone(),
            target_type: connection.target_type,
            input: connection.input.clone(),
            parameter: connection.parameter.clone(),
            delay: if connection.delay.is_finite() { connection.delay } else { 0.0 },
            times: connection.times,
        });
        if entity.connections.iter().any(|connection| !connection.delay.is_finite()) {
            self.losses.repaired(path, "non-finite delay: set to 0");
        }
        EntityNote {
            class: entity.class.clone(),
            model: entity.model.clone(),
            properties,
            connections: connections.collect(),
        }
    }

    fn transform(&mut self, transform: &Transform, path: &str, out: &mut crate::gltf::json::Node) -> Result<(), Error> {
        if transform.is_identity() {
            return Ok(());
        }
        let ((translation, rotation, scale), mut changed) = trs(transform);
        let far = translation.iter().find(|number| !single(**number).is_finite());
        if let Some(&number) = far.or_else(|| scale.iter().find(|number| !fits(**number))) {
            return Err(Error::on_path(ErrorKind::NotFinite(number), format!("{path}.transform")));
        }
        if let Transform::Matrix(matrix) = transform
            && changed.is_none()
        {
            // Programs decompose matrices in 32 bits, and a matrix without a determinant is invalid.
            if single(transform.determinant()).is_normal() {
                let mut flat = [0.0; 16];
                flat.iter_mut().zip(matrix.iter().flatten()).for_each(|(to, from)| *to = *from);
                out.matrix = Some(Box::new(flat));
                return Ok(());
            }
            changed = Some((
                LossKind::Approximated,
                "a matrix beyond single precision stored as translation, rotation and scale",
            ));
        }
        if let Some((kind, text)) = changed {
            self.losses.push(kind, format!("{path}.transform"), text);
        }
        out.translation = (translation != [0.0; 3]).then_some(translation);
        out.rotation = (rotation != [0.0, 0.0, 0.0, 1.0]).then_some(rotation);
        out.scale = (scale != [1.0; 3]).then_some(scale);
        Ok(())
    }
}

/// Returns `true` if a factor fits into 32 bits: not infinite, and 0 only if it is 0.
fn fits(factor: f64) -> bool {
    single(factor).is_finite() && (single(factor) != 0.0 || factor == 0.0)
}

type Trs = ([f64; 3], [f64; 4], [f64; 3]);

/// Converts a transform to translation, unit rotation and scale, and returns the change that this needs.
pub(super) fn trs(transform: &Transform) -> (Trs, Option<(LossKind, &'static str)>) {
    let Some((translation, rotation, factors)) = transform.to_trs() else {
        let is_exact = transform.split_shear().1.is_identity();
        let change = (!is_exact).then_some((LossKind::Approximated, "glTF has no shear"));
        return (nearest_trs(transform), change);
    };
    let length = rotation.iter().map(|c| c * c).sum::<f64>().sqrt();
    // The tolerance of validation: numbers with seven digits.
    if (length - 1.0).abs() <= 1e-6 {
        ((translation, rotation, factors), None)
    } else if length.is_normal() {
        let unit = rotation.map(|c| c / length);
        ((translation, unit, factors), Some((LossKind::Repaired, "the rotation was not of length 1")))
    } else {
        let none = [0.0, 0.0, 0.0, 1.0];
        ((translation, none, factors), Some((LossKind::Repaired, "the rotation had no direction")))
    }
}

/// Returns the nearest translation, rotation and scale. They preserve the lengths of the axes, the direction of the first, and the
/// plane of the first two.
fn nearest_trs(transform: &Transform) -> Trs {
    let [x, y, z] = transform.linear();
    let lengths = [x, y, z].map(|axis| dot(axis, axis).sqrt());
    let across = |axis: [f64; 3], unit: [f64; 3]| normalize(sub(axis, scale(unit, dot(axis, unit))));
    let first = normalize(x).or_else(|| normalize(cross(y, z))).unwrap_or([1.0, 0.0, 0.0]);
    let second = across(y, first).or_else(|| normalize(cross(z, first))).or_else(|| across([0.0, 1.0, 0.0], first));
    let second = second.or_else(|| across([0.0, 0.0, 1.0], first)).unwrap_or([0.0, 1.0, 0.0]);
    let third = cross(first, second);
    let column = |[x, y, z]: [f64; 3]| [x, y, z, 0.0];
    let turn = Transform::Matrix([column(first), column(second), column(third), [0.0, 0.0, 0.0, 1.0]]);
    let rotation = turn.to_trs().map_or([0.0, 0.0, 0.0, 1.0], |(_, rotation, _)| rotation);
    let side = if transform.mirrors() { -lengths[2] } else { lengths[2] };
    (transform.origin(), rotation, [lengths[0], lengths[1], side])
}
