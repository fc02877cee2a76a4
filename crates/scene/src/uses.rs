//! Which features a scene uses, and where.

use std::fmt::Display;

use crate::{
    AlphaMode, Attribute, Content, FaceFlags, Feature, ImageSource, IntensityUnit, Light, LightKind, Material, Mesh,
    Projection, Scene, Smoothing, TextureSlot, TextureUsage, VertexColors, Wrap,
};

impl Scene {
    /// Calls back for every use of a [`Feature`]: with the feature, the path of what uses it, and what it is in words.
    ///
    /// All items count, whether or not a node leads to them.
    pub fn uses(&self, mut found: impl FnMut(Feature, String, String)) {
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
            mesh_uses(mesh, &mut Place::new("meshes", id.index(), &mesh.name, found));
        }
        for (id, light) in self.lights.iter() {
            light_uses(light, &mut Place::new("lights", id.index(), "", found));
        }
        for (id, camera) in self.cameras.iter() {
            let mut place = Place::new("cameras", id.index(), "", found);
            match camera.projection {
                Projection::Perspective { .. } => place.uses(Feature::Cameras, "camera"),
                Projection::Orthographic { .. } => place.uses(Feature::OrthographicCameras, "orthographic camera"),
            }
            place.uses_if(camera.target.is_some(), Feature::AimPoints, "exact point looked at");
            place.uses_if(
                !camera.properties.is_empty(),
                Feature::LightProperties,
                list("properties", &camera.properties),
            );
        }
        for (id, material) in self.materials.iter() {
            material_uses(material, &mut Place::new("materials", id.index(), &material.name, found));
        }
        for (id, image) in self.images.iter() {
            let mut place = Place::new("images", id.index(), &image.name, found);
            match &image.source {
                ImageSource::Pixels(_) | ImageSource::Encoded { .. } => {
                    place.uses(Feature::EmbeddedImages, "embedded image");
                }
                ImageSource::External { path } => place.uses(Feature::ExternalImages, format!("reference to {path}")),
            }
        }
        for (index, set) in self.sets.iter().enumerate() {
            Place::new("sets", index, &set.name, found).uses(Feature::Sets, "named selection");
        }
        for (id, brush) in self.brushes.iter() {
            let mut place = Place::new("brushes", id.index(), &brush.name, found);
            place.uses(Feature::Brushes, "brush");
            let properties = &brush.properties;
            place.uses_if(!properties.is_empty(), Feature::BrushProperties, list("properties", properties));
            if let Some(side) = brush.sides.iter().find(|side| !side.properties.is_empty()) {
                place.uses(Feature::SideProperties, list("properties of sides:", &side.properties));
            }
        }
        for (id, terrain) in self.terrains.iter() {
            let mut place = Place::new("terrains", id.index(), &terrain.name, found);
            place.uses(Feature::Terrains, "height field");
            place.uses_if(terrain.sea_level.is_some(), Feature::WaterLevels, "water level");
            let properties = &terrain.properties;
            place.uses_if(!properties.is_empty(), Feature::TerrainProperties, list("properties", properties));
            attribute_uses(&terrain.attributes, &mut place);
        }
        for (id, layer) in self.tile_layers.iter() {
            attribute_uses(&layer.attributes, &mut Place::new("tile_layers", id.index(), &layer.name, found));
        }
        self.plain_uses(found);
    }

    /// Meshes with several nodes, or with a node of another name.
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
            let mut place = Place::new("meshes", id.index(), &mesh.name, found);
            place.uses_if(count > 1, Feature::SharedMeshes, format!("{count} nodes that show the mesh"));
            place.uses_if(other, Feature::MeshNames, "another name than that of the node");
        }
    }

    fn node_uses(&self, found: Found<'_>) {
        for (id, node) in self.nodes.iter() {
            let mut place = Place::new("nodes", id.index(), &node.name, found);
            place.uses_if(!node.children.is_empty(), Feature::Hierarchy, "nodes below it");
            // Where a light or camera stands is part of it.
            let is_own = node.children.is_empty() && matches!(node.content, Content::Light(_) | Content::Camera(_));
            place.uses_if(!node.transform.is_identity() && !is_own, Feature::Transforms, "transform");
            place.uses_if(!node.visible, Feature::HiddenNodes, "hidden node");
            place.uses_if(node.locked, Feature::LockedNodes, "lock");
            place.uses_if(!node.properties.is_empty(), Feature::NodeProperties, list("properties", &node.properties));
            match &node.content {
                Content::Marker => place.uses(Feature::Markers, "marker"),
                Content::Instance(_) => place.uses(Feature::NodeInstances, "instance of another node"),
                Content::Prefab(prefab) => place.uses(Feature::Prefabs, format!("reference to {}", prefab.reference)),
                _ => {}
            }
        }
    }

    /// Kinds of content that a format has or has not, without finer differences.
    fn plain_uses(&self, found: Found<'_>) {
        let mut all = |kind: &'static str, feature, what: &str, count: usize| {
            for index in 0..count {
                Place::new(kind, index, "", found).uses(feature, what);
            }
        };
        all("tile_layers", Feature::Tiles, "tile layer", self.tile_layers.len());
        all("tile_sets", Feature::Tiles, "tile set", self.tile_sets.len());
        all("instance_sets", Feature::Instances, "instances", self.instance_sets.len());
        all("sounds", Feature::Sounds, "sound", self.sounds.len());
        all("paths", Feature::Paths, "path", self.paths.len());
        all("entities", Feature::Entities, "entity", self.entities.len());
    }
}

fn mesh_uses(mesh: &Mesh, place: &mut Place<'_, '_>) {
    place.uses(Feature::Meshes, "mesh");
    place.uses_if(mesh.faces.iter().any(|face| face.len() > 3), Feature::Polygons, "faces of more than three corners");
    place.uses_if(mesh.faces.iter().any(|face| face.len() < 3), Feature::TwoCornerFaces, "faces of two corners");
    place.uses_if(!mesh.uv_sets.is_empty(), Feature::Uvs, "texture coordinates");
    place.uses_if(
        mesh.uv_sets.len() > 1,
        Feature::MoreUvSets,
        format!("{} sets of texture coordinates", mesh.uv_sets.len()),
    );
    let is_partial = |set: &crate::UvSet| {
        (0..mesh.faces.len()).any(|face| {
            let corners = mesh.faces.corner_range(face).and_then(|range| set.corners.get(range)).unwrap_or_default();
            corners.iter().any(Option::is_some) && corners.iter().any(Option::is_none)
        })
    };
    place.uses_if(mesh.uv_sets.iter().any(is_partial), Feature::PartialUvs, "texture coordinates on parts of faces");
    place.uses_if(!mesh.color_sets.is_empty(), Feature::Colors, "colours of corners");
    place.uses_if(
        mesh.color_sets.len() > 1,
        Feature::MoreColorSets,
        format!("{} sets of colours", mesh.color_sets.len()),
    );
    let mut names = mesh.uv_sets.iter().map(|set| &set.name).chain(mesh.color_sets.iter().map(|set| &set.name));
    place.uses_if(names.any(|name| !name.is_empty()), Feature::SetNames, "names of sets");
    let edges = !mesh.hard_edges.is_empty() || mesh.smoothing != Smoothing::Smooth;
    place.uses_if(edges, Feature::HardEdges, "hard edges");
    place.uses_if(mesh.normals.is_some(), Feature::Normals, "normals");
    let flagged = |flag| mesh.face_flags.iter().any(|flags: &FaceFlags| flags.contains(flag));
    place.uses_if(flagged(FaceFlags::HIDDEN), Feature::HiddenFaces, "hidden faces");
    place.uses_if(flagged(FaceFlags::HOLE), Feature::Holes, "hole faces");
    place.uses_if(mesh.mirror.is_some(), Feature::Mirrors, "virtual mirror");
    place.uses_if(!mesh.face_projections.is_empty(), Feature::Projections, "texture projections");
    attribute_uses(&mesh.attributes, place);
    place.uses_if(!mesh.properties.is_empty(), Feature::MeshProperties, list("properties", &mesh.properties));
}

fn attribute_uses(attributes: &[Attribute], place: &mut Place<'_, '_>) {
    for attribute in attributes {
        place.uses(Feature::Attributes, format!("attribute {}", attribute.name));
    }
}

fn light_uses(light: &Light, place: &mut Place<'_, '_>) {
    let mut falloff = light.attenuation != crate::Attenuation::default() || light.range.is_some();
    match &light.kind {
        LightKind::Ambient => place.uses(Feature::AmbientLights, "ambient light"),
        LightKind::Directional => place.uses(Feature::DirectionalLights, "directional light"),
        LightKind::Point => place.uses(Feature::PointLights, "point light"),
        LightKind::Spot { exponent, .. } => {
            falloff |= *exponent != 0.0;
            place.uses(Feature::SpotLights, "spot light");
        }
        LightKind::Area { .. } => place.uses(Feature::AreaLights, "area light"),
        LightKind::Other(kind) => place.uses(Feature::OtherLights, format!("light of kind {kind}")),
    }
    place.uses_if(falloff, Feature::LightFalloff, "how the light fades");
    place.uses_if(light.unit == IntensityUnit::Photometric, Feature::LightUnits, "photometric intensity");
    let terms = light.ambient.is_some() || light.specular.is_some();
    place.uses_if(terms, Feature::LightTerms, "ambient and specular colours of the light");
    place.uses_if(light.target.is_some(), Feature::AimPoints, "exact point aimed at");
    place.uses_if(!light.properties.is_empty(), Feature::LightProperties, list("properties", &light.properties));
}

fn material_uses(material: &Material, place: &mut Place<'_, '_>) {
    let plain = Material::default();
    place.uses(Feature::Materials, "material");
    let metal_rough = material.metallic != plain.metallic || material.roughness != plain.roughness;
    place.uses_if(metal_rough, Feature::MetallicRoughness, "metallic and roughness");
    place.uses_if(material.emissive[..3] != plain.emissive[..3], Feature::Emission, "emissive colour");
    place.uses_if(material.classic.is_some(), Feature::ClassicTerms, "ambient, specular, shininess");
    let translucent = material.base_color[3] < 1.0 || material.alpha == AlphaMode::Blend;
    place.uses_if(translucent, Feature::Alpha, "opacity");
    place.uses_if(matches!(material.alpha, AlphaMode::Mask(_)), Feature::AlphaMask, "cut-off opacity");
    place.uses_if(material.double_sided, Feature::DoubleSided, "double-sided");
    let modes = material.vertex_colors != VertexColors::Ignore;
    place.uses_if(modes, Feature::VertexColorModes, "whether vertex colours are seen");
    if let Some(reference) = &material.reference {
        place.uses(Feature::MaterialReferences, format!("reference to {reference}"));
    }
    place.uses_if(material.texture_size.is_some(), Feature::TextureSizes, "size of the texture in texels");
    for slot in &material.textures {
        texture_uses(slot, place);
    }
    place.uses_if(
        !material.properties.is_empty(),
        Feature::MaterialProperties,
        list("properties", &material.properties),
    );
}

fn texture_uses(slot: &TextureSlot, place: &mut Place<'_, '_>) {
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
    place.uses(feature, format!("{what} texture"));
    let set = slot.wrap != [Wrap::Repeat; 2] || slot.strength != 1.0;
    place.uses_if(set, Feature::TextureSettings, format!("wrap and strength of the {what} texture"));
    place.uses_if(slot.uv_set != 0, Feature::TextureUvSets, format!("{what} texture on UV set {}", slot.uv_set));
}

type Found<'a> = &'a mut dyn FnMut(Feature, String, String);

/// An item, named once for all that it uses.
struct Place<'a, 'f> {
    kind: &'static str,
    index: usize,
    name: &'a str,
    found: &'f mut dyn FnMut(Feature, String, String),
}

impl<'a, 'f> Place<'a, 'f> {
    fn new(
        kind: &'static str,
        index: usize,
        name: &'a str,
        found: &'f mut (dyn FnMut(Feature, String, String) + 'f),
    ) -> Self {
        Self { kind, index, name, found }
    }

    fn uses(&mut self, feature: Feature, what: impl Display) {
        let of = if self.name.is_empty() { String::new() } else { format!(" of {:?}", self.name) };
        (self.found)(feature, format!("{}[{}]", self.kind, self.index), format!("{what}{of}"));
    }

    fn uses_if(&mut self, used: bool, feature: Feature, what: impl Display) {
        if used {
            self.uses(feature, what);
        }
    }
}

/// The names of properties, the first few of them.
fn list(what: &str, properties: &crate::Properties) -> String {
    const SHOWN: usize = 4;
    let names: Vec<&str> = properties.iter().map(|(name, _)| name).take(SHOWN).collect();
    let more = properties.len().saturating_sub(SHOWN);
    let more = if more == 0 { String::new() } else { format!(" and {more} more") };
    format!("{what} {}{more}", names.join(", "))
}
