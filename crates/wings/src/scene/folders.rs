//! Folders of the object list ⇄ group nodes.

use std::collections::{HashMap, HashSet};

use mapwright_etf::{Builder, List, Term};
use mapwright_scene::{Content, Node, NodeId, Scene};

use super::from::Writer;
use super::terms::make;
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

/// Where the nodes of a scene belong among folders, which do not nest.
pub(super) struct Folders {
    /// The folder that the children of each node are in.
    inside: Vec<Option<String>>,
    /// Groups without anything in them that is an object.
    empty: Vec<String>,
}

impl Folders {
    /// The folder that the children of a node are in.
    pub(super) fn of(&self, parent: Option<NodeId>) -> Option<&str> {
        self.inside.get(parent?.index())?.as_deref()
    }
}

impl Writer<'_> {
    /// Makes folders of the groups.
    pub(super) fn folders(&mut self) -> Folders {
        let mut folders = Folders { inside: vec![None; self.scene.nodes.len()], empty: Vec::new() };
        let mut used = vec![false; self.scene.nodes.len()];
        let mut known: HashSet<String> = HashSet::new();
        let mut groups = Vec::new();
        for visit in self.scene.walk() {
            let outer = folders.of(visit.parent).map(str::to_owned);
            let path = format!("nodes[{}]", visit.id.index());
            let inside = match (&visit.node.content, outer) {
                (Content::Group, outer) => {
                    let name = if visit.node.name.is_empty() { "group" } else { visit.node.name.as_str() };
                    if name != visit.node.name {
                        self.losses.made_up(&path, "name of the folder");
                    }
                    if !visit.node.visible || visit.node.locked {
                        self.losses.approximated(&path, "hidden or locked group: what is in it is hidden or locked");
                    }
                    let folder = match outer {
                        Some(outer) => {
                            self.losses.approximated(&path, format!("group in a group, as a folder {outer}/{name}"));
                            format!("{outer}/{name}")
                        }
                        None => name.to_owned(),
                    };
                    if !known.insert(folder.clone()) {
                        self.losses.approximated(&path, format!("groups of the name {folder:?} become one folder"));
                    }
                    groups.push((visit.id, folder.clone()));
                    Some(folder)
                }
                (content, outer) => {
                    if matches!(content, Content::Mesh(_))
                        && let Some(used) = visit.parent.and_then(|parent| used.get_mut(parent.index()))
                    {
                        *used = true;
                    }
                    if !visit.node.children.is_empty() {
                        self.losses.approximated(&path, "nodes below an object stand beside it");
                    }
                    outer
                }
            };
            if let Some(place) = folders.inside.get_mut(visit.id.index()) {
                *place = inside;
            }
        }
        let is_used = |id: NodeId| used.get(id.index()).copied().unwrap_or_default();
        let full: HashSet<&String> = groups.iter().filter(|(id, _)| is_used(*id)).map(|(_, folder)| folder).collect();
        folders.empty =
            groups.iter().map(|(_, folder)| folder).filter(|folder| !full.contains(folder)).cloned().collect();
        folders
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
        let same = |folder: &String| before.contains(folder);
        let gone = before.iter().any(|folder| !seen.contains(folder));
        if (self.base.is_some() && !gone && wanted.iter().all(same)) || (self.base.is_none() && wanted.is_empty()) {
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
