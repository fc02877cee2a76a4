//! Selections and their groups ⇄ named sets.

use std::collections::{BTreeSet, HashMap, HashSet};

use mapwright_scene::{Elements, LossKind, NamedSet};

use super::from::Writer;
use super::objects::{Place, Written};
use super::to::Reading;
use crate::{SelectMode, Selection, WingedMesh, WriteError};

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
            let edges: Vec<[u32; 2]> = edges.map(|edge| [edge.start.min(edge.end), edge.start.max(edge.end)]).collect();
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

fn mode(elements: &Elements) -> SelectMode {
    match elements {
        Elements::Node => SelectMode::Body,
        Elements::Vertices(_) => SelectMode::Vertex,
        Elements::Edges(_) => SelectMode::Edge,
        Elements::Faces(_) => SelectMode::Face,
    }
}

impl Writer<'_> {
    /// Writes the selections, if they or the numbers of what they name are not what they were.
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
        self.model.props.items.retain(|item| {
            let Some([key, _]) = item.root().as_tuple_of() else { return true };
            let kind = key.as_property().map(|(kind, _)| kind).or_else(|| key.as_atom());
            !kind.is_some_and(|kind| kind == *"selection" || kind == *"saved_selection" || kind == *"selection_group")
        });
        let mut taken: HashSet<(String, SelectMode)> = HashSet::new();
        for (index, set) in self.scene.sets.iter().enumerate() {
            let path = format!("sets[{index}]");
            let mut modes: Vec<SelectMode> = Vec::new();
            for (_, elements) in &set.members {
                let mode = mode(elements);
                if !modes.contains(&mode) {
                    modes.push(mode);
                }
            }
            if modes.len() > 1 {
                self.losses.approximated(&path, "selection of several kinds of elements, as one for each");
            }
            if modes.is_empty() || !set.properties.is_empty() {
                self.losses.dropped(&path, "selection without members, or properties of it");
            }
            for mode in modes {
                if !taken.insert((set.name.clone(), mode.clone())) {
                    self.losses.dropped(&path, format!("second selection {:?} of the same kind", set.name));
                    continue;
                }
                let mut members: Vec<(i64, Vec<i64>)> = Vec::new();
                for (node, elements) in set.members.iter().filter(|(_, elements)| self::mode(elements) == mode) {
                    let Some(&(place, object)) = numbers.get(node) else {
                        self.losses.push(LossKind::Dropped, &path, "member that is no object");
                        continue;
                    };
                    let Some(written) = objects.get(object) else { continue };
                    let ids =
                        ids(elements, written, self.base.and_then(|base| base.objects.get(written.old?)?.as_ref()));
                    members.push((i64::try_from(place).unwrap_or(i64::MAX), ids));
                }
                let name = (!set.name.is_empty()).then(|| set.name.as_str().into());
                if !members.is_empty() {
                    self.model.add_selection(&Selection { name, mode, members })?;
                }
            }
        }
        Ok(())
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

/// The numbers of elements in the file.
fn ids(elements: &Elements, written: &Written, place: Option<&Place>) -> Vec<i64> {
    let mesh = &written.object.mesh;
    let old_vertex = |vertex: u32| match &written.numbers {
        Some(numbers) => numbers.vertices.get(vertex as usize).copied(),
        None => Some(vertex),
    };
    let same = |vertex: u32| {
        let same = written.numbers.as_ref().and_then(|numbers| numbers.same.get(vertex as usize));
        same.copied().unwrap_or(vertex)
    };
    let vertices = || 0..u32::try_from(mesh.vertices.len()).unwrap_or(u32::MAX);
    match elements {
        Elements::Node => vec![0],
        Elements::Vertices(wanted) => {
            let wanted: BTreeSet<u32> = wanted.iter().map(|&vertex| same(vertex)).collect();
            let is_wanted = |vertex: &u32| old_vertex(*vertex).is_some_and(|old| wanted.contains(&old));
            vertices().filter(is_wanted).map(i64::from).collect()
        }
        Elements::Edges(wanted) => {
            let sorted = |[a, b]: [u32; 2]| [a.min(b), a.max(b)];
            let wanted: BTreeSet<[u32; 2]> = wanted.iter().map(|edge| sorted(edge.map(same))).collect();
            let pair = |edge: &crate::Edge| {
                let (a, b) = (old_vertex(edge.start)?, old_vertex(edge.end)?);
                Some([a.min(b), a.max(b)])
            };
            let edges =
                (0..).zip(&mesh.edges).filter(|(_, edge)| pair(edge).is_some_and(|pair| wanted.contains(&pair)));
            edges.map(|(number, _)| number).collect()
        }
        Elements::Faces(wanted) => {
            let wanted: BTreeSet<u32> = wanted.iter().copied().collect();
            match (&written.numbers, place) {
                (Some(numbers), _) => {
                    numbers.faces.iter().filter(|(_, old)| wanted.contains(old)).map(|&(face, _)| face.into()).collect()
                }
                (None, Some(place)) => wanted
                    .iter()
                    .filter_map(|&face| place.rings.faces.get(face as usize))
                    .map(|&face| face.into())
                    .collect(),
                (None, None) => Vec::new(),
            }
        }
    }
}
