//! The tree and its contents.

use mapwright_io::format_count;
use mapwright_scene::{
    Connection, Content, Entity, Id, InstanceSet, InstanceTransforms, Model, Node, NodeId, Path, PathEdge, PathPoint,
    Prefab, Properties, Sound, Transform, Value,
};

use super::{Reader, below_unit, geometry::ITEM, item, mesh::for_each_in_runs};
use crate::{
    Error, ErrorKind,
    error::malformed,
    gltf::json::{self, EntityNote, InstanceAttributes, InstancesNote, PathNote, SoundNote, json_to_properties},
};

impl Reader<'_> {
    pub(super) fn nodes(&mut self) -> Result<(), Error> {
        let root = self.root;
        let parents = self.parents()?;
        let scene = root.scene.unwrap_or(0);
        let mut roots = match root.scenes.get(scene as usize) {
            Some(scene) => scene.nodes.clone(),
            None if root.scene.is_some() => {
                let kind = ErrorKind::BadIndex { index: scene.into(), count: root.scenes.len() as u64 };
                return Err(Error::on_path(kind, "scene"));
            }
            // A document without scenes is a library: all of it is read.
            None => (0_u32..).zip(&parents).filter(|(_, has_parent)| !**has_parent).map(|(node, _)| node).collect(),
        };
        let mut count = root.nodes.len();
        if let Some(below) = below_unit(root, &roots, self.metres) {
            roots = below.to_vec();
            count -= 1;
        } else {
            self.check_roots(&roots, &parents)?;
        }
        // Additional nodes follow those of the document.
        let mut extra = Vec::new();
        for (index, node) in root.nodes.iter().enumerate().take(count) {
            let node = self.node(node, &format!("nodes[{index}]"), count, &mut extra)?;
            self.scene.nodes.push(node);
        }
        extra.into_iter().for_each(|node| {
            self.scene.nodes.push(node);
        });
        self.scene.roots = roots.into_iter().map(Id::new).collect();
        if let Some(scene) = root.scenes.get(scene as usize) {
            self.scene.name.clone_from(&scene.name);
            self.scene.properties = json_to_properties(&scene.extras.properties, "scene.extras", &mut self.losses);
        }
        let reached = self.scene.walk().count();
        if reached < self.scene.nodes.len() {
            let text = format!("{} outside the scene", format_count(self.scene.nodes.len() - reached, "node"));
            self.losses.dropped("nodes", text);
        }
        Ok(())
    }

    /// Returns `true` for each node with a parent. No node may have two parents or contain itself.
    fn parents(&self) -> Result<Vec<bool>, Error> {
        let nodes = &self.root.nodes;
        let mut parents = vec![false; nodes.len()];
        for (index, node) in nodes.iter().enumerate() {
            for &child in &node.children {
                item(nodes, child, &format!("nodes[{index}].children"))?;
                if let Some(parent) = parents.get_mut(child as usize)
                    && std::mem::replace(parent, true)
                {
                    return Err(malformed(format!("nodes[{child}]"), "the node has two parents"));
                }
            }
        }
        // With one parent each, unreachable nodes are in a cycle.
        let mut stack: Vec<usize> = (0..nodes.len()).filter(|&node| parents.get(node) == Some(&false)).collect();
        let mut reached = 0;
        while let Some(node) = stack.pop() {
            reached += 1;
            stack.extend(nodes.get(node).into_iter().flat_map(|node| &node.children).map(|&child| child as usize));
        }
        if reached < nodes.len() {
            return Err(malformed("nodes", "cycle of nodes"));
        }
        Ok(parents)
    }

    fn check_roots(&self, roots: &[u32], parents: &[bool]) -> Result<(), Error> {
        let path = "scenes.nodes";
        for &root in roots {
            item(&self.root.nodes, root, path)?;
            if parents.get(root as usize) == Some(&true) {
                return Err(malformed(path, format!("node {root} has a parent")));
            }
        }
        let mut once = roots.to_vec();
        once.sort_unstable();
        once.dedup();
        if once.len() < roots.len() {
            return Err(malformed(path, "duplicate node"));
        }
        Ok(())
    }

    fn node(&mut self, node: &json::Node, path: &str, count: usize, extra: &mut Vec<Node>) -> Result<Node, Error> {
        let mut out = Node::new(&node.name, Content::Group);
        out.children = node.children.iter().map(|&child| Id::new(child)).collect();
        out.transform = self.transform(node, path);
        out.properties = json_to_properties(&node.extras.properties, &format!("{path}.extras"), &mut self.losses);
        let mut contents = Vec::new();
        if let Some(note) = node.extras.note.as_deref() {
            out.visible = !note.hidden;
            out.locked = note.locked;
            if note.marker {
                contents.push(Content::Marker);
            }
            if let Some(entity) = &note.entity {
                contents.push(self.entity(entity, path));
            }
            if let Some(sound) = &note.sound {
                contents.push(self.sound(sound, path));
            }
            if let Some(points) = &note.path {
                contents.push(self.path(points, path));
            }
            if let Some(prefab) = &note.prefab {
                let overrides = json_to_properties(&prefab.overrides, &format!("{path}.extras"), &mut self.losses);
                contents.push(Content::Prefab(Prefab { reference: prefab.reference.clone(), overrides }));
            }
        } else if let Some(class) = out.properties.get("classname").and_then(Value::as_text) {
            // Properties of objects in Blender. This crate adds metadata to such nodes.
            let entity = plain_entity(class.to_owned(), std::mem::take(&mut out.properties));
            contents.push(Content::Entity(self.scene.entities.push(entity)));
        }
        self.shapes(node, path, &mut contents)?;
        let mut contents = contents.into_iter();
        out.content = contents.next().unwrap_or_default();
        for content in contents {
            // A glTF node may have several contents.
            let id = u32::try_from(count + extra.len()).unwrap_or(u32::MAX);
            out.children.push(NodeId::new(id));
            extra.push(Node::new(&node.name, content));
        }
        Ok(out)
    }

    fn shapes(&mut self, node: &json::Node, path: &str, contents: &mut Vec<Content>) -> Result<(), Error> {
        let extensions = node.extensions.as_deref();
        if let Some(mesh) = node.mesh {
            item(&self.root.meshes, mesh, &format!("{path}.mesh"))?;
            let note = node.extras.note.as_deref().and_then(|note| note.instances.as_deref());
            let instances = extensions.and_then(|extensions| extensions.instances.as_ref());
            // Placeholder boxes are not read.
            let is_elsewhere = instances.is_some() && note.is_some_and(|note| note.reference.is_some());
            if mesh as usize >= self.scene.meshes.len() && !is_elsewhere {
                return Err(malformed(format!("{path}.mesh"), "placeholder mesh without a reference to a model"));
            }
            // An extension without any attribute says nothing.
            match instances.filter(|instances| note.is_some() || instances.attributes != InstanceAttributes::default())
            {
                Some(instances) => contents.push(self.instances(&instances.attributes, mesh, note, path)?),
                None => contents.push(Content::Mesh(Id::new(mesh))),
            }
        }
        if let Some(camera) = node.camera {
            item(&self.root.cameras, camera, &format!("{path}.camera"))?;
            contents.push(Content::Camera(Id::new(camera)));
        }
        if let Some(light) = extensions.and_then(|extensions| extensions.light) {
            item(self.light_list(), light.light, &format!("{path}.extensions.KHR_lights_punctual.light"))?;
            contents.push(Content::Light(Id::new(light.light)));
        }
        Ok(())
    }

    fn transform(&mut self, node: &json::Node, path: &str) -> Transform {
        if let Some(matrix) = node.matrix.as_deref() {
            let mut columns = [[0.0; 4]; 4];
            columns.iter_mut().flatten().zip(matrix).for_each(|(to, from)| *to = *from);
            let last = [0.0, 0.0, 0.0, 1.0];
            for (column, number) in columns.iter_mut().zip(last) {
                if column[3] != number {
                    column[3] = number;
                    self.losses.repaired(format!("{path}.matrix"), "not affine");
                }
            }
            return Transform::Matrix(columns);
        }
        Transform::Trs {
            translation: node.translation.unwrap_or_default(),
            rotation: node.rotation.unwrap_or([0.0, 0.0, 0.0, 1.0]),
            scale: node.scale.unwrap_or([1.0; 3]),
        }
    }

    fn entity(&mut self, note: &EntityNote, path: &str) -> Content {
        let connections = note.connections.iter().map(|note| Connection {
            output: note.output.clone(),
            target: note.target.clone(),
            target_type: note.target_type,
            input: note.input.clone(),
            parameter: note.parameter.clone(),
            delay: note.delay,
            times: note.times,
        });
        let entity = Entity {
            class: note.class.clone(),
            model: note.model.clone(),
            properties: json_to_properties(&note.properties, &format!("{path}.extras"), &mut self.losses),
            connections: connections.collect(),
        };
        Content::Entity(self.scene.entities.push(entity))
    }

    fn sound(&mut self, note: &SoundNote, path: &str) -> Content {
        let properties = json_to_properties(&note.properties, &format!("{path}.extras"), &mut self.losses);
        let SoundNote { reference, volume, range, .. } = note;
        let sound = Sound { reference: reference.clone(), volume: *volume, range: *range, properties };
        Content::Sound(self.scene.sounds.push(sound))
    }

    fn path(&mut self, note: &PathNote, path: &str) -> Content {
        let extras = format!("{path}.extras");
        let mut points = Vec::with_capacity(note.points.len());
        for point in &note.points {
            let properties = json_to_properties(&point.properties, &extras, &mut self.losses);
            points.push(PathPoint { position: point.position, tangents: point.tangents, properties });
        }
        let count = u32::try_from(points.len()).unwrap_or(u32::MAX);
        let (edges, bad): (Vec<_>, Vec<_>) = note.edges.iter().partition(|(from, to, _)| *from < count && *to < count);
        if !bad.is_empty() {
            self.losses.repaired(&*extras, "edges of a path between points that do not exist");
        }
        let edges = edges.into_iter().map(|(from, to, weight)| PathEdge { from, to, weight }).collect();
        let properties = json_to_properties(&note.properties, &extras, &mut self.losses);
        let route = Path { name: note.name.clone(), points, edges, closed: note.closed, properties };
        Content::Path(self.scene.paths.push(route))
    }

    fn instances(
        &mut self,
        attributes: &InstanceAttributes,
        mesh: u32,
        note: Option<&InstancesNote>,
        path: &str,
    ) -> Result<Content, Error> {
        let column = |index: Option<u32>, width: usize| index.map(|index| self.column(index, &[width])).transpose();
        let (moves, turns, sizes) =
            (column(attributes.translation, 3)?, column(attributes.rotation, 4)?, column(attributes.scale, 3)?);
        // Other programs may store anything in attributes with these names.
        let whole = |index: Option<u32>| match column(index, 1) {
            Err(_) if note.is_none() => Ok((None, true)),
            column => column.map(|column| (column, false)),
        };
        let ((ids, no_ids), (order, no_order)) = (whole(attributes.id)?, whole(attributes.order)?);
        let counts = [&moves, &turns, &sizes, &ids, &order].map(|column| column.as_ref().map(|column| column.count));
        let count = counts.into_iter().flatten().next().unwrap_or(0);
        if counts.into_iter().flatten().any(|other| other != count) {
            return Err(malformed(path, "columns of instances of different lengths"));
        }
        for name in [("_ID", no_ids), ("_ORDER", no_order)].into_iter().filter_map(|(name, lost)| lost.then_some(name))
        {
            self.losses
                .dropped(path, format!("the attribute {name} of instances: it is not a column of whole numbers"));
        }
        self.spend(count as u64, ITEM, path)?;
        let (mut translations, mut rotations, mut scales) = (Vec::new(), Vec::new(), Vec::new());
        for row in 0..count {
            translations.push(moves.as_ref().map_or(Ok([0.0; 3]), |column| column.get(row))?);
            rotations.push(turns.as_ref().map_or(Ok([0.0, 0.0, 0.0, 1.0]), |column| column.get(row))?);
            scales.push(sizes.as_ref().map_or(Ok([1.0; 3]), |column| column.get(row))?);
        }
        let reference = note.and_then(|note| note.reference.clone());
        let mut set = InstanceSet {
            models: vec![reference.map_or(Model::Mesh(Id::new(mesh)), Model::Reference)],
            model: vec![0; count],
            transforms: InstanceTransforms::Trs { translations, rotations, scales },
            ..InstanceSet::default()
        };
        for row in 0..count {
            set.ids.extend(ids.as_ref().map(|column| column.index(row)).transpose()?.map(i64::from));
            set.order.extend(order.as_ref().map(|column| column.index(row)).transpose()?);
        }
        if let Some(note) = note {
            set.name.clone_from(&note.name);
            if !note.on_ground.is_empty() {
                set.on_ground = vec![false; count];
                for_each_in_runs(&note.on_ground, &mut set.on_ground, |on_ground| *on_ground = true);
            }
            set.properties = json_to_properties(&note.properties, &format!("{path}.extras"), &mut self.losses);
        }
        Ok(Content::InstanceSet(self.scene.instance_sets.push(set)))
    }
}

/// Returns an entity from plain properties of a node.
fn plain_entity(class: String, properties: Properties) -> Entity {
    let mut entity = Entity { class, ..Entity::default() };
    for (name, value) in properties.entries {
        match (name.as_str(), value) {
            ("classname", _) => {}
            ("model", Value::Text(model)) if entity.model.is_none() => entity.model = Some(model),
            (_, value) => entity.properties.push(name, value),
        }
    }
    entity
}
