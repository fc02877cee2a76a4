//! Meshes whose place shears: nodes of maps say where they are moved, turned and scaled, so the rest goes into the mesh.

use mapwright_scene as scene;
use mapwright_scene::transform::normalize;
use mapwright_scene::{Content, Transform};

use super::AXES;
use super::angles;
use super::columns::is_tangent;
use super::from::{Writer, path};
use super::meshes::turn;

impl Writer<'_, '_, '_> {
    /// Finds the meshes that shear and did not before, and divides their place. Instances cannot be changed so: these meshes are
    /// copies, which [`find_shared`](Self::find_shared) sees to.
    pub(super) fn divide_places(&mut self) {
        for index in 0..self.live.len() {
            let Some(&live) = self.live.get(index) else { break };
            let Some(node) = self.scene.nodes.get(live.id) else { continue };
            let is_mesh = matches!(node.content, Content::Mesh(_) | Content::Brush(_) | Content::Terrain(_));
            if !is_mesh || !shears(&live.world) || self.old_world(live.id) == Some(live.world) {
                continue;
            }
            let (origin, rotation, scales) = angles::nearest_trs(&live.world);
            let world = Transform::Trs { translation: origin, rotation, scale: scales };
            let world = AXES.transform(&world);
            let Some(baked) = angles::local(&world, &live.world) else { continue };
            self.losses
                .approximated(path(live.id), "a transform that shears space, partly in the vertices of the mesh");
            if let Some(live) = self.live.get_mut(index) {
                (live.world, live.baked) = (world, baked);
            }
        }
    }
}

/// Whether a node cannot say where it stands, but its vertices can: space has its three dimensions there.
pub(super) fn shears(world: &Transform) -> bool {
    world.determinant().is_normal() && angles::file_trs(world).is_none()
}

/// The mesh in the space that a transform without a mirror leads to, with all that has a direction.
pub(super) fn bake(mesh: &scene::Mesh, baked: &Transform) -> scene::Mesh {
    let mut mesh = mesh.transformed(baked).into_owned();
    for attribute in mesh.attributes.iter_mut().filter(|attribute| is_tangent(attribute)) {
        turn(&mut attribute.values, |direction| normalize(baked.vector(direction)).unwrap_or(direction));
    }
    for projection in mesh.face_projections.iter_mut().filter(|projection| projection.local) {
        projection.u = angles::plane_in_world(projection.u, baked);
        projection.v = angles::plane_in_world(projection.v, baked);
    }
    mesh
}
