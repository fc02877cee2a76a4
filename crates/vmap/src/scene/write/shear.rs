//! Moves shear and scale from transforms to vertices: Hammer transforms have no shear, and its meshes have no scale.

use mapwright_scene as scene;
use mapwright_scene::transform::normalize;
use mapwright_scene::{Content, Transform};

use super::super::conventions::AXES;
use super::super::streams::{is_tangent, map_directions};
use super::super::transforms;
use super::context::{WriteContext, node_path};

/// Splits the transforms of meshes that shear now and did not before, and of new meshes with a scale: meshes of Hammer have the
/// scale 1. Other new objects without a size lose their scale.
pub(super) fn split_transforms(context: &mut WriteContext<'_, '_, '_>) {
    for index in 0..context.reachable.len() {
        let reachable = context.reachable[index];
        let world = &reachable.world;
        let is_new = context.old[reachable.id.index()].is_none();
        let trs = world.to_trs().filter(|(.., scale)| is_new && has_size(scale) && world.determinant().is_normal());
        let mesh_world = match (&context.scene.nodes[reachable.id].content, trs) {
            (Content::Mesh(_) | Content::Brush(_) | Content::Terrain(_), Some((translation, rotation, scale))) => {
                let text = "scale of the node, applied to the vertices";
                context.losses.approximated(node_path(reachable.id), text);
                let shear = Transform::Trs { translation: [0.0; 3], rotation: NO_ROTATION, scale };
                Some((Transform::Trs { translation, rotation, scale: [1.0; 3] }, shear))
            }
            (Content::Mesh(_) | Content::Brush(_) | Content::Terrain(_), None) if is_sheared(world) => {
                if context.old_world(reachable.id) == Some(*world) {
                    continue;
                }
                context
                    .losses
                    .approximated(node_path(reachable.id), "sheared transform, partly applied to the vertices");
                let (translation, rotation, scale) = transforms::nearest_to_map(world);
                let scale = if is_new { [1.0; 3] } else { scale };
                let split = AXES.transform(&Transform::Trs { translation, rotation, scale });
                world.relative_to(&split).map(|shear| (split, shear))
            }
            (content, Some((translation, rotation, _))) if is_point(context.scene, content) => {
                context.losses.dropped(node_path(reachable.id), "scale of an object without a size");
                let world = Transform::Trs { translation, rotation, scale: [1.0; 3] };
                Some((world, Transform::IDENTITY))
            }
            _ => None,
        };
        if let Some((world, shear)) = mesh_world {
            context.reachable[index].world = world;
            context.reachable[index].shear = shear;
        }
    }
}

const NO_ROTATION: [f64; 4] = [0.0, 0.0, 0.0, 1.0];

/// Returns `true` for objects whose size does not follow from a scale.
fn is_point(scene: &scene::Scene, content: &Content) -> bool {
    match content {
        Content::Light(_) | Content::Marker => true,
        Content::Entity(id) => scene.entities[*id].model.is_none(),
        _ => false,
    }
}

/// Returns `true` if a scale differs from 1 by more than rounding.
fn has_size(scale: &[f64; 3]) -> bool {
    scale.iter().any(|factor| (factor - 1.0).abs() > 1e-7)
}

/// Returns `true` if a transform must be applied to the vertices of a new mesh, at least in part.
pub(super) fn changes_vertices(world: &Transform) -> bool {
    is_sheared(world) || world.to_trs().is_some_and(|(.., scale)| has_size(&scale))
}

/// Returns `true` if a transform shears but does not collapse space.
fn is_sheared(world: &Transform) -> bool {
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
