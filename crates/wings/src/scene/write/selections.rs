//! Named sets → selections and selection groups.

use std::collections::{BTreeSet, HashMap, HashSet};

use mapwright_io::format_count;
use mapwright_scene::{Elements, LossKind, NamedSet, NodeId, Scene};

use super::context::WriteContext;
use super::meshes::MeshColumns;
use super::objects::WrittenObject;
use crate::scene::imported::{ImportedObject, ImportedScene};
use crate::scene::report::{is_selection, report_unread_selections};
use crate::{SelectMode, Selection, WriteError};

/// Writes the selections, unless they and the numbers of their elements are unchanged. `order` gives the object of each shape.
///
/// The live selection comes after the groups. If several sets have no name, it is the last: the one that Wings would show.
pub(super) fn write_selections(
    context: &mut WriteContext<'_>,
    objects: &[WrittenObject<'_>],
    order: &[Option<usize>],
) -> Result<(), WriteError> {
    if is_unchanged(context, objects, order) {
        return Ok(());
    }
    let is_known = |selection: &Selection| !matches!(selection.mode, SelectMode::Other(_));
    let read = context.model.selections().iter().filter(|selection| is_known(selection)).count();
    let before = context.model.props.items.len();
    context.model.props.items.retain(|item| !is_selection(item.root()));
    let removed = before.saturating_sub(context.model.props.items.len());
    report_unread_selections(removed, read, &mut context.losses);
    let objects_with_place = order.iter().enumerate().filter_map(|(place, index)| Some((place, (*index)?)));
    let places: HashMap<NodeId, (usize, usize)> =
        objects_with_place.map(|(place, index)| (objects[index].node, (place, index))).collect();
    let mut finder = MemberFinder { objects, places, selectable: HashMap::new() };
    let mut taken: HashSet<(&str, SelectMode)> = HashSet::new();
    let mut live: Option<(String, Selection)> = None;
    for (index, set) in context.scene.sets.iter().enumerate() {
        let path = format!("sets[{index}]");
        let modes = modes_of_members(set);
        if modes.len() > 1 && !set.name.is_empty() {
            context.losses.approximated(&path, "selection of several kinds of elements, split by kind");
        }
        if modes.is_empty() || !set.properties.is_empty() {
            context.losses.dropped(&path, "empty selection, or properties of a selection");
        }
        for mode in modes {
            if !set.name.is_empty() && !taken.insert((&set.name, mode.clone())) {
                context.losses.dropped(&path, format!("second selection {:?} of the same kind", set.name));
                continue;
            }
            let members = finder.find_members(context, set, &mode, &path);
            if members.is_empty() {
                continue;
            }
            if !set.name.is_empty() {
                context.model.add_selection(&Selection { name: Some(set.name.as_str().into()), mode, members })?;
            } else if let Some((path, old)) = live.replace((path.clone(), Selection { name: None, mode, members })) {
                let what = "selection without a name; a file has only one, the last";
                context.losses.dropped(path, format!("{} {what}", old.mode.name()));
            }
        }
    }
    live.map_or(Ok(()), |(_, selection)| context.model.add_selection(&selection))
}

/// Returns `true` if the selections of the base are still right.
fn is_unchanged(context: &WriteContext<'_>, objects: &[WrittenObject<'_>], order: &[Option<usize>]) -> bool {
    let Some(base) = context.base else { return false };
    let has_old_numbers = |(place, index): (usize, &Option<usize>)| {
        index.is_none_or(|index| objects[index].old == Some(place) && objects[index].columns.is_none())
    };
    base.objects.len() == context.model.shapes.len()
        && order.iter().enumerate().all(has_old_numbers)
        && has_same_sets(context.scene, base)
}

/// Compares the sets by the keys of their members.
fn has_same_sets(scene: &Scene, base: &ImportedScene) -> bool {
    let has_same_members = |new: &NamedSet, old: &NamedSet| {
        new.members.iter().zip(&old.members).all(|((a, elements), (b, before))| {
            let key = &scene.nodes[*a].key;
            elements == before && key.is_some() && *key == base.scene.nodes[*b].key
        })
    };
    scene.sets.len() == base.scene.sets.len()
        && scene.sets.iter().zip(&base.scene.sets).all(|(new, old)| {
            new.name == old.name && new.members.len() == old.members.len() && has_same_members(new, old)
        })
}

fn mode_of_elements(elements: &Elements) -> SelectMode {
    match elements {
        Elements::Node => SelectMode::Body,
        Elements::Vertices(_) => SelectMode::Vertex,
        Elements::Edges(_) => SelectMode::Edge,
        Elements::Faces(_) => SelectMode::Face,
    }
}

/// Returns the modes of the members, in the order of their first members.
fn modes_of_members(set: &NamedSet) -> Vec<SelectMode> {
    let mut modes: Vec<SelectMode> = Vec::new();
    for (_, elements) in &set.members {
        let mode = mode_of_elements(elements);
        if !modes.contains(&mode) {
            modes.push(mode);
        }
    }
    modes
}

/// Finds the numbers of selected objects and elements.
struct MemberFinder<'o> {
    objects: &'o [WrittenObject<'o>],
    /// The index of the shape and of the object of each node.
    places: HashMap<NodeId, (usize, usize)>,
    /// By index of the object.
    selectable: HashMap<usize, SelectableElements>,
}

impl MemberFinder<'_> {
    /// Returns the members of a set that have a mode: the number of each object, with those of its elements.
    fn find_members(
        &mut self,
        context: &mut WriteContext<'_>,
        set: &NamedSet,
        mode: &SelectMode,
        path: &str,
    ) -> Vec<(i64, Vec<i64>)> {
        let mut members: Vec<(i64, Vec<i64>)> = Vec::new();
        let mut missing = 0_usize;
        for (node, elements) in set.members.iter().filter(|(_, elements)| mode_of_elements(elements) == *mode) {
            let Some(&(place, index)) = self.places.get(node) else {
                context.losses.push(LossKind::Dropped, path, "member that is not an object");
                continue;
            };
            let written = &self.objects[index];
            let selectable = self.selectable.entry(index).or_insert_with(|| {
                let imported = context.base.and_then(|base| base.objects[written.old?].as_ref());
                SelectableElements::new(written, imported)
            });
            let (ids, not_found) = selectable.find(elements, written.columns.as_ref());
            missing = missing.saturating_add(not_found);
            if !ids.is_empty() {
                members.push((i64::try_from(place).unwrap_or(i64::MAX), ids));
            }
        }
        if missing > 0 {
            let what =
                format!("{} of the selection {:?}", format_count(missing, "hidden or missing element"), set.name);
            context.losses.dropped(path, what);
        }
        members
    }
}

/// The elements of an object that can be selected. Each table gives the number in the file for the element of the scene, and
/// is sorted.
///
/// Hidden faces and vertices without an edge are missing: Wings cannot save a live selection of those.
struct SelectableElements {
    vertices: Vec<(u32, u32)>,
    edges: Vec<([u32; 2], u32)>,
    faces: Vec<(u32, u32)>,
}

impl SelectableElements {
    fn new(written: &WrittenObject<'_>, imported: Option<&ImportedObject>) -> Self {
        let columns = written.columns.as_ref();
        let origin = |vertex: u32| match columns {
            Some(columns) => columns.vertices().get(vertex as usize).copied(),
            None => Some(vertex),
        };
        let ends: Vec<[u32; 2]> = match columns {
            Some(columns) => columns.edges().collect(),
            None => written.object.mesh.edges.iter().map(|edge| [edge.start, edge.end]).collect(),
        };
        let both = ends.iter().flatten();
        let mut vertices: Vec<(u32, u32)> = both.filter_map(|&vertex| Some((origin(vertex)?, vertex))).collect();
        vertices.sort_unstable();
        vertices.dedup();
        let pair = |(number, &[a, b]): (u32, &[u32; 2])| Some((sorted([origin(a)?, origin(b)?]), number));
        let mut edges: Vec<([u32; 2], u32)> = (0..).zip(&ends).filter_map(pair).collect();
        edges.sort_unstable();
        let mut faces: Vec<(u32, u32)> = match (columns, imported) {
            (Some(columns), _) => columns.faces().filter_map(|(face, origin)| Some((origin?, face))).collect(),
            (None, Some(imported)) => (0..).zip(imported.rings.faces.iter().copied()).collect(),
            (None, None) => Vec::new(),
        };
        let hidden = written.object.hidden_faces();
        faces.retain(|&(_, face)| face >= hidden);
        faces.sort_unstable();
        Self { vertices, edges, faces }
    }

    /// Returns the numbers of elements in the file, and the number of elements without one.
    fn find(&self, elements: &Elements, columns: Option<&MeshColumns<'_>>) -> (Vec<i64>, usize) {
        let merged = |vertex: u32| {
            let merged = columns.and_then(|columns| columns.merged.get(vertex as usize));
            merged.copied().unwrap_or(vertex)
        };
        match elements {
            Elements::Node => (vec![0], 0),
            Elements::Vertices(wanted) => find_all(&self.vertices, wanted.iter().map(|&vertex| merged(vertex))),
            Elements::Edges(wanted) => find_all(&self.edges, wanted.iter().map(|edge| sorted(edge.map(merged)))),
            Elements::Faces(wanted) => find_all(&self.faces, wanted.iter().copied()),
        }
    }
}

fn sorted([a, b]: [u32; 2]) -> [u32; 2] {
    [a.min(b), a.max(b)]
}

/// Looks keys up in a sorted table. Returns the numbers, ascending, and the number of keys that are missing.
fn find_all<K: Ord + Copy>(table: &[(K, u32)], wanted: impl Iterator<Item = K>) -> (Vec<i64>, usize) {
    let (mut ids, mut missing) = (Vec::new(), 0_usize);
    for key in wanted.collect::<BTreeSet<K>>() {
        let first = table.partition_point(|&(known, _)| known < key);
        let count = ids.len();
        let found = table.iter().skip(first).take_while(|(known, _)| *known == key);
        ids.extend(found.map(|&(_, number)| i64::from(number)));
        missing = missing.saturating_add(usize::from(ids.len() == count));
    }
    ids.sort_unstable();
    (ids, missing)
}
