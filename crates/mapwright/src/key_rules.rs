//! Rules of the values of keys of entities, from the definitions of their classes.

use std::collections::HashSet;

use mapwright_fgd::{Key, ResolvedClass};

/// The values that a key may have.
pub(crate) enum Rule {
    /// Any text.
    Any,
    Integer,
    Number,
    Boolean,
    /// A list of numbers, with the lowest and highest length.
    Numbers(usize, usize),
    /// The values of the choices in lower case.
    Choices(HashSet<String>),
    /// The mask of all flags.
    Flags(u64),
    /// The name or class of an entity.
    Target,
}

impl Rule {
    /// Creates the rule of a key. Types without a known form take any text.
    pub(crate) fn new(key: &Key<'_>, class: &ResolvedClass<'_>) -> Self {
        match &*key.value_type() {
            "integer" | "int" => Self::Integer,
            "float" => Self::Number,
            "boolean" | "bool" => Self::Boolean,
            "color255" => Self::Numbers(3, 4),
            "vector" | "angle" | "origin" | "local_point" | "world_point" => Self::Numbers(3, 3),
            "choices" if key.has_choices() => {
                Self::Choices(key.choices().map(|choice| choice.value().trim().to_lowercase()).collect())
            }
            "flags" if key.has_choices() => class.flag_mask(&key.name()).map_or(Self::Any, Self::Flags),
            "target_destination" | "target_name_or_class" | "filterclass" => Self::Target,
            _ => Self::Any,
        }
    }

    /// Returns the number of choices.
    pub(crate) fn choice_count(&self) -> usize {
        if let Self::Choices(choices) = self { choices.len() } else { 0 }
    }

    /// Returns what was expected, if a value does not follow the rule.
    pub(crate) fn problem(&self, value: &str) -> Option<&'static str> {
        let value = value.trim();
        let (is_valid, expected) = match self {
            Self::Any | Self::Flags(_) | Self::Target => (true, ""),
            Self::Integer => (value.parse::<i64>().is_ok(), "a whole number"),
            Self::Number => (is_number(value), "a number"),
            Self::Boolean => {
                (["0", "1", "true", "false"].iter().any(|word| value.eq_ignore_ascii_case(word)), "0 or 1")
            }
            Self::Numbers(low, high) => {
                let numbers: Vec<&str> = value.split_whitespace().collect();
                let is_valid = (*low..=*high).contains(&numbers.len()) && numbers.into_iter().all(is_number);
                (is_valid, if low == high { "three numbers" } else { "three or four numbers" })
            }
            Self::Choices(choices) => (is_choice(value, choices), "one of the choices of the class"),
        };
        (!is_valid).then_some(expected)
    }
}

fn is_number(text: &str) -> bool {
    text.parse::<f64>().is_ok_and(f64::is_finite)
}

/// Compares a value with choices: as text without case, or as numbers (`1` is `1.0`).
fn is_choice(value: &str, choices: &HashSet<String>) -> bool {
    let number = || value.parse::<f64>().ok();
    let is_same = |choice: &String| number().is_some_and(|number| choice.parse() == Ok(number));
    choices.contains(&value.to_lowercase()) || (number().is_some() && choices.iter().take(1000).any(is_same))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_follow_the_rules_of_their_types() {
        let choices = || Rule::Choices(["0", "1.5", "on"].map(str::to_owned).into());
        let cases: [(Rule, &[&str], &[&str]); 6] = [
            (Rule::Integer, &["0", "-1", " 12 "], &["1.5", "x", "1 2"]),
            (Rule::Number, &["0", "-1.5e3", ".5"], &["x", "1,5", "nan", "inf"]),
            (Rule::Boolean, &["0", "1", "True"], &["2", "yes"]),
            (Rule::Numbers(3, 4), &["1 2 3", "255 255 255  128"], &["1 2", "1 2 3 4 5", "a b c"]),
            (choices(), &["0", "ON", "1.50", "0.0"], &["2", "off"]),
            (Rule::Any, &["x"], &[]),
        ];
        for (rule, valid, invalid) in cases {
            assert!(valid.iter().all(|value| rule.problem(value).is_none()), "{valid:?}");
            assert!(invalid.iter().all(|value| rule.problem(value).is_some()), "{invalid:?}");
        }
    }
}
