//! The order of Erlang's terms, by which Wings searches its trees.

use std::cmp::Ordering;

use mapwright_etf::{Elements, ListItem, ListItems, Term, Value};

/// What is left to compare of two terms of one kind.
enum Rest<'t> {
    Tuples(Elements<'t>, Elements<'t>),
    Lists(ListItems<'t>, ListItems<'t>),
}

/// Compares two terms as Erlang's `<` and `==` do. Maps of one size, and pids, ports, references and funs, count as equal.
///
/// Takes time in proportion to the smaller term, and no recursion.
pub(super) fn order<'t>(mut a: ListItem<'t>, mut b: ListItem<'t>) -> Ordering {
    let mut open = Vec::new();
    loop {
        let order = leaves(a, b);
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
                        (a, b) if a.is_some() || b.is_some() => return end(a).cmp(&end(b)),
                        _ => None,
                    },
                    (None, Some(_)) => return end(a.tail()).cmp(&LIST),
                    (Some(_), None) => return LIST.cmp(&end(b.tail())),
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

/// The place of a kind of terms among the kinds.
fn kind(item: ListItem<'_>) -> u8 {
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

/// The kind of what stands behind the last element of a list.
fn end(tail: Option<Term<'_>>) -> u8 {
    tail.map_or(NIL, |tail| kind(ListItem::Term(tail)))
}

/// Compares as far as it goes without looking into tuples and lists.
fn leaves(a: ListItem<'_>, b: ListItem<'_>) -> Ordering {
    kind(a).cmp(&kind(b)).then_with(|| {
        let (ListItem::Term(a_term), ListItem::Term(b_term)) = (a, b) else { return numbers(a, b) };
        match (a_term.value(), b_term.value()) {
            (Value::Integer(a), Value::Integer(b)) => a.cmp(&b),
            (Value::Integer(_) | Value::Float(_), _) => numbers(a, b),
            (Value::Atom(a), Value::Atom(b)) => a.cmp(&b),
            (Value::Tuple(a), Value::Tuple(b)) => a.len().cmp(&b.len()),
            (Value::Map(a), Value::Map(b)) => a.len().cmp(&b.len()),
            (Value::Binary(a), Value::Binary(b)) => a.cmp(b),
            _ => Ordering::Equal,
        }
    })
}

/// Compares numbers of which at most one is an integer beyond 64 bits.
#[expect(clippy::cast_possible_truncation, reason = "only whole numbers within the range are cast")]
fn numbers(a: ListItem<'_>, b: ListItem<'_>) -> Ordering {
    let float = |item: ListItem<'_>| match item {
        ListItem::Byte(byte) => f64::from(byte),
        ListItem::Term(term) => crate::document::number(term).unwrap_or_else(|| {
            // Only an integer that is larger than any float.
            let negative = term.as_integer().is_some_and(|integer| integer.negative);
            if negative { f64::NEG_INFINITY } else { f64::INFINITY }
        }),
    };
    let (x, y) = (float(a), float(b));
    // Beyond 2^53 an integer may differ from the float that is nearest to it.
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
        let kinds = terms.each_ref().map(|term| kind(ListItem::Term(term.root())));
        assert_eq!(kinds, [0, 1, 6, 7, 8, 9, 10]);
        assert_eq!((NUMBER, NIL, LIST), (0, 8, 9));
    }
}
