//! The order of Erlang terms, which Wings uses to search its trees.

use std::cmp::Ordering;

use mapwright_etf::{Elements, ListItem, ListItems, Term, Value};

/// Remaining elements of two terms of one kind.
enum Rest<'t> {
    Tuples(Elements<'t>, Elements<'t>),
    Lists(ListItems<'t>, ListItems<'t>),
}

/// Compares two terms like Erlang's `<` and `==`. Maps of one size are equal, and so are pids, ports, references and funs.
///
/// Takes time proportional to the smaller term, without recursion.
pub(super) fn compare_terms<'t>(mut a: ListItem<'t>, mut b: ListItem<'t>) -> Ordering {
    let mut open = Vec::new();
    loop {
        let order = compare_shallow(a, b);
        if order.is_ne() {
            return order;
        }
        if let (Some(a), Some(b)) = (a.term(), b.term()) {
            match (a.value(), b.value()) {
                (Value::Tuple(a), Value::Tuple(b)) => open.push(Rest::Tuples(a, b)),
                (Value::List(a), Value::List(b)) => open.push(Rest::Lists(a.items(), b.items())),
                _ => {}
            }
        }
        (a, b) = loop {
            let pair = match open.last_mut() {
                None => return Ordering::Equal,
                Some(Rest::Tuples(a, b)) => a.next().map(ListItem::Term).zip(b.next().map(ListItem::Term)),
                Some(Rest::Lists(a, b)) => match (a.next(), b.next()) {
                    (Some(a), Some(b)) => Some((a, b)),
                    (None, None) => match (a.tail(), b.tail()) {
                        (Some(a), Some(b)) => {
                            open.pop();
                            break (ListItem::Term(a), ListItem::Term(b));
                        }
                        (a, b) if a.is_some() || b.is_some() => return kind_of_tail(a).cmp(&kind_of_tail(b)),
                        _ => None,
                    },
                    (None, Some(_)) => return kind_of_tail(a.tail()).cmp(&LIST),
                    (Some(_), None) => return LIST.cmp(&kind_of_tail(b.tail())),
                },
            };
            match pair {
                Some(pair) => break pair,
                None => drop(open.pop()),
            }
        };
    }
}

const NUMBER: u8 = 0;
const NIL: u8 = 8;
const LIST: u8 = 9;

/// Returns the rank of a term's kind.
fn kind_of(item: ListItem<'_>) -> u8 {
    let ListItem::Term(term) = item else { return NUMBER };
    match term.value() {
        Value::Integer(_) | Value::Float(_) => NUMBER,
        Value::Atom(_) => 1,
        Value::Reference(_) => 2,
        Value::Fun(_) | Value::Export(_) => 3,
        Value::Port(_) => 4,
        Value::Pid(_) => 5,
        Value::Tuple(_) => 6,
        Value::Map(_) => 7,
        Value::List(list) if list.is_empty() => NIL,
        Value::List(_) => LIST,
        _ => 10,
    }
}

/// Returns the rank of the tail of a list.
fn kind_of_tail(tail: Option<Term<'_>>) -> u8 {
    tail.map_or(NIL, |tail| kind_of(ListItem::Term(tail)))
}

/// Compares two terms without the elements of tuples and lists.
fn compare_shallow(a: ListItem<'_>, b: ListItem<'_>) -> Ordering {
    kind_of(a).cmp(&kind_of(b)).then_with(|| {
        let (ListItem::Term(a_term), ListItem::Term(b_term)) = (a, b) else { return compare_numbers(a, b) };
        match (a_term.value(), b_term.value()) {
            (Value::Integer(a), Value::Integer(b)) => a.cmp(&b),
            (Value::Integer(_) | Value::Float(_), _) => compare_numbers(a, b),
            (Value::Atom(a), Value::Atom(b)) => a.cmp(&b),
            (Value::Tuple(a), Value::Tuple(b)) => a.len().cmp(&b.len()),
            (Value::Map(a), Value::Map(b)) => a.len().cmp(&b.len()),
            (Value::Binary(a), Value::Binary(b)) => a.cmp(b),
            _ => Ordering::Equal,
        }
    })
}

/// Compares numbers. At most one may be an integer beyond 64 bits.
#[expect(clippy::cast_possible_truncation, reason = "only whole numbers within the range are cast")]
fn compare_numbers(a: ListItem<'_>, b: ListItem<'_>) -> Ordering {
    let float = |item: ListItem<'_>| match item {
        ListItem::Byte(byte) => f64::from(byte),
        ListItem::Term(term) => crate::document::number(term).unwrap_or_else(|| {
            // Not a number: an integer that exceeds the range of floats.
            let negative = term.as_integer().is_some_and(|integer| integer.negative);
            if negative { f64::NEG_INFINITY } else { f64::INFINITY }
        }),
    };
    let (x, y) = (float(a), float(b));
    // Beyond 2^53, an integer may differ from its nearest float.
    let whole = |item: ListItem<'_>, float: f64| item.as_i64().unwrap_or(float as i64);
    x.partial_cmp(&y).unwrap_or(Ordering::Equal).then_with(|| whole(a, x).cmp(&whole(b, y)))
}

#[cfg(test)]
mod tests {
    use mapwright_etf::{Builder, WriterProfile};

    use super::*;

    /// Source: the Erlang reference manual, "Term Comparisons": number < atom < reference < fun < port < pid < tuple < map <
    /// nil < list < bit string.
    #[test]
    fn kinds_of_terms_have_the_published_order() {
        let build = |build: &dyn Fn(&mut Builder)| {
            let mut builder = Builder::new(WriterProfile::Otp17);
            build(&mut builder);
            builder.finish().unwrap()
        };
        let terms = [
            build(&|term| term.integer(5)),
            build(&|term| term.atom("a")),
            build(&|term| term.tuple(0)),
            build(&|term| term.map(0)),
            build(&|term| {
                term.begin_list();
                term.end_list();
            }),
            build(&|term| {
                term.begin_list();
                term.integer(1);
                term.end_list();
            }),
            build(&|term| term.binary(b"")),
        ];
        let kinds = terms.each_ref().map(|term| kind_of(ListItem::Term(term.root())));
        assert_eq!(kinds, [0, 1, 6, 7, 8, 9, 10]);
        assert_eq!((NUMBER, NIL, LIST), (0, 8, 9));
    }
}
