//! Moves shear from transforms to vertices: Hammer transforms consist of origin, angles and scales.

use mapwright_scene as scene;
use mapwright_scene::transform::normalize;
use mapwright_scene::{Content, Transform};

use super::super::conventions::AXES;
use super::super::streams::{is_tangent, map_directions};
use super::super::transforms;
use super::context::{WriteContext, node_path};

/// Splits the transforms of meshes that shear now and did not before.
pub(super) fn split_sheared_transforms(context: &mut WriteContext<'_, '_, '_>) {
    for index in 0..context.reachable.len() {
        let reachable = context.reachable[index];
        let content = &context.scene.nodes[reachable.id].content;
        let is_mesh = matches!(content, Content::Mesh(_) | Content::Brush(_) | Content::Terrain(_));
        if !is_mesh || !is_sheared(&reachable.world) || context.old_world(reachable.id) == Some(reachable.world) {
            continue;
        }
        let (origin, rotation, scale) = transforms::nearest_to_map(&reachable.world);
        let world = AXES.transform(&Transform::Trs { translation: origin, rotation, scale });
        let Some(shear) = transforms::relative_to(&world, &reachable.world) else { continue };
        context.losses.approximated(node_path(reachable.id), "sheared transform, partly applied to the vertices");
        context.reachable[index].world = world;
        context.reachable[index].shear = shear;
    }
}

/// Returns `true` if a transform shears but does not collapse space.
pub(super) fn is_sheared(world: &Transform) -> bool {
    world.determinant().is_normal() && transforms::to_map(world).is_none()
}

/// Applies a shear to a mesh, including its directions.
pub(super) fn apply_shear(mesh: &scene::Mesh, shear: &Transform) -> scene::Mesh {
    let mut mesh = mesh.transformed(shear).into_owned();
    for attribute in mesh.attributes.iter_mut().filter(|attribute| is_tangent(attribute)) {
        map_directions(&mut attribute.values, |direction| normalize(shear.vector(direction)).unwrap_or(direction));
    }
    for projection in mesh.face_projections.iter_mut().filter(|projection| projection.local) {
        projection.u = transforms::plane_in_world(projection.u, shear);
        projection.v = transforms::plane_in_world(projection.v, shear);
    }
    mesh
}
