//! Features of scenes that documents can store.

use mapwright_scene::{Capabilities, Feature as F};

/// Returns the features of scenes that a document can store.
pub fn capabilities() -> Capabilities {
    Capabilities::none()
        .full(&[F::Hierarchy, F::Transforms, F::HiddenNodes, F::LockedNodes, F::Meshes, F::Polygons])
        .full(&[F::Uvs, F::Colors, F::HardEdges, F::HiddenFaces, F::Holes, F::Mirrors])
        .full(&[F::AmbientLights, F::DirectionalLights, F::PointLights, F::SpotLights, F::AreaLights, F::OtherLights])
        .full(&[F::LightFalloff, F::LightTerms, F::AimPoints, F::Cameras])
        .full(&[F::Materials, F::MetallicRoughness, F::Emission, F::ClassicTerms, F::Alpha, F::DoubleSided])
        .full(&[F::VertexColorModes, F::BaseColorTextures, F::NormalTextures, F::BumpTextures])
        .full(&[F::SeparateMetalRoughTextures, F::OcclusionTextures, F::EmissionTextures, F::GlossTextures])
        .full(&[F::OtherTextures, F::OpacityTextures, F::EmbeddedImages, F::ExternalImages, F::Sets])
        // Losses of these depend on the values. The modules that write them report those.
        .full(&[F::PartialUvs, F::Normals, F::LightProperties, F::TwoCornerFaces, F::SceneProperties])
        .full(&[F::SceneNames, F::MeshNames, F::SharedMeshes, F::LightUnits])
        .approximated(F::OrthographicCameras, "made perspective")
        .approximated(F::AlphaMask, "blended")
        .approximated(F::MetallicRoughnessTextures, "written as both the metallic and the roughness texture")
}
