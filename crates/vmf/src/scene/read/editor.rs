//! Groups, visgroups and cameras, and the data of the editor of each object.

use mapwright_io::format_count;
use mapwright_scene::transform::sub;
use mapwright_scene::{Camera, Content, Elements, NamedSet, Node, NodeId, Properties, Transform};

use super::context::Context;
use crate::scene::AXES;
use crate::scene::names::{ACTIVE, CAMERA, COMMENTS, PARENT_SET};
use crate::scene::parts::{Part, groups, visgroups};
use crate::{EditorData, Group};

/// Reads the visgroups, parents before children.
pub(super) fn read_visgroups(context: &mut Context<'_>) {
    for (index, (group, parent)) in visgroups(context.document).into_iter().enumerate() {
        let mut properties = Properties::new();
        if let Some(parent) = parent.and_then(|parent| i64::try_from(parent).ok()) {
            properties.push(PARENT_SET, parent);
        }
        if let Some(color) = group.color() {
            properties.push("color", crate::scene::conventions::format_numbers(color));
        }
        let name = group.name().unwrap_or_default().into_owned();
        context.scene.sets.push(NamedSet { name, members: Vec::new(), properties });
        if let Some(id) = group.id() {
            context.visgroups.entry(id).or_insert(index);
        }
    }
}

/// Reads the groups of the world as nodes.
pub(super) fn read_groups(context: &mut Context<'_>) {
    let groups = groups(context.document);
    let mut nodes = Vec::with_capacity(groups.len());
    for (index, group) in groups.iter().enumerate() {
        let node = Node { key: Some(Part::Group(index).node_key()), ..Node::new("", Content::Group) };
        let id = context.scene.nodes.push(node);
        nodes.push(id);
        if let Some(number) = group.id() {
            context.groups.entry(number).or_insert(id);
        }
    }
    // The parent of each group, as an index of this list. A group may precede its parent.
    let first = nodes.first().map_or(0, |id| id.index());
    let parent = |group: &Group<'_>| {
        let number = group.editor()?.group_id()?;
        context.groups.get(&number).map(|id| id.index() - first)
    };
    let mut parents: Vec<Option<usize>> = groups.iter().map(parent).collect();
    let cut = cut_cycles(&mut parents);
    if cut > 0 {
        context.losses.repaired("world.groups", format!("{} that contain themselves", format_count(cut, "group")));
    }
    for ((&id, group), parent) in nodes.iter().zip(&groups).zip(parents) {
        match parent.and_then(|parent| nodes.get(parent)).and_then(|parent| context.scene.nodes.get_mut(*parent)) {
            Some(parent) => parent.children.push(id),
            None => context.scene.roots.push(id),
        }
        add_memberships(context, id, group.editor());
    }
}

/// Removes the parent of a group in each cycle. Returns the number of removed parents.
fn cut_cycles(parents: &mut [Option<usize>]) -> usize {
    let mut cut = 0;
    // The walk that visited each group: one that comes back to itself is in a cycle.
    let mut visited: Vec<Option<usize>> = vec![None; parents.len()];
    for start in 0..parents.len() {
        let mut at = start;
        while let Some(seen) = visited.get_mut(at).filter(|seen| seen.is_none()) {
            *seen = Some(start);
            let Some(parent) = parents.get(at).copied().flatten() else { break };
            if visited.get(parent).copied().flatten() == Some(start) {
                parents.get_mut(at).into_iter().for_each(|parent| *parent = None);
                cut += 1;
                break;
            }
            at = parent;
        }
    }
    cut
}

/// Reads the data of the editor of an object: visgroups and comments.
pub(super) fn read_editor(context: &mut Context<'_>, node: NodeId, editor: Option<EditorData<'_>>) {
    let Some(data) = editor else { return };
    context.counts.editor += usize::from(data.color().is_some() || data.logical_position().is_some());
    if let Some(comments) = data.comments().filter(|text| !text.is_empty()) {
        context.scene.nodes.get_mut(node).into_iter().for_each(|node| node.properties.push(COMMENTS, &*comments));
    }
    add_memberships(context, node, editor);
}

fn add_memberships(context: &mut Context<'_>, node: NodeId, editor: Option<EditorData<'_>>) {
    for id in editor.into_iter().flat_map(crate::document::editor::EditorData::visgroup_ids) {
        let set = context.visgroups.get(&id).and_then(|&index| context.scene.sets.get_mut(index));
        match set {
            Some(set) if set.members.last().is_none_or(|(last, _)| *last != node) => {
                set.members.push((node, Elements::Node));
            }
            // The object is in the visgroup twice.
            Some(_) => {}
            None => context.counts.unknown_visgroups += 1,
        }
    }
}

/// Returns the node of the group of an object.
pub(super) fn group_of(context: &mut Context<'_>, editor: Option<EditorData<'_>>) -> Option<NodeId> {
    let id = editor?.group_id()?;
    let group = context.groups.get(&id).copied();
    context.counts.unknown_groups += usize::from(group.is_none());
    group
}

/// Reads the cameras of the editor.
pub(super) fn read_cameras(context: &mut Context<'_>) {
    let active = context.document.active_camera();
    for (index, camera) in context.document.cameras().enumerate() {
        let (Some(position), Some(target)) = (camera.position(), camera.look_at()) else {
            context.losses.dropped(format!("cameras[{index}]"), "camera without position or target");
            continue;
        };
        let (position, target) = (AXES.apply(position), AXES.apply(target));
        let rotation = Transform::looking_along(sub(target, position));
        let id = context.scene.cameras.push(Camera { target: Some(target), ..Camera::default() });
        let mut node = Node {
            transform: Transform::Trs { translation: position, rotation, scale: [1.0; 3] },
            key: Some(Part::Camera(index).node_key()),
            ..Node::new(CAMERA, Content::Camera(id))
        };
        if active == Some(index) {
            node.properties.push(ACTIVE, true);
        }
        context.scene.add_node(None, node);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cycles_of_groups_are_cut_once() {
        let mut parents = vec![Some(1), Some(2), Some(0), Some(0), None, Some(5)];
        assert_eq!(cut_cycles(&mut parents), 2);
        assert_eq!(parents, [Some(1), Some(2), None, Some(0), None, None]);
    }
}
