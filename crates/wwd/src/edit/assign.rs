//! Assignments: fields that get other values.

use std::fmt;
use std::str::FromStr;

use super::EditError;
use super::value::{Named, get, parse, set};
use crate::FieldValue;

/// A field and what becomes of it, written as `speed_x=150`, `x+=64`, `draw_flags-=MIRROR`.
///
/// Fields have the names of [`Object::FIELDS`](crate::Object::FIELDS) and those of the other records; one side of a rectangle is
/// `rect_move_left`. Numbers are decimal or `0x` and hexadecimal digits, flags and codes also their names joined by commas,
/// rectangles `left,top,right,bottom`, texts spelled as [`spell`](crate::spell) does.
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

impl FromStr for Assignment {
    type Err = EditError;

    fn from_str(text: &str) -> Result<Self, EditError> {
        let end = text.find(|c: char| !c.is_ascii_alphanumeric() && c != '_').unwrap_or(text.len());
        let (field, rest) = text.split_at_checked(end).unwrap_or((text, ""));
        let parts = [Change::Add, Change::Take, Change::Set]
            .into_iter()
            .find_map(|change| Some((change, rest.strip_prefix(change.sign())?)));
        match parts {
            Some((change, value)) if !field.is_empty() => {
                Ok(Self { field: field.to_owned(), change, value: value.to_owned() })
            }
            _ => Err(EditError::Syntax { text: text.to_owned(), expected: "an assignment, as speed_x=150" }),
        }
    }
}

impl fmt::Display for Assignment {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}{}", self.field, self.change.sign(), self.value)
    }
}

/// An assignment whose value has been read.
pub(super) struct Ready<'a> {
    field: &'a str,
    change: Change,
    value: FieldValue,
}

/// Reads the values of assignments to a record.
pub(super) fn ready<'a, R: Named>(record: &R, assignments: &'a [Assignment]) -> Result<Vec<Ready<'a>>, EditError> {
    let one = |assignment: &'a Assignment| {
        let Assignment { field, change, value } = assignment;
        let read = parse(record, field, value)?;
        if *change != Change::Set && !matches!(read, FieldValue::Int(_) | FieldValue::Word(_)) {
            let expected = "= alone, as it is no number and no flags".to_owned();
            return Err(EditError::Value { field: field.clone(), value: assignment.to_string(), expected });
        }
        Ok(Ready { field, change: *change, value: read })
    };
    assignments.iter().map(one).collect()
}

/// Applies assignments to a record, which is of no use afterwards if one fails.
pub(super) fn apply<R: Named>(record: &mut R, assignments: &[Ready<'_>]) -> Result<(), EditError> {
    for Ready { field, change, value } in assignments {
        let value = match (change, get(record, field), value) {
            (Change::Set, ..) => value.clone(),
            (change, Some(FieldValue::Int(old)), FieldValue::Int(by)) => {
                FieldValue::Int(sum(field, old, *change, *by)?)
            }
            (change, Some(FieldValue::Word(old)), FieldValue::Word(by)) if !R::names(field).is_empty() => {
                FieldValue::Word(if *change == Change::Add { old | by } else { old & !by })
            }
            (change, Some(FieldValue::Word(old)), FieldValue::Word(by)) => {
                FieldValue::Word(sum(field, old, *change, *by)?)
            }
            _ => value.clone(),
        };
        set(record, field, value)?;
    }
    Ok(())
}

fn sum<N: Into<i64> + TryFrom<i64>>(field: &str, old: N, change: Change, by: N) -> Result<N, EditError> {
    let (old, by): (i64, i64) = (old.into(), by.into());
    // Sums of 32-bit numbers fit 64 bits.
    let value = if change == Change::Add { old.saturating_add(by) } else { old.saturating_sub(by) };
    N::try_from(value).map_err(|_| EditError::Range { field: field.to_owned(), value })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{DrawFlags, Object};

    fn change(object: &mut Object, text: &[&str]) -> Result<(), EditError> {
        let assignments: Vec<Assignment> = text.iter().map(|text| text.parse().unwrap()).collect();
        apply(object, &ready(object, &assignments)?)
    }

    #[test]
    fn assignments_read_and_print_the_same() {
        for text in ["x=-5", "x-=5", "draw_flags+=MIRROR", "name=a=b", "name="] {
            assert_eq!(text.parse::<Assignment>().unwrap().to_string(), text);
        }
        for text in ["", "x", "=5", "x 5", "x>=5", "\u{e9}=1"] {
            assert!(text.parse::<Assignment>().is_err(), "{text}");
        }
    }

    #[test]
    fn numbers_and_flags_are_added_and_taken() {
        let mut object = Object { x: 10, draw_flags: DrawFlags::FLASH, ..Object::default() };
        let texts = ["x+=5", "y-=7", "draw_flags+=MIRROR,INVERT", "draw_flags-=FLASH", "rect_hit_left=3", "logic=Rat"];
        change(&mut object, &texts).unwrap();
        assert_eq!((object.x, object.y, object.draw_flags.0, object.rect_hit.left), (15, -7, 6, 3));
        assert_eq!(object.logic, b"Rat");
        assert!(matches!(change(&mut object, &["x+=2147483647"]), Err(EditError::Range { .. })));
        assert!(matches!(change(&mut object, &["name+=a"]), Err(EditError::Value { .. })));
        assert!(matches!(change(&mut object, &["rect_hit+=1,1,1,1"]), Err(EditError::Value { .. })));
    }
}
