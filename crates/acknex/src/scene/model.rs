//! Models → scenes.

use mapwright_scene::Import;

use super::ImportOptions;
use super::geometry::{add_mesh, build_mesh, report_repairs};
use super::materials::add_skins;
use crate::Model;

/// Converts a model to a scene with one mesh.
pub fn model_to_scene(model: &Model, options: &ImportOptions) -> Import {
    let mut import = Import::default();
    let mut is_used = vec![false; model.skins.len()];
    let skins = model.groups.iter().flat_map(|group| &group.triangles).filter_map(|triangle| triangle.skin);
    for skin in skins {
        let skin = usize::try_from(skin).unwrap_or(usize::MAX);
        is_used.get_mut(skin).into_iter().for_each(|used| *used = true);
    }
    let materials = add_skins(&mut import, &model.skins, &is_used, options);
    let mesh = build_mesh(&model.groups, &materials, options, &mut import.losses);
    add_mesh(&mut import, mesh);
    report_repairs(&model.repairs, &mut import.losses);
    if model.groups.len() > 1 && model.groups.iter().any(|group| !group.name.text().is_empty()) {
        import.losses.dropped("groups", "names of groups, which become one mesh");
    }
    if !model.bones.is_empty() {
        import.losses.dropped("bones", format!("bones and their animation: {}", model.bones.len()));
    }
    import
}
