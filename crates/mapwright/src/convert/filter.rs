//! Selection of parts of a scene, with everything they need and nothing else.

use std::collections::{BTreeMap, BTreeSet, HashSet};

use mapwright_scene::{
    Arena, AxisChange, Content, Id, InstanceTransforms, LightKind, Mesh, Model, Node, NodeId, Properties, Scene,
};

use crate::query::{Item, Objects, QueryError, Value, all_items, scene_vocabulary};
use crate::{Error, Query};

/// The records that a query matches, as the keys and indices of their nodes and instances.
#[derive(Debug, Default)]
pub(super) struct Records {
    /// Keys of nodes.
    keys: HashSet<String>,
    /// Indices of instances in the list of the file.
    rows: HashSet<u32>,
    /// `true` if the document has records. Otherwise its objects are those of the scene.
    has_records: bool,
    /// Matching instances of nodes, found before instances are expanded.
    nodes: BTreeSet<NodeId>,
}

impl Records {
    /// Returns the records that match each query, or the error of a query with fields that no record has. Nodes of the scene
    /// may have them.
    pub(super) fn find(records: Option<&dyn Objects>, queries: &[Query]) -> Vec<Result<Self, QueryError>> {
        let find = |query: &Query| {
            let mut found = Self::default();
            let Some(records) = records else { return Ok(found) };
            found.has_records = true;
            let selection = query.bind(&records.vocabulary())?;
            records.visit(&mut |record| {
                if !selection.matches(record) {
                    return;
                }
                match (record.get_by_name("key"), record.get_by_name("index")) {
                    (Some(key), _) => drop(found.keys.insert(key.to_string())),
                    (None, Some(Value::Int(index))) => found.rows.extend(u32::try_from(index).ok()),
                    _ => {}
                }
            });
            Ok(found)
        };
        queries.iter().map(find).collect()
    }

    /// Adds the instances of nodes that each query matches in a document without records.
    pub(super) fn add_instances(
        records: &mut [Result<Self, QueryError>],
        queries: &[Query],
        scene: &Scene,
        axes: AxisChange,
    ) {
        for (records, query) in records.iter_mut().zip(queries) {
            let (Ok(records), Ok(selection)) = (records, query.bind(&scene_vocabulary(scene, axes))) else { continue };
            let items = all_items(scene, axes).filter(|item| matches!(item.visit.node.content, Content::Instance(_)));
            if !records.has_records {
                records.nodes.extend(items.filter(|item| selection.matches(item)).map(|item| item.node()));
            }
        }
    }
}

/// Queries with the records that they match.
pub(super) type Selections<'a> = (&'a [Query], Vec<Result<Records, QueryError>>);

/// Keeps the objects that match queries, their children, and their parents.
pub(super) fn keep_only(scene: &mut Scene, selections: Selections<'_>, axes: AxisChange) -> Result<(), Error> {
    let mut kept: BTreeSet<NodeId> = BTreeSet::new();
    let mut chosen: BTreeSet<NodeId> = BTreeSet::new();
    let matches = Matches::find(scene, selections, axes)?;
    let visits: Vec<(NodeId, Option<NodeId>)> = scene.walk().map(|visit| (visit.id, visit.parent)).collect();
    for &(id, parent) in &visits {
        if matches.nodes.contains(&id) || parent.is_some_and(|parent| chosen.contains(&parent)) {
            chosen.insert(id);
            kept.insert(id);
        }
        if matches.instances.contains_key(&id) {
            kept.insert(id);
        }
    }
    // Parents come before children, so in reverse order each node keeps its parent.
    for &(id, parent) in visits.iter().rev() {
        if kept.contains(&id) {
            kept.extend(parent);
        }
    }
    // A set below a selected node is kept whole. Other sets keep only the selected instances.
    for (node, instances) in matches.instances.iter().filter(|(node, _)| !chosen.contains(*node)) {
        retain_instances(scene, *node, |at| instances.contains(&at));
    }
    chosen.extend(matches.instances.keys());
    retain_nodes(scene, &kept, &chosen);
    Ok(())
}

/// Removes the objects that match queries, and their children.
pub(super) fn leave_out(scene: &mut Scene, selections: Selections<'_>, axes: AxisChange) -> Result<(), Error> {
    let matches = Matches::find(scene, selections, axes)?;
    for (node, instances) in &matches.instances {
        retain_instances(scene, *node, |at| !instances.contains(&at));
    }
    let mut gone = matches.nodes;
    let mut kept = BTreeSet::new();
    for visit in scene.walk() {
        if gone.contains(&visit.id) || visit.parent.is_some_and(|parent| gone.contains(&parent)) {
            gone.insert(visit.id);
        } else {
            kept.insert(visit.id);
        }
    }
    retain_nodes(scene, &kept, &kept);
    Ok(())
}

/// The objects of a scene that match queries.
#[derive(Default)]
struct Matches {
    nodes: BTreeSet<NodeId>,
    /// Instances of sets, by the node of the set.
    instances: BTreeMap<NodeId, BTreeSet<usize>>,
}

impl Matches {
    /// Finds the nodes and instances of the records that queries match. A query with fields that no record has selects in the scene: the
    /// ground of a terrain, for example. So does a query by name alone that matches no record: the sun of a map. Each query must match
    /// something.
    fn find(scene: &Scene, (queries, records): Selections<'_>, axes: AxisChange) -> Result<Self, Error> {
        let mut matches = Self::default();
        for (query, records) in queries.iter().zip(records) {
            let mut found = false;
            if let Ok(Records { keys, rows, nodes, .. }) = &records {
                let is_record = |item: &Item<'_>| match item.instance_row() {
                    Some(row) => rows.contains(&row),
                    None => nodes.contains(&item.node()) || item.key().is_some_and(|key| keys.contains(key)),
                };
                found = matches.add(all_items(scene, axes).filter(is_record));
            }
            let has_records = records.as_ref().is_ok_and(|records| records.has_records);
            if !has_records || (!found && query.fields() == ["name"]) {
                // A field that no object has is a spelling mistake, not an empty result.
                match (query.bind(&scene_vocabulary(scene, axes)), records) {
                    (Ok(selection), _) => {
                        found |= matches.add(all_items(scene, axes).filter(|item| selection.matches(item)));
                    }
                    (Err(_), Err(error)) | (Err(error), Ok(_)) => return Err(error.into()),
                }
            }
            if !found {
                return Err(QueryError::NoMatch { query: query.to_string() }.into());
            }
        }
        Ok(matches)
    }

    /// Adds items. Returns `true` if there was one.
    fn add<'a>(&mut self, items: impl Iterator<Item = Item<'a>>) -> bool {
        let mut found = false;
        for item in items {
            found = true;
            match item.instance() {
                Some(at) => drop(self.instances.entry(item.node()).or_default().insert(at)),
                None => drop(self.nodes.insert(item.node())),
            }
        }
        found
    }
}

/// Removes the content of files that the level refers to, and restores the references of instance sets.
pub(super) fn remove_resolved(scene: &mut Scene) {
    let is_mesh = |model: &Model| matches!(model, Model::Mesh(id) if scene.meshes.get(*id).is_some_and(has_source));
    let has_sets = scene.instance_sets.items().iter().any(|set| set.models.iter().any(is_mesh));
    if !has_sets && !scene.nodes.items().iter().any(Node::is_resolved) {
        return;
    }
    for model in scene.instance_sets.iter_mut().flat_map(|(_, set)| &mut set.models) {
        let Model::Mesh(id) = model else { continue };
        let source = scene.meshes.get(*id).and_then(|mesh| mesh.properties.get(Node::RESOLVED_FROM)?.as_text());
        if let Some(source) = source {
            *model = Model::Reference(source.to_owned());
        }
    }
    let mut kept = BTreeSet::new();
    let mut gone = BTreeSet::new();
    for visit in scene.walk() {
        let is_gone = visit.node.is_resolved() || visit.parent.is_some_and(|parent| gone.contains(&parent));
        if is_gone {
            gone.insert(visit.id)
        } else {
            kept.insert(visit.id)
        };
    }
    retain_nodes(scene, &kept, &kept);
}

/// Makes the nodes of maps in other files parts of the level, as if it contained them.
#[cfg(feature = "textures")]
pub(super) fn adopt_resolved(scene: &mut Scene) {
    let resolved =
        |node: &Node| node.children.iter().any(|child| scene.nodes.get(*child).is_some_and(Node::is_resolved));
    let prefabs = scene.nodes.iter().filter(|(_, node)| matches!(node.content, Content::Prefab(_)) && resolved(node));
    let prefabs: Vec<NodeId> = prefabs.map(|(id, _)| id).collect();
    for id in prefabs {
        if let Some(node) = scene.nodes.get_mut(id) {
            node.content = Content::Group;
        }
    }
    let adopt = |properties: &mut Properties| properties.entries.retain(|(name, _)| name != Node::RESOLVED_FROM);
    scene.nodes.iter_mut().for_each(|(_, node)| adopt(&mut node.properties));
    scene.meshes.iter_mut().for_each(|(_, mesh)| adopt(&mut mesh.properties));
    scene.materials.iter_mut().for_each(|(_, material)| adopt(&mut material.properties));
}

/// Returns `true` for a mesh of a file that the level refers to.
fn has_source(mesh: &Mesh) -> bool {
    mesh.properties.get(Node::RESOLVED_FROM).is_some()
}

/// Keeps some instances of the set of a node.
fn retain_instances(scene: &mut Scene, node: NodeId, keep: impl Fn(usize) -> bool) {
    let Some(Content::InstanceSet(id)) = scene.nodes.get(node).map(|node| &node.content) else { return };
    let Some(set) = scene.instance_sets.get_mut(*id) else { return };
    fn column<T>(column: &mut Vec<T>, keep: &impl Fn(usize) -> bool) {
        let mut at = 0_usize;
        column.retain(|_| {
            let stays = keep(at);
            at = at.saturating_add(1);
            stays
        });
    }
    column(&mut set.model, &keep);
    column(&mut set.ids, &keep);
    column(&mut set.on_ground, &keep);
    // The order refers to instances that may be gone.
    set.order.clear();
    match &mut set.transforms {
        InstanceTransforms::Trs { translations, rotations, scales } => {
            column(translations, &keep);
            column(rotations, &keep);
            column(scales, &keep);
        }
        InstanceTransforms::Affine(maps) => column(maps, &keep),
    }
}

/// Keeps some nodes. Those that were not chosen become groups.
fn retain_nodes(scene: &mut Scene, kept: &BTreeSet<NodeId>, chosen: &BTreeSet<NodeId>) {
    let moved = retain(&mut scene.nodes, kept);
    let follow = |ids: &mut Vec<NodeId>| *ids = ids.iter().filter_map(|id| moved.get(id).copied()).collect();
    follow(&mut scene.roots);
    for (_, node) in scene.nodes.iter_mut() {
        follow(&mut node.children);
    }
    // Nodes above the chosen ones become groups: their own content was not selected.
    let bare: Vec<NodeId> = kept.difference(chosen).filter_map(|id| moved.get(id).copied()).collect();
    for id in bare {
        if let Some(node) = scene.nodes.get_mut(id) {
            node.content = Content::Group;
            node.properties = Properties::new();
        }
    }
    for set in &mut scene.sets {
        set.members.retain_mut(|(id, _)| moved.get(id).map(|&new| *id = new).is_some());
    }
    scene.sets.retain(|set| !set.members.is_empty());
    remove_unused(scene);
}

/// Removes items that no node uses, so that they do not count as lost.
fn remove_unused(scene: &mut Scene) {
    // Users come before the items that they use.
    macro_rules! contents {
        ($($kind:ident in $arena:ident),*) => {$(
            let used = scene.nodes.items().iter().filter_map(|node| match node.content {
                Content::$kind(id) => Some(id),
                _ => None,
            });
            let moved = retain(&mut scene.$arena, &used.collect());
            for (_, node) in scene.nodes.iter_mut() {
                if let Content::$kind(id) = &mut node.content {
                    follow(id, &moved);
                }
            }
        )*};
    }
    contents!(Brush in brushes, Terrain in terrains, TileLayer in tile_layers, InstanceSet in instance_sets, Light in lights,
        Sound in sounds, Camera in cameras, Path in paths, Entity in entities);
    retain_visited(
        scene,
        |scene, visit| {
            for (_, node) in scene.nodes.iter_mut() {
                if let Content::Mesh(id) = &mut node.content {
                    visit(id);
                }
            }
            for (_, light) in scene.lights.iter_mut() {
                if let LightKind::Area { mesh: Some(id), .. } = &mut light.kind {
                    visit(id);
                }
            }
            for (_, set) in scene.instance_sets.iter_mut() {
                for model in &mut set.models {
                    if let Model::Mesh(id) = model {
                        visit(id);
                    }
                }
            }
        },
        |scene| &mut scene.meshes,
    );
    retain_visited(
        scene,
        |scene, visit| {
            let meshes = scene.meshes.iter_mut().flat_map(|(_, mesh)| mesh.face_materials.iter_mut());
            let terrains = scene.terrains.iter_mut().flat_map(|(_, terrain)| terrain.materials.iter_mut());
            let sides = scene.brushes.iter_mut().flat_map(|(_, brush)| brush.sides.iter_mut());
            meshes.chain(terrains).chain(sides.map(|side| &mut side.material)).flatten().for_each(visit);
        },
        |scene| &mut scene.materials,
    );
    retain_visited(
        scene,
        |scene, visit| {
            scene.tile_layers.iter_mut().flat_map(|(_, layer)| layer.tile_sets.iter_mut()).for_each(visit);
        },
        |scene| &mut scene.tile_sets,
    );
    retain_visited(
        scene,
        |scene, visit| {
            let slots = scene.materials.iter_mut().flat_map(|(_, material)| material.textures.iter_mut());
            let tiles = scene.tile_sets.iter_mut().flat_map(|(_, set)| set.tiles.iter_mut());
            slots.map(|slot| &mut slot.image).chain(tiles.filter_map(|tile| tile.image.as_mut())).for_each(visit);
        },
        |scene| &mut scene.images,
    );
}

/// Keeps the items of an arena whose ids `each` visits, and updates these ids.
fn retain_visited<T: Clone>(
    scene: &mut Scene,
    each: impl Fn(&mut Scene, &mut dyn FnMut(&mut Id<T>)),
    arena: impl Fn(&mut Scene) -> &mut Arena<T>,
) {
    let mut used = BTreeSet::new();
    each(scene, &mut |id| _ = used.insert(*id));
    let moved = retain(arena(scene), &used);
    each(scene, &mut |id| follow(id, &moved));
}

fn follow<T>(id: &mut Id<T>, moved: &BTreeMap<Id<T>, Id<T>>) {
    // An id without an item stays invalid.
    *id = moved.get(id).copied().unwrap_or(Id::new(u32::MAX));
}

/// Keeps some items of an arena. Returns their old ids with their new ones.
fn retain<T: Clone>(arena: &mut Arena<T>, used: &BTreeSet<Id<T>>) -> BTreeMap<Id<T>, Id<T>> {
    let mut kept = Arena::new();
    let moved = used.iter().filter_map(|&id| Some((id, kept.push(arena.get(id)?.clone())))).collect();
    *arena = kept;
    moved
}

#[cfg(test)]
mod tests {
    use super::super::sample::scene;
    use super::*;
    use mapwright_scene::{
        Elements, Image, ImageSource, Light, Material, Mesh, NamedSet, Node, TextureSlot, TextureUsage,
    };

    fn names(scene: &Scene) -> Vec<&str> {
        scene.walk().map(|visit| &*visit.node.name).collect()
    }

    fn keep_named(scene: &mut Scene, names: &[&str]) -> Result<(), Error> {
        let queries: Vec<Query> = names.iter().map(|&name| Query::equal("name", name)).collect();
        keep_only(scene, (&queries, Records::find(None, &queries)), AxisChange::NONE)
    }

    #[test]
    fn named_nodes_keep_their_parents_and_children() {
        let mut some = scene();
        keep_named(&mut some, &["inner"]).unwrap();
        assert_eq!(names(&some), ["folder", "inner", "leaf"]);
        let mut some = scene();
        keep_named(&mut some, &["leaf", "alone"]).unwrap();
        assert_eq!(names(&some), ["folder", "inner", "leaf", "alone"]);
        assert!(
            matches!(keep_named(&mut scene(), &["leaf", "none"]), Err(Error::Query(QueryError::NoMatch { query })) if query == "name=\"none\"")
        );
    }

    #[test]
    fn items_that_nothing_uses_are_removed() {
        let mut scene = Scene::default();
        for name in ["a", "b"] {
            let source = ImageSource::External { path: name.into() };
            let image = scene.images.push(Image { name: name.into(), source });
            let textures = vec![TextureSlot::new(TextureUsage::BaseColor, image)];
            let material = scene.materials.push(Material { name: name.into(), textures, ..Material::default() });
            let face_materials = vec![Some(material)];
            let mesh = scene.meshes.push(Mesh { name: name.into(), face_materials, ..Mesh::default() });
            let node = scene.add_node(None, Node::new(name, Content::Mesh(mesh)));
            let light = scene.lights.push(Light::default());
            scene.add_node(Some(node), Node::new("light", Content::Light(light)));
            let members = vec![(node, Elements::Node)];
            scene.sets.push(NamedSet { name: name.into(), members, ..NamedSet::default() });
        }
        keep_named(&mut scene, &["b"]).unwrap();
        let lengths = [scene.nodes.len(), scene.meshes.len(), scene.materials.len(), scene.images.len()];
        assert_eq!((lengths, scene.lights.len(), scene.sets.len()), ([2, 1, 1, 1], 1, 1));
        assert_eq!((&*scene.sets[0].name, scene.sets[0].members[0].0), ("b", scene.roots[0]));
        let Content::Mesh(mesh) = scene.nodes[scene.roots[0]].content else { panic!("a mesh") };
        let material = scene.meshes[mesh].face_materials[0].unwrap();
        let image = scene.materials[material].textures[0].image;
        assert_eq!((&*scene.meshes[mesh].name, &*scene.images[image].name), ("b", "b"));
    }
}
