//! Property lists as Wings looks into them.

use mapwright_etf::{List, ListItem, ListItems, Term};

pub(super) use crate::document::{Found, has_key};

/// Looks a key up. `None` if the term is no list, or an improper one without the key.
pub(super) fn look_up<'t>(list: Term<'t>, key: &str) -> Option<Found<'t>> {
    let mut items = list.as_list()?.items();
    let found = items.by_ref().filter_map(ListItem::term).find_map(|item| Found::of(item, key));
    found.or_else(|| items.tail().is_none().then_some(Found::Missing))
}

/// The elements of a proper list.
pub(super) fn proper(term: Term<'_>) -> Option<ListItems<'_>> {
    term.as_list().filter(|list| list.tail().is_none()).map(List::items)
}

/// The elements of a list; none of what is no list.
pub(super) fn items(term: Term<'_>) -> impl Iterator<Item = ListItem<'_>> {
    term.as_list().map(List::items).into_iter().flatten()
}

/// Both elements of an item that is a pair.
pub(super) fn pair(item: ListItem<'_>) -> Option<[Term<'_>; 2]> {
    item.term()?.as_tuple_of()
}

pub(super) fn is_number(term: Term<'_>) -> bool {
    term.as_integer().is_some() || term.as_f64().is_some()
}

/// An integer, or a float that equals one: Erlang compares them as equal.
#[expect(clippy::cast_possible_truncation, reason = "checked by casting back")]
#[expect(clippy::cast_precision_loss, reason = "compared with what it was cast from")]
pub(super) fn integral(item: ListItem<'_>) -> Option<i64> {
    item.as_i64().or_else(|| {
        let float = item.term()?.as_f64()?;
        let integer = float as i64;
        (integer as f64 == float).then_some(integer)
    })
}

/// Whether a list and those in it, down to any depth, are made of terms and end in terms that are allowed.
pub(super) fn is_deep(list: List<'_>, is_item: impl Fn(Term<'_>) -> bool, is_tail: impl Fn(Term<'_>) -> bool) -> bool {
    let mut open = vec![list.items()];
    while let Some(items) = open.last_mut() {
        match items.next() {
            Some(ListItem::Byte(_)) => {}
            Some(ListItem::Term(term)) => match term.as_list() {
                Some(list) => open.push(list.items()),
                None if is_item(term) => {}
                None => return false,
            },
            None => {
                if items.tail().is_some_and(|tail| !is_tail(tail)) {
                    return false;
                }
                open.pop();
            }
        }
    }
    true
}

/// Whether a list is what Erlang takes for a file name: integers, atoms, and lists of such.
pub(super) fn is_file_name(list: List<'_>) -> bool {
    is_deep(list, |term| term.as_integer().is_some() || term.as_atom().is_some(), |_| false)
}
