//! Features of scenes that maps can store.

use mapwright_scene::{Capabilities, Feature};

/// Returns the features of scenes that a map can store.
pub fn capabilities() -> Capabilities {
    use Feature as F;
    Capabilities::none()
        .full(&[F::Unit, F::HiddenNodes, F::Brushes, F::Entities, F::Materials, F::Prefabs, F::Sets])
        .full(&[F::PointLights, F::SpotLights, F::DirectionalLights, F::LightFalloff, F::Cameras, F::AimPoints])
        // Losses of these depend on the values, so the writer reports them.
        .full(&[F::Hierarchy, F::Transforms, F::Meshes, F::Polygons, F::Uvs, F::Projections, F::LightProperties])
        .full(&[F::BrushProperties, F::SideProperties, F::NodeProperties, F::SceneProperties, F::MeshProperties])
        .preserved(&[F::TextureSizes], "stored in the image")
        .approximated(F::SharedMeshes, "one solid per node")
        .approximated(F::AreaLights, "as a point light")
        .approximated(F::OtherLights, "as a point light")
        .approximated(F::Markers, "as an info_target")
        .approximated(F::Paths, "as path_corner entities")
        .approximated(F::BaseColorTextures, "by the name of the material")
}
