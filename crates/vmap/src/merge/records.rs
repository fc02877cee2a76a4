//! The elements of a map that are merged field by field. All other elements are parts of their values.

use std::collections::{HashMap, VecDeque};

use mapwright_dmx::diff::Matching;
use mapwright_dmx::{ElementId, ElementRef, Value};

use crate::diff::nodes;
use crate::document::Node;
use crate::{Document, WriteError, WriteErrorKind};

/// Kind of record.
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
    /// Returns `true` if the record is in a tree, `false` for parts of other records.
    pub(super) fn is_in_tree(self) -> bool {
        !matches!(self, Self::Properties | Self::Objects)
    }

    /// Returns the name of the attribute that lists the children.
    pub(super) fn list_attribute(self) -> Option<&'static str> {
        match self {
            Self::Root => Some("nodeInstanceData"),
            Self::Node | Self::Set => Some("children"),
            _ => None,
        }
    }
}

/// Maximum number of bytes of a name that are compared.
const MAX_NAME: usize = 256;

/// Node of each baked light, in the old map, and the rest of the path to it.
type Lights<'a> = HashMap<ElementId, (Option<ElementId>, &'a [u8])>;

/// The records of a map.
pub(super) struct Records<'a> {
    pub(super) map: &'a Document,
    /// Kind of each element; `None` for elements that are not records.
    pub(super) kinds: Vec<Option<Kind>>,
    /// Records in trees, parents first.
    pub(super) in_tree: Vec<ElementId>,
    /// Parent or owner of each record.
    pub(super) parents: HashMap<ElementId, ElementId>,
    /// Children of each record.
    pub(super) children: HashMap<ElementId, Vec<ElementId>>,
    /// First node with each number.
    pub(super) numbers: HashMap<i32, ElementId>,
}

impl<'a> Records<'a> {
    pub(super) fn new(map: &'a Document) -> Result<Self, WriteError> {
        let mut records = Self {
            map,
            kinds: vec![None; map.graph().elements.len()],
            in_tree: Vec::new(),
            parents: HashMap::new(),
            children: HashMap::new(),
            numbers: HashMap::new(),
        };
        records.add(ElementId::ROOT, Kind::Root, None);
        if let Some(manager) = map.visibility() {
            records.add(manager.element().id(), Kind::Manager, None);
        }
        let world = map.world().map(|world| world.element().id());
        if !world.is_some_and(|world| records.add_tree(world, Kind::Node)) {
            return Err(super::error(WriteErrorKind::NoPart { name: "world" }));
        }
        if let Some(set) = map.root_selection_set() {
            records.add_tree(set.element().id(), Kind::Set);
        }
        for light in map.root().into_iter().flat_map(crate::Root::instance_data) {
            records.add(light.element().id(), Kind::Light, Some(ElementId::ROOT));
        }
        for id in records.in_tree.clone() {
            let element = map.graph().element(id).expect("the tree consists of elements");
            if let Some(number) = Node(element).node_id().filter(|_| records.is(id, Kind::Node)) {
                records.numbers.entry(number.0).or_insert(id);
            }
            for (kind, part) in [(Kind::Node, Kind::Properties), (Kind::Set, Kind::Objects)] {
                let part_of = records.part(id, kind).filter(|part| records.kind(*part).is_none());
                if let Some(found) = part_of.filter(|_| records.is(id, kind)) {
                    records.set_kind(found, part);
                    records.parents.insert(found, id);
                }
            }
        }
        Ok(records)
    }

    /// Returns the part of a node or selection set that can be a record.
    fn part(&self, id: ElementId, kind: Kind) -> Option<ElementId> {
        let element = self.map.graph().element(id)?;
        let part = match kind {
            Kind::Node => element.child("entity_properties"),
            _ => element.child("selectionSetData").filter(|data| data.is("CObjectSelectionSetDataElement")),
        };
        part.map(ElementRef::id)
    }

    /// Returns the part of a record that is itself a record.
    pub(super) fn part_of(&self, id: ElementId) -> Option<ElementId> {
        let part = self.part(id, self.kind(id)?)?;
        (self.parents.get(&part) == Some(&id) && !self.kind(part)?.is_in_tree()).then_some(part)
    }

    fn set_kind(&mut self, id: ElementId, kind: Kind) {
        if let Some(place) = self.kinds.get_mut(id.index()) {
            *place = Some(kind);
        }
    }

    /// Adds a record to a tree, unless the element is already a record.
    fn add(&mut self, id: ElementId, kind: Kind, parent: Option<ElementId>) -> bool {
        if self.kind(id).is_some() || self.map.graph().element(id).is_none() {
            return false;
        }
        self.set_kind(id, kind);
        self.in_tree.push(id);
        if let Some(parent) = parent {
            self.parents.insert(id, parent);
            self.children.entry(parent).or_default().push(id);
        }
        true
    }

    fn add_tree(&mut self, top: ElementId, kind: Kind) -> bool {
        let mut next = vec![(top, None)];
        let mut found = false;
        while let Some((id, parent)) = next.pop() {
            if self.add(id, kind, parent) {
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

    pub(super) fn with_kind(&self, kind: Kind) -> Vec<ElementId> {
        self.in_tree.iter().copied().filter(|id| self.is(*id, kind)).collect()
    }

    /// Returns the node of baked light, and the rest of the path to it.
    pub(super) fn lit_node(&self, light: ElementRef<'a>) -> (Option<ElementId>, &'a [u8]) {
        let path = light.name();
        let path = path.get(..MAX_NAME).unwrap_or(path);
        let end = path.iter().position(|&byte| byte == b'.').unwrap_or(path.len());
        let (first, rest) = path.split_at(end);
        let number = std::str::from_utf8(first).ok().and_then(|number| number.parse().ok());
        match number.and_then(|number: i32| self.numbers.get(&number)) {
            Some(node) => (Some(*node), rest),
            None => (None, path),
        }
    }

    /// Returns the nodes that a record refers to, with the names of the attributes.
    pub(super) fn targets(&self, id: ElementId) -> Vec<(&'a [u8], ElementId)> {
        let Some(element) = self.map.graph().element(id) else { return Vec::new() };
        match self.kind(id) {
            Some(Kind::Light) => self.lit_node(element).0.map(|node| (&b""[..], node)).into_iter().collect(),
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
    nodes::pair_nodes(pairs, &old.with_kind(Kind::Node), &new.with_kind(Kind::Node));
    pair_parts(pairs, old, new, &|_, _| true);
}

/// Pairs the records of both sides that the base does not have. `free` returns `true` for such records.
pub(super) fn pair_added<'a>(
    pairs: &mut Matching<'a>,
    old: &Records<'a>,
    new: &Records<'a>,
    free: &dyn Fn(Option<ElementId>, Option<ElementId>) -> bool,
) {
    let olds: Vec<_> = old.with_kind(Kind::Node).into_iter().filter(|id| free(Some(*id), None)).collect();
    let news: Vec<_> = new.with_kind(Kind::Node).into_iter().filter(|id| free(None, Some(*id))).collect();
    // Different nodes can have the same identity if both sides used the same seed, so the class must match, too.
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

/// Pairs records that are not nodes.
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
    add(pairs, old.with_kind(Kind::Manager).first().copied(), new.with_kind(Kind::Manager).first().copied());
    let (old_sets, new_sets) = (old.with_kind(Kind::Set), new.with_kind(Kind::Set));
    add(pairs, old_sets.first().copied(), new_sets.first().copied());
    pairs.by_unique_key(&olds(old_sets.clone()), &news(new_sets), ElementRef::guid);
    let mut next: VecDeque<ElementId> = old_sets.into();
    while let Some(set) = next.pop_front() {
        // Sets below a removed set are compared by their identity only.
        let Some(partner) = pairs.new_of(set) else { continue };
        let below = |records: &Records<'_>, id| records.children.get(&id).cloned().unwrap_or_default();
        let name = |set: ElementRef<'a>| {
            let name = set.text("selectionSetName").unwrap_or_default();
            name.get(..MAX_NAME).unwrap_or(name)
        };
        pairs.by_order(&olds(below(old, set)), &news(below(new, partner)), name);
    }
    for &id in &old.in_tree {
        if let Some(partner) = pairs.new_of(id) {
            add(pairs, old.part_of(id), new.part_of(partner));
        }
    }
    let mut keys: [Lights<'a>; 2] = Default::default();
    let [old_keys, new_keys] = &mut keys;
    for (records, keys, is_old) in [(old, old_keys, true), (new, new_keys, false)] {
        for light in records.with_kind(Kind::Light).into_iter().filter_map(|id| records.map.graph().element(id)) {
            let (node, rest) = records.lit_node(light);
            keys.insert(light.id(), (if is_old { node } else { node.and_then(|node| pairs.old_of(node)) }, rest));
        }
    }
    let [old_keys, new_keys] = &keys;
    let key = |light: ElementRef<'a>| {
        let keys = if std::ptr::eq(light.document(), old.map.graph()) { old_keys } else { new_keys };
        keys.get(&light.id()).copied()
    };
    pairs.by_unique_key(&olds(old.with_kind(Kind::Light)), &news(new.with_kind(Kind::Light)), key);
}
