//! Polygon meshes → half-edge meshes.

use std::collections::{BTreeSet, HashMap};

use mapwright_dmx::{ElementId, Value};
use mapwright_scene as scene;
use mapwright_scene::{Content, Domain, MaterialId, Node, Smoothing};

use super::bake::bake;
use super::columns::{Column, columns, set_rows};
use super::from::{Writer, is_rounded};
use super::live::Live;
use super::meshes::{angle, rows};
use super::{AXES, brushes, names};
use crate::WriteError;
use crate::mesh::{BuildOptions, Built, DataArray, Hardness, Mesh, Projection, Repair, Soup, StreamData};

/// What all shapes have in common.
pub(super) struct Shapes {
    /// The reference of each material.
    references: Vec<String>,
    sizes: Vec<Option<[u32; 2]>>,
    old_references: Vec<String>,
}

impl Shapes {
    fn reference(&self, id: Option<MaterialId>) -> Option<&str> {
        self.references.get(id?.index()).map(String::as_str)
    }

    fn old_reference(&self, id: Option<MaterialId>) -> Option<&str> {
        self.old_references.get(id?.index()).map(String::as_str)
    }

    /// The size in texels of a material, or that of most.
    pub(super) fn texture_size(&self, id: Option<MaterialId>) -> [f64; 2] {
        let known = id.and_then(|id| self.sizes.get(id.index()).copied().flatten());
        known.filter(|size| !size.contains(&0)).map_or([512.0; 2], |size| size.map(f64::from))
    }
}

impl<'a> Writer<'a, '_, '_> {
    /// Gives every material a reference.
    pub(super) fn shapes(&mut self) -> Shapes {
        let stated = |material: &scene::Material| material.reference.clone().filter(|reference| !reference.is_empty());
        let old = |base: &super::to::Reading| {
            base.scene.materials.items().iter().map(|material| stated(material).unwrap_or_default()).collect()
        };
        let old_references: Vec<String> = self.base.map_or_else(Vec::new, old);
        let mut references = Vec::with_capacity(self.scene.materials.len());
        for (id, material) in self.scene.materials.iter() {
            let path = format!("materials[{}]", id.index());
            let reference = stated(material).unwrap_or_else(|| {
                let name = if material.name.is_empty() { "unnamed" } else { material.name.as_str() };
                let reference = format!("materials/{name}.vmat");
                self.losses.synthesized(&path, format!("reference {reference}"));
                reference
            });
            if material.reference.is_some() && names::material_name(&reference) != material.name {
                self.losses
                    .dropped(&path, format!("name {:?} of the material, which has that of its file", material.name));
            }
            references.push(self.plain(&reference));
        }
        self.report_unused();
        let sizes = self.scene.materials.items().iter().map(|material| material.texture_size).collect();
        Shapes { references, sizes, old_references }
    }

    /// Reports materials that nothing has: maps list those of meshes alone.
    fn report_unused(&mut self) {
        let scene = self.scene;
        let mut used = vec![false; scene.materials.len()];
        let meshes = scene.meshes.items().iter().flat_map(|mesh| mesh.face_materials.iter().copied().flatten());
        let brushes =
            scene.brushes.items().iter().flat_map(|brush| brush.sides.iter().filter_map(|side| side.material));
        let terrains = scene.terrains.items().iter().flat_map(|terrain| terrain.materials.iter().copied().flatten());
        for id in meshes.chain(brushes).chain(terrains) {
            if let Some(flag) = used.get_mut(id.index()) {
                *flag = true;
            }
        }
        for (id, _) in scene.materials.iter().filter(|(id, _)| used.get(id.index()) == Some(&false)) {
            self.losses.dropped(format!("materials[{}]", id.index()), "a material that nothing has");
        }
    }

    /// Writes what a node shows as a mesh.
    pub(super) fn shape(
        &mut self,
        live: &Live,
        element: ElementId,
        node: &Node,
        old: Option<&'a Node>,
        shapes: &Shapes,
        path: &str,
    ) -> Result<(), WriteError> {
        let scene = self.scene;
        let mesh = match node.content {
            Content::Mesh(id) => scene.meshes.get(id).map(std::borrow::Cow::Borrowed),
            Content::Brush(id) => scene.brushes.get(id).map(|brush| {
                let world = live.world.then(&live.baked);
                std::borrow::Cow::Owned(brushes::mesh(brush, &world, shapes, path, &mut self.losses))
            }),
            Content::Terrain(id) => scene.terrains.get(id).map(|terrain| std::borrow::Cow::Owned(terrain.mesh())),
            _ => None,
        };
        let Some(mesh) = mesh else { return Ok(()) };
        let before = old.and_then(|old| match (&old.content, &node.content) {
            (Content::Mesh(id), Content::Mesh(_)) => self.base?.scene.meshes.get(*id),
            _ => None,
        });
        let frozen = mesh.freeze_mirror();
        let mut mesh = frozen.surface();
        if !live.baked.is_identity() {
            mesh = std::borrow::Cow::Owned(bake(&mesh, &live.baked));
        }
        let mesh: &scene::Mesh = &mesh;
        if before.is_none_or(|before| before.smoothing != mesh.smoothing) {
            let angle = self.narrow(angle(mesh.smoothing));
            self.set(element, "smoothingAngle", Value::Float(angle));
        }
        if let Some(before) = before {
            let same = before == mesh && self.same_materials(before, mesh, shapes);
            if same || self.patch(live, element, before, mesh, shapes, path)? {
                return Ok(());
            }
            self.losses.approximated(path, "what the mesh has beyond its polygons, which are others now");
        }
        self.report_mesh(mesh, path);
        let built = self.build(live, mesh, shapes, path);
        self.editor.set_mesh(element, &built.mesh)
    }

    fn same_materials(&self, before: &scene::Mesh, mesh: &scene::Mesh, shapes: &Shapes) -> bool {
        (0..mesh.faces.len())
            .all(|face| shapes.old_reference(before.face_material(face)) == shapes.reference(mesh.face_material(face)))
    }

    /// What of a mesh cannot be said.
    fn report_mesh(&mut self, mesh: &scene::Mesh, path: &str) {
        if !mesh.name.is_empty() {
            self.losses.dropped(path, format!("name {:?} of the mesh; the node has one", mesh.name));
        }
        if !mesh.properties.is_empty() {
            self.losses.dropped(path, "properties of the mesh; the node has some");
        }
        if let Some(set) = mesh.color_sets.first().filter(|set| set.name != "VertexPaintTintColor") {
            self.losses.approximated(path, format!("colours {:?}, as VertexPaintTintColor", set.name));
        }
        if mesh.uv_sets.iter().any(|set| !set.name.is_empty()) {
            self.losses.dropped(path, "names of texture coordinates");
        }
        if mesh.uv_sets.iter().any(|set| set.origin != scene::UvOrigin::TopLeft) {
            self.losses.approximated(path, "texture coordinates, turned over to count from the top");
        }
        let missing = [
            (mesh.uv_sets.is_empty(), "texture coordinates"),
            (mesh.normals.is_none(), "normals"),
            (!mesh.attributes.iter().any(|attribute| attribute.name == "tangent"), "tangents"),
            (mesh.face_projections.is_empty(), "texture projections"),
            ((0..mesh.faces.len()).any(|face| mesh.face_material(face).is_none()), "a material for faces without one"),
        ];
        let missing: Vec<&str> = missing.into_iter().filter(|(is, _)| *is).map(|(_, what)| what).collect();
        if !missing.is_empty() {
            self.losses.synthesized(path, missing.join(", "));
        }
        if !mesh.face_projections.iter().all(|projection| projection.rotation == 0.0 && !projection.local) {
            self.losses
                .approximated(path, "texture projections, in the space of the world and without a turn of their own");
        }
    }

    /// Builds a half-edge mesh.
    fn build(&mut self, live: &Live, mesh: &scene::Mesh, shapes: &Shapes, path: &str) -> Built {
        let back = AXES.inverse();
        let positions = mesh.positions.iter().map(|&p| back.apply(p).map(|c| self.narrow(c))).collect();
        let mut soup = Soup { positions, ..Soup::default() };
        mesh.faces.iter().for_each(|face| soup.push_face(face));
        // As real maps have them.
        let options = BuildOptions::default().with_repair(Repair::ShareVertices);
        // In the order of the scene, so that a scene of the map has it again.
        let preset = String::from_utf8_lossy(&options.material).into_owned();
        let used: BTreeSet<Option<MaterialId>> = (0..mesh.faces.len()).map(|face| mesh.face_material(face)).collect();
        let mut known: HashMap<&str, u32> = HashMap::new();
        for material in used.iter().filter(|material| material.is_some()).copied().chain([None]) {
            if used.contains(&material) {
                let name = shapes.reference(material).unwrap_or(&preset);
                known.entry(name).or_insert_with(|| {
                    soup.materials.push(name.as_bytes().to_vec());
                    u32::try_from(soup.materials.len().saturating_sub(1)).unwrap_or(u32::MAX)
                });
            }
        }
        let place =
            |face| known.get(shapes.reference(mesh.face_material(face)).unwrap_or(&preset)).copied().unwrap_or(0);
        soup.face_materials = (0..mesh.faces.len()).map(place).collect();
        let (corners, made_up) = columns(mesh, Domain::Corner, &live.world);
        if let Some(what) = made_up {
            self.losses.synthesized(path, what);
        }
        let (faces, _) = columns(mesh, Domain::Face, &live.world);
        let (vertices, _) = columns(mesh, Domain::Vertex, &live.world);
        soup.corner_streams = self.streams(&corners, path);
        soup.face_streams = self.streams(&faces, path);
        if mesh.face_projections.is_empty() {
            soup.face_streams.extend(self.fitted(live, mesh, shapes));
        }
        let hard = mesh.hard_edges.iter().map(|&edge| (edge, Hardness::HARD));
        soup.edges = hard.chain(mesh.soft_edges.iter().map(|&edge| (edge, Hardness::SOFT))).collect();
        let smoothing = if mesh.smoothing == Smoothing::Smooth { 180.0 } else { angle(mesh.smoothing) };
        let mut built = Mesh::build(&soup, &options.with_smoothing_angle(smoothing));
        for problem in built.problems.iter().take(MOST) {
            self.losses.repaired(path, problem.to_string());
        }
        if built.problems.len() > MOST {
            self.losses.repaired(path, format!("{} more problems of faces", built.problems.len() - MOST));
        }
        let places: Vec<usize> = built.vertices.iter().map(|&vertex| vertex as usize).collect();
        for column in vertices.iter().filter(|column| column.name != "position:0") {
            let rows = places.iter().flat_map(|place| {
                let start = place.saturating_mul(column.width);
                column.values.get(start..start.saturating_add(column.width)).unwrap_or_default()
            });
            let column = Column { name: column.name.clone(), width: column.width, values: rows.copied().collect() };
            match column.stream() {
                Some(stream) => built.mesh.vertex_data.streams.push(stream),
                None => self.losses.dropped(path, format!("attribute {}", column.name)),
            }
        }
        built
    }

    fn streams(&mut self, columns: &[Column], path: &str) -> Vec<crate::mesh::Stream> {
        let mut streams = Vec::with_capacity(columns.len());
        for column in columns {
            self.rounded += column.values.iter().filter(|&&c| is_rounded(c)).count();
            match column.stream() {
                Some(stream) => streams.push(stream),
                None => self.losses.dropped(path, format!("attribute {}", column.name)),
            }
        }
        streams
    }

    /// The projections of faces that come nearest to their texture coordinates in the world.
    fn fitted(&self, live: &Live, mesh: &scene::Mesh, shapes: &Shapes) -> Vec<crate::mesh::Stream> {
        let back = AXES.inverse();
        let place = |vertex: u32| {
            back.apply(live.world.point(mesh.positions.get(vertex as usize).copied().unwrap_or_default()))
        };
        let mut sides = [Vec::new(), Vec::new()];
        let mut scales = Vec::new();
        for face in 0..mesh.faces.len() {
            let size = shapes.texture_size(mesh.face_material(face));
            let range = mesh.faces.corner_range(face).unwrap_or_default();
            let set = mesh.uv_sets.first();
            let corners: Vec<([f64; 3], [f64; 2])> = mesh
                .faces
                .get(face)
                .unwrap_or_default()
                .iter()
                .zip(range)
                .map(|(&vertex, corner)| (place(vertex), set.and_then(|set| set.top_left(corner)).unwrap_or_default()))
                .collect();
            let fit = set.and_then(|_| Projection::fit(&corners, size)).map(|fit| fit.projection);
            let projection = fit.unwrap_or_else(|| {
                let normal = mesh.face_normal(face).unwrap_or([0.0, 1.0, 0.0]);
                Projection::along(back.apply(live.world.normal(normal)))
            });
            let [u, v] = &mut sides;
            u.push(projection.axis_u);
            v.push(projection.axis_v);
            scales.push(projection.scale);
        }
        let [u, v] = sides;
        let stream = crate::mesh::Stream::new;
        vec![
            stream("textureScale", 0, StreamData::Vector2(scales)),
            stream("textureAxisU", 0, StreamData::Vector4(u)),
            stream("textureAxisV", 0, StreamData::Vector4(v)),
        ]
    }

    /// Puts what changed into the mesh that the node has, if its polygons are the same. Says whether they are.
    fn patch(
        &mut self,
        live: &Live,
        element: ElementId,
        before: &scene::Mesh,
        mesh: &scene::Mesh,
        shapes: &Shapes,
        path: &str,
    ) -> Result<bool, WriteError> {
        if before.faces != mesh.faces || before.positions.len() != mesh.positions.len() {
            return Ok(false);
        }
        let data = self.editor.map().graph().element(element).and_then(|node| node.child("meshData"));
        let Some(mut file) = data.and_then(|data| Mesh::get(data).ok()) else { return Ok(false) };
        let world = self.old_world(live.id).unwrap_or(live.world);
        let places = {
            let Ok(polygons) = file.polygons() else { return Ok(false) };
            [Domain::Vertex, Domain::Corner, Domain::Face].map(|domain| (domain, rows(&polygons, domain)))
        };
        for (domain, places) in places {
            let (old, _) = columns(before, domain, &world);
            let (new, made_up) = columns(mesh, domain, &live.world);
            let data = match domain {
                Domain::Vertex => &mut file.vertex_data,
                Domain::Corner => &mut file.face_vertex_data,
                Domain::Face => &mut file.face_data,
            };
            if let Some(what) = made_up.filter(|_| old != new) {
                self.losses.synthesized(path, what);
            }
            let mut lost = Vec::new();
            self.rounded += set_columns(data, &places, &new, &old, &mut lost);
            for name in lost {
                self.losses.dropped(path, format!("attribute {name}"));
            }
        }
        set_edges(&mut file, before, mesh);
        if !self.same_materials(before, mesh, shapes) {
            set_materials(&mut file, |face| {
                let (old, new) = (before.face_material(face), mesh.face_material(face));
                let new = shapes.reference(new);
                (shapes.old_reference(old) != new).then(|| new.map(|name| name.as_bytes().to_vec()))
            });
        }
        self.editor.set_mesh(element, &file)?;
        Ok(true)
    }
}

/// The most problems of one mesh that are told one by one.
const MOST: usize = 20;

/// Gives streams the columns of a mesh, as far as they changed: how many numbers single precision cannot tell.
fn set_columns(
    data: &mut DataArray,
    places: &[usize],
    new: &[Column],
    old: &[Column],
    lost: &mut Vec<String>,
) -> usize {
    let size = usize::try_from(data.size).unwrap_or(0);
    let mut rounded = 0;
    for column in new {
        let before = old.iter().find(|before| before.name == column.name);
        if before == Some(column) {
            continue;
        }
        let changed = column.values.iter().enumerate().filter(|(index, value)| {
            let before = before.and_then(|before| before.values.get(*index));
            before.is_none_or(|before| before.to_bits() != value.to_bits())
        });
        rounded += changed.filter(|(_, value)| is_rounded(**value)).count();
        if data.stream(&column.name).is_none()
            && let (Some(mut stream), Some(zeros)) = (column.stream(), column.zeros(size))
        {
            stream.data = zeros.0;
            data.streams.push(stream);
        }
        let same =
            data.stream_mut(&column.name).is_some_and(|stream| set_rows(&mut stream.data, places, column, before));
        if !same {
            lost.push(column.name.clone());
        }
    }
    // What every mesh has stays, whatever the scene says no more.
    const ALWAYS: [&str; 6] =
        ["texcoord:0", "normal:0", "tangent:0", "textureScale:0", "textureAxisU:0", "textureAxisV:0"];
    for gone in old.iter().filter(|old| !new.iter().any(|new| new.name == old.name)) {
        match gone.name.as_str() {
            name if ALWAYS.contains(&name) => {}
            "flags:0" | "lightmapScaleBias:0" => {
                let zeros = Column { values: vec![0.0; gone.values.len()], ..gone.clone() };
                if let Some(stream) = data.stream_mut(&gone.name) {
                    set_rows(&mut stream.data, places, &zeros, Some(gone));
                }
            }
            name => data.streams.retain(|stream| stream.name != name.as_bytes()),
        }
    }
    rounded
}

/// Gives edges the hardness that they have in a mesh, as far as it changed.
fn set_edges(file: &mut Mesh, before: &scene::Mesh, mesh: &scene::Mesh) {
    if before.hard_edges == mesh.hard_edges && before.soft_edges == mesh.soft_edges {
        return;
    }
    let hardness = |mesh: &scene::Mesh, pair: &[u32; 2]| match () {
        () if mesh.hard_edges.binary_search(pair).is_ok() => Hardness::HARD,
        () if mesh.soft_edges.binary_search(pair).is_ok() => Hardness::SOFT,
        () => Hardness::AUTOMATIC,
    };
    let mut changes = Vec::new();
    let ends = file.edge_vertex_indices.as_chunks::<2>().0;
    for (&[end, start], data) in ends.iter().zip(file.edge_data_indices.chunks(2)) {
        let (Ok(a), Ok(b), Some(&place)) = (u32::try_from(start), u32::try_from(end), data.first()) else { continue };
        let pair = [a.min(b), a.max(b)];
        let (old, new) = (hardness(before, &pair), hardness(mesh, &pair));
        if let (true, Ok(place)) = (old != new, usize::try_from(place)) {
            changes.push((place, new));
        }
    }
    let flags = file.edge_data.stream_mut("flags:0").map(|stream| &mut stream.data);
    if let Some(StreamData::Int(flags)) = flags {
        for (place, hardness) in changes {
            if let Some(flag) = flags.get_mut(place) {
                *flag = hardness.0;
            }
        }
    }
}

/// Gives faces other materials: those for which there is an answer, which is a name or none. Materials that no face has any more go.
fn set_materials(file: &mut Mesh, change: impl Fn(usize) -> Option<Option<Vec<u8>>>) {
    let preset = BuildOptions::default().material;
    let mut known: HashMap<Vec<u8>, i32> = HashMap::new();
    for (index, name) in file.materials.iter().enumerate() {
        known.entry(name.clone()).or_insert(i32::try_from(index).unwrap_or(i32::MAX));
    }
    let places = file.face_data_indices.clone();
    let Mesh { materials, face_data, .. } = file;
    let Some(StreamData::Int(indices)) = face_data.stream_mut("materialindex:0").map(|stream| &mut stream.data) else {
        return;
    };
    for (face, place) in places.into_iter().enumerate() {
        let Some(wanted) = change(face) else { continue };
        let name = wanted.unwrap_or_else(|| preset.clone());
        let index = *known.entry(name).or_insert_with_key(|name| {
            materials.push(name.clone());
            i32::try_from(materials.len().saturating_sub(1)).unwrap_or(i32::MAX)
        });
        if let Some(place) = usize::try_from(place).ok().and_then(|place| indices.get_mut(place)) {
            *place = index;
        }
    }
    let mut used = vec![false; materials.len()];
    for &index in &*indices {
        if let Some(flag) = usize::try_from(index).ok().and_then(|index| used.get_mut(index)) {
            *flag = true;
        }
    }
    let mut next = 0;
    let renumbered: Vec<i32> = used
        .iter()
        .map(|&used| {
            let index = next;
            next += i32::from(used);
            index
        })
        .collect();
    for index in indices.iter_mut() {
        if let Some(&new) = usize::try_from(*index).ok().and_then(|index| renumbered.get(index)) {
            *index = new;
        }
    }
    let mut flags = used.into_iter();
    materials.retain(|_| flags.next().unwrap_or(true));
}
