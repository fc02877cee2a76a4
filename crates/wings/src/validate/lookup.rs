//! Property lists with the lookup rules of Wings.

use mapwright_etf::{List, ListItem, ListItems, Term};

pub(super) use crate::document::{Lookup, has_key};

/// Looks up a key. Returns `None` if the term is not a list, or an improper list without the key.
pub(super) fn find_key<'t>(list: Term<'t>, key: &str) -> Option<Lookup<'t>> {
    let mut items = list.as_list()?.items();
    let found = items.by_ref().filter_map(ListItem::term).find_map(|item| Lookup::from_item(item, key));
    found.or_else(|| items.tail().is_none().then_some(Lookup::Missing))
}

/// Returns the elements of a proper list.
pub(super) fn proper(term: Term<'_>) -> Option<ListItems<'_>> {
    term.as_list().filter(|list| list.tail().is_none()).map(List::items)
}

/// Returns the elements of a list. Other terms have none.
pub(super) fn items(term: Term<'_>) -> impl Iterator<Item = ListItem<'_>> {
    term.as_list().map(List::items).into_iter().flatten()
}

/// Returns the elements of an item that is a pair.
pub(super) fn pair(item: ListItem<'_>) -> Option<[Term<'_>; 2]> {
    item.term()?.as_tuple_of()
}

pub(super) fn is_number(term: Term<'_>) -> bool {
    term.as_integer().is_some() || term.as_f64().is_some()
}

/// Reads an integer, or an integral float: Erlang compares them as equal.
#[expect(clippy::cast_possible_truncation, reason = "checked by casting back")]
#[expect(clippy::cast_precision_loss, reason = "compared with what it was cast from")]
pub(super) fn integral(item: ListItem<'_>) -> Option<i64> {
    item.as_i64().or_else(|| {
        let float = item.term()?.as_f64()?;
        let integer = float as i64;
        (integer as f64 == float).then_some(integer)
    })
}

/// Returns `true` if a list and all nested lists contain only allowed terms and tails.
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

/// Returns `true` if Erlang accepts a list as a file name: integers, atoms, and nested lists of those.
pub(super) fn is_file_name(list: List<'_>) -> bool {
    is_deep(list, |term| term.as_integer().is_some() || term.as_atom().is_some(), |_| false)
}
