//! What a target can say, and what of a scene it therefore loses.

use std::collections::BTreeMap;

use crate::{Losses, Scene};

/// Something that a scene can hold and a format may or may not be able to say.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum Feature {
    /// A name of the scene.
    SceneNames,
    /// Nodes below nodes.
    Hierarchy,
    /// Nodes away from the place of their parent; lights and cameras with nothing below are always somewhere.
    Transforms,
    /// Nodes that are not shown.
    HiddenNodes,
    /// Nodes that the editor does not let change.
    LockedNodes,
    /// Polygon meshes.
    Meshes,
    /// Names of meshes that are not that of the node.
    MeshNames,
    /// Meshes that several nodes show.
    SharedMeshes,
    /// Faces of more than three corners.
    Polygons,
    /// A set of texture coordinates.
    Uvs,
    /// More than one.
    MoreUvSets,
    /// Names of sets of texture coordinates and of colours.
    SetNames,
    /// Faces with texture coordinates on some of their corners only.
    PartialUvs,
    /// Colours of corners.
    Colors,
    /// More than one set of them.
    MoreColorSets,
    /// Edges that split the shading, and what is said about the rest.
    HardEdges,
    /// Stored normals.
    Normals,
    /// Faces that the editor hides.
    HiddenFaces,
    /// Faces that are no surface.
    Holes,
    /// Faces of two corners.
    TwoCornerFaces,
    /// Virtual mirrors.
    Mirrors,
    /// Texture projections.
    Projections,
    /// Columns of numbers without a field of their own, on meshes and height fields.
    Attributes,
    /// Brushes.
    Brushes,
    /// Free properties of brushes.
    BrushProperties,
    /// Free properties of the sides of brushes.
    SideProperties,
    /// Height fields.
    Terrains,
    /// Where the water of height fields stands.
    WaterLevels,
    /// Free properties of height fields.
    TerrainProperties,
    /// Tile layers and sets.
    Tiles,
    /// Instance sets.
    Instances,
    /// Nodes that show another one again.
    NodeInstances,
    /// Sounds.
    Sounds,
    /// Paths.
    Paths,
    /// Named places.
    Markers,
    /// Entities.
    Entities,
    /// References to other files.
    Prefabs,
    /// Ambient lights.
    AmbientLights,
    /// Directional lights.
    DirectionalLights,
    /// Point lights.
    PointLights,
    /// Spot lights.
    SpotLights,
    /// Lights with a surface.
    AreaLights,
    /// Lights of a kind without a name here.
    OtherLights,
    /// How lights fade: terms other than 1, 0, 0, the exponent of spots, and an end.
    LightFalloff,
    /// Intensities in units of photometry.
    LightUnits,
    /// What lights add to ambient light and highlights.
    LightTerms,
    /// The exact points that lights and cameras are aimed at.
    AimPoints,
    /// Perspective cameras.
    Cameras,
    /// Cameras without vanishing points.
    OrthographicCameras,
    /// Materials: name and base colour.
    Materials,
    /// Metallic and roughness.
    MetallicRoughness,
    /// Emissive colours.
    Emission,
    /// Ambient, specular, shininess.
    ClassicTerms,
    /// Opacity below 1 and what it does.
    Alpha,
    /// Cutting off at an opacity.
    AlphaMask,
    /// Faces drawn from behind.
    DoubleSided,
    /// Whether colours of corners are seen.
    VertexColorModes,
    /// Materials that the game holds, not the file.
    MaterialReferences,
    /// How many texels textures have.
    TextureSizes,
    /// Textures for the base colour.
    BaseColorTextures,
    /// Textures for normals.
    NormalTextures,
    /// Textures for heights.
    BumpTextures,
    /// Textures for metalness and for roughness, each alone.
    SeparateMetalRoughTextures,
    /// Textures for both in one.
    MetallicRoughnessTextures,
    /// Textures for occlusion.
    OcclusionTextures,
    /// Textures for light given off.
    EmissionTextures,
    /// Textures for smoothness.
    GlossTextures,
    /// Textures for opacity.
    OpacityTextures,
    /// Textures for something without a name here.
    OtherTextures,
    /// What textures do beyond their edge, and how strongly they act.
    TextureSettings,
    /// Textures on another UV set than the first.
    TextureUvSets,
    /// Images in the scene.
    EmbeddedImages,
    /// Images elsewhere.
    ExternalImages,
    /// Named selections.
    Sets,
    /// Free properties of the scene.
    SceneProperties,
    /// Free properties of nodes.
    NodeProperties,
    /// Free properties of meshes.
    MeshProperties,
    /// Free properties of materials.
    MaterialProperties,
    /// Free properties of lights and cameras.
    LightProperties,
    /// The length of a unit.
    Unit,
}

/// How well a target says something.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Support {
    /// It comes back equal.
    Full,
    /// It comes back equal, but other programs do not see it, or see what the text names.
    Preserved(&'static str),
    /// In another way, which the text names: "triangulated".
    Approximated(&'static str),
    /// Not at all.
    None,
}

/// What a target can say. What is not named it cannot.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Capabilities {
    support: BTreeMap<Feature, Support>,
}

impl Capabilities {
    /// A target that can say nothing.
    pub const fn none() -> Self {
        Self { support: BTreeMap::new() }
    }

    /// The same with features that come back equal.
    #[must_use]
    pub fn full(mut self, features: &[Feature]) -> Self {
        self.support.extend(features.iter().map(|&feature| (feature, Support::Full)));
        self
    }

    /// The same with features that come back equal, but that other programs do not see as they are.
    #[must_use]
    pub fn preserved(mut self, features: &[Feature], how: &'static str) -> Self {
        self.support.extend(features.iter().map(|&feature| (feature, Support::Preserved(how))));
        self
    }

    /// The same with a feature that is said in another way.
    #[must_use]
    pub fn approximated(mut self, feature: Feature, how: &'static str) -> Self {
        self.support.insert(feature, Support::Approximated(how));
        self
    }

    /// How well a feature is said.
    pub fn support(&self, feature: Feature) -> Support {
        self.support.get(&feature).copied().unwrap_or(Support::None)
    }

    /// What of a scene the target loses or keeps for itself: for every feature that the scene uses and the target cannot
    /// say, or says in another way, where and what.
    ///
    /// This is the one place where that is computed; exporters add what only they can know, such as numbers that
    /// they had to round.
    pub fn losses(&self, scene: &Scene) -> Losses {
        let mut losses = Losses::new();
        scene.uses(|feature, path, what| match self.support(feature) {
            Support::Full => {}
            Support::Preserved(how) => losses.preserved(path, format!("{what}: {how}")),
            Support::Approximated(how) => losses.approximated(path, format!("{what}: {how}")),
            Support::None => losses.dropped(path, what),
        });
        losses
    }
}
