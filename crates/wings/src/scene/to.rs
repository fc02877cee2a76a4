//! Document → scene.

use std::collections::HashMap;

use mapwright_etf::{List, Term};
use mapwright_scene as scene;
use mapwright_scene::{Losses, Scene};

use super::objects::Place;
use super::terms::{Names, report_unread};
use super::{cameras, images, lights, materials, objects, sets};
use crate::{Document, Model, ReadError};

/// A document that was read into a scene, and where in it the parts of the scene come from.
pub(super) struct Reading {
    pub(super) model: Model,
    pub(super) scene: Scene,
    pub(super) losses: Losses,
    /// The entry of each material of the scene.
    pub(super) materials: Vec<usize>,
    /// The image of each image of the scene; those that stand in materials follow and have none.
    pub(super) images: Vec<usize>,
    /// The node of each shape that could be read.
    pub(super) objects: Vec<Option<Place>>,
}

pub(super) fn read(document: &Document) -> Result<Reading, ReadError> {
    let (model, repairs) = document.model_and_repairs()?;
    let mut reading = Reading {
        model,
        scene: Scene { color_space: scene::ColorSpace::Srgb, ..Scene::default() },
        losses: Losses::new(),
        materials: Vec::new(),
        images: Vec::new(),
        objects: Vec::new(),
    };
    for (object, repair) in repairs {
        reading.losses.repaired(format!("shapes[{object}]"), repair.to_string());
    }
    let ids = images::read(&mut reading);
    let names = materials::read(&mut reading, &ids);
    objects::read(&mut reading, &names);
    lights::read(&mut reading);
    cameras::read(&mut reading);
    sets::read(&mut reading);
    rest(&mut reading);
    Ok(reading)
}

/// Scene properties that scenes have no place for.
fn rest(reading: &mut Reading) {
    let Reading { model, losses, .. } = reading;
    report_unread(model, "views", model.views().len(), losses);
    report_unread(model, "images", model.images().len(), losses);
    report_unread(model, "lights", model.lights().len(), losses);
    let (mut odd, mut unknown, mut plugins) = (Names::default(), Names::default(), Names::default());
    let mut selections = 0_usize;
    for item in &model.props.items {
        let root = item.root();
        let Some([key, value]) = root.as_tuple_of() else {
            odd.push(|| format!("{root:?}"));
            continue;
        };
        let name = key.as_atom().map(|name| name.name().into_owned());
        let empty = value.as_list().is_some_and(List::is_empty);
        match name.as_deref() {
            _ if sets::is_selection(root) => selections = selections.saturating_add(1),
            Some("views" | "images" | "lights") => {}
            Some("scene_prefs" | "palette") if empty => {}
            Some("current_view") if value.as_i64() == Some(0) => {}
            Some("plugin_states") => {
                modules(value).filter(|module| module != "wings_shape").for_each(|module| plugins.push(|| module));
            }
            Some("scene_prefs") => losses.dropped("props.scene_prefs", "settings of renderers"),
            Some("palette") => losses.dropped("props.palette", "colours of the palette"),
            Some("current_view") => losses.dropped("props.current_view", "which view is the current one"),
            _ => unknown.push(|| format!("{key:?}")),
        }
    }
    plugins.report("props.plugin_states", "data of the plug-ins", losses);
    odd.report("props", "terms that are no properties:", losses);
    unknown.report("props", "unknown properties", losses);
    sets::report_unread(selections, model.selections().len(), losses);
}

/// The modules that keep data in a list of `{Module,Data}`.
pub(super) fn modules(states: Term<'_>) -> impl Iterator<Item = String> {
    let pairs = states.as_list().and_then(List::terms).unwrap_or_default();
    pairs.into_iter().filter_map(|pair| Some(pair.as_property()?.0.name().into_owned()))
}

/// Nodes by their keys.
pub(super) fn keys(scene: &Scene) -> HashMap<&str, scene::NodeId> {
    scene.nodes.iter().filter_map(|(id, node)| Some((node.key.as_deref()?, id))).collect()
}
