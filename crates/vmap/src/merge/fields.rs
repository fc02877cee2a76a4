//! Chooses the attributes that are taken from theirs.

use mapwright_dmx::diff::text;
use mapwright_dmx::{ElementId, Reference, Value};

use super::display::{label, value_text};
use super::plan::Plan;
use super::records::{Kind, Records};
use super::three_way::{AttributeVersions, RecordVersions, ThreeWayDiff, attributes_of, is_merged_separately};
use super::{Conflict, ConflictKind, Side};
use crate::diff::ASIDE;

/// The choice for a record of both sides.
pub(super) struct Choice {
    pub(super) kind: Kind,
    pub(super) ours: ElementId,
    pub(super) theirs: ElementId,
    /// `true` if class and name are taken.
    pub(super) label: bool,
    /// Taken attributes by their indices on both sides.
    pub(super) attributes: Vec<(Option<usize>, Option<usize>)>,
}

/// Arrays whose items with the same index belong together.
const PARALLEL_ARRAYS: [&[&[u8]]; 3] = [
    &[b"variableTargetKeys", b"variableNames"],
    &[b"variableOverrideNames", b"variableOverrideValues"],
    &[b"boneNames", b"bonePositions", b"boneRotations"],
];

/// Parts of the root that are merged separately.
const PARTS: [&[u8]; 4] = [b"world", b"visbility", b"visibility", b"rootSelectionSet"];

/// Chooses the attributes of all records of both sides.
pub(super) fn choose_fields(
    diff: &ThreeWayDiff<'_>,
    plan: &Plan,
    prefer: Side,
    conflicts: &mut Vec<Conflict>,
) -> Vec<Choice> {
    let chosen = diff.records.iter().enumerate().filter_map(|(record, versions)| {
        let (ours, theirs) = (versions.elements.ours?, versions.elements.theirs?);
        let mut chooser = Chooser { diff, plan, prefer, record, versions, conflicts: &mut *conflicts };
        let (label, attributes) = (chooser.takes_label(), chooser.taken_attributes());
        (label || !attributes.is_empty()).then_some(Choice { kind: versions.kind, ours, theirs, label, attributes })
    });
    chosen.collect()
}

struct Chooser<'t, 'a> {
    diff: &'t ThreeWayDiff<'a>,
    plan: &'t Plan,
    prefer: Side,
    record: usize,
    versions: &'t RecordVersions,
    conflicts: &'t mut Vec<Conflict>,
}

impl<'a> Chooser<'_, 'a> {
    fn records(&self, side: Option<Side>) -> (&Records<'a>, Option<ElementId>) {
        match side {
            None => (&self.diff.base, self.versions.base),
            Some(side) => (self.diff.sides.get(side), *self.versions.elements.get(side)),
        }
    }

    /// Reports that both sides changed a field.
    fn push_conflict(&mut self, field: String, text: impl Fn(&Records<'a>, Option<ElementId>, Option<Side>) -> String) {
        let shown = |side| {
            let (records, id) = self.records(side);
            text(records, id, side)
        };
        let (base, ours, theirs) = (shown(None), shown(Some(Side::Ours)), shown(Some(Side::Theirs)));
        let node = label(self.diff, self.record);
        self.conflicts.push(Conflict { kind: ConflictKind::Field, node, field, base, ours, theirs });
    }

    fn takes_label(&mut self) -> bool {
        let changed = |side| self.versions.base.is_none() || self.diff.label_changed(side, self.versions);
        // The name of baked light is the number of its node.
        if self.versions.kind == Kind::Light || !changed(Side::Theirs) || self.diff.same_label(self.versions) {
            return false;
        }
        if !changed(Side::Ours) {
            return true;
        }
        self.push_conflict("name".to_owned(), |records, id, _| {
            let element = id.and_then(|id| records.map.graph().element(id));
            element.map_or_else(|| "none".to_owned(), |one| format!("{} {:?}", text(one.class()), text(one.name())))
        });
        self.prefer == Side::Theirs
    }

    fn taken_attributes(&mut self) -> Vec<(Option<usize>, Option<usize>)> {
        let mut attributes: Vec<_> = self
            .diff
            .attributes(self.versions)
            .into_iter()
            .map(|attribute| (self.name(&attribute), attribute))
            .collect();
        attributes.retain(|(name, attribute)| {
            let is_part = self.versions.kind == Kind::Root && PARTS.contains(name) && attribute.at.ours.is_some();
            !is_part && !is_merged_separately(self.versions.kind, name)
        });
        for names in PARALLEL_ARRAYS {
            let among = attributes.iter().filter(|(name, _)| names.contains(name));
            let (mut changed, mut same) = (super::PerSide::default(), true);
            for (_, attribute) in among {
                changed.ours |= attribute.changed.ours;
                changed.theirs |= attribute.changed.theirs;
                same &= attribute.same;
            }
            for (_, attribute) in attributes.iter_mut().filter(|(name, _)| names.contains(name)) {
                attribute.changed = changed;
                // Equal arrays need not be taken and are no conflict.
                attribute.same |= same;
            }
        }
        attributes
            .into_iter()
            .filter(|(name, attribute)| self.is_taken(name, attribute))
            .map(|(_, attribute)| (attribute.at.ours, attribute.at.theirs))
            .collect()
    }

    fn is_taken(&mut self, name: &'a [u8], attribute: &AttributeVersions) -> bool {
        if !attribute.changed.theirs || attribute.same {
            return false;
        }
        let is_dangling = attribute.at.ours.is_some() && self.has_missing_target(attribute);
        if !attribute.changed.ours && !is_dangling {
            return true;
        }
        let is_quiet = match self.versions.kind {
            Kind::Light => true,
            Kind::Root => ASIDE.contains(&name),
            Kind::Node => name == b"referenceID",
            _ => false,
        };
        if !is_quiet {
            let field = match self.versions.kind {
                Kind::Properties => format!("entity_properties.{}", text(name)),
                Kind::Objects => format!("selectionSetData.{}", text(name)),
                _ => text(name),
            };
            let attribute = *attribute;
            self.push_conflict(field, |records, id, side| {
                let place = side.map_or(attribute.base, |side| *attribute.at.get(side));
                let attribute = id.zip(place).and_then(|(id, at)| attributes_of(records.map, id).get(at));
                value_text(records, attribute.map(|attribute| &attribute.value))
            });
        }
        self.prefer == Side::Theirs && !is_dangling
    }

    /// Returns `true` if theirs refers to a node that the result does not have.
    fn has_missing_target(&self, attribute: &AttributeVersions) -> bool {
        let attributes = self.versions.elements.theirs.map(|id| attributes_of(self.diff.sides.theirs.map, id));
        let value = attributes.zip(attribute.at.theirs).and_then(|(attributes, at)| attributes.get(at));
        let Some(Value::Element(Reference::Element(id))) = value.map(|attribute| &attribute.value) else {
            return false;
        };
        let is_in_tree = self.diff.sides.theirs.kind(*id).is_some_and(Kind::is_in_tree);
        let record = self.diff.record_of(Side::Theirs, *id);
        is_in_tree && !record.is_some_and(|record| self.plan.has(record))
    }

    fn name(&self, attribute: &AttributeVersions) -> &'a [u8] {
        let of = |records: &Records<'a>, id: Option<ElementId>, at: Option<usize>| {
            let attribute = attributes_of(records.map, id?).get(at?)?;
            Some(records.map.graph().string(attribute.name))
        };
        let sides = [Side::Ours, Side::Theirs].map(Some);
        let place = |side: Option<Side>| side.map_or(attribute.base, |side| *attribute.at.get(side));
        let mut names = sides.into_iter().chain([None]).map(|side| {
            let (records, id) = self.records(side);
            of(records, id, place(side))
        });
        names.find_map(|name| name).unwrap_or_default()
    }
}
