//! Materials → names of textures.

use mapwright_scene::{Losses, Scene};

use crate::scene::textures::PATCH;

/// Marks materials of meshes with texture coordinates but no projections: the sizes of their textures are needed. Patches store
/// texture coordinates.
pub(super) fn mapped_materials(scene: &Scene) -> Vec<bool> {
    let mut used = vec![false; scene.materials.len()];
    let meshes = scene.meshes.items().iter().filter(|mesh| mesh.properties.get(PATCH).is_none());
    let mapped = meshes.filter(|mesh| !mesh.uv_sets.is_empty() && mesh.face_projections.is_empty());
    for material in mapped.flat_map(|mesh| &mesh.face_materials).flatten() {
        used.get_mut(material.index()).into_iter().for_each(|used| *used = true);
    }
    used
}

/// Returns the texture names of materials. Characters that a line cannot have are replaced.
pub(super) fn texture_names(scene: &Scene, losses: &mut Losses) -> Vec<String> {
    let mut names = Vec::with_capacity(scene.materials.len());
    for (id, material) in scene.materials.iter() {
        let is_bad = |letter: char| letter.is_control() && letter != '\t';
        let mut name: String = material.name.chars().map(|letter| if is_bad(letter) { '_' } else { letter }).collect();
        // A quote before a brace would end the name.
        name = name.replace("\"}", "'}");
        if name.is_empty() {
            name = format!("material_{}", id.index());
        }
        if name != material.name {
            let path = format!("materials[{}]", id.index());
            losses.approximated(path, format!("the name {:?} is renamed to {name:?}", material.name));
        }
        names.push(name);
    }
    names
}
