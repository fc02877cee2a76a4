//! Words of edits that formats share: what a field becomes, and how it compares.

use std::borrow::Cow;
use std::cmp::Ordering;
use std::fmt;
use std::str::FromStr;

/// A field and what becomes of it, written as `speed=150`, `x+=64`, `flags-=MIRROR`. Which fields there are and how values are
/// written is for the format to say. A value may stand in quotes, single or double.
///
/// ```
/// use mapwright_io::{Assignment, Change};
///
/// let assignment: Assignment = "x+=64".parse().unwrap();
/// assert_eq!((assignment.field.as_str(), assignment.change, assignment.value.as_str()), ("x", Change::Add, "64"));
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Assignment {
    /// The name of the field.
    pub field: String,
    /// What becomes of it.
    pub change: Change,
    /// The value.
    pub value: String,
}

/// What becomes of a field.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Change {
    /// It gets the value: `=`.
    Set,
    /// A number grows by the value, of flags those of the value are set: `+=`.
    Add,
    /// A number shrinks by the value, of flags those of the value are cleared: `-=`.
    Take,
}

impl Change {
    /// How it is written.
    pub const fn sign(self) -> &'static str {
        match self {
            Self::Set => "=",
            Self::Add => "+=",
            Self::Take => "-=",
        }
    }
}

/// A text that is no assignment.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("not an assignment, as x=5, x+=5 or x-=5")]
pub struct NotAnAssignment;

impl FromStr for Assignment {
    type Err = NotAnAssignment;

    fn from_str(text: &str) -> Result<Self, NotAnAssignment> {
        let (field, rest) = split_field(text).ok_or(NotAnAssignment)?;
        let parts = [Change::Add, Change::Take, Change::Set]
            .into_iter()
            .find_map(|change| Some((change, rest.strip_prefix(change.sign())?)));
        match parts {
            Some((change, value)) => Ok(Self { field: field.to_owned(), change, value: unquoted(value).to_owned() }),
            None => Err(NotAnAssignment),
        }
    }
}

impl fmt::Display for Assignment {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}{}", self.field, self.change.sign(), quoted(&self.value))
    }
}

/// How a field and a value compare.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Comparison {
    /// They are equal: `=`.
    Equal,
    /// They are not equal: `!=`.
    Different,
    /// The number is less: `<`.
    Less,
    /// The number is less or equal: `<=`.
    AtMost,
    /// The number is greater: `>`.
    Greater,
    /// The number is greater or equal: `>=`.
    AtLeast,
    /// The text holds the value, or the flags hold all of its: `~`.
    Holds,
}

impl Comparison {
    /// All of them, those first that others begin.
    pub const ALL: [Self; 7] =
        [Self::AtMost, Self::AtLeast, Self::Different, Self::Equal, Self::Less, Self::Greater, Self::Holds];

    /// How it is written.
    pub const fn sign(self) -> &'static str {
        match self {
            Self::Equal => "=",
            Self::Different => "!=",
            Self::Less => "<",
            Self::AtMost => "<=",
            Self::Greater => ">",
            Self::AtLeast => ">=",
            Self::Holds => "~",
        }
    }

    /// Whether it asks which of two is greater.
    pub const fn orders(self) -> bool {
        !matches!(self, Self::Equal | Self::Different | Self::Holds)
    }

    /// Whether it holds for two values in this order; `None` if they have none, as NaN. [`Holds`](Self::Holds) asks for no order, and
    /// never does.
    pub fn is(self, order: Option<Ordering>) -> bool {
        match self {
            Self::Equal => order == Some(Ordering::Equal),
            Self::Different => order != Some(Ordering::Equal),
            Self::Less => order == Some(Ordering::Less),
            Self::AtMost => order.is_some_and(Ordering::is_le),
            Self::Greater => order == Some(Ordering::Greater),
            Self::AtLeast => order.is_some_and(Ordering::is_ge),
            Self::Holds => false,
        }
    }

    /// The comparison that a text begins with, and what follows.
    pub fn strip(text: &str) -> Option<(Self, &str)> {
        Self::ALL.into_iter().find_map(|comparison| Some((comparison, text.strip_prefix(comparison.sign())?)))
    }

    /// The name of a field, the comparison and the value of a condition such as `x>=100`, without quotes around it; `None` for
    /// other texts.
    pub fn split(condition: &str) -> Option<(&str, Self, &str)> {
        let (field, rest) = split_field(condition)?;
        let (comparison, value) = Self::strip(rest)?;
        Some((field, comparison, unquoted(value)))
    }
}

/// What stands between the quotes, if a text begins and ends with the same.
pub fn unquoted(text: &str) -> &str {
    let inner = |quote: char| text.strip_prefix(quote)?.strip_suffix(quote);
    inner('"').or_else(|| inner('\'')).unwrap_or(text)
}

/// A value as [`unquoted`] and [`words`] take it: in quotes where it would be another without. There are none for what no quotes can
/// hold, which has both before white space.
pub fn quoted(text: &str) -> Cow<'_, str> {
    if !text.starts_with(['"', '\'']) && !text.contains(char::is_whitespace) {
        return Cow::Borrowed(text);
    }
    let ends = |part: &str| part.starts_with(char::is_whitespace);
    let quote = if text.split('"').skip(1).any(ends) { '\'' } else { '"' };
    Cow::Owned(format!("{quote}{text}{quote}"))
}

/// The words of an edit, with white space between them. Words and values in them may stand in quotes with white space inside; words
/// that do come without the quotes, and mean what they mean without.
///
/// ```
/// assert_eq!(mapwright_io::words(r#"set "big door" name="a  b" x=5"#), ["set", "big door", "name=\"a  b\"", "x=5"]);
/// ```
pub fn words(text: &str) -> Vec<&str> {
    let (mut words, mut rest) = (Vec::new(), text.trim_start());
    // Quotes that nothing closes from here on.
    let mut open: Vec<char> = Vec::new();
    while !rest.is_empty() {
        let plain = rest.find(char::is_whitespace).unwrap_or(rest.len());
        let quote = opening(rest.get(..plain).unwrap_or_default()).filter(|(_, quote)| !open.contains(quote));
        let end = quote.and_then(|(at, quote)| {
            let end = closing(rest, at, quote);
            open.extend(end.is_none().then_some(quote));
            end
        });
        let (word, behind) = rest.split_at_checked(end.unwrap_or(plain)).unwrap_or((rest, ""));
        words.push(unquoted(word));
        rest = behind.trim_start();
    }
    words
}

/// The quote that stands at the start of a word or behind a sign, and where.
fn opening(word: &str) -> Option<(usize, char)> {
    let at = word.find(['"', '\''])?;
    let (before, from) = word.split_at_checked(at)?;
    let quote = from.chars().next()?;
    (before.is_empty() || before.ends_with(['=', '<', '>', '~'])).then_some((at, quote))
}

/// Where a text goes on behind the quote that closes the one at a place: a word ends there.
fn closing(text: &str, opening: usize, quote: char) -> Option<usize> {
    let start = opening.saturating_add(1);
    let ends = text.get(start..)?.match_indices(quote).map(|(at, _)| start.saturating_add(at).saturating_add(1));
    ends.into_iter().find(|end| {
        let behind = text.get(*end..).unwrap_or_default();
        behind.is_empty() || behind.starts_with(char::is_whitespace)
    })
}

/// The name of a field that a text begins with, and what follows.
fn split_field(text: &str) -> Option<(&str, &str)> {
    let end = text.find(|c: char| !c.is_ascii_alphanumeric() && !matches!(c, '_' | '.')).unwrap_or(text.len());
    text.split_at_checked(end)
        .filter(|(field, _)| !field.is_empty() && !field.starts_with('.') && !field.ends_with('.'))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn assignments_read_and_print_the_same() {
        let quotes = ["local.origin=\"0 0 0\"", "name=\"\"a\"\"", "name=\"'a b'\"", "name=\"\"a\"", "name='a\" b'"];
        for text in ["x=-5", "x-=5", "draw_flags+=MIRROR", "name=a=b", "name="].into_iter().chain(quotes) {
            assert_eq!(text.parse::<Assignment>().unwrap().to_string(), text);
        }
        for (text, value) in [
            ("name=\"a b\"", "a b"),
            ("name='a b'", "a b"),
            ("name=\"\"", ""),
            ("name=\"", "\""),
            ("origin=0 0 0", "0 0 0"),
            ("name='a\"", "'a\""),
        ] {
            assert_eq!(text.parse::<Assignment>().unwrap().value, value, "{text}");
        }
        for text in ["", "x", "=5", "x 5", "x>=5", "\u{e9}=1", ".=5", "x.=5", ".x=5"] {
            assert!(text.parse::<Assignment>().is_err(), "{text}");
        }
    }

    #[test]
    fn words_are_what_stands_between_white_space_or_in_quotes() {
        for (text, expected) in [
            (" a  b\t", &["a", "b"][..]),
            ("a \"b  c\" 'd e'", &["a", "b  c", "d e"]),
            ("name=\"x y\" z", &["name=\"x y\"", "z"]),
            ("name~'x y'", &["name~'x y'"]),
            // Quotes that nothing closes, or in the middle of a word, are letters.
            ("don't won't", &["don't", "won't"]),
            ("name=\"x y", &["name=\"x", "y"]),
            ("\"a\"b c", &["\"a\"b", "c"]),
            ("a x=\"b\"", &["a", "x=\"b\""]),
            ("\"a\" b\"", &["a", "b\""]),
            ("\" \"", &[" "]),
            ("\"", &["\""]),
            ("", &[]),
        ] {
            assert_eq!(words(text), expected, "{text}");
        }
        for text in ["a b", "\"a\"", "'a b'", "a", "\u{e9} \u{e9}", "\"a", "a\" b", "'a\" b'", "a\"", "\"", "don't do"]
        {
            let words = format!("w {0} x={0} y", quoted(text));
            let words = self::words(&words);
            let [.., word, assignment, "y"] = words[..] else { panic!("{words:?}") };
            assert_eq!((word, assignment.parse::<Assignment>().unwrap().value.as_str()), (text, text), "{words:?}");
        }
    }

    #[test]
    fn conditions_are_split_at_the_longest_sign() {
        assert_eq!(Comparison::split("x<=5"), Some(("x", Comparison::AtMost, "5")));
        assert_eq!(Comparison::split("x<-5"), Some(("x", Comparison::Less, "-5")));
        assert_eq!(Comparison::split("name!=a=b"), Some(("name", Comparison::Different, "a=b")));
        assert_eq!(Comparison::split("name='a b'"), Some(("name", Comparison::Equal, "a b")));
        assert_eq!(Comparison::split("flags~"), Some(("flags", Comparison::Holds, "")));
        for text in ["", "x", "<5", "x !=5"] {
            assert_eq!(Comparison::split(text), None, "{text}");
        }
    }

    #[test]
    fn values_without_an_order_are_only_different() {
        let of_nan = Comparison::ALL.into_iter().filter(|comparison| comparison.is(f64::NAN.partial_cmp(&1.0)));
        assert_eq!(of_nan.collect::<Vec<_>>(), [Comparison::Different]);
        for (a, b) in [(1.0, 2.0), (2.0, 2.0), (-0.0, 0.0), (3.0, 2.0)] {
            let order = f64::partial_cmp(&a, &b);
            let found = Comparison::ALL.map(|comparison| comparison.is(order));
            assert_eq!(found, [a <= b, a >= b, a != b, a == b, a < b, a > b, false], "{a} {b}");
        }
    }
}
