//! Conversions whose result would show nothing of the source.

use std::collections::{BTreeMap, HashSet};

use mapwright_io::LossKind;
use mapwright_scene::{Content, Feature, Files, LightKind, Loss, Losses, Projection, Scene, Support};

use crate::fidelity::list;
use crate::query::QueryError;
use crate::{AnyDocument, ConvertOptions, Error, Format, ReadOptions};

/// The maximum size of a file that is read again to see if it is empty. Empty files are small.
const MAX_READ: usize = 1 << 20;

/// The kinds of content of a scene, with their display names.
pub(super) struct Shown {
    kinds: BTreeMap<Feature, &'static str>,
    /// Beginnings of the paths of losses that concern this content: lists of the scene, and nodes.
    places: HashSet<String>,
    /// `true` if the kinds are visible, such as meshes. `false` if the scene only has other kinds, such as lights.
    are_seen: bool,
}

impl Shown {
    /// Returns the kinds of content of a scene that are visible in a format, or the other kinds if there are no visible ones.
    fn in_scene(scene: &Scene, to: Format, with_hidden: bool) -> Self {
        let visits = || scene.walk().filter(|visit| with_hidden || visit.visible);
        let kinds = || visits().filter_map(|visit| kind(scene, to, &visit.node.content).map(|kind| (visit, kind)));
        let are_seen = kinds().any(|(_, (.., is_seen))| is_seen);
        let mut shown = Self { kinds: BTreeMap::new(), places: HashSet::new(), are_seen };
        for (visit, (feature, name, _)) in kinds().filter(|(_, (.., is_seen))| *is_seen || !are_seen) {
            shown.kinds.insert(feature, name);
            shown.places.insert(format!("nodes[{}]", visit.id.index()));
            shown.places.extend(list_of(&visit.node.content).map(str::to_owned));
        }
        shown
    }

    /// Returns `true` if a loss concerns content of these kinds.
    fn is_about(&self, loss: &Loss) -> bool {
        let path = loss.path.to_string();
        let item = path.split_inclusive(']').next().unwrap_or_default();
        let list = item.split('[').next().unwrap_or_default();
        self.places.contains(item) || self.places.contains(list)
    }

    /// Returns the content of a source, or an error if the format cannot store any of it. `losses` are those of reading the source.
    pub(super) fn check_source(
        scene: &Scene,
        losses: &Losses,
        to: Format,
        options: &ConvertOptions,
    ) -> Result<Self, Error> {
        let stored = |feature| to.capabilities().is_none_or(|known| known.support(feature) != Support::None);
        let shown = Self::in_scene(scene, to, options.hidden || stored(Feature::HiddenNodes));
        if shown.kinds.keys().any(|feature| stored(*feature)) {
            return Ok(shown);
        }
        let mut hidden = Self::in_scene(scene, to, true);
        let is_hidden = !hidden.kinds.is_empty();
        hidden.kinds.retain(|feature, _| stored(*feature));
        if !options.hidden && !hidden.kinds.is_empty() {
            let visible = if shown.kinds.is_empty() { String::new() } else { shown.names() + ", and " };
            return Err(error(to, format!("{visible}hidden {}, which --hidden converts", hidden.names())));
        }
        if !shown.kinds.is_empty() {
            return Err(error(to, shown.names()));
        }
        if is_hidden {
            return Err(error(to, "only hidden objects".to_owned()));
        }
        let is_selection = !options.only.is_empty() || !options.exclude.is_empty();
        if is_selection && scene.walk().next().is_none() {
            return Err(QueryError::refused("the selection leaves no object to convert").into());
        }
        match losses.iter().find(|loss| matches!(loss.kind, LossKind::Dropped | LossKind::Repaired)) {
            Some(loss) => Err(error(to, format!("only content that cannot be converted: {}", loss.text_with_count()))),
            None => Ok(shown),
        }
    }

    /// Returns an error if nothing of this content arrived in the files.
    pub(super) fn check_files(&self, to: Format, files: &Files, losses: &Losses) -> Result<(), Error> {
        let is_possible = losses.count(LossKind::Dropped) > 0 && files.main.len() <= MAX_READ && to.access().import;
        if self.kinds.is_empty() || !is_possible {
            return Ok(());
        }
        // Most files show something. For glTF, this is known without reading the buffers.
        if to.entry().and_then(|entry| entry.has_meshes).is_some_and(|has_meshes| has_meshes(&files.main)) {
            return Ok(());
        }
        // A file that cannot be read alone, such as one with buffers beside it, is taken as not empty.
        let Ok(document) = AnyDocument::from_bytes_as(&files.main, to, &ReadOptions::default()) else { return Ok(()) };
        let Ok(result) = document.to_scene() else { return Ok(()) };
        let arrived = Self::in_scene(&result.scene, to, true);
        let is_empty = arrived.kinds.is_empty() || self.are_seen && !arrived.are_seen;
        // The format stores this kind of content, but not this content. Find the reason: the last loss that concerns it, because losses of
        // details are reported before the loss of the whole.
        let reason = losses.iter().rfind(|loss| loss.kind == LossKind::Dropped && self.is_about(loss));
        match reason.filter(|_| is_empty) {
            Some(loss) => {
                let contents = format!("{} ({})", self.names(), loss.text_with_count());
                Err(Error::Empty { to, contents, stored: format!("{}, but not these", self.names()) })
            }
            None if is_empty => Err(error(to, self.names())),
            None => Ok(()),
        }
    }

    /// Returns the names of the kinds, each once.
    fn names(&self) -> String {
        let mut names: Vec<&str> = Vec::new();
        for name in self.kinds.values() {
            if !names.contains(name) {
                names.push(name);
            }
        }
        names.join(", ")
    }
}

fn error(to: Format, contents: String) -> Error {
    Error::Empty { to, contents, stored: list(to.contents()) }
}

/// Returns the list of a scene that contains the content of a node.
const fn list_of(content: &Content) -> Option<&'static str> {
    Some(match content {
        Content::Mesh(_) => "meshes",
        Content::Brush(_) => "brushes",
        Content::Terrain(_) => "terrains",
        Content::TileLayer(_) => "tile_layers",
        Content::InstanceSet(_) => "instance_sets",
        Content::Entity(_) => "entities",
        Content::Light(_) => "lights",
        Content::Camera(_) => "cameras",
        Content::Sound(_) => "sounds",
        Content::Path(_) => "paths",
        _ => return None,
    })
}

/// Returns the feature that stores the content of a node, its name, and `true` if the content is visible. `None`: the content is empty.
fn kind(scene: &Scene, to: Format, content: &Content) -> Option<(Feature, &'static str, bool)> {
    Some(match content {
        Content::Mesh(id) if scene.meshes.get(*id).is_some_and(|mesh| !mesh.faces.is_empty()) => {
            (Feature::Meshes, "meshes", true)
        }
        Content::Brush(_) => (Feature::Brushes, "brushes", true),
        Content::Terrain(_) => (Feature::Terrains, "terrain", true),
        Content::TileLayer(_) => (Feature::Tiles, "tile layers", true),
        Content::InstanceSet(id) if scene.instance_sets.get(*id).is_some_and(|set| !set.transforms.is_empty()) => {
            (Feature::Instances, "instances of models", true)
        }
        Content::Prefab(_) => (Feature::Prefabs, "references to other files", true),
        Content::Entity(id) => {
            let has_model = scene.entities.get(*id).is_some_and(|entity| entity.model.is_some());
            // glTF stores entities as metadata, which no program shows.
            (Feature::Entities, "entities", has_model && !matches!(to, Format::Glb | Format::Gltf))
        }
        Content::Instance(_) => (Feature::NodeInstances, "instances of nodes", true),
        Content::Light(id) => (light(&scene.lights.get(*id)?.kind), "lights", false),
        Content::Camera(id) => match scene.cameras.get(*id)?.projection {
            Projection::Perspective { .. } => (Feature::Cameras, "cameras", false),
            Projection::Orthographic { .. } => (Feature::OrthographicCameras, "cameras", false),
        },
        Content::Sound(_) => (Feature::Sounds, "sounds", false),
        Content::Path(_) => (Feature::Paths, "paths", false),
        Content::Marker => (Feature::Markers, "markers", false),
        _ => return None,
    })
}

fn light(kind: &LightKind) -> Feature {
    match kind {
        LightKind::Ambient => Feature::AmbientLights,
        LightKind::Directional => Feature::DirectionalLights,
        LightKind::Point => Feature::PointLights,
        LightKind::Spot { .. } => Feature::SpotLights,
        LightKind::Area { .. } => Feature::AreaLights,
        LightKind::Other(_) => Feature::OtherLights,
    }
}
