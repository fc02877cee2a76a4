//! Changes of scenes of Source 1 for maps of Source 2: paths of materials, models and other maps.

use mapwright_scene::{Content, Losses, Scene};

use crate::{ConvertOptions, Format};

/// Gives paths the form that Source 2 expects.
pub(super) fn adapt_scene(scene: &mut Scene, to: Format, _options: &ConvertOptions, losses: &mut Losses) {
    if !matches!(to, Format::Vmap | Format::KeyValues2) {
        return;
    }
    for (id, material) in scene.materials.iter_mut().filter(|(_, material)| material.reference.is_none()) {
        let name = material.name.replace('\\', "/").to_ascii_lowercase();
        if name != material.name {
            losses.approximated(format!("materials[{}]", id.index()), "name of the material, in lower case");
        }
        material.name = name;
    }
    for (id, entity) in scene.entities.iter_mut() {
        let Some(model) = &mut entity.model else { continue };
        if let Some(stem) = strip_extension(model, ".mdl") {
            let path = format!("entities[{}].model", id.index());
            losses.approximated(path, "path of the model: .mdl becomes .vmdl, which has to be compiled for Source 2");
            *model = format!("{}.vmdl", stem.replace('\\', "/").to_ascii_lowercase());
        }
    }
    for (id, node) in scene.nodes.iter_mut() {
        let Content::Prefab(prefab) = &mut node.content else { continue };
        let Some(stem) = strip_extension(&prefab.reference, ".vmf") else { continue };
        let stem = stem.replace('\\', "/").to_ascii_lowercase();
        let text = "path of the instance: a .vmap below maps, to which the other map has to be converted";
        losses.approximated(format!("nodes[{}]", id.index()), text);
        let folder = if stem.starts_with("maps/") { "" } else { "maps/" };
        prefab.reference = format!("{folder}{stem}.vmap");
    }
    report_classes(scene, losses);
}

/// Reports objects that have another form in Source 2.
fn report_classes(scene: &Scene, losses: &mut Losses) {
    for (id, entity) in scene.entities.iter() {
        if entity.class.eq_ignore_ascii_case("info_overlay") {
            let path = format!("entities[{}]", id.index());
            losses
                .approximated(path, "overlay, as an entity of Source 1 with a mesh: Source 2 has overlays of its own");
        }
    }
}

/// Returns a path without an extension, in any case.
fn strip_extension<'a>(path: &'a str, extension: &str) -> Option<&'a str> {
    let at = path.len().checked_sub(extension.len())?;
    let (stem, end) = path.split_at_checked(at)?;
    end.eq_ignore_ascii_case(extension).then_some(stem)
}
