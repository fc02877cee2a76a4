//! What every import is held to.

use mapwright_scene::{Scene, Severity};

/// Panics if a part of a scene is broken: then the importer made it so.
pub(crate) fn check_whole(scene: &Scene) {
    let problems = scene.validate();
    if let Some(problem) = problems.iter().find(|problem| problem.severity == Severity::Broken) {
        panic!("the imported scene is broken: {problem}");
    }
}
