//! Folders of the object list ⇄ group nodes.

use std::collections::{HashMap, HashSet};

use mapwright_etf::{Builder, List, Term};
use mapwright_scene::{Content, Node, NodeId, Scene};

use super::from::Writer;
use super::terms::make;
use super::to::Reading;
use crate::document::with_wings_shape;
use crate::{Model, WriteError};

/// The groups made for folders so far.
#[derive(Default)]
pub(super) struct Groups(HashMap<String, NodeId>);

impl Groups {
    /// The group of a folder.
    pub(super) fn of(&mut self, folder: String, scene: &mut Scene) -> NodeId {
        *self.0.entry(folder).or_insert_with_key(|name| scene.add_node(None, Node::new(name.clone(), Content::Group)))
    }
}

/// The folders that a scene lists, whether or not an object is in them.
pub(super) fn listed(model: &Model) -> Vec<String> {
    let read = || {
        let states = model.props.get("plugin_states")?.as_list()?.terms()?;
        let (_, data) =
            states.into_iter().filter_map(Term::as_property).find(|(module, _)| *module == *"wings_shape")?;
        let [_, folders] = data.as_tuple_of()?;
        let folders = folders.as_list()?.terms()?.into_iter();
        Some(folders.filter_map(|folder| folder.as_tuple_of::<2>()?[0].as_list().and_then(List::to_text)).collect())
    };
    read().unwrap_or_default()
}

/// The most bytes that groups around a folder add to its name.
const MAX_NAME: usize = 255;

/// Where the nodes of a scene belong among folders, which do not nest.
pub(super) struct Folders {
    /// The group that the children of each node are in: the nearest one.
    inside: Vec<Option<NodeId>>,
    /// The folders of groups that hold an object, or no group.
    names: HashMap<NodeId, String>,
    /// Groups without anything in them that is an object.
    empty: Vec<String>,
}

impl Folders {
    /// The folder that the children of a node are in.
    pub(super) fn of(&self, parent: Option<NodeId>) -> Option<&str> {
        self.names.get(&self.group(parent)?).map(String::as_str)
    }

    fn group(&self, parent: Option<NodeId>) -> Option<NodeId> {
        self.inside.get(parent?.index()).copied().flatten()
    }
}

impl<'a> Writer<'a> {
    /// Makes folders of the groups.
    pub(super) fn folders(&mut self) -> Folders {
        let mut folders =
            Folders { inside: vec![None; self.scene.nodes.len()], names: HashMap::new(), empty: Vec::new() };
        // Which groups hold an object, and which hold a group.
        let (mut full, mut outer) = (HashSet::new(), HashSet::new());
        let mut groups = Vec::new();
        for visit in self.scene.walk() {
            let path = || format!("nodes[{}]", visit.id.index());
            let around = folders.group(visit.parent);
            let mut inside = around;
            match visit.node.content {
                Content::Group => {
                    if !visit.node.visible || visit.node.locked {
                        self.losses.approximated(path(), "hidden or locked group: what is in it is hidden or locked");
                    }
                    outer.extend(around);
                    groups.push((visit.id, around));
                    inside = Some(visit.id);
                }
                _ if !visit.node.children.is_empty() => {
                    self.losses.approximated(path(), "nodes below an object stand beside it");
                }
                _ => {}
            }
            if matches!(visit.node.content, Content::Mesh(_)) {
                full.extend(around);
            }
            if let Some(place) = folders.inside.get_mut(visit.id.index()) {
                *place = inside;
            }
        }
        let around: HashMap<NodeId, NodeId> = groups.iter().filter_map(|&(id, around)| Some((id, around?))).collect();
        let mut known: HashSet<String> = HashSet::new();
        for (id, _) in groups.into_iter().filter(|(id, _)| full.contains(id) || !outer.contains(id)) {
            let folder = self.folder_name(id, &around);
            if !known.insert(folder.clone()) {
                let what = format!("groups of the name {folder:?} become one folder");
                self.losses.approximated(format!("nodes[{}]", id.index()), what);
            }
            if !full.contains(&id) {
                folders.empty.push(folder.clone());
            }
            folders.names.insert(id, folder);
        }
        folders
    }

    /// The name of a folder: those of the groups around it first, as many of the inner ones as there is room for.
    fn folder_name(&mut self, group: NodeId, around: &HashMap<NodeId, NodeId>) -> String {
        let path = format!("nodes[{}]", group.index());
        let given = |id| self.scene.nodes.get(id).map_or("", |node| node.name.as_str());
        let name = |id| if given(id).is_empty() { "group" } else { given(id) };
        if given(group).is_empty() {
            self.losses.synthesized(&path, "name of the folder");
        }
        let (mut parts, mut length, mut at) = (vec![name(group)], name(group).len(), group);
        while let Some(&next) = around.get(&at) {
            length = length.saturating_add(1 + name(next).len());
            if length > MAX_NAME {
                self.losses.dropped(&path, "names of the outer groups, for which the name of the folder has no room");
                break;
            }
            parts.push(name(next));
            at = next;
        }
        parts.reverse();
        let folder = parts.join("/");
        if around.contains_key(&group) {
            self.losses.approximated(path, format!("group in a group, as a folder {folder}"));
        }
        folder
    }

    /// Lists the folders where Wings does, if the list says something else than before.
    pub(super) fn list_folders(&mut self, folders: &Folders) -> Result<(), WriteError> {
        let mut in_use: Vec<String> = Vec::new();
        let mut seen = HashSet::new();
        for (_, object) in self.model.objects() {
            in_use.extend(object.folder().filter(|folder| seen.insert(folder.clone())));
        }
        let empty = folders.empty.iter().filter(|folder| seen.insert((*folder).clone()));
        let wanted: Vec<String> = in_use.iter().chain(empty).cloned().collect();
        let before: HashSet<String> = listed(&self.model).into_iter().collect();
        // Folders that only their objects know of were read as well.
        let is_group = |node: &&Node| matches!(node.content, Content::Group);
        let groups = |base: &'a Reading| base.scene.nodes.iter().map(|(_, node)| node).filter(is_group);
        let read: HashSet<&str> = self.base.into_iter().flat_map(groups).map(|node| node.name.as_str()).collect();
        let is_told =
            |folder: &String| before.contains(folder) || (read.contains(folder.as_str()) && in_use.contains(folder));
        let gone = before.iter().any(|folder| !seen.contains(folder));
        if (self.base.is_some() && !gone && wanted.iter().all(is_told)) || (self.base.is_none() && wanted.is_empty()) {
            return Ok(());
        }
        let data = make(|term| emit(term, &wanted))?;
        let list = with_wings_shape(self.model.props.get("plugin_states"), &data)?;
        self.model.props.set("plugin_states", &list)
    }
}

/// `{no_folder,[{Folder,{open,{0,nil}}}]}`: no current folder, all open. Which objects are in them the objects say.
fn emit(term: &mut Builder, folders: &[String]) {
    term.tuple(2);
    term.atom("no_folder");
    term.begin_list();
    for folder in std::iter::once(None).chain(folders.iter().map(Some)) {
        term.tuple(2);
        match folder {
            Some(folder) => term.text(folder),
            None => term.atom("no_folder"),
        }
        term.tuple(2);
        term.atom("open");
        term.tuple(2);
        term.integer(0);
        term.atom("nil");
    }
    term.end_list();
}
