//! The state of reading a map.

use std::collections::HashMap;

use mapwright_io::{Budget, Limits, format_count};
use mapwright_scene::{FileSource, Losses, NodeId, Properties, Scene, Value};

use super::super::ImportOptions;
use super::super::encode::{Incoming, loses_type};
use super::super::layout::Grid;
use super::files::ExternalFiles;
use super::numbered_sets::NumberedSet;
use crate::view::{self, Layer, Map};
use crate::{ReadError, ReadErrorKind};

/// A scene as it is read, and state that layers share.
pub(super) struct Reader<'a> {
    pub(super) map: Map<'a>,
    pub(super) grid: Grid,
    pub(super) external: &'a ExternalFiles,
    pub(super) files: &'a dyn FileSource,
    options: &'a ImportOptions,
    /// Number of bytes that may still be created.
    pub(super) left: u64,
    /// Limits the memory for decoding cells.
    pub(super) budget: Budget,
    /// The tile sets of the map by their first numbers, and after them those of templates only.
    pub(super) sets: Vec<NumberedSet>,
    /// Number of tile sets of the map.
    pub(super) map_sets: usize,
    /// The tile sets from other files, by the paths of these.
    pub(super) set_files: HashMap<String, usize>,
    /// The tile layers so far, by the names that their object groups get when written. Of several with one name, the last.
    pub(super) owners: HashMap<String, NodeId>,
    /// Object groups of tile layers that have not been read yet.
    pub(super) early: Vec<EarlyGroup<'a>>,
    /// The id that the writer gives to the last layer.
    pub(super) last_layer: u32,
    /// Nesting depth of groups.
    pub(super) depth: usize,
    /// First and last id of each run of objects whose ids the scene did not contain, in ascending order.
    pub(super) assigned_ids: Vec<[u32; 2]>,
    pub(super) scene: Scene,
    pub(super) losses: Losses,
}

/// A group for a tile layer of which only the name is known.
pub(super) struct EarlyGroup<'a> {
    pub(super) group: Layer<'a>,
    pub(super) own: Incoming,
    pub(super) path: String,
    /// The name of the group, which contains the name of the tile layer.
    pub(super) name: String,
    /// The previous tile layer.
    pub(super) last: Option<NodeId>,
    pub(super) parent: Option<NodeId>,
}

impl<'a> Reader<'a> {
    pub(super) fn new(
        map: Map<'a>,
        external: &'a ExternalFiles,
        files: &'a dyn FileSource,
        options: &'a ImportOptions,
        limits: &Limits,
    ) -> Self {
        Self {
            map,
            grid: Grid::from_map(map),
            external,
            files,
            options,
            left: options.max_bytes,
            budget: Budget::new(limits),
            sets: Vec::new(),
            map_sets: 0,
            set_files: HashMap::new(),
            owners: HashMap::new(),
            early: Vec::new(),
            last_layer: 0,
            depth: 0,
            assigned_ids: Vec::new(),
            scene: Scene::default(),
            losses: Losses::new(),
        }
    }

    /// Width and height of a cell of the map.
    pub(super) fn tile_size(&self) -> [u32; 2] {
        [self.map.tile_width(), self.map.tile_height()].map(|side| u32::try_from(side).unwrap_or(0))
    }

    /// Reads properties. Reports types that the scene cannot store.
    #[expect(clippy::needless_pass_by_value, reason = "views create the list for this call")]
    pub(super) fn properties(&mut self, properties: view::Properties<'_>, path: &str) -> Incoming {
        let typed = properties.iter().filter(|property| loses_type(*property)).count();
        if typed > 0 {
            let text = format!("types of {}: values without the type", format_count(typed, "property"));
            self.losses.approximated(path, text);
        }
        Incoming::new(properties.iter())
    }

    /// Adds properties for attributes. The writer recognizes them at the end.
    pub(super) fn push_attributes(
        &mut self,
        properties: &mut Properties,
        attributes: Vec<(&'static str, Value)>,
        path: &str,
    ) {
        for name in push_attributes(properties, attributes) {
            let text = format!("the attribute {name:?} of an item that has a property of this name");
            self.losses.dropped(path, text);
        }
    }

    /// Subtracts bytes from the limit.
    pub(super) fn spend(&mut self, bytes: u64, path: &str) -> Result<(), ReadError> {
        let limit = ReadErrorKind::Limit { what: "bytes of cells and images", limit: self.options.max_bytes };
        self.left = self.left.checked_sub(bytes).ok_or_else(|| ReadError::on_path(limit, path))?;
        Ok(())
    }
}

/// Adds properties for attributes, and returns the names of those that are lost because there are other properties with these names.
pub(super) fn push_attributes(
    properties: &mut Properties,
    attributes: Vec<(&'static str, Value)>,
) -> Vec<&'static str> {
    let is_hidden = |name: &str| properties.get(name).is_some();
    let (hidden, shown): (Vec<_>, Vec<_>) = attributes.into_iter().partition(|(name, _)| is_hidden(name));
    for (name, value) in shown {
        properties.push(name, value);
    }
    hidden.into_iter().map(|(name, _)| name).collect()
}

/// Parses runs of numbers, such as `0-5,7`, and sorts them.
pub(super) fn parse_runs(text: &str) -> Vec<[u32; 2]> {
    let run = |run: &str| {
        let (first, last) = run.split_once('-').unwrap_or((run, run));
        Some([first.trim().parse().ok()?, last.trim().parse().ok()?])
    };
    let mut runs: Vec<[u32; 2]> = text.split(',').filter_map(run).collect();
    runs.sort_unstable();
    runs
}
