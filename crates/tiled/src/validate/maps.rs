//! Maps: ids, tilesets, layers and objects.

use std::collections::HashSet;

use mapwright_io::Budget;

use super::{Report, cells, tilesets};
use crate::codes::{Gid, LayerKind, PropertyType};
use crate::document::Item;
use crate::view::{Layer, Map, Object, Properties, Tileset, points};

pub(super) fn check(map: Map<'_>, report: &mut Report) {
    if map.orientation().is_none() {
        let item = map.item().get("orientation").unwrap_or(map.item());
        report.error("orientation-unknown", item, "the map has no orientation that Tiled knows");
    }
    let sets: Vec<Tileset<'_>> = map.tilesets().collect();
    check_first_gids(map, &sets, report);
    for tileset in &sets {
        tilesets::check(*tileset, report);
    }
    let known = GlobalIds::new(&sets);
    let (mut layer_ids, mut object_ids) = (HashSet::new(), HashSet::new());
    let (mut last_layer, mut last_object) = (0, 0);
    let mut budget = Budget::new(&map.item().document().limits);
    let mut references = Vec::new();
    collect_references(&map.properties(), &mut references);
    for layer in map.all_layers() {
        if layer.id() != 0 && !layer_ids.insert(layer.id()) {
            let message = format_args!("id {} of the layer is already used", layer.id());
            report.warning("id-duplicate", layer.item(), message);
        }
        last_layer = last_layer.max(layer.id());
        collect_references(&layer.properties(), &mut references);
        if layer.kind() == LayerKind::Tiles {
            cells::check(map, layer, &known, &mut budget, report);
        }
        for object in objects_of(layer) {
            match object.id() {
                0 => report.note("id-missing", object.item(), "the object has no id"),
                id if !object_ids.insert(id) => {
                    report.warning(
                        "id-duplicate",
                        object.item(),
                        format_args!("id {id} of the object is already used"),
                    );
                }
                id => last_object = last_object.max(id),
            }
            check_object(object, &known, report);
            collect_references(&object.properties(), &mut references);
        }
    }
    for (name, next, last) in
        [("nextlayerid", map.next_layer_id(), last_layer), ("nextobjectid", map.next_object_id(), last_object)]
    {
        if let Some(item) = map.item().get(name).filter(|_| next <= last) {
            report.note("next-id-low", item, format_args!("{name} is {next}, but id {last} is already used"));
        }
    }
    for (item, id) in references {
        if id != 0 && !i32::try_from(id).is_ok_and(|id| object_ids.contains(&id)) {
            report.warning("object-unknown", item, format_args!("the map has no object with the id {id}"));
        }
    }
}

/// Returns the objects of a layer of objects.
fn objects_of(layer: Layer<'_>) -> impl Iterator<Item = Object<'_>> {
    layer.objects().take(if layer.kind() == LayerKind::Objects { usize::MAX } else { 0 })
}

/// Adds the properties that refer to objects, also those in classes and lists.
fn collect_references<'a>(properties: &Properties<'a>, references: &mut Vec<(Item<'a>, i64)>) {
    use crate::view::PropertyValue as V;
    let mut open: Vec<_> = properties.iter().collect();
    while let Some(property) = open.pop() {
        match property.value() {
            V::Object(id) if property.kind() == Some(PropertyType::Object) => references.push((property.item(), id)),
            V::Class(members) => open.extend(members.iter()),
            V::List(items) => open.extend(items),
            _ => {}
        }
    }
}

fn check_object(object: Object<'_>, known: &GlobalIds, report: &mut Report) {
    if let Some((gid, item)) = object.gid().zip(object.item().get("gid")) {
        // The template of an object may have a tileset that the map lacks.
        known.check(gid, item, report);
    }
    let Some(shape) = object.shape_item() else { return };
    if shape.is("polygon") || shape.is("polyline") {
        let (mut count, mut has_invalid) = (0_usize, false);
        for point in points(shape) {
            count = count.saturating_add(1);
            has_invalid |= point.is_none();
        }
        if has_invalid {
            report.warning("points-invalid", shape, "a point is not two numbers with a comma");
        } else if count < 2 {
            report.warning("points-invalid", shape, format_args!("{count} points: expected at least two"));
        }
    }
}

fn check_first_gids(map: Map<'_>, sets: &[Tileset<'_>], report: &mut Report) {
    let mut first_gids = HashSet::new();
    let mut last = 0;
    for tileset in sets {
        let (item, first) = (tileset.item(), tileset.first_gid());
        if first == 0 || first > !Gid::FLAGS {
            report.error("firstgid-invalid", item, "the tileset has no first global id");
        } else if !first_gids.insert(first) {
            report.error("firstgid-invalid", item, format_args!("first global id {first} is already used"));
        } else if first < last {
            report.warning("firstgid-order", item, format_args!("first global id {first} follows {last}"));
        }
        last = first;
    }
    // The order of keys in JSON has no effect.
    let layer = map.layers().next().map(Layer::item).filter(|item| item.has_tags());
    if let Some(late) = layer.and_then(|layer| sets.iter().find(|set| set.item().index() > layer.index())) {
        report.error("tileset-after-layer", late.item(), "the tileset comes after a layer");
    }
}

/// The global ids that the tilesets of a map have.
pub(super) struct GlobalIds {
    first: u32,
    /// The first id after those of the last tileset, if the map contains that and all tiles are in one image.
    end: u32,
}

impl GlobalIds {
    fn new(sets: &[Tileset<'_>]) -> Self {
        let first = sets.iter().map(|set| set.first_gid()).min();
        let last = sets.iter().max_by_key(|set| set.first_gid());
        let end = last.and_then(|set| {
            let count = u32::try_from(set.tile_count()).ok().filter(|count| *count > 0 && set.columns() > 0)?;
            set.first_gid().checked_add(count).filter(|_| set.source().is_none())
        });
        Self { first: first.unwrap_or(u32::MAX), end: end.unwrap_or(u32::MAX) }
    }

    /// Returns `true` if a cell is empty or a tileset has its tile.
    pub(super) fn contains(&self, gid: Gid) -> bool {
        gid.is_empty() || (self.first..self.end).contains(&gid.id())
    }

    fn check(&self, gid: Gid, item: Item<'_>, report: &mut Report) {
        if !self.contains(gid) {
            report.warning("gid-unknown", item, format_args!("no tileset has the global id {}", gid.id()));
        }
    }
}
