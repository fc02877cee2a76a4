//! Which attributes of records are taken from theirs.

use mapwright_dmx::diff::text;
use mapwright_dmx::{ElementId, Reference, Value};

use super::display::{label, shown};
use super::plan::Plan;
use super::records::{Kind, Records};
use super::trio::{Item, Slot, Trio, attributes_of, structural};
use super::{Conflict, ConflictKind, Side};
use crate::diff::ASIDE;

/// What is taken from theirs for a record that both have.
pub(super) struct Choice {
    pub(super) kind: Kind,
    pub(super) ours: ElementId,
    pub(super) theirs: ElementId,
    /// Whether class and name are.
    pub(super) label: bool,
    /// Attributes by their places on both sides.
    pub(super) attributes: Vec<(Option<usize>, Option<usize>)>,
}

/// Arrays of which the items at one place belong together.
const TOGETHER: [&[&[u8]]; 3] = [
    &[b"variableTargetKeys", b"variableNames"],
    &[b"variableOverrideNames", b"variableOverrideValues"],
    &[b"boneNames", b"bonePositions", b"boneRotations"],
];

/// Parts of the root that are merged by themselves.
const PARTS: [&[u8]; 4] = [b"world", b"visbility", b"visibility", b"rootSelectionSet"];

pub(super) fn choose(trio: &Trio<'_>, plan: &Plan, prefer: Side, conflicts: &mut Vec<Conflict>) -> Vec<Choice> {
    let chosen = trio.items.iter().enumerate().filter_map(|(who, item)| {
        let (ours, theirs) = (item.in_.ours?, item.in_.theirs?);
        let mut chooser = Chooser { trio, plan, prefer, who, item, conflicts: &mut *conflicts };
        let (label, attributes) = (chooser.label(), chooser.attributes());
        (label || !attributes.is_empty()).then_some(Choice { kind: item.kind, ours, theirs, label, attributes })
    });
    chosen.collect()
}

struct Chooser<'t, 'a> {
    trio: &'t Trio<'a>,
    plan: &'t Plan,
    prefer: Side,
    who: usize,
    item: &'t Item,
    conflicts: &'t mut Vec<Conflict>,
}

impl<'a> Chooser<'_, 'a> {
    fn records(&self, side: Option<Side>) -> (&Records<'a>, Option<ElementId>) {
        match side {
            None => (&self.trio.base, self.item.base),
            Some(side) => (self.trio.sides.of(side), *self.item.in_.of(side)),
        }
    }

    /// Says that both sides gave a field another value.
    fn tell(&mut self, field: String, text: impl Fn(&Records<'a>, Option<ElementId>, Option<Side>) -> String) {
        let shown = |side| {
            let (records, id) = self.records(side);
            text(records, id, side)
        };
        let (base, ours, theirs) = (shown(None), shown(Some(Side::Ours)), shown(Some(Side::Theirs)));
        let node = label(self.trio, self.who);
        self.conflicts.push(Conflict { kind: ConflictKind::Field, node, field, base, ours, theirs });
    }

    fn label(&mut self) -> bool {
        let changed = |side| self.item.base.is_none() || self.trio.label_changed(side, self.item);
        // Baked light is called by a number.
        if self.item.kind == Kind::Light || !changed(Side::Theirs) || self.trio.same_label(self.item) {
            return false;
        }
        if !changed(Side::Ours) {
            return true;
        }
        self.tell("name".to_owned(), |records, id, _| {
            let element = id.and_then(|id| records.map.graph().element(id));
            element.map_or_else(|| "none".to_owned(), |one| format!("{} {:?}", text(one.class()), text(one.name())))
        });
        self.prefer == Side::Theirs
    }

    fn attributes(&mut self) -> Vec<(Option<usize>, Option<usize>)> {
        let mut slots: Vec<_> = self.trio.slots(self.item).into_iter().map(|slot| (self.name(&slot), slot)).collect();
        slots.retain(|(name, slot)| {
            let is_part = self.item.kind == Kind::Root && PARTS.contains(name) && slot.at.ours.is_some();
            !is_part && !structural(self.item.kind, name)
        });
        for names in TOGETHER {
            let among = slots.iter().filter(|(name, _)| names.contains(name));
            let (mut changed, mut same) = (super::Two::default(), true);
            for (_, slot) in among {
                changed.ours |= slot.changed.ours;
                changed.theirs |= slot.changed.theirs;
                same &= slot.same;
            }
            for (_, slot) in slots.iter_mut().filter(|(name, _)| names.contains(name)) {
                slot.changed = changed;
                // What is the same need not be taken, and is no conflict.
                slot.same |= same;
            }
        }
        slots
            .into_iter()
            .filter(|(name, slot)| self.is_taken(name, slot))
            .map(|(_, slot)| (slot.at.ours, slot.at.theirs))
            .collect()
    }

    fn is_taken(&mut self, name: &'a [u8], slot: &Slot) -> bool {
        if !slot.changed.theirs || slot.same {
            return false;
        }
        let is_lost = slot.at.ours.is_some() && self.leads_nowhere(slot);
        if !slot.changed.ours && !is_lost {
            return true;
        }
        let is_quiet = match self.item.kind {
            Kind::Light => true,
            Kind::Root => ASIDE.contains(&name),
            Kind::Node => name == b"referenceID",
            _ => false,
        };
        if !is_quiet {
            let field = match self.item.kind {
                Kind::Properties => format!("entity_properties.{}", text(name)),
                Kind::Objects => format!("selectionSetData.{}", text(name)),
                _ => text(name),
            };
            let slot = *slot;
            self.tell(field, |records, id, side| {
                let place = side.map_or(slot.base, |side| *slot.at.of(side));
                let attribute = id.zip(place).and_then(|(id, at)| attributes_of(records.map, id).get(at));
                shown(records, attribute.map(|attribute| &attribute.value))
            });
        }
        self.prefer == Side::Theirs && !is_lost
    }

    /// Whether theirs refers to something that is not in the result.
    fn leads_nowhere(&self, slot: &Slot) -> bool {
        let attributes = self.item.in_.theirs.map(|id| attributes_of(self.trio.sides.theirs.map, id));
        let value = attributes.zip(slot.at.theirs).and_then(|(attributes, at)| attributes.get(at));
        let Some(Value::Element(Reference::Element(id))) = value.map(|attribute| &attribute.value) else {
            return false;
        };
        let is_placed = self.trio.sides.theirs.kind(*id).is_some_and(Kind::is_placed);
        let who = self.trio.who(Side::Theirs, *id);
        is_placed && !who.is_some_and(|who| self.plan.has(who))
    }

    fn name(&self, slot: &Slot) -> &'a [u8] {
        let of = |records: &Records<'a>, id: Option<ElementId>, at: Option<usize>| {
            let attribute = attributes_of(records.map, id?).get(at?)?;
            Some(records.map.graph().string(attribute.name))
        };
        let sides = [Side::Ours, Side::Theirs].map(Some);
        let place = |side: Option<Side>| side.map_or(slot.base, |side| *slot.at.of(side));
        let mut names = sides.into_iter().chain([None]).map(|side| {
            let (records, id) = self.records(side);
            of(records, id, place(side))
        });
        names.find_map(|name| name).unwrap_or_default()
    }
}
