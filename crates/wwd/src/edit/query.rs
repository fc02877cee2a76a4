//! Queries: which objects are meant.

use std::fmt;
use std::str::FromStr;

use mapwright_io::{Comparison, quoted, words};

use super::EditError;
use super::value::{get, parse};
use crate::{FieldValue, Object, Plane, escape_bytes, unescape_bytes};

/// Conditions that all hold for the objects that are meant, written as `logic=Elevator x>=100`; without any, all objects are.
///
/// As text it is split at white space; a space within a value is `\x20`, or the value stands in quotes.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Query {
    /// The conditions.
    pub conditions: Vec<Condition>,
}

/// A condition on a field of an object, or on the name of its plane (`plane=Action`).
///
/// Fields and values are written as in an [`Assignment`](super::Assignment).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Condition {
    /// The name of the field, or `plane`.
    pub field: String,
    /// How the field and the value compare.
    pub comparison: Comparison,
    /// The value.
    pub value: FieldValue,
}

impl Condition {
    /// Whether it holds for an object on a plane.
    pub fn holds(&self, plane: &Plane, object: &Object) -> bool {
        let found = match self.field.as_str() {
            PLANE => FieldValue::Text(plane.name.text().to_vec()),
            // The condition that most queries have, without a copy of the text.
            "logic" => return self.compare_text(&object.logic),
            "image_set" => return self.compare_text(&object.image_set),
            field => match get(object, field) {
                Some(found) => found,
                None => return false,
            },
        };
        match (&found, &self.value) {
            (FieldValue::Int(found), FieldValue::Int(value)) => self.comparison.is(Some(found.cmp(value))),
            (FieldValue::Word(found), FieldValue::Word(value)) if self.comparison == Comparison::Holds => {
                found & value == *value
            }
            (FieldValue::Word(found), FieldValue::Word(value)) => self.comparison.is(Some(found.cmp(value))),
            (FieldValue::Text(found), FieldValue::Text(_)) => self.compare_text(found),
            (FieldValue::Rect(found), FieldValue::Rect(value)) => match self.comparison {
                Comparison::Equal => found == value,
                Comparison::Different => found != value,
                _ => false,
            },
            _ => false,
        }
    }

    fn compare_text(&self, found: &[u8]) -> bool {
        let FieldValue::Text(value) = &self.value else { return false };
        match self.comparison {
            Comparison::Holds => value.is_empty() || found.windows(value.len()).any(|part| part == value),
            comparison => comparison.is(Some(found.cmp(value))),
        }
    }
}

/// The field that is the name of the plane.
const PLANE: &str = "plane";

impl FromStr for Condition {
    type Err = EditError;

    fn from_str(text: &str) -> Result<Self, EditError> {
        let Some((field, comparison, value)) = Comparison::split(text) else {
            let expected = "a condition, as logic=Elevator or x>=100";
            return Err(EditError::Syntax { text: text.to_owned(), expected });
        };
        let read = match field {
            PLANE => FieldValue::Text(unescape_bytes(value)),
            _ => parse(&Object::default(), field, value)?,
        };
        let fits = match &read {
            FieldValue::Int(_) => comparison != Comparison::Holds,
            FieldValue::Word(_) => true,
            FieldValue::Text(_) => !comparison.orders(),
            FieldValue::Rect(_) => matches!(comparison, Comparison::Equal | Comparison::Different),
        };
        if !fits {
            let expected = match &read {
                FieldValue::Int(_) => "= != < <= > >=",
                FieldValue::Rect(_) => "= and !=",
                _ => "= != and ~",
            };
            return Err(EditError::Value {
                field: field.to_owned(),
                value: comparison.sign().to_owned(),
                expected: format!("comparisons by {expected}"),
            });
        }
        Ok(Self { field: field.to_owned(), comparison, value: read })
    }
}

impl fmt::Display for Condition {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", self.field, self.comparison.sign())?;
        match &self.value {
            FieldValue::Text(text) => f.write_str(&quoted(&escape_bytes(text).replace(' ', "\\x20"))),
            value => write!(f, "{value}"),
        }
    }
}

impl Query {
    /// Whether all conditions hold for an object on a plane.
    pub fn matches(&self, plane: &Plane, object: &Object) -> bool {
        self.conditions.iter().all(|condition| condition.holds(plane, object))
    }
}

impl FromIterator<Condition> for Query {
    fn from_iter<I: IntoIterator<Item = Condition>>(conditions: I) -> Self {
        Self { conditions: conditions.into_iter().collect() }
    }
}

impl FromStr for Query {
    type Err = EditError;

    fn from_str(text: &str) -> Result<Self, EditError> {
        words(text).into_iter().map(str::parse).collect()
    }
}

impl fmt::Display for Query {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, condition) in self.conditions.iter().enumerate() {
            write!(f, "{}{condition}", if index == 0 { "" } else { " " })?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{DrawFlags, Rect};

    #[test]
    fn conditions_hold_as_they_say() {
        let plane = Plane { name: crate::io::FixedBytes::from_text(b"Action").unwrap(), ..Plane::default() };
        let object = Object {
            x: 100,
            draw_flags: DrawFlags(6),
            rect_move: Rect { left: -3, ..Rect::default() },
            logic: b"Elevator".to_vec(),
            name: b"a b\xb3".to_vec(),
            ..Object::default()
        };
        let holds = "logic=Elevator logic!=Rat logic~vat logic~ x=100 x=0x64 x>=100 x<=100 x<101 x>99 draw_flags~MIRROR \
                     draw_flags=mirror,invert draw_flags>5 rect_move=-3,0,0,0 rect_move_left<0 name=a\\x20b\\xb3 \
                     plane=Action plane~ction";
        for condition in holds.split_whitespace() {
            assert!(condition.parse::<Query>().unwrap().matches(&plane, &object), "{condition}");
        }
        assert!(holds.parse::<Query>().unwrap().matches(&plane, &object));
        let holds_not = "logic=elevator logic~Rat x!=100 x>100 x<100 draw_flags~FLASH rect_move!=-3,0,0,0 plane=Front";
        for condition in holds_not.split_whitespace() {
            assert!(!condition.parse::<Query>().unwrap().matches(&plane, &object), "{condition}");
        }
        assert!("".parse::<Query>().unwrap().matches(&plane, &object));
    }

    #[test]
    fn queries_read_and_print_the_same() {
        for text in ["logic=Elevator x>=100", "name=a\\x20b", "draw_flags~0x2", "rect_hit=1,2,3,4"] {
            let query: Query = text.parse().unwrap();
            assert_eq!(query.to_string(), text);
        }
    }

    #[test]
    fn what_no_field_takes_is_refused() {
        for text in ["x", "=1", "logic<Rat", "x~1", "rect_hit<1,2,3,4", "nothing=1", "x=1.5", "\u{e9}=1"] {
            assert!(text.parse::<Query>().is_err(), "{text}");
        }
    }
}
