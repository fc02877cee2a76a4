//! Pairs of attributes of matched elements.

use super::matching::{AttributeSides, Matching, attributes, match_attributes};
use super::values::equal;
use crate::{ElementId, Value};

/// An attribute that one or both of two elements have. Attributes are matched by name, and by order if a name repeats.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct AttributePair {
    /// Index among the attributes of the old element.
    pub old: Option<usize>,
    /// Index among the attributes of the new element.
    pub new: Option<usize>,
    /// `true` if both elements have the attribute with the same value. References are equal if their targets are matched; the
    /// contents of the targets are not compared.
    pub same: bool,
}

impl Matching<'_> {
    /// Returns the attributes of an old and a new element, those of the old one first.
    pub fn attributes(&self, old: ElementId, new: ElementId) -> Vec<AttributePair> {
        let [old_side, new_side] = self.sides(&self.ranks);
        let shared = match_attributes(old_side, attributes(self.old, old), new_side, attributes(self.new, new));
        let pair = |both: AttributeSides<'_>| {
            let [old, new] = both.places;
            AttributePair { old, new, same: both.old.zip(both.new).is_some_and(|(old, new)| self.same(old, new)) }
        };
        shared.into_iter().map(pair).collect()
    }

    /// Returns `true` if an old and a new element have the same class and name.
    pub fn same_label(&self, old: ElementId, new: ElementId) -> bool {
        let (Some(one), Some(other)) = (self.old.element(old), self.new.element(new)) else { return false };
        let [old, new] = self.sides(&self.ranks);
        old.rank(one.class_id()) == new.rank(other.class_id()) && old.rank(one.name_id()) == new.rank(other.name_id())
    }

    fn same(&self, one: &Value, other: &Value) -> bool {
        match (one, other) {
            (Value::Element(a), Value::Element(b)) => self.has_same_target(*a, *b),
            (Value::ElementArray(a), Value::ElementArray(b)) => {
                a.len() == b.len() && a.iter().zip(b).all(|(a, b)| self.has_same_target(*a, *b))
            }
            (a, b) => {
                let [old, new] = self.sides(&self.ranks);
                equal((old, a), (new, b))
            }
        }
    }
}
