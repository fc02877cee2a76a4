//! Group nodes → folders of the object list.

use std::collections::{HashMap, HashSet};

use mapwright_scene::{Content, NodeId};

use super::context::WriteContext;
use crate::WriteError;
use crate::document::{build, with_wings_shape};
use crate::scene::plugin_states::{listed_folders, write_folder_list};

/// The maximum length in bytes of a folder name to which the names of outer groups are added.
const MAX_NAME: usize = 255;

/// The folders of the groups of a scene. Folders do not nest.
pub(super) struct Folders {
    /// For each node, the nearest group among the node and its ancestors.
    groups: Vec<Option<NodeId>>,
    /// The folders of groups that directly contain an object, or that contain no group.
    names: HashMap<NodeId, String>,
    /// Folders of groups without an object.
    empty: Vec<String>,
}

impl Folders {
    /// Chooses the folders.
    pub(super) fn new(context: &mut WriteContext<'_>) -> Self {
        let mut folders =
            Self { groups: vec![None; context.scene.nodes.len()], names: HashMap::new(), empty: Vec::new() };
        let (mut with_objects, mut with_groups) = (HashSet::new(), HashSet::new());
        let mut groups = Vec::new();
        for visit in context.scene.walk() {
            let path = || format!("nodes[{}]", visit.id.index());
            let outer = folders.group(visit.parent);
            let mut group = outer;
            match visit.node.content {
                Content::Group => {
                    if !visit.node.visible || visit.node.locked {
                        context.losses.approximated(path(), "hidden or locked group, stored in each of its objects");
                    }
                    with_groups.extend(outer);
                    groups.push((visit.id, outer));
                    group = Some(visit.id);
                }
                _ if !visit.node.children.is_empty() => {
                    context.losses.approximated(path(), "children of an object, moved out of it");
                }
                _ => {}
            }
            if matches!(visit.node.content, Content::Mesh(_)) {
                with_objects.extend(outer);
            }
            folders.groups[visit.id.index()] = group;
        }
        let outer: HashMap<NodeId, NodeId> = groups.iter().filter_map(|&(id, outer)| Some((id, outer?))).collect();
        let mut known: HashSet<String> = HashSet::new();
        // A group that contains only groups needs no folder: its name is part of theirs.
        let is_folder = |id: &NodeId| with_objects.contains(id) || !with_groups.contains(id);
        for (id, _) in groups.into_iter().filter(|(id, _)| is_folder(id)) {
            let folder = folder_name(context, id, &outer);
            if !known.insert(folder.clone()) {
                let what = format!("groups with the name {folder:?}, merged into one folder");
                context.losses.approximated(format!("nodes[{}]", id.index()), what);
            }
            if !with_objects.contains(&id) {
                folders.empty.push(folder.clone());
            }
            folders.names.insert(id, folder);
        }
        folders
    }

    /// Returns the folder of a node with a parent.
    pub(super) fn find(&self, parent: Option<NodeId>) -> Option<&str> {
        self.names.get(&self.group(parent)?).map(String::as_str)
    }

    fn group(&self, parent: Option<NodeId>) -> Option<NodeId> {
        self.groups[parent?.index()]
    }
}

/// Returns the name of a folder: the names of the outer groups, outermost first, then that of the group. Leaves out the
/// outermost ones if the name becomes too long.
fn folder_name(context: &mut WriteContext<'_>, group: NodeId, outer: &HashMap<NodeId, NodeId>) -> String {
    let path = format!("nodes[{}]", group.index());
    let scene = context.scene;
    let name = |id| match scene.nodes[id].name.as_str() {
        "" => "group",
        name => name,
    };
    if scene.nodes[group].name.is_empty() {
        context.losses.synthesized(&path, "name of the folder");
    }
    let (mut parts, mut length, mut inner) = (vec![name(group)], name(group).len(), group);
    while let Some(&next) = outer.get(&inner) {
        length = length.saturating_add(1 + name(next).len());
        if length > MAX_NAME {
            context.losses.dropped(&path, "names of outer groups, which do not fit the name of the folder");
            break;
        }
        parts.push(name(next));
        inner = next;
    }
    parts.reverse();
    let folder = parts.join("/");
    if outer.contains_key(&group) {
        context.losses.approximated(path, format!("group in a group, as the folder {folder}"));
    }
    folder
}

/// Writes the list of folders if it differs from that of the base.
pub(super) fn write_list(context: &mut WriteContext<'_>, folders: &Folders) -> Result<(), WriteError> {
    let mut in_use: Vec<String> = Vec::new();
    let mut wanted = HashSet::new();
    for (_, object) in context.model.objects() {
        in_use.extend(object.folder().filter(|folder| wanted.insert(folder.clone())));
    }
    let empty = folders.empty.iter().filter(|folder| wanted.insert((*folder).clone()));
    let list: Vec<String> = in_use.iter().chain(empty).cloned().collect();
    let is_unchanged = match context.base {
        None => list.is_empty(),
        Some(base) => {
            let listed: HashSet<String> = listed_folders(&context.model).into_iter().collect();
            // A folder that the list lacks is no change if an object of the base was in it.
            let groups = base.scene.nodes.iter().filter(|(_, node)| matches!(node.content, Content::Group));
            let read: HashSet<&str> = groups.map(|(_, node)| node.name.as_str()).collect();
            let is_known = |folder: &String| {
                listed.contains(folder) || (read.contains(folder.as_str()) && in_use.contains(folder))
            };
            listed.iter().all(|folder| wanted.contains(folder)) && list.iter().all(is_known)
        }
    };
    if is_unchanged {
        return Ok(());
    }
    let data = build(|term| write_folder_list(term, &list))?;
    let states = with_wings_shape(context.model.props.get("plugin_states"), &data)?;
    context.model.props.set("plugin_states", &states)
}
