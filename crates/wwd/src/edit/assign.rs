//! Assignments: fields that get other values.

use mapwright_io::{Assignment, Change};

use super::EditError;
use super::value::{Named, get, parse, set};
use crate::FieldValue;

/// Reads a word of an edit.
pub(super) fn assignment(word: &str) -> Result<Assignment, EditError> {
    let expected = "an assignment, as speed_x=150";
    word.parse().map_err(|_| EditError::Syntax { text: word.to_owned(), expected })
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
