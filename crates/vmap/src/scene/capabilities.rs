//! Features of scenes that maps can store.

use mapwright_scene::{Capabilities, Feature};

/// Returns the features of scenes that a map can store.
pub fn capabilities() -> Capabilities {
    use Feature as F;
    Capabilities::none()
        .full(&[F::Unit, F::Hierarchy, F::Transforms, F::HiddenNodes, F::LockedNodes, F::NodeInstances, F::Prefabs])
        .full(&[F::Meshes, F::Polygons, F::Uvs, F::MoreUvSets, F::Colors, F::HardEdges, F::Normals, F::Projections])
        .full(&[F::Attributes, F::Entities, F::Paths, F::Materials, F::MaterialReferences, F::Sets])
        .full(&[F::DirectionalLights, F::PointLights, F::SpotLights, F::AreaLights, F::AmbientLights, F::Cameras])
        .full(&[F::AimPoints, F::NodeProperties, F::SceneProperties])
        // Losses of these depend on the values, so the writer reports them.
        .full(&[F::SetNames, F::MeshNames, F::MeshProperties, F::LightProperties, F::PartialUvs, F::OtherLights])
        .full(&[F::SharedMeshes])
        .full(&[F::LightFalloff, F::LightTerms])
        .approximated(F::Instances, "as one node each")
        .approximated(F::Brushes, "as a mesh")
        .approximated(F::Terrains, "as a mesh of triangles")
        .approximated(F::Markers, "as an info_target")
        .approximated(F::Mirrors, "as real geometry")
        .approximated(F::Holes, "as missing faces")
        .approximated(F::TextureSizes, "only used to fit projections")
        .approximated(F::LightUnits, "as plain brightness")
}
