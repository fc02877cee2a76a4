//! Meshes that a format cannot store, at many nodes.

use crate::{Losses, MeshId, Scene};

/// Prevents an exporter from trying the same mesh at every node if the format cannot store the mesh.
///
/// A mesh may fit at one node and not at another, so each node is tried. After many failed faces, nodes of meshes that never
/// fitted are skipped and counted.
#[derive(Debug, Clone)]
pub struct Rejections {
    /// Number of faces that may still fail.
    left: u64,
    meshes: Vec<State>,
}

#[derive(Debug, Clone, Copy, Default)]
struct State {
    rejected: bool,
    accepted: bool,
    skipped: u64,
}

impl Rejections {
    /// Trying this many faces takes a fraction of a second.
    const FACES: u64 = 200_000;

    /// Creates the record for a scene.
    pub fn new(scene: &Scene) -> Self {
        Self { left: Self::FACES, meshes: vec![State::default(); scene.meshes.len()] }
    }

    /// Returns `true` if a node with the mesh must be skipped, and counts it.
    pub fn skips(&mut self, id: MeshId) -> bool {
        let Some(state) = self.meshes.get_mut(id.index()) else { return false };
        let skips = self.left == 0 && state.rejected && !state.accepted;
        state.skipped += u64::from(skips);
        skips
    }

    /// Records that the mesh fitted at a node.
    pub fn accept(&mut self, id: MeshId) {
        if let Some(state) = self.meshes.get_mut(id.index()) {
            state.accepted = true;
        }
    }

    /// Records that the mesh, which has this many faces, did not fit at a node.
    pub fn reject(&mut self, id: MeshId, faces: usize) {
        self.left = self.left.saturating_sub(faces.max(1) as u64);
        if let Some(state) = self.meshes.get_mut(id.index()) {
            state.rejected = true;
        }
    }

    /// Returns the meshes with skipped nodes, and the number of those nodes.
    pub fn skipped(&self) -> impl Iterator<Item = (MeshId, u64)> + use<'_> {
        let meshes = (0_u32..).map(MeshId::new).zip(&self.meshes);
        meshes.map(|(id, state)| (id, state.skipped)).filter(|(_, skipped)| *skipped > 0)
    }

    /// Adds a loss for each mesh with skipped nodes. `target` is what the mesh should have become, such as "a brush".
    pub fn report_skipped(&self, scene: &Scene, target: &str, losses: &mut Losses) {
        for (id, count) in self.skipped() {
            let name = scene.meshes.get(id).map(|mesh| &*mesh.name).filter(|name| !name.is_empty());
            let name = name.map(|name| format!(" {name:?}")).unwrap_or_default();
            let text = format!("{count} more nodes that use the mesh{name}, which was not {target} at any node tried");
            losses.dropped(format!("meshes[{}]", id.index()), text);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Mesh;

    #[test]
    fn meshes_that_never_fit_are_skipped_after_many_failures() {
        let mut scene = Scene::default();
        let [large, fits, new] = [(); 3].map(|()| scene.meshes.push(Mesh::default()));
        let mut rejections = Rejections::new(&scene);
        rejections.reject(large, 1000);
        assert!(!rejections.skips(large));
        rejections.accept(fits);
        rejections.reject(fits, 1000);
        rejections.reject(large, 1 << 30);
        assert!(rejections.skips(large) && rejections.skips(large));
        assert!(!rejections.skips(fits) && !rejections.skips(new));
        assert_eq!(rejections.skipped().collect::<Vec<_>>(), [(large, 2)]);

        let report = |scene: &Scene| {
            let mut losses = Losses::new();
            rejections.report_skipped(scene, "a brush", &mut losses);
            losses.iter().map(ToString::to_string).collect::<Vec<_>>()
        };
        let text = "which was not a brush at any node tried";
        assert_eq!(report(&scene), [format!("dropped: meshes[0]: 2 more nodes that use the mesh, {text}")]);
        scene.meshes[large].name = "rock".into();
        assert_eq!(report(&scene), [format!("dropped: meshes[0]: 2 more nodes that use the mesh \"rock\", {text}")]);
    }
}
