//! What a scene must be for an exporter to take it.

mod content;
mod mesh;
mod nodes;

use std::fmt;

use crate::Scene;

/// How bad a [`Problem`] is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize), serde(rename_all = "snake_case"))]
pub enum Severity {
    /// Exporters cope with it, by leaving out what is wrong and reporting that.
    Odd,
    /// The scene contradicts itself: exporters refuse it.
    Broken,
}

/// Something wrong with a scene.
#[derive(Debug, Clone, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct Problem {
    /// How bad it is.
    pub severity: Severity,
    /// Where, such as `meshes[3].faces`.
    pub path: String,
    /// What, in a short text.
    pub text: String,
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.path, self.text)
    }
}

impl Scene {
    /// Everything wrong with the scene, at most one problem for each column and rule.
    ///
    /// **The contract**: of a scene without a [broken](Severity::Broken) part every exporter makes a document, with a
    /// report of what it left out, or refuses it with an error of its own. No exporter panics, whatever the scene.
    ///
    /// Broken are: ids and indices that point to nothing; nodes below themselves, or below an instance of themselves, below two nodes, or roots and
    /// below a node; columns of the wrong length; faces of fewer than two corners; edges that are not sorted or have
    /// one vertex twice; sizes that contradict the data; numbers in meshes, transforms, lights, cameras and materials
    /// that are not finite.
    ///
    /// Odd are: faces with a vertex twice; transforms that collapse space; rotations that are not of length 1;
    /// numbers out of their range; numbers that are not finite in heights, instances and properties, which real
    /// files hold; properties nested deeper than [`Value::MAX_DEPTH`](crate::Value::MAX_DEPTH).
    ///
    /// Nodes that no root leads to are no problem: they are not part of what is shown. Takes n·log n time.
    pub fn validate(&self) -> Vec<Problem> {
        let mut report = Report { problems: Vec::new() };
        nodes::check(self, &mut report);
        for (id, mesh) in self.meshes.iter() {
            mesh::check(self, mesh, &format!("meshes[{}]", id.index()), &mut report);
        }
        content::check(self, &mut report);
        report.problems
    }

    /// The first [broken](Severity::Broken) part of those that [`validate`](Self::validate) finds, for which exporters refuse the
    /// scene.
    pub fn first_broken(&self) -> Option<Problem> {
        self.validate().into_iter().find(|problem| problem.severity == Severity::Broken)
    }
}

/// Collects problems.
struct Report {
    problems: Vec<Problem>,
}

impl Report {
    fn add(&mut self, severity: Severity, path: &dyn fmt::Display, text: impl Into<String>) {
        self.problems.push(Problem { severity, path: path.to_string(), text: text.into() });
    }

    fn broken(&mut self, path: &dyn fmt::Display, text: impl Into<String>) {
        self.add(Severity::Broken, path, text);
    }

    fn odd(&mut self, path: &dyn fmt::Display, text: impl Into<String>) {
        self.add(Severity::Odd, path, text);
    }

    /// One problem for all items of a column that are wrong: how many, and the first.
    fn column<T>(
        &mut self,
        severity: Severity,
        path: &dyn fmt::Display,
        what: &str,
        items: impl IntoIterator<Item = T>,
        mut is_wrong: impl FnMut(T) -> bool,
    ) {
        let mut all = 0_usize;
        let mut wrong =
            items.into_iter().inspect(|_| all += 1).enumerate().filter_map(|(i, item)| is_wrong(item).then_some(i));
        let Some(first) = wrong.next() else { return };
        let count = wrong.count() + 1;
        self.add(severity, path, format!("{what}: {count} of {all}, the first at {first}"));
    }

    /// A problem if a column has a length that it must not have. Empty columns may be `optional`.
    fn length(&mut self, path: &dyn fmt::Display, found: usize, expected: usize, optional: bool) {
        if found != expected && !(optional && found == 0) {
            self.broken(path, format!("{found} entries where {expected} belong"));
        }
    }
}

/// Whether all numbers are finite.
fn finite<'a>(numbers: impl IntoIterator<Item = &'a f64>) -> bool {
    numbers.into_iter().all(|number| number.is_finite())
}
