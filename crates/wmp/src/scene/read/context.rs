//! State of reading a scene.

use hashbrown::HashMap;
use mapwright_scene::{Losses, Material, MaterialId, Scene, Transform};

use crate::resolve::Resolved;
use crate::resolve::transform::{IDENTITY, Matrix};
use crate::scene::AXES;
use crate::scene::values::name_text;
use crate::{Document, Name};

/// The document and the scene that is made of it.
pub(super) struct Context<'a> {
    pub(super) document: &'a Document,
    pub(super) scene: Scene,
    pub(super) losses: Losses,
    materials: HashMap<&'a Name, MaterialId>,
    /// Outward normals of the faces in the world, by block.
    normals: HashMap<usize, Vec<[f64; 3]>>,
}

impl<'a> Context<'a> {
    pub(super) fn new(document: &'a Document, resolved: &Resolved) -> Self {
        let normals = resolved
            .blocks
            .iter()
            .map(|block| (block.block, block.faces.iter().map(|face| face.normal).collect()))
            .collect();
        Self { document, scene: Scene::default(), losses: Losses::new(), materials: HashMap::new(), normals }
    }

    /// Takes the normals of the faces of a block. Blocks outside of the tree have none.
    pub(super) fn take_normals(&mut self, block: usize) -> Vec<[f64; 3]> {
        self.normals.remove(&block).unwrap_or_default()
    }

    /// Returns the material of a texture, created on first use.
    pub(super) fn material(&mut self, texture: &'a Name) -> MaterialId {
        let scene = &mut self.scene;
        *self.materials.entry(texture).or_insert_with(|| scene.materials.push(Material::new(name_text(texture))))
    }

    /// Returns a transform in the axes of scenes. Numbers that are not finite are reported and give the identity.
    pub(super) fn transform(&mut self, key: &str, position: [f64; 3], turn: &Matrix, scale: [f64; 3]) -> Transform {
        let rotation = quaternion(turn);
        if position.iter().chain(&rotation).chain(&scale).any(|number| !number.is_finite()) {
            self.losses.repaired(key, "position, rotation or scale is not finite: moved to the origin");
            return Transform::IDENTITY;
        }
        AXES.transform(&Transform::Trs { translation: position, rotation, scale })
    }
}

/// Returns the quaternion of a rotation, in the axes of files.
fn quaternion(turn: &Matrix) -> [f64; 4] {
    const NONE: [f64; 4] = [0.0, 0.0, 0.0, 1.0];
    if *turn == IDENTITY {
        return NONE;
    }
    let [[a, b, c], [d, e, f], [g, h, i]] = *turn;
    let columns = [[a, d, g, 0.0], [b, e, h, 0.0], [c, f, i, 0.0], [0.0, 0.0, 0.0, 1.0]];
    Transform::Matrix(columns).to_trs().map_or(NONE, |(_, rotation, _)| rotation)
}
