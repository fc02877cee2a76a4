//! Assignments: new values of fields.

use std::borrow::Cow;
use std::fmt;
use std::str::FromStr;

use crate::error::{QueryError, SyntaxError, ValueError};
use crate::lexer::{AssignToken, Cursor, Token};
use crate::query::FieldName;
use crate::suggest::suggestion;
use crate::{Field, FieldType, Schema, SetFields, Text, Value};

/// A field and its new value: `speed=150`, `x+=64`, `flags-=MIRROR`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Assignment {
    /// The name of the field.
    pub field: String,
    /// The sign.
    pub op: AssignOp,
    /// The value.
    pub value: Text,
}

/// The operator of an assignment.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum AssignOp {
    /// `=`: it gets the value.
    Set,
    /// `+=`: the value is added; flags are set.
    Add,
    /// `-=`: the value is subtracted; flags are cleared.
    Sub,
}

impl AssignOp {
    /// Returns the sign.
    pub const fn sign(self) -> &'static str {
        match self {
            Self::Set => "=",
            Self::Add => "+=",
            Self::Sub => "-=",
        }
    }
}

impl Assignment {
    /// Creates the assignment of a value.
    pub fn set(field: impl Into<String>, value: impl Into<Text>) -> Self {
        Self { field: field.into(), op: AssignOp::Set, value: value.into() }
    }

    /// Reads assignments that commas separate: `angles="0 90 0", skin=2`. A bare value ends at the comma.
    ///
    /// # Errors
    /// If the text is not a list of assignments.
    pub fn parse_list(text: &str) -> Result<Vec<Self>, QueryError> {
        Ok(read_list(&mut Cursor::new(text))?)
    }

    /// Looks up the fields of assignments and reads their values.
    ///
    /// `create` allows keys that records do not have yet, where the schema allows other keys.
    ///
    /// # Errors
    /// If records of the schema have no such field, or it cannot be set to that value.
    pub fn bind(assignments: &[Self], schema: &'static Schema, create: bool) -> Result<BoundAssignments, QueryError> {
        let steps = assignments.iter().map(|assignment| assignment.bind_one(schema)).collect::<Result<_, _>>()?;
        Ok(BoundAssignments { schema, steps, create })
    }

    fn bind_one(&self, schema: &'static Schema) -> Result<Step, QueryError> {
        let Self { field: name, op, value: text } = self;
        let index = schema.find(name);
        let field = index.and_then(|index| schema.field(index));
        if field.is_none() && !schema.has_free_keys {
            let known = suggestion(name, schema.iter().map(|field| field.name));
            let help = match known {
                Some(known) => format!("did you mean `{known}`?"),
                None => {
                    format!("known fields: {}", schema.iter().map(|field| field.name).collect::<Vec<_>>().join(", "))
                }
            };
            return Err(QueryError::NoField { kind: schema.kind.to_owned(), field: name.clone(), help });
        }
        if field.is_some_and(|field| !field.is_settable) {
            let (kind, field) = (schema.kind.to_owned(), name.clone());
            return Err(QueryError::ReadOnly { kind, field, reason: String::new() });
        }
        let of = field.map_or(FieldType::Any, |field| field.of);
        if *op != AssignOp::Set && !of.can_add() {
            let problem = "is for numbers and flags; use `=`".to_owned();
            return Err(QueryError::Add { field: name.clone(), op: op.sign(), problem });
        }
        let invalid = |error| QueryError::Value { field: name.clone(), value: text.to_string(), error };
        let value = match (of, op) {
            (_, AssignOp::Set) => of.parse(text),
            // The added number may be out of the range of the field.
            (FieldType::Int { .. }, _) => FieldType::Int { min: i64::MIN, max: i64::MAX }.parse(text),
            (FieldType::Float { .. }, _) => FieldType::F64.parse(text),
            _ => of.parse(text),
        };
        Ok(Step { name: name.clone(), index, field, op: *op, value: value.map_err(invalid)?, text: text.clone() })
    }
}

impl FromStr for Assignment {
    type Err = QueryError;

    /// Reads one assignment. A bare value ends with the text: commas belong to it.
    fn from_str(text: &str) -> Result<Self, QueryError> {
        let mut cursor = Cursor::new(text);
        let (field, op) = read_field(&mut cursor)?;
        let rest = cursor.remaining().trim();
        if !rest.starts_with(['"', '\'']) {
            return Ok(Self { field, op, value: Text::from_source(rest) });
        }
        let assignment = Self { field, op, value: read_value(&mut cursor)? };
        match cursor.is_at_end() {
            true => Ok(assignment),
            false => Err(cursor.expected("the end").into()),
        }
    }
}

impl fmt::Display for Assignment {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}{}", FieldName(&self.field), self.op.sign(), self.value)
    }
}

/// Reads assignments up to the end of the text.
pub(crate) fn read_list(cursor: &mut Cursor<'_>) -> Result<Vec<Assignment>, SyntaxError> {
    let mut assignments = vec![read_one(cursor)?];
    while !cursor.is_at_end() {
        if cursor.take::<AssignToken>(|token| token == AssignToken::Comma).is_none() {
            return Err(cursor.expected("`,` or the end"));
        }
        assignments.push(read_one(cursor)?);
    }
    Ok(assignments)
}

fn read_one(cursor: &mut Cursor<'_>) -> Result<Assignment, SyntaxError> {
    let (field, op) = read_field(cursor)?;
    Ok(Assignment { field, op, value: read_value(cursor)? })
}

/// Reads the name of a field and the sign.
fn read_field(cursor: &mut Cursor<'_>) -> Result<(String, AssignOp), SyntaxError> {
    let Some((_, field)) = cursor.take::<Token>(|token| matches!(token, Token::Word | Token::Quoted)) else {
        return Err(cursor.expected("an assignment such as x=5 (values with commas are in quotes)"));
    };
    let is_op = |token| matches!(token, Token::Equal | Token::Add | Token::Subtract);
    let op = match cursor.take::<Token>(is_op) {
        Some((Token::Equal, "=")) => AssignOp::Set,
        Some((Token::Add, _)) => AssignOp::Add,
        Some((Token::Subtract, _)) => AssignOp::Sub,
        _ => return Err(cursor.expected("one of = += -=")),
    };
    Ok((Text::from_source(field).to_string_lossy().into_owned(), op))
}

/// Reads a value: in quotes, or bare with inner spaces up to the comma.
fn read_value(cursor: &mut Cursor<'_>) -> Result<Text, SyntaxError> {
    cursor.take::<AssignToken>(|token| token == AssignToken::Space);
    if let Some((_, quoted)) = cursor.take::<AssignToken>(|token| token == AssignToken::Quoted) {
        cursor.take::<AssignToken>(|token| token == AssignToken::Space);
        return Ok(Text::from_source(quoted));
    }
    let start = cursor.remaining();
    if start.starts_with(['"', '\'']) {
        return Err(cursor.expected("a closing quote"));
    }
    while cursor.take::<AssignToken>(|token| token != AssignToken::Comma).is_some() {}
    let length = start.len().saturating_sub(cursor.remaining().len());
    Ok(Text::from_source(start.get(..length).unwrap_or_default().trim()))
}

/// Assignments to records of one schema.
#[derive(Debug, Clone)]
pub struct BoundAssignments {
    schema: &'static Schema,
    steps: Vec<Step>,
    create: bool,
}

#[derive(Debug, Clone)]
struct Step {
    name: String,
    index: Option<usize>,
    field: Option<&'static Field>,
    op: AssignOp,
    value: Value<'static>,
    text: Text,
}

impl BoundAssignments {
    /// Returns the schema whose records take them.
    pub const fn schema(&self) -> &'static Schema {
        self.schema
    }

    /// Applies the assignments in order. Returns `true` if a field has another value now.
    ///
    /// # Errors
    /// If a field of this record cannot have the new value. Earlier assignments were applied then: use a copy of the record.
    pub fn apply(&self, record: &mut (impl SetFields + ?Sized)) -> Result<bool, QueryError> {
        let mut is_changed = false;
        for step in &self.steps {
            is_changed |= step.apply(record, self.create)?;
        }
        Ok(is_changed)
    }
}

impl Step {
    fn apply(&self, record: &mut (impl SetFields + ?Sized), create: bool) -> Result<bool, QueryError> {
        let current = match self.index {
            Some(index) => record.get(index),
            None => record.get_free(&self.name),
        };
        if current.is_none() && self.index.is_none() && !create {
            let kind = record.schema().kind.to_owned();
            return Err(QueryError::NoField { kind, field: self.name.clone(), help: String::new() });
        }
        let new = match self.op {
            AssignOp::Set => self.value.clone(),
            op => self.sum(op, current.as_ref())?,
        };
        if current.as_ref() == Some(&new) {
            return Ok(false);
        }
        let invalid = |error| QueryError::Value { field: self.name.clone(), value: self.text.to_string(), error };
        let before = current.map(Value::into_owned);
        let after = match self.index {
            Some(index) => {
                record.set(index, &new).map_err(invalid)?;
                record.get(index)
            }
            None => {
                record.set_free(&self.name, &new).map_err(invalid)?;
                record.get_free(&self.name)
            }
        };
        Ok(after != before)
    }

    /// Returns the value after `+=` or `-=`.
    fn sum(&self, op: AssignOp, current: Option<&Value<'_>>) -> Result<Value<'static>, QueryError> {
        let wrong = |problem: String| QueryError::Add { field: self.name.clone(), op: op.sign(), problem };
        let sign = if op == AssignOp::Add { 1.0 } else { -1.0 };
        // Free keys have their numbers as text.
        let text = match current {
            Some(Value::Text(text)) => crate::field::number(text).map(Value::Float),
            _ => None,
        };
        let sum = match (text.as_ref().or(current), &self.value) {
            (None, _) => return Err(wrong("needs an existing value".to_owned())),
            (Some(Value::Int(old)), Value::Int(by)) => {
                let sum = if op == AssignOp::Add { old.checked_add(*by) } else { old.checked_sub(*by) };
                Value::Int(sum.ok_or_else(|| wrong("leads beyond 64 bits".to_owned()))?)
            }
            (Some(Value::Flags(old, names)), Value::Flags(bits, _)) => {
                Value::Flags(if op == AssignOp::Add { old | bits } else { old & !bits }, names)
            }
            (Some(Value::Numbers(old)), Value::Numbers(by)) if old.len() == by.len() => {
                Value::Numbers(Cow::Owned(old.iter().zip(by.iter()).map(|(old, by)| old + sign * by).collect()))
            }
            (Some(old), by) => match (old.as_f64(), by.as_f64()) {
                (Some(old), Some(by)) => Value::Float(old + sign * by),
                _ => return Err(wrong("needs a number".to_owned())),
            },
        };
        match self.field.map(|field| field.of) {
            Some(of) if !in_range(of, &sum) => {
                let error = ValueError::new(of.to_string());
                Err(QueryError::Value { field: self.name.clone(), value: sum.to_string(), error })
            }
            _ => Ok(sum),
        }
    }
}

fn in_range(of: FieldType, value: &Value<'_>) -> bool {
    match (of, value) {
        (FieldType::Int { min, max }, Value::Int(number)) => (min..=max).contains(number),
        (FieldType::Float { min, max }, Value::Float(number)) => (min..=max).contains(number),
        (FieldType::Numbers { is_whole: true, .. }, Value::Numbers(numbers)) => {
            let range = f64::from(i32::MIN)..=f64::from(i32::MAX);
            numbers.iter().all(|number| range.contains(number))
        }
        (_, Value::Numbers(numbers)) => numbers.iter().all(|number| number.is_finite()),
        _ => true,
    }
}
