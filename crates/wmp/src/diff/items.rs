//! Matching of items.

use std::hash::Hash;

use hashbrown::HashMap;

use super::describe::{Field, FieldContent, View};
use super::{FieldChange, ItemChange, ItemsDiff};
use crate::tree::PartIndex;

/// Compares items of one kind.
pub(super) fn between(old: &View<'_>, new: &View<'_>, olds: &[PartIndex], news: &[PartIndex]) -> ItemsDiff {
    let mut pairs = Pairs { old: vec![None; olds.len()], new: vec![None; news.len()] };
    let place = |view: &View<'_>, item: PartIndex| {
        let grain = if view.tolerance > 0.0 { view.tolerance * 10.0 } else { 1e-6 };
        view.position(item).map(|part| ((part / grain).round() + 0.0).to_bits())
    };
    let named = |view: &View<'_>, item: PartIndex| {
        let found = view.reference(item);
        (!found.name.is_empty()).then_some((found.kind, found.name))
    };
    // Most items of two maps are equal at the same index. Skip them without describing them.
    let same = |(item, other): &(&PartIndex, &PartIndex)| old.is(**item, new, **other);
    let start = olds.iter().zip(news).take_while(same).count();
    let left = olds.len().min(news.len()).saturating_sub(start);
    let end = olds.iter().rev().zip(news.iter().rev()).take(left).take_while(same).count();
    pairs.join(0, 0, start);
    let (old_end, new_end) = (olds.len().saturating_sub(end), news.len().saturating_sub(end));
    pairs.join(old_end, new_end, end);
    // Match in this order: all; name and position; content and position; number and position; content; name; position.
    let tolerance = old.tolerance;
    let key = |view: &View<'_>, item: PartIndex| (view.hash(item, &[]), place(view, item));
    pairs.by_key(olds, news, |item| Some(key(old, item)), |item| Some(key(new, item)));
    let key = |view: &View<'_>, item: PartIndex| named(view, item).map(|name| (name, place(view, item)));
    pairs.by_key(olds, news, |item| key(old, item), |item| key(new, item));
    // A renamed or moved item is the same.
    let key = |view: &View<'_>, item: PartIndex| Some((view.hash(item, &["name", "group"]), place(view, item)));
    pairs.by_key(olds, news, |item| key(old, item), |item| key(new, item));
    let key = |view: &View<'_>, item: PartIndex| {
        let found = view.reference(item);
        Some((found.kind, found.number, place(view, item)))
    };
    pairs.by_key(olds, news, |item| key(old, item), |item| key(new, item));
    let key = |view: &View<'_>, item: PartIndex| Some(view.hash(item, &["group"]));
    pairs.by_key(olds, news, |item| key(old, item), |item| key(new, item));
    if !matches!(olds.first().or(news.first()), Some(PartIndex::Block(_))) {
        pairs.by_key(olds, news, |item| named(old, item), |item| named(new, item));
    }
    let key = |view: &View<'_>, item: PartIndex| Some((view.reference(item).kind, place(view, item)));
    pairs.by_key(olds, news, |item| key(old, item), |item| key(new, item));
    let mut diff = ItemsDiff::default();
    let mut last = None;
    for (at, (item, other)) in olds.iter().zip(&pairs.old).enumerate() {
        let Some(other) = *other else {
            diff.removed.push(old.reference(*item));
            continue;
        };
        diff.reordered |= last.is_some_and(|last| last > other);
        last = Some(other);
        let Some(other) = news.get(other).filter(|_| at >= start && at < old_end) else { continue };
        let fields = changes(old, new, *item, *other, tolerance);
        if !fields.is_empty() {
            diff.changed.push(ItemChange { old: old.reference(*item), new: new.reference(*other), fields });
        }
    }
    let free = news.iter().zip(&pairs.new).filter(|(_, other)| other.is_none());
    diff.added = free.map(|(item, _)| new.reference(*item)).collect();
    // Dialects order items differently.
    diff.reordered &= old.map.dialect == new.map.dialect;
    diff
}

/// Returns the fields that differ.
fn changes(old: &View<'_>, new: &View<'_>, item: PartIndex, other: PartIndex, tolerance: f64) -> Vec<FieldChange> {
    let place = |view: &View<'_>, item: PartIndex| FieldContent::Numbers(view.position(item).to_vec());
    let (before, after) = (place(old, item), place(new, other));
    let mut changes = Vec::new();
    if !before.equals(&after, tolerance) {
        changes.push(change(("position", None), before.to_string(), after.to_string()));
    }
    let (olds, news) = (old.content(item), new.content(other));
    let find = |fields: &[(Field, FieldContent)], field: Field| {
        fields.iter().find(|(other, _)| *other == field).map(|(_, value)| value.clone())
    };
    let same_faces = find(&olds, ("faces", None)) == find(&news, ("faces", None));
    let exact = old.map.dialect == new.map.dialect;
    let mut rest: HashMap<Field, FieldContent> = news.into_iter().collect();
    for (field, value) in olds {
        let now = rest.remove(&field);
        // Faces cannot be compared by index if their number differs.
        if field.1.is_some() && field.0 != "skill" && !same_faces {
            continue;
        }
        match now {
            Some(now) if value.equals(&now, tolerance) => {}
            Some(now) => changes.push(one(field, &value, &now, tolerance)),
            // A field that the other dialect does not store is no difference.
            None if exact => changes.push(change(field, short(&value), "none".to_owned())),
            None => {}
        }
    }
    if exact {
        let mut rest: Vec<(Field, FieldContent)> = rest.into_iter().collect();
        rest.retain(|((name, face), _)| face.is_none() || *name == "skill" || same_faces);
        rest.sort_unstable_by_key(|(field, _)| *field);
        changes.extend(rest.into_iter().map(|(field, value)| change(field, "none".to_owned(), short(&value))));
    }
    changes
}

fn change((name, face): Field, old: String, new: String) -> FieldChange {
    let field = match face {
        None => name.to_owned(),
        Some(at) if name == "skill" => format!("skill{}", at.saturating_add(1)),
        Some(at) => format!("{name} of face {at}"),
    };
    FieldChange { field, old, new }
}

/// Returns the change of a field. Long lists are summarized.
fn one(field: Field, old: &FieldContent, new: &FieldContent, tolerance: f64) -> FieldChange {
    if let (FieldContent::Numbers(before), FieldContent::Numbers(after)) = (old, new)
        && before.len().max(after.len()) > MOST
    {
        let others = before.iter().zip(after).filter(|(a, b)| a != b && (*a - *b).abs() > tolerance).count();
        return change(field, short(old), format!("{}, {others} differ", short(new)));
    }
    change(field, short(old), short(new))
}

/// The most numbers that are printed.
const MOST: usize = 12;

fn short(value: &FieldContent) -> String {
    match value {
        FieldContent::Numbers(numbers) if numbers.len() > MOST => format!("{} numbers", numbers.len()),
        value => value.to_string(),
    }
}

/// Pairs of old and new items.
struct Pairs {
    old: Vec<Option<usize>>,
    new: Vec<Option<usize>>,
}

impl Pairs {
    /// Pairs items in order.
    fn join(&mut self, old: usize, new: usize, count: usize) {
        let rows = (old..old.saturating_add(count)).zip(new..);
        for (old, new) in rows {
            if let (Some(pair), Some(back)) = (self.old.get_mut(old), self.new.get_mut(new)) {
                (*pair, *back) = (Some(new), Some(old));
            }
        }
    }

    /// Pairs free items with the same key, in order.
    fn by_key<K: Hash + Eq>(
        &mut self,
        olds: &[PartIndex],
        news: &[PartIndex],
        old: impl Fn(PartIndex) -> Option<K>,
        new: impl Fn(PartIndex) -> Option<K>,
    ) {
        if !self.old.contains(&None) {
            return;
        }
        // In reverse, because the last is taken first.
        let mut free: HashMap<K, Vec<usize>> = HashMap::new();
        let rows = news.iter().zip(&self.new).enumerate().rev().filter(|(_, (_, pair))| pair.is_none());
        for (at, (item, _)) in rows {
            if let Some(key) = new(*item) {
                free.entry(key).or_default().push(at);
            }
        }
        for (at, (item, pair)) in olds.iter().zip(&mut self.old).enumerate().filter(|(_, (_, pair))| pair.is_none()) {
            let Some(found) = old(*item).and_then(|key| free.get_mut(&key)?.pop()) else { continue };
            *pair = Some(found);
            if let Some(pair) = self.new.get_mut(found) {
                *pair = Some(at);
            }
        }
    }
}
