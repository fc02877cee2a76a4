//! What is the same in three saves of a map, and what changed.

use std::collections::{HashMap, HashSet};

use mapwright_dmx::diff::{AttributePair, Matching, text};
use mapwright_dmx::{Attribute, ElementId, Reference, Value};

use super::records::{Kind, Records, pair_added, pair_saves};
use super::{Side, Two};
use crate::{Document, WriteError};

/// A record in the three saves.
#[derive(Debug, Clone, Copy)]
pub(super) struct Item {
    pub(super) kind: Kind,
    pub(super) base: Option<ElementId>,
    pub(super) in_: Two<Option<ElementId>>,
}

/// An attribute of a record in the three saves: its place among the others.
#[derive(Debug, Clone, Copy)]
pub(super) struct Slot {
    pub(super) base: Option<usize>,
    pub(super) at: Two<Option<usize>>,
    pub(super) changed: Two<bool>,
    /// Whether both sides say the same.
    pub(super) same: bool,
}

pub(super) struct Trio<'a> {
    pub(super) base: Records<'a>,
    pub(super) sides: Two<Records<'a>>,
    since: Two<Since<'a>>,
    /// From ours to theirs.
    between: Since<'a>,
    pub(super) items: Vec<Item>,
    of_base: Vec<Option<usize>>,
    of: Two<Vec<Option<usize>>>,
}

/// What changed from one save to another.
struct Since<'a> {
    pairs: Matching<'a>,
    /// Old elements that are no records and that say something else now, or refer to such.
    dirty: Vec<bool>,
}

impl<'a> Since<'a> {
    fn of(mut pairs: Matching<'a>, old: &Records<'a>, new: &Records<'a>) -> Self {
        pairs.by_path(|one, other| old.kind(one.id()).is_none() && new.kind(other.id()).is_none());
        let elements = &old.map.graph().elements;
        let mut dirty = vec![false; elements.len()];
        let mut referrers: Vec<Vec<ElementId>> = vec![Vec::new(); elements.len()];
        let mut next = Vec::new();
        for element in old.map.graph().iter().filter(|element| old.kind(element.id()).is_none()) {
            let id = element.id();
            for child in element.attributes().flat_map(|(_, value)| value.elements()) {
                if let Some(referrers) = referrers.get_mut(child.index()) {
                    referrers.push(id);
                }
            }
            let is_same = |partner| {
                pairs.same_label(id, partner) && pairs.attributes(id, partner).iter().all(|attribute| attribute.same)
            };
            if !pairs.new_of(id).is_some_and(is_same) {
                next.push(id);
            }
        }
        while let Some(id) = next.pop() {
            if let Some(dirty @ false) = dirty.get_mut(id.index()) {
                *dirty = true;
                next.extend(referrers.get(id.index()).into_iter().flatten().copied());
            }
        }
        Self { pairs, dirty }
    }

    /// The attributes of two records.
    fn attributes(&self, old: &Document, one: ElementId, other: ElementId) -> Vec<AttributePair> {
        let mut attributes = self.pairs.attributes(one, other);
        let values = attributes_of(old, one);
        for attribute in attributes.iter_mut().filter(|attribute| attribute.same) {
            let mut parts =
                attribute.old.and_then(|at| values.get(at)).into_iter().flat_map(|one| one.value.elements());
            attribute.same = !parts.any(|part| self.dirty.get(part.index()) == Some(&true));
        }
        attributes
    }
}

pub(super) fn attributes_of(map: &Document, id: ElementId) -> &[Attribute] {
    map.graph().elements.get(id.index()).map_or(&[], |element| &element.attributes)
}

impl<'a> Trio<'a> {
    pub(super) fn of(base: &'a Document, ours: &'a Document, theirs: &'a Document) -> Result<Self, WriteError> {
        let (base, ours, theirs) = (Records::of(base)?, Records::of(ours)?, Records::of(theirs)?);
        let matching = |old: &Records<'a>, new: &Records<'a>| Matching::new(old.map.graph(), new.map.graph());
        let since = |new: &Records<'a>| {
            let mut pairs = matching(&base, new);
            pair_saves(&mut pairs, &base, new);
            Since::of(pairs, &base, new)
        };
        let since = Two { ours: since(&ours), theirs: since(&theirs) };
        let mut between = matching(&ours, &theirs);
        for index in 0..base.kinds.len() {
            let id = ElementId(u32::try_from(index).unwrap_or(u32::MAX));
            if base.kind(id).is_some()
                && let (Some(one), Some(other)) = (since.ours.pairs.new_of(id), since.theirs.pairs.new_of(id))
            {
                between.add(one, other);
            }
        }
        pair_added(&mut between, &ours, &theirs, &|one, other| {
            let is_old = |pairs: &Matching<'_>, id: Option<ElementId>| id.is_some_and(|id| pairs.old_of(id).is_some());
            !is_old(&since.ours.pairs, one) && !is_old(&since.theirs.pairs, other)
        });
        let between = Since::of(between, &ours, &theirs);
        let mut trio = Self {
            of_base: vec![None; base.kinds.len()],
            of: Two { ours: vec![None; ours.kinds.len()], theirs: vec![None; theirs.kinds.len()] },
            base,
            sides: Two { ours, theirs },
            since,
            between,
            items: Vec::new(),
        };
        trio.collect();
        Ok(trio)
    }

    /// Lists the records of all saves, parents first.
    fn collect(&mut self) {
        let records = |records: &Records<'_>| -> Vec<(ElementId, Kind)> {
            let parts = records.placed.iter().filter_map(|id| records.part_of(*id));
            let all = records.placed.iter().copied().chain(parts);
            all.filter_map(|id| Some((id, records.kind(id)?))).collect()
        };
        for (id, kind) in records(&self.base) {
            let new_of = |side| self.since.of(side).pairs.new_of(id);
            self.add(Item {
                kind,
                base: Some(id),
                in_: Two { ours: new_of(Side::Ours), theirs: new_of(Side::Theirs) },
            });
        }
        for (id, kind) in records(&self.sides.ours) {
            if self.who(Side::Ours, id).is_none() {
                self.add(Item { kind, base: None, in_: Two { ours: Some(id), theirs: self.between.pairs.new_of(id) } });
            }
        }
        for (id, kind) in records(&self.sides.theirs) {
            if self.who(Side::Theirs, id).is_none() {
                self.add(Item { kind, base: None, in_: Two { ours: None, theirs: Some(id) } });
            }
        }
    }

    fn add(&mut self, item: Item) {
        let who = self.items.len();
        let lists = [
            (&mut self.of_base, item.base),
            (&mut self.of.ours, item.in_.ours),
            (&mut self.of.theirs, item.in_.theirs),
        ];
        for (list, id) in lists {
            if let Some(place) = id.and_then(|id| list.get_mut(id.index())) {
                *place = Some(who);
            }
        }
        self.items.push(item);
    }

    /// Which record an element of a side is.
    pub(super) fn who(&self, side: Side, id: ElementId) -> Option<usize> {
        self.of.of(side).get(id.index()).copied().flatten()
    }

    pub(super) fn who_in_base(&self, id: ElementId) -> Option<usize> {
        self.of_base.get(id.index()).copied().flatten()
    }

    pub(super) fn element(&self, side: Side, who: usize) -> Option<ElementId> {
        *self.items.get(who)?.in_.of(side)
    }

    /// What a record stands below on a side.
    pub(super) fn parent(&self, side: Side, who: usize) -> Option<usize> {
        let parent = self.sides.of(side).parents.get(&self.element(side, who)?)?;
        self.who(side, *parent)
    }

    pub(super) fn parent_in_base(&self, who: usize) -> Option<usize> {
        self.who_in_base(*self.base.parents.get(&self.items.get(who)?.base?)?)
    }

    /// What stands below a record on a side, in order.
    pub(super) fn children(&self, side: Side, who: usize) -> Vec<usize> {
        let children = self.element(side, who).and_then(|id| self.sides.of(side).children.get(&id));
        children.into_iter().flatten().filter_map(|id| self.who(side, *id)).collect()
    }

    pub(super) fn children_in_base(&self, who: usize) -> Vec<usize> {
        let children = self.items.get(who).and_then(|item| self.base.children.get(&item.base?));
        children.into_iter().flatten().filter_map(|id| self.who_in_base(*id)).collect()
    }

    /// Whether class or name of a record changed on a side.
    pub(super) fn label_changed(&self, side: Side, item: &Item) -> bool {
        matches!((item.base, *item.in_.of(side)), (Some(base), Some(now)) if !self.since.of(side).pairs.same_label(base, now))
    }

    pub(super) fn same_label(&self, item: &Item) -> bool {
        matches!((item.in_.ours, item.in_.theirs), (Some(ours), Some(theirs)) if self.between.pairs.same_label(ours, theirs))
    }

    /// What a side changed about a record that the base has, by the names of attributes; not where it stands.
    pub(super) fn changes(&self, side: Side, who: usize) -> Vec<String> {
        let Some(item) = self.items.get(who) else { return Vec::new() };
        let mut names = Vec::new();
        if self.label_changed(side, item) {
            names.push("name".to_owned());
        }
        let records = self.sides.of(side);
        let part = |records: &Records<'_>, id: Option<ElementId>| id.and_then(|id| records.part_of(id));
        let now = *item.in_.of(side);
        let parts = (part(&self.base, item.base), part(records, now));
        for (is_part, base, now) in [(false, item.base, now), (true, parts.0, parts.1)] {
            let (Some(base), Some(now)) = (base, now) else { continue };
            if self.since.of(side).pairs.new_of(base) != Some(now) {
                continue;
            }
            let values = (attributes_of(self.base.map, base), attributes_of(records.map, now));
            for pair in self.since.of(side).attributes(self.base.map, base, now).iter().filter(|pair| !pair.same) {
                let old = pair.old.and_then(|at| values.0.get(at)).map(|one| self.base.map.graph().string(one.name));
                let new = pair.new.and_then(|at| values.1.get(at)).map(|one| records.map.graph().string(one.name));
                let name = old.or(new).unwrap_or_default();
                if is_part || !structural(item.kind, name) {
                    names.push(text(name));
                }
            }
        }
        names
    }

    /// The attributes of a record that both sides have.
    pub(super) fn slots(&self, item: &Item) -> Vec<Slot> {
        let Two { ours: Some(ours), theirs: Some(theirs) } = item.in_ else { return Vec::new() };
        let between = self.between.attributes(self.sides.ours.map, ours, theirs);
        let Some(base) = item.base else {
            let slot = |pair: AttributePair| Slot {
                base: None,
                at: Two { ours: pair.old, theirs: pair.new },
                changed: Two { ours: pair.old.is_some(), theirs: pair.new.is_some() },
                same: pair.same,
            };
            return between.into_iter().map(slot).collect();
        };
        let between: HashMap<_, _> = between.into_iter().map(|pair| ((pair.old, pair.new), pair.same)).collect();
        let is_same = |at: Two<Option<usize>>| {
            (at.ours, at.theirs) == (None, None) || between.get(&(at.ours, at.theirs)) == Some(&true)
        };
        let of_ours = self.since.ours.attributes(self.base.map, base, ours);
        let of_theirs = self.since.theirs.attributes(self.base.map, base, theirs);
        let known: HashMap<_, _> =
            of_theirs.iter().filter_map(|pair| Some((pair.old?, (pair.new, pair.same)))).collect();
        let mut slots = Vec::new();
        for pair in of_ours.iter().filter(|pair| pair.old.is_some()) {
            let (theirs, same) = pair.old.and_then(|at| known.get(&at)).copied().unwrap_or((None, false));
            let at = Two { ours: pair.new, theirs };
            let changed = Two { ours: !pair.same, theirs: !same };
            slots.push(Slot { base: pair.old, at, changed, same: is_same(at) });
        }
        // What only sides have: by both with the same name is one.
        let mut added: HashMap<Option<usize>, Option<usize>> = HashMap::new();
        for (ours, theirs) in between.keys() {
            if ours.is_some() {
                added.insert(*theirs, *ours);
            }
        }
        let new = |pairs: &[AttributePair]| -> Vec<usize> {
            pairs.iter().filter(|pair| pair.old.is_none()).filter_map(|pair| pair.new).collect()
        };
        let ours_only: HashSet<usize> = new(&of_ours).into_iter().collect();
        for theirs in new(&of_theirs) {
            let ours = added.get(&Some(theirs)).copied().flatten().filter(|ours| ours_only.contains(ours));
            let at = Two { ours, theirs: Some(theirs) };
            slots.push(Slot { base: None, at, changed: Two { ours: ours.is_some(), theirs: true }, same: is_same(at) });
        }
        slots
    }

    /// The record that an attribute of a side refers to.
    pub(super) fn target(&self, side: Side, who: usize, name: &[u8]) -> Option<usize> {
        let element = self.sides.of(side).map.graph().element(self.element(side, who)?)?;
        match element.get(name)? {
            Value::Element(Reference::Element(id)) => self.who(side, *id),
            _ => None,
        }
    }

    pub(super) fn target_in_base(&self, who: usize, name: &[u8]) -> Option<usize> {
        let element = self.base.map.graph().element(self.items.get(who)?.base?)?;
        match element.get(name)? {
            Value::Element(Reference::Element(id)) => self.who_in_base(*id),
            _ => None,
        }
    }
}

/// Whether an attribute of a record says where others stand, or how it is counted: these are merged by themselves.
pub(super) fn structural(kind: Kind, name: &[u8]) -> bool {
    match kind {
        Kind::Root => name == b"nodeInstanceData",
        Kind::Manager => matches!(name, b"children" | b"nodes" | b"hiddenFlags" | b"nodeID"),
        Kind::Node => matches!(name, b"children" | b"nodeID"),
        Kind::Set => name == b"children",
        Kind::Objects => name == b"selectedObjects",
        Kind::Light | Kind::Properties => false,
    }
}
