//! Compares three saves of a map: base, ours, theirs.

use std::collections::{HashMap, HashSet};

use mapwright_dmx::diff::{AttributePair, Matching, text};
use mapwright_dmx::{Attribute, ElementId, Reference, Value};

use super::records::{Kind, Records, pair_added, pair_saves};
use super::{PerSide, Side};
use crate::{Document, WriteError};

/// A record with its element in each save.
#[derive(Debug, Clone, Copy)]
pub(super) struct RecordVersions {
    pub(super) kind: Kind,
    pub(super) base: Option<ElementId>,
    pub(super) elements: PerSide<Option<ElementId>>,
}

/// An attribute of a record with its index in each save.
#[derive(Debug, Clone, Copy)]
pub(super) struct AttributeVersions {
    pub(super) base: Option<usize>,
    pub(super) at: PerSide<Option<usize>>,
    pub(super) changed: PerSide<bool>,
    /// `true` if both sides have the same value.
    pub(super) same: bool,
}

/// The records of three saves, matched with each other.
pub(super) struct ThreeWayDiff<'a> {
    pub(super) base: Records<'a>,
    pub(super) sides: PerSide<Records<'a>>,
    /// Changes from the base to each side.
    since: PerSide<PairDiff<'a>>,
    /// Changes from ours to theirs.
    between: PairDiff<'a>,
    pub(super) records: Vec<RecordVersions>,
    /// Record of each element of the base.
    base_records: Vec<Option<usize>>,
    /// Record of each element of a side.
    side_records: PerSide<Vec<Option<usize>>>,
}

/// The changes from one save to another.
struct PairDiff<'a> {
    pairs: Matching<'a>,
    /// For each old element: `true` if it is not a record, and it or an element that it refers to has changed.
    dirty: Vec<bool>,
}

impl<'a> PairDiff<'a> {
    fn new(mut pairs: Matching<'a>, old: &Records<'a>, new: &Records<'a>) -> Self {
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

    /// Pairs the attributes of two records.
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

impl<'a> ThreeWayDiff<'a> {
    pub(super) fn new(base: &'a Document, ours: &'a Document, theirs: &'a Document) -> Result<Self, WriteError> {
        let (base, ours, theirs) = (Records::new(base)?, Records::new(ours)?, Records::new(theirs)?);
        let matching = |old: &Records<'a>, new: &Records<'a>| Matching::new(old.map.graph(), new.map.graph());
        let since = |new: &Records<'a>| {
            let mut pairs = matching(&base, new);
            pair_saves(&mut pairs, &base, new);
            PairDiff::new(pairs, &base, new)
        };
        let since = PerSide { ours: since(&ours), theirs: since(&theirs) };
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
        let between = PairDiff::new(between, &ours, &theirs);
        let mut diff = Self {
            base_records: vec![None; base.kinds.len()],
            side_records: PerSide { ours: vec![None; ours.kinds.len()], theirs: vec![None; theirs.kinds.len()] },
            base,
            sides: PerSide { ours, theirs },
            since,
            between,
            records: Vec::new(),
        };
        diff.collect();
        Ok(diff)
    }

    /// Lists the records of all saves, parents first.
    fn collect(&mut self) {
        let records = |records: &Records<'_>| -> Vec<(ElementId, Kind)> {
            let parts = records.in_tree.iter().filter_map(|id| records.part_of(*id));
            let all = records.in_tree.iter().copied().chain(parts);
            all.filter_map(|id| Some((id, records.kind(id)?))).collect()
        };
        for (id, kind) in records(&self.base) {
            let new_of = |side| self.since.get(side).pairs.new_of(id);
            self.add(RecordVersions {
                kind,
                base: Some(id),
                elements: PerSide { ours: new_of(Side::Ours), theirs: new_of(Side::Theirs) },
            });
        }
        for (id, kind) in records(&self.sides.ours) {
            if self.record_of(Side::Ours, id).is_none() {
                self.add(RecordVersions {
                    kind,
                    base: None,
                    elements: PerSide { ours: Some(id), theirs: self.between.pairs.new_of(id) },
                });
            }
        }
        for (id, kind) in records(&self.sides.theirs) {
            if self.record_of(Side::Theirs, id).is_none() {
                self.add(RecordVersions { kind, base: None, elements: PerSide { ours: None, theirs: Some(id) } });
            }
        }
    }

    fn add(&mut self, versions: RecordVersions) {
        let record = self.records.len();
        let lists = [
            (&mut self.base_records, versions.base),
            (&mut self.side_records.ours, versions.elements.ours),
            (&mut self.side_records.theirs, versions.elements.theirs),
        ];
        for (list, id) in lists {
            if let Some(place) = id.and_then(|id| list.get_mut(id.index())) {
                *place = Some(record);
            }
        }
        self.records.push(versions);
    }

    /// Returns the record of an element of a side.
    pub(super) fn record_of(&self, side: Side, id: ElementId) -> Option<usize> {
        self.side_records.get(side).get(id.index()).copied().flatten()
    }

    pub(super) fn record_in_base(&self, id: ElementId) -> Option<usize> {
        self.base_records.get(id.index()).copied().flatten()
    }

    pub(super) fn element(&self, side: Side, record: usize) -> Option<ElementId> {
        *self.records[record].elements.get(side)
    }

    /// Returns the parent of a record on a side.
    pub(super) fn parent(&self, side: Side, record: usize) -> Option<usize> {
        let parent = self.sides.get(side).parents.get(&self.element(side, record)?)?;
        self.record_of(side, *parent)
    }

    pub(super) fn parent_in_base(&self, record: usize) -> Option<usize> {
        self.record_in_base(*self.base.parents.get(&self.records[record].base?)?)
    }

    /// Returns the children of a record on a side, in order.
    pub(super) fn children(&self, side: Side, record: usize) -> Vec<usize> {
        let children = self.element(side, record).and_then(|id| self.sides.get(side).children.get(&id));
        children.into_iter().flatten().filter_map(|id| self.record_of(side, *id)).collect()
    }

    pub(super) fn children_in_base(&self, record: usize) -> Vec<usize> {
        let children = self.records[record].base.and_then(|id| self.base.children.get(&id));
        children.into_iter().flatten().filter_map(|id| self.record_in_base(*id)).collect()
    }

    /// Returns `true` if a side changed class or name of a record.
    pub(super) fn label_changed(&self, side: Side, versions: &RecordVersions) -> bool {
        matches!((versions.base, *versions.elements.get(side)), (Some(base), Some(now)) if !self.since.get(side).pairs.same_label(base, now))
    }

    pub(super) fn same_label(&self, versions: &RecordVersions) -> bool {
        matches!((versions.elements.ours, versions.elements.theirs), (Some(ours), Some(theirs)) if self.between.pairs.same_label(ours, theirs))
    }

    /// Returns the names of the attributes of a record that a side changed, without the parent.
    pub(super) fn changed_attributes(&self, side: Side, record: usize) -> Vec<String> {
        let versions = &self.records[record];
        let mut names = Vec::new();
        if self.label_changed(side, versions) {
            names.push("name".to_owned());
        }
        let records = self.sides.get(side);
        let part = |records: &Records<'_>, id: Option<ElementId>| id.and_then(|id| records.part_of(id));
        let now = *versions.elements.get(side);
        let parts = (part(&self.base, versions.base), part(records, now));
        for (is_part, base, now) in [(false, versions.base, now), (true, parts.0, parts.1)] {
            // A record may have no part, or be new.
            let (Some(base), Some(now)) = (base, now) else { continue };
            if self.since.get(side).pairs.new_of(base) != Some(now) {
                continue;
            }
            let values = (attributes_of(self.base.map, base), attributes_of(records.map, now));
            for pair in self.since.get(side).attributes(self.base.map, base, now).iter().filter(|pair| !pair.same) {
                let old = pair.old.and_then(|at| values.0.get(at)).map(|one| self.base.map.graph().string(one.name));
                let new = pair.new.and_then(|at| values.1.get(at)).map(|one| records.map.graph().string(one.name));
                let name = old.or(new).expect("a pair has an attribute");
                if is_part || !is_merged_separately(versions.kind, name) {
                    names.push(text(name));
                }
            }
        }
        names
    }

    /// Returns the attributes of a record of both sides.
    pub(super) fn attributes(&self, versions: &RecordVersions) -> Vec<AttributeVersions> {
        let PerSide { ours: Some(ours), theirs: Some(theirs) } = versions.elements else { return Vec::new() };
        let between = self.between.attributes(self.sides.ours.map, ours, theirs);
        let Some(base) = versions.base else {
            let slot = |pair: AttributePair| AttributeVersions {
                base: None,
                at: PerSide { ours: pair.old, theirs: pair.new },
                changed: PerSide { ours: pair.old.is_some(), theirs: pair.new.is_some() },
                same: pair.same,
            };
            return between.into_iter().map(slot).collect();
        };
        let between: HashMap<_, _> = between.into_iter().map(|pair| ((pair.old, pair.new), pair.same)).collect();
        let is_same = |at: PerSide<Option<usize>>| {
            (at.ours, at.theirs) == (None, None) || between.get(&(at.ours, at.theirs)) == Some(&true)
        };
        let of_ours = self.since.ours.attributes(self.base.map, base, ours);
        let of_theirs = self.since.theirs.attributes(self.base.map, base, theirs);
        let known: HashMap<_, _> =
            of_theirs.iter().filter_map(|pair| Some((pair.old?, (pair.new, pair.same)))).collect();
        let mut attributes = Vec::new();
        for pair in of_ours.iter().filter(|pair| pair.old.is_some()) {
            let (theirs, same) = pair.old.and_then(|at| known.get(&at)).copied().unwrap_or((None, false));
            let at = PerSide { ours: pair.new, theirs };
            let changed = PerSide { ours: !pair.same, theirs: !same };
            attributes.push(AttributeVersions { base: pair.old, at, changed, same: is_same(at) });
        }
        // Attributes that the base does not have. Those of both sides with the same name are one.
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
            let at = PerSide { ours, theirs: Some(theirs) };
            attributes.push(AttributeVersions {
                base: None,
                at,
                changed: PerSide { ours: ours.is_some(), theirs: true },
                same: is_same(at),
            });
        }
        attributes
    }

    /// Returns the record that an attribute of a side refers to.
    pub(super) fn target(&self, side: Side, record: usize, name: &[u8]) -> Option<usize> {
        let element = self.sides.get(side).map.graph().element(self.element(side, record)?)?;
        match element.get(name)? {
            Value::Element(Reference::Element(id)) => self.record_of(side, *id),
            _ => None,
        }
    }

    pub(super) fn target_in_base(&self, record: usize, name: &[u8]) -> Option<usize> {
        let element = self.base.map.graph().element(self.records[record].base?)?;
        match element.get(name)? {
            Value::Element(Reference::Element(id)) => self.record_in_base(*id),
            _ => None,
        }
    }
}

/// Returns `true` for attributes that are not merged with the others: lists of children, and numbers.
pub(super) fn is_merged_separately(kind: Kind, name: &[u8]) -> bool {
    match kind {
        Kind::Root => name == b"nodeInstanceData",
        Kind::Manager => matches!(name, b"children" | b"nodes" | b"hiddenFlags" | b"nodeID"),
        Kind::Node => matches!(name, b"children" | b"nodeID"),
        Kind::Set => name == b"children",
        Kind::Objects => name == b"selectedObjects",
        Kind::Light | Kind::Properties => false,
    }
}
