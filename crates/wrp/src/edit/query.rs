//! Queries: which objects are meant.

use std::str::FromStr;

use mapwright_io::{Comparison, Pattern, unescape_bytes, unquoted};

use super::EditError;
use crate::Matrix;

/// Conditions that all hold for the objects that are meant, written as `model=*les* y<0`; without any, all objects are.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Query {
    /// The conditions.
    pub conditions: Vec<Condition>,
}

/// A condition on an object.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub enum Condition {
    /// On the name of the model: `model=data3d\dum.p3d`, `model!=*les*`.
    Model {
        /// Whether the name is the pattern, or is not.
        is: bool,
        /// The pattern.
        pattern: Pattern,
    },
    /// On a number: `y<-0.5`, `id>=1000`, `heading=90`, `scale!=1`.
    Number {
        /// Which.
        subject: Subject,
        /// How it and the value compare; [`Holds`](Comparison::Holds) is for no number, and never holds.
        comparison: Comparison,
        /// The value.
        value: f64,
    },
    /// That it stands within, in metres from the west and from the south: `region=0,0,1000,500`.
    Region([f64; 4]),
    /// That it is to be put on the ground by the game, or not: `ground=yes`, `ground=no`.
    FitsToGround(bool),
}

/// A number of an object.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Subject {
    /// Metres from the west.
    X,
    /// Metres above the sea.
    Y,
    /// Metres from the south.
    Z,
    /// Degrees clockwise from north.
    Heading,
    /// The length of the longest axis.
    Scale,
    /// The object's number.
    Id,
}

impl Query {
    /// Whether all conditions on names hold for a model.
    pub(super) fn holds_for_model(&self, name: &[u8]) -> bool {
        self.conditions.iter().all(|condition| match condition {
            Condition::Model { is, pattern } => pattern.matches(name) == *is,
            _ => true,
        })
    }

    /// Whether all other conditions hold for an object with that place and number.
    pub(super) fn holds_at(&self, matrix: &Matrix, id: Option<i32>) -> bool {
        self.conditions.iter().all(|condition| condition.holds_at(matrix, id))
    }
}

impl Condition {
    fn holds_at(&self, matrix: &Matrix, id: Option<i32>) -> bool {
        let [x, y, z] = matrix.position.map(f64::from);
        match self {
            Self::Model { .. } => true,
            Self::Number { subject, comparison, value } => {
                let number = match subject {
                    Subject::X => x,
                    Subject::Y => y,
                    Subject::Z => z,
                    Subject::Heading => matrix.heading(),
                    Subject::Scale => matrix.scales().into_iter().fold(0.0, f64::max),
                    Subject::Id => match id {
                        Some(id) => f64::from(id),
                        None => return false,
                    },
                };
                comparison.is(number.partial_cmp(value))
            }
            Self::Region([west, south, east, north]) => x >= *west && x <= *east && z >= *south && z <= *north,
            Self::FitsToGround(fits) => matrix.fits_to_ground() == *fits,
        }
    }
}

impl FromIterator<Condition> for Query {
    fn from_iter<I: IntoIterator<Item = Condition>>(conditions: I) -> Self {
        Self { conditions: conditions.into_iter().collect() }
    }
}

impl FromStr for Condition {
    type Err = EditError;

    fn from_str(text: &str) -> Result<Self, EditError> {
        let wrong = |expected| EditError::Syntax { text: text.to_owned(), expected };
        // Nothing of an object holds others.
        let all = Comparison::ALL.into_iter().filter(|comparison| *comparison != Comparison::Holds);
        let signs = all.filter_map(|comparison| Some((text.find(comparison.sign())?, comparison)));
        // The first sign counts, and of those that begin there the longest.
        let (at, comparison) = signs
            .min_by_key(|(at, comparison)| (*at, std::cmp::Reverse(comparison.sign().len())))
            .ok_or_else(|| wrong("a condition, as model=*les* or y<0"))?;
        let (name, rest) = text.split_at_checked(at).unwrap_or_default();
        let value = unquoted(rest.get(comparison.sign().len()..).unwrap_or_default());
        let subject = match name {
            "model" => {
                let is = match comparison {
                    Comparison::Equal => true,
                    Comparison::Different => false,
                    _ => return Err(wrong("a condition on names, which are = or != to a pattern")),
                };
                return Ok(Self::Model { is, pattern: Pattern::new(&unescape_bytes(value)) });
            }
            "region" if comparison == Comparison::Equal => {
                let sides = super::command::numbers(value).unwrap_or_default();
                let [west, south, east, north] = sides[..] else {
                    return Err(wrong("a region: west,south,east,north in metres"));
                };
                return Ok(Self::Region([west, south, east, north]));
            }
            "ground" if comparison == Comparison::Equal => {
                return match value {
                    "yes" => Ok(Self::FitsToGround(true)),
                    "no" => Ok(Self::FitsToGround(false)),
                    _ => Err(wrong("ground=yes or ground=no")),
                };
            }
            "x" => Subject::X,
            "y" => Subject::Y,
            "z" => Subject::Z,
            "heading" => Subject::Heading,
            "scale" => Subject::Scale,
            "id" => Subject::Id,
            _ => return Err(wrong("a condition on model, x, y, z, heading, scale, id, region or ground")),
        };
        let value = value.parse().ok().filter(|value: &f64| value.is_finite());
        let value = value.ok_or_else(|| wrong("a condition with a number"))?;
        Ok(Self::Number { subject, comparison, value })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_sign_counts() {
        let condition: Condition = "model=a<b.p3d".parse().unwrap();
        assert_eq!(condition, Condition::Model { is: true, pattern: Pattern::new(b"a<b.p3d") });
        let condition: Condition = "y<=-0.5".parse().unwrap();
        let expected = Condition::Number { subject: Subject::Y, comparison: Comparison::AtMost, value: -0.5 };
        assert_eq!(condition, expected);
        for wrong in
            ["y", "y<", "y!=nan", "region=0,0,x,1,1", "region=0,,1,1", "model<a", "region=1,2,3", "ground=1", "w=1"]
        {
            assert!(wrong.parse::<Condition>().is_err(), "{wrong}");
        }
    }
}
