//! Objects as the game shows them.

use std::collections::HashMap;

use mapwright_scene::{Content, Entity, ImageSource, NodeId, Scene, TileSet, Transform};
use mapwright_wapart::Game;
use mapwright_wapart::drawing::{is_dropped, is_hidden, logic_rules};
use mapwright_wwd::{scene::AXES, unescape_bytes};

use super::LevelArt;
use super::attach::shown_frame;

impl LevelArt {
    /// Hides the objects that the game drops, and removes their model.
    pub(super) fn drop_objects(&self, scene: &mut Scene) {
        for (node, entity) in entities(scene) {
            let Some(object) = scene.entities.get_mut(entity) else { continue };
            let Some(node) = scene.nodes.get_mut(node) else { continue };
            let [x, y, _] = position(&node.transform);
            if is_dropped([x, y], &unescape_bytes(&object.class), self.main_plane) {
                object.model = None;
                node.visible = false;
            }
        }
    }

    /// Hides, moves and sorts objects by the rules of their logic. Some need the height of their image.
    pub(super) fn place_objects(&self, scene: &mut Scene) {
        // Claw draws objects as they are stored, so its rules suit levels of unknown games.
        let game = self.game.unwrap_or(Game::Claw);
        let heights: HashMap<NodeId, u32> = {
            let sets = scene.tile_sets.iter().rev().map(|(_, set)| (set.name.to_ascii_uppercase(), set));
            let sets: HashMap<String, &TileSet> = sets.collect();
            let height = |entity: &Entity| {
                let set = sets.get(&entity.model.as_ref()?.to_ascii_uppercase())?;
                let first = || set.tiles.iter().position(|tile| tile.image.is_some());
                let place = match shown_frame(entity) {
                    -1 => first()?,
                    frame => usize::try_from(frame).ok()?,
                };
                match &scene.images.get(set.tiles.get(place)?.image?)?.source {
                    ImageSource::Pixels(pixels) => Some(pixels.height),
                    _ => None,
                }
            };
            let all = entities(scene).into_iter();
            all.filter_map(|(node, entity)| Some((node, height(scene.entities.get(entity)?)?))).collect()
        };
        for (id, entity) in entities(scene) {
            let Some(object) = scene.entities.get(entity) else { continue };
            let Some(node) = scene.nodes.get_mut(id) else { continue };
            let logic = unescape_bytes(&object.class);
            let image_set = object.model.as_deref().map(unescape_bytes).unwrap_or_default();
            node.visible = !is_hidden(game, &logic, &image_set, !node.visible);
            let rules = logic_rules(game, &logic);
            let [x, y, stored] = position(&node.transform);
            let [x, y] = rules.position([x, y]);
            let z = rules.z(stored, [x, y], heights.get(&id).copied());
            node.transform = Transform::translation(AXES.apply([x, y, z].map(f64::from)).map(|number| number + 0.0));
        }
    }
}

/// Returns the nodes of all entities.
fn entities(scene: &Scene) -> Vec<(NodeId, mapwright_scene::EntityId)> {
    let nodes = scene.nodes.iter().filter_map(|(id, node)| match node.content {
        Content::Entity(entity) => Some((id, entity)),
        _ => None,
    });
    nodes.collect()
}

/// Returns the position of an object in its level. Its node is a child of a plane, which is at the origin.
fn position(transform: &Transform) -> [i32; 3] {
    // The reader of levels only stores whole numbers of 32 bits.
    #[expect(clippy::cast_possible_truncation, reason = "other numbers become the nearest one")]
    AXES.apply(transform.origin()).map(|number| number.round() as i32)
}
