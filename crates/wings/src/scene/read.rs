//! Document → scene.

mod folders;
mod images;
mod lights;
mod materials;
mod meshes;
mod numbers;
mod objects;
mod selections;
mod views;

use mapwright_etf::List;
use mapwright_io::format_count;
use mapwright_scene::{ColorSpace, Losses, Scene};

use super::imported::ImportedScene;
use super::plugin_states::plugin_modules;
use super::report::{NameList, is_selection, report_unread, report_unread_selections};
use crate::read::{ModelReader, find_replaced_elements};
use crate::{Document, Model, ReadError};

/// Converts a document to a scene.
pub(super) fn read_document(document: &Document) -> Result<ImportedScene, ReadError> {
    let (model, losses) = read_model(document)?;
    let mut imported = ImportedScene {
        model,
        scene: Scene { color_space: ColorSpace::Srgb, ..Scene::default() },
        losses,
        materials: Vec::new(),
        images: Vec::new(),
        objects: Vec::new(),
    };
    // Images before materials, which refer to them by id. A material may also contain an image, which is added after these.
    let images = images::read_images(&mut imported);
    // Materials before objects, whose faces refer to them by name.
    let names = materials::read_materials(&mut imported, &images);
    // Objects, lights and views in this order: it is the order of the nodes, and writing reports a different one.
    objects::read_objects(&mut imported, &names);
    lights::read_lights(&mut imported);
    views::read_views(&mut imported);
    // Selections after objects, whose faces and nodes they refer to.
    selections::read_selections(&mut imported);
    report_properties(&mut imported);
    Ok(imported)
}

/// Reads the model of a document, with the parts of the document that it does not keep.
pub(super) fn read_model(document: &Document) -> Result<(Model, Losses), ReadError> {
    let (model, repairs) = document.model_and_repairs()?;
    let mut losses = Losses::new();
    for (object, repair) in repairs {
        losses.repaired(format!("shapes[{object}]"), repair.to_string());
    }
    report_replaced_elements(document, &mut losses)?;
    Ok((model, losses))
}

/// Reports elements of meshes that a later one of the same entry replaces.
fn report_replaced_elements(document: &Document, losses: &mut Losses) -> Result<(), ReadError> {
    let lists = ModelReader::new(document).find_lists(document.payload().tree().root())?;
    let shapes = lists.shapes.as_list().filter(|_| lists.version == 2).map(List::items).into_iter().flatten();
    for (index, mesh) in shapes.enumerate().filter_map(|(index, shape)| Some((index, shape.term()?.element(2)?))) {
        let mut count = 0_usize;
        find_replaced_elements(mesh, |_, _| count = count.saturating_add(1));
        if count > 0 {
            let text = format!("{} that a later one of the same entry replaces", format_count(count, "element"));
            losses.dropped(format!("shapes[{index}].mesh"), text);
        }
    }
    Ok(())
}

/// Reports the properties that scenes cannot store.
fn report_properties(imported: &mut ImportedScene) {
    let ImportedScene { model, losses, .. } = imported;
    report_unread(model, "views", model.views().len(), losses);
    report_unread(model, "images", model.images().len(), losses);
    report_unread(model, "lights", model.lights().len(), losses);
    let (mut not_pairs, mut unknown, mut plugins) = (NameList::default(), NameList::default(), NameList::default());
    let mut selections = 0_usize;
    for item in &model.props.items {
        let root = item.root();
        let Some([key, value]) = root.as_tuple_of() else {
            not_pairs.push(|| format!("{root:?}"));
            continue;
        };
        let name = key.as_atom().map(|name| name.name().into_owned());
        let is_empty = value.as_list().is_some_and(List::is_empty);
        match name.as_deref() {
            _ if is_selection(root) => selections = selections.saturating_add(1),
            Some("views" | "images" | "lights") => {}
            Some("scene_prefs" | "palette") if is_empty => {}
            Some("current_view") if value.as_i64() == Some(0) => {}
            Some("plugin_states") => plugin_modules(value).for_each(|module| plugins.push(|| module)),
            Some("scene_prefs") => losses.dropped("props.scene_prefs", "settings of renderers"),
            Some("palette") => losses.dropped("props.palette", "colours of the palette"),
            Some("current_view") => losses.dropped("props.current_view", "number of the current view"),
            _ => unknown.push(|| format!("{key:?}")),
        }
    }
    plugins.report("props.plugin_states", "data of the plug-ins", losses);
    not_pairs.report("props", "terms that are not properties:", losses);
    unknown.report("props", "unknown properties", losses);
    report_unread_selections(selections, model.selections().len(), losses);
}
