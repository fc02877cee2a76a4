//! Capabilities of formats, and the losses that follow from them.

use std::collections::BTreeMap;

use crate::{Losses, Scene};

/// A feature of scenes that some formats cannot store.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum Feature {
    /// The name of the scene.
    SceneNames,
    /// Child nodes.
    Hierarchy,
    /// Transforms of nodes. Lights and cameras without children are excluded: every format can place them.
    Transforms,
    /// Hidden nodes.
    HiddenNodes,
    /// Nodes that the editor locks.
    LockedNodes,
    /// Polygon meshes.
    Meshes,
    /// Names of meshes that differ from the name of the node.
    MeshNames,
    /// Meshes that several nodes share.
    SharedMeshes,
    /// Faces with more than 3 vertices.
    Polygons,
    /// A set of texture coordinates.
    Uvs,
    /// More than one set of texture coordinates.
    MoreUvSets,
    /// Names of sets of texture coordinates and of vertex colours.
    SetNames,
    /// Faces with texture coordinates on only some of their corners.
    PartialUvs,
    /// Vertex colours.
    Colors,
    /// More than one set of vertex colours.
    MoreColorSets,
    /// Hard edges, and the shading of other edges.
    HardEdges,
    /// Stored normals.
    Normals,
    /// Faces that the editor hides.
    HiddenFaces,
    /// Faces that are holes.
    Holes,
    /// Faces with 2 vertices.
    TwoCornerFaces,
    /// Virtual mirrors.
    Mirrors,
    /// Texture projections.
    Projections,
    /// Other columns of numbers on meshes and terrains.
    Attributes,
    /// Brushes.
    Brushes,
    /// Free properties of brushes.
    BrushProperties,
    /// Free properties of the sides of brushes.
    SideProperties,
    /// Terrains.
    Terrains,
    /// Water levels of terrains.
    WaterLevels,
    /// Free properties of terrains.
    TerrainProperties,
    /// Tile layers and sets.
    Tiles,
    /// Tile layers whose cells are not rectangles in rows and columns.
    TileLayouts,
    /// Instance sets.
    Instances,
    /// Instances of other nodes.
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
    /// Other kinds of lights.
    OtherLights,
    /// Falloff of lights: terms other than 1, 0, 0, the exponent of spot lights, and a range.
    LightFalloff,
    /// Photometric intensities.
    LightUnits,
    /// Contributions of lights to ambient light and highlights.
    LightTerms,
    /// Exact target points of lights and cameras.
    AimPoints,
    /// Perspective cameras.
    Cameras,
    /// Orthographic cameras.
    OrthographicCameras,
    /// Materials: name and base colour.
    Materials,
    /// Metallic and roughness.
    MetallicRoughness,
    /// Emissive colours.
    Emission,
    /// Ambient, specular, shininess.
    ClassicTerms,
    /// Opacity below 1, and its mode.
    Alpha,
    /// Cut-off opacity.
    AlphaMask,
    /// Double-sided faces.
    DoubleSided,
    /// Use of vertex colours.
    VertexColorModes,
    /// References to materials in the game's files.
    MaterialReferences,
    /// Sizes of textures in texels.
    TextureSizes,
    /// Textures for the base colour.
    BaseColorTextures,
    /// Textures for normals.
    NormalTextures,
    /// Textures for heights.
    BumpTextures,
    /// Separate textures for metalness and for roughness.
    SeparateMetalRoughTextures,
    /// Combined textures for metalness and roughness.
    MetallicRoughnessTextures,
    /// Textures for occlusion.
    OcclusionTextures,
    /// Textures for emitted light.
    EmissionTextures,
    /// Textures for smoothness.
    GlossTextures,
    /// Textures for opacity.
    OpacityTextures,
    /// Textures for other usages.
    OtherTextures,
    /// Behaviour of textures beyond their edges, and their strength.
    TextureSettings,
    /// Textures on other UV sets than the first.
    TextureUvSets,
    /// Images in the scene.
    EmbeddedImages,
    /// References to image files.
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

/// The support of a format for a feature.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Support {
    /// The feature comes back equal.
    Full,
    /// The feature comes back equal, but other programs ignore it or see what the text states.
    Preserved(&'static str),
    /// The feature is stored differently, as the text states: "triangulated".
    Approximated(&'static str),
    /// The feature cannot be stored.
    None,
}

/// The features that a format can store. Features that are not listed cannot be stored.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Capabilities {
    support: BTreeMap<Feature, Support>,
}

impl Capabilities {
    /// Creates the capabilities of a format that can store nothing.
    pub const fn none() -> Self {
        Self { support: BTreeMap::new() }
    }

    /// Adds features that survive a round trip.
    #[must_use]
    pub fn full(mut self, features: &[Feature]) -> Self {
        self.support.extend(features.iter().map(|&feature| (feature, Support::Full)));
        self
    }

    /// Adds features that survive a round trip, although other programs ignore them or show them as `how` states.
    #[must_use]
    pub fn preserved(mut self, features: &[Feature], how: &'static str) -> Self {
        self.support.extend(features.iter().map(|&feature| (feature, Support::Preserved(how))));
        self
    }

    /// Adds a feature that is stored differently.
    #[must_use]
    pub fn approximated(mut self, feature: Feature, how: &'static str) -> Self {
        self.support.insert(feature, Support::Approximated(how));
        self
    }

    /// Returns the support for a feature.
    pub fn support(&self, feature: Feature) -> Support {
        self.support.get(&feature).copied().unwrap_or(Support::None)
    }

    /// Returns the losses of a scene in this format: one for each use of a feature that the format cannot store, or stores
    /// differently.
    ///
    /// Exporters only add losses that depend on their data, such as rounded numbers.
    pub fn losses(&self, scene: &Scene) -> Losses {
        let mut losses = Losses::new();
        scene.visit_features(|feature, path, what| match self.support(feature) {
            Support::Full => {}
            Support::Preserved(how) => losses.preserved(path, format!("{what}: {how}")),
            Support::Approximated(how) => losses.approximated(path, format!("{what}: {how}")),
            Support::None => losses.dropped(path, what),
        });
        losses
    }
}
