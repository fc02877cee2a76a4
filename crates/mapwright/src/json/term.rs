//! Erlang terms as JSON.

mod build;

use std::io::{self, Write};

use mapwright_etf::{Elements, List, ListItem, ListItems, Term, Value};

use super::{hex, string};

pub(crate) use build::{document, write_encoding};

/// Writes a term as JSON in one line. Its size and depth are not limited.
///
/// | Erlang | JSON |
/// |---|---|
/// | integer | number without point or exponent, of any size |
/// | float | number with point or exponent; `{"float":"inf"}`, `"-inf"`, `"nan"` if it is not finite |
/// | atom | string |
/// | tuple | `{"tuple":[…]}` |
/// | list | array |
/// | list of printable characters, not empty | `{"text":"…"}` |
/// | improper list | `{"list":[…],"tail":…}` |
/// | map | `{"map":[[key,value],…]}` in the order of the file |
/// | binary | `{"binary":"00ff…"}` in hexadecimal |
/// | bit string | `{"bits":"00e0","last":3}`: bits used in the last byte |
/// | pid, port, reference, fun | `{"term":"#Pid<…>","etf":"58…"}`: as text, and its bytes |
///
/// All values are written, and different values differ. The encoding is not written: the choice between several tags for an integer, an
/// atom or a list. [`write_dump`](crate::AnyDocument::write_dump) adds it.
///
/// ```
/// let tree = mapwright::etf::Tree::from_bytes(b"\x68\x02\x73\x01a\x6b\x00\x02hi").unwrap();
/// let mut json = Vec::new();
/// mapwright::write_term_json(&mut json, tree.root()).unwrap();
/// assert_eq!(json, br#"{"tuple":["a",{"text":"hi"}]}"#);
/// ```
///
/// # Errors
/// Errors of the writer.
pub fn write_term_json(out: &mut dyn Write, term: Term<'_>) -> io::Result<()> {
    let mut open = Vec::new();
    begin(out, &mut open, ListItem::Term(term))?;
    while let Some(top) = open.last_mut() {
        match top.next() {
            Some(Step::Item(separator, item)) => {
                out.write_all(separator.as_bytes())?;
                begin(out, &mut open, item)?;
            }
            Some(Step::End(close)) => {
                out.write_all(close.as_bytes())?;
                open.pop();
            }
            None => {
                open.pop();
            }
        }
    }
    Ok(())
}

/// A term whose parts are being written.
enum Open<'t> {
    Tuple(Elements<'t>, Separator),
    List(ListItems<'t>, Separator),
    /// An improper list. Its last part is its tail.
    Improper(ListItems<'t>, Separator),
    Tail,
    Map(Elements<'t>, Separator),
}

enum Step<'t> {
    Item(&'static str, ListItem<'t>),
    End(&'static str),
}

/// The text before a part: nothing before the first one, a comma before all others.
#[derive(Default)]
struct Separator(bool);

impl Separator {
    fn take(&mut self) -> &'static str {
        if std::mem::replace(&mut self.0, true) { "," } else { "" }
    }
}

impl<'t> Open<'t> {
    fn next(&mut self) -> Option<Step<'t>> {
        Some(match self {
            Self::Tuple(terms, separator) => match terms.next() {
                Some(term) => Step::Item(separator.take(), ListItem::Term(term)),
                None => Step::End("]}"),
            },
            Self::List(items, separator) => match items.next() {
                Some(item) => Step::Item(separator.take(), item),
                None => Step::End("]"),
            },
            Self::Improper(items, separator) => match items.next() {
                Some(item) => Step::Item(separator.take(), item),
                None => {
                    let tail = items.tail()?;
                    *self = Self::Tail;
                    Step::Item("],\"tail\":", ListItem::Term(tail))
                }
            },
            Self::Tail => Step::End("}"),
            Self::Map(terms, separator) => {
                let is_key = terms.len().is_multiple_of(2);
                match (terms.next(), is_key) {
                    (Some(key), true) => {
                        Step::Item(if separator.take().is_empty() { "[" } else { "],[" }, ListItem::Term(key))
                    }
                    (Some(value), false) => Step::Item(",", ListItem::Term(value)),
                    (None, _) => Step::End(if separator.0 { "]]}" } else { "]}" }),
                }
            }
        })
    }
}

/// Writes a term without parts completely, and of others the beginning.
fn begin<'t>(out: &mut dyn Write, open: &mut Vec<Open<'t>>, item: ListItem<'t>) -> io::Result<()> {
    let term = match item {
        ListItem::Byte(byte) => return write!(out, "{byte}"),
        ListItem::Term(term) => term,
    };
    match term.value() {
        Value::Integer(integer) if integer.magnitude().len() < 1024 => write!(out, "{integer}"),
        Value::Float(value) if value.is_finite() => write!(out, "{}", mapwright_io::format_shortest(value)),
        Value::Float(value) => {
            let text = if value.is_nan() {
                "nan"
            } else if value > 0.0 {
                "inf"
            } else {
                "-inf"
            };
            write!(out, "{{\"float\":\"{text}\"}}")
        }
        Value::Atom(atom) => string(out, &atom.name()),
        Value::Tuple(terms) => {
            open.push(Open::Tuple(terms, Separator::default()));
            out.write_all(b"{\"tuple\":[")
        }
        Value::List(list) => {
            if let Some(text) = printable(list) {
                out.write_all(b"{\"text\":")?;
                string(out, &text)?;
                return out.write_all(b"}");
            }
            if list.tail().is_some() {
                open.push(Open::Improper(list.items(), Separator::default()));
                return out.write_all(b"{\"list\":[");
            }
            open.push(Open::List(list.items(), Separator::default()));
            out.write_all(b"[")
        }
        Value::Map(pairs) => {
            open.push(Open::Map(pairs.terms(), Separator::default()));
            out.write_all(b"{\"map\":[")
        }
        Value::Binary(bytes) => {
            out.write_all(b"{\"binary\":\"")?;
            hex(out, bytes)?;
            out.write_all(b"\"}")
        }
        Value::Bits { bytes, last } => {
            out.write_all(b"{\"bits\":\"")?;
            hex(out, bytes)?;
            write!(out, "\",\"last\":{last}}}")
        }
        // Also integers of more than a thousand bytes, because nobody reads so many digits.
        _ => {
            out.write_all(b"{\"term\":")?;
            string(out, &term.to_text())?;
            out.write_all(b",\"etf\":\"")?;
            hex(out, term.as_bytes())?;
            out.write_all(b"\"}")
        }
    }
}

/// Returns the text of a list that consists of printable characters.
fn printable(list: List<'_>) -> Option<String> {
    let mut items = list.items();
    let mut text = String::new();
    for item in items.by_ref() {
        let c = char::from_u32(u32::try_from(item.as_i64()?).ok()?)?;
        if c.is_control() && !matches!(c, '\n' | '\r' | '\t') {
            return None;
        }
        text.push(c);
    }
    (!text.is_empty() && items.tail().is_none()).then_some(text)
}

#[cfg(test)]
mod tests {
    use super::*;
    use mapwright_etf::Tree;

    fn json(term: &[u8]) -> String {
        let tree = Tree::from_bytes(term).unwrap();
        let mut out = Vec::new();
        write_term_json(&mut out, tree.root()).unwrap();
        let text = String::from_utf8(out).unwrap();
        serde_json::from_str::<serde_json::Value>(&text).unwrap();
        text
    }

    #[test]
    fn all_kinds_of_values_are_written() {
        let float = [&[70][..], &1.0_f64.to_be_bytes()].concat();
        for (term, expected) in [
            (&[97, 7][..], "7"),
            (&[98, 255, 255, 255, 255], "-1"),
            (&[110, 9, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1], "18446744073709551616"),
            (&float, "1.0"),
            (b"\x73\x02a\"", r#""a\"""#),
            (&[104, 0], r#"{"tuple":[]}"#),
            (&[106], "[]"),
            (b"\x6b\x00\x02hi", r#"{"text":"hi"}"#),
            (&[107, 0, 2, 0, 1], "[0,1]"),
            (&[108, 0, 0, 0, 2, 104, 0, 97, 1, 106], r#"[{"tuple":[]},1]"#),
            (&[108, 0, 0, 0, 1, 97, 104, 97, 105], r#"{"list":[104],"tail":105}"#),
            (&[116, 0, 0, 0, 0], r#"{"map":[]}"#),
            (&[116, 0, 0, 0, 2, 97, 1, 97, 2, 97, 3, 106], r#"{"map":[[1,2],[3,[]]]}"#),
            (&[109, 0, 0, 0, 2, 0, 255], r#"{"binary":"00ff"}"#),
            (&[77, 0, 0, 0, 1, 3, 0xe0], r#"{"bits":"e0","last":3}"#),
        ] {
            assert_eq!(json(term), expected, "{term:?}");
        }
        assert!(json(b"\x67\x73\x01n\0\0\0\x01\0\0\0\x02\x03").starts_with(r##"{"term":"#Pid<n,1,2,3>","etf":"6773"##));
    }

    #[test]
    fn deep_terms_need_no_stack() {
        const DEPTH: usize = 9_999;
        let term = [&[104, 1].repeat(DEPTH)[..], &[106]].concat();
        let tree = Tree::from_bytes(&term).unwrap();
        let mut out = Vec::new();
        write_term_json(&mut out, tree.root()).unwrap();
        assert_eq!(out.len(), DEPTH * "{\"tuple\":[]}".len() + 2);
    }
}
