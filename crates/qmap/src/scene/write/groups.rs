//! Groups → layers, groups of the editor, and classes of brushes that are no entity of the game.

use mapwright_scene::{Properties, Value, Visit};

use super::context::{Context, Owner, is_layer};
use super::items::Item;
use crate::scene::classes::{DETAIL, GROUP};

impl<'a> Context<'a> {
    pub(super) fn group(&mut self, visit: &Visit<'a>, owner: Owner, path: &str) {
        let node = visit.node;
        let text = |key: &str| node.properties.get(key).and_then(Value::as_text);
        let detail = text(DETAIL).filter(|class| !class.is_empty());
        let kind = text(GROUP).filter(|kind| ["layer", "group", "func_group"].contains(kind));
        if kind.is_none() && detail.is_none() && node.children.is_empty() {
            self.losses.dropped(path, "group without children");
            return;
        }
        // They stay outside of entities.
        if node.key.as_ref().is_some_and(|key| self.group_ids.fragments.contains(key)) {
            let item = self.add_item(Item { key: node.key.clone(), ..Item::default() }, Owner::default());
            self.owners.insert(visit.id, Owner { item, ..owner });
            return;
        }
        if owner.is_entity || (kind.is_none() && detail.is_none() && node.name.is_empty()) {
            self.losses.approximated(path, format!("group {:?}: flattened", node.name));
            if !node.properties.is_empty() {
                self.losses.dropped(path, "properties of the group");
            }
            return;
        }
        if !visit.world.is_identity() {
            self.losses.preserved(path, "the transform of the group, applied to its members");
        }
        let mut item = Item { key: node.key.clone(), class: "func_group".into(), ..Item::default() };
        let mut properties = node.properties.clone();
        properties.entries.retain(|(key, _)| key != GROUP && key != DETAIL);
        let mut own = None;
        match (detail, kind) {
            (Some(class), _) => item.class = self.clean(class, path),
            (None, Some("func_group")) => {}
            (None, kind) => {
                let is_layer = kind == Some("layer");
                let (kind, member) = if is_layer { ("_tb_layer", "_tb_layer") } else { ("_tb_group", "_tb_group") };
                let id = self.group_ids.take(node.key.as_deref());
                own = Some((member, id));
                let mut push = |key: &str, value: String| item.keys.push((key.to_owned(), value));
                push("_tb_type", kind.to_owned());
                push("_tb_name", self.clean(&node.name, path));
                push("_tb_id", id.to_string());
                for (key, is_set) in [("_tb_layer_locked", node.locked), ("_tb_layer_hidden", !node.visible)] {
                    if is_set && is_layer {
                        push(key, "1".to_owned());
                    }
                }
            }
        }
        if own.is_none() && !node.name.is_empty() && is_new_name(&properties, &node.name) {
            item.keys.push(("targetname".to_owned(), self.clean(&node.name, path)));
        }
        item.keys.extend(self.texts(&properties, path));
        // Editors do not put layers into groups.
        let around = if is_layer(node) { Owner::default() } else { owner };
        let index = self.add_item(item, around);
        if let Some(own) = own {
            self.group_keys.insert(index, own);
        }
        let group = if own.is_some() { Some(index) } else { owner.group };
        self.owners.insert(visit.id, Owner { item: index, group, is_entity: false });
    }
}

/// Returns `true` if no key has the name of a group.
fn is_new_name(properties: &Properties, name: &str) -> bool {
    let is_name = |key: &str| properties.get(key).and_then(Value::as_text) == Some(name);
    !["targetname", "_tb_name"].into_iter().any(is_name)
}
