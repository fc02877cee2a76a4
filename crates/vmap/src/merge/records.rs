//! The elements of a map that are merged field by field: all others are values of theirs.

use std::collections::{HashMap, VecDeque};

use mapwright_dmx::diff::Matching;
use mapwright_dmx::{ElementId, ElementRef, Value};

use crate::diff::nodes;
use crate::document::Node;
use crate::{Document, WriteError, WriteErrorKind};

/// What a record is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    Root,
    Manager,
    /// A node below the world, or the world.
    Node,
    /// A selection set.
    Set,
    /// Baked light of a node.
    Light,
    /// The keys of a node.
    Properties,
    /// The nodes of a selection set.
    Objects,
}

impl Kind {
    /// Whether it stands in a tree by itself.
    pub(super) fn is_placed(self) -> bool {
        !matches!(self, Self::Properties | Self::Objects)
    }

    /// The attribute with what stands below.
    pub(super) fn list(self) -> Option<&'static str> {
        match self {
            Self::Root => Some("nodeInstanceData"),
            Self::Node | Self::Set => Some("children"),
            _ => None,
        }
    }
}

/// So many bytes of a name tell elements apart.
const NAME: usize = 256;

/// The nodes that baked lights are of, in an old map, and the rest of the paths to them.
type Lights<'a> = HashMap<ElementId, (Option<ElementId>, &'a [u8])>;

/// The records of a map.
pub(super) struct Records<'a> {
    pub(super) map: &'a Document,
    /// What each element is.
    pub(super) kinds: Vec<Option<Kind>>,
    /// What stands in a tree, parents first.
    pub(super) placed: Vec<ElementId>,
    /// The record that each stands below, or is a part of.
    pub(super) parents: HashMap<ElementId, ElementId>,
    /// What stands below each.
    pub(super) children: HashMap<ElementId, Vec<ElementId>>,
    /// The first node with each number.
    pub(super) numbers: HashMap<i32, ElementId>,
}

impl<'a> Records<'a> {
    pub(super) fn of(map: &'a Document) -> Result<Self, WriteError> {
        let mut records = Self {
            map,
            kinds: vec![None; map.graph().elements.len()],
            placed: Vec::new(),
            parents: HashMap::new(),
            children: HashMap::new(),
            numbers: HashMap::new(),
        };
        records.place(ElementId::ROOT, Kind::Root, None);
        if let Some(manager) = map.visibility() {
            records.place(manager.element().id(), Kind::Manager, None);
        }
        let world = map.world().map(|world| world.element().id());
        if !world.is_some_and(|world| records.tree(world, Kind::Node)) {
            return Err(super::error(WriteErrorKind::NoPart { name: "world" }));
        }
        if let Some(set) = map.root_selection_set() {
            records.tree(set.element().id(), Kind::Set);
        }
        for light in map.root().into_iter().flat_map(crate::Root::instance_data) {
            records.place(light.element().id(), Kind::Light, Some(ElementId::ROOT));
        }
        for id in records.placed.clone() {
            let Some(element) = map.graph().element(id) else { continue };
            if let Some(number) = Node(element).node_id().filter(|_| records.is(id, Kind::Node)) {
                records.numbers.entry(number.0).or_insert(id);
            }
            for (kind, part) in [(Kind::Node, Kind::Properties), (Kind::Set, Kind::Objects)] {
                let part_of = records.part(id, kind).filter(|part| records.kind(*part).is_none());
                if let Some(found) = part_of.filter(|_| records.is(id, kind)) {
                    records.set(found, part);
                    records.parents.insert(found, id);
                }
            }
        }
        Ok(records)
    }

    /// The part of a node or of a selection set that is a record of its own.
    fn part(&self, id: ElementId, kind: Kind) -> Option<ElementId> {
        let element = self.map.graph().element(id)?;
        let part = match kind {
            Kind::Node => element.child("entity_properties"),
            _ => element.child("selectionSetData").filter(|data| data.is("CObjectSelectionSetDataElement")),
        };
        part.map(ElementRef::id)
    }

    /// The part of a record that is a record of its own.
    pub(super) fn part_of(&self, id: ElementId) -> Option<ElementId> {
        let part = self.part(id, self.kind(id)?)?;
        (self.parents.get(&part) == Some(&id) && !self.kind(part)?.is_placed()).then_some(part)
    }

    fn set(&mut self, id: ElementId, kind: Kind) {
        if let Some(place) = self.kinds.get_mut(id.index()) {
            *place = Some(kind);
        }
    }

    /// Gives an element its place. The first one counts.
    fn place(&mut self, id: ElementId, kind: Kind, parent: Option<ElementId>) -> bool {
        if self.kind(id).is_some() || self.map.graph().element(id).is_none() {
            return false;
        }
        self.set(id, kind);
        self.placed.push(id);
        if let Some(parent) = parent {
            self.parents.insert(id, parent);
            self.children.entry(parent).or_default().push(id);
        }
        true
    }

    fn tree(&mut self, top: ElementId, kind: Kind) -> bool {
        let mut next = vec![(top, None)];
        let mut found = false;
        while let Some((id, parent)) = next.pop() {
            if self.place(id, kind, parent) {
                found = true;
                let children = self.map.graph().element(id).into_iter().flat_map(|node| node.children("children"));
                let children: Vec<_> = children.map(|child| (child.id(), Some(id))).collect();
                next.extend(children.into_iter().rev());
            }
        }
        found
    }

    pub(super) fn kind(&self, id: ElementId) -> Option<Kind> {
        self.kinds.get(id.index()).copied().flatten()
    }

    fn is(&self, id: ElementId, kind: Kind) -> bool {
        self.kind(id) == Some(kind)
    }

    pub(super) fn all(&self, kind: Kind) -> Vec<ElementId> {
        self.placed.iter().copied().filter(|id| self.is(*id, kind)).collect()
    }

    /// The node that baked light is of, and the rest of the path to it.
    pub(super) fn lit(&self, light: ElementRef<'a>) -> (Option<ElementId>, &'a [u8]) {
        let path = light.name();
        let path = path.get(..NAME).unwrap_or(path);
        let end = path.iter().position(|&byte| byte == b'.').unwrap_or(path.len());
        let (first, rest) = path.split_at_checked(end).unwrap_or_default();
        let number = std::str::from_utf8(first).ok().and_then(|number| number.parse().ok());
        match number.and_then(|number: i32| self.numbers.get(&number)) {
            Some(node) => (Some(*node), rest),
            None => (None, path),
        }
    }

    /// The nodes that a record refers to, with the attributes.
    pub(super) fn targets(&self, id: ElementId) -> Vec<(&'a [u8], ElementId)> {
        let Some(element) = self.map.graph().element(id) else { return Vec::new() };
        match self.kind(id) {
            Some(Kind::Light) => self.lit(element).0.map(|node| (&b""[..], node)).into_iter().collect(),
            Some(Kind::Node) => {
                let single = element.attributes().filter(|(_, value)| matches!(value, Value::Element(_)));
                let all = single.flat_map(|(name, value)| value.elements().map(move |target| (name, target)));
                all.filter(|(_, target)| self.is(*target, Kind::Node)).collect()
            }
            _ => Vec::new(),
        }
    }
}

/// Pairs the records of two saves of a map.
pub(super) fn pair_saves<'a>(pairs: &mut Matching<'a>, old: &Records<'a>, new: &Records<'a>) {
    nodes::pair(pairs, &old.all(Kind::Node), &new.all(Kind::Node));
    pair_parts(pairs, old, new, &|_, _| true);
}

/// Pairs the records of two later saves that the one before them does not have: `free` says of an old and a new one whether that
/// is so.
pub(super) fn pair_added<'a>(
    pairs: &mut Matching<'a>,
    old: &Records<'a>,
    new: &Records<'a>,
    free: &dyn Fn(Option<ElementId>, Option<ElementId>) -> bool,
) {
    let olds: Vec<_> = old.all(Kind::Node).into_iter().filter(|id| free(Some(*id), None)).collect();
    let news: Vec<_> = new.all(Kind::Node).into_iter().filter(|id| free(None, Some(*id))).collect();
    // What has been made from the same seed on both sides has the same identity, and is not the same.
    let class = |node: Node<'a>| (node.class(), node.entity().map(crate::Entity::classname));
    let reference = |element| {
        let node = Node(element);
        node.reference_id().filter(|id| *id != 0).map(|id| (id, class(node)))
    };
    pairs.by_unique_key(&olds, &news, reference);
    let guid = |element: ElementRef<'a>| {
        let node = Node(element);
        element.guid().filter(|_| matches!(node.reference_id(), None | Some(0))).map(|id| (id, class(node)))
    };
    pairs.by_unique_key(&olds, &news, guid);
    pair_parts(pairs, old, new, free);
}

/// Pairs what is no node.
fn pair_parts<'a>(
    pairs: &mut Matching<'a>,
    old: &Records<'a>,
    new: &Records<'a>,
    free: &dyn Fn(Option<ElementId>, Option<ElementId>) -> bool,
) {
    let add = |pairs: &mut Matching<'a>, one: Option<ElementId>, other: Option<ElementId>| {
        if let (Some(one), Some(other)) = (one, other)
            && free(Some(one), Some(other))
        {
            pairs.add(one, other);
        }
    };
    let olds = |ids: Vec<ElementId>| -> Vec<_> { ids.into_iter().filter(|id| free(Some(*id), None)).collect() };
    let news = |ids: Vec<ElementId>| -> Vec<_> { ids.into_iter().filter(|id| free(None, Some(*id))).collect() };
    add(pairs, old.all(Kind::Manager).first().copied(), new.all(Kind::Manager).first().copied());
    let (old_sets, new_sets) = (old.all(Kind::Set), new.all(Kind::Set));
    add(pairs, old_sets.first().copied(), new_sets.first().copied());
    pairs.by_unique_key(&olds(old_sets.clone()), &news(new_sets), ElementRef::guid);
    let mut next: VecDeque<ElementId> = old_sets.into();
    while let Some(set) = next.pop_front() {
        let Some(partner) = pairs.new_of(set) else { continue };
        let below = |records: &Records<'_>, id| records.children.get(&id).cloned().unwrap_or_default();
        let name = |set: ElementRef<'a>| {
            let name = set.text("selectionSetName").unwrap_or_default();
            name.get(..NAME).unwrap_or(name)
        };
        pairs.by_order(&olds(below(old, set)), &news(below(new, partner)), name);
    }
    for &id in &old.placed {
        if let Some(partner) = pairs.new_of(id) {
            add(pairs, old.part_of(id), new.part_of(partner));
        }
    }
    let mut keys: [Lights<'a>; 2] = Default::default();
    let [old_keys, new_keys] = &mut keys;
    for (records, keys, is_old) in [(old, old_keys, true), (new, new_keys, false)] {
        for light in records.all(Kind::Light).into_iter().filter_map(|id| records.map.graph().element(id)) {
            let (node, rest) = records.lit(light);
            keys.insert(light.id(), (if is_old { node } else { node.and_then(|node| pairs.old_of(node)) }, rest));
        }
    }
    let [old_keys, new_keys] = &keys;
    let key = |light: ElementRef<'a>| {
        let keys = if std::ptr::eq(light.document(), old.map.graph()) { old_keys } else { new_keys };
        keys.get(&light.id()).copied()
    };
    pairs.by_unique_key(&olds(old.all(Kind::Light)), &news(new.all(Kind::Light)), key);
}
