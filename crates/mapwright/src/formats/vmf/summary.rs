//! The summary of a Source 1 map.

use mapwright_vmf::{Document, Entity, Instance, Side, Solid};
use serde::Serialize;

use crate::info::UseCount;

/// A summary of a Source 1 map.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct VmfInfo {
    /// The build of Hammer that wrote the map. `None` if the map does not state it.
    pub editor_build: Option<i64>,
    /// The number of times that the map was saved.
    pub map_version: Option<i64>,
    /// `true` if the map was saved as a prefab.
    pub is_prefab: bool,
    /// The separator of the fields of outputs: `comma`, or `escape` for the byte 0x1B.
    pub separator: &'static str,
    /// Sums over all objects.
    pub totals: VmfTotals,
    /// Entities by class, the most frequent first.
    pub entities: Vec<UseCount>,
    /// Materials by number of sides, the most frequent first.
    pub materials: Vec<UseCount>,
    /// Models by number of entities, the most frequent first.
    pub models: Vec<UseCount>,
    /// Files of instances by number of uses, the most frequent first.
    pub instances: Vec<UseCount>,
}

/// Sums over all objects of a map.
#[derive(Debug, Clone, Copy, PartialEq, Default, Serialize)]
pub struct VmfTotals {
    /// Entities, the world not included.
    pub entities: usize,
    /// Entities with solids.
    pub brush_entities: usize,
    /// Outputs.
    pub outputs: usize,
    /// Solids of the world and of entities.
    pub solids: usize,
    /// Sides of all solids.
    pub sides: usize,
    /// Sides with a displacement.
    pub displacements: usize,
    /// Entities and solids in blocks `hidden`.
    pub hidden: usize,
    /// Groups.
    pub groups: usize,
    /// Visgroups that are in no other visgroup.
    pub visgroups: usize,
    /// Cordons.
    pub cordons: usize,
    /// Cameras of the editor.
    pub cameras: usize,
    /// Smallest and largest coordinates of the polygons of all solids, in inches. `None` for a map without solids.
    pub bounds: Option<[[f64; 3]; 2]>,
}

impl VmfInfo {
    /// Summarizes a map.
    pub fn new(map: &Document) -> Self {
        let count = |names: &mut dyn Iterator<Item = String>| UseCount::count(names, Clone::clone);
        let mut classes = map.entities().map(|entity| entity.class().unwrap_or_default().into_owned());
        let mut materials = map.solids().flat_map(Solid::sides).filter_map(|side| Some(side.material()?.into_owned()));
        let models = map.entities().filter_map(|entity| Some(entity.text("model")?.into_owned()));
        let mut models = models.filter(|model| !model.is_empty());
        let files = map.entities().filter_map(Entity::as_instance).filter_map(Instance::file);
        let mut files = files.map(std::borrow::Cow::into_owned);
        Self {
            editor_build: map.version("editorbuild"),
            map_version: map.version("mapversion"),
            is_prefab: map.version("prefab").is_some_and(|flag| flag != 0),
            separator: match map.output_separator() {
                mapwright_vmf::Separator::Comma => "comma",
                mapwright_vmf::Separator::Escape => "escape",
            },
            totals: VmfTotals::new(map),
            entities: count(&mut classes),
            materials: count(&mut materials),
            models: count(&mut models),
            instances: count(&mut files),
        }
    }
}

impl VmfTotals {
    fn new(map: &Document) -> Self {
        let hidden_entities = map.entities().filter(|entity| entity.is_hidden()).count();
        let hidden_solids = map.solids().filter(|solid| solid.is_hidden()).count();
        Self {
            entities: map.entities().count(),
            brush_entities: map.entities().filter(|entity| entity.solids().next().is_some()).count(),
            outputs: map.all_entities().flat_map(Entity::outputs).count(),
            solids: map.solids().count(),
            sides: map.solids().flat_map(Solid::sides).count(),
            displacements: map.solids().flat_map(Solid::sides).filter_map(Side::displacement).count(),
            hidden: hidden_entities + hidden_solids,
            groups: map.all_entities().flat_map(Entity::groups).count(),
            visgroups: map.visgroups().count(),
            cordons: map.cordons().count(),
            cameras: map.cameras().count(),
            bounds: bounds(map),
        }
    }
}

fn bounds(map: &Document) -> Option<[[f64; 3]; 2]> {
    let polygons = map.solids().filter_map(|solid| solid.polygons().ok()).flatten();
    polygons.flatten().fold(None, |bounds, point| {
        let [mut low, mut high] = bounds.unwrap_or([point; 2]);
        for ((low, high), number) in low.iter_mut().zip(&mut high).zip(point) {
            *low = low.min(number);
            *high = high.max(number);
        }
        Some([low, high])
    })
}
