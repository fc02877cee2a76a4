//! Changes of scenes of Source 2 for maps of Source 1: paths of materials, models and other maps.

use mapwright_scene::{Content, Losses, Scene};

use crate::{ConvertOptions, Format};

/// Gives paths the form that Source 1 expects.
pub(super) fn adapt_scene(scene: &mut Scene, to: Format, _options: &ConvertOptions, losses: &mut Losses) {
    if to != Format::Vmf {
        return;
    }
    for (id, material) in scene.materials.iter_mut() {
        let usual = format!("materials/{}.vmat", material.name);
        if material.reference.take_if(|reference| *reference == usual).is_some() {
            let path = format!("materials[{}]", id.index());
            losses.approximated(path, "reference of the material, without materials/ and .vmat");
        }
    }
    for (id, entity) in scene.entities.iter_mut() {
        let Some(stem) = entity.model.as_deref().and_then(|model| model.strip_suffix(".vmdl")) else { continue };
        let path = format!("entities[{}].model", id.index());
        losses.approximated(path, "path of the model: .vmdl becomes .mdl, which has to be compiled for Source 1");
        entity.model = Some(format!("{stem}.mdl"));
    }
    for (id, node) in scene.nodes.iter_mut() {
        let Content::Prefab(prefab) = &mut node.content else { continue };
        let Some(stem) = prefab.reference.strip_suffix(".vmap") else { continue };
        let text = "path of the prefab: a .vmf without maps, to which the other map has to be converted";
        losses.approximated(format!("nodes[{}]", id.index()), text);
        prefab.reference = format!("{}.vmf", stem.strip_prefix("maps/").unwrap_or(stem));
    }
}
