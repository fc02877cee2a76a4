//! Queries: the conditions that objects are selected by.

use std::fmt;
use std::str::FromStr;

use crate::Text;
use crate::error::{QueryError, SyntaxError};
use crate::lexer::{Cursor, ListToken, Token, ValueToken};

/// Conditions on the fields of objects: `class=light and range>200`, `kind in (entity, light) & !(name=door* | model~gate)`.
///
/// | text | true if |
/// |---|---|
/// | `field=value` or `==` | the field has that value |
/// | `field!=value` | the field exists and has another value |
/// | `field<value`, `<=`, `>`, `>=` | the field is less, greater, … |
/// | `field~value` | the text contains the value, or the flags contain all of its flags |
/// | `field in (value, value)` | the field has one of the values; `not in`: it does not |
/// | `#12` | the object has this number |
/// | `*` | always |
/// | `a and b`, `a & b`, `a && b` | both are true |
/// | `a or b`, <code>a &#124; b</code>, <code>a &#124;&#124; b</code> | one of them is true; `and` is applied first |
/// | `not a`, `!a` | it is false |
/// | `(a)` | it is true |
///
/// A value is a bare word, or text in `"…"` or `'…'`. In bare words `*` matches any text and `?` one character. A backslash
/// [escapes](Text) special characters, and `\xHH` is a byte. Two numbers compare as numbers, everything else as text without case; names of
/// fields have no case either. A comparison on a field that an object lacks is false.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Query {
    pub(crate) root: Node,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Node {
    All,
    Number(i64),
    Is(Comparison),
    And(Vec<Node>),
    Or(Vec<Node>),
    Not(Box<Node>),
}

/// A comparison of a field with one value or more.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Comparison {
    pub(crate) field: String,
    pub(crate) op: CompareOp,
    /// More than one for `in`.
    pub(crate) values: Vec<Text>,
}

/// The operator of a comparison.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum CompareOp {
    /// Equal: `=`.
    Eq,
    /// Not equal: `!=`.
    Ne,
    /// Less: `<`.
    Lt,
    /// Less or equal: `<=`.
    Le,
    /// Greater: `>`.
    Gt,
    /// Greater or equal: `>=`.
    Ge,
    /// Contains: `~`.
    Contains,
}

impl CompareOp {
    /// Returns the sign.
    pub const fn sign(self) -> &'static str {
        match self {
            Self::Eq => "=",
            Self::Ne => "!=",
            Self::Lt => "<",
            Self::Le => "<=",
            Self::Gt => ">",
            Self::Ge => ">=",
            Self::Contains => "~",
        }
    }

    /// Returns `true` if it asks which of two values is greater.
    pub const fn is_ordering(self) -> bool {
        matches!(self, Self::Lt | Self::Le | Self::Gt | Self::Ge)
    }

    /// Returns `true` if it is true of two values in this order. NaN has none, and is only different.
    pub fn accepts(self, order: Option<std::cmp::Ordering>) -> bool {
        use std::cmp::Ordering::{Equal, Greater, Less};
        match self {
            Self::Eq => order == Some(Equal),
            Self::Ne => order != Some(Equal),
            Self::Lt => order == Some(Less),
            Self::Le => matches!(order, Some(Less | Equal)),
            Self::Gt => order == Some(Greater),
            Self::Ge => matches!(order, Some(Greater | Equal)),
            Self::Contains => false,
        }
    }

    const fn from_token(token: Token) -> Option<Self> {
        Some(match token {
            Token::Equal => Self::Eq,
            Token::NotEqual => Self::Ne,
            Token::Less => Self::Lt,
            Token::AtMost => Self::Le,
            Token::Greater => Self::Gt,
            Token::AtLeast => Self::Ge,
            Token::Contains => Self::Contains,
            _ => return None,
        })
    }
}

/// The most nested parentheses and negations.
pub(crate) const MAX_DEPTH: usize = 100;

impl Query {
    /// Creates the query that matches every object.
    pub const fn all() -> Self {
        Self { root: Node::All }
    }

    /// Creates the query for objects whose field has exactly this text. `*` and `?` in it are not wildcards.
    pub fn equal(field: impl Into<String>, text: impl Into<Vec<u8>>) -> Self {
        let values = vec![Text::literal(text)];
        Self { root: Node::Is(Comparison { field: field.into(), op: CompareOp::Eq, values }) }
    }

    /// Parses a query, or the name of objects if the text is neither a comparison nor `*` nor a number.
    ///
    /// ```
    /// use mapwright_query::Query;
    /// assert_eq!(Query::parse_or_name("door 1")?, Query::equal("name", "door 1"));
    /// assert_eq!(Query::parse_or_name("kind=light")?, "kind=light".parse()?);
    /// # Ok::<(), mapwright_query::QueryError>(())
    /// ```
    ///
    /// # Errors
    /// [`QueryError::Syntax`] for a comparison with a mistake.
    pub fn parse_or_name(text: &str) -> Result<Self, QueryError> {
        let is_comparison =
            text.contains(['=', '<', '>', '~']) || text.contains(" in ") && text.parse::<Self>().is_ok();
        match is_comparison || text == "*" || text.starts_with('#') {
            true => text.parse(),
            false => Ok(Self::equal("name", text)),
        }
    }

    /// Checks the number of objects that an edit with this query changes.
    ///
    /// # Errors
    /// [`QueryError::NoMatch`] for none, and [`QueryError::Ambiguous`] if the query is only `#12` and matches more than one.
    pub fn check_match_count(&self, matched: usize) -> Result<(), QueryError> {
        let most = match &self.root {
            Node::Number(_) => 1,
            Node::Or(parts) if parts.iter().all(|part| matches!(part, Node::Number(_))) => parts.len(),
            _ => usize::MAX,
        };
        match matched {
            0 => Err(QueryError::NoMatch { query: self.to_string() }),
            _ if matched > most => Err(QueryError::Ambiguous { query: self.to_string(), matched }),
            _ => Ok(()),
        }
    }

    /// Returns the fields that it compares, each once, in order.
    pub fn fields(&self) -> Vec<&str> {
        let (mut fields, mut nodes) = (Vec::<&str>::new(), vec![&self.root]);
        while let Some(node) = nodes.pop() {
            match node {
                Node::And(parts) | Node::Or(parts) => nodes.extend(parts.iter().rev()),
                Node::Not(part) => nodes.push(part),
                Node::Is(Comparison { field, .. }) if !fields.iter().any(|known| known.eq_ignore_ascii_case(field)) => {
                    fields.push(field);
                }
                Node::All | Node::Number(_) | Node::Is(_) => {}
            }
        }
        fields
    }
}

impl Query {
    /// Returns `true` if it selects objects by a number, such as `#7`.
    pub fn has_number(&self) -> bool {
        let mut nodes = vec![&self.root];
        while let Some(node) = nodes.pop() {
            match node {
                Node::And(parts) | Node::Or(parts) => nodes.extend(parts),
                Node::Not(part) => nodes.push(part),
                Node::Number(_) => return true,
                Node::All | Node::Is(_) => {}
            }
        }
        false
    }
}

impl Default for Query {
    /// Matches every object.
    fn default() -> Self {
        Self::all()
    }
}

impl FromStr for Query {
    type Err = QueryError;

    /// Reads a query. Empty text matches every object.
    fn from_str(text: &str) -> Result<Self, QueryError> {
        let mut parser = Parser { cursor: Cursor::new(text) };
        if parser.cursor.is_at_end() {
            return Ok(Self::all());
        }
        let root = parser.alternatives(0)?;
        match parser.cursor.is_at_end() {
            true => Ok(Self { root }),
            false => Err(parser.cursor.expected("`and`, `or` or the end").into()),
        }
    }
}

struct Parser<'a> {
    cursor: Cursor<'a>,
}

impl Parser<'_> {
    fn alternatives(&mut self, depth: usize) -> Result<Node, SyntaxError> {
        let mut parts = vec![self.conjunction(depth)?];
        while self.takes(Token::Or) || self.takes_word("or") {
            parts.push(self.conjunction(depth)?);
        }
        Ok(one_or(parts, Node::Or))
    }

    fn conjunction(&mut self, depth: usize) -> Result<Node, SyntaxError> {
        let mut parts = vec![self.negation(depth)?];
        while self.takes(Token::And) || self.takes_word("and") {
            parts.push(self.negation(depth)?);
        }
        Ok(one_or(parts, Node::And))
    }

    fn negation(&mut self, depth: usize) -> Result<Node, SyntaxError> {
        if depth >= MAX_DEPTH {
            return Err(self.cursor.expected(&format!("at most {MAX_DEPTH} nested parentheses and negations")));
        }
        let deeper = depth.saturating_add(1);
        // A field may be called `not`.
        let is_word = self.cursor.peek::<Token>().is_some_and(|(_, text)| text.eq_ignore_ascii_case("not"));
        if self.takes(Token::Not) || (is_word && !self.is_comparison() && self.takes_word("not")) {
            return Ok(Node::Not(Box::new(self.negation(deeper)?)));
        }
        if self.takes(Token::Open) {
            let inner = self.alternatives(deeper)?;
            return if self.takes(Token::Close) { Ok(inner) } else { Err(self.cursor.expected("`)`")) };
        }
        if self.takes(Token::All) {
            return Ok(Node::All);
        }
        if let Some((_, text)) = self.cursor.peek::<Token>().filter(|(token, _)| *token == Token::Number) {
            let number = text.trim_start_matches('#').parse();
            let number = number.map_err(|_| self.cursor.expected("a number of at most 18 digits after #"))?;
            self.takes(Token::Number);
            return Ok(Node::Number(number));
        }
        self.comparison()
    }

    fn comparison(&mut self) -> Result<Node, SyntaxError> {
        let is_field = |token| matches!(token, Token::Word | Token::Quoted);
        let Some((_, field)) = self.cursor.take::<Token>(is_field) else {
            return Err(self.cursor.expected("a condition such as class=light or range>200"));
        };
        let field = Text::from_source(field).to_string_lossy().into_owned();
        let is_negated = self.takes_word("not");
        if self.takes_word("in") {
            let node = Node::Is(Comparison { field, op: CompareOp::Eq, values: self.list()? });
            return Ok(if is_negated { Node::Not(Box::new(node)) } else { node });
        }
        if is_negated {
            return Err(self.cursor.expected("`in`"));
        }
        let Some((token, _)) = self.cursor.take::<Token>(|token| CompareOp::from_token(token).is_some()) else {
            return Err(self.cursor.expected("one of = != < <= > >= ~ in"));
        };
        let op = CompareOp::from_token(token).unwrap_or(CompareOp::Eq);
        let Some((_, value)) = self.cursor.take::<ValueToken>(|_| true) else {
            return Err(self.cursor.expected("a value (in quotes if it begins with an operator)"));
        };
        Ok(Node::Is(Comparison { field, op, values: vec![Text::from_source(value)] }))
    }

    /// Reads the values of `in`.
    fn list(&mut self) -> Result<Vec<Text>, SyntaxError> {
        if !self.takes(Token::Open) {
            return Err(self.cursor.expected("`(`"));
        }
        let mut values = Vec::new();
        loop {
            let is_value = |token| matches!(token, ListToken::Word | ListToken::Quoted);
            let Some((_, value)) = self.cursor.take::<ListToken>(is_value) else {
                return Err(self.cursor.expected("a value"));
            };
            values.push(Text::from_source(value));
            match self.cursor.take::<ListToken>(|token| matches!(token, ListToken::Comma | ListToken::Close)) {
                Some((ListToken::Close, _)) => return Ok(values),
                Some(_) => {}
                None => return Err(self.cursor.expected("`,` or `)`")),
            }
        }
    }

    fn takes(&mut self, token: Token) -> bool {
        self.cursor.take::<Token>(|found| found == token).is_some()
    }

    fn takes_word(&mut self, word: &str) -> bool {
        let is_word =
            matches!(self.cursor.peek::<Token>(), Some((Token::Word, text)) if text.eq_ignore_ascii_case(word));
        is_word && self.takes(Token::Word)
    }

    /// Returns `true` if a comparison follows the next word.
    fn is_comparison(&self) -> bool {
        let mut ahead = self.cursor.clone();
        ahead.take::<Token>(|_| true);
        ahead.peek::<Token>().is_some_and(|(token, _)| CompareOp::from_token(token).is_some())
    }
}

fn one_or(mut parts: Vec<Node>, several: fn(Vec<Node>) -> Node) -> Node {
    match parts.len() {
        1 => parts.pop().unwrap_or(Node::All),
        _ => several(parts),
    }
}

/// Writes the query so that it reads back the same.
impl fmt::Display for Query {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.root {
            Node::And(parts) => write_joined(f, parts, " and "),
            Node::Or(parts) => write_joined(f, parts, " or "),
            root => write!(f, "{root}"),
        }
    }
}

impl fmt::Display for Node {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let in_parentheses = |f: &mut fmt::Formatter<'_>, parts: &[Self], separator| {
            f.write_str("(")?;
            write_joined(f, parts, separator)?;
            f.write_str(")")
        };
        match self {
            Self::All => f.write_str("*"),
            Self::Number(number) => write!(f, "#{number}"),
            Self::And(parts) => in_parentheses(f, parts, " and "),
            Self::Or(parts) => in_parentheses(f, parts, " or "),
            Self::Not(part) => write!(f, "not {part}"),
            Self::Is(comparison) => write!(f, "{comparison}"),
        }
    }
}

impl fmt::Display for Comparison {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", FieldName(&self.field))?;
        match self.values.as_slice() {
            [value] => write!(f, "{}{value}", self.op.sign()),
            values => {
                f.write_str(" in (")?;
                for (index, value) in values.iter().enumerate() {
                    write!(f, "{}{value}", if index == 0 { "" } else { ", " })?;
                }
                f.write_str(")")
            }
        }
    }
}

/// The name of a field, in quotes if it would be read as another.
pub(crate) struct FieldName<'a>(pub(crate) &'a str);

impl fmt::Display for FieldName<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let is_plain = |c: char| c.is_alphanumeric() || matches!(c, '_' | '.' | '$' | '@' | '/');
        let is_word = ["not", "and", "or", "in"].iter().any(|word| word.eq_ignore_ascii_case(self.0));
        match !is_word && !self.0.is_empty() && self.0.chars().all(is_plain) {
            true => f.write_str(self.0),
            false => {
                f.write_str("\"")?;
                for c in self.0.chars() {
                    match c {
                        '"' | '\\' => write!(f, "\\{c}")?,
                        c if c.is_ascii_control() => write!(f, "\\x{:02x}", u32::from(c))?,
                        c => write!(f, "{c}")?,
                    }
                }
                f.write_str("\"")
            }
        }
    }
}

fn write_joined(f: &mut fmt::Formatter<'_>, parts: &[Node], separator: &str) -> fmt::Result {
    for (index, part) in parts.iter().enumerate() {
        write!(f, "{}{part}", if index == 0 { "" } else { separator })?;
    }
    Ok(())
}
