//! Matches objects with queries.

use std::borrow::Cow;
use std::collections::BTreeMap;

use crate::error::{QueryError, ValueError};
use crate::field::{integer, number, numbers};
use crate::glob::units;
use crate::query::{CompareOp, Comparison, Node};
use crate::suggest::suggestion;
use crate::{Field, FieldType, Fields, Glob, Query, Schema, Text, Value};

/// The fields that the objects of a document have.
#[derive(Debug, Clone, Default)]
pub struct Vocabulary {
    schemas: Vec<&'static Schema>,
    /// Free keys as small letters, and as they are written.
    free: BTreeMap<String, String>,
    has_any_key: bool,
}

impl Vocabulary {
    /// Creates a vocabulary of the schemas of all objects that there can be.
    pub fn new(schemas: impl IntoIterator<Item = &'static Schema>) -> Self {
        Self { schemas: schemas.into_iter().collect(), ..Self::default() }
    }

    /// Adds keys that objects of the document have beside the fields of their schemas.
    #[must_use]
    pub fn with_free_keys<'a>(mut self, keys: impl IntoIterator<Item = Cow<'a, str>>) -> Self {
        for key in keys {
            self.free.entry(key.to_lowercase()).or_insert_with(|| key.into_owned());
        }
        self
    }

    /// Accepts any name as a free key. One that no object has matches nothing.
    #[must_use]
    pub const fn with_any_key(mut self) -> Self {
        self.has_any_key = true;
        self
    }

    /// Returns the schemas.
    pub fn schemas(&self) -> &[&'static Schema] {
        &self.schemas
    }

    /// Returns the names of all fields and free keys, each once: first fields, as their schemas list them.
    pub fn names(&self) -> Vec<&str> {
        let mut names: Vec<&str> = Vec::new();
        let fields = self.schemas.iter().flat_map(|schema| schema.iter()).map(|field| field.name);
        for name in fields.chain(self.free.values().map(String::as_str)) {
            if !names.contains(&name) {
                names.push(name);
            }
        }
        names
    }

    /// Returns `true` if objects can have a field or key of that name.
    pub fn contains(&self, name: &str) -> bool {
        self.schemas.iter().any(|schema| schema.find(name).is_some()) || self.has_free_key(name)
    }

    /// Returns `true` if objects can have a free key of that name.
    fn has_free_key(&self, name: &str) -> bool {
        self.has_any_key || self.free.contains_key(&name.to_lowercase())
    }

    /// Returns the error for a field that no object has.
    pub fn unknown_field(&self, name: &str) -> QueryError {
        let known = self.names();
        let aliases =
            self.schemas.iter().flat_map(|schema| schema.iter()).flat_map(|field| field.aliases.iter().copied());
        let suggestion = suggestion(name, known.iter().copied().chain(aliases));
        let known = known.into_iter().map(str::to_owned).collect();
        QueryError::UnknownField { field: name.to_owned(), suggestion, known }
    }
}

/// A query whose fields and values were looked up in the schemas of a document.
#[derive(Debug, Clone)]
pub struct Selection {
    root: Condition,
}

#[derive(Debug, Clone)]
enum Condition {
    All,
    Number(i64),
    Any(Vec<Test>),
    And(Vec<Condition>),
    Or(Vec<Condition>),
    Not(Box<Condition>),
}

/// A comparison with one value.
#[derive(Debug, Clone)]
struct Test {
    op: CompareOp,
    /// The field, for schemas that have it.
    fields: Vec<(&'static Schema, usize, Wanted)>,
    /// The key, for objects whose schemas do not.
    free: Option<(String, Wanted)>,
}

/// A value in all forms that comparisons need, so that none of them allocates.
#[derive(Debug, Clone)]
struct Wanted {
    number: Option<f64>,
    integer: Option<i64>,
    numbers: Option<Vec<f64>>,
    /// The value as the field's type reads it.
    value: Option<Value<'static>>,
    glob: Glob,
    contained: Glob,
    /// The pattern for text in which bytes are `\xHH`, if it is another.
    escaped: Option<(Glob, Glob)>,
    text: Text,
}

impl Query {
    /// Looks up the fields of the query and reads its values.
    ///
    /// # Errors
    /// [`QueryError::UnknownField`] if no object can have a field, [`QueryError::Value`] if no object can have the value.
    pub fn bind(&self, vocabulary: &Vocabulary) -> Result<Selection, QueryError> {
        let (selection, problems) = self.bind_any(vocabulary);
        problems.into_iter().next().map_or(Ok(selection), Err)
    }

    /// Looks up the fields of the query and reads its values for one of several documents, whose objects differ: comparisons that no object
    /// of this document can satisfy are false. Also returns the error for each of them, as [`bind`](Self::bind) does.
    pub fn bind_any(&self, vocabulary: &Vocabulary) -> (Selection, Vec<QueryError>) {
        let mut problems = Vec::new();
        let root = Condition::bind(&self.root, vocabulary, &mut problems);
        (Selection { root }, problems)
    }
}

impl Condition {
    fn bind(node: &Node, vocabulary: &Vocabulary, problems: &mut Vec<QueryError>) -> Self {
        let mut all = |parts: &[Node]| parts.iter().map(|part| Self::bind(part, vocabulary, problems)).collect();
        match node {
            Node::All => Self::All,
            Node::Number(number) => Self::Number(*number),
            Node::And(parts) => Self::And(all(parts)),
            Node::Or(parts) => Self::Or(all(parts)),
            Node::Not(part) => Self::Not(Box::new(Self::bind(part, vocabulary, problems))),
            Node::Is(comparison) => {
                let tests = comparison.values.iter().map(|value| Test::bind(comparison, value, vocabulary, problems));
                Self::Any(tests.collect())
            }
        }
    }
}

impl Test {
    fn bind(comparison: &Comparison, text: &Text, vocabulary: &Vocabulary, problems: &mut Vec<QueryError>) -> Self {
        let Comparison { field: name, op, .. } = comparison;
        let (mut fields, mut is_possible, mut impossible) = (Vec::new(), false, None);
        for schema in &vocabulary.schemas {
            let Some(index) = schema.find(name) else { continue };
            let Some(field) = schema.field(index) else { continue };
            let wanted = Wanted::new(text, field, *op);
            is_possible |= wanted.is_ok();
            // A value that one of several kinds can have is possible; the others have other values.
            let wanted = wanted.unwrap_or_else(|error| {
                impossible = Some(error);
                Wanted::untyped(text)
            });
            fields.push((*schema, index, wanted));
        }
        // A field of the schema hides a key of its name.
        let is_hidden = |schema: &&Schema| schema.find(name).is_some();
        let schemas = || vocabulary.schemas.iter().copied();
        let is_free_key = (vocabulary.has_any_key && !schemas().any(|schema| is_hidden(&schema)))
            || (vocabulary.has_free_key(name) && schemas().any(|schema| schema.has_free_keys && !is_hidden(&schema)));
        if !is_possible && !is_free_key {
            problems.push(match impossible {
                Some(error) => QueryError::Value { field: name.clone(), value: text.to_string(), error },
                None => vocabulary.unknown_field(name),
            });
        }
        let free = is_free_key.then(|| (name.clone(), Wanted::untyped(text)));
        Self { op: *op, fields, free }
    }

    fn matches(&self, object: &(impl Fields + ?Sized)) -> bool {
        let schema = object.schema();
        let known = self.fields.iter().find(|(own, ..)| std::ptr::eq(*own, schema));
        match (known, &self.free) {
            (Some((_, index, wanted)), _) => object.get(*index).is_some_and(|value| wanted.matches(self.op, &value)),
            (None, Some((key, wanted))) => object.get_free(key).is_some_and(|value| wanted.matches(self.op, &value)),
            (None, None) => false,
        }
    }
}

impl Selection {
    /// Returns `true` if the object matches the query.
    pub fn matches(&self, object: &(impl Fields + ?Sized)) -> bool {
        self.root.matches(object)
    }
}

impl Condition {
    fn matches(&self, object: &(impl Fields + ?Sized)) -> bool {
        match self {
            Self::All => true,
            Self::Number(number) => object.number() == Some(*number),
            Self::Any(tests) => tests.iter().any(|test| test.matches(object)),
            Self::And(parts) => parts.iter().all(|part| part.matches(object)),
            Self::Or(parts) => parts.iter().any(|part| part.matches(object)),
            Self::Not(part) => !part.matches(object),
        }
    }
}

impl Wanted {
    fn untyped(text: &Text) -> Self {
        let plain = text.as_str().filter(|_| !text.has_wildcards());
        let glob = Glob::from(text);
        let escaped = (!text.as_bytes().is_ascii()).then(|| {
            let escaped = mapwright_io::escape_bytes(text.as_bytes());
            let glob =
                if text.has_wildcards() { Glob::new(escaped.as_bytes()) } else { Glob::literal(escaped.as_bytes()) };
            (glob.clone(), glob.contained())
        });
        Self {
            number: plain
                .and_then(|text| number(text.trim()).or_else(|| integer(text.trim()).map(|number| number as f64))),
            integer: plain.and_then(|text| integer(text.trim())),
            numbers: plain.and_then(numbers),
            value: None,
            contained: glob.contained(),
            glob,
            escaped,
            text: text.clone(),
        }
    }

    /// Reads the value for a field. Fails if no value of the field can satisfy the comparison.
    fn new(text: &Text, field: &Field, op: CompareOp) -> Result<Self, ValueError> {
        let mut wanted = Self::untyped(text);
        match field.of {
            FieldType::Text { .. } | FieldType::Bytes { .. } | FieldType::Any => {}
            // Parts of names and of printed numbers.
            _ if text.has_wildcards() && !op.is_ordering() => {
                if let FieldType::Choice(words) = field.of
                    && !words.iter().any(|word| wanted.glob.matches(word.as_bytes()))
                {
                    field.of.parse(text)?;
                }
            }
            FieldType::Int { .. } | FieldType::Float { .. } if op.is_ordering() && wanted.number.is_some() => {}
            FieldType::Int { .. } | FieldType::Float { .. } | FieldType::Choice(_) | FieldType::Code(_)
                if op == CompareOp::Contains => {}
            FieldType::Numbers { .. } if op == CompareOp::Contains => {}
            of => match of.parse(text)? {
                Value::Int(number) => (wanted.integer, wanted.number) = (Some(number), Some(number as f64)),
                value => wanted.value = Some(value),
            },
        }
        Ok(wanted)
    }

    fn matches(&self, op: CompareOp, found: &Value<'_>) -> bool {
        match found {
            // An object without values has the field all the same.
            Value::Any(values) if values.is_empty() => self.matches_text(op, b""),
            Value::Any(values) if op == CompareOp::Ne => values.iter().all(|value| self.matches(op, value)),
            Value::Any(values) => values.iter().any(|value| self.matches(op, value)),
            Value::Word(word, wider) => {
                let mut words = std::iter::once(word).chain(*wider);
                let matches = |word: &&str| self.matches_text(op, word.as_bytes());
                if op == CompareOp::Ne { words.all(matches) } else { words.any(matches) }
            }
            Value::Code(code, _) => match self.value {
                Some(Value::Code(wanted, _)) => op.accepts(Some(code.cmp(&wanted))),
                _ => self.matches_text(op, found.to_string().as_bytes()),
            },
            Value::Flags(bits, _) => match self.value {
                Some(Value::Flags(wanted, _)) if op == CompareOp::Contains => bits & wanted == wanted,
                Some(Value::Flags(wanted, _)) => op.accepts(Some(bits.cmp(&wanted))),
                _ => self.matches_text(op, found.to_string().as_bytes()),
            },
            Value::Bool(flag) => match self.value {
                Some(Value::Bool(wanted)) => op.accepts(Some(flag.cmp(&wanted))),
                _ => self.matches_text(op, if *flag { b"true" } else { b"false" }),
            },
            Value::Int(number) => match (self.integer, self.number) {
                (Some(wanted), _) if op != CompareOp::Contains => op.accepts(Some(number.cmp(&wanted))),
                (None, Some(wanted)) if op != CompareOp::Contains => op.accepts((*number as f64).partial_cmp(&wanted)),
                _ => self.matches_text(op, found.to_string().as_bytes()),
            },
            Value::Float(number) => match self.number {
                Some(wanted) if op != CompareOp::Contains => op.accepts(number.partial_cmp(&wanted)),
                _ => self.matches_text(op, found.to_string().as_bytes()),
            },
            Value::Numbers(numbers) => match &self.numbers {
                Some(wanted) if matches!(op, CompareOp::Eq | CompareOp::Ne) => {
                    (numbers.as_ref() == wanted.as_slice()) == (op == CompareOp::Eq)
                }
                _ => self.matches_text(op, found.to_string().as_bytes()),
            },
            Value::Text(text) => self.matches_text(op, text.as_bytes()),
            Value::Bytes(bytes) => self.matches_text(op, bytes),
        }
    }

    fn matches_text(&self, op: CompareOp, found: &[u8]) -> bool {
        let escaped =
            |of: fn(&(Glob, Glob)) -> &Glob| self.escaped.as_ref().is_some_and(|both| of(both).matches(found));
        if op == CompareOp::Contains {
            return self.contained.matches(found) || escaped(|(_, contained)| contained);
        }
        // Numbers compare as numbers even where a format stores them as text.
        if let Some(wanted) = self.number
            && let Some(found) = std::str::from_utf8(found).ok().and_then(number)
        {
            return op.accepts(found.partial_cmp(&wanted));
        }
        let is_equal = || self.glob.matches(found) || escaped(|(glob, _)| glob);
        match op {
            CompareOp::Eq => is_equal(),
            CompareOp::Ne => !is_equal(),
            _ => op.accepts(Some(units(found).cmp(units(self.text.as_bytes())))),
        }
    }
}
