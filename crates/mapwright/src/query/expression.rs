//! What is asked for.

use std::fmt;
use std::str::FromStr;

use mapwright_io::{Comparison, Pattern, escape_bytes};
use mapwright_scene::{AxisChange, Scene, Value};

use super::Item;
use super::items::KINDS;

/// Conditions on items: `class=light & range>200`, `kind=entity & !(name=door* | model~gate)`.
///
/// | text | holds |
/// |---|---|
/// | `field=value` | if the field has that value; in texts `*` stands for any part, and capitals of ASCII are like small letters |
/// | `field!=value` | if the field is there and has another one |
/// | `field<value`, `<=`, `>`, `>=` | if the field is a number that compares so |
/// | `field~value` | if the text holds the value |
/// | `a & b`, <code>a &#124; b</code>, `!a`, `(a)` | if both, if one, if not; `&` binds more than <code>&#124;</code> |
/// | nothing at all | always |
///
/// Names of fields are told apart by capitals. What an item does not have, it is not like: `field!=value` does not hold of it
/// either, `!field=value` does. Between quotes stands everything but the same quote.
///
/// Values end at white space, `&`, `|` and brackets; others stand in `"…"` or `'…'`. Numbers are compared as numbers, also where a
/// format has them as text.
#[derive(Debug, Clone, PartialEq)]
pub struct Query {
    root: Expression,
}

impl Default for Query {
    /// Everything.
    fn default() -> Self {
        Self { root: Expression::All(Vec::new()) }
    }
}

#[derive(Debug, Clone, PartialEq)]
enum Expression {
    All(Vec<Expression>),
    Any(Vec<Expression>),
    Not(Box<Expression>),
    Is(Condition),
    Named(String),
}

#[derive(Debug, Clone, PartialEq)]
struct Condition {
    field: String,
    comparison: Comparison,
    text: String,
    /// The text as a number, if it is one.
    number: Option<f64>,
    pattern: Pattern,
    /// The same as formats spell it whose texts are bytes, where it is not of ASCII alone.
    spelled: Option<(String, Pattern)>,
}

/// A text that is no query, or a value that a field does not take.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum QueryError {
    /// No query.
    #[error("the query is wrong at character {at}: {expected} is expected")]
    Syntax {
        /// Where, from 1.
        at: usize,
        /// What should stand there.
        expected: &'static str,
    },
    /// A kind that nothing is of.
    #[error("there is no kind {kind:?}; kinds are {}", KINDS.join(", "))]
    Kind {
        /// What was asked for.
        kind: String,
    },
    /// Brackets and `!` in each other beyond what anyone means.
    #[error("a query of more than {} brackets and ! in each other", MOST_NESTED)]
    Nested,
    /// A field that cannot be set.
    #[error("{field} of {of} cannot be set")]
    Fixed {
        /// The field.
        field: String,
        /// Of what.
        of: String,
    },
    /// A value that a field does not take.
    #[error("{field} takes {expected}, not {value:?}")]
    Value {
        /// The field.
        field: String,
        /// The value.
        value: String,
        /// What it takes.
        expected: &'static str,
    },
}

/// What comparisons begin with.
const SIGNS: &str = "=!<>~";
/// What ends words, as white space does.
const ENDS: &str = "&|()";
/// Brackets in each other.
const MOST_NESTED: usize = 100;

impl Query {
    /// What has this name and no other, stars included.
    pub fn named(name: impl Into<String>) -> Self {
        Self { root: Expression::Named(name.into()) }
    }

    /// The fields that it asks for, each once, in order.
    pub fn fields(&self) -> Vec<&str> {
        let (mut fields, mut stack) = (Vec::new(), vec![&self.root]);
        while let Some(expression) = stack.pop() {
            match expression {
                Expression::All(parts) | Expression::Any(parts) => stack.extend(parts.iter().rev()),
                Expression::Not(part) => stack.push(part),
                Expression::Is(condition) if !fields.contains(&condition.field.as_str()) => {
                    fields.push(condition.field.as_str());
                }
                Expression::Is(_) | Expression::Named(_) => {}
            }
        }
        fields
    }

    /// Those of them that nothing in a scene has. `axes` are those of [`items`](Self::items).
    pub fn unknown_fields(&self, scene: &Scene, axes: AxisChange) -> Vec<&str> {
        let all = Self::default();
        let mut unknown = self.fields();
        unknown.retain(|field| !Item::COMMON.contains(field));
        if !unknown.is_empty() {
            all.items(scene, axes).for_each(|item| unknown.retain(|field| item.get(field).is_none()));
        }
        unknown
    }

    /// Whether an item is meant.
    pub fn matches(&self, item: &Item<'_>) -> bool {
        self.root.holds(item)
    }
}

impl Expression {
    fn holds(&self, item: &Item<'_>) -> bool {
        match self {
            Self::All(parts) => parts.iter().all(|part| part.holds(item)),
            Self::Any(parts) => parts.iter().any(|part| part.holds(item)),
            Self::Not(part) => !part.holds(item),
            Self::Named(name) => item.name() == name || spelled(name).is_some_and(|name| item.name() == name),
            Self::Is(condition) => item.get(&condition.field).is_some_and(|value| condition.holds(&value)),
        }
    }
}

impl Condition {
    fn holds(&self, found: &Value) -> bool {
        let text = text_of(found);
        if self.comparison == Comparison::Holds {
            let text = text.to_ascii_lowercase();
            let holds = |part: &String| text.contains(&part.to_ascii_lowercase());
            return holds(&self.text) || self.spelled.as_ref().is_some_and(|(spelled, _)| holds(spelled));
        }
        let number = found.as_f64().or_else(|| number_of(&text));
        if let (Some(found), Some(wanted)) = (number, self.number) {
            return self.comparison.is(found.partial_cmp(&wanted));
        }
        match self.comparison {
            Comparison::Equal => self.is_like(&text),
            Comparison::Different => !self.is_like(&text),
            _ => false,
        }
    }

    /// Whether a text is like that, also where it is bytes that a format spells.
    fn is_like(&self, text: &str) -> bool {
        let spelled = self.spelled.as_ref().map(|(_, pattern)| pattern);
        let mut patterns = [Some(&self.pattern), spelled].into_iter().flatten();
        patterns.any(|pattern| pattern.matches(text.as_bytes()))
    }
}

/// A text as formats spell it whose texts are bytes, if that is another.
fn spelled(text: &str) -> Option<String> {
    (!text.is_ascii()).then(|| escape_bytes(text.as_bytes()))
}

/// The number that a text is, if it is one that compares with others.
fn number_of(text: &str) -> Option<f64> {
    text.parse().ok().filter(|number: &f64| !number.is_nan())
}

/// A value as text, as it is asked for and shown: lists with blanks between their values.
pub(super) fn text_of(value: &Value) -> String {
    match value {
        Value::Bool(flag) => flag.to_string(),
        Value::Int(number) => number.to_string(),
        Value::Float(number) => number.to_string(),
        Value::Text(text) => text.clone(),
        Value::Bytes(bytes) => mapwright_io::escape_bytes(bytes).to_string(),
        Value::List(values) => values.iter().map(text_of).collect::<Vec<_>>().join(" "),
        Value::Map(pairs) => {
            pairs.iter().map(|(name, value)| format!("{name}={}", text_of(value))).collect::<Vec<_>>().join(" ")
        }
    }
}

impl FromStr for Query {
    type Err = QueryError;

    fn from_str(text: &str) -> Result<Self, QueryError> {
        let mut parser = Parser { text, at: 0 };
        if parser.next().is_none() {
            return Ok(Self::default());
        }
        let root = parser.any(0)?;
        match parser.next() {
            None => Ok(Self { root }),
            Some(_) => Err(parser.expected("& or | or the end")),
        }
    }
}

struct Parser<'a> {
    text: &'a str,
    at: usize,
}

impl Parser<'_> {
    fn rest(&self) -> &str {
        self.text.get(self.at..).unwrap_or_default()
    }

    /// The next character that is not blank.
    fn next(&mut self) -> Option<char> {
        let blanks = self.rest().len() - self.rest().trim_start().len();
        self.at += blanks;
        self.rest().chars().next()
    }

    fn takes(&mut self, sign: char) -> bool {
        let is = self.next() == Some(sign);
        if is {
            self.at += sign.len_utf8();
        }
        is
    }

    fn expected(&self, expected: &'static str) -> QueryError {
        let before = self.text.get(..self.at).unwrap_or(self.text);
        QueryError::Syntax { at: before.chars().count() + 1, expected }
    }

    fn any(&mut self, depth: usize) -> Result<Expression, QueryError> {
        let mut parts = vec![self.all(depth)?];
        while self.takes('|') {
            parts.push(self.all(depth)?);
        }
        Ok(one_or(parts, Expression::Any))
    }

    fn all(&mut self, depth: usize) -> Result<Expression, QueryError> {
        let mut parts = vec![self.one(depth)?];
        while self.takes('&') {
            parts.push(self.one(depth)?);
        }
        Ok(one_or(parts, Expression::All))
    }

    fn one(&mut self, depth: usize) -> Result<Expression, QueryError> {
        if depth > MOST_NESTED {
            return Err(QueryError::Nested);
        }
        if self.takes('!') {
            return Ok(Expression::Not(Box::new(self.one(depth + 1)?)));
        }
        if self.takes('(') {
            let inner = self.any(depth + 1)?;
            return if self.takes(')') { Ok(inner) } else { Err(self.expected(")")) };
        }
        self.condition().map(Expression::Is)
    }

    fn condition(&mut self) -> Result<Condition, QueryError> {
        self.next();
        let field = self.word(SIGNS)?;
        if field.is_empty() && self.next().is_some_and(|sign| "&|".contains(sign)) {
            return Err(self.expected("a condition (one & is and, one | is or)"));
        }
        if field.is_empty() {
            return Err(self.expected("a condition, as class=light or range>200,"));
        }
        self.next();
        let Some((comparison, _)) = Comparison::strip(self.rest()) else {
            return Err(self.expected("one of = != < <= > >= ~"));
        };
        self.at += comparison.sign().len();
        if self.next().is_some_and(|sign| SIGNS.contains(sign)) {
            return Err(self.expected("a value, in quotes where it begins with one of = ! < > ~,"));
        }
        let text = self.word("")?;
        let number = number_of(&text);
        if comparison.orders() && number.is_none() {
            return Err(self.expected("a number before this"));
        }
        let pattern = Pattern::new(text.as_bytes());
        let spelled = spelled(&text).map(|spelled| (spelled.clone(), Pattern::new(spelled.as_bytes())));
        let names = matches!(comparison, Comparison::Equal | Comparison::Different) && field == "kind";
        if names && !KINDS.iter().any(|kind| pattern.matches(kind.as_bytes())) {
            return Err(QueryError::Kind { kind: text });
        }
        Ok(Condition { field, comparison, text, number, pattern, spelled })
    }

    /// A word in quotes, or up to what ends it.
    fn word(&mut self, ends: &str) -> Result<String, QueryError> {
        let rest = self.rest();
        if let Some(quote @ ('"' | '\'')) = rest.chars().next() {
            let inner = rest.get(1..).unwrap_or_default();
            let Some((word, _)) = inner.split_once(quote) else { return Err(self.expected("a closing quote")) };
            let word = word.to_owned();
            self.at += word.len() + 2;
            return Ok(word);
        }
        let is_end = |c: char| c.is_whitespace() || ENDS.contains(c) || ends.contains(c);
        let word = rest.split(is_end).next().unwrap_or_default().to_owned();
        self.at += word.len();
        Ok(word)
    }
}

fn one_or(mut parts: Vec<Expression>, several: fn(Vec<Expression>) -> Expression) -> Expression {
    match parts.len() {
        1 => parts.remove(0),
        _ => several(parts),
    }
}

impl fmt::Display for Query {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.root {
            Expression::All(parts) if parts.is_empty() => Ok(()),
            root => root.fmt(f),
        }
    }
}

impl fmt::Display for Expression {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let join = |f: &mut fmt::Formatter<'_>, parts: &[Self], sign| {
            for (index, part) in parts.iter().enumerate() {
                f.write_str(if index == 0 { "(" } else { sign })?;
                part.fmt(f)?;
            }
            f.write_str(")")
        };
        match self {
            Self::All(parts) => join(f, parts, " & "),
            Self::Any(parts) => join(f, parts, " | "),
            Self::Not(part) => write!(f, "!{part}"),
            Self::Named(name) => write!(f, "{name:?}"),
            Self::Is(Condition { field, comparison, text, .. }) => {
                let is_sign = |c: char| SIGNS.contains(c);
                let (field, text) = (quoted(field, field.contains(is_sign)), quoted(text, text.starts_with(is_sign)));
                write!(f, "{field}{}{text}", comparison.sign())
            }
        }
    }
}

/// A word as it is read again, in quotes where it must be.
fn quoted(word: &str, must: bool) -> String {
    let ends = |c: char| c.is_whitespace() || ENDS.contains(c);
    match must || word.is_empty() || word.starts_with(['"', '\'']) || word.contains(ends) {
        false => word.to_owned(),
        _ if word.contains('"') => format!("'{word}'"),
        _ => format!("\"{word}\""),
    }
}
