//! Taking along only a part of a scene, with all that it shows and nothing else.

use std::collections::{BTreeMap, BTreeSet};

use mapwright_scene::{
    Arena, AxisChange, Content, Id, InstanceTransforms, LightKind, Losses, Model, NodeId, Properties, Scene,
};

use crate::query::items;
use crate::{Error, Query};

/// Leaves what queries mean, what is below it, and what leads to it.
pub(super) fn keep_only(scene: &mut Scene, queries: &[Query], axes: AxisChange) -> Result<(), Error> {
    let mut kept: BTreeSet<NodeId> = BTreeSet::new();
    let mut chosen: BTreeSet<NodeId> = BTreeSet::new();
    let meant = Meant::of(scene, queries, axes)?;
    if let Some(query) = meant.without.first() {
        return Err(Error::NoNode(query.to_string()));
    }
    let visits: Vec<(NodeId, Option<NodeId>)> = scene.walk().map(|visit| (visit.id, visit.parent)).collect();
    for &(id, parent) in &visits {
        if meant.nodes.contains(&id) || parent.is_some_and(|parent| chosen.contains(&parent)) {
            chosen.insert(id);
            kept.insert(id);
        }
        if meant.instances.contains_key(&id) {
            kept.insert(id);
        }
    }
    // Parents come before children: backwards, each takes along the one above.
    for &(id, parent) in visits.iter().rev() {
        if kept.contains(&id) {
            kept.extend(parent);
        }
    }
    // Of a set that is not below what was asked for, only what was.
    for (node, instances) in meant.instances.iter().filter(|(node, _)| !chosen.contains(*node)) {
        retain_instances(scene, *node, |at| instances.contains(&at));
    }
    chosen.extend(meant.instances.keys());
    leave(scene, &kept, &chosen);
    Ok(())
}

/// Takes out what queries mean, and what is below it.
pub(super) fn leave_out(
    scene: &mut Scene,
    queries: &[Query],
    axes: AxisChange,
    losses: &mut Losses,
) -> Result<(), Error> {
    let meant = Meant::of(scene, queries, axes)?;
    for query in &meant.without {
        losses.preserved("", format!("all that {query} was to leave out: it means nothing here"));
    }
    for (node, instances) in &meant.instances {
        retain_instances(scene, *node, |at| !instances.contains(&at));
    }
    let mut gone = meant.nodes;
    let mut kept = BTreeSet::new();
    for visit in scene.walk() {
        if gone.contains(&visit.id) || visit.parent.is_some_and(|parent| gone.contains(&parent)) {
            gone.insert(visit.id);
        } else {
            kept.insert(visit.id);
        }
    }
    leave(scene, &kept, &kept);
    Ok(())
}

/// What queries mean in a scene.
struct Meant<'a> {
    nodes: BTreeSet<NodeId>,
    /// Instances of sets, by the node of the set.
    instances: BTreeMap<NodeId, BTreeSet<usize>>,
    /// Queries that mean nothing.
    without: Vec<&'a Query>,
}

impl<'a> Meant<'a> {
    fn of(scene: &Scene, queries: &'a [Query], axes: AxisChange) -> Result<Self, Error> {
        let mut meant = Self { nodes: BTreeSet::new(), instances: BTreeMap::new(), without: Vec::new() };
        for query in queries {
            let mut found = false;
            for item in items(query, scene, axes)? {
                found = true;
                match item.instance() {
                    Some(at) => drop(meant.instances.entry(item.node()).or_default().insert(at)),
                    None => drop(meant.nodes.insert(item.node())),
                }
            }
            if !found {
                meant.without.push(query);
            }
        }
        Ok(meant)
    }
}

/// Leaves some instances of the set that a node shows.
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
    // Places in a list that is no longer whole.
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

/// Leaves some nodes; those that were not chosen are there for the place of what is below them.
fn leave(scene: &mut Scene, kept: &BTreeSet<NodeId>, chosen: &BTreeSet<NodeId>) {
    let moved = keep(&mut scene.nodes, kept);
    let follow = |ids: &mut Vec<NodeId>| *ids = ids.iter().filter_map(|id| moved.get(id).copied()).collect();
    follow(&mut scene.roots);
    for (_, node) in scene.nodes.iter_mut() {
        follow(&mut node.children);
    }
    // What leads to the chosen is there for its place; what stands there was not asked for.
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
    prune(scene);
}

/// Takes out what no node shows, so that it does not count as lost.
fn prune(scene: &mut Scene) {
    // From what uses to what is used.
    macro_rules! contents {
        ($($kind:ident in $arena:ident),*) => {$(
            let used = scene.nodes.items().iter().filter_map(|node| match node.content {
                Content::$kind(id) => Some(id),
                _ => None,
            });
            let moved = keep(&mut scene.$arena, &used.collect());
            for (_, node) in scene.nodes.iter_mut() {
                if let Content::$kind(id) = &mut node.content {
                    follow(id, &moved);
                }
            }
        )*};
    }
    contents!(Brush in brushes, Terrain in terrains, TileLayer in tile_layers, InstanceSet in instance_sets, Light in lights,
        Sound in sounds, Camera in cameras, Path in paths, Entity in entities);
    visit(
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
    visit(
        scene,
        |scene, visit| {
            let meshes = scene.meshes.iter_mut().flat_map(|(_, mesh)| mesh.face_materials.iter_mut());
            let terrains = scene.terrains.iter_mut().flat_map(|(_, terrain)| terrain.materials.iter_mut());
            let sides = scene.brushes.iter_mut().flat_map(|(_, brush)| brush.sides.iter_mut());
            meshes.chain(terrains).chain(sides.map(|side| &mut side.material)).flatten().for_each(visit);
        },
        |scene| &mut scene.materials,
    );
    visit(
        scene,
        |scene, visit| {
            scene.tile_layers.iter_mut().flat_map(|(_, layer)| layer.tile_sets.iter_mut()).for_each(visit);
        },
        |scene| &mut scene.tile_sets,
    );
    visit(
        scene,
        |scene, visit| {
            let slots = scene.materials.iter_mut().flat_map(|(_, material)| material.textures.iter_mut());
            let tiles = scene.tile_sets.iter_mut().flat_map(|(_, set)| set.tiles.iter_mut());
            slots.map(|slot| &mut slot.image).chain(tiles.filter_map(|tile| tile.image.as_mut())).for_each(visit);
        },
        |scene| &mut scene.images,
    );
}

/// Keeps of an arena what is led to by the ids that `each` goes through, and makes them lead to its new place.
fn visit<T: Clone>(
    scene: &mut Scene,
    each: impl Fn(&mut Scene, &mut dyn FnMut(&mut Id<T>)),
    arena: impl Fn(&mut Scene) -> &mut Arena<T>,
) {
    let mut used = BTreeSet::new();
    each(scene, &mut |id| _ = used.insert(*id));
    let moved = keep(arena(scene), &used);
    each(scene, &mut |id| follow(id, &moved));
}

fn follow<T>(id: &mut Id<T>, moved: &BTreeMap<Id<T>, Id<T>>) {
    // An id that led nowhere does so again.
    *id = moved.get(id).copied().unwrap_or(Id::new(u32::MAX));
}

/// Keeps some items of an arena; gives their old places with their new ones.
fn keep<T: Clone>(arena: &mut Arena<T>, used: &BTreeSet<Id<T>>) -> BTreeMap<Id<T>, Id<T>> {
    let mut rest = Arena::new();
    let moved = used.iter().filter_map(|&id| Some((id, rest.push(arena.get(id)?.clone())))).collect();
    *arena = rest;
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

    fn only(scene: &mut Scene, names: &[&str]) -> Result<(), Error> {
        let queries: Vec<Query> = names.iter().map(|&name| Query::equal("name", name)).collect();
        keep_only(scene, &queries, AxisChange::NONE)
    }

    #[test]
    fn named_nodes_stay_with_what_is_above_and_below() {
        let mut some = scene();
        only(&mut some, &["inner"]).unwrap();
        assert_eq!(names(&some), ["folder", "inner", "leaf"]);
        let mut some = scene();
        only(&mut some, &["leaf", "alone"]).unwrap();
        assert_eq!(names(&some), ["folder", "inner", "leaf", "alone"]);
        assert!(matches!(only(&mut scene(), &["leaf", "none"]), Err(Error::NoNode(name)) if name == "name=\"none\""));
    }

    #[test]
    fn what_nothing_shows_any_more_is_gone() {
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
        only(&mut scene, &["b"]).unwrap();
        let lengths = [scene.nodes.len(), scene.meshes.len(), scene.materials.len(), scene.images.len()];
        assert_eq!((lengths, scene.lights.len(), scene.sets.len()), ([2, 1, 1, 1], 1, 1));
        assert_eq!((&*scene.sets[0].name, scene.sets[0].members[0].0), ("b", scene.roots[0]));
        let Content::Mesh(mesh) = scene.nodes[scene.roots[0]].content else { panic!("a mesh") };
        let material = scene.meshes[mesh].face_materials[0].unwrap();
        let image = scene.materials[material].textures[0].image;
        assert_eq!((&*scene.meshes[mesh].name, &*scene.images[image].name), ("b", "b"));
    }
}
