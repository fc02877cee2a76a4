//! Selections and their groups ⇄ named sets.

use std::collections::{BTreeSet, HashMap, HashSet};

use mapwright_etf::Term;
use mapwright_scene::{Elements, LossKind, Losses, NamedSet};

use super::from::Writer;
use super::meshes::Numbers;
use super::objects::{Place, Written};
use super::to::Reading;
use crate::{Edge, SelectMode, Selection, WingedMesh, WriteError};

/// Reads the selections.
pub(super) fn read(reading: &mut Reading) {
    for (index, selection) in reading.model.selections().iter().enumerate() {
        let name = selection.name.as_ref().map_or("", crate::Name::as_str);
        let path = format!("selections[{index}]");
        if let SelectMode::Other(mode) = &selection.mode {
            reading.losses.dropped(path, format!("selection {name:?} of the unknown mode {mode}"));
            continue;
        }
        let mut members = Vec::with_capacity(selection.members.len());
        let (mut objects, mut elements) = (0_usize, 0_usize);
        for (object, ids) in &selection.members {
            let place =
                usize::try_from(*object).ok().and_then(|object| Some((object, reading.objects.get(object)?.as_ref()?)));
            let mesh = place.and_then(|(object, _)| Some(&reading.model.shapes.get(object)?.as_object()?.mesh));
            let (Some((_, place)), Some(mesh)) = (place, mesh) else {
                objects += 1;
                continue;
            };
            let (found, lost) = read_elements(&selection.mode, ids, mesh, place);
            elements += lost;
            members.push((place.node, found));
        }
        if objects > 0 {
            reading.losses.dropped(&path, format!("{objects} objects of the selection {name:?} that do not exist"));
        }
        if elements > 0 {
            reading.losses.dropped(&path, format!("{elements} elements of the selection {name:?} that do not exist"));
        }
        reading.scene.sets.push(NamedSet { name: name.to_owned(), members, ..NamedSet::default() });
    }
}

/// The elements of one object, and how many of them do not exist.
fn read_elements(mode: &SelectMode, ids: &[i64], mesh: &WingedMesh, place: &Place) -> (Elements, usize) {
    let numbers = || ids.iter().filter_map(|&id| u32::try_from(id).ok());
    let (found, count) = match mode {
        SelectMode::Vertex => {
            let vertices: Vec<u32> = numbers().filter(|&vertex| (vertex as usize) < mesh.vertices.len()).collect();
            let count = vertices.len();
            (Elements::Vertices(vertices), count)
        }
        SelectMode::Edge => {
            let edges = numbers().filter_map(|edge| mesh.edges.get(edge as usize));
            let edges: Vec<[u32; 2]> = edges.map(|edge| sorted([edge.start, edge.end])).collect();
            let count = edges.len();
            (Elements::Edges(edges), count)
        }
        SelectMode::Face => {
            let face = |face: u32| u32::try_from(place.rings.faces.binary_search(&face).ok()?).ok();
            let faces: Vec<u32> = numbers().filter_map(face).collect();
            let count = faces.len();
            (Elements::Faces(faces), count)
        }
        _ => (Elements::Node, ids.len()),
    };
    (found, ids.len().saturating_sub(count))
}

/// Whether a property of the scene is a selection or a group of them.
pub(super) fn is_selection(property: Term<'_>) -> bool {
    let Some([key, _]) = property.as_tuple_of() else { return false };
    let kind = key.as_property().map(|(kind, _)| kind).or_else(|| key.as_atom());
    kind.is_some_and(|kind| kind == *"selection" || kind == *"saved_selection" || kind == *"selection_group")
}

/// Reports selections beyond those that are understood.
pub(super) fn report_unread(all: usize, read: usize, losses: &mut Losses) {
    if all > read {
        losses.dropped("selections", format!("{} selections that are not understood", all.saturating_sub(read)));
    }
}

fn mode(elements: &Elements) -> SelectMode {
    match elements {
        Elements::Node => SelectMode::Body,
        Elements::Vertices(_) => SelectMode::Vertex,
        Elements::Edges(_) => SelectMode::Edge,
        Elements::Faces(_) => SelectMode::Face,
    }
}

impl Writer<'_> {
    /// Writes the selections, if they or the numbers of what they name are not what they were. Behind the groups stands the
    /// live selection: of several without a name the last, which is the one that Wings would show.
    pub(super) fn sets(&mut self, objects: &[Written]) -> Result<(), WriteError> {
        let unmoved = |(place, written): (usize, &Written)| written.old == Some(place) && written.numbers.is_none();
        let same_objects = self.base.is_some_and(|base| base.objects.len() == self.model.shapes.len())
            && self.order.iter().enumerate().all(|(place, index)| match index {
                Some(index) => objects.get(*index).is_some_and(|written| unmoved((place, written))),
                None => true,
            });
        if same_objects && self.base.is_some_and(|base| self.same_sets(base)) {
            return Ok(());
        }
        let numbers: HashMap<_, _> = self
            .order
            .iter()
            .enumerate()
            .filter_map(|(place, index)| Some((objects.get((*index)?)?.node, (place, (*index)?))))
            .collect();
        let known = |selection: &Selection| !matches!(selection.mode, SelectMode::Other(_));
        let read = self.model.selections().iter().filter(|selection| known(selection)).count();
        let before = self.model.props.items.len();
        self.model.props.items.retain(|item| !is_selection(item.root()));
        report_unread(before.saturating_sub(self.model.props.items.len()), read, &mut self.losses);
        let mut selectable: HashMap<usize, Selectable> = HashMap::new();
        let mut taken: HashSet<(&str, SelectMode)> = HashSet::new();
        let mut live: Option<(String, Selection)> = None;
        for (index, set) in self.scene.sets.iter().enumerate() {
            let path = format!("sets[{index}]");
            let mut modes: Vec<SelectMode> = Vec::new();
            for (_, elements) in &set.members {
                let mode = mode(elements);
                if !modes.contains(&mode) {
                    modes.push(mode);
                }
            }
            if modes.len() > 1 && !set.name.is_empty() {
                self.losses.approximated(&path, "selection of several kinds of elements, as one for each");
            }
            if modes.is_empty() || !set.properties.is_empty() {
                self.losses.dropped(&path, "selection without members, or properties of it");
            }
            for mode in modes {
                if !set.name.is_empty() && !taken.insert((&set.name, mode.clone())) {
                    self.losses.dropped(&path, format!("second selection {:?} of the same kind", set.name));
                    continue;
                }
                let mut members: Vec<(i64, Vec<i64>)> = Vec::new();
                let mut gone = 0_usize;
                for (node, elements) in set.members.iter().filter(|(_, elements)| self::mode(elements) == mode) {
                    let Some(&(place, object)) = numbers.get(node) else {
                        self.losses.push(LossKind::Dropped, &path, "member that is no object");
                        continue;
                    };
                    let Some(written) = objects.get(object) else { continue };
                    let known = selectable.entry(object).or_insert_with(|| {
                        Selectable::new(written, self.base.and_then(|base| base.objects.get(written.old?)?.as_ref()))
                    });
                    let (ids, lost) = known.find(elements, written.numbers.as_ref());
                    gone = gone.saturating_add(lost);
                    if !ids.is_empty() {
                        members.push((i64::try_from(place).unwrap_or(i64::MAX), ids));
                    }
                }
                if gone > 0 {
                    let what = format!("{gone} elements of the selection {:?} that are hidden or not there", set.name);
                    self.losses.dropped(&path, what);
                }
                if members.is_empty() {
                    continue;
                }
                if !set.name.is_empty() {
                    self.model.add_selection(&Selection { name: Some(set.name.as_str().into()), mode, members })?;
                } else if let Some((path, old)) = live.replace((path.clone(), Selection { name: None, mode, members }))
                {
                    let what = "selection without a name, of which a file has one: the last";
                    self.losses.dropped(path, format!("{} {what}", old.mode.name()));
                }
            }
        }
        live.map_or(Ok(()), |(_, selection)| self.model.add_selection(&selection))
    }

    /// Whether the sets say what they said, by the keys of their members.
    fn same_sets(&self, base: &Reading) -> bool {
        let key = |scene: &mapwright_scene::Scene, node| scene.nodes.get(node).and_then(|node| node.key.clone());
        self.scene.sets.len() == base.scene.sets.len()
            && self.scene.sets.iter().zip(&base.scene.sets).all(|(new, old)| {
                new.name == old.name
                    && new.members.len() == old.members.len()
                    && new.members.iter().zip(&old.members).all(|((a, elements), (b, before))| {
                        elements == before
                            && key(self.scene, *a).is_some()
                            && key(self.scene, *a) == key(&base.scene, *b)
                    })
            })
    }
}

/// The elements of an object that can be selected, by what they are in the mesh of the scene, sorted: all but hidden faces
/// and vertices without an edge. A live selection of those is one with which Wings cannot save.
struct Selectable {
    vertices: Vec<(u32, u32)>,
    edges: Vec<([u32; 2], u32)>,
    faces: Vec<(u32, u32)>,
}

impl Selectable {
    fn new(written: &Written, place: Option<&Place>) -> Self {
        let (mesh, numbers) = (&written.object.mesh, written.numbers.as_ref());
        let was = |vertex: u32| numbers.map_or(Some(vertex), |numbers| numbers.vertices.get(vertex as usize).copied());
        let ends = mesh.edges.iter().flat_map(|edge| [edge.start, edge.end]);
        let mut vertices: Vec<(u32, u32)> = ends.filter_map(|vertex| Some((was(vertex)?, vertex))).collect();
        vertices.sort_unstable();
        vertices.dedup();
        let pair = |(number, edge): (u32, &Edge)| Some((sorted([was(edge.start)?, was(edge.end)?]), number));
        let mut edges: Vec<([u32; 2], u32)> = (0..).zip(&mesh.edges).filter_map(pair).collect();
        edges.sort_unstable();
        let mut faces: Vec<(u32, u32)> = match (numbers, place) {
            (Some(numbers), _) => numbers.faces.iter().map(|&(face, was)| (was, face)).collect(),
            (None, Some(place)) => (0..).zip(place.rings.faces.iter().copied()).collect(),
            (None, None) => Vec::new(),
        };
        let hidden = written.object.hidden_faces();
        faces.retain(|&(_, face)| face >= hidden);
        faces.sort_unstable();
        Self { vertices, edges, faces }
    }

    /// The numbers of elements in the file, and how many have none.
    fn find(&self, elements: &Elements, numbers: Option<&Numbers>) -> (Vec<i64>, usize) {
        let same = |vertex: u32| {
            let same = numbers.and_then(|numbers| numbers.same.get(vertex as usize));
            same.copied().unwrap_or(vertex)
        };
        match elements {
            Elements::Node => (vec![0], 0),
            Elements::Vertices(wanted) => find(&self.vertices, wanted.iter().map(|&vertex| same(vertex))),
            Elements::Edges(wanted) => find(&self.edges, wanted.iter().map(|edge| sorted(edge.map(same)))),
            Elements::Faces(wanted) => find(&self.faces, wanted.iter().copied()),
        }
    }
}

fn sorted([a, b]: [u32; 2]) -> [u32; 2] {
    [a.min(b), a.max(b)]
}

/// The numbers that a sorted table has for keys, ascending, and how many keys it does not have.
fn find<K: Ord + Copy>(table: &[(K, u32)], wanted: impl Iterator<Item = K>) -> (Vec<i64>, usize) {
    let (mut ids, mut lost) = (Vec::new(), 0_usize);
    for key in wanted.collect::<BTreeSet<K>>() {
        let first = table.partition_point(|&(known, _)| known < key);
        let count = ids.len();
        let found = table.iter().skip(first).take_while(|(known, _)| *known == key);
        ids.extend(found.map(|&(_, number)| i64::from(number)));
        lost = lost.saturating_add(usize::from(ids.len() == count));
    }
    ids.sort_unstable();
    (ids, lost)
}
