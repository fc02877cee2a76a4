//! Lists of items, matched by name.

use mapwright_io::diff::Pairs;

use super::{FieldChange, ItemChange, ItemRef, ItemsDiff};

/// Compares two lists. Items are matched by name, those with one name in their order, then by digest.
pub(super) fn compare_items<T>(
    olds: &[T],
    news: &[T],
    name: impl Fn(&T) -> String,
    digest: impl Fn(&T) -> Option<u64>,
    changes: impl Fn(&T, &T) -> Vec<FieldChange>,
) -> ItemsDiff {
    let mut pairs = Pairs::new(olds.len(), news.len());
    pairs.match_by_key(|at| olds.get(at).map(&name), |at| news.get(at).map(&name));
    pairs.match_by_key(|at| olds.get(at).and_then(&digest), |at| news.get(at).and_then(&digest));
    let label = |items: &[T], number| Some(ItemRef { number, name: name(items.get::<usize>(number)?) });
    pairs.to_diff(
        |number| label(olds, number),
        |number| label(news, number),
        |number, at| {
            let fields = changes(olds.get(number)?, news.get(at)?);
            let (old, new) = (label(olds, number)?, label(news, at)?);
            (!fields.is_empty()).then_some(ItemChange { old, new, fields })
        },
    )
}
