//! The contract between scenes and exporters.

mod content;
mod mesh;
mod nodes;

use std::fmt;

use mapwright_io::{Finding, Path, Severity, parallel};

use crate::Scene;

impl Scene {
    /// Checks the scene. Returns at most one finding for each column and rule.
    ///
    /// **The contract**: every exporter writes a scene without [errors](Severity::Error) and reports what it left out, or rejects it
    /// with an error of its own. No exporter panics, whatever the scene contains.
    ///
    /// Errors (code `scene-broken`): ids and indices out of range; nodes that contain themselves, directly or through instances; nodes with
    /// two parents, and roots with a parent; columns of the wrong length; faces with fewer than two corners; edges that are not
    /// sorted or have one vertex twice; sizes that contradict the data; numbers in meshes, transforms, lights, cameras and
    /// materials that are not finite.
    ///
    /// Warnings (code `scene-unusual`), for which exporters leave out what is wrong and report it: faces with a vertex twice;
    /// transforms that collapse space; rotations that are not of length 1; numbers out of their range; hexagons with a side
    /// that is longer than the cell; numbers that are not finite in heights, instances and properties, which real files
    /// contain; properties nested deeper than [`Value::MAX_DEPTH`](crate::Value::MAX_DEPTH).
    ///
    /// Nodes that no root leads to are not checked for being reachable: they are not part of the visible scene. Takes n·log n time.
    pub fn validate(&self) -> Vec<Finding> {
        let mut report = Report { findings: Vec::new() };
        nodes::check(self, &mut report);
        let of_meshes = parallel::map(self.meshes.iter().collect(), |(id, mesh)| {
            let mut report = Report { findings: Vec::new() };
            mesh::check(self, mesh, &format!("meshes[{}]", id.index()), &mut report);
            report.findings
        });
        report.findings.extend(of_meshes.into_iter().flatten());
        content::check(self, &mut report);
        report.findings
    }

    /// Returns the first error that [`validate`](Self::validate) finds. Exporters reject a scene that has one.
    pub fn first_error(&self) -> Option<Finding> {
        self.validate().into_iter().find(|finding| finding.severity == Severity::Error)
    }
}

/// Collects findings.
struct Report {
    findings: Vec<Finding>,
}

impl Report {
    fn add(&mut self, severity: Severity, path: &dyn fmt::Display, message: impl Into<String>) {
        let code = if severity == Severity::Error { "scene-broken" } else { "scene-unusual" };
        self.findings.push(Finding::new(code, severity, message).with_path(Path::from(path.to_string())));
    }

    fn error(&mut self, path: &dyn fmt::Display, message: impl Into<String>) {
        self.add(Severity::Error, path, message);
    }

    fn warning(&mut self, path: &dyn fmt::Display, message: impl Into<String>) {
        self.add(Severity::Warning, path, message);
    }

    /// Adds one finding for all wrong items of a column, with their number and the index of the first.
    fn column<T>(
        &mut self,
        severity: Severity,
        path: &dyn fmt::Display,
        problem: &str,
        items: impl IntoIterator<Item = T>,
        mut is_wrong: impl FnMut(T) -> bool,
    ) {
        let mut all = 0_usize;
        let mut wrong =
            items.into_iter().inspect(|_| all += 1).enumerate().filter_map(|(i, item)| is_wrong(item).then_some(i));
        let Some(first) = wrong.next() else { return };
        let count = wrong.count() + 1;
        self.add(severity, path, format!("{problem}: {count} of {all}, the first at {first}"));
    }

    /// Adds an error if the length of a column is wrong. Only an `optional` column may be empty.
    fn length(&mut self, path: &dyn fmt::Display, found: usize, expected: usize, optional: bool) {
        if found != expected && !(optional && found == 0) {
            self.error(path, format!("invalid length {found}: expected {expected}"));
        }
    }
}

/// Returns `true` if all numbers are finite.
fn finite<'a>(numbers: impl IntoIterator<Item = &'a f64>) -> bool {
    numbers.into_iter().all(|number| number.is_finite())
}
