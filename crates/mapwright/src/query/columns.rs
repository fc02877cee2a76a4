//! Fields of objects as columns of numbers and text, for programs that process tables.

use std::convert::Infallible;
use std::fmt::Display;

use mapwright_query::Value;

use super::ObjectList;

/// A field of all objects of a list, as a column.
#[derive(Debug, Clone, PartialEq)]
pub struct Column {
    /// The name of the field.
    pub name: String,
    /// The values. Objects without a value have 0, `false` or an empty text.
    pub values: ColumnValues,
    /// `true` for each object that has a value. Empty if all objects have one.
    pub is_valid: Vec<bool>,
}

/// The values of a [`Column`], in the most specific type that stores all of them exactly.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub enum ColumnValues {
    /// Yes or no.
    Bool(Vec<bool>),
    /// Whole numbers, flags and codes.
    Int(Vec<i64>),
    /// Numbers.
    Float(Vec<f64>),
    /// Rows of numbers, such as colours.
    Numbers {
        /// The number of numbers in a row.
        width: usize,
        /// All rows, one after another.
        values: Vec<f64>,
    },
    /// Text, and values of different types as text.
    Text {
        /// The end of each text in `text`, in bytes, after a first 0.
        offsets: Vec<i64>,
        /// All texts, one after another.
        text: String,
    },
}

impl ObjectList {
    /// Returns the [fields](Self::fields) of all objects that match, as columns.
    ///
    /// ```
    /// use mapwright::AnyDocument;
    /// use mapwright::query::{ColumnValues, ListOptions, ObjectList};
    ///
    /// # fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// # #[cfg(feature = "obj")] {
    /// let obj = b"o floor\nv 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n";
    /// let options = ListOptions::default().with_fields(vec!["faces".to_owned()]);
    /// let list = ObjectList::new(AnyDocument::from_bytes(obj)?, &"kind=mesh".parse()?, options)?;
    /// assert_eq!(list.to_columns()[0].values, ColumnValues::Int(vec![1]));
    /// # }
    /// # Ok(())
    /// # }
    /// ```
    pub fn to_columns(&self) -> Vec<Column> {
        let mut columns: Vec<Builder> = self.fields().into_iter().map(Builder::new).collect();
        let Ok(()) = self.visit(|object| {
            for column in &mut columns {
                column.push(self.value(object, &column.name).as_ref());
            }
            Ok::<(), Infallible>(())
        });
        columns.into_iter().map(Builder::finish).collect()
    }
}

/// A column that is being filled. Its type widens with the values.
struct Builder {
    name: String,
    /// `None`: no object has a value yet.
    values: Option<ColumnValues>,
    is_valid: Vec<bool>,
}

impl Builder {
    fn new(name: String) -> Self {
        Self { name, values: None, is_valid: Vec::new() }
    }

    fn push(&mut self, value: Option<&Value<'_>>) {
        let rows = self.is_valid.len();
        self.is_valid.push(value.is_some());
        let Some(value) = value else {
            if let Some(values) = &mut self.values {
                values.push_missing();
            }
            return;
        };
        let values = self.values.get_or_insert_with(|| ColumnValues::filled_for(value, rows));
        if values.push(value).is_none() {
            if let (ColumnValues::Int(_), Value::Float(number)) = (&*values, value)
                && let Some(mut floats) = values.to_floats()
            {
                floats.push(*number);
                *values = ColumnValues::Float(floats);
                return;
            }
            *values = values.to_text(&self.is_valid);
            values.push_text(&text_of(value));
        }
    }

    fn finish(self) -> Column {
        let Self { name, values, mut is_valid } = self;
        let values = values.unwrap_or_else(|| ColumnValues::Text {
            offsets: vec![0; is_valid.len().saturating_add(1)],
            text: String::new(),
        });
        if is_valid.iter().all(|valid| *valid) {
            is_valid = Vec::new();
        }
        Column { name, values, is_valid }
    }
}

impl ColumnValues {
    /// Creates a column of the type of a value, with rows without a value.
    fn filled_for(value: &Value<'_>, rows: usize) -> Self {
        match value {
            Value::Bool(_) => Self::Bool(vec![false; rows]),
            Value::Int(_) | Value::Flags(..) | Value::Code(..) => Self::Int(vec![0; rows]),
            Value::Float(_) => Self::Float(vec![0.0; rows]),
            Value::Numbers(numbers) if !numbers.is_empty() => {
                let width = numbers.len();
                Self::Numbers { width, values: vec![0.0; rows.saturating_mul(width)] }
            }
            _ => Self::Text { offsets: vec![0; rows.saturating_add(1)], text: String::new() },
        }
    }

    /// Adds a value. Returns `None` if the type of the column cannot store it exactly.
    fn push(&mut self, value: &Value<'_>) -> Option<()> {
        match (self, value) {
            (Self::Bool(flags), Value::Bool(flag)) => flags.push(*flag),
            (Self::Int(numbers), Value::Int(number)) => numbers.push(*number),
            (Self::Int(numbers), Value::Flags(word, _) | Value::Code(word, _)) => numbers.push((*word).into()),
            (Self::Float(numbers), Value::Float(number)) => numbers.push(*number),
            (Self::Float(numbers), Value::Int(number)) => numbers.push(exact(*number)?),
            (Self::Float(numbers), Value::Flags(word, _) | Value::Code(word, _)) => numbers.push(f64::from(*word)),
            (Self::Numbers { width, values }, Value::Numbers(numbers)) if numbers.len() == *width => {
                values.extend_from_slice(numbers);
            }
            (text @ Self::Text { .. }, value) => text.push_text(&text_of(value)),
            _ => return None,
        }
        Some(())
    }

    /// Adds a row without a value.
    fn push_missing(&mut self) {
        match self {
            Self::Bool(flags) => flags.push(false),
            Self::Int(numbers) => numbers.push(0),
            Self::Float(numbers) => numbers.push(0.0),
            Self::Numbers { width, values } => values.extend(std::iter::repeat_n(0.0, *width)),
            Self::Text { .. } => self.push_text(""),
        }
    }

    fn push_text(&mut self, more: &str) {
        if let Self::Text { offsets, text } = self {
            text.push_str(more);
            offsets.push(i64::try_from(text.len()).unwrap_or(i64::MAX));
        }
    }

    /// Returns whole numbers as floats, if that is exact.
    fn to_floats(&self) -> Option<Vec<f64>> {
        let Self::Int(numbers) = self else { return None };
        numbers.iter().map(|number| exact(*number)).collect()
    }

    /// Returns the values as text, as far as `is_valid` has them.
    fn to_text(&self, is_valid: &[bool]) -> Self {
        let mut all = Self::Text { offsets: vec![0], text: String::new() };
        let mut push = |row: usize, value: &dyn Display| match is_valid.get(row) {
            Some(true) => all.push_text(&value.to_string()),
            _ => all.push_text(""),
        };
        match self {
            Self::Bool(flags) => flags.iter().enumerate().for_each(|(row, flag)| push(row, flag)),
            Self::Int(numbers) => numbers.iter().enumerate().for_each(|(row, number)| push(row, number)),
            Self::Float(numbers) => numbers.iter().enumerate().for_each(|(row, number)| push(row, number)),
            Self::Numbers { width, values } => {
                let rows = values.chunks((*width).max(1)).enumerate();
                rows.for_each(|(row, numbers)| push(row, &Value::Numbers(numbers.into())));
            }
            Self::Text { .. } => return self.clone(),
        }
        all
    }
}

/// Returns a value as text. Flags and codes are numbers in every column, so that it does not depend on the order of objects.
fn text_of(value: &Value<'_>) -> String {
    match value {
        Value::Flags(word, _) | Value::Code(word, _) => word.to_string(),
        value => value.to_string(),
    }
}

/// Returns a whole number as a float, if that is exact.
fn exact(number: i64) -> Option<f64> {
    const LARGEST: i64 = 1 << 53;
    #[allow(clippy::cast_precision_loss, reason = "numbers up to this limit are exact")]
    (-LARGEST..=LARGEST).contains(&number).then_some(number as f64)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn column(values: &[Option<Value<'_>>]) -> Column {
        let mut column = Builder::new("x".to_owned());
        values.iter().for_each(|value| column.push(value.as_ref()));
        column.finish()
    }

    fn text(texts: &[&str]) -> ColumnValues {
        let mut all = ColumnValues::Text { offsets: vec![0], text: String::new() };
        texts.iter().for_each(|text| all.push_text(text));
        all
    }

    #[test]
    fn columns_have_the_type_of_their_values() {
        let (yes, one, half) = (Some(Value::Bool(true)), Some(Value::Int(1)), Some(Value::Float(0.5)));
        assert_eq!(column(std::slice::from_ref(&yes)).values, ColumnValues::Bool(vec![true]));
        assert_eq!(column(&[one.clone(), Some(Value::Flags(3, &[]))]).values, ColumnValues::Int(vec![1, 3]));
        for values in [[one.clone(), half.clone()], [half.clone(), one.clone()]] {
            assert!(matches!(column(&values).values, ColumnValues::Float(floats) if floats.len() == 2), "{values:?}");
        }
        let color = Some(Value::Numbers([0.0, 0.5].as_slice().into()));
        let rows = ColumnValues::Numbers { width: 2, values: vec![0.0, 0.0, 0.0, 0.5] };
        assert_eq!(
            column(&[None, color.clone()]),
            Column { name: "x".to_owned(), values: rows, is_valid: vec![false, true] }
        );
        assert_eq!(column(&[None, one, None, color, yes]).values, text(&["", "1", "", "0 0.5", "true"]));
        assert_eq!(column(&[None, None]).values, text(&["", ""]));
    }

    #[test]
    fn large_whole_numbers_are_not_rounded() {
        let large = (1_i64 << 53) + 1;
        let values = [Some(Value::Int(large)), Some(Value::Float(0.5))];
        assert_eq!(column(&values).values, text(&["9007199254740993", "0.5"]));
        let [a, b] = values;
        assert_eq!(column(&[b, a]).values, text(&["0.5", "9007199254740993"]));
    }
}
