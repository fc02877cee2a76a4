//! Edits as text.

use std::fmt;
use std::str::FromStr;

use crate::assign::read_list;
use crate::error::QueryError;
use crate::lexer::{Cursor, WordToken};
use crate::{Assignment, Glob, Query, Text};

/// An edit of a document.
///
/// | text | does |
/// |---|---|
/// | `set QUERY: field=value, field+=value, …` | sets fields of the objects that match |
/// | `set level: field=value, …` | sets fields of the document itself; `document`, `map` and `terrain` are the same |
/// | `delete QUERY` | deletes the objects that match |
/// | `duplicate QUERY: field+=value, …` | copies them, and sets fields of the copies; the assignments may be missing |
/// | `add KIND field=value, …` | adds an object |
/// | `rename material OLD NEW` | renames what objects refer to: `material`, `texture`, `model` and others; OLD can have wildcards |
/// | anything else | an edit of the format, see [`Words`] |
///
/// The first `:` outside quotes and parentheses ends the query. Assignments are separated by commas outside quotes.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum Edit {
    /// `set QUERY: …`
    Set {
        /// The objects.
        query: Query,
        /// The assignments.
        assignments: Vec<Assignment>,
    },
    /// `set level: …`
    SetDocument {
        /// The assignments.
        assignments: Vec<Assignment>,
    },
    /// `delete QUERY`
    Delete {
        /// The objects.
        query: Query,
    },
    /// `duplicate QUERY: …`
    Duplicate {
        /// The objects.
        query: Query,
        /// Fields of the copies.
        assignments: Vec<Assignment>,
    },
    /// `add KIND …`
    Add {
        /// The kind of the object.
        kind: String,
        /// The fields.
        assignments: Vec<Assignment>,
    },
    /// `rename KIND OLD NEW`
    Rename {
        /// The kind of name: `material`, `texture`, `model`, …
        what: String,
        /// The old name.
        from: Text,
        /// The new name.
        to: Text,
    },
    /// An edit that only one format has.
    Own(Words),
}

/// Words that `set` takes instead of a query for the document itself.
const DOCUMENT: [&str; 4] = ["level", "document", "map", "terrain"];

impl FromStr for Edit {
    type Err = QueryError;

    fn from_str(text: &str) -> Result<Self, QueryError> {
        let text = text.trim();
        let (first, rest) = text.split_at(text.find(char::is_whitespace).unwrap_or(text.len()));
        let start = Cursor::new(text);
        let at_rest = || Cursor::at_part(text, rest);
        Ok(match first.to_ascii_lowercase().as_str() {
            "" => return Err(start.expected("an edit").into()),
            "set" => {
                let (target, assignments) = split_query(rest);
                let Some(assignments) = assignments else {
                    return Err(Cursor::at_part(text, "").expected("`:` and assignments after the query").into());
                };
                let assignments = read_list(&mut Cursor::at_part(text, assignments))?;
                match DOCUMENT.iter().any(|word| word.eq_ignore_ascii_case(target.trim())) {
                    true => Self::SetDocument { assignments },
                    false => Self::Set { query: read_query(text, target)?, assignments },
                }
            }
            "delete" => match split_query(rest) {
                (query, None) => Self::Delete { query: read_query(text, query)? },
                (_, Some(after)) => return Err(Cursor::at_part(text, after).expected("only a query").into()),
            },
            "duplicate" => {
                let (query, assignments) = split_query(rest);
                let assignments = match assignments {
                    Some(assignments) => read_list(&mut Cursor::at_part(text, assignments))?,
                    None => Vec::new(),
                };
                Self::Duplicate { query: read_query(text, query)?, assignments }
            }
            "add" => {
                let mut cursor = at_rest();
                let Some((_, kind)) = cursor.take::<WordToken>(|_| true) else {
                    return Err(cursor.expected("the kind of the object").into());
                };
                // `add light: range=5` is as good as `add light range=5`.
                let after = cursor.remaining().trim_start();
                let mut cursor = Cursor::at_part(text, after.strip_prefix(':').unwrap_or(after));
                let assignments = if cursor.is_at_end() { Vec::new() } else { read_list(&mut cursor)? };
                let kind = Text::from_source(kind.strip_suffix(':').unwrap_or(kind)).to_string_lossy().into_owned();
                Self::Add { kind, assignments }
            }
            "rename" => {
                let words = Words::read(at_rest())?;
                let [what, from, to] = words.items.as_slice() else {
                    let expected = "KIND OLD NEW, such as: rename material OLD NEW".to_owned();
                    return Err(QueryError::InvalidEdit { edit: first.to_owned(), expected });
                };
                if to.has_wildcards() {
                    return Err(QueryError::refused("the new name contains a wildcard: quote it to store it"));
                }
                let what = what.to_string_lossy().into_owned();
                Self::Rename { what, from: from.clone(), to: to.clone() }
            }
            _ => Self::Own(Words::read(start)?),
        })
    }
}

/// Reads the query of an edit. A missing one does not match everything.
fn read_query(text: &str, query: &str) -> Result<Query, QueryError> {
    if query.trim().is_empty() {
        return Err(Cursor::at_part(text, query).expected("a query (`*` matches every object)").into());
    }
    query.parse().map_err(|error| match error {
        QueryError::Syntax(mut error) => {
            let before = Cursor::offset(text, query);
            let before = text.get(..before).unwrap_or_default().chars().count();
            error.column = error.column.saturating_add(before);
            error.into()
        }
        other => other,
    })
}

/// Splits text at the first `:` outside quotes and parentheses.
fn split_query(text: &str) -> (&str, Option<&str>) {
    let (mut depth, mut quote, mut is_escaped) = (0_usize, None, false);
    // A quote within a bare word is a letter, as in `name=don't`.
    let mut is_within_word = false;
    for (at, c) in text.char_indices() {
        let was_escaped = std::mem::take(&mut is_escaped);
        match (c, quote) {
            _ if was_escaped => {}
            ('\\', _) => is_escaped = true,
            (c, Some(open)) if c == open => quote = None,
            (_, Some(_)) => {}
            ('"' | '\'', None) if !is_within_word => quote = Some(c),
            ('(', None) => depth = depth.saturating_add(1),
            (')', None) => depth = depth.saturating_sub(1),
            (':', None) if depth == 0 => {
                return (text.get(..at).unwrap_or_default(), text.get(at.saturating_add(1)..));
            }
            _ => {}
        }
        let separates = c.is_whitespace() || "()&|!=<>~,\"'".contains(c);
        is_within_word = quote.is_none() && (was_escaped || !separates);
    }
    (text, None)
}

impl fmt::Display for Edit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let list = |f: &mut fmt::Formatter<'_>, before: &str, assignments: &[Assignment]| {
            for (index, assignment) in assignments.iter().enumerate() {
                write!(f, "{}{assignment}", if index == 0 { before } else { ", " })?;
            }
            Ok(())
        };
        match self {
            Self::Set { query, assignments } => {
                write!(f, "set {query}")?;
                list(f, ": ", assignments)
            }
            Self::SetDocument { assignments } => {
                f.write_str("set level")?;
                list(f, ": ", assignments)
            }
            Self::Delete { query } => write!(f, "delete {query}"),
            Self::Duplicate { query, assignments } => {
                write!(f, "duplicate {query}")?;
                list(f, ": ", assignments)
            }
            Self::Add { kind, assignments } => {
                write!(f, "add {}", Text::literal(kind.as_str()))?;
                list(f, " ", assignments)
            }
            Self::Rename { what, from, to } => write!(f, "rename {} {from} {to}", Text::literal(what.as_str())),
            Self::Own(words) => f.write_str(&words.source),
        }
    }
}

/// The words of an edit that only one format has: `plane resize Action 24x8`, `turn kind=group and name=Tower*: 90 about 0,0,0`.
///
/// Spaces separate words. Words with spaces are in quotes; escapes are those of a [`Text`].
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Words {
    source: String,
    items: Vec<Text>,
}

impl Words {
    fn read(mut cursor: Cursor<'_>) -> Result<Self, QueryError> {
        let source = cursor.remaining().to_owned();
        let mut items = Vec::new();
        while !cursor.is_at_end() {
            let Some((_, word)) = cursor.take::<WordToken>(|_| true) else {
                return Err(cursor.expected("a word").into());
            };
            items.push(Text::from_source(word));
        }
        Ok(Self { source, items })
    }

    /// Returns the words.
    pub fn items(&self) -> &[Text] {
        &self.items
    }

    /// Returns the words as text, for matching: `match words.to_strs()[..] { ["tiles", "fill", …`.
    pub fn to_strs(&self) -> Vec<&str> {
        self.items.iter().map(|word| word.as_str().unwrap_or_default()).collect()
    }

    /// Returns the text of the edit.
    pub fn source(&self) -> &str {
        &self.source
    }

    /// Reads the edit as `VERB QUERY: WORDS`. Returns the query and the words after it, which may be missing.
    ///
    /// # Errors
    /// If the query is missing or wrong.
    pub fn query_and_words(&self) -> Result<(Query, Self), QueryError> {
        let text = self.source.as_str();
        let rest = text.get(text.find(char::is_whitespace).unwrap_or(text.len())..).unwrap_or_default();
        let (query, words) = split_query(rest);
        Ok((read_query(text, query)?, Self::read(Cursor::at_part(text, words.unwrap_or_default()))?))
    }

    /// Reads the words from the given one on as assignments, which commas separate.
    ///
    /// # Errors
    /// If they are not assignments.
    pub fn assignments_after(&self, skip: usize) -> Result<Vec<Assignment>, QueryError> {
        let mut cursor = Cursor::new(&self.source);
        for _ in 0..skip {
            cursor.take::<WordToken>(|_| true);
        }
        Ok(read_list(&mut cursor)?)
    }

    /// Returns the error for an edit that is none of the known ones.
    pub fn unknown(&self, known: &[&str]) -> QueryError {
        let edit = self.items.first().map(|word| word.to_string_lossy().into_owned()).unwrap_or_default();
        let verb = |edit: &str| edit.split_whitespace().next().unwrap_or_default().to_owned();
        let same: Vec<&str> = known.iter().copied().filter(|known| verb(known) == edit).collect();
        if !same.is_empty() {
            return QueryError::InvalidEdit { edit, expected: same.join(", ") };
        }
        let common = ["set", "delete", "duplicate", "add", "rename"];
        self.unknown_among(&[&common[..], known].concat())
    }

    /// Returns the error for an edit that is none of the known ones, in formats without the edits that most formats have.
    pub fn unknown_among(&self, known: &[&str]) -> QueryError {
        let edit = self.items.first().map(|word| word.to_string_lossy().into_owned()).unwrap_or_default();
        let suggestion = crate::suggestion(&edit, known.iter().filter_map(|known| known.split(' ').next()));
        QueryError::UnknownEdit { edit, suggestion, expected: known.join(", ") }
    }
}

impl Edit {
    /// Returns the query of `set`, `delete` and `duplicate`.
    pub const fn query(&self) -> Option<&Query> {
        match self {
            Self::Set { query, .. } | Self::Delete { query } | Self::Duplicate { query, .. } => Some(query),
            _ => None,
        }
    }

    /// Returns the pattern of the old name of `rename`, if it is one.
    pub fn old_name(&self) -> Option<Glob> {
        match self {
            Self::Rename { from, .. } => Some(from.into()),
            _ => None,
        }
    }
}
