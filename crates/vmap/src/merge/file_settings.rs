//! Merges hidden nodes, the list of assets, the format version and the prefix.

use std::collections::{HashMap, HashSet};

use mapwright_dmx::diff::same_value;
use mapwright_dmx::{ElementId, Reference, Value};

use super::copy::Copier;
use super::display::{label, value_text};
use super::lists::{merge_members, merge_order};
use super::plan::Plan;
use super::records::Records;
use super::three_way::ThreeWayDiff;
use super::{Conflict, ConflictKind, PerSide, Side};
use crate::diff::{ASIDE, NodeLabel, nodes::hidden_text};
use crate::{Document, Editor, HiddenFlags};

/// The prefix attribute that lists assets.
const ASSETS: &str = "map_asset_references";

/// Merges the settings of the file.
pub(super) struct FileSettingsMerger<'b, 't, 'a, 'e> {
    pub(super) diff: &'t ThreeWayDiff<'a>,
    pub(super) plan: &'t Plan,
    pub(super) prefer: Side,
    pub(super) copier: Copier<'t, 'a>,
    pub(super) editor: &'b mut Editor<'e>,
    pub(super) conflicts: &'b mut Vec<Conflict>,
}

/// An entry of the visibility manager: a node of the map, or one of another file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
enum Entry<'a> {
    Node(usize),
    External(&'a [u8]),
}

impl<'a> FileSettingsMerger<'_, '_, 'a, '_> {
    pub(super) fn merge(mut self) {
        self.merge_hidden();
        self.merge_version();
        self.merge_assets();
        self.merge_prefix();
    }

    fn push_conflict(&mut self, node: Option<NodeLabel>, field: &str, [base, ours, theirs]: [String; 3]) {
        let (kind, field) = (ConflictKind::Field, field.to_owned());
        self.conflicts.push(Conflict { kind, node, field, base, ours, theirs });
    }

    fn entries(records: &Records<'a>, record: impl Fn(ElementId) -> Option<usize>) -> Vec<(Entry<'a>, HiddenFlags)> {
        let entry = |(reference, flags)| {
            let entry = match reference {
                Reference::Element(id) => Entry::Node(record(id)?),
                Reference::External(id) => Entry::External(records.map.graph().string(id)),
                Reference::Null => return None,
            };
            Some((entry, flags))
        };
        records.map.visibility().into_iter().flat_map(crate::Visibility::entries).filter_map(entry).collect()
    }

    /// Merges the list of hidden nodes.
    fn merge_hidden(&mut self) {
        let diff = self.diff;
        let before = Self::entries(&diff.base, |id| diff.record_in_base(id));
        let base: HashMap<_, _> = before.iter().copied().collect();
        let ours: HashMap<_, _> =
            Self::entries(&diff.sides.ours, |id| diff.record_of(Side::Ours, id)).into_iter().collect();
        let theirs = Self::entries(&diff.sides.theirs, |id| diff.record_of(Side::Theirs, id));
        let now: HashMap<_, _> = theirs.iter().copied().collect();
        let mut changed: Vec<(Entry<'a>, Option<HiddenFlags>)> = Vec::new();
        // A side that removed a node did not decide to show it.
        let is_shown =
            |entry: Entry<'_>| !matches!(entry, Entry::Node(record) if diff.element(Side::Theirs, record).is_none());
        let gone = before.iter().map(|(entry, _)| *entry).filter(|entry| !now.contains_key(entry) && is_shown(*entry));
        let gone = gone.map(|entry| (entry, None));
        for (entry, new) in theirs.into_iter().map(|(entry, flags)| (entry, Some(flags))).chain(gone) {
            let (old, own) = (base.get(&entry).copied(), ours.get(&entry).copied());
            // Nodes of theirs alone keep their flags.
            let is_new = matches!(entry, Entry::Node(record) if diff.element(Side::Ours, record).is_none());
            if !is_new && (new == old || new == own) {
                continue;
            }
            if own == old || is_new {
                changed.push((entry, new));
                continue;
            }
            let [was, one, other] = [old, own, new].map(Option::unwrap_or_default);
            if one == other || other == was {
                continue;
            }
            if one != was {
                let node = if let Entry::Node(record) = entry { label(diff, record) } else { None };
                self.push_conflict(node, "hidden", [was, one, other].map(hidden_text));
                if self.prefer == Side::Ours {
                    continue;
                }
            }
            changed.push((entry, new));
        }
        self.write_hidden(&changed);
    }

    fn write_hidden(&mut self, changed: &[(Entry<'a>, Option<HiddenFlags>)]) {
        let Some(manager) = self.editor.map().visibility() else { return };
        let mut entries: Vec<(Reference, HiddenFlags)> = manager.entries().collect();
        let manager = manager.element().id();
        let mut places: HashMap<Reference, usize> = HashMap::new();
        for (place, (reference, _)) in entries.iter().enumerate() {
            places.entry(*reference).or_insert(place);
        }
        let (mut gone, mut is_changed) = (HashSet::new(), false);
        for &(entry, flags) in changed {
            let reference = match entry {
                Entry::Node(record) => {
                    // Removed nodes leave the list.
                    let Some(id) = self.copier.result_of_record(record).filter(|_| self.plan.has(record)) else {
                        continue;
                    };
                    Reference::Element(id)
                }
                Entry::External(text) => Reference::External(self.editor.graph_mut().intern(text)),
            };
            is_changed = true;
            match (places.get(&reference).copied(), flags) {
                (Some(place), Some(flags)) => {
                    if let Some(entry) = entries.get_mut(place) {
                        entry.1 = flags;
                    }
                }
                (Some(place), None) => drop(gone.insert(place)),
                (None, Some(flags)) => {
                    places.insert(reference, entries.len());
                    entries.push((reference, flags));
                }
                (None, None) => {}
            }
        }
        if is_changed {
            let entries =
                || entries.iter().enumerate().filter(|(place, _)| !gone.contains(place)).map(|(_, entry)| entry);
            let (nodes, flags) = (entries().map(|entry| entry.0).collect(), entries().map(|entry| entry.1.0).collect());
            self.editor.graph_mut().set(manager, "nodes", Value::ElementArray(nodes));
            self.editor.graph_mut().set(manager, "hiddenFlags", Value::IntArray(flags));
        }
    }

    fn maps(&self) -> (&'a Document, PerSide<&'a Document>) {
        let diff = self.diff;
        (diff.base.map, PerSide { ours: diff.sides.ours.map, theirs: diff.sides.theirs.map })
    }

    fn merge_version(&mut self) {
        let (base, sides) = self.maps();
        let [old, own, new] = [base, sides.ours, sides.theirs].map(Document::format_version);
        if new == old || new == own {
            return;
        }
        if own != old {
            self.push_conflict(None, "format_version", [old, own, new].map(|version| version.to_string()));
        }
        if own == old || self.prefer == Side::Theirs {
            self.editor.graph_mut().header.format_version = new;
        }
    }

    /// Merges the list of assets. An asset that theirs removed stays if the result uses it.
    fn merge_assets(&mut self) {
        let (base, sides) = self.maps();
        let list = |map: &'a Document| map.asset_references().collect::<Vec<&[u8]>>();
        let [base, ours, theirs] = [list(base), list(sides.ours), list(sides.theirs)];
        if theirs == base || sides.ours.graph().prefix_value(ASSETS).is_none() {
            return;
        }
        let lists = [&base[..], &ours, &theirs];
        let mut members = merge_members(lists);
        let dropped: HashSet<&[u8]> = ours.iter().copied().filter(|path| !members.contains(path)).collect();
        if !dropped.is_empty() {
            let used = self.editor.map().assets().into_iter().filter(|asset| !asset.uses.is_empty());
            let used: HashSet<Vec<u8>> = used.map(|asset| asset.path.to_ascii_lowercase()).collect();
            members.extend(dropped.into_iter().filter(|path| used.contains(&path.to_ascii_lowercase())));
        }
        let (merged, _) = merge_order(lists, self.prefer, |path| members.contains(path));
        if merged != ours {
            let graph = self.editor.graph_mut();
            let value = graph.string_array(merged);
            graph.set_prefix(ASSETS, value);
        }
    }

    /// Merges the other attributes of the prefix.
    fn merge_prefix(&mut self) {
        let (base, sides) = self.maps();
        let names = |map: &'a Document| {
            let block = map.graph().prefix.first().map_or(&[][..], Vec::as_slice);
            block.iter().map(|attribute| map.graph().string(attribute.name))
        };
        let mut seen = HashSet::new();
        for name in names(sides.theirs).chain(names(base)).filter(|name| seen.insert(*name)) {
            if name == ASSETS.as_bytes() && sides.ours.graph().prefix_value(ASSETS).is_some() {
                continue;
            }
            let [old, own, new] = [base, sides.ours, sides.theirs].map(|map| (map, map.graph().prefix_value(name)));
            if same(old, new) || same(own, new) {
                continue;
            }
            if !same(own, old) {
                if !ASIDE.contains(&name) {
                    let field = format!("prefix.{}", mapwright_dmx::diff::text(name));
                    let records = [&self.diff.base, &self.diff.sides.ours, &self.diff.sides.theirs];
                    let [was, one, other] = records;
                    let texts = [value_text(was, old.1), value_text(one, own.1), value_text(other, new.1)];
                    self.push_conflict(None, &field, texts);
                }
                if self.prefer == Side::Ours {
                    continue;
                }
            }
            let value = new.1.map(|value| self.copier.copy_value_with_parts(self.editor, name, value));
            match value {
                Some(value) => self.editor.graph_mut().set_prefix(name, value),
                None => drop(self.editor.graph_mut().unset_prefix(name)),
            }
        }
    }
}

/// Returns `true` if two values are equal.
fn same((one, a): (&Document, Option<&Value>), (other, b): (&Document, Option<&Value>)) -> bool {
    match (a, b) {
        (Some(a), Some(b)) => same_value((one.graph(), a), (other.graph(), b)),
        (a, b) => a.is_none() && b.is_none(),
    }
}
