//! Meshes of models.

use std::collections::HashMap;

use mapwright_io::{FaultKind, Position};
use mapwright_scene::{
    ColorSet, Content, CornerColumn, Import, Losses, Material, MaterialId, Mesh, MeshId, Node, Scene, Transform,
    UvOrigin, UvSet,
};

use super::AxisSystem;
use crate::{Document, ElementId, ElementRef, ReadError, Value};

/// The scene while it is built.
pub(super) struct Builder<'a> {
    scene: Scene,
    pub(super) losses: Losses,
    pub(super) axes: AxisSystem,
    materials: HashMap<String, MaterialId>,
    /// Converted meshes, with `true` for skinned ones. `None` for a mesh that cannot be used.
    meshes: HashMap<ElementId, Option<(MeshId, bool)>>,
    /// Number of array items that may still be converted.
    budget: usize,
    document: &'a Document,
}

impl<'a> Builder<'a> {
    pub(super) fn new(document: &'a Document, scene: Scene, losses: Losses, axes: AxisSystem) -> Self {
        // Meshes may share their data, so a small file could become a huge scene.
        let values = document.iter().flat_map(|element| element.attributes().map(|(_, value)| value));
        let items = values.filter_map(Value::array_len).fold(0, usize::saturating_add);
        let budget = items.saturating_mul(4).saturating_add(10_000);
        Self { scene, losses, axes, materials: HashMap::new(), meshes: HashMap::new(), budget, document }
    }

    pub(super) fn finish(self) -> Import {
        Import { scene: self.scene, losses: self.losses }
    }

    /// Adds a node for the mesh of a dag. `own` is the transform of the dag, `chain` the product of those from the model to the dag.
    pub(super) fn add(
        &mut self,
        dag: ElementRef<'a>,
        element: ElementRef<'a>,
        [own, chain]: [Transform; 2],
        visible: bool,
    ) -> Result<(), ReadError> {
        let known = self.meshes.get(&element.id()).copied();
        let converted = match known {
            Some(converted) => converted,
            None => {
                let converted = self.convert(element)?;
                self.meshes.insert(element.id(), converted);
                converted
            }
        };
        if let Some((mesh, is_skinned)) = converted {
            let mut node = Node::new(text(dag.name()), Content::Mesh(mesh));
            // Vertices of skinned meshes are in the space of the model: joints move them only in animations.
            node.transform = if is_skinned { own } else { chain };
            node.visible = visible && element.flag("visible").unwrap_or(true);
            self.scene.add_node(None, node);
        }
        Ok(())
    }

    /// Converts a mesh. Returns its index and `true` if it is skinned, or `None` if it cannot be used.
    fn convert(&mut self, element: ElementRef<'a>) -> Result<Option<(MeshId, bool)>, ReadError> {
        let name = text(element.name());
        let path = format!("meshes.{}", element.id().index());
        let Some(data) = element.child("bindState").or_else(|| element.child("currentState")) else {
            self.losses.dropped(&path, format!("mesh {name:?} has no vertices"));
            return Ok(None);
        };
        let vector3 = |names| match stream(data, names) {
            Some((Value::Vector3Array(values), indices)) => Some((&**values, indices)),
            _ => None,
        };
        let Some((positions, corners)) = vector3(["position$0", "positions"]) else {
            self.losses.dropped(&path, format!("mesh {name:?} has no positions"));
            return Ok(None);
        };
        let faces: usize = element.children("faceSets").map(|set| ints(set, "faces").len()).sum();
        self.take(positions.len().saturating_add(corners.len()).saturating_add(faces))?;

        let mut mesh = Mesh { name, ..Mesh::default() };
        mesh.positions = positions.iter().map(|position| self.axes.point(position.map(f64::from))).collect();
        if mesh.positions.iter().flatten().any(|part| !part.is_finite()) {
            self.losses.dropped(&path, format!("mesh {:?} has positions that are not finite", mesh.name));
            return Ok(None);
        }
        // Index of each corner in the streams, in the order of the faces.
        let mut order: Vec<usize> = Vec::with_capacity(faces);
        let mut damaged = 0_usize;
        for set in element.children("faceSets") {
            let material = set.child("material").map(|material| self.material(material));
            for ring in ints(set, "faces").split(|&corner| corner == -1).filter(|ring| !ring.is_empty()) {
                let vertex = |corner: &i32| {
                    let corner = usize::try_from(*corner).ok()?;
                    let vertex = u32::try_from(*corners.get(corner)?).ok()?;
                    (mesh.positions.len() > vertex as usize).then_some((corner, vertex))
                };
                let found: Option<Vec<(usize, u32)>> = ring.iter().map(vertex).collect();
                let Some(found) = found.filter(|found| found.len() >= 3) else {
                    damaged += 1;
                    continue;
                };
                order.extend(found.iter().map(|(corner, _)| corner));
                let vertices: Vec<u32> = found.iter().map(|(_, vertex)| *vertex).collect();
                mesh.faces.push(&vertices);
                mesh.face_materials.push(material);
            }
        }
        if damaged > 0 {
            let text = format!(
                "{} with less than three corners or with missing positions",
                mapwright_io::format_count(damaged, "face")
            );
            self.losses.dropped(&path, text);
        }
        if mesh.face_materials.iter().all(Option::is_none) {
            mesh.face_materials.clear();
        }
        if let Some((normals, indices)) = vector3(["normal$0", "normals"]) {
            let normal = |corner: &usize| {
                let normal = normals.get(usize::try_from(*indices.get(*corner)?).ok()?)?.map(f64::from);
                mapwright_scene::transform::normalize(self.axes.point(normal))
            };
            mesh.normals = order.iter().map(|corner| normal(corner).map(Some)).collect();
            if mesh.normals.is_none() {
                self.losses.dropped(&path, "normals without a direction or with missing values");
            }
        }
        self.add_uv_sets(&mut mesh, data, &order, &path)?;
        add_colors(&mut mesh, data, &order);
        self.report_streams(element, data, &path);
        let is_skinned = ["blendindices$0", "jointIndices"].iter().any(|name| data.get(name).is_some());
        Ok(Some((self.scene.meshes.push(mesh), is_skinned)))
    }

    fn add_uv_sets(
        &mut self,
        mesh: &mut Mesh,
        data: ElementRef<'_>,
        order: &[usize],
        path: &str,
    ) -> Result<(), ReadError> {
        // v counts from the bottom if the compiler flips it.
        let is_flipped = data.flag("flipVCoordinates").unwrap_or(false);
        let origin = if is_flipped { UvOrigin::LowerLeft } else { UvOrigin::TopLeft };
        for (name, value) in data.attributes() {
            let is_set = name == b"textureCoordinates" || name.starts_with(b"texcoord$");
            let Value::Vector2Array(values) = value else { continue };
            if !is_set {
                continue;
            }
            self.take(order.len())?;
            let indices = ints(data, [name, b"Indices"].concat());
            let uv = |corner: &usize| {
                let [u, v] = values.get(usize::try_from(*indices.get(*corner)?).ok()?)?.map(f64::from);
                (u.is_finite() && v.is_finite()).then_some([u, v])
            };
            let corners: CornerColumn<[f64; 2]> = order.iter().map(uv).collect();
            if !corners.is_complete() {
                self.losses.dropped(path, format!("missing values of {}", text(name)));
            }
            mesh.uv_sets.push(UvSet { name: text(name), origin, corners });
        }
        Ok(())
    }

    /// Reports morphs and streams that scenes cannot store.
    fn report_streams(&mut self, element: ElementRef<'_>, data: ElementRef<'_>, path: &str) {
        const READ: [&[u8]; 6] =
            [b"position$0", b"normal$0", b"color$0", b"positions", b"normals", b"textureCoordinates"];
        for name in data.texts("vertexFormat") {
            if !READ.contains(&name) && !name.starts_with(b"texcoord$") {
                self.losses.dropped(path, format!("stream {}", text(name)));
            }
        }
        // Old models store the weights outside of the vertex format.
        if data.get("jointWeights").is_some() {
            self.losses.dropped(path, "stream jointWeights");
        }
        let morphs = element.children("deltaStates").count();
        if morphs > 0 {
            self.losses.dropped(path, mapwright_io::format_count(morphs, "morph"));
        }
    }

    /// Returns the material with the path of a face set's material. Equal paths share one material.
    fn material(&mut self, element: ElementRef<'_>) -> MaterialId {
        let path = element.text("mtlName").unwrap_or(element.name());
        let path = text(path).replace('\\', "/");
        *self.materials.entry(path).or_insert_with_key(|path| {
            let material = Material { reference: Some(path.clone()), ..Material::new(path.clone()) };
            self.scene.materials.push(material)
        })
    }

    /// Subtracts items from the budget.
    fn take(&mut self, items: usize) -> Result<(), ReadError> {
        let Some(left) = self.budget.checked_sub(items) else {
            let limit = self.document.elements.len() as u64;
            let kind = FaultKind::Limit { what: "data of shared meshes", asked: items as u64, limit };
            return Err(ReadError::new(kind.into(), Position::file(0)));
        };
        self.budget = left;
        Ok(())
    }
}

/// Adds the vertex colours, which are stored as bytes or as floats.
fn add_colors(mesh: &mut Mesh, data: ElementRef<'_>, order: &[usize]) {
    let Some((values, indices)) = stream(data, ["color$0", "colors"]) else { return };
    let color = |corner: &usize| {
        let index = usize::try_from(*indices.get(*corner)?).ok()?;
        match values {
            Value::ColorArray(values) => Some(values.get(index)?.map(|part| f32::from(part) / 255.0)),
            Value::Vector4Array(values) => {
                Some(*values.get(index)?).filter(|color| color.iter().all(|part| part.is_finite()))
            }
            Value::Vector3Array(values) => {
                let [red, green, blue] = *values.get(index)?;
                Some([red, green, blue, 1.0]).filter(|color| color.iter().all(|part| part.is_finite()))
            }
            _ => None,
        }
    };
    let corners: CornerColumn<[f32; 4]> = order.iter().map(color).collect();
    if corners.has_values() {
        mesh.color_sets.push(ColorSet { name: "color$0".to_owned(), corners });
    }
}

/// Returns the first stream that exists, with its indices. `names` are the newer and the older name.
fn stream<'a>(data: ElementRef<'a>, names: [&str; 2]) -> Option<(&'a Value, &'a [i32])> {
    let found = names.into_iter().find_map(|name| Some((name, data.get(name)?)))?;
    Some((found.1, ints(data, format!("{}Indices", found.0))))
}

/// Returns the integers of an array, or an empty slice if there is no such array.
fn ints(element: ElementRef<'_>, name: impl AsRef<[u8]>) -> &[i32] {
    match element.get(name) {
        Some(Value::IntArray(values)) => values,
        _ => &[],
    }
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}
