//! Matching of items.

use std::hash::Hash;

use hashbrown::HashMap;
use mapwright_io::diff::Pairs;

use super::describe::{Field, FieldContent, View};
use super::{FieldChange, ItemChange, ItemsDiff};
use crate::tree::PartIndex;

/// Compares items of one kind.
pub(super) fn between(old: &View<'_>, new: &View<'_>, olds: &[PartIndex], news: &[PartIndex]) -> ItemsDiff {
    let sides = [(old, olds), (new, news)];
    let mut pairs = Pairs::new(olds.len(), news.len());
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
    (0..start).for_each(|index| pairs.add(index, index));
    let (old_end, new_end) = (olds.len().saturating_sub(end), news.len().saturating_sub(end));
    (old_end..olds.len()).zip(new_end..).for_each(|(old, new)| pairs.add(old, new));
    // Match in this order: all; name and position; content and position; number and position; content; name; position.
    let tolerance = old.tolerance;
    let key = |view: &View<'_>, item: PartIndex| Some((view.hash(item, &[]), place(view, item)));
    match_by(&mut pairs, sides, key);
    let key = |view: &View<'_>, item: PartIndex| named(view, item).map(|name| (name, place(view, item)));
    match_by(&mut pairs, sides, key);
    // A renamed or moved item is the same.
    let key = |view: &View<'_>, item: PartIndex| Some((view.hash(item, &["name", "group"]), place(view, item)));
    match_by(&mut pairs, sides, key);
    let key = |view: &View<'_>, item: PartIndex| {
        let found = view.reference(item);
        Some((found.kind, found.number, place(view, item)))
    };
    match_by(&mut pairs, sides, key);
    let key = |view: &View<'_>, item: PartIndex| Some(view.hash(item, &["group"]));
    match_by(&mut pairs, sides, key);
    if !matches!(olds.first().or(news.first()), Some(PartIndex::Block(_))) {
        match_by(&mut pairs, sides, named);
    }
    let key = |view: &View<'_>, item: PartIndex| Some((view.reference(item).kind, place(view, item)));
    match_by(&mut pairs, sides, key);
    let mut diff = pairs.to_diff(
        |index| Some(old.reference(*olds.get(index)?)),
        |index| Some(new.reference(*news.get(index)?)),
        |index, other| {
            if index < start || index >= old_end {
                return None;
            }
            let (item, other) = (*olds.get(index)?, *news.get(other)?);
            let fields = changes(old, new, item, other, tolerance);
            (!fields.is_empty()).then(|| ItemChange { old: old.reference(item), new: new.reference(other), fields })
        },
    );
    // Dialects order items differently.
    diff.reordered &= old.map.dialect == new.map.dialect;
    diff
}

fn match_by<K: Hash + Eq>(
    pairs: &mut Pairs,
    [(old, olds), (new, news)]: [(&View<'_>, &[PartIndex]); 2],
    key: impl Fn(&View<'_>, PartIndex) -> Option<K>,
) {
    pairs.match_by_key(|at| key(old, *olds.get(at)?), |at| key(new, *news.get(at)?));
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
            Some(now) => changes.push(compare_field(field, &value, &now, tolerance)),
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
fn compare_field(field: Field, old: &FieldContent, new: &FieldContent, tolerance: f64) -> FieldChange {
    if let (FieldContent::Numbers(before), FieldContent::Numbers(after)) = (old, new)
        && before.len().max(after.len()) > MAX_NUMBERS
    {
        let others = before.iter().zip(after).filter(|(a, b)| a != b && (*a - *b).abs() > tolerance).count();
        return change(field, short(old), format!("{}, {others} differ", short(new)));
    }
    change(field, short(old), short(new))
}

/// The most numbers that are printed.
const MAX_NUMBERS: usize = 12;

fn short(value: &FieldContent) -> String {
    match value {
        FieldContent::Numbers(numbers) if numbers.len() > MAX_NUMBERS => format!("{} numbers", numbers.len()),
        value => value.to_string(),
    }
}
