//! The features that a scene uses.

use std::fmt::Display;

use mapwright_io::{Frame, Path, format_count};

use crate::{
    AlphaMode, Attribute, CellLayout, Content, FaceFlags, Feature, ImageSource, IntensityUnit, Light, LightKind,
    Material, Mesh, Projection, Scene, Smoothing, TextureSlot, TextureUsage, UvSet, VertexColors, Wrap,
};

impl Scene {
    /// Calls `found` for every use of a [`Feature`], with the path of the item and a description.
    ///
    /// This includes items without a node.
    pub fn visit_features(&self, mut found: impl FnMut(Feature, Path, String)) {
        let found: Found<'_> = &mut found;
        if !self.name.is_empty() {
            found(Feature::SceneNames, "name".into(), format!("name {:?} of the scene", self.name));
        }
        if !self.properties.is_empty() {
            found(Feature::SceneProperties, "properties".into(), list("properties", &self.properties));
        }
        if let Some(metres) = self.metres_per_unit {
            found(Feature::Unit, "metres_per_unit".into(), format!("one unit is {metres} m"));
        }
        self.node_uses(found);
        self.shared_meshes(found);
        for (id, mesh) in self.meshes.iter() {
            mesh_uses(mesh, &mut Item::new("meshes", id.index(), &mesh.name, found));
        }
        for (id, light) in self.lights.iter() {
            light_uses(light, &mut Item::new("lights", id.index(), "", found));
        }
        for (id, camera) in self.cameras.iter() {
            let mut item = Item::new("cameras", id.index(), "", found);
            match camera.projection {
                Projection::Perspective { .. } => item.uses(Feature::Cameras, "camera"),
                Projection::Orthographic { .. } => item.uses(Feature::OrthographicCameras, "orthographic camera"),
            }
            item.uses_if(camera.target.is_some(), Feature::AimPoints, "exact target point");
            item.uses_if(
                !camera.properties.is_empty(),
                Feature::LightProperties,
                list("properties", &camera.properties),
            );
        }
        for (id, material) in self.materials.iter() {
            material_uses(material, &mut Item::new("materials", id.index(), &material.name, found));
        }
        for (id, image) in self.images.iter() {
            let mut item = Item::new("images", id.index(), &image.name, found);
            match &image.source {
                ImageSource::Pixels(_) | ImageSource::Encoded { .. } => {
                    item.uses(Feature::EmbeddedImages, "embedded image");
                }
                ImageSource::External { path } => item.uses(Feature::ExternalImages, format!("reference to {path}")),
            }
        }
        for (index, set) in self.sets.iter().enumerate() {
            Item::new("sets", index, &set.name, found).uses(Feature::Sets, "named selection");
        }
        for (id, brush) in self.brushes.iter() {
            let mut item = Item::new("brushes", id.index(), &brush.name, found);
            item.uses(Feature::Brushes, "brush");
            let properties = &brush.properties;
            item.uses_if(!properties.is_empty(), Feature::BrushProperties, list("properties", properties));
            if let Some(side) = brush.sides.iter().find(|side| !side.properties.is_empty()) {
                item.uses(Feature::SideProperties, list("side properties", &side.properties));
            }
        }
        for (id, terrain) in self.terrains.iter() {
            let mut item = Item::new("terrains", id.index(), &terrain.name, found);
            item.uses(Feature::Terrains, "terrain");
            item.uses_if(terrain.sea_level.is_some(), Feature::WaterLevels, "water level");
            let properties = &terrain.properties;
            item.uses_if(!properties.is_empty(), Feature::TerrainProperties, list("properties", properties));
            attribute_uses(&terrain.attributes, &mut item);
        }
        for (id, layer) in self.tile_layers.iter() {
            let mut item = Item::new("tile_layers", id.index(), &layer.name, found);
            attribute_uses(&layer.attributes, &mut item);
            if layer.layout != CellLayout::Orthogonal {
                item.uses(Feature::TileLayouts, format!("{} cells", layer.layout.name()));
            }
        }
        self.plain_uses(found);
    }

    /// Visits meshes with several nodes, or with a node of another name.
    fn shared_meshes(&self, found: Found<'_>) {
        let mut shown = vec![(0_usize, false); self.meshes.len()];
        for (_, node) in self.nodes.iter() {
            let Content::Mesh(id) = node.content else { continue };
            if let (Some(mesh), Some((count, other))) = (self.meshes.get(id), shown.get_mut(id.index())) {
                *count += 1;
                *other |= !mesh.name.is_empty() && mesh.name != node.name;
            }
        }
        for ((id, mesh), (count, other)) in self.meshes.iter().zip(shown) {
            let mut item = Item::new("meshes", id.index(), &mesh.name, found);
            item.uses_if(count > 1, Feature::SharedMeshes, format!("mesh shared by {count} nodes"));
            item.uses_if(other, Feature::MeshNames, "mesh name different from the node name");
        }
    }

    fn node_uses(&self, found: Found<'_>) {
        for (id, node) in self.nodes.iter() {
            let mut item = Item::new("nodes", id.index(), &node.name, found);
            item.uses_if(!node.children.is_empty(), Feature::Hierarchy, "child nodes");
            let is_empty_group = node.children.is_empty() && node.content == Content::Group;
            item.uses_if(is_empty_group, Feature::Hierarchy, "group without children");
            // Every format can place a light or camera without children, so its transform is no feature.
            let is_own = node.children.is_empty() && matches!(node.content, Content::Light(_) | Content::Camera(_));
            item.uses_if(!node.transform.is_identity() && !is_own, Feature::Transforms, "transform");
            item.uses_if(!node.visible, Feature::HiddenNodes, "hidden node");
            item.uses_if(node.locked, Feature::LockedNodes, "lock");
            item.uses_if(!node.properties.is_empty(), Feature::NodeProperties, list("properties", &node.properties));
            match &node.content {
                Content::Marker => item.uses(Feature::Markers, "marker"),
                Content::Instance(_) => item.uses(Feature::NodeInstances, "instance of another node"),
                Content::Prefab(prefab) => item.uses(Feature::Prefabs, format!("reference to {}", prefab.reference)),
                _ => {}
            }
        }
    }

    /// Visits contents that are a single feature.
    fn plain_uses(&self, found: Found<'_>) {
        let mut visit_all = |list: &'static str, feature, what: &str, count: usize| {
            for index in 0..count {
                Item::new(list, index, "", found).uses(feature, what);
            }
        };
        visit_all("tile_layers", Feature::Tiles, "tile layer", self.tile_layers.len());
        visit_all("tile_sets", Feature::Tiles, "tile set", self.tile_sets.len());
        visit_all("instance_sets", Feature::Instances, "instances", self.instance_sets.len());
        visit_all("sounds", Feature::Sounds, "sound", self.sounds.len());
        visit_all("paths", Feature::Paths, "path", self.paths.len());
        visit_all("entities", Feature::Entities, "entity", self.entities.len());
    }
}

fn mesh_uses(mesh: &Mesh, item: &mut Item<'_, '_>) {
    item.uses(Feature::Meshes, "mesh");
    item.uses_if(mesh.faces.iter().any(|face| face.len() > 3), Feature::Polygons, "faces with more than 3 vertices");
    item.uses_if(mesh.faces.iter().any(|face| face.len() < 3), Feature::TwoCornerFaces, "faces with 2 vertices");
    item.uses_if(!mesh.uv_sets.is_empty(), Feature::Uvs, "texture coordinates");
    // Sets without coordinates only keep the numbers of others.
    let is_mapped = |place: &usize| mesh.uv_sets.get(*place).is_some_and(|set| set.corners.has_values());
    let mapped = || (0..mesh.uv_sets.len()).filter(is_mapped);
    item.uses_if(mapped().any(|place| place > 0), Feature::MoreUvSets, format_count(mapped().count(), "UV set"));
    let is_partial = |set: &UvSet| set.has_partial_faces(&mesh.faces);
    item.uses_if(mesh.uv_sets.iter().any(is_partial), Feature::PartialUvs, "texture coordinates on parts of faces");
    item.uses_if(!mesh.color_sets.is_empty(), Feature::Colors, "vertex colours");
    item.uses_if(
        mesh.color_sets.len() > 1,
        Feature::MoreColorSets,
        format_count(mesh.color_sets.len(), "vertex colour set"),
    );
    let mut names = mesh.uv_sets.iter().map(|set| &set.name).chain(mesh.color_sets.iter().map(|set| &set.name));
    item.uses_if(
        names.any(|name| !name.is_empty()),
        Feature::SetNames,
        "names of the sets of texture coordinates and colours",
    );
    let edges = !mesh.hard_edges.is_empty() || mesh.smoothing != Smoothing::Smooth;
    item.uses_if(edges, Feature::HardEdges, "hard edges");
    item.uses_if(mesh.normals.is_some(), Feature::Normals, "normals");
    let flagged = |flag| mesh.face_flags.iter().any(|flags: &FaceFlags| flags.contains(flag));
    // Hole faces are hidden, too, but they are no surface that a target could show.
    let is_hidden = |flags: &FaceFlags| flags.contains(FaceFlags::HIDDEN) && !flags.contains(FaceFlags::HOLE);
    item.uses_if(mesh.face_flags.iter().any(is_hidden), Feature::HiddenFaces, "hidden faces");
    item.uses_if(flagged(FaceFlags::HOLE), Feature::Holes, "hole faces");
    item.uses_if(mesh.mirror.is_some(), Feature::Mirrors, "virtual mirror");
    item.uses_if(!mesh.face_projections.is_empty(), Feature::Projections, "texture projections");
    attribute_uses(&mesh.attributes, item);
    item.uses_if(!mesh.properties.is_empty(), Feature::MeshProperties, list("properties", &mesh.properties));
}

fn attribute_uses(attributes: &[Attribute], item: &mut Item<'_, '_>) {
    for attribute in attributes {
        item.uses(Feature::Attributes, format!("attribute {}", attribute.name));
    }
}

fn light_uses(light: &Light, item: &mut Item<'_, '_>) {
    let mut falloff = light.attenuation != crate::Attenuation::default() || light.range.is_some();
    match &light.kind {
        LightKind::Ambient => item.uses(Feature::AmbientLights, "ambient light"),
        LightKind::Directional => item.uses(Feature::DirectionalLights, "directional light"),
        LightKind::Point => item.uses(Feature::PointLights, "point light"),
        LightKind::Spot { exponent, .. } => {
            falloff |= *exponent != 0.0;
            item.uses(Feature::SpotLights, "spot light");
        }
        LightKind::Area { .. } => item.uses(Feature::AreaLights, "area light"),
        LightKind::Other(kind) => item.uses(Feature::OtherLights, format!("light of kind {kind}")),
    }
    item.uses_if(falloff, Feature::LightFalloff, "light falloff");
    item.uses_if(light.unit == IntensityUnit::Photometric, Feature::LightUnits, "photometric intensity");
    let terms = light.ambient.is_some() || light.specular.is_some();
    item.uses_if(terms, Feature::LightTerms, "ambient and specular colours of the light");
    item.uses_if(light.target.is_some(), Feature::AimPoints, "exact target point");
    item.uses_if(!light.properties.is_empty(), Feature::LightProperties, list("properties", &light.properties));
}

fn material_uses(material: &Material, item: &mut Item<'_, '_>) {
    let plain = Material::default();
    item.uses(Feature::Materials, "material");
    let metal_rough = material.metallic != plain.metallic || material.roughness != plain.roughness;
    item.uses_if(metal_rough, Feature::MetallicRoughness, "metallic and roughness");
    item.uses_if(material.emissive[..3] != plain.emissive[..3], Feature::Emission, "emissive colour");
    item.uses_if(material.classic.is_some(), Feature::ClassicTerms, "ambient, specular, shininess");
    let translucent = material.base_color[3] < 1.0 || material.alpha == AlphaMode::Blend;
    item.uses_if(translucent, Feature::Alpha, "opacity");
    item.uses_if(matches!(material.alpha, AlphaMode::Mask(_)), Feature::AlphaMask, "cut-off opacity");
    item.uses_if(material.double_sided, Feature::DoubleSided, "double-sided");
    let modes = material.vertex_colors != VertexColors::Ignore;
    item.uses_if(modes, Feature::VertexColorModes, "use of vertex colours");
    if let Some(reference) = &material.reference {
        item.uses(Feature::MaterialReferences, format!("reference to {reference}"));
    }
    item.uses_if(material.texture_size.is_some(), Feature::TextureSizes, "size of the texture in texels");
    for slot in &material.textures {
        texture_uses(slot, item);
    }
    item.uses_if(
        !material.properties.is_empty(),
        Feature::MaterialProperties,
        list("properties", &material.properties),
    );
}

fn texture_uses(slot: &TextureSlot, item: &mut Item<'_, '_>) {
    let (feature, what) = match &slot.usage {
        TextureUsage::BaseColor => (Feature::BaseColorTextures, "base colour"),
        TextureUsage::Normal => (Feature::NormalTextures, "normal"),
        TextureUsage::Bump => (Feature::BumpTextures, "bump"),
        TextureUsage::Metallic => (Feature::SeparateMetalRoughTextures, "metallic"),
        TextureUsage::Roughness => (Feature::SeparateMetalRoughTextures, "roughness"),
        TextureUsage::MetallicRoughness => (Feature::MetallicRoughnessTextures, "metallic-roughness"),
        TextureUsage::Occlusion => (Feature::OcclusionTextures, "occlusion"),
        TextureUsage::Emission => (Feature::EmissionTextures, "emission"),
        TextureUsage::Gloss => (Feature::GlossTextures, "gloss"),
        TextureUsage::Opacity => (Feature::OpacityTextures, "opacity"),
        TextureUsage::Other(name) => (Feature::OtherTextures, name.as_str()),
    };
    item.uses(feature, format!("{what} texture"));
    let set = slot.wrap != [Wrap::Repeat; 2] || slot.strength != 1.0;
    item.uses_if(set, Feature::TextureSettings, format!("wrap and strength of the {what} texture"));
    item.uses_if(slot.uv_set != 0, Feature::TextureUvSets, format!("{what} texture on UV set {}", slot.uv_set));
}

type Found<'a> = &'a mut dyn FnMut(Feature, Path, String);

/// An item of a list of the scene.
struct Item<'a, 'f> {
    list: &'static str,
    index: usize,
    name: &'a str,
    found: &'f mut dyn FnMut(Feature, Path, String),
}

impl<'a, 'f> Item<'a, 'f> {
    fn new(
        list: &'static str,
        index: usize,
        name: &'a str,
        found: &'f mut (dyn FnMut(Feature, Path, String) + 'f),
    ) -> Self {
        Self { list, index, name, found }
    }

    fn uses(&mut self, feature: Feature, what: impl Display) {
        let of = if self.name.is_empty() { String::new() } else { format!(" of {:?}", self.name) };
        let path = [Frame::Field(self.list), Frame::Index(self.index)];
        (self.found)(feature, path.into_iter().collect(), format!("{what}{of}"));
    }

    fn uses_if(&mut self, used: bool, feature: Feature, what: impl Display) {
        if used {
            self.uses(feature, what);
        }
    }
}

/// Lists the names of the first few properties.
fn list(what: &str, properties: &crate::Properties) -> String {
    const SHOWN: usize = 4;
    let names: Vec<&str> = properties.iter().map(|(name, _)| name).take(SHOWN).collect();
    let more = properties.len().saturating_sub(SHOWN);
    let more = if more == 0 { String::new() } else { format!(" and {more} more") };
    format!("{what} {}{more}", names.join(", "))
}
