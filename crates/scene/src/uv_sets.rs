//! Selection of UV sets for formats with one.

use std::borrow::Cow;

use crate::{CornerColumn, Losses, Material, MaterialId, Mesh, Scene, TextureUsage};

impl Scene {
    /// Returns the scene with the texture coordinates that the textures use in the first set of each mesh, for formats with one
    /// set: those of the base colour, or of the first texture. Other textures of a material move to that set, too. Both is
    /// reported. Without a texture on another set, the scene is unchanged.
    pub fn with_texture_uv_set_first(&self, losses: &mut Losses) -> Cow<'_, Self> {
        let sets: Vec<usize> = self.materials.items().iter().map(main_uv_set).collect();
        if sets.iter().all(|&set| set == 0) {
            return Cow::Borrowed(self);
        }
        let mut scene = self.clone();
        let set_of = |material: Option<MaterialId>| material.and_then(|id| sets.get(id.index()).copied()).unwrap_or(0);
        scene.meshes.iter_mut().for_each(|(_, mesh)| mesh.move_uv_sets_first(set_of));
        for ((id, material), &set) in scene.materials.iter_mut().zip(&sets) {
            let path = format!("materials[{}]", id.index());
            if set != 0 {
                losses.approximated(&*path, format!("texture coordinates of UV set {set}, in the first set"));
            }
            let others = material.textures.iter().filter(|slot| slot.uv_set != set).count();
            if others > 0 {
                let text = "textures with other texture coordinates, with those of the base colour";
                losses.approximated(path, text);
            }
            material.textures.iter_mut().for_each(|slot| slot.uv_set = 0);
        }
        Cow::Owned(scene)
    }
}

impl Mesh {
    /// Copies the coordinates of a set for each material to the first set.
    fn move_uv_sets_first(&mut self, set_of: impl Fn(Option<MaterialId>) -> usize) {
        let sets = (0..self.faces.len()).map(|face| set_of(self.face_material(face)));
        let [smallest, largest] = [sets.clone().min(), sets.max()];
        if let Some(set) = smallest.filter(|set| largest == Some(*set) && *set < self.uv_sets.len()) {
            self.uv_sets.swap(0, set);
            return;
        }
        let Some(first) = self.uv_sets.first() else { return };
        let (origin, mut corners) = (first.origin, CornerColumn::new());
        for face in 0..self.faces.len() {
            let set = self.uv_sets.get(set_of(self.face_material(face)));
            let range = self.faces.corner_range(face).unwrap_or_default();
            corners.extend(range.map(|corner| set.and_then(|set| set.at(corner, origin))));
        }
        if let Some(first) = self.uv_sets.first_mut() {
            first.corners = corners;
        }
    }
}

/// Returns the UV set of the base colour, or of the first texture.
fn main_uv_set(material: &Material) -> usize {
    let slot = material.texture(&TextureUsage::BaseColor).or_else(|| material.textures.first());
    slot.map_or(0, |slot| slot.uv_set)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Id, ImageId, TextureSlot, UvOrigin, UvSet};

    #[test]
    fn faces_get_the_coordinates_of_their_texture() {
        let mut scene = Scene::default();
        for (name, set) in [("first", 0), ("second", 1)] {
            let slot = |usage, uv_set| TextureSlot { uv_set, ..TextureSlot::new(usage, ImageId::new(0)) };
            let textures = vec![slot(TextureUsage::Occlusion, 0), slot(TextureUsage::BaseColor, set)];
            scene.materials.push(Material { textures, ..Material::new(name) });
        }
        let set = |origin, u| UvSet { origin, corners: CornerColumn::filled(Some([u, 0.25]), 9), ..UvSet::default() };
        scene.meshes.push(Mesh {
            faces: [[0, 1, 2], [2, 1, 3], [0, 2, 3]].into_iter().collect(),
            face_materials: vec![Some(Id::new(0)), Some(Id::new(1)), None],
            uv_sets: vec![set(UvOrigin::TopLeft, 0.0), set(UvOrigin::LowerLeft, 1.0)],
            ..Mesh::default()
        });
        let mut losses = Losses::new();
        let changed = scene.with_texture_uv_set_first(&mut losses);
        let corners = &changed.meshes.items()[0].uv_sets[0].corners;
        assert_eq!(
            [0, 3, 6].map(|corner| corners.get(corner)),
            [Some([0.0, 0.25]), Some([1.0, 0.75]), Some([0.0, 0.25])]
        );
        assert!(changed.materials.items().iter().flat_map(|material| &material.textures).all(|slot| slot.uv_set == 0));
        assert_eq!(losses.items.len(), 2);
        assert!(losses.iter().all(|loss| loss.to_string().starts_with("approximated: materials[1]")));
        let again = changed.with_texture_uv_set_first(&mut losses);
        assert!(matches!(again, Cow::Borrowed(_)));
    }
}
